/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 512
#include "law/grh.h"
#include "prove.h"

void main(void)
{
    rocecc_writer out = prove_writer();
    rocecc_grh wide = {0};
    (void)law_grh(prove_reader());
    wide.flow_label = (uint32_t)prove_any();
    (void)rocecc_grh_emit(&out, &wide);
}
