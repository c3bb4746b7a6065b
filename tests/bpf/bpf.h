/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_BPF_BPF_H
#define TESTS_BPF_BPF_H

/*
 * bpf.h - one source, two builds. For the kernel: an XDP program that returns the
 * digest of the law, taken of what follows a 14-byte Ethernet header. For the host:
 * a program that writes every prefix of every row of a .vec as a packet, and prints
 * "FILE DIGEST" for each, which is what the kernel must return.
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

typedef struct bpf_out {
    const char *folder;
    uint32_t (*law)(rocecc_reader r);
} bpf_out;

static void bpf_row(const vec_row *row, void *arg)
{
    static const uint8_t ether[14];
    const bpf_out *out = arg;
    size_t n;
    for (n = 0; n <= row->n; n++) {
        char path[512];
        FILE *f;
        snprintf(path, sizeof path, "%s/%s.%zu", out->folder, row->id, n);
        f = fopen(path, "wb");
        if (f == NULL || fwrite(ether, 1, 14, f) != 14 ||
            fwrite(row->bytes, 1, n, f) != n || fclose(f) != 0) {
            perror(path);
            exit(1);
        }
        printf("%s %u\n", path,
               (unsigned)out->law(rocecc_reader_of(row->bytes, row->bytes + n)));
    }
}

#define BPF_LAW(law)                                                                   \
    int main(int argc, char **argv)                                                    \
    {                                                                                  \
        bpf_out out = {argc == 3 ? argv[2] : ".", law};                                \
        return argc != 3 || vec_read(argv[1], bpf_row, &out) == 0;                     \
    }
#endif

#endif /* TESTS_BPF_BPF_H */
