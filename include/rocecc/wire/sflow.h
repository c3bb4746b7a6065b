/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_SFLOW_H
#define ROCECC_WIRE_SFLOW_H

/*
 * sflow.h - sFlow version 5 datagrams, in which a switch reports one packet in N. A
 * datagram has a header and samples. A flow sample describes one packet, and its raw
 * header record contains the packet's first bytes. sFlow Version 5 (sflow.org, July
 * 2004), 5. All numbers are 32-bit XDR words.
 *
 *   datagram      5 | Address type | Agent address, 0, 4 or 16 bytes |
 *                 Sub-agent ID | Sequence number | Uptime | Samples | the samples
 *
 *   a sample, or  Enterprise 20, Format 12 | Length | Length bytes, padded to 4
 *   flow record
 *
 *   flow sample   Sequence number | Source type 8, index 24 | Sampling rate |
 *   (0, 1)        Sample pool | Drops | Input | Output | Records | the flow records
 *                 Input and Output: format 2 bits, value 30
 *   (0, 3)        expanded: types, indices, formats and values have 32 bits each
 *
 *   raw header    Protocol | Frame length | Stripped | Header length | the header,
 *   (0, 1)        padded to 4
 *
 *     00000001 00000030            flow record (0, 1) of 48 bytes:
 *     00000001 000005da 00000004   an Ethernet frame of 1498 bytes, of which 4 (the
 *     0000001e, 30 bytes, 0000     FCS) were removed, and its first 30 bytes
 *
 * rocecc uses the length fields to skip other samples (such as counter samples) and
 * other flow records. The specification allows later agents to append members to a
 * structure, so rocecc ignores any bytes after the known members and after the last
 * flow record in a sample.
 */
#include "ipaddr.h"

#define ROCECC_SFLOW_PORT 6343u /* the collector's UDP port */
#define ROCECC_SFLOW_VERSION 5u
#define ROCECC_SFLOW_BYTES 24 /* the datagram's header, without the agent's address */
#define ROCECC_SFLOW_RECORD_BYTES 8 /* header of a sample or flow record */
#define ROCECC_SFLOW_FLOW_BYTES 32  /* start of a flow sample, before its records */
#define ROCECC_SFLOW_FLOW_EXPANDED_BYTES 44
#define ROCECC_SFLOW_RAW_BYTES 16 /* start of a raw header, before the packet */

/* Sample formats of enterprise 0. */
#define ROCECC_SFLOW_FLOW_SAMPLE 1u
#define ROCECC_SFLOW_COUNTERS_SAMPLE 2u
#define ROCECC_SFLOW_FLOW_SAMPLE_EXPANDED 3u
#define ROCECC_SFLOW_COUNTERS_SAMPLE_EXPANDED 4u

/* The format of a raw header, a flow record of enterprise 0. */
#define ROCECC_SFLOW_RAW_HEADER 1u

/* Values of `address_type`. */
typedef enum rocecc_sflow_address_ {
    ROCECC_SFLOW_ADDRESS_UNKNOWN = 0, /* no address follows */
    ROCECC_SFLOW_ADDRESS_IPV4,
    ROCECC_SFLOW_ADDRESS_IPV6
} ROCECC_IN_8_BITS_(rocecc_sflow_address);

/*
 * Values of `input_format` and `output_format`. The last two values occur only in
 * output_format.
 */
#define ROCECC_SFLOW_INTERFACE 0u /* value: an ifIndex; 0 if it is unknown */
#define ROCECC_SFLOW_DISCARDED 1u /* value: the reason */
#define ROCECC_SFLOW_MULTIPLE 2u  /* value: number of interfaces; 0 if it is unknown */

/*
 * The ifIndex in a sample of format 1 if the switch itself sent or received the packet.
 */
#define ROCECC_SFLOW_INTERNAL 0x3fffffffu

/* Values of `protocol`, which identifies the first protocol in a raw header. */
typedef enum rocecc_sflow_protocol {
    ROCECC_SFLOW_ETHERNET = 1,
    ROCECC_SFLOW_TOKEN_BUS,
    ROCECC_SFLOW_TOKEN_RING,
    ROCECC_SFLOW_FDDI,
    ROCECC_SFLOW_FRAME_RELAY,
    ROCECC_SFLOW_X25,
    ROCECC_SFLOW_PPP,
    ROCECC_SFLOW_SMDS,
    ROCECC_SFLOW_AAL5,
    ROCECC_SFLOW_AAL5_IP,
    ROCECC_SFLOW_IPV4,
    ROCECC_SFLOW_IPV6,
    ROCECC_SFLOW_MPLS,
    ROCECC_SFLOW_POS
} rocecc_sflow_protocol;

/*
 * Maximum numbers of samples per datagram and of flow records per sample that
 * rocecc_sflow_next() returns.
 */
#ifndef ROCECC_SFLOW_SAMPLES_MAX
#if defined(__bpf__)
#define ROCECC_SFLOW_SAMPLES_MAX 8
#else
#define ROCECC_SFLOW_SAMPLES_MAX 128
#endif
#endif
#ifndef ROCECC_SFLOW_RECORDS_MAX
#if defined(__bpf__)
#define ROCECC_SFLOW_RECORDS_MAX 8
#else
#define ROCECC_SFLOW_RECORDS_MAX 32
#endif
#endif

/*
 * Maximum number of bytes that an emit() function copies from a body, from flow records
 * or from a raw header.
 */
#ifndef ROCECC_SFLOW_COPY_MAX_BYTES
#if defined(__bpf__)
#define ROCECC_SFLOW_COPY_MAX_BYTES 512
#else
#define ROCECC_SFLOW_COPY_MAX_BYTES 65535
#endif
#endif

/* The header of a datagram. Its version is 5. */
typedef struct rocecc_sflow {
    ROCECC_ENUM8_(rocecc_sflow_address) address_type;
    rocecc_ip6 agent;         /* address of the agent; IPv4 as ::ffff:a.b.c.d; :: if
                                 unknown */
    uint32_t sub_agent_id;    /* part of the agent with its own numbering */
    uint32_t sequence_number; /* datagram count of the sub-agent */
    uint32_t uptime_ms;       /* time since the switch started */
    uint32_t n_samples;
} rocecc_sflow;

/* A sample in a datagram, or a flow record in a sample. */
typedef struct rocecc_sflow_record {
    uint32_t enterprise; /* enterprise number of the format's owner; 20 bits; 0 is
                            sflow.org */
    uint16_t format;     /* format of the sample or flow record; 12 bits, defined by
                            the enterprise */
    rocecc_reader body;  /* content of the sample or flow record; without its padding */
} rocecc_sflow_record;

/* The samples or flow records that next() has not returned yet. */
typedef struct rocecc_sflow_list {
    rocecc_reader rest;
    uint32_t n;    /* elements left, according to the declared count */
    uint32_t room; /* elements left before the limit */
    bool declared; /* a length field gives the end of rest */
} rocecc_sflow_list;

/* A flow sample. On average, the switch samples one of every sampling_rate packets. */
typedef struct rocecc_sflow_flow {
    bool expanded;            /* expanded sample (format 3); widths of format 1 are
                                 in parentheses */
    uint32_t sequence_number; /* flow sample count of the source */
    uint32_t source_type;     /* type: 0 ifIndex, 1 VLAN, 2 physical entity; (8 bits) */
    uint32_t source_index;    /* ifIndex, VLAN or entity number; (24 bits) */
    uint32_t sampling_rate;   /* mean number of packets per sample */
    uint32_t sample_pool;     /* packets that could have been sampled */
    uint32_t drops;           /* samples lost for lack of resources */
    uint32_t input_format;    /* input format: 0 ifIndex; (2 bits) */
    uint32_t input_value;     /* ifIndex of the input interface; (30 bits); 0 if it
                                 is unknown */
    uint32_t output_format;   /* output format: 0 ifIndex, 1 discarded, 2 multiple;
                                 (2 bits) */
    uint32_t output_value;    /* output ifIndex, discard reason or interface count;
                                 (30 bits); by output_format; 0 if an ifIndex or a
                                 count is unknown */
    uint32_t n_records;
    rocecc_reader records; /* flow records, to the end of the sample */
} rocecc_sflow_flow;

/* The first bytes of the sampled packet. */
typedef struct rocecc_sflow_raw {
    uint32_t protocol;     /* header protocol: 1 Ethernet, 11 IPv4, 12 IPv6; a
                              rocecc_sflow_protocol, or a later number */
    uint32_t frame_length; /* original packet length, with a frame's FCS; in bytes */
    uint32_t stripped;     /* bytes removed from the packet, including the FCS */
    rocecc_reader header;  /* first bytes of the packet; without their padding */
} rocecc_sflow_raw;

/*
 * Returns the number of padding bytes (0 to 3) after n_bytes bytes of XDR opaque data.
 * RFC 4506, 4.10.
 */
ROCECC_FN size_t rocecc_sflow_pad_bytes_(size_t n_bytes)
{
    return (0 - n_bytes) & 3;
}

/*
 * Writes a copy of `body` and pads it with zeros. Returns false if `writer` is too
 * small or `body` exceeds ROCECC_SFLOW_COPY_MAX_BYTES.
 */
ROCECC_FN bool rocecc_sflow_append_(rocecc_writer *writer, rocecc_reader body)
{
    size_t pad = rocecc_sflow_pad_bytes_(rocecc_left(&body));
    rocecc_writer out = *writer;
    int i;
    if (!rocecc_append(&out, body, ROCECC_SFLOW_COPY_MAX_BYTES)) return false;
    for (i = 0; i < 3 && pad != 0; i++, pad--) {
        uint8_t *b = rocecc_put(&out, 1);
        if (b == NULL) return false;
        *b = 0;
    }
    *writer = out;
    return true;
}

/*
 * Parses the header, and moves `reader` to the samples. Returns SHORT if the capture
 * ends inside the header, UNSUPPORTED for a version other than 5, and FORMAT for an
 * address type above 2.
 */
ROCECC_FN rocecc_status rocecc_sflow_parse(rocecc_reader *reader, rocecc_sflow *out)
{
    rocecc_reader rest = *reader;
    rocecc_ip6 agent = {{0}};
    const uint8_t *b = rocecc_take(&rest, 8);
    uint32_t type;
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (rocecc_load32(b) != ROCECC_SFLOW_VERSION) return ROCECC_ERR_UNSUPPORTED;
    type = rocecc_load32(b + 4);
    if (type > ROCECC_SFLOW_ADDRESS_IPV6) return ROCECC_ERR_FORMAT;
    if (type == ROCECC_SFLOW_ADDRESS_IPV4) {
        rocecc_ip4 v4;
        b = rocecc_take(&rest, 4);
        if (b == NULL) return ROCECC_ERR_SHORT;
        v4 = rocecc_ip4_load(b);
        agent = rocecc_ip6_of_ip4(&v4);
    } else if (type == ROCECC_SFLOW_ADDRESS_IPV6) {
        b = rocecc_take(&rest, 16);
        if (b == NULL) return ROCECC_ERR_SHORT;
        agent = rocecc_ip6_load(b);
    }
    b = rocecc_take(&rest, ROCECC_SFLOW_BYTES - 8);
    if (b == NULL) return ROCECC_ERR_SHORT;
    out->address_type = (rocecc_sflow_address)type;
    out->agent = agent;
    out->sub_agent_id = rocecc_load32(b);
    out->sequence_number = rocecc_load32(b + 4);
    out->uptime_ms = rocecc_load32(b + 8);
    out->n_samples = rocecc_load32(b + 12);
    *reader = rest;
    return ROCECC_OK;
}

/* Returns true if the agent's address matches its type. */
ROCECC_FN bool rocecc_sflow_check_agent_(const rocecc_sflow *header)
{
    if (header->address_type == ROCECC_SFLOW_ADDRESS_UNKNOWN)
        return (rocecc_load64(header->agent.b) | rocecc_load64(header->agent.b + 8)) ==
               0;
    if (header->address_type == ROCECC_SFLOW_ADDRESS_IPV4)
        return rocecc_ip6_is_ip4(&header->agent);
    return header->address_type == ROCECC_SFLOW_ADDRESS_IPV6;
}

/*
 * Returns the size of the header in bytes: 24 without an address, 28 with an IPv4
 * address, and 40 with an IPv6 address.
 */
ROCECC_FN size_t rocecc_sflow_bytes(const rocecc_sflow *header)
{
    return ROCECC_SFLOW_BYTES + (header->address_type == ROCECC_SFLOW_ADDRESS_IPV4 ? 4u
                                 : header->address_type == ROCECC_SFLOW_ADDRESS_IPV6
                                     ? 16u
                                     : 0u);
}

/*
 * Writes the header. Returns RANGE if address_type is above 2, or if the agent's
 * address does not match this type (any address matches IPv6). Returns SPACE if
 * rocecc_sflow_bytes() bytes do not fit.
 */
ROCECC_FN rocecc_status rocecc_sflow_emit(rocecc_writer *writer,
                                          const rocecc_sflow *header)
{
    rocecc_writer out = *writer;
    uint8_t *b;
    if (!rocecc_sflow_check_agent_(header)) return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < rocecc_sflow_bytes(header)) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, 8);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store32(b, ROCECC_SFLOW_VERSION);
    rocecc_store32(b + 4, header->address_type);
    if (header->address_type == ROCECC_SFLOW_ADDRESS_IPV4) {
        const rocecc_ip4 v4 = rocecc_ip4_load(header->agent.b + 12);
        b = rocecc_put(&out, 4);
        if (b == NULL) return ROCECC_ERR_SPACE;
        rocecc_ip4_store(b, &v4);
    } else if (header->address_type == ROCECC_SFLOW_ADDRESS_IPV6) {
        b = rocecc_put(&out, 16);
        if (b == NULL) return ROCECC_ERR_SPACE;
        rocecc_ip6_store(b, &header->agent);
    }
    b = rocecc_put(&out, ROCECC_SFLOW_BYTES - 8);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store32(b, header->sub_agent_id);
    rocecc_store32(b + 4, header->sequence_number);
    rocecc_store32(b + 8, header->uptime_ms);
    rocecc_store32(b + 12, header->n_samples);
    *writer = out;
    return ROCECC_OK;
}

/*
 * Parses one sample or flow record. The padding may be missing at the end of `reader`.
 * Returns SHORT if the sample or flow record, not counting its padding, extends beyond
 * `reader`.
 */
ROCECC_FN rocecc_status rocecc_sflow_record_parse(rocecc_reader *reader,
                                                  rocecc_sflow_record *out)
{
    rocecc_reader rest = *reader;
    const uint8_t *b = rocecc_take(&rest, ROCECC_SFLOW_RECORD_BYTES);
    rocecc_reader body;
    size_t pad;
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (!rocecc_split(&rest, rocecc_load32(b + 4), &body)) return ROCECC_ERR_SHORT;
    pad = rocecc_sflow_pad_bytes_(rocecc_left(&body));
    if (rocecc_take(&rest, pad) == NULL) rest.at = rest.end;
    out->enterprise = rocecc_load32(b) >> 12;
    out->format = (uint16_t)(rocecc_load32(b) & 0xfff);
    out->body = body;
    *reader = rest;
    return ROCECC_OK;
}

/*
 * Writes a sample or flow record with its padding. Returns RANGE if enterprise or
 * format is wider than its field, UNSUPPORTED if the body exceeds
 * ROCECC_SFLOW_COPY_MAX_BYTES, and SPACE if `writer` is too small. The body must not
 * overlap the output.
 */
ROCECC_FN rocecc_status rocecc_sflow_record_emit(rocecc_writer *writer,
                                                 const rocecc_sflow_record *record)
{
    const size_t bytes = rocecc_left(&record->body);
    rocecc_writer out = *writer;
    uint8_t *b;
    if (record->enterprise >> 20 != 0 || record->format >> 12 != 0)
        return ROCECC_ERR_RANGE;
    if (bytes > ROCECC_SFLOW_COPY_MAX_BYTES) return ROCECC_ERR_UNSUPPORTED;
    if (rocecc_room(writer) <
        ROCECC_SFLOW_RECORD_BYTES + bytes + rocecc_sflow_pad_bytes_(bytes))
        return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, ROCECC_SFLOW_RECORD_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store32(b, record->enterprise << 12 | record->format);
    rocecc_store32(b + 4, (uint32_t)bytes);
    if (!rocecc_sflow_append_(&out, record->body)) return ROCECC_ERR_SPACE;
    *writer = out;
    return ROCECC_OK;
}

/*
 * Returns the list of samples in a datagram. `rest` must be the reader that
 * rocecc_sflow_parse() moved to the samples. rocecc_sflow_next() returns SHORT if
 * `rest` ends too early. If `rest` ends where the UDP datagram ends, the caller must
 * apply rocecc_status_declared() to this status.
 */
ROCECC_FN rocecc_sflow_list rocecc_sflow_list_samples(const rocecc_sflow *header,
                                                      rocecc_reader rest)
{
    rocecc_sflow_list list;
    list.rest = rest;
    list.n = header->n_samples;
    list.room = ROCECC_SFLOW_SAMPLES_MAX;
    list.declared = false;
    return list;
}

/* Returns the list of flow records in a flow sample. */
ROCECC_FN rocecc_sflow_list rocecc_sflow_list_records(const rocecc_sflow_flow *flow)
{
    rocecc_sflow_list list;
    list.rest = flow->records;
    list.n = flow->n_records;
    list.room = ROCECC_SFLOW_RECORDS_MAX;
    list.declared = true;
    return list;
}

/*
 * Steps to the next sample or flow record. Returns END after the last sample or flow
 * record. Returns UNSUPPORTED if the list declares more samples or flow records, but
 * the maximum number has already been returned. For samples, returns SHORT if the
 * capture ends before or inside the next sample. For flow records, returns FORMAT if a
 * record overruns its sample, or if the sample has fewer records than it declares.
 */
ROCECC_FN rocecc_status rocecc_sflow_next(rocecc_sflow_list *list,
                                          rocecc_sflow_record *out)
{
    rocecc_status status;
    if (list->n == 0) return ROCECC_END;
    if (list->room == 0) return ROCECC_ERR_UNSUPPORTED;
    status = rocecc_sflow_record_parse(&list->rest, out);
    if (list->declared) status = rocecc_status_declared(status);
    if (status != ROCECC_OK) return status;
    list->n--;
    list->room--;
    return ROCECC_OK;
}

/* Loads the first 32 bytes of a flow sample of format 1. */
ROCECC_FN void rocecc_sflow_flow_load_(const uint8_t *bytes, rocecc_sflow_flow *out)
{
    out->expanded = false;
    out->sequence_number = rocecc_load32(bytes);
    out->source_type = bytes[4];
    out->source_index = rocecc_load32(bytes + 4) & 0xffffff;
    out->sampling_rate = rocecc_load32(bytes + 8);
    out->sample_pool = rocecc_load32(bytes + 12);
    out->drops = rocecc_load32(bytes + 16);
    out->input_format = bytes[20] >> 6;
    out->input_value = rocecc_load32(bytes + 20) & 0x3fffffff;
    out->output_format = bytes[24] >> 6;
    out->output_value = rocecc_load32(bytes + 24) & 0x3fffffff;
    out->n_records = rocecc_load32(bytes + 28);
}

/* Loads the first 44 bytes of a flow sample of format 3. */
ROCECC_FN void rocecc_sflow_flow_load_expanded_(const uint8_t *bytes,
                                                rocecc_sflow_flow *out)
{
    out->expanded = true;
    out->sequence_number = rocecc_load32(bytes);
    out->source_type = rocecc_load32(bytes + 4);
    out->source_index = rocecc_load32(bytes + 8);
    out->sampling_rate = rocecc_load32(bytes + 12);
    out->sample_pool = rocecc_load32(bytes + 16);
    out->drops = rocecc_load32(bytes + 20);
    out->input_format = rocecc_load32(bytes + 24);
    out->input_value = rocecc_load32(bytes + 28);
    out->output_format = rocecc_load32(bytes + 32);
    out->output_value = rocecc_load32(bytes + 36);
    out->n_records = rocecc_load32(bytes + 40);
}

/*
 * Parses a sample as a flow sample. Returns NO_MATCH for any other type of sample, and
 * FORMAT if the sample is too short for its members.
 */
ROCECC_FN rocecc_status rocecc_sflow_flow_parse(const rocecc_sflow_record *sample,
                                                rocecc_sflow_flow *out)
{
    rocecc_reader r = sample->body;
    const uint8_t *b;
    if (sample->enterprise != 0) return ROCECC_NO_MATCH;
    if (sample->format == ROCECC_SFLOW_FLOW_SAMPLE) {
        b = rocecc_take(&r, ROCECC_SFLOW_FLOW_BYTES);
        if (b == NULL) return ROCECC_ERR_FORMAT;
        rocecc_sflow_flow_load_(b, out);
    } else if (sample->format == ROCECC_SFLOW_FLOW_SAMPLE_EXPANDED) {
        b = rocecc_take(&r, ROCECC_SFLOW_FLOW_EXPANDED_BYTES);
        if (b == NULL) return ROCECC_ERR_FORMAT;
        rocecc_sflow_flow_load_expanded_(b, out);
    } else {
        return ROCECC_NO_MATCH;
    }
    out->records = r;
    return ROCECC_OK;
}

/* Returns true if each value fits its field. */
ROCECC_FN bool rocecc_sflow_flow_fits_(const rocecc_sflow_flow *flow)
{
    return flow->expanded ||
           (flow->source_type >> 8 == 0 && flow->source_index >> 24 == 0 &&
            flow->input_format >> 2 == 0 && flow->input_value >> 30 == 0 &&
            flow->output_format >> 2 == 0 && flow->output_value >> 30 == 0);
}

/* Writes 32 bytes in format 1. */
ROCECC_FN void rocecc_sflow_flow_store_(uint8_t *bytes, const rocecc_sflow_flow *flow)
{
    rocecc_store32(bytes, flow->sequence_number);
    rocecc_store32(bytes + 4, flow->source_type << 24 | flow->source_index);
    rocecc_store32(bytes + 8, flow->sampling_rate);
    rocecc_store32(bytes + 12, flow->sample_pool);
    rocecc_store32(bytes + 16, flow->drops);
    rocecc_store32(bytes + 20, flow->input_format << 30 | flow->input_value);
    rocecc_store32(bytes + 24, flow->output_format << 30 | flow->output_value);
    rocecc_store32(bytes + 28, flow->n_records);
}

/* Writes 44 bytes in format 3. */
ROCECC_FN void rocecc_sflow_flow_store_expanded_(uint8_t *bytes,
                                                 const rocecc_sflow_flow *flow)
{
    rocecc_store32(bytes, flow->sequence_number);
    rocecc_store32(bytes + 4, flow->source_type);
    rocecc_store32(bytes + 8, flow->source_index);
    rocecc_store32(bytes + 12, flow->sampling_rate);
    rocecc_store32(bytes + 16, flow->sample_pool);
    rocecc_store32(bytes + 20, flow->drops);
    rocecc_store32(bytes + 24, flow->input_format);
    rocecc_store32(bytes + 28, flow->input_value);
    rocecc_store32(bytes + 32, flow->output_format);
    rocecc_store32(bytes + 36, flow->output_value);
    rocecc_store32(bytes + 40, flow->n_records);
}

/*
 * Writes the body of a flow sample with a copy of its flow records. The format is 3 if
 * flow->expanded is set, and 1 otherwise. Does not check n_records. Returns RANGE if a
 * value is wider than its field, UNSUPPORTED if the flow records exceed
 * ROCECC_SFLOW_COPY_MAX_BYTES, and SPACE if `writer` is too small.
 */
ROCECC_FN rocecc_status rocecc_sflow_flow_emit(rocecc_writer *writer,
                                               const rocecc_sflow_flow *flow)
{
    const size_t bytes = rocecc_left(&flow->records);
    rocecc_writer out = *writer;
    uint8_t *b;
    if (!rocecc_sflow_flow_fits_(flow)) return ROCECC_ERR_RANGE;
    if (bytes > ROCECC_SFLOW_COPY_MAX_BYTES) return ROCECC_ERR_UNSUPPORTED;
    if (rocecc_room(writer) <
        (flow->expanded ? ROCECC_SFLOW_FLOW_EXPANDED_BYTES : ROCECC_SFLOW_FLOW_BYTES) +
            bytes)
        return ROCECC_ERR_SPACE;
    if (flow->expanded) {
        b = rocecc_put(&out, ROCECC_SFLOW_FLOW_EXPANDED_BYTES);
        if (b == NULL) return ROCECC_ERR_SPACE;
        rocecc_sflow_flow_store_expanded_(b, flow);
    } else {
        b = rocecc_put(&out, ROCECC_SFLOW_FLOW_BYTES);
        if (b == NULL) return ROCECC_ERR_SPACE;
        rocecc_sflow_flow_store_(b, flow);
    }
    if (!rocecc_append(&out, flow->records, ROCECC_SFLOW_COPY_MAX_BYTES))
        return ROCECC_ERR_SPACE;
    *writer = out;
    return ROCECC_OK;
}

/*
 * Parses a flow record as a raw header. The padding may be missing at the record's end.
 * A header that is longer than frame_length is accepted. Returns NO_MATCH for any other
 * type of record, and FORMAT if the record is too short for its members or for the
 * declared length of the header.
 */
ROCECC_FN rocecc_status rocecc_sflow_raw_parse(const rocecc_sflow_record *record,
                                               rocecc_sflow_raw *out)
{
    rocecc_reader r = record->body;
    const uint8_t *b;
    if (record->enterprise != 0 || record->format != ROCECC_SFLOW_RAW_HEADER)
        return ROCECC_NO_MATCH;
    b = rocecc_take(&r, ROCECC_SFLOW_RAW_BYTES);
    if (b == NULL) return ROCECC_ERR_FORMAT;
    if (!rocecc_split(&r, rocecc_load32(b + 12), &out->header))
        return ROCECC_ERR_FORMAT;
    out->protocol = rocecc_load32(b);
    out->frame_length = rocecc_load32(b + 4);
    out->stripped = rocecc_load32(b + 8);
    return ROCECC_OK;
}

/*
 * Writes a raw header with its padding, as the body of a flow record. Returns
 * UNSUPPORTED if the header exceeds ROCECC_SFLOW_COPY_MAX_BYTES, and SPACE if `writer`
 * is too small.
 */
ROCECC_FN rocecc_status rocecc_sflow_raw_emit(rocecc_writer *writer,
                                              const rocecc_sflow_raw *raw)
{
    const size_t bytes = rocecc_left(&raw->header);
    rocecc_writer out = *writer;
    uint8_t *b;
    if (bytes > ROCECC_SFLOW_COPY_MAX_BYTES) return ROCECC_ERR_UNSUPPORTED;
    if (rocecc_room(writer) <
        ROCECC_SFLOW_RAW_BYTES + bytes + rocecc_sflow_pad_bytes_(bytes))
        return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, ROCECC_SFLOW_RAW_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store32(b, raw->protocol);
    rocecc_store32(b + 4, raw->frame_length);
    rocecc_store32(b + 8, raw->stripped);
    rocecc_store32(b + 12, (uint32_t)bytes);
    if (!rocecc_sflow_append_(&out, raw->header)) return ROCECC_ERR_SPACE;
    *writer = out;
    return ROCECC_OK;
}

/*
 * Finds the first raw header in a flow sample. Returns NO_MATCH if all n_records flow
 * records are present and none is a raw header. Returns UNSUPPORTED if n_records
 * exceeds ROCECC_SFLOW_RECORDS_MAX and none of the first ROCECC_SFLOW_RECORDS_MAX flow
 * records is a raw header. Returns FORMAT if the raw header or a flow record before it
 * has an invalid length. Also returns FORMAT if the sample has no raw header and fewer
 * flow records than it declares.
 */
ROCECC_FN rocecc_status rocecc_sflow_raw_find(const rocecc_sflow_flow *flow,
                                              rocecc_sflow_raw *out)
{
    rocecc_sflow_list list = rocecc_sflow_list_records(flow);
    int i;
    for (i = 0; i < ROCECC_SFLOW_RECORDS_MAX; i++) {
        rocecc_sflow_record record;
        rocecc_status status = rocecc_sflow_next(&list, &record);
        if (status == ROCECC_END) return ROCECC_NO_MATCH;
        if (status != ROCECC_OK) return status;
        status = rocecc_sflow_raw_parse(&record, out);
        if (status != ROCECC_NO_MATCH) return status;
    }
    return list.n == 0 ? ROCECC_NO_MATCH : ROCECC_ERR_UNSUPPORTED;
}

#endif /* ROCECC_WIRE_SFLOW_H */
