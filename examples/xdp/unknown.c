/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * unknown - runs on the switch, and tells which senders do not know the Fast CNP
 * option: of those comes an ICMPv6 Parameter Problem that points at its type. Such a
 * sender is not to be sent any more of them (FC-03); its data packets get a CE mark.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/icmp6.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "rocecc/role/congestion_point.h"

/* Whether a message says that its sender does not know our option. */
static bool is_unknown(const rocecc_fastcnp_config *c, rocecc_reader message)
{
    rocecc_icmp6_problem h;
    return rocecc_icmp6_problem_parse(&message, &h) == ROCECC_OK &&
           rocecc_congestion_point_rejects_fastcnp(c, &h);
}

int main(int argc, char **argv)
{
    const long ours = argc == 2 ? strtol(argv[1], NULL, 0) : 0;
    rocecc_fastcnp_config config = {0, 0, 0, false, false};
    struct icmp6_filter filter;
    int s;
    if (ours <= 0 || ours > UINT8_MAX) {
        fputs("usage: unknown OPTION-TYPE\n", stderr);
        return 2;
    }
    config.type_plain = (uint8_t)ours;
    s = socket(AF_INET6, SOCK_RAW, IPPROTO_ICMPV6); /* the kernel checks the checksum */
    ICMP6_FILTER_SETBLOCKALL(&filter);
    ICMP6_FILTER_SETPASS(ICMP6_PARAM_PROB, &filter);
    if (s < 0 ||
        setsockopt(s, IPPROTO_ICMPV6, ICMP6_FILTER, &filter, sizeof filter) != 0) {
        perror("unknown: ICMPv6");
        return 1;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("listening");
    for (;;) {
        uint8_t message[2048];
        char text[INET6_ADDRSTRLEN];
        struct sockaddr_in6 from;
        socklen_t size = sizeof from;
        const ssize_t n =
            recvfrom(s, message, sizeof message, 0, (struct sockaddr *)&from, &size);
        if (n < 0) return perror("unknown"), 1;
        if (is_unknown(&config, rocecc_reader_of(message, message + n)))
            printf("%s does not know option 0x%02lx\n",
                   inet_ntop(AF_INET6, &from.sin6_addr, text, sizeof text), ours);
    }
}
