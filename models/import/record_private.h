/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RECORD_PRIVATE_H
#define ORR_RECORD_PRIVATE_H

#include "models/base/csv_line.h"
#include "models/import/record.h"

/*
 * Helpers for the formats of record.h and of mapping.h: lines, numbers,
 * messages, and the list of tasks. record_starpu.c reads tasks.rec,
 * record_csv.c reads CSV, record.c chooses between both.
 */

/* A record that is being read line by line. */
struct orr_record_reader {
    struct orr_input *input;
    GError *failure; /* why the file cannot be read; NULL: it can */
    GString *buffer; /* holds the current line, or row of CSV */
    char *text;      /* the current line or row, in @buffer */
    unsigned line;   /* the number of its first line, from 1; 0: none yet */
    unsigned lines;  /* the number of its lines */
    struct orr_record *record;
    GArray *entries; /* struct orr_record_entry */
};

struct orr_record_entry {
    struct orr_record_task task;
    orr_time rank; /* sort key: order or time of submission */
};

/* Goes to the next line; false at the end of the file, and if it cannot be
 * read. */
bool orr_record_next(struct orr_record_reader *reader);

/* Goes to the next row of CSV, which may be several lines; as
 * orr_record_next(). */
bool orr_record_next_row(struct orr_record_reader *reader);

/* Sets @error to "path:line: " and the message; returns false. */
bool orr_record_fail(const struct orr_record_reader *reader, unsigned line,
                     enum orr_error code, GError **error, const char *format,
                     ...) G_GNUC_PRINTF(5, 6);

/*
 * Parses the number @text in @unit ("ms") as a time in ns. Returns false if it
 * is not a number >= 0. Messages call it @what.
 */
bool orr_record_time(const struct orr_record_reader *reader, const char *what,
                     const char *text, const char *unit, orr_time *time,
                     GError **error);

/* Parses the whole number @text, at most @max. Messages call it @what. */
bool orr_record_count(const struct orr_record_reader *reader, const char *what,
                      const char *text, uint64_t max, uint64_t *count,
                      GError **error);

/* Returns false if the name of @task is empty. Messages call it @what. */
bool orr_record_name(const struct orr_record_reader *reader, const char *what,
                     const struct orr_record_task *task, GError **error);

/*
 * Adds @task, which ran from @start to @end. Its strings are copied. Returns
 * false unless @start < @end.
 */
bool orr_record_add(struct orr_record_reader *reader,
                    const struct orr_record_task *task, orr_time start,
                    orr_time end, orr_time rank, GError **error);

/* Read the rest of a file. The first line is the current one. */
bool orr_record_read_starpu(struct orr_record_reader *reader, GError **error);
bool orr_record_read_csv(struct orr_record_reader *reader, GError **error);

#endif
