# SPDX-License-Identifier: BSD-2-Clause
"""RED with an averaged queue by rules R-1 to R-13 of algo/wred.h, exactly."""
from trace import Exact, TooNear, main

ONE = Exact(1)
# A relative error FAR plus an absolute error NEAR of the average must not change a verdict.
FAR = Exact.ratio(1, 10**6)
NEAR = Exact.ratio(1, 2**12)


def log_of_one_minus(w):
    """Returns -(w + w^2/2 + w^3/3 + ...), for w up to 1/2."""
    total, power = Exact(), w
    for k in range(1, 300):
        total = total + power / k
        power = power * w
    return -total


def exp(x):
    """Returns e^x for x <= 0, from the series of x / 2^40 and 40 squarings."""
    if x < -300:
        return Exact()
    x = x / 2**40
    total, term = Exact(), ONE
    for k in range(1, 12):
        total = total + term
        term = term * x / k
    for _ in range(40):
        total = total * total
    return total


def floyd(link_bps):
    packet_ns = 8 * 1000 * 10**9 // link_bps
    low = link_bps // 1000000  # bytes that the link carries in 8 us
    return {"maxp_q32": 429496730, "min_bytes": low, "max_bytes": 3 * low,
            "packet_ns": packet_ns, "weight_exp": 9, "gentle": True, "dpdk": False,
            "hard_drop": False}


class Red:
    PRESETS = {"floyd": floyd}
    SUMMED = "avg_q32"

    def __init__(self, params):
        self.low, self.high = params["min_bytes"], params["max_bytes"]
        self.maxp = Exact.ratio(params["maxp_q32"], 2**32)
        self.gentle, self.dpdk = bool(params["gentle"]), bool(params["dpdk"])
        self.hard_drop = bool(params["hard_drop"])
        self.s = params["packet_ns"]
        self.w = Exact.ratio(1, 2 ** params["weight_exp"])
        self.log = log_of_one_minus(self.w)
        self.avg = Exact()
        self.count = -1
        self.empty = False
        self.since = 0  # t0
        self.spent = 0  # packet times already counted since t0
        self.verdicts = {"pass": 0, "mark": 0, "drop": 0}

    def rest(self, now_ns):
        m = max(0, (now_ns - self.since) // self.s - self.spent)
        self.spent += m
        self.avg = self.avg * exp(self.log * m)

    def idle(self, now_ns=0):
        if self.empty:
            self.rest(now_ns)
        else:
            self.empty, self.since, self.spent = True, now_ns, 0
        return {"verdict": "pass"}

    def judge(self, avg, off, r):
        """Returns whether a packet is marked, and the new count, with `off` * 2^-30 / pb as
        pa's error."""
        if avg < self.low:
            return False, (self.count + 1 if self.dpdk else -1)
        if avg >= self.high * (2 if self.gentle else 1):
            return True, 0
        count = self.count + 1
        if avg >= self.high:
            pb = self.maxp + (ONE - self.maxp) * (avg - self.high) / self.high
        else:
            pb = self.maxp * (avg - self.low) / (self.high - self.low)
        rest = (2 if self.dpdk else 1) - pb * count
        if pb <= 0:
            return False, count
        if rest <= 0 or r < pb / rest + Exact.ratio(off, 2**30) / pb:
            return True, 0
        return False, count

    def forced(self, below, above):
        """Returns true if hard_drop is set and R-4, not chance, marks the packet."""
        if not self.hard_drop:
            return False
        bound = self.high * (2 if self.gentle else 1)
        if (below >= bound) != (above >= bound):
            raise TooNear(f"avg {float(self.avg)} at {bound}")
        return self.avg >= bound

    def arrive(self, queue_bytes=0, ecn="not_ect", random=0, now_ns=0):
        if queue_bytes == 0 and self.empty:
            self.rest(now_ns)
            still_empty = True
        else:
            self.avg = self.avg + (queue_bytes - self.avg) * self.w
            still_empty = False
        r = Exact.ratio(random, 2**32)
        below = self.avg - self.avg * FAR - NEAR
        above = self.avg + self.avg * FAR + NEAR
        marked = self.judge(self.avg, 0, r)
        if not (self.judge(max(Exact(), below), -1, r) == marked == self.judge(above, 1, r)):
            raise TooNear(f"avg {float(self.avg)}, count {self.count}, random {random}")
        marked, self.count = marked
        verdict = "pass"
        if marked:
            verdict = "mark"
            if ecn == "not_ect" or self.forced(below, above):
                verdict = "drop"
        self.empty = still_empty and verdict == "drop"
        self.verdicts[verdict] += 1
        return {"verdict": verdict}

    def state(self):
        return {"avg_q32": int(self.avg * 2**32), "count": self.count % 2**32,
                "idle_ns": (self.since + self.spent * self.s) % 2**32,
                "idle": self.empty, "passed": self.verdicts["pass"],
                "marked": self.verdicts["mark"], "dropped": self.verdicts["drop"]}


ANY = "ecn=not_ect/ect1/ect0/ce random=0..4294967295"


def busy(low, high, ns, weight=1):
    return f"arrive*{weight} queue_bytes={low}..{high} {ANY} now_ns=+1..{ns}"


def empty(ns, weight=1):
    """Returns an arrival at an empty queue, up to `ns` after the last event."""
    return f"arrive*{weight} queue_bytes=0 {ANY} now_ns=+1..{ns}"


def rest(ns, weight=1):
    return f"idle*{weight} now_ns=+1..{ns}"


def floyd_trace(n, link_bps, settings=""):
    """Returns a trace below, through and above the thresholds, and with idle times."""
    low = link_bps // 1000000
    ns = 2 * 8 * 1000 * 10**9 // link_bps
    return (f"r{n:02} red seed={n} preset=floyd link_bps={link_bps}{settings}",
            [f"2000: {busy(1, 3 * low, ns)}", f"2000: {busy(1, 6 * low, ns)}",
             f"1000: {busy(1, 12 * low, ns)}",
             f"3000: {busy(1, 8 * low, ns, 20)} | {rest(ns, 1)} | {empty(100 * ns, 2)}",
             f"2000: {busy(1, 5 * low, ns, 200)} | {rest(ns, 1)} | {empty(3000 * ns, 1)}"])


TRACES = [
    floyd_trace(1, 1000000000),
    floyd_trace(2, 100000000000),
    floyd_trace(3, 1600000000000),
    floyd_trace(4, 100000000000, " gentle=0"),
    floyd_trace(5, 100000000000, " gentle=0 dpdk=1"),
    floyd_trace(6, 400000000000, " gentle=1 dpdk=1 maxp_q32=42949673"),
    # Weights of 1/2, with an average close to the queue, and of 2^-16.
    floyd_trace(7, 100000000000, " weight_exp=1"),
    ("r08 red seed=8 preset=floyd weight_exp=16 maxp_q32=214748365",
     [f"10000: {busy(3000000, 8000000, 160, 2000)} | {rest(160)} | {empty(20000000)}"]),
    # A step with a maxp of 1 and thresholds one byte apart, and a maxp of 0.
    ("r09 red seed=9 preset=floyd weight_exp=3 min_bytes=5000 max_bytes=5001 "
     "maxp_q32=4294967296 gentle=0",
     [f"10000: {busy(1, 9999, 1000, 10)} | {rest(1000)} | {empty(1000)}"]),
    ("r10 red seed=10 preset=floyd weight_exp=4 min_bytes=0 max_bytes=20000 maxp_q32=0",
     [f"10000: {busy(1, 60000, 1000, 10)} | {rest(1000)} | {empty(1000)}"]),
    # Lost and repeated idle events and arrivals. The clock wraps every 4.29 s.
    ("r11 red seed=11 preset=floyd weight_exp=6 packet_ns=999983",
     [f"5000: {busy(1, 800000, 100000, 3)} | {empty(900000000)} | {rest(900000000)}",
      f"5000: {busy(1, 800000, 1000, 9)} | {empty(20000000)} | {rest(20000000, 5)}"]),
    # A clock that steps back and forth within a millisecond.
    ("r12 red seed=12 preset=floyd packet_ns=1 weight_exp=12 maxp_q32=429496730",
     [f"5000: {busy(1, 3000000, 100, 50)} | {rest(100)}",
      f"5000: arrive*50 queue_bytes=1..900000 {ANY} now_ns=1000000..2000000 | "
      f"arrive queue_bytes=0 {ANY} now_ns=1000000..2000000 | idle now_ns=1000000..2000000"]),
    # The largest thresholds.
    ("r13 red seed=13 preset=floyd weight_exp=5 min_bytes=2147483645 max_bytes=2147483647 "
     "packet_ns=4294967295",
     [f"10000: {busy(1, 4294967295, 1000, 10)} | {rest(1000)} | {empty(1000)}"]),
    # Packets that are dropped at a queue that stays empty.
    ("r14 red seed=14 preset=floyd weight_exp=5 min_bytes=1000 max_bytes=3000 "
     "packet_ns=1000",
     [f"10000: {busy(1, 60000, 1000, 10)} | {rest(1000, 3)} | {empty(3000, 9)}"]),
    # Linux's hard drop. Every mark at or above the last threshold drops the packet.
    floyd_trace(15, 100000000000, " gentle=0 hard_drop=1"),
    floyd_trace(16, 25000000000, " hard_drop=1 weight_exp=5"),
]

if __name__ == "__main__":
    main("red", Red, TRACES)
