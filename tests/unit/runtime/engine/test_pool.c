/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdbool.h>
#include <string.h>

#include "runtime/engine/pool.h"
#include "tests/support/cmocka_all.h"

enum { SIZE = 100 };

static int setup(void **state)
{
    struct orr_pool *pool = g_new0(struct orr_pool, 1);

    orr_pool_init(pool, SIZE);
    *state = pool;
    return 0;
}

static int teardown(void **state)
{
    orr_pool_clear(*state);
    g_free(*state);
    return 0;
}

static bool is_zero(const unsigned char *bytes)
{
    for (unsigned i = 0; i < SIZE; i++) {
        if (bytes[i] != 0)
            return false;
    }
    return true;
}

static void objects_do_not_overlap(void **state)
{
    enum { N = 3000 }; /* more than one slab holds */
    unsigned char *objects[N];

    for (unsigned i = 0; i < N; i++) {
        objects[i] = orr_pool_take(*state);
        memset(objects[i], (int)(i % 255 + 1), SIZE);
    }
    for (unsigned i = 0; i < N; i++) {
        assert_int_equal(objects[i][0], i % 255 + 1);
        assert_int_equal(objects[i][SIZE - 1], i % 255 + 1);
    }
}

static void objects_are_aligned_as_their_size_allows(void **state)
{
    static const size_t sizes[][2] = {{1, 8},   {24, 8},  {48, 16},
                                      {96, 32}, {64, 64}, {192, 64}};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        struct orr_pool pool;

        orr_pool_init(&pool, sizes[i][0]);
        for (unsigned k = 0; k < 5; k++)
            assert_int_equal((uintptr_t)orr_pool_take(&pool) % sizes[i][1], 0);
        orr_pool_clear(&pool);
    }
}

static void a_freed_object_is_used_again_first(void **state)
{
    void *first = orr_pool_take(*state);
    void *second = orr_pool_take(*state);

    orr_pool_give(*state, first);
    orr_pool_give(*state, second);

    assert_ptr_equal(orr_pool_take(*state), second);
    assert_ptr_equal(orr_pool_take(*state), first);
}

static void an_object_is_zero_whatever_it_was_before(void **state)
{
    void *object = orr_pool_take(*state);

    assert_true(is_zero(object));
    memset(object, 0xff, SIZE);
    orr_pool_give(*state, object);
    assert_true(is_zero(orr_pool_take(*state)));
}

static void of_an_object_no_more_is_zeroed_than_was_asked_for(void **state)
{
    unsigned char *object = orr_pool_take_some(*state, SIZE / 2);

    assert_int_equal(object[0], 0);
    assert_int_equal(object[SIZE / 2 - 1], 0);
    memset(object, 0xff, SIZE);
    orr_pool_give(*state, object);
    object = orr_pool_take_some(*state, SIZE / 2);
    assert_int_equal(object[0], 0);
    assert_int_equal(object[SIZE / 2 - 1], 0);
    assert_int_equal(object[SIZE / 2], 0xff);
}

static void an_object_may_be_smaller_than_a_pointer(void **state)
{
    struct orr_pool pool;
    char *first, *second;

    (void)state;
    orr_pool_init(&pool, 1);
    first = orr_pool_take(&pool);
    second = orr_pool_take(&pool);
    assert_ptr_not_equal(first, second);
    orr_pool_give(&pool, first);
    orr_pool_give(&pool, second);
    assert_ptr_equal(orr_pool_take(&pool), second);
    assert_ptr_equal(orr_pool_take(&pool), first);
    orr_pool_clear(&pool);
}

static void an_object_may_be_larger_than_a_slab(void **state)
{
    enum { LARGE = 1 << 20 };
    struct orr_pool pool;
    char *first, *second;

    (void)state;
    orr_pool_init(&pool, LARGE);
    first = orr_pool_take(&pool);
    second = orr_pool_take(&pool);
    memset(first, 1, LARGE);
    memset(second, 2, LARGE);
    assert_int_equal(first[LARGE - 1], 1);
    assert_int_equal(second[0], 2);
    orr_pool_clear(&pool);
}

static void a_cleared_pool_can_be_used_again(void **state)
{
    orr_pool_take(*state);
    orr_pool_clear(*state);
    assert_non_null(orr_pool_take(*state));
}

enum { MANY = 20000 }; /* in several slabs */

static void note_first(void *object, void *data)
{
    unsigned **next = data;

    *(*next)++ = *(unsigned *)object;
}

static void
objects_in_use_are_visited_in_the_order_of_their_places(void **state)
{
    struct orr_pool *pool = *state;
    g_autofree unsigned **objects = g_new(unsigned *, MANY);
    g_autofree unsigned *seen = g_new0(unsigned, MANY);
    unsigned *next = seen;

    for (unsigned i = 0; i < MANY; i++) {
        objects[i] = orr_pool_take(pool);
        *objects[i] = i;
    }
    for (unsigned i = 0; i < MANY; i += 2)
        orr_pool_give(pool, objects[i]);
    orr_pool_each(pool, note_first, &next);
    assert_int_equal(next - seen, MANY / 2);
    for (unsigned i = 0; i < MANY / 2; i++)
        assert_int_equal(seen[i], 2 * i + 1);
}

static void count_object(void *object, void *data)
{
    (void)object;
    ++*(unsigned *)data;
}

/* Objects of two sizes, in slabs and blocks of all sizes. */
static void pools_share_the_memory_of_an_arena(void **state)
{
    enum { COUNT = 200000 };
    static const size_t sizes[] = {24, 1000};
    struct orr_arena arena = {0};
    struct orr_pool pools[2];
    g_autofree unsigned char **objects = g_new(unsigned char *, COUNT);

    (void)state;
    for (unsigned p = 0; p < 2; p++)
        orr_pool_init_in(&pools[p], sizes[p], &arena);
    for (unsigned i = 0; i < COUNT; i++) {
        objects[i] = orr_pool_take(&pools[i % 2]);
        memset(objects[i], (int)(i % 251), sizes[i % 2]);
    }
    for (unsigned i = 0; i < COUNT; i++) {
        assert_int_equal(objects[i][0], i % 251);
        assert_int_equal(objects[i][sizes[i % 2] - 1], i % 251);
    }
    for (unsigned p = 0; p < 2; p++) {
        unsigned count = 0;

        orr_pool_each(&pools[p], count_object, &count);
        assert_int_equal(count, COUNT / 2);
        orr_pool_clear(&pools[p]);
    }
    orr_arena_clear(&arena);
}

/* Objects of two sizes, in slabs of all sizes. */
static void objects_in_an_arena_have_places(void **state)
{
    enum { COUNT = 200000 };
    static const size_t sizes[] = {24, 104};
    struct orr_arena arena = {0};
    struct orr_pool pools[2];
    g_autofree uint32_t *places = g_new(uint32_t, COUNT);
    g_autofree char **objects = g_new(char *, COUNT);

    (void)state;
    for (unsigned p = 0; p < 2; p++)
        orr_pool_init_in(&pools[p], sizes[p], &arena);
    for (unsigned i = 0; i < COUNT; i++) {
        objects[i] = orr_pool_take_some(&pools[i % 2], 0);
        places[i] = orr_pool_last_place(&pools[i % 2]);
        assert_true(places[i] > 0);
    }
    for (unsigned i = 0; i < COUNT; i++) {
        char *last = objects[i] + sizes[i % 2] - ORR_ARENA_WORD;

        assert_ptr_equal(orr_arena_at(&arena, places[i]), objects[i]);
        assert_ptr_equal(
            orr_arena_at(&arena, places[i] +
                                     (uint32_t)(sizes[i % 2] / ORR_ARENA_WORD) -
                                     1),
            last);
    }
    for (unsigned p = 0; p < 2; p++)
        orr_pool_clear(&pools[p]);
    orr_arena_clear(&arena);
}

static void an_unused_pool_has_nothing_to_visit(void **state)
{
    unsigned *nowhere = NULL;

    orr_pool_each(*state, note_first, &nowhere);
    assert_null(nowhere);
}

ORR_TESTS(pool)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(objects_do_not_overlap),
        T(objects_are_aligned_as_their_size_allows),
        T(a_freed_object_is_used_again_first),
        T(an_object_is_zero_whatever_it_was_before),
        T(of_an_object_no_more_is_zeroed_than_was_asked_for),
        T(an_object_may_be_smaller_than_a_pointer),
        T(an_object_may_be_larger_than_a_slab),
        T(a_cleared_pool_can_be_used_again),
        T(objects_in_use_are_visited_in_the_order_of_their_places),
        T(pools_share_the_memory_of_an_arena),
        T(objects_in_an_arena_have_places),
        T(an_unused_pool_has_nothing_to_visit),
#undef T
    };

    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
