/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * frame.c - runs rocecc_frame_locate() and the overlay on one frame, so often; bench.sh
 * counts the instructions of both.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../lib/vec.h"
#include "overlay.h"

#define NOINLINE __attribute__((noinline))

static NOINLINE rocecc_status by_hand(const rocecc_frame_config *c, rocecc_reader frame,
                                      rocecc_frame *f)
{
    return overlay_locate(c, frame, f);
}

static NOINLINE rocecc_status by_rocecc(const rocecc_frame_config *c,
                                        rocecc_reader frame, rocecc_frame *f)
{
    return rocecc_frame_locate(c, frame, f);
}

/* One line of hex per frame on stdin. */
int main(int argc, char **argv)
{
    static char line[8192];
    const rocecc_frame_config c = {0};
    const long rounds = argc > 1 ? atol(argv[1]) : 1;
    int bad = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        uint8_t bytes[4096];
        rocecc_frame a, b;
        rocecc_reader r;
        unsigned byte;
        size_t n;
        long i;
        for (n = 0; sscanf(line + 2 * n, "%2x", &byte) == 1; n++)
            bytes[n] = (uint8_t)byte;
        r = rocecc_reader_of(bytes, bytes + n);
        for (i = 0; i < rounds; i++) {
            (void)by_rocecc(&c, r, &a);
            (void)by_hand(&c, r, &b);
        }
        if (a.status != b.status || a.kind != b.kind || a.stopped != b.stopped ||
            a.bth != b.bth || a.end != b.end || a.ip.upper != b.ip.upper ||
            a.outer.end != b.outer.end || a.ip.n_ext != b.ip.n_ext) {
            fprintf(stderr, "they differ on %s", line);
            bad = 1;
        }
    }
    return bad;
}
