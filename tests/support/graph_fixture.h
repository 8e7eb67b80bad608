/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GRAPH_FIXTURE_H
#define ORR_GRAPH_FIXTURE_H

#include "runtime/run.h"
#include "tests/support/cmocka_all.h"

#define COMMUTE ((enum orr_access_mode)(ORR_RW | ORR_COMMUTE))

enum { GRAPH_DATA = 4 };

/* Data, and a graph for jobs that access them. */
struct graph_fixture {
    struct orr_graph graph;
    struct orr_pool pool;
    struct orr_data *data[GRAPH_DATA];
};

static inline int graph_setup(void **state)
{
    struct graph_fixture *f = g_new0(struct graph_fixture, 1);

    orr_graph_init(&f->graph);
    orr_data_pool_init(&f->pool, 1, NULL);
    for (unsigned i = 0; i < GRAPH_DATA; i++)
        f->data[i] = orr_data_new(&f->pool, 1, i, 100);
    *state = f;
    return 0;
}

static inline int graph_teardown(void **state)
{
    struct graph_fixture *f = *state;

    orr_pool_clear(&f->pool);
    orr_graph_clear(&f->graph);
    g_free(f);
    return 0;
}

/* A new job, which is not yet in its place in the graph. */
static inline struct orr_job *job_with(struct graph_fixture *f,
                                       const struct orr_access *accesses,
                                       unsigned count)
{
    return orr_job_new(&f->graph, ORR_JOB_KERNEL, accesses, count);
}

/* Puts @job in its place in the graph. Returns a collector, if it needs one. */
static inline struct orr_job *order(struct graph_fixture *f,
                                    struct orr_job *job)
{
    unsigned next = 0;
    struct orr_job *collector = orr_graph_order(&f->graph, job, &next);

    if (next < job->access_count)
        assert_null(orr_graph_order(&f->graph, job, &next));
    assert_int_equal(next, job->access_count);
    return collector;
}

#endif
