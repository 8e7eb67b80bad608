/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_UNIT_RUN_H
#define ORR_UNIT_RUN_H

#include <string.h>

#include "models/base/units.h"
#include "runtime/config/run_config.h"
#include "runtime/orrery.h"
#include "runtime/orrery_trace.h"
#include "tests/support/temp_file.h"

/*
 * A run on one of the platforms in tests/platforms/ that have a kernel "unit"
 * of 1000 us on every device, with all records of its trace.
 */
struct unit_run {
    struct orr_trace trace; /* first */
    struct orr_run *run;
    struct orr_kernel *unit;
    GArray *tasks;       /* struct orr_trace_task, in order of completion */
    GArray *copies;      /* struct orr_trace_copy */
    GArray *allocations; /* struct orr_trace_allocation */
    GArray *evictions;   /* struct orr_trace_eviction */
    GArray *ready;       /* struct orr_trace_ready */
};

static inline void unit_record_task(struct orr_trace *trace,
                                    const struct orr_trace_task *task)
{
    g_array_append_vals(((struct unit_run *)trace)->tasks, task, 1);
}

static inline void unit_record_copy(struct orr_trace *trace,
                                    const struct orr_trace_copy *copy)
{
    g_array_append_vals(((struct unit_run *)trace)->copies, copy, 1);
}

static inline void
unit_record_allocation(struct orr_trace *trace,
                       const struct orr_trace_allocation *allocation)
{
    g_array_append_vals(((struct unit_run *)trace)->allocations, allocation, 1);
}

static inline void
unit_record_eviction(struct orr_trace *trace,
                     const struct orr_trace_eviction *eviction)
{
    g_array_append_vals(((struct unit_run *)trace)->evictions, eviction, 1);
}

static inline void unit_record_ready(struct orr_trace *trace,
                                     const struct orr_trace_ready *ready)
{
    g_array_append_vals(((struct unit_run *)trace)->ready, ready, 1);
}

static inline struct orr_config unit_config(const char *sched, int cpus,
                                            int gpus)
{
    struct orr_config config;

    orr_config_init(&config);
    config.sched = sched;
    config.cpus = cpus;
    config.gpus = gpus;
    return config;
}

/* Options for one CPU, no GPU, and so large a window; 0: none. */
static inline struct orr_config unit_with_window(uint64_t window)
{
    struct orr_config config;

    orr_config_init(&config);
    config.cpus = 1;
    config.gpus = 0;
    config.window.most = window;
    return config;
}

/* The machine of @config, on a file in tests/platforms/. It is read once and
 * kept for ever: some tests have thousands of runs on it. */
static inline const struct orr_machine *
unit_machine(const struct orr_config *config)
{
    static GHashTable *machines;
    g_autofree char *key =
        g_strdup_printf("%s %d %d %d", config->platform, config->cpus,
                        config->gpus, config->stale_calibration);
    struct orr_machine *machine;
    g_autoptr(GError) error = NULL;

    if (!machines)
        machines = g_hash_table_new(g_str_hash, g_str_equal);
    machine = (struct orr_machine *)g_hash_table_lookup(machines, key);
    if (machine)
        return machine;
    machine = orr_machine_new(config, &error);
    if (error)
        fail_msg("%s", error->message);
    g_hash_table_insert(machines, g_steal_pointer(&key), machine);
    return machine;
}

/* @platform: a file in tests/platforms/, or one with its folder from "/" on.
 * The members of @options that choose a platform and a trace are ignored. */
static inline struct unit_run *unit_run_new(const char *platform,
                                            const struct orr_config *options)
{
    struct unit_run *unit = g_new0(struct unit_run, 1);
    g_autofree char *folder = source_file("tests/platforms");
    g_autofree char *path = g_path_is_absolute(platform)
                                ? g_strdup(platform)
                                : g_build_filename(folder, platform, NULL);
    struct orr_config config = *options;
    g_autoptr(GError) error = NULL;

    unit->trace = (struct orr_trace){ORR_TRACE_INIT,
                                     .task = unit_record_task,
                                     .copy = unit_record_copy,
                                     .allocation = unit_record_allocation,
                                     .eviction = unit_record_eviction,
                                     .ready = unit_record_ready};
    unit->tasks = g_array_new(FALSE, FALSE, sizeof(struct orr_trace_task));
    unit->copies = g_array_new(FALSE, FALSE, sizeof(struct orr_trace_copy));
    unit->allocations =
        g_array_new(FALSE, FALSE, sizeof(struct orr_trace_allocation));
    unit->evictions =
        g_array_new(FALSE, FALSE, sizeof(struct orr_trace_eviction));
    unit->ready = g_array_new(FALSE, FALSE, sizeof(struct orr_trace_ready));
    config.platform = path;
    config.trace = &unit->trace;
    if (!g_path_is_absolute(platform) && !config.changes)
        config.machine = unit_machine(&config);
    unit->run = orr_run_new(&config, &error);
    if (error)
        fail_msg("%s", error->message);
    unit->unit = orr_kernel_find(unit->run, "test", "unit",
                                 ORR_SINGLE_PRECISION, 960, &error);
    if (error)
        fail_msg("%s", error->message);
    return unit;
}

/* A run on three-gpus.xml. */
static inline struct unit_run *unit_run_on(const char *sched, int cpus,
                                           int gpus)
{
    struct orr_config config = unit_config(sched, cpus, gpus);

    return unit_run_new("three-gpus.xml", &config);
}

static inline void unit_run_free(struct unit_run *unit)
{
    orr_run_free(unit->run);
    g_array_unref(unit->tasks);
    g_array_unref(unit->copies);
    g_array_unref(unit->allocations);
    g_array_unref(unit->evictions);
    g_array_unref(unit->ready);
    g_free(unit);
}

/* Submits the kernel without data, */
static inline void unit_submit_bare(struct unit_run *unit)
{
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit};

    orr_task_submit(unit->run, &spec);
}

/* with one datum, */
static inline void unit_submit(struct unit_run *unit, struct orr_data *data,
                               enum orr_access_mode mode)
{
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = unit->unit,
        .count = 1,
        .accesses = (const struct orr_access[]){{data, mode}},
    };

    orr_task_submit(unit->run, &spec);
}

/* or reading one and updating another. */
static inline void unit_submit_pair(struct unit_run *unit,
                                    struct orr_data *read,
                                    struct orr_data *updated)
{
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = unit->unit,
        .count = 2,
        .accesses =
            (const struct orr_access[]){{read, ORR_R}, {updated, ORR_RW}},
    };

    orr_task_submit(unit->run, &spec);
}

static inline void unit_wait(struct unit_run *unit)
{
    g_autoptr(GError) error = NULL;

    if (!orr_run_wait(unit->run, &error))
        fail_msg("%s", error->message);
}

/* The @i-th task to end, or copy; dates are in ns. */
static inline const struct orr_trace_task *
unit_task(const struct unit_run *unit, unsigned i)
{
    assert_in_range(i, 0, unit->tasks->len - 1);
    return &g_array_index(unit->tasks, struct orr_trace_task, i);
}

static inline const struct orr_trace_copy *
unit_copy(const struct unit_run *unit, unsigned i)
{
    assert_in_range(i, 0, unit->copies->len - 1);
    return &g_array_index(unit->copies, struct orr_trace_copy, i);
}

/* When the task called @name started. */
static inline int64_t unit_start_of(const struct unit_run *unit,
                                    const char *name)
{
    for (unsigned i = 0; i < unit->tasks->len; i++) {
        if (strcmp(unit_task(unit, i)->name, name) == 0)
            return unit_task(unit, i)->started;
    }
    fail_msg("task %s has not run", name);
    return 0;
}

#endif
