#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fuzz.sh OUT SECONDS NOUN...: each driver from the packets of its vectors, under
# libFuzzer with ASan and UBSan, then the same source under AFL++. A driver may name
# libraries: /* fuzz-libs: -lz */. Of the drivers that are as they were when they held, a
# third runs (lib/due.sh). A finding ends its driver, not the others.
set -eu
. tests/lib/due.sh
out=$1 seconds=$2
shift 2
flags="-std=c99 -g -O1 -Iinclude -Itests"
for tool in clang afl-clang-fast; do
    command -v $tool > /dev/null && continue
    echo "fuzz: no $tool here: skipped"
    [ -z "${CI:-}" ] && exit 0 || exit 1
done

# drive NOUN: a finding, or too few inputs, is a status of 1.
drive() {
    noun=$1
    dir=$out/fuzz/$noun
    rm -rf "$dir"
    mkdir -p "$dir/seeds" "$dir/new"
    SEEDS=$dir/seeds perl -ane 'next if $F[1] eq "-"; open my $f, ">:raw", "$ENV{SEEDS}/$."
        or die; print $f pack("H*", $F[1]); close $f' "$out/rows/$noun.rows" || return 1
    libs=$(sed -n 's/.*fuzz-libs: \(.*\) \*\//\1/p' fuzz/$noun.c)
    clang $flags -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
        fuzz/$noun.c $libs -o "$dir/libfuzzer" || return 1
    corpus=; [ -d fuzz/corpus/$noun ] && corpus=fuzz/corpus/$noun
    runs=0
    for time in "$seconds" $((4 * seconds)); do # a slow law has more time, not fewer inputs
        "$dir/libfuzzer" -max_total_time="$time" -max_len=2100 -verbosity=0 \
            -print_final_stats=1 -artifact_prefix="$dir/" "$dir/new" "$dir/seeds" $corpus \
            > "$dir/libfuzzer.log" 2>&1 || { grep 'law broken' "$dir/libfuzzer.log"
                tail -n 30 "$dir/libfuzzer.log"; return 1; }
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$dir/libfuzzer.log")
        [ "${runs:-0}" -le 10000 ] || break
    done
    [ "${runs:-0}" -gt 10000 ] || { echo "fuzz: $noun ran only ${runs:-0} inputs"; return 1; }
    AFL_QUIET=1 afl-clang-fast $flags -fsanitize=fuzzer fuzz/$noun.c $libs -o "$dir/afl" \
        > "$dir/afl.log" 2>&1 || { cat "$dir/afl.log"; return 1; }
    for time in "$seconds" $((4 * seconds)); do
        rm -rf "$dir/out"
        AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 \
            AFL_BENCH_UNTIL_CRASH=1 AFL_NO_AFFINITY=1 \
            afl-fuzz -V "$time" -i "$dir/seeds" -o "$dir/out" -- "$dir/afl" \
            >> "$dir/afl.log" 2>&1 || { tail -n 30 "$dir/afl.log"; return 1; }
        aflruns=$(sed -n 's/^execs_done *: *//p' "$dir/out/default/fuzzer_stats")
        crashes=$(sed -n 's/^saved_crashes *: *//p' "$dir/out/default/fuzzer_stats")
        [ "$crashes" = 0 ] || { echo "fuzz: $noun: AFL++ found $crashes crashes"; return 1; }
        [ "$aflruns" -le 10000 ] || break
    done
    [ "$aflruns" -gt 10000 ] || { echo "fuzz: $noun: AFL++ ran only $aflruns"; return 1; }
    echo "fuzz: $noun held for $runs inputs (libFuzzer) and $aflruns (AFL++)"
}

left=0 red=
for noun in "$@"; do
    key=$({ clang -E -P -Iinclude -Itests fuzz/$noun.c && clang --version; } | key tests/fuzz.sh)
    due fuzz $noun "$key" 3 || { left=$((left + 1)); continue; }
    if drive $noun; then passed fuzz $noun "$key"; else red="$red $noun"; fi
done
[ $left = 0 ] || echo "fuzz: $left drivers are as they were when they held"
[ -z "$red" ] || { echo "fuzz: red:$red"; exit 1; }
