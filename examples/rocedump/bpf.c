/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * bpf.c - filters of libpcap. The interfaces in a file may have different link types,
 * so each type has a program.
 */
#define _DEFAULT_SOURCE /* u_int and others, for pcap.h */
#include "capture.h"

#if defined(HAVE_PCAP)
#include <pcap/pcap.h>

#define LINKS_MAX 16
#define SNAPLEN 262144

static struct {
    uint32_t link;
    struct bpf_program program;
} compiled[LINKS_MAX];
static size_t n_compiled;

/* Returns the index of a link type's program, or n_compiled. */
static size_t find(uint32_t link)
{
    size_t i = 0;
    while (i < n_compiled && compiled[i].link != link)
        i++;
    return i;
}

/* For raw IP, libpcap uses another number in memory than in files. */
static int dlt_of(uint32_t link)
{
    return link == LINK_RAW ? DLT_RAW : (int)link;
}

bool bpf_ready(const char *expression, uint32_t link)
{
    const size_t i = find(link);
    pcap_t *dead;
    bool ok;
    if (i < n_compiled) return true;
    if (i == LINKS_MAX) {
        fprintf(stderr,
                "rocedump: filter '%s': the frames have more than %d link types\n",
                expression, LINKS_MAX);
        return false;
    }
    dead = pcap_open_dead(dlt_of(link), SNAPLEN);
    ok = dead != NULL && pcap_compile(dead, &compiled[i].program, expression, 1,
                                      PCAP_NETMASK_UNKNOWN) == 0;
    compiled[i].link = link;
    if (ok)
        n_compiled++;
    else
        fprintf(stderr, "rocedump: filter '%s': %s\n", expression,
                dead != NULL ? pcap_geterr(dead) : "out of memory");
    if (dead != NULL) pcap_close(dead);
    return ok;
}

bool bpf_passes(const captured *frame)
{
    struct pcap_pkthdr h = {.caplen = frame->caplen, .len = frame->len};
    return pcap_offline_filter(&compiled[find(frame->link)].program, &h,
                               frame->bytes) != 0;
}
#endif
