/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_POLICIES_H
#define ORR_STARPU_POLICIES_H

#include <starpu.h>

/* The name of @policy, one of starpu_sched_get_predefined_policies(); NULL: it
 * is none of these. */
const char *sp_policy_name(const struct starpu_sched_policy *policy);

/*
 * The policy of StarPU's interface that the program brings: of
 * @conf->sched_policy, or of the library STARPU_SCHED_LIB, in which it has the
 * name @name. NULL: none. Warns if the library cannot be used.
 */
const struct starpu_sched_policy *
sp_policy_of_program(const struct starpu_conf *conf, const char *name);

#endif
