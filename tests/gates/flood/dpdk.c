/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * dpdk.c - "flood-dpdk N FILE" floods examples/dpdk with Fast CNPs from N misbehaving
 * switches, and with CNPs from N misbehaving peers. It includes main.c of the example,
 * so its defaults apply. Time is simulated. FILE is for the list of connections.
 */
#define main dpdk_main
#include "../../../examples/dpdk/main.c"
#undef main

#include "dropin.h"

#include "rocecc/packet/build.h"

static const rocecc_ip6 own = {{0x20, 1, 0xd, 0xb8, [15] = 0x10}};
static const rocecc_ip6 remote = {{0x20, 1, 0xd, 0xb8, 0, 2, [15] = 0x20}};

/* Returns 2001:db8:ffff::1 and up for switches, 2001:db8:1::1 and up for peers. */
static rocecc_ip6 address(bool peer, unsigned source)
{
    rocecc_ip6 a = {{0x20, 1, 0xd, 0xb8, 0xff, 0xff}};
    if (peer) rocecc_store16(a.b + 4, 1);
    a.b[15] = (uint8_t)(source + 1);
    return a;
}

static void put(struct rte_mbuf *m, bool peer, const dropin_packet *packet)
{
    const rocecc_ether ether = {{{2}}, {{2, 0, 0, 0, 0, 9}}, ROCECC_TYPE_IPV6};
    const rocecc_fastcnp option = {ROCECC_FASTCNP_PLAIN, remote, 0, 0, 0, 0, 0};
    uint8_t *b = rte_pktmbuf_mtod(m, uint8_t *);
    rocecc_writer w = rocecc_writer_of(b, b + 256);
    rocecc_cnp cnp = rocecc_cnp_default();
    rocecc_packet about;
    cnp.src = address(peer, packet->source);
    cnp.dst = own;
    cnp.dest_qp = 0x34;
    rocecc_headers_clear(&about.headers);
    about.bytes = rocecc_reader_of(b, b);
    about.domain = &s.c.domain;
    (void)rocecc_ether_emit(&w, &ether);
    if (peer)
        (void)rocecc_cnp_build(&w, &cnp);
    else
        (void)rocecc_fastcnp_build(&w, &about, ROCECC_ICRC_MASKED, &cnp, &option);
    if (packet->who == DROPIN_FORGED) b[w.at - 1] ^= 0x55;
    rte_pktmbuf_append(m, (uint16_t)w.at);
}

static bool flood(pipeline *p, struct rte_mempool *pool, bool peer, unsigned n)
{
    dropin_packet sent[PIPELINE_BURST];
    bool more = true;
    dropin_start(n);
    while (more) {
        pipeline_burst b;
        uint16_t i, k;
        for (b.n = 0; b.n < PIPELINE_BURST; b.n++) {
            more = dropin_next(&sent[b.n]);
            if (!more) break;
            b.in[b.n] = rte_pktmbuf_alloc(pool);
            if (b.in[b.n] == NULL) rte_exit(EXIT_FAILURE, "no mbuf\n");
            b.now_ns[b.n] = sent[b.n].now_ns;
            put(b.in[b.n], peer, &sent[b.n]);
        }
        pipeline_judge(p, &b);
        for (i = 0; i < b.n_pass; i++)
            for (k = 0; k < b.n; k++)
                if (b.in[k] == b.pass[i]) dropin_took(&sent[k]);
        rte_pktmbuf_free_bulk(b.in, b.n);
        rte_pktmbuf_free_bulk(b.cnp, b.n_cnp);
    }
    return dropin_end(peer ? "examples/dpdk, CNPs" : "examples/dpdk, Fast CNPs",
                      peer ? 20000 : 1000);
}

/* Writes a connection for each peer. */
static void write_connections(const char *path, unsigned n)
{
    FILE *f = fopen(path, "w");
    unsigned i;
    if (f == NULL) rte_exit(EXIT_FAILURE, "%s: cannot be written\n", path);
    for (i = 0; i <= n; i++)
        fprintf(f, "2001:db8:1::%u 2001:db8::10 0x34 0x12\n", i + 1);
    if (fclose(f) != 0) rte_exit(EXIT_FAILURE, "%s: cannot be written\n", path);
}

int main(int argc, char **argv)
{
    static char eal[][24] = {
        "flood", "--no-huge", "--no-pci", "--no-shconf", "--no-telemetry",
        "-m",    "64",        "-l",       "0",           "--log-level=error"};
    static char text[][24] = {"flood", "--type-plain=158", "--connections"};
    static char access[DROPIN_MISBEHAVING_MAX + 1][40];
    char *eal_args[sizeof eal / sizeof *eal + 1] = {NULL};
    char *args[4 + DROPIN_MISBEHAVING_MAX + 2] = {text[0], text[1], text[2]};
    const unsigned n = argc == 3 ? (unsigned)atoi(argv[1]) : 0;
    struct rte_mempool *packets, *cnps;
    pipeline *p;
    unsigned i;
    bool kept;
    if (n < 1 || n > DROPIN_MISBEHAVING_MAX) return 2;
    for (i = 0; i < sizeof eal / sizeof *eal; i++)
        eal_args[i] = eal[i];
    if (rte_eal_init((int)(sizeof eal / sizeof *eal), eal_args) < 0) return 1;
    write_connections(argv[2], n);
    args[3] = argv[2];
    for (i = 0; i <= n; i++) {
        snprintf(access[i], sizeof access[i], "--access=2001:db8:ffff::%u/128", i + 1);
        args[4 + i] = access[i];
    }
    optind = 1;
    configure((int)(4 + n + 1), args);
    packets = make_pool("packets", 1023, s.room);
    cnps = make_pool("cnps", 1023, CNP_ROOM);
    p = pipeline_start(&s.c, cnps, 0);
    kept = flood(p, packets, false, n);
    kept = flood(p, packets, true, n) && kept;
    (void)rte_eal_cleanup();
    return !kept;
}
