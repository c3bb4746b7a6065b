#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""flows.py ROCEDUMP SCRAPS: --flows, --timeline and --csv against tshark's fields of the
same captures, counted here in another way: every PSN that came is kept in a set, and
nothing of rocedump's is used. Which CNPs answer what is known: the captures are made
here, with gaps, reordering, doubled packets, NAKs, CE, CNPs, trimmed packets, READ, UD,
IPv6, VXLAN, and two hosts that connect."""
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


def fail(text):
    global bad
    print("flows: " + text)
    bad += 1


# ---- captures

class Capture:
    def __init__(self, name):
        self.path, self.frames, self.now = scraps / name, [], 10 ** 18

    def add(self, frame, after_ns=1000):
        self.now += after_ns
        self.frames.append((self.now, frame))

    def write(self):
        data = struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 262144, 1)
        for t, f in self.frames:
            data += struct.pack("<IIII", t // 10 ** 9, t % 10 ** 9, len(f), len(f)) + f
        self.path.write_bytes(data)
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
    """A frame; cut: bytes that a switch has cut away, ICRC and all."""
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
    """WRITEs with gaps, late and doubled ones, marks and trimmed ones."""
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
    """Three pairs of hosts at once; the second one in VXLAN."""
    c, a, b = Capture("flows-mixed.pcap"), "10.0.0.1", "10.0.0.2"
    queues = [list(messy(a, b, 0x1234, SPACE - 300, 900)),  # across 0
              [vxlan(f) for f in messy("10.1.0.1", "10.1.0.2", 0x77, 5, 500)],
              list(messy("2001:db8::1", "2001:db8::2", 0xabc, 70000, 700))]
    back = [(b, a, 0x21), ("10.1.0.2", "10.1.0.1", 0x22),
            ("2001:db8::2", "2001:db8::1", 0x23)]
    while any(queues):
        k = pick.choice([i for i in range(3) if queues[i]])
        c.add(queues[k].pop(0), pick.randrange(1, 5000))
        if pick.random() < 0.1:
            c.add(cnp(*back[k], dscp=pick.choice([48, 46])), pick.randrange(4000))
        if pick.random() < 0.05:
            c.add(ack(*back[k], pick.randrange(SPACE), pick.choice([0, 0x60, 0x61, 0x2c])),
                  pick.randrange(4000))
    answers = {(back[i][0], back[i][2]): (qp, "only")
               for i, qp in enumerate((0x1234, 0x77, 0xabc))}
    return c.write(), answers


def reads():
    """READ requests and what comes back, with a hole; and UD, two senders to one QP."""
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
    """Many QPs between two hosts: which CNPs answer what."""
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
        c.add(ack(b, a, 0x41, 5000 + i))    # of 0x31 alone
        c.add(ack(b, a, 0x42, 900000 + i))  # of 0x32 or of 0x33
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
    """Two taps of one link, one long after the other; and a QP that is used again."""
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
    """Most of the PSNs are missing; the last one to come was among them."""
    c = Capture("flows-far.pcap")
    for psn in (0, 0x700000, 0xe00000, 0xe00002, 0xe00001):
        c.add(roce("10.0.0.1", "10.0.0.2", SEND, 0x11, psn))
    is_ = json.loads(ours(c.write(), "--flows", "--json"))["psn"]
    same(c.path, "", "psn", is_, {"gaps": 3, "missing": 0xe00003 - 5, "late": 1,
                                  "doubled": 0, "old": 0, "restarts": 0})


# ---- what tshark says

FIELDS = ("frame.time_epoch ip.src ip.dst ipv6.src ipv6.dst ip.dsfield.dscp "
          "ip.dsfield.ecn ipv6.tclass.dscp ipv6.tclass.ecn ip.len ipv6.plen udp.length "
          "infiniband.bth.opcode infiniband.bth.destqp infiniband.bth.psn "
          "infiniband.aeth.syndrome.opcode infiniband.reth.dmalen").split()


def tshark(path):
    """Of each packet with a BTH its fields; of several of a name the innermost's."""
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
    """What is missing, late and doubled, by all PSNs that came, unrolled."""

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
                self.of["restarts"] += 1
                self.begin(at, least, most)
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
                             cnp_ns=[], ce_ns=[], requests=Sequence(), services=set(),
                             responses=Sequence(), sequence=False))
        f["packets"] += 1
        f["services"].add(SERVICES[opcode >> 5])
        length = int(r["ip.len"]) if v4 else 40 + int(r["ipv6.plen"])
        f["bytes"] += length
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


def same(path, key, name, a, b):
    if a != b:
        fail(f"{path.name}: {key}: {name} is {a}, by tshark {b}")


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
    for line in ours(path, "--flows", "--json").splitlines():
        f = json.loads(line)
        seen[f["src"], f["dst"], f["dest_qp"]] = f
    same(path, "", "flows", sorted(seen), sorted(flows))
    for key in set(seen) & set(flows):
        f, is_ = flows[key], seen[key]
        for name in ("packets", "bytes", "trimmed", "naks", "rnr_naks"):
            same(path, key, name, is_[name], f[name])
        same(path, key, "ce", is_["ce"], len(f["ce_ns"]))
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
    timeline(path, flows)
    table(path, flows, seen)
    return len(flows)


def timeline(path, flows):
    """The rows of all intervals add up to the flows."""
    sums = collections.defaultdict(collections.Counter)
    delays = 0
    for row in csv.DictReader(ours(path, "--timeline=100us").splitlines()):
        key = row["src"], row["dst"], int(row["dest_qp"])
        for name in ("packets", "bytes", "ce", "cnps"):
            sums[key][name] += int(row[name])
        delays += row["ce_to_cnp_us"] != ""
    for key, f in flows.items():
        want = {"packets": f["packets"], "bytes": f["bytes"], "ce": len(f["ce_ns"]),
                "cnps": len(f["cnp_ns"])}
        same(path, key, "timeline", dict(sums[key]), want)
    same(path, "", "flows in the timeline", len(sums), len(flows))


def table(path, flows, seen):
    """The text: a row per flow, most bytes first, then one per flow with CNPs, and each
    column ends where its head does."""
    tables = [t.splitlines() for t in ours(path, "--flows").split("\n\n")]
    same(path, "", "rows of the table", len(tables[0]) - 1, len(flows))
    sizes = [int(r.split()[5]) for r in tables[0][1:]]
    same(path, "", "order of the table", sizes, sorted(sizes, reverse=True))
    for r in tables[0][1:]:
        r = r.split()
        key = r[0], r[1], int(r[2], 16)
        same(path, key, "text", r[3:], flow_text(flows[key], seen[key]))
    for t in tables:
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
    """A row of the table: by tshark's fields, but for what answers a flow, which the
    JSON has. CNPs cannot be marked, so the share of CE is without them."""
    data = f["packets"] - len(f["cnp_ns"])
    both = (f["requests"], f["responses"])
    psns = [sum(s.of["gaps"] for s in both), sum(len(s.skipped) for s in both),
            *(sum(s.of[n] for s in both) for n in ("late", "doubled", "old"))]
    answers = f"{is_['cnps'] + is_['fast_cnps']}{'?' * is_['cnps_disputed']}"
    dscps = [str(d) for d in sorted(f["dscp"] | f["cnp_dscp"])]
    return ["+".join(s for s in SERVICES if s in f["services"]), str(f["packets"]),
            str(f["bytes"]), f"{100 * len(f['ce_ns']) / data:.2f}" if data else "-",
            answers if f["data"] else "-", str(f["trimmed"]),
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
for make in (mixed, reads, numbers, restarts):
    made, known = make()
    total += compare(made, known)
    columns(made)
far_ahead()
print(f"flows: {total} flows of 4 captures as tshark's fields have them")
sys.exit(bad != 0)
