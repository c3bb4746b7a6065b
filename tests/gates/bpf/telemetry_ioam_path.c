/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Reads the path in an IOAM trace. The verifier's stack has no room for a node with all
 * its items, the previous node and a view in telemetry.c, which only loads IOAM nodes.
 */
#include "bpf.h"
#include "law/telemetry.h"

BPF_LAW(law_telemetry_ioam_path)
