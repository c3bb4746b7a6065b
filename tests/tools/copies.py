#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""copies.py ROCEDUMP SCRAPS: checks that --flows and --timeline count a packet once if the
capture was made at several places. The expected numbers are rocedump's for the capture of
one place alone. Wireshark's mergecap and editcap make most captures of several places from
it. The others are made here, because a hop changes them."""
import json
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys

dump, scraps = sys.argv[1], pathlib.Path(sys.argv[2])
if shutil.which("mergecap") is None or shutil.which("editcap") is None:
    print("copies: no mergecap or editcap here: skipped")
    sys.exit(1 if os.environ.get("CI") else 0)
pick = random.Random(7)
A, B = bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2])
WRITE, ACK, CNP = 0x0a, 0x11, 0x81
START = 10 ** 18
bad = checks = 0


def same(what, got, want):
    global bad, checks
    checks += 1
    if got != want:
        print(f"copies: {what}: {got}, and not {want}")
        bad += 1


# ---- frames

def packet(src, dst, opcode, qp, psn, body, ecn=2, ttl=64, ident=0, port=49152):
    """Returns an IPv4 packet. --flows checks neither the ICRC nor the IP checksum."""
    bth = struct.pack(">BBHII", opcode, 0x40, 0xffff, qp, psn) + body + bytes(4)
    udp = struct.pack(">HHHH", port, 4791, 8 + len(bth), 0) + bth
    head = struct.pack(">BBHHHBBH", 0x45, 26 << 2 | ecn, 20 + len(udp), ident, 0x4000, ttl,
                       17, 0)
    return head + src + dst + udp


def ether(ip):
    return bytes.fromhex("020000000002020000000001") + b"\x08\0" + ip


def erspan(src, frame):
    """Returns a copy that the switch at `src` mirrors (type II)."""
    gre = struct.pack(">HHI", 0x1000, 0x88be, 9) + struct.pack(">HHI", 1 << 12 | 5, 3, 0)
    head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(gre) + len(frame), 0, 0, 64, 47, 0)
    return ether(head + src + bytes([10, 9, 9, 9]) + gre + frame)


def pcap(name, frames):
    """Writes (ns, frame) in the order of time."""
    path = scraps / name
    with open(path, "wb") as f:
        f.write(struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 262144, 1))
        for ns, b in sorted(frames, key=lambda x: x[0]):
            t = START + ns
            f.write(struct.pack("<IIII", t // 10 ** 9, t % 10 ** 9, len(b), len(b)) + b)
    return path


def traffic(ttl=64, change=lambda i, b: b):
    """Returns (ns, frame): data with repetitions, ACKs, and CNPs that are all equal."""
    frames = []
    for i in range(600):
        body = bytes(16) + i.to_bytes(4, "big") * 8
        psn = i if i % 50 else max(i - 3, 0)  # a host repeats a packet
        frames.append((5000 * i, ether(packet(A, B, WRITE, 0x11, psn, body,
                                              3 if i % 7 == 0 else 2, ttl))))
        if i % 7 == 0 and i > 100:
            frames.append((5000 * i + 2000, ether(packet(B, A, CNP, 0x22, 0, bytes(16), 0, ttl))))
        if i % 9 == 0:
            frames.append((5000 * i + 2600, ether(packet(B, A, ACK, 0x22, i, bytes(4), 2, ttl))))
    return [(ns, change(i, b)) for i, (ns, b) in enumerate(frames)]


def hop(b, ecn=None):
    """Returns the frame after a router: TTL is one less, and ECN may change."""
    b = bytearray(b)
    b[22] -= 1
    if ecn is not None:
        b[15] = b[15] & 0xfc | ecn
    return bytes(b)


# ---- rocedump

def run(*words):
    done = subprocess.run([dump, *map(str, words)], capture_output=True, text=True)
    same(f"{words}: status and message", (done.returncode, done.stderr), (0, ""))
    return done.stdout


def flows(path, *more):
    rows = [json.loads(line) for line in run("--flows=20us", "--json", *more, path).splitlines()]
    return {(f["src"], f["dst"], f["dest_qp"]): f for f in rows if "src" in f}


def copies(of):
    return {key: f.pop("copies") for key, f in of.items()}


def counted_once(what, path, alone, most=1, views=True):
    """Compares everything except the number of copies, which is `most` per packet."""
    got, want = flows(path), flows(alone)
    copied, none = copies(got), copies(want)
    same(f"{what}: flows", got, want)
    same(f"{what}: copies", copied, {key: most * f["packets"] for key, f in want.items()})
    same(f"{what}: copies of one place", set(none.values()), {0})
    if views:
        same(f"{what}: --timeline", run("--timeline=100us", path), run("--timeline=100us", alone))


def tool(name, *words):
    subprocess.run([name, *map(str, words)], check=True, capture_output=True)


# ---- places

def taps(alone):
    """mergecap joins captures of taps. Each file is an interface."""
    for n, delays in enumerate(((0.000002,), (0.000002, 0.000007), (0.0009,), (0.0,))):
        others = []
        for k, delay in enumerate(delays):
            others.append(scraps / f"copies-tap{n}-{k}.pcap")
            tool("editcap", "-F", "nsecpcap", "-t", f"{delay:.9f}", alone, others[-1])
        both = scraps / f"copies-taps{n}.pcapng"
        tool("mergecap", "-I", "none", "-F", "pcapng", "-w", both, alone, *others)
        counted_once(f"taps {delays}", both, alone, len(delays))
        first, *more = (json.loads(x)["iface"] for x in run("--json", both).splitlines())
        same(f"taps {delays}: interfaces", {first, *more}, set(range(1 + len(delays))))
        for k in range(1 + len(delays)):
            one = flows(both, "-Y", f"iface=={k}")
            same(f"taps {delays}: interface {k}", sum(f["packets"] for f in one.values()),
                 sum(f["packets"] for f in flows(alone).values()))
            same(f"taps {delays}: --csv iface", run("--csv", "iface", "-Y", f"iface=={k}", both)
                 .split()[1:3], [str(k)] * 2)
    # At one place, the same packets are repetitions, and more than 1 ms apart they are too.
    one = scraps / "copies-one.pcap"
    tool("editcap", "-F", "nsecpcap", "-t", "0.000002", alone, scraps / "copies-later.pcap")
    tool("mergecap", "-F", "nsecpcap", "-w", one, alone, scraps / "copies-later.pcap")
    same("one place: copies", set(copies(flows(one)).values()), {0})
    for seconds, twice in ((0.001, 1), (0.001000001, 0)):
        tool("editcap", "-F", "nsecpcap", "-t", f"{seconds:.9f}", alone,
             scraps / "copies-later.pcap")
        far = scraps / "copies-far.pcapng"
        tool("mergecap", "-I", "none", "-F", "pcapng", "-w", far, alone, scraps / "copies-later.pcap")
        got = flows(far)["10.0.0.1", "10.0.0.2", 0x11]
        # A data packet is copied once, or never. Repeated PSNs have other bodies.
        same(f"{seconds} s apart: copies", got["copies"], 600 * twice)


def routed(alone):
    """A mirror port shows each packet before and after the router."""
    frames = traffic()
    after = [(ns + 1500, hop(b)) for ns, b in frames]
    counted_once("hop limit", pcap("copies-hop.pcap", frames + after), alone)
    # The router marks some packets, and each mark counts once.
    marked = [(ns + 1500, hop(b, 3 if b[42] == WRITE and i % 5 == 0 else None))
              for i, (ns, b) in enumerate(frames)]
    twice = [(ns + 3000, hop(b)) for ns, b in marked]
    got = flows(pcap("copies-marked.pcap", frames + marked + twice))
    here = sum(b[42] == WRITE and b[15] & 3 == 3 for _, b in frames)
    there = sum(b[42] == WRITE and (b[15] & 3 == 3 or i % 5 == 0)
                for i, (_, b) in enumerate(frames))
    data = got["10.0.0.1", "10.0.0.2", 0x11]
    same("marked on the way", (here < there, data["ce"], data["packets"], data["copies"]),
         (True, there, 600, 1200))
    # A switch cuts some payloads away.
    def cut(b):
        return b[:-20] if b[42] == WRITE else b
    trimmed = [(ns + 1500, hop(b)[:16] + struct.pack(">H", len(cut(b)) - 14) + hop(cut(b))[18:]
                if b[42] == WRITE else hop(b)) for ns, b in frames]
    data = flows(pcap("copies-trimmed.pcap", frames + trimmed))["10.0.0.1", "10.0.0.2", 0x11]
    same("trimmed on the way", (data["trimmed"], data["packets"], data["copies"]),
         (600, 600, 600))


def mirrored(alone):
    """Two switches mirror each packet to the collector, and their sessions tell them apart."""
    frames = traffic()
    first = [(ns, erspan(bytes([10, 8, 0, 1]), b)) for ns, b in frames]
    second = [(ns + 1500, erspan(bytes([10, 8, 0, 2]), b)) for ns, b in frames]
    one = pcap("copies-erspan.pcap", first)
    counted_once("mirrors", pcap("copies-mirrors.pcap", first + second), one)
    counted_once("a mirror and a tap", pcap("copies-tap.pcap", frames + second), alone)


def different(alone):
    """Whatever tells two packets apart, they are two packets at two places as well."""
    del alone
    base = dict(src=A, dst=B, opcode=WRITE, qp=0x11, psn=5, body=bytes(64))
    for name, value, packets in (("qp", 0x12, 2), ("psn", 6, 2), ("ident", 9, 2),
                                 ("port", 50000, 2), ("src", B, 2),
                                 ("body", bytes(19) + b"\1" + bytes(44), 2),
                                 ("body", bytes(20) + b"\1" + bytes(43), 1)):
        other = packet(**{**base, name: value, "ttl": 63})
        rows = [json.loads(x) for x in run("--flows", "--json", pcap(
            "copies-different.pcap", [(0, ether(packet(**base))), (900, ether(other))])).splitlines()]
        total = sum(f["packets"] for f in rows if "src" in f)
        same(f"another {name}", total, packets)


if __name__ == "__main__":
    place = pcap("copies-alone.pcap", traffic())
    for test in (taps, routed, mirrored, different):
        test(place)
    print(f"copies: {checks} checks of captures at several places")
    sys.exit(bad != 0)
