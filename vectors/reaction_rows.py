# SPDX-License-Identifier: BSD-2-Clause
"""
Defines the rows of reaction_point.vec by hand. Each row has a frame composed from its
fields, and a data sender's verdict by the statements of draft-xiao-rtgwg-rocev2-fast-cnp-00
(numbered in role/README.md), RFC 8200 and IBTA A17. model/reaction_point.py judges the bytes
again, and writes the file. After bad_arrival come its reason, and the type, code and value
of the ICMP error to send, as in "bad_arrival unknown_option 4/2/42".

An ID begins with the statement that the row is about. A row's second member is True if the
frame or the configuration keeps it.
"""
import struct
import zlib
from ipaddress import IPv6Address

HOPOPTS, UDP, ROUTING, FRAGMENT, DSTOPTS, IFA = 0, 17, 43, 44, 60, 253
IPV4, IPV6, AH, MOBILITY, HIP, SHIM6 = 4, 41, 51, 135, 139, 140

# ---- Frames, from their fields ------------------------------------------------------

SWITCH, HOST, REMOTE = "2001:db8:ffff::1", "2001:db8:1::10", "2001:db8:2::20"
TRACE = bytes.fromhex("00001000 82000000 3e000103 00000800 3f000102 00001000")
ADDRESS = IPv6Address(REMOTE).packed
MACS = bytes.fromhex("020000000001" "020000000002")


def packed(address):
    return IPv6Address(address).packed


def option(kind, data=b""):
    return bytes([kind, len(data)]) + data


def padding(n):
    """Returns n bytes of padding (RFC 8200, 4.2)."""
    return bytes(n) if n < 2 else option(1, bytes(n - 2))


PLAIN = option(0x9e, ADDRESS)
IOAM = option(0x9f, bytes(2) + TRACE + ADDRESS)


def options(kind, *given, words=None):
    """
    Builds an options header without its first byte, as it is and as MASKED covers it. It is
    padded to 8 bytes. `words` overrides its length.
    """
    given += (padding(-(2 + sum(map(len, given))) % 8),)
    size = (2 + sum(map(len, given))) // 8 - 1 if words is None else words

    def covered(o):
        return o[:2] + b"\xff" * len(o[2:]) if o[:1] > b"\1" and o[0] & 0x20 else o
    return (kind, bytes([size]) + b"".join(given),
            bytes([size]) + b"".join(covered(o) for o in given))


def routing(left, tag, *segments):
    """Builds an SRH (RFC 8754). MASKED masks Segments Left and Tag."""
    head, last = bytes([2 * len(segments), 4]), bytes([len(segments) - 1, 0])
    body = b"".join(map(packed, segments))
    return (ROUTING, head + bytes([left]) + last + struct.pack(">H", tag) + body,
            head + b"\xff" + last + b"\xff\xff" + body)


def fragment(offset, more):
    body = struct.pack(">BHI", 0, offset << 3 | more, 0x1234)
    return FRAGMENT, body, body


def auth():
    """Builds an Authentication Header (RFC 4302) of 24 bytes."""
    body = bytes([4, 0, 0]) + struct.pack(">II", 0x100, 1) + b"\x11" * 12
    return AH, body, body


def odd_header(kind):
    """Builds a 16-byte header for another protocol than RoCEv2."""
    body = bytes([1]) + bytes(14)
    return kind, body, body


def icrc(covered):
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + covered))


def checksum(data):
    """Returns the checksum of whole words (RFC 1071)."""
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return struct.pack(">H", total ^ 0xffff)


def ipv4(src, dst, f, size, masked, following=UDP):
    """Builds an IPv4 header with options and checksum."""
    head = struct.pack(">BBHHHBBH4s4s", 0x45 + len(f["options"]) // 4,
                       f["dscp"] << 2 | f["ecn"], 20 + len(f["options"]) + size,
                       f["ident"], f["flags"] << 13, f["hops"], following, 0,
                       packed(src)[12:], packed(dst)[12:]) + f["options"]
    head = head[:10] + checksum(head) + head[12:]
    if masked:
        head = (head[:1] + b"\xff" + head[2:8] + b"\xff" + head[9:10] + b"\xff\xff" +
                head[12:])
    return head


def ipv6(src, dst, f, size, following, masked):
    word = 6 << 28 | f["dscp"] << 22 | f["ecn"] << 20 | f["flow"]
    return struct.pack(">IHBB", word | 0xfffffff if masked else word, size, following,
                       0xff if masked else f["hops"]) + packed(src) + packed(dst)


FIELDS = {
    "dscp": 48, "ecn": 0, "hops": 64, "flow": 0, "ident": 0, "flags": 2, "options": b"",
    "sport": 0xc123, "dport": 4791, "sum": False, "sum_more": 0, "opcode": 0x81, "byte1": 0,
    "pkey": 0xffff, "byte4": 0x40, "qp": 0xabcd, "byte8": 0, "psn": 0,
    "body": bytes(16), "udp_length": None, "ip_more": 0, "shim": b"", "ifa": False,
    "src": SWITCH, "dst": HOST, "ext": (), "rule": "masked", "flip": 0,
    "over_shim": True,
}


def chain(exts, last, covered):
    """Returns the extension headers as they are (1), or as MASKED covers them (2)."""
    following = [e[0] for e in exts[1:]] + [last]
    return b"".join(bytes([kind]) + e[covered] for kind, e in zip(following, exts))


def icrc_of(f, head, udp, rest):
    """Returns the ICRC by f["rule"]. head() makes a masked IP header for a length."""
    exts, size = f["ext"], len(udp) + len(rest) + 4
    before = chain(exts, UDP, 2 if f["rule"] == "masked" else 1)
    if f["rule"] == "stripped":
        before = head(size, UDP)
    else:
        before = head(size + len(before) + f["ip_more"], first(exts, UDP)) + before
    end = icrc(before + udp[:6] + b"\xff\xff" + rest[:4] + b"\xff" + rest[5:])
    return end[:3] + bytes([end[3] ^ f["flip"]])


def first(exts, last):
    return exts[0][0] if exts else last


def datagram(**given):
    """Builds an IP datagram with a BTH and an ICRC by `rule`, its last byte XORed with `flip`."""
    f = {**FIELDS, **given}
    assert len(f) == len(FIELDS), given
    v4 = ":ffff:" in f["src"] and "." in f["dst"]
    rest = struct.pack(">BBHII", f["opcode"], f["byte1"], f["pkey"],
                       f["byte4"] << 24 | f["qp"],
                       f["byte8"] << 24 | f["psn"]) + f["body"]
    length = f["udp_length"]
    if length is None:
        length = 8 + len(f["shim"]) + len(rest) + 4
    udp = struct.pack(">HHHH", f["sport"], f["dport"], length, 0)

    def head(size, following, masked=True):
        if v4:
            return ipv4(f["src"], f["dst"], f, size, masked, following)
        return ipv6(f["src"], f["dst"], f, size, following, masked)
    covered = udp
    if not f["over_shim"]:  # UDP before INT was inserted
        covered = struct.pack(">HHHH", f["sport"], 4791, length - len(f["shim"]), 0)
    end = icrc_of(f, head, covered, rest)
    if f["sum"]:  # the UDP checksum covers the ICRC, too
        right = checksum(packed(f["src"]) + packed(f["dst"]) +
                         struct.pack(">II", length, UDP) + udp + rest + end)
        udp = udp[:6] + struct.pack(
            ">H", (struct.unpack(">H", right)[0] or 0xffff) + f["sum_more"] & 0xffff)
    last, upper = UDP, udp + f["shim"] + rest + end
    if f["ifa"]:  # a header before UDP, and one after it that looks like a CNP's BTH
        last = IFA
        upper = bytes([0x2f, UDP, 4, 255]) + udp + bytes([0x81, 0, 255, 0]) + rest + end
    upper = chain(f["ext"], last, 1) + upper
    return head(len(upper) + f["ip_more"], first(f["ext"], last), False) + upper


def fast(*given, **fields):
    """Builds a Fast CNP with these options in its Destination Options."""
    return datagram(ext=[options(DSTOPTS, *(given or (PLAIN,)))], **fields)


def ordinary(**fields):
    """Builds a receiver's CNP. DestQP is the sender's own QP."""
    return datagram(**{"src": REMOTE, "qp": 0x123456, **fields})


def ordinary4(**fields):
    return ordinary(**{"src": "::ffff:192.0.2.1", "dst": "::ffff:192.0.2.2", **fields})


def tunnel(inner, **given):
    """Builds IP in IP. The outer header is IPv4 if its addresses are."""
    f = {**FIELDS, **given}
    last = IPV6 if inner[0] >> 4 == 6 else IPV4
    size = len(chain(f["ext"], last, 1) + inner)
    outer = ipv4 if "." in f["dst"] else ipv6
    head = outer(f["src"], f["dst"], f, size, masked=False, following=first(f["ext"], last))
    return head + chain(f["ext"], last, 1) + inner


def spoiled(ip):
    """Changes one bit of an IPv4 header checksum."""
    return ip[:10] + bytes([ip[10] ^ 1]) + ip[11:]


def frame(ip, *tags, trailer=b""):
    """Builds Ethernet with tags of a TPID and 16 bits."""
    kind = 0x86dd if ip[0] >> 4 == 6 else 0x0800
    words = b"".join(struct.pack(">HH", *tag) for tag in tags)
    return MACS + words + struct.pack(">H", kind) + ip + trailer


# Examples from other sources. Datagrams composed here must get the same ICRC. The first is
# the CNP of a ConnectX-4 Lx, the others are in fastcnp.vec, cnp.vec and icrc.vec.
ANCHORS = [
    (datagram(src="::ffff:10.0.17.1", dst="::ffff:10.0.18.1", ecn=2, ident=0x718c, sport=0,
              qp=0x118), "82fd002a"),
    (ordinary4(), "6dfc2138"),
    (ordinary(src="2001:db8::1", dst="2001:db8::2"), "8f6a5c9b"),
    (fast(), "627652e7"),
    (fast(rule="stripped"), "3a134dac"),
    (fast(padding(4), PLAIN), "c4b95dc8"),
    (fast(padding(2), IOAM), "f468fdcd"),
    (fast(option(0x9f, TRACE + ADDRESS)), "db8f2abb"),
]


# ---- Rows ---------------------------------------------------------------------------

# The statements of role/README.md that need rows here, kept and broken. No frame can break
# FC-07 and FC-24, because a DestQP does not show its host.
STATEMENTS = ["FC-05", "FC-06", "FC-07", "FC-08", "FC-09", "FC-10", "FC-11", "FC-12",
              "FC-13", "FC-14", "FC-15", "FC-16", "FC-17", "FC-18", "FC-19", "FC-21",
              "FC-22", "FC-23", "FC-24"]
UNSEEN = {"FC-07": {False}, "FC-24": {False}}

TYPES = "fastcnp.type_plain=0x9e fastcnp.type_ioam=0x9f"
DOMAIN = ("access[0].prefix=2001:db8:ffff:: access[0].length=48 access[0].permit=1"
          " access[0].tag=77")


def limited(rate, burst, misbehaving=1, verify=4, sources=3):
    """Returns limits that keep AD-4 for `misbehaving` sources, and buckets for `sources`."""
    def bucket(name, times):
        return (f" admission.{name}.rate_per_s={times * rate}"
                f" admission.{name}.burst={times * burst}")
    return (f"admission.misbehaving={misbehaving}" + bucket("source", 1) +
            bucket("verify", verify) + bucket("shared", misbehaving + 1) +
            f" sources={sources}\n")


def but(text, *settings):
    """Returns a configuration with other values of some settings."""
    names = [setting.partition("=")[0] for setting in settings]
    kept = [word for word in text.split() if word.partition("=")[0] not in names]
    return " ".join([*kept, *settings])


ON = f"fastcnp_enabled=1 {TYPES}\n{DOMAIN}\n"
OPEN = ON + "check_icrc=1\n" + limited(1000, 100, sources=78)
FREE = ON + "check_icrc=1 admission.unlimited=1\n"
DEAF = ON + "admission.unlimited=1\n"  # the NIC has checked the ICRC
# Three switches with buckets, and a prefix with tag 3, without buckets.
SWITCHES = "".join(f"access[{i}].prefix=2001:db8:ffff::{i + 1} access[{i}].length=128"
                   f" access[{i}].permit=1 access[{i}].tag={i}\n" for i in range(3)) + (
    "access[3].prefix=2001:db8:ffff:: access[3].length=48 access[3].permit=1"
    " access[3].tag=3\n")
LIMITED = f"fastcnp_enabled=1 check_icrc=1 {TYPES}\n{SWITCHES}"
SECOND, THIRD, TAG_3 = "2001:db8:ffff::2", "2001:db8:ffff::3", "2001:db8:ffff::4"

LEAD = padding(2)  # aligns the IOAM kind (RFC 9486)
MANY = [option(0x1e)] * 8
# Unknown options that nodes must skip. On the way, nodes may change only the second one.
FIXED, CHANGING = option(0x1e, b"\xaa\xbb"), option(0x3e, b"\xaa\xbb")


def trace(kinds, each, *words, flags_left=0, kind=0, reserved=0):
    """Builds the IOAM kind: two bytes before a trace (RFC 9486), the trace, an address."""
    head = struct.pack(">HHI", 0, each << 11 | flags_left, kinds << 8)
    return option(0x9f, bytes([reserved, kind]) + head +
                  b"".join(struct.pack(">I", w) for w in words) + ADDRESS)


def row(row_id, kept, says, verdict, data, **given):
    return row_id, kept, says, verdict, data, given


def statements():
    return [
        row("FC-09-plain", True, "the packet had no trace, and so has the CNP",
            "fast_plain", frame(fast())),
        row("FC-09-ioam", True, "the packet had a trace, and here it is", "fast_ioam",
            frame(fast(LEAD, IOAM))),
        row("FC-09-no-trace", False, "the IOAM kind without a trace", "malformed",
            frame(fast(option(0x9f, ADDRESS)))),
        row("FC-05-own", True, "no option, from a receiver", "ordinary",
            frame(ordinary()), peer="yes"),
        row("FC-05-anyone", True, "no option, and the host did not look", "ordinary",
            frame(ordinary())),
        row("FC-05-fast", True, "an option, from who is no receiver", "fast_plain",
            frame(fast()), peer="no"),
        row("FC-05-fast-ioam", True, "the same of the other kind", "fast_ioam",
            frame(fast(LEAD, IOAM)), peer="no"),
        row("FC-05-peer", False, "an option, from a receiver", "suspicious",
            frame(fast()), peer="yes"),
        row("FC-05-peer-ioam", False, "the same of the other kind", "suspicious",
            frame(fast(LEAD, IOAM)), peer="yes"),
        row("FC-05-stranger", False, "no option, from who is no receiver", "suspicious",
            frame(ordinary()), peer="no"),
        row("FC-05-stranger-4", False, "the same over IPv4", "suspicious",
            frame(ordinary4()), peer="no"),
        row("FC-06-switch", True, "the source names the switch", "fast_plain",
            frame(fast(src="2001:db8:ffff:7::9"))),
        row("FC-06-zero", False, "no address is no switch's", "bad_arrival bad_source",
            frame(fast(src="::"))),
        row("FC-06-loopback", False, "::1 is the host itself", "bad_arrival bad_source",
            frame(fast(src="::1"))),
        row("FC-06-group", False, "a group sends nothing", "bad_arrival bad_source",
            frame(fast(src="ff02::1"))),
        row("FC-06-mapped", False, "IPv4 is beyond the draft", "bad_arrival bad_source",
            frame(fast(src="::ffff:192.0.2.1"))),
        row("FC-07-other-qp", True, "DestQP is the receiver's: to look up with the key",
            "fast_plain", frame(fast(qp=0xfedcba))),
        row("FC-07-last-qp", True, "and has 24 bits", "fast_plain",
            frame(fast(qp=0xffffff))),
        row("FC-16-address", True, "the key is where the flow goes, on a link, too",
            "fast_plain", frame(fast(option(0x9e, packed("fe80::20"))))),
        row("FC-16-address-ioam", True, "the same of the other kind", "fast_ioam",
            frame(fast(LEAD, trace(0x800000, 1, 0x3e000103)[:-16] + packed("::2")))),
        row("FC-16-nobody", False, "what is refused has no key", "access_denied",
            frame(fast(src="2001:db8:fffe::1"))),
        row("FC-24-own-qp", True, "without an option DestQP is the host's, and no key",
            "ordinary", frame(ordinary(qp=0xabcd))),
        row("FC-24-ipv4", True, "the same over IPv4", "ordinary", frame(ordinary4()),
            peer="yes"),
        row("FC-24-nic", True, "as a ConnectX-4 Lx sent it: ECT(0), port 0", "ordinary",
            frame(datagram(src="::ffff:10.0.17.1", dst="::ffff:10.0.18.1", ecn=2,
                           ident=0x718c, sport=0, qp=0x118)), peer="yes"),
    ]


def option_rows():
    two = [options(DSTOPTS, PLAIN), options(DSTOPTS, FIXED)]
    return [
        row("FC-08-padded", True, "one option behind padding", "fast_plain",
            frame(fast(padding(4), PLAIN))),
        row("FC-08-pad1", True, "Pad1, one by one", "fast_plain",
            frame(fast(*[padding(1)] * 7, PLAIN))),
        row("FC-08-second-header", True, "the header next to UDP has it", "fast_plain",
            frame(datagram(ext=two[::-1]))),
        row("FC-08-first-header", True, "the header before another has it", "fast_plain",
            frame(datagram(ext=two))),
        row("FC-08-routing", True, "a Routing header before it, at its end",
            "fast_plain",
            frame(datagram(ext=[routing(0, 7, HOST), options(DSTOPTS, PLAIN)]))),
        row("FC-08-hop-by-hop", True, "Hop-by-Hop options before it, to be skipped",
            "fast_plain",
            frame(datagram(ext=[options(HOPOPTS, FIXED), options(DSTOPTS, PLAIN)]))),
        row("FC-08-none", True, "a header with padding alone, and no option",
            "ordinary", frame(ordinary(ext=[options(DSTOPTS, padding(6))]))),
        row("FC-08-skipped", True, "a header with an option to be skipped, and no other",
            "ordinary", frame(ordinary(ext=[options(DSTOPTS, FIXED)]))),
        row("FC-08-two", False, "two in one header", "malformed",
            frame(fast(PLAIN, PLAIN))),
        row("FC-08-both", False, "one of each kind", "malformed",
            frame(fast(PLAIN, IOAM))),
        row("FC-08-two-ioam", False, "two of the IOAM kind", "malformed",
            frame(fast(IOAM, IOAM))),
        row("FC-08-two-headers", False, "one in each of two headers", "malformed",
            frame(datagram(ext=[options(DSTOPTS, PLAIN)] * 2))),
        row("FC-08-three-headers", False, "RFC 8200, 4.1, has two such headers",
            "unsupported", frame(datagram(ext=[options(DSTOPTS, FIXED)] * 2 +
                                          [options(DSTOPTS, PLAIN)]))),
        row("FC-12-15", False, "15 bytes", "malformed",
            frame(fast(option(0x9e, ADDRESS[1:])))),
        row("FC-12-17", False, "17 bytes", "malformed",
            frame(fast(option(0x9e, ADDRESS + b"\0")))),
        row("FC-12-0", False, "no byte", "malformed", frame(fast(option(0x9e)))),
        row("FC-12-32", False, "two addresses", "malformed",
            frame(fast(option(0x9e, 2 * ADDRESS)))),
        row("FC-15-empty", True, "a trace that no node has written to", "fast_ioam",
            frame(fast(LEAD, trace(0x820000, 2)))),
        row("FC-15-free", True, "one with room for a node", "fast_ioam",
            frame(fast(LEAD, trace(0x820000, 2, 0, 0, 0x3e000103, 2048, flags_left=2)))),
        row("FC-15-incremental", True, "one that grows, IOAM-Opt-Type 1", "fast_ioam",
            frame(fast(LEAD, trace(0x800000, 1, 0x3e000103, flags_left=51, kind=1)))),
        row("FC-15-reserved", True, "Reserved is copied, too", "fast_ioam",
            frame(fast(LEAD, trace(0x800000, 1, 0x3e000103, reserved=0x55)))),
        row("FC-15-wide", True, "wide items count two words", "fast_ioam",
            frame(fast(LEAD, trace(0x008000, 2, 0x40000000, 257)))),
        row("FC-15-snapshot", True, "nodes with a snapshot, each of its own length",
            "fast_ioam", frame(fast(LEAD, trace(0x800002, 1, 0x3e000103, 0x00ffffff)))),
        row("FC-15-nothing", True, "a trace that asks for nothing, and has nothing",
            "fast_ioam", frame(fast(LEAD, trace(0, 0)))),
        row("FC-15-nothing-asked", False, "one that asks for nothing, and has a word",
            "malformed", frame(fast(LEAD, trace(0, 0, 0)))),
        row("FC-15-57", True, "57 words, the most that fit", "fast_ioam",
            frame(fast(LEAD, trace(0x800000, 1, *range(57))))),
        row("FC-15-node-len", False, "NodeLen is not that of the trace type", "malformed",
            frame(fast(LEAD, trace(0x820000, 1, 1, 2)))),
        row("FC-15-left", False, "more room than bytes", "malformed",
            frame(fast(LEAD, trace(0x820000, 2, 1, 2, 3, 4, flags_left=5)))),
        row("FC-15-odd", False, "a node and a half", "malformed",
            frame(fast(LEAD, trace(0x820000, 2, 1, 2, 3)))),
        row("FC-15-kind", False, "IOAM-Opt-Type 2 is no trace", "malformed",
            frame(fast(LEAD, trace(0x820000, 2, 1, 2, kind=2)))),
        row("FC-15-cut", False, "no whole words", "malformed",
            frame(fast(LEAD, option(0x9f, bytes(2) + TRACE[:-2] + ADDRESS)))),
        row("FC-15-7", False, "a trace of 7 bytes", "malformed",
            frame(fast(LEAD, option(0x9f, bytes(2) + TRACE[:7] + ADDRESS)))),
        row("FC-15-address", False, "half an address", "malformed",
            frame(fast(LEAD, option(0x9f, ADDRESS[:8])))),
    ]


def rfc8200_rows():
    return [
        row("FC-23-act-00", True, "act 00: skip what nobody knows, before it",
            "fast_plain", frame(fast(FIXED, PLAIN))),
        row("FC-23-act-00-after", True, "and after it", "fast_plain",
            frame(fast(PLAIN, FIXED))),
        row("FC-23-eight", True, "as many options as are looked at", "fast_plain",
            frame(fast(*MANY[1:], PLAIN))),
        row("FC-23-pad-7", True, "the most padding that an alignment needs",
            "fast_plain", frame(fast(padding(7), PLAIN))),
        row("FC-23-act-01", False, "act 01: discard", "bad_arrival unknown_option",
            frame(fast(option(0x5e, b"\0\0"), PLAIN))),
        row("FC-23-act-10", False, "act 10: discard, and tell the source",
            "bad_arrival unknown_option 4/2/42", frame(fast(option(0x9d, b"\0\0"), PLAIN))),
        row("FC-23-act-11", False, "act 11: the same of unicast",
            "bad_arrival unknown_option 4/2/42", frame(fast(option(0xde, b"\0\0"), PLAIN))),
        row("FC-23-act-01-after", False, "act 01 after it", "bad_arrival unknown_option",
            frame(fast(PLAIN, option(0x5e)))),
        row("FC-23-act-10-after", False, "act 10 after it",
            "bad_arrival unknown_option 4/2/60", frame(fast(PLAIN, option(0x80)))),
        row("FC-23-act-11-after", False, "act 11 after it",
            "bad_arrival unknown_option 4/2/60", frame(fast(PLAIN, option(0xff)))),
        row("FC-23-act-01-alone", False, "act 01 in an ordinary CNP",
            "bad_arrival unknown_option",
            frame(ordinary(ext=[options(DSTOPTS, option(0x5e, b"\0\0"))]))),
        row("FC-23-act-10-alone", False, "act 10 in an ordinary CNP",
            "bad_arrival unknown_option 4/2/42",
            frame(ordinary(ext=[options(DSTOPTS, option(0x9d, b"\0\0"))]))),
        row("FC-23-act-11-alone", False, "act 11 in an ordinary CNP",
            "bad_arrival unknown_option 4/2/42",
            frame(ordinary(ext=[options(DSTOPTS, option(0xde, b"\0\0"))]))),
        row("FC-23-act-other-header", False, "act 10 in the header before",
            "bad_arrival unknown_option 4/2/42",
            frame(datagram(ext=[options(DSTOPTS, option(0x9d)),
            options(DSTOPTS, PLAIN)]))),
        row("FC-23-nine", False, "more options than are looked at",
            "bad_arrival unsupported", frame(fast(PLAIN, *MANY))),
        row("FC-23-nine-overrun", False, "a ninth that is too long",
            "bad_arrival bad_options 4/0/58",
            frame(datagram(ext=[options(HOPOPTS, *[option(0x1e)] * 8,
            bytes([0x1e, 9, 0, 0, 0, 0]), words=2),
            options(DSTOPTS, PLAIN)]))),
        row("FC-23-pad-8", False, "8 bytes of Pad1 hide an option",
            "bad_arrival unsupported", frame(fast(*[padding(1)] * 8, PLAIN, padding(4)))),
        row("FC-23-padn-8", False, "a PadN of 8 bytes does", "bad_arrival unsupported",
            frame(fast(padding(8), PLAIN))),
        row("FC-23-pad-4-4", False, "two that make 8 do", "bad_arrival unsupported",
            frame(fast(padding(4), padding(4), PLAIN))),
        row("FC-23-pad-speaks", False, "padding that says something",
            "bad_arrival bad_options 4/0/42", frame(fast(option(1, b"\0\1"), PLAIN))),
        row("FC-23-overrun", False, "an option beyond its header",
            "bad_arrival bad_options 4/0/42",
            frame(fast(b"\x9e\x15" + ADDRESS + bytes(4)))),
        row("FC-23-overrun-all", False, "and beyond the packet",
            "bad_arrival bad_options 4/0/42",
            frame(fast(b"\x9e\xff" + ADDRESS + bytes(4)))),
        row("FC-23-no-length", False, "a type in the last byte, and no length",
            "bad_arrival bad_options 4/0/63",
            frame(fast(PLAIN, option(0x1e, b"\0") + b"\x9e"))),
        row("FC-23-header-overrun", False, "a header beyond the packet", "not_a_cnp",
            frame(datagram(ext=[options(DSTOPTS, PLAIN, words=255)]))),
        row("FC-23-nine-headers", False, "a chain of nine headers", "not_a_cnp",
            frame(datagram(ext=[options(HOPOPTS, FIXED)] +
                           [routing(0, 0, HOST)] * 7 + [options(DSTOPTS, PLAIN)]))),
        row("FC-23-first-fragment", False, "a fragment, the first", "not_a_cnp",
            frame(datagram(ext=[fragment(0, 1), options(DSTOPTS, PLAIN)]))),
        row("FC-23-fragment", False, "a fragment, another", "not_a_cnp",
            frame(datagram(ext=[fragment(8, 0), options(DSTOPTS, PLAIN)]))),
    ]


def cnp_rows():
    """The fields (IBTA A17.9.3) and the lengths of a CNP."""
    whole, cut = fast(), ordinary()
    return [
        row("cnp-odd", None, "what a receiver ignores, all of it", "ordinary",
            frame(ordinary(byte1=0xc0, byte4=0xff, byte8=0xff, psn=0x123456, pkey=0x8001,
                           body=bytes(range(16)), dscp=34, ecn=1, hops=1, flow=0xabcde))),
        row("cnp-odd-fast", None, "the same of a Fast CNP", "fast_plain",
            frame(fast(byte1=0xc0, byte4=0x3f, byte8=0x80, psn=1, body=b"\1" + bytes(15),
                       dscp=63, ecn=3, hops=255, flow=0xfffff, sport=0))),
        row("cnp-checksum", None, "a UDP checksum", "fast_plain",
            frame(fast(sum=True))),
        row("cnp-checksum-ordinary", None, "the same without an option", "ordinary",
            frame(ordinary(sum=True))),
        row("cnp-checksum-4", None, "the same over IPv4", "ordinary",
            frame(ordinary4(sum=True))),
        row("cnp-checksum-srh", None, "behind an SRH, to the address of the IP header",
            "fast_plain", frame(datagram(sum=True, ext=[routing(0, 7, REMOTE),
                                                        options(DSTOPTS, PLAIN)]))),
        row("cnp-checksum-wrong", None, "a wrong one: RFC 768, RFC 8200, 8.1",
            "bad_checksum", frame(fast(sum=True, sum_more=1))),
        row("cnp-checksum-wrong-bit", None, "by its first bit", "bad_checksum",
            frame(fast(LEAD, IOAM, sum=True, sum_more=0x8000))),
        row("cnp-checksum-wrong-ordinary", None, "the same without an option",
            "bad_checksum", frame(ordinary(sum=True, sum_more=1))),
        row("cnp-checksum-wrong-4", None, "the same over IPv4", "bad_checksum",
            frame(ordinary4(sum=True, sum_more=-1))),
        row("cnp-checksum-icrc", None, "its ICRC is wrong, too", "bad_checksum",
            frame(fast(sum=True, sum_more=1, flip=1))),
        row("cnp-ce", None, "marked on its way, and not for that a data packet",
            "ordinary", frame(ordinary4(dscp=34, ecn=3, hops=1, ident=0xffff))),
        row("cnp-ipv4-options", None, "IPv4 with options", "ordinary",
            frame(ordinary4(options=bytes.fromhex("94040000 01010100")))),
        row("cnp-tver", None, "a transport of another version", "unsupported",
            frame(fast(byte1=1))),
        row("cnp-tver-ordinary", None, "the same without an option", "unsupported",
            frame(ordinary(byte1=15))),
        row("cnp-pad", None, "padding where a CNP has none", "malformed",
            frame(fast(byte1=0x10))),
        row("cnp-pad-ordinary", None, "the same without an option", "malformed",
            frame(ordinary(byte1=0x30))),
        row("cnp-no-reserved", None, "without its 16 bytes", "malformed",
            frame(fast(body=b""))),
        row("cnp-no-reserved-ordinary", None, "the same without an option", "malformed",
            frame(ordinary(body=b""))),
        row("cnp-long", None, "4 bytes too long", "malformed", frame(fast(body=bytes(20)))),
        row("cnp-udp-short", None, "UDP Length is 36", "malformed",
            frame(fast(udp_length=36))),
        row("cnp-udp-tiny", None, "UDP Length ends in the BTH", "not_a_cnp",
            frame(fast(udp_length=20))),
        row("cnp-udp-0", None, "UDP Length is 0", "not_a_cnp", frame(fast(udp_length=0))),
        row("cnp-udp-overrun", None, "UDP is longer than IP", "not_a_cnp",
            frame(fast(udp_length=44))),
        row("cnp-ip-longer", None, "IP is longer than UDP: what follows is nobody's",
            "fast_plain", frame(fast(ip_more=8), trailer=bytes(8)), trailer=8),
        row("cnp-trailer", None, "an Ethernet FCS was captured with it", "fast_plain",
            frame(fast(), trailer=bytes.fromhex("deadbeef")), trailer=4),
        row("cnp-cut-icrc", None, "captured but for its last byte", "bad_arrival partial",
            frame(whole)[:-1]),
        row("cnp-cut-reserved", None, "captured as far as its BTH", "bad_arrival partial",
            frame(whole)[:-20]),
        row("cnp-cut-bth", None, "captured into its BTH", "not_a_cnp",
            frame(whole)[:-21]),
        row("cnp-cut-ip", None, "captured into its IP header", "not_a_cnp",
            frame(whole)[:53]),
        row("cnp-cut-ether", None, "captured into its Ethernet header", "not_a_cnp",
            frame(whole)[:13]),
        row("cnp-nothing", None, "no byte at all", "not_a_cnp", b""),
        row("cnp-cut-ordinary", None, "captured but for its last byte, without an option",
            "bad_arrival partial", frame(cut)[:-1]),
        row("cnp-fragment-4", None, "a fragment over IPv4", "not_a_cnp",
            frame(ordinary4(flags=1))),
        row("cnp-port", None, "another UDP port", "not_a_cnp", frame(fast(dport=4790))),
        row("cnp-native", None, "the CN of native InfiniBand, 0x80", "unexpected_opcode",
            frame(fast(opcode=0x80))),
        row("cnp-data", None, "data with an option: the gate drops it", "unexpected_opcode",
            frame(fast(opcode=0x04))),
        row("cnp-data-ioam", None, "the same of the IOAM kind", "unexpected_opcode",
            frame(fast(LEAD, IOAM, opcode=0x11))),
        row("cnp-data-plain", None, "data without: the host goes on", "not_a_cnp",
            frame(ordinary(opcode=0x04))),
        row("cnp-data-4", None, "the same over IPv4", "not_a_cnp",
            frame(ordinary4(opcode=0x64))),
        row("cnp-ether", None, "IPv4 by its type, IPv6 by its version", "not_a_cnp",
            frame(fast())[:12] + b"\x08\0" + fast()),
        row("cnp-arp", None, "no IP at all", "not_a_cnp",
            frame(fast())[:12] + b"\x08\x06" + fast()),
        row("vlan-1", None, "behind a VLAN tag", "fast_plain",
            frame(fast(), (0x8100, 0x6005))),
        row("vlan-2", None, "behind two, an S-TAG first", "fast_ioam",
            frame(fast(LEAD, IOAM), (0x88a8, 0x6064), (0x8100, 0x6400))),
        row("vlan-3", None, "behind three", "ordinary",
            frame(ordinary4(), (0x88a8, 1), (0x8100, 2), (0x8100, 3)), peer="yes"),
        row("vlan-4", None, "behind four: nobody looks so far", "not_a_cnp",
            frame(fast(), (0x88a8, 1), (0x8100, 2), (0x8100, 3), (0x8100, 4))),
        row("vlan-cut", None, "behind half a tag", "not_a_cnp",
            frame(fast(), (0x8100, 1))[:15]),
    ]


def arrival_rows():
    """Packets that may not end at a host (RFC 1122, 3.2.1; RFC 4291, 2.5 to 2.7; RFC 791, 3.1)."""
    nobody6 = [("zero", "::"), ("loopback", "::1"), ("group", "ff02::1"),
               ("wide-group", "ff0e::9"), ("mapped", "::ffff:c000:201")]
    nobody4 = [("net-0", "0.0.0.0"), ("loopback", "127.0.0.1"), ("group", "224.0.0.1"),
               ("reserved", "240.0.0.1"), ("broadcast", "255.255.255.255")]
    source, destination = "bad_arrival bad_source", "bad_arrival bad_destination"
    rows = []
    for name, address in nobody6:
        rows += [row(f"from-{name}", None, f"from {address}", source,
                     frame(ordinary(src=address))),
                 row(f"to-{name}", None, f"to {address}", destination,
                     frame(fast(dst=address)))]
    for name, address in nobody4:
        rows += [row(f"from-{name}-4", None, f"from {address}", source,
                     frame(ordinary4(src=f"::ffff:{address}"))),
                 row(f"to-{name}-4", None, f"to {address}", destination,
                     frame(ordinary4(dst=f"::ffff:{address}")))]
    return rows + [
        row("from-itself", None, "from the host that it is for", source,
            frame(ordinary(src=HOST))),
        row("from-itself-fast", None, "the same of a Fast CNP", source,
            frame(fast(src=HOST))),
        row("from-itself-4", None, "the same over IPv4", source,
            frame(ordinary4(src="::ffff:192.0.2.2"))),
        row("from-link", None, "both on one link: RFC 4291, 2.5.6", "ordinary",
            frame(ordinary(src="fe80::1", dst="fe80::2"))),
        row("from-link-4", None, "the same: RFC 3927", "ordinary",
            frame(ordinary4(src="::ffff:169.254.0.1", dst="::ffff:169.254.0.2"))),
        row("ip-checksum", None, "a bit of IPv4's header checksum",
            "bad_arrival bad_checksum", frame(spoiled(ordinary4()))),
        row("ip-checksum-options", None, "the same with options",
            "bad_arrival bad_checksum",
            frame(spoiled(ordinary4(options=bytes.fromhex("01010101"))))),
        row("ip-length", None, "IP goes beyond the bytes", "bad_arrival partial",
            frame(fast(ip_more=1))),
        row("ip-length-4", None, "the same over IPv4", "bad_arrival partial",
            frame(ordinary4(ip_more=1))),
        row("route-open", None, "a loose source route that has not ended",
            "bad_arrival segments_left 3/5/0",
            frame(ordinary4(options=bytes.fromhex("830704 0a000001 00")))),
        row("route-strict", None, "a strict one", "bad_arrival segments_left 3/5/0",
            frame(ordinary4(options=bytes.fromhex("01 890704 0a000001")))),
        row("route-at-length", None, "its pointer is its length, and not greater",
            "bad_arrival segments_left 3/5/0",
            frame(ordinary4(options=bytes.fromhex("830707 0a000001 00")))),
        row("route-ended", None, "a loose source route that has ended", "ordinary",
            frame(ordinary4(options=bytes.fromhex("830708 0a000001 00")))),
        row("route-after-end", None, "what follows the end of the options is none",
            "ordinary", frame(ordinary4(options=bytes.fromhex("00 830704 0a000001")))),
        row("route-overrun", None, "an option beyond the header",
            "bad_arrival bad_options 12/0/21",
            frame(ordinary4(options=bytes.fromhex("01 830804 0a000001")))),
        row("ip-option-0", None, "an option of 0 bytes",
            "bad_arrival bad_options 12/0/20",
            frame(ordinary4(options=bytes.fromhex("44000000")))),
        row("ip-option-1", None, "and of 1", "bad_arrival bad_options 12/0/20",
            frame(ordinary4(options=bytes.fromhex("44010000")))),
        row("ip-option-unknown", None, "one that nobody knows: RFC 1122, 3.2.1.8",
            "ordinary", frame(ordinary4(options=bytes.fromhex("de04abcd")))),
        row("srh-left", None, "a segment is left: RFC 8754, 4.3.2",
            "bad_arrival segments_left 4/0/42",
            frame(datagram(ext=[routing(1, 7, HOST, REMOTE), options(DSTOPTS, PLAIN)]))),
        row("srh-left-ordinary", None, "the same without an option",
            "bad_arrival segments_left 4/0/42",
            frame(ordinary(ext=[routing(2, 7, HOST, REMOTE, SWITCH)]))),
        row("srh-before-option", None, "segments left before an option that is discarded",
            "bad_arrival segments_left 4/0/42",
            frame(ordinary(ext=[routing(1, 7, HOST, REMOTE),
                                options(DSTOPTS, option(0xde))]))),
        row("hop-by-hop-second", None, "Hop-by-Hop is not the first: RFC 8200, 4.1",
            "bad_arrival unknown_header 4/1/40",
            frame(datagram(ext=[options(DSTOPTS, PLAIN), options(HOPOPTS, FIXED)]))),
        row("hop-by-hop-fast", None, "a Fast CNP option in Hop-by-Hop",
            "bad_arrival unknown_option 4/2/42",
            frame(ordinary(ext=[options(HOPOPTS, PLAIN)]))),
        row("options-four-headers", None, "8 options in three headers: as many as are read",
            "fast_plain",
            frame(datagram(ext=[options(HOPOPTS, *MANY[:3]), options(DSTOPTS, *MANY[:4]),
                                options(DSTOPTS, PLAIN)]))),
        row("options-nine-headers", None, "9 in three headers", "bad_arrival unsupported",
            frame(datagram(ext=[options(HOPOPTS, *MANY[:4]), options(DSTOPTS, *MANY[:4]),
                                options(DSTOPTS, PLAIN)]))),
        row("options-eight-dirty", None, "padding after 8 options says something",
            "bad_arrival bad_options 4/0/74",
            frame(fast(*MANY[1:], PLAIN, option(1, b"\0\1")))),
        row("exts-long", None, "more than 640 bytes of headers", "unsupported",
            frame(ordinary(ext=[routing(0, 7, *[HOST] * 41)]))),
        row("exts-640", None, "and 640 of them", "ordinary",
            frame(ordinary(rule="literal", ext=[
                routing(0, 7, *[HOST] * 39), options(DSTOPTS, padding(6))]))),
    ]


def header_rows():
    """A host does not step over a header that it does not process (RFC 8200, 4)."""
    def one(name, says, value, *ext, make=fast):
        verdict = f"bad_arrival unknown_header {value}"
        return row(f"header-{name}", None, says, verdict, frame(
            make(ext=ext) if make is not fast else
            datagram(ext=[*ext, options(DSTOPTS, PLAIN)])))
    rows = []
    for name, kind in (("mobility", MOBILITY), ("hip", HIP), ("shim6", SHIM6)):
        rows += [one(name, f"{name} before a Fast CNP", "4/1/6", odd_header(kind)),
                 one(name + "-ordinary", "the same before an ordinary CNP", "4/1/6",
                     odd_header(kind), make=ordinary)]
    return rows + [
        one("ah", "AH before a Fast CNP", "4/1/6", auth()),
        one("ah-ordinary", "the same before an ordinary CNP", "4/1/6", auth(),
            make=ordinary),
        one("ah-4", "the same over IPv4: protocol unreachable", "3/2/0", auth(),
            make=ordinary4),
        row("header-ah-4-route", None, "over IPv4, behind options: they come first",
            "bad_arrival segments_left 3/5/0",
            frame(ordinary4(ext=[auth()], options=bytes.fromhex("830704 0a000001 00")))),
        one("ah-second", "AH behind options: the header before it names it", "4/1/40",
            options(HOPOPTS, FIXED), auth()),
        one("ah-first", "AH before an option that is discarded", "4/1/6", auth(),
            options(DSTOPTS, option(0xde))),
        row("header-ah-after", None, "AH behind an option that is discarded",
            "bad_arrival unknown_option 4/2/42",
            frame(ordinary(ext=[options(DSTOPTS, option(0xde)), auth()]))),
        row("header-ah-data", None, "AH before data with the option is not the gate's to "
            "judge", "unexpected_opcode",
            frame(datagram(opcode=4, ext=[auth(), options(DSTOPTS, PLAIN)]))),
    ]


def ah_off_rows():
    return [
        row("header-ah-off", None, "a walk that does not follow AH sees no CNP",
            "not_a_cnp", frame(ordinary(ext=[auth()]))),
        row("header-ah-off-4", None, "over IPv4 neither", "not_a_cnp",
            frame(ordinary4(ext=[auth()]))),
    ]


def tunnel_rows(on):
    """In IP in IP, both headers must end at the host. Only the inner one has Fast CNP options."""
    name = "on" if on else "off"
    ipv4s = {"src": "::ffff:192.0.2.9", "dst": "::ffff:192.0.2.2"}

    def one(what, says, verdict, data):
        return row(f"tunnel-{name}-{what}", None, says,
                   verdict if on else "unexpected_tunnel", frame(data))

    def with_options(*given):
        return tunnel(fast(), ext=[options(DSTOPTS, *given)])
    return [
        one("66", "IPv6 in IPv6", "fast_plain", tunnel(fast())),
        one("64", "IPv6 in IPv4", "fast_plain", tunnel(fast(), **ipv4s)),
        one("46", "IPv4 in IPv6", "ordinary", tunnel(ordinary4())),
        one("44", "IPv4 in IPv4", "ordinary", tunnel(ordinary4(), **ipv4s)),
        one("skip", "an outer option to be skipped", "fast_plain", with_options(FIXED)),
        one("option", "an outer option that nobody knows",
            "bad_arrival unknown_option 4/2/42", with_options(option(0xde))),
        one("option-silent", "act 01: no answer", "bad_arrival unknown_option",
            with_options(option(0x5e))),
        one("option-fast", "a Fast CNP option belongs inside",
            "bad_arrival unknown_option 4/2/42", with_options(PLAIN)),
        one("option-inside", "and one that nobody knows inside",
            "bad_arrival unknown_option 4/2/42", tunnel(fast(option(0xde), PLAIN))),
        one("source", "the tunnel is from a group", "bad_arrival bad_source",
            tunnel(fast(), src="ff02::1")),
        one("source-inside", "what is inside is", "bad_arrival bad_source",
            tunnel(fast(src="ff02::1"))),
        one("group", "the tunnel is to a group", "bad_arrival bad_destination",
            tunnel(fast(), dst="ff02::1")),
        one("group-inside", "what is inside is", "bad_arrival bad_destination",
            tunnel(fast(dst="ff02::1"))),
        one("checksum", "a bit of the outer IPv4's header checksum",
            "bad_arrival bad_checksum", spoiled(tunnel(fast(), **ipv4s))),
        one("checksum-inside", "and of the one inside", "bad_arrival bad_checksum",
            tunnel(spoiled(ordinary4()))),
        one("left", "an outer segment is left", "bad_arrival segments_left 4/0/42",
            tunnel(fast(), ext=[routing(1, 7, HOST, REMOTE)])),
        one("route", "an outer source route has not ended",
            "bad_arrival segments_left 3/5/0",
            tunnel(fast(), options=bytes.fromhex("830704 0a000001 00"), **ipv4s)),
        one("header", "an outer Mobility header", "bad_arrival unknown_header 4/1/6",
            tunnel(fast(), ext=[odd_header(MOBILITY)])),
        row(f"tunnel-{name}-longer", None, "the packet inside is longer than its tunnel",
            "not_a_cnp", frame(tunnel(fast(ip_more=1)))),
        row(f"tunnel-{name}-two", None, "a tunnel in a tunnel is not followed", "not_a_cnp",
            frame(tunnel(tunnel(fast())))),
    ]


def key_rows():
    """The key is a host's address, and not the switch's (FC-16)."""
    nobody = [("zero", "::"), ("loopback", "::1"), ("group", "ff02::1"),
              ("wide-group", "ff0e::9"), ("mapped", "::ffff:192.0.2.1")]
    rows = []
    for name, address in nobody:
        head, data = trace(0x800000, 1, 0x3e000103)[:-16], packed(address)
        rows += [row(f"FC-16-{name}", False, f"the key is {address}", "malformed",
                     frame(fast(option(0x9e, data)))),
                 row(f"FC-16-{name}-ioam", False, "the same of the other kind", "malformed",
                     frame(fast(LEAD, head + data)))]
    own = packed(SWITCH)
    return rows + [
        row("FC-06-receiver", False, "the source says that it is the receiver",
            "source_is_receiver", frame(fast(option(0x9e, own)))),
        row("FC-06-receiver-ioam", False, "the same of the other kind",
            "source_is_receiver", frame(fast(LEAD, trace(0, 0)[:-16] + own))),
    ]


def access_rows():
    def sent(row_id, kept, says, verdict, src, **given):
        return row(row_id, kept, says, verdict, frame(fast(src=src)), **given)
    return [
        sent("FC-19-listed", True, "within a permitted prefix", "fast_plain",
             "2001:db8:ffff::1"),
        sent("FC-19-first", True, "its first address", "fast_plain", "2001:db8:ffff::"),
        sent("FC-19-last", True, "its last address", "fast_plain",
             "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
        sent("FC-19-host", True, "a host permitted inside a denied prefix", "fast_plain",
             "2001:db8:ffff:bad::7"),
        sent("FC-19-odd-length", True, "a prefix of 61 bits", "fast_plain",
             "2001:db8:1:7::1"),
        sent("FC-19-before", False, "one before the prefix", "access_denied",
             "2001:db8:fffe:ffff:ffff:ffff:ffff:ffff"),
        sent("FC-19-after", False, "one after it", "access_denied", "2001:db9::"),
        sent("FC-19-odd-length-after", False, "one after 61 bits", "access_denied",
             "2001:db8:1:8::"),
        sent("FC-19-denied", False, "a denied prefix inside a permitted one", "access_denied",
             "2001:db8:ffff:bad::1"),
        sent("FC-19-beside-host", False, "beside the host that is permitted in there",
             "access_denied", "2001:db8:ffff:bad::6"),
        sent("FC-19-unlisted", False, "an address that nobody listed", "access_denied",
             "2620::1"),
        sent("FC-19-near-zero", False, "::2 is an address, and not on the list", "access_denied",
             "::2"),
        row("FC-19-ordinary", True, "the list is for switches alone", "ordinary",
            frame(ordinary(src="2620::1"))),
        row("FC-19-ioam-denied", False, "the IOAM kind needs it as well", "access_denied",
            frame(fast(LEAD, IOAM, src="2620::1"))),
    ]


def limit_rows():
    """
    Each switch has two tokens, and gets one per millisecond. Its bucket for verification and
    the shared bucket have twice as many.
    """
    ms, good, bad = 10**6, frame(fast()), frame(fast(flip=1))
    second, third = frame(fast(LEAD, IOAM, src=SECOND)), frame(fast(src=THIRD))
    own, common, verify = (f"rate_limited {which}_limited"
                           for which in ("source", "shared", "verify"))
    hour = 3600 * 1000 * ms
    return [
        row("FC-18-access-free", True, "what is refused takes no token: its source",
            "access_denied", frame(fast(src="2620::1"))),
        row("FC-18-source-free", True, "its source, of no switch", "bad_arrival bad_source",
            frame(fast(src="::"))),
        row("FC-18-format-free", True, "its option", "malformed",
            frame(fast(PLAIN, PLAIN))),
        row("FC-18-peer-free", True, "its peer", "suspicious", good, peer="yes"),
        row("FC-18-tag", False, "a source whose tag has no buckets", own,
            frame(fast(src=TAG_3))),
        row("FC-18-icrc-1", True, "AD-2: a wrong ICRC takes a token of `verified`", "bad_icrc",
            bad),
        row("FC-18-checksum-2", True, "and a wrong checksum does", "bad_checksum",
            frame(fast(sum=True, sum_more=1))),
        row("FC-18-1", True, "the first of two", "fast_plain", good),
        row("FC-18-2", True, "the second, and the last that is verified", "fast_plain", good),
        row("FC-18-3", False, "a third at the same time", own, good),
        row("FC-18-3-icrc", False, "AD-3: it is not verified", own, bad),
        row("FC-18-2nd-1", True, "of another switch", "fast_ioam", second),
        row("FC-18-2nd-forged-1", True, "whose address is forged", "bad_icrc",
            frame(fast(src=SECOND, flip=1))),
        row("FC-18-2nd-forged-2", True, "and again", "bad_icrc",
            frame(fast(src=SECOND, flip=1))),
        row("FC-18-2nd-2", True, "which does not matter to it", "fast_ioam", second),
        row("FC-18-3rd", False, "AD-4: two misbehave, where one is provided for", common,
            third),
        row("FC-18-3rd-again", False, "and again", common, third),
        row("FC-18-3rd-more", False, "each took a token of its source", own, third),
        row("FC-18-ordinary", True, "an ordinary CNP is not limited", "ordinary",
            frame(ordinary())),
        row("FC-18-4", False, "a nanosecond before there is a token", own, good,
            now_ns=ms - 1),
        row("FC-18-5", True, "and then", "fast_plain", good, now_ns=ms),
        row("FC-18-6", False, "that was the one", own, good, now_ns=ms),
        row("FC-18-7", False, "half a token", own, good, now_ns=ms * 3 // 2),
        row("FC-18-8", True, "both halves", "fast_plain", good, now_ns=2 * ms),
        row("FC-18-forged-1", True, "its address is forged, beyond the budget", "bad_icrc",
            bad, now_ns=hour),
        row("FC-18-forged-2", True, "the second", "bad_icrc", bad, now_ns=hour),
        row("FC-18-forged-3", True, "the third", "bad_icrc", bad, now_ns=hour),
        row("FC-18-forged-4", True, "the fourth", "bad_icrc", bad, now_ns=hour),
        row("FC-18-forged-5", False, "and no fifth is verified", verify, bad, now_ns=hour),
        row("FC-18-forged", False, "the switch itself is not heard, either", verify, good,
            now_ns=hour),
        row("FC-18-forged-next", True, "until there is a token: 0.5 ms", "fast_plain", good,
            now_ns=hour + ms // 2),
        row("FC-18-9", True, "a second later there are two again", "fast_plain", good,
            now_ns=hour + 1000 * ms),
        row("FC-18-10", True, "the second", "fast_plain", good, now_ns=hour + 1000 * ms),
        row("FC-18-11", False, "and no third", own, good, now_ns=hour + 1000 * ms),
        row("FC-18-back", False, "a clock that steps back by 2 ms fills nothing", own, good,
            now_ns=hour + 998 * ms),
        row("FC-18-back-again", False, "and when it is back nothing either", own, good,
            now_ns=hour + 1000 * ms),
        row("FC-18-far-back", False, "further than the bucket takes to fill: from there", own,
            good, now_ns=1000 * ms),
        row("FC-18-from-there", True, "a millisecond on", "fast_plain", good,
            now_ns=1001 * ms),
    ]


def ordinary_rows():
    """Ordinary CNPs need admission, too. One is admitted at once, and two are verified."""
    own, common = "rate_limited source_limited", "rate_limited shared_limited"
    verify = "rate_limited verify_limited"
    others = [f"2001:db8:2::{i:x}" for i in (0x20, 0x21, 0x22)]
    good = [frame(ordinary(src=src)) for src in others]
    bad = frame(ordinary(src=others[0], flip=1))
    return [
        row("ordinary-unlisted", None, "an ordinary CNP from who is not listed",
            "access_denied", frame(ordinary(src="2620::1"))),
        row("ordinary-unlisted-4", None, "the same over IPv4", "access_denied",
            frame(ordinary4(src="::ffff:198.51.100.1"))),
        row("ordinary-peer", None, "the peer before the list", "suspicious",
            frame(ordinary(src="2620::1")), peer="no"),
        row("ordinary-listed-4", None, "listed, and its tag has no buckets", own,
            frame(ordinary4())),
        row("ordinary-1", None, "the one", "ordinary", good[0]),
        row("ordinary-2", None, "and no other", own, good[0]),
        row("ordinary-2-icrc", None, "whose ICRC nobody computes", own, bad),
        row("ordinary-2nd", None, "of another receiver", "ordinary", good[1]),
        row("ordinary-3rd", None, "of a third: one is provided for", common, good[2]),
        row("ordinary-forged", None, "a receiver's address is forged", "bad_icrc", bad,
            now_ns=10**9),
        row("ordinary-forged-2", None, "and again", "bad_icrc", bad, now_ns=10**9),
        row("ordinary-forged-3", None, "two are verified", verify, bad, now_ns=10**9),
        row("ordinary-own", None, "half a second later there is a token again", "ordinary",
            good[0], now_ns=15 * 10**8),
        row("ordinary-fast", None, "Fast CNP is off", "disabled 4/2/42", frame(fast())),
    ]


def thirds_rows():
    """Two at once, and 3 per second. No whole number of nanoseconds makes a token."""
    good, own = frame(fast()), "rate_limited source_limited"
    return [
        row("FC-18-third-0", True, "what is refused does not touch the bucket", "access_denied",
            frame(fast(src="2620::1")), now_ns=4),
        row("FC-18-third-1", True, "two at once", "fast_plain", good, now_ns=5),
        row("FC-18-third-2", True, "the second", "fast_plain", good, now_ns=5),
        row("FC-18-third-3", False, "333,333,333 ns are too short", own, good,
            now_ns=333333338),
        row("FC-18-third-4", True, "333,333,334 are not", "fast_plain", good,
            now_ns=333333339),
        row("FC-18-third-5", False, "what was over counts: 333,333,332 are too short",
            own, good, now_ns=666666671),
        row("FC-18-third-6", True, "and 333,333,333 are not", "fast_plain", good,
            now_ns=666666672),
        row("FC-18-third-7", True, "2^40 ns later it is full", "fast_plain", good,
            now_ns=666666672 + 2**40),
        row("FC-18-third-8", True, "the second", "fast_plain", good,
            now_ns=666666672 + 2**40),
        row("FC-18-third-9", False, "and no third", own, good,
            now_ns=666666672 + 2**40),
    ]


def off_rows(types):
    """A host with Fast CNP off answers with a Parameter Problem (FC-03)."""
    tail = "-types" if types else ""
    off = "disabled" if types else "bad_arrival unknown_option"
    return [
        row("FC-22-plain" + tail, True, "a Fast CNP is dropped", off + " 4/2/42",
            frame(fast())),
        row("FC-22-ioam" + tail, True, "the other kind, too", off + " 4/2/44",
            frame(fast(LEAD, IOAM))),
        row("FC-22-peer" + tail, True, "from whomever", off + " 4/2/42", frame(fast()),
            peer="yes"),
        row("FC-22-two" + tail, True, "however malformed",
            off + " 4/2/42", frame(fast(PLAIN, PLAIN))),
        row("FC-22-act" + tail, True, "as any option that asks to discard",
            "bad_arrival unknown_option",
            frame(ordinary(ext=[options(DSTOPTS, option(0x5e))]))),
        row("FC-22-data" + tail, True, "data with an option is not the gate's",
            "not_a_cnp", frame(fast(opcode=0x04))),
        row("FC-22-ordinary" + tail, True, "an ordinary CNP is not affected", "ordinary",
            frame(ordinary())),
        row("FC-22-ipv4" + tail, True, "over IPv4 neither", "ordinary",
            frame(ordinary4()), peer="yes"),
        row("FC-22-skipped" + tail, True, "nor one with an option to be skipped",
            "ordinary", frame(ordinary(ext=[options(DSTOPTS, FIXED)]))),
        row("FC-22-stranger" + tail, True, "nor what FC-05 says of it", "suspicious",
            frame(ordinary()), peer="no"),
        row("FC-22-tver" + tail, True, "nor what A17 does", "unsupported",
            frame(ordinary(byte1=1))),
    ]


def rules_rows(rule, name, accepted):
    """Builds the same frames for each rule. With an option that nodes may change, the rules
    differ. With other options, MASKED and LITERAL agree."""
    ext = [options(DSTOPTS, CHANGING, PLAIN)]
    verdicts = []
    for made in ("masked", "literal", "stripped"):
        good = made in accepted
        verdicts.append(row(
            f"icrc-{name}-{made}", None, f"by {made.upper()}, with a bit chg",
            "fast_plain" if good else "bad_icrc", frame(datagram(ext=ext, rule=made))))
    steady = {"masked", "literal"} & accepted
    return verdicts + [
        row(f"icrc-{name}-steady", None, "covered, without a bit chg",
            "fast_plain" if steady else "bad_icrc", frame(fast())),
        row(f"icrc-{name}-left-out", None, "left out, without a bit chg",
            "fast_plain" if "stripped" in accepted else "bad_icrc",
            frame(fast(rule="stripped"))),
        row(f"icrc-{name}-srh", None, "Segments Left and Tag as ones",
            "fast_plain" if "masked" in accepted else "bad_icrc",
            frame(datagram(ext=[routing(0, 0x1234, HOST), options(DSTOPTS, PLAIN)]))),
        row(f"icrc-{name}-atomic", None, "a Fragment header of a whole packet",
            "fast_plain" if "literal" in accepted else "bad_icrc",
            frame(datagram(ext=[fragment(0, 0), options(DSTOPTS, PLAIN)],
                           rule="literal"))),
        row(f"icrc-{name}-wrong", None, "wrong by a bit", "bad_icrc",
            frame(fast(rule=sorted(accepted)[0], flip=0x80))),
        row(f"icrc-{name}-ordinary", None, "an ordinary CNP", "ordinary",
            frame(ordinary())),
        row(f"icrc-{name}-ordinary-wrong", None, "an ordinary CNP that is wrong", "bad_icrc",
            frame(ordinary(flip=1))),
        row(f"icrc-{name}-ipv4-wrong", None, "the same over IPv4", "bad_icrc",
            frame(ordinary4(flip=1)), peer="yes"),
    ]


def standard_rows():
    return [
        row("icrc-standard", None, "without an option there is one rule", "ordinary",
            frame(ordinary())),
        row("icrc-standard-4", None, "the same over IPv4", "ordinary", frame(ordinary4())),
        row("icrc-standard-wrong", None, "and it is broken", "bad_icrc",
            frame(ordinary(flip=4))),
        row("icrc-standard-ext", None, "it knows no extension headers", "bad_icrc",
            frame(ordinary(ext=[options(DSTOPTS, padding(6))]))),
    ]


def unchecked_rows():
    return [
        row("icrc-off-wrong", None, "nobody asked", "fast_plain", frame(fast(flip=255))),
        row("icrc-off-ordinary", None, "nor of an ordinary CNP", "ordinary",
            frame(ordinary(flip=255))),
        row("icrc-off-cut", None, "but it has to be there", "bad_arrival partial",
            frame(fast())[:-1]),
    ]


def layout_rows(name, first, form):
    """TBD2 in a layout that a site may have agreed on."""
    head = b"" if form == "b" else bytes(2)
    short = head + TRACE
    data = ADDRESS + short if first else short + ADDRESS
    other = short + ADDRESS if first else ADDRESS + short
    pad = LEAD if form == "a" else b""
    return [
        row(f"FC-15-{name}", True, "as agreed", "fast_ioam",
            frame(fast(pad, option(0x9f, data)))),
        row(f"FC-15-{name}-other", False, "the address on the other side", "malformed",
            frame(fast(pad, option(0x9f, other)))),
        row(f"FC-15-{name}-form", False, "in the other form", "malformed",
            frame(fast(pad, option(0x9f, data[:0] + (bytes(2) + TRACE if form == "b"
                                                     else TRACE) + ADDRESS)))),
        row(f"FC-12-{name}-plain", True, "the plain kind is not affected", "fast_plain",
            frame(fast())),
    ]


def one_type_rows(name, kind):
    known, other = (PLAIN, IOAM) if kind == "plain" else (IOAM, PLAIN)
    unknown = "bad_arrival unknown_option 4/2/"
    return [
        row(f"FC-21-{name}", True, "the one kind that is switched on", f"fast_{kind}",
            frame(fast(known))),
        row(f"FC-21-{name}-other", False, "the other is an option that nobody knows",
            unknown + "42", frame(fast(other))),
        row(f"FC-21-{name}-both", False, "beside the one, too",
            unknown + str(42 + len(known)), frame(fast(known, other))),
    ]


def ip_rows():
    """Frames without Ethernet, on another UDP port."""
    return [
        row("ip-fast", None, "a Fast CNP from its IP header on", "fast_plain",
            fast(dport=4792)),
        row("ip-ordinary-4", None, "and an ordinary CNP over IPv4", "ordinary",
            ordinary4(dport=4792)),
        row("ip-4791", None, "the usual port is not RoCEv2 here", "not_a_cnp", fast()),
        row("ip-version", None, "no version of IP", "not_a_cnp", b"\x50" + fast()[1:]),
    ]


def told_rows():
    """The ICRC must be the sender's, so it does not cover IFA and INT."""
    md = bytes.fromhex("20000d088000000000000000") + bytes(52)
    shim = struct.pack(">BBH", 0x14, len(md) // 4, 4791) + md
    told = {"dport": 5000, "shim": shim, "over_shim": False}
    return [
        row("told-none", None, "without them", "fast_plain", frame(fast())),
        row("told-int", None, "an ICRC that was made over INT", "bad_icrc",
            frame(fast(dport=5000, shim=shim))),
        row("told-int-ordinary", None, "the same of an ordinary CNP", "bad_icrc",
            frame(ordinary4(dport=5000, shim=shim))),
        row("told-ifa", None, "IFA on both sides of UDP", "fast_plain",
            frame(fast(ifa=True))),
        row("told-ifa-ordinary", None, "IFA in an ordinary CNP", "ordinary",
            frame(ordinary(ifa=True))),
        row("told-int-after", None, "INT that came after the ICRC", "fast_plain",
            frame(fast(**told))),
        row("told-int-ioam", None, "the same of the other kind", "fast_ioam",
            frame(fast(LEAD, IOAM, **told))),
        row("told-int-after-4", None, "INT in an ordinary CNP over IPv4", "ordinary",
            frame(ordinary4(**told))),
        row("told-int-literal", None, "INT, and the ICRC by LITERAL", "fast_plain",
            frame(fast(rule="literal", **told))),
        row("told-int-stripped", None, "INT, and the ICRC by STRIPPED", "fast_plain",
            frame(fast(rule="stripped", **told))),
        row("told-int-flip", None, "INT, and a bit of the ICRC is wrong", "bad_icrc",
            frame(fast(flip=1, **told))),
        row("told-ifa-literal", None, "IFA, and the ICRC by LITERAL", "fast_plain",
            frame(fast(rule="literal", ifa=True))),
        row("told-ifa-stripped", None, "IFA, and the ICRC by STRIPPED", "fast_plain",
            frame(fast(rule="stripped", ifa=True))),
        row("told-ifa-flip", None, "IFA, and a bit of the ICRC is wrong", "bad_icrc",
            frame(ordinary(ifa=True, flip=1))),
        row("told-int-short", None, "INT, and 16 bytes less", "malformed",
            frame(fast(body=b"", **told))),
    ]


def order_rows():
    """Frames with several faults. The first fault determines the verdict."""
    wrong, own = {"byte1": 0x10, "flip": 1}, option(0x9e, packed(SWITCH))
    return [
        row("order-source", None, "the source before an option", "bad_arrival bad_source",
            frame(fast(option(0xde), own, src="ff02::1", **wrong))),
        row("order-option", None, "an option before PadCnt",
            "bad_arrival unknown_option 4/2/42", frame(fast(option(0xde), own, **wrong))),
        row("order-two", None, "two options before TVer", "malformed",
            frame(fast(PLAIN, PLAIN, byte1=1, flip=1))),
        row("order-cnp", None, "PadCnt before the key", "malformed",
            frame(fast(own, **wrong)), peer="yes"),
        row("order-key", None, "the key before the peer", "source_is_receiver",
            frame(fast(own, flip=1)), peer="yes"),
        row("order-peer", None, "the peer before the list", "suspicious",
            frame(fast(src="2620::1", flip=1)), peer="yes"),
        row("order-access", None, "the list before the ICRC", "access_denied",
            frame(fast(src="2620::1", flip=1))),
        row("order-checksum", None, "the UDP checksum before the ICRC", "bad_checksum",
            frame(fast(sum=True, sum_more=1, flip=1))),
        row("order-icrc", None, "then the ICRC", "bad_icrc",
            frame(fast(sum=True, flip=1))),
        row("order-token", None, "the one token", "fast_plain", frame(fast())),
        row("order-limit", None, "the source's limit before the ICRC",
            "rate_limited source_limited", frame(fast(sum=True, sum_more=1, flip=1))),
        row("order-ordinary-cnp", None, "an ordinary CNP: PadCnt before the peer",
            "malformed", frame(ordinary(byte1=0x10, flip=1)), peer="no"),
        row("order-ordinary-peer", None, "the peer before the ICRC", "suspicious",
            frame(ordinary(flip=1)), peer="no"),
        row("order-ordinary-icrc", None, "and the ICRC", "bad_icrc", frame(ordinary(flip=1))),
    ]


def short_rows():
    return [
        row("short-fast", None, "24 bytes of UDP", "fast_plain", frame(fast(body=b""))),
        row("short-ordinary", None, "the same without an option", "ordinary",
            frame(ordinary4(body=b"")), peer="yes"),
        row("short-whole", None, "and 40 as ever", "fast_plain", frame(fast())),
        row("short-28", None, "28 are neither", "malformed", frame(fast(body=bytes(4)))),
    ]


def blocks():
    """Yields (source, configuration, rows). The rows run in order on one gate."""
    draft = "draft-xiao-rtgwg-rocev2-fast-cnp-00"
    yield f"{draft}, 3 and 4: which CNP is which, and for which QP", OPEN, statements()
    yield f"{draft}, 4: one header, one option, its data", FREE, option_rows()
    yield (f"RFC 8200, 4.2 to 4.6, of which {draft}, 5, warns", FREE, rfc8200_rows())
    yield "IBTA A17.3 and A17.9.3; IEEE 802.1Q, 9", FREE, cnp_rows()
    yield (f"{draft}, 4: whose address is the key", FREE, key_rows())
    yield ("RFC 791, RFC 1122, RFC 4291, RFC 8200: what may end at a host", FREE,
           arrival_rows())
    yield ("RFC 8200, 4, and RFC 4302: headers that no host processes", FREE + "ah=1\n",
           header_rows())
    yield "the same, where AH is not followed", FREE, ah_off_rows()
    yield "RFC 2473, RFC 2003: no tunnel", FREE, tunnel_rows(False)
    yield "the same, where tunnels end at the host", FREE + "tunnels=1\n", tunnel_rows(True)
    yield f"{draft}, 5: the access list", (
        f"fastcnp_enabled=1 admission.unlimited=1\n{TYPES}\n"
        "access[0].prefix=2001:db8:ffff:: access[0].length=48 access[0].permit=1"
        " access[0].tag=1\n"
        "access[1].prefix=2001:db8:ffff:bad:: access[1].length=64 access[1].tag=2\n"
        "access[2].prefix=2001:db8:ffff:bad::7 access[2].length=128"
        " access[2].permit=1 access[2].tag=4294967295\n"
        "access[3].prefix=2001:db8:1:: access[3].length=61 access[3].permit=1\n"
        "access[4].prefix=:: access[4].length=0 access[4].tag=5\n"), access_rows()
    yield (f"{draft}, 5: two Fast CNPs at once, 1000 in a second, of each switch",
           LIMITED + limited(1000, 2, verify=2), limit_rows())
    yield f"{draft}, 5: two at once, 3 in a second, from 5 ns on", (
        ON + limited(3, 2, sources=78) + "start_ns=5\n"), thirds_rows()
    yield ("guard/admission.h: ordinary CNPs, one at once, one in a second of each",
           f"check_icrc=1 ordinary_listed=1 {TYPES}\n" +
           "".join(f"access[{i}].prefix=2001:db8:2::{0x20 + i:x} access[{i}].length=128"
                   f" access[{i}].permit=1 access[{i}].tag={i}\n" for i in range(3)) +
           "access[3].prefix=::ffff:192.0.2.1 access[3].length=128 access[3].permit=1"
           " access[3].tag=3\n" + limited(1, 1, verify=2), ordinary_rows())
    yield f"{draft}, 5: off by default, nothing is configured", "", off_rows(False)
    yield (f"{draft}, 5: off, and everything else is configured",
           f"{TYPES}\n{DOMAIN}\n", off_rows(True))
    yield (f"{draft}, 4: the trace alone in TBD2", DEAF + "fastcnp.form=b\n",
           layout_rows("b", False, "b"))
    yield (f"{draft}, 4: the address first in TBD2", DEAF + "fastcnp.address_first=1\n",
           layout_rows("first", True, "a"))
    yield (f"{draft}, 4: TBD1 alone",
           f"fastcnp_enabled=1 fastcnp.type_plain=0x9e admission.unlimited=1\n{DOMAIN}\n", one_type_rows("plain", "plain"))
    yield (f"{draft}, 4: TBD2 alone",
           f"fastcnp_enabled=1 fastcnp.type_ioam=0x9f admission.unlimited=1\n{DOMAIN}\n", one_type_rows("ioam", "ioam"))
    every = {"masked", "literal", "stripped"}
    yield "IBTA A17.3.3; icrc.h: any rule", FREE, rules_rows("auto", "any", every)
    for rule in sorted(every):
        yield (f"IBTA A17.3.3; icrc.h: {rule.upper()}", FREE + f"icrc_rule={rule}\n",
               rules_rows(rule, rule, {rule}))
    yield ("IBTA A17.3.3; icrc.h: STANDARD, and so no Fast CNP",
           "check_icrc=1 icrc_rule=standard\n", standard_rows())
    yield "the NIC has checked the ICRC", DEAF, unchecked_rows()
    yield ("frames that begin with IP, RoCEv2 on port 4792",
           FREE + "link=ip rocev2_port=4792\n", ip_rows())
    yield ("INT 2.1, 3 and IFA 2.0: a CNP with telemetry in it",
           FREE + "ifa.protocol=253 intmd.udp_port=5000\n", told_rows())
    yield ("the order in role/reaction_point.h, with one token",
           ON + "check_icrc=1\n" + limited(1, 1, verify=3, sources=78), order_rows())
    yield ("a NIC whose UDP checksums are wrong", FREE + "ignore_udp_checksum=1\n", [
        row("checksum-ignored", None, "a wrong UDP checksum", "fast_plain",
            frame(fast(sum=True, sum_more=1))),
        row("checksum-ignored-4", None, "the same over IPv4", "ordinary",
            frame(ordinary4(sum=True, sum_more=1))),
        row("checksum-ignored-icrc", None, "the ICRC is checked all the same", "bad_icrc",
            frame(fast(sum=True, sum_more=1, flip=1)))])
    yield "a CNP may lack its 16 bytes", FREE + "roce.short_cnp=1\n", short_rows()


LIMIT = " " + limited(1000, 2, sources=0).rstrip()
REST = f"fastcnp_enabled=1 {TYPES} {DOMAIN}"
REFUSALS = "draft-xiao-rtgwg-rocev2-fast-cnp-00, 4 and 5: what is no configuration", [
    ("FC-22-zero", True, "all 0 is off, and good", "accepted", ""),
    ("FC-21-off", True, "off with all the rest", "accepted",
     f"{TYPES} {DOMAIN}{LIMIT}"),
    ("FC-21-on", True, "on", "accepted", f"fastcnp_enabled=1 {TYPES} {DOMAIN}{LIMIT}"),
    ("FC-22-on", False, "on, and nothing else", "types", "fastcnp_enabled=1"),
    ("FC-10-act-10", True, "0x80, the lowest of act 10, chg 0", "accepted",
     f"fastcnp_enabled=1 fastcnp.type_plain=0x80 {DOMAIN}{LIMIT}"),
    ("FC-10-act-00", False, "0x1e has act 00", "types",
     f"fastcnp_enabled=1 fastcnp.type_plain=0x1e {DOMAIN}{LIMIT}"),
    ("FC-10-act-01", False, "0x5e has act 01", "types",
     f"fastcnp_enabled=1 fastcnp.type_plain=0x5e {DOMAIN}{LIMIT}"),
    ("FC-10-act-11", False, "0xde has act 11", "types",
     f"fastcnp_enabled=1 fastcnp.type_plain=0xde {DOMAIN}{LIMIT}"),
    ("FC-11-chg-0", True, "0x9e, the laboratory's", "accepted",
     f"fastcnp_enabled=1 fastcnp.type_plain=0x9e {DOMAIN}{LIMIT}"),
    ("FC-11-chg-1", False, "0xbe has chg 1", "types",
     f"fastcnp_enabled=1 fastcnp.type_plain=0xbe {DOMAIN}{LIMIT}"),
    ("FC-13-act-10", True, "0x9f, the highest", "accepted",
     f"fastcnp_enabled=1 fastcnp.type_ioam=0x9f {DOMAIN}{LIMIT}"),
    ("FC-13-act-00", False, "0x1f has act 00", "types",
     f"fastcnp_enabled=1 fastcnp.type_plain=0x9e fastcnp.type_ioam=0x1f {DOMAIN}{LIMIT}"),
    ("FC-13-act-11", False, "0xdf has act 11", "types",
     f"fastcnp_enabled=1 fastcnp.type_plain=0x9e fastcnp.type_ioam=0xdf {DOMAIN}{LIMIT}"),
    ("FC-14-chg-0", True, "0x81", "accepted",
     f"fastcnp_enabled=1 fastcnp.type_ioam=0x81 {DOMAIN}{LIMIT}"),
    ("FC-14-chg-1", False, "0xbf has chg 1", "types",
     f"fastcnp_enabled=1 fastcnp.type_plain=0x9e fastcnp.type_ioam=0xbf {DOMAIN}{LIMIT}"),
    ("types-same", None, "one type for both kinds", "types",
     f"fastcnp_enabled=1 fastcnp.type_plain=0x9e fastcnp.type_ioam=0x9e {DOMAIN}{LIMIT}"),
    ("types-assigned", None, "0x8b is the ILNP nonce", "types",
     f"fastcnp_enabled=1 fastcnp.type_plain=0x8b {DOMAIN}{LIMIT}"),
    ("types-off", None, "while it is off, types are nobody's", "accepted",
     f"fastcnp.type_plain=0x1e {DOMAIN}"),
    ("FC-17-domain", True, "one prefix is a domain, denied or not", "accepted",
     f"fastcnp_enabled=1 {TYPES} access[0].prefix=2001:db8::1 access[0].length=128{LIMIT}"),
    ("FC-17-no-domain", False, "no prefix is none", "domain",
     f"fastcnp_enabled=1 {TYPES}{LIMIT}"),
    ("FC-17-no-domain-unlimited", False, "whatever the limit", "domain",
     f"fastcnp_enabled=1 {TYPES} admission.unlimited=1"),
    ("FC-18-thirds", True, "3 a second: full after 2,333,333,334 ns", "accepted",
     f"{REST} {limited(3, 7)}"),
    ("FC-18-fast", True, "10^12 a second, as many at once as there may be", "accepted",
     f"{REST} {limited(10**12, 2147483647, verify=1)}"),
    ("FC-18-many", True, "65,535 may misbehave", "accepted",
     f"{REST} {limited(10, 65535, misbehaving=65535)}"),
    ("FC-18-named", True, "without a limit, by its name", "accepted",
     f"{REST} admission.unlimited=1"),
    ("FC-18-forgotten", False, "without a limit, by default", "limit", REST),
    ("FC-18-no-rate", False, "a burst that nothing fills", "limit",
     but(REST + " " + limited(1000, 2), "admission.source.rate_per_s=0")),
    ("FC-18-no-burst", False, "a rate into nothing", "limit",
     but(REST + " " + limited(1000, 2), "admission.source.burst=0")),
    ("FC-18-nobody", False, "AD-4: for no misbehaving source", "limit",
     but(REST + " " + limited(1000, 2), "admission.misbehaving=0")),
    ("FC-18-one-more", False, "for one more than the shared bucket has", "limit",
     but(REST + " " + limited(1000, 2, misbehaving=4), "admission.misbehaving=5")),
    ("FC-18-shared-rate", False, "a shared rate one too low", "limit",
     but(REST + " " + limited(1000, 2, misbehaving=4), "admission.shared.rate_per_s=4999")),
    ("FC-18-shared-burst", False, "a shared burst one too low", "limit",
     but(REST + " " + limited(1000, 2, misbehaving=4), "admission.shared.burst=9")),
    ("FC-18-shared-none", False, "no shared bucket", "limit",
     but(REST + " " + limited(1000, 2), "admission.shared.rate_per_s=0", "admission.shared.burst=0")),
    ("FC-18-verify-rate", False, "more are admitted than verified", "limit",
     but(REST + " " + limited(1000, 2), "admission.verify.rate_per_s=999")),
    ("FC-18-verify-burst", False, "the same at once", "limit",
     but(REST + " " + limited(1000, 2), "admission.verify.burst=1")),
    ("limits-off", None, "while Fast CNP is off, limits are nobody's", "accepted",
     f"{TYPES} {DOMAIN} admission.source.rate_per_s=1"),
    ("ordinary-listed", None, "ordinary CNPs with a list and limits", "accepted",
     f"ordinary_listed=1 {DOMAIN}{LIMIT}"),
    ("ordinary-no-list", None, "without a list", "domain", f"ordinary_listed=1{LIMIT}"),
    ("ordinary-no-limit", None, "without limits", "limit", f"ordinary_listed=1 {DOMAIN}"),
    ("rule-none", None, "to check an ICRC that is not there", "rule",
     "check_icrc=1 icrc_rule=none"),
    ("rule-standard", None, "by a rule that no Fast CNP can keep", "rule",
     f"fastcnp_enabled=1 check_icrc=1 icrc_rule=standard {TYPES} {DOMAIN}{LIMIT}"),
    ("rule-standard-off", None, "which is enough while it is off", "accepted",
     "check_icrc=1 icrc_rule=standard"),
    ("rule-unchecked", None, "a rule that nobody asks for", "accepted",
     f"fastcnp_enabled=1 icrc_rule=none {TYPES} {DOMAIN}{LIMIT}"),
    ("refusal-order-rule", None, "all is wrong: the rule is first", "rule",
     "fastcnp_enabled=1 check_icrc=1 icrc_rule=standard"),
    ("refusal-order-types", None, "then the types", "types",
     "fastcnp_enabled=1 check_icrc=1 icrc_rule=masked fastcnp.type_plain=0xde"),
    ("refusal-order-domain", None, "then the domain, and the limit last", "domain",
     f"fastcnp_enabled=1 {TYPES}"),
]
