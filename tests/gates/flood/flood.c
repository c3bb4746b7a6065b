/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * flood.c - FRAMES NS IF NS IF: sends frames of each kind of notification out of one
 * interface, 100 of 101 of them forged, and hears what comes in at the other;
 * lib/flood.h says who they are from. Nothing may get lost on the way, and every frame
 * comes as it was sent. Fails where more than 1 % of what is honest has no effect, or
 * anything forged has one.
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

/* A packet socket on an interface of a network namespace. */
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

/* The next frame that came in, as it was sent: the wire keeps their order. */
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

/* One kind; false: honest nodes were silenced, or others heard. */
static bool flood(flood_kind kind, uint64_t frames, int tx, int rx)
{
    static flood_frame f[BATCH];
    uint64_t sent[FLOOD_WHOS] = {0}, heard[FLOOD_WHOS] = {0}, ns = 0, i, forged;
    uint64_t most = FLOOD_BURST + frames * FLOOD_NS / 1000 * FLOOD_LIMIT / 1000000 + 1;
    unsigned k;
    bool ok;
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
            sent[f[k].who]++;
            heard[f[k].who] += flood_heard(kind, &f[k]);
            if (f[k].who != FLOOD_HONEST) ns += now() - start;
        }
    }
    forged = sent[FLOOD_UNLISTED] + sent[FLOOD_FORGED] + sent[FLOOD_MAD];
    ok = heard[FLOOD_HONEST] * 100 >= sent[FLOOD_HONEST] * 99 &&
         heard[FLOOD_UNLISTED] == 0 && heard[FLOOD_FORGED] == 0 &&
         (kind == FLOOD_PFC || heard[FLOOD_MAD] <= most);
    printf(
        "flood: %-11s %7llu of %7llu honest heard; of %llu forged %llu, of a mad node; "
        "%llu ns each%s\n",
        flood_name(kind), (unsigned long long)heard[FLOOD_HONEST],
        (unsigned long long)sent[FLOOD_HONEST], (unsigned long long)forged,
        (unsigned long long)(heard[FLOOD_MAD] + heard[FLOOD_UNLISTED] +
                             heard[FLOOD_FORGED]),
        (unsigned long long)(ns / forged), ok ? "" : ": FAILED");
    return ok;
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
