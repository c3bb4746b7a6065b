#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# verify.sh OUT JOBS GATE... makes each gate that has something to run, JOBS at a time, and shows
# its output once it has ended. At the end it prints the minutes and the CPU seconds of each
# gate, and the red gates. A gate that waits for a clock (CLOCKED in tests/gates/gates.py) and is
# red runs once more, alone, before its verdict counts. FULL=1: every piece of every gate runs,
# even if it is on record, and tests/record/minutes gets its row when the pass is copied there.
set -eu
. tests/lib/record.sh
out=$1/verify jobs=$2
shift 2
rm -rf "$out"
mkdir -p "$out"
full=${FULL:-}
unset FULL && [ -n "$full" ] || export ONLY_DUE=1
due=$(record gates "$@")
# Rows that several gates read are made before any gate runs.
sh tests/gates/rows.sh "${out%/verify}" "$jobs" $due

# Each gate runs in its own shell, so that `times` counts only the children of this gate.
cat > "$out/one.sh" << 'END'
gate=$1 out=$2
. tests/lib/record.sh
record due "$gate" > /dev/null
start=$(date +%s)
if ${MAKE:-make} --no-print-directory "$gate" > "$out/$gate.log" 2>&1; then
    verdict=green
    [ "$(record keys "$gate" | cut -d ' ' -f 1)" != all ] || record passed "$gate" all
else
    verdict=RED
fi
seconds=$(($(date +%s) - start))
times > "$out/$gate.times"
tail -n 1 "$out/$gate.times" | sed 's/[ms]/ /g' | awk -v g="$gate" -v s="$seconds" -v v="$verdict" \
    '{ printf "%-16s %3d:%02d %6d CPU s  %s\n", g, s / 60, s % 60, $1 * 60 + $2 + $3 * 60 + $4, v }' \
    > "$out/$gate.row"
cat "$out/$gate.log"
END
printf '%s\n' $due | xargs -r -P "$jobs" -I GATE sh "$out/one.sh" GATE "$out"

clocked=" $("${PYTHON:-/usr/bin/python3}" -B -c \
    'import sys; sys.path[:0] = ["tests/gates", "tests"]; import gates; print(*gates.CLOCKED)') "
for gate in $due; do
    if grep -q RED "$out/$gate.row" && [ "${clocked#* "$gate" }" != "$clocked" ]; then
        sed 's/^/verify: alone once more: /' "$out/$gate.row"
        sh "$out/one.sh" "$gate" "$out"
    fi
done
for gate in "$@"; do
    [ -e "$out/$gate.row" ] || printf '%-16s passed as it is now\n' "$gate" > "$out/$gate.row"
    sed 's/^/verify: /' "$out/$gate.row"
    cat "$out/$gate.row" >> "$out/minutes"
done
[ -z "$full" ] || { mkdir -p build/record; grep 'green$' "$out/minutes" >> build/record/minutes; } || :
record news
red=$(sed -n 's/ .*RED$//p' "$out/minutes" | xargs)
[ -z "$red" ] || { echo "verify: red: $red"; exit 1; }
