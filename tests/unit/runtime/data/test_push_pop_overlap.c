/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A pusher and a popping driver that meet at one date, round by round. */
#include "runtime/data/push_pop_overlap.h"
#include "runtime/interleaving_plain.h"

#include "runtime/run.h"
#include "runtime/worker/worker.h"
#include "tests/support/cmocka_all.h"

struct fixture {
    struct orr_run run;
    struct orr_worker workers[3];
    struct orr_data *data[2];
};

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    f->run.engine.now = 5 * ORR_US;
    f->run.switches.quirks = ORR_QUIRKS_ON;
    f->run.turns = &orr_turns_plain;
    orr_run_lend(&f->run);
    orr_data_pool_init(&f->run.store.data_pool, 4, NULL);
    for (unsigned i = 0; i < 2; i++)
        f->data[i] = orr_data_new(&f->run.store.data_pool, 4, i, 100);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    orr_pool_clear(&f->run.store.data_pool);
    g_free(f);
    return 0;
}

/* The @pusher is done; the @popper pops and prefetches both data: rounds 3 to
 * 12 and 12 to 21, or 3 to 15 and 15 to 27 when posted elsewhere. */
static void push_and_pop(struct fixture *f, unsigned pusher, unsigned popper,
                         bool elsewhere)
{
    struct orr_actor *actor = &f->workers[pusher].actor;

    f->run.engine.acting = actor;
    orr_push_pop_overlap_pushed(&f->run.store, actor);
    orr_push_pop_overlap_pop_begins(&f->run.store);
    orr_push_pop_overlap_post(&f->run.store, f->data[0], elsewhere);
    orr_push_pop_overlap_post(&f->run.store, f->data[1], elsewhere);
    orr_push_pop_overlap_pop_ends(&f->run.store, &f->workers[popper].last_pop);
}

static bool meets_pop(struct fixture *f, unsigned worker)
{
    return orr_push_pop_overlap_meets_pop(
        &f->run.store, &f->workers[worker].actor, &f->workers[worker].last_pop);
}

static bool meets(struct fixture *f, unsigned pusher, unsigned datum)
{
    return orr_push_pop_overlap_meets_lock(
        &f->run.store, &f->workers[pusher].actor, f->data[datum]);
}

static void the_first_worker_meets_the_lock_of_the_second_datum(void **state)
{
    struct fixture *f = *state;

    push_and_pop(f, 0, 1, false);
    assert_false(meets_pop(f, 0));
    assert_true(meets_pop(f, 1));
    orr_push_pop_overlap_push_ends(&f->run.store); /* 7 + 7 + 5 = 19 */
    assert_false(meets(f, 0, 0));
    assert_true(meets(f, 0, 1));
    assert_false(meets(f, 1, 1));
}

static void who_looks_at_the_popper_first_is_sooner(void **state)
{
    struct fixture *f = *state;

    push_and_pop(f, 1, 0, true);
    assert_true(meets_pop(f, 0));
    orr_push_pop_overlap_push_ends(&f->run.store); /* 7 + 5 = 12 */
    assert_true(meets(f, 1, 0));
    assert_false(meets(f, 1, 1));
}

static void who_comes_after_the_pop_meets_nobody(void **state)
{
    struct fixture *f = *state;

    push_and_pop(f, 0, 2, false);
    assert_false(meets_pop(f, 0));
    assert_false(meets_pop(f, 1));
    /* 7 + 12, and 4 to reach it: the pop ended in round 21. */
    assert_false(meets_pop(f, 2));
    f->run.engine.now++;
    assert_false(meets(f, 0, 0));
}

static void without_quirks_nobody_meets(void **state)
{
    struct fixture *f = *state;

    f->run.switches.quirks = ORR_QUIRKS_OFF;
    push_and_pop(f, 0, 1, false);
    assert_false(meets_pop(f, 0));
    assert_false(meets_pop(f, 1));
    orr_push_pop_overlap_push_ends(&f->run.store);
    assert_false(meets(f, 0, 1));
}

ORR_TESTS(push_overlap)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            the_first_worker_meets_the_lock_of_the_second_datum, setup,
            teardown),
        cmocka_unit_test_setup_teardown(who_looks_at_the_popper_first_is_sooner,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(who_comes_after_the_pop_meets_nobody,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(without_quirks_nobody_meets, setup,
                                        teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
