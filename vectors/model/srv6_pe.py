# SPDX-License-Identifier: BSD-2-Clause
"""
The provider edge of an SRv6 domain (role/srv6_pe.h), once more and slowly, and the rows of
vectors/srv6_pe.vec: what comes to END.CON, to a node in between, and what goes in.

Each frame is composed from its fields, with the verdict written beside it by hand, from a
statement of draft-hu-rtgwg-rocev2-fcn-00, 4.2, RFC 8986, RFC 8754 or RFC 6040. The nodes
below read the bytes and judge: they have to come to the same verdict, and what they send
makes the row. Nothing comes from rocecc's C.

    python3 vectors/model/srv6_pe.py            writes vectors/srv6_pe.vec
    python3 vectors/model/srv6_pe.py --check    compares it instead
"""
import pathlib
import struct
import sys
import textwrap
from ipaddress import IPv6Address, IPv6Network

VECTORS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(VECTORS))
from reaction_rows import (DSTOPTS, HOPOPTS, HOST, PLAIN, REMOTE, SWITCH, checksum, datagram,
                           fast, frame, option, options, ordinary, packed)

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
    """The final segment first, as it stands there; without its first byte."""
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


def headers(ip):
    """Of IPv6: extension headers as (type, bytes), what follows them, and where."""
    at, kind, found = 40, ip[6], []
    while kind in (HOPOPTS, 43, DSTOPTS):
        size = 8 * ip[at + 1] + 8
        found.append((kind, ip[at:at + size]))
        kind, at = ip[at], at + size
    return found, kind, at


def unknown_option(found):
    """Whether an option that nobody knows says more than skip: RFC 8200, 4.2."""
    for kind, body in found:
        at = 2
        while kind != 43 and at < len(body):
            if body[at] >> 6:
                return True
            at += 1 if body[at] == 0 else 2 + body[at + 1]
    return False


def step(ip, ecn, hops):
    """The packet with this ECN and these hops."""
    if ip[0] >> 4 == 6:
        return poked(ip, 1, ip[1] & 0xcf | ecn << 4)[:7] + bytes([hops]) + ip[8:]
    head = ip[:1] + bytes([ip[1] & 0xfc | ecn]) + ip[2:8] + bytes([hops]) + ip[9:10]
    head += bytes(2) + ip[12:20]
    return head[:10] + checksum(head) + head[12:] + ip[20:]


def fields(ip):
    """ECN, hops, length, source, destination; IPv4 as ::ffff:a.b.c.d."""
    if ip[0] >> 4 == 6:
        return (ip[1] >> 4 & 3, ip[7], 40 + struct.unpack(">H", ip[4:6])[0],
                IPv6Address(ip[8:24]), IPv6Address(ip[24:40]))
    mapped = bytes(10) + b"\xff\xff"
    return (ip[1] & 3, ip[8], struct.unpack(">H", ip[2:4])[0],
            IPv6Address(mapped + ip[12:16]), IPv6Address(mapped + ip[16:20]))


def is_cnp(ip, settings):
    """R-CON-8: a Fast CNP as FC-08 has it; of IPv4 any CNP, where that is asked for."""
    if ip[0] >> 4 == 4:
        at, proto = 20, ip[9]
        if "con_ipv4=1" not in settings:
            return False
    else:
        found, proto, at = headers(ip)
        if [kind for kind, _ in found] != [DSTOPTS]:
            return False
        if found[0][1].count(PLAIN) != 1:
            return False
    return (proto == 17 and len(ip) == at + 40 and ip[at + 2:at + 6] == b"\x12\xb7\0\x28" and
            ip[at + 8] == 0x81)


def is_host(address):
    v4 = address.ipv4_mapped
    if v4 is not None:
        return not (v4.is_multicast or v4.is_loopback or v4.is_unspecified)
    return not (address.is_multicast or address.is_loopback or address.is_unspecified)


def listed(address):
    return address in DOMAIN or address in SWITCH4


def merged(inner, ecn):
    """RFC 6040, Figure 4; None is drop. By value: Not-ECT, ECT(1), ECT(0), CE."""
    return [[0, 0, 0, None], [1, 1, 1, 3], [2, 1, 2, 3], [3, 3, 3, 3]][inner][ecn]


def at_sid(ip, sid):
    """What is the same at each SID: a verdict, or where what follows the headers is."""
    if fields(ip)[4] != IPv6Address(sid):
        return "other", None
    found, kind, at = headers(ip)
    if unknown_option(found):
        return "unknown_option", None
    return None, (found, kind, at)


def end_con(ip, settings):
    verdict, rest = at_sid(ip, END_CON)
    if verdict is not None:
        return verdict, b""
    found, kind, at = rest
    if any(body[3] for k, body in found if k == 43):
        return "bad", b""
    if kind not in (4, 41):
        return ("host" if kind == 58 else "unexpected_upper"), b""
    inner = ip[at:]
    if inner[0] >> 4 != (4 if kind == 4 else 6) or len(inner) < fields(inner)[2]:
        return "bad", b""
    ecn, hops, _, src, dst = fields(inner)
    if "open=1" not in settings:
        if not is_cnp(inner, settings):
            return "not_cnp", b""
        if not is_host(dst) or dst == IPv6Address(END_CON):
            return "bad_destination", b""
        if not listed(src):
            return "access_denied", b""
        if fields(ip)[3] != src and not listed(fields(ip)[3]):
            return "bad_source", b""
    if merged(ecn, fields(ip)[0]) is None:
        return "ecn_conflict", b""
    if hops <= 1:
        return "no_hops_left", b""
    return "forward", step(inner, merged(ecn, fields(ip)[0]), hops - 1)


def end(ip, settings):
    """RFC 8986, 4.1, at R1."""
    verdict, rest = at_sid(ip, R1)
    if verdict is not None:
        return verdict, b""
    found, kind, _ = rest
    routing = [body for k, body in found if k == 43]
    if not routing or routing[0][3] == 0:
        return ("host" if kind == 58 else "unexpected_upper"), b""
    body = routing[0]
    max_le = body[1] // 2 - 1
    if body[4] > max_le or body[3] > body[4] + 1:
        return "bad", b""
    if ip[7] <= 1:
        return "no_hops_left", b""
    at = ip.index(body)
    left = body[3] - 1
    out = poked(ip, at + 3, left)
    out = poked(out, 7, ip[7] - 1)
    return "forward", poked(out, 24, *body[8 + 16 * left:24 + 16 * left])


def ingress(ip, settings, policy, mtu):
    """R-ECN-1, R-CON-3; RFC 2473, 3.1 and 7; RFC 8754, 4.1.1 where it is reduced."""
    ecn, hops, length, _, _ = fields(ip)
    if hops <= 1:
        return "no_hops_left", b""
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
    return ("forward", out) if mtu == 0 or length <= most else ("too_big", b"")


# ---- Rows ----------------------------------------------------------------------------

BAD_SRH = (HOPOPTS, bytes([0]) + option(0x1e, bytes(4)), b"")
ASK = (HOPOPTS, bytes([0]) + option(0xde, bytes(4)), b"")
ASK_DST = (DSTOPTS, bytes([0]) + option(0x9e, bytes(4)), b"")
ELSEWHERE = "2001:db8:bad::1"

CON = [
    ("R-CON-5-e10", "a switch's Fast CNP, as R-CON-4 and R-CON-9 have it", "forward",
     outer(fast())),
    ("R-CON-10-srh", "the same by an SRH, whose last segment END.CON is", "forward",
     outer(fast(), srh(0, END_CON, R1))),
    ("R-CON-11-left", "a segment is left", "bad", outer(fast(), srh(1, END_CON, R1))),
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
    ("R-CON-8-v4", "a CNP over IPv4, which nobody asked for", "not_cnp", outer(cnp4())),
    ("FC-19-inner", "a source that is not on the list", "access_denied",
     outer(fast(src=ELSEWHERE))),
    ("FC-19-both", "the same in its own tunnel", "access_denied",
     outer(fast(src=ELSEWHERE), src=ELSEWHERE)),
    ("R-CON-9-tunnel", "a listed source in anybody's tunnel", "bad_source",
     outer(fast(), src=ELSEWHERE)),
    ("R-CON-9-other-switch", "in the tunnel of another switch", "forward",
     outer(fast(), src="2001:db8:ffff:7::9")),
    ("R-CON-11-group", "to a group", "bad_destination", outer(fast(dst="ff02::1"))),
    ("R-CON-11-loopback", "to the PE's own loopback", "bad_destination", outer(fast(dst="::1"))),
    ("R-CON-11-again", "to END.CON again", "bad_destination", outer(fast(dst=END_CON))),
    ("ip6-option-hbh", "an outer option that says discard, and answer", "unknown_option",
     outer(fast(), ASK)),
    ("ip6-option-dst", "the same of Destination Options", "unknown_option", outer(fast(), ASK_DST)),
    ("ip6-option-skip", "one that says skip", "forward", outer(fast(), BAD_SRH)),
    ("upper-udp", "UDP for END.CON itself: RFC 8986, 4.1.1", "unexpected_upper",
     outer(fast(), proto=17)),
    ("upper-none", "no next header", "unexpected_upper", outer(fast(), proto=59)),
    ("upper-icmp6", "ICMPv6 about a tunnel", "host", outer(fast(), proto=58)),
    ("R-ECN-3-ce", "CE outside, Not-ECT inside: RFC 6040, 4.2", "ecn_conflict", outer(fast(), ecn=3)),
    ("R-ECN-3-ect", "ECT(0) outside: forwarded as Not-ECT", "forward", outer(fast(), ecn=2)),
    ("hops-1", "one hop is none to forward with", "no_hops_left", outer(fast(hops=1))),
    ("version", "inside is not what the outer header says", "bad",
     outer(poked(fast(), 0, 0x4c), proto=41)),
    ("longer", "what is inside is longer than what is around it", "bad",
     outer(poked(fast(), 5, len(fast()) - 39))),
]
CON4 = [
    ("R-CON-8-v4-on", "a CNP over IPv4 from a source on the list", "forward", outer(cnp4())),
    ("R-CON-8-v4-data", "data over IPv4", "not_cnp", outer(data4())),
    ("R-CON-8-v4-source", "a CNP over IPv4 from anybody", "access_denied",
     outer(cnp4(src="::ffff:10.8.0.1"))),
    ("R-CON-8-v4-tunnel", "the same from a source on the list, in anybody's tunnel", "bad_source",
     outer(cnp4(), src=ELSEWHERE)),
    ("R-CON-8-v4-group", "to a group", "bad_destination",
     outer(cnp4(dst="::ffff:224.0.0.1"))),
    ("R-CON-8-v6", "an ordinary CNP over IPv6 still is none", "not_cnp",
     outer(ordinary(src=SWITCH, dst=HOST))),
]
OPEN = [
    ("R-CON-2-data", "whatever comes is decapsulated", "forward",
     outer(datagram(opcode=4, ecn=2), src=ELSEWHERE, ecn=3)),
    ("R-CON-2-v4", "IPv4 as well: its checksum is right at once", "forward",
     outer(data4(ecn=1), ecn=2)),
    ("R-CON-2-options", "but options are obeyed", "unknown_option", outer(data4(), ASK)),
]
END = [
    ("RFC8986-4.1-next", "one segment is left: on to it", "forward",
     outer(fast(), srh(1, END_CON, R1), dst=R1)),
    ("RFC8986-4.1-two", "two are left of three", "forward",
     outer(fast(), srh(2, END_CON, R2, R1), dst=R1)),
    ("RFC8754-4.1.1-reduced", "a reduced SRH: one more is left than the last entry", "forward",
     outer(fast(), srh(1, END_CON), dst=R1)),
    ("RFC8986-4.1-last", "none is left, and another packet follows", "unexpected_upper",
     outer(fast(), srh(0, END_CON, R1), dst=R1)),
    ("RFC8986-4.1-icmp6", "none is left, and ICMPv6 follows", "host",
     outer(fast(), srh(0, END_CON, R1), dst=R1, proto=58)),
    ("RFC8986-4.1-none", "no SRH", "unexpected_upper", outer(fast(), dst=R1)),
    ("RFC8986-4.1-hops", "one hop", "no_hops_left",
     outer(fast(), srh(1, END_CON, R1), dst=R1, hops=1)),
    ("RFC8986-4.1-hops-2", "two hops", "forward",
     outer(fast(), srh(1, END_CON, R1), dst=R1, hops=2)),
    ("RFC8986-4.1-too-many", "more are left than the list has", "bad",
     outer(fast(), srh(3, END_CON, R1), dst=R1)),
    ("RFC8986-4.1-last-entry", "a last entry beyond the header", "bad",
     outer(fast(), srh(1, END_CON, R1, last=2), dst=R1)),
    ("RFC8986-4.1-other", "to another SID", "other",
     outer(fast(), srh(1, END_CON, R1), dst=R2)),
    ("RFC8200-4.2-end", "an option that says discard", "unknown_option",
     outer(fast(), ASK, srh(1, END_CON, R1), dst=R1)),
    ("RFC8986-4.1-tlv", "TLVs stay as they are", "forward",
     outer(fast(), srh(1, END_CON, R1, tlvs=bytes([4, 6]) + bytes(6)), dst=R1)),
]
DATA = {ecn: datagram(opcode=4, ecn=ecn, dscp=26) for ecn in range(4)}
TWO = (EGRESS, R2)
IN = [(f"R-ECN-1-{ecn}", f"the outer field is the inner one: {ecn}", "forward", DATA[ecn],
       TWO, 0) for ecn in range(4)] + [
    ("R-CON-3-one", "one segment, in an SRH", "forward", DATA[2], (EGRESS,), 0),
    ("RFC2473-hops-1", "one hop is none to enter with", "no_hops_left",
     datagram(opcode=4, hops=1), TWO, 0),
    ("RFC2473-hops-0", "nor is none", "no_hops_left", datagram(opcode=4, hops=0), TWO, 0),
    ("R-CON-3-v4", "IPv4 goes in, too", "forward", data4(ecn=2), TWO, 0),
    ("RFC2473-7-fits", "just as long as the way allows", "forward",
     data4(body=bytes(112)), TWO, 156 + 80),
    ("RFC2473-7-big", "one byte longer", "too_big", data4(body=bytes(112)), TWO, 156 + 79),
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
    ("the same where CNPs over IPv4 are asked for", CONFIG + " con_ipv4=1", "end_con", end_con,
     CON4),
    ("the same where END.CON is not strict", CONFIG + " open=1", "end_con", end_con, OPEN),
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


def lines():
    """The whole file. Ends the program where the hand and the model disagree."""
    seen = set()
    yield "# SPDX-License-Identifier: BSD-2-Clause"
    yield "# The provider edge of an SRv6 domain. Written by model/srv6_pe.py."
    for source, settings, name, node, rows in BLOCKS:
        yield f"\nsource: {source}"
        yield from (f"config {s}" for s in settings.split())
        for row_id, says, by_hand, ip, *way in rows:
            assert row_id not in seen, row_id
            seen.add(row_id)
            verdict, sent = node(ip, settings, *way)
            if verdict != by_hand:
                sys.exit(f"{row_id}: by hand {by_hand}, and the model says {verdict}")
            given = [f"policy={b''.join(map(packed, way[0])).hex()}", f"mtu_bytes={way[1]}",
                     "flow_label=0x54321"] if way else []
            data = ip if way else frame(ip)
            yield f"# {says}"
            yield wrapped(row_id, f"srv6_pe_{name}", data, given,
                          [f"verdict={verdict}"] + ([f"sent={sent.hex()}"] if sent else []))
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
