/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * main.c - forwards between two ports, each with one queue per lcore. Port 0 is the
 * network's, and port 1 the host's. Packets from the network pass through pipeline.h.
 * Packets from the host leave unchanged through port 0, as do CNPs and ICMP errors.
 */
#define _DEFAULT_SOURCE
#include "bench.h"

#include "../lib/prefix.h"

#include "rocecc/fields/admission.h"
#include "rocecc/fields/arrival.h"
#include "rocecc/fields/reaction_point.h"

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_malloc.h>
#include <rte_mbuf_dyn.h>

#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NETWORK 0
#define HOST 1
#define RING 512
#define ACCESS_MAX 256
#define CNP_ROOM 1536 /* 1280 bytes of an ICMPv6 error, and Ethernet with tags */
#define ERRORS_PER_S 100

static const char usage[] =
    "usage: dpdk EAL-OPTION... -- --connections FILE [OPTION]...\n"
    "  --connections FILE  lines PEER HOST QP-OF-THE-HOST QP-OF-THE-PEER\n"
    "  --access PREFIX     prefix of switches that may send Fast CNPs. They share its\n"
    "                      limit. Repeat it for more prefixes\n"
    "  --type-plain N      option type of Fast CNPs; 0, the default, is off\n"
    "  --type-ioam N       option type of Fast CNPs with a trace\n"
    "  --interval-us N     minimum time between two CNPs of a QP: 50\n"
    "  --limit N           Fast CNPs per second of each prefix: 1000\n"
    "  --cnp-limit N       CNPs per second and QP of each peer, with the QPs of the "
    "peer\n"
    "                      that has most: 20000, one in 50 us\n"
    "  --misbehaving N     number of switches, and of peers, that may misbehave "
    "without\n"
    "                      using up the limits of others: 4\n"
    "  --stamps            use the timestamps of packets, in us (of a capture)\n"
    "  --room N            bytes of a packet in an mbuf: 2048\n"
    "  --mbufs N           mbufs for packets, for all lcores: 8191\n"
    "  --idle-ms N         end after this time without a packet; 0, the default: "
    "never\n"
    "  --bench             measure the cycles per packet of the network's port, and\n"
    "                      forward nothing\n";

typedef struct settings {
    pipeline_config c;
    rocecc_acl_entry access[ACCESS_MAX];
    uint32_t n_access;
    const char *connections;
    bool stamps, bench;
    unsigned long room, mbufs, idle_ms;
    int stamp_at;        /* offset of the stamp in mbufs */
    uint64_t stamp_flag; /* set in mbufs that have a stamp */
} settings;

static settings s;
static volatile sig_atomic_t stopped;

static void on_signal(int signal)
{
    (void)signal;
    stopped = 1;
}

/* An lcore and its queue at each port. */
typedef struct worker {
    pipeline *p;
    uint16_t queue;
    unsigned lcore;
} worker;

static uint64_t clock_ns(void)
{
    return (uint64_t)((double)rte_rdtsc() * (1e9 / (double)rte_get_tsc_hz()));
}

static uint64_t came_ns(const struct rte_mbuf *m, uint64_t now_ns)
{
    if (!s.stamps || (m->ol_flags & s.stamp_flag) == 0) return now_ns;
    return *RTE_MBUF_DYNFIELD(m, (size_t)s.stamp_at, const rte_mbuf_timestamp_t *) *
           1000;
}

/* Sends all packets that the port accepts, and frees the rest. */
static void send_all(worker *w, uint16_t port, struct rte_mbuf **m, uint16_t n)
{
    const uint16_t sent = rte_eth_tx_burst(port, w->queue, m, n);
    if (sent == n) return;
    rte_pktmbuf_free_bulk(m + sent, n - sent);
    w->p->count[PIPELINE_FULL] += n - sent;
}

static uint16_t from_network(worker *w)
{
    pipeline_burst b;
    uint64_t now_ns;
    uint16_t i;
    b.n = rte_eth_rx_burst(NETWORK, w->queue, b.in, PIPELINE_BURST);
    if (b.n == 0) return 0;
    now_ns = clock_ns();
    for (i = 0; i < b.n; i++)
        b.now_ns[i] = came_ns(b.in[i], now_ns);
    pipeline_judge(w->p, &b);
    send_all(w, NETWORK, b.cnp, b.n_cnp);
    send_all(w, HOST, b.pass, b.n_pass);
    rte_pktmbuf_free_bulk(b.drop, b.n_drop);
    return b.n;
}

static uint16_t from_host(worker *w)
{
    struct rte_mbuf *m[PIPELINE_BURST];
    const uint16_t n = rte_eth_rx_burst(HOST, w->queue, m, PIPELINE_BURST);
    if (n != 0) send_all(w, NETWORK, m, n);
    return n;
}

static int work(void *arg)
{
    worker *w = arg;
    const uint64_t idle = s.idle_ms * (rte_get_tsc_hz() / 1000);
    uint64_t last = rte_rdtsc();
    while (!stopped) {
        const uint16_t n = (uint16_t)(from_network(w) + from_host(w));
        if (n != 0)
            last = rte_rdtsc();
        else if (idle != 0 && rte_rdtsc() - last > idle)
            break;
    }
    return 0;
}

static void open_port(uint16_t port, uint16_t queues, struct rte_mempool *pool)
{
    const struct rte_eth_conf conf = {0};
    uint16_t q;
    int failed = rte_eth_dev_configure(port, queues, queues, &conf);
    for (q = 0; q < queues && !failed; q++) {
        const int socket = rte_eth_dev_socket_id(port);
        failed = rte_eth_rx_queue_setup(port, q, RING, (unsigned)socket, NULL, pool) ||
                 rte_eth_tx_queue_setup(port, q, RING, (unsigned)socket, NULL);
    }
    if (failed || rte_eth_dev_start(port) != 0)
        rte_exit(EXIT_FAILURE, "port %u cannot start with %u queues\n", port, queues);
    (void)rte_eth_promiscuous_enable(port);
}

static struct rte_mempool *make_pool(const char *name, unsigned n, unsigned long room)
{
    struct rte_mempool *pool = rte_pktmbuf_pool_create(
        name, n, PIPELINE_BURST, 0, (uint16_t)(RTE_PKTMBUF_HEADROOM + room),
        (int)rte_socket_id());
    if (pool == NULL) rte_exit(EXIT_FAILURE, "--mbufs: not enough memory for %u\n", n);
    return pool;
}

/* Options with a number, and its maximum. */
typedef struct number {
    const char *name;
    unsigned long most;
} number;
static const number numbers[] = {
    {"type-plain", 255},  {"type-ioam", 255},     {"interval-us", 2000000},
    {"limit", 1000000},   {"room", 9000},         {"mbufs", 1 << 20},
    {"idle-ms", 1000000}, {"cnp-limit", 1000000}, {"misbehaving", 1000}};

static void set_number(size_t which, const char *text)
{
    unsigned long v;
    if (!prefix_number(text, numbers[which].most, &v))
        rte_exit(2, "--%s %s: expected a whole number from 0 to %lu\n",
                 numbers[which].name, text, numbers[which].most);
    switch (which) {
    case 0:
        s.c.domain.fastcnp.type_plain = (uint8_t)v;
        break;
    case 1:
        s.c.domain.fastcnp.type_ioam = (uint8_t)v;
        break;
    case 2:
        s.c.notify.gate.interval_ns = (uint32_t)v * 1000;
        break;
    case 3:
        s.c.fast_per_s = (uint32_t)v;
        break;
    case 4:
        s.room = v;
        break;
    case 5:
        s.mbufs = v;
        break;
    case 6:
        s.idle_ms = v;
        break;
    case 7:
        s.c.cnps_per_s = (uint32_t)v;
        break;
    default:
        s.c.misbehaving = (uint16_t)v;
    }
}

static void add_access(const char *text)
{
    rocecc_acl_entry *e = &s.access[s.n_access];
    if (s.n_access == ACCESS_MAX || !prefix_read(text, e))
        rte_exit(2, "--access %s: expected ADDRESS or ADDRESS/LENGTH, at most %d\n",
                 text, ACCESS_MAX);
    e->permit = 1;
    e->tag = s.n_access++;
}

static void read_options(int argc, char **argv)
{
    static const struct option options[] = {
        {"type-plain", 1, NULL, 0},  {"type-ioam", 1, NULL, 1},
        {"interval-us", 1, NULL, 2}, {"limit", 1, NULL, 3},
        {"room", 1, NULL, 4},        {"mbufs", 1, NULL, 5},
        {"idle-ms", 1, NULL, 6},     {"cnp-limit", 1, NULL, 7},
        {"misbehaving", 1, NULL, 8}, {"connections", 1, NULL, 'c'},
        {"access", 1, NULL, 'a'},    {"stamps", 0, NULL, 's'},
        {"bench", 0, NULL, 'b'},     {"help", 0, NULL, 'h'},
        {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'h') exit(fputs(usage, stdout) < 0);
        if (option == '?') rte_exit(2, "see -- --help\n");
        if (option == 'c')
            s.connections = optarg;
        else if (option == 'a')
            add_access(optarg);
        else if (option == 's')
            s.stamps = true;
        else if (option == 'b')
            s.bench = true;
        else
            set_number((size_t)option, optarg);
    }
    if (optind != argc)
        rte_exit(2, "%s: unexpected argument: see -- --help\n", argv[optind]);
    if (s.connections == NULL)
        rte_exit(2, "--connections FILE is missing: see -- --help\n");
}

static void configure(int argc, char **argv)
{
    uint32_t at;
    s.room = 2048;
    s.mbufs = 8191;
    s.c.notify.gate = rocecc_cnpgate_paper();
    s.c.notify.cnp = rocecc_cnp_default();
    s.c.notify.cnp.src_port = 0xc000;
    s.c.fast.reaction.check_icrc = true;
    s.c.misbehaving = 4;
    s.c.fast_per_s = 1000;
    s.c.cnps_per_s = 20000; /* a peer sends at most one CNP per 50 us to a QP */
    s.c.error_limit = rocecc_tokenbucket_per_s(ERRORS_PER_S);
    read_options(argc, argv);
    s.c.fast.reaction.fastcnp_enabled =
        (s.c.domain.fastcnp.type_plain | s.c.domain.fastcnp.type_ioam) != 0;
    if (rocecc_acl_init(&s.c.fast.list, s.access, s.n_access, &at) !=
        ROCECC_ACL_ACCEPTED)
        rte_exit(2,
                 "--access: a prefix has bits after its length, or is a repetition\n");
    table_read(&s.c.table, s.connections);
    pipeline_init(&s.c);
    if (rte_mbuf_dyn_rx_timestamp_register(&s.stamp_at, &s.stamp_flag) != 0)
        rte_exit(EXIT_FAILURE, "mbufs have no room for a timestamp\n");
}

/* Prints a group of counters. `names` has their names, separated by spaces. */
static void show(const char *group, const char *names, const uint64_t *count)
{
    for (; *names != '\0'; names += strspn(names, " ")) {
        const int bytes = (int)strcspn(names, " ");
        printf("%s.%.*s %" PRIu64 "\n", group, bytes, names, *count++);
        names += bytes;
    }
}

/* Prints a gate's counters, summed over all lcores: verdicts, arrival, admission. */
static void show_gate(const char *group, const worker *w, unsigned n, size_t gate)
{
    rocecc_reaction_point sum = {0};
    char name[32];
    unsigned i, v;
    for (i = 0; i < n; i++) {
        const pipeline_gate *g = (const pipeline_gate *)((const char *)w[i].p + gate);
        for (v = 0; v < ROCECC_REACTION_VERDICTS; v++)
            sum.count[v] += g->point.count[v];
        for (v = 0; v < ROCECC_ARRIVAL_VERDICTS; v++)
            sum.arrival_count[v] += g->point.arrival_count[v];
        for (v = 0; v < ROCECC_ADMISSION_VERDICTS; v++)
            sum.admission.count[v] += g->point.admission.count[v];
    }
    show(group, ROCECC_REACTION_VERDICT_NAMES, sum.count);
    (void)snprintf(name, sizeof name, "%s.arrival", group);
    show(name, ROCECC_ARRIVAL_VERDICT_NAMES, sum.arrival_count);
    (void)snprintf(name, sizeof name, "%s.admission", group);
    show(name, ROCECC_ADMISSION_VERDICT_NAMES, sum.admission.count);
}

/* Runs all lcores until the last one ends. Then prints their counters. */
static void run(worker *w, unsigned n)
{
    unsigned i, v;
    for (i = 0; i < n; i++)
        if (w[i].lcore != rte_get_main_lcore())
            rte_eal_remote_launch(work, &w[i], w[i].lcore);
    for (i = 0; i < n; i++)
        if (w[i].lcore == rte_get_main_lcore()) (void)work(&w[i]);
    rte_eal_mp_wait_lcore();
    for (v = 0; v < PIPELINE_COUNTS; v++) {
        uint64_t sum = 0;
        for (i = 0; i < n; i++)
            sum += w[i].p->count[v];
        printf("%s %" PRIu64 "\n", pipeline_names[v], sum);
    }
    show_gate("fast", w, n, offsetof(pipeline, fast));
    show_gate("ordinary", w, n, offsetof(pipeline, ordinary));
}

/* Frees the pool. Returns true if all n mbufs were back in it. */
static bool settle(const char *name, struct rte_mempool *pool, unsigned n)
{
    const unsigned there = rte_mempool_avail_count(pool);
    if (there != n) printf("%s: only %u of %u mbufs came back\n", name, there, n);
    rte_mempool_free(pool);
    return there == n;
}

int main(int argc, char **argv)
{
    worker w[RTE_MAX_LCORE];
    struct rte_mempool *packets, *cnps;
    unsigned lcore, n = 0, i;
    bool ok;
    const int eal = rte_eal_init(argc, argv);
    if (eal < 0) rte_exit(EXIT_FAILURE, "%s", usage);
    configure(argc - eal, argv + eal);
    (void)signal(SIGINT, on_signal);
    (void)signal(SIGTERM, on_signal);
    packets = make_pool("packets", (unsigned)s.mbufs, s.room);
    cnps = make_pool("cnps", 1023, CNP_ROOM);
    for (lcore = 0; lcore < RTE_MAX_LCORE; lcore++) {
        if (!rte_lcore_is_enabled(lcore)) continue;
        w[n].p = pipeline_start(&s.c, cnps, s.stamps ? 0 : clock_ns());
        w[n].queue = (uint16_t)n;
        w[n++].lcore = lcore;
    }
    for (i = 0; i <= HOST; i++)
        open_port((uint16_t)i, (uint16_t)n, packets);
    if (s.bench)
        bench(w[0].p, NETWORK);
    else
        run(w, n);
    for (i = 0; i <= HOST; i++) {
        (void)rte_eth_dev_stop((uint16_t)i);
        (void)rte_eth_dev_close((uint16_t)i);
    }
    for (i = 0; i < n; i++)
        pipeline_free(w[i].p);
    table_free(&s.c.table);
    ok = settle("packets", packets, (unsigned)s.mbufs);
    ok = settle("cnps", cnps, 1023) && ok;
    (void)rte_eal_cleanup();
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
