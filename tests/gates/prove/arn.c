/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-slevel 60 -eva-slevel-function relations:20000 */
#define PROVE_BYTES 80
#define ROCECC_ARN_REST_MAX_BYTES 40
#include "law/arn.h"
#include "prove.h"

static rocecc_arn_config config(void)
{
    rocecc_arn_config c;
    c.port = (uint16_t)Frama_C_interval(0, 65535);
    c.versions = (uint16_t)Frama_C_interval(0, 65535);
    c.time_unit_ps = (uint32_t)prove_any();
    c.bit_order = (uint8_t)Frama_C_interval(0, 255);
    c.family = (uint8_t)Frama_C_interval(0, 255);
    c.layout = (uint8_t)Frama_C_interval(0, 255);
    c.priority = (uint8_t)Frama_C_interval(0, 255);
    c.tail_unknown = Frama_C_interval(0, 1) != 0;
    return c;
}

static void read_any(void)
{
    const rocecc_arn_config c = config();
    rocecc_arn h;
    (void)rocecc_arn_parse(&c, prove_reader(), &h);
    (void)rocecc_arn_time_ns(&c, (uint32_t)prove_any());
    (void)rocecc_arn_time(&c, prove_any());
}

/* Writes values of any width and a rest of any length. */
static void write_any(void)
{
    const rocecc_arn_config c = config();
    static uint8_t any[32];
    rocecc_writer w = prove_writer();
    rocecc_arn h = rocecc_arn_default(&c, (uint8_t)Frama_C_interval(0, 255),
                                      (uint8_t)Frama_C_interval(0, 255));
    Frama_C_make_unknown((char *)any, sizeof any);
    h.version = (uint8_t)Frama_C_interval(0, 255);
    h.resv = (uint8_t)Frama_C_interval(0, 255);
    h.lsb = Frama_C_interval(0, 1) != 0;
    h.flow.src = rocecc_ip6_load(any);
    h.flow.dst = rocecc_ip6_load(any + 16);
    h.tuple_bytes = rocecc_arn_tuple_bytes(&c, &h.flow);
    h.flow_zero = (uint32_t)prove_any();
    h.path_id = (uint32_t)prove_any();
    h.priority = (uint32_t)prove_any();
    h.time = (uint32_t)prove_any();
    (void)rocecc_arn_emit(&w, &c, &h);
    h.tuple_bytes = (uint8_t)Frama_C_interval(0, 255);
    h.rest = prove_reader();
    (void)rocecc_arn_emit(&w, &c, &h);
}

/*
 * Checks that the parameters and the rest of each parsed message fill the datagram. The
 * loops try every length from 4 to 60 and every set of parameters, so that Eva knows
 * each of these numbers.
 */
static void relations(void)
{
    static uint8_t b[60];
    size_t n;
    unsigned present, tail;
    for (tail = 0; tail < 2; tail++)
        for (present = 0; present < 16; present++)
            for (n = 4; n <= sizeof b; n++) {
                rocecc_arn_config c = {0, 0, 0, ROCECC_ARN_LSB, 0, 0, 2, false};
                rocecc_arn h = rocecc_arn_load(b);
                rocecc_status status;
                c.tail_unknown = tail != 0;
                c.family = tail != 0 ? 6 : 0;
                c.layout = tail != 0 ? ROCECC_ARN_PACKED : ROCECC_ARN_ANY_LAYOUT;
                Frama_C_make_unknown((char *)b, sizeof b);
                b[3] = (uint8_t)(tail << 7 | present);
                status = rocecc_arn_parse(&c, rocecc_reader_of(b, b + n), &h);
                if (status == ROCECC_OK) {
                    const size_t words = 4 * ((present >> 1 & 1) + (present >> 2 & 1) +
                                              (present >> 3 & 1));
                    const size_t tuple = h.tuple_bytes, rest = h.rest.end - h.rest.at;
                    /*@ assert 4 + tuple + words + rest == n; */
                    /*@ assert h.rest.end == n; */
                    /*@ assert tail == 1 || rest == 0; */
                    /*@ assert (present & 1) == 1 || tuple == 0; */
                    /*@ assert (present & 1) == 0 || tuple == 13 || tuple == 16 ||
                      @        tuple == 37 || tuple == 40; */
                    /*@ assert tail == 0 || (present & 1) == 0 || tuple == 37; */
                }
                /*@ slevel merge; */
            }
}

void main(void)
{
    (void)law_arn(prove_reader());
    /*@ slevel merge; */
    read_any();
    /*@ slevel merge; */
    write_any();
    /*@ slevel merge; */
    relations();
}
