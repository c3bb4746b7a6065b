/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * frame.c - frame ROW: runs rocecc_frame_locate() and the overlay 100 times each on one
 * row of vectors/frame.vec; bench.sh counts the instructions of both.
 */
#include <stdio.h>

#include "../lib/vec.h"
#include "overlay.h"

#define NOINLINE __attribute__((noinline))
#define ROUNDS 100

NOINLINE rocecc_status by_hand(const rocecc_frame_config *c, rocecc_reader frame,
                               rocecc_frame *f);
NOINLINE rocecc_status by_rocecc(const rocecc_frame_config *c, rocecc_reader frame,
                                 rocecc_frame *f);

NOINLINE rocecc_status by_hand(const rocecc_frame_config *c, rocecc_reader frame,
                               rocecc_frame *f)
{
    return overlay_locate(c, frame, f);
}

NOINLINE rocecc_status by_rocecc(const rocecc_frame_config *c, rocecc_reader frame,
                                 rocecc_frame *f)
{
    return rocecc_frame_locate(c, frame, f);
}

typedef struct wanted {
    const char *id;
    int ran;
} wanted;

static void each(const vec_row *row, void *arg)
{
    const rocecc_frame_config c = {
        .csig = {0x9900, 0x9901, false}, .ifa_protocol = 253, .intmd_port = 5000};
    const rocecc_reader r = rocecc_reader_of(row->bytes, row->bytes + row->n);
    wanted *w = arg;
    rocecc_frame a, b;
    int i;
    if (strcmp(row->id, w->id) != 0) return;
    for (i = 0; i < ROUNDS; i++)
        w->ran += by_rocecc(&c, r, &a) == by_hand(&c, r, &b) && a.bth == b.bth;
}

int main(int argc, char **argv)
{
    wanted w = {argc == 2 ? argv[1] : "", 0};
    vec_read("vectors/frame.vec", each, &w);
    return w.ran != ROUNDS;
}
