/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_NOUN_H
#define TESTS_LIB_NOUN_H

/*
 * noun.h - what every codec is held to, by the rows of its vectors: the values, the
 * bytes again, every prefix and every output too small, at both guard pages.
 */
#include "../../examples/lib/field.h"
#include "guard.h"
#include "test.h"
#include "../../examples/lib/vec.h"

typedef struct noun {
    const char *name;
    bool list; /* parse is a walker's next, and the noun all that it gives */
    size_t size;
    const field *fields;
    size_t n_fields;
    rocecc_status (*parse)(rocecc_reader *r, void *record);
    rocecc_status (*emit)(rocecc_writer *w, const void *record);
} noun;

/* A function that is no codec: takes a row, checks what it gives. */
typedef struct noun_call {
    const char *name;
    void (*check)(const vec_row *row);
} noun_call;

/* A test file's claim to vectors/<file>.vec: whose rows may stand there. */
typedef struct noun_file {
    const char *file;
    uint32_t (*law)(rocecc_reader r);
    const noun *nouns;
    size_t n_nouns;
    const noun_call *calls;
    size_t n_calls;
} noun_file;

/*
 * Runs every row, and the law on every prefix of every row. Whatever is read or written
 * begins in the middle of a buffer, in another place each time; what the law makes of
 * it is the same everywhere.
 */
void noun_vectors(const noun_file *file);

/* The same where the law locates or builds frames: to ROCECC_FRAME_START_MAX. */
void noun_frame_vectors(const noun_file *file);

/* A law, of n bytes wherever a frame may begin; twice, of what begins at 0, too. */
void noun_law(uint32_t (*law)(rocecc_reader r), const uint8_t *bytes, size_t n,
              bool twice);

/*
 * n bytes right before a guard page, as a reader, and room for n as a writer. The first
 * is somewhere in a buffer, where a frame may begin: r.at, w.at; the room is full of
 * 0xa5. Good until the next of its kind; so many bytes of memory stand before it in any
 * case.
 */
rocecc_reader noun_reader(const void *bytes, size_t n);
rocecc_writer noun_writer(size_t n);

/* To write over what a reader has: the same bytes of the same buffer. */
rocecc_writer noun_over(rocecc_reader r);

/* Every bit of a record of n bytes belongs to just one member, and survives. */
void noun_bits(const noun *n, size_t bytes);

/* What a call row says of a record: its status, and if that is OK each member. */
void noun_check_out(const vec_row *row, const field *fields, size_t n_fields,
                    rocecc_status status, const void *record);

/* An argument of a call row, as a number. */
size_t noun_arg(const vec_row *row, const char *key);

#define NOUN_COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A header of n bytes, any of which are one: it has load and store, and no more. */
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
