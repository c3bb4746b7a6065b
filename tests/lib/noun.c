/* SPDX-License-Identifier: BSD-2-Clause */
#include "noun.h"

#include <stdlib.h>
#include <string.h>

#include "../law/law.h"

#define ELEMENTS 64
#define RECORD_BYTES 256 /* of the largest struct */
#define UNTOUCHED 0xa5

void law_broken(const char *file, int line, const char *text)
{
    test_fail(file, line, "law: %s", text);
}

/*
 * Start offsets, with 0, odd ones, and both sides of 8 and 16 bits. A frame may begin
 * at 31000 at most, the third from the end.
 */
static const size_t places[] = {0, 1, 255, 256, 311, 4099, 31000, 65535, 65537};
#define PLACES NOUN_COUNT(places)
#define FRAME_PLACES (PLACES - 2)

static size_t turn;              /* next index; run_vectors() resets it */
static size_t n_places = PLACES; /* places for the present rows */
static size_t front;

size_t law_front(void)
{
    return front;
}

static size_t next_place(size_t n)
{
    return places[turn++ % n];
}

static rocecc_reader reader_at(size_t at, const uint8_t *bytes, size_t n)
{
    rocecc_reader r = rocecc_reader_of(bytes - at, bytes + n);
    r.at = at;
    return r;
}

static rocecc_writer writer_at(size_t at, uint8_t *bytes, size_t n)
{
    rocecc_writer w = rocecc_writer_of(bytes - at, bytes + n);
    w.at = at;
    return w;
}

rocecc_reader noun_reader(const void *bytes, size_t n)
{
    return reader_at(next_place(FRAME_PLACES), guard_end(bytes, n), n);
}

rocecc_writer noun_writer(size_t n)
{
    uint8_t *room = guard_room(n);
    memset(room, UNTOUCHED, n);
    return writer_at(next_place(FRAME_PLACES), room, n);
}

rocecc_writer noun_over(rocecc_reader r)
{
    return writer_at(r.at, (uint8_t *)(uintptr_t)(r.base + r.at), rocecc_left(&r));
}

/* Runs a law on bytes that begin at `at`. The law writes at `writes`. */
static uint32_t law_at(uint32_t (*law)(rocecc_reader r), const uint8_t *bytes, size_t n,
                       size_t at, size_t writes)
{
    uint32_t digest;
    front = writes;
    digest = law(reader_at(at, guard_end(bytes, n), n));
    front = 0; /* for tests that call a law themselves */
    return digest;
}

void noun_law(uint32_t (*law)(rocecc_reader r), const uint8_t *bytes, size_t n,
              bool twice)
{
    const size_t at = next_place(FRAME_PLACES);
    const size_t writes = next_place(FRAME_PLACES - 1);
    const uint32_t digest = law_at(law, bytes, n, at, writes);
    if (twice) CHECK_EQ(law_at(law, bytes, n, 0, 0), digest);
}

/* Returns aligned memory for n structs of any type. */
static uint8_t *records(size_t n)
{
    uint8_t *p = calloc(n, RECORD_BYTES);
    if (p == NULL) abort();
    return p;
}

/* Records in some bytes, one or all elements of a list. */
typedef struct parsed {
    rocecc_status status; /* OK at the end of a list */
    size_t taken;
    size_t n;
    uint8_t *record; /* RECORD_BYTES each */
} parsed;

/* Returns how many leading bytes are UNTOUCHED. */
static size_t untouched(const uint8_t *p, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++)
        if (p[i] != UNTOUCHED) break;
    return i;
}

/* Parses one record. Under MSan, a success must write each member. */
static rocecc_status parse_one(const noun *n, rocecc_reader *r, uint8_t *record)
{
    rocecc_status status;
    size_t f;
    test_forget(record, n->size);
    status = n->parse(r, record);
    if (status != ROCECC_OK) test_remember(record, n->size);
    for (f = 0; f < n->n_fields && status == ROCECC_OK; f++)
        test_known(record + n->fields[f].offset, n->fields[f].size);
    return status;
}

static void parse(const noun *n, size_t at, const uint8_t *bytes, size_t len, parsed *p)
{
    rocecc_reader r = reader_at(at, bytes, len);
    if (p->record == NULL) p->record = records(ELEMENTS);
    memset(p->record, UNTOUCHED, ELEMENTS * RECORD_BYTES);
    p->n = 0;
    do {
        const rocecc_reader before = r;
        uint8_t *record = p->record + p->n * RECORD_BYTES;
        if (p->n == ELEMENTS) abort();
        p->status = parse_one(n, &r, record);
        if (p->status == ROCECC_OK) {
            p->n++;
        } else { /* nothing was taken or written */
            CHECK(before.at == r.at && before.end == r.end);
            CHECK_EQ(untouched(record, n->size), n->size);
        }
    } while (n->list && p->status == ROCECC_OK);
    if (n->list && p->status == ROCECC_END) p->status = ROCECC_OK;
    p->taken = r.at - at;
}

/* Writes the record of a row, or element i of a list. Returns false without one. */
static bool record_of(const noun *n, const vec_row *row, size_t i, void *record)
{
    bool named = !n->list;
    size_t f;
    if (!n->list && i > 0) return false;
    memset(record, 0, n->size);
    for (f = 0; f < n->n_fields; f++) {
        char key[96];
        const char *value;
        if (n->list)
            snprintf(key, sizeof key, "%s[%zu].%s", n->name, i, n->fields[f].name);
        else
            snprintf(key, sizeof key, "%s", n->fields[f].name);
        value = vec_value(row->in, row->n_in, key);
        if (value == NULL) {
            if (n->fields[f].kind == ROCECC_FIELD_VIEW)
                field_set(&n->fields[f], record, "-");
            continue;
        }
        named = true;
        if (!field_set(&n->fields[f], record, value))
            test_fail(__FILE__, __LINE__, "%s=%s is not a value", key, value);
    }
    return named;
}

/* Checks that every key of the row names a member, so that each is compared. */
static void check_keys(const noun *n, const vec_row *row)
{
    size_t i, f;
    for (i = 0; i < row->n_in; i++) {
        const char *key = row->in[i].key;
        if (n->list) key = strchr(key, '.') != NULL ? strchr(key, '.') + 1 : "";
        for (f = 0; f < n->n_fields; f++)
            if (strcmp(n->fields[f].name, key) == 0) break;
        if (f == n->n_fields)
            test_fail(__FILE__, __LINE__, "no member %s", row->in[i].key);
    }
}

static void check_fields(const field *fields, size_t n_fields, const void *is,
                         const void *should)
{
    size_t f;
    for (f = 0; f < n_fields; f++) {
        if (field_equal(&fields[f], is, should)) continue;
        test_fail(__FILE__, __LINE__, "%s differs:", fields[f].name);
        printf("    is        ");
        field_print(&fields[f], is, stdout);
        printf("\n    should be ");
        field_print(&fields[f], should, stdout);
        printf("\n");
    }
}

static rocecc_status emit_all(const noun *n, const vec_row *row, rocecc_writer *w)
{
    uint8_t *record = records(1);
    rocecc_status status = ROCECC_OK;
    size_t i;
    for (i = 0; status == ROCECC_OK && record_of(n, row, i, record); i++)
        status = n->emit(w, record);
    free(record);
    return status;
}

/* Emits the row's values into the room of a writer. No other byte may change. */
static void check_emit_at(const noun *n, const vec_row *row, rocecc_writer w,
                          rocecc_status should)
{
    const size_t at = w.at, room = rocecc_room(&w), before = at < 512 ? at : 512;
    uint8_t *to = w.base + at;
    size_t wrote;
    memset(to - before, UNTOUCHED, before + room);
    CHECK_EQ(emit_all(n, row, &w), should);
    wrote = w.at - at;
    if (should == ROCECC_OK) CHECK(wrote == row->n);
    CHECK(memcmp(to, row->bytes, wrote) == 0);
    CHECK_EQ(untouched(to - before, before), before);
    CHECK_EQ(untouched(to + wrote, room - wrote), room - wrote);
}

static void check_emit(const noun *n, const vec_row *row, size_t max, size_t room,
                       rocecc_status should)
{
    check_emit_at(n, row, writer_at(next_place(max), guard_room(room), room), should);
    check_emit_at(n, row, writer_at(0, guard_start(NULL, room), room), should);
}

static void check_row(const noun *n, const vec_row *row, size_t max)
{
    static parsed whole, part;
    uint8_t *should = records(1);
    size_t len, i;
    if (n->size > RECORD_BYTES) abort();
    check_keys(n, row);
    if (row->status == ROCECC_ERR_RANGE || row->status == ROCECC_ERR_SPACE) {
        check_emit(n, row, max, row->status == ROCECC_ERR_SPACE ? 0 : 4096,
                   row->status);
        free(should);
        return;
    }
    parse(n, 0, guard_start(row->bytes, row->n), row->n, &whole);
    CHECK_EQ(whole.status, row->status);
    for (i = 0; record_of(n, row, i, should); i++)
        if (row->status == ROCECC_OK && i < whole.n)
            check_fields(n->fields, n->n_fields, whole.record + i * RECORD_BYTES,
                         should);
    if (row->status == ROCECC_OK) {
        CHECK_EQ(whole.n, i);
        CHECK_EQ(whole.taken, row->n);
    }
    for (len = 0; len <= row->n; len++) { /* each prefix, before a guard page */
        const size_t at = next_place(max);
        test_context("%s, the first %zu bytes at %zu", row->id, len, at);
        parse(n, at, guard_end(row->bytes, len), len, &part);
        if (len == row->n)
            CHECK_EQ(part.status, whole.status);
        else if (n->list)
            CHECK(part.status == (part.taken == len ? ROCECC_OK : ROCECC_ERR_FORMAT));
        else if (row->status == ROCECC_OK)
            CHECK_EQ(part.status, ROCECC_ERR_SHORT);
        if (row->status != ROCECC_OK || !row->emit) continue;
        if (len == row->n)
            check_emit(n, row, max, len, ROCECC_OK);
        else
            check_emit(n, row, max, len, ROCECC_ERR_SPACE);
    }
    free(should);
}

/* Runs the law on each prefix at 0 and one more place, and on the row at each place. */
static void check_law(const noun_file *file, const vec_row *row, size_t max)
{
    size_t len, i;
    for (len = 0; len <= row->n; len++) {
        uint32_t digest;
        test_context("%s, the first %zu bytes", row->id, len);
        digest = law_at(file->law, row->bytes, len, 0, 0);
        for (i = 0; i < (len == row->n ? max : 1); i++) {
            const size_t at = next_place(max);
            const size_t writes = places[(turn + i + 3) % max];
            test_context("%s, the first %zu bytes at %zu, to %zu", row->id, len, at,
                         writes);
            CHECK_EQ(law_at(file->law, row->bytes, len, at, writes), digest);
        }
    }
}

static void each_row(const vec_row *row, void *arg)
{
    const noun_file *file = arg;
    const size_t max = n_places;
    size_t i;
    bool known = false;
    test_context("%s", row->id);
    for (i = 0; i < file->n_nouns && !row->call; i++)
        if (strcmp(file->nouns[i].name, row->noun) == 0) {
            check_row(&file->nouns[i], row, max);
            known = true;
        }
    for (i = 0; i < file->n_calls && row->call; i++)
        if (strcmp(file->calls[i].name, row->noun) == 0) {
            file->calls[i].check(row);
            known = true;
        }
    if (!known) test_fail(__FILE__, __LINE__, "no noun or call is named %s", row->noun);
    check_law(file, row, max);
}

static void run_vectors(const noun_file *file, size_t max)
{
    char path[256];
    size_t rows;
    turn = 0;
    n_places = max;
    snprintf(path, sizeof path, "vectors/%s.vec", file->file);
    rows = vec_read(path, each_row, (void *)file);
    test_context("%s", path);
    CHECK(rows > 0);
}

void noun_vectors(const noun_file *file)
{
    run_vectors(file, PLACES);
}

void noun_frame_vectors(const noun_file *file)
{
    run_vectors(file, FRAME_PLACES);
}

void noun_bits(const noun *n, size_t bytes)
{
    uint8_t *plain = records(1), *flipped = records(1);
    size_t bit, f;
    int ground;
    for (ground = 0; ground <= 0xff; ground += 0xff)
        for (bit = 0; bit < 8 * bytes; bit++) {
            const size_t at = next_place(PLACES);
            uint8_t *wire = guard_end(NULL, bytes), *back = guard_room(bytes);
            rocecc_reader r = reader_at(at, wire, bytes);
            rocecc_writer w = writer_at(places[bit % PLACES], back, bytes);
            int changed = 0;
            test_context("%s, bit %zu over %02x at %zu", n->name, bit, (unsigned)ground,
                         at);
            memset(wire, ground, bytes);
            CHECK_EQ(parse_one(n, &r, plain), ROCECC_OK);
            wire[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
            r = reader_at(at, wire, bytes);
            CHECK_EQ(parse_one(n, &r, flipped), ROCECC_OK);
            for (f = 0; f < n->n_fields; f++)
                changed += !field_equal(&n->fields[f], plain, flipped);
            CHECK_EQ(changed, 1);
            CHECK_EQ(n->emit(&w, flipped), ROCECC_OK);
            CHECK(memcmp(wire, back, bytes) == 0);
        }
    free(plain);
    free(flipped);
}

void noun_check_out(const vec_row *row, const field *fields, size_t n_fields,
                    rocecc_status status, const void *record)
{
    uint8_t *should = records(1);
    noun n = {"", false, RECORD_BYTES, NULL, 0, NULL, NULL};
    vec_row out = *row;
    n.fields = fields;
    n.n_fields = n_fields;
    memcpy(out.in, row->out, sizeof out.in);
    out.n_in = row->n_out;
    CHECK_EQ(status, row->status);
    if (status == ROCECC_OK) {
        check_keys(&n, &out);
        (void)record_of(&n, &out, 0, should);
        check_fields(fields, n_fields, record, should);
    }
    free(should);
}

size_t noun_arg(const vec_row *row, const char *key)
{
    const char *value = vec_value(row->in, row->n_in, key);
    if (value == NULL) test_fail(__FILE__, __LINE__, "no argument %s", key);
    return value != NULL ? (size_t)strtoull(value, NULL, 0) : 0;
}
