/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists of tasks. */
#include <starpu_task_list.h>

#include "tests/support/cmocka_all.h"

/* The list has these tasks, forwards and backwards. */
static void assert_tasks(struct starpu_task_list *list, struct starpu_task *all,
                         const char *expected)
{
    struct starpu_task *task = starpu_task_list_begin(list), *last = NULL;
    for (const char *c = expected; *c; c++) {
        assert_ptr_equal(task, &all[*c - 'a']);
        assert_ptr_equal(task->prev, last);
        last = task;
        task = starpu_task_list_next(task);
    }
    assert_ptr_equal(task, starpu_task_list_end(list));
    assert_ptr_equal(starpu_task_list_back(list), last);
    assert_int_equal(starpu_task_list_empty(list), !*expected);
}

static void tasks_are_pushed_erased_and_popped(void **state)
{
    struct starpu_task all[4] = {{0}};
    struct starpu_task_list list, other;
    (void)state;
    starpu_task_list_init(&list);
    starpu_task_list_init(&other);
    assert_tasks(&list, all, "");
    assert_null(starpu_task_list_pop_front(&list));
    assert_null(starpu_task_list_pop_back(&list));
    starpu_task_list_push_back(&list, &all[1]);
    starpu_task_list_push_back(&list, &all[2]);
    starpu_task_list_push_front(&list, &all[0]);
    assert_tasks(&list, all, "abc");
    assert_true(starpu_task_list_ismember(&list, &all[1]));
    starpu_task_list_erase(&list, &all[1]);
    assert_false(starpu_task_list_ismember(&list, &all[1]));
    assert_tasks(&list, all, "ac");
    starpu_task_list_push_back(&other, &all[3]);
    starpu_task_list_push_back(&other, &all[1]);
    starpu_task_list_move(&list, &other);
    assert_tasks(&list, all, "acdb");
    assert_tasks(&other, all, "");
    starpu_task_list_move(&other, &list);
    assert_tasks(&other, all, "acdb");
    assert_ptr_equal(starpu_task_list_pop_front(&other), &all[0]);
    assert_ptr_equal(starpu_task_list_pop_back(&other), &all[1]);
    assert_ptr_equal(starpu_task_list_front(&other), &all[2]);
    assert_tasks(&other, all, "cd");
}

ORR_TESTS(starpu_task_list)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_are_pushed_erased_and_popped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
