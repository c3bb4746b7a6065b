/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 512
#include "law/bth.h"
#include "prove.h"

void main(void)
{
    rocecc_writer out = prove_writer();
    rocecc_bth wide = {0};
    rocecc_opcode_set set = rocecc_opcode_set_data();
    (void)law_bth(prove_reader());
    Frama_C_make_unknown((char *)&set, sizeof set);
    (void)rocecc_opcode_set_is_empty(&set);
    wide.pad = (uint8_t)Frama_C_interval(0, 255);
    wide.psn = (uint32_t)prove_any();
    (void)rocecc_bth_emit(&out, &wide);
}
