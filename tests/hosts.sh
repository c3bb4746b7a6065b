#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# hosts.sh OUT PYTHON [NAME...]: builds and runs examples/NAME against the framework that it
# is for, by tests/hosts/NAME.sh OUT/hosts/NAME PYTHON; without a name, all. Says last how
# long each took, and which are red.
set -u
out=$1/hosts python=$2
shift 2
[ $# -gt 0 ] || set -- $(basename -s .sh tests/hosts/*.sh)
red=
for host in "$@"; do
    start=$(date +%s) verdict=green
    mkdir -p "$out/$host"
    sh "tests/hosts/$host.sh" "$out/$host" "$python" || { verdict=RED; red="$red $host"; }
    seconds="${seconds:-}hosts: $host $(($(date +%s) - start)) s $verdict
"
done
printf %s "$seconds"
[ -z "$red" ] || { echo "hosts: red:$red"; exit 1; }
