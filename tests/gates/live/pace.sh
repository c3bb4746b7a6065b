# SPDX-License-Identifier: BSD-2-Clause
# pace.sh - runs in machine 2 of softroce.sh, as its drive.sh. Two QPs of ib_write_bw write to
# machine 1, over IPv6. The kernel's command line names the way of softroce.sh. Lines: "pace: ok
# STEP", "pace: FAIL STEP", "pace: said ...", and at last "pace: end".
. /at.sh
words=$(cat /proc/cmdline)
word() { # word NAME, from the kernel's command line
    case " $words " in *" $1="*)
        value=${words#*"$1="}
        echo "${value%% *}" | tr , ' ' ;;
    esac
}
way=$(word way) seconds=$(word seconds)

fail() {
    echo "pace: FAIL $1"
    sed 's/^/pace: said /' /tmp/log
}

# Equal QP numbers in both machines would hide a mix-up, so machine 1 opens a QP more.
at 'ibv_rc_pingpong -p 18600 > /dev/null 2>&1 &
    until grep -q ":48A8 .* 0A " /proc/net/tcp /proc/net/tcp6; do usleep 20000; done'

at "softroce eth0 receiver $(word receiver) > /tmp/softroce 2>&1 &
    until grep -q 'is on' /tmp/softroce; do usleep 20000; kill -0 \$! || break; done
    cat /tmp/softroce" > /tmp/log
if grep -q 'is on' /tmp/log; then echo 'pace: ok receiver'; else fail receiver; fi
start_sender() { # start_sender WORD...
    since=$(cut -d . -f 1 /proc/uptime)
    softroce eth0 sender "$@" > /tmp/sender 2>&1 &
    for _ in $(seq 2000); do
        grep -q 'is on' /tmp/sender && break
        usleep 50000
    done
    cp /tmp/sender /tmp/log
    since=$(($(cut -d . -f 1 /proc/uptime) - since))
    if grep -q 'is on' /tmp/sender; then echo "pace: ok sender after $since s"; else fail sender; fi
}
stop_sender() {
    killall -INT softroce
    while [ "$(pidof softroce)" ]; do usleep 50000; done
    sed 's/^/pace: sender /' /tmp/sender
}
if [ "$way" != rxe ]; then
    /sbin/tc qdisc replace dev eth0 root fq
    start_sender $(word sender)
fi

command="ib_write_bw -F -q 2 -D $seconds -s 65536 -m 1024 $(word perftest) -x"
at "($command \$(cat /run/gid6); echo \$? > /tmp/status) > /tmp/server 2>&1 &
    until grep -q ':4853 .* 0A ' /proc/net/tcp /proc/net/tcp6; do usleep 20000; done"
$command "$(cat /run/gid6)" "$one" > /tmp/log 2>&1 &
client=$!
# Prints the connected QPs: the sender's, the receiver's.
until /sbin/rdma resource show qp | grep -q 'rqpn [1-9]'; do
    kill -0 $client 2> /dev/null || break
    usleep 50000
done
/sbin/rdma resource show qp | sed -n 's/.* lqpn \([0-9]*\) rqpn \([1-9][0-9]*\) .*/pace: qp \1 \2/p'
[ "$way" != forged ] || . /forge.sh
if wait $client; then
    echo 'pace: ok ib_write_bw'
    grep '^ *65536' /tmp/log | sed 's/^/pace: said /'
else
    fail ib_write_bw
fi
if [ "$way" != rxe ]; then
    stop_sender
    /sbin/tc -s qdisc show dev eth0 | sed 's/^/pace: said /'
    /sbin/tc filter show dev eth0 egress | grep -q . && echo 'pace: FAIL a filter is left'
fi
at 'killall -INT softroce; sleep 1; cat /tmp/softroce' | sed 's/^/pace: receiver /'
echo 'pace: end'
at 'touch /run/end'
