/* SPDX-License-Identifier: BSD-2-Clause */
#define _DEFAULT_SOURCE
#include "vec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"ok",     "end",         "no_match", "short",
                                    "format", "unsupported", "range",    "space"};

const char *vec_status_name(rocecc_status status)
{
    return names[status];
}

int vec_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool vec_hex(const char *text, uint8_t *bytes, size_t *n)
{
    *n = 0;
    if (strcmp(text, "-") == 0) return true;
    while (*text != '\0') {
        const int high = vec_digit(text[0]), low = high < 0 ? -1 : vec_digit(text[1]);
        if (*text == ' ') {
            text++;
            continue;
        }
        if (low < 0) return false;
        bytes[(*n)++] = (uint8_t)(high << 4 | low);
        text += 2;
    }
    return true;
}

const char *vec_value(const vec_pair *pairs, size_t n, const char *key)
{
    size_t i;
    for (i = 0; i < n; i++)
        if (strcmp(pairs[i].key, key) == 0) return pairs[i].value;
    return NULL;
}

const char *vec_tool;
static const char *path_now;
static unsigned line_now;

static void bad_text(const char *what, const char *text)
{
    if (vec_tool != NULL) fprintf(stderr, "%s: ", vec_tool);
    fprintf(stderr, "%s: ", path_now);
    if (line_now != 0) fprintf(stderr, "line %u: ", line_now);
    fprintf(stderr, "%s%s\n", what, text);
    exit(1);
}

static void bad(const char *what)
{
    bad_text(what, "");
}

/* Cuts the next word off, in place. Returns NULL at the end of the text. */
static char *word(char **text)
{
    char *start = *text + strspn(*text, " ");
    char *end = start + strcspn(start, " ");
    if (*start == '\0') return NULL;
    *text = end + (*end != '\0');
    *end = '\0';
    return start;
}

static char *word_or_bad(char **text, const char *what)
{
    char *w = word(text);
    if (w == NULL) bad(what);
    return w;
}

static size_t pairs(char *text, vec_pair *out, bool *emit)
{
    size_t n = 0;
    char *w;
    while ((w = word(&text)) != NULL) {
        char *value = strchr(w, '=');
        if (value == NULL) bad_text("expected KEY=VALUE, not ", w);
        *value++ = '\0';
        if (strcmp(w, "emit") == 0) {
            *emit = strcmp(value, "no") != 0;
            continue;
        }
        if (n == VEC_PAIRS) bad("the row has more than 64 keys");
        if (vec_value(out, n, w) != NULL) bad_text("this key occurs twice: ", w);
        out[n].key = w;
        out[n++].value = value;
    }
    return n;
}

/* Parses one row, joined with its continuation lines. */
static void parse(char *text, vec_row *row)
{
    char *values = strstr(text, "|");
    char *results;
    char *status;
    size_t i;
    if (values == NULL)
        bad("the row has no | after its bytes: expected ID NOUN STATUS BYTES | "
            "KEY=VALUE");
    *values++ = '\0';
    row->emit = true;
    row->id = word_or_bad(&text, "the row has no ID");
    row->noun = word_or_bad(&text, "the row has no noun");
    row->call = strcmp(row->noun, "call") == 0;
    if (row->call) row->noun = word_or_bad(&text, "the call row names no function");
    status = word_or_bad(&text, "the row has no status");
    for (i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(status, names[i]) == 0) break;
    if (i == sizeof names / sizeof names[0])
        bad_text("expected the status ok, end, no_match, short, format, unsupported, "
                 "range or space, not ",
                 status);
    row->status = (rocecc_status)i;
    while (*text == ' ')
        text++;
    for (i = strlen(text); i > 0 && text[i - 1] == ' ';)
        text[--i] = '\0';
    if (i == 0) bad("the row has no bytes: write - for none");
    if (i > 3 * VEC_BYTES / 2) bad("the bytes take more than 6144 characters");
    if (!vec_hex(text, row->bytes, &row->n))
        bad("the bytes are not pairs of hex digits");
    results = strstr(values, "->");
    if ((results != NULL) != row->call)
        bad(row->call ? "a call row needs -> and its results"
                      : "only a call row has ->");
    row->n_out = 0;
    if (results != NULL) {
        *results = '\0';
        row->n_out = pairs(results + 2, row->out, &row->emit);
    }
    row->n_in = pairs(values, row->in, &row->emit);
}

size_t vec_read(const char *path, void (*each)(const vec_row *row, void *arg),
                void *arg)
{
    static char lines[1 << 16];    /* a row and its continuation lines */
    static char source[1 << 12];   /* the current source */
    static char settings[1 << 12]; /* its config lines */
    static vec_row row;
    size_t used = 0, n = 0, set = 0, i;
    char line[4096];
    FILE *f = fopen(path, "r");
    path_now = path;
    line_now = 0;
    if (f == NULL) bad(strerror(errno));
    for (;;) {
        const bool more = fgets(line, sizeof line, f) != NULL;
        if (!more && ferror(f)) bad(strerror(errno));
        if (more) {
            line_now++;
            if (strlen(line) == sizeof line - 1)
                bad("the line is longer than 4093 characters");
            line[strcspn(line, "#\n")] = '\0';
            for (i = 0; line[i] != '\0'; i++)
                if (line[i] < ' ' || line[i] > '~')
                    bad("the line has a character that is not printable ASCII");
            if (line[strspn(line, " ")] == '\0') continue;
        }
        if (more && line[0] == ' ' && used > 0) { /* continuation line */
            if (used + strlen(line) >= sizeof lines)
                bad("the row is longer than 65535 characters");
            strcpy(lines + used, line);
            used += strlen(line);
            continue;
        }
        if (used > 0) {
            parse(lines, &row);
            if (row.source == NULL)
                bad("the row has no source: a line 'source: ...' must precede it");
            each(&row, arg);
            n++;
            used = 0;
        }
        if (!more) break;
        if (strncmp(line, "source:", 7) == 0) {
            strcpy(source, line + 7 + strspn(line + 7, " "));
            row.source = source;
            row.n_config = set = 0;
        } else if (strncmp(line, "config ", 7) == 0) {
            bool unused;
            if (set + strlen(line) >= sizeof settings)
                bad("the settings of a source are longer than 4095 characters");
            strcpy(settings + set, line + 7);
            if (row.n_config == VEC_PAIRS) bad("a source has more than 64 settings");
            row.n_config += pairs(settings + set, row.config + row.n_config, &unused);
            set += strlen(line);
        } else if (line[0] == ' ') {
            bad("the line begins with a blank, but no row precedes it");
        } else {
            strcpy(lines, line);
            used = strlen(line);
        }
    }
    fclose(f);
    row.source = NULL;
    row.n_config = 0;
    return n;
}

/* A found packet. Tests ask for the same packets thousands of times. */
typedef struct wanted {
    const char *path;
    const char *id;
    vec_packet packet;
    bool found;
    struct wanted *next;
} wanted;

static void want(const vec_row *row, void *arg)
{
    wanted *w = (wanted *)arg;
    if (strcmp(row->id, w->id) != 0 || row->n > sizeof w->packet.bytes) return;
    memcpy(w->packet.bytes, row->bytes, row->n);
    w->packet.n = row->n;
    w->found = true;
}

vec_packet vec_find(const char *path, const char *id)
{
    static wanted *all;
    wanted *w;
    for (w = all; w != NULL; w = w->next)
        if (strcmp(w->path, path) == 0 && strcmp(w->id, id) == 0) return w->packet;
    w = (wanted *)calloc(1, sizeof *w);
    if (w == NULL) bad("out of memory");
    w->path = strdup(path);
    w->id = strdup(id);
    (void)vec_read(path, want, w);
    line_now = 0;
    if (!w->found) bad_text("no row of up to 256 bytes has the ID ", id);
    w->next = all;
    all = w;
    return w->packet;
}
