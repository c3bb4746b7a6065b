# SPDX-License-Identifier: BSD-2-Clause
"""
An independent model of an SRv6 domain's provider edge (role/srv6_pe.h). It writes
vectors/srv6_pe.vec, with packets to END.CON, to the egress and to a node in between, and with
packets that enter the domain.

Each frame is composed from its fields, with a verdict written by hand from a statement of
draft-hu-rtgwg-rocev2-fcn-00, 4.2, RFC 8986, RFC 8754 or RFC 6040. The nodes below read the
bytes and must come to the same verdict. Their packets complete the rows. After a verdict come
the reason for bad_arrival, and the ICMP error as type, code and value. Nothing comes from
rocecc's C.

    python3 vectors/model/srv6_pe.py            writes vectors/srv6_pe.vec
    python3 vectors/model/srv6_pe.py --check    compares it instead
"""
import pathlib
import struct
import sys
import textwrap
from ipaddress import IPv6Address, IPv6Network

VECTORS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(VECTORS), str(VECTORS / "model")]
import arrival
from arrival import DSTOPTS, FRAGMENT, HIP, HOPOPTS, MOBILITY, ROUTING, SHIM6
from reaction_rows import (HOST, MACS, PLAIN, SWITCH, auth, checksum, datagram, fast,
                           fragment, frame, odd_header, option, options, ordinary, packed,
                           spoiled)

PATH = VECTORS / "srv6_pe.vec"
END_CON, R1, R2, EGRESS = ("2001:db8:c0::c", "2001:db8:f1::e", "2001:db8:f2::e",
                           "2001:db8:e0::d46")
DOMAIN = IPv6Network("2001:db8:ffff::/48")
SWITCH4 = IPv6Network("::ffff:10.9.0.0/112")
CONFIG = (f"end_con={END_CON} fastcnp.type_plain=0x9e fastcnp.type_ioam=0x9f "
          f"access[0].prefix={SWITCH4[0]} access[0].length=112 access[0].permit=1 "
          f"access[1].prefix={DOMAIN[0]} access[1].length=48 access[1].permit=1")

# ---- Frames --------------------------------------------------------------------------


def srh(left, *segments, last=None, tlvs=b""):
    """Returns an SRH without its first byte, the next header. The final segment comes first, as in
    the SRH's list."""
    body = b"".join(map(packed, segments)) + tlvs
    last = len(segments) - 1 if last is None else last
    return 43, bytes([len(body) // 8, 4, left, last, 0, 0, 0]) + body, b""


def outer(inner, *exts, src=SWITCH, dst=END_CON, hops=64, ecn=0, dscp=48, label=0, proto=None):
    last = proto if proto is not None else (4 if inner[0] >> 4 == 4 else 41)
    following = [e[0] for e in exts[1:]] + [last]
    chain = b"".join(bytes([n]) + e[1] for n, e in zip(following, exts))
    word = 6 << 28 | dscp << 22 | ecn << 20 | label
    return struct.pack(">IHBB", word, len(chain) + len(inner), exts[0][0] if exts else last,
                       hops) + packed(src) + packed(dst) + chain + inner


def data4(**given):
    return datagram(**{"src": "::ffff:10.0.0.1", "dst": "::ffff:10.0.0.2", "opcode": 4, **given})


def cnp4(**given):
    return ordinary(**{"src": "::ffff:10.9.0.1", "dst": "::ffff:10.0.0.2", **given})


def poked(ip, at, *values):
    return ip[:at] + bytes(values) + ip[at + len(values):]


# ---- The nodes, from bytes -----------------------------------------------------------


class Final(Exception):
    """A verdict that no later step changes, with the reason, the ICMP error, and the offset of
    the IP header in question."""

    def __init__(self, verdict, reason="ok", error=None, at=0):
        super().__init__(verdict)
        self.verdict, self.reason, self.error, self.at = verdict, reason, error, at


def headers(ip):
    """Returns IPv6 extension headers as (type, bytes, offset), and then the protocol and the
    offset of the payload."""
    found, kind, upper = [], ip[6], 40
    for known, at, body, _ in arrival.chain(ip):
        found.append((known, body, at))
        kind, upper = body[0], at + len(body)
    return found, kind, upper


def check_arrival(ip, at, node, groups=False):
    reason, error = arrival.check(ip[at:], node, groups)
    if reason != "ok":
        raise Final("bad_arrival", reason, error, at)


def expire(ip, at):
    """Raises Final with Time Exceeded for the IP header at `at` (RFC 4443, 3.3; RFC 792)."""
    raise Final("no_hops_left", error=(3 if ip[at] >> 4 == 6 else 11, 0, 0), at=at)


def step(ip, ecn, hops):
    """Returns the packet with this ECN and hop limit."""
    if ip[0] >> 4 == 6:
        return poked(ip, 1, ip[1] & 0xcf | ecn << 4)[:7] + bytes([hops]) + ip[8:]
    size = 4 * (ip[0] & 15)
    head = ip[:1] + bytes([ip[1] & 0xfc | ecn]) + ip[2:8] + bytes([hops]) + ip[9:10]
    head += bytes(2) + ip[12:size]
    return head[:10] + checksum(head) + head[12:] + ip[size:]


def fields(ip):
    """Returns ECN, hop limit, length, source and destination. IPv4 becomes ::ffff:a.b.c.d."""
    if ip[0] >> 4 == 6:
        return (ip[1] >> 4 & 3, ip[7], 40 + struct.unpack(">H", ip[4:6])[0],
                IPv6Address(ip[8:24]), IPv6Address(ip[24:40]))
    mapped = bytes(10) + b"\xff\xff"
    return (ip[1] & 3, ip[8], struct.unpack(">H", ip[2:4])[0],
            IPv6Address(mapped + ip[12:16]), IPv6Address(mapped + ip[16:20]))


def is_fastcnp(ip):
    """Returns true for a Fast CNP with the form of FC-08 (R-CON-8)."""
    if ip[0] >> 4 != 6:
        return False
    found, proto, at = headers(ip)
    if [kind for kind, _, _ in found] != [DSTOPTS] or found[0][1].count(PLAIN) != 1:
        return False
    return (proto == 17 and len(ip) == at + 40 and ip[at + 2:at + 6] == b"\x12\xb7\0\x28" and
            ip[at + 8] == 0x81)


def listed(address):
    return address in DOMAIN or address in SWITCH4


def merged(inner, ecn):
    """Returns the ECN field after decapsulation, or None if the packet must be dropped (RFC 6040,
    Figure 4). `ecn` is the outer field. The values 0 to 3 are Not-ECT, ECT(1), ECT(0) and CE."""
    return [[0, 0, 0, None], [1, 1, 1, 3], [2, 1, 2, 3], [3, 3, 3, 3]][inner][ecn]


def at_sid(ip, sid):
    """Runs the steps that all SIDs share. Returns the extension headers, and then
    the protocol and the offset of the payload."""
    if ip[0] >> 4 != 6 or ip[24:40] != packed(sid):
        raise Final("other")
    check_arrival(ip, 0, "sid")
    return headers(ip)


def take_upper(kind, at):
    """Raises Final for the payload of a packet without a segment left (RFC 8986, 4.1.1)."""
    if kind == 58:
        raise Final("host")
    raise Final("unexpected_upper", error=(4, 4, at))


def tunnel_end(ip, sid, groups):
    """Checks a packet in a tunnel (RFC 8986, 4.8). Returns the offset of the inner packet."""
    found, kind, at = at_sid(ip, sid)
    for known, body, where in found:
        if known == ROUTING and body[3]:
            raise Final("bad", error=(4, 0, where + 3))
    if any(known == FRAGMENT and arrival.number(body[2:4]) & 0xfff9
           for known, body, _ in found):
        raise Final("bad")
    if kind not in (4, 41):
        take_upper(kind, at)
    inner = ip[at:]
    if inner[0] >> 4 != (4 if kind == 4 else 6) or len(inner) < fields(inner)[2]:
        raise Final("bad")
    check_arrival(ip, at, "forwarder", groups)
    return at


def leave(ip, at):
    """Returns the inner packet with the merged ECN field and one hop less."""
    ecn, hops = fields(ip[at:])[:2]
    ecn = merged(ecn, fields(ip)[0])
    if ecn is None:
        raise Final("ecn_conflict")
    if hops <= 1:
        expire(ip, at)
    return step(ip[at:], ecn, hops - 1)


def end_con(ip, settings):
    opened = "open=1" in settings
    at = tunnel_end(ip, END_CON, opened)
    src, dst = fields(ip[at:])[3:]
    if not opened:
        if not is_fastcnp(ip[at:]):
            raise Final("not_cnp")
        if dst == IPv6Address(END_CON):
            raise Final("bad_destination")
        if not listed(src):
            raise Final("access_denied")
        if fields(ip)[3] != src and not listed(fields(ip)[3]):
            raise Final("bad_source")
    return leave(ip, at)


def egress(ip, settings):
    """Decapsulates a packet at EGRESS (R-ECN-3). Packets to groups are forwarded, too."""
    return leave(ip, tunnel_end(ip, EGRESS, True))


def end(ip, settings):
    """Handles a packet at R1 (RFC 8986, 4.1)."""
    found, kind, last = at_sid(ip, R1)
    routing = [(body, at) for known, body, at in found if known == ROUTING and body[2] == 4]
    if not routing or routing[0][0][3] == 0:
        take_upper(kind, last)
    body, at = routing[0]
    max_le = body[1] // 2 - 1
    if body[4] > max_le or body[3] > body[4] + 1:
        raise Final("bad", error=(4, 0, at + 3))
    if ip[7] <= 1:
        expire(ip, 0)
    left = body[3] - 1
    out = poked(ip, at + 3, left)
    out = poked(out, 7, ip[7] - 1)
    return poked(out, 24, *body[8 + 16 * left:24 + 16 * left])


def ingress(ip, settings, policy, mtu):
    """Encapsulates a packet (R-ECN-1, R-CON-3; RFC 2473, 3.1 and 7), with a reduced SRH if
    `reduced` is set (RFC 8754, 4.1.1)."""
    ecn, hops, length, _, _ = fields(ip)
    if hops <= 1:
        expire(ip, 0)
    routed = policy[:-1] if "reduced=1" in settings else policy
    exts = [srh(len(policy) - 1, *routed)] if routed else []
    dscp = 0
    if "copy_dscp=1" in settings:
        dscp = ip[1] >> 2 if ip[0] >> 4 == 4 else struct.unpack(">H", ip[:2])[0] >> 6 & 63
    if routed:
        exts[0] = (43, exts[0][1], b"")
    out = outer(step(ip, ecn, hops - 1), *exts, src=END_CON, dst=policy[-1], dscp=dscp,
                ecn=0 if "compatibility=1" in settings else ecn, label=0x54321)
    most = max(mtu - (len(out) - length), 1280 if ip[0] >> 4 == 6 else 68)
    if mtu != 0 and length > most:  # RFC 4443, 3.2; RFC 1191, 4
        raise Final("too_big", error=(2, 0, most) if ip[0] >> 4 == 6 else (3, 4, most))
    return out


# ---- Rows ----------------------------------------------------------------------------

SKIP = options(HOPOPTS, option(0x1e, bytes(4)))
ASK = options(HOPOPTS, option(0xde, bytes(4)))
ASK_DST = options(DSTOPTS, option(0x9e, bytes(4)))
SILENT = options(DSTOPTS, option(0x5e, bytes(4)))
OVERRUN = options(HOPOPTS, bytes([0x1e, 9, 0, 0, 0, 0]), words=0)
OTHER_ROUTING = ROUTING, bytes([0, 253, 1]) + bytes(4), b""
ELSEWHERE, LINK = "2001:db8:bad::1", "fe80::1"
SOURCE, DESTINATION = "bad_arrival bad_source", "bad_arrival bad_destination"
HEADER, OPTION = "bad_arrival unknown_header 4/1/6", "bad_arrival unknown_option 4/2/42"


def arrivals(name, make):
    """Returns rows of packets that may not arrive at any SID. `make` composes such a packet."""
    sources = [("zero", "::"), ("loopback", "::1"), ("group", "ff02::1"), ("link", LINK),
               ("mapped", "::ffff:c000:201")]
    kinds = [("mobility", odd_header(MOBILITY)), ("hip", odd_header(HIP)),
             ("shim6", odd_header(SHIM6)), ("ah", auth())]
    whole = make()
    return [(f"{name}-from-{what}", f"from {src}", SOURCE, make(src=src))
            for what, src in sources] + [
        (f"{name}-header-{what}", f"{what} in front", HEADER, make(ext))
        for what, ext in kinds] + [
        (f"{name}-from-itself", "from the SID itself", SOURCE,
         poked(whole, 8, *whole[24:40])),
        (f"{name}-length", "IP goes beyond the bytes", "bad_arrival partial",
         poked(whole, 4, *struct.pack(">H", len(whole) - 39))),
        (f"{name}-option-hbh", "an outer option that says discard, and answer", OPTION,
         make(ASK)),
        (f"{name}-option-dst", "the same of Destination Options", OPTION, make(ASK_DST)),
        (f"{name}-option-silent", "act 01: no answer", "bad_arrival unknown_option",
         make(SILENT)),
        (f"{name}-option-overrun", "an option beyond its header",
         "bad_arrival bad_options 4/0/42", make(OVERRUN)),
        (f"{name}-option-hbh-second", "Hop-by-Hop is not the first",
         "bad_arrival unknown_header 4/1/40", make(options(DSTOPTS), ASK)),
        (f"{name}-routing", "a Routing header that nobody knows, and a segment is left",
         "bad_arrival segments_left 4/0/42", make(OTHER_ROUTING)),
    ]


def inside(name, make4, make6):
    """Returns rows of packets that may not be forwarded from a tunnel. make4 and make6 compose
    the tunnel and the inner packet."""
    nobody = [("zero", "0.0.0.0", "::"), ("loopback", "127.0.0.1", "::1"),
              ("reserved", "240.0.0.1", "::ffff:c000:201"), ("link", "169.254.0.1", LINK),
              ("link-group", "224.0.0.1", "ff02::1"), ("node-group", "224.0.0.9", "ff01::1")]
    rows = []
    for what, four, six in nobody:
        rows += [(f"{name}-src-{what}-4", f"inside from {four}", SOURCE,
                  make4(src="::ffff:" + four)),
                 (f"{name}-dst-{what}-4", f"inside to {four}", DESTINATION,
                  make4(dst="::ffff:" + four)),
                 (f"{name}-src-{what}", f"inside from {six}", SOURCE, make6(src=six)),
                 (f"{name}-dst-{what}", f"inside to {six}", DESTINATION, make6(dst=six))]
    return rows + [
        (f"{name}-src-group", "inside from a group", SOURCE, make6(src="ff0e::9")),
        (f"{name}-src-group-4", "the same over IPv4", SOURCE,
         make4(src="::ffff:239.1.2.3")),
        (f"{name}-dst-broadcast", "inside to all", DESTINATION,
         make4(dst="::ffff:255.255.255.255")),
        (f"{name}-src-dst", "inside from where it goes", SOURCE,
         make6(src=HOST, dst=HOST)),
        (f"{name}-src-dst-4", "the same over IPv4", SOURCE,
         make4(src="::ffff:10.0.0.9", dst="::ffff:10.0.0.9")),
        (f"{name}-option-0", "inside, an IPv4 option of 0 bytes",
         "bad_arrival bad_options 12/0/20", make4(options=bytes.fromhex("44000000"))),
        (f"{name}-option-overrun-4", "and one beyond the header",
         "bad_arrival bad_options 12/0/21", make4(options=bytes.fromhex("01440400"))),
    ]


CON = [
    ("R-CON-5-e10", "a switch's Fast CNP, as R-CON-4 and R-CON-9 have it", "forward",
     outer(fast())),
    ("R-CON-10-srh", "the same by an SRH, whose last segment END.CON is", "forward",
     outer(fast(), srh(0, END_CON, R1))),
    ("R-CON-11-left", "a segment is left", "bad 4/0/43", outer(fast(), srh(1, END_CON, R1))),
    ("R-CON-5-other", "to another SID", "other", outer(fast(), dst=EGRESS)),
    ("R-CON-11-ordinary", "an ordinary CNP, of a source on the list", "not_cnp",
     outer(ordinary(src=SWITCH, dst=HOST))),
    ("R-CON-11-ordinary-any", "an ordinary CNP, of anybody", "not_cnp", outer(ordinary())),
    ("R-CON-11-data", "data", "not_cnp", outer(datagram(opcode=4))),
    ("R-CON-11-ack", "an ACK with the option", "not_cnp", outer(fast(opcode=0x11))),
    ("R-CON-11-port", "another port", "not_cnp", outer(fast(dport=4790))),
    ("R-CON-11-longer", "a CNP with more than one is", "not_cnp",
     outer(fast(body=bytes(20)))),
    ("R-CON-8-two", "two options: FC-08 has one", "not_cnp", outer(fast(PLAIN, PLAIN))),
    ("R-CON-8-routed", "inside, an SRH that leads on", "not_cnp",
     outer(datagram(ext=[(43, srh(1, HOST, R2)[1], srh(1, HOST, R2)[1]),
                         options(DSTOPTS, PLAIN)]))),
    ("R-CON-8-v4", "a CNP over IPv4, of a source on the list: no Fast CNP", "not_cnp",
     outer(cnp4())),
    ("R-CON-8-v4-tunnel", "the same from anybody, in anybody's tunnel", "not_cnp",
     outer(cnp4(src="::ffff:10.8.0.1"), src=ELSEWHERE)),
    ("R-CON-8-v4-data", "data over IPv4", "not_cnp", outer(data4())),
    ("R-CON-8-v4-group", "a CNP over IPv4 to a group", DESTINATION,
     outer(cnp4(dst="::ffff:224.0.0.1"))),
    ("R-CON-8-v4-checksum", "and one with a bit of its header checksum wrong",
     "bad_arrival bad_checksum", outer(spoiled(cnp4()))),
    ("FC-19-inner", "a source that is not on the list", "access_denied",
     outer(fast(src=ELSEWHERE))),
    ("FC-19-both", "the same in its own tunnel", "access_denied",
     outer(fast(src=ELSEWHERE), src=ELSEWHERE)),
    ("R-CON-9-tunnel", "a listed source in anybody's tunnel", "bad_source",
     outer(fast(), src=ELSEWHERE)),
    ("R-CON-9-other-switch", "in the tunnel of another switch", "forward",
     outer(fast(), src="2001:db8:ffff:7::9")),
    ("R-CON-11-group", "to a group", DESTINATION, outer(fast(dst="ff02::1"))),
    ("R-CON-11-loopback", "to the PE's own loopback", DESTINATION, outer(fast(dst="::1"))),
    ("R-CON-11-again", "to END.CON again", "bad_destination", outer(fast(dst=END_CON))),
    ("ip6-option-skip", "an outer option that says skip", "forward", outer(fast(), SKIP)),
    ("upper-udp", "UDP for END.CON itself: RFC 8986, 4.1.1", "unexpected_upper 4/4/40",
     outer(fast(), proto=17)),
    ("upper-none", "no next header", "unexpected_upper 4/4/40", outer(fast(), proto=59)),
    ("upper-icmp6", "ICMPv6 about a tunnel", "host", outer(fast(), proto=58)),
    ("R-ECN-3-ce", "CE outside, Not-ECT inside: RFC 6040, 4.2", "ecn_conflict", outer(fast(), ecn=3)),
    ("R-ECN-3-ect", "ECT(0) outside: forwarded as Not-ECT", "forward", outer(fast(), ecn=2)),
    ("hops-1", "one hop is none to forward with", "no_hops_left 3/0/0", outer(fast(hops=1))),
    ("version", "inside is not what the outer header says", "bad",
     outer(poked(fast(), 0, 0x4c), proto=41)),
    ("longer", "what is inside is longer than what is around it", "bad",
     outer(poked(fast(), 5, len(fast()) - 39))),
    ("first-fragment", "a first fragment is not reassembled", "bad",
     outer(fast(), fragment(0, 1))),
    ("atomic-fragment", "an atomic one is whole: RFC 6946", "forward",
     outer(fast(), fragment(0, 0))),
    ("inside-ah", "AH inside is for the host, and no Fast CNP", "not_cnp",
     outer(datagram(ext=[auth(), options(DSTOPTS, PLAIN)]))),
    ("order-inside", "inside, a group before data", DESTINATION,
     outer(datagram(opcode=4, dst="ff0e::1"))),
    ("order-segments", "a segment left before a link-local address inside", "bad 4/0/43",
     outer(fast(dst=LINK), srh(1, END_CON, R1))),
] + arrivals("con", lambda *exts, **given: outer(fast(), *exts, **given)) + inside(
    "con", lambda **given: outer(cnp4(**given)), lambda **given: outer(fast(**given)))
OPEN = [
    ("R-CON-2-data", "whatever comes is decapsulated", "forward",
     outer(datagram(opcode=4, ecn=2), src=ELSEWHERE, ecn=3)),
    ("R-CON-2-v4", "IPv4 as well: its checksum is right at once", "forward",
     outer(data4(ecn=1), ecn=2)),
    ("R-CON-2-v4-cnp", "a CNP over IPv4", "forward", outer(cnp4())),
    ("R-CON-2-v4-route", "its source route is for the nodes on its way", "forward",
     outer(cnp4(options=bytes.fromhex("830704 0a000001 00")))),
    ("R-CON-2-v4-hops", "one hop", "no_hops_left 11/0/0", outer(cnp4(hops=1))),
    ("R-CON-2-options", "but options are obeyed", OPTION, outer(data4(), ASK)),
    ("R-CON-2-checksum", "what is inside needs a right checksum",
     "bad_arrival bad_checksum", outer(spoiled(data4()))),
    ("R-CON-2-group", "to a group", "forward", outer(datagram(opcode=4, dst="ff0e::1"))),
    ("R-CON-2-group-link", "to a group of a link", DESTINATION,
     outer(datagram(opcode=4, dst="ff02::1"))),
    ("R-CON-2-link", "from an address of a link", SOURCE,
     outer(datagram(opcode=4, src=LINK))),
    ("R-CON-2-ah", "AH inside is for the host", "forward",
     outer(datagram(opcode=4, ext=[auth()]))),
]
# The egress accepts data, but END.CON in strict mode does not.
OUT = [
    ("R-ECN-3-out", "data leaves the domain", "forward",
     outer(datagram(opcode=4, ecn=2), dst=EGRESS, ecn=3)),
    ("R-ECN-3-out-4", "and over IPv4", "forward", outer(data4(ecn=1), dst=EGRESS, ecn=3)),
    ("R-ECN-3-out-not-ect", "Not-ECT inside, CE outside", "ecn_conflict",
     outer(data4(), dst=EGRESS, ecn=3)),
    ("R-ECN-3-out-other", "to another SID", "other", outer(data4(), dst=END_CON)),
    ("R-ECN-3-out-left", "a segment is left", "bad 4/0/43",
     outer(data4(), srh(1, EGRESS, R1), dst=EGRESS)),
    ("R-ECN-3-out-udp", "no packet in it", "unexpected_upper 4/4/40",
     outer(data4(), dst=EGRESS, proto=17)),
    ("R-ECN-3-out-hops", "one hop", "no_hops_left 3/0/0",
     outer(datagram(opcode=4, hops=1), dst=EGRESS)),
    ("R-ECN-3-out-hops-4", "the same over IPv4", "no_hops_left 11/0/0",
     outer(data4(hops=1), dst=EGRESS)),
    ("R-ECN-3-out-group", "to a group", "forward",
     outer(datagram(opcode=4, dst="ff0e::1"), dst=EGRESS)),
    ("R-ECN-3-out-group-4", "to a group over IPv4", "forward",
     outer(data4(dst="::ffff:239.1.2.3"), dst=EGRESS)),
    ("R-ECN-3-out-checksum", "a bit of the header checksum inside",
     "bad_arrival bad_checksum", outer(spoiled(data4()), dst=EGRESS)),
    ("R-ECN-3-out-route", "a source route inside is for the nodes on its way", "forward",
     outer(data4(options=bytes.fromhex("830704 0a000001 00")), dst=EGRESS)),
    ("R-ECN-3-out-fragment", "a fragment inside is forwarded", "forward",
     outer(data4(flags=1), dst=EGRESS)),
    ("R-ECN-3-out-option", "an option inside is for the host", "forward",
     outer(datagram(opcode=4, ext=[options(DSTOPTS, option(0xde))]), dst=EGRESS)),
] + inside("out", lambda **given: outer(data4(**given), dst=EGRESS),
           lambda **given: outer(datagram(opcode=4, **given), dst=EGRESS))
END = [
    ("RFC8986-4.1-next", "one segment is left: on to it", "forward",
     outer(fast(), srh(1, END_CON, R1), dst=R1)),
    ("RFC8986-4.1-two", "two are left of three", "forward",
     outer(fast(), srh(2, END_CON, R2, R1), dst=R1)),
    ("RFC8754-4.1.1-reduced", "a reduced SRH: one more is left than the last entry", "forward",
     outer(fast(), srh(1, END_CON), dst=R1)),
    ("RFC8986-4.1-last", "none is left, and another packet follows", "unexpected_upper 4/4/80",
     outer(fast(), srh(0, END_CON, R1), dst=R1)),
    ("RFC8986-4.1-icmp6", "none is left, and ICMPv6 follows", "host",
     outer(fast(), srh(0, END_CON, R1), dst=R1, proto=58)),
    ("RFC8986-4.1-none", "no SRH", "unexpected_upper 4/4/40", outer(fast(), dst=R1)),
    ("RFC8986-4.1-hops", "one hop", "no_hops_left 3/0/0",
     outer(fast(), srh(1, END_CON, R1), dst=R1, hops=1)),
    ("RFC8986-4.1-hops-2", "two hops", "forward",
     outer(fast(), srh(1, END_CON, R1), dst=R1, hops=2)),
    ("RFC8986-4.1-too-many", "more are left than the list has", "bad 4/0/43",
     outer(fast(), srh(3, END_CON, R1), dst=R1)),
    ("RFC8986-4.1-last-entry", "a last entry beyond the header", "bad 4/0/43",
     outer(fast(), srh(1, END_CON, R1, last=2), dst=R1)),
    ("RFC8986-4.1-other", "to another SID", "other",
     outer(fast(), srh(1, END_CON, R1), dst=R2)),
    ("RFC8200-4.2-end", "an option that says discard", OPTION,
     outer(fast(), ASK, srh(1, END_CON, R1), dst=R1)),
    ("RFC8986-4.1-tlv", "TLVs stay as they are", "forward",
     outer(fast(), srh(1, END_CON, R1, tlvs=bytes([4, 6]) + bytes(6)), dst=R1)),
    ("RFC8754-4.3.1-after", "headers after a segment that is left are for the next",
     "forward", outer(fast(), srh(1, END_CON, R1), ASK_DST, auth(), dst=R1)),
    ("RFC8754-4.3.1-none-left", "and for this node where none is left",
     "bad_arrival unknown_option 4/2/66", outer(fast(), srh(0, R1), ASK_DST, dst=R1)),
] + arrivals("end", lambda *exts, **given: outer(
    fast(), *exts, srh(1, END_CON, R1), dst=R1, **given))
DATA = {ecn: datagram(opcode=4, ecn=ecn, dscp=26) for ecn in range(4)}
TWO = (EGRESS, R2)
IN = [(f"R-ECN-1-{ecn}", f"the outer field is the inner one: {ecn}", "forward", DATA[ecn],
       TWO, 0) for ecn in range(4)] + [
    ("R-CON-3-one", "one segment, in an SRH", "forward", DATA[2], (EGRESS,), 0),
    ("RFC2473-hops-1", "one hop is none to enter with", "no_hops_left 3/0/0",
     datagram(opcode=4, hops=1), TWO, 0),
    ("RFC2473-hops-0", "nor is none", "no_hops_left 3/0/0", datagram(opcode=4, hops=0), TWO, 0),
    ("R-CON-3-v4", "IPv4 goes in, too", "forward", data4(ecn=2), TWO, 0),
    ("RFC2473-7-fits", "just as long as the way allows", "forward",
     data4(body=bytes(112)), TWO, 156 + 80),
    ("RFC2473-7-big", "one byte longer", "too_big 3/4/155", data4(body=bytes(112)), TWO,
     156 + 79),
    ("RFC2473-7-big-6", "the same of IPv6, for which 1280 always go", "too_big 2/0/1280",
     datagram(opcode=4, body=bytes(1281 - 64)), TWO, 1280),
    ("RFC2473-7-fits-6", "and 1280 go", "forward",
     datagram(opcode=4, body=bytes(1280 - 64)), TWO, 1280),
    ("RFC2473-hops-1-4", "one hop over IPv4", "no_hops_left 11/0/0", data4(hops=1), TWO, 0),
]
REFUSED = [
    ("R-CON-1-unset", "END.CON is not set", "sid", ""),
    ("R-CON-1-group", "END.CON is a group", "sid", "end_con=ff02::1"),
    ("R-CON-1-loopback", "END.CON is the loopback", "sid", "end_con=::1"),
    ("R-ECN-1-zero", "all 0 but END.CON: what the draft says", "accepted",
     f"end_con={END_CON}"),
    ("dscp-64", "a DSCP of seven bits", "dscp", f"end_con={END_CON} dscp=64"),
    ("FC-10-act", "a type of the plain kind whose act bits are 00", "types",
     f"end_con={END_CON} fastcnp.type_plain=0x1e"),
    ("FC-10-open", "which open does not ask for", "accepted",
     f"end_con={END_CON} fastcnp.type_plain=0x1e open=1"),
]
BLOCKS = [
    ("draft-hu-rtgwg-rocev2-fcn-00, 4.2.2; RFC 8986, 4.8: what END.CON lets through", CONFIG,
     "end_con", end_con, CON),
    ("the same where END.CON is not strict", CONFIG + " open=1", "end_con", end_con, OPEN),
    (f"RFC 6040, 4.2; RFC 4291, RFC 1122: the egress at {EGRESS}", f"end_con={EGRESS}",
     "egress", egress, OUT),
    ("RFC 8986, 4.1, at the SID 2001:db8:f1::e of a node in between", f"end_con={R1}", "end",
     end, END),
    ("draft-hu-rtgwg-rocev2-fcn-00, 4.2.1: the ingress, in normal mode", f"end_con={END_CON}",
     "encapsulate", ingress, IN),
    ("the same with reduced SRHs, and the DSCP of the packet",
     f"end_con={END_CON} reduced=1 copy_dscp=1", "encapsulate", ingress,
     [(i.replace("R-", "reduced-R-"), s, v, d, p, m) for i, s, v, d, p, m in IN[:5]]),
    ("RFC 6040, 4.1: compatibility mode", f"end_con={END_CON} compatibility=1", "encapsulate",
     ingress, [(i.replace("R-", "compatible-R-"), s.replace(
         "the outer field is the inner one", "the outer field is Not-ECT, the inner one is"),
         v, d, p, m) for i, s, v, d, p, m in IN[:4]]),
]


def judged(node, ip, settings, way):
    """Returns a node's verdict in the form of verdicts by hand, the packet that it sends, and all
    other results as a row spells them."""
    try:
        return "forward", node(ip, settings, *way), ["verdict=forward"]
    except Final as e:
        at = e.at if way else e.at + len(MACS) + 2
        told = {"verdict": e.verdict, **({"arrival": e.reason} if e.reason != "ok" else {}),
                **arrival.members(e.error, at)}
        return (arrival.spelled(e.verdict, e.reason, e.error), b"",
                [f"{name}={value}" for name, value in told.items()])


def lines():
    """Yields all lines of the file. Exits if the model differs from a verdict by hand."""
    seen = set()
    yield "# SPDX-License-Identifier: BSD-2-Clause"
    yield "# The provider edge of an SRv6 domain. Written by model/srv6_pe.py."
    for source, settings, name, node, rows in BLOCKS:
        yield f"\nsource: {source}"
        yield from (f"config {s}" for s in settings.split())
        for row_id, says, by_hand, ip, *way in rows:
            assert row_id not in seen, row_id
            seen.add(row_id)
            verdict, sent, told = judged(node, ip, settings, way)
            if verdict != by_hand:
                sys.exit(f"{row_id}: by hand {by_hand}, and the model says {verdict}")
            given = [f"policy={b''.join(map(packed, way[0])).hex()}", f"mtu_bytes={way[1]}",
                     "flow_label=0x54321"] if way else []
            data = ip if way else frame(ip)
            yield f"# {says}"
            yield wrapped(row_id, f"srv6_pe_{name}", data, given,
                          told + ([f"sent={sent.hex()}"] if sent else []))
    yield "\nsource: what a configuration must not be"
    for row_id, says, refusal, settings in REFUSED:
        yield f"# {says}"
        yield wrapped(row_id, "srv6_pe_init", b"", settings.split(), [f"refusal={refusal}"])


def wrapped(row_id, call, data, given, gives):
    return "\n".join(textwrap.wrap(
        " ".join([row_id, "call", call, "ok", *(data[i:i + 16].hex()
                                                for i in range(0, len(data), 16)),
                  *([] if data else ["-"]), "|", *given, "->", *gives]), 92,
        subsequent_indent="    ", break_long_words=False, break_on_hyphens=False))


def main():
    text = "\n".join(lines()) + "\n"
    if "--check" not in sys.argv[1:]:
        PATH.write_text(text, "ascii")
        return
    if PATH.read_text("ascii") != text:
        sys.exit("srv6_pe.vec is not what its model writes")
    print(f"vectors: srv6_pe: {text.count(' call ')} rows, each as by hand and as the model "
          "writes it")


if __name__ == "__main__":
    main()
