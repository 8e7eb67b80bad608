/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/sweep/emit.h"

#include <string.h>

/* Appends a blank and @text, quoted for a shell if necessary. */
static void append(GString *line, const char *text)
{
    bool plain = *text;
    g_autofree char *quoted = NULL;

    for (const char *c = text; *c; c++)
        plain = plain && (g_ascii_isalnum(*c) || strchr("_./:,+=@%-", *c));
    quoted = plain ? g_strdup(text) : g_shell_quote(text);
    g_string_append_printf(line, " %s", quoted);
}

static void append_option(GString *line, const char *name, const char *value)
{
    g_autofree char *text = g_strconcat("--", name, "=", value, NULL);

    append(line, text);
}

/* Returns the command that runs a shard, without its options for the shard and
 * the number of threads. Free with g_free(). */
static char *sweep_line(const struct orr_campaign *campaign,
                        const struct orr_settings *settings)
{
    GString *line = g_string_new("orrery sweep");
    bool varies_app = false;

    for (guint i = 0; i < campaign->keys->len; i++)
        varies_app |=
            strcmp(((const struct orr_key *)campaign->keys->pdata[i])->name,
                   "app") == 0;
    if (!varies_app)
        append(line, campaign->app);
    for (guint i = 0; i < campaign->keys->len; i++) {
        const struct orr_key *key = campaign->keys->pdata[i];
        g_autofree char *list = orr_key_format(key);
        g_autofree char *value = g_strconcat(key->name, "=", list, NULL);

        append_option(line, "vary", value);
    }
    for (guint i = 0; i < campaign->fixed->len; i++) {
        g_autofree char *text =
            g_strconcat("--", campaign->fixed->pdata[i], NULL);

        append(line, text);
    }
    if (campaign->where)
        append_option(line, "where", campaign->where);
    if (campaign->replicas > 1)
        g_string_append_printf(line, " --replicas=%" G_GUINT64_FORMAT,
                               campaign->replicas);
    append_option(line, "output", settings->outputs.output);
    return g_string_free(line, FALSE);
}

/* Returns the command that merges the shards, however many there are. Free with
 * g_free(). */
static char *merge_line(const struct orr_settings *settings)
{
    GString *line = g_string_new("orrery merge");

    append(line, settings->outputs.output);
    g_string_append_printf(line, " --shards %" G_GUINT64_FORMAT,
                           settings->campaign.shards);
    return g_string_free(line, FALSE);
}

static char *slurm_script(const char *sweep, const char *merge,
                          const struct orr_settings *settings)
{
    g_autofree char *wrapped = g_shell_quote(merge);

    return g_strdup_printf(
        "#!/bin/sh\n"
        "# sh THIS_FILE submits an array of %" G_GUINT64_FORMAT
        " shards, and a job that merges them\n"
        "# when all have succeeded. Add --partition, --time and the like "
        "below.\n"
        "#SBATCH --job-name=orrery\n"
        "#SBATCH --array=0-%" G_GUINT64_FORMAT "\n"
        "#SBATCH --cpus-per-task=%" G_GUINT64_FORMAT "\n"
        "#SBATCH --requeue\n"
        "#SBATCH --open-mode=append\n"
        "if [ -z \"${SLURM_ARRAY_TASK_ID:-}\" ]; then\n"
        "    array=$(sbatch --parsable \"$0\") || exit\n"
        "    exec sbatch --dependency=afterok:\"${array%%%%;*}\" \\\n"
        "        --job-name=orrery-merge --wrap=%s\n"
        "fi\n"
        "exec %s \\\n"
        "    --shard auto --threads \"${SLURM_CPUS_PER_TASK:-1}\"\n",
        settings->campaign.shards, settings->campaign.shards - 1,
        MAX(settings->exploration.threads, 1), wrapped, sweep);
}

static char *parallel_line(const char *sweep, const char *merge,
                           const struct orr_settings *settings)
{
    g_autofree char *shard = g_strdup_printf(
        "%s --threads=%" G_GUINT64_FORMAT " --shard={}/%" G_GUINT64_FORMAT,
        sweep, MAX(settings->exploration.threads, 1),
        settings->campaign.shards);
    g_autofree char *log =
        g_strconcat(settings->outputs.output, ".joblog", NULL);
    g_autofree char *quoted = g_shell_quote(shard);
    GString *line = g_string_new("parallel --joblog");

    append(line, log);
    g_string_append_printf(line,
                           " --resume-failed %s ::: $(seq 0 %" G_GUINT64_FORMAT
                           ") &&\n    %s\n",
                           quoted, settings->campaign.shards - 1, merge);
    return g_string_free(line, FALSE);
}

char *orr_emit(const struct orr_campaign *campaign,
               const struct orr_settings *settings)
{
    g_autofree char *sweep = sweep_line(campaign, settings);
    g_autofree char *merge = merge_line(settings);

    return settings->campaign.emit == ORR_EMIT_SLURM
               ? slurm_script(sweep, merge, settings)
               : parallel_line(sweep, merge, settings);
}
