/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program with a policy of its own: tasks wait in a list until the
 * application waits for them (do_schedule), and go to the worker that the
 * policy chooses. Prints how often each function was called.
 */
#include <starpu.h>
#include <starpu_scheduler.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    starpu_pthread_mutex_t lock;
    struct starpu_task_list collected;
    unsigned submitted, notified, scheduled, begun, ended;
    int at_once; /* tasks are not collected */
    int next;    /* worker */
} own;

static void init(unsigned context)
{
    STARPU_PTHREAD_MUTEX_INIT(&own.lock, NULL);
    starpu_task_list_init(&own.collected);
    starpu_sched_ctx_set_policy_data(context, &own);
}

static void deinit(unsigned context)
{
    STARPU_ASSERT(starpu_sched_ctx_get_policy_data(context) == &own);
    STARPU_ASSERT(starpu_task_list_empty(&own.collected));
}

static void submit_hook(struct starpu_task *task)
{
    STARPU_ASSERT(task->cl);
    own.submitted++;
}

enum { LIMITED = 6 };

/* Tasks with a number are pushed once each. */
static unsigned pushed[2 * LIMITED + 1];

static int give(struct starpu_task *task)
{
    int worker = own.next++ % (int)starpu_worker_get_count();

    return starpu_push_local_task(worker, task, 0);
}

static int push(struct starpu_task *task)
{
    pushed[(size_t)task->sched_data]++;
    if (own.at_once)
        return give(task);
    STARPU_PTHREAD_MUTEX_LOCK(&own.lock);
    starpu_task_list_push_back(&own.collected, task);
    starpu_push_task_end(task);
    STARPU_PTHREAD_MUTEX_UNLOCK(&own.lock);
    return 0;
}

static void notify(struct starpu_task *task, int worker, int perf_worker,
                   unsigned context)
{
    STARPU_ASSERT(worker == (int)task->workerid && worker == perf_worker);
    STARPU_ASSERT(context == 0);
    own.notified++;
}

/* Gives each task that has been collected to the next worker. */
static void do_schedule(unsigned context)
{
    struct starpu_task *task;

    (void)context;
    own.scheduled++;
    do {
        STARPU_PTHREAD_MUTEX_LOCK(&own.lock);
        task = starpu_task_list_empty(&own.collected)
                   ? NULL
                   : starpu_task_list_pop_front(&own.collected);
        STARPU_PTHREAD_MUTEX_UNLOCK(&own.lock);
        if (task)
            STARPU_ASSERT(give(task) == 0);
    } while (task);
}

static struct starpu_task *pop(unsigned context)
{
    (void)context;
    return NULL; /* workers have the tasks already */
}

static void pre_exec(struct starpu_task *task, unsigned context)
{
    STARPU_ASSERT(context == 0 && task->status == STARPU_TASK_RUNNING);
    own.begun++;
}

static void post_exec(struct starpu_task *task, unsigned context)
{
    STARPU_ASSERT(context == 0 &&
                  starpu_worker_get_id() == (int)task->workerid);
    own.ended++;
}

static struct starpu_sched_policy policy = {
    .init_sched = init,
    .deinit_sched = deinit,
    .submit_hook = submit_hook,
    .push_task = push,
    .push_task_notify = notify,
    .do_schedule = do_schedule,
    .pop_task = pop,
    .pre_exec_hook = pre_exec,
    .post_exec_hook = post_exec,
    .policy_name = "collector",
    .policy_description = "collects tasks until the application waits",
};

static void no_work(void *buffers[], void *argument)
{
    (void)buffers;
    (void)argument;
}

#define CODELET(name_, count, ...)                                             \
    {                                                                          \
        .cpu_funcs = {no_work}, .cuda_funcs = {no_work}, .nbuffers = count,    \
        .modes = {__VA_ARGS__}, .name = name_, .model = &starpu_perfmodel_nop  \
    }

static struct starpu_codelet begin = CODELET("begin", 1, STARPU_W);
static struct starpu_codelet merge =
    CODELET("merge", 2, STARPU_RW | STARPU_COMMUTE, STARPU_R);
static struct starpu_codelet add = CODELET("add", 1, STARPU_REDUX);

/* The tasks that merge the contributions are the runtime's; the policy gets
 * them too. Returns their number. */
static unsigned reduce(void)
{
    enum { TASKS = 4 };
    unsigned earlier = own.submitted;
    double sum = 0;
    starpu_data_handle_t handle;

    starpu_variable_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)&sum,
                                  sizeof(sum));
    starpu_data_set_reduction_methods(handle, &merge, &begin);
    for (unsigned i = 0; i < TASKS; i++)
        starpu_task_insert(&add, STARPU_REDUX, handle, 0);
    starpu_task_wait_for_all();
    own.at_once = 1; /* this is no wait for tasks, so nothing is decided */
    starpu_data_unregister(handle);
    return own.submitted - earlier - TASKS;
}

static void submit_numbered(size_t number, void (*callback)(void *number))
{
    struct starpu_task *task = starpu_task_create();

    task->cl = &starpu_codelet_nop;
    task->callback_func = callback;
    task->callback_arg = (void *)number;
    task->sched_data = (void *)number;
    STARPU_ASSERT(starpu_task_submit(task) == 0);
}

static void submit_second(void *number)
{
    submit_numbered((size_t)number + LIMITED, NULL);
}

/* Submits one task while another is in flight; each submits one more as it
 * ends, while the application waits. Returns how many were pushed once. */
static unsigned limit(void)
{
    unsigned once = 0;

    starpu_set_limit_min_submitted_tasks(1);
    starpu_set_limit_max_submitted_tasks(2);
    for (size_t i = 1; i <= LIMITED; i++)
        submit_numbered(i, submit_second);
    starpu_task_wait_for_all();
    for (size_t i = 1; i <= 2 * LIMITED; i++)
        once += pushed[i] == 1;
    return once;
}

int main(void)
{
    struct starpu_conf conf;
    unsigned merges;

    starpu_conf_init(&conf);
    conf.sched_policy = &policy;
    conf.ncpus = 2;
    conf.ncuda = 1;
    if (starpu_init(&conf) != 0)
        return 77;
    starpu_codelet_nop.model = &starpu_perfmodel_nop;
    for (unsigned i = 0; i < 12; i++) {
        struct starpu_task *task = starpu_task_create();

        task->cl = &starpu_codelet_nop;
        task->execute_on_a_specific_worker = i % 4 == 3;
        task->workerid = 1;
        if (starpu_task_submit(task) != 0)
            return 1;
    }
    starpu_do_schedule();
    STARPU_ASSERT(own.scheduled == 1 && starpu_task_list_empty(&own.collected));
    starpu_task_wait_for_all();
    printf("%s: submitted %u, notified %u, begun %u, ended %u, scheduled %s\n",
           starpu_sched_get_sched_policy()->policy_name, own.submitted,
           own.notified, own.begun, own.ended, own.scheduled ? "yes" : "no");
    merges = reduce();
    printf("merges %s, all begun %s\n", merges > 0 ? "yes" : "no",
           own.begun == own.submitted ? "yes" : "no");
    printf("in a window %u\n", limit());
    starpu_shutdown();
    return 0;
}
