#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# dropins.sh OUT floods examples/l3qcn and examples/dpdk with their default settings, in
# simulated time (dropin.h).
set -eu
out=$1
mkdir -p "$out"
here=tests/gates/flood
# flood PROGRAM ARGUMENT... prints the results, or all output after a failure.
flood() {
    program=$1
    shift
    for n in 1 2 4; do
        if ! "$out/$program" $n "$@" > "$out/$program.log" 2>&1; then
            cat "$out/$program.log"
            echo "flood: an example loses honest notifications, or admits others: $program $n"
            exit 1
        fi
        grep '^flood:' "$out/$program.log"
    done
}
warn='-Wall -Wextra -Werror'
gcc -std=gnu99 -O2 $warn -Iinclude $here/tor.c $here/dropin.c examples/l3qcn/tor.c \
    -o "$out/flood-tor"
flood flood-tor
if ! pkg-config --exists libdpdk; then
    echo 'flood: no DPDK here: examples/dpdk: skipped'
    [ -z "${CI:-}" ] || exit 1
    exit 0
fi
# The included main.c of the example is only partly called, so unused functions give no warning.
# Neither do DPDK's headers.
gcc -std=gnu99 -O2 $warn -Wno-unused-function -Iinclude \
    $(pkg-config --cflags libdpdk | sed 's/-I/-isystem /g') $here/dpdk.c $here/dropin.c \
    examples/dpdk/pipeline.c examples/dpdk/segments.c examples/dpdk/table.c \
    examples/dpdk/bench.c examples/lib/prefix.c $(pkg-config --libs libdpdk) \
    -o "$out/flood-dpdk"
run=$(cd "$out" && pwd)
export XDG_RUNTIME_DIR="$run" RUNTIME_DIRECTORY="$run"
flood flood-dpdk "$out/connections"
