/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HETEROPRIO_STATS_H
#define ORR_HETEROPRIO_STATS_H

#include <glib.h>
#include <stdbool.h>

/*
 * What the policy heteroprio learns while it runs, and the order in which
 * each architecture visits the buckets for it (StarPU, heteroprio.c with
 * auto-calibration; Flint, Paillat and Bramas, "Automated prioritizing
 * heuristics for parallel task graph scheduling in heterogeneous computing",
 * PeerJ Computer Science, 2022).
 *
 * A bucket holds the tasks of one kernel. An architecture is a kind of
 * worker. Averages remember about 256 samples; of what was never seen,
 * something is assumed: a bucket takes 1 ms on an architecture that can run
 * it, 100 s on one that cannot. Times are in microseconds, "normalised" times
 * in units of what an average task takes on its best architecture.
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

    /* Of its executions, those by each architecture. */
    double part[ORR_HETEROPRIO_ARCHS];
    unsigned part_samples;

    /* Average normalised work for each architecture that a task releases. */
    double release[ORR_HETEROPRIO_ARCHS];
    unsigned release_samples;

    /*
     * Its fastest architecture, and how many times slower the other is. The
     * latter takes a task only while at least so many are queued for each
     * worker of the fastest.
     */
    enum orr_heteroprio_arch fastest;
    float slowdown;
};

struct orr_heteroprio_stats {
    struct orr_heteroprio_bucket *buckets;
    unsigned count;

    /* The buckets that each architecture can run, the most urgent first. */
    unsigned *order[ORR_HETEROPRIO_ARCHS];
    unsigned order_count[ORR_HETEROPRIO_ARCHS];
};

/* An embedded member of zero bytes is ready for use. */
void orr_heteroprio_stats_clear(struct orr_heteroprio_stats *stats);

/* A new bucket, the last in order; returns its index. */
unsigned orr_heteroprio_stats_add(struct orr_heteroprio_stats *stats,
                                  const bool runs_on[ORR_HETEROPRIO_ARCHS]);

/* A task of @bucket was pushed. */
void orr_heteroprio_stats_pushed(struct orr_heteroprio_stats *stats,
                                 unsigned bucket);

/* It releases so much normalised work for each architecture. */
void orr_heteroprio_stats_released(struct orr_heteroprio_stats *stats,
                                   unsigned bucket,
                                   const double release[ORR_HETEROPRIO_ARCHS]);

/* A task of @bucket was executed on @arch and took @time_us. */
void orr_heteroprio_stats_executed(struct orr_heteroprio_stats *stats,
                                   unsigned bucket,
                                   enum orr_heteroprio_arch arch,
                                   double time_us);

/*
 * The microseconds in a unit of normalised time: what the average pushed task
 * takes on its best architecture. 0 before anything was pushed: all
 * normalised times are then 1.
 */
double orr_heteroprio_stats_unit(const struct orr_heteroprio_stats *stats);

/* The normalised work that a task of @bucket is for @arch, on average. */
double orr_heteroprio_stats_work(const struct orr_heteroprio_stats *stats,
                                 unsigned bucket, enum orr_heteroprio_arch arch,
                                 double unit);

/* Brings the fastest architectures and slowdowns up to date. */
void orr_heteroprio_stats_compare(struct orr_heteroprio_stats *stats);

/* Brings the orders up to date. */
void orr_heteroprio_stats_order(struct orr_heteroprio_stats *stats);

#endif
