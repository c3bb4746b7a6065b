/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ldcp.h"
#include "law/ldcp_time.h"
#include "lib/fuzz.h"

/* Events in any order; of one input in sixteen also a closed loop over time. */
static uint32_t law_ldcp_both(rocecc_reader r)
{
    const uint32_t digest = law_ldcp(r);
    if (law_u8(&r) % 16 != 0) return digest;
    return law_mix(digest, law_ldcp_time(r));
}

FUZZ(law_ldcp_both)
