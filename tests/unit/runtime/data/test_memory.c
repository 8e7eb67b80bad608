/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The list of buffers of a GPU, where nothing runs. */
#include "runtime/config/run_config.h"
#include "runtime/data/memory.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

enum { RAM, CUDA0, CUDA1 };
enum { DATA = 40 };

struct fixture {
    struct unit_run *unit;
    struct orr_run *run;
    struct orr_memory *memory; /* of CUDA0 */
    struct orr_data *data[DATA];
};

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);
    struct orr_config config;

    orr_config_init(&config);
    config.cpus = 0;
    f->unit = unit_run_new("three-gpus.xml", &config);
    f->run = f->unit->run;
    f->memory = &f->run->store.memories[CUDA0];
    for (unsigned i = 0; i < DATA; i++)
        f->data[i] = orr_data_register(f->run, 1000);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    unit_run_free(f->unit);
    g_free(f);
    return 0;
}

static const struct orr_block no_block;

static struct orr_replicate *copy(struct fixture *f, unsigned i)
{
    return &f->data[i]->copies[CUDA0];
}

static struct orr_buffer *buffer(struct fixture *f, unsigned i)
{
    return copy(f, i)->buffer;
}

/* Gives data @from to @to - 1 buffers, in that order. */
static void add(struct fixture *f, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        orr_memory_add(f->memory, copy(f, i), no_block);
        orr_replicate_grant(&f->run->store, copy(f, i), ORR_R);
    }
}

/* A task writes them, one after the other, and the next one uses them. */
static void write_copy(struct fixture *f, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        orr_replicate_grant(&f->run->store, copy(f, i), ORR_RW);
        orr_memory_used(f->memory, copy(f, i));
    }
}

/* Data by number from the oldest to the newest, dirty ones with a star. */
static void assert_order(const struct fixture *f, const char *expected)
{
    g_autoptr(GString) order = g_string_new(NULL);
    const struct orr_buffer *end = f->memory->end, *older = end;
    unsigned clean = 0, count = 0;

    for (const struct orr_buffer *c = end->newer; c != end; c = c->newer) {
        assert_ptr_equal(c->older, older);
        assert_true(older == end || older->place < c->place);
        g_string_append_printf(order, "%d%s ", (int)c->copy->data->id,
                               c->clean ? "" : "*");
        clean += c->clean;
        count++;
        older = c;
    }
    assert_ptr_equal(end->older, older);
    assert_int_equal(f->memory->buffers, count);
    assert_int_equal(f->memory->clean_buffers, clean);
    assert_string_equal(order->str, expected);
}

static void buffers_are_listed_as_they_come(void **state)
{
    struct fixture *f = *state;

    assert_order(f, "");
    add(f, 0, 4);
    assert_order(f, "0 1 2 3 ");
}

static void a_used_buffer_becomes_the_newest(void **state)
{
    struct fixture *f = *state;

    add(f, 0, 4);
    orr_memory_used(f->memory, copy(f, 0));
    assert_order(f, "1 2 3 0 ");
    orr_memory_used(f->memory, copy(f, 2));
    assert_order(f, "1 3 0 2 ");
    orr_memory_used(f->memory, copy(f, 2));
    assert_order(f, "1 3 0 2 ");
}

static void use_without_a_buffer_is_of_no_interest(void **state)
{
    struct fixture *f = *state;

    add(f, 0, 2);
    orr_memory_used(f->memory, copy(f, 5));
    assert_order(f, "0 1 ");
}

static void buffers_may_go_from_anywhere(void **state)
{
    struct fixture *f = *state;

    add(f, 0, 5);
    orr_memory_remove(f->memory, copy(f, 2));
    assert_order(f, "0 1 3 4 ");
    orr_memory_remove(f->memory, copy(f, 0));
    assert_order(f, "1 3 4 ");
    orr_memory_remove(f->memory, copy(f, 4));
    assert_order(f, "1 3 ");
    orr_memory_remove(f->memory, copy(f, 1));
    orr_memory_remove(f->memory, copy(f, 3));
    assert_order(f, "");
}

static void a_written_buffer_is_dirty(void **state)
{
    struct fixture *f = *state;

    add(f, 0, 3);
    orr_replicate_grant(&f->run->store, copy(f, 1), ORR_W);
    assert_order(f, "0 1* 2 ");
    orr_replicate_grant(&f->run->store, copy(f, 1), ORR_W);
    assert_order(f, "0 1* 2 ");
}

static void a_buffer_set_aside_is_clean_and_before_the_dirty_ones(void **state)
{
    struct fixture *f = *state;

    add(f, 0, 5);
    write_copy(f, 0, 5);
    assert_order(f, "0* 1* 2* 3* 4* ");
    orr_memory_set_aside(f->memory, copy(f, 3));
    assert_order(f, "3 0* 1* 2* 4* ");
    orr_memory_set_aside(f->memory, copy(f, 1));
    assert_order(f, "3 1 0* 2* 4* ");
    orr_memory_set_aside(f->memory, copy(f, 0));
    assert_order(f, "3 1 0 2* 4* ");
}

static void what_was_set_aside_and_is_used_is_the_newest(void **state)
{
    struct fixture *f = *state;

    add(f, 0, 3);
    write_copy(f, 0, 3);
    orr_memory_set_aside(f->memory, copy(f, 2));
    orr_memory_used(f->memory, copy(f, 2));
    assert_order(f, "0* 1* 2 ");
}

static void a_gone_first_dirty_buffer_passes_the_place_on(void **state)
{
    struct fixture *f = *state;

    add(f, 0, 4);
    write_copy(f, 0, 4);
    orr_memory_remove(f->memory, copy(f, 0));
    orr_memory_set_aside(f->memory, copy(f, 3));
    assert_order(f, "3 1* 2* ");
}

/* Write-backs asked for so far. */
static unsigned write_backs(const struct fixture *f)
{
    unsigned count = 0;

    for (unsigned i = 0; i < DATA; i++) {
        const struct orr_request *request = f->data[i]->copies[RAM].requests;

        if (!request)
            continue;
        assert_int_equal(request->level, ORR_IDLE);
        assert_int_equal(request->from->node, CUDA0);
        assert_null(request->next_incoming);
        count++;
    }
    return count;
}

static void below_20_buffers_nothing_is_cleaned(void **state)
{
    struct fixture *f = *state;

    add(f, 0, 19);
    write_copy(f, 0, 19);
    assert_true(orr_memory_is_tidy(f->memory)); /* 5 % of 19 are 0 */
    orr_memory_tidy(&f->run->store, f->memory);
    assert_int_equal(write_backs(f), 0);
}

static void of_20_dirty_buffers_the_2_oldest_are_written_back(void **state)
{
    struct fixture *f = *state;

    add(f, 0, 20);
    write_copy(f, 0, 20);
    assert_false(orr_memory_is_tidy(f->memory)); /* 5 % are 1 */
    orr_memory_tidy(&f->run->store, f->memory);
    assert_int_equal(write_backs(f), 2); /* 10 % */
    assert_non_null(f->data[0]->copies[RAM].requests);
    assert_non_null(f->data[1]->copies[RAM].requests);
    assert_true(orr_memory_is_tidy(f->memory));
    assert_order(f, "0 1 2* 3* 4* 5* 6* 7* 8* 9* 10* 11* 12* 13* 14* 15* "
                    "16* 17* 18* 19* ");
    orr_memory_tidy(&f->run->store, f->memory);
    assert_int_equal(write_backs(f), 2);
}

static void with_enough_clean_buffers_nothing_is_cleaned(void **state)
{
    struct fixture *f = *state;

    add(f, 0, 20);
    write_copy(f, 0, 19); /* the last one stays clean: 5 % */
    assert_true(orr_memory_is_tidy(f->memory));
    orr_memory_tidy(&f->run->store, f->memory);
    assert_int_equal(write_backs(f), 0);
}

static void what_is_valid_in_ram_becomes_clean_without_a_copy(void **state)
{
    struct fixture *f = *state;

    add(f, 0, 20);
    write_copy(f, 0, 20);
    orr_replicate_grant(&f->run->store, &f->data[0]->copies[RAM], ORR_R);
    orr_memory_tidy(&f->run->store, f->memory);
    assert_int_equal(write_backs(f), 1);
    assert_true(buffer(f, 0)->clean);
    assert_true(buffer(f, 1)->clean);
    assert_null(f->data[0]->copies[RAM].requests);
}

static void what_is_being_written_is_cleaned_later(void **state)
{
    struct fixture *f = *state;

    add(f, 0, 20);
    write_copy(f, 0, 20);
    orr_data_hold(&f->run->store, f->data[0], ORR_W);
    orr_replicate_hold(copy(f, 0));
    orr_memory_tidy(&f->run->store, f->memory);
    assert_int_equal(write_backs(f), 2);
    assert_null(f->data[0]->copies[RAM].requests);
    assert_true(buffer(f, 1)->clean);
    assert_true(buffer(f, 2)->clean);

    /* Cleaning continues where it stopped: the writer's buffer comes first. */
    orr_data_let_go(&f->run->store, f->data[0]);
    orr_replicate_release(&f->run->store, copy(f, 0));
    orr_memory_used(f->memory, copy(f, 1)); /* no longer counted clean */
    orr_replicate_grant(&f->run->store, copy(f, 1), ORR_RW);
    orr_memory_dirtied(f->memory, copy(f, 2)->buffer);
    orr_memory_tidy(&f->run->store, f->memory);
    assert_true(buffer(f, 0)->clean);
    assert_non_null(f->data[0]->copies[RAM].requests);
}

static void what_comes_before_an_eviction_in_progress_is_skipped(void **state)
{
    struct fixture *f = *state;

    add(f, 0, 20);
    write_copy(f, 0, 20);
    f->memory->evicted = orr_memory_place(buffer(f, 1));
    f->memory->next = orr_memory_place(buffer(f, 3));
    orr_memory_tidy(&f->run->store, f->memory);
    assert_false(buffer(f, 0)->clean);
    assert_true(buffer(f, 1)->clean);
    assert_false(buffer(f, 2)->clean);
    assert_true(buffer(f, 3)->clean);
    assert_int_equal(write_backs(f), 2);
}

static void a_place_is_lost_by_use_and_not_by_cleaning(void **state)
{
    struct fixture *f = *state;
    struct orr_place *next = &f->memory->next;

    add(f, 0, 20);
    write_copy(f, 0, 20);
    f->memory->evicted = orr_memory_place(buffer(f, 9));
    *next = orr_memory_place(buffer(f, 0));
    orr_memory_tidy(&f->run->store, f->memory); /* renumbers what it passes */
    assert_int_not_equal(buffer(f, 0)->place, buffer(f, 9)->place);
    assert_true(orr_memory_is_at(f->memory, next));
    orr_memory_used(f->memory, copy(f, 0));
    assert_false(orr_memory_is_at(f->memory, next));

    *next = orr_memory_place(buffer(f, 0));
    assert_true(orr_memory_is_at(f->memory, next));
    orr_memory_remove(f->memory, copy(f, 0));
    assert_false(orr_memory_is_at(f->memory, next));
    *next = orr_memory_place(NULL);
    assert_false(orr_memory_is_at(f->memory, next));
}

static void a_long_history_keeps_the_list_in_order(void **state)
{
    struct fixture *f = *state;
    g_autoptr(GRand) rand = g_rand_new_with_seed(11);

    add(f, 0, DATA);
    for (unsigned round = 0; round < 5000; round++) {
        struct orr_replicate *c = copy(f, g_rand_int(rand) % DATA);

        switch (g_rand_int(rand) % 5) {
        case 0:
            orr_memory_set_aside(f->memory, c);
            break;
        case 1:
            orr_replicate_grant(&f->run->store, c, ORR_RW);
            break;
        case 2:
            orr_memory_add(f->memory, c, orr_memory_remove(f->memory, c));
            break;
        default:
            orr_memory_used(f->memory, c);
        }
    }
    {
        const struct orr_buffer *older = NULL;
        unsigned count = 0;

        for (const struct orr_buffer *c = orr_memory_oldest(f->memory); c;
             c = orr_memory_newer(f->memory, c)) {
            assert_true(!older || older->place < c->place);
            older = c;
            count++;
        }
        assert_int_equal(count, DATA);
    }
}

ORR_TESTS(memory)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(buffers_are_listed_as_they_come),
        T(a_used_buffer_becomes_the_newest),
        T(use_without_a_buffer_is_of_no_interest),
        T(buffers_may_go_from_anywhere),
        T(a_written_buffer_is_dirty),
        T(a_buffer_set_aside_is_clean_and_before_the_dirty_ones),
        T(what_was_set_aside_and_is_used_is_the_newest),
        T(a_gone_first_dirty_buffer_passes_the_place_on),
        T(below_20_buffers_nothing_is_cleaned),
        T(of_20_dirty_buffers_the_2_oldest_are_written_back),
        T(with_enough_clean_buffers_nothing_is_cleaned),
        T(what_is_valid_in_ram_becomes_clean_without_a_copy),
        T(what_is_being_written_is_cleaned_later),
        T(what_comes_before_an_eviction_in_progress_is_skipped),
        T(a_place_is_lost_by_use_and_not_by_cleaning),
        T(a_long_history_keeps_the_list_in_order),
#undef T
    };

    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
