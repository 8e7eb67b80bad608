/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists of tasks. */
#include <starpu_task_list.h>

#include "tests/support/cmocka_all.h"

#include <string.h>

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
    starpu_task_list_push_list_back(&list, &other);
    assert_tasks(&list, all, "acdb");
    assert_ptr_equal(starpu_task_list_pop_front(&list), &all[0]);
    assert_ptr_equal(starpu_task_list_pop_back(&list), &all[1]);
    assert_ptr_equal(starpu_task_list_front(&list), &all[2]);
    assert_tasks(&list, all, "cd");
}

/* A list with these tasks, some of "abcd". */
static struct starpu_task_list list_of(struct starpu_task *all,
                                       const char *tasks)
{
    struct starpu_task_list list;

    starpu_task_list_init(&list);
    for (const char *c = tasks; *c; c++)
        starpu_task_list_push_back(&list, &all[*c - 'a']);
    return list;
}

static void a_list_moves_to_one_that_need_not_be_initialised(void **state)
{
    struct starpu_task all[4] = {{0}};
    struct starpu_task_list list = list_of(all, "abc"), other;

    (void)state;
    memset(&other, 0x55, sizeof(other));
    starpu_task_list_move(&other, &list);
    assert_tasks(&other, all, "abc");
    assert_tasks(&list, all, "");
    starpu_task_list_move(&other, &list);
    assert_tasks(&other, all, "");
}

static void tasks_are_put_beside_others(void **state)
{
    struct starpu_task all[4] = {{0}};
    struct starpu_task_list list = list_of(all, "b");

    (void)state;
    starpu_task_list_insert_before(&list, &all[0], &all[1]);
    starpu_task_list_insert_after(&list, &all[3], &all[1]);
    starpu_task_list_insert_before(&list, &all[2], &all[3]);
    assert_tasks(&list, all, "abcd");
    assert_int_equal(starpu_task_list_size(&list), 4);
    assert_int_equal(starpu_task_list_member(&list, &all[2]), 2);
    starpu_task_list_erase(&list, &all[2]);
    assert_int_equal(starpu_task_list_member(&list, &all[2]), -1);
    assert_int_equal(starpu_task_list_check(&list), 1);
    assert_ptr_equal(starpu_task_list_last(&list), &all[3]);
    assert_ptr_equal(starpu_task_list_prev(&all[3]), &all[1]);
    assert_ptr_equal(starpu_task_list_prev(&all[0]),
                     starpu_task_list_alpha(&list));
    all[1].next = &all[1];
    assert_int_equal(starpu_task_list_check(&list), 0);
}

static void a_list_takes_the_tasks_of_another_at_its_ends(void **state)
{
    struct starpu_task all[4] = {{0}};
    struct starpu_task_list first = list_of(all, "ab");
    struct starpu_task_list list = list_of(all, "c"), empty = list_of(all, "");

    (void)state;
    starpu_task_list_push_list_front(&first, &list);
    assert_tasks(&list, all, "abc");
    starpu_task_list_push_list_back(&list, &empty);
    starpu_task_list_push_list_front(&empty, &list);
    assert_tasks(&list, all, "abc");
    starpu_task_list_push_list_back(&empty, &list);
    assert_tasks(&empty, all, "abc");
}

ORR_TESTS(starpu_task_list)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_are_pushed_erased_and_popped),
        cmocka_unit_test(a_list_moves_to_one_that_need_not_be_initialised),
        cmocka_unit_test(tasks_are_put_beside_others),
        cmocka_unit_test(a_list_takes_the_tasks_of_another_at_its_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
