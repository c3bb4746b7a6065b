# SPDX-License-Identifier: BSD-2-Clause
"""The key flow of a queue, as rules K-1 to K-6 say it: a tally in which each byte stands
by itself, and bytes of different flows strike each other out one by one."""
from trace import main


def quarter(link_bps):
    return {"min_bytes": link_bps * 100 // 10**6 // 8 // 4, "window_ns": 100000}


class KeyFlow:
    PRESETS = {"quarter": quarter}

    def __init__(self, params):
        self.least = params["min_bytes"]
        self.window = params["window_ns"]
        self.begin = 0
        self.tally = []  # runs (flow, bytes) that nothing has struck out, all of one flow
        self.who = 0     # the flow that was in the tally last
        self.sent = {}   # what each flow has sent since the count began

    def step(self, flow=0, bytes=0, now_ns=0):
        if self.least == 0:
            return {"verdict": "none"}
        if now_ns < self.begin or now_ns >= self.begin + self.window:
            self.begin, self.tally, self.who, self.sent = now_ns, [], 0, {}
        self.sent[flow] = self.sent.get(flow, 0) + bytes
        if not self.tally:
            self.who = flow
        left = bytes
        while left and self.tally and self.tally[-1][0] != flow:
            other, n = self.tally.pop()
            if n > left:
                self.tally.append((other, n - left))
                left = 0
            else:
                left -= n
        if left:
            self.tally.append((flow, left))
            self.who = flow
        ahead = self.ahead()
        # What the vote is for: nobody who has more than half is missed, and nobody is
        # said to have sent more than it has.
        for f, n in self.sent.items():
            assert 2 * n <= sum(self.sent.values()) or f == self.who
        assert ahead <= self.sent.get(self.who, 0)
        if ahead < self.least:
            return {"verdict": "none"}
        return {"verdict": "key" if self.who == flow else "other"}

    def ahead(self):
        return sum(n for _, n in self.tally)

    def state(self):
        return {"flow": self.who, "start_ns": self.begin, "ahead_bytes": self.ahead()}


TRACES = [
    ("k01 keyflow seed=1 preset=quarter link_bps=100000000000",  # one flow of many
     ["10000: step flow=1 bytes=1000..9000 now_ns=+0..1000 | "
      "step flow=2..40 bytes=64..1500 now_ns=+0..1000"]),
    ("k02 keyflow seed=2 preset=quarter link_bps=10000000000",  # all alike
     ["10000: step flow=1..8 bytes=1500 now_ns=+0..1000"]),
    ("k03 keyflow seed=3 preset=quarter link_bps=400000000000 window_ns=4294967295",
     ["5000: step flow=1..3 bytes=0..9000 now_ns=+0..100",
      "5000: step flow=3..5 bytes=0..4294967295 now_ns=+0..100"]),
    ("k04 keyflow seed=4 preset=quarter min_bytes=0 window_ns=0",  # off
     ["1000: step flow=1..3 bytes=0..9000 now_ns=+0..100"]),
    ("k05 keyflow seed=5 preset=quarter min_bytes=1 window_ns=1000",  # at the least
     ["10000: step flow=1..2 bytes=0..2 now_ns=+0..30"]),
    # The clock steps back: a little, now and then, and for good.
    ("k06 keyflow seed=6 preset=quarter link_bps=100000000000",
     ["5000: step flow=1..2 bytes=9000 now_ns=+1000..2000 | "
      "step flow=2..3 bytes=9000 now_ns=@flow+0..900000",
      "5000: step flow=1..2 bytes=0..900000 now_ns=0..4000000000"]),
]

if __name__ == "__main__":
    main("keyflow", KeyFlow, TRACES)
