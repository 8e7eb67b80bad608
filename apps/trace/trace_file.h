/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRACE_FILE_H
#define ORR_TRACE_FILE_H

#include <gio/gio.h>
#include <stdint.h>

#include "models/base/file.h"

/*
 * A file of a trace: a draft (models/base/file.h), compressed with gzip if its
 * name ends in .gz, and what traces write into it. It has a buffer of its own,
 * as a trace consists of many short texts. If a write fails, its reason is kept
 * for orr_trace_file_finish().
 */
enum { ORR_TRACE_BUFFER = 1 << 16 }; /* bytes */

struct orr_trace_file {
    struct orr_draft draft;
    GConverter *gzip; /* owned; NULL: not compressed */
    char *buffer;     /* owned; NULL: not open */
    size_t used;      /* bytes of it */
};

bool orr_trace_file_open(struct orr_trace_file *file, const char *path,
                         GError **error);

/* As orr_draft_open_in(). */
bool orr_trace_file_open_in(struct orr_trace_file *file, const char *folder,
                            const char *path, GError **error);

/* As orr_draft_finish(), and the others. */
bool orr_trace_file_finish(struct orr_trace_file *file, GError **error);
void orr_trace_file_clear(struct orr_trace_file *file);

/* Empties the buffer. */
void orr_trace_file_flush(struct orr_trace_file *file);

static inline void orr_trace_put_char(struct orr_trace_file *file, char c)
{
    if (file->used == ORR_TRACE_BUFFER)
        orr_trace_file_flush(file);
    file->buffer[file->used++] = c;
}

/* Writes @text as it is. */
void orr_trace_put(struct orr_trace_file *file, const char *text);

/* Writes @size bytes. */
void orr_trace_put_bytes(struct orr_trace_file *file, const void *bytes,
                         size_t size);

void orr_trace_printf(struct orr_trace_file *file, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

/* What a format does not write as it is, beside what is not ASCII and control
 * characters. */
enum {
    ORR_TRACE_QUOTES = 1,  /* " */
    ORR_TRACE_COMMAS = 2,  /* , */
    ORR_TRACE_ESCAPES = 4, /* \ < > & */
    ORR_TRACE_OTHERS = 8
};

/* Whether @text is ASCII without control characters and without any of
 * @without: ORR_TRACE_QUOTES | ... */
bool orr_trace_is_plain(const char *text, unsigned without);

/* Writes @text if it is plain; otherwise returns false. */
bool orr_trace_put_plain(struct orr_trace_file *file, const char *text,
                         unsigned without);

void orr_trace_put_count(struct orr_trace_file *file, uint64_t count);

/* Writes @ns divided by 10^@digits with all its digits: 12.345678 ms for
 * @digits 6. */
void orr_trace_put_time(struct orr_trace_file *file, int64_t ns,
                        unsigned digits);

/* Writes @value with 12 significant digits, as "%.12g" does in the C locale;
 * without printf() for 0, and from 1 to 10^11, as most watts are. */
void orr_trace_put_real(struct orr_trace_file *file, double value);

#endif
