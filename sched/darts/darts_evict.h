/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DARTS_EVICT_H
#define ORR_DARTS_EVICT_H

struct orr_evict_ops;

/*
 * The eviction policy of darts. A datum goes that no pulled task of the unit
 * accesses: the one that its planned tasks access least. If there is none, a
 * prefetch has to wait, and a task gets the place of the datum that pulled
 * tasks access last. A planned task that loses its datum goes back into the
 * pool.
 */
extern const struct orr_evict_ops orr_darts_evict;

#endif
