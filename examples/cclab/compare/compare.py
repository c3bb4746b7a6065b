#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""compare.py CCLAB [SENDERS...]: the incasts of authors.tsv in cclab, beside what the simulator of
HPCC's authors says, as multiples of the shortest possible time; a table in Markdown."""
import csv
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
HPCC = "ai_bps={},hpcc.max_stage={}"
# Scheme there: schemes here, and their parameters.
SCHEMES = {
    "hpcc_m0": (("hpcc-int", "hpcc-ifa", "hpcc-ioam", "hpcc-csig"), HPCC.format("40M", 0)),
    "hpcc_m5": (("hpcc-int", "hpcc-ifa", "hpcc-ioam", "hpcc-csig"), HPCC.format("50M", 5)),
    "dcqcn": (("dcqcn",), "preset=ns3_hpcc"),
}


def runs(lab, schemes, settings, senders, size):
    """Of each scheme, medians of five seeds: median and last flow and the shortest possible time
    in ps, longest queue in bytes."""
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
                # all packets one after another: what the link has passed, and a round trip
                wire = int(row["passed_wire_bytes"]) * 80
                alone = wire + int(flows[0]["shortest_ps"]) - wire // senders
                found[row["scheme"]].append((statistics.median(times), ends[-1], alone,
                                             int(row["queue_most_bytes"])))
    return {scheme: [statistics.median(x) for x in zip(*rows)] for scheme, rows in found.items()}


def off(ours, theirs):
    return f"{ours:.3f} ({100 * (ours / theirs - 1):+.1f} %)"


def main():
    lab, only = sys.argv[1], [int(n) for n in sys.argv[2:]]
    lines = [line for line in open(HERE / "authors.tsv") if line[0] != "#"]
    print("| scheme | flows | median: authors | here | last: authors | here | "
          "queue, KB: authors | here |\n|---|---|---|---|---|---|---|---|")
    for row in csv.DictReader(lines, delimiter="\t"):
        senders, size = int(row["senders"]), int(row["bytes"])
        if only and senders not in only:
            continue
        shortest = float(row["shortest_us"])
        median, last = float(row["median_us"]) / shortest, float(row["last_us"]) / shortest
        queue = int(row["queue_bytes"]) / 1000
        schemes, settings = SCHEMES[row["scheme"]]
        for scheme, (ours_median, ours_last, ours_shortest, ours_queue) in runs(
                lab, schemes, settings, senders, size).items():
            print(f"| {row['scheme']}: {scheme} | {senders} of {size // 1000} KB | {median:.3f} | "
                  f"{off(ours_median / ours_shortest, median)} | {last:.3f} | "
                  f"{off(ours_last / ours_shortest, last)} | {queue:.0f} | "
                  f"{off(ours_queue / 1000, queue)} |", flush=True)


main()
