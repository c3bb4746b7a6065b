#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# curve.sh OUT measures how costs grow (curve.c), in OUT/bench/curve.tsv and, with gnuplot, a
# plot each. Growth above linear is a failure. Then a search of some seconds (worst.c) finds the
# frame with the most instructions per byte, beside the average of vectors/frame.vec. A result
# above its limit here is a failure.
set -eu
out=$1/bench
mkdir -p "$out"
dumps() { # PROGRAM ARGUMENT...; prints "NAME N INSTRUCTIONS" per call, for each dump
    rm -f "$out"/dump*
    valgrind --tool=callgrind --callgrind-out-file="$out/dump" "$@" > "$out/log" 2>&1 ||
        { cat "$out/log" >&2; exit 1; }
    awk '/^desc: Trigger: Client Request: / {name = $(NF - 1) "\t" $NF}
        /^summary: |^totals: / {if (name != "") printf "%s\t%.0f\n", name, $2 / 100; name = ""}' \
        $(ls "$out"/dump.* | sort -t. -k2n)
}
bad=
gcc -std=gnu99 -O2 -Iinclude -Itests tests/gates/bench/curve.c -o "$out/curve"
dumps "$out/curve" > "$out/curve.tsv"
awk -F '\t' '
    $1 != curve {if (curve != "") print line; curve = $1; line = sprintf("%-28s", curve); n = 0}
    {
        line = line sprintf(" %s:%s", $2, $3)
        if (n > 0 && $3 / cost > 1.05 * $2 / n) {
            print "bench: " $1 " from " n " to " $2 ": more than linear" > "/dev/stderr"
            bad = 1
        }
        n = $2; cost = $3
    }
    END {print line; exit bad}' "$out/curve.tsv" || bad=1
if command -v gnuplot > /dev/null; then
    for curve in $(cut -f 1 "$out/curve.tsv" | uniq); do
        what=$(echo "$curve" | sed 's/.*-by-//; s/-/ /g')
        awk -F '\t' -v c="$curve" '$1 == c {print $2, $3}' "$out/curve.tsv" > "$out/$curve.dat"
        case $what in prefixes | flows) log='set logscale x' ;; *) log= ;; esac
        gnuplot -e "set term svg size 560,360 background 'white'; set output '$out/$curve.svg';
            set title '$(echo "$curve" | sed 's/-by-.*//'): instructions by $what (gcc -O2)'; $log;
            set grid; set xlabel '$what'; set ylabel 'instructions'; set yrange [0:*]; unset key;
            plot '$out/$curve.dat' with linespoints pt 7 ps 0.6 lw 1.5"
    done
fi
clang-19 -std=gnu99 -O1 -fsanitize-coverage=trace-pc -Iinclude -Itests tests/gates/bench/worst.c \
    examples/lib/vec.c -o "$out/search"
gcc -std=gnu99 -O2 -Iinclude -Itests tests/gates/bench/worst.c examples/lib/vec.c -o "$out/worst"
for limit in walk:6 receive:60 react:9; do
    what=${limit%:*}
    "$out/search" search "$what" 100000 > "$out/worst-$what.hex"
    dumps "$out/worst" count "$what" "$(cat "$out/worst-$what.hex")" |
        awk -v what="$what" -v limit="${limit#*:}" -F '\t' '
            {per[$1] = $3 / $2; n[$1] = $2}
            END {
                printf "%-28s %.1f instructions a byte in the worst frame found (%d bytes), %.1f on average\n",
                    what, per["worst"], n["worst"], per["average"]
                if (per["worst"] > limit || per["worst"] < per["average"]) {
                    print "bench: " what ": the limit is " limit > "/dev/stderr"
                    exit 1
                }
            }' || bad=1
done
[ -z "$bad" ] || exit 1
