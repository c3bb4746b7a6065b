# SPDX-License-Identifier: BSD-2-Clause
"""
Composes the rows of packet.vec: frames built header by header, and the place of each header.

A frame is a list of parts, outermost first. A part has its bytes, which scapy makes if it
has the header, and the results of a walk. seen() sets the results once the walk begins to
read the part, and took() once it has accepted the part. The offsets are the sums of the sizes
of earlier parts. No code here reads a frame.

packet_rows.py          writes packet.vec next to this file, always the same
packet_rows.py --check  compares packet.vec instead
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
QINQ = "tag.vlan_tpid=0x9100"
ETAG, VNTAG = "tag.etag_type=0x893f", "tag.vntag_type=0x8926"
ARISTA = "tag.arista_type=0xd28b"
AH_ON = "ah=1"
OWN = "overlay.own_ports=1"


class Hex(int):
    """A number in hexadecimal."""

    def __str__(self):
        return f"{int(self):#06x}"


# ---- The whole inner CNP --------------------------------------------------------------

MAC = {"dst": "02:00:00:00:00:02", "src": "02:00:00:00:00:01"}
INNER4 = {"src": "192.0.2.1", "dst": "192.0.2.2", "tos": 192, "id": 0, "flags": 2}
INNER6 = {"src": "2001:db8::1", "dst": "2001:db8::2", "tc": 192, "hlim": 64}
ROCE_UDP = {"sport": SPORT, "dport": ROCEV2, "len": 40, "chksum": 0}


def crc(covered):
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + covered))


def cnp_of(ip):
    """Builds a CNP over `ip`, a header of scapy, with its ICRC (IBTA A17.3.3)."""
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
    """The results so far (m), the start of the part (at), and the bytes after it (behind)."""

    def __init__(self, begins):
        self.m = {"next": begins}
        self.at = self.behind = self.udp_end = self.start = 0
        self.declared = self.following = None
        self.around = None  # end of the overlay, for the first inner length

    def ip(self, **members):
        self.m.update({f"ip.{k}": v for k, v in members.items()})

    def overlay(self, tunnel, at=None):
        self.m.update(stopped="overlay", kind="overlay", tunnel=tunnel,
                      overlay=self.at if at is None else at)

    def partial(self, why):
        """Marks the packet as partial, so no length declares its end."""
        self.m.setdefault("partial", why)
        self.declared = None

    def finish(self):
        """Gives a partial packet its own kind, and an end not beyond IP."""
        if "partial" not in self.m:
            return
        kind = self.m.get("kind")
        self.m["kind"] = f"partial_{kind}" if kind else "partial"
        ends = [self.m[k] for k in ("outer.end", "ip.end") if k in self.m]
        if ends and ("inner" in self.m or "end" in self.m):
            self.m["end"] = min(ends + [self.m.get("end") or ends[0]])


class Part:
    """
    `announced` has the part's number in the previous header, as "type" (EtherType), "proto"
    (IP), "port" (UDP), "ppp" or "gpe" (VXLAN-GPE). `says` overrides the number of the next
    part.
    """
    announced = {}
    upper = False    # follows IP headers, but is not IP or an extension header
    size = 0
    reach = None     # bytes from its start to the end that its length declares
    verdict = None   # (status, accepted) of a walk that ends here
    broken = None    # ("cut" or "ends", bytes left, class of the declaring part)
    says = None

    def refused(self, status):
        """Makes the walk reject the part."""
        self.verdict = status, False
        return self

    def last(self, status):
        """Makes the walk accept the part and stop."""
        self.verdict = status, True
        return self

    def cut(self, left):
        """Makes the capture end inside the part."""
        self.broken, self.verdict = ("cut", left, None), ("short", False)
        return self

    def ends(self, left, by=None, status="format"):
        """
        Makes an earlier length end the packet inside the part. `by` is the class with this
        length. In a partial packet the status is short.
        """
        self.broken, self.verdict = ("ends", left, by), (status, False)
        return self

    def lacks(self, left):
        """Does the same in a partial packet."""
        return self.ends(left, status="short")

    def number(self, kind, following):
        """Returns the number of this kind for the next part."""
        if self.says is not None:
            return self.says
        return following.announced.get(kind, 0) if following else 0

    def type_of(self, behind, following):
        """Returns the type after MACs or a tag, or the length of the rest if LLC follows."""
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
        w.m[f"vlan[{n}]"] = w.at - w.start
        w.m["n_vlan"] = n + 1
        w.m["next"] = Hex(self.type_of(w.behind, w.following))


class Csig(Part):
    """A tag of 4 or 8 bytes after its TPID, and the next type."""

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
    """LLC with SNAP, or another LLC."""

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
                           self.type_of(len(body), following))

    def seen(self, w):
        w.m["stopped"] = "cmd"

    def took(self, w):
        w.m["next"] = Hex(self.type_of(w.behind, w.following))


class Shimlike(Part):
    """A tag that may occur once, after its EtherType, and the next type."""
    layer = default = None

    def __init__(self, type_=None):
        self.announced = {"type": type_ or self.default}

    def fields(self):
        raise NotImplementedError

    def head(self, body, following):
        return self.fields() + struct.pack(">H", self.type_of(len(body), following))

    def seen(self, w):
        w.m["stopped"] = self.layer

    def took(self, w):
        w.m["next"] = Hex(self.type_of(w.behind, w.following))


class Etag(Shimlike):
    """E-PCP 3, E-DEI, Ingress_E-CID_base 12; R 2, GRP 2, E-CID_base 12; two E-CID_ext."""
    layer, default, size = "etag", 0x893f, 8

    def fields(self):
        return struct.pack(">HHBB", 5 << 13 | 0x123, 2 << 12 | 0x456, 0, 1)


class Vntag(Shimlike):
    """D, P, destination 14; L, R, version 2, source 12."""
    layer, default, size = "vntag", 0x8926, 6

    def fields(self):
        return struct.pack(">HH", 1 << 15 | 0x1234, 1 << 15 | 0x567)


class Arista(Shimlike):
    """Subtype, version, seconds in 4 or 2 bytes, and nanoseconds."""
    layer, default = "arista", 0xd28b

    def __init__(self, version=0x10, subtype=1, type_=None):
        super().__init__(type_)
        self.version, self.subtype = version, subtype
        self.size = 12 if version & 0xff == 0x20 else 14

    def fields(self):
        seconds = struct.pack(">H" if self.size == 12 else ">I", 0x6a01)
        return struct.pack(">HH", self.subtype, self.version) + seconds + \
            struct.pack(">I", 999_999_999)


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
        w.declared, w.around = w.at + 6 + self.length(w.behind), None
        w.m["next"] = Hex(self.number("ppp", w.following))


class Mpls(Part):
    """n labels. The last one has S, unless `bottom` is False."""

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
    """IPv4 or IPv6 with scapy's fields."""

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
        if w.around is not None and w.declared > w.around:
            w.partial("mirrored")  # longer than the overlay around it
        w.around = None
        if self.fragment():
            w.ip(fragment=self.fragment())
            if not self.verdict or self.verdict[0] != "format":
                w.partial("fragment")

    def fragment(self):
        """Returns 0 for a whole packet, 1 for a first fragment, 2 for a later one."""
        return 2 if self.fields.get("frag") else self.fields.get("flags", 0) & 1


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
            if w.m["ip.fragment"]:
                w.partial("fragment")
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
            w.partial("trimmed")
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
        if w.m.get("kind") != "rocev1":
            w.m["kind"] = "rocev2"

    def took(self, w):
        w.m["bth"] = w.at


class Bytes(Part):
    """Bytes that no walk reads, or with an unknown number."""

    def __init__(self, data, **announced):
        self.data = bytes.fromhex(data) if isinstance(data, str) else data
        self.size, self.announced = len(self.data), announced
        self.upper = "proto" in announced

    def head(self, body, following):
        return self.data


def roce(version=4, size=32):
    """Returns the parts after a CNP's UDP header, or their first bytes."""
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
            if w.around is not None and w.declared > w.around:
                w.partial("mirrored")


# ---- Overlays


class Inner(Part):
    """An inner packet. The walk ends at its start."""

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
    """An overlay without a header. Its number announces the inner packet."""

    def __init__(self, tunnel, **announced):
        self.tunnel, self.announced = tunnel, announced
        self.upper = "proto" in announced

    def head(self, body, following):
        return b""

    def seen(self, w):
        w.overlay(self.tunnel)


class Vxlan(Part):
    size = 8

    def __init__(self, flags=0x08, reserved=0, port=4789):
        self.flags, self.reserved, self.announced = flags, reserved, {"port": port}

    def head(self, body, following):
        return bytes([self.flags]) + bytes(
            VXLAN(flags=8, reserved1=self.reserved, vni=0x123456, reserved2=0))[1:]

    def seen(self, w):
        w.overlay("vxlan")


class Gpe(Part):
    size = 8

    def __init__(self, flags=0x0c, says=None, port=4790):
        self.flags, self.says, self.announced = flags, says, {"port": port}

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
    def __init__(self, words=0, says=None, port=6081, **fields):
        self.words, self.says, self.fields = words, says, fields
        self.size, self.announced = 8, {"port": port}

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
    """Options in these words, 32 each at most (RFC 8926, 3.5). `then` is the next part."""

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
    """The first 4 bytes. GreWords has the rest."""
    size, announced = 4, {"proto": 47, "port": 4754}

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
    """Checksum, key and sequence number, one word for each flag."""

    def __init__(self, flags, then):
        self.size, self.then, self.data = 4 * len(flags), then, b""

    def head(self, body, following):
        return bytes(self.size)  # Gre.head() makes them

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
    """The 12 bytes before the part Platform."""
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
    """4 bytes. Optional headers of 4 bytes each and words of stack follow them."""
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
    """Records, with all bytes 0x11."""

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
    """INT's shim and the words after it, on port 5000 unless NPT is 0."""

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
    """Sets the nearest free length around parts[stop], to end the packet inside this part."""
    _, left, by = parts[stop].broken
    for part, begins in reversed(list(zip(parts[:stop], at))):
        if isinstance(part, by or (Ip, Udp, Pppoe, Grh)) and part.reach is None:
            part.reach = at[stop] + left - begins
            return
    raise ValueError("no length is around it")


def bytes_of(parts):
    """Builds the last part first, because a header may count or sum the bytes after it."""
    data = b""
    for i, part in reversed(list(enumerate(parts))):
        following = behind(parts, i)
        head = part.head(data, following)
        assert len(head) == part.size, part
        if isinstance(part, Gre) and isinstance(following, GreWords):
            data = following.data + data[following.size:]
        data = head + data
    return data


def found(parts, at, stop, begins, outer=None):
    """Returns a walk's results. `outer` has the outer packet's results, if any."""
    w = Walk(begins)
    if outer:
        w.start = at[0]
        why = outer.get("partial") or ("mirrored" if outer.get("cut") else None)
        if why:
            w.partial(why)
        else:
            w.declared = w.around = outer["end"] or None
    for i, part in enumerate(parts):
        w.at, w.behind, w.following = at[i], at[-1] - at[i + 1], behind(parts, i)
        part.seen(w)
        if i != stop or part.verdict[1]:
            part.took(w)
        if i == stop:
            break
    w.finish()
    return w.m


def row(row_id, *parts, cfg="", trailer=b"", lost=0, begins=Hex(0x6558), **more):
    """
    Builds a row from parts. `trailer` has bytes beyond all lengths. The capture lacks the last
    `lost` bytes. The walk begins with type `begins`. `more` overrides members.
    """
    return a_row(row_id, parts, cfg, trailer, lost, begins, more)


def a_row(row_id, parts, cfg, trailer, lost, begins, more):
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


def inside(row_id, around, *parts, left=None, begins=0x6558, cut=False, cfg="", lost=0,
           **more):
    """
    Builds the row of an inner packet. The overlay has the parts `around`, and only the inner
    packet's first `left` bytes.
    """
    parts = copy.deepcopy(list(flat(parts)))
    packet = bytes_of(parts)[:left]
    _, _, frame, _, outer = a_row(row_id, [around, Inner(packet, begins, cut)], cfg, b"",
                                  lost, Hex(0x6558), {})
    at = [outer["inner"] + sum(p.size for p in parts[:i]) for i in range(len(parts) + 1)]
    stop = next((i for i, p in enumerate(parts) if p.verdict), None)
    members = {**found(parts, at, stop, Hex(begins), outer), **more}
    status = "ok" if "bth" in members else "no_match"
    if stop is not None:
        status = parts[stop].verdict[0]
    return row_id, status, frame, cfg, members, "packet_inner"


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
        row("arista-off", Ethernet().last("no_match"), Arista(), e4),
        row("etag-off", Ethernet().last("no_match"), Etag(), e4),
        row("vntag-off", Ethernet().last("no_match"), Vntag(), e4),
        row("type-1501", Ethernet(says=1501).last("no_match"), Llc(), e4),
        row("tag-arp", Ethernet(), Vlan(), Bytes("0001080006040001" + "00" * 20,
                                                 type=0x0806)),
    ]
    yield "TPID 0x9100, which is nobody's: a tag where it is configured", [
        row("old-qinq", Ethernet(), Vlan(0x9100), Vlan(), e4, cfg=QINQ),
        row("old-qinq-alone", Ethernet(), Vlan(0x9100), e6, cfg=QINQ),
        row("old-qinq-off", Ethernet().last("no_match"), Vlan(0x9100), Vlan(), e4),
        row("old-qinq-4", Ethernet(), Vlan(0x9100), Vlan(0x9100), Vlan(0x9100),
            Vlan(0x9100).refused("unsupported"), e4, cfg=QINQ),
        row("old-qinq-cut", Ethernet(), Vlan(0x9100).cut(2), e4, cfg=QINQ),
        row("old-qinq-others", Ethernet(), Vlan(0x9200), Vlan(0x88a8), Vlan(), e4,
            cfg="tag.vlan_tpid=0x9200"),
    ]
    yield from tag_rows(e4, e6)
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
            Ip4(frag=9, flags=0).last("format"), Udp(), roce()),
        row("pppoe-ip-longer", Ethernet(), Pppoe(length=2 + 59), Ip4().last("format"),
            Udp(), roce()),
    ]


def tag_rows(e4, e6):
    def once(name, cfg, tag, version=""):
        """Returns the rows that all of these tags have."""
        name += version
        return [
            row(name, Ethernet(), tag(), e4, cfg=cfg),
            row(f"{name}-6", Ethernet(), tag(), e6, cfg=cfg),
            row(f"{name}-tag", Ethernet(), tag(), Vlan(), e4, cfg=cfg),
            row(f"{name}-behind-tag", Ethernet(), Vlan(0x88a8), Vlan(), tag(), e6, cfg=cfg),
            row(f"{name}-tags-3", Ethernet(), tag(), Vlan(), Vlan(), Vlan(), e4, cfg=cfg),
            row(f"{name}-snap", Ethernet(), Llc(), tag(), e4, cfg=cfg),
            row(f"{name}-snap-behind", Ethernet(), tag(), Llc(), e4, cfg=cfg),
            row(f"{name}-mpls", Ethernet(), tag(), Mpls(2), e6, cfg=cfg),
            row(f"{name}-pppoe", Ethernet(), tag(), Pppoe(), e4, cfg=cfg),
            row(f"{name}-v1", Ethernet(), tag(), Grh(), roce(), cfg=cfg),
            row(f"{name}-vxlan", Ethernet(), tag(), Ip4(), Udp(), Vxlan(), Inner(ETHER4),
                cfg=cfg),
            row(f"{name}-arp", Ethernet(), tag(),
                Bytes("0001080006040001" + "00" * 20, type=0x0806), cfg=cfg),
            row(f"{name}-twice", Ethernet(), tag(), tag().refused("unsupported"), e4,
                cfg=cfg),
            row(f"{name}-twice-apart", Ethernet(), tag(), Vlan(),
                tag().refused("unsupported"), e4, cfg=cfg),
            *(row(f"{name}-cut-{n}", Ethernet(), tag().cut(n), e4, cfg=cfg)
              for n in (0, tag().size - 3, tag().size - 1)),
            row(f"{name}-cut-behind", Ethernet(), tag(), Ip4().cut(0), Udp(), roce(),
                cfg=cfg),
        ]
    yield "IEEE 802.1BR, 11.2: E-TAG, type 0x893f, where it is configured", [
        *once("etag", ETAG, Etag),
        row("etag-type", Ethernet(), Etag(0x9876), e4, cfg="tag.etag_type=0x9876"),
        row("etag-other", Ethernet().last("no_match"), Etag(), e4,
            cfg="tag.etag_type=0x9876"),
    ]
    yield "Wireshark, packet-vntag.c: VN-Tag, type 0x8926, where it is configured", [
        *once("vntag", VNTAG, Vntag),
        row("vntag-type", Ethernet(), Vntag(0x9876), e6, cfg="tag.vntag_type=0x9876"),
    ]
    yield ("Arista EOS, timestamps in the header, type 0xd28b: subtype 1, version 0x10 has "
           "seconds of 32 bits and 0x20 of 16; 0x110 and 0x120 are of UTC"), [
        *once("arista", ARISTA, Arista, "-64"),
        *once("arista", ARISTA, lambda: Arista(0x20), "-48"),
        row("arista-64-utc", Ethernet(), Arista(0x110), e4, cfg=ARISTA),
        row("arista-48-utc", Ethernet(), Arista(0x120), e6, cfg=ARISTA),
        row("arista-both", Ethernet(), Arista(0x10), Arista(0x120).refused("unsupported"),
            e4, cfg=ARISTA),
        row("arista-type", Ethernet(), Arista(type_=0x9876), e4,
            cfg="tag.arista_type=0x9876"),
        *(row(f"arista-version-{v:x}", Ethernet(), Arista(v).refused("unsupported"), e4,
              cfg=ARISTA) for v in (0, 1, 0x11, 0x21, 0x30, 0x210, 0x220, 0x8010)),
        *(row(f"arista-subtype-{n:x}", Ethernet(),
              Arista(subtype=n).refused("unsupported"), e4, cfg=ARISTA)
          for n in (0, 2, 0x100, 0x101)),
    ]
    every = f"{CSIG} {ETAG} {VNTAG} {ARISTA}"
    yield "IEEE 802.1BR, 6.12; IEEE 802.1Q, 9: stacks of different tags", [
        row("stack-etag-vntag", Ethernet(), Etag(), Vntag(), e4, cfg=every),
        row("stack-arista-etag", Ethernet(), Arista(), Etag(), Vlan(), e6, cfg=every),
        row("stack-etag-qinq", Ethernet(), Etag(), Vlan(0x88a8), Vlan(0x9100), e4,
            cfg=f"{ETAG} {QINQ}"),
        row("stack-csig-etag", Ethernet(), Vlan(), Csig(4), Etag(), e4, cfg=every),
        row("stack-cntag-vntag", Ethernet(), CnTag(), Vntag(), e4, cfg=every),
        row("stack-cntag-etag-tag", Ethernet(), CnTag(), Etag(),
            Vlan().refused("unsupported"), e4, cfg=every),
        row("stack-cmd-etag", Ethernet(), Cmd(), Etag(), Cmd().refused("unsupported"), e4,
            cfg=every),
        row("stack-10", Ethernet(), Llc(), Arista(0x120), Etag(), Vntag(), Cmd(), Vlan(0x88a8),
            Vlan(), Csig(8), Vlan(), CnTag(), e6, cfg=every),
        row("stack-10-mpls", Ethernet(), Etag(), Vntag(), Arista(), Cmd(), Llc(), Vlan(),
            Vlan(), Csig(4), Vlan(), CnTag(), Mpls(8), e4, cfg=every),
        row("stack-10-11", Ethernet(), Etag(), Vntag(), Arista(), Cmd(), Llc(), Vlan(),
            Vlan(), Csig(4), Vlan(), CnTag(), Etag().refused("unsupported"), e4, cfg=every),
        row("stack-10-vlan", Ethernet(), Etag(), Vntag(), Arista(), Cmd(), Llc(), Vlan(),
            Vlan(), Csig(4), Vlan(), Vlan().refused("unsupported"), CnTag(), e4, cfg=every),
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
    data = Bytes("0800000012345600" + ETHER4.hex())
    linux = f"{OWN} overlay.vxlan_port=8472"
    two = f"{linux} overlay.vxlan_port_2=4789"
    many = (f"{OWN} overlay.vxlan_port=1 overlay.vxlan_gpe_port=2 overlay.geneve_port=3 "
            "overlay.mpls_port=65535 overlay.gre_port=4")
    iana = [row(f"own-off-{name}", Ethernet(), Ip4(), Udp(port=port), data, cfg=cfg)
            for name, port, cfg in (
                ("vxlan", 4789, OWN), ("gpe", 4790, OWN), ("geneve", 6081, OWN),
                ("mpls", 6635, OWN), ("gre", 4754, OWN), ("port-0", 0, OWN),
                ("vxlan-8472", 4789, linux), ("gpe-8472", 4790, linux),
                ("port-0-8472", 0, linux), ("geneve-many", 6081, many))]
    yield "RFC 7348, 5: the UDP ports of overlays, where a network has its own", [
        row("own-vxlan4", v4(Vxlan(port=8472), Inner(ETHER4)), cfg=linux),
        row("own-vxlan6", v6(Vxlan(port=8472), Inner(ETHER6)), cfg=linux),
        row("own-vxlan-first", v4(Vxlan(port=8472), Inner(ETHER4)), cfg=two),
        row("own-vxlan-second", v4(Vxlan(), Inner(TAGGED4)), cfg=two),
        row("own-vxlan-second-alone", v4(Vxlan(port=8472), Inner(ETHER4)),
            cfg=f"{OWN} overlay.vxlan_port_2=8472"),
        row("own-vxlan-same", v4(Vxlan(port=8472), Inner(ETHER4)),
            cfg=f"{linux} overlay.vxlan_port_2=8472"),
        row("own-8472-not", Ethernet(), Ip4(), Udp(port=8472), data),
        row("own-many-vxlan", v4(Vxlan(port=1), Inner(ETHER4)), cfg=many),
        row("own-many-gpe", v6(Gpe(port=2), Inner(IP4_CNP, 0x0800)), cfg=many),
        row("own-many-geneve", v4(geneve(3, ether, port=3)), cfg=many),
        row("own-many-mpls", v4(Plain("mpls_udp", port=65535), Inner(MPLS4, 0x8847)),
            cfg=many),
        row("own-vxlan-i-clear", v4(Vxlan(flags=0, port=8472).refused("format"), ether),
            cfg=linux),
        row("own-vxlan-cut", v4(Vxlan(port=8472).cut(7), ether), cfg=linux),
        row("own-vxlan-ends", v4(Vxlan(port=8472).ends(7), ether), cfg=linux),
        row("own-roce", Ethernet(), Ip4(), Udp(), roce(), cfg=many),
        *iana,
    ]
    gre_port = f"{OWN} overlay.gre_port=4754"
    yield "RFC 8086, 8.1: GRE in UDP, port 4754, which a network has to choose", [
        row("gre-udp4", v4(gre("", ip4)), cfg=gre_port),
        row("gre-udp6", v6(gre("", ip6)), cfg=gre_port),
        row("gre-udp-ck", v4(gre("CK", ip4)), cfg=gre_port),
        row("gre-udp-cks", v6(gre("CKS", ip4)), cfg=gre_port),
        row("gre-udp-ether", v4(gre("", ether)), cfg=gre_port),
        row("gre-udp-nvgre", v4(gre("K", ether, tunnel="nvgre")), cfg=gre_port),
        row("gre-udp-mpls", v4(gre("", Inner(MPLS4, 0x8847))), cfg=gre_port),
        row("gre-udp-tags", Ethernet(), Vlan(), Ip4(), Udp(), gre("", ip4), cfg=gre_port),
        row("gre-udp-ip", Ip6(), Udp(), gre("", ip4), cfg=f"link=ip {gre_port}"),
        row("gre-udp-erspan", v4(gre("S", Erspan2(), ether)), cfg=gre_port),
        row("gre-udp-arp", v4(gre("", Bytes("00" * 28), says=0x0806)), cfg=gre_port),
        row("gre-udp-version", v4(Gre(bits=1).refused("unsupported"), ip4), cfg=gre_port),
        row("gre-udp-routing", v4(Gre(bits=0x4000).refused("unsupported"), ip4),
            cfg=gre_port),
        row("gre-udp-cut", v4(Gre().cut(3), ip4), cfg=gre_port),
        row("gre-udp-cut-words", v4(gre("CKS", ip4, cut=11)), cfg=gre_port),
        row("gre-udp-ends", v4(Gre().ends(3), ip4), cfg=gre_port),
        row("gre-udp-ends-words", v6(gre("CKS", ip4, ends=11)), cfg=gre_port),
        row("gre-udp-empty", v4(gre("", Inner(b"", 0x0800))), cfg=gre_port),
        row("gre-udp-dtls", Ethernet(), Ip4(), Udp(port=4755), Bytes("17fefd" + "00" * 29),
            cfg=gre_port),
        row("gre-udp-off", Ethernet(), Ip4(), Udp(port=4754),
            Bytes("00000800" + IP4_CNP.hex())),
        row("gre-udp-none", Ethernet(), Ip4(), Udp(port=4754),
            Bytes("00000800" + IP4_CNP.hex()), cfg=linux),
        inside("gre-udp-inner", v4(Gre()), Ip4(), Udp(), roce(), begins=0x0800,
               cfg=gre_port),
        inside("gre-udp-inner6", v6(Gre()), Ip6(), Udp(), roce(6), begins=0x86dd,
               cfg=gre_port),
        inside("own-vxlan-inner", v4(Vxlan(port=8472)), Ethernet(), Vlan(), Ip4(), Udp(),
               roce(), cfg=linux),
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
        """Builds a datagram with `left` bytes after UDP, but 32 by UDP Length."""
        ip = Ip4() if version == 4 else Ip6()
        udp = Udp(length=40, trimmed=True, port=ROCEV2)
        bth = Bth(version, min(left, 12))
        if left < 12:
            bth.refused("short")
        rest = Bytes(BEHIND_UDP[version][12:max(12, left)])
        return [Ethernet(), *before, ip, udp, bth, rest]
    yield ("SAI, packet trimming: the IP length is renewed, the UDP length as it was", [
        row(f"trimmed{v}-{left}", cut(v, left)) for v in (4, 6)
        for left in (0, 11, 12, 13, 31)] + [
        row("trimmed-tags", cut(4, 20, Vlan(0x88a8), Vlan())),
        row("trimmed-padding", cut(4, 12), trailer=bytes(6)),
        row("trimmed-cut-padding", cut(4, 4), trailer=bytes(14)),
        row("trimmed-tunnel", cut(4, 16, Ip6())),
        row("trimmed-tunnel-4", cut(6, 16, Ip4())),
        row("trimmed-mpls", cut(6, 16, Mpls(2))),
        row("trimmed-pppoe", cut(4, 16, Pppoe())),
        row("trimmed-port", Ethernet(), Ip4(), Udp(length=40, trimmed=True, port=4792),
            roce(size=16), cfg="rocev2_port=4792"),
        row("trimmed-capture", Ethernet(), Ip4(), Udp(length=40, trimmed=True),
            Bth().cut(11), Bytes("00000000")),
        row("trimmed-lost", cut(4, 20), lost=8),
        row("trimmed-all", cut(4, 0, Vlan()), trailer=bytes(14)),
        row("trimmed-ah", Ethernet(), Ip6(), Ext(51, 24), Udp(length=1064, trimmed=True),
            roce(6, 16), cfg=AH_ON),
        row("trimmed-in-udp", Ethernet(), Ip4(), Udp(length=40).ends(7), roce()),
        row("trimmed-other", Ethernet(), Ip4(), Udp(length=41, port=4792).last("format"),
            roce()),
        row("trimmed-second-longer", Ethernet(), Ip6(), Ip4(total=1084).last("format"),
            Udp(length=1064), roce()),
    ])
    long, port = Udp(length=1088, trimmed=True), {"cfg": PORT}
    yield "SAI, packet trimming, and P4.org INT v2.1: the same of a packet that INT marks", [
        row("trimmed-int-1", Ethernet(), Ip4(), long, Shim(), roce(size=16), **port),
        row("trimmed-int-1-6", Ethernet(), Vlan(), Ip6(), long, Shim(), roce(6, 12), **port),
        row("trimmed-int-2", Ethernet(), Ip4(), long, Shim(2), Udp(length=1056),
            roce(size=16), **port),
        row("trimmed-int-2-whole", Ethernet(), Ip4(), long, Shim(2), Udp(), roce(), **port),
        row("trimmed-int-other", Ethernet(), Ip4(), long, Shim(says=53), Bytes("00" * 12),
            **port),
        row("trimmed-int-vxlan", Ethernet(), Ip4(), long, Shim(says=4789),
            Bytes("0800000000000000" + ETHER4.hex()), **port),
        row("trimmed-int-tcp", Ethernet(), Ip4(), long, Shim(2).last("no_match"), Tcp(),
            **port),
        row("trimmed-int-bth", Ethernet(), Ip4(), long, Shim(), Bth().lacks(11),
            Bytes("00" * 20), **port),
        row("trimmed-int-bth-0", Ethernet(), Ip4(), long, Shim(), Bth().lacks(0),
            Bytes("00" * 20), **port),
        row("trimmed-int-ends", Ethernet(), Ip4(), long, Shim().lacks(3), roce(), **port),
        row("trimmed-int-words", Ethernet(), Ip6(), long, Shim().lacks(23), roce(6), **port),
        row("trimmed-int-udp", Ethernet(), Ip4(), long, Shim(2), Udp().lacks(7), roce(),
            **port),
        row("trimmed-int-npt-0", Ethernet(), Ip4(), Udp(length=1088, trimmed=True, port=5000),
            Shim(0).refused("format"), roce(), **port),
        row("trimmed-int-type-0", Ethernet(), Ip4(), long,
            Shim(kind=0).refused("unsupported"), roce(), **port),
        row("trimmed-int-dscp", Ethernet(), Ip4(tos=23 << 2),
            Udp(length=1088, trimmed=True, port=ROCEV2), Shim(0), roce(size=16), cfg=DSCP),
        row("trimmed-int-tunnel", Ethernet(), Ip6(), Ip4(), long, Shim(), roce(size=16),
            **port),
        row("trimmed-int-off", Ethernet(), Ip4(), Udp(length=1088, port=5000).last("format"),
            Bytes("00" * 60)),
        row("trimmed-ifa", Ethernet(), Ip4(), IfaHeader(),
            Udp(length=1064), IfaMetadata().last("format"), Stack(8), roce(), cfg=IFA),
        row("trimmed-own-vxlan", Ethernet(), Ip4(), Udp(length=1064, port=8472).last("format"),
            Bytes("08" + "00" * 31), cfg=f"{OWN} overlay.vxlan_port=8472"),
    ]


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
        # With TS, the UDP datagram is as without IFA. Only IP's length covers the tail.
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
            row("ext-51", v6(Ext(51, 12), udp), cfg=AH_ON),
            row("ext-51-24", v6(Ext(51, 24), udp), cfg=AH_ON),
            row("ext-60", v6(Ext(60, 24), udp)),
            row("ext-135", v6(Ext(135, 16), udp)),
            row("ext-139", v6(Ext(139, 40), udp)),
            row("ext-140", v6(Ext(140), udp)),
            row("ext-60-twice", v6(Ext(60), Ext(43, 24), Ext(60, 16), udp)),
            row("ext-60-thrice", v6(Ext(60), Ext(60), Ext(60), udp)),
            row("ext-0-twice", v6(Ext(0), Ext(0, 16), Ext(43, 24), Ext(43, 24), Ext(44),
                                  Ext(44), udp)),
            row("ext-8", v6(all8, udp), cfg=AH_ON),
            row("ext-9", v6(all8, Ext(140).refused("unsupported"), udp), cfg=AH_ON),
            row("ext-9-cut", v6(all8, Ext(140).cut(7), udp), cfg=AH_ON),
            row("ext-9-ends", v6(all8, Ext(140).ends(7), udp), cfg=AH_ON),
            row("ext-8-none", v6(all8, Bytes("", proto=59)), cfg=AH_ON),
            row("ext-2048", v6(Ext(139, 2048), udp)),
            row("fragment-first", v6(Ext(44, m=1), udp)),
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
            row("ext-cut-51", v6(Ext(51, 24).cut(23), udp), cfg=AH_ON),
            row("ext-ends-1", v6(Ext(60).ends(1), udp)),
            row("ext-ends-44", v6(Ext(44).ends(7), udp)),
            row("ext-ends-51", v6(Ext(51, 24).ends(23), udp), cfg=AH_ON),
            row("ip6-cut", Ethernet(), Ip6().cut(39), udp),
            row("ip6-version", Ethernet(says=0x86dd), Ip4().refused("format"), Udp(),
                roce(), Bytes("00" * 8), stopped="ipv6"),
        ]
    yield "RFC 791, 3.1: IPv4", [
        row("options", Ethernet(), Ip4(options=b"\x94\x04\0\0"), Udp(), roce()),
        row("options-40", Ethernet(), Ip4(options=b"\1" * 40), Udp(), roce()),
        row("df-id", Ethernet(), Ip4(flags=6, id=0xffff), Udp(), roce()),
        row("fragment4-first", Ethernet(), Ip4(flags=1), Udp(), roce()),
        row("fragment4-other", Ethernet(), Ip4(flags=0, frag=1, says=17).last("unsupported"),
            Bytes("5a" * 24)),
        row("esp4", Ethernet(), Ip4().last("unsupported"), Bytes("00" * 24, proto=50)),
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


def ah_rows():
    def v4(*parts):
        return [Ethernet(), Ip4(), *parts]

    def v6(*parts):
        return [Ethernet(), Ip6(), *parts]
    end4, end6 = [Udp(), roce()], [Udp(), roce(6)]
    esp, stop = Bytes("00" * 24, proto=50), "unsupported"
    yield "RFC 4302, 2 and 3.1.1: the Authentication Header, which is not followed", [
        row("ah4", Ethernet(), Ip4().last(stop), Ext(51, 12), end4),
        row("ah4-24", Ethernet(), Ip4().last(stop), Ext(51, 24), end4),
        row("ah4-tunnel", Ethernet(), Ip4().last(stop), Ext(51, 24), Ip4(), end4),
        row("ah6", v6(Ext(51, 24).last(stop), end6)),
        row("ah6-behind", v6(Ext(0), Ext(51, 24).last(stop), Ext(60), end6)),
        row("ah6-esp-off", v6(Ext(51, 24).last(stop), esp)),
        row("ah4-inner-off", v6(Ip4().last(stop), Ext(51, 24), end4)),
    ]
    on = {"cfg": AH_ON}
    yield "RFC 4302, 2.2 and 3.1.1: the Authentication Header where it is followed", [
        row("ah4-on-12", v4(Ext(51, 12), end4), **on),
        row("ah4-on-24", v4(Ext(51, 24), end4), **on),
        row("ah4-on-1028", v4(Ext(51, 1028), end4), **on),
        row("ah4-on-options", Ethernet(), Ip4(options=b"\1" * 40), Ext(51, 24), end4, **on),
        row("ah4-on-tags", Ethernet(), Vlan(0x88a8), Vlan(), Ip4(), Ext(51, 24), end4, **on),
        row("ah4-on-link-ip", Ip4(), Ext(51, 24), end4, cfg=f"link=ip {AH_ON}"),
        row("ah4-on-tcp", v4(Ext(51, 24), Tcp()), **on),
        row("ah4-on-igmp", v4(Ext(51, 24), Bytes("1600000000000000", proto=2)), **on),
        row("ah4-on-vxlan", v4(Ext(51, 24), Udp(), Vxlan(), Inner(ETHER4)), **on),
        row("ah4-on-gre", v4(Ext(51, 24), gre("", Inner(IP4_CNP, 0x0800))), **on),
        row("ah4-on-tunnel", v4(Ext(51, 24), Ip4(), end4), **on),
        row("ah4-on-tunnel-6", v4(Ext(51, 24), Ip6(), end6), **on),
        row("ah4-on-inner", v6(Ip4(), Ext(51, 24), end4), **on),
        row("ah4-on-each", v4(Ext(51, 12), Ip4(), Ext(51, 24), end4), **on),
        row("ah4-on-third", v4(Ext(51, 12), Ip4(), Ext(51, 24).last(stop), Ip4(), end4),
            **on),
        row("ah4-on-ifa", v4(Ext(51, 24), IfaHeader(), Udp(), ifa(), roce()),
            cfg=f"{AH_ON} {IFA}"),
        row("ah4-on-int", v4(Ext(51, 24), Udp(), Shim(), roce()), cfg=f"{AH_ON} {PORT}"),
        row("ah4-on-trimmed", v4(Ext(51, 24), Udp(length=1064, trimmed=True, port=ROCEV2),
                                 roce(size=16)), **on),
        row("ah4-on-twice", v4(Ext(51, 24), Ext(51, 24).refused(stop), end4), **on),
        row("ah4-on-esp", v4(Ext(51, 24).last(stop), esp), **on),
        row("ah4-on-dst", v4(Ext(51, 24), Bytes("1100010400000000", proto=60)), **on),
        row("ah4-on-cut", v4(Ext(51, 24).cut(23), end4), **on),
        row("ah4-on-cut-1", v4(Ext(51, 24).cut(1), end4), **on),
        row("ah4-on-cut-0", v4(Ext(51, 24).cut(0), end4), **on),
        row("ah4-on-cut-behind", v4(Ext(51, 24), Udp().cut(0), roce()), **on),
        row("ah4-on-ends", v4(Ext(51, 24).ends(23), end4), **on),
        row("ah4-on-ends-0", v4(Ext(51, 24).ends(0), end4), **on),
        row("ah6-on", v6(Ext(51, 24), end6), **on),
        row("ah6-on-chain", v6(Ext(0), Ext(43, 24), Ext(51, 24), Ext(60), end6), **on),
        row("ah6-on-tunnel", v6(Ext(51, 24), Ip4(), end4), **on),
        row("ah6-on-each", v6(Ext(51, 24), Ip6(), Ext(51, 32), end6), **on),
        row("ah6-on-twice", v6(Ext(51, 24), Ext(51, 24), end6), **on),
        row("ah6-on-twice-apart", v6(Ext(51, 24), Ext(60), Ext(51, 24), end6), **on),
        row("ah6-on-esp", v6(Ext(51, 24).last(stop), esp), **on),
        row("ah6-on-esp-behind", v6(Ext(51, 24), Ext(60).last(stop), esp), **on),
    ]


def fragment_rows():
    """A first fragment of a datagram with UDP Length 1064 has up to 32 bytes after UDP."""
    first, long = Ip4(flags=1), {"length": 1064}
    roce4, roce6 = Udp(**long), Udp(**long)
    later = Ip4(flags=0, frag=9, says=17).last("unsupported")
    middle = Ip4(flags=1, frag=9, says=17).last("unsupported")
    rest = Bytes("5a" * 24)

    def v6(*parts, before=()):
        return [Ethernet(), Ip6(), *before, Ext(44, m=1), *parts]
    yield "RFC 791, 3.2: the first fragment of RoCE is walked to its BTH", [
        row("first4", Ethernet(), first, roce4, roce()),
        row("first4-12", Ethernet(), first, roce4, roce(size=12)),
        row("first4-df", Ethernet(), Ip4(flags=3), roce4, roce()),
        row("first4-reserved", Ethernet(), Ip4(flags=5), roce4, roce()),
        row("first4-options", Ethernet(), Ip4(options=b"\x94\x04\0\0", flags=1), roce4,
            roce()),
        row("first4-padding", Ethernet(), first, roce4, roce(size=16), trailer=bytes(6)),
        row("first4-lost", Ethernet(), first, roce4, roce(), lost=20),
        row("first4-port", Ethernet(), first, Udp(port=4792, **long), roce(),
            cfg="rocev2_port=4792"),
        row("first4-tags", Ethernet(), Vlan(0x88a8), Vlan(), first, roce4, roce()),
        row("first4-etag", Ethernet(), Etag(), Vlan(), first, roce4, roce(), cfg=ETAG),
        row("first4-mpls", Ethernet(), Mpls(2), first, roce4, roce()),
        row("first4-pppoe", Ethernet(), Pppoe(), first, roce4, roce()),
        row("first4-snap", Ethernet(), Llc(), first, roce4, roce()),
        row("first4-link-ip", first, roce4, roce(), cfg="link=ip"),
        row("first4-ah", Ethernet(), first, Ext(51, 24), roce4, roce(), cfg=AH_ON),
        row("first4-ah-off", Ethernet(), Ip4(flags=1).last("unsupported"), Ext(51, 24),
            roce4, roce()),
        row("first4-esp", Ethernet(), Ip4(flags=1).last("unsupported"),
            Bytes("00" * 24, proto=50)),
        row("first4-ends-bth", Ethernet(), first, roce4, Bth().lacks(11), rest),
        row("first4-ends-bth-0", Ethernet(), first, roce4, Bth().lacks(0), rest),
        row("first4-ends-udp", Ethernet(), first, Udp().lacks(7), roce()),
        row("first4-ends-udp-0", Ethernet(), first, Udp().lacks(0), roce()),
        row("first4-cut-bth", Ethernet(), first, roce4, Bth().cut(11), rest),
        row("first4-cut-udp", Ethernet(), first, Udp().cut(7), roce()),
        row("first4-udp-7", Ethernet(), first, Udp(length=7).refused("format"), roce()),
        row("first4-udp-8", Ethernet(), first, Udp(length=8), Bth().refused("short"), rest),
        row("first4-udp-19", Ethernet(), first, Udp(length=19), Bth().refused("short"), rest),
        row("first4-udp-23", Ethernet(), first, Udp(length=23), roce()),
        row("first4-longer", Ethernet(), Pppoe(length=2 + 59),
            Ip4(flags=1).last("format"), Udp(), roce()),
    ]
    yield "RFC 8200, 4.5: the same over IPv6, and the header of a whole packet", [
        row("first6", v6(roce6, roce(6))),
        row("first6-12", v6(roce6, roce(6, 12))),
        row("first6-ext", v6(Ext(60), roce6, roce(6), before=[Ext(0), Ext(43, 24)])),
        row("first6-ah", v6(Ext(51, 24), roce6, roce(6)), cfg=AH_ON),
        row("first6-ah-off", v6(Ext(51, 24).last("unsupported"), roce6, roce(6))),
        row("first6-esp", [Ethernet(), Ip6(), Ext(44, m=1).last("unsupported"),
                           Bytes("00" * 24, proto=50)]),
        row("first6-tags", Ethernet(), Vlan(), Ip6(), Ext(44, m=1), roce6, roce(6)),
        row("first6-ends-ext", v6(Ext(60).lacks(7), roce6, roce(6))),
        row("first6-ends-udp", v6(Udp().lacks(7), roce(6))),
        row("first6-ends-bth", v6(roce6, Bth(6).lacks(11), rest)),
        row("first6-cut-ext", v6(Ext(60).cut(3), roce6, roce(6))),
        row("first6-whole-after", Ethernet(), Ip6(), Ext(44), Ext(44, m=1), roce6, roce(6)),
        row("first6-cut-fragment", Ethernet(), Ip6(), Ext(44, m=1).cut(7), roce6, roce(6)),
        row("first6-ends-fragment", Ethernet(), Ip6(), Ext(44, m=1).ends(7), roce6,
            roce(6)),
    ]
    port53 = Udp(port=53, length=1000)
    yield "RFC 791, 3.2: the first fragment of other traffic is partial, too", [
        row("first4-udp", Ethernet(), first, port53, Bytes("00" * 32)),
        row("first4-udp-empty", Ethernet(), first, port53),
        row("first6-udp", v6(port53, Bytes("00" * 16))),
        row("first4-tcp", Ethernet(), first, Tcp(), Bytes("00" * 12)),
        row("first6-tcp", v6(Tcp(), Bytes("00" * 12))),
        row("first4-icmp", Ethernet(), first, Bytes("0800000000010001", proto=1)),
        row("first6-icmp", v6(Bytes("8000000000010001", proto=58))),
        row("first4-vxlan", Ethernet(), first, Udp(length=1500), Vxlan(), Inner(ETHER4)),
        row("first4-vxlan-whole", Ethernet(), first, Udp(), Vxlan(), Inner(ETHER4)),
        row("first4-vxlan-cut", Ethernet(), first, Udp(length=1500), Vxlan().lacks(7),
            Inner(ETHER4)),
        row("first4-gre", Ethernet(), first, gre("", Inner(IP4_CNP, 0x0800))),
        row("first6-nvgre", v6(gre("K", Inner(ETHER4), tunnel="nvgre"))),
        row("first4-int", Ethernet(), first, Udp(length=1088), Shim(), roce(), cfg=PORT),
        row("first4-int-2", Ethernet(), first, Udp(length=1096), Shim(2), Udp(**long),
            roce(), cfg=PORT),
        row("first6-int-dscp", Ethernet(), Ip6(tc=23 << 2), Ext(44, m=1),
            Udp(port=ROCEV2, **long), Shim(0), roce(6), cfg=DSCP),
        row("first4-int-other", Ethernet(), first, Udp(length=1088), Shim(says=53),
            Bytes("00" * 12), cfg=PORT),
        row("first4-int-ends", Ethernet(), first, Udp(length=1088), Shim().lacks(23), roce(),
            cfg=PORT),
        row("first4-int-tcp", Ethernet(), Ip4(flags=1, tos=23 << 2), Tcp(marked=True),
            Shim(0), Bytes("00" * 8), cfg=DSCP),
        row("first4-int-tcp-ends", Ethernet(), Ip4(flags=1, tos=23 << 2),
            Tcp(marked=True), Shim(0).lacks(3), Bytes("00" * 8), cfg=DSCP),
        row("first4-ifa", Ethernet(), first, IfaHeader(), Udp(**long), ifa(), roce(),
            cfg=IFA),
        row("first6-ifa", v6(IfaHeader(), Udp(**long), ifa(), roce(6)), cfg=IFA),
        row("first4-ifa-tail", Ethernet(), first, IfaHeader(flags=0x0c), Udp(**long), roce(),
            cfg=IFA),
        row("first4-ifa-ends", Ethernet(), first, IfaHeader(), Udp(**long), IfaMetadata(),
            Stack(8).lacks(31), roce(), cfg=IFA),
    ]
    yield "RFC 791, 3.2, and RFC 8200, 4.5: a later fragment begins in the middle", [
        row("later4", Ethernet(), later, rest),
        row("later4-middle", Ethernet(), middle, rest),
        row("later4-tcp", Ethernet(), Ip4(flags=0, frag=9, says=6).last("unsupported"), rest),
        row("later4-max", Ethernet(), Ip4(flags=0, frag=0x1fff, says=17).last("unsupported"),
            rest),
        *(row(f"later4-bit-{bit}", Ethernet(),
              Ip4(flags=0, frag=1 << bit, says=17).last("unsupported"), rest)
          for bit in range(13)),
        row("later4-like-roce", Ethernet(), Ip4(flags=0, frag=9, says=17).last("unsupported"),
            Bytes(IP4_CNP[20:])),
        row("later4-tags", Ethernet(), Vlan(), Vlan(), later, rest),
        row("later4-ah", Ethernet(), Ip4(flags=0, frag=9, says=51).last("unsupported"), rest,
            cfg=AH_ON),
        row("later4-cut", Ethernet(), later, rest, lost=24),
        row("later6", Ethernet(), Ip6(), Ext(44, offset=9, says=17).last("unsupported"),
            rest),
        row("later6-middle", Ethernet(), Ip6(),
            Ext(44, offset=9, m=1, says=17).last("unsupported"), rest),
        row("later6-ext", Ethernet(), Ip6(), Ext(0),
            Ext(44, offset=0x1fff, says=60).last("unsupported"), rest),
        row("later6-tags", Ethernet(), Vlan(), Ip6(),
            Ext(44, offset=1, m=1, says=6).last("unsupported"), rest),
    ]
    inner = [Ip4(total=1084), Udp(**long)]
    yield "RFC 2003, 5.1, and RFC 2473, 7: fragments with a packet in a packet", [
        row("first4-of-4", Ethernet(), first, inner, roce()),
        row("first6-of-4", v6(inner, roce())),
        row("first6-of-6", v6(Ip6(total=40 + 1064), Udp(**long), roce(6))),
        row("first4-of-6", Ethernet(), first, Ip6(total=40 + 1064), Udp(**long), roce(6)),
        row("first-in-4", Ethernet(), Ip4(), first, roce4, roce()),
        row("first-in-6", Ethernet(), Ip6(), first, roce4, roce()),
        row("first6-in-4", Ethernet(), Ip4(), Ip6(), Ext(44, m=1), roce6, roce(6)),
        row("first-in-first", Ethernet(), first, Ip4(flags=1, total=600), roce4, roce()),
        row("first4-of-other", Ethernet(), first, Ip4(total=1020), port53,
            Bytes("00" * 16)),
        row("first4-of-vxlan", Ethernet(), first, Ip4(total=1520), Udp(length=1500), Vxlan(),
            Inner(ETHER4)),
        row("first4-of-gre", Ethernet(), first, Ip4(total=1520),
            gre("", Inner(IP4_CNP, 0x0800))),
        row("first4-of-version", Ethernet(), Ip4(flags=1, says=4), Ip6().refused("format"),
            Udp(), roce(6), stopped="ipv4"),
        row("first4-of-ends", Ethernet(), first, Ip4().lacks(19), Udp(), roce()),
        row("first4-of-ends-udp", Ethernet(), first, Ip4(total=1084), Udp().lacks(7), roce()),
        row("first4-of-third", Ethernet(), first, Ip4(total=1000).last("unsupported"),
            Ip4(), Udp(), roce()),
        row("later-in-4", Ethernet(), Ip4(), later, rest),
        row("later-in-6", Ethernet(), Ip6(), middle, rest),
        row("later-in-first", Ethernet(), first, later, rest),
        row("later4-of-4", Ethernet(), Ip4(flags=0, frag=9, says=4).last("unsupported"),
            rest),
        row("first-in-longer", Ethernet(), Ip6(), Ip4(flags=1, total=61).last("format"),
            Udp(), roce()),
        row("later-in-longer", Ethernet(), Ip6(),
            Ip4(flags=0, frag=9, total=61, says=17).last("format"), Udp(), roce()),
    ]


def partial_inner_rows():
    """Inner packets of overlays, with the first `left` bytes."""
    v4 = [Ethernet(), Ip4(), Udp(), Vxlan()]
    e4 = [Ethernet(), Ip4(), Udp(), roce()]
    e6 = [Ethernet(), Vlan(), Ip6(), Udp(), roce(6)]
    erspan1 = [Ethernet(), Ip4(), gre("", tunnel="erspan1", says=0x88be)]
    yield ("draft-foschiano-erspan-03, and mirror sessions: a packet longer than the "
           "overlay around it"), [
        inside("inner4", v4, e4),
        inside("inner6", v4, e6),
        inside("inner4-padding", v4, e4, Bytes(bytes(6))),
        inside("mirrored4", v4, e4, left=60),
        inside("mirrored4-bth", v4, e4, left=54),
        inside("mirrored4-1", v4, e4, left=73),
        inside("mirrored6", v4, e6, left=80),
        inside("mirrored-erspan1", erspan1, e4, left=60),
        inside("mirrored-v1", v4, Ethernet(), Grh(), roce(), left=70),
        inside("mirrored-udp", v4, Ethernet(), Ip4(), Udp(port=53), Bytes(bytes(32)),
               left=60),
        inside("mirrored-tcp", v4, Ethernet(), Ip4(), Tcp(), Bytes(bytes(32)), left=60),
        inside("mirrored-vxlan", v4, Ethernet(), Ip4(), Udp(), Vxlan(), Inner(ETHER4),
               left=80),
        inside("mirrored-tunnel", v4, Ethernet(), Ip6(), Ip4(), Udp(), roce(), left=100),
        inside("mirrored-trimmed", v4, Ethernet(), Ip4(), Udp(length=40, trimmed=True,
               port=ROCEV2), roce(size=16), left=55),
        inside("trimmed-inner", v4, Ethernet(), Ip4(), Udp(length=40, trimmed=True,
               port=ROCEV2), roce(size=16)),
        inside("mirrored-fragment", v4, Ethernet(), Ip4(flags=1), Udp(length=1064), roce(),
               left=60),
        inside("fragment-inner", v4, Ethernet(), Ip4(flags=1), Udp(length=1064), roce()),
        inside("mirrored-later", v4, Ethernet(),
               Ip4(flags=0, frag=9, says=17).last("unsupported"), Bytes(bytes(64)), left=60),
        inside("mirrored-ends", v4, Ethernet(), Ip4(), Udp(), Bth().refused("short"),
               Bytes(bytes(20)), left=53),
        inside("mirrored-ends-udp", v4, Ethernet(), Ip4(), Udp().refused("short"), roce(),
               left=41),
        inside("mirrored-ends-ip", v4, Ethernet(), Ip4().refused("format"), Udp(), roce(),
               left=33),
        inside("inner-second-longer", v4, Ethernet(), Ip6(), Ip4(total=61).last("format"),
               Udp(), roce()),
        inside("inner-pppoe-longer", v4, Ethernet(), Pppoe().refused("format"), Ip4(),
               Udp(), roce(), left=70),
        inside("inner-ip-longer-than-pppoe", v4, Ethernet(), Pppoe(length=2 + 59),
               Ip4().last("format"), Udp(), roce()),
        inside("inner-pppoe", v4, Ethernet(), Pppoe(), Ip4(), Udp(), roce()),
    ]
    erspan2 = [Ethernet(), Ip4(), gre("S", Erspan2(t=1))]
    fragment = [Ethernet(), Ip4(flags=1), Udp(length=1500), Vxlan()]
    yield ("draft-foschiano-erspan-03, 4.2: T says that the end is gone; and what is inside "
           "a partial packet is partial, for the same reason"), [
        inside("truncated4", erspan2, e4, left=60, cut=True),
        inside("truncated6", erspan2, e6, left=80, cut=True),
        inside("truncated-whole", erspan2, e4, cut=True),
        inside("truncated-v1", erspan2, Ethernet(), Grh(), roce(), left=70, cut=True),
        inside("truncated-udp", erspan2, Ethernet(), Ip4(), Udp(port=53), Bytes(bytes(32)),
               left=50, cut=True),
        inside("truncated-arp", erspan2, Ethernet(),
               Bytes("0001080006040001" + "00" * 20, type=0x0806), left=30, cut=True),
        inside("truncated-vxlan", erspan2, Ethernet(), Ip4(), Udp(), Vxlan(), Inner(ETHER4),
               left=80, cut=True),
        inside("truncated-fragment", erspan2, Ethernet(), Ip4(flags=1), Udp(length=1064),
               roce(), left=60, cut=True),
        inside("truncated-trimmed", erspan2, Ethernet(), Ip4(), Udp(length=40, trimmed=True,
               port=ROCEV2), roce(size=16), cut=True),
        inside("truncated-ends-bth", erspan2, Ethernet(), Ip4(), Udp(),
               Bth().refused("short"), Bytes(bytes(20)), left=50, cut=True),
        inside("truncated-ends-ip", erspan2, Ethernet(), Ip4().refused("short"), Udp(),
               roce(), left=30, cut=True),
        inside("truncated-ends-tag", erspan2, Ethernet(), Vlan().refused("short"), Ip4(),
               Udp(), roce(), left=17, cut=True),
        inside("truncated-ends-ether", erspan2, Ethernet().refused("short"), Ip4(), left=13,
               cut=True),
        inside("in-fragment4", fragment, e4, left=60),
        inside("in-fragment6", fragment, e6),
        inside("in-fragment-whole", fragment, e4),
        inside("in-fragment-udp", fragment, Ethernet(), Ip4(), Udp(port=53),
               Bytes(bytes(32)), left=60),
        inside("in-fragment-ends", fragment, Ethernet(), Ip4(), Udp(),
               Bth().refused("short"), Bytes(bytes(20)), left=53),
        inside("in-fragment-ends-ip", fragment, Ethernet(), Ip4().refused("short"), Udp(),
               roce(), left=33),
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
    """Yields (source, rows)."""
    yield from ethernet_rows()
    yield from mpls_rows()
    yield from ip_rows()
    yield from udp_overlay_rows()
    yield from gre_rows()
    yield from grh_rows()
    yield from trimmed_rows()
    yield from fragment_rows()
    yield from ah_rows()
    yield from partial_inner_rows()
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
         "inner_type", "cut", "grh", "bth", "end", "partial")


def place(key):
    return ORDER.index(key.split(".")[0] + "." if "." in key else key)


def text_of(row_id, status, frame, cfg, members, call="packet_parse"):
    shown = [f"{k}={v}" for k, v in sorted(members.items(), key=lambda m: place(m[0]))
             if v not in (0, "other", "ether", "none")]
    words = [frame[i:i + 4].hex() for i in range(0, len(frame), 4)] or ["-"]
    body = " ".join(words + ["|"] + cfg.split() + ["->"] + shown)
    return f"{row_id} call {call} {status}\n" + textwrap.fill(
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
