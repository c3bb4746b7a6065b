/* SPDX-License-Identifier: BSD-2-Clause */
#include "record.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

/* Copies the value of a member from a text. Returns false if the text has none. */
static bool value_of(const char *text, const char *name, char *out, size_t size)
{
    const size_t n = strlen(name);
    while (*(text += strspn(text, " ")) != '\0') {
        const size_t word = strcspn(text, " ");
        if (word > n && word - n <= size && strncmp(text, name, n) == 0 &&
            text[n] == '=') {
            memcpy(out, text + n + 1, word - n - 1);
            out[word - n - 1] = '\0';
            return true;
        }
        text += word;
    }
    return false;
}

static size_t words(const char *text)
{
    size_t n = 0;
    while (*(text += strspn(text, " ")) != '\0') {
        text += strcspn(text, " ");
        n++;
    }
    return n;
}

/* Makes a record of zeros with one member. A view without a text is empty. */
static void set(const field *f, void *record, size_t size, const char *text)
{
    memset(record, 0, size);
    if (text == NULL && f->kind != ROCECC_FIELD_VIEW) return;
    if (!field_set(f, record, text != NULL ? text : "-"))
        test_fail(__FILE__, __LINE__, "%s=%s is not a value", f->name, text);
}

void record_check(const char *file, int line, const field *fields, const void *record,
                  const char *text)
{
    const field *f;
    char value[1024];
    size_t named = 0;
    for (f = fields; f->name != NULL; f++) {
        const size_t size = f->offset + f->size;
        const bool has = value_of(text, f->name, value, sizeof value);
        void *should = malloc(size);
        if (should == NULL) abort();
        named += has;
        set(f, should, size, has ? value : NULL);
        if (!field_equal(f, should, record))
            test_fail(file, line, "%s is not %s", f->name, has ? value : "0");
        free(should);
    }
    if (named != words(text))
        test_fail(file, line, "'%s' names a member twice, or an unknown member", text);
}
