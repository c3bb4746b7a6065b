/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * capture.c - reads frames from captures. libpcap reads pcap files and interfaces,
 * pcapng.c reads pcapng, and zlib decompresses.
 */
#define _DEFAULT_SOURCE /* u_int and others, for pcap.h */
#include "capture.h"

#if defined(HAVE_PCAP)
#include <errno.h>
#include <pcap/pcap.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "../lib/live.h"
#include "../lib/network_file.h"

#define READ_BYTES (1 << 20)
#define SNAPLEN 262144
#define WAIT_MS 100 /* longest delay in the kernel */

typedef struct pcap_input {
    input *in;
    pcap_t *pcap;
    uint32_t link;
    uint32_t ns; /* per unit of tv_usec */
} pcap_input;

static volatile sig_atomic_t stopped;
static pcap_t *live; /* for the signal handler; NULL while a file is read */

static void stop(int signal)
{
    (void)signal;
    stopped = 1;
    if (live != NULL) pcap_breakloop(live);
}

/*
 * A first signal ends the input, so that a summary is printed. The same signal again
 * ends the program.
 */
static void until_signal(void)
{
    struct sigaction once;
    memset(&once, 0, sizeof once);
    once.sa_handler = stop;
    once.sa_flags = (int)SA_RESETHAND;
    (void)sigaction(SIGINT, &once, NULL);
    (void)sigaction(SIGTERM, &once, NULL);
}

/* Returns false if no more frames are wanted. */
static bool each_frame(const captured *f, void *arg)
{
    input *in = (input *)arg;
    const bool ip_first = in->config.domain.link == ROCECC_LINK_IP;
    packet p;
    in->number++;
    if (in->bpf != NULL) {
        in->refused = !bpf_ready(in->bpf, f->link);
        if (in->refused) return false;
        if (!bpf_passes(f)) return stopped == 0;
    }
    p.number = in->number;
    p.time_ns = f->time_ns;
    p.len = f->len;
    p.iface = f->iface;
    p.bytes = rocecc_reader_of(f->bytes, f->bytes + f->caplen);
    p.link =
        link_of(ip_first && f->link == LINK_ETHERNET ? LINK_RAW : f->link, &p.bytes);
    p.id = p.source = NULL;
    in->each(in, &p);
    return !in->enough && stopped == 0;
}

static void each_pcap(u_char *arg, const struct pcap_pkthdr *h, const u_char *bytes)
{
    pcap_input *c = (pcap_input *)(void *)arg;
    captured f;
    f.link = c->link;
    f.iface = 0;
    f.time_ns = (uint64_t)h->ts.tv_sec * 1000000000u + (uint64_t)h->ts.tv_usec * c->ns;
    f.len = h->len;
    f.caplen = h->caplen;
    f.bytes = bytes;
    if (!each_frame(&f, c->in)) pcap_breakloop(c->pcap);
}

static bool broken(const input *in, const char *path, const char *why)
{
    if (stopped != 0) return true; /* a signal stopped reading */
    gz_broken(&why);
    fflush(stdout);
    fprintf(stderr, "rocedump: %s: broken after frame %llu: %s\n", path,
            (unsigned long long)in->number, why);
    return false;
}

static bool complain(const char *path, const char *why)
{
    gz_broken(&why);
    fprintf(stderr, "rocedump: %s: %s\n", path, why);
    return false;
}

/* Also filters in the kernel, so that it does not copy rejected frames. */
static bool set_filter(input *in, pcap_t *pcap)
{
    struct bpf_program program;
    if (in->bpf == NULL) return true;
    in->refused = pcap_compile(pcap, &program, in->bpf, 1, PCAP_NETMASK_UNKNOWN) != 0;
    if (!in->refused) {
        in->refused = pcap_setfilter(pcap, &program) != 0;
        pcap_freecode(&program);
    }
    if (in->refused)
        fprintf(stderr, "rocedump: filter '%s': %s\n", in->bpf, pcap_geterr(pcap));
    return !in->refused;
}

static void tell_drops(pcap_t *pcap, const char *device)
{
    struct pcap_stat s;
    if (pcap_stats(pcap, &s) == 0 && s.ps_drop != 0)
        fprintf(stderr, "rocedump: %s: %u frames arrived too fast and were lost\n",
                device, s.ps_drop);
}

/* Returns true if the link type is supported and the filter compiles. */
static bool readable(input *in, pcap_t *pcap, const char *path)
{
    const int link = pcap_datalink(pcap);
    const char *name = pcap_datalink_val_to_name(link);
    if (!link_known((uint32_t)link)) {
        fprintf(stderr,
                "rocedump: %s: link type %d (%s) is not supported; expected Ethernet, "
                "Linux cooked, null, loop, ERF, PPI, DSA, NFLOG or raw IP\n",
                path, link, name != NULL ? name : "unknown");
        return false;
    }
    if (in->bpf != NULL) in->refused = !bpf_ready(in->bpf, (uint32_t)link);
    return !in->refused;
}

/* Reads all frames, then closes the pcap. */
static bool run(input *in, pcap_t *pcap, const char *path)
{
    pcap_input c = {in, pcap, (uint32_t)pcap_datalink(pcap), 1000};
    bool ok = readable(in, pcap, path) && (live == NULL || set_filter(in, pcap));
    if (pcap_get_tstamp_precision(pcap) == PCAP_TSTAMP_PRECISION_NANO) c.ns = 1;
    if (ok && live != NULL) fprintf(stderr, "rocedump: listening on %s\n", path);
    if (ok && pcap_loop(pcap, -1, each_pcap, (u_char *)(void *)&c) == PCAP_ERROR)
        ok = broken(in, path, pcap_geterr(pcap));
    if (live != NULL) tell_drops(pcap, path);
    live = NULL;
    pcap_close(pcap);
    return ok && !in->refused;
}

static void finish(FILE *file)
{
    if (file != stdin) fclose(file);
}

static bool read_pcap(input *in, FILE *file, const char *path)
{
    char error[PCAP_ERRBUF_SIZE];
    pcap_t *pcap = pcap_fopen_offline_with_tstamp_precision(
        file, PCAP_TSTAMP_PRECISION_NANO, error);
    if (pcap != NULL) return run(in, pcap, path);
    finish(file);
    return complain(path, strcmp(error, "unknown file format") != 0
                              ? error
                              : "unknown file format; expected pcap, pcapng or gzip, "
                                "or a name that ends in .vec");
}

/* A pcapng file, while it is read. */
typedef struct pcapng_input {
    input *in;
    const char *path;
    rocecc_domain given; /* by the options or defaults */
    bool bad;            /* the domain in a comment is invalid */
} pcapng_input;

static bool each_pcapng(const captured *f, void *arg)
{
    return each_frame(f, ((pcapng_input *)arg)->in);
}

/* Takes the domain from a comment. It applies until the next section begins. */
static bool take_comment(const char *text, size_t n, void *arg)
{
    pcapng_input *c = (pcapng_input *)arg;
    if (text == NULL)
        c->in->config.domain = c->given;
    else if (!c->in->own_domain && network_is_file(text, n))
        c->bad = !network_take(&c->in->config.domain, text, n, c->path, "rocedump");
    return !c->bad;
}

static bool read_pcapng(input *in, FILE *file, const char *path)
{
    pcapng_input c = {in, path, in->config.domain, false};
    const pcapng_user user = {each_pcapng, take_comment, &c};
    const char *why = pcapng_read(file, &user);
    in->config.domain = c.given;
    finish(file);
    return (why == NULL || broken(in, path, why)) && !in->refused && !c.bad;
}

/* Reads a file. Its first byte identifies gzip and pcapng. Everything else is pcap. */
static bool read_file(input *in, FILE *file, const char *path)
{
    int first = getc(file);
    (void)ungetc(first, file);
    if (first == 0x1f) {
        const char *why;
        FILE *inside = gz_open(file, path, &why);
        if (inside == NULL) {
            finish(file);
            return complain(path, why);
        }
        file = inside;
        first = getc(file);
        (void)ungetc(first, file);
    }
    if (first == EOF) {
        const char *why = ferror(file) ? strerror(errno) : "the file is empty";
        const bool ok = complain(path, why);
        finish(file);
        return ok;
    }
    return first == 0x0a ? read_pcapng(in, file, path) : read_pcap(in, file, path);
}

bool capture_read(input *in, const char *path)
{
    static char buffer[READ_BYTES];
    const bool is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "rb");
    struct stat is;
    gz_reset();
    if (file == NULL) return complain(path, strerror(errno));
    (void)setvbuf(file, buffer, _IOFBF, sizeof buffer);
    if (fstat(fileno(file), &is) == 0 && !S_ISREG(is.st_mode)) {
        in->at_once = true;
        until_signal();
    }
    return read_file(in, file, path);
}

/* Opens an interface in promiscuous mode, or returns NULL with a message. */
static pcap_t *open_live(const char *device)
{
    char error[PCAP_ERRBUF_SIZE];
    pcap_t *pcap = pcap_create(device, error);
    int rc;
    if (pcap == NULL) {
        (void)complain(device, error);
        return NULL;
    }
    (void)pcap_set_snaplen(pcap, SNAPLEN);
    (void)pcap_set_promisc(pcap, 1);
    (void)pcap_set_timeout(pcap, WAIT_MS);
    (void)pcap_set_immediate_mode(pcap, 1);
    (void)pcap_set_tstamp_precision(pcap, PCAP_TSTAMP_PRECISION_NANO);
    rc = pcap_activate(pcap);
    if (rc >= 0) return pcap;
    live_complain("rocedump", device, "capture", rc, pcap_geterr(pcap));
    pcap_close(pcap);
    return NULL;
}

bool input_live(input *in, const char *device)
{
    pcap_t *pcap = open_live(device);
    if (pcap == NULL) return false;
    live = pcap;
    in->at_once = true;
    until_signal();
    return run(in, pcap, device);
}
#else
static bool without(const char *path, const char *what)
{
    fprintf(stderr,
            "rocedump: %s: built without libpcap, so it %s; install libpcap-dev and "
            "zlib1g-dev and build again with make tools\n",
            path, what);
    return false;
}

bool capture_read(input *in, const char *path)
{
    (void)in;
    return without(path, "reads only .vec files");
}

bool input_live(input *in, const char *device)
{
    (void)in;
    return without(device, "cannot capture on interfaces");
}
#endif
