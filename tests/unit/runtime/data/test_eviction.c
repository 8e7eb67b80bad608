/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which buffer of a GPU goes first, where nothing runs. */
#include "runtime/config/run_config.h"
#include "runtime/data/eviction.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

enum { RAM, CUDA0, CUDA1, NODES };
enum { DATA = 30, TILE = 1000, SMALL = 500 };

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
    config.gpus = NODES - 1;
    config.cpus = 0;
    f->unit = unit_run_new("three-gpus.xml", &config);
    f->run = f->unit->run;
    f->memory = &f->run->store.memories[CUDA0];
    for (unsigned i = 0; i < DATA; i++)
        f->data[i] = orr_data_register(f->run, TILE);
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

static struct orr_replicate *copy(struct fixture *f, unsigned i)
{
    return &f->data[i]->copies[CUDA0];
}

static void add(struct fixture *f, struct orr_data *data)
{
    struct orr_replicate *c = &data->copies[CUDA0];

    orr_memory_add(f->memory, c, (struct orr_block){0});
    orr_replicate_grant(&f->run->store, c, ORR_R);
}

/* Clean buffers of data 0 to @count - 1, the oldest first. */
static void fill(struct fixture *f, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        add(f, f->data[i]);
}

static struct orr_replicate *copy_of(const struct orr_buffer *buffer)
{
    return buffer ? buffer->copy : NULL;
}

static struct orr_replicate *clean(struct fixture *f, enum orr_level level)
{
    return copy_of(
        orr_eviction_find_clean(&f->run->store, f->memory, f->data[0], level));
}

static struct orr_replicate *any_from(struct fixture *f,
                                      struct orr_replicate *from)
{
    return copy_of(orr_eviction_find_any(&f->run->store, f->memory,
                                         from->buffer, ORR_FETCH));
}

static struct orr_replicate *any(struct fixture *f, enum orr_level level)
{
    return copy_of(
        orr_eviction_find_any(&f->run->store, f->memory, NULL, level));
}

static void the_least_recently_used_goes_first(void **state)
{
    struct fixture *f = *state;

    fill(f, 3);
    assert_ptr_equal(clean(f, ORR_FETCH), copy(f, 0));
    orr_memory_used(f->memory, copy(f, 0));
    assert_ptr_equal(clean(f, ORR_FETCH), copy(f, 1));
    assert_ptr_equal(any(f, ORR_FETCH), copy(f, 1));
}

static void an_empty_memory_has_no_victim(void **state)
{
    assert_null(clean(*state, ORR_FETCH));
    assert_null(any(*state, ORR_FETCH));
}

static void the_only_valid_copy_is_not_clean(void **state)
{
    struct fixture *f = *state;

    fill(f, 2);
    orr_replicate_grant(&f->run->store, copy(f, 0), ORR_RW);
    assert_ptr_equal(clean(f, ORR_FETCH), copy(f, 1));
    assert_ptr_equal(any(f, ORR_FETCH), copy(f, 0));
    orr_replicate_grant(&f->run->store, copy(f, 1), ORR_RW);
    assert_null(clean(f, ORR_FETCH));
    orr_replicate_grant(&f->run->store, &f->data[1]->copies[RAM], ORR_R);
    assert_ptr_equal(clean(f, ORR_FETCH), copy(f, 1));
}

static void a_worthless_copy_is_clean(void **state)
{
    struct fixture *f = *state;

    fill(f, 1);
    orr_replicate_grant(&f->run->store, &f->data[0]->copies[CUDA1], ORR_W);
    assert_ptr_equal(clean(f, ORR_FETCH), copy(f, 0));
}

static void a_copy_in_use_stays_until_released(void **state)
{
    struct fixture *f = *state;

    fill(f, 2);
    orr_replicate_hold(copy(f, 0));
    orr_replicate_hold(copy(f, 0));
    assert_ptr_equal(clean(f, ORR_FETCH), copy(f, 1));
    orr_replicate_release(&f->run->store, copy(f, 0));
    assert_ptr_equal(clean(f, ORR_FETCH), copy(f, 1));
    orr_replicate_release(&f->run->store, copy(f, 0));
    assert_ptr_equal(clean(f, ORR_FETCH), copy(f, 0));
}

static void an_expected_copy_goes_only_to_a_task_that_waits(void **state)
{
    struct fixture *f = *state;

    fill(f, 2);
    copy(f, 0)->expected = 1;
    assert_ptr_equal(clean(f, ORR_PREFETCH), copy(f, 1));
    assert_ptr_equal(any(f, ORR_PREFETCH), copy(f, 1));
    assert_ptr_equal(clean(f, ORR_FETCH), copy(f, 0));
    assert_ptr_equal(any(f, ORR_FETCH), copy(f, 0));
}

static void what_somebody_holds_to_write_stays(void **state)
{
    struct fixture *f = *state;

    fill(f, 2);
    orr_data_hold(&f->run->store, f->data[0], ORR_W);
    orr_replicate_hold(&f->data[0]->copies[CUDA1]); /* elsewhere, even */
    assert_ptr_equal(any(f, ORR_FETCH), copy(f, 1));
    orr_data_let_go(&f->run->store, f->data[0]);
    orr_replicate_release(&f->run->store, &f->data[0]->copies[CUDA1]);
    assert_ptr_equal(any(f, ORR_FETCH), copy(f, 0));
}

static void what_somebody_holds_to_read_elsewhere_may_go(void **state)
{
    struct fixture *f = *state;

    fill(f, 2);
    orr_data_hold(&f->run->store, f->data[0], ORR_R);
    orr_replicate_hold(&f->data[0]->copies[CUDA1]);
    assert_ptr_equal(any(f, ORR_FETCH), copy(f, 0));
}

static void only_a_buffer_of_the_same_size_is_handed_over(void **state)
{
    struct fixture *f = *state;
    struct orr_data *small = orr_data_register(f->run, SMALL);
    struct orr_data *tiny = orr_data_register(f->run, 8);
    struct orr_data *spread = orr_data_register_matrix(f->run, 4, SMALL / 4, 8);

    add(f, small);
    fill(f, 1);
    assert_ptr_equal(clean(f, ORR_FETCH), copy(f, 0));
    assert_ptr_equal(any(f, ORR_FETCH), &small->copies[CUDA0]);
    assert_ptr_equal(
        orr_eviction_find_clean(&f->run->store, f->memory, small, ORR_FETCH),
        small->copies[CUDA0].buffer);
    assert_null(
        orr_eviction_find_clean(&f->run->store, f->memory, tiny, ORR_FETCH));
    assert_null(
        orr_eviction_find_clean(&f->run->store, f->memory, spread, ORR_FETCH));
}

static void what_was_set_aside_goes_before_dirty_buffers(void **state)
{
    struct fixture *f = *state;

    fill(f, 3);
    for (unsigned i = 0; i < 3; i++) {
        orr_replicate_grant(&f->run->store, copy(f, i), ORR_RW);
        orr_memory_used(f->memory, copy(f, i));
    }
    assert_ptr_equal(any(f, ORR_FETCH), copy(f, 0));
    orr_memory_set_aside(f->memory, copy(f, 2));
    assert_ptr_equal(any(f, ORR_FETCH), copy(f, 2));
}

static void a_buffer_that_has_gone_is_no_victim(void **state)
{
    struct fixture *f = *state;

    fill(f, 2);
    assert_ptr_equal(any(f, ORR_FETCH), copy(f, 0));
    orr_replicate_drop(&f->run->store, copy(f, 0));
    orr_memory_remove(f->memory, copy(f, 0));
    assert_ptr_equal(any(f, ORR_FETCH), copy(f, 1));
}

static bool is_locked(const struct orr_data *data)
{
    return data->lock.holder != NULL;
}

/* Somebody else takes the lock of @data, or gives it back. */
static void change_lock(struct fixture *f, struct orr_data *data)
{
    data->lock.holder = is_locked(data) ? NULL : &f->run->app.main.actor;
}

static void the_search_goes_on_from_a_buffer(void **state)
{
    struct fixture *f = *state;

    fill(f, 4);
    orr_replicate_hold(copy(f, 2));
    assert_ptr_equal(any_from(f, copy(f, 0)), copy(f, 0));
    assert_ptr_equal(any_from(f, copy(f, 1)), copy(f, 1));
    assert_ptr_equal(any_from(f, copy(f, 2)), copy(f, 3));
    orr_replicate_hold(copy(f, 3));
    assert_null(any_from(f, copy(f, 2)));
}

static void what_is_locked_stays(void **state)
{
    struct fixture *f = *state;

    fill(f, 2);
    change_lock(f, f->data[0]);
    assert_ptr_equal(clean(f, ORR_FETCH), copy(f, 1));
    assert_ptr_equal(any(f, ORR_FETCH), copy(f, 1));
    change_lock(f, f->data[1]);
    assert_null(any(f, ORR_FETCH));
    assert_true(orr_eviction_has_any(f->memory, ORR_FETCH));
    change_lock(f, f->data[0]);
    assert_ptr_equal(any(f, ORR_FETCH), copy(f, 0));
}

/*
 * The definition: the first in the list, from @buffer on, that may go. @bytes
 * is 0 for any that may go at all.
 */
static struct orr_replicate *walk(const struct fixture *f,
                                  const struct orr_buffer *buffer,
                                  uint64_t bytes, enum orr_level level)
{
    for (; buffer; buffer = orr_memory_newer(f->memory, buffer)) {
        struct orr_replicate *c = buffer->copy;
        bool clean = !orr_replicate_is_owner(c) && c->data->bytes == bytes;

        if ((bytes == 0 || clean) && orr_eviction_may_go(c, level) &&
            !is_locked(c->data))
            return c;
    }
    return NULL;
}

static void change_use(struct fixture *f, struct orr_replicate *c, GRand *rand)
{
    if (c->uses > 0 && g_rand_boolean(rand))
        orr_replicate_release(&f->run->store, c);
    else
        orr_replicate_hold(c);
}

static void change_expected(struct fixture *f, struct orr_replicate *c,
                            GRand *rand)
{
    bool more = c->expected == 0 || g_rand_boolean(rand);

    c->expected =
        (c->expected + (more ? 1u : ORR_MOST_EXPECTED)) & ORR_MOST_EXPECTED;
    if (c->expected == 0)
        orr_eviction_consider(&f->run->store, c->data, 1u << c->node);
}

static void change_holder(struct fixture *f, struct orr_data *data, GRand *rand)
{
    if (data->users > 0)
        orr_data_let_go(&f->run->store, data);
    else
        orr_data_hold(&f->run->store, data,
                      g_rand_boolean(rand) ? ORR_R : ORR_W);
}

static void replace(struct fixture *f, struct orr_replicate *c)
{
    if (orr_replicate_is_owner(c))
        return;
    orr_replicate_drop(&f->run->store, c);
    orr_memory_remove(f->memory, c);
    add(f, c->data);
}

/* Something befalls a random datum. */
static void befall(struct fixture *f, GRand *rand)
{
    struct orr_data *data = f->data[g_rand_int(rand) % DATA];
    unsigned node = g_rand_int(rand) % NODES;
    struct orr_replicate *c = &data->copies[CUDA0];

    switch (g_rand_int(rand) % 9) {
    case 0:
        change_use(f, &data->copies[node], rand);
        break;
    case 1:
        change_expected(f, c, rand);
        break;
    case 2:
        change_holder(f, data, rand);
        break;
    case 3:
        orr_replicate_grant(&f->run->store, &data->copies[node], ORR_R);
        break;
    case 4:
        orr_replicate_grant(&f->run->store, &data->copies[node], ORR_RW);
        break;
    case 5:
        orr_memory_set_aside(f->memory, c);
        break;
    case 6:
        replace(f, c);
        break;
    case 7:
        change_lock(f, data);
        break;
    default:
        orr_memory_used(f->memory, c);
    }
}

static void victims_are_those_that_a_walk_would_find(void **state)
{
    struct fixture *f = *state;
    g_autoptr(GRand) rand = g_rand_new_with_seed(3);
    unsigned found = 0;

    fill(f, DATA);
    for (unsigned round = 0; round < 20000; round++) {
        enum orr_level level = g_rand_boolean(rand) ? ORR_FETCH : ORR_PREFETCH;
        struct orr_replicate *from = copy(f, round % DATA);
        const struct orr_buffer *oldest;

        befall(f, rand);
        if (round % 3 > 0) /* let things pile up now and then */
            continue;
        oldest = orr_memory_oldest(f->memory);
        assert_ptr_equal(clean(f, level), walk(f, oldest, TILE, level));
        assert_ptr_equal(any(f, level), walk(f, oldest, 0, level));
        assert_ptr_equal(any_from(f, from),
                         walk(f, from->buffer, 0, ORR_FETCH));
        found += walk(f, oldest, TILE, level) != NULL;
    }
    assert_in_range(found, 1000, 6500); /* the question was not idle */
}

ORR_TESTS(eviction)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(the_least_recently_used_goes_first),
        T(an_empty_memory_has_no_victim),
        T(the_only_valid_copy_is_not_clean),
        T(a_worthless_copy_is_clean),
        T(a_copy_in_use_stays_until_released),
        T(an_expected_copy_goes_only_to_a_task_that_waits),
        T(what_somebody_holds_to_write_stays),
        T(what_somebody_holds_to_read_elsewhere_may_go),
        T(only_a_buffer_of_the_same_size_is_handed_over),
        T(what_was_set_aside_goes_before_dirty_buffers),
        T(a_buffer_that_has_gone_is_no_victim),
        T(the_search_goes_on_from_a_buffer),
        T(what_is_locked_stays),
        T(victims_are_those_that_a_walk_would_find),
#undef T
    };

    return cmocka_run_group_tests_name("victims", tests, NULL, NULL);
}
