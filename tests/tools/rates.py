#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""rates.py ROCEDUMP SCRAPS: checks the rates of --flows before and after the first CNP. The
bytes per interval are counted here from the packets that were sent, and, in one capture, by
tshark's io,stat."""
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys

dump, scraps = sys.argv[1], pathlib.Path(sys.argv[2])
if shutil.which("tshark") is None:
    print("rates: no tshark here: skipped")
    sys.exit(1 if os.environ.get("CI") else 0)
pick = random.Random(11)
A, B = bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2])
WRITE, CNP = 0x0a, 0x81
START = 10 ** 18
SIDE = 10  # intervals on either side of the first CNP
bad = checks = 0


def same(what, got, want):
    global bad, checks
    checks += 1
    if got != want:
        print(f"rates: {what}: {got}, and not {want}")
        bad += 1


def packet(src, dst, opcode, qp, psn, size):
    bth = struct.pack(">BBHII", opcode, 0x40, 0xffff, qp, psn) + bytes(16 + size + 4)
    udp = struct.pack(">HHHH", 49152, 4791, 8 + len(bth), 0) + bth
    head = struct.pack(">BBHHHBBH", 0x45, 2, 20 + len(udp), 0, 0x4000, 64, 17, 0)
    return bytes.fromhex("020000000002020000000001") + b"\x08\0" + head + src + dst + udp


def pcap(name, frames):
    path = scraps / name
    with open(path, "wb") as f:
        f.write(struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 262144, 1))
        for ns, b in frames:
            t = START + ns
            f.write(struct.pack("<IIII", t // 10 ** 9, t % 10 ** 9, len(b), len(b)) + b)
    return path


class Flow:
    """The packets of one flow, and its CNPs. Times are in ns after START."""

    def __init__(self, qp):
        self.qp, self.sent, self.cnps = qp, [], []

    def send(self, ns, size):
        self.sent.append((ns, packet(A, B, WRITE, self.qp, len(self.sent), size)))

    def cnp(self, ns):
        self.cnps.append((ns, packet(B, A, CNP, self.qp + 0x100, 0, 0)))

    def bytes_in(self, step):
        """Returns the bytes from the IP header on, by interval."""
        out = {}
        for ns, b in self.sent:
            out[ns // step] = out.get(ns // step, 0) + len(b) - 14
        return out


def expected(sums, first_ns, last_ns, cnp_ns, step):
    """Returns the rates from the bytes per interval, in whole intervals alone."""
    first, last, cnp = first_ns // step, last_ns // step, cnp_ns // step

    def mean(intervals):
        return sum(sums.get(k, 0) for k in intervals) * 8 * 10 ** 9 // \
            (len(intervals) * step) if intervals else None

    after = range(max(first, cnp) + 1, last)
    before_bps = mean(range(max(first + 1, cnp - SIDE), min(cnp, last)))
    after_bps = mean(after[:SIDE])
    if not after:
        return before_bps, None, None, None
    low = min(after, key=lambda k: sums.get(k, 0))  # the first of several
    least_bps, again = mean([low]), None
    if before_bps is not None:
        enough = before_bps - before_bps // 10
        high = [k for k in range(low, last) if mean([k]) >= enough]
        if high:
            again = 0 if high[0] == low else (high[0] + 1) * step - cnp_ns
    return before_bps, after_bps, least_bps, again


def rates_of(path, interval, qp):
    out = subprocess.run([dump, f"--flows={interval}", "--json", str(path)],
                         capture_output=True, text=True, check=True).stdout
    rows = [json.loads(x) for x in out.splitlines()]
    return [f for f in rows if f.get("dest_qp") == qp][0]["rate"]


def four(rate):
    return rate["before_bps"], rate["after_bps"], rate["least_bps"], rate["again_ns"]


# ---- random traffic

def course(flow, start, n, cnp_at):
    """Sends at random rates that fall at the CNP and rise again, with silences."""
    ns, size = start, 1000
    for i in range(n):
        if i == cnp_at:
            flow.cnp(ns + 1)
        slow = 8 if cnp_at <= i < cnp_at + n // 6 else 1
        ns += slow * pick.choice([900, 1000, 1000, 1100, 3000])
        ns += 150000 * (pick.random() < 0.002)
        size = pick.choice([1000, 1000, 256])
        flow.send(ns, size)
    for _ in range(3):
        flow.cnp(ns + pick.randrange(1000))


def random_flows():
    for k in range(12):
        flow = Flow(0x11)
        course(flow, pick.randrange(50000), 1500, pick.choice([0, 3, 200, 700, 1200, 1499]))
        frames = sorted(flow.sent + flow.cnps, key=lambda x: x[0])
        if k % 3 == 0:  # out of order: intervals may have several counts
            for _ in range(200):
                i = pick.randrange(1, len(frames) - 2)
                frames[i], frames[i + 1] = frames[i + 1], frames[i]
        path = pcap(f"rates-{k}.pcap", frames)
        begin = frames[0][0]
        for interval, step in (("1us", 1000), ("20us", 20000), ("100us", 100000), ("1ms", 10 ** 6)):
            shifted = Flow(flow.qp)
            shifted.sent = [(ns - begin, b) for ns, b in flow.sent]
            times = [ns for ns, _ in shifted.sent]
            cnp_ns = min(ns for ns, _ in flow.cnps) - begin
            rate = rates_of(path, interval, flow.qp)
            same(f"{path.name}: interval", rate["interval_ns"], step)
            same(f"{path.name}: first CNP", rate["first_cnp_ns"], START + begin + cnp_ns)
            same(f"{path.name}: {interval}", four(rate),
                 expected(shifted.bytes_in(step), min(times), max(times), cnp_ns, step))
    return path, flow


# ---- by hand

def by_hand():
    """11 intervals of 100 us with 8 packets, one with the CNP, then 2 packets, 1 packet, none,
    and 8 again."""
    flow, per = Flow(0x11), [8] * 11 + [5] + [2, 1, 0, 4, 7, 8, 8, 8]
    for k, n in enumerate(per):
        for i in range(n):
            flow.send(100000 * k + 1000 * i, 1000)
    flow.cnp(100000 * 11 + 50000)
    path = pcap("rates-hand.pcap", sorted(flow.sent + flow.cnps, key=lambda x: x[0]))
    rate, one = rates_of(path, "100us", 0x11), (20 + 8 + 12 + 16 + 1000 + 4) * 80000
    # 90 % of 8 packets are more than 7. The first interval with 8 ends at 1.8 ms.
    same("by hand", four(rate), (8 * one, (2 + 1 + 0 + 4 + 7 + 8 + 8) * one // 7, 0, 650000))
    text = subprocess.run([dump, "--flows", str(path)], capture_output=True, text=True,
                          check=True).stdout.split("\n\n")
    row = [r.split() for r in text[2].splitlines()[1:]]
    same("by hand: text", row, [[
        "10.0.0.1", "10.0.0.2", "0x000011", "0.000000", "0.001907", "0.001150",
        f"{8 * one / 1e9:.3f}", f"{30 * one // 7 / 1e9:.3f}", "0.000", "650.000"]])
    same("by hand: intervals", text[3], "Rates are of intervals of 100.000 us.\n")
    # The rate never falls below 90 %, or never rises to it again.
    for per, again in (([8] * 20, 0), ([8] * 10 + [1] * 10, None)):
        flow = Flow(0x11)
        for k, n in enumerate(per):
            for i in range(n):
                flow.send(100000 * k + 1000 * i, 1000)
        flow.cnp(100000 * 5 + 50000)
        path = pcap("rates-steady.pcap", sorted(flow.sent + flow.cnps, key=lambda x: x[0]))
        same(f"again {again}", rates_of(path, "100us", 0x11)["again_ns"], again)


def by_tshark(path, flow):
    """Compares with the sums of tshark's io,stat."""
    out = subprocess.run(
        ["tshark", "-r", str(path), "-q", "-z", "io,stat,0.001,SUM(ip.len)ip.len && "
         f"infiniband.bth.destqp == {flow.qp}"], capture_output=True, text=True, check=True).stdout
    sums = {round(float(m[1]) * 1000): int(m[2]) for m in
            re.finditer(r"^\| *([\d.]+) +<> +(?:[\d.]+|Dur) +\| +(\d+) +\|", out, re.M)}
    times = sorted(ns for ns, _ in flow.sent + flow.cnps)
    sent = [ns for ns, _ in flow.sent]
    first = min(ns for ns, _ in flow.cnps)
    same("tshark's intervals", len(sums) >= 3, True)
    same("by tshark", four(rates_of(path, "1ms", flow.qp)),
         expected(sums, min(sent) - times[0], max(sent) - times[0], first - times[0], 10 ** 6))


by_hand()
random_flows()
steady = Flow(0x21)
course(steady, 0, 20000, 9000)
by_tshark(pcap("rates-tshark.pcap", sorted(steady.sent + steady.cnps, key=lambda x: x[0])), steady)
print(f"rates: {checks} checks of rates around CNPs")
sys.exit(bad != 0)
