/* SPDX-License-Identifier: BSD-2-Clause */
#define _DEFAULT_SOURCE
#include "table.h"

#include "../lib/prefix.h"

#include <rte_debug.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

rocecc_flow table_key(const rocecc_ip6 *peer, const rocecc_ip6 *host, uint32_t qp)
{
    rocecc_flow key;
    key.src = *peer;
    key.dst = *host;
    key.proto = (uint8_t)(qp >> 16);
    key.src_port = (uint16_t)qp;
    key.dst_port = 0;
    return key;
}

/*
 * Initialises an empty table for this many connections. All calls use time 0, so
 * entries never expire.
 */
static void start(table *t, uint32_t connections)
{
    t->params = rocecc_flowtable_l3qcn();
    t->params.expiry_ms = ROCECC_FLOWTABLE_EXPIRY_END_MS - 1;
    t->params.buckets = rocecc_flowtable_buckets(connections);
    if (getentropy(t->params.secret, sizeof t->params.secret) != 0 ||
        rocecc_flowtable_init(&t->params) != ROCECC_FLOWTABLE_ACCEPTED)
        rte_exit(EXIT_FAILURE, "--connections: %u are too many for a table\n",
                 connections);
    t->slots = t->params.buckets * ROCECC_FLOWTABLE_WAYS;
    t->memory.bucket = calloc(t->params.buckets, sizeof *t->memory.bucket);
    t->memory.slot = calloc(t->slots, sizeof *t->memory.slot);
    t->peer_qp = calloc(t->slots, sizeof *t->peer_qp);
    t->peers = calloc(connections + 1, sizeof *t->peers);
    if (t->memory.bucket == NULL || t->memory.slot == NULL || t->peer_qp == NULL ||
        t->peers == NULL)
        rte_exit(EXIT_FAILURE, "out of memory\n");
}

/* Parses a line into a key and the peer's QP. Returns false if it is invalid. */
static bool parse(const char *line, rocecc_flow *key, uint32_t *peer_qp)
{
    char peer[64], host[64];
    rocecc_acl_entry from, to;
    unsigned qp;
    if (sscanf(line, "%63s %63s %i %i", peer, host, (int *)&qp, (int *)peer_qp) != 4 ||
        !prefix_read(peer, &from) || !prefix_read(host, &to) || from.length != 128 ||
        to.length != 128 || qp >> 24 != 0 || *peer_qp >> 24 != 0)
        return false;
    *key = table_key(&from.prefix, &to.prefix, qp);
    return true;
}

static void add(table *t, rocecc_flowtable *kept, const char *line, uint32_t number)
{
    rocecc_flowtable_entry e = {0};
    rocecc_flowtable_learn_result act;
    uint32_t peer_qp;
    if (!parse(line, &e.flow, &peer_qp))
        rte_exit(EXIT_FAILURE,
                 "--connections: line %u: expected PEER HOST QP-OF-THE-HOST "
                 "QP-OF-THE-PEER\n",
                 number);
    act = rocecc_flowtable_learn(&t->params, kept, &t->memory, &e, 0);
    if (act.what != ROCECC_FLOWTABLE_LEARNED)
        rte_exit(EXIT_FAILURE,
                 "--connections: line %u: this connection is there twice, or one too "
                 "many\n",
                 number);
    t->peer_qp[act.slot] = peer_qp;
    t->peers[t->n++].prefix = e.flow.src;
}

static int by_address(const void *a, const void *b)
{
    const rocecc_acl_entry *first = a, *second = b;
    return memcmp(first->prefix.b, second->prefix.b, sizeof first->prefix.b);
}

/* Keeps one entry per peer, and sets its tag to its index. */
static void merge_peers(table *t)
{
    uint32_t i, qps = 0;
    qsort(t->peers, t->n, sizeof *t->peers, by_address);
    for (i = 0; i < t->n; i++) {
        rocecc_acl_entry *e = &t->peers[t->n_peers];
        qps = t->n_peers != 0 && by_address(e - 1, &t->peers[i]) == 0 ? qps + 1 : 1;
        t->qps_max = RTE_MAX(t->qps_max, qps);
        if (qps != 1) continue;
        e->prefix = t->peers[i].prefix;
        e->length = 128;
        e->permit = 1;
        e->tag = t->n_peers++;
    }
}

void table_read(table *t, const char *path)
{
    char line[256];
    uint32_t lines = 0;
    rocecc_flowtable kept;
    FILE *in = fopen(path, "r");
    if (in == NULL)
        rte_exit(EXIT_FAILURE, "--connections: %s cannot be read: %s\n", path,
                 strerror(errno));
    while (fgets(line, sizeof line, in) != NULL)
        lines++;
    rewind(in);
    start(t, lines);
    kept = rocecc_flowtable_start(&t->params, &t->memory);
    for (lines = 1; fgets(line, sizeof line, in) != NULL; lines++)
        add(t, &kept, line, lines);
    fclose(in);
    merge_peers(t);
}

void table_free(table *t)
{
    free(t->memory.bucket);
    free(t->memory.slot);
    free(t->peer_qp);
    free(t->peers);
}
