/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-slevel 100 -eva-slevel-function lengths:4000,frames:1000 */
/* prove-options: -eva-slevel-function rocecc_cnm_frame_parse:2000 */
/* prove-options: -eva-slevel-function rocecc_cnm_read_frame_:2000 */
#define PROVE_BYTES 512
#include "prove.h"
#include "rocecc/wire/cnm.h"

static rocecc_cnm_config config(void)
{
    static rocecc_cnm_config c;
    Frama_C_make_unknown((char *)&c.station, sizeof c.station);
    c.signs = (uint8_t)Frama_C_interval(0, 255);
    c.fixed_msdu = Frama_C_interval(0, 1) != 0;
    c.tolerate_long = Frama_C_interval(0, 1) != 0;
    c.strict_version = Frama_C_interval(0, 1) != 0;
    return c;
}

/*
 * Parses a PDU at offset 0 with any end, for MSDU lengths from 0 to 66. A parsed MSDU
 * has its declared length, but at most 64 bytes, and lies before the end.
 */
static void lengths(void)
{
    const rocecc_cnm_config c = config();
    int len;
    for (len = 0; len <= 66; len++) {
        rocecc_reader r = rocecc_reader_of(prove_bytes, prove_bytes + PROVE_BYTES);
        rocecc_status status;
        rocecc_cnm h;
        Frama_C_make_unknown((char *)prove_bytes, PROVE_BYTES);
        prove_bytes[22] = 0;
        prove_bytes[23] = (uint8_t)len;
        r.end = (size_t)Frama_C_interval(0, PROVE_BYTES);
        status = rocecc_cnm_parse(&c, &r, &h);
        if (status == ROCECC_OK) {
            /*@ assert h.msdu.at == ROCECC_CNM_BYTES; */
            /*@ assert h.msdu.end - h.msdu.at <= ROCECC_CNM_MSDU_MAX_BYTES; */
            /*@ assert len <= 64 ==> h.msdu.end - h.msdu.at == len; */
            /*@ assert h.msdu_len == len; */
            /*@ assert r.at == h.msdu.end; */
            /*@ assert r.at <= r.end; */
        } else {
            /*@ assert r.at == 0; */
        }
        /*@ slevel merge; */
    }
}

/* Parses frames with tags and an MSDU that end anywhere. */
static void frames(void)
{
    const rocecc_cnm_config c = config();
    rocecc_reader r = rocecc_reader_of(prove_bytes, prove_bytes + PROVE_BYTES);
    rocecc_cnm_verdict verdict;
    rocecc_cnm_frame h;
    rocecc_status status;
    Frama_C_make_unknown((char *)prove_bytes, PROVE_BYTES);
    r.end = (size_t)Frama_C_interval(0, PROVE_BYTES);
    status = rocecc_cnm_frame_parse(&c, r, &h, &verdict);
    if (status == ROCECC_OK) {
        /*@ assert verdict == ROCECC_CNM_TAKEN; */
        /*@ assert h.head.n_vlan <= ROCECC_CNM_VLAN_MAX; */
        /*@ assert 14 + 24 <= h.cnm.msdu.at <= 26 + 24; */
        /*@ assert h.cnm.msdu.end <= PROVE_BYTES; */
        /*@ assert h.cnm.qntz_fb < 64; */
    } else {
        /*@ assert verdict != ROCECC_CNM_TAKEN; */
    }
}

/* Reads and writes any values at any offset. */
static void any(void)
{
    const rocecc_cnm_config c = config();
    rocecc_reader r = prove_reader();
    rocecc_writer w = prove_writer();
    static rocecc_cnm_frame h;
    static rocecc_mac mac;
    rocecc_cntag tag = {0};
    (void)rocecc_cntag_parse(&r, &tag);
    (void)rocecc_cntag_emit(&w, &tag);
    Frama_C_make_unknown((char *)&h.head, sizeof h.head);
    Frama_C_make_unknown((char *)&mac, sizeof mac);
    h.cnm.version = (uint8_t)Frama_C_interval(0, 255);
    h.cnm.reserved_v = (uint8_t)Frama_C_interval(0, 255);
    h.cnm.qntz_fb = (uint8_t)Frama_C_interval(0, 255);
    (void)rocecc_cnm_cpid(&mac, (uint32_t)prove_any(), h.cnm.qntz_fb, &h.cnm.cpid);
    h.cnm.q_offset = (int16_t)Frama_C_interval(-32768, 32767);
    h.cnm.encap_priority = (uint8_t)Frama_C_interval(0, 255);
    h.cnm.encap_reserved = (uint16_t)Frama_C_interval(0, 65535);
    h.cnm.encap_dst = mac;
    h.cnm.msdu = rocecc_cnm_msdu(&c, prove_reader(), prove_any());
    if (Frama_C_interval(0, 1)) h.cnm.msdu = prove_reader();
    /*@ slevel merge; */
    h.head.n_vlan = (uint8_t)Frama_C_interval(0, 255);
    h.head.tagged = Frama_C_interval(0, 1) != 0;
    h.head.vlan[0].dei = Frama_C_interval(0, 1) != 0;
    h.head.vlan[1].dei = Frama_C_interval(0, 1) != 0;
    w = prove_writer();
    (void)rocecc_cnm_emit(&w, &c, &h.cnm);
    w = prove_writer();
    (void)rocecc_cnm_head_emit(&w, &h.head);
    w = prove_writer();
    (void)rocecc_cnm_frame_build(&w, &c, &h);
}

/* Converts any number of bytes to units in any profile, and back. */
static void units(void)
{
    const rocecc_cnm_signs signs = (rocecc_cnm_signs)Frama_C_interval(0, 3);
    const int64_t bytes = (int64_t)prove_any();
    const int16_t offset = rocecc_cnm_q_offset(signs, bytes);
    const int16_t delta = rocecc_cnm_q_delta(signs, bytes);
    const int32_t back = rocecc_cnm_q_offset_bytes(signs, offset);
    const int32_t delta_back = rocecc_cnm_q_delta_bytes(signs, delta);
    /*@ assert -32768 <= offset <= 32767; */
    /*@ assert -2097152 <= back <= 2097152; */
    /*@ assert -2097152 <= delta_back <= 2097152; */
}

void main(void)
{
    lengths();
    /*@ slevel merge; */
    frames();
    /*@ slevel merge; */
    any();
    /*@ slevel merge; */
    units();
}
