/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Writes a whole Fast CNP of either kind over the packet, with the ICRC. If the kind is
 * IOAM, it also copies the trace.
 */
#include "bpf.h"
#include "rocecc/packet/build.h"

rocecc_domain domain; /* in a map, because the stack has no room */

__attribute__((noinline)) int build(struct xdp_md *x, const rocecc_cnp *cnp)
{
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_packet p;
    rocecc_fastcnp h;
    if (cnp == NULL) return 0;
    h.kind = cnp->dscp > 0 ? ROCECC_FASTCNP_IOAM : ROCECC_FASTCNP_PLAIN;
    h.flow_dst = cnp->dst;
    h.reserved = h.opt_type = 0;
    p.bytes = rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    p.domain = &domain;
    h.trace_bytes = (uint16_t)rocecc_left(&p.bytes);
    h.trace_at = h.at = 0;
    return (int)rocecc_fastcnp_build(&w, &p, ROCECC_ICRC_STRIPPED, cnp, &h);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    const rocecc_cnp cnp = rocecc_cnp_default();
    domain.fastcnp.type_plain = ROCECC_FASTCNP_LAB_PLAIN;
    return build(x, &cnp);
}
