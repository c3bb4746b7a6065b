# SPDX-License-Identifier: BSD-2-Clause
"""Known errors of tshark 4.0 and scapy 2.5.0, and how they show.

Each is asserted on every frame that it touches, so that a repaired peer is noticed. Spoilt
values are compared only with frames.py."""
import frames

UPPER = ("rdeth deth xrceth feth reth atomiceth aeth atomicacketh immdt ieth cnp"
         " payload icrc").split()
# Layers that no peer reads, with all layers after them, and the texts that define them.
UNREAD = {"csig": "draft-ravi-ippm-csig; its TPIDs are nobody's yet",
          "cntag": "IEEE 802.1Qau", "ifa": "draft-kumar-ippm-ifa",
          "intmd": "P4.org, INT v2.1; its port is nobody's yet",
          "cnm": "IEEE 802.1Qau, 33.4",
          "l3qcn": "draft-yu-tsvwg-l3qcn; its layout is rocecc's own",
          "arn": "draft-wh-rtgwg-adaptive-routing-arn; its port is nobody's yet"}
# Layers that only scapy does not read.
SCAPY_UNREAD = {"etag": "IEEE 802.1BR, 11.2", "vntag": "Wireshark, packet-vntag.c",
                "arista": "Arista EOS, timestamps in the header"}
UNKNOWN = {0x1c, 0x1d, 0x5c, 0x5d, 0xbc, 0xbd}
IB = "infiniband."


def sizes(v):
    return [i.size for i in v.all(IB + "vendor")]


def opcode_line(v):
    return v.all(IB + "bth.opcode")[0].line


def is_rd(f):
    return f.opcode in frames.OPCODES and f.opcode >> 5 == 2 and f.opcode not in UNKNOWN


def traces(f):
    """Returns kind, RemainingLen and NodeLen of each IOAM trace."""
    return list(zip(*(f.want["ioam." + name]
                      for name in ("opt_type", "remaining_len", "node_len"))))


def shown(v, *names):
    """Returns the number of fields of traces. tshark also reads the quote in an ICMPv6 error."""
    return sum(len(v.all("ipv6.opt.ioam.trace." + name)) for name in names)


# Name, peer, the right reading and its source; frames that show the error, layers or members
# that it spoils, and the peer's output.
KNOWN = [
    ("opcode 0x81", "tshark", "the CNP: 16 reserved bytes, then the ICRC; A17.9.3",
     lambda f: f.opcode == 0x81, ["cnp", "icrc"],
     lambda f, v: "Unknown (129)" in opcode_line(v) and sizes(v) == [4, 20]),
    ("opcode 0x80", "tshark", "CN of Annex A10, and not the CNP: A17.9.3",
     lambda f: f.opcode == 0x80, ["icrc"],
     lambda f, v: "CNP (128)" in opcode_line(v) and sizes(v) == [4, 4]),
    ("FLUSH and ATOMIC WRITE", "tshark", "Annex A19; Linux ib_pack.h",
     lambda f: f.opcode in UNKNOWN, UPPER,
     lambda f, v: "Unknown (%d)" % f.opcode in opcode_line(v) and len(sizes(v)) == 2),
    ("the ICRC behind an opcode that nobody knows", "tshark",
     "every packet has one; IBTA 7.8.1, A17.3.3",
     lambda f: f.opcode in frames.RESERVED, ["icrc"],
     lambda f, v: [i.hex[-8:] for i in v.all(IB + "vendor")][1:] == f.want["icrc.value"]),
    ("the headers of XRC", "tshark", "XRCETH and others; IBTA Annex A14",
     lambda f: f.opcode in frames.OPCODES and f.opcode >> 5 == 5 and
     f.opcode not in UNKNOWN,
     UPPER, lambda f, v: "(XRC)" in opcode_line(v) and len(sizes(v)) == 2),
    ("a BTH of 12 bytes in RD", "tshark", "IBTA Table 38; 20 bytes are those of DC",
     lambda f: is_rd(f) and f.opcode not in (0x51, 0x55), UPPER,
     lambda f, v: v.offset(IB + "rdeth", IB + "bth") == 20 or
     v.all(IB + "rdeth") == [] and v.all("_ws.malformed.expert") != []),
    ("RD Acknowledge", "tshark", "RDETH stands before AETH; IBTA Table 38",
     lambda f: f.opcode == 0x51, UPPER,
     lambda f, v: v.offset(IB + "aeth", IB + "bth") == 20 and
     v.all(IB + "rdeth") == []),
    ("RD RESYNC", "tshark", "RDETH and DETH; IBTA Table 38",
     lambda f: f.opcode == 0x55, UPPER,
     lambda f, v: "RESYNC" in opcode_line(v) and v.all(IB + "rdeth") == []),
    ("ICRCs", "tshark", "IBTA 7.8.1: low byte first; it has no opinion on wrong ones",
     lambda f: f.want.get("icrc.ok") == [0], [],
     lambda f, v: all(i.text == "0x" + f.want["icrc.value"][0]
                      for i in v.all(IB + "invariant.crc"))),
    ("the type between two S-tags", "tshark", "each tag has one; IEEE 802.1Q, 9.6",
     lambda f: [0x88a8] * 2 in [(f.want["ether.type"] + f.want["vlan.type"])[i:i + 2]
                                for i in range(3)], ["vlan.type"],
     lambda f, v: v.all("ieee8021ad.cvid") != []),
    ("the TLVs of an SRH", "tshark", "RFC 8754, 2.1",
     lambda f: any(f.want["srh.tlvs"]), [],
     lambda f, v: not any("tlv" in i.name for i in v.items)),
    ("the nodes of an incremental trace with RemainingLen", "tshark",
     "there is no free space before them; RFC 9197, 4.4.1",
     lambda f: any(kind and left for kind, left, _ in traces(f)),
     ["ioam.data", "ioam.nodes"],
     lambda f, v: shown(v, "free_space", "invalid_remlen") >=
     sum(left > 0 and kind + words > 0 for kind, left, words in traces(f))),
    ("the nodes of a trace of snapshots", "tshark", "NodeLen is 0; RFC 9197, 4.4.1",
     lambda f: any(words == 0 for _, _, words in traces(f)),
     ["ioam.data", "ioam.nodes"],
     lambda f, v: shown(v, "invalid_nodelen") >=
     sum(words == 0 for _, _, words in traces(f))),
    ("the ICRC over IPv6 and GRH", "scapy", "A17.3.3; 0 it writes, with a warning",
     lambda f: f.version in (0, 6), ["icrc.computed"],
     lambda f, v: [i.hex for i in v.all("BTH.compute_icrc")] == ["00000000"]),
    ("the ICRC of a padded frame", "scapy", "the datagram ends before; RFC 894",
     lambda f: f.version == 4 and f.padded and f.want["payload.bytes"] == [] and
     frames.OPCODES.get(f.opcode, "?")[0] == [], ["icrc.computed"],
     lambda f, v: v.all("layer Padding") != []),
    ("RD Acknowledge", "scapy", "RDETH stands before AETH; IBTA Table 38",
     lambda f: f.opcode == 0x51, ["aeth"],
     lambda f, v: [i.value for i in v.all("AETH.msn")] == f.want["rdeth.ee_context"]),
    ("AETH but in Acknowledge", "scapy", "IBTA Table 38",
     lambda f: "aeth.msn" in f.want and f.opcode not in (0x11, 0x51), ["aeth"],
     lambda f, v: v.all("layer AETH") == []),
]
KNOWN += [(layer, peer, text, lambda f, layer=layer: f.unread == layer, [],
           lambda f, v, name=name: v.all(name) != [])
          for layer, text in UNREAD.items()
          for peer, name in (("tshark", "data.data"), ("scapy", "layer Raw"))]
KNOWN += [(layer, "scapy", text, lambda f, layer=layer: f.unread == layer, [],
           lambda f, v: v.all("layer Raw") != [])
          for layer, text in SCAPY_UNREAD.items()]
