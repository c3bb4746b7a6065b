# SPDX-License-Identifier: BSD-2-Clause
"""DCQCN's reaction point by rules D-1 to D-35 of algo/dcqcn.h, in real numbers."""
from trace import Exact, TooNear, at_least, main

UNIT = Exact.ratio(1, 2**31)  # unit of the reported alpha
FAINT = UNIT * 16


def q20(numerator, denominator):
    return numerator * 2**20 // denominator


def paper(line):
    return dict(
        g_q20=q20(1, 256), alpha_timer_ns=55_000, alpha_init_q20=q20(1, 1),
        cut_interval_ns=0, cut_shift=1, min_dec_q20=0,
        min_bps=min(100_000_000, line), line_bps=line,
        fast_recovery_stages=5, increase_timer_ns=55_000, byte_counter_bytes=10_000_000,
        ai_bps=40_000_000, hai_bps=400_000_000,
        clamp_target=1, clamp_target_after_time=0, first_cnp_bps=0, release_bps=0,
        stage_rule="paper", hai_flat=0, alpha_first=0, periodic=0, restart_bps=0)


def nvidia(line):
    return dict(
        g_q20=q20(5, 1024), alpha_timer_ns=1_000, alpha_init_q20=q20(1023, 1024),
        cut_interval_ns=4_000, cut_shift=1, min_dec_q20=q20(50, 100),
        min_bps=min(1_000_000, line), line_bps=line,
        fast_recovery_stages=1, increase_timer_ns=300_000,
        byte_counter_bytes=32_767_000, ai_bps=5_000_000, hai_bps=50_000_000,
        clamp_target=0, clamp_target_after_time=1, first_cnp_bps=0, release_bps=line,
        stage_rule="qau", hai_flat=1, alpha_first=0, periodic=1, restart_bps=0)


def ns3_hpcc(line):
    return dict(
        g_q20=q20(1, 256), alpha_timer_ns=1_000, alpha_init_q20=q20(1, 1),
        cut_interval_ns=4_000, cut_shift=1, min_dec_q20=0,
        min_bps=min(1_000_000_000, line), line_bps=line,
        fast_recovery_stages=1, increase_timer_ns=300_000, byte_counter_bytes=0,
        ai_bps=5_000_000 * line // 25_000_000_000,
        hai_bps=50_000_000 * line // 25_000_000_000,
        clamp_target=0, clamp_target_after_time=1, first_cnp_bps=0, release_bps=0,
        stage_rule="ns3", hai_flat=1, alpha_first=0, periodic=1, restart_bps=0)


class Dcqcn:
    PRESETS = {"paper": paper, "nvidia": nvidia, "ns3_hpcc": ns3_hpcc}
    SUMMED = "rate_bps target_bps alpha_q31"

    def __init__(self, params):
        for name, value in params.items():
            setattr(self, name, value)
        self.g = Exact.ratio(self.g_q20, 2**20)
        self.line = Exact(self.line_bps)
        self.powers = [Exact(1)]
        for _ in range(256):
            self.powers.append(self.powers[-1] * (1 - self.g))
        self.inactive()

    # Events ---------------------------------------------------------------------

    def cnp(self):
        self.begin()
        asleep = self.active and self.asleep()
        first, self.active = not self.active, True
        if first:
            self.alpha_0()
        if self.periodic:
            if first or asleep:
                self.armed |= {"alpha", "cut"}
            if first:
                if self.first_cnp_bps:
                    self.rc = Exact(self.first_cnp_bps)
                self.rt = self.rc
                self.alpha_bit, self.cut_bit = False, True
            else:
                self.alpha_bit = self.cut_bit = True
            return self.end()
        if self.alpha_first:
            self.raise_alpha()
        if first and self.first_cnp_bps:
            self.rc = self.rt = Exact(self.first_cnp_bps)
            self.back_to_stage_0()
        elif not self.recent:
            self.cut()
        if not self.alpha_first:
            self.raise_alpha()
        self.armed.add("alpha")
        return self.end()

    def alpha_timer(self):
        self.begin()
        if self.active:
            if self.alpha_bit:
                self.raise_alpha()
            else:
                self.decay()
            self.alpha_bit = False
            self.sleep_or("alpha")
        return self.end()

    def cut_timer(self):
        self.begin()
        self.recent = False
        if self.active and self.periodic:
            if self.cut_bit:
                self.cut_bit = False
                self.cut()
            self.sleep_or("cut")
        return self.end()

    def increase_timer(self):
        self.begin()
        if self.active:
            self.ts = min(255, self.ts + 1)
            self.increase()
            if self.active and not self.at_line():
                self.armed.add("increase")
        return self.end()

    def sent(self, bytes=0):
        self.begin()
        if self.active and self.byte_counter_bytes:
            self.count += bytes
            for _ in range(8):
                if self.count < self.byte_counter_bytes:
                    break
                self.count -= self.byte_counter_bytes
                self.bs = min(255, self.bs + 1)
                self.increase()
                if not self.active:
                    break
            self.count %= self.byte_counter_bytes
        return self.end()

    def relink(self, line_bps=None):
        """Changes the line rate. Without an argument, applies the same line rate again."""
        self.begin()
        if line_bps is not None:
            self.line_bps = line_bps
            self.line = Exact(line_bps)
        if self.active:
            low = Exact(self.min_bps)
            self.rc = min(max(self.rc, low), self.line)
            self.rt = min(max(self.rt, low), self.line)
            self.armed.add("increase")
        else:
            self.inactive()
        return self.end()

    def restart(self):
        self.begin()
        if self.restart_bps and not at_least(self.restart_bps, self.rc, 0, 4):
            if not self.active and not self.asleep():
                self.armed |= {"alpha", "cut"} if self.periodic else {"alpha"}
            self.active = True
            self.rt, self.rc = self.rc, Exact(self.restart_bps)
            self.ts = self.bs = self.count = 0
            self.armed.add("increase")
        return self.end()

    # Actions --------------------------------------------------------------------

    def inactive(self):
        self.rc = self.rt = self.line
        self.ts = self.bs = self.count = 0
        self.active = self.alpha_bit = self.cut_bit = self.recent = False
        self.alpha_0()

    def alpha_0(self):
        self.base = Exact.ratio(self.alpha_init_q20, 2**20)
        self.decays = 0

    def alpha(self):
        return self.base * self.powers[self.decays]

    def raise_alpha(self):
        self.base = self.alpha() * (1 - self.g) + self.g
        self.decays = 0

    def decay(self):
        if self.base == 0:
            return
        self.decays += 1
        if self.decays == 256:
            kept = self.powers[256]
            sure = (self.base + FAINT) * kept < UNIT / 4  # certain despite rounding
            self.base = Exact(0) if sure else self.base * kept
            self.decays = 0
            if self.base != 0 and self.base < FAINT * kept + UNIT * 2:
                self.faint()

    def faint(self):
        """Raises TooNear, because rounding decides in which block such a small alpha becomes
        0."""
        raise TooNear(f"alpha is {float(self.base)}")

    def back_to_stage_0(self):
        self.ts = self.bs = self.count = 0
        self.armed.add("increase")
        if not self.periodic and self.cut_interval_ns > 0:
            self.recent = True
            self.armed.add("cut")

    def cut(self):
        if self.clamp_target or self.bs or (self.clamp_target_after_time and self.ts):
            self.rt = self.rc
        alpha = self.alpha()
        part = min(Exact(1), alpha * 2**(1 - self.cut_shift) / 2)
        self.rc = max(Exact(self.min_bps), self.rc * (1 - part),
                      self.rc * Exact.ratio(self.min_dec_q20, 2**20))
        self.back_to_stage_0()
        self.was_cut = True

    def stage(self):
        """Returns None in fast recovery, 0 in additive increase, or step i of hyper increase."""
        f, hi, lo = self.fast_recovery_stages, max(self.ts, self.bs), min(self.ts, self.bs)
        if self.stage_rule == "paper":
            return None if hi <= f else lo - f if lo > f else 0
        if self.stage_rule == "figure":
            return None if hi < f else lo - f if lo > f else 0
        if self.stage_rule == "qau":
            return None if hi < f else lo - f + 1 if lo >= f else 0
        return None if self.ts <= f else self.ts - f - 1 if self.ts > f + 1 else 0

    def increase(self):
        i = self.stage()
        if i is not None:
            step = self.hai_bps * (1 if self.hai_flat else i) if i else self.ai_bps
            self.rt = min(self.line, self.rt + step)
        self.rc = min(self.line, (self.rt + self.rc) / 2)
        if self.release_bps == self.line_bps:
            released = self.is_line(self.rc)
        else:
            released = self.release_bps and at_least(self.rc, self.release_bps, 1e-6)
        if released:
            self.inactive()
            self.stopped = {"alpha", "cut", "increase"}
            self.was_released = True
        elif self.at_line():
            self.stopped = {"increase"}

    def is_line(self, rate):
        """Returns true if a rate is less than 1 bit/s below line rate. The library's rates are
        whole numbers, so such a rate is line rate."""
        missing = float(self.line - rate)
        if abs(missing - 1) < 1e-4:
            raise TooNear(f"{missing} below line")
        return missing < 1

    def at_line(self):
        return self.is_line(self.rt) and self.is_line(self.rc)

    def asleep(self):
        """Returns true if alpha is 0, as decay() determines it, and no CNP is noted."""
        return self.base == 0 and not self.alpha_bit and not self.cut_bit

    def sleep_or(self, timer):
        if self.asleep():
            self.stopped = {"alpha", "cut"} if self.periodic else {"alpha"}
        else:
            self.armed.add(timer)

    # Results --------------------------------------------------------------------

    def begin(self):
        self.armed, self.stopped = set(), set()
        self.was_cut = self.was_released = False

    @staticmethod
    def names(of, order):
        return "+".join(n for n in order if n in of) or "-"

    def end(self):
        timers = ("alpha", "cut", "increase")
        return {"rate_bps": self.rc, "arm": self.names(self.armed, timers),
                "stop": self.names(self.stopped, timers), "cut": self.was_cut,
                "released": self.was_released}

    def state(self):
        flags = {n for n, bit in (("active", self.active), ("alpha", self.alpha_bit),
                                  ("cut", self.cut_bit), ("recent", self.recent)) if bit}
        return {"rate_bps": self.rc, "target_bps": self.rt,
                "alpha_q31": self.base / UNIT, "sent_bytes": self.count,
                "time_stages": self.ts, "byte_stages": self.bs, "decays": self.decays,
                "flags": self.names(flags, ("active", "alpha", "cut", "recent"))}


def mix(events, cnp, alpha, cut, increase, sent, most_bytes, least_bytes=0, restart=0,
        relink=0, lines=""):
    """Returns a phase from the weights of its events. `lines` has the rates of a relink."""
    kinds = [f"cnp*{cnp}", f"alpha_timer*{alpha}", f"cut_timer*{cut}",
             f"increase_timer*{increase}",
             f"sent*{sent} bytes={least_bytes}..{most_bytes}",
             f"restart*{restart}", f"relink*{relink} line_bps={lines}"]
    weights = [cnp, alpha, cut, increase, sent, restart, relink]
    return f"{events}: " + " | ".join(k for k, w in zip(kinds, weights) if w)


G = 10**9
TRACES = [
    # The paper's values, with many CNPs, then few, and then some.
    (f"d01 dcqcn seed=1 preset=paper link_bps={40 * G}",
     [mix(2000, 4, 4, 0, 2, 2, 4000000), mix(3000, 1, 30, 0, 30, 30, 9000000),
      mix(5000, 1, 8, 0, 8, 20, 3000000)]),
    (f"d02 dcqcn seed=2 preset=paper link_bps={1 * G}",
     [mix(5000, 1, 10, 0, 10, 10, 9000000), mix(5000, 8, 1, 0, 1, 1, 9000000)]),
    (f"d03 dcqcn seed=3 preset=paper link_bps={1600 * G}",
     [mix(5000, 1, 9, 0, 20, 40, 12000000), mix(5000, 1, 3, 0, 1, 5, 12000000)]),
    # NVIDIA's values, with noted CNPs, a cut timer, releases at line rate, and first CNPs after
    # releases.
    (f"d04 dcqcn seed=4 preset=nvidia link_bps={100 * G}",
     [mix(4000, 4, 8, 2, 1, 4, 9000000), mix(2000, 1, 40, 10, 60, 10, 9000000),
      mix(4000, 1, 4, 4, 200, 10, 32767000)]),
    (f"d05 dcqcn seed=5 preset=nvidia link_bps={1600 * G}",
     [mix(5000, 2, 40, 10, 10, 40, 4294967295), mix(5000, 1, 4, 1, 40, 40, 32767000)]),
    # HPCC's ns-3 values, with one additive stage and without a byte counter.
    (f"d06 dcqcn seed=6 preset=ns3_hpcc link_bps={25 * G}",
     [mix(5000, 1, 20, 5, 1, 1, 5000), mix(5000, 1, 20, 5, 40, 0, 0)]),
    (f"d07 dcqcn seed=7 preset=ns3_hpcc link_bps={400 * G}",
     [mix(3000, 8, 8, 4, 1, 0, 0), mix(7000, 1, 8, 2, 30, 0, 0)]),
    # alpha starts at 1/2 and rises before a cut, cuts are at least 50 us apart, and the stages are
    # the figure's.
    (f"d08 dcqcn seed=8 preset=paper link_bps={10 * G} stage_rule=figure alpha_first=1 "
     "alpha_init_q20=524288 cut_interval_ns=50000",
     [mix(5000, 4, 4, 2, 4, 4, 9000000), mix(5000, 1, 9, 2, 30, 30, 9000000)]),
    # 802.1Qau's stages, and calls with more than 8 periods of the byte counter.
    (f"d09 dcqcn seed=9 preset=paper link_bps={100 * G} stage_rule=qau "
     "byte_counter_bytes=150000 g_q20=65536",
     [mix(5000, 2, 4, 0, 20, 10, 300000), mix(5000, 2, 4, 0, 8, 4, 4000000)]),
    # A cut by alpha, with floors. The target is clamped only after byte stages.
    (f"d10 dcqcn seed=10 preset=paper link_bps={200 * G} cut_shift=0 min_dec_q20=262144 "
     "clamp_target=0 hai_flat=1 min_bps=5000000",
     [mix(5000, 2, 40, 0, 10, 20, 9000000), mix(5000, 6, 2, 0, 2, 1, 9000000)]),
    # A rate for the first CNP, and a release at 9/10 of line rate.
    (f"d11 dcqcn seed=11 preset=paper link_bps={50 * G} first_cnp_bps={10 * G} "
     f"release_bps={45 * G} cut_interval_ns=100000",
     [mix(10000, 1, 4, 1, 40, 20, 9000000)]),
    # A rate for the first CNP with periodic timers, and a release just below line rate.
    (f"d12 dcqcn seed=12 preset=nvidia link_bps={800 * G} first_cnp_bps={300 * G} "
     f"release_bps={799 * G} hai_bps={1 * G} hai_flat=0 min_dec_q20=0 stage_rule=paper",
     [mix(10000, 1, 6, 3, 40, 40, 32767000)]),
    # A cut interval of 2 ms, and cut timers that are late or repeated.
    (f"d13 dcqcn seed=13 preset=paper link_bps={40 * G} cut_interval_ns=2000000 "
     "clamp_target=0 clamp_target_after_time=1",
     [mix(4000, 2, 3, 1, 2, 2, 9000000),
      mix(3000, 3, 1, 1, 1, 2, 9000000),
      mix(3000, 1, 3, 3, 3, 2, 9000000)]),
    # With g = 1, alpha is soon only 0 or 1, and the timers stop and start.
    (f"d14 dcqcn seed=14 preset=nvidia link_bps={100 * G} g_q20=1048576 release_bps=0",
     [mix(7000, 1, 600, 3, 1, 1, 32767000), mix(3000, 4, 4, 1, 2, 2, 32767000)]),
    (f"d15 dcqcn seed=15 preset=paper link_bps={100 * G} g_q20=1048576 "
     "alpha_init_q20=0 cut_interval_ns=30000",
     [mix(5000, 1, 2, 1, 1, 1, 9000000), mix(5000, 1, 600, 1, 1, 1, 9000000)]),
    # Stages up to 255. In d16, the target is clamped only after byte stages.
    (f"d16 dcqcn seed=16 preset=paper link_bps={1600 * G} fast_recovery_stages=254 "
     "byte_counter_bytes=1000000 clamp_target=0 ai_bps=1 hai_bps=1",
     [mix(9000, 1, 900, 0, 600, 600, 8000000),
      mix(1000, 1, 20, 0, 20, 20, 8000000)]),
    (f"d17 dcqcn seed=17 preset=paper link_bps={1600 * G} fast_recovery_stages=0 "
     "byte_counter_bytes=1000000 ai_bps=1000 hai_bps=1000000",
     [mix(10000, 1, 200, 0, 200, 200, 3000000)]),
    # A small gain, an odd gain, the longest periods and the highest line rate.
    (f"d18 dcqcn seed=18 preset=ns3_hpcc link_bps=8796093022207 g_q20=1024 "
     "alpha_timer_ns=2147483647 cut_interval_ns=2147483647 "
     "increase_timer_ns=2147483647",
     [mix(10000, 1, 8, 4, 8, 0, 0)]),
    (f"d19 dcqcn seed=19 preset=paper link_bps={400 * G} g_q20=5119 min_bps=1000000 "
     "min_dec_q20=900000 cut_interval_ns=1",
     [mix(5000, 30, 30, 20, 1, 1, 100000), mix(5000, 1, 12, 2, 12, 12, 9000000)]),
    # Restarts after losses, and links that change their rate.
    (f"d20 dcqcn seed=20 preset=paper link_bps={400 * G} restart_bps={5 * G}",
     [mix(5000, 1, 8, 0, 20, 20, 9000000, restart=1, relink=1,
          lines=f"{100 * G}/{400 * G}/{40 * G}"),
      mix(5000, 1, 30, 0, 90, 90, 9000000, restart=1, relink=1,
          lines=f"{100 * G}/{400 * G}")]),
    (f"d21 dcqcn seed=21 preset=nvidia link_bps={100 * G} restart_bps={1 * G} "
     f"release_bps={9 * G} ai_bps={G // 10} hai_bps={1 * G}",
     [mix(10000, 1, 20, 5, 30, 30, 32767000, restart=1, relink=1,
          lines=f"{10 * G}/{25 * G}/{200 * G}")]),
    # Cuts by 8 * alpha and by 64 * alpha of the rate. A cut is at most the whole rate, and does not
    # go below the floor.
    (f"d22 dcqcn seed=22 preset=paper link_bps={100 * G} cut_shift=-3 g_q20=65536",
     [mix(5000, 1, 40, 0, 10, 20, 9000000), mix(5000, 2, 60, 0, 20, 20, 9000000)]),
    (f"d23 dcqcn seed=23 preset=nvidia link_bps={400 * G} cut_shift=-6 g_q20=16384 "
     "alpha_init_q20=1024",
     [mix(5000, 1, 60, 9, 10, 20, 9000000), mix(5000, 1, 200, 9, 20, 20, 9000000)]),
]

if __name__ == "__main__":
    main("dcqcn", Dcqcn, TRACES)
