# SPDX-License-Identifier: BSD-2-Clause
"""Compares rocedump with tshark, field by field, on the packets between two machines with
Soft-RoCE, and these packets with the expected ones.

rxe.py ROCEDUMP CAPTURE"""
import collections
import json
import pathlib
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "peers"))
from peers import Judge, ours  # noqa: E402
from views import Map, configure_tshark, run, tshark, tshark_view  # noqa: E402

MTUS = (256, 512, 1024, 2048, 4096)
VERBS = [{"192.0.2.11", "192.0.2.12"}, {"2001:db8::11", "2001:db8::12"}]
NOBODY = 0x123456  # QP of rxe's answers to rocegen
ACK, NAK_SEQUENCE, SEND_ONLY, CNP = 0x1f, 0x60, 0x04, 0x81
# Every opcode of RC, UC and UD that rxe of 6.1 can make. IBTA Table 38.
OPCODES = {*range(0x15), 0x16, 0x17, *range(0x20, 0x2c), 0x64, 0x65}
# Operations of `verbs exchange`: the opcode of one packet, and the three of three packets.
SEND, WRITE = (0x00, 0x01), (0x06, 0x07)
ONE_WAY = [  # RC; UC has 0x20 more, without invalidate
    (0x04, (*SEND, 0x02)), (0x05, (*SEND, 0x03)), (0x17, (*SEND, 0x16)),
    (0x0a, (*WRITE, 0x08)), (0x0b, (*WRITE, 0x09))]


def expected():
    """Returns {(opcode, bytes of payload): how often `verbs exchange` makes it}, per version."""
    count = collections.Counter()
    for mtu in MTUS:
        parts = (mtu, mtu, 3)
        for one, three in ONE_WAY:
            for base in (0x00, 0x20) if one != 0x17 else (0x00,):
                count[base + one, 13] += 1
                count.update((base + op, n) for op, n in zip(three, parts))
            count[0x11, 0] += 2
        count[0x0c, 0] += 2
        count[0x10, 13] += 1
        count.update((op, n) for op, n in zip((0x0d, 0x0e, 0x0f), parts))
        count.update([(0x13, 0), (0x14, 0), (0x12, 0), (0x12, 0), (0x64, 13), (0x65, 13)])
    return count


class Capture:
    """The RoCE packets of a capture, by version: 0 is IPv4, 1 is IPv6."""

    def __init__(self):
        self.seen = [collections.Counter(), collections.Counter()]  # by opcode
        self.verbs = [collections.Counter(), collections.Counter()]  # as expected()
        self.answers = [[], []]  # to NOBODY
        self.naks = [0, 0]  # to others
        self.right = 0
        self.wrong = [0, 0]

    def packet(self, p):
        version = int("ipv6" in p)
        [ip] = p["ipv6" if version else "ipv4"]
        opcode, syndrome = p["bth"]["opcode"], p.get("aeth", {}).get("syndrome")
        n = len(p.get("payload", {}).get("bytes", "")) // 2
        self.seen[version][opcode] += 1
        self.right += p["icrc"]["ok"] is True
        self.wrong[version] += p["icrc"]["ok"] is not True
        if {ip["src"], ip["dst"]} == VERBS[version]:
            self.verbs[version][opcode, n] += 1
        if p["bth"]["dest_qp"] == NOBODY:
            self.answers[version].append((opcode, p["bth"]["psn"], syndrome))
        elif syndrome == NAK_SEQUENCE and opcode == 0x11:
            self.naks[version] += ip["src"] in ("192.0.2.1", "2001:db8::1")


def check(judge, capture):
    """Compares with the packets that the machines were to send."""
    answers = [(0x11, 0xfffff0, ACK), (0x11, 0xfffff1, NAK_SEQUENCE),
               (0x11, 0xfffff1, ACK), (SEND_ONLY, 0xfffff0, None),
               (SEND_ONLY, 0xfffff0, None)]
    for version, name in enumerate(("IPv4", "IPv6")):
        seen = set(capture.seen[version])
        if seen != OPCODES | {CNP}:
            judge.say(name, "has no opcodes", sorted(OPCODES - seen), "but",
                      sorted(seen - OPCODES - {CNP}))
        verbs = capture.verbs[version]
        for key in sorted(set(verbs) | set(expected())):
            if verbs[key] != expected()[key]:
                judge.say(name, "opcode 0x%02x with %d bytes" % key, "came", verbs[key],
                          "times and should", expected()[key])
        if capture.answers[version] != answers:
            judge.say(name, "to QP 0x123456 came", capture.answers[version])
        if capture.naks[version] == 0:
            judge.say(name, "has no NAK for a lost packet")
        if capture.wrong[version] != 1:
            judge.say(name, "has", capture.wrong[version], "wrong ICRCs, not the one")


def main(rocedump, pcap):
    judge, capture, table = Judge(), Capture(), Map("tshark")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        roce = folder / "roce.pcap"
        run("tshark", "-F", "pcap", "-r", pcap, "-Y", "udp.dstport == 4791", "-w",
            str(roce))
        configure_tshark(folder / "config")
        lines = run(rocedump, "--json", str(roce)).splitlines()
        packets = tshark(roce, folder / "config")
        for n, (line, packet) in enumerate(zip(lines, packets), 1):
            line, view = json.loads(line), tshark_view(table, packet)
            for name in view.unknown:
                judge.say("map.tsv does not know", name)
            if line["status"] != "ok":
                judge.say("frame", n, "is", line["status"])
                continue
            cnp = line["bth"]["opcode"] == CNP  # tshark does not know it: known.py
            judge.compare("tshark", n, table.members | set(view.got), ours(line),
                          view.got, ["cnp", "icrc"] if cnp else [])
            capture.packet(line)
        if next(packets, None) is not None:
            judge.say("tshark has more packets than rocedump")
    check(judge, capture)
    judge.differ = {text.replace("peers:", "live-rxe:"): 1 for text in judge.differ}
    for opcode in sorted(capture.seen[0] | capture.seen[1]):
        print("live-rxe: opcode 0x%02x: %d over IPv4, %d over IPv6" %
              (opcode, capture.seen[0][opcode], capture.seen[1][opcode]))
    print("live-rxe: %d packets, %d ICRCs right, %d fields agree with tshark, %d NAKs" %
          (len(lines), capture.right, judge.agreed["tshark"], sum(capture.naks)))
    if judge.differ:
        print("\n".join(list(judge.differ)[:20]))
        sys.exit("live-rxe: %d differences" % len(judge.differ))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
