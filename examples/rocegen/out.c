/* SPDX-License-Identifier: BSD-2-Clause */

/* out.c - writes frames in hex to standard output, to a capture, or to an interface. */
#define _DEFAULT_SOURCE /* u_int and others, for pcap.h */
#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

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
    return ferror(stdout) ? gen_bad("cannot be written: ", "standard output") : 0;
}

static int open_pcap(output *o)
{
    pcap_t *pcap =
        pcap_open_dead_with_tstamp_precision(o->link == LINK_IP ? DLT_RAW : DLT_EN10MB,
                                             (int)ROOM, PCAP_TSTAMP_PRECISION_NANO);
    o->handle = pcap;
    if (pcap == NULL) return gen_bad("no memory", "");
    o->dumper = pcap_dump_open(pcap, o->pcap);
    return o->dumper != NULL ? 0 : gen_bad("cannot be written: ", pcap_geterr(pcap));
}

static int open_send(output *o)
{
    char why[PCAP_ERRBUF_SIZE] = "";
    pcap_t *pcap = pcap_open_live(o->send, (int)ROOM, 0, 1, why);
    o->handle = pcap;
    if (pcap == NULL) return gen_bad("cannot be opened: ", why);
    if (pcap_datalink(pcap) != DLT_EN10MB)
        return gen_bad("carries no Ethernet: ", o->send);
    return 0;
}

static int dump(const output *o, const uint8_t *bytes, size_t n)
{
    const uint64_t ns = o->sent * o->gap_ns;
    struct pcap_pkthdr h;
    if (o->gap_ns != 0 && o->sent > LAST_NS / o->gap_ns)
        return gen_bad("later than a capture can say: ", o->pcap);
    memset(&h, 0, sizeof h);
    h.ts.tv_sec = (time_t)(ns / SECOND_NS);
    h.ts.tv_usec = (suseconds_t)(ns % SECOND_NS); /* nanoseconds, see open_pcap() */
    h.caplen = h.len = (bpf_u_int32)n;
    pcap_dump((u_char *)o->dumper, &h, bytes);
    return ferror(pcap_dump_file((pcap_dumper_t *)o->dumper))
               ? gen_bad("cannot be written: ", o->pcap)
               : 0;
}

static int inject(const output *o, const uint8_t *bytes, size_t n)
{
    const struct timespec gap = {(time_t)(o->gap_ns / SECOND_NS),
                                 (long)(o->gap_ns % SECOND_NS)};
    if (o->sent > 0 && o->gap_ns > 0) (void)nanosleep(&gap, NULL);
    return pcap_inject((pcap_t *)o->handle, bytes, n) == (int)n
               ? 0
               : gen_bad("cannot be sent: ", pcap_geterr((pcap_t *)o->handle));
}

/* Opens the output for the first frame's link type, and rejects frames of another. */
static int open_for(output *o, link_type link)
{
    if (link == LINK_NONE)
        return gen_bad("not a frame, but a part of one: ", "write it in hex");
    if (o->handle != NULL)
        return link == o->link ? 0
                               : gen_bad("frames of Ethernet and of IP do not go into "
                                         "one capture",
                                         "");
    o->link = link;
    if (o->pcap != NULL) return open_pcap(o);
    return link == LINK_ETHER ? open_send(o)
                              : gen_bad("begins with IP, and not Ethernet: ", o->send);
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

int output_close(output *o)
{
    int failed = 0;
    if (o->dumper != NULL && pcap_dump_flush((pcap_dumper_t *)o->dumper) != 0)
        failed = gen_bad("cannot be written: ", o->pcap);
    if (o->dumper != NULL) pcap_dump_close((pcap_dumper_t *)o->dumper);
    if (o->handle != NULL) pcap_close((pcap_t *)o->handle);
    if (o->handle == NULL && (fflush(stdout) != 0 || ferror(stdout)))
        failed = gen_bad("cannot be written: ", "standard output");
    return failed;
}
