/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/suballoc.h"
#include "tests/support/cmocka_all.h"

#define KIB ((uint64_t)1024)
#define MIB (1024 * KIB)
#define CHUNK (32 * MIB)

/* 960 x 960 floats: exactly 225 units of 16 KiB, 9 in a chunk of 2048. */
#define TILE ((uint64_t)960 * 960 * 4)

static struct orr_suballoc *pool_of(uint64_t capacity)
{
    return orr_suballoc_new(capacity, false);
}

/* A chunk full of nine tiles, and a tenth asked for in vain. */
static struct orr_suballoc *full_pool(bool overlooks_lone_gaps,
                                      struct orr_block *blocks)
{
    struct orr_suballoc *pool = orr_suballoc_new(CHUNK, overlooks_lone_gaps);
    struct orr_block tenth = {0};

    for (unsigned i = 0; i < 9; i++) {
        blocks[i] = (struct orr_block){0};
        if (orr_suballoc_take(pool, TILE, &blocks[i]) == ORR_SUBALLOC_DRIVER)
            orr_suballoc_commit(pool, TILE, &blocks[i]);
    }
    assert_int_equal(orr_suballoc_take(pool, TILE, &tenth), ORR_SUBALLOC_FULL);
    return pool;
}

/* Takes a buffer, committing if needed; says what was needed. */
static enum orr_suballoc_need take(struct orr_suballoc *pool, uint64_t bytes,
                                   struct orr_block *block)
{
    enum orr_suballoc_need need;

    *block = (struct orr_block){0};
    need = orr_suballoc_take(pool, bytes, block);
    if (need == ORR_SUBALLOC_DRIVER)
        orr_suballoc_commit(pool, bytes, block);
    return need;
}

static void nine_tiles_of_960_floats_fill_a_chunk(void **state)
{
    struct orr_suballoc *pool = pool_of(100 * CHUNK);
    struct orr_block block;

    (void)state;
    for (unsigned tile = 0; tile < 27; tile++) {
        assert_int_equal(take(pool, TILE, &block), tile % 9 == 0
                                                       ? ORR_SUBALLOC_DRIVER
                                                       : ORR_SUBALLOC_READY);
        assert_int_equal(orr_suballoc_used(pool), (tile / 9 + 1) * CHUNK);
    }
    orr_suballoc_free(pool);
}

static void tiles_of_attila_end_at_774(void **state)
{
    /* 2763 MiB are 86 chunks and 11 MiB. */
    struct orr_suballoc *pool = pool_of(2763 * MIB);
    struct orr_block block;
    unsigned tiles = 0;

    (void)state;
    while (take(pool, TILE, &block) != ORR_SUBALLOC_FULL)
        tiles++;
    assert_int_equal(tiles, 774);
    orr_suballoc_free(pool);
}

static void buffers_of_a_chunk_do_not_overlap(void **state)
{
    struct orr_suballoc *pool = pool_of(CHUNK);
    struct orr_block blocks[9];

    (void)state;
    for (unsigned i = 0; i < 9; i++) {
        take(pool, TILE, &blocks[i]);
        assert_int_equal(blocks[i].start, 225 * i);
        assert_int_equal(blocks[i].length, 225);
        assert_ptr_equal(blocks[i].chunk, blocks[0].chunk);
    }
    orr_suballoc_free(pool);
}

static void up_to_4_mib_are_small(void **state)
{
    struct orr_suballoc *pool = pool_of(100 * CHUNK);
    struct orr_block block;

    (void)state;
    assert_int_equal(take(pool, 4 * MIB, &block), ORR_SUBALLOC_DRIVER);
    assert_int_not_equal(block.chunk, 0);
    assert_int_equal(orr_suballoc_used(pool), CHUNK);
    assert_int_equal(take(pool, 4 * MIB + 1, &block), ORR_SUBALLOC_DRIVER);
    assert_int_equal(block.chunk, 0);
    assert_int_equal(orr_suballoc_used(pool), CHUNK + 4 * MIB + 1);
    orr_suballoc_free(pool);
}

static void a_byte_takes_a_unit(void **state)
{
    struct orr_suballoc *pool = pool_of(CHUNK);
    struct orr_block block;

    (void)state;
    for (unsigned i = 0; i < 2048; i++)
        assert_int_not_equal(take(pool, 1, &block), ORR_SUBALLOC_FULL);
    assert_int_equal(take(pool, 1, &block), ORR_SUBALLOC_FULL);
    orr_suballoc_free(pool);
}

static void large_buffers_are_allocated_one_by_one(void **state)
{
    struct orr_suballoc *pool = pool_of(25 * MIB);
    struct orr_block first, second, third;

    (void)state;
    assert_int_equal(take(pool, 10 * MIB, &first), ORR_SUBALLOC_DRIVER);
    assert_int_equal(take(pool, 15 * MIB, &second), ORR_SUBALLOC_DRIVER);
    assert_int_equal(take(pool, 5 * MIB, &third), ORR_SUBALLOC_FULL);
    assert_int_equal(orr_suballoc_used(pool), 25 * MIB);

    assert_int_equal(orr_suballoc_give(pool, 10 * MIB, &first),
                     ORR_SUBALLOC_DRIVER);
    assert_int_equal(orr_suballoc_used(pool), 15 * MIB);
    assert_int_equal(take(pool, 5 * MIB, &third), ORR_SUBALLOC_DRIVER);
    orr_suballoc_free(pool);
}

static void a_full_pool_takes_nothing_and_stays_as_it_was(void **state)
{
    struct orr_suballoc *pool = pool_of(CHUNK - 1);
    struct orr_block block;

    (void)state;
    assert_int_equal(take(pool, TILE, &block), ORR_SUBALLOC_FULL);
    assert_int_equal(take(pool, UINT64_MAX, &block), ORR_SUBALLOC_FULL);
    assert_int_equal(orr_suballoc_used(pool), 0);
    orr_suballoc_free(pool);
}

static void room_is_reserved_while_the_driver_allocates(void **state)
{
    struct orr_suballoc *pool = pool_of(CHUNK);
    struct orr_block first = {0}, second = {0};

    (void)state;
    assert_int_equal(orr_suballoc_take(pool, TILE, &first),
                     ORR_SUBALLOC_DRIVER);
    assert_int_equal(orr_suballoc_take(pool, TILE, &second), ORR_SUBALLOC_FULL);
    orr_suballoc_commit(pool, TILE, &first);
    assert_int_equal(orr_suballoc_take(pool, TILE, &second),
                     ORR_SUBALLOC_READY);
    orr_suballoc_free(pool);
}

static void a_gap_is_filled_again(void **state)
{
    struct orr_suballoc *pool = pool_of(CHUNK);
    struct orr_block blocks[9], again;

    (void)state;
    for (unsigned i = 0; i < 9; i++)
        take(pool, TILE, &blocks[i]);
    assert_int_equal(take(pool, TILE, &again), ORR_SUBALLOC_FULL);
    assert_int_equal(orr_suballoc_give(pool, TILE, &blocks[4]),
                     ORR_SUBALLOC_READY);
    assert_int_equal(blocks[4].chunk, 0);
    assert_int_equal(take(pool, TILE, &again), ORR_SUBALLOC_READY);
    assert_int_equal(again.start, 4 * 225);
    orr_suballoc_free(pool);
}

static void a_lone_gap_is_overlooked_until_it_joins_another(void **state)
{
    struct orr_block blocks[9], again = {0};
    struct orr_suballoc *pool = full_pool(true, blocks);

    (void)state;
    orr_suballoc_give(pool, TILE, &blocks[2]);
    assert_int_equal(orr_suballoc_overlooked(pool), TILE);
    assert_false(orr_suballoc_fits(pool, TILE));
    assert_int_equal(orr_suballoc_take(pool, TILE, &again), ORR_SUBALLOC_FULL);

    orr_suballoc_give(pool, TILE, &blocks[6]);
    assert_int_equal(orr_suballoc_overlooked(pool), 2 * TILE);
    assert_int_equal(orr_suballoc_take(pool, TILE, &again), ORR_SUBALLOC_FULL);

    orr_suballoc_give(pool, TILE, &blocks[5]); /* joins 6; and 2 is seen */
    assert_int_equal(orr_suballoc_overlooked(pool), 0);
    assert_true(orr_suballoc_fits(pool, TILE));
    assert_int_equal(orr_suballoc_take(pool, TILE, &again), ORR_SUBALLOC_READY);
    assert_int_equal(again.start, 2 * 225);
    orr_suballoc_free(pool);
}

static void what_follows_the_last_buffer_is_a_gap_to_join(void **state)
{
    struct orr_block blocks[9], again = {0};
    struct orr_suballoc *pool = full_pool(true, blocks);

    (void)state;
    orr_suballoc_give(pool, TILE, &blocks[8]); /* 23 units are behind it */
    assert_int_equal(orr_suballoc_take(pool, TILE, &again), ORR_SUBALLOC_READY);
    assert_int_equal(again.start, 8 * 225);
    orr_suballoc_free(pool);
}

static void a_lone_gap_is_seen_where_nothing_was_looked_for(void **state)
{
    struct orr_suballoc *pool = orr_suballoc_new(CHUNK, true);
    struct orr_block blocks[9], again = {0};

    (void)state;
    for (unsigned i = 0; i < 9; i++)
        take(pool, TILE, &blocks[i]);
    orr_suballoc_give(pool, TILE, &blocks[2]);
    assert_int_equal(orr_suballoc_take(pool, TILE, &again), ORR_SUBALLOC_READY);
    assert_int_equal(again.start, 2 * 225);
    orr_suballoc_free(pool);
}

static void without_that_accident_no_gap_is_overlooked(void **state)
{
    struct orr_block blocks[9], again = {0};
    struct orr_suballoc *pool = full_pool(false, blocks);

    (void)state;
    orr_suballoc_give(pool, TILE, &blocks[2]);
    assert_int_equal(orr_suballoc_overlooked(pool), 0);
    assert_int_equal(orr_suballoc_take(pool, TILE, &again), ORR_SUBALLOC_READY);
    orr_suballoc_free(pool);
}

static void neighbouring_gaps_merge_in_whatever_order_they_come(void **state)
{
    static const unsigned orders[][3] = {
        {0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0},
    };

    (void)state;
    for (unsigned o = 0; o < G_N_ELEMENTS(orders); o++) {
        struct orr_suballoc *pool = pool_of(CHUNK);
        struct orr_block blocks[32], wide;

        for (unsigned i = 0; i < 32; i++)
            take(pool, MIB, &blocks[i]);
        for (unsigned i = 0; i < 3; i++)
            orr_suballoc_give(pool, MIB, &blocks[10 + orders[o][i]]);
        assert_int_equal(take(pool, 3 * MIB + 1, &wide), ORR_SUBALLOC_FULL);
        assert_int_equal(take(pool, 3 * MIB, &wide), ORR_SUBALLOC_READY);
        assert_int_equal(wide.start, 10 * 64);
        orr_suballoc_free(pool);
    }
}

static void gaps_apart_are_no_room_for_a_wide_buffer(void **state)
{
    struct orr_suballoc *pool = pool_of(CHUNK);
    struct orr_block blocks[16], wide;

    (void)state;
    for (unsigned i = 0; i < 16; i++)
        take(pool, 2 * MIB, &blocks[i]);
    for (unsigned i = 0; i < 16; i += 2)
        orr_suballoc_give(pool, 2 * MIB, &blocks[i]);
    assert_int_equal(take(pool, 2 * MIB + 1, &wide), ORR_SUBALLOC_FULL);

    orr_suballoc_give(pool, 2 * MIB, &blocks[5]); /* joins 4, 5 and 6 */
    assert_int_equal(take(pool, 4 * MIB, &wide), ORR_SUBALLOC_READY);
    assert_int_equal(wide.start, 4 * 128);
    orr_suballoc_free(pool);
}

static void the_first_gap_wide_enough_is_taken(void **state)
{
    struct orr_suballoc *pool = pool_of(CHUNK);
    struct orr_block blocks[16], block;

    (void)state;
    for (unsigned i = 0; i < 16; i++)
        take(pool, 2 * MIB, &blocks[i]);
    orr_suballoc_give(pool, 2 * MIB, &blocks[9]);
    orr_suballoc_give(pool, 2 * MIB, &blocks[3]);
    take(pool, MIB, &block);
    assert_int_equal(block.start, 3 * 128);
    orr_suballoc_free(pool);
}

/* Fills @count chunks with eight buffers each. */
static void fill(struct orr_suballoc *pool, struct orr_block *blocks,
                 unsigned count)
{
    for (unsigned i = 0; i < 8 * count; i++)
        take(pool, 4 * MIB, &blocks[i]);
}

static void four_empty_chunks_are_kept_and_no_more(void **state)
{
    enum { CHUNKS = 6 };
    struct orr_suballoc *pool = pool_of(100 * CHUNK);
    struct orr_block blocks[8 * CHUNKS];

    (void)state;
    fill(pool, blocks, CHUNKS);
    assert_int_equal(orr_suballoc_used(pool), CHUNKS * CHUNK);
    for (unsigned i = 0; i < 8 * CHUNKS; i++) {
        bool last_of_chunk = i % 8 == 7;

        assert_int_equal(orr_suballoc_give(pool, 4 * MIB, &blocks[i]),
                         last_of_chunk && i / 8 >= 4 ? ORR_SUBALLOC_DRIVER
                                                     : ORR_SUBALLOC_READY);
    }
    assert_int_equal(orr_suballoc_used(pool), 4 * CHUNK);
    orr_suballoc_free(pool);
}

static void an_empty_chunk_put_to_use_may_be_replaced(void **state)
{
    struct orr_suballoc *pool = pool_of(100 * CHUNK);
    struct orr_block blocks[8 * 6], block;

    (void)state;
    fill(pool, blocks, 6);
    for (unsigned i = 0; i < 8 * 4; i++) /* four empty ones */
        orr_suballoc_give(pool, 4 * MIB, &blocks[i]);
    take(pool, 4 * MIB, &block); /* three */
    for (unsigned i = 8 * 4; i < 8 * 6; i++)
        assert_int_equal(orr_suballoc_give(pool, 4 * MIB, &blocks[i]),
                         i == 8 * 6 - 1 ? ORR_SUBALLOC_DRIVER
                                        : ORR_SUBALLOC_READY);
    assert_int_equal(orr_suballoc_used(pool), 5 * CHUNK);
    orr_suballoc_free(pool);
}

static void footprint_counts_chunks_and_large_buffers(void **state)
{
    const uint64_t tiles[] = {TILE, TILE, TILE};
    const uint64_t mixed[] = {TILE, 5 * MIB, TILE, 7 * MIB};
    const uint64_t quarters[] = {4 * MIB, 4 * MIB, 4 * MIB, 4 * MIB, 4 * MIB,
                                 4 * MIB, 4 * MIB, 4 * MIB, 1};

    (void)state;
    assert_int_equal(orr_suballoc_footprint(NULL, 0), 0);
    assert_int_equal(orr_suballoc_footprint(tiles, 3), CHUNK);
    assert_int_equal(orr_suballoc_footprint(mixed, 4), CHUNK + 12 * MIB);
    assert_int_equal(orr_suballoc_footprint(quarters, 8), CHUNK);
    assert_int_equal(orr_suballoc_footprint(quarters, 9), 2 * CHUNK);
}

/* Random buffers taken and given: their units never overlap. */
enum { LIVE = 200, ROUNDS = 20000 };

static void check_apart(const struct orr_block *blocks, unsigned last)
{
    for (unsigned i = 0; i < LIVE; i++) {
        if (i == last || !blocks[i].chunk ||
            blocks[i].chunk != blocks[last].chunk)
            continue;
        assert_true(blocks[i].start + blocks[i].length <= blocks[last].start ||
                    blocks[last].start + blocks[last].length <=
                        blocks[i].start);
    }
}

static void buffers_never_overlap_whatever_comes_and_goes(void **state)
{
    struct orr_suballoc *pool = pool_of(8 * CHUNK);
    g_autoptr(GRand) rand = g_rand_new_with_seed(7);
    struct orr_block blocks[LIVE] = {0};
    uint64_t sizes[LIVE] = {0};
    unsigned refused = 0;

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned i = (unsigned)g_rand_int_range(rand, 0, LIVE);

        if (sizes[i] > 0) {
            orr_suballoc_give(pool, sizes[i], &blocks[i]);
            sizes[i] = 0;
            continue;
        }
        sizes[i] = (uint64_t)g_rand_int_range(rand, 1, 5 * (gint32)MIB);
        if (take(pool, sizes[i], &blocks[i]) == ORR_SUBALLOC_FULL) {
            sizes[i] = 0;
            refused++;
            continue;
        }
        if (blocks[i].chunk)
            check_apart(blocks, i);
        assert_true(orr_suballoc_used(pool) <= 8 * CHUNK);
    }
    assert_true(refused > 0);
    for (unsigned i = 0; i < LIVE; i++) {
        if (sizes[i] > 0)
            orr_suballoc_give(pool, sizes[i], &blocks[i]);
    }
    assert_true(orr_suballoc_used(pool) <= 4 * CHUNK);
    assert_int_equal(orr_suballoc_used(pool) % CHUNK, 0);
    orr_suballoc_free(pool);
}

static void freeing_no_pool_is_allowed(void **state)
{
    (void)state;
    orr_suballoc_free(NULL);
}

ORR_TESTS(suballoc)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nine_tiles_of_960_floats_fill_a_chunk),
        cmocka_unit_test(tiles_of_attila_end_at_774),
        cmocka_unit_test(buffers_of_a_chunk_do_not_overlap),
        cmocka_unit_test(up_to_4_mib_are_small),
        cmocka_unit_test(a_byte_takes_a_unit),
        cmocka_unit_test(large_buffers_are_allocated_one_by_one),
        cmocka_unit_test(a_full_pool_takes_nothing_and_stays_as_it_was),
        cmocka_unit_test(room_is_reserved_while_the_driver_allocates),
        cmocka_unit_test(a_gap_is_filled_again),
        cmocka_unit_test(a_lone_gap_is_overlooked_until_it_joins_another),
        cmocka_unit_test(what_follows_the_last_buffer_is_a_gap_to_join),
        cmocka_unit_test(a_lone_gap_is_seen_where_nothing_was_looked_for),
        cmocka_unit_test(without_that_accident_no_gap_is_overlooked),
        cmocka_unit_test(neighbouring_gaps_merge_in_whatever_order_they_come),
        cmocka_unit_test(gaps_apart_are_no_room_for_a_wide_buffer),
        cmocka_unit_test(the_first_gap_wide_enough_is_taken),
        cmocka_unit_test(four_empty_chunks_are_kept_and_no_more),
        cmocka_unit_test(an_empty_chunk_put_to_use_may_be_replaced),
        cmocka_unit_test(footprint_counts_chunks_and_large_buffers),
        cmocka_unit_test(buffers_never_overlap_whatever_comes_and_goes),
        cmocka_unit_test(freeing_no_pool_is_allowed),
    };

    return cmocka_run_group_tests_name("suballoc", tests, NULL, NULL);
}
