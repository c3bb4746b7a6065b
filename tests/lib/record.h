/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_RECORD_H
#define TESTS_LIB_RECORD_H

/*
 * record.h - compares a whole struct with its expected content, so that no member of an
 * output goes unchecked.
 */
#include "../../examples/lib/field.h"

/*
 * Checks a record against a text "member=value ...", with values as in the vectors. A
 * member that the text does not name must be 0, and a view must be empty. The fields
 * end with RECORD_END.
 */
void record_check(const char *file, int line, const field *fields, const void *record,
                  const char *text);

/* The row after the last field. It has no name. */
#define RECORD_END FIELD_AT(NULL, UINT, 0, 0, NULL)

/* LIST(F, T) is the table of the members of a T. */
#define CHECK_RECORD(LIST, T, record, text)                                            \
    do {                                                                               \
        static const field fields_[] = {LIST(FIELD_ROW, T) RECORD_END};                \
        const T *record_ = (record);                                                   \
        record_check(__FILE__, __LINE__, fields_, record_, text);                      \
    } while (0)

#define RECORD_FLOW(F, T)                                                              \
    F(T, IP6, src, NULL)                                                               \
    F(T, IP6, dst, NULL)                                                               \
    F(T, UINT, src_port, NULL)                                                         \
    F(T, UINT, dst_port, NULL)                                                         \
    F(T, UINT, proto, NULL)

#define CHECK_FLOW(flow, text) CHECK_RECORD(RECORD_FLOW, rocecc_flow, flow, text)

#endif /* TESTS_LIB_RECORD_H */
