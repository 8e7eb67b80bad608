/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which accesses are data races. */
#include "runtime/races/detector.h"
#include "tests/support/cmocka_all.h"

enum { READS = 0, WRITES = ORR_ACCESS_WRITES, ATOMIC = ORR_ACCESS_IS_ATOMIC };

static const char memory[32] __attribute__((aligned(8)));
static const char lock, other_lock;

struct fixture {
    struct orr_detector *detector;
    struct orr_memory_access other; /* of the last race */
};

static int set_up(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    f->detector = orr_detector_new(3);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    orr_detector_free(f->detector);
    g_free(f);
    return 0;
}

/* Whether an access to @bytes from @at on is a race. Its code is @memory +
 * @thread, so that the two sides can be distinguished. */
static bool races(struct fixture *f, unsigned thread, unsigned flags,
                  unsigned at, size_t bytes)
{
    const struct orr_memory_access access = {
        .thread = thread,
        .call = thread + 1,
        .flags = flags,
        .address = memory + at,
        .bytes = bytes,
        .code = memory + thread,
    };

    return orr_detector_access(f->detector, &access, &f->other);
}

/* @thread had @with, and another takes it. */
static void pass(struct fixture *f, const char *with, unsigned from,
                 unsigned to)
{
    struct orr_clocks *clocks = orr_detector_clocks(f->detector);

    orr_clocks_release(clocks, from, with);
    orr_clocks_acquire(clocks, to, with);
}

static void two_writes_that_nothing_orders_race(void **state)
{
    struct fixture *f = *state;

    assert_false(races(f, 0, WRITES, 4, 4));
    assert_true(races(f, 1, WRITES, 4, 4));
    assert_int_equal(f->other.thread, 0);
    assert_int_equal(f->other.call, 1);
    assert_int_equal(f->other.flags, WRITES);
    assert_ptr_equal(f->other.code, memory);
    assert_ptr_equal(f->other.address, memory + 4);
    assert_int_equal(f->other.bytes, 4);
}

static void a_read_and_a_write_race_in_either_order(void **state)
{
    struct fixture *f = *state;

    assert_false(races(f, 0, READS, 0, 8));
    assert_false(races(f, 1, READS, 0, 8)); /* two reads never do */
    assert_true(races(f, 2, WRITES, 0, 8));
    assert_false(races(f, 0, WRITES, 8, 8));
    assert_true(races(f, 1, READS, 8, 8));
}

static void who_takes_the_same_lock_does_not_race(void **state)
{
    struct fixture *f = *state;

    races(f, 0, WRITES, 0, 4);
    pass(f, &lock, 0, 1);
    assert_false(races(f, 1, WRITES, 0, 4));
    pass(f, &lock, 1, 2);
    assert_false(races(f, 2, READS, 0, 4)); /* 0 is known along the chain */
    pass(f, &other_lock, 1, 0);
    /* the value that 2 read is not known */
    assert_true(races(f, 0, WRITES, 0, 4));
    assert_int_equal(f->other.thread, 2);
}

/* Released too early: the write comes after. */
static void what_follows_a_release_is_not_ordered(void **state)
{
    struct fixture *f = *state;

    orr_clocks_release(orr_detector_clocks(f->detector), 0, &lock);
    races(f, 0, WRITES, 0, 4);
    orr_clocks_acquire(orr_detector_clocks(f->detector), 1, &lock);
    assert_true(races(f, 1, READS, 0, 4));
}

static void atomic_accesses_race_only_with_plain_ones(void **state)
{
    struct fixture *f = *state;

    assert_false(races(f, 0, WRITES | ATOMIC, 0, 4));
    assert_false(races(f, 1, WRITES | ATOMIC, 0, 4));
    assert_false(races(f, 1, READS | ATOMIC, 0, 4));
    assert_true(races(f, 2, READS, 0, 4));
}

static void neighbours_in_a_word_do_not_race(void **state)
{
    struct fixture *f = *state;

    races(f, 0, WRITES, 0, 4);
    assert_false(races(f, 1, WRITES, 4, 4));
    assert_false(races(f, 1, WRITES, 8, 8));
    assert_true(races(f, 2, READS, 2, 4)); /* across both */
    assert_true(races(f, 0, READS, 6, 4)); /* across two words */
}

/* A write that is ordered after another covers it; a read does not. */
static void a_later_read_does_not_hide_a_write(void **state)
{
    struct fixture *f = *state;

    races(f, 0, WRITES, 0, 4);
    pass(f, &lock, 0, 1);
    assert_false(races(f, 1, READS, 0, 4));
    assert_true(races(f, 2, READS, 0, 4));
    assert_int_equal(f->other.thread, 0);
    assert_int_equal(f->other.flags, WRITES);
}

static void freed_memory_is_forgotten(void **state)
{
    struct fixture *f = *state;

    races(f, 0, WRITES, 0, 8);
    races(f, 0, WRITES, 8, 8);
    orr_detector_discard(f->detector, memory, 8);
    assert_false(races(f, 1, WRITES, 0, 8));
    assert_true(races(f, 1, WRITES, 8, 8));
}

static bool is_contended(struct fixture *f, unsigned thread, unsigned flags,
                         uint64_t locks)
{
    const struct orr_memory_access access = {
        .thread = thread,
        .flags = flags,
        .address = memory,
        .bytes = 4,
        .locks = locks,
    };

    return orr_detector_expect(f->detector, &access);
}

/* Locks are bits; only what is common to all accesses of several threads
 * protects. */
static void what_no_lock_protects_is_contended(void **state)
{
    struct fixture *f = *state;

    assert_false(is_contended(f, 0, WRITES, 0)); /* not shared yet */
    assert_false(is_contended(f, 1, WRITES, 3));
    assert_false(is_contended(f, 2, READS, 1));
    assert_true(is_contended(f, 0, READS, 2));
    assert_true(is_contended(f, 0, READS, 3)); /* for ever */
}

ORR_TESTS(detector)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(two_writes_that_nothing_orders_race),
        TEST(a_read_and_a_write_race_in_either_order),
        TEST(who_takes_the_same_lock_does_not_race),
        TEST(what_follows_a_release_is_not_ordered),
        TEST(atomic_accesses_race_only_with_plain_ones),
        TEST(neighbours_in_a_word_do_not_race),
        TEST(a_later_read_does_not_hide_a_write),
        TEST(freed_memory_is_forgotten),
        TEST(what_no_lock_protects_is_contended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
