/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * rocegen - makes packets from layers and key=value on the command line, or from rows
 * in the vectors' grammar. rocedump can read them.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/network.h"
#include "../lib/network_file.h"
#include "../lib/vec.h"
#include "../lib/written.h"
#include "gen.h"

static const char help[] =
    "usage: rocegen [OPTION]... LAYER... [KEY=VALUE]...\n"
    "       rocegen [OPTION]... NOTIFICATION [KEY=VALUE]...\n"
    "       rocegen [OPTION]... FILE.vec|-\n"
    "Makes a frame of layers, outermost first. Keys and values are those that\n"
    "rocedump --json prints. rocegen computes lengths, types, checksums and the ICRC,\n"
    "unless a key sets them: icrc.value=0 udp.length=7.\n"
    "\n"
    "  rocegen ether ipv4 udp bth payload icrc ipv4.dst=192.0.2.7 bth.dest_qp=0x17\n"
    "  rocegen cnp src=192.0.2.1 dst=192.0.2.2 dest_qp=0x17\n"
    "\n"
    "  LAYER          --layers lists the layers with their members\n"
    "  KEY            LAYER.MEMBER, ipv4[1].src if there are several such layers, or\n"
    "                 inner.ipv4.src in a tunnel. A member alone belongs to the\n"
    "                 innermost layer that has it. Members without a key have usual\n"
    "                 values, or are 0. payload.length=N is N bytes 00 01 02 ...\n"
    "  NOTIFICATION   cnp, fastcnp, cnm, l3qcn, arn, pfc, pause: a whole frame, over\n"
    "                 IPv6 if src, dst or flow.src is an IPv6 address\n"
    "  FILE.vec       rows ID NOUN ok - | KEY=VALUE ... after a line source: ...\n"
    "                 (vectors/README); - is standard input\n"
    "\n"
    "  --hex          print a line of hex digits per frame (default)\n"
    "  --pcap FILE    write a capture; - is standard output. With --config or\n"
    "                 --domain, also write the domain to FILE.domain, for rocedump\n"
    "                 --domain\n"
    "  --send IFACE   send on an interface; needs root or CAP_NET_RAW\n"
    "  --count N      make each frame N times\n"
    "  --gap-ns N     time from frame to frame, in nanoseconds\n"
    "  --config GROUP.MEMBER=VALUE  set a number of the network, as in rocedump:\n"
    "                 overlay.vxlan_port=8472 tag.etag_type=0x893f\n"
    "  --domain FILE  read all of these numbers from a file, one NAME=VALUE per line\n"
    "                 (vectors/README). The file replaces the defaults: a member that\n"
    "                 it does not name is 0. --domain and --config apply in the order\n"
    "                 given.\n"
    "  --layers       list the layers with their members\n"
    "  -h, --help     print this text\n"
    "  --version      print the version\n"
    "\n"
    "The ICRC is computed over the frame with correct lengths and types, even if keys\n"
    "set others. Exit status: 0 done, 1 bad input or output, 2 usage.\n";

int gen_bad(const char *what, const char *where)
{
    fflush(stdout);
    fprintf(stderr, "rocegen: %s%s%s\n", where, *where != '\0' ? ": " : "", what);
    return 1;
}

int gen_usage(const char *what, const char *where, const char *near)
{
    if (*what != '\0') {
        fprintf(stderr, "rocegen: %s%s%s", where, *where != '\0' ? ": " : "", what);
        if (near != NULL) fprintf(stderr, " (nearest: %s)", near);
        fputc('\n', stderr);
    }
    fputs("rocegen --help lists the options\n", stderr);
    return 2;
}

/* Whole notifications. IP is ipv6 if an address is IPv6. */
static const struct {
    const char *name, *layers;
} notifications[] = {{"cnp", "ether IP udp bth cnp icrc"},
                     {"fastcnp", "ether ipv6 dstopts fastcnp udp bth cnp icrc"},
                     {"cnm", "ether cnm"},
                     {"l3qcn", "ether IP udp l3qcn"},
                     {"arn", "ether IP udp arn"},
                     {"pfc", "ether pfc"},
                     {"pause", "ether pause"}};

/* Returns true if a key gives an IPv6 address that is not IPv4-mapped. */
static bool is_ip6(const char *text)
{
    const char *value = strchr(text, '=') + 1;
    rocecc_ip6 address;
    if (strncmp(text, "src=", 4) != 0 && strncmp(text, "dst=", 4) != 0 &&
        strncmp(text, "flow.src=", 9) != 0)
        return false;
    return inet_pton(AF_INET6, value, address.b) == 1 && !rocecc_ip6_is_ip4(&address);
}

static int words(frame *f, const char *layers, bool ip6)
{
    while (*layers != '\0') {
        char word[16];
        const size_t n = strcspn(layers, " ");
        int failed;
        snprintf(word, sizeof word, "%.*s", (int)n, layers);
        if (strcmp(word, "IP") == 0) strcpy(word, ip6 ? "ipv6" : "ipv4");
        failed = frame_word(f, word);
        if (failed != 0) return failed;
        layers += n + (layers[n] == ' ');
    }
    return 0;
}

/* Adds a layer for each word, or all layers if the only word is a notification. */
static int stack(frame *f, char **args, int n)
{
    const char *only = NULL;
    bool ip6 = false;
    int i, n_words = 0;
    size_t k;
    for (i = 0; i < n; i++) {
        if (strchr(args[i], '=') == NULL) {
            only = args[i];
            n_words++;
        } else {
            ip6 = ip6 || is_ip6(args[i]);
        }
    }
    for (k = 0; n_words == 1 && k < COUNT(notifications); k++)
        if (strcmp(notifications[k].name, only) == 0)
            return words(f, notifications[k].layers, ip6);
    for (i = 0; i < n; i++) {
        const int failed = strchr(args[i], '=') == NULL ? frame_word(f, args[i]) : 0;
        if (failed != 0) return failed;
    }
    return n_words > 0 ? 0
                       : gen_usage("no layer is named; expected LAYERs, a "
                                   "NOTIFICATION, a FILE.vec or -",
                                   "", NULL);
}

static int compose(const rocecc_domain *d, char **args, int n, output *o)
{
    static frame f;
    int i, failed;
    f.domain = d;
    failed = stack(&f, args, n);
    for (i = 0; i < n && failed == 0; i++)
        if (strchr(args[i], '=') != NULL) failed = frame_key(&f, args[i]);
    if (failed == 0) failed = frame_compose(&f);
    if (failed != 0) return failed;
    return output_frame(o, f.buffer, f.bytes, frame_link(&f));
}

static void print_members(const kind *k)
{
    size_t p, i;
    printf("%s:", k->name);
    for (p = 0; p < COUNT(k->nouns) && k->nouns[p] != NULL; p++)
        for (i = 0; i < kind_noun(k->nouns[p])->n; i++)
            printf(" %s%s", kind_prefix(k, p), kind_noun(k->nouns[p])->fields[i].name);
    for (i = 0; k->nodes != NULL && i < kind_noun(k->nodes)->n; i++)
        printf(" %s[i].%s", k->nodes_name, kind_noun(k->nodes)->fields[i].name);
    putchar('\n');
}

static void print_layers(void)
{
    size_t i;
    for (i = 0; i < n_kinds; i++)
        print_members(&kinds[i]);
}

static const char *set_config(rocecc_domain *d, const char *text)
{
    char name[64];
    const size_t n = strcspn(text, "=");
    const field *f;
    if (text[n] == '\0') return "expected GROUP.MEMBER=VALUE";
    snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : 0), text);
    if (network_set(d, name, text + n + 1)) return NULL;
    f = network_field(name);
    return f != NULL ? field_expected(f)
                     : "unknown setting; rocedump --help lists the settings";
}

static bool number(const char *text, uint64_t *v)
{
    char *end;
    errno = 0;
    *v = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

static bool is_rows(const char *arg)
{
    const size_t n = strlen(arg);
    return strcmp(arg, "-") == 0 || (n > 4 && strcmp(arg + n - 4, ".vec") == 0);
}

/* Handles rows, or layers and keys, after the options. */
static int make(const rocecc_domain *d, char **args, int n, output *o)
{
    int failed, closed;
    const char *refused = network_refused(d);
    if (refused != NULL) return gen_usage(refused, "invalid domain", NULL);
    if (o->pcap != NULL && o->send != NULL)
        return gen_usage("--pcap and --send exclude each other; give only one", "",
                         NULL);
    if (n == 1 && is_rows(args[0]))
        failed = rows_read(args[0], d, output_frame, o);
    else
        failed = compose(d, args, n, o);
    closed = output_close(o);
    if (failed != 0 || closed != 0) return failed != 0 ? failed : closed;
    return o->pcap == NULL || !o->own_domain || network_beside(d, o->pcap, "rocegen")
               ? 0
               : 1;
}

/* Reports the value of an option, and returns 2. */
static int bad_value(const char *option, const char *value, const char *why)
{
    fprintf(stderr, "rocegen: %s %s: %s\n", option, value, why);
    return gen_usage("", "", NULL);
}

/* Handles one option. Returns true, with *status, if the program is done. */
static bool take(int option, rocecc_domain *d, output *o, int *status)
{
    const char *refused;
    *status = 0;
    switch (option) {
    case 'x':
        o->pcap = o->send = NULL;
        return false;
    case 'p':
        o->pcap = optarg;
        return false;
    case 's':
        o->send = optarg;
        return false;
    case 'c':
    case 'g':
        if (number(optarg, option == 'c' ? &o->count : &o->gap_ns)) return false;
        *status = bad_value(option == 'c' ? "--count" : "--gap-ns", optarg,
                            "expected a whole number from 0 to 18446744073709551615");
        return true;
    case 'o':
        o->own_domain = true;
        refused = set_config(d, optarg);
        if (refused == NULL) return false;
        *status = bad_value("--config", optarg, refused);
        return true;
    case 'd':
        o->own_domain = true;
        if (network_read(d, optarg, "rocegen")) return false;
        *status = 1;
        return true;
    case 'l':
        print_layers();
        break;
    case 'h':
        fputs(help, stdout);
        break;
    case 'v':
        puts("rocegen " ROCECC_VERSION);
        break;
    default:
        *status = gen_usage("", "", NULL);
        return true;
    }
    if (!written("rocegen")) *status = 1;
    return true;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"hex", no_argument, NULL, 'x'},
                                            {"pcap", required_argument, NULL, 'p'},
                                            {"send", required_argument, NULL, 's'},
                                            {"count", required_argument, NULL, 'c'},
                                            {"gap-ns", required_argument, NULL, 'g'},
                                            {"config", required_argument, NULL, 'o'},
                                            {"domain", required_argument, NULL, 'd'},
                                            {"layers", no_argument, NULL, 'l'},
                                            {"help", no_argument, NULL, 'h'},
                                            {"version", no_argument, NULL, 'v'},
                                            {NULL, 0, NULL, 0}};
    rocecc_domain d = ROCECC_ZERO;
    output o = {.count = 1};
    int option, status;
    vec_tool = "rocegen";
    network_default(&d);
    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1)
        if (take(option, &d, &o, &status)) return status;
    return make(&d, argv + optind, argc - optind, &o);
}
