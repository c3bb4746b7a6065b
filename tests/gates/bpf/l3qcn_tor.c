/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Checks the configuration. l3qcn_tor_parts.c runs parts of learn() and convert(),
 * because the verifier refuses both functions as a whole (exempt/).
 */
#include "bpf.h"
#include "law/l3qcn_tor.h"

BPF_LAW(law_l3qcn_tor_init)
