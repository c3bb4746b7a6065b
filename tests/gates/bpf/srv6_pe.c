/* SPDX-License-Identifier: BSD-2-Clause */

/* Checks the configuration. The other srv6_pe_ files process packets. */
#include "bpf.h"
#include "law/srv6_pe.h"

BPF_LAW(law_srv6_pe_init)
