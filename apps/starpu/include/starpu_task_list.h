/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_TASK_LIST_H
#define ORR_STARPU_TASK_LIST_H

#include <starpu_task.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Tasks that are linked by their members prev and next: a task is in one list
 * at a time. */
struct starpu_task_list {
    struct starpu_task *head;
    struct starpu_task *tail;
};

void starpu_task_list_init(struct starpu_task_list *list);
int starpu_task_list_empty(const struct starpu_task_list *list);
int starpu_task_list_ismember(const struct starpu_task_list *list,
                              const struct starpu_task *look);

void starpu_task_list_push_front(struct starpu_task_list *list,
                                 struct starpu_task *task);
void starpu_task_list_push_back(struct starpu_task_list *list,
                                struct starpu_task *task);
struct starpu_task *starpu_task_list_pop_front(struct starpu_task_list *list);
struct starpu_task *starpu_task_list_pop_back(struct starpu_task_list *list);
struct starpu_task *starpu_task_list_front(const struct starpu_task_list *list);
struct starpu_task *starpu_task_list_back(const struct starpu_task_list *list);

void starpu_task_list_erase(struct starpu_task_list *list,
                            struct starpu_task *task);
void starpu_task_list_move(struct starpu_task_list *ldst,
                           struct starpu_task_list *lsrc);

/* for (t = begin(list); t != end(list); t = next(t)) */
struct starpu_task *starpu_task_list_begin(const struct starpu_task_list *list);
struct starpu_task *starpu_task_list_end(const struct starpu_task_list *list);
struct starpu_task *starpu_task_list_next(const struct starpu_task *task);

/*
 * StarPU's library has the rest, too, but its headers do not declare it: its
 * own policies use it.
 */
struct starpu_task_list *starpu_task_list_new(void);
void starpu_task_list_delete(struct starpu_task_list *list);
/* For a list of zeros. */
void starpu_task_list_init0(struct starpu_task_list *list);
void starpu_task_list_insert_before(struct starpu_task_list *list,
                                    struct starpu_task *task,
                                    struct starpu_task *member);
void starpu_task_list_insert_after(struct starpu_task_list *list,
                                   struct starpu_task *task,
                                   struct starpu_task *member);
/* All tasks of from become tasks of list. from is not to be used then, before
 * starpu_task_list_init(). */
void starpu_task_list_push_list_front(struct starpu_task_list *from,
                                      struct starpu_task_list *list);
void starpu_task_list_push_list_back(struct starpu_task_list *list,
                                     struct starpu_task_list *from);
/* for (t = last(list); t != alpha(list); t = prev(t)) */
struct starpu_task *starpu_task_list_last(const struct starpu_task_list *list);
struct starpu_task *starpu_task_list_alpha(const struct starpu_task_list *list);
struct starpu_task *starpu_task_list_prev(const struct starpu_task *task);
/* The place of look, from 0; -1: it is not there. */
int starpu_task_list_member(const struct starpu_task_list *list,
                            const struct starpu_task *look);
int starpu_task_list_size(const struct starpu_task_list *list);
/* Whether the links are whole. */
int starpu_task_list_check(const struct starpu_task_list *list);

/*
 * Tasks by priority, from the highest to the lowest; tasks of one priority in
 * the order in which they were pushed at its front or back. The priority of a
 * task must not change while it is in the list. Of this, too, StarPU's headers
 * have no declaration.
 */
struct starpu_task_prio_list {
    void *levels; /* private */
};

void starpu_task_prio_list_init(struct starpu_task_prio_list *list);
/* For a list of zeros. */
void starpu_task_prio_list_init0(struct starpu_task_prio_list *list);
/* Frees an empty list. */
void starpu_task_prio_list_deinit(struct starpu_task_prio_list *list);
int starpu_task_prio_list_empty(const struct starpu_task_prio_list *list);
int starpu_task_prio_list_ismember(const struct starpu_task_prio_list *list,
                                   const struct starpu_task *look);

void starpu_task_prio_list_push_front(struct starpu_task_prio_list *list,
                                      struct starpu_task *task);
void starpu_task_prio_list_push_back(struct starpu_task_prio_list *list,
                                     struct starpu_task *task);
/* Each priority of from, which is empty then, goes behind the same of list. */
void starpu_task_prio_list_push_prio_list_back(
    struct starpu_task_prio_list *list, struct starpu_task_prio_list *from);
void starpu_task_prio_list_erase(struct starpu_task_prio_list *list,
                                 struct starpu_task *task);

/* The first (front) or last (back) task of the highest or lowest priority;
 * NULL: the list is empty. pop removes it. */
struct starpu_task *
starpu_task_prio_list_front_highest(struct starpu_task_prio_list *list);
struct starpu_task *
starpu_task_prio_list_front_lowest(struct starpu_task_prio_list *list);
struct starpu_task *
starpu_task_prio_list_back_highest(struct starpu_task_prio_list *list);
struct starpu_task *
starpu_task_prio_list_back_lowest(struct starpu_task_prio_list *list);
struct starpu_task *
starpu_task_prio_list_pop_front_highest(struct starpu_task_prio_list *list);
struct starpu_task *
starpu_task_prio_list_pop_front_lowest(struct starpu_task_prio_list *list);
struct starpu_task *
starpu_task_prio_list_pop_back_highest(struct starpu_task_prio_list *list);
struct starpu_task *
starpu_task_prio_list_pop_back_lowest(struct starpu_task_prio_list *list);

/* for (t = begin(list); t != end(list); t = next(list, t)), and from last to
 * alpha by prev. From back_highest, prev_highest leads through all tasks by
 * falling priority, too, but backwards through each; from front_lowest,
 * next_lowest by rising priority and forwards. */
struct starpu_task *
starpu_task_prio_list_begin(struct starpu_task_prio_list *list);
struct starpu_task *
starpu_task_prio_list_end(struct starpu_task_prio_list *list);
struct starpu_task *
starpu_task_prio_list_next(struct starpu_task_prio_list *list,
                           const struct starpu_task *task);
struct starpu_task *
starpu_task_prio_list_last(struct starpu_task_prio_list *list);
struct starpu_task *
starpu_task_prio_list_alpha(struct starpu_task_prio_list *list);
struct starpu_task *
starpu_task_prio_list_prev(struct starpu_task_prio_list *list,
                           const struct starpu_task *task);
struct starpu_task *
starpu_task_prio_list_prev_highest(struct starpu_task_prio_list *list,
                                   const struct starpu_task *task);
struct starpu_task *
starpu_task_prio_list_next_lowest(struct starpu_task_prio_list *list,
                                  const struct starpu_task *task);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
