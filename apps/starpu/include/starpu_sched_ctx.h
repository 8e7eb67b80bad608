/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Alone, this header brings all of StarPU's interface. */
#include <starpu.h>

#ifndef ORR_STARPU_SCHED_CTX_H
#define ORR_STARPU_SCHED_CTX_H

#include <starpu_config.h>
#include <starpu_worker.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define STARPU_SCHED_CTX_POLICY_NAME (1 << 16)
#define STARPU_SCHED_CTX_POLICY_STRUCT (2 << 16)
#define STARPU_SCHED_CTX_POLICY_MIN_PRIO (3 << 16)
#define STARPU_SCHED_CTX_POLICY_MAX_PRIO (4 << 16)
#define STARPU_SCHED_CTX_HIERARCHY_LEVEL (5 << 16)
#define STARPU_SCHED_CTX_NESTED (6 << 16)
#define STARPU_SCHED_CTX_AWAKE_WORKERS (7 << 16)
#define STARPU_SCHED_CTX_POLICY_INIT (8 << 16)
#define STARPU_SCHED_CTX_USER_DATA (9 << 16)
#define STARPU_SCHED_CTX_CUDA_NSMS (10 << 16)
#define STARPU_SCHED_CTX_SUB_CTXS (11 << 16)

#ifndef STARPU_DEFAULT_PRIO
#define STARPU_DEFAULT_PRIO 0
#endif
#define STARPU_MIN_PRIO (starpu_sched_get_min_priority())
#define STARPU_MAX_PRIO (starpu_sched_get_max_priority())

struct starpu_sched_policy;
struct starpu_task;

int starpu_sched_get_min_priority(void);
int starpu_sched_get_max_priority(void);

/* Pairs of a key and a value follow the name, then 0. */
unsigned starpu_sched_ctx_create(int *workers, int count, const char *name,
                                 ...);
unsigned starpu_sched_ctx_create_inside_interval(const char *policy,
                                                 const char *name, int min_cpus,
                                                 int max_cpus, int min_gpus,
                                                 int max_gpus,
                                                 unsigned allow_overlap);
void starpu_sched_ctx_register_close_callback(unsigned context,
                                              void (*callback)(unsigned context,
                                                               void *argument),
                                              void *argument);
void starpu_sched_ctx_add_workers(int *workers, unsigned count,
                                  unsigned context);
void starpu_sched_ctx_remove_workers(int *workers, unsigned count,
                                     unsigned context);
void starpu_sched_ctx_display_workers(unsigned context, FILE *stream);
void starpu_sched_ctx_delete(unsigned context);
void starpu_sched_ctx_set_inheritor(unsigned context, unsigned inheritor);
unsigned starpu_sched_ctx_get_inheritor(unsigned context);
unsigned starpu_sched_ctx_get_hierarchy_level(unsigned context);
void starpu_sched_ctx_set_context(unsigned *context);
unsigned starpu_sched_ctx_get_context(void);
void starpu_sched_ctx_stop_task_submission(void);
void starpu_sched_ctx_finished_submit(unsigned context);

/* Workers of a context. The array is the caller's to free. */
unsigned starpu_sched_ctx_get_workers_list(unsigned context, int **workers);
unsigned starpu_sched_ctx_get_workers_list_raw(unsigned context, int **workers);
unsigned starpu_sched_ctx_get_nworkers(unsigned context);
unsigned starpu_sched_ctx_get_nshared_workers(unsigned left, unsigned right);
unsigned starpu_sched_ctx_contains_worker(int worker, unsigned context);
unsigned
starpu_sched_ctx_contains_type_of_worker(enum starpu_worker_archtype type,
                                         unsigned context);
unsigned starpu_sched_ctx_worker_get_id(unsigned context);
int starpu_sched_ctx_get_worker_rank(unsigned context);
unsigned starpu_sched_ctx_get_ctx_for_task(struct starpu_task *task);
unsigned starpu_worker_get_sched_ctx_id_stream(unsigned worker);
unsigned starpu_sched_ctx_overlapping_ctxs_on_worker(int worker);

/* Data and policy of a context. */
void *starpu_sched_ctx_get_user_data(unsigned context);
void starpu_sched_ctx_set_user_data(unsigned context, void *data);
void starpu_sched_ctx_set_policy_data(unsigned context, void *data);
void *starpu_sched_ctx_get_policy_data(unsigned context);
struct starpu_sched_policy *starpu_sched_ctx_get_sched_policy(unsigned context);
void (*starpu_sched_ctx_get_sched_policy_callback(unsigned context))(unsigned);
void (*starpu_sched_ctx_get_sched_policy_init(unsigned context))(unsigned);
void *starpu_sched_ctx_exec_parallel_code(void *(*function)(void *),
                                          void *argument, unsigned context);
int starpu_sched_ctx_get_nready_tasks(unsigned context);
double starpu_sched_ctx_get_nready_flops(unsigned context);

void starpu_sched_ctx_list_task_counters_increment(unsigned context,
                                                   int worker);
void starpu_sched_ctx_list_task_counters_decrement(unsigned context,
                                                   int worker);
void starpu_sched_ctx_list_task_counters_reset(unsigned context, int worker);
void starpu_sched_ctx_list_task_counters_increment_all_ctx_locked(
    struct starpu_task *task, unsigned context);
void starpu_sched_ctx_list_task_counters_decrement_all_ctx_locked(
    struct starpu_task *task, unsigned context);
void starpu_sched_ctx_list_task_counters_reset_all(struct starpu_task *task,
                                                   unsigned context);
void starpu_sched_ctx_revert_task_counters_ctx_locked(unsigned context,
                                                      double flops);
void starpu_sched_ctx_move_task_to_ctx_locked(struct starpu_task *task,
                                              unsigned context,
                                              unsigned with_repush);

void starpu_sched_ctx_set_priority(int *workers, int count, unsigned context,
                                   unsigned priority);
unsigned starpu_sched_ctx_get_priority(int worker, unsigned context);
int starpu_sched_ctx_get_min_priority(unsigned context);
int starpu_sched_ctx_get_max_priority(unsigned context);
int starpu_sched_ctx_set_min_priority(unsigned context, int priority);
int starpu_sched_ctx_set_max_priority(unsigned context, int priority);
int starpu_sched_ctx_min_priority_is_set(unsigned context);
int starpu_sched_ctx_max_priority_is_set(unsigned context);

/* Parallel tasks: a primary worker books others. */
void starpu_sched_ctx_get_available_cpuids(unsigned context, int **cpus,
                                           int *count);
void starpu_sched_ctx_bind_current_thread_to_cpuid(unsigned cpu);
int starpu_sched_ctx_book_workers_for_task(unsigned context, int *workers,
                                           int count);
void starpu_sched_ctx_unbook_workers_for_task(unsigned context, int primary);
unsigned starpu_sched_ctx_worker_is_primary_for_child_ctx(int worker,
                                                          unsigned context);
unsigned starpu_sched_ctx_primary_get_context(int primary);
/* Their names in StarPU 1.3. */
unsigned starpu_sched_ctx_worker_is_master_for_child_ctx(int worker,
                                                         unsigned context);
unsigned starpu_sched_ctx_master_get_context(int primary);
unsigned starpu_sched_ctx_has_starpu_scheduler(unsigned context,
                                               unsigned *awake_workers);

/* Parts of a GPU. */
int starpu_sched_ctx_get_stream_worker(unsigned context);
int starpu_sched_ctx_get_nsms(unsigned context);
void starpu_sched_ctx_get_sms_interval(int worker, int *start, int *end);

struct starpu_worker_collection *starpu_sched_ctx_create_worker_collection(
    unsigned context, enum starpu_worker_collection_type type);
void starpu_sched_ctx_delete_worker_collection(unsigned context);
struct starpu_worker_collection *
starpu_sched_ctx_get_worker_collection(unsigned context);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
