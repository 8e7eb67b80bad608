/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"

#include "apps/starpu/base/policy.h"

#include <errno.h>
#include <starpu_util.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Functions that the program registered for its exit might call StarPU's
 * interface again, so they are not called. */
G_NORETURN static void end_program(void)
{
    fflush(NULL);
    _exit(EXIT_FAILURE);
}

void (*sp_fail_hook)(const char *message);

static void print_message(const char *message)
{
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, message);
}

/* An error in a function of a policy ends the run, which names the function and
 * its caller: this does not return. */
static void stop_policy(const char *message)
{
    if (!sp_policy_calls())
        return;
    g_autofree char *does = g_strdup_printf("calls %s", message);
    orr_sched_stop(sp_policy.sched, does);
}

void sp_fail(const char *call, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *message = g_strdup_printf("%s: %s", call, text);
    stop_policy(message);
    if (sp_fail_hook)
        sp_fail_hook(message);
    print_message(message);
    end_program();
}

void sp_fail_error(const char *call, GError *error)
{
    sp_fail(call, "%s", error->message);
}

void sp_refuse(const char *name, const char *section)
{
    g_autofree char *message = g_strdup_printf(
        "%s() is not simulated (docs/STARPU.md#%s)", name, section);
    stop_policy(message);
    if (sp_fail_hook)
        sp_fail_hook(message);
    print_message(message);
    end_program();
}

void sp_warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    print_message(text);
}

/* An assertion of a policy is a check of the run; other errors end it as well.
 */
static void stop_policy_at(const char *file, int line, char *text)
{
    static const char end[] = " does not hold";
    if (!sp_policy_calls())
        return;
    if (g_str_has_suffix(text, end)) {
        text[strlen(text) - strlen(end)] = '\0';
        orr_sched_check_failed(sp_policy.sched, text, file, line);
        return;
    }
    g_autofree char *name = g_path_get_basename(file);
    g_autofree char *does =
        g_strdup_printf("ends itself at %s:%d: %s", name, line, text);
    orr_sched_stop(sp_policy.sched, does);
}

void starpu_assertion_failed(const char *file, int line, const char *function,
                             const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    stop_policy_at(file, line, text);
    STARPU_DUMP_BACKTRACE();
    fprintf(stderr, "%s:%d: %s(): %s\n", file, line, function, text);
    abort();
}
