/* SPDX-License-Identifier: BSD-2-Clause */

/* Parses the packet as each kind of header, and writes the header over the packet. */
#include "bpf.h"
#include "rocecc/wire/intmd.h"

#define EMIT(kind)                                                                     \
    __attribute__((noinline)) int kind(struct xdp_md *x)                               \
    {                                                                                  \
        rocecc_reader r =                                                              \
            rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);        \
        rocecc_writer w =                                                              \
            rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);        \
        rocecc_intmd_##kind h;                                                         \
        if (rocecc_intmd_##kind##_parse(&r, &h) != ROCECC_OK) return 0;                \
        return (int)rocecc_intmd_##kind##_emit(&w, &h);                                \
    }

EMIT(shim)
EMIT(gre)
EMIT(gpe)
EMIT(geneve)

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return shim(x) + gre(x) + gpe(x) + geneve(x);
}
