/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uses.c - a file of a larger program. NAME() parses a frame and checks its ICRC. With
 * FILES, it is the main program with that many files. The compiler does not know the
 * domain.
 */
#include <rocecc/packet/icrc.h>

bool first(const rocecc_domain *domain, rocecc_reader frame);
bool second(const rocecc_domain *domain, rocecc_reader frame);

#if defined(NAME)
bool NAME(const rocecc_domain *domain, rocecc_reader frame)
{
    rocecc_packet p;
    rocecc_icrc icrc;
    return rocecc_packet_parse(domain, frame, &p) == ROCECC_OK &&
           rocecc_icrc_verify(ROCECC_ICRC_AUTO, &p, &icrc) == ROCECC_OK && icrc.ok;
}
#else
static rocecc_domain *volatile domain;
static volatile rocecc_reader frame;

int main(void)
{
    return (FILES > 0 && first(domain, frame)) || (FILES > 1 && second(domain, frame));
}
#endif
