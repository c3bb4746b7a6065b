#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# make.sh CCLAB DIR: writes the runs that ../README.md shows to DIR/incast and DIR/wan. The
# K_max of the wide area is one of sweep.sh.
set -eu
mkdir -p "$2"
"$1" --scheme dcqcn,hpcc-int --topology star --flows 16 --rate 100G --rtt 8us \
    --buffer 32M --duration 20ms --set preset=nvidia --out "$2/incast"
"$1" --scheme dcqcn,fastcnp --topology wan --flows 2 --rate 10G --rtt 40ms \
    --buffer 64M --duration 400ms --set k_max_bytes=10M --out "$2/wan"
