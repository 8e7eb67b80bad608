/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_LINEAR_PROGRAM_H
#define ORR_LINEAR_PROGRAM_H

/*
 * Small linear programs, solved by GLPK's simplex method: the least sum of
 * cost x column over columns that are at least 0, under rows that limit sums
 * of multiples of columns. A thread may have one program at a time, as GLPK
 * keeps what it needs by thread; threads may solve theirs side by side.
 */
struct orr_linear_program;

enum orr_row_kind { ORR_ROW_AT_MOST, ORR_ROW_EQUAL, ORR_ROW_AT_LEAST };

/* Free with orr_linear_program_free(); NULL is allowed there. */
struct orr_linear_program *orr_linear_program_new(void);
void orr_linear_program_free(struct orr_linear_program *program);

/* Return the number of what they add. */
int orr_linear_program_add_column(struct orr_linear_program *program,
                                  double cost);
int orr_linear_program_add_row(struct orr_linear_program *program,
                               enum orr_row_kind kind, double limit);

/* Adds @factor x column to what the row limits; once for a row and column. */
void orr_linear_program_set(struct orr_linear_program *program, int row,
                            int column, double factor);

/*
 * The least cost, right to about seven digits, or INFINITY if no columns obey
 * the rows. The values that give it are orr_linear_program_value().
 */
double orr_linear_program_minimise(struct orr_linear_program *program);
double orr_linear_program_value(const struct orr_linear_program *program,
                                int column);

#endif
