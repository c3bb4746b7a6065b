# SPDX-License-Identifier: BSD-2-Clause
"""judge_frames.py DIR: makes captures for `rocedump --judge`, and the expected results.

judge-reactionN-PEER.args, .want: the rows of vectors/reaction_point.vec with a peer, for
each of its sources. .args has the tool's arguments, and .want a line "frame verdict arrival
admission icmp listed tag remote qp" per row. judgeNAME.pcap: frames for expectations by
hand, which are in tests/tools/tools.sh.
"""
import pathlib
import re
import socket
import struct
import sys

OUT = pathlib.Path(sys.argv[1])
VECTORS = "vectors/reaction_point.vec"

# Settings that a row does not set are off. The tool has defaults of its own.
OFF = ("fastcnp.type_plain=0 fastcnp.type_ioam=0 ifa.protocol=0 csig.compact_tpid=0 "
       "csig.wide_tpid=0 l3qcn.port=0 arn.port=0 ioam.tx_bytes_bit=0 ah=0 "
       "reaction.admission.unlimited=0").split()
ROLE = ("fastcnp_enabled", "tunnels", "check_icrc", "icrc_rule", "ignore_udp_checksum",
        "ordinary_listed", "admission.")
NOT_SET = ("access[", "start_ns", "link", "sources")
TAKES = ("fast", "rate_limited", "bad_icrc", "bad_checksum")  # verdicts that cost tokens


def captured(name, frames, link=1):
    """Writes frames, which are pairs of a time in ns and bytes."""
    data = struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 262144, link)
    for now, f in frames:
        data += struct.pack("<IIII", now // 10**9, now % 10**9, len(f), len(f)) + f
    (OUT / name).write_bytes(data)


def sources(path):
    """Returns the settings and rows of each source: ID, bytes, arguments, results."""
    found = []
    text = re.sub(r"#.*", "", pathlib.Path(path).read_text())
    for line in re.sub(r"\s*\n[ \t]+(?=\S)", " ", text).splitlines():
        if line.startswith("source:"):
            found.append(({}, []))
        if line.startswith("config "):
            found[-1][0].update([line.split()[1].split("=")])
        m = re.match(r"(\S+) +call +reaction_point +ok +([0-9a-f -]+)\|(.*)->(.*)", line)
        if m:
            given, gives = (dict(w.split("=") for w in m[i].split()) for i in (3, 4))
            found[-1][1].append((m[1], bytes.fromhex(m[2].replace("-", "")), given, gives))
    return [(c, r) for c, r in found if r]


def has_buckets(config):
    """Returns true if each tag has buckets, as in the tool, or none are needed."""
    tags = [int(value) for key, value in config.items() if key.endswith("].tag")]
    return (config.get("admission.unlimited") == "1" or
            max(tags, default=0) < int(config.get("sources", 0)) or
            not {"fastcnp_enabled", "ordinary_listed"} & set(config))


def access_of(config):
    """Returns the lines of an access list."""
    entries = {}
    for key, value in config.items():
        m = re.match(r"access\[(\d+)\]\.(\w+)", key)
        if m:
            entries.setdefault(int(m[1]), {})[m[2]] = value
    return "# of the row\n\n" + "".join(
        f"{e['prefix']}/{e.get('length', 0)}" + ("" if e.get("permit") == "1" else "\tdeny")
        + (f" tag={e['tag']}" if "tag" in e else "") + " # an entry\n"
        for e in entries.values())


def want_of(n, gives):
    """Returns a row as a line. Missing members are 0."""
    verdict = gives["verdict"]
    fast = verdict.startswith("fast")
    icmp = [gives.get("icmp." + key, "0") for key in ("type", "code", "value", "offset")]
    return " ".join([str(n), verdict.upper(),
                     gives["arrival"] if verdict == "bad_arrival" else "-",
                     gives["admission"] if verdict == "rate_limited" else "-",
                     "-" if icmp[0] == "0" else "/".join(str(int(x, 0)) for x in icmp),
                     gives.get("listed", "0"),
                     gives.get("tag", "0"),
                     gives.get("key.remote", "::") if fast else "-",
                     str(int(gives.get("key.remote_qp", "0"), 0))]) + "\n"


def reaction():
    """Writes the captures of reaction_point.vec. The gate starts with the first frame,
    which is not a CNP, at the source's start time. A call has one peer, so each peer has a
    capture, in which other peers' rows are not CNPs, unless they take a token."""
    none = bytes(12) + b"\x88\xb5"
    judged = [(c, r) for c, r in sources(VECTORS) if has_buckets(c)]
    for k, (config, rows) in enumerate(judged):
        name = OUT / f"judge-reaction{k}"
        pathlib.Path(f"{name}.access").write_text(access_of(config))
        settings = OFF + ["reaction." * key.startswith(ROLE) + f"{key}={value}"
                          for key, value in config.items()
                          if not key.startswith(NOT_SET)]
        for peer in {row[2].get("peer", "unknown") for row in rows}:
            frames, want = [(int(config.get("start_ns", 0)), none)], []
            for _, data, given, gives in rows:
                mine = given.get("peer", "unknown") == peer
                takes = mine or gives["verdict"].startswith(TAKES)
                frames.append((int(given.get("now_ns", 0)), data if takes else none))
                if mine:
                    want.append(want_of(len(frames), gives))
            captured(f"{name.name}-{peer}.pcap", frames,
                     101 if config.get("link") == "ip" else 1)
            pathlib.Path(f"{name}-{peer}.want").write_text("".join(want))
            pathlib.Path(f"{name}-{peer}.args").write_text(
                f"--access {name}.access --config judge.peer={peer} "
                + " ".join("--config " + s for s in settings) + f" {name}-{peer}.pcap")
    (OUT / "judge-reaction.rows").write_text(
        str(sum(len(rows) for _, rows in judged)))


def packed(address):
    return socket.inet_pton(socket.AF_INET6, address)


def ipv6(src, dst, proto, body, hops=64, ecn=0):
    return (struct.pack(">IHBB", 6 << 28 | ecn << 20, len(body), proto, hops)
            + packed(src) + packed(dst) + body)


def vxlan(frame):
    """Returns a frame in VXLAN over IPv4 without a UDP checksum."""
    udp = struct.pack(">HHHH", 50000, 4789, 16 + len(frame), 0)
    body = udp + bytes.fromhex("0800000000007b00") + frame
    head = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(body), 0, 0x4000, 64, 17, 0,
                       bytes([192, 0, 2, 1]), bytes([192, 0, 2, 2]))
    total = sum(struct.unpack(">10H", head))
    total = (total & 0xffff) + (total >> 16)
    head = head[:10] + struct.pack(">H", 0xffff & ~(total + (total >> 16))) + head[12:]
    return bytes.fromhex("02000000000a02000000000b0800") + head + body


def by_hand():
    rows = {r[0]: r[1] for _, rs in sources(VECTORS) for r in rs}
    ether = bytes.fromhex("0200000000010200000000028" "6dd")
    fast, own = rows["FC-09-plain"], rows["FC-05-own"]
    cnp = fast[14:]  # from 2001:db8:ffff::1
    data = bytearray(own[14:])
    data[48] = 0x0a  # RC RDMA WRITE Only, with a CNP's length
    part = ether + ipv6("2001:db8::1", "2001:db8::2", 44, bytes.fromhex("1100000900000001")
                        + bytes(16))
    captured("judge-border.pcap", [(0, f) for f in (
        fast, rows["FC-09-ioam"], rows["FC-09-no-trace"], own, ether + bytes(data), part,
        vxlan(fast))])

    sid, node = "2001:db8::c", "2001:db8:ffff::1"
    last = bytes([41, 2, 4, 0, 0, 0, 0, 0]) + packed(sid)  # an SRH without segments left
    left = bytes([41, 4, 4, 1, 1, 0, 0, 0]) + packed("2001:db8::d") + packed(sid)
    elsewhere = cnp[:8] + packed("2001:db8:bad::1") + cnp[24:]
    hop = cnp[:7] + b"\1" + cnp[8:]
    unreachable = bytes.fromhex("0100000000000000")
    captured("judge-end-con.pcap", [(0, ether + f) for f in (
        ipv6(node, sid, 41, cnp), ipv6(node, sid, 43, last + cnp),
        ipv6(node, "2001:db8::d", 41, cnp), ipv6(node, sid, 58, unreachable),
        ipv6(node, sid, 43, left + cnp), ipv6(node, sid, 41, cnp, ecn=3),
        ipv6(node, sid, 41, hop), ipv6(node, sid, 41, bytes(data)),
        ipv6(node, sid, 41, elsewhere), ipv6(node, sid, 41, cnp, ecn=2))])
    captured("judge-one.pcap", [(10**9, fast), (10**9 + 1, fast), (2 * 10**9, vxlan(fast)),
                                (2 * 10**9, ether + ipv6(node, sid, 41, cnp))])
    arrivals(ether, cnp, node, sid)
    limits(fast)


def arrivals(ether, cnp, node, sid):
    """Writes packets that may not end at a node. By the RFCs, each requires an ICMP error: AH
    after IPv6 (RFC 8200, 4: code 1, at byte 6), an IPv4 source route that continues (RFC
    792: type 3, code 5), and an unknown option before a tunnel (RFC 8200, 4.2: code 2, at
    byte 42)."""
    ah = bytes([60, 4]) + bytes(22)
    route = bytes.fromhex(
        "47c0004400004000401193d50a0000010a0000028307040a00000900c0de12b7002800008100ffff"
        "40000456000000000000000000000000000000000000000000000000")
    captured("judge-arrival.pcap", [
        (0, ether + ipv6(node, "2001:db8:1::1", 51, ah + cnp[40:])),
        (0, ether[:12] + b"\x08\0" + route)])
    head = route[:2] + struct.pack(">H", 28 + len(cnp)) + route[4:9] + b"\x29\0\0" + route[12:28]
    total = sum(struct.unpack(">14H", head))
    total = (total & 0xffff) + (total >> 16)
    head = head[:10] + struct.pack(">H", 0xffff & ~(total + (total >> 16))) + head[12:]
    captured("judge-outer.pcap", [(0, ether[:12] + b"\x08\0" + head + cnp)])
    option = bytes([41, 0, 0xbe, 4, 0, 0, 0, 0])
    captured("judge-option.pcap", [(0, ether + ipv6(node, sid, 60, option + cnp))])


def limits(fast):
    """Writes packets of three switches at once, and in another capture two packets of one
    switch, the first with a wrong ICRC. The addresses have the same sum, so no checksum
    changes."""
    switches = [fast[:22] + packed(a) + fast[38:] for a in (
        "2001:db8:ffff::1", "2001:db8:ffff::1:0", "2001:db8:ffff::1:0:0")]
    (OUT / "judge-limits.access").write_text(
        "".join(f"{a} tag={i}\n" for i, a in enumerate((
            "2001:db8:ffff::1", "2001:db8:ffff::1:0", "2001:db8:ffff::1:0:0"))))
    wrong = bytearray(fast)
    wrong[-1] ^= 1
    captured("judge-shared.pcap", [(10**9, f) for f in switches + switches[:1]])
    captured("judge-verify.pcap", [(10**9, bytes(wrong)), (10**9, fast)])


def of_notify():
    """Writes frames of one congestion: a tagged packet, right and wrong private CNMs, and
    ARNs."""
    data, frames = pathlib.Path("vectors/pcap/notify.pcap").read_bytes()[24:], []
    while data:
        n = struct.unpack("<I", data[8:12])[0]
        frames, data = frames + [data[16:16 + n]], data[16 + n:]
    tagged, cnm, arn = frames[0], frames[3], frames[8]
    was, magic, now = *struct.unpack(">HH", cnm[40:44]), 0x4c52  # RFC 1624, 3
    total = (0xffff & ~was) + (0xffff & ~magic) + now
    total = (total & 0xffff) + (total >> 16)
    total = (total & 0xffff) + (total >> 16)
    other = cnm[:40] + struct.pack(">HH", 0xffff & ~total, now) + cnm[44:]
    wrong = cnm[:-1] + bytes([cnm[-1] ^ 1])
    captured("judge-tor.pcap", [(0, f) for f in (tagged, other, wrong, cnm, cnm)])
    total = struct.unpack(">H", arn[24:26])[0] + 0x100  # one hop less (RFC 1624, 3)
    total = (total & 0xffff) + (total >> 16)
    routed = arn[:22] + b"\xfe" + arn[23:24] + struct.pack(">H", total) + arn[26:]
    captured("judge-arn.pcap", [(0, arn), (0, routed),
                                (0, arn), (0, arn[:24] + b"\0\0" + arn[26:])])


reaction()
by_hand()
of_notify()
