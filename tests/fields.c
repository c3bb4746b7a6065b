/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fields.c - checks the widths in rocecc/fields against the code and the figures. Each
 * bit of a member must be one bit on the wire, come back, and leave other members
 * unchanged. A value with one bit more must be rejected or not come back. The rows and
 * other bits of a header must add up to its length in the figure.
 */
#include "rocecc/fields/arn.h"
#include "rocecc/fields/bth.h"
#include "rocecc/fields/cnm.h"
#include "rocecc/fields/csig.h"
#include "rocecc/fields/echo.h"
#include "rocecc/fields/ether.h"
#include "rocecc/fields/ext.h"
#include "rocecc/fields/grh.h"
#include "rocecc/fields/icmp.h"
#include "rocecc/fields/ifa.h"
#include "rocecc/fields/intmd.h"
#include "rocecc/fields/ioam.h"
#include "rocecc/fields/ip.h"
#include "rocecc/fields/ip6opt.h"
#include "rocecc/fields/l3qcn.h"
#include "rocecc/fields/lsn.h"
#include "rocecc/fields/overlay.h"
#include "rocecc/fields/pfc.h"
#include "rocecc/fields/sflow.h"
#include "rocecc/fields/srv6.h"
#include "rocecc/fields/tcp.h"
#include "rocecc/fields/udp.h"
#include "rocecc/wire/ioamdex.h"

#include <string.h>

#include "../examples/lib/intmd_shown.h"
#include "../examples/lib/ioam_shown.h"
#include "lib/noun.h"

#define ROOM 512

NOUN_WORD(ether, ROCECC_ETHER_BYTES, ROCECC_ETHER_FIELDS);
NOUN_WORD(vlan, ROCECC_VLAN_BYTES, ROCECC_VLAN_FIELDS);
NOUN_WORD(etag, ROCECC_ETAG_BYTES, ROCECC_ETAG_FIELDS);
NOUN_WORD(vntag, ROCECC_VNTAG_BYTES, ROCECC_VNTAG_FIELDS);
NOUN(arista, parse, false, ROCECC_ARISTA_FIELDS);
NOUN_WORD(ip6frag, ROCECC_IP6FRAG_BYTES, ROCECC_IP6FRAG_FIELDS);
NOUN_WORD(udp, ROCECC_UDP_BYTES, ROCECC_UDP_FIELDS);
NOUN_WORD(icmp, ROCECC_ICMP_BYTES, ROCECC_ICMP_FIELDS);
NOUN_WORD(bth, ROCECC_BTH_BYTES, ROCECC_BTH_FIELDS);
NOUN_WORD(rdeth, 4, ROCECC_RDETH_FIELDS);
NOUN_WORD(deth, 8, ROCECC_DETH_FIELDS);
NOUN_WORD(xrceth, 4, ROCECC_XRCETH_FIELDS);
NOUN_WORD(feth, 4, ROCECC_FETH_FIELDS);
NOUN_WORD(reth, 16, ROCECC_RETH_FIELDS);
NOUN_WORD(atomiceth, 28, ROCECC_ATOMICETH_FIELDS);
NOUN_WORD(aeth, 4, ROCECC_AETH_FIELDS);
NOUN_WORD(atomicacketh, 8, ROCECC_ATOMICACKETH_FIELDS);
NOUN_WORD(immdt, 4, ROCECC_IMMDT_FIELDS);
NOUN_WORD(ieth, 4, ROCECC_IETH_FIELDS);
NOUN_WORD(syndrome, 1, ROCECC_SYNDROME_FIELDS);
NOUN_WORD(lsn, ROCECC_LSN_BYTES, ROCECC_LSN_FIELDS);
NOUN_WORD(ioam_trace, ROCECC_IOAM_TRACE_BYTES, ROCECC_IOAM_TRACE_FIELDS);
NOUN_WORD(ifa_header, ROCECC_IFA_HEADER_BYTES, ROCECC_IFA_HEADER_FIELDS);
NOUN_WORD(ifa_metadata, ROCECC_IFA_METADATA_BYTES, ROCECC_IFA_METADATA_FIELDS);
NOUN_WORD(ifa_checksum, ROCECC_IFA_CHECKSUM_BYTES, ROCECC_IFA_CHECKSUM_FIELDS);
NOUN_WORD(ifa_fragment, ROCECC_IFA_FRAGMENT_BYTES, ROCECC_IFA_FRAGMENT_FIELDS);
NOUN_WORD(intmd_header, ROCECC_INTMD_HEADER_BYTES, ROCECC_INTMD_HEADER_FIELDS);
NOUN_LOADED(intmd_mx, intmd_mx, ROCECC_INTMD_HEADER_BYTES, ROCECC_INTMD_MX_FIELDS);
NOUN_WORD(vxlan, ROCECC_VXLAN_BYTES, ROCECC_VXLAN_FIELDS);
NOUN_WORD(gpe, ROCECC_VXLAN_BYTES, ROCECC_GPE_FIELDS);
NOUN_WORD(geneve, ROCECC_GENEVE_BYTES, ROCECC_GENEVE_FIELDS);
NOUN_WORD(gre, ROCECC_GRE_BYTES, ROCECC_GRE_FIELDS);
NOUN_WORD(erspan, 4, ROCECC_ERSPAN_FIELDS);
NOUN_WORD(erspan3, 4, ROCECC_ERSPAN3_FIELDS);
NOUN_WORD(mpls, ROCECC_MPLS_BYTES, ROCECC_MPLS_FIELDS);
NOUN_WORD(pppoe, ROCECC_PPPOE_BYTES + 2, ROCECC_PPPOE_FIELDS);
NOUN_LOADED(cmd, rocecc_cisco_md, ROCECC_CISCO_MD_BYTES, ROCECC_CISCO_MD_FIELDS);
NOUN(ipv4, parse, false, ROCECC_IPV4_FIELDS);
NOUN(ipv6, parse, false, ROCECC_IPV6_FIELDS);
NOUN(grh, parse, false, ROCECC_GRH_FIELDS);
NOUN(tcp, parse, false, ROCECC_TCP_FIELDS);
NOUN(srh, parse, false, ROCECC_SRH_FIELDS);
NOUN(ip6opts, parse, false, ROCECC_IP6OPTS_FIELDS);
NOUN(ip6opt, next, true, ROCECC_IP6OPT_FIELDS);
NOUN(cntag, parse, false, ROCECC_CNTAG_FIELDS);
NOUN(pfc, parse, false, ROCECC_PFC_FIELDS);
NOUN(echo, parse, false, ROCECC_ECHO_FIELDS);
NOUN(sflow, parse, false, ROCECC_SFLOW_FIELDS);
NOUN(sflow_record, parse, false, ROCECC_SFLOW_RECORD_FIELDS);
NOUN(intmd_shim, parse, false, ROCECC_INTMD_SHIM_FIELDS);
NOUN(intmd_gre, parse, false, ROCECC_INTMD_GRE_FIELDS);
NOUN(intmd_gpe, parse, false, ROCECC_INTMD_GPE_FIELDS);
NOUN(intmd_geneve, parse, false, ROCECC_INTMD_GENEVE_FIELDS);

/* Defines the noun of id_parse() and id_emit(). */
#define OTHER(id, T, FIELDS)                                                           \
    static const field id##_fields[] = {FIELDS(FIELD_ROW, T)};                         \
    static const noun id##_noun = {                                                    \
        #id,        false,    sizeof(T), id##_fields, NOUN_COUNT(id##_fields),         \
        id##_parse, id##_emit}

/* Defines a noun from two calls with more parameters, in which h is the record. */
#define CALLS(id, T, FIELDS, parse, emit)                                              \
    static rocecc_status id##_parse(rocecc_reader *r, void *record)                    \
    {                                                                                  \
        T *h = (T *)record;                                                            \
        return parse;                                                                  \
    }                                                                                  \
    static rocecc_status id##_emit(rocecc_writer *w, const void *record)               \
    {                                                                                  \
        const T *h = (const T *)record;                                                \
        return emit;                                                                   \
    }                                                                                  \
    OTHER(id, T, FIELDS)

static const rocecc_cnm_config cnm_config;
CALLS(cnm, rocecc_cnm, ROCECC_CNM_FIELDS, rocecc_cnm_parse(&cnm_config, r, h),
      rocecc_cnm_emit(w, &cnm_config, h));

CALLS(icmp6_message, rocecc_icmp_message, ROCECC_ICMP_MESSAGE_FIELDS,
      rocecc_icmp_message_parse(r, 6, h), rocecc_icmp_message_emit(w, h));
CALLS(icmp4_message, rocecc_icmp_message, ROCECC_ICMP_MESSAGE_FIELDS,
      rocecc_icmp_message_parse(r, 4, h), rocecc_icmp_message_emit(w, h));

static const rocecc_pfc_config pfc_config;
CALLS(pause, rocecc_pfc_pause, ROCECC_PFC_PAUSE_FIELDS,
      rocecc_pfc_pause_parse(&pfc_config, r, h), rocecc_pfc_pause_emit(w, h));

static const rocecc_l3qcn_config l3qcn_config;
CALLS(l3qcn, rocecc_l3qcn, ROCECC_L3QCN_FIELDS, rocecc_l3qcn_parse(&l3qcn_config, r, h),
      rocecc_l3qcn_emit(w, &l3qcn_config, h));

static const rocecc_arn_config arn_config = {
    0, 0xffff, 0, 0, 0, 0, ROCECC_ARN_PRIORITY_ANY, false};
CALLS(arn, rocecc_arn, ROCECC_ARN_FIELDS, rocecc_arn_parse(&arn_config, *r, h),
      rocecc_arn_emit(w, &arn_config, h));

/* Every local name space has this layout. */
static const rocecc_ifa_config all_a = {.protocol = 253, .layout_a = 0xffff},
                               all_b = {.protocol = 253, .layout_b = 0xffff};
CALLS(ifa_a, rocecc_ifa_node, ROCECC_IFA_NODE_A_FIELDS,
      rocecc_ifa_node_next(&all_a, r, h), rocecc_ifa_node_emit(w, h));
CALLS(ifa_b, rocecc_ifa_node, ROCECC_IFA_NODE_B_FIELDS,
      rocecc_ifa_node_next(&all_b, r, h), rocecc_ifa_node_emit(w, h));

/* First word of an ARN, with any values. */
static rocecc_status arn_head_parse(rocecc_reader *r, void *record)
{
    const uint8_t *b = rocecc_take(r, ROCECC_ARN_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *(rocecc_arn *)record = rocecc_arn_load(b);
    return ROCECC_OK;
}
static rocecc_status arn_head_emit(rocecc_writer *w, const void *record)
{
    uint8_t *b = rocecc_put(w, ROCECC_ARN_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_arn_store(b, (const rocecc_arn *)record);
    return ROCECC_OK;
}
static const noun arn_head_noun = {"arn_head",   false, sizeof(rocecc_arn),
                                   arn_fields,   5,     arn_head_parse,
                                   arn_head_emit};

static rocecc_ioam_option dex_of(rocecc_reader data)
{
    rocecc_ioam_option o = {0, ROCECC_IOAM_DIRECT_EXPORT, data};
    return o;
}
static rocecc_ioam_option dex_option;
CALLS(dex, rocecc_ioam_dex, ROCECC_IOAM_DEX_FIELDS,
      (dex_option = dex_of(*r), rocecc_ioam_dex_parse(&dex_option, h)),
      rocecc_ioam_dex_emit(w, h));

/* The expanded form has the widths of the rows. */
static rocecc_sflow_record sflow_body;
static const rocecc_sflow_record *sflow_record_of(uint16_t format, rocecc_reader body)
{
    sflow_body.enterprise = 0;
    sflow_body.format = format;
    sflow_body.body = body;
    return &sflow_body;
}
CALLS(sflow_flow, rocecc_sflow_flow, ROCECC_SFLOW_FLOW_FIELDS,
      rocecc_sflow_flow_parse(sflow_record_of(ROCECC_SFLOW_FLOW_SAMPLE_EXPANDED, *r),
                              h),
      rocecc_sflow_flow_emit(w, h));
CALLS(sflow_raw, rocecc_sflow_raw, ROCECC_SFLOW_RAW_FIELDS,
      rocecc_sflow_raw_parse(sflow_record_of(ROCECC_SFLOW_RAW_HEADER, *r), h),
      rocecc_sflow_raw_emit(w, h));

static rocecc_status ioam_option_parse(rocecc_reader *r, void *record)
{
    rocecc_ip6opt opt;
    const rocecc_status status = rocecc_ip6opt_next(r, &opt);
    if (status != ROCECC_OK) return status;
    return rocecc_ioam_option_parse(opt.body, (rocecc_ioam_option *)record);
}
static rocecc_status ioam_option_emit(rocecc_writer *w, const void *record)
{
    return rocecc_ioam_option_emit(w, 0x11, (const rocecc_ioam_option *)record);
}
OTHER(ioam_option, rocecc_ioam_option, ROCECC_IOAM_OPTION_FIELDS);

static bool is_wide; /* the current tag */
static rocecc_status csig_parse(rocecc_reader *r, void *record)
{
    const uint8_t *b = rocecc_take(r, is_wide ? 8 : 4);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *(rocecc_csig *)record =
        is_wide ? rocecc_csig_wide_load(b, false) : rocecc_csig_compact_load(b, false);
    return ROCECC_OK;
}
static rocecc_status csig_emit(rocecc_writer *w, const void *record)
{
    uint8_t *b = rocecc_put(w, is_wide ? 8 : 4);
    if (b == NULL) return ROCECC_ERR_SPACE;
    if (is_wide)
        rocecc_csig_wide_store(b, (const rocecc_csig *)record, false);
    else
        rocecc_csig_compact_store(b, (const rocecc_csig *)record, false);
    return ROCECC_OK;
}
#define compact_parse csig_parse
#define compact_emit csig_emit
#define wide_parse csig_parse
#define wide_emit csig_emit
OTHER(compact, rocecc_csig, ROCECC_CSIG_COMPACT_FIELDS);
OTHER(wide, rocecc_csig, ROCECC_CSIG_WIDE_FIELDS);

/* A node with every item, as words in order. */
static bool words_take(rocecc_reader *r, uint32_t *word, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        const uint8_t *b = rocecc_take(r, 4);
        if (b == NULL) return false;
        word[i] = rocecc_load32(b);
    }
    return true;
}
static bool words_put(rocecc_writer *w, const uint32_t *word, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        uint8_t *b = rocecc_put(w, 4);
        if (b == NULL) return false;
        rocecc_store32(b, word[i]);
    }
    return true;
}

static rocecc_status ioam_node_parse(rocecc_reader *r, void *record)
{
    rocecc_ioam_node n;
    if (!words_take(r, n.word, ROCECC_REPORT_WORDS)) return ROCECC_ERR_SHORT;
    *(ioam_shown *)record = ioam_show(&n, rocecc_subrange(*r, r->at, r->at));
    return ROCECC_OK;
}
static rocecc_status ioam_node_emit(rocecc_writer *w, const void *record)
{
    rocecc_ioam_node n;
    const rocecc_status status = ioam_node_of((const ioam_shown *)record, &n);
    return words_put(w, n.word, ROCECC_REPORT_WORDS) ? status : ROCECC_ERR_SPACE;
}
OTHER(ioam_node, ioam_shown, ROCECC_IOAM_NODE_FIELDS);

static rocecc_status intmd_node_parse(rocecc_reader *r, void *record)
{
    static const rocecc_intmd none;
    rocecc_intmd_node n;
    if (!words_take(r, n.word, ROCECC_INTMD_NODE_WORDS)) return ROCECC_ERR_SHORT;
    *(intmd_shown *)record = intmd_show(&none, &n, rocecc_subrange(*r, r->at, r->at));
    return ROCECC_OK;
}
static rocecc_status intmd_node_emit(rocecc_writer *w, const void *record)
{
    rocecc_intmd_node n;
    const rocecc_status status = intmd_node_of((const intmd_shown *)record, 0xffff, &n);
    return words_put(w, n.word, ROCECC_INTMD_NODE_WORDS) ? status : ROCECC_ERR_SPACE;
}
OTHER(intmd_node, intmd_shown, ROCECC_INTMD_NODE_FIELDS);

#define ZERO16 "00000000000000000000000000000000"

/*
 * Headers with their length in the figure and their number of bits without a row.
 * Members in `bound` cannot have every value here, such as the length of a view or the
 * code of another form, so only their widths are counted.
 */
static const struct {
    const noun *n;
    const char *base; /* a header; NULL: all 0 */
    unsigned bytes;
    unsigned others;   /* bits, named beside them */
    const char *bound; /* members that cannot have every value */
} headers[] = {
    {&ether_noun, NULL, 14, 0, ""},
    {&vlan_noun, NULL, 4, 0, ""},
    {&etag_noun, NULL, 8, 0, ""},
    {&vntag_noun, NULL, 6, 0, ""},
    {&arista_noun, "0001001000000000000000000000", 14, 0, "subtype version"},
    {&ipv4_noun, "4500001400000000000000000000000000000000", 20, 8,
     ""},                          /* version, IHL */
    {&ipv6_noun, "60", 40, 4, ""}, /* version */
    {&ip6frag_noun, NULL, 8, 0, ""},
    {&udp_noun, NULL, 8, 0, ""},
    {&tcp_noun, "0000000000000000000000005000000000000000", 20, 4,
     ""}, /* data offset */
    {&icmp_noun, NULL, 4, 0, ""},
    {&icmp6_message_noun, NULL, 8, 0, "type"}, /* 128 and up are not errors */
    {&icmp4_message_noun, "03", 8, 0, "type"},
    {&srh_noun, "0002040000000000" ZERO16, /* length, routing type, last entry */
     8, 24, "segments_left"},
    {&grh_noun, "60", 40, 4, ""}, /* version */
    {&bth_noun, NULL, 12, 0, ""},
    {&rdeth_noun, NULL, 4, 0, ""},
    {&deth_noun, NULL, 8, 0, ""},
    {&xrceth_noun, NULL, 4, 0, ""},
    {&feth_noun, NULL, 4, 0, ""},
    {&reth_noun, NULL, 16, 0, ""},
    {&atomiceth_noun, NULL, 28, 0, ""},
    {&aeth_noun, NULL, 4, 0, ""},
    {&atomicacketh_noun, NULL, 8, 0, ""},
    {&immdt_noun, NULL, 4, 0, ""},
    {&ieth_noun, NULL, 4, 0, ""},
    {&syndrome_noun, NULL, 1, 0, ""},
    {&lsn_noun, NULL, 8, 0, ""},
    {&cntag_noun, "22e90000", 4, 16, ""}, /* its type */
    {&cnm_noun, NULL, 24, 0, "msdu_len"},
    {&pfc_noun, "0180c200000100000000000088080101", 34, 80, ""}, /* DA, type, opcode */
    {&pause_noun, "0180c200000100000000000088080001", 18, 32, "dst"}, /* type, opcode */
    {&arn_head_noun, NULL, 4, 0, ""},
    {&ioam_option_noun, "1102", 4, 16, ""}, /* type, length */
    {&ioam_trace_noun, NULL, 8, 0, ""},
    {&dex_noun, "000000c0000000000000000000000000", 16, 0, "extension_flags"},
    {&ifa_header_noun, NULL, 4, 0, ""},
    {&ifa_metadata_noun, NULL, 4, 0, ""},
    {&ifa_checksum_noun, NULL, 4, 0, ""},
    {&ifa_fragment_noun, NULL, 4, 0, ""},
    {&ifa_a_noun, "10", 32, 0, "speed"},
    {&ifa_b_noun, "2000000040", 32, 3, "rx_timestamp_sec"}, /* template */
    {&intmd_shim_noun, "10", 4, 8, ""},                     /* length */
    {&intmd_gre_noun, "10", 4, 8, ""},
    {&intmd_gpe_noun, "10", 4, 8, ""},
    {&intmd_geneve_noun, "010301", 4, 5, ""},
    {&intmd_header_noun, NULL, 12, 0, ""},
    {&intmd_mx_noun, NULL, 12, 0, ""},
    {&compact_noun, NULL, 4, 0, ""},
    {&wide_noun, NULL, 8, 0, ""},
    {&vxlan_noun, NULL, 8, 0, ""},
    {&gpe_noun, NULL, 8, 0, ""},
    {&geneve_noun, NULL, 8, 0, ""},
    {&gre_noun, NULL, 4, 0, ""},
    {&erspan_noun, NULL, 4, 0, ""},
    {&erspan3_noun, NULL, 4, 0, ""},
    {&sflow_noun, "0000000500000000", 24, 64, ""}, /* version, address type */
    {&sflow_record_noun, NULL, 8, 32, ""},         /* length */
    {&sflow_flow_noun, NULL, 44, 0, ""},
    {&sflow_raw_noun, NULL, 16, 32, ""}, /* length */
    {&mpls_noun, NULL, 4, 0, ""},
    {&pppoe_noun, NULL, 8, 0, ""},
    {&cmd_noun, NULL, 8, 0, ""},
    /* without a fixed length */
    {&echo_noun, "10000001deadbeef", 0, 0,
     "version format truncated read_response length"},
    {&ip6opts_noun, "0000010400000000", 0, 0, ""},
    {&ip6opt_noun, "1e02abcd", 0, 0, ""},
    {&arn_noun,
     "010000f0" /* all parameters, a flow of 40 bytes and 3 words */
     ZERO16 ZERO16 "0000000000000000"
     "000000000000000000000000",
     0, 0, "type para_type"},
    {&l3qcn_noun, "4c511400002c1400" ZERO16 ZERO16 "00000000", 0, 0, "cnm.msdu_len"},
    {&ioam_node_noun, NULL, 0, 0, ""},
    {&intmd_node_noun, NULL, 0, 0, ""}};

typedef struct record {
    union {
        uint64_t align;
        const void *p;
        uint8_t b[ROOM];
    } u;
} record;

/* Emits a record. *len is its length. */
static rocecc_status wire_of(const noun *n, const record *h, uint8_t *b, size_t *len)
{
    rocecc_writer w = rocecc_writer_of(b, b + ROOM);
    const rocecc_status status = n->emit(&w, h->u.b);
    *len = w.at;
    return status;
}

/* Returns the index of the only bit that differs, or -1 for none or several. */
static int differs(const uint8_t *a, const uint8_t *b, size_t len)
{
    int at = -1, many = 0;
    size_t i;
    for (i = 0; i < 8 * len; i++)
        if (((a[i / 8] ^ b[i / 8]) >> (7 - i % 8) & 1) != 0) at = (int)i, many++;
    return many == 1 ? at : -1;
}

static bool is_bytes(const field *f)
{
    return f->kind == ROCECC_FIELD_MAC || f->kind == ROCECC_FIELD_IP4 ||
           f->kind == ROCECC_FIELD_IP6 || f->kind == ROCECC_FIELD_BYTES;
}

/* Flips bit i of a member, counted from the lowest. */
static void flip(const field *f, record *h, unsigned i)
{
    const uint64_t mask = UINT64_MAX >> (f->size < 8 ? 64 - 8 * f->size : 0);
    if (is_bytes(f))
        h->u.b[f->offset + f->size - 1 - i / 8] ^= (uint8_t)(1u << i % 8);
    else
        CHECK(field_put(f, h->u.b, (field_get(f, h->u.b) ^ UINT64_C(1) << i) & mask));
}

/* Emits a record to b. Returns true if the parsed record is the same. */
static bool survives(const noun *n, const record *h, uint8_t *b, size_t *len)
{
    record back;
    rocecc_reader r;
    size_t i;
    memset(b, 0, ROOM);
    memset(&back, 0, sizeof back);
    if (wire_of(n, h, b, len) != ROCECC_OK) return false;
    r = rocecc_reader_of(b, b + *len);
    if (n->parse(&r, back.u.b) != ROCECC_OK) return false;
    for (i = 0; i < n->n_fields; i++)
        if (!field_equal(&n->fields[i], h->u.b, back.u.b)) return false;
    return true;
}

/*
 * Checks each bit of a member alone, over zeros, or over ones if 0 is invalid. Returns
 * the index of its lowest bit on the wire, or -1 if that bit changes none or several.
 */
static int check_member(const noun *n, const field *f, const record *plain)
{
    uint8_t a[ROOM], b[ROOM];
    size_t len, other;
    record h = *plain;
    unsigned i;
    int at = -1;
    bool zeros;
    if (!is_bytes(f)) CHECK(field_put(f, h.u.b, 0));
    if (is_bytes(f)) memset(h.u.b + f->offset, 0, f->size);
    zeros = survives(n, &h, a, &len);
    for (i = 0; !zeros && i < f->bits; i++)
        flip(f, &h, i);
    CHECK(zeros || survives(n, &h, a, &len));
    for (i = f->bits; i-- > 0;) {
        flip(f, &h, i);
        CHECK(survives(n, &h, b, &other) && other == len);
        at = differs(a, b, len);
        CHECK(at >= 0);
        flip(f, &h, i);
    }
    if (f->kind == ROCECC_FIELD_BOOL) CHECK_EQ(f->bits, 1);
    if (f->kind == ROCECC_FIELD_BOOL || f->bits == 8 * f->size) return at;
    flip(f, &h, f->bits);
    CHECK(!survives(n, &h, b, &other));
    return at;
}

/* Returns true if a name is in a list of names. */
static bool is_bound(const char *names, const char *name)
{
    const size_t n = strlen(name);
    for (; (names = strstr(names, name)) != NULL; names += n)
        if (names[n] == '\0' || names[n] == ' ') return true;
    return false;
}

static void check_header(size_t k)
{
    const noun *n = headers[k].n;
    uint8_t base[ROOM] = {0};
    size_t len = 0, i;
    unsigned bits = headers[k].others;
    int last = -1;
    record plain;
    rocecc_reader r;
    test_context("%s", n->name);
    memset(&plain, 0, sizeof plain);
    if (headers[k].base != NULL) CHECK(vec_hex(headers[k].base, base, &len));
    if (len < headers[k].bytes) len = headers[k].bytes;
    if (len == 0) len = 4 * ROCECC_REPORT_WORDS;
    is_wide = n == &wide_noun;
    r = rocecc_reader_of(base, base + len);
    CHECK_EQ(n->parse(&r, plain.u.b), ROCECC_OK);
    for (i = 0; i < n->n_fields; i++) {
        const field *f = &n->fields[i];
        int at;
        test_context("%s.%s", n->name, f->name);
        bits += f->bits;
        if (f->bits == 0 || is_bound(headers[k].bound, f->name)) continue;
        at = check_member(n, f, &plain);
        CHECK(headers[k].bytes == 0 ||
              at > last); /* rows are in the order of the wire */
        last = at;
    }
    test_context("%s", n->name);
    if (headers[k].bytes != 0) CHECK_EQ(bits, 8 * headers[k].bytes);
}

/* Checks that a header has the rows of its part, with its member's name in front. */
static void check_parts(const field *whole, size_t n_whole, const char *part,
                        const noun *of)
{
    size_t i, k;
    for (k = 0; k < of->n_fields; k++) {
        const field *f = &of->fields[k], *g = NULL;
        char name[80];
        snprintf(name, sizeof name, "%s.%s", part, f->name);
        for (i = 0; i < n_whole; i++)
            if (strcmp(whole[i].name, name) == 0) g = &whole[i];
        test_context("%s", name);
        CHECK(g != NULL && g->kind == f->kind && g->bits == f->bits &&
              strcmp(g->unit, f->unit) == 0 && strcmp(g->about, f->about) == 0);
    }
}

#define PARTS(whole, part, id) check_parts(whole, NOUN_COUNT(whole), part, &id##_noun)

TEST(fields_of_a_header_include_the_rows_of_its_parts)
{
    static const field ext[] = {ROCECC_EXT_FIELDS(FIELD_ROW, rocecc_ext)};
    static const field ifa[] = {ROCECC_IFA_FIELDS(FIELD_ROW, rocecc_ifa)};
    static const field frame[] = {ROCECC_CNM_FRAME_FIELDS(FIELD_ROW, rocecc_cnm_frame)};
    static const field srv6[] = {ROCECC_SRV6_FIELDS(FIELD_ROW, rocecc_srv6)};
    PARTS(ext, "rdeth", rdeth);
    PARTS(ext, "deth", deth);
    PARTS(ext, "xrceth", xrceth);
    PARTS(ext, "feth", feth);
    PARTS(ext, "reth", reth);
    PARTS(ext, "atomiceth", atomiceth);
    PARTS(ext, "aeth", aeth);
    PARTS(ext, "atomicacketh", atomicacketh);
    PARTS(ext, "immdt", immdt);
    PARTS(ext, "ieth", ieth);
    PARTS(ifa, "header", ifa_header);
    PARTS(ifa, "metadata", ifa_metadata);
    PARTS(ifa, "checksum", ifa_checksum);
    PARTS(ifa, "fragment", ifa_fragment);
    PARTS(frame, "cnm", cnm);
    PARTS(l3qcn_fields, "cnm", cnm);
    PARTS(srv6, "outer", ipv6);
    PARTS(srv6, "srh", srh);
}

TEST(fields_have_the_widths_of_their_rows)
{
    size_t k;
    for (k = 0; k < NOUN_COUNT(headers); k++)
        check_header(k);
}

/* Each tunnel has a name, in the order of the enumeration. */
TEST(fields_tunnel_names_match_the_enumeration)
{
#define TUNNEL_NAME(name) #name,
    static const char *const names[] = {ROCECC_TUNNELS(TUNNEL_NAME)};
    static const struct {
        rocecc_tunnel_type tunnel;
        const char *name;
    } want[] = {{ROCECC_TUNNEL_NONE, "none"},
                {ROCECC_TUNNEL_VXLAN, "vxlan"},
                {ROCECC_TUNNEL_VXLAN_GPE, "vxlan_gpe"},
                {ROCECC_TUNNEL_GENEVE, "geneve"},
                {ROCECC_TUNNEL_GRE, "gre"},
                {ROCECC_TUNNEL_NVGRE, "nvgre"},
                {ROCECC_TUNNEL_ERSPAN_I, "erspan1"},
                {ROCECC_TUNNEL_ERSPAN_II, "erspan2"},
                {ROCECC_TUNNEL_ERSPAN_III, "erspan3"},
                {ROCECC_TUNNEL_ETHERNET, "ethernet"},
                {ROCECC_TUNNEL_MPLS_UDP, "mpls_udp"},
                {ROCECC_TUNNEL_PSEUDOWIRE, "pseudowire"}};
    size_t i;
    CHECK_EQ(sizeof names / sizeof *names, sizeof want / sizeof *want);
    for (i = 0; i < sizeof want / sizeof *want; i++)
        CHECK(strcmp(names[want[i].tunnel], want[i].name) == 0);
}
