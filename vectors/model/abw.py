# SPDX-License-Identifier: BSD-2-Clause
"""The available bandwidth of a port by rules M-1 to M-6, in rational numbers. The model keeps
each packet's bytes and time, and adds up the bytes of a window when the window has ended."""
from fractions import Fraction
from math import ceil, floor

from trace import main


def csig(link_bps):
    return {"rate_bps": link_bps, "window_ns": 256000}


class Abw:
    PRESETS = {"csig": csig}

    def __init__(self, params):
        self.rate = params["rate_bps"]
        self.window = params["window_ns"]
        self.begin = 0  # start of the current window
        self.sent = []  # (time, bytes) since then
        self.abw = None

    def full(self):
        return ceil(Fraction(self.rate * self.window, 8 * 10**9))

    def ended(self, sent):
        left = self.rate - Fraction(8 * 10**9 * sent, self.window)
        self.abw = max(0, floor(left))

    def step(self, bytes=0, now_ns=0):
        last = self.begin + self.window
        if now_ns < self.begin:
            self.begin, self.sent = now_ns, []
        elif now_ns >= last + self.window:
            # No byte was sent in the window that ends now.
            self.ended(sum(n for t, n in self.sent if t >= now_ns - self.window))
            self.begin, self.sent = now_ns, []
        elif now_ns >= last:
            self.ended(sum(n for t, n in self.sent))
            self.begin, self.sent = last, []
        self.sent.append((now_ns, bytes))
        return {"available_bps": self.abw or 0, "util_q20": self.util(),
                "known": self.abw is not None}

    def util(self):
        if self.abw is None:
            return 0
        return ceil((1 - Fraction(self.abw, self.rate)) * 2**20)

    def state(self):
        return {"start_ns": self.begin, "available_bps": self.abw or 0,
                "sent_bytes": min(self.full(), sum(n for t, n in self.sent)),
                "util_q20": self.util(), "known": int(self.abw is not None)}


TRACES = [
    ("w01 abw seed=1 preset=csig link_bps=100000000000",  # about 70 % of the link rate
     ["10000: step bytes=0..9000 now_ns=+0..1000"]),
    ("w02 abw seed=2 preset=csig link_bps=800000000000",  # average at link rate, later in bursts
     ["5000: step bytes=9000 now_ns=+60..120", "5000: step bytes=9000 now_ns=+0..180"]),
    ("w03 abw seed=3 preset=csig link_bps=400000000000 window_ns=128000",
     ["10000: step bytes=64..1500 now_ns=+0..100000"]),
    # Gaps of up to almost three windows.
    ("w04 abw seed=4 preset=csig link_bps=100000000000 window_ns=1024000",
     ["10000: step bytes=0..9000000 now_ns=+0..3000000"]),
    ("w05 abw seed=5 preset=csig link_bps=1000000000 window_ns=1000",
     ["5000: step bytes=0..60 now_ns=+0..900", "5000: step bytes=125 now_ns=+900..1100"]),
    # A clock that often steps back to its first 10 us, and then jumps anywhere within 4 s.
    ("w06 abw seed=6 preset=csig link_bps=25000000000",
     ["5000: step bytes=0..9000 now_ns=+10000..60000 | step bytes=9 now_ns=@bytes+0..9000",
      "5000: step bytes=0..90000 now_ns=0..4000000000"]),
    # The limits of rate_bps and window_ns, and prime numbers for both.
    ("w07 abw seed=7 preset=csig rate_bps=8796093022207 window_ns=1048576",
     ["10000: step bytes=18446744073709551000..18446744073709551615 now_ns=+0..1500000"]),
    ("w08 abw seed=8 preset=csig rate_bps=8796093022207 window_ns=1048576",
     ["10000: step bytes=0..300000000 now_ns=+0..300000"]),
    ("w09 abw seed=9 preset=csig rate_bps=1 window_ns=1000",
     ["10000: step bytes=0..1 now_ns=+0..700"]),
    ("w10 abw seed=10 preset=csig rate_bps=99999999977 window_ns=127997",
     ["10000: step bytes=0..20000 now_ns=+0..1300"]),
]

if __name__ == "__main__":
    main("abw", Abw, TRACES)
