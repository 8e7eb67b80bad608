/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_ADAPTER_H
#define ORR_STARPU_ADAPTER_H

#include <starpu_scheduler.h>

#include <sched/sched.h>

/*
 * A policy in StarPU's interface as a policy of Orrery: a concurrent one with
 * locks of workers (sched/sched.h). Its functions run as they are; the
 * functions that they call ask the host of the run.
 */

/* The table for @policy, made once and never freed; NULL with ORR_ERROR_VALUE
 * if @policy lacks a function. Borrows @policy. */
const struct orr_sched_ops *
sp_policy_table(const struct starpu_sched_policy *policy, GError **error);

#endif
