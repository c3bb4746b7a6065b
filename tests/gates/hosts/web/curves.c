/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * curves ALGO [NAME=VALUE]... prints a run of examples/web on this machine: the
 * samples, in decimal, one a line. With "events", it prints instead the inputs and
 * results of flow 0's algorithm.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../../examples/web/curves.h"

static curves c;

static void event(const curves_flow *x, const curves_event *e)
{
    if (x != &c.flow[0]) return;
    printf("%s now_ns=%" PRIu64 " bytes=%" PRIu64 " seq=%" PRIu64 " snd_nxt=%" PRIu64
           " ece=%d limited=%d result=%" PRIu64,
           e->name, e->now_ns, e->bytes, e->seq, e->snd_nxt, e->ece, e->limited,
           e->result);
    if (e->hop != NULL)
        printf(" tx=%" PRIu64 " ts=%" PRIu64 " queue=%" PRIu32, e->hop->tx_bytes,
               e->hop->ts_ns, e->hop->queue_bytes);
    putchar('\n');
}

static bool set(const char *text)
{
    const size_t n = strcspn(text, "=");
    uint32_t i;
    for (i = 0; i < CURVES_N && text[n] == '='; i++) {
        const char *name = curves_settings[i].name;
        if (strlen(name) != n || strncmp(name, text, n) != 0) continue;
        c.value[i] = (uint32_t)strtoul(text + n + 1, NULL, 10);
        return true;
    }
    if (strcmp(text, "events") != 0) return false;
    c.watch = event;
    return true;
}

static void print(void)
{
    uint32_t i, k;
    for (i = 0; i < CURVES_SAMPLES; i++) {
        printf("%" PRIu32, c.sample[i].queue_bytes);
        for (k = 0; k < CURVES_FLOWS; k++)
            printf(" %" PRIu32, c.sample[i].got_bytes[k]);
        putchar('\n');
    }
    printf("marks %" PRIu32 " cnps %" PRIu32 " losses %" PRIu32 "\n", c.marks, c.cnps,
           c.losses);
}

int main(int argc, char **argv)
{
    static const char *const algos[] = {"dcqcn", "hpcc", "ldcp"};
    unsigned algo = 0;
    int i;
    curves_default(c.value);
    while (algo < 3 && (argc < 2 || strcmp(argv[1], algos[algo]) != 0))
        algo++;
    if (algo == 3) return 2;
    for (i = 2; i < argc; i++)
        if (!set(argv[i])) return 2;
    if (!curves_run(&c, (curves_algo)algo)) return 1;
    if (c.watch == NULL) print();
    return 0;
}
