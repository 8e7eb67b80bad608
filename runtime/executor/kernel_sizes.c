/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels found by the sizes of their operands. */
#include "models/starpu/starpu_operands.h"
#include "runtime/run.h"

/* A search among the kernels that fit. */
struct search {
    struct orr_run *run;
    struct orr_kernel *kernel; /* found, or NULL */
    GString *others;           /* those that fit, and are not calibrated */
};

static bool take(void *data, const char *family, const char *name,
                 enum orr_precision precision, unsigned tile)
{
    struct search *search = data;

    search->kernel = orr_kernel_find(
        search->run, family, name,
        precision == ORR_DOUBLE ? ORR_DOUBLE_PRECISION : ORR_SINGLE_PRECISION,
        tile, NULL);
    g_string_append_printf(search->others, "%s%s of %s at tile %u (%s)",
                           search->others->len > 0 ? ", " : "", name, family,
                           tile, orr_precision_name(precision));
    return search->kernel;
}

static void describe(GString *text, const uint64_t *bytes, unsigned count)
{
    for (unsigned i = 0; i < count && i < 8; i++)
        g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, i > 0 ? ", " : "",
                               bytes[i]);
    if (count > 8)
        g_string_append(text, ", ...");
}

static void fail(const struct search *search,
                 const struct orr_starpu_task *task, GError **error)
{
    g_autofree char *symbol = orr_quote(task->symbol);
    g_autoptr(GString) bytes = g_string_new(NULL);

    if (search->others->len > 0) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                    "kernel %s has no duration on the workers of this run: its "
                    "operands are those of %s",
                    symbol, search->others->str);
        return;
    }
    describe(bytes, task->bytes, task->count);
    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "kernel %s: no known kernel of this name has %u operands of %s "
                "bytes",
                symbol, task->count, task->count > 0 ? bytes->str : "0");
}

static bool refuse(const char *what, GError **error)
{
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "the %s is NULL", what);
    return false;
}

struct orr_kernel *orr_kernel_find_sizes(struct orr_run *run,
                                         const char *symbol,
                                         const uint64_t *bytes, unsigned count,
                                         GError **error)
{
    const struct orr_starpu_task task = {symbol, bytes, count, 0};
    struct search search = {.run = run};
    const struct orr_starpu_visitor visitor = {take, &search};

    if ((!symbol && !refuse("symbol of the kernel", error)) ||
        (!bytes && count > 0 && !refuse("array of operands' sizes", error)))
        return NULL;
    search.others = g_string_new(NULL);
    if (!orr_starpu_visit_kernels(&task, &visitor))
        fail(&search, &task, error);
    g_string_free(search.others, TRUE);
    return search.kernel;
}
