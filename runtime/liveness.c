/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/liveness.h"

#include "runtime/hang.h"
#include "runtime/run.h"
#include "runtime/worker.h"

/* A task ready to run is prefetched and fetched, each datum in two copies at
 * most; and whatever is dirty may have to go. This many times as many copies
 * are far too many. */
#define PATIENCE UINT64_C(4)

/* A request changes its state a few times, of which each driver is told. */
#define TURNS_PER_REQUEST UINT64_C(6)

static bool executes(const struct orr_worker *worker)
{
    for (unsigned i = 0; i < worker->count; i++) {
        unsigned place = (worker->first + i) % ORR_PIPELINE;

        if (worker->pipeline[place] != worker->fetching &&
            !worker->ended[place])
            return true;
    }
    return false;
}

static bool any_executes(const struct orr_run *run)
{
    for (unsigned w = 0; w < run->worker_count; w++) {
        if (executes(run->workers[w]))
            return true;
    }
    return false;
}

static void count_pushed(void *object, void *data)
{
    const struct orr_job *job = object;

    *(uint64_t *)data += job->active && job->active->pushed;
}

/* How many requests may there be for tasks that are ready. */
static uint64_t count_requests(const struct orr_run *run)
{
    uint64_t tasks = UINT64_C(2) * ORR_PIPELINE * run->worker_count;

    for (unsigned n = 0; n <= ORR_MAX_ACCESSES; n++)
        orr_pool_each(&run->graph.jobs[n], count_pushed, &tasks);
    return tasks * ORR_MAX_ACCESSES;
}

static uint64_t bytes_moved(const struct orr_run *run)
{
    return run->report.bytes_host_to_device + run->report.bytes_device_to_host +
           run->report.bytes_device_to_device;
}

/* As of now, all is well. */
static void note_progress(struct orr_run *run, uint64_t progress)
{
    run->liveness.progress = progress;
    run->liveness.date = run->engine.now;
    run->liveness.copies = run->report.copies;
    run->liveness.bytes = bytes_moved(run);
    run->liveness.evictions = run->report.evictions;
    run->liveness.idle_turns = 0;
}

static bool copies_too_much(const struct orr_run *run)
{
    uint64_t copies = run->report.copies - run->liveness.copies;

    if (copies <= PATIENCE * 2 * run->data->len)
        return false; /* before counting more carefully */
    return copies > PATIENCE * 2 * (run->data->len + count_requests(run));
}

static bool spins(const struct orr_run *run)
{
    uint64_t turns = run->liveness.idle_turns;

    if (turns <= PATIENCE * ORR_LIVENESS_TURNS)
        return false; /* likewise */
    return turns > PATIENCE * (ORR_LIVENESS_TURNS + TURNS_PER_REQUEST *
                                                        run->worker_count *
                                                        count_requests(run));
}

/* Nothing is to happen any more: what is due is forgotten. */
static bool halt(struct orr_run *run, enum orr_hang_kind kind)
{
    orr_hang_free(run->hang);
    run->window_lifted = false;
    run->hang = orr_hang_new_livelock(run, kind);
    orr_engine_forget(&run->engine);
    return true;
}

bool orr_liveness_look(struct orr_run *run)
{
    struct orr_liveness *liveness = &run->liveness;
    uint64_t progress = run->graph.submitted + run->graph.completed;
    bool copied = run->report.copies != liveness->copies_looked;
    bool passed = run->engine.now > liveness->looked;

    if (run->hang && run->hang->livelock) {
        liveness->turns = 1; /* whoever is next looks, too */
        return true;
    }
    liveness->turns = ORR_LIVENESS_TURNS;
    liveness->looked = run->engine.now;
    liveness->copies_looked = run->report.copies;
    if (progress != liveness->progress || (passed && any_executes(run))) {
        note_progress(run, progress);
        return false;
    }
    if (copied || (passed && run->copies.newest))
        liveness->idle_turns = 0;
    else
        liveness->idle_turns += ORR_LIVENESS_TURNS;
    if (copies_too_much(run))
        return halt(run, run->report.evictions > liveness->evictions
                             ? ORR_HANG_EVICTION_PING_PONG
                             : ORR_HANG_SPINNING);
    return spins(run) && halt(run, ORR_HANG_SPINNING);
}
