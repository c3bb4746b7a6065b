/* SPDX-License-Identifier: BSD-2-Clause */
#include "arpa/inet.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int pton4(const char *text, uint8_t *to)
{
    int i;
    for (i = 0; i < 4; i++) {
        char *end;
        const unsigned long v = strtoul(text, &end, 10);
        if (end == text || v > 255 || *end != (i < 3 ? '.' : '\0')) return 0;
        to[i] = (uint8_t)v;
        text = end + 1;
    }
    return 1;
}

/* Reads at most 8 words. `gap` is the place of ::, or 8 without it. */
static int pton6(const char *text, uint8_t *to)
{
    uint8_t words[16] = {0};
    size_t n = 0, gap = 8;
    if (*text == ':' && *++text != ':') return 0;
    while (*text != '\0') {
        char *end;
        unsigned long v;
        if (*text == ':') {
            if (gap != 8) return 0;
            gap = n;
            text++;
            continue;
        }
        v = strtoul(text, &end, 16);
        if (*end == '.' && n <= 6 && pton4(text, words + 2 * n)) {
            n += 2;
            break;
        }
        if (end == text || v > 0xffff || n == 8 || (*end != ':' && *end != '\0'))
            return 0;
        words[2 * n] = (uint8_t)(v >> 8);
        words[2 * n++ + 1] = (uint8_t)v;
        text = end + (*end == ':');
    }
    if (gap == 8 ? n != 8 : n == 8) return 0;
    memset(to, 0, 16);
    if (gap > n) gap = n;
    memcpy(to, words, 2 * gap);
    memcpy(to + 16 - 2 * (n - gap), words + 2 * gap, 2 * (n - gap));
    return 1;
}

int inet_pton(int family, const char *text, void *to)
{
    return family == AF_INET ? pton4(text, to) : pton6(text, to);
}

/* Writes an address for messages, with all words of IPv6. */
const char *inet_ntop(int family, const void *from, char *text, unsigned size)
{
    const uint8_t *b = from;
    unsigned i, n = 0;
    if (family == AF_INET) {
        snprintf(text, size, "%u.%u.%u.%u", b[0], b[1], b[2], b[3]);
        return text;
    }
    for (i = 0; i < 8 && n < size; i++)
        n += (unsigned)snprintf(text + n, size - n, "%s%x", i > 0 ? ":" : "",
                                (unsigned)b[2 * i] << 8 | b[2 * i + 1]);
    return text;
}
