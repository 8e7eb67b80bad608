/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BUCKET_PLAN_H
#define ORR_BUCKET_PLAN_H

#include "sched/policy/heteroprio_stats.h"

/*
 * Buckets of heteroprio that are given, not learnt (StarPU, heteroprio.c
 * without auto-calibration: starpu_heteroprio_set_mapping() and its like). A
 * plan has the buckets that each class of workers visits, in order:
 *
 *     cpu:0,1,2*4;gpu:2,1
 *
 * A bucket is a number, and holds the tasks of this priority; or the name of a
 * kernel, and holds its tasks. The buckets of a plan are all numbers or all
 * names. "0-9" are ten buckets, "9-0" the same in reverse. "*4" behind a bucket
 * of the CPUs says that they are 4 times slower than the GPUs: a CPU takes a
 * task only while the bucket has at least 4 for each GPU.
 */
enum { ORR_MAX_BUCKETS = 100 };

struct orr_bucket_visits {
    unsigned count;
    unsigned buckets[ORR_MAX_BUCKETS];
};

struct orr_bucket_plan {
    unsigned count; /* of buckets; some may be visited by no class */
    char **kernels; /* by bucket; NULL: a bucket is a priority */
    struct orr_bucket_visits visits[ORR_HETEROPRIO_ARCHS];
    float slowdowns[ORR_MAX_BUCKETS]; /* of CPUs; 0: they take all */
};

/* Parses @text. Returns NULL with ORR_ERROR_VALUE, which names the culprit.
 * Free with orr_bucket_plan_free(), which allows NULL. */
struct orr_bucket_plan *orr_bucket_plan_parse(const char *text, GError **error);
void orr_bucket_plan_free(struct orr_bucket_plan *plan);

/* Whether workers of class @arch visit @bucket. */
bool orr_bucket_plan_visits(const struct orr_bucket_plan *plan,
                            enum orr_heteroprio_arch arch, unsigned bucket);

/* Returns the bucket for tasks of @kernel and @priority; plan->count if there
 * is none. */
unsigned orr_bucket_plan_find(const struct orr_bucket_plan *plan,
                              const char *kernel, int priority);

#endif
