/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * statements.c - checks that each number of a statement in
 * include/rocecc/role/README.md has a test with this number in its name, unless the
 * statement is for the host.
 */
#include "lib/test.h"

#include <stdio.h>
#include <string.h>

/* Writes FC_01 for a line "    FC-01  MAY   text". Returns false for other lines. */
static bool number_of(const char *line, char *name, size_t bytes)
{
    size_t n = 0, digits = 0;
    if (strncmp(line, "    ", 4) != 0 || line[4] < 'A' || line[4] > 'Z') return false;
    for (line += 4; *line != ' ' && *line != '\0' && n + 1 < bytes; line++) {
        name[n++] = *line == '-' ? '_' : *line;
        digits += *line >= '0' && *line <= '9';
    }
    name[n] = '\0';
    return digits != 0 && strchr(name, '_') != NULL && *line == ' ';
}

TEST(statements_have_tests)
{
    FILE *in = fopen("include/rocecc/role/README.md", "r");
    char line[200], name[32];
    unsigned numbers = 0;
    bool listed = false;
    CHECK(in != NULL);
    while (in != NULL && fgets(line, sizeof line, in) != NULL) {
        listed = listed || strcmp(line, "## Statements\n") == 0;
        if (!listed || !number_of(line, name, sizeof name)) continue;
        test_context("%s", name);
        numbers++;
        if (strstr(line, "(host)") == NULL) CHECK(test_named(name));
    }
    test_context("%s", "");
    CHECK_EQ(numbers, 25 + 4 + 12 + 16 + 18);
    if (in != NULL) fclose(in);
}

TEST(statements_match_whole_words)
{
    CHECK(test_named("statements_match_whole_words"));
    CHECK(test_named("statements"));
    CHECK(!test_named("statements_ma"));
    CHECK(!test_named("FC_26"));
}
