/* SPDX-License-Identifier: BSD-2-Clause */

/* gate - fills the maps of gate_xdp.c, and shows its counters. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../lib/prefix.h"
#include "gate.h"
#include "rocecc/fields/arrival.h"

#define CPUS_MAX 8192

static const char usage[] =
    "usage: gate MAPS host [NAME=VALUE]... [!]PREFIX...\n"
    "       gate MAPS border [NAME=VALUE]...\n"
    "       gate MAPS off\n"
    "       gate MAPS show\n"
    "MAPS is the folder where the maps of gate_xdp.c are pinned.\n"
    "  host    accepts Fast CNPs from the switches in these prefixes, except switches\n"
    "          in a longer prefix with a !\n"
    "  border  sets the option types that the border drops\n"
    "  off     accepts no Fast CNPs; the rest of the configuration stays\n"
    "  show    prints the number of packets with each verdict\n"
    "\n"
    "  type_plain=N type_ioam=N   option types of Fast CNPs\n"
    "  form=a|b address_first=0|1 layout of type_ioam\n"
    "  rate=N burst=N             Fast CNPs per second of each prefix, and its burst\n"
    "                             (1000, rate / 16)\n"
    "  misbehaving=N              number of prefixes that may misbehave without using\n"
    "                             up the limits of others (4); the shared limit is N "
    "+ 1\n"
    "                             times the limit of a prefix\n"
    "  unlimited=0|1              1: only the list decides (0)\n"
    "  icrc=none|stripped         rule by which the ICRC is checked here (none)\n"
    "\n"
    "Exit status: 0 done, 1 refused, 2 usage.\n";

static const char *const verdicts[GATE_VERDICTS] = {
    "other",          "ordinary",  "fast",        "border",         "unseen",
    "disabled",       "malformed", "unsupported", "access",         "tunnel",
    "arrival",        "flow",      "opcode",      "source_limited", "verify_limited",
    "shared_limited", "icrc"};

/* Indexed by rocecc_fastcnp_, rocecc_admission_ and rocecc_acl_refusal. */
static const char *const bad_types[] = {"",
                                        "expected type_plain=N, type_ioam=N or both",
                                        "an option type must begin with the bits 10",
                                        "the third bit of an option type must be 0",
                                        "an option type is assigned to another option",
                                        "both option types are the same",
                                        "form: expected a or b"};
static const char *const bad_limit[] = {
    "", "rate or burst is 0", "misbehaving is 0, or the shared limit is too large",
    "rate or burst is too large", "expected at least one PREFIX with switches"};
static const char *const bad_list[] = {"",
                                       "too many prefixes",
                                       "a prefix is longer than 128 bits",
                                       "a prefix has bits after its length",
                                       "a prefix neither permits nor denies",
                                       "two prefixes are the same"};

static gate_config config; /* the configuration to be in force */

static int refuse(const char *what, const char *why)
{
    fprintf(stderr, "gate: %s%s%s\n", what, *why != '\0' ? ": " : "", why);
    return 1;
}

static long bpf(int command, union bpf_attr *attr)
{
    return syscall(SYS_bpf, command, attr, sizeof *attr);
}

static void fail(const char *what)
{
    const char *need = errno == EPERM    ? ": run gate as root or give it CAP_BPF"
                       : errno == ENOENT ? ": MAPS must have the maps of gate_xdp.c"
                                         : "";
    fprintf(stderr, "gate: %s: %s%s\n", what, strerror(errno), need);
    exit(1);
}

/* Opens a pinned map. Ends the program if its values have another size. */
static int map_open(const char *maps, const char *name, size_t bytes)
{
    char path[4096];
    struct bpf_map_info info = {0};
    union bpf_attr open = {0}, about = {0};
    long fd;
    snprintf(path, sizeof path, "%s/%s", maps, name);
    open.pathname = (uintptr_t)path;
    fd = bpf(BPF_OBJ_GET, &open);
    if (fd < 0) fail(path);
    about.info.bpf_fd = (uint32_t)fd;
    about.info.info = (uintptr_t)&info;
    about.info.info_len = sizeof info;
    if (bpf(BPF_OBJ_GET_INFO_BY_FD, &about) != 0) fail(path);
    if (info.value_size != bytes) exit(refuse(path, "not a map of this program"));
    return (int)fd;
}

static void map_read(int fd, uint32_t key, void *value)
{
    union bpf_attr attr = {0};
    attr.map_fd = (uint32_t)fd;
    attr.key = (uintptr_t)&key;
    attr.value = (uintptr_t)value;
    if (bpf(BPF_MAP_LOOKUP_ELEM, &attr) != 0) fail("a map cannot be read");
}

static void map_write(int fd, uint32_t key, void *value, uint64_t flags)
{
    union bpf_attr attr = {0};
    attr.map_fd = (uint32_t)fd;
    attr.key = (uintptr_t)&key;
    attr.value = (uintptr_t)value;
    attr.flags = flags;
    if (bpf(BPF_MAP_UPDATE_ELEM, &attr) != 0) fail("a map cannot be written");
}

/* Reads the configuration in force, and returns its slot. */
static uint32_t config_read(const char *maps)
{
    uint32_t slot;
    map_read(map_open(maps, "slot", sizeof slot), 0, &slot);
    map_read(map_open(maps, "config", sizeof config), slot, &config);
    return slot;
}

/* Writes the other slot and full buckets, and then puts that slot in force. */
static int config_write(const char *maps, uint32_t slot)
{
    const int sources = map_open(maps, "sources", sizeof(gate_source));
    gate_bucket bucket = {0};
    gate_source source = {0};
    struct timespec now;
    uint64_t now_ns;
    uint32_t tag;
    clock_gettime(CLOCK_MONOTONIC, &now); /* clock of bpf_ktime_get_ns() */
    now_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    source.buckets = rocecc_admission_source_start(&config.reaction.admission, now_ns);
    for (tag = 0; tag < config.n; tag++)
        map_write(sources, tag, &source, BPF_F_LOCK);
    bucket.tokens = rocecc_tokenbucket_start(&config.reaction.admission.shared, now_ns);
    slot = !slot;
    map_write(map_open(maps, "config", sizeof config), slot, &config, 0);
    map_write(map_open(maps, "bucket", sizeof bucket), 0, &bucket, BPF_F_LOCK);
    map_write(map_open(maps, "slot", sizeof slot), 0, &slot, 0);
    return 0;
}

/* Parses a number up to max into *to. */
static bool number(const char *text, uint64_t max, uint64_t *to)
{
    char *end;
    *to = strtoull(text, &end, 0);
    return *text >= '0' && *text <= '9' && *end == '\0' && *to <= max;
}

/* Arguments of rocecc_admission_for(), and a burst if it is not 0. */
static struct {
    uint32_t rate, burst;
    uint16_t misbehaving;
} limits;

static void set_limits(void)
{
    rocecc_admission_params *a = &config.reaction.admission;
    const bool unlimited = a->unlimited;
    const uint64_t n = limits.misbehaving + (uint64_t)1;
    *a = rocecc_admission_for(limits.misbehaving, limits.rate);
    a->unlimited = unlimited;
    if (limits.burst == 0) return;
    a->source.burst = limits.burst;
    a->verify.burst = (uint32_t)rocecc_min(4 * (uint64_t)limits.burst, UINT32_MAX);
    a->shared.burst = (uint32_t)rocecc_min(n * limits.burst, UINT32_MAX);
}

/* Sets icrc=none or icrc=stripped. */
static bool set_icrc(const char *value)
{
    config.reaction.check_icrc = strcmp(value, "stripped") == 0;
    config.reaction.icrc_rule = ROCECC_ICRC_STRIPPED;
    return config.reaction.check_icrc || strcmp(value, "none") == 0;
}

/* Applies NAME=VALUE. */
static bool set(const char *arg)
{
    const char *value = strchr(arg, '=') + 1;
    const size_t name = (size_t)(value - arg);
    uint64_t n = 0;
    if (strcmp(arg, "form=a") == 0 || strcmp(arg, "form=b") == 0) {
        config.domain.fastcnp.form =
            *value == 'a' ? ROCECC_FASTCNP_FORM_A : ROCECC_FASTCNP_FORM_B;
        return true;
    }
    if (strncmp(arg, "icrc=", name) == 0) return set_icrc(value);
    if (!number(value, UINT32_MAX, &n)) return false;
    if (strncmp(arg, "rate=", name) == 0)
        limits.rate = (uint32_t)n;
    else if (strncmp(arg, "burst=", name) == 0)
        limits.burst = (uint32_t)n;
    else if (strncmp(arg, "misbehaving=", name) == 0 && n <= GATE_ENTRIES)
        limits.misbehaving = (uint16_t)n;
    else if (strncmp(arg, "unlimited=", name) == 0 && n <= 1)
        config.reaction.admission.unlimited = n != 0;
    else if (strncmp(arg, "type_plain=", name) == 0 && n <= UINT8_MAX)
        config.domain.fastcnp.type_plain = (uint8_t)n;
    else if (strncmp(arg, "type_ioam=", name) == 0 && n <= UINT8_MAX)
        config.domain.fastcnp.type_ioam = (uint8_t)n;
    else if (strncmp(arg, "address_first=", name) == 0 && n <= 1)
        config.domain.fastcnp.address_first = n != 0;
    else
        return false;
    return true;
}

/* Parses [!]ADDRESS/LENGTH, only for IPv6. */
static bool prefix(const char *arg, rocecc_acl_entry *e)
{
    e->permit = *arg != '!';
    return strchr(arg, ':') != NULL && strchr(arg, '/') != NULL &&
           prefix_read(e->permit ? arg : arg + 1, e);
}

/* Applies the other arguments. A border has no prefixes. */
static int configure(const char *maps, char **arg, bool host)
{
    const uint32_t slot = config_read(maps);
    rocecc_acl list = {0};
    rocecc_fastcnp_refusal types;
    rocecc_admission_refusal limit;
    rocecc_acl_refusal refusal;
    uint32_t n = 0, i = 0, at;
    memset(&config, 0, sizeof config);
    limits.rate = 1000;
    limits.misbehaving = 4;
    config.reaction.fastcnp_enabled = host;
    for (; *arg != NULL; arg++) {
        if (strchr(*arg, '=') != NULL
                ? set(*arg)
                : host && n < GATE_ENTRIES && prefix(*arg, &config.entries[n++]))
            continue;
        refuse(*arg, host ? "expected NAME=VALUE, or a PREFIX, [!]ADDRESS/LENGTH of "
                            "IPv6: see gate --help"
                          : "expected NAME=VALUE: see gate --help");
        return 2;
    }
    for (; i < n; i++)
        config.entries[i].tag = i;
    set_limits();
    types = rocecc_fastcnp_init(&config.domain.fastcnp);
    if (types != ROCECC_FASTCNP_ACCEPTED) return refuse(bad_types[types], "");
    refusal = rocecc_acl_init(&list, config.entries, n, &at);
    if (refusal != ROCECC_ACL_ACCEPTED) return refuse(bad_list[refusal], "");
    limit = host ? rocecc_admission_init(&config.reaction.admission, &list)
                 : ROCECC_ADMISSION_ACCEPTED;
    if (limit != ROCECC_ADMISSION_ACCEPTED) return refuse(bad_limit[limit], "");
    config.n = list.n;
    return config_write(maps, slot);
}

static int off(const char *maps)
{
    const uint32_t slot = config_read(maps);
    config.reaction.fastcnp_enabled = false;
    return config_write(maps, slot);
}

/* Returns the sum of a counter over all CPUs. */
static unsigned long long sum_of(int fd, uint32_t key)
{
    static uint64_t on_cpu[CPUS_MAX]; /* the kernel writes one per possible CPU */
    uint64_t sum = 0;
    size_t i;
    map_read(fd, key, on_cpu);
    for (i = 0; i < CPUS_MAX; i++)
        sum += on_cpu[i];
    return sum;
}

static int show(const char *maps)
{
    const int fd = map_open(maps, "counts", sizeof(uint64_t));
    const char *name = ROCECC_ARRIVAL_VERDICT_NAMES;
    uint32_t v;
    for (v = 0; v < GATE_VERDICTS; v++)
        printf("%s %llu\n", verdicts[v], sum_of(fd, v));
    for (v = GATE_ARRIVALS; v < GATE_ERRORS_DUE; v++) {
        const int bytes = (int)strcspn(name, " ");
        printf("arrival.%.*s %llu\n", bytes, name, sum_of(fd, v));
        name += bytes;
        name += strspn(name, " ");
    }
    printf("errors_due %llu\n", sum_of(fd, GATE_ERRORS_DUE));
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(usage, stdout) < 0;
    if (argc > 2 && strcmp(argv[2], "host") == 0)
        return configure(argv[1], argv + 3, true);
    if (argc > 2 && strcmp(argv[2], "border") == 0)
        return configure(argv[1], argv + 3, false);
    if (argc == 3 && strcmp(argv[2], "off") == 0) return off(argv[1]);
    if (argc == 3 && strcmp(argv[2], "show") == 0) return show(argv[1]);
    refuse("expected MAPS, and one of host border off show", "see gate --help");
    return 2;
}
