/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * packet.c - measures the test for a CNP, and its QP, in a traffic mix. It compares the
 * library with hand-written code for RoCEv2 only, and with an overlay that has the
 * library's bounds and all of its formats on the way to a BTH.
 *
 * bench: with: gcc -O2
 * bench: with: gcc -Os
 * bench: with: clang-19 -O2
 * bench: with: clang-19 -Os
 */
#include "bench.h"

#include "../../../examples/lib/vec.h"
#include "by_hand.h"
#include "overlay.h"
#include "traffic.h"
#include "rocecc/packet/cnp.h"

#define NOT_A_CNP UINT32_MAX

/*
 * Formats without a fixed number are off. Compilers know this only for the second
 * domain.
 */
static rocecc_domain domain;
static const rocecc_domain fixed_domain = ROCECC_ZERO;

/* Returns the DestQP of a CNP, the last three of bytes 4 to 7 of its BTH. */
static inline uint32_t qp_of(const uint8_t *b, size_t bth)
{
    return hand_load32(b + bth + 4) & 0xffffff;
}

INLINED uint32_t by_domain(const rocecc_domain *d, const traffic_frame *f,
                           rocecc_packet *p)
{
    if (rocecc_packet_parse(d, rocecc_reader_of(f->b, f->b + f->n), p) != ROCECC_OK ||
        !rocecc_cnp_match(p))
        return NOT_A_CNP;
    return qp_of(f->b, p->headers.bth);
}

INLINED uint32_t by_library(const traffic_frame *f, rocecc_packet *p)
{
    return by_domain(&domain, f, p);
}

INLINED uint32_t by_fixed(const traffic_frame *f, rocecc_packet *p)
{
    return by_domain(&fixed_domain, f, p);
}

INLINED uint32_t by_hand(const traffic_frame *f, hand_bth *h)
{
    if (!hand_find(f->b, f->n, h) || h->opcode != 0x81) return NOT_A_CNP;
    return qp_of(f->b, h->bth);
}

INLINED uint32_t by_overlay(const traffic_frame *f, overlay *o)
{
    if (!overlay_is_cnp(&domain, f->b, f->n, o)) return NOT_A_CNP;
    return qp_of(f->b, o->bth);
}

/* The header offsets are dropped, or kept for the next stage. */
#define SIDES(side, found_type)                                                        \
    static void side##_asked(unsigned i)                                               \
    {                                                                                  \
        found_type found;                                                              \
        const uint32_t qp = by_##side(&traffic[i % TRAFFIC_FRAMES], &found);           \
        bench_keep(qp);                                                                \
    }                                                                                  \
    static void side##_kept(unsigned i)                                                \
    {                                                                                  \
        found_type found;                                                              \
        const uint32_t qp = by_##side(&traffic[i % TRAFFIC_FRAMES], &found);           \
        bench_keep(qp);                                                                \
        bench_keep(&found);                                                            \
    }
SIDES(library, rocecc_packet)
SIDES(hand, hand_bth)
SIDES(overlay, overlay)

static void fixed_asked(unsigned i)
{
    rocecc_packet found;
    const uint32_t qp = by_fixed(&traffic[i % TRAFFIC_FRAMES], &found);
    bench_keep(qp);
}

/*
 * Checks that the overlay and the library agree on each row that begins with Ethernet
 * and has no LLC, PPPoE or MPLS.
 */
static void each(const vec_row *row, void *arg)
{
    static const rocecc_domain on = {.ah = true,
                                     .tag = {0x9100, 0x893f, 0x8926, 0xd28b},
                                     .csig = {0x9900, 0x9901, false},
                                     .ifa = {.protocol = 253},
                                     .intmd = {.udp_port = 5000}};
    const rocecc_reader r = rocecc_reader_of(row->bytes, row->bytes + row->n);
    unsigned *with_bth = arg;
    rocecc_packet p;
    overlay o;
    bool found;
    if (vec_value(row->in, row->n_in, "link") != NULL ||
        vec_value(row->out, row->n_out, "link") != NULL ||
        strstr(row->id, "mpls") != NULL)
        return;
    found = rocecc_packet_parse(&on, r, &p) == ROCECC_OK &&
            p.headers.partial == ROCECC_PARTIAL_NONE;
    if (found != overlay_locate(&on, row->bytes, row->n, &o) ||
        (found &&
         (p.headers.bth != o.bth || p.headers.end != o.end || p.headers.udp != o.udp ||
          p.headers.csig != o.csig || p.headers.cntag != o.cntag ||
          p.headers.ifa != o.ifa || p.headers.intmd != o.intmd ||
          p.headers.n_vlan != o.n_vlan ||
          (o.udp != 0 ? p.headers.ip.offset : p.headers.grh) != o.ip ||
          rocecc_cnp_match(&p) != overlay_is_cnp(&on, row->bytes, row->n, &o)))) {
        fprintf(stderr, "bench: the overlay differs on %s\n", row->id);
        exit(1);
    }
    *with_bth += found;
}

static void same(void)
{
    unsigned i, cnps = 0;
    for (i = 0; i < TRAFFIC_FRAMES; i++) {
        const traffic_frame *f = &traffic[i];
        rocecc_packet p;
        hand_bth h = {0, 0, 0, 0, 0, 0};
        overlay o;
        const uint32_t qp = by_library(f, &p);
        if (by_fixed(f, &p) != qp) bench_differs("a constant domain", i);
        if ((qp != NOT_A_CNP) != f->is_cnp) bench_differs("the traffic", i);
        if (by_overlay(f, &o) != qp) bench_differs("the overlay", i);
        if (by_hand(f, &h) != qp ||
            (qp != NOT_A_CNP &&
             (h.ip != p.headers.ip.offset || h.udp != p.headers.udp ||
              h.bth != p.headers.bth || h.end != p.headers.end ||
              h.version != p.headers.ip.version)))
            bench_differs("code by hand", i);
        cnps += f->is_cnp;
    }
    if (cnps < TRAFFIC_FRAMES / 50) bench_differs("the traffic", cnps);
}

#if defined(__clang__)
#define GOAL 1.7
#define OVERLAY_GOAL 1.6
#else
#define GOAL 1.6
#define OVERLAY_GOAL 1.4
#endif

static const bench_row rows[] = {
    {"is it a CNP", "by hand", library_asked, hand_asked, BENCH_BOTH, GOAL},
    {"is it a CNP, offsets kept", "by hand", library_kept, hand_kept, BENCH_BOTH, GOAL},
    {"is it a CNP, the domain a constant", "by hand", fixed_asked, hand_asked,
     BENCH_BOTH, 1.3},
    {"is it a CNP, all formats", "overlay", library_asked, overlay_asked,
     BENCH_INSTRUCTIONS, OVERLAY_GOAL},
    {"is it a CNP, all formats, offsets kept", "overlay", library_kept, overlay_kept,
     BENCH_INSTRUCTIONS, OVERLAY_GOAL},
};

int main(int argc, char **argv)
{
    unsigned with_bth = 0;
    bench_keep(&domain);
    vec_read("vectors/frame.vec", each, &with_bth);
    vec_read("vectors/packet.vec", each, &with_bth);
    if (with_bth < 200) bench_differs("the overlay", with_bth);
    traffic_make();
    same();
    return BENCH_MAIN(rows);
}
