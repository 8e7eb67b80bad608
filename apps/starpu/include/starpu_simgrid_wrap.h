/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_SIMGRID_WRAP_H
#define ORR_STARPU_SIMGRID_WRAP_H

/* main() keeps its name: the simulator is called by the program, not the other
 * way round. */

#endif
