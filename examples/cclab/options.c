/* SPDX-License-Identifier: BSD-2-Clause */

/* options.c - numbers with units, and which of lab_options they are. */
#include "lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long ull;

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* What numbers of which kind may end in; a value is shown with the first that divides
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
             {"rbn", "", 1}};
#define UNITS (sizeof units / sizeof units[0])

/* A number, or if it has no kind a flag, of lab_options; name: within --set, --fault.
 */
typedef struct number {
    const char *option, *name;
    char kind;
    uint64_t least, most; /* of either sign, if it may have one */
    size_t at, size;
    uint64_t alone; /* what it is without a value; 0: it has one */
} number;

#define BACK_10_MS (~(10 * LAB_MS) + 1)
#define LONGEST (100000 * LAB_MS)
#define TIMER_MOST (2000 * LAB_MS) /* below 2^31 ns */
#define RATE_MOST UINT64_C(1600000000000)
#define AT(member) offsetof(lab_options, member), sizeof((lab_options *)0)->member
static const number numbers[] = {
    {"flows", "", 'n', 1, LAB_FLOWS, AT(flows), 0},
    {"rate", "", 'r', 1000000, RATE_MOST, AT(rate_bps), 0},
    {"rtt", "", 't', LAB_US, 1000 * LAB_MS, AT(rtt), 0},
    {"buffer", "", 'b', 2000, 1000000000, AT(buffer_bytes), 0},
    {"size", "", 'b', 1, UINT64_C(1000000000000), AT(size_bytes), 0},
    {"duration", "", 't', 10 * LAB_US, LONGEST, AT(duration), 0},
    {"seed", "", 'n', 0, UINT64_MAX - 1, AT(seed), 0},
    {"set", "dcqcn_g_q20", 'n', 1, 1 << 20, AT(dcqcn_g_q20), 0},
    {"set", "k_min_bytes", 'b', 1, 1000000000, AT(k_min_bytes), 0},
    {"set", "k_max_bytes", 'b', 1, 1000000000, AT(k_max_bytes), 0},
    {"set", "pmax_percent", 'n', 1, 100, AT(pmax_percent), 0},
    {"set", "gamma_q20", 'n', 1, 1 << 20, AT(gamma_q20), 0},
    {"set", "ai_bps", 'r', 1, RATE_MOST, AT(ai_bps), 0},
    {"set", "dcqcn_hai_bps", 'r', 1, RATE_MOST, AT(dcqcn_hai_bps), 0},
    {"set", "dcqcn_min_bps", 'r', 1, RATE_MOST, AT(dcqcn_min_bps), 0},
    {"set", "dcqcn_alpha_timer_ns", 't', 1000, TIMER_MOST, AT(dcqcn_alpha_timer), 0},
    {"set", "dcqcn_increase_timer_ns", 't', 1000, TIMER_MOST, AT(dcqcn_increase_timer),
     0},
    {"set", "dcqcn_no_byte_counter", 'n', 0, 1, AT(dcqcn_no_byte_counter), 0},
    {"set", "cnp_interval_ns", 't', 1000, TIMER_MOST, AT(cnp_interval), 0},
    {"set", "line_bps", 'r', 1000000, RATE_MOST, AT(line_bps), 0},
    {"set", "payload_bytes", 'b', 256, 4096, AT(payload_bytes), 0},
    {"set", "ldcp_continuous", 'n', 0, 1, AT(ldcp_continuous), 0},
    {"fault", "lose", 'n', 0, 1000, AT(lose_permille), 0},
    {"fault", "corrupt", 'n', 0, 1000, AT(corrupt_permille), 0},
    {"fault", "liar", 0, 1, 1, AT(liar), 0},
    {"fault", "storm", 0, 1, 1, AT(storm), 0},
    {"fault", "unfiltered", 0, 1, 1, AT(unfiltered), 0},
    {"fault", "open", 0, 1, 1, AT(open), 0},
    {"fault", "from", 't', 1000, LONGEST, AT(from), 0},
    {"fault", "until", 't', 1000, LONGEST, AT(until), 0},
    {"fault", "pause", 't', 1000, LONGEST, AT(pause), LAB_NEVER},
    {"fault", "sleep", 't', 1000, LONGEST, AT(sleep), LAB_NEVER},
    {"fault", "clockstep", 's', 1000, 900000 * LAB_MS, AT(clock_step), BACK_10_MS},
    {"fault", "speed", 'r', 1000000, RATE_MOST, AT(speed_bps), LAB_NEVER},
    {"fault", "nic", 'r', 1000000, RATE_MOST, AT(nic_bps), LAB_NEVER},
    {"fault", "reroute", 0, 1, 1, AT(reroute), 0},
    {"fault", "blind", 0, 1, 1, AT(blind), 0},
    {"fault", "nak", 'n', 1, 1000, AT(nak_permille), 10},
    {NULL, NULL, 0, 0, 0, 0, 0, 0}};

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
    static char text[4][32]; /* of the last four */
    static unsigned next;
    const bool minus = kind == 's' && v >> 63 != 0;
    unsigned i = 0;
    if (minus) v = ~v + 1;
    if (kind == 's') kind = 't';
    while (strchr(units[i].kinds, kind) == NULL ||
           (units[i].is != 1 && (v == 0 || v % units[i].is != 0)))
        i++;
    next = (next + 1) % 4;
    (void)snprintf(text[next], sizeof text[next], "%s%llu%s", minus ? "-" : "",
                   (ull)(v / units[i].is), units[i].name);
    return text[next];
}

static int refuse(const number *n, const char *text)
{
    fprintf(stderr, "cclab: --%s%s%s is %s", n->option, n->name[0] != '\0' ? " " : "",
            n->name, n->kind == 0 ? "named alone" : "from ");
    if (n->kind != 0)
        fprintf(stderr, "%s to %s, a whole number%s", lab_text(n->kind, n->least),
                lab_text(n->kind, n->most),
                n->kind == 'r'   ? " and k, M, G, T or nothing"
                : n->kind == 'b' ? " and K, M, G or nothing"
                : n->kind == 't' ? " and ns, us, ms or s"
                : n->kind == 's' ? " and ns, us, ms or s, or less than 0"
                                 : "");
    fprintf(stderr, ": not %s\n", text == NULL ? "without a value" : text);
    return 2;
}

static int take_value(lab_options *o, const number *n, const char *text)
{
    char *end = NULL;
    const bool minus = n->kind == 's' && text != NULL && *text == '-';
    const char *digits = minus ? text + 1 : text, kind = n->kind == 's' ? 't' : n->kind;
    unsigned i = 0;
    ull v;
    if (n->kind == 0 && text == NULL) return put(o, n, 1), 0;
    if (text == NULL && n->alone != 0) return put(o, n, n->alone), 0;
    if (n->kind == 0 || text == NULL || *digits < '0' || *digits > '9')
        return refuse(n, text);
    v = strtoull(digits, &end, 10);
    while (i < UNITS &&
           (!is(units[i].name, end) || strchr(units[i].kinds, kind) == NULL))
        i++;
    if (i == UNITS || v > n->most / units[i].is || v * units[i].is < n->least)
        return refuse(n, text);
    v *= units[i].is;
    put(o, n, minus ? ~v + 1 : v);
    return 0;
}

int lab_option(lab_options *o, const char *option, const char *text)
{
    const size_t len = strcspn(text, "=");
    const char *value = text[len] == '=' ? text + len + 1 : NULL;
    const number *n;
    for (n = numbers; n->option != NULL; n++) {
        if (!is(n->option, option)) continue;
        if (n->name[0] == '\0') return take_value(o, n, text);
        if (strncmp(n->name, text, len) == 0 && n->name[len] == '\0')
            return take_value(o, n, value);
    }
    fprintf(stderr, "cclab: --%s is one of", option);
    for (n = numbers; n->option != NULL; n++)
        if (is(n->option, option)) fprintf(stderr, " %s", n->name);
    fprintf(stderr, ": not %s\n", text);
    return 2;
}
