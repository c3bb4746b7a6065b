/* SPDX-License-Identifier: BSD-2-Clause */

/* input.c - frames out of captures (with libpcap) and out of vector files. */
#define _DEFAULT_SOURCE /* u_int and others, for pcap.h */
#include <string.h>

#include "../lib/vec.h"
#include "decode.h"

typedef struct vec_input {
    input *in;
    const char *path;
    uint64_t number;
    bool bad;
} vec_input;

/*
 * The settings of a row, and its arguments, which are members of the domain too; what
 * else a walk asks is off. With clash=1 a number has two meanings.
 */
static bool row_config(settings *c, const vec_row *row)
{
    bool clash = false;
    size_t i;
    config_plain(c);
    for (i = 0; i < row->n_config; i++)
        if (!config_set(c, row->config[i].key, row->config[i].value)) return false;
    for (i = 0; i < row->n_in; i++)
        if (strcmp(row->in[i].key, "clash") == 0)
            clash = strcmp(row->in[i].value, "1") == 0;
        else if (!config_set(c, row->in[i].key, row->in[i].value))
            return false;
    return (config_refused(c) != NULL) == clash;
}

/* A row that walks a frame; the walk has to say what the row says. */
static void each_row(const vec_row *row, void *arg)
{
    vec_input *v = (vec_input *)arg;
    const settings given = v->in->config;
    packet p;
    rocecc_status status;
    if (!row->call || strcmp(row->noun, "packet_of") != 0) return;
    if (!row_config(&v->in->config, row)) {
        fprintf(stderr, "rocedump: %s: %s has an unknown setting\n", v->path, row->id);
        v->bad = true;
    } else {
        p.number = ++v->number;
        p.time_ns = 0;
        p.len = (uint32_t)row->n;
        p.bytes = rocecc_reader_of(row->bytes, row->bytes + row->n);
        p.id = row->id;
        p.source = row->source;
        v->in->each(v->in, &p);
        v->in->shown++;
        status = (rocecc_status)v->in->last->p.where.status;
        if (status != row->status) {
            fflush(stdout);
            fprintf(stderr, "rocedump: %s: %s is %s, and the row says %s\n", v->path,
                    row->id, vec_status_name(status), vec_status_name(row->status));
            v->bad = true;
        }
    }
    v->in->config = given;
}

static bool read_vectors(input *in, const char *path)
{
    vec_input v;
    v.in = in;
    v.path = path;
    v.number = 0;
    v.bad = false;
    in->vectors = true;
    vec_read(path, each_row, &v);
    if (in->shown == 0) fprintf(stderr, "rocedump: %s: no row walks a frame\n", path);
    return !v.bad && in->shown != 0;
}

#if defined(HAVE_PCAP)
#include <errno.h>
#include <pcap/pcap.h>

#define READ_BYTES (1 << 20)

typedef struct pcap_input {
    input *in;
    uint64_t number;
} pcap_input;

static void each_frame(u_char *arg, const struct pcap_pkthdr *h, const u_char *bytes)
{
    pcap_input *c = (pcap_input *)(void *)arg;
    packet p;
    p.number = ++c->number;
    p.time_ns = (uint64_t)h->ts.tv_sec * 1000000000u + (uint64_t)h->ts.tv_usec;
    p.len = h->len;
    p.bytes = rocecc_reader_of(bytes, bytes + h->caplen);
    p.id = p.source = NULL;
    c->in->each(c->in, &p);
    c->in->shown++;
}

/* Whether frames of a link type can be read; of some of them IP is first. */
static bool link_type(pcap_t *pcap, settings *c, const char *path)
{
    const int type = pcap_datalink(pcap);
    const char *name = pcap_datalink_val_to_name(type);
    if (type == DLT_RAW || type == DLT_IPV4 || type == DLT_IPV6)
        c->domain.link = ROCECC_LINK_IP;
    else if (type != DLT_EN10MB) {
        fprintf(stderr, "rocedump: %s: link type %d (%s) is neither Ethernet nor IP\n",
                path, type, name != NULL ? name : "unknown");
        return false;
    }
    return true;
}

static bool read_capture(input *in, const char *path)
{
    static char buffer[READ_BYTES];
    char error[PCAP_ERRBUF_SIZE];
    const bool is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "rb");
    pcap_input c;
    pcap_t *pcap;
    bool ok;
    if (file == NULL) {
        fprintf(stderr, "rocedump: %s: %s\n", path, strerror(errno));
        return false;
    }
    (void)setvbuf(file, buffer, _IOFBF, sizeof buffer);
    pcap = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO,
                                                    error);
    if (pcap == NULL) {
        fprintf(stderr, "rocedump: %s: %s\n", path, error);
        if (!is_stdin) fclose(file);
        return false;
    }
    c.in = in;
    c.number = 0;
    ok = link_type(pcap, &in->config, path);
    if (ok && pcap_loop(pcap, -1, each_frame, (u_char *)(void *)&c) < 0) {
        fflush(stdout);
        fprintf(stderr, "rocedump: %s: broken after frame %llu: %s\n", path,
                (unsigned long long)c.number, pcap_geterr(pcap));
        ok = false;
    }
    pcap_close(pcap);
    return ok;
}
#else
static bool read_capture(input *in, const char *path)
{
    (void)in;
    fprintf(stderr,
            "rocedump: %s: built without libpcap, which reads captures; only "
            ".vec files can be read\n",
            path);
    return false;
}
#endif

bool input_read(input *in, const char *path)
{
    const size_t n = strlen(path);
    in->shown = 0;
    in->vectors = false;
    if (n >= 4 && strcmp(path + n - 4, ".vec") == 0) return read_vectors(in, path);
    return read_capture(in, path);
}
