/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ARRIVAL_H
#define ROCECC_FIELDS_ARRIVAL_H

/* arrival.h - field tables for packet/arrival.h, with rows as in field.h. */
#include "../packet/arrival.h"

#define ROCECC_ARRIVAL_NODE_NAMES "host sid forwarder"

#define ROCECC_ARRIVAL_VERDICT_NAMES                                                   \
    "ok no_ip partial bad_checksum bad_source bad_destination bad_options "            \
    "unknown_option unknown_header segments_left unsupported"

#define ROCECC_ARRIVAL_CONFIG_FIELDS(F, T)                                             \
    F(T, ENUM, node, ROCECC_ARRIVAL_NODE_NAMES, 0, "",                                 \
      "role of this node for the packet")                                              \
    F(T, BOOL, groups, NULL, 0, "", "accept multicast destinations")                   \
    F(T, BOOL, fastcnp, NULL, 0, "", "accept Fast CNP options")

#endif /* ROCECC_FIELDS_ARRIVAL_H */
