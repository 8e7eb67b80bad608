/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The policy protects its lists. If it does not, -fsanitize=thread shows it:
 * the head of a list stands for all of it. */
#include <starpu_task_list.h>

#include <glib.h>

#include "apps/starpu/base/policy.h"

static void reads(const struct starpu_task_list *list)
{
    sp_policy_accesses(list, sizeof(*list), false);
}

static void writes(const struct starpu_task_list *list)
{
    sp_policy_accesses(list, sizeof(*list), true);
}

void starpu_task_list_init(struct starpu_task_list *list)
{
    writes(list);
    list->head = list->tail = NULL;
}

int starpu_task_list_empty(const struct starpu_task_list *list)
{
    reads(list);
    return !list->head;
}

/* Puts @task between two neighbours; NULL: an end of the list. */
static void link_between(struct starpu_task_list *list,
                         struct starpu_task *before, struct starpu_task *task,
                         struct starpu_task *after)
{
    task->prev = before;
    task->next = after;
    *(before ? &before->next : &list->head) = task;
    *(after ? &after->prev : &list->tail) = task;
}

void starpu_task_list_push_front(struct starpu_task_list *list,
                                 struct starpu_task *task)
{
    writes(list);
    link_between(list, NULL, task, list->head);
}

void starpu_task_list_push_back(struct starpu_task_list *list,
                                struct starpu_task *task)
{
    writes(list);
    link_between(list, list->tail, task, NULL);
}

void starpu_task_list_erase(struct starpu_task_list *list,
                            struct starpu_task *task)
{
    writes(list);
    *(task->prev ? &task->prev->next : &list->head) = task->next;
    *(task->next ? &task->next->prev : &list->tail) = task->prev;
    task->prev = task->next = NULL;
}

static struct starpu_task *pop(struct starpu_task_list *list,
                               struct starpu_task *task)
{
    if (task)
        starpu_task_list_erase(list, task);
    return task;
}

struct starpu_task *starpu_task_list_pop_front(struct starpu_task_list *list)
{
    reads(list);
    return pop(list, list->head);
}

struct starpu_task *starpu_task_list_pop_back(struct starpu_task_list *list)
{
    reads(list);
    return pop(list, list->tail);
}

struct starpu_task *starpu_task_list_front(const struct starpu_task_list *list)
{
    reads(list);
    return list->head;
}

struct starpu_task *starpu_task_list_back(const struct starpu_task_list *list)
{
    reads(list);
    return list->tail;
}

struct starpu_task *starpu_task_list_begin(const struct starpu_task_list *list)
{
    reads(list);
    return list->head;
}

struct starpu_task *starpu_task_list_end(const struct starpu_task_list *list)
{
    (void)list;
    return NULL;
}

struct starpu_task *starpu_task_list_next(const struct starpu_task *task)
{
    return task->next;
}

int starpu_task_list_ismember(const struct starpu_task_list *list,
                              const struct starpu_task *look)
{
    reads(list);
    for (const struct starpu_task *task = list->head; task; task = task->next)
        if (task == look)
            return 1;
    return 0;
}

/* @ldst gets the tasks of @lsrc, and loses its own. */
void starpu_task_list_move(struct starpu_task_list *ldst,
                           struct starpu_task_list *lsrc)
{
    writes(ldst);
    writes(lsrc);
    *ldst = *lsrc;
    starpu_task_list_init(lsrc);
}

void starpu_task_list_init0(struct starpu_task_list *list)
{
    (void)list;
}

struct starpu_task_list *starpu_task_list_new(void)
{
    return g_new0(struct starpu_task_list, 1);
}

void starpu_task_list_delete(struct starpu_task_list *list)
{
    g_free(list);
}

void starpu_task_list_insert_before(struct starpu_task_list *list,
                                    struct starpu_task *task,
                                    struct starpu_task *member)
{
    writes(list);
    link_between(list, member->prev, task, member);
}

void starpu_task_list_insert_after(struct starpu_task_list *list,
                                   struct starpu_task *task,
                                   struct starpu_task *member)
{
    writes(list);
    link_between(list, member, task, member->next);
}

/* Makes @list the tasks of @left, then the tasks of @right. @list may be one of
 * the two, and the other one is not to be used any more. */
static void join(struct starpu_task_list *list,
                 const struct starpu_task_list *left,
                 const struct starpu_task_list *right)
{
    struct starpu_task_list joined = *(left->head ? left : right);

    if (left->head && right->head) {
        left->tail->next = right->head;
        right->head->prev = left->tail;
        joined.tail = right->tail;
    }
    *list = joined;
}

void starpu_task_list_push_list_front(struct starpu_task_list *from,
                                      struct starpu_task_list *list)
{
    writes(from);
    writes(list);
    join(list, from, list);
}

void starpu_task_list_push_list_back(struct starpu_task_list *list,
                                     struct starpu_task_list *from)
{
    writes(from);
    writes(list);
    join(list, list, from);
}

struct starpu_task *starpu_task_list_last(const struct starpu_task_list *list)
{
    reads(list);
    return list->tail;
}

struct starpu_task *starpu_task_list_alpha(const struct starpu_task_list *list)
{
    (void)list;
    return NULL;
}

struct starpu_task *starpu_task_list_prev(const struct starpu_task *task)
{
    return task->prev;
}

int starpu_task_list_member(const struct starpu_task_list *list,
                            const struct starpu_task *look)
{
    int place = 0;

    for (const struct starpu_task *task = list->head; task; task = task->next) {
        if (task == look)
            return place;
        place++;
    }
    return -1;
}

int starpu_task_list_size(const struct starpu_task_list *list)
{
    int count = 0;

    for (const struct starpu_task *task = list->head; task; task = task->next)
        count++;
    return count;
}

int starpu_task_list_check(const struct starpu_task_list *list)
{
    for (const struct starpu_task *task = list->head; task; task = task->next)
        if (task->next == task || (!task->next && task != list->tail))
            return 0;
    return 1;
}
