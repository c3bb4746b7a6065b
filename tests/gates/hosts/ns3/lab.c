/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * lab.c - runs cclab on a star, with results in the form of examples/ns3. "lab SCHEME
 * LOAD SENDERS MS SEED OUT [OPTION VALUE]..." writes OUT.tsv and OUT.flows.tsv. The
 * options are cclab's, such as: set jitter_ns=0ns buffer 1M.
 */
#include "../../../../examples/cclab/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long ull;

static FILE *file(const char *out, const char *suffix)
{
    char name[400];
    FILE *f;
    (void)snprintf(name, sizeof name, "%s%s", out, suffix);
    f = fopen(name, "w");
    if (f != NULL) return f;
    perror(name);
    exit(1);
}

static void flows(const lab *l, FILE *f)
{
    uint32_t i;
    fprintf(f, "id\tfrom\tto\tbytes\tgot\tlinks\tstart_ns\tfct_ns\n");
    for (i = 0; i < l->n_flows; i++) {
        const lab_flow *x = &l->flow[i];
        const ull ps = x->end == 0 ? 0 : x->end - x->start;
        fprintf(f, "%u\t%u\t%u\t%llu\t%llu\t2\t%llu\t%llu.%03llu\n", x->id,
                x->from->index, x->to->index,
                x->bytes == UINT64_MAX ? 0 : (ull)x->bytes, (ull)x->got,
                (ull)x->start / 1000, ps / 1000, ps % 1000);
    }
}

static void summary(const lab *l, FILE *f)
{
    const lab_result r = lab_results(l);
    const lab_options *o = l->o;
    fprintf(f, "scheme\t%s\nload\t%s\nrate_bps\t%llu\nrtt_ns\t%llu\n",
            l->part[0].s->name, o->load, (ull)o->rate_bps, (ull)o->rtt / 1000);
    fprintf(f, "payload_bytes\t%u\nfinished\t%u\nmarks\t%llu\nnotifications\t%llu\n",
            l->mtu, r.finished, (ull)r.marks, (ull)r.notifications);
    fprintf(f,
            "dropped_packets\t%llu\nqueue_mean_bytes\t%llu\nqueue_most_bytes\t%llu\n",
            (ull)r.drops, (ull)r.queue_mean_bytes, (ull)r.queue_most_bytes);
    fprintf(f, "goodput_gbps\t%.4f\nutilisation\t%.6f\njain\t%.6f\n",
            (double)r.goodput_bps / 1e9, (double)r.utilisation_ppm / 1e6,
            (double)r.jain_ppm / 1e6);
}

int main(int argc, char **argv)
{
    lab_options o = lab_defaults();
    const lab_scheme *const *s = lab_schemes;
    FILE *f;
    lab *l;
    int i;
    if (argc < 7 || argc % 2 == 0) return 2;
    while (*s != NULL && strcmp((*s)->name, argv[1]) != 0)
        s++;
    o.load = argv[2];
    o.flows = (uint32_t)strtoul(argv[3], NULL, 10);
    o.duration = strtoull(argv[4], NULL, 10) * LAB_MS;
    o.seed = strtoull(argv[5], NULL, 10);
    for (i = 7; i < argc; i += 2)
        if (lab_option(&o, argv[i], argv[i + 1]) != 0) return 2;
    if (*s == NULL || (l = lab_new(*s, &o)) == NULL) return 1;
    lab_run(l, o.duration);
    flows(l, f = file(argv[6], ".flows.tsv"));
    (void)fclose(f);
    summary(l, f = file(argv[6], ".tsv"));
    (void)fclose(f);
    lab_free(l);
    return 0;
}
