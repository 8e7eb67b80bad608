/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists of tasks by priority. */
#include <starpu_task_list.h>

#include "tests/support/cmocka_all.h"
#include "tests/support/ending.h"

#include <glib.h>

/* Six tasks, a to f. */
struct tasks {
    struct starpu_task all[6];
};

static int make_tasks(void **state)
{
    static const int priorities[] = {1, 5, 1, -2, 5, 0};
    struct tasks *tasks = g_new0(struct tasks, 1);

    for (unsigned i = 0; i < G_N_ELEMENTS(priorities); i++)
        tasks->all[i].priority = priorities[i];
    *state = tasks;
    return 0;
}

static int free_tasks(void **state)
{
    g_free(*state);
    return 0;
}

/* Pushes them to the back of an empty list: "be" of 5, "ac" of 1, "f" of 0 and
 * "d" of -2. */
static struct starpu_task_prio_list list_of_all(struct tasks *tasks)
{
    struct starpu_task_prio_list list;

    starpu_task_prio_list_init(&list);
    for (unsigned i = 0; i < G_N_ELEMENTS(tasks->all); i++)
        starpu_task_prio_list_push_back(&list, &tasks->all[i]);
    return list;
}

/* The tasks from @task on in the order of @next. */
static void
assert_order(struct tasks *tasks, struct starpu_task_prio_list *list,
             struct starpu_task *task,
             struct starpu_task *(*next)(struct starpu_task_prio_list *list,
                                         const struct starpu_task *task),
             const char *expected)
{
    g_autoptr(GString) found = g_string_new(NULL);

    for (; task != starpu_task_prio_list_end(list); task = next(list, task))
        g_string_append_c(found, (char)('a' + (task - tasks->all)));
    assert_string_equal(found->str, expected);
}

static void assert_tasks(struct tasks *tasks,
                         struct starpu_task_prio_list *list,
                         const char *expected)
{
    assert_order(tasks, list, starpu_task_prio_list_begin(list),
                 starpu_task_prio_list_next, expected);
    assert_int_equal(starpu_task_prio_list_empty(list), !*expected);
}

static void
assert_popped(struct tasks *tasks, struct starpu_task_prio_list *list,
              struct starpu_task *(*pop)(struct starpu_task_prio_list *list),
              char expected)
{
    assert_ptr_equal(pop(list), &tasks->all[expected - 'a']);
}

static void
tasks_come_by_falling_priority_then_as_they_were_pushed(void **state)
{
    struct starpu_task_prio_list list = list_of_all(*state);

    assert_tasks(*state, &list, "beacfd");
    assert_order(*state, &list, starpu_task_prio_list_last(&list),
                 starpu_task_prio_list_prev, "dfcaeb");
    assert_order(*state, &list, starpu_task_prio_list_back_highest(&list),
                 starpu_task_prio_list_prev_highest, "ebcafd");
    assert_order(*state, &list, starpu_task_prio_list_front_lowest(&list),
                 starpu_task_prio_list_next_lowest, "dfacbe");
    assert_null(starpu_task_prio_list_alpha(&list));
    while (starpu_task_prio_list_pop_front_highest(&list))
        continue;
    assert_tasks(*state, &list, "");
    starpu_task_prio_list_deinit(&list);
}

static void a_task_is_popped_from_four_places(void **state)
{
    struct tasks *tasks = *state;
    struct starpu_task_prio_list list = list_of_all(tasks);

    assert_ptr_equal(starpu_task_prio_list_front_highest(&list),
                     &tasks->all[1]);
    assert_ptr_equal(starpu_task_prio_list_back_lowest(&list), &tasks->all[3]);
    assert_popped(tasks, &list, starpu_task_prio_list_pop_back_highest, 'e');
    assert_popped(tasks, &list, starpu_task_prio_list_pop_front_highest, 'b');
    assert_popped(tasks, &list, starpu_task_prio_list_pop_front_lowest, 'd');
    assert_popped(tasks, &list, starpu_task_prio_list_pop_back_lowest, 'f');
    assert_popped(tasks, &list, starpu_task_prio_list_pop_back_lowest, 'c');
    assert_popped(tasks, &list, starpu_task_prio_list_pop_front_lowest, 'a');
    assert_null(starpu_task_prio_list_pop_front_lowest(&list));
    assert_null(starpu_task_prio_list_front_lowest(&list));
    assert_null(starpu_task_prio_list_back_highest(&list));
    starpu_task_prio_list_deinit(&list);
}

static void a_task_is_erased_and_pushed_to_the_front(void **state)
{
    struct tasks *tasks = *state;
    struct starpu_task_prio_list list = list_of_all(tasks);

    starpu_task_prio_list_erase(&list, &tasks->all[5]);
    assert_int_equal(starpu_task_prio_list_ismember(&list, &tasks->all[5]), 0);
    assert_int_equal(starpu_task_prio_list_ismember(&list, &tasks->all[0]), 1);
    starpu_task_prio_list_erase(&list, &tasks->all[2]);
    starpu_task_prio_list_push_front(&list, &tasks->all[2]);
    tasks->all[5].priority = 5;
    starpu_task_prio_list_push_front(&list, &tasks->all[5]);
    assert_tasks(tasks, &list, "fbecad");
    while (starpu_task_prio_list_pop_front_highest(&list))
        continue;
    starpu_task_prio_list_deinit(&list);
}

static void a_list_takes_the_tasks_of_another(void **state)
{
    struct tasks *tasks = *state;
    struct starpu_task more[] = {{.priority = 1}, {.priority = 7}};
    struct starpu_task_prio_list list = list_of_all(tasks);
    struct starpu_task_prio_list other = {0};

    starpu_task_prio_list_init0(&other);
    starpu_task_prio_list_push_back(&other, &more[0]);
    starpu_task_prio_list_push_back(&other, &more[1]);
    starpu_task_prio_list_push_prio_list_back(&list, &other);
    assert_int_equal(starpu_task_prio_list_empty(&other), 1);
    assert_ptr_equal(starpu_task_prio_list_pop_front_highest(&list), &more[1]);
    assert_ptr_equal(starpu_task_prio_list_next(&list, &tasks->all[2]),
                     &more[0]);
    starpu_task_prio_list_erase(&list, &more[0]);
    assert_tasks(tasks, &list, "beacfd");
    while (starpu_task_prio_list_pop_front_highest(&list))
        continue;
    starpu_task_prio_list_deinit(&list);
}

static void end_a_list_with_a_task(void)
{
    struct starpu_task task = {0};
    struct starpu_task_prio_list list = {0};

    starpu_task_prio_list_push_back(&list, &task);
    starpu_task_prio_list_deinit(&list);
}

static void erase_after_a_change(void)
{
    struct starpu_task task = {0};
    struct starpu_task_prio_list list = {0};

    starpu_task_prio_list_push_back(&list, &task);
    task.priority = 3;
    starpu_task_prio_list_erase(&list, &task);
}

static void wrong_uses_end_the_program(void **state)
{
    g_autofree char *full = orr_ending_message(end_a_list_with_a_task);
    g_autofree char *changed = orr_ending_message(erase_after_a_change);

    (void)state;
    assert_string_equal(
        full, "starpu_task_prio_list_deinit(): the list is not empty");
    assert_string_equal(changed, "starpu_task_prio_list_erase(): no task in "
                                 "the list has priority 3");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_tasks, free_tasks)

ORR_TESTS(starpu_prio_list)
{
    const struct CMUnitTest tests[] = {
        TEST(tasks_come_by_falling_priority_then_as_they_were_pushed),
        TEST(a_task_is_popped_from_four_places),
        TEST(a_task_is_erased_and_pushed_to_the_front),
        TEST(a_list_takes_the_tasks_of_another),
        cmocka_unit_test(wrong_uses_end_the_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
