/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RECORD_READER_H
#define ORR_RECORD_READER_H

#include <stdio.h>

#include "models/import/record.h"

/*
 * What the formats of record.h have in common: lines, figures, messages, and
 * the tasks read so far. record_starpu.c reads tasks.rec, record_csv.c reads
 * CSV, record_read.c finds out which of the two a file is.
 */

/* A record being read, line by line. */
struct orr_record_reader {
    FILE *file;
    char *text; /* the current line, without its end */
    size_t capacity;
    unsigned line; /* its number, from 1; 0: none yet */
    struct orr_record *record;
    GArray *entries; /* struct orr_record_entry */
};

struct orr_record_entry {
    struct orr_record_task task;
    orr_time rank; /* that puts the tasks in order of submission */
};

/* Goes to the next line; false at the end of the file. */
bool orr_record_next(struct orr_record_reader *reader);

/* Sets @error to "path:line: " and the message; returns false. */
bool orr_record_fail(const struct orr_record_reader *reader, unsigned line,
                     enum orr_error code, GError **error, const char *format,
                     ...) G_GNUC_PRINTF(5, 6);

/*
 * The number @text, in @unit ("ms"), which the file calls @what, in ns. False
 * if it is none, or negative.
 */
bool orr_record_time(const struct orr_record_reader *reader, const char *what,
                     const char *text, const char *unit, orr_time *time,
                     GError **error);

/* The same for a whole number up to @max. */
bool orr_record_count(const struct orr_record_reader *reader, const char *what,
                      const char *text, uint64_t max, uint64_t *count,
                      GError **error);

/*
 * Adds @task, which took from @start to @end; its strings are copied. False
 * if that is not above 0.
 */
bool orr_record_add(struct orr_record_reader *reader,
                    const struct orr_record_task *task, orr_time start,
                    orr_time end, orr_time rank, GError **error);

/* Read what is left of a file, whose first line is the current one. */
bool orr_record_read_starpu(struct orr_record_reader *reader, GError **error);
bool orr_record_read_csv(struct orr_record_reader *reader, GError **error);

#endif
