# SPDX-License-Identifier: BSD-2-Clause
# drive.sh - runs in machine 2, and by at() in machine 1. Each step prints "rxe: ok STEP" or
# "rxe: FAIL STEP". The last line is "rxe: end".
. /at.sh

said() { # said STATUS STEP
    if [ "$1" = 0 ]; then
        echo "rxe: ok $2"
    else
        echo "rxe: FAIL $2"
        tail -n 5 /tmp/log
    fi
}

# both GID PORT COMMAND... starts the command in machine 1, waits until it listens at that port,
# and runs it here, each with its GID index.
both() {
    gid=$1 port=$2
    shift 2
    at "rm -f /tmp/status
        (timeout 600 $* \$(cat /run/gid$gid); echo \$? > /tmp/status) > /tmp/log 2>&1 &
        until grep -qi ':$(printf %04X "$port") .* 0A ' /proc/net/tcp /proc/net/tcp6; do
            usleep 20000; [ ! -e /tmp/status ] || break
        done"
    timeout 600 "$@" "$(cat "/run/gid$gid")" "$one" > /tmp/log 2>&1
    rc=$?
    there=$(at 'until [ -e /tmp/status ]; do usleep 20000; done
        grep -qx 0 /tmp/status || tail -n 5 /tmp/log; cat /tmp/status')
    [ "$there" = 0 ] || echo "machine 1: $there" >> /tmp/log
    [ "$rc $there" = '0 0' ]
    said $? "$* (IPv${gid#1})"
}

# Packets of Linux's own programs, over both versions of IP and MTUs from 256 to 4096.
for g in 4 6; do
    for kind in rc uc srq; do
        both $g 18515 ibv_${kind}_pingpong -n 10 -s 3000 -m 1024 -g
    done
    both $g 18515 ibv_ud_pingpong -n 10 -s 1000 -g
    both $g 18515 ib_write_bw -n 10 -s 10000 -m 4096 -F -x
    both $g 18515 ib_read_bw -n 10 -s 10000 -m 2048 -F -x
    both $g 18515 ib_send_bw -n 10 -s 1000 -m 256 -F -x
    both $g 18515 ib_send_bw -c UC -n 10 -s 1000 -m 512 -F -x
    both $g 18515 ib_send_bw -c UD -n 10 -s 1000 -F -x
    both $g 18515 ib_atomic_bw -n 10 -F -x
    both $g 18515 ib_atomic_bw -A CMP_AND_SWAP -n 10 -F -x
    for mtu in 256 512 1024 2048 4096; do
        both 1$g 7471 verbs exchange $mtu
    done
done

# For NAKs, one packet in 10 is lost at random, on its way in, because rxe notices a loss on its
# way out. If every 10th were lost, rxe might repeat the same ones for ever. Without the path, the
# shell would take busybox's own tc.
at '/sbin/tc qdisc add dev eth0 clsact
    for ip in ip ip6; do
        /sbin/tc filter add dev eth0 ingress protocol ${ip/ip6/ipv6} \
            u32 match $ip protocol 17 0xff match $ip dport 4791 0xffff \
            action pass random netrand drop 10
    done' 2>&1
for g in 4 6; do
    both $g 18515 ib_write_bw -n 10 -s 10000 -m 1024 -F -x
done
at '/sbin/tc qdisc del dev eth0 clsact'

. /ours.sh

echo 'rxe: end'
at 'touch /run/end'
