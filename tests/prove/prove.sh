#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# prove.sh OUT [NOUN...]: Frama-C Eva on every harness, with no alarm; every public
# function, as the compiler lists them, reached to its last statement by the harnesses
# together; of the laws, those that tests/prove/tested does not have (laws.py), no fewer and
# no more; WP on each contract of wp/, every goal. A harness that has passed as it is now is
# left out (lib/due.sh), and what it reached is in its record. With nouns: Eva and WP on
# theirs, for "reach" what they reach, and no more.
set -eu
. tests/lib/due.sh
listed=tests/prove/tested
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
nouns=$(cd tests/prove && ls *.c | sed 's/\.c$//')
for noun in ${*:-$nouns}; do
    c=tests/prove/$noun.c
    [ -f "$c" ] || continue
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
        -then -report-csv "$out/$noun.csv" > "$out/$noun.log" 2>&1 || { tail -n 20 "$out/$noun.log"; exit 1; }
    if ! grep -q '^  0 alarms generated' "$out/$noun.log"; then
        grep -A2 -E 'eva:alarm|NON TERMINATING' "$out/$noun.log" | grep -v '^--$' |
            grep -B1 -A1 -v law_unproved | head -n 40
        echo "prove: $noun raises alarms"
        exit 1
    fi
    if grep -E 'got status (unknown|invalid)' "$out/$noun.log" | grep -v law_unproved; then
        echo "prove: $noun asserts what is not proved"
        exit 1
    fi
    if grep -q 'NON TERMINATING' "$out/$noun.log"; then
        echo "prove: $noun: the harness never ends, so it proves little"
        exit 1
    fi
    "${PYTHON:-/usr/bin/python3}" -B tests/prove/laws.py "$noun" "$out/$noun.csv" ||
        { echo "prove: $noun proves other laws than $listed has"; exit 1; }
    sed -n 's/^  \(rocecc_[a-z0-9_]*\): \([0-9]*\) stmts out of \([0-9]*\).*/\1 \2 \3/p' \
        "$out/$noun.log" > "$out/$noun.covered"
    cat "$out/$noun.covered" >> "$out/covered"
    passed prove $noun "$key" $(awk '$2 == $3 {print $1}' "$out/$noun.covered" | sort -u)
    echo "prove: $noun: no alarm for any input"
done
[ $left = 0 ] || echo "prove: $left harnesses are as they were when they passed"
only=" ${*:-reach} "
[ "${only#* reach }" = "$only" ] || awk 'NR == FNR {if ($2 > best[$1]) best[$1] = $2; if ($3 > all[$1]) all[$1] = $3
                if ($2 >= $3) whole[$1] = 1; next}
     $1 in whole {next}
     !($1 in best) {print "prove: no harness reaches " $1; bad = 1; next}
     {print "prove: " $1 ": " best[$1] " of " all[$1] " statements"; bad = 1}
     END {exit bad}' "$out/covered" "$out/public" ||
    { echo 'prove: what no harness reaches is not proved'; exit 1; }
[ $# -gt 0 ] ||
    echo "prove: $(wc -l < "$out/public") public functions, each reached to its last statement" \
        "$("${PYTHON:-/usr/bin/python3}" -B tests/prove/laws.py total)"

# What is called in a function is proved in its place: wp-inline has the names.
for noun in ${*:-$(cd tests/prove/wp && ls *.c | sed 's/\.c$//')}; do
    c=tests/prove/wp/$noun.c
    [ -f "$c" ] || continue
    inline=$(sed -n 's/.*wp-inline: \(.*\) \*\//\1/p' "$c")
    key=$(harness "$c" "wp $inline")
    if [ $# = 0 ] && ! due prove "wp/$noun" "$key" 10; then
        echo "prove: $noun: its contract is as it was when it was proved"
        continue
    fi
    why3 config detect > "$out/why3.log" 2>&1
    frama-c -wp -wp-rte -inline-calls "$inline" -machdep gcc_x86_64 -wp-prover z3,cvc4 \
        -wp-timeout 30 -wp-fct "$(sed -n 's/^.*\b\(prove_[a-z0-9_]*\)(.*/\1/p' "$c" | paste -sd,)" \
        -cpp-extra-args=-Iinclude "$c" > "$out/$noun.wp.log" 2>&1
    goals=$(sed -n 's/^\[wp\] Proved goals: *\([0-9]* \/ [0-9]*\).*/\1/p' "$out/$noun.wp.log")
    [ -n "$goals" ] && [ "${goals% / *}" = "${goals#* / }" ] && [ "${goals% / *}" -gt 0 ] || {
        grep -A2 -E 'Failed|Unknown|Timeout' "$out/$noun.wp.log"
        echo "prove: $noun: of its contract: $goals"
        exit 1
    }
    echo "prove: $noun: its contract, for any length and any values: $goals goals"
    passed prove "wp/$noun" "$key"
done
