/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * flood.c - "flood FRAMES NS IF NS IF" sends frames of each kind of notification from
 * one interface, and gives the frames that arrive at the other to a node (lib/flood.h).
 * No frame may be lost or changed on the way. Fails if flood_kept() returns false.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <netpacket/packet.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "lib/flood.h"

#define BATCH 32

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* Opens a packet socket on an interface of a network namespace. */
static int port(const char *ns, const char *name)
{
    struct sockaddr_ll at;
    struct timeval wait = {5, 0};
    char path[256];
    int fd, bytes = 1 << 22;
    snprintf(path, sizeof path, "/run/netns/%s", ns);
    fd = open(path, O_RDONLY);
    if (fd < 0 || setns(fd, CLONE_NEWNET) != 0) fail(path);
    close(fd);
    fd = socket(AF_PACKET, SOCK_RAW, htons(3));
    if (fd < 0) fail("socket");
    memset(&at, 0, sizeof at);
    at.sll_family = AF_PACKET;
    at.sll_protocol = htons(3); /* all */
    at.sll_ifindex = (int)if_nametoindex(name);
    if (bind(fd, (struct sockaddr *)&at, sizeof at) != 0) fail(name);
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait) != 0) fail("wait");
    return fd;
}

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void send_all(int tx, const flood_frame *f, unsigned n)
{
    static struct mmsghdr m[BATCH];
    static struct iovec v[BATCH];
    unsigned i;
    int sent;
    memset(m, 0, sizeof m);
    for (i = 0; i < n; i++) {
        v[i].iov_base = (void *)(uintptr_t)f[i].bytes;
        v[i].iov_len = f[i].n;
        m[i].msg_hdr.msg_iov = &v[i];
        m[i].msg_hdr.msg_iovlen = 1;
    }
    for (i = 0; i < n; i += (unsigned)sent) {
        sent = sendmmsg(tx, m + i, n - i, 0);
        if (sent <= 0) fail("sendmmsg");
    }
}

/*
 * Receives the next frame, and compares it with *f, because the wire keeps their order.
 */
static void receive(int rx, flood_frame *f)
{
    static uint8_t bytes[sizeof f->bytes];
    struct sockaddr_ll from;
    socklen_t size;
    ssize_t n;
    do {
        size = sizeof from;
        n = recvfrom(rx, bytes, sizeof bytes, 0, (struct sockaddr *)&from, &size);
        if (n < 0) fail("a frame did not come");
    } while (from.sll_pkttype == PACKET_OUTGOING);
    if ((size_t)n != f->n || memcmp(bytes, f->bytes, f->n) != 0) {
        fputs("flood: a frame came that was not sent\n", stderr);
        exit(1);
    }
}

/* Sends a flood of one kind. Returns false if flood_open() or flood_kept() does. */
static bool flood(flood_kind kind, uint64_t frames, int tx, int rx)
{
    static flood_frame f[BATCH];
    flood_counts counts;
    uint64_t ns = 0, most = 0, i;
    unsigned k;
    bool kept;
    memset(&counts, 0, sizeof counts);
    if (!flood_open()) return false;
    for (i = 0; i < frames; i += BATCH) {
        if (i % 1024 == 0) flood_idle(kind, i * FLOOD_NS);
        for (k = 0; k < BATCH; k++)
            flood_make(kind, i + k, &f[k]);
        send_all(tx, f, BATCH);
        for (k = 0; k < BATCH; k++) {
            uint64_t start;
            receive(rx, &f[k]);
            start = now();
            (void)flood_heard(kind, &f[k], &counts);
            if (f[k].who != FLOOD_HONEST) ns += now() - start;
        }
    }
    kept = flood_kept(kind, &counts, frames);
    for (k = 0; k < FLOOD_MISBEHAVING_N; k++)
        if (counts.heard_of[k] > most) most = counts.heard_of[k];
    printf("flood: %-11s honest %llu of %llu; forged %llu, unlisted %llu; of %u "
           "misbehaving nodes at most %llu each; %llu ns a frame%s\n",
           flood_name(kind), (unsigned long long)counts.heard[FLOOD_HONEST],
           (unsigned long long)counts.sent[FLOOD_HONEST],
           (unsigned long long)(counts.heard[FLOOD_FORGED] +
                                counts.heard[FLOOD_FORGED_OTHER]),
           (unsigned long long)counts.heard[FLOOD_UNLISTED], FLOOD_MISBEHAVING_N,
           (unsigned long long)most,
           (unsigned long long)(ns / (frames - counts.sent[FLOOD_HONEST])),
           kept ? "" : ": FAILED");
    return kept;
}

int main(int argc, char **argv)
{
    uint64_t frames;
    unsigned kind;
    bool ok = true;
    int tx, rx;
    if (argc != 6) return fputs("usage: flood FRAMES NS IF NS IF\n", stderr), 2;
    frames = strtoull(argv[1], NULL, 10) / BATCH * BATCH;
    tx = port(argv[2], argv[3]);
    rx = port(argv[4], argv[5]);
    for (kind = 0; kind < FLOOD_KINDS; kind++)
        ok &= flood((flood_kind)kind, frames, tx, rx);
    return !ok;
}
