/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_ECNTUNNEL_H
#define TESTS_LAW_ECNTUNNEL_H

#include "draw.h"
#include "rocecc/algo/ecntunnel.h"

#define ECNTUNNEL_ECNS "not_ect ect1 ect0 ce"
#define ECNTUNNEL_MODES "compatibility normal"
#define ECNTUNNEL_ALARMS "none unused dangerous"

#define ECNTUNNEL_FIELDS(F, T)                                                         \
    F(T, BOOL, drop, NULL)                                                             \
    F(T, ENUM, ecn, ECNTUNNEL_ECNS)                                                    \
    F(T, ENUM, alarm, ECNTUNNEL_ALARMS)

/* Returns a field's severity (RFC 6040, 4.2), Not-ECT < ECT(0) < ECT(1) < CE. */
LAW_FN int law_ecntunnel_severity(int ecn)
{
    return ecn == 1 ? 2 : ecn == 2 ? 1 : ecn;
}

/* Checks the field by the text of RFC 6040, 4.2, and the alarm by its list. */
LAW_FN uint32_t law_ecntunnel_merged(int inner, int outer, rocecc_ecntunnel_action m)
{
    const bool inner_wins =
        law_ecntunnel_severity(inner) >= law_ecntunnel_severity(outer);
    const bool dangerous = (inner == 0 && outer != 0) || (inner == 3 && outer == 1);
    const bool unused = inner == 1 && outer == 2;
    LAW(m.drop == (inner == 0 && outer == 3));
    LAW(m.ecn == (inner == 0 || inner_wins ? inner : outer));
    LAW(m.alarm == (dangerous ? 2 : unused ? 1 : 0));
    return LAW_START;
}

/* Reads each byte as inner field (bits 0, 1), outer field (2, 3), and mode (7). */
LAW_FN uint32_t law_ecntunnel(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    int i;
    for (i = 0; i < LAW_EVENTS; i++) {
        const uint8_t x = law_u8(&r);
        const int inner = x & 3, mark = x >> 2 & 3;
        const rocecc_ecntunnel_mode mode =
            x & 0x80 ? ROCECC_ECNTUNNEL_NORMAL : ROCECC_ECNTUNNEL_COMPATIBILITY;
        const rocecc_ecn sent = rocecc_ecntunnel_encapsulate(mode, (rocecc_ecn)inner);
        rocecc_ecntunnel_action m =
            rocecc_ecntunnel_decapsulate((rocecc_ecn)inner, sent);
        LAW((int)sent == (mode == ROCECC_ECNTUNNEL_NORMAL ? inner : 0));
        /* An unchanged outer field changes no inner field, and raises no alarm. */
        LAW(!m.drop && m.ecn == inner && m.alarm == 0);
        m = rocecc_ecntunnel_decapsulate((rocecc_ecn)inner, (rocecc_ecn)mark);
        LAW(law_ecntunnel_merged(inner, mark, m) != LAW_BROKEN);
        digest = law_mix(digest, sent);
        LAW_FIELDS(ECNTUNNEL_FIELDS, &m)
    }
    return digest;
}

#endif /* TESTS_LAW_ECNTUNNEL_H */
