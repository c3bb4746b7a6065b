/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * rows.c - makes the bytes of rows in the vectors' grammar. Skips rows with another
 * status than ok or with emit=no, and calls, because calls have no bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/vec.h"
#include "gen.h"

typedef struct reading {
    const rocecc_domain *domain;
    gen_each each;
    void *arg;
    int failed;
    size_t n;
} reading;

static link_type link_of(const char *name)
{
    if (strcmp(name, "pfc") == 0 || strcmp(name, "pfc_pause") == 0 ||
        strcmp(name, "cnm_frame") == 0)
        return LINK_ETHER;
    return strcmp(name, "cnp") == 0 ? LINK_IP : LINK_NONE;
}

/* Reports an error with the ID of the row. */
static int bad_row(const vec_row *row, const char *what, const char *text,
                   const char *near)
{
    char where[256], why[640];
    snprintf(where, sizeof where, "%s%s%s", row->id, text != NULL ? ": " : "",
             text != NULL ? text : "");
    snprintf(why, sizeof why, "%s%s%s%s", what, near != NULL ? " (nearest: " : "",
             near != NULL ? near : "", near != NULL ? ")" : "");
    return gen_bad(why, where);
}

/* Names a value that its key cannot have. */
static int bad_value(const vec_row *row, const vec_pair *pair, const field *f)
{
    char text[200];
    snprintf(text, sizeof text, "%.90s=%.90s", pair->key, pair->value);
    return bad_row(row, field_expected(f), text, NULL);
}

/*
 * Returns the member for a key, or NULL. In a list, "ip6opt[1].type" is a member of
 * element 1.
 */
static const field *member(const noun *n, const char *name, unsigned long *element)
{
    const size_t stem = strlen(n->name);
    char *end;
    size_t i;
    *element = 0;
    if (strncmp(name, n->name, stem) == 0 && name[stem] == '[') {
        *element = strtoul(name + stem + 1, &end, 10);
        if (end == name + stem + 1 || strncmp(end, "].", 2) != 0) return NULL;
        name = end + 2;
    }
    for (i = 0; i < n->n; i++)
        if (strcmp(n->fields[i].name, name) == 0) return &n->fields[i];
    return NULL;
}

/* Fills the record of one element. *found is the number of its keys. */
static int record_of(const noun *n, const vec_row *row, unsigned long which,
                     void *record, size_t *found)
{
    size_t i, k;
    memset(record, 0, n->size);
    noun_clear(n->fields, n->n, record);
    for (*found = i = 0; i < row->n_in; i++) {
        unsigned long element;
        const field *f = member(n, row->in[i].key, &element);
        nearest near = {row->in[i].key, 0, ""};
        for (k = 0; f == NULL && k < n->n; k++)
            nearest_offer(&near, n->fields[k].name);
        if (f == NULL)
            return bad_row(row, "unknown key", row->in[i].key, nearest_name(&near));
        if (element != which) continue;
        if (!noun_set(f, record, row->in[i].value))
            return bad_value(row, &row->in[i], f);
        ++*found;
    }
    return 0;
}

/*
 * Rejects keys for elements after the first n_elements, because only these were
 * written.
 */
static int none_behind(const noun *n, const vec_row *row, unsigned long n_elements)
{
    unsigned long element;
    size_t i;
    for (i = 0; i < row->n_in; i++) {
        (void)member(n, row->in[i].key, &element);
        if (element >= n_elements)
            return bad_row(row, "the element before it is missing", row->in[i].key,
                           NULL);
    }
    return 0;
}

/* Writes all elements of a list, or the one record. */
static int emit_row(const reading *r, const noun *n, const vec_row *row,
                    rocecc_writer *w)
{
    static union {
        uint8_t bytes[RECORD_MAX];
        uint64_t aligned;
        void *pointer;
    } record;
    const bool list = strcmp(n->name, "ip6opt") == 0;
    unsigned long element;
    size_t found = 1;
    if (n->size > RECORD_MAX) abort();
    for (element = 0; found > 0; element++) {
        rocecc_status status;
        const int failed = record_of(n, row, element, &record, &found);
        if (failed != 0) return failed;
        if (found == 0 && list) break;
        status = n->emit(w, r->domain, &record);
        if (status != ROCECC_OK)
            return bad_row(row,
                           "values of its keys are out of range or contradict each "
                           "other",
                           NULL, NULL);
        if (!list) found = 0;
    }
    return none_behind(n, row, element);
}

static void each_row(const vec_row *row, void *arg)
{
    static uint8_t bytes[ROOM];
    reading *r = (reading *)arg;
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    const noun *n = row->call ? NULL : noun_find(row->noun);
    if (r->failed != 0 || row->call || row->status != ROCECC_OK || !row->emit) return;
    if (n == NULL)
        r->failed = bad_row(
            row, "unknown noun; the files vectors/NOUN.vec are named after them",
            row->noun, NULL);
    else if ((r->failed = emit_row(r, n, row, &w)) == 0)
        r->failed = r->each(r->arg, bytes, w.at, link_of(n->name));
    r->n++;
}

int rows_read(const char *path, const rocecc_domain *d, gen_each each, void *arg)
{
    reading r = {d, each, arg, 0, 0};
    const char *file = strcmp(path, "-") == 0 ? "/dev/stdin" : path;
    (void)vec_read(file, each_row, &r);
    if (r.failed == 0 && r.n == 0)
        return gen_bad(
            "no row has bytes to write: expected rows with status ok, without emit=no",
            path);
    return r.failed;
}
