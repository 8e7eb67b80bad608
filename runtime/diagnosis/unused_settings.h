/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_UNUSED_SETTINGS_H
#define ORR_UNUSED_SETTINGS_H

struct orr_run;

/*
 * The changes of the platform and other settings that cannot have influenced a
 * run: a link without copies, a memory that was never full, a kernel that never
 * ran on a device.
 *
 * They follow from facts that each run records in any case: the pairs of
 * memories with copies, the devices that ran each kernel, the peak of each
 * memory. A setting that is not listed may have had an influence or not.
 */

/* Fills run->diagnosis.unused (owned, NULL-terminated) with a sentence for
 * each. To be called when the run is over; may be repeated. */
void orr_unused_settings_find(struct orr_run *run);

#endif
