#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# bpf61.sh OUT [PROGRAM...]: Debian's kernel 6.1, in a virtual machine, must load the programs of
# tests/gates/bpf/bpf.sh, and give the same digests. Its verifier forgets the bounds of values on
# the stack, and uses only comparisons with constants. The machine has one program,
# tests/gates/bpf/load.c, as its process 1.
set -eu
gate=live out=$1
shift
. tests/gates/bpf/common.sh
. tests/gates/live/common.sh
need clang-14 clang-19 qemu-system-x86_64 cpio apt-get dpkg-deb
echo '#include <bpf/libbpf.h>' | cc -E - > /dev/null 2>&1 || skip 'no <bpf/libbpf.h> here'
dir=$out/live
mkdir -p "$dir"
fetch_kernel

due live "$@"
set -- $pieces
[ $# -gt 0 ] || exit 0
rows_of "$@"
build_loader
build_all "$@"
root=$dir/root
rm -rf "$root"
mkdir -p "$root/dev" "$root/$gate-bpf" "$root/rows"
mknod "$root/dev/console" c 5 1 2> /dev/null || skip 'needs root'
cp "$out/$gate-bpf/load" "$root/init"
for c in $clangs; do
    mkdir "$root/$gate-bpf/$c"
done
list '' "$@" > "$root/list"
while read -r name object rows; do
    cp "$out$object" "$root$object"
    [ "$rows" = - ] || cp -n "$out$rows" "$root$rows"
done < "$root/list"
pack "$root" "$dir/initramfs"

boot 3600 "$dir/initramfs" '' -smp 2 > "$dir/console" || {
    tail -n 60 "$dir/console"
    echo 'live: the machine did not end by itself'
    exit 1
}
if ! tr -d '\r' < "$dir/console" | grep -aqx "load: $(wc -l < "$root/list") programs"; then
    tail -n 60 "$dir/console"
    echo 'live: the machine did not come to the end of its list'
    exit 1
fi
judge "$dir/console" "$@"
