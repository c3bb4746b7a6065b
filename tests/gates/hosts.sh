#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# hosts.sh OUT PYTHON [NAME...] builds and runs examples/NAME against its framework, by
# tests/gates/hosts/NAME.sh OUT/hosts/NAME PYTHON. Without a name, it runs all that are due. It
# prints the time of each, and the red ones.
set -u
. tests/lib/record.sh
out=$1/hosts python=$2
shift 2
due hosts "$@"
red='' seconds=''
for host in $pieces; do
    start=$(date +%s) verdict=green
    mkdir -p "$out/$host"
    if sh "tests/gates/hosts/$host.sh" "$out/$host" "$python"; then
        record passed hosts "$host"
    else
        verdict=RED red="$red $host"
    fi
    seconds="${seconds}hosts: $host $(($(date +%s) - start)) s $verdict
"
done
printf %s "$seconds"
[ -z "$red" ] || { echo "hosts: red:$red"; exit 1; }
