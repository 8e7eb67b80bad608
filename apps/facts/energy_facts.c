/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/facts/energy_facts.h"

#include "apps/output/members.h"
#include "apps/output/output.h"
#include "runtime/run.h"

static bool differs(double value, double usual)
{
    return value < usual || value > usual;
}

void orr_energy_facts_add_weights(JsonObject *facts,
                                  const struct orr_scenario *scenario)
{
    if (scenario->config.polling)
        json_object_set_boolean_member(facts, "polling", TRUE);
    if (!differs(scenario->config.alpha, 1) &&
        !differs(scenario->config.beta, 1) &&
        !differs(scenario->config.gamma, -1) &&
        !differs(scenario->config.idle_power_w, 0))
        return;
    json_object_set_double_member(facts, "alpha", scenario->config.alpha);
    json_object_set_double_member(facts, "beta", scenario->config.beta);
    json_object_set_double_member(facts, "gamma",
                                  scenario->config.gamma < 0
                                      ? ORR_DEFAULT_GAMMA
                                      : scenario->config.gamma);
    json_object_set_double_member(facts, "idle_power_w",
                                  scenario->config.idle_power_w);
}

static void set_joules(JsonObject *object, const char *name, int64_t nj)
{
    json_object_set_double_member(object, name, (double)nj / 1e9);
}

static void add_items(JsonObject *energy, const char *name,
                      const struct orr_energy_item *items, unsigned count)
{
    JsonArray *array = orr_output_add_array(energy, name);

    for (unsigned i = 0; i < count; i++) {
        JsonObject *object = orr_output_add_object(array);

        orr_output_set_text(object, "name", items[i].name);
        set_joules(object, "energy_j", items[i].nj);
    }
}

static void add_parts(JsonObject *facts, const struct orr_energy_report *report)
{
    JsonObject *energy = json_object_new();

    set_joules(energy, "static", report->static_nj);
    set_joules(energy, "dynamic", report->dynamic_nj);
    set_joules(energy, "idle", report->idle_nj);
    set_joules(energy, "polling", report->polling_nj);
    set_joules(energy, "copies", report->copies_nj);
    json_object_set_boolean_member(energy, "nominal", report->nominal);
    add_items(energy, "by_device", report->devices, report->device_count);
    add_items(energy, "by_kernel", report->kernels, report->kernel_count);
    json_object_set_object_member(facts, "energy", energy);
}

/* Adds @value, or null if it is not finite: a divisor was 0 or not known. */
static void set_ratio(JsonObject *facts, const char *name, double value,
                      double divisor)
{
    if (divisor > 0)
        json_object_set_double_member(facts, name, value / divisor);
    else
        json_object_set_null_member(facts, name);
}

void orr_energy_facts_add(JsonObject *facts, const struct orr_report *report)
{
    const struct orr_energy_report *energy = report->energy;
    bool ended = !json_object_get_null_member(facts, "makespan_s");
    double makespan = ended ? orr_double_of(facts, "makespan_s") : 0;
    double joules;

    if (!energy) {
        json_object_set_null_member(facts, "energy_j");
        return;
    }
    joules = (double)energy->total_nj / 1e9;
    json_object_set_double_member(facts, "energy_j", joules);
    add_parts(facts, energy);
    set_ratio(facts, "average_power_w", joules, makespan);
    json_object_set_double_member(facts, "peak_power_w", energy->peak_power_w);
    if (ended)
        json_object_set_double_member(facts, "edp_js", joules * makespan);
    else
        json_object_set_null_member(facts, "edp_js");
    if (ended && !json_object_get_null_member(facts, "gflops"))
        set_ratio(facts, "gflops_per_w",
                  orr_double_of(facts, "gflops") * makespan, joules);
    else
        json_object_set_null_member(facts, "gflops_per_w");
}

/* "11.8 J: 7.77 J of kernels, 4.06 J idle": the parts that are not 0. */
static void describe_parts(GString *text, JsonObject *energy)
{
    static const struct {
        const char *name, *shown;
    } parts[] = {
        {"dynamic", "of kernels"}, {"static", "static"},    {"idle", "idle"},
        {"polling", "polling"},    {"copies", "of copies"},
    };
    const char *separator = ": ";

    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        double joules = orr_double_of(energy, parts[i].name);

        if (!(joules > 0) && i > 0)
            continue;
        g_string_append_printf(text, "%s%.6g J %s", separator, joules,
                               parts[i].shown);
        separator = ", ";
    }
}

char *orr_energy_facts_describe(JsonObject *facts)
{
    GString *text;
    JsonObject *energy;

    if (json_object_get_null_member(facts, "energy_j"))
        return g_strdup("not modelled");
    energy = json_object_get_object_member(facts, "energy");
    text = g_string_new(NULL);
    g_string_append_printf(text, "%.6g J", orr_double_of(facts, "energy_j"));
    describe_parts(text, energy);
    if (!json_object_get_null_member(facts, "average_power_w"))
        g_string_append_printf(text, "; %.3g W on average, at most %.3g W",
                               orr_double_of(facts, "average_power_w"),
                               orr_double_of(facts, "peak_power_w"));
    if (json_object_get_boolean_member(energy, "nominal"))
        g_string_append(text, " (nominal figures)");
    return g_string_free(text, FALSE);
}
