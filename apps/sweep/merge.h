/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_MERGE_H
#define ORR_MERGE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* The content of a merged file. */
struct orr_merged {
    uint64_t wanted;  /* runs of the campaign */
    uint64_t ended;   /* runs of the campaign that are in the file */
    uint64_t failed;  /* runs in the file that failed */
    uint64_t doubled; /* rows that are in several shards, with equal values */
    char *missing;    /* points without all their runs: "3, 11-14, ..."; NULL:
                         none; owned */
    char *twice; /* points with rows in several shards, as text; NULL: none;
                    owned */
};

/*
 * Merges the rows of the files @shards (NULL-terminated), parts of one
 * campaign, and the rows already in @path, into @path, which is replaced as a
 * whole. May be repeated. Sets *@merged; free its texts.
 *
 * Fails, and leaves @path as it was, with ORR_ERROR_IO if a file cannot be read
 * or written, and with ORR_ERROR_VALUE if they are of several campaigns or have
 * different results for one run.
 */
bool orr_merge(const char *path, char *const *shards, struct orr_merged *merged,
               GError **error);

#endif
