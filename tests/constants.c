/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * constants.c - compares every constant of a header with the literal of its source.
 * constants.def has them all, and a header must not have any other.
 */
#include "lib/test.h"

#include <rocecc/rocecc.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
    int line;
    const char *source; /* a heading; all else is empty */
    const char *name;
    const char *text; /* text of a string, or of BPF's definition */
    const char *is_text;
    uint64_t is;
    uint64_t pinned;
} row;

#define SOURCE(clause) {__LINE__, clause, NULL, NULL, NULL, 0, 0},
#define PIN(name, value) {__LINE__, NULL, #name, NULL, NULL, (uint64_t)(name), value},
#define PIN_TEXT(name, text) {__LINE__, NULL, #name, text, name, 0, 0},
#define UNDER_BPF(name, text) {__LINE__, NULL, #name, text, NULL, 0, 0},
static const row rows[] = {
#include "constants.def"
};
#undef SOURCE
#undef PIN
#undef PIN_TEXT
#undef UNDER_BPF

#define ROWS (sizeof rows / sizeof rows[0])
#define TABLE "tests/constants.def"

static bool is_bpf(const row *r)
{
    return r->text != NULL && r->is_text == NULL;
}

TEST(constants_match_their_source)
{
    const char *source = NULL;
    size_t i;
    for (i = 0; i < ROWS; i++) {
        const row *r = &rows[i];
        if (r->source != NULL) source = r->source;
        if (source == NULL) test_fail(TABLE, r->line, "no source");
        if (r->is != r->pinned)
            test_fail(TABLE, r->line, "%s is %llu (0x%llx), not %llu (0x%llx): %s",
                      r->name, (unsigned long long)r->is, (unsigned long long)r->is,
                      (unsigned long long)r->pinned, (unsigned long long)r->pinned,
                      source);
        if (r->is_text != NULL && strcmp(r->is_text, r->text) != 0)
            test_fail(TABLE, r->line, "%s is %s, not %s: %s", r->name, r->is_text,
                      r->text, source);
    }
}

/* Row with a name, and how often the headers define it. */
typedef struct entry {
    const row *row;
    unsigned defined;
    unsigned defined_bpf;
} entry;

typedef struct entries {
    entry at[ROWS];
    size_t n;
} entries;

/* Orders entries by name, with BPF's row second. */
static int entry_order(const void *a, const void *b)
{
    const row *x = ((const entry *)a)->row, *y = ((const entry *)b)->row;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : (int)is_bpf(x) - (int)is_bpf(y);
}

static void entries_make(entries *all)
{
    size_t i;
    all->n = 0;
    for (i = 0; i < ROWS; i++) {
        const entry e = {&rows[i], 0, 0};
        if (rows[i].name != NULL) all->at[all->n++] = e;
    }
    qsort(all->at, all->n, sizeof all->at[0], entry_order);
    for (i = 1; i < all->n; i++)
        if (entry_order(&all->at[i - 1], &all->at[i]) == 0)
            test_fail(TABLE, all->at[i].row->line, "a second row of %s",
                      all->at[i].row->name);
}

static entry *entry_of(entries *all, const char *name, bool bpf)
{
    const row sought = {0, NULL, name, bpf ? name : NULL, NULL, 0, 0};
    const entry key = {&sought, 0, 0};
    return bsearch(&key, all->at, all->n, sizeof all->at[0], entry_order);
}

static bool ends_in(const char *s, const char *end)
{
    const size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}

/* Returns true for ROCECC_ names, except guards, private names, and these macros. */
static bool is_constant(const char *name)
{
    return strncmp(name, "ROCECC_", 7) == 0 && !ends_in(name, "_H") &&
           !ends_in(name, "_") && strcmp(name, "ROCECC_FN") != 0 &&
           strcmp(name, "ROCECC_INLINE") != 0 && strcmp(name, "ROCECC_PREFETCH") != 0 &&
           strcmp(name, "ROCECC_CRC32_UPDATE") != 0 && /* the host defines it */
           strcmp(name, "ROCECC_FLOWTABLE_HASH") != 0 &&
           strcmp(name, "ROCECC_ZERO") != 0 &&  /* an initializer */
           strcmp(name, "ROCECC_DIV64") != 0 && /* the host's */
           strcmp(name, "ROCECC_TELEMETRY_RATES_BPF_ENTRIES") != 0 &&
           strcmp(name, "ROCECC_FLOWTABLE_BPF_BUCKETS") != 0 &&
           strcmp(name, "ROCECC_ACL_BPF_ENTRIES") != 0 &&
           strcmp(name, "ROCECC_ACLINDEX_BPF_CELLS") != 0;
}

/* Position in a header. */
typedef struct place {
    const char *file;
    int line;
    bool comment;
    bool bpf; /* the last conditional was #if defined(__bpf__) */
} place;

/* Blanks the comments and strings of a line. */
static void strip(place *p, char *line)
{
    bool quoted = false;
    for (; *line != '\0'; line++) {
        const bool opens = !p->comment && !quoted && strncmp(line, "/*", 2) == 0;
        const bool closes = p->comment && strncmp(line, "*/", 2) == 0;
        if (!p->comment && *line == '"') quoted = !quoted;
        if (opens || closes) {
            p->comment = opens;
            line[0] = line[1] = ' ';
            line++;
        } else if (p->comment || quoted) {
            *line = ' ';
        }
    }
}

/*
 * Checks a #define. A name may have one, and one more for BPF if the table has a BPF
 * row with the same text.
 */
static void read_define(entries *all, const place *p, const char *name, char *text)
{
    entry *e = entry_of(all, name, p->bpf);
    text += strspn(text, " ");
    text[strcspn(text, "\n")] = '\0';
    while (ends_in(text, " "))
        text[strlen(text) - 1] = '\0';
    if (e == NULL) {
        test_fail(p->file, p->line, "%s: no row%s", name, p->bpf ? " for BPF" : "");
        return;
    }
    if (++e->defined > 1) test_fail(p->file, p->line, "%s: a second #define", name);
    if (p->bpf && strcmp(text, e->row->text) != 0)
        test_fail(p->file, p->line, "%s is %s for BPF, not %s", name, text,
                  e->row->text);
}

static void read_line(entries *all, place *p, char *line)
{
    const bool define = strncmp(line, "#define ", 8) == 0;
    char name[80];
    size_t n;
    if (strncmp(line, "#if", 3) == 0 || strncmp(line, "#el", 3) == 0 ||
        strncmp(line, "#endif", 6) == 0)
        p->bpf = strncmp(line, "#if defined(__bpf__)", 20) == 0;
    for (; *line != '\0'; line += n != 0 ? n : 1) {
        n = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
                         "0123456789");
        if (n == 0 || n >= sizeof name) continue;
        memcpy(name, line, n);
        name[n] = '\0';
        if (!is_constant(name)) continue;
        if (define && line[-1] == ' ' && line[-2] == 'e') {
            read_define(all, p, name, line + n);
            return;
        }
        if (entry_of(all, name, false) == NULL && entry_of(all, name, true) == NULL)
            test_fail(p->file, p->line, "%s: no row in " TABLE, name);
    }
}

static void read_header(entries *all, const char *file)
{
    place p = {file, 0, false, false};
    FILE *in = fopen(file, "r");
    char line[400];
    CHECK(in != NULL);
    while (in != NULL && fgets(line, sizeof line, in) != NULL) {
        p.line++;
        CHECK(strchr(line, '\n') != NULL);
        strip(&p, line);
        read_line(all, &p, line);
    }
    if (in != NULL) fclose(in);
}

/* Reads the headers of a folder and its subfolders. Returns their number. */
static unsigned read_folder(entries *all, const char *folder, unsigned depth)
{
    unsigned headers = 0;
    struct dirent *d;
    DIR *dir = opendir(folder);
    if (dir == NULL) return 0;
    while ((d = readdir(dir)) != NULL) {
        char path[300];
        if (d->d_name[0] == '.') continue;
        if (strcmp(d->d_name, "fields") == 0) continue; /* member lists: fields.c */
        snprintf(path, sizeof path, "%.100s/%.180s", folder, d->d_name);
        if (!ends_in(path, ".h")) {
            if (depth != 0) headers += read_folder(all, path, depth - 1);
            continue;
        }
        read_header(all, path);
        headers++;
    }
    closedir(dir);
    return headers;
}

TEST(constants_are_all_in_the_table)
{
    static entries all;
    size_t i;
    entries_make(&all);
    CHECK(read_folder(&all, "include/rocecc", 2) >= 54);
    for (i = 0; i < all.n; i++)
        if (is_bpf(all.at[i].row) && all.at[i].defined == 0)
            test_fail(TABLE, all.at[i].row->line, "%s: no header defines it for BPF",
                      all.at[i].row->name);
}
