#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# rocegen.sh OUT PYTHON: tests rocegen's frames against rocedump, scapy and the vectors'
# rows, its exit status and messages, and frames on a wire.
set -eu
out=$1 python=$2
gen=$out/rocegen san=$out/rocegen-san dump=$out/rocedump
t=$out/rocegen.t
gate=rocegen
. tests/lib/expect.sh

# read_back OPTIONS... WORDS...: writes rocedump's JSON of rocegen's frame to $t/stdout.
read_back() {
    expect 0 '' "$san" --pcap "$t/frame.pcap" "$@"
    expect 0 '' "$dump" --json "$t/frame.pcap"
}

# holds FILTER: checks every object of the last command, and that there is one.
holds() {
    jq -e -n "[inputs | $1] | length > 0 and all" < "$t/stdout" > /dev/null ||
        fail "JSON: not $1"
}

# skip WHAT: fails under CI.
skip() {
    echo "$gate: $1: skipped"
    [ -z "${CI:-}" ] || bad=1
}

"$python" -B tests/tools/rocegen.py rows "$san" || bad=1
"$python" -B tests/tools/rocegen.py stacks "$gen" "$dump" || bad=1
"$python" -B tests/tools/rocegen.py hand "$gen" "$dump" || bad=1
"$python" -B tests/tools/rocegen.py keys "$gen" "$dump" || bad=1
"$python" -B tests/tools/rocegen.py mutants "$san" || bad=1
if command -v tshark > /dev/null; then
    "$python" -B tests/tools/rocegen.py tshark "$gen" || bad=1
else
    skip 'no tshark here'
fi
if "$python" -c 'import scapy' 2> /dev/null; then
    "$python" -B tests/tools/rocegen.py scapy "$gen" || bad=1
else
    skip 'no scapy here'
fi

# A notification's word gives the same bytes as all of its layers.
same() {
    expect 0 '' "$san" $1
    cp "$t/stdout" "$t/other"
    expect 0 '' "$san" $2
    cmp -s "$t/stdout" "$t/other" || fail "$1: not the bytes of $2"
}
same 'cnp src=10.0.0.1 dest_qp=0x17' \
    'ether ipv4 udp bth cnp icrc ipv4.src=10.0.0.1 bth.dest_qp=23'
same 'fastcnp flow_dst=2001:db8::5' \
    'ether ipv6 fastcnp udp bth cnp icrc fastcnp.flow_dst=2001:db8::5'
same 'ether ipv6 ioam udp bth icrc' 'ether ipv6 hopopts ioam udp bth icrc'
same 'ether ipv6 fastcnp udp bth cnp icrc' 'ether ipv6 dstopts fastcnp udp bth cnp icrc'
same 'ether ipv4 udp l3qcn cnm qntz_fb=3' 'ether ipv4 udp l3qcn qntz_fb=3'
same "--pcap $t/hex.pcap --send lo --hex cnp" cnp
[ ! -e "$t/hex.pcap" ] || fail '--hex after --pcap wrote a capture'

# After Ethernet, a CNP has the bytes that the library builds.
echo 'source: here
a cnp ok - | src=::ffff:10.0.0.1 dst=::ffff:192.0.2.2 dscp=48 hop_limit=64 becn=1
  pkey=0xffff dest_qp=0x17 src_port=0xc000 udp_checksum=1' > "$t/cnp.vec"
expect 0 '' "$san" cnp src=10.0.0.1 dest_qp=0x17
cut -c29- "$t/stdout" > "$t/other"
expect 0 '' "$san" "$t/cnp.vec"
cmp -s "$t/stdout" "$t/other" || fail 'a CNP is not as rocecc_cnp_build() writes it'
expect 0 '' "$san" --pcap "$t/cnp.pcap" "$t/cnp.vec"
expect 0 '' "$dump" --json "$t/cnp.pcap"
holds '.stack == ["ipv4","udp","bth","cnp","icrc"] and .icrc.ok'

# Whole notifications have the requested values.
read_back fastcnp src=2001:db8::1 dst=2001:db8::2 flow_dst=2001:db8::3 dest_qp=0x17
holds '.fastcnp.flow_dst == "2001:db8::3" and .bth.dest_qp == 23 and .icrc.ok'
read_back cnm dst=02:00:00:00:00:07 qntz_fb=13 cpid=0102030405060708 q_offset=-5
holds '.cnm.qntz_fb == 13 and .cnm.cpid == "0102030405060708" and .cnm.q_offset == -5
    and .ether.dst == "02:00:00:00:00:07" and .len == 60'
read_back l3qcn src=10.0.0.1 dst=10.0.0.2 src_port=50000 qntz_fb=9
holds '.l3qcn.src_port == 50000 and .ipv4[0].src == "10.0.0.2" and .cnm.qntz_fb == 9
    and .ipv4[0].dst == "10.0.0.1" and .l3qcn.checksum_ok'
read_back arn src=2001:db8::1 flow.src=2001:db8::2 flow.dst=2001:db8::3 time=7
holds '.arn.flow.src == "2001:db8::2" and .arn.time == 7 and .ipv6[0].hop_limit == 255'
# IPv4 carries the ARN of an IPv4-mapped address in any spelling. src and dst refuse it.
expect 0 '' "$san" arn flow.src=192.0.2.1 flow.dst=192.0.2.9
cp "$t/stdout" "$t/other"
for i in ::ffff:192.0.2.1 ::FFFF:192.0.2.1 ::fFfF:c000:201 0:0:0:0:0:ffff:192.0.2.1; do
    expect 0 '' "$san" arn flow.src=$i flow.dst=192.0.2.9
    cmp -s "$t/stdout" "$t/other" || fail "flow.src=$i is not 192.0.2.1"
    expect 2 "^rocegen: src=$i: expected an IPv4 address" "$san" cnp src=$i
    expect 2 "^rocegen: dst=$i: expected an IPv4 address" "$san" cnp dst=$i
done
read_back pfc 'quanta[3]=100' 'quanta[5]=0'
holds '.pfc.enable == 40 and .pfc.quanta[3] == 100 and .len == 60'
read_back pause quanta=9
holds '(.pause.quanta == 9 or .pfc.quanta == 9) and .len == 60'

# Values are wrong on purpose, and others stay right.
read_back cnp icrc.value=0x0
holds '.icrc.ok == false and .icrc.value == "00000000"'
read_back cnp icrc.value=deadbeef udp.checksum=0
holds '.icrc.value == "deadbeef" and .udp[0].checksum == 0'
read_back cnp udp.length=7
holds '.status == "format" and .at == "udp"'
read_back cnp ipv4.header_checksum=1 ipv4.total_length=19
holds '.status == "format" and .at == "ipv4"'
read_back ether ipv4 udp bth payload icrc payload.length=5 bth.pad=0 bth.opcode=0x0a
holds '.bth.pad == 0 and .bth.opcode == 10'
read_back ether ipv6 hopopts ioam udp bth icrc icrc.rule=literal
holds '.icrc.rule == "literal" and .icrc.ok'

# Records of nodes on the path do not change the ICRC, and IFA's do not change UDP's
# values.
read_back ether ipv4 udp bth payload icrc payload.length=70
jq -c '[.icrc.value, .udp[0].checksum, .udp[0].length]' "$t/stdout" > "$t/sent"
read_back ether ipv4 ifa udp bth payload icrc payload.length=70 'ifa.nodes[1].device_id=5'
jq -c '[.icrc.value, .udp[0].checksum, .udp[0].length]' "$t/stdout" > "$t/other"
cmp -s "$t/sent" "$t/other" ||
    fail "IFA changes the ICRC or the UDP header: $(cat "$t/sent" "$t/other")"

# With a tail stamp, the oldest record is last, and the headers are in the opposite order.
order='--config=ifa.checksum=stack --config=ifa.fragments=1 --config=ifa.tail=newest_first'
expect 0 '' "$san" $order --pcap "$t/tail.pcap" ether ipv4 ifa udp bth payload icrc \
    payload.length=70 ifa.flags=29 ifa.checksum=0x1234 ifa.packet_id=0x2abcdef \
    ifa.mf_id=3 'ifa.nodes[0].device_id=4' 'ifa.nodes[1].device_id=5'
expect 0 '' "$dump" $order --json "$t/tail.pcap"
jq -c '[.icrc.value, .udp[0].checksum, .udp[0].length]' "$t/stdout" > "$t/other"
cmp -s "$t/sent" "$t/other" || fail "a tail changes the ICRC or the UDP header: $(cat "$t/other")"
[ "$(tail -c 12 "$t/tail.pcap" | od -An -tx1 | tr -d ' ')" = aaf37bc612340000ff00fd10 ] ||
    fail "a tail ends with $(tail -c 12 "$t/tail.pcap" | od -An -tx1)"
[ "$(tail -c 76 "$t/tail.pcap" | od -An -tx1 -N4 | tr -d ' ')" = 10000500 ] ||
    fail "a tail begins with $(tail -c 76 "$t/tail.pcap" | od -An -tx1 -N4)"
expect 0 '' "$san" --config intmd.udp_port=5000 ether ipv4 udp intmd bth payload icrc \
    payload.length=70 'intmd.nodes[1].node_id=5'
[ "$(tail -c 9 "$t/stdout")" = "$(jq -r '.[0]' "$t/sent")" ] || fail 'INT changes the ICRC'

# Captures have the requested frames, times and links.
expect 0 '' "$san" --pcap "$t/n.pcap" --count 3 --gap-ns 1500000001 cnp
expect 0 '' "$dump" --json "$t/n.pcap"
holds '.time_ns == (.frame - 1) * 1500000001'
[ "$(wc -l < "$t/stdout")" = 3 ] || fail '--count 3 made another number'
# The second record has the last nanosecond that 32 bits of seconds allow.
expect 0 '' "$san" --pcap "$t/n.pcap" --count 2 --gap-ns 4294967295999999999 cnp
[ "$(od -An -tu4 -j114 -N8 "$t/n.pcap" | tr -s ' ')" = ' 4294967295 999999999' ] ||
    fail '--gap-ns: another time than the last'
expect 1 'n.pcap: a frame is too late' "$san" --pcap "$t/n.pcap" --count 3 \
    --gap-ns 4294967295999999999 cnp
expect 1 'n.pcap: a frame is too late' "$san" --pcap "$t/n.pcap" --count 2 \
    --gap-ns 4294967296000000000 cnp
printf 'source: here\na cnp ok - |\nb cnp ok - | src_port=1\n' > "$t/two.vec"
for i in 1 3; do
    expect 0 '' "$san" --pcap "$t/n.pcap" --count $i --gap-ns 1000000 "$t/two.vec"
    expect 0 '' "$dump" --json "$t/n.pcap"
    holds '.time_ns == (.frame - 1) * 1000000'
    [ "$(wc -l < "$t/stdout")" = $((2 * i)) ] || fail "--count $i of two rows: other frames"
done
expect 0 '' "$san" --pcap "$t/ip.pcap" ipv6 udp bth icrc
expect 0 '' "$dump" --json "$t/ip.pcap"
holds '.stack[0] == "ipv6" and .icrc.ok'
printf 'source: x\n%s ok - | %s\n' 'a cnm_frame' cnm.qntz_fb=1 'b pfc' enable=0 \
    'c pfc_pause' dst=01:80:c2:00:00:01 > "$t/link.vec"
expect 0 '' "$san" --pcap "$t/link.pcap" --count 2 "$t/link.vec"
expect 0 '' "$dump" --json "$t/link.pcap"
[ "$(jq -r '.stack[-1]' < "$t/stdout" | tr '\n' ' ')" = 'cnm cnm pfc pfc pause pause ' ] ||
    fail "rows of Ethernet: $(cut -c1-99 "$t/stdout")"
expect 0 '' "$san" --count 0 --pcap "$t/none.pcap" cnp
expect 0 '' "$dump" --json "$t/none.pcap"
[ ! -s "$t/stdout" ] || fail '--count 0 made a frame'
printf 'source: x\na bth ok - |\nb call x ok 00 | -> \nc bth short 00 |
d bth ok - | emit=no\ne bth ok - | opcod=1\nf bth ok - |\n' > "$t/bad.vec"
expect 1 '^rocegen: e: opcod: unknown key \(nearest: opcode\)$' "$san" --count 2 "$t/bad.vec"
[ "$(wc -l < "$t/stdout")" = 2 ] || fail 'rows without bytes, or after a bad row, are written'
expect 0 '' "$san" --count 2 --hex cnp
[ "$(sort -u "$t/stdout" | wc -l)" = 1 ] && [ "$(wc -l < "$t/stdout")" = 2 ] ||
    fail '--count 2 wrote other lines'

# Errors name the wrong word, and the nearest right one.
expect 2 '^rocegen: bth.dest_qpp: unknown key in these layers \(nearest: bth.dest_qp\)$' "$san" cnp bth.dest_qpp=1
expect 2 'ioam.nodes\[0\].nodeid: unknown key .*\(nearest: ioam.nodes\[0\].node_id\)$' \
    "$san" ether ipv6 ioam udp bth icrc 'ioam.nodes[0].nodeid=1'
expect 2 '^rocegen: ipv5: unknown layer \(nearest: ipv[46]\)$' "$san" ether ipv5
expect 2 '^rocegen: bth.psn=16777216: expected a whole number from 0 to 16777215$' "$san" cnp bth.psn=16777216
expect 2 '^rocegen: ipv4.src=1.2.3: expected an IPv4 address' "$san" cnp ipv4.src=1.2.3
expect 2 '^rocegen: ipv6.src: unknown key' "$san" cnp ipv6.src=::1
expect 2 '^rocegen: ipv4\[1\].src: unknown key' "$san" cnp 'ipv4[1].src=1.2.3.4'
# A short hex number without 0x may be decimal, so it is refused.
reth='ether ipv4 udp bth reth icrc bth.opcode=0x0a'
for v in 4096 1000 10 00000000000010000 0x 0x1G 0x10000000000000000 ''; do
    expect 2 "^rocegen: reth.va=$v: expected 0x and up to 16 hex digits in lower case, or all 16 digits$" \
        "$san" $reth "reth.va=$v"
done
expect 2 '^rocegen: icrc.value=12: expected 0x and up to 8 hex digits in lower case, or all 8 digits$' \
    "$san" cnp icrc.value=12
for v in 0x1000 0000000000001000; do
    read_back $reth "reth.va=$v"
    holds '.reth.va == "0000000000001000"'
done
expect 2 'not 4096, at character 10' "$dump" -Y 'reth.va==4096' "$t/frame.pcap"
expect 0 '' "$dump" --csv frame -Y 'reth.va==0x1000 && reth.va==0000000000001000' "$t/frame.pcap"
shown '^1$'

read_back ether ipv6 ioam ioam.trace_type=d20800 udp bth icrc
holds '.ioam[0].trace_type == "d20800"'
expect 2 '^rocegen: ioam.trace_type=1000: expected 0x and up to 6 hex digits in lower case, or all 6 digits$' \
    "$san" ether ipv6 ioam ioam.trace_type=1000 udp bth icrc

# A key that prevents its layer is named, and otherwise the layer alone.
expect 1 '^rocegen: arn: values .* contradict each other; it can be written without type=9$' "$san" arn type=9
expect 1 '^rocegen: arn: values .*; it can be written without arn.type=9$' "$san" arn time=7 arn.type=9 src=10.0.0.1
expect 1 '^rocegen: dstopts: values .*; it can be written without fastcnp.kind=ioam$' \
    "$san" --config fastcnp.type_ioam=0 ether ipv6 dstopts fastcnp fastcnp.kind=ioam udp bth cnp icrc
expect 1 '^rocegen: arn: values of its keys are out of range or contradict each other$' \
    "$san" arn type=9 version=9
expect 2 '^rocegen: fastcnp: a header has room for only one Fast CNP$' \
    "$san" ether ipv6 fastcnp fastcnp udp bth cnp icrc
expect 0 '' "$san" ether ipv6 fastcnp udp bth cnp icrc

# The domain that options give is written beside the capture.
rm -f "$t"/*.domain
expect 0 '' "$san" --pcap "$t/usual.pcap" cnp
[ ! -e "$t/usual.pcap.domain" ] || fail 'a domain file was written without need'
expect 0 '' "$san" --config intmd.udp_port=5000 --pcap "$t/int.pcap" ether ipv4 udp intmd bth payload icrc
expect 0 '' "$dump" --print-domain --config intmd.udp_port=5000
cmp -s "$t/stdout" "$t/int.pcap.domain" || fail 'int.pcap.domain is another domain'
expect 0 '' "$dump" --json --domain "$t/int.pcap.domain" "$t/int.pcap"
holds '.intmd != null and .bth != null'
cp "$t/int.pcap.domain" "$t/given"
expect 0 '' "$san" --domain "$t/given" --pcap "$t/again.pcap" ether ipv4 udp intmd bth payload icrc
cmp -s "$t/given" "$t/again.pcap.domain" || fail 'again.pcap.domain is another domain'
expect 0 '' "$san" --config ah=1 --hex cnp
expect 0 '' "$san" --config ah=1 --pcap /dev/null cnp
[ ! -e /dev/null.domain ] || fail 'a domain file was written beside a device'
if [ -c /dev/full ]; then
    ln -s /dev/full "$t/full.pcap.domain"
    expect 1 'full.pcap.domain cannot be written: No space left' "$san" --config ah=1 --pcap "$t/full.pcap" cnp
fi

expect 2 'no layer is named' "$san"
expect 2 'no layer is named' "$san" bth.psn=1
expect 2 'exclude each other' "$san" --pcap "$t/x.pcap" --send lo cnp
for i in x '' -1 +1 ' 1' 0x1 1x 18446744073709551616; do
    expect 2 '^rocegen: --count .*: expected a whole number' "$san" --count "$i" cnp
    expect 2 '^rocegen: --gap-ns .*: expected a whole number' "$san" --gap-ns "$i" cnp
done
expect 2 '^rocegen: --config l3qcn.port=x: expected a whole number from 0 to 65535$' \
    "$san" --config l3qcn.port=x cnp
expect 2 '^rocegen: --config bth.psn=1: unknown setting; rocedump --help' "$san" \
    --config bth.psn=1 cnp
expect 2 '^rocegen: --config l3qcn.port: expected GROUP.MEMBER=VALUE$' "$san" \
    --config l3qcn.port cnp
expect 2 'l3qcn.port and overlay.vxlan_port are the same UDP port' "$san" --config l3qcn.port=4789 cnp
# A domain file replaces the defaults. --domain and --config apply in the order given.
printf 'l3qcn.port=51000\nfastcnp.type_plain=0x9d\n' > "$t/domain"
expect 0 '' "$san" --domain "$t/domain" l3qcn
grep -q c738 "$t/stdout" || fail 'a domain file does not set the port of private CNMs'
expect 0 '' "$san" --domain "$t/domain" --config l3qcn.port=51001 l3qcn
grep -q c739 "$t/stdout" || fail '--config after --domain is not in force'
expect 0 '' "$san" --config l3qcn.port=51001 --domain "$t/domain" l3qcn
grep -q c738 "$t/stdout" || fail '--domain after --config is not in force'
echo 'arn.port=51000' >> "$t/domain"
expect 1 "^rocegen: $t/domain: l3qcn.port and arn.port are the same UDP port" \
    "$san" --domain "$t/domain" cnp
expect 1 "^rocegen: $t/none: No such file" "$san" --domain "$t/none" cnp
expect 2 'unrecognized' "$san" --no-such-option
grep -q '^rocegen: $' "$t/stderr" && fail 'an unknown option has an empty message'
expect 1 '^rocegen: icrc: the ICRC .*cannot be computed; set it with icrc.value=$' "$san" ether ipv4 icrc
expect 0 '' "$san" ether ipv4 icrc icrc.value=1
# A partial packet has no ICRC, and none is defined over AH after IPv4.
for i in 'ipv6 fragment udp bth icrc fragment.m=1' 'ipv4 udp bth icrc mf=1' 'ipv4 ah udp bth icrc'; do
    expect 1 '^rocegen: icrc: the ICRC .*cannot be computed; set it with icrc.value=$' "$san" ether $i
done
expect 1 '^rocegen: ifa: .*needs --config ifa.tail=' "$san" ether ipv4 ifa udp bth icrc ifa.flags=12
expect 1 '^rocegen: payload: too long' "$san" ether ipv4 udp payload payload payload.length=65000 \
    'payload[1].length=65000'
expect 1 'x.pcap: only a part of a frame' "$san" --pcap "$t/x.pcap" bth
expect 1 'x.pcap: Ethernet and IP frames cannot share' sh -c "printf '%s\n' 'source: x' 'a cnp ok - | ' \
    'b pfc ok - | ' > '$t/two.vec' && '$san' --pcap '$t/x.pcap' '$t/two.vec'"
expect 1 "^rocegen: $t/none.vec: No such file" "$san" "$t/none.vec"
mkdir -p "$t/folder.vec"
expect 1 "^rocegen: $t/folder.vec: Is a directory\$" "$san" "$t/folder.vec"
expect 1 '^rocegen: vectors/packet.vec: no row has bytes' "$san" vectors/packet.vec
expect 1 '^rocegen: a: bht: unknown noun' sh -c "echo 'source: x
a bht ok - | opcode=1' | '$san' -"
expect 1 '^rocegen: a: opcod: unknown key \(nearest: opcode\)$' sh -c "echo 'source: x
a bth ok - | opcod=1' | '$san' -"
# List elements are counted from 0, and other nouns have only the first.
row() { printf 'source: x\na %s ok - | %s\n' "$1" "$2" | "$san" -; }
expect 0 '' row ip6opt 'ip6opt[1].type=6 ip6opt[0].body=0708 ip6opt[0].type=5'
[ "$(cat "$t/stdout")" = 050207080600 ] || fail 'the options of a row have unexpected bytes'
expect 0 '' row ip6opt ''
[ "$(cat "$t/stdout")" = - ] || fail 'no option has bytes'
for i in 'ip6opt[1]' 'ip6opt[0].type=5 ip6opt[2]' 'ip6opt[18446744073709551616]' 'ip6opt[-1]'; do
    expect 1 "^rocegen: a: ip6opt.*${i##*[}.type: the element before it is missing\$" row ip6opt "$i.type=5"
done
expect 1 '^rocegen: a: bth\[1\].opcode: the element before it is missing$' row bth 'bth[0].opcode=4 bth[1].opcode=4'
expect 0 '' "$san" bth $(printf 'psn=%s ' $(seq 512))
expect 2 '^rocegen: psn=513: more than 512 keys' "$san" bth $(printf 'psn=%s ' $(seq 513))
for i in cnp '--count 99999 cnp' '--pcap - cnp' '--pcap - --count 99999 cnp' --help; do
    expect 1 '^rocegen: standard output:? cannot be written: No space left on device$' \
        sh -c "'$san' $i > /dev/full"
    [ "$(wc -l < "$t/stderr")" = 1 ] || fail "$i: more than one line about a full disk"
done
expect 1 "^rocegen: --pcap: $t/no/such: No such file" "$san" --pcap "$t/no/such" cnp
# What breaks the grammar of rows: the tool, the file, the line, and what is expected.
vec() { # vec REGEX LINES
    printf '%b' "$2" > "$t/broken.vec"
    expect 1 "^rocegen: $t/broken.vec: line $1\$" "$san" "$t/broken.vec"
    [ "$(wc -l < "$t/stderr")" = 1 ] || fail "$2: more than one line of reasons"
}
vec '2: the row has no .*KEY=VALUE' 'source: x\na bth ok -\n'
vec '2: expected KEY=VALUE, not opcode' 'source: x\na bth ok - | opcode\n'
vec '2: this key occurs twice: psn' 'source: x\na bth ok - | psn=1 psn=2\n'
vec '2: expected the status ok, .*, not fine' 'source: x\na bth fine - |\n'
vec '2: the row has no bytes: write - for none' 'source: x\na bth ok |\n'
vec '2: the bytes are not pairs of hex digits' 'source: x\na bth ok 0 |\n'
vec '2: only a call row has ->' 'source: x\na bth ok - | ->\n'
vec '2: a call row needs -> and its results' 'source: x\na call f ok - |\n'
vec '1: the row has no source.*' 'a bth ok - |\n'
vec '1: the line begins with a blank, but no row precedes it' ' psn=1\n'
vec '2: the line has a character that is not printable ASCII' 'source: x\na\033[31m bth ok - |\n'
vec "1: the line is longer than 4093 characters" "$(printf 'x%05000d' 0)"
expect 0 '' "$san" --help
shown '^usage: rocegen'
expect 0 '' "$san" --version
shown '^rocegen [0-9]'
expect 0 '' "$san" --layers
shown '^bth: opcode .* psn$'

# Frames on a wire, in network namespaces of this test.
if [ "$(id -u)" = 0 ] && ip -V > /dev/null 2>&1; then
    a=gen-a-$$ b=gen-b-$$
    trap 'ip netns del $a; ip netns del $b' EXIT
    ip netns add $a && ip netns add $b
    ip link add w netns $a type veth peer name w netns $b
    ip -n $a link set w up && ip -n $b link set w up
    "$python" -B tests/tools/rocegen_wire.py $b "$t/wire.hex" 3 &
    listener=$!
    while [ ! -e "$t/wire.hex" ]; do sleep 0.1; done
    expect 0 '' ip netns exec $a "$san" --send w --count 3 --gap-ns 1000 cnp dest_qp=0x17
    wait $listener || fail '--send: too few frames on the wire'
    start=$(date +%s%N)
    expect 0 '' ip netns exec $a "$san" --send w --count 3 --gap-ns 250000000 cnp
    [ $(($(date +%s%N) - start)) -ge 500000000 ] || fail '--send --gap-ns: no gaps'
    expect 0 '' "$san" --count 3 cnp dest_qp=0x17
    cmp -s "$t/stdout" "$t/wire.hex" || fail '--send: other frames on the wire'
    expect 1 '^rocegen: nowhere: unknown interface' ip netns exec $a "$san" --send nowhere cnp
    if command -v setpriv > /dev/null; then
        expect 1 '^rocegen: w: no permission to send packets: .*CAP_NET_RAW$' ip netns exec $a \
            setpriv --bounding-set -all --inh-caps -all "$gen" --send w cnp
    fi
    expect 1 '^rocegen: w: the frame begins with IP' ip netns exec $a "$san" --send w ipv4 udp bth icrc
else
    skip '--send: not root, or no ip here'
fi
[ $bad = 0 ] && echo "$gate: as expected in $n runs"
exit $bad
