/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/base/error.h"

void orr_error_set_at(GError **error, enum orr_error code, const char *path,
                      unsigned line, const char *format, va_list arguments)
{
    g_autofree char *message = g_strdup_vprintf(format, arguments);

    if (line > 0)
        g_set_error(error, ORR_ERROR, (int)code, "%s:%u: %s", path, line,
                    message);
    else
        g_set_error(error, ORR_ERROR, (int)code, "%s: %s", path, message);
}

void orr_error_append(GError **error, const char *format, ...)
{
    g_autofree char *more = NULL;
    char *message;
    va_list arguments;

    if (!error || !*error)
        return;
    va_start(arguments, format);
    more = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    message = g_strconcat((*error)->message, more, NULL);
    g_free((*error)->message);
    (*error)->message = message;
}

const char *orr_error_policy_kind(const GError *error)
{
    static const char *const kinds[] = {
        [ORR_ERROR_POLICY] = "policy",
        [ORR_ERROR_POLICY_CRASH] = "crash",
        [ORR_ERROR_POLICY_OVERDUE] = "no-return",
        [ORR_ERROR_POLICY_TWICE] = "given-twice",
        [ORR_ERROR_POLICY_WORKER] = "wrong-worker",
        [ORR_ERROR_POLICY_RACE] = "data-race",
        [ORR_ERROR_POLICY_CHECK] = "check",
        [ORR_ERROR_POLICY_STARVED] = "starvation",
        [ORR_ERROR_POLICY_PRIORITY] = "priority",
    };

    if (error->domain != ORR_ERROR || error->code >= (int)G_N_ELEMENTS(kinds))
        return NULL;
    return kinds[error->code];
}
