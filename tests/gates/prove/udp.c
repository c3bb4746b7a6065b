/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/udp.h"
#include "prove.h"

void main(void)
{
    rocecc_writer out = prove_writer();
    rocecc_udp any = {0};
    (void)law_udp(prove_reader());
    any.length = (uint16_t)Frama_C_interval(0, 65535);
    (void)rocecc_udp_emit(&out, &any);
    (void)rocecc_udp_checksum((uint32_t)prove_any(), prove_reader());
    (void)rocecc_udp_src_port((uint32_t)prove_any());
    (void)rocecc_udp_flow_label((uint32_t)prove_any(), (uint32_t)prove_any());
}
