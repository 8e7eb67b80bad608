/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dependencies between jobs, without running them. */
#include "tests/support/graph_fixture.h"

/* A job that accesses one datum, in its place in the graph. */
static struct orr_job *submit(struct graph_fixture *f,
                              enum orr_access_mode mode,
                              struct orr_job **collector)
{
    struct orr_access access = {f->data[0], mode};
    struct orr_job *job = orr_job_new(&f->graph, ORR_JOB_KERNEL, &access, 1);
    struct orr_job *collecting;

    collecting = order(f, job);
    if (collector)
        *collector = collecting;
    else
        assert_null(collecting);
    return job;
}

/* How many jobs must end before @job is ready, once it is submitted. */
static unsigned awaited(const struct orr_job *job)
{
    return job->awaited - 1;
}

static bool waits_for(struct graph_fixture *f, const struct orr_job *job,
                      const struct orr_job *earlier)
{
    return orr_successors_has(&earlier->successors, &f->graph.batches,
                              job->place);
}

static unsigned count_successors(struct graph_fixture *f,
                                 const struct orr_job *job)
{
    const uint32_t *cursor = NULL;
    unsigned count = 0;

    while (orr_graph_next_successor(&f->graph, job, &cursor))
        count++;
    return count;
}

static void the_first_access_waits_for_nobody(void **state)
{
    struct orr_job *job = submit(*state, ORR_RW, NULL);

    assert_int_equal(awaited(job), 0);
    assert_int_equal(count_successors(*state, job), 0);
}

static void readers_wait_for_the_last_writer_only(void **state)
{
    struct orr_job *writer = submit(*state, ORR_W, NULL);
    struct orr_job *first = submit(*state, ORR_R, NULL);
    struct orr_job *second = submit(*state, ORR_R, NULL);

    assert_int_equal(awaited(first), 1);
    assert_int_equal(awaited(second), 1);
    assert_true(waits_for(*state, first, writer));
    assert_true(waits_for(*state, second, writer));
}

static void writers_wait_one_for_the_other(void **state)
{
    struct orr_job *first = submit(*state, ORR_RW, NULL);
    struct orr_job *second = submit(*state, ORR_W, NULL);
    struct orr_job *third = submit(*state, ORR_RW, NULL);

    assert_int_equal(awaited(second), 1);
    assert_true(waits_for(*state, second, first));
    assert_int_equal(awaited(third), 1);
    assert_true(waits_for(*state, third, second));
}

static void a_writer_waits_for_a_lone_reader_directly(void **state)
{
    struct orr_job *reader = submit(*state, ORR_R, NULL);
    struct orr_job *writer = submit(*state, ORR_RW, NULL);

    assert_int_equal(awaited(writer), 1);
    assert_true(waits_for(*state, writer, reader));
}

static void several_readers_are_collected_for_the_writer(void **state)
{
    struct graph_fixture *f = *state;
    struct orr_job *readers[3], *writer, *collector;

    for (unsigned i = 0; i < 3; i++)
        readers[i] = submit(f, ORR_R, NULL);
    writer = submit(f, ORR_RW, &collector);

    assert_non_null(collector);
    assert_int_equal(collector->kind, ORR_JOB_COLLECT);
    assert_null(collector->kernel);
    assert_int_equal(awaited(collector), 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_true(waits_for(*state, collector, readers[i]));
        assert_false(waits_for(*state, writer, readers[i]));
    }
    assert_int_equal(awaited(writer), 1);
    assert_true(waits_for(*state, writer, collector));
    assert_int_equal(f->graph.live, 5);
}

static void a_collector_is_as_urgent_as_the_writer(void **state)
{
    struct graph_fixture *f = *state;
    struct orr_access access = {f->data[0], ORR_RW};
    struct orr_job *writer = orr_job_new(&f->graph, ORR_JOB_KERNEL, &access, 1);
    struct orr_job *collector;

    submit(f, ORR_R, NULL);
    submit(f, ORR_R, NULL);
    writer->priority = 7;
    collector = order(f, writer);

    assert_int_equal(collector->priority, 7);
}

static void a_job_that_only_writes_collects_the_readers_itself(void **state)
{
    struct orr_job *first = submit(*state, ORR_R, NULL);
    struct orr_job *second = submit(*state, ORR_R, NULL);
    struct orr_job *collector;
    struct orr_job *writer = submit(*state, ORR_W, &collector);

    assert_null(collector);
    assert_int_equal(awaited(writer), 2);
    assert_true(waits_for(*state, writer, first));
    assert_true(waits_for(*state, writer, second));
}

static void those_that_commute_wait_for_the_last_writer_only(void **state)
{
    struct orr_job *writer = submit(*state, ORR_W, NULL);
    struct orr_job *first = submit(*state, COMMUTE, NULL);
    struct orr_job *second = submit(*state, COMMUTE, NULL);

    assert_int_equal(awaited(first), 1);
    assert_int_equal(awaited(second), 1);
    assert_true(waits_for(*state, first, writer));
    assert_true(waits_for(*state, second, writer));
}

static void those_that_commute_are_collected_for_any_other(void **state)
{
    static const enum orr_access_mode others[] = {ORR_R, ORR_RW};

    for (unsigned i = 0; i < G_N_ELEMENTS(others); i++) {
        struct orr_job *first = submit(*state, COMMUTE, NULL);
        struct orr_job *second = submit(*state, COMMUTE, NULL);
        struct orr_job *collector;
        struct orr_job *other = submit(*state, others[i], &collector);

        assert_non_null(collector);
        assert_true(waits_for(*state, collector, first));
        assert_true(waits_for(*state, collector, second));
        assert_int_equal(awaited(other), 1);
        assert_true(waits_for(*state, other, collector));
    }
}

static void those_that_commute_wait_for_readers(void **state)
{
    struct orr_job *reader = submit(*state, ORR_R, NULL);
    struct orr_job *first = submit(*state, COMMUTE, NULL);
    struct orr_job *second = submit(*state, COMMUTE, NULL);

    assert_true(waits_for(*state, first, reader));
    assert_true(waits_for(*state, second, reader));
    assert_false(waits_for(*state, second, first));
}

static void readers_after_a_writer_start_a_new_group(void **state)
{
    struct orr_job *old = submit(*state, ORR_R, NULL);
    struct orr_job *writer = submit(*state, ORR_RW, NULL);
    struct orr_job *readers[2] = {
        submit(*state, ORR_R, NULL),
        submit(*state, ORR_R, NULL),
    };
    struct orr_job *collector;
    struct orr_job *last = submit(*state, ORR_RW, &collector);

    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(awaited(readers[i]), 1);
        assert_true(waits_for(*state, readers[i], writer));
    }
    assert_int_equal(awaited(collector), 2);
    assert_false(waits_for(*state, collector, old));
    assert_int_equal(awaited(last), 1);
}

static void a_chain_of_collected_groups_alternates(void **state)
{
    struct orr_job *before = NULL;

    for (unsigned round = 0; round < 3; round++) {
        struct orr_job *first = submit(*state, ORR_R, NULL);
        struct orr_job *second = submit(*state, ORR_R, NULL);
        struct orr_job *collector;
        struct orr_job *writer = submit(*state, ORR_RW, &collector);

        assert_int_equal(awaited(first), before ? 1 : 0);
        if (before)
            assert_true(waits_for(*state, second, before));
        assert_int_equal(awaited(collector), 2);
        assert_int_equal(awaited(writer), 1);
        before = writer;
    }
}

static void nobody_waits_for_a_job_that_has_ended(void **state)
{
    struct graph_fixture *f = *state;
    struct orr_job *writer = submit(*state, ORR_RW, NULL);
    struct orr_job *next;

    orr_graph_retire(&f->graph, writer);
    next = submit(*state, ORR_RW, NULL);
    assert_int_equal(awaited(next), 0);
}

static void readers_that_have_ended_leave_the_group(void **state)
{
    struct graph_fixture *f = *state;
    struct orr_job *readers[3], *writer;

    for (unsigned i = 0; i < 3; i++)
        readers[i] = submit(*state, ORR_R, NULL);
    orr_graph_retire(&f->graph, readers[1]); /* the middle one, then an end */
    orr_graph_retire(&f->graph, readers[0]);
    writer = submit(*state, ORR_RW, NULL);

    assert_int_equal(awaited(writer), 1);
    assert_true(waits_for(*state, writer, readers[2]));
}

static void a_reader_may_join_after_the_writer_has_ended(void **state)
{
    struct graph_fixture *f = *state;
    struct orr_job *writer = submit(*state, ORR_RW, NULL);
    struct orr_job *first = submit(*state, ORR_R, NULL);
    struct orr_job *second;

    orr_graph_retire(&f->graph, writer);
    second = submit(*state, ORR_R, NULL);
    assert_int_equal(awaited(first), 1);
    assert_int_equal(awaited(second), 0);
}

static void retiring_twice_is_retiring(void **state)
{
    struct graph_fixture *f = *state;
    struct orr_job *first = submit(*state, ORR_R, NULL);
    struct orr_job *second = submit(*state, ORR_R, NULL);
    struct orr_job *writer;

    orr_graph_retire(&f->graph, first);
    orr_graph_retire(&f->graph, first);
    writer = submit(*state, ORR_RW, NULL);
    assert_int_equal(awaited(writer), 1);
    assert_true(waits_for(*state, writer, second));
}

static void successors_are_in_order_of_declaration(void **state)
{
    struct graph_fixture *f = *state;
    struct orr_job *writer = submit(*state, ORR_W, NULL);
    struct orr_job *readers[4];
    const uint32_t *cursor = NULL;

    assert_int_equal(count_successors(f, writer), 0);
    for (unsigned i = 0; i < 4; i++)
        readers[i] = submit(*state, ORR_R, NULL);
    for (unsigned i = 0; i < 4; i++)
        assert_ptr_equal(orr_graph_next_successor(&f->graph, writer, &cursor),
                         readers[i]);
    assert_null(orr_graph_next_successor(&f->graph, writer, &cursor));
}

static void a_job_does_not_wait_for_itself(void **state)
{
    struct graph_fixture *f = *state;
    const struct orr_access accesses[] = {
        {f->data[0], ORR_W},
        {f->data[0], ORR_R},
    };
    struct orr_job *job = job_with(f, accesses, 2);

    assert_null(order(f, job));
    assert_int_equal(awaited(job), 0);
}

static void a_job_waits_for_one_job_once_a_datum(void **state)
{
    struct graph_fixture *f = *state;
    const struct orr_access accesses[] = {
        {f->data[0], ORR_RW},
        {f->data[1], ORR_RW},
    };
    struct orr_job *first = job_with(f, accesses, 2);
    struct orr_job *second = job_with(f, accesses, 2);

    order(f, first);
    order(f, second);
    assert_int_equal(count_successors(f, first), 2);
    assert_int_equal(awaited(second), 2);
}

/* Some leave the groups of their data before a writer comes. */
static void readers_of_many_data_leave_as_they_end(void **state)
{
    enum { DATA = 200, READERS = 5 };
    struct graph_fixture *f = *state;
    struct orr_access reads[DATA];
    struct orr_job *readers[READERS], *writer;

    for (unsigned i = 0; i < DATA; i++)
        reads[i] = (struct orr_access){
            orr_data_new(&f->pool, 1, GRAPH_DATA + i, 100), ORR_R};
    for (unsigned i = 0; i < READERS; i++) {
        readers[i] = job_with(f, reads, DATA);
        assert_null(order(f, readers[i]));
    }
    orr_graph_retire(&f->graph, readers[2]);
    orr_graph_retire(&f->graph, readers[0]);
    orr_graph_retire(&f->graph, readers[4]);
    for (unsigned i = 0; i < DATA; i++)
        reads[i].mode = ORR_W;
    writer = job_with(f, reads, DATA);
    assert_null(order(f, writer));
    assert_int_equal(awaited(writer), 2 * DATA);
    assert_int_equal(count_successors(f, readers[1]), DATA);
    assert_int_equal(count_successors(f, readers[3]), DATA);
}

ORR_TESTS(graph)
{
    const struct CMUnitTest tests[] = {
#define T(test)                                                                \
    cmocka_unit_test_setup_teardown(test, graph_setup, graph_teardown)
        T(the_first_access_waits_for_nobody),
        T(readers_wait_for_the_last_writer_only),
        T(writers_wait_one_for_the_other),
        T(a_writer_waits_for_a_lone_reader_directly),
        T(several_readers_are_collected_for_the_writer),
        T(a_collector_is_as_urgent_as_the_writer),
        T(a_job_that_only_writes_collects_the_readers_itself),
        T(those_that_commute_wait_for_the_last_writer_only),
        T(those_that_commute_are_collected_for_any_other),
        T(those_that_commute_wait_for_readers),
        T(readers_after_a_writer_start_a_new_group),
        T(a_chain_of_collected_groups_alternates),
        T(nobody_waits_for_a_job_that_has_ended),
        T(readers_that_have_ended_leave_the_group),
        T(a_reader_may_join_after_the_writer_has_ended),
        T(retiring_twice_is_retiring),
        T(successors_are_in_order_of_declaration),
        T(a_job_does_not_wait_for_itself),
        T(a_job_waits_for_one_job_once_a_datum),
        T(readers_of_many_data_leave_as_they_end),
#undef T
    };

    return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
