#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# flood.sh OUT FRAMES floods a node with each kind of notification, through the kernel, from
# another network namespace. Needs root and ip(8).
set -eu
out=$1 frames=$2
from=rocecc-flood-$$ to=rocecc-node-$$
clean() {
    for ns in $from $to; do
        ip netns del $ns 2> /dev/null || true
    done
}
trap clean EXIT
trap 'exit 1' HUP INT TERM
gcc -std=gnu99 -O2 -Wall -Wextra -Werror -Iinclude -Itests tests/gates/flood/flood.c \
    tests/lib/flood.c -o "$out/flood"
for ns in $from $to; do
    ip netns add $ns
    # The kernel must not send frames of its own.
    ip netns exec $ns sh -c 'echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6'
done
ip -n $from link add wire type veth peer name wire netns $to
for ns in $from $to; do
    ip -n $ns link set wire up
done
"$out/flood" "$frames" $from wire $to wire
