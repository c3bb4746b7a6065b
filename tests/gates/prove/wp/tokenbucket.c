/* SPDX-License-Identifier: BSD-2-Clause */
/* wp-inline: rocecc_tokenbucket_take,rocecc_tokenbucket_holds,rocecc_tokenbucket_fill_,rocecc_tokenbucket_init,rocecc_min */

/*
 * tokenbucket.c - take()'s contract, for any accepted parameters, any number of tokens
 * and any two clocks. The bucket never holds more than a burst. take() takes either n
 * tokens that were there, or nothing. A second take at the same time finds the rest.
 */
#include "rocecc/guard/tokenbucket.h"

/*@ predicate accepted(rocecc_tokenbucket_params *p) =
      1 <= p->burst && 1 <= p->rate_per_s &&
      p->full_ns == (p->burst * 1000000000 - 1) / p->rate_per_s + 1;
    predicate held(rocecc_tokenbucket_params *p, rocecc_tokenbucket *s) =
      s->level_e9 <= p->burst * 1000000000;
*/

/*@ requires \valid_read(p) && \valid(s) && \separated(p, s);
    requires accepted(p) && held(p, s);
    assigns *s;
    ensures never_above_burst: held(p, s);
    ensures no_more_than_burst: n > p->burst ==> !\result;
    ensures was_there: \result ==> s->level_e9 + n * 1000000000 <= p->burst * 1000000000;
    ensures all_or_nothing: !\result ==> s->level_e9 < n * 1000000000;
    ensures at_once: now_ns == \old(s->last_ns) ==>
      s->level_e9 == \old(s->level_e9) - (\result ? n * 1000000000 : 0);
    ensures not_less_with_time: !\result && now_ns >= \old(s->last_ns) ==>
      s->level_e9 >= \old(s->level_e9);
    ensures a_step_back_earns_nothing: now_ns < \old(s->last_ns) ==>
      s->level_e9 <= \old(s->level_e9);
    ensures clock: s->last_ns == now_ns || s->last_ns == \old(s->last_ns) > now_ns;
*/
bool prove_take(const rocecc_tokenbucket_params *p, rocecc_tokenbucket *s, uint32_t n,
                uint64_t now_ns)
{
    return rocecc_tokenbucket_take(p, s, n, now_ns);
}
