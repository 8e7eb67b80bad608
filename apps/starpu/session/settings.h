/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_SETTINGS_H
#define ORR_STARPU_SETTINGS_H

#include <starpu.h>

#include <orrery.h>

/* The configuration of a run that a program asks for, by @conf (NULL: as
 * starpu_conf_init() makes it) and by STARPU_... variables. Free with
 * orr_config_free(). NULL with @error: a value is none of its option. */
struct orr_config *sp_settings_new(const struct starpu_conf *conf,
                                   GError **error);

/* The number in an environment variable; -1: it is not set. */
int sp_number_of(const char *variable);

/* How many CPUs have no worker, as the program needs them itself: by @conf, or
 * NULL, and the environment. Below 0: it does not say. */
int sp_settings_reserved_cpus(const struct starpu_conf *conf);

#endif
