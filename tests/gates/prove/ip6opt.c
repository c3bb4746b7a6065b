/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-slevel 500 */
#define PROVE_BYTES 32 /* 9 options or 8 bytes of padding fit, one above each limit */
#include "law/ip6opt.h"
#include "prove.h"

void main(void)
{
    static const uint8_t long_list[ROCECC_IP6OPTS_MAX_BYTES + 1];
    rocecc_writer out = prove_writer();
    rocecc_ip6opts h = {59, rocecc_reader_of(long_list, long_list + sizeof long_list)};
    (void)law_ip6opt(prove_reader());
    (void)rocecc_ip6opt_pad_emit(&out, prove_any());
    (void)rocecc_ip6opts_emit(&out, &h);
    h.options = prove_reader();
    (void)rocecc_ip6opts_emit(&out, &h);
}
