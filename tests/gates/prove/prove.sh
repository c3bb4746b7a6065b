#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# prove.sh OUT [NOUN...] - runs Frama-C. Eva must raise no alarm in any harness. For each library
# function that the compiler lists, some harness must reach every statement ("reach").
# tests/gates/prove/tested must list exactly the laws that Eva does not prove (laws.py). WP must
# prove every goal in wp/. Its provers also have a limit in steps, so that a busy machine gives the
# same results.
set -eu
. tests/lib/record.sh
listed=tests/gates/prove/tested
out=$1
shift
if ! command -v frama-c > /dev/null; then
    echo 'prove: no frama-c here: skipped'
    [ -z "${CI:-}" ] && exit 0 || exit 1
fi
mkdir -p "$out"

# A noun selects its harness and its contract.
names=
for noun in "$@"; do
    [ ! -e "tests/gates/prove/wp/$noun.c" ] || names="$names wp/$noun"
    [ ! -e "tests/gates/prove/$noun.c" ] && [ -e "tests/gates/prove/wp/$noun.c" ] || names="$names $noun"
done
due prove $names

# options NAME FILE - prints the options in the comment NAME.
options() {
    sed -n "s/.*$1: \(.*\) \*\//\1/p" "$2"
}

# eva NOUN - fails on an alarm or an unproved assertion, if the harness never ends, or if the laws
# differ from the list.
eva() {
    noun=$1 c=tests/gates/prove/$1.c
    ! grep 'prove-options:' "$c" | grep -qv '\*/' ||
        { echo "prove: $noun: prove-options take one line"; return 1; }
    frama-c -eva -eva-precision 5 -eva-split-return full -machdep gcc_x86_64 \
        -eva-msg-key=-initial-state,-final-states $(options prove-options "$c") \
        -cpp-extra-args="-Iinclude -Itests" -metrics -metrics-eva-cover "$c" \
        -then -report-csv "$out/$noun.csv" > "$out/$noun.log" 2>&1 || { tail -n 20 "$out/$noun.log"; return 1; }
    if ! grep -q '^  0 alarms generated' "$out/$noun.log"; then
        grep -A2 -E 'eva:alarm|NON TERMINATING' "$out/$noun.log" | grep -v '^--$' |
            grep -B1 -A1 -v law_unproved | head -n 40
        echo "prove: $noun raises alarms"
        return 1
    fi
    if grep -E 'got status (unknown|invalid)' "$out/$noun.log" | grep -v law_unproved; then
        echo "prove: $noun asserts what is not proved"
        return 1
    fi
    if grep -q 'NON TERMINATING' "$out/$noun.log"; then
        echo "prove: $noun: the harness never ends, so it proves little"
        return 1
    fi
    "${PYTHON:-/usr/bin/python3}" -B tests/gates/prove/laws.py "$noun" "$out/$noun.csv" ||
        { echo "prove: $noun proves other laws than $listed lists"; return 1; }
    record passed prove $noun $(sed -n \
        's/^  \(rocecc_[a-z0-9_]*\): \([0-9]*\) stmts out of \([0-9]*\).*/\1 \2 \3/p' \
        "$out/$noun.log" | awk '$2 == $3 {print $1}' | sort -u)
    echo "prove: $noun: no alarm for any input"
}

# wp NOUN - proves the contract. The functions in wp-inline are inlined.
wp() {
    c=tests/gates/prove/wp/$1.c
    why3 config detect > "$out/why3.log" 2>&1
    frama-c -wp -wp-rte -inline-calls "$(options wp-inline "$c")" -machdep gcc_x86_64 \
        -wp-prover z3,cvc4 -wp-steps 10000000 -wp-timeout 600 \
        -wp-fct "$(sed -n 's/^.*\b\(prove_[a-z0-9_]*\)(.*/\1/p' "$c" | paste -sd,)" \
        -cpp-extra-args=-Iinclude "$c" > "$out/$1.wp.log" 2>&1
    goals=$(sed -n 's/^\[wp\] Proved goals: *\([0-9]* \/ [0-9]*\).*/\1/p' "$out/$1.wp.log")
    [ -n "$goals" ] && [ "${goals% / *}" = "${goals#* / }" ] && [ "${goals% / *}" -gt 0 ] || {
        grep -A2 -E 'Failed|Unknown|Timeout|Stepout' "$out/$1.wp.log"
        echo "prove: $1: of its contract: $goals"
        return 1
    }
    echo "prove: $1: its contract, for any length and any values: $goals goals"
    record passed prove "wp/$1"
}

# reach - compares the functions in the harnesses' records with all functions of the library.
reach() {
    echo '#include "rocecc/rocecc.h"' |
        gcc -x c -std=c99 -Iinclude "-DROCECC_FN=__attribute__((noinline))" -c - -o "$out/all.o"
    nm "$out/all.o" | awk '$2 == "T" {print $3}' | sort > "$out/public"
    [ -s "$out/public" ] || { echo "prove: the compiler lists no function"; return 1; }
    for c in tests/gates/prove/*.c; do
        record kept prove "$(basename "$c" .c)"
    done | sort -u > "$out/whole"
    missing=$(comm -23 "$out/public" "$out/whole")
    for name in $missing; do
        sed -n "s/^  \($name\): \([0-9]*\) stmts out of \([0-9]*\).*/prove: \1: \2 of \3 statements/p" \
            "$out"/*.log | sort -u
        echo "prove: no harness reaches $name to its last statement"
    done
    [ -z "$missing" ] || { echo 'prove: what no harness reaches is not proved'; return 1; }
    record passed prove reach
    echo "prove: $(wc -l < "$out/public") public functions, each reached to its last statement"
    "${PYTHON:-/usr/bin/python3}" -B tests/gates/prove/laws.py total
}

red=
for piece in $pieces; do
    case $piece in
    reach) ;; # after the harnesses
    wp/*) wp "${piece#wp/}" || red="$red $piece" ;;
    *) eva "$piece" || red="$red $piece" ;;
    esac
done
! echo "$pieces" | grep -qx reach || reach || red="$red reach"
[ -z "$red" ] || { echo "prove: red:$red"; exit 1; }
