#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs roce for each scheme, load and seed, on all cores, and draws slowdown.py's picture
of each load. Runs with a result are skipped, so an interrupted sweep can be started again.

    sweep.py --roce build/ns3/roce --out build/ns3/sweep --percent 30 50 70 --seeds 4 \\
        -- --duration=10ms --rtt=12000
"""
import argparse
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import slowdown


def arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--roce", required=True, help="path of the program roce")
    p.add_argument("--out", required=True, type=Path, help="folder of results")
    p.add_argument("--scheme", nargs="+",
                   default=["dcqcn", "fastcnp", "hpcc", "ldcp", "qcn"])
    p.add_argument("--percent", nargs="+", type=int, default=[50], help="mean load of each link")
    p.add_argument("--seeds", type=int, default=1, help="number of seeds, from 1 on")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("rest", nargs="*", help="further arguments of each run")
    return p.parse_args()


def run(a, scheme, percent, seed):
    """Makes a run, unless its result exists. Returns the result's path."""
    base = a.out / f"{scheme}-{percent}-{seed}"
    if not Path(f"{base}.tsv").exists():
        subprocess.run([a.roce, f"--scheme={scheme}", "--load=websearch",
                        f"--percent={percent}", f"--seed={seed}", f"--out={base}",
                        *a.rest], check=True)
        print(f"{base}: done", flush=True)
    return base


def main():
    a = arguments()
    a.out.mkdir(parents=True, exist_ok=True)
    points = list(product(a.scheme, a.percent, range(1, a.seeds + 1)))
    with ThreadPoolExecutor(a.jobs) as pool:
        bases = list(pool.map(lambda point: run(a, *point), points))
    for percent in a.percent:
        slowdown.main(a.out / f"slowdown-{percent}",
                      [b for b, point in zip(bases, points) if point[1] == percent])


if __name__ == "__main__":
    main()
