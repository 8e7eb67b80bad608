/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random programs, written against StarPU's interface and against orrery.h:
 * both give the same run. They have data that tasks and the program itself
 * access in any mode, codelets of all classes of workers, priorities,
 * dependencies of their own, sleeps and waits.
 */
#include <starpu.h>
#include <stdlib.h>
#include <string.h>

#include "apps/starpu/base/session.h"
#include "tests/support/cmocka_all.h"

enum { MOST_DATA = 6, MOST_STEPS = 60, MOST_ACCESSES = 3, MOST_DEPS = 2 };

enum kind { TASK, USE, SLEEP, WAIT, KINDS };

struct step {
    enum kind kind;
    unsigned count; /* of accesses; USE: 1 */
    unsigned data[MOST_ACCESSES];
    enum orr_access_mode modes[MOST_ACCESSES];
    /* TASK */
    int64_t cpu_us, gpu_us; /* 0: it cannot run there */
    int priority;
    unsigned dep_count;
    unsigned deps[MOST_DEPS]; /* earlier steps, tasks */
    bool commutes;            /* its last access */
    /* SLEEP */
    int us;
};

struct plan {
    const char *sched, *cpus, *gpus;
    unsigned data_count;
    unsigned bytes[MOST_DATA];
    unsigned count;
    struct step steps[MOST_STEPS];
};

/* ---- plans ---- */

static unsigned below(GRand *rand, unsigned end)
{
    return (unsigned)g_rand_int_range(rand, 0, (gint32)end);
}

static void draw_accesses(struct plan *plan, struct step *step, GRand *rand)
{
    step->count = step->kind == USE ? 1 : below(rand, MOST_ACCESSES + 1);
    step->count = MIN(step->count, plan->data_count);
    for (unsigned i = 0; i < step->count; i++) {
        bool twice;

        do {
            twice = false;
            step->data[i] = below(rand, plan->data_count);
            for (unsigned j = 0; j < i; j++)
                twice |= step->data[j] == step->data[i];
        } while (twice);
        step->modes[i] = (enum orr_access_mode)(1 + below(rand, 3));
    }
    step->commutes = step->count > 0 && below(rand, 4) == 0;
    if (step->commutes)
        step->modes[step->count - 1] = ORR_RW;
}

static void draw_task(struct plan *plan, unsigned number, GRand *rand)
{
    struct step *step = &plan->steps[number];
    bool has_gpus = strcmp(plan->gpus, "0") != 0;
    unsigned where = has_gpus ? below(rand, 3) : 0;

    draw_accesses(plan, step, rand);
    step->cpu_us = where == 1 ? 0 : 1 + below(rand, 500);
    step->gpu_us = where == 0 ? 0 : 1 + below(rand, 100);
    step->priority = (int)below(rand, 3);
    for (unsigned i = 0; i < below(rand, MOST_DEPS + 1) && number > 0; i++) {
        unsigned dep = below(rand, number);

        if (plan->steps[dep].kind == TASK &&
            (step->dep_count == 0 || step->deps[0] != dep))
            step->deps[step->dep_count++] = dep;
    }
}

static void draw(struct plan *plan, GRand *rand)
{
    static const char *const scheds[] = {"eager", "prio",  "lws",   "ws",
                                         "dm",    "dmda",  "dmdar", "dmdas",
                                         "dmdap", "random"};
    static const char *const counts[] = {"0", "1", "2"};

    *plan = (struct plan){
        .sched = scheds[below(rand, G_N_ELEMENTS(scheds))],
        .cpus = counts[1 + below(rand, 2)],
        .gpus = counts[below(rand, 3)],
        .data_count = 1 + below(rand, MOST_DATA),
        .count = 1 + below(rand, MOST_STEPS),
    };
    for (unsigned i = 0; i < plan->data_count; i++)
        plan->bytes[i] = 4u << below(rand, 20);
    for (unsigned i = 0; i < plan->count; i++) {
        struct step *step = &plan->steps[i];
        unsigned choice = below(rand, 10);

        step->kind = choice < 7    ? TASK
                     : choice == 7 ? USE
                     : choice == 8 ? SLEEP
                                   : WAIT;
        step->us = (int)below(rand, 300);
        if (step->kind == TASK)
            draw_task(plan, i, rand);
        else if (step->kind == USE)
            draw_accesses(plan, step, rand);
    }
}

/* ---- what a run gives ---- */

struct result {
    uint64_t digest;
    int64_t date, makespan_ns;
    uint64_t bytes;
};

static struct result result_of(struct orr_run *run)
{
    const struct orr_report *report = orr_run_report(run);

    return (struct result){
        .digest = report->digest,
        .date = orr_run_now(run),
        .makespan_ns = report->makespan_ns,
        .bytes = report->bytes_host_to_device + report->bytes_device_to_host +
                 report->bytes_device_to_device,
    };
}

/* ---- StarPU's interface ---- */

static double cost_us(struct starpu_task *task,
                      struct starpu_perfmodel_arch *arch, unsigned number)
{
    const struct step *step = task->cl_arg;

    (void)number;
    return arch->devices->type == STARPU_CPU_WORKER ? (double)step->cpu_us
                                                    : (double)step->gpu_us;
}

static struct starpu_perfmodel model = {
    .type = STARPU_PER_ARCH, .symbol = "random", .arch_cost_function = cost_us};

static void no_kernel(void *buffers[], void *argument)
{
    (void)buffers;
    (void)argument;
}

/* The codelet of @step: by class of workers, and number of data. */
static struct starpu_codelet *codelet_of(const struct step *step)
{
    static struct starpu_codelet codelets[3][MOST_ACCESSES + 1];
    unsigned class = step->gpu_us == 0 ? 0 : step->cpu_us == 0 ? 1 : 2;
    struct starpu_codelet *codelet = &codelets[class][step->count];

    if (codelet->model)
        return codelet;
    codelet->model = &model;
    codelet->name = "random";
    codelet->nbuffers = STARPU_VARIABLE_NBUFFERS;
    if (class != 1)
        codelet->cpu_funcs[0] = no_kernel;
    if (class != 0)
        codelet->cuda_funcs[0] = no_kernel;
    return codelet;
}

static void submit_starpu(const struct plan *plan, unsigned number,
                          starpu_data_handle_t *data,
                          struct starpu_task **tasks)
{
    const struct step *step = &plan->steps[number];
    struct starpu_task *task = starpu_task_create();
    struct starpu_task *deps[MOST_DEPS];

    tasks[number] = task;
    task->cl = codelet_of(step);
    task->cl_arg = (void *)step;
    task->nbuffers = (int)step->count;
    task->priority = step->priority;
    task->destroy = 0;
    for (unsigned i = 0; i < step->count; i++) {
        task->handles[i] = data[step->data[i]];
        task->modes[i] = (enum starpu_data_access_mode)step->modes[i];
        if (step->commutes && i + 1 == step->count)
            task->modes[i] |= STARPU_COMMUTE;
    }
    for (unsigned i = 0; i < step->dep_count; i++)
        deps[i] = tasks[step->deps[i]];
    if (step->dep_count > 0)
        starpu_task_declare_deps_array(task, step->dep_count, deps);
    assert_int_equal(starpu_task_submit(task), 0);
}

static void begin_starpu(const struct plan *plan)
{
    g_autofree char *sampling = g_build_filename(
        g_getenv("abs_top_srcdir"), "tests", "starpu-sampling", NULL);

    g_setenv("STARPU_PERF_MODEL_DIR", sampling, TRUE);
    g_setenv("STARPU_HOSTNAME", "tiny", TRUE);
    g_setenv("STARPU_NCPU", plan->cpus, TRUE);
    g_setenv("STARPU_NCUDA", plan->gpus, TRUE);
    g_setenv("STARPU_SCHED", plan->sched, TRUE);
    assert_int_equal(starpu_init(NULL), 0);
}

static struct result run_starpu(const struct plan *plan)
{
    starpu_data_handle_t data[MOST_DATA] = {NULL};
    struct starpu_task *tasks[MOST_STEPS] = {NULL};
    void *memory[MOST_DATA] = {NULL};
    struct result result;

    begin_starpu(plan);
    for (unsigned i = 0; i < plan->data_count; i++) {
        memory[i] = g_malloc0(plan->bytes[i]);
        starpu_vector_data_register(&data[i], STARPU_MAIN_RAM,
                                    (uintptr_t)memory[i], plan->bytes[i], 1);
    }
    for (unsigned i = 0; i < plan->count; i++) {
        const struct step *step = &plan->steps[i];

        if (step->kind == TASK) {
            submit_starpu(plan, i, data, tasks);
        } else if (step->kind == USE) {
            starpu_data_acquire(data[step->data[0]],
                                (enum starpu_data_access_mode)step->modes[0]);
            starpu_data_release(data[step->data[0]]);
        } else if (step->kind == SLEEP) {
            starpu_usleep((float)step->us);
        } else {
            starpu_task_wait_for_all();
        }
    }
    starpu_task_wait_for_all();
    for (unsigned i = 0; i < plan->data_count; i++)
        starpu_data_unregister(data[i]);
    result = result_of(sp_session.run);
    for (unsigned i = 0; i < plan->count; i++) {
        if (tasks[i])
            starpu_task_destroy(tasks[i]);
    }
    starpu_shutdown();
    for (unsigned i = 0; i < plan->data_count; i++)
        g_free(memory[i]);
    return result;
}

/* ---- orrery.h ---- */

static void set(struct orr_config *config, const char *name, const char *value)
{
    g_autoptr(GError) error = NULL;

    if (!orr_config_set(config, name, value, &error))
        fail_msg("%s", error->message);
}

static struct orr_run *begin_direct(const struct plan *plan)
{
    g_autofree char *platform = g_strdup_printf(
        "starpu:%s/tests/starpu-sampling:tiny", g_getenv("abs_top_srcdir"));
    struct orr_config *config = orr_config_new();
    g_autoptr(GError) error = NULL;
    struct orr_run *run;

    set(config, "platform", platform);
    set(config, "cpus", plan->cpus);
    set(config, "gpus", plan->gpus);
    set(config, "sched", plan->sched);
    if (!strstr(orr_version(), "no-lockstep"))
        set(config, "model", "quirks=exact");
    run = orr_run_new(config, &error);
    orr_config_free(config);
    if (!run)
        fail_msg("%s", error->message);
    orr_run_wake(run);
    return run;
}

static void end(struct orr_run *run, void *data)
{
    (void)run;
    (void)data;
}

static void submit_direct(struct orr_run *run, const struct plan *plan,
                          unsigned number, struct orr_data *const *data,
                          struct orr_kernel *kernel)
{
    const struct step *step = &plan->steps[number];
    struct orr_access accesses[MOST_ACCESSES];
    struct orr_cost costs[16] = {{0}};
    uint64_t deps[MOST_DEPS];

    assert_in_range(orr_run_workers(run), 1, G_N_ELEMENTS(costs));
    for (unsigned w = 0; w < orr_run_workers(run); w++)
        costs[w].ns = 1000 * (orr_run_worker_class(run, w) == ORR_WHERE_GPU
                                  ? step->gpu_us
                                  : step->cpu_us);
    for (unsigned i = 0; i < step->count; i++) {
        accesses[i].data = data[step->data[i]];
        accesses[i].mode = step->modes[i];
        if (step->commutes && i + 1 == step->count)
            accesses[i].mode = (enum orr_access_mode)(ORR_RW | ORR_COMMUTE);
    }
    for (unsigned i = 0; i < step->dep_count; i++)
        deps[i] = step->deps[i] + 1;
    orr_task_submit(run, &(struct orr_task_spec){
                             ORR_TASK_SPEC_INIT,
                             .kernel = kernel,
                             .count = step->count,
                             .accesses = accesses,
                             .priority = step->priority,
                             .tag = number + 1,
                             .wait_count = step->dep_count,
                             .wait_tags = deps,
                             .costs = costs,
                             .implementations = 1,
                             .blocks_driver = step->gpu_us > 0,
                             .callback = end,
                         });
}

static struct result run_direct(const struct plan *plan)
{
    struct orr_run *run = begin_direct(plan);
    struct orr_kernel *kernel = orr_kernel_new(run, "random", NULL);
    struct orr_data *data[MOST_DATA] = {NULL};
    struct result result;

    for (unsigned i = 0; i < plan->data_count; i++)
        data[i] =
            orr_data_register_matrix(run, plan->bytes[i], 1, plan->bytes[i]);
    for (unsigned i = 0; i < plan->count; i++) {
        const struct step *step = &plan->steps[i];

        if (step->kind == TASK) {
            submit_direct(run, plan, i, data, kernel);
        } else if (step->kind == USE) {
            orr_data_acquire(run, data[step->data[0]], step->modes[0], NULL);
            orr_data_release(run, data[step->data[0]]);
        } else if (step->kind == SLEEP) {
            /* a float of seconds, as in the other interface */
            float seconds = (float)step->us / 1000000;

            orr_run_sleep(run, (int64_t)((double)seconds * 1e9 + 0.5), NULL);
        } else {
            orr_run_wait(run, NULL);
        }
    }
    orr_run_wait(run, NULL);
    for (unsigned i = 0; i < plan->data_count; i++)
        orr_data_unregister(run, data[i], NULL);
    result = result_of(run);
    orr_run_free(run);
    return result;
}

static void both_interfaces_give_the_same_run(void **state)
{
    const char *seed = g_getenv("test_seed");
    unsigned programs = orr_tests_are_full() ? 2000 : orr_tests_share(100);
    GRand *rand = g_rand_new_with_seed(seed ? (guint32)atoi(seed) : 37);
    struct plan *plan = g_new(struct plan, 1);

    (void)state;
    for (unsigned i = 0; i < programs; i++) {
        struct result one, other;

        draw(plan, rand);
        one = run_starpu(plan);
        other = run_direct(plan);
        if (memcmp(&one, &other, sizeof(one)) != 0)
            fail_msg("program %u (%s, %s CPUs, %s GPUs, %u steps) ends at "
                     "%" G_GINT64_FORMAT " ns with StarPU's interface, at "
                     "%" G_GINT64_FORMAT
                     " ns without; digests %" G_GUINT64_FORMAT
                     " and %" G_GUINT64_FORMAT,
                     i, plan->sched, plan->cpus, plan->gpus, plan->count,
                     one.date, other.date, one.digest, other.digest);
    }
    g_free(plan);
    g_rand_free(rand);
}

ORR_TESTS(starpu_random_program)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_interfaces_give_the_same_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
