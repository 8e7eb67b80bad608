/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Applications that hang by what they submit, or if the runtime does not keep
 * its word; each with as many tasks, or twice as many, as --tiles says. Their
 * kernels are those of zoo.xml.
 */
#include "runtime/programs/dense.h"
#include "runtime/programs/programs.h"

enum { SHORT, LONG };

enum { BYTES = 4000 };

#define COMMUTE ((enum orr_access_mode)(ORR_RW | ORR_COMMUTE))

static const char *const kernels[] = {"short", "long", NULL};

/* An application in one run. */
struct problem {
    struct orr_run *run;
    unsigned tiles;
    struct orr_kernel *kernels[2];
};

/* A task that waits for a tag, 0: for none. */
static void add(const struct problem *problem, const char *name, uint64_t tag,
                uint64_t awaited)
{
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = problem->kernels[SHORT],
        .name = name,
        .tag = tag,
        .wait_count = awaited != 0,
        .wait_tags = &awaited,
    };

    orr_task_submit(problem->run, &spec);
}

/*
 * Each task waits for the next one, and the last for the first: a cycle of
 * dependencies, as tags allow it. Real ones come of tags that are computed, as
 * from the indices of tiles, and overflow or wrap around.
 */
static void submit_cycle(const struct problem *problem)
{
    for (unsigned i = 0; i < problem->tiles; i++)
        add(problem, "LINK", i + 1, (i + 1) % problem->tiles + 1);
}

/*
 * The application waits for one task more than it has submitted: a loop that
 * is off by one.
 */
static void submit_absent(const struct problem *problem)
{
    for (unsigned i = 0; i < problem->tiles; i++)
        add(problem, "STEP", i + 1, i);
    orr_run_wait_tag(problem->run, problem->tiles + 1, NULL);
}

/*
 * All tasks that wait, and then those for which they wait: right, unless the
 * window of submission is smaller than what the first of them needs. Real
 * programs run so for years, until somebody limits the window to save memory.
 */
static void submit_window(const struct problem *problem)
{
    for (unsigned i = 0; i < problem->tiles; i++)
        add(problem, "USE", 0, i + 1);
    for (unsigned i = 0; i < problem->tiles; i++)
        add(problem, "MAKE", i + 1, 0);
}

/* Parts of a sum, added in any order, the first of them most urgently. */
static void submit_sum(const struct problem *problem)
{
    struct orr_run *run = problem->run;
    struct orr_data *sum = orr_data_register(run, BYTES);

    for (unsigned i = 0; i < problem->tiles; i++) {
        struct orr_data *part = orr_data_register(run, BYTES);
        struct orr_task_spec make = {
            ORR_TASK_SPEC_INIT,
            .kernel = problem->kernels[SHORT],
            .name = "MAKE",
            .count = 1,
            .accesses = (const struct orr_access[]){{part, ORR_W}},
        };
        struct orr_task_spec add = {
            ORR_TASK_SPEC_INIT,
            .kernel = problem->kernels[LONG],
            .name = "ADD",
            .priority = (int)(problem->tiles - i),
            .count = 2,
            .accesses =
                (const struct orr_access[]){{part, ORR_R}, {sum, COMMUTE}},
        };

        orr_task_submit(run, &make);
        orr_task_submit(run, &add);
    }
}

static double once(const struct orr_app_values *values)
{
    return (double)orr_app_count(values, "tiles");
}

static double twice(const struct orr_app_values *values)
{
    return 2 * once(values);
}

/* Their kernels do not say what they compute. */
static double flops(const struct orr_app_values *values)
{
    return (double)orr_app_count(values, "size");
}

static bool submit(struct orr_run *run, const struct orr_app_values *values,
                   const char *family,
                   void (*submit_all)(const struct problem *problem),
                   GError **error)
{
    struct problem problem = {
        .run = run,
        .tiles = (unsigned)orr_app_count(values, "tiles"),
    };

    for (unsigned i = 0; kernels[i]; i++) {
        problem.kernels[i] = orr_kernel_find(
            run, family, kernels[i],
            (enum orr_kernel_precision)orr_app_choice(values, "precision"),
            (unsigned)orr_app_count(values, "tile"), error);
        if (!problem.kernels[i])
            return false;
    }
    submit_all(&problem);
    return true;
}

#define APP(NAME, SUMMARY, TASKS)                                              \
    static bool start_##NAME(struct orr_run *run,                              \
                             const struct orr_app_values *values,              \
                             GError **error)                                   \
    {                                                                          \
        return submit(run, values, #NAME, submit_##NAME, error);               \
    }                                                                          \
    static const struct orr_app NAME = {                                       \
        .name = #NAME,                                                         \
        .summary = (SUMMARY),                                                  \
        .kernels = kernels,                                                    \
        .options = orr_dense_options,                                          \
        .axis = "size",                                                        \
        .scale = "tiles",                                                      \
        .complete = orr_dense_complete,                                        \
        .tasks = (TASKS),                                                      \
        .flops = flops,                                                        \
        .submit = start_##NAME,                                                \
    }

APP(absent, "waits for a task that it does not submit", once);
APP(cycle, "tasks that wait for each other", once);
APP(sum, "parts that are added in any order", twice);
APP(window, "tasks that wait for others submitted later", twice);

const struct orr_app *const orr_apps[] = {&absent, &cycle, &sum, &window, NULL};
