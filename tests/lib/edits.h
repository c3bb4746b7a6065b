/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_EDITS_H
#define TESTS_LIB_EDITS_H

/*
 * edits.h - what every plan is held to: both ways to carry it out, in every room, and
 * refused where a word is another.
 */
#include <string.h>

#include "guard.h"
#include "law/edit.h"
#include "test.h"

/* Makes the plan at hand of a packet. */
typedef rocecc_edit_verdict (*edits_make)(const rocecc_packet *p, const void *arg,
                                          rocecc_edit *e);

/* Bytes that a plan needs beyond those of the packet. */
static inline size_t edits_more(const rocecc_edit *e)
{
    size_t more = 0;
    int i;
    for (i = 0; i < e->n_splices; i++)
        if (e->splice[i].is > e->splice[i].was)
            more += (size_t)e->splice[i].is - e->splice[i].was;
    return more;
}

/*
 * Changes n bytes, which begin with the packet, and have room for LAW_EDIT_MORE; gives
 * how many they are then. Its plan is in *e; a plan that does nothing is carried out,
 * too.
 */
static inline size_t edits(const rocecc_domain *d, uint8_t *b, size_t n,
                           edits_make make, const void *arg, rocecc_edit *e)
{
    static LAW_ROOM(other, LAW_EDIT_BYTES);
    const uint8_t *whole = guard_end(b, n);
    rocecc_packet p;
    rocecc_edit again;
    size_t room, is = n;
    memset(e, 0, sizeof *e);
    memset(&again, 0, sizeof again);
    (void)rocecc_packet_of(d, rocecc_reader_of(whole, whole + n), &p);
    CHECK_EQ(make(&p, arg, e), e->verdict);
    for (room = 0; room <= edits_more(e) + 1; room++) {
        const bool fits = room >= edits_more(e);
        uint8_t *at = guard_room(n + room);
        rocecc_writer w = rocecc_writer_of(at, at + n + room);
        memcpy(at, b, n);
        w.at = n;
        CHECK_EQ(rocecc_edit_apply(e, &w), fits ? ROCECC_OK : ROCECC_ERR_SPACE);
        if (!fits) CHECK(w.at == n && memcmp(at, b, n) == 0);
        is = w.at;
        if (room == edits_more(e) + 1) memcpy(b, at, is);
        if (room == edits_more(e)) { /* and somewhere in a buffer, by both ways */
            memcpy(other, b, n);
            (void)rocecc_packet_of(d, law_reader(other, n), &p);
            (void)make(&p, arg, &again);
            CHECK_EQ(law_edit(&again, law_front()), law_edit(e, 0));
            CHECK_EQ(law_edit_carry(&again, other, n), is);
            CHECK(memcmp(other, at, is) == 0);
        }
    }
    return is;
}

#endif /* TESTS_LIB_EDITS_H */
