#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ns3.sh OUT PYTHON builds examples/ns3 against ns-3, and compares its results with flows
# calculated by hand, with its input, and with cclab. FULL=1: longer runs, and the sweep.
set -eu
out=$1 python=$2 gate=hosts-ns3
. tests/lib/need.sh
need 'C++ compiler' c++ --version
need 'ns-3 (libns3-dev)' test -f /usr/include/ns3/net-device.h
need gnuplot gnuplot --version
sh examples/ns3/build.sh "$out"
sources=$(ls examples/cclab/*.c examples/cctrace/*.c examples/lib/*.c |
    grep -v -e /main.c -e /play.c)
# shellcheck disable=SC2086
cc -std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror -O2 \
    -DROCECC_ICRC_TABLE_BYTES=16384 -Iinclude -o "$out/lab" tests/gates/hosts/ns3/lab.c $sources
PYTHONPATH=examples/ns3 "$python" -B tests/gates/hosts/ns3/check.py "$out" ${FULL:+FULL}
