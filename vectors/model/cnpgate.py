# SPDX-License-Identifier: BSD-2-Clause
"""The notification point with times that never wrap. Only the reported state has 32 bits."""
from trace import TooNear, main

TURN = 2**32


class Gate:
    PRESETS = {
        "paper": lambda link_bps: {"interval_ns": 50_000, "defer": 0},
        "nvidia": lambda link_bps: {"interval_ns": 4_000, "defer": 0},
        "ns3": lambda link_bps: {"interval_ns": 0, "defer": 0},
    }

    def __init__(self, params):
        self.window = params["interval_ns"]
        self.deferring = params["defer"] == 1
        self.last = None  # time of the last CNP; None before it, or if it is forgotten
        self.stamp = 0  # low 32 bits of this time, kept even if it is forgotten
        self.waiting = False

    def distance(self, now):
        """Returns the time between `now` and the last CNP, or None if no CNP is remembered."""
        if self.last is None:
            return None
        away = abs(now - self.last)
        if away >= self.window > min(away % TURN, -away % TURN):
            raise TooNear(f"a silence of {away}, which 32 bits take for less")
        return away

    def cnp(self, now):
        self.last, self.stamp, self.waiting = now, now % TURN, False
        return {"send": True, "arm": False, "wait_ns": 0}

    def ce(self, now_ns):
        away = self.distance(now_ns)
        if away is None or away >= self.window:
            return self.cnp(now_ns)
        if self.deferring and not self.waiting:
            self.waiting = True
            return self.arm(now_ns)
        return {"send": False, "arm": False, "wait_ns": 0}

    def timer(self, now_ns):
        away = self.distance(now_ns)
        if self.waiting:
            return self.cnp(now_ns) if away >= self.window else self.arm(now_ns)
        if away is not None and away >= self.window:
            self.last = None
        return {"send": False, "arm": False, "wait_ns": 0}

    def arm(self, now):
        return {"send": False, "arm": True, "wait_ns": self.last + self.window - now}

    def state(self):
        return {"last_ns": self.stamp, "sent": int(self.last is not None),
                "pending": int(self.waiting)}


def back(low, high):
    """Returns a clock step back by low..high."""
    return f"+{2**64 - high}..{2**64 - low}"


START = "1: ce now_ns=+4290000000..4290000000"  # close to a wrap, with room to step back

# The last CNP is one clock wrap ago, plus or minus less than N. Timers in between forget it.
SWEPT = ["1: ce now_ns=+0..1000000", "2: timer now_ns=+2000000000..2000000000",
         "1: ce now_ns=+294917297..295017295"]

TRACES = [
    ("n01 cnpgate seed=1 preset=paper",
     ["10000: ce*8 now_ns=+0..20000 | timer now_ns=+0..20000"]),
    ("n02 cnpgate seed=2 preset=nvidia",
     ["5000: ce*8 now_ns=+0..1500 | timer now_ns=+0..5000", "5000: ce now_ns=+0..100"]),
    ("n03 cnpgate seed=3 preset=ns3",
     ["5000: ce*8 now_ns=+0..3 | timer now_ns=+0..3",
      f"5000: ce now_ns=+5000..4000000000 | ce now_ns={back(1, 1000)}"]),
    ("n04 cnpgate seed=4 preset=paper defer=1",
     ["5000: ce*8 now_ns=+0..20000 | timer now_ns=+0..20000",
      "5000: ce now_ns=+0..60000 | timer now_ns=+0..60000"]),
    ("n05 cnpgate seed=5 preset=nvidia defer=1",
     ["10000: ce*3 now_ns=+0..1500 | timer now_ns=+0..5000"]),
    ("n06 cnpgate seed=6 preset=ns3 defer=1",
     ["10000: ce now_ns=+0..3 | timer now_ns=+0..3"]),
    ("n07 cnpgate seed=7 preset=paper interval_ns=1 defer=1",
     [START, f"9999: ce*3 now_ns=+0..1 | timer*2 now_ns=+0..2 | ce now_ns={back(1, 2)}"]),
    # Gaps of N - 1 or N, or of half of that, and a clock that wraps.
    ("n08 cnpgate seed=8 preset=paper",
     [START, "9999: ce now_ns=+49999..50000"]),
    ("n09 cnpgate seed=9 preset=paper defer=1",
     [START, "9999: ce now_ns=+24999..25000 | timer now_ns=+24999..25000"]),
    # N is about a second, so that the clock wraps every few events.
    ("n10 cnpgate seed=10 preset=paper interval_ns=1073741824",
     ["10000: ce now_ns=+0..1073741824"]),
    ("n11 cnpgate seed=11 preset=paper interval_ns=1073741824 defer=1",
     ["10000: ce*2 now_ns=+0..536870912 | timer now_ns=+0..536870912"]),
    # The clock steps back, by less than N and by more.
    ("n12 cnpgate seed=12 preset=paper",
     [START, f"9999: ce*3 now_ns=+0..20000 | ce now_ns={back(1, 30000)}"]),
    ("n13 cnpgate seed=13 preset=nvidia defer=1",
     [START,
      f"4999: ce*2 now_ns=+0..3000 | timer now_ns=+0..3000 | ce now_ns={back(1, 9000)}"
      f" | timer now_ns={back(1, 9000)}",
      f"5000: ce now_ns={back(3999, 4000)} | timer now_ns=+3999..4000 | ce now_ns=+1..9"]),
    # Gaps of up to 4 s, and of one clock wrap.
    ("n14 cnpgate seed=14 preset=paper",
     ["10000: ce now_ns=+0..4000000000 | ce now_ns=+0..50000"]),
    ("n15 cnpgate seed=15 preset=paper defer=1",
     5 * SWEPT + ["9980: ce*3 now_ns=+0..50000 | timer*3 now_ns=+0..2000000000"]),
]

if __name__ == "__main__":
    main("cnpgate", Gate, TRACES)
