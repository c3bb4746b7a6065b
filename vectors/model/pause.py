# SPDX-License-Identifier: BSD-2-Clause
"""Precise flow control, with a table of held traffic and a table of sent requests."""
from ipaddress import IPv6Address
from struct import pack

from trace import main

SLOTS, BUCKET, ASKERS, TURN = 64, 8, 4, 2**64
NONE = 2**32 - 1
PORTED = {6, 17, 33, 132, 136}  # TCP, UDP, DCCP, SCTP, UDP-Lite


def siphash13(k0, k1, data):
    """Returns SipHash-1-3, CPython's hash of bytes. PYTHONHASHSEED=0 makes k0 = k1 = 0."""
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
            "pfc_ns": 20_000, "min_ns": 1000, "xoff_bytes": 200_000,
            "xon_bytes": 100_000, "requesters": 16, "max_slots_per_requester": 32, "mode": mode, "priorities": 8}


class Node:
    PRESETS = {m: lambda link_bps, m=m: lab(m)
               for m in ("service", "flow", "priority", "class")}

    def __init__(self, params):
        self.p = params
        self.holds = [None] * SLOTS  # or {key, until, who: {node: (until, tag)}}
        self.asks = [None] * SLOTS   # or {key, until}
        self.missing = self.full = self.refused = self.ask_full = 0

    @staticmethod
    def action(what="nothing", pfc=0, evicted=False, arm=False, slot=NONE, wait_ns=0,
               time_ns=0):
        return {"what": what, "pfc": int(pfc), "evicted": evicted, "arm": arm,
                "slot": slot, "wait_ns": wait_ns, "time_ns": time_ns}

    # A key has a side, a switch port, and either a priority or a flow. A flow has a protocol, and a
    # source port if the protocol has ports.

    def key(self, side, port, f=None, src_port=0, proto=0, priority=None):
        if priority is not None:
            return (side, port, "priority", priority)
        if proto not in PORTED:
            return (side, port, "flow", f, proto)
        return (side, port, "flow", f, proto, src_port)

    def buckets(self, key):
        """Returns the slots of a key's two buckets, which are in different halves of the table. In
        mode class, a key has only one bucket."""
        side, port, kind, *what = key
        if self.p["mode"] == "class":
            first = port % (SLOTS // BUCKET) * BUCKET
            return [list(range(first, first + BUCKET))]
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
        h = siphash13(self.p["hash_key[0]"], self.p["hash_key[1]"], data)
        left = h % 2**32 % (SLOTS // 2) // BUCKET * BUCKET
        right = SLOTS // 2 + (h >> 32) % (SLOTS // 2) // BUCKET * BUCKET
        return [list(range(left, left + BUCKET)), list(range(right, right + BUCKET))]

    @staticmethod
    def find(table, key):
        for i, s in enumerate(table):
            if s is not None and s["key"] == key:
                return i
        return None

    def left(self, until, now):
        ahead = (until - now) % TURN
        return ahead if ahead <= self.p["max_ns"] else 0

    def give(self, table, key, now, grace):
        """Returns a free slot in the emptier bucket (P-12). Without one, returns a slot that
        expired at least `grace` ns ago, or None."""
        free = [[i for i in b if table[i] is None] for b in self.buckets(key)]
        best = max(free, key=len)  # the first bucket if equal
        gone = [i for b in self.buckets(key) for i in b if table[i] is not None
                and not self.left(table[i]["until"], now)
                and (now - table[i]["until"]) % TURN >= grace]
        return (best + gone)[0] if best + gone else None

    BLANK = dict.fromkeys(
        ("outer", "inner", "src_port", "proto", "priority", "in_port", "out_port"), 0)

    def traffic_key(self, side, port, x):
        if self.p["mode"] in ("priority", "class"):
            return self.key(side, port, priority=x["priority"])
        f = x["outer"] if self.p["mode"] == "service" else x["inner"]
        return self.key(side, port, f, x["src_port"], x["proto"])

    # The requesters of a slot.

    def forget(self, s, now):
        """Removes expired requesters from a slot. Returns the others' remaining times,
        sorted."""
        s["who"] = {n: w for n, w in s["who"].items() if self.left(w[0], now)}
        return sorted(self.left(w[0], now) for w in s["who"].values())

    def settle(self, i, now):
        left = self.forget(self.holds[i], now)
        if not left:
            self.holds[i] = None
            return self.action("run", slot=i)
        self.holds[i]["until"] = (now + left[-1]) % TURN
        return self.action(arm=True, slot=i, wait_ns=left[0])

    def has(self, tag):
        """Returns the number of nodes with this tag, added over all slots. Is 0 in mode class."""
        if self.p["mode"] == "class":
            return 0
        return sum(w[1] == tag for s in self.holds if s for w in s["who"].values())

    def may(self, tag):
        return self.p["mode"] == "class" or self.has(tag) < self.p["max_slots_per_requester"]

    # Events.

    def notify(self, now_ns=0, type=0, has="", time_ns=0, outer=0, src_port=0, proto=0,
               priority=0, in_port=0, node=0, tag=0, pfc=0):
        has = str(has).split("+")
        if type in (3, 4):
            return self.action("hand_on")
        if type not in (1, 2):
            return self.action("ignored_type")
        by_class = self.p["mode"] == "class"
        by_priority = by_class or self.p["mode"] == "priority"
        named = ("priority" in has and priority < self.p["priorities"] if by_priority
                 else "flow" in has)
        if not named or (type == 1 and "time" not in has) or bool(pfc) != by_class:
            self.missing += 1
            return self.action("ignored_parameter")
        if by_class:
            node = tag = 0
        elif tag >= self.p["requesters"]:
            self.refused += 1
            return self.action("ignored_requester")
        key = (self.key("held", in_port, priority=priority) if by_priority
               else self.key("held", in_port, outer, src_port, proto))
        i = self.find(self.holds, key)
        if type == 2 or time_ns == 0:
            if i is None or node not in self.holds[i]["who"]:
                return self.action()
            del self.holds[i]["who"][node]
            return self.settle(i, now_ns)
        if (i is None or node not in self.holds[i]["who"]) and not self.may(tag):
            self.refused += 1
            return self.action("ignored_requester")
        evicted = False
        if i is None:
            i = self.give(self.holds, key, now_ns, 0)
            if i is None:
                self.full += 1
                return self.action("ignored_full")
            evicted = self.holds[i] is not None
            self.holds[i] = {"key": key, "until": 0, "who": {}}
        s = self.holds[i]
        until = (now_ns + min(time_ns, self.p["max_ns"])) % TURN
        if node in s["who"]:
            tag = s["who"][node][1]  # the tag of the node's first request
            del s["who"][node]
        left = self.forget(s, now_ns)
        s["until"] = (now_ns + max(left, default=0)) % TURN
        if len(s["who"]) == ASKERS:
            self.full += 1
            return self.action("ignored_full")
        s["who"][node] = (until, tag)
        left = self.forget(s, now_ns)
        s["until"] = (now_ns + left[-1]) % TURN
        return self.action("hold", arm=True, slot=i, wait_ns=left[0], time_ns=left[-1],
                           evicted=evicted)

    def packet(self, now_ns=0, control=0, **x):
        x = self.BLANK | x
        i = self.find(self.holds, self.traffic_key("held", x["out_port"], x))
        if control or i is None:
            return self.action("run")
        left = self.left(self.holds[i]["until"], now_ns)
        return self.action("hold" if left else "run", slot=i, time_ns=left)

    def timer(self, slot=0, now_ns=0):
        if slot >= SLOTS or self.holds[slot] is None:
            return self.action()
        return self.settle(slot, now_ns)

    def queue(self, now_ns=0, bytes=0, pfc=0, control=0, **x):
        x = self.BLANK | x
        if control:
            return self.action()
        pfc = pfc or self.p["mode"] == "class"
        key = (self.key("asked-pfc", x["in_port"], priority=x["priority"]) if pfc
               else self.traffic_key("asked", x["in_port"], x))
        own = self.packet(now_ns, **x)["time_ns"]
        most = self.p["pfc_ns" if pfc else "pause_ns"]
        time = min(own or most, most)
        i = self.find(self.asks, key)
        if i is None and bytes < self.p["xoff_bytes"]:
            return self.action()
        if i is not None and bytes <= self.p["xon_bytes"]:
            self.asks[i] = None
            return self.action("ask_resume", pfc=pfc, slot=i)
        if i is not None and self.left(self.asks[i]["until"], now_ns):
            return self.action()
        if time < self.p["min_ns"]:
            return self.action()
        if i is None:
            i = self.give(self.asks, key, now_ns, self.p["pause_ns"])
            if i is None:
                self.ask_full += 1
                return self.action("ignored_full")
        wait = time if time < most // 4 else -(-time // 2)
        self.asks[i] = {"key": key, "until": (now_ns + wait) % TURN}
        return self.action("ask", pfc, False, True, i, wait, time)

    def state(self):
        def sum_of(table):
            return sum((i + 1) * s["until"] for i, s in enumerate(table) if s) % TURN

        return {"held": sum(s is not None for s in self.holds), "missing": self.missing,
                "full": self.full, "refused": self.refused,
                "asked": sum(s is not None for s in self.asks),
                "ask_full": self.ask_full, "until_sum": sum_of(self.holds),
                "has_sum": sum((t + 1) * self.has(t) for t in range(self.p["requesters"])),
                "ask_sum": sum_of(self.asks)}


def events(flows, step, ports="0..1", time="0..200000", nodes="0..2", pfc="0"):
    """Returns a mix of events. `flows` and `ports` set the number of keys, and `nodes` sets
    the number of nodes that send requests."""
    x = (f"src_port=0..1 proto=17/17/41/6 priority=0..7 in_port={ports} out_port={ports}"
         f" control=0/0/0/0/0/0/0/1 now_ns=+{step}")
    return (f"notify*3 outer={flows} type=1/1/1/1/1/1/2/2/3/4/5 has=flow+priority+time/"
            f"flow+priority+time/flow+priority+time/flow+time/priority+time/flow/time"
            f" time_ns={time} src_port=0..1 proto=17/17/41/6 priority=0..8"
            f" node={nodes} tag=0..2 pfc={pfc}"
            f" in_port={ports} now_ns=+{step}"
            f" | packet*4 outer={flows} inner={flows} {x}"
            f" | timer slot=0..64 now_ns=+{step}"
            f" | queue*4 outer={flows} inner={flows} bytes=0..400000 pfc=0/0/0/1 {x}")


def back(low, high):
    """Returns a clock step back by low..high."""
    return f"{2**64 - high}..{2**64 - low}"


KEYS = "hash_key[0]=81985529216486895 hash_key[1]=18364758544493064720"

TRACES = [
    (f"z01 pause seed=1 preset=service {KEYS}", [f"10000: {events('0..7', '0..1000')}"]),
    (f"z02 pause seed=2 preset=flow {KEYS}", [f"10000: {events('0..7', '0..1000')}"]),
    (f"z03 pause seed=3 preset=priority {KEYS}",
     [f"10000: {events('0..1', '0..1000', '0..3')}"]),
    # More keys than slots, few of which expire, so that the buckets are full.
    (f"z04 pause seed=4 preset=service {KEYS}",
     [f"10000: {events('0..200', '0..100', '0..3')}"]),
    (f"z05 pause seed=5 preset=flow {KEYS}",
     [f"10000: {events('0..60', '0..2000', '0..1', '0..1000000')}"]),
    # Slots that change from key to key.
    (f"z06 pause seed=6 preset=flow {KEYS}",
     [f"10000: {events('0..4000000000', '0..20000', '0..1', '1..100000')}"]),
    (f"z07 pause seed=7 preset=priority {KEYS} priorities=64",
     [f"10000: {events('0..1', '0..5000', '0..20')}"]),
    # Pauses that are shortened, and the shortest pauses.
    (f"z08 pause seed=8 preset=service {KEYS} max_ns=50000 pause_ns=50000 pfc_ns=40000",
     [f"10000: {events('0..5', '0..10000')}"]),
    (f"z09 pause seed=9 preset=flow {KEYS} max_ns=3 pause_ns=1 pfc_ns=1 min_ns=1",
     [f"10000: {events('0..5', '0..2', '0..1', '0..6')}"]),
    # Queue lengths at XOFF and at XON, or one byte away, and times near half of a pause.
    (f"z10 pause seed=10 preset=service {KEYS} pause_ns=7 pfc_ns=7 min_ns=2",
     ["10000: queue bytes=199999/200000/100000/100001 outer=0..2 proto=17 now_ns=+0..5"
      " | notify type=1 has=flow+time time_ns=1..9 outer=0..2 proto=17 now_ns=+0..2"]),
    # A clock that wraps at 64 bits (z11), and a clock that steps back (z12).
    (f"z11 pause seed=11 preset=flow {KEYS}",
     [f"1: timer now_ns=+{back(3000000, 3000000)}",
      f"9999: {events('0..7', '0..1000')}"]),
    (f"z12 pause seed=12 preset=priority {KEYS}",
     ["1: timer now_ns=+4000000000..4000000000",
      f"9999: {events('0..1', '0..2000')}"
      f" | timer slot=0..64 now_ns=+{back(1, 400000)}"
      f" | timer slot=0..64 now_ns=+{back(1000000000, 1000200000)}"
      " | timer slot=0..64 now_ns=+1000000000..1000200000"]),
    # More requests than a slot can hold or the limits permit, and many nodes with the same tag.
    (f"z13 pause seed=13 preset=flow {KEYS} requesters=3 max_slots_per_requester=4",
     [f"10000: {events('0..3', '0..2000', nodes='0..9')}"]),
    (f"z14 pause seed=14 preset=service {KEYS} requesters=2 max_slots_per_requester=1000",
     [f"10000: {events('0..1', '0..5000', nodes='0..5')}"]),
    (f"z15 pause seed=15 preset=flow {KEYS} requesters=0",
     [f"1000: {events('0..3', '0..2000')}"]),
    # PFC on as many ports as there are buckets, and on more.
    (f"z16 pause seed=16 preset=class {KEYS}",
     [f"10000: {events('0..1', '0..2000', '0..7', pfc='1/1/1/0')}"]),
    (f"z17 pause seed=17 preset=class {KEYS} requesters=0 priorities=4",
     [f"10000: {events('0..1', '0..500', '0..40', pfc='1')}"]),
    # Traffic that is held for less time than the shortest request.
    (f"z18 pause seed=18 preset=flow {KEYS} min_ns=20000",
     [f"10000: {events('0..2', '0..3000', '0..1', '0..60000')}"]),
]

if __name__ == "__main__":
    main("pause", Node, TRACES)
