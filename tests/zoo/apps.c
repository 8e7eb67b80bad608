/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Applications that hang by what they submit, or if the runtime does not keep
 * its word; each with as many tasks, or twice as many, as --tiles says. Their
 * kernels are those of zoo.xml.
 */
#include "apps/programs/app.h"

enum { SHORT, LONG };

enum { BYTES = 4000 };

#define COMMUTE ((enum orr_access_mode)(ORR_RW | ORR_COMMUTE))

/* A task that waits for a tag, 0: for none. */
static void submit(const struct orr_problem *problem, const char *name,
                   uint64_t tag, uint64_t awaited)
{
    struct orr_task_spec spec = {
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
static void submit_cycle(const struct orr_problem *problem)
{
    for (unsigned i = 0; i < problem->tiles; i++)
        submit(problem, "LINK", i + 1, (i + 1) % problem->tiles + 1);
}

/*
 * The application waits for one task more than it has submitted: a loop that
 * is off by one.
 */
static void submit_absent(const struct orr_problem *problem)
{
    for (unsigned i = 0; i < problem->tiles; i++)
        submit(problem, "STEP", i + 1, i);
    orr_run_wait_tag(problem->run, problem->tiles + 1, NULL);
}

/*
 * All tasks that wait, and then those for which they wait: right, unless the
 * window of submission is smaller than what the first of them needs. Real
 * programs run so for years, until somebody limits the window to save memory.
 */
static void submit_window(const struct orr_problem *problem)
{
    for (unsigned i = 0; i < problem->tiles; i++)
        submit(problem, "USE", 0, i + 1);
    for (unsigned i = 0; i < problem->tiles; i++)
        submit(problem, "MAKE", i + 1, 0);
}

/* Parts of a sum, added in any order, the first of them most urgently. */
static void submit_sum(const struct orr_problem *problem)
{
    struct orr_run *run = problem->run;
    struct orr_data *sum = orr_data_register(run, BYTES);

    for (unsigned i = 0; i < problem->tiles; i++) {
        struct orr_data *part = orr_data_register(run, BYTES);
        struct orr_task_spec make = {
            .kernel = problem->kernels[SHORT],
            .name = "MAKE",
            .count = 1,
            .accesses = {{part, ORR_W}},
        };
        struct orr_task_spec add = {
            .kernel = problem->kernels[LONG],
            .name = "ADD",
            .priority = (int)(problem->tiles - i),
            .count = 2,
            .accesses = {{part, ORR_R}, {sum, COMMUTE}},
        };

        orr_task_submit(run, &make);
        orr_task_submit(run, &add);
    }
}

static double once(double tiles)
{
    return tiles;
}

static double twice(double tiles)
{
    return 2 * tiles;
}

/* Their kernels do not say what they compute. */
static double flops(double size)
{
    return size;
}

#define KERNELS                                                                \
    {                                                                          \
        {.name = "short", .task = "SHORT", .task_dp = "SHORT"},                \
            {.name = "long", .task = "LONG", .task_dp = "LONG"},               \
            {.name = "short", .task = "SHORT", .task_dp = "SHORT"},            \
            {.name = "long", .task = "LONG", .task_dp = "LONG"},               \
    }

static const struct orr_app absent = {
    .name = "absent",
    .summary = "waits for a task that it does not submit",
    .kernels = KERNELS,
    .tasks = once,
    .flops = flops,
    .submit = submit_absent,
};

static const struct orr_app cycle = {
    .name = "cycle",
    .summary = "tasks that wait for each other",
    .kernels = KERNELS,
    .tasks = once,
    .flops = flops,
    .submit = submit_cycle,
};

static const struct orr_app sum = {
    .name = "sum",
    .summary = "parts that are added in any order",
    .kernels = KERNELS,
    .tasks = twice,
    .flops = flops,
    .submit = submit_sum,
};

static const struct orr_app window = {
    .name = "window",
    .summary = "tasks that wait for others submitted later",
    .kernels = KERNELS,
    .tasks = twice,
    .flops = flops,
    .submit = submit_window,
};

const struct orr_app *const orr_apps[] = {&absent, &cycle, &sum, &window, NULL};
