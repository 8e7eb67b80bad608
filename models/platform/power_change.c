/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/platform/power_change.h"

#include <string.h>

#include "models/base/names.h"

static const char cap_prefix[] = "power-cap.";
static const char state_prefix[] = "pstate.";

bool orr_power_change_is(const char *path)
{
    return g_str_has_prefix(path, cap_prefix) ||
           g_str_has_prefix(path, state_prefix);
}

/* Parses "60%" as 0.6. */
static bool parse_share(const char *text, double *share, GError **error)
{
    g_autofree char *number = g_strndup(text, strlen(text) - 1);

    if (!orr_parse_number(number, 100, share, error))
        return false;
    *share /= 100;
    return true;
}

bool orr_power_change_check(const char *path, const char *value, GError **error)
{
    double number;

    if (g_str_has_prefix(path, state_prefix)) {
        if (*value)
            return true;
        g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE,
                            "expected the number or the name of a state");
        return false;
    }
    return g_str_has_suffix(value, "%")
               ? parse_share(value, &number, error)
               : orr_parse_watts(value, &number, error);
}

static const char *name_of(const struct orr_platform *platform, unsigned device)
{
    return orr_platform_device_name(platform, device);
}

/* The number of the state of @table called @text; table->count: none. */
static unsigned find_state(const struct orr_power_table *table,
                           const char *text)
{
    uint64_t number;
    unsigned s = 0;

    if (orr_parse_count(text, 0, ORR_MAX_STATES, &number, NULL) &&
        number < table->count)
        return (unsigned)number;
    while (s < table->count && strcmp(table->states[s].name, text) != 0)
        s++;
    return s;
}

static bool choose_state(const struct orr_platform *platform, unsigned device,
                         const char *text, unsigned *state, GError **error)
{
    const struct orr_power_table *table = &platform->power[device];
    g_autoptr(GString) names = g_string_new(NULL);
    g_autofree char *quoted = orr_quote(text);

    *state = find_state(table, text);
    if (*state < table->count)
        return true;
    for (unsigned s = 0; s < table->count; s++)
        g_string_append_printf(names, "%s%u (%s)", s > 0 ? ", " : "", s,
                               table->states[s].name);
    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "%s has no state %s; it has: %s", name_of(platform, device),
                quoted, names->str);
    return false;
}

/* Whether @state is faster than @best. Compares the speeds for kernels without
 * their own, as a mean over kernels would depend on the application. */
static bool is_better(const struct orr_power_state *state,
                      const struct orr_power_state *best)
{
    return !best || state->speed > best->speed ||
           (!(state->speed < best->speed) &&
            orr_power_state_peak(state) < orr_power_state_peak(best));
}

static void fail_cap(const struct orr_platform *platform, unsigned device,
                     double watts, GError **error)
{
    const struct orr_power_table *table = &platform->power[device];
    double least = orr_power_state_peak(&table->states[0]);
    double most = least;
    char given[32], low[32], high[32];

    for (unsigned s = 1; s < table->count; s++) {
        least = MIN(least, orr_power_state_peak(&table->states[s]));
        most = MAX(most, orr_power_state_peak(&table->states[s]));
    }
    g_ascii_formatd(given, sizeof(given), "%.6g", watts);
    g_ascii_formatd(low, sizeof(low), "%.6g", least);
    g_ascii_formatd(high, sizeof(high), "%.6g", most);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "a cap of %s W is outside the table of %s, whose states draw "
                "%s to %s W",
                given, name_of(platform, device), low, high);
}

/* Chooses the fastest state that keeps the cap @text. */
static bool choose_cap(const struct orr_platform *platform, unsigned device,
                       const char *text, unsigned *state, GError **error)
{
    const struct orr_power_table *table = &platform->power[device];
    const struct orr_power_state *best = NULL;
    double watts, most = 0;

    if (g_str_has_suffix(text, "%")) {
        if (!parse_share(text, &watts, error))
            return false;
        watts *= orr_power_state_peak(&table->states[0]);
    } else if (!orr_parse_watts(text, &watts, error)) {
        return false;
    }
    for (unsigned s = 0; s < table->count; s++) {
        double peak = orr_power_state_peak(&table->states[s]);

        most = MAX(most, peak);
        /* A share of a figure is not exact. */
        if (peak <= watts * (1 + 1e-12) && is_better(&table->states[s], best))
            best = &table->states[s];
    }
    if (!best || watts > most * (1 + 1e-12)) {
        fail_cap(platform, device, watts, error);
        return false;
    }
    *state = (unsigned)(best - table->states);
    return true;
}

/* Makes the kernels of @device as fast as in @state. */
static bool scale_kernels(struct orr_platform *platform, unsigned device,
                          unsigned state, GArray *changed, GError **error)
{
    const struct orr_power_table *table = &platform->power[device];
    g_autoptr(GArray) all = orr_parameters_list(platform, ORR_PARAMETER_MEAN);

    for (unsigned i = 0; i < all->len; i++) {
        struct orr_parameter mean = g_array_index(all, struct orr_parameter, i);
        const char *name = platform->kernels[mean.index].name;
        struct orr_parameter_value factor = {.is_factor = true};
        struct orr_parameter deviation = mean;

        if (mean.device != device)
            continue;
        factor.number =
            orr_power_state_speed(&table->states[table->current], name,
                                  mean.tile) /
            orr_power_state_speed(&table->states[state], name, mean.tile);
        deviation.kind = ORR_PARAMETER_DEVIATION;
        if (!orr_parameter_set(platform, &mean, &factor, error) ||
            !orr_parameter_set(platform, &deviation, &factor, error))
            return false;
        if (mean.before < mean.after || mean.before > mean.after)
            g_array_append_val(changed, mean);
    }
    return true;
}

static bool scale_models(struct orr_platform *platform, unsigned device,
                         unsigned state, GArray *changed, GError **error)
{
    const struct orr_power_table *table = &platform->power[device];
    g_autoptr(GArray) all = orr_parameters_list(platform, ORR_PARAMETER_PEAK);

    for (unsigned i = 0; i < all->len; i++) {
        struct orr_parameter peak = g_array_index(all, struct orr_parameter, i);
        const char *name = platform->kernels[peak.index].name;
        struct orr_parameter_value factor = {.is_factor = true};

        if (peak.device != device)
            continue;
        factor.number =
            orr_power_state_speed(&table->states[state], name, 0) /
            orr_power_state_speed(&table->states[table->current], name, 0);
        if (!orr_parameter_set(platform, &peak, &factor, error))
            return false;
        if (peak.before < peak.after || peak.before > peak.after)
            g_array_append_val(changed, peak);
    }
    return true;
}

static bool switch_off(struct orr_platform *platform, unsigned device,
                       GError **error)
{
    if (device != ORR_RAM) {
        orr_platform_switch_off(platform, device);
        return true;
    }
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s cannot be off: the application and the drivers of GPUs run "
                "there; --cpus 0 gives it no tasks",
                name_of(platform, device));
    return false;
}

static bool change_device(struct orr_platform *platform, unsigned device,
                          bool is_cap, const char *value, GArray *changed,
                          GError **error)
{
    unsigned state;

    if (!is_cap && strcmp(value, ORR_STATE_OFF) == 0)
        return switch_off(platform, device, error);
    if (platform->power[device].off && is_cap)
        return true; /* it draws less than any cap */
    if (platform->power[device].off) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s is off",
                    name_of(platform, device));
        return false;
    }
    if (is_cap ? !choose_cap(platform, device, value, &state, error)
               : !choose_state(platform, device, value, &state, error))
        return false;
    if (!scale_kernels(platform, device, state, changed, error) ||
        !scale_models(platform, device, state, changed, error))
        return false;
    platform->power[device].current = state;
    return true;
}

/* Whether the DEVICE @name of a change includes @device. */
static bool names_device(const struct orr_platform *platform, const char *name,
                         unsigned device)
{
    return g_ascii_strcasecmp(name, "all") == 0 ||
           (device > 0 && g_ascii_strcasecmp(name, "gpus") == 0) ||
           g_ascii_strcasecmp(name, name_of(platform, device)) == 0;
}

/* Checks that @device has states to choose from; one is enough to be off. */
static bool check_table(const struct orr_platform *platform, unsigned device,
                        bool off, GError **error)
{
    if (platform->power && (off || platform->power[device].count > 1))
        return true;
    if (!platform->power) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "platform %s has no figures of power: choose another, "
                    "such as attila, mirage or sirocco, or write the section "
                    "<power> (docs/PLATFORMS.md, \"Power\")",
                    platform->name);
        return false;
    }
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "platform %s has no table of states of %s (docs/ENERGY.md, "
                "\"Caps and frequencies\")",
                platform->name, name_of(platform, device));
    return false;
}

bool orr_power_change(struct orr_platform *platform, const char *path,
                      const char *value, GArray *changed, bool *other,
                      GError **error)
{
    bool is_cap = g_str_has_prefix(path, cap_prefix);
    bool off = !is_cap && strcmp(value, ORR_STATE_OFF) == 0;
    const char *name = strchr(path, '.') + 1;
    g_autofree char *quoted = orr_quote(name);
    bool any = false;

    for (unsigned d = 0; d < platform->node_count; d++) {
        struct orr_power_table before;

        if (!names_device(platform, name, d))
            continue;
        any = true;
        if (!check_table(platform, d, off, error))
            return false;
        before = platform->power[d];
        if (!change_device(platform, d, is_cap, value, changed, error))
            return false;
        *other |= platform->power[d].current != before.current ||
                  platform->power[d].off != before.off;
    }
    if (!any)
        g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                    "no device is called %s: expected cpu, the name of a GPU, "
                    "gpus or all",
                    quoted);
    return any;
}
