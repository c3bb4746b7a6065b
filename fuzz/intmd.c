/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/intmd.h"
#include "lib/fuzz.h"
#include "lib/mend.h"

/*
 * Runs law_intmd(), but checks changes by only one of its eight configurations, which
 * the bytes select. With all eight, an input takes eight times as long and shows little
 * more.
 */
static uint32_t law_intmd_by_one(rocecc_reader r)
{
    const rocecc_domain d =
        law_intmd_domain(fuzz_hash(r.base + r.at, rocecc_left(&r)) & 7);
    uint32_t digest = law_intmd_read(r);
    rocecc_packet p;
    rocecc_edit e;
    unsigned k;
    (void)rocecc_packet_parse(&d, r, &p);
    digest = law_mix(digest, law_intmd_push(&p, r.at, 1500, &e));
    digest = law_mix(digest, law_intmd_strip(&p, r.at, &e));
    for (k = 0; k < 4; k++)
        digest = law_mix(digest, law_intmd_insert(&p, r.at, (uint8_t)k, 1500, &e));
    LAW(law_intmd_body(&d.intmd, r) != LAW_BROKEN);
    LAW(law_intmd_changes(&d, r) == LAW_START);
    return digest;
}

FUZZ_FRAME(law_intmd_by_one)
FUZZ_MEND(mend_packet)
