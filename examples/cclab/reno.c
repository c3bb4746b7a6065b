/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * reno.c - a flow like TCP's, as competing traffic, with slow start, a packet more per
 * round trip, and half the window after a loss (RFC 5681). Its packets are not
 * ECN-capable.
 */
#include "lab.h"

/* Sets the window in wire bytes, rounded up to whole packets. */
static void window(lab *l, lab_flow *x)
{
    const uint64_t packet = l->mtu + x->around_bytes;
    lab_set(l, x, 0, (x->at.reno.window_bytes + l->mtu - 1) / l->mtu * packet);
}

static void start(lab *l, lab_flow *x)
{
    x->at.reno.window_bytes = UINT64_C(10) * l->mtu; /* RFC 6928 */
    x->at.reno.threshold_bytes = UINT64_MAX;
    window(l, x);
}

static void data(lab *l, lab_flow *x, lab_packet *p)
{
    (void)l;
    (void)x;
    rocecc_ipv6_ecn_store(p->b + p->f.ip.offset, ROCECC_ECN_NOT_ECT);
}

/* Sets threshold and window to half of flight_bytes, but at least two packets. */
static void cut(lab *l, lab_flow *x, uint64_t flight_bytes)
{
    x->at.reno.threshold_bytes = rocecc_max(flight_bytes / 2, UINT64_C(2) * l->mtu);
    x->at.reno.window_bytes = x->at.reno.threshold_bytes;
}

static void acked(lab *l, lab_flow *x, const lab_packet *p, uint64_t bytes, bool lost)
{
    const uint64_t w = x->at.reno.window_bytes;
    (void)p;
    if (lost)
        cut(l, x, w);
    else if (w < x->at.reno.threshold_bytes)
        x->at.reno.window_bytes += rocecc_min(bytes, l->mtu);
    else
        x->at.reno.window_bytes += rocecc_max(l->mtu * bytes / w, 1);
    window(l, x);
}

static void silence(lab *l, lab_flow *x)
{
    cut(l, x, x->at.reno.window_bytes);
    x->at.reno.window_bytes = l->mtu;
    window(l, x);
}

const lab_scheme lab_reno = {.name = "reno",
                             .what = "TCP: a loss halves the window",
                             .start = start,
                             .data = data,
                             .acked = acked,
                             .silence = silence};
