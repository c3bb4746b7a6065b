#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fuzz.sh OUT [DRIVER...] runs each fuzz driver under libFuzzer with ASan and UBSan, from its
# corpus and the packets of its vectors. A finding ends only its own driver.
#
# FUZZ_RUNS=N        inputs after the corpus, with a fixed seed (default 20000)
# FUZZ_SECONDS=N     libFuzzer for N seconds with a random seed, then AFL++ for N seconds
# FUZZ_LOG=1         adds the runs to fuzz/LOG.md (fuzz_log.sh) and continues the last corpus
# FUZZ_PLAIN=1       only libFuzzer, at -O2, without sanitizers
#
# A driver may have options in a comment: "fuzz-libs: -lz" is linked, "fuzz-seeds: NOUN..." names
# the rows it starts from, "fuzz-max: N" limits its inputs, "fuzz-flags: -O2" compiles it.
set -eu
. tests/lib/record.sh
out=$1 seconds=${FUZZ_SECONDS:-} effort=${FUZZ_RUNS:-20000}
shift
# Forced inlining triples the compile time. Comparisons are not traced, because the trace takes
# more than half of the time and finds fewer features.
flags="-std=c99 -g1 -O1 -Iinclude -Itests"
fuzzer="-fsanitize=fuzzer -fno-sanitize-coverage=trace-cmp"
kind=libfuzzer-san
san="-fsanitize=address,undefined -fno-sanitize-recover=all"
[ -z "${FUZZ_PLAIN:-}" ] || kind=libfuzzer-plain san=-O2
for tool in clang ${seconds:+afl-clang-fast}; do
    command -v $tool > /dev/null && continue
    echo "fuzz: no $tool here: skipped"
    [ -z "${CI:-}" ] && exit 0 || exit 1
done

# option NAME DRIVER prints an option in a driver's comment.
option() {
    sed -n "s/.*$1: \(.*\) \*\//\1/p" "fuzz/$2.c"
}

# nouns DRIVER prints the rows that it starts from.
nouns() {
    seeds=$(option fuzz-seeds "$1")
    echo "${seeds:-$1}"
}

# logged DRIVER ENGINE RUNS FEATURES FOUND
logged() {
    [ -z "${FUZZ_LOG:-}" ] || sh tests/gates/fuzz_log.sh add "$@"
}

seeds() {
    for noun in $(nouns "$1"); do
        SEEDS=$2/$noun. perl -ane 'next if $F[1] eq "-"; open my $f, ">:raw", "$ENV{SEEDS}$."
            or die; print $f pack("H*", $F[1]); close $f' "$out/rows/$noun.rows" || return 1
    done
}

# by_libfuzzer DRIVER DIR MAX sets runs. Only an input that hangs reaches the timeout.
by_libfuzzer() {
    corpus= held=0
    [ -d "fuzz/corpus/$1" ] && corpus=fuzz/corpus/$1
    known=$(find "$2/new" "$2/seeds" $corpus -type f | wc -l)
    much="-seed=1 -runs=$((known + effort))"
    [ -z "$seconds" ] || much="-max_total_time=$seconds"
    "$2/libfuzzer" $much -timeout=600 -max_len="$3" -print_final_stats=1 \
        -artifact_prefix="$2/" "$2/new" "$2/seeds" $corpus > "$2/libfuzzer.log" 2>&1 || held=1
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$2/libfuzzer.log")
    logged "$1" $kind "${runs:-0}" \
        "$(grep -o 'ft: [0-9]*' "$2/libfuzzer.log" | tail -n 1 | cut -c 5-)" \
        "$(grep -o 'law broken.*\|runtime error.*\|AddressSanitizer:.*' "$2/libfuzzer.log" |
            head -n 1)"
    [ $held = 0 ] || { grep 'law broken' "$2/libfuzzer.log"
        tail -n 30 "$2/libfuzzer.log"; return 1; }
    [ -n "$seconds" ] || [ "${runs:-0}" -ge "$effort" ] || {
        echo "fuzz: $1 ran only ${runs:-0} inputs"; return 1; }
}

# by_afl DRIVER DIR MAX sets aflruns.
by_afl() {
    rm -rf "$2/out"
    AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 \
        AFL_BENCH_UNTIL_CRASH=1 AFL_NO_AFFINITY=1 \
        afl-fuzz -G "$3" -V "$seconds" -i "$2/seeds" -o "$2/out" -- "$2/afl" \
        >> "$2/afl.log" 2>&1 || { tail -n 30 "$2/afl.log"; return 1; }
    aflruns=$(sed -n 's/^execs_done *: *//p' "$2/out/default/fuzzer_stats")
    crashes=$(sed -n 's/^saved_crashes *: *//p' "$2/out/default/fuzzer_stats")
    logged "$1" afl++ "$aflruns" \
        "$(sed -n 's/^edges_found *: *//p' "$2/out/default/fuzzer_stats")" \
        "$([ "$crashes" = 0 ] || echo "$crashes crashes")"
    [ "$crashes" = 0 ] || { echo "fuzz: $1: AFL++ found $crashes crashes"; return 1; }
}

# drive DRIVER returns 1 after a finding or too few inputs.
drive() {
    dir=$out/fuzz/$1
    [ -n "${FUZZ_LOG:-}" ] || rm -rf "$dir"
    mkdir -p "$dir/seeds" "$dir/new"
    seeds "$1" "$dir/seeds" || return 1
    libs=$(option fuzz-libs "$1") max=$(option fuzz-max "$1") more=$(option fuzz-flags "$1")
    clang $flags $more "-DROCECC_FN=static inline" $fuzzer $san "fuzz/$1.c" $libs \
        -o "$dir/libfuzzer" || return 1
    by_libfuzzer "$1" "$dir" "${max:-2100}" || return 1
    if [ -z "$seconds" ] || [ -n "${FUZZ_PLAIN:-}" ]; then
        echo "fuzz: $1 held for $runs inputs"
        return 0
    fi
    AFL_QUIET=1 afl-clang-fast $flags "-DROCECC_FN=static inline" -fsanitize=fuzzer \
        "fuzz/$1.c" $libs -o "$dir/afl" > "$dir/afl.log" 2>&1 ||
        { cat "$dir/afl.log"; return 1; }
    by_afl "$1" "$dir" "${max:-2100}" || return 1
    echo "fuzz: $1 held for $runs inputs (libFuzzer) and $aflruns (AFL++)"
}

due fuzz "$@"
[ -n "$pieces" ] || exit 0
${MAKE:-make} -s --no-print-directory OUT="$out" \
    $(for d in $pieces; do nouns "$d"; done | tr ' ' '\n' | sort -u | sed "s|.*|$out/rows/&.rows|")
red=
for driver in $pieces; do
    drive "$driver" || { red="$red $driver"; continue; }
    record passed fuzz "$driver"
done
[ -z "${FUZZ_LOG:-}" ] || sh tests/gates/fuzz_log.sh $pieces
[ -z "$red" ] || { echo "fuzz: red:$red"; exit 1; }
