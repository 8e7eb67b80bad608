/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/explain/what_if.h"

#include "apps/output/members.h"
#include "apps/output/output.h"
#include "apps/simulation/simulate.h"

/* Factor of speeds and sizes: 10 % more. */
#define MORE 1.1

/* Shortens the durations of all kernels on each GPU. */
static void speed_up_gpus(struct orr_scenario *settings, JsonObject *facts)
{
    JsonArray *workers = orr_array_of(facts, "workers");

    for (gint64 i = 0; i < orr_int_of(facts, "gpus"); i++)
        orr_texts_append(
            &settings->config.changes,
            g_strdup_printf(
                "kernel.*.%s.scale=%.17gx",
                orr_text_of(orr_object_at(workers, (guint)i), "name"),
                1 / MORE));
}

static void change_links(struct orr_scenario *settings, JsonObject *facts)
{
    (void)facts;
    orr_texts_append(&settings->config.changes,
                     g_strdup_printf("link.*.bandwidth=%gx", MORE));
}

static void change_memory(struct orr_scenario *settings, JsonObject *facts)
{
    settings->config.gpu_memory_bytes =
        (uint64_t)(MORE * (double)orr_int_of(facts, "gpu_memory_bytes"));
}

static void add_gpu(struct orr_scenario *settings, JsonObject *facts)
{
    settings->config.gpus = (int)orr_int_of(facts, "gpus") + 1;
}

/* Simulates the run with the settings changed. Returns false if the machine
 * cannot be changed so, or if the run hangs. */
static bool simulate(const struct orr_scenario *scenario, JsonObject *facts,
                     void (*change)(struct orr_scenario *scenario,
                                    JsonObject *facts),
                     int64_t *makespan_ns)
{
    struct orr_scenario changed = *scenario;
    g_autoptr(GError) error = NULL;
    struct orr_run *run = NULL;
    bool done = false;

    changed.config.changes = orr_texts_copy(scenario->config.changes);
    changed.run.machine = NULL;
    change(&changed, facts);
    if (orr_simulate_run(&changed, scenario->config.sched, NULL, &run,
                         &error) == ORR_EXIT_OK) {
        *makespan_ns = orr_run_report(run)->makespan_ns;
        done = true;
    }
    orr_run_free(run);
    orr_texts_free(changed.config.changes);
    return done;
}

static void add_row(const struct orr_scenario *scenario, JsonObject *facts,
                    JsonArray *rows, const char *text,
                    void (*change)(struct orr_scenario *scenario,
                                   JsonObject *facts))
{
    JsonObject *row = orr_output_add_object(rows);
    double before = orr_double_of(facts, "makespan_s");
    int64_t makespan_ns;

    orr_output_set_text(row, "change", text);
    if (simulate(scenario, facts, change, &makespan_ns)) {
        double after = (double)makespan_ns / 1e9;

        json_object_set_double_member(row, "makespan_s", after);
        json_object_set_double_member(
            row, "gain", before > 0 ? (before - after) / before : 0);
    } else {
        json_object_set_null_member(row, "makespan_s");
        json_object_set_null_member(row, "gain");
    }
}

void orr_what_if_add_facts(const struct orr_scenario *scenario,
                           JsonObject *facts)
{
    JsonArray *rows = orr_output_add_array(facts, "what_if");

    if (orr_int_of(facts, "gpus") > 0) {
        add_row(scenario, facts, rows, "links 10 % faster", change_links);
        add_row(scenario, facts, rows, "10 % more memory in each GPU",
                change_memory);
        add_row(scenario, facts, rows, "GPUs 10 % faster", speed_up_gpus);
    }
    add_row(scenario, facts, rows, "one GPU more", add_gpu);
}
