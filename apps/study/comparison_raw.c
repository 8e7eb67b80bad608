/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The replicas of comparisons as CSV. */
#include <inttypes.h>
#include <math.h>

#include "apps/output/members.h"
#include "apps/study/comparison.h"
#include "models/base/csv_line.h"
#include "models/base/file.h"

/* Nanoseconds are exact. */
#define SECONDS "%.9f"

/* NAN: puts nothing. */
static void put_number(FILE *file, const char *format, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    if (!isnan(value))
        fputs(g_ascii_formatd(text, sizeof(text), format, value), file);
}

/* Puts what all replicas of a comparison have in common. @run: the facts of
 * one of them. */
static void put_settings(FILE *file, const struct orr_comparison *comparison,
                         JsonObject *run)
{
    JsonArray *options = orr_array_of(run, "options");

    orr_csv_put(file, orr_text_of(run, "app"));
    for (guint i = 0; i < json_array_get_length(options); i++) {
        const char *item = json_array_get_string_element(options, i);

        fputc(',', file);
        orr_csv_put(file, item + strcspn(item, "=") + 1);
    }
    fputc(',', file);
    orr_csv_put(file, orr_text_of(run, "platform"));
    fprintf(file, ",%" PRId64 ",%" PRId64 ",", orr_int_of(run, "cpus"),
            orr_int_of(run, "gpus"));
    if (comparison->settings.spread >= 0)
        put_number(file, "%.12g", comparison->settings.spread);
    fputc(',', file);
}

/* Puts a replica of @policy that has ended. */
static void put_replica(FILE *file, const struct orr_comparison *comparison,
                        unsigned replica, unsigned policy)
{
    size_t place = (size_t)replica * comparison->policy_count + policy;
    double makespan_s = comparison->makespans_s[place];
    JsonObject *hang = comparison->hangs[place];

    if (isnan(makespan_s) && !hang)
        return;
    put_settings(file, comparison, comparison->facts[policy]);
    orr_csv_put(file, comparison->labels[policy]);
    fprintf(file, ",%u,%" PRIu64 ",", replica,
            comparison->settings.seed + replica);
    if (!hang) {
        put_number(file, SECONDS, makespan_s);
        fputc(',', file);
        put_number(file, "%.6f", orr_comparison_gflops(comparison, makespan_s));
        fputs(",\n", file);
        return;
    }
    fputs(",,", file);
    orr_csv_put(file, orr_text_of(hang, "kind"));
    fputc('\n', file);
}

static void put_all(struct orr_draft *draft,
                    const struct orr_comparison *comparison)
{
    for (unsigned r = 0; r < comparison->replicas; r++) {
        /* After a signal a policy may lack its first replica, and then is in
           no report. */
        for (unsigned p = 0; p < comparison->policy_count; p++) {
            if (comparison->facts[p])
                put_replica(draft->file, comparison, r, p);
        }
        orr_draft_check(draft);
    }
}

static void put_titles(FILE *file, const struct orr_app *app)
{
    fputs("app,", file);
    for (size_t i = 0; app->options && app->options[i].name; i++)
        fprintf(file, "%s,", app->options[i].name);
    fputs("platform,cpus,gpus,spread,sched,replica,seed,makespan_s,gflops,"
          "hang\n",
          file);
}

bool orr_comparison_save_raw(const struct orr_comparison *comparisons,
                             unsigned count, const char *path, GError **error)
{
    struct orr_draft draft;
    bool saved = orr_draft_open(&draft, path, error);

    if (saved) {
        put_titles(draft.file, comparisons[0].settings.app);
        for (unsigned i = 0; i < count; i++)
            put_all(&draft, &comparisons[i]);
        orr_draft_check(&draft);
        saved =
            orr_draft_finish(&draft, error) && orr_draft_move(&draft, error);
    }
    orr_draft_clear(&draft);
    return saved;
}
