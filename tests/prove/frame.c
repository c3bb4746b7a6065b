/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 320 /* two chains of extension headers, every cap passed */
#include "law/frame.h"
#include "prove.h"

void main(void)
{
    static uint8_t big[ROCECC_FRAME_START_MAX + 20];
    const rocecc_frame_config c = {(bool)Frama_C_interval(0, 1),
                                   (uint16_t)Frama_C_interval(0, 0xffff)};
    rocecc_reader r = rocecc_reader_of(big, big + sizeof big);
    rocecc_frame f;
    (void)law_frame(prove_reader());
    (void)rocecc_frame_locate(&c, prove_reader(), &f);
    (void)rocecc_take(&r, ROCECC_FRAME_START_MAX + 1);
    (void)rocecc_frame_locate(&c, r, &f);
}
