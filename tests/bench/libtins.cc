/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * libtins.cc - whether a frame is a CNP, beside libtins: an object for each header, as
 * a program in C++ would have them, and the opcode from what is after UDP. An opcode
 * of RoCEv1 it does not look for.
 *
 * bench: with: g++ -O2
 * bench: with: clang++-19 -O2
 * bench: pkg: libtins
 */
#include "bench.h"

#include "rocecc/packet/cnp.h"
extern "C" {
#include "../../examples/lib/vec.h"
}

#include <tins/tins.h>

#define FRAMES 16

static const char *const mix[FRAMES] = {"cx4-cnp",   "uc-send4", "uc-send4", "uc-send4",
                                        "ack",       "ack",      "cnp4",     "cnp6",
                                        "uc-send6",  "uc-send6", "write6",   "ctag",
                                        "stag-ctag", "fc-trail", "v1-write", "arp"};

static vec_packet frames[FRAMES];
static rocecc_domain domain; /* all off, which compilers do not know */

static bool ours_is(const vec_packet *f)
{
    rocecc_packet p;
    return rocecc_packet_of(&domain, rocecc_reader_of(f->bytes, f->bytes + f->n), &p) ==
               ROCECC_OK &&
           rocecc_cnp_match(&p);
}

static bool theirs_is(const vec_packet *f)
{
    try {
        const Tins::EthernetII frame(f->bytes, (uint32_t)f->n);
        const Tins::UDP *udp = frame.find_pdu<Tins::UDP>();
        const Tins::RawPDU *data;
        if (udp == NULL || udp->dport() != 4791) return false;
        data = udp->find_pdu<Tins::RawPDU>();
        return data != NULL && data->payload_size() >= 12 && data->payload()[0] == 0x81;
    } catch (const Tins::malformed_packet &) {
        return false;
    }
}

static void ours(unsigned i)
{
    const bool is = ours_is(&frames[i % FRAMES]);
    bench_keep(is);
}

static void theirs(unsigned i)
{
    const bool is = theirs_is(&frames[i % FRAMES]);
    bench_keep(is);
}

static const bench_row rows[] = {
    {"is it a CNP, beside objects", "libtins", ours, theirs, BENCH_INSTRUCTIONS, 1.0},
};

int main(int argc, char **argv)
{
    unsigned i;
    bench_keep(&domain);
    for (i = 0; i < FRAMES; i++) {
        frames[i] = vec_find("vectors/frame.vec", mix[i]);
        if (ours_is(&frames[i]) == theirs_is(&frames[i])) continue;
        fprintf(stderr, "bench: libtins says something else of %s\n", mix[i]);
        return 1;
    }
    return BENCH_MAIN(rows);
}
