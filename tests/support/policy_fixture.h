/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TESTS_POLICY_FIXTURE_H
#define ORR_TESTS_POLICY_FIXTURE_H

#include "sched/host.h"
#include "sched/registry.h"
#include "tests/support/cmocka_all.h"

/*
 * A policy on a made-up machine: worker i is a GPU with node i + 1 if i is
 * less than @gpus, else a CPU core on node 0. It is the first member of the
 * fixture of a test, which adds functions to @host; they are called with the
 * fixture as data.
 */
struct policy_fixture {
    struct orr_sched_host host;
    struct orr_sched *sched;
    unsigned gpus;
    orr_time now;
    orr_time durations[8]; /* by worker: see fake_durations() */
    GString *woken;        /* workers that wake() was called for, in order */
};

static inline unsigned fake_node(void *data, unsigned worker)
{
    const struct policy_fixture *p = data;

    return worker < p->gpus ? worker + 1 : 0;
}

/* Those that the test says, one by one. */
static inline const orr_time *fake_durations(void *data,
                                             const struct orr_task *task)
{
    struct policy_fixture *p = data;

    assert_true(p->host.workers <= G_N_ELEMENTS(p->durations));
    for (unsigned w = 0; w < p->host.workers; w++)
        p->durations[w] = p->host.duration(data, task, w);
    return p->durations;
}

static inline void fake_transfers(void *data, const struct orr_task *task,
                                  uint32_t nodes, orr_time *times)
{
    struct policy_fixture *p = data;

    for (; nodes; nodes &= nodes - 1) {
        unsigned node = (unsigned)__builtin_ctz(nodes);

        times[node] = p->host.transfer(data, task, node);
    }
}

/* No worker sleeps. */
static inline bool fake_wake(void *data, unsigned worker)
{
    struct policy_fixture *p = data;

    g_string_append_c(p->woken, (char)('0' + worker));
    return false;
}

static inline void policy_fixture_init(struct policy_fixture *p, unsigned gpus,
                                       unsigned workers)
{
    *p = (struct policy_fixture){
        .host = {.workers = workers,
                 .data = p,
                 .node = fake_node,
                 .now = &p->now,
                 .durations = fake_durations,
                 .transfers = fake_transfers,
                 .wake = fake_wake},
        .gpus = gpus,
        .woken = g_string_new(NULL),
    };
}

/* Starts the policy called @name, instead of the one before. */
static inline void policy_fixture_start(struct policy_fixture *p,
                                        const char *name)
{
    orr_sched_free(p->sched);
    p->sched = orr_sched_new(orr_sched_find(name), &p->host);
}

static inline void policy_fixture_clear(struct policy_fixture *p)
{
    orr_sched_free(p->sched);
    g_string_free(p->woken, TRUE);
}

#endif
