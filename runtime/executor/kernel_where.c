/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The class of workers that may run a kernel, and restrictions to it. */
#include "runtime/executor/kernel.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/names.h"
#include "models/base/units.h"
#include "runtime/run.h"

static const char *const where_names[] = {
    [ORR_WHERE_ANY] = "any",
    [ORR_WHERE_CPU] = "cpu",
    [ORR_WHERE_GPU] = "gpu",
    NULL,
};

const char *orr_where_name(enum orr_where where)
{
    return where_names[where];
}

bool orr_where_parse(const char *text, enum orr_where *where, GError **error)
{
    size_t index;

    if (!orr_names_find("class of workers", where_names, text, &index, error))
        return false;
    *where = (enum orr_where)index;
    return true;
}

bool orr_restriction_parse(const char *text, size_t *length,
                           enum orr_where *where, GError **error)
{
    g_autofree char *quoted = orr_quote(text);
    const char *sign = strrchr(text, '=');

    if (sign) {
        *length = (size_t)(sign - text);
        return orr_where_parse(sign + 1, where, error);
    }
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s is not KERNEL=cpu, KERNEL=gpu or KERNEL=any", quoted);
    return false;
}

enum orr_where orr_kernel_restriction(const struct orr_run *run,
                                      const char *name)
{
    enum orr_where where = ORR_WHERE_ANY;

    for (unsigned i = 0; run->where && run->where[i]; i++) {
        enum orr_where other;
        size_t length;

        if (orr_restriction_parse(run->where[i], &length, &other, NULL)) {
            g_autofree char *typed = g_strndup(run->where[i], length);

            if (orr_name_matches(name, typed))
                where = other;
        }
    }
    return where;
}
