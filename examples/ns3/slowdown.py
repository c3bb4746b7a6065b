#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""slowdown.py OUT RUN...: compares the time of flows with their time alone, by size.

RUN is the --out of a run of roce. Runs of one scheme are combined. Writes OUT.tsv, and
OUT.svg if gnuplot is installed: plots for the median, 95 % and 99 %, as in figures 10 and
11 of HPCC (SIGCOMM 2019). The time alone excludes a scheme's own bytes, so longer packets
with telemetry count as slowdown.
"""
import csv
import shutil
import subprocess
import sys

# Ends of the bins, at the points of the web search distribution in load.cc.
BINS = (10000, 20000, 30000, 50000, 80000, 200000, 1000000, 2000000, 5000000, 10000000,
        30000000)
AROUND = 24                       # preamble, FCS and gap
HEADERS = 14 + 40 + 8 + 12 + 4    # Ethernet, IPv6, UDP, BTH, ICRC
ACK = HEADERS + 4 + AROUND        # with an AETH
PERCENTILES = (50, 95, 99)


def ideal_ns(size, links, rate_bps, link_ns, payload):
    """Returns the time from the first bit to the last packet's ACK, without any other flow.

    Packets leave one after another. Links are equal, and each link but the first adds the
    time of the longest packet. The ACK adds its own time on each link.
    """
    full, rest = divmod(size, payload)
    longest = (payload if full else rest) + HEADERS + AROUND
    last = max(rest + HEADERS, 60) + AROUND if rest else 0
    wire = full * (payload + HEADERS + AROUND) + last
    wire += (links - 1) * max(longest, last) + links * ACK
    return wire * 8e9 / rate_bps + 2 * links * link_ns


def read(base):
    """Returns the summary of a run, and its flows."""
    with open(f"{base}.tsv") as f:
        summary = dict(csv.reader(f, delimiter="\t"))
    with open(f"{base}.flows.tsv") as f:
        flows = [{k: float(v) for k, v in row.items()}
                 for row in csv.DictReader(f, delimiter="\t")]
    return summary, flows


def slowdowns(summary, flows):
    """Returns size and slowdown of each flow that ended."""
    longest = 6 if summary["load"] == "websearch" else 2
    link_ns = float(summary["rtt_ns"]) / 2 / longest
    return [(f["bytes"],
             f["fct_ns"] / ideal_ns(int(f["bytes"]), f["links"],
                                    float(summary["rate_bps"]), link_ns,
                                    int(summary["payload_bytes"])))
            for f in flows if f["fct_ns"] > 0]


def percentile(values, percent):
    """Returns the smallest value that at least this percentage of the values does not exceed."""
    return sorted(values)[-(-len(values) * percent // 100) - 1]


def table(pairs):
    """Yields for each bin with flows: its end, their number, and the percentiles."""
    least = 0
    for end in BINS:
        found = [s for size, s in pairs if least < size <= end]
        least = end
        if found:
            yield [end, len(found), *(percentile(found, p) for p in PERCENTILES)]


PLOT = """set terminal svg size 1100,380 background '#ffffff'
set output '{out}.svg'
set multiplot layout 1,3
set logscale xy
set grid ytics
set xlabel 'flow size, up to'
set xtics ('10K' 1e4, '50K' 5e4, '200K' 2e5, '1M' 1e6, '5M' 5e6, '30M' 3e7)
set xrange [8e3:4e7]
set yrange [1:*]
set key left top
set linetype 5 linecolor 'black'
"""


def plot(out, schemes):
    """Draws one plot for each percentile, with a line for each scheme."""
    text = PLOT.format(out=out)
    for column, percent in enumerate(PERCENTILES, start=4):
        text += f"set title '{percent} %'\nset ylabel 'slowdown'\nplot " + ", ".join(
            f"'< grep ^{s}[[:space:]] {out}.tsv' using 2:{column} with linespoints title '{s}'"
            for s in schemes) + "\nunset key\n"
    subprocess.run(["gnuplot"], input=text, text=True, check=True)


def main(out, bases):
    by_scheme = {}
    for base in bases:
        summary, flows = read(base)
        by_scheme.setdefault(summary["scheme"], []).extend(slowdowns(summary, flows))
    with open(f"{out}.tsv", "w") as f:
        f.write("scheme\tup_to_bytes\tflows\tp50\tp95\tp99\n")
        for scheme, pairs in by_scheme.items():
            for end, n, *of in table(pairs):
                f.write("\t".join([scheme, str(end), str(n),
                                   *(f"{x:.3f}" for x in of)]) + "\n")
    if shutil.which("gnuplot"):
        plot(out, by_scheme)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("slowdown.py: expected OUT RUN..., where RUN is an --out of roce")
    main(sys.argv[1], sys.argv[2:])
