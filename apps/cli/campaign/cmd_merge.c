/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "apps/cli/cmd.h"
#include "apps/options/option.h"
#include "apps/sweep/merge.h"

static const struct orr_syntax syntax = {
    "merge",
    "OUT.db SHARD.db...",
    2,
    INT_MAX,
    "Puts the results of the shards of one campaign together, in OUT.db, which "
    "'orrery\nresults' prints. If OUT.db is there, its results stay. Says "
    "which "
    "runs are missing.",
    {NULL},
};

static enum orr_exit report(const char *path, const struct orr_merged *merged)
{
    printf("%s: %" PRIu64 " of %" PRIu64 " runs, %" PRIu64 " failed\n", path,
           merged->ended, merged->wanted, merged->failed);
    if (merged->twice)
        orr_message_print(syntax.command,
                          "%" PRIu64 " runs are in several shards, with equal "
                          "results: of points %s",
                          merged->doubled, merged->twice);
    if (!merged->missing)
        return ORR_EXIT_OK;
    orr_message_print(syntax.command,
                      "%" PRIu64 " runs are missing: of points %s",
                      merged->wanted - merged->ended, merged->missing);
    return ORR_EXIT_FAILURE;
}

enum orr_exit orr_cmd_merge(int argc, char **argv)
{
    g_autoptr(GPtrArray) shards = g_ptr_array_new();
    g_autoptr(GError) error = NULL;
    struct orr_merged merged;
    enum orr_exit status;
    int operands, none;

    if (!orr_syntax_read(&syntax, argc, argv, &none, &operands, &status))
        return status;
    for (int i = 1; i < operands; i++)
        g_ptr_array_add(shards, argv[i]);
    g_ptr_array_add(shards, NULL);
    if (!orr_merge(argv[0], (char *const *)shards->pdata, &merged, &error)) {
        orr_message_print(syntax.command, "%s", error->message);
        return ORR_EXIT_FAILURE;
    }
    status = report(argv[0], &merged);
    g_free(merged.missing);
    g_free(merged.twice);
    return status;
}
