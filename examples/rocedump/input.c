/* SPDX-License-Identifier: BSD-2-Clause */

/* input.c - reads frames from captures and vector files. */
#include <string.h>

#include "../lib/vec.h"
#include "capture.h"

typedef struct vec_input {
    input *in;
    const char *path;
    uint64_t rows; /* rows that walk a frame */
    bool bad;
} vec_input;

/* Applies one setting. Returns NULL, or why it is refused. */
static const char *row_set(settings *c, const vec_pair *pair)
{
    static char why[1024];
    if (config_set(c, pair->key, pair->value)) return NULL;
    snprintf(why, sizeof why, "%.200s=%.200s: %s", pair->key, pair->value,
             config_expected(c, pair->key));
    return why;
}

/*
 * Applies the settings of a row, and its arguments as settings of the domain. All other
 * settings of a walk are off. The domain must be invalid with clash=1, and otherwise
 * valid. Returns NULL, or the error.
 */
static const char *row_config(settings *c, const vec_row *row)
{
    bool clash = false;
    const char *refused = NULL;
    size_t i;
    config_plain(c);
    for (i = 0; i < row->n_config && refused == NULL; i++)
        refused = row_set(c, &row->config[i]);
    for (i = 0; i < row->n_in && refused == NULL; i++)
        if (strcmp(row->in[i].key, "clash") == 0)
            clash = strcmp(row->in[i].value, "1") == 0;
        else
            refused = row_set(c, &row->in[i]);
    if (refused != NULL) return refused;
    refused = config_refused(c);
    if (!clash) return refused;
    return refused != NULL ? NULL
                           : "clash=1 expects an invalid domain, but it is valid";
}

/* Handles a row that walks a frame. The status must be the row's. */
static void each_row(const vec_row *row, void *arg)
{
    vec_input *v = (vec_input *)arg;
    const settings given = v->in->config;
    packet p;
    rocecc_status status;
    const char *refused;
    if (!row->call || strcmp(row->noun, "packet_parse") != 0) return;
    v->rows++;
    if (v->in->enough) return;
    refused = row_config(&v->in->config, row);
    if (refused != NULL) {
        fflush(stdout);
        fprintf(stderr, "rocedump: %s: %s: %s\n", v->path, row->id, refused);
        v->bad = true;
    } else {
        p.number = ++v->in->number;
        p.time_ns = 0;
        p.len = (uint32_t)row->n;
        p.iface = 0;
        p.bytes = rocecc_reader_of(row->bytes, row->bytes + row->n);
        p.link = link_of(v->in->config.domain.link == ROCECC_LINK_IP ? LINK_RAW
                                                                     : LINK_ETHERNET,
                         &p.bytes);
        p.id = row->id;
        p.source = row->source;
        v->in->each(v->in, &p);
        status = v->in->last->p.headers.status;
        if (status != row->status) {
            fflush(stdout);
            fprintf(stderr, "rocedump: %s: %s is %s, but the row expects %s\n", v->path,
                    row->id, vec_status_name(status), vec_status_name(row->status));
            v->bad = true;
        }
    }
    v->in->config = given;
}

static bool read_vectors(input *in, const char *path)
{
    vec_input v;
    v.in = in;
    v.path = path;
    v.rows = 0;
    v.bad = false;
    in->vectors = true;
    vec_read(path, each_row, &v);
    if (v.rows == 0)
        fprintf(
            stderr,
            "rocedump: %s: no row walks a frame: expected rows 'call packet_parse'\n",
            path);
    return !v.bad && v.rows != 0;
}

bool input_read(input *in, const char *path)
{
    const size_t n = strlen(path);
    in->vectors = false;
    if (n >= 4 && strcmp(path + n - 4, ".vec") == 0) return read_vectors(in, path);
    return capture_read(in, path);
}
