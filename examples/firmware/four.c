/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * four.c - the functions that a freestanding host must provide, because compilers may
 * call them even if no source does. -fno-builtin prevents each from calling itself.
 */
#include <stddef.h>

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);
int memcmp(const void *a, const void *b, size_t n);

void *memcpy(void *to, const void *from, size_t n)
{
    return memmove(to, from, n);
}

void *memmove(void *to, const void *from, size_t n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    size_t i;
    if (t < f)
        for (i = 0; i < n; i++)
            t[i] = f[i];
    else
        for (i = n; i > 0; i--)
            t[i - 1] = f[i - 1];
    return to;
}

void *memset(void *to, int value, size_t n)
{
    unsigned char *t = to;
    size_t i;
    for (i = 0; i < n; i++)
        t[i] = (unsigned char)value;
    return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *p = a, *q = b;
    size_t i;
    for (i = 0; i < n; i++)
        if (p[i] != q[i]) return p[i] - q[i];
    return 0;
}
