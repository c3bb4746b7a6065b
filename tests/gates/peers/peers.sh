#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# peers.sh OUT PYTHON compares rocedump and the library with tshark, scapy, the kernel, and
# models of IFA and of two roles that follow only the documents.
set -eu
out=$1 python=$2
"$python" -B tests/gates/peers/ioam_kernel.py "$out/peers"
"$python" -B tests/gates/peers/srv6_kernel.py "$out/peers"
"$python" -B tests/gates/peers/peers.py "$out/peers/rocedump"
"$python" -B tests/gates/peers/cm.py
"$python" -B tests/gates/peers/walk.py
"$python" -B tests/gates/peers/sflow.py

# rows NAME VARIABLE TEST ARGUMENT... runs TEST on NAME.py's rows with these arguments.
rows() {
    name=$1 variable=$2 test=$3
    shift 3
    "$python" -B "tests/gates/peers/$name.py" "$@" > "$out/peers/$name.vec"
    env "$variable=$out/peers/$name.vec" "$out/test" "$test"
}
rows ifa IFA_ROWS ifa_peer 3000 1
rows ifa IFA_ROWS ifa_peer 500 1 checksum=stack gns_a=1
rows ifa IFA_ROWS ifa_peer 500 1 checksum=metadata fragments=1
rows ifa IFA_ROWS ifa_peer 500 1 tail=newest_first gns_b=2
rows ifa IFA_ROWS ifa_peer 500 1 tail=newest_last
rows reaction REACTION_ROWS reaction_point_peer 3000 1
rows congestion CONGESTION_ROWS congestion_point_peer 3000 1
