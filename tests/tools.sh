#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tools.sh OUT PYTHON: rocedump on good, cut, broken and mutated captures: its exit
# status, its messages, its JSON, and that its three modes agree. cctrace on the events
# of every algorithm's traces, and on what is no event.
set -eu
out=$1 python=$2
dump=$out/rocedump san=$out/rocedump-san
t=$out/tools
rm -rf "$t"
mkdir -p "$t"
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
n=0 bad=0

fail() {
    echo "tools-test: $*"
    bad=1
}

# expect STATUS REGEX COMMAND...: the regex is for standard error, '' for nothing there.
expect() {
    want=$1 regex=$2
    shift 2
    n=$((n + 1)) rc=0
    "$@" > "$t/stdout" 2> "$t/stderr" < /dev/null || rc=$?
    if [ $rc != "$want" ]; then
        fail "$*: status $rc, expected $want"
        tail -n 3 "$t/stderr"
    elif [ -n "$regex" ] && ! grep -qE -- "$regex" "$t/stderr"; then
        fail "$*: no '$regex' in: $(head -n 3 "$t/stderr")"
    elif [ -z "$regex" ] && [ -s "$t/stderr" ]; then
        fail "$*: says $(head -n 3 "$t/stderr")"
    fi
}

# shown REGEX: in what the last command wrote.
shown() {
    grep -qE -- "$1" "$t/stdout" || fail "no '$1' in what the last command wrote"
}

# holds FILTER: of every object that the last command wrote, and there is one.
holds() {
    jq -e -n "[inputs | $1] | length > 0 and all" < "$t/stdout" > /dev/null ||
        fail "JSON: not $1"
}

# The captures; the packets are those of the vectors.
"$python" - "$t" <<'PY'
import pathlib, random, re, struct, sys
out = pathlib.Path(sys.argv[1])
pick = random.Random(1)

def rows(path):
    text = re.sub(r"#.*", "", path.read_text()).replace("\n ", " ")
    for line in text.splitlines():
        m = re.match(r"(\S+) (call )?(\S+) (\S+) ([0-9a-f ]+)\|(.*)", line)
        if m:
            yield m[3], bytes.fromhex(m[5]), m[6]

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
          if n == "frame_locate" and "ip_first" not in k.split("->")[0]]
cnp = frames[0]
good = pcap("good.pcap", [cnp, frames[1], frames[3]])
pcap("nano.pcap", [cnp], magic=0xa1b23c4d, fraction=7)
pcap("big-endian.pcap", [cnp], order=">")
pcap("raw.pcap", [cnp[14:]], link=101)
pcap("ipv4.pcap", [cnp[14:]], link=228)
pcap("sll.pcap", [cnp], link=113)
pcap("none.pcap", [])
pcap("wrong.pcap", [cnp[:-1] + bytes([cnp[-1] ^ 1])])
pcap("snaplen.pcap", [(cnp[:n], len(cnp)) for n in range(len(cnp))])
pcap("payload-cut.pcap", [(frames[3][:60], len(frames[3]))])
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
ng = pcapng("good.pcapng", [cnp, frames[1], frames[3]])
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
            data[i:i + 1] = bytes([pick.choice([0, 1, 4, 6, 17, 43, 44, 60, 129])])
        elif what == 1 and i < len(data):
            data[i] ^= 1 << pick.randrange(8)
        elif what == 2:
            del data[i:i + pick.choice([1, 4, 8])]
        else:
            data[i:i] = data[pick.randrange(len(data) + 1):][:8]
    return bytes(data[:pick.choice([len(data)] * 3 + [pick.randrange(len(data) + 1)])])

many = [(f, len(f) + pick.choice([0, 0, 9])) for f in
        (mutated(pick.choice(frames), 4) for _ in range(20000))]
pcap("mutated.pcap", many)
pcap("mutated-ip.pcap", [(f[14:], n) for f, n in many], link=101)
for i in range(60):
    (out / f"file{i}").write_bytes(mutated(pick.choice([good, ng]), 3))
text = pathlib.Path("vectors/frame.vec").read_text()
(out / "lies.vec").write_text(text.replace("frame_locate ok", "frame_locate format", 1))
PY

# Usage, help, version.
expect 2 'no file' "$dump"
expect 2 'one file' "$dump" "$t/good.pcap" "$t/good.pcap"
expect 2 'unrecognized|unknown' "$dump" --bogus "$t/good.pcap"
expect 2 'not both' "$dump" --json --summary "$t/good.pcap"
for c in frame.nonsense=1 nonsense.rd=1 frame.ip_first=2 frame.ip_first= roce.rd \
    frame.rocev2_port=65536 frame.rocev2_port=-1 icrc.rule=best =1; do
    expect 2 "no such setting or value: $c" "$dump" --config "$c" "$t/good.pcap"
done
expect 0 '' "$dump" --help
shown '^usage: rocedump'
expect 0 '' "$dump" --version
shown "^rocedump $(sed -n 's/.*ROCECC_VERSION "\(.*\)"/\1/p' include/rocecc/base.h)\$"

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
expect 0 '' "$dump" "$t/wrong.pcap"
shown '82fd002b WRONG, computed 82fd002a'
expect 0 '' "$dump" --json "$t/wrong.pcap"
holds '.status == "ok" and .icrc.ok == false'
expect 0 '' "$dump" --json --config icrc.rule=none "$t/good.pcap"
holds '.icrc.ok == null and .icrc.rule == "none" and .icrc.computed == ""'
expect 0 '' "$dump" --json --no-icrc "$t/good.pcap"
holds '(has("icrc") | not) and (.stack | index("icrc") | not)'
expect 0 '' "$dump" --json --config frame.rocev2_port=4790 "$t/nano.pcap"
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
    .stack == ["ether", "ipv4", "udp", "bth"]'
expect 0 '' "$dump" --json --no-icrc "$t/payload-cut.pcap"
holds '.status == "short" and .at == "payload"'
expect 0 '' "$dump" "$t/aeth.pcap"
for words in 'ACK, credit count code 5' 'RNR NAK: retry after 1280 microseconds' \
    'NAK: PSN sequence error' 'NAK: reserved code' 'reserved type'; do
    shown "$words"
done
expect 0 '' "$dump" --json "$t/ext.pcap"
holds '.at == "ext" and .stack == ["ether", "ipv4", "udp", "bth"]'
[ "$(jq -r .status "$t/stdout" | uniq -c | xargs)" = '3 unsupported 1 format' ] ||
    fail 'ext: other statuses'
expect 0 '' "$dump" --json "$t/short-cnp.pcap"
holds '.at == "ext" and .status == "format"'
expect 0 '' "$dump" --json --config roce.short_cnp=1 "$t/short-cnp.pcap"
holds '.status == "ok" and .cnp == {reserved: "", odd: 128}'

# Bad ones: all that can be read, and then why no more.
for f in cut.pcap cut.pcapng; do
    expect 1 'broken after frame 2: ' "$dump" --json "$t/$f"
    [ "$(wc -l < "$t/stdout")" = 2 ] || fail "$f: not 2 frames"
done
expect 1 'truncated' "$dump" "$t/cut-header.pcap"
expect 1 'truncated' "$dump" "$t/empty.pcap"
expect 1 'truncated' "$dump" -
expect 1 'unknown file format' "$dump" "$t/magic.pcap"
expect 1 'link type 113 .*neither Ethernet nor IP' "$dump" "$t/sll.pcap"
expect 1 'No such file' "$dump" "$t/nowhere.pcap"
expect 1 '.' "$dump" "$t"
[ ! -w /dev/full ] ||
    expect 1 'cannot be written' sh -c "'$dump' '$t/good.pcap' > /dev/full"

# Vectors, also without libpcap.
for d in "$dump" "$out/rocedump-demo"; do
    expect 0 '' "$d" vectors/frame.vec
    shown '^vectors/frame.vec: [1-9][0-9]* frames shown'
    expect 1 'cx4-cnp is ok, and the row says format' "$d" "$t/lies.vec"
    expect 1 'no row locates a frame' "$d" vectors/ip6opt.vec
done
expect 1 'without libpcap' "$out/rocedump-demo" "$t/good.pcap"

# Whatever the frames are: no crash, JSON that agrees with its stack, and the same
# counts in every mode.
for f in rows rows-ip mutated mutated-ip; do
    for o in '' --no-icrc '--config icrc.rule=masked --config roce.rd=1' \
        '--config roce.short_cnp=1'; do
        expect 0 '' "$san" --json $o "$t/$f.pcap"
        cp "$t/stdout" "$t/json"
        holds '. as $o | (.stack | unique) as $names |
            ["ether", "grh", "tcp", "bth", "cnp", "payload", "icrc", "rdeth", "deth",
             "xrceth", "feth", "reth", "atomiceth", "aeth", "atomicacketh", "immdt",
             "ieth"] as $one |
            (keys - ["frame", "time_ns", "len", "caplen", "stack", "status", "at"]) ==
                $names and
            ([.status] | inside(["ok", "short", "format", "unsupported"])) and
            (.status == "ok") == (has("at") | not) and
            all($names[]; . as $name | $o[$name] | if ([$name] | inside($one))
                then type == "object"
                else length == ($o.stack | map(select(. == $name)) | length) end)'
        expect 0 '' "$san" --summary $o "$t/$f.pcap"
        cp "$t/stdout" "$t/summary"
        expect 0 '' "$san" $o "$t/$f.pcap"
        tail -n "$(wc -l < "$t/summary")" "$t/stdout" | cmp -s - "$t/summary" ||
            fail "$f $o: the summary of the text differs"
        jq -r 'select(.at).status + " at " + .at' "$t/json" | sort | uniq -c |
            awk '{print $1, $2, $3, $4}' > "$t/failures"
        awk '$3 == "at" {print $1, $2, $3, $4}' "$t/summary" | sort -k 2 |
            cmp -s - "$t/failures" || fail "$f $o: the summary counts other failures"
    done
done

# Whatever the file is: 0 or 1.
for f in "$t"/file*; do
    n=$((n + 1)) rc=0
    "$san" --json "$f" > "$t/stdout" 2> "$t/stderr" || rc=$?
    [ $rc -le 1 ] || fail "$f: status $rc: $(head -n 3 "$t/stderr")"
    [ $rc = 0 ] || [ -s "$t/stderr" ] || fail "$f: status $rc without a message"
done
# cctrace: usage, help, version.
trace=$out/cctrace
expect 2 'which algorithm' "$trace"
expect 2 'no algorithm nonsense' "$trace" nonsense
expect 2 'unrecognized|unknown' "$trace" --bogus dcqcn
expect 2 'no such preset: best' "$trace" tokenbucket --preset best
for c in nonsense=1 burst burst= burst=x burst=4294967296; do
    expect 2 'no such parameter or value: ' "$trace" tokenbucket "$c"
done
for c in '' -1 x 1x 99999999999999999999; do
    expect 2 'no number: ' "$trace" tokenbucket --link-bps "$c"
done
expect 0 '' "$trace" --help
shown '^usage: cctrace'
expect 0 '' "$trace" --version
shown "^cctrace $(sed -n 's/.*ROCECC_VERSION "\(.*\)"/\1/p' include/rocecc/base.h)\$"
expect 1 'refuses these parameters: burst' "$trace" tokenbucket burst=0
run() { printf '%s\n' "$1" | "$trace" tokenbucket rate_per_s=1000000000 burst=3; }
expect 0 '' run 'take n=2 now_ns=5 # two of three

take	n=0x2'
[ "$(cat "$t/stdout")" = 'taken=1 | level_e9=1000000000 last_ns=5
taken=0 | level_e9=1000000000 last_ns=0' ] || fail 'cctrace: other lines than by hand'
expect 1 'line 2: no event tike' run '#
tike n=1'
for a in m=1 n n= n=-1 n=4294967296 n=1x =1 now_ns=-1 now_ns=18446744073709551616; do
    expect 1 "line 1: $a is nothing that take takes" run "take $a"
done

# Every algorithm: what --params lists, and the first trace of its vectors, whose states
# have the model's keys and, where they are whole numbers of the same width, its values.
"$python" -B - "$t" <<'PY'
import pathlib, sys
sys.path.insert(0, "vectors/model")
from trace import Generator, line
out = pathlib.Path(sys.argv[1])
for path in sorted(pathlib.Path("vectors").glob("*.vec")):
    text = path.read_text().splitlines()
    first = next((i for i, l in enumerate(text) if l.startswith("trace ")), None)
    if first is None:
        continue
    head = text[first].split()[3:]
    rest = text[first + 1:]
    phases = [l for l in rest[:rest.index("")] if l.startswith(" ")]
    states = [l for l in rest[:rest.index("")] if not l.startswith((" ", "0:"))][:200]
    seed = int(next(h for h in head if h.startswith("seed="))[5:])
    args = [h.replace("link_bps=", "--link-bps=").replace("preset=", "--preset=")
            for h in head if not h.startswith("seed=")]
    events = Generator(seed, phases).events()
    (out / f"{path.stem}.args").write_text(" ".join(args))
    (out / f"{path.stem}.events").write_text(
        "".join(f"{name} {line(values)}\n" for (name, values), _ in zip(events, states)))
    (out / f"{path.stem}.want").write_text(
        "".join(s.split(": ", 1)[1] + "\n" for s in states))
PY
algorithms=$("$trace" 2>&1 | sed -n 's/^ALGO is one of //p')
[ -n "$algorithms" ] || fail 'cctrace: names no algorithm'
for a in $algorithms; do
    expect 0 '' "$trace" "$a" --params
    shown '^presets: [a-z]'
    shown '^event [a-z]'
    [ -s "$t/$a.events" ] || { fail "$a: no trace in vectors/$a.vec"; continue; }
    expect 0 '' sh -c "'$trace' $a $(cat "$t/$a.args") < '$t/$a.events'"
    "$python" - "$t/stdout" "$t/$a.want" <<'PY' || fail "$a: cctrace is not as its trace"
import sys
ours, want = (open(f).read().splitlines() for f in sys.argv[1:])
assert len(ours) == len(want) == 200
for a, b in zip(ours, want):
    a, b = a.split(), b.split()
    assert [x.split("=")[0] for x in a] == [x.split("=")[0] for x in b], (a, b)
    for x, y in zip(a, b):
        x, y = x.split("=")[-1], y.split("=")[-1]
        same = x == y or abs(float(x) - float(y)) <= 200 + 1e-3 * float(y)
        assert same, (a, b)
PY
done
[ $bad = 0 ] && echo "tools-test: rocedump and cctrace do as expected in $n runs"
exit $bad
