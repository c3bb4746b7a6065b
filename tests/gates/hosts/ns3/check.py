# SPDX-License-Identifier: BSD-2-Clause
"""check.py OUT [FULL]: runs OUT/roce, and compares its results with flows calculated by hand,
with its input, and with cclab (OUT/lab), which shares only the library with it."""
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import slowdown

OUT = Path(sys.argv[1])
FULL = bool(sys.argv[2:])
# Names in roce and in cclab.
SCHEMES = {"dcqcn": "dcqcn", "fastcnp": "fastcnp", "hpcc": "hpcc-ioam", "ldcp": "ldcp",
           "qcn": "qcn"}
failures = []


def expect(ok, what):
    if not ok:
        failures.append(what)
        print("hosts-ns3: " + what)


def run(name, **options):
    """Runs roce, and returns its summary and its flows."""
    base = OUT / name
    args = [f"--{k}={v}" for k, v in options.items()]
    subprocess.run([OUT / "roce", *args, f"--out={base}"], check=True)
    return slowdown.read(base)


def lab(name, scheme, load, ms, seed=1, options=()):
    """Runs cclab in the same way, with 16 senders, for at most `ms`. lab.c has the options."""
    base = OUT / f"lab-{name}"
    subprocess.run([OUT / "lab", SCHEMES[scheme], load, "16", str(ms), str(seed), base,
                    *options], check=True)
    return slowdown.read(base)


def ledger(name, s):
    """Every frame and byte that was made must be counted once."""
    for unit in ("packets", "bytes"):
        made = int(s["made_" + unit]) + int(s["told_" + unit])
        known = sum(int(s[f"{place}_{unit}"]) for place in
                    ("delivered", "dropped", "flying", "queued"))
        expect(made == known, f"{name}: {made} {unit} made, {known} found")
    expect(s["astray_packets"] == "0", f"{name}: frames without a way")
    expect(s["broken"] == "0", f"{name}: {s['broken']} frames are broken, or for nobody")


def complete(name, s, flows):
    """All flows must end with exactly their bytes, none sooner than alone, and nothing may be
    left on the way."""
    ledger(name, s)
    expect(int(s["finished"]) == int(s["flows"]) == len(flows), f"{name}: not all ended")
    expect(all(f["got"] == f["bytes"] for f in flows), f"{name}: bytes of a flow")
    expect(s["flying_packets"] == s["queued_packets"] == "0", f"{name}: frames are left")
    least = min(x for _, x in slowdown.slowdowns(s, flows))
    expect(least > 0.99999, f"{name}: a flow takes {least} of its time alone")


# Bytes of a full packet and of an ACK on the wire. Data: 14 Ethernet, 40 IPv6, 8 UDP, 12 BTH,
# 1000, 4 ICRC, and 24 around. Its ACK has 4 of AETH instead of 1000. QCN: data has a CN-TAG of
# 4. LDCP: both have an LSN header of 8. HPCC++: options of 96 (2 of their header, 2 of padding,
# 4 of the option's head, 8 of the trace's, 4 hops of 20). The ACK echoes them without header and
# padding, after 4 of its own.
WIRE = {"dcqcn": (1102, 106), "fastcnp": (1102, 106), "qcn": (1106, 106),
        "ldcp": (1110, 114), "hpcc": (1198, 202)}


def alone():
    """One flow over two links of 100 Gb/s (0.08 ns a byte) and 2 us each. A packet takes each
    link once, and so does its ACK. All 1000 packets leave one after another, and the switch
    sends the last one once more: for DCQCN, 1001 * 88.16 + 2 * 8.48 + 8000 = 96265.12 ns. LDCP's
    window waits for an ACK once, for less than a packet's time. HPCC++ keeps 5 % of the link
    free, and more until it has measured it."""
    for scheme, (data, ack) in WIRE.items():
        for packets in (1, 1000):
            name = f"alone-{scheme}-{packets}"
            s, flows = run(name, scheme=scheme, load="incast", senders=1,
                           size=1000 * packets, jitterNs=0)
            complete(name, s, flows)
            ns = ((packets + 1) * data + 2 * ack) * 0.08 + 8000
            off = flows[0]["fct_ns"] - ns
            most = 0.01
            if packets > 1:
                most = {"ldcp": data * 0.08, "hpcc": 0.25 * ns}.get(scheme, most)
            expect(abs(off) < most, f"{name}: {off:.2f} ns off {ns:.2f}")


def near(name, ours, theirs, part):
    """Checks that two numbers differ by at most a part of the second."""
    ours, theirs = float(ours), float(theirs)
    expect(abs(ours - theirs) <= part * theirs,
           f"{name}: {ours:.6g}, cclab has {theirs:.6g}, tolerance {part:.1%}")


def mean(values):
    return sum(values) / len(values)


def jitter():
    """Frames of a host are late by less than the jitter and keep their order. Of 1000 packets,
    none is sent again, and the last ACK is late by less than twice the jitter, because the
    data's host and the ACK's host both have jitter. For one of eight seeds it is later than the
    jitter. Each host draws its own, by the seed. Without an option, the jitter is the time of a
    data packet, 88.16 ns."""
    for most, options in ((88.16, {}), (1500, {"jitterNs": 1500})):
        late = set()
        for seed in range(1, 9):
            name = f"jitter-{seed}"
            s, flows = run(name, load="incast", senders=1, size=1000000, seed=seed, **options)
            complete(name, s, flows)
            late.add(flows[0]["fct_ns"] - 96265.12)
            expect(s["made_packets"] == "2000", f"{name}: {s['made_packets']} packets")
        expect(0 < min(late) and most < max(late) < 2 * most and len(late) == 8,
               f"jitter of {most} ns: late by {sorted(late)} ns")


def refusals():
    """Invalid options must be refused, with a message that names the cause."""
    for said, args in (
            ("dcqcn refuses alpha_timer_ns: dcqcn.alpha_timer_ns=0",
             ["--set=dcqcn.alpha_timer_ns=0"]),
            ("wred refuses mark_order: wred.mark.min_bytes=2 wred.mark.max_bytes=1 ",
             ["--set=wred.mark.max_bytes=1,wred.mark.min_bytes=2"]),
            ("hpcc refuses", ["--scheme=hpcc", "--set=hpcc.w_min_bytes=0"]),
            ("dcqcn.g_q20=2^20: expected ", ["--set=hpcc.max_stage=1,dcqcn.g_q20=2^20"]),
            ("ldcp.continuous=2: expected ", ["--scheme=ldcp", "--set=ldcp.continuous=2"]),
            ("wred.k_min: unknown parameter", ["--set=wred.k_min=1"]),
            ("set acl.permit: expected ai_bps, or", ["--set=acl.permit=1"]),
            ("preset dctcp: expected paper, nvidia or ns3_hpcc", ["--preset=dctcp"]),
            ("markAt tail: expected departure or arrival", ["--markAt=tail"]),
            *((f"wred.mark.min_bytes={least} is above the buffer of 300000 bytes",
               [f"--scheme={scheme}", "--buffer=300000",
                f"--set=wred.mark.min_bytes={least},wred.mark.max_bytes=2000000"])
              for scheme in ("dcqcn", "fastcnp", "ldcp") for least in (300000, 400000))):
        done = subprocess.run([OUT / "roce", *args], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        expect(done.returncode != 0 and said in done.stderr,
               f"{args}: {done.stderr or 'taken'}, and not {said}")


def settings():
    """Checks QCN's members without cclab: a sender of half the rate takes twice as long, and a
    switch that samples nothing sends no CNM."""
    s, flows = run("settings-rate", scheme="qcn", load="incast", senders=1, size=1000000,
                   jitterNs=0, set="qcn.max_bps=50000000000")
    complete("settings-rate", s, flows)
    ns = (999 * 2 + 2) * 1106 * 0.08 + 2 * 106 * 0.08 + 8000
    expect(abs(flows[0]["fct_ns"] - ns) < 0.01, f"settings: {flows[0]['fct_ns']}, not {ns}")
    s, _ = run("settings-samples", scheme="qcn", load="incast",
               set="qcn_cp.sample_base_bytes=4000000000")
    expect(s["notifications"] == "0", f"settings: {s['notifications']} CNMs")


# Marks without a draw: all packets from this queue on, none below it.
STEP = ("wred.mark.min_bytes=50000", "wred.mark.max_bytes=50000",
        "wred.mark.pmax_q32=4294967296")


def same(name, scheme, load, options, lab_options):
    """Compares two runs without draws. In cclab, every flow must take as long, to the
    picosecond, as many packets must be marked, notified and dropped, and the longest queue must
    be equal."""
    s, ours = run(name, scheme=scheme, load=load, jitterNs=0, **options)
    l, theirs = lab(name, scheme, load, 1000, 1, ("set", "jitter_ns=0ns", *lab_options))
    ledger(name, s)
    off = max(abs(a["fct_ns"] - b["fct_ns"]) for a, b in zip(ours, theirs))
    expect(len(ours) == len(theirs) and off < 0.001,
           f"{name}: a flow is {off:.3f} ns off cclab's")
    for what in ("marks", "notifications", "dropped_packets", "queue_most_bytes"):
        expect(s[what] == l[what], f"{name}: {what} {s[what]}, cclab has {l[what]}")
    return s


def exactly():
    """Compares 16 flows of about 300 KB, 3 us apart, with cclab: with marks at departure and at
    arrival, with each preset, with other parameters, and with losses."""
    load = OUT / "steps.txt"
    load.write_text("".join(f"{3 * i} {i} 0 {300000 + 1234 * i}\n" for i in range(16)))
    for scheme, at in product(("dcqcn", "fastcnp", "hpcc", "ldcp"),
                              ("departure", "arrival")):
        same(f"same-{scheme}-{at}", scheme, load, {"set": ",".join(STEP), "markAt": at},
             [x for s in (*STEP, "mark_at=" + at) for x in ("set", s)])
    for scheme, preset, settings, buffer in (
            ("dcqcn", "paper", ["dcqcn.cut_interval_ns=4000"], 32000),
            ("dcqcn", "nvidia", ["dcqcn.hai_bps=1000000000"], 32000),
            ("dcqcn", "ns3_hpcc", ["ai_bps=40000000"], 32000),
            ("fastcnp", "nvidia", ["cnpgate.interval_ns=7000"], 32000),
            ("hpcc", "", ["hpcc.max_stage=0", "ai_bps=40000000"], 32000),
            ("ldcp", "", ["ldcp.continuous=1"], 32000), ("dcqcn", "paper", [], 1000),
            ("dcqcn", "ns3_hpcc", [], 1000), ("hpcc", "", [], 300)):
        words = [("preset=" + preset)] * (preset != "") + list(STEP) + settings
        s = same(f"same-{scheme}-{preset}-{buffer}", scheme, load,
                 {"set": ",".join([*STEP, *settings]), "buffer": buffer * 1000}
                 | ({"preset": preset} if preset else {}),
                 ["buffer", f"{buffer}K", *(x for w in words for x in ("set", w))])
        if buffer < 32000:
            expect(int(s["dropped_packets"]) > 100, f"{scheme}, {preset}: nothing is lost")


def trace(name):
    """Yields the lines of a trace: time in ps, send or rate, host, and numbers."""
    with open(f"{OUT / name}.trace.tsv") as f:
        for line in f:
            ps, what, *numbers = line.split("\t")
            yield int(ps), what, *map(int, numbers)


def rates():
    """A new rate applies to the waiting packet. It leaves when the packet before it has had its
    time at the present rate, or at once if that time is over. The rate at the packet before it
    does not matter, and some packets leave at another time than by that rate. With one flow per
    host, nothing else delays a packet."""
    for scheme in ("dcqcn", "qcn"):
        name = "rates-" + scheme
        run(name, scheme=scheme, trace=1, duration="4ms")
        last, held, packets, sooner, later = {}, {}, 0, 0, 0
        for ps, what, host, value, *_ in trace(name):
            if what == "rate":
                held.setdefault(host, []).append((ps, value))
                continue
            if host in last:
                due = [(max(start, last[host][0] + last[host][1] * 8 * 10**12 // bps), end)
                       for (start, bps), (end, _) in zip(held[host],
                                                         held[host][1:] + [(10**18, 0)])]
                expected = next(at for at, end in due if at < end)
                if ps != expected:
                    expect(False, f"{name}: host {host} sends at {ps}, not {expected}")
                    return
                packets += 1
                sooner += expected < due[0][0]
                later += expected > due[0][0]
                held[host] = [(ps, held[host][-1][1])]
            last[host] = ps, value
        expect(packets > 10000 and sooner > 50 and later > 50,
               f"{name}: {packets} packets, {sooner} sooner and {later} later")


def dequeue():
    """SONiC's test of marks at departure (sonic-mgmt, pull request 2137): 101 packets of 1024
    bytes wait and are released, here after one that came at the same time. Between 50,000 and
    51,000 bytes the probability rises to 1. The k-th packet leaves 101 - k behind. This is
    51,000 or more for the first 51, and below 50,000 for the last 49. At arrival the packet
    counts, so the first 48 are not marked, and the last 52 are."""
    load = OUT / "dequeue.txt"
    load.write_text("".join(f"0 {i} 0 946\n" for i in range(102)))
    for at, sure, never in (("departure", range(1, 52), range(53, 102)),
                            ("arrival", range(50, 102), range(1, 49))):
        name = "dequeue-" + at
        s, flows = run(name, load=load, senders=102, payload=946, jitterNs=0, preset="paper",
                       markAt=at, trace=1,
                       set="wred.mark.min_bytes=50000,wred.mark.max_bytes=51000,"
                           "wred.mark.pmax_q32=4294967296")
        complete(name, s, flows)
        cut = {row[2] for row in trace(name) if row[1] == "rate" and row[0] > 0}
        expect(cut >= set(sure) and not cut & {0, *never}, f"{name}: cut {sorted(cut)}")
        expect(int(s["marks"]) == len(cut), f"{name}: {s['marks']} marks, {len(cut)} cuts")


def papers():
    """Packets out of order are notified. Eight flows with a buffer of 1 MB lose much at the
    start, and have more than 85 Gb/s. Without notifications for packets that a receiver drops,
    0.01 Gb/s are left. HPCC++ uses the link as in its authors' simulator
    (alibaba-edu/High-Precision-Congestion-Control), to 1.5 %: 95.0 % for 32 flows with maxStage
    0 and W_AI of 40 Mb/s. If a packet followed the one before it by the old rate, it would be
    91.6 %."""
    s, _ = run("order", senders=8, buffer=1000000, preset="paper", duration="20ms",
               set="wred.mark.min_bytes=100000,wred.mark.max_bytes=400000,"
                   "wred.mark.pmax_q32=858993459")
    ledger("order", s)
    expect(float(s["goodput_gbps"]) > 85 and 1000 < int(s["dropped_packets"]) < 10000,
           f"order: {s['goodput_gbps']} Gb/s, {s['dropped_packets']} drops")
    s, _ = run("authors", scheme="hpcc", senders=32, duration="20ms",
               set="hpcc.max_stage=0,ai_bps=40000000")
    expect(0.935 < float(s["utilisation"]) < 0.965, f"authors: {s['utilisation']} in use")


SEEDS = range(1, 5)


def longlived():
    """16 endless flows into one port. Jitter and marks are drawn, and differ. In three rounds of
    four seeds, the simulators' means differed in goodput by 0.22 % at most, in the mean queue by
    5.0 %, in notifications by 6.3 %, and in the longest queue by 22 % (Fast CNPs; DCQCN
    12 %). DCQCN's longest queue comes from the first packets, and drawn cuts end it: by the
    seed, 3.3 to 4.6 MB with Fast CNPs, and 5.7 to 7.7 MB with CNPs."""
    for scheme in SCHEMES:
        name = "longlived-" + scheme
        ours = [run(name, scheme=scheme, duration="20ms", seed=seed)[0] for seed in SEEDS]
        theirs = [lab(name, scheme, "longlived", 20, seed)[0] for seed in SEEDS]
        for s in ours:
            ledger(name, s)
        said = []
        for what, part in (("goodput_gbps", 0.005), ("utilisation", 0.005),
                           ("queue_mean_bytes", 0.08), ("queue_most_bytes", 0.3),
                           ("notifications", 0.1), ("dropped_packets", 0.01)):
            here, there = (mean([float(s[what]) for s in x]) for x in (ours, theirs))
            near(f"{name}: {what}", here, there, part)
            said.append(f"{what} {here:.6g} ({there:.6g})")
        print(f"{scheme} (cclab): " + ", ".join(said[:1] + said[2:4]))


def incast():
    """16 flows of 500 KB at once, means of four seeds. In three rounds of four, the last flow's
    end differed by 5.2 % at most, and the mean by 1.7 %. QCN's differed by 16 and 6.9 %, because
    its switch draws the flow that it notifies. With one seed of twelve the last flow takes 3.0 ms
    instead of 1.9."""
    for scheme in SCHEMES:
        name = "incast-" + scheme
        ends = []
        for seed in SEEDS:
            s, flows = run(name, scheme=scheme, load="incast", seed=seed)
            complete(name, s, flows)
            expect(int(s["notifications"]) > 0, f"{name}: nobody was notified")
            _, theirs = lab(name, scheme, "incast", 100, seed)
            fct, their_fct = ([f["fct_ns"] for f in x] for x in (flows, theirs))
            ends.append((max(fct), max(their_fct), mean(fct), mean(their_fct)))
        last, their_last, middle, their_middle = map(mean, zip(*ends))
        near(name + ": last", last, their_last, 0.25 if scheme == "qcn" else 0.08)
        near(name + ": mean", middle, their_middle, 0.15 if scheme == "qcn" else 0.03)


def sweep(folder, *options):
    """Returns sweep.py's output, a line for each run that it did."""
    done = subprocess.run([sys.executable, "-B", "examples/ns3/sweep.py", "--roce",
                           OUT / "roce", "--out", folder, *options],
                          check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.splitlines()


def fat_tree():
    """Web search in a fat tree, at half of all links. Every flow must end, and data and ACKs
    must be spread over the ports of switches. With only the first way of equal cost, 40 of the
    96 ports would be idle. A run with a result is not repeated."""
    folder = OUT / "tree"
    shutil.rmtree(folder, ignore_errors=True)
    options = ("--jobs", "1", "--", "--duration=1ms", "--rtt=12000")
    expect(len(sweep(folder, *options)) == len(SCHEMES), "tree: sweep")
    for scheme in SCHEMES:
        name = f"tree-{scheme}"
        s, flows = slowdown.read(folder / f"{scheme}-50-1")
        complete(name, s, flows)
        expect({f["links"] for f in flows} <= {2, 4, 6}, name + ": links of a path")
        expect(int(s["idle_ports"]) < 4, f"{name}: {s['idle_ports']} ports are idle")
    (folder / "qcn-50-1.tsv").unlink()
    expect(len(sweep(folder, *options)) == 1, "tree: one run was missing")
    rows = (folder / "slowdown-50.tsv").read_text().splitlines()
    expect(len(rows) > 5 * len(SCHEMES), "tree: few rows of slowdown")
    expect((folder / "slowdown-50.svg").stat().st_size > 10000, "tree: no picture")
    return flows


def bins():
    """A flow as long as a bin's end is in that bin. The p % point of n values is the value at
    place n p / 100, rounded up."""
    sizes = (1, 10000, 10001, 20000, 20001, 30000000, 30000001)
    expect(list(slowdown.table([(size, i) for i, size in enumerate(sizes)])) ==
           [[10000, 2, 0, 1, 1], [20000, 2, 2, 3, 3], [30000, 1, 4, 4, 4],
            [30000000, 1, 5, 5, 5]], "slowdown.py: other bins")
    expect([row[1:] for row in slowdown.table([(1, i) for i in range(200, 0, -1)])] ==
           [[200, 100, 190, 198]], "slowdown.py: other percentiles")


CLASSES = ((0, 80000), (80000, 1000000), (1000000, 30000000))


def by_class(summary, flows):
    """Returns the mean slowdown of each class of sizes."""
    pairs = slowdown.slowdowns(summary, flows)
    return [mean([x for size, x in pairs if least < size <= most])
            for least, most in CLASSES]


def beside_cclab(flows):
    """The flows of the fat tree, 16 times slower, from the same hosts to one: their slowdown by
    size is compared with cclab's. The tolerance is the range of six seeds of cclab, and a fifth
    more on either side. QCN's few large flows differ by half. Without jitter, nothing is drawn
    for HPCC++, which marks nothing here, and for marks from one queue on. Each flow then takes
    as long in cclab, to the picosecond."""
    load = OUT / "flows.txt"
    load.write_text("".join(
        f"{16 * f['start_ns'] / 1000:.0f} {f['from']:.0f} 0 {f['bytes']:.0f}\n"
        for f in flows))
    for scheme in SCHEMES:
        name = "list-" + scheme
        s, ours = run(name, scheme=scheme, load=load)
        complete(name, s, ours)
        theirs = [lab(name, scheme, load, 1000, seed) for seed in range(1, 7)]
        if scheme == "hpcc":
            same(name + "-same", scheme, load, {}, ())
        elif scheme != "qcn":
            same(name + "-same", scheme, load, {"set": ",".join(STEP)},
                 [x for s in STEP for x in ("set", s)])
        lab_means = zip(*(by_class(*x) for x in theirs))
        for (_, most), here, there in zip(CLASSES, by_class(s, ours), lab_means):
            text = (f"{scheme}: slowdown up to {most / 1000:.0f} KB {here:.2f} "
                    f"(cclab {min(there):.2f} to {max(there):.2f})")
            print(text)
            expect(min(there) / 1.2 < here < max(there) * 1.2, text)


def full():
    """More load and more seeds, on all cores. The sizes of flows must be web search's: of some
    thousand, 53 % are up to 80 KB and 90 % up to 5 MB, within four standard deviations."""
    folder = OUT / "sweep"
    shutil.rmtree(folder, ignore_errors=True)
    sweep(folder, "--percent", "30", "60", "--seeds", "2", "--", "--duration=10ms",
          "--rtt=12000")
    sizes = []
    for scheme, percent, seed in product(SCHEMES, (30, 60), (1, 2)):
        s, flows = slowdown.read(folder / f"{scheme}-{percent}-{seed}")
        complete(f"sweep-{scheme}-{percent}-{seed}", s, flows)
        if scheme == "dcqcn":
            sizes += [f["bytes"] for f in flows]
    for most, part in ((80000, 0.53), (5000000, 0.9)):
        found = mean([size <= most for size in sizes])
        off = 4 * (part * (1 - part) / len(sizes)) ** 0.5
        expect(abs(found - part) < off, f"sizes: {found:.3f} are up to {most}")


def main():
    """Ends at the first red part, because it makes the rest red, too."""
    flows = bins()
    for part in (alone, jitter, refusals, settings, exactly, rates, dequeue, papers,
                 longlived, incast, fat_tree):
        flows = part()
        if failures:
            break
    if not failures:
        beside_cclab(flows)
    if FULL and not failures:
        full()
    print(f"hosts-ns3: {len(failures)} failures")
    return bool(failures)


sys.exit(main())
