# SPDX-License-Identifier: BSD-2-Clause
"""
Defines the rows of arn_gate.vec by hand. Each row has a frame composed from its fields, and
a node's verdict by draft-hu-rtgwg-rocev2-fcn-00, 4.1, RFC 5082, RFC 8200, RFC 1122 and
RFC 768. model/arn_gate.py judges the bytes again, and writes the file. After bad_arrival come
its reason, and the type, code and value of the ICMP error to send, as in reaction_rows.py.
"""
import struct

from reaction_rows import (AH, DSTOPTS, HIP, HOPOPTS, IPV4, IPV6, MOBILITY, SHIM6, UDP, auth,
                           but, chain, checksum, first, fragment, frame, limited, odd_header,
                           option, options, packed, padding, routing, spoiled)

PORT = 51967
THEM, US, OTHER = "2001:db8:1::1", "2001:db8:1::2", "2001:db8:2::1"
THEM4, US4 = "::ffff:10.9.9.1", "::ffff:10.9.9.2"


# ---- Messages and frames, from their fields -----------------------------------------

def tuple4(src="10.1.10.2", dst="10.2.20.1", sport=49152, dport=4791, proto=UDP):
    pair = packed("::ffff:" + src)[12:] + packed("::ffff:" + dst)[12:]
    return pair + struct.pack(">HHB3x", sport, dport, proto)


def tuple6(src="2001:db8:a::10", dst="2001:db8:b::20"):
    return packed(src) + packed(dst) + struct.pack(">HHB3x", 49153, 4791, UDP)


def arn(*words, kind=1, version=1, rsvd=0, metric=200, para=0, flow=b""):
    """Builds a message with the wire's Para-Type `para`, the flow, and 32-bit words."""
    return (bytes([kind, version << 4 | rsvd, metric, para]) + flow +
            b"".join(struct.pack(">I", w) for w in words))


PRIORITY = arn(3, 100, para=0x30)
FLOW = arn(100, para=0x90, flow=tuple4())


def ip(src, dst, proto, upper, hops=255, exts=(), opts=b"", frag=0):
    if ":ffff:" in src and "." in dst:
        head = struct.pack(">BBHHHBBH4s4s", 0x45 + len(opts) // 4, 0xc0,
                           20 + len(opts) + len(upper), 0, 0x4000 if not frag else frag,
                           hops, proto, 0, packed(src)[12:], packed(dst)[12:]) + opts
        return head[:10] + checksum(head) + head[12:] + upper
    upper = chain(exts, proto, 1) + upper
    return (struct.pack(">IHBB", 0x6c000000, len(upper), first(exts, proto), hops) +
            packed(src) + packed(dst) + upper)


def udp(src, dst, data, dport=PORT, length=None, wrong=0, none=False):
    """Builds UDP. Adds `wrong` to the checksum, or sets it to 0 if `none`."""
    head = struct.pack(">HHHH", 0xc0de, dport, len(data) + 8 if length is None else length, 0)
    four = ":ffff:" in src and "." in dst
    pair = packed(src)[12:] + packed(dst)[12:] if four else packed(src) + packed(dst)
    covered = pair + struct.pack(">II", len(data) + 8, UDP) + head + data
    total = struct.unpack(">H", checksum(covered + bytes(len(covered) % 2)))[0] or 0xffff
    total = 0 if none else (total + wrong) & 0xffff
    return head[:6] + struct.pack(">H", total) + data


def sent(data=PRIORITY, src=THEM, dst=US, hops=255, exts=(), opts=b"", frag=0, end=b"",
         **of_udp):
    return ip(src, dst, UDP, udp(src, dst, data, **of_udp) + end, hops, exts, opts, frag)


def sent4(data=FLOW, src=THEM4, dst=US4, **given):
    return sent(data, src, dst, **given)


def tunnel(inner, src=THEM, dst=US, hops=255, exts=()):
    return ip(src, dst, IPV6 if inner[0] >> 4 == 6 else IPV4, inner, hops, exts)


# Examples from other sources: A1 of the specification, with a checksum that tshark accepts.
ANCHORS = [(sent4(), "45c00034 00004000 ff1154e4 0a090901 0a090902 c0decaff 00206df8"
                     "0110c890 0a010a02 0a021401 c00012b7 11000000 00000064")]


# ---- Rows ---------------------------------------------------------------------------

def row(row_id, says, verdict, data, **given):
    return row_id, says, verdict, frame(data) if "raw" not in given else data, {
        k: v for k, v in given.items() if k != "raw"}


LIST = ("access[0].prefix=2001:db8:1:: access[0].length=48 access[0].permit=1"
        " access[0].tag=7 access[1].prefix=::ffff:10.9.0.0 access[1].length=112"
        " access[1].permit=1 access[1].tag=1")
BASE = f"arn.port={PORT}\n{LIST}\n"
FREE = BASE + "admission.unlimited=1\n"
# Three neighbours with buckets, and two prefixes with tag 7, without buckets.
LIMITED = f"arn.port={PORT}\n" + "".join(
    f"access[{i}].prefix={prefix} access[{i}].length={length} access[{i}].permit=1"
    f" access[{i}].tag={tag}\n" for i, (prefix, length, tag) in enumerate([
        (THEM, 128, 0), (THEM4, 128, 1), ("2001:db8:1::3", 128, 2), ("2001:db8:1::", 48, 7),
        ("::ffff:10.9.0.0", 112, 7)]))
SOURCE, DESTINATION = "bad_arrival bad_source", "bad_arrival bad_destination"
SKIP, DISCARD, STOP = option(0x1e, b"\xaa\xbb"), option(0x9e, b"\xaa\xbb"), option(0x5e)


def messages():
    return [
        row("R-ARN-6-priority", "priority and time", "taken", sent()),
        row("R-ARN-4-flow", "a flow of IPv4 and a time", "taken", sent4()),
        row("R-ARN-5-flow-6", "a flow of IPv6", "taken",
            sent(arn(250, para=0x90, flow=tuple6()))),
        row("R-ARN-9-path", "all four parameters", "taken",
            sent(arn(0x1001, 3, 250, para=0xf0, flow=tuple6()))),
        row("R-ARN-12-resume", "time 0", "taken", sent(arn(3, 0, para=0x30))),
        row("R-ARN-12-eliminated", "type 2", "taken", sent4(arn(para=0x80, kind=2,
                                                                flow=tuple4()))),
        row("R-ARN-12-failure", "types 3 and 4 go on to the caller", "taken",
            sent(arn(0x1001, para=0x40, kind=3))),
        row("R-ARN-12-repaired", "type 4", "taken", sent(arn(0x1001, para=0x40, kind=4))),
        row("message-none", "no parameter", "taken", sent(arn())),
        row("message-version-0", "version 0", "taken", sent(arn(3, 9, para=0x30, version=0))),
        row("message-rsvd", "Rvsd is ignored", "taken", sent(arn(3, 9, para=0x30, rsvd=15))),
        row("message-packed", "a packed flow", "taken",
            sent4(arn(9, para=0x90, flow=tuple4()[:13]))),
        row("message-type-0", "type 0", "malformed", sent(arn(kind=0))),
        row("message-type-5", "type 5", "malformed", sent(arn(kind=5))),
        row("message-version-2", "version 2", "unsupported", sent(arn(version=2))),
        row("message-bit-4", "a parameter that nobody knows", "unsupported",
            sent(arn(3, 9, 1, para=0x38))),
        row("message-short", "3 bytes", "malformed", sent(arn()[:3])),
        row("message-empty", "no byte", "malformed", sent(b"")),
        row("message-priority-8", "802.1p has 8", "malformed", sent(arn(8, 9, para=0x30))),
        row("message-more", "a word too many", "malformed", sent(arn(3, 9, 9, para=0x30))),
        row("message-less", "a word too few", "malformed", sent(arn(3, para=0x30))),
        row("message-flow-17", "a flow of 17 bytes", "malformed",
            sent4(arn(para=0x80, flow=tuple4() + b"\0"))),
    ]


def hosts():
    nobody = [("zero", "::", "0.0.0.0"), ("loopback", "::1", "127.0.0.1"),
              ("group", "ff02::1", "224.0.0.1"), ("reserved", "ff0e::9", "240.0.0.1"),
              ("all", "ff01::1", "255.255.255.255"), ("net-0", "::", "0.9.9.9")]
    rows = [row("hosts-port", "another port", "not_an_arn", sent(dport=PORT - 1)),
            row("hosts-tcp", "not UDP", "not_an_arn",
                ip(THEM, US, 6, udp(THEM, US, PRIORITY) + bytes(16))),
            row("hosts-itself", "from the node that it is for", SOURCE, sent(src=US)),
            row("hosts-itself-4", "the same", SOURCE, sent4(src=US4))]
    for name, six, four in nobody:
        rows += [
            row(f"hosts-src-{name}", f"from {six}", SOURCE, sent(src=six)),
            row(f"hosts-dst-{name}", f"to {six}", DESTINATION, sent(dst=six)),
            row(f"hosts-src-{name}-4", f"from {four}", SOURCE, sent4(src="::ffff:" + four)),
            row(f"hosts-dst-{name}-4", f"to {four}", DESTINATION,
                sent4(dst="::ffff:" + four))]
    return rows + [
        row("hosts-src-mapped", "an IPv6 packet from ::ffff:10.9.9.1", SOURCE,
            sent(src="::ffff:a09:901")),
        row("hosts-link", "both on one link: RFC 4291, 2.5.6", "access_denied",
            sent(src="fe80::1", dst="fe80::2")),
        row("hosts-link-4", "the same: RFC 3927", "access_denied",
            sent4(src="::ffff:169.254.0.1", dst="::ffff:169.254.0.2"))]


def hops():
    rows = [row("hops-255", "RFC 5082: as it was sent", "taken", sent()),
            row("hops-255-4", "the same", "taken", sent4())]
    for n in (254, 128, 64, 3, 1, 0):
        rows += [row(f"hops-{n}", f"{n} left", "too_few_hops", sent(hops=n)),
                 row(f"hops-{n}-4", f"{n} left", "too_few_hops", sent4(hops=n))]
    return rows


def checksums():
    return [
        row("checksum-right", "right", "taken", sent()),
        row("checksum-one", "one more", "bad_checksum", sent(wrong=1)),
        row("checksum-bit", "its first bit", "bad_checksum", sent(wrong=0x8000)),
        row("checksum-one-4", "one more", "bad_checksum", sent4(wrong=1)),
        row("checksum-none", "none: RFC 8200, 8.1", "bad_checksum", sent(none=True)),
        row("checksum-none-4", "none: RFC 768 allows it, and nobody here", "bad_checksum",
            sent4(none=True)),
        row("checksum-odd", "a datagram of an odd length", "taken",
            sent4(arn(9, para=0x90, flow=tuple4()[:13]))),
        row("checksum-odd-wrong", "the same", "bad_checksum",
            sent4(arn(9, para=0x90, flow=tuple4()[:13]), wrong=256)),
        row("checksum-length", "UDP longer than IP", "malformed", sent(length=21)),
        row("checksum-length-7", "UDP below 8", "malformed", sent(length=7)),
        row("checksum-ip", "a bit of IPv4's header checksum", "bad_arrival bad_checksum",
            spoiled(sent4())),
        row("checksum-cut", "IP longer than the bytes", "bad_arrival partial",
            frame(sent(end=b"\1"))[:-1], raw=True),
        row("checksum-cut-4", "the same", "bad_arrival partial",
            frame(sent4(end=b"\1"))[:-1], raw=True),
        row("checksum-after", "IP longer than UDP", "taken", sent(end=b"\1\2\3")),
        row("checksum-trailer", "Ethernet's padding is not of it", "taken",
            frame(sent(arn()), trailer=bytes(6)), raw=True, trailer=6),
        row("checksum-borrowed", "and no parameter, whatever UDP says", "malformed",
            frame(sent(arn(para=0x10), length=16), trailer=bytes(6)), raw=True, trailer=6),
    ]


def headers():
    srh = routing(0, 7, US)
    return [
        row("headers-srh", "an SRH at its end", "taken", sent(exts=[srh])),
        row("headers-left", "a segment left: RFC 8200, 4.4",
            "bad_arrival segments_left 4/0/42", sent(exts=[routing(1, 7, US, THEM)])),
        row("headers-skip", "an option to be skipped", "taken",
            sent(exts=[options(HOPOPTS, SKIP)])),
        row("headers-pad", "padding", "taken", sent(exts=[options(HOPOPTS, padding(6))])),
        row("headers-discard", "an option that says discard, and answer",
            "bad_arrival unknown_option 4/2/42", sent(exts=[options(HOPOPTS, DISCARD)])),
        row("headers-stop", "act 01: no answer", "bad_arrival unknown_option",
            sent(exts=[options(HOPOPTS, STOP)])),
        row("headers-eight", "8 options", "taken",
            sent(exts=[options(HOPOPTS, *[option(0x1e)] * 8)])),
        row("headers-nine", "9: more than are looked at", "bad_arrival unsupported",
            sent(exts=[options(HOPOPTS, *[option(0x1e)] * 9)])),
        row("headers-nine-overrun", "a ninth that is beyond its header",
            "bad_arrival bad_options 4/0/58",
            sent(exts=[options(HOPOPTS, *[option(0x1e)] * 8,
                               bytes([0x1e, 9, 0, 0, 0, 0]), words=2)])),
        row("headers-second", "Hop-by-Hop is not the first: RFC 8200, 4.1",
            "bad_arrival unknown_header 4/1/40", sent(exts=[srh, options(HOPOPTS, SKIP)])),
        row("headers-overrun", "an option beyond its header",
            "bad_arrival bad_options 4/0/42",
            sent(exts=[options(HOPOPTS, bytes([0x1e, 9, 0, 0, 0, 0]), words=0)])),
        row("headers-dst", "Destination Options to be skipped", "taken",
            sent(exts=[options(DSTOPTS, SKIP)])),
        row("headers-dst-discard", "and one that says discard",
            "bad_arrival unknown_option 4/2/66",
            sent(exts=[srh, options(DSTOPTS, DISCARD)])),
        row("headers-atomic", "RFC 6946: an atomic fragment is whole", "taken",
            sent(exts=[fragment(0, 0)])),
        row("headers-fragment", "a first fragment", "bad_arrival partial",
            sent(exts=[fragment(0, 1)])),
        row("headers-later", "a later one has no port", "not_an_arn",
            sent(exts=[fragment(1, 0)])),
        row("headers-fragment-4", "the same", "bad_arrival partial", sent4(frag=0x2000)),
        row("headers-later-4", "the same", "not_an_arn", sent4(frag=1)),
        row("headers-lsrr", "RFC 791: a source route that has not ended",
            "bad_arrival segments_left 3/5/0", sent4(opts=bytes.fromhex("8307040a09090301"))),
        row("headers-ssrr", "a strict one", "bad_arrival segments_left 3/5/0",
            sent4(opts=bytes.fromhex("8907040a09090301"))),
        row("headers-lsrr-ended", "one that has ended", "taken",
            sent4(opts=bytes.fromhex("8307080a09090301"))),
        row("headers-nop", "options that say nothing", "taken", sent4(opts=b"\1\1\1\0")),
        row("headers-overrun-4", "an option beyond its header",
            "bad_arrival bad_options 12/0/21", sent4(opts=b"\1\x44\4\0")),
        row("headers-mobility", "headers that no node steps over",
            "bad_arrival unknown_header 4/1/6", sent(exts=[odd_header(MOBILITY)])),
        row("headers-hip", "the same", "bad_arrival unknown_header 4/1/6",
            sent(exts=[odd_header(HIP)])),
        row("headers-shim6", "the same", "bad_arrival unknown_header 4/1/6",
            sent(exts=[odd_header(SHIM6)])),
        row("headers-ah", "AH, whether or not the walk follows it",
            "bad_arrival unknown_header 4/1/6", sent(exts=[auth()])),
        row("headers-ah-4", "over IPv4 the walk does not see the port behind it",
            "not_an_arn", sent_ah4()),
    ]


def sent_ah4():
    """Builds UDP behind AH over IPv4."""
    return ip(THEM4, US4, AH, bytes([UDP]) + auth()[1] + udp(THEM4, US4, FLOW))


def ah():
    return [
        row("ah-6", "AH over IPv6", "bad_arrival unknown_header 4/1/6", sent(exts=[auth()])),
        row("ah-6-second", "behind options", "bad_arrival unknown_header 4/1/40",
            sent(exts=[options(HOPOPTS, SKIP), auth()])),
        row("ah-4", "over IPv4: protocol unreachable", "bad_arrival unknown_header 3/2/0",
            sent_ah4()),
    ]


def tunnels(on):
    off = not on
    name = "on" if on else "off"

    def one(what, says, verdict, data):
        return row(f"tunnels-{name}-{what}", says, "unexpected_tunnel" if off else verdict, data)
    return [
        one("66", "IPv6 in IPv6", "taken", tunnel(sent())),
        one("46", "IPv4 in IPv6", "taken", tunnel(sent4())),
        one("64", "IPv6 in IPv4", "taken", tunnel(sent(), THEM4, US4)),
        one("44", "IPv4 in IPv4", "taken", tunnel(sent4(), THEM4, US4)),
        one("anybody", "the tunnel is anybody's, the source is the one inside", "taken",
            tunnel(sent(), OTHER)),
        one("hops", "a tunnel of two hops", "too_few_hops", tunnel(sent(), hops=254)),
        one("inner-hops", "two hops before the tunnel", "too_few_hops", tunnel(sent(hops=254))),
        one("group", "a tunnel to a group", DESTINATION, tunnel(sent(), dst="ff02::1")),
        one("inner-group", "and in it", DESTINATION, tunnel(sent(dst="ff02::1"))),
        one("source", "a tunnel from nobody", SOURCE, tunnel(sent(), src="::1")),
        one("inner-source", "and in it", SOURCE, tunnel(sent(src="::1"))),
        one("itself", "a tunnel from its own end", SOURCE, tunnel(sent(), src=US)),
        one("left", "a tunnel on its way", "bad_arrival segments_left 4/0/42",
            tunnel(sent(), exts=[routing(1, 7, US, THEM)])),
        one("discard", "an option of the tunnel", "bad_arrival unknown_option 4/2/42",
            tunnel(sent(), exts=[options(HOPOPTS, DISCARD)])),
        one("dst-discard", "the same of its destination",
            "bad_arrival unknown_option 4/2/42",
            tunnel(sent(), exts=[options(DSTOPTS, DISCARD)])),
        one("dst-skip", "one to be skipped", "taken",
            tunnel(sent(), exts=[options(DSTOPTS, SKIP)])),
        one("mobility", "a header of the tunnel", "bad_arrival unknown_header 4/1/6",
            tunnel(sent(), exts=[odd_header(MOBILITY)])),
        one("inner-mobility", "and in it", "bad_arrival unknown_header 4/1/6",
            tunnel(sent(exts=[odd_header(MOBILITY)]))),
        one("checksum", "a bit of its IPv4 header checksum", "bad_arrival bad_checksum",
            spoiled(tunnel(sent(), THEM4, US4))),
        one("inner-checksum", "and in it", "bad_arrival bad_checksum",
            tunnel(spoiled(sent4()))),
        one("inner-route", "a source route in it", "bad_arrival segments_left 3/5/0",
            tunnel(sent4(opts=bytes.fromhex("8307040a09090301")))),
    ]


def groups():
    """Packets to a group get no error, except about an option (RFC 4443, 2.4 (e))."""
    def to(name, says, verdict, **given):
        return row(f"group-{name}", says, verdict, sent(dst="ff02::2", **given))
    return [
        to("one", "to the group", "taken"),
        row("group-host", "to the node", "taken", sent()),
        row("group-other", "to another", DESTINATION, sent(dst="ff02::1")),
        row("group-other-discard", "to another, which needs no answer from here",
            DESTINATION, sent(dst="ff02::1", exts=[options(HOPOPTS, DISCARD)])),
        row("group-from", "from it", SOURCE, sent(src="ff02::2")),
        to("discard", "act 10: answered", "bad_arrival unknown_option 4/2/42",
           exts=[options(HOPOPTS, DISCARD)]),
        to("discard-11", "act 11: not to a group", "bad_arrival unknown_option",
           exts=[options(HOPOPTS, option(0xde))]),
        to("left", "no answer", "bad_arrival segments_left",
           exts=[routing(1, 7, US, THEM)]),
        to("mobility", "no answer", "bad_arrival unknown_header",
           exts=[odd_header(MOBILITY)]),
        to("overrun", "no answer", "bad_arrival bad_options",
           exts=[options(HOPOPTS, bytes([0x1e, 9, 0, 0, 0, 0]), words=0)]),
    ]


def groups4():
    group = "::ffff:224.0.0.2"
    return [
        row("group4-one", "to the group", "taken", sent4(dst=group)),
        row("group4-other", "to another", DESTINATION, sent4(dst="::ffff:224.0.0.3")),
        row("group4-mapped", "no IPv6 packet goes there", DESTINATION,
            sent(src=THEM, dst="::ffff:e000:2")),
        row("group4-route", "RFC 1122, 3.2.2: no answer", "bad_arrival segments_left",
            sent4(dst=group, opts=bytes.fromhex("8307040a09090301"))),
        row("group4-overrun", "the same", "bad_arrival bad_options",
            sent4(dst=group, opts=b"\1\x44\4\0")),
    ]


def access():
    return [
        row("access-first", "in the first prefix", "taken", sent()),
        row("access-second", "in the second", "taken", sent4()),
        row("access-none", "in none", "access_denied", sent(src=OTHER)),
        row("access-none-4", "in none", "access_denied", sent4(src="::ffff:10.10.9.1")),
        row("access-denied", "in one within it that denies", "access_denied",
            sent(src="2001:db8:1:bad::1")),
        row("access-again", "in one within that", "taken", sent(src="2001:db8:1:bad::7")),
    ]


def limits():
    """
    Each neighbour has two tokens, and gets one per millisecond. Its bucket for verification
    and the shared bucket have twice as many.
    """
    own, common, verify = (f"rate_limited {which}_limited"
                           for which in ("source", "shared", "verify"))
    third = "2001:db8:1::3"
    return [
        row("limit-1", "of two at once the first", "taken", sent(), now_ns=0),
        row("limit-wrong", "AD-2: a wrong checksum takes a token of `verified` alone",
            "bad_checksum", sent(wrong=1), now_ns=0),
        row("limit-none", "and none at all does", "bad_checksum", sent(none=True), now_ns=0),
        row("limit-far", "what is refused before takes no token", "too_few_hops",
            sent(hops=9), now_ns=0),
        row("limit-unlisted", "nor this", "access_denied", sent(src=OTHER), now_ns=0),
        row("limit-tag", "a source whose tag has no buckets", own, sent(src="2001:db8:1::9"),
            now_ns=0),
        row("limit-2", "the second", "taken", sent(), now_ns=0),
        row("limit-3", "the third", own, sent(), now_ns=0),
        row("limit-3-wrong", "AD-3: it is not verified", own, sent(wrong=1), now_ns=0),
        row("limit-4-1", "another neighbour has its own tokens", "taken", sent4(), now_ns=0),
        row("limit-4-2", "the same", "taken", sent4(), now_ns=0),
        row("limit-shared", "AD-4: two misbehave, where one is provided for", common,
            sent(src=third), now_ns=0),
        row("limit-early", "1 ns before the next", own, sent(), now_ns=999999),
        row("limit-next", "and there", "taken", sent(), now_ns=1000000),
        row("limit-back", "a clock that steps back a little", own, sent(), now_ns=5),
        row("limit-forged-1", "its address is forged, beyond the budget", "bad_checksum",
            sent(wrong=1), now_ns=5000000),
        row("limit-forged-2", "the second", "bad_checksum", sent(wrong=2), now_ns=5000000),
        row("limit-forged-3", "the third", "bad_checksum", sent(wrong=3), now_ns=5000000),
        row("limit-forged-4", "the fourth", "bad_checksum", sent(none=True), now_ns=5000000),
        row("limit-forged-5", "and no fifth is verified", verify, sent(wrong=5),
            now_ns=5000000),
        row("limit-forged", "the neighbour itself is not heard, either", verify, sent(),
            now_ns=5000000),
        row("limit-forged-4-1", "another one is", "taken", sent4(), now_ns=5000000),
        row("limit-forged-next", "until there is a token: 0.5 ms", "taken", sent(),
            now_ns=5500000),
        row("limit-full", "full again", "taken", sent(), now_ns=9000000),
        row("limit-full-2", "and two at once", "taken", sent(), now_ns=9000000),
        row("limit-full-3", "no more", own, sent(), now_ns=9000000),
    ]


def order():
    """Of two faults in a frame, the first in the figure determines the verdict."""
    far = {"hops": 9}
    return [
        row("order-tunnel", "tunnel, destination", "unexpected_tunnel", tunnel(sent(dst="ff02::1"))),
        row("order-source", "source, destination", SOURCE, sent(src="::1", dst="ff02::1")),
        row("order-destination", "destination, an option", DESTINATION,
            sent(dst="ff02::1", exts=[options(HOPOPTS, DISCARD)], **far)),
        row("order-option", "an option, a header", "bad_arrival unknown_option 4/2/42",
            sent(exts=[options(HOPOPTS, DISCARD), odd_header(MOBILITY)], **far)),
        row("order-header", "a header, segments left", "bad_arrival unknown_header 4/1/6",
            sent(exts=[odd_header(MOBILITY), routing(1, 7, US, THEM)], **far)),
        row("order-routed", "segments left, an option", "bad_arrival segments_left 4/0/42",
            sent(exts=[routing(1, 7, US, THEM), options(DSTOPTS, DISCARD)], **far)),
        row("order-hops", "hops, message", "too_few_hops", sent(arn(kind=9), **far)),
        row("order-message", "message, access", "malformed", sent(arn(kind=9), src=OTHER)),
        row("order-access", "access, checksum", "access_denied", sent(src=OTHER, wrong=1)),
        row("order-checksum", "checksum", "bad_checksum", sent(wrong=1)),
        row("order-taken", "the one token", "taken", sent()),
        row("order-limited", "the source's limit, checksum", "rate_limited source_limited",
            sent(wrong=1)),
    ]


def forms():
    return [
        row("form-lsb", "bit 0 is 0x01", "taken", sent4(arn(100, para=0x09, flow=tuple4()))),
        row("form-msb", "the other end", "unsupported", sent4()),
        row("form-dscp", "priorities of DSCP", "taken", sent(arn(46, 9, para=0x0c))),
        row("form-64", "which are 64", "malformed", sent(arn(64, 9, para=0x0c))),
        row("form-version", "version 3 alone", "taken", sent(arn(version=3))),
        row("form-version-1", "and no longer 1", "unsupported",
            sent(arn(version=1), src=OTHER)),
    ]


def blocks():
    draft = "draft-hu-rtgwg-rocev2-fcn-00"
    yield f"{draft}, 4.1: what an ARN says", FREE, messages()
    yield "RFC 1122, 3.2.1.3; RFC 4291, 2.5: whose address it is", FREE, hosts()
    yield "RFC 5082: only neighbours", FREE, hops()
    yield "RFC 768; RFC 8200, 8.1: the checksum", FREE, checksums()
    yield "RFC 8200, 4; RFC 791, 3.1: headers before UDP", FREE, headers()
    yield "RFC 4302: the same, where AH is followed", FREE + "ah=1\n", ah()
    yield "RFC 2473, RFC 2003: no tunnel", FREE, tunnels(False)
    yield "the same, where tunnels end here", FREE + "tunnels=1\n", tunnels(True)
    yield "from any number of hops", FREE + "any_hops=1\n", [
        row("any-hops-3", "3 left", "taken", sent(hops=3)),
        row("any-hops-0", "none", "taken", sent4(hops=0))]
    yield "RFC 768: over IPv4 a checksum may be missing", FREE + "no_checksum=1\n", [
        row("no-checksum-4", "none", "taken", sent4(none=True)),
        row("no-checksum-4-wrong", "one that is wrong", "bad_checksum", sent4(wrong=1)),
        row("no-checksum-6", "none over IPv6", "bad_checksum", sent(none=True))]
    yield f"{draft}, 4.1: to a group of all neighbours", FREE + "group=ff02::2\n", groups()
    yield "the same over IPv4", FREE + "group=::ffff:224.0.0.2\n", groups4()
    yield "the access list", (
        f"arn.port={PORT}\nadmission.unlimited=1\n{LIST}\n"
        "access[2].prefix=2001:db8:1:bad:: access[2].length=64 access[2].tag=2\n"
        "access[3].prefix=2001:db8:1:bad::7 access[3].length=128 access[3].permit=1"
        " access[3].tag=4294967295\n"), access()
    yield ("two at once, 1000 in a second, of each neighbour",
           LIMITED + limited(1000, 2, verify=2), limits())
    yield "the order in role/arn_gate.h, with one token", (
        BASE + limited(1, 1, verify=3, sources=8)), order()
    yield "another form of ARNs", (
        FREE + "arn.bit_order=lsb arn.priority=dscp arn.versions=10\n"), forms()[:4]
    yield "version 3 alone", FREE + "arn.versions=8\n", forms()[4:]
    yield "ARN is off", LIST + " admission.unlimited=1\n", [
        row("off-port", "the port is not configured", "not_an_arn", sent()),
        row("off-zero", "and 0 is none", "not_an_arn", sent(dport=0))]


LIMIT = " " + limited(1000, 2, sources=0).rstrip()
ALL = f"arn.port={PORT} {LIST}{LIMIT}"
REFUSALS = "what is no configuration", [
    ("init-good", "a port, a list, a limit", "accepted", f"arn.port={PORT} {LIST}{LIMIT}"),
    ("init-zero", "nothing", "port", ""),
    ("init-port", "no port", "port", f"{LIST}{LIMIT}"),
    ("init-form", "IP version 5", "form", f"arn.port={PORT} arn.family=5 {LIST}{LIMIT}"),
    ("init-group", "a group that is a host", "group",
     f"arn.port={PORT} group=2001:db8::1 {LIST}{LIMIT}"),
    ("init-group-4", "the same", "group",
     f"arn.port={PORT} group=::ffff:223.0.0.1 {LIST}{LIMIT}"),
    ("init-group-good", "a group", "accepted",
     f"arn.port={PORT} group=::ffff:224.0.0.2 {LIST}{LIMIT}"),
    ("init-access", "no list", "access", f"arn.port={PORT}{LIMIT}"),
    ("init-limit", "no limit", "limit", f"arn.port={PORT} {LIST}"),
    ("init-rate", "a rate of 0", "limit", but(ALL, "admission.source.rate_per_s=0")),
    ("init-burst", "a burst of 0", "limit", but(ALL, "admission.source.burst=0")),
    ("init-nobody", "AD-4: for no misbehaving source", "limit", but(ALL, "admission.misbehaving=0")),
    ("init-one-more", "for one more than the shared bucket has", "limit",
     but(ALL, "admission.misbehaving=2")),
    ("init-shared-rate", "a shared rate one too low", "limit",
     but(ALL, "admission.shared.rate_per_s=1999")),
    ("init-shared-burst", "a shared burst one too low", "limit",
     but(ALL, "admission.shared.burst=3")),
    ("init-verify-rate", "more are admitted than verified", "limit",
     but(ALL, "admission.verify.rate_per_s=999")),
    ("init-verify-burst", "the same at once", "limit", but(ALL, "admission.verify.burst=1")),
    ("init-unlimited", "by name", "accepted", f"arn.port={PORT} {LIST} admission.unlimited=1"),
]
