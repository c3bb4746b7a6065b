#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# prove.sh OUT [NOUN...]: Frama-C Eva on every harness, with no alarm; every public
# function, as the compiler lists them, reached to its last statement by the harnesses
# together; WP on the cursor, every goal. A harness that has passed as it is now is left
# out (lib/due.sh), and what it reached is in its record. With nouns: Eva on their
# harnesses, for "reach" what they reach, WP for "cursor", and no more.
set -eu
. tests/lib/due.sh
out=$1
shift
if ! command -v frama-c > /dev/null; then
    echo 'prove: no frama-c here: skipped'
    [ -z "${CI:-}" ] && exit 0 || exit 1
fi
mkdir -p "$out"

echo '#include "rocecc/rocecc.h"' |
    gcc -x c -std=c99 -Iinclude "-DROCECC_FN=__attribute__((noinline))" -c - -o "$out/all.o"
nm "$out/all.o" | awk '$2 == "T" {print $3}' | sort > "$out/public"
[ -s "$out/public" ] || { echo "prove: the compiler lists no function"; exit 1; }

# What the result of a harness depends on.
harness() {
    { gcc -E -P -D__FRAMAC__ -Iinclude -Itests "$1" && echo "$2" && frama-c -version; } |
        key tests/prove/prove.sh
}

: > "$out/covered"
left=0
nouns=$(cd tests/prove && ls *.c | sed 's/\.c$//' | grep -vx cursor)
for noun in ${*:-$nouns}; do
    case $noun in reach | cursor) continue ;; esac
    c=tests/prove/$noun.c
    opts=$(sed -n 's/.*prove-options: \(.*\) \*\//\1/p' "$c")
    key=$(harness "$c" "$opts")
    if [ $# = 0 ] && ! due prove $noun "$key" 10; then
        kept prove $noun | sed 's/$/ 1 0/' >> "$out/covered"
        left=$((left + 1))
        continue
    fi
    frama-c -eva -eva-precision 5 -eva-split-return full -machdep gcc_x86_64 \
        -eva-msg-key=-initial-state,-final-states $opts \
        -cpp-extra-args="-Iinclude -Itests" -metrics -metrics-eva-cover "$c" \
        > "$out/$noun.log" 2>&1 || { tail -n 20 "$out/$noun.log"; exit 1; }
    if ! grep -q '^  0 alarms generated' "$out/$noun.log"; then
        grep -A2 -E 'eva:alarm|NON TERMINATING' "$out/$noun.log" | head -n 40
        echo "prove: $noun raises alarms"
        exit 1
    fi
    if grep -E 'got status (unknown|invalid)' "$out/$noun.log"; then
        echo "prove: $noun asserts what is not proved"
        exit 1
    fi
    if grep -q 'NON TERMINATING' "$out/$noun.log"; then
        echo "prove: $noun: the harness never ends, so it proves little"
        exit 1
    fi
    sed -n 's/^  \(rocecc_[a-z0-9_]*\): \([0-9]*\) stmts out of \([0-9]*\).*/\1 \2 \3/p' \
        "$out/$noun.log" > "$out/$noun.covered"
    cat "$out/$noun.covered" >> "$out/covered"
    passed prove $noun "$key" $(awk '$2 == $3 {print $1}' "$out/$noun.covered" | sort -u)
    echo "prove: $noun: no alarm for any input"
done
[ $left = 0 ] || echo "prove: $left harnesses are as they were when they passed"
only=" ${*:-reach cursor} "
[ "${only#* reach }" = "$only" ] || awk 'NR == FNR {if ($2 > best[$1]) best[$1] = $2; if ($3 > all[$1]) all[$1] = $3
                if ($2 >= $3) whole[$1] = 1; next}
     $1 in whole {next}
     !($1 in best) {print "prove: no harness reaches " $1; bad = 1; next}
     {print "prove: " $1 ": " best[$1] " of " all[$1] " statements"; bad = 1}
     END {exit bad}' "$out/covered" "$out/public" ||
    { echo 'prove: what no harness reaches is not proved'; exit 1; }
[ $# -gt 0 ] ||
    echo "prove: $(wc -l < "$out/public") public functions, each reached to its last statement"
[ "${only#* cursor }" != "$only" ] || exit 0

key=$(harness tests/prove/cursor.c wp)
if [ $# = 0 ] && ! due prove cursor "$key" 10; then
    echo 'prove: the cursor is as it was when it was proved'
    exit 0
fi
why3 config detect > "$out/why3.log" 2>&1
frama-c -wp -wp-rte -inline-calls rocecc_take,rocecc_split,rocecc_put \
    -machdep gcc_x86_64 -wp-prover z3,cvc4 -wp-timeout 30 \
    -wp-fct prove_take,prove_split,prove_put -cpp-extra-args=-Iinclude \
    tests/prove/cursor.c > "$out/wp.log" 2>&1
goals=$(sed -n 's/^\[wp\] Proved goals: *\([0-9]* \/ [0-9]*\).*/\1/p' "$out/wp.log")
[ -n "$goals" ] && [ "${goals% / *}" = "${goals#* / }" ] && [ "${goals% / *}" -gt 0 ] ||
    { grep -A2 -E 'Failed|Unknown|Timeout' "$out/wp.log"; echo "prove: the cursor: $goals"; exit 1; }
echo "prove: the cursor, for any length: $goals goals"
passed prove cursor "$key"
