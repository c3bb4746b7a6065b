#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# flows.sh OUT PYTHON: tests --flows and --timeline on packets with two headers, on captures at
# several places, and the rates around CNPs.
set -eu
out=$1 python=$2
scraps=$out/flows
mkdir -p "$scraps"
"$python" -B tests/tools/headers.py "$out/rocedump" "$scraps"
"$python" -B tests/tools/copies.py "$out/rocedump" "$scraps"
"$python" -B tests/tools/rates.py "$out/rocedump" "$scraps"
