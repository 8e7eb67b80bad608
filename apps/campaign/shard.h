/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SHARD_H
#define ORR_SHARD_H

#include <glib.h>
#include <stdbool.h>

/* A part of a campaign, for one of several machines: the points whose number
 * modulo @count is @index. 0 of 1 is all of it. */
struct orr_shard {
    unsigned index, count;
};

/* Limit on the number of shards. */
#define ORR_SHARDS_MAX 1000000u

/*
 * Parses "I/N", or "auto": then the shard is the task of a Slurm job array,
 * from SLURM_ARRAY_TASK_ID, _MIN, _COUNT and, if set, _STEP in the environment.
 * Fails with ORR_ERROR_VALUE.
 */
bool orr_shard_parse(const char *text, struct orr_shard *shard, GError **error);

/* Returns the file of @shard of the results in @path: "a.3-of-8.db" of "a.db";
 * @path itself for all. Free with g_free(). */
char *orr_shard_path(const char *path, const struct orr_shard *shard);

#endif
