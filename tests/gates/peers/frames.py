# SPDX-License-Identifier: BSD-2-Clause
"""Random frames, each with the values that were written into it.

The layouts and opcodes are from IBTA Table 38, A17, RFC 791, 8200, 8754 and IEEE 802.1Q, written
here once more, without rocecc. Telemetry is in telemetry.py, and congestion signals without RoCE
are in notify.py."""
import collections
import ipaddress
import struct
import zlib

import notify
import telemetry

LAYOUT = {  # layer or layer/part: member:bits; rocecc has no _member
    "ether": "dst:48 src:48 type:16",
    "vlan": "pcp:3 dei:1 vid:12 type:16",
    "ipv4": "_version:4 _ihl:4 dscp:6 ecn:2 total_length:16 identification:16"
            " reserved:1 df:1 mf:1 fragment_offset:13 ttl:8 protocol:8"
            " header_checksum:16 src:32 dst:32",
    "ipv6": "_version:4 dscp:6 ecn:2 flow_label:20 payload_length:16 next_header:8"
            " hop_limit:8 src:128 dst:128",
    "hopopts": "next_header:8 _len:8",
    "dstopts": "next_header:8 _len:8",
    "srh": "next_header:8 _len:8 _type:8 segments_left:8 _last:8 flags:8 tag:16",
    "fragment": "next_header:8 reserved:8 fragment_offset:13 res:2 m:1"
                " identification:32",
    "grh": "_version:4 t_class:8 flow_label:20 pay_len:16 nxt_hdr:8 hop_lmt:8 sgid:128"
           " dgid:128",
    "tcp": "src_port:16 dst_port:16 seq:32 ack:32 _offset:4 reserved:4 flags:8"
           " window:16 checksum:16 urgent_pointer:16",
    "icmp": "type:8 code:8 checksum:16",
    "icmp_error": "value:32",
    "udp": "src_port:16 dst_port:16 length:16 checksum:16",
    "bth": "opcode:8 solicited:1 migreq:1 pad:2 tver:4 pkey:16 fecn:1 becn:1 resv6:6"
           " dest_qp:24 ack_req:1 resv7:7 psn:24",
    "rdeth": "reserved:8 ee_context:24",
    "deth": "q_key:32 reserved:8 src_qp:24",
    "xrceth": "reserved:8 xrcsrq:24",
    "feth": "reserved:26 selectivity:2 placement:4",
    "reth": "va:64 r_key:32 dma_length:32",
    "atomiceth": "va:64 r_key:32 swap_or_add:64 compare:64",
    "aeth": "syndrome:8 msn:24",
    "atomicacketh": "original:64",
    "immdt": "data:32",
    "ieth": "r_key:32",
    "cnp": "reserved:128",
    "ifa": "version:4 gns:4 next_hdr:8 flags:8 max_length:8",
    "ifa/metadata": "request_vector:8 action_vector:8 hop_limit:8 current_length:8",
    "ifa/checksum": "checksum:16 reserved:16",
    "ifa/fragment": "packet_id:26 mf_id:5 last:1",
    "intmd": "type:4 npt:2 _reserved:2 _length:8 original:16 ver:4 d:1 e:1 m:1"
             " reserved:12 hop_ml:5 remaining_hop_count:8 instructions:16 ds_id:16"
             " ds_instruction:16 ds_flags:16",
    "csig/compact": "type:3 reserved:1 value:5 locator:7 _next:16",
    "csig/compact uec": "type:3 reserved:1 value:5 locator:6 no_update:1 _next:16",
    "csig/wide": "locator:16 type:4 value:20 reserved:8 _next:16",
    "csig/wide uec": "locator:15 no_update:1 type:4 value:20 reserved:8 _next:16",
    "cntag": "flow_id:16 type:16",
    "etag": "pcp:3 dei:1 ingress_ecid_base:12 reserved:2 grp:2 ecid_base:12"
            " ingress_ecid_ext:8 ecid_ext:8 type:16",
    "vntag": "d:1 p:1 dst:14 l:1 r:1 ver:2 src:12 type:16",
    "arista/64": "subtype:16 version:16 seconds:32 ns:32 type:16",
    "arista/48": "subtype:16 version:16 seconds:16 ns:32 type:16",
    **notify.LAYOUT,
}
ADDRESSES = {"src", "dst", "sgid", "dgid", "encap_dst"}

# By the low five bits of an opcode: headers, R for a response, payload, PadCnt.
OPERATIONS = {
    0x00: ". Y 0", 0x01: ". Y 0", 0x02: ". Y any", 0x03: "immdt Y any",
    0x04: ". Y any", 0x05: "immdt Y any", 0x06: "reth Y 0", 0x07: ". Y 0",
    0x08: ". Y any", 0x09: "immdt Y any", 0x0a: "reth Y any",
    0x0b: "reth,immdt Y any", 0x0c: "reth - 0", 0x0d: "R,aeth Y 0", 0x0e: "R Y 0",
    0x0f: "R,aeth Y any", 0x10: "R,aeth Y any", 0x11: "R,aeth - 0",
    0x12: "R,aeth,atomicacketh - 0", 0x13: "atomiceth - 0", 0x14: "atomiceth - 0",
    0x15: ". - 0", 0x16: "ieth Y any", 0x17: "ieth Y any", 0x1c: "feth,reth - 0",
    0x1d: "reth 8 0"}
RC = [*range(0x15), 0x16, 0x17, 0x1c, 0x1d]
SERVICES = {0x00: RC, 0x20: range(0x0c), 0x40: [*range(0x16), 0x1c, 0x1d],
            0x60: [4, 5], 0xa0: RC}
LEAD = {0x40: ["rdeth", "deth"], 0x60: ["deth"], 0xa0: ["xrceth"]}


def table():
    """Returns opcode -> its headers after the BTH, payload, whether PadCnt may be set."""
    rows = {0x80: ([], "-", False), 0x81: (["cnp"], "-", False)}
    for service, operations in SERVICES.items():
        for op in operations:
            names, payload, pad = OPERATIONS[op].split()
            names = [n for n in names.split(",") if n != "."]
            lead = LEAD.get(service, [])
            if service == 0x40 and (op >= 0x1c or "R" in names):
                lead = lead[:1]
            if service == 0xa0 and "R" in names:
                lead = []
            rows[service + op] = (lead + [n for n in names if n != "R"], payload,
                                  pad == "any")
    return rows


OPCODES = table()
IN_BAND = ["ioam", "ioam", "ifa", "intmd", "csig", "cntag"]  # choices for a frame
RESERVED = [op for op in range(256) if op not in OPCODES]  # or a manufacturer's


class Lcg:
    """The numbers of vectors/README, "Numbers at random"."""

    def __init__(self, seed):
        self.x = seed

    def bits(self, n):
        value = 0
        for _ in range(0, n, 32):
            self.x = (self.x * 6364136223846793005 + 1442695040888963407) % 2**64
            value = value << 32 | self.x >> 32
        return value >> -n % 32

    def below(self, n):
        return self.bits(32) % n

    def one_in(self, n):
        return self.below(n) == 0

    def bytes(self, n):
        return self.bits(8 * n).to_bytes(n, "big") if n else b""

    def pick(self, values):
        return values[self.below(len(values))]


def text(name, bits, value):
    """Returns a value as in rocedump --json. Booleans are 0 and 1."""
    if name in ADDRESSES and bits < 32:  # of a VN-Tag
        return value
    if name in ADDRESSES and bits == 48:
        return value.to_bytes(6, "big").hex(":")
    if name in notify.SIGNED:
        return value - (value >> (bits - 1) << bits)
    if name in ADDRESSES:
        kind = ipaddress.IPv4Address if bits == 32 else ipaddress.IPv6Address
        return str(kind(value))
    return "%0*x" % (bits // 4, value) if bits > 32 else value


def checksum(data):
    """Returns the checksum for bytes with 0 in its place. RFC 1071."""
    data += bytes(len(data) % 2)
    total = sum(struct.unpack(">%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return total ^ 0xffff


class Frame:
    """A frame, written from its end: each header goes before the present bytes."""

    def __init__(self, lcg, opcode, version, site, in_band):
        self.lcg = lcg
        self.opcode = opcode  # None: not RoCE
        self.version = version  # IP version around UDP; 0: RoCEv1
        self.site = site  # one of telemetry.SITES
        self.in_band = in_band  # one of IN_BAND or of notify.KINDS, or None
        self.status, self.at = "ok", None  # as rocedump reports it
        self.unread = None  # the layer at which the peers' knowledge ends
        self.behind = 0  # number of layers after one that was passed over
        self.data = b""
        self.want = collections.defaultdict(list)  # member -> values, outermost first
        self.nodes = collections.defaultdict(list)  # member -> nodes of each record
        self.stack = []
        self.exts = []  # IPv6 extension headers, with changing fields masked, or None
        self.final = b""  # the address at the end of their SRH
        self.ends = b""  # source and destination of RoCE within any tunnel
        self.option = None  # start of its Fast CNP option, and end of the header,
        # in bytes before the end of the packet
        self.ether = {}  # members that are not random
        self.tagged, self.pad = True, True  # may have tags; gets padding if short
        self.cut = 0  # number of bytes that were not captured
        self.verdict = None  # reason why a CNM is not valid
        self.about = None  # for an ICMP error: its packet,
        self.quote = b""  # and the part in the error
        self.udp_ok = None  # UDP checksum is right; None: not asked

    def put(self, name, value):
        self.want[name].insert(0, value)

    def part(self, name, behind=b"", **given):
        """Writes a header and bytes. Members that are not given are random."""
        value, bits = 0, 0
        for member in LAYOUT[name].split():
            member, _, n = member.partition(":")
            n = int(n)
            v = given.pop(member) if member in given else self.lcg.bits(n)
            value, bits = value << n | v, bits + n
            if not member.startswith("_"):
                self.put(name.split("/")[0] + "." + member, text(member, n, v))
        assert not given, given
        self.data = value.to_bytes(bits // 8, "big") + behind + self.data

    def header(self, name, behind=b"", **given):
        """Writes a header that is a layer."""
        self.part(name, behind, **given)
        self.stack.insert(0, name.split("/")[0])

    def patch(self, name, at, value):
        """Sets 16 bits of the outermost header of a kind."""
        self.data = self.data[:at] + struct.pack(">H", value) + self.data[at + 2:]
        self.want[name][0] = value

    def end(self, status, at):
        """Marks the layer at which rocedump stops, with its status."""
        self.status, self.at = status, at
        self.opcode = self.version = self.verdict = self.udp_ok = None
        for what in (self.want, self.nodes, self.stack):
            what.clear()

    def pass_over(self, status, at):
        """Marks the outermost layer as not read. The layers after it are found."""
        for what in (self.want, self.nodes):
            for member in [m for m in what if m.split(".")[0] == at]:
                del what[member]
        self.status, self.at = status, self.stack.pop(0)
        self.behind = len(self.stack)

    def address(self):
        """Returns an address. Some have runs of zeros, for their spelling; some look made of a
        MAC."""
        if self.lcg.one_in(2):
            return self.lcg.bits(128) | 1 << 112  # not in 2002::/16, 6to4
        if self.lcg.one_in(20):
            return self.lcg.bits(88) << 40 | 0xfffe << 24 | self.lcg.bits(24)
        return int.from_bytes(b"".join(
            self.lcg.pick([bytes(2), bytes(2), self.lcg.bytes(2)]) for _ in range(8)),
            "big") | 0x20010db8 << 96


def options(lcg, size, types, pads, length=0, changes=0):
    """Returns TLVs of `size` bytes, and the same with ones for data that may change."""
    out = masked = b""
    while len(out) < size:
        left, kind = size - len(out), lcg.pick(types + pads)
        n = min(left - 2, lcg.below(12 if kind in types else 5))
        if n < 0 or kind == pads[0]:
            out, masked = out + bytes(pads[:1]), masked + bytes(pads[:1])
            continue
        body = lcg.bytes(n) if kind in types else bytes(n)
        out += bytes([kind, n + length]) + body
        masked += bytes([kind, n + length]) + (b"\xff" * n if kind & changes else body)
    return out, masked


def padding(n):
    return bytes([1, n - 2] + [0] * (n - 2))[:n] if n > 1 else bytes(n)


def with_options(f, name, proto, kind, bodies, changes=False, align=1):
    """Writes a header with aligned options of one type, padding before each, and at the end."""
    body = masked = b""
    for data in bodies:
        first = -(len(body) + 2) % align
        pad = first + align * f.lcg.below((7 - first) // align + 1)
        lead = padding(pad) + bytes([kind, len(data)])
        body += lead + data
        masked += lead + (b"\xff" * len(data) if changes else data)
    end = padding(-(len(body) + 2) % 8)
    body, masked = body + end, masked + end
    f.header(name, body, next_header=proto, _len=(len(body) + 2) // 8 - 1)
    f.put(name + ".options", body.hex())
    f.exts.insert(0, f.data[:2] + masked)


def fast(f, proto):
    """Writes the header that makes a CNP a Fast CNP, by either option, in form A."""
    lcg, address = f.lcg, f.address()
    plain, data, reserved = lcg.one_in(2), b"", 0
    if not plain:
        reserved = lcg.bits(8)
        kind, data = telemetry.ioam(f, "fastcnp.ioam", 255 - 16 - 10)
        data = bytes([reserved, kind]) + data
    f.put("fastcnp.kind", "plain" if plain else "ioam")
    f.put("fastcnp.flow_dst", text("dst", 128, address))
    f.put("fastcnp.reserved", reserved)
    f.stack.insert(0, "fastcnp")
    option, after = 0x9e if plain else 0x9f, len(f.data)
    with_options(f, "dstopts", proto, option, [data + address.to_bytes(16, "big")])
    f.option = len(f.data) - f.data.index(option, 2), after
    return 60


def traces(f, proto):
    """Writes Hop-by-Hop options with one IOAM trace, or two short ones, because tshark loses its
    place after one that it does not read, 256 bytes into the header."""
    bodies, count = [], f.lcg.pick([1, 1, 2])
    for _ in range(count):
        opt_type, data = telemetry.ioam(f, "ioam", (255 - 10) // count)
        f.stack.insert(0, "ioam")
        if f.opcode is None and {"tcp", "udp"} & set(f.stack) and f.lcg.one_in(2):
            data = telemetry.ioam_spoiled(f.lcg, data)
            f.end("format", "ioam")
        bodies.insert(0, bytes([f.lcg.bits(8), opt_type]) + data)
    with_options(f, "hopopts", proto, 0x31, bodies, changes=True, align=4)
    return 0


def extension(f, proto, kinds=(0, 60, 60, 43, 43, 44)):
    """Writes one IPv6 extension header before the present bytes. Returns its number."""
    lcg = f.lcg
    kind = lcg.pick(kinds)
    if kind == 0 and lcg.one_in(2):
        return traces(f, proto)
    if kind == 44:
        f.header("fragment", next_header=proto, fragment_offset=0, m=0)
        masked = None
    elif kind == 43:
        n, t, left = 1 + lcg.below(3), lcg.below(3), lcg.below(2)
        segments = b"".join(f.address().to_bytes(16, "big") for _ in range(n))
        tlvs, masked = options(lcg, 8 * t, [124, 125, 252, 253], [0, 4], changes=0x80)
        f.header("srh", segments + tlvs, next_header=proto, _len=2 * n + t, _type=4,
                 segments_left=left * n, _last=n - 1)
        f.put("srh.segments", segments.hex())
        f.put("srh.tlvs", tlvs.hex())
        head = bytearray(f.data[:8])
        head[3] = head[6] = head[7] = 0xff
        masked = bytes(head) + segments + masked
        f.final = f.final or segments[:16] * left  # the last header decides
    else:
        n, name = lcg.below(3), "dstopts" if kind else "hopopts"
        body, masked = options(lcg, 8 * n + 6, [0x1e, 0x3e, 0x5e, 0xde, 0xfe], [0, 1],
                               changes=0x20)
        f.header(name, body, next_header=proto, _len=n)
        f.put(name + ".options", body.hex())
        masked = f.data[:2] + masked
    f.exts.insert(0, masked)
    return kind


def ip(f, version, proto, exts, fragment=None, with_fast=False, kinds=None, **given):
    """Writes an IP header, and at most `exts` extension headers after it."""
    lcg, f.exts, f.final, n = f.lcg, [], b"", len(f.data)
    if version == 4:
        size = 4 * lcg.below(4) if lcg.one_in(3) else 0
        body, _ = options(lcg, size, [94, 158], [1], length=2)
        f.put("ipv4.options", body.hex())
        f.header("ipv4", body, _version=4, _ihl=5 + size // 4, protocol=proto,
                 mf=int(fragment is not None), fragment_offset=fragment or 0,
                 total_length=20 + size + n, header_checksum=0, **given)
        f.patch("ipv4.header_checksum", 10, checksum(f.data[:20 + size]))
        return
    if with_fast:  # no other Destination Options, as they might demand a drop
        proto = extension(f, proto, [43]) if lcg.one_in(4) else proto
        proto = fast(f, proto)
        for _ in range(lcg.below(2)):
            proto = extension(f, proto, [0, 43, 44])
        exts = 0
    for _ in range(lcg.below(exts + 1)):
        proto = extension(f, proto, kinds) if kinds else extension(f, proto)
    if f.in_band == "ioam" and "ioam" not in f.stack:
        proto = traces(f, proto)
    given = given or {"src": f.address(), "dst": f.address()}
    f.header("ipv6", _version=6, payload_length=len(f.data), next_header=proto, **given)


def covered(f, at):
    """Returns, by rule, the bytes that the ICRC covers. The BTH is at offset `at`."""
    b = bytearray(f.data[:-4])
    b[at + 4] = 0xff
    if b[0] >> 4 == 4:
        b[1] = b[8] = b[10] = b[11] = 0xff
    else:
        b[:4], b[7] = b"\x6f\xff\xff\xff", 0xff
    if b[6] == 0x1b and b[0] == 0x6f and at == 40:  # a GRH
        return {"standard": b}
    b[at - 2] = b[at - 1] = 0xff
    if not f.exts:
        return {"standard": b}
    rules = {}
    if None not in f.exts:
        rules["masked"] = (b[:24] + (f.final or b[24:40]) + b"".join(f.exts)
                           + b[at - 8:])
    rules["literal"] = b
    rules["stripped"] = (b[:4] + struct.pack(">HB", len(f.data) - at + 8, 17) + b[7:40]
                         + b[at - 8:])
    return rules


def seal(f, at):
    """Writes the ICRC, by one of the rules, or wrong."""
    lcg = f.lcg
    rules = {rule: struct.pack("<I", zlib.crc32(b"\xff" * 8 + b))
             for rule, b in covered(f, at).items()}
    value = lcg.pick(list(rules.values()))
    if lcg.one_in(12):
        value = lcg.pick([bytes(4), value[::-1], lcg.bytes(4)])
    found = [rule for rule in rules if rules[rule] == value]
    rule = (found or list(rules))[0]
    f.data = f.data[:-4] + value
    f.put("icrc.value", value.hex())
    f.put("icrc.computed", rules[rule].hex())
    f.put("icrc.ok", int(bool(found)))
    f.put("icrc.rule", rule)


OPERATIONS = {  # by the low five bits of an opcode; IBTA Table 38
    **dict.fromkeys([0, 1, 2, 3, 4, 5, 0x16, 0x17], "send"),
    **dict.fromkeys(range(6, 0x0c), "rdma_write"), 0x0c: "rdma_read_request",
    **dict.fromkeys(range(0x0d, 0x11), "rdma_read_response"), 0x11: "acknowledge",
    0x12: "atomic_acknowledge", 0x13: "cmp_swap", 0x14: "fetch_add", 0x15: "resync",
    0x1c: "flush", 0x1d: "atomic_write"}
EVENTS = {2, 3, 4, 5, 9, 0x0b, 0x16, 0x17}  # the last packet of a SEND, or of a WRITE with
RESPONSES = range(0x0d, 0x13)               # immediate data: IBTA 9.2.3


def operation(opcode):
    """Returns an opcode's operation. rocecc takes 0x15 only in RD."""
    if opcode >= 0xc0:
        return "manufacturer"
    if opcode in (0x80, 0x81):
        return "cn" if opcode == 0x80 else "cnp"
    return OPERATIONS[opcode & 31] if opcode in OPCODES else "reserved"


def odd(opcode, solicited, ack_req):
    """Returns 1 for an event that cannot follow, and 4 for an ACK that is not sent. Only
    requests of the reliable services (RC, RD, XRC) are acknowledged."""
    if operation(opcode) in ("manufacturer", "reserved"):
        return 0
    low, cnp = opcode & 31, opcode in (0x80, 0x81)
    acked = opcode >> 5 in (0, 2, 5) and low not in RESPONSES
    return (1 if solicited and (cnp or low not in EVENTS) else 0) | \
        (4 if ack_req and (cnp or not acked) else 0)


def bth(f, opcode):
    """Writes BTH, extended headers, payload, and room for the ICRC."""
    lcg, (names, payload, pads) = f.lcg, OPCODES.get(opcode, ([], "Y", True))
    pad = lcg.below(4) if payload == "Y" and (pads or lcg.one_in(8)) else 0
    size = {"-": 0, "8": 8, "Y": 4 * (lcg.below(12) + (pad > 0)) - pad}[payload]
    size += 1024 if payload == "Y" and lcg.one_in(50) else 0
    size += 4 * (opcode not in OPCODES)  # for tshark, a BTH in RD has 20 bytes
    f.data = lcg.bytes(size) + bytes(pad + 4)
    f.stack = ["icrc"]
    if size + pad:
        f.put("payload.bytes", f.data[:size].hex())
        f.put("payload.pad", "00" * pad)
        f.put("payload.pad_forbidden", int(pad > 0 and not pads))
        f.stack = ["payload", "icrc"]
    for name in names[::-1]:
        if name == "cnp":
            f.header(name, reserved=lcg.bits(128) if lcg.one_in(4) else 0)
        else:
            f.header(name)
    tver = 0 if opcode == 0x81 or not lcg.one_in(16) else lcg.bits(4)
    zero = ["solicited", "migreq", "resv6", "ack_req", "resv7", "psn"]
    zero = [name for name in zero if opcode == 0x81 and lcg.one_in(2)]
    f.header("bth", opcode=opcode, pad=pad, tver=tver, **dict.fromkeys(zero, 0))
    solicited, ack_req = (int(str(f.want[f"bth.{name}"][0]), 16)
                          for name in ("solicited", "ack_req"))
    f.put("bth.operation", operation(opcode))
    f.put("bth.odd", odd(opcode, solicited, ack_req))
    if opcode == 0x81:  # bits that Figure 6 does not have
        f.put("cnp.odd", sum(bit for bit, name in (
            (1, "bth.solicited"), (2, "bth.migreq"), (4, "bth.ack_req"), (8, "bth.psn"),
            (16, "bth.resv6"), (32, "bth.resv7"), (64, "cnp.reserved"))
            if int(str(f.want[name][0]), 16)))


def udp(f, **given):
    """Writes a UDP header, perhaps with IFA around it. Returns the first header's number."""
    n = len(f.data)
    if f.in_band == "ifa":
        telemetry.ifa_stack(f)
    f.header("udp", length=n + 8, **given)
    return telemetry.ifa_header(f, 17) if f.in_band == "ifa" else 17


def int_md(f, port):
    """Writes INT for a UDP port: with its port changed, or a new header."""
    npt, original = 1 + f.lcg.below(2), port
    if npt == 2:
        original = f.lcg.bits(8) << 8 | udp(f, dst_port=port)
    telemetry.intmd(f, npt, original)
    return udp(f, dst_port=f.site.intmd_port, src_port=0xc000 + f.lcg.bits(14))


def roce_in_band(f):
    """Writes a RoCEv2 packet with telemetry from its way. Its ICRC is of the packet as sent."""
    version, body = f.version, f.data
    upper = int_md(f, 4791) if f.in_band == "intmd" else udp(f, dst_port=4791)
    n = len(f.data)
    ip(f, version, upper, 3)
    arrived, exts, at = f.data, f.exts, len(f.data) - n
    ports = at + 4 if f.in_band == "ifa" else at
    if f.in_band == "intmd" and arrived[at + 8] >> 2 & 3 == 2:  # a UDP header of its own
        ports = len(arrived) - len(body) - 8
    size = len(body) + 8
    head = bytearray(arrived[:at])
    if version == 4:
        head[9] = 17
        head[2:4] = struct.pack(">H", at + size)
    else:
        head[4:6] = struct.pack(">H", at - 40 + size)
        chain, where = 6, 40
        while where < at:
            more = 0 if head[chain] == 44 else head[where + 1]  # a fragment header has 8
            chain, where = where, where + 8 + 8 * more
        head[chain] = 17
        if exts and exts[-1] is not None:
            f.exts = exts[:-1] + [b"\x11" + exts[-1][1:]]
    f.data = (bytes(head) + arrived[ports:ports + 2] + struct.pack(">HHH", 4791, size, 0)
              + body)
    seal(f, at + 8)
    f.data, f.exts = arrived[:-4] + f.data[-4:], exts
    if "icrc" not in f.stack:  # its telemetry cannot be skipped
        for member in ("value", "computed", "ok", "rule"):
            del f.want["icrc." + member]
    return tunnel(f, version)


def roce(f):
    """Writes a whole packet. Returns its EtherType."""
    lcg = f.lcg
    bth(f, f.opcode)
    n = len(f.data)
    if f.in_band in ("ifa", "intmd"):
        return roce_in_band(f)
    if f.version == 0:
        f.header("grh", _version=6, pay_len=n, nxt_hdr=0x1b, sgid=f.address(),
                 dgid=f.address())
        seal(f, 40)
        return 0x8915
    f.header("udp", dst_port=4791, length=n + 8, checksum=0, src_port=lcg.pick(
        [0, 53, 69, lcg.below(1024), lcg.bits(16), 0xc000 + lcg.bits(14)]))
    ip(f, f.version, 17, 3,
       with_fast=f.version == 6 and f.opcode == 0x81 and lcg.bits(2) != 0)
    at = len(f.data) - n
    seal(f, at)
    f.ends = f.data[12:20] if f.version == 4 else f.data[8:40]
    if lcg.one_in(3):
        ends = f.ends if f.version == 4 else f.data[8:24] + (f.final or f.data[24:40])
        pseudo = ends + struct.pack(">II", 17, n + 8)
        f.patch("udp.checksum", at - 2, checksum(pseudo + f.data[at - 8:]) or 0xffff)
    return tunnel(f, f.version)


def tunnel(f, version):
    if f.lcg.one_in(6):
        inner, version = version, f.lcg.pick([4, 6])
        ip(f, version, 4 if inner == 4 else 41, 2)
    return 0x0800 if version == 4 else 0x86dd


def tcp(f):
    """Writes a TCP header, perhaps with IFA around it. Returns the first header's number."""
    body = f.lcg.pick([b"", b"\1\1\1\0", b"\2\4\5\xb4"])
    if f.in_band == "ifa":
        telemetry.ifa_stack(f)
    f.put("tcp.options", body.hex())
    f.header("tcp", body, _offset=5 + len(body) // 4)
    return telemetry.ifa_header(f, 6) if f.in_band == "ifa" else 6


def gre(f):
    """Writes GRE with IFA around it. Returns the first header's number."""
    words = [bit for bit in (0x80, 0x20, 0x10) if f.lcg.one_in(2)]
    telemetry.ifa_stack(f)
    f.data = bytes([sum(words), 0, 8, 0]) + f.lcg.bytes(4 * len(words)) + f.data
    return telemetry.ifa_header(f, 47)


def notice(f, version):
    """Writes a private CNM or an ARN over UDP, without an SRH."""
    lcg, site = f.lcg, f.site
    flow = [f.address() if version == 6 else lcg.bits(32) for _ in range(2)]
    given, port = {"src": flow[1], "dst": flow[0]}, site.arn_port
    if f.in_band == "l3qcn":
        notify.l3qcn(f, version, flow)
        port = site.l3qcn_port
        if version == 4 and site.reserved_bit and lcg.one_in(2):
            given["reserved"], port = 1, 4000
    else:
        notify.arn(f)
        if version == 4:
            given["reserved"] = 0
    n, status, verdict = len(f.data), f.status, f.verdict
    f.header("udp", dst_port=port, length=n + 8, checksum=0)
    ip(f, version, 17, 2, kinds=(60, 60, 0), **given)
    at = len(f.data) - n
    pseudo = f.data[12:20] if version == 4 else f.data[8:40]
    good = checksum(pseudo + struct.pack(">II", 17, n + 8) + f.data[at - 8:]) or 0xffff
    value = lcg.pick([good, good, good, 0, lcg.bits(16)])
    if "udp.checksum" in f.want:
        f.patch("udp.checksum", at - 2, value)
    if f.status == "ok" and (f.status, f.verdict) == (status, verdict):
        f.udp_ok = value == good
        if "l3qcn" in f.stack:
            f.put("l3qcn.checksum_ok", int(f.udp_ok))
    return tunnel(f, version)


def other(f):
    """Writes ARP, TCP, UDP to another port, ICMPv6, or a fragment."""
    lcg, version = f.lcg, f.version or f.lcg.pick([4, 6])
    if f.in_band in ("l3qcn", "arn"):
        return notice(f, version)
    if f.in_band in notify.KINDS:
        return getattr(notify, f.in_band)(f)
    kind = {"ifa": 1 + lcg.below(2), "intmd": 2}.get(f.in_band, lcg.below(6))
    if kind == 0:
        f.data = bytes.fromhex("0001080006040001") + lcg.bytes(20)
        return 0x0806
    if kind == 1:
        ip(f, version, gre(f) if f.in_band == "ifa" and lcg.one_in(3) else tcp(f), 2)
    elif kind == 2:
        f.data = lcg.bytes(20 + lcg.below(40))
        port = lcg.pick([53, 4792])
        if f.in_band in ("ifa", "intmd") and lcg.one_in(2):  # neither a CNM nor an ARN
            port = lcg.pick([f.site.l3qcn_port, f.site.arn_port])
        if f.in_band == "intmd":
            proto = int_md(f, port)
        else:
            proto = udp(f, dst_port=port, src_port=0xc000 + lcg.bits(14))
        ip(f, version, proto, 2)
        if f.site.reserved_bit and version == 4 and f.want["ipv4.reserved"] == [1]:
            f.verdict = None if f.in_band in ("ifa", "intmd") else "not_magic"
    elif kind == 3:
        fragment(f, version)
    else:
        icmp6(f)
        version = 6
    return tunnel(f, version)


def icmp6(f):
    """Writes an echo request, or an error about a CNP: Packet Too Big, Parameter Problem."""
    lcg, given, fastcnp = f.lcg, {}, False
    kind = lcg.pick([128, 2, 4, 4, 4, 4])
    if kind == 128:
        f.data = lcg.bytes(4 + 4 * lcg.below(6))
        code = lcg.pick([0, 0, lcg.bits(8)])
    else:
        about = Frame(lcg, 0x81, 6, f.site, None)
        roce(about)
        code, value, packet = 0, lcg.bits(16), about.data
        if lcg.one_in(4):
            packet = packet[:40 + lcg.below(40)]
        if not lcg.one_in(4):  # to the CNP's source
            given = {"src": int.from_bytes(about.ends[16:], "big"),
                     "dst": int.from_bytes(about.ends[:16], "big")}
        if kind == 4:
            code = lcg.pick([0, 1, 2, 2, 2, 4])
            value = lcg.pick([lcg.below(len(packet) + 4), lcg.bits(32)] +
                             [i for i, b in enumerate(packet) if b in (0x9e, 0x9f)])
            f.stack.insert(0, "problem")
            f.put("problem.pointer", value)
            f.put("problem.byte", packet[value:value + 1].hex())
            if about.option and len(packet) >= len(about.data) - about.option[1]:
                fastcnp = code == 2 and value == len(about.data) - about.option[0]
        f.about, f.quote = about, packet
        f.header("icmp_error", packet, value=value)
        f.put("icmp_error.packet", packet.hex())
    f.header("icmp", type=kind, code=code, checksum=0)
    n = len(f.data)
    ip(f, 6, 58, 2, **given)
    at = len(f.data) - n
    ends = f.data[8:24] + (f.final or f.data[24:40])
    if kind == 4:  # FC-03: from the CNP's destination to its source
        f.put("problem.fastcnp", int(fastcnp and ends[:16] == about.ends[16:] and
                                     ends[16:] == about.ends[:16]))
    good = checksum(ends + struct.pack(">II", n, 58) + f.data[at:])
    value = lcg.pick([good, good, good, lcg.bits(16)])
    f.patch("icmp.checksum", at + 2, value)
    f.put("icmp.ok", int(value == good))


def fragment(f, version):
    """The search ends after the header that says that the beginning is elsewhere; walk.py has
    first fragments. UDP is not read."""
    offset = 1 + f.lcg.below(2**13 - 1)
    f.data = bytes.fromhex("c00012b700280000") + f.lcg.bytes(32)
    f.stack = ["partial"]
    f.put("partial.why", "fragment")
    f.put("partial.missing", 0)
    f.status, f.at = "unsupported", "ipv4" if version == 4 else "fragment"
    if version == 4:
        ip(f, 4, 17, 0, offset)
    else:
        f.header("fragment", next_header=17, fragment_offset=offset, m=1)
        ip(f, 6, 44, 0)


def stop(f, at):
    """Removes the layers between BTH and ICRC, which are unknown. Every packet has the ICRC at its
    end. IBTA 7.8.1, A17.3.3."""
    n = f.stack.index("bth") + 1
    for member in [m for m in f.want if m.split(".")[0] in f.stack[n:-1]]:
        del f.want[member]
    f.status, f.at, f.stack = "unsupported", at, f.stack[:n] + f.stack[-1:]


def captured(f):
    """Marks a capture that ends before the IP datagram, with f.cut bytes missing."""
    f.want["partial.why"], f.want["partial.missing"] = ["captured"], [f.cut]
    f.stack.append("partial")


def frame(lcg, opcode, version, site, in_band=None):
    """Returns a frame of the opcode over IPv4, IPv6 or GRH (0); None: one that is not RoCE."""
    f = Frame(lcg, opcode, version, site, in_band)
    kind = other(f) if opcode is None else roce(f)
    if opcode is None:
        f.version = None
    if f.opcode is not None and opcode not in OPCODES:  # the rest is unknown
        stop(f, "ext")
    if f.tagged:
        with_cntag = {"cntag": 1, "csig": 8, "cnm": 2}.get(in_band)
        kind = telemetry.tags(f, kind, in_band == "csig",
                              with_cntag is not None and lcg.one_in(with_cntag))
    if in_band == "cnm" and f.stack.count("vlan") == 3:
        notify.many_tags(f)
    f.header("ether", type=kind, **f.ether)
    short = max(0, 60 - len(f.data)) if f.pad and not f.cut else 0
    f.padded = short > 0
    f.data += lcg.pick([bytes(short), lcg.bytes(short)])
    if f.cut:
        f.data = f.data[:-f.cut]
        captured(f)
    for name, nodes in f.nodes.items():
        f.want.update(telemetry.columns(name, nodes))
    return f


def frames(seed, rounds, site):
    """Yields, in each round, every opcode once over IPv4, IPv6 or GRH, and mostly once more with
    telemetry, others between; three CNPs; congestion signals without RoCE."""
    lcg = Lcg(seed)
    for i in range(rounds):
        for opcode in OPCODES:
            if lcg.one_in(10):
                yield frame(lcg, None, None, site)
            if lcg.one_in(30):
                yield frame(lcg, lcg.pick(RESERVED), lcg.pick([4, 6, 0]), site)
            yield frame(lcg, opcode, (4, 6, 4, 6, 0)[i % 5], site)
            in_band = lcg.pick(IN_BAND)
            version = 6 if in_band == "ioam" else lcg.pick([4, 6])
            yield frame(lcg, lcg.pick([opcode] * 4 + [None]), version, site, in_band)
        for _ in range(3):
            yield frame(lcg, 0x81, 6, site)
        for in_band in 12 * notify.KINDS:
            yield frame(lcg, None, None, site, in_band)
