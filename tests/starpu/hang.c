/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/starpu/program.h"

#include <time.h>

/* Two tasks wait for each other's tag: the program never ends. "ring N": so do
 * N tasks, from two on. "clock": the number of tasks, which end, depends on the
 * time of day. */
static void nothing_cpu(void *buffers[], void *arguments)
{
    (void)buffers;
    (void)arguments;
}

static double work_us(struct starpu_task *task, unsigned implementation)
{
    (void)task;
    (void)implementation;
    return 10;
}

static struct starpu_perfmodel work_model = {
    .type = STARPU_COMMON, .symbol = "work", .cost_function = work_us};
static struct starpu_codelet work = {
    .cpu_funcs = {nothing_cpu}, .model = &work_model, .name = "work"};

static void submit(const char *name, starpu_tag_t tag, starpu_tag_t other)
{
    struct starpu_task *task = starpu_task_create();
    task->cl = &work;
    task->name = name;
    task->use_tag = 1;
    task->tag_id = tag;
    starpu_tag_declare_deps(tag, 1, other);
    CHECK(starpu_task_submit(task));
}

static void submit_ring(int count)
{
    for (int i = 0; i < count; i++)
        submit("ring", (starpu_tag_t)i + 1,
               (starpu_tag_t)((i + 1) % count) + 1);
}

static void submit_by_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    for (long i = 0; i <= now.tv_nsec / 1000 % 100; i++)
        CHECK(starpu_task_insert(&work, 0));
}

int main(int argc, char **argv)
{
    CHECK(starpu_init(NULL));
    if (argc > 2) {
        submit_ring(atoi(argv[2]));
    } else if (argc > 1) {
        submit_by_clock();
    } else {
        submit("chicken", 1, 2);
        submit("egg", 2, 1);
    }
    CHECK(starpu_task_wait_for_all());
    starpu_shutdown();
    return 0;
}
