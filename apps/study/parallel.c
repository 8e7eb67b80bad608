/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/study/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* How long a signal may go unnoticed while no job ends, in microseconds. */
enum { PATIENCE_US = 50000 };

/* Between two states of the progress line: often enough to be read. */
enum { PROGRESS_US = 100000 };

struct crew {
    const struct orr_parallel *jobs;
    bool *done;
    gint next; /* the job to begin; atomic */
    gint stop; /* whether to begin no more; atomic */

    GAsyncQueue *ended; /* of jobs, and of threads that have no more to do */
    gint64 shown_us;    /* when the progress line was last written */
    unsigned complete;
};

/* What threads put into the queue, which takes no NULL. */
enum { ENDED_JOB = 1, ENDED_THREAD };

static gpointer work(gpointer data)
{
    struct crew *crew = data;
    const struct orr_parallel *jobs = crew->jobs;

    while (!g_atomic_int_get(&crew->stop)) {
        unsigned job = (unsigned)g_atomic_int_add(&crew->next, 1);

        if (job >= jobs->count)
            break;
        if (!jobs->perform(job, jobs->data))
            g_atomic_int_set(&crew->stop, 1);
        if (crew->done)
            crew->done[job] = true;
        g_async_queue_push(crew->ended, GINT_TO_POINTER(ENDED_JOB));
    }
    g_async_queue_push(crew->ended, GINT_TO_POINTER(ENDED_THREAD));
    return NULL;
}

static char *describe_progress(const struct crew *crew)
{
    const struct orr_parallel *jobs = crew->jobs;

    if (jobs->describe)
        return jobs->describe(jobs->data);
    return g_strdup_printf("%u of %u %s", crew->complete, jobs->count,
                           jobs->noun);
}

static void show_progress(struct crew *crew, bool now)
{
    gint64 time_us = g_get_monotonic_time();
    g_autofree char *line = NULL;

    if (!isatty(STDERR_FILENO) ||
        (!now && time_us - crew->shown_us < PROGRESS_US))
        return;
    crew->shown_us = time_us;
    line = describe_progress(crew);
    fprintf(stderr, "\r%s", line);
}

static void end_progress(struct crew *crew)
{
    show_progress(crew, true);
    if (isatty(STDERR_FILENO))
        fputs("\n", stderr);
}

/* Those of SIGINT and SIGTERM that are not ignored, as nohup has it. */
static void list_signals(sigset_t *signals)
{
    static const int candidates[] = {SIGINT, SIGTERM};
    struct sigaction action;

    sigemptyset(signals);
    for (size_t i = 0; i < G_N_ELEMENTS(candidates); i++) {
        if (sigaction(candidates[i], NULL, &action) == 0 &&
            action.sa_handler != SIG_IGN)
            sigaddset(signals, candidates[i]);
    }
}

/* Takes a signal that is waiting, and lets the next one through. */
static int take_signal(struct crew *crew, const sigset_t *signals,
                       const sigset_t *before)
{
    struct timespec at_once = {0, 0};
    int taken = sigtimedwait(signals, NULL, &at_once);

    if (taken <= 0)
        return 0;
    g_atomic_int_set(&crew->stop, 1);
    pthread_sigmask(SIG_SETMASK, before, NULL);
    end_progress(crew);
    orr_message_print(crew->jobs->command,
                      "stopping when what is under way is complete; again to "
                      "stop at once");
    return taken;
}

/* Until @threads threads have ended; see orr_parallel_run(). */
static int wait_for(struct crew *crew, unsigned threads,
                    const sigset_t *signals, const sigset_t *before)
{
    int taken = 0;

    while (threads > 0) {
        gpointer what = g_async_queue_timeout_pop(crew->ended, PATIENCE_US);

        if (GPOINTER_TO_INT(what) == ENDED_JOB)
            crew->complete++;
        else if (GPOINTER_TO_INT(what) == ENDED_THREAD)
            threads--;
        if (taken == 0) {
            show_progress(crew, false);
            taken = take_signal(crew, signals, before);
        }
    }
    if (taken == 0)
        end_progress(crew);
    return taken;
}

int orr_parallel_run(const struct orr_parallel *jobs, bool *done)
{
    struct crew crew = {.jobs = jobs, .done = done};
    unsigned cores = g_get_num_processors();
    unsigned count =
        MIN(jobs->threads > 0 ? jobs->threads : cores, jobs->count);
    GThread **threads = g_new(GThread *, count);
    sigset_t signals, before;
    int taken;

    for (unsigned i = 0; done && i < jobs->count; i++)
        done[i] = false;
    crew.ended = g_async_queue_new();
    /* Threads inherit the mask: a signal waits for this one to take it. */
    list_signals(&signals);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    for (unsigned i = 0; i < count; i++)
        threads[i] = g_thread_new("job", work, &crew);
    taken = wait_for(&crew, count, &signals, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    for (unsigned i = 0; i < count; i++)
        g_thread_join(threads[i]);
    g_async_queue_unref(crew.ended);
    g_free(threads);
    return taken;
}
