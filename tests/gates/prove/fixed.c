/* SPDX-License-Identifier: BSD-2-Clause */
#include "prove.h"
#include "rocecc/fixed.h"

/* Uses any numbers, but gains of at most 1 and no divisor of 0. */
void main(void)
{
    const uint64_t n = prove_any(), d = prove_any();
    const uint64_t low = rocecc_min(prove_any(), d);
    const uint32_t gain = (uint32_t)rocecc_min(prove_any(), ROCECC_ONE_Q20);
    (void)rocecc_max(n, d);
    (void)rocecc_clamp(n, low, d);
    (void)rocecc_serial_after((uint32_t)n, (uint32_t)d);
    (void)rocecc_ewma_q20((uint32_t)n, (uint32_t)d, gain);
    if (d == 0) return;
    (void)rocecc_div64_by_mul(n, d);
}
