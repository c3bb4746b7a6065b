# SPDX-License-Identifier: BSD-2-Clause
"""srv6_kernel.py DIR: the kernel's own segment routing as a peer.

    src -- edge -- dst      a network namespace each

The edge must send what DIR/srv6 makes of the same packet, byte for byte: a packet that enters
(H.Encaps, H.Encaps.Red), one at a node in between (End), and one that leaves a tunnel (End.DX6).
Needs root and ip(8)."""
import ctypes
import os
import random
import socket
import struct
import subprocess
import sys
import time
from ipaddress import IPv4Address, IPv6Address

DIR = sys.argv[1]
libc = ctypes.CDLL(None, use_errno=True)
NS = [f"rocecc-{n}-{os.getpid()}" for n in ("src", "edge", "dst")]
END_CON, R1, R2, EGRESS = ("2001:db8:c0::c", "2001:db8:f1::e", "2001:db8:f2::e",
                           "2001:db8:e0::d46")
DX6 = "2001:db8:f1::6"
FORWARD, UPPER, HOPS, BAD = 1, 8, 5, 3
CHECKED = bad = 0


def run(command):
    subprocess.run(command, shell=True, check=True)


def edge(command):
    run(f"ip -n {NS[1]} {command}")


def enter(i):
    fd = os.open(f"/run/netns/{NS[i]}", os.O_RDONLY)
    if libc.setns(fd, 0x40000000) != 0:
        sys.exit(f"srv6_kernel: setns: {os.strerror(ctypes.get_errno())}")
    os.close(fd)


MAC = {"src": "02:00:00:00:00:01", "left": "02:00:00:00:00:02", "right": "02:00:00:00:00:03",
       "dst": "02:00:00:00:00:04"}


def build():
    for ns in NS:
        run(f"ip netns add {ns}")
        run(f"ip netns exec {ns} sysctl -qw net.ipv6.conf.all.forwarding=1 "
            "net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0 "
            "net.ipv6.conf.all.seg6_enabled=1 net.ipv6.conf.default.seg6_enabled=1 "
            "net.ipv4.ip_forward=1 net.ipv4.conf.all.rp_filter=0 "
            "net.ipv4.conf.default.rp_filter=0")
        run(f"ip -n {ns} link set lo up")
    edge(f"link add left address {MAC['left']} type veth peer name src address {MAC['src']} "
         f"netns {NS[0]}")
    edge(f"link add right address {MAC['right']} type veth peer name dst address "
         f"{MAC['dst']} netns {NS[2]}")
    run(f"ip -n {NS[0]} link set src up")
    run(f"ip -n {NS[2]} link set dst up")
    edge("link set left up")
    edge("link set right up")
    edge("addr add 2001:db8:1::1/64 dev left nodad")
    edge("addr add 2001:db8:2::1/64 dev right nodad")
    edge("addr add 198.51.100.1/24 dev right")
    edge("addr add 192.0.2.1/24 dev left")
    edge(f"neigh add 2001:db8:2::2 lladdr {MAC['dst']} dev right")
    edge(f"neigh add 198.51.100.2 lladdr {MAC['dst']} dev right")
    via = "via 2001:db8:2::2 dev right"
    for prefix in ("2001:db8:f2::/48", "2001:db8:e0::/48", "2001:db8:c1::/48",
                   "2001:db8:9::/48"):
        edge(f"-6 route add {prefix} {via}")
    edge("route add 203.0.113.0/24 via 198.51.100.2")
    edge(f"sr tunsrc set {END_CON}")
    for net, mode in (("a", "encap"), ("b", "encap.red")):
        edge(f"-6 route add 2001:db8:{net}::/64 encap seg6 mode {mode} segs {R2},{EGRESS} "
             "dev right")
        edge(f"-6 route add 2001:db8:{net}1::/64 encap seg6 mode {mode} segs {EGRESS} "
             "dev right")
    edge(f"route add 203.0.113.128/25 encap seg6 mode encap segs {R2},{EGRESS} dev right")
    edge(f"-6 route add {R1}/128 encap seg6local action End dev left")
    edge(f"-6 route add {DX6}/128 encap seg6local action End.DX6 nh6 2001:db8:2::2 dev left")


class Path:
    """Packets go in at src, and the edge's packets come out at dst."""

    def __init__(self):
        enter(2)
        self.rx = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        self.rx.bind(("dst", 0))
        enter(0)
        self.tx = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        self.tx.bind(("src", 0))
        self.ours = subprocess.Popen([f"{DIR}/srv6"], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, text=True)

    def through(self, packet, mark):
        """Sends a packet. Returns the edge's packet with the bytes `mark`, or None."""
        kind = 0x86dd if packet[0] >> 4 == 6 else 0x0800
        macs = bytes.fromhex((MAC["left"] + MAC["src"]).replace(":", ""))
        self.tx.send(macs + struct.pack(">H", kind) + packet)
        until = time.monotonic() + 0.3
        while (left := until - time.monotonic()) > 0:
            self.rx.settimeout(left)
            try:
                frame = self.rx.recv(10000)
            except TimeoutError:
                return None
            if (mark in frame and frame[:6].hex(":") == MAC["dst"] and
                    (frame[14] >> 4 == 4 or frame[20] != 58)):  # not an error that quotes it
                return frame[14:]
        return None

    def made(self, *words):
        self.ours.stdin.write(" ".join(words) + "\n")
        self.ours.stdin.flush()
        verdict, *sent = self.ours.stdout.readline().split()
        return int(verdict), bytes.fromhex(sent[0]) if sent else None

    def check(self, name, packet, words, fate, mask=()):
        """fate: our verdict. The kernel must send FORWARD's packet, or else nothing."""
        global bad, CHECKED
        mark = packet[-16:]
        theirs = self.through(packet, mark)
        verdict, ours = self.made(*words, packet.hex())
        CHECKED += 1
        for at in mask:
            if theirs is not None and ours is not None:
                theirs = theirs[:at] + ours[at:at + 1] + theirs[at + 1:]
        if verdict != fate or ours != theirs:
            bad += 1
            print(f"srv6_kernel: {name}: verdict {verdict}, not {fate}\n"
                  f"  the kernel {theirs and theirs.hex()}\n  rocecc     {ours and ours.hex()}")


def ip6(src, dst, payload, proto=17, hops=64, tclass=0, label=0):
    return (struct.pack(">IHBB", 6 << 28 | tclass << 20 | label, len(payload), proto, hops) +
            IPv6Address(src).packed + IPv6Address(dst).packed + payload)


def ip4(src, dst, payload, hops=64, tclass=0):
    head = struct.pack(">BBHHHBBH4s4s", 0x45, tclass, 20 + len(payload), 1, 0x4000, hops, 17, 0,
                       IPv4Address(src).packed, IPv4Address(dst).packed)
    total = sum(struct.unpack(">10H", head))
    total = (total & 0xffff) + (total >> 16)
    total = (total & 0xffff) + (total >> 16)
    return head[:10] + struct.pack(">H", total ^ 0xffff) + head[12:] + payload


def udp(rng):
    payload = rng.randbytes(rng.randrange(32, 200))
    return struct.pack(">HHHH", 0xc000, 4791, 8 + len(payload), 0xffff) + payload


def srh(left, *segments, following=17, last=None):
    body = b"".join(IPv6Address(s).packed for s in segments)
    return struct.pack(">BBBBBBH", following, len(body) // 8, 4, left,
                       len(segments) - 1 if last is None else last, 0, 0) + body


def packed(*addresses):
    return b"".join(IPv6Address(a).packed for a in addresses).hex()


def tests(path):
    rng = random.Random(20261123)
    # H.Encaps: the sender chooses the outer hop limit. The kernel counts the hop in the outer
    # header, and RFC 2473, 3.1 in the inner one: bytes 7 of both are not compared.
    for net, reduced in (("a", "0"), ("b", "1")):
        for more, policy in (("", (EGRESS, R2)), ("1", (EGRESS,))):
            before = 40 + (0 if reduced == "1" and len(policy) == 1 else
                           8 + 16 * (len(policy) - int(reduced)))
            for tclass in (0, 1, 2, 3, 0x28, 0x6a, 0xba, 0xff):
                inner = ip6("2001:db8:1::2", f"2001:db8:{net}{more}::7", udp(rng),
                            tclass=tclass)
                path.check(f"H.Encaps, reduced {reduced}, traffic class {tclass:#x}", inner,
                           ("encapsulate", packed(END_CON), reduced, packed(*policy)), FORWARD,
                           (7, before + 7))
    # For IPv4 the kernel does not copy the traffic class: bytes 0 and 1 are not compared.
    for tclass in (0, 1, 2, 3, 0x6a):
        inner = ip4("192.0.2.9", "203.0.113.200", udp(rng), tclass=tclass)
        path.check(f"H.Encaps of IPv4, traffic class {tclass:#x}", inner,
                   ("encapsulate", packed(END_CON), "0", packed(EGRESS, R2)), FORWARD,
                   (0, 1, 7, 80 + 8, 80 + 10, 80 + 11))
    # End: every byte.
    for n in range(1, 5):
        segments = [EGRESS, R2, "2001:db8:c1::1", "2001:db8:c1::2"][:n] + [R1]
        for left in range(1, n + 3):
            for hops in (1, 2, 64):
                packet = ip6("2001:db8:1::2", R1, srh(left, *segments) + udp(rng), 43, hops)
                fate = BAD if left > n + 1 else HOPS if hops == 1 else FORWARD
                if left == n + 1:  # its next segment is R1 itself, and so on
                    continue
                path.check(f"End, {left} of {n} left, {hops} hops", packet,
                           ("end", packed(R1)), fate)
    for last in (2, 9):
        packet = ip6("2001:db8:1::2", R1, srh(1, EGRESS, R1, last=last) + udp(rng), 43)
        path.check(f"End, Last Entry {last}", packet, ("end", packed(R1)), BAD)
    packet = ip6("2001:db8:1::2", R1, srh(0, EGRESS, R1) + udp(rng), 43)
    path.check("End, none left", packet, ("end", packed(R1)), UPPER)
    # Out of a tunnel. The kernel does not merge ECN here, so both fields are the same.
    for ecn in range(4):
        for hops in (1, 2, 64):
            for exts in (b"", srh(0, DX6, R2, following=41)):
                inner = ip6("2001:db8:9::1", "2001:db8:f2::77", udp(rng), hops=hops,
                            tclass=0x68 | ecn)
                path.check(f"End.DX6, ECN {ecn}, {hops} hops, {len(exts)} bytes",
                           ip6("2001:db8:9::9", DX6, exts + inner, 43 if exts else 41,
                               tclass=ecn),
                           ("egress", packed(DX6)), HOPS if hops == 1 else FORWARD)

try:
    build()
    tests(Path())
finally:
    for ns in NS:
        subprocess.run(["ip", "netns", "del", ns], stderr=subprocess.DEVNULL)
if not bad:
    print(f"srv6_kernel: {os.uname().release} and rocecc agree, {CHECKED} packets")
sys.exit(bad != 0)
