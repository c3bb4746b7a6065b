# SPDX-License-Identifier: BSD-2-Clause
"""
Composes the rows of overlay.vec: the headers of overlays, mirrors and layer-2 shims, and the
step from each header to the inner packet.

A record is a figure of a specification, with its fields and their widths in bit order. If
scapy has the header but makes other bytes, no file is written. A step has headers and the
bytes after them. The reader moves by the sum of the headers' sizes. No code here reads a
header.

overlay_rows.py          writes overlay.vec next to this file, always the same
overlay_rows.py --check  compares overlay.vec instead
"""
import pathlib
import struct
import sys
import textwrap

from scapy.contrib.erspan import ERSPAN_II, ERSPAN_III, ERSPAN_PlatformSpecific
from scapy.contrib.geneve import GENEVE
from scapy.contrib.mpls import MPLS
from scapy.layers.l2 import GRE
from scapy.layers.ppp import PPPoE
from scapy.layers.vxlan import VXLAN

PATH = pathlib.Path(__file__).resolve().parent / "overlay.vec"
HEXADECIMAL = {"flags": 4, "ver_type": 4, "protocol": 6, "protocol_type": 6, "type": 6}

# ---- The records ----------------------------------------------------------------------


def vxlan(flags, reserved, vni, reserved2):
    return bytes([flags]) + bytes(VXLAN(flags=8, reserved1=reserved, vni=vni,
                                        reserved2=reserved2))[1:]


def gpe(flags, reserved, next_protocol, vni, reserved2):
    return bytes([flags]) + bytes(VXLAN(flags=0x0c, reserved0=reserved,
                                        NextProtocol=next_protocol, vni=vni,
                                        reserved2=reserved2))[1:]


def geneve(ver, opt_len, o, c, rsvd, protocol_type, vni, reserved):
    return bytes(GENEVE(version=ver, optionlen=opt_len, oam=o, critical=c,
                        reserved=rsvd, proto=protocol_type, vni=vni,
                        reserved2=reserved))


def gre(flags, protocol):
    return bytes(GRE(chksum_present=flags >> 15, routing_present=flags >> 14 & 1,
                     key_present=flags >> 13 & 1, seqnum_present=flags >> 12 & 1,
                     strict_route_source=flags >> 11 & 1,
                     recursion_control=flags >> 8 & 7, flags=flags >> 3 & 0x1f,
                     version=flags & 7, proto=protocol))[:4]


def erspan(ver, vlan, cos, en, t, session_id):
    fields = {"ver": ver, "vlan": vlan, "cos": cos, "t": t, "session_id": session_id}
    first = bytes(ERSPAN_II(en=en, **fields))[:4]
    assert first == bytes(ERSPAN_III(bso=en, **fields))[:4]
    return first


def erspan3(sgt, p, ft, hw_id, d, gra, o):
    return bytes(ERSPAN_III(sgt_other=sgt, p=p, ft=ft, hw=hw_id, d=d, gra=gra, o=o))[8:]


def mpls(label, tc, s, ttl):
    return bytes(MPLS(label=label, cos=tc, s=s, ttl=ttl))


def pppoe(ver_type, code, session_id, length, protocol):
    return bytes(PPPoE(version=ver_type >> 4, type=ver_type & 15, code=code,
                       sessionid=session_id, len=length)) + struct.pack(">H", protocol)


# By name, the figure, its fields from the first bit on, scapy's header, and rows as a network
# sends them, with bytes composed by hand.
RECORDS = {
    "vxlan": ("RFC 7348, 5", "flags 8 reserved 24 vni 24 reserved2 8", vxlan, [
        ("plain", "08000000 00123400", {"flags": 0x08, "vni": 0x1234}),
        ("group", "88000200 00000100", {"flags": 0x88, "reserved": 0x200, "vni": 1}),
    ]),
    "gpe": ("draft-ietf-nvo3-vxlan-gpe-13, 3",
            "flags 8 reserved 16 next_protocol 8 vni 24 reserved2 8", gpe, [
                ("ether", "0c000003 12345600",
                 {"flags": 0x0c, "next_protocol": 3, "vni": 0x123456}),
                ("bum", "0e000001 00000a00",
                 {"flags": 0x0e, "next_protocol": 1, "vni": 10}),
            ]),
    "geneve": ("RFC 8926, 3.4", "ver 2 opt_len 6 o 1 c 1 rsvd 6 protocol_type 16 vni 24 "
               "reserved 8", geneve, [
                   ("options", "02406558 00002a00", {
                       "opt_len": 2, "c": 1, "protocol_type": 0x6558, "vni": 42}),
                   ("control", "00800800 12345600", {
                       "o": 1, "protocol_type": 0x0800, "vni": 0x123456}),
               ]),
    "gre": ("RFC 2784, 2; RFC 2890, 2", "flags 16 protocol 16", gre, [
        ("nvgre", "20006558", {"flags": 0x2000, "protocol": 0x6558}),
        ("mirror", "100088be", {"flags": 0x1000, "protocol": 0x88be}),
    ]),
    "erspan": ("draft-foschiano-erspan-03, 4.2 and 4.3",
               "ver 4 vlan 12 cos 3 en 2 t 1 session_id 10", erspan, [
                   ("2", "1064baa5", {
                       "ver": 1, "vlan": 100, "cos": 5, "en": 3, "session_id": 0x2a5}),
                   ("2-cut", "10012c07", {
                       "ver": 1, "vlan": 1, "cos": 1, "en": 1, "t": 1, "session_id": 7}),
                   ("3-oversized", "2fff5001", {
                       "ver": 2, "vlan": 4095, "cos": 2, "en": 2, "session_id": 1}),
               ]),
    "erspan3": ("draft-foschiano-erspan-03, 4.3",
                "sgt 16 p 1 ft 5 hw_id 6 d 1 gra 2 o 1", erspan3, [
                    ("ether", "006482ac", {
                        "sgt": 100, "p": 1, "hw_id": 0x2a, "d": 1, "gra": 2}),
                    ("ip-platform", "00000873", {
                        "ft": 2, "hw_id": 7, "gra": 1, "o": 1}),
                ]),
    "mpls": ("RFC 3032, 2.1; RFC 5462", "label 20 tc 3 s 1 ttl 8", mpls, [
        ("last", "00010140", {"label": 16, "s": 1, "ttl": 64}),
        ("first", "49300afe", {"label": 0x49300, "tc": 5, "ttl": 254}),
    ]),
    "pppoe": ("RFC 2516, 4; RFC 1661, 2",
              "ver_type 8 code 8 session_id 16 length 16 protocol 16", pppoe, [
                  ("ip4", "11000007 002a0021", {
                      "ver_type": 0x11, "session_id": 7, "length": 42,
                      "protocol": 0x21}),
              ]),
    "cmd": ("Cisco's metadata, as tshark decodes it",
            "version 8 length 8 option 16 sgt 16 type 16", None, [
                ("ip4", "01010001 00640800", {
                    "version": 1, "length": 1, "option": 1, "sgt": 100,
                    "type": 0x0800}),
            ]),
}


def widths(name):
    words = RECORDS[name][1].split()
    return dict(zip(words[::2], map(int, words[1::2])))


def record(name, **values):
    """Returns the bytes of a record by its figure. scapy must make the same."""
    whole, size, fields = 0, 0, widths(name)
    assert set(values) <= set(fields)
    for field, width in fields.items():
        assert values.get(field, 0) >> width == 0, (name, field)
        whole, size = whole << width | values.get(field, 0), size + width
    data, peer = whole.to_bytes(size // 8, "big"), RECORDS[name][2]
    assert not peer or peer(*(values.get(f, 0) for f in fields)) == data, (name, values)
    return data


def record_row(name, what, values):
    return f"{name}-{what}", f"{name} ok", record(name, **values), "", values


def record_rows():
    for name, (source, _, _, sent) in RECORDS.items():
        rows = []
        for what, by_hand, values in sent:
            assert bytes.fromhex(by_hand) == record(name, **values), (name, what)
            rows.append(record_row(name, what, values))
        most = {field: (1 << width) - 1 for field, width in widths(name).items()}
        rows.append(record_row(name, "all-0", {}))
        rows.append(record_row(name, "all-1", most))
        rows += [record_row(name, field, {field: v}) for field, v in most.items()]
        yield f"{source}; scapy agrees" if RECORDS[name][2] else source, rows


# ---- The steps ------------------------------------------------------------------------

INSIDE = bytes.fromhex("0200000000020200")  # the start of the inner packet
IP4, IP6 = bytes.fromhex("4500003c"), bytes.fromhex("60000000")
CHECKSUM, KEY, SEQUENCE = (bytes.fromhex(h) for h in ("1d2c0000", "000d0180", "00000009"))
PLATFORM = bytes(ERSPAN_PlatformSpecific(platf_id=3, info1=1, info2=2))


def step(row_id, function, headers, behind=INSIDE, status="ok", **says):
    """Returns a step over headers. If it fails, `says` has the tunnel and other known members."""
    data = b"".join(headers)
    if status == "ok":
        says["bytes"] = len(data)
    return row_id, f"call {function}_inner {status}", data + behind, "->", says


def cut(row_id, function, headers, tunnel, *sizes):
    """Yields steps with the last header cut to each of these sizes, and no bytes after it."""
    for size in sizes:
        assert size < len(headers[-1])
        yield step(f"{row_id}-{size}", function, [*headers[:-1], headers[-1][:size]], b"",
                   "short", tunnel=tunnel)


def vxlan_steps():
    def vx(row_id, flags, status="ok", **fields):
        says = {"type": 0x6558} if status == "ok" else {}
        return step(row_id, "vxlan", [record("vxlan", flags=flags, **fields)], INSIDE, status,
                    tunnel="vxlan", **says)
    plain = record("vxlan", flags=0x08, vni=0x1234)
    yield "RFC 7348, 5: Ethernet follows; I is set, and what is reserved is ignored", [
        vx("vx-i", 0x08, vni=0x1234),
        vx("vx-reserved", 0xff, reserved=0xffffff, vni=0xffffff, reserved2=0xff),
        step("vx-empty", "vxlan", [plain], b"", tunnel="vxlan", type=0x6558),
        vx("vx-0", 0, "format"),
        vx("vx-i-clear", 0xf7, "format", reserved=0xffffff, vni=0x1234),
        *cut("vx-cut", "vxlan", [plain], "vxlan", 0, 1, 7),
    ]


def gpe_steps():
    def g(row_id, flags, next_protocol, status="ok", **says):
        header = record("gpe", flags=flags, next_protocol=next_protocol, vni=0x123456)
        return step(row_id, "gpe", [header], INSIDE, status, tunnel="vxlan_gpe", **says)
    yield "draft-ietf-nvo3-vxlan-gpe-13, 3: Next Protocol where P is set, else Ethernet", [
        g("gp-ip4", 0x0c, 1, type=0x0800, next=1),
        g("gp-ip6", 0x0c, 2, type=0x86dd, next=2),
        g("gp-ether", 0x0c, 3, type=0x6558, next=3),
        g("gp-reserved", 0xce, 1, type=0x0800, next=1),
        g("gp-p-clear", 0x08, 0, type=0x6558),
        g("gp-p-clear-ip4", 0x08, 1, type=0x6558),
        g("gp-p-clear-nsh", 0x0a, 4, type=0x6558),
        g("gp-nsh", 0x0c, 4, "no_match", next=4),
        g("gp-next-0", 0x0c, 0, "no_match"),
        g("gp-next-5", 0x0c, 5, "no_match", next=5),
        g("gp-next-255", 0x0c, 255, "no_match", next=255),
    ]
    header = record("gpe", flags=0x0c, next_protocol=3)
    yield "draft-ietf-nvo3-vxlan-gpe-13, 3: Ver is 0; O: an OAM packet", [
        step("gp-empty", "gpe", [header], b"", tunnel="vxlan_gpe", type=0x6558, next=3),
        g("gp-oam", 0x0d, 3, "no_match"),
        g("gp-oam-ether", 0x09, 0, "no_match"),
        g("gp-version-1", 0x1c, 3, "unsupported"),
        g("gp-version-2", 0x2c, 3, "unsupported"),
        g("gp-version-3", 0x38, 3, "unsupported"),
        g("gp-version-oam", 0x1d, 3, "unsupported"),
        *cut("gp-cut", "gpe", [header], "vxlan_gpe", 0, 1, 7),
    ]


def geneve_steps():
    def option(words):
        """Builds one option with its header (RFC 8926, 3.5)."""
        return struct.pack(">HBB", 0x0103, 1, words - 1) + bytes(4 * (words - 1))

    def g(row_id, type_, options=(), behind=INSIDE, status="ok", **fields):
        header = record("geneve", opt_len=sum(map(len, options)) // 4, protocol_type=type_,
                        vni=0x123456, **fields)
        says = {"type": type_} if status == "ok" else {}
        if status in ("ok", "no_match") and not fields.get("o"):
            says["next"] = type_
        return step(row_id, "geneve", [header, *options], behind, status,
                    tunnel="geneve", **says)
    two = [option(32), option(31)]
    yield "RFC 8926, 3.4: Protocol Type is an EtherType; options are stepped over", [
        g("ge-ether", 0x6558),
        g("ge-ip4", 0x0800, behind=IP4),
        g("ge-ip6", 0x86dd, behind=IP6),
        g("ge-empty", 0x6558, behind=b""),
        g("ge-reserved", 0x6558, rsvd=0x3f, reserved=0xff),
        g("ge-option", 0x6558, [option(1)]),
        g("ge-critical", 0x6558, [option(2)], c=1),
        g("ge-32", 0x0800, [option(32)], IP4),
        g("ge-63", 0x86dd, two, IP6),
        g("ge-all-options", 0x6558, two, b""),
        g("ge-arp", 0x0806, status="no_match"),
        g("ge-mpls", 0x8847, status="no_match"),
        g("ge-6559", 0x6559, [option(1)], status="no_match"),
        g("ge-type-0", 0, status="no_match"),
        *cut("ge-cut", "geneve", [record("geneve", protocol_type=0x6558)], "geneve",
             0, 1, 7),
        *cut("ge-cut-option", "geneve",
             [record("geneve", opt_len=1, protocol_type=0x6558), option(1)], "geneve",
             0, 3),
        *cut("ge-cut-options", "geneve",
             [record("geneve", opt_len=63, protocol_type=0x0806), b"".join(two)],
             "geneve", 251),
    ]
    yield "RFC 8926, 3.4: Ver is 0; O: a control packet, not for transit devices", [
        g("ge-version-1", 0x6558, status="unsupported", ver=1),
        g("ge-version-2", 0x6558, status="unsupported", ver=2),
        g("ge-version-3", 0x6558, [option(1)], status="unsupported", ver=3),
        g("ge-control", 0x6558, status="no_match", o=1),
        g("ge-control-ip4", 0x0800, [option(1)], IP4, "no_match", o=1, c=1, rsvd=0x3f),
        g("ge-version-control", 0x6558, status="unsupported", ver=1, o=1),
    ]


def gre_headers(letters, type_, bits=0):
    flags = {"C": (0x8000, CHECKSUM), "K": (0x2000, KEY), "S": (0x1000, SEQUENCE)}
    given = [flags[letter] for letter in letters]
    return [record("gre", flags=bits | sum(f for f, _ in given), protocol=type_),
            b"".join(word for _, word in given)]


def gre_steps():
    def g(row_id, letters, type_, behind=INSIDE, status="ok", bits=0, tunnel="gre",
          is_type=None):
        says = {"type": is_type or type_} if status == "ok" else {}
        if status in ("ok", "no_match"):
            says["next"] = type_
        return step(row_id, "gre", gre_headers(letters, type_, bits), behind, status,
                    tunnel=tunnel, **says)
    every = ("", "C", "K", "S", "CK", "CS", "KS", "CKS")
    yield "RFC 2784, 2; RFC 2890, 2: 4 bytes each for C, K and S", [
        *(g(f"gr-ip4-{letters.lower() or 'plain'}", letters, 0x0800, IP4)
          for letters in every),
        g("gr-ip6", "", 0x86dd, IP6),
        g("gr-ip6-ks", "KS", 0x86dd, IP6),
        g("gr-empty", "CKS", 0x0800, b""),
        g("gr-arp", "", 0x0806, status="no_match"),
        g("gr-ppp", "K", 0x880b, status="no_match"),
        g("gr-type-0", "", 0, status="no_match"),
    ]
    yield "RFC 4023, 4; RFC 5332, 3: MPLS in GRE, both of its EtherTypes", [
        g("gr-mpls", "", 0x8847, record("mpls", label=16, s=1, ttl=64)),
        g("gr-mpls-upstream", "CK", 0x8848, record("mpls", label=16, s=1, ttl=64),
          is_type=0x8847),
    ]
    yield "RFC 2784, 2.3: bits 1, 4, 5 and Ver are refused, bits 6 to 12 ignored", [
        g("gr-bit-1", "", 0x0800, IP4, "unsupported", 0x4000),
        g("gr-bit-4", "", 0x0800, IP4, "unsupported", 0x0800),
        g("gr-bit-5", "", 0x0800, IP4, "unsupported", 0x0400),
        g("gr-bit-1-cks", "CKS", 0x6558, INSIDE, "unsupported", 0x4000),
        *(g(f"gr-bit-{bit}", "", 0x0800, IP4, bits=0x8000 >> bit)
          for bit in range(6, 13)),
        g("gr-reserved-k", "K", 0x86dd, IP6, bits=0x03f8),
        g("gr-version-1", "K", 0x880b, INSIDE, "unsupported", 1),
        g("gr-version-2", "", 0x0800, IP4, "unsupported", 2),
        g("gr-version-4", "", 0x88be, INSIDE, "unsupported", 4),
    ]
    cks = gre_headers("CKS", 0x0800)
    yield "RFC 2784, 2; RFC 2890, 2: cut off", [
        *cut("gr-cut", "gre", cks[:1], "gre", 0, 1, 3),
        *cut("gr-cut-c", "gre", gre_headers("C", 0x0800), "gre", 0, 3),
        *cut("gr-cut-k", "gre", gre_headers("K", 0x6558), "gre", 0, 3),
        *cut("gr-cut-s", "gre", gre_headers("S", 0x86dd), "gre", 0, 3),
        *cut("gr-cut-cks", "gre", cks, "gre", 4, 8, 11),
        *cut("gr-cut-arp", "gre", gre_headers("K", 0x0806), "gre", 3),
    ]
    yield "RFC 7637, 3.2: NVGRE has K, and neither C nor S", [
        g("nv-k", "K", 0x6558, tunnel="nvgre"),
        g("nv-reserved", "K", 0x6558, bits=0x03f8, tunnel="nvgre"),
        g("nv-empty", "K", 0x6558, b"", tunnel="nvgre"),
        *(g(f"nv-not-{letters.lower() or 'plain'}", letters, 0x6558)
          for letters in every if letters != "K"),
    ]


def erspan2_steps():
    def e(row_id, letters, t=0, ver=1, status="ok", behind=INSIDE):
        says = {"type": 0x6558, "next": 0x88be, "cut": t} if status == "ok" else {}
        return step(row_id, "gre", gre_headers(letters, 0x88be) + header(ver, t), behind,
                    status, tunnel="erspan2", **says)

    def header(ver=1, t=0):
        return [record("erspan", ver=ver, vlan=100, cos=5, en=3, t=t, session_id=0x2a5) +
                bytes(ERSPAN_II(index=7))[4:]]

    def one(row_id, letters, behind=INSIDE):
        return step(row_id, "gre", gre_headers(letters, 0x88be), behind, tunnel="erspan1",
                    type=0x6558, next=0x88be)
    yield "draft-foschiano-erspan-03, 4.1: ERSPAN I has no header, and no S", [
        one("e1", ""), one("e1-c", "C"), one("e1-k", "K"), one("e1-empty", "", b""),
        *cut("e1-cut-k", "gre", gre_headers("K", 0x88be), "gre", 3),
    ]
    yield "draft-foschiano-erspan-03, 4.2: ERSPAN II; T: the copy is cut", [
        e("e2", "S"), e("e2-t", "S", 1), e("e2-ks", "KS"), e("e2-cks-t", "CKS", 1),
        e("e2-empty", "S", behind=b""),
        e("e2-version-0", "S", ver=0, status="unsupported"),
        e("e2-version-2", "S", ver=2, status="unsupported"),
        e("e2-version-9", "S", ver=9, status="unsupported"),
        e("e2-version-0-t", "S", 1, 0, "unsupported"),
        *cut("e2-cut-sequence", "gre", gre_headers("S", 0x88be), "gre", 0, 3),
        *cut("e2-cut", "gre", gre_headers("S", 0x88be) + header(), "erspan2", 0, 1, 7),
    ]


def erspan3_steps():
    def header(ver=2, t=0, **last):
        values = {"sgt": 0xffff, "p": 1, "hw_id": 0x2a, "d": 1, "gra": 3, **last}
        return [record("erspan", ver=ver, vlan=100, cos=5, t=t, session_id=0x2a5) +
                bytes(ERSPAN_III(timestamp=0x01020304))[4:8] + record("erspan3", **values)]

    def e(row_id, fields, behind=INSIDE, status="ok", type_=0x6558, letters="S"):
        says = {"type": type_, "cut": fields.get("t", 0)} if status == "ok" else {}
        if status in ("ok", "no_match"):
            says["next"] = 0x22eb
        more = [PLATFORM] if fields.get("o") else []
        return step(row_id, "gre", gre_headers(letters, 0x22eb) + header(**fields) + more,
                    behind, status, tunnel="erspan3", **says)
    s = gre_headers("S", 0x22eb)
    zeros = {"sgt": 0, "hw_id": 0, "d": 0, "gra": 0}
    yield "draft-foschiano-erspan-03, 4.3: ERSPAN III; FT 0: Ethernet, 2: IP", [
        e("e3", {}),
        e("e3-zeros", {"p": 0, **zeros}),
        e("e3-plain", {}, letters=""),
        e("e3-cks", {}, letters="CKS"),
        e("e3-t", {"t": 1}),
        e("e3-o", {"o": 1}),
        e("e3-o-t", {"o": 1, "t": 1}, letters="KS"),
        e("e3-empty", {}, b""),
        e("e3-o-empty", {"o": 1}, b""),
        e("e3-ip4", {"ft": 2}, IP4, type_=0x0800),
        e("e3-ip6", {"ft": 2, "p": 0}, IP6, type_=0x86dd),
        e("e3-ip4-byte", {"ft": 2}, IP4[:1], type_=0x0800),
        e("e3-ip6-o-t", {"ft": 2, "o": 1, "t": 1}, IP6, type_=0x86dd),
        e("e3-ip4-o", {"ft": 2, "o": 1}, IP4, type_=0x0800),
        e("e3-ft-1", {"ft": 1}, status="no_match"),
        e("e3-ft-3", {"ft": 3}, status="no_match"),
        e("e3-ft-4", {"ft": 4, "o": 1}, status="no_match"),
        e("e3-ft-16", {"ft": 16}, status="no_match"),
        e("e3-ft-18", {"ft": 18}, IP4, "no_match"),
        e("e3-ft-31", {"ft": 31, "t": 1}, status="no_match"),
        e("e3-version-0", {"ver": 0}, status="unsupported"),
        e("e3-version-1", {"ver": 1}, status="unsupported"),
        e("e3-version-10", {"ver": 10, "ft": 1}, status="unsupported"),
        *cut("e3-cut-sequence", "gre", s, "gre", 3),
        *cut("e3-cut", "gre", s + header(), "erspan3", 0, 4, 8, 11),
        *cut("e3-cut-o", "gre", s + header(o=1) + [PLATFORM], "erspan3", 0, 7),
        *cut("e3-cut-o-ft-1", "gre", s + header(o=1, ft=1) + [PLATFORM], "erspan3", 7),
        *cut("e3-cut-ip", "gre", s + header(ft=2) + [IP4], "erspan3", 0),
        *cut("e3-cut-ip-o", "gre", s + header(ft=2, o=1) + [PLATFORM, IP6],
             "erspan3", 0),
    ]


# ---- The file -------------------------------------------------------------------------

HEAD = """\
# SPDX-License-Identifier: BSD-2-Clause
# The headers of overlays, mirrors and shims of layer 2, and the step from each to the
# packet inside; the grammar is in README. Written by overlay_rows.py, from the figures
# of the specifications. A step that fails says what the tunnel is, and one that knows
# of no packet after the header, what number says so; the rest is then nobody's."""


def blocks():
    yield from record_rows()
    yield from vxlan_steps()
    yield from gpe_steps()
    yield from geneve_steps()
    yield from gre_steps()
    yield from erspan2_steps()
    yield from erspan3_steps()


def shown(key, value):
    digits = 6 if key == "next" and value > 0xff else HEXADECIMAL.get(key)
    return f"{key}={value:#0{digits}x}" if digits else f"{key}={value}"


def text_of(row_id, what, data, arrow, says):
    words = [data[i:i + 4].hex() for i in range(0, len(data), 4)] or ["-"]
    arrow = ["|", arrow] if arrow else ["|"]
    body = [row_id, what, *words, *arrow,
            *(shown(k, v) for k, v in says.items() if v != 0 or k == "next")]
    return textwrap.fill(" ".join(body), 88, subsequent_indent="    ",
                         break_long_words=False, break_on_hyphens=False)


def whole():
    text, ids, sources = [HEAD], set(), set()
    for source, rows in blocks():
        assert source not in sources, source
        sources.add(source)
        text.append(f"\nsource: {source}")
        for row in rows:
            assert row[0] not in ids, row[0]
            ids.add(row[0])
            text.append(text_of(*row))
    return "\n".join(text) + "\n", len(ids)


def main():
    text, rows = whole()
    if "--check" not in sys.argv[1:]:
        PATH.write_text(text, "ascii")
        return
    if PATH.read_text("ascii") != text:
        sys.exit("overlay.vec is not what overlay_rows.py writes")
    print(f"vectors: overlay: {rows} rows, as overlay_rows.py writes them")


if __name__ == "__main__":
    main()
