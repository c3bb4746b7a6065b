#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# rows.sh OUT JOBS GATE... makes the rows that the pieces of these gates read
# (OUT/rows/NOUN.rows). Gates that run at the same time would make them twice.
set -eu
. tests/lib/record.sh
out=$1 jobs=$2
shift 2
for gate in "$@"; do
    case $gate in
    live-rxe) (cd fuzz && ls *.c | sed 's/\.c$//') ;;
    fuzz)
        for d in $(record due fuzz); do
            seeds=$(sed -n 's/.*fuzz-seeds: \(.*\) \*\//\1/p' "fuzz/$d.c")
            echo "${seeds:-$d}" | tr ' ' '\n'
        done
        ;;
    bpf | live | matrix | endian) record due "$gate" | sed 's|^rows/||' ;;
    esac
done | sort -u > "$out/rows.wanted"
rows=
while read -r noun; do
    [ ! -e "fuzz/$noun.c" ] || rows="$rows $out/rows/$noun.rows"
done < "$out/rows.wanted"
[ -z "$rows" ] || ${MAKE:-make} -s --no-print-directory -j"$jobs" OUT="$out" $rows
