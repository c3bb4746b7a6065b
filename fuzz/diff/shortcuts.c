/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz-seeds: packet fastcnp ioam ifa intmd */
#include "lib/fuzz.h"
#include "lib/mend.h"
#include "law/shortcuts.h"

/*
 * Compares each shortcut with the general function. The hash of the bytes selects the
 * domain.
 */
static uint32_t law_shorter(rocecc_reader r)
{
    return law_shortcuts(r, fuzz_hash(r.base + r.at, rocecc_left(&r)));
}

FUZZ_FRAME(law_shorter)
FUZZ_MEND(mend_packet)
