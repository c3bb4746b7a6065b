/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_BPF_BPF_H
#define TESTS_BPF_BPF_H

/*
 * bpf.h - one source, two builds. For the kernel: an XDP program that returns the
 * digest of the law, taken of what follows a 14-byte Ethernet header. For the host:
 * a program that writes every prefix of every row of a .vec as a packet, or for - some
 * bytes at random, and prints "FILE DIGEST" for each, which the kernel must return.
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
#else
#define ROCECC_IP6EXT_MAX 4 /* the cap of BPF, for the same results */
#include <stdio.h>
#include <stdlib.h>

#include "law/law.h"
#include "lib/vec.h"

void law_broken(const char *file, int line, const char *text)
{
    fprintf(stderr, "%s:%d: law broken: %s\n", file, line, text);
    exit(1);
}

/* Not where the kernel's program has it. */
size_t law_front(void)
{
    return 300;
}

typedef struct bpf_out {
    const char *folder;
    uint32_t (*law)(rocecc_reader r);
} bpf_out;

static void bpf_packet(const bpf_out *out, const char *id, const uint8_t *bytes,
                       size_t n)
{
    static const uint8_t ether[14];
    char path[512];
    FILE *f;
    snprintf(path, sizeof path, "%s/%s.%zu", out->folder, id, n);
    f = fopen(path, "wb");
    if (f == NULL || fwrite(ether, 1, 14, f) != 14 || fwrite(bytes, 1, n, f) != n ||
        fclose(f) != 0) {
        perror(path);
        exit(1);
    }
    printf("%s %u\n", path, (unsigned)out->law(rocecc_reader_of(bytes, bytes + n)));
}

static void bpf_row(const vec_row *row, void *arg)
{
    size_t n;
    for (n = 0; n <= row->n; n++)
        bpf_packet(arg, row->id, row->bytes, n);
}

/* Runs of an algorithm: the numbers at random of vectors/README, most of them long. */
static size_t bpf_random(const bpf_out *out)
{
    uint8_t bytes[600];
    uint64_t x = 1;
    size_t n, i;
    for (n = 0; n < sizeof bytes; n++) {
        for (i = 0; i < sizeof bytes; i++) {
            x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            bytes[i] = (uint8_t)(x >> 56);
        }
        bpf_packet(out, "random", bytes, n);
    }
    return n;
}

#define BPF_LAW(law)                                                                   \
    int main(int argc, char **argv)                                                    \
    {                                                                                  \
        bpf_out out = {argc == 3 ? argv[2] : ".", law};                                \
        if (argc != 3) return 2;                                                       \
        return (argv[1][0] == '-' ? bpf_random(&out)                                   \
                                  : vec_read(argv[1], bpf_row, &out)) == 0;            \
    }
#endif

#endif /* TESTS_BPF_BPF_H */
