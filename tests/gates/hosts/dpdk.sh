#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# dpdk.sh OUT PYTHON runs examples/dpdk with DPDK's pcap driver on captures from
# tests/gates/hosts/dpdk/frames.py. The CNPs, their contents and the packets for the host must be
# as frames.py expects, also with packets in segments of several sizes, and on two lcores. All mbufs
# must come back. tests/gates/hosts/dpdk/cuts.c checks that the ICRC over segments is
# rocecc_icrc_verify()'s, wherever packets of vectors/pcap are cut.
set -eu
out=$1 python=$2
gate=hosts-dpdk
. tests/lib/need.sh
need DPDK pkg-config --exists libdpdk
need 'pcap driver of DPDK' sh -c 'find /usr/lib -name "librte_net_pcap.so*" | grep -q .'
need libpcap pkg-config --exists libpcap
need scapy "$python" -c 'import scapy.contrib.roce'

warn='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-align
    -Wundef -Wstrict-prototypes -Werror'
# build NAME FLAGS FILE... builds without warnings from DPDK's headers.
build() {
    name=$1 flags=$2
    shift 2
    gcc -std=gnu99 $warn $flags -Iinclude \
        $(pkg-config --cflags libdpdk | sed 's/-I/-isystem /g') "$@" \
        $(pkg-config --libs libdpdk) -o "$out/$name"
}
build dpdk -O2 examples/dpdk/*.c examples/lib/prefix.c
build cuts '-O1 -g -fsanitize=undefined -fno-sanitize-recover=all' \
    tests/gates/hosts/dpdk/cuts.c examples/dpdk/segments.c -lpcap

mkdir -p "$out/run"
here=$(cd "$out/run" && pwd)
export XDG_RUNTIME_DIR="$here" RUNTIME_DIRECTORY="$here"
eal='--no-huge --no-pci --no-shconf --no-telemetry -m 256 --log-level=error'
# Here one switch sends more than 1000 Fast CNPs a second, so the limit is higher. Floods follow
# below.
fast='--connections connections --type-plain 158 --access 2001:db8:ffff::/48 --limit 100000'
# dpdk NAME EAL-OPTIONS OPTIONS runs the example, with NAME.log as output.
dpdk() {
    (cd "$out" && ./dpdk $eal $2 -- $fast --stamps --idle-ms 200 $3) > "$out/$1.log" 2>&1 ||
        { tail -n 5 "$out/$1.log"; echo "hosts-dpdk: $1 fails"; exit 1; }
}
# judge IN END compares the output with the results that frames.py expects for IN.
judge() {
    "$python" -B tests/gates/hosts/dpdk/frames.py check "$out" "$1" "$2"
}

"$python" -B tests/gates/hosts/dpdk/frames.py make "$out"
network=net_pcap0,rx_pcap=in.pcap,tx_pcap

# Segments from a whole packet to 3 bytes cut headers and the ICRC at many places.
for room in 2048 192 128 61 47 3; do
    dpdk "room-$room" "-l 0 --vdev=$network=cnp-$room.pcap
        --vdev=net_pcap1,tx_pcap=host-$room.pcap" "--room $room --mbufs 20479"
    judge in "-$room"
done

# Two lcores with a queue each. Every lcore has its own flows, as from a NIC.
dpdk lanes "-l 0,1 --vdev=net_pcap0,rx_pcap=lane0.pcap,rx_pcap=lane1.pcap,tx_pcap=cnp0.pcap,tx_pcap=cnp1.pcap
    --vdev=net_pcap1,tx_pcap=host0.pcap,tx_pcap=host1.pcap" ''
judge lane0 0
judge lane1 1

# As shipped, and with 1000 CNPs a second per peer, misbehaving sources take nothing from others.
"$python" -B tests/gates/hosts/dpdk/frames.py flood "$out"
switches=$(for n in 1 2 3 4 5; do echo "--access 2001:db8:ffff::$n/128"; done)
(cd "$out" && ./dpdk $eal -l 0 --vdev=net_pcap0,rx_pcap=flood.pcap,tx_pcap=cnp-flood.pcap \
    --vdev=net_pcap1,tx_pcap=host-flood.pcap -- --connections peers --type-plain 158 \
    $switches --cnp-limit 1000 --stamps --idle-ms 200) > "$out/flood.log" 2>&1 ||
    { tail -n 5 "$out/flood.log"; echo 'hosts-dpdk: flood fails'; exit 1; }
"$python" -B tests/gates/hosts/dpdk/frames.py flooded "$out"

# Everything that the host sends, even Fast CNPs, is forwarded unchanged.
dpdk back "-l 0 --vdev=net_pcap0,tx_pcap=back.pcap
    --vdev=net_pcap1,rx_pcap=in.pcap,tx_pcap=none.pcap" ''
"$python" -B tests/gates/hosts/dpdk/frames.py same "$out/in.pcap" "$out/back.pcap"

# A port that never runs dry, with packets of zeros, until Ctrl-C.
(cd "$out" && timeout -s INT 2 ./dpdk $eal -l 0 --vdev=net_null0 --vdev=net_null1 -- $fast) \
    > "$out/null.log" 2>&1 || [ $? = 124 ] ||
    { tail -n 5 "$out/null.log"; echo 'hosts-dpdk: null fails'; exit 1; }
awk '/^passed [1-9]/ {some = 1} /came back/ {bad = 1} END {exit bad || !some}' "$out/null.log" ||
    { cat "$out/null.log"; echo 'hosts-dpdk: with the null driver packets get lost'; exit 1; }
echo "hosts-dpdk: null driver: $(sed -n 's/^passed //p' "$out/null.log") packets, every mbuf came back"

captures=$(ls vectors/pcap/*.pcap | sed "s:^:$PWD/:")
(cd "$out" && ./cuts $eal -- $captures) > "$out/cuts.log" 2>&1 ||
    { tail -n 3 "$out/cuts.log"; echo 'hosts-dpdk: an ICRC over segments is wrong'; exit 1; }
tail -n 1 "$out/cuts.log"

# The cost beside DPDK's own parser, as figures for README.md. They are not judged here.
"$python" -B tests/gates/hosts/dpdk/frames.py bench "$out"
for frames in ect ce; do
    dpdk "bench-$frames" "-l 0 --vdev=net_pcap0,rx_pcap=$frames.pcap,tx_pcap=none.pcap
        --vdev=net_pcap1,tx_pcap=none1.pcap" --bench
    sed "s/^/hosts-dpdk: $frames: /" "$out/bench-$frames.log"
done
