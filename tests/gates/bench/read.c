/* SPDX-License-Identifier: BSD-2-Clause */

/* read.c - reads each frame of a capture with libpcap, for dump.py. */
#include <pcap/pcap.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    char why[PCAP_ERRBUF_SIZE];
    struct pcap_pkthdr *header;
    const u_char *b;
    unsigned long bytes = 0;
    pcap_t *p = argc == 2 ? pcap_open_offline(argv[1], why) : NULL;
    if (p == NULL) return 1;
    while (pcap_next_ex(p, &header, &b) == 1)
        bytes += header->caplen + b[0];
    printf("%lu\n", bytes);
    pcap_close(p);
    return 0;
}
