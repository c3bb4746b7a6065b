#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# bench.sh OUT: instructions per call of rocecc_packet_of() beside the same checks
# written by hand. For a frame with a BTH, more than 1.2 times as many is a failure.
# Then what a table of a million flows costs: times, which fail nothing.
set -eu
out=$1
for tool in valgrind gcc clang; do
    command -v $tool > /dev/null && continue
    echo "bench: no $tool here: skipped"
    [ -z "${CI:-}" ] && exit 0 || exit 1
done
mkdir -p "$out/bench"
count() { # FUNCTION ROW: instructions per call
    valgrind --tool=callgrind --toggle-collect="$1" --callgrind-out-file=/dev/null \
        "$out/bench/packet" "$2" > "$out/bench/log" 2>&1 || { cat "$out/bench/log" >&2; exit 1; }
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$out/bench/log" | awk '{print $1 / 100}'
}
bad=0
printf '%-22s %-14s %8s %8s\n' 'instructions per call' '' rocecc 'by hand'
for cc in gcc clang; do
    $cc -std=gnu99 -O2 -Iinclude -Itests tests/bench/packet.c examples/lib/vec.c \
        -o "$out/bench/packet"
    for row in cnp4 stag-ctag cnp6 fc-trail srh-1 tunnel-srh v1-write csig cntag ifa \
        intmd intmd-udp arp; do
        a=$(count by_rocecc $row)
        b=$(count by_hand $row)
        printf '%-22s %-14s %8s %8s\n' "$cc -O2" $row "$a" "$b"
        [ $row = arp ] || awk "BEGIN {exit !($a <= 1.2 * $b)}" || bad=1
    done
done
[ $bad = 0 ] || { echo 'bench: packet_of is more than 1.2 times as long'; exit 1; }
gcc -std=gnu99 -O2 -Wall -Wextra -Werror -Iinclude -Itests tests/bench/flowtable.c \
    -o "$out/bench/flowtable"
"$out/bench/flowtable" -
