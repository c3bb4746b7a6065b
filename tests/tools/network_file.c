/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include "../../examples/lib/network_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../examples/lib/field.h"
#include "../../examples/lib/network.h"
#include "lib/test.h"

/* Returns the number of names of an enumeration. */
static uint32_t names_of(const char *names)
{
    uint32_t n = 1;
    for (; *names != '\0'; names++)
        n += *names == ' ';
    return n;
}

/* Sets a member to 0 in three of four cases, and to any value of its kind in the
 * fourth. */
static void draw_member(uint64_t *random, const field *f, uint8_t *record)
{
    size_t i;
    memset(record + f->offset, 0, f->size);
    if (test_random(random) % 4 != 0) return;
    if (f->kind == ROCECC_FIELD_BOOL)
        (void)field_put(f, record, 1);
    else if (f->kind == ROCECC_FIELD_ENUM)
        (void)field_put(f, record, test_random(random) % names_of(f->names));
    else
        for (i = 0; i < f->size; i++)
            record[f->offset + i] = (uint8_t)test_random(random);
}

/* Draws a domain. Numbers that rocecc_domain_init() would nearly always refuse become
 * allowed ones in seven of eight cases. */
static rocecc_domain draw(uint64_t *random)
{
    rocecc_domain d = ROCECC_ZERO;
    const char *group;
    const void *record;
    const field *f;
    size_t i;
    for (i = 0; (f = network_member(&d, i, &group, &record)) != NULL; i++)
        draw_member(random, f, (uint8_t *)(uintptr_t)record);
    if (test_random(random) % 8 == 0) return d;
    d.roce.echo_bytes = (uint16_t)(d.roce.echo_bytes % 1017);
    if (d.roce.echo_bytes != 0) d.roce.echo_bytes = (uint16_t)(d.roce.echo_bytes + 8);
    d.overlay.own_ports =
        d.overlay.own_ports ||
        (d.overlay.vxlan_port | d.overlay.vxlan_port_2 | d.overlay.vxlan_gpe_port |
         d.overlay.geneve_port | d.overlay.mpls_port | d.overlay.gre_port) != 0;
    if (d.csig.compact_tpid != 0) d.csig.compact_tpid |= 0x9a00;
    if (d.csig.wide_tpid != 0) d.csig.wide_tpid |= 0x9b00;
    if (d.ifa.protocol != 0) d.ifa.layout_a |= 2;
    d.ifa.layout_b &= (uint16_t)~d.ifa.layout_a;
    d.ifa.gns_a &= 0x7fff;
    d.ifa.gns_b &= (uint16_t)(~d.ifa.gns_a & 0x7fff);
    d.intmd.dscp_mask &= 63;
    if (d.fastcnp.type_plain != 0) d.fastcnp.type_plain = 0x9e;
    if (d.fastcnp.type_ioam != 0) d.fastcnp.type_ioam = 0x9f;
    d.arn.family = (uint8_t)(d.arn.family % 3 * 2);
    if (d.arn.family == 2) d.arn.family = 6;
    if (d.arn.bit_order == ROCECC_ARN_AUTO) d.arn.tail_unknown = false;
    return d;
}

/* Writes the domain to a file, and reads the file. */
static bool write_and_read(const rocecc_domain *d, rocecc_domain *out)
{
    char path[] = "/tmp/domain.XXXXXX";
    const int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    bool fine;
    CHECK(file != NULL);
    if (file == NULL) return false;
    network_write(d, file);
    CHECK(fclose(file) == 0);
    fine = network_read(out, path, "test");
    CHECK(remove(path) == 0);
    return fine;
}

/* Checks that two domains have equal members. Their padding may differ. */
static void check_equal(const rocecc_domain *a, const rocecc_domain *b)
{
    const char *group;
    const void *in_a, *in_b;
    const field *f;
    size_t i;
    for (i = 0; (f = network_member(a, i, &group, &in_a)) != NULL; i++) {
        (void)network_member(b, i, &group, &in_b);
        if (!field_equal(f, in_a, in_b)) test_fail(__FILE__, __LINE__, "%s", f->name);
    }
}

/* A domain that is written and read again is equal. */
TEST(a_written_domain_is_read_back_equal)
{
    uint64_t random = 1;
    const uint64_t rounds = test_rounds(4000);
    uint64_t i, accepted = 0;
    for (i = 0; i < rounds; i++) {
        const rocecc_domain d = draw(&random);
        rocecc_domain out;
        if (rocecc_domain_init(&d) != ROCECC_DOMAIN_ACCEPTED) continue;
        accepted++;
        test_at("domain", i, 0, 0);
        memset(&out, 0xff, sizeof out);
        CHECK(write_and_read(&d, &out));
        check_equal(&d, &out);
    }
    CHECK(accepted > rounds / 2);
}

/* A refusal names a member that is not 0, because all zeros are accepted. */
TEST(a_refused_domain_names_a_member_that_is_not_0)
{
    uint64_t random = 2;
    const uint64_t rounds = test_rounds(200000);
    uint64_t i, refused = 0;
    for (i = 0; i < rounds; i++) {
        const rocecc_domain d = draw(&random);
        const char *why = network_refused(&d), *group, *at;
        const void *record;
        const field *f;
        bool named = false;
        size_t k;
        CHECK_EQ(why == NULL, rocecc_domain_init(&d) == ROCECC_DOMAIN_ACCEPTED);
        if (why == NULL) continue;
        refused++;
        for (k = 0; (f = network_member(&d, k, &group, &record)) != NULL; k++) {
            at = strstr(why, f->name);
            named = named || (at != NULL && field_get(f, record) != 0 &&
                              strchr(" ,", at[strlen(f->name)]) != NULL);
        }
        if (!named) test_fail(__FILE__, __LINE__, "%s", why);
    }
    CHECK(refused > rounds / 50);
}
