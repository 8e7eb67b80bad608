/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/starpu/program.h"

/* A triangle of tasks, ordered by tags alone, that are declared before the
 * tasks exist. */
enum { SIDE = 5 };

static void nothing_cpu(void *buffers[], void *arguments)
{
    (void)buffers;
    (void)arguments;
}

static double work_us(struct starpu_task *task, unsigned implementation)
{
    (void)implementation;
    return 50.0 * (double)(1 + task->tag_id % SIDE);
}

static struct starpu_perfmodel work_model = {
    .type = STARPU_COMMON, .symbol = "work", .cost_function = work_us};
static struct starpu_codelet work = {
    .cpu_funcs = {nothing_cpu}, .model = &work_model, .name = "work"};

static starpu_tag_t tag_of(int row, int column)
{
    return (starpu_tag_t)(1000 + row * SIDE + column);
}

static void submit(int row, int column)
{
    struct starpu_task *task = starpu_task_create();
    task->cl = &work;
    task->use_tag = 1;
    task->tag_id = tag_of(row, column);
    if (row > 0 && column > 0) {
        starpu_tag_declare_deps(task->tag_id, 2, tag_of(row - 1, column - 1),
                                tag_of(row, column - 1));
    } else if (row > 0) {
        starpu_tag_declare_deps(task->tag_id, 1, tag_of(row - 1, column));
    }
    CHECK(starpu_task_submit(task));
}

int main(void)
{
    CHECK(starpu_init(NULL));
    say("initialised");
    /* The last row comes first. */
    for (int row = SIDE - 1; row >= 0; row--)
        for (int column = 0; column <= row; column++)
            submit(row, column);
    say("submitted");
    CHECK(starpu_tag_wait(tag_of(2, 0)));
    say("first tag of the third row");
    starpu_tag_t last[SIDE];
    for (int column = 0; column < SIDE; column++)
        last[column] = tag_of(SIDE - 1, column);
    CHECK(starpu_tag_wait_array(SIDE, last));
    say("all tags of the last row");
    CHECK(starpu_task_wait_for_all());
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column <= row; column++)
            starpu_tag_remove(tag_of(row, column));
    /* A removed tag is as good as new. */
    submit(0, 0);
    CHECK(starpu_tag_wait(tag_of(0, 0)));
    say("tag used again");
    starpu_shutdown();
    return 0;
}
