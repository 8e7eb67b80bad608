/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/bounds/linear_program.h"

#include <glib.h>
#include <glpk.h>
#include <math.h>

struct orr_linear_program {
    glp_prob *problem;

    /* The matrix as triples. GLPK counts from 1, so element 0 is unused. */
    GArray *rows;
    GArray *columns;
    GArray *factors;
};

struct orr_linear_program *orr_linear_program_new(void)
{
    struct orr_linear_program *program = g_new(struct orr_linear_program, 1);
    const int none = 0;
    const double nothing = 0;

    glp_term_out(GLP_OFF);
    program->problem = glp_create_prob();
    glp_set_obj_dir(program->problem, GLP_MIN);
    program->rows = g_array_new(FALSE, FALSE, sizeof(int));
    program->columns = g_array_new(FALSE, FALSE, sizeof(int));
    program->factors = g_array_new(FALSE, FALSE, sizeof(double));
    g_array_append_val(program->rows, none);
    g_array_append_val(program->columns, none);
    g_array_append_val(program->factors, nothing);
    return program;
}

void orr_linear_program_free(struct orr_linear_program *program)
{
    if (!program)
        return;
    glp_delete_prob(program->problem);
    glp_free_env(); /* the state of this thread */
    g_array_unref(program->rows);
    g_array_unref(program->columns);
    g_array_unref(program->factors);
    g_free(program);
}

int orr_linear_program_add_column(struct orr_linear_program *program,
                                  double cost)
{
    int column = glp_add_cols(program->problem, 1);

    glp_set_col_bnds(program->problem, column, GLP_LO, 0, 0);
    glp_set_obj_coef(program->problem, column, cost);
    return column;
}

void orr_linear_program_set_cost(struct orr_linear_program *program, int column,
                                 double cost)
{
    glp_set_obj_coef(program->problem, column, cost);
}

int orr_linear_program_add_row(struct orr_linear_program *program,
                               enum orr_row_kind kind, double limit)
{
    static const int kinds[] = {
        [ORR_ROW_AT_MOST] = GLP_UP,
        [ORR_ROW_EQUAL] = GLP_FX,
        [ORR_ROW_AT_LEAST] = GLP_LO,
    };
    int row = glp_add_rows(program->problem, 1);

    glp_set_row_bnds(program->problem, row, kinds[kind], limit, limit);
    return row;
}

void orr_linear_program_set(struct orr_linear_program *program, int row,
                            int column, double factor)
{
    g_array_append_val(program->rows, row);
    g_array_append_val(program->columns, column);
    g_array_append_val(program->factors, factor);
}

double orr_linear_program_minimise(struct orr_linear_program *program)
{
    glp_smcp options;

    glp_load_matrix(program->problem, (int)program->rows->len - 1,
                    (const int *)program->rows->data,
                    (const int *)program->columns->data,
                    (const double *)program->factors->data);
    glp_scale_prob(program->problem, GLP_SF_AUTO);
    glp_init_smcp(&options);
    options.msg_lev = GLP_MSG_OFF;
    /* GLPK's presolver drops a limit that another one exceeds by less than
     * 0.001, such as a makespan below a millisecond. */
    options.presolve = GLP_OFF;
    /* Relative; reports show 10 digits. */
    options.tol_bnd = options.tol_dj = 1e-10;
    if (glp_simplex(program->problem, &options) != 0 ||
        glp_get_status(program->problem) != GLP_OPT)
        return INFINITY;
    return glp_get_obj_val(program->problem);
}

double orr_linear_program_value(const struct orr_linear_program *program,
                                int column)
{
    return glp_get_col_prim(program->problem, column);
}
