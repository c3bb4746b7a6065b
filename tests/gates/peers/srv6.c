/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * srv6.c - a provider edge on standard input. Each line has a packet, from its IP
 * header on and in hex:
 *
 *     encapsulate SOURCE REDUCED POLICY PACKET
 *     end SID PACKET
 *     egress SID PACKET
 *
 * Writes the verdict's number, and for FORWARD the forwarded packet in hex.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rocecc/role/srv6_pe.h"

static rocecc_writer hex(const char *text, uint8_t *bytes, size_t room)
{
    rocecc_writer w = rocecc_writer_of(bytes, bytes + room);
    unsigned byte;
    for (; sscanf(text, "%2x", &byte) == 1; text += 2) {
        uint8_t *b = rocecc_put(&w, 1);
        if (b == NULL) exit(1);
        *b = (uint8_t)byte;
    }
    return w;
}

static void say(unsigned verdict, rocecc_reader r)
{
    printf("%u ", verdict);
    for (; verdict == ROCECC_SRV6_PE_FORWARD && r.at < r.end; r.at++)
        printf("%02x", r.base[r.at]);
    putchar('\n');
    fflush(stdout);
}

int main(void)
{
    static char line[20000], word[5][20000];
    static uint8_t a[16], policy[2040], packet[9000], sent[9200];
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    while (fgets(line, sizeof line, stdin) != NULL) {
        const int n = sscanf(line, "%19999s %19999s %19999s %19999s %19999s", word[0],
                             word[1], word[2], word[3], word[4]);
        rocecc_writer w, out = rocecc_writer_of(sent, sent + sizeof sent);
        rocecc_srv6_pe_result pe;
        rocecc_packet p;
        if (n < 3 || hex(word[1], a, 16).at != 16) return 1;
        if (strcmp(word[0], "encapsulate") == 0 && n == 5) {
            rocecc_srv6_pe_config c = {.reduced = *word[2] == '1', .copy_dscp = true};
            rocecc_srv6_pe_path way = {{NULL, 0, 0}, 0, 0};
            rocecc_srv6_pe_ingress_result in;
            c.end_con = rocecc_ip6_load(a);
            w = hex(word[3], policy, sizeof policy);
            way.policy = rocecc_written(&w);
            w = hex(word[4], packet, sizeof packet);
            rocecc_srv6_pe_encapsulate(&c, rocecc_written(&w), &way, &out, &in);
            say(in.verdict, rocecc_written(&out));
        } else if (n == 3) {
            const rocecc_ip6 sid = rocecc_ip6_load(a);
            const bool end = strcmp(word[0], "end") == 0;
            w = hex(word[2], packet, sizeof packet);
            (void)rocecc_packet_parse(&d, rocecc_written(&w), &p);
            if (end)
                rocecc_srv6_pe_end(&sid, &p, rocecc_writer_of(packet, packet + w.at),
                                   &pe);
            else
                rocecc_srv6_pe_egress(&sid, &p, rocecc_writer_of(packet, packet + w.at),
                                      &pe);
            say(pe.verdict, end ? p.bytes : pe.tunnel.inner);
        } else {
            return 1;
        }
    }
    return 0;
}
