/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/base/input.h"

#include <errno.h>
#include <fcntl.h>
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

    /* What was read, but is not in a line yet. */
    char buffer[STEP];
    size_t next, end;
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
    g_free(input->path);
    g_free(input);
}

const char *orr_input_path(const struct orr_input *input)
{
    return input->path;
}

/* Seconds until the file has taken too long; 0 or less: it has. */
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

bool orr_input_read(struct orr_input *input, void *bytes, size_t size,
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
    input->read += (uint64_t)count;
    *got = (size_t)count;
    return input->read <= input->limits.bytes || fail_size(input, error);
}

/* Returns whether there is something in the buffer. */
static bool fill(struct orr_input *input, GError **error)
{
    if (input->next < input->end)
        return true;
    input->next = 0;
    input->end = 0;
    return orr_input_read(input, input->buffer, STEP, &input->end, error) &&
           input->end > 0;
}

/* Moves bytes to @line, up to the end of the line. Returns whether it is
 * there. */
static bool take(struct orr_input *input, GString *line)
{
    const char *begin = input->buffer + input->next;
    size_t left = input->end - input->next;
    const char *end = memchr(begin, '\n', left);
    size_t length = end ? (size_t)(end - begin) : left;

    g_string_append_len(line, begin, (gssize)length);
    input->next += length + (end ? 1 : 0);
    return end;
}

bool orr_input_read_raw_line(struct orr_input *input, GString *line,
                             GError **error)
{
    GError *reason = NULL;
    bool any = false;

    g_string_truncate(line, 0);
    input->line++;
    while (line->len <= ORR_INPUT_MAX_LINE && fill(input, &reason)) {
        any = true;
        if (take(input, line))
            break;
    }
    if (reason) {
        g_propagate_error(error, reason);
        return false;
    }
    if (line->len > ORR_INPUT_MAX_LINE) {
        g_autofree char *limit = orr_format_limit(ORR_INPUT_MAX_LINE);

        g_set_error(error, ORR_ERROR, ORR_ERROR_IO,
                    "%s:%u: the line is longer than %s", input->path,
                    input->line, limit);
        return false;
    }
    return any;
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
