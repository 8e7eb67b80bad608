/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_LIBRARY_H
#define ORR_STARPU_LIBRARY_H

#include <starpu_scheduler.h>

#include <sched/sched.h>

/* A shared object with policies, and the functions by which StarPU finds them;
 * NULL: it has no such function. */
struct sp_policy_library {
    const char *path;
    struct starpu_sched_policy *(*find)(const char *name);
    struct starpu_sched_policy **(*list)(void);
};

/* The table of the policy @name of @library; NULL: its only one, or the one
 * with the name of the file. Fails with ORR_ERROR_UNKNOWN or
 * ORR_ERROR_VALUE. */
const struct orr_sched_ops *
sp_policy_library_open(const struct sp_policy_library *library,
                       const char *name, GError **error);

#endif
