#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# same.sh CCLAB CCLAB...: builds give the same files for every scheme, over star, clos, dumbbell and
# wan, except for gnuplot's picture.
set -eu
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT
first=
for lab in "$@"; do
    for o in 'star --flows 16' 'clos --flows 16' 'dumbbell --flows 4 --load churn' \
        'wan --flows 2 --rtt 100us' \
        'star --flows 8 --fault lose=20,corrupt=100' \
        'star --flows 8 --fault lose=20,corrupt=100,liar' \
        'star --flows 8 --fault lose=20,corrupt=100,storm,open' \
        'clos --flows 8 --fault pause=20us,clockstep,speed,nic,reroute,nak' \
        'clos --flows 8 --fault blind,nak' \
        'clos --flows 8 --fault spray,standclock,nak=100' \
        'star --flows 8 --fault tick=1us,unit' \
        'star --flows 8 --fault sleep=50us,from=50us'; do
        $lab --scheme all --duration 300us --seed 7 --topology $o \
            --out "$t/this" > "$t/table" 2> "$t/refused"
        cat "$t"/this/*.csv "$t/this/plot.gp" "$t/refused" >> "$t/all"
        rm -r "$t/this"
    done
    sum=$(cksum < "$t/all")
    : "${first:=$sum}"
    [ "$sum" = "$first" ] || { echo "same: $lab and $1 give different runs"; exit 1; }
    rm "$t/all"
done
echo "same: $# builds of cclab give the same runs"
