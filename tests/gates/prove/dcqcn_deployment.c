/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 2 */
#define PROVE_BYTES 192
#include "law/dcqcn_deployment.h"
#include "prove.h"

/* Checks a deployment with any values and any buffer. */
void main(void)
{
    static rocecc_dcqcn_deployment d;
    Frama_C_make_unknown((char *)&d, sizeof d);
    (void)rocecc_dcqcn_deployment_paper(prove_any());
    (void)rocecc_dcqcn_deployment_nvidia(prove_any());
    (void)rocecc_dcqcn_deployment_ns3_hpcc(prove_any());
    (void)rocecc_dcqcn_deployment_init(&d, (uint32_t)prove_any());
    (void)law_dcqcn_deployment(prove_reader());
}
