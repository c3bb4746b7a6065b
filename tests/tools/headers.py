#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""headers.py ROCEDUMP SCRAPS - Checks rocedump on packets whose outer and inner headers
have no member in common (tests/lib/two_headers.h): IP in IP, VXLAN, a GRH, and frames out
of order. A number from the wrong header fails. The expected values are worked out by hand
from the frames."""
import ipaddress
import json
import pathlib
import struct
import subprocess
import sys
import zlib

dump, scraps = sys.argv[1], pathlib.Path(sys.argv[2])
bad = checks = 0
START = 10 ** 18  # ns, of the first interval


def same(what, got, want):
    global bad, checks
    checks += 1
    if got != want:
        print(f"headers: {what}: {got}, and not {want}")
        bad += 1


# ---- frames

class Side:
    def __init__(self, mac, tags, dscp, ecn, hops, ident, flags, label, v4, v6, port,
                 checksum):
        self.__dict__.update(locals())

    def back(self):
        """Returns the side with addresses swapped."""
        s = Side(*[None] * 12)
        s.__dict__.update(self.__dict__)
        s.v4, s.v6, s.mac = self.v4[::-1], self.v6[::-1], self.mac[::-1]
        return s


OUTER = Side(("02000000 0a05", "02000000 0a0d"), "88a8 a111 8100 6222", 10, 3, 201,
             0x1a1a, 0x4000, 0xa1b2c, ("192.0.2.1", "198.51.100.2"),
             ("2001:db8:a::1", "2001:db8:b::2"), 0xaaaa, 0xdead)
INNER = Side(("02000000 0105", "02000000 010d"), "8100 4333", 26, 2, 55, 0x2b2b, 0,
             0x5d4e3, ("10.1.0.3", "10.2.0.4"), ("2001:db8:c::3", "2001:db8:d::4"),
             0xc123, 0)
PAIRS = [(4, 4), (4, 6), (6, 4), (6, 6)]


def ip(s, version, proto, payload, ecn=None, dscp=None, masked=False):
    tos = (s.dscp if dscp is None else dscp) << 2 | (s.ecn if ecn is None else ecn)
    src, dst = (ipaddress.ip_address(a).packed for a in (s.v4 if version == 4 else s.v6))
    if version == 4:
        h = bytearray(struct.pack(">BBHHHBBH", 0x45, tos, 20 + len(payload), s.ident,
                                  s.flags, s.hops, proto, 0) + src + dst)
        total = sum(struct.unpack(">10H", h))
        total = (total & 0xffff) + (total >> 16)
        h[10:12] = struct.pack(">H", 0xffff - (total & 0xffff) - (total >> 16))
        if masked:
            h[1] = h[8] = h[10] = h[11] = 0xff
    else:
        h = bytearray(struct.pack(">IHBB", 6 << 28 | tos << 20 | s.label, len(payload),
                                  proto, s.hops) + src + dst)
        if masked:
            h[0], h[1:4], h[7] = h[0] | 15, b"\xff\xff\xff", 0xff
    return bytes(h) + payload


def udp(s, port, payload):
    return struct.pack(">HHHH", s.port, port, 8 + len(payload), s.checksum) + payload


def ether(s, kind, payload):
    return bytes.fromhex(s.mac[1] + s.mac[0] + s.tags + kind) + payload


def kind_of(version):
    return "0800" if version == 4 else "86dd"


def bth(opcode, qp, psn, rest):
    return struct.pack(">BBHII", opcode, 0x40, 0x8001, qp, psn) + rest


def icrc(network, whole):
    """Returns the ICRC over the masked packet (IBTA A17.3.3)."""
    at = len(network)
    m = bytearray(whole)
    m[:at] = network
    if at in (20, 40) and whole[at + 2:at + 4] == b"\x12\xb7":
        m[at + 6] = m[at + 7] = 0xff
        at += 8
    m[at + 4] = 0xff
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + bytes(m)))


def roce(s, version, opcode, qp, psn, rest, ecn=None, dscp=None):
    """Returns a RoCEv2 packet from IP through the ICRC."""
    upper = udp(s, 4791, bth(opcode, qp, psn, rest) + bytes(4))
    whole = ip(s, version, 17, upper, ecn, dscp)
    n = 20 if version == 4 else 40
    masked = ip(s, version, 17, upper, ecn, dscp, True)[:n]
    return whole[:-4] + icrc(masked, whole[:-4])


def data(s, version, psn, ecn, qp=0x456):
    return roce(s, version, 4, qp, psn, bytes(range(8)), ecn)


def cnp(s, version, qp=0x21):
    """Returns a CNP that was marked CE. This mark is not a mark of data."""
    return roce(s, version, 0x81, qp, 0, bytes(16), 3, 48)


def grh(s, opcode, qp, psn, rest, ecn):
    """Returns a RoCEv1 packet. A GRH is an IPv6 header with Next Header 0x1b."""
    upper = bth(opcode, qp, psn, rest) + bytes(4)
    whole = ip(s, 6, 0x1b, upper, ecn)
    return whole[:-4] + icrc(ip(s, 6, 0x1b, upper, ecn, None, True)[:40], whole[:-4])


def tunnel(s, version, packet, ecn=None, dscp=None):
    proto = 4 if packet[0] >> 4 == 4 else 41
    return ether(s, kind_of(version), ip(s, version, proto, packet, ecn, dscp))


def vxlan(s, version, frame, ecn=None):
    shim = bytes.fromhex("0800000000000700")
    return ether(s, kind_of(version),
                 ip(s, version, 17, udp(s, 4789, shim + frame), ecn))


def write(name, frames):
    """Writes a capture of frames and their times in us after START."""
    out = struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 262144, 1)
    for us, f in frames:
        t = START + us * 1000
        out += struct.pack("<IIII", t // 10 ** 9, t % 10 ** 9, len(f), len(f)) + f
    (scraps / name).write_bytes(out)
    return scraps / name


# ---- the output of rocedump

def run(path, *options):
    done = subprocess.run([dump, *options, str(path)], capture_output=True, text=True)
    if done.returncode != 0:
        same(f"{path.name} {options}", done.stderr, "exit status 0")
    return done.stdout


def objects(path, *options):
    return [json.loads(line) for line in run(path, *options).splitlines()]


def flows(path):
    return {(f.get("src", f.get("mac")), f.get("dst"), f.get("dest_qp")): f
            for f in objects(path, "--flows", "--json") if "unplaced" not in f}


def has(what, got, want):
    """Compares the named members of an object."""
    for name, value in want.items():
        same(f"{what}: {name}", got.get(name, "not there"), value)


def rows(path, *options):
    """Returns the rows of a timeline."""
    return run(path, *options).splitlines()[1:]


def summary(path, *options):
    """Returns the numbers of a summary by their texts."""
    text = run(path, "--summary", *options)
    lines = [line.split(None, 1) for line in text.splitlines()]
    return {text.strip(): int(n) for n, text in lines}


# ---- two IP headers

def ends(s, version):
    return s.v4 if version == 4 else s.v6


def six(outer, inner, wrap, inside):
    """Returns data at 0, 1, 2 and 3 us, whose inner and outer ECN always differ, and a CNP
    that comes back at 5 us."""
    frames = []
    for us, o, e in ((0, 3, 2), (1, 2, 3), (2, 0, 3), (3, 3, 0)):
        packet = inside(INNER, inner, data(INNER, inner, 100 + us, e))
        frames.append((us, wrap(OUTER, outer, packet, o)))
    back = inside(INNER.back(), inner, cnp(INNER.back(), inner))
    return frames + [(5, wrap(OUTER.back(), outer, back, 0))]


def six_flows(name, path, inner):
    """A data packet has 28 or 48 bytes of IP and UDP, 12 of BTH, 8 of payload and 4 of
    ICRC. A CNP has 8 bytes more. Two data packets are CE in the inner header, and the
    first of them comes at 1 us."""
    n = 52 if inner == 4 else 72
    src, dst = ends(INNER, inner)
    seen = flows(path)
    same(f"{name}: flows", sorted(seen), sorted([(src, dst, 0x456), (dst, src, 0x21)]))
    has(f"{name}, data", seen.get((src, dst, 0x456), {}), {
        "packets": 4, "bytes": 4 * n, "ce": 2, "first_ns": START, "dscp": [26],
        "last_ns": START + 3000, "first_ce_ns": START + 1000, "cnps": 1,
        "services": ["rc"], "cnp": None})
    back = seen.get((dst, src, 0x21), {})
    has(f"{name}, CNPs", back, {"packets": 1, "bytes": n + 8, "ce": 0, "dscp": []})
    has(f"{name}, what they are", back.get("cnp") or {}, {
        "packets": 1, "dscp": [48], "known_by": "only", "ce_to_cnp_ns": 4000,
        "first_cnp_ns": START + 5000, "answers": {"dst": dst, "dest_qp": 0x456}})
    same(f"{name}: timeline", rows(path, "--timeline=2us"), [
        f"0.000000000,{src},{dst},1110,2,{2 * n},1,0,0,0,0,",
        f"0.000002000,{src},{dst},1110,2,{2 * n},1,0,0,0,0,",
        f"0.000004000,{dst},{src},33,1,{n + 8},0,1,0,0,0,4.000"])
    text = run(path, "--flows").splitlines()
    same(f"{name}: row", text[1].split() if len(text) > 1 else [], [
        src, dst, "0x000456", "RC", "4", "0", str(4 * n), "50.00", "1", "0", "0", "0", "0",
        "0", "0", "0", "0", "0", "26"])
    # One data packet is Not-ECT and one ECT(0). Two data packets and the CNP are CE.
    has(f"{name}: summary", summary(path), {
        "RoCEv2": 5, "CNPs": 1, "ECN Not-ECT": 1, "ECN ECT(0)": 1, "ECN CE": 3,
        "ICRC ok": 5, "ICRC wrong": 0, "RoCEv1": 0, "UDP": 0,
        "opcode 0x81 RoCEv2 CNP": 1})


def layer(s, version, ecn, length, proto):
    """Returns the members of an IP header in JSON."""
    src, dst = ends(s, version)
    both = {"dscp": s.dscp, "ecn": ecn, "src": src, "dst": dst}
    if version == 4:
        return dict(both, total_length=length, identification=s.ident, ttl=s.hops,
                    protocol=proto, df=s.flags != 0)
    return dict(both, flow_label=s.label, payload_length=length - 40, next_header=proto,
                hop_limit=s.hops)


def layers_of(frame, version):
    return frame.get(f"ipv{version}", [])


def in_ip(outer, inner):
    name = f"IPv{inner} in IPv{outer}"
    path = write(f"headers-{outer}{inner}.pcap",
                 six(outer, inner, tunnel, lambda s, v, packet: packet))
    six_flows(name, path, inner)
    n, around = (52 if inner == 4 else 72), (20 if outer == 4 else 40)
    proto = 4 if inner == 4 else 41
    frames = objects(path, "--json")
    for frame, o, e in zip(frames[:4], (3, 2, 0, 3), (2, 3, 3, 0)):
        same(f"{name}: stack", frame["stack"], ["ether", "vlan", "vlan", f"ipv{outer}",
             f"ipv{inner}", "udp", "bth", "payload", "icrc"])
        first, last = layers_of(frame, outer)[0], layers_of(frame, inner)[-1]
        has(f"{name}: outer", first, layer(OUTER, outer, o, n + around, proto))
        has(f"{name}: inner", last, layer(INNER, inner, e, n, 17))
        same(f"{name}: ICRC", frame["icrc"]["ok"], True)
        same(f"{name}: tags", [(v["pcp"], v["vid"]) for v in frame["vlan"]],
             [(5, 0x111), (3, 0x222)])
    keys = [f"ipv{outer}[0].ecn", f"ipv{inner}[{int(outer == inner)}].ecn",
            f"ipv{outer}[0].src", f"ipv{inner}[{int(outer == inner)}].src"]
    first = [ends(OUTER, outer)[0], ends(INNER, inner)[0]]
    back = [ends(OUTER, outer)[1], ends(INNER, inner)[1]]
    same(f"{name}: --csv", run(path, "--csv", ",".join(keys)).splitlines()[1:],
         [",".join(["3", "2"] + first), ",".join(["2", "3"] + first),
          ",".join(["0", "3"] + first), ",".join(["3", "0"] + first),
          ",".join(["0", "3"] + back)])
    # == must hold for one layer of a name, and != for all of them.
    same(f"{name}: -Y", [len(objects(path, "--json", "-Y", f"ipv{v}.ecn{op}3"))
                         for v, op in ((inner, "=="), (inner, "!="), (outer, "=="))],
         [5, 0, 5] if outer == inner else [3, 2, 2])
    text = run(path)
    src = ends(INNER, inner)[0]
    same(f"{name}: the node asked to slow down", f"asks {src} to lower the rate" in text, True)
    tunnels = f"a tunnel from {OUTER.v6[0]} to {OUTER.v6[1]}\n"
    same(f"{name}: tunnels", text.count(tunnels), 4 if outer == 6 else 0)
    same(f"{name}: other tunnels", text.count("a tunnel from "), 5 if outer == 6 else 0)


def in_vxlan(outer, inner):
    """Packets in overlays count as other packets, and the summary counts the overlay."""
    name = f"IPv{inner} in VXLAN over IPv{outer}"
    path = write(f"headers-vxlan{outer}{inner}.pcap",
                 six(outer, inner, vxlan, lambda s, v, p: ether(s, kind_of(v), p)))
    six_flows(name, path, inner)
    same(f"{name}: summary", summary(path).get("in vxlan"), 5)
    n, around = (52 if inner == 4 else 72), (20 if outer == 4 else 40) + 8 + 8 + 18
    for frame, o, e in zip(objects(path, "--json")[:4], (3, 2, 0, 3), (2, 3, 3, 0)):
        within = frame.get("inner", {})
        has(f"{name}: outer", layers_of(frame, outer)[0],
            layer(OUTER, outer, o, n + around, 17))
        has(f"{name}: inner", layers_of(within, inner)[0], layer(INNER, inner, e, n, 17))
        has(f"{name}: outer UDP", frame["udp"][0], {"src_port": 0xaaaa, "dst_port": 4789,
                                                    "checksum": 0xdead})
        has(f"{name}: inner UDP", within["udp"][0], {"src_port": 0xc123,
                                                     "dst_port": 4791, "checksum": 0})
        same(f"{name}: MACs", [frame["ether"]["src"], within["ether"]["src"],
                               frame["ether"]["dst"], within["ether"]["dst"]],
             ["02:00:00:00:" + x for x in ("0a:05", "01:05", "0a:0d", "01:0d")])
        same(f"{name}: tags", [v["vid"] for v in frame["vlan"] + within["vlan"]],
             [0x111, 0x222, 0x333])
        same(f"{name}: ICRC", within["icrc"]["ok"], True)


# ---- a GRH

def a_grh():
    """The GRH has the ECN of RoCEv1, and each packet has 40 + 24 bytes. In VXLAN the outer
    ECN differs."""
    marks = ((0, 3, 2), (1, 2, 3), (2, 0, 3), (3, 3, 0))
    for outer in (None, 4, 6):
        name = f"GRH in {outer}"
        frames = []
        for us, o, e in marks:
            f = ether(INNER, "8915", grh(INNER, 4, 0x456, 100 + us, bytes(8), e))
            frames.append((us, f if outer is None else vxlan(OUTER, outer, f, o)))
        path = write(f"headers-grh{outer}.pcap", frames)
        seen = flows(path)
        src, dst = INNER.v6
        same(f"{name}: flows", list(seen), [(src, dst, 0x456)])
        has(name, seen.get((src, dst, 0x456), {}), {
            "packets": 4, "bytes": 4 * 64, "ce": 2, "first_ce_ns": START + 1000,
            "dscp": [26], "last_ns": START + 3000})
        same(f"{name}: timeline", rows(path, "--timeline=2us"), [
            f"0.000000000,{src},{dst},1110,2,128,1,0,0,0,0,",
            f"0.000002000,{src},{dst},1110,2,128,1,0,0,0,0,"])
        counts = summary(path)
        has(f"{name}: summary", counts, {"RoCEv1": 4, "RoCEv2": 0, "ICRC ok": 4})
        same(f"{name}: ECN is of RoCEv2", [t for t in counts if t.startswith("ECN")], [])
        for frame, (us, o, e) in zip(objects(path, "--json"), marks):
            within = frame if outer is None else frame["inner"]
            has(f"{name}: {us}", within.get("grh", {}), {
                "t_class": 26 << 2 | e, "flow_label": 0x5d4e3, "pay_len": 24,
                "hop_lmt": 55, "sgid": src, "dgid": dst})
            if outer is not None:
                same(f"{name}: around", layers_of(frame, outer)[0]["ecn"], o)


# ---- frames out of order

def reordered():
    """Data comes in this order at 50 (CE), 10, 30 (CE), 70 (CE) and 40 us, and CNPs at 20,
    90, 60 and 80 us. The first CE by time is at 30 us, and it is not the first in the
    file or by PSN. The first CNP after it comes at 60 us. The CNPs are 40, 20 and 10 us
    apart."""
    c, b = [], INNER.back()
    for us, psn, ecn in ((50, 4, 3), (10, 6, 2), (30, 5, 3), (70, 3, 3), (40, 7, 2)):
        c.append((us, ether(INNER, "0800", data(INNER, 4, psn, ecn))))
    for us in (20, 90, 60, 80):
        c.append((us, ether(b, "0800", cnp(b, 4))))
    order = [c[i] for i in (0, 5, 1, 6, 2, 7, 3, 8, 4)]
    path = write("headers-reordered.pcap", order)
    seen, (src, dst) = flows(path), INNER.v4
    has("reordered data", seen.get((src, dst, 0x456), {}), {
        "packets": 5, "ce": 3, "first_ns": START + 10000, "last_ns": START + 70000,
        "first_ce_ns": START + 30000, "cnps": 4})
    has("reordered CNPs", (seen.get((dst, src, 0x21)) or {}).get("cnp") or {}, {
        "packets": 4, "first_cnp_ns": START + 60000, "ce_to_cnp_ns": 30000,
        "least_apart_ns": 10000, "median_apart_ns": 20000})
    # Interval 0 begins at 50 us, and the others at 10, 30, 70 and 90 us.
    same("reordered timeline", rows(path, "--timeline=20us"), [
        f"-0.000040000,{src},{dst},1110,1,52,0,0,0,0,0,",
        f"-0.000040000,{dst},{src},33,1,60,0,1,0,0,0,",
        f"-0.000020000,{src},{dst},1110,2,104,1,0,0,0,0,",
        f"0.000000000,{src},{dst},1110,1,52,1,0,0,0,0,",
        f"0.000000000,{dst},{src},33,1,60,0,1,0,0,0,30.000",
        f"0.000020000,{src},{dst},1110,1,52,1,0,0,0,0,",
        f"0.000020000,{dst},{src},33,1,60,0,1,0,0,0,",
        f"0.000040000,{dst},{src},33,1,60,0,1,0,0,0,"])
    text = run(path, "--flows").split("\n\n")
    cells = text[1].splitlines()[1].split() if len(text) > 1 else []
    same("reordered text", cells, [dst, src, "0x000021", "4", "48", "10.000", "20.000",
                                   "0x000456", "30.000", "only"])


# ---- notifications

def checksum(s, version, proto, payload):
    """Returns the checksum with the pseudo-header of one side's addresses."""
    total = b"".join(ipaddress.ip_address(a).packed for a in ends(s, version))
    total += struct.pack(">II", len(payload), proto) + payload + b"\0"
    total = sum(struct.unpack(f">{len(total) // 2}H", total[:len(total) // 2 * 2]))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return struct.pack(">H", 0xffff - total)


def messages():
    """Checks notifications in a tunnel. Their checksums cover the inner addresses."""
    arn = bytearray(udp(INNER, 51967, bytes.fromhex("01100000")))
    arn[6:8] = checksum(INNER, 4, 17, bytes(arn))
    cnm = bytearray(udp(INNER, 51966, bytes.fromhex(
        "4c511411002c1400c12412b70a0200040a010003"
        "001a00112233445566770000000000000000000000000000")))
    cnm[6:8] = checksum(INNER, 4, 17, bytes(cnm))
    option = bytes.fromhex("11029e1020010db800110000000000000000001101020000")
    fast = udp(INNER, 4791, bth(0x81, 0x456, 0, bytes(20)))
    sent = bytearray(ip(INNER, 6, 60, option + fast, 0, 48))  # from the error's destination
    sent[8:24], sent[24:40] = sent[24:40], sent[8:24]
    problem = bytearray(bytes.fromhex("040200000000002a") + sent)
    problem[2:4] = checksum(INNER, 6, 58, bytes(problem))
    pause = bytes.fromhex("0180c2000001020000000105880801010001ffff") + bytes(40)
    trimmed = data(INNER, 4, 1, 3)[:40]
    trimmed = ip(INNER, 4, 17, trimmed[20:], 3)
    path = write("headers-messages.pcap", [
        (0, tunnel(OUTER, 6, ip(INNER, 4, 17, bytes(arn)))),
        (1, tunnel(OUTER, 6, ip(INNER, 4, 17, bytes(cnm)))),
        (2, tunnel(OUTER, 6, ip(INNER, 6, 58, bytes(problem)))),
        (3, tunnel(OUTER, 6, ip(INNER, 6, 60, option + fast, 0, 48))),
        (4, vxlan(OUTER, 4, pause)),
        (5, tunnel(OUTER, 6, trimmed))])
    f = objects(path, "--json")
    same("messages", [x["status"] for x in f], ["ok"] * 6)
    same("a private CNM's checksum", f[1].get("l3qcn", {}).get("checksum_ok"), True)
    same("ICMPv6's checksum", f[2].get("icmp", {}).get("ok"), True)
    same("the trimmed packet", f[5].get("partial"), {"why": "trimmed", "missing": 12})
    has("messages: summary", summary(path), {
        "RoCEv2": 2, "CNPs": 1, "plain Fast CNPs": 1, "trimmed by a switch": 1,
        "private CNMs": 1, "ARNs": 1, "PFC": 1, "in vxlan": 1, "UDP": 2, "other": 2,
        "ICMPv6 Parameter Problems of a Fast CNP": 1})
    seen = flows(path)
    has("a Fast CNP's flow", seen.get((INNER.v6[0], INNER.v6[1], 0x456), {}), {
        "packets": 1, "bytes": 104, "dscp": []})
    fast = seen.get((INNER.v6[0], INNER.v6[1], 0x456)) or {}
    has("a Fast CNP", fast.get("cnp") or {}, {"fast": True, "dscp": [48]})
    has("a trimmed packet's flow", seen.get((INNER.v4[0], INNER.v4[1], 0x456), {}), {
        "packets": 1, "bytes": 40, "ce": 1, "trimmed": 1, "dscp": [26]})
    has("PFC's flow", seen.get(("02:00:00:00:01:05", None, None), {}), {"pauses": 1})
    text = run(path)
    same("a request to slow", f"the switch {INNER.v6[0]} asks {INNER.v6[1]} to slow" in text,
         True)
    same("the node without Fast CNP", f"{INNER.v6[0]} does not support Fast CNP" in text, True)


# ---- the source that --judge shows

def judges():
    lists = {}
    for name, hosts in (("inner", (INNER.v4[0], INNER.v6[0])),
                        ("outer", (OUTER.v4[0], OUTER.v6[0]))):
        lists[name] = scraps / f"headers-{name}.list"
        lists[name].write_text("".join(f"{h} tag=7\n" for h in hosts))
    path = write("headers-judge.pcap", [
        (i, tunnel(OUTER, outer, cnp(INNER, inner))) for i, (outer, inner)
        in enumerate(PAIRS)])
    c = ["--json", "--judge", "reaction", "--config", "reaction.tunnels=1", "--config",
         "reaction.ordinary_listed=1", "--config", "reaction.check_icrc=1"]
    for name, verdict in (("inner", "ORDINARY"), ("outer", "ACCESS_DENIED")):
        said = [f["judge"] for f in objects(path, *c, "--access", str(lists[name]))]
        same(f"judge, {name}", [j["verdict"] for j in said], [verdict] * 4)
        same(f"judge, {name}: src", [j["src"] for j in said],
             [("::ffff:" if inner == 4 else "") + ends(INNER, inner)[0]
              for _, inner in PAIRS])


# ---- the header at the end of the stack of layers

def three():
    third = Side(("", ""), "", 1, 1, 9, 0x3c3c, 0, 0x11111, ("172.16.0.5", "172.16.0.6"),
                 ("2001:db8:e::5", "2001:db8:f::6"), 1, 0)
    for outer, inner in PAIRS:
        for last in (4, 6):
            name = f"IPv{last} in IPv{inner} in IPv{outer}"
            packet = ip(third, last, 17, udp(third, 9, bytes(8)))
            middle = ip(INNER, inner, 4 if last == 4 else 41, packet)
            path = write("headers-three.pcap", [(0, tunnel(OUTER, outer, middle))])
            has(name, objects(path, "--json")[0], {"status": "unsupported",
                                                   "at": f"ipv{last}"})
            src, dst = ends(third, last)
            length = ("header of 20 bytes, total length 36 of 36, protocol 17"
                      if last == 4 else "payload length 16 of 16, next header 17")
            same(f"{name}: text", f"    version {last}, {length}: {src} > {dst}\n" in
                 run(path), True)


def broken():
    """The inner header is broken. IPv4 has Total Length 8, and IPv6 has version 5."""
    for outer, inner in PAIRS:
        name = f"a broken IPv{inner} in IPv{outer}"
        packet = bytearray(data(INNER, inner, 0, 2))
        if inner == 4:
            packet[3] = 8
        else:
            packet[0] = 0x56
        wrapped = tunnel(OUTER, outer, data(INNER, inner, 0, 2))
        path = write("headers-broken.pcap",
                     [(0, wrapped[:-len(packet)] + bytes(packet))])
        has(name, objects(path, "--json")[0], {"status": "format", "at": f"ipv{inner}"})
        src, dst = ends(INNER, inner)
        length = ("version 4, header of 20 bytes, total length 8 of 52, protocol 17"
                  if inner == 4 else
                  "version 5, payload length 32 of 32, next header 17")
        same(f"{name}: text", f"    {length}: {src} > {dst}\n" in run(path), True)


for pair in PAIRS:
    in_ip(*pair)
    in_vxlan(*pair)
a_grh()
reordered()
messages()
judges()
three()
broken()
print(f"headers: {checks} numbers and names are those of the right header")
sys.exit(bad != 0)
