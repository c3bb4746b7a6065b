/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-slevel 4000 */
#define PROVE_BYTES 1112 /* past the longest stack */
#define AT 40            /* what stands behind the IP header */
#include "law/frame.h"
#include "prove.h"

/* A capture and a datagram that end anywhere; UDP has this length. */
static rocecc_frame_walk_ walk(rocecc_frame *f, size_t udp, uint16_t length)
{
    rocecc_frame_walk_ w;
    w.r = rocecc_reader_of(prove_bytes, prove_bytes + PROVE_BYTES);
    w.r.at = AT;
    w.r.end = (size_t)Frama_C_interval(AT, PROVE_BYTES);
    w.declared = (size_t)Frama_C_interval(AT, 0x1ffff);
    rocecc_store16(prove_bytes + udp + 2, 5000);
    rocecc_store16(prove_bytes + udp + 4, length);
    rocecc_frame_clear_(f);
    return w;
}

/* The IFA header, with any flags. */
static void ifa(void)
{
    unsigned flags;
    Frama_C_make_unknown((char *)prove_bytes, PROVE_BYTES);
    //@ loop unroll 256;
    for (flags = 0; flags < 256; flags++) {
        rocecc_frame f;
        rocecc_frame_walk_ w = walk(&f, 100, 0);
        uint8_t proto = 0, told = 0;
        rocecc_status status;
        prove_bytes[AT + 2] = (uint8_t)flags;
        status = rocecc_frame_ifa_(&w, &f, &proto, &told);
        if (status == ROCECC_OK) {
            /*@ assert told == flags && (flags & 8) == 0; */
            /*@ assert f.ifa == AT && w.r.at == AT + 4 && w.r.at <= w.r.end; */
        } else {
            /*@ assert f.ifa == 0; */
        }
    }
}

/*
 * From UDP to the end of a stack of any length: what UDP Length does not count is as
 * long as flags and Current Length say, and f.end is so much further.
 */
static void ifa_stack(uint8_t flags, uint8_t optional, uint16_t length)
{
    const rocecc_frame_config c = {.ifa_protocol = 253};
    unsigned words;
    Frama_C_make_unknown((char *)prove_bytes, PROVE_BYTES);
    //@ loop unroll 256;
    for (words = 0; words < 256; words++) {
        rocecc_frame f;
        rocecc_frame_walk_ w = walk(&f, AT, length);
        uint16_t port = 0;
        rocecc_status status;
        f.ifa = AT - 4;
        prove_bytes[AT + 11] = (uint8_t)words;
        status = rocecc_frame_port_(&c, &w, &f, flags, &port);
        /*@ assert f.intmd == 0; */
        if (status != ROCECC_OK) continue;
        /*@ assert length >= 8 && port == 5000; */
        /*@ assert f.udp == AT && f.ifa_metadata == AT + 8; */
        /*@ assert w.r.at == AT + 12 + optional + 4 * words; */
        /*@ assert f.end == w.r.at + length - 8 && w.declared == f.end; */
        /*@ assert w.r.at <= w.r.end && w.r.end <= PROVE_BYTES; */
    }
}

/* UDP and a shim of any Length and this NPT; of NPT 2, a UDP of a length of its own. */
static void intmd(uint8_t npt, uint16_t length, uint16_t inner)
{
    const rocecc_frame_config c = {.intmd_port = 5000};
    unsigned words;
    Frama_C_make_unknown((char *)prove_bytes, PROVE_BYTES);
    //@ loop unroll 256;
    for (words = 0; words < 256; words++) {
        rocecc_frame f;
        rocecc_frame_walk_ w = walk(&f, AT, length);
        uint16_t port = 0;
        rocecc_status status;
        prove_bytes[AT + 8] = (uint8_t)(0x10 | npt << 2);
        prove_bytes[AT + 9] = (uint8_t)words;
        rocecc_store16(prove_bytes + AT + 12 + 4 * words + 4, inner);
        status = rocecc_frame_port_(&c, &w, &f, 0, &port);
        /*@ assert f.ifa == 0 && f.ifa_metadata == 0; */
        if (status != ROCECC_OK) continue;
        /*@ assert length >= 12 + 4 * words && (npt == 1 || npt == 2); */
        /*@ assert f.intmd == AT + 8; */
        if (npt == 1) {
            /*@ assert f.udp == AT && w.r.at == f.intmd + 4 + 4 * words; */
            /*@ assert f.end == AT + length; */
        } else {
            /*@ assert f.udp == f.intmd + 4 + 4 * words && w.r.at == f.udp + 8; */
            /*@ assert inner >= 8 && f.end == f.udp + inner; */
            /*@ assert f.end <= AT + length && w.declared == f.end; */
        }
        /*@ assert w.r.at <= w.r.end && w.r.end <= PROVE_BYTES; */
    }
}

void main(void)
{
    ifa();
    ifa_stack(0, 0, 65535);
    ifa_stack(0, 0, 24);
    ifa_stack(ROCECC_IFA_FLAG_C, 4, 24);
    ifa_stack(ROCECC_IFA_FLAG_MF, 4, 24);
    ifa_stack(ROCECC_IFA_FLAG_C | ROCECC_IFA_FLAG_MF | 0xe6, 8, 24);
    intmd(0, 1100, 24);
    intmd(1, 600, 24);
    intmd(2, 1100, 40);
    intmd(2, 1100, 7);
    intmd(3, 1100, 24);
}
