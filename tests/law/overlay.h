/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_OVERLAY_H
#define TESTS_LAW_OVERLAY_H

#include "law.h"
#include "rocecc/fields/overlay.h"

#define OVERLAY_FIELDS(F, T)                                                           \
    F(T, ENUM, tunnel,                                                                 \
      "none vxlan vxlan_gpe geneve gre nvgre erspan1 erspan2 erspan3 ethernet "        \
      "mpls_udp pseudowire")                                                           \
    F(T, BOOL, cut, NULL)                                                              \
    F(T, UINT, next, NULL)                                                             \
    F(T, UINT, type, NULL)

/* Checks that store(load(b)) is b, and mixes the loaded fields. */
#define LAW_STORED_(noun, n, FIELDS)                                                   \
    do {                                                                               \
        const rocecc_##noun h = rocecc_##noun##_load(b);                               \
        rocecc_##noun##_store(back, &h);                                               \
        for (i = 0; i < n; i++)                                                        \
            LAW(back[i] == b[i]);                                                      \
        LAW_FIELDS(FIELDS, &h)                                                         \
    } while (0)

LAW_FN uint32_t law_overlay_stored(const uint8_t *b)
{
    uint32_t digest = LAW_START;
    uint8_t back[8] = {0};
    int i;
    LAW_STORED_(vxlan, 8, ROCECC_VXLAN_FIELDS);
    LAW_STORED_(gpe, 8, ROCECC_GPE_FIELDS);
    LAW_STORED_(geneve, 8, ROCECC_GENEVE_FIELDS);
    LAW_STORED_(gre, 4, ROCECC_GRE_FIELDS);
    LAW_STORED_(erspan, 4, ROCECC_ERSPAN_FIELDS);
    LAW_STORED_(erspan3, 4, ROCECC_ERSPAN3_FIELDS);
    LAW_STORED_(mpls, 4, ROCECC_MPLS_FIELDS);
    LAW_STORED_(pppoe, 8, ROCECC_PPPOE_FIELDS);
    LAW_STORED_(cisco_md, 8, ROCECC_CISCO_MD_FIELDS);
    return digest;
}

/* Returns the bytes of GRE before the inner packet, and of ERSPAN after GRE. */
LAW_FN size_t law_overlay_gre_bytes(const uint8_t *b, const rocecc_overlay *o,
                                    bool platform)
{
    size_t n = 4;
    if ((b[0] & 0x80) != 0) n += 4;
    if ((b[0] & 0x20) != 0) n += 4;
    if ((b[0] & 0x10) != 0) n += 4;
    if (o->tunnel == ROCECC_TUNNEL_ERSPAN_II) n += 8;
    if (o->tunnel == ROCECC_TUNNEL_ERSPAN_III) n += platform ? 20 : 12;
    return n;
}

/* Checks one header at r, its result for the inner packet, and r's new position. */
LAW_FN uint32_t law_overlay_inner(rocecc_reader r, int which)
{
    rocecc_overlay o = {0, false, 0, 0};
    rocecc_reader first = r;
    const size_t at = r.at;
    const size_t left = rocecc_left(&r);
    uint32_t digest = LAW_START;
    const rocecc_status status = which == 0   ? rocecc_vxlan_inner(&r, &o)
                                 : which == 1 ? rocecc_gpe_inner(&r, &o)
                                 : which == 2 ? rocecc_geneve_inner(&r, &o)
                                              : rocecc_gre_inner(&r, &o);
    const uint8_t *b = rocecc_take(&first, 4);
    digest = law_mix(digest, status);
    LAW(o.tunnel != ROCECC_TUNNEL_NONE && r.at <= r.end && r.end == first.end);
    LAW(status == ROCECC_OK || status == ROCECC_NO_MATCH ||
        status == ROCECC_ERR_SHORT || status == ROCECC_ERR_FORMAT ||
        status == ROCECC_ERR_UNSUPPORTED);
    LAW(b != NULL || status == ROCECC_ERR_SHORT);
    LAW(status != ROCECC_ERR_SHORT || left < 4 + 12 + 21 || which == 2);
    LAW_FIELDS(OVERLAY_FIELDS, &o)
    if (status != ROCECC_OK || b == NULL) return digest;
    LAW(o.type == 0x6558 || o.type == 0x0800 || o.type == 0x86dd || o.type == 0x8847);
    LAW(!o.cut || o.tunnel == ROCECC_TUNNEL_ERSPAN_II ||
        o.tunnel == ROCECC_TUNNEL_ERSPAN_III);
    if (which < 2) LAW(r.at == at + 8);
    if (which == 2) LAW(r.at == at + 8 + (size_t)(b[0] & 0x3f) * 4);
    if (which == 3)
        LAW(r.at == at + law_overlay_gre_bytes(b, &o, false) ||
            r.at == at + law_overlay_gre_bytes(b, &o, true));
    return digest;
}

LAW_FN uint32_t law_overlay(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    rocecc_reader first = r;
    const uint8_t *b = rocecc_take(&first, 8);
    int i;
    for (i = 0; i < 4; i++)
        digest = law_mix(digest, law_overlay_inner(r, i));
    if (b == NULL) return digest;
    return law_mix(digest, law_overlay_stored(b));
}

#endif /* TESTS_LAW_OVERLAY_H */
