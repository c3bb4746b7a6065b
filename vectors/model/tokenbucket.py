# SPDX-License-Identifier: BSD-2-Clause
"""The token bucket by rules T-1 to T-5 of guard/tokenbucket.h, with levels in units of 2^-256."""
from trace import Exact, main


def per_s(link_bps):
    rate = link_bps // 8 // 1000 // 1000
    return {"rate_per_s": rate, "burst": max(1, rate // 16)}


class TokenBucket:
    PRESETS = {"per_s": per_s}

    def __init__(self, params):
        self.rate = params["rate_per_s"]
        self.burst = params["burst"]
        self.level = Exact(self.burst)
        self.last = 0

    def take(self, n=0, now_ns=0):
        back = self.last - now_ns
        if back <= 0:
            self.level = min(Exact(self.burst),
                             self.level + Exact.ratio(self.rate * -back, 10**9))
            self.last = now_ns
        elif back * self.rate >= self.burst * 10**9 + self.rate:
            self.last = now_ns  # T-5: back by more than full_ns, a whole number of ns
        # The rounding to 2^-256 loses far less than 10^-9, the smallest difference between levels.
        taken = self.level + Exact.ratio(1, 10**12) >= n
        if taken:
            self.level = self.level - n
        return {"taken": taken}

    def state(self):
        return {"level_e9": int(self.level * 10**9 + Exact.ratio(1, 2)),
                "last_ns": self.last}


TRACES = [
    ("b01 tokenbucket seed=1 preset=per_s link_bps=1000000000",
     ["10000: take n=0..12 now_ns=+0..40000000"]),
    ("b02 tokenbucket seed=2 preset=per_s link_bps=100000000000",
     ["5000: take n=0..3 now_ns=+0..400000", "5000: take n=0..40 now_ns=+0..1000000"]),
    ("b03 tokenbucket seed=3 preset=per_s link_bps=1600000000000",
     ["10000: take n=1 now_ns=+0..10000"]),
    ("b04 tokenbucket seed=4 preset=per_s rate_per_s=1 burst=1",
     ["10000: take n=0..1 now_ns=+0..1000000000"]),
    ("b05 tokenbucket seed=5 preset=per_s rate_per_s=3 burst=2",  # not a divisor of 10^9
     ["10000: take n=0..2 now_ns=+0..500000001"]),
    ("b06 tokenbucket seed=6 preset=per_s rate_per_s=200000000000 burst=4294967295",
     ["10000: take n=0..4294967295 now_ns=+0..20000000"]),
    ("b07 tokenbucket seed=7 preset=per_s rate_per_s=18446744073709551615 burst=7",
     ["10000: take n=0..8 now_ns=+0..3"]),
    # A clock that often steps back to its first ms, and then jumps to any time within 4 s.
    ("b08 tokenbucket seed=8 preset=per_s rate_per_s=1000 burst=100",
     ["5000: take n=0..2 now_ns=+1000000..2000000 | take n=0..2 now_ns=@n+0..1000000",
      "5000: take n=0..2 now_ns=0..4000000000"]),
    # Silences of up to 2^32 ns, and then demand above the rate.
    ("b09 tokenbucket seed=9 preset=per_s rate_per_s=1000000 burst=1000",
     ["5000: take n=0..900 now_ns=+0..4294967295", "5000: take n=1000 now_ns=+0..90000"]),
    ("b10 tokenbucket seed=10 preset=per_s rate_per_s=999999937 burst=1",
     ["10000: take n=0..2 now_ns=+0..4"]),
]

if __name__ == "__main__":
    main("tokenbucket", TokenBucket, TRACES)
