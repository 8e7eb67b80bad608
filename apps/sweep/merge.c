/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/sweep/merge.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "apps/campaign/run_set.h"
#include "apps/sweep/reader.h"
#include "apps/sweep/store.h"
#include "models/base/error.h"
#include "models/base/file.h"
#include "models/base/input.h"

struct merge {
    const char *path;
    char *beside; /* the new file, beside @path until it is complete; owned */
    char *first;  /* path of the first file that was read; owned */
    struct orr_identity identity; /* identity of the merged campaign; owned */
    struct orr_campaign campaign;
    GArray *columns;
    char *schema;
    struct orr_store *store;
    struct orr_run_set *present; /* runs that the store has */
    struct orr_run_set *shared;  /* runs found in at least one shard */
    struct orr_run_set *doubled; /* runs found in several shards */
    uint64_t failed;
};

static bool refuse(const char *path, const char *why, GError **error)
{
    g_autofree char *shown = orr_input_show_path(path);

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s: %s", shown, why);
    return false;
}

/* Takes the definition of the campaign from the first file. */
static bool begin(struct merge *merge, const struct orr_reader *reader,
                  const char *path, GError **error)
{
    const struct orr_identity *identity = orr_reader_identity(reader);

    merge->first = g_strdup(path);
    merge->identity = (struct orr_identity){
        .settings = g_strdup(identity->settings),
        .version = g_strdup(identity->version),
        .platforms = g_strdup(identity->platforms),
        .files = g_strdup(identity->files),
        .shard = {0, 1},
    };
    orr_identity_finish(&merge->identity);
    if (!orr_campaign_parse(&merge->campaign, identity->settings, error)) {
        g_prefix_error(error, "%s: ", path);
        return false;
    }
    merge->columns = g_array_ref(orr_reader_columns(reader));
    merge->schema = orr_store_schema(merge->columns);
    merge->present = orr_run_set_new(&merge->campaign);
    merge->shared = orr_run_set_new(&merge->campaign);
    merge->doubled = orr_run_set_new(&merge->campaign);
    merge->store = orr_store_open(merge->beside, &merge->identity,
                                  merge->columns, true, error);
    return merge->store;
}

/* Whether the file @path belongs to the campaign of the first file. */
static bool check(struct merge *merge, const struct orr_reader *reader,
                  const char *path, GError **error)
{
    g_autofree char *schema = orr_store_schema(orr_reader_columns(reader));

    if (!merge->store)
        return begin(merge, reader, path, error);
    if (!orr_identity_check(&merge->identity, orr_reader_identity(reader), path,
                            error)) {
        g_prefix_error(error, "%s and ", merge->first);
        return false;
    }
    return strcmp(schema, merge->schema) == 0 ||
           refuse(path, "has another table of runs", error);
}

/* Adds the row of @reader. */
static bool add_row(struct merge *merge, const struct orr_reader *reader,
                    const char *path, bool is_shard, GError **error)
{
    const struct orr_identity *identity = orr_reader_identity(reader);
    uint64_t point = (uint64_t)orr_reader_integer(reader, 0);
    uint64_t replica = (uint64_t)orr_reader_integer(reader, 1);
    bool is_there;

    if (!orr_run_set_wants(merge->present, point, replica) ||
        point % identity->shard.count != identity->shard.index)
        return refuse(path, "has a row that is none of the campaign", error);
    is_there = orr_run_set_has(merge->present, point, replica);
    if (!orr_store_copy(merge->store, orr_reader_row(reader), is_there,
                        error)) {
        g_prefix_error(error, "%s: ", path);
        return false;
    }
    orr_run_set_add(merge->present, point, replica);
    merge->failed +=
        !is_there && strcmp(orr_reader_text(reader, 2), "failed") == 0;
    if (is_shard && orr_run_set_has(merge->shared, point, replica))
        orr_run_set_add(merge->doubled, point, replica);
    if (is_shard)
        orr_run_set_add(merge->shared, point, replica);
    return true;
}

static bool add_file(struct merge *merge, const char *path, bool is_shard,
                     GError **error)
{
    struct orr_reader *reader = orr_reader_open(path, error);
    GError *reason = NULL;
    bool good = reader && check(merge, reader, path, error);

    if (good && !is_shard && orr_reader_identity(reader)->shard.count > 1)
        good = refuse(path, "is a shard; name the file for the result first",
                      error);
    while (good && orr_reader_next(reader, &reason))
        good = add_row(merge, reader, path, is_shard, error);
    if (reason)
        g_propagate_error(error, reason);
    orr_reader_close(reader);
    return good && !reason;
}

/* Whether the file of the result exists and is not empty. */
static bool has_result(const struct merge *merge)
{
    GStatBuf status;

    return g_stat(merge->path, &status) == 0 && status.st_size > 0;
}

/* Renames the new file to @path while it holds the lock on it, so that no other
 * process has begun to write it. */
static bool move(struct merge *merge, GError **error)
{
    g_autofree char *place = orr_file_place(merge->path);
    g_autofree char *journal = g_strconcat(place, "-journal", NULL);
    g_autofree char *shown = orr_input_show_path(merge->path);

    if (!orr_store_commit(merge->store, 0, error))
        return false;
    g_unlink(journal); /* a journal left by a file that was removed does not
                          belong to this one */
    if (g_rename(merge->beside, place) == 0)
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", shown,
                g_strerror(errno));
    return false;
}

static bool merge_all(struct merge *merge, char *const *shards, GError **error)
{
    if (!orr_file_check(merge->path, error))
        return false;
    if (has_result(merge) && !add_file(merge, merge->path, false, error))
        return false;
    for (; *shards; shards++) {
        if (!add_file(merge, *shards, true, error))
            return false;
    }
    return move(merge, error);
}

static void report(const struct merge *merge, struct orr_merged *merged)
{
    merged->wanted = orr_run_set_wanted(merge->present);
    merged->ended = orr_run_set_count(merge->present);
    merged->doubled = orr_run_set_count(merge->doubled);
    merged->failed = merge->failed;
    merged->missing = orr_run_set_list(merge->present, false);
    merged->twice = orr_run_set_list(merge->doubled, true);
}

bool orr_merge(const char *path, char *const *shards, struct orr_merged *merged,
               GError **error)
{
    g_autofree char *place = orr_file_place(path);
    struct merge merge = {
        .path = path,
        .beside = g_strconcat(place, ".merging", NULL),
    };
    bool done = merge_all(&merge, shards, error);

    *merged = (struct orr_merged){0};
    if (done)
        report(&merge, merged);
    else if (merge.store)
        g_unlink(merge.beside);
    orr_store_close(merge.store, NULL);
    orr_run_set_free(merge.present);
    orr_run_set_free(merge.shared);
    orr_run_set_free(merge.doubled);
    orr_campaign_clear(&merge.campaign);
    orr_identity_clear(&merge.identity);
    g_clear_pointer(&merge.columns, g_array_unref);
    g_free(merge.schema);
    g_free(merge.beside);
    g_free(merge.first);
    return done;
}
