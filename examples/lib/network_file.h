/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_LIB_NETWORK_FILE_H
#define EXAMPLES_LIB_NETWORK_FILE_H

/*
 * network_file.h - a domain as a file of NAME=VALUE lines, in the names of --config,
 * and the reason why a domain is refused. vectors/README defines the grammar.
 */
#include <stdio.h>

#include "rocecc/packet/domain.h"

#define NETWORK_LINE_MAX_BYTES 255   /* per line, without its end */
#define NETWORK_FILE_MAX_BYTES 65536 /* per file */

/*
 * Reads a whole domain from the file. Members that the file does not name are 0.
 * Returns false if the file cannot be read, a line is invalid, or rocecc_domain_init()
 * refuses the domain. On failure the domain is unchanged, and one line on standard
 * error begins with the tool's name. It names the file and, if known, the line or
 * member.
 */
bool network_read(rocecc_domain *domain, const char *path, const char *tool);

/*
 * Reads a domain as network_read() does, but from the n bytes of a comment in the
 * capture at `path`, which the message names.
 */
bool network_take(rocecc_domain *domain, const char *text, size_t n, const char *path,
                  const char *tool);

/* Returns true if a comment begins with the first words of network_write()'s text. */
bool network_is_file(const char *text, size_t n);

/* Writes every member that is not 0. Reading the text gives an equal domain. The caller
 * must check ferror(file). */
void network_write(const rocecc_domain *domain, FILE *file);

/*
 * If `capture` is a regular file, writes the domain to a file whose path is the path of
 * the capture with ".domain" appended. On failure, returns false, and prints a line on
 * standard error that begins with the tool's name.
 */
bool network_beside(const rocecc_domain *domain, const char *capture, const char *tool);

/* Returns the reason why rocecc_domain_init() refuses the domain, with the name of the
 * member, or NULL if the domain is accepted. The text lasts until the next call. */
const char *network_refused(const rocecc_domain *domain);

#endif /* EXAMPLES_LIB_NETWORK_FILE_H */
