/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/model/model.h"

#include <starpu_profiling.h>

#include <stdlib.h>
#include <string.h>

static int status;

int starpu_profiling_status_set(int new_status)
{
    int before = status;
    status = new_status;
    return before;
}

int starpu_profiling_status_get(void)
{
    return status;
}

double starpu_timing_timespec_to_us(struct timespec *ts)
{
    return (double)ts->tv_sec * 1e6 + (double)ts->tv_nsec / 1e3;
}

double starpu_timing_timespec_delay_us(struct timespec *start,
                                       struct timespec *end)
{
    return starpu_timing_timespec_to_us(end) -
           starpu_timing_timespec_to_us(start);
}

static struct timespec date_of(int64_t ns)
{
    return orr_starpu_date((time_t)(ns / STARPU_NS_PER_S),
                           (long)(ns % STARPU_NS_PER_S));
}

static struct timespec now(void)
{
    return date_of(sp_calls->run_now(sp_session.run));
}

void sp_profile_submitted(struct starpu_task *task)
{
    if (!task->profiling_info)
        task->profiling_info = calloc(1, sizeof(*task->profiling_info));
    if (!task->profiling_info)
        return;
    task->profiling_info->submit_time = now();
    task->profiling_info->workerid = -1;
}

void sp_profile_executed(struct starpu_task *task)
{
    unsigned worker;
    int64_t started_ns, ended_ns;
    if (!task->profiling_info ||
        !sp_calls->run_execution(sp_session.run, &worker, &started_ns,
                                 &ended_ns))
        return;
    task->profiling_info->workerid = (int)worker;
    task->profiling_info->start_time = date_of(started_ns);
    task->profiling_info->end_time = date_of(ended_ns);
}

void starpu_profiling_init(void)
{
}

void starpu_profiling_set_id(int new_id)
{
    (void)new_id;
}

/* The statistics of a worker when the program asked for them last. */
static struct {
    int64_t date, busy_ns;
    uint64_t tasks;
} asked[STARPU_NMAXWORKERS];

/* Since the last call, as in StarPU. A worker executes or sleeps: the runtime's
 * own work does not count apart. */
int starpu_profiling_worker_get_info(
    int workerid, struct starpu_profiling_worker_info *worker_info)
{
    static const char call[] = "starpu_profiling_worker_get_info()";
    sp_need_session(call);
    if (workerid < 0 || (unsigned)workerid >= sp_session.workers)
        sp_fail(call, "there is no worker %d", workerid);
    const struct orr_worker_report *worker =
        &sp_calls->run_report(sp_session.run)->workers[workerid];
    int64_t date = sp_calls->run_now(sp_session.run);
    int64_t total = date - asked[workerid].date;
    int64_t busy = worker->busy_ns - asked[workerid].busy_ns;
    if (worker_info) {
        *worker_info = (struct starpu_profiling_worker_info){
            .start_time = date_of(asked[workerid].date),
            .total_time = date_of(total),
            .executing_time = date_of(busy),
            .all_executing_time = date_of(busy),
            .sleeping_time = date_of(total - busy),
            .all_sleeping_time = date_of(total - busy),
            .executed_tasks = (int)(worker->tasks - asked[workerid].tasks),
        };
    }
    asked[workerid].date = date;
    asked[workerid].busy_ns = worker->busy_ns;
    asked[workerid].tasks = worker->tasks;
    return 0;
}

void sp_profiling_end(void)
{
    memset(asked, 0, sizeof(asked));
}

/* Statistics are in the report of `orrery run`. */

void starpu_profiling_bus_helper_display_summary(void)
{
}

void starpu_profiling_worker_helper_display_summary(void)
{
}

void starpu_data_display_memory_stats(void)
{
}
