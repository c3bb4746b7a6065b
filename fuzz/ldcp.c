/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ldcp.h"
#include "law/ldcp_time.h"
#include "lib/fuzz.h"

/* Checks events in any order. One input in 256 also runs a closed loop over time, as
 * long as hundreds of other inputs. */
static uint32_t law_ldcp_both(rocecc_reader r)
{
    const uint32_t digest = law_ldcp(r);
    if (fuzz_hash(r.base + r.at, rocecc_left(&r)) % 256 != 0) return digest;
    return law_mix(digest, law_ldcp_time(r));
}

FUZZ(law_ldcp_both)
