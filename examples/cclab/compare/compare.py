#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs the incasts of authors.tsv in cclab and prints them beside the results of the simulator of
HPCC's authors, as multiples of the shortest possible time. Without SENDERS the fat tree of
authors-tree.tsv and the victim of authors-victim.tsv follow. The output is tables in Markdown. A
whole run takes some minutes."""
import argparse
import csv
import pathlib
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).parent
HPCC = "ai_bps={},hpcc.max_stage={}"
# For each scheme of the authors, the schemes of cclab and their parameters.
SCHEMES = {
    "hpcc_m0": (("hpcc-int", "hpcc-ifa", "hpcc-ioam", "hpcc-csig"), HPCC.format("40M", 0)),
    "hpcc_m5": (("hpcc-int", "hpcc-ifa", "hpcc-ioam", "hpcc-csig"), HPCC.format("50M", 5)),
    "dcqcn": (("dcqcn",), "preset=ns3_hpcc"),
}


def runs(lab, schemes, settings, senders, size):
    """Returns for each scheme the medians of five seeds: the median time of a flow, the end of the
    last flow and the shortest possible time in ps, and the longest queue in bytes."""
    found = {scheme: [] for scheme in schemes}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, 6):
            subprocess.run([lab, "--scheme", ",".join(schemes), "--load", "incast", "--flows",
                            str(senders), "--size", str(size), "--duration", "200ms", "--buffer",
                            "100M", "--seed", str(seed), "--set", settings, "--out", folder],
                           check=True, stdout=subprocess.DEVNULL, env={"PATH": ""})
            for row in csv.DictReader(open(pathlib.Path(folder) / "summary.csv")):
                flows = list(csv.DictReader(
                    open(pathlib.Path(folder) / f"{row['scheme']}.flows.csv")))
                first = min(int(f["start_ps"]) for f in flows)
                ends = sorted(int(f["start_ps"]) + int(f["fct_ps"]) - first for f in flows)
                times = [int(f["fct_ps"]) for f in flows]
                # all packets on the link one after another, and a round trip
                wire = int(row["passed_wire_bytes"]) * 80
                alone = wire + int(flows[0]["shortest_ps"]) - wire // senders
                found[row["scheme"]].append((statistics.median(times), ends[-1], alone,
                                             int(row["queue_most_bytes"])))
    return {scheme: [statistics.median(x) for x in zip(*rows)] for scheme, rows in found.items()}


def rows_of(name):
    return csv.DictReader([line for line in open(HERE / name) if line[0] != "#"], delimiter="\t")


def off(ours, theirs):
    return f"{ours:.3f} ({100 * (ours / theirs - 1):+.1f} %)"


def incasts(lab, only):
    print("| scheme | flows | median: authors | here | last: authors | here | "
          "queue, KB: authors | here |\n|---|---|---|---|---|---|---|---|")
    for row in rows_of("authors.tsv"):
        senders, size = int(row["senders"]), int(row["bytes"])
        if only and senders not in only:
            continue
        shortest = float(row["shortest_us"])
        median, last = float(row["median_us"]) / shortest, float(row["last_us"]) / shortest
        queue = int(row["queue_bytes"]) / 1000
        schemes, settings = SCHEMES[row["scheme"]]
        for scheme, (ours_median, ours_last, ours_shortest, ours_queue) in runs(
                lab, schemes, settings, senders, size).items():
            change = 100 * (ours_queue / 1000 / queue - 1)
            print(f"| {row['scheme']}: {scheme} | {senders} of {size // 1000} KB | {median:.3f} | "
                  f"{off(ours_median / ours_shortest, median)} | {last:.3f} | "
                  f"{off(ours_last / ours_shortest, last)} | {queue:.0f} | "
                  f"{ours_queue / 1000:.0f} ({change:+.1f} %) |", flush=True)


def load_of(row):
    """Returns the options for the same flows. Hadoop's lists are long, so its options draw about as
    many flows from the same distribution."""
    load = HERE / f"{row['load']}-{row['percent']}.load"
    if load.exists():
        return "--load", load, "--duration", "400ms"
    return "--load", row["load"], "--percent", row["percent"], "--duration", "20ms"


def tree(lab):
    """Prints slowdowns at 50, 95 and 99 % in a fat tree, with a distribution of flow sizes."""
    print("\n| scheme | load | slowdown at 50, 95, 99 %: authors | here |\n|---|---|---|---|")
    for row in rows_of("authors-tree.tsv"):
        schemes, settings = SCHEMES[row["scheme"]]
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([lab, "--scheme", ",".join(schemes), "--topology", "fattree", "--rtt",
                            "12us", *load_of(row), "--set", settings, "--out", folder],
                           check=True, stdout=subprocess.DEVNULL, env={"PATH": ""})
            for scheme in schemes:
                flows = csv.DictReader(open(pathlib.Path(folder) / f"{scheme}.flows.csv"))
                slow = sorted(max(1, int(f["fct_ps"]) / int(f["shortest_ps"]))
                              for f in flows if f["fct_ps"] != "")
                here = (f"{slow[len(slow) * p // 100]:.2f}" for p in (50, 95, 99))
                print(f"| {row['scheme']}: {scheme} | {row['load']}, {row['percent']} % | "
                      f"{row['p50']} {row['p95']} {row['p99']} | {' '.join(here)} |", flush=True)


# In the testbed, the authors' PFC thresholds are a share of the free buffer, about 1.1 MB.
PFC = "pfc=1,pause.xoff_bytes=1100000,pause.xon_bytes=1097000"
VICTIM = {
    "pfc_only": ("none", PFC),
    "dcqcn": ("dcqcn", PFC + ",preset=ns3_hpcc,dcqcn.alpha_timer_ns=55us,"
              "dcqcn.cut_interval_ns=50us,dcqcn.increase_timer_ns=55us,"
              "dcqcn.fast_recovery_stages=5,ai_bps=40M,dcqcn.hai_bps=200M,dcqcn.min_bps=100M,"
              "k_min_bytes=5K,k_max_bytes=200K,pmax_percent=1"),
}


def got_bytes(lab, scheme, load, ms, seed, folder):
    """Returns the bytes that each endless flow has got after `ms` ms."""
    name, settings = VICTIM[scheme]
    subprocess.run([lab, "--scheme", name, "--topology", "testbed", "--rate", "40G", "--rtt",
                    "12us", "--buffer", "12M", "--duration", f"{ms}ms", "--seed", str(seed),
                    "--set", settings, "--load", load, "--out", folder],
                   check=True, stdout=subprocess.DEVNULL, env={"PATH": ""})
    flows = csv.DictReader(open(pathlib.Path(folder) / f"{name}.flows.csv"))
    return [int(f["got_bytes"]) for f in flows if f["bytes"] == "0"]


def victim(lab):
    """Prints quartiles over seeds of the victim's goodput in the second half of a run. ECMP hashes
    the number of a flow, so flows of one byte between idle hosts move the others to other
    paths."""
    flows = [line for line in open(HERE / "victim.load") if line[0] != "#"]
    print("\n| scheme | senders at T3 | victim, Gb/s at 25, 50, 75 % of the seeds: authors | here |"
          "\n|---|---|---|---|")
    for row in rows_of("authors-victim.tsv"):
        ms, extra, found = int(row["ms"]), int(row["senders"]), []
        for seed in range(1, int(row["seeds"]) + 1):
            with tempfile.TemporaryDirectory() as folder:
                load = pathlib.Path(folder) / "load"
                load.write_text("0 17 18 1\n" * (8 * (seed - 1)) + "".join(flows[:5 + extra]))
                half, whole = (got_bytes(lab, row["scheme"], load, end, seed, folder)[4]
                               for end in (ms // 2, ms))
                found.append((whole - half) * 8 / (ms - ms // 2) / 1e6)
        found.sort()
        here = (f"{found[len(found) * p // 4]:.2f}" for p in (1, 2, 3))
        print(f"| {row['scheme']} | {extra} | {row['p25']} {row['p50']} {row['p75']} | "
              f"{' '.join(here)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lab", metavar="CCLAB", help="path of the program, such as build/cclab")
    parser.add_argument("only", metavar="SENDERS", nargs="*",
                        help="run only the incasts with these numbers of senders (2 4 8 16 32 48); "
                        "`victim` runs only the victim")
    options = parser.parse_args()
    lab, only_victim = options.lab, options.only == ["victim"]
    known = {int(row["senders"]) for row in rows_of("authors.tsv")}
    only = [] if only_victim else [int(n) if n.isdecimal() else 0 for n in options.only]
    if not known.issuperset(only):
        parser.error(f"SENDERS must be from {' '.join(map(str, sorted(known)))}, or only `victim`")
    if not only_victim:
        incasts(lab, only)
    if not only and not only_victim:
        tree(lab)
    if not only:
        victim(lab)


main()
