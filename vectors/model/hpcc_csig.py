# SPDX-License-Identifier: BSD-2-Clause
"""
HPCC++ with one CSIG signal per packet. hpcc.py has the code that this model shares with the model
for per-hop telemetry.
"""
from fractions import Fraction

from hpcc import G, LINKS, Window
from trace import main


class HpccCsig(Window):
    def __init__(self, params):
        self.started = False
        super().__init__(params)

    def stored(self):
        return 1 if self.started else 0

    def drop(self):
        self.started = False

    def ack(self, signal=0, value=0, seq=0, snd_nxt=0, now_ns=0, ecn="unknown"):
        empty = False
        verdict = "ignored"
        self.touched = True
        if signal == "utilisation":
            u = min(Fraction(9, 8), Fraction(value, 2**20))
        elif signal in ("delay", "drain"):
            delay = value
            if signal == "delay":
                delay = max(0, delay - self.pd_base_ns)
            empty = delay == 0
            u = min(Fraction(4096), 1 + Fraction(delay, self.T))
        else:
            self.unseen(seq, snd_nxt, ecn)
            return self.action("blind")
        if not self.started:
            self.unseen(seq, snd_nxt, ecn)
            self.started = True
            self.clock = now_ns
            verdict = "started"
        elif not empty and now_ns != self.clock:
            self.settle(u, (now_ns - self.clock) % 2**64)
            self.clock = now_ns
            verdict = self.acknowledged(seq, snd_nxt)
        return self.action(verdict, empty)

    def action(self, verdict, empty=False):
        ask = "delay" if self.congested() and not empty else "utilisation"
        act = super().action(verdict)
        del act["missed"]
        return {**act, "request": ask}


def ack(signal, value, gap, window=128):
    return (f"ack seq=+1..2%4294967296 snd_nxt=@seq+{window}..{window} "
            f"now_ns=+{gap} signal={signal} value={value}")


def mix(events, gap, *kinds):
    return f"{events}: " + " | ".join(ack(s, v, gap) for s, v in kinds) + " | forget"


BUSY = ("utilisation", "900000..1048576")
TRACES = [
    (f"s01 hpcc-csig seed=1 preset=paper link_bps={100 * G}",
     ["5000: " + ack("utilisation", "900000..1048576", "70..90"),
      "5000: " + ack("utilisation", "900000..1048576", "70..90") + " | "
      + ack("drain", "0..900", "70..90")]),
    (f"s02 hpcc-csig seed=2 preset=ns3 link_bps={25 * G}",
     ["10000: " + ack("utilisation", "700000..1048576", "250..400", 8) + " | "
      + ack("delay", "0/0/0/3000", "250..400", 8)]),
    # An idle hop has a delay of 1.2 us.
    (f"s03 hpcc-csig seed=3 preset=paper link_bps={100 * G} pd_base_ns=1200",
     [mix(10000, "70..90", BUSY, ("delay", "1000..1400"), ("drain", "0/1"))]),
    # The first sample, clocks that do not advance, long silences, and packets without a
    # signal.
    (f"s04 hpcc-csig seed=4 preset=paper link_bps={400 * G}",
     [mix(4000, "0..3", BUSY, ("drain", "0..5000")),
      mix(3000, "0..40000", BUSY, ("delay", "0..5000"), ("none", "0..9")),
      mix(3000, "0..4294967295", BUSY, ("delay", "0..50000"))]),
    (f"s05 hpcc-csig seed=5 preset=paper link_bps={1 * G} max_stage=0",
     [mix(10000, "8000..16000", ("utilisation", "0..1048576"), ("drain", "0..400000"))]),
    (f"s06 hpcc-csig seed=6 preset=paper link_bps={1600 * G} max_stage=2",
     [mix(10000, "2..9", ("utilisation", "980000..1048576"), ("drain", "0/0/500"))]),
    # Excessive values, up to U = 4096 and back.
    (f"s07 hpcc-csig seed=7 preset=paper link_bps={100 * G} w_min_bytes=64",
     ["5000: " + ack("utilisation", "0..4294967295", "0..14000") + " | "
      + ack("delay", "0..4294967295", "0..14000"),
      "5000: " + ack("utilisation", "0..1048576", "0..14000")]),
    # An idle path, on which U falls to 0.
    (f"s08 hpcc-csig seed=8 preset=paper link_bps={100 * G} max_stage=0",
     ["5000: " + ack("utilisation", "0", "500..3000"),
      "5000: " + ack("utilisation", "0..2000", "500..14000")]),
    # T of 2 us and of 16.8 ms.
    (f"s09 hpcc-csig seed=9 preset=paper link_bps={200 * G} base_rtt_ns=2000",
     [mix(10000, "30..60", BUSY, ("drain", "0..4294967295"), ("drain", "0..200"))]),
    (f"s10 hpcc-csig seed=10 preset=paper link_bps={200 * G} base_rtt_ns=16777216",
     [mix(10000, "3000..60000", BUSY, ("drain", "0..4294967295"), ("drain", "0..2000000"))]),
    # Sequence numbers that wrap, a snd_nxt that jumps to any value, a small W_AI, and eta = 1.
    (f"s11 hpcc-csig seed=11 preset=paper link_bps={100 * G} w_ai_q8=5 eta_q20=1048576",
     ["10000: ack*9 seq=+1..5000000%4294967296 snd_nxt=+1..5100000%4294967296 "
      "now_ns=+70..90 signal=utilisation/drain value=0..1500000 | "
      "ack seq=+1..50%4294967296 snd_nxt=0..4294967295 now_ns=+70..90 "
      "signal=utilisation value=900000..1048576"]),
    # Packets without a tag, marked or not, changes of the link, and gaps of up to 4 s.
    (f"s12 hpcc-csig seed=12 preset=paper link_bps={100 * G} w_blind_bytes=9000",
     ["10000: " + ack("utilisation", "900000..1300000", "70..90", 9).replace("ack", "ack*40")
      + " | " + ack("none", "0", "70..90", 9).replace("ack", "ack*8")
      + " ecn=unknown/unmarked/unmarked/marked | "
      + ack("drain", "0..900", "70..4000000000", 9) + f" | {LINKS} | forget"]),
    (f"s13 hpcc-csig seed=13 preset=paper link_bps={100 * G} base_rtt_ns=1000 "
     "w_init_bytes=12500 w_max_bytes=12500",
     [mix(3000, "5..15", BUSY, ("drain", "0..200")),
      "3000: " + ack("none", "0", "5..15", 9)]),
    (f"s14 hpcc-csig seed=14 preset=paper link_bps={100 * G} base_rtt_ns={G} "
     f"w_init_bytes={12 * G} w_max_bytes={12 * G} w_ai_q8={2**30} reorder_ns={G}",
     [mix(10000, "1000000..900000000", BUSY, ("drain", "0..2000000000"))]),
]

if __name__ == "__main__":
    main("hpcc-csig", HpccCsig, TRACES)
