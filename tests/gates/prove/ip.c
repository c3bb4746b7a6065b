/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-slevel 300 -eva-slevel-function law_ip6ext:3000 */
#define PROVE_BYTES 72               /* an IPv6 header and four extension headers */
#define ROCECC_CHECKSUM_MAX_BYTES 64 /* low, so that the loop also reaches it */
#include "law/ip.h"
#include "prove.h"

/* Parses and patches any bytes, even without a whole header, and copies them. */
static void patch_any(void)
{
    rocecc_reader r = prove_reader();
    rocecc_writer out = prove_writer();
    rocecc_ipv46 h;
    Frama_C_make_unknown((char *)out.base, PROVE_BYTES);
    (void)rocecc_ipv46_parse(r, &h);
    (void)rocecc_ipv46_patch(out, (rocecc_ecn)Frama_C_interval(0, 255),
                             (uint8_t)Frama_C_interval(0, 255));
    (void)rocecc_append(&out, r, 40);
    (void)rocecc_append(&out, r, PROVE_BYTES);
}

void main(void)
{
    rocecc_writer out = prove_writer();
    rocecc_reader any = prove_reader();
    rocecc_ip6ext ext;
    uint8_t type = (uint8_t)Frama_C_interval(0, 255);
    rocecc_ipv4 v4 = {0};
    rocecc_ipv6 v6 = {0};
    rocecc_ip6frag frag = {0};
    (void)law_ip(prove_reader());
    (void)rocecc_ip6ext_next(&any, &type, &ext);
    (void)rocecc_ipv4_checksum(prove_reader());
    (void)rocecc_checksum_final(
        rocecc_checksum_update((uint32_t)prove_any(), prove_reader()));
    v4.dscp = (uint8_t)Frama_C_interval(0, 255);
    v4.ecn = (uint8_t)Frama_C_interval(0, 255);
    v4.fragment_offset = (uint16_t)Frama_C_interval(0, 65535);
    v4.total_length = (uint16_t)Frama_C_interval(0, 65535);
    v4.options = prove_reader();
    (void)rocecc_ipv4_emit(&out, &v4);
    v6.dscp = v4.dscp;
    v6.ecn = v4.ecn;
    v6.flow_label = (uint32_t)prove_any();
    (void)rocecc_ipv6_emit(&out, &v6);
    frag.fragment_offset = v4.fragment_offset;
    frag.res = v4.ecn;
    (void)rocecc_ip6frag_emit(&out, &frag);
    patch_any();
}
