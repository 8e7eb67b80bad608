/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/engine/event_queue.h"
#include "tests/support/cmocka_all.h"

enum { A, B, C, D, EVENTS };

struct fixture {
    struct orr_event_queue queue;
    struct orr_event events[EVENTS];
};

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    orr_event_queue_init(&f->queue);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    g_free(*state);
    return 0;
}

static void push(struct fixture *f, unsigned event, int64_t key, int64_t via)
{
    orr_event_queue_push(&f->queue, &f->events[event], key, via, 0);
}

/* @order has a letter for each event that is queued. */
static void assert_order(struct fixture *f, const char *order)
{
    for (; *order; order++) {
        struct orr_event *event = &f->events[*order - 'a'];

        assert_true(orr_event_is_queued(event));
        assert_ptr_equal(orr_event_queue_pop(&f->queue), event);
        assert_false(orr_event_is_queued(event));
    }
    assert_true(orr_event_queue_is_empty(&f->queue));
}

static void smallest_key_comes_first(void **state)
{
    struct fixture *f = *state;

    push(f, A, 30, 1);
    push(f, B, 10, 2);
    push(f, C, 40, 3);
    push(f, D, 20, 4);
    assert_int_equal(orr_event_queue_next(&f->queue)->key, 10);
    assert_order(f, "bdac");
}

static void equal_keys_come_by_via(void **state)
{
    struct fixture *f = *state;

    push(f, A, 1, INT64_MAX);
    push(f, B, 1, 2);
    push(f, C, 1, INT64_MIN);
    push(f, D, 0, 9);
    assert_order(f, "dcba");
}

static void equal_vias_come_by_order(void **state)
{
    struct fixture *f = *state;

    orr_event_queue_push(&f->queue, &f->events[A], 1, 2, 3);
    orr_event_queue_push(&f->queue, &f->events[B], 1, 2, -3);
    orr_event_queue_push(&f->queue, &f->events[C], 1, 1, 9);
    orr_event_queue_push(&f->queue, &f->events[D], 1, 2, 0);
    assert_order(f, "cbda");
}

static void any_event_can_be_withdrawn_and_queued_again(void **state)
{
    struct fixture *f = *state;

    for (unsigned i = A; i < EVENTS; i++)
        push(f, i, i, 0);
    orr_event_queue_remove(&f->events[A]);
    orr_event_queue_remove(&f->events[C]);
    assert_false(orr_event_is_queued(&f->events[C]));
    push(f, A, 9, 0);
    assert_order(f, "bda");
}

static void those_of_the_next_date_are_listed_in_order(void **state)
{
    struct fixture *f = *state;
    struct orr_event *events[EVENTS];

    assert_int_equal(orr_event_queue_equals(&f->queue, events, EVENTS), 0);
    push(f, A, 1, 9);
    push(f, B, 2, 0);
    push(f, C, 1, 3);
    push(f, D, 1, 5);
    assert_int_equal(orr_event_queue_equals(&f->queue, events, EVENTS), 3);
    assert_ptr_equal(events[0], &f->events[C]);
    assert_ptr_equal(events[1], &f->events[D]);
    assert_ptr_equal(events[2], &f->events[A]);
    assert_int_equal(orr_event_queue_equals(&f->queue, events, 2), 2);
    assert_order(f, "cdab");
}

/* An event whose order is known beside the queue. */
struct model {
    struct orr_event event; /* first */
    int64_t key, via, order;
};

enum { MODELS = 300, STEPS = 20000, KEYS = 40 };

static bool precedes(const struct model *a, const struct model *b)
{
    if (a->key != b->key)
        return a->key < b->key;
    return a->via != b->via ? a->via < b->via : a->order < b->order;
}

static struct model *model_first(struct model *models)
{
    struct model *first = NULL;

    for (struct model *m = models; m < models + MODELS; m++) {
        if (orr_event_is_queued(&m->event) && (!first || precedes(m, first)))
            first = m;
    }
    return first;
}

/* Hundreds of events. */
static void order_survives_any_mixture_of_operations(void **state)
{
    struct fixture *f = *state;
    g_autofree struct model *models = g_new0(struct model, MODELS);
    g_autoptr(GRand) rand = g_rand_new_with_seed(42);

    for (unsigned step = 0; step < STEPS; step++) {
        struct model *m = &models[g_rand_int_range(rand, 0, MODELS)];
        struct model *first = model_first(models);

        if (first && g_rand_int_range(rand, 0, 4) == 0) {
            assert_ptr_equal(orr_event_queue_pop(&f->queue), &first->event);
        } else if (orr_event_is_queued(&m->event)) {
            orr_event_queue_remove(&m->event);
        } else {
            m->key = g_rand_int_range(rand, 0, KEYS);
            m->via = g_rand_int_range(rand, -2, 2);
            m->order = step;
            orr_event_queue_push(&f->queue, &m->event, m->key, m->via,
                                 m->order);
        }
    }
    while (!orr_event_queue_is_empty(&f->queue)) {
        struct model *first = model_first(models);

        assert_ptr_equal(orr_event_queue_pop(&f->queue), &first->event);
    }
    assert_null(model_first(models));
}

ORR_TESTS(event_queue)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(smallest_key_comes_first),
        T(equal_keys_come_by_via),
        T(equal_vias_come_by_order),
        T(any_event_can_be_withdrawn_and_queued_again),
        T(those_of_the_next_date_are_listed_in_order),
        T(order_survives_any_mixture_of_operations),
#undef T
    };

    return cmocka_run_group_tests_name("event queue", tests, NULL, NULL);
}
