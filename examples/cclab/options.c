/* SPDX-License-Identifier: BSD-2-Clause */

/* options.c - reads the values of options into lab_options. */
#include "../cctrace/algo.h"
#include "lab.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long ull;

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* Units of a number by its kind. A value is shown with the first unit that divides
 * it. */
static const struct {
    const char *kinds, *name;
    uint64_t is;
} units[] = {{"r", "T", UINT64_C(1000000000000)},
             {"rb", "G", 1000000000},
             {"rb", "M", 1000000},
             {"r", "k", 1000},
             {"b", "K", 1000},
             {"t", "s", 1000 * LAB_MS},
             {"t", "ms", LAB_MS},
             {"t", "us", LAB_US},
             {"t", "ns", 1000},
             {"p", "s", 1000000000}, /* times in parameters, in ns */
             {"p", "ms", 1000000},
             {"p", "us", 1000},
             {"p", "ns", 1},
             {"rbnp", "", 1}};
#define UNITS (sizeof units / sizeof units[0])

/* A number, a name (kind e) or a flag (kind 0) of lab_options. `name` is its name in
   --set or --fault, or empty. */
typedef struct number {
    const char *option, *name;
    char kind;
    uint64_t least, most; /* absolute, if it may be negative */
    size_t at, size;
    uint64_t alone;    /* value without an argument; 0: none */
    const char *names; /* kind e: names of the values from 0 on */
} number;

#define BACK_10_MS (~(10 * LAB_MS) + 1)
#define LONGEST (100000 * LAB_MS)
#define RATE_MOST UINT64_C(1600000000000)
#define AT(member) offsetof(lab_options, member), sizeof((lab_options *)0)->member
static const number numbers[] = {
    {"flows", "", 'n', 1, LAB_FLOWS, AT(flows), 0, NULL},
    {"rate", "", 'r', 1000000, RATE_MOST, AT(rate_bps), 0, NULL},
    {"rtt", "", 't', LAB_US, 1000 * LAB_MS, AT(rtt), 0, NULL},
    {"buffer", "", 'b', 2000, 1000000000, AT(buffer_bytes), 0, NULL},
    {"size", "", 'b', 1, UINT64_C(1000000000000), AT(size_bytes), 0, NULL},
    {"percent", "", 'n', 1, 100, AT(percent), 0, NULL},
    {"duration", "", 't', 10 * LAB_US, LONGEST, AT(duration), 0, NULL},
    {"seed", "", 'n', 0, UINT64_MAX - 1, AT(seed), 0, NULL},
    {"set", "ai_bps", 'r', 1, RATE_MOST, AT(ai_bps), 0, NULL},
    {"set", "line_bps", 'r', 1000000, RATE_MOST, AT(line_bps), 0, NULL},
    {"set", "payload_bytes", 'b', 256, LAB_MTU_MAX, AT(payload_bytes), 0, NULL},
    {"set", "pfc", 'n', 0, 1, AT(pfc), 0, NULL},
    {"set", "mark_at", 'e', LAB_DEPARTURE, LAB_ARRIVAL, AT(mark_at), 0,
     "departure arrival"},
    {"set", "jitter_ns", 't', 0, 4 * LAB_MS, AT(jitter), 0, NULL},
    {"set", "np_delay_ns", 't', 0, LONGEST, AT(np_delay), 0, NULL},
    {"set", "go_back_n", 'n', 0, 1, AT(go_back_n), 0, NULL},
    {"fault", "lose", 'n', 0, 1000, AT(lose_permille), 0, NULL},
    {"fault", "corrupt", 'n', 0, 1000, AT(corrupt_permille), 0, NULL},
    {"fault", "liar", 0, 1, 1, AT(liar), 0, NULL},
    {"fault", "storm", 0, 1, 1, AT(storm), 0, NULL},
    {"fault", "unfiltered", 0, 1, 1, AT(unfiltered), 0, NULL},
    {"fault", "open", 0, 1, 1, AT(open), 0, NULL},
    {"fault", "tick", 't', 1000, LAB_MS, AT(tick), 0, NULL},
    {"fault", "spray", 0, 1, 1, AT(spray), 0, NULL},
    {"fault", "from", 't', 1000, LONGEST, AT(from), 0, NULL},
    {"fault", "until", 't', 1000, LONGEST, AT(until), 0, NULL},
    {"fault", "pause", 't', 1000, LONGEST, AT(pause), LAB_NEVER, NULL},
    {"fault", "sleep", 't', 1000, LONGEST, AT(sleep), LAB_NEVER, NULL},
    {"fault", "clockstep", 's', 1000, 900000 * LAB_MS, AT(clock_step), BACK_10_MS,
     NULL},
    {"fault", "speed", 'r', 1000000, RATE_MOST, AT(speed_bps), LAB_NEVER, NULL},
    {"fault", "nic", 'r', 1000000, RATE_MOST, AT(nic_bps), LAB_NEVER, NULL},
    {"fault", "reroute", 0, 1, 1, AT(reroute), 0, NULL},
    {"fault", "blind", 0, 1, 1, AT(blind), 0, NULL},
    {"fault", "nak", 'n', 1, 1000, AT(nak_permille), 10, NULL},
    {"fault", "standclock", 0, 1, 1, AT(stand_clock), 0, NULL},
    {"fault", "unit", 0, 1, 1, AT(unit_clock), 0, NULL},
    {NULL, NULL, 0, 0, 0, 0, 0, 0, NULL}};

lab_options lab_defaults(void)
{
    lab_options o;
    memset(&o, 0, sizeof o);
    o.load = "longlived";
    o.flows = 16;
    o.rate_bps = UINT64_C(100000000000);
    o.rtt = 8 * LAB_US;
    o.buffer_bytes = 32000000;
    o.duration = 4 * LAB_MS;
    o.seed = 1;
    o.payload_bytes = LAB_MTU;
    o.jitter = LAB_NEVER;
    return o;
}

static void put(lab_options *o, const number *n, uint64_t v)
{
    const uint32_t v32 = (uint32_t)v;
    const bool flag = v != 0;
    const void *from = n->size == sizeof v     ? (const void *)&v
                       : n->size == sizeof v32 ? (const void *)&v32
                                               : &flag;
    memcpy((char *)o + n->at, from, n->size);
}

const char *lab_text(char kind, uint64_t v)
{
    static char text[4][32]; /* the last four texts */
    static unsigned next;
    const bool minus = kind == 's' && v >> 63 != 0;
    unsigned i, k = 0;
    if (minus) v = ~v + 1;
    if (kind == 's') kind = 't';
    for (i = UNITS; i-- > 0;) /* the largest that divides it, for 0 the smallest */
        if (strchr(units[i].kinds, kind) != NULL &&
            (k == 0 || (v != 0 && v % units[i].is == 0)))
            k = i;
    i = k;
    next = (next + 1) % 4;
    (void)snprintf(text[next], sizeof text[next], "%s%llu%s", minus ? "-" : "",
                   (ull)(v / units[i].is), units[i].name);
    return text[next];
}

static int refuse(const number *n, const char *text)
{
    fprintf(stderr, "cclab: --%s %s%s%s: expected ", n->option, n->name,
            n->name[0] != '\0' && text != NULL ? "=" : "", text == NULL ? "" : text);
    if (n->kind == 0)
        fprintf(stderr, "%s without a value\n", n->name);
    else
        fprintf(stderr, "%sa whole number%s from %s to %s%s\n",
                text == NULL ? "a value: " : "",
                n->kind == 'r'   ? " with k, M, G, T or no unit,"
                : n->kind == 'b' ? " with K, M, G or no unit,"
                : n->kind == 't' ? " with ns, us, ms or s,"
                : n->kind == 's' ? " with ns, us, ms or s,"
                                 : "",
                lab_text(n->kind, n->least), lab_text(n->kind, n->most),
                n->kind == 's' ? ", or with a minus sign" : "");
    return 2;
}

/* Returns the index of a text in a list of names, or the number of names. */
static unsigned place_of(const char *text, const char *names)
{
    const size_t n = strlen(text);
    unsigned i = 0;
    while (*names != '\0') {
        const size_t len = strcspn(names, " ");
        if (len == n && memcmp(names, text, n) == 0) break;
        names += len + (names[len] == ' ');
        i++;
    }
    return i;
}

/* Reads a whole number with a unit of the kind. Returns false if it is invalid. */
static bool number_of(const char *text, char kind, uint64_t *v)
{
    char *end = NULL;
    unsigned i = 0;
    ull n;
    if (*text < '0' || *text > '9') return false;
    n = strtoull(text, &end, 10);
    while (i < UNITS &&
           (!is(units[i].name, end) || strchr(units[i].kinds, kind) == NULL))
        i++;
    if (i == UNITS || n == ULLONG_MAX || n > UINT64_MAX / units[i].is) return false;
    *v = n * units[i].is;
    return true;
}

static int take_name(lab_options *o, const number *n, const char *text)
{
    const unsigned i = text == NULL ? UINT_MAX : place_of(text, n->names);
    if (i <= n->most) return put(o, n, i), 0;
    fprintf(stderr, "cclab: --%s %s%s%s: expected %sone of %s\n", n->option, n->name,
            text == NULL ? "" : "=", text == NULL ? "" : text,
            text == NULL ? "a value: " : "", n->names);
    return 2;
}

static int take_value(lab_options *o, const number *n, const char *text)
{
    const bool minus = n->kind == 's' && text != NULL && *text == '-';
    uint64_t v;
    if (n->kind == 'e') return take_name(o, n, text);
    if (n->kind == 0 && text == NULL) return put(o, n, 1), 0;
    if (text == NULL && n->alone != 0) return put(o, n, n->alone), 0;
    if (n->kind == 0 || text == NULL ||
        !number_of(text + minus, n->kind == 's' ? 't' : n->kind, &v) || v > n->most ||
        v < n->least)
        return refuse(n, text);
    put(o, n, minus ? ~v + 1 : v);
    return 0;
}

/* ---- parameters of algorithms, by the names that cctrace has */

static const algo *const algos[] = {&algo_dcqcn,  &algo_cnpgate, &algo_wred,
                                    &algo_hpcc,   &algo_ldcp,    &algo_qcn_rp,
                                    &algo_qcn_cp, &algo_pause};
#define LINK_BPS UINT64_C(100000000000) /* link rate for comparisons of presets */
#define ALGOS (sizeof algos / sizeof algos[0])

static const lab_deployment deployments[] = {
    {"paper", rocecc_dcqcn_deployment_paper},
    {"nvidia", rocecc_dcqcn_deployment_nvidia},
    {"ns3_hpcc", rocecc_dcqcn_deployment_ns3_hpcc}};
#define DEPLOYMENTS (sizeof deployments / sizeof deployments[0])

/* Returns the paper's deployment up to its 40 Gb/s, and above, where the paper has no
   numbers, the deployment of HPCC's simulations. */
const lab_deployment *lab_deployment_default(const lab_options *o)
{
    return &deployments[o->rate_bps <= UINT64_C(40000000000) ? 0 : 2];
}

/* Short names. A value in % is a part of 1 in the parameter's unit. */
static const struct {
    const char *name, *means, *unit;
} aliases[] = {{"k_min_bytes", "wred.mark.min_bytes", ""},
               {"k_max_bytes", "wred.mark.max_bytes", ""},
               {"pmax_percent", "wred.mark.pmax_q32", "%"},
               {"cnp_interval_ns", "cnpgate.interval_ns", "ns"}};

#define ALIASES (sizeof aliases / sizeof aliases[0])

/* Returns the kind of a parameter's number. */
static char kind_of(const algo_param *p)
{
    return is(p->unit, "ns")                               ? 'p'
           : is(p->unit, "bit/s")                          ? 'r'
           : is(p->unit, "bytes") || is(p->unit, "octets") ? 'b'
                                                           : 'n';
}

/* Reads a parameter's value from a number with a unit, a part of 1 in %, or a name. */
static bool value_of(const algo_param *p, const char *text, uint64_t *v)
{
    const size_t n = strlen(text);
    if (p->f.kind == ROCECC_FIELD_ENUM) {
        *v = place_of(text, p->f.names);
        return *v < place_of("", p->f.names);
    }
    if (n > 1 && text[n - 1] == '%' && strncmp(p->unit, "2^-", 3) == 0) {
        char digits[24];
        if (n >= sizeof digits) return false;
        memcpy(digits, text, n - 1);
        digits[n - 1] = '\0';
        if (!number_of(digits, 'n', v) || *v > 100) return false;
        *v = ((*v << strtoul(p->unit + 3, NULL, 10)) + 50) / 100;
        return true;
    }
    if (p->f.kind == ROCECC_FIELD_INT) {
        uint64_t room[1] = {0};
        field f = p->f;
        f.offset = 0;
        if (!field_set(&f, room, text)) return false;
        *v = field_get(&f, room) & (UINT64_MAX >> (64 - 8 * f.size));
        return true;
    }
    return number_of(text, kind_of(p), v);
}

static bool add(lab_options *o, const algo *a, const algo_param *p, uint64_t v)
{
    uint64_t room[64]; /* for a check that the value fits */
    const lab_setting s = {a, p, v, NULL, NULL};
    field f;
    if (p != NULL) {
        f = p->f;
        f.offset = 0;
        if (!field_put(&f, room, v)) return false;
    }
    if (o->n_settings == LAB_SETTINGS) return false;
    o->setting[o->n_settings++] = s;
    return true;
}

static int refuse_one_more(size_t len, const char *name, const char *text)
{
    return fprintf(stderr,
                   "cclab: --set %.*s=%s: one parameter too many: the limit is %d\n",
                   (int)len, name, text, LAB_SETTINGS),
           2;
}

/* Takes ALGORITHM.MEMBER=VALUE or ALGORITHM.preset=NAME. Returns 1 for any other
 * name. */
static int take_parameter(lab_options *o, const char *name, size_t len,
                          const char *text)
{
    const bool full = o->n_settings == LAB_SETTINGS;
    size_t i, k;
    for (i = 0; i < ALGOS; i++) {
        const algo *a = algos[i];
        const size_t n = strlen(a->name);
        if (n >= len || memcmp(a->name, name, n) != 0 || name[n] != '.') continue;
        if (len == n + 7 && memcmp(name + n + 1, "preset", 6) == 0) {
            if (a == &algo_pause)
                return fprintf(stderr,
                               "cclab: --set pause.preset=%s has no effect, because "
                               "pfc and arn have their own presets\n",
                               text),
                       2;
            for (k = 0; k < a->n_presets; k++)
                if (is(a->presets[k].name, text) && add(o, a, NULL, k)) return 0;
            if (full) return refuse_one_more(len, name, text);
            fprintf(stderr, "cclab: --set %.*s=%s: unknown preset: expected one of",
                    (int)len, name, text);
            for (k = 0; k < a->n_presets; k++)
                fprintf(stderr, " %s", a->presets[k].name);
            return fputc('\n', stderr), 2;
        }
        for (k = 0; k < a->n_params; k++) {
            const algo_param *p = &a->params[k];
            uint64_t v;
            if (strlen(p->f.name) != len - n - 1 ||
                memcmp(p->f.name, name + n + 1, len - n - 1) != 0)
                continue;
            if (value_of(p, text, &v) && add(o, a, p, v)) return 0;
            if (full) return refuse_one_more(len, name, text);
            fprintf(stderr, "cclab: --set %.*s=%s: expected %s%s%s%s\n", (int)len, name,
                    text, p->f.kind == ROCECC_FIELD_ENUM ? "one of " : "", p->range,
                    p->f.kind == ROCECC_FIELD_ENUM || p->unit[0] == '\0' ? "" : ", in ",
                    p->f.kind == ROCECC_FIELD_ENUM ? "" : p->unit);
            return 2;
        }
    }
    return 1;
}

/* Returns the deployment with this name. Otherwise prints all names, and returns
 * NULL. */
static const lab_deployment *deployment_of(const char *name, const char *option)
{
    size_t i;
    for (i = 0; i < DEPLOYMENTS; i++)
        if (is(deployments[i].name, name)) return &deployments[i];
    fprintf(stderr, "cclab: %s%s: unknown preset: expected one of", option, name);
    for (i = 0; i < DEPLOYMENTS; i++)
        fprintf(stderr, " %s", deployments[i].name);
    fputc('\n', stderr);
    return NULL;
}

static int take_deployment(lab_options *o, const char *text)
{
    const lab_deployment *d = deployment_of(text, "--set preset=");
    if (d == NULL) return 2;
    if (o->n_settings == LAB_SETTINGS) return refuse_one_more(6, "preset", text);
    o->setting[o->n_settings] = (lab_setting){NULL, NULL, 0, d, NULL};
    o->n_settings++;
    return 0;
}

/* Returns 1 if no parameter has the name. */
static int take_setting(lab_options *o, const char *name, size_t len, const char *text)
{
    char longer[64];
    size_t i;
    if (len == 6 && memcmp(name, "preset", 6) == 0) return take_deployment(o, text);
    for (i = 0; i < ALIASES; i++) {
        const bool percent = is(aliases[i].unit, "%");
        if (strlen(aliases[i].name) != len || memcmp(aliases[i].name, name, len) != 0)
            continue;
        (void)snprintf(longer, sizeof longer, "%s%s", text,
                       percent && strchr(text, '%') == NULL ? "%" : "");
        if (take_parameter(o, aliases[i].means, strlen(aliases[i].means), longer) != 0)
            return 2;
        o->setting[o->n_settings - 1].alias = aliases[i].name;
        return 0;
    }
    return take_parameter(o, name, len, text);
}

const char *lab_setting_text(const lab_setting *setting)
{
    static char text[100];
    const algo *a = setting->algo;
    const algo_param *p = setting->param;
    if (setting->deployment != NULL)
        (void)snprintf(text, sizeof text, "preset=%s", setting->deployment->name);
    else if (p == NULL)
        (void)snprintf(text, sizeof text, "%s.preset=%s", a->name,
                       a->presets[setting->value].name);
    else if (p->f.kind == ROCECC_FIELD_ENUM) {
        const char *names = p->f.names;
        uint64_t i;
        for (i = 0; i < setting->value; i++)
            names += strcspn(names, " ") + 1;
        (void)snprintf(text, sizeof text, "%s.%s=%.*s", a->name, p->f.name,
                       (int)strcspn(names, " "), names);
    } else if (p->f.kind == ROCECC_FIELD_INT) {
        uint64_t room[1] = {0};
        field f = p->f;
        f.offset = 0;
        (void)field_put(&f, room, setting->value);
        (void)snprintf(text, sizeof text, "%s.%s=%lld", a->name, f.name,
                       (long long)field_get(&f, room));
    } else
        (void)snprintf(text, sizeof text, "%s.%s=%s", a->name, p->f.name,
                       lab_text(kind_of(p), setting->value));
    return text;
}

/* Writes a setting with the name by which it was set. */
static void name_of(const lab_setting *s, char *text, size_t bytes)
{
    const char *full = lab_setting_text(s);
    if (s->alias != NULL)
        (void)snprintf(text, bytes, "%s=%s", s->alias, strchr(full, '=') + 1);
    else
        (void)snprintf(text, bytes, "%s", full);
}

/* Returns true if a later setting has the same name. */
static bool is_superseded(const lab_options *o, uint32_t i)
{
    const lab_setting *s = &o->setting[i];
    for (i++; i < o->n_settings; i++)
        if (o->setting[i].algo == s->algo && o->setting[i].param == s->param &&
            o->setting[i].alias == s->alias)
            return true;
    return false;
}

/* Returns an algorithm's part of a deployment, or NULL. */
static const void *part_of(const rocecc_dcqcn_deployment *d, const algo *a)
{
    return a == &algo_dcqcn     ? (const void *)&d->reaction
           : a == &algo_cnpgate ? (const void *)&d->notification
           : a == &algo_wred    ? (const void *)&d->marking
                                : NULL;
}

/* Returns true if a setting is a preset that differs from a deployment. */
static bool differs(const lab_setting *s, const lab_deployment *deployment)
{
    const rocecc_dcqcn_deployment d = deployment->of(LINK_BPS);
    const void *part = s->algo == NULL ? NULL : part_of(&d, s->algo);
    uint64_t preset[64];
    size_t i;
    if (s->deployment != NULL) return s->deployment != deployment;
    if (part == NULL || s->param != NULL) return false;
    memset(preset, 0, sizeof preset);
    s->algo->presets[s->value].set(preset, LINK_BPS);
    for (i = 0; i < s->algo->n_params; i++)
        if (field_get(&s->algo->params[i].f, preset) !=
            field_get(&s->algo->params[i].f, part))
            return true;
    return false;
}

static bool contradict(const lab_setting *a, const lab_setting *b)
{
    if (a->deployment != NULL) return differs(b, a->deployment);
    if (b->deployment != NULL) return differs(a, b->deployment);
    return a->algo == b->algo && a->param == b->param && a->value != b->value;
}

/* Returns false, and prints both, if two settings contradict each other. */
static bool names_agree(const lab_options *o)
{
    char one[128], other[128];
    uint32_t i, k;
    for (i = 0; i < o->n_settings; i++) {
        const lab_setting *s = &o->setting[i];
        if (is_superseded(o, i)) continue;
        if (o->ai_bps != 0 && s->algo == &algo_dcqcn && s->param != NULL &&
            is(s->param->f.name, "ai_bps") && s->value != o->ai_bps) {
            name_of(s, other, sizeof other);
            fprintf(stderr, "cclab: --set ai_bps=%s contradicts --set %s\n",
                    lab_text('r', o->ai_bps), other);
            return false;
        }
        for (k = 0; k < i; k++) {
            if (!contradict(&o->setting[k], s) || is_superseded(o, k)) continue;
            name_of(&o->setting[k], one, sizeof one);
            name_of(s, other, sizeof other);
            fprintf(stderr, "cclab: --set %s contradicts --set %s\n", one, other);
            return false;
        }
    }
    return true;
}

/* The schemes that a setting affects. Settings are members and presets of an algorithm,
 * a `preset` for all schemes with marks, and cclab's own. A scheme name that ends in -
 * is a prefix. */
static const struct {
    const char *name, *schemes;
} users[] = {{"dcqcn", "dcqcn fastcnp"},
             {"cnpgate", "dcqcn fastcnp"},
             {"wred", "dcqcn fastcnp hpcc- ldcp"},
             {"hpcc", "hpcc-"},
             {"ldcp", "ldcp"},
             {"qcn", "qcn l3qcn"},
             {"qcn_cp", "qcn l3qcn"},
             {"pause", "pfc arn"},
             {"preset", "dcqcn fastcnp hpcc- ldcp"},
             {"ai_bps", "dcqcn fastcnp hpcc-"},
             {"np_delay_ns", "dcqcn"},
             {"mark_at", "dcqcn hpcc- ldcp"}};

/* Returns true if `schemes` has a scheme's name, or a prefix of it. */
static bool is_among(const char *scheme, const char *schemes)
{
    while (*schemes != '\0') {
        const size_t n = strcspn(schemes, " ");
        const bool family = schemes[n - 1] == '-';
        if (strncmp(scheme, schemes, n) == 0 && (family || scheme[n] == '\0'))
            return true;
        schemes += n + (schemes[n] == ' ');
    }
    return false;
}

static bool has_effect(const lab_options *o, const char *name,
                       const char *const *schemes, size_t n)
{
    size_t i, k = 0;
    if (is(name, "pause") && o->pfc) return true;
    while (!is(users[k].name, name))
        k++;
    for (i = 0; i < n; i++)
        if (is_among(schemes[i], users[k].schemes)) return true;
    return false;
}

/* Prints the schemes that a setting needs. */
static bool refuse_unused(const char *name, const char *setting)
{
    const char *c;
    size_t k = 0;
    while (!is(users[k].name, name))
        k++;
    fprintf(stderr, "cclab: --set %s has an effect only with --scheme ", setting);
    for (c = users[k].schemes; *c != '\0'; c++)
        if (*c == ' ')
            fputs(strchr(c + 1, ' ') != NULL ? ", " : " or ", stderr);
        else
            fprintf(stderr, "%c%s", *c, *c == '-' ? "*" : "");
    fputs(is(name, "pause") ? ", or with --set pfc=1\n" : "\n", stderr);
    return false;
}

bool lab_settings_used(const lab_options *o, const char *const *schemes, size_t n)
{
    char text[128];
    uint32_t i;
    for (i = 0; i < o->n_settings; i++) {
        const lab_setting *s = &o->setting[i];
        const char *name = s->deployment != NULL ? "preset" : s->algo->name;
        name_of(s, text, sizeof text);
        if (!has_effect(o, name, schemes, n)) return refuse_unused(name, text);
    }
    if (o->ai_bps != 0 && !has_effect(o, "ai_bps", schemes, n)) {
        (void)snprintf(text, sizeof text, "ai_bps=%s", lab_text('r', o->ai_bps));
        return refuse_unused("ai_bps", text);
    }
    if (o->np_delay != 0 && !has_effect(o, "np_delay_ns", schemes, n)) {
        (void)snprintf(text, sizeof text, "np_delay_ns=%s", lab_text('t', o->np_delay));
        return refuse_unused("np_delay_ns", text);
    }
    if (o->mark_at == LAB_ARRIVAL && !has_effect(o, "mark_at", schemes, n))
        return refuse_unused("mark_at", "mark_at=arrival");
    return true;
}

bool lab_settings_agree(const lab_options *o, const lab_part *part, uint32_t n)
{
    char text[128];
    uint32_t i, at;
    if (!names_agree(o)) return false;
    for (i = 0; i < n; i++)
        for (at = 0; at < o->n_settings; at++) {
            if (part[i].deployment == NULL || is_superseded(o, at) ||
                !differs(&o->setting[at], part[i].deployment))
                continue;
            name_of(&o->setting[at], text, sizeof text);
            fprintf(stderr, "cclab: --scheme %s:%s contradicts --set %s\n",
                    part[i].s->name, part[i].deployment->name, text);
            return false;
        }
    return true;
}

static void deploy(const lab_deployment *deployment, const algo *a, uint64_t link_bps,
                   void *params)
{
    const rocecc_dcqcn_deployment d = deployment->of(link_bps);
    const void *part = part_of(&d, a);
    if (part != NULL) memcpy(params, part, a->params_bytes);
}

void lab_preset(const lab *l, const lab_part *part, const algo *a, uint64_t link_bps,
                void *params)
{
    uint32_t i;
    for (i = 0; i < l->o->n_settings; i++) {
        const lab_setting *s = &l->o->setting[i];
        if (s->deployment != NULL) deploy(s->deployment, a, link_bps, params);
        if (s->algo != a || s->param != NULL) continue;
        memset(params, 0, a->params_bytes);
        a->presets[s->value].set(params, link_bps);
    }
    if (part->deployment != NULL) deploy(part->deployment, a, link_bps, params);
}

void lab_members(const lab_options *o, const algo *a, void *params)
{
    uint32_t i;
    for (i = 0; i < o->n_settings; i++) {
        const lab_setting *s = &o->setting[i];
        if (s->algo == a && s->param != NULL)
            (void)field_put(&s->param->f, params, s->value);
    }
}

int lab_option(lab_options *o, const char *option, const char *text)
{
    const size_t len = strcspn(text, "=");
    const char *value = text[len] == '=' ? text + len + 1 : NULL;
    const number *n;
    size_t i;
    int code;
    for (n = numbers; n->option != NULL; n++) {
        if (!is(n->option, option)) continue;
        if (n->name[0] == '\0') return take_value(o, n, text);
        if (strncmp(n->name, text, len) == 0 && n->name[len] == '\0')
            return take_value(o, n, value);
    }
    code = is(option, "set") && value != NULL ? take_setting(o, text, len, value) : 1;
    if (code != 1) return code;
    fprintf(stderr, "cclab: --%s %s: %s: expected %sone of", option, text,
            is(option, "set") && value == NULL ? "a value is missing" : "unknown name",
            is(option, "set") ? "NAME=VALUE, with NAME " : "");
    for (n = numbers; n->option != NULL; n++)
        if (is(n->option, option)) fprintf(stderr, " %s", n->name);
    for (i = 0; i < ALIASES && is(option, "set"); i++)
        fprintf(stderr, " %s", aliases[i].name);
    for (i = 0; i < ALGOS && is(option, "set"); i++)
        fprintf(stderr, "%s %s.MEMBER", i == 0 ? " preset" : "", algos[i]->name);
    fputc('\n', stderr);
    return 2;
}

static const lab_scheme *scheme_of(const char *name, size_t len)
{
    size_t i;
    for (i = 0; lab_schemes[i] != NULL; i++)
        if (strlen(lab_schemes[i]->name) == len &&
            memcmp(lab_schemes[i]->name, name, len) == 0)
            return lab_schemes[i];
    return NULL;
}

uint32_t lab_parts(const char *text, lab_part part[LAB_PARTS])
{
    const char *const whole = text;
    uint32_t n = 0;
    size_t i;
    while (n < LAB_PARTS) {
        const size_t len = strcspn(text, "+"), name = strcspn(text, ":+");
        lab_part x = {.s = scheme_of(text, name)};
        if (x.s != NULL && name < len) {
            char preset[64] = "", option[64];
            memcpy(preset, text + name + 1,
                   (size_t)rocecc_min(len - name - 1, sizeof preset - 1));
            (void)snprintf(option, sizeof option, "--scheme %s:", x.s->name);
            x.deployment = deployment_of(preset, option);
            if (x.deployment == NULL) return 0;
        }
        if (x.s == NULL) break;
        part[n++] = x;
        if (text[len] == '\0') return n;
        text += len + 1;
    }
    if (n == LAB_PARTS)
        return fprintf(stderr, "cclab: --scheme %s: too many parts: the limit is %d\n",
                       whole, LAB_PARTS),
               0;
    fprintf(stderr, "cclab: --scheme %s: unknown scheme: expected one of all", text);
    for (i = 0; lab_schemes[i] != NULL; i++)
        fprintf(stderr, " %s", lab_schemes[i]->name);
    return fputc('\n', stderr), 0;
}
