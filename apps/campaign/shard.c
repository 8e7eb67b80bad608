/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/campaign/shard.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/units.h"

#define SLURM "SLURM_ARRAY_TASK_"

/* Parses the environment variable @name into *@number, which is unchanged if
 * the variable is not set. Fails if it is @needed and not set. */
static bool read_variable(const char *name, bool needed, uint64_t *number,
                          GError **error)
{
    const char *text = g_getenv(name);

    if (!text && !needed)
        return true;
    if (!text) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "auto: %s is not set: this is no task of an array of Slurm",
                    name);
        return false;
    }
    if (orr_parse_count(text, 0, INT32_MAX, number, error))
        return true;
    g_prefix_error(error, "auto: %s: ", name);
    return false;
}

static bool check(uint64_t index, uint64_t count, struct orr_shard *shard,
                  GError **error)
{
    if (count == 0 || count > ORR_SHARDS_MAX || index >= count) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "there is no shard %" G_GUINT64_FORMAT
                    " of %" G_GUINT64_FORMAT "; they count from 0, up to %u",
                    index, count, ORR_SHARDS_MAX);
        return false;
    }
    *shard = (struct orr_shard){(unsigned)index, (unsigned)count};
    return true;
}

static bool parse_auto(struct orr_shard *shard, GError **error)
{
    uint64_t task, first, count, step = 1;

    if (!read_variable(SLURM "ID", true, &task, error) ||
        !read_variable(SLURM "MIN", true, &first, error) ||
        !read_variable(SLURM "COUNT", true, &count, error) ||
        !read_variable(SLURM "STEP", false, &step, error))
        return false;
    if (task >= first && step > 0 && (task - first) % step == 0)
        return check((task - first) / step, count, shard, error);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "auto: " SLURM "ID is %" G_GUINT64_FORMAT
                ", but tasks begin with %" G_GUINT64_FORMAT
                " and step %" G_GUINT64_FORMAT,
                task, first, step);
    return false;
}

bool orr_shard_parse(const char *text, struct orr_shard *shard, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, "/", -1);
    uint64_t index, count;

    if (strcmp(text, "auto") == 0)
        return parse_auto(shard, error);
    if (g_strv_length(parts) == 2)
        return orr_parse_count(parts[0], 0, INT32_MAX, &index, error) &&
               orr_parse_count(parts[1], 0, INT32_MAX, &count, error) &&
               check(index, count, shard, error);
    g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE,
                        "expected I/N, such as 0/8, or auto");
    return false;
}

char *orr_shard_path(const char *path, const struct orr_shard *shard)
{
    bool ends = g_str_has_suffix(path, ".db");
    size_t length = strlen(path) - (ends ? strlen(".db") : 0);

    if (shard->count <= 1)
        return g_strdup(path);
    return g_strdup_printf("%.*s.%u-of-%u.db", (int)length, path, shard->index,
                           shard->count);
}
