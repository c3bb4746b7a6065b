/* SPDX-License-Identifier: BSD-2-Clause */

/* switch_port.c - reads and writes frames in a stream of QEMU. */
#define _POSIX_C_SOURCE 200809L
#include "switch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void fail(const char *what)
{
    fprintf(stderr, "switch: %s: %s\n", what, strerror(errno));
    exit(1);
}

void port_listen(port *p, const char *path)
{
    struct sockaddr_un at;
    memset(&at, 0, sizeof at);
    at.sun_family = AF_UNIX;
    errno = ENAMETOOLONG;
    if (strlen(path) >= sizeof at.sun_path) fail(path);
    memcpy(at.sun_path, path, strlen(path));
    p->path = path;
    p->fd = -1;
    p->listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (p->listener < 0 || bind(p->listener, (struct sockaddr *)&at, sizeof at) != 0 ||
        listen(p->listener, 1) != 0)
        fail(path);
}

void port_deaf(port *p)
{
    if (p->listener < 0) return;
    close(p->listener);
    unlink(p->path);
    p->listener = -1;
}

void port_accept(port *p)
{
    p->fd = accept(p->listener, NULL, NULL);
    if (p->fd < 0 || fcntl(p->fd, F_SETFL, O_NONBLOCK) != 0) fail(p->path);
    port_deaf(p);
}

/* Returns true if the socket was not ready, or a signal interrupted the call. */
static bool is_later(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

port_state port_read(port *p)
{
    ssize_t n;
    memmove(p->in, p->in + p->in_at, p->in_end - p->in_at);
    p->in_end -= p->in_at;
    p->in_at = 0;
    n = read(p->fd, p->in + p->in_end, sizeof p->in - p->in_end);
    if (n > 0) p->in_end += (size_t)n;
    return n > 0 || (n < 0 && is_later()) ? PORT_OPEN : PORT_CLOSED;
}

port_state port_next(port *p, frame *f)
{
    f->b = NULL;
    for (;;) {
        const uint8_t *head = p->in + p->in_at;
        const size_t left = p->in_end - p->in_at;
        size_t n;
        if (left < LENGTH_BYTES) return PORT_OPEN;
        n = rocecc_load32(head);
        if (n > FRAME_MAX_BYTES) return PORT_BROKEN;
        if (left - LENGTH_BYTES < n) return PORT_OPEN;
        f->b = p->in + p->in_at + LENGTH_BYTES;
        f->n = n;
        p->in_at += LENGTH_BYTES + n;
        if (n >= ROCECC_ETHER_BYTES) return PORT_OPEN;
        f->b = NULL;
        p->runts++;
    }
}

void port_send(port *p, const uint8_t *b, size_t n)
{
    if (n > FRAME_MAX_BYTES || sizeof p->out - p->out_n < LENGTH_BYTES + n) {
        p->lost++;
        return;
    }
    rocecc_store32(p->out + p->out_n, (uint32_t)n);
    memcpy(p->out + p->out_n + LENGTH_BYTES, b, n);
    p->out_n += LENGTH_BYTES + n;
}

port_state port_flush(port *p)
{
    ssize_t n;
    if (p->out_n == 0) return PORT_OPEN;
    n = send(p->fd, p->out, p->out_n, MSG_NOSIGNAL);
    if (n < 0) return is_later() ? PORT_OPEN : PORT_CLOSED;
    p->out_n -= (size_t)n;
    memmove(p->out, p->out + n, p->out_n);
    return PORT_OPEN;
}
