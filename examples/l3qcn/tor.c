/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * tor.c - the access ToR. It routes between a host and the fabric. l3qcn_tor.h makes
 * the decisions, and this file provides ports, a clock and memory.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "node.h"
#include "rocecc/fields/admission.h"
#include "rocecc/fields/arrival.h"
#include "rocecc/role/l3qcn_tor_learn.h"

enum { HOST, FABRIC };

#define BUCKETS 32 /* of 8 flows each */

static rocecc_flowtable_bucket buckets[BUCKETS];
static rocecc_flowtable_slot slots[BUCKETS * ROCECC_FLOWTABLE_WAYS];
static const rocecc_flowtable_memory memory = {buckets, slots};
static rocecc_l3qcn_tor_gate gates[BUCKETS * ROCECC_FLOWTABLE_WAYS];
static rocecc_l3qcn_tor_port hosts[1]; /* HOST is the only host port */
/* Switches with accepted private CNMs, and their buckets, indexed by tag. */
static rocecc_acl_entry entries[NODE_SWITCHES_MAX];
static rocecc_acl switches;
static rocecc_admission_source sources[NODE_SWITCHES_MAX];
static rocecc_l3qcn_tor_config config;
static rocecc_l3qcn_tor state;
static node_port ports[2];

/* Adds an entry per switch: the MAC address in its CPIDs, and any of its queues. */
static bool list_switches(const node_options *o)
{
    uint32_t i, at;
    for (i = 0; i < o->n_switches; i++) {
        rocecc_mac_store(entries[i].prefix.b, &o->switches[i]);
        entries[i].length = 48;
        entries[i].permit = 1;
        entries[i].tag = i;
    }
    return rocecc_acl_init(&switches, entries, o->n_switches, &at) ==
           ROCECC_ACL_ACCEPTED;
}

static bool configure(const node_options *o)
{
    const uint64_t now_ns = node_ns();
    uint32_t i;
    config = rocecc_l3qcn_tor_default();
    config.table.buckets = BUCKETS;
    config.mac = ports[HOST].mac;
    config.rewrite_encap = true;
    config.check_msdu = true;
    config.port_flows = BUCKETS * ROCECC_FLOWTABLE_WAYS / 2;
    config.port_limit = rocecc_tokenbucket_per_s(1600); /* burst 100 */
    config.listed = true;
    config.admission = rocecc_admission_for(4, 1000); /* 4 misbehaving switches */
    config.gate.interval_ns = o->gate_ms * 1000000;
    if (getrandom(config.table.secret, sizeof config.table.secret, 0) !=
        (ssize_t)sizeof config.table.secret)
        return false;
    if (!list_switches(o) || rocecc_l3qcn_tor_init(&config, &node_domain, &switches) !=
                                 ROCECC_L3QCN_TOR_ACCEPTED)
        return false;
    state = rocecc_l3qcn_tor_start(&config, &memory);
    for (i = 0; i < o->n_switches; i++)
        sources[i] = rocecc_admission_source_start(&config.admission, now_ns);
    return true;
}

static rocecc_l3qcn_tor_event event(node_frame *p)
{
    rocecc_l3qcn_tor_event e = {0};
    e.admission.now_ns = node_ns();
    e.admission.list = &switches;
    e.admission.sources = sources;
    e.admission.n_sources = switches.n;
    e.memory = memory;
    e.gate = gates;
    e.port = HOST;
    e.ports = hosts;
    e.n_ports = 1;
    e.writer = node_room(p);
    return e;
}

/* Learns and routes a frame from the host, but drops a private CNM. */
static void from_host(node_frame *p)
{
    const rocecc_packet came = node_packet(p);
    const rocecc_l3qcn_tor_event e = event(p);
    const rocecc_l3qcn_tor_learn_result what =
        rocecc_l3qcn_tor_learn(&config, &state, &came, &e);
    (void)rocecc_l3qcn_tor_sweep(&config, &state,
                                 &e); /* 1 of the 32 buckets per frame */
    if (what.what != ROCECC_L3QCN_TOR_SPOOFED) (void)node_route(&ports[FABRIC], p);
}

/* Converts a private CNM to a CNM, or drops it. Routes any other packet. */
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

/* Prints a group of counters. `names` has their names, separated by spaces. */
static void show_counts(const char *group, const char *names, const uint64_t *count)
{
    for (; *names != '\0'; names += strspn(names, " ")) {
        const int bytes = (int)strcspn(names, " ");
        printf("%s.%.*s %llu\n", group, bytes, names, (unsigned long long)*count++);
        names += bytes;
    }
}

static void show(void)
{
    static const char *const learnings[ROCECC_L3QCN_TOR_LEARNINGS] = {
        "untagged", "data",    "spoof",   "no_flow",
        "tags",     "station", "limited", "crowded"};
    static const char *const verdicts[ROCECC_L3QCN_TOR_VERDICTS] = {
        "other", "converted", "wrapped", "arrival", "checksum", "malformed", "no_entry",
        "aged",  "mac",       "msdu",    "gate",    "space",    "cpid",      "rate"};
    int i;
    printf("flows %lu\n", (unsigned long)state.table.used);
    for (i = 0; i < ROCECC_L3QCN_TOR_LEARNINGS; i++)
        printf("%s %llu\n", learnings[i], (unsigned long long)state.learning_count[i]);
    for (i = 0; i < ROCECC_L3QCN_TOR_VERDICTS; i++)
        printf("%s %llu\n", verdicts[i], (unsigned long long)state.verdict_count[i]);
    show_counts("arrival", ROCECC_ARRIVAL_VERDICT_NAMES, state.arrival_count);
    show_counts("admission", ROCECC_ADMISSION_VERDICT_NAMES, state.admission.count);
}

int tor(const node_options *o, char **args)
{
    static node_frame p;
    if (o->n_switches == 0) {
        fputs("node: tor: expected at least one --switch=MAC\n", stderr);
        return 2;
    }
    ports[HOST] = node_open(args[HOST]);
    ports[FABRIC] = node_open(args[FABRIC]);
    if (!configure(o)) {
        fputs("node: tor: the library refuses the configuration\n", stderr);
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
