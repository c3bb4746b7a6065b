# SPDX-License-Identifier: BSD-2-Clause
"""
The rows of packet.vec: frames put together header by header, and where each header is.

A frame is a list of parts, outermost first. A part knows its bytes, which scapy makes
where it has the header, and what a walk has to say of it: as soon as it begins to read
there (seen), and once it has accepted the header (took). The offsets are the sums of the
sizes of what stands before; nothing here reads a frame.

packet_rows.py          writes packet.vec next to this file, always the same
packet_rows.py --check  packet.vec is what it would write
"""
import copy
import pathlib
import struct
import sys
import textwrap
import zlib

from scapy.contrib.erspan import ERSPAN_II, ERSPAN_III, ERSPAN_PlatformSpecific
from scapy.contrib.geneve import GENEVE
from scapy.contrib.mpls import MPLS
from scapy.contrib.roce import BTH, GRH, cnp
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import (IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrFragment,
                                IPv6ExtHdrHopByHop, IPv6ExtHdrSegmentRouting, PadN)
from scapy.layers.ipsec import AH
from scapy.layers.l2 import GRE, LLC, SNAP, Dot1Q, Ether
from scapy.layers.ppp import PPPoE
from scapy.layers.vxlan import VXLAN
from scapy.packet import Raw

PATH = pathlib.Path(__file__).resolve().parent / "packet.vec"
SPORT, ROCEV2 = 0xc123, 4791
CSIG = "csig.compact_tpid=0x9900 csig.wide_tpid=0x9901"
IFA = "ifa.protocol=253"
PORT = "intmd.udp_port=5000"
DSCP = "intmd.dscp=23 intmd.dscp_mask=0x3f"
PROBE = bytes.fromhex("5052424d41524b31")
MARKER = f"intmd.probe_marker={PROBE.hex()}"


class Hex(int):
    """A number that is written in hexadecimal."""

    def __str__(self):
        return f"{int(self):#06x}"


# ---- The CNP inside, whole ------------------------------------------------------------

MAC = {"dst": "02:00:00:00:00:02", "src": "02:00:00:00:00:01"}
INNER4 = {"src": "192.0.2.1", "dst": "192.0.2.2", "tos": 192, "id": 0, "flags": 2}
INNER6 = {"src": "2001:db8::1", "dst": "2001:db8::2", "tc": 192, "hlim": 64}
ROCE_UDP = {"sport": SPORT, "dport": ROCEV2, "len": 40, "chksum": 0}


def crc(covered):
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + covered))


def cnp_of(ip):
    """A CNP over ip, a header of scapy, with its ICRC (IBTA A17.3.3)."""
    bth = bytes(BTH(opcode=0x81, becn=1, dqpn=0x123456, icrc=0))[:12]
    head, udp = bytes(ip / UDP(**ROCE_UDP) / Raw(bytes(32)))[:-32], len(bytes(ip))
    if udp == 20:
        masked = head[:1] + b"\xff" + head[2:8] + b"\xff" + head[9:10] + b"\xff\xff"
        masked += head[12:udp]
    else:
        masked = b"\x6f\xff\xff\xff" + head[4:7] + b"\xff" + head[8:udp]
    masked += head[udp:udp + 6] + b"\xff\xff" + bth[:4] + b"\xff" + bth[5:]
    return head + bth + bytes(16) + crc(masked + bytes(16))


IP4_CNP = cnp_of(IP(len=60, proto=17, **INNER4))
IP6_CNP = cnp_of(IPv6(plen=40, nh=17, **INNER6))
BEHIND_UDP = {4: IP4_CNP[-32:], 6: IP6_CNP[-32:]}
ETHER4 = bytes(Ether(type=0x0800, **MAC)) + IP4_CNP
ETHER6 = bytes(Ether(type=0x86dd, **MAC)) + IP6_CNP
TAGGED4 = bytes(Ether(type=0x8100, **MAC) / Dot1Q(vlan=100, type=0x0800)) + IP4_CNP
MPLS4 = bytes(MPLS(label=16, s=1, ttl=64)) + IP4_CNP
assert IP4_CNP == bytes(IP(**INNER4) / UDP(sport=SPORT, dport=ROCEV2, chksum=0) /
                        cnp(0x123456)), "scapy has another ICRC"

# ---- Parts ------------------------------------------------------------------------------


class Walk:
    """What has been found (m); at: where the part begins; behind: the bytes after it."""

    def __init__(self, begins):
        self.m = {"next": begins}
        self.at = self.behind = self.udp_end = 0
        self.declared = self.following = None

    def ip(self, **members):
        self.m.update({f"ip.{k}": v for k, v in members.items()})

    def overlay(self, tunnel, at=None):
        self.m.update(stopped="overlay", kind="overlay", tunnel=tunnel,
                      overlay=self.at if at is None else at)


class Part:
    """
    announced: the number by which the header before announces it, a "type" (EtherType),
    "proto" (IP), "port" (UDP), "ppp" or "gpe" (VXLAN-GPE). says: the number that it
    announces itself, if that is not of what follows.
    """
    announced = {}
    upper = False    # an IP header carries it, and it is no extension header or IP
    size = 0
    reach = None     # from its first byte to the end that its length declares
    verdict = None   # the status of a walk that ends here, and whether it was accepted
    broken = None    # ("cut" or "ends", bytes of it that are left, the part that declares)
    says = None

    def refused(self, status):
        """It is read, and not accepted."""
        self.verdict = status, False
        return self

    def last(self, status):
        """It is accepted, and nothing behind it is read."""
        self.verdict = status, True
        return self

    def cut(self, left):
        """The capture ends inside it."""
        self.broken, self.verdict = ("cut", left, None), ("short", False)
        return self

    def ends(self, left, by=None):
        """A length before it says that the packet ends inside it; by: which."""
        self.broken, self.verdict = ("ends", left, by), ("format", False)
        return self

    def number(self, kind, following):
        """What it announces: a number of that kind."""
        if self.says is not None:
            return self.says
        return following.announced.get(kind, 0) if following else 0

    def type_of(self, behind, following):
        """What it announces behind MACs or a tag: LLC by the length of what follows."""
        if isinstance(following, Llc) and self.says is None:
            return behind
        return self.number("type", following)

    def head(self, body, following):
        raise NotImplementedError

    def seen(self, w):
        pass

    def took(self, w):
        pass


class Ethernet(Part):
    size = 14

    def __init__(self, says=None):
        self.says = says

    def head(self, body, following):
        return bytes(Ether(type=self.type_of(len(body), following), **MAC))

    def took(self, w):
        w.m["next"] = Hex(self.type_of(w.behind, w.following))


class Vlan(Part):
    size = 4

    def __init__(self, tpid=0x8100, says=None):
        self.announced, self.says = {"type": tpid}, says

    def head(self, body, following):
        return bytes(Dot1Q(vlan=100, type=self.type_of(len(body), following)))

    def seen(self, w):
        w.m["stopped"] = "vlan"

    def took(self, w):
        n = w.m.get("n_vlan", 0)
        w.m[f"vlan[{n}]"] = w.at
        w.m["n_vlan"] = n + 1
        w.m["next"] = Hex(self.type_of(w.behind, w.following))


class Csig(Part):
    """Behind its TPID: the rest of a tag of 4 or 8 bytes, and the next type."""

    def __init__(self, size):
        self.size, self.announced = size, {"type": 0x9900 if size == 4 else 0x9901}

    def head(self, body, following):
        data = bytes.fromhex("2b85" if self.size == 4 else "246800c35000")
        return data + struct.pack(">H", self.number("type", following))

    def seen(self, w):
        w.m["stopped"] = "csig"

    def took(self, w):
        w.m.update(csig=w.at - 2, csig_bytes=self.size,
                   next=Hex(self.number("type", w.following)))


class CnTag(Part):
    size, announced = 4, {"type": 0x22e9}

    def head(self, body, following):
        return struct.pack(">HH", 7, self.number("type", following))

    def seen(self, w):
        w.m["stopped"] = "cntag"

    def took(self, w):
        w.m.update(cntag=w.at - 2, next=Hex(self.number("type", w.following)))


class Llc(Part):
    """LLC, with SNAP unless it is another LLC."""

    def __init__(self, oui=0, other=None, says=None):
        self.oui, self.other, self.says = oui, other, says
        self.size = 3 if other else 8

    def head(self, body, following):
        if self.other:
            return bytes.fromhex(self.other)
        return bytes(LLC(dsap=0xaa, ssap=0xaa, ctrl=3) /
                     SNAP(OUI=self.oui, code=self.number("type", following)))

    def seen(self, w):
        w.m["stopped"] = "llc"

    def took(self, w):
        w.m["link"] = w.at - 2
        w.m["next"] = Hex(self.number("type", w.following))


class Cmd(Part):
    size, announced = 8, {"type": 0x8909}

    def __init__(self, version=1, length=1):
        self.version, self.length = version, length

    def head(self, body, following):
        return struct.pack(">BBHHH", self.version, self.length, 1, 100,
                           self.number("type", following))

    def seen(self, w):
        w.m["stopped"] = "cmd"

    def took(self, w):
        w.m["next"] = Hex(self.number("type", w.following))


class Pppoe(Part):
    size, announced = 8, {"type": 0x8864}

    def __init__(self, version=1, code=0, length=None, says=None):
        self.version, self.code, self.says = version, code, says
        self.reach = None if length is None else 6 + length

    def length(self, behind):
        return 2 + behind if self.reach is None else self.reach - 6

    def head(self, body, following):
        return bytes(PPPoE(version=self.version, code=self.code, sessionid=7,
                           len=self.length(len(body)))) + struct.pack(
                               ">H", self.number("ppp", following))

    def seen(self, w):
        w.m["stopped"] = "pppoe"

    def took(self, w):
        w.m.setdefault("link", w.at + 4)
        w.declared = w.at + 6 + self.length(w.behind)
        w.m["next"] = Hex(self.number("ppp", w.following))


class Mpls(Part):
    """n labels, the last of which has S, unless bottom is False."""

    def __init__(self, n=1, type_=0x8847, bottom=True):
        self.size, self.n, self.bottom = 4 * n, n, bottom
        self.announced = {"type": type_}

    def head(self, body, following):
        return b"".join(bytes(MPLS(label=16 + i, ttl=64,
                                   s=self.bottom and i == self.n - 1))
                        for i in range(self.n))

    def seen(self, w):
        w.m["stopped"] = "mpls"
        w.mpls = w.at


class ControlWord(Part):
    size = 4

    def head(self, body, following):
        return struct.pack(">I", 1)

    def seen(self, w):
        w.overlay("pseudowire", w.mpls)


class Ip(Part):
    """IPv4 or IPv6; fields are scapy's."""

    def __init__(self, total=None, says=None, **fields):
        self.reach, self.fields, self.says = total, fields, says

    def total(self, behind):
        return self.size + behind if self.reach is None else self.reach

    def seen(self, w):
        w.m["stopped"] = f"ipv{self.version}"
        for key in [k for k in w.m if k.startswith("ip.")]:
            w.m["outer." + key[3:]] = w.m.pop(key)

    def took(self, w):
        proto = self.number("proto", w.following)
        w.declared = w.at + self.total(w.behind)
        w.ip(version=self.version, proto=proto, offset=w.at, upper=w.at + self.size,
             end=w.declared)
        w.m["next"] = proto
        if self.version == 6:
            w.m["stopped"] = "ip6ext"
        if w.following and w.following.upper and not self.verdict:
            w.m["stopped"] = "upper"


class Ip4(Ip):
    version = 4
    announced = {"type": 0x0800, "proto": 4, "ppp": 0x0021, "gpe": 1}

    def __init__(self, options=b"", **fields):
        super().__init__(**fields)
        self.options, self.size = options, 20 + len(options)

    def head(self, body, following):
        fields = {"src": "198.51.100.1", "dst": "198.51.100.2", "tos": 192, "id": 0,
                  "flags": 2, "ihl": self.size // 4, **self.fields}
        d = bytes(IP(len=self.total(len(body)), chksum=0,
                     proto=self.number("proto", following), **fields)) + self.options
        total = sum(struct.unpack(f">{len(d) // 2}H", d))  # RFC 1071
        total = (total & 0xffff) + (total >> 16)
        total = (total & 0xffff) + (total >> 16)
        return d[:10] + struct.pack(">H", total ^ 0xffff) + d[12:]


class Ip6(Ip):
    version, size = 6, 40
    announced = {"type": 0x86dd, "proto": 41, "ppp": 0x0057, "gpe": 2}

    def head(self, body, following):
        fields = {"src": "2001:db8:1::1", "dst": "2001:db8:1::2", "tc": 192,
                  "hlim": 64, **self.fields}
        return bytes(IPv6(plen=self.total(len(body)) - 40,
                          nh=self.number("proto", following), **fields))


class Ext(Part):
    """An IPv6 extension header of size bytes."""
    NAMES = {0: "hop_by_hop", 43: "routing"}

    def __init__(self, kind, size=8, says=None, **fields):
        self.kind, self.size, self.says = kind, size, says
        self.announced, self.fields = {"proto": kind}, fields

    def head(self, body, following):
        nh, kind = self.number("proto", following), self.kind
        if kind in (0, 60):
            header = IPv6ExtHdrHopByHop if kind == 0 else IPv6ExtHdrDestOpt
            return bytes(header(nh=nh, options=[PadN(optdata=bytes(self.size - 4))]))
        if kind == 43:
            return bytes(IPv6ExtHdrSegmentRouting(
                nh=nh, addresses=["2001:db8:1::2"] * ((self.size - 8) // 16), segleft=0))
        if kind == 44:
            return bytes(IPv6ExtHdrFragment(nh=nh, id=7, **self.fields))
        if kind == 51:
            return bytes(AH(nh=nh, payloadlen=self.size // 4 - 2, reserved=0, spi=7,
                            seq=1, icv=b"\xa5" * (self.size - 12)))
        return bytes([nh, self.size // 8 - 1]) + bytes(self.size - 2)

    def took(self, w):
        n, w.m["ip.proto"] = w.m.get("ip.n_ext", 0), self.number("proto", w.following)
        w.ip(n_ext=n + 1, upper=w.at + self.size)
        w.m["next"] = w.m["ip.proto"]
        if self.kind == 44:
            w.ip(fragment=2 if self.fields.get("offset") else self.fields.get("m", 0))
        name = self.NAMES.get(self.kind)
        if self.kind == 60:
            name = "dst_opts[0]" if "ip.dst_opts[0]" not in w.m else "dst_opts[1]"
        if name:
            w.m.setdefault("ip." + name, w.at)
        if w.following and w.following.upper and not self.verdict:
            w.m["stopped"] = "upper"


class Upper(Part):
    upper = True


class Udp(Upper):
    size, announced = 8, {"proto": 17}

    def __init__(self, port=None, length=None, trimmed=False):
        self.says, self.reach, self.trimmed = port, length, trimmed

    def length(self, behind, following):
        if self.reach is not None:
            return self.reach
        return 8 + behind - (following.added if isinstance(following, IfaMetadata) else 0)

    def head(self, body, following):
        return bytes(UDP(sport=SPORT, dport=self.port(following), chksum=0,
                         len=self.length(len(body), following)))

    def port(self, following):
        if self.says is None and isinstance(following, IfaMetadata):
            return ROCEV2
        return self.number("port", following)

    def seen(self, w):
        w.m["stopped"] = "udp"

    def took(self, w):
        w.udp_end = w.at + self.length(w.behind, w.following)
        w.m.update(kind="udp", udp=w.at, end=w.udp_end, next=self.port(w.following))
        if self.trimmed:
            w.m.update(kind="trimmed", end=w.declared)
        elif not isinstance(w.following, IfaMetadata):
            w.declared = w.udp_end


class Tcp(Upper):
    announced = {"proto": 6}

    def __init__(self, options=b"", dataofs=None, marked=False):
        self.size, self.options, self.marked = 20 + len(options), options, marked
        self.dataofs = self.size // 4 if dataofs is None else dataofs

    def head(self, body, following):
        return bytes(TCP(sport=SPORT, dport=80, dataofs=self.dataofs,
                         chksum=0)) + self.options

    def seen(self, w):
        w.m.update(kind="tcp", stopped="intmd" if self.marked else "upper")


class Bth(Part):
    """The BTH of a CNP, or its first bytes."""
    announced = {"port": ROCEV2}

    def __init__(self, version=4, size=12):
        self.data, self.size = BEHIND_UDP[version][:size], size

    def head(self, body, following):
        return self.data

    def seen(self, w):
        w.m["stopped"] = "bth"
        if w.m["kind"] not in ("rocev1", "trimmed"):
            w.m["kind"] = "rocev2"

    def took(self, w):
        w.m["bth"] = w.at


class Bytes(Part):
    """Bytes that no walk reads, or that are announced by a number of nobody's."""

    def __init__(self, data, **announced):
        self.data = bytes.fromhex(data) if isinstance(data, str) else data
        self.size, self.announced = len(self.data), announced
        self.upper = "proto" in announced

    def head(self, body, following):
        return self.data


def roce(version=4, size=32):
    """What a CNP has behind its UDP header, or the first bytes of it."""
    return [Bth(version, min(size, 12)), Bytes(BEHIND_UDP[version][12:size])]


class Grh(Part):
    size, announced = 40, {"type": 0x8915}

    def __init__(self, length=None, nxt_hdr=0x1b, version=6):
        self.nxt_hdr, self.version = nxt_hdr, version
        self.reach = None if length is None else 40 + length

    def length(self, behind):
        return behind if self.reach is None else self.reach - 40

    def head(self, body, following):
        return bytes(GRH(ipver=self.version, tclass=2, flowlabel=0, nexthdr=self.nxt_hdr,
                         paylen=self.length(len(body)), hoplmt=64, sgid=1, dgid=2))

    def seen(self, w):
        w.m["stopped"] = "grh"

    def took(self, w):
        w.m["grh"] = w.at
        if self.nxt_hdr == 0x1b:
            w.declared = w.m["end"] = w.at + 40 + self.length(w.behind)
            w.m["kind"] = "rocev1"


# ---- Overlays


class Inner(Part):
    """A packet of its own: the walk ends where it begins."""

    def __init__(self, data, type_=0x6558, cut=False):
        self.data, self.type, self.t, self.size = data, type_, cut, len(data)
        gpe = {0x0800: 1, 0x86dd: 2, 0x6558: 3}
        self.announced = {"type": type_, "gpe": gpe.get(type_)}

    def head(self, body, following):
        return self.data

    def seen(self, w):
        w.m.update(inner=w.at, inner_type=Hex(self.type),
                   end=w.declared or 0)
        if self.t:
            w.m["cut"] = 1


def broken(parts, cut, ends):
    for part in parts:
        if cut is not None:
            part.cut(cut)
        if ends is not None:
            part.ends(ends)


class Plain(Upper):
    """An overlay without a header: the inner packet is announced itself."""

    def __init__(self, tunnel, **announced):
        self.tunnel, self.announced = tunnel, announced
        self.upper = "proto" in announced

    def head(self, body, following):
        return b""

    def seen(self, w):
        w.overlay(self.tunnel)


class Vxlan(Part):
    size, announced = 8, {"port": 4789}

    def __init__(self, flags=0x08, reserved=0):
        self.flags, self.reserved = flags, reserved

    def head(self, body, following):
        return bytes([self.flags]) + bytes(
            VXLAN(flags=8, reserved1=self.reserved, vni=0x123456, reserved2=0))[1:]

    def seen(self, w):
        w.overlay("vxlan")


class Gpe(Part):
    size, announced = 8, {"port": 4790}

    def __init__(self, flags=0x0c, says=None):
        self.flags, self.says = flags, says

    def head(self, body, following):
        return bytes([self.flags]) + bytes(
            VXLAN(flags=0x0c, NextProtocol=self.number("gpe", following),
                  vni=0x123456))[1:]

    def seen(self, w):
        w.overlay("vxlan_gpe")

    def took(self, w):
        if self.flags & 0x04:
            w.m["next"] = self.number("gpe", w.following)


class Geneve(Part):
    announced = {"port": 6081}

    def __init__(self, words=0, says=None, **fields):
        self.words, self.says, self.fields = words, says, fields
        self.size = 8

    def head(self, body, following):
        if isinstance(following, GeneveOptions):
            following = following.then
        return bytes(GENEVE(optionlen=self.words, vni=0x123456,
                            proto=self.number("type", following), **self.fields))

    def seen(self, w):
        w.overlay("geneve")

    def took(self, w):
        following = w.following
        if isinstance(following, GeneveOptions):
            following = following.then
        w.m["next"] = Hex(self.number("type", following))


class GeneveOptions(Part):
    """Options that fill these words, 32 each at most (RFC 8926, 3.5); then: what is next."""

    def __init__(self, words, then):
        self.words, self.size, self.then = words, 4 * words, then

    def head(self, body, following):
        data, left = b"", self.words
        while left:
            n = min(left, 32)
            data += struct.pack(">HBB", 0x0103, 1, n - 1) + bytes(4 * (n - 1))
            left -= n
        return data


def geneve(words, inner, says=None, cut=None, ends=None, **fields):
    options = [GeneveOptions(words, inner)] if words else []
    broken(options, cut, ends)
    return [Geneve(words, says, **fields), *options, inner]


class Gre(Upper):
    """Its first 4 bytes; GreWords has the rest."""
    size, announced = 4, {"proto": 47}

    def __init__(self, flags="", says=None, tunnel="gre", bits=0):
        self.flags, self.says, self.bits, self.tunnel = flags, says, bits, tunnel

    def number(self, kind, following):
        if isinstance(following, GreWords):
            following = following.then
        return super().number(kind, following)

    def head(self, body, following):
        fields = {"proto": self.number("type", following),
                  "chksum_present": "C" in self.flags, "key_present": "K" in self.flags,
                  "seqnum_present": "S" in self.flags, "key": 0x12345607,
                  "sequence_number": 9}
        whole = bytes(GRE(**fields) / Raw(body[4 * len(self.flags):]))
        if isinstance(following, GreWords):
            following.data = whole[4:4 + 4 * len(self.flags)]
        return struct.pack(">H", struct.unpack(">H", whole[:2])[0] | self.bits) + whole[2:4]

    def seen(self, w):
        w.overlay("gre")
        w.gre = self

    def took(self, w):
        w.m["next"] = Hex(self.number("type", w.following))
        if not self.flags:
            w.m["tunnel"] = self.tunnel


class GreWords(Part):
    """Checksum, key and sequence number: one word for each flag."""

    def __init__(self, flags, then):
        self.size, self.then, self.data = 4 * len(flags), then, b""

    def head(self, body, following):
        return bytes(self.size)  # Gre has what it becomes

    def took(self, w):
        w.m["tunnel"] = w.gre.tunnel


def gre(flags, *then, tunnel="gre", cut=None, ends=None, **more):
    words = [GreWords(flags, then[0])] if flags else []
    broken(words, cut, ends)
    return [Gre(flags, tunnel=tunnel, **more), *words, *then]


class Erspan2(Part):
    size, announced = 8, {"type": 0x88be}

    def __init__(self, ver=1, t=0):
        self.ver, self.t = ver, t

    def head(self, body, following):
        return bytes(ERSPAN_II(ver=self.ver, vlan=100, cos=5, en=3, t=self.t,
                               session_id=0x2a5, index=7))

    def seen(self, w):
        w.m["tunnel"] = "erspan2"


class Erspan3(Part):
    """12 bytes; the platform's 8 are a part of their own."""
    size, announced = 12, {"type": 0x22eb}

    def __init__(self, ver=2, t=0, ft=0, o=0, p=1):
        self.fields = {"ver": ver, "t": t, "ft": ft, "o": o, "p": p}

    def head(self, body, following):
        return bytes(ERSPAN_III(vlan=100, cos=5, bso=0, session_id=0x2a5,
                                timestamp=0x01020304, sgt_other=0xffff, hw=0x2a, d=1,
                                gra=3, **self.fields))

    def seen(self, w):
        w.m["tunnel"] = "erspan3"


class Platform(Part):
    size = 8

    def head(self, body, following):
        return bytes(ERSPAN_PlatformSpecific(platf_id=3, info1=1, info2=2))


# ---- Telemetry


class IfaHeader(Upper):
    size, announced = 4, {"proto": 253}

    def __init__(self, version=2, flags=0x04):
        self.version, self.flags = version, flags

    def head(self, body, following):
        return struct.pack(">BBBB", self.version << 4 | 0xf,
                           self.number("proto", following), self.flags, 255)

    def seen(self, w):
        w.m["stopped"] = "ifa"

    def took(self, w):
        w.m.update(ifa=w.at, next=self.number("proto", w.following), stopped="upper")


class IfaMetadata(Part):
    """4 bytes; words of stack and optional headers of 4 bytes each follow them."""
    size = 4

    def __init__(self, words=8, optional=0, current=None):
        self.current = words if current is None else current
        self.optional = optional
        self.added = 4 + 4 * optional + 4 * words

    def head(self, body, following):
        return struct.pack(">BBBB", 0xff, 0, 0xfe, self.current)

    def seen(self, w):
        w.m["stopped"] = "ifa"

    def took(self, w):
        w.declared = w.udp_end + 4 + 4 * self.optional + 4 * self.current
        w.m["end"] = w.declared


class Stack(Part):
    """Records, 0x11 throughout."""

    def __init__(self, words):
        self.size = 4 * words

    def head(self, body, following):
        return b"\x11" * self.size


def ifa(words=8, optional=0, **more):
    return [IfaMetadata(words, optional, **more), Stack(words + optional)]


class Marker(Part):
    size = 8

    def head(self, body, following):
        return PROBE


class Shim(Part):
    """INT's shim with words behind it; by port 5000 unless NPT is 0."""

    def __init__(self, npt=1, words=5, kind=1, says=None, length=None):
        self.npt, self.kind, self.says = npt, kind, says
        self.size, self.length = 4 + 4 * words, words if length is None else length
        self.announced = {"port": 5000}

    def original(self, following):
        if self.says is not None or self.npt == 1:
            return self.number("port", following)
        return self.number("proto", following) if self.npt == 2 else 0x00bc

    def head(self, body, following):
        return struct.pack(">BBH", self.kind << 4 | self.npt << 2, self.length,
                           self.original(following)) + b"\x22" * (self.size - 4)

    def seen(self, w):
        w.m["stopped"] = "intmd"

    def took(self, w):
        w.m["intmd"] = w.at
        if self.npt == 1:
            w.m["next"] = self.original(w.following)


# ---- A row ------------------------------------------------------------------------------


def flat(parts):
    for part in parts:
        if isinstance(part, list):
            yield from flat(part)
        else:
            yield part


def behind(parts, i):
    return parts[i + 1] if i + 1 < len(parts) else None


def shorten(parts, at, stop):
    """The length around parts[stop] says that the packet ends inside it."""
    _, left, by = parts[stop].broken
    for part, begins in reversed(list(zip(parts[:stop], at))):
        if isinstance(part, by or (Ip, Udp, Pppoe, Grh)):
            part.reach = at[stop] + left - begins
            return
    raise ValueError("no length is around it")


def bytes_of(parts):
    """From the last part to the first, as a header may count or sum what it is before."""
    data = b""
    for i, part in reversed(list(enumerate(parts))):
        following = behind(parts, i)
        head = part.head(data, following)
        assert len(head) == part.size, part
        if isinstance(part, Gre) and isinstance(following, GreWords):
            data = following.data + data[following.size:]
        data = head + data
    return data


def found(parts, at, stop, begins):
    w = Walk(begins)
    for i, part in enumerate(parts):
        w.at, w.behind, w.following = at[i], at[-1] - at[i + 1], behind(parts, i)
        part.seen(w)
        if i != stop or part.verdict[1]:
            part.took(w)
        if i == stop:
            break
    return w.m


def row(row_id, *parts, cfg="", trailer=b"", lost=0, begins=Hex(0x6558), **more):
    """
    The row of a frame of these parts. trailer: bytes behind all lengths; lost: of its
    last bytes, which the capture lacks; begins: the type that the walk begins with;
    more: members that are otherwise than the parts say.
    """
    parts = copy.deepcopy(list(flat(parts)))
    at = [sum(p.size for p in parts[:i]) for i in range(len(parts) + 1)]
    stop = next((i for i, p in enumerate(parts) if p.verdict), None)
    how, left, _ = (stop is not None and parts[stop].broken) or ("", 0, None)
    if how == "ends":
        shorten(parts, at, stop)
    frame = bytes_of(parts)
    if how == "cut":
        frame = frame[:at[stop] + left]
    frame += trailer
    members = {**found(parts, at, stop, begins), **more}
    status = "ok" if "bth" in members else "no_match"
    if stop is not None:
        status = parts[stop].verdict[0]
    return row_id, status, frame[:len(frame) - lost], cfg, members


def ethernet_rows():
    e4 = [Ip4(), Udp(), roce()]
    e6 = [Ip6(), Udp(), roce(6)]
    yield "IEEE 802.3, 3.2.6, and 802.1Q, 9: types and tags", [
        row("plain4", Ethernet(), e4),
        row("plain6", Ethernet(), e6),
        row("tag", Ethernet(), Vlan(), e4),
        row("tags-3", Ethernet(), Vlan(0x88a8), Vlan(), Vlan(), e6),
        row("tags-4", Ethernet(), Vlan(), Vlan(), Vlan(),
            Vlan().refused("unsupported"), e4),
        row("tag-cut", Ethernet(), Vlan().cut(3), e4),
        row("ether-cut", Ethernet().cut(13), e4),
        row("empty", Ethernet().cut(0), e4),
        row("padding", Ethernet(), Ip4(), Udp(port=9), Bytes(b"\0"), trailer=bytes(17)),
        row("arp", Ethernet(), Bytes("0001080006040001" + "00" * 20, type=0x0806)),
        row("lldp", Ethernet(), Bytes("0207040200000000010403050607060200780000",
                                      type=0x88cc)),
        row("macsec", Ethernet(), Bytes("2c00000000010123456789abcdef" + "5a" * 64,
                                        type=0x88e5)),
        row("arista-time", Ethernet(), Bytes("0001001000000000000000000800", type=0xd28b),
            Bytes(IP4_CNP)),
        row("type-1501", Ethernet(says=1501).last("no_match"), Llc(), e4),
        row("tag-arp", Ethernet(), Vlan(), Bytes("0001080006040001" + "00" * 20,
                                                 type=0x0806)),
    ]
    yield "TPID 0x9100, which is nobody's: a tag where it is configured", [
        row("old-qinq", Ethernet(), Vlan(0x9100), Vlan(), e4, cfg="old_qinq=1"),
        row("old-qinq-alone", Ethernet(), Vlan(0x9100), e6, cfg="old_qinq=1"),
        row("old-qinq-off", Ethernet().last("no_match"), Vlan(0x9100), Vlan(), e4),
        row("old-qinq-4", Ethernet(), Vlan(0x9100), Vlan(0x9100), Vlan(0x9100),
            Vlan(0x9100).refused("unsupported"), e4, cfg="old_qinq=1"),
        row("old-qinq-cut", Ethernet(), Vlan(0x9100).cut(2), e4, cfg="old_qinq=1"),
    ]
    yield "draft-ravi-ippm-csig-01 and IEEE 802.1Qau: CSIG and CN-TAG behind the tags", [
        row("csig", Ethernet(), Vlan(), Csig(4), e4, cfg=CSIG),
        row("csig-wide", Ethernet(), Csig(8), e6, cfg=CSIG),
        row("csig-vxlan", Ethernet(), Csig(4), Ip4(), Udp(), Vxlan(), Inner(ETHER4),
            cfg=CSIG),
        row("csig-cut", Ethernet(), Csig(8).cut(7), e4, cfg=CSIG),
        row("csig-tags-2", Ethernet(), Vlan(0x88a8), Vlan(), Csig(8), e4, cfg=CSIG),
        row("csig-tags-3", Ethernet(), Vlan(), Vlan(), Vlan(),
            Csig(4).refused("unsupported"), e4, cfg=CSIG),
        row("csig-twice", Ethernet(), Csig(4), Csig(8).refused("unsupported"), e4,
            cfg=CSIG),
        row("csig-behind-cntag", Ethernet(), CnTag(), Csig(4).refused("unsupported"), e4,
            cfg=CSIG),
        row("csig-off", Ethernet().last("no_match"), Csig(4), e4),
        row("cntag", Ethernet(), Vlan(), CnTag(), e4),
        row("csig-cntag", Ethernet(), Csig(4), CnTag(), e4, cfg=CSIG),
        row("cntag-twice", Ethernet(), CnTag(), CnTag().refused("unsupported"), e4),
        row("cntag-tag", Ethernet(), CnTag(), Vlan().refused("unsupported"), e4),
        row("cntag-cut", Ethernet(), CnTag().cut(3), e4),
    ]
    yield "IEEE 802.2 and RFC 1042: LLC, with SNAP and without", [
        row("snap4", Ethernet(), Llc(), e4),
        row("snap6", Ethernet(), Vlan(), Llc(), e6),
        row("snap-tag", Ethernet(), Llc(), Vlan(), e4),
        row("snap-mpls", Ethernet(), Llc(), Mpls(), e4),
        row("snap-oui", Ethernet(), Llc(oui=0x00000c).refused("no_match"),
            Bytes("0102030405060708")),
        row("snap-length", Ethernet(), Llc(says=100).last("no_match"), e4),
        row("stp", Ethernet(), Llc(other="424203").refused("no_match"),
            Bytes("0000000000" + "00" * 30)),
        *(row(f"llc-{other}", Ethernet(), Llc(other=other).refused("no_match"))
          for other in ("42aa03", "aa4203", "aaaa07")),
        *(row(f"snap-oui-{oui}", Ethernet(), Llc(oui=oui).refused("no_match"), e4)
          for oui in (0x010000, 0x000100, 0x000001)),
        row("snap-1500", Ethernet(says=1500), Llc(), e4),
        row("snap-length-7", Ethernet(says=7), Llc(), e4),
        row("snap-padding", Ethernet(), Llc(), e4, trailer=bytes(12)),
        row("snap-cut-behind", Ethernet(), Llc(), Ip4().cut(0), Udp(), roce()),
        row("llc-cut", Ethernet(), Llc().cut(2), e4),
        row("snap-cut", Ethernet(), Llc().cut(7), e4),
    ]
    yield "Cisco metadata: version 1, length 1, option, SGT, type", [
        row("cmd", Ethernet(), Cmd(), e4),
        row("cmd-tag", Ethernet(), Vlan(), Cmd(), e6),
        row("cmd-twice", Ethernet(), Cmd(), Cmd().refused("unsupported"), e4),
        row("cmd-version", Ethernet(), Cmd(version=2).refused("unsupported"), e4),
        row("cmd-length", Ethernet(), Cmd(length=2).refused("unsupported"), e4),
        row("cmd-cut-behind", Ethernet(), Cmd(), Ip4().cut(0), Udp(), roce()),
        row("cmd-cut", Ethernet(), Cmd().cut(7), e4),
    ]
    yield "RFC 2516, 4, and RFC 1661, 2: PPPoE", [
        row("pppoe4", Ethernet(), Pppoe(), e4),
        row("pppoe6", Ethernet(), Vlan(), Pppoe(), e6),
        row("pppoe-snap", Ethernet(), Llc(), Pppoe(), e6),
        row("pppoe-vxlan", Ethernet(), Pppoe(), Ip4(), Udp(), Vxlan(), Inner(ETHER4)),
        row("pppoe-padding", Ethernet(), Pppoe(), e4, trailer=bytes(4)),
        row("pppoe-lcp", Ethernet(), Pppoe(says=0xc021), Bytes("01010004")),
        row("pppoe-padt", Ethernet(), Pppoe(code=0xa7).refused("no_match")),
        row("pppoe-version", Ethernet(), Pppoe(version=2).refused("unsupported"), e4),
        row("pppoe-cut", Ethernet(), Pppoe().cut(5), e4),
        row("pppoe-cut-protocol", Ethernet(), Pppoe().cut(7), e4),
        row("pppoe-cut-behind", Ethernet(), Pppoe(), Ip4().cut(0), Udp(), roce()),
        row("pppoe-length-1", Ethernet(), Pppoe(length=1).refused("format"), e4),
        row("pppoe-ends-ip", Ethernet(), Pppoe(), Ip4().ends(19, Pppoe), Udp(), roce()),
        row("pppoe-ends-ip6", Ethernet(), Pppoe(), Ip6().ends(39, Pppoe), Udp(), roce(6)),
        row("pppoe-fragment-longer", Ethernet(), Pppoe(length=2 + 59),
            Ip4(frag=9, flags=0).last("format"), Udp(), roce(), **{"ip.fragment": 2}),
        row("pppoe-ip-longer", Ethernet(), Pppoe(length=2 + 59), Ip4().last("format"),
            Udp(), roce()),
    ]


def mpls_rows():
    def labels(*parts, **more):
        return [Ethernet(), Mpls(**more), *parts]
    e4 = [Ip4(), Udp(), roce()]
    e6 = [Ip6(), Udp(), roce(6)]
    yield "RFC 3032, 2.1; RFC 4928, 3: MPLS over Ethernet", [
        row("mpls-1", labels(e4)),
        row("mpls-1-6", labels(e6)),
        row("mpls-3", labels(e6, n=3)),
        row("mpls-8", labels(e4, n=8)),
        row("mpls-tags", Ethernet(), Vlan(0x88a8), Vlan(), Mpls(2), e4),
        row("mpls-upstream", labels(e4, n=2, type_=0x8848)),
        row("mpls-vxlan", labels(Ip4(), Udp(), Vxlan(), Inner(ETHER4))),
        row("mpls-9", Ethernet(), Mpls(8, bottom=False).refused("unsupported"), Mpls(1),
            e4),
        row("mpls-8-cut", Ethernet(), Mpls(8, bottom=False).refused("unsupported")),
        row("mpls-nibble-1", labels(Bytes("10000021" + "00" * 16))),
        row("mpls-nibble-5", labels(Bytes("50000021" + "00" * 16))),
        row("mpls-cut", Ethernet(), Mpls(2).cut(7), e4),
        row("mpls-cut-no-bottom", Ethernet(), Mpls(3).cut(4), e4),
        row("mpls-cut-behind", labels(Bytes(IP4_CNP).cut(0))),
        row("mpls-cut-ip", labels(Ip4().cut(19), Udp(), roce())),
    ]
    yield "RFC 4385, 3, and RFC 4448, 4.6: a pseudowire with a control word", [
        row("pw", labels(ControlWord(), Inner(ETHER4), n=2)),
        row("pw-6", labels(ControlWord(), Inner(ETHER6))),
        row("pw-empty", labels(ControlWord(), Inner(b""))),
        row("pw-cut", labels(ControlWord().cut(3), Inner(ETHER4))),
        row("pw-cut-1", labels(ControlWord().cut(1), Inner(ETHER4))),
    ]


def udp_overlay_rows():
    def v4(*parts):
        return [Ethernet(), Ip4(), Udp(), *parts]

    def v6(*parts):
        return [Ethernet(), Ip6(), Udp(), *parts]
    yield "RFC 7348, 5: VXLAN", [
        row("vxlan4", v4(Vxlan(), Inner(ETHER4))),
        row("vxlan6", v6(Vxlan(), Inner(ETHER6))),
        row("vxlan-4-in-6", v6(Vxlan(), Inner(ETHER4))),
        row("vxlan-tagged", Ethernet(), Vlan(0x88a8), Vlan(), Ip4(), Udp(), Vxlan(),
            Inner(TAGGED4)),
        row("vxlan-options", Ethernet(), Ip4(options=b"\x94\x04\0\0"), Udp(), Vxlan(),
            Inner(ETHER4)),
        row("vxlan-ext", Ethernet(), Ip6(), Ext(0), Ext(60, 16), Udp(), Vxlan(),
            Inner(ETHER4)),
        row("vxlan-reserved", v4(Vxlan(flags=0xff, reserved=0xffffff), Inner(ETHER4))),
        row("vxlan-ip", Ip4(), Udp(), Vxlan(), Inner(ETHER4), cfg="link=ip"),
        row("vxlan-empty", v4(Vxlan(), Inner(b""))),
        row("vxlan-padding", v4(Vxlan(), Inner(ETHER4)), trailer=bytes(6)),
        row("vxlan-udp-shorter", Ethernet(), Ip4(), Udp(length=16 + 40), Vxlan(),
            Inner(ETHER4)),
        row("vxlan-cut-inner", v4(Vxlan(), Inner(ETHER4)), lost=40),
        row("vxlan-all-but-i", v4(Vxlan(flags=0xf7).refused("format"), Inner(ETHER4))),
        row("vxlan-i-clear", v4(Vxlan(flags=0).refused("format"), Inner(ETHER4))),
        row("vxlan-cut", v4(Vxlan().cut(7), Inner(ETHER4))),
        row("vxlan-cut-0", v6(Vxlan().cut(0), Inner(ETHER4))),
        row("vxlan-ends", v4(Vxlan().ends(7), Inner(ETHER4))),
        row("vxlan-ends-0", v6(Vxlan().ends(0), Inner(ETHER4))),
        row("vxlan-udp-longer", Ethernet(), Ip4(),
            Udp(length=17 + len(ETHER4)).last("format"), Vxlan(), Inner(ETHER4)),
    ]
    yield "draft-ietf-nvo3-vxlan-gpe: VXLAN-GPE, flags R R Ver I P B O", [
        row("gpe-ip4", v4(Gpe(), Inner(IP4_CNP, 0x0800))),
        row("gpe-ip6", v4(Gpe(), Inner(IP6_CNP, 0x86dd))),
        row("gpe-ether", v6(Gpe(), Inner(ETHER4))),
        row("gpe-p-clear", v4(Gpe(flags=0x08), Inner(ETHER4))),
        row("gpe-p-clear-next", v4(Gpe(flags=0x08, says=1), Inner(ETHER6))),
        row("gpe-nsh", v4(Gpe(says=4).last("no_match"), Bytes("0fc60103000001ff"))),
        row("gpe-oam", v4(Gpe(flags=0x0d).refused("no_match"), Inner(ETHER4))),
        row("gpe-version", v4(Gpe(flags=0x1c).refused("unsupported"), Inner(ETHER4))),
        row("gpe-version-2", v4(Gpe(flags=0x2d).refused("unsupported"), Inner(ETHER4))),
        row("gpe-empty", v4(Gpe(flags=0x08), Inner(b""))),
        row("gpe-cut", v4(Gpe().cut(7), Inner(ETHER4))),
        row("gpe-ends", v6(Gpe().ends(7), Inner(IP4_CNP, 0x0800))),
    ]
    ether, ip4, ip6 = Inner(ETHER4), Inner(IP4_CNP, 0x0800), Inner(IP6_CNP, 0x86dd)
    yield "RFC 8926, 3.4 and 3.5: Geneve", [
        row("geneve-0", v4(geneve(0, ether))),
        row("geneve-1", v6(geneve(1, Inner(ETHER6), critical=1))),
        row("geneve-63", v4(geneve(63, ether))),
        row("geneve-ip4", v4(geneve(2, ip4))),
        row("geneve-ip6", v6(geneve(0, ip6))),
        row("geneve-reserved", v4(geneve(0, ether, reserved=0x3f, reserved2=0xff))),
        row("geneve-tags", Ethernet(), Vlan(), Ip4(), Udp(), geneve(1, Inner(TAGGED4))),
        row("geneve-other", v4(geneve(1, Bytes("00" * 8), says=0x6559))),
        row("geneve-version", v4(Geneve(version=1).refused("unsupported"), ether)),
        row("geneve-version-3", v4(Geneve(version=3).refused("unsupported"), ether)),
        row("geneve-control", v4(Geneve(oam=1).refused("no_match"), ether)),
        row("geneve-empty", v4(geneve(0, Inner(b"")))),
        row("geneve-cut", v4(Geneve().cut(7), ether)),
        row("geneve-cut-options", v4(geneve(4, ether, cut=15))),
        row("geneve-ends", v4(Geneve().ends(7), ether)),
        row("geneve-ends-options", v4(geneve(4, ether, ends=15))),
        row("geneve-options-long", v6(geneve(63, ether, ends=251))),
        row("geneve-options-all", v4(geneve(2, Inner(b"", 0x6558)))),
    ]
    yield "RFC 7510: MPLS in UDP, port 6635", [
        row("mpls-udp4", v4(Plain("mpls_udp", port=6635), Inner(MPLS4, 0x8847))),
        row("mpls-udp6", v6(Plain("mpls_udp", port=6635), Inner(MPLS4, 0x8847))),
        row("mpls-udp-empty", v4(Plain("mpls_udp", port=6635), Inner(b"", 0x8847))),
    ]


def gre_rows():
    def v4(*parts):
        return [Ethernet(), Ip4(), *parts]

    def v6(*parts):
        return [Ethernet(), Ip6(), *parts]
    ether, ip4, ip6 = Inner(ETHER4), Inner(IP4_CNP, 0x0800), Inner(IP6_CNP, 0x86dd)
    yield "RFC 2784, 2, and RFC 2890, 2: GRE", [
        row("gre4", v4(gre("", ip4))),
        row("gre6", v6(gre("", ip6))),
        row("gre-c", v4(gre("C", ip6))),
        row("gre-k", v6(gre("K", ip4))),
        row("gre-s", v4(gre("S", ip4))),
        row("gre-cks", v4(gre("CKS", ip4))),
        row("gre-ether", v4(gre("", ether))),
        row("gre-ether-cks", v6(gre("CKS", ether))),
        row("gre-ether-s", v4(gre("S", ether))),
        row("gre-mpls", v4(gre("", Inner(MPLS4, 0x8847)))),
        row("gre-mpls-upstream", v6(gre("K", Inner(MPLS4, 0x8847), says=0x8848))),
        row("gre-reserved", v4(gre("", ip4, bits=0x03f8))),
        row("gre-tags", Ethernet(), Vlan(0x88a8), Vlan(), Ip4(), gre("", ip4)),
        row("gre-ext", Ethernet(), Ip6(), Ext(60), gre("", ip4)),
        row("gre-in-ip", Ethernet(), Ip6(), Ip4(), gre("", ip4)),
        row("gre-arp", v4(gre("", Bytes("00" * 28), says=0x0806))),
        row("gre-routing", v4(Gre(bits=0x4000).refused("unsupported"), ip4)),
        row("gre-strict", v4(Gre(bits=0x0800).refused("unsupported"), ip4)),
        row("gre-recursion", v4(Gre(bits=0x0400).refused("unsupported"), ip4)),
        row("gre-pptp", v4(Gre(says=0x880b, bits=0x2001).refused("unsupported"),
                           Bytes("0004000100000000"))),
        row("gre-version-2", v4(Gre(bits=2).refused("unsupported"), ip4)),
        row("gre-version-4", v4(Gre(bits=4).refused("unsupported"), ip4)),
        row("gre-cut", v4(Gre().cut(3), ip4)),
        row("gre-cut-words", v4(gre("CKS", ip4, cut=11))),
        row("gre-ends", v4(Gre().ends(3), ip4)),
        row("gre-ends-6", v6(Gre().ends(0), ip4)),
        row("gre-ends-words", v6(gre("CKS", ip4, ends=11))),
        row("gre-empty", v4(gre("", Inner(b"", 0x0800)))),
    ]
    yield "RFC 7637, 3.2: NVGRE", [
        row("nvgre4", v4(gre("K", ether, tunnel="nvgre"))),
        row("nvgre6", v6(gre("K", Inner(ETHER6), tunnel="nvgre"))),
        row("nvgre-tagged", v4(gre("K", Inner(TAGGED4), tunnel="nvgre"))),
        row("nvgre-c", v4(gre("CK", ether))),
        row("nvgre-s", v4(gre("KS", ether))),
        row("nvgre-cut", v4(gre("K", ether, cut=3))),
        row("nvgre-ends", v4(gre("K", ether, ends=3))),
    ]
    copied = Inner(ETHER4[:60], cut=True)
    yield "draft-foschiano-erspan-03: ERSPAN I and II", [
        row("erspan1", v4(gre("", ether, tunnel="erspan1", says=0x88be))),
        row("erspan1-6", v6(gre("", Inner(ETHER6), tunnel="erspan1", says=0x88be))),
        row("erspan1-empty", v4(gre("", Inner(b""), tunnel="erspan1", says=0x88be))),
        row("erspan2", v4(gre("S", Erspan2(), ether))),
        row("erspan2-6", v6(gre("S", Erspan2(), Inner(ETHER6)))),
        row("erspan2-k", v4(gre("KS", Erspan2(), Inner(TAGGED4)))),
        row("erspan2-t", v4(gre("S", Erspan2(t=1), copied))),
        row("erspan2-t-whole", v4(gre("S", Erspan2(t=1), Inner(ETHER4, cut=True)))),
        row("erspan2-shorter", v4(gre("S", Erspan2(), Inner(ETHER4[:60])))),
        row("erspan2-version-0", v4(gre("S", Erspan2(ver=0).refused("unsupported"),
                                      ether))),
        row("erspan2-version-2", v4(gre("S", Erspan2(ver=2).refused("unsupported"),
                                      ether))),
        row("erspan2-empty", v4(gre("S", Erspan2(), Inner(b"")))),
        row("erspan2-version-ends", v4(gre("S", Erspan2(ver=0).ends(7), ether))),
        row("erspan2-cut", v4(gre("S", Erspan2().cut(7), ether))),
        row("erspan2-cut-sequence", v4(gre("S", Erspan2(), ether, cut=3))),
        row("erspan2-ends", v4(gre("S", Erspan2().ends(7), ether))),
    ]
    yield "draft-foschiano-erspan-03: ERSPAN III", [
        row("erspan3", v4(gre("S", Erspan3(), ether))),
        row("erspan3-6", v6(gre("S", Erspan3(), Inner(ETHER6)))),
        row("erspan3-no-s", v4(gre("", Erspan3(), ether))),
        row("erspan3-p-clear", v4(gre("S", Erspan3(p=0), ether))),
        row("erspan3-o", v4(gre("S", Erspan3(o=1), Platform(), ether))),
        row("erspan3-t", v4(gre("S", Erspan3(t=1), copied))),
        row("erspan3-o-t", v6(gre("S", Erspan3(o=1, t=1), Platform(), copied))),
        row("erspan3-ip4", v4(gre("S", Erspan3(ft=2), ip4))),
        row("erspan3-ip6", v4(gre("S", Erspan3(ft=2), ip6))),
        row("erspan3-ip6-o", v4(gre("S", Erspan3(ft=2, o=1), Platform(), ip6))),
        row("erspan3-ft-1", v4(gre("S", Erspan3(ft=1).last("no_match"), ether))),
        row("erspan3-ft-31-t", v4(gre("S", Erspan3(ft=31, t=1).last("no_match"), ether))),
        row("erspan3-version", v4(gre("S", Erspan3(ver=1).refused("unsupported"), ether))),
        row("erspan3-empty", v4(gre("S", Erspan3(), Inner(b"")))),
        row("erspan3-ip-1", v4(gre("S", Erspan3(ft=2), Inner(b"\x45", 0x0800)))),
        row("erspan3-version-ends", v4(gre("S", Erspan3(ver=1).ends(11), ether))),
        row("erspan3-cut", v4(gre("S", Erspan3().cut(11), ether))),
        row("erspan3-cut-o", v4(gre("S", Erspan3(o=1), Platform().cut(7), ether))),
        row("erspan3-cut-ip", v4(gre("S", Erspan3(ft=2), Bytes(IP4_CNP).cut(0)))),
        row("erspan3-ends", v4(gre("S", Erspan3().ends(11), ether))),
        row("erspan3-ends-o", v4(gre("S", Erspan3(o=1), Platform().ends(7), ether))),
        row("erspan3-ends-ip", v4(gre("S", Erspan3(ft=2), Bytes(IP4_CNP).ends(0, Ip)))),
    ]
    layer2 = Plain("ethernet", proto=143)
    yield "RFC 8986, 4.9, and 10.1: Ethernet behind IP, next header 143", [
        row("srv6-l2", v6(layer2, ether)),
        row("srv6-l2-srh", v6(Ext(43, 40), layer2, Inner(ETHER6))),
        row("srv6-l2-tags", Ethernet(), Vlan(), Ip6(), layer2, Inner(TAGGED4)),
        row("ethernet-in-ip4", v4(layer2, ether)),
        row("ethernet-empty", v6(layer2, Inner(b""))),
        row("ethernet-cut-srh", v6(Ext(43, 40).cut(39), layer2, ether)),
        row("ethernet-ends-srh", v6(Ext(43, 40).ends(39), layer2, ether)),
    ]


def trimmed_rows():
    def cut(version, left, *before):
        """The datagram has but left bytes behind its UDP header; its UDP counts 32."""
        ip = Ip4() if version == 4 else Ip6()
        udp = Udp(length=40, trimmed=True, port=ROCEV2)
        bth = Bth(version, min(left, 12))
        if left < 12:
            bth.refused("format")
        rest = Bytes(BEHIND_UDP[version][12:max(12, left)])
        return [Ethernet(), *before, ip, udp, bth, rest]
    yield ("SAI, packet trimming: the IP length is renewed, the UDP length as it was", [
        row(f"trimmed{v}-{left}", cut(v, left)) for v in (4, 6)
        for left in (0, 11, 12, 13, 31)] + [
        row("trimmed-tags", cut(4, 20, Vlan(0x88a8), Vlan())),
        row("trimmed-padding", cut(4, 12), trailer=bytes(6)),
        row("trimmed-cut-padding", cut(4, 4), trailer=bytes(14)),
        row("trimmed-tunnel", cut(4, 16, Ip6())),
        row("trimmed-mpls", cut(6, 16, Mpls(2))),
        row("trimmed-pppoe", cut(4, 16, Pppoe())),
        row("trimmed-port", Ethernet(), Ip4(), Udp(length=40, trimmed=True, port=4792),
            roce(size=16), cfg="rocev2_port=4792"),
        row("trimmed-capture", Ethernet(), Ip4(), Udp(length=40, trimmed=True),
            Bth().cut(11), Bytes("00000000")),
        row("trimmed-all", cut(4, 0, Vlan()), trailer=bytes(14)),
        row("trimmed-in-udp", Ethernet(), Ip4(), Udp(length=40).ends(7), roce()),
        row("trimmed-other", Ethernet(), Ip4(), Udp(length=41, port=4792).last("format"),
            roce()),
    ])


def int_rows():
    tos = 23 << 2
    yield "P4.org INT v2.1: INT-MD by UDP port, NPT 1 and 2", [
        row("int-1", Ethernet(), Ip4(), Udp(), Shim(), roce(), cfg=PORT),
        row("int-1-6", Ethernet(), Vlan(), Ip6(), Udp(), Shim(), roce(6), cfg=PORT),
        row("int-1-other", Ethernet(), Ip4(), Udp(), Shim(says=53), Bytes("00" * 12),
            cfg=PORT),
        row("int-1-vxlan", Ethernet(), Ip4(), Udp(), Shim(says=4789), Bytes(
            "0800000000000000" + ETHER4.hex()), cfg=PORT),
        row("int-1-words-0", Ethernet(), Ip4(), Udp(), Shim(words=0), roce(), cfg=PORT),
        row("int-1-words-255", Ethernet(), Ip4(), Udp(), Shim(words=255), roce(), cfg=PORT),
        row("int-1-type-3", Ethernet(), Ip4(), Udp(), Shim(kind=3), roce(), cfg=PORT),
        row("int-2", Ethernet(), Ip4(), Udp(), Shim(2), Udp(), roce(), cfg=PORT),
        row("int-2-6", Ethernet(), Ip6(), Ext(60), Udp(), Shim(2, 8), Udp(), roce(6),
            cfg=PORT),
        row("int-2-other", Ethernet(), Ip4(), Udp(), Shim(2), Udp(port=53),
            Bytes("00" * 12), cfg=PORT),
        row("int-2-tcp", Ethernet(), Ip4(), Udp(), Shim(2).last("no_match"), Tcp(),
            cfg=PORT),
        row("int-off", Ethernet(), Ip4(), Udp(port=5000), Bytes("1405000000000000")),
        row("int-npt-0", Ethernet(), Ip4(), Udp(port=5000), Shim(0).refused("format"),
            roce(), cfg=PORT),
        row("int-npt-3", Ethernet(), Ip4(), Udp(), Shim(3).refused("unsupported"),
            roce(), cfg=PORT),
        row("int-type-0", Ethernet(), Ip4(), Udp(), Shim(kind=0).refused("unsupported"),
            roce(), cfg=PORT),
        row("int-type-4", Ethernet(), Ip4(), Udp(), Shim(kind=4).refused("unsupported"),
            roce(), cfg=PORT),
        row("int-2-reserved", Ethernet(), Ip4(), Udp(), Shim(2, says=0xff11), Udp(), roce(),
            cfg=PORT),
        row("int-type-ends", Ethernet(), Ip4(), Udp(), Shim(kind=0).ends(3), roce(),
            cfg=PORT),
        row("int-cut", Ethernet(), Ip4(), Udp(), Shim().cut(3), roce(), cfg=PORT),
        row("int-cut-words", Ethernet(), Ip4(), Udp(), Shim().cut(23), roce(), cfg=PORT),
        row("int-cut-udp", Ethernet(), Ip4(), Udp(), Shim(2), Udp().cut(7), roce(),
            cfg=PORT),
        row("int-ends", Ethernet(), Ip4(), Udp(), Shim().ends(3), roce(), cfg=PORT),
        row("int-ends-words", Ethernet(), Ip4(), Udp(), Shim().ends(23), roce(), cfg=PORT),
        row("int-ends-udp", Ethernet(), Ip4(), Udp(), Shim(2), Udp().ends(7), roce(),
            cfg=PORT),
        row("int-length-long", Ethernet(), Ip4(), Udp(), Shim(length=14).refused("format"),
            roce(), cfg=PORT),
        row("int-2-udp-7", Ethernet(), Ip4(), Udp(), Shim(2),
            Udp(length=7).refused("format"), roce(), cfg=PORT),
        row("int-2-udp-long", Ethernet(), Ip4(), Udp(), Shim(2),
            Udp(length=41).last("format"), roce(), cfg=PORT),
    ]
    marked = Udp(port=ROCEV2)
    yield "P4.org INT v2.1: INT-MD by DSCP", [
        row("dscp4", Ethernet(), Ip4(tos=tos), marked, Shim(0), roce(), cfg=DSCP),
        row("dscp6", Ethernet(), Ip6(tc=tos), marked, Shim(0), roce(6), cfg=DSCP),
        row("dscp-ce", Ethernet(), Ip6(tc=tos | 3), marked, Shim(0), roce(6), cfg=DSCP),
        row("dscp-bit", Ethernet(), Ip4(tos=0x3f << 2), marked, Shim(0), roce(),
            cfg="intmd.dscp=1 intmd.dscp_mask=1"),
        row("dscp-tunnel", Ethernet(), Ip6(), Ip4(tos=tos), marked, Shim(0), roce(),
            cfg=DSCP),
        row("dscp-outer", Ethernet(), Ip6(tc=tos), Ip4(), Udp(), roce(), cfg=DSCP),
        row("dscp-not", Ethernet(), Ip4(tos=22 << 2), Udp(), roce(), cfg=DSCP),
        *(row(f"dscp-not-{bit}", Ethernet(), Ip6(tc=tos ^ 4 << bit), Udp(), roce(6),
              cfg=DSCP) for bit in range(6)),
        row("dscp-vxlan", Ethernet(), Ip4(tos=tos), Udp(port=4789), Shim(0),
            Bytes("0800000000000000" + ETHER4.hex()), cfg=DSCP),
        row("dscp-npt-1", Ethernet(), Ip4(tos=tos), marked, Shim(1).refused("format"),
            roce(), cfg=DSCP),
        row("dscp-cut", Ethernet(), Ip4(tos=tos), marked, Shim(0).cut(3), roce(), cfg=DSCP),
        row("dscp-ends", Ethernet(), Ip4(tos=tos), marked, Shim(0).ends(3), roce(),
            cfg=DSCP),
        row("dscp-plain-cnp", Ethernet(), Ip4(tos=tos), marked,
            Bytes(BEHIND_UDP[4]).refused("unsupported"), cfg=DSCP, stopped="intmd"),
        row("port-before-dscp", Ethernet(), Ip4(tos=tos), Udp(), Shim(), roce(),
            cfg=f"{PORT} {DSCP}"),
    ]
    yield "P4.org INT v2.1: INT-MD by a probe marker", [
        row("marker4", Ethernet(), Ip4(), marked, Marker(), Shim(0), roce(), cfg=MARKER),
        row("marker6", Ethernet(), Ip6(), marked, Marker(), Shim(0), roce(6), cfg=MARKER),
        row("marker-not", Ethernet(), Ip4(), Udp(), roce(), cfg=MARKER),
        row("marker-npt-2", Ethernet(), Ip4(), marked, Marker(), Shim(2).refused("format"),
            Udp(), roce(), cfg=MARKER),
        row("marker-cut-behind", Ethernet(), Ip4(), marked, Marker(), Shim(0).cut(0), roce(),
            cfg=MARKER),
        row("marker-cut", Ethernet(), Ip4(), marked, Marker(), Shim(0).cut(3), roce(),
            cfg=MARKER),
        row("marker-cut-itself", Ethernet(), Ip4(), Udp(port=53), Bytes(PROBE), Shim(0),
            Bytes("00" * 4), lost=29, cfg=MARKER, stopped="udp", intmd=0),
        row("marker-ends", Ethernet(), Ip4(), marked, Marker(), Shim(0).ends(3), roce(),
            cfg=MARKER),
        row("dscp-before-marker", Ethernet(), Ip4(tos=tos), marked, Shim(0), roce(),
            cfg=f"{DSCP} {MARKER}"),
    ]
    options, data = bytes.fromhex("0101080a0000000100000002"), Bytes("47455420")
    yield "P4.org INT v2.1: INT-MD in TCP, before its options and behind them", [
        row("tcp-dscp", Ethernet(), Ip4(tos=tos), Tcp(marked=True), Shim(0), data, cfg=DSCP),
        row("tcp-marker", Ethernet(), Ip6(), Tcp(marked=True), Marker(), Shim(0), data,
            cfg=MARKER),
        row("tcp-options", Ethernet(), Ip4(tos=tos), Tcp(options, marked=True), Shim(0),
            data, cfg=DSCP),
        row("tcp-before", Ethernet(), Ip4(tos=tos), Tcp(dataofs=8, marked=True), Shim(0),
            Bytes(options), data, cfg=f"{DSCP} intmd.before_options=1"),
        row("tcp-before-marker", Ethernet(), Ip4(), Tcp(dataofs=8, marked=True), Marker(),
            Shim(0), Bytes(options), data, cfg=f"{MARKER} intmd.before_options=1"),
        row("tcp-not", Ethernet(), Ip4(), Tcp(options), data, cfg=f"{DSCP} {MARKER}"),
        row("tcp-off", Ethernet(), Ip4(tos=tos), Tcp(), data, cfg=PORT),
        row("tcp-off-cut", Ethernet(), Ip4(tos=tos), Tcp(), cfg=PORT, lost=19),
        row("tcp-offset-4-cut", Ethernet(), Ip4(tos=tos),
            Tcp(dataofs=4, marked=True).cut(19), Shim(0), data, cfg=DSCP),
        row("tcp-npt-1", Ethernet(), Ip4(tos=tos), Tcp(marked=True),
            Shim(1).refused("format"), data, cfg=DSCP),
        row("tcp-offset-4", Ethernet(), Ip4(tos=tos),
            Tcp(dataofs=4, marked=True).refused("format"), Shim(0), data, cfg=DSCP),
        row("tcp-cut", Ethernet(), Ip4(tos=tos), Tcp(marked=True).cut(19), Shim(0), data,
            cfg=DSCP),
        row("tcp-cut-options", Ethernet(), Ip4(tos=tos), Tcp(options, marked=True).cut(31),
            Shim(0), data, cfg=DSCP),
        row("tcp-ends-options", Ethernet(), Ip6(tc=tos),
            Tcp(options, marked=True).ends(31), Shim(0), data, cfg=DSCP),
        row("tcp-cut-shim", Ethernet(), Ip4(tos=tos), Tcp(marked=True), Shim(0).cut(23),
            data, cfg=DSCP),
        row("tcp-ends-shim", Ethernet(), Ip4(tos=tos), Tcp(marked=True), Shim(0).ends(23),
            data, cfg=DSCP),
    ]


def ifa_rows():
    v4 = [Ethernet(), Ip4()]
    yield "draft-kumar-ippm-ifa: IFA before UDP and TCP", [
        row("ifa4", v4, IfaHeader(), Udp(), ifa(), roce(), cfg=IFA),
        row("ifa6", Ethernet(), Vlan(), Ip6(), IfaHeader(), Udp(), ifa(), roce(6), cfg=IFA),
        row("ifa-ext", Ethernet(), Ip6(), Ext(0), IfaHeader(), Udp(), ifa(16), roce(6),
            cfg=IFA),
        row("ifa-tunnel", Ethernet(), Ip6(), Ip4(), IfaHeader(), Udp(), ifa(), roce(),
            cfg=IFA),
        row("ifa-0", v4, IfaHeader(), Udp(), ifa(0), roce(), cfg=IFA),
        row("ifa-c", v4, IfaHeader(flags=5), Udp(), ifa(8, 1), roce(), cfg=IFA),
        row("ifa-mf", v4, IfaHeader(flags=0x14), Udp(), ifa(8, 1), roce(), cfg=IFA),
        row("ifa-c-mf", v4, IfaHeader(flags=0xf7), Udp(), ifa(8, 2), roce(), cfg=IFA),
        row("ifa-other-port", v4, IfaHeader(), Udp(port=53), ifa(), Bytes("00" * 12),
            cfg=IFA),
        row("ifa-vxlan", v4, IfaHeader(), Udp(port=4789), ifa(),
            Bytes("0800000000000000" + ETHER4.hex()), cfg=IFA),
        row("ifa-tcp", v4, IfaHeader(), Tcp(), Bytes("00" * 36), cfg=f"{IFA} {DSCP}"),
        row("ifa-tcp-cut", v4, IfaHeader(), Tcp(), cfg=f"{IFA} {DSCP}", lost=19),
        row("ifa-gre", v4, IfaHeader().last("no_match"), gre("", Inner(IP4_CNP, 0x0800)),
            cfg=IFA),
        row("ifa-ethernet", v4, IfaHeader().last("no_match"),
            Plain("ethernet", proto=143), Inner(ETHER4), cfg=IFA),
        row("ifa-dscp", Ethernet(), Ip4(tos=23 << 2), IfaHeader(), Udp(), ifa(), roce(),
            cfg=f"{IFA} {DSCP}"),
        row("ifa-int", v4, IfaHeader(), Udp(port=5000), ifa(),
            Shim().refused("unsupported"), roce(), cfg=f"{IFA} {PORT}"),
        row("ifa-off", v4, Bytes("2f1104ff" + "00" * 12, proto=253)),
        row("ifa-version", v4, IfaHeader(version=3).refused("unsupported"), Udp(), ifa(),
            roce(), cfg=IFA),
        # TS: behind IFA as without it, up to UDP Length; the tail is IP's alone.
        row("ifa-tail", v4, IfaHeader(flags=0x0c), Udp(length=8 + 32), roce(),
            Bytes("11" * 32 + "ff00fe08"), cfg=IFA),
        row("ifa-tail-empty", v4, IfaHeader(flags=0x0c), Udp(length=8 + 32), roce(),
            Bytes("ff00fe00"), cfg=IFA),
        row("ifa-cut", v4, IfaHeader().cut(3), Udp(), ifa(), roce(), cfg=IFA),
        row("ifa-cut-behind", v4, IfaHeader(), Udp().cut(0), ifa(), roce(), cfg=IFA),
        row("ifa-cut-records", v4, IfaHeader(), Udp(), IfaMetadata(), Stack(8).cut(0),
            roce(), cfg=IFA),
        row("ifa-cut-udp", v4, IfaHeader(), Udp().cut(7), ifa(), roce(), cfg=IFA),
        row("ifa-cut-metadata", v4, IfaHeader(), Udp(), IfaMetadata().cut(3), Stack(8),
            roce(), cfg=IFA),
        row("ifa-cut-stack", v4, IfaHeader(), Udp(), IfaMetadata(), Stack(8).cut(31),
            roce(), cfg=IFA),
        row("ifa-ends", v4, IfaHeader().ends(3), Udp(), ifa(), roce(), cfg=IFA),
        row("ifa-ends-metadata", v4, IfaHeader(), Udp(), IfaMetadata().ends(3, Ip),
            Stack(8), roce(), cfg=IFA),
        row("ifa-stack-long", v4, IfaHeader(), Udp(),
            IfaMetadata(current=9).last("format"), Stack(8), roce(), cfg=IFA),
        row("ifa-udp-long", v4, IfaHeader(), Udp(length=41), IfaMetadata().last("format"),
            Stack(8), roce(), cfg=IFA),
        row("ifa-udp-7", v4, IfaHeader(), Udp(length=7).refused("format"), ifa(), roce(),
            cfg=IFA),
    ]


def ip_rows():
    def v6(*parts):
        return [Ethernet(), Ip6(), *parts]
    udp = [Udp(), roce(6)]
    all8 = [Ext(0), Ext(60), Ext(43, 24), Ext(44), Ext(51, 24), Ext(135), Ext(139), Ext(60)]
    ip4 = [Ip4(), Udp(), roce()]
    yield "RFC 8200, 4; RFC 4302, 2.2; RFC 6275, 6.1; RFC 7401, 5.1; RFC 5533, 5.1: the " \
        "extension headers", [
            row("ext-0", v6(Ext(0), udp)),
            row("ext-43", v6(Ext(43, 40), udp)),
            row("ext-44", v6(Ext(44), udp)),
            row("ext-44-reserved", v6(Ext(44, res1=255, res2=3), udp)),
            row("ext-51", v6(Ext(51, 12), udp)),
            row("ext-51-24", v6(Ext(51, 24), udp)),
            row("ext-60", v6(Ext(60, 24), udp)),
            row("ext-135", v6(Ext(135, 16), udp)),
            row("ext-139", v6(Ext(139, 40), udp)),
            row("ext-140", v6(Ext(140), udp)),
            row("ext-60-twice", v6(Ext(60), Ext(43, 24), Ext(60, 16), udp)),
            row("ext-60-thrice", v6(Ext(60), Ext(60), Ext(60), udp)),
            row("ext-0-twice", v6(Ext(0), Ext(0, 16), Ext(43, 24), Ext(43, 24), Ext(44),
                                  Ext(44), udp)),
            row("ext-8", v6(all8, udp)),
            row("ext-9", v6(all8, Ext(140).refused("unsupported"), udp)),
            row("ext-9-cut", v6(all8, Ext(140).cut(7), udp)),
            row("ext-9-ends", v6(all8, Ext(140).ends(7), udp)),
            row("ext-8-none", v6(all8, Bytes("", proto=59))),
            row("ext-2048", v6(Ext(139, 2048), udp)),
            row("fragment-first", v6(Ext(44, m=1).last("unsupported"), udp)),
            row("fragment-other", v6(Ext(0), Ext(44, offset=3, says=17).last("unsupported"),
                                     Bytes("5a" * 16))),
            row("esp6", v6(Ext(0).last("unsupported"), Bytes("00" * 24, proto=50))),
            row("esp6-alone", Ethernet(), Ip6().last("unsupported"),
                Bytes("00" * 24, proto=50)),
            row("icmp6", v6(Bytes("80000000000100010000", proto=58))),
            row("jumbo", Ethernet(), Ip6(total=40).last("unsupported"), Ext(0), udp,
                stopped="ipv6"),
            row("ext-cut-1", v6(Ext(60).cut(1), udp)),
            row("ext-cut-0", v6(Ext(0).cut(0), udp)),
            row("ext-cut-43", v6(Ext(43, 40).cut(39), udp)),
            row("ext-cut-51", v6(Ext(51, 24).cut(23), udp)),
            row("ext-ends-1", v6(Ext(60).ends(1), udp)),
            row("ext-ends-44", v6(Ext(44).ends(7), udp)),
            row("ext-ends-51", v6(Ext(51, 24).ends(23), udp)),
            row("ip6-cut", Ethernet(), Ip6().cut(39), udp),
            row("ip6-version", Ethernet(says=0x86dd), Ip4().refused("format"), Udp(),
                roce(), Bytes("00" * 8), stopped="ipv6"),
        ]
    yield "RFC 791, 3.1: IPv4", [
        row("options", Ethernet(), Ip4(options=b"\x94\x04\0\0"), Udp(), roce()),
        row("options-40", Ethernet(), Ip4(options=b"\1" * 40), Udp(), roce()),
        row("df-id", Ethernet(), Ip4(flags=6, id=0xffff), Udp(), roce()),
        row("fragment4-first", Ethernet(), Ip4(flags=1).last("unsupported"), Udp(), roce(),
            **{"ip.fragment": 1}),
        row("fragment4-other", Ethernet(), Ip4(flags=0, frag=1, says=17).last("unsupported"),
            Bytes("5a" * 24), **{"ip.fragment": 2}),
        row("esp4", Ethernet(), Ip4().last("unsupported"), Bytes("00" * 24, proto=50)),
        row("ah4", Ethernet(), Ip4().last("unsupported"), Ext(51, 12), Udp(), roce()),
        row("igmp", Ethernet(), Ip4(), Bytes("1600000000000000", proto=2)),
        row("tcp", Ethernet(), Ip4(), Tcp()),
        row("ip4-version", Ethernet(says=0x0800), Ip6().refused("format"), Udp(), roce(6),
            stopped="ipv4"),
        row("ihl-4", Ethernet(), Ip4(ihl=4).refused("format"), Udp(), roce()),
        row("total-19", Ethernet(), Ip4(total=19).refused("format"), Udp(), roce()),
        row("total-options", Ethernet(), Ip4(total=23, options=b"\1" * 4).refused("format"),
            Udp(), roce()),
        row("ip4-cut", Ethernet(), Ip4().cut(19), Udp(), roce()),
        row("ip4-cut-options", Ethernet(), Ip4(options=b"\1" * 4).cut(23), Udp(), roce()),
        row("total-20", Ethernet(), Ip4(), Udp().ends(0), roce()),
        row("protocol-0", Ethernet(), Ip4(), Bytes("00" * 8, proto=0)),
        row("port-0", Ethernet(), Ip4(), Udp(port=0), Bytes("00" * 8)),
        row("udp-cut-0", Ethernet(), Ip4(), Udp().cut(0), roce()),
        row("udp-cut", Ethernet(), Ip4(), Udp().cut(7), roce()),
        row("udp-ends", Ethernet(), Ip4(), Udp().ends(7), roce()),
        row("udp-7", Ethernet(), Ip4(), Udp(length=7).refused("format"), roce()),
        row("udp-23", Ethernet(), Ip4(), Udp(length=23), Bth().refused("format"),
            Bytes("00" * 20)),
        row("bth-cut", Ethernet(), Ip4(), Udp(), Bth().cut(11), Bytes("00" * 20)),
        row("bth-cut-0", Ethernet(), Ip6(), Udp(), Bth(6).cut(0), Bytes("00" * 20)),
        row("bth-12", Ethernet(), Ip4(), Udp(), roce(), lost=20),
        row("port-4792", Ethernet(), Ip4(), Udp(port=4792), roce(), cfg="rocev2_port=4792"),
        row("port-4791-off", Ethernet(), Ip4(), Udp(port=4791),
            Bytes(BEHIND_UDP[4]), cfg="rocev2_port=4792"),
        row("link-ip4", Ip4(), Udp(), roce(), cfg="link=ip"),
        row("link-ip6", Ip6(), Ext(0), Udp(), roce(6), cfg="link=ip"),
        row("link-ip-empty", Ip4().cut(0), cfg="link=ip", begins=Hex(0x0800)),
        row("link-ip6-cut", Ip6().cut(1), cfg="link=ip", begins=Hex(0x86dd)),
        row("link-ip-5-cut", Bytes("55" + IP4_CNP[1:].hex()).cut(19), cfg="link=ip",
            begins=Hex(0x0800), stopped="ipv4"),
        row("link-ip-5", Bytes("55" + IP4_CNP[1:].hex()).refused("format"), cfg="link=ip",
            begins=Hex(0x0800), stopped="ipv4"),
    ]
    yield "RFC 2003, RFC 2473 and RFC 4213: one packet in another, and no third", [
        row("ip4-in-4", Ethernet(), Ip4(), ip4),
        row("ip4-in-6", v6(ip4)),
        row("ip6-in-4", Ethernet(), Ip4(), Ip6(), udp),
        row("ip6-in-6", v6(Ip6(), udp)),
        row("ip-in-ip-ext", v6(Ext(43, 40), Ip6(), Ext(0), Ext(60), udp)),
        row("ip-in-ip-mpls", Ethernet(), Mpls(2), Ip6(), ip4),
        row("ip-in-ip-shorter", Ethernet(), Ip6(), Ip4(), Udp(), Vxlan(), Inner(ETHER4)),
        row("third-4", Ethernet(), Ip4(), Ip4().last("unsupported"), ip4),
        row("third-6", v6(Ip6().last("unsupported"), Ip6(), udp)),
        row("third-4-in-6", v6(Ip6().last("unsupported"), ip4)),
        row("third-6-in-4", v6(Ip4().last("unsupported"), Ip6(), udp)),
        row("second-longer", v6(Ip4(total=61).last("format"), Udp(), roce())),
        row("second-longer-6", Ethernet(), Ip4(), Ip6(total=81).last("format"), udp,
            stopped="ipv6"),
        row("second-version", Ethernet(), Ip6(says=41), Ip4().refused("format"), Udp(), roce(),
            stopped="ipv6"),
        row("second-cut", v6(Ip4().cut(19), Udp(), roce())),
        row("second-ends", v6(Ip4().ends(19), Udp(), roce())),
    ]


def grh_rows():
    yield "IBTA vol. 1, 8.3, and annex A16: RoCEv1", [
        row("v1", Ethernet(), Grh(), roce()),
        row("v1-tags", Ethernet(), Vlan(0x88a8), Vlan(), Grh(), roce()),
        row("v1-snap", Ethernet(), Llc(), Grh(), roce()),
        row("v1-padding", Ethernet(), Grh(), roce(), trailer=bytes(4)),
        row("v1-nxt-hdr", Ethernet(), Grh(nxt_hdr=0x11).last("no_match"), roce()),
        row("v1-version", Ethernet(), Grh(version=4).refused("format"), roce()),
        row("v1-15", Ethernet(), Grh(length=15), Bth().refused("format"),
            Bytes("00" * 20)),
        row("v1-16", Ethernet(), Grh(length=16), roce()),
        row("v1-cut", Ethernet(), Grh().cut(39), roce()),
        row("v1-cut-behind", Ethernet(), Grh(), Bth().cut(0), Bytes("00" * 20)),
        row("v1-cut-bth", Ethernet(), Grh(), Bth().cut(11), Bytes("00" * 20)),
    ]


def blocks():
    """(source, rows)."""
    yield from ethernet_rows()
    yield from mpls_rows()
    yield from ip_rows()
    yield from udp_overlay_rows()
    yield from gre_rows()
    yield from grh_rows()
    yield from trimmed_rows()
    yield from int_rows()
    yield from ifa_rows()


# ---- The file ---------------------------------------------------------------------------

HEAD = """\
# SPDX-License-Identifier: BSD-2-Clause
# Frames of every overlay and shim, and what a walk finds in them; the grammar is in
# README. A member that is not named is 0. Written by packet_rows.py, which puts a frame
# together header by header and adds up the sizes. Inside is always the same CNP, whose
# ICRC is right where nothing has been put into its packet."""
ORDER = ("kind", "stopped", "tunnel", "next", "n_vlan", "vlan[0]", "vlan[1]", "vlan[2]", "csig_bytes", "link", "csig", "cntag",
         "outer.", "ip.", "ifa", "udp", "intmd", "overlay", "inner",
         "inner_type", "cut", "grh", "bth", "end")


def place(key):
    return ORDER.index(key.split(".")[0] + "." if "." in key else key)


def text_of(row_id, status, frame, cfg, members):
    shown = [f"{k}={v}" for k, v in sorted(members.items(), key=lambda m: place(m[0]))
             if v not in (0, "other", "ether", "none")]
    words = [frame[i:i + 4].hex() for i in range(0, len(frame), 4)] or ["-"]
    body = " ".join(words + ["|"] + cfg.split() + ["->"] + shown)
    return f"{row_id} call packet_parse {status}\n" + textwrap.fill(
        body, 88, initial_indent="    ", subsequent_indent="    ",
        break_long_words=False, break_on_hyphens=False)


def whole():
    text, ids, sources = [HEAD], set(), set()
    for source, rows in blocks():
        assert source not in sources, source
        sources.add(source)
        text.append(f"\nsource: {source}")
        for r in rows:
            assert r[0] not in ids, r[0]
            ids.add(r[0])
            text.append(text_of(*r))
    return "\n".join(text) + "\n"


def main():
    text = whole()
    if "--check" not in sys.argv[1:]:
        PATH.write_text(text, "ascii")
        return
    if PATH.read_text("ascii") != text:
        sys.exit("packet.vec is not what packet_rows.py writes")
    print(f"vectors: packet: {text.count(' call ')} rows, as packet_rows.py writes them")


if __name__ == "__main__":
    main()
