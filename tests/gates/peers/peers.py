# SPDX-License-Identifier: BSD-2-Clause
"""Compares rocedump --json with tshark and scapy, field by field.

peers.py ROCEDUMP [SEED]   over the frames of frames.py; map.tsv has the compared fields

It fails if two of them differ, if map.tsv does not know a field or member, or if a known defect
of a peer is gone.
"""
import collections
import copy
import json
import logging
import pathlib
import re
import struct
import sys
import tempfile

import scapy

import frames
import notify
import telemetry
from known import KNOWN, SCAPY_UNREAD, UNREAD, is_rd
from views import (Map, configure_tshark, require, run, scapy_view, tshark,
                   tshark_view)

SEED, ROUNDS = 2026, (50, 5)  # rounds of each site
TIME = 1700000000  # of the first frame; they are 1000000007 ns apart


def ours(line):
    """Returns the members of a line of rocedump --json as lists, outermost first."""
    out, nodes = collections.defaultdict(list), collections.defaultdict(list)

    def add(name, value):
        if isinstance(value, dict):
            for member, v in value.items():
                add(name + "." + member, v)
        elif isinstance(value, list) and name.endswith(".nodes"):
            nodes[name].append(value[::-1])  # peers have wire order
        elif isinstance(value, list):
            out[name] += value
        elif value is not None:
            out[name].append(int(value) if isinstance(value, bool) else value)

    for name, value in line.items():
        if name not in ("stack", "status", "at", "next"):
            for record in value if isinstance(value, list) else [value]:
                add(name, record)
    for name, records in nodes.items():
        out.update(telemetry.columns(name, records))
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
        """Returns members that a frame's known defects exclude."""
        out = []
        for name, who, _, when, members, shows in KNOWN:
            if who == peer and when(f):
                self.shown.add((who, name))
                if not shows(f, view):
                    self.say(who, "now knows", name + ": update tests/gates/peers")
                out += members
        return out

    def compare(self, peer, n, members, mine, theirs, spoiled=()):
        for member in sorted(members):
            parts = member.split("+")
            if any((p + ".").startswith(s + ".") for p in parts for s in spoiled):
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


def cut(f, seen, members):
    """Returns the members in the first layers of the stack, `seen`."""
    have, all_ = collections.Counter(seen), collections.Counter(f.stack)
    out = collections.defaultdict(list)
    for member, values in members.items():
        layer = member.split(".")[0]
        n = len(values) if have[layer] == all_[layer] else have[layer]
        if values[:n] or layer not in all_:
            out[member] = values[:n]
    return out


def as_peer_sees(peer, f, mine):
    """Returns a frame and its members up to the first layer that the peer does not read."""
    unread = {**UNREAD, **(SCAPY_UNREAD if peer == "scapy" else {})}
    ends = [(i, layer) for i, layer in enumerate(f.stack) if layer in unread]
    if f.behind:  # rocedump has passed over a layer unknown to peers
        ends = sorted(ends + [(len(f.stack) - f.behind, f.at)])
    if not ends:
        return f, mine
    seen = copy.copy(f)
    seen.stack = f.stack[:ends[0][0]]
    seen.want = cut(f, seen.stack, f.want)
    seen.unread = ends[0][1]
    seen.opcode = seen.version = None
    return seen, cut(f, seen.stack, mine)


def compare_quote(judge, n, f, inner):
    """Compares an error's quote up to its BTH, because rocedump shows no more of it."""
    about, missing = f.about, len(f.about.data) - len(f.quote)
    stack = [layer for layer in about.stack if layer != "fastcnp"]
    stack = stack[:stack.index("bth") + 1]
    seen = inner["stack"][:-1]
    if missing and inner["status"] == "short":
        stack = stack[:len(seen)]
    elif inner["status"] != "ok":
        judge.say("frame", n, "quotes a packet, which is", inner["status"])
    if inner["stack"] != stack + ["partial"]:
        judge.say("frame", n, "quotes", inner["stack"], "and should quote", stack)
    want = cut(about, seen, about.want)
    for name, nodes in about.nodes.items():
        layer = name.removesuffix(".nodes")
        want.update(telemetry.columns(name, nodes[:seen.count(layer)]))
    want.update({"partial.why": ["quoted"], "partial.missing": [missing]})
    mine = ours(inner)
    judge.compare("frames.py", "%d, quote," % n, set(mine) | set(want), mine, want)


def compare_frame(judge, n, f, line, views):
    inner = line.get("icmp_error", {}).pop("inner", None)
    if f.about is not None:
        compare_quote(judge, n, f, inner)
    elif inner is not None:
        judge.say("frame", n, "quotes nothing")
    mine = all_mine = ours(line)
    got = line["status"], line.get("at"), line["stack"]
    if got != (f.status, f.at, f.stack):
        judge.say("frame", n, "is", got, "and should be", (f.status, f.at, f.stack))
    f.want.update({"frame": [n], "len": [len(f.data)], "caplen": [len(f.data)],
                   "iface": [0], "time_ns": [f.time]})
    judge.compare("frames.py", n, set(mine) | set(f.want), mine, f.want)
    whole = f
    for peer, view in views.items():
        f, mine = as_peer_sees(peer, whole, all_mine)
        for name in view.unknown:
            judge.say("map.tsv does not know", peer, name)
        spoiled = judge.spoiled(peer, f, view)
        members, theirs = view.map.members | set(view.got), view.got
        if f.status != "ok" or "icmp_error" in f.stack:
            # the peers continue after rocedump's end, and in the quoted packet
            members = {m for m in members if m in mine}
            theirs = {m: theirs[m][:len(mine[m])] for m in members}
        judge.compare(peer, n, members, mine, theirs, spoiled)
        if peer == "tshark" and f.udp_ok is not None:
            status = [i.text for i in view.all("udp.checksum.status")]
            if (status[-1:] == ["1"]) != f.udp_ok:
                judge.say("frame", n, "the UDP checksum is right:", f.udp_ok, status)
            judge.confirmed.add("l3qcn.checksum_ok")
        if peer == "tshark" and f.opcode in frames.OPCODES and not is_rd(f):
            if view.all("_ws.malformed.expert"):
                judge.say("frame", n, "is malformed: opcode 0x%02x" % f.opcode)
    return all_mine


def write_pcap(path, all_frames):
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 65535, 1))
        for f in all_frames:
            n = len(f.data)
            out.write(struct.pack("<IIII", *divmod(f.time, 10**9), n, n) + f.data)


def wanted_in_band():
    """Required telemetry: each item present and absent, and so on; pairs of layers, one after
    the other."""
    wanted = [("%s.nodes.%s" % (layer, member), absent) for absent in (False, True)
              for layer, items in (("ioam", telemetry.IOAM), ("intmd", telemetry.INTMD))
              for layout in items.values() for member, _ in telemetry.split(layout)]
    wanted += [(m, v) for m in ("O", "intmd.d", "intmd.e", "intmd.m", "csig.wide",
                                "csig.no_update") for v in (0, 1)]
    wanted += [(m, n) for m in ("ioam.nodes", "ifa.nodes", "intmd.nodes")
               for n in range(4)]
    wanted += [tuple(end.split()) for end in (
        "unsupported ifa", "format ifa", "unsupported intmd", "format intmd",
        "format ioam")]
    wanted += [("told", layer, name) for layer in ("ifa", "intmd")
               for name in ("cnp", "icrc")]
    wanted += [("ifa.next_hdr", proto) for proto in (6, 17, 47)]
    wanted += [("ioam.nodes", 61), ("ifa.nodes", 31)]
    wanted += [("intmd.npt", npt) for npt in (1, 2)]
    wanted += [tuple(pair.split()) for pair in (
        "hopopts ioam", "ioam ioam", "ipv4 ifa", "ipv6 ifa", "ifa udp", "ifa tcp",
        "udp intmd", "intmd udp", "intmd bth", "ether csig", "vlan csig", "csig vlan",
        "csig cntag", "csig ipv4", "csig ipv6", "ether cntag", "vlan cntag")]
    return wanted


def wanted_notices():
    """Required congestion signals: every reason to be invalid, every parameter."""
    wanted = [("verdict", verdict) for table in (notify.CNM_BAD, notify.L3QCN_BAD)
              for _, verdict in table.values()]
    wanted += [("verdict", v) for v in ("many_tags", "new_version", "cnm_version")]
    wanted += [("udp_ok", ok) for ok in (True, False)]
    wanted += [(m, v) for m in ("arn.tuple_bytes", "arn.lsb", "l3qcn.ports")
               for v in {"arn.tuple_bytes": (0, 13, 16, 37, 40)}.get(m, (0, 1))]
    wanted += [tuple(pair.split()) for pair in (
        "udp l3qcn", "l3qcn cnm", "udp arn", "ether pfc", "ether pause", "ether cnm",
        "vlan cnm", "cntag cnm", "short cnm", "format cnm", "unsupported cnm",
        "short l3qcn", "format l3qcn", "unsupported l3qcn", "short arn", "format arn",
        "unsupported arn", "short pfc", "format pfc", "short pause", "format pause")]
    return wanted


def check_coverage(all_frames):
    """There must be frames of every kind."""
    have = collections.Counter()
    for f in all_frames:
        have.update([(f.opcode, f.version), tuple(f.want["ether.type"] +
                                                  f.want["vlan.type"][:-1])])
        have.update((m, v) for m in ("icrc.ok", "icrc.rule", "payload.pad",
                                     "payload.pad_forbidden", "fastcnp.kind",
                                     "problem.fastcnp", "icmp.ok", "ioam.opt_type",
                                     "fastcnp.ioam.opt_type", "ioam.nodes", "ifa.nodes",
                                     "intmd.nodes", "intmd.npt", "intmd.d", "intmd.e",
                                     "intmd.m", "csig.wide", "csig.no_update",
                                     "ifa.next_hdr", "arn.tuple_bytes", "arn.lsb",
                                     "l3qcn.ports", "partial.why")
                    for v in f.want[m])
        have.update(f.stack + [f.at, (f.status, f.at)])
        have.update(zip(f.stack, f.stack[1:]))
        have.update((m, v is None) for m in f.want if ".nodes." in m for v in f.want[m])
        have.update(("O", v >> 3) for v in f.want["ioam.flags"])
        tunnel = f.stack.count("ipv4") + f.stack.count("ipv6") == 2
        have["tunnel"] += tunnel
        have["tunnel", "fastcnp"] += tunnel and "fastcnp" in f.stack
        have["tunnel", "icmp_error"] += tunnel and "icmp_error" in f.stack
        have.update(("told", layer, name) for layer in ("ifa", "intmd")
                    for name in ("cnp", "icrc") if layer in f.stack and name in f.stack)
        have["padded"] += f.padded
        have["passed", f.status] += f.behind > 0
        have["ext", f.stack[-1]] += f.at == "ext"
        have.update([("udp_ok", f.udp_ok), ("verdict", f.verdict)])
        have["low port"] += any(p < 1024 for p in f.want["udp.src_port"])
        have["UDP checksum"] += any(f.want["udp.checksum"])
    wanted = [(op, v) for op in frames.OPCODES for v in (0, 4, 6)]
    wanted += ["tunnel", "padded", "low port", "UDP checksum", "tcp", "hopopts",
               "dstopts", "srh", "fragment", "ext", "etag", "vntag", "arista", (0x8100,) * 3, (0x88a8,) * 3,
               ("tunnel", "fastcnp"), ("tunnel", "icmp_error"), ("fastcnp.kind", "plain")]
    wanted += [(m, v) for m in ("problem.fastcnp", "icmp.ok", "ioam.opt_type",
                                "fastcnp.ioam.opt_type") for v in (0, 1)]
    wanted += [("icrc.rule", r) for r in ("standard", "masked", "literal", "stripped")]
    wanted += [("icrc.ok", 0), ("payload.pad_forbidden", 1), ("ext", "icrc")]
    wanted += [("partial.why", "fragment"), ("partial.why", "captured")]
    wanted += [("passed", "format"), ("passed", "unsupported")]
    wanted += [("payload.pad", "00" * n) for n in range(4)]
    wanted += wanted_in_band() + wanted_notices()
    require(all(have[w] for w in wanted), "no frame has",
            [w for w in wanted if not have[w]])


def check_source_port(judge, all_frames, folder):
    """Without its configuration, tshark takes source port 69 before 4791."""
    frame = [f for f in all_frames if f.version == 4 and f.in_band is None
             and f.want["udp.src_port"] == [69]][0]
    write_pcap(folder / "port.pcap", [frame])
    [layers] = [[p.get("name") for p in packet]
                for packet in tshark(folder / "port.pcap", folder)]
    if "tftp" not in layers:
        judge.say("tshark now knows port 4791 from port 69: update tests/gates/peers")


def compare_verdicts(judge, rocedump, pcap, site, site_frames):
    """Compares the reason why a frame is not a CNM. Only rocedump's text has it."""
    text = run(rocedump, "--no-icrc", *telemetry.settings(site), str(pcap))
    blocks = re.findall(r"^frame .*\n(?:  .*\n)*", text, re.MULTILINE)
    require(len(blocks) == len(site_frames), "rocedump wrote", len(blocks), "blocks")
    for n, (f, block) in enumerate(zip(site_frames, blocks), 1):
        verdict = re.search(r"^  verdict (\w+)$", block, re.MULTILINE)
        if (verdict and verdict[1]) != f.verdict:
            judge.say("frame", n, "has verdict", verdict and verdict[1],
                      "and should have", f.verdict)
        judge.agreed["verdict"] += verdict is not None


def compare_site(judge, rocedump, maps, folder, site, site_frames):
    """Compares all frames of one site. Returns the members that rocedump has."""
    used, pcap = set(), folder / "all.pcap"
    write_pcap(pcap, site_frames)
    lines = run(rocedump, "--json", "--config", "roce.rd=1", *telemetry.settings(site),
                str(pcap)).splitlines()
    require(len(lines) == len(site_frames), "rocedump printed", len(lines), "lines")
    packets = tshark(pcap, folder / "config")
    compare_verdicts(judge, rocedump, pcap, site, site_frames)
    for n, (f, line, packet) in enumerate(zip(site_frames, lines, packets), 1):
        views = {"tshark": tshark_view(maps["tshark"], packet),
                 "scapy": scapy_view(maps["scapy"], f.data)}
        used |= set(compare_frame(judge, n, f, json.loads(line), views))
    require(next(packets, None) is None, "tshark has more frames")
    return used


def main(rocedump, seed=SEED):
    logging.getLogger("scapy.runtime").setLevel(logging.ERROR)
    version = run("tshark", "--version").split()[2].rstrip(".")
    sites = [(site, list(frames.frames(int(seed) + i, rounds, site)))
             for i, (site, rounds) in enumerate(zip(telemetry.SITES, ROUNDS))]
    all_frames = [f for _, site_frames in sites for f in site_frames]
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
        for site, site_frames in sites:
            used |= compare_site(judge, rocedump, maps, folder, site, site_frames)
    for member in sorted(used):
        if (member in judge.confirmed) == (member in alone):
            judge.say(member, "is confirmed, and map.tsv says otherwise"
                      if member in alone else
                      "is confirmed by no peer, and map.tsv does not say why")
    for peer, table in maps.items() if seed == SEED else ():
        for row in sorted((set(table.rows) | set(table.reasons)) - table.seen):
            judge.say("map.tsv:", peer, "never shows", row)
    for member in sorted(set(alone) - used) if seed == SEED else ():
        judge.say("map.tsv: rocedump never shows", member)
    for name, who, *_ in KNOWN:
        require((who, name) in judge.shown, "no frame shows", who, name)
    print("peers: %d frames, %d fields agree with tshark %s, %d with scapy %s"
          % (len(all_frames), judge.agreed["tshark"], version, judge.agreed["scapy"],
             scapy.VERSION))
    print("peers: %d members as written, %d only there; %d verdicts; %d known defects "
          "still there" % (judge.agreed["frames.py"], len(alone),
                           judge.agreed["verdict"], len(KNOWN) + 1))
    if judge.differ:
        print("\n".join(list(judge.differ)[:20]))
        sys.exit("peers: %d differences" % len(judge.differ))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
