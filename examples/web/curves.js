/* SPDX-License-Identifier: BSD-2-Clause */
/* curves.js - the page of curves, with sliders from the library's table and two charts. */

const LEFT = 52, RIGHT = 14;
const NAMES = { dcqcn: "DCQCN", hpcc: "HPCC++", ldcp: "LDCP" };

/* Returns a round number of at least v / steps: 1, 2 or 5 and zeros. */
function roundStep(v, steps) {
  const raw = v / steps, ten = 10 ** Math.floor(Math.log10(raw));
  return ten * [1, 2, 5, 10].find((m) => m * ten >= raw);
}

const show = (v) => (v >= 100 ? v.toFixed(0) : v >= 10 ? v.toFixed(1) : v.toFixed(2));

/* Draws lines over one time axis: {title, unit, wide, high, lines: [[values, color]], ms}. */
function chart(c) {
  const base = c.high - 26, top = 24;
  const most = Math.max(1e-9, ...c.lines.flatMap(([values]) => values));
  const step = roundStep(most, 4), end = Math.ceil(most / step - 0.02) * step; /* 2 % of a step may stand out */
  const x = (ms) => LEFT + (c.wide - LEFT - RIGHT) * ms / c.ms;
  const y = (v) => base - (base - top) * v / end;
  const parts = [`<text class="title" x="0" y="13">${c.title}, ${c.unit}</text>`];
  for (let v = 0; v <= end * 1.0001; v += step)
    parts.push(`<line class="grid" x1="${LEFT}" x2="${c.wide - RIGHT}" y1="${y(v)}" y2="${y(v)}"/>`,
      `<text x="${LEFT - 6}" y="${y(v) + 4}" text-anchor="end">${+v.toPrecision(4)}</text>`);
  const tick = roundStep(c.ms, c.wide / 90);
  for (let ms = 0; ms <= c.ms * 1.0001; ms += tick)
    parts.push(`<text x="${x(ms)}" y="${c.high - 8}" text-anchor="${ms > c.ms * 0.97 ? "end" : "middle"}">${+ms.toPrecision(4)}${ms === 0 ? " ms" : ""}</text>`);
  for (const [values, color] of c.lines) {
    const d = values.map((v, i) => `${i === 0 ? "M" : "L"}${x((i + 0.5) * c.ms / values.length).toFixed(1)} ${y(v).toFixed(1)}`);
    parts.push(`<path d="${d.join("")}" style="stroke:var(--${color})"/>`);
  }
  parts.push(`<line class="at" y1="${top}" y2="${base}"/>`);
  return `<svg viewBox="0 0 ${c.wide} ${c.high}" role="img" aria-label="${c.title} in ${c.unit} over time in ms">${parts.join("")}</svg>`;
}

class Curves {
  constructor(library, changed) {
    this.library = library;
    this.changed = changed;
    this.algo = "dcqcn";
    this.values = {};
    for (const algo of ALGOS)
      $("algo").append(make("button", { "aria-pressed": "false", "data-algo": algo, onclick: () => this.set(algo, this.values) }, NAMES[algo]));
    $("defaults").addEventListener("click", () => this.set(this.algo, {}));
    $("cursor").addEventListener("input", () => this.numbers());
    for (const id of ["rate", "queue"]) $(id).addEventListener("mousemove", (e) => this.point(e, $(id)));
  }

  /* Sets values from a fragment. Ignores values outside their ranges. */
  set(algo, values) {
    this.algo = ALGOS.includes(algo) ? algo : "dcqcn";
    this.values = {};
    for (const s of this.library.settings) {
      const v = Number(values[s.name]);
      if (values[s.name] !== undefined && v >= s.least && v <= s.most && v !== s.preset)
        this.values[s.name] = Math.round(v);
    }
    for (const e of $("algo").querySelectorAll("button"))
      e.setAttribute("aria-pressed", e.dataset.algo === this.algo);
    $("sliders").replaceChildren(...this.library.settings
      .filter((s) => s.whose === "all" || s.whose === this.algo).map((s) => this.slider(s)));
    this.draw();
  }

  slider(s) {
    const value = this.values[s.name] ?? s.preset;
    const said = make("output", {}, `${value} ${s.unit}`);
    const input = make("input", { type: "range", min: s.least, max: s.most, step: s.step, id: `set-${s.name}`,
      "aria-label": `${s.name}: ${s.words}`, oninput: () => {
        this.values[s.name] = Number(input.value);
        if (this.values[s.name] === s.preset) delete this.values[s.name];
        said.textContent = `${input.value} ${s.unit}`;
        this.soon();
      } });
    input.value = value;
    return make("label", { class: "slider" }, make("span", {}, make("b", {}, s.name.replace("_", " ")), ` ${s.words}`), said, input);
  }

  soon() {
    if (this.waits) return;
    this.waits = true;
    requestAnimationFrame(() => { this.waits = false; this.draw(); });
  }

  value(name) {
    return this.values[name] ?? this.library.settings.find((s) => s.name === name).preset;
  }

  draw() {
    const run = this.library.run(this.algo, this.values);
    $("totals").textContent = run === null ? "These settings do not go together." : "";
    this.run = run;
    if (run === null) return;
    const ms = this.value("time") / 1000, flows = this.value("flows");
    const seconds = ms / 1000 / run.rows.length;
    this.ms = ms;
    this.rates = [];
    for (let i = 0; i < flows; i++) this.rates.push(run.rows.map((row) => row[1 + i] * 8 / seconds / 1e9));
    this.queue = run.rows.map((row) => row[0] / 1000);
    this.wide = $("rate").clientWidth || 860;
    $("rate").innerHTML = chart({ title: "Rate of each flow", unit: "Gb/s", wide: this.wide, high: 290, ms,
      lines: this.rates.map((values, i) => [values, `flow${i + 1}`]) });
    $("queue").innerHTML = chart({ title: "Queue", unit: "KB", wide: this.wide, high: 170, ms, lines: [[this.queue, "ink"]] });
    if (this.size !== run.rows.length) {
      this.size = run.rows.length;
      $("cursor").max = this.size - 1;
      $("cursor").value = Math.round(this.size * 0.59);
    }
    $("totals").textContent = `In the whole run: ${run.marks} packets marked, ${run.cnps} CNPs, ${run.losses} packets dropped.`;
    this.numbers();
    this.changed();
  }

  point(e, chartOf) {
    const box = chartOf.getBoundingClientRect();
    const at = ((e.clientX - box.left) / box.width * this.wide - LEFT) / (this.wide - LEFT - RIGHT);
    $("cursor").value = Math.max(0, Math.min(this.size - 1, Math.floor(at * this.size)));
    this.numbers();
  }

  /* Shows the curves' values at the cursor. */
  numbers() {
    const i = Number($("cursor").value), at = (i + 0.5) * this.ms / this.size;
    const x = LEFT + (this.wide - LEFT - RIGHT) * at / this.ms;
    for (const line of document.querySelectorAll("svg .at")) {
      line.setAttribute("x1", x);
      line.setAttribute("x2", x);
    }
    const key = (color) => make("span", { class: "key", style: `background:var(--${color})` });
    const head = make("tr", {}, make("th", {}, "at"), ...this.rates.map((_, k) => make("th", {}, key(`flow${k + 1}`), `flow ${k + 1}`)),
      make("th", {}, "sum"), make("th", {}, key("ink"), "queue"));
    const sum = this.rates.reduce((s, values) => s + values[i], 0);
    const row = make("tr", {}, make("th", {}, `${show(at)} ms`), ...this.rates.map((values) => make("td", {}, show(values[i]))),
      make("td", {}, `${show(sum)} Gb/s`), make("td", {}, `${show(this.queue[i])} KB`));
    $("numbers").replaceChildren(head, row);
  }
}
