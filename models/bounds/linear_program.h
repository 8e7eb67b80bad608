/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_LINEAR_PROGRAM_H
#define ORR_LINEAR_PROGRAM_H

/*
 * Small linear programs, solved by GLPK's simplex method: minimise the sum of
 * cost x column over columns >= 0, where each row limits a sum of multiples of
 * columns. Each thread may have one program at a time, since GLPK has a state
 * for each thread.
 */
struct orr_linear_program;

enum orr_row_kind { ORR_ROW_AT_MOST, ORR_ROW_EQUAL, ORR_ROW_AT_LEAST };

/* Free with orr_linear_program_free(); NULL is allowed there. */
struct orr_linear_program *orr_linear_program_new(void);
void orr_linear_program_free(struct orr_linear_program *program);

/* Add a column or row, and return its number. */
int orr_linear_program_add_column(struct orr_linear_program *program,
                                  double cost);
int orr_linear_program_add_row(struct orr_linear_program *program,
                               enum orr_row_kind kind, double limit);

/* Changes the cost of a column. */
void orr_linear_program_set_cost(struct orr_linear_program *program, int column,
                                 double cost);

/* Adds @factor x column to the sum of @row. At most one call for each pair of
 * row and column. */
void orr_linear_program_set(struct orr_linear_program *program, int row,
                            int column, double factor);

/*
 * Returns the least cost, to about seven digits, or INFINITY if the rows
 * contradict each other. orr_linear_program_value() then returns the value of a
 * column.
 */
double orr_linear_program_minimise(struct orr_linear_program *program);

/*
 * After orr_linear_program_minimise(), which must have found a least cost: has
 * the @count @columns whole values, by branch and bound. Returns the least cost
 * then. After 1000 branches, so that the same program always has the same
 * result, it is a limit that no such cost is below, and the values are the best
 * whole ones that were found, or remain what they were if there are none.
 */
double orr_linear_program_make_whole(struct orr_linear_program *program,
                                     const int *columns, unsigned count);
double orr_linear_program_value(const struct orr_linear_program *program,
                                int column);

#endif
