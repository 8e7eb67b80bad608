/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* starpu_rogue: a list of tasks in StarPU's interface that does what no policy
 * may: ROGUE_WHAT, of the environment, in ROGUE_WHERE. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <starpu.h>
#include <starpu_scheduler.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct data {
    starpu_pthread_mutex_t mutex, other;
    starpu_pthread_cond_t cond;
    pthread_mutex_t raw;
    struct starpu_task_list tasks;
    struct starpu_task *first; /* the one that was popped first */
    int pipe[2];
};

static int is(const char *variable, const char *value)
{
    const char *is = getenv(variable);

    return is && strcmp(is, value) == 0;
}

static int does(const char *what)
{
    return is("ROGUE_WHAT", what);
}

/* No compiler sees through it. */
static volatile int flag;
static char *volatile nowhere;

/* Locks and other calls without a task. */
static void misuse_locks(struct data *data)
{
    if (does("LOCK_TWICE")) {
        STARPU_PTHREAD_MUTEX_LOCK(&data->other);
        STARPU_PTHREAD_MUTEX_LOCK(&data->other);
    } else if (does("UNLOCK_FREE")) {
        STARPU_PTHREAD_MUTEX_UNLOCK(&data->other);
    } else if (does("KEEP")) {
        STARPU_PTHREAD_MUTEX_LOCK(&data->other);
    } else if (does("RAW_KEEP")) {
        pthread_mutex_lock(&data->raw);
    } else if (does("KEEP_WORKER")) {
        starpu_worker_lock(0);
    } else if (does("UNLOCK_WORKER")) {
        starpu_worker_unlock(0);
    } else if (does("RELAX")) {
        starpu_worker_relax_on();
    } else if (does("UNRELAX")) {
        starpu_worker_relax_off();
        starpu_worker_relax_off();
    } else if (does("WAIT_FREE")) {
        STARPU_PTHREAD_COND_WAIT(&data->cond, &data->other);
    }
}

static void block(struct data *data)
{
    char byte;

    if (does("SLEEP")) {
        sleep(100);
    } else if (does("USLEEP")) {
        usleep(200000);
    } else if (does("LOOP")) {
        for (;;)
            ;
    } else if (does("SPIN")) {
        while (!flag)
            sched_yield();
    } else if (does("READ")) {
        if (read(data->pipe[0], &byte, 1) < 0)
            flag = errno;
    } else if (does("WAIT")) {
        flag = starpu_task_wait_for_all();
    }
}

static void misbehave(const char *where, struct starpu_task *task)
{
    struct data *data = starpu_sched_ctx_get_policy_data(0);

    if (!is("ROGUE_WHERE", where))
        return;
    misuse_locks(data);
    block(data);
    if (does("TASK_WAIT"))
        flag = starpu_task_wait(task);
    else if (does("SUBMIT"))
        flag = starpu_task_submit(starpu_task_create());
    else if (does("WAKE_NOBODY"))
        starpu_wake_worker_relax_light(99);
    else if (does("NO_CONTEXT"))
        starpu_sched_ctx_get_policy_data(3);
    else if (does("ABORT"))
        STARPU_ABORT_MSG("had enough");
    else if (does("ASSERT"))
        STARPU_ASSERT(flag == 1);
    else if (does("CRASH"))
        *nowhere = 1;
    else if (does("EXIT"))
        exit(0);
}

static void init(unsigned context)
{
    struct data *data = calloc(1, sizeof(*data));

    starpu_sched_ctx_set_policy_data(context, data);
    STARPU_PTHREAD_MUTEX_INIT(&data->mutex, NULL);
    STARPU_PTHREAD_MUTEX_INIT(&data->other, NULL);
    STARPU_PTHREAD_COND_INIT(&data->cond, NULL);
    pthread_mutex_init(&data->raw, NULL);
    starpu_task_list_init(&data->tasks);
    if (pipe(data->pipe))
        abort();
    misbehave("INIT", NULL);
}

static void deinit(unsigned context)
{
    struct data *data = starpu_sched_ctx_get_policy_data(context);

    misbehave("DEINIT", NULL);
    close(data->pipe[0]);
    close(data->pipe[1]);
    free(data);
}

static int push(struct starpu_task *task)
{
    struct data *data = starpu_sched_ctx_get_policy_data(0);

    misbehave("PUSH", task);
    if (does("FREE_PUSHED"))
        starpu_task_destroy(task);
    if (does("FREE_RAW")) {
        free(task);
        return 0;
    }
    if (does("PUSH_FAILS"))
        return -ENODEV;
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    starpu_task_list_push_back(&data->tasks, task);
    starpu_push_task_end(task);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    for (unsigned w = 0; w < starpu_worker_get_count(); w++)
        starpu_wake_worker_relax_light((int)w);
    return 0;
}

/* What the worker gets in place of @task. */
static struct starpu_task *pervert(struct data *data, struct starpu_task *task)
{
    if (!data->first)
        data->first = task;
    if (does("TWICE"))
        return data->first;
    if (does("WILD"))
        return (struct starpu_task *)(uintptr_t)0x1234567;
    if (does("OWN"))
        return starpu_task_create();
    if (does("FREE_POPPED"))
        starpu_task_destroy(task);
    if (does("PREFETCH_POPPED") && data->first != task)
        starpu_prefetch_task_input_for(data->first, 0);
    if (does("PUSH_POPPED") && data->first != task)
        starpu_push_local_task(0, data->first, 0);
    return task;
}

static struct starpu_task *pop(unsigned context)
{
    struct data *data = starpu_sched_ctx_get_policy_data(context);
    unsigned worker = starpu_worker_get_id_check();
    struct starpu_task *task;

    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    task = starpu_task_list_front(&data->tasks);
    if (task && !does("UNABLE") &&
        !starpu_worker_can_execute_task_first_impl(worker, task, NULL))
        task = NULL;
    if (task)
        starpu_task_list_erase(&data->tasks, task);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    if (task) {
        misbehave("POP", task);
        task = pervert(data, task);
    }
    return task;
}

static void pre_exec(struct starpu_task *task, unsigned context)
{
    (void)context;
    misbehave("PRE_EXEC", task);
}

static void post_exec(struct starpu_task *task, unsigned context)
{
    (void)context;
    misbehave("POST_EXEC", task);
    if (does("FREE_ENDED"))
        starpu_task_destroy(task);
}

static struct starpu_sched_policy rogue = {
    .init_sched = init,
    .deinit_sched = deinit,
    .push_task = push,
    .pop_task = pop,
    .pre_exec_hook = pre_exec,
    .post_exec_hook = post_exec,
    .policy_name = "rogue",
    .policy_description = "does what no policy may",
    .worker_type = STARPU_WORKER_LIST,
};

struct starpu_sched_policy *starpu_get_sched_lib_policy(const char *name)
{
    if (does("NO_PUSH"))
        rogue.push_task = NULL;
    if (does("NO_POP"))
        rogue.pop_task = NULL;
    return strcmp(name, "rogue") == 0 ? &rogue : NULL;
}

struct starpu_sched_policy **starpu_get_sched_lib_policies(void)
{
    static struct starpu_sched_policy *policies[] = {&rogue, NULL};

    return policies;
}
