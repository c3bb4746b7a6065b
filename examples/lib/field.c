/* SPDX-License-Identifier: BSD-2-Clause */
#include "field.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "vec.h"

static const void *at(const field *f, const void *record)
{
    return (const char *)record + f->offset;
}

static bool is_address(const field *f)
{
    return f->kind == ROCECC_FIELD_MAC || f->kind == ROCECC_FIELD_IP4 ||
           f->kind == ROCECC_FIELD_IP6;
}

/* Reads a member of 1, 2, 4 or 8 bytes. */
static uint64_t get(const field *f, const void *record)
{
    const void *p = at(f, record);
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    switch (f->size) {
    case 1:
        return memcpy(&u8, p, 1), u8;
    case 2:
        return memcpy(&u16, p, 2), u16;
    case 4:
        return memcpy(&u32, p, 4), u32;
    default:
        return memcpy(&u64, p, 8), u64;
    }
}

uint64_t field_get(const field *f, const void *record)
{
    rocecc_reader view;
    uint64_t v, sign;
    if (f->kind == ROCECC_FIELD_VIEW)
        return memcpy(&view, at(f, record), sizeof view), rocecc_left(&view);
    if (is_address(f) || f->kind == ROCECC_FIELD_BYTES) return 0;
    v = get(f, record);
    if (f->kind != ROCECC_FIELD_INT) return v;
    sign = UINT64_C(1) << (8 * f->size - 1);
    return (v ^ sign) - sign;
}

bool field_put(const field *f, void *record, uint64_t v)
{
    void *p = (char *)record + f->offset;
    const uint8_t u8 = (uint8_t)v;
    const uint16_t u16 = (uint16_t)v;
    const uint32_t u32 = (uint32_t)v;
    if (f->size < 8 && v >> (8 * f->size) != 0) return false;
    if (f->kind == ROCECC_FIELD_BOOL && v > 1) return false;
    memcpy(p,
           f->size == 1   ? (const void *)&u8
           : f->size == 2 ? (const void *)&u16
           : f->size == 4 ? (const void *)&u32
                          : (const void *)&v,
           f->size);
    return true;
}

/* Returns the index of a name in `names`, or -1. */
static int name_index(const char *names, const char *name, size_t n)
{
    int i = 0;
    while (*names != '\0') {
        const size_t len = strcspn(names, " ");
        if (len == n && memcmp(names, name, n) == 0) return i;
        names += len + (names[len] == ' ');
        i++;
    }
    return -1;
}

/* Parses six pairs of hex digits, separated by colons. */
static bool mac_of(const char *text, uint8_t *b)
{
    uint8_t mac[6];
    int i;
    for (i = 0; i < 6; i++) {
        char *end;
        if (!isxdigit((unsigned char)text[0])) return false;
        mac[i] = (uint8_t)strtoul(text, &end, 16);
        if (end != text + 2 || *end != (i < 5 ? ':' : '\0')) return false;
        text = end + 1;
    }
    memcpy(b, mac, sizeof mac);
    return true;
}

static bool address_of(const field *f, void *record, const char *text)
{
    void *p = (char *)record + f->offset;
    if (f->kind == ROCECC_FIELD_MAC) return mac_of(text, p);
    return inet_pton(f->kind == ROCECC_FIELD_IP4 ? AF_INET : AF_INET6, text, p) == 1;
}

/* Parses decimal, or hex after 0x. Returns false for other text, and from 2^64 on. */
static bool number_of(const char *text, uint64_t *v)
{
    const bool hex = text[0] == '0' && text[1] == 'x';
    const int base = hex ? 16 : 10;
    const char *s = hex ? text + 2 : text;
    if (*s == '\0') return false;
    for (*v = 0; *s != '\0'; s++) {
        const int d = vec_digit(*s);
        if (d < 0 || d >= base) return false;
        if (*v > (UINT64_MAX - (uint64_t)d) / (uint64_t)base) return false;
        *v = *v * (uint64_t)base + (uint64_t)d;
    }
    return true;
}

/* Parses a number, with an optional minus, as the bits of a member of this size. */
static bool signed_of(const field *f, const char *text, uint64_t *v)
{
    const bool minus = text[0] == '-';
    const unsigned bits = 8 * (unsigned)f->size;
    const uint64_t limit = UINT64_C(1) << (bits - 1);
    if (!number_of(text + minus, v) || *v >= limit + minus) return false;
    if (minus) *v = 0 - *v;
    *v &= UINT64_MAX >> (64 - bits);
    return true;
}

bool field_set(const field *f, void *record, const char *text)
{
    uint64_t v = 0;
    if (is_address(f)) return address_of(f, record, text);
    if (f->kind == ROCECC_FIELD_HEX) {
        const size_t n = strspn(text, "0123456789abcdef");
        v = strtoull(text, NULL, 16);
        return n > 0 && n <= 16 && text[n] == '\0' && field_put(f, record, v);
    }
    if (f->kind == ROCECC_FIELD_VIEW) {
        static uint8_t pool[VEC_PAIRS][VEC_BYTES]; /* enough for all views of a row */
        static size_t next;
        uint8_t *bytes = pool[next++ % VEC_PAIRS];
        rocecc_reader view;
        size_t n;
        if (strlen(text) > 2 * VEC_BYTES || !vec_hex(text, bytes, &n)) return false;
        view = rocecc_reader_of(bytes, bytes + n);
        memcpy((char *)record + f->offset, &view, sizeof view);
        return true;
    }
    if (f->kind == ROCECC_FIELD_BYTES) {
        static uint8_t bytes[VEC_BYTES];
        size_t n;
        if (strlen(text) > 2 * VEC_BYTES || !vec_hex(text, bytes, &n)) return false;
        if (n != f->size) return false;
        memcpy((char *)record + f->offset, bytes, n);
        return true;
    }
    if (f->kind == ROCECC_FIELD_ENUM) {
        const int i = name_index(f->names, text, strlen(text));
        return i >= 0 && field_put(f, record, (uint64_t)i);
    }
    if (f->kind == ROCECC_FIELD_SET) {
        while (*text != '\0' && strcmp(text, "-") != 0) {
            const size_t n = strcspn(text, "+");
            const int i = name_index(f->names, text, n);
            if (i < 0) return false;
            v |= UINT64_C(1) << i;
            text += n + (text[n] == '+');
        }
        return field_put(f, record, v);
    }
    if (f->kind == ROCECC_FIELD_INT)
        return signed_of(f, text, &v) && field_put(f, record, v);
    return number_of(text, &v) && field_put(f, record, v);
}

static void print_name(const char *names, uint64_t i, sink *to)
{
    for (; i > 0 && *names != '\0'; i--)
        names += strcspn(names, " ") + (strchr(names, ' ') != NULL);
    sink_bytes(to, names, strcspn(names, " "));
}

static void print_set(const char *names, uint64_t v, sink *to)
{
    bool any = false;
    unsigned i;
    for (i = 0; i < 64; i++) {
        if ((v >> i & 1) == 0) continue;
        if (any) sink_char(to, '+');
        print_name(names, i, to);
        any = true;
    }
    if (!any) sink_char(to, '-');
}

static void print_mac(const uint8_t *b, sink *to)
{
    int i;
    for (i = 0; i < 6; i++) {
        if (i > 0) sink_char(to, ':');
        sink_hex(to, b + i, 1);
    }
}

static void print_ip4(const uint8_t *b, sink *to)
{
    int i;
    for (i = 0; i < 4; i++) {
        if (i > 0) sink_char(to, '.');
        sink_decimal(to, b[i]);
    }
}

/* RFC 5952: :: replaces the first longest run of two or more zero groups. */
static void print_ip6(const uint8_t *b, sink *to)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    int i, best = 8, longest = 1, run = 0;
    if (memcmp(b, mapped, sizeof mapped) == 0) {
        sink_text(to, "::ffff:");
        print_ip4(b + 12, to);
        return;
    }
    for (i = 0; i < 8; i++) {
        run = rocecc_load16(b + 2 * i) == 0 ? run + 1 : 0;
        if (run <= longest) continue;
        longest = run;
        best = i + 1 - run;
    }
    for (i = 0; i < 8; i++) {
        if (i == best) {
            sink_text(to, "::");
            i += longest - 1;
            continue;
        }
        if (i != 0 && i != best + longest) sink_char(to, ':');
        sink_hex_number(to, rocecc_load16(b + 2 * i));
    }
}

static void print_view(rocecc_reader view, sink *to)
{
    const size_t n = rocecc_left(&view);
    if (n == 0)
        sink_char(to, '-');
    else
        sink_hex(to, rocecc_take(&view, n), n);
}

/* Writes 64 bits as 16 hex digits. */
static void print_hex(uint64_t v, sink *to)
{
    uint8_t b[8];
    rocecc_store64(b, v);
    sink_hex(to, b, sizeof b);
}

static void print_int(uint64_t v, sink *to)
{
    if (v >> 63 != 0) sink_char(to, '-');
    sink_decimal(to, v >> 63 != 0 ? 0 - v : v);
}

void field_write(const field *f, const void *record, sink *to)
{
    const uint64_t v = field_get(f, record);
    const uint8_t *b = at(f, record);
    rocecc_reader view;
    switch (f->kind) {
    case ROCECC_FIELD_VIEW:
        memcpy(&view, b, sizeof view);
        print_view(view, to);
        break;
    case ROCECC_FIELD_SET:
        print_set(f->names, v, to);
        break;
    case ROCECC_FIELD_ENUM:
        print_name(f->names, v, to);
        break;
    case ROCECC_FIELD_HEX:
        print_hex(v, to);
        break;
    case ROCECC_FIELD_BYTES:
        sink_hex(to, b, f->size);
        break;
    case ROCECC_FIELD_MAC:
        print_mac(b, to);
        break;
    case ROCECC_FIELD_IP4:
        print_ip4(b, to);
        break;
    case ROCECC_FIELD_IP6:
        print_ip6(b, to);
        break;
    case ROCECC_FIELD_INT:
        print_int(v, to);
        break;
    default:
        sink_decimal(to, v);
    }
}

void field_print(const field *f, const void *record, FILE *file)
{
    sink to;
    sink_start(&to, file);
    field_write(f, record, &to);
    sink_flush(&to);
}

bool field_equal(const field *f, const void *a, const void *b)
{
    rocecc_reader x, y;
    size_t n;
    if (f->kind != ROCECC_FIELD_VIEW) return memcmp(at(f, a), at(f, b), f->size) == 0;
    n = (size_t)field_get(f, a);
    if (n != field_get(f, b)) return false;
    if (n == 0) return true;
    memcpy(&x, at(f, a), sizeof x);
    memcpy(&y, at(f, b), sizeof y);
    return memcmp(rocecc_take(&x, n), rocecc_take(&y, n), n) == 0;
}

#define EXPECTED_BYTES 512

/* Appends names to the text, with a separator, until the text is full. */
static void append_names(char *text, const char *names, const char *last)
{
    bool first = true;
    while (*names != '\0') {
        const size_t len = strcspn(names, " "), used = strlen(text);
        const char *separator = first ? "" : names[len] == '\0' ? last : ", ";
        snprintf(text + used, EXPECTED_BYTES - used, "%s%.*s", separator, (int)len,
                 names);
        names += len + (names[len] == ' ');
        first = false;
    }
}

const char *field_expected(const field *f)
{
    static char text[EXPECTED_BYTES];
    const unsigned bits = 8 * (unsigned)f->size;
    const unsigned used =
        f->bits != 0 && (unsigned)f->bits < bits ? (unsigned)f->bits : bits;
    switch (f->kind) {
    case ROCECC_FIELD_UINT:
        snprintf(text, sizeof text, "expected a whole number from 0 to %llu",
                 (unsigned long long)(UINT64_MAX >> (64 - used)));
        break;
    case ROCECC_FIELD_INT:
        snprintf(text, sizeof text, "expected a whole number from -%llu to %llu",
                 (unsigned long long)(UINT64_C(1) << (bits - 1)),
                 (unsigned long long)((UINT64_C(1) << (bits - 1)) - 1));
        break;
    case ROCECC_FIELD_BOOL:
        return "expected 0 or 1";
    case ROCECC_FIELD_ENUM:
        strcpy(text, "expected ");
        append_names(text, f->names, " or ");
        break;
    case ROCECC_FIELD_SET:
        strcpy(text, "expected -, or names with + between them from ");
        append_names(text, f->names, " and ");
        break;
    case ROCECC_FIELD_HEX:
        snprintf(text, sizeof text, "expected up to %u hex digits in lower case",
                 (used + 3) / 4);
        break;
    case ROCECC_FIELD_MAC:
        return "expected a MAC address, such as 02:00:00:00:00:01";
    case ROCECC_FIELD_IP4:
        return "expected an IPv4 address, such as 192.0.2.1";
    case ROCECC_FIELD_IP6:
        return "expected an IPv6 address, such as 2001:db8::1";
    case ROCECC_FIELD_BYTES:
        snprintf(text, sizeof text, "expected %u bytes, two hex digits each",
                 (unsigned)f->size);
        break;
    default:
        return "expected bytes, two hex digits each, or - for none";
    }
    return text;
}
