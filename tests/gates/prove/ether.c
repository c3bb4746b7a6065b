/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 512
#include "law/ether.h"
#include "prove.h"

void main(void)
{
    rocecc_writer out = prove_writer();
    rocecc_vlan wide = {0};
    static rocecc_etag etag;
    static rocecc_vntag vntag;
    static rocecc_arista arista;
    (void)law_ether(prove_reader());
    wide.pcp = (uint8_t)Frama_C_interval(0, 255);
    wide.vid = (uint16_t)Frama_C_interval(0, 65535);
    rocecc_vlan_store(prove_bytes, &wide);
    (void)rocecc_vlan_emit(&out, &wide);
    Frama_C_make_unknown((char *)&etag, sizeof etag);
    etag.dei = prove_bit();
    rocecc_etag_store(prove_bytes, &etag);
    Frama_C_make_unknown((char *)&vntag, sizeof vntag);
    vntag.d = prove_bit();
    vntag.p = prove_bit();
    vntag.l = prove_bit();
    vntag.r = prove_bit();
    rocecc_vntag_store(prove_bytes, &vntag);
    Frama_C_make_unknown((char *)&arista, sizeof arista);
    (void)rocecc_arista_emit(&out, &arista);
    (void)rocecc_vlan_match((uint16_t)Frama_C_interval(0, 65535));
}
