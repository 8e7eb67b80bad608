/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/bounds/linear_program.h"

#include <glib.h>
#include <glpk.h>
#include <math.h>
#include <stdbool.h>

struct orr_linear_program {
    glp_prob *problem;

    /* The matrix as triples. GLPK counts from 1, so element 0 is unused. */
    GArray *rows;
    GArray *columns;
    GArray *factors;

    bool whole; /* values belong to the best whole solution */
};

/* Branches of which a whole solution is searched in. */
enum { MOST_BRANCHES = 1000 };

struct orr_linear_program *orr_linear_program_new(void)
{
    struct orr_linear_program *program = g_new0(struct orr_linear_program, 1);
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

/* A search for a whole solution that may end early. */
struct search {
    unsigned branches;
    double limit; /* no whole solution costs less, once it has ended early */
};

static void watch(glp_tree *tree, void *data)
{
    struct search *search = data;
    int best;

    if (glp_ios_reason(tree) != GLP_ISELECT ||
        ++search->branches <= MOST_BRANCHES)
        return;
    best = glp_ios_best_node(tree);
    search->limit = best != 0 ? glp_ios_node_bound(tree, best) : -INFINITY;
    glp_ios_terminate(tree);
}

double orr_linear_program_make_whole(struct orr_linear_program *program,
                                     const int *columns, unsigned count)
{
    double least = glp_get_obj_val(program->problem);
    struct search search = {.limit = -INFINITY};
    glp_iocp options;
    int status;

    for (unsigned i = 0; i < count; i++)
        glp_set_col_kind(program->problem, columns[i], GLP_IV);
    glp_init_iocp(&options);
    options.msg_lev = GLP_MSG_OFF;
    options.cb_func = watch;
    options.cb_info = &search;
    glp_intopt(program->problem, &options);
    status = glp_mip_status(program->problem);
    program->whole = status == GLP_OPT || status == GLP_FEAS;
    if (status == GLP_OPT)
        return glp_mip_obj_val(program->problem);
    return fmax(least, search.limit);
}

double orr_linear_program_value(const struct orr_linear_program *program,
                                int column)
{
    return program->whole ? glp_mip_col_val(program->problem, column)
                          : glp_get_col_prim(program->problem, column);
}
