/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * libtins.cc - compares the test for a CNP, and its QP, with libtins. libtins makes an
 * object per header, as in a C++ program, and leaves the opcode and the QP in the
 * payload of UDP.
 *
 * bench: with: g++ -O2
 * bench: with: clang++-19 -O2
 * bench: pkg: libtins
 */
#include "bench.h"

#include "by_hand.h"
#include "traffic.h"
#include "rocecc/packet/cnp.h"

#include <tins/tins.h>

static const uint32_t not_a_cnp = UINT32_MAX;
static rocecc_domain domain; /* all off, but compilers do not know it */

static uint32_t by_library(const traffic_frame *f)
{
    rocecc_packet p;
    if (rocecc_packet_parse(&domain, rocecc_reader_of(f->b, f->b + f->n), &p) !=
            ROCECC_OK ||
        !rocecc_cnp_match(&p))
        return not_a_cnp;
    return hand_load32(f->b + p.headers.bth + 4) & 0xffffff;
}

static uint32_t by_libtins(const traffic_frame *f)
{
    try {
        const Tins::EthernetII frame(f->b, f->n);
        const Tins::UDP *udp = frame.find_pdu<Tins::UDP>();
        const Tins::RawPDU *data;
        if (udp == NULL || udp->dport() != 4791) return not_a_cnp;
        data = udp->find_pdu<Tins::RawPDU>();
        if (data == NULL || data->payload_size() < 12 || data->payload()[0] != 0x81)
            return not_a_cnp;
        return hand_load32(&data->payload()[4]) & 0xffffff;
    } catch (const Tins::malformed_packet &) {
        return not_a_cnp;
    }
}

static void ours(unsigned i)
{
    const uint32_t qp = by_library(&traffic[i % TRAFFIC_FRAMES]);
    bench_keep(qp);
}

static void theirs(unsigned i)
{
    const uint32_t qp = by_libtins(&traffic[i % TRAFFIC_FRAMES]);
    bench_keep(qp);
}

static const bench_row rows[] = {
    {"is it a CNP, beside objects", "libtins", ours, theirs, BENCH_BOTH, 1.0},
};

int main(int argc, char **argv)
{
    unsigned i;
    bench_keep(&domain);
    traffic_make();
    for (i = 0; i < TRAFFIC_FRAMES; i++)
        if (by_library(&traffic[i]) != by_libtins(&traffic[i]))
            bench_differs("libtins", i);
    return BENCH_MAIN(rows);
}
