/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * rocedump - shows the RoCE packets of a capture: as text, as JSON, or counted.
 */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "decode.h"
#include "schema.h"
#include "views.h"

#define PROGRESS_FRAMES (1u << 20)

static const char help[] =
    "usage: rocedump [--json|--summary] [--no-icrc] [--judge ROLE [--access LIST]]\n"
    "                [--time FORM] [--config NAME=VALUE]... FILE|-\n"
    "       rocedump --flows [--json]|--timeline[=INTERVAL] [--plot FILE]|--csv KEYS\n"
    "                [--config NAME=VALUE]... FILE|-\n"
    "       rocedump --fields [FORMAT]\n"
    "       rocedump --schema\n"
    "Shows the RoCE packets of a capture (pcap, pcapng; - is standard input), or of a\n"
    "vector file of rocecc (*.vec). As text, members that are 0 are left out.\n"
    "\n"
    "  --json               one object per frame and line, with all members\n"
    "  --summary            counts only\n"
    "  --flows              a table: per source, destination and DestQP packets, "
    "bytes,\n"
    "                       CE, CNPs and what they answer, PSN gaps, late and doubled\n"
    "                       packets, NAKs, trimmed ones; --flows --json: an object "
    "each\n"
    "  --timeline[=INTERVAL]  CSV: the same per interval (100us, 1ms, ...; 1ms unless\n"
    "                       set) and flow, and PFC; with --plot FILE.svg or FILE.png\n"
    "                       gnuplot draws it too\n"
    "  --csv KEYS           CSV: a line per frame, a column per key, by the names of\n"
    "                       --json: frame,time_ns,ipv4[0].src,bth.psn,inner.bth.psn\n"
    "  --time FORM          in text: relative (seconds since the first frame; so "
    "unless\n"
    "                       set), delta (since the one before), utc, or epoch\n"
    "  --no-icrc            do not check the ICRC\n"
    "  --judge ROLE         what it would do with each packet, inner ones too, as its\n"
    "                       verdict: reaction (a sender's gate), border (a filter for\n"
    "                       Fast CNPs), end-con (of an SRv6 PE), arn, tor (of L3QCN:\n"
    "                       private CNMs come from the fabric, all else from hosts)\n"
    "  --access LIST        who may send Fast CNPs: a file with a prefix per line,\n"
    "                       and after it deny or tag=N; # begins a comment\n"
    "  --schema             the JSON schema of the lines of --json\n"
    "  --fields [FORMAT]    what the members of a format are: bits, unit, meaning\n";

static const char help_config[] =
    "  --config NAME=VALUE  frame.ip_first=0|1     frames begin with the IP header\n"
    "                       frame.rocev2_port=N    instead of UDP port 4791\n"
    "                       frame.old_qinq=0|1     TPID 0x9100 is a VLAN tag\n"
    "                       csig.compact_tpid=N    0x9900 and 0x9901 unless set\n"
    "                       csig.wide_tpid=N\n"
    "                       csig.uec=0|1           the last bit of LM is d\n"
    "                       roce.rd=0|1            take the opcodes of RD\n"
    "                       roce.short_cnp=0|1     take CNPs without reserved bytes\n"
    "                       fastcnp.type_plain=N   the option types of Fast CNPs; "
    "0x9e\n"
    "                       fastcnp.type_ioam=N    and 0x9f unless set, 0 is none\n"
    "                       fastcnp.form=a|b       with the IOAM option's first word, "
    "or\n"
    "                                              from Namespace-ID on\n"
    "                       fastcnp.address_first=0|1  the address before the trace\n"
    "                       ioam.tx_bytes_bit=N    bits of the trace type that nobody "
    "has\n"
    "                       ioam.interface_bit=N   assigned: 12 unless set, and none\n"
    "                       ifa.protocol=N         253 unless set, 0 is none\n"
    "                       ifa.layout_a=N         bit n: the record with LNS n, "
    "2\n"
    "                       ifa.layout_b=N         and 4 unless set\n"
    "                       ifa.gns_a=N, ifa.gns_b=N  bit n: all records under GNS n\n"
    "                       ifa.checksum=stack|metadata  what C covers\n"
    "                       ifa.tail=newest_first|newest_last, ifa.fragments=0|1  TS, "
    "MF\n"
    "                       intmd.udp_port=N       INT is none unless set\n"
    "                       intmd.dscp=N, intmd.dscp_mask=N, intmd.probe_marker=N,\n"
    "                       intmd.before_options=0|1  INT without a port, and in TCP\n"
    "                       intmd.ds_id=N          the Domain Specific ID\n"
    "                       telemetry.rate_bps=N   of links that do not tell theirs\n"
    "                       telemetry.queue_unit_bytes=N, telemetry.util_one=N\n"
    "                       telemetry.clock=ptp|posix|ntp, telemetry.ts_bits=N,\n"
    "                       telemetry.tx_bits=N    what records count\n"
    "                       l3qcn.port=N           of private CNMs and of ARNs: 51966\n"
    "                       arn.port=N             and 51967 unless set, 0 is none\n"
    "                       l3qcn.reserved_bit=0|1  private CNMs by a flag of IPv4, "
    "too\n"
    "                       cnm.signs=A|B|C        of cnmQOffset and cnmQDelta: A is "
    "802.1Q\n"
    "                       cnm.tolerate_long=0|1  an MSDU length above 64 is 64\n"
    "                       cnm.strict_version=0|1; l3qcn.cnm.signs and so on\n"
    "                       arn.bit_order=msb|lsb|auto  of Para-Type\n"
    "                       arn.time_unit_ps=N     1000000 unless set\n"
    "                       arn.layout=any|padded|packed, arn.family=0|4|6,\n"
    "                       arn.priority=8021p|dscp|any, arn.versions=N,\n"
    "                       arn.tail_unknown=0|1   what else the drafts leave open\n"
    "                       pfc.station=ADDRESS    PAUSE may come to it\n"
    "                       icrc.rule=auto|standard|masked|literal|stripped|none\n"
    "                                              what covers IPv6 extension headers\n"
    "                       reaction.NAME=VALUE    of the roles, by the names that\n"
    "                       srv6_pe.NAME=VALUE     --fields reaction_config and so on\n"
    "                       arn_gate.NAME=VALUE    lists; srv6_pe is of end-con\n"
    "                       l3qcn_tor.NAME=VALUE\n"
    "                       judge.peer=unknown|yes|no  whether QPs are connected to\n"
    "                                              the sources of CNPs\n"
    "                       judge.port=N           where frames came in\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 done, 1 bad input, 2 usage.\n";

typedef enum mode { TEXT, JSON, SUMMARY } mode;

typedef struct tool {
    mode mode;
    bool progress;
    decoded d[LEVELS_MAX];
    view view;
    clock_state clock;
    judge *judge; /* NULL: not asked for */
    judged judged[LEVELS_MAX];
    summary sum;
} tool;

/* What the role says of a frame, and of the packets in it. */
static void judge_frame(tool *t, const settings *c, uint64_t now_ns)
{
    decoded *d = t->d;
    int i;
    for (i = 0; i < LEVELS_MAX && d != NULL; i++) {
        judge_packet(t->judge, &c->judge, &d->p, now_ns, &t->judged[i]);
        d->judged = &t->judged[i];
        d = d->inner;
    }
}

static void show(tool *t, const settings *c, const packet *p)
{
    char when[CLOCK_BYTES];
    if (t->view.kind != VIEW_FRAMES) {
        view_frame(&t->view, p, t->d, stdout);
        return;
    }
    if (t->mode != JSON) summary_add(&t->sum, p, t->d);
    if (t->mode == JSON) json_frame(p, t->d, stdout);
    if (t->mode == TEXT)
        text_frame(c, p, clock_text(&t->clock, p->time_ns, when), t->d, stdout);
}

static void each(input *in, const packet *p)
{
    tool *t = (tool *)in->arg;
    decode(&in->config, p->bytes, t->d);
    in->last = t->d;
    if (t->judge != NULL) judge_frame(t, &in->config, p->time_ns);
    show(t, &in->config, p);
    if (t->progress && p->number % PROGRESS_FRAMES == 0)
        fprintf(stderr, "\r%llu frames", (unsigned long long)p->number);
}

static int usage(const char *why, const char *what)
{
    if (why != NULL) fprintf(stderr, "rocedump: %s%s\n", why, what);
    fputs("usage: rocedump [--json|--summary] [--no-icrc] [--judge ROLE [--access "
          "LIST]]\n"
          "                [--config NAME=VALUE]... FILE|-\n"
          "rocedump --help says more\n",
          stderr);
    return 2;
}

static bool set_config(settings *c, const char *text)
{
    char name[64];
    const size_t n = strcspn(text, "=");
    if (text[n] == '\0' || n >= sizeof name) return false;
    memcpy(name, text, n);
    name[n] = '\0';
    return config_set(c, name, text + n + 1);
}

static int show_fields(const char *format, bool more)
{
    if (more) return usage("one format at a time", "");
    if (!fields_print(format, stdout))
        return usage("no such format (--fields alone has all): ", format);
    return fflush(stdout) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"json", no_argument, NULL, 'j'},
                                            {"summary", no_argument, NULL, 's'},
                                            {"flows", no_argument, NULL, 'V'},
                                            {"timeline", optional_argument, NULL, 'V'},
                                            {"plot", required_argument, NULL, 'V'},
                                            {"csv", required_argument, NULL, 'V'},
                                            {"time", required_argument, NULL, 't'},
                                            {"no-icrc", no_argument, NULL, 'n'},
                                            {"config", required_argument, NULL, 'c'},
                                            {"fields", no_argument, NULL, 'f'},
                                            {"schema", no_argument, NULL, 'S'},
                                            {"judge", required_argument, NULL, 'g'},
                                            {"access", required_argument, NULL, 'a'},
                                            {"help", no_argument, NULL, 'h'},
                                            {"version", no_argument, NULL, 'v'},
                                            {NULL, 0, NULL, 0}};
    static tool t;             /* all 0 */
    static input in;           /* all 0 */
    static access_list access; /* all 0: nobody */
    const char *refused, *list = NULL;
    bool ok, fields = false;
    int option, which = 0;
    config_default(&in.config);
    while ((option = getopt_long(argc, argv, "", options, &which)) != -1) {
        switch (option) {
        case 'j':
        case 's':
            if (t.mode != TEXT && t.mode != (option == 'j' ? JSON : SUMMARY))
                return usage("--json or --summary, not both", "");
            t.mode = option == 'j' ? JSON : SUMMARY;
            break;
        case 'V':
            refused = view_option(&t.view, options[which].name, optarg);
            if (refused != NULL) return usage(refused, "");
            break;
        case 't':
            if (!clock_set(&t.clock, optarg)) return usage("no such time: ", optarg);
            break;
        case 'n':
            in.config.no_icrc = true;
            break;
        case 'c':
            if (!set_config(&in.config, optarg))
                return usage("no such setting or value: ", optarg);
            break;
        case 'g':
            t.judge = judge_of(optarg, &access);
            if (t.judge == NULL) return usage("no such role (see --help): ", optarg);
            break;
        case 'a':
            list = optarg;
            break;
        case 'f':
            fields = true;
            break;
        case 'h':
            fputs(help, stdout);
            fputs(help_config, stdout);
            return 0;
        case 'S':
            schema_print(stdout);
            return fflush(stdout) == 0 ? 0 : 1;
        case 'v':
            puts("rocedump " ROCECC_VERSION);
            return 0;
        default:
            return usage(NULL, NULL);
        }
    }
    if (fields)
        return show_fields(optind < argc ? argv[optind] : NULL, optind + 1 < argc);
    if (config_refused(&in.config) != NULL)
        return usage(config_refused(&in.config), "");
    if (optind == argc) return usage("no file is named", "");
    if (optind + 1 != argc)
        return usage("one file at a time, and not ", argv[argc - 1]);
    if (list != NULL && t.judge == NULL) return usage("--access is for --judge", "");
    if (list != NULL && !access_read(&access, list)) return 1;
    if (t.judge != NULL) {
        refused = judge_refused(t.judge, &in.config.judge, &in.config.domain);
        if (refused != NULL)
            return usage("the role refuses this configuration: ", refused);
    }
    if (t.view.kind != VIEW_FRAMES && (t.mode == SUMMARY || t.judge != NULL))
        return usage("--summary and --judge are of frames, and not for --flows, "
                     "--timeline or --csv",
                     "");
    t.view.as_json = t.mode == JSON;
    in.config.brief = t.mode == SUMMARY;
    refused = view_start(&t.view, &in.config);
    if (refused != NULL) return usage(refused, "");
    t.progress = t.mode == SUMMARY && isatty(STDERR_FILENO);
    in.each = each;
    in.arg = &t;
    ok = input_read(&in, argv[optind]);
    if (t.progress) fputs("\r                            \r", stderr);
    if (t.view.kind != VIEW_FRAMES)
        ok &= view_end(&t.view, stdout);
    else if (t.mode != JSON && in.shown != 0)
        summary_print(&t.sum, stdout);
    if (t.mode != JSON && in.shown != 0 && t.judge != NULL)
        judge_summary(t.judge, stdout);
    if (t.mode == TEXT && t.view.kind == VIEW_FRAMES && in.vectors && in.shown != 0)
        printf("%s: %llu frames shown, %llu of them RoCE, %llu CNPs\n", argv[optind],
               (unsigned long long)in.shown,
               (unsigned long long)(t.sum.rocev1 + t.sum.rocev2),
               (unsigned long long)t.sum.cnps);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("rocedump: standard output cannot be written\n", stderr);
        ok = false;
    }
    return ok ? 0 : 1;
}
