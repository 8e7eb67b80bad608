/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/graph/successors.h"

#include "tests/support/cmocka_all.h"

enum { JOBS = 3 * ORR_BATCH_JOBS + 1 };

struct fixture {
    struct orr_arena arena;
    struct orr_pool batches;
    struct orr_successors successors;
};

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    orr_successors_pool_init(&f->batches, &f->arena);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    orr_pool_clear(&f->batches);
    orr_arena_clear(&f->arena);
    g_free(f);
    return 0;
}

/* The place of a job; it is never dereferenced. */
static uint32_t job(unsigned i)
{
    return 100 + i;
}

static void add(struct fixture *f, unsigned first, unsigned end)
{
    for (unsigned i = first; i < end; i++)
        orr_successors_add(&f->successors, &f->batches, job(i));
}

static void take(struct fixture *f, unsigned first, unsigned end)
{
    for (unsigned i = first; i < end; i++)
        assert_int_equal(orr_successors_take(&f->successors, &f->batches),
                         job(i));
}

static void check_all(struct fixture *f, unsigned first, unsigned end)
{
    const uint32_t *at = NULL;

    for (unsigned i = first; i < end; i++) {
        at = orr_successors_next(&f->successors, &f->batches, at);
        assert_int_equal(*at, job(i));
        assert_true(orr_successors_has(&f->successors, &f->batches, job(i)));
    }
    assert_null(orr_successors_next(&f->successors, &f->batches, at));
    assert_false(orr_successors_has(&f->successors, &f->batches, job(end)));
}

static void at_first_there_is_none(void **state)
{
    struct fixture *f = *state;

    check_all(f, 0, 0);
    assert_int_equal(orr_successors_take(&f->successors, &f->batches), 0);
}

static void count_batch(void *batch, void *data)
{
    unsigned *count = data;

    (void)batch;
    (*count)++;
}

static unsigned count_batches(struct fixture *f)
{
    unsigned count = 0;

    orr_pool_each(&f->batches, count_batch, &count);
    return count;
}

static void a_single_one_takes_no_memory(void **state)
{
    struct fixture *f = *state;

    add(f, 0, 1);
    assert_int_equal(count_batches(f), 0);
    check_all(f, 0, 1);
    take(f, 0, 1);
    check_all(f, 0, 0);
}

static void they_are_listed_in_the_order_in_which_they_came(void **state)
{
    struct fixture *f = *state;

    for (unsigned i = 0; i < JOBS; i++) {
        add(f, i, i + 1);
        check_all(f, 0, i + 1);
    }
}

static void they_are_taken_from_the_first(void **state)
{
    struct fixture *f = *state;

    add(f, 0, JOBS);
    for (unsigned i = 0; i < JOBS; i++) {
        check_all(f, i, JOBS);
        take(f, i, i + 1);
    }
    assert_int_equal(orr_successors_take(&f->successors, &f->batches), 0);
}

static void memory_goes_when_all_have_been_taken(void **state)
{
    struct fixture *f = *state;

    add(f, 0, JOBS);
    assert_int_equal(count_batches(f), 4);
    take(f, 0, ORR_BATCH_JOBS);
    assert_int_equal(count_batches(f), 3);
    take(f, ORR_BATCH_JOBS, JOBS);
    assert_int_equal(count_batches(f), 0);
}

static void more_may_come_when_some_have_been_taken(void **state)
{
    struct fixture *f = *state;

    add(f, 0, ORR_BATCH_JOBS);
    take(f, 0, ORR_BATCH_JOBS - 1);
    add(f, ORR_BATCH_JOBS, JOBS);
    check_all(f, ORR_BATCH_JOBS - 1, JOBS);
    take(f, ORR_BATCH_JOBS - 1, JOBS);
    add(f, 0, 2);
    take(f, 0, 2);
    check_all(f, 0, 0);
}

ORR_TESTS(successors)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(at_first_there_is_none),
        T(a_single_one_takes_no_memory),
        T(they_are_listed_in_the_order_in_which_they_came),
        T(they_are_taken_from_the_first),
        T(memory_goes_when_all_have_been_taken),
        T(more_may_come_when_some_have_been_taken),
#undef T
    };

    return cmocka_run_group_tests_name("successors", tests, NULL, NULL);
}
