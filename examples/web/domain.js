/* SPDX-License-Identifier: BSD-2-Clause */
/* domain.js - the text of a domain, from a file or a comment, with the grammar in vectors/README. */

const DOMAIN_WORDS = "# The domain of a network";
const DOMAIN_LINE_BYTES = 255; /* without its end */
const DOMAIN_BYTES = 65536;

/* Returns the text of a domain, with a character per byte, or undefined for other bytes. */
function domainText(bytes) {
  const textOf = (some) => new TextDecoder("latin1").decode(some);
  return textOf(bytes.subarray(0, DOMAIN_WORDS.length)) === DOMAIN_WORDS ? textOf(bytes) : undefined;
}

/* Returns the reason why a line is invalid, or "". `set` sets a member, and returns the same. */
function lineFault(line, named, set) {
  if (line.includes("\0")) return "the line contains a NUL byte";
  if (line.length > DOMAIN_LINE_BYTES) return `the line is longer than ${DOMAIN_LINE_BYTES} bytes`;
  const member = line.replace(/^[ \t\r]+|[ \t\r]+$/g, "");
  if (member === "" || member[0] === "#") return "";
  const name = member.split("=")[0];
  if (named.has(name)) return `${name}: the file sets this member twice`;
  named.add(name);
  return set(member);
}

/* Calls `set` for each member of a domain. Throws at the first invalid line. */
function setDomain(text, set) {
  if (text.length > DOMAIN_BYTES) throw new Error(`the file is longer than ${DOMAIN_BYTES} bytes`);
  const named = new Set();
  text.split("\n").forEach((line, i) => {
    const why = lineFault(line, named, set);
    if (why !== "") throw new Error(`line ${i + 1}: ${why}`.replace(/[^ -~]/g, "?"));
  });
}
