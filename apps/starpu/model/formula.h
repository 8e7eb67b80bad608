/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FORMULA_H
#define ORR_FORMULA_H

#include <starpu_perfmodel.h>
#include <starpu_task.h>

#include <orrery.h>

/* The properties of a task that a formula of its model needs; all 0 if the
 * model has no formula. */
struct sp_formula {
    enum starpu_perfmodel_type type;
    uint64_t size;       /* bytes */
    const double *terms; /* of STARPU_MULTIPLE_REGRESSION_BASED */
    unsigned count;      /* number of terms */
};

/* Sets *@formula for @task; its terms are borrowed until the next call. Ends
 * the program, naming @call, if its model lacks parameters. */
void sp_formula_fill(struct starpu_task *task, struct sp_formula *formula,
                     const char *call);

guint sp_formula_hash(const struct sp_formula *formula);
bool sp_formula_equal(const struct sp_formula *a, const struct sp_formula *b);

/* The kernel of tasks with this formula, symbol and footprint. */
struct orr_kernel *sp_formula_find(const struct sp_formula *formula,
                                   const char *symbol, uint32_t footprint,
                                   GError **error);

/* Frees the room of terms. */
void sp_formula_end(void);

#endif
