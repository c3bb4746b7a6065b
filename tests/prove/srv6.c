/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-slevel 100 */
#define PROVE_BYTES 48 /* two segments and a TLV */
#include "law/srv6.h"
#include "prove.h"

void main(void)
{
    static const uint8_t long_list[ROCECC_SRH_REST_MAX_BYTES + 8];
    rocecc_writer out = prove_writer();
    rocecc_srh h = {0};
    h.segments = rocecc_reader_of(long_list, long_list + sizeof long_list);
    h.tlvs = prove_reader();
    (void)law_srv6(prove_reader());
    (void)rocecc_srh_emit(&out, &h);
    h.segments = prove_reader();
    h.segments_left = (uint8_t)Frama_C_interval(0, 255);
    (void)rocecc_srh_emit(&out, &h);
}
