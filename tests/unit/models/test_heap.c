/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/heap.h"
#include "tests/support/cmocka_all.h"

enum { A, B, C, D, ITEMS };

struct fixture {
    struct orr_heap heap;
    struct orr_heap_item items[ITEMS];
};

static int setup(void **state)
{
    *state = g_new0(struct fixture, 1);
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    orr_heap_clear(&f->heap);
    g_free(f);
    return 0;
}

static void push(struct fixture *f, unsigned item, int64_t key, uint64_t tie)
{
    orr_heap_push(&f->heap, &f->items[item], key, tie);
}

/* Fails unless the items come out in the order of @letters, and no others. */
static void assert_pops(struct fixture *f, const char *letters)
{
    for (; *letters; letters++) {
        struct orr_heap_item *item = orr_heap_pop(&f->heap);

        assert_non_null(item);
        assert_int_equal("abcd"[item - f->items], *letters);
        assert_false(orr_heap_holds(item));
    }
    assert_null(orr_heap_pop(&f->heap));
}

static void smallest_key_comes_first(void **state)
{
    struct fixture *f = *state;

    push(f, A, 30, 0);
    push(f, B, -10, 1);
    push(f, C, INT64_MAX, 2);
    push(f, D, INT64_MIN, 3);
    assert_pops(f, "dbac");
}

static void equal_keys_come_by_tie(void **state)
{
    struct fixture *f = *state;

    push(f, A, 5, 7);
    push(f, B, 5, 9);
    push(f, C, 5, UINT64_MAX);
    push(f, D, 5, 8);
    assert_pops(f, "adbc");
}

static void first_is_seen_without_being_withdrawn(void **state)
{
    struct fixture *f = *state;

    push(f, A, 2, 0);
    push(f, B, 1, 9);
    assert_ptr_equal(orr_heap_first(&f->heap)->item, &f->items[B]);
    assert_int_equal(orr_heap_first(&f->heap)->key, 1);
    assert_int_equal(orr_heap_first(&f->heap)->tie, 9);
    assert_true(orr_heap_holds(&f->items[B]));
    assert_pops(f, "ba");
}

static void any_item_can_be_withdrawn(void **state)
{
    struct fixture *f = *state;

    for (unsigned i = A; i < ITEMS; i++)
        push(f, i, i, i);
    orr_heap_remove(&f->heap, &f->items[B]);
    orr_heap_remove(&f->heap, &f->items[D]);
    assert_false(orr_heap_holds(&f->items[B]));
    assert_true(orr_heap_holds(&f->items[C]));
    assert_pops(f, "ac");
}

static void any_item_can_be_given_another_key(void **state)
{
    struct fixture *f = *state;

    for (unsigned i = A; i < ITEMS; i++)
        push(f, i, i, i);
    orr_heap_update(&f->heap, &f->items[A], 10, 0);
    orr_heap_update(&f->heap, &f->items[D], -1, 3);
    orr_heap_update(&f->heap, &f->items[B], 2, 1); /* ties with c, earlier */
    assert_pops(f, "dbca");
}

static void an_item_can_be_queued_again(void **state)
{
    struct fixture *f = *state;

    push(f, A, 1, 0);
    assert_pops(f, "a");
    push(f, A, 1, 1);
    orr_heap_remove(&f->heap, &f->items[A]);
    push(f, A, 1, 2);
    assert_pops(f, "a");
}

/* The expected content of a heap, found by linear search. */
struct model {
    struct orr_heap_item item;
    int64_t key;
    uint64_t tie;
    bool queued;
};

enum { MODELS = 300, STEPS = 20000, KEYS = 40 };

static struct model *model_first(struct model *models)
{
    struct model *first = NULL;

    for (struct model *m = models; m < models + MODELS; m++) {
        if (m->queued && (!first || m->key < first->key ||
                          (m->key == first->key && m->tie < first->tie)))
            first = m;
    }
    return first;
}

static void assert_first_leaves(struct orr_heap *heap, struct model *models)
{
    struct model *first = model_first(models);

    assert_ptr_equal(orr_heap_pop(heap), first ? &first->item : NULL);
    if (first)
        first->queued = false;
}

/* Pushes @m, or withdraws or changes it if it is queued. */
static void disturb(struct orr_heap *heap, struct model *m, GRand *rand,
                    uint64_t tie)
{
    assert_true(orr_heap_holds(&m->item) == m->queued);
    if (m->queued && g_rand_int_range(rand, 0, 3) == 0) {
        orr_heap_remove(heap, &m->item);
        m->queued = false;
        return;
    }
    m->key = g_rand_int_range(rand, -KEYS, KEYS);
    m->tie = tie;
    if (m->queued)
        orr_heap_update(heap, &m->item, m->key, m->tie);
    else
        orr_heap_push(heap, &m->item, m->key, m->tie);
    m->queued = true;
}

static void order_survives_any_mixture_of_operations(void **state)
{
    struct fixture *f = *state;
    g_autofree struct model *models = g_new0(struct model, MODELS);
    g_autoptr(GRand) rand = g_rand_new_with_seed(42);

    for (unsigned step = 0; step < STEPS; step++) {
        /* Fuller at first, so that several levels of the heap are in use. */
        unsigned pops = step < STEPS / 2 ? 1 : 2;

        if (g_rand_int_range(rand, 0, 4) < (int)pops)
            assert_first_leaves(&f->heap, models);
        else
            disturb(&f->heap, &models[g_rand_int_range(rand, 0, MODELS)], rand,
                    step);
    }
    while (f->heap.count > 0)
        assert_first_leaves(&f->heap, models);
    assert_null(model_first(models));
}

ORR_TESTS(heap)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(smallest_key_comes_first),
        T(equal_keys_come_by_tie),
        T(first_is_seen_without_being_withdrawn),
        T(any_item_can_be_withdrawn),
        T(any_item_can_be_given_another_key),
        T(an_item_can_be_queued_again),
        T(order_survives_any_mixture_of_operations),
#undef T
    };

    return cmocka_run_group_tests_name("heap", tests, NULL, NULL);
}
