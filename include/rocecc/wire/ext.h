/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_EXT_H
#define ROCECC_WIRE_EXT_H

/*
 * ext.h - the extended transport headers that stand between the BTH and the payload,
 * and where the payload begins and ends. IBTA volume 1, 9.3; FETH from Annex A19.
 *
 * The opcode says which of them a packet has (rocecc_opclass_lookup). They follow in
 * this order, each a multiple of 4 bytes:
 *
 *   RDETH 4 | DETH 8 | XRCETH 4 | FETH 4 | RETH 16 | AtomicETH 28 | AETH 4 |
 *   AtomicAckETH 8 | ImmDt 4 | IETH 4 | the 16 reserved bytes of a CNP
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |   reserved    |                  EE-Context                   | RDETH
 *   |                             Q_Key                             | DETH
 *   |   reserved    |                     SrcQP                     |   and
 *   |   reserved    |                    XRCSRQ                     | XRCETH
 *   |                     reserved                      |Sel|  PLT  | FETH
 *   |                   Virtual Address, 8 bytes                    | RETH
 *   |                             R_Key                             |   and
 *   |                          DMA Length                           |   and
 *   |   Syndrome    |                      MSN                      | AETH
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 * AtomicETH is Virtual Address 8, R_Key 4, Swap (or Add) Data 8, Compare Data 8.
 * AtomicAckETH is the 8 bytes that were there before, ImmDt 4 bytes of data, IETH the
 * R_Key to invalidate.
 *
 *     000055d4c0726000 000047b3 00000005     RETH: 5 bytes to 0x55d4c0726000
 *
 * parse() and emit() take them all at once; load() and store() one alone.
 */
#include "bth.h"
#include "config.h"

typedef struct rocecc_rdeth {
    uint8_t reserved;
    uint32_t ee_context; /* 24 bits */
} rocecc_rdeth;

typedef struct rocecc_deth {
    uint32_t q_key;
    uint8_t reserved;
    uint32_t src_qp; /* 24 bits */
} rocecc_deth;

typedef struct rocecc_xrceth {
    uint8_t reserved;
    uint32_t xrcsrq; /* 24 bits */
} rocecc_xrceth;

typedef struct rocecc_feth {
    uint32_t reserved;   /* 26 bits */
    uint8_t selectivity; /* Sel, 2 bits: memory region or range */
    uint8_t placement;   /* PLT, 4 bits: 1 global visibility, 2 persistence */
} rocecc_feth;

typedef struct rocecc_reth {
    uint64_t va;
    uint32_t r_key;
    uint32_t dma_length; /* at most 2^31; not checked here */
} rocecc_reth;

typedef struct rocecc_atomiceth {
    uint64_t va;
    uint32_t r_key;
    uint64_t swap_or_add;
    uint64_t compare;
} rocecc_atomiceth;

typedef struct rocecc_aeth {
    uint8_t syndrome; /* a rocecc_syndrome */
    uint32_t msn;     /* 24 bits */
} rocecc_aeth;

typedef struct rocecc_atomicacketh {
    uint64_t original; /* what was at the address before */
} rocecc_atomicacketh;

typedef struct rocecc_immdt {
    uint32_t data; /* opaque: the transport does not look at it */
} rocecc_immdt;

typedef struct rocecc_ieth {
    uint32_t r_key;
} rocecc_ieth;

/* The headers after one BTH. Those that are not present are 0. */
typedef struct rocecc_ext {
    uint16_t present; /* ROCECC_EXT_... */
    rocecc_rdeth rdeth;
    rocecc_deth deth;
    rocecc_xrceth xrceth;
    rocecc_feth feth;
    rocecc_reth reth;
    rocecc_atomiceth atomiceth;
    rocecc_aeth aeth;
    rocecc_atomicacketh atomicacketh;
    rocecc_immdt immdt;
    rocecc_ieth ieth;
    uint8_t cnp[16]; /* a sender writes 0, a receiver ignores them (A17.9.3) */
} rocecc_ext;

/* 4 bytes at b. Each load() and store() is total, and store(load(b)) == b. */
ROCECC_FN rocecc_rdeth rocecc_rdeth_load(const uint8_t *b)
{
    rocecc_rdeth h;
    h.reserved = b[0];
    h.ee_context = rocecc_load32(b) & 0xffffff;
    return h;
}

/* Writes 4 bytes at b; a value that is too wide loses its high bits. */
ROCECC_FN void rocecc_rdeth_store(uint8_t *b, const rocecc_rdeth *h)
{
    rocecc_store32(b, (uint32_t)h->reserved << 24 | (h->ee_context & 0xffffff));
}

/* 8 bytes at b; total. */
ROCECC_FN rocecc_deth rocecc_deth_load(const uint8_t *b)
{
    rocecc_deth h;
    h.q_key = rocecc_load32(b);
    h.reserved = b[4];
    h.src_qp = rocecc_load32(b + 4) & 0xffffff;
    return h;
}

/* Writes 8 bytes at b; a value that is too wide loses its high bits. */
ROCECC_FN void rocecc_deth_store(uint8_t *b, const rocecc_deth *h)
{
    rocecc_store32(b, h->q_key);
    rocecc_store32(b + 4, (uint32_t)h->reserved << 24 | (h->src_qp & 0xffffff));
}

/* 4 bytes at b; total. */
ROCECC_FN rocecc_xrceth rocecc_xrceth_load(const uint8_t *b)
{
    rocecc_xrceth h;
    h.reserved = b[0];
    h.xrcsrq = rocecc_load32(b) & 0xffffff;
    return h;
}

/* Writes 4 bytes at b; a value that is too wide loses its high bits. */
ROCECC_FN void rocecc_xrceth_store(uint8_t *b, const rocecc_xrceth *h)
{
    rocecc_store32(b, (uint32_t)h->reserved << 24 | (h->xrcsrq & 0xffffff));
}

/* 4 bytes at b; total. */
ROCECC_FN rocecc_feth rocecc_feth_load(const uint8_t *b)
{
    const uint32_t w0 = rocecc_load32(b);
    rocecc_feth h;
    h.reserved = w0 >> 6;
    h.selectivity = (uint8_t)(w0 >> 4 & 0x3);
    h.placement = (uint8_t)(w0 & 0xf);
    return h;
}

/* Writes 4 bytes at b; a value that is too wide loses its high bits. */
ROCECC_FN void rocecc_feth_store(uint8_t *b, const rocecc_feth *h)
{
    rocecc_store32(b, h->reserved << 6 | (h->selectivity & 0x3u) << 4 |
                          (h->placement & 0xfu));
}

/* 16 bytes at b; total. */
ROCECC_FN rocecc_reth rocecc_reth_load(const uint8_t *b)
{
    rocecc_reth h;
    h.va = rocecc_load64(b);
    h.r_key = rocecc_load32(b + 8);
    h.dma_length = rocecc_load32(b + 12);
    return h;
}

/* Writes 16 bytes at b. */
ROCECC_FN void rocecc_reth_store(uint8_t *b, const rocecc_reth *h)
{
    rocecc_store64(b, h->va);
    rocecc_store32(b + 8, h->r_key);
    rocecc_store32(b + 12, h->dma_length);
}

/* 28 bytes at b; total. */
ROCECC_FN rocecc_atomiceth rocecc_atomiceth_load(const uint8_t *b)
{
    rocecc_atomiceth h;
    h.va = rocecc_load64(b);
    h.r_key = rocecc_load32(b + 8);
    h.swap_or_add = rocecc_load64(b + 12);
    h.compare = rocecc_load64(b + 20);
    return h;
}

/* Writes 28 bytes at b. */
ROCECC_FN void rocecc_atomiceth_store(uint8_t *b, const rocecc_atomiceth *h)
{
    rocecc_store64(b, h->va);
    rocecc_store32(b + 8, h->r_key);
    rocecc_store64(b + 12, h->swap_or_add);
    rocecc_store64(b + 20, h->compare);
}

/* 4 bytes at b; total. */
ROCECC_FN rocecc_aeth rocecc_aeth_load(const uint8_t *b)
{
    rocecc_aeth h;
    h.syndrome = b[0];
    h.msn = rocecc_load32(b) & 0xffffff;
    return h;
}

/* Writes 4 bytes at b; a value that is too wide loses its high bits. */
ROCECC_FN void rocecc_aeth_store(uint8_t *b, const rocecc_aeth *h)
{
    rocecc_store32(b, (uint32_t)h->syndrome << 24 | (h->msn & 0xffffff));
}

/* 8 bytes at b; total. */
ROCECC_FN rocecc_atomicacketh rocecc_atomicacketh_load(const uint8_t *b)
{
    rocecc_atomicacketh h;
    h.original = rocecc_load64(b);
    return h;
}

/* Writes 8 bytes at b. */
ROCECC_FN void rocecc_atomicacketh_store(uint8_t *b, const rocecc_atomicacketh *h)
{
    rocecc_store64(b, h->original);
}

/* 4 bytes at b; total. */
ROCECC_FN rocecc_immdt rocecc_immdt_load(const uint8_t *b)
{
    rocecc_immdt h;
    h.data = rocecc_load32(b);
    return h;
}

/* Writes 4 bytes at b. */
ROCECC_FN void rocecc_immdt_store(uint8_t *b, const rocecc_immdt *h)
{
    rocecc_store32(b, h->data);
}

/* 4 bytes at b; total. */
ROCECC_FN rocecc_ieth rocecc_ieth_load(const uint8_t *b)
{
    rocecc_ieth h;
    h.r_key = rocecc_load32(b);
    return h;
}

/* Writes 4 bytes at b. */
ROCECC_FN void rocecc_ieth_store(uint8_t *b, const rocecc_ieth *h)
{
    rocecc_store32(b, h->r_key);
}

/*
 * Takes the headers of a set, ROCECC_EXT_... as in rocecc_opclass. RANGE: the set has
 * an unknown bit. SHORT: they go beyond r.
 */
ROCECC_FN rocecc_status rocecc_ext_parse(rocecc_reader *r, uint16_t set, rocecc_ext *h)
{
    rocecc_ext e = {0,         {0, 0},    {0, 0, 0},    {0, 0},
                    {0, 0, 0}, {0, 0, 0}, {0, 0, 0, 0}, {0, 0},
                    {0},       {0},       {0},          {0}};
    rocecc_reader rest = *r;
    const uint8_t *b;
    int i;
    if ((set & ~ROCECC_EXT_ALL) != 0) return ROCECC_ERR_RANGE;
    e.present = set;
    if (set & ROCECC_EXT_RDETH) {
        if ((b = rocecc_take(&rest, 4)) == NULL) return ROCECC_ERR_SHORT;
        e.rdeth = rocecc_rdeth_load(b);
    }
    if (set & ROCECC_EXT_DETH) {
        if ((b = rocecc_take(&rest, 8)) == NULL) return ROCECC_ERR_SHORT;
        e.deth = rocecc_deth_load(b);
    }
    if (set & ROCECC_EXT_XRCETH) {
        if ((b = rocecc_take(&rest, 4)) == NULL) return ROCECC_ERR_SHORT;
        e.xrceth = rocecc_xrceth_load(b);
    }
    if (set & ROCECC_EXT_FETH) {
        if ((b = rocecc_take(&rest, 4)) == NULL) return ROCECC_ERR_SHORT;
        e.feth = rocecc_feth_load(b);
    }
    if (set & ROCECC_EXT_RETH) {
        if ((b = rocecc_take(&rest, 16)) == NULL) return ROCECC_ERR_SHORT;
        e.reth = rocecc_reth_load(b);
    }
    if (set & ROCECC_EXT_ATOMICETH) {
        if ((b = rocecc_take(&rest, 28)) == NULL) return ROCECC_ERR_SHORT;
        e.atomiceth = rocecc_atomiceth_load(b);
    }
    if (set & ROCECC_EXT_AETH) {
        if ((b = rocecc_take(&rest, 4)) == NULL) return ROCECC_ERR_SHORT;
        e.aeth = rocecc_aeth_load(b);
    }
    if (set & ROCECC_EXT_ATOMICACKETH) {
        if ((b = rocecc_take(&rest, 8)) == NULL) return ROCECC_ERR_SHORT;
        e.atomicacketh = rocecc_atomicacketh_load(b);
    }
    if (set & ROCECC_EXT_IMMDT) {
        if ((b = rocecc_take(&rest, 4)) == NULL) return ROCECC_ERR_SHORT;
        e.immdt = rocecc_immdt_load(b);
    }
    if (set & ROCECC_EXT_IETH) {
        if ((b = rocecc_take(&rest, 4)) == NULL) return ROCECC_ERR_SHORT;
        e.ieth = rocecc_ieth_load(b);
    }
    if (set & ROCECC_EXT_CNP) {
        if ((b = rocecc_take(&rest, 16)) == NULL) return ROCECC_ERR_SHORT;
        for (i = 0; i < 16; i++)
            e.cnp[i] = b[i];
    }
    *h = e;
    *r = rest;
    return ROCECC_OK;
}

/*
 * Writes the headers that are present. RANGE: a value is wider than its field, or
 * present has an unknown bit. SPACE: w is too small.
 */
ROCECC_FN rocecc_status rocecc_ext_emit(rocecc_writer *w, const rocecc_ext *h)
{
    const uint16_t set = h->present;
    rocecc_writer out = *w;
    uint8_t *b;
    int i;
    if ((h->rdeth.ee_context | h->deth.src_qp | h->xrceth.xrcsrq | h->aeth.msn) >> 24 !=
            0 ||
        h->feth.reserved >> 26 != 0 || h->feth.selectivity >> 2 != 0 ||
        h->feth.placement >> 4 != 0 || (set & ~ROCECC_EXT_ALL) != 0)
        return ROCECC_ERR_RANGE;
    if (rocecc_room(w) < rocecc_ext_bytes(set)) return ROCECC_ERR_SPACE;
    if (set & ROCECC_EXT_RDETH) {
        if ((b = rocecc_put(&out, 4)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_rdeth_store(b, &h->rdeth);
    }
    if (set & ROCECC_EXT_DETH) {
        if ((b = rocecc_put(&out, 8)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_deth_store(b, &h->deth);
    }
    if (set & ROCECC_EXT_XRCETH) {
        if ((b = rocecc_put(&out, 4)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_xrceth_store(b, &h->xrceth);
    }
    if (set & ROCECC_EXT_FETH) {
        if ((b = rocecc_put(&out, 4)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_feth_store(b, &h->feth);
    }
    if (set & ROCECC_EXT_RETH) {
        if ((b = rocecc_put(&out, 16)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_reth_store(b, &h->reth);
    }
    if (set & ROCECC_EXT_ATOMICETH) {
        if ((b = rocecc_put(&out, 28)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_atomiceth_store(b, &h->atomiceth);
    }
    if (set & ROCECC_EXT_AETH) {
        if ((b = rocecc_put(&out, 4)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_aeth_store(b, &h->aeth);
    }
    if (set & ROCECC_EXT_ATOMICACKETH) {
        if ((b = rocecc_put(&out, 8)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_atomicacketh_store(b, &h->atomicacketh);
    }
    if (set & ROCECC_EXT_IMMDT) {
        if ((b = rocecc_put(&out, 4)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_immdt_store(b, &h->immdt);
    }
    if (set & ROCECC_EXT_IETH) {
        if ((b = rocecc_put(&out, 4)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_ieth_store(b, &h->ieth);
    }
    if (set & ROCECC_EXT_CNP) {
        if ((b = rocecc_put(&out, 16)) == NULL) return ROCECC_ERR_SPACE;
        for (i = 0; i < 16; i++)
            b[i] = h->cnp[i];
    }
    *w = out;
    return ROCECC_OK;
}

/*
 * The AETH's Syndrome. IBTA volume 1, 9.7.5.
 *
 *    0 1 2 3 4 5 6 7
 *   +-+-+-+-+-+-+-+-+
 *   |0|typ|  value  |
 *   +-+-+-+-+-+-+-+-+
 */
typedef enum rocecc_syndrome_type {
    ROCECC_SYNDROME_ACK = 0,     /* value: a code for credits, 31: not in use */
    ROCECC_SYNDROME_RNR_NAK = 1, /* value: rocecc_rnr_timer_us() */
    ROCECC_SYNDROME_RESERVED = 2,
    ROCECC_SYNDROME_NAK = 3 /* value: a rocecc_nak */
} rocecc_syndrome_type;

typedef enum rocecc_nak {
    ROCECC_NAK_PSN_SEQUENCE_ERROR = 0,
    ROCECC_NAK_INVALID_REQUEST = 1,
    ROCECC_NAK_REMOTE_ACCESS_ERROR = 2,
    ROCECC_NAK_REMOTE_OPERATIONAL_ERROR = 3,
    ROCECC_NAK_INVALID_RD_REQUEST = 4
} rocecc_nak;

typedef struct rocecc_syndrome {
    bool reserved; /* the high bit, 0 */
    uint8_t type;  /* a rocecc_syndrome_type */
    uint8_t value; /* 5 bits */
} rocecc_syndrome;

/* 1 byte at b. Total, and store(load(b)) == b. */
ROCECC_FN rocecc_syndrome rocecc_syndrome_load(const uint8_t *b)
{
    rocecc_syndrome s;
    s.reserved = b[0] >> 7 != 0;
    s.type = b[0] >> 5 & 0x3;
    s.value = b[0] & 0x1f;
    return s;
}

/* Writes 1 byte at b; a value that is too wide loses its high bits. */
ROCECC_FN void rocecc_syndrome_store(uint8_t *b, const rocecc_syndrome *s)
{
    b[0] = (uint8_t)((s->reserved ? 0x80u : 0u) | (s->type & 0x3u) << 5 |
                     (s->value & 0x1fu));
}

/* The wait that an RNR NAK asks for, in us; only 5 bits of value count. */
ROCECC_FN uint32_t rocecc_rnr_timer_us(uint8_t value)
{
    static const uint32_t us[32] = {655360, 10,     20,     30,    40,    60,    80,
                                    120,    160,    240,    320,   480,   640,   960,
                                    1280,   1920,   2560,   3840,  5120,  7680,  10240,
                                    15360,  20480,  30720,  40960, 61440, 81920, 122880,
                                    163840, 245760, 327680, 491520};
    return us[value & 0x1f];
}

/* Where payload and ICRC are, counted from the BTH. */
typedef struct rocecc_extent {
    rocecc_opclass opclass;
    uint8_t payload;        /* where it begins: opclass.hdr_bytes */
    uint32_t payload_bytes; /* without padding */
    uint8_t pad_bytes;
    uint32_t icrc;      /* where the last 4 bytes begin */
    bool pad_forbidden; /* padding that the opcode forbids: the caller judges */
} rocecc_extent;

/*
 * The receiver's length identity: bytes = headers + payload + padding + 4, where bytes
 * counts from the BTH through the ICRC (UDP Length - 8, or PayLen of the GRH). The echo
 * of an ACK (echo.h) is its payload, where c takes one. NO_MATCH: the opcode is
 * reserved. UNSUPPORTED: it is the manufacturer's own, or RD, unless c takes RD.
 * FORMAT: bytes does not fit the opcode and PadCnt.
 */
ROCECC_FN rocecc_status rocecc_extent_locate(const rocecc_roce_config *c,
                                             const rocecc_bth *h, uint32_t bytes,
                                             rocecc_extent *out)
{
    rocecc_extent e;
    uint32_t rest;
    const rocecc_status status = rocecc_opclass_lookup(h->opcode, &e.opclass);
    if (status != ROCECC_OK) return status;
    if (e.opclass.service == ROCECC_SERVICE_RD && !c->rd) return ROCECC_ERR_UNSUPPORTED;
    if (c->short_cnp && h->opcode == ROCECC_OPCODE_CNP && bytes == 16) {
        e.opclass.ext = 0;
        e.opclass.hdr_bytes = ROCECC_BTH_BYTES;
    }
    if (bytes < e.opclass.hdr_bytes + 4u || bytes % 4 != 0) return ROCECC_ERR_FORMAT;
    rest = bytes - 4 - e.opclass.hdr_bytes;
    if (rest < h->pad) return ROCECC_ERR_FORMAT;
    e.payload = e.opclass.hdr_bytes;
    e.payload_bytes = rest - h->pad;
    e.pad_bytes = h->pad;
    e.icrc = bytes - 4;
    e.pad_forbidden = h->pad != 0 && !e.opclass.pad;
    if (e.opclass.payload == ROCECC_PAYLOAD_NONE &&
        e.payload_bytes > (rocecc_opcode_acks(h->opcode) ? c->echo_bytes : 0u))
        return ROCECC_ERR_FORMAT;
    if (e.opclass.payload == ROCECC_PAYLOAD_8 && e.payload_bytes != 8)
        return ROCECC_ERR_FORMAT;
    *out = e;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_EXT_H */
