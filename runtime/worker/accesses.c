/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/worker/accesses.h"

#include "models/base/error.h"
#include "models/base/source_line.h"
#include "runtime/engine/coroutine.h"
#include "runtime/run.h"
#include "runtime/worker/preemption.h"

/* The functions that a compiler calls have no argument for it. */
static _Thread_local struct orr_caller *current;

void orr_accesses_enter(struct orr_caller *caller)
{
    current = caller;
}

static unsigned thread_of(const struct orr_run *run, unsigned index)
{
    return index == ORR_NO_WORKER ? run->worker_count : index;
}

/* The vector clocks of @run; NULL: its policy has made no access yet. */
static struct orr_clocks *clocks_of(const struct orr_run *run)
{
    struct orr_concurrency *concurrency = run->policy.concurrency;

    return concurrency && concurrency->detector
               ? orr_detector_clocks(concurrency->detector)
               : NULL;
}

static struct orr_detector *get_detector(const struct orr_caller *caller)
{
    struct orr_concurrency *concurrency = caller->run->policy.concurrency;

    if (!concurrency->detector)
        concurrency->detector =
            orr_detector_new(concurrency->run->worker_count + 1);
    return concurrency->detector;
}

static const char *verb_of(unsigned flags, bool past)
{
    if (flags & ORR_ACCESS_WRITES)
        return past ? "has written" : "writes";
    return past ? "has read" : "reads";
}

/* Ends the run with both sides of a race. */
static void report(const struct orr_caller *caller,
                   const struct orr_memory_access *access,
                   const struct orr_memory_access *other)
{
    struct orr_run *run = caller->run;
    unsigned index =
        other->thread == run->worker_count ? ORR_NO_WORKER : other->thread;
    g_autofree char *line = orr_source_line(access->code);
    g_autofree char *before = orr_source_line(other->code);

    orr_concurrency_fail_as(
        run, ORR_ERROR_POLICY_RACE,
        "%s %s%" G_GSIZE_FORMAT " byte%s at %s that %s(), called by %s, %s%s "
        "at %s, and nothing orders the two",
        verb_of(access->flags, false),
        access->flags & ORR_ACCESS_IS_ATOMIC ? "(atomically) " : "",
        access->bytes, access->bytes == 1 ? "" : "s", line,
        orr_policy_call_name(other->call), orr_caller_name(run, index),
        verb_of(other->flags, true),
        other->flags & ORR_ACCESS_IS_ATOMIC ? " (atomically)" : "", before);
}

/* The decider may hold the caller back before @access. */
static void hold_back(const struct orr_memory_access *access,
                      struct orr_run *run)
{
    bool atomic = access->flags & ORR_ACCESS_IS_ATOMIC;
    bool writes = access->flags & ORR_ACCESS_WRITES;
    const struct orr_operation operation = {
        .verb = atomic   ? "accesses"
                : writes ? "writes"
                         : "reads",
        .name = atomic ? "an atomic variable" : "a shared variable",
        .object = (const void *)((uintptr_t)access->address & ~(uintptr_t)7),
        .code = access->code,
    };

    orr_preempt_access(run, &operation);
}

void orr_accesses_record(const void *address, size_t bytes, unsigned flags,
                         const void *code)
{
    struct orr_caller *caller = current;
    struct orr_memory_access access, other = {0};
    bool contended;

    if (!caller || orr_coroutine_holds(caller->coroutine, address))
        return;
    access = (struct orr_memory_access){
        .thread = thread_of(caller->run, caller->index),
        .call = caller->call,
        .flags = flags,
        .address = address,
        .bytes = bytes,
        .code = code,
        .locks = caller->locks,
    };
    contended = orr_detector_expect(get_detector(caller), &access);
    if (contended || flags & ORR_ACCESS_IS_ATOMIC)
        hold_back(&access, caller->run);
    if (orr_detector_access(get_detector(caller), &access, &other) &&
        !caller->run->ignores_races)
        report(caller, &access, &other);
}

void orr_accesses_atomic(const void *address, size_t bytes, bool writes,
                         const void *code)
{
    orr_accesses_record(address, bytes,
                        ORR_ACCESS_IS_ATOMIC | (writes ? ORR_ACCESS_WRITES : 0),
                        code);
}

void orr_accesses_acquire(const void *address)
{
    if (current)
        orr_accesses_acquire_lock(current, address);
}

void orr_accesses_release(const void *address)
{
    if (current)
        orr_accesses_release_lock(current, address);
}

void orr_accesses_discard(const void *address, size_t bytes)
{
    if (current && current->run->policy.concurrency->detector)
        orr_detector_discard(current->run->policy.concurrency->detector,
                             address, bytes);
}

void orr_accesses_acquire_lock(struct orr_caller *caller, const void *lock)
{
    struct orr_clocks *clocks = clocks_of(caller->run);

    if (clocks)
        orr_clocks_acquire(clocks, thread_of(caller->run, caller->index), lock);
}

void orr_accesses_release_lock(struct orr_caller *caller, const void *lock)
{
    struct orr_clocks *clocks = clocks_of(caller->run);

    if (clocks)
        orr_clocks_release(clocks, thread_of(caller->run, caller->index), lock);
}

void orr_accesses_woken(struct orr_run *run, const void *worker)
{
    struct orr_caller *caller = orr_concurrency_caller(run);

    if (caller)
        orr_accesses_release_lock(caller, worker);
}

/* A push happens after everything on which its task depends; the memory of the
 * task may have belonged to another task before. A pop happens after the
 * wake-ups of its worker. */
void orr_accesses_call(struct orr_caller *caller)
{
    struct orr_clocks *clocks = clocks_of(caller->run);
    struct orr_task *task = caller->task;

    if (!clocks)
        return;
    if (caller->call == ORR_CALL_PUSH) {
        orr_accesses_acquire_lock(caller, orr_job_of(task));
        orr_clocks_discard(clocks, orr_job_of(task));
        orr_detector_discard(caller->run->policy.concurrency->detector, task,
                             sizeof(*task));
    } else if (caller->call == ORR_CALL_POP) {
        orr_accesses_acquire_lock(caller, caller->run->workers[caller->index]);
    }
}

void orr_accesses_submitted(struct orr_run *run, const struct orr_job *job)
{
    struct orr_clocks *clocks = clocks_of(run);

    if (!clocks)
        return;
    orr_clocks_acquire(clocks, run->worker_count, &run->graph);
    orr_clocks_release(clocks, run->worker_count, job);
}

/* Control jobs pass their knowledge on to their successors. */
void orr_accesses_ended(struct orr_run *run, unsigned index,
                        struct orr_job *job)
{
    struct orr_clocks *clocks = clocks_of(run);
    unsigned thread = thread_of(run, index);
    const uint32_t *cursor = NULL;
    const struct orr_job *to;

    if (!clocks)
        return;
    if (job->kind != ORR_JOB_KERNEL) {
        orr_clocks_acquire(clocks, thread, job);
        orr_clocks_discard(clocks, job);
    }
    while ((to = orr_graph_next_successor(&run->graph, job, &cursor)))
        orr_clocks_release(clocks, thread, to);
    orr_clocks_release(clocks, thread, &run->graph);
}

void orr_accesses_awaited(struct orr_run *run, unsigned index,
                          struct orr_job *end)
{
    struct orr_clocks *clocks = clocks_of(run);

    if (clocks)
        orr_clocks_release(clocks, thread_of(run, index), end);
}
