/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_SFLOW_H
#define ROCECC_FIELDS_SFLOW_H

/* sflow.h - field tables for wire/sflow.h, with rows as in field.h. */
#include "../wire/sflow.h"

#define ROCECC_SFLOW_ADDRESSES "unknown ipv4 ipv6"

#define ROCECC_SFLOW_FIELDS(F, T)                                                      \
    F(T, ENUM, address_type, ROCECC_SFLOW_ADDRESSES, 0, "", "type of the address")     \
    F(T, IP6, agent, NULL, 0, "", "address of the agent")                              \
    F(T, UINT, sub_agent_id, NULL, 32, "", "a part of the agent with its own numbers") \
    F(T, UINT, sequence_number, NULL, 32, "", "counts the sub-agent's datagrams")      \
    F(T, UINT, uptime_ms, NULL, 32, "ms", "since the switch started")                  \
    F(T, UINT, n_samples, NULL, 32, "", "number of samples")

#define ROCECC_SFLOW_RECORD_FIELDS(F, T)                                               \
    F(T, UINT, enterprise, NULL, 20, "", "owner of the format; 0 is sflow.org")        \
    F(T, UINT, format, NULL, 12, "", "which sample, or which flow record")             \
    F(T, VIEW, body, NULL, 0, "", "the sample or flow record")

/* Widths are those of the expanded sample. */
#define ROCECC_SFLOW_FLOW_FIELDS(F, T)                                                 \
    F(T, BOOL, expanded, NULL, 0, "", "format 3, which has wider members")             \
    F(T, UINT, sequence_number, NULL, 32, "", "counts the source's flow samples")      \
    F(T, UINT, source_type, NULL, 32, "", "0 ifIndex, 1 VLAN, 2 physical entity")      \
    F(T, UINT, source_index, NULL, 32, "", "number of the source")                     \
    F(T, UINT, sampling_rate, NULL, 32, "packets", "one packet in so many")            \
    F(T, UINT, sample_pool, NULL, 32, "packets", "could have been sampled")            \
    F(T, UINT, drops, NULL, 32, "samples", "lost for lack of resources")               \
    F(T, UINT, input_format, NULL, 32, "", "0 an ifIndex")                             \
    F(T, UINT, input_value, NULL, 32, "", "the ifIndex; 0 is unknown")                 \
    F(T, UINT, output_format, NULL, 32, "", "0 an ifIndex, 1 discarded, 2 multiple")   \
    F(T, UINT, output_value, NULL, 32, "", "the ifIndex, the reason, or how many")     \
    F(T, UINT, n_records, NULL, 32, "", "number of flow records")                      \
    F(T, VIEW, records, NULL, 0, "", "the flow records, to the end of the sample")

#define ROCECC_SFLOW_RAW_FIELDS(F, T)                                                  \
    F(T, UINT, protocol, NULL, 32, "", "1 Ethernet, 11 IPv4, 12 IPv6, ...")            \
    F(T, UINT, frame_length, NULL, 32, "bytes", "of the packet, a frame's FCS too")    \
    F(T, UINT, stripped, NULL, 32, "bytes", "removed from the packet")                 \
    F(T, VIEW, header, NULL, 0, "", "the packet's first bytes")

#endif /* ROCECC_FIELDS_SFLOW_H */
