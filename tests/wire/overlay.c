/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/overlay.h"
#include "lib/noun.h"
#include "rocecc/wire/overlay.h"

#include <string.h>

/* Defines a noun by load() and store(), for n bytes. */
#define STORED_AS(id, T, n, FIELDS)                                                    \
    static const field id##_fields[] = {FIELDS(FIELD_ROW, T)};                         \
    static rocecc_status id##_parse(rocecc_reader *r, void *record)                    \
    {                                                                                  \
        const uint8_t *b = rocecc_take(r, n);                                          \
        if (b == NULL) return ROCECC_ERR_SHORT;                                        \
        *(T *)record = T##_load(b);                                                    \
        return ROCECC_OK;                                                              \
    }                                                                                  \
    static rocecc_status id##_emit(rocecc_writer *w, const void *record)               \
    {                                                                                  \
        uint8_t *b = rocecc_put(w, n);                                                 \
        if (b == NULL) return ROCECC_ERR_SPACE;                                        \
        T##_store(b, (const T *)record);                                               \
        return ROCECC_OK;                                                              \
    }                                                                                  \
    static const noun id##_noun = {                                                    \
        #id,        false,    sizeof(T), id##_fields, NOUN_COUNT(id##_fields),         \
        id##_parse, id##_emit}
#define STORED(id, n, FIELDS) STORED_AS(id, rocecc_##id, n, FIELDS)

STORED(vxlan, ROCECC_VXLAN_BYTES, ROCECC_VXLAN_FIELDS);
STORED(gpe, ROCECC_VXLAN_BYTES, ROCECC_GPE_FIELDS);
STORED(geneve, ROCECC_GENEVE_BYTES, ROCECC_GENEVE_FIELDS);
STORED(gre, ROCECC_GRE_BYTES, ROCECC_GRE_FIELDS);
STORED(erspan, 4, ROCECC_ERSPAN_FIELDS);
STORED(erspan3, 4, ROCECC_ERSPAN3_FIELDS);
STORED(mpls, ROCECC_MPLS_BYTES, ROCECC_MPLS_FIELDS);
STORED(pppoe, 8, ROCECC_PPPOE_FIELDS);
STORED_AS(cmd, rocecc_cisco_md, ROCECC_CISCO_MD_BYTES, ROCECC_CISCO_MD_FIELDS);

/* Result of a step. */
typedef struct stepped {
    uint8_t tunnel;
    bool cut;
    uint16_t next;
    uint16_t type;
    uint32_t bytes;
} stepped;

static const field stepped_fields[] = {OVERLAY_FIELDS(FIELD_ROW, stepped)
                                           FIELD_ROW(stepped, UINT, bytes, NULL)};

typedef rocecc_status (*inner)(rocecc_reader *r, rocecc_overlay *o);

static rocecc_status step(inner of, const uint8_t *bytes, size_t n, stepped *out)
{
    rocecc_overlay o = {0, false, 0, 0};
    rocecc_reader r = noun_reader(bytes, n);
    const rocecc_reader first = r;
    const rocecc_status status = of(&r, &o);
    CHECK(r.base == first.base && r.end == first.end && r.at >= first.at);
    out->tunnel = o.tunnel;
    out->cut = o.cut;
    out->next = o.next;
    out->type = o.type;
    out->bytes = (uint32_t)(r.at - first.at);
    return status;
}

/* Checks a failed step. It still sets the tunnel and, if the row has it, `next`. */
static void check_failed(const vec_row *row, rocecc_status status, const stepped *is)
{
    const field known[] = {stepped_fields[0], stepped_fields[2]};
    vec_row says = *row;
    says.status = ROCECC_OK;
    CHECK_EQ(status, row->status);
    noun_check_out(&says, known,
                   vec_value(row->out, row->n_out, "next") != NULL ? 2 : 1, ROCECC_OK,
                   is);
}

static void check_step(const vec_row *row, inner of)
{
    stepped is, part;
    const rocecc_status status = step(of, row->bytes, row->n, &is);
    size_t n;
    if (row->status != ROCECC_OK) {
        check_failed(row, status, &is);
        return;
    }
    noun_check_out(row, stepped_fields, NOUN_COUNT(stepped_fields), status, &is);
    for (n = 0; n < is.bytes; n++)
        CHECK_EQ(step(of, row->bytes, n, &part), ROCECC_ERR_SHORT);
}

static void call_vxlan_inner(const vec_row *row)
{
    check_step(row, rocecc_vxlan_inner);
}

static void call_gpe_inner(const vec_row *row)
{
    check_step(row, rocecc_gpe_inner);
}

static void call_geneve_inner(const vec_row *row)
{
    check_step(row, rocecc_geneve_inner);
}

static void call_gre_inner(const vec_row *row)
{
    check_step(row, rocecc_gre_inner);
}

static const noun_call calls[] = {{"vxlan_inner", call_vxlan_inner},
                                  {"gpe_inner", call_gpe_inner},
                                  {"geneve_inner", call_geneve_inner},
                                  {"gre_inner", call_gre_inner}};

TEST(overlay_vectors)
{
    const noun nouns[] = {vxlan_noun,   gpe_noun,  geneve_noun, gre_noun, erspan_noun,
                          erspan3_noun, mpls_noun, pppoe_noun,  cmd_noun};
    const noun_file file = {"overlay",         law_overlay, nouns,
                            NOUN_COUNT(nouns), calls,       NOUN_COUNT(calls)};
    noun_vectors(&file);
}

TEST(overlay_header_bits_belong_to_one_member)
{
    noun_bits(&vxlan_noun, 8);
    noun_bits(&gpe_noun, 8);
    noun_bits(&geneve_noun, 8);
    noun_bits(&gre_noun, 4);
    noun_bits(&erspan_noun, 4);
    noun_bits(&erspan3_noun, 4);
    noun_bits(&mpls_noun, 4);
    noun_bits(&pppoe_noun, 8);
    noun_bits(&cmd_noun, 8);
}

/* Checks that store() drops bits beyond each field. */
#define STORES_NOTHING(noun, n)                                                        \
    do {                                                                               \
        static const uint8_t zero[n] = {0};                                            \
        uint8_t b[n];                                                                  \
        memset(b, 0xa5, n);                                                            \
        rocecc_##noun##_store(b, &noun);                                               \
        CHECK(memcmp(b, zero, n) == 0);                                                \
    } while (0)

TEST(overlay_store_drops_bits_beyond_each_field)
{
    const rocecc_vxlan vxlan = {0, 0xff000000, 0xff000000, 0};
    const rocecc_gpe gpe = {0, 0, 0, 0xff000000, 0};
    const rocecc_geneve geneve = {0xfc, 0xc0, false, false, 0xc0, 0, 0xff000000, 0};
    const rocecc_erspan erspan = {0xf0, 0xf000, 0xf8, 0xfc, false, 0xfc00};
    const rocecc_erspan3 erspan3 = {0, false, 0xe0, 0xc0, false, 0xfc, false};
    const rocecc_mpls mpls = {0xfff00000, 0xf8, false, 0};
    STORES_NOTHING(vxlan, 8);
    STORES_NOTHING(gpe, 8);
    STORES_NOTHING(geneve, 8);
    STORES_NOTHING(erspan, 4);
    STORES_NOTHING(erspan3, 4);
    STORES_NOTHING(mpls, 4);
}

/* Checks that a step leaves `next` and `cut` unchanged if it does not read them. */
static void check_stays(inner of, const char *hex, rocecc_status status)
{
    uint8_t bytes[64];
    size_t n = 0;
    rocecc_overlay o = {ROCECC_TUNNEL_NONE, true, 0x12b5, 0};
    rocecc_reader r;
    CHECK(vec_hex(hex, bytes, &n));
    r = noun_reader(bytes, n);
    test_context("%s", hex);
    CHECK_EQ(of(&r, &o), status);
    CHECK_EQ(o.next, 0x12b5);
    CHECK(o.cut);
}

/* Messages without a known next type, with errors, or cut off. */
TEST(overlay_absent_values_stay_unchanged)
{
    check_stays(rocecc_vxlan_inner, "08000000 00123400", ROCECC_OK);
    check_stays(rocecc_vxlan_inner, "00000000 00123400", ROCECC_ERR_FORMAT);
    check_stays(rocecc_vxlan_inner, "08000000 001234", ROCECC_ERR_SHORT);
    check_stays(rocecc_gpe_inner, "08000001 00123400", ROCECC_OK);
    check_stays(rocecc_gpe_inner, "0d000001 00123400", ROCECC_NO_MATCH);
    check_stays(rocecc_gpe_inner, "1c000001 00123400", ROCECC_ERR_UNSUPPORTED);
    check_stays(rocecc_geneve_inner, "00800800 00123400", ROCECC_NO_MATCH);
    check_stays(rocecc_geneve_inner, "40000800 00123400", ROCECC_ERR_UNSUPPORTED);
    check_stays(rocecc_gre_inner, "00010800", ROCECC_ERR_UNSUPPORTED);
    check_stays(rocecc_gre_inner, "000008", ROCECC_ERR_SHORT);
}

/* The assigned ports by default, own ports instead of them, and no ports at all. */
TEST(overlay_lookup_finds_only_the_configured_ports)
{
    const rocecc_overlay_config iana = ROCECC_ZERO;
    const rocecc_overlay_config own = {true, 8472, 4789, 0, 1, 6635, 4754};
    const rocecc_overlay_config off = {true, 0, 0, 0, 0, 0, 0};
    uint32_t port;
    for (port = 0; port < 65536; port++) {
        CHECK_EQ(rocecc_overlay_lookup(&iana, (uint16_t)port),
                 port == 4789   ? ROCECC_TUNNEL_VXLAN
                 : port == 4790 ? ROCECC_TUNNEL_VXLAN_GPE
                 : port == 6081 ? ROCECC_TUNNEL_GENEVE
                 : port == 6635 ? ROCECC_TUNNEL_MPLS_UDP
                                : ROCECC_TUNNEL_NONE);
        CHECK_EQ(rocecc_overlay_lookup(&own, (uint16_t)port),
                 port == 4789 || port == 8472 ? ROCECC_TUNNEL_VXLAN
                 : port == 1                  ? ROCECC_TUNNEL_GENEVE
                 : port == 6635               ? ROCECC_TUNNEL_MPLS_UDP
                 : port == 4754               ? ROCECC_TUNNEL_GRE
                                              : ROCECC_TUNNEL_NONE);
        CHECK_EQ(rocecc_overlay_lookup(&off, (uint16_t)port), ROCECC_TUNNEL_NONE);
    }
}

/*
 * Each of the six ports alone and each pair of equal ports, with and without own_ports.
 * Ports need own_ports, and only the two VXLAN ports may be equal.
 */
TEST(overlay_init_rejects_equal_ports)
{
    unsigned i, k, own;
    for (own = 0; own < 2; own++)
        for (i = 0; i < 6; i++)
            for (k = 0; k < 6; k++) {
                uint16_t ports[6] = {0};
                rocecc_overlay_config c = ROCECC_ZERO;
                bool should = own != 0 && (i == k || i + k == 1);
                ports[i] = ports[k] = 7;
                c.own_ports = own != 0;
                c.vxlan_port = ports[0];
                c.vxlan_port_2 = ports[1];
                c.vxlan_gpe_port = ports[2];
                c.geneve_port = ports[3];
                c.mpls_port = ports[4];
                c.gre_port = ports[5];
                test_at("own, port, port", own, i, k);
                CHECK_EQ(rocecc_overlay_init(&c),
                         should ? ROCECC_OK : ROCECC_ERR_RANGE);
            }
    {
        const rocecc_overlay_config none = ROCECC_ZERO;
        CHECK_EQ(rocecc_overlay_init(&none), ROCECC_OK);
    }
}

/* C is bit 0, K bit 2 and S bit 3, with 4 bytes each (RFC 2784, RFC 2890). */
TEST(gre_options_have_4_bytes_each)
{
    uint32_t flags;
    for (flags = 0; flags < 0x10000; flags++) {
        const rocecc_gre h = {(uint16_t)flags, 0x6558};
        const uint32_t fields =
            (flags >> 15 & 1) + (flags >> 13 & 1) + (flags >> 12 & 1);
        test_at("flags", flags, 0, 0);
        CHECK_EQ(rocecc_gre_option_bytes(&h), 4 * fields);
    }
}

/* Without the flag I, VXLAN-GPE has an inner packet, but VXLAN does not. */
TEST(gpe_inner_ignores_the_flag_I)
{
    static const uint8_t bytes[8] = {0x04, 0, 0, 1};
    stepped is;
    CHECK_EQ(step(rocecc_gpe_inner, bytes, 8, &is), ROCECC_OK);
    CHECK(is.type == ROCECC_TYPE_IPV4 && is.bytes == 8);
    CHECK_EQ(step(rocecc_vxlan_inner, bytes, 8, &is), ROCECC_ERR_FORMAT);
}

/* In ERSPAN III, any IP version but 6 counts as IPv4. The IPv4 parser checks it. */
TEST(erspan3_takes_any_version_but_6_as_ipv4)
{
    uint8_t bytes[17] = {0, 0, 0x22, 0xeb, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x08, 0};
    unsigned version;
    for (version = 0; version < 16; version++) {
        stepped is;
        test_context("version %u", version);
        bytes[16] = (uint8_t)(version << 4 | 5);
        CHECK_EQ(step(rocecc_gre_inner, bytes, 17, &is), ROCECC_OK);
        CHECK_EQ(is.type, version == 6 ? ROCECC_TYPE_IPV6 : ROCECC_TYPE_IPV4);
        CHECK_EQ(is.bytes, 16);
    }
}

/* The number of the next header is known even if options are cut off. */
TEST(overlay_next_is_known_before_the_options)
{
    static const uint8_t geneve[10] = {1, 0, 0x08, 0x06};
    static const uint8_t gre[6] = {0x20, 0, 0x08, 0x06};
    stepped is;
    CHECK_EQ(step(rocecc_geneve_inner, geneve, 10, &is), ROCECC_ERR_SHORT);
    CHECK_EQ(is.next, 0x0806);
    CHECK_EQ(step(rocecc_gre_inner, gre, 6, &is), ROCECC_ERR_SHORT);
    CHECK_EQ(is.next, 0x0806);
}
