# SPDX-License-Identifier: BSD-2-Clause
"""Random congestion signals without RoCE, with the values written into them.

CNMs of QCN (IEEE 802.1Q, 33), private CNMs (draft-yu-tsvwg-l3qcn-00, in rocecc's own layout),
ARNs (draft-hu-rtgwg-rocev2-fcn-00, 4.1.1), PFC and PAUSE (IEEE 802.3, Annexes 31D and 31B),
written here once more from their texts, without rocecc. Many are spoilt in one way, and each
function records what a receiver makes of that."""
import ipaddress
import struct

KINDS = ["cnm", "l3qcn", "arn", "pfc", "pause"]
CNM, MAC_CONTROL = 0x22e7, 0x8808
GROUP = 0x0180c2000001

LAYOUT = {
    "cnm": "version:4 reserved_v:6 qntz_fb:6 cpid:64 q_offset:16 q_delta:16"
           " encap_priority:3 encap_reserved:13 encap_dst:48 msdu_len:16",
    "l3qcn": "_magic:16 _version:4 _v6:1 ports:1 flags:2 proto:8 _total:16 _header:8"
             " reserved:8 src_port:16 dst_port:16",
    "arn": "type:8 version:4 resv:4 metric:8 para_type:8",
    "pfc": "_opcode:16 reserved:8 enable:8",
    "pause": "_opcode:16 quanta:16",
}
SIGNED = {"q_offset", "q_delta"}

# Ways to spoil frames: a receiver's status, and its reason where it has names for it.
CNM_BAD = {"pdu": ("short", "cut_pdu"), "long": ("format", "long_msdu"),
           "msdu": ("short", "cut_msdu"), "group": ("format", "group_dst")}
L3QCN_BAD = {"magic": ("ok", "not_magic"), "version": ("unsupported", "new_version"),
             "header": ("format", "bad_header_length"), "total": ("format", "bad_total_length"),
             "over": ("format", "cut"), "family": ("format", "wrong_family"),
             "spoof": ("format", "spoofed"), "cut": ("short", "cut"),
             "tiny": ("format", "cut"), "pdu": ("format", "bad_total_length"),
             "long": ("format", "long_msdu"), "msdu": ("format", "cut_msdu")}
ARN_BAD = {"type": "format", "version": "unsupported", "unknown": "unsupported",
           "length": "format", "priority": "format", "tiny": "format", "cut": "short"}


def fault(f, bad, one_in):
    """Returns one of the ways to spoil a frame, in one of so many."""
    return f.lcg.pick(list(bad)) if f.lcg.one_in(one_in) else None


def pdu(f, bad):
    """Writes a PDU before the present bytes. Returns whether the site takes its version."""
    lcg, msdu = f.lcg, f.lcg.bytes(f.lcg.pick([0, 64, f.lcg.below(65)]))
    size = len(msdu)
    if bad == "long":
        size = lcg.pick([65, 65 + lcg.below(65471), 65535])
        msdu = lcg.bytes(64) if f.site.tolerate_long else msdu
    if bad == "msdu":
        msdu = msdu[:63]
        size = len(msdu) + 1 + lcg.below(64 - len(msdu))
    version = lcg.pick([0, 0, 0, lcg.bits(4)])
    f.put("cnm.msdu", msdu.hex())
    f.header("cnm", msdu, version=version, msdu_len=size)
    if bad == "pdu":
        f.data = f.data[:lcg.below(24)]
    return version == 0 or not f.site.strict_version


def judge(f, bad, table, good, refused):
    """Ends the stack if the fault, or else the version, requires it."""
    status, verdict = table[bad] if bad else ("ok", None) if good else refused
    if verdict is not None:
        f.end(status, f.in_band if status != "ok" else None)
        f.verdict = verdict


def cnm(f):
    """Writes a CNM after its type. Returns the type."""
    bad = fault(f, CNM_BAD, 3)
    f.data = f.lcg.bytes(f.lcg.pick([0, 0, f.lcg.below(30)]) * (bad != "msdu"))
    good = pdu(f, bad)
    f.ether["dst"] = f.lcg.bits(48) & ~(1 << 40) | (bad == "group") << 40
    if bad == "long" and f.site.tolerate_long:
        bad = None
    if bad == "group" and not good:
        bad = None
    f.pad = bad not in ("pdu", "msdu")
    judge(f, bad, CNM_BAD, good, ("unsupported", "new_version"))
    return CNM


def many_tags(f):
    """Marks a CNM after three VLAN tags as not valid."""
    for member in [m for m in f.want if m.startswith("cnm.")]:
        del f.want[member]
    f.stack = [layer for layer in f.stack if layer != "cnm"]
    f.status, f.at, f.verdict = "unsupported", "cnm", "many_tags"


def l3qcn(f, version, ends):
    """Writes the UDP payload of a private CNM, for a flow between two ends."""
    lcg, v6 = f.lcg, version == 6
    fixed, bad = 44 if v6 else 20, fault(f, L3QCN_BAD, 2)
    extension = lcg.bytes(lcg.pick([0, 0, 0, lcg.below(256 - fixed), 255 - fixed]))
    header = fixed + len(extension)
    inside = lcg.pick([0, 0, 0, lcg.below(20)]) * (bad not in ("pdu", "msdu"))
    f.data = lcg.bytes(inside)
    good = pdu(f, bad if bad in ("pdu", "long", "msdu") else None)
    total = header + len(f.data)
    f.data += lcg.bytes(lcg.pick([0, 0, lcg.below(20)]))
    behind = len(f.data) + header - total
    given = {"_magic": 0x4c51, "_version": 1, "_v6": int(v6), "_total": total,
             "_header": header}
    wrong = {"magic": ("_magic", lcg.pick([0x4c52, 0x514c, 0, 0xcc51])),
             "version": ("_version", lcg.pick([0, 2, 9, 15])),
             "header": ("_header", lcg.below(fixed)),
             "total": ("_total", lcg.below(header + 24)),
             "over": ("_total", total + behind + lcg.pick([1, 1 + lcg.below(40)])),
             "family": ("_v6", int(not v6))}
    given.update([wrong[bad]] if bad in wrong else [])
    size = 16 if v6 else 4
    both = b"".join(end.to_bytes(size, "big") for end in ends)
    if bad == "spoof":
        i = lcg.below(len(both))
        both = both[:i] + bytes([both[i] ^ 1 << lcg.below(8)]) + both[i + 1:]
    f.put("l3qcn.extension", extension.hex())
    f.put("l3qcn.src", spelled(ends[0], size))
    f.put("l3qcn.dst", spelled(ends[1], size))
    f.header("l3qcn", both + extension, **given)
    if bad == "tiny":
        f.data = f.data[:lcg.below(20)]
    if bad == "cut":
        f.cut = 1 + behind + lcg.below(total)
    if bad == "long" and f.site.tolerate_long:
        bad = None
    judge(f, bad, L3QCN_BAD, good, ("unsupported", "cnm_version"))
    if bad == "family" and not v6 and header < 44:
        f.verdict = "bad_header_length"


def spelled(address, size):
    """Returns an address as rocedump shows flows."""
    if size == 4:
        return "::ffff:" + str(ipaddress.IPv4Address(address))
    return str(ipaddress.IPv6Address(address))


def arn(f):
    """Writes the UDP payload of an ARN."""
    lcg, bad = f.lcg, fault(f, ARN_BAD, 2)
    present = lcg.bits(4) | (4 if bad == "priority" else 0)
    names = ["flow", "path_id", "priority", "time"]
    values = {"flow_zero": 0, "path_id": 0, "priority": 0, "time": 0, "tuple_bytes": 0}
    body = flow(f, values) if present & 1 else b""
    for bit in (1, 2, 3):
        if present >> bit & 1:
            v = lcg.bits(32)
            if bit == 2:
                v = lcg.pick([8, v | 8]) if bad == "priority" else lcg.bits(3)
            values[names[bit]] = v
            body += struct.pack(">I", v)
    para_type = sum((0x80 >> i, 1 << i)[f.site.lsb] for i in range(4)
                    if present >> i & 1)
    given = {"type": 1 + lcg.below(4), "version": lcg.below(2), "para_type": para_type}
    if bad == "type":
        given["type"] = lcg.pick([0, 5, 5 + lcg.below(251)])
    if bad == "version":
        given["version"] = 2 + lcg.below(14)
    if bad == "unknown":
        given["para_type"] |= (1 << lcg.below(4)) << (4 if f.site.lsb else 0)
    if bad == "length":
        body = misfit(lcg, body, present)
    for name, value in values.items():
        f.put("arn." + name, value)
    f.put("arn.lsb", f.site.lsb)
    f.put("arn.rest", "")
    f.put("arn.present", "+".join(n for i, n in enumerate(names) if present >> i & 1)
          or "-")
    f.header("arn", body, **given)
    if bad == "tiny":
        f.data = f.data[:lcg.below(4)]
    if bad == "cut":
        f.cut = 1 + lcg.below(len(f.data))
    if bad:
        f.end(ARN_BAD[bad], "arn")


def flow(f, values):
    """Returns a 5-tuple of either family, padded or packed."""
    lcg, size, packed = f.lcg, f.lcg.pick([4, 16]), f.lcg.below(2)
    ends = [lcg.bits(32) if size == 4 else f.address() for _ in range(2)]
    ports, proto, zero = (lcg.bits(16), lcg.bits(16)), lcg.bits(8), lcg.bits(24)
    values["tuple_bytes"] = 2 * size + (5 if packed else 8)
    values["flow_zero"] = 0 if packed else zero
    members = {"src": spelled(ends[0], size), "dst": spelled(ends[1], size),
               "src_port": ports[0], "dst_port": ports[1], "proto": proto}
    for name, value in members.items():
        f.put("arn.flow." + name, value)
    return (b"".join(e.to_bytes(size, "big") for e in ends) +
            struct.pack(">HHB", *ports, proto) +
            (b"" if packed else zero.to_bytes(3, "big")))


def misfit(lcg, body, present):
    """Returns a number of bytes that no flow identifier makes."""
    words = 4 * bin(present >> 1).count("1")
    good = [words + n for n in ((13, 16, 37, 40) if present & 1 else (0,))]
    sizes = [n for n in range(64) if n not in good]
    near = [n for n in sizes if abs(n - len(body)) < 5]
    n = lcg.pick(lcg.pick([sizes, near]))
    return (body + lcg.bytes(64))[:n]


def pfc(f):
    """Writes PFC after its type, without a tag."""
    lcg, bad = f.lcg, f.lcg.pick([None] * 5 + ["opcode", "dst", "cut"])
    quanta = [lcg.pick([0, 0xffff, lcg.bits(16)]) for _ in range(8)]
    f.data = bytes(26)
    f.header("pfc", struct.pack(">8H", *quanta), reserved=lcg.pick([0, lcg.bits(8)]),
             _opcode=lcg.pick([0, 0x0102, 0x0201]) if bad == "opcode" else 0x0101)
    f.want["pfc.quanta"] = quanta
    return control(f, bad, 20, [f.site.station or 1])


def pause(f):
    """Writes PAUSE after its type, some to a station's own address."""
    lcg, bad = f.lcg, f.lcg.pick([None] * 5 + ["opcode", "dst", "cut"])
    f.data = bytes(42)
    f.header("pause", _opcode=lcg.pick([0, 0x0100, 0x1001]) if bad == "opcode" else 1)
    if bad is None and f.site.station and lcg.one_in(2):
        f.ether["dst"] = f.site.station
    return control(f, bad, 4, [])


def control(f, bad, size, others):
    """Finishes MAC control of at least `size` bytes, and spoils it in the way of `bad`."""
    lcg, other = f.lcg, f.lcg.pick(others + [GROUP + 1, GROUP | 1 << 32, 0])
    f.tagged = False
    f.ether.setdefault("dst", other if bad == "dst" else GROUP)
    if bad == "cut":
        f.pad, n = False, lcg.below(size)
        f.data = f.data[:n]
        f.end("short", "pfc" if n < 2 else f.in_band)
    if bad == "dst":
        f.end("format", f.in_band)
    if bad == "opcode":
        f.end("ok", None)
    return MAC_CONTROL
