#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# bench.sh OUT [NOUN...] runs the programs of tests/gates/bench/ (see bench.h), and writes their
# rows to OUT/bench.tsv: operation, our cost, the peer's name, its cost, unit, ratio, goal. The
# noun dump measures rocedump itself (dump.py), size takes rows of tests/gates/size/size.txt, and
# curve runs curve.sh. judge.py compares the rows with their goals and tests/gates/bench/missed.
#
# With CI set, only instructions and bytes are measured, because they depend only on the tree.
# This takes one core a minute. Otherwise each program is also timed, in five runs.
set -eu
python=${PYTHON:-/usr/bin/python3}
top=$1
out=$top/bench
shift
skip() {
    echo "bench: $1: skipped"
    [ -z "${CI:-}" ] && exit 0 || exit 1
}
need() {
    for tool in "$@"; do
        command -v "$tool" > /dev/null || skip "no $tool here"
    done
}
need valgrind gcc clang-19 pkg-config "$python"
[ -n "${CI:-}" ] && options=--no-times || options=
if [ $# = 0 ]; then
    options="$options --all"
    set -- size curve $(grep -l 'BENCH_MAIN(rows)' tests/gates/bench/*.c tests/gates/bench/*.cc |
        sed 's|.*/||; s|\.cc*$||')
    [ -n "${CI:-}" ] || set -- "$@" dump
fi
rm -rf "$out"
mkdir -p "$out"
: > "$out/rows"
make -s OUT="$top" "$top/readme_block.h"
gcc -O2 -Iinclude -c examples/lib/vec.c -o "$out/vec.o"
tab=$(printf '\t')
calls=$(sed -n 's/^#define BENCH_CALLS \([0-9]*\)u.*/\1/p' tests/gates/bench/bench.h)
bad=

# counted PROGRAM prints its rows in instructions, from callgrind's dumps.
counted() {
    "$1" rows > "$out/counted"
    [ -s "$out/counted" ] || return 0
    rm -f "$out"/calls.*
    valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file="$out/calls" "$1" count \
        > "$out/log" 2>&1 || { cat "$out/log" >&2; exit 1; }
    awk '/^desc: Trigger: Client Request: / {name = $NF}
        /^(summary|totals): / {if (name != "") n[name] = $2; name = ""}
        END {for (k in n) print k, n[k]}' "$out"/calls.* > "$out/counts"
    awk -F '\t' -v OFS='\t' -v calls="$calls" '
        function per_call(side) {
            if (!(side in n)) {print "bench: " side ": not counted" > "/dev/stderr"; exit 1}
            return (n[side] - n["nothing"]) / calls
        }
        NR == FNR {split($0, f, " "); n[f[1]] = f[2]; next}
        {print $2, per_call($1 "-ours"), $3, $3 == "-" ? "-" : per_call($1 "-theirs"), "instructions", $4}
        ' "$out/counts" "$out/counted"
}

for noun in "$@"; do
    case $noun in
        dump)
            need tshark capinfos
            echo '#include <pcap/pcap.h>' | gcc -E - > /dev/null 2>&1 || skip 'no libpcap here'
            make -s OUT="$top" "$top/rocedump"
            gcc -O2 -Wall -Wextra tests/gates/bench/read.c -lpcap -o "$out/read"
            "$python" -B tests/gates/bench/dump.py "$top/rocedump" "$out" >> "$out/rows"
            continue ;;
        size) # with the bounds of make size
            for path in 'match_path\tis it a CNP\t300\t64' 'qp_path\tQP of a CNP whose ICRC is right\t1060\t160' \
                'receive_path\treceive path of RoCEv2, CNP, Fast CNP\t2400\t410'; do
                printf "$path\n"
            done | awk -F '\t' 'NR == FNR {row[$1] = $2 ", Cortex-M4 -Os"; code[$1] = $3; stack[$1] = $4; next}
                {split($0, f, " ")}
                f[1] == "cortex-m4" && f[2] in row {
                    print row[f[2]] "\t" f[4] "\t-\t-\tbytes\t" code[f[2]]
                    print row[f[2]] ", stack\t" f[6] "\t-\t-\tbytes\t" stack[f[2]]
                }' - tests/gates/size/size.txt >> "$out/rows"
            continue ;;
        curve)
            sh tests/gates/bench/curve.sh "$top" || bad=1
            continue ;;
    esac
    c=$(ls tests/gates/bench/"$noun".c*)
    head=$(sed -n '1,/\*\//p' "$c")
    said() { printf "%s\n" "$head" | sed -n "s/^.*bench: $1: \([^*]*[^* ]\).*/\1/p"; }
    case $head in *'bench: times'*) [ -z "${CI:-}" ] || continue ;; esac
    libs=$(said libs)
    for p in $(said pkg); do
        pkg-config --exists "$p" || skip "no $p here"
        libs="$libs $(pkg-config --cflags --libs "$p")"
    done
    with=$(said with)
    [ -n "$with" ] || with="gcc -O2
clang-19 -O2"
    printf '%s\n' "$with" > "$out/with"
    while read -r cc; do
        program=$out/$noun
        case $cc in *++*) std=gnu++17 ;; *) std=gnu99 ;; esac
        $cc -std=$std -Wall -Wextra -Werror -Iinclude -Itests -Itests/gates/bench -I"$top" "$c" "$out/vec.o" \
            -o "$program" $libs
        {
            counted "$program"
            if [ -z "${CI:-}" ]; then
                for k in 1 2 3 4 5; do
                    "$program" ns
                done
            fi
        } > "$out/part"
        sed "s/$tab/, $cc$tab/" "$out/part" >> "$out/rows"
    done < "$out/with"
done
"$python" -B tests/gates/bench/judge.py "$out/rows" tests/gates/bench/missed "$top/bench.tsv" $options || bad=1
[ -z "$bad" ] || { echo 'bench: a goal is missed'; exit 1; }
