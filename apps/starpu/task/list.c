/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <starpu_task_list.h>

void starpu_task_list_init(struct starpu_task_list *list)
{
    list->head = list->tail = NULL;
}

int starpu_task_list_empty(const struct starpu_task_list *list)
{
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
    link_between(list, NULL, task, list->head);
}

void starpu_task_list_push_back(struct starpu_task_list *list,
                                struct starpu_task *task)
{
    link_between(list, list->tail, task, NULL);
}

void starpu_task_list_erase(struct starpu_task_list *list,
                            struct starpu_task *task)
{
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
    return pop(list, list->head);
}

struct starpu_task *starpu_task_list_pop_back(struct starpu_task_list *list)
{
    return pop(list, list->tail);
}

struct starpu_task *starpu_task_list_front(const struct starpu_task_list *list)
{
    return list->head;
}

struct starpu_task *starpu_task_list_back(const struct starpu_task_list *list)
{
    return list->tail;
}

struct starpu_task *starpu_task_list_begin(const struct starpu_task_list *list)
{
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
    for (const struct starpu_task *task = list->head; task; task = task->next)
        if (task == look)
            return 1;
    return 0;
}

/* Appends all of @lsrc, which is empty then. */
void starpu_task_list_move(struct starpu_task_list *ldst,
                           struct starpu_task_list *lsrc)
{
    if (!lsrc->head)
        return;
    lsrc->head->prev = ldst->tail;
    *(ldst->tail ? &ldst->tail->next : &ldst->head) = lsrc->head;
    ldst->tail = lsrc->tail;
    starpu_task_list_init(lsrc);
}
