/* SPDX-License-Identifier: BSD-2-Clause */
/* wp-inline: rocecc_take,rocecc_split,rocecc_put */

/*
 * cursor.c - the cursor's contract, proved by Frama-C WP for a buffer of any length, a
 * cursor anywhere in it and any n. Each byte that a codec reads through take() is
 * therefore inside the caller's buffer.
 */
#include "rocecc/bytes.h"

/*
 * No address in a buffer is NULL, not even in an empty buffer, because reader_of() and
 * writer_of() replace NULL.
 */
/*@ predicate sound_reader(rocecc_reader *r) =
      r->at <= r->end <= SIZE_MAX / 2 && \valid_read(r->base + (0 .. r->end - 1)) &&
      \forall integer i; 0 <= i <= r->end ==> r->base + i != \null;

    predicate sound_writer(rocecc_writer *w) =
      w->at <= w->end <= SIZE_MAX / 2 && \valid(w->base + (0 .. w->end - 1)) &&
      \forall integer i; 0 <= i <= w->end ==> w->base + i != \null;
*/

/*@ requires \valid(r) && sound_reader(r);
    requires \separated(r, r->base + (0 .. r->end - 1));
    assigns r->at;
    ensures sound_reader(r);
    behavior fits:
      assumes n <= r->end - r->at;
      ensures \result == r->base + \old(r->at);
      ensures r->at == \old(r->at) + n;
      ensures \valid_read(\result + (0 .. n - 1));
    behavior short:
      assumes n > r->end - r->at;
      ensures \result == \null;
      ensures r->at == \old(r->at);
    complete behaviors;
    disjoint behaviors;
*/
const uint8_t *prove_take(rocecc_reader *r, size_t n)
{
    return rocecc_take(r, n);
}

/*@ requires \valid(r) && \valid(body) && sound_reader(r);
    requires \separated(r, body, r->base + (0 .. r->end - 1));
    assigns r->at, *body;
    ensures r->at <= r->end;
    behavior fits:
      assumes n <= r->end - r->at;
      ensures \result == true;
      ensures body->base == r->base;
      ensures body->at == \old(r->at);
      ensures body->end == \old(r->at) + n;
      ensures r->at == \old(r->at) + n;
      ensures body->at <= body->end <= r->end;
    behavior short:
      assumes n > r->end - r->at;
      ensures \result == false;
      ensures r->at == \old(r->at);
      ensures *body == \old(*body);
    complete behaviors;
    disjoint behaviors;
*/
bool prove_split(rocecc_reader *r, size_t n, rocecc_reader *body)
{
    return rocecc_split(r, n, body);
}

/*@ requires \valid(w) && sound_writer(w);
    requires \separated(w, w->base + (0 .. w->end - 1));
    assigns w->at;
    ensures sound_writer(w);
    behavior fits:
      assumes n <= w->end - w->at;
      ensures \result == w->base + \old(w->at);
      ensures w->at == \old(w->at) + n;
      ensures \valid(\result + (0 .. n - 1));
    behavior full:
      assumes n > w->end - w->at;
      ensures \result == \null;
      ensures w->at == \old(w->at);
    complete behaviors;
    disjoint behaviors;
*/
uint8_t *prove_put(rocecc_writer *w, size_t n)
{
    return rocecc_put(w, n);
}
