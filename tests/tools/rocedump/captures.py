# SPDX-License-Identifier: BSD-2-Clause
"""captures.py DIR: makes files of every kind that rocedump reads, and lists of the results."""
import gzip, json, pathlib, random, struct, sys

out = pathlib.Path(sys.argv[1])
pick = random.Random(21)


def captured(path):
    data, found = pathlib.Path(path).read_bytes()[24:], []
    while data:
        n = struct.unpack("<I", data[8:12])[0]
        found, data = found + [data[16:16 + n]], data[16 + n:]
    return found


def pcap(name, frames, link=1, snaplen=262144, start=1):
    data = struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, snaplen, link)
    for i, f in enumerate(frames):
        data += struct.pack("<IIII", start + i, 5, len(f), len(f)) + f
    (out / name).write_bytes(data)
    return data


# The CNP of a ConnectX-4, and other frames.
cnp, *others = captured("vectors/pcap/frame.pcap")
assert cnp[12:14] == b"\x08\0" and cnp[42] == 0x81
ip = cnp[14:]
address = bytes.fromhex("0200000000010000")


def sll(protocol, hardware=1):
    return struct.pack(">HHH8sH", 4, hardware, 6, address, protocol)


def sll2(protocol, hardware=1):
    return struct.pack(">HHIHBB8s", protocol, 0, 7, hardware, 4, 6, address)


def erf(kind, frame, extensions=b"", pad=b"\0\0"):
    n = 16 + len(extensions + pad + frame)
    head = struct.pack("<Q", (9 << 32) + 1)
    return (head + struct.pack(">BBHHH", kind, 4, n, 3, len(frame)) + extensions + pad +
            frame)


def ppi(dlt, frame, fields=b""):
    return struct.pack("<BBHI", 0, 0, 8 + len(fields), dlt) + fields + frame


# Each link type with its header. One ERF extension announces another.
links = {
    "sll": (113, sll(0x800) + ip), "sll2": (276, sll2(0x800) + ip),
    "null": (0, b"\2\0\0\0" + ip), "null-swapped": (0, b"\0\0\0\2" + ip),
    "loop": (108, b"\0\0\0\2" + ip), "erf": (197, erf(2, cnp)),
    "erf-more": (197, erf(0x82, cnp, b"\x81" + bytes(7) + b"\1" + bytes(7))),
    "erf-ip": (197, erf(22, ip, b"", b"")), "ppi": (192, ppi(1, cnp)),
    "ppi-fields": (192, ppi(1, cnp, struct.pack("<HHI", 9, 4, 1))),
    "ppi-raw": (192, ppi(101, ip)), "raw": (101, ip), "raw4": (228, ip), "ether": (1, cnp)}
for name, (link, frame) in links.items():
    pcap(name + ".pcap", [frame, frame], link)
header = {"sll": 16, "sll2": 20, "null": 4, "erf": 16, "erf-more": 32, "ppi": 8,
          "ppi-fields": 16}
for name, n in header.items():
    link, frame = links[name]
    pcap(name + "-cut.pcap", [frame[:i] for i in range(n)], link)
v1 = next(f for f in others if f[12:14] == b"\x89\x15")
vlan = b"\0\7\x08\0"
pcap("sll-tags.pcap", [sll(0x8100) + vlan + ip, sll(0x8915) + v1[14:],
                       sll(4) + b"\xaa\xaa\3\0\0\0\x08\0" + ip], 113)
pcap("sll2-tags.pcap", [sll2(0x8100) + vlan + ip], 276)
pcap("sll-other.pcap", [sll(0x800, 824) + ip, sll(0x800, 803) + ip, sll(1) + ip], 113)
pcap("link-other.pcap", [erf(27, cnp)], 197)
pcap("ppi-other.pcap", [ppi(105, cnp)], 192)
pcap("ppi-bad.pcap", [b"\0\0\7\0" + bytes(4) + cnp], 192)
pcap("null-other.pcap", [b"\7\0\0\0" + ip], 0)
pcap("wifi.pcap", [cnp], 105)


# Taps with plain RoCE, VXLAN and ERSPAN, with a cooked capture, and with CNPs.
def ipv4(proto, body):
    head = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(body), 0, 0, 64, proto, 0,
                       bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2]))
    total = sum(struct.unpack(">10H", head))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return cnp[:14] + head[:10] + struct.pack(">H", total ^ 0xffff) + head[12:] + body


def vxlan(frame):
    body = struct.pack(">II", 0x08000000, 77 << 8) + frame
    return ipv4(17, struct.pack(">HHHH", 50000, 4789, 8 + len(body), 0) + body)


def erspan(frame):
    gre = struct.pack(">HHI", 0x1000, 0x88be, 5)
    return ipv4(47, gre + struct.pack(">II", 0x10000001, 0) + frame)


tap = [cnp, vxlan(cnp), erspan(cnp), erspan(vxlan(cnp)), ipv4(6, bytes(20))]
pcap("tap1.pcap", tap, snaplen=4096)
pcap("tap2.pcap", [sll2(0x800) + ip, sll2(0x800) + vxlan(cnp)[14:]], 276, start=3)
pcap("tap3.pcap", [cnp] * 3, snaplen=128, start=2)


# pcapng in both byte orders, with every kind of block, time and interface.
class Ng:
    def __init__(self, order):
        self.o = order

    def block(self, kind, body):
        body += bytes(-len(body) % 4)
        head = struct.pack(self.o + "II", kind, len(body) + 12)
        return head + body + struct.pack(self.o + "I", len(body) + 12)

    def section(self):
        return self.block(0x0a0d0d0a,
                          struct.pack(self.o + "IHHq", 0x1a2b3c4d, 1, 0, -1))

    def option(self, code, value):
        head = struct.pack(self.o + "HH", code, len(value))
        return head + value + bytes(-len(value) % 4)

    def interface(self, link, snaplen, resolution=None, offset=None):
        body = struct.pack(self.o + "HHI", link, 0, snaplen) + self.option(2, b"eth0")
        if resolution is not None:
            body += self.option(9, bytes([resolution]))
        if offset is not None:
            body += self.option(14, struct.pack(self.o + "q", offset))
        return self.block(1, body + self.option(0, b""))

    def enhanced(self, i, units, frame):
        return self.block(6, struct.pack(
            self.o + "IIIII", i, units >> 32, units & 0xffffffff, len(frame),
            len(frame) + 1) + frame + bytes(-len(frame) % 4) + self.option(1, b"why"))

    def old(self, i, units, frame):
        return self.block(2, struct.pack(
            self.o + "HHIIII", i, 9, units >> 32, units & 0xffffffff, len(frame),
            len(frame)) + frame)

    def simple(self, frame, length):
        return self.block(3, struct.pack(self.o + "I", length) + frame)


S = 1_700_000_000
data, times = b"", []
for order in "<>":
    ng = Ng(order)
    data += ng.section() + ng.block(4, b"\0" * 4)  # a block of names
    for interface in ((1, 60), (1, 0, 9), (101, 0, 0x8a, -5), (276, 0, 0xa1, 100),
                      (1, 0, 10), (1, 0, 0), (1, 0, 0xfe)):
        data += ng.interface(*interface)
    data += ng.enhanced(0, S * 10**6 + 123456, cnp) + ng.block(0xbad, b"unknown")
    data += ng.enhanced(1, S * 10**9 + 123456789, cnp)
    data += ng.enhanced(2, (S << 10) + 512, ip)
    data += ng.old(3, (S << 33) + (1 << 32), sll2(0x800) + ip)
    data += ng.simple(cnp[:60], len(cnp)) + ng.enhanced(4, S * 10**10 + 1234567899, cnp)
    data += ng.enhanced(5, 1700000000, cnp) + ng.enhanced(6, 1 << 40, cnp)
    times += [S * 10**9 + 123456000, S * 10**9 + 123456789,
              (S - 5) * 10**9 + 5 * 10**8, (S + 100) * 10**9 + 5 * 10**8, 0,
              S * 10**9 + 123456789, S * 10**9, 0]
(out / "all.pcapng").write_bytes(data)
(out / "all.times").write_text("".join(f"{t}\n" for t in times))

# Concatenated files are sections of one, each with its own interfaces.
def one_of(order, interface, units, frame):
    ng = Ng(order)
    return ng.section() + ng.interface(*interface) + ng.enhanced(0, units, frame)


(out / "sections.pcapng").write_bytes(
    one_of("<", (1, 60), 5, cnp) + one_of(">", (101, 0, 9), 7, ip) +
    one_of(">", (276, 0, 6, 9), 11, sll2(0x800) + ip) + Ng("<").section() +
    Ng("<").enhanced(0, 1, cnp))

# The prefixes of a small file, named by length, whole packets and exit status.
ng = Ng("<")
blocks = [ng.section(), ng.interface(1, 0, 9), ng.enhanced(0, 5, cnp[:20]),
          ng.interface(113, 64), ng.old(1, 5, sll(0x800)), ng.simple(b"\1\2\3\4", 4)]
small = b"".join(blocks)
(out / "prefix").mkdir()
ends = [sum(len(b) for b in blocks[:i]) for i in range(len(blocks) + 1)]
for n in range(1, len(small)):
    whole = sum(1 for i, e in enumerate(ends[1:]) if e <= n and i in (2, 4, 5))
    (out / "prefix" / f"{n}.{whole}.{0 if n in ends else 1}").write_bytes(small[:n])

# Invalid blocks after one valid packet.
good = ng.section() + ng.interface(1, 0) + ng.enhanced(0, 1, cnp)
bad = {
    "length": struct.pack("<III", 6, 13, 0), "short": struct.pack("<III", 6, 8, 8),
    "huge": struct.pack("<III", 6, 0x7ffffffc, 0),
    "lengths": ng.enhanced(0, 1, cnp)[:-4] + struct.pack("<I", 16),
    "interface": ng.enhanced(1, 1, cnp), "brief": ng.block(6, bytes(16)),
    "caplen": ng.block(6, struct.pack("<IIIII", 0, 0, 1, 99, 99) + bytes(96)),
    "simple": ng.block(3, b""), "idb": ng.block(1, bytes(4)),
    "option": ng.block(1, bytes(8) + struct.pack("<HH", 9, 99)),
    "order": ng.section()[:8] + bytes(4) + ng.section()[12:],
    "version": ng.block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 2, 0, -1)),
    "section": ng.block(0x0a0d0d0a, struct.pack("<IHH", 0x1a2b3c4d, 1, 0))}
for name, block in bad.items():
    (out / f"bad-{name}.pcapng").write_bytes(good + block)
(out / "bad.list").write_text(" ".join(bad))
(out / "other.pcapng").write_bytes(good + ng.interface(105, 0) + ng.enhanced(1, 1, cnp))
for i in range(150):
    data = bytearray(small if i % 2 else (out / "all.pcapng").read_bytes()[:900])
    for _ in range(pick.randrange(1, 4)):
        at = pick.randrange(len(data))
        data[at] = pick.choice([0, 1, 0x7f, 0xff, data[at] ^ 1 << pick.randrange(8)])
    (out / "prefix" / f"mutated{i}").write_bytes(data)

# Compressed files in one part and in two, cut and damaged.
taps = (out / "tap1.pcap").read_bytes()
packed = gzip.compress(taps, mtime=0)
(out / "tap1.pcap.gz").write_bytes(packed)
(out / "two.gz").write_bytes(gzip.compress(taps[:100]) + gzip.compress(taps[100:]))
(out / "after.gz").write_bytes(packed + b"\0\033[31mmore")
(out / "ng.gz").write_bytes(gzip.compress((out / "all.pcapng").read_bytes()))
(out / "cut.gz").write_bytes(packed[:-30])
(out / "sum.gz").write_bytes(packed[:-8] + bytes(4) + packed[-4:])
(out / "not.gz").write_bytes(b"\x1f\x8b" + bytes(50))
