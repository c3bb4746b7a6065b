#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# assure.sh GATE...: each gate in full, and what came of it into tests/record/assure:
#     GATE  date  tree  minutes  its last line
# The tree is the hash of include/, so that a reader can tell which headers it was. Of
# prove, bpf and live each piece has its record already, keyed by all that it depends on:
# here those run that have not passed as they are now.
set -eu
record=tests/record/assure
mkdir -p tests/record
tree=$(find include -name '*.h' | LC_ALL=C sort | xargs cat | sha256sum | cut -c 1-12)
bad=0
for gate in "$@"; do
    start=$(date +%s)
    case $gate in
    prove | bpf | live) full= ;;
    fuzz) full='FULL=1 FUZZ_LOG=1' ;;
    *) full=FULL=1 ;;
    esac
    if ! ${MAKE:-make} --no-print-directory "$gate" $full > "build/assure.$gate" 2>&1; then
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
