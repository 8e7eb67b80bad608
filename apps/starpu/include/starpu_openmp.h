/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_OPENMP_H
#define ORR_STARPU_OPENMP_H

#include <starpu_config.h>
#include <starpu_data.h>
#include <starpu_task.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* What compilers call for OpenMP: not simulated. */

typedef struct {
    void *internal;
} starpu_omp_lock_t;

typedef struct {
    void *internal;
} starpu_omp_nest_lock_t;

enum starpu_omp_sched_value {
    starpu_omp_sched_undefined = 0,
    starpu_omp_sched_static = 1,
    starpu_omp_sched_dynamic = 2,
    starpu_omp_sched_guided = 3,
    starpu_omp_sched_auto = 4,
    starpu_omp_sched_runtime = 5
};

enum starpu_omp_proc_bind_value {
    starpu_omp_proc_bind_undefined = -1,
    starpu_omp_proc_bind_false = 0,
    starpu_omp_proc_bind_true = 1,
    starpu_omp_proc_bind_master = 2,
    starpu_omp_proc_bind_close = 3,
    starpu_omp_proc_bind_spread = 4
};

struct starpu_omp_parallel_region_attr {
    struct starpu_codelet cl;
    starpu_data_handle_t *handles;
    void *cl_arg;
    size_t cl_arg_size;
    unsigned cl_arg_free;
    int if_clause;
    int num_threads;
};

struct starpu_omp_task_region_attr {
    struct starpu_codelet cl;
    starpu_data_handle_t *handles;
    void *cl_arg;
    size_t cl_arg_size;
    unsigned cl_arg_free;
    int priority;
    int if_clause, final_clause, untied_clause, mergeable_clause;
    int is_loop;
    int nogroup_clause;
    int collapse;
    int num_tasks;
    unsigned long long nb_iterations, grainsize;
    unsigned long long begin_i, end_i, chunk;
};

int starpu_omp_init(void);
void starpu_omp_shutdown(void);

/* Regions: with a function, or between a begin and an end. */
void starpu_omp_parallel_region(
    const struct starpu_omp_parallel_region_attr *region);
void starpu_omp_master(void (*function)(void *), void *argument);
int starpu_omp_master_inline(void);
void starpu_omp_barrier(void);
void starpu_omp_critical(void (*function)(void *), void *argument,
                         const char *name);
void starpu_omp_critical_inline_begin(const char *name);
void starpu_omp_critical_inline_end(const char *name);
void starpu_omp_single(void (*function)(void *), void *argument, int nowait);
int starpu_omp_single_inline(void);
void starpu_omp_single_copyprivate(void (*function)(void *argument, void *data,
                                                    unsigned long long size),
                                   void *argument, void *data,
                                   unsigned long long size);
void *starpu_omp_single_copyprivate_inline_begin(void *data);
void starpu_omp_single_copyprivate_inline_end(void);
void starpu_omp_ordered(void (*function)(void *), void *argument);
void starpu_omp_ordered_inline_begin(void);
void starpu_omp_ordered_inline_end(void);
void starpu_omp_sections(unsigned long long count, void (**functions)(void *),
                         void **arguments, int nowait);
void starpu_omp_sections_combined(unsigned long long count,
                                  void (*function)(unsigned long long section,
                                                   void *argument),
                                  void *argument, int nowait);
void starpu_omp_atomic_fallback_inline_begin(void);
void starpu_omp_atomic_fallback_inline_end(void);

/* Loops, in chunks of iterations. */
void starpu_omp_for(void (*function)(unsigned long long first,
                                     unsigned long long count, void *argument),
                    void *argument, unsigned long long iterations,
                    unsigned long long chunk, int schedule, int ordered,
                    int nowait);
int starpu_omp_for_inline_first(unsigned long long iterations,
                                unsigned long long chunk, int schedule,
                                int ordered, unsigned long long *first,
                                unsigned long long *count);
int starpu_omp_for_inline_next(unsigned long long iterations,
                               unsigned long long chunk, int schedule,
                               int ordered, unsigned long long *first,
                               unsigned long long *count);
void starpu_omp_for_alt(void (*function)(unsigned long long begin,
                                         unsigned long long end,
                                         void *argument),
                        void *argument, unsigned long long iterations,
                        unsigned long long chunk, int schedule, int ordered,
                        int nowait);
int starpu_omp_for_inline_first_alt(unsigned long long iterations,
                                    unsigned long long chunk, int schedule,
                                    int ordered, unsigned long long *begin,
                                    unsigned long long *end);
int starpu_omp_for_inline_next_alt(unsigned long long iterations,
                                   unsigned long long chunk, int schedule,
                                   int ordered, unsigned long long *begin,
                                   unsigned long long *end);

/* Tasks. */
void starpu_omp_task_region(const struct starpu_omp_task_region_attr *region);
void starpu_omp_taskwait(void);
void starpu_omp_taskgroup(void (*function)(void *), void *argument);
void starpu_omp_taskgroup_inline_begin(void);
void starpu_omp_taskgroup_inline_end(void);
void starpu_omp_taskloop_inline_begin(
    struct starpu_omp_task_region_attr *region);
void starpu_omp_taskloop_inline_end(
    const struct starpu_omp_task_region_attr *region);

/* Settings and state. */
void starpu_omp_set_num_threads(int threads);
int starpu_omp_get_num_threads(void);
int starpu_omp_get_thread_num(void);
int starpu_omp_get_max_threads(void);
int starpu_omp_get_num_procs(void);
int starpu_omp_in_parallel(void);
void starpu_omp_set_dynamic(int dynamic);
int starpu_omp_get_dynamic(void);
void starpu_omp_set_nested(int nested);
int starpu_omp_get_nested(void);
int starpu_omp_get_cancellation(void);
void starpu_omp_set_schedule(enum starpu_omp_sched_value kind, int modifier);
void starpu_omp_get_schedule(enum starpu_omp_sched_value *kind, int *modifier);
int starpu_omp_get_thread_limit(void);
void starpu_omp_set_max_active_levels(int levels);
int starpu_omp_get_max_active_levels(void);
int starpu_omp_get_level(void);
int starpu_omp_get_ancestor_thread_num(int level);
int starpu_omp_get_team_size(int level);
int starpu_omp_get_active_level(void);
int starpu_omp_in_final(void);
enum starpu_omp_proc_bind_value starpu_omp_get_proc_bind(void);
int starpu_omp_get_num_places(void);
int starpu_omp_get_place_num_procs(int place);
void starpu_omp_get_place_proc_ids(int place, int *ids);
int starpu_omp_get_place_num(void);
int starpu_omp_get_partition_num_places(void);
void starpu_omp_get_partition_place_nums(int *places);
void starpu_omp_set_default_device(int device);
int starpu_omp_get_default_device(void);
int starpu_omp_get_num_devices(void);
int starpu_omp_get_num_teams(void);
int starpu_omp_get_team_num(void);
int starpu_omp_is_initial_device(void);
int starpu_omp_get_initial_device(void);
int starpu_omp_get_max_task_priority(void);
double starpu_omp_get_wtime(void);
double starpu_omp_get_wtick(void);

/* Locks. */
void starpu_omp_init_lock(starpu_omp_lock_t *lock);
void starpu_omp_destroy_lock(starpu_omp_lock_t *lock);
void starpu_omp_set_lock(starpu_omp_lock_t *lock);
void starpu_omp_unset_lock(starpu_omp_lock_t *lock);
int starpu_omp_test_lock(starpu_omp_lock_t *lock);
void starpu_omp_init_nest_lock(starpu_omp_nest_lock_t *lock);
void starpu_omp_destroy_nest_lock(starpu_omp_nest_lock_t *lock);
void starpu_omp_set_nest_lock(starpu_omp_nest_lock_t *lock);
void starpu_omp_unset_nest_lock(starpu_omp_nest_lock_t *lock);
int starpu_omp_test_nest_lock(starpu_omp_nest_lock_t *lock);

/* Data. */
void starpu_omp_vector_annotate(starpu_data_handle_t handle,
                                uint32_t slice_base);
struct starpu_arbiter *starpu_omp_get_default_arbiter(void);
void starpu_omp_handle_register(starpu_data_handle_t handle);
void starpu_omp_handle_unregister(starpu_data_handle_t handle);
starpu_data_handle_t starpu_omp_data_lookup(const void *ptr);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
