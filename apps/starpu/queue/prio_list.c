/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lists of tasks by priority: a balanced tree of levels, by falling priority,
 * each with a list of its tasks. A level without tasks is removed at once, so
 * that the first level has the highest priority, and the last one the lowest.
 */
#include "apps/starpu/base/error.h"

#include <starpu_task_list.h>

struct level {
    int priority;
    struct starpu_task_list tasks;
};

static int compare_falling(const void *left, const void *right, void *data)
{
    const int *l = left, *r = right;

    (void)data;
    return (*l < *r) - (*l > *r);
}

void starpu_task_prio_list_init(struct starpu_task_prio_list *list)
{
    list->levels = NULL;
}

void starpu_task_prio_list_init0(struct starpu_task_prio_list *list)
{
    (void)list;
}

int starpu_task_prio_list_empty(const struct starpu_task_prio_list *list)
{
    return !list->levels || g_tree_nnodes(list->levels) == 0;
}

void starpu_task_prio_list_deinit(struct starpu_task_prio_list *list)
{
    if (!starpu_task_prio_list_empty(list))
        sp_fail("starpu_task_prio_list_deinit()", "the list is not empty");
    g_clear_pointer((GTree **)&list->levels, g_tree_unref);
}

static struct level *level_of(GTreeNode *node)
{
    return g_tree_node_value(node);
}

/* The level of @priority; NULL: no task has it. */
static GTreeNode *find(const struct starpu_task_prio_list *list, int priority)
{
    return list->levels ? g_tree_lookup_node(list->levels, &priority) : NULL;
}

/* The level of @task, which must be in the list. */
static GTreeNode *find_level(const struct starpu_task_prio_list *list,
                             const struct starpu_task *task, const char *call)
{
    GTreeNode *node = find(list, task->priority);

    if (!node)
        sp_fail(call, "no task in the list has priority %d", task->priority);
    return node;
}

static GTreeNode *highest(const struct starpu_task_prio_list *list)
{
    return list->levels ? g_tree_node_first(list->levels) : NULL;
}

static GTreeNode *lowest(const struct starpu_task_prio_list *list)
{
    return list->levels ? g_tree_node_last(list->levels) : NULL;
}

/* The tasks of @priority, to which one is added. */
static struct starpu_task_list *tasks_of(struct starpu_task_prio_list *list,
                                         int priority)
{
    GTreeNode *node = find(list, priority);

    if (node)
        return &level_of(node)->tasks;
    if (!list->levels)
        list->levels = g_tree_new_full(compare_falling, NULL, NULL, g_free);
    struct level *level = g_new0(struct level, 1);
    level->priority = priority;
    g_tree_insert(list->levels, &level->priority, level);
    return &level->tasks;
}

void starpu_task_prio_list_push_front(struct starpu_task_prio_list *list,
                                      struct starpu_task *task)
{
    starpu_task_list_push_front(tasks_of(list, task->priority), task);
}

void starpu_task_prio_list_push_back(struct starpu_task_prio_list *list,
                                     struct starpu_task *task)
{
    starpu_task_list_push_back(tasks_of(list, task->priority), task);
}

void starpu_task_prio_list_push_prio_list_back(
    struct starpu_task_prio_list *list, struct starpu_task_prio_list *from)
{
    for (GTreeNode *node = highest(from); node; node = g_tree_node_next(node))
        starpu_task_list_push_list_back(
            tasks_of(list, level_of(node)->priority), &level_of(node)->tasks);
    g_clear_pointer((GTree **)&from->levels, g_tree_unref);
}

/* Removes @task, which is in level @node. NULL: does nothing. */
static struct starpu_task *take(struct starpu_task_prio_list *list,
                                GTreeNode *node, struct starpu_task *task)
{
    if (!task)
        return NULL;
    struct level *level = level_of(node);
    int priority = level->priority;
    starpu_task_list_erase(&level->tasks, task);
    if (starpu_task_list_empty(&level->tasks))
        g_tree_remove(list->levels, &priority);
    return task;
}

void starpu_task_prio_list_erase(struct starpu_task_prio_list *list,
                                 struct starpu_task *task)
{
    (void)take(list, find_level(list, task, "starpu_task_prio_list_erase()"),
               task);
}

int starpu_task_prio_list_ismember(const struct starpu_task_prio_list *list,
                                   const struct starpu_task *look)
{
    GTreeNode *node = find(list, look->priority);

    return node && starpu_task_list_ismember(&level_of(node)->tasks, look);
}

static struct starpu_task *front(GTreeNode *node)
{
    return node ? starpu_task_list_front(&level_of(node)->tasks) : NULL;
}

static struct starpu_task *back(GTreeNode *node)
{
    return node ? starpu_task_list_back(&level_of(node)->tasks) : NULL;
}

struct starpu_task *
starpu_task_prio_list_front_highest(struct starpu_task_prio_list *list)
{
    return front(highest(list));
}

struct starpu_task *
starpu_task_prio_list_front_lowest(struct starpu_task_prio_list *list)
{
    return front(lowest(list));
}

struct starpu_task *
starpu_task_prio_list_back_highest(struct starpu_task_prio_list *list)
{
    return back(highest(list));
}

struct starpu_task *
starpu_task_prio_list_back_lowest(struct starpu_task_prio_list *list)
{
    return back(lowest(list));
}

struct starpu_task *
starpu_task_prio_list_pop_front_highest(struct starpu_task_prio_list *list)
{
    return take(list, highest(list), front(highest(list)));
}

struct starpu_task *
starpu_task_prio_list_pop_front_lowest(struct starpu_task_prio_list *list)
{
    return take(list, lowest(list), front(lowest(list)));
}

struct starpu_task *
starpu_task_prio_list_pop_back_highest(struct starpu_task_prio_list *list)
{
    return take(list, highest(list), back(highest(list)));
}

struct starpu_task *
starpu_task_prio_list_pop_back_lowest(struct starpu_task_prio_list *list)
{
    return take(list, lowest(list), back(lowest(list)));
}

struct starpu_task *
starpu_task_prio_list_begin(struct starpu_task_prio_list *list)
{
    return front(highest(list));
}

struct starpu_task *
starpu_task_prio_list_end(struct starpu_task_prio_list *list)
{
    (void)list;
    return NULL;
}

struct starpu_task *
starpu_task_prio_list_last(struct starpu_task_prio_list *list)
{
    return back(lowest(list));
}

struct starpu_task *
starpu_task_prio_list_alpha(struct starpu_task_prio_list *list)
{
    (void)list;
    return NULL;
}

/* The level after the one of @task, of a lower priority; NULL: none. */
static GTreeNode *lower(struct starpu_task_prio_list *list,
                        const struct starpu_task *task, const char *call)
{
    return g_tree_node_next(find_level(list, task, call));
}

static GTreeNode *higher(struct starpu_task_prio_list *list,
                         const struct starpu_task *task, const char *call)
{
    return g_tree_node_previous(find_level(list, task, call));
}

struct starpu_task *
starpu_task_prio_list_next(struct starpu_task_prio_list *list,
                           const struct starpu_task *task)
{
    return task->next
               ? task->next
               : front(lower(list, task, "starpu_task_prio_list_next()"));
}

struct starpu_task *
starpu_task_prio_list_prev(struct starpu_task_prio_list *list,
                           const struct starpu_task *task)
{
    return task->prev
               ? task->prev
               : back(higher(list, task, "starpu_task_prio_list_prev()"));
}

struct starpu_task *
starpu_task_prio_list_prev_highest(struct starpu_task_prio_list *list,
                                   const struct starpu_task *task)
{
    return task->prev ? task->prev
                      : back(lower(list, task,
                                   "starpu_task_prio_list_prev_highest()"));
}

struct starpu_task *
starpu_task_prio_list_next_lowest(struct starpu_task_prio_list *list,
                                  const struct starpu_task *task)
{
    return task->next ? task->next
                      : front(higher(list, task,
                                     "starpu_task_prio_list_next_lowest()"));
}
