"use strict";
(() => {
  // Columns of the rows that the page holds for each run, in the order in which they were written.
  const POINT = { t: 0, ticks: 1, phase: 2, side: 3, main: 4, delay: 6, moves: 7, period: 9, down: 11 };
  const EVENT = { t: 0, mark: 1, lane: 2, label: 3, said: 4, effect: 5, device: 6, latest: 7, doubt: 8, face: 9, written: 11, records: 12 };
  const RUNNING = 1, PAUSED = 2, FROZEN = 3;
  const SIDES = ["White", "Black"];
  const S = 1e9;
  // Heights in the drawing, in pixels.
  const Y = { hall: 24, lane: [56, 118], bar: 18, axis: 164, height: 204 };
  const GLYPH = 6.2;

  const drawing = document.getElementById("patterns").namespaceURI;
  function made(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }
  const html = (name, attributes = {}, ...children) => made(document.createElement(name), attributes, children);
  const svg = (name, attributes = {}, ...children) => made(document.createElementNS(drawing, name), attributes, children);

  // Text of times.
  function stamp(ns) {
    const size = Math.abs(ns), whole = Math.floor(size / S);
    return (ns < 0 ? "-" : "") + whole + "." + String(Math.round(size - whole * S)).padStart(9, "0");
  }
  function seconds(ns) {
    return stamp(ns).replace(/\.?0+$/, "") + " s";
  }
  function span(ns) {
    const size = Math.abs(ns);
    for (const [unit, name] of [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]]) {
      if (size >= unit) return (ns < 0 ? "-" : "") + parseFloat((size / unit).toPrecision(4)) + " " + name;
    }
    return ns + " ns";
  }
  function hms(ns) {
    const ms = Math.round(Math.abs(ns) / 1e6), h = Math.floor(ms / 3600000), m = Math.floor(ms / 60000) % 60, s = Math.floor(ms / 1000) % 60;
    const two = (n) => String(n).padStart(2, "0");
    const rest = ms % 1000 ? "." + String(ms % 1000).padStart(3, "0").replace(/0+$/, "") : "";
    return (ns < 0 ? "-" : "") + (h ? h + ":" + two(m) : m) + ":" + two(s) + rest;
  }
  function gap(ns) {
    if (ns >= 119.5 * S) {
      const s = Math.round(ns / S), h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60;
      return "+" + (h ? h + " h " : "") + (m ? m + " min " : "") + (s % 60 && !h ? s % 60 + " s" : "");
    }
    return "+" + span(ns);
  }

  // The clock at an instant, when so many records have been written.
  function clockAt(run, records, t) {
    const here = run.points[records], next = run.points[records + 1];
    const since = t - here[POINT.t];
    const ratio = next && next[POINT.t] > here[POINT.t]
      ? (next[POINT.ticks] - here[POINT.ticks]) / (next[POINT.t] - here[POINT.t])
      : run.hz / S;
    const passed = Math.max(0, Math.floor(since * ratio + 1e-6));
    const left = [here[POINT.main], here[POINT.main + 1]];
    let delay = here[POINT.delay];
    if (here[POINT.phase] === RUNNING) {
      const side = here[POINT.side];
      left[side] = Math.max(0, left[side] - Math.max(0, passed - delay));
      delay = Math.max(0, delay - passed);
    }
    return { here, left, delay, ticks: here[POINT.ticks] + passed };
  }
  function recordsAt(run, t) {
    let low = 0, high = run.points.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (run.points[middle][POINT.t] <= t) low = middle; else high = middle - 1;
    }
    return low;
  }
  function face(ticks, hz) {
    const s = Math.ceil(ticks / hz), h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60;
    const two = (n) => String(n).padStart(2, "0");
    return (h ? h + ":" + two(m) : m) + ":" + two(s % 60);
  }

  // Where instants stand: in proportion, or with long gaps pressed together.
  class Scale {
    constructor(run, width, pressed, zoom) {
      const times = new Set([0, run.end]);
      for (const event of run.events) times.add(event[EVENT.t]);
      this.times = [...times].sort((a, b) => a - b);
      const gaps = this.times.slice(1).map((t, i) => t - this.times[i]);
      const widths = gaps.map((ns) => pressed ? 20 + 6.5 * Math.log2(1 + ns / 5e7) : ns);
      const sum = widths.reduce((a, b) => a + b, 0) || 1;
      const room = Math.max(width - 2 * Scale.MARGIN, 100);
      this.fit = room / (pressed ? Math.max(sum, room) : room);
      const total = zoom * (pressed ? Math.max(sum, room) : room);
      this.places = [Scale.MARGIN];
      for (const w of widths) this.places.push(this.places[this.places.length - 1] + w / sum * total);
      this.width = total + 2 * Scale.MARGIN;
    }
    static between(from, to, value) {
      let low = 0, high = from.length - 1;
      if (high < 1) return to[0];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (from[middle] <= value) low = middle; else high = middle;
      }
      const size = from[high] - from[low];
      const part = size > 0 ? Math.min(1, Math.max(0, (value - from[low]) / size)) : 0;
      return to[low] + part * (to[high] - to[low]);
    }
    x(t) { return Scale.between(this.times, this.places, t); }
    t(x) { return Math.round(Scale.between(this.places, this.times, x)); }
  }
  Scale.MARGIN = 28;

  // Text that leaves out what would run into the text before it.
  class Labels {
    constructor() { this.end = -Infinity; }
    put(parent, text, x, y, attributes = {}) {
      const size = text.length * GLYPH;
      const left = attributes["text-anchor"] === "middle" ? x - size / 2 : x;
      if (!text || left < this.end + 5) return;
      this.end = left + size;
      parent.append(svg("text", { x: x.toFixed(1), y, ...attributes }, text));
    }
  }

  function marker(kind, missed, x, lane) {
    const at = (path, name) => svg("path", { d: path, class: "m " + name });
    const f = (n) => n.toFixed(1);
    if (kind === "press" && lane !== null) {
      const y = Y.lane[lane] + Y.bar + 3;
      return at(`M${f(x)} ${y}l4.5 8h-9z`, missed ? "missed" : "press");
    }
    if (kind === "flag" && lane !== null) {
      const y = Y.lane[lane];
      return at(`M${f(x)} ${y}v-22h11l-3 4l3 4h-10v14z`, "flag");
    }
    const y = lane === null ? Y.hall : Y.lane[lane] - 7;
    if (kind === "fault") return at(`M${f(x + 1)} ${y - 8}l-5 9h4l-1 7l5 -9h-4z`, "fault");
    if (kind === "arbiter") return at(`M${f(x)} ${y - 5}l5 5l-5 5l-5 -5z`, "arbiter");
    if (kind === "end") return at(`M${f(x)} ${Y.hall - 8}v${Y.axis - Y.hall + 8}h0.6v-${Y.axis - Y.hall + 8}z`, "read");
    if (kind === "device") return at(`M${f(x - 3.5)} ${y - 3.5}h7v7h-7z`, "device");
    return svg("circle", { cx: f(x), cy: y, r: 3.2, class: "m " + (kind === "read" ? "read" : "hall") });
  }

  // What the marks and fillings mean, drawn by the same hands.
  function legend() {
    const list = html("p", { class: "legend" });
    const entry = (text, mark, x, y) => list.append(html("span", {}, svg("svg", { width: 18, height: 18, viewBox: `${x} ${y} 18 18`, "aria-hidden": "true" }, mark), " " + text));
    const filled = (name) => svg("rect", { x: 1, y: 3, width: 16, height: 12, class: name });
    const pressY = Y.lane[0] + Y.bar - 2;
    entry("White's time runs", filled("lane-0"), 0, 0);
    entry("Black's", filled("lane-1"), 0, 0);
    entry("delay", filled("delay"), 0, 0);
    entry("stopped or frozen", filled("stands"), 0, 0);
    entry("press", marker("press", false, 9, 0), 0, pressY);
    entry("not noticed", marker("press", true, 9, 0), 0, pressY);
    entry("flag", marker("flag", false, 4, 0), 0, Y.lane[0] - 20);
    entry("move, claim, look", marker("hall", false, 9, null), 0, Y.hall - 9);
    entry("arbiter, stop", marker("arbiter", false, 9, null), 0, Y.hall - 9);
    entry("faces read", marker("read", false, 9, null), 0, Y.hall - 9);
    entry("fault", marker("fault", false, 9, null), 0, Y.hall - 9);
    return list;
  }

  function drawClock(parent, run, scale) {
    const rect = (from, to, lane, name, inset = 0) => {
      const x = scale.x(from), width = Math.max(scale.x(to) - x, 0.5);
      parent.append(svg("rect", { x: x.toFixed(1), y: Y.lane[lane] + inset, width: width.toFixed(1), height: Y.bar - 2 * inset, class: name }));
    };
    const ends = (i) => i + 1 < run.points.length ? run.points[i + 1][POINT.t] : run.end;
    for (let i = 0; i < run.points.length; i++) {
      const first = run.points[i], phase = first[POINT.phase], side = first[POINT.side];
      const delays = [];
      const note = (j) => {
        const point = run.points[j], to = ends(j);
        if (phase === RUNNING && point[POINT.delay] > 0) delays.push([point[POINT.t], Math.min(to, point[POINT.t] + point[POINT.delay] / run.hz * S)]);
      };
      note(i);
      while (i + 1 < run.points.length && run.points[i + 1][POINT.phase] === phase && run.points[i + 1][POINT.side] === side) note(++i);
      if (ends(i) <= first[POINT.t]) continue;
      if (phase === RUNNING) rect(first[POINT.t], ends(i), side, "lane-" + side);
      if (phase === PAUSED || phase === FROZEN) for (const lane of [0, 1]) rect(first[POINT.t], ends(i), lane, "stands");
      for (const [from, to] of delays) rect(from, to, side, "delay", 1.5);
    }
  }

  function drawAxis(parent, run, scale, pressed) {
    const times = new Labels(), gaps = new Labels();
    parent.append(svg("line", { x1: 0, x2: scale.width, y1: Y.axis, y2: Y.axis, class: "axis" }));
    let said = "";
    const tick = (t, text) => {
      const x = scale.x(t);
      parent.append(svg("line", { x1: x.toFixed(1), x2: x.toFixed(1), y1: Y.axis, y2: Y.axis + 4, class: "axis" }));
      // Instants less than a millisecond apart read alike: one of them is enough.
      if (text !== said) times.put(parent, text, x, Y.axis + 17, { "text-anchor": "middle" });
      said = text;
    };
    if (!pressed) {
      const least = (run.end || 1) / Math.max(1, scale.width / 90);
      const steps = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 18000].map((s) => s * S);
      const step = steps.find((s) => s >= least) || Math.ceil(least / (36000 * S)) * 36000 * S;
      for (let t = 0; t <= run.end; t += step) tick(t, hms(t));
      return;
    }
    scale.times.forEach((t, i) => {
      tick(t, hms(t));
      if (i === 0) return;
      const from = scale.places[i - 1], width = scale.places[i] - from, text = gap(t - scale.times[i - 1]);
      if (text.length * GLYPH + 4 < width) gaps.put(parent, text, from + width / 2, Y.axis + 33, { "text-anchor": "middle", class: "soft" });
    });
  }

  function drawEvents(parent, run, scale) {
    const rows = { hall: new Labels(), 0: new Labels(), 1: new Labels() };
    for (const event of run.events) {
      const kind = event[EVENT.mark], lane = event[EVENT.lane], x = scale.x(event[EVENT.t]);
      const mark = marker(kind, event[EVENT.device] === null, x, lane);
      mark.append(svg("title", {}, hms(event[EVENT.t]) + " " + event[EVENT.said]));
      parent.append(mark);
      const y = lane === null ? Y.hall - 11 : Y.lane[lane] - 14;
      const flag = kind === "flag" && lane !== null ? 14 : 0;
      rows[lane === null ? "hall" : lane].put(parent, event[EVENT.label], x + flag - (flag ? 0 : 3), y);
    }
  }

  // One timeline: drawing, faces, what was said, all events.
  class Timeline {
    constructor(root, run) {
      this.run = run;
      this.pressed = true;
      this.zoom = 1;
      this.at = 0;
      this.faces = [0, 1].map((side) => this.makeFace(side));
      this.when = html("div", { class: "when" });
      this.said = html("p", { class: "said", "aria-live": "polite" });
      this.scroll = html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Timeline: arrow keys go from event to event, plus and minus zoom" });
      const names = html("div", { class: "names", "aria-hidden": "true" });
      for (const [name, y] of [["hall", Y.hall], ["White", Y.lane[0] + 9], ["Black", Y.lane[1] + 9], ["true time", Y.axis + 14]]) {
        names.append(html("span", { style: `top:${y}px` }, name));
      }
      root.append(html("div", { class: "faces" }, this.faces[0].root, this.when, this.faces[1].root), this.said, this.makeTools(), html("div", { class: "lanes" }, names, this.scroll), legend(), this.makeList());
      this.listen();
      this.draw();
      this.select(0);
    }

    makeFace(side) {
      const digits = html("span", { class: "digits" }), small = html("small");
      return { digits, small, root: html("div", { class: "face" }, html("b", {}, SIDES[side]), digits, small) };
    }

    makeTools() {
      const button = (text, name, act) => {
        const made = html("button", { type: "button", "aria-label": name }, text);
        made.addEventListener("click", act);
        return made;
      };
      const box = html("input", { type: "checkbox" });
      box.checked = this.pressed;
      box.addEventListener("change", () => { this.pressed = box.checked; this.zoom = 1; this.draw(); });
      return html("div", { class: "tools" },
        button("◀", "event before", () => this.select(this.at - 1)), button("▶", "next event", () => this.select(this.at + 1)),
        button("−", "smaller", () => this.magnify(1 / 1.6)), button("+", "larger", () => this.magnify(1.6)),
        button("whole run", "whole run", () => this.magnify(0)),
        html("label", {}, box, "shorten idle time"));
    }

    makeList() {
      const list = html("details", { class: "plain" }, html("summary", {}, `All ${this.run.events.length} events`));
      list.addEventListener("toggle", () => { if (list.open && !this.rows) this.fillList(list); });
      return list;
    }

    fillList(list) {
      const head = html("tr");
      const columns = [["true time (s)", "n"], ["", ""], ["device time (s)", "n"], ["White", "n"], ["Black", "n"], ["event", ""], ["effect", ""]];
      for (const [name, kind] of columns) head.append(html("th", { scope: "col", class: kind }, name));
      this.rows = this.run.events.map((event, index) => {
        const mark = event[EVENT.written] ? "" : "~";
        const row = html("tr", {},
          html("td", { class: "n" }, stamp(event[EVENT.t])), html("td", {}, doubt(event)),
          html("td", { class: "n" }, event[EVENT.device] === null ? "" : stamp(event[EVENT.device])),
          html("td", { class: "n" }, mark + event[EVENT.face]), html("td", { class: "n" }, mark + event[EVENT.face + 1]),
          html("td", {}, event[EVENT.said]), html("td", {}, event[EVENT.effect]));
        row.addEventListener("click", () => this.select(index));
        return row;
      });
      list.append(html("div", { class: "wide" }, html("table", { class: "events" }, html("thead", {}, head), html("tbody", {}, ...this.rows))),
        html("p", { class: "note" }, "+ is the width of the bracket that begins at the instant, ± the uncertainty of a stamp, ~ a face computed between two records."));
      this.select(this.at);
    }

    listen() {
      const steps = { ArrowLeft: () => this.at - 1, ArrowRight: () => this.at + 1, Home: () => 0, End: () => this.run.events.length - 1 };
      this.scroll.addEventListener("keydown", (key) => {
        if (key.ctrlKey || key.altKey || key.metaKey) return;
        if (steps[key.key]) this.select(steps[key.key]());
        else if (key.key === "+" || key.key === "=") this.magnify(1.6);
        else if (key.key === "-") this.magnify(1 / 1.6);
        else return;
        key.preventDefault();
      });
      const follow = (pointer) => this.point(pointer.clientX - this.picture.getBoundingClientRect().left);
      this.scroll.addEventListener("pointermove", (pointer) => { if (pointer.pointerType === "mouse") follow(pointer); });
      this.scroll.addEventListener("click", follow);
      let width = this.scroll.clientWidth;
      new ResizeObserver(() => {
        if (this.scroll.clientWidth && this.scroll.clientWidth !== width) { width = this.scroll.clientWidth; this.draw(); }
      }).observe(this.scroll);
    }

    magnify(by) {
      const middle = this.scale.t(this.scroll.scrollLeft + this.scroll.clientWidth / 2);
      this.zoom = by ? Math.min(400, Math.max(this.scale.fit, this.zoom * by)) : this.scale.fit;
      this.draw();
      this.scroll.scrollLeft = this.scale.x(middle) - this.scroll.clientWidth / 2;
    }

    draw() {
      const run = this.run;
      this.scale = new Scale(run, this.scroll.clientWidth || 600, this.pressed, this.zoom);
      const width = Math.ceil(this.scale.width);
      this.picture = svg("svg", { width, height: Y.height, viewBox: `0 0 ${width} ${Y.height}`, "aria-hidden": "true" });
      for (const lane of [0, 1]) this.picture.append(svg("rect", { x: 0, y: Y.lane[lane] + Y.bar / 2 - 1, width, height: 2, class: "ground" }));
      drawAxis(this.picture, run, this.scale, this.pressed);
      drawClock(this.picture, run, this.scale);
      this.cursor = svg("line", { y1: 2, y2: Y.axis, class: "cursor" });
      this.picture.append(this.cursor);
      drawEvents(this.picture, run, this.scale);
      this.scroll.replaceChildren(this.picture);
      this.mark(run.events[this.at][EVENT.t]);
    }

    mark(t) {
      const x = this.scale.x(t).toFixed(1);
      this.cursor.setAttribute("x1", x);
      this.cursor.setAttribute("x2", x);
      return Number(x);
    }

    select(index) {
      this.at = Math.min(this.run.events.length - 1, Math.max(0, index));
      const event = this.run.events[this.at], t = event[EVENT.t], x = this.mark(t);
      const { scrollLeft, clientWidth } = this.scroll;
      if (x < scrollLeft + 20 || x > scrollLeft + clientWidth - 20) this.scroll.scrollLeft = x - clientWidth / 2;
      this.show(clockAt(this.run, event[EVENT.records], t), t, event);
      if (this.rows) this.rows.forEach((row, i) => row.classList.toggle("at", i === this.at));
    }

    // The nearest event when the pointer is on it, else the instant under the pointer.
    point(x) {
      let nearest = -1, distance = 6;
      this.run.events.forEach((event, index) => {
        const d = Math.abs(this.scale.x(event[EVENT.t]) - x);
        if (d < distance) { nearest = index; distance = d; }
      });
      if (nearest >= 0) return this.select(nearest);
      const t = this.scale.t(x);
      this.mark(t);
      this.at = Math.max(0, this.run.events.findLastIndex((event) => event[EVENT.t] <= t));
      this.show(clockAt(this.run, recordsAt(this.run, t), t), t, null);
    }

    show(clock, t, event) {
      const { hz } = this.run, phase = clock.here[POINT.phase], on = clock.here[POINT.side];
      this.faces.forEach(({ root, digits, small }, side) => {
        const runs = phase === RUNNING && on === side;
        root.classList.toggle("runs", runs);
        digits.textContent = event ? event[EVENT.face + side] : face(clock.left[side], hz);
        const words = [seconds(clock.left[side] / hz * S), `${clock.here[POINT.moves + side]} moves`, `period ${clock.here[POINT.period + side] + 1}`];
        if (runs) words.push(clock.delay > 0 ? `delay ${seconds(clock.delay / hz * S)}` : "runs");
        if (phase === PAUSED) words.push("stopped");
        if (phase === FROZEN) words.push("frozen");
        small.replaceChildren(words.join(", "));
        if (clock.here[POINT.down] & (1 << side)) small.append(", ", html("span", { class: "down" }, "flag down"));
      });
      const written = event && event[EVENT.device] !== null;
      const device = written ? stamp(event[EVENT.device]) + " s" : "~" + stamp(clock.ticks / hz * S) + " s";
      this.when.replaceChildren(html("span", {}, "true   " + stamp(t) + " s"), html("span", {}, "device " + device));
      if (event && doubt(event)) this.when.append(html("span", {}, doubt(event)));
      if (event) this.said.replaceChildren(html("b", {}, event[EVENT.said]), event[EVENT.effect] ? ": " + event[EVENT.effect] : "");
      else this.said.replaceChildren();
    }
  }

  function doubt(event) {
    if (event[EVENT.latest] !== null) return "+" + span(event[EVENT.latest] - event[EVENT.t]);
    return event[EVENT.doubt] ? "±" + span(event[EVENT.doubt]) : "";
  }

  // A run's timeline is made when the run is opened.
  document.addEventListener("toggle", (toggle) => {
    const run = toggle.target;
    if (!run.open || !run.matches("details.run")) return;
    const place = run.querySelector(".timeline");
    if (place && !place.firstChild) new Timeline(place, JSON.parse(run.querySelector("script").textContent));
  }, true);

  // The filter hides rows of the table and runs below that lack any of its words.
  const box = document.getElementById("filter"), matches = document.getElementById("matches");
  const rows = [...document.querySelectorAll("#table tbody tr")].map((row) => ({ row, run: document.getElementById(row.dataset.run), text: row.textContent.toLowerCase() }));
  function filter() {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { row, run, text } of rows) {
      const hidden = !words.every((word) => text.includes(word));
      row.hidden = run.hidden = hidden;
      if (!hidden) shown++;
    }
    matches.textContent = words.length ? `${shown} of ${rows.length}` : "";
  }
  box.addEventListener("input", filter);
  for (const button of document.querySelectorAll("button.filter")) {
    button.addEventListener("click", () => { box.value = button.dataset.filter; filter(); box.scrollIntoView({ block: "start" }); });
  }

  // A link to something opens it and what it stands in.
  function follow() {
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!place) return;
    for (let around = place.closest("details"); around; around = around.parentElement.closest("details")) {
      if (around.hidden) { box.value = ""; filter(); }
      around.open = true;
    }
    place.scrollIntoView();
  }
  addEventListener("hashchange", follow);
  // A second click on the same link changes no hash.
  document.addEventListener("click", (click) => {
    const link = click.target.closest("a[href^='#']");
    if (link && link.getAttribute("href") === location.hash) follow();
  });
  follow();
})();
