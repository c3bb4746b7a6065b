/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * unknown - runs on the switch, and prints the senders that do not support the Fast CNP
 * option. They send an ICMPv6 Parameter Problem that quotes a Fast CNP from this
 * switch, and points at its option type. The switch must not send them more Fast CNPs
 * (FC-03). It marks their data packets with CE instead.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/icmp6.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "rocecc/role/congestion_point.h"

/* The switch's configuration. Only its address and the option types are used here. */
static rocecc_congestion_config config;
static rocecc_domain domain;

/* Returns true if a message from `sender` rejects this switch's option. */
static bool is_unknown(rocecc_reader message, const struct in6_addr *sender)
{
    rocecc_icmp_message h;
    rocecc_ip6 from;
    memcpy(from.b, sender, sizeof from.b);
    return rocecc_icmp_message_parse(&message, 6, &h) == ROCECC_OK &&
           rocecc_congestion_point_rejects_fastcnp(&config, &domain, &h, &from);
}

/* Parses ADDRESS TYPE-PLAIN [TYPE-IOAM]. */
static bool configure(int argc, char **argv)
{
    if (argc < 3 || argc > 4 || inet_pton(AF_INET6, argv[1], config.cnp.src.b) != 1)
        return false;
    domain.fastcnp.type_plain = (uint8_t)strtoul(argv[2], NULL, 0);
    if (argc == 4) domain.fastcnp.type_ioam = (uint8_t)strtoul(argv[3], NULL, 0);
    return rocecc_fastcnp_init(&domain.fastcnp) == ROCECC_FASTCNP_ACCEPTED;
}

/* Opens a socket for ICMPv6 Parameter Problems. The kernel checks their checksums. */
static int listen_to_problems(void)
{
    struct icmp6_filter filter;
    const int s = socket(AF_INET6, SOCK_RAW, IPPROTO_ICMPV6);
    ICMP6_FILTER_SETBLOCKALL(&filter);
    ICMP6_FILTER_SETPASS(ICMP6_PARAM_PROB, &filter);
    if (s >= 0 &&
        setsockopt(s, IPPROTO_ICMPV6, ICMP6_FILTER, &filter, sizeof filter) == 0)
        return s;
    fprintf(stderr, "unknown: a raw ICMPv6 socket cannot be opened: %s%s\n",
            strerror(errno),
            errno == EPERM ? ": run unknown as root or give it CAP_NET_RAW" : "");
    exit(1);
}

int main(int argc, char **argv)
{
    int s;
    if (!configure(argc, argv)) {
        fputs("unknown: expected ADDRESS TYPE-PLAIN [TYPE-IOAM], the IPv6 source "
              "address "
              "and the option types of this switch's Fast CNPs\n",
              stderr);
        return 2;
    }
    s = listen_to_problems();
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("listening");
    for (;;) {
        uint8_t message[2048];
        char text[INET6_ADDRSTRLEN];
        struct sockaddr_in6 from;
        socklen_t size = sizeof from;
        const ssize_t n =
            recvfrom(s, message, sizeof message, 0, (struct sockaddr *)&from, &size);
        if (n < 0)
            return fprintf(stderr, "unknown: ICMPv6 cannot be received: %s\n",
                           strerror(errno)),
                   1;
        if (is_unknown(rocecc_reader_of(message, message + n), &from.sin6_addr))
            printf("%s rejects the Fast CNP option as unknown\n",
                   inet_ntop(AF_INET6, &from.sin6_addr, text, sizeof text));
    }
}
