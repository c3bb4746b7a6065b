/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * files.c - the system for newlib and picolibc: the vectors in the image as files,
 * memory, a console and an end.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../../../examples/firmware/board.h"

typedef struct embedded {
    const char *path;
    char *from, *end;
} embedded;

extern const embedded
    embedded_files[]; /* from the gate's assembly; the last has no path */

FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode)
{
    const embedded *f;
    for (f = embedded_files; f->path != NULL; f++)
        if (strcmp(f->path, path) == 0)
            return fmemopen(f->from, (size_t)(f->end - f->from), mode);
    return NULL;
}

int __wrap_snprintf(char *text, size_t size, const char *format, ...);

/* Replaces %zu, which Debian's newlib does not know, by %u, its equal on 32 bits. */
int __wrap_snprintf(char *text, size_t size, const char *format, ...)
{
    char known[256];
    size_t n = 0;
    va_list args;
    int wrote;
    for (; *format != '\0' && n + 1 < sizeof known; format++)
        if (format[0] != 'z' || format[1] != 'u') known[n++] = *format;
    known[n] = '\0';
    va_start(args, format);
    wrote = vsnprintf(text, size, known, args);
    va_end(args);
    return wrote;
}

long getline(char **line, size_t *size, FILE *f);

long getline(char **line, size_t *size, FILE *f)
{
    size_t n = 0;
    int c;
    do {
        c = getc(f);
        if (n + 1 >= *size) {
            *size = 2 * *size + 128;
            *line = realloc(*line, *size);
            if (*line == NULL) board_exit(4);
        }
        if (c != EOF) (*line)[n++] = (char)c;
    } while (c != EOF && c != '\n');
    (*line)[n] = '\0';
    return n > 0 ? (long)n : -1;
}

/* Allocates from the linker script's heap. */
static void *more(ptrdiff_t n)
{
    extern char heap_start[], heap_end[];
    static char *at = heap_start;
    char *was = at;
    if (n > heap_end - at) {
        errno = ENOMEM;
        return (void *)-1;
    }
    at += n;
    return was;
}

#if defined(__PICOLIBC__) || defined(PICOLIBC)
void *sbrk(ptrdiff_t n);
int kill(int pid, int signal);
int getpid(void);
void _exit(int status);

int getpid(void)
{
    return 1;
}

int kill(int pid, int signal)
{
    (void)pid;
    board_exit(128 + signal);
}

void *sbrk(ptrdiff_t n)
{
    return more(n);
}

static int put(char c, FILE *f)
{
    (void)f;
    board_put(c);
    return c;
}

static const char *next, *end; /* in the file that is open */

static int get(FILE *f)
{
    (void)f;
    return next < end ? (unsigned char)*next++ : _FDEV_EOF;
}

/* Opens one file at a time. picolibc 1.8's fmemopen() reports the end as an error. */
FILE *fmemopen(void *bytes, size_t n, const char *mode)
{
    static FILE file;
    (void)mode;
    file = (FILE)FDEV_SETUP_STREAM(NULL, get, NULL, _FDEV_SETUP_READ);
    next = bytes;
    end = next + n;
    return &file;
}

static FILE console = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdin = &console;
FILE *const stdout = &console;
FILE *const stderr = &console;
#else
void _fini(void);

void _fini(void)
{
}

int _write(int fd, const char *bytes, int n);
int _read(int fd, char *bytes, int n);
int _close(int fd);
int _lseek(int fd, int at, int from);
int _fstat(int fd, struct stat *s);
int _isatty(int fd);
int _getpid(void);
int _kill(int pid, int signal);
void *_sbrk(ptrdiff_t n);
void _exit(int status);

int _write(int fd, const char *bytes, int n)
{
    int i;
    (void)fd;
    for (i = 0; i < n; i++)
        board_put(bytes[i]);
    return n;
}

int _read(int fd, char *bytes, int n)
{
    (void)fd, (void)bytes, (void)n;
    return 0;
}

int _close(int fd)
{
    (void)fd;
    return -1;
}

int _lseek(int fd, int at, int from)
{
    (void)fd, (void)at, (void)from;
    return -1;
}

int _fstat(int fd, struct stat *s)
{
    (void)fd;
    s->st_mode = S_IFCHR;
    return 0;
}

int _isatty(int fd)
{
    return fd < 3;
}

int _getpid(void)
{
    return 1;
}

int _kill(int pid, int signal)
{
    (void)pid;
    board_exit(128 + signal);
}

void *_sbrk(ptrdiff_t n)
{
    return more(n);
}
#endif

void _exit(int status)
{
    board_exit(status);
}
