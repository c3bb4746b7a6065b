# SPDX-License-Identifier: BSD-2-Clause
"""
HPCC and HPCC++ as the papers define them, with real numbers and 64-bit times, for a flow with
telemetry from each hop. hpcc_csig.py has the flow with one CSIG signal per packet.
"""
from fractions import Fraction

from trace import Exact, TooNear, at_least, main

G = 10**9
NEAR = 1e-6  # rounding may decide a comparison within this relative distance of its threshold
UNIT_W = 2**20
UNIT_U = 2**32
ITEMS = ("id", "rate", "queue", "tx", "ts", "util")


def paper(link_bps):
    bdp = link_bps * 13000 // (8 * G)
    return {"base_rtt_ns": 13000, "eta_q20": 996147, "max_stage": 5,
            "w_ai_q8": bdp * 256 // 2000, "w_init_bytes": bdp, "w_max_bytes": bdp,
            "w_min_bytes": 1, "u_init_q20": 2**20, "max_hops": 5, "ts_mod_ns": 0,
            "tx_mod_bytes": 0, "dt_max_ns": G, "pd_base_ns": 0,
            "fastest_bps": min(4 * link_bps, 2**43 - 1), "reorder_ns": 52000, "tick_max_ns": 0,
            "queue_max_bytes": 32000000, "w_blind_bytes": max(1, bdp // 20)}


def ns3(link_bps):
    p = paper(link_bps)
    scale = max(1, p["w_init_bytes"] // 40625)
    p.update(max_stage=0, ts_mod_ns=2**24, tx_mod_bytes=scale * 2**27, dt_max_ns=5000000)
    return p


def after(a, b):
    """Returns true if the 32-bit serial number `a` comes after `b`."""
    return 0 < (a - b) % 2**32 < 2**31


def usable(p):
    """Returns true if the parameters meet these conditions of init, which checks more."""
    dt = p["dt_max_ns"]
    turns = p["ts_mod_ns"] == 0 or dt + p["reorder_ns"] < p["ts_mod_ns"]
    whole = p["tx_mod_bytes"] == 0 or dt * p["fastest_bps"] < p["tx_mod_bytes"] * 8 * G
    return (turns and whole and p["base_rtt_ns"] <= p["dt_max_ns"] <= G
            and p["tick_max_ns"] <= p["base_rtt_ns"]
            and p["w_min_bytes"] <= p["w_blind_bytes"] <= p["w_init_bytes"]
            and p["w_init_bytes"] <= p["w_max_bytes"]
            and p["w_ai_q8"] < 256 * p["w_max_bytes"]
            and p["w_max_bytes"] * 8 * G < 2**43 * p["base_rtt_ns"])


class Window:
    """The common part of both kinds of flow, with U, W, Wc and the rules for their changes."""

    PRESETS = {"paper": paper, "ns3": ns3}
    sprayed = False  # true if packets alternate between paths
    SUMMED = "window_q20 reference_q20 u_q32 rate_bps window_bytes"

    def __init__(self, params):
        assert usable(params), params
        self.set(params)
        self.W = self.Wc = Exact(self.w_init_bytes)
        self.round_end = None  # an ACK after this number ends the round; None: any ACK does
        self.last_seq = 0
        self.clock = 0
        self.touched = False
        self.unknown()
        self.unseen_rounds = 0
        self.mark = False
        self.rising = False  # all rounds are multiplicative, until one ends with U >= eta

    def set(self, params):
        self.params = params
        for key, value in params.items():
            setattr(self, key, value)
        self.T = self.base_rtt_ns
        self.eta = Exact.ratio(self.eta_q20, 2**20)

    def unknown(self):
        self.U = Exact.ratio(self.u_init_q20, 2**20)
        self.stage = 0

    def settle(self, u, dt):
        """Updates U with the load `u`, a Fraction, which lasted for dt."""
        tau = min(dt, self.T)
        self.U += (Exact.ratio(u.numerator, u.denominator) - self.U) * tau / self.T
        self.U = min(self.U, Exact(4096))

    def compute(self, update, limit=None):
        calm = self.stage >= self.max_stage and not self.sprayed
        scale = self.rising or calm or self.congested()
        w_ai = Exact.ratio(self.w_ai_q8, 256)
        if scale and self.U == 0:
            w = Exact(self.w_max_bytes)
        elif scale:
            w = self.Wc * self.eta / self.U + w_ai
        else:
            w = self.Wc + w_ai
        w = max(Exact(self.w_min_bytes), min(Exact(self.w_max_bytes), w))
        if limit is not None:
            w = min(w, limit)
        if update:
            self.Wc = w
            self.stage = 0 if scale else min(self.stage + 1, self.max_stage)
            if self.congested():
                self.rising = self.mark = False
        self.W = w

    def congested(self):
        return at_least(self.U, self.eta, NEAR)

    def round_ends(self, seq):
        return self.round_end is None or after(seq, self.round_end)

    def blind_limit(self, ends, ecn):
        """Notes a mark, and counts the round if it ends. Returns the limit of W after a report that
        does not show the whole path (H-35, H-36). Also returns true if W and Wc move to this limit
        when no hop was measured."""
        w = min(self.W, self.Wc)
        self.mark = self.mark or ecn == "marked"
        if not ends:
            return w, False
        self.unseen_rounds = min(255, self.unseen_rounds + 1)
        if self.mark:
            self.mark, self.rising = False, True
            return max(w / 2, Exact(self.w_min_bytes)), True
        if self.unseen_rounds == 1:
            return w, False
        self.rising = True
        top = Exact(self.w_init_bytes if ecn == "unmarked" else self.w_blind_bytes)
        if w > top:
            return max(w / 2, top), True
        return min(w + Exact.ratio(self.w_ai_q8, 256), top), True

    def unseen(self, seq, snd_nxt, ecn):
        ends = self.round_ends(seq)
        limit, moves = self.blind_limit(ends, ecn)
        if ends:
            self.round_end = self.last_seq = snd_nxt
        if moves:
            self.W = self.Wc = limit

    def acknowledged(self, seq, snd_nxt, whole=True, ecn="unknown"):
        update = self.round_ends(seq)
        limit = None
        if whole:
            self.unseen_rounds, self.mark = 0, False
        else:
            limit = self.blind_limit(update, ecn)[0]
        self.compute(update, limit)
        if update:
            self.round_end = self.last_seq = snd_nxt
        return "updated" if update else "reacted"

    def forget(self):
        self.unknown()
        self.drop()
        self.round_end = None
        self.unseen_rounds, self.mark = 0, False
        return self.action("ignored")

    def relink(self, **link):
        params = {**self.params, **link}
        if usable(params):
            self.set(params)
        if not self.touched:
            self.W = self.Wc = Exact(self.w_init_bytes)
        low, high = Exact(self.w_min_bytes), Exact(self.w_max_bytes)
        self.W = max(low, min(high, self.W))
        self.Wc = max(low, min(high, self.Wc))
        self.rising = True
        return self.forget()

    def action(self, verdict, missed=0):
        # A whole number of bytes in flight is below W if it is below W rounded up.
        whole = int(self.W)
        return {"rate_bps": self.W * 8 * G / self.T,
                "window_bytes": whole if self.W == whole else whole + 1,
                "verdict": verdict, "missed": missed}

    def state(self):
        return {"window_q20": self.W * UNIT_W, "reference_q20": self.Wc * UNIT_W,
                "u_q32": self.U * UNIT_U, "update_seq": self.last_seq,
                "changed_ns": self.clock, "stage": self.stage, "hops": self.stored(),
                "blind": self.unseen_rounds, "flags": self.flags()}

    def path_flags(self):
        return {}

    def flags(self):
        named = {"marked": self.mark, "rising": self.rising,
                 "untouched": not self.touched, **self.path_flags()}
        return "+".join(n for n, is_set in named.items() if is_set) or "-"


class Hop:
    """One record. An item that was not reported is None."""

    def __init__(self, i, args):
        valid = args.get(f"hop_{i}_valid", "-").split("+")
        names = {"id": "id", "rate": "rate_bps", "queue": "queue_bytes", "tx": "tx_bytes",
                 "ts": "ts_ns", "util": "util_q20"}
        for item, name in names.items():
            value = args.get(f"hop_{i}_{name}", 0)
            setattr(self, item, value if item in valid else None)


class Hpcc(Window):
    def __init__(self, params):
        self.trust([])
        super().__init__(params)

    def trust(self, hops):
        """Sets L to the hops, and trusts their clocks and counters."""
        self.L = hops
        self.jumps = [False] * len(hops)
        self.gained = [0] * len(hops)  # ns by which each clock gained on the host's
        self.host_timed = self.odd = self.had_its_round = self.sprayed = False

    def stored(self):
        return len(self.L)

    def path_flags(self):
        return {"host_timed": self.host_timed, "clock_odd": self.odd,
                "next_path": self.had_its_round, "sprayed": self.sprayed}

    def drop(self):
        self.trust([])

    def ticks(self, hop, old):
        """Returns the ns that a clock advanced, modulo ts_mod_ns. The modulus is 2^32 if ts_mod_ns
        is 0 or at least 2^32."""
        bits = 2**32
        turn = self.ts_mod_ns if 0 < self.ts_mod_ns < bits else bits
        return (hop.ts % bits - old.ts % bits) % turn

    def stands(self, hops):
        return any(None not in (hop.ts, old.ts, hop.tx, old.tx) and hop.util is None
                   and (hop.ts - old.ts) % 2**32 == 0 for hop, old in zip(hops, self.L))

    def passes_by(self, hops, passed):
        """Returns true if a report must wait or is old, so that it is not measured."""
        if self.host_timed:
            waits = passed < self.T
        else:
            waits = self.stands(hops) and passed <= (self.tick_max_ns or self.T // 8)
        return waits or self.old(hops[0], passed)

    def usable_rate(self, hop):
        return hop.rate is not None and (
            512 * 8 * G <= hop.rate * self.T < 2**43 * self.T)

    def old(self, hop, passed):
        """Returns true if the first hop shows that the report repeats L or is older."""
        old = self.L[0]
        if hop.util is not None or None in (hop.rate, hop.tx, old.rate, old.tx):
            return False
        modulus = self.tx_mod_bytes or 2**64
        behind = (old.tx - hop.tx) % modulus
        if behind > (hop.tx - old.tx) % modulus:
            return False
        if behind == 0:
            return None in (hop.ts, old.ts) or (hop.ts - old.ts) % 2**32 == 0
        if not self.usable_rate(hop) or passed > self.reorder_ns:
            return False
        per_ns = Fraction(hop.rate, 8 * G)
        longest = per_ns * self.reorder_ns * 9 / 8 + per_ns * self.T
        behind = min(behind, 2**40 - 1)
        if abs(float(behind / longest) - 1) < NEAR:
            raise TooNear(f"late by {behind}, {float(longest)}")
        return behind <= longest

    def since(self, i, hop, passed, kept):
        """Returns dt of a hop with a clock and a counter, and notes a useless clock (H-32, H-41).
        Usually, dt is the clock's advance. It is `passed`, but at least 1, if the clock is
        useless or has not moved, or if the host's clock is in use."""
        old = self.L[i]
        dt = self.ticks(hop, old)
        sent = hop.tx != old.tx
        span = min(self.dt_max_ns, passed + passed // 8 + self.reorder_ns)
        useless = dt > span or (dt == 0 and sent)
        self.doubt = self.doubt or useless
        if kept:
            self.odd_now = self.odd_now or useless
            if dt <= span:
                self.gained[i] += dt - passed
        if useless or dt == 0 or self.host_timed:
            return max(1, passed)
        return dt

    def load(self, i, hop, passed, kept):
        """Returns (load, keep). The load is (u', dt), or None if the hop is not measured. If keep
        is false, its record must not replace the record in L, and the hop does not count as
        missed."""
        old = self.L[i]
        if hop.rate is not None and not self.usable_rate(hop):
            return None, True
        per_ns = None if hop.rate is None else Fraction(hop.rate, 8 * G)
        queues = [q for q in (hop.queue, old.queue) if q is not None]
        counted = (hop.util is None and per_ns is not None
                   and hop.tx is not None and old.tx is not None)
        queued = queues and per_ns is not None
        if not counted and not queued and hop.util is None:
            return None, True
        dt = passed
        terms = []
        jumped = False
        dtx = 0
        if counted:
            modulus = self.tx_mod_bytes or 2**64
            dtx = min((hop.tx - old.tx) % modulus, 2**40 - 1)
            if hop.ts is not None and old.ts is not None:
                dt = self.since(i, hop, passed, kept)
        if dt == 0:
            return None, False
        if queued:
            stands = min(min(queues), self.queue_max_bytes)
            terms.append(min(Fraction(4096), stands / (per_ns * self.T)))
        if hop.util is not None:
            dt = min(dt, self.T)
            terms.append(min(Fraction(9, 8), Fraction(hop.util, 2**20)))
            terms = [min(Fraction(4096), sum(terms))]
        elif counted:
            most = per_ns * dt * 9 / 8 + per_ns * self.T
            if abs(float(dtx / most) - 1) < NEAR:
                raise TooNear(f"a jump of {dtx}, {float(most)}")
            jumped = dtx > most
            terms.append(Fraction(9, 8) if jumped else dtx / (per_ns * dt))
        else:
            terms = [min(Fraction(4096), sum(terms) + Fraction(self.eta_q20 * 3, 2**22))]
        first = jumped and (self.doubt or not self.jumps[i])
        if kept:
            self.jumps[i] = jumped
        return (None if first else (sum(terms), dt)), True

    def measure(self, hops, passed, kept=True):
        """Updates U with the largest u', if a hop was measured. Returns the number of measured hops
        and the number of missed hops."""
        worst = None
        measured = missed = 0
        self.odd_now = False
        self.doubt = self.host_timed  # whether a clock of the path is unusable
        for i, hop in enumerate(hops):
            load, keep = self.load(i, hop, passed, kept)
            if kept and keep:
                self.L[i] = hop
            if load is None:
                missed += keep
                continue
            measured += 1
            if worst is None:
                worst = load
                continue
            taus = min(load[1], self.T), min(worst[1], self.T)
            near = abs(float(load[0] - worst[0])) <= NEAR * float(load[0])
            if near and load[0] != 0 and taus[0] != taus[1]:
                raise TooNear(f"hop {i}: {float(load[0])}, {float(worst[0])}")
            if load[0] > worst[0]:
                worst = load
        if self.odd_now:
            self.host_timed = self.odd = True
        if worst is None:
            return 0, missed
        self.settle(*worst)
        return measured, missed

    def judge_clocks(self):
        """Ends a round. Decides whether the next round uses the host's clock (H-41). Lets the next
        round be on another path (H-42). Ends spraying after a second round on one path (H-43)."""
        most = self.reorder_ns // 2 if self.host_timed else self.reorder_ns
        kept = self.reorder_ns + self.T
        for i, gained in enumerate(self.gained):
            gained = max(-kept, min(kept, gained))
            self.odd = self.odd or abs(gained) > most
            self.gained[i] = gained - max(-(self.T // 8), min(self.T // 8, gained))
        self.host_timed, self.odd = self.odd, False
        if self.had_its_round:  # a second round on this path
            self.sprayed = False
        self.had_its_round = True

    def records(self, args):
        n = args.get("n_hops", 0)
        return [Hop(i, args) for i in range(n)] if n <= self.max_hops else []

    def along(self, hops):
        return all(hop.id == old.id for hop, old in zip(hops, self.L))

    def ack(self, seq=0, snd_nxt=0, now_ns=0, ecn="unknown", incomplete=0, n_hops=0,
            **args):
        hops = self.records({"n_hops": n_hops, **args})
        self.touched = True
        passed = (now_ns - self.clock) % 2**64
        as_many = hops and len(hops) == len(self.L)
        if as_many and passed <= self.dt_max_ns and self.along(hops):
            if self.host_timed and self.stands(hops):
                self.odd = True
            measured = missed = 0
            if not self.passes_by(hops, passed):
                measured, missed = self.measure(hops, passed)
            if measured:
                self.clock = now_ns
                verdict = self.acknowledged(seq, snd_nxt, missed == 0 and not incomplete,
                                            ecn)
                if verdict == "updated":
                    self.judge_clocks()
                return self.action(verdict, missed)
            if missed:
                self.unseen(seq, snd_nxt, ecn)
                self.clock = now_ns
                return self.action("blind", len(hops))
            self.mark = self.mark or ecn == "marked"
            return self.action("ignored")
        sprayed = as_many and passed <= self.reorder_ns
        if sprayed:
            if not self.had_its_round:
                return self.action("other_path", len(hops))
        else:
            self.unseen(seq, snd_nxt, ecn)
            if not hops:
                return self.action("blind", min(255, 2**32 - 1 if n_hops > 8 else n_hops))
            self.unknown()
        self.trust(hops)
        self.sprayed = bool(sprayed)
        self.clock = now_ns
        return self.action("started", len(hops))

    def fastcnp(self, now_ns=0, ecn="unknown", **args):
        hops = self.records(args)
        passed = (now_ns - self.clock) % 2**64
        measured = missed = 0
        if (1 <= len(hops) <= len(self.L) and self.along(hops)
                and passed <= self.dt_max_ns and not self.passes_by(hops, passed)):
            measured, missed = self.measure(hops, passed, kept=False)
        if measured == 0:
            self.mark = self.mark or ecn == "marked"
            return self.action("ignored", missed)
        self.compute(False, self.blind_limit(False, ecn)[0] if missed else None)
        return self.action("reacted", missed)


ALL = "id+rate+queue+tx+ts"


def hops(rates, dt, dtx, queue, valid=ALL, ts_mod=0, tx_mod=0, ids=None, util=None):
    """Returns the keys of the hops. dt, dtx, queue and valid are one value for all hops, or a list
    with one value per hop."""
    out = [f"n_hops={len(rates)}"]
    each = [x if isinstance(x, list) else [x] * len(rates)
            for x in (dt, dtx, queue, valid)]
    for i, rate in enumerate(rates):
        key = f"hop[{i}]."
        out += [f"{key}id={ids[i] if ids else 1000 + i}", f"{key}rate_bps={rate}",
                f"{key}ts_ns=+{each[0][i]}" + (f"%{ts_mod}" if ts_mod else ""),
                f"{key}tx_bytes=+{each[1][i]}" + (f"%{tx_mod}" if tx_mod else ""),
                f"{key}queue_bytes={each[2][i]}", f"{key}valid={each[3][i]}"]
        if util:
            out.append(f"{key}util_q20={util}")
    return " ".join(out)


def ack(gap, *args, window=128, wobble=0, **named):
    """Returns the keys of an ACK. Its sequence numbers count packets."""
    clock = f"now_ns=+{gap}"
    return (f"seq=+1..2%4294967296 snd_nxt=@seq+{window}..{window + wobble} {clock} "
            + hops(*args, **named))


SEQ = "seq=+1..2%4294967296"
LINKS = ("relink w_init_bytes=162500/81250/650000 w_max_bytes=650000/800000 "
         "base_rtt_ns=13000/13000/26000 w_blind_bytes=9000/20000/100000000")


# With these rates, hops with different dt hardly ever tie.
CORE = [97 * G, 389 * G, 397 * G, 401 * G, 101 * G]
STEP = (CORE[:2], "100000..20000000", "1000000..90000000", "0/0/3000")
TIMED = ack("70..90", CORE[:2], "70..90", "850..1100", "0/0/3000", ts_mod=2**24, tx_mod=2**29)
blind_event = f"ack {SEQ} snd_nxt=@seq+9..9 now_ns=+10..20 n_hops=0 ecn=unknown"
ack_event = "ack " + ack("10..20", [400 * G, 397 * G], "10..20", "400..900", "0/0/0/9000", window=9)
mixed_event = (f"ack {SEQ} snd_nxt=@seq+9..9 now_ns=+10..20 n_hops=0 ecn=unmarked | "
               f"ack {SEQ} snd_nxt=@seq+9..9 now_ns=+10..20 n_hops=7 "
               "ecn=unmarked/unmarked/unmarked/unmarked/unmarked/unmarked/marked")
spray_event = ack_event + " | ack " + ack("10..20", [400 * G, 397 * G], "10..20", "400..900",
                                          "0/0/0/9000", window=9, ids=["1000", "7/8/9"])
TRACES = [
    # About 80 ns between ACKs, links near their rate, and occasional queues.
    (f"h01 hpcc seed=1 preset=paper link_bps={100 * G}",
     ["1: ack " + ack("0..0", CORE, f"{2**64 - 100000}..{2**64 - 50000}",
                      f"{2**64 - 2000000}..{2**64 - 1000000}", "0"),
      "2999: ack " + ack("70..90", CORE, "70..90", ["850..1100"] + ["2000..4400"] * 3 +
                         ["850..1090"], "0/0/0/3000/20000"),
      "4000: ack " + ack("70..90", CORE, "70..90", ["700..1000"] + ["2000..4000"] * 3 +
                         ["700..1000"], "0"),
      "3000: ack " + ack("70..90", CORE, "70..90", ["900..1300"] + ["2000..5200"] * 3 +
                         ["900..1090"], "0/0/200000/30000")]),
    # Only multiplicative rounds. Clocks of 24 bits and counters of 2^27 bytes wrap.
    (f"h02 hpcc seed=2 preset=ns3 link_bps={25 * G}",
     ["5000: ack " + ack("250..400", [25 * G, 101 * G, 23 * G], "250..400",
                         ["800..1200", "2000..5000", "800..1100"], "0/0/5000", ts_mod=2**24,
                         tx_mod=2**27),
      "5000: ack " + ack("2000..40000", [25 * G, 101 * G, 23 * G], "2000..40000",
                         ["8000..120000", "20000..500000", "8000..120000"], "0..100000",
                         ts_mod=2**24, tx_mod=2**27)]),
    (f"h03 hpcc seed=3 preset=ns3 link_bps={400 * G} tx_mod_bytes={2**27} "
     f"fastest_bps={401 * G} dt_max_ns=2500000",
     ["10000: ack " + ack("10..30", [400 * G, 397 * G, 389 * G, 401 * G, 383 * G], "10..30", "300..1500",
                          "0/0/0/0/100000", ts_mod=2**24, tx_mod=2**27)]),
    # IOAM's fraction word, with a clock that wraps at 10^9 ns, and a 32-bit counter.
    (f"h04 hpcc seed=4 preset=paper link_bps={100 * G} ts_mod_ns={G} tx_mod_bytes={2**32} "
     "dt_max_ns=80000000",
     ["5000: ack " + ack("100000..400000", CORE[:4], "100000..400000",
                         "1000000..6000000", "0", ts_mod=G, tx_mod=2**32),
      "5000: ack " + ack("1000..40000", CORE[:4], "1000..40000", "10000..600000",
                         "0..300000", ts_mod=G, tx_mod=2**32)]),
    # IFA's seconds and ns, with a clock that wraps at 2^20 * 10^9 ns. The counter's modulus is not
    # a power of two.
    (f"h05 hpcc seed=5 preset=paper link_bps={200 * G} ts_mod_ns={2**20 * G} "
     "tx_mod_bytes=1000003000 dt_max_ns=9500000",
     ["1: ack " + ack("0..0", [200 * G, 400 * G], f"{2**20 * G - 4 * G}..{2**20 * G - G}",
                      "0..0", "0"),
      "2000: ack " + ack("100..400000000", [200 * G, 400 * G], "100..400000000",
                         "1000..800000000", "0..100000", ts_mod=2**20 * G,
                         tx_mod=1000003000),
      "7999: ack " + ack("100..4000000", [200 * G, 400 * G], "100..4000000",
                         "1000..80000000", "0..100000", ts_mod=2**20 * G,
                         tx_mod=1000003000)]),
    # Missing items, in one record or in all.
    (f"h06 hpcc seed=6 preset=paper link_bps={100 * G} max_stage=0",
     ["10000: ack " + ack("70..90", [97 * G, 400 * G, 101 * G], "70..90",
                          ["700..1100", "2000..4000", "700..1100"], "0/0/5000/40000",
                          valid=[f"{ALL}/{ALL}/id+rate+tx+ts/id+rate+queue+ts",
                                 f"{ALL}/id+queue+tx+ts/id+rate+ts/id+rate+queue+tx",
                                 f"{ALL}/id/id+rate+queue/id+ts"])]),
    # Hops that report utilisation, with and without timestamps, beside a hop that counts bytes.
    (f"h07 hpcc seed=7 preset=paper link_bps={100 * G}",
     ["5000: ack " + ack("0..150", [97 * G, 211 * G, 101 * G], "0..150", "400..1100",
                         "0/0/0/9000", util="700000..1100000",
                         valid=["id+util", f"{ALL}+util/id+rate+queue+util", ALL]),
      "2500: ack " + ack("0..40000", [97 * G, 211 * G, 101 * G], "0..40000", "400..110000",
                         "0/0/0/9000", util="0..1200000",
                         valid=["id+util/id+rate+queue+util+ts", "id+rate+util+tx", ALL]),
      "2500: ack " + ack("0..2000000000", [97 * G, 211 * G, 101 * G], "0..1500000000",
                         "0..4294967295", "0/0/0/9000", util="0..4294967295",
                         valid=[f"id+util/{ALL}+util", "id+util", ALL])]),
    # Paths that change, hops that come and go, too many hops, and forget.
    (f"h08 hpcc seed=8 preset=paper link_bps={400 * G}",
     ["10000: ack*30 " + ack("20..40", [400 * G, 397 * G, 389 * G], "20..40", "900..2000", "0/0/20000",
                             ids=["7"] * 3)
      + " | ack*30 " + ack("20..40", [400 * G, 397 * G, 389 * G], "20..40", "900..2000", "0/0/20000",
                           ids=["7", "7", "7/7/7/7/7/7/8"])
      + " | ack*2 " + ack("20..40", [400 * G, 397 * G], "20..40", "900..2000", "0", ids=["7"] * 2)
      + " | ack seq=5 snd_nxt=9 now_ns=1 n_hops=0/6/4294967295 | forget"]),
    # Fast CNPs with the path's first hops, with other hops, and with more hops than the path.
    (f"h09 hpcc seed=9 preset=paper link_bps={100 * G} max_stage=3",
     ["10000: ack*8 " + ack("70..90", CORE[:4], "70..90", "700..1100", "0/0/0/30000")
      + " | fastcnp*3 now_ns=+10..20 "
      + hops(CORE[:2], "10..20", "120..260", "20000..400000")
      + " | fastcnp now_ns=+10..20 "
      + hops(CORE[:3], "10..20", "120..260", "20000..400000",
             ids=["1000", "1001/9", "1002"])
      + " | fastcnp now_ns=5 n_hops=0/5/6/255 | forget"]),
    # Gaps of 0 ns, older reports, rates that cannot be used, and rates that change.
    (f"h10 hpcc seed=10 preset=paper link_bps={100 * G} ts_mod_ns={2**24} max_stage=2 "
     "dt_max_ns=16000000",
     ["10000: ack*4 " + ack("0..90", [f"{100 * G}/{100 * G}/0/{10**6}/{2**43}",
                                      f"{100 * G}/{400 * G}/{25 * G}/{10 * G}/315076923",
                                      100 * G],
                            ["0..3", "0..90", "60..90"], ["0..40", "0..1100", "600..1000"],
                            "0/0/4000", ts_mod=2**24)
      + " | ack " + ack("0..90", [100 * G, 100 * G, 100 * G],
                        ["16777000..16777215", "8388600..8388616", "60..90"],
                        ["0..40", "0..1100", "600..1000"], "0/0/4000", ts_mod=2**24)]),
    # Sequence numbers that wrap, and a snd_nxt that jumps to any value.
    (f"h11 hpcc seed=11 preset=paper link_bps={100 * G}",
     ["10000: ack*20 seq=+1..5000000%4294967296 snd_nxt=+1..5100000%4294967296 "
      "now_ns=+70..90 " + hops([97 * G, 101 * G], "70..90", "700..1100", "0/0/0/9000")
      + " | ack seq=+1..50%4294967296 snd_nxt=0..4294967295 now_ns=+70..90 "
      + hops([97 * G, 101 * G], "70..90", "700..1100", "0/0/0/9000")]),
    # 1 Gb/s with a T of 100 us, and 1.6 Tb/s with a T of 2 us.
    (f"h12 hpcc seed=12 preset=paper link_bps={1 * G} base_rtt_ns=100000 "
     "w_init_bytes=12500 w_max_bytes=12500 w_ai_q8=64",
     ["5000: ack " + ack("8000..14000", [1 * G, 10 * G, 970000000], "8000..14000",
                         ["1000..1500", "1000..20000", "1000..1500"], "0/0/0/3000/12000"),
      "5000: ack " + ack("8000..900000", [1 * G, 10 * G, 970000000], "8000..900000",
                         "1000..12000", "0/0/0/3000/120000")]),
    (f"h13 hpcc seed=13 preset=paper link_bps={1600 * G} base_rtt_ns=2000 "
     "w_init_bytes=400000 w_max_bytes=400000 w_ai_q8=51200",
     ["5000: ack " + ack("2..9", [1600 * G, 1597 * G, 1601 * G, 1609 * G, 1607 * G], "2..9", "200..1700", "0/0/0/0/90000"),
      "5000: ack " + ack("5000..900000000", [1600 * G, 1597 * G, 1601 * G, 1609 * G, 1607 * G], "5000..900000000",
                         "200000..4000000000", "0/0/0/9000000/4294967295")]),
    # Records that are dt_max or a little more apart (h14), and counters that advance by about 2^40
    # (h15).
    (f"h14 hpcc seed=14 preset=paper link_bps={1600 * G} max_stage=1",
     ["10000: ack " + ack("999999900..1000000050", [1600 * G, 800 * G],
                          ["999999900..1000000050", "500000000..999999999"],
                          ["196000000000..200000000000", "80000000000..84000000000"],
                          "0..4294967295")]),
    (f"h15 hpcc seed=15 preset=paper link_bps={8000 * G} base_rtt_ns=16777216 "
     f"w_init_bytes=4000000000 w_max_bytes=4294967295 w_ai_q8={2**32 - 1}",
     ["10000: ack " + ack("1000..900000", [8000 * G, 8796 * G], "1000..900000",
                          ["900000..900000000", "1099511000000..1099512000000"],
                          "0..4294967295")]),
    # On an idle path, U falls to 0 and W rises to its bound. Then the load is far too high.
    (f"h16 hpcc seed=16 preset=paper link_bps={100 * G} max_stage=0 w_max_bytes=400000",
     ["3000: ack " + ack("500..3000", [97 * G, 103 * G, 101 * G], "500..3000", "0..0",
                         "0"),
      "3000: ack " + ack("500..14000", [97 * G, 103 * G, 101 * G], "500..14000", "0..64", "0"),
      "4000: ack " + ack("500..14000", [97 * G, 103 * G, 101 * G], "500..14000",
                         ["0..4000000", "0..100000", "0..100000"],
                         "0/0/40000000")]),
    # A W_AI for many flows, so that W falls to 1 byte (h17), and a large W_min (h18).
    (f"h17 hpcc seed=17 preset=paper link_bps={100 * G} w_ai_q8=3 max_stage=255",
     ["10000: ack " + ack("70..90", [97 * G, 101 * G], "70..90", "900..1200",
                          "0/0/0/0/0/100000", window=4)]),
    (f"h18 hpcc seed=118 preset=paper link_bps={25 * G} w_ai_q8=0 w_min_bytes=1500 "
     "eta_q20=1048576 u_init_q20=0 max_hops=1",
     ["10000: ack " + ack("250..400", [25 * G], "250..400", "600..1200", "0/0/0/40000",
                          window=8, wobble=30)]),
    # Pauses, clocks that step back and forth, and counters that wrap or jump.
    (f"h19 hpcc seed=19 preset=ns3 link_bps={100 * G} max_stage=5",
     ["10000: ack*60 " + TIMED + " | ack*2 " + ack("100000..20000000", *STEP, ts_mod=2**24, tx_mod=2**29)
      + " | ack*2 " + ack("70..90", CORE[:2], ["70..90", "0..16777215"], "850..1100",
                          "0/0/3000", ts_mod=2**24, tx_mod=2**29)
      + " | ack*2 " + ack("70..90", CORE[:2], "16725000..16777215", "850..1100",
                          "0/0/3000", ts_mod=2**24, tx_mod=2**29)
      + " | ack*2 " + ack("70..90", CORE[:2], "70..90", ["850..1100", "0..536870911"],
                          "0/0/3000", ts_mod=2**24, tx_mod=2**29)
      + " | ack*2 " + ack("200000..1000000", CORE[:2], "200000..1000000",
                          "3000000..40000000", "0/0/3000", ts_mod=2**24, tx_mod=2**29)]),
    # Links about two and four times as fast as they report. A repeated jump counts as load.
    (f"h20 hpcc seed=20 preset=paper link_bps={100 * G}",
     ["10000: ack " + ack("20000..90000", [97 * G, 50 * G], "20000..90000",
                          "200000..2000000", "0/0/0/60000000")]),
    # Missing and incomplete reports, marks, and changes of the link.
    (f"h21 hpcc seed=21 preset=paper link_bps={100 * G} w_blind_bytes=9000",
     ["10000: ack*40 " + ack("70..90", CORE[:2], "70..90", "700..1100", "0/0/3000", window=9)
      + f" | ack*4 {SEQ} snd_nxt=@seq+9..9 now_ns=+70..90 n_hops=0/0/6/8 ecn=unknown/unmarked/unmarked/marked"
      + " | ack*4 incomplete=1 ecn=unknown/unmarked/marked "
      + ack("70..90", CORE[:2], "70..90", "700..1100", "0/0/3000", window=9)
      + f" | fastcnp ecn=marked now_ns=+10..20 n_hops=0 | {LINKS}"]),
    (f"h22 hpcc seed=22 preset=paper link_bps={400 * G} max_stage=0",
     [f"{n}: " + what for n, what in [
         (500, ack_event), (1500, blind_event), (1000, ack_event), (1500, mixed_event),
         (500, ack_event), (1000, LINKS + " | " + ack_event), (2000, spray_event)]]),
    # The limits of T and W.
    (f"h23 hpcc seed=23 preset=paper link_bps={3200 * G} base_rtt_ns=1000 "
     "w_init_bytes=400000 w_max_bytes=400000 w_blind_bytes=20000 max_stage=1",
     ["5000: ack " + ack("2..9", [3200 * G, 3197 * G, 3201 * G], "2..9", "700..3600",
                         "0/0/0/0/90000"),
      "5000: ack " + ack("5000..900000000", [3200 * G, 3197 * G, 3201 * G],
                         "5000..900000000", "200000..900000000", "0/0/0/9000000")]),
    (f"h24 hpcc seed=24 preset=paper link_bps={3200 * G} base_rtt_ns={G} "
     f"w_init_bytes={400 * G} w_max_bytes={400 * G} w_blind_bytes={20 * G} "
     f"w_ai_q8={2**40} reorder_ns={G // 2} queue_max_bytes={2**32 - 1}",
     ["10000: ack " + ack("1000000..900000000", [3200 * G, 3197 * G, 3201 * G],
                          "1000000..900000000", "400000000..4000000000",
                          "0/0/0/4294967295", window=9)]),
]

if __name__ == "__main__":
    main("hpcc", Hpcc, TRACES)
