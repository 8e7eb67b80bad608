/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compares two runs of one policy. Both record their tasks and copies.
 * Differences are searched in tasks, by number, and in copies, in the order of
 * completion; the earliest date wins, as later differences may be its
 * consequences.
 */
#include "apps/simulation/determinism.h"

#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "apps/simulation/simulate.h"
#include "models/base/error.h"
#include "models/base/units.h"
#include "runtime/diagnosis/hang.h"
#include "runtime/programs/app_find.h"
#include "runtime/run.h"

/*
 * Number and largest size of the blocks allocated before each run. Every other
 * block is freed, and later allocations use these holes.
 */
enum { HOLES = 4096, LARGEST = 512 };

struct orr_log {
    struct orr_trace trace; /* first */
    GArray *tasks;          /* struct orr_trace_task, in order of completion */
    GArray *copies;         /* struct orr_trace_copy, in order of completion */
};

static void log_task(struct orr_trace *trace, const struct orr_trace_task *task)
{
    g_array_append_vals(((struct orr_log *)trace)->tasks, task, 1);
}

static void log_copy(struct orr_trace *trace, const struct orr_trace_copy *copy)
{
    g_array_append_vals(((struct orr_log *)trace)->copies, copy, 1);
}

static struct orr_log *log_new(void)
{
    struct orr_log *log = g_new0(struct orr_log, 1);

    log->trace =
        (struct orr_trace){ORR_TRACE_INIT, .task = log_task, .copy = log_copy};
    log->tasks = g_array_new(FALSE, FALSE, sizeof(struct orr_trace_task));
    log->copies = g_array_new(FALSE, FALSE, sizeof(struct orr_trace_copy));
    return log;
}

static void log_free(struct orr_log *log)
{
    if (!log)
        return;
    g_array_unref(log->tasks);
    g_array_unref(log->copies);
    g_free(log);
}

/* Makes malloc() fill memory with @byte, if the C library can. */
static void fill_memory(int byte)
{
#ifdef M_PERTURB
    mallopt(M_PERTURB, byte);
#else
    (void)byte;
#endif
}

/*
 * Fragments the heap: allocates many blocks and frees every other one. A run
 * then allocates from these holes, which are filled with its byte and have
 * ascending addresses in one run, descending ones in the other.
 */
static void **make_holes(bool ascending)
{
    void **holes = g_new0(void *, HOLES);

    for (size_t i = 0; i < HOLES; i++)
        holes[i] = g_malloc(16 + i * 16 % LARGEST);
    for (size_t i = 0; i < HOLES; i += 2)
        g_clear_pointer(&holes[ascending ? i : HOLES - 2 - i], g_free);
    return holes;
}

static void free_holes(void **holes)
{
    for (size_t i = 0; holes && i < HOLES; i++)
        g_free(holes[i]);
    g_free(holes);
}

enum orr_exit orr_determinism_begin(struct orr_determinism *twice,
                                    const struct orr_scenario *scenario,
                                    GError **error)
{
    g_autoptr(GError) failure = NULL;
    enum orr_exit status;

    *twice = (struct orr_determinism){
        .one = log_new(), .two = log_new(), .app = scenario->problem.app};
    fill_memory(0x5a);
    twice->holes[0] = make_holes(true);
    status = orr_simulate_run(scenario, scenario->config.sched,
                              &twice->one->trace, &twice->first, &failure);
    fill_memory(0xa5);
    if (twice->first)
        orr_run_end_policy(twice->first, NULL); /* also of a run that hangs */
    if (status != ORR_EXIT_OK && status != ORR_EXIT_STALLED &&
        status != ORR_EXIT_LIVELOCKED) {
        g_propagate_error(error, g_steal_pointer(&failure));
        return status;
    }
    twice->holes[1] = make_holes(false);
    return ORR_EXIT_OK;
}

void orr_determinism_clear(struct orr_determinism *twice)
{
    fill_memory(0);
    orr_run_free(twice->first);
    log_free(twice->one);
    log_free(twice->two);
    free_holes(twice->holes[0]);
    free_holes(twice->holes[1]);
}

struct orr_trace *orr_determinism_observer(struct orr_determinism *twice)
{
    return &twice->two->trace;
}

/* The first difference between two runs. */
struct difference {
    orr_time date; /* ORR_NEVER: none */
    char *text;    /* owned */
};

/* Stores the difference if it is earlier than the stored one. Takes @text. */
static void add_difference(struct difference *difference, orr_time date,
                           char *text)
{
    if (date < difference->date) {
        g_free(difference->text);
        *difference = (struct difference){date, text};
    } else {
        g_free(text);
    }
}

static gint by_order(gconstpointer a, gconstpointer b)
{
    const struct orr_trace_task *one = a;
    const struct orr_trace_task *other = b;

    return (one->order > other->order) - (one->order < other->order);
}

static char *describe_task(const struct orr_trace_task *task,
                           const struct orr_report *report)
{
    g_autofree char *date = orr_format_time(task->started);
    g_autofree char *duration = orr_format_time(task->ended - task->started);

    return g_strdup_printf("on %s from %s for %s",
                           report->workers[task->worker].name, date, duration);
}

static void compare_task(const struct orr_trace_task *one,
                         const struct orr_trace_task *two,
                         const struct orr_report *report,
                         struct difference *difference)
{
    g_autofree char *first = describe_task(one, report);
    g_autofree char *second = describe_task(two, report);

    if (one->worker == two->worker && one->started == two->started &&
        one->ended == two->ended)
        return;
    add_difference(difference, MIN(one->started, two->started),
                   g_strdup_printf("task %" G_GUINT64_FORMAT
                                   " (%s) ran %s the first time, %s the second",
                                   one->order, one->name, first, second));
}

/* Adds a task that ended in one of the runs only. */
static void add_missing(const struct orr_trace_task *task, const char *when,
                        struct difference *difference)
{
    add_difference(difference, task->started,
                   g_strdup_printf("task %" G_GUINT64_FORMAT
                                   " (%s) ended only the %s time",
                                   task->order, task->name, when));
}

static const struct orr_trace_task *task_at(const GArray *tasks, guint i)
{
    return i < tasks->len ? &g_array_index(tasks, struct orr_trace_task, i)
                          : NULL;
}

static void compare_tasks(const struct orr_determinism *twice,
                          const struct orr_report *report,
                          struct difference *difference)
{
    const struct orr_trace_task *one, *two;
    guint i = 0, j = 0;

    g_array_sort(twice->one->tasks, by_order);
    g_array_sort(twice->two->tasks, by_order);
    for (;;) {
        one = task_at(twice->one->tasks, i);
        two = task_at(twice->two->tasks, j);
        if (!one && !two)
            return;
        if (one && two && one->order == two->order) {
            compare_task(one, two, report, difference);
            i++;
            j++;
        } else if (!two || (one && one->order < two->order)) {
            add_missing(one, "first", difference);
            i++;
        } else {
            add_missing(two, "second", difference);
            j++;
        }
    }
}

static const struct orr_trace_copy *copy_at(const GArray *copies, guint i)
{
    return i < copies->len ? &g_array_index(copies, struct orr_trace_copy, i)
                           : NULL;
}

static char *describe_copy(const struct orr_trace_copy *copy)
{
    g_autofree char *date = copy ? orr_format_time(copy->started) : NULL;

    return copy ? g_strdup_printf(
                      "data %" G_GUINT64_FORMAT " from %s to %s (%s) at %s",
                      copy->data, copy->from, copy->to, copy->why, date)
                : g_strdup("none");
}

static bool is_same_copy(const struct orr_trace_copy *one,
                         const struct orr_trace_copy *two)
{
    return one && two && one->data == two->data &&
           one->started == two->started && one->ended == two->ended &&
           strcmp(one->from, two->from) == 0 && strcmp(one->to, two->to) == 0 &&
           strcmp(one->why, two->why) == 0;
}

/* Compares copies in the order of completion, up to the first difference:
 * later ones are its consequences. */
static void compare_copies(const struct orr_determinism *twice,
                           struct difference *difference)
{
    const GArray *copies = twice->one->copies;
    const struct orr_trace_copy *one, *two;
    g_autofree char *first = NULL;
    g_autofree char *second = NULL;
    guint i = 0;

    while (i < copies->len &&
           is_same_copy(copy_at(copies, i), copy_at(twice->two->copies, i)))
        i++;
    one = copy_at(copies, i);
    two = copy_at(twice->two->copies, i);
    if (!one && !two)
        return;
    first = describe_copy(one);
    second = describe_copy(two);
    add_difference(
        difference,
        MIN(one ? one->started : ORR_NEVER, two ? two->started : ORR_NEVER),
        g_strdup_printf("copy %u was %s the first time, %s the second", i,
                        first, second));
}

static bool hang_alike(const struct orr_run *one, const struct orr_run *two)
{
    const struct orr_hang *a = orr_run_hang(one);
    const struct orr_hang *b = orr_run_hang(two);

    return !a == !b && (!a || a->kind == b->kind);
}

bool orr_determinism_check(const struct orr_determinism *twice,
                           struct orr_run *run, GError **error)
{
    const struct orr_report *one = orr_run_report(twice->first);
    const struct orr_report *two = orr_run_report(run);
    struct difference difference = {ORR_NEVER, NULL};
    g_autofree char *culprit = NULL;

    if (one->digest == two->digest && hang_alike(twice->first, run))
        return true;
    compare_tasks(twice, one, &difference);
    compare_copies(twice, &difference);
    culprit = orr_app_config(twice->app)
                  ? g_strdup_printf("%s depend on the time of day, random "
                                    "numbers, or threads of pthread_create()",
                                    twice->app->name)
                  : g_strdup_printf("policy %s depend on addresses, clocks or "
                                    "uninitialised memory",
                                    one->sched);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "two runs with the same settings differ: %s; does %s?",
                difference.text
                    ? difference.text
                    : "only one hangs, or they hang in different ways",
                culprit);
    g_free(difference.text);
    return false;
}

char *orr_determinism_difference(const struct orr_scenario *scenario)
{
    g_autoptr(GError) failure = NULL;
    g_autoptr(GError) difference = NULL;
    struct orr_determinism twice;
    struct orr_run *run = NULL;

    if (orr_determinism_begin(&twice, scenario, &failure) == ORR_EXIT_OK)
        orr_simulate_run(scenario, scenario->config.sched,
                         orr_determinism_observer(&twice), &run, &failure);
    if (run && (!failure || orr_run_hang(run)))
        orr_determinism_check(&twice, run, &difference);
    orr_run_free(run);
    orr_determinism_clear(&twice);
    return difference ? g_strdup(difference->message) : NULL;
}
