/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parallel jobs, and the failures and signals that stop them. */
#include "apps/output/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "tests/support/cmocka_all.h"

enum { JOBS = 1000, THREADS = 4 };

struct fixture {
    gint performed[JOBS]; /* number of times for each job */
    gint begun;           /* jobs so far */
    gint at_once, most;   /* running jobs: now, and at most so far */
    unsigned fails;       /* the first job that fails; JOBS: none */
    unsigned signals;     /* the job that raises a signal; JOBS: none */
    int signal;
    bool done[JOBS];
};

static void count_at_work(struct fixture *f)
{
    gint now = g_atomic_int_add(&f->at_once, 1) + 1;
    gint most = g_atomic_int_get(&f->most);

    while (now > most &&
           !g_atomic_int_compare_and_exchange(&f->most, most, now))
        most = g_atomic_int_get(&f->most);
}

static bool perform(unsigned i, void *data)
{
    struct fixture *f = data;

    g_atomic_int_inc(&f->performed[i]);
    g_atomic_int_inc(&f->begun);
    count_at_work(f);
    if (i == f->signals)
        kill(getpid(), f->signal);
    g_usleep(1000);
    g_atomic_int_add(&f->at_once, -1);
    return i < f->fails;
}

static struct orr_parallel parallel_for(struct fixture *f)
{
    return (struct orr_parallel){
        .command = "test",
        .noun = "jobs",
        .count = JOBS,
        .threads = THREADS,
        .perform = perform,
        .data = f,
    };
}

static struct fixture fixture_of_good_jobs(void)
{
    return (struct fixture){.fails = JOBS, .signals = JOBS};
}

/* Returns the number of jobs performed: each once, and the first ones. */
static unsigned assert_first_ones(const struct fixture *f)
{
    unsigned count = 0;

    while (count < JOBS && f->performed[count] > 0)
        count++;
    for (unsigned i = 0; i < JOBS; i++) {
        assert_int_equal(f->performed[i], i < count);
        assert_int_equal(f->done[i], i < count);
    }
    return count;
}

static void each_job_is_performed_once(void **state)
{
    struct fixture f = fixture_of_good_jobs();
    struct orr_parallel jobs = parallel_for(&f);

    (void)state;
    assert_int_equal(orr_parallel_run(&jobs, f.done), 0);
    assert_int_equal(assert_first_ones(&f), JOBS);
}

static void as_many_at_once_as_there_are_threads(void **state)
{
    struct fixture f = fixture_of_good_jobs();
    struct orr_parallel jobs = parallel_for(&f);

    (void)state;
    assert_int_equal(orr_parallel_run(&jobs, NULL), 0);
    assert_int_equal(f.most, THREADS);

    f.most = 0;
    jobs.threads = 1;
    jobs.count = 10;
    assert_int_equal(orr_parallel_run(&jobs, NULL), 0);
    assert_int_equal(f.most, 1);
}

static void no_job_is_no_work(void **state)
{
    struct fixture f = fixture_of_good_jobs();
    struct orr_parallel jobs = parallel_for(&f);

    (void)state;
    jobs.count = 0;
    assert_int_equal(orr_parallel_run(&jobs, NULL), 0);
    assert_int_equal(f.begun, 0);
}

static void after_a_failure_no_job_begins(void **state)
{
    struct fixture f = fixture_of_good_jobs();
    struct orr_parallel jobs = parallel_for(&f);
    unsigned count;

    (void)state;
    f.fails = 50;
    assert_int_equal(orr_parallel_run(&jobs, f.done), 0);
    count = assert_first_ones(&f);
    assert_in_range(count, f.fails + 1, f.fails + 2 * THREADS);
}

/* Jobs that may still begin before the signal is noticed. */
static void stops_at(int signal)
{
    struct fixture f = fixture_of_good_jobs();
    struct orr_parallel jobs = parallel_for(&f);
    unsigned count;

    f.signals = 50;
    f.signal = signal;
    assert_int_equal(orr_parallel_run(&jobs, f.done), signal);
    count = assert_first_ones(&f);
    assert_in_range(count, f.signals + 1, JOBS - 1);
    assert_int_equal(f.begun, count);
}

static void a_signal_lets_no_further_job_begin(void **state)
{
    (void)state;
    stops_at(SIGINT);
    stops_at(SIGTERM);
}

static void an_ignored_signal_stops_nothing(void **state)
{
    struct fixture f = fixture_of_good_jobs();
    struct orr_parallel jobs = parallel_for(&f);

    (void)state;
    f.signals = 10;
    f.signal = SIGINT;
    signal(SIGINT, SIG_IGN);
    assert_int_equal(orr_parallel_run(&jobs, f.done), 0);
    signal(SIGINT, SIG_DFL);
    assert_int_equal(assert_first_ones(&f), JOBS);
}

static void signals_are_as_before(void **state)
{
    struct fixture f = fixture_of_good_jobs();
    struct orr_parallel jobs = parallel_for(&f);
    sigset_t mask;

    (void)state;
    f.signals = 0;
    f.signal = SIGTERM;
    assert_int_equal(orr_parallel_run(&jobs, f.done), SIGTERM);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    assert_int_equal(sigismember(&mask, SIGTERM), 0);
    assert_int_equal(sigismember(&mask, SIGINT), 0);
}

/* Gives threads a stack larger than the address space, so that none can be
 * created; afterwards the one of before. */
static void set_threads_possible(bool possible)
{
    static size_t before;
    pthread_attr_t attributes;

    pthread_getattr_default_np(&attributes);
    if (!possible)
        pthread_attr_getstacksize(&attributes, &before);
    pthread_attr_setstacksize(&attributes, possible ? before : SIZE_MAX / 4096);
    assert_int_equal(pthread_setattr_default_np(&attributes), 0);
    pthread_attr_destroy(&attributes);
}

static gpointer do_nothing(gpointer data)
{
    return data;
}

static void without_threads_the_caller_works(void **state)
{
    struct fixture f = fixture_of_good_jobs();
    struct orr_parallel jobs = parallel_for(&f);

    (void)state;
    set_threads_possible(false);
    assert_null(g_thread_try_new("none", do_nothing, NULL, NULL));
    assert_int_equal(orr_parallel_run(&jobs, f.done), 0);
    assert_int_equal(assert_first_ones(&f), JOBS);
    assert_int_equal(f.most, 1);
    set_threads_possible(true);
}

static void without_threads_signals_and_failures_stop(void **state)
{
    struct fixture f = fixture_of_good_jobs(), g = fixture_of_good_jobs();
    struct orr_parallel jobs = parallel_for(&f), others = parallel_for(&g);

    (void)state;
    f.signals = 10;
    f.signal = SIGTERM;
    g.fails = 20;
    set_threads_possible(false);
    assert_int_equal(orr_parallel_run(&jobs, f.done), SIGTERM);
    assert_int_equal(orr_parallel_run(&others, g.done), 0);
    set_threads_possible(true);
    assert_int_equal(assert_first_ones(&f), 11);
    assert_int_equal(assert_first_ones(&g), 21);
}

ORR_TESTS(parallel)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_job_is_performed_once),
        cmocka_unit_test(as_many_at_once_as_there_are_threads),
        cmocka_unit_test(no_job_is_no_work),
        cmocka_unit_test(after_a_failure_no_job_begins),
        cmocka_unit_test(a_signal_lets_no_further_job_begin),
        cmocka_unit_test(an_ignored_signal_stops_nothing),
        cmocka_unit_test(signals_are_as_before),
        cmocka_unit_test(without_threads_the_caller_works),
        cmocka_unit_test(without_threads_signals_and_failures_stop),
    };

    /* A shell starts background jobs with this signal ignored. */
    signal(SIGINT, SIG_DFL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
