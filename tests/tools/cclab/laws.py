#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""laws.py CCLAB DIR: checks laws that hold for every run of cclab. Values in files are computed
again by arithmetic, or compared with another file of the same run."""
import csv
import pathlib
import subprocess
import sys

import pcapng

LAB, DIR = sys.argv[1], pathlib.Path(sys.argv[2])
SCHEMES = ("none reno dcqcn fastcnp l3qcn qcn pfc arn hpcc-int hpcc-ioam hpcc-ifa hpcc-csig "
           "ldcp").split()
bad = 0


def check(holds, *what):
    global bad
    if not holds:
        print("cclab-laws:", *what)
        bad = 1


def run(options, pcap=False):
    """Runs cclab. Returns its files by name, and the table."""
    out = DIR / "run"
    for old in out.glob("*"):
        old.unlink()
    command = [LAB, *options.split(), "--out", out]
    if pcap:
        command += ["--pcap", DIR / "run.pcap"]
    done = subprocess.run(command, capture_output=True, text=True,
                          env={"PATH": str(DIR / "bin")})
    check(done.returncode == 0 and done.stderr == "", options, done.stderr)
    return {f.name: f.read_text() for f in out.iterdir()}, done.stdout


def table(text):
    return [{k: v if k == "scheme" or v in ("never", "no-flow", "-") else int(v) for k, v in r.items()}
            for r in csv.DictReader(text.splitlines())]


def frames():
    """Returns the frames of the last capture."""
    return pcapng.read(DIR / "run.pcap")[2]


def same(a, b, *what):
    for name in sorted(set(a) | set(b)):
        check(a.get(name) == b.get(name), *what, "changes", name)


def schemes_are_apart():
    """A scheme's results depend neither on the schemes before it nor on their number."""
    for options, schemes in (
            ("--topology star", SCHEMES),
            ("--topology clos --fault pause=20us,clockstep,speed,nic,reroute,nak,lose=9",
             [s for s in SCHEMES if s != "qcn"]),  # routers do not forward its CNMs
            ("--topology clos --fault pause=20us,clockstep,speed,nic,reroute,blind,nak,lose=9",
             [s for s in SCHEMES if s.startswith("hpcc-")])):
        options += " --flows 4 --duration 400us"
        forth, _ = run(f"{options} --scheme {','.join(schemes)}")
        back, _ = run(f"{options} --scheme {','.join(schemes[::-1])}")
        rows, turned = (text.pop("summary.csv").splitlines() for text in (forth, back))
        check(rows[:1] + rows[:0:-1] == turned, options,
              "summary.csv depends on the order of schemes")
        del forth["plot.gp"], back["plot.gp"]
        check(len(forth) == 2 * len(schemes), options, sorted(forth))
        same(forth, back, options, "the order of schemes")
        for scheme, row in zip(schemes, rows[1:]):
            if scheme in ("dcqcn", "ldcp"):
                alone, _ = run(f"{options} --scheme {scheme}")
                check(alone["summary.csv"].splitlines()[1] == row, options, scheme, "alone")
                check(alone[scheme + ".csv"] == forth[scheme + ".csv"], options, scheme, "alone")


def neutral_values():
    """Explicit defaults, other units and another order change nothing."""
    base = "--scheme dcqcn,ldcp,hpcc-int --flows 8 --duration 400us"
    was, _ = run(base)
    for options in (
            "--topology star --flows 9 --flows 8 --rate 100G --rtt 8us --buffer 32M "
            "--load longlived --seed 1",
            "--rate 100000M --rtt 8000ns --buffer 32000K --duration 400000ns",
            "--rate 100000000k --buffer 32000000", "--rate 100000000000",
            "--set line_bps=100G,payload_bytes=1K", "--fault lose=0,corrupt=0",
            "--set mark_at=departure,np_delay_ns=0ns,pfc=0",
            "--set mark_at=arrival --set mark_at=departure"):
        now, _ = run(f"{base} {options}")
        if "line_bps" in options:  # the title shows it
            now["plot.gp"] = now["plot.gp"].replace(", senders 100 Gbit/s", "")
        same(was, now, options)
    together, _ = run(f"{base} --set k_min_bytes=20K,k_max_bytes=90K --set ai_bps=1G")
    apart, _ = run(f"--set ai_bps=1000M --set k_max_bytes=90000 {base} --set k_min_bytes=20K")
    del together["plot.gp"], apart["plot.gp"]  # titles show them as they were set
    same(together, apart, "the order of --set")
    sized, _ = run(f"{base} --load incast")
    same(sized, run(f"{base} --load incast --size 500K")[0] | {"plot.gp": sized["plot.gp"]},
         "500 KB of each flow")
    path, sized = DIR / "load.load", DIR / "sized.load"
    path.write_text("0 0 0 9\n1 1 0 0\n3 0 0 99999\n")
    sized.write_text("0 0 0 5000\n1 1 0 5000\n3 0 0 5000\n")
    was, _ = run(f"--scheme ldcp --flows 2 --load {sized}")
    now, _ = run(f"--scheme ldcp --flows 2 --size 5K --load {path}")
    same(was, now | {"plot.gp": was["plot.gp"]}, "5 KB of each flow in a file")


def loads():
    """Flows of 200 to 1 packets, each alone, take the times that arithmetic gives."""
    path = DIR / "one-by-one.load"
    path.write_text("".join(f"{100 * i} {i % 3} 0 {1000 * n}\n"
                            for i, n in enumerate(range(200, 0, -1))))
    files, _ = run(f"--scheme none --flows 3 --load {path} --duration 20ms "
                   "--set jitter_ns=0ns")
    row, = table(files["summary.csv"])
    # 1102 bytes per packet and 106 for the last ACK, on two links, 80 ps per byte
    took = sorted(80 * (1102 * (n + 1) + 2 * 106) + 8000000 for n in range(1, 201))
    check(row["finished"] == 200, "finished", row)
    check(row["fct_p50_ps"] == took[100] and row["fct_p99_ps"] == took[198], "times", row)
    # all 20100 packets from the first start to the last end
    passed = 199 * 100000000 + took[0]
    check(abs(row["goodput_bps"] * passed / (20100 * 8000 * 1e12) - 1) < 1e-4, "goodput", row)
    check(abs(row["utilisation_ppm"] * passed / (20100 * 1102 * 80 * 1e6) - 1) < 1e-3,
          "utilisation", row)
    rates = [n / t for n, t in zip(range(1, 201), took)]
    jain = sum(rates)**2 / 200 / sum(r * r for r in rates)
    check(abs(row["jain_ppm"] / 1e6 - jain) < 1e-4, "Jain's index", row, jain)
    check(row["drops"] == row["marks"] == row["pauses"] == row["notifications"] == 0, row)
    check(row["reacted"] == row["reaction_ps"] == 0, row)
    # A sample is 50 us, and each flow is in the two samples from its start on.
    series = table(files["none.csv"])
    check([s["time_ns"] for s in series] == [50000 * (i + 1) for i in range(len(series))],
          "times of samples")
    for i in range(4):
        got = [s[f"flow{i}_bps"] * 50000 // 8000000000000 for s in series]
        check(sum(got) == sum(got[2 * i:2 * i + 2]) == 200 - i, f"flow{i}", got[:9])
    got = [s["goodput_bps"] * 50000 / 8e12 for s in series]
    check(all(round(got[2 * i] + got[2 * i + 1]) == 200 - i for i in range(199)), "goodput")


def sums():
    """With endless flows, the sums of the series agree with the summary."""
    for options in ("--scheme dcqcn,ldcp,qcn --flows 3", "--scheme fastcnp --flows 4 --topology "
                    "dumbbell", "--scheme hpcc-ioam --flows 4 --topology clos --fault "
                    "from=1ms,until=1500us,speed"):
        files, _ = run(options)
        for row in table(files["summary.csv"]):
            series = table(files[row["scheme"] + ".csv"])
            flows = [c for c in series[0] if c.startswith("flow")]
            check(len(series) == 400 and len(flows) == int(options.split("--flows ")[1][0]),
                  options, flows)
            for s in series:
                rest = s["goodput_bps"] - sum(s[c] for c in flows)
                check(0 <= rest <= len(flows), options, s)
            half = series[200:]
            mean = sum(s["goodput_bps"] for s in half) / 200
            check(abs(row["goodput_bps"] / mean - 1) < 1e-3, options, row, mean)
            got = [sum(s[c] for s in half) for c in flows]
            jain = sum(got)**2 / len(got) / sum(g * g for g in got)
            check(abs(row["jain_ppm"] / 1e6 - jain) < 1e-3, options, row, jain)


def queues():
    """With two flows of 1000 packets at the same time, the queue grows by a packet per 88.16 ns
    until the last one has arrived, and shrinks as fast."""
    path = DIR / "two.load"
    path.write_text("50 0 0 1000000\n50 1 0 1000000\n")
    files, _ = run(f"--scheme none --flows 2 --load {path} --duration 4ms "
                   "--set jitter_ns=0ns")
    row, = table(files["summary.csv"])
    most, grows = 1000 * 1078, 1000 * 88.16e3
    check(abs(row["queue_most_bytes"] - most) <= 1078, "the longest queue", row, most)
    passed = 2 * grows + 8e6
    check(abs(row["queue_mean_bytes"] / (most * grows / passed) - 1) < 0.01, "mean queue", row)
    # The queue is longer than p99 for a hundredth of the time. Bins are at most an eighth wide.
    p99 = most * (1 - 0.01 * passed / (2 * grows))
    check(p99 <= row["queue_p99_bytes"] <= row["queue_most_bytes"], "99 %", row, p99)
    check(abs(row["utilisation_ppm"] / (2e6 * grows / passed) - 1) < 0.01, "utilisation", row)
    series = table(files["none.csv"])
    check(all(s["queue_bytes"] == 0 for s in series[:5]), "a queue before the first start")


def wire():
    """Counters agree with the frames on the wire, if every packet arrives in the end. Data leaves
    hosts with a hop limit of 64 and a CLOS with 61."""
    for options in ("reno --topology clos --buffer 100K", "ldcp --topology clos", "ldcp", "dcqcn",
                    "hpcc-ifa", "qcn --buffer 400K", "pfc"):
        options = f"--scheme {options} --flows 8 --load incast --size 600K --duration 100ms"
        files, _ = run(options, pcap=True)
        row, = table(files["summary.csv"])
        clos, lossy = "clos" in options, "reno" in options or "ldcp" in options or "400K" in options
        seen = [f.bytes for f in frames()]
        data = [b for b in seen  # with DSCP 26
                if b[12:14] == b"\x86\xdd" and ((b[14] & 15) << 2 | b[15] >> 6) == 26]
        lost = sum((b[21] == 64) - (b[21] == 61) for b in data)
        check(row["finished"] == 8 and (row["drops"] > 0) == lossy, options, row)
        if clos:
            check(lost == row["drops"], options, lost, "lost", row)
        else:
            marked = sum(b[15] >> 4 & 3 == 3 for b in data)
            check(marked == row["marks"], options, marked, "marked", row)
        cnps = sum(b[12:14] == b"\x86\xdd" and b[20] == 17 and b[62] == 0x81 for b in seen)
        pfc = [b for b in seen if b[12:14] == b"\x88\x08"]
        cnms = sum(b"\x22\xe7" in (b[12:14], b[16:18]) for b in seen)
        told = {"dcqcn": cnps / 2, "pfc": len(pfc), "qcn": cnms}.get(row["scheme"])
        check(told in (None, row["notifications"]), options, told, "notices", row)
        check(sum(any(b[18:34]) for b in pfc) == row["pauses"], options, "pauses", row)


def ends(link, outbound):
    """Returns the sender and the receiver."""
    first, second = link.name.split("-")
    return (first, second) if outbound else (second, first)


def times_of_links():
    """The frames of a link in one direction are in the order of time. Each frame takes its length,
    at least 60 bytes, and 24 more bytes at the link's speed. Times are in whole ns."""
    for options, links in (
            ("ldcp --flows 3 --set line_bps=40G", {100: 2, 40: 3}),
            ("dcqcn --flows 4 --topology dumbbell", {100: 10}),
            ("hpcc-ioam --flows 4 --topology clos --rate 25G", {25: 6, 100: 8}),
            ("fastcnp --flows 2 --topology wan --rtt 100us", {100: 6, 400: 2}),
            ("pfc --flows 3", {100: 5})):
        run(f"--duration 300us --scheme {options}", pcap=True)
        comment, found, seen = pcapng.read(DIR / "run.pcap")
        check(comment == (DIR / "run.pcap.domain").read_text(), options, "the comment", comment)
        speeds = [link.speed_bps // 10**9 for link in found]
        check({s: speeds.count(s) for s in speeds} == links, options, speeds)
        check(len({link.name for link in found}) == len(found), options, "two links have one name")
        check([f.ns for f in seen] == sorted(f.ns for f in seen), options, "the order of time")
        for i, link in enumerate(found):
            check(link.description == "{0} sends the outbound frames, and {1} the inbound frames".format(
                *ends(link, True)), options, link)
            for outbound in (True, False):
                on = [f for f in seen if (f.link, f.outbound) == (i, outbound)]
                for f, after in zip(on, on[1:]):
                    least = (max(f.length, 60) + 24) * 8 * 10**9 // link.speed_bps
                    check(after.ns - f.ns >= least, options, link, f.ns, after.ns, least)


def packet_of(f):
    """Returns the bytes from the IPv6 header on, and a key for data and ACKs, or None."""
    at = 14 + 4 * (f.bytes[12:14] == b"\x22\xe9")
    b = f.bytes[at:]
    if f.bytes[at - 2:at] != b"\x86\xdd" or b[6] != 17 or b[48] not in (0x04, 0x11):
        return b, None
    return b, (b[8:40], b[40:42], b[48], b[53:56], b[57:60])  # addresses, port, opcode, QP, PSN


def ways():
    """Each data packet and each ACK is once on each link of its path, and each link begins where
    the last one ended. Each switch lowers the hop limit by one and writes its own MAC address and
    the next node's, except with QCN, whose switches are bridges."""
    for options, n in (("none", 2), ("dcqcn", 2), ("fastcnp", 2), ("l3qcn", 2), ("qcn", 2),
                       ("arn", 2), ("none --topology dumbbell", 3), ("qcn --topology dumbbell", 3),
                       ("l3qcn --topology dumbbell", 3), ("dcqcn --topology clos", 4),
                       ("l3qcn --topology clos", 4)):
        routed = options.split()[0] != "qcn"
        options = f"--flows 3 --load incast --size 60K --scheme {options}"
        row, = table(run(options, pcap=True)[0]["summary.csv"])
        check(row["finished"] == 3 and row["drops"] == 0, options, row)
        _, links, seen = pcapng.read(DIR / "run.pcap")
        # The forging host has the last number of all hosts, and switches follow.
        hosts = 1 + max(int(link.name.split("-")[0][4:]) for link in links
                        if link.name.startswith("host"))
        mac = {end: b"\2\0" + (int(end[4:]) if end[0] == "h" else hosts + int(end[6:])).to_bytes(
            4, "big") for link in links for end in link.name.split("-")}
        way = {}
        for f in seen:
            b, key = packet_of(f)
            if key is not None:
                hop = *ends(links[f.link], f.outbound), f.bytes[:12], b[7]
                way.setdefault(key, []).append(hop)
        check(len(way) == 360, options, len(way), "packets")
        for key, hops in way.items():
            check(len(hops) == n, options, hops)
            check(all(a[1] == b[0] for a, b in zip(hops, hops[1:])), options, "a gap", hops)
            check(hops[0][0][0] == hops[-1][1][0] == "h", options, "no host's", hops)
            check([h[3] for h in hops] == [64 - i * routed for i in range(n)], options, hops)
            check(all(h[2] == (mac[h[1]] + mac[h[0]] if routed else hops[0][2]) for h in hops),
                  options, "MAC addresses", hops)


def formats():
    """Senders accept the telemetry of one, two and three switches in each format, so all formats
    use the link equally. IOAM's path is complete only if hop limits fall by one."""
    for topology in ("star", "dumbbell", "clos"):
        options = (f"--scheme hpcc-int,hpcc-ioam,hpcc-ifa --flows 8 --duration 1ms "
                   f"--topology {topology}")
        used = [row["utilisation_ppm"] for row in table(run(options)[0]["summary.csv"])]
        check(max(used) - min(used) < 20000 and min(used) > 900000, options, used)


def faults():
    """Four senders at 2.5 Gb/s have the expected goodput during and after trouble, 1000 of 1102
    bytes on a link."""
    for topology in ("star", "dumbbell"):
        for fault, then in (("pause", 0), ("sleep", 0), ("pause=1ms", 0), ("sleep=1ms", 0),
                            ("nak=1000", 0), ("nic=1G", 1e9), ("nic", 625e6), ("speed", 625e6),
                            ("speed=4G", 1e9), ("clockstep", 25e8)):
            options = (f"--scheme none --flows 4 --rate 10G --set line_bps=2500M "
                       f"--topology {topology} --fault from=1ms,until=2ms,{fault}")
            series = table(run(options)[0]["none.csv"])
            for i in range(4):
                # A sample is 10 us, and the first ones have packets in flight.
                bps = [s[f"flow{i}_bps"] for s in series]
                during, since = sum(bps[110:200]) / 90, sum(bps[210:]) / 190
                check(abs(during - then / 1.102) <= 0.03 * then, options, i, during)
                check("nak" in fault or abs(since / 25e8 * 1.102 - 1) < 0.03, options, i, since)
    # CNPs and ACKs do not arrive, or not intact, but data does.
    for fault in ("lose=1000", "corrupt=1000"):
        for scheme in ("dcqcn", "fastcnp"):
            options = f"--scheme {scheme} --flows 4 --duration 1ms --fault {fault}"
            was = table(run(options)[0]["summary.csv"])[0]
            least = 90e9 if fault == "lose=1000" else 70e9
            check(was["notifications"] > 0 and was["goodput_bps"] > least, options, was)
            # The wrong bit may be one that hosts do not check.
            check(was["reacted"] == 0 or fault != "lose=1000", options, was)


def titles():
    """The plot's text describes the run."""
    path = DIR / "three.load"
    path.write_text("0 0 0 1000\n1 0 0 1000\n2 0 0 1000\n")
    usual = "; 100 Gbit/s, round trip 8 us, buffers of 32 MB, seed 1"
    one = " to one receiver through one switch"
    for options, title in (
            ("--flows 2", f"2 endless flows{one}{usual}"),
            ("--flows 1", f"1 endless flow{one}{usual}"),
            ("--flows 3 --size 20K", f"3 flows of 20 KB{one}{usual}"),
            ("--flows 3 --load incast --topology dumbbell",
             f"3 flows between pairs of hosts over one link, load incast{usual}"),
            ("--flows 3 --load incast --size 7K --topology clos",
             f"3 flows of 7 KB to one receiver through leaves and spines, load incast{usual}"),
            (f"--flows 2 --load {path}", f"3 flows{one}, load three.load{usual}"),
            ("--flows 2 --rate 40G --rtt 12us --buffer 500K --seed 77 --set k_max_bytes=3M,"
             "line_bps=10G --fault lose=5,corrupt=6,liar,storm,unfiltered,open --topology clos",
             "2 endless flows to one receiver through leaves and spines; 40 Gbit/s, round trip 12 us, "
             "buffers of 500 KB, seed 77, wred.mark.max_bytes=3M, senders 10 Gbit/s, 5/1000 lost, "
             "6/1000 corrupt, false telemetry, forged Fast CNPs, unfiltered, open")):
        scheme = "fastcnp+hpcc-int" if "liar" in options else "dcqcn"
        files, _ = run(f"--scheme {scheme} --duration 100us {options}")
        script = files["plot.gp"].splitlines()
        check(f"name = '{title}'" in script, options, [x for x in script if "name =" in x])
        half = "longlived" not in options and "endless" in title
        check(f"half = {half:d}" in script, options, "half")
        figures = [x for x in script if x.startswith(("queue[", "rate[", "use["))]
        check(all(("shaded: " in x) == half for x in figures), options, figures)
    faults = "pause=10us,sleep=20us,clockstep=-3us,speed=50G,nic,reroute,blind,nak=7"
    files, _ = run("--scheme hpcc-int --flows 2 --duration 100us --topology clos "
                   f"--fault from=40us,until=80us,{faults}")
    check(f"'trouble: {faults.replace(',', ', ')} from 40us until 80us'" in files["plot.gp"],
          "the title of trouble")


DIR.mkdir(exist_ok=True)
(DIR / "bin").mkdir(exist_ok=True)  # without gnuplot
if not (DIR / "bin/sh").exists():
    (DIR / "bin/sh").symlink_to("/bin/sh")
for law in (schemes_are_apart, neutral_values, loads, queues, sums, wire, times_of_links,
            ways, formats, faults, titles):
    law()
sys.exit(bad)
