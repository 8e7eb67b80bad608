/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/settings/setting_values.h"

#include <string.h>

#include "apps/options/strategies.h"
#include "apps/settings/settings.h"
#include "models/base/names.h"
#include "models/base/units.h"
#include "models/platform/platform_change.h"
#include "models/platform/switches.h"
#include "runtime/executor/kernel.h"

static void set_wrong(const char *text, const char *what, GError **error)
{
    g_autofree char *quoted = orr_quote(text);

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s %s", quoted, what);
}

bool orr_setting_bytes(const struct orr_option *option, const char *text,
                       void *member, GError **error)
{
    uint64_t bytes;

    if (!orr_parse_bytes(text, &bytes, error))
        return false;
    if (bytes < option->min) {
        set_wrong(text, "is below 1MiB, the least that a run can use", error);
        return false;
    }
    *(uint64_t *)member = bytes;
    return true;
}

bool orr_setting_models(const struct orr_option *option, const char *text,
                        void *member, GError **error)
{
    char **models = member;
    struct orr_switches switches;
    char *all;

    (void)option;
    orr_switches_init(&switches);
    if (!orr_switches_parse(&switches, text, error))
        return false;
    all = *models ? g_strconcat(*models, ",", text, NULL) : g_strdup(text);
    g_free(*models);
    *models = all;
    return true;
}

/* Parses --durations X, which is short for --model durations=X. */
bool orr_setting_durations(const struct orr_option *option, const char *text,
                           void *member, GError **error)
{
    g_autofree char *item = g_strconcat("durations=", text, NULL);

    if (strchr(text, ',')) {
        set_wrong(text, "is none of mean, sampled, replayed", error);
        return false;
    }
    return orr_setting_models(option, item, member, error);
}

/* Appends @text, which is taken, to *@list, which ends with NULL. */
static void append(GPtrArray **list, char *text)
{
    if (!*list)
        *list = g_ptr_array_new_with_free_func(g_free);
    else
        g_ptr_array_set_size(*list, (gint)(*list)->len - 1);
    g_ptr_array_add(*list, text);
    g_ptr_array_add(*list, NULL);
}

/* Adds "KERNEL=CLASS"; the application, not known yet, checks the kernel. */
bool orr_setting_where(const struct orr_option *option, const char *text,
                       void *member, GError **error)
{
    enum orr_where where;
    size_t length;

    (void)option;
    if (!orr_restriction_parse(text, &length, &where, error))
        return false;
    append(member, g_strdup(text));
    return true;
}

/* Adds "name=text"; only "text" for --set, whose text has a name. */
bool orr_setting_change(const struct orr_option *option, const char *text,
                        void *member, GError **error)
{
    bool is_set = strcmp(option->name, "set") == 0;
    g_autofree char *change =
        is_set ? g_strdup(text) : g_strconcat(option->name, "=", text, NULL);

    if (!orr_change_check(change, error))
        return false;
    append(member, g_steal_pointer(&change));
    return true;
}

/* Adds "option.DEVICE=VALUE" for each of "DEVICE=VALUE,..."; a value alone is
 * for all devices. */
bool orr_setting_states(const struct orr_option *option, const char *text,
                        void *member, GError **error)
{
    g_auto(GStrv) items = g_strsplit(text, ",", -1);

    if (!items[0]) {
        g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE,
                            "expected DEVICE=VALUE");
        return false;
    }
    for (char **item = items; *item; item++) {
        g_autofree char *change = g_strdup_printf(
            "%s.%s%s", option->name, strchr(*item, '=') ? "" : "all=", *item);

        if (!orr_change_check(change, error))
            return false;
        append(member, g_steal_pointer(&change));
    }
    return true;
}

bool orr_setting_by(const struct orr_option *option, const char *text,
                    void *member, GError **error)
{
    size_t index;

    if (!orr_names_find("quantity", option->choices, text, &index, error))
        return false;
    *(const char **)member = option->choices[index];
    return true;
}

/* Adds @text to a list. */
bool orr_setting_text(const struct orr_option *option, const char *text,
                      void *member, GError **error)
{
    (void)option;
    (void)error;
    append(member, g_strdup(text));
    return true;
}

bool orr_setting_strategy(const struct orr_option *option, const char *text,
                          void *member, GError **error)
{
    const char *strategy = orr_strategies_find(text, error);

    (void)option;
    if (strategy)
        *(const char **)member = strategy;
    return strategy;
}

/* Parses a number of schedules or a time; the other one becomes 0. */
bool orr_setting_budget(const struct orr_option *option, const char *text,
                        void *member, GError **error)
{
    struct orr_settings *settings = member;
    bool is_count = *text && text[strspn(text, "0123456789")] == '\0';

    (void)option;
    settings->exploration.budget = 0;
    settings->exploration.budget_time = 0;
    if (is_count)
        return orr_parse_count(text, 1, ORR_MAX_SCHEDULES,
                               &settings->exploration.budget, error);
    if (!orr_parse_time(text, &settings->exploration.budget_time, error)) {
        g_prefix_error(error, "neither a number of schedules nor a time: ");
        return false;
    }
    if (settings->exploration.budget_time > 0)
        return true;
    set_wrong(text, "is not above 0", error);
    return false;
}

bool orr_setting_emission(const struct orr_option *option, const char *text,
                          void *member, GError **error)
{
    size_t index;

    if (!orr_names_find("batch system", option->choices, text, &index, error))
        return false;
    *(enum orr_emission *)member =
        index == 0 ? ORR_EMIT_SLURM : ORR_EMIT_PARALLEL;
    return true;
}
