#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# bench.sh OUT [NOUN...]: the programs of tests/bench/, as bench.h says, and their rows
# in OUT/bench.tsv: operation, ours, the peer's name, the peer's, unit, ratio, goal. The
# noun dump is rocedump itself, by dump.py.
#
# A row fails that misses its goal: instructions as they are, nanoseconds with a quarter
# of slack, and without a peer never, since they are this machine's; the least of three
# runs counts. What is known to miss its goal is in tests/bench/missed with the ratio that
# is held instead and the reason, and fails when it gets worse than that; a row in
# instructions that reaches its goal has to leave the list.
set -eu
out=$1/bench
tsv=$1/bench.tsv
shift
skip() {
    echo "bench: $1: skipped"
    [ -z "${CI:-}" ] && exit 0 || exit 1
}
for tool in valgrind gcc clang-19 pkg-config; do
    command -v $tool > /dev/null || skip "no $tool here"
done
[ $# -gt 0 ] && all= || all=1
[ -z "$all" ] || set -- dump $(grep -l '^#include "bench.h"' tests/bench/*.c | sed 's|.*/||; s|\.c$||')
rm -rf "$out"
mkdir -p "$out"
: > "$out/rows"
tab=$(printf '\t')
for noun in "$@"; do
    if [ "$noun" = dump ]; then
        for tool in python3 tshark capinfos; do
            command -v $tool > /dev/null || skip "no $tool here"
        done
        python3 -B tests/bench/dump.py "${out%/*}/rocedump" "$out" >> "$out/rows"
        continue
    fi
    c=tests/bench/$noun.c
    head=$(sed -n '1,/\*\//p' "$c")
    said() { printf "%s\n" "$head" | sed -n "s/^.*bench: $1: \([^*]*[^* ]\).*/\1/p"; }
    libs=$(said libs)
    for p in $(said pkg); do
        pkg-config --exists "$p" || skip "no $p here"
        libs="$libs $(pkg-config --cflags --libs "$p")"
    done
    arguments=$(said arguments)
    with=$(said with)
    [ -n "$with" ] || with="gcc -O2
clang-19 -O2"
    printf '%s\n' "$with" > "$out/with"
    while read -r cc; do
        program=$out/$noun
        $cc -std=gnu99 -Wall -Wextra -Iinclude -Itests -Itests/bench "$c" examples/lib/vec.c \
            -o "$program" $libs
        "$program" $arguments rows > "$out/counted"
        if [ -s "$out/counted" ]; then
            rm -f "$out"/calls.*
            valgrind --tool=callgrind --callgrind-out-file="$out/calls" "$program" \
                $arguments count > "$out/log" 2>&1 || { cat "$out/log"; exit 1; }
            awk '/^desc: Trigger: Client Request: /{name = $NF}
                /^summary: |^totals: / {if (name != "") n[name] = $2; name = ""}
                END {for (k in n) print k, n[k]}' "$out"/calls.* > "$out/counts"
            awk -F '\t' -v OFS='\t' '
                NR == FNR {split($0, f, " "); n[f[1]] = f[2]; next}
                {o = (n[$1 "-ours"] - n["nothing"]) / 1000
                    t = (n[$1 "-theirs"] - n["nothing"]) / 1000
                    if ($3 == "-") print $2, o, "-", "-", "instructions", "-", $4
                    else print $2, o, $3, t, "instructions", sprintf("%.3f", o / t), $4}
                ' "$out/counts" "$out/counted" > "$out/part"
        else
            : > "$out/part"
        fi
        for k in 1 2 3; do
            "$program" $arguments ns
        done | awk -F '\t' '
            !($1 in is) {order[++n] = $1}
            !($1 in is) || ($6 == "-" ? $2 : $6) + 0 < is[$1] {is[$1] = ($6 == "-" ? $2 : $6) + 0; row[$1] = $0}
            END {for (i = 1; i <= n; i++) print row[order[i]]}' >> "$out/part"
        sed "s/$tab/, $cc$tab/" "$out/part" >> "$out/rows"
    done < "$out/with"
done
awk -F '\t' -v OFS='\t' -v all="$all" '
    function said(what) {print "bench: " $1 ": " what > "/dev/stderr"; bad = 1}
    NR == FNR {if ($0 !~ /^#/) held[$1] = $2; next}
    {
        print
        is = $6 == "-" ? $2 : $6
        if ($6 == "-" && $5 == "ns") next
        slack = $5 == "ns" ? 1.25 : 1
        if ($1 in held) {
            if (is > held[$1] * ($5 == "ns" ? 1.25 : 1.02))
                said(is ", where tests/bench/missed has " held[$1])
            else if ($5 != "ns" && is <= $7) said("reaches its goal, and is to leave tests/bench/missed")
            delete held[$1]
        } else if (is > $7 * slack) said(is ", and the goal is " $7)
    }
    END {
        for (k in held) if (all) {print "bench: " k ": is on tests/bench/missed and was not measured" > "/dev/stderr"; bad = 1}
        exit bad
    }' tests/bench/missed "$out/rows" > "$tsv.new" && bad= || bad=1
mv "$tsv.new" "$tsv"
awk -F '\t' '{printf "%7s  %-58s %10s %-13s %10s  %-22s <= %s\n", $6, $1, $2, $5, $4, $3, $7}' "$tsv"
[ -z "$all" ] || sh tests/bench/curve.sh "${tsv%/*}" || bad=1
[ -z "$bad" ] || { echo 'bench: a goal is missed'; exit 1; }
