# SPDX-License-Identifier: BSD-2-Clause
"""
A host that polls, and DCQCN's reaction point (D-30 and D-37). The deadlines are on a clock of
unlimited size. Expired timers run one by one, the earliest first, and in the order alpha, cut,
increase if they expire at the same time. dcqcn.py has the effects of the timers.
"""
import dcqcn
from trace import TooNear, main

ORDER = ("alpha", "cut", "increase")


class DcqcnTimed(dcqcn.Dcqcn):
    def __init__(self, params):
        super().__init__(params)
        self.now = 0
        self.due = {}
        self.doubt = False

    def faint(self):
        """Notes that alpha is in doubt. A later block must make it 0 before the next event or the
        next look at the state."""
        self.doubt = True

    def looked_at(self):
        if self.doubt and self.base != 0:
            raise TooNear(f"alpha is {float(self.base)}")
        self.doubt = False

    def period(self, timer):
        return {"alpha": self.alpha_timer_ns, "cut": self.cut_interval_ns,
                "increase": self.increase_timer_ns}[timer]

    def obey(self, at_ns):
        for timer in self.stopped:
            self.due.pop(timer, None)
        for timer in self.armed:
            self.due[timer] = at_ns + self.period(timer)
        self.cuts |= self.was_cut
        self.releases |= self.was_released

    def advance(self, now_ns):
        self.wait(now_ns)
        return self.answer()

    def wait(self, now_ns):
        self.cuts = self.releases = False
        if now_ns < self.now:  # the clock stepped back: no time has passed
            self.due = {k: v - self.now + now_ns for k, v in self.due.items()}
        self.now = now_ns
        fire = {"alpha": self.alpha_timer, "cut": self.cut_timer,
                "increase": self.increase_timer}
        while self.due:
            timer = min(self.due, key=lambda k: (self.due[k], ORDER.index(k)))
            at_ns = self.due[timer]
            if at_ns > now_ns:
                break
            del self.due[timer]
            fire[timer]()
            self.obey(at_ns)

    def event(self, now_ns, name, *args):
        self.wait(now_ns)
        self.looked_at()
        getattr(super(), name)(*args)
        self.obey(now_ns)
        return self.answer()

    def cnp(self, now_ns):
        return self.event(now_ns, "cnp")

    def sent(self, now_ns, bytes=0):
        return self.event(now_ns, "sent", bytes)

    def restart(self, now_ns):
        return self.event(now_ns, "restart")

    def relink(self, now_ns, line_bps):
        return self.event(now_ns, "relink", line_bps)

    def answer(self):
        return {"rate_bps": self.rc, "arm": "-", "stop": "-", "cut": self.cuts,
                "released": self.releases}

    def state(self):
        self.looked_at()
        left = {k: self.due[k] - self.now if k in self.due else 0 for k in ORDER}
        return {**super().state(), "last_ns": self.now, "alpha_left_ns": left["alpha"],
                "flow.cut_left_ns": left["cut"], "increase_left_ns": left["increase"]}


def mix(events, cnp, sent, advance, span_ns, most_bytes=9000000, restart=0, relink=0,
        lines=""):
    """Returns a phase from the weights of its events, which are at most span_ns apart."""
    now = f"now_ns=+0..{span_ns}"
    kinds = [f"cnp*{cnp} {now}", f"sent*{sent} bytes=0..{most_bytes} {now}",
             f"advance*{advance} {now}", f"restart*{restart} {now}",
             f"relink*{relink} line_bps={lines} {now}"]
    weights = [cnp, sent, advance, restart, relink]
    return f"{events}: " + " | ".join(k for k, w in zip(kinds, weights) if w)


G, MS, US = 10**9, 10**6, 1000
TRACES = [
    # Events between timers, then calls up to 9 ms apart, with cuts, increases, and line rate again.
    (f"t01 dcqcn_timed seed=1 preset=paper link_bps={40 * G}",
     [mix(4000, 2, 8, 4, 60 * US), mix(4000, 1, 4, 4, 2 * MS),
      mix(2000, 2, 1, 4, 9 * MS, 1000)]),
    (f"t02 dcqcn_timed seed=2 preset=nvidia link_bps={100 * G}",
     [mix(4000, 2, 2, 4, 3 * US), mix(4000, 1, 2, 2, 40 * US, 32767000)]),
    (f"t03 dcqcn_timed seed=3 preset=ns3_hpcc link_bps={25 * G}",
     [mix(5000, 1, 0, 3, 5 * US), mix(5000, 1, 0, 1, 60 * US)]),
    # A cut interval, a rate for the first CNP, and a release.
    (f"t04 dcqcn_timed seed=4 preset=paper link_bps={50 * G} first_cnp_bps={10 * G} "
     f"release_bps={45 * G} cut_interval_ns=100000",
     [mix(10000, 2, 4, 4, 90 * US)]),
    # Many increases in one gap, with stage counts of 255.
    (f"t05 dcqcn_timed seed=5 preset=paper link_bps={400 * G} ai_bps=1000003 "
     "g_q20=65536 byte_counter_bytes=0",
     [mix(20, 1, 0, 0, 1 * US), mix(40, 0, 0, 1, 300 * MS)] * 2),
    # Restarts after losses, and changes of the line rate.
    (f"t06 dcqcn_timed seed=6 preset=nvidia link_bps={100 * G} restart_bps={1 * G} "
     f"release_bps=0 g_q20=65536 ai_bps={G // 10} hai_bps={1 * G} alpha_timer_ns=50000",
     [mix(10000, 1, 4, 4, 400 * US, 32767000, restart=1, relink=1,
          lines=f"{10 * G}/{25 * G}/{200 * G}")]),
    # alpha is soon 0, and all timers are stopped until the next CNP.
    (f"t08 dcqcn_timed seed=8 preset=nvidia link_bps={100 * G} g_q20=65536",
     [mix(500, 1, 2, 2, 600 * US, 32767000), mix(500, 1, 1, 1, 30 * MS)]),
    # A clock that jumps to any time within a second.
    (f"t07 dcqcn_timed seed=7 preset=paper link_bps={40 * G} g_q20=65536",
     ["400: cnp*1 now_ns=0..1000000000 | sent*2 bytes=0..9000000 "
      "now_ns=0..1000000000 | advance*2 now_ns=0..1000000000"]),
]

if __name__ == "__main__":
    main("dcqcn_timed", DcqcnTimed, TRACES)
