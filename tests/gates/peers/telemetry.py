# SPDX-License-Identifier: BSD-2-Clause
"""Random in-band telemetry, node by node, each with the values written into it.

The layouts are from RFC 9197, 4.4 (and bits 12 and 13 of
draft-gafni-ippm-ioam-additional-data-fields-00), draft-kumar-ippm-ifa,
draft-miao-ccwg-hpcc-info, P4.org's INT v2.1, and draft-ravi-ippm-csig with UEC's form of it,
written here once more, without rocecc. A node is a dict of the members that it populated."""
import collections
import struct

# A network's agreed numbers, which are not assigned.
Site = collections.namedtuple("Site", "compact_tpid wide_tpid uec intmd_port"
                              " ifa_protocol lns_a lns_b l3qcn_port reserved_bit"
                              " strict_version tolerate_long arn_port lsb station")
SITES = [Site(0x9900, 0x9901, 0, 5000, 253, 1, 2, 51966, 0, 0, 0, 51967, 0, 0),
         Site(0xccdd, 0x9903, 1, 5001, 131, 5, 9, 4001, 1, 1, 1, 4002, 1,
              0x02000000000a)]
CNTAG = 0x22e9


def settings(site):
    """Returns a site's settings for rocedump."""
    values = {"frame.csig.compact_tpid": site.compact_tpid,
              "frame.csig.wide_tpid": site.wide_tpid, "frame.csig.uec": site.uec,
              "frame.intmd_port": site.intmd_port,
              "frame.ifa_protocol": site.ifa_protocol, "ifa.layout_a": 1 << site.lns_a,
              "ifa.layout_b": 1 << site.lns_b, "ioam.interface_bit": 13,
              "l3qcn.port": site.l3qcn_port, "l3qcn.reserved_bit": site.reserved_bit,
              "arn.port": site.arn_port, "arn.bit_order": ("msb", "lsb")[site.lsb],
              "tag.etag_type": 0x893f, "tag.vntag_type": 0x8926,
              "tag.arista_type": 0xd28b, "pfc.station": site.station.to_bytes(6, "big").hex(":")}
    for cnm in ("cnm", "l3qcn.cnm"):
        values[cnm + ".strict_version"] = site.strict_version
        values[cnm + ".tolerate_long"] = site.tolerate_long
    return [word for item in values.items() for word in ("--config", "%s=%s" % item)]


IOAM = {  # trace type's bit: fields
    0: "hop_limit:8 node_id:24", 1: "ingress_id:16 egress_id:16", 2: "timestamp_sec:32",
    3: "timestamp_frac:32", 4: "transit_delay:32", 5: "namespace_data:32",
    6: "queue_depth:32", 7: "checksum_complement:32",
    8: "hop_limit_wide:8 node_id_wide:56", 9: "ingress_id_wide:32 egress_id_wide:32",
    10: "namespace_data_wide:64", 11: "buffer_occupancy:32", 12: "tx_bytes:32",
    13: "interface_speed:6 interface_errors:26",
    **{i: "undefined[%d]:32" % (i - 12) for i in range(14, 22)}}
INTMD = {  # instruction's bit
    0: "node_id:32", 1: "ingress_id:16 egress_id:16", 2: "hop_latency:32",
    3: "queue_id:8 queue_occupancy:24", 4: "ingress_timestamp:64",
    5: "egress_timestamp:64", 6: "l2_ingress_id:32 l2_egress_id:32",
    7: "egress_tx_utilization:32", 8: "buffer_id:8 buffer_occupancy:24"}
IFA_A = ("lns:4 device_id:20 ttl:8 speed:4 cn:2 queue:6 rx_timestamp_sec:20"
         " egress_port:16 ingress_port:16 rx_timestamp_ns:32 residence_time:32"
         " tx_bytes:32 reserved16:16 queue_length:16 reserved32:32")
IFA_B = "lns:4 device_id:28 _template:3 cn:5 _tx_high:8 ttl:8 queue:8 "
IFA_B_TIMES = "rx_timestamp_ns:32 tx_timestamp_ns:32 "
IFA_B_END = "ingress_port:16 egress_port:16 _tx_low:32"
IFA_B_CELLS = (IFA_B + "rx_timestamp_sec:48 " + IFA_B_TIMES + "queue_length:16 "
               + IFA_B_END)
IFA_B_OCTETS = (IFA_B + "_octets:16 _queue_high:16 reserved16:16 " + IFA_B_TIMES
                + "_queue_low:16 " + IFA_B_END)
SPEEDS = range(7)  # codes of a speed
HEX = {"node_id_wide", "namespace_data_wide", "ingress_timestamp", "egress_timestamp"}


# Headers that rocedump refuses, and the status.
IFA_BAD = [("unsupported", {"version": 3}), ("unsupported", {"gns": 1}),
           ("unsupported", {"flags": 0x08}), ("unsupported", {"next_hdr": 1}),
           ("format", {"max_length": 0})]
INTMD_BAD = [("unsupported", {"type": 3}), ("unsupported", {"type": 2}),
             ("unsupported", {"type": 9}), ("format", {"npt": 0}),
             ("unsupported", {"ver": 1}), ("format", {"hop_ml": 0})]


def columns(name, records):
    """Returns the nodes of each record as members: their number, and of each a value or None."""
    out = {name: [len(nodes) for nodes in records]}
    nodes = [node for nodes in records for node in nodes]
    for member in {member for node in nodes for member in node}:
        out[name + "." + member] = [node.get(member) for node in nodes]
    return out


def split(layout):
    return [(name, int(bits)) for name, bits in (p.split(":") for p in layout.split())]


def ones(bits):
    return bin(bits).count("1")


def width(layout):
    return sum(bits for _, bits in split(layout)) // 32


def pack(layout, values):
    total = n = 0
    for name, bits in split(layout):
        total, n = total << bits | values[name], n + bits
    return total.to_bytes(n // 8, "big")


def some(lcg, bits):
    """Returns a value, often one at the ends of its range."""
    most = (1 << bits) - 1
    return lcg.pick([lcg.bits(bits)] * 5 + [most, most, most - 1, 0])


def draw(lcg, layout, **given):
    return {name: given[name] if name in given else some(lcg, bits)
            for name, bits in split(layout)}


def ioam_words(trace_type):
    """Returns NodeLen. Bits 22 and 23 add none."""
    return sum(width(IOAM[i]) for i in range(22) if trace_type >> (23 - i) & 1)


def spelled(name, value):
    return "%016x" % value if name in HEX else value


def snapshot(lcg, node):
    """Returns the opaque state snapshot. Without a schema and data it is not populated."""
    data = lcg.bytes(4 * lcg.pick([0, 0, 1, 2, 5]))
    schema = some(lcg, 24)
    if data or schema != 0xffffff:
        node["schema_id"] = schema
    if data:
        node["snapshot"] = data.hex()
    return struct.pack(">I", len(data) // 4 << 24 | schema) + data


def ioam_node(lcg, trace_type):
    """Returns node data. Values of all ones are not populated."""
    node, data = {}, b""
    for bit in range(22):
        if not trace_type >> (23 - bit) & 1:
            continue
        values = draw(lcg, IOAM[bit])
        data += pack(IOAM[bit], values)
        for name, bits in split(IOAM[bit]):
            if values[name] != (1 << bits) - 1:
                node[name] = spelled(name, values[name])
    if "transit_delay" in node:
        node["delay_overflow"] = node["transit_delay"] >> 31
        node["transit_delay"] &= 0x7fffffff
    if trace_type & 2:
        data += snapshot(lcg, node)
    return node, data


def ioam_type(lcg):
    """Returns a trace type: few fields or many, HPCC++'s, a snapshot alone, all."""
    asked = lcg.pick([lcg.bits(22), lcg.bits(22) & lcg.bits(22), 1 << lcg.below(22),
                      0x348200, 0, (1 << 22) - 1])
    rest = lcg.pick([0, 0, 1, 2, 3])
    return (asked << 2 | rest) if asked or rest & 2 else 2


def ioam(f, prefix, most):
    """Returns the kind and bytes of a trace, with at most `most` bytes after its header."""
    lcg, kind, trace_type = f.lcg, f.lcg.below(2), ioam_type(f.lcg)
    nodes, data, wanted = [], b"", lcg.pick([0, 1, 2, 3, 5, 99])
    while len(nodes) < wanted:
        node, b = ioam_node(lcg, trace_type)
        if len(data) + len(b) > most:
            break
        nodes, data = nodes + [node], data + b
    free = min(lcg.pick([0, 0, 1, 3, 7]), (most - len(data)) // 4)
    remaining = free
    if kind:  # tshark takes it for free space, and fails if that ends in a node
        hidden = 0 if trace_type & 2 else ioam_words(trace_type) * len(nodes)
        remaining = lcg.pick([0, hidden, 62 + lcg.below(66)])
    data = (b"" if kind else lcg.pick([bytes(4 * free), lcg.bytes(4 * free)])) + data
    values = {"opt_type": kind, "namespace_id": lcg.bits(16),
              "node_len": ioam_words(trace_type), "flags": lcg.bits(4),
              "remaining_len": remaining, "trace_type": "%06x" % trace_type,
              "reserved": lcg.bits(8), "data": data.hex()}
    for name, value in values.items():
        f.put(prefix + "." + name, value)
    f.nodes[prefix + ".nodes"].insert(0, nodes)
    head = (values["namespace_id"] << 16 | values["node_len"] << 11
            | values["flags"] << 7 | remaining)
    return kind, struct.pack(">II", head, trace_type << 8 | values["reserved"]) + data


def ioam_spoiled(lcg, data):
    """Returns a trace with another NodeLen than its type's, or with an empty type."""
    words = data[2] & 0xf8
    if lcg.one_in(2):
        return data[:2] + bytes([data[2] ^ 0x08]) + data[3:]
    return data[:2] + bytes([data[2] - words]) + data[3:4] + bytes(4) + data[8:]


def ifa_node(f):
    """Returns a record of either layout; the second one has its queue in cells or bytes."""
    lcg, layout = f.lcg, f.lcg.pick(["a", "b", "b_octets"])
    if layout == "a":
        values = draw(lcg, IFA_A, lns=f.site.lns_a)
        node = dict(values)
        if values["speed"] not in SPEEDS:
            del node["speed"]
        return {"layout": "a", **node}, pack(IFA_A, values)
    form = IFA_B_CELLS if layout == "b" else IFA_B_OCTETS
    values = draw(lcg, form, lns=f.site.lns_b, _template=2, _octets=0x8000)
    if values.get("rx_timestamp_sec", 0) >> 32 == 0x8000:
        values["rx_timestamp_sec"] = 0
    node = {name: value for name, value in values.items() if name[0] != "_"}
    node["tx_bytes"] = values["_tx_high"] << 32 | values["_tx_low"]
    if layout == "b_octets":
        node["queue_length"] = values["_queue_high"] << 16 | values["_queue_low"]
    node = {"layout": layout, "reserved16": 0, **node, "reserved32": 0}
    return node, pack(form, values)


def ifa_stack(f):
    """Writes IFA's part after an L4 header, with the newest record first."""
    lcg, nodes = f.lcg, [ifa_node(f) for _ in range(f.lcg.pick([0, 1, 2, 3, 5, 31]))]
    f.flags = lcg.bits(8) & ~0x08  # no tail stamp
    f.data = b"".join(data for _, data in nodes) + f.data
    f.nodes["ifa.nodes"].insert(0, [node for node, _ in nodes])
    if f.flags & 0x10:
        f.part("ifa/fragment")
    if f.flags & 0x01:
        f.part("ifa/checksum")
    for name in () if f.flags & 0x10 else ("packet_id", "mf_id", "last"):
        f.put("ifa." + name, 0)
    for name in () if f.flags & 0x01 else ("checksum", "reserved"):
        f.put("ifa." + name, 0)
    f.part("ifa/metadata", current_length=8 * len(nodes))


def ifa_header(f, proto):
    """Writes IFA's part before an L4 header. Returns IFA's own number."""
    lcg, words = f.lcg, f.want["ifa.current_length"][0]
    given = {"version": 2, "gns": 15, "next_hdr": proto, "flags": f.flags,
             "max_length": lcg.pick([255, words, max(words, lcg.bits(8))])}
    status, bad = lcg.pick(IFA_BAD) if lcg.one_in(8) else ("ok", {})
    if "max_length" in bad and words == 0:
        status, bad = "ok", {}
    f.header("ifa", **{**given, **bad})
    if status != "ok":
        f.end(status, "ifa")
    return f.site.ifa_protocol


def intmd_node(lcg, instructions, ds_words):
    """Returns a node's report, in the order of the bits; DS words before the last."""
    node, data = {}, b""
    for bit, layout in INTMD.items():
        if not instructions >> (15 - bit) & 1:
            continue
        words = width(layout)
        values = draw(lcg, layout)
        if lcg.one_in(6):  # not available
            values = {name: (1 << bits) - 1 for name, bits in split(layout)}
        b = pack(layout, values)
        if b != b"\xff" * 4 * words:
            node.update((name, spelled(name, v)) for name, v in values.items())
        data += b
    for name, n in (("reserved", ones(instructions & 0x7e)), ("ds", ds_words)):
        b = b"".join(lcg.pick([lcg.bytes(4), b"\xff" * 4]) for _ in range(n))
        data += b
        if b:
            node[name] = b.hex()
    if instructions & 1:
        complement = some(lcg, 32)
        data += struct.pack(">I", complement)
        if complement != 0xffffffff:
            node["checksum_complement"] = complement
    return node, data


def intmd(f, npt, original):
    """Writes the shim of INT, its header and nodes, the newest first."""
    lcg = f.lcg
    instructions = lcg.pick([0xd500, 0xd100, lcg.bits(16), lcg.bits(16), 0xffff,
                             1 << lcg.below(16), 0])
    words = sum(width(layout) for bit, layout in INTMD.items()
                if instructions >> (15 - bit) & 1) + ones(instructions & 0x7f)
    ds_words = lcg.pick([0, 0, 1, 3]) if instructions else 1
    hop_ml = words + ds_words
    ds = lcg.bits(16) | 1 if ds_words else lcg.pick([0, lcg.bits(16)])
    nodes = [intmd_node(lcg, instructions, ds_words)
             for _ in range(min(lcg.pick([0, 1, 2, 3, 5, 99]), 252 // hop_ml))]
    f.data = b"".join(data for _, data in nodes) + f.data
    f.nodes["intmd.nodes"].insert(0, [node for node, _ in nodes])
    given = {"type": 1, "npt": npt, "_length": 3 + len(nodes) * hop_ml, "ver": 2,
             "original": original, "hop_ml": hop_ml, "instructions": instructions,
             "ds_instruction": ds}
    status, bad = lcg.pick(INTMD_BAD) if lcg.one_in(8) else ("ok", {})
    f.header("intmd", **{**given, **bad})
    if status == "ok":
        return
    # Types 1 to 3 have one Length, and NPT gives the next header. Another Type may have others.
    if f.opcode is not None and bad.get("type", 1) <= 3 and "npt" not in bad:
        f.pass_over(status, "intmd")
    else:
        f.end(status, "intmd")


def csig(f, kind):
    """Writes a CSIG tag, compact or wide. Returns the type that announces it."""
    wide, uec = f.lcg.below(2), f.site.uec
    tpid = f.site.wide_tpid if wide else f.site.compact_tpid
    f.put("csig.tpid", tpid)
    f.put("csig.wide", wide)
    if not uec:
        f.put("csig.no_update", 0)
    f.header("csig/" + ("wide" if wide else "compact") + uec * " uec", _next=kind)
    return tpid


def tags(f, kind, with_csig, with_cntag):
    """Writes VLAN tags, a CSIG tag after two of them at most, a CN-TAG after all."""
    lcg, vlans = f.lcg, f.lcg.pick([0, 0, 1, 2, 3])
    place = lcg.below(min(vlans, 2) + 1) if with_csig else None
    if with_cntag:
        f.header("cntag", type=kind)
        kind = CNTAG
    for i in range(vlans, -1, -1):
        if i < vlans:
            f.header("vlan", type=kind)
            kind = lcg.pick([0x8100, 0x88a8])
        if i == place:
            kind = csig(f, kind)
        if i == vlans and not with_cntag and place is None and f.opcode is not None:
            kind = once(f, kind)
    return kind


def once(f, kind):
    """Writes tags that occur once each: E-TAG, VN-Tag, Arista's timestamp."""
    lcg = f.lcg
    if lcg.one_in(30):
        bits = lcg.pick([64, 48])
        f.header("arista/%d" % bits, type=kind, subtype=1,
                 version={64: 0x10, 48: 0x20}[bits] | lcg.below(2) << 8)
        kind = 0xd28b
    if lcg.one_in(30):
        f.header("vntag", type=kind)
        kind = 0x8926
    if lcg.one_in(30):
        f.header("etag", type=kind)
        kind = 0x893f
    return kind
