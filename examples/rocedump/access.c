/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * access.c - the access list of --access. A line has a prefix, and optionally `deny` or
 * `tag=N` after it. The longest match decides.
 *
 *     2001:db8:ffff::/48  tag=77     # switches of this domain
 *     2001:db8:ffff:bad::/64  deny
 *     192.0.2.1                      # only this address
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/prefix.h"
#include "decode.h"

#define LINE_MAX_BYTES 256
#define BLANKS " \t\r\n"

static bool word_of(const char *word, rocecc_acl_entry *e)
{
    unsigned long tag;
    if (strcmp(word, "deny") == 0) {
        e->permit = 0;
        return true;
    }
    if (strncmp(word, "tag=", 4) != 0 || !prefix_number(word + 4, UINT32_MAX, &tag))
        return false;
    e->tag = (uint32_t)tag;
    return true;
}

/*
 * Parses a line, and returns an error or NULL. *is is false for a blank line or a
 * comment.
 */
static const char *line_of(char *line, rocecc_acl_entry *e, bool *is)
{
    rocecc_acl alone;
    uint32_t at;
    char *next, *word;
    memset(e, 0, sizeof *e);
    e->permit = 1;
    *is = false;
    line[strcspn(line, "#")] = '\0';
    word = strtok_r(line, BLANKS, &next);
    if (word == NULL) return NULL;
    *is = true;
    if (!prefix_read(word, e))
        return "expected an IPv4 or IPv6 prefix, ADDRESS or ADDRESS/LENGTH";
    while ((word = strtok_r(NULL, BLANKS, &next)) != NULL)
        if (!word_of(word, e))
            return "expected deny or tag=N after the prefix, with N below 2^32";
    if (rocecc_acl_init(&alone, e, 1, &at) != ROCECC_ACL_ACCEPTED)
        return "the address has a bit set after the prefix length";
    return NULL;
}

static bool bad(const char *path, unsigned line, const char *why)
{
    fprintf(stderr, "rocedump: %s: line %u: %s\n", path, line, why);
    return false;
}

/* Makes room for one more entry. */
static bool grow(access_list *list, uint32_t n)
{
    rocecc_acl_entry *more;
    if ((n & (n - 1)) != 0) return true; /* there is room up to the next power of two */
    more = realloc(list->entries, (n == 0 ? 1 : 2 * (size_t)n) * sizeof *more);
    if (more != NULL) list->entries = more;
    return more != NULL;
}

static bool read_lines(access_list *list, const char *path, FILE *file, uint32_t *n)
{
    char line[LINE_MAX_BYTES];
    unsigned at = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        const bool whole = strchr(line, '\n') != NULL || feof(file);
        rocecc_acl_entry e;
        bool is;
        const char *why = line_of(line, &e, &is);
        at++;
        if (!whole) return bad(path, at, "the line is longer than 254 characters");
        if (why != NULL) return bad(path, at, why);
        if (!is) continue;
        if (*n == ROCECC_ACL_MAX)
            return bad(path, at, "too many prefixes for one list");
        if (!grow(list, *n)) return bad(path, at, "out of memory");
        list->entries[(*n)++] = e;
        if (e.tag > list->tag_max) list->tag_max = e.tag;
    }
    return true;
}

bool access_read(access_list *list, const char *path)
{
    static const field prefix = FIELD_AT("prefix", IP6, 0, sizeof(rocecc_ip6), NULL);
    FILE *file = fopen(path, "r");
    uint32_t n = 0, at;
    bool ok;
    if (file == NULL) {
        fprintf(stderr, "rocedump: %s: %s\n", path, strerror(errno));
        return false;
    }
    ok = read_lines(list, path, file, &n);
    if (ok && ferror(file)) {
        fprintf(stderr, "rocedump: %s: %s\n", path, strerror(errno));
        ok = false;
    }
    fclose(file);
    if (!ok) return false;
    if (rocecc_acl_init(&list->acl, list->entries, n, &at) == ROCECC_ACL_ACCEPTED)
        return true;
    fprintf(stderr, "rocedump: %s: ", path); /* two lines have one prefix */
    field_print(&prefix, &list->entries[at].prefix, stderr);
    fprintf(stderr, "/%u occurs twice\n", list->entries[at].length);
    return false;
}
