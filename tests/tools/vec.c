/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include "../../examples/lib/vec.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/test.h"

static void check_row(const vec_row *row, void *arg)
{
    const int n = (*(int *)arg)++;
    const char *value;
    test_context("row %d", n);
    if (n == 0) { /* with continuation, comment, settings */
        CHECK(strcmp(row->id, "a") == 0 && strcmp(row->noun, "bth") == 0);
        CHECK(strcmp(row->source, "one") == 0 && !row->call && !row->emit);
        CHECK(row->n == 3 && memcmp(row->bytes, "\x01\x02\xff", 3) == 0);
        CHECK(row->status == ROCECC_OK && row->n_in == 2 && row->n_out == 0);
        value = vec_value(row->in, row->n_in, "y");
        CHECK(value != NULL && strcmp(value, "0x2") == 0);
        value = vec_value(row->config, row->n_config, "cnp.lenient");
        CHECK(value != NULL && strcmp(value, "1") == 0);
    } else { /* a call; a new source ends settings */
        CHECK(row->call && row->emit && strcmp(row->noun, "f") == 0);
        CHECK(row->status == ROCECC_NO_MATCH && row->n == 0 && row->n_config == 0);
        CHECK(row->n_in == 1 && row->n_out == 1);
        CHECK(vec_value(row->out, row->n_out, "x") == NULL);
    }
}

TEST(vec_reads_rows_calls_and_settings)
{
    char path[] = "/tmp/rocecc-vec-XXXXXX";
    const int fd = mkstemp(path);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    int rows = 0;
    CHECK(f != NULL);
    if (f == NULL) return;
    fputs("# a comment\n\nsource: one\nconfig cnp.lenient=1\n"
          "a bth ok 01 02 # here, too\n  ff | x=1\n  y=0x2 emit=no\n"
          "source: two\nb call f no_match - | x=1 -> z=2",
          f);
    fclose(f);
    CHECK_EQ(vec_read(path, check_row, &rows), 2);
    CHECK_EQ(rows, 2);
    unlink(path);
}

TEST(vec_hex_reads_only_whole_octets)
{
    uint8_t b[4];
    size_t n;
    CHECK(vec_hex("01 fF", b, &n) && n == 2 && b[0] == 1 && b[1] == 0xff);
    CHECK(vec_hex("-", b, &n) && n == 0);
    CHECK(!vec_hex("0", b, &n) && !vec_hex("0g", b, &n) && !vec_hex("01 2", b, &n));
}
