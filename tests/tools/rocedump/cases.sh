#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# cases.sh OUT PYTHON: what rocedump says in situations of public bug reports, and where
# it knows only a part of a packet.
set -eu
out=$1 python=$2
dump=$out/rocedump san=$out/rocedump-san
t=$out/cases
gate=cases
. tests/lib/expect.sh
"$python" -B tests/tools/rocedump/cases.py "$t"

# Opcodes of manufacturers (0xc0 to 0xff), a reserved one, and one of RD. Nobody knows
# what follows the BTH, but the ICRC covers it. Each has its number.
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

# AckReq in UD and UC: shown, and said to be odd.
odd='^          odd: '
expect 0 '' "$san" --json "$t/ackreq.pcap"
holds '.status == "ok" and .icrc.ok and .bth.ack_req and .bth.odd == 4'
expect 0 '' "$san" "$t/ackreq.pcap"
[ "$(grep -c "$odd"'AckReq is set, and nobody acknowledges this packet$' "$t/stdout")" = 2 ] ||
    fail 'ackreq: not odd twice'
expect 0 '' "$san" --json "$t/asks.pcap"
holds '.status == "ok" and .icrc.ok'
# Neither, Solicited Event, AckReq of each opcode; last the CNP.
[ "$(jq .bth.odd "$t/stdout" | xargs)" = '0 0 0 0 1 0 0 1 0 0 0 0 0 1 4 0 0 4 4' ] ||
    fail 'asks: other bits are odd'
of 19 '.cnp.odd == 4'
expect 0 '' "$san" "$t/asks.pcap"
[ "$(grep -c "$odd"'Solicited Event is set, and no event can follow$' "$t/stdout")" = 3 ] ||
    fail 'asks: not 3 odd events'
[ "$(grep -c "$odd"'AckReq is set' "$t/stdout")" = 3 ] || fail 'asks: not 3 odd AckReqs'
expect 0 '' "$san" --json -Y 'bth.odd==4' "$t/asks.pcap"
[ "$(jq .frame "$t/stdout" | xargs)" = '15 18 19' ] || fail '-Y bth.odd: other frames'

[ $bad = 0 ] && echo "cases: rocedump does as expected in $n runs"
exit $bad
