/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_INPUT_H
#define ORR_INPUT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Reads files from outside, which may be hostile, pipes or devices. All files
 * that Orrery reads go through here, so that reading ends, in bounded memory:
 *
 *   - Each kind of file has a limit of size, which the caller gives.
 *   - A pipe or a device may be silent for ORR_INPUT_SILENCE_S at most and take
 *     ORR_INPUT_WHOLE_S in all. The standard input may be silent for the whole
 *     time: the program before it in a pipeline may still compute.
 *
 * A file whose name ends with ".gz" is unpacked while it is read; the limit
 * applies to the unpacked bytes.
 *
 * Errors are ORR_ERROR_IO and begin with the path, "path: ", without control
 * characters.
 */
#define ORR_INPUT_SILENCE_S 10
#define ORR_INPUT_WHOLE_S 600
#define ORR_INPUT_MAX_LINE ((size_t)1 << 20) /* bytes of a line */
#define ORR_INPUT_PEEK ((size_t)4096)

struct orr_input;

struct orr_input_limits {
    uint64_t bytes;
    double silence_s; /* time without data */
    double whole_s;   /* time from the opening to the last byte */
};

/* The limits of a file of at most @bytes. */
struct orr_input_limits orr_input_limits(uint64_t bytes);

/* Opens the file @path, without waiting for it. Returns NULL with @error. Close
 * with orr_input_close(), where NULL is allowed. */
struct orr_input *orr_input_open(const char *path,
                                 const struct orr_input_limits *limits,
                                 GError **error);

/* The standard input, of at most @bytes. */
struct orr_input *orr_input_open_standard(uint64_t bytes);
void orr_input_close(struct orr_input *input);

/* The path for messages; owned by @input. */
const char *orr_input_path(const struct orr_input *input);

/*
 * Sets *@text to the next *@size bytes, without reading them: ORR_INPUT_PEEK,
 * or fewer if the file ends. Valid until the next call. Returns false with
 * @error.
 */
bool orr_input_peek(struct orr_input *input, const char **text, size_t *size,
                    GError **error);

/*
 * Reads up to @size bytes, at least 1 unless the file ends; sets *@got to their
 * number. Waits for data. Returns false with @error, also at a limit.
 */
bool orr_input_read(struct orr_input *input, void *bytes, size_t size,
                    size_t *got, GError **error);

/*
 * Reads a line into @line, without its end ("\n" or "\r\n"). Returns false at
 * the end of the file and, with @error, if reading failed or the line is longer
 * than ORR_INPUT_MAX_LINE.
 */
bool orr_input_read_line(struct orr_input *input, GString *line,
                         GError **error);

/*
 * Reads a line without a copy: sets *@line to it, without its "\n" and with a 0
 * behind it, and *@length to its bytes. The caller may change the line, which
 * is valid until the next call. Otherwise as orr_input_read_line().
 */
bool orr_input_next_line(struct orr_input *input, char **line, size_t *length,
                         GError **error);

/*
 * Reads all complete lines of the buffer, at least one, from *@begin to *@end.
 * Each has its "\n", also the last line of the file. @line is the number of the
 * line before, for messages. Otherwise as orr_input_next_line().
 */
bool orr_input_next_lines(struct orr_input *input, unsigned line, char **begin,
                          char **end, GError **error);

/* Keeps the bytes from @text on valid, together with all bytes that are read
 * later, until orr_input_hold() is called again. Reading may move them:
 * orr_input_held() is their present begin. The caller limits their number. */
void orr_input_hold(struct orr_input *input, const char *text);
char *orr_input_held(const struct orr_input *input);

/* Whether some line so far may hold a byte 0. */
bool orr_input_has_zeros(const struct orr_input *input);

/* As orr_input_read_line(), but keeps a "\r" before the "\n". */
bool orr_input_read_raw_line(struct orr_input *input, GString *line,
                             GError **error);

/* Reads the rest of the file. Free with g_byte_array_unref(). Returns NULL with
 * @error. */
GByteArray *orr_input_read_all(struct orr_input *input, GError **error);

/* As orr_input_read_all(), for the file @path of at most @max_bytes. */
GByteArray *orr_input_read_file(const char *path, uint64_t max_bytes,
                                GError **error);

/* Returns the SHA-256 of the bytes of the file @path, at most @max_bytes, as
 * hexadecimal digits. Free with g_free(). NULL with @error. */
char *orr_input_digest(const char *path, uint64_t max_bytes, GError **error);

/* Returns @path in UTF-8 and without control characters, for messages. Free
 * with g_free(). */
char *orr_input_show_path(const char *path);

#endif
