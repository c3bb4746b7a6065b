# SPDX-License-Identifier: BSD-2-Clause
"""Precise flow control: a list of what is held and what was asked, slot by slot."""
from ipaddress import IPv6Address
from struct import pack

from trace import main

SLOTS, WINDOW, TURN = 64, 8, 2**64
NONE = 2**32 - 1
PORTED = {6, 17, 33, 132, 136}  # TCP, UDP, DCCP, SCTP, UDP-Lite


def siphash13(k0, k1, data):
    """As CPython hashes bytes where PYTHONHASHSEED=0 makes k0 = k1 = 0."""
    v = [k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d,
         k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573]

    def turn(x, b):
        return (x << b | x >> 64 - b) % TURN

    def mix():
        v[0] = (v[0] + v[1]) % TURN
        v[2] = (v[2] + v[3]) % TURN
        v[1] = turn(v[1], 13) ^ v[0]
        v[3] = turn(v[3], 16) ^ v[2]
        v[0] = turn(v[0], 32)
        v[2] = (v[2] + v[1]) % TURN
        v[0] = (v[0] + v[3]) % TURN
        v[1] = turn(v[1], 17) ^ v[2]
        v[3] = turn(v[3], 21) ^ v[0]
        v[2] = turn(v[2], 32)

    whole = data + bytes(7 - len(data) % 8) + bytes([len(data) % 256])
    for i in range(0, len(whole), 8):
        m = int.from_bytes(whole[i:i + 8], "little")
        v[3] ^= m
        mix()
        v[0] ^= m
    v[2] ^= 0xff
    for _ in range(3):
        mix()
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def lab(mode):
    return {"hash_key[0]": 0, "hash_key[1]": 0, "max_ns": 10**9, "pause_ns": 100_000,
            "pfc_ns": 20_000,
            "xoff_bytes": 200_000, "xon_bytes": 100_000, "mode": mode, "priorities": 8}


class Node:
    PRESETS = {m: lambda link_bps, m=m: lab(m) for m in ("service", "flow", "priority")}

    def __init__(self, params):
        self.p = params
        self.slots = [None] * SLOTS  # or {key, side, until}
        self.missing = self.full = 0

    @staticmethod
    def action(what="nothing", pfc=0, evicted=False, arm=False, slot=NONE, wait_ns=0,
               time_ns=0):
        return {"what": what, "pfc": int(pfc), "evicted": evicted, "arm": arm,
                "slot": slot, "wait_ns": wait_ns, "time_ns": time_ns}

    # Keys: (flow, source port, protocol) or a priority, on a port and a side.

    def key(self, side, port, f=None, src_port=0, proto=0, priority=None):
        if priority is not None:
            return (side, port, "priority", priority)
        if proto not in PORTED:
            return (side, port, "flow", f, proto)
        return (side, port, "flow", f, proto, src_port)

    def window(self, key):
        side, port, kind, *what = key
        if kind == "priority":
            data = bytes(32) + pack("<Q", what[0])
        else:
            f, proto, *ports = what
            data = b"".join(pack("<QQ", a >> 64, a % TURN) for a in
                            (int(IPv6Address("fd00::")) + f, int(IPv6Address("fd01::")) + f))
            word = proto << 8
            if ports:
                word += (ports[0] << 32) + (4791 << 16)
            data += pack("<Q", word)
        data += pack("<II", {"held": 1, "asked": 2, "asked-pfc": 3}[side], port)
        at = siphash13(self.p["hash_key[0]"], self.p["hash_key[1]"], data) % SLOTS
        return [(at + i) % SLOTS for i in range(WINDOW)]

    def find(self, key):
        for i, s in enumerate(self.slots):
            if s is not None and s["key"] == key:
                return i
        return None

    def left(self, until, now):
        ahead = (until - now) % TURN
        return ahead if ahead <= self.p["max_ns"] else 0

    def over(self, s, now):
        if self.left(s["until"], now):
            return False
        return s["key"][0] == "held" or (now - s["until"]) % TURN >= self.p["pause_ns"]

    def give(self, key, now):
        """A slot for a new key, and whether it was another's."""
        window = self.window(key)
        free = [i for i in window if self.slots[i] is None]
        gone = [i for i in window if self.slots[i] and self.over(self.slots[i], now)]
        if not free + gone:
            self.full += 1
            return None, False
        i = (free + gone)[0]
        evicted = self.slots[i] is not None and self.slots[i]["key"][0] == "held"
        self.slots[i] = {"key": key, "until": 0}
        return i, evicted

    BLANK = dict.fromkeys(
        ("outer", "inner", "src_port", "proto", "priority", "in_port", "out_port"), 0)

    def traffic_key(self, side, port, x):
        if self.p["mode"] == "priority":
            return self.key(side, port, priority=x["priority"])
        f = x["outer"] if self.p["mode"] == "service" else x["inner"]
        return self.key(side, port, f, x["src_port"], x["proto"])

    # Events.

    def notify(self, now_ns=0, type=0, has="", time_ns=0, outer=0, src_port=0, proto=0,
               priority=0, in_port=0):
        has = str(has).split("+")
        if type in (3, 4):
            return self.action("hand_on")
        if type not in (1, 2):
            return self.action("ignored_type")
        by_priority = self.p["mode"] == "priority"
        named = ("priority" in has and priority < self.p["priorities"] if by_priority
                 else "flow" in has)
        if not named or (type == 1 and "time" not in has):
            self.missing += 1
            return self.action("ignored_parameter")
        key = (self.key("held", in_port, priority=priority) if by_priority
               else self.key("held", in_port, outer, src_port, proto))
        i = self.find(key)
        if type == 2 or time_ns == 0:
            if i is None:
                return self.action()
            self.slots[i] = None
            return self.action("run", slot=i)
        evicted = False
        if i is None:
            i, evicted = self.give(key, now_ns)
            if i is None:
                return self.action("ignored_full")
        wait = min(time_ns, self.p["max_ns"])
        self.slots[i]["until"] = (now_ns + wait) % TURN
        return self.action("hold", arm=True, slot=i, wait_ns=wait, evicted=evicted)

    def packet(self, now_ns=0, control=0, **x):
        x = self.BLANK | x
        i = self.find(self.traffic_key("held", x["out_port"], x))
        if control or i is None:
            return self.action("run")
        left = self.left(self.slots[i]["until"], now_ns)
        return self.action("hold" if left else "run", slot=i, wait_ns=left)

    def timer(self, slot=0, now_ns=0):
        if slot >= SLOTS or self.slots[slot] is None or self.slots[slot]["key"][0] != "held":
            return self.action()
        left = self.left(self.slots[slot]["until"], now_ns)
        if left:
            return self.action(arm=True, slot=slot, wait_ns=left)
        self.slots[slot] = None
        return self.action("run", slot=slot)

    def queue(self, now_ns=0, bytes=0, pfc=0, control=0, **x):
        x = self.BLANK | x
        if control:
            return self.action()
        key = (self.key("asked-pfc", x["in_port"], priority=x["priority"]) if pfc
               else self.traffic_key("asked", x["in_port"], x))
        i = self.find(key)
        evicted = False
        if i is None:
            if bytes < self.p["xoff_bytes"]:
                return self.action()
            i, evicted = self.give(key, now_ns)
            if i is None:
                return self.action("ignored_full")
        elif bytes <= self.p["xon_bytes"]:
            self.slots[i] = None
            return self.action("ask_resume", pfc=pfc, slot=i)
        elif self.left(self.slots[i]["until"], now_ns):
            return self.action()
        own = self.packet(now_ns, **x)["wait_ns"]
        most = self.p["pfc_ns" if pfc else "pause_ns"]
        time = min(own or most, most)
        wait = time if time < most // 4 else -(-time // 2)
        self.slots[i]["until"] = (now_ns + wait) % TURN
        return self.action("ask", pfc, evicted, True, i, wait, time)

    def state(self):
        used = [(i, s) for i, s in enumerate(self.slots) if s is not None]
        return {"held": sum(s["key"][0] == "held" for _, s in used),
                "missing": self.missing, "full": self.full, "used": len(used),
                "until_sum": sum((i + 1) * s["until"] for i, s in used) % TURN}


def events(flows, step, ports="0..1", time="0..200000"):
    """A mix; flows and ports say how many keys there are."""
    x = (f"src_port=0..1 proto=17/17/41/6 priority=0..7 in_port={ports} out_port={ports}"
         f" control=0/0/0/0/0/0/0/1 now_ns=+{step}")
    return (f"notify*3 outer={flows} type=1/1/1/1/1/1/2/2/3/4/5 has=flow+priority+time/"
            f"flow+priority+time/flow+priority+time/flow+time/priority+time/flow/time"
            f" time_ns={time} src_port=0..1 proto=17/17/41/6 priority=0..8"
            f" in_port={ports} now_ns=+{step}"
            f" | packet*4 outer={flows} inner={flows} {x}"
            f" | timer slot=0..64 now_ns=+{step}"
            f" | queue*4 outer={flows} inner={flows} bytes=0..400000 pfc=0/0/0/1 {x}")


def back(low, high):
    """A step of the clock back by low..high."""
    return f"{2**64 - high}..{2**64 - low}"


KEYS = "hash_key[0]=81985529216486895 hash_key[1]=18364758544493064720"

TRACES = [
    ("z01 pause seed=1 preset=service", [f"10000: {events('0..7', '0..1000')}"]),
    (f"z02 pause seed=2 preset=flow {KEYS}", [f"10000: {events('0..7', '0..1000')}"]),
    (f"z03 pause seed=3 preset=priority {KEYS}",
     [f"10000: {events('0..1', '0..1000', '0..3')}"]),
    # More keys than there are slots, and little of it over: the windows are full.
    (f"z04 pause seed=4 preset=service {KEYS}",
     [f"10000: {events('0..200', '0..100', '0..3')}"]),
    (f"z05 pause seed=5 preset=flow {KEYS}",
     [f"10000: {events('0..60', '0..2000', '0..1', '0..1000000')}"]),
    # Slots that go from key to key.
    (f"z06 pause seed=6 preset=flow {KEYS}",
     [f"10000: {events('0..4000000000', '0..20000', '0..1', '1..100000')}"]),
    (f"z07 pause seed=7 preset=priority {KEYS} priorities=64",
     [f"10000: {events('0..1', '0..5000', '0..20')}"]),
    # Pauses that are cut; the smallest.
    (f"z08 pause seed=8 preset=service {KEYS} max_ns=50000 pause_ns=50000 pfc_ns=40000",
     [f"10000: {events('0..5', '0..10000')}"]),
    (f"z09 pause seed=9 preset=flow {KEYS} max_ns=3 pause_ns=1 pfc_ns=1",
     [f"10000: {events('0..5', '0..2', '0..1', '0..6')}"]),
    # The edges of XOFF and XON, and of half the time.
    (f"z10 pause seed=10 preset=service {KEYS} pause_ns=7 pfc_ns=7",
     ["10000: queue bytes=199999/200000/100000/100001 outer=0..2 proto=17 now_ns=+0..5"
      " | notify type=1 has=flow+time time_ns=1..9 outer=0..2 proto=17 now_ns=+0..2"]),
    # The clock passes the end of its 64 bits, and steps back.
    (f"z11 pause seed=11 preset=flow {KEYS}",
     [f"1: timer now_ns=+{back(3000000, 3000000)}",
      f"9999: {events('0..7', '0..1000')}"]),
    (f"z12 pause seed=12 preset=priority {KEYS}",
     ["1: timer now_ns=+4000000000..4000000000",
      f"9999: {events('0..1', '0..2000')}"
      f" | timer slot=0..64 now_ns=+{back(1, 400000)}"
      f" | timer slot=0..64 now_ns=+{back(1000000000, 1000200000)}"
      " | timer slot=0..64 now_ns=+1000000000..1000200000"]),
]

if __name__ == "__main__":
    main("pause", Node, TRACES)
