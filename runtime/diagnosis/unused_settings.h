/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_UNUSED_SETTINGS_H
#define ORR_UNUSED_SETTINGS_H

struct orr_run;

/*
 * Which changes of the platform, and which other settings, cannot have
 * influenced a run: a link that no copy took, a memory that was never full, a
 * kernel that never ran there.
 *
 * It follows from what the run notes anyway (which pairs of memories copied,
 * which devices ran each kernel, how much each memory held at most), so that
 * it costs nothing while the run goes on. What it names had no influence, or
 * none but on what the policy expected, which it then says; what it does not
 * name may have had one or not.
 */

/*
 * Fills run->unused (owned, NULL-terminated) with a sentence for each. To be
 * called when the run is over; may be repeated.
 */
void orr_unused_settings_note(struct orr_run *run);

#endif
