/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Kernels of which a formula of StarPU gives the durations. Each becomes a
 * kernel with one duration on each device, as if these had been measured; it
 * is made once for the same durations.
 */
#include <math.h>
#include <string.h>

#include "models/base/error.h"
#include "models/platform/regression.h"
#include "models/starpu/starpu_operands.h"
#include "models/starpu/starpu_symbols.h"
#include "runtime/executor/kernel.h"
#include "runtime/run.h"

/* A task, and the formula for its duration. */
struct question {
    const char *symbol;
    uint32_t footprint;
    const double *terms; /* NULL: the formula needs the size */
    unsigned count;      /* number of terms */
    enum orr_formula formula;
    uint64_t size; /* bytes */
};

/* Durations by device, ns; 0: unknown. */
struct answer {
    const struct orr_platform *platform;
    orr_time times[ORR_MAX_NODES];
};

static double duration_us(const struct question *question,
                          const struct orr_regression *regression)
{
    if (question->terms)
        return orr_regression_sum_us(regression, question->terms,
                                     question->count);
    if (question->formula == ORR_FORMULA_POWER)
        return orr_regression_power_us(regression, question->size);
    return orr_regression_offset_us(regression, question->size);
}

static orr_time to_ns(double us)
{
    if (!(us >= 0 && us * 1e3 <= (double)ORR_MAX_COST_NS))
        return 0;
    return MAX(llround(us * 1e3), 1);
}

static void compute(const struct question *question, struct answer *answer)
{
    const struct orr_platform *platform = answer->platform;

    for (unsigned device = 0; device < platform->node_count; device++) {
        const struct orr_regression *regression = orr_regression_find(
            platform->regressions, question->symbol, device);

        if (regression)
            answer->times[device] = to_ns(duration_us(question, regression));
    }
}

/* Takes the means of a kernel for devices on which its formula does not hold,
 * if they are of enough measurements. */
static bool take_means(void *data, const char *family, const char *name,
                       enum orr_precision precision, unsigned tile)
{
    struct answer *answer = data;
    const struct orr_platform_kernel *kernel =
        orr_platform_kernel(answer->platform, family, name, precision, NULL);

    for (unsigned device = 0; device < answer->platform->node_count; device++) {
        const struct orr_platform_duration *known =
            orr_platform_find_duration(kernel, tile, device);

        if (known && known->samples >= ORR_REGRESSION_SAMPLES &&
            answer->times[device] == 0)
            answer->times[device] = known->mean;
    }
    return false;
}

static void answer_question(const struct question *question,
                            struct answer *answer)
{
    const struct orr_starpu_visitor visitor = {take_means, answer};

    compute(question, answer);
    if (!question->terms && question->formula == ORR_FORMULA_OFFSET)
        orr_starpu_visit_footprint(answer->platform, question->symbol,
                                   question->footprint, &visitor);
}

/* The kernel of the run with these durations, made if there is none; NULL: no
 * worker of the run can run it. */
static struct orr_kernel *kernel_of(struct orr_run *run, const char *symbol,
                                    const struct answer *answer)
{
    g_autoptr(GString) key = g_string_new(symbol);
    struct orr_platform_kernel model = {.family = (char *)ORR_STARPU_FAMILY,
                                        .name = (char *)symbol};
    struct orr_platform_duration durations[ORR_MAX_NODES];
    struct orr_kernel *kernel;

    for (unsigned device = 0; device < answer->platform->node_count; device++) {
        orr_time time = answer->times[device];

        g_string_append_printf(key, "\n%" G_GINT64_FORMAT, time);
        if (time > 0)
            durations[model.count++] = (struct orr_platform_duration){
                .tile = ORR_STARPU_FOOTPRINT_TILE,
                .device = device,
                .mean = time};
    }
    if (!run->kernels.by_durations)
        run->kernels.by_durations =
            g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    kernel = g_hash_table_lookup(run->kernels.by_durations, key->str);
    if (kernel)
        return kernel;
    model.durations = durations;
    kernel = orr_kernel_add(run, &model, ORR_STARPU_FOOTPRINT_TILE);
    if (kernel)
        g_hash_table_insert(run->kernels.by_durations, g_strdup(key->str),
                            kernel);
    return kernel;
}

/* ---- errors ---- */

/* What the platform knows of the symbol: for each device, the number of
 * coefficients, or the sizes. */
static char *list_known(const struct question *question,
                        const struct orr_platform *platform)
{
    g_autoptr(GString) list = g_string_new(NULL);

    for (guint i = 0; i < platform->regressions->len; i++) {
        const struct orr_regression *known = platform->regressions->pdata[i];
        g_autofree char *device = g_strdup_printf("CUDA%u", known->device - 1);

        if (strcmp(known->symbol, question->symbol) != 0)
            continue;
        g_string_append_printf(list, "%s%s has ", list->len > 0 ? ", " : "",
                               known->device == 0 ? "CPU" : device);
        if (question->terms)
            g_string_append_printf(list, "%u coefficients", known->count);
        else
            g_string_append_printf(list,
                                   "%u measurements from %" G_GUINT64_FORMAT
                                   " to %" G_GUINT64_FORMAT " bytes",
                                   known->samples, known->least, known->most);
    }
    if (list->len == 0)
        g_string_append(list, "it has no formula of this name");
    return g_string_free(g_steal_pointer(&list), FALSE);
}

static void fail(const struct orr_run *run, const struct question *question,
                 GError **error)
{
    const struct orr_platform *platform = run->platform;
    g_autofree char *quoted = orr_quote(question->symbol);
    g_autofree char *known = list_known(question, platform);
    g_autofree char *task =
        question->terms
            ? g_strdup_printf("with %u terms", question->count)
            : g_strdup_printf("of %" G_GUINT64_FORMAT " bytes", question->size);

    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "kernel %s: the formulas of platform %s give no duration of "
                "tasks %s, footprint %08x, on the workers of this run: %s",
                quoted, platform->name, task, question->footprint, known);
}

static struct orr_kernel *find(struct orr_run *run,
                               const struct question *question, GError **error)
{
    struct answer answer = {.platform = run->platform};
    enum orr_where where = orr_kernel_restriction(run, question->symbol);
    struct orr_kernel *kernel;

    if (run->capture)
        return orr_kernel_find_footprint(run, question->symbol,
                                         question->footprint, error);
    answer_question(question, &answer);
    kernel = kernel_of(run, question->symbol, &answer);
    if (!kernel) {
        fail(run, question, error);
        return NULL;
    }
    return where == ORR_WHERE_ANY || kernel->where == where ||
                   orr_kernel_set_where(run, kernel, where, error)
               ? kernel
               : NULL;
}

static bool check(bool right, const char *why, GError **error)
{
    if (!right)
        g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE, why);
    return right;
}

struct orr_kernel *orr_kernel_find_size(struct orr_run *run, const char *symbol,
                                        uint32_t footprint, uint64_t bytes,
                                        enum orr_formula formula,
                                        GError **error)
{
    const struct question question = {.symbol = symbol,
                                      .footprint = footprint,
                                      .size = bytes,
                                      .formula = formula};

    if (!check(symbol != NULL, "the symbol of the kernel is NULL", error) ||
        !check(formula == ORR_FORMULA_POWER || formula == ORR_FORMULA_OFFSET,
               "the formula is neither ORR_FORMULA_POWER nor "
               "ORR_FORMULA_OFFSET",
               error))
        return NULL;
    return find(run, &question, error);
}

struct orr_kernel *orr_kernel_find_terms(struct orr_run *run,
                                         const char *symbol, uint32_t footprint,
                                         const double *terms, unsigned count,
                                         GError **error)
{
    static const double none;
    const struct question question = {.symbol = symbol,
                                      .footprint = footprint,
                                      .terms = terms ? terms : &none,
                                      .count = count};

    if (!check(symbol != NULL, "the symbol of the kernel is NULL", error) ||
        !check(terms || count == 0, "the array of terms is NULL", error))
        return NULL;
    return find(run, &question, error);
}
