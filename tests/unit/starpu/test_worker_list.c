/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Collections of workers. */
#include <starpu_worker.h>

#include "tests/support/cmocka_all.h"

#include <glib.h>

static struct starpu_worker_collection collection_of(unsigned count)
{
    struct starpu_worker_collection workers = starpu_worker_list;

    workers.init(&workers);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(workers.add(&workers, (int)i), i);
    return workers;
}

/* An iteration with @it has these workers. */
static void assert_iteration(struct starpu_worker_collection *workers,
                             struct starpu_sched_ctx_iterator *it,
                             const char *expected)
{
    g_autoptr(GString) found = g_string_new(NULL);

    while (workers->has_next(workers, it))
        g_string_append_printf(found, "%d ", workers->get_next(workers, it));
    assert_string_equal(found->str, expected);
}

static void workers_come_in_the_order_in_which_they_were_added(void **state)
{
    struct starpu_worker_collection workers = collection_of(3);
    struct starpu_sched_ctx_iterator it;

    (void)state;
    assert_int_equal(workers.add(&workers, 1), -1);
    workers.init_iterator(&workers, &it);
    assert_iteration(&workers, &it, "0 1 2 ");
    workers.deinit(&workers);
}

static void an_iterator_at_the_end_begins_again(void **state)
{
    struct starpu_worker_collection workers = collection_of(2);
    struct starpu_sched_ctx_iterator it;

    (void)state;
    workers.init_iterator_for_parallel_tasks(&workers, &it, NULL);
    assert_iteration(&workers, &it, "0 1 ");
    assert_iteration(&workers, &it, "0 1 ");
    workers.deinit(&workers);
}

/* StarPU fills the gap with the first worker, and the gap that this leaves with
 * the next ones. */
static void the_first_worker_moves_to_the_one_that_is_removed(void **state)
{
    struct starpu_worker_collection workers = collection_of(6);
    struct starpu_sched_ctx_iterator it;

    (void)state;
    workers.init_iterator(&workers, &it);
    assert_int_equal(workers.remove(&workers, 3), 3);
    assert_int_equal(workers.remove(&workers, 3), -1);
    assert_iteration(&workers, &it, "1 2 0 4 5 ");
    assert_int_equal(workers.remove(&workers, 1), 1);
    assert_iteration(&workers, &it, "2 0 4 5 ");
    assert_int_equal(workers.add(&workers, 3), 3);
    assert_int_equal(workers.remove(&workers, 5), 5);
    assert_iteration(&workers, &it, "0 4 2 3 ");
    workers.deinit(&workers);
}

ORR_TESTS(starpu_worker_list)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_come_in_the_order_in_which_they_were_added),
        cmocka_unit_test(an_iterator_at_the_end_begins_again),
        cmocka_unit_test(the_first_worker_moves_to_the_one_that_is_removed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
