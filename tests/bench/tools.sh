#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tools.sh OUT: rocedump beside the programs that read a capture, in rows as bench.tsv has
# them: nanoseconds a frame of the whole process, output and all, less what it takes to
# start it on some frames. Both sides run one after the other, and of three such ratios
# the middle one counts. Small frames are those of RoCE that vectors/pcap/frame.pcap
# begins with; of 1 KB are a write's, as scapy makes them. capinfos computes no hashes.
set -eu
out=$1/bench
python=${PYTHON:-/usr/bin/python3}
make -s OUT="$1" "$1/rocedump" >&2
dump=$1/rocedump
editcap -F pcap -r vectors/pcap/frame.pcap "$out/small.pcap" 1-15
"$python" - "$out/big.pcap" << 'END'
import sys
from scapy.contrib.roce import BTH
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from scapy.utils import wrpcap
frames = [Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") /
          IP(src="10.0.0.1", dst="10.0.0.2", tos=2) / UDP(sport=49152, dport=4791) /
          BTH(opcode=7, dqpn=0x1234, psn=k) / Raw(bytes(range(256)) * 4) for k in range(15)]
for k, frame in enumerate(frames):
    frame.time = k
wrpcap(sys.argv[1], frames)
END

# 15 frames, doubled: OUT/NAME-DOUBLED.pcap
for name in small big; do
    cp "$out/$name.pcap" "$out/$name-0.pcap"
    for k in 1 2 3 4 5 6 7 8 9 10 11 12; do
        mergecap -a -F pcap -w "$out/$name-$k.pcap" "$out/$name-$((k - 1)).pcap" \
            "$out/$name-$((k - 1)).pcap"
    done
done

scapy() {
    "$python" -c 'import sys
from scapy.contrib.roce import BTH
from scapy.layers.all import Ether
from scapy.utils import PcapReader
print(sum(BTH in frame and frame[BTH].opcode == 0x81 for frame in PcapReader(sys.argv[1])))' "$1"
}

ns() { # COMMAND...: that it takes
    from=$(date +%s%N)
    "$@" > /dev/null 2> "$out/log" || { cat "$out/log" >&2; exit 1; }
    echo $(($(date +%s%N) - from))
}

least() { # COMMAND...: the least that it takes, of three times
    for k in 1 2 3; do ns "$@"; done | sort -n | head -1
}

# OPERATION PEER GOAL OURS DOUBLED THEIRS DOUBLED: a row for small frames, one for 1 KB
beside() {
    for name in small big; do
        [ $name = small ] && of='small frames' || of='frames of 1 KB'
        start="$(least $4 "$out/$name-0.pcap") $(least $6 "$out/$name-0.pcap")"
        for k in 1 2 3; do
            echo "$(ns $4 "$out/$name-$5.pcap") $(ns $6 "$out/$name-$7.pcap") $start"
        done | awk -v n=$((15 * ((1 << $5) - 1))) -v m=$((15 * ((1 << $7) - 1))) '
            {ours = ($1 - $3) / n; theirs = ($2 - $4) / m; print ours / theirs, ours, theirs}' |
            sort -g | awk -v row="$1, $of" -v peer="$2" -v goal="$3" 'NR == 2 {
                printf "%s\t%.1f\t%s\t%.1f\tns\t%.4f\t%s\n", row, $2, peer, $3, $1, goal}'
    done
}

summary="$dump --summary"
beside 'rocedump --summary' 'capinfos -cdu' 1 "$summary" 12 'capinfos -cdu' 12
beside 'rocedump --summary, beside tshark' 'tshark -r' 0.01 "$summary" 12 'tshark -r' 12
beside 'rocedump --summary, beside scapy' scapy 0.01 "$summary" 12 scapy 6
beside 'rocedump --json' 'tshark -T json' 0.05 "$dump --json" 10 'tshark -T json -r' 8
