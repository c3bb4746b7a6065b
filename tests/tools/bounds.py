#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""bounds.py ROCEDUMP ROCEDUMP-SAN FOLDER: tests that hostile captures cost rocedump bounded memory
and linear time, and that it says what it leaves out. The captures are written to FOLDER.

The expected numbers are counted here. Memory is address space, by RLIMIT_AS. The cost is the
number of instructions by valgrind, so that it depends only on the tree: 4 times the frames may
cost at most GROWTH times as much."""
import json
import pathlib
import re
import resource
import struct
import subprocess
import sys

FLOWS = 131072       # rows of --flows
TIMES = 65536        # times of CNPs per flow
SAMPLES = 1048576    # rows of --timeline
RATES = 1048576      # counts of the rates of --flows
COPIES = 131072      # packets whose copies are recognised
SPACE = 300 << 20    # enough for full tables
GROWTH = 4.6         # sorting costs more than 4
HEAD = struct.pack("<IHHIIII", 0xa1b23c4d, 2, 4, 0, 0, 65535, 1)
WRITE, ACK, CNP = 0x0a, 0x11, 0x81
A, B = bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2])
bad = []


def check(is_right, *what):
    if not is_right:
        bad.append(what)
        print("bounds:", *what)


def packet(src, dst, qp, opcode, psn=0, body=bytes(16), ecn=2):
    """Returns an Ethernet frame. --flows does not check the ICRC, which is 0."""
    bth = struct.pack(">BBHII", opcode, 0x40, 0xffff, qp, psn)
    n = 8 + len(bth) + len(body) + 4
    udp = struct.pack(">HHHH", 49152, 4791, n, 0)
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, ecn, 20 + n, 0, 0x4000, 64, 17, 0, src, dst)
    words = sum(struct.unpack(">10H", ip))
    words = (words & 0xffff) + (words >> 16)
    ip = ip[:10] + struct.pack(">H", 0xffff ^ words) + ip[12:]
    return bytes.fromhex("020000000002020000000001") + b"\x08\0" + ip + udp + bth + body + bytes(4)


def record(b, ns):
    return struct.pack("<IIII", ns // 10**9, ns % 10**9, len(b), len(b)) + b


def capture(path, frames, gap_ns=1000):
    """Writes frames that are gap_ns apart."""
    with open(path, "wb") as f:
        f.write(HEAD)
        for i, b in enumerate(frames):
            f.write(record(b, i * gap_ns))
    return str(path)


def write_from(i, opcode=WRITE):
    """Returns a packet from another source for each i. Every eighth is marked CE."""
    return packet((0x0b000000 + i).to_bytes(4, "big"), A, 0x100, opcode, i & 0xffffff,
                  ecn=3 if i % 8 == 0 else 2)


def run(*command, space=SPACE):
    """Runs a command with this address space. Returns the status and both outputs."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (space, space))
    p = subprocess.run(command, capture_output=True, text=True, check=False,
                       preexec_fn=limit if space else None)
    return p.returncode, p.stdout, p.stderr


def flows_of(out):
    """Returns the flows of --flows --json, and the others."""
    rows = [json.loads(line) for line in out.splitlines()]
    others = [r["others"] for r in rows if "others" in r]
    return [r for r in rows if "src" in r], others[0] if others else None


def full_table(dump, san, folder):
    """More flows than rows: later flows are in the row "others", and earlier ones are whole."""
    n = 2 * FLOWS + 1000
    frames = [write_from(i) for i in range(n)]
    frames += [write_from(1), packet(A, B, 0x55, CNP), packet(A, B, 0x55, CNP)]
    path = capture(folder / "flood.pcap", frames)
    size = len(frames[0]) - 14 - 4 + 4
    later = range(FLOWS, n)
    for tool, space in ((dump, SPACE), (san, None)): # sanitizers reserve terabytes
        status, out, said = run(tool, "--flows", "--json", path, space=space)
        flows, others = flows_of(out)
        check((status, said) == (0, ""), "flood: status", status, said)
        check(len(flows) == FLOWS, "flood: flows", len(flows))
        check({f["src"]: f["packets"] for f in flows}.get("11.0.0.1") == 2,
              "flood: a known flow does not go on")
        check(others is not None, "flood: no others")
        wanted = {"packets": len(later) + 2, "bytes": len(later) * size + 2 * size,
                  "ce": sum(i % 8 == 0 for i in later), "cnps": 2,
                  "first_ns": FLOWS * 1000, "last_ns": (n + 2) * 1000}
        for key, value in wanted.items():
            check(others and others[key] == value, "flood: others:", key, others, value)
        check(all(f["cnps_disputed"] for f in flows), "flood: CNPs of others dispute nothing")
    _, out, _ = run(dump, "--flows", path)
    lines = out.splitlines()
    row = [line.split() for line in lines if line.split()[:1] == ["others"]]
    check(len(row) == 2 and row[0][4:7] == [str(len(later) + 2), "0",
                                            str((len(later) + 2) * size)],
          "flood: the row of the table", row)
    check(f"The table has room for {FLOWS} flows." in out, "flood: the table does not say so")
    status, out, said = run(dump, "--timeline=100ms", path)
    check((status, said) == (0, ""), "flood: --timeline: status", status, said)
    packets = [line.split(",") for line in out.splitlines()[1:]]
    check(sum(int(p[4]) for p in packets if p[1] == "others") == len(later) + 2,
          "flood: --timeline: the others")
    return path, len(frames)


def little_memory(dump, path, frames):
    """With little address space the table is shorter, but every packet is in it."""
    for mb in (70, 100, 150):
        status, out, said = run(dump, "--flows", "--json", path, space=mb << 20)
        flows, others = flows_of(out)
        room = re.fullmatch(r"rocedump: out of memory: there was room for only (\d+) flows, "
                            r"so the others have no row of their own\n", said)
        check(status == 1 and room and int(room[1]) == len(flows) >= 1000,
              f"{mb} MB: status and message", status, said, len(flows))
        check(others and sum(f["packets"] for f in flows) + others["packets"] == frames,
              f"{mb} MB: packets are missing")
    status, out, said = run(dump, "--timeline", path, space=170 << 20)
    check(status == 1 and out.startswith("time_s,") and "out of memory" in said,
          "170 MB: --timeline", status, said)
    status, out, said = run(dump, "--flows", path, space=20 << 20)
    check((status, out) == (1, "") and said == "rocedump: out of memory\n", "20 MB:", status, said)


def many_cnps(dump, folder):
    """A flow keeps the times of its first CNPs, and counts them all."""
    n = TIMES + 5000
    path = folder / "cnps.pcap"
    with open(path, "wb") as f:
        f.write(HEAD)
        for i in range(n):
            ns = 1000 * i if i < TIMES else 1000 * TIMES + 10 * (i - TIMES)
            f.write(record(packet(B, A, 0x55, CNP), ns))
    _, out, _ = run(dump, "--flows", "--json", str(path))
    cnp = flows_of(out)[0][0]["cnp"]
    check((cnp["packets"], cnp["timed"], cnp["least_apart_ns"], cnp["median_apart_ns"])
          == (n, TIMES, 1000, 1000), "cnps:", cnp)
    _, out, _ = run(dump, "--flows", str(path))
    check("The distances of CNPs are without the last 5000 CNPs" in out, "cnps: the table")


def many_intervals(dump, folder):
    """More intervals than counts of rates: all intervals become longer, and the rates of the
    whole capture remain. 2048 ns is the first length with at most half of the counts."""
    n, cnp, ns = RATES + 5000, RATES // 2, 2048
    b, frames = packet(A, B, 0x100, WRITE), bytearray(HEAD)
    for i in range(n):
        frames += record(b, 1000 * i)
        if i == cnp:
            frames += record(packet(B, A, 0x55, CNP), 1000 * i + 1)
    path = folder / "intervals.pcap"
    path.write_bytes(frames)
    _, out, said = run(dump, "--flows=1ns", "--json", str(path))
    rate = [f["rate"] for f in flows_of(out)[0] if f["dest_qp"] == 0x100][0]
    k = (1000 * cnp + 1) // ns
    before, after = (sum(low <= 1000 * i // ns < low + 10 for i in range(n))
                     for low in (k - 10, k + 1))
    bps = [x * (len(b) - 14) * 8 * 10**9 // (10 * ns) for x in (before, after)]
    check(said == "" and rate["interval_ns"] == ns and
          [rate["before_bps"], rate["after_bps"]] == bps, "intervals:", rate, bps)
    path.unlink()


def many_copies(dump, folder):
    """More packets within 1 ms than the table of copies has: it says how many it forgot."""
    n = 2 * COPIES
    frames = [packet(A, B, 0x100, WRITE, i) for i in range(n)]
    path = capture(folder / "copies.pcap", frames, 1)
    _, out, _ = run(dump, "--flows", "--json", path)
    told = [json.loads(line) for line in out.splitlines()]
    forgotten = [o["copies_forgotten"] for o in told if "copies_forgotten" in o]
    check(len(forgotten) == 1 and n - COPIES <= forgotten[0] < n, "copies:", forgotten)
    _, out, _ = run(dump, "--flows", path)
    check(re.search(r"\nCopies of \d+ packets may count, because ", out), "copies: the table")
    path = capture(folder / "copies.pcap", frames[:1000], 1)
    _, out, _ = run(dump, "--flows", "--json", path)
    check("copies_forgotten" not in out, "copies: some are forgotten without need")


def many_samples(dump, folder):
    """Two interleaved intervals need a row for each frame. When the table is full, only frames
    in the interval of the last row are still counted. The rest is left out, and the tool says so."""
    more = 1000
    b = packet(A, B, 0x100, WRITE)
    path = folder / "samples.pcap"
    with open(path, "wb") as f:
        f.write(HEAD + (record(b, 0) + record(b, 3000000)) * ((SAMPLES + more) // 2))
    status, out, said = run(dump, "--timeline", str(path))
    rows = [line.split(",") for line in out.splitlines()[1:]]
    check([(r[0], int(r[4])) for r in rows] ==
          [("0.000000000", SAMPLES // 2), ("0.003000000", (SAMPLES + more) // 2)],
          "samples:", rows)
    check(status == 1 and said == "rocedump: --timeline: the table is full, and "
          f"{more // 2} packets from 0.000000000 s on are left out; a longer interval than "
          "1000000 ns needs fewer rows\n", "samples:", status, said)
    path.unlink()


def instructions(*command):
    told = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no",
                           "--cachegrind-out-file=/dev/null", *command],
                          capture_output=True, text=True, check=True).stderr
    return int(re.search(r"I +refs: +([\d,]+)", told)[1].replace(",", ""))


def spoofed(n):
    """A flow for each frame."""
    return [write_from(i) for i in range(n)]


def one_pair(n):
    """Data, CNPs and ACKs of many QPs between two hosts."""
    frames = []
    for i in range(n // 4):
        frames += [packet(A, B, 0x10000 + i, WRITE, 4 * i), packet(B, A, 0x10000 + i, CNP),
                   packet(B, A, 0x10000 + i, ACK, 4 * i, struct.pack(">I", 0x1f000000)),
                   packet(A, B, 0x10000 + i, WRITE, 4 * i + 1)]
    return frames


def one_flow(n):
    """A flow with many CNPs after a marked packet."""
    return [packet(A, B, 0x100, WRITE, ecn=3)] + [packet(B, A, 0x55, CNP)] * (n - 1)


def linear(dump, folder):
    n = 4000
    views = {spoofed: (["--flows"], ["--timeline=1us"], ["--csv", "frame,bth.psn"],
                       ["--judge", "reaction", "--summary"]),
             one_pair: (["--flows"], ["--timeline=1us"]),
             one_flow: (["--flows"], ["--timeline=1us"])}
    for frames, options in views.items():
        paths = [capture(folder / f"{frames.__name__}{k}.pcap", frames(k))
                 for k in (1 if frames != one_pair else 4, n, 4 * n)]
        for o in options:
            start, once, four = (instructions(dump, *o, path) for path in paths)
            growth = (four - start) / (once - start)
            check(growth <= GROWTH, *o, frames.__name__, f"costs {growth:.2f} times as much")


def main(dump, san, folder):
    folder = pathlib.Path(folder)
    path, frames = full_table(dump, san, folder)
    little_memory(dump, path, frames)
    many_cnps(dump, folder)
    many_samples(dump, folder)
    many_intervals(dump, folder)
    many_copies(dump, folder)
    linear(dump, folder)
    if bad:
        sys.exit(1)
    print(f"bounds: {FLOWS} flows, {TIMES} times, {SAMPLES} samples and {COPIES} copies are the most, "
          "and the cost is linear")


main(*sys.argv[1:])
