/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/starpu/program.h"

/* Tasks right after starpu_init(): the workers have not looked for any yet. Who
 * gets which task depends on the order in which they look first. */
enum { TASKS = 4, LENGTH = 1024 };

static void execute(void *buffers[], void *arguments)
{
    (void)buffers;
    (void)arguments;
}

static double cost_us(struct starpu_task *task,
                      struct starpu_perfmodel_arch *arch,
                      unsigned implementation)
{
    (void)task;
    (void)implementation;
    return arch->devices[0].type == STARPU_CUDA_WORKER ? 100 : 1000;
}

static struct starpu_perfmodel model = {
    .type = STARPU_PER_ARCH, .symbol = "work", .arch_cost_function = cost_us};

static struct starpu_codelet work = {.cpu_funcs = {execute},
                                     .cuda_funcs = {execute},
                                     .nbuffers = 1,
                                     .modes = {STARPU_RW},
                                     .model = &model,
                                     .name = "work"};

int main(void)
{
    struct starpu_conf conf;
    starpu_data_handle_t blocks[TASKS];
    static float room[TASKS];
    char name[16];
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    CHECK(starpu_conf_init(&conf));
    conf.sched_policy_name = "eager";
    conf.ncpus = 7;
    conf.ncuda = 1;
    CHECK(starpu_init(&conf));
    elapsed();
    struct starpu_task *tasks[TASKS];
    for (int i = 0; i < TASKS; i++) {
        starpu_vector_data_register(&blocks[i], STARPU_MAIN_RAM,
                                    (uintptr_t)&room[i], LENGTH, sizeof(float));
        tasks[i] = starpu_task_create();
        tasks[i]->cl = &work;
        tasks[i]->handles[0] = blocks[i];
        tasks[i]->destroy = 0;
        CHECK(starpu_task_submit(tasks[i]));
    }
    CHECK(starpu_task_wait_for_all());
    say("all have ended");
    for (int i = 0; i < TASKS; i++) {
        starpu_worker_get_name(tasks[i]->profiling_info->workerid, name,
                               sizeof(name));
        printf("task %d on %.5s\n", i, name);
        starpu_task_destroy(tasks[i]);
        starpu_data_unregister(blocks[i]);
    }
    starpu_shutdown();
    return 0;
}
