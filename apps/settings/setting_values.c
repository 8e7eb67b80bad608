/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/settings/setting_values.h"

#include <string.h>

#include "apps/options/strategies.h"
#include "apps/settings/settings.h"
#include "models/base/names.h"
#include "models/base/units.h"

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
    orr_value_refuse(text, "is not above 0", error);
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
