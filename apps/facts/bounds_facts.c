/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/facts/bounds_facts.h"

#include <math.h>

#include "apps/output/members.h"

/* Digits after the decimal point: seconds are exact to the ns, joules are as
 * exact as linear programs are solved. */
enum { DIGITS_OF_SECONDS = 9, DIGITS_OF_JOULES = 6 };

static void set_number(JsonObject *object, const char *name, double value,
                       int digits)
{
    double scale = pow(10, digits);

    if (isfinite(value))
        json_object_set_double_member(object, name,
                                      round(value * scale) / scale);
    else
        json_object_set_null_member(object, name);
}

static void add_energy(JsonObject *object,
                       const struct orr_energy_bounds *bounds)
{
    JsonObject *energy;

    if (isnan(bounds->least_j))
        return;
    energy = json_object_new();
    set_number(energy, "least_j", bounds->least_j, DIGITS_OF_JOULES);
    set_number(energy, "area_j", bounds->area_j, DIGITS_OF_JOULES);
    set_number(energy, "idle_j", bounds->idle_j, DIGITS_OF_JOULES);
    json_object_set_object_member(object, "energy", energy);
}

void orr_bounds_facts_add(JsonObject *facts, const struct orr_bounds *bounds)
{
    JsonObject *object = json_object_new();

    set_number(object, "area_s", bounds->area_s, DIGITS_OF_SECONDS);
    set_number(object, "critical_path_s", bounds->critical_path_s,
               DIGITS_OF_SECONDS);
    set_number(object, "mixed_s", bounds->mixed_s, DIGITS_OF_SECONDS);
    set_number(object, "transfer_s", bounds->transfer_s, DIGITS_OF_SECONDS);
    add_energy(object, &bounds->energy);
    json_object_set_object_member(facts, "bounds", object);
}

char *orr_bounds_facts_describe_time(JsonObject *bounds)
{
    static const struct {
        const char *name, *shown;
    } parts[] = {
        {"area_s", ": area"},
        {"critical_path_s", ", critical path"},
        {"mixed_s", ", mixed"},
        {"transfer_s", ", transfer"},
    };
    GString *text = g_string_new(NULL);
    double most = 0;

    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        double seconds;

        if (json_object_get_null_member(bounds, parts[i].name))
            continue;
        seconds = orr_double_of(bounds, parts[i].name);
        most = fmax(most, seconds);
        g_string_append_printf(text, "%s %.6f s", parts[i].shown, seconds);
    }
    if (text->len > 0) {
        g_autofree char *largest = g_strdup_printf("%.6f s", most);

        g_string_prepend(text, largest);
    }
    return g_string_free(text, text->len == 0);
}

char *orr_bounds_facts_describe_energy(JsonObject *bounds)
{
    JsonObject *energy;

    if (!json_object_has_member(bounds, "energy"))
        return NULL;
    energy = json_object_get_object_member(bounds, "energy");
    if (json_object_get_null_member(energy, "least_j"))
        return NULL;
    return g_strdup_printf("%.6g J; %.6g J in the least time of area and "
                           "critical path; %.6g J idle on the critical path",
                           orr_double_of(energy, "least_j"),
                           orr_double_of(energy, "area_j"),
                           orr_double_of(energy, "idle_j"));
}
