/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HETEROPRIO_STATS_H
#define ORR_HETEROPRIO_STATS_H

#include <glib.h>
#include <stdbool.h>

/*
 * The statistics that heteroprio gathers during a run, and the order of buckets
 * for each architecture that follows from them (StarPU, heteroprio.c with
 * auto-calibration; Flint, Paillat and Bramas, "Automated prioritizing
 * heuristics for parallel task graph scheduling in heterogeneous computing",
 * PeerJ Computer Science, 2022).
 *
 * A bucket holds the tasks of one kernel. An architecture is a kind of worker.
 * Averages are over about the last 256 samples. Without samples, a task is
 * assumed to take 1 ms on an architecture that can run it, 100 s on one that
 * cannot. Times are in microseconds. Normalised times are in units of the time
 * that an average task takes on its best architecture.
 */
enum orr_heteroprio_arch {
    ORR_HETEROPRIO_CPU,
    ORR_HETEROPRIO_GPU,
    ORR_HETEROPRIO_ARCHS
};

struct orr_heteroprio_bucket {
    bool runs_on[ORR_HETEROPRIO_ARCHS];

    /* Its share among the tasks pushed so far. */
    double share;
    unsigned share_samples;

    /* Average execution time, by architecture. */
    double time_us[ORR_HETEROPRIO_ARCHS];
    unsigned time_samples[ORR_HETEROPRIO_ARCHS];

    /* Share of its executions, by architecture. */
    double part[ORR_HETEROPRIO_ARCHS];
    unsigned part_samples;

    /* Average normalised work that a task releases, by architecture. */
    double release[ORR_HETEROPRIO_ARCHS];
    unsigned release_samples;

    /*
     * Its fastest architecture, and by which factor the other one is slower.
     * The slower one pops a task only while at least @slowdown tasks are queued
     * for each worker of the fastest.
     */
    enum orr_heteroprio_arch fastest;
    float slowdown;
    bool timed; /* a time was measured since the last update of both */
};

struct orr_heteroprio_stats {
    struct orr_heteroprio_bucket *buckets;
    unsigned count;

    /* The buckets that each architecture can run, by descending urgency. */
    unsigned *order[ORR_HETEROPRIO_ARCHS];
    unsigned order_count[ORR_HETEROPRIO_ARCHS];
};

/* Frees the memory. Zero-initialised statistics are empty. */
void orr_heteroprio_stats_clear(struct orr_heteroprio_stats *stats);

/* Adds a bucket at the end of the orders; returns its index. */
unsigned orr_heteroprio_stats_add(struct orr_heteroprio_stats *stats,
                                  const bool runs_on[ORR_HETEROPRIO_ARCHS]);

/* Records that a task of @bucket was pushed. */
void orr_heteroprio_stats_pushed(struct orr_heteroprio_stats *stats,
                                 unsigned bucket);

/* Records the normalised work that a task of @bucket releases, by architecture.
 */
void orr_heteroprio_stats_released(struct orr_heteroprio_stats *stats,
                                   unsigned bucket,
                                   const double release[ORR_HETEROPRIO_ARCHS]);

/* Records that a task of @bucket was executed on @arch in @time_us. */
void orr_heteroprio_stats_executed(struct orr_heteroprio_stats *stats,
                                   unsigned bucket,
                                   enum orr_heteroprio_arch arch,
                                   double time_us);

/*
 * The unit of normalised times, in microseconds: the time of the average pushed
 * task on its best architecture. 0 before the first push; all normalised times
 * are then 1.
 */
double orr_heteroprio_stats_unit(const struct orr_heteroprio_stats *stats);

/* The average normalised work of a task of @bucket on @arch. */
double orr_heteroprio_stats_work(const struct orr_heteroprio_stats *stats,
                                 unsigned bucket, enum orr_heteroprio_arch arch,
                                 double unit);

/* Updates the fastest architectures and slowdowns. */
void orr_heteroprio_stats_compare(struct orr_heteroprio_stats *stats);

/* Updates the orders of buckets. */
void orr_heteroprio_stats_order(struct orr_heteroprio_stats *stats);

#endif
