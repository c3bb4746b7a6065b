/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * switch - a switch between two virtual machines of QEMU. It treats RoCEv2 like a
 * congested switch, with WRED, CE and Fast CNPs.
 */
#define _GNU_SOURCE
#include "switch.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../lib/field.h"
#include "../lib/network.h"
#include "../lib/prefix.h"
#include "rocecc/fields/icrc.h"

static const char usage[] =
    "usage: switch SOCKET1 SOCKET2 [NAME=VALUE]...\n"
    "Listens on two Unix sockets until a machine has connected to each: QEMU with\n"
    "-netdev stream,server=off,addr.type=unix,addr.path=SOCKET. Frames from the\n"
    "sender's machine at SOCKET1 pass a slow port to the receiver's machine at\n"
    "SOCKET2. Frames in the other direction are not delayed. When a machine\n"
    "disconnects, or on SIGTERM, the switch prints its counters, and ends.\n"
    "\n"
    "  rate_bps=N          rate of the slow port, in bits of frames (20000000)\n"
    "  queue_bytes=N       size of the queue; any frame that does not fit is dropped\n"
    "                      (100000)\n"
    "  wred_min_bytes=N wred_max_bytes=N wred_pmax=PERCENT\n"
    "                      WRED for RoCEv2 data that is ECT (10000 40000 20). All\n"
    "                      other frames, also Not-ECT, have a FIFO up to queue_bytes\n"
    "  ecn=0|1             1: a packet that WRED selects is marked CE (1)\n"
    "  fastcnp=0|1         1: its sender gets a Fast CNP instead (0). It is marked CE\n"
    "                      over IPv4, or if the sender is outside of permit\n"
    "  address=ADDRESS     the switch's address, source of Fast CNPs (2001:db8::5)\n"
    "  type_plain=N        option type of Fast CNPs (0x9e). Fast CNPs for packets "
    "with\n"
    "                      an IOAM trace have 0x9f\n"
    "  icrc=RULE           rule for the ICRC of a Fast CNP: masked, literal or\n"
    "                      stripped. sender.c can verify only stripped (stripped)\n"
    "  gap_us=N            a flow (destination and DestQP) gets at most one Fast CNP\n"
    "                      in this time, and is not marked CE meanwhile (0)\n"
    "  permit=PREFIX/LEN   senders that get Fast CNPs (2001:db8::/32)\n"
    "  ioam=NODE           this node's id. A RoCEv2 packet with a pre-allocated IOAM\n"
    "                      trace gets its record as it leaves the slow port, in "
    "bytes,\n"
    "                      and ns since the start (0: no record)\n"
    "  seed=N              seed of WRED's random numbers (1)\n"
    "  log=FILE            lines of fields with tabs between; t_ns since the start\n"
    "      offered t_ns dst_qp psn opcode frame_bytes queue_bytes fate\n"
    "          RoCEv2 for the receiver. As for WRED, queue_bytes includes it. Fate:\n"
    "          pass, mark, told (a Fast CNP was sent), full\n"
    "      sent t_ns dst_qp psn opcode frame_bytes queue_bytes\n"
    "          its last bit has left the slow port; queue_bytes remain\n"
    "      fastcnp t_ns dst_qp               a Fast CNP to the sender\n"
    "      cnp t_ns dest_qp                  a CNP from the receiver\n"
    "      ack t_ns dest_qp psn syndrome     an ACK or NAK from the receiver\n"
    "\n"
    "A frame without a whole Ethernet header is dropped and counted. A frame of more\n"
    "than 65536 bytes ends the program as a failure.\n"
    "Exit status: 0 done, 1 failed, 2 usage.\n";

#define OPTIONS(F, T)                                                                  \
    F(T, UINT, rate_bps, NULL)                                                         \
    F(T, UINT, queue_bytes, NULL)                                                      \
    F(T, UINT, wred_min_bytes, NULL)                                                   \
    F(T, UINT, wred_max_bytes, NULL)                                                   \
    F(T, UINT, wred_pmax, NULL)                                                        \
    F(T, BOOL, ecn, NULL)                                                              \
    F(T, BOOL, fastcnp, NULL)                                                          \
    F(T, IP6, address, NULL)                                                           \
    F(T, ENUM, icrc, ROCECC_ICRC_RULE_NAMES)                                           \
    F(T, UINT, gap_us, NULL)                                                           \
    F(T, UINT, ioam, NULL)                                                             \
    F(T, UINT, seed, NULL)

static const field names[] = {OPTIONS(FIELD_ROW, switch_options) FIELD_AT(
    "type_plain", UINT, offsetof(switch_options, domain.fastcnp.type_plain), 1, NULL)};
static port ports[PORTS];
static volatile sig_atomic_t stopped;

static void on_term(int signal)
{
    (void)signal;
    stopped = 1;
}

static uint64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static switch_options defaults(void)
{
    switch_options o = {.rate_bps = 20000000,
                        .queue_bytes = 100000,
                        .wred_min_bytes = 10000,
                        .wred_max_bytes = 40000,
                        .wred_pmax = 20,
                        .ecn = true,
                        .icrc = ROCECC_ICRC_STRIPPED,
                        .seed = 1,
                        .address = {{0x20, 0x01, 0x0d, 0xb8, [15] = 5}},
                        .permit = {{{0x20, 0x01, 0x0d, 0xb8}}, 32, 1, 0, 0}};
    network_default(&o.domain);
    return o;
}

/* Sets the option NAME=VALUE. Returns false for an unknown name or an invalid value. */
static bool option(switch_options *o, const char **log, char *arg)
{
    char *value = strchr(arg, '=');
    size_t i;
    if (value == NULL) return false;
    *value++ = '\0';
    if (strcmp(arg, "permit") == 0)
        return strchr(value, '/') != NULL && prefix_read(value, &o->permit);
    if (strcmp(arg, "log") == 0) {
        *log = value;
        return true;
    }
    for (i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(arg, names[i].name) == 0) return field_set(&names[i], o, value);
    return false;
}

/* Returns the values that option() accepts instead of a refused argument. */
static const char *expected(const char *arg)
{
    size_t i;
    if (strcmp(arg, "permit") == 0) return "expected permit=PREFIX/LEN";
    for (i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(arg, names[i].name) == 0) return field_expected(&names[i]);
    return "unknown name, or not NAME=VALUE: see switch --help";
}

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "switch: %s: %s\n", what, why);
    return 1;
}

static void catch_term(void)
{
    struct sigaction term;
    memset(&term, 0, sizeof term);
    term.sa_handler = on_term;
    term.sa_flags = SA_RESTART; /* except ppoll(), which always returns */
    sigaction(SIGTERM, &term, NULL);
}

/*
 * Waits until a frame leaves the queue, a socket is ready, or SIGTERM arrives, but at
 * most 0.1 s, in case SIGTERM arrives just before ppoll(). Returns false after SIGTERM
 * or an error.
 */
static bool wait_for(struct pollfd *at)
{
    const uint64_t due_ns = queue_due_ns(), now_ns = clock_ns();
    struct timespec wait = {0, 0};
    int done;
    if (due_ns > now_ns) wait.tv_nsec = (long)rocecc_min(due_ns - now_ns, 100000000u);
    done = ppoll(at, PORTS, &wait, NULL);
    return !stopped && (done >= 0 || errno == EINTR);
}

/* Waits for both machines, in any order. Returns false if SIGTERM arrives first. */
static bool connected(void)
{
    struct pollfd at[PORTS];
    int i;
    while (ports[SENDER].fd < 0 || ports[RECEIVER].fd < 0) {
        for (i = 0; i < PORTS; i++) {
            at[i].fd = ports[i].listener; /* -1: poll ignores it */
            at[i].events = POLLIN;
            at[i].revents = 0;
        }
        if (!wait_for(at)) return false;
        for (i = 0; i < PORTS; i++)
            if (at[i].revents != 0) port_accept(&ports[i]);
    }
    return true;
}

/* Handles the frames that have arrived at a port. */
static port_state serve(port_side side)
{
    port_state state = port_read(&ports[side]);
    frame f;
    while (state == PORT_OPEN) {
        state = port_next(&ports[side], &f);
        if (f.b == NULL) break;
        if (side == SENDER)
            queue_from_sender(f, clock_ns());
        else
            queue_from_receiver(f, clock_ns());
    }
    return state;
}

static port_state run(void)
{
    struct pollfd at[PORTS];
    port_state state = PORT_OPEN;
    int i;
    while (state == PORT_OPEN) {
        for (i = 0; i < PORTS; i++) {
            at[i].fd = ports[i].fd;
            at[i].events = ports[i].out_n != 0 ? POLLIN | POLLOUT : POLLIN;
            at[i].revents = 0;
        }
        if (!wait_for(at)) return PORT_CLOSED;
        for (i = 0; i < PORTS && state == PORT_OPEN; i++)
            if ((at[i].revents & ~POLLOUT) != 0) state = serve((port_side)i);
        queue_advance(clock_ns());
        for (i = 0; i < PORTS && state == PORT_OPEN; i++)
            state = port_flush(&ports[i]);
    }
    return state;
}

int main(int argc, char **argv)
{
    switch_options o = defaults();
    const char *log = NULL, *refused;
    int status = 0, i;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(usage, stdout) < 0;
    for (i = 3; i < argc; i++)
        if (!option(&o, &log, argv[i])) break;
    if (argc < 3)
        fputs("switch: expected SOCKET1 and SOCKET2: see switch --help\n", stderr);
    if (i >= 3 && i < argc) fail(argv[i], expected(argv[i]));
    if (argc < 3 || i < argc) return 2;
    refused = queue_start(&o, ports, clock_ns());
    if (refused != NULL) return fprintf(stderr, "switch: %s\n", refused), 1;
    if (log != NULL && (o.log = fopen(log, "w")) == NULL)
        return fprintf(stderr, "switch: %s cannot be created: %s\n", log,
                       strerror(errno)),
               1;
    catch_term();
    port_listen(&ports[SENDER], argv[1]);
    port_listen(&ports[RECEIVER], argv[2]);
    if (connected() && run() == PORT_BROKEN)
        status = fail("a frame", "too long: the limit is 65536 bytes");
    for (i = 0; i < PORTS; i++)
        port_deaf(&ports[i]);
    queue_show();
    errno = 0;
    if (o.log != NULL && (fflush(o.log) != 0 || ferror(o.log))) {
        fprintf(stderr, "switch: %s cannot be written: %s\n", log,
                errno != 0 ? strerror(errno) : "an earlier write failed");
        status = 1;
    }
    return status;
}
