/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/starpu/program.h"

/* Threads of the application, each with a chain of tasks of its own. */
enum { THREADS = 3, LENGTH = 4 };

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

static double done[THREADS];

static void *chain(void *argument)
{
    int number = *(int *)argument, value = 0;
    starpu_data_handle_t handle;
    starpu_variable_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)&value,
                                  sizeof(value));
    for (int i = 0; i < LENGTH + number; i++) {
        CHECK(starpu_task_insert(&work, STARPU_RW, handle, 0));
        if (number == 1)
            starpu_usleep(500);
    }
    starpu_data_unregister(handle);
    done[number] = elapsed();
    return NULL;
}

/* With an argument, the threads are not simulated. */
int main(int argc, char **argv)
{
    starpu_pthread_t threads[THREADS];
    int numbers[THREADS];
    CHECK(starpu_init(NULL));
    (void)argv;
    say("initialised");
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(argc > 1 ? pthread_create(&threads[i], NULL, chain, &numbers[i])
                       : starpu_pthread_create(&threads[i], NULL, chain,
                                               &numbers[i]));
    }
    for (int i = 0; i < THREADS; i++)
        CHECK(starpu_pthread_join(threads[i], NULL));
    say("threads joined");
    for (int i = 0; i < THREADS; i++)
        printf("thread %d: %.3f us\n", i, done[i]);
    starpu_shutdown();
    return 0;
}
