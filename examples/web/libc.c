/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * libc.c - the functions of the C library that network.c, network_file.c and field.c
 * call for a domain. The functions of wasi-libc need stdio or a host.
 */
#include <arpa/inet.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/sink.h"
#include "../lib/vec.h"

/* Converts hex digits. Callers pass at most 16 digits and base 16. */
unsigned long long strtoull(const char *restrict s, char **restrict end, int base)
{
    unsigned long long v = 0;
    int digit;
    for (; (digit = vec_digit(*s)) >= 0; s++)
        v = v * (unsigned)base + (unsigned)digit;
    if (end != NULL) *end = (char *)s;
    return v;
}

unsigned long strtoul(const char *restrict s, char **restrict end, int base)
{
    return (unsigned long)strtoull(s, end, base);
}

/* Fails, because a domain has no IP address. */
int inet_pton(int family, const char *restrict s, void *restrict address)
{
    (void)family;
    (void)s;
    (void)address;
    return 0;
}

/* Writes a conversion to the sink. Returns the conversion's length after its %. */
static size_t convert(sink *to, const char *conversion, va_list *args)
{
    int n;
    switch (*conversion) {
    case 's':
        sink_text(to, va_arg(*args, const char *));
        return 1;
    case '.': /* .*s, of a text that is not shorter */
        n = va_arg(*args, int);
        sink_bytes(to, va_arg(*args, const char *), (size_t)n);
        return 3;
    case 'u':
        sink_decimal(to, va_arg(*args, unsigned));
        return 1;
    default: /* llu */
        sink_decimal(to, va_arg(*args, unsigned long long));
        return 3;
    }
}

/* Knows %s, %.*s, %u and %llu, and texts of up to SINK_BYTES. */
int snprintf(char *restrict out, size_t n, const char *restrict format, ...)
{
    static sink to;
    va_list args;
    size_t some;
    sink_start(&to, NULL);
    va_start(args, format);
    while (*format != '\0')
        if (*format++ == '%')
            format += convert(&to, format, &args);
        else
            sink_char(&to, format[-1]);
    va_end(args);
    some = to.n < n ? to.n : n - 1;
    memcpy(out, to.text, some);
    out[some] = '\0';
    return (int)to.n;
}
