/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 512
#include "law/tcp.h"
#include "prove.h"

void main(void)
{
    rocecc_writer out = prove_writer();
    rocecc_tcp any = {0};
    (void)law_tcp(prove_reader());
    any.reserved = (uint8_t)Frama_C_interval(0, 255);
    any.options = prove_reader();
    (void)rocecc_tcp_emit(&out, &any);
}
