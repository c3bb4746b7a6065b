# SPDX-License-Identifier: BSD-2-Clause
"""
QCN's reaction point with its timer and a clock, by rules RP-21 to RP-23 of algo/qcn.h. The
deadline is in the flow's own time, and expiries are handled one by one.
"""
from qcn import ReactionPoint, ns3, qau
from trace import main


class Timed:
    PRESETS = {"qau": qau, "ns3": ns3}

    def __init__(self, params):
        self.flow = ReactionPoint(params)
        self.clock = 0     # last time from the host's clock
        self.own = 0       # the flow's own time; it never steps back
        self.deadline = 0  # RpWhile's deadline in the flow's own time

    def advance(self, now_ns=0, host="-", random=0):
        return self.said(self.pass_time(now_ns, host, random), {})

    def cnm(self, now_ns=0, qntz_fb=0, host="-", random=0):
        released = self.pass_time(now_ns, host, random)
        return self.said(released, self.flow.cnm(qntz_fb, random))

    def sent(self, now_ns=0, bytes=0, host="-", random=0):
        released = self.pass_time(now_ns, host, random)
        return self.said(released, self.flow.sent(bytes, host, random))

    def relink(self, now_ns=0, host="-", random=0, link_bps=0):
        released = self.pass_time(now_ns, host, random)
        f = self.flow
        f.max_bps = link_bps
        f.min_bps = min(f.min_bps, link_bps)
        if f.enabled:
            f.t, f.c = (max(f.min_bps, min(f.max_bps, x)) for x in (f.t, f.c))
        else:
            f.idle()
        return self.said(released, {})

    def pass_time(self, now_ns, host, random):
        """Advances to now_ns. Returns true if this released the flow."""
        passed = (now_ns - self.clock) % 2**64
        self.clock = now_ns
        if passed < 2**63:
            self.own += passed
        released = False
        while self.flow.enabled and self.deadline <= self.own:
            before = self.flow.state()
            did = self.flow.timer(host, random)
            released = did["released"]
            self.deadline += did["timer_ns"]
            if self.flow.state() == before:  # later expiries change nothing either
                left = max(0, self.own - self.deadline)
                self.deadline += left // did["timer_ns"] * did["timer_ns"]
        return released

    def said(self, released, did):
        if did.get("timer_ns"):
            self.deadline = self.own + did["timer_ns"]
        left = self.deadline - self.own if self.flow.enabled else 0
        return dict(rate_bps=self.flow.c, timer_ns=left,
                    created=did.get("created", False), cut=did.get("cut", False),
                    released=released or did.get("released", False))

    def state(self):
        return {**self.flow.state(), "last_ns": self.clock}


ANY = "random=0..4294967295"
HOST = "-/-/-/frozen/empty/frozen+empty"


def mix(events, cnm=1, sent=20, poll=5, back=0, line=0, gap=1_000_000, octets="64..60000",
        host="-", fb="1..63", lines="10000000000"):
    """Returns a phase from the weights of its events. `gap` is the longest time in ns between
    two events, and `back` events set the clock to any time below 2^32 ns."""
    now = f"now_ns=+0..{gap}"
    kinds = [(cnm, f"cnm*{cnm} {now} qntz_fb={fb} host={host} {ANY}"),
             (sent, f"sent*{sent} {now} bytes={octets} host={host} {ANY}"),
             (poll, f"advance*{poll} {now} host={host} {ANY}"),
             (back, f"advance*{back} now_ns=0..4294967295 host={host} {ANY}"),
             (line, f"relink*{line} {now} host={host} {ANY} link_bps={lines}")]
    return f"{events}: " + " | ".join(k for n, k in kinds if n)


LINES = "100000000000/400000000000/10000000000/25000000000"

TRACES = [
    ("t01 qcn_timed seed=201 preset=qau link_bps=10000000000",
     [mix(2000), mix(1000, gap=60_000_000), mix(1000, gap=3_000_000_000, sent=0)]),
    ("t02 qcn_timed seed=202 preset=ns3 link_bps=40000000000",
     [mix(2000), mix(1000, gap=100_000_000), mix(200, gap=4_000_000_000)]),
    ("t03 qcn_timed seed=203 preset=qau link_bps=400000000000",
     [mix(2000, line=2, lines=LINES, gap=20_000_000, cnm=3),
      mix(2000, line=5, lines=LINES, gap=400_000_000, sent=3)]),
    ("t04 qcn_timed seed=204 preset=qau link_bps=100000000000 jitter=1 "
     "release_needs_empty=1",
     [mix(2000, host=HOST, gap=20_000_000), mix(1000, host=HOST, gap=2_000_000_000)]),
    ("t05 qcn_timed seed=205 preset=ns3 link_bps=100000000000 jitter=1 threshold=3 "
     "clamp_target=always time_reset_ns=300000",
     [mix(2000, back=1, gap=2_000_000), mix(2000, back=3, host=HOST, gap=90_000_000)]),
    ("t06 qcn_timed seed=206 preset=qau link_bps=800000000000 threshold=0 "
     "ai_bps=2 hai_bps=1 time_reset_ns=2147483647",
     [mix(2000, gap=4_294_967_295, host="-/-/frozen", octets="100000..200000")]),
    ("t07 qcn_timed seed=207 preset=qau link_bps=1600000000000 threshold=255 "
     "byte_reset_bytes=1000 hai_bps=1000001 time_reset_ns=100000",
     [mix(600, gap=20_000, sent=200, octets="900..1100"),
      mix(1000, gap=60_000_000, sent=1)]),
    ("t08 qcn_timed seed=208 preset=qau link_bps=10000000000 min_dec_percent=1 gd_exp=3 "
     "ai_bps=777777 time_reset_ns=2000",
     [mix(3000, gap=3_000_000, cnm=9, sent=9, fb="0..63", line=1, lines="3000000/" + LINES)]),
]

if __name__ == "__main__":
    main("qcn_timed", Timed, TRACES)
