/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_PROFILING_H
#define ORR_STARPU_PROFILING_H

#include <errno.h>
#include <sched.h> /* struct timespec, under -std=c99, too */
#include <starpu_config.h>
#include <stdint.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define STARPU_PROFILING_DISABLE 0
#define STARPU_PROFILING_ENABLE 1

/* Dates of the simulated clock. */
struct starpu_profiling_task_info {
    struct timespec submit_time;
    struct timespec push_start_time, push_end_time;
    struct timespec pop_start_time, pop_end_time;
    struct timespec acquire_data_start_time, acquire_data_end_time;
    struct timespec start_time, end_time;
    struct timespec release_data_start_time, release_data_end_time;
    struct timespec callback_start_time, callback_end_time;
    int workerid;
    uint64_t used_cycles, stall_cycles; /* 0 */
    double energy_consumed;             /* joules */
};

struct starpu_profiling_worker_info {
    struct timespec start_time, total_time;
    struct timespec executing_time, callback_time, waiting_time;
    struct timespec sleeping_time, scheduling_time;
    struct timespec all_executing_time, all_callback_time, all_waiting_time;
    struct timespec all_sleeping_time, all_scheduling_time;
    int executed_tasks;
    uint64_t used_cycles, stall_cycles; /* 0 */
    double energy_consumed;
    double flops;
};

struct starpu_profiling_bus_info {
    struct timespec start_time, total_time;
    long long transferred_bytes;
    int transfer_count;
};

void starpu_profiling_init(void);
void starpu_profiling_set_id(int new_id);
int starpu_profiling_status_set(int status);
int starpu_profiling_status_get(void);
int starpu_profiling_worker_get_info(
    int workerid, struct starpu_profiling_worker_info *worker_info);

int starpu_bus_get_count(void);
int starpu_bus_get_id(int src, int dst);
int starpu_bus_get_src(int busid);
int starpu_bus_get_dst(int busid);
void starpu_bus_set_direct(int busid, int direct);
int starpu_bus_get_direct(int busid);
void starpu_bus_set_ngpus(int busid, int ngpus);
int starpu_bus_get_ngpus(int busid);
int starpu_bus_get_profiling_info(int busid,
                                  struct starpu_profiling_bus_info *bus_info);

/* In us. */
double starpu_timing_timespec_delay_us(struct timespec *start,
                                       struct timespec *end);
double starpu_timing_timespec_to_us(struct timespec *ts);

void starpu_profiling_bus_helper_display_summary(void);
void starpu_profiling_worker_helper_display_summary(void);
void starpu_data_display_memory_stats(void);

#pragma GCC visibility pop

#define STARPU_NS_PER_S 1000000000

/* A date of @seconds and @ns, which is above -1 s and below 2 s. */
static inline struct timespec orr_starpu_date(time_t seconds, long ns)
{
    struct timespec date;

    date.tv_sec = seconds + (ns >= STARPU_NS_PER_S) - (ns < 0);
    date.tv_nsec = ns - (long)(date.tv_sec - seconds) * STARPU_NS_PER_S;
    return date;
}

static inline void starpu_timespec_clear(struct timespec *tsp)
{
    *tsp = orr_starpu_date(0, 0);
}

static inline void starpu_timespec_add(struct timespec *a, struct timespec *b,
                                       struct timespec *result)
{
    *result = orr_starpu_date(a->tv_sec + b->tv_sec, a->tv_nsec + b->tv_nsec);
}

static inline void starpu_timespec_accumulate(struct timespec *result,
                                              struct timespec *a)
{
    starpu_timespec_add(result, a, result);
}

static inline void starpu_timespec_sub(const struct timespec *a,
                                       const struct timespec *b,
                                       struct timespec *result)
{
    *result = orr_starpu_date(a->tv_sec - b->tv_sec, a->tv_nsec - b->tv_nsec);
}

/* CMP is an operator, as in starpu_timespec_cmp(&a, &b, <). */
#define starpu_timespec_cmp(a, b, CMP)                                         \
    ((a)->tv_sec != (b)->tv_sec ? (a)->tv_sec CMP(b)->tv_sec                   \
                                : (a)->tv_nsec CMP(b)->tv_nsec)

#ifdef __cplusplus
}
#endif

#endif
