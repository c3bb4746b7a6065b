/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_SFLOW_H
#define TESTS_LAW_SFLOW_H

#include "law.h"
#include "rocecc/fields/sflow.h"

#define LAW_SFLOW_SAMPLES 2 /* samples in the digest */
#define LAW_SFLOW_BYTES 12  /* of a sampled packet, its frame's addresses */
#ifndef LAW_SFLOW_MAX
#define LAW_SFLOW_MAX 2000 /* longest body that is written again */
#endif

/* Returns word i of the next bytes, or 0 if they end before it. */
LAW_FN uint32_t law_sflow_word(rocecc_reader r, size_t i)
{
    const uint8_t *b = rocecc_take(&r, 4 * i + 4) == NULL ? NULL : r.base + r.at - 4;
    return b == NULL ? 0 : rocecc_load32(b);
}

/* Returns the expected status of rocecc_sflow_parse(). */
LAW_FN rocecc_status law_sflow_status(rocecc_reader r)
{
    const size_t left = rocecc_left(&r);
    const uint8_t *b = rocecc_take(&r, 8);
    uint32_t type;
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (rocecc_load32(b) != 5) return ROCECC_ERR_UNSUPPORTED;
    type = rocecc_load32(b + 4);
    if (type > 2) return ROCECC_ERR_FORMAT;
    return left < (type == 0   ? 24u
                   : type == 1 ? 28u
                               : 40u)
               ? ROCECC_ERR_SHORT
               : ROCECC_OK;
}

/* Returns a digest of a sampled packet, and of the members around it. */
LAW_FN uint32_t law_sflow_raw(const rocecc_sflow_flow *flow)
{
    rocecc_sflow_raw raw = {0, 0, 0, flow->records};
    uint32_t digest = LAW_START;
    const rocecc_status status = rocecc_sflow_raw_find(flow, &raw);
    digest = law_mix(digest, status);
    LAW(status != ROCECC_END && status != ROCECC_ERR_SHORT);
    if (status != ROCECC_OK) return digest;
    LAW(rocecc_left(&raw.header) + ROCECC_SFLOW_RECORD_BYTES + ROCECC_SFLOW_RAW_BYTES <=
        rocecc_left(&flow->records));
    digest = law_mix(digest, raw.protocol);
    digest = law_mix(digest, raw.frame_length);
    digest = law_mix(digest, raw.stripped);
    return law_mix_bytes(digest, raw.header, LAW_SFLOW_BYTES);
}

/* Returns a digest of a sample, for a flow sample of all members and a packet. */
LAW_FN uint32_t law_sflow_sample(const rocecc_sflow_record *sample)
{
    uint32_t digest = LAW_START, raw;
    rocecc_sflow_flow flow = {false, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, sample->body};
    const rocecc_status status = rocecc_sflow_flow_parse(sample, &flow);
    digest = law_mix(digest, sample->enterprise);
    digest = law_mix(digest, sample->format);
    digest = law_mix(digest, rocecc_left(&sample->body));
    digest = law_mix(digest, status);
    LAW((status == ROCECC_NO_MATCH) ==
        (sample->enterprise != 0 || (sample->format != 1 && sample->format != 3)));
    LAW((status == ROCECC_OK) ==
        (status != ROCECC_NO_MATCH &&
         rocecc_left(&sample->body) >= (sample->format == 1 ? 32u : 44u)));
    if (status != ROCECC_OK) return digest;
    LAW(flow.expanded == (sample->format == 3));
    LAW(rocecc_left(&flow.records) ==
        rocecc_left(&sample->body) - (flow.expanded ? 44 : 32));
    digest = law_mix(digest, flow.sequence_number);
    digest = law_mix(digest, flow.source_type);
    digest = law_mix(digest, flow.source_index);
    digest = law_mix(digest, flow.sampling_rate);
    digest = law_mix(digest, flow.sample_pool);
    digest = law_mix(digest, flow.drops);
    digest = law_mix(digest, flow.input_format);
    digest = law_mix(digest, flow.input_value);
    digest = law_mix(digest, flow.output_format);
    digest = law_mix(digest, flow.output_value);
    digest = law_mix(digest, flow.n_records);
    raw = law_sflow_raw(&flow);
    LAW(raw != LAW_BROKEN);
    return law_mix(digest, raw);
}

#if !defined(__bpf__) && !defined(__FRAMAC__) /* Frama-C's harness writes any values   \
                                               */
/* Returns true if the bytes from `begin` to `end` are 0. */
LAW_FN bool law_sflow_zeros(const rocecc_writer *w, size_t begin, size_t end)
{
    for (; begin < end; begin++)
        if (law_base_(w)[begin] != 0) return false;
    return true;
}

/*
 * Checks that a sample or flow record is emitted again, with zeros for padding, and not
 * with one byte less room. *used is the distance to the next.
 */
LAW_FN uint32_t law_sflow_record_again(rocecc_reader r, const rocecc_sflow_record *h,
                                       size_t *used)
{
    LAW_SCRATCH(back, 8 + LAW_SFLOW_MAX);
    rocecc_writer w = law_writer(back, 8 + LAW_SFLOW_MAX);
    const size_t bytes = rocecc_left(&h->body), whole = 8 + (bytes + 3) / 4 * 4;
    rocecc_sflow_record wide = *h;
    const uint32_t word = law_sflow_word(r, 0);
    LAW(h->enterprise == word / 4096 && h->format == word % 4096);
    LAW(law_sflow_word(r, 1) == bytes && h->body.at == r.at + 8);
    *used = whole < rocecc_left(&r) ? whole : rocecc_left(&r);
    if (bytes > LAW_SFLOW_MAX) return LAW_START;
    LAW(rocecc_sflow_record_emit(&w, h) == ROCECC_OK && law_wrote(&w) == whole);
    LAW(law_sflow_zeros(&w, 8 + bytes, whole));
    law_rewind(&w, 8 + bytes);
    LAW(law_same(r, &w, 8 + LAW_SFLOW_MAX));
    w = law_writer(back, whole - 1);
    LAW(rocecc_sflow_record_emit(&w, h) == ROCECC_ERR_SPACE && law_wrote(&w) == 0);
    wide.enterprise |= 1u << 20;
    LAW(rocecc_sflow_record_emit(&w, &wide) == ROCECC_ERR_RANGE);
    wide = *h;
    wide.format |= 1u << 12;
    LAW(rocecc_sflow_record_emit(&w, &wide) == ROCECC_ERR_RANGE && law_wrote(&w) == 0);
    return LAW_START;
}

/* Checks that a flow sample is emitted again, and a too wide member is refused. */
LAW_FN uint32_t law_sflow_flow_again(rocecc_reader body, const rocecc_sflow_flow *h)
{
    LAW_SCRATCH(back, LAW_SFLOW_MAX);
    rocecc_writer w = law_writer(back, LAW_SFLOW_MAX);
    rocecc_sflow_flow wide = *h;
    const size_t bytes = rocecc_left(&body);
    if (bytes > LAW_SFLOW_MAX) return LAW_START;
    LAW(rocecc_sflow_flow_emit(&w, h) == ROCECC_OK && law_wrote(&w) == bytes);
    LAW(law_same(body, &w, LAW_SFLOW_MAX));
    w = law_writer(back, bytes - 1);
    LAW(rocecc_sflow_flow_emit(&w, h) == ROCECC_ERR_SPACE && law_wrote(&w) == 0);
    wide.source_type = 256;
    LAW(rocecc_sflow_flow_emit(&w, &wide) ==
        (h->expanded ? ROCECC_ERR_SPACE : ROCECC_ERR_RANGE));
    LAW(law_wrote(&w) == 0);
    return LAW_START;
}

/* Checks that a raw header is emitted again. */
LAW_FN uint32_t law_sflow_raw_again(rocecc_reader body, const rocecc_sflow_raw *h)
{
    LAW_SCRATCH(back, LAW_SFLOW_MAX);
    rocecc_writer w = law_writer(back, LAW_SFLOW_MAX);
    const size_t bytes = 16 + rocecc_left(&h->header), whole = (bytes + 3) / 4 * 4;
    LAW(h->header.at == body.at + 16 && bytes <= rocecc_left(&body));
    LAW(h->protocol == law_sflow_word(body, 0));
    LAW(h->frame_length == law_sflow_word(body, 1));
    LAW(h->stripped == law_sflow_word(body, 2));
    if (whole > LAW_SFLOW_MAX) return LAW_START;
    LAW(rocecc_sflow_raw_emit(&w, h) == ROCECC_OK && law_wrote(&w) == whole);
    LAW(law_sflow_zeros(&w, bytes, whole));
    law_rewind(&w, bytes);
    LAW(law_same(body, &w, LAW_SFLOW_MAX));
    w = law_writer(back, whole - 1);
    LAW(rocecc_sflow_raw_emit(&w, h) == ROCECC_ERR_SPACE && law_wrote(&w) == 0);
    return LAW_START;
}

/*
 * Checks that each byte of a list belongs to a record or follows them. *raw is the
 * expected status of rocecc_sflow_raw_find().
 */
LAW_FN uint32_t law_sflow_records(const rocecc_sflow_flow *flow, rocecc_status *raw)
{
    rocecc_sflow_list list = rocecc_sflow_list_records(flow);
    rocecc_sflow_record h;
    rocecc_sflow_raw packet;
    rocecc_status status;
    size_t n = 0, used;
    bool found = false;
    for (;;) {
        const rocecc_sflow_list before = list;
        rocecc_status is;
        status = rocecc_sflow_next(&list, &h);
        if (status != ROCECC_OK) {
            LAW(list.rest.at == before.rest.at && list.n == before.n);
            break;
        }
        n++;
        LAW(law_sflow_record_again(before.rest, &h, &used) != LAW_BROKEN);
        LAW(list.rest.at == before.rest.at + used);
        is = rocecc_sflow_raw_parse(&h, &packet);
        LAW((is == ROCECC_NO_MATCH) == (h.enterprise != 0 || h.format != 1));
        if (is == ROCECC_NO_MATCH) continue;
        LAW((is == ROCECC_OK) ==
            (rocecc_left(&h.body) >= 16 &&
             law_sflow_word(h.body, 3) <= rocecc_left(&h.body) - 16));
        LAW(is == ROCECC_OK || is == ROCECC_ERR_FORMAT);
        if (is == ROCECC_OK) LAW(law_sflow_raw_again(h.body, &packet) != LAW_BROKEN);
        if (!found) *raw = is;
        found = true;
    }
    LAW((status == ROCECC_END) == (n == flow->n_records));
    LAW((status == ROCECC_ERR_UNSUPPORTED) ==
        (n == ROCECC_SFLOW_RECORDS_MAX && flow->n_records > n));
    LAW(status != ROCECC_ERR_SHORT && n <= ROCECC_SFLOW_RECORDS_MAX);
    if (!found) *raw = status == ROCECC_END ? ROCECC_NO_MATCH : status;
    return LAW_START;
}

/* Checks all samples, and all their flow records. */
LAW_FN uint32_t law_sflow_walk(const rocecc_sflow *header, rocecc_reader r)
{
    rocecc_sflow_list list = rocecc_sflow_list_samples(header, r);
    rocecc_sflow_record h;
    rocecc_status status;
    size_t n = 0, used;
    for (;;) {
        const rocecc_sflow_list before = list;
        rocecc_sflow_flow flow;
        rocecc_sflow_raw packet;
        rocecc_status raw = ROCECC_OK;
        status = rocecc_sflow_next(&list, &h);
        if (status != ROCECC_OK) {
            LAW(list.rest.at == before.rest.at && list.n == before.n);
            break;
        }
        n++;
        LAW(law_sflow_record_again(before.rest, &h, &used) != LAW_BROKEN);
        LAW(list.rest.at == before.rest.at + used);
        if (rocecc_sflow_flow_parse(&h, &flow) != ROCECC_OK) continue;
        LAW(law_sflow_flow_again(h.body, &flow) != LAW_BROKEN);
        LAW(law_sflow_records(&flow, &raw) != LAW_BROKEN);
        LAW(rocecc_sflow_raw_find(&flow, &packet) == raw);
    }
    LAW((status == ROCECC_END) == (n == header->n_samples));
    LAW((status == ROCECC_ERR_UNSUPPORTED) ==
        (n == ROCECC_SFLOW_SAMPLES_MAX && header->n_samples > n));
    LAW(status != ROCECC_ERR_FORMAT && n <= ROCECC_SFLOW_SAMPLES_MAX);
    return LAW_START;
}

/* Checks that the header is emitted again, and another address type is refused. */
LAW_FN uint32_t law_sflow_again(rocecc_reader r, const rocecc_sflow *h, size_t n)
{
    LAW_SCRATCH(back, 40);
    rocecc_writer w = law_writer(back, 40);
    rocecc_sflow other = *h;
    LAW(rocecc_sflow_bytes(h) == n);
    LAW(rocecc_sflow_emit(&w, h) == ROCECC_OK && law_wrote(&w) == n);
    LAW(law_same(r, &w, 40));
    w = law_writer(back, n - 1);
    LAW(rocecc_sflow_emit(&w, h) == ROCECC_ERR_SPACE && law_wrote(&w) == 0);
    other.agent.b[0] |= 0x20; /* neither unknown nor IPv4 */
    LAW(rocecc_sflow_emit(&w, &other) ==
        (n == 40 ? ROCECC_ERR_SPACE : ROCECC_ERR_RANGE));
    LAW(law_wrote(&w) == 0);
    return LAW_START;
}
#endif

/* Checks the status of each part of a datagram. Each byte belongs to one member. */
LAW_FN uint32_t law_sflow(rocecc_reader r)
{
    uint32_t digest = LAW_START, sample;
    rocecc_reader rest = r;
    rocecc_sflow h = ROCECC_ZERO;
    rocecc_sflow_list list;
    rocecc_status status = rocecc_sflow_parse(&rest, &h);
    int i;
    digest = law_mix(digest, status);
    LAW(status == law_sflow_status(r));
    LAW(status == ROCECC_OK || rest.at == r.at);
    if (status != ROCECC_OK) return digest;
    LAW(rest.at == r.at + rocecc_sflow_bytes(&h));
    LAW_FIELDS(ROCECC_SFLOW_FIELDS, &h)
    list = rocecc_sflow_list_samples(&h, rest);
    for (i = 0; i < LAW_SFLOW_SAMPLES; i++) {
        rocecc_sflow_record record = {0, 0, rest};
        status = rocecc_sflow_next(&list, &record);
        digest = law_mix(digest, status);
        if (status != ROCECC_OK) break;
        sample = law_sflow_sample(&record);
        LAW(sample != LAW_BROKEN);
        digest = law_mix(digest, sample);
    }
#if !defined(__bpf__) && !defined(__FRAMAC__) /* Frama-C's harness writes any values   \
                                               */
    LAW(law_sflow_again(r, &h, rest.at - r.at) != LAW_BROKEN);
    LAW(law_sflow_walk(&h, rest) != LAW_BROKEN);
#endif
    return digest;
}

#endif /* TESTS_LAW_SFLOW_H */
