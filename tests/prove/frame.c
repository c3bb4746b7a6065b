/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES                                                                    \
    340 /* every tag, two chains of extension headers, each cap passed */
#include "law/frame.h"
#include "prove.h"

/* Any configuration: a TPID may even be a type that means something else. */
static rocecc_frame_config config(void)
{
    rocecc_frame_config c;
    c.ip_first = Frama_C_interval(0, 1) != 0;
    c.rocev2_port = (uint16_t)Frama_C_interval(0, 0xffff);
    c.csig.compact_tpid = (uint16_t)Frama_C_interval(0, 0xffff);
    c.csig.wide_tpid = (uint16_t)Frama_C_interval(0, 0xffff);
    c.csig.uec = Frama_C_interval(0, 1) != 0;
    c.ifa_protocol = (uint8_t)Frama_C_interval(0, 0xff);
    c.intmd_port = (uint16_t)Frama_C_interval(0, 0xffff);
    return c;
}

void main(void)
{
    static uint8_t big[ROCECC_FRAME_START_MAX + 20];
    const rocecc_frame_config c = config();
    rocecc_reader r = rocecc_reader_of(big, big + sizeof big);
    rocecc_frame f;
    (void)law_frame(prove_reader());
    (void)rocecc_frame_locate(&c, prove_reader(), &f);
    (void)rocecc_take(&r, ROCECC_FRAME_START_MAX + 1);
    (void)rocecc_frame_locate(&c, r, &f);
}
