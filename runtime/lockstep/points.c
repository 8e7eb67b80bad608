/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/points.h"

#include "runtime/lockstep/queue_scan.h"
#include "runtime/lockstep/state.h"
#include "runtime/run.h"

/* One thing that the acting actor does: it takes a lock, spends so many turns,
 * and gives it back; or merely spends them. */
enum lock {
    NOTHING, /* the list of steps ends */
    NO_LOCK,
    OWN_STATE, /* that of the acting worker, if it is one */
    MODEL,     /* that of the kernel of the task */
    STATE,     /* that of the worker */
    COMMON,    /* from here on: enum orr_common_lock */
    READY = COMMON + ORR_LOCK_READY,
    SUBMITTED = COMMON + ORR_LOCK_SUBMITTED,
    FINISHED = COMMON + ORR_LOCK_FINISHED,
    ARCHS = COMMON + ORR_LOCK_ARCHS,
    STARTED = COMMON + ORR_LOCK_STARTED,
};

struct step {
    uint8_t lock; /* enum lock */
    uint8_t turns;
};

enum { STEPS = 7 };

struct play {
    struct step steps[STEPS];
    void (*call)(struct orr_engine *engine, void *object); /* or this */
};

/* Turns. */
enum {
    LOCK_OWN = 2,    /* a lock of a task, a datum: nobody else asks for it */
    LAST_SIGNAL = 4, /* of a task: a lock, a condition made, told, given */
    PREPARE = 10     /* a task, until it is counted as submitted */
};

#define SPEND(n)                                                               \
    {                                                                          \
        NO_LOCK, n                                                             \
    }
#define CHANGE_STATE                                                           \
    {                                                                          \
        OWN_STATE, 2                                                           \
    } /* it has another lock in that */
#define COUNT_END                                                              \
    {READY, 0}, {SUBMITTED, 0}, {FINISHED, 0}, {SUBMITTED, 0},                 \
    {                                                                          \
        OWN_STATE, 0                                                           \
    }

static void release_data(struct orr_engine *engine, void *object)
{
    const struct orr_job *job = object;

    orr_lockstep_spend(engine, (1 + job->declared_count) * LOCK_OWN);
}

static void note_waiting(struct orr_engine *engine, void *object)
{
    (void)engine;
    orr_queue_scan_posted(object);
}

static void hold_lock(struct orr_engine *engine, void *object)
{
    struct orr_spinlock *lock = object;

    (void)engine;
    lock->until = ORR_NEVER; /* until it is given back */
    lock->taken++;
}

static void touch_lock(struct orr_engine *engine, void *object)
{
    struct orr_spinlock *lock = object;

    (void)engine;
    lock->taken++;
}

static void forget_lock(void *arg)
{
    struct orr_spinlock *lock = arg;

    if (--lock->taken > 0)
        return;
    lock->toucher = NULL;
    lock->holder = NULL;
}

static void leave_lock(struct orr_engine *engine, void *object)
{
    orr_lockstep_act(engine, forget_lock, object);
}

/* In the midst of starting a copy the datum is given back; then the request is
 * put into the list of those in flight (2). */
static void queue_copy(struct orr_engine *engine, void *object)
{
    struct orr_request *request = object;
    unsigned operations = orr_copy_operations(request);

    orr_lockstep_spend(engine, operations + (operations > 1));
    leave_lock(engine, &request->data->lock);
    orr_lockstep_spend(engine, 2);
}

/* Meanwhile it allocates nothing (StarPU, DATAWIZARD_DO_NOT_ALLOC). */
static void begin_spin(struct orr_engine *engine, void *object)
{
    (void)engine;
    ((struct orr_worker *)object)->sparing++;
}

static void end_spin(struct orr_engine *engine, void *object)
{
    (void)engine;
    ((struct orr_worker *)object)->sparing--;
}

static const struct play plays[ORR_POINTS] = {
    /* task.c: _starpu_task_submit() */
    [ORR_POINT_TASK_SUBMITTED] = {{SPEND(PREPARE),
                                   {SUBMITTED, 1},
                                   SPEND(LOCK_OWN)}},

    /* driver_common.c: _starpu_driver_start_job() and its callers */
    [ORR_POINT_FETCHES_ASKED] = {{CHANGE_STATE}},
    [ORR_POINT_NO_ROOM] = {{{STATE, 1}}},
    [ORR_POINT_KERNEL_BEGINS] = {{CHANGE_STATE,
                                  CHANGE_STATE,
                                  {STARTED, 0},
                                  {ARCHS, 0},
                                  {ARCHS, 0},
                                  {MODEL, 0}}},
    [ORR_POINT_KERNEL_BEHIND] =
        {{CHANGE_STATE, {ARCHS, 0}, {ARCHS, 0}, {MODEL, 0}}},
    [ORR_POINT_KERNEL_FOLLOWS] = {{CHANGE_STATE, {STARTED, 0}}},
    [ORR_POINT_KERNEL_QUEUED] = {{SPEND(1)}},

    /* driver_common.c: _starpu_driver_end_job(),
     * _starpu_driver_update_job_feedback(); coherency.c */
    [ORR_POINT_TASK_ENDS] =
        {{{ARCHS, 0}, CHANGE_STATE, {ARCHS, 0}, SPEND(LOCK_OWN)}},
    [ORR_POINT_DATA_RELEASED] = {.call = release_data},

    /* jobs.c: _starpu_handle_job_termination() */
    [ORR_POINT_SUCCESSOR_TOLD] = {{SPEND(LOCK_OWN)}},
    [ORR_POINT_SUCCESSORS_TOLD] = {{SPEND(LAST_SIGNAL + LOCK_OWN), COUNT_END}},

    /* user_interactions.c: _starpu_data_wont_use(). The second task is
     * submitted at the price of a task. */
    [ORR_POINT_WONT_USE_BEGINS] = {{{READY, 1}, SPEND(2 * LOCK_OWN)}},
    [ORR_POINT_WONT_USE_HAS] = {{CHANGE_STATE}},
    [ORR_POINT_WONT_USE_LISTS] = {{SPEND(LOCK_OWN)}},
    [ORR_POINT_WONT_USE_SUBMITS] = {{SPEND(3 * LOCK_OWN),
                                     {SUBMITTED, 1},
                                     SPEND(LOCK_OWN)}},
    [ORR_POINT_WONT_USE_RELEASES] = {{{READY, 1},
                                      SPEND(LOCK_OWN + LAST_SIGNAL + LOCK_OWN),
                                      COUNT_END}},
    [ORR_POINT_WONT_USE_ENDS] = {{CHANGE_STATE, SPEND(LAST_SIGNAL + LOCK_OWN),
                                  COUNT_END}},

    /* driver_cuda.c */
    [ORR_POINT_DRIVER_LOCK] = {{SPEND(1)}},
    [ORR_POINT_DRIVER_CALL] = {{SPEND(1)}},
    [ORR_POINT_DRIVER_RETURN] = {{SPEND(2)}},

    /* data_request.c; each a list of requests, with its lock */
    [ORR_POINT_REQUEST_POSTED] = {{SPEND(2)}},
    [ORR_POINT_REQUEST_WAITS] = {.call = note_waiting},
    [ORR_POINT_REQUEST_ALLOCATES] = {{SPEND(2)}},
    [ORR_POINT_COPY_QUEUED] = {.call = queue_copy},
    [ORR_POINT_REQUESTS_LEFT] = {{SPEND(2)}},

    /* simgrid.c: its stream is told */
    [ORR_POINT_COPY_LAUNCHED] = {{SPEND(1)}},

    [ORR_POINT_LOCK_HELD] = {.call = hold_lock},
    [ORR_POINT_LOCK_TOUCHED] = {.call = touch_lock},
    [ORR_POINT_LOCK_LEFT] = {.call = leave_lock},
    [ORR_POINT_SPIN_BEGINS] = {.call = begin_spin},
    [ORR_POINT_SPIN_ENDS] = {.call = end_spin},
};

static struct orr_mutex *lock_of_kernel(struct orr_run *run,
                                        struct orr_kernel *kernel)
{
    GHashTable **locks = &orr_lockstep_run(&run->engine)->kernel_locks;
    struct orr_mutex *lock;

    if (!*locks)
        *locks = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    lock = g_hash_table_lookup(*locks, kernel);
    if (!lock) {
        lock = g_new0(struct orr_mutex, 1);
        g_hash_table_insert(*locks, kernel, lock);
    }
    return lock;
}

/* NULL: none. */
static struct orr_mutex *find_lock(struct orr_engine *engine, enum lock lock,
                                   void *object)
{
    struct orr_run *run = engine->context;

    switch (lock) {
    case NOTHING:
    case NO_LOCK:
        return NULL;
    case OWN_STATE:
        if (!engine->acting || engine->acting->who == ORR_NO_WORKER)
            return NULL;
        return orr_worker_state_lock(run->workers[engine->acting->who]);
    case MODEL:
        return lock_of_kernel(run, ((struct orr_job *)object)->kernel);
    case STATE:
        return orr_worker_state_lock(object);
    default:
        return &orr_lockstep_run(&run->engine)->common[lock - COMMON];
    }
}

static void hold(struct orr_engine *engine, struct orr_mutex *mutex,
                 unsigned turns)
{
    orr_lockstep_take(engine, mutex);
    orr_lockstep_spend(engine, turns);
    orr_lockstep_give(engine, mutex);
}

void orr_points_play(struct orr_engine *engine, enum orr_point point,
                     void *object)
{
    const struct play *play = &plays[point];

    if (play->call) {
        play->call(engine, object);
        return;
    }
    for (unsigned i = 0; i < STEPS && play->steps[i].lock != NOTHING; i++) {
        const struct step *step = &play->steps[i];
        struct orr_mutex *lock = find_lock(engine, step->lock, object);

        if (lock)
            hold(engine, lock, step->turns);
        else if (step->lock == NO_LOCK)
            orr_lockstep_spend(engine, step->turns);
    }
}

void orr_points_ready(struct orr_run *run)
{
    hold(&run->engine, &orr_lockstep_run(&run->engine)->common[ORR_LOCK_READY],
         1);
}

void orr_points_clear(struct orr_run *run)
{
    g_clear_pointer(&orr_lockstep_run(&run->engine)->kernel_locks,
                    g_hash_table_unref);
}
