# SPDX-License-Identifier: BSD-2-Clause
# tshark.sh OUT checks the port's frames with Wireshark's dissectors.
set -eu
out=$1

# fields FILE prints, for each frame, checksums of IPv4 and UDP (1 is good, 2 unverified or
# none), malformed parts, the opcode, and the source.
fields() {
    tshark -r "$1" -o ip.check_checksum:TRUE -o udp.check_checksum:TRUE \
        -d udp.port==5000,data -T fields -E separator=, -e ip.version -e ip.checksum.status \
        -e udp.checksum.status -e _ws.malformed -e infiniband.bth.opcode -e ipv6.src \
        2> "$out/tshark.err"
}

# is TEXT CONDITION FILE fails unless every line meets the condition, and there is one.
is() {
    awk -F, "BEGIN { bad = 0 } !($2) { bad++ } END { exit bad > 0 || NR == 0 }" "$3" && return
    echo "hosts-switch: tshark: not all $1"
    exit 1
}
for name in wred.out wred.told sums.out; do
    fields "$out/$name.pcap" > "$out/$name.tsv"
    is "have a good IPv4 checksum: $name" '$1 != 4 || $2 == 1' "$out/$name.tsv"
done
# Not for sums.out: tshark takes the payload for RPC, and misses the rest.
is 'are well-formed' '$4 == ""' "$out/wred.out.tsv"
is 'Fast CNPs are well-formed' '$4 == ""' "$out/wred.told.tsv"
is 'are CNPs from the switch' '$5 == 129 && $6 == "2001:db8::5"' "$out/wred.told.tsv"
is 'have a good UDP checksum' '$3 == 1' "$out/sums.out.tsv"
echo "hosts-switch: tshark: checksums good, $(wc -l < "$out/wred.told.tsv") CNPs from the switch"
