# SPDX-License-Identifier: BSD-2-Clause
"""
Composes the rows of ioam.vec and csig.vec in which a packet gets or loses telemetry.

Each row has two packets. Both are made from their lists of parts, with scapy's headers if
it has them. No code here splits or changes a packet. An options header is laid out from its
options and their positions modulo 8, with as little padding as RFC 8200, 4.2, allows.

edit_rows.py          writes the end of both files, always the same
edit_rows.py --check  compares the end of both files instead
"""
import pathlib
import struct
import sys
import textwrap

from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrFragment
from scapy.layers.ipsec import AH
from scapy.layers.l2 import Dot1AD, Dot1Q, Ether
from scapy.packet import Raw

HERE = pathlib.Path(__file__).resolve().parent
MARK = "# From here on by edit_rows.py.\n"
A, B = "2001:db8::1", "2001:db8::2"

# ---- IOAM -----------------------------------------------------------------------------

WIDE = {8, 9, 10}  # two words each (RFC 9197, 4.4.2)


def trace(kind, space, trace_type, words, nodes=(), flags=0, remaining=None):
    """Builds an option, from its type on (RFC 9486, 3; RFC 9197, 4.4.1)."""
    length = sum(2 if bit in WIDE else 1
                 for bit in range(22) if trace_type >> (23 - bit) & 1)
    if remaining is None:
        remaining = words
    free = bytes(4 * words) if kind == 0 else b""
    data = struct.pack(">HHI", space, length << 11 | flags << 7 | remaining,
                       trace_type << 8) + free + b"".join(nodes)
    return bytes([0x31, 2 + len(data), 0, kind]) + data


def padding(n):
    return b"" if n == 0 else b"\0" if n == 1 else bytes([1, n - 2]) + bytes(n - 2)


def header(next_header, options):
    """Builds a header from [(bytes, modulus, where)]. An option begins at `where` modulo its
    modulus, from the first byte of the header, or at the next byte if the modulus is None."""
    out = bytes(2)
    for data, modulus, where in options:
        if modulus:
            out += padding((where - len(out)) % modulus)
        out += data
    out += padding(-len(out) % 8)
    return bytes([next_header, len(out) // 8 - 1]) + out[2:]


def ipv6(upper, next_header, hop_limit=63):
    return bytes(IPv6(src=A, dst=B, nh=next_header, hlim=hop_limit,
                      plen=len(upper))) + upper


def udp(data=b"rocecc"):
    return bytes(UDP(sport=49152, dport=7, len=8 + len(data), chksum=0x1234)) + data


ALERT = (bytes.fromhex("05020000"), 2, 0)  # Router Alert, at 2n (RFC 2711)
NODE = bytes.fromhex("3f000a01")


def other(n):
    """Builds an unknown option of n bytes that every node skips."""
    return (bytes([0x1e, n - 2]) + bytes(range(1, n - 1)), None, 0)


def hbh(upper, next_header, options, **more):
    """Builds IPv6 with a Hop-by-Hop header if there are options."""
    if not options:
        return ipv6(upper, next_header, **more)
    return ipv6(header(next_header, options) + upper, 0, **more)


def at4(option):
    return (option, 4, 0)


ROWS = []  # of the current file


def row(text):
    ROWS.append(textwrap.fill(text, 88, subsequent_indent="    ",
                              break_long_words=False, break_on_hyphens=False))


def out(verdict, packet):
    return ("" if verdict == "none" else "verdict=%s " % verdict) + \
        "after=%s" % packet.hex()


def insert(name, before, after, verdict="change", mtu=9000, kind=0, space=123,
           trace_type=0xd20800, words=25, flags=0):
    row("%s call ioam_insert ok %s | opt_type=%d namespace_id=%d flags=%d "
        "trace_type=%#x words=%d mtu=%d -> %s"
        % (name, before.hex(), kind, space, flags, trace_type, words, mtu,
           out(verdict, after if verdict == "change" else before)))


def strip(name, before, after, verdict="change"):
    row("%s call ioam_strip ok %s | -> %s"
        % (name, before.hex(), out(verdict, after if verdict == "change" else before)))


def both(name, upper, next_header, options, option, nodes, **more):
    """Adds two rows: a trace is inserted after these options, and one with nodes is removed."""
    plain = hbh(upper, next_header, options)
    insert("i-" + name, plain,
           hbh(upper, next_header, options + [at4(trace(*option))]),
           kind=option[0], space=option[1], trace_type=option[2], words=option[3],
           **more)
    full = trace(option[0], option[1], option[2], 0, nodes)
    strip("out-" + name, hbh(upper, next_header, options + [at4(full)]), plain)


def ioam_inserted():
    hpcc = (0, 123, 0xd20800, 25)
    node = bytes.fromhex("3f000a01006500663b9ac61800000040fffff000")
    both("udp", udp(), 17, [], hpcc, [node] * 5)
    both("none", b"", 59, [], (0, 123, 0xd20800, 5), [node])
    both("even", udp(), 17, [], (0, 123, 0xc00000, 2), [bytes(8)])
    both("1", udp(), 17, [], (0, 123, 0x800000, 1), [NODE])
    both("61", udp(), 17, [], (0, 123, 0x800000, 61), [NODE] * 61)
    both("0", udp(), 17, [], (0, 123, 0x800000, 0), [])
    both("incr", udp(), 17, [], (1, 123, 0xd20800, 127), [node])
    both("routing", bytes.fromhex("1100040000000000") + udp(), 43, [], hpcc, [node])
    both("dst", bytes.fromhex("1100010400000000") + udp(), 60, [], hpcc, [node])
    both("esp", bytes.fromhex("000000010000000100112233"), 50, [], hpcc, [node])
    both("alert", udp(), 17, [ALERT], hpcc, [node])
    for n in range(2, 18):
        both("after-%d" % n, udp(), 17, [other(n)], (0, 123, 0x800000, 2), [NODE] * 2)
    both("two", udp(), 17, [ALERT, other(9)], (0, 123, 0x820000, 3), [bytes(8)])
    foreign = at4(trace(0, 7, 0xd20800, 5))
    both("foreign", udp(), 17, [foreign], hpcc, [node])
    both("dex", udp(), 17, [at4(bytes.fromhex("110a0004007b000080000000"))], hpcc, [node])
    both("seven", udp(), 17, [other(3)] * 7, (0, 123, 0x800000, 1), [NODE])
    fragment = bytes(IPv6ExtHdrFragment(nh=17, offset=0, m=1, id=7)) + udp()
    both("fragment", fragment, 44, [], hpcc, [node])
    inside = ipv6(udp(), 17)
    both("tunnel", inside, 41, [], hpcc, [node])
    both("tunnel4", bytes(IP(src="192.0.2.1", dst="192.0.2.2") / UDP(dport=7) /
                          Raw(b"x")), 4, [], hpcc, [node])
    within = hbh(udp(), 17, [at4(trace(*hpcc))])
    both("tunnel-around", within, 41, [], hpcc, [node])


def ioam_refused():
    plain, hpcc = ipv6(udp(), 17), trace(0, 123, 0xd20800, 25)
    has = hbh(udp(), 17, [at4(hpcc)])
    insert("i-present", has, has, "present")
    insert("i-present-other", hbh(udp(), 17, [at4(trace(1, 123, 0x800000, 3))]), b"",
           "present")
    v4 = bytes(IP(src="192.0.2.1", dst="192.0.2.2") / UDP(dport=7) / Raw(b"x"))
    insert("i-ipv4", v4, v4, "none")
    strip("s-ipv4", v4, v4, "none")
    insert("i-mtu", plain, plain, "mtu", mtu=40 + 14 + 119)
    insert("i-mtu-ok", plain, has, mtu=40 + 14 + 120)
    alert = hbh(udp(), 17, [ALERT])
    insert("i-mtu-option", alert, alert, "mtu", mtu=40 + 14 + 119)
    long = bytes(IPv6(src=A, dst=B, nh=17, plen=0xffff - 119)) + udp()
    insert("i-length", long, long, "full", mtu=0xffffffff)
    jumbo = bytes(IPv6(src=A, dst=B, nh=0, plen=0)) + \
        header(17, [(bytes.fromhex("c20400010000"), 4, 2)]) + udp()
    insert("i-jumbo", jumbo, jumbo, "none")
    ah = bytes(AH(nh=17, payloadlen=4, spi=1, seq=1, icv=bytes(12))) + udp()
    insert("i-ah", ipv6(ah, 51), b"", "ah")
    strip("s-ah", hbh(ah, 51, [at4(hpcc)]), b"", "ah")
    insert("i-space", plain, plain, "range", space=124)
    insert("i-words", plain, plain, "range", words=62)
    insert("i-type", plain, plain, "range", trace_type=0x800001)
    insert("i-flags", plain, plain, "range", flags=8)
    bad = ipv6(bytes.fromhex("1100010000000000") + udp(), 0)
    insert("i-over", ipv6(bytes.fromhex("11001e0900000000") + udp(), 0), b"", "broken")
    insert("i-pad", bad, hbh(udp(), 17, [at4(hpcc)]))
    insert("i-dirty", ipv6(bytes.fromhex("1100010400000001") + udp(), 0), b"", "broken")
    eight = hbh(udp(), 17, [other(2)] * 8)
    insert("i-eight", eight, hbh(udp(), 17, [other(2)] * 8 + [at4(hpcc)]))
    nine = hbh(udp(), 17, [other(2)] * 9)
    insert("i-nine", nine, nine, "unsupported")
    cut = has[:90]
    insert("i-cut", cut, cut, "broken")
    strip("s-cut", cut, cut, "broken")
    strip("s-none", plain, plain, "none")
    strip("s-alert", alert, alert, "none")
    strip("s-foreign-alone", hbh(udp(), 17, [at4(trace(0, 7, 0x800000, 1))]), b"", "none")
    strip("s-active", hbh(udp(), 17, [at4(trace(0, 123, 0x800000, 1, flags=2))]), b"",
          "probe")
    strip("s-overflow", hbh(udp(), 17, [at4(trace(0, 123, 0x800000, 0, [NODE], 8, 0))]),
          plain)
    strip("s-short", hbh(udp(), 17, [at4(bytes.fromhex("31060000007b0800"))]), b"",
          "broken")


def ioam_between():
    """Options before and after a removed trace keep their positions modulo 8."""
    for n in range(2, 11):
        for words in (1, 2):
            first = other(n)
            taken = trace(0, 123, 0x800000, 0, [NODE] * words)
            where = n + 2 + (-(n + 2) % 4) + len(taken)
            for m in (4, 9):
                last = other(m)
                keep = (last[0], 8, where % 8)
                strip("s-mid-%d-%d-%d" % (n, words, m),
                      hbh(udp(), 17, [first, at4(taken), last]),
                      hbh(udp(), 17, [first, keep]))
    taken = trace(1, 123, 0x800000, 0, [NODE], remaining=3)
    again = trace(0, 123, 0x800000, 0, [NODE])
    strip("s-first-of-two", hbh(udp(), 17, [at4(taken), at4(again)]),
          hbh(udp(), 17, [(again, 8, (4 + len(taken)) % 8)]))


# ---- CSIG -----------------------------------------------------------------------------


def tag(kind, value, locator, wide=False, uec=False, d=0):
    """Builds a SAI-CSIG tag, compact T3 R1 S5 LM7, or wide LM16 T4 S20 R8. In UEC, d ends LM."""
    lm = locator << 1 | d if uec else locator
    if wide:
        return struct.pack(">HHI", 0x9901, lm, kind << 28 | value << 8)
    return struct.pack(">HH", 0x9900, kind << 13 | value << 7 | lm)


def frame(tags, kind=0x0800, data=b"E\0\0\x1c"):
    head = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02", type=0)
    return bytes(head)[:12] + b"".join(tags) + struct.pack(">H", kind) + data


def vlan(vid, outer=False):
    inner = bytes((Dot1AD if outer else Dot1Q)(vlan=vid, type=0))[:2]
    return struct.pack(">H", 0x88a8 if outer else 0x8100) + inner


def csig_rows():
    def edit(name, args, before, after, verdict="change"):
        kind = "insert" if name.startswith("p-") else "strip"
        packet = after if verdict == "change" else before
        row("%s call csig_%s ok %s | %s-> %spacket=%s"
            % (name, kind, before.hex(), args and args + " ",
               "" if verdict == "none" else "verdict=%s " % verdict, packet.hex()))

    places = {"": [], "vlan-": [vlan(5)], "qinq-": [vlan(6, True), vlan(5)],
              "two-": [vlan(7), vlan(8)]}
    forms = [("abw", "type=0 value=31", tag(0, 31, 0)),
             ("nqd", "type=3 value=9 locator=127", tag(3, 9, 127)),
             ("uec", "uec=1 type=1 value=16 locator=33 no_update=1",
              tag(1, 16, 33, uec=True, d=1)),
             ("wide", "wide=1 type=1 value=703710 locator=9320",
              tag(1, 703710, 9320, True))]
    for place, tags in places.items():
        for name, args, bytes_ in forms:
            for kind in (0x0800, 0x86dd, 0x8847):
                label = "%s%s-%04x" % (place, name, kind)
                plain, tagged = frame(tags, kind), frame(tags + [bytes_], kind)
                edit("p-" + label, args, plain, tagged)
                edit("q-" + label, "uec=1" if name == "uec" else "", tagged, plain)
    has = frame([forms[0][2]])
    edit("p-present", forms[0][1], has, b"", "present")
    three = frame([vlan(1), vlan(2), vlan(3)])
    edit("p-three", forms[0][1], three, b"", "unsupported")
    edit("p-range", "type=0 value=32", frame([]), b"", "range")
    edit("p-cut", forms[0][1], frame([vlan(5)])[:17], b"", "broken")
    edit("q-no-tag", "", frame([vlan(5)]), b"", "none")
    after = frame([forms[0][2], vlan(5)])
    edit("q-before-vlan", "", after, frame([vlan(5)]))


# ---- The files ------------------------------------------------------------------------

FILES = {
    "ioam.vec": [
        ("a trace put into a packet and taken out of it: RFC 9486, 3 and 4; RFC 8200, "
         "4.2 and 4.3, by scapy", ioam_inserted),
        ("where there is no place, or no trace", ioam_refused),
        ("a trace between other options, which keep their alignment: RFC 8200, 4.2, by "
         "scapy", ioam_between)],
    "csig.vec": [("a tag put into a frame and taken out of it: SAI-CSIG, 3.1, by scapy",
                  csig_rows)]}


def text(name):
    out = [MARK]
    for source, make in FILES[name]:
        ROWS.clear()
        make()
        out.append("\nsource: %s\n" % source)
        if name == "ioam.vec":
            out.append("config ioam.namespace_id=123\nconfig ioam.tx_bytes_bit=12\n")
        out.append("\n".join(ROWS) + "\n")
    return "".join(out)


def main():
    bad = 0
    for name in FILES:
        path = HERE / name
        by_hand = path.read_text("ascii").split(MARK)[0].rstrip("\n") + "\n\n"
        new = by_hand + text(name)
        if "--check" not in sys.argv[1:]:
            path.write_text(new, "ascii")
        elif path.read_text("ascii") != new:
            print("%s does not end as edit_rows.py would write it" % path.name)
            bad = 1
    if not bad:
        print("edit_rows: what is put in, what is taken out: %d files" % len(FILES))
    return bad


sys.exit(main())
