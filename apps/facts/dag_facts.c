/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/facts/dag_facts.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "apps/output/members.h"
#include "apps/output/output.h"
#include "apps/output/table.h"
#include "models/base/units.h"
#include "models/dag/dag_figures.h"

/* Sets @name to @value, or to null unless it is @known and a number. */
static void set_double(JsonObject *facts, const char *name, bool known,
                       double value)
{
    if (known && isfinite(value))
        json_object_set_double_member(facts, name, value);
    else
        json_object_set_null_member(facts, name);
}

static void add_kernels(JsonObject *facts, const struct orr_dag *dag,
                        const struct orr_dag_figures *figures)
{
    JsonArray *kernels = orr_output_add_array(facts, "kernels");

    for (uint32_t i = 0; i < figures->kernel_count; i++) {
        const struct orr_dag_kernel_figures *kernel = &figures->kernels[i];
        JsonObject *row = orr_output_add_object(kernels);

        orr_output_set_text(row, "kernel",
                            orr_dag_text(dag, dag->kernels[kernel->kernel]));
        json_object_set_int_member(row, "tasks", kernel->tasks);
        set_double(row, "work_s", figures->timed > 0,
                   orr_time_to_seconds(kernel->time));
        set_double(row, "work_gflop", figures->measured > 0,
                   kernel->flops / 1e9);
    }
}

static void add_counts(JsonObject *facts, const struct orr_dag *dag,
                       const struct orr_dag_figures *figures)
{
    json_object_set_int_member(facts, "tasks", figures->tasks);
    json_object_set_int_member(facts, "synchronisations", figures->others);
    json_object_set_int_member(facts, "tasks_with_time", figures->timed);
    json_object_set_int_member(facts, "tasks_with_gflop", figures->measured);
    json_object_set_int_member(facts, "unrecorded_parents", dag->lost_parents);
    json_object_set_int_member(facts, "data", dag->datum_count);
    set_double(facts, "data_bytes", true, figures->data_bytes);
    json_object_set_int_member(facts, "accesses", orr_dag_access_count(dag));
    json_object_set_int_member(facts, "edges", orr_dag_edge_count(dag));
    json_object_set_int_member(facts, "dependencies",
                               (gint64)figures->dependencies);
    json_object_set_int_member(facts, "depth", figures->depth);
    json_object_set_int_member(facts, "width", figures->width);
    set_double(facts, "density", true, figures->density);
}

JsonObject *orr_dag_facts_new(const struct orr_dag *dag)
{
    JsonObject *facts = json_object_new();
    struct orr_dag_figures figures;
    bool timed;
    bool measured;

    orr_dag_figures(dag, &figures);
    timed = figures.time > 0;
    measured = figures.flops > 0;
    orr_output_set_text(facts, "file", dag->path);
    orr_output_set_text(facts, "format", dag->format);
    add_counts(facts, dag, &figures);
    set_double(facts, "work_s", figures.timed > 0,
               orr_time_to_seconds(figures.time));
    set_double(facts, "critical_path_s", figures.timed > 0,
               orr_time_to_seconds(figures.path_time));
    json_object_set_int_member(facts, "critical_path_tasks",
                               figures.path_tasks);
    set_double(facts, "work_gflop", figures.measured > 0, figures.flops / 1e9);
    set_double(facts, "critical_path_gflop", figures.measured > 0,
               figures.path_flops / 1e9);
    set_double(facts, "read_bytes", true, figures.read_bytes);
    set_double(facts, "ccr_bytes_per_flop", measured,
               figures.read_bytes / figures.flops);
    set_double(facts, "ccr_bytes_per_s", timed,
               figures.read_bytes / orr_time_to_seconds(figures.time));
    add_kernels(facts, dag, &figures);
    orr_dag_figures_clear(&figures);
    return facts;
}

/* Adds a line to a table of two columns; takes @value. */
static void add_line(struct orr_table *table, const char *label, char *value)
{
    orr_table_add(table, label);
    orr_table_take(table, value);
}

static bool is_known(JsonObject *facts, const char *name)
{
    return !json_object_get_null_member(facts, name);
}

/* Returns the work of the graph: "12.3 s" if times are known, "1.23 GFlop" if
 * operations are. */
static char *work_of(JsonObject *facts, const char *seconds, const char *gflop)
{
    g_autofree char *time =
        is_known(facts, seconds)
            ? g_strdup_printf("%.6f s", orr_double_of(facts, seconds))
            : NULL;

    if (!is_known(facts, gflop))
        return time ? g_steal_pointer(&time) : g_strdup("not known");
    return g_strdup_printf("%s%s%.6g GFlop", time ? time : "", time ? ", " : "",
                           orr_double_of(facts, gflop));
}

static char *ccr_of(JsonObject *facts)
{
    g_autoptr(GString) text = g_string_new(NULL);

    if (is_known(facts, "ccr_bytes_per_flop"))
        g_string_append_printf(text, "%.4g B/Flop",
                               orr_double_of(facts, "ccr_bytes_per_flop"));
    if (is_known(facts, "ccr_bytes_per_s")) {
        g_autofree char *rate =
            orr_format_rate(orr_double_of(facts, "ccr_bytes_per_s"));

        g_string_append_printf(text, "%s%s of work", text->len > 0 ? ", " : "",
                               rate);
    }
    return g_strdup(text->len > 0 ? text->str : "not known");
}

static void add_lines(struct orr_table *table, JsonObject *facts)
{
    g_autofree char *bytes = orr_format_bytes(
        (uint64_t)MIN(orr_double_of(facts, "data_bytes"), 1e19));
    gint64 others = orr_int_of(facts, "synchronisations");

    add_line(table, "graph", g_strdup(orr_text_of(facts, "file")));
    add_line(table, "format", g_strdup(orr_text_of(facts, "format")));
    add_line(table, "tasks",
             g_strdup_printf("%" G_GINT64_FORMAT, orr_int_of(facts, "tasks")));
    if (others > 0)
        add_line(table, "synchronisations",
                 g_strdup_printf("%" G_GINT64_FORMAT, others));
    if (orr_int_of(facts, "unrecorded_parents") > 0)
        add_line(table, "not recorded",
                 g_strdup_printf("%" G_GINT64_FORMAT
                                 " tasks on which others depend",
                                 orr_int_of(facts, "unrecorded_parents")));
    add_line(table, "data",
             g_strdup_printf("%" G_GINT64_FORMAT ", %s in all",
                             orr_int_of(facts, "data"), bytes));
    add_line(table, "dependencies",
             g_strdup_printf("%" G_GINT64_FORMAT ", of which %" G_GINT64_FORMAT
                             " no datum implies",
                             orr_int_of(facts, "dependencies"),
                             orr_int_of(facts, "edges")));
    add_line(table, "depth",
             g_strdup_printf("%" G_GINT64_FORMAT " tasks",
                             orr_int_of(facts, "depth")));
    add_line(table, "width",
             g_strdup_printf("%" G_GINT64_FORMAT " tasks, density %.4g",
                             orr_int_of(facts, "width"),
                             orr_double_of(facts, "density")));
    add_line(table, "work", work_of(facts, "work_s", "work_gflop"));
    add_line(table, "critical path",
             work_of(facts, "critical_path_s", "critical_path_gflop"));
    add_line(table, "CCR", ccr_of(facts));
}

void orr_dag_facts_print(JsonObject *facts)
{
    struct orr_table *table = orr_table_new("ll");
    JsonArray *kernels = orr_array_of(facts, "kernels");

    add_lines(table, facts);
    orr_table_print(table);
    orr_table_free(table);
    if (json_array_get_length(kernels) > 0) {
        putchar('\n');
        orr_output_rows(kernels, ORR_FORMAT_TEXT);
    }
}
