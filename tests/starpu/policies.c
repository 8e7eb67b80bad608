/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Three policies in StarPU's interface, which make the calls of StarPU's own
 * eager, ws and dmda: with quirks=exact they have the dates of the built-in
 * ones.
 */
#include <limits.h>
#include <math.h>
#include <schedulers/starpu_scheduler_toolbox.h>
#include <starpu.h>
#include <starpu_scheduler.h>
#include <stdlib.h>
#include <string.h>

/* ---- eager: one queue ---- */

struct eager {
    starpu_st_fifo_taskq_t queue;
    starpu_pthread_mutex_t lock;
    unsigned submitted, pushed;
};

static void eager_init(unsigned context)
{
    struct eager *eager = calloc(1, sizeof(*eager));

    eager->queue = starpu_st_fifo_taskq_create();
    STARPU_PTHREAD_MUTEX_INIT(&eager->lock, NULL);
    starpu_sched_ctx_set_policy_data(context, eager);
}

static void eager_deinit(unsigned context)
{
    struct eager *eager = starpu_sched_ctx_get_policy_data(context);

    STARPU_ASSERT(starpu_st_fifo_taskq_empty(eager->queue));
    STARPU_ASSERT(eager->submitted == eager->pushed);
    starpu_st_fifo_taskq_destroy(eager->queue);
    STARPU_PTHREAD_MUTEX_DESTROY(&eager->lock);
    free(eager);
}

/* Others may lock this worker while it waits for the lock. */
static void lock_relaxed(starpu_pthread_mutex_t *lock)
{
    starpu_worker_relax_on();
    STARPU_PTHREAD_MUTEX_LOCK(lock);
    starpu_worker_relax_off();
}

static void eager_submit_hook(struct starpu_task *task)
{
    struct eager *eager = starpu_sched_ctx_get_policy_data(task->sched_ctx);

    STARPU_ASSERT(task->cl && STARPU_TASK_GET_NBUFFERS(task) > 0);
    eager->submitted++;
}

static int eager_push(struct starpu_task *task)
{
    struct eager *eager = starpu_sched_ctx_get_policy_data(task->sched_ctx);
    unsigned can_run[STARPU_NMAXWORKERS];

    lock_relaxed(&eager->lock);
    starpu_st_fifo_taskq_push_task(eager->queue, task);
    eager->pushed++;
    /* The task may have run and be gone once the lock is released. */
    for (unsigned w = 0; w < starpu_worker_get_count(); w++)
        can_run[w] =
            (unsigned)starpu_worker_can_execute_task_first_impl(w, task, NULL);
    starpu_push_task_end(task);
    STARPU_PTHREAD_MUTEX_UNLOCK(&eager->lock);
    for (unsigned w = 0; w < starpu_worker_get_count(); w++)
        if (can_run[w] && starpu_wake_worker_relax_light((int)w))
            break;
    return 0;
}

static struct starpu_task *eager_pop(unsigned context)
{
    struct eager *eager = starpu_sched_ctx_get_policy_data(context);
    struct starpu_task *task;

    if (starpu_st_fifo_taskq_empty(eager->queue))
        return NULL;
    lock_relaxed(&eager->lock);
    task = starpu_st_fifo_taskq_pop_task(eager->queue, starpu_worker_get_id());
    STARPU_PTHREAD_MUTEX_UNLOCK(&eager->lock);
    return task;
}

static struct starpu_sched_policy eager = {
    .init_sched = eager_init,
    .deinit_sched = eager_deinit,
    .submit_hook = eager_submit_hook,
    .push_task = eager_push,
    .pop_task = eager_pop,
    .policy_name = "own-eager",
    .policy_description = "one queue",
    .worker_type = STARPU_WORKER_LIST,
};

/* ---- ws: a queue for each worker; idle workers steal ---- */

struct ws {
    struct starpu_st_prio_deque queues[STARPU_NMAXWORKERS];
    int empty[STARPU_NMAXWORKERS];       /* read without a lock */
    int busy[STARPU_NMAXWORKERS];        /* its last pop found a task */
    unsigned search[STARPU_NMAXWORKERS]; /* where it searches first */
    unsigned last;                       /* receiver of the application */
};

static void ws_init(unsigned context)
{
    starpu_sched_ctx_set_policy_data(context, calloc(1, sizeof(struct ws)));
    starpu_sched_ctx_set_min_priority(context, INT_MIN);
    starpu_sched_ctx_set_max_priority(context, INT_MAX);
}

static void ws_add(unsigned context, int *workers, unsigned count)
{
    struct ws *ws = starpu_sched_ctx_get_policy_data(context);

    for (unsigned i = 0; i < count; i++) {
        starpu_st_prio_deque_init(&ws->queues[workers[i]]);
        ws->empty[workers[i]] = 1;
    }
}

static void ws_deinit(unsigned context)
{
    free(starpu_sched_ctx_get_policy_data(context));
}

static unsigned ws_receiver(struct ws *ws, struct starpu_task *task)
{
    int self = starpu_worker_get_id();

    if (self >= 0 &&
        starpu_worker_can_execute_task_first_impl((unsigned)self, task, NULL))
        return (unsigned)self;
    do
        ws->last = (ws->last + 1) % starpu_worker_get_count();
    while (!starpu_worker_can_execute_task_first_impl(ws->last, task, NULL));
    return ws->last;
}

static int ws_push(struct starpu_task *task)
{
    struct ws *ws = starpu_sched_ctx_get_policy_data(task->sched_ctx);
    unsigned receiver = ws_receiver(ws, task);

    starpu_worker_lock((int)receiver);
    starpu_st_prio_deque_push_back_task(&ws->queues[receiver], task);
    ws->empty[receiver] = 0;
    starpu_push_task_end(task);
    starpu_worker_unlock((int)receiver);
    for (unsigned w = 0; w < starpu_worker_get_count(); w++)
        starpu_wake_worker_relax_light((int)w);
    return 0;
}

/* A worker takes its own oldest task, and the newest one of another. */
static struct starpu_task *ws_take(struct ws *ws, unsigned from, unsigned to)
{
    struct starpu_st_prio_deque *queue = &ws->queues[from];
    struct starpu_task *task =
        from == to
            ? starpu_st_prio_deque_pop_task_for_worker(queue, (int)to, NULL)
            : starpu_st_prio_deque_deque_task_for_worker(queue, (int)to, NULL);

    if (task)
        ws->empty[from] = starpu_st_prio_deque_is_empty(queue);
    return task;
}

static unsigned ws_after(unsigned worker)
{
    return worker + 1 < starpu_worker_get_count() ? worker + 1 : 0;
}

/* A busy worker with tasks, round-robin; -1: there is none. */
static int ws_victim(struct ws *ws, unsigned self)
{
    unsigned count = starpu_worker_get_count(), worker = ws->search[self];
    int found = -1;

    for (unsigned i = 0; i < count && found < 0; i++) {
        if (ws->busy[worker] && !ws->empty[worker])
            found = (int)worker;
        else
            worker = ws_after(worker);
    }
    ws->search[self] = ws_after(worker);
    return found;
}

static struct starpu_task *ws_steal(struct ws *ws, unsigned self)
{
    struct starpu_task *task;
    int victim;

    starpu_worker_relax_on();
    victim = ws_victim(ws, self);
    starpu_worker_relax_off();
    if (victim < 0)
        return NULL;
    if (starpu_worker_trylock(victim)) {
        starpu_sleep(1e-6f);
        starpu_wake_worker_no_relax((int)self);
        return NULL;
    }
    task = ws_take(ws, (unsigned)victim, self);
    starpu_worker_unlock(victim);
    ws->busy[self] = task != NULL;
    return task;
}

static struct starpu_task *ws_pop(unsigned context)
{
    struct ws *ws = starpu_sched_ctx_get_policy_data(context);
    unsigned self = starpu_worker_get_id_check();
    struct starpu_task *task;

    ws->busy[self] = 0;
    task = ws_take(ws, self, self);
    if (!task)
        return ws_steal(ws, self);
    ws->busy[self] = 1;
    return task;
}

static struct starpu_sched_policy ws = {
    .init_sched = ws_init,
    .add_workers = ws_add,
    .deinit_sched = ws_deinit,
    .push_task = ws_push,
    .pop_task = ws_pop,
    .policy_name = "own-ws",
    .policy_description = "a queue for each worker",
    .worker_type = STARPU_WORKER_LIST,
};

/* ---- dmda: the worker that ends first, with its copies ---- */

struct dmda {
    starpu_st_fifo_taskq_t queues[STARPU_NMAXWORKERS];
};

static void dmda_init(unsigned context)
{
    starpu_sched_ctx_set_policy_data(context, calloc(1, sizeof(struct dmda)));
}

static void dmda_add(unsigned context, int *workers, unsigned count)
{
    struct dmda *dmda = starpu_sched_ctx_get_policy_data(context);

    for (unsigned i = 0; i < count; i++)
        dmda->queues[workers[i]] = starpu_st_fifo_taskq_create();
}

static void dmda_remove(unsigned context, int *workers, unsigned count)
{
    struct dmda *dmda = starpu_sched_ctx_get_policy_data(context);

    for (unsigned i = 0; i < count; i++)
        starpu_st_fifo_taskq_destroy(dmda->queues[workers[i]]);
}

static void dmda_deinit(unsigned context)
{
    free(starpu_sched_ctx_get_policy_data(context));
}

/* When a queue could begin one more task. */
static double start_of(starpu_st_fifo_taskq_t queue, double now)
{
    double start = starpu_st_fifo_exp_start_get(queue);

    return isnan(start) ? now + starpu_st_fifo_pipeline_len_get(queue)
                        : STARPU_MAX(start, now);
}

static unsigned choose(struct dmda *dmda, struct starpu_task *task,
                       unsigned context)
{
    double now = starpu_timing_now(), least = INFINITY;
    unsigned best = 0;

    for (unsigned w = 0; w < starpu_worker_get_count(); w++) {
        starpu_st_fifo_taskq_t queue = dmda->queues[w];
        double start, length, transfer, end;

        if (!starpu_worker_can_execute_task_first_impl(w, task, NULL))
            continue;
        start = start_of(queue, now) + starpu_st_fifo_exp_len_get(queue);
        length = starpu_task_worker_expected_length(task, w, context, 0);
        transfer = starpu_task_expected_data_transfer_time_for(task, w);
        end = STARPU_MAX(start, now + transfer) + length;
        if (end + transfer >= least)
            continue;
        least = end + transfer;
        best = w;
        task->predicted = length;
        task->predicted_transfer = transfer;
    }
    return best;
}

/* Of the transfer, the part counts that does not overlap with planned work. */
static void plan(starpu_st_fifo_taskq_t queue, struct starpu_task *task)
{
    double now = starpu_timing_now();
    double start = start_of(queue, now);
    double end = start + starpu_st_fifo_exp_len_get(queue);

    task->predicted_transfer =
        STARPU_MAX(now + task->predicted_transfer - end, 0.0);
    starpu_st_fifo_exp_len_inc(queue,
                               task->predicted + task->predicted_transfer);
    starpu_st_fifo_exp_start_set(queue, start);
    starpu_st_fifo_exp_end_set(queue,
                               start + starpu_st_fifo_exp_len_get(queue));
}

static int dmda_push(struct starpu_task *task)
{
    struct dmda *dmda = starpu_sched_ctx_get_policy_data(task->sched_ctx);
    unsigned best = choose(dmda, task, task->sched_ctx);
    starpu_st_fifo_taskq_t queue = dmda->queues[best];

    starpu_worker_lock((int)best);
    plan(queue, task);
    starpu_worker_unlock((int)best);
    if (starpu_get_prefetch_flag())
        starpu_prefetch_task_input_for(task, best);
    starpu_worker_lock((int)best);
    starpu_st_fifo_taskq_push_task(queue, task);
    starpu_wake_worker_locked((int)best);
    starpu_push_task_end(task);
    starpu_worker_unlock((int)best);
    return 0;
}

static void set_start(starpu_st_fifo_taskq_t queue, double start)
{
    starpu_st_fifo_exp_start_set(queue, start);
    starpu_st_fifo_exp_end_set(queue,
                               start + starpu_st_fifo_exp_len_get(queue));
}

static struct starpu_task *dmda_pop(unsigned context)
{
    struct dmda *dmda = starpu_sched_ctx_get_policy_data(context);
    starpu_st_fifo_taskq_t queue = dmda->queues[starpu_worker_get_id_check()];
    double now = starpu_timing_now();
    struct starpu_task *task;

    if (!isnan(starpu_st_fifo_exp_start_get(queue)))
        set_start(queue, STARPU_MAX(starpu_st_fifo_exp_start_get(queue), now));
    task = starpu_st_fifo_taskq_pop_local_task(queue);
    if (!task)
        return NULL;
    starpu_st_fifo_exp_len_inc(queue, -task->predicted_transfer);
    starpu_st_fifo_pipeline_len_inc(queue, task->predicted_transfer);
    set_start(queue, now + starpu_st_fifo_pipeline_len_get(queue));
    return task;
}

static void dmda_pre_exec(struct starpu_task *task, unsigned context)
{
    struct dmda *dmda = starpu_sched_ctx_get_policy_data(context);
    starpu_st_fifo_taskq_t queue = dmda->queues[starpu_worker_get_id_check()];
    double now = starpu_timing_now();

    starpu_worker_lock_self();
    starpu_st_fifo_pipeline_len_inc(queue,
                                    task->predicted - task->predicted_transfer);
    starpu_st_fifo_exp_len_inc(queue, -task->predicted);
    set_start(queue, now + starpu_st_fifo_pipeline_len_get(queue));
    starpu_worker_unlock_self();
}

static void dmda_post_exec(struct starpu_task *task, unsigned context)
{
    struct dmda *dmda = starpu_sched_ctx_get_policy_data(context);
    starpu_st_fifo_taskq_t queue = dmda->queues[starpu_worker_get_id_check()];
    double now = starpu_timing_now();

    starpu_worker_lock_self();
    starpu_st_fifo_pipeline_len_inc(queue, -task->predicted);
    set_start(queue, STARPU_MAX(now + starpu_st_fifo_pipeline_len_get(queue),
                                starpu_st_fifo_exp_start_get(queue)));
    starpu_worker_unlock_self();
}

static struct starpu_sched_policy dmda = {
    .init_sched = dmda_init,
    .deinit_sched = dmda_deinit,
    .add_workers = dmda_add,
    .remove_workers = dmda_remove,
    .push_task = dmda_push,
    .pop_task = dmda_pop,
    .pre_exec_hook = dmda_pre_exec,
    .post_exec_hook = dmda_post_exec,
    .prefetches = 1,
    .policy_name = "own-dmda",
    .policy_description = "the worker that ends first",
    .worker_type = STARPU_WORKER_LIST,
};

/* ---- as StarPU finds them ---- */

static struct starpu_sched_policy *all[] = {&eager, &ws, &dmda, NULL};

struct starpu_sched_policy **starpu_get_sched_lib_policies(void)
{
    return all;
}

struct starpu_sched_policy *starpu_get_sched_lib_policy(const char *name)
{
    for (unsigned i = 0; all[i]; i++)
        if (strcmp(all[i]->policy_name, name) == 0)
            return all[i];
    return NULL;
}
