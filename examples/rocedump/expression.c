/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * expression.c - parses the expression of -Y into steps. Operands come before their
 * operator, so that neither parsing nor evaluation recurses.
 */
#include <ctype.h>
#include <string.h>

#include "../lib/hex.h"
#include "filter.h"

/* The position in the text, and the open operators and parentheses. */
typedef struct parser {
    const char *text;
    const char *s;
    char waiting[FILTER_STEPS_MAX];
    size_t n_waiting;
    filter *f;
} parser;

static bool wrong(const parser *p, const char *at, const char *why, const char *what)
{
    const int n = (int)(at - p->text);
    fprintf(stderr, "rocedump: -Y: %s%s, at character %d:\n  %s\n  %*s^\n", why, what,
            n + 1, p->text, n, "");
    return false;
}

static void blanks(parser *p)
{
    while (*p->s == ' ')
        p->s++;
}

/*
 * Reads the next word, which starts at *at. Returns false if it is missing or too long.
 */
static bool word(parser *p, char to[FILTER_WORD_MAX], const char **at)
{
    size_t n = 0;
    blanks(p);
    *at = p->s;
    while (isalnum((unsigned char)p->s[n]) ||
           (p->s[n] != '\0' && strchr("_.:+-[]", p->s[n]) != NULL))
        n++;
    if (n == 0 || n >= FILTER_WORD_MAX) return false;
    memcpy(to, p->s, n);
    to[n] = '\0';
    p->s += n;
    return true;
}

/* Steps over `signs`, or returns false if they do not come next. */
static bool sign(parser *p, const char *signs)
{
    blanks(p);
    if (strncmp(p->s, signs, strlen(signs)) != 0) return false;
    p->s += strlen(signs);
    return true;
}

static compare comparison(parser *p)
{
    static const char *const signs[] = {"==", "!=", "<=", ">=", "<", ">"};
    static const compare is[] = {EQ, NE, LE, GE, LT, GT};
    size_t i;
    for (i = 0; i < COUNT(signs); i++)
        if (sign(p, signs[i])) return is[i];
    return IS;
}

/* Adds the fields with this name. quanta stands for quanta[0], quanta[1] and so on. */
static void add_fields(test *t, target like, const field *f, size_t n, const char *name)
{
    size_t i;
    for (i = 0; i < n && t->n < FILTER_TARGETS_MAX; i++) {
        const size_t stem = strcspn(f[i].name, "[");
        if (strcmp(f[i].name, name) != 0 &&
            (strncmp(f[i].name, name, stem) != 0 || name[stem] != '\0'))
            continue;
        like.f = &f[i];
        t->targets[t->n++] = like;
    }
}

/*
 * Adds a layer's member. A prefix such as `ioam.`, `nodes.` or `ioam.nodes.` selects
 * the inner record or nodes.
 */
static void add_member(test *t, const layer_kind *kind, const char *name)
{
    target like = {kind, false, NULL, NULL};
    const layer_kind *of = kind;
    const size_t n = kind->inner != NULL ? strlen(kind->inner->name) : 0;
    if (n != 0 && strncmp(name, kind->inner->name, n) == 0 && name[n] == '.') {
        like.inner = true;
        of = kind->inner;
        name += n + 1;
    }
    if (of->nodes != NULL && strncmp(name, "nodes.", 6) == 0) {
        like.nodes = of->nodes;
        add_fields(t, like, of->nodes->fields, of->nodes->n, name + 6);
    } else {
        add_fields(t, like, of->fields, of->n, name);
    }
}

/*
 * Adds all layers with this name, such as each kind of echo, or their member if the
 * name contains a dot. Returns false if no layer has this name.
 */
static bool add_layers(test *t, const char *name)
{
    const size_t n = strcspn(name, ".");
    const layer_kind *kind;
    bool any = false;
    size_t i;
    for (i = 0; (kind = decode_kind(i)) != NULL; i++) {
        const target whole = {kind, false, NULL, NULL};
        if (strncmp(kind->name, name, n) != 0 || kind->name[n] != '\0') continue;
        any = true;
        if (name[n] == '.')
            add_member(t, kind, name + n + 1);
        else if (t->n < FILTER_TARGETS_MAX)
            t->targets[t->n++] = whole;
    }
    return any;
}

/* Looks up a name. */
static bool name_of(const parser *p, test *t, const char *name, const char *at)
{
    bool known;
    t->n = 0;
    t->at = strcmp(name, "at") == 0;
    if (t->at) return true;
    add_member(t, &filter_frame, name);
    if (t->n != 0) return true;
    known = add_layers(t, name);
    if (t->n != 0) return true;
    return known
               ? wrong(
                     p, at,
                     "unknown member of the layer (--schema lists all members): ", name)
               : wrong(p, at, "unknown layer or member (--schema lists them): ", name);
}

/* Reads a number, decimal or hex, even if it is too large for the member. */
static bool number_of(const field *f, const char *text, uint64_t *v)
{
    const field wide = FIELD_AT("", UINT, 0, sizeof *v, NULL);
    const field minus = FIELD_AT("", INT, 0, sizeof *v, NULL);
    const field hex = FIELD_AT("", HEX, 0, sizeof *v, NULL);
    static const char *const truths[] = {"false", "true", "null"};
    *v = 0;
    if (f->kind == ROCECC_FIELD_BOOL)
        for (; *v < COUNT(truths); ++*v)
            if (strcmp(text, truths[*v]) == 0) return true;
    if (f->kind == ROCECC_FIELD_HEX) return field_set(&hex, v, hex_digits(&hex, text));
    return field_set(f->kind == ROCECC_FIELD_INT ? &minus : &wide, v, text);
}

/* Reads a value. A member for IPv6 also takes a.b.c.d, as ::ffff:a.b.c.d. */
static bool address_of(const field *f, uint8_t *value, const char *text)
{
    char mapped[FILTER_WORD_MAX + 8];
    if (field_set(f, value, text)) return true;
    if (f->kind != ROCECC_FIELD_IP6) return false;
    snprintf(mapped, sizeof mapped, "::ffff:%s", text);
    return field_set(f, value, mapped);
}

/* Reports a value that a member cannot be compared with. */
static bool not_expected(const parser *p, const char *at, const field *f,
                         const char *text)
{
    char why[640];
    const char *expected = field_expected(f);
    if (f->kind == ROCECC_FIELD_UINT || f->kind == ROCECC_FIELD_INT)
        expected = "expected a whole number of at most 64 bits";
    if (f->kind == ROCECC_FIELD_HEX) expected = hex_expected(f);
    if (f->kind == ROCECC_FIELD_BOOL)
        expected = "expected true, false, null or a number";
    snprintf(why, sizeof why, "%s, not ", expected);
    return wrong(p, at, why, text);
}

static bool value_of(const parser *p, test *t, const char *text, const char *at)
{
    field f;
    if (t->at) {
        memcpy(t->word, text, strlen(text) + 1);
        return t->is == EQ || t->is == NE ||
               wrong(p, at, "a name can only be compared by == or != with ", text);
    }
    if (t->targets[0].f == NULL)
        return wrong(p, at, "name a member, because a layer cannot be compared with ",
                     text);
    f = *t->targets[0].f;
    if (filter_is_number(&f))
        return number_of(&f, text, &t->number) || not_expected(p, at, &f, text);
    if (t->is != EQ && t->is != NE)
        return wrong(p, at, "only a number can be compared by < <= > >= with ", text);
    f.offset = 0;
    if (f.size > FILTER_VALUE_MAX || !address_of(&f, t->value, text))
        return not_expected(p, at, &f, text);
    if (filter_is_counted(&f)) t->number = field_get(&f, t->value);
    return true;
}

static bool emit(parser *p, char what, size_t k)
{
    const step s = {what, (uint8_t)k};
    if (p->f->n == FILTER_STEPS_MAX)
        return wrong(
            p, p->s,
            "the expression is too long: at most 256 layers, members and operators",
            "");
    p->f->steps[p->f->n++] = s;
    return true;
}

static bool wait(parser *p, char what)
{
    if (p->n_waiting == FILTER_STEPS_MAX)
        return wrong(
            p, p->s - 1,
            "the expression is too deep: at most 256 open operators and parentheses",
            "");
    p->waiting[p->n_waiting++] = what;
    return true;
}

/* Emits waiting operators while the last one is in `binding`. */
static bool settle(parser *p, const char *binding)
{
    while (p->n_waiting > 0 && strchr(binding, p->waiting[p->n_waiting - 1]) != NULL)
        if (!emit(p, p->waiting[--p->n_waiting], 0)) return false;
    return true;
}

/* Reads a layer, a member, or a comparison. */
static bool operand(parser *p)
{
    char text[FILTER_WORD_MAX];
    const char *at;
    test *t = &p->f->tests[p->f->n_tests];
    if (!word(p, text, &at))
        return wrong(p, at, "the name of a layer or a member is missing or too long",
                     "");
    if (p->f->n_tests == FILTER_TESTS_MAX)
        return wrong(p, at, "more than 64 layers and members", "");
    if (!name_of(p, t, text, at)) return false;
    t->is = comparison(p);
    if (t->is != IS && !word(p, text, &at))
        return wrong(p, at, "a value is missing or too long", "");
    if (t->is != IS && !value_of(p, t, text, at)) return false;
    return emit(p, 't', p->f->n_tests++);
}

/* Reads an operator or ). *more is false after a ). */
static bool operator(parser *p, bool *more)
{
    *more = true;
    if (sign(p, "&&")) return settle(p, "!&") && wait(p, '&');
    if (sign(p, "||")) return settle(p, "!&|") && wait(p, '|');
    *more = false;
    if (!sign(p, ")")) return wrong(p, p->s, "&& or || is missing", "");
    if (!settle(p, "!&|")) return false;
    if (p->n_waiting == 0) return wrong(p, p->s - 1, "( is missing before this", "");
    p->n_waiting--;
    return true;
}

static bool parse(parser *p)
{
    bool more = true;
    for (;;) {
        blanks(p);
        if (!more && *p->s == '\0') break;
        if (!more) {
            if (!operator(p, &more)) return false;
        } else if (sign(p, "!")) {
            if (!wait(p, '!')) return false;
        } else if (sign(p, "(")) {
            if (!wait(p, '(')) return false;
        } else {
            if (!operand(p)) return false;
            more = false;
        }
    }
    return settle(p, "!&|") &&
           (p->n_waiting == 0 || wrong(p, p->s, ") is missing", ""));
}

const filter *filter_of(const char *expression)
{
    static filter f;
    static parser p;
    p.text = p.s = expression;
    p.f = &f;
    p.n_waiting = f.n = f.n_tests = 0;
    return parse(&p) ? &f : NULL;
}
