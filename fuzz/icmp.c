/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/icmp_build.h"
#include "lib/fuzz.h"

/* Checks the laws of messages and of errors about packets. */
static uint32_t law_icmp_any(rocecc_reader r)
{
    return law_mix(law_icmp(r), law_icmp_build(r));
}

FUZZ_FRAME(law_icmp_any)
