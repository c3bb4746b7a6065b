#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# bpf.sh OUT NOUN...: the kernel's verifier loads each program, and its digest of
# every packet is the host's.
set -eu
out=$1
shift
for tool in clang bpftool jq; do
    command -v $tool > /dev/null && continue
    echo "bpf: no $tool here: skipped"
    [ -z "${CI:-}" ] && exit 0 || exit 1
done
if [ "$(id -u)" != 0 ]; then
    echo 'bpf: needs root: skipped'
    [ -z "${CI:-}" ] && exit 0 || exit 1
fi
fs=/sys/fs/bpf
grep -q " $fs bpf" /proc/mounts || mount -t bpf bpf $fs
pin=$fs/rocecc-$$
trap 'rm -f $pin' EXIT
mkdir -p "$out/bpf"
for noun in "$@"; do
    clang -target bpf -mcpu=v3 -O2 -std=c99 -ffreestanding -Wall -Wextra -Iinclude -Itests \
        -c tests/bpf/$noun.c -o "$out/bpf/$noun.o"
    if ! bpftool -d prog load "$out/bpf/$noun.o" $pin > "$out/bpf/$noun.log" 2>&1; then
        tail -n 30 "$out/bpf/$noun.log"
        echo "bpf: the verifier refuses $noun"
        exit 1
    fi
    n=0
    while read -r file digest; do
        got=$(bpftool -j prog run pinned $pin data_in "$file" repeat 1 | jq .retval)
        if [ "$got" != "$digest" ]; then
            echo "bpf: $noun: $file: the kernel gives $got, the host $digest"
            exit 1
        fi
        n=$((n + 1))
    done < "$out/rows/$noun.digests"
    [ $n -gt 0 ] || { echo "bpf: $noun: no packet"; exit 1; }
    rm -f $pin
    echo "bpf: $noun: $(sed -n 's/^processed \([0-9]*\) insns.*/\1/p' "$out/bpf/$noun.log")" \
        "instructions verified, $n digests agree"
done
