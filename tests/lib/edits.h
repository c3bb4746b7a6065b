/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_EDITS_H
#define TESTS_LIB_EDITS_H

/*
 * edits.h - checks of every plan. It must be carried out in both ways, in any room, and
 * must reject a packet with other words.
 */
#include <string.h>

#include "../../examples/lib/vec.h"
#include "guard.h"
#include "law/edit.h"
#include "test.h"

/* Makes a plan for a packet. */
typedef rocecc_edit_verdict (*edits_make)(const rocecc_packet *p, const void *arg,
                                          rocecc_edit *e);

/* Returns how many bytes of room a plan needs after the packet. */
static inline size_t edits_more(const rocecc_edit *e)
{
    size_t more = 0;
    int i;
    for (i = 0; i < e->n_splices; i++)
        if (e->splice[i].new_bytes > e->splice[i].old_bytes)
            more += (size_t)e->splice[i].new_bytes - e->splice[i].old_bytes;
    return more;
}

/*
 * Checks the same IP packet after 802.3 with SNAP and in a PPPoE session. No plan
 * corrects their lengths, so a plan that would change the length is UNSUPPORTED.
 */
static inline void edits_in_a_link(const rocecc_domain *d, rocecc_reader packet,
                                   edits_make make, const void *arg,
                                   const rocecc_edit *want)
{
    static const uint8_t llc[20] = {2, 0, 0, 0, 0,    2,    2, 0, 0, 0,
                                    0, 1, 0, 0, 0xaa, 0xaa, 3, 0, 0, 0};
    static const uint8_t pppoe[20] = {2, 0, 0,    0,    0,    2, 2, 0, 0, 0,
                                      0, 1, 0x88, 0x64, 0x11, 0, 0, 7, 0, 0};
    static uint8_t in[LAW_EDIT_BYTES];
    const uint8_t *b = packet.base + packet.at;
    const size_t n = rocecc_left(&packet);
    rocecc_domain ether = *d;
    rocecc_packet p;
    rocecc_edit e;
    int session;
    ether.link = ROCECC_LINK_ETHER;
    for (session = 0; session < 2 && n + 8 <= 1500; session++) {
        const bool v6 = b[0] >> 4 == 6;
        memcpy(in, session != 0 ? pppoe : llc, 20);
        rocecc_store16(in + (session != 0 ? 18 : 12),
                       (uint16_t)(n + (session != 0 ? 2 : 8)));
        rocecc_store16(in + 20,
                       session != 0 ? (v6 ? 0x0057 : 0x0021) : (v6 ? 0x86dd : 0x0800));
        memcpy(in + 22, b, n);
        (void)rocecc_packet_parse(&ether, rocecc_reader_of(in, in + 22 + n), &p);
        CHECK_EQ(p.headers.link, session != 0 ? 18 : 12);
        memset(&e, 0, sizeof e);
        (void)make(&p, arg, &e);
        CHECK_EQ(e.n_splices, 0);
        if (want->n_splices != 0) CHECK_EQ(e.verdict, ROCECC_EDIT_UNSUPPORTED);
    }
}

/*
 * Makes a plan for the packet in *bytes bytes, which have room for LAW_EDIT_MORE, and
 * carries it out. A plan that does nothing is carried out, too. Returns the plan, and
 * sets *bytes to the new number of bytes.
 */
static inline rocecc_edit edits(const rocecc_domain *d, uint8_t *b, size_t *bytes,
                                edits_make make, const void *arg)
{
    static LAW_ROOM(other, LAW_EDIT_BYTES);
    static uint8_t was[LAW_EDIT_BYTES];
    const size_t n = *bytes;
    const uint8_t *whole = guard_end(b, n);
    rocecc_packet p;
    rocecc_edit e, again;
    size_t room, ip, end;
    memset(&e, 0, sizeof e);
    memset(&again, 0, sizeof again);
    (void)rocecc_packet_parse(d, rocecc_reader_of(whole, whole + n), &p);
    CHECK_EQ(make(&p, arg, &e), e.verdict);
    ip = rocecc_packet_outermost(&p)->offset;
    end = rocecc_packet_outermost(&p)->version != 0 ? rocecc_packet_outermost(&p)->end
                                                    : n + 1;
    memcpy(was, b, n);
    for (room = 0; room <= edits_more(&e) + 1; room++) {
        const bool fits = room >= edits_more(&e);
        uint8_t *at = guard_room(n + room);
        rocecc_writer w = rocecc_writer_of(at, at + n + room);
        memcpy(at, b, n);
        w.at = n;
        CHECK_EQ(rocecc_edit_apply(&e, &w), fits ? ROCECC_OK : ROCECC_ERR_SPACE);
        if (!fits) CHECK(w.at == n && memcmp(at, b, n) == 0);
        *bytes = w.at;
        if (room == edits_more(&e) + 1) memcpy(b, at, w.at);
        if (room == edits_more(&e)) { /* and in a buffer, in both ways */
            memcpy(other, b, n);
            (void)rocecc_packet_parse(d, law_reader(other, n), &p);
            (void)make(&p, arg, &again);
            CHECK_EQ(law_edit(&again, law_front()), law_edit(&e, 0));
            CHECK_EQ(law_edit_carry(&again, other, n), w.at);
            CHECK(memcmp(other, at, w.at) == 0);
        }
    }
    if ((ip == 0 || ip == ROCECC_ETHER_BYTES) && end <= n && memcmp(was, b, ip) == 0)
        edits_in_a_link(d, rocecc_reader_of(was + ip, was + n), make, arg, &e);
    return e;
}

/*
 * Checks that a plan rejects a packet with other bytes at `at`, in hex, and does not
 * change it.
 */
static inline void edits_refuse_other_bytes(const rocecc_edit *e, const uint8_t *b,
                                            size_t n, size_t at, const char *hex)
{
    uint8_t other[256], was[256];
    size_t n_other = 0;
    rocecc_writer w = rocecc_writer_of(other, other + sizeof other);
    CHECK(n <= sizeof other);
    memset(other, 0, sizeof other);
    memcpy(other, b, n);
    CHECK(vec_hex(hex, other + at, &n_other));
    memcpy(was, other, sizeof was);
    w.at = n;
    CHECK_EQ(rocecc_edit_apply(e, &w), ROCECC_NO_MATCH);
    CHECK_EQ(rocecc_edit_write(e, w), ROCECC_NO_MATCH);
    CHECK_EQ(w.at, n);
    CHECK(memcmp(other, was, sizeof was) == 0);
}

#endif /* TESTS_LIB_EDITS_H */
