/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 512
#include "law/ether.h"
#include "prove.h"

void main(void)
{
    rocecc_writer out = prove_writer();
    rocecc_vlan wide = {0};
    (void)law_ether(prove_reader());
    wide.pcp = (uint8_t)Frama_C_interval(0, 255);
    wide.vid = (uint16_t)Frama_C_interval(0, 65535);
    rocecc_vlan_store(prove_bytes, &wide);
    (void)rocecc_vlan_emit(&out, &wide);
    (void)rocecc_vlan_match((uint16_t)Frama_C_interval(0, 65535));
}
