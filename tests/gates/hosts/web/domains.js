/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * domains.js: compares the page with rocedump for domains in the comments of pcapng sections, and
 * for domain files. It writes its captures to OUT/domains.
 */
"use strict";
const { spawnSync } = require("child_process");
const fs = require("fs");
const path = require("path");

const WORDS = "# The domain of a network\n";
const INTERFACES_MOST = 65536; /* per section */

/* An ACK with an echo of INT-MD, as cclab writes it. Only roce.echo_bytes makes it readable. */
const ECHO = Buffer.from("02000000000402000000000286dd6c0000000044114020010db8000000000000" +
  "00000000000220010db8000000000000000000000001e78d12b7004400001100ffff000000120000000100000000" +
  "1200000920000603d50000000000000000000004ffff0002ff000000000000e8d4a51995000000003d9aacfe", "hex");

/* Returns functions that write blocks of pcapng in one byte order. */
function writerOf(little) {
  const number = (bits, v) => {
    const bytes = Buffer.alloc(bits / 8);
    bytes[`writeUInt${bits}${little ? "LE" : "BE"}`](v);
    return bytes;
  };
  const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
  const block = (type, ...parts) => {
    const body = padded(Buffer.concat(parts)), size = number(32, body.length + 12);
    return Buffer.concat([number(32, type), size, body, size]);
  };
  const comment = (text) => [number(16, 1), number(16, text.length), padded(Buffer.from(text, "latin1"))];
  return {
    header: (comments) => block(0x0a0d0d0a, number(32, 0x1a2b3c4d), number(16, 1), number(16, 0),
      Buffer.alloc(8, 255), ...comments.flatMap(comment)),
    interface: (link) => block(1, number(16, link), number(16, 0), number(32, 0)),
    frame: (i, bytes) => block(6, ...[i, 0, 0, bytes.length, bytes.length].map((v) => number(32, v)), bytes),
    old: (i, bytes) => block(2, number(16, i), number(16, 0),
      ...[0, 0, bytes.length, bytes.length].map((v) => number(32, v)), bytes),
    simple: (bytes) => block(3, number(32, bytes.length), bytes),
  };
}

/* Returns a section with comments, interfaces of some link types, and frames [interface, bytes]. */
function section({ little = true, comments = [], links = [1], frames = [] }) {
  const write = writerOf(little);
  return Buffer.concat([write.header(comments), ...links.map(write.interface),
    ...frames.map(([i, bytes]) => write.frame(i, bytes))]);
}

module.exports = (page, library, { out, top, check, compare }) => {
  const folder = path.join(out, "domains");
  const rocedump = (...args) => spawnSync(path.join(out, "rocedump"), args, { encoding: "utf8", maxBuffer: 1 << 28 });
  const print = (...members) => rocedump("--print-domain", ...members.flatMap((m) => ["--config", m])).stdout;
  const stack = (frame) => JSON.parse(library.decode(frame)).stack.join(" ");
  const samples = page.framesOf(new Uint8Array(fs.readFileSync(path.join(top, "vectors/pcap/frame.pcap"))))
    .map((frame) => Buffer.from(frame.bytes));
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder);

  function write(name, data) {
    fs.writeFileSync(path.join(folder, name), data);
    return path.join(folder, name);
  }

  /* Returns the reason why the page does not decode a capture, or "". */
  function refusal(read) {
    try {
      library.checkDomains(read());
      return "";
    } catch (error) {
      return error.message;
    }
  }

  /* Writes a capture, and compares the frames of the page and rocedump. */
  function same(name, data, args = []) {
    const file = write(name, data);
    const why = refusal(() => page.framesOf(new Uint8Array(data)));
    check(why === "", `${name}: the page says ${why}`);
    return why === "" ? compare(file, args) : [];
  }

  /* A comment turns on INT-MD and echoes, and the bits of their fields are found. */
  function formats() {
    const domain = print("intmd.udp_port=5000", "roce.echo_bytes=184");
    const all = [...samples, ECHO].map((bytes) => [0, bytes]);
    const found = same("formats.pcapng", section({ comments: [domain], frames: all }));
    const echo = found[found.length - 1];
    check(stack(echo) === "ether ipv6 udp bth aeth echo icrc", `echo: ${stack(echo)}`);
    check(found.some((frame) => stack(frame).includes("intmd")), "no frame has INT-MD");
    const { owner } = page.bitsOfFrame(library, echo);
    const bits = owner.flatMap((o, i) => (o?.path === "echo.nodes[0].node_id" ? [i] : []));
    check(bits.length === 32 && bits[0] === 8 * (14 + 40 + 8 + 12 + 4 + 4 + 12),
      `node_id: ${bits.length} bits from ${bits[0]}`);
  }

  /* Each section has its own domain and interfaces. The sections without a comment follow others. */
  function sections() {
    const [cnp, ifa] = [samples[0], samples[129]];
    const frames = [[1, cnp], [0, ifa], [1, samples[87]]];
    const port = print("rocev2_port=4000"), tags = print("csig.compact_tpid=0", "ifa.protocol=0");
    const found = same("sections.pcapng", Buffer.concat([
      section({ comments: ["by hand", port, `not ${tags}`], links: [1, 1, 101], frames }),
      section({ comments: [], links: [1, 1], frames }),
      section({ little: false, comments: [port, tags], links: [1, 1], frames }),
      section({ comments: [WORDS], links: [1, 1, 1], frames }),
      section({ comments: [print("tag.vlan_tpid=0")], links: [], frames: [] }),
      section({ little: false, comments: [`${WORDS}link=ip\n`], links: [101, 1],
        frames: [[1, cnp.subarray(14)], [0, cnp.subarray(14)]] }),
      writerOf(true).header([]), writerOf(true).interface(1), writerOf(true).interface(1),
      writerOf(true).simple(ifa), writerOf(true).old(1, cnp)]));
    const stacks = found.map(stack);
    check(stacks[0] === "ether ipv4 udp" && stacks[3] === "ether ipv4 udp bth cnp icrc", `leaks: ${stacks[0]}, ${stacks[3]}`);
    check(stacks[4].includes("ifa") && !stacks[7].includes("ifa"), `IFA: ${stacks[4]}, ${stacks[7]}`);
    check(stacks[12] === "ipv4 udp bth cnp icrc", `IP first: ${stacks[12]}`);
    check(found.map((frame) => frame.iface).join() === "1,0,1,4,3,4,6,5,6,8,7,8,11,10,12,13",
      `interfaces: ${found.map((frame) => frame.iface).join()}`);
    found.slice().reverse().forEach((frame, i) => { /* as a user selects frames */
      check(stack(frame) === stacks[stacks.length - 1 - i], `backwards: frame ${frame.number}`);
    });
  }

  /* Frames in a row with the same domain set it once. */
  function cheap() {
    const part = (port) => section({ comments: [print(`rocev2_port=${port}`)], frames: samples.map((b) => [0, b]) });
    const found = page.framesOf(new Uint8Array(Buffer.concat([part(4000), part(4001)])));
    const { c } = library;
    let starts = 0;
    library.useDomain(undefined);
    library.c = { ...c, domain_start: (preset) => { starts++; c.domain_start(preset); } };
    for (const frame of found) library.decode(frame);
    page.bitsOfFrame(library, found[found.length - 1]);
    library.c = c;
    check(starts === 2, `the domain was set ${starts} times for two sections`);
  }

  /* The lines of a domain are valid for the page if, and only if, they are valid for rocedump. */
  function lines() {
    const marker = samples[0].subarray(42, 50).toString("hex"); /* the first bytes after UDP */
    const all = ["rocev2_port=4000", "rocev2_port=0xfa0", "rocev2_port=0xFA0", "rocev2_port=65536", "rocev2_port=",
      "rocev2_port= 4000", "rocev2_port =4000", "rocev2_port=4000=1", "rocev2_port=-1", "rocev2_port", "=1", "frame.ip_first=1",
      "ah=1", "ah=2", "link=ip", "link=IP", "ifa.tail=newest_last", "ifa.tail=2", "no.such=1", "\x1b[31m\xe9=1", "ah=\xe9",
      `intmd.probe_marker=${marker}`, "intmd.probe_marker=0123456789ABCDEF", "intmd.probe_marker=00112233445566778",
      `intmd.source_words=${"0f".repeat(16)}`, "intmd.source_words=0f", "l3qcn.cnm.station=02:00:00:00:00:01",
      "l3qcn.cnm.station=02:00:00:00:00", "l3qcn.cnm.station=02:00:00:00:00:0x", "l3qcn.cnm.station=02:00:00:00:00:01:",
      "arn.versions=3\narn.bit_order=lsb", "arn.family=5", "arn.port=5000\narn.family=5", "ah=1\nah=1", "ah=1\n\n# ah=0\n \t\n",
      " \tah=1 \t\r\nlink=ether\r", "ah=1\0", "\fah=1", `#${"x".repeat(254)}`, `#${"x".repeat(255)}`, `${" ".repeat(251)}ah=1`,
      "l3qcn.port=4791", "intmd.dscp_mask=255", "roce.echo_bytes=7", "overlay.vxlan_port=4789", "csig.compact_tpid=2048",
      "rocev2_port=5000\nintmd.udp_port=5000", "fastcnp.type_plain=1", "ifa.protocol=253", "ifa.protocol=6\nifa.layout_a=2"];
    let valid = 0;
    all.forEach((line, i) => {
      const data = section({ comments: [WORDS + line], frames: [[0, samples[0]], [0, samples[87]]] });
      const { status, stderr } = rocedump("--json", write(`line${i}.pcapng`, data));
      const why = refusal(() => page.framesOf(new Uint8Array(data)));
      check((status === 0) === (why === ""), `${JSON.stringify(line)}: the page says "${why}", rocedump ${stderr}`);
      check(stderr.includes(why), `${JSON.stringify(line)}: the page says "${why}", and not ${stderr}`);
      if (status !== 0) return;
      valid++;
      same(`line${i}.pcapng`, data);
    });
    check(valid >= 15 && all.length - valid >= 30, `${valid} of ${all.length} domains are valid`);
  }

  /* An invalid comment refuses the whole file, also in a section without frames. */
  function invalid() {
    const good = section({ comments: [print("rocev2_port=4000")], frames: [[0, samples[0]]] });
    const bad = `${WORDS}roce.rd=2\n`;
    const files = { last: section({ comments: [bad] }),
      before: section({ comments: [bad, print()], frames: [[0, samples[0]]] }) };
    for (const [name, rest] of Object.entries(files)) {
      const data = Buffer.concat([good, rest, good]);
      const { status, stderr } = rocedump("--json", write(`invalid-${name}.pcapng`, data));
      const why = refusal(() => page.framesOf(new Uint8Array(data)));
      check(status !== 0 && why === "comment: line 2: roce.rd=2: expected 0 or 1", `invalid ${name}: ${why}; ${stderr}`);
    }
    const whole = page.framesOf(new Uint8Array(good))[0];
    check(stack(whole) === "ether ipv4 udp", "a valid domain does not work after an invalid one");
  }

  /* A domain file is in use instead of the page's domain and of all comments, as with --domain. */
  function given() {
    const long = WORDS + "#\n".repeat(33000);
    const texts = { port: print("rocev2_port=4000"), formats: print("intmd.udp_port=5000", "roce.echo_bytes=184"),
      zero: WORDS, ip: `${WORDS}link=ip\r\n`, long: long.slice(0, 65536) };
    const captures = ["formats", "sections", "invalid-last", "invalid-before"]
      .map((name) => path.join(folder, `${name}.pcapng`));
    captures.push(path.join(top, "vectors/pcap/frame.pcap"), path.join(out, "kinds/all.pcapng"));
    for (const [name, text] of Object.entries(texts)) {
      const file = write(`${name}.domain`, text);
      library.given = { name: file, text: page.domainText(new Uint8Array(fs.readFileSync(file))) };
      for (const capture of captures) same(path.basename(capture), fs.readFileSync(capture), ["--domain", file]);
    }
    const wrong = { line: `${WORDS}ah=2\n`, port: `${WORDS}l3qcn.port=4791\n`, long: long.slice(0, 65537) };
    for (const [name, text] of Object.entries(wrong)) {
      const file = write(`invalid-${name}.domain`, text);
      const { status, stderr } = rocedump("--json", "--domain", file, captures[0]);
      library.given = { name: file, text: page.domainText(new Uint8Array(fs.readFileSync(file))) };
      const why = refusal(() => page.framesOf(new Uint8Array(fs.readFileSync(captures[0]))));
      check(status !== 0 && why.startsWith(`${file}: `), `${file}: the page says "${why}"`);
      check(name === "long" || stderr.includes(why), `${file}: the page says "${why}", and not ${stderr}`);
    }
    library.given = null;
    compare(captures[1]);
    check(page.domainText(new Uint8Array(Buffer.from("# The domain of a netwo"))) === undefined, "other words are a domain");
  }

  /* A section has at most 65,536 interfaces, and the next section counts on. */
  function interfaces() {
    const links = new Array(INTERFACES_MOST).fill(1);
    const most = section({ links, frames: [[INTERFACES_MOST - 1, samples[0]]] });
    const found = same("interfaces.pcapng", Buffer.concat([most, section({ frames: [[0, samples[0]]] })]));
    check(found[1]?.iface === INTERFACES_MOST, `the second section has interface ${found[1]?.iface}`);
    const data = section({ links: [...links, 1] });
    const { status, stderr } = rocedump("--json", write("interfaces-more.pcapng", data));
    const why = refusal(() => page.framesOf(new Uint8Array(data)));
    check(status !== 0 && why !== "" && stderr.includes(why), `interfaces: the page says "${why}", and not ${stderr}`);
  }

  formats();
  sections();
  cheap();
  lines();
  invalid();
  given();
  interfaces();
};
