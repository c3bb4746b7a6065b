# SPDX-License-Identifier: BSD-2-Clause
"""
LDCP by the draft's rules L1 to L26 and our rules G1 to G20 of algo/ldcp.h. The counts never
wrap, and the window is a real number.
"""
from trace import Exact, at_least, main

Q16 = 1 << 16
# Relative distance below a bound at which a comparison is in doubt. It exceeds 2^-16, because the
# library's growth steps are too large by at most 2^-16 of their size.
NEAR = 5e-5


def reaches(x, bound):
    """Returns x >= bound. Raises TooNear only for an x just below the bound. An x just above it
    is not in doubt: alpha 1 and beta 1/2 bring the window ever closer to 1, but never below
    it, and the library's growth steps err only upwards."""
    return x >= bound or at_least(x, bound, NEAR)


def hns(link_bps):
    """Returns the parameters. IW is the number of packets of 1024 bytes that the link carries in
    8 us, limited to 1..65535."""
    return {"alpha_q16": Q16, "beta_q16": Q16 // 2, "gamma_q16": Q16 // 4,
            "eta_q16": Q16 // 2, "loss_floor_packets": 1, "m_packets": 1,
            "iw_packets": min(65535, max(1, link_bps * 8 // 8 // 10**6 // 1024)),
            "cw_max_packets": 0, "mtu_bytes": 1024, "split": 0, "continuous": 0}


class Ldcp:
    PRESETS = {"hns": hns}
    SUMMED = "cw_q32 wait_ns"

    def __init__(self, params):
        self.alpha, self.beta, self.gamma, self.eta = (
            Exact.ratio(params[k + "_q16"], Q16) for k in ("alpha", "beta", "gamma", "eta"))
        self.iw = params["iw_packets"]
        self.cw_max = params["cw_max_packets"] or 65535
        self.floor = params["loss_floor_packets"]
        self.m, self.split = params["m_packets"], params["split"]
        self.mtu = params["mtu_bytes"]
        self.grow = self.gamma
        if params["continuous"]:
            self.grow = (1 - self.eta) * self.alpha / self.beta
        self.cw = Exact(self.iw)
        self.fast = self.first_rtt = True
        self.sent = self.acked = self.recover = 0
        self.silent = False  # no ACK since the last loss
        self.sent_at = None
        self.waiting = 0  # packets received, but not acknowledged yet
        self.lsn = self.packet = 0

    # The sender.

    def send(self, last=0, now_ns=0):
        self.sent += 1
        self.sent_at = now_ns
        ect = not self.fast or not self.first_rtt or last or self.sent >= self.iw
        return self.result(ecn="ect0" if ect else "not_ect")

    def may_send(self, rtt_ns=0, now_ns=0):
        return self.release(self.sent == self.acked,
                            lambda: reaches(self.cw, self.sent - self.acked + 1),
                            rtt_ns, now_ns)

    def may_send_bytes(self, in_flight_bytes=0, len_bytes=0, rtt_ns=0, now_ns=0):
        return self.release(in_flight_bytes == 0,
                            lambda: reaches(self.cw * self.mtu,
                                            in_flight_bytes + len_bytes),
                            rtt_ns, now_ns)

    def release(self, none, room, rtt_ns, now_ns):
        if reaches(self.cw, 1):
            return self.result(allowed=none or room())
        if not none:
            return self.result()
        if self.sent_at is None:
            return self.result(allowed=True)
        pause = Exact(rtt_ns) / self.cw
        since = now_ns - self.sent_at
        if since < 0 or at_least(Exact(since), pause, NEAR):  # or the clock stepped back
            return self.result(allowed=True)
        # Rounded up to a whole ns. 10^-30 covers the rounding errors at 2^-256.
        return self.result(wait_ns=int(pause - since + 1 - Exact.ratio(1, 10**30)))

    def ack(self, n=0, ece=0, limited=0):
        if n == 0:
            return self.result()
        self.acked += n
        self.silent = False
        self.sent = max(self.sent, self.acked)
        self.first_rtt = False
        n = min(n, 65535)
        if self.fast:
            if self.acked >= self.iw:
                self.fast, self.cw = False, Exact(self.iw)
        elif not ece and not limited:
            pass
        elif reaches(self.cw, 1):
            self.cw = (max(self.gamma, self.cw - n * self.beta) if ece else
                       min(Exact(self.cw_max), self.cw + n * self.alpha / self.cw))
        else:
            self.cw = (max(self.gamma, self.eta * self.cw) if ece else
                       min(Exact(self.cw_max), self.cw + self.grow))
        return self.result()

    def nak(self):
        return self.lost(self.fast or self.silent or self.acked >= self.recover)

    def timeout(self):
        return self.lost(True)

    def lost(self, cut):
        back = self.sent - self.acked
        if self.fast:
            self.fast = False
            self.cw = Exact(min(self.iw, max(self.floor, self.acked)))
        elif cut:
            self.cw = max(self.gamma, self.eta * self.cw)
        if cut:
            self.recover = self.sent
        self.sent = self.acked
        self.first_rtt = False
        self.silent = True
        return self.result(cut=cut, go_back_packets=back)

    def relink(self, iw_packets=0, cw_max_packets=0):
        """Applies the parameters for a new link, unless they are invalid."""
        if not 1 <= iw_packets <= 65535 or self.floor > iw_packets:
            return self.result()
        if cw_max_packets and not iw_packets <= cw_max_packets <= 65535:
            return self.result()
        self.iw, self.cw_max = iw_packets, cw_max_packets or 65535
        if self.fast and self.acked < self.iw:
            self.cw = Exact(self.iw)
        else:
            self.fast = False
            self.cw = min(self.cw, Exact(self.iw))
        return self.result()

    # The receiver, and the ACKs that return from it.

    def received(self, ce=0):
        unmarked, marked = 0, 0
        if ce and self.split:
            unmarked, marked = self.waiting, 1
        elif ce:
            marked = self.waiting + 1
        elif self.waiting + 1 >= self.m:
            unmarked = self.waiting + 1
        self.waiting += 1 - unmarked - marked
        return self.result(unmarked=unmarked, marked=marked)

    def flush(self):
        n, self.waiting = self.waiting, 0
        return self.result(unmarked=n)

    def confirm(self, sent_lsn=0, lsn=0, packet=0):
        new, free = (lsn - self.lsn) % 2**32, (lsn - sent_lsn) % 2**32
        if not 0 < new < 2**31 or 0 < free < 2**31:
            return self.result()
        n = (packet - self.packet) % 2**16
        self.lsn, self.packet = lsn, packet
        return self.result(n=n)

    @staticmethod
    def result(**what):
        action = {"ecn": "not_ect", "allowed": False, "wait_ns": 0, "cut": False,
                  "go_back_packets": 0, "unmarked": 0, "marked": 0, "n": 0}
        action.update(what)
        return action

    def state(self):
        return {"cw_q32": int(self.cw * 2**32 + Exact.ratio(1, 2)),
                "in_flight": self.sent - self.acked,
                "acked": self.acked if self.fast else 0,
                "recover": max(0, self.recover - self.acked),
                "last_send_ns": self.sent_at or 0,
                "stable": not self.fast, "first_rtt": self.first_rtt,
                "has_sent": self.sent_at is not None, "unheard": self.silent,
                "pending": self.waiting, "lsn": self.lsn, "packet": self.packet}


G8, G16 = "gamma_q16=8192", "gamma_q16=4096"
CLOCK = "now_ns=+0..3000"
QUERY = f"may_send rtt_ns=8160 {CLOCK}"
SENDS = f"send {CLOCK}"
SENDS2, SENDS20, SENDS30 = (f"send*{n} {CLOCK}" for n in (2, 20, 30))
LATE = "1: send now_ns=+4290000000..4290000000"
QUERY10 = QUERY.replace("may_send", "may_send*10")

TRACES = [
    # At 1 Gb/s with IW 1, fast start, its end after IW packets, and growth without a mark
    # up to cw_max.
    ("l01 ldcp seed=1 preset=hns link_bps=1000000000 cw_max_packets=4",
     [f"10000: {SENDS} last=0/0/1 | {QUERY} | ack n=1 ece=0 limited=1"]),
    # Fast start at 100 Gb/s with one ACK per packet, then one mark in six ACKs, so that cw comes
    # near 10.
    ("l02 ldcp seed=2 preset=hns link_bps=100000000000",
     [f"60: {SENDS} last=0/0/0/0/1",
      f"140: ack n=1 ece=0/1 limited=0/1/1/1 | {SENDS} | {QUERY}",
      f"9800: {SENDS2} | ack*2 n=1 ece=0/0/0/0/0/1 limited=0/1/1/1 | {QUERY}"]),
    # At 1.6 Tb/s with IW 1562, a loss in fast start, and then growth again.
    ("l03 ldcp seed=3 preset=hns link_bps=1600000000000",
     [f"1600: {SENDS} last=0", "400: ack n=1..2 ece=0 limited=1", "1: nak",
      f"7999: {SENDS} | ack*3 n=1..4 ece=0 limited=0/1/1/1 | {QUERY}"]),
    # A total loss in fast start gives the floor. Then cw, with gamma 1/4, is mostly below
    # one packet, and sometimes above it.
    ("l04 ldcp seed=4 preset=hns link_bps=100000000000",
     [f"200: {SENDS} last=0", "1: timeout",
      f"9799: {SENDS} | ack*2 n=1 ece=0/1/1 limited=0/1/1/1 | {QUERY}"]),
    # Windows below one packet with gamma 1/8, sometimes two losses in one window, RTTs of up to
    # 0.4 s so that 32 bits of the clock wrap in many pauses, and a clock that steps back.
    (f"l05 ldcp seed=17 preset=hns iw_packets=20 {G8} loss_floor_packets=3",
     ["20: send last=0/1 now_ns=+0..400000000", "1: nak",
      "9979: send*8 last=0/1 now_ns=+0..400000000 | nak | timeout | "
      "ack*14 n=1..3 ece=0/1/1 limited=0/1/1/1 | may_send rtt_ns=8160 now_ns=0..9 | "
      "may_send*8 rtt_ns=0..400000000 now_ns=+0..400000000"]),
    # gamma 1/16, with many marks and few marks by turns.
    (f"l06 ldcp seed=6 preset=hns iw_packets=40 {G16}",
     [f"99: {SENDS} last=1", "60: ack n=1 ece=0/1 limited=0/1/1/1", LATE,
      f"3000: {SENDS} | ack*3 n=1 ece=0/1/1/1/1 limited=0/1/1/1 | {QUERY}",
      f"3000: {SENDS} | ack*3 n=1 ece=0/0/0/1 limited=0/1/1/1 | {QUERY}",
      f"3840: {SENDS} | ack*3 n=1 ece=0/1/1/1/1/1/1/1 limited=0/1/1/1 | {QUERY}"]),
    # The phases of l06 with continuous=1.
    (f"l07 ldcp seed=7 preset=hns iw_packets=40 {G16} continuous=1",
     [f"99: {SENDS} last=1", "60: ack n=1 ece=0/1 limited=0/1/1/1", LATE,
      f"3000: {SENDS} | ack*3 n=1 ece=0/1/1/1/1 limited=0/1/1/1 | {QUERY}",
      f"3000: {SENDS} | ack*3 n=1 ece=0/0/0/1 limited=0/1/1/1 | {QUERY}",
      f"3840: {SENDS} | ack*3 n=1 ece=0/1/1/1/1/1/1/1 limited=0/1/1/1 | {QUERY}"]),
    # continuous=1 with odd gains and an eta that makes the steps small. Nothing is sent at
    # first, and then the low 32 bits of the clock are about to wrap.
    ("l08 ldcp seed=8 preset=hns iw_packets=8 gamma_q16=3000 eta_q16=61000 "
     "alpha_q16=50001 beta_q16=33333 continuous=1",
     ["60: ack n=1 ece=0/1 limited=0/1/1/1",
      f"140: ack n=1 ece=0/1/1 limited=0/1/1/1 | {QUERY}", LATE,
      f"9799: {SENDS} | ack*3 n=1 ece=0/1/1 limited=0/1/1/1 | {QUERY}"]),
    # Delayed ACKs for up to 64 packets. The receiver coalesces, and ECE counts for all of them.
    ("l09 ldcp seed=9 preset=hns link_bps=400000000000 m_packets=64 cw_max_packets=3000",
     [f"400: {SENDS} last=0", "20: ack n=1..64 ece=0 limited=0/1/1/1 | received ce=0",
      f"9580: {SENDS} | ack*2 n=1..64 ece=0/0/0/0/0/0/0/0/0/1 limited=0/1/1/1 | "
      "received*4 ce=0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/1 | flush"]),
    # With split=1, the marked packet gets its own ACK. Losses come in the stable stage.
    ("l10 ldcp seed=10 preset=hns link_bps=200000000000 m_packets=16 split=1 mtu_bytes=4096",
     [f"300: {SENDS} last=0", "30: ack n=1..16 ece=0 limited=0/1/1/1 | received ce=0/1",
      f"9670: {SENDS30} | nak | flush*5 | received*100 ce=0/0/0/0/0/0/0/1 | "
      "ack*60 n=1..16 ece=0/0/0/0/0/0/0/0/0/0/0/0/0/1 limited=0/1/1/1"]),
    # The window in bytes, with packets of any length and RTTs of up to 1 ms.
    ("l11 ldcp seed=11 preset=hns iw_packets=60 mtu_bytes=1000",
     [f"80: {SENDS} last=0", "60: ack n=1 ece=0 limited=1",
      f"9860: {SENDS} | ack n=1 ece=0/0/0/1/1 limited=0/1/1/1 | "
      "may_send_bytes in_flight_bytes=0..9000 "
      "len_bytes=64..1000 rtt_ns=1000..1000000 now_ns=+0..3000 | "
      "may_send_bytes in_flight_bytes=0 len_bytes=1..65535 rtt_ns=8160 "
      "now_ns=+0..3000"]),
    # The largest window, hundreds of millions of packets, and ACKs for more packets than any
    # window holds.
    ("l12 ldcp seed=12 preset=hns iw_packets=65535 alpha_q16=65536 beta_q16=1",
     ["1000: ack n=1..60 ece=0 limited=0/1/1/1 | send now_ns=+0..500",
      "1: ack n=65535 ece=1 limited=0/1/1/1",
      "8999: send*2 now_ns=+0..500 | ack*4 n=1..131072 ece=0/1 limited=0/1/1/1 | nak"]),
    # The smallest gains, whose growth must not be lost by rounding.
    ("l13 ldcp seed=13 preset=hns iw_packets=30000 alpha_q16=1 beta_q16=1 gamma_q16=65536",
     ["1: ack n=30000 ece=1 limited=1",
      "9999: ack n=1 ece=0/0/0/0/0/0/0/0/0/1 limited=1 | send"]),
    # gamma 1, eta 0 and IW 1, so that the window is never below one packet.
    ("l14 ldcp seed=14 preset=hns iw_packets=1 gamma_q16=65536 eta_q16=0 cw_max_packets=8",
     [f"10000: {SENDS20} last=0/1 | nak | timeout | {QUERY10} | "
      "ack*30 n=1..3 ece=0/0/1 limited=0/1/1/1"]),
    # ACKs in any order, lost ACKs, and ACKs beyond the sent packets. LSN and Packet wrap.
    ("l15 ldcp seed=15 preset=hns link_bps=10000000000",
     ["10000: confirm*29 lsn=+0..3000000%4294967296 sent_lsn=@lsn+0..2000 "
      "packet=+0..3000%65536 | "
      "confirm sent_lsn=0..4294967295 lsn=0..4294967295 packet=0..65535"]),
    # Without a bound, an unmarked window grows while it limits the sender. A burst of timeouts
    # without ACKs reduces it from 329 to 2.6 packets, and it grows again.
    ("l16 ldcp seed=16 preset=hns link_bps=100000000000",
     [f"40: {SENDS} last=0", "3000: ack n=1..64 ece=0 limited=0/1",
      f"20: {SENDS} | timeout", f"6940: {SENDS} | ack*2 n=1 ece=0 limited=0/1/1/1 | {QUERY}"]),
    # The link changes its rate in fast start and later, and some parameters are refused.
    ("l17 ldcp seed=19 preset=hns iw_packets=200 loss_floor_packets=2",
     [f"60: {SENDS} last=0 | ack n=1 ece=0 limited=1 | relink iw_packets=180..220",
      f"1: relink iw_packets=3 cw_max_packets=10",
      f"400: {SENDS} | ack n=1 ece=0/0/0/1 limited=1",
      f"9539: {SENDS30} | ack*60 n=1..4 ece=0/0/0/0/0/0/0/0/1 limited=0/1/1/1 | {QUERY} | "
      "nak | relink iw_packets=0..400 cw_max_packets=0/0/300/70000"]),
]

if __name__ == "__main__":
    main("ldcp", Ldcp, TRACES)
