#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""flows.py ROCEDUMP SCRAPS: compares --flows and --timeline with tshark's fields of the same
captures, and --csv with --json. The fields are counted here without rocedump's code, and
with a set of every PSN. The captures are made here, so the data that CNPs answer is known.
They have gaps, reordering, doubled packets, NAKs, CE, CNPs, trimmed packets, READ, UD, IPv6,
VXLAN, and two hosts that connect."""
import collections
import csv
import ipaddress
import json
import os
import pathlib
import random
import re
import shutil
import statistics
import struct
import subprocess
import sys

dump, scraps = sys.argv[1], pathlib.Path(sys.argv[2])
if shutil.which("tshark") is None:
    print("flows: no tshark here: skipped")
    sys.exit(1 if os.environ.get("CI") else 0)
pick = random.Random(21)
bad = 0
CNP, WRITE, SEND, READ, ACK = 0x81, 0x0a, 0x04, 0x0c, 0x11
FIRST, MIDDLE, LAST, UD_SEND = 0x0d, 0x0e, 0x0f, 0x64
WINDOW, SPACE, RESTART = 2048, 1 << 24, 8
SERVICES = "RC UC RD UD CNP XRC".split()
REASONS = "later_fragments short format unsupported no_addresses sampled".split()


def fail(text):
    global bad
    print("flows: " + text)
    bad += 1


# ---- captures

class Capture:
    link = 1  # Ethernet

    def __init__(self, name):
        self.path, self.frames, self.now = scraps / name, [], 10 ** 18

    def add(self, frame, after_ns=1000, snap=None):
        """Adds a frame, of which the capture has `snap` bytes."""
        self.now += after_ns
        self.frames.append((self.now, frame[:snap], len(frame)))

    def write(self):
        data = [struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 262144, self.link)]
        for t, f, n in self.frames:
            data.append(struct.pack("<IIII", t // 10 ** 9, t % 10 ** 9, len(f), n) + f)
        self.path.write_bytes(b"".join(data))
        return self.path


def ip(src, dst, payload, tos, proto=17):
    s, d = ipaddress.ip_address(src), ipaddress.ip_address(dst)
    if s.version == 4:
        return struct.pack(">BBHHHBBH", 0x45, tos, 20 + len(payload), 0, 0x4000, 64,
                           proto, 0) + s.packed + d.packed + payload
    return struct.pack(">IHBB", 6 << 28 | tos << 20, len(payload), proto, 64) + \
        s.packed + d.packed + payload


def ether(packet):
    kind = 0x0800 if packet[0] >> 4 == 4 else 0x86dd
    return bytes([2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1]) + struct.pack(">H", kind) + packet


def udp(payload, port, length=None):
    return struct.pack(">HHHH", 49152, port, 8 + len(payload) if length is None
                       else length, 0) + payload


def roce(src, dst, opcode, qp, psn, ext=b"", payload=b"", ecn=2, dscp=26, cut=0):
    """Returns a frame. A switch has cut away `cut` bytes, including the ICRC."""
    bth = struct.pack(">BBHII", opcode, 0x40, 0xffff, qp, psn % SPACE)
    rest = ext + payload + bytes(4)
    whole = 8 + len(bth) + len(rest)
    if cut:
        rest = rest[:len(rest) - cut]
    return ether(ip(src, dst, udp(bth + rest, 4791, whole), dscp << 2 | ecn))


def vxlan(frame):
    return ether(ip("172.16.0.1", "172.16.0.2",
                    udp(struct.pack(">II", 8 << 24, 7 << 8) + frame, 4789), 0))


def cnp(src, dst, qp, dscp=48):
    return roce(src, dst, CNP, qp, 0, payload=bytes(16), dscp=dscp)


def ack(src, dst, qp, psn, syndrome=0):
    return roce(src, dst, ACK, qp, psn, ext=struct.pack(">I", syndrome << 24 | 1))


def reth(n):
    return struct.pack(">QII", 4096, 1, n)


def messy(src, dst, qp, psn, count):
    """Yields WRITEs with gaps, and late, doubled, marked and trimmed ones."""
    psns = [psn + i for i in range(count) if pick.random() > 0.02]
    for _ in range(count // 20):
        i = pick.randrange(len(psns))
        psns.insert(min(len(psns), i + pick.randrange(1, 40)), psns[i])
        j = pick.randrange(len(psns))
        psns.insert(max(0, j - pick.randrange(30)), psns.pop(j))
    for n in psns:
        yield roce(src, dst, WRITE, qp, n, reth(64), bytes(64),
                   ecn=pick.choice([2, 2, 2, 3]), dscp=pick.choice([26, 26, 26, 10]),
                   cut=68 if pick.random() < 0.03 else 0)


def mixed():
    """Writes three pairs of hosts at once, the second one in VXLAN."""
    c, a, b = Capture("flows-mixed.pcap"), "10.0.0.1", "10.0.0.2"
    queues = [list(messy(a, b, 0x1234, SPACE - 300, 900)),  # across 0
              [vxlan(f) for f in messy("10.1.0.1", "10.1.0.2", 0x77, 5, 500)],
              list(messy("2001:db8::1", "2001:db8::2", 0xabc, 70000, 700))]
    back = [(b, a, 0x21), ("10.1.0.2", "10.1.0.1", 0x22),
            ("2001:db8::2", "2001:db8::1", 0x23)]
    while any(queues):
        k = pick.choice([i for i in range(3) if queues[i]])
        c.add(queues[k].pop(0), pick.randrange(-3000, 5000))
        if pick.random() < 0.1:
            c.add(cnp(*back[k], dscp=pick.choice([48, 46])), pick.randrange(4000))
        if pick.random() < 0.05:
            c.add(ack(*back[k], pick.randrange(SPACE), pick.choice([0, 0x60, 0x61, 0x2c])),
                  pick.randrange(4000))
    answers = {(back[i][0], back[i][2]): (qp, "only")
               for i, qp in enumerate((0x1234, 0x77, 0xabc))}
    return c.write(), answers


def reads():
    """Writes READ requests and responses with holes, and UD from two QPs to one."""
    c, a, b, psn = Capture("flows-reads.pcap"), "10.0.0.1", "10.0.0.2", 100
    for i in range(40):
        n = pick.choice([0, 100, 256, 1000, 5000])
        c.add(roce(a, b, READ, 0x55, psn, reth(n)))
        parts = max(1, (n + 999) // 1000)
        for k in range(parts):
            op = 0x10 if parts == 1 else FIRST if k == 0 else LAST if k == parts - 1 \
                else MIDDLE
            ext = b"" if op == MIDDLE else bytes(4)
            if (i, k) not in ((7, 2), (20, 0)) and pick.random() > 0.05:
                c.add(roce(b, a, op, 0x66, psn + k, ext, bytes(min(n, 1000) // 4 * 4)))
        psn += parts
        if i == 25:
            psn += 30
    for k in (0x500, 0x501):
        c.add(roce(a, b, UD_SEND, 0x99, pick.randrange(SPACE),
                   struct.pack(">II", 1, k), bytes(32)))
    return c.write(), {}


def numbers():
    """Writes many QPs between two hosts, with CNPs that answer known or unknown data."""
    c, a, b = Capture("flows-numbers.pcap"), "10.0.0.1", "10.0.0.2"
    rows = re.sub(r"#.*", "", pathlib.Path("vectors/qpn.vec").read_text())
    rows = re.sub(r"\n[ \t]+(?=\S)", " ", rows)
    for name in ("req", "rep", "rtu"):  # QP 0x123456 of A with QP 0x789abc of B
        m = re.search(rf"^connect-Q-1-{name} call \S+ ok ([0-9a-f ]+)\|", rows, re.M)
        c.add(bytes.fromhex(m[1]))
    for i in range(30):
        for qp, psn in ((0x789abc, 9), (0x31, 5000), (0x32, 900000), (0x33, 900100),
                        (0x34, 2000000)):
            c.add(roce(a, b, WRITE, qp, psn + i, reth(64), bytes(64), ecn=2 + (i > 9)))
        c.add(ack(b, a, 0x41, 5000 + i))    # fits only 0x31
        c.add(ack(b, a, 0x42, 900000 + i))  # fits 0x32 and 0x33
        if i > 10:
            for qp in (0x123456, 0x41, 0x42, 0x44):
                c.add(cnp(b, a, qp))
    e, f = "10.2.0.1", "10.2.0.2"  # one flow of data, CNPs to two QPs
    c.add(roce(e, f, WRITE, 0x51, 1, reth(64), bytes(64), ecn=3))
    for qp in (0x61, 0x62, 0x61, 0x62):
        c.add(cnp(f, e, qp))
    for i, dscp in enumerate((0, 10, 26, 46)):  # data and CNPs to one QP
        c.add(roce(f, e, WRITE, 0x61, i, reth(64), bytes(64), ecn=2 + i // 3, dscp=dscp))
    return c.write(), {(f, 0x61): (None, "unknown"), (f, 0x62): (None, "unknown"),
                       (b, 0x123456): (0x789abc, "cm"), (b, 0x41): (0x31, "psn"),
                       (b, 0x42): (None, "unknown"), (b, 0x44): (None, "unknown")}


def restarts():
    """Writes two taps of one link, one long after the other, and a QP that is used again."""
    c, a, b = Capture("flows-restarts.pcap"), "10.0.0.1", "10.0.0.2"
    for i in range(6000):
        c.add(roce(a, b, SEND, 0x11, i))
        if i >= 3000:
            c.add(roce(a, b, SEND, 0x11, i - 3000))
    for psn in (9000000, 7000000):
        for i in range(50):
            c.add(roce(a, b, SEND, 0x12, psn + i))
    return c.write(), {}


def far_ahead():
    """Most PSNs are missing, and the last packet fills a gap."""
    c = Capture("flows-far.pcap")
    for psn in (0, 0x700000, 0xe00000, 0xe00002, 0xe00001):
        c.add(roce("10.0.0.1", "10.0.0.2", SEND, 0x11, psn))
    is_ = objects(c.write())[0]["psn"]
    same(c.path, "", "psn", is_, {"gaps": 3, "missing": 0xe00003 - 5, "late": 1,
                                  "doubled": 0, "old": 0, "restarts": 0})


def jumps():
    """Writes PSNs about as far from the next one as is remembered, and old ones in a row."""
    c, a, b = Capture("flows-jumps.pcap"), "10.0.0.1", "10.0.0.2"
    psn = SPACE - 5000
    near = [0] * 6 + [1, 2, 3, 40, 2046, 2047, 2048, 2049, -1, -2, -3, -2046, -2047,
                      -2048, -2049, -2050, -2051, -9000, -SPACE // 2, -SPACE // 2 + 1]
    for _ in range(3000):
        step = pick.choice(near)
        if step < 0:
            c.add(roce(a, b, SEND, 0x11, psn + step))
            continue
        if pick.random() < 0.05:  # RESTART - 1 of them do not restart
            old = psn - pick.choice([5000, 90000])
            for i in range(pick.choice([RESTART - 1, RESTART - 1, RESTART])):
                c.add(roce(a, b, SEND, 0x11, old + i))
            psn = old + RESTART if i == RESTART - 1 else psn
        elif pick.random() < 0.1:  # response packets of 256 to 4096 bytes
            n = pick.choice([0, 1, 255, 256, 257, 4096, 4097, 70000])
            least, most = max(1, -(-n // 4096)), max(1, -(-n // 256))
            c.add(roce(a, b, READ, 0x11, psn, reth(n)))
            psn += pick.choice([least, most, most + 1, (least + most) // 2])
        else:
            psn += step
            c.add(roce(a, b, SEND, 0x11, psn))
            psn += 1
    return c.write(), {}


def fastcnp(src, dst, about, qp):
    """Returns a Fast CNP about the flow from dst to QP `qp` of `about`."""
    bth = struct.pack(">BBHII", CNP, 0, 0xffff, 0x40 << 24 | qp, 0)
    body = struct.pack(">BBBB", 17, 2, 0x9e, 16) + ipaddress.ip_address(about).packed \
        + b"\1\2\0\0" + udp(bth + bytes(20), 4791)
    return ether(ip(src, dst, body, 48 << 2, 60))


def pairings():
    """Checks by hand which data CNPs answer (flows.h). Each case has a pair of hosts."""
    c = Capture("flows-pairings.pcap")
    hosts = iter(range(1, 99))
    want, delays = {}, {}

    def pair():
        n = next(hosts)
        return f"2001:db8:{n}::a", f"2001:db8:{n}::b"

    def data(a, b, qp, psn=0, ce=False):
        c.add(roce(a, b, SEND, qp, psn, ecn=2 + ce))

    def ud(a, b, qp, *sources):
        for source in sources:
            c.add(roce(a, b, UD_SEND, qp, 9, struct.pack(">II", 1, source)))

    def cnps(b, a, qp, known_by, answers=None, candidates=None, n=1):
        for _ in range(n):
            c.add(cnp(b, a, qp))
        want[b, a, qp] = (known_by, answers and {"dst": b, "dest_qp": answers},
                          candidates)

    def answered(a, b, qp, n, fast=0, disputed=False):
        want[a, b, qp] = (n, fast, disputed)

    # UD names the sending QP, unless several QPs send, or one QP sends two flows.
    a, b = pair()
    ud(a, b, 0x20, 0x500, 0x500)
    ud(a, b, 0x21, 0x600, 0x601)
    cnps(b, a, 0x500, "deth", 0x20, n=3)
    cnps(b, a, 0x600, "unknown", candidates=1)
    answered(a, b, 0x20, 3)
    answered(a, b, 0x21, 0, disputed=True)
    a, b = pair()
    ud(a, b, 0x50, 0x700)
    ud(a, b, 0x51, 0x700)
    cnps(b, a, 0x700, "unknown", candidates=2)
    # A CNP to another QP does not answer data to a management QP, 0 or 1.
    a, b = pair()
    ud(a, b, 1, 1, 2)
    ud(a, b, 0x32, 0x33)
    data(a, b, 0x30)
    cnps(b, a, 0x40, "only", 0x30, n=2)
    answered(a, b, 1, 0)
    answered(a, b, 0x32, 0)
    answered(a, b, 0x30, 2)
    a, b = pair()
    ud(a, b, 1, 1, 2)
    data(a, b, 0x30)
    cnps(b, a, 1, "only", 1)
    # ACKs are not data, and CNPs do not answer data from their own host.
    a, b = pair()
    c.add(ack(a, b, 0x60, 5))
    data(b, a, 0x61)
    cnps(b, a, 0x62, "unknown", candidates=0)
    # The last ACK must have one of the last 2048 PSNs of exactly one flow.
    for psn, known in ((4999, True), (5000 - WINDOW, True), (4999 - WINDOW, False),
                       (5000, False)):
        a, b = pair()
        data(a, b, 0x70, 4998)
        data(a, b, 0x70, 4999)
        data(a, b, 0x71, 900000)
        c.add(ack(b, a, 0x72, 0))
        c.add(ack(b, a, 0x72, psn))
        cnps(b, a, 0x72, *(("psn", 0x70) if known else ("unknown", None, 2)))
    # Two flows have ACKs of the same data. Answered data is not a candidate.
    a, b = pair()
    for qp in (0x80, 0x81, 0x82):
        data(a, b, qp, qp << 12)
    c.add(ack(b, a, 0x83, 0x80 << 12))
    c.add(ack(b, a, 0x84, 0x80 << 12))
    c.add(ack(b, a, 0x85, 0x81 << 12))
    cnps(b, a, 0x83, "unknown", candidates=2)
    cnps(b, a, 0x85, "psn", 0x81)
    answered(a, b, 0x81, 1)
    answered(a, b, 0x80, 0, disputed=True)
    # A Fast CNP names the destination and its QP. The first CNP at or after the first CE
    # counts, even if the capture goes back in time.
    a, b = pair()
    d, switch = pair()
    data(a, b, 0x90, ce=True)
    c.now -= 1700
    data(a, b, 0x90, 1, ce=True)  # 700 ns before, so the first
    first = c.now
    data(a, d, 0x90)
    data(switch, b, 0x90)
    for after in (5000, -5777, 777, 0):  # from the first CE on, except one
        c.now = first
        c.add(fastcnp(switch, a, b, 0x90), after)
    c.add(fastcnp(switch, a, d, 0x90))
    c.add(fastcnp(switch, a, d, 0x91))
    answered(a, b, 0x90, 0, fast=4)
    answered(a, d, 0x90, 0, fast=1)
    answered(switch, b, 0x90, 0)
    want[switch, a, 0x90] = ("fastcnp", {"dst": b, "dest_qp": 0x90}, None)
    delays[switch, a, 0x90] = {(first - c.frames[0][0]) // 1000: "0.000"}
    path = c.write()

    for f in objects(path)[:-1]:
        key, cnp_ = (f["src"], f["dst"], f["dest_qp"]), f["cnp"]
        if cnp_ and cnp_["fast"] and cnp_["packets"] == 1:  # about d
            same(path, key, "answers", cnp_.get("answers"), None if f["dest_qp"] == 0x91
                 else {"dst": d, "dest_qp": 0x90})
        elif cnp_:
            same(path, key, "CNPs are", (cnp_["known_by"], cnp_.get("answers"),
                                         cnp_.get("candidates")), want.pop(key))
        elif key in want:
            same(path, key, "answered by", (f["cnps"], f["fast_cnps"],
                                            f["cnps_disputed"]), want.pop(key))
    same(path, "", "not found", want, {})
    delay_rows(path, delays, "1us", 1000)


def delay_rows(path, want, interval, ns):
    """Checks that only the row of the first CNP from the first CE on has ce_to_cnp_us."""
    got = collections.defaultdict(dict)
    for row in csv.DictReader(ours(path, f"--timeline={interval}").splitlines()):
        if row["ce_to_cnp_us"]:
            at = round(float(row["time_s"]) * 10 ** 9 / ns)
            got[row["src"], row["dst"], int(row["dest_qp"])][at] = row["ce_to_cnp_us"]
    same(path, "", f"ce_to_cnp_us of --timeline={interval}", dict(got), want)


# ---- parts of packets, and frames in no flow

def fragments(packet, *sizes):
    """Cuts an IP packet into fragments. All payloads except the last have these sizes."""
    v4 = packet[0] >> 4 == 4
    head, rest, at, out = packet[:20 if v4 else 40], packet[20 if v4 else 40:], 0, []
    for size in (*sizes, len(rest)):
        part, more = rest[at:at + size], at + size < len(rest)
        if v4:
            h = head[:2] + struct.pack(">HHH", 20 + len(part), 0x77, more << 13 | at // 8)
            out.append(h + head[8:] + part)
        else:
            f = struct.pack(">BBHI", head[6], 0, at | more, 0x77)
            h = head[:4] + struct.pack(">HB", 8 + len(part), 44) + head[7:]
            out.append(h + f + part)
        at += size
    assert at >= len(rest)
    return out


def erspan(src, dst, frame, cut=0):
    """Returns an IP packet of a mirror session of type II, which has cut away `cut` bytes."""
    h = struct.pack(">HHI", 0x1000, 0x88be, 9) + \
        struct.pack(">HHI", 1 << 12 | 5, (1 << 10 if cut else 0) | 3, 0)
    return ip(src, dst, h + frame[:len(frame) - cut], 0, 47)


def sflow(src, dst, frame):
    """Returns a datagram with one flow sample, the first 64 bytes of a frame."""
    raw = struct.pack(">IIII", 1, len(frame) + 4, 4, 64) + frame[:64]
    sample = struct.pack(">IIIIIIII", 1, 3, 100, 5, 0, 1, 2, 1) + \
        struct.pack(">II", 1, len(raw)) + raw
    return ether(ip(src, dst, udp(struct.pack(">IIIIIII", 5, 1, 0x0a000001, 0, 1, 1, 1) +
                                  struct.pack(">II", 1, len(sample)) + sample, 6343), 0))


class Parts(Capture):
    """A capture with the expected packets, bytes, CE, parts and marks of each flow, by
    hand. Each step has hosts of its own."""

    def __init__(self, name):
        super().__init__(name)
        self.flows, self.reasons, self.hosts = {}, collections.Counter(), 0

    def pair(self, version=4):
        self.hosts += 1
        return (f"10.{self.hosts}.0.1", f"10.{self.hosts}.0.2") if version == 4 else \
            (f"2001:db8:{self.hosts}::1", f"2001:db8:{self.hosts}::2")

    def flow(self, src, dst, packets, size, misses, **others):
        """Expects a flow to QP `qp`, or 0x70 without it."""
        key = (src, dst, others.pop("qp", 0x70))
        self.flows[key] = {"packets": packets, "bytes": size, "ce": 0, "parts": 0,
                           "trimmed": 0, "misses": misses, **others}

    def lost(self, *reasons):
        self.reasons.update(reasons)

    def check(self):
        path, got = self.write(), {}
        *flows, rest = objects(path)
        for f in flows:
            key = f["src"], f["dst"], f["dest_qp"]
            got[key] = {n: f[n] for n in self.flows.get(key, ())}
        for key in sorted(set(got) | set(self.flows)):
            same(path, key, "flow", got.get(key), self.flows.get(key), "by hand")
        same(path, "", "unplaced", rest, unplaced(**self.reasons), "by hand")
        return path, rest["unplaced"]


def write4(a, b, psn, ecn=2, size=64, **others):
    """Returns a WRITE to QP 0x70 with 20 or 40 + 8 + 12 + 16 + size + 4 bytes from IP on."""
    return roce(a, b, WRITE, 0x70, psn, reth(size), bytes(size), ecn=ecn, **others)


def fragmented(c):
    for version, head in ((4, 20), (6, 40)):
        # All fragments are here, and the packet counts once as CE.
        a, b = c.pair(version)
        whole = write4(a, b, 1, 3, 1000)[14:]
        for p in fragments(whole, 512, 256):
            c.add(ether(p))
        c.add(write4(a, b, 2))
        c.add(cnp(b, a, 0x71))
        more = 8 if version == 6 else 0  # the Fragment header
        c.flow(a, b, 2, 2 * (head + 40) + 1000 + 64 + more, True, ce=1, parts=1, cnps=1)
        c.flow(b, a, 1, head + 40, False, qp=0x71)
        c.lost("later_fragments", "later_fragments")
        # Only the first fragment is here, and nothing is unplaced. Then only the last.
        a, b = c.pair(version)
        c.add(ether(fragments(write4(a, b, 1, 2, 1000)[14:], 512, 256)[0]))
        c.flow(a, b, 1, head + 40 + 1000 + more, False, parts=1)
        a, b = c.pair(version)
        c.add(ether(fragments(write4(a, b, 1, 3, 1000)[14:], 512)[1]))
        c.add(write4(a, b, 2))
        c.flow(a, b, 1, head + 104, True)
        c.lost("later_fragments")
        # Fragments of TCP and ICMP are not RoCE.
        a, b = c.pair(version)
        for proto in (6, 1 if version == 4 else 58):
            c.add(ether(fragments(ip(a, b, bytes(400), 0, proto), 200)[1]))
        c.add(write4(a, b, 2))
        c.flow(a, b, 1, head + 104, False)
        # A fragment in the other direction marks the data flow, too. It may be a CNP.
        a, b = c.pair(version)
        c.add(write4(a, b, 2))
        c.add(ether(fragments(cnp(b, a, 0x71)[14:], 8)[1]))
        c.flow(a, b, 1, head + 104, True)
        c.lost("later_fragments")


def mirrored(c):
    a, b = c.pair()
    s, t = c.pair()
    # The mirror session's own packets are in two fragments each.
    for psn in (1, 2):
        for p in fragments(erspan(s, t, write4(a, b, psn, psn + 1, 1000)), 600):
            c.add(ether(p))
        c.lost("later_fragments")
    c.flow(a, b, 2, 2 * 1060, True, parts=2, ce=1)
    # Another session has cut a copy, and nothing is missed.
    a, b = c.pair()
    s, t = c.pair()
    c.add(ether(erspan(s, t, write4(a, b, 1, 3, 1000), 900)))
    c.add(ether(erspan(s, t, write4(a, b, 2, 2, 1000))))
    c.flow(a, b, 2, 2 * 1060, False, parts=1, ce=1)
    # A VXLAN frame that ends before the inner BTH marks its flow, or if it ends before the
    # inner addresses, all flows in the tunnel.
    for snap in (None, 14 + 36 + 14 + 20 + 8, 14 + 36 + 14 + 10):
        a, b = c.pair()
        s, t = c.pair()
        inner = [write4(a, b, 1), write4(*c.pair(), 1)]
        for f in inner:
            c.add(ether(ip(s, t, udp(struct.pack(">II", 8 << 24, 7 << 8) + f, 4789), 0)))
        c.flow(a, b, 1, 124, snap is not None)
        other = [str(ipaddress.ip_address(inner[1][n:n + 4])) for n in (26, 30)]
        c.flow(*other, 1, 124, snap == 14 + 36 + 14 + 10)
        if snap:
            c.add(ether(ip(s, t, udp(struct.pack(">II", 8 << 24, 7 << 8) + inner[0],
                                     4789), 0)), snap=snap)
            c.lost("short")


def tunnelled(c):
    # IP in IP, also with a later fragment, or a frame without the inner header.
    for n in (0, 1, 2):
        a, b = c.pair()
        s, t = c.pair(6)
        c.add(ether(ip(s, t, write4(a, b, 1)[14:], 0, 4)))
        frame = ether(fragments(ip(s, t, write4(a, b, 2)[14:], 0, 4), 64)[1]) if n == 1 \
            else ether(ip(s, t, write4(a, b, 2)[14:], 0, 4))
        if n:
            c.add(frame, snap=None if n == 1 else 14 + 40 + 10)
            c.lost("later_fragments" if n == 1 else "short")
        c.flow(a, b, 1, 124, n != 0)
    # A flow in five tunnels is marked, because rocedump keeps four.
    for n in (4, 5):
        a, b = c.pair()
        for i in range(n):
            c.add(ether(ip(*c.pair(), write4(a, b, i)[14:], 0, 4)))
        c.flow(a, b, n, n * 124, n == 5)
    # Three overlays are not supported.
    a, b = c.pair()
    f = write4(a, b, 1)
    c.add(vxlan(vxlan(f)))
    c.flow(a, b, 1, 124, True)
    c.add(vxlan(vxlan(vxlan(f))))
    c.lost("unsupported")


def cooked():
    """Checks a cooked capture with a frame that ends in its link header, and one of
    netlink."""
    c = Capture("flows-cooked.pcap")
    c.link = 113
    head = struct.pack(">HHH8sH", 0, 1, 6, bytes(8), 0x0800)
    c.add(head + write4("10.0.0.1", "10.0.0.2", 1)[14:])
    c.add(head + write4("10.0.0.1", "10.0.0.2", 1)[14:], snap=10)
    c.add(struct.pack(">HHH8sH", 0, 824, 6, bytes(8), 0) + bytes(60))
    is_ = objects(c.write())
    same(c.path, "", "marked", is_[0]["misses"], False, "by hand")
    same(c.path, "", "rest", is_[1], unplaced(short=1, no_addresses=1), "by hand")


def cut(c):
    # The capture ends after the BTH, but the packet is whole on the wire.
    a, b = c.pair()
    c.add(write4(a, b, 1, 3, 1000), snap=14 + 20 + 8 + 12)
    c.flow(a, b, 1, 1060, False, ce=1)
    for snap in (14 + 20 + 8 + 11, 14 + 20 + 3, 14 + 20):  # ends before, with addresses
        a, b = c.pair()
        c.add(write4(a, b, 1))
        c.add(write4(a, b, 2), snap=snap)
        c.flow(a, b, 1, 124, True)
        c.lost("short")
    a, b = c.pair()
    c.add(write4(a, b, 1))
    for snap in (14 + 19, 14 + 1, 13):  # without addresses
        c.add(write4(a, b, 2), snap=snap)
        c.lost("short", "no_addresses")
    c.flow(a, b, 1, 124, False)
    # A switch has cut a packet's payload, and then a part of another packet's BTH, too.
    a, b = c.pair()
    c.add(write4(a, b, 1, 3, 1000, cut=1004))
    c.flow(a, b, 1, 56, False, ce=1, trimmed=1)
    a, b = c.pair()
    c.add(write4(a, b, 1))
    c.add(ether(ip(a, b, udp(write4(a, b, 2)[42:53], 4791, 1040), 3)))
    c.flow(a, b, 1, 124, True)
    c.lost("short")


def wrong(c):
    for reason, marks, payload, proto in (
            ("format", True, udp(bytes(100), 4791, 7), 17),
            ("format", True, udp(bytes(8), 4791), 17),       # no room for a BTH
            ("unsupported", True, bytes(100), 50),           # ESP
            ("unsupported", True, b"\x32" + bytes(99), 51),  # AH, then ESP
            (None, False, udp(bytes(100), 53, 7), 17),
            (None, False, udp(bytes(100), 53, 200), 17),
            (None, False, udp(bytes(100), 53), 17),
            (None, False, bytes(100), 6), (None, False, bytes(100), 1)):
        a, b = c.pair()
        c.add(write4(a, b, 1))
        c.add(ether(ip(a, b, payload, 0, proto)))
        c.flow(a, b, 1, 124, marks)
        if reason:
            c.lost(reason)
    a, b = c.pair()
    f = write4(a, b, 1)
    c.add(f)
    c.add(f[:14] + b"\x44" + f[15:])  # an IPv4 header of 16 bytes
    c.lost("format", "no_addresses")
    c.add(f[:12] + b"\x08\x06" + f[14:])  # ARP
    c.add(sflow(a, b, write4(a, b, 2)))
    c.add(sflow(a, b, ether(ip(a, b, bytes(100), 0, 6))))
    c.lost("sampled")
    c.flow(a, b, 1, 124, False)
    # RoCEv1, the second time without the end of the BTH.
    a, b = c.pair(6)
    grh = roce(a, b, WRITE, 0x70, 1, reth(64), bytes(64))[14:]
    grh = grh[:4] + struct.pack(">HB", 96, 27) + grh[7:40] + grh[48:]
    for end in (54 + 96, 54 + 11):
        c.add(ether(grh)[:12] + b"\x89\x15" + grh, snap=end)
    c.flow(a, b, 1, 40 + 96, True)
    c.lost("short")


def parts_text(path, c, rest):
    """Checks the text: marks, the column of parts, and lines for frames in no flow."""
    tables = [t.splitlines() for t in ours(path, "--flows").split("\n\n")]
    at = tables[0][0].split().index("trimmed") + 1  # "CE %" are two words
    for r in tables[0][1:]:
        r = r.split()
        f = c.flows[r[0], r[1], int(r[2], 16)]
        same(path, r[:3], "text", [r[4], r[at - 2], r[at - 1]],
             [f"{f['packets']}{'*' * f['misses']}", str(f["trimmed"]), str(f["parts"])],
             "by hand")
    frames = sum(rest[n] for n in REASONS[:4])
    same(path, "", "lines", tables[-1], [
        f"{frames} frames may be RoCE and are in no flow:",
        f"  {rest['later_fragments']} later fragments, which have no BTH",
        f"  {rest['short']} end before the BTH",
        f"  {rest['format']} have a header that contradicts itself or its length",
        f"  {rest['unsupported']} have a header that rocedump does not support",
        f"  {rest['no_addresses']} of them have no known addresses, and mark no flow",
        f"{rest['sampled']} packets sampled by sFlow may be RoCE and are in no flow",
        "* Such frames went between the addresses of this flow. Its numbers may miss "
        "them."], "by hand")


def parts():
    c = Parts("flows-parts.pcap")
    for step in (fragmented, mirrored, tunnelled, cut, wrong):
        step(c)
    parts_text(c.check()[0], c, {**dict.fromkeys(REASONS, 0), **c.reasons})


def crowd():
    """65,536 pairs of addresses fit. One more, and every flow is marked."""
    c, last = Capture("flows-crowd.pcap"), None
    c.add(write4("10.0.0.1", "10.0.0.2", 1))
    for i in range(65537):
        last = fragments(ip(f"11.{i >> 16}.{i >> 8 & 255}.{i & 255}", "12.0.0.1",
                            bytes(16), 0), 8)[1]
        c.add(ether(last))
        if i == 65535:
            room = c.write()
            is_ = objects(room)
            same(room, "", "marked", is_[0]["misses"], False, "by hand")
            same(room, "", "rest", is_[1], unplaced(later_fragments=65536), "by hand")
    is_ = objects(c.write())
    same(c.path, "", "marked", is_[0]["misses"], True, "by hand")
    same(c.path, "", "rest", is_[1], unplaced(True, later_fragments=65537), "by hand")
    text = ours(c.path, "--flows")
    same(c.path, "", "text", "more than 65,536 pairs of addresses: every flow is marked"
         in text, True, "by hand")


# ---- tshark's fields

FIELDS = ("frame.time_epoch ip.src ip.dst ipv6.src ipv6.dst ip.dsfield.dscp "
          "ip.dsfield.ecn ipv6.tclass.dscp ipv6.tclass.ecn ip.len ipv6.plen udp.length "
          "infiniband.bth.opcode infiniband.bth.destqp infiniband.bth.psn "
          "infiniband.aeth.syndrome.opcode infiniband.reth.dmalen").split()


def tshark(path):
    """Yields the fields of each packet with a BTH. A repeated field has the innermost
    value."""
    args = ["tshark", "-n", "-r", str(path), "-T", "fields", "-E", "occurrence=l",
            "-E", "separator=/t"] + [w for f in FIELDS for w in ("-e", f)]
    out = subprocess.run(args, capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        row = dict(zip(FIELDS, line.split("\t")))
        if row["infiniband.bth.opcode"]:
            yield row


def ns(epoch):
    seconds, fraction = epoch.split(".")
    return int(seconds) * 10 ** 9 + int(fraction.ljust(9, "0"))


class Sequence:
    """Counts missing, late and doubled packets by the set of all unwrapped PSNs."""

    def __init__(self):
        self.came, self.skipped, self.next, self.slack = set(), set(), None, 0
        self.old_run, self.old_next, self.of = 0, None, collections.Counter()

    def begin(self, at, least, most):
        self.came, self.skipped = set(range(at, at + least)), self.skipped
        self.next, self.slack, self.old_run = at + least, most - least, 0

    def add(self, psn, least=1, most=1, follows=True):
        if self.next is None:
            return self.begin(psn, least, most)
        at = self.next + (psn - self.next + SPACE // 2) % SPACE - SPACE // 2
        if at < self.next - WINDOW:
            self.of["old"] += 1
            self.old_run = self.old_run + 1 if psn == self.old_next else 1
            self.old_next = (psn + least) % SPACE
            if self.old_run == RESTART:
                self.of["restarts"] += 1  # skipped PSNs stay missing
                self.begin(at + 16 * SPACE * self.of["restarts"], least, most)
            return None
        self.old_run = 0
        if at < self.next:
            self.of["doubled" if at in self.came else "late"] += 1
            self.came.add(at)
            self.skipped.discard(at)
            return None
        used = min(self.slack, at - self.next)
        self.came |= set(range(self.next, self.next + used))
        if follows and at > self.next + used:
            self.of["gaps"] += 1
            self.skipped |= set(range(self.next + used, at))
        self.came |= set(range(at, at + least))
        self.next, self.slack = at + least, most - least
        return None


def expected(path):
    flows = {}
    for r in tshark(path):
        v4 = r["ipv6.src"] == ""
        key = (r["ip.src"] or r["ipv6.src"], r["ip.dst"] or r["ipv6.dst"],
               int(r["infiniband.bth.destqp"], 0))
        opcode = int(r["infiniband.bth.opcode"], 0)
        f = flows.setdefault(key, collections.defaultdict(int, dscp=set(), cnp_dscp=set(),
                             cnp_ns=[], ce_ns=[], ns=[], requests=Sequence(),
                             services=set(), responses=Sequence(), sequence=False))
        f["packets"] += 1
        f["services"].add(SERVICES[opcode >> 5])
        length = int(r["ip.len"]) if v4 else 40 + int(r["ipv6.plen"])
        f["bytes"] += length
        f["ns"].append(ns(r["frame.time_epoch"]))
        f["trimmed"] += int(r["udp.length"]) > length - (20 if v4 else 40)
        dscp = int(r["ip.dsfield.dscp" if v4 else "ipv6.tclass.dscp"])
        now = ns(r["frame.time_epoch"])
        if opcode == CNP:
            f["cnp_ns"].append(now)
            f["cnp_dscp"].add(dscp)
            continue
        f["dscp"].add(dscp)
        if int(r["ip.dsfield.ecn" if v4 else "ipv6.tclass.ecn"]) == 3:
            f["ce_ns"].append(now)
        f["naks"] += r["infiniband.aeth.syndrome.opcode"] == "3"
        f["rnr_naks"] += r["infiniband.aeth.syndrome.opcode"] == "1"
        psn = int(r["infiniband.bth.psn"])
        f["data"] |= opcode != ACK
        if opcode == ACK or opcode >> 5 == 3:
            continue
        f["sequence"] = True
        if FIRST <= opcode <= 0x10:
            f["responses"].add(psn, follows=opcode in (MIDDLE, LAST))
        elif opcode == READ:
            n = int(r["infiniband.reth.dmalen"])
            f["requests"].add(psn, max(1, -(-n // 4096)), max(1, -(-n // 256)))
        else:
            f["requests"].add(psn)
    return flows


# ---- the comparison

def ours(path, *options):
    done = subprocess.run([dump, *options, str(path)], capture_output=True, text=True,
                          check=True)
    return done.stdout


def objects(path, *options):
    return [json.loads(x) for x in ours(path, "--flows", "--json", *options).splitlines()]


def unplaced(all_marked=False, **counts):
    """Returns the last object of --flows --json."""
    return {"unplaced": {**dict.fromkeys(REASONS, 0), **counts, "all_marked": all_marked}}


def same(path, key, name, a, b, by="by tshark"):
    if a != b:
        fail(f"{path.name}: {key}: {name} is {a}, {by} {b}")


def compare_cnps(path, key, f, is_, flows, answers):
    cnps = is_["cnp"]
    same(path, key, "CNPs", 0 if cnps is None else cnps["packets"], len(f["cnp_ns"]))
    if cnps is None:
        return
    same(path, key, "DSCPs of CNPs", cnps["dscp"], sorted(f["cnp_dscp"]))
    times = sorted(f["cnp_ns"])
    apart = sorted(b - a for a, b in zip(times, times[1:]))
    if apart:
        same(path, key, "least", cnps["least_apart_ns"], apart[0])
        same(path, key, "median", cnps["median_apart_ns"],
             statistics.median_low(apart))
    qp, how = answers[key[0], key[2]]
    same(path, key, "known_by", cnps["known_by"], how)
    if qp is None:
        same(path, key, "answers", "answers" in cnps, False)
        return
    same(path, key, "answers", cnps["answers"], {"dst": key[0], "dest_qp": qp})
    ce = min(flows[key[1], key[0], qp]["ce_ns"])
    same(path, key, "delay", cnps["ce_to_cnp_ns"], min(t for t in times if t >= ce) - ce)


def compare(path, answers):
    flows, seen = expected(path), {}
    *objects_, rest = objects(path)
    for f in objects_:
        seen[f["src"], f["dst"], f["dest_qp"]] = f
    same(path, "", "unplaced", rest, unplaced())
    same(path, "", "flows", sorted(seen), sorted(flows))
    for key in set(seen) & set(flows):
        f, is_ = flows[key], seen[key]
        for name in ("packets", "bytes", "trimmed", "naks", "rnr_naks"):
            same(path, key, name, is_[name], f[name])
        same(path, key, "ce", is_["ce"], len(f["ce_ns"]))
        same(path, key, "parts, misses and copies",
             [is_["parts"], is_["misses"], is_["copies"]], [0, False, 0])
        same(path, key, "times", [is_["first_ns"], is_["last_ns"], is_.get("first_ce_ns")],
             [min(f["ns"]), max(f["ns"]), min(f["ce_ns"], default=None)])
        same(path, key, "dscp", is_["dscp"], sorted(f["dscp"]))
        if not f["sequence"]:
            same(path, key, "psn", is_["psn"], None)
        else:
            both = (f["requests"], f["responses"])
            want = {n: sum(s.of[n] for s in both)
                    for n in ("gaps", "late", "doubled", "old", "restarts")}
            want["missing"] = sum(len(s.skipped) for s in both)
            same(path, key, "psn", dict(sorted(is_["psn"].items())),
                 dict(sorted(want.items())))
        compare_cnps(path, key, f, is_, flows, answers)
    timeline(path, flows, answers)
    table(path, flows, seen)
    return len(flows)


def timeline(path, flows, answers):
    """Checks that the rows of all intervals add up to the flows, and that delays are in the
    right intervals. The first interval begins with the first frame."""
    sums, delays = collections.defaultdict(collections.Counter), {}
    for row in csv.DictReader(ours(path, "--timeline=100us").splitlines()):
        key = row["src"], row["dst"], int(row["dest_qp"])
        for name in ("packets", "bytes", "ce", "cnps"):
            sums[key][name] += int(row[name])
    for key, f in flows.items():
        want = {"packets": f["packets"], "bytes": f["bytes"], "ce": len(f["ce_ns"]),
                "cnps": len(f["cnp_ns"])}
        same(path, key, "timeline", dict(sums[key]), want)
    same(path, "", "flows in the timeline", len(sums), len(flows))
    begin = next(iter(flows.values()))["ns"][0]
    for (src, dst, qp), f in flows.items():
        data = answers.get((src, qp), (None,))[0] if f["cnp_ns"] else None
        ce = min(flows[dst, src, data]["ce_ns"]) if data else None
        after = [t for t in f["cnp_ns"] if data and t >= ce]
        if after:
            n = min(after) - ce
            delays[src, dst, qp] = {(min(after) - begin) // 10 ** 5:
                                    f"{n // 1000}.{n % 1000:03}"}
    delay_rows(path, delays, "100us", 10 ** 5)


def table(path, flows, seen):
    """Checks the text: a row per flow, most bytes first, then one per flow with CNPs. Each
    column ends below the end of its head."""
    tables = [t.splitlines() for t in ours(path, "--flows").split("\n\n")]
    same(path, "", "rows of the table", len(tables[0]) - 1, len(flows))
    sizes = [int(r.split()[6]) for r in tables[0][1:]]
    same(path, "", "order of the table", sizes, sorted(sizes, reverse=True))
    for r in tables[0][1:]:
        r = r.split()
        key = r[0], r[1], int(r[2], 16)
        same(path, key, "text", r[3:], flow_text(flows[key], seen[key]))
    rates = [t for t in tables if t[0].lstrip().startswith("data from")]
    same(path, "", "rows of rates", [len(t) - 1 for t in rates],
         [sum(f["data"] > 0 for f in flows.values())] * any(f["data"] for f in flows.values()))
    for t in [tables[0], *(tables[1:2] if any(f["cnp"] for f in seen.values()) else []), *rates]:
        ends = [m.end() for m in re.finditer(r"\S+( \S+)*", t[0])][:-1]
        for row in t[1:]:
            cells = [m.end() for m in re.finditer(r"\S+( \S+)*", row)][:-1]
            same(path, row, "columns", cells, ends)
    cnps = {k: f["cnp"] for k, f in seen.items() if f["cnp"]}
    rows = [re.split("  +", r.strip()) for r in tables[1][1:]] if cnps else []
    same(path, "", "rows of CNPs", len(rows), len(cnps))
    for r in rows:
        c = cnps[r[0], r[1], int(r[2], 16)]
        want = [str(c["packets"]), ",".join(map(str, c["dscp"])),
                f"{c['least_apart_ns'] / 1e3:.3f}", f"{c['median_apart_ns'] / 1e3:.3f}",
                f"0x{c['answers']['dest_qp']:06x}" if "answers" in c
                else f"one of {c['candidates']}",
                f"{c['ce_to_cnp_ns'] / 1e3:.3f}" if "ce_to_cnp_ns" in c else "-",
                c["known_by"]]
        same(path, r[:3], "text", r[3:], want)


def flow_text(f, is_):
    """Returns a row of the table from tshark's fields, with the number of CNPs that answer
    the flow from the JSON. CNPs cannot be marked, so the share of CE excludes them."""
    data = f["packets"] - len(f["cnp_ns"])
    both = (f["requests"], f["responses"])
    psns = [sum(s.of["gaps"] for s in both), sum(len(s.skipped) for s in both),
            *(sum(s.of[n] for s in both) for n in ("late", "doubled", "old"))]
    answers = f"{is_['cnps'] + is_['fast_cnps']}{'?' * is_['cnps_disputed']}"
    dscps = [str(d) for d in sorted(f["dscp"] | f["cnp_dscp"])]
    return ["+".join(s for s in SERVICES if s in f["services"]), str(f["packets"]), "0",
            str(f["bytes"]), f"{100 * len(f['ce_ns']) / data:.2f}" if data else "-",
            answers if f["data"] else "-", str(f["trimmed"]), "0",
            *(str(n) if f["sequence"] else "-" for n in psns), str(f["naks"]),
            str(f["rnr_naks"]),
            ",".join(dscps[:3] + [f"+{len(dscps) - 3}"] * (len(dscps) > 3))]


def columns(path):
    keys = ("frame,time_ns,len,status,ipv4[0].src,ipv6[0].dst,bth.opcode,bth.psn,"
            "reth.dma_length,aeth.syndrome,inner.bth.psn,inner.ipv4[0].src,stack,"
            "bth.becn,cnp.reserved")
    lines = ours(path, "--csv", keys).splitlines()
    frames = [json.loads(x) for x in ours(path, "--json").splitlines()]
    same(path, "", "header", lines[0], keys)
    same(path, "", "lines", len(lines), len(frames) + 1)
    for text, frame in zip(lines[1:], frames):
        want = []
        for key in keys.split(","):
            value = frame
            for word in re.findall(r"\w+", key):
                if isinstance(value, list):
                    value = value[int(word)] if int(word) < len(value) else None
                elif isinstance(value, dict):
                    value = value.get(word)
            want.append(" ".join(value) if isinstance(value, list) else
                        "" if value is None else str(value).lower()
                        if isinstance(value, bool) else str(value))
        same(path, frame["frame"], "csv", text, ",".join(want))


total = 0
for make in (mixed, reads, numbers, restarts, jumps):
    made, known = make()
    total += compare(made, known)
    columns(made)
far_ahead()
pairings()
parts()
cooked()
crowd()
print(f"flows: {total} flows of 5 captures as tshark's fields have them")
sys.exit(bad != 0)
