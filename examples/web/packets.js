/* SPDX-License-Identifier: BSD-2-Clause */
/* packets.js - the page of packets, with a list, layers, the bit figure and bytes. */

const SAMPLES = [ /* capture, and its frames' numbers */
  ["sample-frame", [20, 1, 11, 10, 18, 21, 22, 5, 88, 132, 85, 25, 24]],
  ["sample-notify", [4, 3, 6, 9]]];
const FRAMES_MOST = 5000; /* maximum in the list */
const FIGURE_WORDS = 64; /* maximum rows of 32 bits */

const $ = (id) => document.getElementById(id);

function make(tag, attributes = {}, ...inside) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else e.setAttribute(name, value);
  }
  e.append(...inside);
  return e;
}

class Packets {
  constructor(library, changed) {
    this.library = library;
    this.changed = changed; /* called after a choice, for the fragment */
    this.frames = [];
    $("file").addEventListener("change", (e) => {
      this.openFiles([...e.target.files]);
      e.target.value = ""; /* so that the same file can be opened again */
    });
    $("domain").querySelector("button").addEventListener("click", () => this.removeDomain());
    $("sample").addEventListener("click", () => this.showSamples());
    $("read").addEventListener("click", () => this.readHex($("hex").value));
    $("frames").addEventListener("keydown", (e) => this.key(e));
    document.addEventListener("dragover", (e) => { e.preventDefault(); $("drop").classList.add("over"); });
    document.addEventListener("dragleave", () => $("drop").classList.remove("over"));
    document.addEventListener("drop", (e) => {
      e.preventDefault();
      $("drop").classList.remove("over");
      this.openFiles([...e.dataTransfer.files]);
    });
  }

  /* Shows the first capture of the files. The last domain file is in use from now on. */
  async openFiles(files) {
    const data = await Promise.all(files.map(async (file) => new Uint8Array(await file.arrayBuffer())));
    const texts = data.map(domainText);
    const domain = texts.findLastIndex((text) => text !== undefined), capture = texts.indexOf(undefined);
    if (domain >= 0) this.library.given = { name: files[domain].name, text: texts[domain] };
    if (capture >= 0) this.tryShow(() => framesOf(data[capture]), files[capture].name);
    else if (domain >= 0) this.showAgain();
  }

  removeDomain() {
    this.library.given = null;
    this.showAgain();
  }

  showAgain() {
    this.tryShow(this.read, this.name);
  }

  readHex(text) {
    this.tryShow(() => framesOfHex(text), "pasted");
  }

  showSamples() {
    this.tryShow(() => SAMPLES.flatMap(([id, numbers]) => {
      const all = framesOf(bytesOfBase64($(id).textContent.trim()));
      return numbers.map((n) => all[n - 1]);
    }).map((frame, i) => ({ ...frame, number: i + 1 })), "samples");
  }

  tryShow(read, name) {
    const { given } = this.library;
    this.read = read;
    this.name = name;
    $("domain").hidden = given === null;
    $("domain").querySelector("span").textContent = `Domain: ${given?.name}`;
    try {
      const frames = read();
      this.library.checkDomains(frames);
      const unread = frames.filter((f) => !this.library.c.link_known(f.link)).length;
      const known = frames.filter((f) => this.library.c.link_known(f.link));
      this.frames = known.slice(0, FRAMES_MOST);
      $("note").textContent = [`${name}: ${this.frames.length} frames`, frames.note,
        frames.domains?.length && !given ? "a comment sets the domain" : "",
        known.length > FRAMES_MOST ? `and ${known.length - FRAMES_MOST} more` : "",
        unread > 0 ? `${unread} of a link type that is not decoded here` : ""].filter(Boolean).join("; ");
    } catch (error) {
      this.frames = [];
      $("note").textContent = `${name}: ${error.message}`;
    }
    this.list();
    this.choose(0);
  }

  list() {
    $("frames").replaceChildren(...this.frames.map((frame, i) => {
      const o = JSON.parse(this.library.decode(frame));
      const good = o.status === "ok" && o.icrc?.ok !== false;
      return make("div", { class: "frame", role: "option", id: `frame-${i}`, onclick: () => this.choose(i) },
        make("span", {}, String(frame.number)), make("span", { title: o.stack.join(" ") }, summary(o)),
        make("small", { class: good ? "" : "bad" }, good ? `${frame.len} B` : word(o)));
    }));
  }

  key(e) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[e.key];
    if (step === undefined || this.frames.length === 0) return;
    e.preventDefault();
    this.choose(Math.max(0, Math.min(this.frames.length - 1, this.at + step)));
  }

  choose(i) {
    this.at = i;
    for (const e of $("frames").children) e.setAttribute("aria-selected", e.id === `frame-${i}`);
    $(`frame-${i}`)?.scrollIntoView({ block: "nearest" });
    $("frames").setAttribute("aria-activedescendant", `frame-${i}`);
    const frame = this.frames[i];
    for (const id of ["layers", "figure", "figure-of", "field", "bytes", "verdict"]) $(id).replaceChildren();
    if (frame === undefined) return;
    this.frame = frame;
    this.o = JSON.parse(this.library.decode(frame));
    this.bits = bitsOfFrame(this.library, frame);
    this.verdict();
    this.layers();
    this.bytes();
    const last = this.bits.layers.filter((l) => !/(^|\.)(icrc|cnp|payload)/.test(l.id)).pop();
    this.layer(last ? last.id : this.bits.layers[0]?.id);
    this.changed();
  }

  verdict() {
    const icrc = innermost(this.o).icrc;
    const says = icrc === undefined ? "no ICRC"
      : icrc.ok === true ? `ICRC is right (${icrc.value}, ${icrc.rule})`
      : icrc.ok === false ? `ICRC is wrong: ${icrc.value}, computed ${icrc.computed} (${icrc.rule})`
      : "ICRC was not compared";
    const bad = innermost(this.o).status !== "ok";
    $("verdict").append(
      make("b", { class: icrc?.ok === true ? "good" : icrc?.ok === false ? "bad" : "" }, says),
      ...(bad ? [make("div", { class: "bad" }, word(innermost(this.o)))] : []));
  }

  layers() {
    $("layers").append(...this.bits.layers.map((layer) => {
      const head = make("h3", { tabindex: 0, onclick: () => this.layer(layer.id),
        onkeydown: (e) => { if (e.key === "Enter") this.layer(layer.id); } }, layer.id);
      const rows = [...layer.fields].map(([path, value]) => this.row(layer.id, path, value));
      return make("div", { class: "layer", "data-layer": layer.id }, head, ...rows);
    }));
  }

  row(id, path, value) {
    const { unit, about } = this.library.member(path);
    const text = `${value === "" ? "-" : value}${unit ? " " + unit : ""}`;
    const light = () => this.light(id, path);
    return make("button", { class: "row", title: about, "data-path": path, onmouseenter: light, onfocus: light, onclick: light },
      make("span", {}, path.slice(id.length + 1)), make("span", {}, text));
  }

  /* Lights a field in the list, in its layer's figure, and in the bytes. */
  light(id, path) {
    if (id !== this.shown) this.layer(id);
    for (const e of document.querySelectorAll(".lit")) e.classList.remove("lit");
    for (const e of document.querySelectorAll(`[data-path="${path}"]`)) e.classList.add("lit");
    const bits = this.bits.owner.flatMap((o, bit) => (o?.path === path ? [bit] : []));
    for (const bit of bits) $(`byte-${bit >> 3}`).classList.add("lit");
    const { about } = this.library.member(path);
    const where = bits.length === 0 ? "no bits of its own"
      : `${bits.length} bit${bits.length > 1 ? "s" : ""} from byte ${bits[0] >> 3}${bits[0] & 7 ? `, bit ${bits[0] & 7}` : ""} of the frame`;
    $("field").replaceChildren(make("b", {}, path), ` = ${this.bits.fields.get(path) ?? this.bits.layers.find((l) => l.id === id).fields.get(path)}: `,
      `${about ? about + "; " : ""}${where}`);
    this.path = path;
  }

  /* Shows a layer's figure from its first bit to its last, including inner layers. */
  layer(id) {
    this.shown = id;
    for (const e of document.querySelectorAll(".layer")) e.classList.toggle("chosen", e.dataset.layer === id);
    const mine = this.bits.owner.flatMap((o, bit) => (o?.path?.startsWith(id + ".") || o?.ends === id ? [bit] : []));
    $("figure-of").textContent = mine.length === 0 ? `${id}: no bits of its own` : id;
    for (const e of document.querySelectorAll("#bytes .of")) e.classList.remove("of");
    for (const bit of mine) $(`byte-${bit >> 3}`).classList.add("of");
    $("figure").replaceChildren();
    if (mine.length === 0) return;
    const from = mine[0] & ~7, end = (mine[mine.length - 1] | 7) + 1;
    const ruler = make("div", { class: "word", "aria-hidden": "true" }, make("small"));
    for (let i = 0; i < 32; i++) ruler.append(make("span", { class: "ruler" }, i % 8 === 0 || i === 31 ? String(i) : ""));
    $("figure").append(ruler);
    for (let at = from; at < end && at < from + 32 * FIGURE_WORDS; at += 32)
      $("figure").append(this.word(id, at, Math.min(at + 32, end), from));
    if (end > from + 32 * FIGURE_WORDS) $("figure").append(`and ${(end - from) / 8 - 4 * FIGURE_WORDS} bytes more`);
  }

  word(id, at, end, from) {
    const word = make("div", { class: "word" }, make("small", {}, String((at - from) / 8)));
    for (let bit = at; bit < end;) {
      const o = this.bits.owner[bit];
      let n = 1;
      while (bit + n < end && same(this.bits.owner[bit + n], o)) n++;
      word.append(this.cell(id, o, n));
      bit += n;
    }
    return word;
  }

  cell(id, o, n) {
    const style = `grid-column: span ${n}`;
    if (!o?.path) return make("span", { class: "cell none", style, title: o?.ends ? "fixed: another value is another format" : "in no table" });
    const layer = this.bits.layers.filter((l) => l.fields.has(o.path)).pop();
    const name = o.path.slice(layer.id.length + 1), value = String(this.bits.fields.get(o.path));
    return make("button", { class: layer.id === id ? "cell" : "cell other", style, title: `${o.path} = ${value}`, "data-path": o.path, tabindex: -1,
      onmouseenter: () => this.lightHere(layer.id, o.path), onclick: () => this.light(layer.id, o.path) },
      n > 1 ? name.split(".").pop() : name.split(".").pop()[0], make("b", {}, shortOf(value, n)));
  }

  /* Lights a field under the pointer. The figure stays, even if the field is in an inner layer. */
  lightHere(id, path) {
    const was = this.shown;
    this.shown = id;
    this.light(id, path);
    this.shown = was;
  }

  bytes() {
    const out = document.createDocumentFragment();
    this.frame.bytes.forEach((byte, i) => {
      if (i % 16 === 0) out.append(make("i", {}, `${i === 0 ? "" : "\n"}${i.toString(16).padStart(4, "0")}  `));
      out.append(make("span", { id: `byte-${i}`, onclick: () => this.byte(i) }, byte.toString(16).padStart(2, "0")),
        i % 16 === 7 ? "  " : " ");
    });
    $("bytes").append(out);
  }

  byte(i) {
    const o = this.bits.owner.slice(8 * i, 8 * i + 8).find((b) => b?.path);
    if (!o) return;
    const layer = this.bits.layers.filter((l) => l.fields.has(o.path)).pop();
    this.light(layer.id, o.path);
  }
}

function same(a, b) {
  return (a?.path ?? null) === (b?.path ?? null) && (a?.ends ?? null) === (b?.ends ?? null);
}

/* Returns a value if it fits into a cell of this many bits, and otherwise "". */
function shortOf(value, bits) {
  if (value === "true" || value === "false") return value === "true" ? "1" : "0";
  return value.length <= Math.max(1, 2 * bits) ? value : "";
}

function innermost(o) {
  return o.inner ? innermost(o.inner) : o;
}

function word(o) {
  return o.status !== "ok" ? `${o.status} at ${o.at}` : "ICRC wrong";
}

/* Returns the most informative layers, the innermost last. */
function summary(o) {
  const names = o.stack.filter((n) => !["ether", "udp", "icrc", "payload", "dstopts", "hopopts"].includes(n));
  return names.join(" ") + (o.inner ? " | " + summary(o.inner) : "") || o.stack.join(" ");
}
