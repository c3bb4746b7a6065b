# SPDX-License-Identifier: BSD-2-Clause
"""switch.py SWITCH ROCEDUMP: tests the switch of examples/softroce between two machines
that this script plays.

Frames and expectations are scapy's, except for the ICRC over IPv6, which scapy 2.5.0
does not compute. rocedump reads the notifications."""
import fractions
import json
import os
import pathlib
import random
import select
import socket
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import zlib

import scapy.all as s
from scapy.contrib.roce import AETH, BTH, cnp

switch, rocedump = sys.argv[1:3]
folder = tempfile.TemporaryDirectory()
MACS = {"src": "02:00:00:00:00:01", "dst": "02:00:00:00:00:02"}
OWN = "02:00:00:00:00:05"
SEND_ONLY, READ_REQUEST, READ_RESPONSE, ACK = 0x04, 0x0c, 0x10, 0x11
bad = checks = 0


def check(right, what):
    global bad, checks
    checks += 1
    if not right:
        bad += 1
        print(f"softroce-test: {what}")


def same(got, wanted, what):
    check(got == wanted, f"{what}: {got!r:.300}, and not {wanted!r:.300}")


def seal(frame):
    """Returns the frame with its ICRC over IPv6 (IBTA A17.3.3), by zlib."""
    b = bytearray(bytes(frame))
    at = 14 + 4 * (s.Dot1Q in frame)
    ip = b[at:-4]
    ip[0:4] = struct.pack("!I", struct.unpack("!I", ip[0:4])[0] | 0x0fffffff)
    ip[7] = ip[46] = ip[47] = ip[52] = 0xff  # hops, UDP's checksum, resv8a
    b[-4:] = struct.pack("<I", zlib.crc32(b"\xff" * 8 + ip))
    return bytes(b)


def roce(version=6, ecn=2, qp=0x12, psn=0, op=SEND_ONLY, payload=bytes(16), tag=None,
         src=None, dst=None, **ether):
    link = s.Ether(**{**MACS, **ether})
    if tag is not None:
        link /= s.Dot1Q(vlan=tag)
    udp = s.UDP(sport=0xc001, dport=4791)
    after = cnp(qp) if op == 0x81 else BTH(opcode=op, dqpn=qp, psn=psn)
    if op == ACK:
        after /= AETH(syndrome=payload, msn=7)
    elif op != 0x81:
        after /= s.Raw(payload)
    if version == 4:
        return bytes(link / s.IP(src=src or "192.0.2.1", dst=dst or "192.0.2.2", id=7,
                                 ttl=64, flags="DF", tos=0x60 | ecn) / udp / after)
    udp.chksum, after[BTH].icrc = 0, 0
    return seal(link / s.IPv6(src=src or "2001:db8::1", dst=dst or "2001:db8::2",
                              tc=0x60 | ecn, fl=0x12345) / udp / after)


def ce(frame):
    """Returns the frame with a CE mark, by scapy."""
    p = s.Ether(frame)
    if s.IPv6 in p:
        p[s.IPv6].tc |= 3
    else:
        p[s.IP].tos |= 3
        del p[s.IP].chksum
    return bytes(p)


def judged(frames):
    """Returns rocedump's JSON of each frame."""
    path = pathlib.Path(folder.name, "judged.pcap")
    s.wrpcap(str(path), [s.Ether(f) for f in frames])
    done = subprocess.run([rocedump, "--json", path], capture_output=True, text=True,
                          check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


class Machine:
    """A machine at the other end of a socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(10)
        for _ in range(500):
            try:
                self.socket.connect(path)
                break
            except (FileNotFoundError, ConnectionRefusedError):
                time.sleep(0.01)
        else:
            sys.exit(f"softroce-test: no listener at {path}")
        self.rest = b""

    def send(self, *frames):
        self.socket.sendall(b"".join(struct.pack("!I", len(f)) + f for f in frames))

    def take(self, n, seconds=5.0):
        """Returns n frames, or fewer after this time."""
        got, end = [], time.monotonic() + seconds
        while len(got) < n:
            while len(got) < n and len(self.rest) >= 4:
                size = struct.unpack("!I", self.rest[:4])[0]
                if len(self.rest) < 4 + size:
                    break
                got.append(self.rest[4:4 + size])
                self.rest = self.rest[4 + size:]
            left = end - time.monotonic()
            if len(got) >= n or left <= 0:
                break
            if select.select([self.socket], [], [], left)[0]:
                more = self.socket.recv(1 << 20)
                if not more:
                    break
                self.rest += more
        return got

    def take_until(self, last):
        """Returns all frames up to this one."""
        got = self.take(1)
        while got and got[-1] != last:
            more = self.take(1)
            if not more:
                break
            got += more
        return got


class Switch:
    """The program between two machines."""
    all = []

    def __init__(self, what, connect=True, **options):
        Switch.all.append(self)
        self.what = what
        at = f"{folder.name}/{len(Switch.all)}"
        self.log, self.paths = f"{at}.log", [f"{at}.sender", f"{at}.receiver"]
        self.process = subprocess.Popen(
            [switch, *self.paths, f"log={self.log}",
             *(f"{k}={v}" for k, v in options.items())],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if connect:
            self.sender, self.receiver = map(Machine, self.paths)

    def told(self, n):
        """Checks that the sender got n frames, and returns them."""
        end = bytes(range(60))
        self.receiver.send(end)
        got = self.sender.take_until(end)
        same(got[-1:], [end], f"{self.what}: the way back")
        same(len(got) - 1, n, f"{self.what}: frames to the sender")
        return got[:-1]

    def ends(self, status=0, close="sender"):
        """Checks the exit. Returns the log's lines by their first word, and stores the counts."""
        if close:
            getattr(self, close).socket.close()
        try:
            out, err = self.process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            out, err = self.process.communicate()
        same(self.process.returncode, status, f"{self.what}: exit status, {err:.2000}")
        check(not any(map(os.path.exists, self.paths)), f"{self.what}: a socket is left")
        lines, times = {}, []
        for line in pathlib.Path(self.log).read_text().splitlines():
            word, *fields = line.split("\t")
            times.append(int(fields[0]))
            fields[:-1] = map(int, fields[:-1])
            if word != "offered":
                fields[-1] = int(fields[-1])
            lines.setdefault(word, []).append(fields)
        same(times, sorted(times), f"{self.what}: order of the log")
        self.counts = {k: int(v) for k, v in map(str.split, out.splitlines())}
        self.error = err
        return lines


ODD = [s.Ether(dst="ff:ff:ff:ff:ff:ff") / s.ARP(pdst="192.0.2.2"),
       s.Ether(**MACS) / s.IPv6(dst="ff02::1") / s.ICMPv6ND_NS(tgt="2001:db8::2"),
       s.Ether(**MACS) / s.IPv6() / s.TCP() / s.Raw(b"x" * 100),
       s.Ether(**MACS) / s.IP(len=2000) / s.UDP(dport=4791) / s.Raw(b"cut off"),
       s.Ether(**MACS) / s.IP(ihl=4) / s.UDP(dport=4791) / s.Raw(bytes(20)),
       s.Ether(**MACS) / s.IP(tos=2) / s.UDP(dport=4791) / s.Raw(b"short")]
ODD = [*map(bytes, ODD), bytes(14), bytes(range(256)) * 256,
       roce(4)[:60], roce()[:60], roce()[:-1]]


KILO = roce(payload=bytes(922))  # 1000 bytes


def crosses():
    """Frames of every kind cross unchanged and in order, both ways."""
    n = Switch("crosses", rate_bps=10**9, queue_bytes=10**6, wred_min_bytes=0,
               wred_max_bytes=0, fastcnp=1)
    frames = [*ODD, roce(ecn=0), roce(4, ecn=0)]
    n.sender.send(*frames)
    same(n.receiver.take(len(frames)), frames, "to the receiver")
    frames += [roce(), roce(4), roce(op=0x81, qp=0x11),
               roce(4, op=ACK, qp=0x11, psn=5, payload=0x1f),
               roce(op=ACK, qp=0x13, psn=6, payload=0x60)]
    n.receiver.send(*frames)
    same(n.sender.take(len(frames)), frames, "to the sender")
    lines = n.ends()
    same([x[1:] for x in lines["ack"]], [[0x11, 5, 0x1f], [0x13, 6, 0x60]], "acks")
    same([x[1:] for x in lines["cnp"]], [[0x11]], "cnps")
    same([x[1:5] + x[6:] for x in lines["offered"]],
         [[0x12, 0, 4, 94, "pass"], [0x12, 0, 4, 74, "pass"]], "offered")
    same([x[1:5] for x in lines["sent"]], [[0x12, 0, 4, 94], [0x12, 0, 4, 74]], "sent")
    same(lines["sent"][1][5], 0, "the queue in the end")
    same((n.counts["other_pass"], n.counts["back"]), (len(ODD), len(frames)), "counts")


def rate():
    """Frames leave at rate_bps, in the log to the ns, and by a clock here to 3 %.

    On a busy machine a frame may be seen late, but not early, so each half's least
    lateness counts."""
    bps, n_frames, got, seen = 20000003, 1250, [], []
    n = Switch("rate", rate_bps=bps, queue_bytes=2 * 10**6, ecn=0)
    n.sender.send(*[KILO] * n_frames)
    while len(got) < n_frames:
        more = n.receiver.take(1)
        if not more:
            break
        got += more
        seen.append(time.monotonic_ns())
    check(got == [KILO] * n_frames, "rate: frames")
    lines = n.ends()
    sent, free = [x[0] for x in lines["sent"]], 0
    for offered, t in zip(lines["offered"], sent):
        free = max(free, offered[0]) + fractions.Fraction(8000 * 10**9, bps)
        if t != int(free):
            check(False, f"rate: sent at {t} ns, and not at {int(free)}")
            break
    late = [a - b for a, b in zip(seen, sent)]
    drift = min(late[n_frames // 2:]) - min(late[:n_frames // 2])
    check(abs(drift) < 0.03 * (sent[-1] - sent[0]) / 2, f"rate: {drift} ns off the log")


def taildrop():
    """As many frames of any kind pass as fit, and no more."""
    n = Switch("taildrop", rate_bps=10**4, queue_bytes=10000, ecn=0)
    arp = ODD[0].ljust(1001, b"\0")
    n.sender.send(*[KILO] * 9, arp, *[KILO] * 10, arp[:60])
    lines = n.ends()
    same([x[6] for x in lines["offered"]], ["pass"] * 10 + ["full"] * 9,
         "taildrop: fates")
    same([x[5] for x in lines["offered"]],
         [1000 * i for i in range(1, 11)] + [11000] * 9, "taildrop: queue")
    same((n.counts["other_full"], n.counts["other_pass"], n.counts["full"]), (2, 0, 9),
         "taildrop: counts")


def wred():
    """Marks are as frequent as the curve requires, and differ with another seed."""
    curve = {"rate_bps": 1000, "queue_bytes": 10**7, "wred_min_bytes": 10**6,
             "wred_max_bytes": 3 * 10**6, "wred_pmax": 50}
    marked = []
    for seed in (1, 1, 2):
        n = Switch("wred", seed=seed, **curve)
        n.sender.send(*[KILO] * 3200)
        n.sender.socket.shutdown(socket.SHUT_WR)
        offered = n.ends(close=None)["offered"]
        same([x[5] for x in offered], [1000 * i for i in range(1, 3201)], "wred: queue")
        marked.append([i for i, x in enumerate(offered) if x[6] == "mark"])
        p = [min(max((x[5] - 10**6) / (2 * 10**6), 0) * 0.5, 1) for x in offered]
        between = [i for i in marked[-1] if i < 2999]
        mean, sigma = sum(p[:2999]), sum(x * (1 - x) for x in p[:2999]) ** 0.5
        check(min(marked[-1], default=0) >= 999, "wred: a mark below the minimum")
        check(set(range(2999, 3200)) <= set(marked[-1]), "wred: no mark at the maximum")
        check(abs(len(between) - mean) < 4 * sigma,
              f"wred: {len(between)} marks, and not {mean:.0f} +- {4 * sigma:.0f}")
    same(marked[0], marked[1], "wred: one seed, two runs")
    check(marked[0] != marked[2], "wred: two seeds give the same")


ALWAYS = {"rate_bps": 10**9, "queue_bytes": 10**6, "wred_min_bytes": 0, "wred_max_bytes": 0}
NEVER = [roce(ecn=0), roce(4, ecn=0), roce(op=ACK, payload=0x1f), roce(op=0x81),
         roce(op=READ_REQUEST), roce(4, op=ACK, payload=0x1f),
         bytes(s.Ether(**MACS) / s.IP(tos=2) / s.TCP() / s.Raw(bytes(40)))]


def marks():
    """ECT data gets CE, and nothing else does."""
    n = Switch("marks", **ALWAYS)
    data = [roce(v, ecn=e, op=op, tag=tag) for v in (4, 6) for e in (1, 2, 3)
            for op in (SEND_ONLY, READ_RESPONSE) for tag in (None, 5)]
    n.sender.send(*data, *NEVER)
    got = n.receiver.take(len(data) + len(NEVER))
    same(got, [*map(ce, data), *NEVER], "marks: frames")
    for p in judged(got):
        same(p["icrc"]["ok"] if "bth" in p else True, True, "marks: ICRC")
    lines = n.ends()
    same([x[6] for x in lines["offered"]], ["mark"] * len(data) + ["pass"] * 6,
         "marks: fates")
    check("fastcnp" not in lines, "a Fast CNP, although they are off")
    n = Switch("no marks", ecn=0, **ALWAYS)
    n.sender.send(*data)
    same(n.receiver.take(len(data)), data, "ecn=0: frames")
    n.ends()


def fastcnps():
    """A Fast CNP to the sender replaces CE. If no Fast CNP is possible, the data gets CE."""
    n = Switch("fastcnps", fastcnp=1, address="2001:db8::77", type_plain="0x9e", **ALWAYS)
    told = [roce(ecn=e, qp=0x100 + e, tag=tag, dst=f"2001:db8::{e}2")
            for e in (1, 2, 3) for tag in (None, 5)] + [roce(op=READ_RESPONSE)]
    marked = [roce(4), roce(src="2001:db9::1"), roce(dst="ff02::2"),
              roce(src="ff02::1"), roce(src="2001:db8::9")[:6] + b"\1" * 6 +
              roce(src="2001:db8::9")[12:]]
    n.sender.send(*told, *marked, *NEVER)
    same(n.receiver.take(len(told + marked + NEVER)), [*told, *map(ce, marked), *NEVER],
         "fastcnps: data")
    got = n.told(len(told))
    for frame, data, p in zip(got, told, judged(got)):
        about, link = s.Ether(data), s.Ether(frame)
        same((link.src, link.dst), (OWN, MACS["src"]), "Fast CNP: MAC addresses")
        same([x.vlan for x in link.iterpayloads() if isinstance(x, s.Dot1Q)],
             [x.vlan for x in about.iterpayloads() if isinstance(x, s.Dot1Q)],
             "Fast CNP: tag")
        [ip] = p["ipv6"]
        same((ip["src"], ip["dst"]), ("2001:db8::77", "2001:db8::1"),
             "Fast CNP: addresses")
        same((p["bth"]["opcode"], p["bth"]["dest_qp"]), (0x81, about[BTH].dqpn),
             "Fast CNP: BTH")
        same((p["fastcnp"]["kind"], p["fastcnp"]["flow_dst"]),
             ("plain", about[s.IPv6].dst), "Fast CNP: flow")
        same((p["status"], p["icrc"]["ok"]), ("ok", True), "Fast CNP: ICRC")
    lines = n.ends()
    same([x[6] for x in lines["offered"]],
         ["told"] * len(told) + ["mark"] * len(marked) + ["pass"] * 6, "fastcnps: fates")
    same([x[1] for x in lines["fastcnp"]], [s.Ether(x)[BTH].dqpn for x in told],
         "fastcnps: log")
    n = Switch("Fast CNPs alone", fastcnp=1, ecn=0, permit="2001:db9::/32", **ALWAYS)
    n.sender.send(roce(), roce(4), roce(src="2001:db9::1", qp=5))
    same(n.receiver.take(3), [roce(), roce(4), roce(src="2001:db9::1", qp=5)],
         "ecn=0 fastcnp=1: data")
    same([p["bth"]["dest_qp"] for p in judged(n.told(1))], [5], "permit")
    n.ends()


def gaps():
    """A flow has at most one notification in gap_us, and another flow its own."""
    gap = 50000000
    n = Switch("gaps", fastcnp=1, gap_us=gap // 1000, **ALWAYS)
    flows = [(0x11, "2001:db8::2"), (0x12, "2001:db8::2"), (0x11, "2001:db8::3")]
    each = [roce(qp=qp, dst=dst, psn=k) for k, (qp, dst) in enumerate(flows)]
    for _ in range(70):
        n.sender.send(*each)
        time.sleep(0.001)
    frames = each * 70
    same(n.receiver.take(len(frames)), frames, "gaps: no CE")
    n.receiver.send(ODD[0])
    got = n.sender.take_until(ODD[0])[:-1]
    lines = n.ends()
    last, told = {}, 0
    for t, _, flow, _, _, _, fate in lines["offered"]:
        opens = flow not in last or t - last[flow] >= gap
        same(fate, "told" if opens else "pass", f"gaps: fate at {t}")
        if opens:
            last[flow] = t
            told += 1
    same((len(got), len(lines["fastcnp"])), (told, told), "gaps: Fast CNPs")
    check(6 <= told < 105, f"gaps: {told} Fast CNPs show nothing")
    n = Switch("many flows", fastcnp=1, gap_us=1000000, **ALWAYS)
    n.sender.send(*[roce(qp=i) for i in range(1, 201)])
    n.receiver.take(200)
    n.told(200)
    n.ends()


def ioam():
    """A packet's trace shows the port as the packet leaves, and nothing else changes."""
    udp = s.UDP(sport=0xc001, dport=4791, chksum=0)
    hbh = struct.pack("!BBH BBBB HHI", 17, 6, 0x0100, 0x31, 50, 0, 0,
                      0, 5 << 11 | 10, 0xd20800 << 8) + bytes(40)  # RFC 9197, HPCC++
    frame = bytes(s.Ether(**MACS) / s.IPv6(src="2001:db8::1", dst="2001:db8::2", nh=0,
                                           hlim=63, tc=2) / s.Raw(hbh) /
                  s.Raw(bytes(udp / BTH(opcode=4, dqpn=0x12, icrc=0) / s.Raw(bytes(500)))))
    n = Switch("ioam", ioam=0xa01, fastcnp=1, **{**ALWAYS, "rate_bps": 10**6})
    n.sender.send(*[frame] * 5, KILO)
    got = n.receiver.take(6)
    sent = n.ends()
    sum_bytes = 0
    for have, p, line in zip(got, judged(got[:5]), sent["sent"]):
        check(have[:64] + have[66:90] + have[110:] == frame[:64] + frame[66:90] + frame[110:],
              "ioam: a byte besides the record")
        [trace], sum_bytes = p["ioam"], sum_bytes + len(frame)
        [node] = trace["nodes"]
        same((trace["remaining_len"], trace["flags"]), (5, 0), "ioam: trace")
        same(node,
             {"hop_limit": 63, "node_id": 0xa01, "ingress_id": 1, "egress_id": 2,
              "timestamp_frac": line[0] % 10**9, "queue_depth": line[5],
              "tx_bytes": sum_bytes}, "ioam: node")
    same(got[5], KILO, "ioam: a packet without a trace")
    same([x[1] for x in sent["fastcnp"]], [0x12] * 6, "ioam: Fast CNPs")


def framing():
    """Runts are dropped, pieces are joined, and a length beyond 64 KB ends the program."""
    n = Switch("framing", ecn=0, rate_bps=10**9)
    whole = roce(ecn=0)
    stream = b"".join(struct.pack("!I", len(f)) + f for f in
                      (b"", b"\1", whole[:13], whole, whole[:14]))
    for side, other in ((n.sender, n.receiver), (n.receiver, n.sender)):
        for i in range(len(stream)):
            side.socket.send(stream[i:i + 1])
        same(other.take(2), [whole, whole[:14]], "framing: runts")
    n.sender.socket.send(stream[:50])
    n.ends()
    same(n.counts["runts"], 9, "framing: runts counted")
    for length in (65537, 0x7fffffff, 0xffffffff):
        for side in ("sender", "receiver"):
            n = Switch("framing", ecn=0)
            getattr(n, side).socket.send(struct.pack("!I", length) + bytes(100))
            n.ends(status=1, close=None)
            check("65536" in n.error, f"framing: {n.error}")


def mutants():
    """Broken packets cross, and only CE changes them."""
    n = Switch("mutants", fastcnp=1, **ALWAYS)
    pick, frames = random.Random(1), []
    whole = [roce(), roce(4), roce(tag=5), *ODD[:5]]
    for _ in range(600):
        frame = bytearray(pick.choice(whole))
        for _ in range(pick.randrange(1, 4)):
            frame[pick.randrange(len(frame))] = pick.randrange(256)
        frames.append(bytes(frame[:pick.choice([len(frame), pick.randrange(14, 80)])]))
    n.sender.send(*frames)
    got = n.receiver.take(len(frames))
    same([len(f) for f in got], [len(f) for f in frames], "mutants: lengths")
    changed = {i for a, b in zip(frames, got) for i in range(len(a)) if a[i] != b[i]}
    check(changed <= {15, 19, 24, 25, 28, 29}, f"mutants: bytes {changed} are changed")
    n.receiver.send(*frames)
    end = bytes(range(60))
    n.receiver.send(end)
    came = n.sender.take_until(end)[:-1]
    check(len(came) > len(frames) + 40, f"mutants: {len(came)} frames came back")
    same(came[-len(frames):], frames, "mutants: back")
    n.ends()


def slow_receiver():
    """A slow reader holds up no other machine, and loses whole frames."""
    n = Switch("slow receiver", ecn=0, rate_bps=10**10, queue_bytes=10**9)
    frames = [roce(ecn=0, psn=i, payload=bytes(8926)) for i in range(500)]
    n.sender.send(*frames)
    n.receiver.send(ODD[0])
    same(n.sender.take(1), ODD[:1], "slow receiver: the way back")
    time.sleep(0.05)
    got = n.receiver.take(len(frames), 0.2)
    n.sender.send(ODD[0])
    got += n.receiver.take_until(ODD[0])[:-1]
    check(100 < len(got) < 500, f"slow receiver: {len(got)} of 500 frames")
    same(got, [f for f in frames if f in set(got)], "slow receiver: whole frames")
    n.ends()
    same(n.counts["lost_to_receiver"], 500 - len(got), "slow receiver: counted")


def endings():
    """SIGTERM writes the log, and invalid command lines are refused."""
    n = Switch("SIGTERM", ecn=0)
    n.sender.send(roce())
    n.receiver.take(1)
    n.process.terminate()
    same(len(n.ends(close=None)["offered"]), 1, "SIGTERM: log")
    n = Switch("SIGTERM without machines", connect=False)
    while not os.path.exists(n.paths[1]):
        time.sleep(0.01)
    n.process.terminate()
    n.ends(close=None)
    n = Switch("receiver goes")
    n.ends(close="receiver")
    where = [f"{folder.name}/a", f"{folder.name}/b"]
    for args, status in ((["--help"], 0), ([], 2), (where[:1], 2), ([*where, "ecn=2"], 2),
                         ([*where, "rate_bps=x"], 2), ([*where, "nothing=1"], 2),
                         ([*where, "ecn"], 2), ([*where, "permit=2001:db8::"], 2),
                         ([*where, "rate_bps=0"], 1), ([*where, "wred_pmax=101"], 1),
                         ([*where, f"rate_bps={1 << 43}"], 1), ([*where, f"ioam={1 << 24}"], 1),
                         ([*where, "wred_min_bytes=40001"], 1),
                         ([*where, "queue_bytes=0"], 1),
                         ([*where, "permit=2001:db8::1/32"], 1),
                         ([*where, "permit=2001:db8::/129"], 2),
                         ([*where, "fastcnp=1", "type_plain=0x1e"], 1),
                         ([*where, "fastcnp=1", "address=::1"], 1),
                         ([*where, "fastcnp=1", "gap_us=2147484"], 1),
                         ([*where, "fastcnp=1", "gap_us=4294967295"], 1),
                         ([*where, f"log={folder.name}/none/log"], 1),
                         ([f"{folder.name}/none/a", where[1]], 1),
                         (["x" * 200, where[1]], 1)):
        done = subprocess.run([switch, *args], capture_output=True, text=True, timeout=5,
                              check=False)
        same(done.returncode, status, f"{args}: {done.stderr}")
        same(any("Sanitizer" in x or "runtime error" in x for x in done.stderr.splitlines()),
             False, f"{args}: {done.stderr}")


if s.conf.version != "2.5.0":
    sys.exit(f"softroce-test: scapy {s.conf.version}, and not 2.5.0")
for part in (crosses, rate, taildrop, wred, marks, fastcnps, gaps, ioam, framing, mutants,
             slow_receiver, endings):
    try:
        part()
    except Exception:  # later parts may still be right
        check(False, f"{part.__name__}: {traceback.format_exc()}")
for n in Switch.all:
    n.process.kill()
if bad:
    sys.exit(f"softroce-test: {bad} of {checks} checks are red")
print(f"softroce-test: {checks} checks of a switch between two machines")
