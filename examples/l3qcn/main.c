/* SPDX-License-Identifier: BSD-2-Clause */

/* main.c - one program for all nodes. An argument selects the role. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node.h"

rocecc_domain node_domain = {.l3qcn = {.port = 51966}};

static const char usage[] =
    "usage: node [OPTION]... host TOR\n"
    "       node [OPTION]... tor HOST FABRIC\n"
    "       node [OPTION]... switch FABRIC RECEIVER\n"
    "       node [OPTION]... receiver SWITCH\n"
    "       node capture DEV FILE\n"
    "Nodes of a network with L3QCN, on packet sockets; examples/l3qcn/run.sh connects\n"
    "them. A port is DEV=MAC, a device and the address at the other end of its link.\n"
    "  host      sends two flows with a CN-TAG, and reacts to CNMs\n"
    "  tor       routes, and makes CNMs of private CNMs\n"
    "  switch    has a queue, and sends private CNMs to the sources of its frames\n"
    "  receiver  counts packets, and answers some\n"
    "  capture   writes the frames that pass DEV to a pcap file\n"
    "Each node ends on SIGTERM, and prints its counters.\n"
    "\n"
    "  --cnm-port=N      UDP port of private CNMs (51966)\n"
    "  --line-bps=N      host: rate of each flow before its first CNM (8000000)\n"
    "  --seconds=N       host: time for which it sends (2)\n"
    "  --drain-bps=N     switch: rate at which its queue drains (2000000)\n"
    "  --gate-ms=N       ToR: a flow gets at most one CNM in this time, unless the "
    "next\n"
    "                    one is stronger (20)\n"
    "  --switch=MAC      ToR: converts private CNMs with a CPID of this switch. "
    "Repeat\n"
    "                    it for more switches. The ToR needs at least one\n"
    "  --help\n"
    "\n"
    "Exit status: 0 done, 1 failed, 2 usage.\n";

static const struct {
    const char *name;
    int ports;
    int (*run)(const node_options *o, char **ports);
} roles[] = {{"host", 1, host},
             {"tor", 2, tor},
             {"switch", 2, congested},
             {"receiver", 1, receiver},
             {"capture", 2, capture}};

/* Parses a number from 1 to max into *to. */
static bool number(const char *text, uint64_t max, uint64_t *to)
{
    char *end;
    *to = strtoull(text, &end, 0);
    return *text >= '0' && *text <= '9' && *end == '\0' && *to >= 1 && *to <= max;
}

static bool option(node_options *o, int which, const char *value)
{
    uint64_t n;
    if (which == 'w')
        return o->n_switches < NODE_SWITCHES_MAX &&
               node_mac(value, &o->switches[o->n_switches++]);
    if (which == 'p' && number(value, UINT16_MAX, &n))
        node_domain.l3qcn.port = (uint16_t)n;
    else if (which == 'l' && number(value, 1000000000, &n))
        o->line_bps = n;
    else if (which == 's' && number(value, 3600, &n))
        o->seconds = (uint32_t)n;
    else if (which == 'd' && number(value, 1000000000, &n))
        o->drain_bps = n;
    else if (which == 'g' && number(value, 2000, &n))
        o->gate_ms = (uint32_t)n;
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"cnm-port", required_argument, NULL, 'p'},
                                            {"line-bps", required_argument, NULL, 'l'},
                                            {"seconds", required_argument, NULL, 's'},
                                            {"drain-bps", required_argument, NULL, 'd'},
                                            {"gate-ms", required_argument, NULL, 'g'},
                                            {"switch", required_argument, NULL, 'w'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    node_options o = {8000000, 2000000, 20, 2, {{{0}}}, 0};
    int c;
    size_t i;
    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (c == 'h') return fputs(usage, stdout) < 0;
        if (c == '?') return 2;
        if (option(&o, c, optarg)) continue;
        fprintf(stderr, "node: %s: not a value of this option: see node --help\n",
                optarg);
        return 2;
    }
    for (i = 0; i < sizeof roles / sizeof roles[0]; i++)
        if (optind < argc && strcmp(argv[optind], roles[i].name) == 0 &&
            argc - optind - 1 == roles[i].ports)
            return roles[i].run(&o, argv + optind + 1);
    fputs("node: expected one of host, tor, switch, receiver and capture, with its "
          "arguments: see node --help\n",
          stderr);
    return 2;
}
