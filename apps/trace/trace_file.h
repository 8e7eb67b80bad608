/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRACE_FILE_H
#define ORR_TRACE_FILE_H

#include <gio/gio.h>
#include <stdint.h>

#include "models/base/file.h"

/*
 * A file of a trace: a draft (models/base/file.h), compressed with gzip if its
 * name ends in .gz, and what traces write into it.
 */
struct orr_trace_file {
    FILE *file; /* to write into; NULL: finished or not open */
    struct orr_draft draft;
    GConverter *gzip; /* owned; NULL: not compressed */
};

bool orr_trace_file_open(struct orr_trace_file *file, const char *path,
                         GError **error);

/* Keeps the reason if a write failed. To be called after each record. */
void orr_trace_file_check(struct orr_trace_file *file);

/* As orr_draft_finish(), and the others. */
bool orr_trace_file_finish(struct orr_trace_file *file, GError **error);
void orr_trace_file_clear(struct orr_trace_file *file);

/* Writes @text as it is. */
void orr_trace_put(FILE *file, const char *text);

/* Whether @text is ASCII without control characters and without any of
 * @special: formats write it as it is. */
bool orr_trace_is_plain(const char *text, const char *special);

void orr_trace_put_count(FILE *file, uint64_t count);

/* Writes @ns divided by 10^@digits with all its digits: 12.345678 ms for
 * @digits 6. */
void orr_trace_put_time(FILE *file, int64_t ns, unsigned digits);

#endif
