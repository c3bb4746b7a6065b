/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-slevel 4000 */
#define PROVE_BYTES 48 /* more than all tags together */
#include "law/frame.h"
#include "prove.h"

/* Any TPIDs, even types that mean something else. */
static rocecc_frame_config config(void)
{
    rocecc_frame_config c = {0};
    c.csig.compact_tpid = (uint16_t)Frama_C_interval(0, 0xffff);
    c.csig.wide_tpid = (uint16_t)Frama_C_interval(0, 0xffff);
    return c;
}

/*
 * The tags of a frame at offset 0 that ends anywhere: as many, as long and in such
 * places as frame.h promises, and their lengths add up to where the next header is.
 */
static void tags(void)
{
    const rocecc_frame_config c = config();
    rocecc_frame_walk_ w;
    rocecc_frame f;
    uint16_t type = 0;
    rocecc_status status;
    w.r = rocecc_reader_of(prove_bytes, prove_bytes + PROVE_BYTES);
    w.r.end = (size_t)Frama_C_interval(0, PROVE_BYTES);
    w.declared = UINT32_MAX;
    rocecc_frame_clear_(&f);
    status = rocecc_frame_ether_(&c, &w, &f, &type);
    /*@ assert f.n_vlan <= ROCECC_FRAME_VLAN_MAX; */
    /*@ assert f.csig_bytes == 0 || f.csig_bytes == 4 || f.csig_bytes == 8; */
    /*@ assert f.csig == 0 || f.csig == 12 || f.csig == 16 || f.csig == 20; */
    /*@ assert f.cntag == 0 || 12 <= f.cntag <= 32; */
    /*@ assert f.csig == 0 <==> f.csig_bytes == 0; */
    if (status != ROCECC_OK) return;
    /*@ assert w.r.at <= w.r.end; */
    if (f.cntag == 0) {
        /*@ assert w.r.at == 14 + 4 * f.n_vlan + f.csig_bytes; */
    } else {
        /*@ assert w.r.at == f.cntag + 6; */
        /*@ assert f.cntag == 12 + 4 * f.n_vlan + f.csig_bytes; */
    }
}

/* A frame that was located elsewhere: offsets beyond the buffer, too. */
static void vlan_any(void)
{
    static rocecc_frame f;
    rocecc_reader r;
    rocecc_vlan tag;
    Frama_C_make_unknown((char *)&f, sizeof f);
    r = rocecc_frame_vlan(prove_reader(), &f, Frama_C_interval(0, 2));
    (void)rocecc_vlan_parse(&r, &tag);
}

void main(void)
{
    Frama_C_make_unknown((char *)prove_bytes, PROVE_BYTES);
    tags();
    /*@ slevel merge; */
    vlan_any();
}
