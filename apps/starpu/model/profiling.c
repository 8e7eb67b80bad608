/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/session.h"
#include "apps/starpu/model/model.h"

#include <starpu_profiling.h>

#include <stdlib.h>

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

static struct timespec now(void)
{
    int64_t ns = sp_calls->run_now(sp_session.run);
    return orr_starpu_date((time_t)(ns / STARPU_NS_PER_S),
                           (long)(ns % STARPU_NS_PER_S));
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

void sp_profile_ended(struct starpu_task *task)
{
    if (task->profiling_info)
        task->profiling_info->end_time = now();
}
