/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CALLS_H
#define ORR_CALLS_H

#include <orrery.h>

/*
 * The functions of orrery.h that StarPU's interface needs. Alone, a program
 * calls liborrery in its own process. Below a command of orrery, its runs are
 * in the process of that command, and the calls are sent there. Runs, data,
 * kernels and partitions are only handed on, never looked into.
 */

/* Each name without orr_. */
#define SP_CALLS(CALL)                                                         \
    CALL(data_acquire)                                                         \
    CALL(data_acquire_as)                                                      \
    CALL(data_acquire_later)                                                   \
    CALL(data_deinitialize)                                                    \
    CALL(data_deinitialize_submit)                                             \
    CALL(data_evict)                                                           \
    CALL(data_expected_transfer_ns)                                            \
    CALL(data_idle_prefetch)                                                   \
    CALL(data_invalidate)                                                      \
    CALL(data_invalidate_submit)                                               \
    CALL(data_prefetch)                                                        \
    CALL(data_register)                                                        \
    CALL(data_register_matrix)                                                 \
    CALL(data_register_temporary)                                              \
    CALL(data_release)                                                         \
    CALL(data_release_on)                                                      \
    CALL(data_set_arbiter)                                                     \
    CALL(data_set_coordinates)                                                 \
    CALL(data_set_name)                                                        \
    CALL(data_set_reduction)                                                   \
    CALL(data_set_unordered)                                                   \
    CALL(data_state)                                                           \
    CALL(data_unregister)                                                      \
    CALL(data_unregister_no_coherency)                                         \
    CALL(data_unregister_submit)                                               \
    CALL(data_wont_use)                                                        \
    CALL(kernel_find_footprint)                                                \
    CALL(kernel_find_size)                                                     \
    CALL(kernel_find_terms)                                                    \
    CALL(kernel_new)                                                           \
    CALL(kernel_set_implementations)                                           \
    CALL(kernel_set_where)                                                     \
    CALL(kernel_takes)                                                         \
    CALL(partition_gather_on)                                                  \
    CALL(partition_join)                                                       \
    CALL(partition_join_readonly)                                              \
    CALL(partition_new_parts)                                                  \
    CALL(partition_part)                                                       \
    CALL(partition_remove)                                                     \
    CALL(partition_split)                                                      \
    CALL(partition_split_readonly)                                             \
    CALL(run_acting_worker)                                                    \
    CALL(run_bounds)                                                           \
    CALL(run_execution)                                                        \
    CALL(run_flops_ns)                                                         \
    CALL(run_free)                                                             \
    CALL(run_keep_for_bounds)                                                  \
    CALL(run_keep_text)                                                        \
    CALL(run_max_priority)                                                     \
    CALL(run_new)                                                              \
    CALL(run_next_task)                                                        \
    CALL(run_now)                                                              \
    CALL(run_park)                                                             \
    CALL(run_pause)                                                            \
    CALL(run_report)                                                           \
    CALL(run_resume)                                                           \
    CALL(run_schedule)                                                         \
    CALL(run_set_buckets)                                                      \
    CALL(run_set_switch)                                                       \
    CALL(run_set_window)                                                       \
    CALL(run_sleep)                                                            \
    CALL(run_tasks_in_flight)                                                  \
    CALL(run_tasks_ready)                                                      \
    CALL(run_thread_end)                                                       \
    CALL(run_thread_new)                                                       \
    CALL(run_unpark)                                                           \
    CALL(run_wait)                                                             \
    CALL(run_wait_in_flight)                                                   \
    CALL(run_wait_tag)                                                         \
    CALL(run_wait_task)                                                        \
    CALL(run_wake)                                                             \
    CALL(run_worker_class)                                                     \
    CALL(run_worker_name)                                                      \
    CALL(run_worker_node)                                                      \
    CALL(run_workers)                                                          \
    CALL(tag_notify)                                                           \
    CALL(task_expected_ns)                                                     \
    CALL(task_expected_transfer_ns)                                            \
    CALL(task_release_end)                                                     \
    CALL(task_submit)

struct sp_calls {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): the name of a member */
#define SP_CALL_MEMBER(name) __typeof__(&orr_##name) name;
    SP_CALLS(SP_CALL_MEMBER)
#undef SP_CALL_MEMBER
};

/* The functions of liborrery in this process. */
extern const struct sp_calls sp_direct_calls;

/* The ones to use. */
extern const struct sp_calls *sp_calls;

#endif
