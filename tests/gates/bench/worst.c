/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * worst.c - finds the frame that costs the most instructions per byte. Compiled by
 * clang with -fsanitize-coverage=trace-pc, "worst search WHAT ROUNDS" changes the
 * frames of vectors/frame.vec at random. It keeps a frame that passes more basic blocks
 * per byte than the least costly of the kept frames, and prints the most costly in hex.
 * Compiled without, "worst count WHAT HEX" runs this frame, and then all frames of
 * vectors/frame.vec, under callgrind. The dumps "worst BYTES" and "average BYTES" are
 * both of CALLS runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

#include "../../../examples/lib/vec.h"
#include "rocecc/rocecc.h"

#define CALLS 100u
#define KEPT 64u
#define LEAST 60u /* minimum Ethernet frame, without its FCS */
#define MOST 1500u
#define ROWS_MAX 1024u

typedef struct one_frame {
    uint8_t b[MOST];
    size_t n;
    double score;
} one_frame;

static rocecc_domain domain;
static volatile uint32_t sink;
static one_frame kept[KEPT], rows[ROWS_MAX];
static size_t n_kept, n_rows;

#if defined(__clang__)
#define NOT_COUNTED __attribute__((no_sanitize("coverage")))
#else
#define NOT_COUNTED
#endif

static uint64_t blocks;
void __sanitizer_cov_trace_pc(void);
NOT_COUNTED void __sanitizer_cov_trace_pc(void)
{
    blocks++;
}

/* Parses the frame. */
static void walk(const uint8_t *b, size_t n)
{
    rocecc_packet p;
    sink = (uint32_t)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + n), &p);
}

/* Runs a receiver's checks. */
static void receive(const uint8_t *b, size_t n)
{
    const rocecc_arrival_config host = {ROCECC_ARRIVAL_HOST, false, true};
    rocecc_packet p;
    rocecc_icmp_error error;
    rocecc_icrc icrc;
    if (rocecc_packet_parse(&domain, rocecc_reader_of(b, b + n), &p) != ROCECC_OK)
        return;
    sink = (uint32_t)rocecc_arrival_check(&host, &p, &p.headers.ip, &error);
    sink = (uint32_t)rocecc_icrc_verify(ROCECC_ICRC_AUTO, &p, &icrc);
}

/* Runs the checks of a sender that accepts Fast CNPs and CNPs. */
static void react(const uint8_t *b, size_t n)
{
    rocecc_packet p;
    rocecc_fastcnp fast;
    rocecc_cnp cnp;
    if (rocecc_packet_parse(&domain, rocecc_reader_of(b, b + n), &p) != ROCECC_OK)
        return;
    sink = (uint32_t)rocecc_fastcnp_find(&p, &fast);
    sink = (uint32_t)rocecc_cnp_parse(&p, &cnp);
}

typedef void what(const uint8_t *b, size_t n);

NOT_COUNTED static what *what_of(const char *name)
{
    if (strcmp(name, "walk") == 0) return walk;
    if (strcmp(name, "receive") == 0) return receive;
    if (strcmp(name, "react") == 0) return react;
    fprintf(stderr, "worst: %s: neither walk, receive nor react\n", name);
    exit(2);
}

static uint64_t random_state = 1;

NOT_COUNTED static uint32_t below(size_t n)
{
    random_state =
        random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((random_state >> 33) % n);
}

NOT_COUNTED static void each(const vec_row *row, void *arg)
{
    (void)arg;
    if (row->n == 0 || row->n > MOST || n_rows == ROWS_MAX) return;
    memcpy(rows[n_rows].b, row->bytes, row->n);
    rows[n_rows++].n = row->n < LEAST ? LEAST : row->n;
}

/* Makes one change: to a byte, or by copied, doubled or removed bytes. */
NOT_COUNTED static void change(one_frame *f)
{
    const size_t at = below(f->n), n = 1 + below(24);
    const one_frame *other = &kept[below(n_kept)];
    switch (below(7)) {
    case 0:
        f->b[at] = (uint8_t)below(256);
        break;
    case 1:
        f->b[at] ^= (uint8_t)(1u << below(8));
        break;
    case 2:
        f->b[at] = f->b[below(f->n)];
        break;
    case 3:
        f->b[at] = (uint8_t)(f->b[at] + below(17) - 8);
        break;
    case 4: /* bytes of another frame, at the same place */
        if (at + n <= other->n && at + n <= f->n) memcpy(f->b + at, other->b + at, n);
        break;
    case 5: /* doubled */
        if (at + n > f->n || f->n + n > MOST) break;
        memmove(f->b + at + n, f->b + at, f->n - at);
        f->n += n;
        break;
    default: /* removed */
        if (at + n > f->n || f->n < LEAST + n) break;
        memmove(f->b + at, f->b + at + n, f->n - at - n);
        f->n -= n;
        break;
    }
}

NOT_COUNTED static double score(what *w, const one_frame *f)
{
    blocks = 0;
    w(f->b, f->n);
    return (double)blocks / (double)f->n;
}

NOT_COUNTED static void keep(const one_frame *f)
{
    size_t i, least = 0;
    if (n_kept < KEPT) {
        kept[n_kept++] = *f;
        return;
    }
    for (i = 1; i < KEPT; i++)
        if (kept[i].score < kept[least].score) least = i;
    if (f->score > kept[least].score) kept[least] = *f;
}

NOT_COUNTED static void search(what *w, unsigned long rounds)
{
    size_t i, best = 0;
    for (i = 0; i < n_rows; i++) {
        rows[i].score = score(w, &rows[i]);
        keep(&rows[i]);
    }
    while (rounds-- > 0) {
        one_frame f = kept[below(n_kept)];
        unsigned times = 1 + below(4);
        while (times-- > 0)
            change(&f);
        f.score = score(w, &f);
        keep(&f);
    }
    for (i = 1; i < n_kept; i++)
        if (kept[i].score > kept[best].score) best = i;
    for (i = 0; i < kept[best].n; i++)
        printf("%02x", kept[best].b[i]);
    printf("\n");
}

static void count(what *w, const char *hex)
{
    static uint8_t b[VEC_BYTES];
    char name[40];
    size_t n, bytes = 0, i;
    unsigned k;
    if (!vec_hex(hex, b, &n)) exit(2);
    CALLGRIND_ZERO_STATS;
    for (k = 0; k < CALLS; k++)
        w(b, n);
    snprintf(name, sizeof name, "worst %zu", n);
    CALLGRIND_DUMP_STATS_AT(name);
    for (i = 0; i < n_rows; i++)
        bytes += rows[i].n;
    CALLGRIND_ZERO_STATS;
    for (k = 0; k < CALLS; k++)
        for (i = 0; i < n_rows; i++)
            w(rows[i].b, rows[i].n);
    snprintf(name, sizeof name, "average %zu", bytes);
    CALLGRIND_DUMP_STATS_AT(name);
}

int main(int argc, char **argv)
{
    const rocecc_domain d = {.fastcnp = {0x9e, 0x9f},
                             .csig = {0x9900, 0x9901, false},
                             .ifa = {.protocol = 253},
                             .intmd = {.udp_port = 5000}};
    if (argc != 4) return 2;
    domain = d;
    vec_read("vectors/frame.vec", each, NULL);
    if (strcmp(argv[1], "search") == 0)
        search(what_of(argv[2]), strtoul(argv[3], NULL, 10));
    else
        count(what_of(argv[2]), argv[3]);
    return 0;
}
