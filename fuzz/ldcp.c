/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ldcp.h"
#include "law/ldcp_time.h"
#include "lib/fuzz.h"

/* Events in any order; of one input in 256 also a closed loop over time, which takes as
 * long as hundreds of others. */
static uint32_t law_ldcp_both(rocecc_reader r)
{
    const uint32_t digest = law_ldcp(r);
    if (fuzz_hash(r.base + r.at, rocecc_left(&r)) % 256 != 0) return digest;
    return law_mix(digest, law_ldcp_time(r));
}

FUZZ(law_ldcp_both)
