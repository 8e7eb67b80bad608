/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RANDOM_RUN_H
#define ORR_RANDOM_RUN_H

#include "runtime/config/run_config.h"
#include "runtime/worker/worker.h"
#include "tests/support/unit_run.h"

/*
 * Random graphs on random machines: short of memory or not, with or without
 * CPUs and GPUs, with data of one size or several, with every mode of access,
 * with data that will not be used, with tags.
 */
enum { MAX_STEPS = 70, MAX_DATA = 16, MAX_SPEC = 4, MAX_AWAITED = 2 };

enum random_kind { UNIT, MIXED, ON_CPU, ON_CUDA0, WONT_USE, KINDS };

/* A task, or wont_use of its first datum. */
struct random_step {
    enum random_kind kind;
    int priority;
    unsigned count;
    unsigned data[MAX_SPEC];
    enum orr_access_mode modes[MAX_SPEC];
    unsigned wait_count; /* of: */
    uint64_t wait_tags[MAX_AWAITED];
};

/* All that a run follows from. */
struct random_plan {
    struct orr_config config;
    bool synchronous;
    unsigned data_count;
    uint64_t bytes[MAX_DATA];
    unsigned count;
    struct random_step steps[MAX_STEPS];
};

static inline bool random_step_runs_on(enum random_kind kind, bool has_cpus,
                                       bool has_gpus)
{
    return (kind != ON_CPU || has_cpus) && (kind != ON_CUDA0 || has_gpus);
}

static inline void random_plan_draw_step(struct random_plan *plan,
                                         struct random_step *step, GRand *rand)
{
    bool has_cpus = plan->config.cpus > 0, has_gpus = plan->config.gpus > 0;

    do
        step->kind = g_rand_int(rand) % KINDS;
    while (!random_step_runs_on(step->kind, has_cpus, has_gpus));
    step->priority = g_rand_int_range(rand, -2, 3);
    step->count = step->kind == WONT_USE
                      ? 1
                      : (unsigned)g_rand_int_range(rand, 0, MAX_SPEC + 1);
    for (unsigned i = 0; i < step->count; i++) {
        step->data[i] =
            (unsigned)g_rand_int_range(rand, 0, (gint32)plan->data_count);
        step->modes[i] = (enum orr_access_mode)g_rand_int_range(rand, 1, 4);
        if (step->modes[i] == ORR_RW && g_rand_boolean(rand))
            step->modes[i] = (enum orr_access_mode)(ORR_RW | ORR_COMMUTE);
    }
}

/* Each task has a tag: one more than the number of its step. */
static inline uint64_t random_step_tag(unsigned number)
{
    return number + 1;
}

/* Whether step @waiting may wait for step @awaited: for any before it, and for
 * those after it that wait for nothing themselves, if they are submitted
 * without waiting for it. */
static inline bool random_step_may_wait(const struct random_plan *plan,
                                        unsigned waiting, unsigned awaited)
{
    const struct random_step *other = &plan->steps[awaited];

    if (other->kind == WONT_USE || plan->steps[waiting].kind == WONT_USE)
        return false;
    return awaited < waiting ||
           (awaited > waiting && other->count == 0 && other->wait_count == 0 &&
            plan->config.window.most == 0);
}

/* Every fourth step or so waits for others. */
static inline void random_plan_draw_tags(struct random_plan *plan, GRand *rand)
{
    for (unsigned i = 0; i < plan->count; i++) {
        struct random_step *step = &plan->steps[i];

        if (step->count == 0 || g_rand_int_range(rand, 0, 4) > 0)
            continue;
        for (unsigned n = 0; n < MAX_AWAITED; n++) {
            unsigned other =
                (unsigned)g_rand_int_range(rand, 0, (gint32)plan->count);

            if (random_step_may_wait(plan, i, other))
                step->wait_tags[step->wait_count++] = random_step_tag(other);
        }
    }
}

/* A machine that is short of memory half of the time, and a graph. */
static inline void random_plan_draw(struct random_plan *plan, const char *sched,
                                    uint32_t seed)
{
    static const uint64_t sizes[] = {3686400, 4 << 20, 2000000};
    static const char *const models[] = {NULL, NULL, "clean", "overheads=off",
                                         "network=crude"};
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    unsigned several; /* sizes */

    *plan = (struct random_plan){0};
    orr_config_init(&plan->config);
    plan->config.sched = sched;
    plan->config.gpus = g_rand_int_range(rand, 0, 4);
    plan->config.cpus = g_rand_int_range(rand, plan->config.gpus == 0, 4);
    plan->config.models = models[g_rand_int(rand) % G_N_ELEMENTS(models)];
    plan->config.gpu_memory_bytes = (g_rand_boolean(rand) ? 32 : 256)
                                    << 20; /* 9 tiles, or all */
    plan->config.window.most = g_rand_int(rand) % 3 == 0 ? 5 : 0;
    plan->config.seed = seed;
    plan->config.pipeline = (int)(seed % (ORR_MAX_PIPELINE + 1));
    plan->config.perturb.share = g_rand_boolean(rand) ? 0.1 : 0;
    plan->synchronous = g_rand_boolean(rand);
    plan->data_count = (unsigned)g_rand_int_range(rand, 1, MAX_DATA + 1);
    several = g_rand_boolean(rand) ? G_N_ELEMENTS(sizes) : 1;
    for (unsigned i = 0; i < plan->data_count; i++)
        plan->bytes[i] = sizes[g_rand_int(rand) % several];
    plan->count = (unsigned)g_rand_int_range(rand, 1, MAX_STEPS + 1);
    for (unsigned i = 0; i < plan->count; i++)
        random_plan_draw_step(plan, &plan->steps[i], rand);
    random_plan_draw_tags(plan, rand);
}

/* A run that repeats the mapping and order of another one does not repeat which
 * of commuting tasks is first. */
static inline void random_plan_do_not_commute(struct random_plan *plan)
{
    for (unsigned i = 0; i < plan->count; i++) {
        for (unsigned n = 0; n < plan->steps[i].count; n++)
            plan->steps[i].modes[n] &= ORR_RW;
    }
}

static inline unsigned random_plan_count_tasks(const struct random_plan *plan)
{
    unsigned count = 0;

    for (unsigned i = 0; i < plan->count; i++)
        count += plan->steps[i].kind != WONT_USE;
    return count;
}

static inline struct orr_kernel *random_run_kernel(struct unit_run *unit,
                                                   enum random_kind kind)
{
    static const char *const names[] = {"unit", "mixed", "on-cpu", "on-cuda0"};

    return orr_kernel_find(unit->run, "test", names[kind], ORR_SINGLE_PRECISION,
                           960, NULL);
}

static inline void random_run_step(struct unit_run *unit,
                                   struct orr_data **data,
                                   const struct random_step *step, uint64_t tag)
{
    struct orr_access accesses[G_N_ELEMENTS(step->modes)];
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .priority = step->priority,
        .count = step->count,
        .accesses = accesses,
        .tag = tag,
        .wait_count = step->wait_count,
        .wait_tags = step->wait_tags,
    };

    if (step->kind == WONT_USE) {
        orr_data_wont_use(unit->run, data[step->data[0]]);
        return;
    }
    spec.kernel = random_run_kernel(unit, step->kind);
    for (unsigned i = 0; i < step->count; i++)
        accesses[i] = (struct orr_access){data[step->data[i]], step->modes[i]};
    orr_task_submit(unit->run, &spec);
}

/* A run of a plan, step by step. */
struct random_run {
    const struct random_plan *plan;
    struct unit_run *unit;
    struct orr_data *data[MAX_DATA];
    unsigned next; /* step */
};

static inline void random_run_begin(struct random_run *random,
                                    const struct random_plan *plan)
{
    struct unit_run *unit = unit_run_new("three-gpus.xml", &plan->config);

    *random = (struct random_run){.plan = plan, .unit = unit};
    if (plan->synchronous)
        orr_kernel_set_synchronous(unit->unit);
    for (unsigned i = 0; i < plan->data_count; i++)
        random->data[i] = orr_data_register(unit->run, plan->bytes[i]);
}

static inline bool random_run_go_on(struct random_run *random)
{
    const struct random_plan *plan = random->plan;

    if (random->next == plan->count)
        return false;
    random_run_step(random->unit, random->data, &plan->steps[random->next],
                    random_step_tag(random->next));
    random->next++;
    return true;
}

static inline void random_run_finish(struct random_run *random)
{
    while (random_run_go_on(random))
        ;
    unit_wait(random->unit);
}

static inline void random_run_end(struct random_run *random)
{
    unit_run_free(random->unit);
}

#endif
