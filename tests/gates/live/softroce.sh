#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# softroce.sh OUT RUN... slows down Linux's own RoCE stack, Soft-RoCE, by examples/softroce.
# There are two virtual machines with examples/softroce/switch.c between them. Its port to the
# receiver has 20 Mbit/s. A RUN is WAY.NUMBER, and OUT/softroce/WAY.NUMBER.tsv is the switch's
# log. The ways:
#   rxe      untouched
#   caps     paced at caps of 40 Mbit/s each, and CNPs change nothing
#   cnp      DCQCN, by CNPs from the receiver
#   fastcnp  DCQCN, by Fast CNPs from the switch
#   ioam     DCQCN by CNPs, and the switch writes into the trace of each data packet
#   forged   like fastcnp, while the receiver forges notifications of all kinds
set -eu
gate=live-softroce out=$1
shift
. tests/gates/bpf/common.sh
. tests/gates/live/common.sh
need qemu-system-x86_64 cpio apt-get dpkg-deb depmod modprobe busybox ib_write_bw \
    ibv_rc_pingpong rdma tc
dir=$out/live
root=$dir/softroce
runs=$out/softroce
mkdir -p "$dir" "$runs"
fetch_kernel
make_root "$root" ib_write_bw ibv_rc_pingpong rdma tc ip "$out/softroce/softroce" \
    "$out/softroce/rocegen"
cp "$out/softroce/sender.o" "$out/softroce/receiver.o" "$root/sbin/"
cp tests/gates/live/init tests/gates/live/at.sh tests/gates/live/forge.sh "$root/"
cp tests/gates/live/pace.sh "$root/drive.sh"
chmod 755 "$root/init"
add_modules "$root" e1000 crc32_generic rdma_rxe ib_uverbs sch_ingress cls_bpf sch_fq
pack "$root" "$dir/softroce.initramfs"

machine() { # machine N WORDS
    boot 3600 "$dir/softroce.initramfs" "machine=$1 $2" \
        -netdev "stream,id=wire,server=off,addr.type=unix,addr.path=$dir/port$1" \
        -device "e1000,netdev=wire,mac=02:00:00:00:00:0$1" > "$runs/$run.console$1"
}
red=0
for run in "$@"; do
    way=${run%%.*} ecn=0 fast=0 ioam=0 perftest=-u,18
    sender=line_bps=40000000 receiver=line_bps=40000000
    case $way in
    rxe) perftest= ;;
    caps) sender=$sender,deaf=1 ;;
    cnp) ecn=1 ;;
    ioam) ecn=1 ioam=0xa01 sender=$sender,ioam=1 receiver=$receiver,ioam=1 ;;
    fastcnp | forged)
        ecn=1 fast=1 sender=$sender,fastcnp.type_plain=0x9e,2001:db8::5/128
        # CNPs beyond the peer's interval are forged, so they are limited.
        [ $way = fastcnp ] ||
            sender=$sender,2001:db8::1/128,ordinary_listed=1,admission.source.rate_per_s=40
        ;;
    esac
    rm -f "$dir/port1" "$dir/port2" "$runs/$run".*
    # Port 1 of the switch is for the sender, machine 2.
    "$out/softroce/switch" "$dir/port2" "$dir/port1" gap_us=50000 ecn=$ecn fastcnp=$fast \
        ioam=$ioam log="$runs/$run.tsv" > "$runs/$run.switch" &
    switch=$!
    for _ in $(seq 50); do
        [ -S "$dir/port2" ] && [ -S "$dir/port1" ] && break
        sleep 0.1
    done
    machine 1 '' &
    machine 2 "way=$way seconds=${SECONDS_EACH:-40} perftest=$perftest \
        sender=$sender receiver=$receiver" || true
    wait "$switch" || { echo "live-softroce: $run: the switch failed"; red=1; }
    wait
    tr -d '\r' < "$runs/$run.console2" | sed -n 's/^pace: //p' > "$runs/$run.said"
    sed -n 's/^qp //p' "$runs/$run.said" > "$runs/$run.qps"
    if grep -q FAIL "$runs/$run.said" || ! grep -qx end "$runs/$run.said"; then
        tail -n 40 "$runs/$run.console2" "$runs/$run.console1"
        echo "live-softroce: $run did not come to a good end"
        red=1
    fi
    # Both flows must be slowed down, each CNP must name a known QP, and less than 8 % must be
    # lost. Without control, 20 % and more are lost.
    case $way in cnp | fastcnp | ioam)
        told=$way
        [ $way != ioam ] || told=cnp
        awk -F '\t' -v way=$told -v run="$run" '
            FILENAME ~ /qps$/ {split($0, qp, " "); is[way == "cnp" ? qp[1] : qp[2]]; next}
            $1 == "offered" {n++; if ($8 == "full") lost++}
            $1 == way {told++; if (!($3 in is)) wrong++; of[$3]}
            END {
                printf "live-softroce: %s: %d packets, %d lost, %d notifications for %d QPs," \
                    " %d for none that there is\n", run, n, lost, told, length(of), wrong
                exit !(n > 1000 && lost < 0.08 * n && length(is) == 2 && length(of) == 2 &&
                    wrong == 0)
            }' "$runs/$run.qps" "$runs/$run.tsv" || red=1
        [ "$(grep -c '^sender flow .* [1-9][0-9]* cuts' "$runs/$run.said")" = 2 ] ||
            { echo "live-softroce: $run: a flow was not cut"; red=1; }
        [ $way != ioam ] || grep -q '^receiver trace: node 2561, ' "$runs/$run.said" ||
            { echo "live-softroce: $run: no trace came"; red=1; }
        ;;
    forged) # unlisted sources change nothing with the gate, and much without it
        awk -v run="$run" '
            $1 == "forged" {is[$2] = $3}
            $1 == "sender" && ($2 == "access_denied" || $2 == "rate_limited") {
                refused[$2] = $3
            }
            END {
                n = is["nothing"]; open = is["nothing_without_a_gate"]
                fine = is["fast_cnps_of_a_stranger"] > 0.8 * n &&
                    is["cnps_of_a_stranger"] > 0.8 * n && is["arns"] > 0.8 * n &&
                    open > 0.8 * n &&
                    is["fast_cnps_without_a_gate"] < 0.5 * open &&
                    is["cnps_as_from_the_peer_without_a_limit"] < 0.5 * open &&
                    refused["access_denied"] > 100 && refused["rate_limited"] > 50
                if (!fine) print "live-softroce: " run ": not as the gate promises"
                exit !fine
            }' "$runs/$run.said" || red=1
        ;;
    esac
done
exit $red
