/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * tor.c - the access ToR: routes between a host and the fabric, and does in passing
 * what l3qcn_tor.h says. The library decides; here are ports, a clock and memory.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/random.h>

#include "node.h"
#include "rocecc/role/l3qcn_tor_learn.h"

enum { HOST, FABRIC };

#define BUCKETS 32 /* of 8 flows */

static rocecc_flowtable_bucket buckets[BUCKETS];
static rocecc_flowtable_slot slots[BUCKETS * ROCECC_FLOWTABLE_WAYS];
static const rocecc_flowtable_memory memory = {buckets, slots};
static rocecc_cnpgate gates[BUCKETS * ROCECC_FLOWTABLE_WAYS];
static rocecc_l3qcn_tor_port hosts[1]; /* HOST is the only port of hosts */
static rocecc_l3qcn_tor_config config;
static rocecc_l3qcn_tor state;
static node_port ports[2];

static bool configure(const node_options *o)
{
    config = rocecc_l3qcn_tor_default();
    config.table.buckets = BUCKETS;
    config.mac = ports[HOST].mac;
    config.rewrite_encap = true;
    config.check_msdu = true;
    config.port_flows = BUCKETS * ROCECC_FLOWTABLE_WAYS / 2;
    config.port_limit = rocecc_tokenbucket_per_s(1600); /* 100 at once */
    config.limit = rocecc_tokenbucket_per_s(100000);
    config.gate.interval_ns = o->gate_ms * 1000000;
    if (getrandom(config.table.secret, sizeof config.table.secret, 0) !=
        (ssize_t)sizeof config.table.secret)
        return false;
    if (rocecc_l3qcn_tor_init(&config, &node_domain) != ROCECC_L3QCN_TOR_ACCEPTED)
        return false;
    state = rocecc_l3qcn_tor_start(&config, &memory);
    return true;
}

static rocecc_l3qcn_tor_event event(node_frame *p)
{
    rocecc_l3qcn_tor_event e = {0};
    e.now_ns = node_ns();
    e.memory = memory;
    e.gate = gates;
    e.port = HOST;
    e.ports = hosts;
    e.n_ports = 1;
    e.writer = node_room(p);
    return e;
}

/* What comes from the host is remembered and routed, but for a private CNM. */
static void from_host(node_frame *p)
{
    const rocecc_packet came = node_packet(p);
    const rocecc_l3qcn_tor_event e = event(p);
    const rocecc_l3qcn_tor_learn_result what =
        rocecc_l3qcn_tor_learn(&config, &state, &came, &e);
    (void)rocecc_l3qcn_tor_sweep(&config, &state,
                                 &e); /* a bucket a frame: 32 are few */
    if (what.what != ROCECC_L3QCN_TOR_SPOOFED) (void)node_route(&ports[FABRIC], p);
}

/* A private CNM becomes a CNM, or nothing; what is none is routed. */
static void from_fabric(node_frame *p)
{
    const rocecc_packet came = node_packet(p);
    const rocecc_l3qcn_tor_event e = event(p);
    rocecc_l3qcn_tor_convert_result out;
    rocecc_l3qcn_tor_convert(&config, &state, &came, &e, &out);
    if (out.verdict == ROCECC_L3QCN_TOR_CONVERTED)
        node_send(&ports[out.port], out.cnm);
    else if (out.verdict == ROCECC_L3QCN_TOR_OTHER)
        (void)node_route(&ports[HOST], p);
}

static void show(void)
{
    static const char *const learnings[ROCECC_L3QCN_TOR_LEARNINGS] = {
        "untagged", "data",    "spoof",   "no_flow",
        "tags",     "station", "limited", "crowded"};
    static const char *const verdicts[ROCECC_L3QCN_TOR_VERDICTS] = {
        "other",     "converted", "wrapped", "fragment", "checksum",
        "malformed", "no_entry",  "aged",    "mac",      "msdu",
        "gate",      "space",     "cpid",    "rate"};
    int i;
    printf("flows %lu\n", (unsigned long)state.table.used);
    for (i = 0; i < ROCECC_L3QCN_TOR_LEARNINGS; i++)
        printf("%s %llu\n", learnings[i], (unsigned long long)state.learning_count[i]);
    for (i = 0; i < ROCECC_L3QCN_TOR_VERDICTS; i++)
        printf("%s %llu\n", verdicts[i], (unsigned long long)state.verdict_count[i]);
}

int tor(const node_options *o, char **args)
{
    static node_frame p;
    ports[HOST] = node_open(args[HOST]);
    ports[FABRIC] = node_open(args[FABRIC]);
    if (!configure(o)) {
        fputs("node: the ToR's configuration is refused\n", stderr);
        return 1;
    }
    node_ready("tor");
    while (node_wait(ports, 2, UINT64_MAX)) {
        while (node_receive(&ports[HOST], &p))
            from_host(&p);
        while (node_receive(&ports[FABRIC], &p))
            from_fabric(&p);
    }
    show();
    return 0;
}
