/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_L3QCN_TOR_H
#define ROCECC_FIELDS_L3QCN_TOR_H

/* l3qcn_tor.h - field tables for role/l3qcn_tor.h, with rows as in field.h. */
#include "../role/l3qcn_tor.h"
#include "admission.h"

#define ROCECC_L3QCN_TOR_VERDICT_NAMES                                                 \
    "other converted wrapped bad_arrival bad_checksum malformed no_entry aged "        \
    "wrong_mac wrong_msdu held no_space unlisted_cpid rate_limited"

#define ROCECC_L3QCN_TOR_LEARN_VERDICT_NAMES                                           \
    "untagged learned spoofed no_flow too_many_tags bad_station new_flows_limited "    \
    "crowded"

#define ROCECC_L3QCN_TOR_REFUSAL_NAMES "accepted port table mac priority gate limit"

#define ROCECC_L3QCN_TOR_CONFIG_FIELDS(F, T)                                           \
    F(T, HEX, table.secret[0], NULL, 0, "", "secret key of the hash")                  \
    F(T, HEX, table.secret[1], NULL, 0, "", "secret key of the hash")                  \
    F(T, UINT, table.buckets, NULL, 0, "", "number of buckets, with 8 flows each")     \
    F(T, UINT, table.expiry_ms, NULL, 0, "ms", "lifetime of a flow without frames")    \
    F(T, UINT, table.evict_oldest, NULL, 0, "",                                        \
      "evict the oldest flow from full buckets")                                       \
    F(T, MAC, mac, NULL, 48, "", "source address of the CNMs")                         \
    F(T, UINT, priority, NULL, 3, "", "priority of the CNMs")                          \
    F(T, BOOL, learn_untagged, NULL, 0, "", "also learn frames without a CN-TAG")      \
    F(T, BOOL, rewrite_encap, NULL, 0, "",                                             \
      "copy the host's priority and gateway into CNMs")                                \
    F(T, BOOL, check_msdu, NULL, 0, "", "reject an MSDU of another flow")              \
    F(T, UINT, gate.interval_ns, NULL, 0, "ns",                                        \
      "minimum interval between notifications")                                        \
    F(T, BOOL, unlimited, NULL, 0, "", "ignore port_limit and port_flows")             \
    F(T, UINT, port_limit.rate_per_s, NULL, 0, "1/s", "tokens added per second")       \
    F(T, UINT, port_limit.burst, NULL, 0, "flows",                                     \
      "maximum number of tokens in the bucket")                                        \
    F(T, UINT, port_flows, NULL, 0, "flows", "maximum number of flows per port")       \
    F(T, BOOL, listed, NULL, 0, "", "convert only CNMs from permitted CPIDs")          \
    ROCECC_ADMISSION_MEMBER_FIELDS(F, T)

#endif /* ROCECC_FIELDS_L3QCN_TOR_H */
