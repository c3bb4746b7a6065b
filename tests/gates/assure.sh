#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# assure.sh GATE... runs gates too slow for .ci/run: fuzzing by time and by AFL++, every mutant,
# timings beside peers, longer runs of hosts. tests/record/assure keeps each gate's last pass,
# with include/'s hash as the tree:
#     GATE  date  tree  minutes  its last line
set -eu
record=tests/record/assure
mkdir -p tests/record build
tree=$(find include -name '*.h' | LC_ALL=C sort | xargs cat | sha256sum | cut -c 1-12)
bad=0
for gate in "$@"; do
    start=$(date +%s)
    case $gate in
    fuzz) effort='FUZZ_SECONDS=30 FUZZ_LOG=1' ;;
    *) effort=FULL=1 ;;
    esac
    if ! ${MAKE:-make} --no-print-directory "$gate" $effort > "build/assure.$gate" 2>&1; then
        tail -n 30 "build/assure.$gate"
        echo "assure: $gate is red"
        bad=1
        continue
    fi
    { grep -v "^$gate " $record 2> /dev/null || true
        echo "$gate $(date +%F) $tree $((($(date +%s) - start + 30) / 60)) min:" \
            "$(tail -n 1 "build/assure.$gate")"; } | LC_ALL=C sort > $record.$$
    mv $record.$$ $record
    grep "^$gate " $record
done
exit $bad
