#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fuzz.sh OUT SECONDS DRIVER...: each driver from the packets of its vectors, under
# libFuzzer with ASan and UBSan, then the same source under AFL++. Of the drivers that are
# as they were when they held, a third runs (lib/due.sh). A finding ends its driver, not
# the others. FUZZ_LOG=1: what ran goes into fuzz/LOG.md (fuzz_log.sh), and libFuzzer goes
# on from where it was; FUZZ_PLAIN=1: libFuzzer alone, at -O2 without sanitizers.
#
# A driver may say in a comment: fuzz-libs: -lz, what it is linked with; fuzz-seeds: NOUN...,
# whose packets it begins with; fuzz-max: N, how long its inputs are at most; fuzz-flags: -O2, of a slow one.
set -eu
. tests/lib/due.sh
out=$1 seconds=$2
shift 2
# Functions that must be inlined cost a compiler three times as long. Comparisons are not
# traced: that takes more than half of the time, and finds fewer features in it.
flags="-std=c99 -g1 -O1 -Iinclude -Itests"
fuzzer="-fsanitize=fuzzer -fno-sanitize-coverage=trace-cmp"
kind=libfuzzer-san
san="-fsanitize=address,undefined -fno-sanitize-recover=all"
[ -z "${FUZZ_PLAIN:-}" ] || kind=libfuzzer-plain san=-O2
for tool in clang afl-clang-fast; do
    command -v $tool > /dev/null && continue
    echo "fuzz: no $tool here: skipped"
    [ -z "${CI:-}" ] && exit 0 || exit 1
done

# said WHAT DRIVER: what a driver says in a comment.
said() {
    sed -n "s/.*$1: \(.*\) \*\//\1/p" "fuzz/$2.c"
}

# logged DRIVER ENGINE RUNS FEATURES FOUND
logged() {
    [ -z "${FUZZ_LOG:-}" ] || sh tests/fuzz_log.sh add "$@"
}

seeds() {
    nouns=$(said fuzz-seeds "$1")
    for noun in ${nouns:-$1}; do
        SEEDS=$2/$noun. perl -ane 'next if $F[1] eq "-"; open my $f, ">:raw", "$ENV{SEEDS}$."
            or die; print $f pack("H*", $F[1]); close $f' "$out/rows/$noun.rows" || return 1
    done
}

# by_libfuzzer DRIVER DIR MAX: sets runs. What is slow, a law or a machine that has
# other work, has more time, not fewer inputs.
by_libfuzzer() {
    corpus=; [ -d "fuzz/corpus/$1" ] && corpus=fuzz/corpus/$1
    for much in -max_total_time="$seconds" -runs=12000; do
        held=0
        timeout $((300 + seconds)) "$2/libfuzzer" "$much" -max_len="$3" -print_final_stats=1 \
            -artifact_prefix="$2/" "$2/new" "$2/seeds" $corpus > "$2/libfuzzer.log" 2>&1 ||
            held=1
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$2/libfuzzer.log")
        logged "$1" $kind "${runs:-0}" \
            "$(grep -o 'ft: [0-9]*' "$2/libfuzzer.log" | tail -n 1 | cut -c 5-)" \
            "$(grep -o 'law broken.*\|runtime error.*\|AddressSanitizer:.*' "$2/libfuzzer.log" |
                head -n 1)"
        [ $held = 0 ] || { grep 'law broken' "$2/libfuzzer.log"
            tail -n 30 "$2/libfuzzer.log"; return 1; }
        [ "${runs:-0}" -le 10000 ] || return 0
    done
    echo "fuzz: $1 ran only ${runs:-0} inputs"
    return 1
}

# by_afl DRIVER DIR MAX: sets aflruns.
by_afl() {
    for much in "-V $seconds" "-E 12000"; do
        rm -rf "$2/out"
        AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 \
            AFL_BENCH_UNTIL_CRASH=1 AFL_NO_AFFINITY=1 \
            timeout $((300 + seconds)) afl-fuzz -G "$3" $much -i "$2/seeds" -o "$2/out" -- "$2/afl" \
            >> "$2/afl.log" 2>&1 || { tail -n 30 "$2/afl.log"; return 1; }
        aflruns=$(sed -n 's/^execs_done *: *//p' "$2/out/default/fuzzer_stats")
        crashes=$(sed -n 's/^saved_crashes *: *//p' "$2/out/default/fuzzer_stats")
        logged "$1" afl++ "$aflruns" \
            "$(sed -n 's/^edges_found *: *//p' "$2/out/default/fuzzer_stats")" \
            "$([ "$crashes" = 0 ] || echo "$crashes crashes")"
        [ "$crashes" = 0 ] || { echo "fuzz: $1: AFL++ found $crashes crashes"; return 1; }
        [ "$aflruns" -le 10000 ] || return 0
    done
    echo "fuzz: $1: AFL++ ran only $aflruns"
    return 1
}

# drive DRIVER: a finding, or too few inputs, is a status of 1.
drive() {
    dir=$out/fuzz/$1
    [ -n "${FUZZ_LOG:-}" ] || rm -rf "$dir"
    mkdir -p "$dir/seeds" "$dir/new"
    seeds "$1" "$dir/seeds" || return 1
    libs=$(said fuzz-libs "$1") max=$(said fuzz-max "$1") more=$(said fuzz-flags "$1")
    clang $flags $more "-DROCECC_FN=static inline" $fuzzer $san "fuzz/$1.c" $libs \
        -o "$dir/libfuzzer" || return 1
    by_libfuzzer "$1" "$dir" "${max:-2100}" || return 1
    aflruns=0
    [ -z "${FUZZ_PLAIN:-}" ] || { echo "fuzz: $1 held for $runs inputs"; return 0; }
    AFL_QUIET=1 afl-clang-fast $flags "-DROCECC_FN=static inline" -fsanitize=fuzzer \
        "fuzz/$1.c" $libs -o "$dir/afl" > "$dir/afl.log" 2>&1 ||
        { cat "$dir/afl.log"; return 1; }
    by_afl "$1" "$dir" "${max:-2100}" || return 1
    echo "fuzz: $1 held for $runs inputs (libFuzzer) and $aflruns (AFL++)"
}

left=0 red=
for driver in "$@"; do
    key=$({ clang -E -P -Iinclude -Itests "fuzz/$driver.c" && clang --version; } |
        key tests/fuzz.sh)
    [ -n "${FUZZ_PLAIN:-}" ] || due fuzz "$driver" "$key" 3 ||
        { left=$((left + 1)); continue; }
    drive "$driver" || { red="$red $driver"; continue; }
    [ -n "${FUZZ_PLAIN:-}" ] || passed fuzz "$driver" "$key"
done
[ $left = 0 ] || echo "fuzz: $left drivers are as they were when they held"
[ -z "${FUZZ_LOG:-}" ] || sh tests/fuzz_log.sh "$@"
[ -z "$red" ] || { echo "fuzz: red:$red"; exit 1; }
