/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/moves.h"

#include "runtime/lockstep/scheduling.h"
#include "runtime/lockstep/state.h"
#include "runtime/lockstep/worker_state.h"
#include "runtime/run.h"

enum { IF_ASLEEP = 1 }; /* turns: to signal a sleeping worker takes one more */

static struct orr_mutex *common_lock(const struct orr_run *run,
                                     enum orr_common_lock lock)
{
    return &orr_lockstep_run(&run->engine)->common[lock];
}

/* The lock that a move of this kind takes or gives; else NULL. */
static struct orr_mutex *lock_of(const struct moves *moves,
                                 const struct move *move)
{
    switch (move->kind) {
    case LOCK_SELF:
    case UNLOCK_SELF:
        return orr_worker_state_lock(moves->self);
    case LOCK_OTHER:
    case UNLOCK_OTHER:
        return orr_worker_state_lock(moves->other);
    case LOCK_POLICY:
    case UNLOCK_POLICY:
        return common_lock(moves->run, ORR_LOCK_POLICY);
    case LOCK_DECISION:
    case UNLOCK_DECISION:
        return common_lock(moves->run, ORR_LOCK_DECISION);
    case LOCK_UNKNOWN:
    case UNLOCK_UNKNOWN:
        return common_lock(moves->run, ORR_LOCK_UNKNOWN);
    case LOCK_QUEUE:
    case UNLOCK_QUEUE:
        return &orr_lockstep_worker(moves->receiver)->queue;
    case LOCK_PLAN:
    case UNLOCK_PLAN:
        return &orr_lockstep_worker(moves->self)->plan;
    case CALL:
    case OPEN:
    case CLOSE:
        break;
    }
    return NULL;
}

static enum orr_next play(struct orr_actor *actor, void *locals)
{
    struct moves *moves = locals;
    const struct move *move = moves->next++;
    struct orr_worker *self = moves->self;

    switch (move->kind) {
    case CALL:
        return move->call ? move->call(actor, moves) : ORR_DONE;
    case LOCK_SELF:
    case LOCK_OTHER:
    case LOCK_POLICY:
    case LOCK_DECISION:
    case LOCK_UNKNOWN:
    case LOCK_QUEUE:
    case LOCK_PLAN:
        return orr_lockstep_lock(lock_of(moves, move), actor);
    case UNLOCK_SELF:
    case UNLOCK_OTHER:
    case UNLOCK_POLICY:
    case UNLOCK_DECISION:
    case UNLOCK_UNKNOWN:
    case UNLOCK_QUEUE:
    case UNLOCK_PLAN:
        return orr_lockstep_unlock(lock_of(moves, move), actor);
    case OPEN:
    case CLOSE:
        break;
    }
    return orr_worker_state_set_open(actor, self == moves->other ? NULL : self,
                                     move->kind == OPEN);
}

struct moves *orr_moves_call(struct orr_actor *actor, struct orr_run *run,
                             struct orr_worker *self, const struct move *first)
{
    struct moves *moves = orr_actor_call(actor, play, sizeof(*moves));

    moves->run = run;
    moves->self = self;
    moves->next = first;
    return moves;
}

enum orr_next orr_moves_go_on(struct moves *moves, const struct move *next)
{
    moves->next = next;
    return ORR_CONTINUE;
}

enum orr_next orr_moves_again(struct moves *moves)
{
    moves->next--;
    return ORR_CONTINUE;
}

enum orr_next orr_moves_await_other(struct orr_actor *actor,
                                    struct moves *moves)
{
    moves->next--;
    return orr_worker_state_await_open(actor, moves->other);
}

enum orr_next orr_moves_ask_model(struct orr_actor *actor, struct moves *moves)
{
    struct orr_active *active = moves->job->active;

    if (orr_job_kernel(&moves->run->graph, moves->job)->joules)
        return ORR_CONTINUE;
    orr_point(actor->engine,
              active->asked ? ORR_POINT_MODEL_ASKED : ORR_POINT_MODEL_FIRST,
              moves->job);
    active->asked = true;
    return orr_actor_pass(actor);
}

struct orr_spinlock *orr_moves_find_taken(struct moves *moves, unsigned node)
{
    const struct orr_job *job = moves->job;
    const struct orr_engine *engine = &moves->run->engine;

    for (; moves->next_access < job->access_count; moves->next_access++) {
        const struct orr_job_access *access =
            &job->accesses[moves->next_access];
        struct orr_data *data = orr_access_data(access);

        if (!(orr_access_mode(access) & ORR_R) ||
            ((data->valid | data->awaited) >> node & 1))
            continue;
        if (orr_spinlock_is_taken(&data->lock, engine))
            return &data->lock;
    }
    moves->next_access = 0;
    return NULL;
}

enum orr_next orr_moves_prefetch(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;
    struct orr_job *job = moves->job;
    struct orr_spinlock *lock;

    if (moves->next_access == job->access_count) {
        moves->next_access = 0;
        return ORR_CONTINUE;
    }
    moves->next--;
    lock = &orr_access_data(&job->accesses[moves->next_access])->lock;
    if (orr_spinlock_is_taken(lock, actor->engine)) {
        orr_spinlock_await(actor, lock);
        return ORR_CONTINUE;
    }
    orr_access_prefetch(run, job, moves->next_access++,
                        moves->receiver->device);
    return orr_actor_pass(actor);
}

/* Wake-ups (workers.c: starpu_wake_worker_relax_light(),
 * starpu_wake_worker_locked()). */

enum orr_next orr_moves_signal(struct orr_actor *actor,
                               struct orr_worker *worker)
{
    orr_lockstep_spend(actor->engine, 1);
    orr_actor_signal(&worker->actor);
    return orr_lockstep_pass(actor, 1 + (worker->sleeping ? IF_ASLEEP : 0));
}

static enum orr_next wake_other(struct orr_actor *actor, struct moves *moves)
{
    struct orr_worker *worker = moves->other;

    if (moves->self == worker || !orr_lockstep_worker(worker)->closed) {
        *moves->result = orr_worker_note_wake(worker);
        return orr_moves_signal(actor, worker);
    }
    if (!worker->scheduling)
        return orr_moves_await_other(actor, moves);
    /* It is about to pop, or has just done so. */
    worker->woken = true;
    *moves->result = true;
    return ORR_CONTINUE;
}

static const struct move waking[] = {
    {OPEN, NULL},         {LOCK_OTHER, NULL}, {CALL, wake_other},
    {UNLOCK_OTHER, NULL}, {CLOSE, NULL},      {CALL, NULL},
};

void orr_waking_call(struct orr_actor *actor, struct orr_worker *by,
                     struct orr_worker *worker, bool *woken)
{
    struct moves *moves = orr_moves_call(actor, worker->run, by, waking);

    moves->other = worker;
    moves->result = woken;
}
