#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run.sh [OUT [SECONDS]]: runs L3QCN between network namespaces, as root. A host's two
# flows, over IPv4 and over IPv6, cross a routed network to a congested switch. The
# switch notifies the host through the host's ToR, and the host slows down. OUT
# (build/l3qcn) then has captures of three links, and the log of each node.
#
#   host --------- tor ------------ fabric ------------ switch --------- receiver
#     tor        host     fabric   tor   |   switch   fabric     receiver   switch
#                              the kernel forwards
set -eu
cd "$(dirname "$0")/../.."
out=${1:-build/l3qcn} seconds=${2:-2}
port=51966
if [ "$(id -u)" != 0 ]; then
    echo 'run.sh: run it as root, because network namespaces need it' >&2
    exit 1
fi
mkdir -p "$out"
rm -f "$out"/*.log "$out"/*.pcap
${CC:-cc} -std=c99 ${CFLAGS:--O1} -Iinclude examples/l3qcn/*.c -o "$out/node"

host=rocecc-l3qcn-host-$$ tor=rocecc-l3qcn-tor-$$ fabric=rocecc-l3qcn-fabric-$$
switch=rocecc-l3qcn-switch-$$ receiver=rocecc-l3qcn-receiver-$$
pids=
clean() {
    for pid in $pids; do
        kill -9 $pid 2> /dev/null || true
    done
    for ns in $host $tor $fabric $switch $receiver; do
        ip netns del $ns 2> /dev/null || true
    done
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

# link NS DEV MAC NS DEV MAC: links two namespaces.
link() {
    ip -n $1 link add $2 address 02:00:00:00:$3 type veth \
        peer name $5 address 02:00:00:00:$6 netns $4
    ip -n $1 link set dev $2 up
    ip -n $4 link set dev $5 up
}
for ns in $host $tor $fabric $switch $receiver; do
    ip netns add $ns
    # The kernel sends no frames, except in the fabric.
    ip netns exec $ns sh -c 'echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6'
done
ip netns exec $fabric sh -c 'cd /proc/sys/net
    echo 0 > ipv6/conf/default/disable_ipv6
    echo 0 > ipv6/conf/default/accept_dad
    echo 1 > ipv6/conf/default/addr_gen_mode
    echo 1 > ipv6/conf/all/forwarding
    echo 1 > ipv4/ip_forward
    echo 0 > ipv4/conf/all/rp_filter
    echo 0 > ipv4/conf/default/rp_filter'
link $host tor 01:01 $tor host 01:02
link $tor fabric 02:01 $fabric tor 02:02
link $fabric switch 03:01 $switch fabric 03:02
link $switch receiver 04:01 $receiver switch 04:02

# way DEV MAC ADDRESS PREFIX: adds a route to the fabric.
way() {
    ip -n $fabric route add $4 dev $1
    ip -n $fabric neigh add $3 lladdr 02:00:00:00:$2 nud permanent dev $1
}
way tor 02:01 192.0.2.10 192.0.2.0/24
way tor 02:01 2001:db8:a::10 2001:db8:a::/64
way switch 03:02 198.51.100.20 198.51.100.0/24
way switch 03:02 2001:db8:b::20 2001:db8:b::/64

# start NAME NS ARGUMENT...: starts a node, and waits until it is ready.
start() {
    log=$out/$1.log in=$2
    shift 2
    : > "$log"
    ip netns exec $in "$out/node" --cnm-port=$port "$@" > "$log" 2>&1 &
    pid=$!
    pids="$pids $pid"
    until_says ready
}
# until_says WORD: waits up to 10 s for WORD in the log.
until_says() {
    i=0
    until grep -q "$1" "$log"; do
        i=$((i + 1))
        if [ $i = 200 ] || ! kill -0 $pid 2> /dev/null; then
            cat "$log"
            echo "run.sh: $log has no line with '$1' after 10 s, or the node has ended"
            exit 1
        fi
        sleep 0.05
    done
}
m=02:00:00:00
start capture-host $host capture tor "$out/host.pcap"
captures=$pid
start capture-fabric $fabric capture tor "$out/fabric.pcap"
captures="$captures $pid"
start capture-switch $switch capture fabric "$out/switch.pcap"
captures="$captures $pid"
start receiver $receiver receiver switch=$m:04:01
nodes=$pid
start switch $switch switch fabric=$m:03:01 receiver=$m:04:02
nodes="$pid $nodes"
start tor $tor --switch=$m:03:02 tor host=$m:01:01 fabric=$m:02:02
nodes="$pid $nodes"
echo "To watch the frames: ip netns exec $fabric tshark -ni tor   (or tcpdump)"
start host $host --seconds="$seconds" host tor=$m:01:02
nodes="$nodes $pid"
sleep "$seconds"
until_says sent
sleep 0.3 # for frames in flight

# stop PID...: stops nodes. They read waiting frames and print counters.
stop() {
    for pid in "$@"; do
        kill $pid 2> /dev/null || true
        if ! wait $pid; then
            tail -n 20 "$out"/*.log
            echo 'run.sh: a node failed'
            exit 1
        fi
    done
}
stop $nodes $captures
pids=

for node in host tor switch receiver; do
    echo
    echo "$node:"
    grep -vE ' is ready$|^sent$| 0$' "$out/$node.log" | sed 's/^/  /' |
        awk 'NR <= 12; NR > 12 {tail[NR % 6] = $0; n = NR}
             END {if (n > 18) print "  ..."
                  for (i = n > 18 ? n - 5 : 13; i <= n; i++) print tail[i % 6]}'
done
echo
echo "To see the frames: build/rocedump --config l3qcn.port=$port $out/host.pcap"
echo 'host.pcap is from the host side of the ToR, fabric.pcap from its other side, and'
echo 'switch.pcap from the link between the fabric and the switch.'
