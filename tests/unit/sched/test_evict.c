/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which buffer eviction policies choose, with a future made by hand. */
#include "models/base/error.h"
#include "sched/evict/evict_registry.h"
#include "sched/evict_host.h"
#include "tests/support/cmocka_all.h"

enum { DATA = 6, NODE = 1 };
#define NEVER ORR_EVICT_NEVER

struct fixture {
    uint64_t next[DATA]; /* use of each datum */
    struct orr_evict_host host;
    struct orr_evict_candidate candidates[DATA];
};

static uint64_t fake_next_use(void *data, unsigned node, uint64_t datum)
{
    const struct fixture *f = data;

    assert_int_equal(node, NODE);
    return f->next[datum];
}

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    f->host = (struct orr_evict_host){.data = f, .next_use = fake_next_use};
    for (unsigned i = 0; i < DATA; i++)
        f->candidates[i] = (struct orr_evict_candidate){.datum = i};
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    g_free(*state);
    return 0;
}

/* The datum that policy @name evicts for the last datum. */
static size_t choose(struct fixture *f, const char *name, bool waits)
{
    const struct orr_evict_need need = {
        .node = NODE,
        .datum = DATA - 1,
        .waits = waits,
    };
    struct orr_evict *evict =
        orr_evict_new(orr_evict_choose(name, NULL), &f->host);
    size_t chosen = evict->ops->choose(evict, &need, f->candidates, DATA - 1);

    orr_evict_free(evict);
    return chosen;
}

static void set_next(struct fixture *f, const uint64_t *next)
{
    for (unsigned i = 0; i < DATA; i++)
        f->next[i] = next[i];
}

static void lru_takes_the_first(void **state)
{
    assert_int_equal(choose(*state, "lru", true), 0);
}

static void belady_takes_what_is_used_last(void **state)
{
    static const uint64_t next[DATA] = {4, 9, 30, 7, 8, 1};

    set_next(*state, next);
    assert_int_equal(choose(*state, "belady", true), 2);
}

static void belady_prefers_what_is_never_used(void **state)
{
    static const uint64_t next[DATA] = {4, 9, 30, NEVER, 8, 1};

    set_next(*state, next);
    assert_int_equal(choose(*state, "belady", true), 3);
}

/* Among data that are not used any more, belady evicts one that need not be
 * written back. */
static void belady_prefers_what_is_clean(void **state)
{
    static const uint64_t next[DATA] = {4, NEVER, 30, NEVER, NEVER, 1};
    struct fixture *f = *state;

    set_next(f, next);
    f->candidates[1].only_copy = true;
    assert_int_equal(choose(f, "belady", true), 3);
    f->candidates[3].only_copy = f->candidates[4].only_copy = true;
    assert_int_equal(choose(f, "belady", true), 1);
}

/* All data are used before the one to prefetch. */
static void belady_does_not_prefetch_too_early(void **state)
{
    static const uint64_t next[DATA] = {4, 9, 30, 7, 8, 31};

    set_next(*state, next);
    assert_true(choose(*state, "belady", false) == ORR_EVICT_NONE);
    assert_int_equal(choose(*state, "belady", true), 2);
}

static void a_table_is_checked(void **state)
{
    struct orr_evict_ops ops = orr_evict_lru;
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_true(orr_evict_check(&ops, NULL));
    ops.choose = NULL;
    assert_false(orr_evict_check(&ops, &error));
    assert_string_equal(error->message,
                        "eviction policy lru lacks the function choose");
}

static void an_unknown_name_is_told(void **state)
{
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_null(orr_evict_choose("fifo", &error));
    assert_string_equal(error->message, "unknown eviction policy 'fifo'; there "
                                        "are: belady, lru");
}

ORR_TESTS(evict)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(lru_takes_the_first),
        T(belady_takes_what_is_used_last),
        T(belady_prefers_what_is_never_used),
        T(belady_prefers_what_is_clean),
        T(belady_does_not_prefetch_too_early),
        T(a_table_is_checked),
        T(an_unknown_name_is_told),
#undef T
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
