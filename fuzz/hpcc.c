/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/hpcc.h"
#include "law/hpcc_time.h"
#include "lib/fuzz.h"

/* Events in any order; of one input in 64 also a closed loop over time. */
static uint32_t law_hpcc_both(rocecc_reader r)
{
    const uint32_t digest = law_hpcc(r);
    if (law_u8(&r) % 64 != 0) return digest;
    return law_mix(digest, law_hpcc_time(r));
}

FUZZ(law_hpcc_both)
