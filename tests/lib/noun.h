/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_NOUN_H
#define TESTS_LIB_NOUN_H

/*
 * noun.h - checks of every codec by the rows of its vectors, with the values, the
 * emitted bytes, every prefix, and every output that is too small, at both guard pages.
 */
#include "../../examples/lib/field.h"
#include "guard.h"
#include "test.h"
#include "../../examples/lib/vec.h"

typedef struct noun {
    const char *name;
    bool list; /* parse() is a walker's next(), and the noun is the whole list */
    size_t size;
    const field *fields;
    size_t n_fields;
    rocecc_status (*parse)(rocecc_reader *r, void *record);
    rocecc_status (*emit)(rocecc_writer *w, const void *record);
} noun;

/* A function that is not a codec. check() takes a row and checks the result. */
typedef struct noun_call {
    const char *name;
    void (*check)(const vec_row *row);
} noun_call;

/* Content of vectors/<file>.vec, with all nouns and calls that its rows may have. */
typedef struct noun_file {
    const char *file;
    uint32_t (*law)(rocecc_reader r);
    const noun *nouns;
    size_t n_nouns;
    const noun_call *calls;
    size_t n_calls;
} noun_file;

/*
 * Runs every row, and the law on every prefix of every row. Each read or write begins
 * at another place in a buffer, and the law's result must be the same everywhere.
 */
void noun_vectors(const noun_file *file);

/* Like noun_vectors(), for laws that locate or build frames, up to place 31000. */
void noun_frame_vectors(const noun_file *file);

/* Runs a law on n bytes where a frame may begin. With `twice`, compares a run at 0. */
void noun_law(uint32_t (*law)(rocecc_reader r), const uint8_t *bytes, size_t n,
              bool twice);

/*
 * Returns a reader of n bytes, or a writer with room for n bytes of 0xa5, just before a
 * guard page. It begins in a buffer where a frame may begin (r.at, w.at), and as many
 * bytes of memory are before it. It is valid until the next of its kind.
 */
rocecc_reader noun_reader(const void *bytes, size_t n);
rocecc_writer noun_writer(size_t n);

/* Returns a writer over the bytes of a reader. */
rocecc_writer noun_over(rocecc_reader r);

/* Checks that each bit of n bytes belongs to just one member, and is emitted again. */
void noun_bits(const noun *n, size_t bytes);

/* Compares a record with the status of a call row, and if OK with each member. */
void noun_check_out(const vec_row *row, const field *fields, size_t n_fields,
                    rocecc_status status, const void *record);

/* Returns an argument of a call row as a number. */
size_t noun_arg(const vec_row *row, const char *key);

#define NOUN_COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A header of n bytes with only load and store, because any bytes are valid. */
#define NOUN_WORD(id, n, FIELDS) NOUN_LOADED(id, rocecc_##id, n, FIELDS)
#define NOUN_LOADED(id, T, n, FIELDS)                                                  \
    static const field id##_fields[] = {FIELDS(FIELD_ROW, T)};                         \
    static rocecc_status id##_parse(rocecc_reader *r, void *record)                    \
    {                                                                                  \
        const uint8_t *b = rocecc_take(r, n);                                          \
        if (b == NULL) return ROCECC_ERR_SHORT;                                        \
        *(T *)record = T##_load(b);                                                    \
        return ROCECC_OK;                                                              \
    }                                                                                  \
    static rocecc_status id##_emit(rocecc_writer *w, const void *record)               \
    {                                                                                  \
        uint8_t *b = rocecc_put(w, n);                                                 \
        if (b == NULL) return ROCECC_ERR_SPACE;                                        \
        T##_store(b, (const T *)record);                                               \
        return ROCECC_OK;                                                              \
    }                                                                                  \
    static const noun id##_noun = {#id,                                                \
                                   false,                                              \
                                   sizeof(T),                                          \
                                   id##_fields,                                        \
                                   NOUN_COUNT(id##_fields),                            \
                                   id##_parse,                                         \
                                   id##_emit}

#define NOUN(id, verb, is_list, FIELDS)                                                \
    static const field id##_fields[] = {FIELDS(FIELD_ROW, rocecc_##id)};               \
    static rocecc_status id##_parse(rocecc_reader *r, void *record)                    \
    {                                                                                  \
        return rocecc_##id##_##verb(r, (rocecc_##id *)record);                         \
    }                                                                                  \
    static rocecc_status id##_emit(rocecc_writer *w, const void *record)               \
    {                                                                                  \
        return rocecc_##id##_emit(w, (const rocecc_##id *)record);                     \
    }                                                                                  \
    static const noun id##_noun = {#id,                                                \
                                   is_list,                                            \
                                   sizeof(rocecc_##id),                                \
                                   id##_fields,                                        \
                                   NOUN_COUNT(id##_fields),                            \
                                   id##_parse,                                         \
                                   id##_emit}

#endif /* TESTS_LIB_NOUN_H */
