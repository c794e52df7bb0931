"use strict";
(() => {
  // Columns of the rows that the page holds for each run, in the order in which they were written.
  const T = 0, TICKS = 1, PHASE = 2, SIDE = 3, TIME = 4, DELAY = 8, MOVES = 9, PERIOD = 11, DOWN = 13;
  const RECORDS = 1;
  const RUNNING = 1, PHASES = ["", "", "stopped", "frozen"];
  const SIDES = ["White", "Black"];
  const S = 1e9, PAGE = 10, BEAT_MS = 700;

  function made(name, attributes = {}, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }
  function button(text, name, act) {
    const node = made("button", { type: "button", "aria-label": name, title: name }, text);
    node.addEventListener("click", act);
    return node;
  }
  // The last index of which this is so, of rows in which it is so up to some place; 0 if of none.
  function last(rows, is) {
    let low = 0, high = rows.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (is(rows[middle])) low = middle; else high = middle - 1;
    }
    return low;
  }
  const two = (n) => String(n).padStart(2, "0");
  const seconds = (ns) => (ns / S).toFixed(9).replace(/\.?0+$/, "") + " s";

  // A run's clock, by the data and the table of its section.
  class Run {
    constructor(section) {
      this.scrub = section.querySelector(".scrub");
      this.rig = section.querySelector(".rig").textContent;
      Object.assign(this, JSON.parse(this.scrub.querySelector("script").textContent));
      this.rows = [...this.scrub.querySelectorAll(".events tbody tr")];
    }

    // Digits of a time in ticks, as the display of the clock makes them.
    digits(ticks) {
      const [up, tenths, minutes, dial] = this.face, hz = this.hz;
      const whole = (n) => up ? Math.ceil(n - 1e-9) : Math.floor(n + 1e-9);
      if (dial) {
        const s = Math.floor(ticks / hz) % 43200;
        return this.clock(s < 3600 ? s + 43200 : s);
      }
      if (ticks < hz * tenths) return (whole(ticks * 10 / hz) / 10).toFixed(1);
      if (minutes && ticks >= hz * 60 * minutes) {
        const m = whole(ticks / hz / 60);
        return Math.floor(m / 60) + "h" + two(m % 60);
      }
      return this.clock(whole(ticks / hz));
    }

    clock(s) {
      const h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60;
      return (h ? h + ":" + two(m) : m) + ":" + two(s % 60);
    }

    // What both faces show at an instant when so many records have been written.
    at(t, records) {
      const here = this.points[records], next = this.points[records + 1];
      const pace = next && next[T] > here[T] ? (next[TICKS] - here[TICKS]) / (next[T] - here[T]) : this.hz / S;
      const passed = Math.max(0, Math.floor((t - here[T]) * pace + 1e-6));
      const charged = Math.max(0, passed - here[DELAY]), delay = Math.max(0, here[DELAY] - passed);
      return SIDES.map((_, side) => {
        const time = Math.max(0, here[TIME + 2 * side] + here[TIME + 2 * side + 1] * charged);
        const runs = here[PHASE] === RUNNING && here[SIDE] === side;
        const words = [`move ${here[MOVES + side]}`, `period ${here[PERIOD + side] + 1}`];
        if (runs) words.push(delay ? `delay ${seconds(delay / this.hz * S)}` : "runs");
        if (PHASES[here[PHASE]]) words.push(PHASES[here[PHASE]]);
        return { digits: this.digits(time), runs, words, down: here[DOWN] >> side & 1 };
      });
    }

    atTime(t) { return this.at(t, last(this.points, (point) => point[T] <= t)); }

    // At an event the table has the faces.
    atEvent(index) {
      const [t, records] = this.events[index], faces = this.at(t, records);
      for (const side of [0, 1]) faces[side].digits = this.rows[index].cells[3 + side].textContent;
      return faces;
    }
  }

  // Two faces and whose they are.
  class Faces {
    constructor(rig) {
      this.sides = SIDES.map((name) => {
        const digits = made("span", { class: "digits" }), small = made("small");
        return { digits, small, root: made("div", { class: "face" }, made("b", {}, name), digits, small) };
      });
      this.root = made("div", { class: "faces", role: "group", "aria-label": "faces on " + rig }, this.sides[0].root, made("span", { class: "rig" }, rig), this.sides[1].root);
    }
    show(faces) {
      faces.forEach(({ digits, runs, words, down }, side) => {
        const face = this.sides[side];
        face.root.classList.toggle("runs", runs);
        face.digits.textContent = digits;
        face.small.replaceChildren(words.join(", "));
        if (down) face.small.append(", ", made("span", { class: "down" }, "flag down"));
      });
    }
  }

  // A run that is moved through, with the runs of its scenario on other rigs beside it.
  class Scrubber {
    constructor(section, others) {
      this.run = new Run(section);
      this.runs = [this.run, ...others.map((other) => new Run(other))];
      this.faces = this.runs.map((run) => new Faces(run.rig));
      this.at = 0;
      const { scrub } = this.run;
      this.slider = scrub.querySelector(".scroll");
      this.cursor = scrub.querySelector(".cursor");
      this.when = made("output", { class: "when" });
      this.said = made("p", { class: "said", "aria-live": "polite" });
      const { events, parts } = this.run;
      this.play = button("▶", "play", () => this.toggle());
      const tools = made("div", { class: "tools" },
        button("|◂", "first event", () => this.select(0)), button("◂", "event before", () => this.select(this.at - 1)), this.play,
        button("▸", "next event", () => this.select(this.at + 1)), button("▸|", "last event", () => this.select(events.length - 1)));
      if (parts !== null) tools.append(button("where two rigs part", "go to where two rigs part", () => this.select(parts)));
      tools.append(this.when);
      scrub.querySelector(".shown").append(...this.faces.map((faces) => faces.root), tools, this.said);
      const attributes = { tabindex: 0, role: "slider", "aria-label": "time of the game", "aria-valuemin": 0, "aria-valuemax": events.length - 1 };
      for (const [key, value] of Object.entries(attributes)) this.slider.setAttribute(key, value);
      this.listen();
      this.select(parts ?? 0);
    }

    listen() {
      const end = this.run.events.length - 1;
      const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: PAGE, PageUp: -PAGE, Home: -end, End: end };
      this.slider.addEventListener("keydown", (key) => {
        if (key.ctrlKey || key.altKey || key.metaKey) return;
        if (steps[key.key]) this.select(this.at + steps[key.key]);
        else if (key.key === " ") this.toggle();
        else return;
        key.preventDefault();
      });
      const follow = (pointer) => this.point(pointer.clientX - this.slider.firstChild.getBoundingClientRect().left);
      this.slider.addEventListener("pointermove", (pointer) => { if (pointer.pointerType === "mouse" && pointer.buttons) follow(pointer); });
      this.slider.addEventListener("click", follow);
      this.run.rows.forEach((row, index) => row.addEventListener("click", () => this.select(index)));
    }

    toggle() {
      const plays = !this.timer;
      clearInterval(this.timer);
      this.timer = plays && setInterval(() => {
        if (this.at + 1 < this.run.events.length) this.select(this.at + 1); else this.toggle();
      }, BEAT_MS);
      this.play.textContent = plays ? "❚❚" : "▶";
      this.play.setAttribute("aria-label", plays ? "pause" : "play");
    }

    // Between two columns of the places, one of which is looked up.
    between(value, from, to) {
      const { places } = this.run, low = Math.min(last(places, (place) => place[from] <= value), Math.max(0, places.length - 2));
      const a = places[low], b = places[low + 1] ?? a;
      const part = b[from] > a[from] ? Math.min(1, Math.max(0, (value - a[from]) / (b[from] - a[from]))) : 0;
      return a[to] + part * (b[to] - a[to]);
    }

    select(index) {
      this.at = Math.min(this.run.events.length - 1, Math.max(0, index));
      const [t, records] = this.run.events[this.at], [, doubt, , , , said, effect] = [...this.run.rows[this.at].cells].map((cell) => cell.textContent);
      // Another bench did the same some microseconds sooner or later.
      const same = (run) => this.run.parts === null || this.at < this.run.parts ? Math.max(t, run.points[records]?.[T] ?? t) : t;
      this.runs.forEach((run, i) => this.faces[i].show(i ? run.atTime(same(run)) : run.atEvent(this.at)));
      this.move(t, doubt);
      this.said.replaceChildren(made("b", {}, said), effect ? ": " + effect : "");
      const x = this.between(t, 0, 1), { scrollLeft, clientWidth } = this.slider;
      if (x < scrollLeft + 20 || x > scrollLeft + clientWidth - 20) this.slider.scrollLeft = x - clientWidth / 2;
      this.slider.setAttribute("aria-valuetext", `${seconds(t)}, ${said}`);
    }

    // The event under the pointer, else the instant.
    point(x) {
      const near = this.run.events.findIndex(([t]) => Math.abs(this.between(t, 0, 1) - x) < 5);
      if (near >= 0) return this.select(near);
      const t = Math.round(this.between(x, 1, 0));
      this.at = last(this.run.events, (event) => event[T] <= t);
      this.runs.forEach((run, i) => this.faces[i].show(run.atTime(t)));
      this.said.replaceChildren();
      this.move(t, "");
    }

    move(t, doubt) {
      this.cursor.setAttribute("transform", `translate(${this.between(t, 0, 1)})`);
      this.when.textContent = `true time ${seconds(t)} ${doubt}`;
      this.slider.setAttribute("aria-valuenow", this.at);
      this.run.rows.forEach((row, i) => row.classList.toggle("at", i === this.at));
    }
  }

  // Puts what is packed in a section into its place.
  async function unpack(section) {
    const packed = section.querySelector("[data-packed]");
    if (!packed) return;
    const bytes = Uint8Array.from(atob(packed.dataset.packed), (c) => c.charCodeAt(0));
    packed.removeAttribute("data-packed");
    section.unpacked = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
    packed.innerHTML = await section.unpacked;
  }
  async function open(section) {
    if (section.ready) return;
    section.ready = true;
    const others = section.dataset.beside.split(" ").filter(Boolean).map((id) => document.getElementById(id));
    for (const one of [section, ...others]) { await unpack(one); await one.unpacked; }
    if (section.querySelector(".scrub")) section.scrubber = new Scrubber(section, others);
  }
  document.addEventListener("toggle", ({ target }) => { if (target.open && target.matches("details.run")) open(target); }, true);

  // The filter hides rows of the table and runs below that lack any of its words.
  const box = document.getElementById("filter"), matches = document.getElementById("matches");
  const timed = document.querySelectorAll("#rates tbody tr");
  const runOf = (row) => document.getElementById(row.querySelector("a").hash.slice(1));
  const rows = [...document.querySelectorAll("#table tbody tr")].map((row) => ({ row, run: runOf(row), text: row.textContent.toLowerCase() }));
  function filter() {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { row, run, text } of rows) {
      row.hidden = run.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) shown++;
    }
    for (const row of timed) row.hidden = runOf(row).hidden;
    matches.textContent = words.length ? `${shown} of ${rows.length}` : "";
  }
  box.addEventListener("input", filter);
  for (const button of document.querySelectorAll("button.filter")) {
    button.addEventListener("click", () => { box.value = button.dataset.filter; filter(); box.scrollIntoView({ block: "start" }); });
  }

  // A link to something opens it and what it stands in.
  async function follow() {
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!place) return;
    for (let around = place.closest("details"); around; around = around.parentElement.closest("details")) {
      if (around.hidden) { box.value = ""; filter(); }
      around.open = true;
      if (around.matches("details.run")) await open(around);
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
