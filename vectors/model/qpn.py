# SPDX-License-Identifier: BSD-2-Clause
"""
An independent model of a switch that learns QPNs from connection management (role/qpn.h,
guard/qpnlearner.h). It writes vectors/qpn.vec. The frames come from ../cm_rows.py, each with
results written by hand from the rules Q-1 to Q-9 of include/rocecc/guard/README.md. The
switch below reads the bytes, keeps two dictionaries, and must come to the same results.
Nothing comes from rocecc's C.

    python3 vectors/model/qpn.py            writes vectors/qpn.vec
    python3 vectors/model/qpn.py --check    compares it instead
"""
import pathlib
import sys
from ipaddress import ip_address

VECTORS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(VECTORS), str(VECTORS / "model")]
from cm_rows import (A4, A6, B4, B6, DREQ, REP, REQ, RTU, dreq, frame, mad, packet, rep, req,
                     rtu, split)
from reaction_point import wrapped
from reaction_rows import routing

PATH = VECTORS / "qpn.vec"
C4, OUT4, ANY4 = "::ffff:10.0.0.3", "::ffff:192.0.2.1", "::ffff:224.0.0.1"
S = 10**9
HALF, KNOWN = 10 * S, 3600 * S


# ---- The switch ---------------------------------------------------------------------

def number(data):
    return int.from_bytes(data, "big")


class Switch:
    def __init__(self):
        self.half, self.known = {}, {}

    def hears(self, data):
        """Returns (verdict, from, to, message) for a frame."""
        six = data[12:14] == b"\x86\xdd"
        ip = data[14:]
        kind, at, routed, piece = ip[6 if six else 9], 40 if six else 20, False, False
        if not six:
            piece = number(ip[6:8]) & 0x3fff != 0
        while six and kind in (0, 43, 44, 60):
            routed |= kind == 43
            piece |= kind == 44
            n = 8 if kind == 44 else 8 * (ip[at + 1] + 1)
            kind, at = ip[at], at + n
        if kind in (4, 41):
            inside = self.hears(data[:12] + (b"\x86\xdd" if kind == 41 else b"\x08\0") + ip[at:])
            return ("unexpected_tunnel" if inside[0] in ("learned", "bad_address", "access_denied", "unexpected_tunnel") else
                    inside[0], None, None, None)
        src, dst = (ip[8:24], ip[24:40]) if six else (ip[12:16], ip[16:20])
        udp = ip[at:]
        bth, mad_ = udp[8:20], udp[28:-4]
        if (piece or kind != 17 or number(udp[2:4]) != 4791 or bth[0] != 0x64 or number(bth[5:8]) != 1):
            return "other", src, dst, None
        if bth[1] & 15:
            return "unsupported", src, dst, None
        if udp[20:24] != b"\x80\1\0\0" or number(udp[25:28]) != 1:
            return "other", src, dst, None
        if bth[1] >> 4 & 3 or len(mad_) != 256:
            return "malformed", src, dst, None
        attribute = number(mad_[16:18])
        if mad_[1] != 7 or mad_[3] != 3 or attribute not in (REQ, REP, RTU, DREQ):
            return "other", src, dst, None
        if mad_[0] != 1 or mad_[2] != 2 or attribute == REQ and mad_[67] & 4:
            return "unsupported", src, dst, None
        at = {REQ: 56, REP: 36, RTU: 0, DREQ: 32}[attribute]
        said = (attribute, number(mad_[24:28]), number(mad_[28:32]), number(mad_[at:at + 3]))
        if routed:
            return "unexpected_tunnel", src, dst, None
        for address in (src, dst):
            a = ip_address(address)
            if (a.is_multicast or a.is_loopback or a.is_unspecified or
                    not six and (address[0] == 0 or address[0] >= 240)):
                return "bad_address", src, dst, None
        if src == dst:
            return "bad_address", src, dst, None
        for address in (src, dst):
            if not (address[:3] == b"\x0a\0\0" or address[:4] == b"\x20\1\x0d\xb8"):
                return "access_denied", src, dst, None
        return "learned", src, dst, said

    def live(self, table, key, now, most):
        slot = table.get(key)
        return slot if slot is not None and abs(now - slot["at"]) < most else None

    def believe(self, now, a, b, here, there):
        slot = self.live(self.known, (a, b, there[1]), now, KNOWN)
        if slot is not None and (slot["disputed"] or slot["here"][1] != here[1]):
            slot.update(disputed=True, at=now)
            return "disputed"
        self.known[a, b, there[1]] = {"at": now, "disputed": False, "here": here,
                                      "there": there}
        return "learned"

    def learn(self, now, a, b, said):
        kind, mine, yours, qpn = said
        good = 1 < qpn < 0xffffff
        if kind == REQ:
            slot = self.live(self.half, (a, b, mine), now, HALF)
            if not good or slot is not None and slot["here"] != (mine, qpn):
                return "stray"
            if slot is not None:
                slot["at"] = now
                return "repeated"
            self.half[a, b, mine] = {"at": now, "here": (mine, qpn), "there": None}
            return "asked"
        if kind == REP:
            slot = self.live(self.half, (b, a, yours), now, HALF)
            if slot is None or not good or slot["there"] not in (None, (mine, qpn)):
                return "stray"
            first = slot["there"] is None
            slot.update(at=now, there=(mine, qpn))
            return "answered" if first else "repeated"
        if kind == RTU:
            slot = self.live(self.half, (a, b, mine), now, HALF)
            if slot is None or slot["there"] is None or slot["there"][0] != yours:
                return "stray"
            del self.half[a, b, mine]
            both = {self.believe(now, a, b, slot["here"], slot["there"]),
                    self.believe(now, b, a, slot["there"], slot["here"])}
            return "disputed" if "disputed" in both else "learned"
        slot = self.live(self.known, (a, b, qpn), now, KNOWN)
        if slot is None or slot["here"][0] != mine or slot["there"][0] != yours:
            return "stray"
        del self.known[a, b, qpn]
        back = self.live(self.known, (b, a, slot["here"][1]), now, KNOWN)
        if back is not None and (back["here"][0], back["there"][0]) == (yours, mine):
            del self.known[b, a, slot["here"][1]]
        return "forgotten"

    def step(self, data, now):
        verdict, a, b, said = self.hears(data)
        if verdict != "learned":
            return [f"verdict={verdict}"]
        return ["verdict=learned", f"learned={self.learn(now, a, b, said)}"]

    def asked(self, data, now):
        six = data[12:14] == b"\x86\xdd"
        ip = data[14:]
        src, dst = (ip[8:24], ip[24:40]) if six else (ip[12:16], ip[16:20])
        udp = ip[40 if six else 20:]
        slot = self.live(self.known, (src, dst, number(udp[13:16])), now, KNOWN)
        if number(udp[2:4]) != 4791 or slot is None or slot["disputed"]:
            return ["known=0"]
        return ["known=1", f"qpn={slot['here'][1]:#x}"]


# ---- Rows ---------------------------------------------------------------------------

AID, BID, AQ, BQ = 0xa1a2a3a4, 0xb1b2b3b4, 0x123456, 0x789abc


def hear(name, says, verdict, data, at=0):
    """Returns a row. `verdict` is the role's verdict, or the result of learn() if the role's
    verdict is "learned"."""
    roles = ("other", "malformed", "unsupported", "unexpected_tunnel", "bad_address", "access_denied")
    should = ([f"verdict={verdict}"] if verdict in roles else
              ["verdict=learned", f"learned={verdict}"])
    return name, says, "qpn_learn", should, frame(data), at


def ask(name, says, qpn, a=A4, b=B4, to=BQ, at=0, **more):
    should = ["known=0"] if qpn is None else ["known=1", f"qpn={qpn:#x}"]
    return name, says, "qpn_lookup", should, frame(packet(bytes(64), a, b, opcode=0x0a,
                                                          dest=to, **more)), at


def connect():
    return [
        ask("before", "nobody has connected anything", None),
        hear("Q-1-req", "A asks", "asked", packet(req())),
        ask("Q-1-req-alone", "one end proves nothing", None),
        hear("Q-1-rep", "B answers", "answered", packet(rep(), B4, A4)),
        ask("Q-1-rep-alone", "not yet ready", None),
        hear("Q-1-rtu", "A is ready", "learned", packet(rtu())),
        ask("R-L3-14-there", "data of A to B comes from A's QP", AQ),
        ask("R-L3-14-back", "data of B to A from B's", BQ, B4, A4, AQ),
        ask("other-qp", "another QP of B", None, to=BQ ^ 1),
        ask("other-host", "another host to the same QP", None, C4),
        ask("other-to", "the same QPN of another host", None, b=C4),
        ask("swapped", "A's own QPN is not B's", None, to=AQ),
        ask("other-port", "no RoCEv2", None, dport=4790),
        hear("Q-1-again", "a RTU that comes twice", "stray", packet(rtu())),
        hear("Q-9-id", "another id of A", "stray", packet(dreq(local=AID ^ 1))),
        hear("Q-9-remote-id", "another id of B", "stray", packet(dreq(remote=BID ^ 1))),
        hear("Q-9-qpn", "another QPN of B", "stray", packet(dreq(qpn=BQ ^ 1))),
        hear("Q-9-who", "a third host", "stray", packet(dreq(), C4, B4)),
        hear("Q-9-turned", "from B as if it were A", "stray", packet(dreq(), B4, A4)),
        ask("Q-9-kept", "and nothing is forgotten", AQ),
        hear("Q-9-dreq", "A ends it", "forgotten", packet(dreq())),
        ask("Q-9-gone", "there", None), ask("Q-9-gone-back", "and back", None, B4, A4, AQ),
        hear("Q-9-twice", "once more", "stray", packet(dreq())),
        hear("anew-req", "and they connect anew, IPv6 as well", "asked", packet(req(), A6, B6)),
        hear("anew-rep", "B answers", "answered", packet(rep(), B6, A6)),
        hear("anew-rtu", "A is ready", "learned", packet(rtu(), A6, B6)),
        ask("anew-6", "by the addresses of IPv6", AQ, A6, B6),
        ask("anew-4", "and not by those of IPv4", None),
        hear("Q-9-b", "B ends it", "forgotten", packet(dreq(BID, AID, AQ), B6, A6)),
        ask("Q-9-b-gone", "there", None, A6, B6),
        ask("Q-9-b-gone-back", "and back", None, B6, A6, AQ),
    ]


def liars():
    return [
        hear("order-rtu", "RTU first", "stray", packet(rtu())),
        hear("order-rep", "REP first", "stray", packet(rep(), B4, A4)),
        hear("order-req", "then REQ", "asked", packet(req())),
        hear("order-rtu-2", "a RTU before its REP", "stray", packet(rtu())),
        hear("Q-4-req-same", "a REQ again", "repeated", packet(req())),
        hear("Q-4-req-qpn", "with another QPN: the first stays", "stray",
             packet(req(qpn=AQ ^ 1))),
        hear("rep-id", "an answer to another id", "stray", packet(rep(remote=AID ^ 1), B4, A4)),
        hear("rep-who", "from a third host", "stray", packet(rep(), C4, A4)),
        hear("rep-to", "to a third host", "stray", packet(rep(), B4, C4)),
        hear("rep-self", "A answers itself, as if B asked", "stray", packet(rep())),
        hear("Q-2-rep-0", "QPN 0", "stray", packet(rep(qpn=0), B4, A4)),
        hear("Q-2-rep-1", "QPN 1", "stray", packet(rep(qpn=1), B4, A4)),
        hear("Q-2-rep-max", "a group's QPN", "stray", packet(rep(qpn=0xffffff), B4, A4)),
        hear("Q-2-req-0", "QPN 0", "stray", packet(req(7, 0))),
        hear("Q-2-req-1", "QPN 1", "stray", packet(req(7, 1))),
        hear("Q-2-req-max", "a group's QPN", "stray", packet(req(7, 0xffffff))),
        hear("rep", "B answers", "answered", packet(rep(), B4, A4)),
        hear("Q-4-rep-same", "again", "repeated", packet(rep(), B4, A4)),
        hear("Q-4-rep-qpn", "with another QPN: the first stays", "stray",
             packet(rep(qpn=BQ ^ 1), B4, A4)),
        hear("Q-4-rep-id", "with another id", "stray", packet(rep(local=BID ^ 1), B4, A4)),
        hear("Q-4-req-late", "the REQ again", "repeated", packet(req())),
        hear("rtu-id", "a RTU of another exchange", "stray", packet(rtu(local=AID ^ 1))),
        hear("rtu-remote", "of another answer", "stray", packet(rtu(remote=BID ^ 1))),
        hear("rtu-who", "from a third host", "stray", packet(rtu(), C4, B4)),
        hear("rtu-to", "to a third host", "stray", packet(rtu(), A4, C4)),
        hear("rtu-turned", "from B", "stray", packet(rtu(), B4, A4)),
        ask("still-nothing", "so far nothing is known", None),
        hear("rtu", "A is ready", "learned", packet(rtu())),
        ask("now", "of the first of each", AQ),
    ]


def said_twice():
    def whole(name, aid, aq, bid, bq, came, at=0, a=A4, b=B4):
        return [hear(f"{name}-req", "asks", "asked", packet(req(aid, aq), a, b), at),
                hear(f"{name}-rep", "answers", "answered", packet(rep(bid, aid, bq), b, a), at),
                hear(f"{name}-rtu", "is ready", came, packet(rtu(aid, bid), a, b), at)]
    return [
        *whole("one", 1, 0x11, 2, 0x22, "learned"),
        ask("one-there", "known", 0x11, to=0x22),
        *whole("Q-5-same", 3, 0x11, 4, 0x22, "learned"),
        ask("Q-5-same-there", "the same QPs, anew: known", 0x11, to=0x22),
        hear("Q-5-same-old", "the ids are now the later ones", "stray", packet(dreq(1, 2, 0x22))),
        *whole("Q-5-other", 5, 0x33, 6, 0x22, "disputed", S),
        ask("Q-5-there", "from 0x11 or from 0x33 ? nobody is slowed down", None, to=0x22, at=S),
        ask("Q-5-back-1", "B to 0x11", 0x22, B4, A4, 0x11, S),
        ask("Q-5-back-2", "B to 0x33", 0x22, B4, A4, 0x33, S),
        *whole("Q-5-again", 7, 0x11, 8, 0x22, "disputed", 2 * S),
        ask("Q-5-still", "nor does it help to say it again", None, to=0x22, at=2 * S),
        *whole("Q-5-third", 9, 0x11, 10, 0x22, "learned", 2 * S, C4),
        ask("Q-5-third-there", "another host is another matter", 0x11, C4, to=0x22, at=2 * S),
        ask("Q-5-end", "the last ns of the dispute", None, to=0x22, at=2 * S + KNOWN - 1),
        *whole("Q-5-after", 11, 0x33, 12, 0x22, "learned", 2 * S + KNOWN),
        ask("Q-5-after-there", "who comes after it is believed", 0x33, to=0x22,
            at=2 * S + KNOWN),
        *whole("Q-9-other", 13, 0x44, 14, 0x22, "disputed", 3 * S + KNOWN),
        hear("Q-9-first", "the first of the two ends", "forgotten",
             packet(dreq(11, 12, 0x22)), 3 * S + KNOWN),
        ask("Q-9-none", "neither is known", None, to=0x22, at=3 * S + KNOWN),
        *whole("Q-9-next", 15, 0x55, 16, 0x22, "learned", 4 * S + KNOWN),
        ask("Q-9-next-there", "the next is", 0x55, to=0x22, at=4 * S + KNOWN),
    ]


def time():
    late = 10 * S - 1
    return [
        hear("req", "asks", "asked", packet(req())),
        hear("Q-3-rep-late", "10 s after", "stray", packet(rep(), B4, A4), 10 * S),
        hear("req-2", "asks again: anew", "asked", packet(req()), 10 * S),
        hear("Q-3-rep", "1 ns less", "answered", packet(rep(), B4, A4), 10 * S + late),
        hear("Q-3-rtu-late", "10 s after that", "stray", packet(rtu()), 20 * S + late),
        hear("req-3", "asks again", "asked", packet(req(qpn=AQ)), 30 * S),
        hear("Q-4-renew", "a REQ that comes again renews the time", "repeated", packet(req()),
             30 * S + late),
        hear("Q-4-rep", "so that this is in time", "answered", packet(rep(), B4, A4), 45 * S),
        hear("Q-4-rep-renew", "and this", "repeated", packet(rep(), B4, A4), 54 * S),
        hear("Q-3-rtu", "1 ns less than 10 s", "learned", packet(rtu()), 54 * S + late),
        ask("Q-8-last", "the last ns of an hour", AQ, at=54 * S + late + KNOWN - 1),
        ask("Q-8-over", "and it is over", None, at=54 * S + late + KNOWN),
        ask("Q-8-over-back", "in both directions", None, B4, A4, AQ, 54 * S + late + KNOWN),
        ask("Q-8-back", "the clock is set back by less than an hour", AQ, at=0),
        hear("Q-8-dreq", "what has expired is not there to end", "stray", packet(dreq()),
             54 * S + late + KNOWN),
    ]


def packets():
    return [
        hear("other-rc", "data", "other", packet(rep(), opcode=0x04)),
        hear("other-mad", "another class", "other", packet(rep(cls=4))),
        hear("other-rej", "a REJ", "other", packet(mad(0x12, 1, 2))),
        hear("other-src-qp", "not from QP 1", "other", packet(req(), src_qp=2)),
        hear("other-q-key", "another Q_Key", "other", packet(req(), q_key=0x11111111)),
        hear("malformed-more", "260 bytes", "malformed", packet(req() + bytes(4))),
        hear("unsupported-rd", "RD", "unsupported", packet(req(service=2))),
        hear("unsupported-tver", "another TVer", "unsupported", packet(req(), tver=2)),
        hear("unexpected_tunnel", "IP in IP", "unexpected_tunnel", packet_in(packet(req()))),
        hear("tunnel-6", "the same of IPv6", "unexpected_tunnel", packet_in(packet(req(), A6, B6))),
        hear("routing", "a Routing header, no segment left", "unexpected_tunnel",
             packet(req(), A6, B6, exts=[routing(0, 0, B6)])),
        hear("fragment", "the first of two", "other",
             packet(req(), frag=0x2000)),
        hear("source-self", "to itself", "bad_address", packet(req(), A4, A4)),
        hear("source-group", "to a group", "bad_address", packet(req(), A4, ANY4)),
        hear("source-zero", "from nobody", "bad_address", packet(req(), "::ffff:0.0.0.0")),
        hear("source-loop", "from loopback", "bad_address", packet(req(), "::ffff:127.0.0.1")),
        hear("source-group-6", "to a group", "bad_address", packet(req(), A6, "ff02::1")),
        hear("access-from", "from a stranger", "access_denied", packet(req(), OUT4, B4)),
        hear("access-to", "to a stranger", "access_denied", packet(req(), A4, OUT4)),
        hear("access-6", "from a stranger", "access_denied", packet(req(), "2001:db9::a", B6)),
        hear("rep", "and nothing has asked", "stray", packet(rep(), B4, A4)),
        hear("listed", "from who is on the list", "asked", packet(req())),
    ]


def packet_in(inner):
    from arn_gate_rows import ip
    return ip(A6, B6, 41 if inner[0] >> 4 == 6 else 4, inner)


BLOCKS = [("R-L3-14; IBTA 12.6, 12.9: two hosts connect and part", connect),
          ("Q-1, Q-2, Q-4: out of order, by others, with other numbers", liars),
          ("Q-5, Q-9: what is said twice, and not the same", said_twice),
          ("Q-3, Q-4, Q-8: times", time), ("whose messages are heard", packets)]
CONFIG = f"""config secret[0]=0123456789abcdef
config secret[1]=fedcba9876543210
config half=64
config known=128
config half_ns={HALF}
config known_ns={KNOWN}
config access[0].prefix=::ffff:10.0.0.0
config access[0].length=120
config access[0].permit=1
config access[1].prefix=2001:db8::
config access[1].length=32
config access[1].permit=1"""
HEAD = """# SPDX-License-Identifier: BSD-2-Clause
# Who sends a flow, as connection management says it. Written by model/qpn.py."""


def lines():
    ids = set()
    yield HEAD
    for source, rows in BLOCKS:
        switch = Switch()
        yield f"\nsource: {source}\n{CONFIG}"
        for name, says, call, should, data, at in rows():
            name = f"{rows.__name__}-{name}"
            if name in ids:
                sys.exit(f"qpn: two rows are {name}")
            ids.add(name)
            gives = (switch.step if call == "qpn_learn" else switch.asked)(data, at)
            if gives != should:
                sys.exit(f"qpn: {name} is {should} by hand, {gives} by the bytes")
            given = [f"now_ns={at}"] if at else []
            yield f"# {says}"
            yield wrapped(" ".join([f"{name} call {call} ok", *split(data), "|", *given,
                                    "->", *gives]))


def main():
    text = "\n".join(lines()) + "\n"
    if "--check" not in sys.argv[1:]:
        PATH.write_text(text, "ascii")
        return
    if PATH.read_text("ascii") != text:
        sys.exit("qpn.vec is not what model/qpn.py writes")
    print(f"vectors: qpn: {text.count(' call ')} rows, each as by hand and as the model "
          "says")


if __name__ == "__main__":
    main()
