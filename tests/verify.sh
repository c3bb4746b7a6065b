#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# verify.sh OUT JOBS GATE...: makes each gate, JOBS at a time, shows what it printed once
# it has ended, and at the end how long each took and which are red. What is dear stands
# first on the list; what is to be measured in peace is a run of its own.
set -eu
out=$1/verify jobs=$2
shift 2
mkdir -p "$out"
for gate in "$@"; do
    rm -f "$out/$gate.seconds" "$out/$gate.red"
done
export out
printf '%s\n' "$@" | xargs -P "$jobs" -I GATE sh -c '
    start=$(date +%s)
    ${MAKE:-make} --no-print-directory GATE > "$out/GATE.log" 2>&1 || touch "$out/GATE.red"
    echo $(($(date +%s) - start)) > "$out/GATE.seconds"
    cat "$out/GATE.log"'
red=
for gate in "$@"; do
    seconds=$(cat "$out/$gate.seconds")
    verdict=green
    [ ! -e "$out/$gate.red" ] || { verdict=RED; red="$red $gate"; }
    printf 'verify: %-16s %3d:%02d  %s\n' "$gate" $((seconds / 60)) $((seconds % 60)) $verdict
done
[ -z "$red" ] || { echo "verify: red:$red"; exit 1; }
