/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The order in which requests wait. */
#include "runtime/data/request.h"
#include "runtime/data/waiting.h"
#include "tests/support/cmocka_all.h"

enum { A, B, C, D, REQUESTS = 60 };

struct fixture {
    struct orr_waiting waiting;
    struct orr_request requests[REQUESTS];
    int64_t places[REQUESTS]; /* among those of its priority */
    int64_t appended, prepended;
};

static int setup(void **state)
{
    *state = g_new0(struct fixture, 1);
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    orr_waiting_clear(&f->waiting);
    g_free(f);
    return 0;
}

static void append(struct fixture *f, unsigned i, int priority)
{
    f->requests[i].priority = priority;
    f->places[i] = ++f->appended;
    orr_waiting_append(&f->waiting, &f->requests[i]);
}

static void prepend(struct fixture *f, unsigned i, int priority)
{
    f->requests[i].priority = priority;
    f->places[i] = -++f->prepended;
    orr_waiting_prepend(&f->waiting, &f->requests[i]);
}

/* Fails unless the requests come out in the order of @letters. */
static void assert_order(struct fixture *f, const char *letters)
{
    for (; *letters; letters++) {
        struct orr_request *first;

        assert_false(orr_waiting_is_empty(&f->waiting));
        first = orr_waiting_first(&f->waiting);
        assert_ptr_equal(first, &f->requests[*letters - 'a']);
        orr_waiting_remove(&f->waiting, first);
        assert_false(first->queued);
    }
    assert_true(orr_waiting_is_empty(&f->waiting));
}

static void first_come_is_first_served(void **state)
{
    append(*state, B, 0);
    append(*state, A, 0);
    append(*state, C, 0);
    assert_order(*state, "bac");
}

static void the_most_urgent_goes_first(void **state)
{
    append(*state, A, 1);
    append(*state, B, 3);
    append(*state, C, -2);
    append(*state, D, 3);
    assert_order(*state, "bdac");
}

static void who_is_put_back_is_first_of_its_priority(void **state)
{
    append(*state, A, 0);
    append(*state, B, 1);
    prepend(*state, C, 0);
    prepend(*state, D, 0);
    assert_order(*state, "bdca");
}

static void any_request_can_be_withdrawn(void **state)
{
    struct fixture *f = *state;

    for (unsigned i = A; i <= D; i++)
        append(f, i, i == D ? 1 : 0);
    orr_waiting_remove(&f->waiting, &f->requests[B]);
    orr_waiting_remove(&f->waiting, &f->requests[D]);
    append(f, D, 0);
    assert_order(f, "acd");
}

static void a_cleared_queue_is_empty(void **state)
{
    struct fixture *f = *state;

    append(f, A, 0);
    orr_waiting_clear(&f->waiting);
    assert_true(orr_waiting_is_empty(&f->waiting));
}

static bool precedes(const struct fixture *f, unsigned i, unsigned j)
{
    int higher = f->requests[i].priority, lower = f->requests[j].priority;

    return higher > lower || (higher == lower && f->places[i] < f->places[j]);
}

/* The request that ought to come next, found by looking at all; or NULL. */
static struct orr_request *expected(struct fixture *f)
{
    unsigned best = REQUESTS;

    for (unsigned i = 0; i < REQUESTS; i++) {
        if (f->requests[i].queued && (best == REQUESTS || precedes(f, i, best)))
            best = i;
    }
    return best == REQUESTS ? NULL : &f->requests[best];
}

static void order_is_that_of_a_scan_of_all_requests(void **state)
{
    enum { STEPS = 5000 };
    struct fixture *f = *state;
    g_autoptr(GRand) rand = g_rand_new_with_seed(7);

    for (unsigned step = 0; step < STEPS; step++) {
        unsigned i = (unsigned)g_rand_int_range(rand, 0, REQUESTS);
        struct orr_request *first;

        if (f->requests[i].queued)
            orr_waiting_remove(&f->waiting, &f->requests[i]);
        else if (g_rand_int_range(rand, 0, 4) == 0)
            prepend(f, i, g_rand_int_range(rand, 0, 12));
        else
            append(f, i, g_rand_int_range(rand, 0, 12));
        first = expected(f);
        assert_int_equal(orr_waiting_is_empty(&f->waiting), !first);
        if (first)
            assert_ptr_equal(orr_waiting_first(&f->waiting), first);
    }
}

ORR_TESTS(waiting)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(first_come_is_first_served),
        T(the_most_urgent_goes_first),
        T(who_is_put_back_is_first_of_its_priority),
        T(any_request_can_be_withdrawn),
        T(a_cleared_queue_is_empty),
        T(order_is_that_of_a_scan_of_all_requests),
#undef T
    };

    return cmocka_run_group_tests_name("waiting", tests, NULL, NULL);
}
