/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SETUP_H
#define ORR_SETUP_H

#include "runtime/orrery.h"

/* Builds @run, all zero, from @config. After a failure @run still has to be
 * torn down. */
bool orr_run_set_up(struct orr_run *run, const struct orr_config *config,
                    GError **error);

/* Frees what @run holds. */
void orr_run_tear_down(struct orr_run *run);

#endif
