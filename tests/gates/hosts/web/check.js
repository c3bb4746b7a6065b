/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check.js OUT TOP: runs the page's own scripts in node, and compares frames with rocedump
 * --json, curves with the native build, bits with the specifications.
 */
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const vm = require("vm");
const domains = require("./domains.js");

const [out, top] = process.argv.slice(2);
let compared = 0, failed = 0;

function check(good, what) {
  compared++;
  if (good) return;
  failed++;
  if (failed <= 20) console.log(`FAILED: ${what.slice(0, 400)}`);
}

/* Returns the scripts that need no document, from the built page. */
function scripts() {
  const page = fs.readFileSync(path.join(out, "index.html"), "utf8");
  const whole = page.match(/<script>\n"use strict";\n([^]*)<\/script>/)[1];
  const text = whole.slice(0, whole.indexOf("/* packets.js"));
  const context = { WebAssembly, TextDecoder, TextEncoder, console, atob };
  vm.runInNewContext(text + ";this.page = {Library, framesOf, framesOfHex, domainText, bitsOfFrame, bytesOfBase64, ALGOS};", context);
  const wasm = page.match(/id="wasm">\s*([^<]*?)\s*<\/script>/)[1];
  return { ...context.page, wasm: context.page.bytesOfBase64(wasm) };
}

function lines(command, args) {
  return execFileSync(command, args, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] })
    .split("\n").slice(0, -1);
}

/* Compares each frame of a capture with rocedump and its options. The text must be the same. */
function frames(page, library, file, options = []) {
  const theirs = lines(path.join(out, "rocedump"), ["--json", ...options, file]);
  const ours = page.framesOf(new Uint8Array(fs.readFileSync(file)));
  check(ours.length === theirs.length, `${file}: ${ours.length} frames, rocedump has ${theirs.length}`);
  ours.forEach((frame, i) => {
    const text = library.decode(frame).trimEnd();
    check(text === theirs[i], `${file} ${i + 1}:\n  ${text}\n  ${theirs[i]}`);
  });
  return ours;
}

/* Compares captures of other kinds. Skips and names captures that rocedump refuses. */
function kinds(page, library, folder) {
  const left = [];
  let read = 0;
  for (const name of fs.readdirSync(folder).sort().filter((n) => /\.pcap(ng)?$/.test(n))) {
    const file = path.join(folder, name);
    try {
      lines(path.join(out, "rocedump"), ["--json", file]);
    } catch {
      left.push(name);
      continue;
    }
    frames(page, library, file);
    read++;
  }
  console.log(`web: ${read} captures of other kinds; rocedump refuses ${left.length}: ${left.join(" ")}`);
  check(read >= 20, "few captures of other kinds");
}

function curves(page, library) {
  const runs = [{}, { flows: 8, rtt: 50, link: 400, time: 4000 }, { flows: 2, rtt: 2, link: 10, time: 40000 },
    { flows: 6, k_min: 20, k_max: 40, eta: 80, beta: 100, g: 64 }];
  for (const algo of page.ALGOS)
    for (const values of runs) {
      const theirs = lines(path.join(out, "curves-native"), [algo, ...Object.entries(values).map(([n, v]) => `${n}=${v}`)]);
      const run = library.run(algo, values);
      const ours = [...run.rows.map((row) => [...row].join(" ")),
        `marks ${run.marks} cnps ${run.cnps} losses ${run.losses}`];
      check(ours.length === theirs.length, `${algo}: ${ours.length} samples`);
      ours.forEach((row, i) => check(row === theirs[i], `${algo} ${JSON.stringify(values)} sample ${i}: ${row}, native ${theirs[i]}`));
    }
}

/*
 * First bit, from the frame's start, and width, by RFC 8200, 768, 9197, IBTA A17, and
 * draft-ietf-ippm-ioam-data. Frame 20 of frame.pcap has Ethernet, IPv6, 48 bytes of Destination
 * Options with a Fast CNP and its trace, UDP, BTH.
 */
const UPPER = 8 * (14 + 40 + 48);
const LAYOUT = {
  "ether.dst": [0, 48], "ether.src": [48, 48], "ether.type": [96, 16],
  "ipv6.dscp": [116, 6], "ipv6.ecn": [122, 2], "ipv6.flow_label": [124, 20],
  "ipv6.payload_length": [144, 16], "ipv6.hop_limit": [168, 8], "ipv6.src": [176, 128], "ipv6.dst": [304, 128],
  "fastcnp.ioam.nodes[0].hop_limit": [8 * 78, 8], "fastcnp.ioam.nodes[0].node_id": [8 * 79, 24],
  "fastcnp.ioam.nodes[0].queue_depth": [8 * 82, 32], "fastcnp.ioam.nodes[1].hop_limit": [8 * 70, 8],
  "fastcnp.ioam.nodes[1].node_id": [8 * 71, 24], "fastcnp.ioam.nodes[1].queue_depth": [8 * 74, 32],
  "fastcnp.flow_dst": [8 * 86, 128],
  "udp.src_port": [UPPER, 16], "udp.dst_port": [UPPER + 16, 16], "udp.length": [UPPER + 32, 16], "udp.checksum": [UPPER + 48, 16],
  "bth.opcode": [UPPER + 64, 8], "bth.solicited": [UPPER + 72, 1], "bth.migreq": [UPPER + 73, 1], "bth.pad": [UPPER + 74, 2],
  "bth.tver": [UPPER + 76, 4], "bth.pkey": [UPPER + 80, 16], "bth.fecn": [UPPER + 96, 1], "bth.becn": [UPPER + 97, 1],
  "bth.resv6": [UPPER + 98, 6], "bth.dest_qp": [UPPER + 104, 24], "bth.ack_req": [UPPER + 128, 1], "bth.resv7": [UPPER + 129, 7],
  "bth.psn": [UPPER + 136, 24], "cnp.reserved": [UPPER + 160, 128], "icrc.value": [UPPER + 288, 32],
};

function layout(page, library, frame) {
  const { owner } = page.bitsOfFrame(library, frame);
  for (const [name, [from, width]] of Object.entries(LAYOUT)) {
    const bits = owner.flatMap((o, i) => (o?.path === name ? [i] : []));
    const right = bits.length === width && bits[0] === from && bits[width - 1] === from + width - 1;
    check(right, `${name}: ${bits.length} bits from ${bits[0]}, and not ${width} from ${from}`);
  }
}

/*
 * In a whole frame, a member must have as many bits as in its table, in one piece. Checks one
 * frame of each stack, or all with FULL.
 */
function widths(page, library, all) {
  const seen = new Set();
  let members = 0;
  for (const frame of all) {
    const { stack, status } = JSON.parse(library.decode(frame));
    if (status !== "ok" || (seen.has(stack.join()) && !process.env.FULL)) continue;
    seen.add(stack.join());
    const { owner } = page.bitsOfFrame(library, frame);
    const bitsOf = new Map();
    owner.forEach((o, i) => { if (o?.path) bitsOf.set(o.path, [...(bitsOf.get(o.path) ?? []), i]); });
    for (const [name, bits] of bitsOf) {
      const { bits: width } = library.member(name);
      if (width === 0) continue;
      members++;
      check(bits.length === width && bits[width - 1] - bits[0] === width - 1,
        `${stack.join()}: frame ${frame.number}: ${name} has ${bits.length} bits from ${bits[0]}, its table says ${width}`);
    }
  }
  return members;
}

async function main() {
  const page = scripts();
  check(WebAssembly.Module.imports(new WebAssembly.Module(page.wasm)).length === 0, "the wasm imports something");
  const library = await page.Library.of(page.wasm);
  let all = [];
  for (const name of fs.readdirSync(path.join(top, "vectors/pcap")).filter((n) => n.endsWith(".pcap")))
    all = all.concat(frames(page, library, path.join(top, "vectors/pcap", name)));
  console.log(`web: ${all.length} frames of vectors/pcap are what rocedump says`);
  kinds(page, library, path.join(out, "kinds"));
  domains(page, library, { out, top, check, compare: (file, options) => frames(page, library, file, options) });
  curves(page, library);
  const main = page.framesOf(new Uint8Array(fs.readFileSync(path.join(top, "vectors/pcap/frame.pcap"))));
  layout(page, library, main[19]);
  const members = widths(page, library, all);
  console.log(`web: ${Object.keys(LAYOUT).length} fields where they are drawn, ${members} as wide as their tables say`);
  const hex = page.framesOfHex("0x02 00:00-00\n0000\n\n0000  ff fe  ..\n");
  check(hex.length === 2 && [...hex[0].bytes].join() === "2,0,0,0,0,0" && [...hex[1].bytes].join() === "255,254", "hex");
  console.log(`web: ${compared} comparisons, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

main();
