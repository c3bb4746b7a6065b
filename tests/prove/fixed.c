/* SPDX-License-Identifier: BSD-2-Clause */
#include "prove.h"
#include "rocecc/fixed.h"

/* Any numbers; factors and gains of at most 1, rates below their end, no divisor of 0.
 */
void main(void)
{
    const uint64_t n = prove_any(), d = prove_any();
    const uint64_t rate = rocecc_min(prove_any(), ROCECC_RATE_END_BPS - 1);
    const uint32_t gain = (uint32_t)rocecc_min(prove_any(), ROCECC_ONE_Q20);
    (void)rocecc_max(n, d);
    (void)rocecc_clamp(n, rate, d);
    (void)rocecc_serial_after((uint32_t)n, (uint32_t)d);
    (void)rocecc_scale_q20(rate, gain);
    (void)rocecc_ewma_q20((uint32_t)n, (uint32_t)d, gain);
    if (d == 0) return;
    (void)rocecc_div64_by_mul(n, d);
}
