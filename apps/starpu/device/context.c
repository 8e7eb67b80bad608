/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The scheduling context: there is one, of number 0, with all workers. */
#include "apps/starpu/device/context.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/policy.h"
#include "apps/starpu/base/session.h"

#include <starpu_sched_ctx.h>
#include <starpu_scheduler.h>

static struct {
    struct starpu_worker_collection *workers; /* NULL: not asked for yet */
    void *user_data;
} context;

static void need_context(unsigned number, const char *call)
{
    sp_need_session(call);
    if (number != 0)
        sp_fail(call, "there is no scheduling context %u: only 0 is simulated",
                number);
}

void sp_context_end(void)
{
    if (context.workers) {
        context.workers->deinit(context.workers);
        g_free(context.workers);
    }
    context.workers = NULL;
    context.user_data = NULL;
}

void starpu_sched_ctx_set_policy_data(unsigned sched_ctx_id, void *policy_data)
{
    need_context(sched_ctx_id, "starpu_sched_ctx_set_policy_data()");
    sp_policy.data = policy_data;
}

void *starpu_sched_ctx_get_policy_data(unsigned sched_ctx_id)
{
    need_context(sched_ctx_id, "starpu_sched_ctx_get_policy_data()");
    return sp_policy.data;
}

void starpu_sched_ctx_set_user_data(unsigned sched_ctx_id, void *user_data)
{
    need_context(sched_ctx_id, "starpu_sched_ctx_set_user_data()");
    context.user_data = user_data;
}

void *starpu_sched_ctx_get_user_data(unsigned sched_ctx_id)
{
    need_context(sched_ctx_id, "starpu_sched_ctx_get_user_data()");
    return context.user_data;
}

/* ---- workers ---- */

struct starpu_worker_collection *starpu_sched_ctx_create_worker_collection(
    unsigned sched_ctx_id, enum starpu_worker_collection_type type)
{
    need_context(sched_ctx_id, "starpu_sched_ctx_create_worker_collection()");
    if (context.workers)
        return context.workers;
    context.workers = g_new(struct starpu_worker_collection, 1);
    (void)type; /* without hwloc, StarPU has lists alone */
    *context.workers = starpu_worker_list;
    context.workers->init(context.workers);
    for (unsigned w = 0; w < sp_session.workers; w++)
        context.workers->add(context.workers, (int)w);
    return context.workers;
}

struct starpu_worker_collection *
starpu_sched_ctx_get_worker_collection(unsigned sched_ctx_id)
{
    return starpu_sched_ctx_create_worker_collection(
        sched_ctx_id,
        sp_policy.policy ? sp_policy.policy->worker_type : STARPU_WORKER_LIST);
}

void starpu_sched_ctx_delete_worker_collection(unsigned sched_ctx_id)
{
    need_context(sched_ctx_id, "starpu_sched_ctx_delete_worker_collection()");
}

unsigned starpu_sched_ctx_get_nworkers(unsigned sched_ctx_id)
{
    need_context(sched_ctx_id, "starpu_sched_ctx_get_nworkers()");
    return sp_session.workers;
}

unsigned starpu_sched_ctx_get_workers_list(unsigned sched_ctx_id,
                                           int **workerids)
{
    need_context(sched_ctx_id, "starpu_sched_ctx_get_workers_list()");
    *workerids = calloc(sp_session.workers, sizeof(**workerids));
    for (unsigned w = 0; w < sp_session.workers; w++)
        (*workerids)[w] = (int)w;
    return sp_session.workers;
}

/* The array of the collection, which is not the caller's. */
unsigned starpu_sched_ctx_get_workers_list_raw(unsigned sched_ctx_id,
                                               int **workerids)
{
    *workerids =
        starpu_sched_ctx_get_worker_collection(sched_ctx_id)->workerids;
    return sp_session.workers;
}

unsigned starpu_sched_ctx_contains_worker(int workerid, unsigned sched_ctx_id)
{
    need_context(sched_ctx_id, "starpu_sched_ctx_contains_worker()");
    return workerid >= 0 && (unsigned)workerid < sp_session.workers;
}

unsigned
starpu_sched_ctx_contains_type_of_worker(enum starpu_worker_archtype arch,
                                         unsigned sched_ctx_id)
{
    need_context(sched_ctx_id, "starpu_sched_ctx_contains_type_of_worker()");
    return starpu_worker_get_count_by_type(arch) > 0;
}

unsigned starpu_sched_ctx_get_nshared_workers(unsigned sched_ctx_id,
                                              unsigned sched_ctx_id2)
{
    need_context(sched_ctx_id, "starpu_sched_ctx_get_nshared_workers()");
    need_context(sched_ctx_id2, "starpu_sched_ctx_get_nshared_workers()");
    return sp_session.workers;
}

unsigned starpu_sched_ctx_worker_get_id(unsigned sched_ctx_id)
{
    need_context(sched_ctx_id, "starpu_sched_ctx_worker_get_id()");
    return (unsigned)sp_acting_worker();
}

int starpu_sched_ctx_get_worker_rank(unsigned sched_ctx_id)
{
    need_context(sched_ctx_id, "starpu_sched_ctx_get_worker_rank()");
    return -1; /* of parallel tasks */
}

unsigned starpu_sched_ctx_overlapping_ctxs_on_worker(int workerid)
{
    (void)workerid;
    return 0;
}

unsigned starpu_worker_get_sched_ctx_id_stream(unsigned stream_workerid)
{
    (void)stream_workerid;
    return STARPU_NMAX_SCHED_CTXS;
}

void starpu_sched_ctx_worker_shares_tasks_lists(int workerid, int sched_ctx_id)
{
    (void)workerid;
    need_context((unsigned)sched_ctx_id,
                 "starpu_sched_ctx_worker_shares_tasks_lists()");
}

/* ---- tasks ---- */

unsigned starpu_sched_ctx_get_ctx_for_task(struct starpu_task *task)
{
    (void)task;
    return 0;
}

int starpu_sched_ctx_get_nready_tasks(unsigned sched_ctx_id)
{
    need_context(sched_ctx_id, "starpu_sched_ctx_get_nready_tasks()");
    return (int)sp_calls->run_tasks_ready(sp_session.run);
}

/* Numbers of tasks by which StarPU chooses among several contexts of a worker.
 */
void starpu_sched_ctx_list_task_counters_increment(unsigned sched_ctx_id,
                                                   int workerid)
{
    (void)sched_ctx_id;
    (void)workerid;
}

void starpu_sched_ctx_list_task_counters_decrement(unsigned sched_ctx_id,
                                                   int workerid)
{
    (void)sched_ctx_id;
    (void)workerid;
}

void starpu_sched_ctx_list_task_counters_reset(unsigned sched_ctx_id,
                                               int workerid)
{
    (void)sched_ctx_id;
    (void)workerid;
}

void starpu_sched_ctx_list_task_counters_increment_all_ctx_locked(
    struct starpu_task *task, unsigned sched_ctx_id)
{
    (void)task;
    (void)sched_ctx_id;
}

void starpu_sched_ctx_list_task_counters_decrement_all_ctx_locked(
    struct starpu_task *task, unsigned sched_ctx_id)
{
    (void)task;
    (void)sched_ctx_id;
}

void starpu_sched_ctx_list_task_counters_reset_all(struct starpu_task *task,
                                                   unsigned sched_ctx_id)
{
    (void)task;
    (void)sched_ctx_id;
}
