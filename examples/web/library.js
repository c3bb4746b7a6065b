/* SPDX-License-Identifier: BSD-2-Clause */
/* library.js - the wasm's functions. Data passes through its memory, without imports. */

const ALGOS = ["dcqcn", "hpcc", "ldcp"];

class Library {
  static async of(bytes) {
    return new Library((await WebAssembly.instantiate(bytes, {})).instance);
  }

  constructor(instance) {
    this.c = instance.exports;
    this.given = null; /* the domain {name, text} of all frames, instead of their own */
    this.used = null; /* the text of the last domain, or undefined for the page's */
    this.settings = JSON.parse(this.text(this.c.settings()));
    this.kinds = new Map(JSON.parse(this.text(this.c.kinds())).map((k) => [k.name, k]));
  }

  text(n) {
    return new TextDecoder().decode(new Uint8Array(this.c.memory.buffer, this.c.text(), n));
  }

  /* Sets the domain of the frames that follow. Throws if the text is invalid. */
  useDomain(text) {
    if (text === this.used) return;
    this.used = null;
    this.c.domain_start(text === undefined);
    if (text !== undefined) setDomain(text, (line) => this.setMember(line));
    const why = this.text(this.c.domain_refused());
    if (why !== "") throw new Error(why);
    this.used = text;
  }

  /* Sets a member from NAME=VALUE. Returns "", or the reason why the line is refused. */
  setMember(line) {
    const bytes = new TextEncoder().encode(line + "\0");
    new Uint8Array(this.c.memory.buffer, this.c.room(), bytes.length).set(bytes);
    return this.text(this.c.domain_line());
  }

  /* Throws if the given domain is invalid, or otherwise a domain in the capture's comments. */
  checkDomains(frames) {
    const comments = (frames.domains ?? []).map((text) => ({ name: "comment", text }));
    for (const { name, text } of this.given ? [this.given] : comments) {
      try {
        this.useDomain(text);
      } catch (error) {
        throw new Error(`${name}: ${error.message}`);
      }
    }
  }

  /* Returns the rocedump --json text of a frame {link, iface, number, time_ns, len, bytes, domain}. */
  decode(frame, bytes = frame.bytes) {
    const most = Math.min(bytes.length, this.c.room_bytes());
    this.useDomain(this.given ? this.given.text : frame.domain);
    new Uint8Array(this.c.memory.buffer, this.c.room(), most).set(bytes.subarray(0, most));
    return this.text(this.c.decode(frame.link, frame.number, frame.time_ns, frame.len, most, frame.iface));
  }

  /* Runs an algorithm. Settings that are not in `values` have their defaults. */
  run(algo, values = {}) {
    this.settings.forEach((s, i) => this.c.set(i, values[s.name] ?? s.preset));
    const { samples, flows } = this.settings[0];
    const at = this.c.run(ALGOS.indexOf(algo));
    if (at === 0) return null;
    const all = new Uint32Array(this.c.memory.buffer, at, samples * (1 + flows)).slice();
    const rows = [];
    for (let i = 0; i < samples; i++)
      rows.push(all.subarray(i * (1 + flows), (i + 1) * (1 + flows)));
    return { rows, marks: this.c.count(0), cnps: this.c.count(1), losses: this.c.count(2) };
  }

  /* Returns a member's {unit, about, bits} from the tables. */
  member(path) {
    const names = path.split(".").filter((n) => n !== "inner").map((n) => n.replace(/\[\d+\]$/, ""));
    const kind = this.kinds.get(names[0]);
    const tail = names.slice(1).join(".");
    const last = names[names.length - 1];
    const of = (rows, name) => (rows || []).find((f) => f.name === name || f.name.replace(/\[\d+\]$/, "") === name);
    const none = { unit: "", about: "", bits: 0 };
    if (kind === undefined) return none;
    if (names.includes("nodes"))
      return of(kind.nodes || this.kinds.get(names[1])?.nodes, last) || none;
    return of(kind.fields, tail) || of(kind.inner, last) || none;
  }
}

function bytesOfBase64(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}
