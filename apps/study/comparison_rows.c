/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Comparisons as CSV: a row for each policy and size. */
#include "apps/output/members.h"
#include "apps/output/output.h"
#include "apps/study/comparison.h"

/* A quantity of an object, and its column. */
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

/* Copies what all policies have in common. */
static void copy_settings(JsonObject *row, JsonObject *facts)
{
    orr_facts_copy_common(row, facts);
    copy(row, facts, "replicas");
    copy(row, facts, "spread");
}

/* Sets an end of the interval @ci95, or null if there is none. */
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
