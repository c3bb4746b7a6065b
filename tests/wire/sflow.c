/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/sflow.h"
#include "lib/frame.h"
#include "lib/noun.h"
#include "rocecc/wire/bth.h"
#include "rocecc/wire/udp.h"

#include <stdlib.h>
#include <string.h>

#define UNTOUCHED 0xa5

NOUN(sflow, parse, false, ROCECC_SFLOW_FIELDS);
NOUN(sflow_record, parse, false, ROCECC_SFLOW_RECORD_FIELDS);

static const field flow_fields[] = {
    ROCECC_SFLOW_FLOW_FIELDS(FIELD_ROW, rocecc_sflow_flow)};
static const field raw_fields[] = {
    ROCECC_SFLOW_RAW_FIELDS(FIELD_ROW, rocecc_sflow_raw)};

typedef rocecc_status emitter(rocecc_writer *w, const void *record);

static rocecc_status flow_emit(rocecc_writer *w, const void *record)
{
    return rocecc_sflow_flow_emit(w, (const rocecc_sflow_flow *)record);
}

static rocecc_status raw_emit(rocecc_writer *w, const void *record)
{
    return rocecc_sflow_raw_emit(w, (const rocecc_sflow_raw *)record);
}

/* Checks that all of the row's bytes are written, or nothing, for each room. */
static void check_emit(const vec_row *row, emitter *emit, const void *record)
{
    const size_t most = row->status == ROCECC_ERR_RANGE ? 100 : row->n;
    size_t room, k;
    for (room = 0; room <= most; room++) {
        const bool fits = row->status == ROCECC_OK && room == row->n;
        rocecc_writer w = noun_writer(room);
        const uint8_t *b = w.base + w.at;
        const size_t start = w.at;
        CHECK_EQ(emit(&w, record),
                 row->status == ROCECC_OK && !fits ? ROCECC_ERR_SPACE : row->status);
        CHECK_EQ(w.at - start, fits ? row->n : 0);
        CHECK(memcmp(b, row->bytes, w.at - start) == 0);
        for (k = w.at - start; k < room; k++)
            CHECK_EQ(b[k], UNTOUCHED);
    }
}

/* Sets each member that the row's arguments name. */
static void set_members(const vec_row *row, const field *f, size_t n, void *record)
{
    size_t k;
    for (k = 0; k < n; k++) {
        const char *value = vec_value(row->in, row->n_in, f[k].name);
        if (value == NULL && f[k].kind == ROCECC_FIELD_VIEW) value = "-";
        if (value != NULL) CHECK(field_set(&f[k], record, value));
    }
}

/* Returns the row's bytes as the body of a sample or flow record. */
static rocecc_sflow_record record_of(const vec_row *row)
{
    rocecc_sflow_record record = {0, 0, {0}};
    record.body = noun_reader(row->bytes, row->n);
    if (vec_value(row->in, row->n_in, "enterprise") != NULL)
        record.enterprise = (uint32_t)noun_arg(row, "enterprise");
    record.format = (uint16_t)noun_arg(row, "format");
    return record;
}

static void call_sflow_record_parse(const vec_row *row)
{
    rocecc_reader r = noun_reader(row->bytes, row->n);
    const size_t start = r.at;
    rocecc_sflow_record record, before;
    rocecc_status status;
    memset(&record, UNTOUCHED, sizeof record);
    before = record;
    status = rocecc_sflow_record_parse(&r, &record);
    CHECK_EQ(r.at - start, status == ROCECC_OK ? row->n : 0);
    if (status != ROCECC_OK) CHECK(memcmp(&record, &before, sizeof record) == 0);
    noun_check_out(row, sflow_record_fields, NOUN_COUNT(sflow_record_fields), status,
                   &record);
    if (status == ROCECC_OK && row->emit) check_emit(row, sflow_record_emit, &record);
}

static void call_sflow_record_emit(const vec_row *row)
{
    rocecc_sflow_record record = {0, 0, {0}};
    set_members(row, sflow_record_fields, NOUN_COUNT(sflow_record_fields), &record);
    check_emit(row, sflow_record_emit, &record);
}

static void call_sflow_flow_parse(const vec_row *row)
{
    const rocecc_sflow_record sample = record_of(row);
    rocecc_sflow_flow flow, before;
    rocecc_status status;
    memset(&flow, UNTOUCHED, sizeof flow);
    before = flow;
    status = rocecc_sflow_flow_parse(&sample, &flow);
    if (status != ROCECC_OK) CHECK(memcmp(&flow, &before, sizeof flow) == 0);
    noun_check_out(row, flow_fields, NOUN_COUNT(flow_fields), status, &flow);
    if (status == ROCECC_OK && row->emit) check_emit(row, flow_emit, &flow);
}

static void call_sflow_flow_emit(const vec_row *row)
{
    rocecc_sflow_flow flow;
    memset(&flow, 0, sizeof flow);
    set_members(row, flow_fields, NOUN_COUNT(flow_fields), &flow);
    check_emit(row, flow_emit, &flow);
}

static void call_sflow_raw_parse(const vec_row *row)
{
    const rocecc_sflow_record record = record_of(row);
    rocecc_sflow_raw raw, before;
    rocecc_status status;
    memset(&raw, UNTOUCHED, sizeof raw);
    before = raw;
    status = rocecc_sflow_raw_parse(&record, &raw);
    if (status != ROCECC_OK) CHECK(memcmp(&raw, &before, sizeof raw) == 0);
    noun_check_out(row, raw_fields, NOUN_COUNT(raw_fields), status, &raw);
    if (status == ROCECC_OK && row->emit) check_emit(row, raw_emit, &raw);
}

static void call_sflow_raw_emit(const vec_row *row)
{
    rocecc_sflow_raw raw;
    memset(&raw, 0, sizeof raw);
    set_members(row, raw_fields, NOUN_COUNT(raw_fields), &raw);
    check_emit(row, raw_emit, &raw);
}

/* Finds sample i of a datagram. */
static rocecc_status sample_of(const vec_row *row, size_t i, rocecc_sflow_record *out)
{
    rocecc_reader r = noun_reader(row->bytes, row->n);
    rocecc_sflow header;
    rocecc_sflow_list list;
    rocecc_status status = rocecc_sflow_parse(&r, &header);
    CHECK_EQ(status, ROCECC_OK);
    list = rocecc_sflow_list_samples(&header, r);
    do
        status = rocecc_sflow_next(&list, out);
    while (i-- > 0 && status == ROCECC_OK);
    return status;
}

static void call_sflow_next(const vec_row *row)
{
    char formats[4096] = "";
    rocecc_sflow_record sample;
    rocecc_status status;
    size_t n = 0, len = 0;
    while ((status = sample_of(row, n, &sample)) == ROCECC_OK) {
        len += (size_t)snprintf(
            formats + len, sizeof formats - len, "%s%lu", n == 0 ? "" : "+",
            (unsigned long)sample.enterprise * 4096 + sample.format);
        n++;
    }
    CHECK_EQ(status == ROCECC_END ? ROCECC_OK : status, row->status);
    CHECK_EQ(n, strtoul(vec_value(row->out, row->n_out, "n"), NULL, 0));
    CHECK(strcmp(formats, vec_value(row->out, row->n_out, "formats")) == 0);
}

static void call_sflow_raw_find(const vec_row *row)
{
    rocecc_sflow_record sample;
    rocecc_sflow_flow flow;
    rocecc_sflow_raw raw, before;
    rocecc_status status;
    memset(&raw, UNTOUCHED, sizeof raw);
    before = raw;
    CHECK_EQ(sample_of(row, noun_arg(row, "sample"), &sample), ROCECC_OK);
    CHECK_EQ(rocecc_sflow_flow_parse(&sample, &flow), ROCECC_OK);
    status = rocecc_sflow_raw_find(&flow, &raw);
    if (status != ROCECC_OK) CHECK(memcmp(&raw, &before, sizeof raw) == 0);
    noun_check_out(row, raw_fields, NOUN_COUNT(raw_fields), status, &raw);
}

static const noun_call calls[] = {{"sflow_record_parse", call_sflow_record_parse},
                                  {"sflow_record_emit", call_sflow_record_emit},
                                  {"sflow_flow_parse", call_sflow_flow_parse},
                                  {"sflow_flow_emit", call_sflow_flow_emit},
                                  {"sflow_raw_parse", call_sflow_raw_parse},
                                  {"sflow_raw_emit", call_sflow_raw_emit},
                                  {"sflow_next", call_sflow_next},
                                  {"sflow_raw_find", call_sflow_raw_find}};

TEST(sflow_vectors)
{
    const noun nouns[] = {sflow_noun, sflow_record_noun};
    const noun_file file = {"sflow", law_sflow, nouns, 2, calls, NOUN_COUNT(calls)};
    noun_vectors(&file);
}

/*
 * A frame to a collector has one sample, at a rate of one in 1000 packets. The sample
 * has 128 of the 138 bytes of an RDMA WRITE for QP 0x17, with CE in its IP header.
 */
TEST(sflow_sample_shows_the_ce_mark_of_its_packet)
{
    const test_frame x =
        frame_of("0200000000020200000000010800450000f8000040004011b5f1c0000201c000"
                 "0202c35018c700e400000000000500000001c633640100000000000000010000"
                 "03e80000000100000001000000b80000000100000003000003e8000003e80000"
                 "00000000000100000002000000010000000100000090000000010000008a0000"
                 "00040000008002000000000202000000000108004503007c000040004011b66a"
                 "c0000201c0000202c00012b7006800000a40ffff000000170000000100000000"
                 "0000000000000001000000400000000000000000000000000000000000000000"
                 "0000000000000000000000000000000000000000000000000000000000000000"
                 "000000000000");
    const rocecc_domain ether = {.link = ROCECC_LINK_ETHER};
    const rocecc_packet p = frame_walked(&ether, &x);
    rocecc_reader r = rocecc_subrange(p.bytes, p.headers.ip.upper, p.headers.ip.end);
    rocecc_udp udp;
    rocecc_sflow header;
    rocecc_sflow_list list;
    rocecc_sflow_record sample;
    rocecc_sflow_flow flow;
    rocecc_sflow_raw raw;
    rocecc_packet inner;
    rocecc_ipv46 ip;
    rocecc_bth bth;
    CHECK_EQ(x.n, 262);
    CHECK_EQ(rocecc_udp_parse(&r, &udp), ROCECC_OK);
    CHECK_EQ(udp.dst_port, ROCECC_SFLOW_PORT);
    CHECK_EQ(rocecc_sflow_parse(&r, &header), ROCECC_OK);
    list = rocecc_sflow_list_samples(&header, r);
    CHECK_EQ(rocecc_sflow_next(&list, &sample), ROCECC_OK);
    CHECK_EQ(rocecc_sflow_flow_parse(&sample, &flow), ROCECC_OK);
    CHECK_EQ(flow.sampling_rate, 1000);
    CHECK_EQ(rocecc_sflow_raw_find(&flow, &raw), ROCECC_OK);
    CHECK(raw.protocol == ROCECC_SFLOW_ETHERNET && raw.frame_length == 138);
    CHECK_EQ(rocecc_left(&raw.header), 128);
    CHECK_EQ(rocecc_sflow_next(&list, &sample), ROCECC_END);
    CHECK_EQ(rocecc_left(&list.rest), 0);

    (void)rocecc_packet_parse(&ether, raw.header, &inner);
    CHECK_EQ(inner.headers.kind, ROCECC_PACKET_KIND_ROCEV2);
    CHECK_EQ(rocecc_ipv46_parse(rocecc_subrange(inner.bytes, inner.headers.ip.offset,
                                                inner.headers.ip.end),
                                &ip),
             ROCECC_OK);
    CHECK_EQ(ip.ecn, ROCECC_ECN_CE);
    r = rocecc_subrange(inner.bytes, inner.headers.bth, inner.headers.end);
    CHECK_EQ(rocecc_bth_parse(&r, &bth), ROCECC_OK);
    CHECK_EQ(bth.dest_qp, 0x17);
}

/* A record at the end of its list may lack its padding or a part of it. */
TEST(sflow_last_record_may_lack_padding)
{
    const uint8_t bytes[12] = {0, 0, 0x10, 2, 0, 0, 0, 1, 0x77};
    size_t n;
    for (n = 9; n <= 12; n++) {
        rocecc_reader r = rocecc_reader_of(bytes, bytes + n);
        rocecc_sflow_record record;
        CHECK_EQ(rocecc_sflow_record_parse(&r, &record), ROCECC_OK);
        CHECK_EQ(rocecc_left(&record.body), 1);
        CHECK_EQ(rocecc_left(&r), 0);
    }
}

/* Copies are limited to 65535 bytes, and no UDP datagram is longer. */
TEST(sflow_copies_at_most_65535_bytes)
{
    static uint8_t bytes[65536], out[65600];
    size_t n;
    for (n = 65535; n <= 65536; n++) {
        const rocecc_reader body = rocecc_reader_of(bytes, bytes + n);
        const rocecc_status expect = n == 65535 ? ROCECC_OK : ROCECC_ERR_UNSUPPORTED;
        const rocecc_sflow_record record = {0, 2, body};
        const rocecc_sflow_raw raw = {1, 65535, 4, body};
        rocecc_sflow_flow flow = {.records = body};
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        CHECK_EQ(rocecc_sflow_record_emit(&w, &record), expect);
        CHECK_EQ(w.at, n == 65535 ? 8 + 65536 : 0);
        w = rocecc_writer_of(out, out + sizeof out);
        CHECK_EQ(rocecc_sflow_flow_emit(&w, &flow), expect);
        CHECK_EQ(w.at, n == 65535 ? 32 + 65535 : 0);
        flow.expanded = true;
        w = rocecc_writer_of(out, out + sizeof out);
        CHECK_EQ(rocecc_sflow_flow_emit(&w, &flow), expect);
        w = rocecc_writer_of(out, out + sizeof out);
        CHECK_EQ(rocecc_sflow_raw_emit(&w, &raw), expect);
        CHECK_EQ(w.at, n == 65535 ? 16 + 65536 : 0);
    }
}

/* An unknown address type gives RANGE, whatever the address is. */
TEST(sflow_emit_rejects_an_unknown_address_type)
{
    uint8_t b[64];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_sflow h = ROCECC_ZERO;
    uint8_t type;
    for (type = 3; type != 0; type++) {
        memcpy(&h.address_type, &type, 1);
        CHECK_EQ(rocecc_sflow_emit(&w, &h), ROCECC_ERR_RANGE);
        CHECK_EQ(w.at, 0);
    }
}

/* A broken raw header before a good one gives FORMAT, because the first one decides. */
TEST(sflow_raw_find_stops_at_a_broken_raw_header)
{
    uint8_t b[2 * 24] = {0};
    rocecc_sflow_flow flow = {.n_records = 2};
    rocecc_sflow_raw raw;
    b[3] = b[24 + 3] = 1;
    b[7] = b[24 + 7] = 16;
    flow.records = rocecc_reader_of(b, b + sizeof b);
    CHECK_EQ(rocecc_sflow_raw_find(&flow, &raw), ROCECC_OK);
    CHECK_EQ(raw.header.at, 24);
    b[23] = 1; /* a header of one byte */
    CHECK_EQ(rocecc_sflow_raw_find(&flow, &raw), ROCECC_ERR_FORMAT);
    b[3] = 2; /* another format */
    CHECK_EQ(rocecc_sflow_raw_find(&flow, &raw), ROCECC_OK);
    CHECK_EQ(raw.header.at, 48);
}

/*
 * The second of two declared samples is missing. Each call for it gives SHORT and
 * leaves the list unchanged.
 */
TEST(sflow_next_of_a_missing_sample_is_short)
{
    static const uint8_t b[8 + 4] = {0, 0, 0, 2};
    const rocecc_sflow header = {.n_samples = 2};
    rocecc_sflow_list list =
        rocecc_sflow_list_samples(&header, rocecc_reader_of(b, b + sizeof b));
    rocecc_sflow_record sample;
    int i;
    CHECK_EQ(rocecc_sflow_next(&list, &sample), ROCECC_OK);
    for (i = 0; i < 2; i++) {
        CHECK_EQ(rocecc_sflow_next(&list, &sample), ROCECC_ERR_SHORT);
        CHECK(list.n == 1 && list.rest.at == 8 && sample.format == 2);
    }
}

/*
 * UNSUPPORTED for the limit precedes a status for missing bytes, because more bytes
 * would not help.
 */
TEST(sflow_cap_precedes_missing_records)
{
    static uint8_t b[8 * ROCECC_SFLOW_SAMPLES_MAX];
    const rocecc_sflow header = {.n_samples = ROCECC_SFLOW_SAMPLES_MAX + 1};
    rocecc_sflow_list list =
        rocecc_sflow_list_samples(&header, rocecc_reader_of(b, b + sizeof b));
    rocecc_sflow_flow flow = {.n_records = ROCECC_SFLOW_RECORDS_MAX + 1};
    rocecc_sflow_record sample;
    rocecc_sflow_raw raw;
    int n = 0;
    while (rocecc_sflow_next(&list, &sample) == ROCECC_OK)
        n++;
    CHECK_EQ(n, ROCECC_SFLOW_SAMPLES_MAX);
    CHECK_EQ(rocecc_left(&list.rest), 0);
    CHECK_EQ(rocecc_sflow_next(&list, &sample), ROCECC_ERR_UNSUPPORTED);
    flow.records = rocecc_reader_of(b, b + 8 * ROCECC_SFLOW_RECORDS_MAX);
    CHECK_EQ(rocecc_sflow_raw_find(&flow, &raw), ROCECC_ERR_UNSUPPORTED);
}

/* n_records 7, and three bytes that are not a record, are written unchanged. */
TEST(sflow_flow_emit_does_not_check_its_records)
{
    static const uint8_t three[3] = {1, 2, 3};
    rocecc_sflow_flow flow = {.n_records = 7};
    uint8_t b[40] = {0};
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    flow.records = rocecc_reader_of(three, three + 3);
    CHECK_EQ(rocecc_sflow_flow_emit(&w, &flow), ROCECC_OK);
    CHECK(w.at == 35 && b[31] == 7 && memcmp(b + 32, three, 3) == 0);
}
