/* SPDX-License-Identifier: BSD-2-Clause */
#include "hex.h"

#include <string.h>

/* Returns the number of digits in JSON. A member of 64 bits always has 16. */
static size_t all_digits(const field *f)
{
    return f->size == 8 || f->bits == 0 ? 2 * f->size : (size_t)f->bits / 4;
}

const char *hex_digits(const field *f, const char *text)
{
    const size_t n = strlen(text);
    if (strncmp(text, "0x", 2) == 0) return text + 2;
    return n == 1 || n == all_digits(f) ? text : "";
}

const char *hex_expected(const field *f)
{
    static char text[128];
    const unsigned bits = f->bits != 0 ? (unsigned)f->bits : 8 * (unsigned)f->size;
    snprintf(text, sizeof text,
             "expected 0x and up to %u hex digits in lower case, or all %u digits",
             (bits + 3) / 4, (unsigned)all_digits(f));
    return text;
}
