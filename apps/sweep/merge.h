/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_MERGE_H
#define ORR_MERGE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* What a merged file has. */
struct orr_merged {
    uint64_t wanted;  /* runs of the campaign */
    uint64_t ended;   /* of these, in the file */
    uint64_t failed;  /* of these, failed */
    uint64_t doubled; /* rows that several shards have, all alike */
    char *missing;    /* points without all their runs: "3, 11-14, ..."; NULL:
                         none; owned */
    char *twice;      /* the same of the doubled; owned */
};

/*
 * Puts the rows of the files @shards (NULL-terminated), parts of one campaign,
 * and those that the file @path has already, into @path, which is replaced as a
 * whole. It may be repeated. Sets *@merged, whose texts are to be freed.
 *
 * Fails, and leaves @path as it was, with ORR_ERROR_IO if a file cannot be
 * read or written, and with ORR_ERROR_VALUE if they are of several campaigns or
 * have different results for one run.
 */
bool orr_merge(const char *path, char *const *shards, struct orr_merged *merged,
               GError **error);

#endif
