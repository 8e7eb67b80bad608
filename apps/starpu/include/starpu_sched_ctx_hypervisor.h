/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_SCHED_CTX_HYPERVISOR_H
#define ORR_STARPU_SCHED_CTX_HYPERVISOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct starpu_task;

/* Calls to a program that resizes contexts. */
struct starpu_sched_ctx_performance_counters {
    void (*notify_idle_cycle)(unsigned context, int worker, double idle);
    void (*notify_poped_task)(unsigned context, int worker);
    void (*notify_pushed_task)(unsigned context, int worker);
    void (*notify_post_exec_task)(struct starpu_task *task, size_t bytes,
                                  uint32_t footprint, int tag, double flops);
    void (*notify_submitted_job)(struct starpu_task *task, uint32_t footprint,
                                 size_t bytes);
    void (*notify_empty_ctx)(unsigned context, struct starpu_task *task);
    void (*notify_delete_context)(unsigned context);
};

void starpu_sched_ctx_set_perf_counters(unsigned context, void *counters);
void starpu_sched_ctx_call_pushed_task_cb(int worker, unsigned context);
void starpu_sched_ctx_notify_hypervisor_exists(void);
unsigned starpu_sched_ctx_check_if_hypervisor_exists(void);
void starpu_sched_ctx_update_start_resizing_sample(unsigned context,
                                                   double start);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
