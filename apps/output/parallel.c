/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/output/parallel.h"

#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

/* Interval between checks for signals, in microseconds. */
enum { PATIENCE_US = 50000 };

struct pool {
    const struct orr_parallel *jobs;
    bool *done;
    gint next; /* the next job to begin; atomic */
    gint stop; /* no further job begins; atomic */

    GAsyncQueue *ended; /* the number of each job that ended, plus one, or
                           ENDED_THREAD */
    struct orr_progress *progress;
    unsigned complete;
    double complete_weight, weight;

    sigset_t signals; /* signals that stop the jobs */
    sigset_t before;  /* the signal mask of the caller */
    int taken;        /* signal received; 0: none */
};

#define ENDED_THREAD G_MAXUINT

/* Performs the next job. Returns false if there is none. */
static bool perform_next(struct pool *pool)
{
    const struct orr_parallel *jobs = pool->jobs;
    unsigned job;

    if (g_atomic_int_get(&pool->stop))
        return false;
    job = (unsigned)g_atomic_int_add(&pool->next, 1);
    if (job >= jobs->count)
        return false;
    if (!jobs->perform(job, jobs->data))
        g_atomic_int_set(&pool->stop, 1);
    if (pool->done)
        pool->done[job] = true;
    g_async_queue_push(pool->ended, GUINT_TO_POINTER(job + 1));
    return true;
}

static gpointer work(gpointer data)
{
    while (perform_next(data))
        ;
    g_async_queue_push(((struct pool *)data)->ended,
                       GUINT_TO_POINTER(ENDED_THREAD));
    return NULL;
}

static double weight_of(const struct orr_parallel *jobs, unsigned job)
{
    double weight = jobs->weight ? jobs->weight(job, jobs->data) : NAN;

    return weight > 0 ? weight : 1; /* NAN: not known */
}

static char *describe_progress(const struct pool *pool, double *share)
{
    const struct orr_parallel *jobs = pool->jobs;

    if (jobs->describe)
        return jobs->describe(jobs->data, share);
    *share = pool->complete_weight / pool->weight;
    return g_strdup_printf("%u of %u %s", pool->complete, jobs->count,
                           jobs->noun);
}

static void show_progress(struct pool *pool)
{
    gint64 now_us = g_get_monotonic_time();
    double share = 0;
    g_autofree char *text = NULL;

    if (!orr_progress_is_due(pool->progress, now_us))
        return;
    text = describe_progress(pool, &share);
    orr_progress_show(pool->progress, now_us, text, share);
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
static void take_signal(struct pool *pool)
{
    struct timespec at_once = {0, 0};
    int taken = sigtimedwait(&pool->signals, NULL, &at_once);

    if (taken <= 0)
        return;
    pool->taken = taken;
    g_atomic_int_set(&pool->stop, 1);
    pthread_sigmask(SIG_SETMASK, &pool->before, NULL);
    orr_progress_erase(pool->progress);
    orr_message_print(
        pool->jobs->command,
        "stopping after the runs in progress; interrupt again to stop at once");
}

/* Waits for the end of a job or of a thread, for a limited time. Returns
 * whether a thread has ended. */
static bool wait_for_one(struct pool *pool)
{
    guint ended =
        GPOINTER_TO_UINT(g_async_queue_timeout_pop(pool->ended, PATIENCE_US));

    if (ended > 0 && ended != ENDED_THREAD) {
        pool->complete++;
        pool->complete_weight += weight_of(pool->jobs, ended - 1);
    }
    if (pool->jobs->tick)
        pool->jobs->tick(pool->jobs->data);
    if (pool->taken == 0) {
        show_progress(pool);
        take_signal(pool);
    }
    return ended == ENDED_THREAD;
}

/* Starts up to @count threads: fewer if the system has no more. Returns their
 * number. */
static unsigned start_threads(struct pool *pool, GThread **threads,
                              unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        threads[i] = g_thread_try_new("job", work, pool, NULL);
        if (!threads[i])
            return i;
    }
    return count;
}

/* Performs the jobs in @running threads, or in this one if there are none. */
static void perform_all(struct pool *pool, unsigned running)
{
    if (running == 0) {
        while (perform_next(pool))
            wait_for_one(pool);
    }
    while (running > 0)
        running -= wait_for_one(pool);
    orr_progress_erase(pool->progress);
}

/* Keeps freed memory in the process for the next job. Otherwise malloc()
 * returns it to the system after each run, and the next run gets it page by
 * page, which takes a sixth of the time of short runs. */
static void keep_freed_memory(void)
{
#ifdef __GLIBC__
    /* Larger blocks are mapped separately, so that they grow without a copy. */
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 16 << 20);
#endif
}

int orr_parallel_run(const struct orr_parallel *jobs, bool *done)
{
    struct pool pool = {
        .jobs = jobs,
        .done = done,
        .progress = jobs->progress,
    };
    struct orr_progress own;
    unsigned cores = g_get_num_processors();
    unsigned count =
        MIN(jobs->threads > 0 ? jobs->threads : cores, jobs->count);
    GThread **threads = g_new(GThread *, count);

    for (unsigned i = 0; done && i < jobs->count; i++)
        done[i] = false;
    for (unsigned i = 0; i < jobs->count; i++)
        pool.weight += weight_of(jobs, i);
    if (!pool.progress) {
        orr_progress_begin(&own);
        pool.progress = &own;
    }
    pool.ended = g_async_queue_new();
    keep_freed_memory();
    /* Threads inherit the mask: only the calling thread accepts signals. */
    list_signals(&pool.signals);
    pthread_sigmask(SIG_BLOCK, &pool.signals, &pool.before);
    count = start_threads(&pool, threads, count);
    perform_all(&pool, count);
    pthread_sigmask(SIG_SETMASK, &pool.before, NULL);
    for (unsigned i = 0; i < count; i++)
        g_thread_join(threads[i]);
    g_async_queue_unref(pool.ended);
    g_free(threads);
    return pool.taken;
}
