# SPDX-License-Identifier: BSD-2-Clause
"""Writes the rows of the .vec files as captures, and compares rows with scapy.

generate.py [DIR]     writes DIR/*.pcap and DIR/index (pcap/ next to this file), always the
                      same
generate.py --check   they are what it would write; the rows say what scapy says
"""
import os
import pathlib
import re
import struct
import sys
import tempfile
import types

import scapy
from scapy.contrib.mac_control import (MACControlClassBasedFlowControl,
                                       MACControlPause)
from scapy.contrib.roce import BTH
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrDestOpt
from scapy.layers.l2 import Dot1AD, Dot1Q, Ether
from scapy.packet import Raw
from scapy.utils import wrpcap

from read import icrc, read

HERE = pathlib.Path(__file__).resolve().parent
TIME = 1700000000  # of the first packet of a pcap; one second between packets
MACS = bytes.fromhex("020000000002" "020000000001")
# A CNP of a ConnectX-4 Lx; secdev/scapy test/contrib/roce.uts has its hex.
CX4_CNP = bytes.fromhex(
    "45c2003c718c4000401191610a0011010a001201000012b700280000"
    "8100ffff4000011800000000000000000000000000000000" "00000000" "82fd002a")
# The rows of the same bytes as what notify() composes; of "a1", its UDP payload.
NOTIFY_ROWS = {"e2": ("cnm.vec", "e2"), "e3": ("cnm.vec", "e3-built"),
               "e4": ("l3qcn.vec", "p-e4"), "e5": ("l3qcn.vec", "p-e5"),
               "e6": ("pfc.vec", "e6-built"), "e7": ("pfc.vec", "e7-built"),
               "e8": ("pfc.vec", "e8-built"), "a1": ("arn.vec", "a1")}
OURS = {"padcount": "pad", "version": "tver", "dqpn": "dest_qp", "ackreq": "ack_req"}
# Whole packets in rows: of these functions HEX, or another key that has one.
WHOLE = {"intmd.vec": {"intmd_find": "HEX", "intmd_insert": "packet", "intmd_push": "HEX",
                       "intmd_strip": "HEX"},
         "ifa.vec": {"ifa_find": "HEX", "ifa_insert": "packet", "ifa_push": "HEX",
                     "ifa_strip": "HEX"},
         "ioam.vec": {"ioam_insert": "after", "ioam_push": "HEX", "ioam_strip": "HEX"}}
INDEX_HEAD = ("# SPDX-License-Identifier: BSD-2-Clause\n"
              "# Written by generate.py: which row each packet is; ../README says how.\n"
              "# CAPTURE PACKET FILE ID KEY AT\n")
FIXED_BODY = {0x05: 2, 0xc2: 4, 0xc9: 16}  # options that scapy knows by type alone


def require(good, *message):
    if not good:
        sys.exit("vectors: " + " ".join(str(m) for m in message))


def ok_rows(name, noun):
    """The rows of a .vec file that are of a noun and have status ok."""
    text = re.sub(r"#.*", "", (HERE / name).read_text("ascii"))
    text = re.sub(r"\s*\n[ \t]+(?=\S)", " ", text)  # indented: the line goes on
    for line in text.splitlines():
        left, bar, right = line.partition("|")
        words = left.split()
        if words[1:3] != [noun, "ok"]:
            continue
        pairs = [word.split("=") for word in right.split()]
        keys = dict(p for p in pairs if len(p) == 2)
        require(bar and len(keys) == len(pairs), words[0], "is no row:", line)
        keys.pop("emit", None)
        data = bytes.fromhex("".join(words[3:]).replace("-", ""))
        yield types.SimpleNamespace(id=words[0], data=data, keys=keys)


def datagram(ip, options, i, bth):
    """An IP datagram: options, UDP, a BTH, the 16 bytes of a CNP, the ICRC."""
    body = bth + bytes(16 if bth[0] == 0x81 else 0)
    udp = UDP(sport=49152 + i, dport=4791, chksum=0) / Raw(body + bytes(4))
    d = bytes(ip / Raw(options + bytes(udp)))[:-4]
    return d + icrc(d, len(d) - len(body))


# Each of these yields packets of a capture: file, ID, key and where its bytes are; the
# packet from Ethernet on.
def ethernet(ip):
    return MACS + (b"\x08\0" if ip[0] >> 4 == 4 else b"\x86\xdd") + ip


def bth_frames():
    require(icrc(CX4_CNP[:-4], 28) == CX4_CNP[-4:], "cx4-cnp: not the NIC's ICRC")
    captured = {row.id: row.data for row in read(HERE / "frame.vec")
                if row.id.startswith("cx") and row.data[:1] == b"\0"}
    captured["cx4-cnp"] = ethernet(CX4_CNP)
    for i, row in enumerate(ok_rows("bth.vec", "bth")):
        require(len(row.data) == 12, row.id, "is not 12 bytes")
        ip = IP(src="192.0.2.1", dst="192.0.2.2", id=0, flags="DF", ttl=64, proto=17)
        d = ethernet(datagram(ip, b"", i, row.data))
        if row.id in captured:
            d = captured.pop(row.id)
            require(row.data == d[42:54], row.id, "is not what was captured")
        peer = IP(d[14:])[BTH].compute_icrc(b"")
        require(peer == d[-4:], row.id, "ICRC", d[-4:].hex(), "scapy's", peer.hex())
        yield "bth.vec", row.id, "HEX", 42, d
    require(not captured, "bth.vec has not", *captured)


def ip6opt_frames():
    for i, row in enumerate(ok_rows("ip6opt.vec", "ip6opts")):
        ip = IPv6(src="2001:db8:ffff::1", dst="2001:db8:1::10", nh=60, hlim=64)
        if row.data[0] == 17:
            d = datagram(ip, row.data, i, CX4_CNP[28:40])
        else:
            d = bytes(ip / Raw(row.data))
        yield "ip6opt.vec", row.id, "HEX", 54, ethernet(d)


def frames():
    """The rows of frame.vec that begin with an Ethernet header, as they are."""
    for row in read(HERE / "frame.vec"):
        if row.noun == "packet_parse" and row.keys.get("link") != "ip" and len(row.data) >= 14:
            yield "frame.vec", row.id, "HEX", 0, row.data


def is_whole(ip):
    """An IP packet with the length that it says."""
    if ip[0] >> 4 == 4:
        return int.from_bytes(ip[2:4], "big") == len(ip)
    return int.from_bytes(ip[4:6], "big") + 40 == len(ip)


def whole(name):
    """The packets of a telemetry's rows, each once, by the first row that has it."""
    seen = set()
    for row in read(HERE / name):
        key = WHOLE[name].get(row.noun)
        d = row.data if key == "HEX" else row.results.get(key)
        if row.status != "ok" or row.results.get("verdict", "change") != "change":
            continue
        if key and d not in seen and is_whole(d):
            seen.add(d)
            yield name, row.id, key, 14, ethernet(d)


def csig_frames():
    """The tags of csig.vec, before the packet of a CNP."""
    for row in read(HERE / "csig.vec"):
        if row.noun in ("csig", "csig_uec") and row.status == "ok":
            yield "csig.vec", row.id, "HEX", 12, MACS + row.data + b"\x08\0" + CX4_CNP


def cntag(flow_id, what):
    """What follows type 0x22E9: a flow, and the type of what comes."""
    return Raw(struct.pack(">HH", flow_id, what))


def cnm(fb, offset, delta, priority, dst, msdu):
    """A CNM PDU of version 0, of a queue in bytes: 802.1Q, 33.4."""
    return Raw(struct.pack(">HQhhH6sH", fb, 0x0200000004400305, int(offset / 64),
                           int(delta / 64), priority << 13,
                           bytes.fromhex(dst.replace(":", "")), len(msdu)) + msdu)


def private_cnm(flags, flow, ends, pdu):
    """What UDP carries, by the figure in l3qcn.h: a header of that many bytes."""
    src_port, dst_port, proto = flow
    header = 12 + len(ends)
    return Raw(struct.pack(">HBBHBBHH", 0x4c51, 0x10 | flags, proto,
                           header + len(bytes(pdu)), header, 0, src_port, dst_port)
               + ends) / pdu


def notify():
    """One congestion as QCN, L3QCN, ARN, PFC and PAUSE tell it."""
    host, bridge = "02:fd:16:78:3a:cd", "02:00:00:00:02:10"
    gateway = "02:00:00:00:01:fe"
    a, b = "10.1.10.2", "10.2.20.1"
    a6, b6 = "2001:db8:1::2", "2001:db8:2::1"

    def s_c(priority, kind):
        return (Dot1AD(prio=priority, vlan=100, type=0x8100) /
                Dot1Q(prio=priority, vlan=1024, type=kind))

    packet = bytes(IP(src=a, dst=b, id=0x1234, flags="DF", ttl=61, proto=6) /
                   TCP(sport=8957, dport=21, seq=0x11223344, ack=0, flags="A",
                       window=0x2000, chksum=0) / Raw(bytes(range(40))))
    yield "e1", (Ether(dst=gateway, src=host, type=0x88a8) / s_c(5, 0x22e9) /
                 cntag(0xc9a0, 0x0800) / Raw(packet))
    pdu = cnm(26, -34000, 10000, 5, gateway, (b"\x08\0" + packet)[:64])
    yield "e2", (Ether(dst=host, src=bridge, type=0x88a8) / s_c(6, 0x22e9) /
                 cntag(0xc9a0, 0x22e7) / pdu)
    yield "e3", (Ether(dst=host, src=bridge, type=0x8100) /
                 Dot1Q(prio=6, vlan=1024, type=0x22e9) / cntag(0, 0x22e7) /
                 cnm(63, -200000, 150000, 5, gateway, b"") / Raw(bytes(14)))
    ends = b"".join(bytes(map(int, address.split("."))) for address in (a, b))
    switch = {"dst": "02:00:00:00:aa:01", "src": "02:00:00:00:04:40"}
    yield "e4", (Ether(**switch) /
                 IP(src=b, dst=a, tos=48 << 2, id=0, flags="DF", ttl=64) /
                 UDP(sport=0xc0de, dport=51966) /
                 private_cnm(4, (8957, 21, 6), ends, pdu))
    packet = bytes(IPv6(src=a6, dst=b6, hlim=61) /
                   UDP(sport=49152, dport=4791, len=48, chksum=0) / Raw(bytes(40)))
    pdu = cnm(26, -34000, 10000, 5, gateway, (b"\x86\xdd" + packet)[:64])
    ends = bytes(IPv6(src=a6, dst=b6))[8:40]
    yield "e5", (Ether(**switch) / IPv6(src=b6, dst=a6, tc=48 << 2, hlim=64) /
                 UDP(sport=0xc0de, dport=51966) /
                 private_cnm(12, (49152, 4791, 17), ends, pdu))
    control = Ether(dst="01:80:c2:00:00:01", src="02:00:00:00:04:40", type=0x8808)
    yield "e6", control / MACControlClassBasedFlowControl(
        c3_enabled=1, c3_pause_time=0xffff, c5_enabled=1, c5_pause_time=0x0100)
    yield "e7", control / MACControlClassBasedFlowControl(c3_enabled=1, c5_enabled=1)
    yield "e8", control / MACControlPause(pause_time=0xffff)
    ends = bytes([10, 1, 10, 2, 10, 2, 20, 1])
    yield "a1", (Ether(dst="02:00:00:00:00:01", src="02:00:00:00:00:02") /
                 IP(src="10.9.9.1", dst="10.9.9.2", tos=48 << 2, id=0, flags="DF",
                    ttl=255) / UDP(sport=0xc0de, dport=51967) /
                 Raw(struct.pack(">BBBB8sHHBxxxI", 1, 0x10, 200, 0x90, ends, 49152,
                                 4791, 17, 100)))


def notify_frames():
    """The same as bytes, which are those of the rows."""
    for name, packet in notify():
        d = bytes(packet)
        d += bytes(max(0, 60 - len(d)))
        if name not in NOTIFY_ROWS:
            yield "-", "-", "-", "-", d
            continue
        file, row_id = NOTIFY_ROWS[name]
        at = 42 if name == "a1" else 0
        row = next(row for row in read(HERE / file) if row.id == row_id)
        require(row.data == d[at:], file, row_id, "is", row.data.hex(),
                "and composed here", d.hex())
        yield file, row_id, "HEX", at, d


def generate(folder):
    """Writes the pcaps and their index; gives each one's packets with where they end."""
    folder.mkdir(parents=True, exist_ok=True)
    ends, index = {}, [INDEX_HEAD]
    for name, rows in (("bth", bth_frames()), ("ip6opt", ip6opt_frames()),
                       ("frame", frames()), ("notify", notify_frames()),
                       ("intmd", whole("intmd.vec")), ("ifa", whole("ifa.vec")),
                       ("ioam", whole("ioam.vec")), ("csig", csig_frames())):
        name += ".pcap"
        packets, ends[name], end = [], [("its header", 24)], 24
        for i, (file, row_id, key, at, d) in enumerate(rows):
            packets.append(Ether(d))
            require(bytes(packets[-1]) == d, row_id, "is changed by scapy")
            packets[-1].time = TIME + i
            end += 16 + len(d)
            ends[name].append((row_id, end))
            index.append("%s %d %s %s %s %s\n" % (name, i + 1, file, row_id, key, at))
        require(packets, name, "would be empty")
        wrpcap(str(folder / name), packets, linktype=1, endianness="<")
    (folder / "index").write_text("".join(index), "ascii")
    return ends


def check_index():
    """Each packet has the row's bytes where the index says so, and each has a line."""
    packets, rows, lines = {}, {}, (HERE / "pcap" / "index").read_text("ascii")
    for name in sorted((HERE / "pcap").glob("*.pcap")):
        data, at, n = name.read_bytes(), 24, 0
        while at < len(data):
            size = struct.unpack_from("<I", data, at + 8)[0]
            n, at = n + 1, at + 16 + size
            packets[name.name, str(n)] = data[at - size:at]
    for line in re.sub(r"#.*", "", lines).split("\n"):
        if not line:
            continue
        capture, packet, file, row_id, key, at = line.split()
        d = packets.pop((capture, packet), None)
        require(d is not None, "pcap/index:", line, "is no packet, or a second time")
        if file == "-":
            continue
        if file not in rows:
            rows[file] = {row.id: row for row in read(HERE / file)}
        row = rows[file][row_id]
        part = row.data if key == "HEX" else (row.keys | row.results)[key]
        require(part and d[int(at):int(at) + len(part)] == part, "pcap/index:", line,
                "is not so")
    require(not packets, "pcap/index has not", *packets)


def check_pcaps():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        ends = generate(folder)
        for name in ends:
            committed = HERE / "pcap" / name
            require(committed.exists(), "pcap/" + name, "is missing")
            old, new = committed.read_bytes(), (folder / name).read_bytes()
            same = len(os.path.commonprefix([old, new]))
            where = [row_id for row_id, end in ends[name] if same < end] + ["its end"]
            require(old == new, "pcap/" + name, "differs at", where[0])
        require((HERE / "pcap" / "index").read_bytes() == (folder / "index").read_bytes(),
                "pcap/index is not what generate.py writes")
    check_index()
    return len(ends)


def bth_values(row):
    peer = BTH(row.data + bytes(4))  # scapy takes the last 4 bytes for the ICRC
    return [(OURS.get(f.name, f.name), getattr(peer, f.name))
            for f in BTH.fields_desc if f.name != "icrc"]


def dest_opt(data):
    """scapy's header, to be written anew from its fields, not from its cache."""
    peer = IPv6ExtHdrDestOpt(data)
    peer.autopad = 0
    peer.clear_cache()
    return peer


def ip6opts_values(row):
    peer = dest_opt(row.data)
    require(8 * peer.len + 8 == len(row.data), row.id, "has the wrong length")
    return [("next_header", peer.nh), ("options", bytes(peer)[2:].hex())]


def ip6opt_values(row):
    names = sorted({key.partition(".")[0] for key in row.keys})
    for name in names:
        kind = int(row.keys.get(name + ".type", "0"), 0)
        size = len(row.keys.get(name + ".body", "-").replace("-", "")) // 2
        if FIXED_BODY.get(kind, size) != size:
            return "scapy has but one length for type 0x%02x" % kind
    pad = -(len(row.data) + 2) % 8  # that many Pad1 make it a header
    head = bytes([59, (2 + len(row.data) + pad) // 8 - 1])
    options = dest_opt(head + row.data + bytes(pad)).options
    options = options[:len(options) - pad]
    require(len(names) == len(options), row.id, "scapy has", len(options))
    return [pair for i, option in enumerate(options) for pair in (
        ("ip6opt[%d].type" % i, option.otype),
        ("ip6opt[%d].body" % i, bytes(option)[2:].hex()))]


def compare(row, values):
    """Whether scapy could; ends the program if it sees something else."""
    if isinstance(values, str):
        print("vectors:", row.id, "skipped:", values)
        return False
    for key, theirs in values:
        text = row.keys.pop(key, "0" if isinstance(theirs, int) else "-")
        ours = int(text, 0) if isinstance(theirs, int) else text.replace("-", "")
        require(ours == theirs, row.id, key, "is", text, "and scapy has", theirs)
    require(not row.keys, row.id, "has what scapy has not:", *row.keys)
    return True


def reaction_rows():
    """The frames of reaction_point.vec that a gate reads a CNP from, each a row."""
    text = re.sub(r"#.*", "", (HERE / "reaction_point.vec").read_text("ascii"))
    for line in re.sub(r"\s*\n[ \t]+(?=\S)", " ", text).splitlines():
        left, _, right = line.partition("|")
        words = left.split()
        keys = dict(p.split("=") for p in right.split() if "=" in p)
        if words[1:3] == ["call", "reaction_point"] and "cnp.src" in keys:
            yield types.SimpleNamespace(id=words[0], keys=keys,
                                        data=bytes.fromhex("".join(words[4:])))


def reaction_values(row):
    """What scapy reads in a CNP, by the names that the row has."""
    first = {MACS[:1]: Ether, b"\x45": IP, b"\x46": IP}.get(row.data[:1], IPv6)
    peer = first(row.data)
    ip = [part for part in peer.iterpayloads() if isinstance(part, (IP, IPv6))][-1]
    v6 = isinstance(ip, IPv6)
    udp = peer.getlayer(UDP)
    b = BTH(bytes(udp.payload)) if udp else None
    if row.id.startswith("told-i"):  # 68 bytes of INT, or 4 of IFA, after UDP
        at = len(row.data) - 32
        before = 68 if row.id.startswith("told-int") else 4
        udp, b = UDP(row.data[at - before - 8:at]), BTH(row.data[at:])
    mapped = "" if v6 else "::ffff:"
    yield from (("src", mapped + ip.src), ("dst", mapped + ip.dst))
    traffic = ip.tc if v6 else ip.tos
    yield from (("dscp", traffic >> 2), ("ecn", traffic & 3))
    yield from (("hop_limit", ip.hlim if v6 else ip.ttl),
                ("flow_label", ip.fl if v6 else 0), ("identification", 0 if v6 else ip.id),
                ("src_port", udp.sport), ("udp_checksum", int(udp.chksum != 0)),
                ("pkey", b.pkey), ("fecn", b.fecn), ("becn", b.becn), ("dest_qp", b.dqpn))


def check_reaction():
    """How many members of CNPs scapy reads as the rows have them."""
    compared = 0
    for row in reaction_rows():
        for key, theirs in reaction_values(row):
            text = row.keys.get("cnp." + key, "0")
            ours = text if isinstance(theirs, str) else int(text, 0)
            if text == "0" and isinstance(theirs, str):
                ours = "::"
            require(ours == theirs, row.id, "cnp." + key, "is", text, "and scapy has",
                    theirs)
            compared += 1
    require(compared, "reaction_point.vec has no CNP")
    return compared


def check():
    every = []
    for name, noun, values in (("bth.vec", "bth", bth_values),
                               ("ip6opt.vec", "ip6opts", ip6opts_values),
                               ("ip6opt.vec", "ip6opt", ip6opt_values)):
        done = [compare(row, values(row)) for row in ok_rows(name, noun)]
        require(any(done), name, "has no", noun, "row to compare")
        every += done
    print("vectors: %d rows skipped" % every.count(False))
    print("vectors: scapy reads %d members of CNPs as reaction_point.vec has them"
          % check_reaction())
    print("vectors: %d rows compared with scapy %s, %d pcaps identical"
          % (every.count(True), scapy.VERSION, check_pcaps()))


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        check()
    elif len(sys.argv) > 2 or sys.argv[1:2] and sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    else:
        generate(pathlib.Path((sys.argv + [HERE / "pcap"])[1]))
