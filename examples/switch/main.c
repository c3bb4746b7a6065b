/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * main.c - the hooks without a switch. It reads frames from a pcap file, and each
 * frame's queue length from a list. Sent frames go to one pcap file, and Fast CNPs to
 * another.
 */
#include "hook.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: switch HEADROOM IN.pcap DEPTHS OUT.pcap NOTIFICATIONS.pcap\n"
    "DEPTHS has a line for each frame: the bytes in the queue, including the frame.\n";

/* Sets the example's numbers. Change these. */
static void configure(hook_config *c)
{
    memset(c, 0, sizeof *c);
    c->domain.fastcnp.type_plain = ROCECC_FASTCNP_LAB_PLAIN;
    c->domain.fastcnp.type_ioam = ROCECC_FASTCNP_LAB_IOAM;
    c->domain.ioam.namespace_id = 123;
    c->domain.ioam.tx_bytes_bit = 12;
    c->domain.intmd.udp_port = 5000;
    c->wred.mark.min_bytes = 100000;
    c->wred.mark.max_bytes = 400000;
    c->wred.mark.pmax_q32 = rocecc_wred_percent_q32(20);
    c->wred.drop.min_bytes = 200000;
    c->wred.drop.max_bytes = 300000;
    c->wred.drop.pmax_q32 = rocecc_wred_percent_q32(50);
    c->wred.buf_max_bytes = 1000000;
    c->congestion.fastcnp_enabled = true;
    c->congestion.cnp = rocecc_cnp_default();
    (void)inet_pton(AF_INET6, "2001:db8::5", c->congestion.cnp.src.b);
    c->congestion.answer = rocecc_opcode_set_data();
    c->congestion.quiet_if_told = true;
    c->congestion.plain_if_long = true;
    c->congestion.gate = rocecc_cnpgate_paper();
    /*
     * All hosts of a prefix share its limit. So the limit is not 1000 per second, but
     * 20,000, one flow's maximum through the gate of 50 us.
     */
    c->congestion.admission = rocecc_admission_for(4, 20000);
    c->n_hosts = 2;
    (void)inet_pton(AF_INET6, "2001:db8:a::", c->hosts[0].prefix.b);
    (void)inet_pton(AF_INET6, "2001:db8:b::", c->hosts[1].prefix.b);
    c->hosts[0].length = c->hosts[1].length = 48;
    c->hosts[0].permit = c->hosts[1].permit = 1;
    c->capable[1] = true;
    c->node_id = 0xa05;
    c->egress = 7;
    c->mtu_bytes = 1500;
}

static void die(const char *what, const char *why)
{
    fprintf(stderr, "switch: %s: %s\n", what, why);
    exit(1);
}

static pcap_dumper_t *create(const char *path)
{
    pcap_t *dead = pcap_open_dead_with_tstamp_precision(DLT_EN10MB, 65535,
                                                        PCAP_TSTAMP_PRECISION_NANO);
    pcap_dumper_t *file = dead == NULL ? NULL : pcap_dump_open(dead, path);
    if (file == NULL) die(path, "cannot be created");
    pcap_close(dead);
    return file;
}

static void put(pcap_dumper_t *file, const struct pcap_pkthdr *like, const uint8_t *b,
                size_t n)
{
    struct pcap_pkthdr h = *like;
    h.caplen = h.len = (bpf_u_int32)n;
    pcap_dump((u_char *)file, &h, b);
}

/* Sends a notification to the packet's source MAC. A switch would look it up. */
static void notify(pcap_dumper_t *file, const struct pcap_pkthdr *like,
                   const hook_buffer *cause, uint8_t *frame, size_t n)
{
    static const uint8_t mine[] = {2, 0, 0, 0, 0, 5, 0x86, 0xdd};
    memcpy(frame, cause->base + cause->at + 6, 6);
    memcpy(frame + 6, mine, sizeof mine);
    put(file, like, frame, n);
}

static hook_port port;
static pcap_dumper_t *out, *told;

/* Handles one frame, in a buffer with exactly this headroom. */
static void forward(const struct pcap_pkthdr *h, const u_char *data, size_t headroom,
                    hook_event *e)
{
    uint8_t frame[512];
    rocecc_writer w = rocecc_writer_of(frame + 14, frame + sizeof frame);
    hook_buffer b = {NULL, headroom, h->caplen};
    uint8_t outputs;
    b.base = malloc(headroom + h->caplen + 1);
    if (b.base == NULL) die("a frame", "out of memory");
    memcpy(b.base + headroom, data, h->caplen);
    outputs = hook_enqueue(&port, &b, e, &w);
    if (w.at != 0) notify(told, h, &b, frame, 14 + w.at);
    if ((outputs & ROCECC_CONGESTION_DROP) == 0) {
        e->queue_bytes -= (uint32_t)rocecc_min(e->queue_bytes, b.n);
        (void)hook_dequeue(&port, &b, e);
        e->sent_bytes += b.n;
        put(out, h, b.base + b.at, b.n);
    }
    free(b.base);
}

int main(int argc, char **argv)
{
    char why[PCAP_ERRBUF_SIZE];
    const char *wrong;
    struct pcap_pkthdr *h;
    const u_char *data;
    hook_config with;
    hook_event e = {0, 0, 0, 0, 3};
    uint64_t lcg = 1;
    pcap_t *in;
    FILE *depths;
    if (argc != 6) return fputs(usage, stderr), 2;
    configure(&with);
    wrong = hook_start(&port, &with, 0);
    if (wrong != NULL) die("configuration", wrong);
    in = pcap_open_offline_with_tstamp_precision(argv[2], PCAP_TSTAMP_PRECISION_NANO,
                                                 why);
    if (in == NULL) die(argv[2], why);
    depths = fopen(argv[3], "r");
    if (depths == NULL) die(argv[3], strerror(errno));
    out = create(argv[4]);
    told = create(argv[5]);
    while (pcap_next_ex(in, &h, &data) == 1) {
        if (fscanf(depths, "%" SCNu32, &e.queue_bytes) != 1)
            die(argv[3], "expected a number for each frame");
        e.now_ns = (uint64_t)h->ts.tv_sec * 1000000000 + (uint64_t)h->ts.tv_usec;
        lcg = lcg * 6364136223846793005u + 1442695040888963407u;
        e.random = (uint32_t)(lcg >> 32);
        forward(h, data, strtoul(argv[1], NULL, 0), &e);
    }
    if (pcap_dump_flush(out) != 0) die(argv[4], strerror(errno));
    if (pcap_dump_flush(told) != 0) die(argv[5], strerror(errno));
    pcap_dump_close(out);
    pcap_dump_close(told);
    fclose(depths);
    pcap_close(in);
    return 0;
}
