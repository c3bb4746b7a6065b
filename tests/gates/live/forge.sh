# SPDX-License-Identifier: BSD-2-Clause
# forge.sh - a part of pace.sh. While the two QPs write, machine 1 forges notifications to
# machine 2, about each of them, 15 to 60 a second, as fast as it can. "pace: forged NAME BYTES"
# has the bytes that machine 1 gets in each 8 s.
set -- $(/sbin/rdma resource show qp | sed -n 's/.* lqpn \([0-9]*\) rqpn \([1-9][0-9]*\) .*/\1 \2/p')
own="$1 $3" others="$2 $4" each=8

# phase NAME [QP... -- NOTIFICATION KEY=VALUE...]: @ in a value is the QP
phase() {
    what=$1
    shift
    qps=
    while [ "${1:---}" != -- ]; do
        qps="$qps $1"
        shift
    done
    [ $# = 0 ] || shift
    at "rm -f /tmp/stop
        [ -z '$*' ] || while [ ! -e /tmp/stop ]; do
            for qp in $qps; do
                rocegen --send eth0 --count 10 --gap-ns 10000000 \
                    \$(echo '$*' | sed s/@/\$qp/) ether.dst=02:00:00:00:00:02 \
                    ether.src=02:00:00:00:00:01
            done
        done > /dev/null 2>&1 &
        b=\$(cat /sys/class/net/eth0/statistics/rx_bytes)
        sleep $each
        echo \$((\$(cat /sys/class/net/eth0/statistics/rx_bytes) - b))
        touch /tmp/stop" | sed "s/^/pace: forged $what /"
}

sleep 4 # start-up time
to=dst=2001:db8::2 stranger=src=2001:db8::66 about="flow_dst=2001:db8::1 icrc.rule=stripped"
phase nothing
phase fast_cnps_of_a_stranger $others -- fastcnp $stranger $to $about dest_qp=@
phase cnps_of_a_stranger $own -- cnp $stranger $to dest_qp=@
phase arns - -- arn flow.src=2001:db8::2 flow.dst=2001:db8::1
phase cnps_as_from_the_peer $own -- cnp src=2001:db8::1 $to dest_qp=@
stop_sender
start_sender $(word sender) ::/0 admission.unlimited=1
sleep 4
phase nothing_without_a_gate
phase fast_cnps_without_a_gate $others -- fastcnp $stranger $to $about dest_qp=@
phase cnps_as_from_the_peer_without_a_limit $own -- cnp src=2001:db8::1 $to dest_qp=@
