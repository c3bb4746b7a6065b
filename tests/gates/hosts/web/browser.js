/* SPDX-License-Identifier: BSD-2-Clause */
/* browser.js OUT: compares drive.js's results in Chromium with rocedump and the native run. */
"use strict";
const assert = require("assert");
const { execFileSync } = require("child_process");
const fs = require("fs");

const out = process.argv[2];
const dom = fs.readFileSync(`${out}/driven.html`, "utf8");
const found = dom.match(/<pre id="seen">([^<]*)<\/pre>/);
assert(found, "the page did not get to its end");
const seen = JSON.parse(found[1].replace(/&gt;/g, ">").replace(/&lt;/g, "<").replace(/&amp;/g, "&"));

const frames = execFileSync(`${out}/rocedump`, ["--json", "vectors/pcap/frame.pcap"], { encoding: "utf8", maxBuffer: 1 << 26 })
  .trim().split("\n").map((line) => JSON.parse(line));
const cnp = frames[8]; /* cnp6 */

assert.strictEqual(seen.samples, 17);
assert.strictEqual(seen.dropped, `frame.pcap: ${frames.length} frames`);
assert.strictEqual(seen.chosen, "9");
assert.strictEqual(seen.verdict, `ICRC is right (${cnp.icrc.value}, ${cnp.icrc.rule})`);
assert.deepStrictEqual(seen.layers, cnp.stack);
for (const name of Object.keys(cnp.bth)) {
  const row = seen.rows.find(([path]) => path === `bth.${name}`);
  assert.strictEqual(row[1].split(" ")[0], String(cnp.bth[name]), name);
}
/* The BTH is at byte 62, the QP in its bytes 5 to 7. */
const qp = cnp.bth.dest_qp.toString(16).padStart(6, "0").match(/../g);
assert.deepStrictEqual(seen.lit, qp.map((byte, i) => [`byte-${67 + i}`, byte]));
assert.deepStrictEqual(seen.cells, ["bth.dest_qp"]);
assert(seen.field.includes("24 bits from byte 67"), seen.field);
assert.strictEqual(seen.long, 65000);
assert(seen["hex zz"].includes("no hex digit"), seen["hex zz"]);
assert.strictEqual(seen["hex 00"], "pasted: 1 frames");

/* The first frame is a CNP on RoCEv2's port. */
assert.deepStrictEqual(seen.given, { domain: "Domain: net.domain", note: seen.dropped,
  layers: ["ether", "ipv4", "udp"], hex: false });
assert.deepStrictEqual(seen.bad, { domain: "Domain: bad.domain",
  note: "frame.pcap: bad.domain: line 2: ah=2: expected 0 or 1", layers: [], hex: false });
assert.deepStrictEqual(seen.removed, { domain: "", note: seen.dropped, layers: frames[0].stack, hex: true });
assert.strictEqual(seen.good, "good.pcapng: 0 frames; a comment sets the domain");
assert.strictEqual(seen.wrong, "wrong.pcapng: comment: line 2: ah=2: expected 0 or 1");

/* The numbers at bin 100 of 400, of 50 us each, from bytes to Gb/s. */
for (const [algo, cells] of Object.entries(seen.curves)) {
  const row = execFileSync(`${out}/curves-native`, [algo], { encoding: "utf8" }).split("\n")[100].split(" ").map(Number);
  const near = (text, v) => assert(Math.abs(parseFloat(text) - v) <= 0.006 * Math.max(1, v), `${algo}: ${text}, native ${v}`);
  for (let i = 0; i < 4; i++) near(cells[i], row[1 + i] * 8 / 50e3);
  near(cells[5], row[0] / 1000);
}
assert.strictEqual(seen.paths, 2);
assert(/tab=curves/.test(seen.hash) && /flows=2/.test(seen.hash), seen.hash);
assert(seen.wide <= 0, `the page is ${seen.wide} px too wide`);
console.log("web: in Chromium, a drop, keys, a field, hex, domains, three algorithms and a slider do what they say");
