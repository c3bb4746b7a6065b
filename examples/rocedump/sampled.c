/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * sampled.c - sFlow datagrams and flow samples. decode.c decodes a sampled packet, or
 * its first bytes, as a packet inside.
 */
#include "rocecc/fields/sflow.h"

#include "decode.h"

#define OTHERS_FIELDS(F, T) F(T, UINT, others, NULL)

/* The header is the record's first member. */
static const field sflow_fields[] = {ROCECC_SFLOW_FIELDS(FIELD_ROW, rocecc_sflow)
                                         OTHERS_FIELDS(FIELD_ROW, sflow_record)};
static const field sample_fields[] = {DEEP(sample_record, BOOL, flow, expanded),
                                      DEEP(sample_record, UINT, flow, sequence_number),
                                      DEEP(sample_record, UINT, flow, source_type),
                                      DEEP(sample_record, UINT, flow, source_index),
                                      DEEP(sample_record, UINT, flow, sampling_rate),
                                      DEEP(sample_record, UINT, flow, sample_pool),
                                      DEEP(sample_record, UINT, flow, drops),
                                      DEEP(sample_record, UINT, flow, input_format),
                                      DEEP(sample_record, UINT, flow, input_value),
                                      DEEP(sample_record, UINT, flow, output_format),
                                      DEEP(sample_record, UINT, flow, output_value),
                                      DEEP(sample_record, UINT, flow, n_records),
                                      DEEP(sample_record, UINT, raw, protocol),
                                      DEEP(sample_record, UINT, raw, frame_length),
                                      DEEP(sample_record, UINT, raw, stripped),
                                      DEEP(sample_record, VIEW, raw, header)};

static const layer_kind sflow_kind = ONE("sflow", sflow_fields);
static const layer_kind sample_kind = MANY("sample", sample_fields);

const layer_kind *const sampled_kinds[] = {&sflow_kind, &sample_kind, NULL};

bool sampled_is_sample(const layer_kind *kind)
{
    return kind == &sample_kind;
}

/*
 * Adds a flow sample and its raw header, if any. Returns false if the stack has ended.
 */
static bool sample_layer(decoded *d, const rocecc_sflow_flow *flow)
{
    sflow_record *h = &d->sflow;
    sample_record *s = &h->sample[h->count];
    rocecc_status status;
    if (h->count == SAMPLES_MAX)
        return decode_fail(d, ROCECC_ERR_UNSUPPORTED, sample_kind.name);
    h->count++;
    s->flow = *flow;
    s->raw.protocol = s->raw.frame_length = s->raw.stripped = 0;
    s->raw.header = rocecc_reader_of(NULL, NULL);
    s->packet = NULL;
    decode_push(d, &sample_kind, s, NULL);
    status = rocecc_sflow_raw_find(flow, &s->raw);
    return status == ROCECC_OK || status == ROCECC_NO_MATCH ||
           decode_fail(d, status, sample_kind.name);
}

/* Adds all samples. Returns false if the stack has ended. */
static bool sample_layers(decoded *d, rocecc_reader r, bool cut)
{
    rocecc_sflow_list list = rocecc_sflow_list_samples(&d->sflow.h, r);
    int i;
    for (i = 0; i <= ROCECC_SFLOW_SAMPLES_MAX; i++) {
        rocecc_sflow_record sample;
        rocecc_sflow_flow flow;
        rocecc_status status = rocecc_sflow_next(&list, &sample);
        if (status == ROCECC_END) break;
        if (!cut) status = rocecc_status_declared(status);
        if (status != ROCECC_OK) return decode_fail(d, status, sflow_kind.name);
        status = rocecc_sflow_flow_parse(&sample, &flow);
        if (status == ROCECC_NO_MATCH)
            d->sflow.others++;
        else if (status != ROCECC_OK)
            return decode_fail(d, status, sample_kind.name);
        else if (!sample_layer(d, &flow))
            return false;
    }
    return true;
}

bool sampled_layers(decoded *d)
{
    const rocecc_headers *f = &d->p.headers;
    const uint16_t port = d->p.domain->sflow_port;
    const bool cut = f->end > d->p.bytes.end;
    rocecc_reader r =
        rocecc_subrange(d->p.bytes, f->udp + (size_t)ROCECC_UDP_BYTES, f->end);
    rocecc_status status;
    if (port == 0 || f->next != port) return true;
    d->sflow.others = 0;
    status = rocecc_sflow_parse(&r, &d->sflow.h);
    if (!cut) status = rocecc_status_declared(status);
    if (status != ROCECC_OK) return decode_fail(d, status, sflow_kind.name);
    decode_push(d, &sflow_kind, &d->sflow, NULL);
    return sample_layers(d, r, cut);
}

/* Returns the EtherType for a raw header's protocol, or 0 for other protocols. */
static uint16_t type_of(uint32_t protocol)
{
    return protocol == ROCECC_SFLOW_ETHERNET ? ROCECC_TYPE_TEB
           : protocol == ROCECC_SFLOW_IPV4   ? ROCECC_TYPE_IPV4
           : protocol == ROCECC_SFLOW_IPV6   ? ROCECC_TYPE_IPV6
                                             : 0;
}

uint16_t sampled_parse(const decoded *d, size_t i, rocecc_packet *out)
{
    const rocecc_sflow_raw *raw = &d->sflow.sample[i].raw;
    const uint16_t type = type_of(raw->protocol);
    const size_t bytes = rocecc_left(&raw->header) + (size_t)raw->stripped;
    const rocecc_partial partial =
        bytes < raw->frame_length ? ROCECC_PARTIAL_SAMPLED : ROCECC_PARTIAL_NONE;
    if (type == 0) return 0;
    out->domain = d->p.domain;
    out->bytes = raw->header;
    (void)rocecc_headers_parse_as(out->domain, out->bytes, type, SIZE_MAX, partial,
                                  &out->headers);
    return type;
}
