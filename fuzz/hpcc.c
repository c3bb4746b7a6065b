/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/hpcc.h"
#include "law/hpcc_time.h"
#include "lib/fuzz.h"

/* Checks events in any order. One input in 512 also runs a closed loop over time, as
 * long as hundreds of other inputs. */
static uint32_t law_hpcc_both(rocecc_reader r)
{
    const uint32_t digest = law_hpcc(r);
    if (fuzz_hash(r.base + r.at, rocecc_left(&r)) % 512 != 0) return digest;
    return law_mix(digest, law_hpcc_time(r));
}

FUZZ(law_hpcc_both)
