/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Alone, this header brings all of StarPU's interface. */
#include <starpu.h>

#ifndef ORR_STARPU_SCHEDULER_H
#define ORR_STARPU_SCHEDULER_H

#include <starpu_config.h>
#include <starpu_data.h>
#include <starpu_thread.h>
#include <starpu_worker.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct starpu_codelet;
struct starpu_perfmodel;
struct starpu_perfmodel_arch;
struct starpu_task;

/* A policy of the program. */
struct starpu_sched_policy {
    void (*init_sched)(unsigned context);
    void (*deinit_sched)(unsigned context);
    int (*push_task)(struct starpu_task *task);
    double (*simulate_push_task)(struct starpu_task *task);
    void (*push_task_notify)(struct starpu_task *task, int worker,
                             int perf_worker, unsigned context);
    struct starpu_task *(*pop_task)(unsigned context);
    void (*submit_hook)(struct starpu_task *task);
    void (*pre_exec_hook)(struct starpu_task *task, unsigned context);
    void (*post_exec_hook)(struct starpu_task *task, unsigned context);
    void (*do_schedule)(unsigned context);
    void (*reset_scheduler)(unsigned context);
    void (*add_workers)(unsigned context, int *workers, unsigned count);
    void (*remove_workers)(unsigned context, int *workers, unsigned count);
    int prefetches;
    const char *policy_name;
    const char *policy_description;
    enum starpu_worker_collection_type worker_type;
    struct starpu_task *(*pop_every_task)(unsigned context); /* StarPU 1.3 */
};

/* Arrays of policies end with NULL. */
struct starpu_sched_policy **starpu_sched_get_predefined_policies(void);
struct starpu_sched_policy **
starpu_sched_get_predefined_policies_non_default(void);
struct starpu_sched_policy *starpu_get_sched_lib_policy(const char *name);
struct starpu_sched_policy **starpu_get_sched_lib_policies(void);
struct starpu_sched_policy *
starpu_sched_get_sched_policy_in_ctx(unsigned context);
struct starpu_sched_policy *starpu_sched_get_sched_policy(void);

int starpu_sched_get_min_priority(void);
int starpu_sched_get_max_priority(void);
int starpu_sched_set_min_priority(int priority);
int starpu_sched_set_max_priority(int priority);

/* For a policy: which worker may run a task, and giving tasks to workers. */
int starpu_worker_can_execute_task(unsigned worker, struct starpu_task *task,
                                   unsigned implementation);
int starpu_worker_can_execute_task_impl(unsigned worker,
                                        struct starpu_task *task,
                                        unsigned *implementations);
int starpu_worker_can_execute_task_first_impl(unsigned worker,
                                              struct starpu_task *task,
                                              unsigned *implementation);
int starpu_push_local_task(int worker, struct starpu_task *task, int back);
int starpu_push_task_end(struct starpu_task *task);
unsigned long starpu_task_get_job_id(struct starpu_task *task);
void starpu_sched_ctx_worker_shares_tasks_lists(int worker, int context);
void starpu_sched_task_break(struct starpu_task *task);
void starpu_worker_get_sched_condition(int worker,
                                       starpu_pthread_mutex_t **mutex,
                                       starpu_pthread_cond_t **condition);
int starpu_wake_worker_relax(int worker);
int starpu_wake_worker_no_relax(int worker);
int starpu_wake_worker_locked(int worker);
int starpu_wake_worker_relax_light(int worker);
/* delay: microseconds until the task is ready. */
typedef void (*starpu_notify_ready_soon_func)(void *data,
                                              struct starpu_task *task,
                                              double delay);
void starpu_task_notify_ready_soon_register(
    starpu_notify_ready_soon_func notify, void *data);

/* Transfers ahead of time, to a memory node or for a worker. */
int starpu_get_prefetch_flag(void);
int starpu_prefetch_task_input_on_node(struct starpu_task *task, unsigned node);
int starpu_prefetch_task_input_on_node_prio(struct starpu_task *task,
                                            unsigned node, int priority);
int starpu_idle_prefetch_task_input_on_node(struct starpu_task *task,
                                            unsigned node);
int starpu_idle_prefetch_task_input_on_node_prio(struct starpu_task *task,
                                                 unsigned node, int priority);
int starpu_prefetch_task_input_for(struct starpu_task *task, unsigned worker);
int starpu_prefetch_task_input_for_prio(struct starpu_task *task,
                                        unsigned worker, int priority);
int starpu_idle_prefetch_task_input_for(struct starpu_task *task,
                                        unsigned worker);
int starpu_idle_prefetch_task_input_for_prio(struct starpu_task *task,
                                             unsigned worker, int priority);

/* Predictions, in microseconds and joules. */
uint32_t starpu_task_footprint(struct starpu_perfmodel *model,
                               struct starpu_task *task,
                               struct starpu_perfmodel_arch *arch,
                               unsigned implementation);
uint32_t starpu_task_data_footprint(struct starpu_task *task);
double starpu_task_expected_length(struct starpu_task *task,
                                   struct starpu_perfmodel_arch *arch,
                                   unsigned implementation);
double starpu_task_worker_expected_length(struct starpu_task *task,
                                          unsigned worker, unsigned context,
                                          unsigned implementation);
double starpu_task_expected_length_average(struct starpu_task *task,
                                           unsigned context);
double starpu_codelet_expected_length_by_level(struct starpu_codelet *codelet,
                                               int level);
double starpu_worker_get_relative_speedup(struct starpu_perfmodel_arch *arch);
double starpu_task_expected_data_transfer_time(unsigned node,
                                               struct starpu_task *task);
double starpu_task_expected_data_transfer_time_for(struct starpu_task *task,
                                                   unsigned worker);
double starpu_data_expected_transfer_time(starpu_data_handle_t handle,
                                          unsigned node,
                                          enum starpu_data_access_mode mode);
double starpu_task_expected_energy(struct starpu_task *task,
                                   struct starpu_perfmodel_arch *arch,
                                   unsigned implementation);
double starpu_task_worker_expected_energy(struct starpu_task *task,
                                          unsigned worker, unsigned context,
                                          unsigned implementation);
double starpu_task_expected_energy_average(struct starpu_task *task,
                                           unsigned context);
double starpu_task_expected_conversion_time(struct starpu_task *task,
                                            struct starpu_perfmodel_arch *arch,
                                            unsigned implementation);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
