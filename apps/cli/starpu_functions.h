/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_FUNCTIONS_H
#define ORR_STARPU_FUNCTIONS_H

/* The text of apps/starpu/functions.tsv. A line for each function of StarPU's
 * interface: its name, how it is simulated ("direct", "ignored", "refused"),
 * its section of docs/STARPU.md, and a note, which may be empty. */
extern const char orr_starpu_functions[];

#endif
