/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/format/platform_save_power.h"

/* Enough digits for any figure that somebody types, and for any double. */
enum { USUAL_DIGITS = 15, ALL_DIGITS = 17 };

static void append_escaped(GString *text, const char *name, const char *value)
{
    g_autofree char *escaped = g_markup_escape_text(value, -1);

    g_string_append_printf(text, " %s=\"%s\"", name, escaped);
}

/* Whether the text is read back as @value. */
static bool is_read_back(const char *number, const char *unit, double value)
{
    g_autofree char *text = g_strconcat(number, unit, NULL);
    double read;

    if (*unit == 'W')
        return orr_parse_watts(text, &read, NULL) && !(read < value) &&
               !(read > value);
    if (*unit == 'J')
        return orr_parse_joules(text, &read, NULL) && !(read < value) &&
               !(read > value);
    read = g_ascii_strtod(text, NULL);
    return !(read < value) && !(read > value);
}

/* Appends a quantity with the fewest digits that are read back exactly. */
static void append_quantity(GString *text, const char *name, double value,
                            const char *unit)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    char format[16];

    for (int i = USUAL_DIGITS; i <= ALL_DIGITS; i++) {
        g_snprintf(format, sizeof(format), "%%.%dg", i);
        g_ascii_formatd(number, sizeof(number), format, value);
        if (is_read_back(number, unit, value))
            break;
    }
    g_string_append_printf(text, " %s=\"%s%s\"", name, number, unit);
}

static void append_levels(GString *text, const struct orr_power_state *state)
{
    append_quantity(text, "idle", state->idle_w, "W");
    append_quantity(text, "static", state->static_w, "W");
    append_quantity(text, "busy", state->busy_w, "W");
    append_quantity(text, "poll", state->poll_w, "W");
    append_quantity(text, "off", state->off_w, "W");
}

static void append_kernels(GString *text, const struct orr_power_state *state,
                           const char *indent)
{
    for (unsigned k = 0; k < state->kernel_count; k++) {
        const struct orr_state_kernel *kernel = &state->kernels[k];

        g_string_append_printf(text, "%s<kernel name=\"%s\"", indent,
                               kernel->name);
        if (kernel->tile > 0)
            g_string_append_printf(text, " tile=\"%u\"", kernel->tile);
        if (kernel->speed > 0)
            append_quantity(text, "speed", kernel->speed, "");
        if (kernel->watts > 0)
            append_quantity(text, "watts", kernel->watts, "W");
        if (kernel->kind != ORR_JOULES_NONE) {
            append_quantity(text, "joules", kernel->joules, "J");
            g_string_append_printf(
                text, " of=\"%s\"",
                kernel->kind == ORR_JOULES_TOTAL ? "total" : "above-idle");
        }
        g_string_append(text, "/>\n");
    }
}

static void append_state(GString *text, const struct orr_power_state *state)
{
    g_string_append(text, "      <state");
    append_escaped(text, "name", state->name);
    append_quantity(text, "speed", state->speed, "");
    append_levels(text, state);
    if (state->kernel_count == 0) {
        g_string_append(text, "/>\n");
        return;
    }
    g_string_append(text, ">\n");
    append_kernels(text, state, "        ");
    g_string_append(text, "      </state>\n");
}

static void append_device(GString *text, const char *name,
                          const struct orr_power_table *table)
{
    const struct orr_power_state *first = &table->states[0];

    g_string_append_printf(text, "    <device name=\"%s\"", name);
    if (table->nominal)
        g_string_append(text, " nominal=\"yes\"");
    if (table->off || table->current > 0)
        append_escaped(text, "state",
                       table->off ? ORR_STATE_OFF
                                  : table->states[table->current].name);
    append_escaped(text, "first", first->name);
    append_levels(text, first);
    if (first->kernel_count == 0 && table->count == 1) {
        g_string_append(text, "/>\n");
        return;
    }
    g_string_append(text, ">\n");
    append_kernels(text, first, "      ");
    for (unsigned s = 1; s < table->count; s++)
        append_state(text, &table->states[s]);
    g_string_append(text, "    </device>\n");
}

static bool has_power(const struct orr_link_power *power)
{
    return power->idle > 0 || power->busy > 0 ||
           power->joules_per_message > 0 || power->joules_per_byte > 0;
}

static void append_link(GString *text, const struct orr_platform_link *link)
{
    const struct orr_link_power *power = &link->power;

    g_string_append(text, "    <link");
    append_escaped(text, "name", link->name);
    append_quantity(text, "idle", orr_power_to_watts(power->idle), "W");
    append_quantity(text, "busy", orr_power_to_watts(power->busy), "W");
    append_quantity(text, "message", power->joules_per_message, "J");
    append_quantity(text, "byte", power->joules_per_byte, "J");
    g_string_append(text, "/>\n");
}

void orr_platform_save_power(GString *text, const struct orr_platform *platform,
                             const char *source)
{
    if (!platform->power)
        return;
    g_string_append(text, "  <power");
    if (source)
        append_escaped(text, "source", source);
    g_string_append(text, ">\n");
    for (unsigned d = 0; d < platform->node_count; d++)
        append_device(text, orr_platform_device_name(platform, d),
                      &platform->power[d]);
    for (unsigned l = 0; l < platform->link_count; l++) {
        if (has_power(&platform->links[l].power))
            append_link(text, &platform->links[l]);
    }
    g_string_append(text, "  </power>\n");
}
