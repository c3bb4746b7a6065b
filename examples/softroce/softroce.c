/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * softroce - DCQCN for an RDMA stack without it. Loads sender.o or receiver.o into the
 * kernel, writes the connected QPs into its map, and detaches its programs at the end.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../lib/field.h"
#include "../lib/network.h"
#include "../lib/prefix.h"
#include "qp.h"
#include "rocecc/fields/acl.h"
#include "rocecc/fields/admission.h"
#include "rocecc/fields/arrival.h"
#include "rocecc/fields/cnpgate.h"
#include "rocecc/fields/dcqcn.h"
#include "rocecc/fields/fastcnp.h"
#include "rocecc/fields/reaction_point.h"
#include "rocecc/packet/ioam.h"
#include "softroce.h"

static const char usage[] =
    "usage: softroce DEVICE sender [NAME=VALUE]... [[!]PREFIX]...\n"
    "       softroce DEVICE receiver [NAME=VALUE]...\n"
    "  sender    paces the RoCEv2 data that DEVICE sends, each flow by DCQCN. The\n"
    "            qdisc of DEVICE must be fq, which holds a packet until its time.\n"
    "  receiver  answers marked data (CE) with CNPs\n"
    "On an interrupt, softroce removes its programs, prints its counters, and ends.\n"
    "It accepts CNPs from the other end of a QP, and Fast CNPs from the switches in a\n"
    "PREFIX (ADDRESS/LENGTH), except switches in a longer PREFIX with a !.\n"
    "\n"
    "  line_bps=N        rate of a flow until its first CNP (100000000)\n"
    "  min_bps=N ai_bps=N hai_bps=N alpha_timer_ns=N increase_timer_ns=N g_q20=N ...\n"
    "                    any member of rocecc_dcqcn_params; the defaults follow from\n"
    "                    line_bps, see README.md\n"
    "  deaf=1            CNPs have no effect\n"
    "  fastcnp.type_plain=N fastcnp.type_ioam=N ...\n"
    "                    any member of rocecc_domain; without a type, Fast CNP is off\n"
    "  admission.source.rate_per_s=N admission.misbehaving=N ordinary_listed=1 ...\n"
    "                    any member of rocecc_reaction_config, for each CPU: Fast "
    "CNPs\n"
    "                    per second of a PREFIX (1000), number of PREFIXes that may\n"
    "                    misbehave without using up the limits of others (4), and 1 "
    "if\n"
    "                    senders of CNPs also need a PREFIX and have these limits (0)\n"
    "  interval_ns=N     receiver: minimum time between two CNPs of a QP (default: "
    "the\n"
    "                    time of 2 Mbit at line_bps)\n"
    "  ioam=1            sender: data over IPv6 asks for a trace of the queues on its\n"
    "                    path (IOAM, three nodes); receiver: removes the trace, and\n"
    "                    prints the last one\n"
    "  every_s=N         also print the counters every N seconds\n"
    "  object=FILE       load FILE, not sender.o or receiver.o beside this program\n"
    "\n"
    "Exit status: 0 done, 1 refused, 2 usage.\n";

#define SECOND_NS UINT64_C(1000000000)
#define POLL_NS 50000000 /* interval between requests for QPs */
#define CPUS_MAX 8192
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const field dcqcn[] = {
#define PARAM(T, kind, member, names, ...)                                             \
    FIELD_ROW_(#member, ROCECC_FIELD_##kind, offsetof(T, member),                      \
               sizeof(((T *)0)->member), names, 0, "", "", 0)
    ROCECC_DCQCN_PARAMS(PARAM, rocecc_dcqcn_params)};
static const field gate[] = {ROCECC_CNPGATE_PARAMS(PARAM, rocecc_cnpgate_params)};
static const field reaction[] = {
    ROCECC_REACTION_CONFIG_FIELDS(FIELD_ROW, rocecc_reaction_config)};
typedef struct options {
    uint64_t every_s, deaf, ioam;
} options;
static const field own[] = {
    FIELD_AT("every_s", UINT, offsetof(options, every_s), 8, NULL),
    FIELD_AT("deaf", UINT, offsetof(options, deaf), 8, NULL),
    FIELD_AT("ioam", UINT, offsetof(options, ioam), 8, NULL)};

static softroce_config config;
static options option;
static char object[4096];
static volatile sig_atomic_t ended;

static void end(int signal)
{
    (void)signal;
    ended = 1;
}

static int refuse(const char *what, const char *why)
{
    fprintf(stderr, "softroce: %s: %s\n", what, why);
    return 1;
}

/* Prints that the nth word of a list is refused, as in "min_bps is refused". */
static int refuse_word(const char *of, const char *words, unsigned n)
{
    while (n-- > 0)
        words += strcspn(words, " ") + 1;
    fprintf(stderr, "softroce: %s: the library refuses %.*s\n", of,
            (int)strcspn(words, " "), words);
    return 1;
}

/* ---- the configuration */

static bool set_of(const field *f, size_t n, void *record, const char *name,
                   const char *value, const char **why)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (strcmp(f[i].name, name) != 0) continue;
        *why = field_expected(&f[i]);
        return field_set(&f[i], record, value);
    }
    return false;
}

static bool set(char *arg, const char **why)
{
    char *value = strchr(arg, '=');
    bool fine;
    *why = "unknown name: see softroce --help";
    *value++ = '\0';
    if (strcmp(arg, "object") == 0) {
        *why = "the path is too long";
        fine = snprintf(object, sizeof object, "%s", value) < (int)sizeof object;
    } else {
        const field *f = network_field(arg);
        if (f != NULL) *why = field_expected(f);
        fine = set_of(dcqcn, COUNT(dcqcn), &config.dcqcn, arg, value, why) ||
               set_of(gate, COUNT(gate), &config.notification.gate, arg, value, why) ||
               set_of(reaction, COUNT(reaction), &config.reaction, arg, value, why) ||
               set_of(own, COUNT(own), &option, arg, value, why) ||
               network_set(&config.domain, arg, value);
    }
    value[-1] = '='; /* for the message */
    return fine;
}

/* Sets missing limits as rocecc_admission_for() does. */
static void complete(rocecc_admission_params *a)
{
    const rocecc_admission_params like = rocecc_admission_for(
        a->misbehaving, (uint32_t)rocecc_min(a->source.rate_per_s, UINT32_MAX));
    if (a->source.burst == 0) a->source.burst = like.source.burst;
    if (a->verify.rate_per_s == 0) a->verify.rate_per_s = like.verify.rate_per_s;
    if (a->verify.burst == 0) a->verify.burst = like.verify.burst;
    if (a->shared.rate_per_s == 0) a->shared.rate_per_s = like.shared.rate_per_s;
    if (a->shared.burst == 0) a->shared.burst = like.shared.burst;
}

/*
 * Sets missing values. A cut does not affect the packets that rxe has under way, up to
 * 64 per QP, some 0.56 Mbit. So timers are about as long as a flow needs for these at a
 * quarter of the line, and the other values are as slow.
 */
static void fill(void)
{
    rocecc_dcqcn_params *p = &config.dcqcn;
    const uint64_t line_bps =
        rocecc_max(p->line_bps, 1500000); /* timers have 31 bits */
    if (p->alpha_timer_ns == 0)
        p->alpha_timer_ns = (uint32_t)(2200000 * SECOND_NS / line_bps);
    if (p->increase_timer_ns == 0)
        p->increase_timer_ns = (uint32_t)(3000000 * SECOND_NS / line_bps);
    if (config.notification.gate.interval_ns == UINT32_MAX)
        config.notification.gate.interval_ns =
            (uint32_t)(2000000 * SECOND_NS / line_bps);
    if (p->min_bps == 0) p->min_bps = rocecc_max(p->line_bps / 40, 1);
    if (p->ai_bps == 0) p->ai_bps = rocecc_max(p->line_bps / 40, 1);
    if (p->hai_bps == 0) p->hai_bps = rocecc_max(p->line_bps / 20, 1);
}

/* Checks the configuration, and sets the members that steps need. */
static int init(void)
{
    rocecc_acl list = {0};
    rocecc_dcqcn_refusal rates;
    rocecc_acl_refusal entries;
    rocecc_reaction_refusal whom;
    rocecc_writer w;
    uint32_t at;
    const rocecc_ioam_source asks = {.next_header = ROCECC_PROTO_UDP,
                                     .opt_type = ROCECC_IOAM_PREALLOCATED,
                                     .trace_type =
                                         ROCECC_IOAM_NODE | ROCECC_IOAM_QUEUE_DEPTH,
                                     .words = 3 * 2};
    fill();
    config.deaf = option.deaf != 0;
    config.asks = option.ioam != 0;
    w = rocecc_writer_of(config.ioam, config.ioam + sizeof config.ioam);
    if (rocecc_ioam_build(&w, &asks) != ROCECC_OK || w.at != sizeof config.ioam)
        return refuse("ioam=1", "the options header has a wrong length");
    config.reaction.fastcnp_enabled =
        (config.domain.fastcnp.type_plain | config.domain.fastcnp.type_ioam) != 0;
    complete(&config.reaction.admission);
    rates = rocecc_dcqcn_init(&config.dcqcn);
    if (rates != ROCECC_DCQCN_ACCEPTED)
        return refuse_word("dcqcn", ROCECC_DCQCN_REFUSAL_NAMES, rates);
    entries = rocecc_acl_init(&list, config.entries, config.n, &at);
    if (entries != ROCECC_ACL_ACCEPTED)
        return refuse_word("prefixes", ROCECC_ACL_REFUSAL_NAMES, entries);
    whom = rocecc_reaction_point_init(&config.reaction, &config.domain, &list);
    if (whom == ROCECC_REACTION_REFUSED_DOMAIN)
        return refuse("PREFIX", "expected at least one, because Fast CNP or "
                                "ordinary_listed is on");
    if (whom != ROCECC_REACTION_ACCEPTED)
        return refuse_word("gate", ROCECC_REACTION_REFUSAL_NAMES, whom);
    if (rocecc_notification_point_init(&config.notification) !=
        ROCECC_NOTIFICATION_ACCEPTED)
        return refuse("interval_ns", "expected at most 2^31 - 1");
    return 0;
}

static int configure(char **arg)
{
    config.dcqcn = rocecc_dcqcn_paper(100000000);
    config.dcqcn.g_q20 = ROCECC_ONE_Q20 / 64;
    config.dcqcn.alpha_timer_ns = config.dcqcn.increase_timer_ns = 0;
    config.dcqcn.byte_counter_bytes = 0;
    config.dcqcn.min_bps = config.dcqcn.ai_bps = config.dcqcn.hai_bps = 0;
    config.reaction.admission.misbehaving = 4;
    config.reaction.admission.source.rate_per_s = 1000;
    config.notification.gate.interval_ns = UINT32_MAX;
    config.notification.cnp = rocecc_cnp_default();
    config.notification.cnp.src_port = 0xc000;
    for (; *arg != NULL; arg++) {
        rocecc_acl_entry *e = &config.entries[config.n];
        const char *why = "one PREFIX too many";
        if (strchr(*arg, '=') != NULL) {
            if (set(*arg, &why)) continue;
        } else if (config.n < SOFTROCE_ENTRIES) {
            e->permit = **arg != '!';
            e->tag = config.n;
            config.n++;
            if (prefix_read(*arg + !e->permit, e)) continue;
            why = "expected NAME=VALUE, or a PREFIX, ADDRESS or ADDRESS/LENGTH";
        }
        refuse(*arg, why);
        return 2;
    }
    return init();
}

/* ---- the kernel's side */

typedef struct loaded {
    struct bpf_object *object;
    unsigned device;
    bool sender;
    int qps;
    struct bpf_tc_hook hook[2]; /* ingress, egress; ... */
    struct bpf_tc_opts at[2];   /* ... and its program, if prog_id is not 0 */
    int xdp;                    /* a program, or -1 */
} loaded;

static int map_of(const loaded *l, const char *name)
{
    return bpf_object__find_map_fd_by_name(l->object, name);
}

static int program_of(const loaded *l, const char *name)
{
    return bpf_program__fd(bpf_object__find_program_by_name(l->object, name));
}

static int load(loaded *l)
{
    const uint32_t zero = 0;
    char why[128];
    int error;
    l->object = bpf_object__open_file(object, NULL);
    if (l->object == NULL)
        return libbpf_strerror(errno, why, sizeof why),
               fprintf(stderr, "softroce: %s cannot be read: %s\n", object, why), 1;
    error = bpf_object__load(l->object);
    if (error != 0)
        return libbpf_strerror(error, why, sizeof why),
               fprintf(stderr, "softroce: the kernel refuses %s: %s%s\n", object, why,
                       error == -EPERM ? ": run softroce as root or give it CAP_BPF "
                                         "and CAP_NET_ADMIN"
                                       : ""),
               1;
    l->qps = map_of(l, "qps");
    if (l->qps < 0 || bpf_map_update_elem(map_of(l, "config"), &zero, &config, 0) != 0)
        return refuse(object, "not an object file of this softroce");
    return 0;
}

/* Attaches a tc program. Sender and receiver have different priorities. */
static int attach_tc(loaded *l, int egress, const char *program)
{
    const enum bpf_tc_attach_point point = egress ? BPF_TC_EGRESS : BPF_TC_INGRESS;
    int error;
    l->hook[egress] = (struct bpf_tc_hook){
        .sz = sizeof l->hook[0], .ifindex = (int)l->device, .attach_point = point};
    l->at[egress] = (struct bpf_tc_opts){.sz = sizeof l->at[0],
                                         .prog_fd = program_of(l, program),
                                         .handle = 1,
                                         .priority = l->sender ? 2 : 1};
    error = bpf_tc_attach(&l->hook[egress], &l->at[egress]);
    if (error == 0) return 0;
    l->at[egress].prog_id = 0;
    return fprintf(stderr, "softroce: tc program %s cannot be attached: %s%s\n",
                   program, strerror(-error),
                   error == -EEXIST ? "; is softroce already running on this device?"
                                    : ""),
           1;
}

/* Creates the qdisc for tc, if missing. libbpf must not warn if it already exists. */
static int make_clsact(const loaded *l)
{
    struct bpf_tc_hook hook = {.sz = sizeof hook,
                               .ifindex = (int)l->device,
                               .attach_point = BPF_TC_INGRESS | BPF_TC_EGRESS};
    const libbpf_print_fn_t warn = libbpf_set_print(NULL);
    const int error = bpf_tc_hook_create(&hook);
    (void)libbpf_set_print(warn);
    return error == 0 || error == -EEXIST
               ? 0
               : refuse("the qdisc clsact cannot be added", strerror(-error));
}

static int attach(loaded *l)
{
    int error;
    if (make_clsact(l) != 0) return 1;
    if (l->sender ? attach_tc(l, 1, "pace")
                  : attach_tc(l, 0, "notice") || attach_tc(l, 1, "answer"))
        return 1;
    if (!l->sender && option.ioam == 0) return 0;
    l->xdp = program_of(l, l->sender ? "hear" : "take_out");
    error = bpf_xdp_attach((int)l->device, l->xdp, XDP_FLAGS_UPDATE_IF_NOEXIST, NULL);
    if (error == 0) return 0;
    l->xdp = -1;
    return fprintf(stderr, "softroce: the XDP program cannot be attached: %s%s\n",
                   strerror(-error),
                   error == -EEXIST || error == -EBUSY
                       ? "; the device has an XDP program already"
                       : ""),
           1;
}

static void detach(loaded *l)
{
    int i;
    for (i = 0; i < 2; i++) {
        if (l->at[i].prog_id == 0) continue;
        l->at[i].prog_fd = 0;
        l->at[i].prog_id = 0;
        l->at[i].flags = 0;
        (void)bpf_tc_detach(&l->hook[i], &l->at[i]);
    }
    if (l->xdp >= 0) (void)bpf_xdp_detach((int)l->device, 0, NULL);
    bpf_object__close(l->object);
}

/* ---- counters */

/* Prints each counter that is not 0 with the group's name and a name from the list. */
static void show_counts(const loaded *l, const char *group, const char *names,
                        uint32_t from)
{
    static uint64_t on_cpu[CPUS_MAX];
    const int fd = map_of(l, "counts"), cpus = libbpf_num_possible_cpus();
    uint32_t key;
    for (key = from; *names != '\0'; key++) {
        const int n = (int)strcspn(names, " ");
        uint64_t sum = 0;
        int i;
        if (cpus <= CPUS_MAX && bpf_map_lookup_elem(fd, &key, on_cpu) == 0)
            for (i = 0; i < cpus; i++)
                sum += on_cpu[i];
        if (sum != 0) printf("%s%.*s %llu\n", group, n, names, (unsigned long long)sum);
        names += n + (names[n] != '\0');
    }
}

/* Prints a line for each flow. */
static void show_flows(const loaded *l)
{
    const int fd = map_of(l, "flows");
    rocecc_reaction_key key, *last = NULL;
    char address[INET6_ADDRSTRLEN];
    softroce_flow f;
    for (; bpf_map_get_next_key(fd, last, &key) == 0; last = &key) {
        if (bpf_map_lookup_elem(fd, &key, &f) != 0) continue;
        if (rocecc_ip6_is_ip4(&key.remote))
            inet_ntop(AF_INET, key.remote.b + 12, address, sizeof address);
        else
            inet_ntop(AF_INET6, key.remote.b, address, sizeof address);
        printf(
            "flow to %s QP %u: %llu packets, %llu bytes, %llu CNPs, %llu cuts, now at "
            "%llu bit/s\n",
            address, key.remote_qp, (unsigned long long)f.packets,
            (unsigned long long)f.bytes, (unsigned long long)f.cnps,
            (unsigned long long)f.cuts, (unsigned long long)f.rate.rate_bps);
    }
}

/* Prints the nodes of the last removed trace. */
static void show_trace(const loaded *l)
{
    const uint32_t zero = 0;
    softroce_trace t;
    rocecc_ioam_option o;
    rocecc_ioam_view v;
    rocecc_report_layout layout = {0};
    rocecc_ioam_node n;
    rocecc_reader r;
    if (bpf_map_lookup_elem(map_of(l, "trace"), &zero, &t) != 0) return;
    /* the data follow 2 bytes of header, 2 of padding, and the option's type and
     * length */
    if (t.header[5] > sizeof t.header - 6) return;
    r = rocecc_reader_of(t.header + 6, t.header + 6 + t.header[5]);
    if (rocecc_ioam_option_parse(r, &o) != ROCECC_OK ||
        rocecc_ioam_view_parse(&config.domain.ioam, &o, &v) != ROCECC_OK)
        return;
    rocecc_ioam_layout_update(&config.domain.ioam, v.trace.trace_type, &layout);
    while (rocecc_ioam_node_next(&v, &layout, &v.nodes, &n) == ROCECC_OK)
        printf("trace: node %llu, %llu bytes queued\n",
               (unsigned long long)rocecc_ioam_get(&n, ROCECC_IOAM_ITEM_NODE_ID),
               (unsigned long long)rocecc_ioam_get(&n, ROCECC_IOAM_ITEM_QUEUE_DEPTH));
}

static void show(const loaded *l)
{
    if (l->sender) {
        show_counts(l, "", ROCECC_REACTION_VERDICT_NAMES, 0);
        show_counts(l, "arrival.", ROCECC_ARRIVAL_VERDICT_NAMES, SOFTROCE_ARRIVALS);
        show_counts(l, "admission.", ROCECC_ADMISSION_VERDICT_NAMES,
                    SOFTROCE_ADMISSIONS);
        show_flows(l);
    } else {
        show_counts(l, "", "unmarked sent held not_data multicast source failed",
                    SOFTROCE_ANSWERS);
        show_trace(l);
    }
    show_counts(l, "", "no_qp no_flow unseen put_off busy traces failed errors_due",
                SOFTROCE_NO_QP);
    fflush(stdout);
}

/* ---- while it runs */

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

/* Last round in which each QP was connected, by its number. */
static uint8_t seen[1 << 24];
static uint8_t asking;

static void connected(uint32_t qp, uint32_t other, void *l)
{
    seen[qp & 0xffffff] = asking;
    (void)bpf_map_update_elem(((const loaded *)l)->qps, &qp, &other, BPF_ANY);
}

/* Writes the connected QPs to the map. Removes others, because numbers are used
 * again. */
static void ask(loaded *l)
{
    uint32_t qp, next;
    bool more;
    asking = asking % 255 + 1;
    qp_each(connected, l);
    for (more = bpf_map_get_next_key(l->qps, NULL, &next) == 0; more;) {
        qp = next;
        more = bpf_map_get_next_key(l->qps, &qp, &next) == 0;
        if (seen[qp & 0xffffff] != asking) (void)bpf_map_delete_elem(l->qps, &qp);
    }
}

static int run(loaded *l)
{
    const struct timespec pause = {0, POLL_NS};
    uint64_t shown_ns = now_ns();
    if (!qp_open())
        return fprintf(stderr,
                       "softroce: the kernel does not list QPs: %s; is the module "
                       "rdma_rxe loaded?\n",
                       strerror(errno)),
               1;
    printf("softroce: %s is on\n", l->sender ? "sender" : "receiver");
    fflush(stdout);
    while (!ended) {
        ask(l);
        if (option.every_s != 0 && now_ns() - shown_ns >= option.every_s * SECOND_NS) {
            shown_ns = now_ns();
            show(l);
        }
        (void)nanosleep(&pause, NULL);
    }
    show(l);
    return 0;
}

/* Sets `object` to NAME.o in this program's folder. */
static bool beside(const char *name)
{
    const ssize_t n = readlink("/proc/self/exe", object, sizeof object - 16);
    if (n <= 0) return false;
    object[n] = '\0';
    sprintf(strrchr(object, '/'), "/%s.o", name);
    return true;
}

int main(int argc, char **argv)
{
    loaded l = {.xdp = -1};
    int code;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(usage, stdout) < 0;
    if (argc < 3 ||
        (strcmp(argv[2], "sender") != 0 && strcmp(argv[2], "receiver") != 0)) {
        if (argc < 3)
            fputs("softroce: expected DEVICE and sender or receiver: see softroce "
                  "--help\n",
                  stderr);
        else
            refuse(argv[2], "expected sender or receiver");
        return 2;
    }
    l.sender = argv[2][0] == 's';
    l.device = if_nametoindex(argv[1]);
    if (l.device == 0)
        return refuse(argv[1], "unknown device; 'ip link' lists the devices");
    code = configure(argv + 3);
    if (code != 0) return code;
    if (object[0] == '\0' && !beside(argv[2]))
        return refuse("/proc/self/exe", "the folder of this program is unknown: use "
                                        "object=FILE");
    signal(SIGINT, end);
    signal(SIGTERM, end);
    code = load(&l);
    if (code == 0) code = attach(&l);
    if (code == 0) code = run(&l);
    detach(&l);
    return code;
}
