/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_MODULAR_H
#define ORR_STARPU_MODULAR_H

#include <starpu_scheduler.h>

/* StarPU's own policies that are built from components, by name; the last one
 * has no name. */
extern struct starpu_sched_policy sp_modular_policies[];

#endif
