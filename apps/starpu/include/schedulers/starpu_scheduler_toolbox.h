/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_SCHEDULER_TOOLBOX_H
#define ORR_STARPU_SCHEDULER_TOOLBOX_H

#include <stddef.h>

#include <starpu.h>
#include <starpu_scheduler.h>
#include <starpu_task_list.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A queue for one worker, or for all. Dates and lengths are in microseconds. */
typedef struct starpu_st_fifo_taskq *starpu_st_fifo_taskq_t;

starpu_st_fifo_taskq_t starpu_st_fifo_taskq_create(void);
void starpu_st_fifo_taskq_init(starpu_st_fifo_taskq_t fifo);
void starpu_st_fifo_taskq_destroy(starpu_st_fifo_taskq_t fifo);
int starpu_st_fifo_taskq_empty(starpu_st_fifo_taskq_t fifo);

/* A task with a priority above 0 goes behind the tasks of at least its
 * priority; another one to the end, or, with push_back, to the front. */
int starpu_st_fifo_taskq_push_task(starpu_st_fifo_taskq_t fifo,
                                   struct starpu_task *task);
int starpu_st_fifo_taskq_push_back_task(starpu_st_fifo_taskq_t fifo,
                                        struct starpu_task *task);
int starpu_st_fifo_taskq_push_sorted_task(starpu_st_fifo_taskq_t fifo,
                                          struct starpu_task *task);

/* The first task that the worker can run, with its first implementation that
 * can; a worker of -1 is not asked. local: the first task. */
struct starpu_task *starpu_st_fifo_taskq_pop_task(starpu_st_fifo_taskq_t fifo,
                                                  int worker);
struct starpu_task *
starpu_st_fifo_taskq_pop_local_task(starpu_st_fifo_taskq_t fifo);
int starpu_st_fifo_taskq_pop_this_task(starpu_st_fifo_taskq_t fifo, int worker,
                                       struct starpu_task *task);

/* The task that lacks the fewest bytes on the memory node of the worker, among
 * those with at least the priority of the first one, or (ready_first) among
 * all. priorities is -1. */
struct starpu_task *
starpu_st_fifo_taskq_pop_first_ready_task(starpu_st_fifo_taskq_t fifo,
                                          unsigned worker, int priorities);
struct starpu_task *starpu_st_fifo_taskq_pop_first_ready_task_ready_first(
    starpu_st_fifo_taskq_t fifo, unsigned worker, int priorities);

/* The expected length of the tasks behind which task would be pushed, and their
 * number, which is left alone if there are none. */
double starpu_st_fifo_taskq_get_exp_len_prev_task_list(
    starpu_st_fifo_taskq_t fifo, struct starpu_task *task, int worker,
    int implementation, int *count);

/* Figures for the policy. Arrays of figures by priority are NULL. */
unsigned starpu_st_fifo_ntasks_get(starpu_st_fifo_taskq_t fifo);
void starpu_st_fifo_ntasks_inc(starpu_st_fifo_taskq_t fifo, int n);
unsigned *starpu_st_fifo_ntasks_per_priority_get(starpu_st_fifo_taskq_t fifo);
unsigned starpu_st_fifo_nprocessed_get(starpu_st_fifo_taskq_t fifo);
void starpu_st_fifo_nprocessed_inc(starpu_st_fifo_taskq_t fifo, int n);
double starpu_st_fifo_exp_start_get(starpu_st_fifo_taskq_t fifo);
void starpu_st_fifo_exp_start_set(starpu_st_fifo_taskq_t fifo, double start);
double starpu_st_fifo_exp_end_get(starpu_st_fifo_taskq_t fifo);
void starpu_st_fifo_exp_end_set(starpu_st_fifo_taskq_t fifo, double end);
double starpu_st_fifo_exp_len_get(starpu_st_fifo_taskq_t fifo);
void starpu_st_fifo_exp_len_set(starpu_st_fifo_taskq_t fifo, double length);
void starpu_st_fifo_exp_len_inc(starpu_st_fifo_taskq_t fifo, double length);
double *starpu_st_fifo_exp_len_per_priority_get(starpu_st_fifo_taskq_t fifo);
double starpu_st_fifo_pipeline_len_get(starpu_st_fifo_taskq_t fifo);
void starpu_st_fifo_pipeline_len_set(starpu_st_fifo_taskq_t fifo,
                                     double length);
void starpu_st_fifo_pipeline_len_inc(starpu_st_fifo_taskq_t fifo,
                                     double length);

/* A queue by priority. StarPU keeps its members to itself, and has no function
 * that creates one. Its policy keeps nprocessed and the times. */
struct starpu_st_prio_deque {
    struct starpu_task_prio_list list;
    unsigned ntasks, nprocessed;
    double exp_start, exp_end, exp_len; /* microseconds */
};
typedef struct starpu_st_prio_deque *starpu_st_prio_deque_t;

void starpu_st_prio_deque_init(starpu_st_prio_deque_t deque);
void starpu_st_prio_deque_destroy(starpu_st_prio_deque_t deque);
int starpu_st_prio_deque_is_empty(starpu_st_prio_deque_t deque);
int starpu_st_prio_deque_push_back_task(starpu_st_prio_deque_t deque,
                                        struct starpu_task *task);
int starpu_st_prio_deque_push_front_task(starpu_st_prio_deque_t deque,
                                         struct starpu_task *task);
/* Does not count the task. */
void starpu_st_prio_deque_erase(starpu_st_prio_deque_t deque,
                                struct starpu_task *task);

/* A task that the worker can run: the first one; or (deque) the last one of the
 * highest priority that has some; or the one that lacks the fewest bytes.
 * skipped: the task before it on that way, or NULL. */
struct starpu_task *starpu_st_prio_deque_pop_task_for_worker(
    starpu_st_prio_deque_t deque, int worker, struct starpu_task **skipped);
struct starpu_task *starpu_st_prio_deque_deque_task_for_worker(
    starpu_st_prio_deque_t deque, int worker, struct starpu_task **skipped);
struct starpu_task *
starpu_st_prio_deque_deque_first_ready_task(starpu_st_prio_deque_t deque,
                                            unsigned worker);

/* The first task of the highest priority; back: the last of the lowest. */
struct starpu_task *starpu_st_prio_deque_pop_task(starpu_st_prio_deque_t deque);
struct starpu_task *
starpu_st_prio_deque_pop_back_task(starpu_st_prio_deque_t deque);
struct starpu_task *
starpu_st_prio_deque_highest_task(starpu_st_prio_deque_t deque);
int starpu_st_prio_deque_pop_this_task(starpu_st_prio_deque_t deque, int worker,
                                       struct starpu_task *task);

/* The place of a priority in as many as there are from 0. */
int starpu_st_normalize_prio(int priority, int priorities, unsigned context);

/* Data of a task that have no valid copy on the memory node of a worker; bytes
 * to be read there without one, without one that is being loaded, and bytes
 * without a buffer. */
int starpu_st_non_ready_buffers_count(struct starpu_task *task,
                                      unsigned worker);
void starpu_st_non_ready_buffers_size(struct starpu_task *task, unsigned worker,
                                      size_t *non_ready, size_t *non_loading,
                                      size_t *non_allocated);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
