/* SPDX-License-Identifier: BSD-2-Clause */

/* receiver.c - the receiver of the data, and the capture. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "node.h"

#define ANSWER_EVERY 64 /* packets */

static void swap(uint8_t *a, uint8_t *b, size_t n)
{
    uint8_t was[16];
    memcpy(was, a, n);
    memcpy(a, b, n);
    memcpy(b, was, n);
}

/* Sends a packet back. The swapped addresses and ports keep all checksums correct. */
static void answer(const node_port *to, node_frame *p)
{
    uint8_t *ip = p->bytes + p->f.ip.offset, *upper = p->bytes + p->f.ip.upper;
    const rocecc_ether ether = node_ether(to, rocecc_load16(p->bytes + 12));
    if (p->f.ip.end > p->n || p->f.ip.end < p->f.ip.upper + 4u) return;
    if (p->f.ip.version == 4)
        swap(ip + 12, ip + 16, 4);
    else
        swap(ip + 8, ip + 24, 16);
    swap(upper, upper + 2, 2);
    rocecc_ether_store(p->bytes, &ether);
    node_send(to, node_view(p));
}

int receiver(const node_options *o, char **args)
{
    static node_frame p;
    const node_port in = node_open(args[0]);
    uint64_t n[2] = {0, 0}, answers = 0;
    (void)o;
    node_ready("receiver");
    while (node_wait(&in, 1, UINT64_MAX)) {
        while (node_receive(&in, &p)) {
            const bool v6 = p.f.ip.version == 6;
            if (p.f.kind != ROCECC_PACKET_KIND_TCP &&
                p.f.kind != ROCECC_PACKET_KIND_UDP)
                continue;
            if (n[v6]++ % ANSWER_EVERY != 0) continue;
            answer(&in, &p);
            answers++;
        }
    }
    printf("ipv4 %llu\nipv6 %llu\nanswers %llu\n", (unsigned long long)n[0],
           (unsigned long long)n[1], (unsigned long long)answers);
    return 0;
}

/* Writes a record of a pcap file with nanoseconds, in this host's byte order. */
static bool record(FILE *to, const node_frame *p)
{
    struct timespec t;
    uint32_t head[4];
    clock_gettime(CLOCK_REALTIME, &t);
    head[0] = (uint32_t)t.tv_sec;
    head[1] = (uint32_t)t.tv_nsec;
    head[2] = head[3] = (uint32_t)p->n;
    return fwrite(head, sizeof head, 1, to) == 1 && fwrite(p->bytes, p->n, 1, to) == 1;
}

int capture(const node_options *o, char **args)
{
    static const struct {
        uint32_t magic;
        uint16_t major, minor;
        uint32_t zone, figures, longest, link;
    } head = {0xa1b23c4d, 2, 4, 0, 0, 65535, 1};
    static node_frame p;
    const node_port at = node_open(args[0]);
    FILE *to = fopen(args[1], "wb");
    bool ok = to != NULL && fwrite(&head, sizeof head, 1, to) == 1;
    (void)o;
    node_ready("capture");
    while (ok && node_wait(&at, 1, UINT64_MAX))
        while (ok && node_receive(&at, &p))
            ok = record(to, &p);
    if (ok && fclose(to) == 0) return 0;
    fprintf(stderr, "node: %s cannot be written: %s\n", args[1], strerror(errno));
    return 1;
}
