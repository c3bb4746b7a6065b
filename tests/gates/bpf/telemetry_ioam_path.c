/* SPDX-License-Identifier: BSD-2-Clause */

/* A node of IOAM with all its items, and what is kept of the one before: the verifier's
 * stack has no room for them beside a view. The load alone is in the law. */
#include "bpf.h"
#include "law/telemetry.h"

BPF_LAW(law_telemetry_ioam_path)
