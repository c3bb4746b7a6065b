/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200112L
#include "prefix.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

bool prefix_number(const char *text, unsigned long most, unsigned long *v)
{
    const size_t n = strspn(text, "0123456789");
    unsigned long long is;
    if (n == 0 || n > 10 || text[n] != '\0') return false;
    is = strtoull(text, NULL, 10);
    if (is > most) return false;
    *v = (unsigned long)is;
    return true;
}

bool prefix_read(const char *text, rocecc_acl_entry *e)
{
    char address[INET6_ADDRSTRLEN] = "";
    const size_t n = strcspn(text, "/");
    unsigned long length;
    bool four;
    if (n >= sizeof address) return false;
    memcpy(address, text, n);
    four = inet_pton(AF_INET, address, e->prefix.b + 12) == 1;
    if (four) {
        memset(e->prefix.b, 0, 10);
        e->prefix.b[10] = e->prefix.b[11] = 0xff;
    } else if (inet_pton(AF_INET6, address, e->prefix.b) != 1) {
        return false;
    }
    length = four ? 32 : 128;
    if (text[n] == '/' && !prefix_number(text + n + 1, length, &length)) return false;
    e->length = (uint8_t)(length + (four ? 96 : 0));
    return true;
}
