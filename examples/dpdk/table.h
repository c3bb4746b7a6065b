/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DPDK_TABLE_H
#define DPDK_TABLE_H

/*
 * table.h - the connections of the host's QPs. The host's driver knows them. The file
 * has one line per connection:
 *
 *     PEER HOST QP-OF-THE-HOST QP-OF-THE-PEER      192.0.2.1 192.0.2.2 0x34 0x12
 *
 * In keys of rocecc's flow table, the host's QP replaces the protocol and the source
 * port, because UDP ports do not identify a RoCEv2 connection. The table is filled
 * before the first packet, and all lcores only read it.
 */
#include "rocecc/guard/acl.h"
#include "rocecc/guard/flowtable.h"

typedef struct table {
    rocecc_flowtable_params params;
    rocecc_flowtable_memory memory;
    uint32_t *peer_qp; /* indexed by slot */
    uint32_t slots;
    uint32_t n;
    rocecc_acl_entry *peers; /* one entry per peer; before merging, per connection */
    uint32_t n_peers;
    uint32_t qps_max; /* maximum number of QPs with one peer */
} table;

/* Returns the key for packets from a peer to this QP of the host. */
rocecc_flow table_key(const rocecc_ip6 *peer, const rocecc_ip6 *host, uint32_t qp);

/* Reads the file. On failure, ends the program with a message. */
void table_read(table *t, const char *path);
void table_free(table *t);

#endif /* DPDK_TABLE_H */
