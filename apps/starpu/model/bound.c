/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts the tasks of each kind between starpu_bound_start() and
 * starpu_bound_stop(), and gives the least time in which the workers could run
 * them: orr_bound_of_counts(). A kind of tasks has one time on each worker.
 * StarPU takes the mean of measurements less their standard deviation; here it
 * is the mean, which is what tasks take.
 */
#include "apps/starpu/model/bound.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/codelet/codelet.h"

#include <starpu_bound.h>
#include <starpu_perfmodel.h>
#include <starpu_profiling.h>
#include <starpu_scheduler.h>
#include <starpu_task_util.h>

#include <math.h>

enum { MS = 1000 }; /* 1 s */

struct kind {
    char *name; /* of the model, owned */
    uint32_t footprint;
    uint64_t count;
    double *seconds; /* on each worker, owned; INFINITY: it cannot run them */
};

bool sp_bound_records;

static GPtrArray *kinds; /* struct kind, owned, in order of their first task */
static GHashTable *by_key; /* GBytes, owned, to struct kind */

static void free_kind(gpointer data)
{
    struct kind *kind = data;
    g_free(kind->name);
    g_free(kind->seconds);
    g_free(kind);
}

static void forget(void)
{
    sp_bound_records = false;
    g_clear_pointer(&by_key, g_hash_table_unref);
    g_clear_pointer(&kinds, g_ptr_array_unref);
}

void sp_bound_end(void)
{
    forget();
}

void starpu_bound_start(int deps, int prio)
{
    static const char call[] = "starpu_bound_start()";
    (void)prio;
    sp_need_session(call);
    if (deps)
        sp_warn("%s: dependencies are not recorded, the bound is the one "
                "without them; `orrery compare` has bounds with dependencies",
                call);
    forget();
    kinds = g_ptr_array_new_with_free_func(free_kind);
    by_key = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
                                   (GDestroyNotify)g_bytes_unref, NULL);
    sp_bound_records = true;
}

void starpu_bound_stop(void)
{
    sp_bound_records = false;
}

/* All that the times of a task depend on. */
static GBytes *key_of(const struct orr_task_spec *spec)
{
    GByteArray *key = g_byte_array_new();
    const void *kernel = spec->kernel;

    g_byte_array_append(key, (const guint8 *)&kernel, sizeof(kernel));
    if (spec->times)
        g_byte_array_append(key, (const guint8 *)spec->times,
                            sizeof(*spec->times));
    if (spec->costs)
        g_byte_array_append(key, (const guint8 *)spec->costs,
                            (guint)(sizeof(*spec->costs) * sp_session.workers *
                                    spec->implementations));
    return g_byte_array_free_to_bytes(key);
}

static double seconds_on(struct starpu_task *task,
                         const struct orr_task_spec *spec, unsigned worker)
{
    int64_t best = -1;
    for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; i++) {
        if (!sp_task_can_execute(task, worker, i))
            continue;
        int64_t ns =
            sp_calls->task_expected_ns(sp_session.run, spec, worker, i);
        if (ns >= 0 && (best < 0 || ns < best))
            best = ns;
    }
    return best < 0 ? INFINITY : (double)best / STARPU_NS_PER_S;
}

static struct kind *add_kind(struct starpu_task *task,
                             const struct orr_task_spec *spec)
{
    struct starpu_perfmodel *model = task->cl->model;
    struct kind *kind = g_new0(struct kind, 1);
    kind->name =
        g_strdup(model && model->symbol ? model->symbol : sp_task_name(task));
    kind->footprint = starpu_task_footprint(model, task, NULL, 0);
    kind->seconds = g_new(double, sp_session.workers);
    for (unsigned w = 0; w < sp_session.workers; w++)
        kind->seconds[w] = seconds_on(task, spec, w);
    g_ptr_array_add(kinds, kind);
    return kind;
}

void sp_bound_record(struct starpu_task *task, const struct orr_task_spec *spec)
{
    GBytes *key = key_of(spec);
    struct kind *kind = g_hash_table_lookup(by_key, key);
    if (kind) {
        g_bytes_unref(key);
    } else {
        kind = add_kind(task, spec);
        g_hash_table_insert(by_key, key, kind);
    }
    kind->count++;
}

static const struct kind *kind_at(unsigned i)
{
    return g_ptr_array_index(kinds, i);
}

/* Whether there are tasks; says so, if there are none. */
static bool has_tasks(const char *call)
{
    sp_need_session(call);
    if (kinds && kinds->len > 0)
        return true;
    sp_warn("%s: no tasks were submitted after starpu_bound_start()", call);
    return false;
}

static bool runs_on(unsigned kind, unsigned worker)
{
    return isfinite(kind_at(kind)->seconds[worker]);
}

static double ms_on(unsigned kind, unsigned worker)
{
    return kind_at(kind)->seconds[worker] * MS;
}

/* The least time in ms; counts of tasks by kind and worker in @counts, which is
 * owned by the caller. */
static double solve(bool whole, double **counts)
{
    unsigned workers = sp_session.workers;
    uint64_t *tasks = g_new(uint64_t, kinds->len);
    double *seconds = g_new(double, (size_t)kinds->len *workers);
    for (unsigned k = 0; k < kinds->len; k++) {
        tasks[k] = kind_at(k)->count;
        for (unsigned w = 0; w < workers; w++)
            seconds[k * workers + w] = kind_at(k)->seconds[w];
    }
    *counts = g_new(double, (size_t)kinds->len *workers);
    double least = orr_bound_of_counts(kinds->len, tasks, workers, seconds,
                                       whole, *counts);
    g_free(tasks);
    g_free(seconds);
    return least * MS;
}

void starpu_bound_compute(double *res, double *integer_res, int integer)
{
    *res = 0;
    if (integer && integer_res)
        *integer_res = 0;
    if (!has_tasks("starpu_bound_compute()"))
        return;
    g_autofree double *shared = NULL;
    *res = solve(false, &shared);
    if (integer && integer_res) {
        g_autofree double *whole = NULL;
        *integer_res = solve(true, &whole);
    }
}

void starpu_bound_print(FILE *output, int integer)
{
    if (!has_tasks("starpu_bound_print()"))
        return;
    g_autofree double *counts = NULL;
    fprintf(output, "Theoretical minimum execution time: %f ms\n",
            solve(integer != 0, &counts));
    for (unsigned k = 0; k < kinds->len; k++) {
        fprintf(output, "%s key %x\n", kind_at(k)->name, kind_at(k)->footprint);
        for (unsigned w = 0; w < sp_session.workers; w++)
            fprintf(output, "\tw%ut%un %f", w, k,
                    counts[k * sp_session.workers + w]);
        fputc('\n', output);
    }
}

/* Prints the sum of tasks of @kind over the workers that can run it. */
static void print_sum(FILE *output, unsigned kind)
{
    fputc('0', output);
    for (unsigned w = 0; w < sp_session.workers; w++)
        if (runs_on(kind, w))
            fprintf(output, " + w%ut%un", w, kind);
}

/* In the format of lp_solve. */
void starpu_bound_print_lp(FILE *output)
{
    if (!has_tasks("starpu_bound_print_lp()"))
        return;
    fputs("/* The least time in ms: the longest of the workers' */\n"
          "min: tmax;\n\n",
          output);
    for (unsigned w = 0; w < sp_session.workers; w++) {
        fprintf(output, "/* worker %s */\n0",
                sp_calls->run_worker_name(sp_session.run, w));
        for (unsigned k = 0; k < kinds->len; k++)
            if (runs_on(k, w))
                fprintf(output, " + %f w%ut%un", ms_on(k, w), w, k);
        fputs(" <= tmax;\n", output);
    }
    fputs("\n/* All tasks run */\n", output);
    for (unsigned k = 0; k < kinds->len; k++) {
        fprintf(output, "/* task %s key %x */\n", kind_at(k)->name,
                kind_at(k)->footprint);
        print_sum(output, k);
        fprintf(output, " = %" G_GUINT64_FORMAT ";\n", kind_at(k)->count);
    }
    fputs("\n/* For tasks that are not shared by workers:\nint ", output);
    const char *before = "";
    for (unsigned k = 0; k < kinds->len; k++)
        for (unsigned w = 0; w < sp_session.workers; w++)
            if (runs_on(k, w)) {
                fprintf(output, "%sw%ut%un", before, w, k);
                before = ", ";
            }
    fputs("; */\n", output);
}

static void print_mps_columns(FILE *output)
{
    for (unsigned k = 0; k < kinds->len; k++)
        for (unsigned w = 0; w < sp_session.workers; w++) {
            if (!runs_on(k, w))
                continue;
            g_autofree char *name = g_strdup_printf("W%uT%u", w, k);
            fprintf(output, "    %-8s  W%-7u  %12f\n", name, w, ms_on(k, w));
            fprintf(output, "    %-8s  T%-7u  %12d\n", name, k, 1);
        }
    for (unsigned w = 0; w < sp_session.workers; w++)
        fprintf(output, "    %-8s  W%-7u  %12d\n", "TMAX", w, -1);
    fprintf(output, "    %-8s  %-8s  %12d\n", "TMAX", "TMAX", 1);
}

/* In the fixed MPS format. */
void starpu_bound_print_mps(FILE *output)
{
    if (!has_tasks("starpu_bound_print_mps()"))
        return;
    fputs("NAME          bound\n"
          "* The least time in ms: the longest of the workers'\n"
          "ROWS\n N  TMAX\n",
          output);
    for (unsigned w = 0; w < sp_session.workers; w++)
        fprintf(output, "* worker %s\n L  W%u\n",
                sp_calls->run_worker_name(sp_session.run, w), w);
    for (unsigned k = 0; k < kinds->len; k++)
        fprintf(output, "* task %s key %x\n E  T%u\n", kind_at(k)->name,
                kind_at(k)->footprint, k);
    fputs("COLUMNS\n", output);
    print_mps_columns(output);
    fputs("RHS\n", output);
    for (unsigned k = 0; k < kinds->len; k++)
        fprintf(output, "    %-8s  T%-7u  %12" G_GUINT64_FORMAT "\n", "RHS", k,
                kind_at(k)->count);
    fputs("ENDATA\n", output);
}

void starpu_bound_print_dot(FILE *output)
{
    static const char call[] = "starpu_bound_print_dot()";
    (void)output;
    sp_need_session(call);
    sp_warn("%s: dependencies are not recorded; `orrery graph save` writes all "
            "tasks with theirs",
            call);
}
