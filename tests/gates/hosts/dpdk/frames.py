# SPDX-License-Identifier: BSD-2-Clause
"""Frames for examples/dpdk, and the expected results, written from the texts with only scapy and
zlib.

frames.py make DIR            DIR/{in,lane0,lane1}.pcap, connections, expect.json
frames.py check DIR IN END    DIR/cnpEND.pcap and DIR/hostEND.pcap, for IN.pcap
frames.py bench DIR           DIR/{ect,ce}.pcap: data of 1024 bytes, not marked and marked
frames.py same FILE FILE      two captures must have the same frames
frames.py flood DIR           DIR/flood.pcap: misbehaving switches and peers, and one
                              honest one of each
frames.py flooded DIR         DIR/host-flood.pcap and flood.log, for flood.pcap"""
import collections
import ipaddress
import json
import pathlib
import random
import struct
import sys
import zlib

from scapy.contrib.roce import BTH
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Dot1AD, Dot1Q, Ether
from scapy.utils import RawPcapReader, RawPcapWriter

FRAMES = 4000
INTERVAL_US = 50
START_US = 1_000_000_000_000_000
PLAIN = 0x9e  # Fast CNPs, the draft's TBD1
ERRORS_PER_S, ERRORS_BURST = 100, 6  # ICMPv6 errors, and a burst of 1/16 s
PEER_MAC, HOST_MAC = "02:00:00:00:00:01", "02:00:00:00:00:02"
NOT_ECT, ECT1, ECT0, CE = range(4)

Connection = collections.namedtuple("Connection", "peer host host_qp peer_qp")


def connections():
    """Returns eight connections: two QPs between the same hosts, and one QP for two peers."""
    pairs = [("192.0.2.%d", 0), ("2001:db8:1::%d", 1)]
    made = []
    for form, v6 in pairs:
        for n, (peer, host_qp) in enumerate([(1, 0x34), (1, 0x35), (2, 0x34), (3, 0xabcdef)]):
            made.append(Connection(form % peer, form % 100, host_qp, 0x100 + 16 * v6 + n))
    return made


def packed(address):
    return ipaddress.ip_address(address).packed


def ones(packet):
    """Returns an IP packet with ones in all fields that may change on the way."""
    b = bytearray(packet)
    if b[0] >> 4 == 4:
        b[1] = b[8] = b[10] = b[11] = 0xff
        at = 20
    else:
        b[0] |= 0x0f
        b[1] = b[2] = b[3] = b[7] = 0xff
        at = 40
        if b[6] == 60:
            at += 8 * (b[41] + 1)  # none of these options may change
    b[at + 6] = b[at + 7] = b[at + 12] = 0xff
    return bytes(b)


def icrc(packet):
    """Returns the ICRC of an IP packet that lacks only the ICRC. IBTA 7.8.1."""
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + ones(packet)))


def checksum(header):
    total = sum(struct.unpack(f">{len(header) // 2}H", header))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return total ^ 0xffff


def ip(src, dst, proto, payload, ecn, options=b""):
    src, dst = packed(src), packed(dst)
    if len(src) == 4:
        head = struct.pack(">BBHHHBBH", 0x45, 0x18 << 2 | ecn, 20 + len(payload), 7, 0x4000,
                           61, proto, 0) + src + dst
        return head[:10] + struct.pack(">H", checksum(head)) + head[12:] + payload
    return struct.pack(">IHBB", 6 << 28 | (0x18 << 2 | ecn) << 20 | 0x12345,
                       len(options) + len(payload), 60 if options else proto,
                       61) + src + dst + options + payload


def roce(src, dst, opcode, qp, payload, ecn, options=b"", sport=49152, spoilt=False):
    pad = -len(payload) % 4
    bth = struct.pack(">BBHII", opcode, pad << 4, 0x8001, qp, 0x77)
    udp = struct.pack(">HHHH", sport, 4791, 8 + 12 + len(payload) + pad + 4, 0)
    packet = ip(src, dst, 17, udp + bth + payload + bytes(pad + 4), ecn, options)
    crc = icrc(packet[:-4])
    return packet[:-4] + (bytes([crc[0] ^ 1]) + crc[1:] if spoilt else crc)


def fast_option(address, size=16):
    body = bytes([PLAIN, size]) + packed(address)
    return bytes([17, 2]) + body + b"\x01\x02\x00\x00"


def ether(tags, packet):
    kind = 0x0800 if packet[0] >> 4 == 4 else 0x86dd
    return (bytes.fromhex((HOST_MAC + PEER_MAC).replace(":", ""))
            + b"".join(struct.pack(">HH", tpid, tci) for tpid, tci in tags)
            + struct.pack(">H", kind) + packet)


def problem(tags, packet, pointer):
    """Returns the error frame for an IPv6 packet with an unknown option (RFC 4443, 3.4, code 2),
    from the packet's destination, with as much of the packet as fits into 1280 bytes."""
    ends, quote = packet[24:40] + packet[8:24], packet[:1280 - 48]
    message = struct.pack(">BBHI", 4, 2, 0, pointer) + quote
    pseudo = ends + struct.pack(">II", len(message), 58)
    total = checksum(pseudo + message + bytes(len(message) % 2))
    message = message[:2] + struct.pack(">H", total) + message[4:]
    head = struct.pack(">IHBB", 6 << 28 | 48 << 22, len(message), 58, 64)
    macs = bytes.fromhex((PEER_MAC + HOST_MAC).replace(":", ""))
    return macs + b"".join(struct.pack(">HH", tpid, 6 << 13 | tci & 0xfff)
                           for tpid, tci in tags) + b"\x86\xdd" + head + ends + message


class Frames:
    """Every method returns a packet, whether it passes, and the connection of its CNP, the
    pointer of its ICMPv6 error, or None."""

    def __init__(self, rng):
        self.rng, self.all = rng, connections()

    def data(self, ecn=None, spoilt=False, known=True):
        rng, c = self.rng, self.rng.choice(self.all)
        ecn = rng.choice([NOT_ECT, ECT0, ECT1, CE, CE, CE]) if ecn is None else ecn
        qp = c.host_qp if known else c.host_qp ^ 0x800000
        payload = rng.randbytes(rng.choice([0, 1, 3, 64, 200, rng.randrange(1400)]))
        packet = roce(c.peer, c.host, rng.choice([0x04, 0x06, 0x07, 0x64]), qp, payload,
                      ecn, sport=rng.randrange(49152, 65536), spoilt=spoilt)
        return packet, True, c if ecn == CE and known and not spoilt else None

    def cnp(self, stranger=False, spoilt=False, cut=False):
        c = self.rng.choice(self.all)
        qp = c.host_qp ^ 0x1000 if stranger else c.host_qp
        packet = roce(c.peer, c.host, 0x81, qp, bytes(16), NOT_ECT, spoilt=spoilt)
        return packet[:-6] if cut else packet, not (stranger or spoilt or cut), None

    def fast(self, switch="2001:db8:ffff::5", spoilt=False, size=16, own=False):
        host = "2001:db8:1::100"
        # If the option is a byte too short, its last byte becomes the type of another option.
        # This type is not padding, so it is read as an option that may be skipped.
        of = switch if own else "2001:db8:1::%d" % self.rng.randrange(1 + (size < 16), 9)
        packet = roce(switch, host, 0x81, self.rng.randrange(1 << 24), bytes(16), NOT_ECT,
                      fast_option(of, size), spoilt=spoilt)
        return packet, (switch.startswith("2001:db8:ffff:") and not spoilt and size == 16
                        and not own), None

    def unknown_option(self, kind=0xbe):
        """A CNP of a peer with an unknown option. Bits 10 of its type mean discard and send a
        Parameter Problem, bits 01 mean discard (RFC 8200, 4.2)."""
        c = self.rng.choice(self.all[4:])
        option = bytes([17, 0, kind, 4]) + bytes(4)
        packet = roce(c.peer, c.host, 0x81, c.host_qp, bytes(16), NOT_ECT, option)
        return packet, False, 42 if kind >> 6 == 2 else None

    def wrong_header(self):
        """A CNP of a peer over IPv4 with a wrong header checksum (RFC 1122, 3.2.1.2)."""
        c = self.rng.choice(self.all[:4])
        packet = roce(c.peer, c.host, 0x81, c.host_qp, bytes(16), NOT_ECT)
        return packet[:10] + bytes([packet[10] ^ 1]) + packet[11:], False, None

    def tcp(self):
        c = self.rng.choice(self.all)
        tcp = struct.pack(">HHIIHHHH", 4791, 4791, 1, 2, 0x5010, 512, 0, 0)
        return ip(c.peer, c.host, 6, tcp + self.rng.randbytes(self.rng.randrange(900)),
                  CE), True, None

    def udp(self):
        c = self.rng.choice(self.all)
        body = self.rng.randbytes(40)
        return ip(c.peer, c.host, 17, struct.pack(">HHHH", 4791, 53, 48, 0) + body,
                  CE), True, None

    def short(self):
        """Marked data without its end, which may begin right after its IP header. IPv6 of fewer
        than 60 bytes may have begun as a Fast CNP."""
        packet, _, _ = self.data(ecn=CE)
        six = packet[0] >> 4 == 6
        keep = self.rng.randrange(40 if six else 20, len(packet))
        return packet[:keep], not six or keep >= 60, None

    def long_chain(self):
        """A chain of IPv6 extension headers that is too long for a parser."""
        c = self.all[-1]
        chain = b"".join(bytes([60, 0, 1, 4, 0, 0, 0, 0]) for _ in range(11))
        chain += bytes([17, 0, 1, 4, 0, 0, 0, 0])
        return ip(c.peer, c.host, 17, bytes(40), NOT_ECT, chain), False, None


def kinds(f):
    return ([f.data] * 30 + [lambda: f.data(CE, spoilt=True)] * 4
            + [lambda: f.data(CE, known=False)] * 2 + [f.cnp] * 4
            + [lambda: f.cnp(stranger=True), lambda: f.cnp(spoilt=True),
               lambda: f.cnp(cut=True)] + [f.fast] * 4
            + [lambda: f.fast(switch="2001:db8:eeee::5"), lambda: f.fast(spoilt=True),
               lambda: f.fast(size=15), lambda: f.fast(own=True),
               lambda: f.fast(switch=f.all[4].peer), f.unknown_option,
               lambda: f.unknown_option(0x5e), f.wrong_header]
            + [f.tcp] * 3 + [f.udp, f.short, f.long_chain])


class Expect:
    """The expected output: at most one CNP per connection in INTERVAL_US."""

    def __init__(self):
        self.last, self.cnps, self.host, self.errors = {}, [], [], []
        self.level, self.at = ERRORS_BURST * 10**6, 0  # in millionths of an error

    def error(self, us, tags, packet, pointer):
        self.level = min(ERRORS_BURST * 10**6,
                         self.level + (us - self.at) * ERRORS_PER_S)
        self.at = us
        if self.level < 10**6:
            return
        self.level -= 10**6
        self.errors.append(problem(tags, packet, pointer).hex())

    def add(self, us, tags, frame, passes, c):
        if passes:
            self.host.append(frame.hex())
        if isinstance(c, int):
            packet = frame[14 + 4 * len(tags):]
            length = 40 + struct.unpack(">H", packet[4:6])[0]
            self.error(us, tags, packet[:length], c)
            return
        if c is None or us - self.last.get(c, -INTERVAL_US) < INTERVAL_US:
            return
        self.last[c] = us
        self.cnps.append({
            "tags": [[tpid, 6 << 13 | tci & 0xfff] for tpid, tci in tags], "src": c.host,
            "dst": c.peer, "qp": c.peer_qp, "pkey": 0x8001})


def make(where):
    rng = random.Random(4791)
    f, us = Frames(rng), START_US
    kind = kinds(f)
    lanes = [[], []]
    out = {"in": [], "lane0": lanes[0], "lane1": lanes[1]}
    expect = {name: Expect() for name in out}
    for _ in range(FRAMES):
        us += rng.choice([0, 1, 2, 5, rng.randrange(40)])
        packet, passes, c = rng.choice(kind)()
        tags = rng.choice([[], [], [(0x8100, 3 << 13 | 100)],
                           [(0x88a8, 7), (0x8100, 1 << 13 | 0xfff)]])
        frame = ether(tags, packet)
        if rng.randrange(8) == 0 and len(frame) > 100:
            frame += bytes(rng.randrange(1, 9))  # a trailer that no length counts
        lane = "lane%d" % (f.all.index(c) & 1 if isinstance(c, Connection)
                           else zlib.crc32(packet[8:24]) & 1)
        for name in ("in", lane):
            out[name].append((us, frame))
            expect[name].add(us, tags, frame, passes, c)
    for name, frames in out.items():
        write(where / f"{name}.pcap", frames)
    (where / "connections").write_text("".join(
        f"{c.peer} {c.host} {c.host_qp:#x} {c.peer_qp:#x}\n" for c in f.all))
    (where / "expect.json").write_text(json.dumps(
        {name: {"cnps": e.cnps, "host": e.host, "errors": e.errors}
         for name, e in expect.items()}))


def write(path, frames):
    writer = RawPcapWriter(str(path), linktype=1)
    writer.write_header(None)
    for us, frame in frames:
        writer.write_packet(frame, sec=us // 10**6, usec=us % 10**6)
    writer.close()


def bench(where):
    """Makes two captures with 2048 data frames each, of all connections."""
    f = Frames(random.Random(1))
    for name, ecn in ("ect", ECT0), ("ce", CE):
        write(where / f"{name}.pcap", [
            (START_US, ether([], roce(c.peer, c.host, 0x07, c.host_qp,
                                      f.rng.randbytes(1024), ecn)))
            for c in f.all * 256])


def read(path):
    return [frame for frame, _ in RawPcapReader(str(path))]


def said(frame):
    """Returns whether a CNP is right, and its contents by scapy. Its ICRC is by zlib."""
    p = Ether(frame)
    tags, layer = [], p.payload
    kind = p.type
    while isinstance(layer, (Dot1Q, Dot1AD)):
        tags.append([kind, layer.prio << 13 | layer.id << 12 | layer.vlan])
        kind, layer = layer.type, layer.payload
    ip, udp, bth = layer, p[UDP], p[BTH]
    packet = bytes(ip)
    dscp = (ip.tc if isinstance(ip, IPv6) else ip.tos)
    right = (p.dst == PEER_MAC and p.src == HOST_MAC and dscp == 48 << 2
             and udp.dport == 4791 and udp.len == 40 and bth.opcode == 0x81
             and bth.becn == 1 and bth.fecn == 0 and bth.psn == 0
             and packet[-20:-4] == bytes(16) and packet[-4:] == icrc(packet[:-4]))
    if isinstance(ip, IP):
        right = right and checksum(packet[:20]) == 0 and ip.len == len(packet) == 60
    else:
        right = right and ip.plen == 40 and len(packet) == 80
    return right, {"tags": tags, "src": ip.src, "dst": ip.dst, "qp": bth.dqpn,
                   "pkey": bth.pkey}


def differ(what, is_, due):
    for n, (a, b) in enumerate(zip(is_, due)):
        if a != b:
            return [f"{what} {n + 1} is {a}, and not {b}"]
    return [] if len(is_) == len(due) else [f"{what}: {len(is_)}, and not {len(due)}"]


def check(where, lane, suffix):
    expect = json.loads((where / "expect.json").read_text())[lane]
    answers = read(where / f"cnp{suffix}.pcap")
    errors = [frame for frame in answers if len(frame) > 110]  # no CNP is longer
    cnps = [said(frame) for frame in answers if len(frame) <= 110]
    bad = [f"CNP {n + 1} is not as it should be: {cnp}"
           for n, (right, cnp) in enumerate(cnps) if not right]
    bad += differ("CNP", [cnp for _, cnp in cnps], expect["cnps"])
    bad += differ("error", [frame.hex() for frame in errors], expect["errors"])
    bad += differ("to the host: packet",
                  [frame.hex() for frame in read(where / f"host{suffix}.pcap")],
                  expect["host"])
    for line in bad[:3]:
        print(f"hosts-dpdk: {line[:400]}")
    if bad:
        sys.exit(1)
    print(f"hosts-dpdk: {lane}{suffix}: {len(cnps)} CNPs, {len(errors)} errors and "
          f"{len(expect['host'])} packets to the host are what they have to be")


LIMIT = 1000  # per switch, and for the peer with most QPs, per second; burst: 1/16 s
MAD = 4  # misbehaving switches, and as many peers
MAD_PER_S, HONEST_PER_S, FORGED_PER_S = 10000, 900, 3000


def flood(where):
    """Makes a second of frames. Switches 1 to MAD and peers 1 to MAD flood, and the next of each
    is honest. An attacker forges both honest addresses, with a wrong ICRC."""
    def switch(n, spoilt=False):
        of = "2001:db8:1::1"
        return roce(f"2001:db8:ffff::{n}", "2001:db8:2::64", 0x81, n, bytes(16), NOT_ECT,
                    fast_option(of), spoilt=spoilt)

    def peer(n, spoilt=False):
        return roce(f"2001:db8:1::{n}", "2001:db8:2::64", 0x81, 0x40 + n, bytes(16),
                    NOT_ECT, spoilt=spoilt)
    frames = []
    for make_one in switch, peer:
        for n in range(1, MAD + 1):
            frames += [(i * 10**6 // MAD_PER_S, make_one(n)) for i in range(MAD_PER_S)]
        frames += [(i * 10**6 // HONEST_PER_S, make_one(MAD + 1))
                   for i in range(HONEST_PER_S)]
        frames += [(i * 10**6 // FORGED_PER_S, make_one(MAD + 1, True))
                   for i in range(FORGED_PER_S)]
    frames.sort(key=lambda frame: frame[0])
    write(where / "flood.pcap", [(START_US + us, ether([], b)) for us, b in frames])
    (where / "peers").write_text("".join(f"2001:db8:1::{n} 2001:db8:2::64 {0x40 + n} {n}\n"
                                         for n in range(1, MAD + 2)))


def flooded(where):
    came = collections.Counter(frame[22:38] for frame in read(where / "host-flood.pcap"))
    bad = []
    for form in "2001:db8:ffff::%d", "2001:db8:1::%d":
        for n in range(1, MAD + 1):
            got = came[packed(form % n)]
            if not LIMIT <= got <= LIMIT // 16 + LIMIT:
                bad.append(f"of {form % n}, which floods, {got} passed and not {LIMIT}")
        got = came[packed(form % (MAD + 1))]
        if got != HONEST_PER_S:
            bad.append(f"of {form % (MAD + 1)} {got} passed, and not all {HONEST_PER_S}")
    counts = dict(line.split() for line in (where / "flood.log").read_text().splitlines())
    for gate, verdict in ("fast", "fast_plain"), ("ordinary", "ordinary"):
        form = {"fast": "2001:db8:ffff::%d", "ordinary": "2001:db8:1::%d"}[gate]
        passed = sum(came[packed(form % n)] for n in range(1, MAD + 2))
        sent = MAD * MAD_PER_S + HONEST_PER_S + FORGED_PER_S
        expected = {f"{gate}.{verdict}": passed, f"{gate}.bad_icrc": FORGED_PER_S,
                    f"{gate}.rate_limited": sent - FORGED_PER_S - passed,
                    f"{gate}.admission.admitted": passed,
                    f"{gate}.admission.source_limited": sent - FORGED_PER_S - passed,
                    f"{gate}.admission.shared_limited": 0}
        bad += [f"{name} is {counts.get(name)}, and not {n}" for name, n in expected.items()
                if counts.get(name) != str(n)]
    for line in bad[:5]:
        print(f"hosts-dpdk: flood: {line}")
    if bad:
        sys.exit(1)
    print(f"hosts-dpdk: flood: {MAD} switches and {MAD} peers that misbehave take the honest "
          "ones nothing")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(pathlib.Path(sys.argv[2]))
    elif sys.argv[1] == "bench":
        bench(pathlib.Path(sys.argv[2]))
    elif sys.argv[1] == "flood":
        flood(pathlib.Path(sys.argv[2]))
    elif sys.argv[1] == "flooded":
        flooded(pathlib.Path(sys.argv[2]))
    elif sys.argv[1] == "same":
        if read(sys.argv[2]) != read(sys.argv[3]):
            sys.exit("hosts-dpdk: what the host sends does not go out as it is")
    else:
        check(pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4])
