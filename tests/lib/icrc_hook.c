/* SPDX-License-Identifier: BSD-2-Clause */
/* Does not invert the state, like rocecc, and gets at least one byte. */
#define ROCECC_CRC32_UPDATE(state, b, n) hook((state), (b), (n))

#include <stddef.h>
#include <stdint.h>

static unsigned long calls;

static uint32_t hook(uint32_t state, const uint8_t *b, size_t n)
{
    int i;
    if (n == 0) return ~state; /* wrong; no call has 0 bytes */
    calls++;
    for (; n > 0; n--, b++)
        for (state ^= *b, i = 0; i < 8; i++)
            state = state >> 1 ^ ((state & 1) != 0 ? 0xedb88320 : 0);
    return state;
}

#include "icrc_hook.h"
#include "rocecc/packet/build.h"

rocecc_status icrc_hook_verify(rocecc_icrc_rule rule, const rocecc_packet *p,
                               rocecc_icrc *out)
{
    return rocecc_icrc_verify(rule, p, out);
}

rocecc_status icrc_hook_patch(uint32_t *icrc, rocecc_reader was, rocecc_reader is,
                              uint32_t after)
{
    return rocecc_icrc_patch(icrc, was, is, after);
}

rocecc_status icrc_hook_cnp(rocecc_writer *w, const rocecc_cnp *h)
{
    return rocecc_cnp_build(w, h);
}

unsigned long icrc_hook_calls(void)
{
    return calls;
}
