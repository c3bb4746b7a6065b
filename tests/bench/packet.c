/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * packet.c - what it costs to find out whether a frame is a CNP, in traffic as it is:
 * both versions of IP, tags, data, ACKs, CNPs, and a frame in 16 that is no RoCE.
 *
 * bench: with: gcc -O2
 * bench: with: gcc -Os
 * bench: with: clang-19 -O2
 */
#include "bench.h"

#include "../../examples/lib/vec.h"
#include "overlay.h"
#include "rocecc/packet/cnp.h"

#define FRAMES 16

static const char *const mix[FRAMES] = {"cx4-cnp",   "uc-send4", "uc-send4", "uc-send4",
                                        "ack",       "ack",      "cnp4",     "cnp6",
                                        "uc-send6",  "uc-send6", "write6",   "ctag",
                                        "stag-ctag", "fc-trail", "v1-write", "arp"};

static vec_packet frames[FRAMES];
static rocecc_domain
    domain; /* all that is unassigned is off, which compilers do not know */

/* Both say the same of every row that begins with Ethernet; all else ends the bench. */
static void each(const vec_row *row, void *arg)
{
    static const rocecc_domain on = {.csig = {0x9900, 0x9901, false},
                                     .ifa = {.protocol = 253},
                                     .intmd = {.udp_port = 5000}};
    const rocecc_reader r = rocecc_reader_of(row->bytes, row->bytes + row->n);
    unsigned *with_bth = arg;
    rocecc_packet p;
    overlay o;
    bool found;
    if (vec_value(row->in, row->n_in, "link") != NULL) return;
    found = rocecc_packet_of(&on, r, &p) == ROCECC_OK &&
            p.where.kind != ROCECC_KIND_TRIMMED;
    if (found != overlay_locate(&on, row->bytes, row->n, &o) ||
        (found &&
         (p.where.bth != o.bth || p.where.end != o.end || p.where.udp != o.udp ||
          p.where.csig != o.csig || p.where.cntag != o.cntag || p.where.ifa != o.ifa ||
          p.where.intmd != o.intmd || p.where.n_vlan != o.n_vlan ||
          (o.udp != 0 ? p.where.ip.at : p.where.grh) != o.ip ||
          rocecc_cnp_match(&p) != overlay_is_cnp(&on, row->bytes, row->n, &o)))) {
        fprintf(stderr, "bench: the overlay says something else of %s\n", row->id);
        exit(1);
    }
    *with_bth += found;
}

static void ours(unsigned i)
{
    const vec_packet *f = &frames[i % FRAMES];
    rocecc_packet p;
    bool is = rocecc_packet_of(&domain, rocecc_reader_of(f->bytes, f->bytes + f->n),
                               &p) == ROCECC_OK;
    is = is && rocecc_cnp_match(&p);
    bench_keep(is);
}

static void theirs(unsigned i)
{
    const vec_packet *f = &frames[i % FRAMES];
    overlay o;
    const bool is = overlay_is_cnp(&domain, f->bytes, f->n, &o);
    bench_keep(is);
}

/* The same where what was found is kept for the next stage. */
static void ours_kept(unsigned i)
{
    const vec_packet *f = &frames[i % FRAMES];
    rocecc_packet p;
    bool is = rocecc_packet_of(&domain, rocecc_reader_of(f->bytes, f->bytes + f->n),
                               &p) == ROCECC_OK;
    is = is && rocecc_cnp_match(&p);
    bench_keep(is);
    bench_keep(&p);
}

static void theirs_kept(unsigned i)
{
    const vec_packet *f = &frames[i % FRAMES];
    overlay o;
    const bool is = overlay_is_cnp(&domain, f->bytes, f->n, &o);
    bench_keep(is);
    bench_keep(&o);
}

#if defined(__clang__)
#define GOAL 1.6
#else
#define GOAL 1.4
#endif

static const bench_row rows[] = {
    {"is it a CNP, mixed traffic", "overlay", ours, theirs, BENCH_INSTRUCTIONS, GOAL},
    {"the same, offsets kept", "overlay", ours_kept, theirs_kept, BENCH_INSTRUCTIONS,
     GOAL},
};

int main(int argc, char **argv)
{
    unsigned i, with_bth = 0;
    bench_keep(&domain);
    vec_read("vectors/frame.vec", each, &with_bth);
    for (i = 0; i < FRAMES; i++)
        frames[i] = vec_find("vectors/frame.vec", mix[i]);
    return with_bth < 100 || BENCH_MAIN(rows);
}
