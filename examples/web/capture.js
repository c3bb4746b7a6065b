/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture.js - parses pcap, pcapng and hex to a list of {link, iface, number, time_ns, len, bytes}.
 * `iface` counts interfaces through all sections. `domain` is the text in the section's comment.
 */

const ETHERNET = 1;
const SECTION = 0x0a0d0d0a; /* the same in both byte orders */
const INTERFACES_MOST = 65536; /* per section */

/* Parses hex digits with any spaces. Skips 0x, and the offsets and text columns of a dump. */
function bytesOfHex(text) {
  const lines = text.split("\n").map((line) =>
    line.replace(/^\s*[0-9a-fA-F]{3,8}(:\s*|\s\s+)(?=[0-9a-fA-F]{2})/, "")
      .replace(/\s{2,}\S.*[^0-9a-fA-F\s].*$/, "").replace(/0x/gi, ""));
  const digits = lines.join("").replace(/[\s:,-]/g, "");
  if (digits === "") throw new Error("no bytes there");
  const wrong = digits.search(/[^0-9a-fA-F]/);
  if (wrong >= 0) throw new Error(`"${digits[wrong]}" is no hex digit`);
  if (digits.length % 2 !== 0) throw new Error("half a byte is left over");
  return Uint8Array.from(digits.match(/../g), (d) => parseInt(d, 16));
}

/* Parses frames, separated by blank lines. */
function framesOfHex(text) {
  return text.split(/\n\s*\n/).filter((part) => part.trim() !== "").map((part, i) => {
    const bytes = bytesOfHex(part);
    return { link: ETHERNET, iface: 0, number: i + 1, time_ns: 0n, len: bytes.length, bytes };
  });
}

function framesOfPcap(data, little, unitNs) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const u32 = (at) => view.getUint32(at, little);
  const link = u32(20) & 0xffff;
  const frames = [];
  for (let at = 24; at < data.length;) {
    if (at + 16 > data.length) return cut(frames);
    const n = u32(at + 8);
    if (at + 16 + n > data.length) return cut(frames);
    frames.push({
      link, iface: 0, number: frames.length + 1,
      time_ns: BigInt(u32(at)) * 1000000000n + BigInt(u32(at + 4)) * unitNs,
      len: u32(at + 12), bytes: data.subarray(at + 16, at + 16 + n),
    });
    at += 16 + n;
  }
  return frames;
}

function cut(frames) {
  frames.note = `the file is cut after frame ${frames.length}`;
  return frames;
}

/* Returns the options {code, at, n} of a block, from its first option to its last length. */
function optionsOf(view, first, end, little) {
  const options = [];
  for (let at = first; at + 4 <= end;) {
    const code = view.getUint16(at, little), n = view.getUint16(at + 2, little);
    at += 4;
    if (code === 0) break;
    if (n > end - at) throw new Error("an option is longer than its block");
    options.push({ code, at, n });
    at += (n + 3) & ~3;
  }
  return options;
}

/* Returns an interface's link type, snap length, and if_tsresol and if_tsoffset. */
function interfaceOf(view, at, end, little) {
  const it = { link: view.getUint16(at + 8, little), snap: view.getUint32(at + 12, little), units: 1000000n, offset: 0n };
  for (const o of optionsOf(view, at + 16, end, little)) {
    const v = view.getUint8(o.at);
    if (o.code === 9 && o.n >= 1) it.units = v & 128 ? 2n ** BigInt(v & 127) : 10n ** BigInt(v);
    if (o.code === 14 && o.n >= 8) it.offset = view.getBigInt64(o.at, little);
  }
  return it;
}

/* Returns the domains in the comments of a section header. */
function domainsOf(data, view, at, end, little) {
  return optionsOf(view, at + 24, end, little).filter((o) => o.code === 1)
    .map((o) => domainText(data.subarray(o.at, o.at + o.n))).filter((text) => text !== undefined);
}

/* Returns a frame block's interface, time, captured and original length, and data offset. */
function blockOf(view, at, size, little) {
  const u32 = (i) => view.getUint32(at + i, little);
  const times = { high: 0, low: 0 };
  if (u32(0) === 3) return { which: 0, ...times, n: size - 16, len: u32(8), from: 12 };
  times.high = u32(12);
  times.low = u32(16);
  const which = u32(0) === 6 ? u32(8) : view.getUint16(at + 8, little);
  return { which, ...times, n: u32(20), len: u32(24), from: 28 };
}

/* Starts a section. The last domain in its comments is the domain of its frames. */
function startSection(s, at, end) {
  const domains = domainsOf(s.data, s.view, at, end, s.little);
  s.frames.domains.push(...domains);
  s.domain = domains.pop();
  s.ifacesBefore += s.interfaces.length;
  s.interfaces = [];
}

function addInterface(s, at, end) {
  if (s.interfaces.length === INTERFACES_MOST)
    throw new Error(`a section has more than ${INTERFACES_MOST} interfaces`);
  s.interfaces.push(interfaceOf(s.view, at, end, s.little));
}

function addFrame(s, type, at, size) {
  const b = blockOf(s.view, at, size, s.little);
  const from = s.interfaces[b.which];
  const n = type === 3 ? Math.min(b.n, b.len, from?.snap || b.n) : b.n;
  if (from === undefined || b.from + n > size) throw new Error("a block of the file is broken");
  const units = (BigInt(b.high) << 32n) | BigInt(b.low);
  const time = type === 3 ? 0n : units * 1000000000n / from.units + from.offset * 1000000000n;
  s.frames.push({ link: from.link, iface: s.ifacesBefore + b.which, number: s.frames.length + 1,
    len: b.len, time_ns: time, bytes: s.data.subarray(at + b.from, at + b.from + n), domain: s.domain });
}

/* Returns the frames. The list's member `domains` has the domains of all comments. */
function framesOfPcapng(data) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const s = { data, view, little: true, interfaces: [], ifacesBefore: 0, frames: [] };
  s.frames.domains = [];
  for (let at = 0; at < data.length;) {
    if (at + 12 > data.length) return cut(s.frames);
    if (view.getUint32(at) === SECTION) s.little = view.getUint32(at + 8, true) === 0x1a2b3c4d;
    const type = view.getUint32(at, s.little), size = view.getUint32(at + 4, s.little);
    if (size < 12 || size % 4 !== 0 || at + size > data.length) return cut(s.frames);
    if (type === SECTION) startSection(s, at, at + size - 4);
    if (type === 1) addInterface(s, at, at + size - 4);
    if (type === 2 || type === 3 || type === 6) addFrame(s, type, at, size);
    at += size;
  }
  return s.frames;
}

/* Reads a file. Its first bytes select the format. */
function framesOf(data) {
  if (data.length < 24) throw new Error("too short for a capture");
  const magic = new DataView(data.buffer, data.byteOffset).getUint32(0);
  if (magic === 0xa1b2c3d4) return framesOfPcap(data, false, 1000n);
  if (magic === 0xd4c3b2a1) return framesOfPcap(data, true, 1000n);
  if (magic === 0xa1b23c4d) return framesOfPcap(data, false, 1n);
  if (magic === 0x4d3cb2a1) return framesOfPcap(data, true, 1n);
  if (magic === SECTION) return framesOfPcapng(data);
  throw new Error("neither pcap nor pcapng");
}
