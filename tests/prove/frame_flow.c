/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-slevel 4000 */
#define PROVE_BYTES 160 /* two IPv6 headers, extension headers and the ports */
#include "prove.h"
#include "rocecc/wire/frame.h"

static rocecc_frame f;

/* Whatever stands in the located frame, offsets beyond the buffer, too. */
static void flow_any(void)
{
    static rocecc_flow in, out;
    rocecc_status status;
    Frama_C_make_unknown((char *)&f, sizeof f);
    Frama_C_make_unknown((char *)&out, sizeof out);
    status = rocecc_frame_flow(prove_reader(), &f, &in);
    /*@ assert status == ROCECC_OK || status == ROCECC_NO_MATCH ||
               status == ROCECC_ERR_SHORT || status == ROCECC_ERR_FORMAT; */
    (void)rocecc_flow_match(&in, &out);
    (void)rocecc_frame_outer_flow(prove_reader(), &f, &out);
}

/*
 * Ports are within the packet: the upper layer of an IPv4 packet begins at 20, the
 * packet ends so much further, and so does what is there of it.
 */
static void flow_ends(void)
{
    unsigned bytes, left;
    prove_bytes[0] = 0x45;
    prove_bytes[6] = prove_bytes[7] = 0;
    //@ loop unroll 9;
    for (bytes = 0; bytes <= 8; bytes++)
        //@ loop unroll 9;
        for (left = 0; left <= 8; left++) {
            rocecc_reader r = rocecc_reader_of(prove_bytes, prove_bytes + 20 + left);
            rocecc_flow flow;
            rocecc_status status;
            rocecc_frame_clear_(&f);
            rocecc_store16(prove_bytes + 2, (uint16_t)(20 + bytes));
            f.status = ROCECC_NO_MATCH;
            f.stopped = ROCECC_LAYER_UPPER;
            f.ip.version = 4;
            f.ip.proto = ROCECC_PROTO_TCP;
            f.ip.upper = 20;
            f.ip.end = 20 + bytes;
            status = rocecc_frame_flow(r, &f, &flow);
            /*@ assert status == ROCECC_OK <==> bytes >= 4 && left >= 4; */
            /*@ assert status == ROCECC_ERR_FORMAT <==> bytes < 4; */
        }
}

void main(void)
{
    flow_ends();
    /*@ slevel merge; */
    flow_any();
}
