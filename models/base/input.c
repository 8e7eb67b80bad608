/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads files with a limit of size and of time (input.h).
 *
 * Two layers: read_some() and read_packed() get raw or unpacked bytes, and
 * wait with poll() where a file is a pipe or a device; fill() collects them in
 * one buffer, from which lines are cut without a copy. The buffer moves its
 * unread bytes to the front before each read, and grows only if a line, or the
 * bytes that the caller holds, need more than it has. One byte more than its
 * size is allocated, so that a 0 or a "\n" can be put behind the last line.
 */
#include "models/base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "models/base/error.h"
#include "models/base/units.h"

enum { STEP = 1 << 16 };

struct orr_input {
    int fd;
    bool owned;   /* close fd */
    bool regular; /* a file, which never makes the reader wait */
    char *path;   /* for messages */
    struct orr_input_limits limits;
    uint64_t read; /* bytes so far */
    gint64 begin;  /* us, when the file was opened */

    GConverter *gzip; /* NULL: the file is read as it is */
    char *packed;     /* bytes of a gzip file that are not unpacked yet */
    size_t packed_next, packed_end;
    bool packed_part; /* in the middle of a gzip file */

    /* Bytes that orr_input_hold() keeps are from held to next; bytes that were
       read, but not returned yet, from next to end. */
    char *buffer;
    size_t size; /* of the buffer, which has one byte more */
    size_t held, next, end;
    bool holds;
    bool zeros;    /* a byte 0 was read into the buffer */
    unsigned line; /* the number of the last line */
};

char *orr_input_show_path(const char *path)
{
    char *shown = g_filename_display_name(path);

    for (char *c = shown; *c; c++) {
        if (g_ascii_iscntrl(*c))
            *c = '?';
    }
    return shown;
}

struct orr_input_limits orr_input_limits(uint64_t bytes)
{
    return (struct orr_input_limits){
        .bytes = bytes,
        .silence_s = ORR_INPUT_SILENCE_S,
        .whole_s = ORR_INPUT_WHOLE_S,
    };
}

static bool fail(const char *shown, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static bool fail(const char *shown, GError **error, const char *format, ...)
{
    g_autofree char *message = NULL;
    va_list arguments;

    va_start(arguments, format);
    message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", shown, message);
    return false;
}

static bool fail_size(const struct orr_input *input, GError **error)
{
    g_autofree char *limit = orr_format_limit(input->limits.bytes);

    return fail(input->path, error, "the file is larger than %s", limit);
}

static struct orr_input *input_new(int fd, const char *path,
                                   const struct orr_input_limits *limits)
{
    struct orr_input *input = g_new0(struct orr_input, 1);

    input->fd = fd;
    input->path = orr_input_show_path(path);
    input->limits = *limits;
    input->begin = g_get_monotonic_time();
    input->size = STEP;
    input->buffer = g_malloc(STEP + 1);
    return input;
}

/* Refuses folders, and files that are known to be too large. */
static bool check_kind(struct orr_input *input, GError **error)
{
    struct stat facts;

    if (fstat(input->fd, &facts) != 0)
        return fail(input->path, error, "%s", g_strerror(errno));
    if (S_ISDIR(facts.st_mode))
        return fail(input->path, error, "%s", g_strerror(EISDIR));
    input->regular = S_ISREG(facts.st_mode);
    if (input->regular && (uint64_t)facts.st_size > input->limits.bytes)
        return fail_size(input, error);
    return true;
}

struct orr_input *orr_input_open(const char *path,
                                 const struct orr_input_limits *limits,
                                 GError **error)
{
    /* Without O_NONBLOCK, a FIFO would wait here for a process that writes. */
    int fd = g_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
    g_autofree char *shown = NULL;
    struct orr_input *input;

    if (fd == -1) {
        int reason = errno;

        shown = orr_input_show_path(path);
        fail(shown, error, "%s", g_strerror(reason));
        return NULL;
    }
    input = input_new(fd, path, limits);
    input->owned = true;
    if (g_str_has_suffix(path, ".gz")) {
        input->gzip =
            G_CONVERTER(g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP));
        input->packed = g_malloc(STEP);
    }
    if (check_kind(input, error))
        return input;
    orr_input_close(input);
    return NULL;
}

struct orr_input *orr_input_open_standard(uint64_t bytes)
{
    struct orr_input_limits limits = orr_input_limits(bytes);

    limits.silence_s = limits.whole_s;
    return input_new(STDIN_FILENO, "standard input", &limits);
}

void orr_input_close(struct orr_input *input)
{
    if (!input)
        return;
    if (input->owned)
        close(input->fd);
    g_clear_object(&input->gzip);
    g_free(input->packed);
    g_free(input->buffer);
    g_free(input->path);
    g_free(input);
}

const char *orr_input_path(const struct orr_input *input)
{
    return input->path;
}

/* Seconds left until the limit whole_s; 0 or less: exceeded. */
static double time_left(const struct orr_input *input)
{
    return input->limits.whole_s -
           (double)(g_get_monotonic_time() - input->begin) / 1e6;
}

static bool fail_time(const struct orr_input *input, GError **error)
{
    if (time_left(input) <= 0)
        return fail(input->path, error,
                    "the end does not come within %g s, the limit for pipes "
                    "and devices",
                    input->limits.whole_s);
    return fail(input->path, error,
                "no data for %g s, the limit for pipes and devices",
                input->limits.silence_s);
}

/* Waits until there is something to read, or the file has ended. */
static bool wait_for_data(const struct orr_input *input, GError **error)
{
    struct pollfd file = {.fd = input->fd, .events = POLLIN};
    int ready = 1;

    while (!input->regular) {
        double left = MIN(time_left(input), input->limits.silence_s);

        ready = left > 0 ? poll(&file, 1, (int)ceil(left * 1000)) : 0;
        if (ready != -1 || errno != EINTR)
            break;
    }
    if (ready == -1)
        return fail(input->path, error, "%s", g_strerror(errno));
    return ready > 0 || fail_time(input, error);
}

static bool read_some(struct orr_input *input, void *bytes, size_t size,
                      size_t *got, GError **error)
{
    ssize_t count;

    do {
        if (!wait_for_data(input, error))
            return false;
        count = read(input->fd, bytes, size);
    } while (count == -1 && (errno == EINTR || errno == EAGAIN));
    if (count == -1)
        return fail(input->path, error, "%s", g_strerror(errno));
    *got = (size_t)count;
    return true;
}

/* Unpacks input->packed; sets *@got to 0 if more packed bytes are needed. */
static bool unpack(struct orr_input *input, void *bytes, size_t size,
                   size_t *got, GError **error)
{
    GError *reason = NULL;
    gsize used = 0;
    GConverterResult result =
        g_converter_convert(input->gzip, input->packed + input->packed_next,
                            input->packed_end - input->packed_next, bytes, size,
                            G_CONVERTER_NO_FLAGS, &used, got, &reason);

    if (result == G_CONVERTER_ERROR) {
        bool more =
            g_error_matches(reason, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT);

        g_error_free(reason);
        *got = 0;
        input->packed_next = input->packed_end;
        return more ||
               fail(input->path, error, "not a gzip file, or a damaged one");
    }
    input->packed_next += used;
    input->packed_part = result != G_CONVERTER_FINISHED;
    if (!input->packed_part)
        g_converter_reset(input->gzip); /* another gzip member may follow */
    return true;
}

static bool read_packed(struct orr_input *input, void *bytes, size_t size,
                        size_t *got, GError **error)
{
    *got = 0;
    while (*got == 0) {
        if (input->packed_next == input->packed_end) {
            input->packed_next = 0;
            if (!read_some(input, input->packed, STEP, &input->packed_end,
                           error))
                return false;
            if (input->packed_end == 0)
                return !input->packed_part ||
                       fail(input->path, error, "the gzip file ends too early");
            input->packed_part = true;
        }
        if (!unpack(input, bytes, size, got, error))
            return false;
    }
    return true;
}

/* Reads from the file, past the buffer. */
static bool read_on(struct orr_input *input, void *bytes, size_t size,
                    size_t *got, GError **error)
{
    if (!(input->gzip ? read_packed : read_some)(input, bytes, size, got,
                                                 error))
        return false;
    input->read += *got;
    return input->read <= input->limits.bytes || fail_size(input, error);
}

bool orr_input_read(struct orr_input *input, void *bytes, size_t size,
                    size_t *got, GError **error)
{
    size_t left = input->end - input->next;

    if (left == 0)
        return read_on(input, bytes, size, got, error);
    *got = MIN(left, size);
    memcpy(bytes, input->buffer + input->next, *got);
    input->next += *got;
    return true;
}

/* Appends more bytes to the buffer. Returns false at the end of the file and,
 * with @error, if reading failed. */
static bool fill(struct orr_input *input, GError **error)
{
    size_t begin = input->holds ? input->held : input->next;
    size_t kept = input->end - begin;
    size_t got;

    if (begin > 0)
        memmove(input->buffer, input->buffer + begin, kept);
    input->held = 0;
    input->next -= begin;
    input->end = kept;
    if (input->size < kept + STEP) {
        input->size = 2 * kept + STEP;
        input->buffer = g_realloc(input->buffer, input->size + 1);
    }
    if (!read_on(input, input->buffer + kept, STEP, &got, error))
        return false;
    if (memchr(input->buffer + kept, 0, got))
        input->zeros = true;
    input->end += got;
    return got > 0;
}

bool orr_input_peek(struct orr_input *input, const char **text, size_t *size,
                    GError **error)
{
    GError *reason = NULL;

    while (input->end - input->next < ORR_INPUT_PEEK && fill(input, &reason))
        continue;
    *text = input->buffer + input->next;
    *size = MIN(input->end - input->next, ORR_INPUT_PEEK);
    if (reason)
        g_propagate_error(error, reason);
    return !reason;
}

/* Finds the end of the line, reading as needed. The first @length bytes do not
 * hold it. Returns the length of the line, or more than ORR_INPUT_MAX_LINE. */
static size_t find_end(struct orr_input *input, size_t length, GError **reason)
{
    for (;;) {
        const char *line = input->buffer + input->next;
        size_t left = input->end - input->next - length;
        const char *end = left > 0 ? memchr(line + length, '\n', left) : NULL;

        if (end)
            return (size_t)(end - line);
        length += left;
        if (length > ORR_INPUT_MAX_LINE || !fill(input, reason))
            return length;
    }
}

/* Reads a line whose end is not in the buffer yet. */
static bool read_line(struct orr_input *input, char **line, size_t *length,
                      GError **error)
{
    GError *reason = NULL;

    *length = find_end(input, input->end - input->next, &reason);
    *line = input->buffer + input->next;
    if (reason) {
        g_propagate_error(error, reason);
        return false;
    }
    if (*length > ORR_INPUT_MAX_LINE) {
        g_autofree char *limit = orr_format_limit(ORR_INPUT_MAX_LINE);

        g_set_error(error, ORR_ERROR, ORR_ERROR_IO,
                    "%s:%u: the line is longer than %s", input->path,
                    input->line, limit);
        return false;
    }
    if (input->next == input->end)
        return false;
    /* The buffer has room for a byte behind the last line (fill()). */
    (*line)[*length] = '\0';
    input->next = MIN(input->next + *length + 1, input->end);
    return true;
}

bool orr_input_next_line(struct orr_input *input, char **line, size_t *length,
                         GError **error)
{
    char *begin = input->buffer + input->next;
    char *end = memchr(begin, '\n', input->end - input->next);

    input->line++;
    if (!end || end - begin > (ptrdiff_t)ORR_INPUT_MAX_LINE)
        return read_line(input, line, length, error);
    *end = '\0';
    *line = begin;
    *length = (size_t)(end - begin);
    input->next += *length + 1;
    return true;
}

bool orr_input_next_lines(struct orr_input *input, unsigned line, char **begin,
                          char **end, GError **error)
{
    size_t length;
    size_t behind = input->end;

    while (behind > input->next && input->buffer[behind - 1] != '\n')
        behind--;
    if (behind > input->next) {
        *begin = input->buffer + input->next;
        *end = input->buffer + behind;
        input->next = behind;
        return true;
    }
    input->line = line + 1;
    if (!read_line(input, begin, &length, error))
        return false;
    *end = *begin + length + 1;
    (*end)[-1] = '\n';
    return true;
}

void orr_input_hold(struct orr_input *input, const char *text)
{
    input->holds = true;
    /* The last line may end without '\n', which was put behind it. */
    input->held = MIN((size_t)(text - input->buffer), input->end);
}

char *orr_input_held(const struct orr_input *input)
{
    return input->buffer + input->held;
}

bool orr_input_has_zeros(const struct orr_input *input)
{
    return input->zeros;
}

bool orr_input_read_raw_line(struct orr_input *input, GString *line,
                             GError **error)
{
    char *text;
    size_t length;

    g_string_truncate(line, 0);
    if (!orr_input_next_line(input, &text, &length, error))
        return false;
    g_string_append_len(line, text, (gssize)length);
    return true;
}

bool orr_input_read_line(struct orr_input *input, GString *line, GError **error)
{
    if (!orr_input_read_raw_line(input, line, error))
        return false;
    if (line->len > 0 && line->str[line->len - 1] == '\r')
        g_string_truncate(line, line->len - 1);
    return true;
}

GByteArray *orr_input_read_all(struct orr_input *input, GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    size_t got = 1;

    g_assert(input->limits.bytes <= G_MAXINT);
    while (got > 0) {
        guint size = bytes->len;

        g_byte_array_set_size(bytes, size + STEP);
        if (!orr_input_read(input, bytes->data + size, STEP, &got, error))
            return NULL;
        g_byte_array_set_size(bytes, size + (guint)got);
    }
    return g_steal_pointer(&bytes);
}

GByteArray *orr_input_read_file(const char *path, uint64_t max_bytes,
                                GError **error)
{
    struct orr_input_limits limits = orr_input_limits(max_bytes);
    struct orr_input *input = orr_input_open(path, &limits, error);
    GByteArray *bytes = input ? orr_input_read_all(input, error) : NULL;

    orr_input_close(input);
    return bytes;
}

char *orr_input_digest(const char *path, uint64_t max_bytes, GError **error)
{
    const struct orr_input_limits limits = orr_input_limits(max_bytes);
    struct orr_input *input = orr_input_open(path, &limits, error);
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    guint8 bytes[STEP];
    bool good = input;
    size_t got = 1;

    while (good && got > 0) {
        good = orr_input_read(input, bytes, sizeof(bytes), &got, error);
        if (good)
            g_checksum_update(sum, bytes, (gssize)got);
    }
    orr_input_close(input);
    return good ? g_strdup(g_checksum_get_string(sum)) : NULL;
}
