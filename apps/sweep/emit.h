/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EMIT_H
#define ORR_EMIT_H

#include "apps/campaign/campaign.h"

/*
 * Returns what runs @campaign in settings->shards shards, and merges them:
 * settings->emit says whether as a script for sbatch, or as a line for GNU
 * parallel. @settings are those of the command line. Free with g_free().
 */
char *orr_emit(const struct orr_campaign *campaign,
               const struct orr_settings *settings);

#endif
