/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRACE_FILE_H
#define ORR_TRACE_FILE_H

#include <gio/gio.h>
#include <stdint.h>
#include <string.h>

#include "models/base/file.h"
#include "models/digits.h"

/*
 * A file of a trace: a draft (models/base/file.h), compressed with gzip if its
 * name ends in .gz, and functions to write to it. It has its own buffer, as a
 * trace consists of many short texts. If a write fails, its reason is kept for
 * orr_trace_file_finish().
 */
enum { ORR_TRACE_BUFFER = 1 << 16 }; /* bytes */

struct orr_trace_file {
    struct orr_draft draft;
    GConverter *gzip; /* owned; NULL: not compressed */
    char *buffer;     /* owned; NULL: not open */
    size_t used;      /* bytes in @buffer */
};

/* orr_trace_format.files of a format whose trace is one file or one folder. */
char **orr_trace_one_file(const char *path);
char **orr_trace_one_folder(const char *path);

bool orr_trace_file_open(struct orr_trace_file *file, const char *path,
                         GError **error);

/* As orr_draft_open_in(), for files whose names must end in .gz. Text is stored
 * without compression, which would take many times the time of the run. */
bool orr_trace_file_open_in(struct orr_trace_file *file, const char *folder,
                            const char *path, GError **error);

/* As the functions of struct orr_draft. */
bool orr_trace_file_finish(struct orr_trace_file *file, GError **error);
void orr_trace_file_clear(struct orr_trace_file *file);

/* Writes the buffer to the draft. */
void orr_trace_file_flush(struct orr_trace_file *file);

/* Returns space for @size bytes, at most ORR_TRACE_BUFFER. */
static inline char *orr_trace_room(struct orr_trace_file *file, size_t size)
{
    if (file->used + size > ORR_TRACE_BUFFER)
        orr_trace_file_flush(file);
    return file->buffer + file->used;
}

static inline void orr_trace_put_char(struct orr_trace_file *file, char c)
{
    *orr_trace_room(file, 1) = c;
    file->used++;
}

/* Writes @size bytes, more than fit into the buffer. */
void orr_trace_put_large(struct orr_trace_file *file, const void *bytes,
                         size_t size);

/* Writes @size bytes. */
static inline void orr_trace_put_bytes(struct orr_trace_file *file,
                                       const void *bytes, size_t size)
{
    if (size > ORR_TRACE_BUFFER) {
        orr_trace_put_large(file, bytes, size);
        return;
    }
    memcpy(orr_trace_room(file, size), bytes, size);
    file->used += size;
}

/* Writes @text as it is. */
static inline void orr_trace_put(struct orr_trace_file *file, const char *text)
{
    orr_trace_put_bytes(file, text, strlen(text));
}

void orr_trace_printf(struct orr_trace_file *file, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

/* Classes of characters that a format must escape, apart from control
 * characters and characters outside ASCII. */
enum {
    ORR_TRACE_QUOTES = 1,  /* " */
    ORR_TRACE_COMMAS = 2,  /* , */
    ORR_TRACE_ESCAPES = 4, /* \ < > & */
    ORR_TRACE_OTHERS = 8
};

/* Whether @text is ASCII without control characters and without the classes
 * @without: ORR_TRACE_QUOTES | ... */
bool orr_trace_is_plain(const char *text, unsigned without);

/* Writes @text if it is plain; otherwise returns false. */
bool orr_trace_put_plain(struct orr_trace_file *file, const char *text,
                         unsigned without);

/* Writes the digits from @at to @end. ORR_DIGITS bytes from @at on must be
 * readable, as a copy of constant size takes only a few instructions. */
static inline void orr_trace_put_number(struct orr_trace_file *file,
                                        const char *at, const char *end)
{
    memcpy(orr_trace_room(file, ORR_DIGITS), at, ORR_DIGITS);
    file->used += (size_t)(end - at);
}

static inline void orr_trace_put_count(struct orr_trace_file *file,
                                       uint64_t count)
{
    char text[2 * ORR_DIGITS];
    char *end = text + ORR_DIGITS;

    if (count < 10) /* fast path: most coordinates */
        orr_trace_put_char(file, (char)('0' + count));
    else
        orr_trace_put_number(file, orr_digits_put(end, count), end);
}

/* Writes @ns divided by 10^@digits with all its digits: 12.345678 ms for
 * @digits 6. */
static inline void orr_trace_put_time(struct orr_trace_file *file, int64_t ns,
                                      unsigned digits)
{
    char text[2 * ORR_DIGITS];
    char *end = text + ORR_DIGITS;

    orr_trace_put_number(file, orr_digits_put_decimal(end, ns, digits), end);
}

/* Writes @value with 12 significant digits, as "%.12g" does in the C locale;
 * without printf() for 0, and from 1 to 10^11, as most watts are. */
void orr_trace_put_real(struct orr_trace_file *file, double value);

#endif
