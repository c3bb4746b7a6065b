/* SPDX-License-Identifier: BSD-2-Clause */
#include "../../examples/lib/field.h"

#include <string.h>

#include "lib/test.h"

typedef struct all {
    rocecc_mac mac;
    rocecc_ip4 ip4;
    rocecc_ip6 ip6;
    uint64_t hex;
    uint8_t bytes[4];
    int16_t i16;
} all;

static const field fields[] = {
    FIELD_ROW(all, MAC, mac, NULL) FIELD_ROW(all, IP4, ip4, NULL)
        FIELD_ROW(all, IP6, ip6, NULL) FIELD_ROW(all, HEX, hex, NULL)
            FIELD_ROW(all, BYTES, bytes, NULL) FIELD_ROW(all, INT, i16, NULL)};

static const struct {
    int kind; /* index of fields */
    const char *text;
    const char *printed; /* NULL: as text */
} good[] = {{0, "00:01:02:aa:bb:ff", NULL},
            {0, "02:00:00:00:00:01", NULL},
            {1, "0.0.0.0", NULL},
            {1, "192.0.2.255", NULL},
            {2, "::", NULL},
            {2, "::1", NULL},
            {2, "1::", NULL},
            {2, "::1:2", NULL},
            {2, "::ffff:192.0.2.1", NULL},
            {2, "::ffff:c000:201", "::ffff:192.0.2.1"},
            {2, "::1:ffff:c000:201", NULL},
            {2, "2001:DB8:0:0:0:0:0:1", "2001:db8::1"},
            {2, "2001:db8:0:1:1:1:1:1", NULL},                /* RFC 5952, 4.2.2 */
            {2, "2001:0:0:1:0:0:0:1", "2001:0:0:1::1"},       /* 4.2.3: the longest */
            {2, "2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"}, /* the first of two */
            {2, "1:2:3:4:5:6:7:8", NULL},
            {2, "1:2:3:4:5:6::", NULL},
            {3, "0123456789abcdef", NULL},
            {3, "0", "0000000000000000"},
            {3, "ffffffffffffffff", NULL},
            {4, "00000000", NULL},
            {4, "01ab00ff", NULL},
            {5, "-531", NULL},
            {5, "-32768", NULL},
            {5, "32767", NULL},
            {5, "-0", "0"}};

static const struct {
    int kind;
    const char *text;
} bad[] = {{0, ""},
           {0, "00:01:02:aa:bb"},
           {0, "00:01:02:aa:bb:"},
           {0, "00:01:02:aa:bb:ff:"},
           {0, "0:01:02:aa:bb:ff"},
           {0, "00:01:02:aa:bb:fff"},
           {0, "00:01:02:aa:bb:0x"},
           {0, "00:01:02:aa:bb: f"},
           {1, "192.0.2"},
           {1, "192.0.2.256"},
           {1, "::1"},
           {2, "192.0.2.1"},
           {2, "1:2:3:4:5:6:7"},
           {2, "1::2::3"},
           {2, ""},
           {3, ""},
           {3, "0x1"},
           {3, "-1"},
           {3, "00000000000000000"},
           {3, "AB"},
           {4, "-"},
           {4, "01ab00"},
           {4, "01ab00ff00"},
           {4, "0x"},
           {5, "-32769"},
           {5, "32768"},
           {5, "--1"},
           {5, "-"}};

static void print(const field *f, const void *record, char *text, size_t n)
{
    FILE *out = tmpfile();
    size_t got;
    text[0] = '\0';
    CHECK(out != NULL);
    if (out == NULL) return;
    field_print(f, record, out);
    rewind(out);
    got = fread(text, 1, n - 1, out);
    text[got] = '\0';
    fclose(out);
}

/*
 * A value is printed as expected, and the printed text sets the same value again. An
 * invalid text sets nothing.
 */
TEST(field_texts_are_printed_and_read_back)
{
    size_t i;
    for (i = 0; i < sizeof good / sizeof good[0]; i++) {
        const field *f = &fields[good[i].kind];
        const char *should = good[i].printed != NULL ? good[i].printed : good[i].text;
        all a, b;
        char text[64];
        memset(&a, 0, sizeof a);
        memset(&b, 0xff, sizeof b);
        test_context("%s", good[i].text);
        CHECK(field_set(f, &a, good[i].text));
        print(f, &a, text, sizeof text);
        if (strcmp(text, should) != 0)
            test_fail(__FILE__, __LINE__, "%s, not %s", text, should);
        CHECK(field_set(f, &b, text));
        CHECK(field_equal(f, &a, &b));
        ((uint8_t *)&b)[f->offset + f->size - 1] ^= 1;
        CHECK(!field_equal(f, &a, &b));
    }
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const field *f = &fields[bad[i].kind];
        all a, before;
        memset(&a, 0xa5, sizeof a);
        before = a;
        test_context("%s", bad[i].text);
        CHECK(!field_set(f, &a, bad[i].text));
        CHECK(memcmp(&a, &before, sizeof a) == 0);
    }
}
