/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bits.js - finds the bits of each field. It inverts each bit of a frame, and compares the
 * decoder's results. So there is no table of formats here, and new fields need no change.
 */

const HEAD_BYTES = 320; /* examined in a longer frame, with its last 4 */
const DERIVED = /(^|\.)(ok|checksum_ok|computed|rule|odd)$/; /* follow from other bits */

/* Returns the layers, outermost first: {id, name, fields: Map of path to value}. */
function layersOf(o, prefix = "") {
  const seen = {};
  const layers = o.stack.map((name) => {
    const i = (seen[name] = (seen[name] ?? -1) + 1);
    const value = Array.isArray(o[name]) ? o[name][i] : o[name];
    const many = Array.isArray(o[name]) && o[name].length > 1;
    const id = prefix + name + (many ? `[${i}]` : "");
    const fields = new Map();
    flatten(value, id, fields);
    return { id, name, fields };
  });
  return o.inner ? layers.concat(layersOf(o.inner, prefix + "inner.")) : layers;
}

function flatten(value, path, fields) {
  if (Array.isArray(value)) value.forEach((v, i) => flatten(v, `${path}[${i}]`, fields));
  else if (value !== null && typeof value === "object")
    for (const name of Object.keys(value)) flatten(value[name], `${path}.${name}`, fields);
  else fields.set(path, value);
}

const recordOf = (path) => path.slice(0, path.lastIndexOf("."));
const isHex = (v) => typeof v === "string" && /^([0-9a-f]{2})+$/.test(v);

/* Returns true if two different values differ by one bit, or cannot be compared. */
function oneBit(a, b) {
  if (typeof a === "number" && typeof b === "number") {
    const x = BigInt.asUintN(64, BigInt(a) ^ BigInt(b));
    return (x & (x - 1n)) === 0n;
  }
  if (!isHex(a) || !isHex(b)) return true;
  if (a.length !== b.length) return false;
  let bits = 0;
  for (let i = 0; i < a.length; i++) {
    const x = parseInt(a[i], 16) ^ parseInt(b[i], 16);
    bits += (x & 1) + (x >> 1 & 1) + (x >> 2 & 1) + (x >> 3);
  }
  return bits === 1;
}

function allFields(layers) {
  const all = new Map();
  for (const layer of layers)
    for (const [path, value] of layer.fields)
      if (!DERIVED.test(path)) all.set(path, value);
  return all;
}

/*
 * Compares a decoding with one inverted bit. Returns the first field that changes, the fields
 * that change by one bit, and the layer where decoding ends.
 */
function changed(before, text) {
  const layers = layersOf(JSON.parse(text));
  const after = allFields(layers);
  const records = new Set([...after.keys()].map(recordOf)); /* a record may have lost a member */
  const paths = [...before.fields].filter(([path, value]) =>
    after.has(path) ? after.get(path) !== value : records.has(recordOf(path))).map(([path]) => path);
  const lone = paths.filter((path) => after.has(path) && oneBit(before.fields.get(path), after.get(path)));
  const ends = layers.length < before.layers.length ? before.layers[layers.length].id : undefined;
  return { first: paths[0], lone, ends };
}

/*
 * Returns the longest run of a field's bits, across bits that end decoding. Elsewhere a changed
 * length may shift another value into a field by chance.
 */
function homeOf(bits, found) {
  let best = [0, 0], from = bits[0];
  bits.forEach((bit, i) => {
    let next = bit + 1;
    while (next < bits[i + 1] && found[next]?.first === undefined && found[next]?.ends) next++;
    if (next === bits[i + 1]) return;
    if (bit + 1 - from > best[1] - best[0]) best = [from, bit + 1];
    from = bits[i + 1];
  });
  return best;
}

/*
 * Returns the field of a bit. If several fields show it (options and their content), it is the
 * smallest.
 */
function choose(bit, found, homes, fields) {
  const { first, lone } = found[bit];
  if (!isHex(fields.get(first))) return first;
  let best = first;
  const size = (path) => (homes.has(path) ? homes.get(path)[1] - homes.get(path)[0] : Infinity);
  for (const path of lone)
    if (homes.get(path)[0] <= bit && bit < homes.get(path)[1] && size(path) < size(best)) best = path;
  return best;
}

/* Returns {layers, owner: for each bit {path}, {ends: layer} or null, fields}. */
function bitsOfFrame(library, frame) {
  const layers = layersOf(JSON.parse(library.decode(frame)));
  const before = { layers, fields: allFields(layers) };
  const bytes = frame.bytes.slice();
  const found = new Array(8 * bytes.length).fill(null);
  const bitsOf = new Map();
  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    if (bit >= 8 * HEAD_BYTES && bit < 8 * (bytes.length - 4)) continue;
    bytes[bit >> 3] ^= 128 >> (bit & 7);
    found[bit] = changed(before, library.decode(frame, bytes));
    bytes[bit >> 3] ^= 128 >> (bit & 7);
    for (const path of found[bit].lone) {
      if (!bitsOf.has(path)) bitsOf.set(path, []);
      bitsOf.get(path).push(bit);
    }
  }
  const homes = new Map([...bitsOf].map(([path, bits]) => [path, homeOf(bits, found)]));
  const owner = found.map((f, bit) => {
    if (f?.first !== undefined) return { path: choose(bit, found, homes, before.fields) };
    return f?.ends === undefined ? null : { ends: f.ends };
  });
  mend(library, owner, found);
  return { layers, owner, fields: before.fields };
}

/*
 * If an inverted bit ends decoding, and only an outer layer has the bit, assigns it to the
 * field on both sides, or to the adjacent field if the field's table says that it is wider.
 */
function mend(library, owner, found) {
  const bitsOf = new Map();
  owner.forEach((o, bit) => {
    if (o?.path) bitsOf.set(o.path, [...(bitsOf.get(o.path) ?? []), bit]);
  });
  for (const [path, bits] of bitsOf) {
    const { bits: width } = library.member(path);
    if (width === 0) continue;
    const free = (bit) => owner[bit] && owner[bit].path !== path && found[bit].ends !== undefined &&
      (owner[bit].ends !== undefined || library.member(owner[bit].path).bits === 0);
    let from = bits[0], end = bits[bits.length - 1] + 1;
    for (let bit = from; bit < end; bit++) if (free(bit)) owner[bit] = { path };
    while (end - from < width && free(from - 1)) owner[--from] = { path };
    while (end - from < width && free(end)) owner[end++] = { path };
  }
}
