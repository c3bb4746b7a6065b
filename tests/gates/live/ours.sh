# SPDX-License-Identifier: BSD-2-Clause
# ours.sh - a part of drive.sh. rocegen in machine 2 sends to QPs of a program in machine 1,
# without a QP in machine 2.
first=0xfffff0   # the first PSN of either side
next=0xfffff1
gap=0xfffff2

payload() { # payload N: 13 bytes
    printf '%02x0102030405060708090a0b0c' "$1"
}

# frame LAYERS... KEY=VALUE...: to machine 1. emit is --send eth0, or --hex.
frame() {
    layers=
    while [ "${1%=*}" = "$1" ]; do
        layers="$layers $1"
        shift
    done
    rocegen $emit ether $ip udp bth $layers icrc ether.src=02:00:00:00:00:02 \
        ether.dst=02:00:00:00:00:01 $ip.src="$from" $ip.dst="$to" "$@"
}

ud() { # ud N [KEY=VALUE]: a UD SEND of payload N
    frame deth payload opcode=0x64 dest_qp="$ud_qp" q_key=0x11111111 src_qp=5 \
        payload.bytes="$(payload "$1")" $2
}

rc() { # rc N PSN: an RC SEND
    frame payload opcode=4 dest_qp="$rc_qp" psn="$2" ack_req=1 \
        payload.bytes="$(payload "$1")"
}

ack() { # ack SYNDROME: for machine 1's message
    frame aeth opcode=0x11 dest_qp="$rc_qp" psn=$first syndrome="$1" msn=1
}

# comes N LINE: LINE must be the Nth line of the program, and the last.
comes() {
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        at 'cat /tmp/listen' > /tmp/log
        [ "$(wc -l < /tmp/log)" -lt "$1" ] || break
        usleep 100000
    done
    [ "$(wc -l < /tmp/log)" = "$1" ] && [ "$(tail -n 1 /tmp/log)" = "$2" ]
}

received() { # rxe counts packets with a right ICRC
    at 'cat /sys/class/infiniband/rxe0/ports/1/hw_counters/rcvd_pkts'
}

take_ours() {
    emit='--send eth0'
    at "killall verbs 2> /dev/null
        rm -f /tmp/listen
        verbs listen $gid \$(cat /run/gid$v) > /tmp/listen 2>&1 &
        until grep -qs qps /tmp/listen; do usleep 20000; done"
    set -- $(at 'cat /tmp/listen')
    ud_qp=$2 rc_qp=$3

    ud 1
    comes 2 "got ud $(payload 1)"
    said $? "ours: a UD SEND (IPv$v)"

    before=$(received)
    right=$(emit=--hex ud 2 | tail -c 9)
    ud 3 icrc.value="$right"
    ud 2
    comes 3 "got ud $(payload 2)"
    said $? "ours: one flipped bit, no completion; its twin completes (IPv$v)"
    [ $(($(received) - before)) = 1 ]
    said $? "ours: rcvd_pkts counts the twin alone (IPv$v)"

    frame cnp opcode=0x81 dest_qp="$ud_qp" becn=1
    frame cnp opcode=0x81 dest_qp="$rc_qp" becn=1
    rc 4 $first
    comes 4 "got rc $(payload 4)"
    said $? "ours: an RC SEND after CNPs to both QPs (IPv$v)"
    rc 6 $gap
    rc 5 $next
    comes 5 "got rc $(payload 5)"
    said $? "ours: a gap in PSN, no completion; what was missing completes (IPv$v)"

    at 'killall -USR1 verbs'
    ack 0x60
    usleep 300000
    at 'cat /tmp/listen' > /tmp/log
    [ "$(wc -l < /tmp/log)" = 5 ]
    said $? "ours: a NAK completes nothing (IPv$v)"
    ack 0x1f
    comes 6 'sent 0'
    said $? "ours: an ACK completes what rxe sent (IPv$v)"
}

v=4 ip=ipv4 from=192.0.2.2 to=192.0.2.1 gid=::ffff:$from
take_ours
v=6 ip=ipv6 from=2001:db8::2 to=2001:db8::1 gid=$from
take_ours
