/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_MACHINES_H
#define ORR_MACHINES_H

#include "apps/settings/settings.h"

/*
 * Cache of machines and platforms for runs with many settings: each file is
 * read once, and the machines used last are kept. Functions may be called by
 * any thread.
 */
struct orr_machines;

struct orr_machines *orr_machines_new(void);
void orr_machines_free(struct orr_machines *machines); /* or NULL */

/* Returns the platform called @name, as in its file; borrowed. NULL with
 * @error; a later call fails with the same error. */
const struct orr_platform *orr_machines_platform(struct orr_machines *machines,
                                                 const char *name,
                                                 GError **error);

/*
 * Sets settings->scenario.run.machine to the machine that @settings describe,
 * or to NULL with @error. Release it with orr_machines_leave(), which allows
 * NULL and sets it to NULL.
 */
bool orr_machines_enter(struct orr_machines *machines,
                        struct orr_settings *settings, GError **error);
void orr_machines_leave(struct orr_machines *machines,
                        struct orr_settings *settings);

#endif
