/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_POLICIES_H
#define ORR_STARPU_POLICIES_H

#include <starpu.h>

/* The name of @policy, one of starpu_sched_get_predefined_policies(); NULL: it
 * is none of these. */
const char *sp_policy_name(const struct starpu_sched_policy *policy);

#endif
