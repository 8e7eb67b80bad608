/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/explore/footprint.h"

#include "runtime/run.h"
#include "runtime/worker/concurrent.h"
#include "runtime/worker/progress.h"
#include "runtime/worker/submit.h"
#include "runtime/worker/worker.h"

#define ALL_NODES (ORR_TOUCH_NODE(ORR_TOUCH_NODES) - 1)
#define ALL_WORKERS (ORR_TOUCH_DUE - ORR_TOUCH_WORKER(0))

static uint64_t find_quiet(const struct orr_run *run)
{
    uint64_t nodes = 0;

    for (unsigned node = 0; node < run->node_count; node++) {
        if (orr_progress_is_quiet(run, node))
            nodes |= ORR_TOUCH_NODE(node);
    }
    return nodes;
}

static unsigned count_tracked(const struct orr_run *run)
{
    return MIN(run->worker_count, (unsigned)ORR_TOUCH_WORKERS);
}

/* The objects whose visible state has changed since the step began. */
static uint64_t find_changes(const struct orr_run *run)
{
    uint64_t changes = find_quiet(run) ^ run->footprint.quiet;

    for (unsigned w = 0; w < count_tracked(run); w++) {
        if (orr_worker_visible_state(run->workers[w]) !=
            run->footprint.visible[w])
            changes |= ORR_TOUCH_WORKER(w);
    }
    return changes;
}

/* Predicts the next action of the procedure on top. If *@turn is set, the
 * prediction is for the time after this turn of progress. */
static enum orr_worker_outlook predict_top(const struct orr_worker *worker,
                                           const struct orr_turn **turn)
{
    const struct orr_frame *frame = worker->actor.top;

    if (frame->procedure == orr_worker_cpu)
        return orr_worker_cpu_predict(worker, frame + 1, turn);
    if (frame->procedure == orr_worker_gpu)
        return orr_worker_gpu_predict(worker, frame + 1, turn);
    *turn = orr_progress_turn_in(frame);
    return ORR_WORKER_ACTS;
}

/* Whether the turn, having found nothing, sleeps, or ends, after which the
 * worker does what @then says, and that is to yield. */
static bool idles(const struct orr_turn *turn, enum orr_worker_outlook then,
                  uint64_t *relied)
{
    if (turn) {
        switch (orr_turn_predict(turn, relied)) {
        case ORR_TURN_FINDS:
            return false;
        case ORR_TURN_SLEEPS:
            return true;
        case ORR_TURN_ENDS:
            break;
        }
    }
    return then == ORR_WORKER_YIELDS;
}

static void predict_worker(struct orr_footprint_state *state,
                           const struct orr_worker *worker)
{
    const struct orr_turn *turn;
    enum orr_worker_outlook then;

    if (worker->index >= ORR_TOUCH_WORKERS || worker->ending)
        return;
    then = predict_top(worker, &turn);
    state->kind = ORR_FOOTPRINT_DRIVE;
    if (idles(turn, then, &state->relied))
        state->kind = ORR_FOOTPRINT_IDLE;
    else if (then == ORR_WORKER_POPS)
        state->kind = ORR_FOOTPRINT_POP;
}

static void begin(void *context, const struct orr_event *event)
{
    struct orr_run *run = context;
    struct orr_footprint_state *state = &run->footprint;
    const struct orr_actor *actor = orr_actor_of(event);

    state->kind = ORR_FOOTPRINT_ANYTHING;
    state->relied = 0;
    state->quiet = find_quiet(run);
    for (unsigned w = 0; w < count_tracked(run); w++)
        state->visible[w] = orr_worker_visible_state(run->workers[w]);
    if (!actor || orr_actor_idle(actor))
        return;
    if (actor->index != ORR_NO_WORKER)
        predict_worker(state, (const struct orr_worker *)actor);
    else if (actor->top->procedure == orr_job_submission)
        state->kind = ORR_FOOTPRINT_SUBMIT;
}

/* Writes of visible state are added by comparison: find_changes(). */
static const struct orr_footprint anything = {
    .reads = UINT64_MAX,
    .writes =
        ORR_TOUCH_POLICY | ORR_TOUCH_GRAPH | ORR_TOUCH_SHARES | ORR_TOUCH_REST,
};

/* Reads and writes @objects; reads @read too. */
static struct orr_footprint only(uint64_t objects, uint64_t read)
{
    return (struct orr_footprint){ORR_TOUCH_DUE | objects | read, objects};
}

/* The footprint of an event that resumes no actor. */
static struct orr_footprint event_footprint(const struct orr_run *run,
                                            const struct orr_event *event)
{
    const struct orr_executor *executor = run->store.executor;
    uint64_t objects;

    return executor->touches && executor->touches(event, &objects)
               ? only(objects, 0)
               : anything;
}

/* The footprint of a driver's call of the policy: it reads the visible state of
 * other workers only where the policy asks for it or wakes a worker. */
static struct orr_footprint call_footprint(const struct orr_run *run,
                                           const struct orr_worker *worker)
{
    struct orr_footprint touched = anything;

    if (!(run->engine.effects & ORR_EFFECT_RUNTIME))
        touched.reads &= ~ALL_WORKERS | ORR_TOUCH_WORKER(worker->index);
    return touched;
}

static struct orr_footprint pop_footprint(const struct orr_run *run,
                                          const struct orr_worker *worker)
{
    /* Held back in the pop: nothing else has happened yet. */
    bool held =
        run->policy.concurrency && orr_concurrency_calls(run, worker->index);

    if (!(worker->actor.waiting || held) || worker->fetching ||
        run->engine.effects != ORR_EFFECT_POLICY)
        return call_footprint(run, worker);
    /* In a concurrent policy the order of operations is decided separately. */
    return only(run->policy.ops->concurrent ? 0 : ORR_TOUCH_POLICY,
                ORR_TOUCH_WORKER(worker->index));
}

static struct orr_footprint worker_footprint(const struct orr_run *run,
                                             const struct orr_worker *worker)
{
    switch (run->footprint.kind) {
    case ORR_FOOTPRINT_IDLE:
        return only(0, run->footprint.relied);
    case ORR_FOOTPRINT_POP:
        return pop_footprint(run, worker);
    case ORR_FOOTPRINT_DRIVE:
        if (run->engine.effects == 0)
            return only(ORR_TOUCH_REST,
                        ALL_NODES | ORR_TOUCH_WORKER(worker->index));
        return call_footprint(run, worker);
    case ORR_FOOTPRINT_SUBMIT:
    case ORR_FOOTPRINT_ANYTHING:
        break;
    }
    return anything;
}

static struct orr_footprint step_footprint(const struct orr_run *run,
                                           const struct orr_event *event)
{
    const struct orr_actor *actor = orr_actor_of(event);

    if (!actor)
        return event_footprint(run, event);
    if (actor->index != ORR_NO_WORKER)
        return worker_footprint(run, (const struct orr_worker *)actor);
    return run->footprint.kind == ORR_FOOTPRINT_SUBMIT &&
                   run->engine.effects == 0
               ? only(ORR_TOUCH_GRAPH, 0)
               : anything;
}

static struct orr_footprint end(void *context, const struct orr_event *event)
{
    const struct orr_run *run = context;
    struct orr_footprint touched = step_footprint(run, event);

    touched.writes |= find_changes(run);
    return touched;
}

const struct orr_footprint_source orr_footprint_source = {.begin = begin,
                                                          .end = end};
