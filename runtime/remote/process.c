/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/remote/process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "models/base/error.h"
#include "runtime/remote/protocol.h"

/* How often a program that sends nothing is asked whether it has ended: a
 * process of its own may keep the socket open. */
enum { CHECK_MS = 100, LONGEST_NAP_US = 1000 };

struct orr_process {
    char *name;
    GPid pid; /* 0: it has ended */
    int status;
    int socket;
    const char *call; /* NULL: none yet */
    double limit_s;   /* without a call */
    bool failed;      /* it ended, or took too long, in the middle of a run */
};

/* In the new process, before the program: only calls that are safe there. */
static void prepare(gpointer data)
{
    (void)data;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); /* processes that it starts end with it */
}

static bool spawn(struct orr_process *process, char *const *argv, int socket,
                  bool silent, GError **error)
{
    const int target = ORR_REMOTE_FD;
    GSpawnFlags output =
        G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL;
    g_auto(GStrv) environment = g_get_environ();
    g_autoptr(GError) why = NULL;
    int out = silent ? -1 : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    bool done;

    environment = g_environ_setenv(environment, ORR_REMOTE_VARIABLE,
                                   G_STRINGIFY(ORR_REMOTE_FD), TRUE);
    done = g_spawn_async_with_pipes_and_fds(
        NULL, (const char *const *)argv, (const char *const *)environment,
        G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD |
            (silent ? output : G_SPAWN_DEFAULT),
        prepare, NULL, -1, out, -1, &socket, &target, 1, &process->pid, NULL,
        NULL, NULL, &why);
    if (out != -1)
        close(out);
    if (!done)
        g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", argv[0],
                    why->message);
    return done;
}

void orr_process_set_limit(struct orr_process *process, double seconds)
{
    const struct timeval limit = {
        .tv_sec = (time_t)seconds,
        .tv_usec = (suseconds_t)((seconds - floor(seconds)) * 1e6)};

    process->limit_s = seconds;
    setsockopt(process->socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
}

struct orr_process *orr_process_start(char *const *argv, bool silent,
                                      GError **error)
{
    struct orr_process *process;
    int sockets[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: no socket: %s",
                    argv[0], g_strerror(errno));
        return NULL;
    }
    process = g_new0(struct orr_process, 1);
    process->name = g_strdup(argv[0]);
    process->socket = sockets[0];
    orr_process_set_limit(process, ORR_PROCESS_LIMIT_S);
    if (!spawn(process, argv, sockets[1], silent, error))
        g_clear_pointer(&process, orr_process_kill);
    close(sockets[1]);
    return process;
}

const char *orr_process_name(const struct orr_process *process)
{
    return process->name;
}

void orr_process_set_call(struct orr_process *process, const char *call)
{
    process->call = call;
}

/* Ends the program, and the processes of its group. As long as it is not waited
 * for, no other process can have its number. */
static void end(struct orr_process *process)
{
    kill(-process->pid, SIGKILL);
    kill(process->pid, SIGKILL);
    while (waitpid(process->pid, &process->status, 0) == -1 && errno == EINTR)
        ;
    process->pid = 0;
}

/* Whether the program has ended. */
static bool has_ended(struct orr_process *process)
{
    siginfo_t info = {.si_pid = 0};

    if (process->pid > 0 &&
        waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) ==
            0 &&
        info.si_pid == process->pid)
        end(process);
    return process->pid == 0;
}

/* Returns when the program has ended, or false at the date @end. */
static bool await_end(struct orr_process *process, gint64 end_us)
{
    gulong nap_us = 20;

    while (!has_ended(process)) {
        if (g_get_monotonic_time() >= end_us)
            return false;
        g_usleep(nap_us);
        nap_us = MIN(2 * nap_us, LONGEST_NAP_US);
    }
    return true;
}

static gint64 limit_from_now(double seconds)
{
    return g_get_monotonic_time() + (gint64)(seconds * G_USEC_PER_SEC);
}

static char *describe_call(const struct orr_process *process)
{
    return process->call
               ? g_strdup_printf("its last call is orr_%s()", process->call)
               : g_strdup("it has not called starpu_init()");
}

static void fail_end(struct orr_process *process, GError **error)
{
    g_autofree char *call = describe_call(process);

    process->failed = true;
    if (WIFSIGNALED(process->status))
        g_set_error(error, ORR_ERROR, ORR_ERROR_APP,
                    "%s: signal %d (%s) ends it; %s", process->name,
                    WTERMSIG(process->status),
                    strsignal(WTERMSIG(process->status)), call);
    else
        g_set_error(error, ORR_ERROR, ORR_ERROR_APP,
                    "%s: it exits with status %d without starpu_shutdown(); %s",
                    process->name, WEXITSTATUS(process->status), call);
}

static void fail_time(struct orr_process *process, const char *fault,
                      GError **error)
{
    g_autofree char *call = describe_call(process);

    process->failed = true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_APP, "%s: %s for %g s; %s",
                process->name, fault, process->limit_s, call);
}

/* The socket is closed: the program has ended, or is about to. */
static void fail_closed(struct orr_process *process, GError **error)
{
    process->failed = true;
    if (await_end(process, limit_from_now(1)))
        fail_end(process, error);
    else
        g_set_error(error, ORR_ERROR, ORR_ERROR_APP,
                    "%s: it closes its socket to this command", process->name);
}

bool orr_process_send(struct orr_process *process, const void *bytes,
                      size_t count, GError **error)
{
    const char *at = bytes;

    while (count > 0) {
        ssize_t sent = send(process->socket, at, count, MSG_NOSIGNAL);

        if (sent == -1 && errno == EINTR)
            continue;
        if (sent == -1 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            fail_time(process, "it reads no answer", error);
            return false;
        }
        if (sent <= 0) {
            fail_closed(process, error);
            return false;
        }
        at += sent;
        count -= (size_t)sent;
    }
    return true;
}

size_t orr_process_receive(struct orr_process *process, void *bytes,
                           size_t room, GError **error)
{
    gint64 end_us = limit_from_now(process->limit_s);
    bool ended = false;

    for (;;) {
        ssize_t count = recv(process->socket, bytes, room, MSG_DONTWAIT);
        struct pollfd wait = {.fd = process->socket, .events = POLLIN};

        if (count > 0)
            return (size_t)count;
        if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
            fail_closed(process, error);
            return 0;
        }
        if (ended) {
            fail_end(process, error);
            return 0;
        }
        if (g_get_monotonic_time() >= end_us) {
            fail_time(process, "it makes no call", error);
            return 0;
        }
        ended = poll(&wait, 1, CHECK_MS) == 0 && has_ended(process);
    }
}

bool orr_process_idles(struct orr_process *process, gint64 since_us,
                       GError **error)
{
    if (g_get_monotonic_time() <
        since_us + (gint64)(process->limit_s * G_USEC_PER_SEC))
        return false;
    fail_time(process, "it asks, and lets no simulated time pass,", error);
    return true;
}

bool orr_process_has_failed(const struct orr_process *process)
{
    return process->failed;
}

bool orr_process_has_sent(const struct orr_process *process)
{
    char byte;

    return recv(process->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

bool orr_process_finish(struct orr_process *process, GError **error)
{
    if (!await_end(process, limit_from_now(process->limit_s))) {
        fail_time(process, "it does not end after starpu_shutdown()", error);
        return false;
    }
    if (WIFEXITED(process->status))
        return true;
    fail_end(process, error);
    return false;
}

int orr_process_status(const struct orr_process *process)
{
    return WEXITSTATUS(process->status);
}

void orr_process_kill(struct orr_process *process)
{
    if (!process)
        return;
    close(process->socket);
    if (process->pid > 0)
        end(process);
    g_free(process->name);
    g_free(process);
}
