# SPDX-License-Identifier: BSD-2-Clause
"""rocegen.py rows|stacks|hand|keys|tshark|scapy|mutants ROCEGEN [ROCEDUMP]: tests rocegen.

rows     rows of vectors/*.vec give their bytes from their values alone, and so does each
         file as it stands, in its order
stacks   rocedump reads the random members of stacks of layers; other members have only
         their usual values
hand     rocedump reads the values that specifications and --help give, worked out by hand
keys     each member that --layers lists is a key, with as many bits as on the wire
tshark   tshark finds no wrong checksum in the stacks, also with segments left of an SRH
scapy    scapy, and zlib for the ICRC, fill in plain IPv4 and IPv6 in the same way
mutants  broken rows and command lines give exit status 0, 1 or 2, and no sanitizer's 99
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

# Rows that gave their bytes on 2026-11-24. Fewer rows are a failure.
ROWS_MIN = 617

# Calls with a format's values as arguments (5) or results (6), and with all of its bytes.
CALLS = {"arn_emit": ("arn", 5), "arn_parse": ("arn", 6)}


def run(*args, feed=None):
    return subprocess.run(args, input=feed, capture_output=True, check=False)


def fail(*what):
    print("rocegen:", *what)
    sys.exit(1)


def lines_of(path):
    """Returns the lines of a file of vectors, joined with their continuations."""
    text = re.sub(r"#.*", "", open(path, encoding="utf-8").read())
    text = re.sub(r"\n[ \t]*(?=\n)", "", text)
    return re.sub(r"\s*\n[ \t]+(?=\S)", " ", text).splitlines()


def rows(path):
    """Yields settings, noun, call, status, bytes, values and ID of each row."""
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
    """Checks that rows (ID, bytes, values) give their bytes. Returns their number."""
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
        octets = [r[4] for r in rows(path) if r[2] is None and r[3] == "ok" and "emit=no" not in r[5].split()]
        if octets and run(gen, path).stdout.decode().split() != octets:
            fail(path, "as it stands: other bytes than its rows in their order")
    for why in sorted({w for w, _ in left}):
        print(f"rocegen: not covered, {why}:",
              ", ".join(f"{n} {noun}" for (w, noun), n in sorted(left.items()) if w == why))
    print(f"rocegen: {back} rows came back as their bytes")
    if back < ROWS_MIN:
        fail(f"{back} rows, and there were {ROWS_MIN}")


# Values other than 0 without a key: addresses for documentation (RFC 5737, 3849) and of
# local administration, 64 hops (RFC 1700), the first dynamic port (RFC 6335), the default
# P_Key (IBTA 10.9.1), class CS6 and the hops of notifications.
USUAL = {
    "ether.dst": ["02:00:00:00:00:02"], "ether.src": ["02:00:00:00:00:01"],
    "ipv4.src": ["192.0.2.1"], "ipv4.dst": ["192.0.2.2"], "ipv6.src": ["2001:db8::1"],
    "ipv6.dst": ["2001:db8::2"], "ipv4.df": [True], "ipv4.ttl": [64], "ipv6.hop_limit": [64],
    "arista.subtype": [1], "arista.version": [16], "udp.src_port": [49152], "bth.pkey": [0xffff], "mpls.ttl": [64],
    "fastcnp.flow_dst": ["2001:db8::3"], "ifa.request_vector": [255],
    "ifa.hop_limit": [254, 253], "intmd.remaining_hop_count": [8], "l3qcn.dst_port": [4791],
    "arn.flow.proto": [0, 17]}
NOTIFICATIONS = {
    "cnp": {"ipv4.dscp": [48], "ipv6.dscp": [48], "bth.becn": [True]},
    "l3qcn": {"ipv4.dscp": [48], "ipv6.dscp": [48]},
    "arn": {"ipv4.dscp": [48], "ipv6.dscp": [48], "ipv4.ttl": [255], "ipv6.hop_limit": [255]}}


def check_usual(words, packet, bits, named):
    """Checks that only named, filled-in and usual members have a value."""
    while packet is not None:
        usual = dict(USUAL)
        for name, values in NOTIFICATIONS.items():
            usual.update(values if name in packet["stack"] else {})
        alone = {k: v for k, v in packet.items() if k != "inner"}
        for key, value, _, name in members(alone, bits):
            if name in FILLED or key in named or name == "reth.dma_length":
                continue
            if name in usual and value not in usual[name] or name not in usual and (
                    value and str(value).strip("0:") != ""):
                fail(words, f"{key} is {value}, but no word sets it")
        packet, named = packet.get("inner"), [k[6:] for k in named if k.startswith("inner.")]


# Stacks, options for both tools, and keys for each draw.
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
    ("ether ipv4 ifa udp bth payload icrc", "--config=ifa.checksum=stack --config=ifa.fragments=1",
     "ifa.flags=21 ifa.checksum=4660 ifa.packet_id=77 ifa.mf_id=3 ifa.nodes[0].device_id=5 "
     "payload.length=9"),
    ("ether ipv4 ifa udp bth payload icrc",
     "--config=ifa.checksum=stack --config=ifa.fragments=1 --config=ifa.tail=newest_first",
     "ifa.flags=29 ifa.checksum=4660 ifa.packet_id=77 ifa.mf_id=3 ifa.nodes[1].device_id=5 "
     "payload.length=9"),
    ("ether ipv6 udp vxlan ether ipv4 ifa udp bth payload icrc", "--config=ifa.tail=newest_last",
     "ifa.flags=12 ifa.nodes[1].lns=1 payload.length=9"),
    ("ether ipv4 udp intmd bth payload icrc", "--config=intmd.udp_port=5000",
     "intmd.nodes[0].node_id=0 intmd.nodes[1].node_id=0 payload.length=100"),
    ("ether csig ipv4 udp bth payload icrc", "",
     "csig.type=5 csig.value=30 csig.locator=127 payload.length=2"),
    ("ether vlan csig ipv6 udp bth payload icrc", "", 
     "csig.tpid=39169 csig.type=9 csig.value=1048575 csig.locator=258 payload.length=2"),
    ("ether cntag ipv4 udp bth payload icrc", "", "payload.length=2"),
    ("ether mpls mpls ipv4 udp bth payload icrc", "", "payload.length=8"),
    ("ether etag ipv4 udp bth payload icrc", "", "payload.length=2"),
    ("ether vntag vlan ipv6 udp bth payload icrc", "", "payload.length=2"),
    ("ether arista ipv4 udp bth payload icrc", "", "payload.length=2"),
    ("ether etag vntag arista ipv4 udp bth payload icrc",
     "--config=tag.etag_type=0x8a00 --config=tag.vntag_type=0x893f --config=tag.arista_type=0x8a01",
     "arista.version=288 arista.seconds=772 payload.length=2"),
    ("ether ipv6 fragment udp bth payload icrc", "", "icrc.rule=literal payload.length=3"),
    ("ether ipv6 ah udp bth payload icrc", "", "icrc.rule=literal payload.length=3"),
    ("ether ipv4 udp gre ipv6 udp bth payload icrc", "", "payload.length=9"),
    ("ether ipv6 udp gre ether ipv4 udp bth cnp icrc", "--config=overlay.gre_port=4999", ""),
    ("ether ipv4 udp mpls mpls ipv4 udp bth payload icrc", "", "payload.length=9"),
    ("ether ipv6 udp mpls ipv6 ipv4 udp bth cnp icrc", "--config=overlay.mpls_port=4998", ""),
    ("ether ipv4 udp vxlan ether ipv4 udp bth cnp icrc", "--config=overlay.vxlan_port=8473", ""),
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

# Formats of rocedump --fields with a layer's widths, if not under its name.
FORMATS = {"vxlan_gpe": ["gpe"], "ioam": ["ioam_trace"],
           "ifa": ["ifa_header", "ifa_metadata"], "intmd": ["intmd_header", "intmd_shim"],
           "erspan2": ["erspan"], "fragment": ["ip6frag"]}
NODES = {"ioam": "ioam_node", "ifa": "ifa_node_a", "intmd": "intmd_node"}

# Members that are filled in or decide about others. Another value is another packet.
FILLED = set("""
    ether.type vlan.type etag.type vntag.type arista.type arista.subtype arista.version
    fragment.next_header fragment.fragment_offset fragment.m ah.type ah.header csig.tpid csig.wide csig.type csig.value csig.locator
    csig.reserved csig.no_update cntag.type mpls.s ipv4.total_length ipv4.protocol
    ipv4.header_checksum ipv4.mf ipv4.fragment_offset ipv4.options ipv6.payload_length
    ipv6.next_header hopopts.next_header hopopts.options dstopts.next_header
    dstopts.options srh.next_header srh.segments srh.segments_left srh.flags srh.tlvs
    udp.dst_port udp.length udp.checksum vxlan.flags vxlan_gpe.flags
    vxlan_gpe.next_protocol geneve.ver geneve.opt_len geneve.o geneve.c
    geneve.protocol_type geneve.options gre.flags gre.protocol gre.options erspan2.ver
    erspan2.en erspan2.t erspan2.index grh.pay_len grh.nxt_hdr bth.opcode bth.pad
    bth.tver bth.operation cnp.odd fastcnp.kind fastcnp.reserved ioam.opt_type ioam.node_len
    ioam.remaining_len
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
    """Returns the bits of each member, by format."""
    bits, name = {}, ""
    for line in run(dump, "--fields").stdout.decode().splitlines():
        if line[0] != " ":
            name = line
            continue
        member, width = line.split()[:2]
        bits[name, member] = int(width) if width.isdigit() else 0
    return bits


def drawn(pick, was, bits, key):
    """Returns another value for a member, or None if there is none. All ones would mark a
    node's item as absent."""
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
    """Yields key, value, width and name of every member in rocedump's object."""
    for name in dict.fromkeys(frame["stack"]):
        whole = frame[name]
        if not isinstance(whole, list):
            yield from layer_members(name, whole, bits, f"{prefix}{name}.")
        for i, layer in enumerate(whole if isinstance(whole, list) else []):
            yield from layer_members(name, layer, bits, f"{prefix}{name}[{i}].")
    if "inner" in frame:
        yield from members(frame["inner"], bits, prefix + "inner.")


def made(gen, dump, options, words):
    """Returns rocedump's object for rocegen's frame, in which each ICRC must be right."""
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
        check_usual(words, plain, bits, list(named))
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


# Options, words, offset and bytes of the frame. EtherTypes are from IEEE and Cisco, UDP
# ports from IANA and RFC 8086, Next Headers from IANA, AH from RFC 4302, and others from a
# domain.
OWN = "--config=overlay."
BYTES = [
    *(("", f"ether {tag} ipv4 udp bth icrc", 12, f"{n:04x}") for tag, n in
      (("etag", 0x893f), ("vntag", 0x8926), ("arista", 0xd28b))),
    *((f"--config=tag.{tag}_type=0x8a{i}0", f"ether {tag} ipv4 udp bth icrc", 12, f"8a{i}0")
      for i, tag in enumerate(("etag", "vntag", "arista"))),
    ("", "ether etag ipv4 udp bth icrc etag.pcp=5 etag.dei=1 etag.ingress_ecid_base=0x123 "
     "etag.grp=2 etag.ecid_base=0x456 etag.ingress_ecid_ext=7 etag.ecid_ext=8", 14, "b123245607080800"),
    ("", "ether vntag ipv6 udp bth icrc vntag.d=1 vntag.p=0 vntag.dst=0x2345 vntag.l=1 vntag.r=0 "
     "vntag.ver=1 vntag.src=0x678", 14, "a345967886dd"),
    ("", "ether arista ipv4 udp bth icrc arista.seconds=0x01020304 arista.ns=5", 14,
     "00010010" "01020304" "00000005" "0800"),
    ("", "ether arista ipv4 udp bth icrc arista.version=0x120 arista.seconds=0x0304 arista.ns=5", 14,
     "00010120" "0304" "00000005" "0800"),
    *((option, f"ether ipv4 udp {words} ipv4 udp bth icrc", 36, f"{port:04x}")
      for words, name, iana in (("vxlan ether", "vxlan", 4789), ("vxlan_gpe", "vxlan_gpe", 4790),
                                ("geneve", "geneve", 6081), ("mpls", "mpls", 6635),
                                ("gre", "gre", 4754))
      for option, port in (("", iana), (f"{OWN}{name}_port=999", 999))),
    ("", "ether ipv6 fragment udp bth icrc fragment.fragment_offset=0x1001 fragment.m=1 "
     "fragment.identification=0x01020304 icrc.value=0", 20, f"{44:02x}"),
    ("", "ether ipv6 fragment udp bth icrc fragment.fragment_offset=0x1001 fragment.m=1 "
     "fragment.identification=0x01020304 icrc.value=0", 54, f"{17:02x}00" "8009" "01020304"),
    ("", "ether ipv4 ah udp bth icrc icrc.value=0 ah.spi=258 ah.sequence=3", 23, f"{51:02x}"),
    ("", "ether ipv4 ah udp bth icrc icrc.value=0 ah.spi=258 ah.sequence=3", 34,
     f"{17:02x}04" "0000" "00000102" "00000003" + "00" * 12 + "c000"),
    ("", "ether ipv6 ah ah udp bth icrc icrc.value=0 ah[0].icv=0102030405060708090a0b0c0d0e0f10", 54,
     f"{51:02x}050000" + "00" * 8 + "0102030405060708090a0b0c0d0e0f10" f"{17:02x}04"),
    ("", "ether ipv6 ah udp bth icrc icrc.value=0 ah.icv= ah.payload_len=7", 54, f"{17:02x}07"),
]


def check_bytes(gen):
    """Also checks that an empty domain has IANA's ports, but not GRE in UDP."""
    for option, words, at, want in BYTES:
        got = run(gen, *option.split(), *words.split())
        line = got.stdout.decode().strip()
        if got.returncode != 0 or line[2 * at:2 * at + len(want)] != want:
            fail(option, words, f"has not {want} at {at}:", line, got.stderr.decode())
    for words, port in (("vxlan ether", 4789), ("vxlan_gpe", 4790), ("geneve", 6081),
                        ("mpls", 6635), ("gre", 0)):
        got = run(gen, "--domain", os.devnull, *f"ether ipv4 udp {words} ipv4 udp bth icrc".split())
        if bytes.fromhex(got.stdout.decode())[36:38] != port.to_bytes(2, "big"):
            fail(words, "has another port than IANA's", port, got.stdout.decode())
    for word in ("etag", "vntag", "arista"):
        got = run(gen, "--domain", os.devnull, *f"ether {word} ipv4 udp bth icrc icrc.value=0".split())
        if bytes.fromhex(got.stdout.decode())[12:14] != b"\xff\xff":
            fail(word, "has an EtherType where it is off", got.stdout.decode())
    if b"rocegen: ah: values of its keys are out of range" not in run(
            gen, "ipv6", "ah", "ah.icv=010203").stderr:
        fail("an ICV of 3 bytes is not refused")
    print(f"rocegen: {len(BYTES) + 9} frames have the expected bytes")


# Opcodes of a message in one packet, by the headers after the BTH (IBTA Table 38).
OPCODES = {"": 0x04, "payload": 0x04, "immdt payload": 0x05, "ieth payload": 0x17,
           "reth payload": 0x0a, "reth immdt payload": 0x0b, "reth": 0x0c, "aeth payload": 0x10,
           "aeth": 0x11, "aeth atomicacketh": 0x12, "atomiceth": 0x13, "deth payload": 0x64,
           "deth immdt payload": 0x65, "xrceth payload": 0xa4, "feth reth": 0x1c, "cnp": 0x81}
TWO = "ether ipv4 udp vxlan ether ipv6 ipv4 udp bth icrc"

# Words, and the values that rocedump must read, by IANA, IEEE, lengths and --help.
HAND = [(f"ether ipv4 udp bth {ext} icrc payload.length=6" if "payload" in ext else
         f"ether ipv4 udp bth {ext} icrc",
         f"bth.opcode={opcode} bth.becn={ext == 'cnp'}"
         + (" bth.pad=2 payload.bytes=000102030405 payload.pad=0000" if "payload" in ext else "")
         + (f" reth.dma_length={6 * ('payload' in ext)}" if "reth" in ext else ""))
        for ext, opcode in OPCODES.items()] + [
    ("ether vlan vlan ipv4 udp bth icrc",
     f"ether.type={0x88a8} vlan[0].type={0x8100} vlan[1].type={0x0800}"),
    ("ether vlan ipv6 udp bth icrc", f"ether.type={0x8100} vlan[0].type={0x86dd}"),
    ("ether grh bth payload icrc payload.length=8", "grh.pay_len=24 grh.nxt_hdr=27"),
    *((f"ether ipv4 udp vxlan_gpe {x} udp bth icrc", f"vxlan_gpe.next_protocol={n}")
      for x, n in (("ipv4", 1), ("ipv6", 2), ("ether ipv4", 3))),
    ("ether ipv4 gre ipv6 udp bth icrc", f"gre.protocol={0x86dd}"),
    ("ether ipv4 gre ether ipv4 udp bth icrc", f"gre.protocol={0x6558} gre.flags=0"),
    ("ether ipv4 gre erspan2 ether ipv4 udp bth icrc", f"gre.protocol={0x88be} gre.flags=4096"),
    ("ether ipv4 udp bth payload icrc payload.bytes=0a0b payload.length=9", "payload.bytes=0a0b"),
    ("cnp dest_qp=1 psn=4 dest_qp=2", "bth.dest_qp=2 bth.psn=4"),
    ("cnp dst=2001:db8::9", "ipv6[0].dst=2001:db8::9 ipv6[0].dscp=48 ipv6[0].hop_limit=64"),
    ("cnp src=2001:db8::9 ttl=3", None), ("cnp dst=10.0.0.9", "ipv4[0].dst=10.0.0.9"),
    ("arn flow.src=2001:db8::7 flow.dst=2001:db8::8", "ipv6[0].dscp=48 arn.flow.src=2001:db8::7"),
    *(case for x, y, v in (("10.0.0.", "::ffff:10.0.0.", "ipv4"), ("2001:db8::",) * 2 + ("ipv6",))
      for case in (
          (f"l3qcn src={x}5 dst={x}6",
           f"l3qcn.src={y}5 l3qcn.dst={y}6 {v}[0].src={x}6 {v}[0].dst={x}5"),
          (f"ether {v} udp l3qcn l3qcn.src={x}5 {v}.src={x}6",
           f"l3qcn.src={y}5 l3qcn.dst={y}6 {v}[0].src={x}6 {v}[0].dst={x}5"),
          (f"ether {v} udp l3qcn {v}.src={x}6 {v}.dst={x}5",
           f"l3qcn.src={y}5 l3qcn.dst={y}6 {v}[0].src={x}6 {v}[0].dst={x}5"))),
    *((f"pfc quanta[{i}]=7", f"pfc.enable={1 << i} pfc.quanta[{i}]=7 ether.dst=01:80:c2:00:00:01")
      for i in range(8)),
    ("pause quanta=7", "ether.dst=01:80:c2:00:00:01"),
    # The layer of a key.
    (f"{TWO} src_port=7", "inner.udp[0].src_port=7 udp[0].src_port=49152"),
    (f"{TWO} udp.src_port=7", "inner.udp[0].src_port=49152 udp[0].src_port=7"),
    (f"{TWO} inner.udp.src_port=7 ipv4[0].ttl=8", "inner.udp[0].src_port=7 ipv4[0].ttl=8"),
    (f"{TWO} ipv6.hop_limit=9 bth.psn=1 ttl=2",
     "inner.ipv6[0].hop_limit=9 inner.bth.psn=1 inner.ipv4[0].ttl=2 ipv4[0].ttl=64"),
    ("ether vlan vlan ipv4 udp bth icrc vlan.vid=1 vlan[1].pcp=2",
     "vlan[0].vid=1 vlan[1].vid=0 vlan[0].pcp=0 vlan[1].pcp=2"),
    # Only a preallocated IOAM trace has free space for another node.
    *((f"ether ipv6 ioam udp bth icrc opt_type={kind} remaining_len=5 ioam.nodes[0].hop_limit=3",
       f"hopopts[0].next_header=17 ioam[0].data={'00' * space}03{'00' * 19}")
      for kind, space in ((0, 20), (1, 0))),
    # IFA has a hop limit that each node lowers, and optional headers.
    ("ether ipv4 ifa udp bth icrc ifa.nodes[2].device_id=5 ifa.nodes[0].lns=2",
     "ifa.hop_limit=252 ifa.current_length=24 ifa.nodes[0].layout=b ifa.nodes[1].lns=1"),
]


def check_hand(gen, dump):
    check_bytes(gen)
    bits, n = widths(dump), 0
    for words, octet in (("ipv6", 59), ("ipv6 ether", 143)):  # next header: none, Ethernet
        if bytes.fromhex(run(gen, *words.split()).stdout.decode())[6] != octet:
            fail(words, "has another next header than", octet)
    for words, want in HAND:
        if want is None:
            if run(gen, *words.split()).returncode != 2:
                fail(words, "is not refused")
            continue
        now = {m[0]: m[1] for m in members(made(gen, dump, [], words.split()), bits)}
        for key, value in (w.split("=") for w in want.split()):
            if str(now.get(key)) != value:
                fail(words, f"{key} is {now.get(key)}, and not {value}")
            n += 1
    parts = ["flow.src=2001:db8::9 flow.dst=2001:db8::a", "path_id=1", "priority=2", "time=3"]
    for config in ("layout=padded", "layout=packed", "bit_order=lsb", "bit_order=msb"):
        for which in range(16):
            given = [p for i, p in enumerate(parts) if which >> i & 1]
            arn = made(gen, dump, [f"--config=arn.{config}"], ["arn", *" ".join(given).split()])["arn"]
            got = set(arn["present"].split("+")) - {"-"}
            if got != {p.split("=")[0].split(".")[0] for p in given} or any(
                    arn[k] != int(v) for k, v in (p.split("=") for p in given if " " not in p)):
                fail(config, given, "is read as", arn)
            if given[:1] == parts[:1] and arn["tuple_bytes"] != 40 - 3 * (config == "layout=packed"):
                fail(config, given, "has a flow of other bytes:", arn)
            n += 4
    print(f"rocegen: {n} members have the expected values")


def check_keys(gen, dump):
    """Checks the keys of --layers against the widths of rocedump --fields, and four limits."""
    bits, n = widths(dump), 0
    for line in run(gen, "--layers").stdout.decode().splitlines():
        name, keys = line.split(":", 1)
        words, options, given = next((s for s in STACKS if name in s[0].split()), (name, "", ""))
        for key in keys.split():
            stem = key.replace("[i]", "[1]")
            what = ([NODES[name]] if "nodes[" in key and name in NODES else
                    FORMATS.get(name, [name]))
            width = max(bits.get((f, key.split("].", 1)[-1] if "nodes[" in key else key), 0)
                        for f in what)
            value = str(2**width) if 0 < width < 64 else "?"
            got = run(gen, *options.split(), *words.split(), *given.split(), f"{name}.{stem}={value}")
            if not re.search(b": expected |out of range(, or contradicts| or contradict)" if width else b": expected ",
                             got.stderr):
                fail(f"{name}.{stem}={value}", got.returncode, got.stderr.decode())
            n += width > 0
    if run(gen, "ioam", "ioam.nodes[16].node_id=1").returncode != 2:
        fail("17 nodes are not refused")
    for most, build in ((48, lambda n: ["mpls"] * n), (512, lambda n: ["bth"] + ["psn=1"] * n),
                        (64, lambda n: ["payload"] + ["bytes=00"] * n)):
        if run(gen, *build(most)).returncode != 0 or run(gen, *build(most + 1)).returncode != 2:
            fail(build(1), "has another limit than", most)
    print(f"rocegen: {n} members take no value of one bit more")


# Frames, and the fields that tshark must read.
TSHARK = [
    ("ether etag ipv4 udp bth icrc etag.pcp=5 etag.dei=1 etag.ingress_ecid_base=291 etag.reserved=1 "
     "etag.grp=2 etag.ecid_base=1110 etag.ingress_ecid_ext=7 etag.ecid_ext=8",
     "etag.pcp=5 etag.dei=1 etag.iecid_base=0x0123 etag.resv=1 etag.group=2 etag.ecid_base=0x0456 "
     "etag.iecid_ext=0x07 etag.ecid_ext=0x08 etag.etype=0x0800"),
    ("ether vntag ipv4 udp bth icrc vntag.d=1 vntag.dst=9029 vntag.l=1 vntag.ver=2 vntag.src=1656",
     "vntag.dir=1 vntag.ptr=0 vntag.dst=9029 vntag.looped=1 vntag.r=0 vntag.version=2 "
     "vntag.src=1656 vntag.etype=0x0800"),
    *((f"ether {ip} ah udp bth icrc icrc.value=0 ah.spi=258 ah.sequence=3 ah.icv=01020304050607080900000a",
       "ah.next_header=17 ah.length=4 ah.spi=0x00000102 ah.sequence=3 "
       "ah.icv=01020304050607080900000a udp.dstport=4791") for ip in ("ipv4", "ipv6")),
    ("ether ipv6 fragment udp bth icrc icrc.value=0 fragment.fragment_offset=5 fragment.m=1 "
     "fragment.identification=258",
     "ipv6.fraghdr.nxt=17 ipv6.fraghdr.offset=5 ipv6.fraghdr.more=1 ipv6.fraghdr.ident=0x00000102"),
    ("ether ipv4 udp mpls mpls ipv4 udp bth icrc mpls.label=77 mpls[1].label=88",
     "mpls.label=77,88 mpls.bottom=0,1 ip.proto=17,17"),
]


def check_tshark_fields(gen):
    for words, want in TSHARK:
        names, values = zip(*(w.split("=") for w in want.split()))
        got = run("tshark", "-n", "-r", "-", "-T", "fields", *(w for k in names for w in ("-e", k)),
                  feed=run(gen, "--pcap", "-", *words.split()).stdout)
        if got.stdout.decode().rstrip("\n").split("\t") != list(values):
            fail("tshark reads", words, "as", got.stdout.decode(), "and not", want)
    print(f"rocegen: tshark reads the members of {len(TSHARK)} frames alike")


def check_tshark(gen):
    """Checks that tshark finds enough right checksums, and no wrong one, in a frame of each
    stack."""
    check_tshark_fields(gen)
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
              "-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE",
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
    """Returns IBTA A17.3.3's ICRC by zlib, for an IP header without options, and UDP to
    payload."""
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
            fail("zlib computes another ICRC for", frame.hex())
        if not v6 and udp[BTH].compute_icrc(b"") != frame[-4:]:
            fail("scapy computes another ICRC for", frame.hex())
        for header, name in [(udp, "len"), (udp, "chksum")] + (
                [(ip, "plen")] if v6 else [(ip, "len"), (ip, "chksum")]):
            header.delfieldval(name)
        if bytes(again) != frame:
            fail("scapy fills in other values:", bytes(again).hex(), frame.hex())
    print(f"rocegen: scapy and zlib fill in {draws} frames alike: lengths, checksums, ICRC")


def broken(pick, text):
    """Returns the text with a piece removed, doubled or replaced."""
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
        fail("rare exit statuses:", codes)
    print("rocegen: broken rows and command lines:",
          ", ".join(f"{n} times exit {c}" for c, n in sorted(codes.items())))


if __name__ == "__main__":
    os.environ.update(ASAN_OPTIONS="exitcode=99", UBSAN_OPTIONS="exitcode=99")
    {"rows": check_rows, "stacks": check_stacks, "hand": check_hand,
     "keys": check_keys, "tshark": check_tshark, "scapy": check_scapy,
     "mutants": check_mutants}[sys.argv[1]](*sys.argv[2:])
