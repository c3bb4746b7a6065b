#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# demo.sh OUT: decodes a frame, notifies one sender of congestion, and simulates an incast.
set -eu
out=$1
echo 'One frame of a real NIC (make demo-frames: all that are in vectors/):'
"$out/rocedump-demo" vectors/frame.vec > "$out/demo-frames.txt"
sed '/^$/,$d' "$out/demo-frames.txt"
echo
"$out/exchange"
echo '  (-: this format does not carry it)'
echo
echo '16 flows start at once into one port of 100 Gb/s. DCQCN slows down by CNPs, HPCC++ by'
echo 'telemetry (INT). Goodput, use, Jain and the first two columns of queues are of the'
echo 'second half; the bars are the queue over time (-: these flows have no end):'
"$out/cclab" --scheme dcqcn,hpcc-int --topology star --flows 16 --rate 100G --rtt 8us \
    --buffer 32M --duration 20ms --set preset=nvidia --out "$out/demo"
