#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""dump.py ROCEDUMP FOLDER measures the cost of a frame in rocedump, capinfos, tshark, scapy, and a
program that only reads frames with libpcap (FOLDER/read, from read.c). It prints rows for
judge.py, one for each of RUNS runs. The programs take turns. A row has the CPU time per frame,
without the least time for a capture of one frame, because other work on the machine can only add
time. The captures in FOLDER have CNPs, ACKs and short WRITEs of 62 to 106 bytes, or WRITEs of
1 KB or 4 KB. All ICRCs are right."""
import os
import pathlib
import resource
import struct
import subprocess
import sys
import zlib

RUNS = 5
OFF = "--no-icrc"
# scapy must parse each frame, so the script reads a field of each.
SCAPY = [sys.executable, "-c", """
import sys
from scapy.contrib.roce import BTH
from scapy.layers.l2 import Ether
from scapy.utils import RawPcapReader
assert all(Ether(b)[BTH].psn >= 0 for b, _ in RawPcapReader(sys.argv[1]))
"""]
READ = [f"{sys.argv[2]}/read"]
# Options of rocedump, the peer, its command, and the goal as a share of the peer's time.
ROWS = [(["--summary", OFF], "libpcap", READ, 2),
        (["--summary"], "libpcap", READ, 2),
        (["--summary", OFF], "capinfos", ["capinfos"], 1),
        (["--summary"], "capinfos", ["capinfos"], 1),
        (["--json"], "tshark", ["tshark", "-T", "json", "-r"], 0.05),
        (["--json"], "scapy", SCAPY, 0.05)]


def frame(version, opcode, body, i):
    """Returns an Ethernet frame that has a RoCE packet with this body and the right ICRC."""
    bth = struct.pack(">BBHII", opcode, 0x40, 0xffff, 0x110 + i % 64, i)
    n = 8 + len(bth) + len(body) + 4
    udp = struct.pack(">HHHH", 49152 + i, 4791, n, 0)
    if version == 4:
        ip = struct.pack(">BBHHHBBH4s4s", 0x45, 2, 20 + n, i, 0x4000, 64, 17, 0,
                         bytes([10, 0, 17, i]), bytes([10, 0, 18, 1]))
        words = sum(struct.unpack(">10H", ip))
        words = (words & 0xffff) + (words >> 16)
        ip = ip[:10] + struct.pack(">H", 0xffff ^ words) + ip[12:]
        masked = ip[:1] + b"\xff" + ip[2:8] + b"\xff" + ip[9:10] + b"\xff\xff" + ip[12:]
    else:
        ip = struct.pack(">IHBB16s16s", 0x60200000, n, 17, 64,
                         bytes.fromhex("20010db80001") + bytes(9) + bytes([i]),
                         bytes.fromhex("20010db80002") + bytes(9) + b"\1")
        masked = b"\x6f\xff\xff\xff" + ip[4:7] + b"\xff" + ip[8:]
    covered = bytes([255] * 8) + masked + udp[:6] + b"\xff\xff" + bth[:4] + b"\xff" + bth[5:]
    ether = bytes.fromhex("020000000002020000000001") + (b"\x08\0" if version == 4 else b"\x86\xdd")
    return ether + ip + udp + bth + body + struct.pack("<I", zlib.crc32(covered + body))


def small(i):
    ack = frame(4 + 2 * (i & 1), 0x11, struct.pack(">I", 0x1f000000 + i), i)
    cnp = frame(4 + 2 * (i & 1), 0x81, bytes(16), i)
    write = frame(4, 0x0a, struct.pack(">QII", 0x1000 * i, 1, 32) + bytes(range(32)), i)
    return [ack, cnp, write]


def large(n):
    return [frame(4 + 2 * (i & 1), 0x07, os.urandom(n), i) for i in range(64)]


def capture(path, frames, n):
    with open(path, "wb") as f:
        f.write(struct.pack("<IHHIIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1))
        for i in range(n):
            b = frames[i % len(frames)]
            f.write(struct.pack("<IIII", i // 1000000, i % 1000000, len(b), len(b)) + b)
    return str(path)


def cpu(command):
    def used():
        r = resource.getrusage(resource.RUSAGE_CHILDREN)
        return r.ru_utime + r.ru_stime
    before = used()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return used() - before


def all_icrcs_ok(dump, path, n):
    said = subprocess.run([dump, "--summary", path], capture_output=True, text=True, check=True)
    return f"{n:12d}  ICRC ok\n" in said.stdout


def frames_for(command, n):
    """Returns a number that makes the start cheap beside the frames: tshark takes 0.3 s to
    start, and 0.1 ms for a frame as JSON. scapy takes 0.3 ms per frame."""
    if command == SCAPY:
        return n // 4
    return n if "json" in " ".join(command) else 20 * n


def main(dump, folder):
    sizes = [("small frames", [f for i in range(64) for f in small(i)], 15000),
             ("1 KB", large(1024), 8000), ("4 KB", large(4096), 4000)]
    for name, frames, n in sizes:
        path = pathlib.Path(folder) / "frames.pcap"
        programs = [*([dump, *ours] for ours, _, _, _ in ROWS), *(c for _, _, c, _ in ROWS)]
        programs = {tuple(p): frames_for(p, n) for p in programs}
        files = {k: capture(path.with_stem(f"frames{k}"), frames, k)
                 for k in {1, *programs.values()}}
        assert all_icrcs_ok(dump, files[n], n), name
        times = {p: ([], []) for p in programs}
        for _ in range(RUNS):
            for p, k in programs.items():
                times[p][0].append(cpu([*p, files[k]]))
                times[p][1].append(cpu([*p, files[1]]))
        runs = {p: [(w - min(start)) / (programs[p] - 1) * 1e9 for w in whole]
                for p, (whole, start) in times.items()}
        for ours, peer, command, goal in ROWS:
            for o, t in zip(runs[(dump, *ours)], runs[tuple(command)]):
                print(f"rocedump {' '.join(ours)}, {name}, beside {peer}", f"{o:.1f}",
                      peer if command in (READ, SCAPY) else " ".join(command), f"{t:.1f}", "ns",
                      goal, sep="\t")


main(*sys.argv[1:])
