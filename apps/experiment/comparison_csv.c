/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <inttypes.h>
#include <math.h>

#include "apps/experiment/comparison.h"
#include "apps/output/members.h"
#include "apps/output/output.h"
#include "models/base/csv_line.h"
#include "models/base/file.h"

/* ---- comparisons as CSV: a row for each policy and size ---- */

/* A member of an object, and the title of its column. */
struct column {
    const char *member, *title;
};

static const struct column summary_s[] = {
    {"mean", "makespan_mean_s"},
    {"median", "makespan_median_s"},
    {"p05", "makespan_p05_s"},
    {"p95", "makespan_p95_s"},
};

static const struct column summary_gflops[] = {
    {"mean", "gflops_mean"},
    {"median", "gflops_median"},
    {"p05", "gflops_p05"},
    {"p95", "gflops_p95"},
};

static const struct column bounds[] = {
    {"area_s", "bound_area_s"},
    {"critical_path_s", "bound_critical_path_s"},
    {"mixed_s", "bound_mixed_s"},
    {"transfer_s", "bound_transfer_s"},
};

static const struct column first_run[] = {
    {"tasks", "tasks"},
    {"bytes_host_to_device", "first_run_bytes_host_to_device"},
    {"bytes_device_to_host", "first_run_bytes_device_to_host"},
    {"bytes_device_to_device", "first_run_bytes_device_to_device"},
    {"evictions", "first_run_evictions"},
};

static void copy_as(JsonObject *to, const char *title, JsonObject *from,
                    const char *name)
{
    json_object_set_member(to, title, json_object_dup_member(from, name));
}

static void copy(JsonObject *to, JsonObject *from, const char *name)
{
    copy_as(to, name, from, name);
}

static void copy_all(JsonObject *to, JsonObject *from,
                     const struct column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        copy_as(to, columns[i].title, from, columns[i].member);
}

static JsonObject *object_of(JsonObject *object, const char *name)
{
    return json_object_get_object_member(object, name);
}

/* Copies the members that all policies share. */
static void copy_settings(JsonObject *row, JsonObject *facts)
{
    orr_facts_copy_common(row, facts);
    copy(row, facts, "replicas");
    copy(row, facts, "spread");
}

/* Sets one end of the interval ci95, or null if there is no interval. */
static void set_end(JsonObject *row, const char *title, JsonObject *versus,
                    guint end)
{
    if (json_object_get_null_member(versus, "ci95"))
        json_object_set_null_member(row, title);
    else
        json_object_set_double_member(
            row, title,
            json_array_get_double_element(orr_array_of(versus, "ci95"), end));
}

static void add_versus_best(JsonObject *row, JsonObject *versus)
{
    copy_as(row, "versus_best_percent", versus, "difference_percent");
    set_end(row, "versus_best_ci95_low_percent", versus, 0);
    set_end(row, "versus_best_ci95_high_percent", versus, 1);
    copy_as(row, "versus_best_verdict", versus, "verdict");
}

static JsonObject *new_row(JsonObject *facts, JsonObject *policy)
{
    JsonObject *row = json_object_new();
    JsonObject *hang = orr_policy_hang(policy);

    copy(row, policy, "sched");
    copy_settings(row, facts);
    copy(row, policy, "sched_file");
    copy_as(row, "n", object_of(policy, "makespan_s"), "n");
    copy_all(row, object_of(policy, "makespan_s"), summary_s,
             G_N_ELEMENTS(summary_s));
    copy_all(row, object_of(policy, "gflops"), summary_gflops,
             G_N_ELEMENTS(summary_gflops));
    copy(row, policy, "slowdown");
    add_versus_best(row, object_of(policy, "versus_best"));
    copy(row, facts, "noise_floor_percent");
    copy(row, policy, "above_bound_percent");
    copy_all(row, object_of(facts, "bounds"), bounds, G_N_ELEMENTS(bounds));
    copy_all(row, object_of(policy, "first_run"), first_run,
             G_N_ELEMENTS(first_run));
    copy(row, policy, "hanging_replicas");
    orr_output_set_text(row, "hang", hang ? orr_text_of(hang, "kind") : NULL);
    return row;
}

void orr_comparison_add_rows(JsonArray *rows, JsonArray *comparisons)
{
    for (guint c = 0; c < json_array_get_length(comparisons); c++) {
        JsonObject *facts = orr_object_at(comparisons, c);
        JsonArray *policies = orr_array_of(facts, "policies");

        for (guint i = 0; i < json_array_get_length(policies); i++)
            json_array_add_object_element(
                rows, new_row(facts, orr_object_at(policies, i)));
    }
}

/* ---- the replicas of comparisons as CSV ---- */

/* Exact to the nanosecond. */
#define SECONDS "%.9f"

/* NAN: puts nothing. */
static void put_number(FILE *file, const char *format, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    if (!isnan(value))
        fputs(g_ascii_formatd(text, sizeof(text), format, value), file);
}

/* Writes the fields that all replicas of a comparison share. @run: facts of one
 * replica. */
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
    if (comparison->settings.scenario.config.spread >= 0)
        put_number(file, "%.12g", comparison->settings.scenario.config.spread);
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
            comparison->settings.scenario.config.seed + replica);
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
        /* After a signal, a policy may lack its first replica: then leave it
         * out, as other reports do. */
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
        put_titles(draft.file, comparisons[0].settings.scenario.problem.app);
        for (unsigned i = 0; i < count; i++)
            put_all(&draft, &comparisons[i]);
        orr_draft_check(&draft);
        saved =
            orr_draft_finish(&draft, error) && orr_draft_move(&draft, error);
    }
    orr_draft_clear(&draft);
    return saved;
}
