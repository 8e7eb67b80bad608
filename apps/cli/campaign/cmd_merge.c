/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "apps/campaign/shard.h"
#include "apps/cli/cmd.h"
#include "apps/options/option.h"
#include "apps/options/values.h"
#include "apps/sweep/merge.h"

/* Names of absent shards that a message has. */
#define MOST_NAMED 8

struct values {
    uint64_t shards; /* 0: their files are named */
};

static const struct orr_option options[] = {
    {"shards", "N", "all that 'orrery sweep --shard I/N --output OUT.db' wrote",
     .parse = orr_value_count, .member = offsetof(struct values, shards),
     .min = 1, .max = ORR_SHARDS_MAX,
     .manual = "The shards are all *N* that `sweep --shard` *I/N* `--output` "
               "*OUT.db* wrote."},
};

static const struct orr_option_group group =
    ORR_OPTION_GROUP("Shards", options);

static const struct orr_syntax syntax = {
    "merge",
    "OUT.db [SHARD.db...]",
    1,
    INT_MAX,
    "Puts the results of the shards of one campaign together, in OUT.db, which "
    "'orrery\nresults' prints. If OUT.db is there, its results stay. Says "
    "which "
    "runs are missing.",
    {&group, NULL},
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

/* Appends the existing files among the @count shards of @path to @files, and
 * prints which are missing. */
static void list_shards(const char *path, unsigned count, GPtrArray *files)
{
    g_autoptr(GString) absent = g_string_new(NULL);
    unsigned number = 0;

    for (unsigned i = 0; i < count; i++) {
        char *file = orr_shard_path(path, &(struct orr_shard){i, count});

        if (g_file_test(file, G_FILE_TEST_EXISTS)) {
            g_ptr_array_add(files, file);
            continue;
        }
        if (number++ < MOST_NAMED)
            g_string_append_printf(absent, "%s%s", number > 1 ? ", " : "",
                                   file);
        g_free(file);
    }
    if (number > 0)
        orr_message_print(syntax.command, "not there: %u of %u shards: %s%s",
                          number, count, absent->str,
                          number > MOST_NAMED ? ", ..." : "");
}

static enum orr_exit command(int argc, char **argv)
{
    g_autoptr(GPtrArray) shards = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    struct values values = {0};
    struct orr_merged merged;
    enum orr_exit status;
    int operands;

    if (!orr_syntax_read(&syntax, argc, argv, &values, &operands, &status))
        return status;
    if ((operands > 1) == (values.shards > 0)) {
        orr_message_print(syntax.command,
                          "expected either SHARD.db... or --shards N");
        return ORR_EXIT_USAGE;
    }
    for (int i = 1; i < operands; i++)
        g_ptr_array_add(shards, g_strdup(argv[i]));
    list_shards(argv[0], (unsigned)values.shards, shards);
    if (shards->len == 0)
        return ORR_EXIT_FAILURE;
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

const struct orr_cmd orr_cmd_merge = {
    .name = "merge",
    .summary = "put the shards of a campaign together",
    .syntax = &syntax,
    .main = command};
