/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * prefs.c - preferences for numbers that are not assigned, and for choices that
 * documents leave open: the domain's members under the names of rocedump --config, or a
 * file with the whole domain, and the ICRC rule. Numbers are text: 158 or 0x9e.
 */
#include "plugin.h"

#include <wsutil/report_message.h>

#include "../lib/network.h"
#include "../lib/network_file.h"

typedef struct preference {
    char *name;
    const field *f;
    gboolean is; /* for BOOL */
    gint choice; /* for ENUM */
    const char *text;
} preference;

static preference members[128]; /* of the domain */
static size_t n_members;
static preference icrc_rule;
static const char *domain_file; /* path, or empty */
static settings *config;        /* for decoding the next frame */

/* Returns the value in the form of config_set(). */
static const char *value_of(const preference *p)
{
    const char *names = p->f->names;
    static char word[32];
    gint i;
    if (p->f->kind == ROCECC_FIELD_BOOL) return p->is ? "1" : "0";
    if (p->f->kind != ROCECC_FIELD_ENUM) return p->text;
    for (i = 0; i < p->choice; i++)
        names += strcspn(names, " ") + 1;
    (void)g_strlcpy(word, names, MIN(sizeof word, strcspn(names, " ") + 1));
    return word;
}

/* Applies a preference. Returns false, with a message, if its value is invalid. */
static bool take(settings *next, const preference *p)
{
    if (config_set(next, p->name, value_of(p))) return true;
    report_failure("rocecc.%s cannot be \"%s\"", p->name, value_of(p));
    return false;
}

/* Takes the whole domain from the members' preferences. */
static bool take_members(settings *next)
{
    const char *refused;
    size_t i;
    for (i = 0; i < n_members; i++)
        if (!take(next, &members[i])) return false;
    refused = config_refused(next);
    if (refused != NULL) report_failure("rocecc: %s", refused);
    return refused == NULL;
}

/* Takes the whole domain from the file. */
static bool take_file(settings *next)
{
    if (network_read(&next->domain, domain_file, "rocecc")) return true;
    report_failure("rocecc.domain_file cannot be \"%s\": the file is missing or "
                   "invalid, and rocedump --domain prints the reason",
                   domain_file);
    return false;
}

/* Applies all preferences together. If they are inconsistent, nothing changes. */
static void apply(void)
{
    settings next = *config;
    const bool from_file = domain_file[0] != '\0';
    if (from_file ? !take_file(&next) : !take_members(&next)) return;
    if (take(&next, &icrc_rule)) *config = next;
}

static const enum_val_t *choices(const char *names)
{
    GArray *all = g_array_new(TRUE, TRUE, sizeof(enum_val_t));
    gint i;
    for (i = 0; *names != '\0'; i++) {
        const size_t n = strcspn(names, " ");
        char *name = g_strndup(names, n);
        const enum_val_t one = {name, name, i};
        g_array_append_val(all, one);
        names += n + (names[n] == ' ');
    }
    return (const enum_val_t *)(void *)g_array_free(all, FALSE);
}

static char *text_of(const field *f, const void *record)
{
    const uint64_t v = field_get(f, record);
    const uint8_t *b = (const uint8_t *)record + f->offset;
    GString *text;
    size_t i;
    if (f->kind == ROCECC_FIELD_MAC || f->kind == ROCECC_FIELD_BYTES) {
        const char *between = f->kind == ROCECC_FIELD_MAC ? ":" : "";
        text = g_string_new(NULL);
        for (i = 0; i < f->size; i++)
            g_string_append_printf(text, "%s%02x", i > 0 ? between : "", b[i]);
        return g_string_free(text, FALSE);
    }
    if (f->kind == ROCECC_FIELD_HEX) return g_strdup_printf("%016" PRIx64, v);
    return g_strdup_printf("%" PRIu64, v);
}

static void add(module_t *module, preference *p, const char *group, const field *f,
                const void *record)
{
    const char *about = f->about[0] != '\0' ? f->about : "as rocedump --config has it";
    p->name = g_strdup_printf("%s%s", group, f->name);
    p->f = f;
    if (f->kind == ROCECC_FIELD_BOOL) {
        p->is = field_get(f, record) != 0;
        prefs_register_bool_preference(module, p->name, p->name, about, &p->is);
    } else if (f->kind == ROCECC_FIELD_ENUM) {
        p->choice = (gint)field_get(f, record);
        prefs_register_enum_preference(module, p->name, p->name, about, &p->choice,
                                       choices(f->names), FALSE);
    } else {
        p->text = text_of(f, record);
        prefs_register_string_preference(module, p->name, p->name, about, &p->text);
    }
}

void prefs_start(int proto, settings *c)
{
    static const field rule = {
        "rule",     ROCECC_FIELD_ENUM,
        0,          offsetof(icrc_config, rule),
        1,          "",
        ICRC_RULES, "what the ICRC covers of IPv6 extension headers"};
    module_t *module = prefs_register_protocol(proto, apply);
    const char *group;
    const void *record;
    const field *f;
    size_t i;
    config = c;
    for (i = 0; (f = network_member(&c->domain, i, &group, &record)) != NULL; i++)
        add(module, &members[n_members++], group, f, record);
    add(module, &icrc_rule, "icrc.", &rule, &c->icrc);
    prefs_register_filename_preference(
        module, "domain_file", "domain_file",
        "a file for rocedump --domain; its domain replaces all preferences here except "
        "icrc.rule and lsn",
        &domain_file, FALSE);
    prefs_register_bool_preference(module, "lsn", "lsn",
                                   "packets may have LDCP's sequence numbers after "
                                   "their last extended header",
                                   &lsn_is_on);
}
