/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/config/values.h"

#include <math.h>
#include <string.h>

#include "models/base/error.h"
#include "models/base/units.h"
#include "models/platform/platform_change.h"
#include "models/platform/switches.h"
#include "runtime/executor/kernel.h"
#include "sched/policy/bucket_plan.h"

void orr_value_refuse(const char *text, const char *what, GError **error)
{
    g_autofree char *quoted = orr_quote(text);

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s %s", quoted, what);
}

bool orr_value_count(const struct orr_option *option, const char *text,
                     void *member, GError **error)
{
    return orr_parse_count(text, option->min, option->max, member, error);
}

bool orr_value_int(const struct orr_option *option, const char *text,
                   void *member, GError **error)
{
    uint64_t count;

    if (!orr_parse_count(text, option->min, option->max, &count, error))
        return false;
    *(int *)member = (int)count;
    return true;
}

bool orr_value_window(const struct orr_option *option, const char *text,
                      void *member, GError **error)
{
    struct orr_window *window = member;
    const char *colon = strchr(text, ':');
    g_autofree char *first = colon ? g_strndup(text, colon - text) : NULL;
    uint64_t most, least = 0;

    if ((first &&
         !orr_parse_count(first, option->min, option->max, &least, error)) ||
        !orr_parse_count(colon ? colon + 1 : text, option->min, option->max,
                         &most, error))
        return false;
    if (least > most) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%" G_GUINT64_FORMAT " is above %" G_GUINT64_FORMAT
                    ": expected MIN:MAX",
                    least, most);
        return false;
    }
    *window = (struct orr_window){most, colon ? (int64_t)least : -1};
    return true;
}

bool orr_value_text(const struct orr_option *option, const char *text,
                    void *member, GError **error)
{
    (void)option;
    if (!*text) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "the value is empty");
        return false;
    }
    *(const char **)member = text;
    return true;
}

bool orr_value_buckets(const struct orr_option *option, const char *text,
                       void *member, GError **error)
{
    struct orr_bucket_plan *plan = orr_bucket_plan_parse(text, error);

    (void)option;
    if (plan)
        *(const char **)member = text;
    orr_bucket_plan_free(plan);
    return plan;
}

bool orr_value_true(const struct orr_option *option, const char *text,
                    void *member, GError **error)
{
    (void)option;
    (void)text;
    (void)error;
    *(bool *)member = true;
    return true;
}

bool orr_value_perturbation(const struct orr_option *option, const char *text,
                            void *member, GError **error)
{
    struct orr_perturbation *perturbation = member;
    const char *colon = strchr(text, ':');
    const char *by = colon ? colon + 1 : "worker";
    g_autofree char *number =
        colon ? g_strndup(text, (gsize)(colon - text)) : g_strdup(text);
    double value;

    (void)option;
    if (!orr_parse_decimal(number, "0123456789.eE-", &value) ||
        !(value >= 0 && value < 1)) {
        orr_value_refuse(number, "is not a number from 0 to below 1", error);
        return false;
    }
    if (strcmp(by, "worker") != 0 && strcmp(by, "device") != 0) {
        orr_value_refuse(by, "is neither worker nor device", error);
        return false;
    }
    perturbation->share = fabs(value); /* "-0" is 0 */
    perturbation->by_device = strcmp(by, "device") == 0;
    return true;
}

bool orr_value_time(const struct orr_option *option, const char *text,
                    void *member, GError **error)
{
    orr_time *time = member;

    (void)option;
    if (!orr_parse_time(text, time, error))
        return false;
    if (*time <= 0)
        orr_value_refuse(text, "is not above 0", error);
    return *time > 0;
}

bool orr_value_weight(const struct orr_option *option, const char *text,
                      void *member, GError **error)
{
    double value;
    g_autofree char *what = NULL;

    if (!orr_parse_decimal(text, "0123456789.eE-+", &value) ||
        !(value >= 0 && value <= (double)option->max)) {
        what = g_strdup_printf("is not a number from 0 to %.0e",
                               (double)option->max);
        orr_value_refuse(text, what, error);
        return false;
    }
    *(double *)member = fabs(value); /* "-0" is 0 */
    return true;
}

bool orr_value_seconds(const struct orr_option *option, const char *text,
                       void *member, GError **error)
{
    double value;

    if (!orr_parse_decimal(text, "0123456789.", &value) ||
        (value > 0 && value < 0.1) || value > (double)option->max) {
        orr_value_refuse(
            text, "is not a number of seconds: 0, or 0.1 to 1000000", error);
        return false;
    }
    *(double *)member = value;
    return true;
}

bool orr_value_bytes(const struct orr_option *option, const char *text,
                     void *member, GError **error)
{
    uint64_t bytes;

    if (!orr_parse_bytes(text, &bytes, error))
        return false;
    if (bytes < option->min) {
        orr_value_refuse(text, "is below 1MiB, the least that a run can use",
                         error);
        return false;
    }
    *(uint64_t *)member = bytes;
    return true;
}

bool orr_value_models(const struct orr_option *option, const char *text,
                      void *member, GError **error)
{
    const char **models = member;
    struct orr_switches switches;
    char *all;

    (void)option;
    orr_switches_init(&switches);
    if (!orr_switches_parse(&switches, text, error))
        return false;
    all = *models ? g_strconcat(*models, ",", text, NULL) : g_strdup(text);
    g_free((char *)(uintptr_t)*models);
    *models = all;
    return true;
}

/* Parses --durations X, which is short for --model durations=X. */
bool orr_value_durations(const struct orr_option *option, const char *text,
                         void *member, GError **error)
{
    g_autofree char *item = g_strconcat("durations=", text, NULL);

    if (strchr(text, ',')) {
        orr_value_refuse(text, "is none of mean, sampled, replayed", error);
        return false;
    }
    return orr_value_models(option, item, member, error);
}

void orr_texts_append(const char *const **list, char *text)
{
    size_t count = 0;
    const char **longer;

    while (*list && (*list)[count])
        count++;
    longer = g_renew(const char *, (void *)(uintptr_t)*list, count + 2);
    longer[count] = text;
    longer[count + 1] = NULL;
    *list = longer;
}

const char *const *orr_texts_copy(const char *const *list)
{
    return (const char *const *)g_strdupv((char **)(uintptr_t)list);
}

void orr_texts_free(const char *const *list)
{
    g_strfreev((char **)(uintptr_t)list);
}

/* Adds "KERNEL=CLASS"; the application, not known yet, checks the kernel. */
bool orr_value_where(const struct orr_option *option, const char *text,
                     void *member, GError **error)
{
    enum orr_where where;
    size_t length;

    (void)option;
    if (!orr_restriction_parse(text, &length, &where, error))
        return false;
    orr_texts_append(member, g_strdup(text));
    return true;
}

/* Adds "name=text"; for --set only "text", which has a name. */
bool orr_value_change(const struct orr_option *option, const char *text,
                      void *member, GError **error)
{
    bool is_set = strcmp(option->name, "set") == 0;
    g_autofree char *change =
        is_set ? g_strdup(text) : g_strconcat(option->name, "=", text, NULL);

    if (!orr_change_check(change, error))
        return false;
    orr_texts_append(member, g_steal_pointer(&change));
    return true;
}

/* Adds "option.DEVICE=VALUE" for each of "DEVICE=VALUE,..."; a value alone is
 * for all devices. */
bool orr_value_states(const struct orr_option *option, const char *text,
                      void *member, GError **error)
{
    g_auto(GStrv) items = g_strsplit(text, ",", -1);

    if (!items[0]) {
        g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE,
                            "expected DEVICE=VALUE");
        return false;
    }
    for (char **item = items; *item; item++) {
        char *change = g_strdup_printf("%s.%s%s", option->name,
                                       strchr(*item, '=') ? "" : "all=", *item);

        g_free(*item);
        *item = change;
        if (!orr_change_check(change, error))
            return false;
    }
    for (char **item = items; *item; item++)
        orr_texts_append(member, g_strdup(*item));
    return true;
}
