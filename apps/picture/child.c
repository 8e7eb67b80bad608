/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/picture/child.h"

#include <errno.h>
#include <glib-unix.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "models/base/error.h"
#include "models/base/units.h"

enum { MAX_MESSAGES = 1 << 16 }; /* bytes of messages to keep */

bool orr_child_check(const struct orr_child *child, GError **error)
{
    g_autofree char *path = g_find_program_in_path(child->argv[0]);

    if (path)
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "%s is needed, but is not in the PATH (Debian package: %s)",
                child->argv[0], child->package);
    return false;
}

/* Returns the first line of @messages that has a letter; NULL if there is
 * none. */
static char *first_line(const GByteArray *messages)
{
    g_autofree char *text = g_strndup(
        messages->len > 0 ? (const char *)messages->data : "", messages->len);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    for (char **line = lines; *line; line++) {
        if (strpbrk(g_strstrip(*line),
                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
            return g_utf8_make_valid(*line, -1);
    }
    return NULL;
}

/* A running program, its input and its output. */
struct exchange {
    GPid pid;
    int in, out, err; /* our ends of pipes; -1: closed */
    size_t max_bytes; /* limit on its output */
    double time_s;    /* time limit */
    gint64 end;       /* monotonic time of the time limit, us */

    const char *text;     /* the rest of its input, not yet sent */
    GByteArray *output;   /* its standard output so far */
    GByteArray *messages; /* the first of its messages */
};

static bool start(struct exchange *exchange, const struct orr_child *child,
                  const char *text, GError **error)
{
    *exchange = (struct exchange){
        .in = -1,
        .out = -1,
        .err = -1,
        .max_bytes = child->output_bytes > 0 ? child->output_bytes
                                             : ORR_CHILD_OUTPUT_BYTES,
        .time_s = child->time_s > 0 ? child->time_s : ORR_CHILD_TIME_S,
        .text = text,
        .output = g_byte_array_new(),
        .messages = g_byte_array_new(),
    };
    exchange->end =
        g_get_monotonic_time() + (gint64)(exchange->time_s * G_USEC_PER_SEC);
    return g_spawn_async_with_pipes(
        NULL, (char **)(void *)child->argv, NULL,
        G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL,
        &exchange->pid, &exchange->in, &exchange->out, &exchange->err, error);
}

static void close_pipe(int *fd)
{
    if (*fd != -1)
        close(*fd);
    *fd = -1;
}

/* Writes as much as fits into the pipe. That the program stops reading is no
 * error. */
static void write_some(struct exchange *exchange)
{
    size_t left = strlen(exchange->text);
    ssize_t count = left > 0 ? write(exchange->in, exchange->text, left) : 0;

    if (count > 0)
        exchange->text += count;
    else if (left == 0 || (errno != EAGAIN && errno != EINTR))
        close_pipe(&exchange->in);
}

/* Adds the content of the pipe @fd to @bytes, up to @max bytes in all. */
static void read_some(int *fd, GByteArray *bytes, size_t max)
{
    guint8 buffer[1 << 16];
    ssize_t count = read(*fd, buffer, sizeof(buffer));

    if (count > 0)
        g_byte_array_append(bytes, buffer,
                            (guint)MIN((size_t)count, max - bytes->len));
    else if (count == 0 || errno != EINTR)
        close_pipe(fd);
}

/* Milliseconds until the program must have ended, rounded up; 0: it must. */
static int ms_left(const struct exchange *exchange)
{
    gint64 us = exchange->end - g_get_monotonic_time();

    return us > 0 ? (int)MIN((us + 999) / 1000, G_MAXINT) : 0;
}

static bool fail_time(const struct exchange *exchange, GError **error)
{
    g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "it does not end within %g s",
                exchange->time_s);
    return false;
}

/* Waits until a pipe is ready, and reads or writes all pipes that are. */
static bool step(struct exchange *exchange, GError **error)
{
    struct pollfd pipes[] = {
        {.fd = exchange->in, .events = POLLOUT},
        {.fd = exchange->out, .events = POLLIN},
        {.fd = exchange->err, .events = POLLIN},
    };
    int left = ms_left(exchange);

    if (left == 0)
        return fail_time(exchange, error);
    if (poll(pipes, G_N_ELEMENTS(pipes), left) <= 0)
        return true; /* a signal, or the time is over */
    if (pipes[0].revents)
        write_some(exchange);
    /* One byte more than allowed shows that there is too much. */
    if (pipes[1].revents)
        read_some(&exchange->out, exchange->output, exchange->max_bytes + 1);
    if (pipes[2].revents)
        read_some(&exchange->err, exchange->messages, MAX_MESSAGES);
    if (exchange->output->len > exchange->max_bytes) {
        g_autofree char *limit = orr_format_limit(exchange->max_bytes);

        g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "it writes more than %s",
                    limit);
        return false;
    }
    return true;
}

/* Waits for the end of the program, which has closed its pipes. */
static bool wait_for_end(struct exchange *exchange, GError **error)
{
    int status;
    pid_t ended;

    while ((ended = waitpid(exchange->pid, &status, WNOHANG)) == 0) {
        if (ms_left(exchange) == 0)
            return fail_time(exchange, error);
        g_usleep(1000);
    }
    exchange->pid = 0;
    if (ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
        exchange->output->len > 0)
        return true;
    g_set_error_literal(error, ORR_ERROR, ORR_ERROR_IO,
                        "it failed without a message");
    return false;
}

static bool perform(struct exchange *exchange, GError **error)
{
    if (!g_unix_set_fd_nonblocking(exchange->in, TRUE, error))
        return false;
    while (exchange->out != -1 || exchange->err != -1) {
        if (!step(exchange, error))
            return false;
    }
    close_pipe(&exchange->in);
    return wait_for_end(exchange, error);
}

/* Ends the program if it still runs. */
static void stop(struct exchange *exchange)
{
    close_pipe(&exchange->in);
    close_pipe(&exchange->out);
    close_pipe(&exchange->err);
    if (exchange->pid > 0) {
        kill(exchange->pid, SIGKILL);
        while (waitpid(exchange->pid, NULL, 0) == -1 && errno == EINTR)
            ;
    }
    g_byte_array_unref(exchange->messages);
}

GBytes *orr_child_feed(const struct orr_child *child, const char *text,
                       GError **error)
{
    struct exchange exchange;
    g_autoptr(GError) reason = NULL;
    g_autofree char *said = NULL;
    bool done;

    if (!orr_child_check(child, error))
        return NULL;
    done =
        start(&exchange, child, text, &reason) && perform(&exchange, &reason);
    /* The messages of the program are a better reason than its exit status. A
     * limit that it exceeded is a better reason than its messages. */
    if (!done && exchange.pid == 0)
        said = first_line(exchange.messages);
    stop(&exchange);
    if (done)
        return g_byte_array_free_to_bytes(exchange.output);
    g_byte_array_unref(exchange.output);
    g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", child->argv[0],
                said ? said : reason->message);
    return NULL;
}
