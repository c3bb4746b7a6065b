/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 3 -eva-slevel 60 */
#define PROVE_BYTES 64
#include "any.h"
#include "rocecc/packet/answer.h"

void main(void)
{
    static rocecc_answer a;
    rocecc_writer w = prove_writer();
    rocecc_packet p;
    Frama_C_make_unknown((char *)&a, sizeof a);
    a.cntag = Frama_C_interval(0, 1) != 0;
    prove_agree();
    p = prove_packet();
    (void)rocecc_answer_ether(&w, &p, &a);
}
