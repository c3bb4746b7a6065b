#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# dpdk.sh OUT PYTHON: examples/dpdk on captures that tests/gates/hosts/dpdk/frames.py makes, by
# DPDK's pcap driver: which packets get a CNP, what it says, and what goes on to the host,
# has to be what frames.py expects; the same with packets cut into segments of any size,
# and on two lcores. All mbufs have to come back. tests/gates/hosts/dpdk/cuts.c: the ICRC over
# segments is rocecc_icrc_verify()'s, wherever packets of vectors/pcap are cut.
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
# build NAME FLAGS FILE...: the headers of DPDK are not ours to warn of.
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
# One switch sends more than 1000 Fast CNPs a second in 40 ms; floods are for below.
fast='--connections connections --type-plain 158 --access 2001:db8:ffff::/48 --limit 100000'
# dpdk NAME EAL-OPTIONS OPTIONS: a run, whose output is NAME.log.
dpdk() {
    (cd "$out" && ./dpdk $eal $2 -- $fast --stamps --idle-ms 200 $3) > "$out/$1.log" 2>&1 ||
        { tail -n 5 "$out/$1.log"; echo "hosts-dpdk: $1 fails"; exit 1; }
}
# judge IN END: against what frames.py expects of IN.
judge() {
    "$python" -B tests/gates/hosts/dpdk/frames.py check "$out" "$1" "$2"
}

"$python" -B tests/gates/hosts/dpdk/frames.py make "$out"
network=net_pcap0,rx_pcap=in.pcap,tx_pcap

# From one piece to 3 bytes in each segment: headers and the ICRC are cut at many places.
for room in 2048 192 128 61 47 3; do
    dpdk "room-$room" "-l 0 --vdev=$network=cnp-$room.pcap
        --vdev=net_pcap1,tx_pcap=host-$room.pcap" "--room $room --mbufs 20479"
    judge in "-$room"
done

# Two lcores, a queue each: every lcore has its flows, as a NIC deals them out.
dpdk lanes "-l 0,1 --vdev=net_pcap0,rx_pcap=lane0.pcap,rx_pcap=lane1.pcap,tx_pcap=cnp0.pcap,tx_pcap=cnp1.pcap
    --vdev=net_pcap1,tx_pcap=host0.pcap,tx_pcap=host1.pcap" ''
judge lane0 0
judge lane1 1

# As shipped, and with 1000 CNPs a second of a peer: who misbehaves takes nobody's limit.
"$python" -B tests/gates/hosts/dpdk/frames.py flood "$out"
switches=$(for n in 1 2 3 4 5; do echo "--access 2001:db8:ffff::$n/128"; done)
(cd "$out" && ./dpdk $eal -l 0 --vdev=net_pcap0,rx_pcap=flood.pcap,tx_pcap=cnp-flood.pcap \
    --vdev=net_pcap1,tx_pcap=host-flood.pcap -- --connections peers --type-plain 158 \
    $switches --cnp-limit 1000 --stamps --idle-ms 200) > "$out/flood.log" 2>&1 ||
    { tail -n 5 "$out/flood.log"; echo 'hosts-dpdk: flood fails'; exit 1; }
"$python" -B tests/gates/hosts/dpdk/frames.py flooded "$out"

# What the host sends, Fast CNPs and all, goes out as it is.
dpdk back "-l 0 --vdev=net_pcap0,tx_pcap=back.pcap
    --vdev=net_pcap1,rx_pcap=in.pcap,tx_pcap=none.pcap" ''
"$python" -B tests/gates/hosts/dpdk/frames.py same "$out/in.pcap" "$out/back.pcap"

# A port that never runs dry, of packets that are all 0, until somebody presses Ctrl-C.
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

# What it costs, beside DPDK's own parser: figures for README.md, which nobody judges here.
"$python" -B tests/gates/hosts/dpdk/frames.py bench "$out"
for frames in ect ce; do
    dpdk "bench-$frames" "-l 0 --vdev=net_pcap0,rx_pcap=$frames.pcap,tx_pcap=none.pcap
        --vdev=net_pcap1,tx_pcap=none1.pcap" --bench
    sed "s/^/hosts-dpdk: $frames: /" "$out/bench-$frames.log"
done
