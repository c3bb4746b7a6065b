/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_BPF_BPF_H
#define TESTS_BPF_BPF_H

/*
 * bpf.h - three builds of one source. For BPF, an XDP program returns the digest of the
 * law over the bytes after a 14-byte Ethernet header. For the host, a program prints
 * each row of a .vec file with the digests of all its prefixes. If its argument begins
 * with -, it prints rows of random bytes, each with its digest. The kernel must return
 * the same digests (load.c). A Linux module can compute them, too.
 */
#if defined(__bpf__)
#include "law/law.h"

struct xdp_md {
    uint32_t data, data_end;
};

__attribute__((section("license"), used)) char bpf_license[] = "Dual BSD/GPL";

#define BPF_LAW(law)                                                                   \
    __attribute__((section("xdp"), used)) int program(struct xdp_md *x)                \
    {                                                                                  \
        rocecc_reader r =                                                              \
            rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);        \
        const uint8_t *b = rocecc_take(&r, 14);                                        \
        if (b == NULL) return 0;                                                       \
        r = rocecc_reader_of(b + 14, (void *)(long)x->data_end);                       \
        return (int)law(r);                                                            \
    }
#elif defined(__KERNEL__)
#define ROCECC_IP6EXT_MAX 4
#define ROCECC_IP6OPT_MAX 4
#define ROCECC_PACKET_TAGS_MAX 2
#include <linux/string.h>

#include "law/law.h"

/*
 * A Linux module (tests/gates/live/module) has many laws, and defines a name for each.
 */
#define BPF_LAW(law)                                                                   \
    uint32_t MODULE_LAW(rocecc_reader r);                                              \
    uint32_t MODULE_LAW(rocecc_reader r)                                               \
    {                                                                                  \
        return law(r);                                                                 \
    }
#else
#define ROCECC_IP6EXT_MAX 4 /* BPF's limits, for the same results */
#define ROCECC_IP6OPT_MAX 4
#define ROCECC_PACKET_TAGS_MAX 2
#include <stdio.h>
#include <stdlib.h>

#include "law/law.h"
#include "../../../examples/lib/vec.h"

void law_broken(const char *file, int line, const char *text)
{
    fprintf(stderr, "%s:%d: law broken: %s\n", file, line, text);
    exit(1);
}

/* Returns another offset than the kernel's program, which starts at 0. */
size_t law_front(void)
{
    return 300;
}

/* Prints "ID HEX DIGEST...", with the digests of the `digests` longest prefixes. */
static void bpf_row(const char *id, const uint8_t *bytes, size_t n, size_t digests,
                    uint32_t (*law)(rocecc_reader r))
{
    size_t i;
    printf("%s %s", id, n == 0 ? "-" : "");
    for (i = 0; i < n; i++)
        printf("%02x", bytes[i]);
    for (i = n + 1 - digests; i <= n; i++)
        printf(" %u", (unsigned)law(rocecc_reader_of(bytes, bytes + i)));
    printf("\n");
}

typedef struct bpf_law {
    uint32_t (*digest)(rocecc_reader r);
} bpf_law;

static void bpf_vec_row(const vec_row *row, void *law)
{
    bpf_row(row->id, row->bytes, row->n, row->n + 1, ((const bpf_law *)law)->digest);
}

/* Prints 600 rows of 0 to 599 random bytes (vectors/README), for laws of algorithms. */
static size_t bpf_random(const bpf_law *law)
{
    uint8_t bytes[600];
    uint64_t x = 1;
    size_t n, i;
    for (n = 0; n < sizeof bytes; n++) {
        for (i = 0; i < sizeof bytes; i++) {
            x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            bytes[i] = (uint8_t)(x >> 56);
        }
        bpf_row("random", bytes, n, 1, law->digest);
    }
    return n;
}

#define BPF_LAW(law)                                                                   \
    int main(int argc, char **argv)                                                    \
    {                                                                                  \
        bpf_law of = {law};                                                            \
        if (argc != 2) return 2;                                                       \
        return (argv[1][0] == '-' ? bpf_random(&of)                                    \
                                  : vec_read(argv[1], bpf_vec_row, &of)) == 0;         \
    }
#endif

#endif /* TESTS_BPF_BPF_H */
