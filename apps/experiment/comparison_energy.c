/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/experiment/comparison_energy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/output/members.h"
#include "apps/output/output.h"
#include "apps/output/table.h"
#include "models/platform/power_change.h"

/* The means of the complete replicas of a policy; NAN: not known. */
struct means {
    double energy_j, edp_js;
};

static struct means means_of(const struct orr_comparison *comparison,
                             unsigned policy)
{
    unsigned count = orr_comparison_complete(comparison, policy, NULL);
    g_autofree double *makespans_s = g_new(double, comparison->replicas);
    g_autofree double *energies_j = g_new(double, comparison->replicas);
    struct means means = {0, 0};

    orr_comparison_complete(comparison, policy, makespans_s);
    orr_comparison_energies(comparison, policy, energies_j);
    for (unsigned r = 0; r < count; r++) {
        means.energy_j += energies_j[r] / count;
        means.edp_js += energies_j[r] * makespans_s[r] / count;
    }
    return count > 0 ? means : (struct means){NAN, NAN};
}

static double makespan_of(JsonObject *policy)
{
    return orr_policy_result(policy, "makespan_s", "mean");
}

static double energy_of(JsonObject *policy)
{
    return json_object_has_member(policy, "energy_j")
               ? orr_double_of(policy, "energy_j")
               : NAN;
}

static bool is_beaten(JsonArray *policies, JsonObject *policy)
{
    double time = makespan_of(policy), energy = energy_of(policy);

    for (guint i = 0; i < json_array_get_length(policies); i++) {
        JsonObject *other = orr_object_at(policies, i);
        double its_time = makespan_of(other), its_energy = energy_of(other);

        if (its_time <= time && its_energy <= energy &&
            (its_time < time || its_energy < energy))
            return true;
    }
    return false;
}

static void mark_front(JsonArray *policies)
{
    for (guint i = 0; i < json_array_get_length(policies); i++) {
        JsonObject *policy = orr_object_at(policies, i);

        if (!isnan(energy_of(policy)))
            json_object_set_boolean_member(policy, "pareto",
                                           !is_beaten(policies, policy));
    }
}

void orr_comparison_energy_add(JsonObject *facts,
                               const struct orr_comparison *comparison)
{
    JsonArray *policies = orr_array_of(facts, "policies");
    guint place = 0;

    for (unsigned p = 0; p < comparison->policy_count; p++) {
        struct means means;
        JsonObject *policy;

        if (!comparison->facts[p])
            continue;
        policy = orr_object_at(policies, place++);
        if (orr_policy_hang(policy))
            continue;
        means = means_of(comparison, p);
        if (isnan(means.energy_j))
            continue;
        json_object_set_double_member(policy, "energy_j", means.energy_j);
        json_object_set_double_member(policy, "edp_js", means.edp_js);
    }
    mark_front(policies);
}

static double quantity_of(JsonObject *policy, const char *by)
{
    if (strcmp(by, "makespan") == 0)
        return makespan_of(policy);
    if (!json_object_has_member(policy, "energy_j"))
        return NAN;
    return orr_double_of(policy,
                         strcmp(by, "energy") == 0 ? "energy_j" : "edp_js");
}

static gint compare(gconstpointer a, gconstpointer b, gpointer by)
{
    double one = quantity_of(*(JsonObject *const *)a, by);
    double other = quantity_of(*(JsonObject *const *)b, by);

    if (isnan(one) || isnan(other))
        return isnan(one) - isnan(other);
    return (one > other) - (one < other);
}

void orr_comparison_energy_order(JsonObject *facts, const char *by)
{
    JsonArray *policies = orr_array_of(facts, "policies");
    g_autoptr(GPtrArray) order =
        g_ptr_array_new_with_free_func((GDestroyNotify)json_object_unref);
    JsonArray *ordered;

    if (!by)
        return;
    orr_output_set_text(facts, "by", by);
    for (guint i = 0; i < json_array_get_length(policies); i++)
        g_ptr_array_add(order, json_object_ref(orr_object_at(policies, i)));
    g_ptr_array_sort_with_data(order, compare, (gpointer)by);
    ordered = json_array_new();
    for (guint i = 0; i < order->len; i++)
        json_array_add_object_element(ordered,
                                      json_object_ref(order->pdata[i]));
    json_object_set_array_member(facts, "policies", ordered);
}

static void print_policy(struct orr_table *table, JsonObject *policy,
                         double least)
{
    double energy = energy_of(policy);
    double time = makespan_of(policy);

    orr_table_add(table, orr_text_of(policy, "sched"));
    orr_table_take(table, g_strdup_printf("%.6f s", time));
    orr_table_take(table, g_strdup_printf("%.6g J", energy));
    orr_table_take(table,
                   energy > least
                       ? g_strdup_printf("+%.2f %%", 100 * (energy / least - 1))
                       : g_strdup("least"));
    orr_table_take(table, g_strdup_printf("%.4g W", energy / time));
    orr_table_take(table,
                   g_strdup_printf("%.5g Js", orr_double_of(policy, "edp_js")));
    orr_table_add(
        table, json_object_get_boolean_member(policy, "pareto") ? "on it" : "");
}

static void print_front(JsonArray *policies)
{
    const char *separator = "\nOn the Pareto front of time and energy: ";

    for (guint i = 0; i < json_array_get_length(policies); i++) {
        JsonObject *policy = orr_object_at(policies, i);

        if (!json_object_get_boolean_member_with_default(policy, "pareto",
                                                         FALSE))
            continue;
        printf("%s%s", separator, orr_text_of(policy, "sched"));
        separator = ", ";
    }
    puts(".");
}

static void print_bounds(JsonObject *bounds)
{
    JsonObject *energy;

    if (!json_object_has_member(bounds, "energy"))
        return;
    energy = json_object_get_object_member(bounds, "energy");
    if (json_object_get_null_member(energy, "least_j"))
        return;
    printf("No schedule takes less than %.6g J, and none as short as the area "
           "and the critical\npath allow less than %.6g J. Idle, the machine "
           "draws %.6g J along the critical path.\n",
           orr_double_of(energy, "least_j"), orr_double_of(energy, "area_j"),
           orr_double_of(energy, "idle_j"));
}

/* Whether the energy of some policy comes from measurements, not only from
 * nominal power. */
static bool is_measured(JsonArray *policies)
{
    for (guint i = 0; i < json_array_get_length(policies); i++) {
        JsonObject *run = json_object_get_object_member(
            orr_object_at(policies, i), "first_run");

        if (json_object_has_member(run, "energy") &&
            !json_object_get_boolean_member(
                json_object_get_object_member(run, "energy"), "nominal"))
            return true;
    }
    return false;
}

/* Whether options ask for energy: --by, a state of a device, or a weight. */
static bool is_asked_for(JsonObject *facts, JsonArray *policies)
{
    JsonArray *changes = orr_array_of(facts, "changes");

    for (guint i = 0; i < json_array_get_length(changes); i++) {
        if (orr_power_change_is(json_array_get_string_element(changes, i)))
            return true;
    }
    for (guint i = 0; i < json_array_get_length(policies); i++) {
        JsonObject *run = json_object_get_object_member(
            orr_object_at(policies, i), "first_run");

        if (json_object_has_member(run, "gamma") ||
            json_object_has_member(run, "polling"))
            return true;
    }
    return json_object_has_member(facts, "by");
}

void orr_comparison_energy_print(JsonObject *facts)
{
    JsonArray *policies = orr_array_of(facts, "policies");
    static const char *const titles[] = {"policy",      "makespan", "energy",
                                         "vs least",    "power",    "EDP",
                                         "Pareto front"};
    struct orr_table *table = orr_table_new("lrrrrrl");
    double least = INFINITY;

    if (!is_asked_for(facts, policies) && !is_measured(policies)) {
        orr_table_free(table);
        return;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(titles); i++)
        orr_table_add(table, titles[i]);
    for (guint i = 0; i < json_array_get_length(policies); i++)
        least = fmin(least, energy_of(orr_object_at(policies, i)));
    for (guint i = 0; i < json_array_get_length(policies); i++) {
        JsonObject *policy = orr_object_at(policies, i);

        if (!isnan(energy_of(policy)))
            print_policy(table, policy, least);
    }
    if (isfinite(least)) {
        puts("\nTime and energy:\n");
        orr_table_print(table);
        print_front(policies);
        print_bounds(json_object_get_object_member(facts, "bounds"));
    }
    orr_table_free(table);
}
