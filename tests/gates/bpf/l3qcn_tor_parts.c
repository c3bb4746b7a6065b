/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Runs parts of learn() and convert(). l3qcn_tor_origin.c has another part, and
 * flowtable.c has the table. packet_parse_as.c and packet_flow.c read an MSDU.
 */
#define ROCECC_FLOWTABLE_BPF_BUCKETS 4
#include "bpf.h"
#include "rocecc/role/l3qcn_tor_learn.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_l3qcn_tor_config c; /* in maps */
rocecc_flowtable_bucket bucket[4];
rocecc_flowtable_slot slot[4 * ROCECC_FLOWTABLE_WAYS];
rocecc_flowtable_origin origin;
rocecc_l3qcn_tor s;
rocecc_l3qcn_tor_port ports[4];
rocecc_l3qcn_tor_gate gate;
rocecc_admission_source sources[4];
uint32_t any;

__attribute__((noinline)) int start(void)
{
    const rocecc_flowtable_memory memory = {bucket, slot};
    c.table.buckets = 4;
    return rocecc_l3qcn_tor_start(&c, &memory).table.used != 0;
}

__attribute__((noinline)) int is_one(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return rocecc_l3qcn_tor_is_l3qcn_(&p);
}

/* Returns an event on the stack, with its arrays in maps. */
static __attribute__((always_inline)) rocecc_l3qcn_tor_event event(void)
{
    rocecc_l3qcn_tor_event e = {0};
    e.admission.now_ns = any;
    e.admission.sources = sources;
    e.admission.n_sources = 4;
    e.memory.bucket = bucket;
    e.memory.slot = slot;
    e.port = any;
    e.ports = ports;
    e.n_ports = 4;
    return e;
}

/* Checks S5 and S6 for a frame. */
__attribute__((noinline)) int admit(void)
{
    const rocecc_l3qcn_tor_event e = event();
    return rocecc_l3qcn_tor_admit_(&c, &e);
}

/* Checks S4 and the second half of S8. l3qcn_tor_verify.c checks the first half. */
__attribute__((noinline)) int finish(void)
{
    const rocecc_l3qcn_tor_event e = event();
    return rocecc_l3qcn_tor_pass_gate_(&c, &gate, any & 63, any) +
           (int)rocecc_l3qcn_tor_admission_verdict_(
               rocecc_admission_finish(&c.admission, &s.admission, &e.admission, any));
}

/*
 * Converts the PDU that begins at the packet's 93rd byte into a CNM, with an origin as
 * in the table.
 */
__attribute__((noinline)) int write(struct xdp_md *x)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_reader cnm = r, pdu = r;
    const rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_l3qcn h = {0};
    rocecc_cnm_head head;
    size_t start, bytes;
    if (rocecc_take(&pdu, 92) == NULL ||
        rocecc_cnm_parse(&domain.l3qcn.cnm, &pdu, &h.cnm) != ROCECC_OK)
        return 0;
    h.pdu_offset = 92;
    head = rocecc_l3qcn_tor_make_head_(&c, &origin);
    if (!rocecc_l3qcn_tor_fits_(&w, &h, &head, &start, &bytes)) return 0;
    return rocecc_l3qcn_tor_needs_action(
        rocecc_l3qcn_tor_write_cnm_(&c, w, &h, &origin, &head, start, bytes, &cnm));
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    c = rocecc_l3qcn_tor_default();
    (void)walk(x);
    return start() + is_one(x) + write(x) + admit() + finish();
}
#endif
