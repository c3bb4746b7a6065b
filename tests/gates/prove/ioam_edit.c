/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 20 */
/* prove-options: -eva-slevel-function rocecc_ip6opt_step:200 */
/* prove-options: -eva-slevel-function rocecc_ioam_may_change_:300 */
/* prove-options: -eva-slevel-function rocecc_ip6ext_next:300 */
#define PROVE_BYTES 120
#include "prove.h"
#include "rocecc/packet/ioam.h"

static rocecc_ioam_config config(void)
{
    rocecc_ioam_config c;
    c.namespace_id = (uint16_t)Frama_C_interval(0, 65535);
    c.tx_bytes_bit = (uint8_t)Frama_C_interval(0, 255);
    c.interface_bit = (uint8_t)Frama_C_interval(0, 255);
    c.leave_undefined = Frama_C_interval(0, 1) != 0;
    return c;
}

static rocecc_ioam_node node(void)
{
    rocecc_ioam_node n;
    int i;
    for (i = 0; i < ROCECC_REPORT_WORDS; i++)
        n.word[i] = (uint32_t)prove_any();
    return n;
}

/* Updates and edits a packet with any `where`, in any domain. */
static void packet_any(void)
{
    static rocecc_headers where;
    static rocecc_domain d;
    static rocecc_edit e;
    const rocecc_ioam_node n = node();
    rocecc_ioam_option o;
    rocecc_packet p;
    rocecc_writer w;
    d.ioam = config();
    Frama_C_make_unknown((char *)&where, sizeof where);
    where.cut = false;
    p = rocecc_packet_attach(&d, prove_reader(), &where);
    (void)rocecc_ioam_find(&p, &o);
    /*@ slevel merge; */
    w = prove_writer();
    Frama_C_make_unknown((char *)w.base, PROVE_BYTES);
    w.end = (size_t)Frama_C_interval(0, PROVE_BYTES); /* in another buffer */
    w.at = w.at < w.end ? w.at : w.end;
    (void)rocecc_ioam_update(&p, w, &n, prove_reader());
    /*@ slevel merge; */
    p = rocecc_packet_attach(&d, prove_reader(), &where);
    (void)rocecc_ioam_push(&p, &n, prove_reader(), (uint32_t)prove_any(), &e);
    /*@ slevel merge; */
    (void)rocecc_ioam_strip(&p, &e);
}

static void insert_any(void)
{
    static rocecc_headers where;
    static rocecc_domain d;
    static rocecc_edit e;
    rocecc_ioam_source s;
    rocecc_packet p;
    d.ioam = config();
    Frama_C_make_unknown((char *)&where, sizeof where);
    where.cut = false;
    s.next_header = 0;
    s.namespace_id = (uint16_t)Frama_C_interval(0, 65535);
    s.opt_type = (uint8_t)Frama_C_interval(0, 255);
    s.flags = (uint8_t)Frama_C_interval(0, 255);
    s.trace_type = (uint32_t)prove_any();
    s.words = (uint8_t)Frama_C_interval(0, 255);
    p = rocecc_packet_attach(&d, prove_reader(), &where);
    (void)rocecc_ioam_insert(&p, &s, (uint32_t)prove_any(), &e);
}

/* Uses any places, even beyond the bytes, as in a longer header. */
static void place_any(void)
{
    static rocecc_headers where;
    static rocecc_domain d;
    static rocecc_edit e;
    const rocecc_ioam_node n = node();
    rocecc_ioam_source s = {0, 0, 0, 0, 0x800000, 1};
    rocecc_ioam_place_ at = {0};
    rocecc_packet p;
    d.ioam = config();
    Frama_C_make_unknown((char *)&where, sizeof where);
    where.cut = false;
    p = rocecc_packet_attach(&d, prove_reader(), &where);
    at.option.data = prove_reader();
    at.header = (size_t)Frama_C_interval(0, 4000);
    at.front = (size_t)Frama_C_interval(0, 4000);
    at.tail = (size_t)Frama_C_interval(0, 4000);
    at.next = (size_t)Frama_C_interval(0, 4000);
    at.end = (size_t)Frama_C_interval(0, 4000);
    (void)rocecc_ioam_add_option_(&p, &at, &s, (uint32_t)prove_any(), &e);
    /*@ slevel merge; */
    (void)rocecc_ioam_remove_option_(&p, &at, &e);
    /*@ slevel merge; */
    (void)rocecc_ioam_add_node_(&e, &p, &at, &n, prove_reader());
    /*@ slevel merge; */
    (void)rocecc_ioam_may_grow_(&p, &at, &n, (uint32_t)prove_any());
    (void)rocecc_ioam_add_node_(&e, &p, &at, &n, prove_reader());
}

void main(void)
{
    place_any();
    /*@ slevel merge; */
    packet_any();
    /*@ slevel merge; */
    insert_any();
}
