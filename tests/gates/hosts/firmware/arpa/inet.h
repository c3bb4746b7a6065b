/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FIRMWARE_ARPA_INET_H
#define FIRMWARE_ARPA_INET_H

/* inet.h - addresses as text, for firmware with a libc that lacks it. */
#define AF_INET 2
#define AF_INET6 10
#define INET_ADDRSTRLEN 16
#define INET6_ADDRSTRLEN 46

int inet_pton(int family, const char *text, void *to);
const char *inet_ntop(int family, const void *from, char *text, unsigned size);

#endif /* FIRMWARE_ARPA_INET_H */
