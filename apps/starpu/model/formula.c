/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/model/formula.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/codelet/codelet.h"
#include "apps/starpu/data/handle.h"

#include <starpu_hash.h>

#include <math.h>
#include <string.h>

/* The terms of the last task. */
static double *terms;
static unsigned terms_room;

/* As StarPU counts it: of all data, unless the model says otherwise. */
static uint64_t size_of(struct starpu_task *task)
{
    const struct starpu_perfmodel *model = task->cl->model;
    uint64_t size = 0;

    if (model->size_base)
        return model->size_base(task, 0);
    for (unsigned i = 0; i < sp_task_buffers(task); i++)
        if (!(sp_task_mode(task, i) & STARPU_NOFOOTPRINT))
            size += sp_handle_size(sp_task_handle(task, i));
    return size;
}

/* For each combination, the product of the parameters with its exponents. */
static void compute_terms(struct starpu_task *task,
                          const struct starpu_perfmodel *model,
                          const char *call)
{
    g_autofree double *parameters = g_new(double, model->nparameters);

    if (!model->parameters || !model->combinations)
        sp_fail(call, "the model of codelet %s has no %s", sp_task_name(task),
                model->parameters ? "combinations" : "parameters()");
    if (model->ncombinations > terms_room) {
        terms_room = model->ncombinations;
        terms = g_renew(double, terms, terms_room);
    }
    model->parameters(task, parameters);
    for (unsigned i = 0; i < model->ncombinations; i++) {
        terms[i] = 1;
        for (unsigned k = 0; k < model->nparameters; k++)
            terms[i] *= pow(parameters[k], model->combinations[i][k]);
    }
}

void sp_formula_fill(struct starpu_task *task, struct sp_formula *formula,
                     const char *call)
{
    const struct starpu_perfmodel *model = task->cl->model;

    *formula = (struct sp_formula){0};
    switch (model->type) {
    case STARPU_REGRESSION_BASED:
    case STARPU_NL_REGRESSION_BASED:
        formula->type = model->type;
        formula->size = size_of(task);
        break;
    case STARPU_MULTIPLE_REGRESSION_BASED:
        compute_terms(task, model, call);
        formula->type = model->type;
        formula->terms = terms;
        formula->count = model->ncombinations;
        break;
    default:
        break;
    }
}

guint sp_formula_hash(const struct sp_formula *formula)
{
    if (formula->count > 0)
        return starpu_hash_crc32c_be_n(
            formula->terms, formula->count * sizeof(*formula->terms), 0);
    return (guint)formula->size;
}

bool sp_formula_equal(const struct sp_formula *a, const struct sp_formula *b)
{
    return a->type == b->type && a->size == b->size && a->count == b->count &&
           (a->count == 0 ||
            memcmp(a->terms, b->terms, a->count * sizeof(*a->terms)) == 0);
}

struct orr_kernel *sp_formula_find(const struct sp_formula *formula,
                                   const char *symbol, uint32_t footprint,
                                   GError **error)
{
    if (formula->type == STARPU_MULTIPLE_REGRESSION_BASED)
        return sp_calls->kernel_find_terms(sp_session.run, symbol, footprint,
                                           formula->terms, formula->count,
                                           error);
    if (formula->type == STARPU_REGRESSION_BASED)
        return sp_calls->kernel_find_size(sp_session.run, symbol, footprint,
                                          formula->size, ORR_FORMULA_POWER,
                                          error);
    if (formula->type == STARPU_NL_REGRESSION_BASED)
        return sp_calls->kernel_find_size(sp_session.run, symbol, footprint,
                                          formula->size, ORR_FORMULA_OFFSET,
                                          error);
    return sp_calls->kernel_find_footprint(sp_session.run, symbol, footprint,
                                           error);
}

void sp_formula_end(void)
{
    g_clear_pointer(&terms, g_free);
    terms_room = 0;
}
