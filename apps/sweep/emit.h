/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EMIT_H
#define ORR_EMIT_H

#include "apps/campaign/campaign.h"

/*
 * Returns a script that runs @campaign in settings->shards shards and merges
 * the results: for sbatch or for GNU parallel, as settings->emit says.
 * @settings: as read from the command line. Free with g_free().
 */
char *orr_emit(const struct orr_campaign *campaign,
               const struct orr_settings *settings);

#endif
