#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# captures.sh OUT PYTHON: tests rocedump with every link type, all kinds of pcapng, merged,
# cut, damaged and compressed files, several files, -c, -f, and -Y against jq.
set -eu
out=$1 python=$2
dump=$out/rocedump san=$out/rocedump-san
t=$out/captures
gate=captures
. tests/lib/expect.sh
"$python" -B tests/tools/rocedump/captures.py "$t"

# Each link type except raw IP has its own layer. From IPv4 on, layers are as with Ethernet.
expect 0 '' "$san" --json "$t/ether.pcap"
jq -c '[.time_ns, .bth, .cnp, .icrc, .ipv4, .stack[1:]]' "$t/stdout" > "$t/plain"
for l in sll:sll sll2:sll2 null:null null-swapped:null loop:null erf:erf:ether \
    erf-more:erf:ether erf-ip:erf ppi:ppi:ether ppi-fields:ppi:ether ppi-raw:ppi raw \
    raw4; do
    f=${l%%:*} layers=
    [ "$f" = "$l" ] || layers=$(echo "${l#*:}" | sed 's/:/","/; s/.*/"&"/')
    expect 0 '' "$san" --json "$t/$f.pcap"
    holds ".status == \"ok\" and .stack == [$layers] + [\"ipv4\", \"udp\", \"bth\", \"cnp\", \"icrc\"]"
    holds '.len == .caplen'
    jq -c '[.time_ns, .bth, .cnp, .icrc, .ipv4,
        .stack[(.stack | index("ipv4")):]]' "$t/stdout" | cmp -s - "$t/plain" ||
        fail "$f: the packets differ from the Ethernet capture's"
    expect 0 '' "$san" --summary "$t/$f.pcap"
    shown '^ +2  +ICRC ok$'
done
member() { expect 0 '' "$dump" --json "$t/$1.pcap" && holds "$2"; }
member sll '.sll == {packet_type: 4, arphrd_type: 1, address_length: 6,
    address: "020000000001", protocol: 2048} and .len == 76'
member sll2 '.sll2 == {interface_index: 7, packet_type: 4, arphrd_type: 1,
    address_length: 6, address: "020000000001", protocol: 2048}'
member null '.null == {family: 2}'
member erf '.erf == {timestamp: "0000000900000001", type: 2, flags: 4, rlen: 92,
    lctr: 3, wlen: 74, extensions: ""}'
member erf-more '.erf.extensions == "81" + "00" * 7 + "01" + "00" * 7 and
    .erf.type == 130'
member ppi-fields '.ppi == {version: 0, flags: 0, len: 16, dlt: 1,
    fields: "0900040001000000"}'
expect 0 '' "$dump" "$t/sll2.pcap"
shown '^  sll2 +interface_index=7 packet_type=4 .*address=020000000001'
for f in sll sll2 null erf erf-more ppi ppi-fields; do
    expect 0 '' "$san" --json "$t/$f-cut.pcap"
    holds ".status == \"short\" and .at == \"${f%-*}\" and .stack == []"
done
expect 0 '' "$san" --json "$t/sll-tags.pcap"
of 1 '.stack == ["sll", "vlan", "ipv4", "udp", "bth", "cnp", "icrc"] and .vlan[0].vid == 7'
of 2 '.stack[:2] == ["sll", "grh"]'
of 3 '.stack == ["sll", "llc", "ipv4", "udp", "bth", "cnp", "icrc"]'
expect 0 '' "$san" --json "$t/sll2-tags.pcap"
of 1 '.stack == ["sll2", "vlan", "ipv4", "udp", "bth", "cnp", "icrc"]'
for f in sll-other link-other ppi-other null-other; do
    expect 0 '' "$san" --json "$t/$f.pcap"
    holds '.status == "unsupported" and .at == "link" and (.stack | length) == 1'
done
expect 0 '' "$san" --json "$t/ppi-bad.pcap"
holds '.status == "format" and .at == "ppi"'
expect 1 'link type 105 .*not supported; ' "$san" "$t/wifi.pcap"

# pcapng has the expected times. In merged taps, every BTH is found, as by tshark.
expect 0 '' "$san" --json "$t/all.pcapng"
[ "$(sed 's/.*"time_ns":\([0-9]*\).*/\1/' "$t/stdout")" = "$(cat "$t/all.times")" ] ||
    fail 'all.pcapng: other times'
holds '.status == (if .frame % 8 == 5 then "short" else "ok" end)'
of 1 '.caplen == 74 and .len == 75'
of 5 '.caplen == 60 and .len == 74'
of 12 '.stack[0] == "sll2"'
of 11 '.stack[0] == "ipv4"'
expect 0 '' "$san" --json "$t/other.pcapng"
of 1 '.status == "ok"'
of 2 '.status == "unsupported" and .at == "link" and .stack == []'
expect 1 'broken after frame 3: .*interface' "$san" --json "$t/sections.pcapng"
[ "$(jq -r '"\(.time_ns) \(.stack[0]) \(.status)"' "$t/stdout" | xargs)" = \
    '5000 ether ok 7 ipv4 ok 9000011000 sll2 ok' ] ||
    fail 'sections.pcapng: an interface of another section'
bths() { jq -n '[inputs | recurse(.inner; . != null) | select(.bth)] | length' "$t/stdout"; }
if peer tshark mergecap editcap; then
    mergecap -w "$t/merged.pcapng" "$t/tap1.pcap" "$t/tap2.pcap" "$t/tap3.pcap"
    expect 0 '' "$san" --json "$t/merged.pcapng"
    [ "$(wc -l < "$t/stdout")" = 10 ] || fail 'merged: not 10 frames'
    [ "$(bths)" = 9 ] || fail "merged: $(bths) BTHs, and not 9"
    holds '[recurse(.inner; . != null) | select(.bth).icrc.ok] | all'
    tshark -r "$t/merged.pcapng" -T fields -e infiniband.bth.destqp \
        -Y infiniband.bth > "$t/peer" 2> /dev/null
    [ "$(tr ',' '\n' < "$t/peer" | wc -l)" = 9 ] || fail 'merged: tshark does not count 9 BTHs'
    tshark -r "$t/merged.pcapng" -T fields -e frame.number -e frame.time_epoch \
        2> /dev/null | tr -d . > "$t/peer"
    jq -r '"\(.frame)\t\(.time_ns)"' "$t/stdout" | cmp -s - "$t/peer" ||
        fail 'merged: tshark has other times'
    for f in sll sll2 null loop erf erf-more ppi ppi-fields raw raw4; do
        editcap -F pcapng "$t/$f.pcap" "$t/$f.pcapng"
        expect 0 '' "$san" --json "$t/$f.pcapng"
        tshark -r "$t/$f.pcap" -Y infiniband.bth -T fields -e ip.src > "$t/peer" \
            2> /dev/null
        [ "$(bths) $(grep -c '^10.0.17.1$' "$t/peer")" = '2 2' ] ||
            fail "$f: $(bths) BTHs, and tshark $(wc -l < "$t/peer")"
    done
fi

# In a damaged file, the frames before the damage are shown, and then a message.
for f in $(cat "$t/bad.list"); do
    expect 1 'broken after frame 1: ' "$san" --json "$t/bad-$f.pcapng"
    [ "$(wc -l < "$t/stdout")" = 1 ] || fail "bad-$f: not 1 frame"
done
for f in "$t"/prefix/*; do
    n=$((n + 1)) rc=0
    "$san" --json "$f" > "$t/stdout" 2> "$t/stderr" || rc=$?
    case ${f##*/} in
    mutated*) [ $rc -le 1 ] ;;
    *) [ "${f#*.}" = "$(wc -l < "$t/stdout").$rc" ] ;;
    esac || fail "$f: status $rc, $(wc -l < "$t/stdout") frames: $(head -n 3 "$t/stderr")"
    [ $rc = 0 ] || [ -s "$t/stderr" ] || fail "$f: status $rc without a message"
done

# Compressed files.
expect 0 '' "$dump" --json "$t/tap1.pcap"
cp "$t/stdout" "$t/tap1.json"
for f in "'$t/tap1.pcap.gz'" "'$t/two.gz'" "- < '$t/tap1.pcap.gz'"; do
    expect 0 '' sh -c "'$san' --json $f"
    cmp -s "$t/stdout" "$t/tap1.json" || fail "$f: other than uncompressed"
done
for f in "'$t/after.gz'" "- < '$t/after.gz'"; do # the bytes after the last member
    expect 0 "^rocedump: ($t/after.gz|-): ignored the bytes after the gzip data\$" \
        sh -c "'$san' --json $f"
    cmp -s "$t/stdout" "$t/tap1.json" || fail "$f: other than uncompressed"
    [ "$(wc -l < "$t/stderr")" = 1 ] || fail "$f: not one line about them"
done
# A damaged file is named, and its reason is not the next file's.
expect 1 "^rocedump: $t/wifi.pcap: link type" "$san" --json "$t/cut.gz" "$t/wifi.pcap"
grep -q "$t/cut.gz: .*gzip: the file ends inside the compressed data$" "$t/stderr" ||
    fail "cut.gz: $(head -n 1 "$t/stderr")"
expect 1 "^rocedump: $t/bad-$(cut -d' ' -f1 "$t/bad.list").pcapng: broken after frame [0-9]*: [^g]" \
    "$san" --json "$t/cut.gz" "$t/bad-$(cut -d' ' -f1 "$t/bad.list").pcapng"
expect 0 '' "$san" --json "$t/ng.gz"
[ "$(wc -l < "$t/stdout")" = 16 ] || fail 'ng.gz: not 16 frames'
for f in cut sum not; do
    expect 1 "^rocedump: $t/$f.gz: (broken after frame [0-9]+: )?gzip: " "$san" --json "$t/$f.gz"
    [ "$(wc -l < "$t/stderr")" = 1 ] || fail "$f.gz: more than one line of reasons"
done

# Frames are numbered over all files, and a bad file does not stop the others. -c counts
# them.
expect 0 '' "$san" --json "$t/tap1.pcap" "$t/tap2.pcap" "$t/all.pcapng"
[ "$(jq .frame "$t/stdout" | xargs)" = "$(seq 23 | xargs)" ] || fail 'files: other frames'
expect 1 'wifi' "$san" --json "$t/tap1.pcap" "$t/wifi.pcap" "$t/tap2.pcap"
[ "$(wc -l < "$t/stdout")" = 7 ] || fail 'a bad file: not 7 frames'
for c in 1 4 6 7; do
    expect 0 '' "$san" --json -c $c "$t/tap1.pcap" "$t/tap2.pcap"
    [ "$(wc -l < "$t/stdout")" = $c ] || fail "-c $c: $(wc -l < "$t/stdout") frames"
done
expect 0 '' "$san" --json -c 2 -Y sll2 "$t/tap1.pcap" "$t/tap2.pcap" "$t/sll2.pcap"
[ "$(jq .frame "$t/stdout" | xargs)" = '6 7' ] || fail '-c with -Y: other frames'
expect 0 '' "$san" --json -c 3 vectors/frame.vec
[ "$(wc -l < "$t/stdout")" = 3 ] || fail '-c of rows: not 3 frames'
for c in 0 -1 x '' 1x; do
    expect 2 "^rocedump: -c $c: expected a whole number of frames" "$dump" -c "$c" "$t/tap1.pcap"
done
expect 0 '' "$dump" -h
shown '^usage: rocedump'
expect 2 '^rocedump: -i lo: an interface and files exclude each other$' "$dump" -i lo "$t/tap1.pcap"

# libpcap's filter works for each link type.
for f in -f --filter; do
    expect 0 '' "$san" --json $f 'udp port 4791' "$t/tap1.pcap" "$t/tap2.pcap" "$t/raw.pcap"
    [ "$(jq .frame "$t/stdout" | xargs)" = '1 6 8 9' ] || fail "$f: other frames"
done
expect 0 '' "$san" --json -f 'udp port 4789' "$t/merged.pcapng"
[ "$(wc -l < "$t/stdout")" = 2 ] || fail '-f: not 2 frames of VXLAN'
expect 2 "filter 'udp prt 1': .*syntax" "$san" -f 'udp prt 1' "$t/tap1.pcap"
expect 2 "filter 'udp prt 1': .*syntax" "$san" -f 'udp prt 1' "$t/all.pcapng"

# -Y selects the same frames as jq.
files="vectors/pcap/frame.pcap vectors/pcap/notify.pcap $t/tap1.pcap $t/tap2.pcap"
files="$files $t/erf.pcap $t/sll-cut.pcap"
"$dump" --json $files > "$t/every"
same() { # same EXPRESSION FILTER: jq's filter; deep(FILTER) also covers packets inside
    expect 0 '' "$san" --json -Y "$1" $files
    jq "def deep(f): [recurse(.inner, .icmp_error.inner; . != null) | f] | any; select($2).frame" \
        "$t/every" > "$t/want"
    [ -s "$t/want" ] || fail "$1: jq finds nothing"
    [ "$(wc -l < "$t/want")" != "$(wc -l < "$t/every")" ] || fail "$1: jq finds all"
    sed 's/^{"frame":\([0-9]*\),.*/\1/' "$t/stdout" | cmp -s - "$t/want" ||
        fail "$1: other frames than jq finds"
}
same cnp 'deep(.cnp)'
same 'bth.dest_qp==0x118' 'deep(.bth.dest_qp? == 280)'
same ' cnp  &&  bth.dest_qp == 280 ' 'deep(.cnp and .bth.dest_qp == 280)'
same 'bth.psn!=0' 'deep(.bth.psn? | values != 0)'
same 'bth.psn<100' 'deep(.bth.psn? | values < 100)'
same 'bth.psn<=100' 'deep(.bth.psn? | values <= 100)'
same 'bth.psn>100' 'deep(.bth.psn? | values > 100)'
same 'bth.psn>=100' 'deep(.bth.psn? | values >= 100)'
same 'bth.becn' 'deep(.bth.becn? == true)'
same 'icrc.ok==false' 'deep(.icrc.ok? == false)'
same 'icrc.rule==masked' 'deep(.icrc.rule? == "masked")'
same 'icrc.value==82fd002a' 'deep(.icrc.value? == "82fd002a")'
same 'ipv4.src==10.0.17.1' 'deep(.ipv4[]?.src == "10.0.17.1")'
same 'ipv6.dst==2001:db8:a::10' 'deep(.ipv6[]?.dst == "2001:db8:a::10")'
same 'ether.dst==02:00:00:00:00:02' 'deep(.ether.dst? == "02:00:00:00:00:02")'
same 'l3qcn.src==10.1.10.2' 'deep(.l3qcn.src? == "::ffff:10.1.10.2")'
same 'arn.flow.dst==10.2.20.1' 'deep(.arn.flow.dst? == "::ffff:10.2.20.1")'
same 'pfc.quanta[3]==65535' 'deep(.pfc.quanta[3]? == 65535)'
same 'pfc.quanta==65535' 'deep(.pfc.quanta[]? == 65535)'
same 'cnm.q_offset<0' 'deep(.cnm.q_offset? | values < 0)'
same 'cnm.q_offset>-1000' 'deep(.cnm.q_offset? | values > -1000)'
same 'fastcnp.kind==ioam' 'deep(.fastcnp.kind? == "ioam")'
same 'fastcnp.ioam.node_len==2' 'deep(.fastcnp.ioam.node_len? == 2)'
same 'fastcnp.ioam.nodes.queue_depth>3000' 'deep(.fastcnp.ioam.nodes[]?.queue_depth > 3000)'
same 'ioam.nodes.hop_limit' 'deep(.ioam[]?.nodes[].hop_limit | values > 0)'
same 'vxlan && !erspan2' 'deep(.vxlan) and (deep(.erspan2) | not)'
same 'status==short' 'deep(.status == "short")'
same 'at==sll' 'deep(.at == "sll")'
same 'at' 'deep(.at)'
same 'erf.timestamp==0000000900000001' 'deep(.erf)'
same 'sll2.interface_index==7' 'deep(.sll2.interface_index? == 7)'
same 'frame>=3 && frame<6' '.frame >= 3 and .frame < 6'
same 'caplen<20' 'deep(.caplen? | values < 20)'
same 'time_ns==1000005000' 'deep(.time_ns? == 1000005000)'
same '!ether' 'deep(.ether) | not'
same 'tcp || udp && bth' 'deep(.tcp) or (deep(.udp) and deep(.bth))'
same '(arn||pfc)&&ether.type==0x8808' 'deep(.pfc)'
same '!(ipv4 || ipv6) && ether' '(deep(.ipv4 or .ipv6) | not) and deep(.ether)'
same '!!cnp' 'deep(.cnp)'
same 'icmp.ok!=null' 'deep(.icmp)'
same 'icmp_error && bth' 'deep(.icmp_error) and deep(.bth)'
expect 0 '' "$san" --summary -Y cnp $files
[ "$(awk '$2 == "frames," {print $1}' "$t/stdout")" = \
    "$(jq -n '[inputs | select([recurse(.inner; . != null).cnp] | any)] | length' "$t/every")" ] ||
    fail '--summary -Y: counts other frames'
expect 0 '' "$san" -Y arn $files
[ "$(grep -c '^frame ' "$t/stdout")" = 1 ] || fail 'text of -Y arn: not 1 frame'

# Invalid expressions give a reason and a position.
not() { # not EXPRESSION CHARACTER REGEX
    expect 2 "^rocedump: -Y: $3.*, at character $2:\$" "$san" -Y "$1" "$t/tap1.pcap"
}
not cnq 1 'unknown layer or member .*: cnq'
not 'cnp && bth.dst_qp==1' 8 'unknown member of the layer .*: bth.dst_qp'
not 'bth.nodes.opcode' 1 'unknown member of the layer'
not '' 1 'the name of a layer'
not 'cnp &&' 7 'the name of a layer'
not '(cnp' 5 '. is missing'
not 'cnp)' 4 '. is missing before this'
not 'cnp bth' 5 '&& or .. is missing'
not 'cnp & bth' 5 '&& or .. is missing'
not 'bth.psn=1' 8 '&& or .. is missing'
not 'bth.psn==' 10 'a value is missing'
not 'bth.psn==x' 10 'expected a whole number of at most 64 bits, not x'
not 'bth.psn==18446744073709551616' 10 'expected a whole number of at most 64 bits'
not 'icrc.ok==maybe' 10 'expected true, false, null or a number, not maybe'
not 'icrc.rule==best' 12 'expected auto, standard, masked, .* or none, not best'
not 'icrc.rule<masked' 11 'only a number can be compared'
not 'ipv4.src==10.0.0.256' 11 'expected an IPv4 address'
not 'ipv4.src==2001:db8::1' 11 'expected an IPv4 address'
not 'icrc.value==8' 13 'expected bytes, two hex digits each'
not 'cnp==1' 6 'name a member, because a layer cannot be compared'
not 'at<bth' 4 'a name can only be compared'
not "$(printf 'x%0200d' 0)" 1 'the name of a layer'
not "$(printf '(%.0s' $(seq 300))cnp" 257 'the expression is too deep'
not "cnp$(printf '||cnp%.0s' $(seq 64))" 321 'more than 64 layers and members'
expect 0 '' "$san" --json -Y "cnp$(printf '||cnp%.0s' $(seq 63))" "$t/tap1.pcap"
expect 0 '' "$san" --json -Y "$(printf '(%.0s' $(seq 200))cnp$(printf ')%.0s' $(seq 200))" \
    "$t/tap1.pcap"

[ $bad = 0 ] && echo "captures: rocedump does as expected in $n runs"
exit $bad
