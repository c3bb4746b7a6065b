#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fuzz_log.sh add DRIVER ENGINE RUNS FEATURES FOUND adds a campaign to fuzz/LOG.md. All runs of a
# driver by an engine on one day are one row.
#
# fuzz_log.sh [DRIVER...] prints sums for these drivers, or for all, and the runs that their
# goals still lack. A row counts if its key is the driver's present key. The key is a hash of the
# driver's code in fuzz/ and tests/, as preprocessed, without the headers, which are under test.
set -eu

log=fuzz/LOG.md

# key_of DRIVER
key_of() {
    clang -E -Iinclude -Itests -DROCECC_FN='static inline' "fuzz/$1.c" |
        awk '/^# [0-9]/ { ours = $3 ~ /^"(fuzz|tests)\// ; next } ours && NF' |
        sha256sum | cut -c 1-8
}

# The walk, the formats from untrusted senders, and the gates have ten times the goal.
goal_of() {
    case $1 in
    packet | ip6opt | fastcnp | arn | l3qcn | ioam | ifa | intmd | arn_gate | cnpgate)
        echo 100000000 ;;
    *) echo 10000000 ;;
    esac
}

add() {
    key=$(key_of "$1")
    [ -e $log ] || head_of > $log
    DRIVER=$1 KEY=$key ENGINE=$2 RUNS=$3 FT=${4:-0} FOUND=${5:-} DATE=$(date -u +%F) \
        awk -F ' *[|] *' '
        function row(runs, ft, found) {
            gsub(/[|]/, "/", found)
            return "| " ENVIRON["DATE"] " | " ENVIRON["DRIVER"] " | " ENVIRON["KEY"] " | " \
                ENVIRON["ENGINE"] " | " runs " | " ft " | " found " |"
        }
        $2 == ENVIRON["DATE"] && $3 == ENVIRON["DRIVER"] && $4 == ENVIRON["KEY"] &&
            $5 == ENVIRON["ENGINE"] && !done {
            ft = ENVIRON["FT"] + 0 > $7 + 0 ? ENVIRON["FT"] : $7
            found = ENVIRON["FOUND"] == "" || index($8, ENVIRON["FOUND"]) ? $8 : \
                ($8 == "" ? "" : $8 "; ") ENVIRON["FOUND"]
            printf "%s\n", row(sprintf("%d", $6 + ENVIRON["RUNS"]), ft, found)
            done = 1
            next
        }
        { print }
        END { if (!done) print row(ENVIRON["RUNS"], ENVIRON["FT"], ENVIRON["FOUND"]) }
        ' $log > $log.$$
    mv $log.$$ $log
}

head_of() {
    cat << 'EOF'
<!-- SPDX-License-Identifier: BSD-2-Clause -->
# What the fuzzers have run

Each row counts the runs of one driver by one engine on one day. `FUZZ_LOG=1 make fuzz`
(`tests/gates/fuzz.sh`) adds the rows, and `sh tests/gates/fuzz_log.sh` prints their sums and the
runs that the goals still lack. `libfuzzer-san` uses ASan and UBSan. `libfuzzer-plain` uses neither,
at -O2. For both, the row shows the inputs run and libFuzzer's features. For `afl++`, it shows the
runs and the edges found. The key is a hash of the driver's preprocessed code from `fuzz/` and
`tests/`. If this code changes, rows with the old key no longer count.

| date | driver | key | engine | runs | features | found |
|---|---|---|---|---|---|---|
EOF
}

sums() {
    printf '%-20s %14s %14s %14s %12s\n' driver sanitizers plain afl++ 'still lacks'
    for driver in "$@"; do
        DRIVER=$driver KEY=$(key_of "$driver") GOAL=$(goal_of "$driver") awk -F ' *[|] *' '
            $3 == ENVIRON["DRIVER"] && $4 == ENVIRON["KEY"] { n[$5] += $6; all += $6 }
            END {
                lacks = ENVIRON["GOAL"] - all
                printf "%-20s %14.0f %14.0f %14.0f %12.0f\n", ENVIRON["DRIVER"],
                    n["libfuzzer-san"], n["libfuzzer-plain"], n["afl++"],
                    (lacks > 0 ? lacks : 0)
            }' $log
    done | awk '{ print; n++; missing += $5; done += $5 == 0 }
        END { printf "fuzz: %d of %d drivers have their goal; %.0f runs are missing\n",
            done, n, missing }'
}

case ${1:-} in
add)
    shift
    add "$@"
    ;;
*)
    [ -e $log ] || head_of > $log
    [ $# -gt 0 ] || set -- $(cd fuzz && ls ./*.c diff/*.c 2> /dev/null | sed 's/^\.\///; s/\.c$//')
    sums "$@"
    ;;
esac
