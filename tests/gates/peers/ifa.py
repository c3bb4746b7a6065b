# SPDX-License-Identifier: BSD-2-Clause
"""IFA 2.0 written a second time, from the formats' texts alone: rows for tests/wire/ifa.c.

ifa.py N [SEED [NAME=VALUE...]] writes N random packets, and the nodes' results, in the grammar
of vectors/README: find, a source's insertion, a transit's push, a sink's strip. NAME=VALUE are
choices of the domain, such as the bytes that C covers. The rows of vectors/ifa.vec from "source:
tests/gates/peers/ifa.py" on have their arguments there."""
import random
import struct
import sys

GBPS = {0: 10, 1: 25, 2: 40, 3: 50, 4: 100, 5: 200, 6: 400}
A = "ttl speed cn queue rx_sec rx_ns residence egress ingress tx_bytes queue_length"
B = "ttl cn queue rx_sec rx_ns tx_ns egress ingress tx_bytes queue_length"


def bits(*fields):
    """Returns values of so many bits each, one after the other, as bytes."""
    total = value = 0
    for v, n in fields:
        assert 0 <= v < 1 << n
        value, total = value << n | v, total + n
    return value.to_bytes(total // 8, "big")


def record(r, zone=None):
    """Returns a record's members as in rows, and its bytes, by name space or by LNS."""
    u = r.getrandbits
    kind = r.choice({"a": ["a"], "b": ["b", "b_octets"]}.get(zone, "a a a b b_octets".split()))
    lns = u(4) if zone else 1 if kind == "a" else 2
    n = {"layout": kind, "egress_port": u(16), "ingress_port": u(16), "ttl": u(8),
         "rx_timestamp_ns": r.randrange(10 ** 9)}
    if kind == "a":
        n.update(lns=lns, device_id=u(20), speed=u(4), cn=u(2), queue=u(6),
                 rx_timestamp_sec=u(20), residence_time=u(32), tx_bytes=u(32),
                 reserved16=u(16), queue_length=u(16), reserved32=u(32))
        n["present"] = "+".join(i for i in A.split()
                                if i != "speed" or n["speed"] in GBPS)
        return n, bits(
            (lns, 4), (n["device_id"], 20), (n["ttl"], 8), (n["speed"], 4), (n["cn"], 2),
            (n["queue"], 6), (n["rx_timestamp_sec"], 20), (n["egress_port"], 16),
            (n["ingress_port"], 16), (n["rx_timestamp_ns"], 32),
            (n["residence_time"], 32), (n["tx_bytes"], 32), (n["reserved16"], 16),
            (n["queue_length"], 16), (n["reserved32"], 32))
    n.update(lns=lns, device_id=u(28), cn=u(5), tx_bytes=u(40), queue=u(8), speed=15,
             tx_timestamp_ns=r.randrange(10 ** 9))
    if kind == "b":
        n.update(rx_timestamp_sec=u(47), queue_length=u(16))
        sec = bits((n["rx_timestamp_sec"], 48))
    else:
        n.update(reserved16=u(16), queue_length=u(32))
        sec = bits((0x8000, 16), (n["queue_length"] >> 16, 16), (n["reserved16"], 16))
    n["present"] = B if kind == "b" else B.replace("rx_sec ", "")
    n["present"] = n["present"].replace(" ", "+")
    return n, bits((lns, 4), (n["device_id"], 28), (2, 3), (n["cn"], 5),
                   (n["tx_bytes"] >> 32, 8), (n["ttl"], 8), (n["queue"], 8)) + sec + bits(
        (n["rx_timestamp_ns"], 32), (n["tx_timestamp_ns"], 32),
        (n["queue_length"] & 0xffff, 16), (n["ingress_port"], 16),
        (n["egress_port"], 16), (n["tx_bytes"] & 0xffffffff, 32))


def l4(r, payload):
    """Returns an upper layer's number and header."""
    u = r.getrandbits
    kind = r.choice(["udp", "udp", "tcp", "gre"])
    if kind == "udp":
        return 17, struct.pack(">HHHH", u(16), 4791, 8 + payload, u(16))
    if kind == "tcp":
        words = r.randrange(5, 16)
        return 6, struct.pack(">HHIIBBHHH", u(16), u(16), u(32), u(32), words << 4,
                              u(8), u(16), u(16), 0) + r.randbytes(4 * (words - 5))
    flags = r.choice([0, 8, 2, 1, 10, 11])
    return 47, bytes([flags << 4, 0, 8, 0]) + r.randbytes(4 * bin(flags).count("1"))


def ip(r, body, proto):
    """Returns a packet of either version. The same random bits give the same headers."""
    u = r.getrandbits
    if r.randrange(2):
        options = r.randbytes(4 * r.choice([0, 0, 1, 10]))
        h = bytearray(struct.pack(">BBHHHBBH", 69 + len(options) // 4, u(8),
                                  20 + len(options) + len(body), u(16), 0x4000, u(8),
                                  proto, 0) + r.randbytes(8) + options)
        total = sum(struct.unpack(">%dH" % (len(h) // 2), h))
        while total >> 16:
            total = (total & 0xffff) + (total >> 16)
        h[10:12] = struct.pack(">H", 0xffff - total)
        return bytes(h) + body
    types = [r.choice([0, 43, 60, 135]) for _ in range(r.choice([0, 0, 1, 3]))] + [proto]
    ext = b""
    for after in types[1:]:
        n = r.randrange(2)
        ext += bytes([after, n]) + r.randbytes(6 + 8 * n)
    return struct.pack(">IHBB", 6 << 28 | u(28), len(ext) + len(body), types[0],
                       u(8)) + r.randbytes(32) + ext + body


class Packet:
    """A packet with IFA: a plain one and the nodes' additions."""

    def __init__(self, r):
        self.seed = r.getrandbits(32)
        self.payload = r.randbytes(r.randrange(40))
        self.proto, self.l4 = l4(r, len(self.payload))
        self.flags = r.choice([0x04, 0x06, 0xe4])
        self.optional = b""
        self.max_length = r.choice([255, 248, 64, 40])
        self.request, self.action, self.hop_limit = (r.getrandbits(8) for _ in range(3))
        self.stack = b""

    def plain(self):
        return ip(random.Random(self.seed), self.l4 + self.payload, self.proto)

    def bytes(self):
        head = bytes([0x2f, self.proto, self.flags, self.max_length])
        meta = bytes([self.request, self.action, self.hop_limit, len(self.stack) // 4])
        body = head + self.l4 + meta + self.optional + self.stack + self.payload
        return ip(random.Random(self.seed), body, 253)

    def members(self):
        m = {"header.version": 2, "header.gns": 15, "header.next_hdr": self.proto,
             "header.flags": self.flags, "header.max_length": self.max_length,
             "metadata.request_vector": self.request,
             "metadata.action_vector": self.action,
             "metadata.hop_limit": self.hop_limit,
             "metadata.current_length": len(self.stack) // 4, "l4": self.l4.hex(),
             "nodes": self.stack.hex() or "-", "payload": self.payload.hex() or "-"}
        rest = self.optional
        if self.flags & 1:
            m["checksum.checksum"], m["checksum.reserved"] = struct.unpack(">HH", rest[:4])
            rest = rest[4:]
        if self.flags & 0x10:
            w = int.from_bytes(rest, "big")
            m["fragment.packet_id"] = w // 64
            m["fragment.mf_id"] = w // 2 % 32
            m["fragment.last"] = w % 2
        return m


class Choices(Packet):
    """A packet with choices that no public text fixes."""

    def __init__(self, r, choices):
        super().__init__(r)
        self.choices = choices
        u = r.getrandbits
        gns = [(15, None)] + [(n, k) for k in "ab" for n in range(15)
                              if int(choices.get("gns_" + k, "0"), 0) >> n & 1]
        self.gns, self.zone = r.choice(gns)
        self.flags &= 0xe6
        if "checksum" in choices:
            self.flags |= r.choice([0, 1, 1])
        if "fragments" in choices:
            self.flags |= r.choice([0, 0x10, 0x10])
            self.max_length = r.choice([8, 17, 24, 255])
        if "tail" in choices:
            self.flags |= 0x08
        self.packet_id, self.mf_id, self.damage = u(26), 0, 0

    def headers(self):
        """Returns the headers from the metadata header to the stack, with the checksum."""
        meta = bytes([self.request, self.action, self.hop_limit, len(self.stack) // 4])
        mf = bits((self.packet_id, 26), (self.mf_id, 5), (0, 1))
        mf = mf if self.flags & 0x10 else b""
        if not self.flags & 1:
            return meta, mf
        covered = self.stack
        if self.choices["checksum"] == "metadata":
            covered = meta + mf + self.stack
        total = int.from_bytes(covered, "big")  # of words: 2^16 is 1 modulo 2^16 - 1
        total = total and (total - 1) % 0xffff + 1
        return meta, struct.pack(">HH", 0xffff - total ^ self.damage, 0) + mf

    def bytes(self):
        meta, self.optional = self.headers()
        ifa = bytes([0x20 | self.gns, self.proto, self.flags, self.max_length])
        if self.flags & 8:
            # mirrored: the fragment header, the checksum header, the metadata header
            words = [self.optional[k:k + 4] for k in range(0, len(self.optional), 4)]
            body = ifa + self.l4 + self.payload + self.stack + b"".join(words[::-1]) + meta
        else:
            body = ifa + self.l4 + meta + self.optional + self.stack + self.payload
        return ip(random.Random(self.seed), body, 253)

    def members(self):
        return dict(super().members(), **{"header.gns": self.gns})


def row(name, call, before, args, after, status="ok"):
    text = ["%s call %s %s %s |" % (name, call, status, before.hex())]
    text += ["%s=%s" % kv for kv in args.items()] + ["->"]
    text += ["%s=%s" % kv for kv in after.items()]
    line = ""
    for word in " ".join(text).split(" "):
        if line.strip() and len(line) + 1 + len(word) > 88:
            print(line)
            line = "   "
        line = line + " " + word if line else word
    print(line)


def rows(r, i):
    p = Packet(r)
    plain = p.plain()
    hops = 1 + p.hop_limit if p.hop_limit < 5 else r.randrange(7)
    row("p%d-insert" % i, "ifa_insert", plain,
        {"version": 2, "gns": 15, "flags": p.flags, "max_length": p.max_length,
         "request_vector": p.request, "action_vector": p.action,
         "hop_limit": p.hop_limit}, {"packet": p.bytes().hex()})
    for k in range(hops):
        before = p.bytes()
        n, b = record(r)
        full = len(p.stack) + 32 > 4 * p.max_length
        if p.hop_limit == 0 or full:
            row("p%d-stop%d" % (i, k), "ifa_plan_push", before, {"mtu_bytes": 9000},
                {"verdict": "hops" if p.hop_limit == 0 else "full"})
            break
        p.stack, p.hop_limit = b + p.stack, p.hop_limit - 1
        row("p%d-push%d" % (i, k), "ifa_push", before, n, {"packet": p.bytes().hex()})
        row("p%d-node%d" % (i, k), "ifa_node_next", p.stack, {}, n)
    row("p%d-strip" % i, "ifa_strip", p.bytes(), {}, {"packet": plain.hex()})
    if r.randrange(2):
        p.flags |= 0x01
        p.optional += r.randbytes(4)
    if r.randrange(2):
        p.flags |= 0x10
        p.optional += r.randbytes(4)
    row("p%d-find" % i, "ifa_find", p.bytes(), {}, p.members())


def choice_rows(r, name, choices):
    """Writes rows with choices. With fragments, a record replaces a full stack."""
    p = Choices(r, choices)
    plain = p.plain()
    args = {"version": 2, "gns": p.gns, "flags": p.flags, "max_length": p.max_length,
            "request_vector": p.request, "action_vector": p.action,
            "hop_limit": p.hop_limit}
    if p.flags & 0x10:
        args["packet_id"] = p.packet_id
    row(name + "-insert", "ifa_insert", plain, args, {"packet": p.bytes().hex()})
    for k in range(min(p.hop_limit, r.randrange(1, 6))):
        before = p.bytes()
        n, b = record(r, p.zone)
        call = "ifa_push"
        if len(p.stack) + 32 > 4 * p.max_length:
            if not p.flags & 0x10:
                break
            p.stack, p.mf_id, call = b"", p.mf_id + 1, "ifa_fragment"
        last = choices.get("tail") == "newest_last"
        p.stack = p.stack + b if last else b + p.stack
        p.hop_limit -= 1
        row("%s-push%d" % (name, k), call, before, n, {"packet": p.bytes().hex()})
    sums = p.flags & 1
    row(name + "-verify", "ifa_verify", p.bytes(), {}, {}, "ok" if sums else "no_match")
    row(name + "-find", "ifa_find", p.bytes(), {}, p.members())
    row(name + "-strip", "ifa_strip", p.bytes(), {}, {"packet": plain.hex()})
    if sums:
        p.damage = 1 << r.randrange(16)
        row(name + "-wrong", "ifa_verify", p.bytes(), {}, {}, "format")


def main():
    n, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    choices = dict(a.split("=") for a in sys.argv[3:])
    r = random.Random(seed)
    print("source: tests/gates/peers/ifa.py " + " ".join([str(n), str(seed)] + sys.argv[3:]))
    for name, value in ("protocol", 253), ("layout_a", 2), ("layout_b", 4):
        print("config ifa.%s=%d" % (name, value))
    for name, value in choices.items():
        print("config ifa.%s=%s" % (name, value))
    for i in range(n):
        if choices:
            choice_rows(r, "c%d-%d" % (seed, i), choices)
        else:
            rows(r, i)


main()
