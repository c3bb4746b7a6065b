/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * link.c - headers that a capture adds before the packet (SLL, SLL2, NULL, ERF, PPI,
 * NFLOG), and tags between a switch and its CPU port (DSA).
 */
#include <string.h>

#include "decode.h"

#define SLL_BYTES 16
#define SLL2_BYTES 20
#define ADDRESS_BYTES 8
#define NULL_BYTES 4
#define ERF_BYTES 16
#define PPI_BYTES 8
#define DSA_BYTES 4
#define EDSA_BYTES 8 /* starts with an EtherType and 2 reserved bytes */
#define NFLOG_BYTES 4
#define NFLOG_TLV_BYTES 4
#define NFLOG_PAYLOAD 9 /* NFULA_PAYLOAD */

typedef struct sll_record {
    uint32_t interface_index; /* only SLL2 */
    /* 0 to us, 1 broadcast, 2 multicast, 3 to others, 4 from us */
    uint16_t packet_type;
    uint16_t arphrd_type;
    uint16_t address_length;
    rocecc_reader address;
    uint16_t protocol;
} sll_record;

typedef struct null_record {
    uint32_t family;
} null_record;

typedef struct erf_record {
    uint64_t timestamp; /* in units of 2^-32 s */
    uint8_t type;
    uint8_t flags;
    uint16_t rlen;
    uint16_t lctr;
    uint16_t wlen;
    rocecc_reader extensions;
} erf_record;

typedef struct ppi_record {
    uint8_t version;
    uint8_t flags;
    uint16_t len;
    uint32_t dlt;
    rocecc_reader fields;
} ppi_record;

/* An Ethernet header with a switch tag before the type. */
typedef struct dsa_record {
    rocecc_mac dst;
    rocecc_mac src;
    rocecc_reader tag;
    uint16_t type;
} dsa_record;

typedef struct nflog_record {
    uint8_t family; /* Linux's numbers; 2 is IPv4, 10 is IPv6 */
    uint8_t version;
    uint16_t resource_id;
    rocecc_reader tlvs; /* before the payload */
} nflog_record;

#define SLL_MEMBERS(F, T)                                                              \
    F(T, UINT, packet_type, NULL)                                                      \
    F(T, UINT, arphrd_type, NULL)                                                      \
    F(T, UINT, address_length, NULL)                                                   \
    F(T, VIEW, address, NULL)                                                          \
    F(T, UINT, protocol, NULL)
#define NULL_MEMBERS(F, T) F(T, UINT, family, NULL)
#define ERF_MEMBERS(F, T)                                                              \
    F(T, HEX, timestamp, NULL)                                                         \
    F(T, UINT, type, NULL)                                                             \
    F(T, UINT, flags, NULL)                                                            \
    F(T, UINT, rlen, NULL)                                                             \
    F(T, UINT, lctr, NULL)                                                             \
    F(T, UINT, wlen, NULL)                                                             \
    F(T, VIEW, extensions, NULL)
#define PPI_MEMBERS(F, T)                                                              \
    F(T, UINT, version, NULL)                                                          \
    F(T, UINT, flags, NULL)                                                            \
    F(T, UINT, len, NULL)                                                              \
    F(T, UINT, dlt, NULL)                                                              \
    F(T, VIEW, fields, NULL)

#define DSA_MEMBERS(F, T)                                                              \
    F(T, MAC, dst, NULL)                                                               \
    F(T, MAC, src, NULL)                                                               \
    F(T, VIEW, tag, NULL)                                                              \
    F(T, UINT, type, NULL)
#define NFLOG_MEMBERS(F, T)                                                            \
    F(T, UINT, family, NULL)                                                           \
    F(T, UINT, version, NULL)                                                          \
    F(T, UINT, resource_id, NULL)                                                      \
    F(T, VIEW, tlvs, NULL)

/* SLL2 has one more member, the first. */
static const field sll2_fields[] = {FIELD_ROW(sll_record, UINT, interface_index, NULL)
                                        SLL_MEMBERS(FIELD_ROW, sll_record)};
static const field null_fields[] = {NULL_MEMBERS(FIELD_ROW, null_record)};
static const field erf_fields[] = {ERF_MEMBERS(FIELD_ROW, erf_record)};
static const field ppi_fields[] = {PPI_MEMBERS(FIELD_ROW, ppi_record)};
static const field dsa_fields[] = {DSA_MEMBERS(FIELD_ROW, dsa_record)};
static const field dsa_prepended_fields[] = {FIELD_ROW(dsa_record, VIEW, tag, NULL)};
static const field nflog_fields[] = {NFLOG_MEMBERS(FIELD_ROW, nflog_record)};

static const layer_kind sll_kind = {
    "sll", false, sll2_fields + 1, COUNT(sll2_fields) - 1, NULL, NULL};
static const layer_kind sll2_kind = ONE("sll2", sll2_fields);
static const layer_kind null_kind = ONE("null", null_fields);
static const layer_kind erf_kind = ONE("erf", erf_fields);
static const layer_kind ppi_kind = ONE("ppi", ppi_fields);

static const layer_kind dsa_kind = ONE("dsa", dsa_fields);
static const layer_kind dsa_prepended_kind = ONE("dsa_prepended", dsa_prepended_fields);
static const layer_kind nflog_kind = ONE("nflog", nflog_fields);

const layer_kind *const link_kinds[] = {&sll_kind,           &sll2_kind,  &null_kind,
                                        &erf_kind,           &ppi_kind,   &dsa_kind,
                                        &dsa_prepended_kind, &nflog_kind, NULL};

/* The header of the current frame. */
static union {
    sll_record sll;
    null_record null;
    erf_record erf;
    ppi_record ppi;
    dsa_record dsa;
    nflog_record nflog;
} record;

static uint16_t little16(const uint8_t *b)
{
    return (uint16_t)(b[1] << 8 | b[0]);
}

static uint32_t little32(const uint8_t *b)
{
    return (uint32_t)little16(b + 2) << 16 | little16(b);
}

/* Ends the stack, because the header is cut or the next header is unknown. */
static void ends(link_header *l, rocecc_reader *r, rocecc_status status, const char *at)
{
    l->status = status;
    l->at = at;
    *r = rocecc_subrange(*r, r->end, r->end);
}

static void has(link_header *l, const layer_kind *kind)
{
    l->kind = kind;
    l->record = &record;
}

/* Sets the type for Ethernet or IP. Returns false for other link types. */
static bool plain(link_header *l, uint32_t type, rocecc_reader r)
{
    const uint8_t *b = rocecc_take(&r, 1);
    switch (type) {
    case LINK_ETHERNET:
        l->type = ROCECC_TYPE_TEB;
        return true;
    case LINK_RAW_12:
    case LINK_RAW_14:
    case LINK_RAW:
    case LINK_IPV4:
    case LINK_IPV6:
        l->type = b != NULL && *b >> 4 == 6 ? ROCECC_TYPE_IPV6 : ROCECC_TYPE_IPV4;
        return true;
    default:
        return false;
    }
}

/*
 * Sets the next header's type from a cooked capture. For netlink and Wi-Fi, the
 * protocol is not an EtherType, so the stack ends. Protocol 4 is LLC without Ethernet's
 * length field.
 */
static void cooked(link_header *l, rocecc_reader *r, const layer_kind *kind)
{
    const sll_record *h = &record.sll;
    const bool foreign = h->arphrd_type == 824 || /* netlink */
                         (h->arphrd_type >= 801 && h->arphrd_type <= 803);
    has(l, kind);
    l->type = h->protocol;
    if (h->protocol == 4 && rocecc_left(r) <= ROCECC_LLC_LENGTH_MAX)
        l->type = (uint16_t)rocecc_left(r);
    else if (h->protocol <= ROCECC_LLC_LENGTH_MAX)
        ends(l, r, ROCECC_ERR_UNSUPPORTED, "link");
    if (foreign) ends(l, r, ROCECC_ERR_UNSUPPORTED, "link");
}

/* Returns the address. The header has room for 8 bytes of it. */
static rocecc_reader address(const rocecc_reader *r, size_t at)
{
    const size_t n = record.sll.address_length;
    return rocecc_subrange(*r, at, at + (n < ADDRESS_BYTES ? n : ADDRESS_BYTES));
}

static void take_sll(link_header *l, rocecc_reader *r)
{
    const size_t at = r->at;
    const uint8_t *b = rocecc_take(r, SLL_BYTES);
    if (b == NULL) {
        ends(l, r, ROCECC_ERR_SHORT, sll_kind.name);
        return;
    }
    record.sll.packet_type = rocecc_load16(b);
    record.sll.arphrd_type = rocecc_load16(b + 2);
    record.sll.address_length = rocecc_load16(b + 4);
    record.sll.address = address(r, at + 6);
    record.sll.protocol = rocecc_load16(b + 14);
    cooked(l, r, &sll_kind);
}

static void take_sll2(link_header *l, rocecc_reader *r)
{
    const size_t at = r->at;
    const uint8_t *b = rocecc_take(r, SLL2_BYTES);
    if (b == NULL) {
        ends(l, r, ROCECC_ERR_SHORT, sll2_kind.name);
        return;
    }
    record.sll.protocol = rocecc_load16(b);
    record.sll.interface_index = rocecc_load32(b + 4);
    record.sll.arphrd_type = rocecc_load16(b + 8);
    record.sll.packet_type = b[10];
    record.sll.address_length = b[11];
    record.sll.address = address(r, at + 12);
    cooked(l, r, &sll2_kind);
}

/*
 * NULL has the family in the byte order of the capturing machine, and LOOP in big
 * endian. Each system has its own number for IPv6.
 */
static void take_null(link_header *l, rocecc_reader *r)
{
    static const uint8_t families[] = {2, 10, 23, 24, 28, 30};
    const uint8_t *b = rocecc_take(r, NULL_BYTES);
    if (b == NULL) {
        ends(l, r, ROCECC_ERR_SHORT, null_kind.name);
        return;
    }
    record.null.family = b[0] == 0 && b[1] == 0 ? rocecc_load32(b) : little32(b);
    has(l, &null_kind);
    if (record.null.family > 30 ||
        memchr(families, (int)record.null.family, sizeof families) == NULL)
        ends(l, r, ROCECC_ERR_UNSUPPORTED, "link");
    else
        (void)plain(l, LINK_RAW, *r);
}

/* Records of these types are Ethernet after 2 bytes of padding. Two others are IP. */
static bool erf_payload(link_header *l, rocecc_reader *r)
{
    switch (record.erf.type & 0x7f) {
    case 2:  /* ETH */
    case 11: /* COLOR_ETH */
    case 16: /* DSM_COLOR_ETH */
    case 20: /* COLOR_HASH_ETH */
        return rocecc_take(r, 2) != NULL && plain(l, LINK_ETHERNET, *r);
    case 22: /* IPV4 */
    case 23: /* IPV6 */
        return plain(l, LINK_RAW, *r);
    default:
        return false;
    }
}

/* Reads extensions of 8 bytes. Their first bit is set if another one follows. */
static bool erf_extensions(rocecc_reader *r, bool more)
{
    const size_t at = r->at;
    while (more) {
        const uint8_t *b = rocecc_take(r, 8);
        if (b == NULL) return false;
        more = b[0] >> 7 != 0;
    }
    record.erf.extensions = rocecc_subrange(*r, at, r->at);
    return true;
}

static void take_erf(link_header *l, rocecc_reader *r)
{
    const uint8_t *b = rocecc_take(r, ERF_BYTES);
    if (b == NULL || !erf_extensions(r, b[8] >> 7 != 0)) {
        ends(l, r, ROCECC_ERR_SHORT, erf_kind.name);
        return;
    }
    record.erf.timestamp = (uint64_t)little32(b + 4) << 32 | little32(b);
    record.erf.type = b[8];
    record.erf.flags = b[9];
    record.erf.rlen = rocecc_load16(b + 10);
    record.erf.lctr = rocecc_load16(b + 12);
    record.erf.wlen = rocecc_load16(b + 14);
    has(l, &erf_kind);
    if (!erf_payload(l, r)) ends(l, r, ROCECC_ERR_UNSUPPORTED, "link");
}

/* PPI is always little-endian. */
static void take_ppi(link_header *l, rocecc_reader *r)
{
    const size_t at = r->at;
    const uint8_t *b = rocecc_take(r, PPI_BYTES);
    const size_t len = b != NULL ? little16(b + 2) : 0;
    if (b == NULL || len < PPI_BYTES || rocecc_take(r, len - PPI_BYTES) == NULL) {
        ends(l, r, b != NULL && len < PPI_BYTES ? ROCECC_ERR_FORMAT : ROCECC_ERR_SHORT,
             ppi_kind.name);
        return;
    }
    record.ppi.version = b[0];
    record.ppi.flags = b[1];
    record.ppi.len = (uint16_t)len;
    record.ppi.dlt = little32(b + 4);
    record.ppi.fields = rocecc_subrange(*r, at + PPI_BYTES, r->at);
    has(l, &ppi_kind);
    if (!plain(l, record.ppi.dlt, *r)) ends(l, r, ROCECC_ERR_UNSUPPORTED, "link");
}

/* Takes an Ethernet header with a tag before its type. */
static void dsa(link_header *l, rocecc_reader *r, size_t tag_bytes)
{
    const size_t at = r->at;
    const uint8_t *b = rocecc_take(r, ROCECC_ETHER_BYTES + tag_bytes);
    if (b == NULL) {
        ends(l, r, ROCECC_ERR_SHORT, dsa_kind.name);
        return;
    }
    record.dsa.dst = rocecc_mac_load(b);
    record.dsa.src = rocecc_mac_load(b + 6);
    record.dsa.tag = rocecc_subrange(*r, at + 12, at + 12 + tag_bytes);
    record.dsa.type = rocecc_load16(b + 12 + tag_bytes);
    has(l, &dsa_kind);
    l->type = record.dsa.type;
}

static void take_dsa(link_header *l, rocecc_reader *r)
{
    dsa(l, r, DSA_BYTES);
}

static void take_edsa(link_header *l, rocecc_reader *r)
{
    dsa(l, r, EDSA_BYTES);
}

/* Takes a tag before Ethernet. */
static void take_dsa_prepended(link_header *l, rocecc_reader *r)
{
    const size_t at = r->at;
    if (rocecc_take(r, DSA_BYTES) == NULL) {
        ends(l, r, ROCECC_ERR_SHORT, dsa_prepended_kind.name);
        return;
    }
    record.dsa.tag = rocecc_subrange(*r, at, r->at);
    has(l, &dsa_prepended_kind);
    (void)plain(l, LINK_ETHERNET, *r);
}

/*
 * Steps over TLVs to the payload. Lengths and types are in the byte order of the
 * capturing machine. Types are 1 to 255, so the position of their 0 byte shows the
 * order.
 */
static rocecc_status nflog_payload(rocecc_reader *r)
{
    for (;;) {
        const uint8_t *b = rocecc_take(r, NFLOG_TLV_BYTES);
        size_t length;
        if (b == NULL) return ROCECC_ERR_SHORT;
        length = b[3] == 0 ? little16(b) : rocecc_load16(b);
        if (length < NFLOG_TLV_BYTES) return ROCECC_ERR_FORMAT;
        if (b[2] + b[3] == NFLOG_PAYLOAD) return ROCECC_OK;
        length = (length + 3) / 4 * 4 - NFLOG_TLV_BYTES;
        if (rocecc_take(r, length) == NULL) return ROCECC_ERR_SHORT;
    }
}

static void take_nflog(link_header *l, rocecc_reader *r)
{
    const size_t at = r->at;
    const uint8_t *b = rocecc_take(r, NFLOG_BYTES);
    const rocecc_status status = b == NULL ? ROCECC_ERR_SHORT : nflog_payload(r);
    if (status != ROCECC_OK) {
        ends(l, r, status, nflog_kind.name);
        return;
    }
    record.nflog.family = b[0];
    record.nflog.version = b[1];
    record.nflog.resource_id = rocecc_load16(b + 2);
    record.nflog.tlvs = rocecc_subrange(*r, at + NFLOG_BYTES, r->at - NFLOG_TLV_BYTES);
    has(l, &nflog_kind);
    if (b[1] != 0 || (b[0] != 2 && b[0] != 10))
        ends(l, r, ROCECC_ERR_UNSUPPORTED, "link");
    else
        (void)plain(l, LINK_RAW, *r);
}

/* Link types with their own header. */
static const struct {
    uint32_t type;
    void (*take)(link_header *l, rocecc_reader *r);
} headers[] = {{LINK_NULL, take_null},
               {LINK_LOOP, take_null},
               {LINK_SLL, take_sll},
               {LINK_SLL2, take_sll2},
               {LINK_ERF, take_erf},
               {LINK_PPI, take_ppi},
               {LINK_NFLOG, take_nflog},
               {LINK_DSA_BRCM, take_dsa},
               {LINK_DSA_BRCM_PREPEND, take_dsa_prepended},
               {LINK_DSA, take_dsa},
               {LINK_EDSA, take_edsa}};

bool link_known(uint32_t type)
{
    link_header l;
    size_t i;
    for (i = 0; i < COUNT(headers); i++)
        if (headers[i].type == type) return true;
    return plain(&l, type, rocecc_reader_of(NULL, NULL));
}

link_header link_of(uint32_t type, rocecc_reader *frame)
{
    link_header l = {NULL, NULL, ROCECC_TYPE_TEB, ROCECC_OK, NULL};
    size_t i;
    if (plain(&l, type, *frame)) return l;
    for (i = 0; i < COUNT(headers); i++) {
        if (headers[i].type != type) continue;
        headers[i].take(&l, frame);
        return l;
    }
    ends(&l, frame, ROCECC_ERR_UNSUPPORTED, "link");
    return l;
}
