# SPDX-License-Identifier: BSD-2-Clause
"""Compares rocedump --json with tshark and scapy, field by field.

peers.py ROCEDUMP [SEED]   over the frames of frames.py; map.tsv says what is compared

Three things make it fail: two that do not say the same, a field or member that map.tsv
does not know, and a known defect of a peer that is gone.
"""
import collections
import json
import logging
import pathlib
import struct
import sys
import tempfile

import scapy

import frames
from known import KNOWN, is_rd
from views import (Map, configure_tshark, require, run, scapy_view, tshark,
                   tshark_view)

SEED, ROUNDS = 2026, 55
TIME = 1700000000  # of the first frame; they are 1000000007 ns apart


def ours(line):
    """A line of rocedump --json: its members as lists, outermost first."""
    out = collections.defaultdict(list)

    def add(name, value):
        if isinstance(value, dict):
            for member, v in value.items():
                add(name + "." + member, v)
        elif value is not None:
            out[name].append(int(value) if isinstance(value, bool) else value)

    for name, value in line.items():
        if name not in ("stack", "status", "at"):
            for record in value if isinstance(value, list) else [value]:
                add(name, record)
    return out


class Judge:
    def __init__(self):
        self.differ = {}  # as an ordered set
        self.agreed = collections.Counter()
        self.confirmed = set()
        self.shown = set()

    def say(self, *message):
        self.differ["peers: " + " ".join(str(m) for m in message)] = True

    def spoiled(self, peer, f, view):
        """What a frame's known defects keep from being compared."""
        out = []
        for name, who, _, when, members, shows in KNOWN:
            if who == peer and when(f):
                self.shown.add((who, name))
                if not shows(f, view):
                    self.say(who, "now knows", name + ": update tests/peers")
                out += members
        return out

    def compare(self, peer, n, members, mine, theirs, spoiled=()):
        for member in sorted(members):
            parts = member.split("+")
            if any(p.split(".")[0] in spoiled or p in spoiled for p in parts):
                continue
            lists = [mine.get(p, []) for p in parts]
            should = ["".join(v) for v in zip(*lists)] if parts[1:] else lists[0]
            is_ = theirs.get(member, [])
            if should != is_:
                self.say("frame", n, member, "is", should, "and", peer, "has", is_)
                continue
            self.agreed[peer] += len(should)
            if should and peer != "frames.py":
                self.confirmed.update(parts)


def compare_frame(judge, n, f, line, views):
    mine = ours(line)
    got = line["status"], line.get("at"), line["stack"]
    if got != (f.status, f.at, f.stack):
        judge.say("frame", n, "is", got, "and should be", (f.status, f.at, f.stack))
    f.want.update({"frame": [n], "len": [len(f.data)], "caplen": [len(f.data)],
                   "time_ns": [f.time]})
    judge.compare("frames.py", n, set(mine) | set(f.want), mine, f.want)
    for peer, view in views.items():
        for name in view.unknown:
            judge.say("map.tsv does not know", peer, name)
        spoiled = judge.spoiled(peer, f, view)
        members, theirs = view.map.members | set(view.got), view.got
        if f.status != "ok" or "problem" in f.stack:
            # the peers go on where rocedump has stopped, and in the packet quoted
            members = {m for m in members if m in mine}
            theirs = {m: theirs[m][:len(mine[m])] for m in members}
        judge.compare(peer, n, members, mine, theirs, spoiled)
        if peer == "tshark" and f.opcode in frames.OPCODES and not is_rd(f):
            if view.all("_ws.malformed.expert"):
                judge.say("frame", n, "is malformed: opcode 0x%02x" % f.opcode)
    return mine


def write_pcap(path, all_frames):
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 65535, 1))
        for f in all_frames:
            n = len(f.data)
            out.write(struct.pack("<IIII", *divmod(f.time, 10**9), n, n) + f.data)


def check_coverage(all_frames):
    """There are frames of every kind."""
    have = collections.Counter()
    for f in all_frames:
        have.update([(f.opcode, f.version), tuple(f.want["ether.type"] +
                                                  f.want["vlan.type"][:-1])])
        have.update((m, v) for m in ("icrc.ok", "icrc.rule", "payload.pad",
                                     "payload.pad_forbidden", "fastcnp.kind",
                                     "problem.fastcnp", "icmp6.ok", "ioam.opt_type",
                                     "fastcnp.ioam.opt_type") for v in f.want[m])
        have.update(f.stack + [f.at])
        tunnel = f.stack.count("ipv4") + f.stack.count("ipv6") == 2
        have["tunnel"] += tunnel
        have["tunnel", "fastcnp"] += tunnel and "fastcnp" in f.stack
        have["tunnel", "problem"] += tunnel and "problem" in f.stack
        have["padded"] += f.padded
        have["low port"] += any(p < 1024 for p in f.want["udp.src_port"])
        have["UDP checksum"] += any(f.want["udp.checksum"])
    wanted = [(op, v) for op in frames.OPCODES for v in (0, 4, 6)]
    wanted += ["tunnel", "padded", "low port", "UDP checksum", "tcp", "hopopts",
               "dstopts", "srh", "fragment", "ext", (0x8100,) * 3, (0x88a8,) * 3,
               ("tunnel", "fastcnp"), ("tunnel", "problem"), ("fastcnp.kind", "plain")]
    wanted += [(m, v) for m in ("problem.fastcnp", "icmp6.ok", "ioam.opt_type",
                                "fastcnp.ioam.opt_type") for v in (0, 1)]
    wanted += [("icrc.rule", r) for r in ("standard", "masked", "literal", "stripped")]
    wanted += [("icrc.ok", 0), ("payload.pad_forbidden", 1)]
    wanted += [("payload.pad", "00" * n) for n in range(4)]
    require(all(have[w] for w in wanted), "no frame has",
            [w for w in wanted if not have[w]])


def check_source_port(judge, all_frames, folder):
    """tshark would rather believe source port 69 than 4791, if it were let."""
    frame = [f for f in all_frames if f.version == 4 and "udp" in f.stack
             and f.want["udp.src_port"] == [69]][0]
    write_pcap(folder / "port.pcap", [frame])
    [layers] = [[p.get("name") for p in packet]
                for packet in tshark(folder / "port.pcap", folder)]
    if "tftp" not in layers:
        judge.say("tshark now knows port 4791 from port 69: update tests/peers")


def main(rocedump, seed=SEED):
    logging.getLogger("scapy.runtime").setLevel(logging.ERROR)
    version = run("tshark", "--version").split()[2].rstrip(".")
    all_frames = list(frames.frames(int(seed), ROUNDS))
    for i, f in enumerate(all_frames):
        f.time = TIME * 10**9 + i * 1000000007
    check_coverage(all_frames)
    judge, used = Judge(), set()
    maps = {peer: Map(peer) for peer in ("tshark", "scapy")}
    alone = Map("rocedump").reasons
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        check_source_port(judge, all_frames, folder)
        configure_tshark(folder / "config")
        write_pcap(folder / "all.pcap", all_frames)
        lines = run(rocedump, "--json", "--config", "roce.rd=1",
                    str(folder / "all.pcap")).splitlines()
        require(len(lines) == len(all_frames), "rocedump printed", len(lines), "lines")
        packets = tshark(folder / "all.pcap", folder / "config")
        for n, (f, line, packet) in enumerate(zip(all_frames, lines, packets), 1):
            views = {"tshark": tshark_view(maps["tshark"], packet),
                     "scapy": scapy_view(maps["scapy"], f.data)}
            used |= set(compare_frame(judge, n, f, json.loads(line), views))
        require(next(packets, None) is None, "tshark has more frames")
    for member in sorted(used):
        if (member in judge.confirmed) == (member in alone):
            judge.say(member, "is confirmed, and map.tsv says otherwise"
                      if member in alone else
                      "is confirmed by no peer, and map.tsv does not say why")
    for peer, table in maps.items() if seed == SEED else ():
        for row in sorted((set(table.rows) | set(table.reasons)) - table.seen):
            judge.say("map.tsv:", peer, "never shows", row)
    for name, who, *_ in KNOWN:
        require((who, name) in judge.shown, "no frame shows", who, name)
    print("peers: %d frames, %d fields agree with tshark %s, %d with scapy %s"
          % (len(all_frames), judge.agreed["tshark"], version, judge.agreed["scapy"],
             scapy.VERSION))
    print("peers: %d members as written, %d only there; %d known defects still there"
          % (judge.agreed["frames.py"], len(alone), len(KNOWN) + 1))
    if judge.differ:
        print("\n".join(list(judge.differ)[:20]))
        sys.exit("peers: %d differences" % len(judge.differ))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
