/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_EXT_H
#define TESTS_LAW_EXT_H

#include "law.h"
#include "rocecc/wire/ext.h"

#define RDETH_FIELDS(F, T)                                                             \
    F(T, UINT, reserved, NULL)                                                         \
    F(T, UINT, ee_context, NULL)

#define DETH_FIELDS(F, T)                                                              \
    F(T, UINT, q_key, NULL)                                                            \
    F(T, UINT, reserved, NULL)                                                         \
    F(T, UINT, src_qp, NULL)

#define XRCETH_FIELDS(F, T)                                                            \
    F(T, UINT, reserved, NULL)                                                         \
    F(T, UINT, xrcsrq, NULL)

#define FETH_FIELDS(F, T)                                                              \
    F(T, UINT, reserved, NULL)                                                         \
    F(T, UINT, selectivity, NULL)                                                      \
    F(T, UINT, placement, NULL)

#define RETH_FIELDS(F, T)                                                              \
    F(T, HEX, va, NULL)                                                                \
    F(T, UINT, r_key, NULL)                                                            \
    F(T, UINT, dma_length, NULL)

#define ATOMICETH_FIELDS(F, T)                                                         \
    F(T, HEX, va, NULL)                                                                \
    F(T, UINT, r_key, NULL)                                                            \
    F(T, HEX, swap_or_add, NULL)                                                       \
    F(T, HEX, compare, NULL)

#define AETH_FIELDS(F, T)                                                              \
    F(T, UINT, syndrome, NULL)                                                         \
    F(T, UINT, msn, NULL)

#define ATOMICACKETH_FIELDS(F, T) F(T, HEX, original, NULL)

#define IMMDT_FIELDS(F, T) F(T, UINT, data, NULL)

#define IETH_FIELDS(F, T) F(T, UINT, r_key, NULL)

#define SYNDROME_FIELDS(F, T)                                                          \
    F(T, BOOL, reserved, NULL)                                                         \
    F(T, ENUM, type, "ack rnr_nak reserved nak")                                       \
    F(T, UINT, value, NULL)

#define EXT_FIELDS(F, T)                                                               \
    F(T, SET, present,                                                                 \
      "rdeth deth xrceth feth reth atomiceth aeth atomicacketh immdt ieth cnp")        \
    F(T, UINT, rdeth.reserved, NULL)                                                   \
    F(T, UINT, rdeth.ee_context, NULL)                                                 \
    F(T, UINT, deth.q_key, NULL)                                                       \
    F(T, UINT, deth.reserved, NULL)                                                    \
    F(T, UINT, deth.src_qp, NULL)                                                      \
    F(T, UINT, xrceth.reserved, NULL)                                                  \
    F(T, UINT, xrceth.xrcsrq, NULL)                                                    \
    F(T, UINT, feth.reserved, NULL)                                                    \
    F(T, UINT, feth.selectivity, NULL)                                                 \
    F(T, UINT, feth.placement, NULL)                                                   \
    F(T, HEX, reth.va, NULL)                                                           \
    F(T, UINT, reth.r_key, NULL)                                                       \
    F(T, UINT, reth.dma_length, NULL)                                                  \
    F(T, HEX, atomiceth.va, NULL)                                                      \
    F(T, UINT, atomiceth.r_key, NULL)                                                  \
    F(T, HEX, atomiceth.swap_or_add, NULL)                                             \
    F(T, HEX, atomiceth.compare, NULL)                                                 \
    F(T, UINT, aeth.syndrome, NULL)                                                    \
    F(T, UINT, aeth.msn, NULL)                                                         \
    F(T, HEX, atomicacketh.original, NULL)                                             \
    F(T, UINT, immdt.data, NULL)                                                       \
    F(T, UINT, ieth.r_key, NULL)                                                       \
    F(T, BYTES, cnp, NULL)

#define EXTENT_FIELDS(F, T)                                                            \
    F(T, UINT, payload, NULL)                                                          \
    F(T, UINT, payload_bytes, NULL)                                                    \
    F(T, UINT, pad_bytes, NULL)                                                        \
    F(T, UINT, icrc, NULL)                                                             \
    F(T, BOOL, pad_forbidden, NULL)

#define LAW_EXT_MAX_BYTES 100 /* of all headers together */

/*
 * In BPF, a record stays in memory, as in registers it would fill the stack twice; and
 * it is written over the bytes that it was taken from.
 */
#if defined(__bpf__)
#define LAW_EXT_IN_MEMORY(p) __asm__ volatile("" : : "r"(p) : "memory")

ROCECC_FN rocecc_writer law_ext_over(rocecc_reader r)
{
    rocecc_writer w;
    w.base = (uint8_t *)r.base;
    w.at = r.at;
    w.end = r.end;
    w.limit = (uint8_t *)r.limit;
    return w;
}
#else
#define LAW_EXT_IN_MEMORY(p) ((void)(p))
#endif

/* Any byte is a Syndrome, and comes back; only 5 bits of it are a timer. */
ROCECC_FN uint32_t law_syndrome(uint32_t digest, uint8_t b)
{
    const rocecc_syndrome s = rocecc_syndrome_load(&b);
    const uint32_t us = rocecc_rnr_timer_us(b);
    uint8_t back = 0;
    LAW_FIELDS(SYNDROME_FIELDS, &s)
    rocecc_syndrome_store(&back, &s);
    LAW(back == b);
    LAW(us == rocecc_rnr_timer_us(s.value) && us >= 10 && us <= 655360);
    return law_mix(digest, us);
}

/* The headers of a set: taken, and written again byte for byte. */
ROCECC_FN uint32_t law_ext_set(rocecc_reader r, uint16_t set)
{
    uint32_t digest = LAW_START;
    const uint8_t bytes = rocecc_ext_bytes(set);
    rocecc_reader rest = r;
    rocecc_writer w;
    rocecc_ext h;
    rocecc_status status;
#if !defined(__bpf__)
    uint8_t back[LAW_EXT_MAX_BYTES] = {0};
#endif
    LAW_EXT_IN_MEMORY(&h);
    status = rocecc_ext_parse(&rest, set, &h);
    LAW_EXT_IN_MEMORY(&h);
    digest = law_mix(digest, status);
    LAW((status == ROCECC_ERR_RANGE) == (set >= 0x800));
    LAW(rest.at == r.at + (status == ROCECC_OK ? bytes : 0));
    if (status == ROCECC_ERR_RANGE) return digest;
    LAW(status == (rocecc_left(&r) < bytes ? ROCECC_ERR_SHORT : ROCECC_OK));
    if (status != ROCECC_OK) return digest;
    LAW_FIELDS(EXT_FIELDS, &h)
    digest = law_syndrome(digest, h.aeth.syndrome);

#if defined(__bpf__)
    w = law_ext_over(r); /* the stack has no room for them */
    LAW(rocecc_ext_emit(&w, &h) == ROCECC_OK && w.at == rest.at);
#else
    w = rocecc_writer_of(back, back + sizeof back);
    LAW(rocecc_ext_emit(&w, &h) == ROCECC_OK && w.at == bytes);
    LAW(law_same(r, &w, LAW_EXT_MAX_BYTES));
    if (bytes > 0) {
        w = rocecc_writer_of(back, back + bytes - 1);
        LAW(rocecc_ext_emit(&w, &h) == ROCECC_ERR_SPACE && w.at == 0);
    }
    h.aeth.msn = h.immdt.data | h.ieth.r_key; /* fits if it is below 2^24 */
    w = rocecc_writer_of(back, back + sizeof back);
    status = rocecc_ext_emit(&w, &h);
    LAW(status == (h.aeth.msn >> 24 == 0 ? ROCECC_OK : ROCECC_ERR_RANGE));
    LAW(w.at == (status == ROCECC_OK ? bytes : 0));
#endif
    r.end = rest.at;
    return law_mix_bytes(digest, r, LAW_EXT_MAX_BYTES);
}

/* Every byte of a packet is a header's, payload, padding or the ICRC's. */
ROCECC_FN uint32_t law_extent(const rocecc_roce_config *c, const rocecc_bth *h,
                              uint32_t bytes)
{
    uint32_t digest = LAW_START;
    rocecc_extent e;
    rocecc_opclass o;
    rocecc_status known, status;
    e.icrc = 1; /* in no extent */
    known = rocecc_opclass_lookup(h->opcode, &o);
    status = rocecc_extent_locate(c, h, bytes, &e);
    digest = law_mix(digest, status);
    if (known == ROCECC_OK && o.service == ROCECC_SERVICE_RD && !c->rd)
        known = ROCECC_ERR_UNSUPPORTED;
    LAW(status == known || (known == ROCECC_OK && status == ROCECC_ERR_FORMAT));
    if (status != ROCECC_OK) {
        LAW(e.icrc == 1);
        return digest;
    }
    LAW_FIELDS(EXTENT_FIELDS, &e)
    digest = law_mix(digest, e.opclass.ext);
    LAW(bytes % 4 == 0 && e.icrc == bytes - 4);
    LAW(e.icrc == e.payload + e.payload_bytes + e.pad_bytes);
    LAW(e.payload == e.opclass.hdr_bytes && e.pad_bytes == h->pad);
    LAW(e.payload == ROCECC_BTH_BYTES + rocecc_ext_bytes(e.opclass.ext));
    LAW(e.pad_forbidden == (h->pad != 0 && !o.pad));
    LAW(o.payload != ROCECC_PAYLOAD_NONE || e.payload_bytes == 0);
    LAW(o.payload != ROCECC_PAYLOAD_8 || e.payload_bytes == 8);
    LAW(e.opclass.ext == o.ext || (c->short_cnp && h->opcode == 0x81 && bytes == 16));
    return digest;
}

/* What is left is a BTH and what follows it. No opcode: the P_Key is the set. */
ROCECC_FN uint32_t law_ext(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    const uint32_t bytes = (uint32_t)rocecc_left(&r);
    rocecc_roce_config config;
    rocecc_opclass c;
    rocecc_bth h;
    if (rocecc_bth_parse(&r, &h) != ROCECC_OK) return digest;
    config.rd = h.fecn;
    config.short_cnp = h.becn;
    digest = law_mix(digest, law_extent(&config, &h, bytes));
    digest = law_mix(digest, law_extent(&config, &h, h.psn));
    if (rocecc_opclass_lookup(h.opcode, &c) == ROCECC_OK)
        return law_mix(digest, law_ext_set(r, c.ext));
    return law_mix(digest, law_ext_set(r, h.pkey));
}

#endif /* TESTS_LAW_EXT_H */
