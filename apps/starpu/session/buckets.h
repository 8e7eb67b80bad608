/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_BUCKETS_H
#define ORR_STARPU_BUCKETS_H

#include <starpu.h>

/* Under the policy heteroprio, calls @conf->sched_policy_callback, in which the
 * program says which buckets it has, and hands them to the run, which has just
 * begun. @conf may be NULL. */
void sp_buckets_begin(const struct starpu_conf *conf);

#endif
