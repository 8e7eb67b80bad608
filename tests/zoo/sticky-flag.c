/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sticky-flag: a runtime that does not signal a worker which has been woken
 * already, and does not always clear the flag that says so.
 *
 * The flag of a CPU worker is never cleared (which in the reference is
 * harmless: it signals all the same). From the second time on, the worker
 * sleeps through what is pushed for it, unless something else wakes it. Reports
 * of workers that idle while tasks are ready, and of runs that end only if some
 * copy happens to come by.
 */
#define orr_worker_wake worker_wake_right
/* NOLINTNEXTLINE(bugprone-suspicious-include) */
#include "runtime/worker/worker.c"
#undef orr_worker_wake

bool orr_worker_wake(struct orr_worker *worker);

bool orr_worker_wake(struct orr_worker *worker)
{
    return !worker->actor.woken && worker_wake_right(worker);
}
