#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# load.sh FOLDER: loads both objects into the running kernel, and runs the sender's
# programs on two frames. `make live-softroce` loads the same files into Linux 6.1.
set -eu
skip() {
    echo "softroce-test: $1: skipped"
    [ -z "${CI:-}" ] && exit 0 || exit 1
}
folder=$1
command -v bpftool > /dev/null || skip 'no bpftool here'
pins=$(mktemp -d)
trap 'umount "$pins" 2> /dev/null; rmdir "$pins"' EXIT
mount -t bpf bpf "$pins" 2> /dev/null || skip 'needs root, and a kernel with BPF'
for object in "$folder/sender.o" "$folder/receiver.o"; do
    bpftool prog loadall "$object" "$pins/programs" > "$object.log" 2>&1 || {
        tail -n 20 "$object.log"
        echo "softroce-test: $(uname -r) refuses $object"
        exit 1
    }
    echo "softroce-test: $(uname -r) loads $(ls "$pins/programs" | tr '\n' ' ')of $object"
    rm -rf "$pins/programs"
done
"$folder/silence" "$folder/sender.o" \
    "$("$folder/rocegen" ether ipv6 udp bth payload icrc ipv6.src=2001:db8::2 \
        ipv6.dst=2001:db8::1 bth.opcode=7 bth.dest_qp=18 payload.length=1024)" \
    "$("$folder/rocegen" cnp src=2001:db8::1 dst=2001:db8::2 dest_qp=17)"
