/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * cuts.c - "cuts EAL-OPTION... -- CAPTURE..." checks the ICRC of each packet over
 * segments. The packet is cut in two at every place, in three at some places, and in
 * pieces of 1 to 9 bytes. By every rule, the verdict must be rocecc_icrc_verify()'s for
 * the packet in one piece. The header offsets must be equal too.
 */
#include "../../../../examples/dpdk/segments.h"

#include <rte_debug.h>
#include <rte_eal.h>
#include <rte_lcore.h>

#include <pcap/pcap.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 64 /* headroom; the data room is a page */

static struct rte_mempool *pool;
static unsigned long packets, right, cuts;
static const rocecc_domain domain = {
    .fastcnp = {.type_plain = 0x9e, .type_ioam = 0x9f}};

/* Appends a segment with n bytes that end where its mbuf ends. */
static struct rte_mbuf *append(struct rte_mbuf *chain, const uint8_t *b, uint32_t n)
{
    struct rte_mbuf *m = rte_pktmbuf_alloc(pool);
    if (m == NULL) rte_exit(EXIT_FAILURE, "no mbuf is left\n");
    m->data_off = (uint16_t)(m->buf_len - n);
    memcpy(rte_pktmbuf_append(m, (uint16_t)n), b, n);
    if (chain == NULL) return m;
    if (rte_pktmbuf_chain(chain, m) != 0) rte_exit(EXIT_FAILURE, "a chain too long\n");
    return chain;
}

static void expect(const struct rte_mbuf *m, const rocecc_packet *whole)
{
    static uint8_t head[SEGMENTS_HEAD_BYTES];
    rocecc_packet p;
    int rule;
    (void)rocecc_packet_parse(&domain, segments_first(m), &p);
    segments_gather(m, head, &p);
    if (memcmp(&p.headers, &whole->headers, sizeof p.headers) != 0)
        rte_exit(EXIT_FAILURE, "packet %lu: other headers in %u segments\n", packets,
                 m->nb_segs);
    for (rule = ROCECC_ICRC_AUTO; rule <= ROCECC_ICRC_NONE; rule++) {
        rocecc_icrc icrc;
        const bool ok =
            rocecc_icrc_verify((rocecc_icrc_rule)rule, whole, &icrc) == ROCECC_OK &&
            icrc.ok;
        if (segments_icrc((rocecc_icrc_rule)rule, m, &p) != ok)
            rte_exit(EXIT_FAILURE, "packet %lu: rule %d is %d in %u segments\n",
                     packets, rule, !ok, m->nb_segs);
        right += ok;
    }
    cuts++;
}

/* Cuts into two or three segments. Some may be empty. */
static void cut(const uint8_t *b, uint32_t n, uint32_t first, uint32_t second,
                const rocecc_packet *whole)
{
    struct rte_mbuf *m = append(NULL, b, first);
    m = append(m, b + first, second - first);
    if (second < n) m = append(m, b + second, n - second);
    expect(m, whole);
    rte_pktmbuf_free(m);
}

/* Cuts into pieces of the same size. */
static void slice(const uint8_t *b, uint32_t n, uint32_t size,
                  const rocecc_packet *whole)
{
    struct rte_mbuf *m = NULL;
    uint32_t at;
    for (at = 0; at < n; at += size)
        m = append(m, b + at, RTE_MIN(size, n - at));
    expect(m, whole);
    rte_pktmbuf_free(m);
}

static void every_cut(const uint8_t *b, uint32_t n)
{
    rocecc_packet whole;
    uint32_t i;
    packets++;
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + n), &whole);
    for (i = 0; i <= n; i++)
        cut(b, n, i, n, &whole);
    for (i = 0; i < n; i++)
        cut(b, n, i, i + (uint32_t)rand() % (n - i + 1), &whole);
    for (i = 1; i < 10 && n / i < 1000; i++)
        slice(b, n, i, &whole);
}

static void read_file(const char *path)
{
    char why[PCAP_ERRBUF_SIZE];
    struct pcap_pkthdr *head;
    const u_char *b;
    pcap_t *in = pcap_open_offline(path, why);
    if (in == NULL || pcap_datalink(in) != DLT_EN10MB)
        rte_exit(EXIT_FAILURE, "%s is no capture of Ethernet\n", path);
    while (pcap_next_ex(in, &head, &b) == 1)
        if (head->caplen != 0 && head->caplen < 1500) every_cut(b, head->caplen);
    pcap_close(in);
}

int main(int argc, char **argv)
{
    const int eal = rte_eal_init(argc, argv);
    int i;
    if (eal < 0) return EXIT_FAILURE;
    pool =
        rte_pktmbuf_pool_create("cuts", 2047, 0, 0, ROOM + 2048, (int)rte_socket_id());
    if (pool == NULL) rte_exit(EXIT_FAILURE, "no memory\n");
    for (i = eal + 1; i < argc; i++)
        read_file(argv[i]);
    if (rte_mempool_avail_count(pool) != 2047)
        rte_exit(EXIT_FAILURE, "an mbuf was lost\n");
    printf("hosts-dpdk: %lu packets, %lu cuts of them: as in one piece (%lu right)\n",
           packets, cuts, right);
    return packets == 0 || right == 0;
}
