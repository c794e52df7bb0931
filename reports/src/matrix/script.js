"use strict";
(() => {
  const { books, cases } = JSON.parse(document.getElementById("data").textContent);
  // Columns of the rows that the page holds for each case, in the order in which they were written.
  const ANSWER = { point: 0, at: 1, last: 2, count: 3, outcome: 4, used: 5, refused: 6, by: 7 };
  const EVENT = { t: 0, device: 1, white: 2, black: 3, said: 4, effect: 5, flag: 6 };
  const table = document.getElementById("matrix"), body = table.tBodies[0];
  const rows = [...body.rows];

  function html(name, attributes, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }
  function stamp(ns) {
    const size = Math.abs(ns), whole = Math.floor(size / 1e9);
    return (ns < 0 ? "-" : "") + whole + "." + String(Math.round(size - whole * 1e9)).padStart(9, "0");
  }

  // What one rulebook ruled in a case, in order of time.
  function rulingsOf(one, book) {
    const rulings = [];
    for (const answer of one.answers) {
      const by = answer[ANSWER.by].find(([index]) => index === book);
      if (by) rulings.push({ answer, article: by[1], strength: by[2] });
    }
    return rulings;
  }

  function evidence(title, facts) {
    return facts.length ? [html("h4", {}, title), html("ul", {}, ...facts.map((fact) => html("li", {}, fact)))] : [];
  }

  function source({ article, strength }) {
    return [article ? "article " + article : "", strength || ""].filter(Boolean).join(", ");
  }

  // The answer to the points of the case: outcome, article, the sentence in the text's language and in English, evidence.
  function answered(one, book, shown) {
    const text = books[book], box = html("div", { class: "answer" });
    const isShown = (answer) => shown.some(([point, at, outcome]) =>
      answer[ANSWER.point] === point && (answer[ANSWER.last] ?? answer[ANSWER.at]) === at && answer[ANSWER.outcome] === outcome);
    const here = rulingsOf(one, book).filter(({ answer }) => isShown(answer));
    for (const ruling of here) {
      const { answer } = ruling, point = answer[ANSWER.point], says = text.says[point] || ["", "", null];
      box.append(html("p", { class: "outcome" }, answer[ANSWER.outcome] === "?" ? "The text does not say." : answer[ANSWER.outcome]));
      box.append(html("p", { class: "source" }, point + ", " + says[0], source(ruling) ? "; " + source(ruling) : ""));
      if (says[2]) box.append(html("p", { lang: text.language, class: "own" }, says[2]));
      if (says[1]) box.append(html("p", { lang: "en" }, says[1]));
      if (says[3]) box.append(html("p", { class: "note" }, "Unverified: the text itself was not seen, the answer is known from those who quote it."));
      box.append(...evidence("rests on", answer[ANSWER.used]), ...evidence("does not admit", answer[ANSWER.refused]));
    }
    if (!here.length) box.append(html("p", { class: "outcome" }, "The question never arises under this text."));
    return box;
  }

  // Events with the rulings of the book between them.
  function timeline(one, book) {
    const head = html("tr", {}, ...["true time (s)", "device time (s)", "White", "Black", "event", "effect"].map((name) => html("th", { scope: "col" }, name)));
    const list = html("tbody", {});
    const rulings = rulingsOf(one, book);
    let next = 0;
    const rule = (until) => {
      for (; next < rulings.length && rulings[next].answer[ANSWER.at] < until; next++) {
        const { answer } = rulings[next];
        const often = answer[ANSWER.last] === null ? "" : `, ${answer[ANSWER.count]} times until ${stamp(answer[ANSWER.last])} s`;
        const words = `${answer[ANSWER.point]} ${answer[ANSWER.outcome]}${often}`;
        list.append(html("tr", { class: "ruling" }, html("td", {}, stamp(answer[ANSWER.at])), html("td", { colspan: 3 }), html("td", {}, words), html("td", {}, source(rulings[next]))));
      }
    };
    const event = (row) => {
      rule(row[EVENT.t]);
      const cells = [stamp(row[EVENT.t]), row[EVENT.device] === null ? "" : stamp(row[EVENT.device]), row[EVENT.white], row[EVENT.black], row[EVENT.said], row[EVENT.effect]];
      list.append(html("tr", row[EVENT.flag] ? { class: "flag" } : {}, ...cells.map((text) => html("td", {}, text))));
    };
    one.first.forEach(event);
    if (one.skipped) list.append(html("tr", { class: "skipped" }, html("td", { colspan: 6 }, `${one.skipped} events are left out here; flagfall show ${one.id} has them all`)));
    one.last.forEach(event);
    rule(Infinity);
    return html("div", { class: "wide" }, html("table", { class: "timeline" }, html("thead", {}, head), list));
  }

  let open = null;
  function close() {
    if (!open) return;
    open.detail.remove();
    open.button.setAttribute("aria-expanded", "false");
    open = null;
  }
  function show(button) {
    const again = open && open.button === button;
    close();
    if (again) return;
    const row = button.closest("tr"), one = cases[row.dataset.row], book = Number(button.dataset.column);
    const heading = html("h3", { tabindex: "-1" }, books[book].key + " on " + one.id);
    const shut = html("button", { class: "close" }, "close");
    shut.addEventListener("click", () => { close(); button.focus(); });
    const detail = html("tr", { class: "detail" }, html("td", { colspan: String(books.length + 1) },
      html("div", { class: "sheet" }, shut, heading, html("p", { class: "note" }, books[book].title), answered(one, book, one.shown[book]), html("h4", {}, "what happened"), timeline(one, book))));
    row.after(detail);
    button.setAttribute("aria-expanded", "true");
    open = { detail, button };
    heading.focus({ preventScroll: true });
    detail.scrollIntoView({ block: "nearest" });
  }
  body.addEventListener("click", (click) => {
    const button = click.target.closest("button[data-column]");
    if (button) show(button);
  });

  // Arrow keys go from cell to cell over rows that are shown.
  document.addEventListener("keydown", (key) => {
    if (key.key === "Escape" && open) {
      const { button } = open;
      close();
      button.focus();
      return;
    }
    const button = document.activeElement.closest("button[data-column]");
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[key.key];
    if (!button || !step) return;
    const shown = rows.filter((row) => !row.hidden);
    const to = shown[shown.indexOf(button.closest("tr")) + step[0]];
    const next = to && to.querySelectorAll("button[data-column]")[Number(button.dataset.column) + step[1]];
    if (next) { next.focus(); key.preventDefault(); }
  });

  const box = document.getElementById("filter"), only = document.getElementById("only"), matches = document.getElementById("matches");
  const texts = rows.map((row) => row.textContent.toLowerCase());
  function filter() {
    close();
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, index) => {
      row.hidden = !words.every((word) => texts[index].includes(word)) || (only.checked && !row.classList.contains("diverges"));
      if (!row.hidden) shown++;
    });
    matches.textContent = words.length || only.checked ? `${shown} of ${rows.length}` : "";
  }
  box.addEventListener("input", filter);
  only.addEventListener("change", filter);
})();
