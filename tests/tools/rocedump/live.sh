#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# live.sh OUT PYTHON: frames from a pipe or an interface are shown at once, and a signal
# ends the capture with a summary. The interfaces are in a new network namespace.
set -eu
out=$1 python=$2
dump=$out/rocedump san=$out/rocedump-san
t=$out/live
gate=live
. tests/lib/expect.sh

# lines N FILE: waits up to 10 s for N lines in a file.
lines() {
    for _ in $(seq 100); do
        [ "$(wc -l < "$2")" -lt "$1" ] || return 0
        sleep 0.1
    done
    return 1
}

# The writer holds the pipe open, on fd 3.
frames=vectors/pcap/frame.pcap
mkfifo "$t/pipe"
first=$(od -A n -t u4 -j 32 -N 4 "$frames" | tr -d ' ')
for o in -l ''; do
    : > "$t/out"
    "$san" --json $o - < "$t/pipe" > "$t/out" 2> "$t/stderr" &
    pid=$! n=$((n + 1))
    exec 3> "$t/pipe"
    head -c $((24 + 16 + first)) "$frames" >&3
    lines 1 "$t/out" || fail "pipe $o: the first frame is not shown"
    tail -c +$((24 + 16 + first + 1)) "$frames" >&3
    exec 3>&-
    wait $pid || fail "pipe $o: $(head -n 3 "$t/stderr")"
    "$dump" --json "$frames" | cmp -s - "$t/out" ||
        fail "pipe $o: the output differs from the file's"
done
: > "$t/out"
"$san" --json "$t/pipe" < /dev/null 2> "$t/stderr" | jq --unbuffered .bth.dest_qp > "$t/out" &
exec 3> "$t/pipe"
head -c $((24 + 16 + first)) "$frames" >&3
lines 1 "$t/out" || fail 'pipe to jq: the first frame is not shown'
[ "$(cat "$t/out")" = 280 ] || fail 'pipe to jq: not the QP'
exec 3>&-
wait

# A signal ends the capture of an open pipe, and all frames are counted.
"$san" --summary "$t/pipe" > "$t/out" 2> "$t/stderr" &
pid=$!
exec 3> "$t/pipe"
cat "$frames" >&3
sleep 1
kill -INT $pid
rc=0
wait $pid || rc=$?
exec 3>&-
[ $rc = 0 ] || fail "SIGINT: status $rc: $(head -n 3 "$t/stderr")"
"$dump" --summary "$frames" | cmp -s - "$t/out" ||
    fail "SIGINT: the summary differs from the file's"

[ "$(id -u)" = 0 ] || {
    [ -z "${CI:-}" ] || fail 'needs root'
    echo 'live: interfaces: skipped without root'
    exit $bad
}
peer ip || exit $bad
space=rocedump-$$
ip netns add $space
trap 'ip netns del $space' EXIT
in_space() { ip netns exec $space "$@"; }
in_space ip link set lo up
in_space ip link add name near type veth peer name far
in_space ip link set near up
in_space ip link set far up

# listen IFACE OPTION...: starts, and waits until it listens. heard waits for its end.
listen() {
    : > "$t/stderr"
    timeout --foreground 60 ip netns exec $space "$san" -i "$@" > "$t/stdout" 2> "$t/stderr" &
    pid=$! n=$((n + 1))
    lines 1 "$t/stderr" || fail "$*: does not listen"
}
heard() {
    rc=0
    wait $pid || rc=$?
    [ $rc = 0 ] || fail "$1: status $rc: $(head -n 3 "$t/stderr")"
}
listen far --json -c 3 -f 'udp port 4791'
in_space "$python" tests/tools/rocedump/live.py near 4
heard veth
[ "$(wc -l < "$t/stdout")" = 3 ] || fail 'veth: not 3 frames'
holds '.bth.dest_qp == 280 and .icrc.ok and .stack[0] == "ether" and .len == 74'
holds '(.time_ns / 1000000000 - now) | fabs < 60'
listen any --json -c 2 -Y cnp
in_space "$python" tests/tools/rocedump/live.py lo 4
heard any
holds '.bth.dest_qp == 280 and .stack[0] == "sll"'
listen lo --summary -f 'udp port 4791'
in_space "$python" tests/tools/rocedump/live.py lo 2
sleep 1
kill -TERM $pid
heard 'lo, SIGTERM'
shown '[24]    CNPs$'
expect 1 '^rocedump: nowhere: unknown interface; ' in_space "$san" -i nowhere
if peer setpriv; then
    expect 1 '^rocedump: lo: no permission to capture packets: .*CAP_NET_RAW$' in_space \
        setpriv --bounding-set -all --inh-caps -all "$dump" -i lo
fi
in_space ip link add idle type veth peer name other
expect 1 "^rocedump: idle: the interface is down; 'ip link set idle up'" in_space "$san" -i idle
expect 2 "filter 'udp prt': " in_space "$san" -i lo -f 'udp prt'
[ $bad = 0 ] && echo "live: rocedump does as expected in $n runs"
exit $bad
