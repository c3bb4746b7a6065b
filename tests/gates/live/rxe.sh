#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# rxe.sh OUT PYTHON NOUN... has Linux's own RoCE stack, Soft-RoCE (rdma_rxe) of Debian's kernel
# 6.1, as a peer, in two connected virtual machines. rocedump must read their packets, with every
# opcode that rxe can make, as tshark does, and rxe must take rocegen's packets. In one machine a
# kernel module runs the laws of the nouns, on $out/rows.
set -eu
gate=live-rxe out=$1 python=$2
shift 2
nouns=$*
. tests/gates/bpf/common.sh
. tests/gates/live/common.sh
. tests/gates/live/module/build.sh
need qemu-system-x86_64 gcc-12 cpio apt-get dpkg-deb depmod modprobe busybox \
    ibv_rc_pingpong ib_write_bw rdma tc
echo '#include <infiniband/verbs.h>' | cc -E - > /dev/null 2>&1 ||
    skip 'no <infiniband/verbs.h> here'
dir=$out/live
root=$dir/rxe
mkdir -p "$dir"
fetch_kernel

${CC:-cc} -std=gnu99 -Wall -Wextra -O1 tests/gates/live/verbs.c -libverbs -o "$dir/verbs"
make_root "$root" ibv_rc_pingpong ibv_uc_pingpong ibv_ud_pingpong ibv_srq_pingpong \
    ib_write_bw ib_read_bw ib_send_bw ib_atomic_bw rdma tc ip "$dir/verbs" "$dir/rocegen"
cp tests/gates/live/init tests/gates/live/at.sh tests/gates/live/drive.sh tests/gates/live/ours.sh "$root/"
chmod 755 "$root/init"
build_module "$root/rocecc.ko"
mkdir "$root/rows"
for noun in $nouns; do
    cp "$out/rows/$noun.rows" "$root/rows/"
done

add_modules "$root" e1000 crc32_generic rdma_rxe ib_uverbs sch_ingress cls_u32 act_gact
pack "$root" "$dir/rxe.initramfs"

wire=$dir/wire
rm -f "$wire" "$dir/wire.pcap"
machine() { # machine N SERVER OPTION...
    n=$1 server=$2
    shift 2
    boot 3600 "$dir/rxe.initramfs" "machine=$n" \
        -netdev "stream,id=wire,server=$server,addr.type=unix,addr.path=$wire" \
        -device "e1000,netdev=wire,mac=02:00:00:00:00:0$n" "$@" > "$dir/console$n"
}
machine 1 on -object "filter-dump,id=dump,netdev=wire,file=$dir/wire.pcap" &
for _ in $(seq 50); do
    [ -S "$wire" ] || sleep 0.2
done
start=$(date +%s)
machine 2 off || true
wait
tr -d '\r' < "$dir/console1" > "$dir/laws"
tr -d '\r' < "$dir/console2" > "$dir/steps"
echo "live-rxe: two machines ran for $(($(date +%s) - start)) s"
red=0
grep -a '^rocecc: .*passed' "$dir/laws" | sed 's/^rocecc/live-rxe: laws in a module/'
if ! grep -aqx "rocecc: $(echo $nouns | wc -w) passed, 0 failed" "$dir/laws"; then
    tail -n 40 "$dir/laws"
    echo 'live-rxe: not all laws hold in the kernel'
    red=1
fi
grep -a '^rxe: ok' "$dir/steps" | sed 's/^rxe: ok/live-rxe:/'
if grep -aq FAIL "$dir/laws" "$dir/steps" || ! grep -aqx 'rxe: end' "$dir/steps"; then
    grep -av 'rxe: ok' "$dir/steps" | tail -n 60
    echo 'live-rxe: the machines did not come to a good end'
    red=1
fi
"$python" -B tests/gates/live/rxe.py "$dir/rocedump" "$dir/wire.pcap" || red=1
exit $red
