/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * main.c - the library in a module of Linux. When it is loaded, it runs the law of each
 * noun on the rows of tests/gates/bpf/NOUN.c, from files of the machine. All digests
 * must be the host's. The kernel's log gets "rocecc: NOUN: N digests are the host's",
 * differences, and at the end "rocecc: N passed, N failed".
 */
#include <linux/kernel.h>
#include <linux/kernel_read_file.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "rocecc/rocecc.h"

/* From nouns.h, a generated list of nouns: NOUN(bth) ... */
#define NOUN(noun) uint32_t module_##noun(rocecc_reader r);
#include "nouns.h"
#undef NOUN

static const struct noun {
    const char *name;
    uint32_t (*law)(rocecc_reader r);
} nouns[] = {
#define NOUN(noun) {#noun, module_##noun},
#include "nouns.h"
#undef NOUN
};

static bool broken;

/* Called by the laws of all nouns. */
void law_broken(const char *file, int line, const char *text);
void law_broken(const char *file, int line, const char *text)
{
    broken = true;
    pr_notice("rocecc: %s:%d: law broken: %s\n", file, line, text);
}

/*
 * Runs a row "ID HEX DIGEST...", with digests of its longest prefixes. Returns their
 * number, or -1 if one differs or the row is malformed.
 */
static long run_row(const struct noun *noun, char *row, u8 *bytes)
{
    const char *id = strsep(&row, " "), *hex = strsep(&row, " ");
    size_t n = hex == NULL || *hex == '-' ? 0 : strlen(hex) / 2, digests = 1, i;
    if (hex == NULL || row == NULL || hex2bin(bytes, hex, n) != 0) return -1;
    for (i = 0; row[i] != '\0'; i++)
        digests += row[i] == ' ';
    if (digests > n + 1) return -1;
    for (i = n + 1 - digests; i <= n; i++) {
        u32 want, is = noun->law(rocecc_reader_of(bytes, bytes + i));
        if (kstrtou32(strsep(&row, " "), 10, &want) == 0 && want == is) continue;
        pr_notice("rocecc: %s differs: %s, %zu bytes: %u\n", noun->name, id, i, is);
        return -1;
    }
    return (long)digests;
}

/* Returns true if a noun has digests, all are the host's, and no law is broken. */
static bool run_noun(const struct noun *noun, char *text, u8 *bytes)
{
    long sum = 0, n;
    char *row;
    broken = false;
    while ((row = strsep(&text, "\n")) != NULL) {
        if (*row == '\0') continue;
        n = run_row(noun, row, bytes);
        if (n < 0) return false;
        sum += n;
    }
    pr_notice("rocecc: %s: %ld digests are the host's\n", noun->name, sum);
    return sum > 0 && !broken;
}

static bool run_file(const struct noun *noun, u8 *bytes)
{
    char path[64];
    void *data = NULL;
    char *text;
    ssize_t n;
    bool good;
    snprintf(path, sizeof path, "/rows/%s.rows", noun->name);
    n = kernel_read_file_from_path(path, 0, &data, INT_MAX, NULL, READING_UNKNOWN);
    if (n <= 0) return false;
    text = vzalloc((size_t)n + 1);
    if (text == NULL) return false;
    memcpy(text, data, (size_t)n);
    good = run_noun(noun, text, bytes);
    vfree(text);
    vfree(data);
    return good;
}

static int __init start(void)
{
    u8 *bytes = vzalloc(65536);
    unsigned passed = 0;
    size_t i;
    if (bytes == NULL) return -ENOMEM;
    for (i = 0; i < ARRAY_SIZE(nouns); i++)
        passed += run_file(&nouns[i], bytes);
    vfree(bytes);
    pr_notice("rocecc: %u passed, %zu failed\n", passed, ARRAY_SIZE(nouns) - passed);
    return 0;
}

static void __exit stop(void)
{
}

module_init(start);
module_exit(stop);
MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("the laws of rocecc");
