/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_EXT_H
#define TESTS_LAW_EXT_H

#include "draw.h"
#include "rocecc/fields/ext.h"

#define EXTENT_FIELDS(F, T)                                                            \
    F(T, UINT, payload, NULL)                                                          \
    F(T, UINT, payload_bytes, NULL)                                                    \
    F(T, UINT, pad_bytes, NULL)                                                        \
    F(T, UINT, icrc, NULL)                                                             \
    F(T, BOOL, pad_forbidden, NULL)

#define LAW_EXT_MAX_BYTES 100 /* of all headers together */

/* Checks that any byte is a Syndrome and is stored again. Only 5 bits are a timer. */
LAW_FN uint32_t law_syndrome(uint32_t digest, uint8_t b)
{
    const rocecc_syndrome s = rocecc_syndrome_load(&b);
    const uint32_t us = rocecc_rnr_timer_us(b);
    uint8_t back = 0;
    LAW_FIELDS(ROCECC_SYNDROME_FIELDS, &s)
    rocecc_syndrome_store(&back, &s);
    LAW(back == b);
    LAW(us == rocecc_rnr_timer_us(s.value) && us >= 10 && us <= 655360);
    return law_mix(digest, us);
}

/* Checks one header at r, with the bit `set`. BPF writes it over itself. */
LAW_FN uint32_t law_ext_one(rocecc_reader r, uint16_t set, uint32_t digest)
{
    rocecc_reader rest = r;
    rocecc_writer w;
    rocecc_ext h;
    const rocecc_status status = rocecc_ext_parse(&rest, set, &h);
#if defined(__bpf__)
    w.base = (uint8_t *)r.base;
    w.limit = (uint8_t *)r.limit;
    w.at = r.at;
    w.end = r.end;
#else
    LAW_SCRATCH(back, 28);
    w = law_writer(back, 28);
#endif
    if (status != ROCECC_OK) return law_mix(digest, status);
    LAW_FIELDS(ROCECC_EXT_FIELDS, &h)
    if (set == ROCECC_EXT_AETH) digest = law_syndrome(digest, h.aeth.syndrome);
    LAW(rocecc_ext_emit(&w, &h) == ROCECC_OK);
#if !defined(__bpf__)
    LAW(law_wrote(&w) == rest.at - r.at && law_same(r, &w, 28));
#endif
    r.end = rest.at;
    return law_mix_bytes(digest, r, 28);
}

#if !defined(__bpf__)
/* Checks that a set of headers is parsed at once, and written again. */
LAW_FN uint32_t law_ext_set(rocecc_reader r, uint16_t set)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, LAW_EXT_MAX_BYTES);
    const uint8_t bytes = rocecc_ext_bytes(set);
    rocecc_reader rest = r;
    rocecc_writer w = law_writer(back, LAW_EXT_MAX_BYTES);
    rocecc_ext h = {0};
    rocecc_status status = rocecc_ext_parse(&rest, set, &h);
    if (status != ROCECC_OK) {
        LAW(rest.at == r.at);
        LAW((status == ROCECC_ERR_RANGE) == (set >= 0x800));
        LAW(status == ROCECC_ERR_RANGE || rocecc_left(&r) < bytes);
        return digest;
    }
    LAW(set < 0x800 && rest.at == r.at + bytes);
    LAW_FIELDS(ROCECC_EXT_FIELDS, &h)
    LAW(rocecc_ext_emit(&w, &h) == ROCECC_OK && law_wrote(&w) == bytes);
    LAW(law_same(r, &w, LAW_EXT_MAX_BYTES));
    if (bytes > 0) {
        w = law_writer(back, bytes - 1);
        LAW(rocecc_ext_emit(&w, &h) == ROCECC_ERR_SPACE && law_wrote(&w) == 0);
    }
    h.aeth.msn = h.immdt.data | h.ieth.r_key; /* fits if it is below 2^24 */
    w = law_writer(back, LAW_EXT_MAX_BYTES);
    status = rocecc_ext_emit(&w, &h);
    LAW(status == (h.aeth.msn >> 24 == 0 ? ROCECC_OK : ROCECC_ERR_RANGE));
    LAW(law_wrote(&w) == (status == ROCECC_OK ? bytes : 0));
    return digest;
}
#endif

/* Applies X to each bit, in the order of the headers. */
#define LAW_EXT_EACH(X)                                                                \
    X(RDETH)                                                                           \
    X(DETH)                                                                            \
    X(XRCETH)                                                                          \
    X(FETH) X(RETH) X(ATOMICETH) X(AETH) X(ATOMICACKETH) X(IMMDT) X(IETH) X(CNP)

/* Looks up an opcode. A verifier follows its paths once, and not in each caller. */
LAW_PART int law_ext_class(uint32_t opcode, rocecc_opcode_class *o)
{
    return o == NULL ? 0 : (int)rocecc_opcode_lookup((uint8_t)opcode, o);
}

LAW_PART int law_ext_locate(const rocecc_roce_config *c, const rocecc_bth *h,
                            uint32_t bytes, rocecc_extent *e)
{
    if (c == NULL || h == NULL || e == NULL) return 0;
    return (int)rocecc_extent_locate(c, h, bytes, e);
}

/* Checks that every byte belongs to a header, payload, padding or the ICRC. */
LAW_FN uint32_t law_extent(const rocecc_roce_config *c, const rocecc_bth *h,
                           uint32_t bytes)
{
    uint32_t digest = LAW_START;
    rocecc_extent e = {0}; /* for Eva; it joins the states of all statuses */
    rocecc_opcode_class o = {0};
    rocecc_status status = (rocecc_status)law_ext_class(h->opcode, &o);
    if (status != ROCECC_OK) {
        LAW((rocecc_status)law_ext_locate(c, h, bytes, &e) == status);
        return law_mix(digest, status);
    }
    e.icrc = 1; /* in no extent */
    status = (rocecc_status)law_ext_locate(c, h, bytes, &e);
    if (status != ROCECC_OK) {
        const bool rd = o.service == ROCECC_SERVICE_RD && !c->rd;
        LAW(status == (rd ? ROCECC_ERR_UNSUPPORTED : ROCECC_ERR_FORMAT));
        LAW(e.icrc == 1);
        return law_mix(digest, status);
    }
    LAW_FIELDS(EXTENT_FIELDS, &e)
    digest = law_mix(digest, e.opclass.ext);
    LAW(bytes % 4 == 0 && e.icrc == bytes - 4);
    LAW(e.icrc == e.payload + e.payload_bytes + e.pad_bytes);
    LAW(e.payload == e.opclass.hdr_bytes && e.pad_bytes == h->pad);
    LAW(e.payload == ROCECC_BTH_BYTES + rocecc_ext_bytes(e.opclass.ext));
    LAW(e.pad_forbidden == (h->pad != 0 && !o.pad));
    LAW(o.payload != ROCECC_PAYLOAD_NONE ||
        e.payload_bytes <= (rocecc_opcode_is_ack(h->opcode) ? c->echo_bytes : 0u));
    LAW(o.payload != ROCECC_PAYLOAD_8 || e.payload_bytes == 8);
    LAW(e.opclass.ext == o.ext || (c->short_cnp && h->opcode == 0x81 && bytes == 16));
    return digest;
}

/*
 * Checks a packet that begins with a BTH. FECN, BECN and Resv6 are the configuration,
 * and the PSN is the length if `psn` is set.
 */
LAW_FN uint32_t law_ext_extent(rocecc_reader r, bool psn)
{
    const uint32_t bytes = (uint32_t)rocecc_left(&r);
    rocecc_roce_config config;
    rocecc_bth h;
    if (rocecc_bth_parse(&r, &h) != ROCECC_OK) return LAW_START;
    config.rd = h.fecn;
    config.short_cnp = h.becn;
    config.echo_bytes = h.resv6;
    return law_extent(&config, &h, psn ? h.psn : bytes);
}

/* Returns the headers of the opcode, or the P_Key for an unknown opcode. */
LAW_FN uint16_t law_ext_which(rocecc_reader r)
{
    rocecc_opcode_class c;
    rocecc_bth h;
    if (rocecc_bth_parse(&r, &h) != ROCECC_OK) return 0;
    if (rocecc_opcode_lookup(h.opcode, &c) == ROCECC_OK) return c.ext;
    return h.pkey;
}

#if !defined(__bpf__)
/* Checks a BTH and the headers after it, at once and one by one. */
LAW_FN uint32_t law_ext(rocecc_reader r)
{
    uint32_t digest = law_mix(law_ext_extent(r, false), law_ext_extent(r, true));
    const uint16_t set = law_ext_which(r);
    if (rocecc_take(&r, ROCECC_BTH_BYTES) == NULL) return digest;
    if (law_ext_set(r, set) == LAW_BROKEN) return LAW_BROKEN;
#define LAW_EXT_STEP(bit)                                                              \
    if (set & ROCECC_EXT_##bit) {                                                      \
        digest = law_ext_one(r, ROCECC_EXT_##bit, digest);                             \
        r.at += rocecc_ext_bytes(ROCECC_EXT_##bit);                                    \
    }
    LAW_EXT_EACH(LAW_EXT_STEP)
    return digest;
}
#endif

#endif /* TESTS_LAW_EXT_H */
