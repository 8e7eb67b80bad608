/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SAMPLING_H
#define ORR_SAMPLING_H

#include <stdbool.h>

/* The folder with the calibrations of StarPU, which the environment may name;
 * free with g_free(). FOLDER/bus and FOLDER/codelets hold them. */
char *sp_sampling_folder(void);

/* Whether the machine has a calibration there, or the environment names the
 * folder. Otherwise the machine is a platform of Orrery. */
bool sp_sampling_is_used(void);

/* The machine of which calibrations are read; borrowed. It is this one, unless
 * the environment names another one. */
const char *sp_sampling_host(void);
bool sp_sampling_names_host(void);

#endif
