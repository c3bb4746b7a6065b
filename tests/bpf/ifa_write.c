/* SPDX-License-Identifier: BSD-2-Clause */

/* What nodes write into a packet whose gaps are open, by any plan. */
#include "bpf.h"
#include "rocecc/wire/ifa.h"

static __attribute__((always_inline)) rocecc_writer packet(struct xdp_md *x)
{
    return rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
}

__attribute__((noinline)) int push(struct xdp_md *x, const rocecc_ifa_config *c,
                                   const rocecc_ifa_plan *p, const rocecc_ifa_node *n)
{
    if (c == NULL || p == NULL || n == NULL) return 0;
    return (int)rocecc_ifa_push(c, packet(x), p, n);
}

__attribute__((noinline)) int strip(struct xdp_md *x, const rocecc_ifa_plan *p)
{
    if (p == NULL) return 0;
    return (int)rocecc_ifa_strip(packet(x), p);
}

__attribute__((noinline)) int insert(struct xdp_md *x, const rocecc_ifa_config *c,
                                     const rocecc_ifa_plan *p,
                                     const rocecc_ifa_header *h,
                                     const rocecc_ifa_metadata *m)
{
    if (c == NULL || p == NULL || h == NULL || m == NULL) return 0;
    return (int)rocecc_ifa_insert(c, packet(x), p, h, m);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    const rocecc_ifa_config c = {ROCECC_IFA_LAB_PROTOCOL, ROCECC_IFA_LAB_LAYOUT_A,
                                 ROCECC_IFA_LAB_LAYOUT_B};
    const rocecc_ifa_header h = {2, 0xf, 0, ROCECC_IFA_FLAG_I, 0xff};
    const rocecc_ifa_metadata m = {0xff, 0, 0xff, 0};
    const rocecc_ifa_plan p = {0, 0, 0, 0, {0, 0}, {0, 0}};
    rocecc_ifa_node n = {0};
    rocecc_ifa_config off = {0, 0, 0};
    return push(x, &c, &p, &n) + strip(x, &p) + insert(x, &c, &p, &h, &m) +
           (rocecc_ifa_init(&off) == ROCECC_IFA_REFUSED_OFF);
}
