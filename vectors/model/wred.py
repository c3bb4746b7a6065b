# SPDX-License-Identifier: BSD-2-Clause
"""ECN/WRED on the current queue by rules W-1 to W-9 of algo/wred.h, in rational numbers."""
from fractions import Fraction

from trace import main

ALL = 2**32 - 1
OFF = (ALL, ALL, 0)


def profile(mark, drop, buf_max):
    p = {f"{name}.{member}": value
         for name, curve in (("mark", mark), ("drop", drop))
         for member, value in zip(("min_bytes", "max_bytes", "pmax_q32"), curve)}
    p["buf_max_bytes"] = buf_max
    return p


def q32(share):
    """Returns share * 2^32, rounded to the nearest integer. A half is rounded up."""
    return int(share * 2**32 + Fraction(1, 2))


def ldcp(link_bps):
    bdp = link_bps // 1000000  # bytes in 8 us
    k = 2 * bdp // 5
    return profile((bdp // 5, 4 * bdp // 5, q32(Fraction(4, 5))), (k, k, 0), 16 * bdp)


def dcqcn_paper(_):
    return profile((5000, 200000, q32(Fraction(1, 100))), OFF, ALL)


def hpcc_runs(link_bps):
    speed = Fraction(link_bps, 25 * 10**9)
    return profile((int(100000 * speed), int(400000 * speed), q32(Fraction(1, 5))), OFF, ALL)


def nvidia(_):
    return profile((150000, 1500000, q32(1)), OFF, ALL)


class Wred:
    PRESETS = {"ldcp": ldcp, "dcqcn_paper": dcqcn_paper, "hpcc_runs": hpcc_runs,
               "nvidia": nvidia}

    def __init__(self, params):
        self.params = params
        self.count = {"pass": 0, "mark": 0, "drop": 0}

    def probability(self, curve, q):
        low = self.params[curve + ".min_bytes"]
        high = self.params[curve + ".max_bytes"]
        if q < low:
            return 0
        if q >= high:
            return 1
        return Fraction(q - low, high - low) * Fraction(self.params[curve + ".pmax_q32"], 2**32)

    def decide(self, queue_bytes=0, ecn="not_ect", random=0):
        capable = ecn != "not_ect"
        p = self.probability("mark" if capable else "drop", queue_bytes)
        hit = Fraction(random, 2**32) < p
        if queue_bytes > self.params["buf_max_bytes"]:
            verdict = "drop"
        elif hit:
            verdict = "mark" if capable else "drop"
        else:
            verdict = "pass"
        self.count[verdict] += 1
        return {"verdict": verdict}

    def state(self):
        return {"passed": self.count["pass"], "marked": self.count["mark"],
                "dropped": self.count["drop"]}


ANY = "ecn=not_ect/ect1/ect0/ce"
R = "random=0..4294967295"
ENDS = "random=0/1/2147483647/2147483648/4294967294/4294967295"


def edges(*at):
    """Returns queues one byte below, at, and one byte above each bound, with random numbers
    from the whole range, and at its ends and its middle."""
    kinds = []
    for q in at:
        near = f"queue_bytes={max(q - 1, 0)}..{min(q + 1, ALL)}"
        kinds += [f"decide {near} {ANY} {R}", f"decide {near} {ANY} {ENDS}"]
    return " | ".join(kinds)


def through(low, high):
    return f"decide queue_bytes={low}..{high} {ANY} {R}"


def ldcp_trace(n, link_bps):
    bdp = link_bps // 1000000
    at = (bdp // 5, 2 * bdp // 5, 4 * bdp // 5, 16 * bdp)
    return (f"w{n:02} wred seed={n} preset=ldcp link_bps={link_bps}",
            [f"4000: {through(0, bdp)}", f"5000: {edges(*at)}", f"1000: {through(0, 20 * bdp)}"])


def hpcc_trace(n, link_bps):
    low, high = link_bps // 250000, link_bps // 62500
    return (f"w{n:02} wred seed={n} preset=hpcc_runs link_bps={link_bps}",
            [f"5000: {through(0, high + low)}", f"5000: {edges(low, high, ALL)}"])


TRACES = [
    ldcp_trace(1, 1000000000),
    ldcp_trace(2, 25000000000),
    ldcp_trace(3, 100000000000),
    ldcp_trace(4, 1600000000000),
    ("w05 wred seed=5 preset=dcqcn_paper link_bps=40000000000",
     [f"5000: {through(0, 250000)}", f"5000: {edges(5000, 200000, ALL)}"]),
    hpcc_trace(6, 1000000000),
    hpcc_trace(7, 25000000000),
    hpcc_trace(8, 400000000000),
    hpcc_trace(9, 1600000000000),
    # Two curves whose ranges both contain buf_max.
    ("w10 wred seed=10 preset=ldcp mark.min_bytes=1000 mark.max_bytes=9000 "
     "mark.pmax_q32=4294967296 drop.min_bytes=2000 drop.max_bytes=5001 "
     "drop.pmax_q32=1431655765 buf_max_bytes=5000",
     [f"5000: {through(0, 6000)}", f"5000: {edges(1000, 2000, 5000, 9000)}"]),
    # The widest curves, for which products come close to 2^64.
    ("w11 wred seed=11 preset=ldcp mark.min_bytes=0 mark.max_bytes=4294967295 "
     "mark.pmax_q32=4294967296 drop.min_bytes=1 drop.max_bytes=4294967295 "
     "drop.pmax_q32=4294967295 buf_max_bytes=4294967294",
     [f"5000: {through(0, ALL)}", f"5000: {edges(0, 1, 2**31, ALL - 1)}"]),
    # The narrowest curves, with a range of one byte and a P_max of 2^-32 (w12), and with P_max
    # values of 1 and 0 (w13).
    ("w12 wred seed=12 preset=ldcp mark.min_bytes=100 mark.max_bytes=101 "
     "mark.pmax_q32=4294967295 drop.min_bytes=90 drop.max_bytes=190 drop.pmax_q32=1 "
     "buf_max_bytes=180",
     [f"5000: {through(80, 200)}", f"5000: {edges(90, 100, 101, 180, 190)}"]),
    ("w13 wred seed=13 preset=ldcp mark.min_bytes=3000 mark.max_bytes=3000 "
     "mark.pmax_q32=4294967296 drop.min_bytes=1000 drop.max_bytes=2000 drop.pmax_q32=0 "
     "buf_max_bytes=4000",
     [f"5000: {through(0, 5000)}", f"5000: {edges(1000, 2000, 3000, 4000)}"]),
    ("w14 wred seed=14 preset=nvidia link_bps=100000000000",
     [f"5000: {through(0, 1650000)}", f"5000: {edges(150000, 1500000, ALL)}"]),
]

if __name__ == "__main__":
    main("wred", Wred, TRACES)
