/* SPDX-License-Identifier: BSD-2-Clause */

/* out.c - writes frames in hex to standard output, to a capture, or to an interface. */
#define _DEFAULT_SOURCE /* u_int and others, for pcap.h */
#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../lib/live.h"
#include "../lib/written.h"
#include "gen.h"

#define SECOND_NS 1000000000u
#define LAST_NS ((UINT64_C(1) << 32) * SECOND_NS - 1) /* latest time in a capture */

static int print(const uint8_t *bytes, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++)
        printf("%02x", bytes[i]);
    if (n == 0) putchar('-');
    putchar('\n');
    return ferror(stdout) ? 1 : 0; /* output_close() reports it */
}

static int open_pcap(output *o)
{
    pcap_t *pcap =
        pcap_open_dead_with_tstamp_precision(o->link == LINK_IP ? DLT_RAW : DLT_EN10MB,
                                             (int)ROOM, PCAP_TSTAMP_PRECISION_NANO);
    o->handle = pcap;
    if (pcap == NULL) return gen_bad("out of memory", "");
    o->dumper = pcap_dump_open(pcap, o->pcap);
    return o->dumper != NULL ? 0 : gen_bad(pcap_geterr(pcap), "--pcap");
}

static int open_send(output *o)
{
    char why[PCAP_ERRBUF_SIZE] = "";
    pcap_t *pcap = pcap_create(o->send, why);
    int rc;
    o->handle = pcap;
    if (pcap == NULL) return gen_bad(why, o->send);
    (void)pcap_set_snaplen(pcap, (int)ROOM);
    (void)pcap_set_timeout(pcap, 1);
    rc = pcap_activate(pcap);
    if (rc < 0) {
        fflush(stdout);
        live_complain("rocegen", o->send, "send", rc, pcap_geterr(pcap));
        return 1;
    }
    if (pcap_datalink(pcap) != DLT_EN10MB)
        return gen_bad("not an Ethernet interface", o->send);
    return 0;
}

static int dump(const output *o, const uint8_t *bytes, size_t n)
{
    const uint64_t ns = o->sent * o->gap_ns;
    struct pcap_pkthdr h;
    if (o->gap_ns != 0 && o->sent > LAST_NS / o->gap_ns)
        return gen_bad("a frame is too late for a capture's timestamps, which end "
                       "after 2^32 s; use a smaller --gap-ns or --count",
                       o->pcap);
    memset(&h, 0, sizeof h);
    h.ts.tv_sec = (time_t)(ns / SECOND_NS);
    h.ts.tv_usec = (suseconds_t)(ns % SECOND_NS); /* nanoseconds, see open_pcap() */
    h.caplen = h.len = (bpf_u_int32)n;
    pcap_dump((u_char *)o->dumper, &h, bytes);
    return ferror(pcap_dump_file((pcap_dumper_t *)o->dumper)) ? 1 : 0;
}

static int inject(const output *o, const uint8_t *bytes, size_t n)
{
    const struct timespec gap = {(time_t)(o->gap_ns / SECOND_NS),
                                 (long)(o->gap_ns % SECOND_NS)};
    if (o->sent > 0 && o->gap_ns > 0) (void)nanosleep(&gap, NULL);
    return pcap_inject((pcap_t *)o->handle, bytes, n) == (int)n
               ? 0
               : gen_bad(pcap_geterr((pcap_t *)o->handle), o->send);
}

/* Opens the output for the first frame's link type, and rejects frames of another. */
static int open_for(output *o, link_type link)
{
    if (link == LINK_NONE)
        return gen_bad(
            "only a part of a frame: write it in hex, without --pcap and --send",
            o->pcap != NULL ? o->pcap : o->send);
    if (o->handle != NULL)
        return link == o->link
                   ? 0
                   : gen_bad("Ethernet and IP frames cannot share a capture or "
                             "an interface",
                             o->pcap != NULL ? o->pcap : o->send);
    o->link = link;
    if (o->pcap != NULL) return open_pcap(o);
    return link == LINK_ETHER
               ? open_send(o)
               : gen_bad("the frame begins with IP; begin it with the layer ether",
                         o->send);
}

int output_frame(void *arg, const uint8_t *bytes, size_t n, link_type link)
{
    output *o = (output *)arg;
    const bool hex = o->pcap == NULL && o->send == NULL;
    uint64_t i;
    int failed = hex ? 0 : open_for(o, link);
    for (i = 0; i < o->count && failed == 0; i++, o->sent++)
        failed = hex               ? print(bytes, n)
                 : o->pcap != NULL ? dump(o, bytes, n)
                                   : inject(o, bytes, n);
    return failed;
}

/* Reports that the capture is not whole. */
static int not_written(const output *o)
{
    char why[128];
    snprintf(why, sizeof why, "cannot be written: %s", strerror(errno));
    return gen_bad(why, strcmp(o->pcap, "-") == 0 ? "standard output" : o->pcap);
}

int output_close(output *o)
{
    int failed = 0;
    if (o->dumper != NULL && (pcap_dump_flush((pcap_dumper_t *)o->dumper) != 0 ||
                              ferror(pcap_dump_file((pcap_dumper_t *)o->dumper))))
        failed = not_written(o);
    if (o->dumper != NULL) pcap_dump_close((pcap_dumper_t *)o->dumper);
    if (o->handle != NULL) pcap_close((pcap_t *)o->handle);
    if (o->handle == NULL && !written("rocegen")) failed = 1;
    return failed;
}
