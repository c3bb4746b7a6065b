# SPDX-License-Identifier: BSD-2-Clause
"""
Defines the rows of congestion_point.vec by hand. Each row has a frame composed from its
fields that met a congested queue, and a reason why its sender is notified or not. The
reasons follow draft-xiao-rtgwg-rocev2-fast-cnp-00, draft-hu-rtgwg-rocev2-fcn-00, 4.2,
draft-yu-tsvwg-l3qcn-00, 3.2, and role/README.md. model/congestion_point.py judges the bytes
again, builds the notifications, and writes the file.

An ID begins with the statement that the row is about.
"""
import struct

import reaction_rows as frames
from reaction_rows import (DSTOPTS, HOPOPTS, HOST, MACS, REMOTE, SWITCH, TRACE, UDP,
                           checksum, datagram, fragment, option, options, packed, padding,
                           routing)

TCP, ICMP, IP4, IP6 = 6, 1, 4, 41
HOST4, REMOTE4 = "::ffff:192.0.2.2", "::ffff:192.0.2.1"
END_CON, OTHER_CON, EGRESS = "2001:db8:c0::c", "2001:db8:c1::c", "2001:db8:f2::e"

# ---- Frames -------------------------------------------------------------------------


def data(**given):
    """Builds an RC SEND Only with 8 bytes and ECT(0), from HOST to REMOTE."""
    return datagram(**{"opcode": 0x04, "src": HOST, "dst": REMOTE, "byte4": 0, "dscp": 26,
                       "ecn": 2, "body": b"rocecc!!", **given})


def data4(**given):
    return data(src=HOST4, dst=REMOTE4, **given)


def traced(trace=b"\0\0" + TRACE, *more):
    """Builds the same with a Hop-by-Hop trace, aligned by RFC 9486."""
    return data(ext=[options(HOPOPTS, padding(2), option(0x31, trace), *more)])


def other(proto, rest, src=HOST, dst=REMOTE, flags=0):
    """Builds IP without RoCEv2. In IPv4, `flags` includes the fragment offset."""
    if "." in dst:
        head = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(rest), 7, flags, 64, proto,
                           0, packed(src)[12:], packed(dst)[12:])
        return head[:10] + checksum(head) + head[12:] + rest
    return struct.pack(">IHBB", 6 << 28, len(rest), proto, 64) + packed(src) + \
        packed(dst) + rest


def tcp(**given):
    rest = struct.pack(">HHIIHHHH", 8957, 21, 0x11223344, 0, 0x5010, 0x2000, 0, 0)
    return other(TCP, rest + bytes(range(22)), **given)


def udp(port, n=32, **given):
    return other(UDP, struct.pack(">HHHH", 0xc000, port, 8 + n, 0) + bytes(range(n)),
                 **given)


def tunnel(inner, src=END_CON, dst=EGRESS, segments=(), ecn=2):
    """Builds IP in IPv6, with an SRH if there are segments, the last one first."""
    proto = IP6 if inner[0] >> 4 == 6 else IP4
    rest = inner
    if segments:
        n = len(segments)
        rest = bytes([proto, 2 * n, 4, n - 1, n - 1, 0, 0, 0]) + \
            b"".join(map(packed, segments)) + inner
        proto = 43
    return struct.pack(">IHBB", 6 << 28 | ecn << 20 | 0x54321, len(rest), proto, 64) + \
        packed(src) + packed(dst) + rest


def tunnel4(inner):
    return other(IP6, inner, src="::ffff:198.51.100.1", dst="::ffff:198.51.100.2")


frame = frames.frame

# ---- Rows ---------------------------------------------------------------------------

# The statements of role/README.md that need rows here.
STATEMENTS = ["FC-01", "FC-02", "FC-04", "FC-06", "FC-07", "FC-08", "FC-09", "FC-10",
              "FC-11", "FC-12", "FC-13", "FC-14", "FC-15", "FC-17", "FC-18", "FC-21",
              "FC-22", "R-ECN-2", "R-CON-3", "R-CON-4", "R-CON-7", "R-CON-8", "R-CON-9",
              "R-CON-10", "R-CON-13", "R-L3-1", "R-L3-5", "R-L3-6", "R-L3-7", "R-L3-9",
              "R-L3-14", "R-L3-15", "R-L3-16"]

TYPES = "fastcnp.type_plain=0x9e fastcnp.type_ioam=0x9f"
ANYBODY = "access[0].prefix=:: access[0].length=0 access[0].permit=1"
CON = (f"tunnels[0].prefix={END_CON} tunnels[0].length=128 tunnels[0].permit=1"
       " tunnels[0].tag=4294967295")
FREE = "admission.unlimited=1"
BASE = f"answer=data cnp.src={SWITCH} {TYPES} {ANYBODY}"
ON = f"fastcnp_enabled=1 {BASE}"
QCN = (f"qcn_priorities=0x20 answer=data {ANYBODY} l3qcn.port=0xcafe"
       " l3qcn_outer.src_port=0xc0de msdu_bytes=64")
BOTH, TOLD, MARK = "fast_cnp+mark", "fast_cnp", "mark"


def row(row_id, says, reason, outputs, data, **given):
    return row_id, says, reason, outputs, data, given


def capability_rows():
    plain = frame(data())
    return [
        row("FC-01-unknown", "it may not know Fast CNPs: CE as well", "sent", BOTH, plain),
        row("FC-01-not", "it is known not to: CE alone", "not_capable", MARK, plain,
            sender_support="no"),
        row("FC-02-capable", "it knows them: no CE", "sent", TOLD, plain, sender_support="yes"),
        row("FC-02-capable-ioam", "of the other kind neither", "sent", TOLD,
            frame(traced()), sender_support="yes"),
        row("FC-01-pass", "no congestion, nothing to say", "not_asked", "", plain,
            verdict="pass"),
        row("FC-01-drop", "what is dropped is not answered", "not_asked", "drop", plain,
            verdict="drop"),
        row("FC-01-not-ect", "CE is not for Not-ECT (RFC 3168, 5)", "sent", BOTH,
            frame(data(ecn=0))),
        row("FC-01-ect-1", "ECT(1) is marked, too", "sent", BOTH, frame(data(ecn=1))),
        row("FC-01-ce", "CE stays", "sent", BOTH, frame(data(ecn=3))),
        row("FC-02-ce", "CE of another switch stays, and is no reason to be silent",
            "sent", TOLD, frame(data(ecn=3)), sender_support="yes"),
        row("FC-01-ipv4", "IPv4 is beyond the draft: CE", "not_data", MARK,
            frame(data4())),
        row("FC-01-tags", "tags do not matter", "sent", BOTH,
            frame(data(), (0x88a8, 7), (0x8100, 0x6123))),
    ]


def address_rows():
    bad = [("zero", "::"), ("loopback", "::1"), ("group", "ff02::1"),
           ("group-wide", "ff3e::8000:1"), ("mapped", "::ffff:192.0.2.1")]
    yield row("FC-04-source", "from the switch to the packet's source", "sent", BOTH,
              frame(data(src="2001:db8:1:2:3:4:5:6")))
    yield row("FC-06-switch", "its source is the switch and nobody else", "sent", TOLD,
              frame(data(src=REMOTE, dst=HOST)), sender_support="yes")
    for name, src in bad:
        ip = data()
        yield row(f"FC-04-{name}", "nobody has this address", "bad_source", MARK,
                  frame(ip[:8] + packed(src) + ip[24:]))
    for name, dst in bad:
        for opcode, kind in ((0x64, "ud"), (0x65, "ud-imm"), (0x04, "rc")):
            ip = data(opcode=opcode)
            yield row(f"FC-12-{name}-{kind}", "no host is the flow's receiver",
                      "bad_destination", MARK, frame(ip[:24] + packed(dst) + ip[40:]))
    yield row("FC-12-both", "the source comes first", "bad_source", MARK,
              frame(data(src="ff02::2", dst="ff02::1")))
    yield row("FC-12-ud", "UD to a host", "sent", BOTH, frame(data(opcode=0x64)))
    way = [routing(1, 0, REMOTE, EGRESS)]
    yield row("FC-12-srh", "on its way by segments: where it goes to in the end", "sent",
              BOTH, frame(data(dst=EGRESS, ext=way)))
    yield row("FC-12-srh-group", "to a group in the end", "bad_destination", MARK,
              frame(data(dst=EGRESS, ext=[routing(1, 0, "ff0e::1", EGRESS)])))
    for name, qp in (("zero", 0), ("last", 0xffffff), ("odd", 0x123456)):
        yield row(f"FC-07-{name}", "DestQP is that of the packet", "sent", TOLD,
                  frame(data(qp=qp)), sender_support="yes")
    yield row("FC-07-pkey", "and so is P_Key", "sent", TOLD, frame(data(pkey=0x1234)),
              sender_support="yes")
    yield row("FC-07-port", "and the UDP source port", "sent", TOLD,
              frame(data(sport=0xffff)), sender_support="yes")
    yield row("FC-07-bits", "no other bit of the BTH is", "sent", TOLD,
              frame(data(byte1=0xf0, byte4=0xff, byte8=0xff, psn=0xabcdef)), sender_support="yes")


def option_rows():
    full = bytes(2) + struct.pack(">HHI", 0, 1 << 11, 0x800000 << 8) + bytes(4 * 50)
    longest = bytes(2) + struct.pack(">HHI", 0, 1 << 11, 0x800000 << 8) + bytes(4 * 57)
    longer = bytes(2) + struct.pack(">HHI", 0, 1 << 11, 0x800000 << 8) + bytes(4 * 58)
    over = b"\1" + bytes([0x31, 42]) + bytes(12)
    space = bytes(2) + struct.pack(">HHI", 1, 1 << 11 | 2, 0x800000 << 8) + bytes(12)
    return [
        row("FC-08-plain", "one header, one option: of the plain kind", "sent", TOLD,
            frame(data()), sender_support="yes"),
        row("FC-09-trace", "the packet has a trace: the IOAM kind", "sent", TOLD,
            frame(traced()), sender_support="yes"),
        row("FC-15-incremental", "an incremental trace", "sent", TOLD,
            frame(traced(b"\0\1" + TRACE)), sender_support="yes"),
        row("FC-15-space", "room that no node has used is copied, too", "sent", TOLD,
            frame(traced(space)), sender_support="yes"),
        row("FC-15-empty", "a trace without nodes", "sent", TOLD,
            frame(traced(bytes(2) + struct.pack(">HHI", 1, 1 << 11, 0x800000 << 8))),
            sender_support="yes"),
        row("FC-15-long", "50 nodes", "sent", TOLD, frame(traced(full)), sender_support="yes"),
        row("FC-15-longest", "57 nodes: 238 bytes, and an address", "sent", TOLD,
            frame(traced(longest)), sender_support="yes"),
        row("FC-15-longer", "58 nodes do not fit an option with an address", "bad_options",
            MARK, frame(traced(longer)), sender_support="yes"),
        row("FC-15-two", "the first of two", "sent", TOLD,
            frame(traced(b"\0\0" + TRACE, padding(2), option(0x31, space))),
            sender_support="yes"),
        row("FC-09-other", "another option is no trace", "sent", TOLD,
            frame(data(ext=[options(HOPOPTS, option(0x1e, b"\1\2"))])), sender_support="yes"),
        row("FC-09-destination", "in Destination Options a trace is none", "sent", TOLD,
            frame(data(ext=[options(DSTOPTS, padding(2), option(0x31, b"\0\0" + TRACE))])),
            sender_support="yes"),
        row("FC-15-overrun", "its option goes beyond its header", "bad_options", MARK,
            frame(data(ext=[(HOPOPTS, over, over)]))),
        row("FC-15-node-len", "NodeLen is not what the trace type says", "bad_options", MARK,
            frame(traced(bytes(2) + struct.pack(">HHI", 0, 2 << 11, 0x800000 << 8) +
                         bytes(8)))),
        row("FC-15-remaining", "more room than there is", "bad_options", MARK,
            frame(traced(bytes(2) + struct.pack(">HHI", 0, 1 << 11 | 3, 0x800000 << 8) +
                         bytes(8)))),
    ]


def one_option(name, plain, ioam):
    return [row(f"FC-09-{name}-plain", "a packet without a trace", *plain, frame(data()),
                sender_support="yes"),
            row(f"FC-09-{name}-ioam", "a packet with one", *ioam, frame(traced()),
                sender_support="yes")]


def layout_rows(name, both=False):
    out = [row(f"FC-15-{name}", "a trace in this layout", "sent", TOLD, frame(traced()),
               sender_support="yes")]
    if both:
        out.append(row(f"FC-12-{name}", "and an address alone", "sent", TOLD,
                       frame(data()), sender_support="yes"))
    return out


# The opcodes of IBTA Table 38 with a payload of any length.
DATA = {*range(0x00, 0x0c), *range(0x0d, 0x11), 0x16, 0x17, *range(0x20, 0x2c),
        *range(0x40, 0x4c), *range(0x4d, 0x51), 0x64, 0x65, *range(0xa0, 0xac),
        *range(0xad, 0xb1), 0xb6, 0xb7}
SHOWN = [*range(0x00, 0x20), 0x20, 0x2b, 0x2c, 0x31, 0x36, 0x40, 0x4b, 0x4c, 0x4d, 0x50,
         0x51, 0x52, 0x55, 0x56, 0x60, 0x63, 0x64, 0x65, 0x66, 0x80, 0x81, 0x82, 0xa0,
         0xab, 0xac, 0xad, 0xb0, 0xb1, 0xb2, 0xb3, 0xb6, 0xb7, 0xbc, 0xbd, 0xc0, 0xdf,
         0xe0, 0xff]


def opcode_rows():
    for opcode in SHOWN:
        answered = opcode in DATA
        yield row(f"R-CON-7-opcode-{opcode:02x}", f"{opcode:#04x} is " +
                  ("data" if answered else "none"), "sent" if answered else "not_data",
                  BOTH if answered else MARK, frame(data(opcode=opcode)))


def set_rows():
    yield row("R-CON-7-set-ack", "an ACK, which this set has", "sent", BOTH,
              frame(data(opcode=0x11)))
    yield row("R-CON-7-set-own", "a manufacturer's, which it has", "sent", BOTH,
              frame(data(opcode=0xff)))
    yield row("R-CON-7-set-send", "a SEND, which it has not", "not_data", MARK,
              frame(data()))
    yield row("R-CON-7-set-cnp", "a CNP is never answered, whatever the set says",
              "not_data", MARK, frame(data(opcode=0x81)))
    yield row("R-CON-7-set-fast", "nor is a Fast CNP", "not_data", MARK,
              frame(frames.fast()))


def no_data_rows():
    v6 = [routing(0, 7, REMOTE)]
    return [
        row("R-CON-7-tcp", "TCP", "not_data", MARK, frame(tcp())),
        row("R-CON-7-udp", "UDP to another port", "not_data", MARK, frame(udp(4793))),
        row("R-CON-7-fragment", "a first fragment", "not_data", MARK,
            frame(data(ext=[fragment(0, 1)]))),
        row("R-CON-7-later", "a later fragment", "not_data", MARK,
            frame(data(ext=[fragment(3, 0)]))),
        row("R-CON-7-whole", "a fragment that is the whole packet", "sent", BOTH,
            frame(data(ext=[fragment(0, 0)], rule="literal"))),
        row("R-CON-7-routing", "behind a Routing header at its end", "sent", BOTH,
            frame(data(ext=v6))),
        row("R-CON-7-fast-cnp", "our own answer comes by another queue", "not_data", MARK,
            frame(frames.fast())),
        row("R-CON-7-cnp", "a receiver's CNP", "not_data", MARK, frame(frames.ordinary())),
        row("R-CON-7-arp", "ARP", "not_data", MARK, MACS + b"\x08\x06" + bytes(46)),
    ]


DOMAIN = ("access[0].prefix=2001:db8:1:: access[0].length=48 access[0].permit=1\n"
          "access[1].prefix=2001:db8:1:bad:: access[1].length=64\n"
          "access[2].prefix=2001:db8:1:bad::7 access[2].length=128 access[2].permit=1\n"
          "access[3].prefix=::ffff:192.0.2.0 access[3].length=120 access[3].permit=1\n")


def access_rows(kind, sent, told, mark, make, **given):
    def of(name, says, src, listed, **more):
        return row(f"FC-17-{kind}-{name}", says, sent if listed else "access_denied",
                   told if listed else mark, make(src), **{**given, **more})
    yield of("listed", "a sender of the domain", "2001:db8:1::10", True)
    yield of("last", "the last of its prefix", "2001:db8:1:ffff:ffff:ffff:ffff:ffff", True)
    yield of("before", "the one before its prefix", "2001:db8:0:ffff:ffff:ffff:ffff:ffff",
             False)
    yield of("after", "the one after it", "2001:db8:2::", False)
    yield of("stranger", "from elsewhere", "2620:0:1::1", False)
    yield of("denied", "denied within it", "2001:db8:1:bad::8", False)
    yield of("but", "one that is permitted there", "2001:db8:1:bad::7", True)


# Three senders with buckets, and a prefix with tag 3, without buckets.
SENDERS = "".join(
    f"access[{i}].prefix={prefix} access[{i}].length={length} access[{i}].permit=1"
    f" access[{i}].tag={tag}\n" for i, (prefix, length, tag) in enumerate([
        (HOST, 128, 0), ("2001:db8:1::11", 128, 1), ("2001:db8:1::12", 128, 2),
        ("2001:db8:1::", 48, 3)]))
# For one misbehaving sender. Each may cause 2 at once and 1000 a second, and all twice as many.
LIMIT = (" admission.misbehaving=1 admission.source.rate_per_s=1000 admission.source.burst=2"
         " admission.verify.rate_per_s=1000 admission.verify.burst=2"
         " admission.shared.rate_per_s=2000 admission.shared.burst=4")


def limit_rows():
    one, told = frame(data()), {"sender_support": "yes"}
    second, third, fourth = (frame(data(src=f"2001:db8:1::{n}")) for n in (11, 12, 13))
    return [
        row("FC-18-first", "the first", "sent", BOTH, one, now_ns=1000000),
        row("FC-18-held", "50 us for the next of a flow", "held", MARK, one,
            now_ns=1049999),
        row("FC-02-held", "held back it is marked, if it was capable, too", "held", MARK,
            one, now_ns=1049999, **told),
        row("FC-18-other", "another flow has its own gate, and the sender's last token",
            "sent", TOLD, one, now_ns=1049999, gate=1, **told),
        row("FC-18-passed", "the gate is open, and there is no token", "rate_limited", MARK, one,
            now_ns=1050000, gate=0),
        row("FC-02-limited", "nor for a capable one, which is marked", "rate_limited", MARK, one,
            now_ns=1050000, gate=2, **told),
        row("FC-18-second-1", "another sender has its own tokens", "sent", BOTH, second,
            now_ns=1050000, gate=2),
        row("FC-18-second-2", "the same", "sent", BOTH, second, now_ns=1100000, gate=2),
        row("FC-18-third", "two took all, where one misbehaves", "rate_limited", MARK, third,
            now_ns=1100000, gate=3),
        row("FC-18-tag", "a sender whose tag has no bucket", "rate_limited", MARK, fourth,
            now_ns=1900000, gate=3),
        row("FC-17-limited", "what is not answered takes no token", "access_denied", MARK,
            frame(data(src="2620::1")), now_ns=2000000, gate=3),
        row("FC-18-not-data", "nor what is no data", "not_data", MARK,
            frame(data(opcode=0x11)), now_ns=2000000, gate=3),
        row("FC-18-room", "nor what does not fit", "no_space", MARK, one, now_ns=2000000,
            gate=3, room=103),
        row("FC-18-filled", "a token after 1 ms", "sent", TOLD, one, now_ns=2000000,
            gate=0, **told),
        row("FC-18-none", "and no other", "rate_limited", MARK, one, now_ns=2000000, gate=2),
        row("FC-18-third-filled", "of the third the token that it has left", "sent", TOLD,
            third, now_ns=2000000, gate=3, **told),
    ]


def room_rows():
    for name, ip, n in (("plain", data(), 104), ("ioam", traced(), 128),
                        ("tunnel", tunnel(data()), 144)):
        yield row(f"R-CON-13-{name}-small", "a byte too little", "no_space", MARK, frame(ip),
                  room=n - 1)
        yield row(f"R-CON-13-{name}", "nothing is cut", "sent", BOTH, frame(ip), room=n)


def quiet_rows():
    one = frame(data())
    return [
        row("FC-02-quiet", "a first one", "sent", TOLD, one, sender_support="yes"),
        row("FC-02-quiet-held", "was told just now: not marked", "held", "", one,
            sender_support="yes"),
        row("FC-01-quiet-held", "who may not know it is marked", "held", MARK, one),
        row("FC-01-quiet-other", "told alone: mark_known_only", "sent", TOLD, one, gate=1),
    ]


def off_rows(name):
    return [row(f"FC-22-{name}", "off by default: CE", "disabled", MARK, frame(data())),
            row(f"FC-22-{name}-yes", "whoever is capable", "disabled", MARK,
                frame(traced()), sender_support="yes"),
            row(f"FC-22-{name}-tunnel", "in a tunnel", "disabled", MARK,
                frame(tunnel(data()))),
            row(f"FC-22-{name}-drop", "DROP is", "not_asked", "drop", frame(data()),
                verdict="drop")]


def tunnel_rows():
    way = (EGRESS, "2001:db8:f1::e")
    return [
        row("R-CON-3-answered", "from a listed END.CON: to it", "sent", BOTH,
            frame(tunnel(data()))),
        row("R-CON-4-srh", "by segments to its egress: the same", "sent", TOLD,
            frame(tunnel(data(), segments=way)), sender_support="yes"),
        row("R-CON-8-trace", "the trace is that of the packet inside", "sent", TOLD,
            frame(tunnel(traced())), sender_support="yes"),
        row("R-CON-9-ce", "CE outside is not the answer's", "sent", TOLD,
            frame(tunnel(data(), ecn=3)), sender_support="yes"),
        row("R-ECN-2-outer", "the outer header is marked", "not_capable", MARK,
            frame(tunnel(data())), sender_support="no"),
        row("R-ECN-2-not-ect", "Not-ECT outside is not, whatever is inside", "not_capable",
            MARK, frame(tunnel(data(), ecn=0)), sender_support="no"),
        row("R-CON-4-other", "from an END.CON that is not listed", "unlisted_tunnel", MARK,
            frame(tunnel(data(), src="2001:db8:c2::c"))),
        row("R-CON-4-near", "an address beside it", "unlisted_tunnel", MARK,
            frame(tunnel(data(), src="2001:db8:c0::d"))),
        row("R-CON-4-denied", "one that is denied", "unlisted_tunnel", MARK,
            frame(tunnel(data(), src="2001:db8:c3::bad"))),
        row("R-CON-4-self", "the sender is no END.CON", "unlisted_tunnel", MARK,
            frame(tunnel(data(), src=HOST))),
        row("R-CON-4-group", "a group as END.CON", "bad_source", MARK,
            frame(tunnel(data(), src="ff02::1"))),
        row("R-CON-4-loopback", "this host as END.CON", "bad_source", MARK,
            frame(tunnel(data(), src="::1"))),
        row("FC-17-inside", "a listed END.CON does not vouch for who is inside", "access_denied",
            MARK, frame(tunnel(data(src="2620::1")))),
        row("FC-17-inside-first", "the sender before the tunnel", "access_denied", MARK,
            frame(tunnel(data(src="2620::1"), src="2620::2"))),
        row("FC-12-inside", "to a group inside", "bad_destination", MARK,
            frame(tunnel(data(opcode=0x64, dst="ff02::1")))),
        row("R-CON-7-inside-ack", "an ACK inside", "not_data", MARK,
            frame(tunnel(data(opcode=0x11)))),
        row("R-CON-7-inside-cnp", "a CNP inside", "not_data", MARK,
            frame(tunnel(frames.fast()))),
        row("R-CON-7-inside-tcp", "TCP inside", "not_data", MARK, frame(tunnel(tcp()))),
        row("R-CON-7-inside-ipv4", "IPv4 inside", "not_data", MARK,
            frame(tunnel(data4()))),
        row("R-CON-4-ipv4", "IPv6 in IPv4 has no END.CON", "unlisted_tunnel", MARK,
            frame(tunnel4(data()))),
        row("R-CON-10-two", "the way of the other END.CON", "sent", TOLD,
            frame(tunnel(data(), src=OTHER_CON)), sender_support="yes"),
        row("R-CON-10-prefix", "by a prefix, whose policy is another END.CON's: straight",
            "sent", TOLD, frame(tunnel(data(), src="2001:db8:c3::1")), sender_support="yes"),
        row("R-CON-10-large", "a tag beyond the policies: straight", "sent", TOLD,
            frame(tunnel(data(), src="2001:db8:c4::1")), sender_support="yes"),
        row("R-CON-10-one", "END.CON alone is no detour", "sent", TOLD,
            frame(tunnel(data(), src="2001:db8:c5::1")), sender_support="yes"),
        row("R-CON-10-eight", "the longest way", "sent", TOLD,
            frame(tunnel(data(), src="2001:db8:c6::1")), sender_support="yes"),
        row("R-CON-10-nine", "no policy: straight", "sent", TOLD,
            frame(tunnel(data(), src="2001:db8:c7::1")), sender_support="yes"),
    ]


def permit(i, prefix, tag, length=128, permit=1):
    return (f"tunnels[{i}].prefix={prefix} tunnels[{i}].length={length}"
            f" tunnels[{i}].permit={permit} tunnels[{i}].tag={tag}\n")


CONS = (permit(0, END_CON, 0) + permit(1, OTHER_CON, 1) +
        permit(2, "2001:db8:c3::", 1, 48) + permit(3, "2001:db8:c3::bad", 1, 128, 0) +
        permit(4, "2001:db8:c4::1", 6) + permit(5, "2001:db8:c5::1", 3) +
        permit(6, "2001:db8:c6::1", 4) + permit(7, "2001:db8:c7::1", 5) +
        f"policies[0]={END_CON}+2001:db8:f1::e\n"
        f"policies[1]={OTHER_CON}+2001:db8:f1::e+2001:db8:f3::e\n"
        f"policies[2]=\n"
        "policies[3]=2001:db8:c5::1\n"
        "policies[4]=2001:db8:c6::1" + "".join(f"+2001:db8:f{i}::e" for i in range(7)) +
        "\n"
        "policies[5]=2001:db8:c7::1" + "".join(f"+2001:db8:f{i}::e" for i in range(7)) +
        "\npolicies[5].n=9\n")


def nobody_rows():
    return [row("R-CON-4-nobody", "no END.CON is listed", "unlisted_tunnel", MARK,
                frame(tunnel(data()))),
            row("R-CON-4-none", "without a tunnel nobody asks", "sent", BOTH,
                frame(data()))]


def standard_rows():
    def at(name, says, reason, outputs, ip, **given):
        return row(f"R-L3-14-{name}", says, reason, outputs, frame(ip),
                   **{"qpn": "0x123456", **given})
    v4 = data4()
    return [
        at("v6", "to the sender's own QP, from the receiver", "sent", "cnp", data()),
        at("v4", "over IPv4", "sent", "cnp", v4),
        at("last", "QP 0xffffff", "sent", "cnp", v4, qpn="0xffffff"),
        at("wide", "a QP of 25 bits", "needs_qpn", MARK, v4, qpn="0x1000000"),
        row("R-L3-14-no-qpn", "the QP is not known: CE", "needs_qpn", MARK, frame(v4)),
        at("pass", "not congested", "not_asked", "", v4, verdict="pass"),
        at("ack", "an ACK is not answered", "not_data", MARK, data4(opcode=0x11)),
        at("read", "a READ request neither", "not_data", MARK, data(opcode=0x0c)),
        at("cnp", "a CNP neither", "not_data", MARK, frames.ordinary4()),
        at("own", "nor a manufacturer's opcode", "not_data", MARK, data4(opcode=0xff)),
        at("tcp", "nor TCP", "not_data", MARK, tcp()),
        at("tunnel", "in a tunnel inner addresses may lead nowhere", "unlisted_tunnel", MARK,
           tunnel(data())),
        at("group", "to a group", "bad_destination", MARK, data(dst="ff02::1", opcode=0x64)),
        at("group-4", "to one of IPv4", "bad_destination", MARK,
           data(src=HOST4, dst="::ffff:239.1.2.3", opcode=0x64)),
        at("broadcast", "to all", "bad_destination", MARK,
           data(src=HOST4, dst="::ffff:255.255.255.255", opcode=0x64)),
        at("loopback", "from a loopback", "bad_source", MARK,
           data(src="::ffff:127.0.0.1", dst=REMOTE4)),
        at("zero", "from 0.1.2.3", "bad_source", MARK, data(src="::ffff:0.1.2.3", dst=REMOTE4)),
        at("from-group", "from a group", "bad_source", MARK,
           data(src="::ffff:224.0.0.1", dst=REMOTE4)),
        at("fragment", "a first fragment", "not_data", MARK, data4(flags=1)),
    ]


def mixed_rows():
    return [
        row("R-L3-14-instead", "who does not know Fast CNPs", "sent", "cnp", frame(data()),
            sender_support="no", qpn="0x123456"),
        row("R-L3-14-fast", "who does", "sent", TOLD, frame(data()), sender_support="yes",
            qpn="0x123456"),
        row("R-L3-14-ipv4", "IPv4, of which there is no Fast CNP", "sent", "cnp",
            frame(data4()), qpn="0x123456"),
        row("R-L3-14-mixed-ack", "an ACK is answered by neither", "not_data", MARK,
            frame(data(opcode=0x11)), qpn="0x123456"),
        row("R-L3-14-mixed-group", "a group by neither", "bad_destination", MARK,
            frame(data(opcode=0x64, dst="ff02::1")), qpn="0x123456"),
        row("R-L3-14-mixed-tunnel", "an unlisted tunnel by neither", "unlisted_tunnel", MARK,
            frame(tunnel(data())), qpn="0x123456"),
    ]


SAMPLE = {"priority": 5, "verdict": "pass", "cnm": 1, "qntz_fb": 26,
          "offset_bytes": -34000, "delta_bytes": 10000, "cpid": "0200000004400305"}


def qcn_rows():
    def at(name, says, reason, outputs, data, **given):
        number = name if name.startswith("R-") else f"R-L3-6-{name}"
        return row(number, says, reason, outputs, data, **{**SAMPLE, **given})
    v4 = {"src": HOST4, "dst": REMOTE4}
    return [
        at("tcp", "TCP over IPv4, sampled", "sent", "cnm", frame(tcp(**v4))),
        at("tcp-6", "over IPv6", "sent", "cnm", frame(tcp())),
        at("R-L3-7-roce", "RoCEv2 in a queue of QCN", "sent", "cnm", frame(data())),
        at("R-L3-9-udp", "from the flow's destination to its source", "sent", "cnm",
           frame(udp(7000))),
        at("icmp", "a flow without ports", "sent", "cnm",
           frame(other(ICMP, b"\x08\0" + bytes(30), **v4))),
        at("R-L3-16-tags", "the MSDU begins at the EtherType, behind tags", "sent", "cnm",
           frame(tcp(), (0x8100, 0xa123))),
        at("R-L3-16-short", "a short frame", "sent", "cnm", frame(udp(7000, 4))),
        at("R-L3-16-priority", "the queue's priority is another's: of RoCEv2",
           "disabled", MARK, frame(data()), priority=4, verdict="mark"),
        at("R-L3-15-cpid", "CPID, as the queue's", "sent", "cnm", frame(tcp()),
           cpid="ffffffffffffffff"),
        at("R-L3-5-not", "not sampled", "not_asked", "", frame(tcp()), cnm=0),
        at("R-L3-1-mark", "QCN knows no CE", "sent", "cnm", frame(data()), verdict="mark"),
        at("R-L3-1-not", "nor without a sample", "not_asked", "", frame(data()), cnm=0,
           verdict="mark"),
        at("R-L3-1-drop", "DROP besides", "sent", "cnm+drop", frame(data()),
           verdict="drop"),
        at("least", "the largest numbers: they saturate", "sent", "cnm", frame(tcp()),
           qntz_fb=63, offset_bytes=-2974000, delta_bytes=3000000),
        at("toward-zero", "units of 64 bytes, towards zero", "sent", "cnm", frame(tcp()),
           qntz_fb=1, offset_bytes=-14000, delta_bytes=-63),
        at("ack", "an ACK of RoCEv2 is not answered here, either", "not_data", "",
           frame(data(opcode=0x11))),
        at("own", "nor a manufacturer's opcode", "not_data", "", frame(data4(opcode=0xff))),
        at("read", "nor a READ request", "not_data", "", frame(data(opcode=0x0c))),
        at("cnp", "nor a CNP", "not_data", "", frame(frames.ordinary())),
        at("cnm", "nor a private CNM", "not_data", "", frame(udp(0xcafe))),
        at("first", "the first fragment of another flow shows its ports", "sent", "cnm",
           frame(tcp(flags=0x2000, **v4))),
        at("first-roce", "that of RoCEv2 no opcode", "not_data", "",
           frame(data4(flags=1))),
        at("later", "a later fragment no flow", "not_data", "",
           frame(tcp(flags=3, **v4))),
        at("arp", "ARP has none", "not_data", "", MACS + b"\x08\x06" + bytes(46)),
        at("tunnel", "in a tunnel there is none", "unlisted_tunnel", "", frame(tunnel(data()))),
        at("tunnel-tcp", "whatever is in it", "unlisted_tunnel", "", frame(tunnel(tcp()))),
        at("group", "to a group", "bad_destination", "", frame(udp(7000, dst="ff02::1"))),
        at("group-4", "over IPv4", "bad_destination", "",
           frame(udp(7000, src=HOST4, dst="::ffff:224.0.0.1"))),
        at("from-nobody", "from nobody", "bad_source", "", frame(udp(7000, src="::"))),
        at("from-loopback", "from 127.0.0.1", "bad_source", "",
           frame(tcp(src="::ffff:127.0.0.1", dst=REMOTE4))),
    ]


def qcn_access(src):
    v4 = "." in src
    return frame(tcp(src=src, dst=REMOTE4 if v4 else REMOTE))


def blocks():
    """Yields (source, configuration, rows). The rows run in order on one switch."""
    fast = "draft-xiao-rtgwg-rocev2-fast-cnp-00"
    con, l3 = "draft-hu-rtgwg-rocev2-fcn-00", "draft-yu-tsvwg-l3qcn-00"
    yield f"{fast}, 3: who is told what", f"{ON} {FREE}", capability_rows()
    yield f"{fast}, 4: addresses and DestQP", f"{ON} {FREE}", address_rows()
    yield f"{fast}, 4: one option, by the trace", f"{ON} {FREE}", option_rows()
    yield (f"{fast}, 4: plain_if_long", f"{ON} {FREE} plain_if_long=1",
           [row("FC-09-long", "a trace that does not fit: the plain kind", "sent", TOLD,
                option_rows()[7][4], sender_support="yes")])
    yield (f"{fast}, 4: plain_only", f"{ON} {FREE} plain_only=1",
           one_option("only", ("sent", TOLD), ("sent", TOLD)))
    yield (f"{fast}, 4: TBD1 alone", f"fastcnp_enabled=1 answer=data cnp.src={SWITCH} {ANYBODY}"
           f" fastcnp.type_plain=0x9e {FREE}",
           one_option("tbd1", ("sent", TOLD), ("bad_options", MARK)))
    yield (f"{fast}, 4: TBD2 alone", f"fastcnp_enabled=1 answer=data cnp.src={SWITCH} {ANYBODY}"
           f" fastcnp.type_ioam=0x9f {FREE}",
           one_option("tbd2", ("bad_options", MARK), ("sent", TOLD)))
    yield (f"{fast}, 4: form B", f"{ON} {FREE} fastcnp.form=b", layout_rows("form-b"))
    yield (f"{fast}, 4: the address first", f"{ON} {FREE} fastcnp.address_first=1",
           layout_rows("first"))
    yield (f"{fast}, 4: aligned to 8", f"{ON} {FREE} fastcnp.align8=1",
           layout_rows("align8", True))
    for rule in ("masked", "literal", "stripped", "none"):
        yield (f"IBTA A17.3.3; icrc.h: {rule.upper()}", f"{ON} {FREE} icrc_rule={rule}",
               layout_rows(rule, True))
    yield (f"{fast}, 4: other values of a CNP", f"{ON} {FREE} cnp.dscp=46 cnp.ecn=2"
           " cnp.hop_limit=7 cnp.flow_label=0xfffff cnp.udp_checksum=1 " + CON +
           " flow_label=0x12345",
           [row("FC-08-values", "each in its field", "sent", TOLD, frame(data()),
                sender_support="yes"),
            row("R-CON-9-values", "DSCP and ECN outside are those inside", "sent", TOLD,
                frame(tunnel(data())), sender_support="yes")])
    yield ("IBTA Table 38: the opcodes that carry data", f"{ON} {FREE}", opcode_rows())
    yield ("another set of opcodes", f"{ON} {FREE}".replace(
        "answer=data", "answer=0x11+0x81+0xff"), set_rows())
    yield f"{con}, 4.2.2: what is no data", f"{ON} {FREE}", no_data_rows()
    yield (f"{fast}, 5: the domain", f"fastcnp_enabled=1 {FREE} answer=data cnp.src={SWITCH}"
           f" {TYPES}\n{DOMAIN}", access_rows("fast", "sent", TOLD, MARK,
                                              lambda src: frame(data(src=src)),
                                              sender_support="yes"))
    yield (f"{fast}, 5: two at once, 1000 in a second, 50 us for a flow",
           f"fastcnp_enabled=1 answer=data cnp.src={SWITCH} {TYPES}\n{SENDERS}"
           f"{LIMIT} sources=3 gate.interval_ns=50000\n", limit_rows())
    yield f"{con}, 4.2.2: where it is written", f"{ON} {FREE} {CON}", room_rows()
    yield (f"{fast}, 3: quiet_if_told, mark_known_only", f"{ON} {FREE} quiet_if_told=1"
           " mark_known_only=1 gate.interval_ns=50000", quiet_rows())
    yield f"{fast}, 5: off, nothing is configured", "", off_rows("zero")
    yield f"{fast}, 5: off, all else is configured", f"{BASE} {CON} {FREE}", \
        off_rows("off")
    yield f"{con}, 4.2.2: END.CONs and the ways to them", \
        f"fastcnp_enabled=1 {FREE} answer=data cnp.src={SWITCH} {TYPES}\n{DOMAIN}{CONS}", \
        tunnel_rows()
    yield f"{con}, 4.2.2: no END.CON", f"{ON} {FREE}", nobody_rows()
    yield f"{l3}, 3.2: a CNP, from the receiver", \
        f"standard_cnp=1 answer=data {ANYBODY} {FREE}", standard_rows()
    yield f"{l3}, 3.2: the same with a UDP checksum", \
        f"standard_cnp=1 answer=data {ANYBODY} {FREE} cnp.udp_checksum=1", [
            row("R-L3-14-sum", "of IPv6", "sent", "cnp", frame(data()), qpn="0x123456"),
            row("R-L3-14-sum-4", "of IPv4", "sent", "cnp", frame(data4()),
                qpn="0x123456")]
    yield f"{l3}, 3.2: CNPs for the domain", \
        f"standard_cnp=1 answer=data {FREE}\n{DOMAIN}", [
            *access_rows("cnp", "sent", "cnp", MARK, lambda src: frame(data(src=src)),
                         qpn="0x123456"),
            row("FC-17-cnp-4", "IPv4 of the domain", "sent", "cnp", frame(data4()),
                qpn="0x123456"),
            row("FC-17-cnp-4-not", "and not of it", "access_denied", MARK,
                frame(data(src="::ffff:192.0.3.2", dst=REMOTE4)), qpn="0x123456"),
            row("FC-17-cnp-first", "the list before the QP", "access_denied", MARK,
                frame(data(src="2620::1")))]
    yield f"{fast} and {l3}: Fast CNP, and CNP where that will not do", \
        f"{ON} {FREE} standard_cnp=1", mixed_rows()
    yield f"{l3}, 3.2: private CNMs", f"{QCN} {FREE}", qcn_rows()
    yield f"{l3}, 3.2: private CNMs for the domain", \
        f"{QCN} {FREE}\n".replace(ANYBODY, "") + DOMAIN, [
            *access_rows("cnm", "sent", "cnm", "", qcn_access, **SAMPLE),
            row("FC-17-cnm-4", "IPv4 of the domain", "sent", "cnm", qcn_access(HOST4),
                **SAMPLE),
            row("FC-17-cnm-4-not", "and not of it", "access_denied", "",
                qcn_access("::ffff:192.0.3.2"), **SAMPLE),
            row("FC-17-cnm-ack", "what is not answered anyhow is so for that", "not_data",
                "", frame(data(src="2620::1", opcode=0x11)), **SAMPLE),
            row("FC-17-cnm-tunnel", "the list before the tunnel", "access_denied", "",
                frame(tunnel(tcp(src="2620::1"))), **SAMPLE)]
    yield f"{l3}, 3.2: a set without RoCEv2's data", \
        f"{QCN} {FREE}".replace("answer=data", "answer=0xff"), [
            row("R-L3-6-set-roce", "RoCEv2 by the set", "not_data", "", frame(data()),
                **SAMPLE),
            row("R-L3-6-set-tcp", "TCP whatever it says", "sent", "cnm", frame(tcp()),
                **SAMPLE)]
    yield "frames that begin with IP, RoCEv2 on port 4792", \
        f"{ON} {FREE} {CON} link=ip rocev2_port=4792", [
            row("ip-4792", "this port", "sent", TOLD, data(dport=4792), sender_support="yes"),
            row("ip-4791", "not this one", "not_data", MARK, data(), sender_support="yes"),
            row("ip-tunnel", "in a tunnel", "sent", TOLD, tunnel(data(dport=4792)),
                sender_support="yes")]


GOOD = f"fastcnp_enabled=1 {BASE}{LIMIT}"


def refused(row_id, says, should, text):
    return row_id, says, should, text


REFUSALS = "what is no configuration of a switch", [
    refused("FC-22-all-zero", "all 0 is off, and good", "accepted", ""),
    refused("FC-21-off", "off with all the rest", "accepted", f"{BASE}{LIMIT}"),
    refused("FC-21-on", "on", "accepted", GOOD),
    refused("FC-22-on", "on, and nothing else", "types", "fastcnp_enabled=1"),
    *(refused(f"FC-{number}-{value}", says, "types",
              GOOD.replace(f"type_{kind}={now}", f"type_{kind}={value}"))
      for number, kind, now, value, says in (
          (10, "plain", "0x9e", "0x1e", "act 00"), (10, "plain", "0x9e", "0xde", "act 11"),
          (11, "plain", "0x9e", "0xbe", "chg 1"), (13, "ioam", "0x9f", "0x5f", "act 01"),
          (14, "ioam", "0x9f", "0xbf", "chg 1"))),
    *(refused(f"FC-04-switch-{name}", "no address of a switch", "address",
              GOOD.replace(SWITCH, src))
      for name, src in (("zero", "::"), ("loopback", "::1"), ("group", "ff02::1"),
                        ("mapped", "::ffff:192.0.2.1"))),
    refused("FC-17-no-domain", "a Fast CNP without a domain", "access",
            GOOD.replace(ANYBODY, "")),
    refused("FC-17-no-domain-cnp", "a CNP without one", "access",
            f"standard_cnp=1 answer=data{LIMIT}"),
    refused("FC-17-no-domain-cnm", "a private CNM without one", "access",
            f"{QCN}{LIMIT}".replace(ANYBODY, "")),
    refused("FC-17-tunnels", "a list of END.CONs is no domain", "access",
            GOOD.replace(ANYBODY, CON)),
    refused("R-CON-7-no-set", "nothing to answer", "answer",
            GOOD.replace("answer=data", "")),
    refused("R-CON-7-no-set-cnp", "for a CNP neither", "answer",
            f"standard_cnp=1 {ANYBODY}{LIMIT}"),
    refused("R-CON-7-no-set-cnm", "for a private CNM neither", "answer",
            f"{QCN}{LIMIT}".replace("answer=data", "")),
    refused("R-L3-14-alone", "CNPs alone need no types", "accepted",
            f"standard_cnp=1 answer=data {ANYBODY}{LIMIT}"),
    refused("R-L3-6-alone", "private CNMs alone neither", "accepted", f"{QCN}{LIMIT}"),
    refused("R-L3-6-port", "they need a port", "l3qcn",
            f"{QCN}{LIMIT}".replace("0xcafe", "0")),
    refused("rule-standard", "STANDARD knows no options", "rule",
            f"{GOOD} icrc_rule=standard"),
    refused("dscp-64", "a DSCP of 7 bits", "cnp", f"{GOOD} cnp.dscp=64"),
    refused("FC-18-forgotten", "without a limit, by default", "limit",
            f"fastcnp_enabled=1 {BASE}"),
    refused("FC-18-named", "without a limit, by its name", "accepted",
            f"fastcnp_enabled=1 {BASE} {FREE}"),
    *(refused(f"FC-18-{name}", says, "limit", GOOD.replace(*now))
      for name, says, now in (
          ("no-burst", "a rate into nothing", ("source.burst=2", "source.burst=0")),
          ("no-rate", "a burst that never comes again",
           ("source.rate_per_s=1000", "source.rate_per_s=0")),
          ("nobody", "for no misbehaving sender", ("misbehaving=1", "misbehaving=0")),
          ("two", "AD-4: of two, tokens for one", ("misbehaving=1", "misbehaving=2")),
          ("shared", "AD-4: the burst of all is too small",
           ("shared.burst=4", "shared.burst=3")),
          ("verify", "fewer verified than admitted", ("verify.burst=2", "verify.burst=1")))),
    refused("FC-18-gate", "a gate of 2^31 ns", "gate",
            f"{GOOD} gate.interval_ns=2147483648"),
]

WAYS = [
    ("R-CON-10-empty", "no segment: straight", "accepted", "policies[0]="),
    ("R-CON-10-way", "by a router", "accepted", f"policies[0]={END_CON}+2001:db8:f1::e"),
    ("R-CON-10-long", "nine segments", "policy",
     f"policies[0]={END_CON} policies[0].n=9"),
    ("R-CON-10-to-group", "by a group", "policy", f"policies[0]={END_CON}+ff02::1"),
    ("R-CON-10-to-nobody", "END.CON is nobody", "policy", "policies[0]=::+2001:db8:f1::e"),
    ("R-CON-10-to-mapped", "by IPv4", "policy",
     f"policies[0]={END_CON}+::ffff:192.0.2.1"),
]
