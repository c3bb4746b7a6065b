# SPDX-License-Identifier: BSD-2-Clause
"""rocegen.py rows|stacks|tshark|scapy|mutants ROCEGEN [ROCEDUMP]: what rocegen makes.

rows     of every row of vectors/*.vec that says what bytes its values have, a row of
         the same values without the bytes: they come back
stacks   of stacks of layers with members drawn at random: rocedump reads the same
tshark   of the stacks, and with segments left of an SRH: tshark finds no wrong checksum
scapy    of plain IPv4 and IPv6: scapy, and zlib for the ICRC, fill in the same
mutants  of broken rows and command lines: exit 0, 1 or 2, and no sanitizer's 99
"""
import collections
import glob
import json
import os
import random
import re
import subprocess
import sys
import zlib

# Rows that came back on 2026-11-24; fewer is a failure.
ROWS_MIN = 617

# Calls of which either side has the values of a format, and the bytes are all of it.
CALLS = {"arn_emit": ("arn", 5), "arn_parse": ("arn", 6)}


def run(*args, feed=None):
    return subprocess.run(args, input=feed, capture_output=True, check=False)


def fail(*what):
    print("rocegen:", *what)
    sys.exit(1)


def lines_of(path):
    """The lines of a file of vectors, each with those that continue it."""
    text = re.sub(r"#.*", "", open(path, encoding="utf-8").read())
    text = re.sub(r"\n[ \t]*(?=\n)", "", text)
    return re.sub(r"\s*\n[ \t]+(?=\S)", " ", text).splitlines()


def rows(path):
    """Settings, noun or call, status, bytes, values, ID of each row."""
    config = []
    for line in lines_of(path):
        if line.startswith("source:"):
            config = []
        if line.startswith("config "):
            config += line.split()[1:]
        m = re.match(r"(\S+) +(?:call +(\S+)|(\S+)) +([a-z_]+) +([0-9a-fA-F ]+|-) *\|"
                     r"(.*?)(?:->(.*))?$", line)
        if m and not line.startswith(("source:", "config ")):
            noun, side = CALLS.get(m[2], (m[3], 6))
            values = m[6] if side != 6 or m[7] is None else m[7]
            octets = m[5].replace(" ", "").lower()
            yield tuple(config) if m[2] else (), noun, m[2], m[4], octets, values, m[1]


def answers(gen, path, config, noun, of):
    """The rows (ID, bytes, values) have to come back as their bytes."""
    feed = "source: here\n" + "".join(f"{n} {noun} ok - | {k}\n" for n, _, k in of)
    got = run(gen, *(f"--config={c}" for c in config), "-", feed=feed.encode())
    lines = got.stdout.decode().split()
    if got.returncode != 0 or len(lines) != len(of):
        fail(f"{path}: {noun}: {got.stderr.decode().strip()}")
    for (name, octets, _), line in zip(of, lines):
        if octets != line:
            fail(f"{path}: {name}: {line}, and not {octets}")
    return len(of)


def check_rows(gen):
    back, left = 0, collections.Counter()
    for path in sorted(glob.glob("vectors/*.vec")):
        groups = collections.defaultdict(list)
        for config, noun, call, status, octets, values, name in rows(path):
            if noun is None:
                left["calls, not the values of a format", call] += 1
            elif status != "ok":
                left["status not ok: no bytes that such values have", noun] += 1
            elif "emit=no" in values.split():
                left["emit=no: an encoder writes other bytes", noun] += 1
            else:
                groups[config, noun].append((name, octets, values))
        for (config, noun), of in groups.items():
            back += answers(gen, path, config, noun, of)
    for why in sorted({w for w, _ in left}):
        print(f"rocegen: not covered, {why}:",
              ", ".join(f"{n} {noun}" for (w, noun), n in sorted(left.items()) if w == why))
    print(f"rocegen: {back} rows came back as their bytes")
    if back < ROWS_MIN:
        fail(f"{back} rows, and there were {ROWS_MIN}")


# A stack, options of both tools, keys that are in each draw.
SID = "srh.segments=20010db8000000000000000000000007"
STACKS = [
    ("ether ipv4 udp bth payload icrc", "", "payload.length=13"),
    ("ether vlan ipv6 udp bth reth payload icrc", "", "payload.length=1024"),
    ("ether vlan vlan ipv4 udp bth aeth icrc", "", ""),
    ("ether ipv4 udp bth deth payload icrc", "", "payload.length=64"),
    ("ether ipv4 udp bth deth immdt payload icrc", "", "payload.length=7"),
    ("ether ipv6 udp bth atomiceth icrc", "", ""),
    ("ether ipv4 udp bth aeth atomicacketh icrc", "", ""),
    ("ether ipv4 udp bth ieth payload icrc", "", "payload.length=4"),
    ("ether ipv4 udp bth feth reth icrc", "", ""),
    ("ether ipv4 udp bth xrceth payload icrc", "", "payload.length=4"),
    ("ether ipv4 udp bth cnp icrc", "", ""),
    ("ether ipv6 dstopts fastcnp udp bth cnp icrc", "", ""),
    ("ether ipv6 dstopts fastcnp udp bth cnp icrc", "",
     "fastcnp.ioam.nodes[0].hop_limit=0 fastcnp.ioam.nodes[1].hop_limit=0"),
    ("ether ipv6 hopopts ioam udp bth payload icrc", "",
     "ioam.nodes[0].hop_limit=0 ioam.nodes[2].hop_limit=0 payload.length=5"),
    ("ether ipv6 hopopts ioam dstopts srh udp bth icrc", "",
     f"{SID} ioam.remaining_len=5 dstopts.options=1e0400000000"),
    ("ether ipv6 srh ipv6 udp bth payload icrc", "", f"{SID} payload.length=3"),
    ("ether ipv6 ipv4 udp bth payload icrc", "", "payload.length=3"),
    ("ether ipv4 ifa udp bth payload icrc", "",
     "ifa.nodes[0].lns=1 ifa.nodes[1].lns=1 payload.length=1000"),
    ("ether ipv6 ifa udp bth payload icrc", "", "ifa.nodes[0].lns=1 payload.length=1"),
    ("ether ipv4 udp intmd bth payload icrc", "--config=intmd.udp_port=5000",
     "intmd.nodes[0].node_id=0 intmd.nodes[1].node_id=0 payload.length=100"),
    ("ether csig ipv4 udp bth payload icrc", "",
     "csig.type=5 csig.value=30 csig.locator=127 payload.length=2"),
    ("ether vlan csig ipv6 udp bth payload icrc", "", 
     "csig.tpid=39169 csig.type=9 csig.value=1048575 csig.locator=258 payload.length=2"),
    ("ether cntag ipv4 udp bth payload icrc", "", "payload.length=2"),
    ("ether mpls mpls ipv4 udp bth payload icrc", "", "payload.length=8"),
    ("ether grh bth payload icrc", "", "payload.length=8"),
    ("ether ipv4 udp vxlan ether vlan ipv6 udp bth payload icrc", "", "payload.length=99"),
    ("ether ipv6 udp vxlan_gpe ipv4 udp bth payload icrc", "", "payload.length=99"),
    ("ether ipv4 udp geneve ether ipv4 udp bth cnp icrc", "", "geneve.options=01020304"),
    ("ether ipv4 gre erspan2 ether ipv4 udp bth cnp icrc", "", ""),
    ("ether cnm", "", ""),
    ("ether vlan cntag cnm", "", "cnm.msdu=0102030405"),
    ("ether ipv4 udp l3qcn", "", "ipv4[0].src=10.0.0.1 ipv4[0].dst=10.0.0.2"),
    ("ether ipv6 udp l3qcn", "", "ipv6[0].src=2001:db8::9 ipv6[0].dst=2001:db8::a"),
    ("ether ipv4 udp arn", "", "priority=3 time=1"),
    ("ether ipv6 udp arn", "", "path_id=0 flow.src=2001:db8::9 flow.dst=2001:db8::a"),
    ("ether pfc", "", "ether.dst=01:80:c2:00:00:01 pfc.quanta[0]=1"),
    ("ether pause", "", "ether.dst=01:80:c2:00:00:01"),
]

# Where rocedump --fields has the widths of a layer's members, if not under its name.
FORMATS = {"vxlan_gpe": ["gpe"], "ioam": ["ioam_trace"],
           "ifa": ["ifa_header", "ifa_metadata"], "intmd": ["intmd_header", "intmd_shim"],
           "erspan2": ["erspan"]}
NODES = {"ioam": "ioam_node", "ifa": "ifa_node_a", "intmd": "intmd_node"}

# What is filled in, or decides what else is there: another value is another packet.
FILLED = set("""
    ether.type vlan.type csig.tpid csig.wide csig.type csig.value csig.locator
    csig.reserved csig.no_update cntag.type mpls.s ipv4.total_length ipv4.protocol
    ipv4.header_checksum ipv4.mf ipv4.fragment_offset ipv4.options ipv6.payload_length
    ipv6.next_header hopopts.next_header hopopts.options dstopts.next_header
    dstopts.options srh.next_header srh.segments srh.segments_left srh.flags srh.tlvs
    udp.dst_port udp.length udp.checksum vxlan.flags vxlan_gpe.flags
    vxlan_gpe.next_protocol geneve.ver geneve.opt_len geneve.o geneve.c
    geneve.protocol_type geneve.options gre.flags gre.protocol gre.options erspan2.ver
    erspan2.en erspan2.t erspan2.index grh.pay_len grh.nxt_hdr bth.opcode bth.pad
    bth.tver cnp.odd fastcnp.kind fastcnp.reserved ioam.opt_type ioam.node_len ioam.remaining_len
    ioam.trace_type ioam.data ioam.namespace_id ifa.version ifa.gns ifa.next_hdr
    ifa.flags ifa.current_length ifa.max_length ifa.checksum ifa.reserved ifa.packet_id
    ifa.mf_id ifa.last ifa.speed ifa.lns ifa.layout ifa.tx_timestamp_ns intmd.type intmd.npt
    intmd.original intmd.ver intmd.hop_ml intmd.instructions intmd.ds_id
    payload.bytes payload.pad payload.pad_forbidden icrc.value icrc.computed icrc.ok
    icrc.rule cnm.version cnm.msdu_len cnm.msdu l3qcn.proto l3qcn.ports l3qcn.src
    l3qcn.dst l3qcn.extension l3qcn.checksum_ok arn.type arn.version arn.para_type
    arn.lsb arn.tuple_bytes arn.flow_zero arn.path_id arn.priority arn.time arn.rest
    arn.flow.src arn.flow.dst arn.present pfc.enable pause.dst pause.src
    """.split())


def widths(dump):
    """Bits of each member, by format."""
    bits, name = {}, ""
    for line in run(dump, "--fields").stdout.decode().splitlines():
        if line[0] != " ":
            name = line
            continue
        member, width = line.split()[:2]
        bits[name, member] = int(width) if width.isdigit() else 0
    return bits


def drawn(pick, was, bits, key):
    """Another value of the kind that a member has; None: there is no other. All ones
    says of a node's item that it is not there."""
    if isinstance(was, bool):
        return pick.random() < 0.5
    if isinstance(was, int):
        if key.endswith(("q_offset", "q_delta")):
            return pick.choice([-2**15, -1, 0, 2**15 - 1])
        top = 2**bits - (2 if "nodes[" in key else 1)
        return pick.choice([0, top, pick.randint(0, top)]) if bits else None
    if not isinstance(was, str) or was in ("", "plain"):
        return None
    if re.fullmatch(r"(..:){5}..", was):
        return "02" + "".join(f":{pick.getrandbits(8):02x}" for _ in range(5))
    if re.fullmatch(r"(\d+\.){3}\d+", was):
        return f"10.{pick.getrandbits(8)}.{pick.getrandbits(8)}.{pick.randint(1, 254)}"
    if ":" in was:
        return f"2001:db8::{pick.randint(1, 0xffff):x}"
    return f"{pick.getrandbits(4 * len(was)):0{len(was)}x}"


def layer_members(name, layer, bits, key):
    formats = FORMATS.get(name, [name])
    for member, value in layer.items():
        if member == "nodes":
            for i, node in enumerate(value):
                for m, v in node.items():
                    yield f"{key}nodes[{i}].{m}", v, bits.get((NODES[name], m), 0), f"{name}.{m}"
        elif isinstance(value, list):
            for i, v in enumerate(value):
                m = f"{member}[{i}]"
                yield key + m, v, bits.get((name, m), 0), f"{name}.{m}"
        elif isinstance(value, dict) and member == "ioam":
            yield from layer_members("ioam", value, bits, key + "ioam.")
        elif isinstance(value, dict):
            for m, v in value.items():
                m = f"{member}.{m}"
                yield key + m, v, bits.get((name, m), 0), f"{name}.{m}"
        else:
            width = max(bits.get((f, member), 0) for f in formats)
            yield key + member, value, width, f"{name}.{member}"


def members(frame, bits, prefix=""):
    """Key, value, width and name of every member of an object that rocedump wrote."""
    for name in dict.fromkeys(frame["stack"]):
        whole = frame[name]
        if not isinstance(whole, list):
            yield from layer_members(name, whole, bits, f"{prefix}{name}.")
        for i, layer in enumerate(whole if isinstance(whole, list) else []):
            yield from layer_members(name, layer, bits, f"{prefix}{name}[{i}].")
    if "inner" in frame:
        yield from members(frame["inner"], bits, prefix + "inner.")


def made(gen, dump, options, words):
    """What rocedump reads of what rocegen makes: each ICRC is right."""
    what = " ".join(words)
    frame = run(gen, "--pcap", "-", *options, *words)
    if frame.returncode != 0 or frame.stderr:
        fail(what, frame.stderr.decode())
    got = run(dump, "--json", *options, "-", feed=frame.stdout)
    if got.returncode != 0 or got.stderr:
        fail(what, got.stderr.decode())
    packet = whole = json.loads(got.stdout)
    while packet is not None:
        if packet["status"] != "ok" or "bth" in packet and packet["icrc"]["ok"] is not True:
            fail(what, "is read as", got.stdout.decode())
        packet = packet.get("inner")
    return whole


def stack_of(frame):
    shown = []
    while frame is not None:
        shown += [w for w in frame["stack"] if w != "cnm" or "l3qcn" not in frame["stack"]]
        frame = frame.get("inner")
    return shown


def check_stacks(gen, dump, draws=12):
    bits, pick, n = widths(dump), random.Random(1), 0
    for words, options, given in STACKS:
        stack, options, given = words.split(), options.split(), given.split()
        plain = made(gen, dump, options, stack + given)
        if stack_of(plain) != stack:
            fail(words, "is read as", stack_of(plain))
        named = dict(k.split("=") for k in given)
        for k, v, *_ in members(plain, bits):
            if str(v) != named.get(k, str(v)):
                fail(words, given, f"{k} is {v}")
        may = [m[:3] for m in members(plain, bits)
               if m[3] not in FILLED and m[0] not in named and drawn(pick, *m[1:3], m[0]) is not None]
        for _ in range(draws if may else 0):
            keys = {k: drawn(pick, v, b, k)
                    for k, v, b in pick.sample(may, pick.randint(1, len(may)))}
            args = stack + given + [f"{k}={int(v) if isinstance(v, bool) else v}"
                                    for k, v in keys.items()]
            now = {m[0]: m[1] for m in members(made(gen, dump, options, args), bits)}
            for k, v in keys.items():
                if now.get(k) != v:
                    fail(" ".join(args), f"{k} is {now.get(k)}")
            n += len(keys)
    print(f"rocegen: rocedump reads {n} members in {draws * len(STACKS)} frames of "
          f"{len(STACKS)} stacks as they were asked for")


def check_tshark(gen):
    """One capture of a frame of each stack; how many checksums tshark finds in it."""
    segments = "".join(f"20010db800000000000000000000000{i}" for i in (7, 8, 9))
    srh = [(f"ether ipv6 srh {rest}", "", f"srh.segments={segments} srh.segments_left={left} "
            "payload.length=3") for left in range(3)
           for rest in ("udp bth payload icrc", "ipv6 udp bth payload icrc")]
    capture, words = b"", []
    for stack, options, given in STACKS + srh:
        args = [*options.split(), *stack.split(), *given.split()]
        got = run(gen, "--pcap", "-", *args)
        if got.returncode != 0:
            fail(" ".join(args), got.stderr.decode())
        capture += got.stdout[24:] if capture else got.stdout
        words.append(" ".join(args))
    kinds = ("ip", "udp", "icmpv6")
    got = run("tshark", "-n", "-r", "-", "-T", "fields",
              *(w for k in kinds for w in ("-o", f"{k}.check_checksum:TRUE") if k != "icmpv6"),
              *(w for k in kinds for w in ("-e", f"{k}.checksum.status")), feed=capture)
    rows_ = got.stdout.decode().splitlines()
    if got.returncode != 0 or len(rows_) != len(words):
        fail("tshark:", got.stderr.decode())
    found = collections.Counter()
    for row, what in zip(rows_, words):
        for kind, states in zip(kinds, row.split("\t")):
            for state in states.split(",") if states else ():
                found[kind, state] += 1
                if state == "0":
                    fail(what, f"by tshark the checksum of {kind} is wrong")
    print("rocegen: checksums by tshark:", ", ".join(f"{n} {k} in state {s}"
                                                    for (k, s), n in sorted(found.items())))
    if found["udp", "1"] < len(srh) or found["ip", "1"] < 20:
        fail("tshark looked at few checksums")


def icrc_of(ip, rest):
    """IBTA A17.3.3, by zlib: an IP header without options, and UDP through payload."""
    ip, rest = bytearray(ip), bytearray(rest)
    if ip[0] >> 4 == 4:
        ip[1] = ip[8] = ip[10] = ip[11] = 0xff
    else:
        ip[0] |= 0x0f
        ip[1] = ip[2] = ip[3] = ip[7] = 0xff
    rest[6] = rest[7] = rest[8 + 4] = 0xff
    return zlib.crc32(b"\xff" * 8 + ip + rest).to_bytes(4, "little")


def check_scapy(gen, draws=60):
    from scapy.all import IP, IPv6, UDP, Ether  # takes a second
    from scapy.contrib.roce import BTH
    pick = random.Random(2)
    for i in range(draws):
        v6 = i % 2 == 1
        keys = {"dest_qp": pick.getrandbits(24), "psn": pick.getrandbits(24),
                "src_port": pick.getrandbits(16), "dscp": pick.getrandbits(6),
                "ecn": pick.getrandbits(2),
                "payload.length": pick.choice([1, 2, 3, 4, 511, 4096])}
        got = run(gen, "ether", "ipv6" if v6 else "ipv4", "udp", "bth", "payload", "icrc",
                  *(f"{k}={v}" for k, v in keys.items()))
        frame = bytes.fromhex(got.stdout.decode())
        again = Ether(frame)
        ip, udp = again[IPv6 if v6 else IP], again[UDP]
        read = udp[BTH].dqpn, udp[BTH].psn, udp.sport, ip.tc if v6 else ip.tos
        if read != (keys["dest_qp"], keys["psn"], keys["src_port"],
                    keys["dscp"] << 2 | keys["ecn"]):
            fail("scapy reads", again.show(dump=True))
        at = 54 if v6 else 34
        if icrc_of(frame[14:at], frame[at:-4]) != frame[-4:]:
            fail("by zlib the ICRC is another:", frame.hex())
        if not v6 and udp[BTH].compute_icrc(b"") != frame[-4:]:
            fail("by scapy the ICRC is another:", frame.hex())
        for header, name in [(udp, "len"), (udp, "chksum")] + (
                [(ip, "plen")] if v6 else [(ip, "len"), (ip, "chksum")]):
            header.delfieldval(name)
        if bytes(again) != frame:
            fail("scapy fills in otherwise:", bytes(again).hex(), frame.hex())
    print(f"rocegen: scapy and zlib fill in {draws} frames alike: lengths, checksums, ICRC")


def broken(pick, text):
    """One change: a piece out, twice, or something else in its place."""
    i = pick.randrange(len(text) + 1)
    j = min(len(text), i + pick.randint(0, 6))
    return text[:i] + pick.choice(["", text[i:j] * 2, chr(pick.randint(32, 126)), "=", "[",
                                   "]", ".", "-", "9" * 25, "0x", "::"]) + text[j:]


def check_mutants(gen, count=700):
    pick, codes = random.Random(3), collections.Counter()
    all_rows = [r for path in glob.glob("vectors/*.vec") for r in rows(path) if r[1]]
    for i in range(count):
        if i % 2:
            words, options, given = pick.choice(STACKS)
            args = words.split() + given.split() + ["dst=::1" if "ipv6" in words else "ether.src=02:00:00:00:00:09"]
            at = pick.randrange(len(args))
            args[at] = broken(pick, args[at])
            got = run(gen, *options.split(), "--", *args)
        else:
            _, noun, _, _, _, values, name = pick.choice(all_rows)
            text = f"source: x\n{name} {noun} ok - | {values}\n"
            for _ in range(pick.randint(1, 3)):
                text = broken(pick, text)
            args, got = [text], run(gen, "-", feed=text.encode())
        if got.returncode not in (0, 1, 2) or (got.returncode != 0) != bool(got.stderr):
            fail("exit", got.returncode, args, got.stderr.decode()[-600:])
        codes[got.returncode] += 1
    if min(codes[c] for c in (0, 1, 2)) < 20:
        fail("exit statuses hardly seen:", codes)
    print("rocegen: broken rows and command lines:",
          ", ".join(f"{n} times exit {c}" for c, n in sorted(codes.items())))


if __name__ == "__main__":
    os.environ.update(ASAN_OPTIONS="exitcode=99", UBSAN_OPTIONS="exitcode=99")
    {"rows": check_rows, "stacks": check_stacks, "tshark": check_tshark, "scapy": check_scapy,
     "mutants": check_mutants}[sys.argv[1]](*sys.argv[2:])
