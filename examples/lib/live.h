/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_LIB_LIVE_H
#define EXAMPLES_LIB_LIVE_H

/* live.h - the reason why libpcap cannot open an interface. */
#include <pcap/pcap.h>
#include <stdio.h>

/*
 * Reports an error of pcap_activate(). `verb` is what the tool does with packets, such
 * as "capture", and `text` is the message of libpcap.
 */
static inline void live_complain(const char *tool, const char *device, const char *verb,
                                 int error, const char *text)
{
    fprintf(stderr, "%s: %s: ", tool, device);
    if (error == PCAP_ERROR_PERM_DENIED || error == PCAP_ERROR_PROMISC_PERM_DENIED)
        fprintf(stderr,
                "no permission to %s packets: run %s as root or give it CAP_NET_RAW\n",
                verb, tool);
    else if (error == PCAP_ERROR_NO_SUCH_DEVICE)
        fputs("unknown interface; 'ip link' lists the interfaces\n", stderr);
    else if (error == PCAP_ERROR_IFACE_NOT_UP)
        fprintf(stderr, "the interface is down; 'ip link set %s up' sets it up\n",
                device);
    else
        fprintf(stderr, "%s\n", *text != '\0' ? text : pcap_statustostr(error));
}

#endif /* EXAMPLES_LIB_LIVE_H */
