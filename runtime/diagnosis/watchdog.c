/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/diagnosis/watchdog.h"

#include "runtime/diagnosis/hang.h"
#include "runtime/run.h"
#include "runtime/worker/preemption.h"
#include "runtime/worker/worker.h"

/* A ready task is prefetched and fetched, each datum in at most two copies, and
 * dirty data may be written back. This many times as much is too much. */
#define PATIENCE UINT64_C(4)

/* A request changes its state a few times; each time it wakes each driver. */
#define TURNS_PER_REQUEST UINT64_C(6)

/* A turn checks two nodes and takes a few locks. Starting a request takes more
 * events, but copies. */
#define EVENTS_PER_TURN UINT64_C(32)

/* A check comes after this many turns, and after this many events. */
#define TURNS UINT32_C(1024)
#define EVENTS UINT64_C(65536)

/* A driver may act this long in one step when nothing else is due. */
#define HORIZON (10 * ORR_S)

/* The same while actors may be held back: others may wait for them in a loop.
 */
#define EVENTS_HELD UINT64_C(2048)

static bool executes(const struct orr_worker *worker)
{
    for (unsigned i = 0; i < worker->count; i++) {
        unsigned place = (worker->first + i) % ORR_MAX_PIPELINE;

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

/* Counts the requests of a ready task: a fixed number that suffices for a task
 * with few accesses that waits to be popped, plus all requests beyond that. */
static void count_ready(void *object, void *data)
{
    const struct orr_job *job = object;
    uint64_t *count = data;

    if (!job->activated)
        return;
    if (job->active->pushed)
        *count += ORR_FEW_ACCESSES;
    if (job->access_count > ORR_FEW_ACCESSES)
        *count += job->access_count - ORR_FEW_ACCESSES;
}

/* An upper bound on requests for ready tasks. */
static uint64_t count_requests(const struct orr_run *run)
{
    uint64_t count =
        UINT64_C(2) * run->pipeline * run->worker_count * ORR_FEW_ACCESSES;

    orr_graph_each_job(&run->graph, count_ready, &count);
    return count;
}

uint64_t orr_watchdog_bytes(const struct orr_run *run)
{
    return run->totals.report.bytes_host_to_device +
           run->totals.report.bytes_device_to_host +
           run->totals.report.bytes_device_to_device;
}

static void record_progress(struct orr_run *run, uint64_t progress)
{
    orr_preemption_progressed(run);
    run->diagnosis.watchdog.progress = progress;
    run->diagnosis.watchdog.date = run->engine.now;
    run->diagnosis.watchdog.copies = run->totals.report.copies;
    run->diagnosis.watchdog.bytes = orr_watchdog_bytes(run);
    run->diagnosis.watchdog.evictions = run->totals.report.evictions;
    run->diagnosis.watchdog.turn_check.idle = 0;
    run->diagnosis.watchdog.event_check.idle = 0;
}

static bool copies_too_much(const struct orr_run *run)
{
    uint64_t copies =
        run->totals.report.copies - run->diagnosis.watchdog.copies;

    if (copies <= PATIENCE * 2 * run->store.data->len)
        return false; /* cheap test first */
    return copies > PATIENCE * 2 * (run->store.data->len + count_requests(run));
}

/* The limit on turns while nothing is copied. */
static uint64_t most_turns(const struct orr_run *run)
{
    return PATIENCE * (TURNS + TURNS_PER_REQUEST * run->worker_count *
                                   count_requests(run));
}

/* Computes the exact limit only after a cheap test. */
static bool spins(const struct orr_run *run)
{
    uint64_t turns = run->diagnosis.watchdog.turn_check.idle;
    uint64_t events = run->diagnosis.watchdog.event_check.idle;

    if (turns > PATIENCE * TURNS && turns > most_turns(run))
        return true;
    return events > PATIENCE * EVENTS &&
           events > PATIENCE * EVENTS + EVENTS_PER_TURN * most_turns(run);
}

/* Ends the run: withdraws all events. */
static bool halt(struct orr_run *run, enum orr_hang_kind kind)
{
    orr_hang_free(run->diagnosis.hang);
    run->window.lifted = false;
    run->diagnosis.hang = orr_hang_new_livelock(run, kind);
    orr_engine_cancel_all(&run->engine);
    return true;
}

/* There were @count turns, or events, since the last check. */
static bool check(struct orr_run *run, struct orr_watchdog_check *last,
                  uint64_t count)
{
    uint64_t progress = run->graph.submitted + run->graph.completed;
    bool copied = run->totals.report.copies != last->copies;
    bool passed = run->engine.now > last->date;

    if (run->diagnosis.hang && run->diagnosis.hang->livelock)
        return true;
    last->date = run->engine.now;
    last->copies = run->totals.report.copies;
    if (progress != run->diagnosis.watchdog.progress ||
        (passed && (run->app.sleepers > 0 || any_executes(run)))) {
        record_progress(run, progress);
        return false;
    }
    if (copied || (passed && run->store.copies.under_way > 0))
        last->idle = 0;
    else
        last->idle += count;
    if (last->idle > 0 && orr_preemption_resume_all(run)) {
        last->idle = 0;
        return false;
    }
    if (copies_too_much(run))
        return halt(run, run->totals.report.evictions >
                                 run->diagnosis.watchdog.evictions
                             ? ORR_HANG_EVICTION_PING_PONG
                             : ORR_HANG_SPINNING);
    return spins(run) && halt(run, ORR_HANG_SPINNING);
}

static bool check_turns(void *context)
{
    struct orr_run *run = context;
    bool hangs = check(run, &run->diagnosis.watchdog.turn_check, TURNS);

    run->engine.turns_left = hangs ? 1 : TURNS; /* the next turn checks, too */
    return hangs;
}

static void schedule_check(struct orr_run *run)
{
    run->diagnosis.watchdog.fired = run->engine.fired;
    run->engine.check_at =
        run->engine.fired + (run->engine.decider ? EVENTS_HELD : EVENTS);
    run->engine.horizon = run->engine.now + HORIZON;
}

/* Whether the program, as it sees how many tasks are complete, has the run
 * continue; otherwise sets run->error. */
static bool may_continue(struct orr_run *run)
{
    const struct orr_diagnosis *diagnosis = &run->diagnosis;
    uint64_t tasks = run->graph.completed;

    if (!diagnosis->progress ||
        diagnosis->progress(diagnosis->progress_data, tasks))
        return true;
    if (!run->error)
        g_set_error(&run->error, ORR_ERROR, ORR_ERROR_STOPPED,
                    "stopped after %" G_GUINT64_FORMAT " tasks", tasks);
    return false;
}

static bool check_events(void *context)
{
    struct orr_run *run = context;
    uint64_t since = run->diagnosis.watchdog.fired;

    if (run->ended) {
        orr_engine_cancel_all(&run->engine);
        return false;
    }
    if (check(run, &run->diagnosis.watchdog.event_check,
              run->engine.fired - since)) {
        run->engine.turns_left = 1;
        orr_engine_cancel_all(&run->engine);
        return false;
    }
    if (!may_continue(run)) {
        run->ended = true;
        orr_engine_cancel_all(&run->engine);
        return false;
    }
    schedule_check(run);
    return true;
}

void orr_watchdog_begin(struct orr_run *run)
{
    run->engine.turns_left = TURNS;
    run->engine.check_turns = check_turns;
    run->engine.check = check_events;
    schedule_check(run);
    run->engine.fast_steps = 1;
}
