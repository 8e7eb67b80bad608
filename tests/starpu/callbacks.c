/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/starpu/program.h"

/* Each task's callback submits the next one; another chain is made of
 * acquisitions that call back. */
enum { LENGTH = 6 };

static void work_cpu(void *buffers[], void *arguments)
{
    (void)arguments;
    ++*(int *)STARPU_VARIABLE_GET_PTR(buffers[0]);
}

static double work_us(struct starpu_task *task, unsigned implementation)
{
    (void)task;
    (void)implementation;
    return 100;
}

static struct starpu_perfmodel work_model = {
    .type = STARPU_COMMON, .symbol = "work", .cost_function = work_us};
static struct starpu_codelet work = {
    .cpu_funcs = {work_cpu},
    .nbuffers = 1,
    .modes = {STARPU_RW},
    .model = &work_model,
    .name = "work",
};

static starpu_data_handle_t handle;
static int callbacks, prologues, acquired;

static void count_prologue(void *argument)
{
    (void)argument;
    prologues++;
}

static void submit_next(void *argument)
{
    int *left = (int *)argument;
    callbacks++;
    if (--*left == 0)
        return;
    struct starpu_task *task = starpu_task_create();
    task->cl = &work;
    task->handles[0] = handle;
    task->callback_func = submit_next;
    task->callback_arg = left;
    task->prologue_callback_func = count_prologue;
    CHECK(starpu_task_submit(task));
}

static void when_acquired(void *argument)
{
    acquired++;
    starpu_data_release((starpu_data_handle_t)argument);
}

int main(void)
{
    int value = 0, left = LENGTH + 1;
    CHECK(starpu_init(NULL));
    say("initialised");
    starpu_variable_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)&value,
                                  sizeof(value));
    submit_next(&left);
    CHECK(starpu_task_wait_for_all());
    say("chain of callbacks done");
    CHECK(starpu_task_insert(&work, STARPU_RW, handle, 0));
    CHECK(starpu_data_acquire_cb(handle, STARPU_R, when_acquired, handle));
    CHECK(starpu_task_insert(&work, STARPU_RW, handle, 0));
    CHECK(starpu_task_wait_for_all());
    say("acquisition called back");
    starpu_data_unregister(handle);
    printf("%d callbacks, %d prologues, %d acquired\n", callbacks, prologues,
           acquired);
    if (getenv("EXECUTED"))
        printf("value %d\n", value);
    starpu_shutdown();
    return 0;
}
