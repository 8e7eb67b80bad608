/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/starpu/program.h"

/* Two tasks wait for each other's tag: the program never ends. */
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

int main(void)
{
    CHECK(starpu_init(NULL));
    submit("chicken", 1, 2);
    submit("egg", 2, 1);
    CHECK(starpu_task_wait_for_all());
    starpu_shutdown();
    return 0;
}
