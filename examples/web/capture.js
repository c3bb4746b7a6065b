/* SPDX-License-Identifier: BSD-2-Clause */
/* capture.js - parses pcap, pcapng and hex to a list of {link, number, time_ns, len, bytes}. */

const ETHERNET = 1;

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
    return { link: ETHERNET, number: i + 1, time_ns: 0n, len: bytes.length, bytes };
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
      link, number: frames.length + 1,
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

/* Returns an interface's link type, snap length, and if_tsresol and if_tsoffset. */
function interfaceOf(view, at, end, little) {
  const it = { link: view.getUint16(at + 8, little), snap: view.getUint32(at + 12, little), units: 1000000n, offset: 0n };
  for (let o = at + 16; o + 4 <= end;) {
    const code = view.getUint16(o, little), n = view.getUint16(o + 2, little);
    if (code === 0) break;
    const v = view.getUint8(o + 4);
    if (code === 9) it.units = v & 128 ? 2n ** BigInt(v & 127) : 10n ** BigInt(v);
    if (code === 14) it.offset = view.getBigInt64(o + 4, little);
    o += 4 + ((n + 3) & ~3);
  }
  return it;
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

function framesOfPcapng(data) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const frames = [];
  let little = true, interfaces = [];
  for (let at = 0; at < data.length;) {
    if (at + 12 > data.length) return cut(frames);
    if (view.getUint32(at) === 0x0a0d0d0a) {
      little = view.getUint32(at + 8, true) === 0x1a2b3c4d;
      interfaces = [];
    }
    const type = view.getUint32(at, little), size = view.getUint32(at + 4, little);
    if (size < 12 || size % 4 !== 0 || at + size > data.length) return cut(frames);
    if (type === 1) interfaces.push(interfaceOf(view, at, at + size - 4, little));
    if (type === 2 || type === 3 || type === 6) {
      const b = blockOf(view, at, size, little);
      const from = interfaces[b.which];
      const n = type === 3 ? Math.min(b.n, b.len, from?.snap || b.n) : b.n;
      if (from === undefined || b.from + n > size) throw new Error("a block of the file is broken");
      const units = (BigInt(b.high) << 32n) | BigInt(b.low);
      const time = type === 3 ? 0n : units * 1000000000n / from.units + from.offset * 1000000000n;
      frames.push({ link: from.link, number: frames.length + 1, len: b.len, time_ns: time,
        bytes: data.subarray(at + b.from, at + b.from + n) });
    }
    at += size;
  }
  return frames;
}

/* Reads a file. Its first bytes select the format. */
function framesOf(data) {
  if (data.length < 24) throw new Error("too short for a capture");
  const magic = new DataView(data.buffer, data.byteOffset).getUint32(0);
  if (magic === 0xa1b2c3d4) return framesOfPcap(data, false, 1000n);
  if (magic === 0xd4c3b2a1) return framesOfPcap(data, true, 1000n);
  if (magic === 0xa1b23c4d) return framesOfPcap(data, false, 1n);
  if (magic === 0x4d3cb2a1) return framesOfPcap(data, true, 1n);
  if (magic === 0x0a0d0d0a) return framesOfPcapng(data);
  throw new Error("neither pcap nor pcapng");
}
