#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# bounds.sh OUT PYTHON: tests the memory and the cost of rocedump under hostile captures.
set -eu
out=$1 python=$2
gate=bounds
. tests/lib/need.sh
need valgrind valgrind --version
mkdir -p "$out/bounds"
"$python" -B tests/tools/bounds.py "$out/rocedump" "$out/rocedump-san" "$out/bounds"
