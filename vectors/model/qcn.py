# SPDX-License-Identifier: BSD-2-Clause
"""
QCN's congestion point and reaction point by the rules of algo/qcn.h, in integers and
Fractions. The model rounds where a rule does, so its results must match to the bit.
"""
from fractions import Fraction
from math import floor as down

from trace import main


def loaded(length, random, jitter=True):
    """Returns the value to load into a counter or timer, its length or 0.85 to 1.15 of it."""
    if not jitter:
        return length
    least, span = down(Fraction(85 * length, 100)), down(Fraction(30 * length, 100))
    return least + down(Fraction(span * random, 2**32))


# The congestion point ---------------------------------------------------------------


def mib(_line):
    return dict(set_point_bytes=26_000, weight_q10=2048, sample_base_bytes=150_000,
                emit_zero_fb=0, skip_dropped=0)


def mlxreg(_line):
    return {**mib(0), "set_point_bytes": 26_048, "sample_base_bytes": 150_016}


class CongestionPoint:
    SPACING = {0: 150_000, 1: 75_000, 2: 50_000, 3: 37_500,
               4: 30_000, 5: 25_000, 6: 21_500, 7: 18_500}

    def __init__(self, params):
        for name, value in params.items():
            setattr(self, name, value)
        self.w = Fraction(self.weight_q10, 1024)
        self.qlen_old = 0
        self.enqued = self.new_sample_base(0, 2**31)
        self.cnms = 0

    def new_sample_base(self, qntz_fb, random):
        scaled = Fraction(self.SPACING[qntz_fb // 8] * self.sample_base_bytes, 150_000)
        return loaded(down(scaled), random)

    def quantised(self, fb):
        fb_max = self.set_point_bytes * (2 * self.w + 1)
        if fb >= 0:
            return 0
        if -fb >= fb_max:
            return 63
        return down(-fb * 63 / fb_max)

    @staticmethod
    def on_the_wire(octets):
        """Returns units of 64 octets, rounded towards 0 and limited to 16 bits with a sign."""
        units = octets // 64 if octets >= 0 else -(-octets // 64)
        return max(-2**15, min(2**15 - 1, units))

    def frame(self, frame_bytes=0, queue_bytes=0, random=0, dropped=0):
        said = dict(sampled=False, cnm=False, qntz_fb=0, q_offset=0, q_delta=0)
        if dropped and self.skip_dropped:
            return said
        self.enqued -= frame_bytes
        if self.enqued >= 0:
            return said
        offset, delta = self.set_point_bytes - queue_bytes, queue_bytes - self.qlen_old
        fb = offset - self.w * delta
        qntz_fb = self.quantised(fb)
        self.qlen_old = queue_bytes
        cnm = qntz_fb > 0 or (bool(self.emit_zero_fb) and fb < 0)
        self.cnms += cnm
        self.enqued = self.new_sample_base(qntz_fb, random)
        return dict(sampled=True, cnm=cnm, qntz_fb=qntz_fb,
                    q_offset=self.on_the_wire(offset), q_delta=self.on_the_wire(delta))

    def state(self):
        return dict(left_bytes=self.enqued, old_bytes=self.qlen_old,
                    transmitted_cnms=self.cnms)


# The reaction point -----------------------------------------------------------------


def qau(line):
    return dict(max_bps=line, min_bps=min(5_000_000, line), ai_bps=5_000_000,
                hai_bps=50_000_000, time_reset_ns=15_000_000, byte_reset_bytes=150_000,
                threshold=5, gd_exp=7, min_dec_percent=50, enable=1,
                clamp_target="byte_only", halve_in="active", active_byte=0, jitter=0,
                release_needs_empty=0)


def ns3(line):
    return {**qau(line), "halve_in": "hyper", "active_byte": 1}


class ReactionPoint:
    def __init__(self, params):
        for name, value in params.items():
            setattr(self, name, value)
        self.idle()

    def idle(self):
        self.enabled = False
        self.t = self.c = self.max_bps
        self.byte_count = self.byte_stage = self.time_stage = 0
        self.rpr = "fast_recovery"

    # Events

    def cnm(self, qntz_fb=0, random=0):
        self.begin()
        if qntz_fb == 0 or not self.enable:
            return self.end()
        reset = loaded(self.byte_reset_bytes, random, self.jitter)
        if not self.enabled:
            self.idle()
            self.byte_count = reset
            self.enabled = self.created = True
        behind = {"byte_only": self.byte_stage > 0,
                  "any_stage": self.byte_stage + self.time_stage > 0,
                  "always": True}
        if behind[self.clamp_target]:
            self.t = self.c
            self.byte_count = reset
        self.byte_stage = self.time_stage = 0
        less = self.c - down(Fraction(self.c * min(qntz_fb, 63), 2**self.gd_exp))
        floor_of_cut = down(Fraction(self.c * self.min_dec_percent, 100))
        self.c = max(self.min_bps, less, floor_of_cut)
        self.rp_while = loaded(self.time_reset_ns, random, self.jitter)
        self.rpr = "fast_recovery"
        self.was_cut = True
        return self.end()

    def sent(self, bytes=0, host="-", random=0):
        self.begin()
        if self.enabled:
            self.byte_count -= bytes
            if self.byte_count < 0:
                self.byte_stage = min(255, self.byte_stage + 1)
                self.byte_count = self.cycle(self.byte_stage, self.byte_reset_bytes, random)
                if self.rpr == "active_increase" and self.active_byte:
                    self.adjust(self.ai_bps, host)
                else:
                    self.select(host)
        return self.end()

    def timer(self, host="-", random=0):
        self.begin()
        if self.enabled:
            self.time_stage = min(255, self.time_stage + 1)
            self.rp_while = self.cycle(self.time_stage, self.time_reset_ns, random)
            self.select(host)
        return self.end()

    # Actions

    def cycle(self, stage, reset, random):
        if self.halve_in == "hyper":
            half = self.rpr == "hyper_increase"
        else:
            half = stage >= self.threshold
        return loaded(reset // 2 if half else reset, random, self.jitter)

    def select(self, host):
        reached = [n >= self.threshold for n in (self.byte_stage, self.time_stage)]
        if not any(reached):
            self.rpr = "fast_recovery"
            self.adjust(0, host)
        elif all(reached):
            self.rpr = "hyper_increase"
            more = min(self.byte_stage, self.time_stage) - self.threshold + 1
            self.adjust(more * self.hai_bps, host)
        else:
            self.rpr = "active_increase"
            self.adjust(self.ai_bps, host)

    def adjust(self, increase, host):
        if "frozen" in host:
            return
        if 1 in (self.byte_stage, self.time_stage) and self.t > 10 * self.c:
            self.t = self.t // 8
        else:
            self.t = self.t + increase
        self.t = min(self.t, self.max_bps)
        self.c = min(down(Fraction(self.t + self.c, 2)), self.max_bps)
        near = 2 * (self.max_bps - self.c) <= self.ai_bps
        if self.t == self.max_bps and near and (
                "empty" in host or not self.release_needs_empty):
            self.idle()
            self.rp_while = 0
            self.was_released = True

    # Results

    def begin(self):
        self.rp_while = 0
        self.created = self.was_cut = self.was_released = False

    def end(self):
        return dict(rate_bps=self.c, timer_ns=self.rp_while, created=self.created,
                    cut=self.was_cut, released=self.was_released)

    def state(self):
        return dict(rate_bps=self.c, target_bps=self.t, left_bytes=self.byte_count,
                    byte_stage=self.byte_stage, time_stage=self.time_stage,
                    state=self.rpr, enabled=self.enabled)


class Qcn:
    """The congestion point or the reaction point, depending on the parameters."""

    PRESETS = {"mib": mib, "mlxreg": mlxreg, "qau": qau, "ns3": ns3}

    def __new__(cls, params):
        return (CongestionPoint if "set_point_bytes" in params else ReactionPoint)(params)


# Traces -----------------------------------------------------------------------------

ANY, MIDDLE = "random=0..4294967295", "random=2147483648"


def offered(events, frames, *queues, dropped="0", random=ANY):
    """Returns a phase. Its frames have `frames` octets, and find a queue length in one of the
    ranges `queues`."""
    kinds = [f"frame frame_bytes={frames} queue_bytes={q} {random} dropped={dropped}"
             for q in queues]
    return f"{events}: " + " | ".join(kinds)


def mix(events, cnm, sent, timer, octets="64..9000", fb="1..63", host="-"):
    """Returns a phase from the weights of its events. `octets` is the number of octets in a sent
    event, `fb` is QntzFb, and `host` is what the host reports."""
    kinds = [f"cnm*{cnm} qntz_fb={fb} {ANY}",
             f"sent*{sent} bytes={octets} host={host} {ANY}",
             f"timer*{timer} host={host} {ANY}"]
    return f"{events}: " + " | ".join(k for k, n in zip(kinds, (cnm, sent, timer)) if n)


def cnms(n, fb):
    return f"{n}: cnm qntz_fb={fb} {MIDDLE}"


def bytes_expire(n):
    return f"{n}: sent bytes=150001 host=- {MIDDLE}"


def timers_expire(n):
    return f"{n}: timer host=- {MIDDLE}"


HOST = "-/frozen/empty/frozen+empty"

TRACES = [
    ("c01 qcn_cp seed=1 preset=mib",
     [offered(5000, "64..9000", "0..156000", "20000..40000", "25900..29000")]),
    ("c02 qcn_cp seed=2 preset=mlxreg",
     [offered(5000, "1500..9000", "+0..3000%200000")]),
    ("c03 qcn_cp seed=3 preset=mib sample_base_bytes=10000",
     [offered(5000, "64..9000", "20000..30000", "0..150000", "0..4294967295")]),
    ("c04 qcn_cp seed=4 preset=mib weight_q10=1 emit_zero_fb=1 sample_base_bytes=10001",
     [offered(4000, "64..12000", "26000..28000", "0..100000"),
      offered(1000, "0..4294967295", "0..4294967295")]),
    ("c05 qcn_cp seed=5 preset=mib weight_q10=1048576 set_point_bytes=4294967295 "
     "sample_base_bytes=4294967295",
     [offered(5000, "1000000000..4294967295", "0..4294967295", "4294960000..4294967295")]),
    ("c06 qcn_cp seed=6 preset=mib weight_q10=512 set_point_bytes=100 "
     "sample_base_bytes=99999 skip_dropped=1",
     [offered(5000, "64..9000", "0..300", "90..110", "0..5000", dropped="0/1")]),
    ("c07 qcn_cp seed=7 preset=mlxreg weight_q10=1024 emit_zero_fb=1",
     [offered(5000, "9000..160000", "26000..27000", "0..100000", dropped="0/0/0/1")]),
    ("c08 qcn_cp seed=8 preset=mib weight_q10=64 sample_base_bytes=12345",
     [offered(5000, "64..9000", "+0..700%60000", "0..60000")]),
    # Without jitter, cpEnqued can become exactly 0. This does not cause a sample.
    ("c09 qcn_cp seed=9 preset=mib",
     [offered(2000, "500/1000/1500", "26000..26500", "0..156000", random=MIDDLE)]),
    ("r01 qcn seed=101 preset=qau link_bps=10000000000",
     [cnms(1, 63), bytes_expire(1), cnms(1, 63), bytes_expire(6), timers_expire(5),
      bytes_expire(1), timers_expire(2), cnms(1, 26)]),
    ("r02 qcn seed=102 preset=qau link_bps=10000000000",
     [cnms(12, 63), bytes_expire(2), mix(1986, 1, 60, 6), mix(1000, 0, 40, 6),
      mix(2000, 3, 60, 6)]),
    ("r03 qcn seed=103 preset=qau link_bps=100000000000",
     [mix(2000, 1, 40, 2), mix(4000, 1, 400, 40, octets="64..60000")]),
    ("r04 qcn seed=104 preset=ns3 link_bps=40000000000",
     [mix(3000, 1, 60, 10, octets="1500..60000"),
      mix(3000, 1, 90, 90, octets="30000..200000")]),
    ("r05 qcn seed=105 preset=qau link_bps=8796093022207 hai_bps=8796093022207 "
     "threshold=255 byte_reset_bytes=1000 release_needs_empty=1",
     [mix(5000, 1, 900, 900)]),
    ("r06 qcn seed=106 preset=qau link_bps=25000000000 threshold=0 "
     "clamp_target=any_stage jitter=1",
     [mix(3000, 4, 60, 10, host=HOST),
      mix(3000, 1, 60, 20, octets="0..160000", host=HOST)]),
    ("r07 qcn seed=107 preset=qau link_bps=40000000000 clamp_target=always gd_exp=5 "
     "min_dec_percent=37 release_needs_empty=1",
     [mix(3000, 2, 60, 10, fb="0..255", host="-/-/-/empty"),
      mix(3000, 1, 200, 60, octets="0..160000", host="-/-/-/empty")]),
    ("r08 qcn seed=108 preset=ns3 link_bps=10000000000 jitter=1 threshold=3 "
     "clamp_target=always ai_bps=2 hai_bps=1000001",
     [mix(3000, 1, 60, 30, octets="1000..90000"),
      mix(3000, 1, 300, 200, octets="1000..200000", host=HOST)]),
    ("r09 qcn seed=109 preset=qau link_bps=1600000000000 gd_exp=0 min_dec_percent=100 "
     "byte_reset_bytes=2147483647 time_reset_ns=2147483647 jitter=1",
     [mix(6000, 1, 40, 20, octets="0..4294967295")]),
    ("r10 qcn seed=110 preset=qau link_bps=200000000000 gd_exp=63 min_dec_percent=1 "
     "byte_reset_bytes=1 time_reset_ns=1000 ai_bps=1000000000",
     [mix(5000, 1, 40, 20, octets="0..3")]),
    ("r11 qcn seed=111 preset=qau link_bps=100000000000 gd_exp=3 min_dec_percent=1 "
     "min_bps=1 halve_in=hyper",
     [mix(3000, 1, 30, 20, octets="0..160000"),
      mix(3000, 1, 60, 60, octets="0..160000", fb="1..9", host="-/-/frozen")]),
    ("r12 qcn seed=112 preset=qau link_bps=4000000 enable=0",
     [mix(1000, 1, 1, 1)]),
    ("r13 qcn seed=113 preset=ns3 link_bps=3 min_bps=1 gd_exp=6 active_byte=0",
     [mix(4000, 1, 8, 8, octets="0..200000")]),
    ("r14 qcn seed=114 preset=qau link_bps=400000000000 active_byte=1 "
     "clamp_target=any_stage hai_bps=500000000",
     [mix(4000, 1, 20, 20, octets="10000..200000", fb="0..255"),
      mix(4000, 1, 200, 60, octets="10000..200000", host=HOST)]),
    ("r15 qcn seed=115 preset=qau link_bps=50000000000 jitter=1",
     [mix(4000, 1, 100, 10, octets="1000..20000", fb="1..20"),
      mix(4000, 1, 10, 20, octets="1000..200000", fb="40..63")]),
]

if __name__ == "__main__":
    main("qcn", Qcn, TRACES)
