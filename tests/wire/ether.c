/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ether.h"
#include "lib/noun.h"

NOUN(ether, parse, false, ROCECC_ETHER_FIELDS);
NOUN(vlan, parse, false, ROCECC_VLAN_FIELDS);
NOUN(arista, parse, false, ROCECC_ARISTA_FIELDS);
NOUN_WORD(etag, ROCECC_ETAG_BYTES, ROCECC_ETAG_FIELDS);
NOUN_WORD(vntag, ROCECC_VNTAG_BYTES, ROCECC_VNTAG_FIELDS);

typedef struct tagged {
    unsigned tags;
    uint16_t type;
} tagged;

static const field tagged_fields[] = {FIELD_ROW(tagged, UINT, tags, NULL)
                                          FIELD_ROW(tagged, UINT, type, NULL)};

static void call_vlan_match(const vec_row *row)
{
    const uint8_t *at = guard_end(row->bytes, row->n);
    rocecc_reader r = rocecc_reader_of(at, at + row->n);
    tagged found = {0, 0};
    rocecc_ether h;
    rocecc_vlan tag;
    rocecc_status status = rocecc_ether_parse(&r, &h);
    if (status == ROCECC_OK) found.type = h.type;
    while (status == ROCECC_OK && rocecc_vlan_match(found.type)) {
        status = rocecc_vlan_parse(&r, &tag);
        if (status != ROCECC_OK) break;
        found.tags++;
        found.type = tag.type;
    }
    noun_check_out(row, tagged_fields, NOUN_COUNT(tagged_fields), status, &found);
}

static const noun_call calls[] = {{"vlan_match", call_vlan_match}};

TEST(ether_vectors)
{
    const noun nouns[] = {ether_noun, vlan_noun, etag_noun, vntag_noun, arista_noun};
    const noun_file file = {"ether",           law_ether, nouns,
                            NOUN_COUNT(nouns), calls,     NOUN_COUNT(calls)};
    noun_vectors(&file);
}

TEST(ether_and_tag_bits_belong_to_one_member)
{
    noun_bits(&ether_noun, ROCECC_ETHER_BYTES);
    noun_bits(&vlan_noun, ROCECC_VLAN_BYTES);
    noun_bits(&etag_noun, ROCECC_ETAG_BYTES);
    noun_bits(&vntag_noun, ROCECC_VNTAG_BYTES);
}

/* Only types 0x8100 and 0x88a8 announce a VLAN tag. */
TEST(vlan_match_accepts_only_0x8100_and_0x88a8)
{
    uint32_t type;
    for (type = 0; type <= 0xffff; type++)
        CHECK_EQ(rocecc_vlan_match((uint16_t)type), type == 0x8100 || type == 0x88a8);
}

/* store() drops bits beyond each field. */
TEST(vlan_store_drops_bits_beyond_each_field)
{
    const rocecc_vlan wide = {0xf8, false, 0xf000, 0};
    uint8_t b[4];
    rocecc_vlan_store(b, &wide);
    CHECK_EQ(rocecc_load32(b), 0);
}

TEST(etag_store_drops_bits_beyond_each_field)
{
    const rocecc_etag wide = {0xf8, false, 0xf000, 0xfc, 0xfc, 0xf000, 0, 0, 0};
    uint8_t b[ROCECC_ETAG_BYTES];
    rocecc_etag_store(b, &wide);
    CHECK(rocecc_load64(b) == 0);
}

TEST(vntag_store_drops_bits_beyond_each_field)
{
    const rocecc_vntag wide = {false, false, 0xc000, false, false, 0xfc, 0xf000, 0};
    uint8_t b[ROCECC_VNTAG_BYTES];
    rocecc_vntag_store(b, &wide);
    CHECK_EQ(rocecc_load32(b), 0);
    CHECK_EQ(rocecc_load16(b + 4), 0);
}

/* Only subtype 1, with one of four versions, is a timestamp. */
TEST(arista_length_follows_subtype_and_version)
{
    uint32_t x;
    for (x = 0; x <= 0xffff; x++) {
        const uint16_t is = (uint16_t)x;
        CHECK_EQ(rocecc_arista_bytes(1, is), is == 0x10 || is == 0x110   ? 14
                                             : is == 0x20 || is == 0x120 ? 12
                                                                         : 0);
        CHECK_EQ(rocecc_arista_bytes(is, 0x10), is == 1 ? 14 : 0);
        CHECK_EQ(rocecc_arista_bytes(is, 0x120), is == 1 ? 12 : 0);
    }
}

/* VID 4096 and 65536 s in 16 bits give RANGE, even without room. */
TEST(range_precedes_space_in_tags_and_timestamps)
{
    const rocecc_vlan tag = {0, false, 0x1000, 0};
    const rocecc_arista stamp = {1, ROCECC_ARISTA_VERSION_48, 65536, 0, 0};
    size_t room;
    for (room = 0; room <= 16; room++) {
        uint8_t *at = guard_end(NULL, room);
        rocecc_writer w = rocecc_writer_of(at, at + room);
        test_context("room for %zu bytes", room);
        CHECK_EQ(rocecc_vlan_emit(&w, &tag), ROCECC_ERR_RANGE);
        CHECK_EQ(rocecc_arista_emit(&w, &stamp), ROCECC_ERR_RANGE);
        CHECK_EQ(w.at, 0);
    }
}

/* A timestamp of the unknown version 0x210, cut after 0 to 14 bytes. */
TEST(arista_of_unknown_version_is_short_below_4_bytes)
{
    static const uint8_t bytes[14] = {0, 1, 2, 0x10}; /* neither TAI nor UTC */
    size_t n;
    for (n = 0; n <= sizeof bytes; n++) {
        const uint8_t *at = guard_end(bytes, n);
        rocecc_reader r = rocecc_reader_of(at, at + n);
        rocecc_arista h = {1, 2, 3, 4, 5};
        test_context("%zu bytes", n);
        CHECK_EQ(rocecc_arista_parse(&r, &h),
                 n < 4 ? ROCECC_ERR_SHORT : ROCECC_ERR_UNSUPPORTED);
        CHECK(r.at == 0 && h.subtype == 1 && h.type == 5);
    }
}
