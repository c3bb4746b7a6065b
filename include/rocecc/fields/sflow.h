/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_SFLOW_H
#define ROCECC_FIELDS_SFLOW_H

/* sflow.h - field tables for wire/sflow.h, with rows as in field.h. */
#include "../wire/sflow.h"

#define ROCECC_SFLOW_ADDRESSES "unknown ipv4 ipv6"

#define ROCECC_SFLOW_FIELDS(F, T)                                                      \
    F(T, ENUM, address_type, ROCECC_SFLOW_ADDRESSES, 0, "", "")                        \
    F(T, IP6, agent, NULL, 0, "", "address of the agent")                              \
    F(T, UINT, sub_agent_id, NULL, 32, "", "part of the agent with its own numbering") \
    F(T, UINT, sequence_number, NULL, 32, "", "datagram count of the sub-agent")       \
    F(T, UINT, uptime_ms, NULL, 32, "ms", "time since the switch started")             \
    F(T, UINT, n_samples, NULL, 32, "", "")

#define ROCECC_SFLOW_RECORD_FIELDS(F, T)                                               \
    F(T, UINT, enterprise, NULL, 20, "", "enterprise number of the format's owner")    \
    F(T, UINT, format, NULL, 12, "", "format of the sample or flow record")            \
    F(T, VIEW, body, NULL, 0, "", "content of the sample or flow record")

/* The widths are for an expanded sample (format 3). */
#define ROCECC_SFLOW_FLOW_FIELDS(F, T)                                                 \
    F(T, BOOL, expanded, NULL, 0, "", "expanded sample (format 3)")                    \
    F(T, UINT, sequence_number, NULL, 32, "", "flow sample count of the source")       \
    F(T, UINT, source_type, NULL, 32, "",                                              \
      "type: 0 ifIndex, 1 VLAN, 2 physical entity")                                    \
    F(T, UINT, source_index, NULL, 32, "", "ifIndex, VLAN or entity number")           \
    F(T, UINT, sampling_rate, NULL, 32, "packets",                                     \
      "mean number of packets per sample")                                             \
    F(T, UINT, sample_pool, NULL, 32, "packets",                                       \
      "packets that could have been sampled")                                          \
    F(T, UINT, drops, NULL, 32, "samples", "samples lost for lack of resources")       \
    F(T, UINT, input_format, NULL, 32, "", "input format: 0 ifIndex")                  \
    F(T, UINT, input_value, NULL, 32, "", "ifIndex of the input interface")            \
    F(T, UINT, output_format, NULL, 32, "",                                            \
      "output format: 0 ifIndex, 1 discarded, 2 multiple")                             \
    F(T, UINT, output_value, NULL, 32, "",                                             \
      "output ifIndex, discard reason or interface count")                             \
    F(T, UINT, n_records, NULL, 32, "", "")                                            \
    F(T, VIEW, records, NULL, 0, "", "flow records, to the end of the sample")

#define ROCECC_SFLOW_RAW_FIELDS(F, T)                                                  \
    F(T, UINT, protocol, NULL, 32, "",                                                 \
      "header protocol: 1 Ethernet, 11 IPv4, 12 IPv6")                                 \
    F(T, UINT, frame_length, NULL, 32, "bytes",                                        \
      "original packet length, with a frame's FCS")                                    \
    F(T, UINT, stripped, NULL, 32, "bytes",                                            \
      "bytes removed from the packet, including the FCS")                              \
    F(T, VIEW, header, NULL, 0, "", "first bytes of the packet")

#endif /* ROCECC_FIELDS_SFLOW_H */
