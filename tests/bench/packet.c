/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * packet.c - packet ROW: runs rocecc_packet_of() and the overlay 100 times each on one
 * row of vectors/frame.vec; bench.sh counts the instructions of both.
 */
#include <stdio.h>

#include "../../examples/lib/vec.h"
#include "overlay.h"

#define NOINLINE __attribute__((noinline))
#define ROUNDS 100

NOINLINE rocecc_status by_hand(const rocecc_domain *d, rocecc_reader frame,
                               rocecc_packet *p);
NOINLINE rocecc_status by_rocecc(const rocecc_domain *d, rocecc_reader frame,
                                 rocecc_packet *p);

NOINLINE rocecc_status by_hand(const rocecc_domain *d, rocecc_reader frame,
                               rocecc_packet *p)
{
    p->bytes = frame;
    p->domain = d;
    return overlay_locate(d, frame, &p->where);
}

NOINLINE rocecc_status by_rocecc(const rocecc_domain *d, rocecc_reader frame,
                                 rocecc_packet *p)
{
    return rocecc_packet_of(d, frame, p);
}

/* Of a packet without a BTH, only that it has none. */
static int same(const rocecc_packet *a, const rocecc_packet *b)
{
    rocecc_where x = a->where, y = b->where;
    if (x.bth == 0) return y.bth == 0;
    return memcmp(&x, &y, sizeof x) == 0; /* no padding is in it */
}

typedef struct wanted {
    const char *id;
    int ran;
} wanted;

static void each(const vec_row *row, void *arg)
{
    const rocecc_domain d = {.csig = {0x9900, 0x9901, false},
                             .ifa = {.protocol = 253},
                             .intmd = {.udp_port = 5000}};
    const rocecc_reader r = rocecc_reader_of(row->bytes, row->bytes + row->n);
    wanted *w = arg;
    rocecc_packet a, b;
    int i;
    if (strcmp(row->id, w->id) != 0) return;
    for (i = 0; i < ROUNDS; i++)
        w->ran += by_rocecc(&d, r, &a) == by_hand(&d, r, &b) && same(&a, &b);
}

int main(int argc, char **argv)
{
    wanted w = {argc == 2 ? argv[1] : "", 0};
    vec_read("vectors/frame.vec", each, &w);
    return w.ran != ROUNDS;
}
