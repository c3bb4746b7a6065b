/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DPDK_TABLE_H
#define DPDK_TABLE_H

/*
 * table.h - which QPs of the host are connected to which: a line each in a file, as the
 * host's driver knows them,
 *
 *     PEER HOST QP-OF-THE-HOST QP-OF-THE-PEER      192.0.2.1 192.0.2.2 0x34 0x12
 *
 * The key of rocecc's flow table has the host's QP where a 5-tuple has ports: UDP ports
 * of RoCEv2 do not name a connection. The table is filled before the first packet, and
 * all lcores read it.
 */
#include "rocecc/guard/acl.h"
#include "rocecc/guard/flowtable.h"

typedef struct table {
    rocecc_flowtable_params params;
    rocecc_flowtable_memory memory;
    uint32_t *peer_qp; /* by slot */
    uint32_t slots;
    uint32_t n;
    rocecc_acl_entry *peers; /* an entry for each peer, at first for each connection */
    uint32_t n_peers;
    uint32_t qps_max; /* QPs of the peer that has most */
} table;

/* The key of a packet that a peer sent to this QP of the host. */
rocecc_flow table_key(const rocecc_ip6 *peer, const rocecc_ip6 *host, uint32_t qp);

/* Reads the file; ends the program with a message where it cannot. */
void table_read(table *t, const char *path);
void table_free(table *t);

#endif /* DPDK_TABLE_H */
