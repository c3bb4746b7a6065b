/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * run.c - run PIN < DIGESTS: gives a pinned program every packet of the list "FILE
 * DIGEST", and ends with 1 at the first that does not return its digest. Prints how
 * many instructions the verifier looked at, and how many packets there were.
 */
#define _GNU_SOURCE
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static union bpf_attr attr;
static struct bpf_prog_info info;

static long call(int command)
{
    return syscall(SYS_bpf, command, &attr, sizeof attr);
}

int main(int argc, char **argv)
{
    static unsigned char packet[65536];
    char file[4096];
    unsigned digest;
    long n = 0;
    int fd;
    if (argc != 2) return 2;
    attr.pathname = (unsigned long)argv[1];
    fd = (int)call(BPF_OBJ_GET);
    if (fd < 0) return perror(argv[1]), 1;
    while (scanf("%4095s %u", file, &digest) == 2) {
        FILE *f = fopen(file, "rb");
        size_t size;
        if (f == NULL) return perror(file), 1;
        size = fread(packet, 1, sizeof packet, f);
        fclose(f);
        memset(&attr, 0, sizeof attr);
        attr.test.prog_fd = (unsigned)fd;
        attr.test.data_in = (unsigned long)packet;
        attr.test.data_size_in = (unsigned)size;
        attr.test.repeat = 1;
        if (call(BPF_PROG_TEST_RUN) != 0) return perror(file), 1;
        if (attr.test.retval != digest) {
            printf("%s: the kernel gives %u, the host %u\n", file, attr.test.retval,
                   digest);
            return 1;
        }
        n++;
    }
    memset(&attr, 0, sizeof attr);
    attr.info.bpf_fd = (unsigned)fd;
    attr.info.info = (unsigned long)&info;
    attr.info.info_len = sizeof info;
    if (call(BPF_OBJ_GET_INFO_BY_FD) != 0) return perror(argv[1]), 1;
    printf("%u instructions verified, ", info.verified_insns);
    printf(n > 0 ? "%ld digests agree\n" : "loaded\n", n);
    return 0;
}
