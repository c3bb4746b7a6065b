# SPDX-License-Identifier: BSD-2-Clause
"""
Composes the rows of icmp_build.vec: packets that a node drops, scapy's ICMP errors about
them, and the fields that scapy reads in them. RFC 4443, 2.4, RFC 1122, 3.2.2, and RFC 1812,
4.3.2, determine the packets that get errors, and the length of quotes.

icmp_rows.py          writes icmp_build.vec next to this file, always the same
icmp_rows.py --check  compares icmp_build.vec instead
"""
import pathlib
import struct
import sys

from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.inet6 import (ICMPv6DestUnreach, ICMPv6EchoRequest, ICMPv6PacketTooBig,
                                ICMPv6ParamProblem, ICMPv6TimeExceeded, ICMPv6Unknown,
                                IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrFragment,
                                IPv6ExtHdrHopByHop, IPv6ExtHdrRouting)
from scapy.layers.ipsec import AH
from scapy.packet import Raw, raw

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "model"))
from reaction_point import wrapped  # noqa: E402

NODE6, SRC6, DST6 = "2001:db8:a::10", "2001:db8:ffff::2", "2001:db8:a::20"
NODE4, SRC4, DST4 = "192.0.2.10", "198.51.100.2", "192.0.2.20"
MOST = {6: 1280, 4: 576}  # bytes of an error (RFC 4443, 2.4 (c); RFC 1812, 4.3.2.3)
# The Fast CNP of icmp.vec. Its option is at byte 42.
FAST = bytes.fromhex(
    "6c00000000403c4020010db8ffff0000000000000000000220010db8000a00000000000000000010"
    "11029e1020010db8000b0000000000000000002001020000c00112b70028db368100ffff40000456"
    "0000000000000000000000000000000000000000" "7bd6b4f3")
OPTION, TOO_BIG, HOPS = (4, 2, 42), (2, 0, 1400), (3, 0, 0)
FIELD, NEXT, UPPER, ROUTE = (4, 0, 6), (4, 1, 40), (4, 4, 40), (1, 0, 0)
PROBLEM4, TOO_BIG4, HOPS4 = (12, 0, 20), (3, 4, 1400), (11, 0, 0)
PROTOCOL4, ROUTE4 = (3, 2, 0), (3, 5, 0)


def data(n):
    return Raw(bytes((7 * i + 3) & 0xff for i in range(n)))


def v6(upper=None, src=SRC6, dst=DST6, **more):
    return raw(IPv6(src=src, dst=dst, **more) / (upper or UDP(sport=0xc001, dport=4791) /
                                                 data(16)))


def v4(upper=None, src=SRC4, dst=DST4, **more):
    return raw(IP(src=src, dst=dst, id=7, **more) / (upper or UDP(sport=0xc001, dport=4791) /
                                                     data(16)))


def sized6(n):
    """Builds a packet of n bytes."""
    return v6(UDP(sport=0xc001, dport=4791) / data(n - 48))


def sized4(n):
    return v4(UDP(sport=0xc001, dport=4791) / data(n - 28))


def message(version, error):
    kind, code, number = error
    if version == 6:
        return {1: lambda: ICMPv6DestUnreach(code=code), 3: lambda: ICMPv6TimeExceeded(code=code),
                2: lambda: ICMPv6PacketTooBig(code=code, mtu=number),
                4: lambda: ICMPv6ParamProblem(code=code, ptr=number)}[kind]()
    more = {12: {"ptr": number}}.get(kind, {"nexthopmtu": number} if code == 4 else {})
    return ICMP(type=kind, code=code, **more)


def error_of(packet, error, src=None, hops=64, dscp=48, quote=None):
    """Builds an error with scapy."""
    version = packet[0] >> 4
    if version == 6:
        to = IPv6(packet).src
        head = IPv6(src=src or NODE6, dst=to, hlim=hops, tc=dscp << 2)
        room, length = MOST[6] - 48, 40 + struct.unpack_from(">H", packet, 4)[0]
    else:
        to = IP(packet).src
        head = IP(src=src or NODE4, dst=to, ttl=hops, tos=dscp << 2, id=0, flags="DF")
        room, length = MOST[4] - 28, struct.unpack_from(">H", packet, 2)[0]
    quote = packet[:min(room, length)] if quote is None else quote
    return raw(head / message(version, error) / Raw(quote))


def mapped(address):
    return address if ":" in address else "::ffff:" + address


def build(name, packet, error, status="ok", src=None, hops=64, dscp=48):
    version = packet[0] >> 4 if packet else 6
    node = mapped(src or (NODE6 if version == 6 else NODE4))
    keys = [f"node.src={node}", f"node.hop_limit={hops}", f"node.dscp={dscp}"]
    keys += [f"error.{k}={v}" for k, v in zip(("type", "code", "value"), error) if v]
    sent = []
    if status == "ok":
        sent = ["sent=" + error_of(packet, error, src, hops, dscp).hex()]
    return name, f"call icmp_build {status}", packet, [*keys, "->", *sent]


# ---- Errors and the lengths of their quotes -------------------------------------------

def kinds6():
    """Errors of RFC 4443, 3.1 to 3.4, and RFC 8754, 4.3.1.2."""
    yield build("6-option", FAST, OPTION)
    yield build("6-next", v6(AH(nh=17, payloadlen=4, spi=1, seq=1, icv=bytes(12)) /
                             UDP(sport=1, dport=2)), (4, 1, 6))
    yield build("6-field", v6(), FIELD)
    yield build("6-upper", v6(), UPPER)
    yield build("6-hops", v6(hlim=1), HOPS)
    yield build("6-big", sized6(1500), TOO_BIG)
    yield build("6-route", v6(), ROUTE)
    yield build("6-value", v6(), (2, 0, 0xfffefdfc))
    yield build("6-none", v6(), (0, 0, 0), "no_match")
    yield build("6-none-node", v6(), (0, 0, 0), "no_match", hops=0)


def kinds4():
    """Errors of RFC 792 and RFC 1191; TOS and length by RFC 1812, 4.3.2.5 and 4.3.2.3."""
    options = IP(src=SRC4, dst=DST4, id=7, options=[b"\x83\x07\x08\x0a\x00\x00\x09\x00"])
    yield build("4-problem", raw(options / UDP(sport=1, dport=4791) / data(8)), PROBLEM4)
    yield build("4-pointer", v4(), (12, 0, 59))
    yield build("4-pointer-255", v4(), (12, 0, 255))
    yield build("4-route", raw(options / UDP(sport=1, dport=4791)), ROUTE4)
    yield build("4-protocol", v4(), PROTOCOL4)
    yield build("4-big", sized4(1500), TOO_BIG4)
    yield build("4-hops", v4(ttl=1), HOPS4)
    yield build("4-none", v4(), (0, 0, 0), "no_match")


def quotes():
    """A quote has at most 1232 or 548 bytes, even or odd, and none after the packet."""
    for n in (1231, 1232, 1233):
        yield build(f"6-{n}", sized6(n), HOPS)
    for n in (547, 548, 549):
        yield build(f"4-{n}", sized4(n), HOPS4)
    yield build("6-odd", sized6(61), HOPS)
    yield build("4-odd", sized4(61), HOPS4)
    yield build("6-padded", v6() + bytes(6), HOPS)
    yield build("4-padded", v4() + b"\xa5" * 6, HOPS4)
    yield build("6-cut", sized6(1400)[:48], HOPS)
    yield build("4-cut", sized4(1400)[:28], HOPS4)
    yield build("6-header", sized6(1400)[:40], HOPS)
    yield build("4-header", sized4(1400)[:20], HOPS4)
    yield build("6-exts", v6(IPv6ExtHdrHopByHop() / IPv6ExtHdrDestOpt() /
                             UDP(sport=1, dport=2)), (4, 0, 48))
    yield build("6-jumbo", raw(IPv6(src=SRC6, dst=DST6, nh=0, plen=0)) +
                bytes.fromhex("1100c20400010000") + bytes(16), (4, 0, 4))


def nodes():
    yield build("6-node", v6(), HOPS, src="2001:db8::ffff", hops=1, dscp=63)
    yield build("6-node-0", v6(), HOPS, src="fe80::1", hops=255, dscp=0)
    yield build("4-node", v4(), HOPS4, src="10.255.0.1", hops=255, dscp=63)
    yield build("4-node-0", v4(), HOPS4, src="169.254.0.1", hops=1, dscp=0)
    for name, bad in (("any", "::"), ("loop", "::1"), ("group", "ff02::1"), ("v4", NODE4)):
        yield build(f"6-node-{name}", v6(), HOPS, "range", src=bad)
    for name, bad in (("any", "0.0.0.0"), ("loop", "127.0.0.1"), ("group", "224.0.0.1"),
                      ("all", "255.255.255.255"), ("v6", NODE6)):
        yield build(f"4-node-{name}", v4(), HOPS4, "range", src=bad)
    for six, packet, error in ((6, v6(), HOPS), (4, v4(), HOPS4)):
        yield build(f"{six}-node-hops", packet, error, "range", hops=0)
        yield build(f"{six}-node-dscp", packet, error, "range", dscp=64)


def short():
    yield build("6-short-0", b"", HOPS, "short")
    yield build("6-short-39", v6()[:39], HOPS, "short")
    yield build("4-short-19", v4()[:19], HOPS4, "short", src=NODE4)
    yield build("version-5", b"\x55" + v4()[1:], HOPS4, "short", src=NODE4)


# ---- Packets that get no error --------------------------------------------------------

def errors6():
    """ICMPv6 without a Type, or with an error's Type, gets no error (RFC 4443, 2.4 (e.1))."""
    for kind in (0, 1, 2, 3, 4, 5, 100, 127):
        yield build(f"6-type-{kind}", v6(ICMPv6Unknown(type=kind) / data(44)), OPTION, "no_match")
    for kind in (128, 129, 135, 255):
        yield build(f"6-type-{kind}", v6(ICMPv6Unknown(type=kind) / data(44)), OPTION)
    yield build("6-untyped", v6(ICMPv6EchoRequest())[:40], OPTION, "no_match")
    chains = {"hbh": IPv6ExtHdrHopByHop, "dst": IPv6ExtHdrDestOpt,
              "routing": IPv6ExtHdrRouting, "atomic": IPv6ExtHdrFragment,
              "first": lambda: IPv6ExtHdrFragment(m=1),
              "ah": lambda: AH(payloadlen=4, spi=1, seq=1, icv=bytes(12)),
              "ah-dst": lambda: AH(payloadlen=4, spi=1, seq=1, icv=bytes(12)) /
              IPv6ExtHdrDestOpt()}
    for name, header in chains.items():
        told = header()
        last = told.lastlayer()
        last.nh = 58
        if name == "ah-dst":
            told.nh = 60
        nh = {"hbh": 0, "dst": 60, "routing": 43, "atomic": 44, "first": 44}.get(name, 51)
        whole = raw(told)
        for kind, status in ((1, "no_match"), (128, "ok")):
            upper = bytes([kind, 0, 0, 0]) + bytes(12)
            packet = raw(IPv6(src=SRC6, dst=DST6, nh=nh, plen=len(whole) + 16)) + whole + upper
            yield build(f"6-{name}-{kind}", packet, OPTION, status)
    yield build("6-icmp4", v6(ICMP(type=3), nh=1), OPTION)  # ICMP for IPv4


def errors4():
    """Messages that quote a packet (RFC 792, RFC 1256) get no error (RFC 1122, 3.2.2)."""
    for kind in range(19):
        error = kind in (3, 4, 5, 11, 12)
        yield build(f"4-type-{kind}", v4(bytes([kind, 0, 0, 0]) + bytes(8), proto=1), PROBLEM4,
                    "no_match" if error else "ok")
    yield build("4-untyped", v4(proto=1)[:20], PROBLEM4, "no_match")
    yield build("4-icmp6", v4(b"\1" + bytes(11), proto=58), PROBLEM4)
    ah = raw(AH(nh=1, payloadlen=4, spi=1, seq=1, icv=bytes(12)))
    yield build("4-ah-3", v4(ah + b"\3" + bytes(11), proto=51), PROTOCOL4, "no_match")
    yield build("4-ah-8", v4(ah + b"\10" + bytes(11), proto=51), PROTOCOL4)


def fragments():
    """Later fragments get no error (RFC 1122, 3.2.2; RFC 792). IPv6 ones may belong to an error."""
    part = IPv6ExtHdrFragment(nh=17, id=9)
    part.m = 1
    yield build("6-first", v6(part / data(64)), OPTION)
    part.offset, part.m = 1, 0
    yield build("6-later", v6(part / data(64)), OPTION, "no_match")
    part.offset = 0
    yield build("6-atomic", v6(part / data(64)), OPTION)
    yield build("4-first", v4(flags="MF"), PROBLEM4)
    yield build("4-later", v4(frag=1), PROBLEM4, "no_match")
    yield build("4-last", v4(frag=0x1fff), PROBLEM4, "no_match")


def groups():
    """Groups get only ICMPv6 errors of type 2, and 4 with code 2 (RFC 4443, 2.4 (e.3))."""
    for name, error, status in (
            ("option", OPTION, "ok"), ("big", TOO_BIG, "ok"), ("hops", HOPS, "no_match"),
            ("field", FIELD, "no_match"), ("next", NEXT, "no_match"),
            ("upper", UPPER, "no_match"), ("route", ROUTE, "no_match"),
            ("code-2", (1, 2, 0), "no_match")):
        for scope in ("ff02::1", "ff0e::7"):
            yield build(f"6-{scope[:4]}-{name}", v6(dst=scope), error, status)
    for name, error in (("problem", PROBLEM4), ("hops", HOPS4), ("big", TOO_BIG4),
                        ("protocol", PROTOCOL4), ("code-2", (12, 2, 20))):
        for dst in ("224.0.0.1", "239.255.255.255", "255.255.255.255"):
            yield build(f"4-{dst.split('.')[0]}-{name}", v4(dst=dst), error, "no_match")


def sources():
    """A source must be a single host (RFC 4443, 2.4 (e.6); RFC 1122, 3.2.2)."""
    for name, src in (("any", "::"), ("loop", "::1"), ("group", "ff02::1"),
                      ("mapped", "::ffff:192.0.2.1")):
        yield build(f"6-from-{name}", v6(src=src), OPTION, "no_match")
    for name, src in (("0", "0.1.2.3"), ("127", "127.1.2.3"), ("224", "224.1.2.3"),
                      ("240", "240.1.2.3"), ("255", "255.255.255.255")):
        yield build(f"4-from-{name}", v4(src=src), PROBLEM4, "no_match")
    yield build("6-from-link", v6(src="fe80::1"), OPTION)
    yield build("4-from-link", v4(src="169.254.1.2"), PROBLEM4)
    yield build("4-from-1", v4(src="1.0.0.1"), PROBLEM4)
    yield build("4-from-223", v4(src="223.255.255.254"), PROBLEM4)


# ---- The packet in an error ------------------------------------------------------------

def quoted(name, sent, status="ok", quote=b"", version=None):
    """Builds a row with scapy's fields."""
    if status != "ok":
        return name, f"call icmp_quoted {status}", sent, ["->"]
    layers = (ICMPv6DestUnreach, ICMPv6PacketTooBig, ICMPv6TimeExceeded, ICMPv6ParamProblem)
    first = IPv6(sent) if sent[0] >> 4 == 6 else IP(sent)
    m = next(first[k] for k in (*layers, ICMP) if k in first)
    if isinstance(m, ICMP):
        number = {12: lambda: m.ptr << 24, 3: lambda: m.nexthopmtu}.get(m.type, lambda: 0)()
        told = [m.type, m.code, m.chksum]
    else:
        number = {2: lambda: m.mtu, 4: lambda: m.ptr}.get(m.type, lambda: 0)()
        told = [m.type, m.code, m.cksum]
    keys = [f"{k}={v}" for k, v in zip(("type", "code", "checksum", "value"), told + [number])
            if v]
    return (name, f"call icmp_quoted {status}", sent,
            ["->", *keys, f"packet={quote.hex()}", f"version={quote[0] >> 4}"])


def reads():
    for name, packet, error, most in (
            ("6-fast", FAST, OPTION, 1232), ("6-too-big", sized6(1500), TOO_BIG, 1232),
            ("6-exceeded", v6(), HOPS, 1232), ("6-unreachable", v6(), ROUTE, 1232),
            ("4-parameter", v4(), PROBLEM4, 548), ("4-too-big", sized4(1500), TOO_BIG4, 548),
            ("4-exceeded", v4(), HOPS4, 548), ("4-unreachable", v4(), PROTOCOL4, 548)):
        yield quoted(f"q-{name}", error_of(packet, error), quote=packet[:most])
    one = error_of(v6(), HOPS, quote=b"\x60")
    yield quoted("q-6-one", one, quote=b"\x60")
    yield quoted("q-6-eight", error_of(v6(), HOPS, quote=v6()[:8]), quote=v6()[:8])
    yield quoted("q-4-eight", error_of(v4(), HOPS4, quote=v4()[:28]), quote=v4()[:28])
    yield quoted("q-4-six", error_of(v4(), HOPS4, quote=v6()), quote=v6())
    sent = error_of(v6(), OPTION)
    options = raw(IPv6ExtHdrDestOpt(nh=58))
    longer = bytearray(sent[:40] + options + sent[40:])
    longer[6] = 60
    struct.pack_into(">H", longer, 4, len(longer) - 40)
    yield quoted("q-6-dst", bytes(longer), quote=v6())
    yield quoted("q-6-padded", sent + b"\xa5\xa5", quote=v6())


def refused():
    six, four = error_of(v6(), OPTION), error_of(v4(), PROBLEM4)
    yield quoted("q-6-echo", v6(ICMPv6EchoRequest() / data(48)), "no_match")
    yield quoted("q-4-echo", v4(ICMP(type=8) / data(48)), "no_match")
    yield quoted("q-6-udp", v6(), "no_match")
    yield quoted("q-4-udp", v4(), "no_match")
    yield quoted("q-6-icmp4", v6(ICMP(type=12) / Raw(v6()), nh=1), "no_match")
    yield quoted("q-4-icmp6", v4(b"\4" + bytes(7) + v4(), proto=58), "no_match")
    for name, sent, at in (("6", six, 40), ("4", four, 20)):
        for what, where in (("sum", at + 2), ("type", at), ("quote", len(sent) - 1),
                            ("src", 12)):
            bad = bytearray(sent)
            bad[where] ^= 1
            # ICMP's checksum does not cover addresses. Type 13 is not an error.
            if (name, what) == ("4", "src"):
                yield quoted(f"q-{name}-{what}", bytes(bad), quote=v4())
            elif (name, what) == ("4", "type"):
                yield quoted(f"q-{name}-{what}", bytes(bad), "no_match")
            else:
                yield quoted(f"q-{name}-{what}", bytes(bad), "format")
        yield quoted(f"q-{name}-cut", sent[:-1], "short")
    for n in (0, 3, 7, 8):
        part = bytearray(error_of(v6(), HOPS, quote=b"")[:40 + n])
        struct.pack_into(">H", part, 4, n)
        yield quoted(f"q-6-{n}", bytes(part), "short")
        part = raw(IP(src=SRC4, dst=DST4, proto=1) / Raw((raw(ICMP(type=11)))[:n]))
        yield quoted(f"q-4-{n}", part, "short")
    fragment = IPv6ExtHdrFragment(nh=58, id=9, m=1)
    yield quoted("q-6-first", v6(fragment / Raw(six[40:])), "no_match")
    fragment.offset, fragment.m = 1, 0
    yield quoted("q-6-later", v6(fragment / Raw(six[40:])), "no_match")
    for name, how in (("first", {"flags": "MF"}), ("later", {"frag": 1})):
        yield quoted(f"q-4-{name}", v4(Raw(four[20:]), proto=1, **how), "no_match")


BY = "; the bytes by scapy 2.5.0"
BLOCKS = [("RFC 4443, 3, and RFC 8754, 4.3.1.2" + BY, kinds6),
          ("RFC 792, RFC 1191 and RFC 1812, 4.3.2.5" + BY, kinds4),
          ("RFC 4443, 2.4 (c), and RFC 1812, 4.3.2.3" + BY, quotes),
          ("the node's own address, hop limit and DSCP" + BY, nodes),
          ("no IP header, by hand", short),
          ("RFC 4443, 2.4 (e.1)" + BY, errors6),
          ("RFC 1122, 3.2.2: an ICMP error" + BY, errors4),
          ("RFC 1122, 3.2.2: a fragment that is not the first" + BY, fragments),
          ("RFC 4443, 2.4 (e.3), and RFC 1122, 3.2.2" + BY, groups),
          ("RFC 4443, 2.4 (e.6), and RFC 1122, 3.2.2" + BY, sources),
          ("scapy 2.5.0 reads the messages that it has written", reads),
          ("RFC 4443, 2.1 and 2.3, and RFC 792, by hand", refused)]
HEAD = """# SPDX-License-Identifier: BSD-2-Clause
# ICMP errors about packets, and what they quote. Written by icmp_rows.py."""


def split(packet):
    return [packet[i:i + 16].hex() for i in range(0, len(packet), 16)] or ["-"]


def whole():
    text, ids = [HEAD], set()
    for source, rows in BLOCKS:
        text.append(f"\nsource: {source}")
        for name, noun, packet, values in rows():
            assert name not in ids, name
            ids.add(name)
            text.append(wrapped(" ".join([name, noun, *split(packet), "|", *values])))
    return "\n".join(text) + "\n", len(ids)


def main():
    text, rows = whole()
    path = HERE / "icmp_build.vec"
    if "--check" not in sys.argv[1:]:
        path.write_text(text, "ascii")
        return
    if path.read_text("ascii") != text:
        sys.exit("icmp_build.vec is not what icmp_rows.py writes")
    print(f"vectors: icmp_build: {rows} rows, as icmp_rows.py writes them")


if __name__ == "__main__":
    main()
