#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# sweep.sh CCLAB DIR: varies K_max in the wide area of make.sh, and writes a row to
# DIR/sweep.csv for each K_max and scheme. From a queue of K_max on, a switch marks every
# packet. 200K is the value of DCQCN's paper, for a round trip 1000 times shorter.
set -eu
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT
echo 'k_max_bytes,scheme,goodput_bps,utilisation_ppm,queue_mean_bytes,queue_most_bytes,drops' \
    > "$t/sweep.csv"
for k in 200K 1M 4M 10M 20M 40M; do
    "$1" --scheme dcqcn,fastcnp --topology wan --flows 2 --rate 10G --rtt 40ms \
        --buffer 64M --duration 400ms --set k_max_bytes=$k --out "$t/run" > "$t/table"
    awk -F, -v k=$k 'NR > 1 { print k "," $1 "," $2 "," $3 "," $4 "," $6 "," $9 }' \
        "$t/run/summary.csv" >> "$t/sweep.csv"
done
cp "$t/sweep.csv" "$2/sweep.csv"
cat "$2/sweep.csv"
