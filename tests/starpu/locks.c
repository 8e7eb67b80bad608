/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/starpu/program.h"

#include <string.h>

/* Threads that wait for each other and for callbacks; "cycle": two of them for
 * ever. */
enum { THREADS = 3, ROUNDS = 4 };

static starpu_pthread_mutex_t first, second, queue_mutex;
static starpu_pthread_cond_t queue_cond, never;
static starpu_pthread_barrier_t barrier;
static starpu_sem_t permits;
static int queued, in_section, served;
static int serial_threads;

static double work_us(struct starpu_task *task, unsigned implementation)
{
    (void)task;
    (void)implementation;
    return 100;
}

static void work_cpu(void *buffers[], void *arguments)
{
    (void)buffers;
    (void)arguments;
}

static struct starpu_perfmodel work_model = {
    .type = STARPU_COMMON, .symbol = "work", .cost_function = work_us};
static struct starpu_codelet work = {
    .where = STARPU_CPU,
    .cpu_funcs = {work_cpu},
    .nbuffers = 1,
    .modes = {STARPU_RW},
    .model = &work_model,
    .name = "work",
};

static void add_to_queue(void *argument)
{
    (void)argument;
    STARPU_PTHREAD_MUTEX_LOCK(&queue_mutex);
    queued++;
    STARPU_PTHREAD_COND_SIGNAL(&queue_cond);
    STARPU_PTHREAD_MUTEX_UNLOCK(&queue_mutex);
}

/* Takes what callbacks add. */
static void *serve(void *argument)
{
    (void)argument;
    STARPU_PTHREAD_MUTEX_LOCK(&queue_mutex);
    while (served < THREADS * ROUNDS) {
        while (queued == 0)
            STARPU_PTHREAD_COND_WAIT(&queue_cond, &queue_mutex);
        queued--;
        served++;
    }
    STARPU_PTHREAD_MUTEX_UNLOCK(&queue_mutex);
    say("all served");
    return NULL;
}

static void *chain(void *argument)
{
    long number = (long)argument;
    int value = 0;
    starpu_data_handle_t handle;
    starpu_variable_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)&value,
                                  sizeof(value));
    for (int i = 0; i < ROUNDS; i++) {
        starpu_sem_wait(&permits);
        STARPU_PTHREAD_MUTEX_LOCK(&first);
        if (in_section++)
            printf("two threads in the section\n");
        starpu_sleep(20e-6F * (float)(number + 1));
        in_section--;
        STARPU_PTHREAD_MUTEX_UNLOCK(&first);
        CHECK(starpu_task_insert(&work, STARPU_RW, handle, STARPU_CALLBACK,
                                 add_to_queue, 0));
        starpu_sem_post(&permits);
        if (starpu_pthread_barrier_wait(&barrier) ==
            STARPU_PTHREAD_BARRIER_SERIAL_THREAD)
            serial_threads++;
    }
    starpu_data_unregister(handle);
    return (void *)(number * number);
}

static void *lock_both(void *argument)
{
    starpu_pthread_mutex_t *one = argument == NULL ? &first : &second;
    STARPU_PTHREAD_MUTEX_LOCK(one);
    starpu_sleep(1e-6F);
    STARPU_PTHREAD_MUTEX_LOCK(one == &first ? &second : &first);
    return NULL;
}

static void wait_for_each_other(void)
{
    starpu_pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        CHECK(starpu_pthread_create(&threads[i], NULL, lock_both,
                                    i == 0 ? NULL : &second));
    for (int i = 0; i < 2; i++)
        CHECK(starpu_pthread_join(threads[i], NULL));
}

static void wait_for_nobody(void)
{
    STARPU_PTHREAD_MUTEX_LOCK(&first);
    STARPU_PTHREAD_COND_WAIT(&never, &first);
}

static void run_threads(void)
{
    starpu_pthread_t server, threads[THREADS];
    CHECK(starpu_pthread_create(&server, NULL, serve, NULL));
    for (long i = 0; i < THREADS; i++)
        CHECK(starpu_pthread_create(&threads[i], NULL, chain, (void *)i));
    for (int i = 0; i < THREADS; i++) {
        void *result;
        CHECK(starpu_pthread_join(threads[i], &result));
        if (getenv("EXECUTED") && (long)result != (long)i * i)
            printf("thread %d returned %ld\n", i, (long)result);
    }
    CHECK(starpu_pthread_join(server, NULL));
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    CHECK(starpu_init(NULL));
    STARPU_PTHREAD_MUTEX_INIT(&first, NULL);
    STARPU_PTHREAD_MUTEX_INIT(&second, NULL);
    STARPU_PTHREAD_MUTEX_INIT(&queue_mutex, NULL);
    STARPU_PTHREAD_COND_INIT(&queue_cond, NULL);
    STARPU_PTHREAD_COND_INIT(&never, NULL);
    STARPU_PTHREAD_BARRIER_INIT(&barrier, NULL, THREADS);
    starpu_sem_init(&permits, 0, 2);
    say("initialised");
    if (!strcmp(what, "cycle"))
        wait_for_each_other();
    else if (!strcmp(what, "forgotten"))
        wait_for_nobody();
    else
        run_threads();
    say("threads joined");
    printf("%d served\n", served);
    if (getenv("EXECUTED")) /* SimGrid's threads have neither */
        printf("%d times the last at the barrier\n", serial_threads);
    starpu_shutdown();
    return 0;
}
