/* SPDX-License-Identifier: BSD-2-Clause */

/* layers.c - every layer, with its name, members, and numbers that identify it. */
#include <string.h>

#include "gen.h"
#include "rocecc/fields/fastcnp.h"
#include "rocecc/fields/icrc.h"
#include "rocecc/fields/ifa.h"
#include "rocecc/fields/intmd.h"
#include "rocecc/fields/ioam.h"

/* JSON members without a format of their own. */
typedef struct reserved_record {
    uint8_t reserved[16];
} reserved_record;

static const field ioam_fields[] = {
    {"trace_type", ROCECC_FIELD_HEX, 24, offsetof(ioam_record, trace_type), 4, "", NULL,
     ""},
    FIELD_ROW(ioam_record, UINT, opt_type, NULL, 8, "", "")};
static const field ioam_nodes[] = {ROCECC_IOAM_NODE_FIELDS(FIELD_ROW, ioam_shown)};
static const field ifa_nodes[] = {ROCECC_IFA_NODE_FIELDS(FIELD_ROW, rocecc_ifa_node)};
static const field intmd_nodes[] = {ROCECC_INTMD_NODE_FIELDS(FIELD_ROW, intmd_shown)};
static const field fastcnp_fields[] = {
    ROCECC_FASTCNP_FIELDS(FIELD_ROW, rocecc_fastcnp)};
static const field reserved_fields[] = {
    FIELD_ROW(reserved_record, BYTES, reserved, NULL)};
static const field payload_fields[] = {FIELD_ROW(
    payload_record, VIEW, bytes, NULL) FIELD_ROW(payload_record, UINT, length, NULL)};
static const field icrc_fields[] = {FIELD_ROW(icrc_record, HEX, value, NULL) FIELD_ROW(
    icrc_record, ENUM, rule, ROCECC_ICRC_RULE_NAMES)};
static const field options_fields[] = {FIELD_ROW(options_record, VIEW, options, NULL)};
static const field ah_fields[] = {
    FIELD_ROW(ah_record, UINT, next_header, NULL) FIELD_ROW(
        ah_record, UINT, payload_len, NULL) FIELD_ROW(ah_record, UINT, reserved, NULL)
        FIELD_ROW(ah_record, UINT, spi, NULL) FIELD_ROW(ah_record, UINT, sequence, NULL)
            FIELD_ROW(ah_record, VIEW, icv, NULL)};
static const field index_fields[] = {
    FIELD_ROW(erspan_record, UINT, index, NULL, 20, "", "")};
static const field type_fields[] = {
    FIELD_AT("next", UINT, offsetof(tag_record, type), 2, NULL)};
static const field flow_fields[] = {FIELD_ROW(tag_record, UINT, flow_id, NULL)
                                        FIELD_ROW(tag_record, UINT, type, NULL)};

#define PART(name, T, fields)                                                          \
    {                                                                                  \
        name, fields, COUNT(fields), sizeof(T), NULL                                   \
    }
static const noun parts[] = {PART("ioam.", ioam_record, ioam_fields),
                             PART("ioam_node", ioam_shown, ioam_nodes),
                             PART("ifa_node", rocecc_ifa_node, ifa_nodes),
                             PART("intmd_node", intmd_shown, intmd_nodes),
                             PART("fastcnp.", rocecc_fastcnp, fastcnp_fields),
                             PART("cnp.", reserved_record, reserved_fields),
                             PART("payload.", payload_record, payload_fields),
                             PART("icrc.", icrc_record, icrc_fields),
                             PART("options.", options_record, options_fields),
                             PART("ah.", ah_record, ah_fields),
                             PART("index.", erspan_record, index_fields),
                             PART("type.", tag_record, type_fields),
                             PART("cntag.", tag_record, flow_fields)};

const noun *kind_noun(const char *name)
{
    size_t i;
    for (i = 0; i < COUNT(parts); i++)
        if (strcmp(parts[i].name, name) == 0) return &parts[i];
    return noun_find(name);
}

/* Writes any total length, although the library rejects one shorter than the header. */
static rocecc_status ipv4_emit(frame *f, size_t i, rocecc_writer *w)
{
    const rocecc_ipv4 *given = (const rocecc_ipv4 *)f->layers[i].record;
    rocecc_ipv4 h = *given;
    const size_t at = w->at;
    rocecc_status status;
    h.total_length = UINT16_MAX;
    status = rocecc_ipv4_emit(w, &h);
    if (status == ROCECC_OK) rocecc_store16(f->buffer + at + 2, given->total_length);
    return status;
}

static rocecc_status udp_emit(frame *f, size_t i, rocecc_writer *w)
{
    uint8_t *b = rocecc_put(w, ROCECC_UDP_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_udp_store(b, (const rocecc_udp *)f->layers[i].record);
    return ROCECC_OK;
}

static rocecc_status cnp_emit(frame *f, size_t i, rocecc_writer *w)
{
    rocecc_ext e = ROCECC_ZERO;
    e.present = ROCECC_EXT_CNP;
    memcpy(e.cnp, f->layers[i].record, sizeof e.cnp);
    return rocecc_ext_emit(w, &e);
}

size_t payload_length(const payload_record *p)
{
    const size_t n = rocecc_left(&p->bytes);
    return n != 0 ? n : p->length;
}

/* Writes the named bytes, or 00 01 02 and so on. After a BTH, adds zeros as padding. */
static rocecc_status payload_emit(frame *f, size_t i, rocecc_writer *w)
{
    const payload_record *p = (const payload_record *)f->layers[i].record;
    const size_t n = payload_length(p);
    const size_t pad = frame_before(f, i, "bth") != f->n ? -n & 3 : 0;
    rocecc_reader r = p->bytes;
    uint8_t *b = rocecc_put(w, n + pad);
    const uint8_t *named;
    size_t k;
    if (b == NULL) return ROCECC_ERR_SPACE;
    for (k = 0; k < n + pad; k++) {
        named = rocecc_take(&r, 1);
        b[k] = named != NULL ? *named : k < n ? (uint8_t)k : 0;
    }
    return ROCECC_OK;
}

static rocecc_status icrc_emit(frame *f, size_t i, rocecc_writer *w)
{
    uint8_t *b = rocecc_put(w, ROCECC_ICRC_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store32(b, ((const icrc_record *)f->layers[i].record)->value);
    return ROCECC_OK;
}

/* Writes an AH. Returns RANGE if the ICV is not whole 4-byte words (RFC 4302, 2.6). */
static rocecc_status ah_emit(frame *f, size_t i, rocecc_writer *w)
{
    const ah_record *h = (const ah_record *)f->layers[i].record;
    uint8_t *b;
    if (rocecc_left(&h->icv) % 4 != 0) return ROCECC_ERR_RANGE;
    b = rocecc_put(w, AH_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    b[0] = h->next_header;
    b[1] = h->payload_len;
    rocecc_store16(b + 2, h->reserved);
    rocecc_store32(b + 4, h->spi);
    rocecc_store32(b + 8, h->sequence);
    return rocecc_append(w, h->icv, ROOM) ? ROCECC_OK : ROCECC_ERR_SPACE;
}

/* Writes a tag without its TPID (in the header before it), and then the next type. */
static rocecc_status tag_emit(rocecc_writer *w, const uint8_t *tag, size_t n,
                              uint16_t type)
{
    uint8_t *b = rocecc_put(w, n);
    if (b == NULL) return ROCECC_ERR_SPACE;
    memcpy(b, tag + 2, n - 2);
    rocecc_store16(b + n - 2, type);
    return ROCECC_OK;
}

static rocecc_status csig_emit(frame *f, size_t i, rocecc_writer *w)
{
    const tag_record *t = (const tag_record *)f->layers[i].record;
    uint8_t tag[ROCECC_CSIG_WIDE_BYTES];
    rocecc_writer out = rocecc_writer_of(tag, tag + sizeof tag);
    const rocecc_status status = rocecc_csig_emit(&f->domain->csig, &out, &t->csig);
    return status != ROCECC_OK ? status : tag_emit(w, tag, out.at, t->type);
}

static rocecc_status cntag_emit(frame *f, size_t i, rocecc_writer *w)
{
    const tag_record *t = (const tag_record *)f->layers[i].record;
    uint8_t tag[ROCECC_CNTAG_BYTES];
    rocecc_writer out = rocecc_writer_of(tag, tag + sizeof tag);
    rocecc_cntag h;
    rocecc_status status;
    h.flow_id = t->flow_id;
    status = rocecc_cntag_emit(&out, &h);
    return status != ROCECC_OK ? status : tag_emit(w, tag, sizeof tag, t->type);
}

/* Writes the frame without its Ethernet header, which is a layer of its own. */
static rocecc_status control_emit(frame *f, size_t i, rocecc_writer *w)
{
    const layer *l = &f->layers[i];
    uint8_t b[ROCECC_PFC_BYTES];
    rocecc_writer out = rocecc_writer_of(b, b + sizeof b);
    rocecc_reader r;
    rocecc_status status =
        kind_noun(l->kind->nouns[0])->emit(&out, f->domain, l->record);
    if (status != ROCECC_OK) return status;
    r = rocecc_subrange(rocecc_written(&out), ROCECC_ETHER_BYTES, out.at);
    return rocecc_append(w, r, sizeof b) ? ROCECC_OK : ROCECC_ERR_SPACE;
}

/* Writes the header and its options. */
static rocecc_status options_emit(frame *f, size_t i, rocecc_writer *w)
{
    const layer *l = &f->layers[i];
    const options_record *o = (const options_record *)l->record;
    const rocecc_status status =
        kind_noun(l->kind->nouns[0])->emit(w, f->domain, l->record);
    if (status != ROCECC_OK) return status;
    return rocecc_append(w, o->options, 256) ? ROCECC_OK : ROCECC_ERR_SPACE;
}

static rocecc_status erspan2_emit(frame *f, size_t i, rocecc_writer *w)
{
    const erspan_record *h = (const erspan_record *)f->layers[i].record;
    uint8_t *b = rocecc_put(w, ROCECC_ERSPAN2_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_erspan_store(b, &h->h);
    rocecc_store32(b + 4, h->index);
    return ROCECC_OK;
}

static rocecc_status nothing_emit(frame *f, size_t i, rocecc_writer *w)
{
    (void)f;
    (void)i;
    (void)w;
    return ROCECC_OK;
}

#define IOAM_AT                                                                        \
    "ioam_node", "nodes", offsetof(ioam_record, nodes), offsetof(ioam_record, count)
#define FASTCNP_AT                                                                     \
    "ioam_node", "ioam.nodes", offsetof(fastcnp_record, ioam.nodes),                   \
        offsetof(fastcnp_record, ioam.count)
#define IFA_AT                                                                         \
    "ifa_node", "nodes", offsetof(ifa_record, nodes), offsetof(ifa_record, count)
#define INTMD_AT                                                                       \
    "intmd_node", "nodes", offsetof(intmd_record, nodes), offsetof(intmd_record, count)

/* Name, nouns and their offsets, size, type, proto, tunnel, choose, emit. */
/* clang-format off */
#define ALONE(name) {#name}, {0}, 0
#define EXT(name) KIND(#name, ALONE(name), 0, -1, false, NULL, NULL)
#define KIND(name, ...) {name, __VA_ARGS__, NULL, NULL, 0, 0}
#define CSIG {"csig", "type."}, {0, 0}, sizeof(tag_record)
#define CNTAG {"cntag."}, {0}, sizeof(tag_record)
#define ERSPAN {"erspan", "index."}, {0, 0}, sizeof(erspan_record)
#define GENEVE {"geneve", "options."}, {0, 0}, sizeof(options_record)
#define GRE {"gre", "options."}, {0, 0}, sizeof(options_record)
const kind kinds[] = {
    KIND("ether", ALONE(ether), ROCECC_TYPE_TEB, 143, false, NULL, NULL),
    KIND("vlan", ALONE(vlan), ROCECC_TYPE_CTAG, -1, false, NULL, NULL),
    KIND("csig", CSIG, 0, -1, false, csig_choose, csig_emit),
    KIND("cntag", CNTAG, ROCECC_TYPE_CNTAG, -1, false, NULL, cntag_emit),
    KIND("etag", ALONE(etag), 0, -1, false, NULL, NULL),
    KIND("vntag", ALONE(vntag), 0, -1, false, NULL, NULL),
    KIND("arista", ALONE(arista), 0, -1, false, NULL, NULL),
    KIND("mpls", ALONE(mpls), ROCECC_TYPE_MPLS, -1, false, NULL, NULL),
    KIND("ipv4", ALONE(ipv4), ROCECC_TYPE_IPV4, 4, false, NULL, ipv4_emit),
    KIND("ipv6", ALONE(ipv6), ROCECC_TYPE_IPV6, 41, false, NULL, NULL),
    KIND("hopopts", ALONE(ip6opts), 0, 0, false, NULL, opts_emit),
    KIND("dstopts", ALONE(ip6opts), 0, 60, false, NULL, opts_emit),
    KIND("srh", ALONE(srh), 0, 43, false, NULL, NULL),
    KIND("fragment", {"ip6frag"}, {0}, 0, 0, 44, false, NULL, NULL),
    KIND("ah", {"ah."}, {0}, sizeof(ah_record), 0, 51, false, ah_choose, ah_emit),
    {"ioam", {"ioam.", "ioam_trace"}, {0, offsetof(ioam_record, trace)}, sizeof(ioam_record),
     0, -1, false, ioam_choose, nothing_emit, IOAM_AT},
    {"fastcnp", {"fastcnp.", "ioam.", "ioam_trace"},
     {0, offsetof(fastcnp_record, ioam), offsetof(fastcnp_record, ioam.trace)},
     sizeof(fastcnp_record), 0, -1, false, fastcnp_choose, nothing_emit, FASTCNP_AT},
    {"ifa", {"ifa_header", "ifa_metadata", "ifa_checksum", "ifa_fragment"},
     {0, offsetof(ifa_record, metadata), offsetof(ifa_record, checksum),
      offsetof(ifa_record, fragment)}, sizeof(ifa_record),
     0, 253, false, ifa_choose, ifa_emit, IFA_AT},
    KIND("udp", ALONE(udp), 0, 17, false, NULL, udp_emit),
    {"intmd", {"intmd_header", "intmd_shim"}, {0, offsetof(intmd_record, shim)},
     sizeof(intmd_record), 0, -1, false, intmd_choose, intmd_emit, INTMD_AT},
    KIND("vxlan", ALONE(vxlan), 0, -1, true, NULL, NULL),
    KIND("vxlan_gpe", {"gpe"}, {0}, 0, 0, -1, true, NULL, NULL),
    KIND("geneve", GENEVE, 0, -1, true, NULL, options_emit),
    KIND("gre", GRE, 0, 47, true, gre_choose, options_emit),
    KIND("erspan2", ERSPAN, ROCECC_TYPE_ERSPAN_II, -1, true, NULL, erspan2_emit),
    KIND("grh", ALONE(grh), ROCECC_TYPE_ROCEV1, -1, false, NULL, NULL),
    KIND("bth", ALONE(bth), 0, -1, false, bth_choose, NULL),
    EXT(rdeth), EXT(deth), EXT(xrceth), EXT(feth),
    KIND("reth", ALONE(reth), 0, -1, false, reth_choose, NULL),
    EXT(atomiceth), EXT(aeth), EXT(atomicacketh), EXT(immdt), EXT(ieth),
    KIND("cnp", {"cnp."}, {0}, 0, 0, -1, false, cnp_choose, cnp_emit),
    KIND("payload", {"payload."}, {0}, 0, 0, -1, false, NULL, payload_emit),
    KIND("icrc", {"icrc."}, {0}, 0, 0, -1, false, NULL, icrc_emit),
    KIND("cnm", ALONE(cnm), ROCECC_TYPE_CNM, -1, false, NULL, NULL),
    KIND("l3qcn", ALONE(l3qcn), 0, -1, false, l3qcn_choose, NULL),
    KIND("arn", ALONE(arn), 0, -1, false, arn_choose, NULL),
    KIND("pfc", ALONE(pfc), ROCECC_TYPE_MAC_CONTROL, -1, false, pfc_choose, control_emit),
    KIND("pause", {"pfc_pause"}, {0}, 0, ROCECC_TYPE_MAC_CONTROL, -1, false,
         pfc_choose, control_emit)};
/* clang-format on */
const size_t n_kinds = COUNT(kinds);
