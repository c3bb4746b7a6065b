/* SPDX-License-Identifier: BSD-2-Clause */

/* The configuration; srv6_pe_egress.c and the like have the packets. */
#include "bpf.h"
#include "law/srv6_pe.h"

BPF_LAW(law_srv6_pe_init)
