#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tools.sh OUT PYTHON: tests rocedump with good, cut, broken and mutated captures. This
# covers exit status, messages, JSON, the agreement of its three modes, --judge, and by
# views.sh its other views.
set -eu
out=$1 python=$2
dump=$out/rocedump san=$out/rocedump-san
t=$out/tools
gate=tools-test
. tests/lib/expect.sh

# Ends a red run after one of its parts, so that the message is soon seen.
part() {
    [ $bad = 0 ] || exit 1
}

# ends LINE...: checks how each stack in the last command's text ends, and why.
ends() {
    awk '/^frame / {if (line != "") print line; line = "ok"}
        /^  stops at / {sub(/:/, "", $3); sub(/,/, "", $4); line = $4 " " $3}
        /^  verdict / {line = line " " $2}
        END {print line}' "$t/stdout" > "$t/ends"
    printf '%s\n' "$@" | diff - "$t/ends" > "$t/diff" ||
        fail "stacks end differently: $(grep '^[<>]' "$t/diff" | xargs)"
}

# Makes the captures from packets of the vectors.
"$python" - "$t" <<'PY'
import json, pathlib, random, re, struct, sys
out = pathlib.Path(sys.argv[1])
pick = random.Random(1)

def rows(path):
    text = re.sub(r"#.*", "", path.read_text()).replace("\n ", " ")
    for line in text.splitlines():
        m = re.match(r"(\S+) (call )?(\S+) (\S+) ([0-9a-f ]+)\|(.*)", line)
        if m:
            yield m[3], bytes.fromhex(m[5]), m[6]

def calls(path):
    """Yields the call rows of a file, with their arguments and results."""
    config = []
    text = re.sub(r"#.*", "", pathlib.Path(path).read_text())
    for line in re.sub(r"\s*\n[ \t]+(?=\S)", " ", text).splitlines():
        if line.startswith("source:"):
            config = []
        if line.startswith("config "):
            config.append(line.split()[1])
        m = re.match(r"(\S+) +call +(\S+) +(\S+) +([0-9a-f -]+)\|(.*)->(.*)", line)
        if m:
            given, gives = (dict(w.split("=") for w in m[i].split()) for i in (5, 6))
            yield {"id": m[1], "call": m[2], "status": m[3], "config": list(config),
                   "bytes": bytes.fromhex(m[4].replace("-", "")), "in": given,
                   "is": gives}

def pcap(name, frames, link=1, order="<", magic=0xa1b2c3d4, fraction=5):
    data = struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 262144, link)
    for i, f in enumerate(frames):
        f, length = f if isinstance(f, tuple) else (f, len(f))
        data += struct.pack(order + "IIII", i + 1, fraction, len(f), length) + f
    (out / name).write_bytes(data)
    return data

def pcapng(name, frames, link=1):
    def block(kind, body):
        body += bytes(-len(body) % 4)
        n = len(body) + 12
        return struct.pack("<II", kind, n) + body + struct.pack("<I", n)
    data = block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1))
    data += block(1, struct.pack("<HHI", link, 0, 262144))
    for i, f in enumerate(frames):
        head = struct.pack("<IIIII", 0, 0, 1000000 * (i + 1), len(f), len(f))
        data += block(6, head + f)
    (out / name).write_bytes(data)
    return data

vectors = sorted(pathlib.Path("vectors").glob("*.vec"))
frames = [b for n, b, k in rows(pathlib.Path("vectors/frame.vec"))
          if n == "packet_parse" and "link=" not in k.split("->")[0]]
named = {r["id"]: r["bytes"] for r in calls("vectors/frame.vec")}
cnp, write, send = named["cx4-cnp"], named["v1-write"], named["uc-send4"]
good = pcap("good.pcap", [cnp, write, send])
pcap("nano.pcap", [cnp], magic=0xa1b23c4d, fraction=7)
pcap("big-endian.pcap", [cnp], order=">")
pcap("raw.pcap", [cnp[14:]], link=101)
pcap("ipv4.pcap", [cnp[14:]], link=228)
pcap("wifi.pcap", [cnp], link=105)
pcap("none.pcap", [])
pcap("wrong.pcap", [cnp[:-1] + bytes([cnp[-1] ^ 1])])
pcap("snaplen.pcap", [(cnp[:n], len(cnp)) for n in range(len(cnp))])
pcap("payload-cut.pcap", [(send[:60], len(send))])
ack = next(f for f in frames if f[42] == 0x11)
pcap("aeth.pcap", [ack[:54] + bytes([s]) + ack[55:]
                   for s in (0x05, 0x2e, 0x60, 0x7f, 0x40)])
pcap("ext.pcap", [cnp[:42] + bytes([op]) + cnp[43:]
                  for op in (0xc0, 0x18, 0x4c, 0x11)])
short = bytearray(cnp[:54] + cnp[70:])
short[17] -= 16
short[39] -= 16
pcap("short-cnp.pcap", [bytes(short)])
odd = bytearray(cnp)
odd[42 + 8], odd[42 + 13] = 0x80, 1
pcap("odd.pcap", [bytes(odd)])
# From a training guide, with byte 1 of the BTH corrected.
pcap("connectx.pcap", [bytes.fromhex(
    "005056af39dc005056af0dec080045c2003cb8c5400040110af0c0a8fa72c0a8fa75000012b700280000"
    "8100ffff28000d1e0000000000000000000000000000000000000000b0081c7f")])
pcap("stops.pcap", [cnp[:16] + b"\0\1" + cnp[18:], cnp[:20] + b"\x20\x03" + cnp[22:],
                    named["cnp6"][:14] + b"\x50" + named["cnp6"][15:]])
pcap("tver.pcap", [cnp[:43] + bytes([cnp[43] | 1]) + cnp[44:]])
pcap("names.pcap", [cnp[:42] + bytes([op]) + cnp[43:] for op in (3, 11, 23, 101)])
ng = pcapng("good.pcapng", [cnp, write, send])
(out / "cut.pcap").write_bytes(good[:-10])
(out / "cut-header.pcap").write_bytes(good[:10])
(out / "cut.pcapng").write_bytes(ng[:-10])
(out / "empty.pcap").write_bytes(b"")
(out / "magic.pcap").write_bytes(b"GIF89a" + bytes(100))
every = [b for path in vectors for n, b, k in rows(path)]
pcap("rows.pcap", every)
pcap("rows-ip.pcap", every, link=101)

def mutated(data, most):
    data = bytearray(data)
    for _ in range(pick.randrange(most + 1)):
        i = pick.randrange(len(data) + 1) if data else 0
        what = pick.randrange(4)
        if what == 0:
            data[i:i + 1] = bytes([pick.choice([0, 1, 4, 6, 17, 43, 44, 58, 60, 129,
                                                0x31, 0x9e, 0x9f])])
        elif what == 1 and i < len(data):
            data[i] ^= 1 << pick.randrange(8)
        elif what == 2:
            del data[i:i + pick.choice([1, 4, 8])]
        else:
            data[i:i] = data[pick.randrange(len(data) + 1):][:8]
    return bytes(data[:pick.choice([len(data)] * 3 + [pick.randrange(len(data) + 1)])])

# The frames of pcap/notify.pcap, some with errors.
def captured(path):
    data, found = pathlib.Path(path).read_bytes()[24:], []
    while data:
        n = struct.unpack("<I", data[8:12])[0]
        found, data = found + [data[16:16 + n]], data[16 + n:]
    return found

def put(frame, at, digits):
    return frame[:at] + bytes.fromhex(digits) + frame[at + len(digits) // 2:]

def sized(frame, n):
    """IPv4 and UDP, so long that the payload has n bytes."""
    frame = put(put(frame, 16, "%04x" % (28 + n)), 38, "%04x" % (8 + n))
    return (frame + bytes(n))[:42 + n]

notify = captured("vectors/pcap/notify.pcap")
e1, e2, e3, e4, e5, e6, e7, e8, a1 = notify
pcap("cnm-cut.pcap", [(e2[:n], len(e2)) for n in range(len(e2))])
pcap("cnm-bad.pcap", [e3[:45], put(e3, 44, "0041"), put(e3[:46], 44, "0001"),
                      e2[:20] + bytes.fromhex("8100c400") + e2[20:], put(e2, 0, "03")])
pcap("cnm-odd.pcap", [put(e3, 44, "0001"), put(e3, 22, "ffff"), put(e3, 36, "bfff"),
                      e3[:16] + e3[20:]])
pcap("cnm-long.pcap", [put(e2, 48, "0041")])
pcap("cnm-version.pcap", [put(e2, 26, "10")])
pcap("cnm-csig.pcap", [e3[:12] + bytes.fromhex("99000000") + e3[12:]])
pcap("l3qcn-bad.pcap", [
    put(e4, 42, "4c52"), put(e4, 44, "24"), put(e4, 48, "13"), put(e4, 46, "002b"),
    put(e4, 46, "006d"), (e4[:149], 150), put(put(e4, 44, "1c"), 48, "2c"),
    put(e4, 57, "03"), put(e4, 61, "02"), put(e4, 84, "0041"), put(e4, 46, "006b"),
    sized(e4, 19), put(e5, 68, "14"), put(e5, 64, "14"), e4])
pcap("l3qcn-version.pcap", [put(e4, 62, "10")])
pcap("l3qcn-sum.pcap", [put(e4, 149, "14"), put(e4, 40, "0000"), put(e5, 60, "0000")])
pcap("l3qcn-bit.pcap", [put(put(e4, 36, "1234"), 20, "c000")])
pcap("l3qcn-extension.pcap", [put(sized(e4, 112), 46, "00701833")[:62] + b"more" +
                              e4[62:]])
pcap("arn-bad.pcap", [sized(a1, 23), put(a1, 45, "99"), put(a1, 42, "00"),
                      put(a1, 42, "05"), put(a1, 43, "20"), (a1[:65], 66), sized(a1, 3),
                      put(sized(a1, 12), 42, "0110c8300000000800000064"),
                      put(a1, 45, "09")])
pcap("arn-lsb.pcap", [put(a1, 45, "09")])
pcap("arn-more.pcap", [
    put(sized(a1, 56), 42, "0110c8f020010db8000a0000000000000000001020010db8000b0000"
        "0000000000000020c00112b711000000000010010000000300000000"),
    put(sized(a1, 20), 42, "021000800a010a020a021401c00012b711000000"),
    put(sized(a1, 8), 42, "0310ff4000001001"), put(sized(a1, 4), 42, "04000000")])
pcap("arn-ifa.pcap", [put(put(a1[:34], 16, "003c"), 23, "fd") + bytes.fromhex("2f1100ff")
                      + a1[34:42] + bytes.fromhex("00001000") + a1[42:]])
pcap("ifa-tail.pcap", [put(put(a1[:34], 16, "007c"), 23, "fd") +
                       bytes.fromhex("2f1108ff") + a1[34:] +
                       b"".join(bytes([16, 0, i, 0]) + bytes(28) for i in (7, 8)) +
                       bytes.fromhex("00000010")])
pcap("pfc-bad.pcap", [put(e6, 5, "02"), e6[:33], e6[:15], e8[:17], put(e8, 0, "0000")])
pcap("pfc-other.pcap", [put(e6, 14, "0102"), e6[:12] + b"\x81\0\0\1" + e6[12:]])
pcap("pfc-odd.pcap", [put(e6, 16, "01")])
pcap("pause-own.pcap", [put(e8, 0, "02000000000a")])

many = [(f, len(f) + pick.choice([0, 0, 9])) for f in
        (mutated(pick.choice(pick.choice([frames, frames, notify])), 4)
         for _ in range(20000))]
pcap("mutated.pcap", many)
pcap("mutated-ip.pcap", [(f[14:], n) for f, n in many], link=101)
for i in range(60):
    (out / f"file{i}").write_bytes(mutated(pick.choice([good, ng]), 3))
named = {r["id"]: r["bytes"] for r in calls("vectors/frame.vec")}
pcap("e10.pcap", [named["e10"], named["e11"]])
e10 = named["e10"]  # its option is at 96
pcap("fc-over.pcap", [e10[:97] + b"\x40" + e10[98:]])  # beyond its header
pcap("fc-ioam.pcap", [named["fc-ioam-a"], named["fc-ioam-tunnel"]])
pcap("fc-form-b.pcap", [named["fc-ioam-b"]])
ioam = named["ioam"]  # its option is at 58, its trace at 62
pcap("ioam.pcap", [ioam])
pcap("ioam-bad.pcap", [ioam[:64] + b"\x08" + ioam[65:],   # NodeLen 1
                       ioam[:59] + b"\x1b" + ioam[60:]])  # beyond its header
pcap("ioam-none.pcap", [ioam[:61] + b"\2" + ioam[62:], ioam[:58] + b"\x1e" + ioam[59:]])
nine = bytes([0x31, 10, 0, 0, 0, 0, 8, 0, 0x80, 0, 0, 0])  # NodeLen 1, and no node
nine = bytes([17, 13, 1, 0]) + 9 * nine
nine = ioam[:54] + nine + ioam[86:]
pcap("ioam-9.pcap", [nine[:18] + struct.pack(">H", len(nine) - 54) + nine[20:]])
problem = named["problem"]  # the message is at 54, the packet at 62
pcap("problem.pcap", [problem, named["problem-tunnel"]])
pcap("problem-cut.pcap", [(problem[:n], len(problem)) for n in range(54, 166)])
pcap("problem-short.pcap", [problem[:18] + struct.pack(">H", n) + problem[20:54 + n]
                            for n in range(8)])
pcap("problem-far.pcap", [problem[:61] + b"\x68" + problem[62:]])
pcap("problem-other.pcap", [problem[:55] + b"\1" + problem[56:],
                            problem[:61] + b"\x2b" + problem[62:]])

# ICMP, its checksums computed here: RFC 1071.
def summed(pseudo, message):
    data = pseudo + message + bytes(len(message) & 1)
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return message[:2] + struct.pack(">H", 0xffff - total) + message[4:]

def message(kind, code, value, quote):
    return struct.pack(">BBHI", kind, code, 0, value) + quote

def error6(addresses, kind, code, value, quote):
    body = message(kind, code, value, quote)
    return (problem[:18] + struct.pack(">HBB", len(body), 58, 64) + addresses +
            summed(addresses + struct.pack(">II", len(body), 58), body))

def over4(proto, body, bytes_after=0, options=b"", fragment=0):
    head = struct.pack(">BBHHHBBH8s", 0x45 + len(options) // 4, 0,
                       20 + len(options) + len(body) + bytes_after, 0, fragment, 64, proto,
                       0, bytes([192, 0, 2, 1, 192, 0, 2, 2])) + options
    return head[:10] + summed(b"", bytes(2) + head[:10] + head[12:])[2:4] + head[12:] + body

def roce(qp, psn, bytes_after):
    return (struct.pack(">HHHH", 50000, 4791, 20 + bytes_after, 0) +
            struct.pack(">IIII", 0x0a000000 | 0xffff, qp, psn, 0)[:12])

def error4(kind, code, value, quote, **more):
    return ether4 + over4(1, summed(b"", message(kind, code, value, quote)), **more)

ether4 = problem[:12] + b"\x08\0"
ends, quoted = problem[22:54], problem[62:]
pcap("problem-forged.pcap", [error6(ends, 4, 2, 42, q) for q in (
    quoted[:23] + b"\7" + quoted[24:], quoted[:39] + b"\7" + quoted[40:], quoted[:63])])
big = over4(17, roce(2, 7, 4058), 4058)
big6 = bytes([0x60, 0, 0, 0, 15, 0, 17, 64]) + ends + roce(2, 7, 3800)
icmp = [error4(12, 0, 20 << 24, over4(17, roce(2, 7, 0), 0, bytes.fromhex("830704c000020100"))),
        error4(3, 4, 1400, big),
        error4(3, 1, 32 << 16, big + bytes(88) + bytes.fromhex("2000000000081001") + bytes(4)),
        error4(8, 0, 1, bytes(range(16))), error4(3, 3, 0, big[:28])]
icmp[4] = icmp[4][:36] + b"\1\2" + icmp[4][38:]
pcap("icmp.pcap", [*icmp, (icmp[1][:60], len(icmp[1])),
                   error4(3, 4, 1400, big, fragment=64), error6(ends, 2, 0, 1400, big6),
                   error4(11, 0, 0, b""), error4(3, 1, 0, icmp[1][14:]),
                   error4(3, 4, 1400, big, fragment=0x2000)])
pcap("icmp-cut.pcap", [(f[:n], len(f)) for f in (icmp[0], icmp[1]) for n in range(34, len(f))])

# Rows about Fast CNPs, by their configuration, with the expected results.
groups = {}
for row in calls("vectors/fastcnp.vec"):
    if row["call"] in ("fastcnp_find", "fastcnp_build", "fastcnp_match"):
        if row["bytes"] and row["bytes"][0] >> 4 in (4, 6):
            groups.setdefault(tuple(row["config"]), []).append(row)
for k, (config, found) in enumerate(groups.items()):
    drops = {r["bytes"]: "yes" in r["is"] for r in found if r["call"] == "fastcnp_match"}
    found = [r for r in found if r["call"] != "fastcnp_match"]
    config = config or ("fastcnp.type_plain=0", "fastcnp.type_ioam=0")
    pcap(f"fastcnp{k}.pcap", [r["bytes"] for r in found], link=101)
    (out / f"fastcnp{k}.args").write_text(" ".join("--config " + c for c in config))
    (out / f"fastcnp{k}.want").write_text("".join(json.dumps(
        dict(r, bytes="", cnp=drops.get(r["bytes"], True))) + "\n" for r in found))
# Rows of overlays and of partial RoCEv2 that need no number of their own.
overlays = [r for r in calls("vectors/packet.vec")
            if not r["in"] and r["call"] == "packet_parse" and
            ("partial" not in r["is"] if "inner" in r["is"]
             else r["is"].get("kind") == "partial_rocev2")]
pcap("overlay.pcap", [r["bytes"] for r in overlays])
(out / "overlay.want").write_text("".join(
    json.dumps(dict(r, bytes=len(r["bytes"]))) + "\n" for r in overlays))
tunnels = [r for r in calls("vectors/srv6.vec")
           if r["call"] == "srv6_parse" and r["status"] == "ok"]
pcap("srv6.pcap", [r["bytes"] for r in tunnels])
(out / "srv6.want").write_text("".join(json.dumps(r["is"]) + "\n" for r in tunnels))
text = pathlib.Path("vectors/frame.vec").read_text()
(out / "lies.vec").write_text(text.replace("packet_parse ok", "packet_parse format", 1))
PY

# Usage, help, version.
expect 2 '^rocedump: no input: ' "$dump"
expect 2 'unrecognized|unknown' "$dump" --bogus "$t/good.pcap"
expect 2 'exclude each other' "$dump" --json --summary "$t/good.pcap"
for c in frame.nonsense=1 nonsense.rd=1 frame.ip_first=2 frame.ip_first= roce.rd \
    frame.rocev2_port=65536 frame.rocev2_port=-1 icrc.rule=best =1 fastcnp.form=c \
    fastcnp.type_plain=256 fastcnp.address_first=2 fastcnp.kind=plain \
    l3qcn.port=65536 l3qcn.reserved_bit=2 arn.bit_order=left arn.port= cnm.signs=D \
    pfc.station=1; do
    expect 2 "^rocedump: --config $c: (expected|unknown setting)" "$dump" --config "$c" "$t/good.pcap"
done
expect 2 'third bit' "$dump" --config fastcnp.type_plain=0xbe "$t/good.pcap"
expect 2 'high bits' "$dump" --config fastcnp.type_ioam=0x1e "$t/good.pcap"
expect 2 'another option' "$dump" --config fastcnp.type_plain=0x8a "$t/good.pcap"
expect 2 'are the same' "$dump" --config fastcnp.type_plain=0x9f "$t/good.pcap"
expect 2 'l3qcn.port is the UDP port of RoCEv2' "$dump" --config l3qcn.port=4791 "$t/good.pcap"
expect 2 'arn.port are the same' "$dump" --config arn.port=51966 "$t/good.pcap"
expect 0 '' "$dump" --help
shown '^usage: rocedump'
expect 0 '' "$dump" --version
shown "^rocedump $(sed -n 's/.*ROCECC_VERSION "\(.*\)"/\1/p' include/rocecc/base.h)\$"
# --fields shows the BTH of IBTA, 9.2, with the JSON's members.
expect 0 '' "$dump" --fields bth
shown '^  dest_qp +24 +queue pair'
shown '^  pad +2 bytes +length of the padding'
awk '{bits += $2} END {exit bits != 96}' "$t/stdout" || fail 'the bits of a BTH are not 96'
awk 'NR > 1 {print $1}' "$t/stdout" > "$t/fields"
"$dump" --json "$t/good.pcap" | jq -r 'select(.bth).bth | keys_unsorted[]' | head -n 13 |
    diff "$t/fields" - > "$t/diff" || fail "--fields bth: $(grep '^[<>]' "$t/diff" | xargs)"
expect 0 '' "$san" --fields
shown '^ifa_node_a$'
shown '^intmd_node$'
expect 2 '^rocedump: --fields nope: unknown format; ' "$dump" --fields nope
expect 2 'only one format' "$dump" --fields bth udp

# Good captures.
for f in good.pcap good.pcapng; do
    expect 0 '' "$dump" --json "$t/$f"
    [ "$(wc -l < "$t/stdout")" = 3 ] || fail "$f: not 3 frames"
    holds '.icrc.ok'
    cp "$t/stdout" "$t/$f.json"
    expect 0 '' sh -c "'$dump' --json - < '$t/$f'"
    cmp -s "$t/stdout" "$t/$f.json" || fail "$f: standard input differs"
done
for f in nano big-endian raw ipv4; do
    expect 0 '' "$dump" --json "$t/$f.pcap"
    holds '.status == "ok" and .bth.dest_qp == 280 and .bth.becn == true and
        .icrc == {value: "82fd002a", computed: "82fd002a", ok: true, rule: "standard"}
        and .cnp == {reserved: ("00" * 16), odd: 0} and .ipv4[0].src == "10.0.17.1"'
done
expect 0 '' "$dump" --json "$t/nano.pcap"
holds '.time_ns == 1000000007 and .len == 74 and .caplen == 74 and
    .stack == ["ether", "ipv4", "udp", "bth", "cnp", "icrc"]'
expect 0 '' "$dump" "$t/good.pcap"
shown 'asks 10.0.18.1 to lower the rate of its QP 0x000118'
shown 'RC RDMA WRITE Only'
shown '82fd002a ok .rule standard.'
shown '3  frames, 246 bytes'
expect 0 '' "$dump" "$t/odd.pcap"
shown 'odd: AckReq is set'
shown 'odd: the reserved bytes are not 0'
# A ConnectX CNP with Resv6 0x28 is not odd, but a TVer other than 0 is. Opcodes have the
# names of IBTA's table.
expect 0 '' "$dump" "$t/connectx.pcap"
shown 'resv6=40'
! grep -q odd: "$t/stdout" || fail 'a CNP of a ConnectX is called odd'
# If the stack ends in an IP header, the text shows the contradiction and the addresses.
expect 0 '' "$dump" "$t/stops.pcap"
shown 'version 4, header of 20 bytes, total length 1 of 60, protocol 17: 10.0.17.1 > 10.0.18.1$'
shown 'protocol 17, a fragment at 24, more follow: 10.0.17.1 > 10.0.18.1$'
shown 'version 5, payload length 40 of 40, next header 17: 2001:'
expect 0 '' "$dump" "$t/tver.pcap"
shown 'odd: TVer is not 0'
expect 0 '' "$dump" --no-icrc "$t/names.pcap"
for words in 'RC SEND Last with Immediate' 'RC RDMA WRITE Only with Immediate' \
    'RC SEND Only with Invalidate' 'UD SEND Only with Immediate'; do
    shown "^ +$words\$"
done
expect 0 '' "$dump" "$t/wrong.pcap"
shown '82fd002b WRONG, computed 82fd002a'
expect 0 '' "$dump" --json "$t/wrong.pcap"
holds '.status == "ok" and .icrc.ok == false'
part
expect 0 '' "$dump" --json --config icrc.rule=none "$t/good.pcap"
holds '.icrc.ok == null and .icrc.rule == "none" and .icrc.computed == ""'
expect 0 '' "$dump" --json --no-icrc "$t/good.pcap"
holds '(has("icrc") | not) and (.stack | index("icrc") | not)'
expect 0 '' "$dump" --json --config frame.rocev2_port=4792 "$t/nano.pcap"
holds '.status == "ok" and .stack == ["ether", "ipv4", "udp"]'
expect 0 '' "$dump" --summary "$t/good.pcap"
shown '2  RoCEv2'
shown '1  opcode 0x81 RoCEv2 CNP'
shown '3  ICRC ok'
expect 0 '' "$dump" --summary "$t/none.pcap"
expect 0 '' "$dump" --json "$t/snaplen.pcap"
[ "$(jq -r .at "$t/stdout" | uniq -c | xargs)" = \
    '14 ether 20 ipv4 8 udp 12 bth 20 cnp' ] || fail 'snaplen: other layers'
[ "$(jq -r .status "$t/stdout" | uniq)" = short ] || fail 'snaplen: not short'

expect 0 '' "$dump" --json "$t/payload-cut.pcap"
holds '.status == "short" and .at == "icrc" and .len == 78 and .caplen == 60 and
    .stack == ["ether", "ipv4", "udp", "bth", "partial"] and
    .partial == {why: "captured", missing: 18}'
expect 0 '' "$dump" --json --no-icrc "$t/payload-cut.pcap"
holds '.status == "short" and .at == "payload"'
expect 0 '' "$dump" "$t/aeth.pcap"
for words in 'ACK, credit count code 5' 'RNR NAK: retry after 1280 microseconds' \
    'NAK: PSN sequence error' 'NAK: reserved code' 'reserved type'; do
    shown "$words"
done
expect 0 '' "$dump" --json "$t/ext.pcap"
holds '.at == "ext" and .stack == ["ether", "ipv4", "udp", "bth"] +
    (if .status == "format" then [] else ["icrc"] end)'
[ "$(jq -r .status "$t/stdout" | uniq -c | xargs)" = '3 unsupported 1 format' ] ||
    fail 'ext: other statuses'
expect 0 '' "$dump" --json "$t/short-cnp.pcap"
holds '.at == "ext" and .status == "format"'
expect 0 '' "$dump" --json --config roce.short_cnp=1 "$t/short-cnp.pcap"
holds '.status == "ok" and .cnp == {reserved: "", odd: 128}'

# Fast CNPs and tunnels agree with the rows of the vectors.
for f in "$t"/fastcnp*.pcap; do
    expect 0 '' "$dump" --json $(cat "${f%pcap}args") "$f"
    "$python" - "$t/stdout" "${f%pcap}want" <<'PY' || fail "$f: not as its rows"
import ipaddress, json, sys
ours, want = ([json.loads(line) for line in open(f)] for f in sys.argv[1:])
assert len(ours) == len(want) > 0
for o, w in zip(ours, want):
    say, on = w["id"], "fastcnp.type_plain=0x9e" in w["config"]
    values = w["in"] if w["call"] == "fastcnp_build" else w["is"]
    if w["status"] == "ok" and w["cnp"] and on:
        kind, trace = values.get("kind", "plain"), bytes.fromhex(values.get("trace", ""))
        ioam = None
        if kind == "ioam":
            word = int.from_bytes(trace[2:4], "big")
            ioam = {"opt_type": int(values.get("opt_type", "0"), 0),
                    "namespace_id": int.from_bytes(trace[:2], "big"),
                    "node_len": word >> 11, "flags": word >> 7 & 15,
                    "remaining_len": word & 127, "trace_type": trace[4:7].hex(),
                    "reserved": trace[7], "data": trace[8:].hex()}
        if ioam:  # its nodes are for the captures below, and for peers
            assert isinstance(o["fastcnp"]["ioam"].pop("nodes"), list), say
        assert o["fastcnp"] == {"kind": kind, "flow_dst": values["flow_dst"], "ioam": ioam,
                                "reserved": int(values.get("reserved", "0"), 0)}, say
        assert o["stack"][o["stack"].index("fastcnp") - 1] == "dstopts", say
        if w["call"] == "fastcnp_build":
            assert o["bth"]["dest_qp"] == int(values.get("dest_qp", "0"), 0), say
            assert o["ipv6"][0]["src"] == values["src"], say
            assert o["ipv6"][0]["dst"] == values["dst"], say
            rule = values["rule"].replace("auto", "masked")
            if rule != "none":  # here masked and literal come to the same
                assert o["icrc"]["ok"] is True, say
                assert o["icrc"]["rule"] == rule.replace("literal", "masked"), say
    elif w["status"] in ("format", "unsupported") and w["cnp"] and on and \
            say != "f-unknown":  # which has an option of neither type
        assert (o["status"], o["at"]) == (w["status"], "fastcnp"), (say, o)
        assert o["stack"][-1] == "dstopts" and "fastcnp" not in o, say
    else:
        assert "fastcnp" not in o and o.get("at") != "fastcnp", (say, o)
PY
done
expect 0 '' "$dump" --json "$t/srv6.pcap"
"$python" - "$t/stdout" "$t/srv6.want" <<'PY' || fail 'srv6.pcap: not as its rows'
import json, sys
ours, want = ([json.loads(line) for line in open(f)] for f in sys.argv[1:])
assert len(ours) == len(want) > 0
for o, w in zip(ours, want):
    for key, value in w.items():
        layer, _, member = key.partition(".")
        record = {"outer": o["ipv6"][:1], "srh": o.get("srh")}.get(layer)
        if record:
            got = record[0][member]
            assert got == (int(value, 0) if isinstance(got, int) else value), (key, o)
    assert ("srh" in o) == ("srh.segments" in w), o
    assert o["ipv" + w["ip.version"]][-1]["ecn"] == int(w.get("ip.ecn", "0")), o
PY
# Overlays have their header, and always the same CNP inside. Packets that a switch has
# cut are partial.
expect 0 '' "$dump" --json "$t/overlay.pcap"
"$python" - "$t/stdout" "$t/overlay.want" <<'PY' || fail 'overlay.pcap: not as its rows'
import json, sys
ours, want = ([json.loads(line) for line in open(f)] for f in sys.argv[1:])
assert len(ours) == len(want) > 80
NAMED = ("vxlan", "vxlan_gpe", "geneve", "gre", "nvgre", "erspan2", "erspan3",
         "pseudowire")
whole = partial = 0
for o, w in zip(ours, want):
    say, gives = (w["id"], o), w["is"]
    if gives["kind"] == "partial_rocev2":
        assert "icrc" not in o["stack"] and "cnp" not in o["stack"], say
        assert (o["status"] == "ok") == (w["status"] == "ok") and "partial" in o, say
        if w["status"] == "ok":  # UDP Length exceeds IP's, or the capture
            left = min(int(gives["end"]), o["caplen"]) - int(gives["udp"])
            assert o["partial"] == {"why": gives["partial"],
                                    "missing": o["udp"][0]["length"] - left}, say
            partial += 1
        continue
    assert o["status"] == "ok" and "bth" not in o, say
    if gives["tunnel"] in NAMED:
        # `partial` says that the capture ends first
        assert [x for x in o["stack"] if x != "partial"][-1] == gives["tunnel"], say
    inner = o["inner"]
    while "inner" in inner:
        inner = inner["inner"]
    if inner["status"] == "ok" and "partial" not in inner:
        whole += 1
        assert inner["stack"][-4:] == ["udp", "bth", "cnp", "icrc"], say
        assert inner["bth"]["dest_qp"] == 0x123456 and inner["icrc"]["ok"], say
assert whole > 60 and partial > 30, (whole, partial)
PY
expect 0 '' "$dump" "$t/overlay.pcap"
shown 'in vxlan, from byte 50$'
shown 'a switch has cut the payload; [1-9][0-9]* bytes are missing$'
shown '[0-9]  in geneve$'
# A number of the domain has two names, but not two meanings.
for c in frame.intmd_port=9 intmd.udp_port=9; do
    expect 0 '' "$dump" --summary --config $c "$t/good.pcap"
done
expect 2 'intmd.udp_port and overlay.vxlan_port are the same UDP port' "$dump" --config frame.intmd_port=4789 "$t/good.pcap"
expect 2 'ifa.protocol is the protocol number of a tunnel' "$dump" --config frame.ifa_protocol=41 "$t/good.pcap"
expect 0 '' "$dump" --json "$t/e10.pcap"
holds '.status == "ok" and .fastcnp == {kind: "plain", flow_dst: "2001:db8:b::20",
    reserved: 0, ioam: null} and .bth.dest_qp == 1110 and (.ipv6 | length) == 2 and
    .icrc == {value: "7bd6b4f3", computed: "7bd6b4f3", ok: true, rule: "masked"} and
    .stack[-7:] == ["ipv6", "dstopts", "fastcnp", "udp", "bth", "cnp", "icrc"]'
expect 0 '' "$dump" "$t/e10.pcap"
shown 'the switch 2001:db8:ffff::2 asks 2001:db8:a::10 to slow down'
shown 'its QP that sends to QP 0x000456 of 2001:db8:b::20'
shown 'a tunnel from 2001:db8:ffff::2 to 2001:db8:c0::c'
shown 'via 2001:db8:f1::e .now., 2001:db8:c0::c'
shown '2      plain Fast CNPs'
for c in fastcnp.type_plain=0 fastcnp.type_plain=0x9d; do
    expect 0 '' "$dump" --json --config $c "$t/e10.pcap"
    holds '.status == "ok" and .cnp.odd == 0 and (has("fastcnp") | not)'
    expect 0 '' "$dump" --config $c "$t/e10.pcap"
    shown 'asks 2001:db8:a::10 to lower the rate of its QP 0x000456'
    shown 'unless an option above makes it a Fast CNP'
done
expect 0 '' "$dump" --config fastcnp.type_plain=0 --config fastcnp.type_ioam=0 \
    "$t/e10.pcap"
shown 'asks 2001:db8:a::10 to lower the rate of its QP 0x000456'
if grep -q unless "$t/stdout"; then fail 'a doubt where Fast CNP is off'; fi
expect 0 '' "$dump" --json "$t/fc-over.pcap"
holds '.at == "fastcnp" and .status == "format"'
part
expect 0 '' "$dump" --json "$t/fc-ioam.pcap"
holds '.status == "ok" and .fastcnp == {kind: "ioam", flow_dst: "2001:db8:2::20",
    reserved: 0, ioam: {opt_type: 0, namespace_id: 0, node_len: 2, flags: 0,
    remaining_len: 0, trace_type: "820000", reserved: 0,
    data: "3e000103000008003f00010200001000",
    nodes: [{hop_limit: 63, node_id: 258, queue_depth: 4096},
            {hop_limit: 62, node_id: 259, queue_depth: 2048}]}} and .icrc.ok and
    (has("ioam") | not)'
expect 0 '' "$dump" "$t/fc-ioam.pcap"
shown 'hop 1: hop_limit=63 node_id=258 queue_depth=4096$'
shown '2      Fast CNPs with IOAM'
expect 0 '' "$dump" --json "$t/fc-form-b.pcap"
holds '.status == "format" and .at == "fastcnp" and .stack[-1] == "dstopts"'
expect 0 '' "$dump" --json --config fastcnp.form=b "$t/fc-form-b.pcap"
holds '.status == "ok" and .fastcnp.ioam.trace_type == "820000" and .icrc.ok'
expect 0 '' "$dump" --json --config fastcnp.form=b --config fastcnp.address_first=1 \
    "$t/fc-form-b.pcap"
holds '.status == "format" and .at == "fastcnp"'

# IOAM in data: valid, contradictory or beyond its header, of another kind, too much.
expect 0 '' "$dump" --json "$t/ioam.pcap"
holds '.status == "ok" and .stack[2:4] == ["hopopts", "ioam"] and .icrc.ok and
    .ioam == [{opt_type: 0, namespace_id: 0, node_len: 2, flags: 0, remaining_len: 0,
    trace_type: "820000", reserved: 0, data: "3e000103000008003f00010200001000",
    nodes: [{hop_limit: 63, node_id: 258, queue_depth: 4096},
            {hop_limit: 62, node_id: 259, queue_depth: 2048}]}]'
expect 0 '' "$dump" --json "$t/ioam-bad.pcap"
holds '.status == "format" and .at == "ioam" and .stack[-1] == "hopopts"'
expect 0 '' "$dump" --json "$t/ioam-none.pcap"
holds '.status == "ok" and (has("ioam") | not) and .bth.opcode == 4'
expect 0 '' "$dump" --json "$t/ioam-9.pcap"
holds '.status == "unsupported" and .at == "ioam" and (.ioam | length) == 8'

# An ICMPv6 error from a sender that does not know Fast CNP.
expect 0 '' "$dump" --json "$t/problem.pcap"
holds '.status == "ok" and .stack[-4:] == ["ipv6", "icmp", "icmp_error", "problem"] and
    .icmp == {type: 4, code: 2, checksum: 6491, ok: true} and .icmp_error.value == 42 and
    .problem == {pointer: 42, byte: "9e", fastcnp: true} and
    (.icmp_error.packet | length) == 208 and
    (.icmp_error.inner | .status == "ok" and
     .stack == ["ipv6", "dstopts", "udp", "bth", "partial"] and
     .ipv6[0].dst == "2001:db8:a::10" and .bth.dest_qp == 1110 and .partial == {why: "quoted", missing: 0})'
expect 0 '' "$dump" "$t/problem.pcap"
shown 'Parameter Problem: an unknown option'
shown '^  quoted by the ICMP error$'
shown '2001:db8:a::10 does not support Fast CNP, and slows nothing down'
shown '2    ICMPv6 Parameter Problems of a Fast CNP'
expect 0 '' "$dump" --json --config fastcnp.type_plain=0 "$t/problem.pcap"
holds '.problem.byte == "9e" and .problem.fastcnp == false'
expect 0 '' "$dump" --json "$t/problem-cut.pcap"
[ "$(jq -r '.status + " " + .at' "$t/stdout" | uniq -c | xargs)" = \
    '4 short icmp 108 short icmp_error' ] || fail 'problem-cut: other layers'
expect 0 '' "$dump" --json "$t/problem-short.pcap"
[ "$(jq -r '.status + " " + .at' "$t/stdout" | uniq -c | xargs)" = \
    '4 format icmp 4 format icmp_error' ] || fail 'problem-short: other layers'
expect 0 '' "$dump" --json "$t/problem-far.pcap"
holds '.status == "ok" and .problem.pointer == 104 and .problem.byte == "" and
    .problem.fastcnp == false and .icmp.ok == false'
expect 0 '' "$dump" "$t/problem-far.pcap"
shown 'the checksum is WRONG'
expect 0 '' "$dump" --json "$t/problem-other.pcap"
holds '.status == "ok" and .problem.fastcnp == false'
# An error is not about a Fast CNP if its quote is from or to another node, or too short.
expect 0 '' "$dump" --json "$t/problem-forged.pcap"
holds '.status == "ok" and .problem.fastcnp == false and .problem.byte == "9e" and .icmp.ok'
expect 0 '' "$dump" --summary "$t/problem-forged.pcap"
! grep -q 'of a Fast CNP' "$t/stdout" || fail 'problem-forged: a Fast CNP'

# ICMP for IPv4, with quoted packets. Of the value, the first byte is the pointer (RFC
# 792), the last two are the MTU (RFC 1191), and the second is the number of words before
# the extensions (RFC 4884).
expect 0 '' "$dump" --json "$t/icmp.pcap"
of 1 '.status == "ok" and .stack == ["ether", "ipv4", "icmp", "icmp_error", "problem"] and
    .icmp == {type: 12, code: 0, checksum: .icmp.checksum, ok: true} and
    .icmp_error.value == 335544320 and .problem == {pointer: 20, byte: "83", fastcnp: false} and
    (.icmp_error.inner | .stack == ["ipv4", "udp", "bth", "partial"] and .bth.dest_qp == 2 and
     .ipv4[0].options == "830704c000020100" and .partial.why == "quoted")'
of 2 '.status == "ok" and .icmp.type == 3 and .icmp.ok and .problem == null and
    .icmp_error.value == 1400 and .icmp_error.inner.partial == {why: "quoted", missing: 4058} and
    .icmp_error.inner.bth.psn == 7'
of 3 '.status == "ok" and .icmp.ok and .icmp_error.value == 2097152 and
    (.icmp_error.packet | length) == 256'
of 4 '.status == "ok" and .stack == ["ether", "ipv4", "icmp"] and .icmp.ok and
    (has("next") | not)'
of 5 '.icmp.ok == false and .status == "ok" and .icmp_error.inner.status == "short" and
    .icmp_error.inner.at == "bth"'
of 6 '.status == "short" and .at == "icmp_error" and .icmp.ok == null'
of 7 '.status == "unsupported" and .icmp == null'
of 11 '.icmp.ok == null and .icmp_error == null and .status == "short"'
of 8 '.status == "ok" and .icmp.type == 2 and .icmp_error.value == 1400 and .icmp.ok and
    .icmp_error.inner.bth.psn == 7 and .icmp_error.inner.stack[0] == "ipv6"'
of 9 '.status == "ok" and .icmp_error.packet == "" and (.icmp_error | has("inner") | not)'
of 10 '.icmp_error.inner | .stack == ["ipv4", "icmp", "icmp_error", "partial"] and .status == "ok" and
    (.icmp_error | has("inner") | not)'
expect 0 '' "$san" "$t/icmp.pcap"
shown 'Parameter Problem: an erroneous field$'
shown 'Destination Unreachable: fragmentation needed$'
shown 'Packet Too Big$'
shown 'the MTU is 1400 bytes$'
shown '^  stops at bth: short, the quote ends inside$'
[ "$(grep -c 'the MTU is' "$t/stdout")" = 3 ] || fail 'icmp: not 3 MTUs'
[ "$(grep -c '^  quoted by' "$t/stdout")" = 6 ] || fail 'icmp: not 6 quotes'
expect 0 '' "$san" --summary "$t/icmp.pcap"
shown '^ +0  RoCEv2$'
shown '^ +11  other$'
# In a cut capture of an error, nothing is made up.
expect 0 '' "$san" --json "$t/icmp-cut.pcap"
holds 'if .icmp_error then .icmp.ok != null else .status == "short" end'

# Frames of one congestion that are not RoCE, E1 to E8 and A1.
expect 0 '' "$dump" --json vectors/pcap/notify.pcap
holds '.status == "ok"'
of 1 '.stack == ["ether", "vlan", "vlan", "cntag", "ipv4", "tcp"] and
    .cntag == {flow_id: 51616, type: 2048} and
    [.vlan[] | .pcp, .vid] == [5, 100, 5, 1024] and
    .tcp.src_port == 8957 and .tcp.dst_port == 21'
tcp=080045000050123440003d06f96e0a010a020a02140122fd0015112233440000000050102000
cnm='{version: 0, reserved_v: 0, qntz_fb: 26, cpid: "0200000004400305", q_offset: -531,
    q_delta: 156, encap_priority: 5, encap_reserved: 0, encap_dst: "02:00:00:00:01:fe",
    msdu_len: 64, msdu: $msdu}'
of 2 '("'$tcp'00000000000102030405060708090a0b0c0d0e0f101112131415") as $msdu |
    .stack == ["ether", "vlan", "vlan", "cntag", "cnm"] and
    .ether == {dst: "02:fd:16:78:3a:cd", src: "02:00:00:00:02:10", type: 34984} and
    .vlan == [{pcp: 6, dei: false, vid: 100, type: 33024},
              {pcp: 6, dei: false, vid: 1024, type: 8937}] and
    .cntag == {flow_id: 51616, type: 8935} and .cnm == '"$cnm"
of 3 '.stack == ["ether", "vlan", "cntag", "cnm"] and .len == 60 and
    .cntag.flow_id == 0 and .cnm == {version: 0, reserved_v: 0, qntz_fb: 63,
    cpid: "0200000004400305", q_offset: -3125, q_delta: 2343, encap_priority: 5,
    encap_reserved: 0, encap_dst: "02:00:00:00:01:fe", msdu_len: 0, msdu: ""}'
of 4 '("'$tcp'00000000000102030405060708090a0b0c0d0e0f101112131415") as $msdu |
    .stack == ["ether", "ipv4", "udp", "l3qcn", "cnm"] and
    .udp == [{src_port: 49374, dst_port: 51966, length: 116, checksum: 32029}] and
    .l3qcn == {flags: 0, proto: 6, reserved: 0, ports: true, src_port: 8957,
    dst_port: 21, src: "::ffff:10.1.10.2", dst: "::ffff:10.2.20.1", extension: "",
    checksum_ok: true} and .cnm == '"$cnm"
of 5 '("86dd600000000030113d20010db8000100000000000000000002" +
    "20010db8000200000000000000000001c00012b700300000" + "00" * 14) as $msdu |
    .stack == ["ether", "ipv6", "udp", "l3qcn", "cnm"] and .l3qcn == {flags: 0,
    proto: 17, reserved: 0, ports: true, src_port: 49152, dst_port: 4791,
    src: "2001:db8:1::2", dst: "2001:db8:2::1", extension: "", checksum_ok: true} and
    .cnm == '"$cnm"
of 6 '.stack == ["ether", "pfc"] and
    .pfc == {reserved: 0, enable: 40, quanta: [0, 0, 0, 65535, 0, 256, 0, 0]}'
of 7 '.stack == ["ether", "pfc"] and
    .pfc == {reserved: 0, enable: 40, quanta: [0, 0, 0, 0, 0, 0, 0, 0]}'
of 8 '.stack == ["ether", "pause"] and .pause == {quanta: 65535} and
    .ether == {dst: "01:80:c2:00:00:01", src: "02:00:00:00:04:40", type: 34824}'
of 9 '.stack == ["ether", "ipv4", "udp", "arn"] and .ipv4[0].ttl == 255 and
    .arn == {type: 1, version: 1, resv: 0, metric: 200, para_type: 144, lsb: false,
    tuple_bytes: 16, flow_zero: 0, path_id: 0, priority: 0, time: 100, rest: "",
    present: "flow+time", flow: {src: "::ffff:10.1.10.2", dst: "::ffff:10.2.20.1",
    src_port: 49152, dst_port: 4791, proto: 17}}'
expect 0 '' "$dump" vectors/pcap/notify.pcap
for words in 'asks 02:fd:16:78:3a:cd to slow down its flow 0xc9a0: QntzFb 26 of 63' \
    'q_offset -531 units of 64 bytes: Qsp - Qlen is -33984 bytes' \
    'q_delta 156 units of 64 bytes: Qlen - QlenOld is 9984 bytes' \
    'the flow 10.1.10.2 port 8957 to 10.2.20.1 port 21, protocol 6, to slow down' \
    'priority 3: pause for 65535 quanta of 512 bit times' \
    'priority 5: pause for 256 quanta' 'priority 5: resume' \
    'the link: pause for 65535 quanta' 'compression time 100: 100000 ns' \
    '2    private CNMs' '1    ARNs' '2    CNMs of QCN' '2    PFC' '1    PAUSE'; do
    shown "$words"
done
cp "$t/stdout" "$t/notify"
expect 0 '' "$dump" --summary vectors/pcap/notify.pcap
tail -n "$(wc -l < "$t/stdout")" "$t/notify" | cmp -s - "$t/stdout" ||
    fail 'notify.pcap: the summary of the text differs'
expect 0 '' "$dump" --config cnm.signs=B --config l3qcn.cnm.signs=C \
    --config arn.time_unit_ps=20480 vectors/pcap/notify.pcap
shown 'q_offset -531 units of 64 bytes: Qsp - Qlen is 33984 bytes'
shown 'q_delta 156 units of 64 bytes: Qlen - QlenOld is -9984 bytes'
shown 'compression time 100: 2048 ns'
expect 0 '' "$dump" --json --config l3qcn.port=0 --config arn.port=0 \
    vectors/pcap/notify.pcap
holds '.status == "ok" and (has("l3qcn") or has("arn") | not)'
expect 0 '' "$dump" --json --config l3qcn.port=51967 --config arn.port=51966 \
    vectors/pcap/notify.pcap
of 4 '.status == "unsupported" and .at == "arn"'
of 9 '.status == "ok" and .stack[-1] == "udp"'

# Cut, broken or unusual notifications.
expect 0 '' "$dump" --json "$t/cnm-cut.pcap"
[ "$(jq -r '.status + " " + .at' "$t/stdout" | uniq -c | xargs)" = \
    '14 short ether 8 short vlan 4 short cntag 88 short cnm' ] ||
    fail 'cnm-cut: other layers'
expect 0 '' "$dump" "$t/cnm-bad.pcap"
ends 'short cnm cut_pdu' 'format cnm long_msdu' 'short cnm cut_msdu' \
    'unsupported cnm many_tags' 'format cnm group_dst'
expect 0 '' "$dump" --json "$t/cnm-bad.pcap"
holds '(has("cnm") | not) and .stack[-1] == "cntag"'
expect 0 '' "$dump" --json "$t/cnm-odd.pcap"
holds '.status == "ok" and .stack[-1] == "cnm"'
of 1 '.cnm.msdu_len == 1 and .cnm.msdu == "00"'
of 2 '.cnm.version == 15 and .cnm.reserved_v == 63 and .cnm.qntz_fb == 63'
of 3 '.cnm.encap_priority == 5 and .cnm.encap_reserved == 8191'
of 4 '.stack == ["ether", "vlan", "cnm"]'
expect 0 '' "$dump" "$t/cnm-long.pcap"
ends 'format cnm long_msdu'
expect 0 '' "$dump" --json --config cnm.tolerate_long=1 "$t/cnm-long.pcap"
holds '.cnm.msdu_len == 65 and (.cnm.msdu | length) == 128'
expect 0 '' "$dump" --json "$t/cnm-version.pcap"
holds '.status == "ok" and .cnm.version == 1'
expect 0 '' "$dump" --config cnm.strict_version=1 "$t/cnm-version.pcap"
ends 'unsupported cnm new_version'
expect 0 '' "$dump" --json "$t/cnm-csig.pcap"
holds '.status == "ok" and .stack == ["ether", "csig", "vlan", "cntag"]'
expect 0 '' "$dump" "$t/l3qcn-bad.pcap"
ends 'ok not_magic' 'unsupported l3qcn new_version' 'format l3qcn bad_header_length' \
    'format l3qcn bad_total_length' 'format l3qcn cut' 'short l3qcn cut' 'format l3qcn wrong_family' \
    'format l3qcn spoofed' 'format l3qcn spoofed' 'format l3qcn long_msdu' \
    'format l3qcn cut_msdu' 'format l3qcn cut' 'format l3qcn bad_header_length' \
    'format l3qcn wrong_family' ok
expect 0 '' "$dump" --json "$t/l3qcn-bad.pcap"
holds '(.stack - ["partial"])[-1] == "udp" or .frame == 15'
expect 0 '' "$dump" "$t/l3qcn-version.pcap"
ends ok
expect 0 '' "$dump" --config l3qcn.cnm.strict_version=1 "$t/l3qcn-version.pcap"
ends 'unsupported l3qcn cnm_version'
expect 0 '' "$dump" --json "$t/l3qcn-sum.pcap"
holds '.status == "ok" and .l3qcn.checksum_ok == false'
expect 0 '' "$dump" "$t/l3qcn-sum.pcap"
shown 'the checksum is WRONG'
expect 0 '' "$dump" --json "$t/l3qcn-bit.pcap"
holds '.status == "ok" and .stack[-1] == "udp"'
expect 0 '' "$dump" --json --config l3qcn.reserved_bit=1 "$t/l3qcn-bit.pcap"
holds '.status == "ok" and .stack[-2:] == ["l3qcn", "cnm"] and .udp[0].dst_port == 4660'
expect 0 '' "$dump" --json "$t/l3qcn-extension.pcap"
holds '.status == "ok" and .l3qcn.extension == "6d6f7265" and .l3qcn.reserved == 51 and
    .cnm.qntz_fb == 26'
expect 0 '' "$dump" "$t/arn-bad.pcap"
ends 'format arn' 'unsupported arn' 'format arn' 'format arn' 'unsupported arn' \
    'short arn' 'format arn' 'format arn' 'unsupported arn'
expect 0 '' "$dump" --json --config arn.priority=dscp "$t/arn-bad.pcap"
of 8 '.status == "ok" and .arn.priority == 8 and .arn.present == "priority+time" and
    .arn.flow == null and .arn.time == 100'
for c in lsb auto; do
    expect 0 '' "$dump" --json --config arn.bit_order=$c "$t/arn-lsb.pcap"
    holds '.arn.lsb and .arn.para_type == 9 and .arn.present == "flow+time" and
        .arn.flow.dst_port == 4791 and .arn.time == 100'
done
expect 0 '' "$dump" --json "$t/arn-more.pcap"
of 1 '.arn == {type: 1, version: 1, resv: 0, metric: 200, para_type: 240, lsb: false,
    tuple_bytes: 40, flow_zero: 0, path_id: 4097, priority: 3, time: 0, rest: "",
    present: "flow+path_id+priority+time", flow: {src: "2001:db8:a::10",
    dst: "2001:db8:b::20", src_port: 49153, dst_port: 4791, proto: 17}}'
of 2 '.arn.type == 2 and .arn.present == "flow" and .arn.tuple_bytes == 16'
of 3 '.arn.type == 3 and .arn.present == "path_id" and .arn.path_id == 4097'
of 4 '.arn.type == 4 and .arn.version == 0 and .arn.flow == null'
expect 0 '' "$dump" "$t/arn-more.pcap"
for words in 'congestion is detected' 'congestion is eliminated' \
    'a failure is detected' 'a failure is eliminated' 'path 0x00001001' 'priority 3' \
    'compression time 0: 0 ns, resume' '2001:db8:a::10 port 49153 to 2001:db8:b::20'; do
    shown "$words"
done
expect 0 '' "$dump" --json "$t/arn-ifa.pcap"
holds '.status == "ok" and .stack == ["ether", "ipv4", "ifa", "udp"] and
    .udp[0].dst_port == 51967'
for order in 'newest_first .[0] > .[1]' 'newest_last .[0] < .[1]'; do
    expect 0 '' "$dump" --json --config "ifa.tail=${order%% *}" "$t/ifa-tail.pcap"
    holds '.stack == ["ether", "ipv4", "ifa", "udp"] and .status == "ok" and
        .udp[0].dst_port == 51967 and ([.ifa.nodes[].device_id] | '"${order#* }"')'
done
expect 0 '' "$dump" --json "$t/ifa-tail.pcap"
holds '.stack == ["ether", "ipv4"] and .status == "unsupported" and .at == "ifa"'
expect 2 'ifa.gns_a and ifa.gns_b have a bit in common' "$dump" \
    --config ifa.gns_a=1 --config ifa.gns_b=1 "$t/ifa-tail.pcap"
expect 0 '' "$dump" "$t/pfc-bad.pcap"
ends 'format pfc' 'short pfc' 'short pfc' 'short pause' 'format pause'
expect 0 '' "$dump" --json "$t/pfc-other.pcap"
holds '.status == "ok" and (has("pfc") or has("pause") | not)'
expect 0 '' "$dump" --json "$t/pfc-odd.pcap"
holds '.status == "ok" and .pfc.reserved == 1 and .pfc.enable == 40'
expect 0 '' "$dump" "$t/pfc-odd.pcap"
shown 'odd: the high byte of priority_enable_vector is not 0'
expect 0 '' "$dump" "$t/pause-own.pcap"
ends 'format pause'
expect 0 '' "$dump" --json --config pfc.station=02:00:00:00:00:0a "$t/pause-own.pcap"
holds '.status == "ok" and .pause.quanta == 65535'

# Bad captures show all readable frames, and the reason.
for f in cut.pcap cut.pcapng; do
    expect 1 'broken after frame 2: ' "$dump" --json "$t/$f"
    [ "$(wc -l < "$t/stdout")" = 2 ] || fail "$f: not 2 frames"
done
expect 1 'truncated' "$dump" "$t/cut-header.pcap"
expect 1 "^rocedump: $t/empty.pcap: the file is empty\$" "$dump" "$t/empty.pcap"
expect 1 '^rocedump: -: the file is empty$' "$dump" -
expect 1 'unknown file format; expected pcap, ' "$dump" "$t/magic.pcap"
expect 1 'link type 105 .*not supported; expected Ethernet, ' "$dump" "$t/wifi.pcap"
expect 1 'No such file' "$dump" "$t/nowhere.pcap"
expect 1 "^rocedump: $t: Is a directory\$" "$dump" "$t"
if [ -c /dev/full ]; then
    for o in "$t/good.pcap" "--json $t/good.pcap" "--summary $t/good.pcap" --help -h \
        --version --fields '--fields bth'; do
        expect 1 '^rocedump: standard output cannot be written: No space left on device$' sh -c "'$dump' $o > /dev/full"
    done
fi

# Other inputs and views.
part
sh tests/tools/rocedump/captures.sh "$out" "$python" || bad=1
sh tests/tools/rocedump/cases.sh "$out" "$python" || bad=1
sh tests/tools/rocedump/live.sh "$out" "$python" || bad=1
"$python" -B tests/tools/rocedump/sflow.py "$san" "$t" || bad=1

# Vectors, also without libpcap.
for d in "$dump" "$out/rocedump-demo"; do
    expect 0 '' "$d" vectors/frame.vec
    shown '^vectors/frame.vec: [1-9][0-9]* frames shown'
    expect 1 'cx4-cnp is ok, but the row expects format' "$d" "$t/lies.vec"
    expect 1 'no row walks a frame' "$d" vectors/ip6opt.vec
    # A row of which the settings are wrong: which one, and why.
    for c in 'roce.rd=2:roce.rd=2: expected 0 or 1' 'roce.no=1:roce.no=1: unknown setting;.*' \
        'clash=1:clash=1 expects an invalid domain, but it is valid' \
        'arn.port=51966 l3qcn.port=51966:l3qcn.port and arn.port are the same UDP port'; do
        printf 'source: x\na call packet_parse no_match 00 | %s ->\n' "${c%%:*}" > "$t/row.vec"
        expect 1 "^rocedump: $t/row.vec: a: ${c#*:}\$" "$d" "$t/row.vec"
    done
    printf 'source: \033[31mx\n' > "$t/row.vec"
    expect 1 "^rocedump: $t/row.vec: line 1: .*not printable ASCII\$" "$d" "$t/row.vec"
done
expect 1 'without libpcap, so it reads only .vec files; install libpcap-dev' \
    "$out/rocedump-demo" "$t/good.pcap"
expect 1 'lo: built without libpcap, so it cannot capture' "$out/rocedump-demo" -i lo

# One congestion, from the data packet to the rate.
expect 0 '' "$out/exchange-san"
shown 'END.CON .* forwarded, 104 bytes$'
shown 'key .2001:db8:b::20, 0x456. is QP 0x11: DCQCN, from 100 to 50 Gb/s$'
shown 'is not on the list: refused$'
# Each signal has a line with its writer and its reader.
for s in CE CNP 'Fast CNP' CNM 'private CNM' 'its CNM' ARN PFC IOAM IFA INT-MD CSIG LSN; do
    shown "^  $s +[A-Za-z]+ -> [A-Za-z]+, [1-9][0-9]* bytes[:,] "
done
[ "$(grep -c ' -> ' "$t/stdout")" = 13 ] || fail 'exchange: not 13 signals'
shown 'QntzFb 39; QCN from 100 to 69 Gb/s$'
shown 'holds that flow alone$'
shown '^  IFA .* queue 40000, sent 123456789, at 3000 ns, load -$'
shown '^  CSIG .* queue -, sent -, at - ns, load 81%$'
shown 'LDCP from 10.0 to 9.5 packets$'

# --judge shows the verdict of each role. The gate of a data sender agrees with every row
# of its vectors, with the row's configuration, access list and clock.
"$python" -B tests/tools/judge_frames.py "$t"
rows=0
for f in "$t"/judge-reaction*.want; do
    expect 0 '' sh -c "'$san' --json --judge reaction $(cat "${f%.want}.args")"
    jq -r '[.frame, .judge.verdict, .judge.arrival // "-", .judge.admission // "-",
        (.judge.icmp | if . then "\(.type)/\(.code)/\(.value)/\(.offset)" else "-" end),
        (.judge.listed | if . then 1 else 0 end), .judge.tag,
        (.judge.key | .remote // "-", .remote_qp // 0)] | map(tostring) | join(" ")' \
        "$t/stdout" | awk 'NR == FNR {want[$1]; next} $1 in want' "$f" - > "$t/verdicts"
    diff "$f" "$t/verdicts" > "$t/diff" ||
        fail "${f##*/}: other verdicts than the rows': $(grep '^[<>]' "$t/diff" | xargs)"
    rows=$((rows + $(wc -l < "$t/verdicts")))
done
[ "$rows" = "$(cat "$t/judge-reaction.rows")" ] || fail "$rows rows of the gate are judged"

# judged FRAME...: checks the verdicts in the last command's text, in their order.
judged() {
    sed -n 's/^  judge [a-z-]*: //p' "$t/stdout" > "$t/judged"
    printf '%s\n' "$@" | diff - "$t/judged" > "$t/diff" ||
        fail "other verdicts: $(grep '^[<>]' "$t/diff" | xargs)"
}
# The border filter (FC-20) drops Fast CNPs of both kinds and a CNP with an invalid
# option. An ordinary CNP and data pass. A fragment is unseen, and to be dropped. An
# overlay passes, and the Fast CNP in it is dropped.
expect 0 '' "$san" --judge border "$t/judge-border.pcap"
node='from 2001:db8:ffff::1'
judged "DROP, $node" "DROP, $node" "DROP, $node" PASS PASS \
    'UNSEEN, to be dropped, from 2001:db8::1' PASS "DROP, $node"
shown '^ +3  judge border: PASS$'
shown '^ +4  judge border: DROP$'
shown '^ +1  judge border: UNSEEN$'
# The counters are the role's own. They have all names and a unit, and count hidden packets.
expect 0 '' "$san" --summary --judge border -Y 'frame==1' "$t/judge-border.pcap"
shown '^ +1  judge border: DROP$'
[ "$(sed '1,/^ *counter /d' "$t/stdout" | xargs)" = 'border.verdict.pass 3 packets
border.verdict.drop 4 packets border.verdict.unseen 1 packets' ] ||
    [ "$(sed '1,/^ *counter /d' "$t/stdout" | xargs -n 3 | xargs)" = "border.verdict.pass 3 packets \
border.verdict.drop 4 packets border.verdict.unseen 1 packets" ] || fail 'border: other counters'
expect 0 '' "$san" --json --judge border "$t/judge-border.pcap"
of 1 '.judge == {verdict: "DROP", answer: "drop", src: "2001:db8:ffff::1"}'
of 6 '.judge.verdict == "UNSEEN" and .judge.answer == "drop"'
of 7 '.judge == {verdict: "PASS", answer: "pass", src: "::ffff:192.0.2.1"} and
    .inner.judge.verdict == "DROP" and .inner.judge.src == "2001:db8:ffff::1"'
expect 0 '' "$san" --summary --judge border --config fastcnp.type_plain=0 \
    --config fastcnp.type_ioam=0 "$t/judge-border.pcap"
shown '^ +8  judge border: PASS$'
! grep -q 'border: [DU]' "$t/stdout" ||
    fail 'border: packets are dropped although both types are off'

# END.CON follows R-CON-5, R-CON-11, and RFC 6040, Figure 4, if the packet inside is
# Not-ECT.
cat > "$t/access" <<'LIST'
# who may send Fast CNPs
2001:db8:ffff::/48      tag=77  # the switches
2001:db8:ffff:bad::/64  deny tag=2

192.0.2.0/24
2001:db8:b::9
LIST
con="--judge end-con --config srv6_pe.end_con=2001:db8::c --access $t/access"
expect 0 '' sh -c "'$san' $con '$t/judge-end-con.pcap'"
judged "FORWARD, $node" "FORWARD, $node" OTHER "HOST, $node" \
    "BAD, segments_left, $node, asks for ICMPv6 type 4 code 0 value 43 (Parameter Problem: an erroneous field)" \
    "ECN_CONFLICT, $node, alarm dangerous" \
    "NO_HOPS_LEFT, $node, asks for ICMPv6 type 3 code 0 value 0 (Time Exceeded)" \
    'NOT_CNP, from 2001:db8:2::20' 'ACCESS_DENIED, from 2001:db8:bad::1' \
    "FORWARD, $node, alarm dangerous"
expect 0 '' sh -c "'$san' --json $con '$t/judge-end-con.pcap'"
of 5 '.judge == {verdict: "BAD", arrival: null, why: "segments_left", alarm: "no_alarm",
    src: "2001:db8:ffff::1", icmp: {version: 6, type: 4, code: 0, offset: 14, value: 43}}'
of 6 '.judge == {verdict: "ECN_CONFLICT", arrival: null, why: null, alarm: "dangerous",
    src: "2001:db8:ffff::1", icmp: null}
    and .ipv6[0].ecn == 3 and .ipv6[1].ecn == 0'
of 7 '.ipv6[1].hop_limit == 1'
expect 0 '' sh -c "'$san' $con --config srv6_pe.open=1 '$t/judge-end-con.pcap'"
shown '^ +5  judge end-con: FORWARD$'

# A gate keeps its state over the capture, and its clock shows the frames' times.
react="--judge reaction --access $t/access --config reaction.fastcnp_enabled=1"
limits() { # limits ROLE: one misbehaving source, one notification a second per source
    for kv in misbehaving=1 source.rate_per_s=1 source.burst=1 verify.rate_per_s=1 \
        verify.burst=1 shared.rate_per_s=2 shared.burst=2; do
        printf ' --config %s.admission.%s' "$1" "$kv"
    done
}
limit=$(limits reaction)
expect 0 '' sh -c "'$san' $react $limit '$t/judge-one.pcap'"
plain="FAST_PLAIN key 2001:db8:2::20 qp 0xabcd, $node, tag 77"
many="RATE_LIMITED, source_limited, $node, tag 77"
judged "$plain" "$many" NOT_A_CNP "$plain" "UNEXPECTED_TUNNEL, $node"
shown '^ +2  judge reaction: FAST_PLAIN$'
shown '^ +1  judge reaction: UNEXPECTED_TUNNEL$'
expect 0 '' sh -c "'$san' --json $react $limit '$t/judge-one.pcap'"
of 1 '.judge == {verdict: "FAST_PLAIN", arrival: null, admission: null, listed: true, tag: 77,
    src: "2001:db8:ffff::1", icmp: null, key: {remote: "2001:db8:2::20", remote_qp: 43981}}'
of 2 '.judge.verdict == "RATE_LIMITED" and .judge.admission == "source_limited" and
    .judge.key == null'
of 3 '.judge.verdict == "NOT_A_CNP" and .inner.judge.key.remote_qp == 43981'
expect 0 '' sh -c "'$san' $react $limit --config reaction.tunnels=1 '$t/judge-one.pcap'"
judged "$plain" "$many" NOT_A_CNP "$plain" "$many"
# Without limits, by default or by a setting after the limits.
for more in '' "$limit --config reaction.admission.unlimited=1"; do
    expect 0 '' sh -c "'$san' $react $more '$t/judge-one.pcap'"
    judged "$plain" "$plain" NOT_A_CNP "$plain" "UNEXPECTED_TUNNEL, $node"
done
# A host that does not accept Fast CNPs asks for a Parameter Problem at the option
# (FC-03).
off="DISABLED, $node, asks for ICMPv6 type 4 code 2 value 42 (Parameter Problem: an unknown option)"
expect 0 '' "$san" --judge reaction "$t/judge-one.pcap"
judged "$off" "$off" NOT_A_CNP "$off" "UNEXPECTED_TUNNEL, $node"
expect 0 '' "$san" --json --judge reaction "$t/judge-one.pcap"
of 1 '.judge.icmp == {version: 6, type: 4, code: 2, offset: 14, value: 42}'

# Each source has a bucket, and all share another. A wrong ICRC costs a verification
# token.
three="--judge reaction --access $t/judge-limits.access --config reaction.fastcnp_enabled=1"
expect 0 '' sh -c "'$san' $three $limit '$t/judge-shared.pcap'"
plain3="FAST_PLAIN key 2001:db8:2::20 qp 0xabcd, from"
judged "$plain3 2001:db8:ffff::1, tag 0" "$plain3 2001:db8:ffff::1:0, tag 1" \
    'RATE_LIMITED, shared_limited, from 2001:db8:ffff::1:0:0, tag 2' \
    'RATE_LIMITED, source_limited, from 2001:db8:ffff::1, tag 0'
expect 0 '' sh -c "'$san' $three $limit --config reaction.check_icrc=1 \
    --config reaction.ignore_udp_checksum=1 '$t/judge-verify.pcap'"
judged "BAD_ICRC, from 2001:db8:ffff::1, tag 0" \
    'RATE_LIMITED, verify_limited, from 2001:db8:ffff::1, tag 0'

# A packet that may not end here has a reason, and an ICMP error of its IP version.
expect 0 '' sh -c "'$san' $react '$t/judge-arrival.pcap'"
judged "BAD_ARRIVAL, unknown_header, $node, asks for ICMPv6 type 4 code 1 value 6 (Parameter Problem: an unknown next header)" \
    'BAD_ARRIVAL, segments_left, from 10.0.0.1, asks for ICMP type 3 code 5 value 0 (Destination Unreachable: the source route failed)'
expect 0 '' sh -c "'$san' --json $react '$t/judge-arrival.pcap'"
of 1 '.judge.arrival == "unknown_header" and .judge.admission == null and
    .judge.icmp == {version: 6, type: 4, code: 1, offset: 14, value: 6}'
of 2 '.judge.arrival == "segments_left" and
    .judge.icmp == {version: 4, type: 3, code: 5, offset: 14, value: 0}'
expect 0 '' sh -c "'$san' --json $react --config reaction.tunnels=1 '$t/judge-outer.pcap'"
of 1 '.stack[0:3] == ["ether", "ipv4", "ipv6"] and .judge.arrival == "segments_left" and
    .judge.icmp == {version: 4, type: 3, code: 5, offset: 14, value: 0}'
expect 0 '' sh -c "'$san' --json $con '$t/judge-option.pcap'"
of 1 '.judge.verdict == "BAD_ARRIVAL" and .judge.arrival == "unknown_option" and
    .judge.icmp == {version: 6, type: 4, code: 2, offset: 14, value: 42} and .judge.why == null'
expect 0 '' "$san" --judge border "$t/judge-end-con.pcap"

# The ToR learns a tagged packet, and converts the private CNM about it. A private CNM
# about another packet has no entry. The ARN is about a flow, for 100 us.
expect 0 '' "$san" --json --judge tor --config judge.port=7 vectors/pcap/notify.pcap
of 1 '.judge == {verdict: "LEARNED", arrival: null, admission: null, from: "host", port: 7,
    why: null, src: "::ffff:10.1.10.2", icmp: null}'
of 2 '.judge.verdict == "NO_FLOW" and .judge.src == null'
of 4 '.judge == {verdict: "CONVERTED", arrival: null, admission: null, from: "fabric",
    port: 7, why: null, src: "::ffff:10.2.20.1", icmp: null}'
of 5 '.judge.verdict == "NO_ENTRY"'
of 9 '.judge.verdict == "UNTAGGED"'
expect 0 '' "$san" --judge tor "$t/judge-tor.pcap"
judged 'LEARNED, from 10.1.10.2' 'MALFORMED, not_magic, from 10.2.20.1' \
    'BAD_CHECKSUM, from 10.2.20.1' 'CONVERTED to port 0, from 10.2.20.1' \
    'HELD, from 10.2.20.1'
# With a list of CPIDs, a wrong checksum costs a verification token (AD-2).
tor="--judge tor --config l3qcn_tor.listed=1 --config l3qcn_tor.gate.interval_ns=0"
tor="$tor --access $t/cpids $(limits l3qcn_tor)"
printf '200:0:440::/48' > "$t/cpids"
expect 0 '' sh -c "'$san' $tor '$t/judge-tor.pcap'"
shown 'judge tor: BAD_CHECKSUM, from 10.2.20.1$'
shown 'judge tor: RATE_LIMITED, verify_limited, from 10.2.20.1$'
expect 0 '' sh -c "'$san' $tor --config l3qcn_tor.admission.verify.burst=2 '$t/judge-tor.pcap'"
shown 'judge tor: CONVERTED to port 0, from 10.2.20.1$'
shown 'judge tor: RATE_LIMITED, source_limited, from 10.2.20.1$'
printf '300::/48' > "$t/cpids"
expect 0 '' sh -c "'$san' --json $tor '$t/judge-tor.pcap'"
of 4 '.judge.verdict == "UNLISTED_CPID" and .judge.admission == null'
printf '10.9.9.0/24 tag=3' > "$t/nodes"
arn="--judge arn --access $t/nodes $(limits arn_gate)"
expect 0 '' "$san" --json $arn vectors/pcap/notify.pcap
of 1 '.judge.verdict == "NOT_AN_ARN" and .judge.notice == null'
of 9 '.judge.verdict == "TAKEN" and .judge.src == "::ffff:10.9.9.1" and
    .judge.listed and .judge.tag == 3 and
    (.judge.notice | .type == 1 and .has_flow and .flow.src == "::ffff:10.1.10.2" and
     .flow.dst_port == 4791 and .time_ns == 100000)'
expect 0 '' "$san" $arn vectors/pcap/notify.pcap
shown 'judge arn: TAKEN type 1 flow .* 4791 for 100000 ns, from 10.9.9.1, tag 3$'
expect 0 '' "$san" $arn "$t/judge-arn.pcap"
judged "$(sed -n 's/^  judge arn: //p' "$t/stdout" | head -n 1)" \
    'TOO_FEW_HOPS, from 10.9.9.1' 'RATE_LIMITED, source_limited, from 10.9.9.1, tag 3' \
    'BAD_ARRIVAL, bad_checksum, from 10.9.9.1'
expect 0 '' "$san" --judge arn --access "$t/access" "$t/judge-arn.pcap"
shown 'judge arn: ACCESS_DENIED, from 10.9.9.1$'
expect 2 'ACCESS, without --access' "$dump" --judge arn "$t/good.pcap"

# Invalid settings are refused with a reason.
expect 2 '^rocedump: --judge hero: unknown role; expected reaction, border, end-con, arn or tor$' "$dump" --judge hero "$t/good.pcap"
expect 2 '--access needs --judge' "$dump" --access "$t/access" "$t/good.pcap"
expect 2 'DOMAIN, without --access' "$dump" --judge reaction \
    --config reaction.fastcnp_enabled=1 "$t/good.pcap"
expect 2 'LIMIT, admission.source has no .*no burst' sh -c "'$dump' $react \
    --config reaction.admission.unlimited=0 '$t/good.pcap'"
expect 2 'LIMIT, admission.shared is less' sh -c "'$dump' $react $limit \
    --config reaction.admission.misbehaving=2 '$t/good.pcap'"
expect 2 'LIMIT, admission.verify is less' sh -c "'$dump' $react $limit \
    --config reaction.admission.source.burst=2 --config reaction.admission.shared.burst=4 \
    '$t/good.pcap'"
expect 2 'LIMIT, admission.source has no' sh -c "'$dump' $arn \
    --config arn_gate.admission.source.burst=0 '$t/good.pcap'"
expect 2 'LIMIT, admission.source has no' "$dump" --judge tor --access "$t/access" \
    --config l3qcn_tor.listed=1 --config l3qcn_tor.admission.misbehaving=4 "$t/good.pcap"
expect 2 'LIMIT, without --access' "$dump" --judge tor --config l3qcn_tor.listed=1 \
    "$t/good.pcap"
expect 2 'LIMIT, l3qcn_tor.port_limit' "$dump" --judge tor \
    --config l3qcn_tor.port_limit.burst=0 "$t/good.pcap"
expect 2 'RULE, ' "$dump" --judge reaction --config reaction.check_icrc=1 \
    --config reaction.icrc_rule=none "$t/good.pcap"
expect 2 'TYPES, ' sh -c "'$dump' $react $limit --config fastcnp.type_plain=0 \
    --config fastcnp.type_ioam=0 '$t/good.pcap'"
expect 2 'SID, srv6_pe.end_con' "$dump" --judge end-con "$t/good.pcap"
expect 2 'DSCP, ' sh -c "'$dump' $con --config srv6_pe.dscp=64 '$t/good.pcap'"
expect 2 'MAC, ' "$dump" --judge tor --config l3qcn_tor.mac=01:00:00:00:00:00 \
    "$t/good.pcap"
for c in reaction.fastcnp_enabled=2 reaction.limit=1 srv6_pe.end_con=192.0.2.1 judge.peer=maybe \
    l3qcn_tor.mac=1 srv6_pe.mode=new reaction.admission.source.burst=x reaction.unlimited=1 \
    reaction.limit.rate_per_s=1 arn_gate.source_limit.burst=1 srv6_pe.con_ipv4=1; do
    expect 2 "^rocedump: --config $c: (expected|unknown setting)" "$dump" --config "$c" "$t/good.pcap"
done
expect 0 '' "$dump" --fields reaction_config
shown '^  admission.source.rate_per_s +- 1/s +'
expect 1 'nowhere: No such file' "$dump" --judge border --access "$t/nowhere" "$t/good.pcap"
list() { # list LINE REGEX: expects an error in the second line of an access list
    printf '::/0 deny\n%s\n' "$1" > "$t/list"
    expect 1 "list: $2" "$san" --judge border --access "$t/list" "$t/good.pcap"
}
list 2001:db8::/129 'line 2: expected an IPv4 or IPv6 prefix'
list 10.0.0.0/33 'line 2: expected an IPv4 or IPv6 prefix'
list 2001:db8::/ 'line 2: expected an IPv4 or IPv6 prefix'
list switches 'line 2: expected an IPv4 or IPv6 prefix'
list '2001:db8::1/64' 'line 2: the address has a bit set after'
list '10.0.0.1/8 deny' 'line 2: the address has a bit set after'
list '2001:db8::/32 allow' 'line 2: expected deny or tag=N'
list '2001:db8::/32 tag=4294967296' 'line 2: expected deny or tag=N'
list '2001:db8::/32 tag=' 'line 2: expected deny or tag=N'
list '::/0 tag=1 # again' '::/0 occurs twice'
list "$(printf '%0300d' 0)" 'line 2: the line is longer than 254'
printf '::/0 tag=65536' > "$t/list"
expect 2 'tags below 65536' sh -c "'$san' --judge reaction --access '$t/list' \
    --config reaction.fastcnp_enabled=1 $limit '$t/good.pcap'"
expect 0 '' "$san" --judge reaction --access "$t/list" --config reaction.fastcnp_enabled=1 \
    "$t/good.pcap"
for i in 1 2 3 4 5; do # the list must grow
    printf '2001:db8:%d::/48 tag=%d\n' $i $i
done > "$t/list"
expect 0 '' "$san" --judge border --access "$t/list" "$t/good.pcap"

# With any frames, every packet has a verdict, and the summary counts each once.
for role in reaction border end-con arn tor; do
    judge="--judge $role --access $t/access --config srv6_pe.end_con=2001:db8::c"
    judge="$judge --config reaction.fastcnp_enabled=1 $(limits l3qcn_tor)"
    for f in rows mutated mutated-ip; do
        expect 0 '' sh -c "'$san' --json --no-icrc $judge '$t/$f.pcap'"
        jq -r 'recurse(.inner; . != null).judge.verdict' "$t/stdout" | sort | uniq -c |
            awk '{print $2, $1}' > "$t/verdicts"
        grep -vE '^[A-Z][A-Z_]* [0-9]+$' "$t/verdicts" > "$t/odd" &&
            fail "$role, $f: a verdict is called $(cat "$t/odd")"
        expect 0 '' sh -c "'$san' --summary --no-icrc $judge '$t/$f.pcap'"
        awk -v role="$role:" '$2 == "judge" && $3 == role {print $4, $1}' "$t/stdout" |
            sort | cmp -s - "$t/verdicts" || fail "$role, $f: the summary has other counts"
        # Each counter that is not 0 is a verdict, or a reason of one.
        awk '$3 == "packets" && $2 != 0 {split($1, name, "."); if (name[2] == "verdict" || name[2] == "learning")
            print toupper(name[3]), $2}' "$t/stdout" | grep -v "^OTHER " | sort > "$t/counted"
        grep -v "^OTHER " "$t/verdicts" | cmp -s - "$t/counted" ||
            fail "$role, $f: the counters are $(xargs < "$t/counted")"
        [ "$(awk '$1 ~ /[.]arrival[.]/ && $1 !~ /[.]ok$/ {n += $2} END {print n + 0}' "$t/stdout")" = \
            "$(awk '$1 == "BAD_ARRIVAL" {n = $2} END {print n + 0}' "$t/verdicts")" ] ||
            [ "$role" = end-con ] || fail "$role, $f: other reasons for BAD_ARRIVAL"
    done
done

# With any frames, rocedump does not crash, its JSON agrees with its stack, and the counts
# are the same in every mode.
for f in rows rows-ip mutated mutated-ip; do
    for o in '' --no-icrc '--config icrc.rule=masked --config roce.rd=1' \
        '--config roce.short_cnp=1 --config fastcnp.form=b --config fastcnp.address_first=1'
    do
        expect 0 '' "$san" --json $o "$t/$f.pcap"
        cp "$t/stdout" "$t/json"
        holds '[recurse(.inner; . != null)] | all(. as $o |
            (.stack | unique) as $names |
            ["ether", "grh", "tcp", "bth", "cnp", "payload", "icrc", "rdeth", "deth",
             "xrceth", "feth", "reth", "atomiceth", "aeth", "atomicacketh", "immdt",
             "ieth", "fastcnp", "icmp", "icmp_error", "problem", "csig", "cntag",
             "ifa", "intmd", "cnm", "l3qcn", "arn", "pfc", "pause", "llc", "cmd",
             "pppoe", "pseudowire", "vxlan", "vxlan_gpe", "geneve", "gre", "nvgre",
             "erspan2", "erspan3", "etag", "vntag", "arista", "partial"] as $one |
            (.partial == null or .icrc == null) and
            (.inner == null or .bth == null) and
            (.l3qcn == null or .cnm != null) and (.arn == null or .cnm == null) and
            (.pfc == null or (.pfc.quanta | length) == 8) and
            (.fastcnp == null or .bth == null or .bth.opcode == 129) and
            (.fastcnp == null or (.fastcnp.kind == "plain") == (.fastcnp.ioam == null)) and
            (.problem == null or
                .icmp.type == (if .stack[0:-3][-1] == "ipv4" then 12 else 4 end)) and
            (.icmp_error == null or .icmp != null) and
            (keys - ["frame", "time_ns", "len", "caplen", "iface", "stack", "status", "at",
                "next", "frame_length", "inner"]) == $names and
            ([.status] | inside(["ok", "short", "format", "unsupported"])) and
            (.status == "ok") == (has("at") | not) and
            all($names[]; . as $name | $o[$name] | if ([$name] | inside($one))
                then type == "object"
                else length == ($o.stack | map(select(. == $name)) | length) end))'
        expect 0 '' "$san" --summary $o "$t/$f.pcap"
        cp "$t/stdout" "$t/summary"
        expect 0 '' "$san" $o "$t/$f.pcap"
        tail -n "$(wc -l < "$t/summary")" "$t/stdout" | cmp -s - "$t/summary" ||
            fail "$f $o: the summary of the text differs"
        jq -r 'recurse(.inner; . != null) | select(.at).status + " at " + .at' "$t/json" | sort | uniq -c |
            awk '{print $1, $2, $3, $4}' > "$t/failures"
        awk '$3 == "at" {print $1, $2, $3, $4}' "$t/summary" | sort -k 2 |
            cmp -s - "$t/failures" || fail "$f $o: the summary counts other failures"
    done
done

# With any file, the status is 0 or 1.
for f in "$t"/file*; do
    n=$((n + 1)) rc=0
    "$san" --json "$f" > "$t/stdout" 2> "$t/stderr" || rc=$?
    [ $rc -le 1 ] || fail "$f: status $rc: $(head -n 3 "$t/stderr")"
    [ $rc = 0 ] || [ -s "$t/stderr" ] || fail "$f: status $rc without a message"
done
. tests/tools/views.sh
[ $bad = 0 ] && echo "tools-test: rocedump does as expected in $n runs"
exit $bad
