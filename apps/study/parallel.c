/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/study/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Interval between checks for signals, in microseconds. */
enum { PATIENCE_US = 50000 };

/* Interval between updates of the progress line, in microseconds. */
enum { PROGRESS_US = 100000 };

struct pool {
    const struct orr_parallel *jobs;
    bool *done;
    gint next; /* the next job to begin; atomic */
    gint stop; /* no further job begins; atomic */

    GAsyncQueue *ended; /* ENDED_JOB or ENDED_THREAD for each that ended */
    gint64 shown_us;    /* when the progress line was last written */
    unsigned complete;
};

/* The elements of the queue, which cannot be NULL. */
enum { ENDED_JOB = 1, ENDED_THREAD };

static gpointer work(gpointer data)
{
    struct pool *pool = data;
    const struct orr_parallel *jobs = pool->jobs;

    while (!g_atomic_int_get(&pool->stop)) {
        unsigned job = (unsigned)g_atomic_int_add(&pool->next, 1);

        if (job >= jobs->count)
            break;
        if (!jobs->perform(job, jobs->data))
            g_atomic_int_set(&pool->stop, 1);
        if (pool->done)
            pool->done[job] = true;
        g_async_queue_push(pool->ended, GINT_TO_POINTER(ENDED_JOB));
    }
    g_async_queue_push(pool->ended, GINT_TO_POINTER(ENDED_THREAD));
    return NULL;
}

static char *describe_progress(const struct pool *pool)
{
    const struct orr_parallel *jobs = pool->jobs;

    if (jobs->describe)
        return jobs->describe(jobs->data);
    return g_strdup_printf("%u of %u %s", pool->complete, jobs->count,
                           jobs->noun);
}

static void show_progress(struct pool *pool, bool now)
{
    gint64 time_us = g_get_monotonic_time();
    g_autofree char *line = NULL;

    if (!isatty(STDERR_FILENO) ||
        (!now && time_us - pool->shown_us < PROGRESS_US))
        return;
    pool->shown_us = time_us;
    line = describe_progress(pool);
    fprintf(stderr, "\r%s", line);
}

static void end_progress(struct pool *pool)
{
    show_progress(pool, true);
    if (isatty(STDERR_FILENO))
        fputs("\n", stderr);
}

/* Lists SIGINT and SIGTERM unless they are ignored, as under nohup. */
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

/* Accepts a pending signal, and restores the default action for the next. */
static int take_signal(struct pool *pool, const sigset_t *signals,
                       const sigset_t *before)
{
    struct timespec at_once = {0, 0};
    int taken = sigtimedwait(signals, NULL, &at_once);

    if (taken <= 0)
        return 0;
    g_atomic_int_set(&pool->stop, 1);
    pthread_sigmask(SIG_SETMASK, before, NULL);
    end_progress(pool);
    orr_message_print(
        pool->jobs->command,
        "stopping after the runs in progress; interrupt again to stop at once");
    return taken;
}

/* Waits for the end of @threads threads. Returns the signal received, or 0. */
static int wait_for(struct pool *pool, unsigned threads,
                    const sigset_t *signals, const sigset_t *before)
{
    int taken = 0;

    while (threads > 0) {
        gpointer what = g_async_queue_timeout_pop(pool->ended, PATIENCE_US);

        if (GPOINTER_TO_INT(what) == ENDED_JOB)
            pool->complete++;
        else if (GPOINTER_TO_INT(what) == ENDED_THREAD)
            threads--;
        if (taken == 0) {
            show_progress(pool, false);
            taken = take_signal(pool, signals, before);
        }
    }
    if (taken == 0)
        end_progress(pool);
    return taken;
}

int orr_parallel_run(const struct orr_parallel *jobs, bool *done)
{
    struct pool pool = {.jobs = jobs, .done = done};
    unsigned cores = g_get_num_processors();
    unsigned count =
        MIN(jobs->threads > 0 ? jobs->threads : cores, jobs->count);
    GThread **threads = g_new(GThread *, count);
    sigset_t signals, before;
    int taken;

    for (unsigned i = 0; done && i < jobs->count; i++)
        done[i] = false;
    pool.ended = g_async_queue_new();
    /* Threads inherit the mask: only the calling thread accepts signals. */
    list_signals(&signals);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    for (unsigned i = 0; i < count; i++)
        threads[i] = g_thread_new("job", work, &pool);
    taken = wait_for(&pool, count, &signals, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    for (unsigned i = 0; i < count; i++)
        g_thread_join(threads[i]);
    g_async_queue_unref(pool.ended);
    g_free(threads);
    return taken;
}
