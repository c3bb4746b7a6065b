#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# cases.sh OUT PYTHON: tests rocedump in situations of public bug reports, and with packets
# that it knows only in part.
set -eu
out=$1 python=$2
dump=$out/rocedump san=$out/rocedump-san
t=$out/cases
gate=cases
. tests/lib/expect.sh
"$python" -B tests/tools/rocedump/cases.py "$t"

# Opcodes of manufacturers (0xc0 to 0xff), a reserved one, and one of RD. The bytes after
# the BTH are unknown, but the ICRC covers them. Each opcode has its number.
expect 0 '' "$san" --json "$t/opcodes.pcap"
holds '.status == "unsupported" and .at == "ext" and
    .stack == ["ether", "ipv4", "udp", "bth", "icrc"] and .icrc.ok == (.frame != 6)'
[ "$(jq -r '"\(.bth.opcode) \(.bth.operation)"' "$t/stdout" | xargs)" = \
    '192 manufacturer 209 manufacturer 255 manufacturer 24 reserved 68 send 192 manufacturer' ] ||
    fail 'opcodes: other names'
expect 0 '' "$san" "$t/opcodes.pcap"
for words in 'opcode 0xc0: manufacturer' 'opcode 0xd1: manufacturer' \
    'opcode 0xff: manufacturer' 'opcode 0x18: reserved' \
    'opcode 0x44: RD SEND Only, or DC'; do
    shown "^          $words\$"
done
shown '^           2  opcode 0xc0 manufacturer$'
shown '^           1  opcode 0xd1 manufacturer$'
shown '^           5  ICRC ok$'
shown '^           1  ICRC wrong$'
shown '^           0  ICRC not checked$'
expect 0 '' "$san" --summary "$t/opcodes.pcap"
shown '^           5  ICRC ok$'
expect 0 '' "$san" --json --no-icrc "$t/opcodes.pcap"
holds '.at == "ext" and .stack[-1] == "bth"'
expect 0 '' "$san" --json -Y 'bth.operation==manufacturer && icrc.ok==false' \
    "$t/opcodes.pcap"
[ "$(jq .frame "$t/stdout")" = 6 ] || fail '-Y: other frames'

# AckReq in UD and UC is shown, and reported as odd.
odd='^          odd: '
expect 0 '' "$san" --json "$t/ackreq.pcap"
holds '.status == "ok" and .icrc.ok and .bth.ack_req and .bth.odd == 4'
expect 0 '' "$san" "$t/ackreq.pcap"
[ "$(grep -c "$odd"'AckReq is set, but this packet is never acknowledged$' "$t/stdout")" = 2 ] ||
    fail 'ackreq: not odd twice'
expect 0 '' "$san" --json "$t/asks.pcap"
holds '.status == "ok" and .icrc.ok'
# Neither bit, Solicited Event and AckReq of each opcode, and then the CNP.
[ "$(jq .bth.odd "$t/stdout" | xargs)" = '0 0 0 0 1 0 0 1 0 0 0 0 0 1 4 0 0 4 4' ] ||
    fail 'asks: other bits are odd'
of 19 '.cnp.odd == 4'
expect 0 '' "$san" "$t/asks.pcap"
[ "$(grep -c "$odd"'Solicited Event is set, but this packet cannot cause an event$' "$t/stdout")" = 3 ] ||
    fail 'asks: not 3 odd events'
[ "$(grep -c "$odd"'AckReq is set' "$t/stdout")" = 3 ] || fail 'asks: not 3 odd AckReqs'
expect 0 '' "$san" --json -Y 'bth.odd==4' "$t/asks.pcap"
[ "$(jq .frame "$t/stdout" | xargs)" = '15 18 19' ] || fail '-Y bth.odd: other frames'

# IOAM options that are not traces. A wrong one does not hide the BTH.
expect 0 '' "$san" --json "$t/ioam.pcap"
holds '.bth.dest_qp == 23 and (.stack | contains(["udp", "bth", "reth", "payload", "icrc"]))'
of 1 '.status == "ok" and .stack[2:4] == ["hopopts", "ioam_dex"] and .icrc.ok and
    .ioam_dex == [{namespace_id: 1, flags: 0, extension_flags: 192, trace_type: 12582912,
    reserved: 0, flow_id: 43981, sequence_number: 1, others: ""}]'
of 2 '.status == "format" and .at == "ioam_e2e" and .stack[2:4] == ["hopopts", "udp"] and
    .icrc.ok'
of 3 '.status == "ok" and .ioam[0].opt_type == 1 and .ioam[0].nodes == [{hop_limit: 64,
    node_id: 1, ingress_id: 1, egress_id: 2}] and .icrc.ok'
of 4 '.status == "ok" and .ioam_e2e == [{namespace_id: 1, e2e_type: 32768,
    sequence_number: "0000000100000007", timestamp_sec: 0, timestamp_frac: 0, others: ""}]'
of 5 '.status == "ok" and .ioam_pot == [{namespace_id: 123, pot_type: 0, flags: 0,
    pkt_id: "0123456789abcdef", cumulative: "0000000000000005", others: ""},
    {namespace_id: 1, pot_type: 9, flags: 0, pkt_id: "0000000000000000",
    cumulative: "0000000000000000", others: ""}]'
of 6 '.status == "ok" and .stack[2:4] == ["dstopts", "ioam_dex"] and
    .ioam_dex[0].trace_type == 8388609'
of 7 '.status == "unsupported" and .at == "ioam_e2e" and (.ioam_e2e | length) == 8'
of 8 '.status == "ok" and .stack[2:4] == ["hopopts", "udp"]'
expect 0 '' "$san" "$t/ioam.pcap"
shown '^  ioam_dex namespace_id=1 extension_flags=192 .*flow_id=0x0*abcd sequence_number=1$'
shown '^  fails at ioam_e2e: format, '
shown '^           1  format at ioam_e2e$'
expect 0 '' "$san" --summary "$t/ioam.pcap"
shown '^           1  format at ioam_e2e$'

# The protocol after the last layer has its number and its name.
off='--config tag.etag_type=0 --config tag.vntag_type=0 --config tag.arista_type=0'
next() { # next FILE LINE...: compares JSON, a line per frame, without tags
    expect 0 '' "$san" --json $off "$t/$1"
    shift
    jq -r '.next | if . then "\(.by) \(.number) \(.name)" else "-" end' "$t/stdout" > "$t/next"
    printf '%s\n' "$@" | diff - "$t/next" > "$t/diff" ||
        fail "next: $(grep '^[<>]' "$t/diff" | xargs)"
}
next types.pcap 'type 35045 macsec' 'type 35110 vn_tag' 'type 35135 e_tag' \
    'type 53899 arista' 'type 2054 arp' 'type 35020 lldp' 'type 35063 ptp' \
    'type 34824 mac_control' 'type 4660 null' 'type 60 llc' 'type 35045 macsec' \
    'type 4660 null'
holds '.status == "ok"'
next protocols.pcap - 'protocol 89 ospf' 'protocol 50 esp' \
    'protocol 132 sctp' 'protocol 200 null'
next protocols6.pcap 'protocol 50 esp' 'protocol 89 ospf' 'protocol 59 none' \
    'protocol 200 null'
next ports.pcap 'port 4755 gre_in_udp_dtls' 'port 53 dns' 'port 123 ntp' 'port 9998 null'
next ackreq.pcap - -
expect 0 '' "$san" "$t/types.pcap" "$t/protocols.pcap" "$t/ports.pcap"
shown '^  then    EtherType 0x88e5, macsec: not decoded$'
shown '^  then    EtherType 0x1234: not decoded$'
shown '^  then    IP protocol 89, ospf: not decoded$'
shown '^  then    UDP port 4755, gre_in_udp_dtls: not decoded$'
# Decoded packets have no `next`.
expect 0 '' "$san" --json vectors/pcap/notify.pcap
holds 'has("next") | not'

# Captures of a switch's CPU port, and of Linux's packet filter.
expect 0 '' "$san" --json "$t/brcm.pcap"
holds '.dsa == {dst: "02:00:00:00:00:02", src: "02:00:00:00:00:01", tag: "20000001",
    type: 2048}'
for l in brcm:dsa prepend:dsa_prepended:ether dsa:dsa edsa:dsa nflog:nflog \
    nflog-big:nflog; do
    f=${l%%:*} layers=$(echo "${l#*:}" | sed 's/:/","/; s/.*/"&"/')
    expect 0 '' "$san" --json "$t/$f.pcap"
    holds ".status == \"ok\" and .icrc.ok and .bth.dest_qp == 280 and
        .stack == [$layers] + [\"ipv4\", \"udp\", \"bth\", \"cnp\", \"icrc\"]"
    expect 0 '' "$san" --json "$t/$f-cut.pcap"
    layer=${l#*:} layer=${layer%%:*}
    holds ".status == \"short\" and .at == \"$layer\" and .stack == []"
    # tshark 4.0 and libpcap's filters do not read the tags.
    if [ "$f" = nflog ] && peer tshark; then
        [ "$(tshark -r "$t/$f.pcap" -Y infiniband.bth -T fields -e ip.src \
            2> /dev/null | xargs)" = '10.0.17.1 10.0.17.1' ] ||
            fail 'nflog: tshark sees other packets'
    fi
done
expect 0 '' "$san" --json "$t/edsa.pcap"
holds '.dsa.tag == "dada000040000000" and .dsa.type == 2048'
expect 0 '' "$san" --json "$t/nflog.pcap"
holds '.nflog == {family: 2, version: 0, resource_id: 7,
    tlvs: "08000100000000000a000a000000000000000000"}'
expect 0 '' "$san" --json "$t/dsa-vlan.pcap"
holds '.stack[:3] == ["dsa", "vlan", "ipv4"] and .vlan[0].vid == 7 and .icrc.ok'
expect 0 '' "$san" --json "$t/nflog-bad.pcap"
[ "$(jq -r '"\(.status) \(.at)"' "$t/stdout" | xargs)" = \
    'unsupported link unsupported link short nflog format nflog' ] ||
    fail 'nflog-bad: other statuses'

# If the IP length is 0, rocedump uses the frame's length, and reports that.
expect 0 '' "$san" --json "$t/offload.pcap"
of 1 '.status == "ok" and .frame_length and .ipv4[0].total_length == 0 and .icrc.ok and
    .stack == ["ether", "ipv4", "udp", "bth", "cnp", "icrc"]'
of 2 '.status == "ok" and .frame_length and .ipv6[0].payload_length == 0 and
    .bth.dest_qp == 23 and .stack[:4] == ["ether", "ipv6", "udp", "bth"]'
of 3 '.status == "ok" and .frame_length and .vlan[0].vid == 7 and .icrc.ok'
of 4 '.status == "ok" and .stack[-1] == "partial" and .frame_length'
of 5 '.status == "unsupported" and .at == "ipv6" and (has("frame_length") | not)'
of 6 '.status == "ok" and .next.name == "none" and (has("frame_length") | not)'
of 7 '.status == "short" and .at == "ipv4"'
expect 0 '' "$san" "$t/offload.pcap"
[ "$(grep -c "^          the length field is 0: the frame's length is used\$" "$t/stdout")" = 4 ] ||
    fail 'offload: not 4 times the length of the frame'
expect 0 '' "$san" --json --judge border "$t/offload.pcap"
of 1 '.status == "format" and .at == "ipv4" and (has("frame_length") | not)'

# Pad without a payload, and ATOMIC WRITEs of other than 8 bytes (IBTA oA19-28).
json() { # json NAME OPTION...
    case=$1
    shift
    expect 0 '' "$san" --json "$@" "$t/$case.pcap"
}
json pad
holds '.status == "format" and .at == "ext" and .bth.pad > 0 and .icrc == null'
[ "$(jq .frame "$t/stdout" | wc -l)" = 12 ] || fail 'pad: not 12 frames'
json flush
of 1 '.status == "ok" and .icrc.ok and .stack[3:6] == ["bth", "feth", "reth"]'
of 2 '.status == "ok" and .icrc.ok and .stack[3:6] == ["bth", "reth", "payload"]'
for i in 3 4 5; do
    of $i '.status == "format" and .at == "ext" and .bth.opcode == 29'
done

# Overlays on dissectors' ports, and on the file's own.
for of in vxlan8472:vxlan gre4754:gre; do
    json "${of%:*}"
    holds ".status == \"ok\" and .stack == [\"ether\", \"ipv4\", \"udp\", \"${of#*:}\"] and
        .inner.bth.dest_qp == 23 and .inner.stack[-2] == \"cnp\" and .inner.icrc.ok"
done
json mpls6635
holds '.inner.stack[:2] == ["mpls", "ipv4"] and .inner.bth.dest_qp == 23 and .inner.icrc.ok'
printf 'overlay.own_ports=1\noverlay.vxlan_port=4789\n' > "$t/ports"
json vxlan8472 --domain "$t/ports"
of 1 '(has("inner") | not) and .next == {by: "port", number: 8472, name: "vxlan_linux"}'
of 2 '.inner.bth.dest_qp == 23'

# CNPs of two classes are in one row.
expect 0 '' "$san" --flows "$t/cnpce.pcap"
shown '^192.0.2.1 *192.0.2.2 *0x000017 *CNP *3 .* 5,48$'

# If telemetry contradicts itself, the length of its shim leads to the BTH.
json hopml --config intmd.udp_port=5000
of 1 '.status == "ok" and [.intmd.nodes[].queue_occupancy] == [10, 20] and .bth.dest_qp == 23'
for i in 2 3 4 5; do
    of $i '.status == "format" and .at == "intmd" and .bth.dest_qp == 23 and
        (.stack | contains(["cnp"]))'
done

# Bytes after the packet are ignored.
json fcs
holds '.status == "ok" and .icrc.ok and .stack[-2:] == ["aeth", "icrc"] and .bth.psn == 4'
json resv6
holds '.status == "ok" and .icrc.ok and .bth.resv6 == 63'

# A first fragment has a BTH but no ICRC, and a later fragment has neither.
json fragments
of 1 '.status == "ok" and .bth.dest_qp == 23 and .bth.psn == 1 and .icrc == null and
    .partial == {why: "fragment", missing: 64}'
of 2 '.status == "unsupported" and .partial.why == "fragment" and .bth == null'

# A dissector follows AH in both families, but a domain without AH does not.
printf 'rocev2_port=4791\n' > "$t/no-ah"
for f in ah4:ipv4 ah6:ipv6; do
    json "${f%:*}"
    holds ".status == \"ok\" and .stack[1:5] == [\"${f#*:}\", \"ah\", \"udp\", \"bth\"] and
        .bth.dest_qp == 23 and .bth.psn == 1"
    json "${f%:*}" --domain "$t/no-ah"
    holds '.status == "unsupported" and .bth == null'
done

[ $bad = 0 ] && echo "cases: rocedump does as expected in $n runs"
exit $bad
