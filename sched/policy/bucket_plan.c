/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/policy/bucket_plan.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/names.h"
#include "models/base/units.h"

#define MAX_SLOWDOWN 1e9

static const char *const classes[] = {
    [ORR_HETEROPRIO_CPU] = "cpu", [ORR_HETEROPRIO_GPU] = "gpu", NULL};

/* Fails with "CLASS: 'ITEM' WHAT". */
static bool refuse(enum orr_heteroprio_arch arch, const char *item,
                   const char *what, GError **error)
{
    g_autofree char *quoted = orr_quote(item);

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s: %s %s", classes[arch],
                quoted, what);
    return false;
}

bool orr_bucket_plan_visits(const struct orr_bucket_plan *plan,
                            enum orr_heteroprio_arch arch, unsigned bucket)
{
    const struct orr_bucket_visits *visits = &plan->visits[arch];

    for (unsigned i = 0; i < visits->count; i++) {
        if (visits->buckets[i] == bucket)
            return true;
    }
    return false;
}

static bool add_visit(struct orr_bucket_plan *plan,
                      enum orr_heteroprio_arch arch, unsigned bucket,
                      const char *item, GError **error)
{
    struct orr_bucket_visits *visits = &plan->visits[arch];

    if (orr_bucket_plan_visits(plan, arch, bucket))
        return refuse(arch, item, "is visited twice", error);
    visits->buckets[visits->count++] = bucket;
    return true;
}

static bool parse_number(enum orr_heteroprio_arch arch, const char *text,
                         unsigned *number, GError **error)
{
    uint64_t count;

    if (!orr_parse_count(text, 0, ORR_MAX_BUCKETS - 1, &count, NULL))
        return refuse(arch, text, "is no bucket: their numbers are 0 to 99",
                      error);
    *number = (unsigned)count;
    return true;
}

/* "3" or "0-9", with the slowdown of CPUs. */
static bool add_numbers(struct orr_bucket_plan *plan,
                        enum orr_heteroprio_arch arch, const char *item,
                        float slowdown, GError **error)
{
    const char *dash = strchr(item, '-');
    g_autofree char *from =
        dash ? g_strndup(item, (gsize)(dash - item)) : g_strdup(item);
    unsigned bucket, last;

    if (!parse_number(arch, from, &bucket, error) ||
        !parse_number(arch, dash ? dash + 1 : item, &last, error))
        return false;
    for (;; bucket = bucket < last ? bucket + 1 : bucket - 1) {
        if (!add_visit(plan, arch, bucket, item, error))
            return false;
        if (slowdown > 0)
            plan->slowdowns[bucket] = slowdown;
        if (bucket == last)
            return true;
    }
}

/* The name of a kernel. */
static bool add_kernel(struct orr_bucket_plan *plan,
                       enum orr_heteroprio_arch arch, const char *item,
                       float slowdown, GError **error)
{
    unsigned bucket = orr_bucket_plan_find(plan, item, 0);

    if (bucket == ORR_MAX_BUCKETS)
        return refuse(arch, item, "is one kernel too many: at most 100", error);
    if (bucket == plan->count)
        plan->kernels[plan->count++] = g_strdup(item);
    if (slowdown > 0)
        plan->slowdowns[bucket] = slowdown;
    return add_visit(plan, arch, bucket, item, error);
}

/* Cuts "*4" off @item, and sets *@slowdown. */
static bool cut_slowdown(enum orr_heteroprio_arch arch, char *item,
                         float *slowdown, GError **error)
{
    char *star = strchr(item, '*');
    double factor = 0;

    *slowdown = 0;
    if (!star)
        return true;
    if (arch != ORR_HETEROPRIO_CPU)
        return refuse(arch, item, "has a slowdown: CPUs alone are slower",
                      error);
    if (!orr_parse_decimal(star + 1, "0123456789.eE+-", &factor) ||
        !(factor > 0 && factor <= MAX_SLOWDOWN))
        return refuse(arch, item, "has no slowdown above 0 behind '*'", error);
    *slowdown = (float)factor;
    *star = '\0';
    g_strchomp(item);
    return true;
}

/* @item is changed. */
static bool add_item(struct orr_bucket_plan *plan,
                     enum orr_heteroprio_arch arch, char *item, GError **error)
{
    bool is_number = g_ascii_isdigit(*item);
    bool is_first = plan->count == 0;
    float slowdown;

    if (!cut_slowdown(arch, item, &slowdown, error))
        return false;
    if (!*item)
        return refuse(arch, item, "is no bucket", error);
    if (!is_first && is_number == (plan->kernels != NULL))
        return refuse(arch, item,
                      is_number ? "is a number, but other buckets are kernels"
                                : "is a kernel, but other buckets are numbers",
                      error);
    if (is_first && is_number)
        plan->count = ORR_MAX_BUCKETS;
    else if (is_first)
        plan->kernels = g_new0(char *, ORR_MAX_BUCKETS + 1);
    return is_number ? add_numbers(plan, arch, item, slowdown, error)
                     : add_kernel(plan, arch, item, slowdown, error);
}

/* "BUCKET,...". */
static bool add_items(struct orr_bucket_plan *plan,
                      enum orr_heteroprio_arch arch, const char *text,
                      GError **error)
{
    g_auto(GStrv) items = g_strsplit(text, ",", -1);

    if (plan->visits[arch].count > 0) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s is there twice",
                    classes[arch]);
        return false;
    }
    for (char **item = items; *item; item++) {
        if (!add_item(plan, arch, g_strstrip(*item), error))
            return false;
    }
    return items[0] || refuse(arch, "", "is no bucket", error);
}

/* "CLASS:BUCKET,...". */
static bool add_class(struct orr_bucket_plan *plan, const char *text,
                      GError **error)
{
    const char *colon = strchr(text, ':');
    g_autofree char *class =
        colon ? g_strndup(text, (gsize)(colon - text)) : NULL;
    size_t arch;

    if (!colon) {
        g_autofree char *quoted = orr_quote(text);

        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s is not CLASS:BUCKET,...", quoted);
        return false;
    }
    return orr_names_find("class of workers", classes, class, &arch, error) &&
           add_items(plan, (enum orr_heteroprio_arch)arch, colon + 1, error);
}

struct orr_bucket_plan *orr_bucket_plan_parse(const char *text, GError **error)
{
    struct orr_bucket_plan *plan = g_new0(struct orr_bucket_plan, 1);
    g_auto(GStrv) parts = g_strsplit(text, ";", -1);

    for (char **part = parts; *part; part++) {
        if (add_class(plan, *part, error))
            continue;
        orr_bucket_plan_free(plan);
        return NULL;
    }
    if (plan->count > 0)
        return plan;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "there is no bucket");
    orr_bucket_plan_free(plan);
    return NULL;
}

void orr_bucket_plan_free(struct orr_bucket_plan *plan)
{
    if (!plan)
        return;
    g_strfreev(plan->kernels);
    g_free(plan);
}

unsigned orr_bucket_plan_find(const struct orr_bucket_plan *plan,
                              const char *kernel, int priority)
{
    if (!plan->kernels)
        return priority >= 0 && priority < ORR_MAX_BUCKETS ? (unsigned)priority
                                                           : plan->count;
    for (unsigned b = 0; b < plan->count; b++) {
        if (strcmp(plan->kernels[b], kernel) == 0)
            return b;
    }
    return plan->count;
}
