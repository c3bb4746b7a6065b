#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""picture_test.py SCRAPS: tests picture.py on logs with numbers that are calculated by hand,
beside each; on logs that miss a bar; and on broken logs.

A run is two flows of WRITEs, A to QP 17 and B to QP 18. Each sends FAST packets 2 ms apart and
then, until 8 s, one every 4 ms (B: every b_ms). B is 1 ms behind A. A packet leaves after half a
millisecond. Until then the queue has 5000 bytes, then 3000.

  ms   0 1 2 3     2 FAST   +1   +4  +5
       A B A B ...   A      B    A   B  ...  8000"""
import csv
import pathlib
import shutil
import subprocess
import sys

scraps = pathlib.Path(sys.argv[1])
RATE = 5_000_000  # 625 bytes in a ms
FRAME, PAYLOAD = 1102, 1024  # over IPv6
FIRST_MS = 1500  # log time of the first data packet
bad = 0


def fail(text):
    global bad
    print("picture-test: " + text)
    bad += 1


class Log:
    """Lines in the order of their times in us, from the first data packet on."""

    def __init__(self):
        self.lines = []

    def add(self, us, what, *words):
        self.lines.append((us, len(self.lines), what, words))

    def write(self, path):
        with open(path, "w", encoding="ascii") as f:
            for us, _, what, words in sorted(self.lines):
                print(what, (FIRST_MS * 1000 + us) * 1000, *words, sep="\t", file=f)


def flow(log, qp, at_ms, fast, gap_ms, fates, resent, base=0):
    """resent: PSNs to send again after the fast ones; base: the first PSN."""
    times = [2 * k for k in range(fast)] + list(range(2 * fast, 8000, gap_ms))
    psns = list(range(fast)) + list(resent)
    psns += range(fast, fast + len(times) - len(psns))
    for k, (ms, psn) in enumerate(zip(times, (base + n for n in psns))):
        us, fate = 1000 * (at_ms + ms), fates.get(k, "pass")
        # the log's queue includes a packet without room, too
        queue = 3000 + FRAME if fate == "full" else 5000
        log.add(us, "offered", qp, psn, 7, FRAME, queue, fate)
        if fate != "full":
            log.add(us + 500, "sent", qp, psn, 7, FRAME, 3000)
        if fate == "pass" and k % 7 == 0:
            log.add(us + 900, "ack", qp + 16, psn, 31)


def run(path, fast=100, b_ms=4, notice="cnp", marks=(50, 60), after_ms=(10, 4),
        drops=range(90, 100), late=(), qps=True, base=2**23):
    log = Log()
    # a SEND before the run, with its queue, must not count
    log.add(-900000, "offered", 17, 7, 4, 90, 99000, "pass")
    log.add(-800000, "sent", 17, 7, 4, 90, 0)
    fates = {k: "full" for k in [*drops, *late]}
    fate = "told" if notice == "fastcnp" else "mark"
    flow(log, 17, 0, fast, 4, {**fates, marks[0]: fate, marks[0] + 3: fate}, drops)
    flow(log, 18, 1, fast, b_ms, {marks[1]: fate}, range(fast - 5, fast), base)
    if notice == "cnp":
        log.add(1000 * (2 * marks[1] - 9), "cnp", 34)  # before B's first mark
    times = 2 * marks[0] + after_ms[0], 2 * marks[1] + 1 + after_ms[1]
    for k, ms in enumerate(times if notice else ()):
        log.add(int(1000 * ms), notice, k + (33 if notice == "cnp" else 17))
    log.write(path)
    if qps:
        path.with_suffix(".qps").write_text("qp 33 17\nqp 34 18\n")


def plain(path):
    """Packets 20 ms apart per flow, of three opcodes, with 9000 bytes queued for 50 us after
    each."""
    log = Log()
    for k in range(800):
        qp, opcode = 17 + k % 2, (6, 7, 8)[k // 2 % 3]
        n = FRAME + 16 if opcode == 6 else FRAME
        log.add(10000 * k, "offered", qp, k // 2, opcode, n, 9000, "pass")
        log.add(10000 * k + 50, "sent", qp, k // 2, opcode, n, 1000)
    log.write(path)


def twin(folder):
    folder.mkdir(exist_ok=True)
    rows = [f"{20 * (i + 1)}000000,{1000 * (i % 2)},{4000000},{3000000},{1000000}"
            for i in range(400)]
    (folder / "dcqcn.csv").write_text("\n".join(
        ["time_ns,queue_bytes,goodput_bps,flow0_bps,flow1_bps", *rows]) + "\n")
    (folder / "summary.csv").write_text("scheme,drops\ndcqcn,12\n")


def good(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for k in (1, 2, 3):
        plain(folder / f"rxe.{k}.tsv")
        plain(folder / f"caps.{k}.tsv")
        run(folder / f"cnp.{k}.tsv", b_ms=5 if k == 1 else 4, after_ms=(10 * k, 4 * k),
            qps=k < 3)
        run(folder / f"fastcnp.{k}.tsv", fast=20, notice="fastcnp", marks=(5, 6),
            after_ms=(0.2, 0.2), drops=[19])
    twin(folder / "twin")


def picture(folder, *more):
    done = subprocess.run(
        [sys.executable, "-B", pathlib.Path(__file__).with_name("picture.py"), "--rate-bps",
         str(RATE), "--out", folder / "out", "--twin", folder / "twin/dcqcn.csv", *more,
         *folder.glob("*.tsv")], capture_output=True, text=True, check=False)
    if "Traceback" in done.stderr:
        fail(done.stderr)
    return done.returncode, done.stdout + done.stderr


def is_near(name, value, want):
    if abs(value - want) > 0.000051 * max(1, abs(want)):
        fail(f"{name} is {value}, expected {want:.6f}")


def expect(rows, way, number, **want):
    row = next(r for r in rows if r["way"] == way and r["run"] == number)
    for name, value in want.items():
        if value == "-" and row[name] != "-":
            fail(f"{way} {number}: {name} is {row[name]}")
        elif value != "-":
            is_near(f"{way} {number}: {name}", float(row[name]), value)


def numbers(folder):
    code, text = picture(folder)
    if code != 0:
        fail(f"good logs: exit {code}: {text}")
        return
    rows = list(csv.DictReader(open(folder / "out/numbers.tsv"), delimiter="\t"))
    # cnp.1: A has 100 + 7800 / 4 = 2050 packets, and 10 of them are dropped and sent again. B
    # has 100 + 7800 / 5 = 1660, and 5 of them are sent twice. The last ones leave after 7996.5
    # ms. After 2 s, A has 1500, from 2000 ms on, and B 1200, from 2001 ms on.
    ms = 7996.5
    distinct = 2040 + 1655
    # The queue: until 180 ms, half of each ms has 5000. Until 200 ms, only a quarter has,
    # because A's packets are dropped. Then 8 of 20 ms have half a ms of 5000. After 7980 ms,
    # 8 more such halves follow.
    area = 180 * 4000 + 20 * 3500 + 389 * (4 * 5000 + 16 * 3000) + 4 * 5000 + 12.5 * 3000
    expect(rows, "cnp", "1", goodput_MBps=distinct * PAYLOAD / ms / 1000,
           offered=3710, distinct=distinct, retransmissions=15, drops=10,
           drops_percent=1000 / 3710, late_drops=0, queue_mean_kB=area / ms / 1000,
           queue_p99_kB=5, fairness=1200 / 1500,
           utilisation=2700 * FRAME / (625 * (ms - 2000)))
    # A: marked at 100 ms, notified at 110. From 200 ms on, m of the 50 gaps have 4 ms instead of
    # 2. 50 / (50 + m) is below 0.8 from m = 13 on, 252 ms. B: marked at 121 (the CNP at 111 is
    # too early), notified at 125. From 201 on m gaps have 5 ms. 100 / (100 + 3 m) is below 0.8
    # from m = 9 on, 246 ms.
    expect(rows, "cnp", "1", notice_ms=(10 + 4) / 2, slower_ms=(142 + 121) / 2,
           reaction_ms=(152 + 125) / 2)
    # The third has no .qps, so ACKs must show the pairs. B with 4 ms is slower at 253 ms. A's
    # last packet leaves after 7996.5 ms, and until then B has one less since 2 s.
    expect(rows, "cnp", "3", notice_ms=(30 + 12) / 2, reaction_ms=(152 + 132) / 2)
    expect(rows, "cnp", "median", fairness=1499 / 1500, notice_ms=14, reaction_ms=(152 + 132) / 2)
    expect(rows, "cnp", "least", fairness=0.8, notice_ms=7, reaction_ms=138.5)
    expect(rows, "cnp", "most", fairness=1499 / 1500, notice_ms=21, reaction_ms=142)
    # Marked at 10 and 13 ms, notified 0.2 ms later. There are 20 gaps of 2 ms before the slower
    # ones. (20 + m) 2 / (40 + 4 m) is below 0.8 from m = 7 on: 68 and 69 ms.
    expect(rows, "fastcnp", "2", offered=4020, distinct=4014, drops=1, notice_ms=0.2,
           slower_ms=(57.8 + 55.8) / 2, reaction_ms=57, fairness=1499 / 1500)
    # 800 packets in 7990.05 ms. The queue is 1000 for 99.5 % of the time, and so at 99 %. After
    # 2 s there are 600 frames, and 100 of each flow's 300 have 16 bytes more.
    ms = 7990.05
    expect(rows, "rxe", "2", goodput_MBps=800 * PAYLOAD / ms / 1000, offered=800,
           retransmissions=0, drops=0, queue_mean_kB=1 + 800 * 0.05 * 8 / ms,
           queue_p99_kB=1, utilisation=(600 * FRAME + 200 * 16) / (625 * (ms - 2000)),
           notice_ms="-", reaction_ms="-", fairness=299 / 300)
    expect(rows, "twin-dcqcn", "1", goodput_MBps=0.5, drops=12, queue_mean_kB=0.5,
           queue_p99_kB=1, fairness=1 / 3, offered="-")
    table = (folder / "out/numbers.md").read_text().splitlines()
    if "| slower flow / faster, after 2 s | 0.997 | 0.997 | 0.999 (0.800 to 0.999) | 0.999 " \
            "| 0.333 |" not in table or len(table) != 16:
        fail("the table is another one:\n" + "\n".join(table))


def series(folder):
    """The median run by goodput is the second: cnp.1 has less, and two are alike."""
    rows = [[float(x) for x in line.split()]
            for line in (folder / "out/series/cnp.tsv").read_text().splitlines()]
    if len(rows) != 79:
        fail(f"{len(rows)} whole bins of 100 ms in 7997.5 ms")
    # each flow has 50 packets in the first bin, later 25, each with half a ms of 5000
    for i, want in ((0, [0.05, 4, 3, 5, 4.096, 4.096]),
                    (78, [7.85, 3.5, 3, 5, 2.048, 2.048])):
        for value, w in zip(rows[i], want):
            if abs(value - w) > 0.001 * w:
                fail(f"bin {i} has {rows[i]}, expected {want}")
    if shutil.which("gnuplot") is None:
        return
    drawn = (folder / "out/picture.svg").read_text()
    for text in ("Soft-RoCE as it is", "paced at its caps", "DCQCN by CNPs",
                 "DCQCN by Fast CNPs", "twin, by CNPs", "0.50 MB/s, 12 lost", "</svg>"):
        if text not in drawn:
            fail(f"the picture does not have: {text}")


def bars(folder):
    """Each missed bar must be named, with exit 1. With CNPs 4100 packets are offered, and 2 %
    are 82; with Fast CNPs 4020, and 0.5 % are 20.1."""
    fast = {"fast": 20, "notice": "fastcnp", "marks": (5, 6), "after_ms": (0.2, 0.2)}
    many = [*range(2, 42), *range(57, 99)]
    for want, way, more in (
            ("", "cnp", {"drops": many[1:]}),
            ("by CNPs: share of drops is 0.02,", "cnp", {"drops": many}),
            ("", "fastcnp", {"late": range(100, 120), "drops": [], **fast}),
            ("Fast CNPs: share of drops is 0.005", "fastcnp",
             {"late": range(100, 121), "drops": [], **fast}),
            ("by CNPs: fairness is 0.8,", "cnp", {"b_ms": 5}),
            ("Fast CNPs: fairness is 0.8,", "fastcnp", {"b_ms": 5, "drops": [], **fast}),
            ("Fast CNPs: reaction in ms is", "fastcnp",
             {"notice": "fastcnp", "drops": [], "after_ms": (20, 8)})):
        for k in (1, 2, 3):
            kept = folder / f"{way}.{k}.tsv"
            shutil.copy(kept, kept.with_suffix(".kept"))
            run(kept, **more)
        code, text = picture(folder)
        others = text.count("allowed") - ("fairness" in want)  # utilisation is then 0.79
        if code != int(want != "") or want not in text or others != code:
            fail(f"exit {code}, expected `{want}` alone: {text}")
        for k in (1, 2, 3):
            (folder / f"{way}.{k}.kept").rename(folder / f"{way}.{k}.tsv")
    # one packet in one run is too much after 2 s; k is 600 at 2200 ms
    run(folder / "cnp.2.tsv", late=[600])
    code, text = picture(folder)
    if code != 1 or "DCQCN by CNPs: drops after 2 s is 1, allowed 0" not in text:
        fail(f"a late drop: exit {code}: {text}")
    run(folder / "cnp.2.tsv", late=[500], after_ms=(20, 8))  # at 1800 ms
    code, text = picture(folder)
    if code != 0:
        fail(f"an early drop: exit {code}: {text}")
    code, text = picture(folder, "--rate-bps", str(2 * RATE))
    if code != 1 or text.count("utilisation is 0.4") != 2:
        fail(f"half of the link: exit {code}: {text}")
    (folder / "caps.2.tsv").unlink()
    code, text = picture(folder)
    if code != 1 or "caps: 2 runs, expected 3" not in text:
        fail(f"two runs: exit {code}: {text}")


def refused(folder):
    lines = (folder / "rxe.1.tsv").read_text().splitlines(True)
    for what, text, message in (
            ("an odd fate", lines[0].replace("pass", "lost"), ":1: no line of"),
            ("no number", lines[0].replace("\t17\t", "\tx\t"), ":1: no line of"),
            ("a short line", "sent\t5\n", ":1: no line of"),
            ("another kind", "lost\t5\t1\n", ":1: no line of"),
            ("time that goes back", "".join(lines[::-1]), ":2: no line of"),
            ("no data", "", "no data has left"),
            ("a short run", "".join(lines[:200]), "longer than 2 s")):
        (folder / "rxe.1.tsv").write_text(text)
        code, said = picture(folder)
        if code != 1 or message not in said:
            fail(f"{what}: exit {code}: {said}")
    (folder / "rxe.1.tsv").write_text("".join(lines))
    (folder / "cnp.3.qps").unlink(missing_ok=True)
    run(folder / "cnp.3.tsv", qps=False, base=0)
    code, said = picture(folder)
    if code != 1 or "do not tell which QP" not in said:
        fail(f"flows with the same PSNs: exit {code}: {said}")
    (folder / "cnp.3.qps").write_text("qp 33\n")
    code, said = picture(folder)
    if code != 1 or "cnp.3.qps: no lines of" not in said:
        fail(f"a broken .qps: exit {code}: {said}")
    good(folder)
    # a flow that is marked, but not notified, has no reaction, so the QPs may be unknown
    run(folder / "caps.1.tsv", notice=None, qps=False, base=0)
    code, said = picture(folder)
    if code != 0:
        fail(f"marks alone: exit {code}: {said}")
    (folder / "red.1.tsv").write_text("")
    code, said = picture(folder)
    if code != 1 or "not WAY.RUN.tsv" not in said:
        fail(f"another way: exit {code}: {said}")


good(scraps)
numbers(scraps)
series(scraps)
bars(scraps)
refused(scraps)
print("picture-test: " + (f"{bad} failures" if bad else "numbers, series and bars as expected"))
sys.exit(1 if bad else 0)
