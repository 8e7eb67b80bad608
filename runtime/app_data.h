/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_APP_DATA_H
#define ORR_APP_DATA_H

struct orr_data;
struct orr_run;

/* orr_data_invalidate_submit() and orr_data_unregister_submit() without checks:
 * for the parts of a partition, and data that are replaced. */
void orr_app_invalidate_later(struct orr_run *run, struct orr_data *data);
void orr_app_unregister_later(struct orr_run *run, struct orr_data *data);

#endif
