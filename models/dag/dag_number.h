/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_NUMBER_H
#define ORR_DAG_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Parses numbers in files, whatever the locale. The number must fill @text, and
 * not be negative unless the function says so. All return false otherwise.
 */

/*
 * A decimal number times 10 to the @scale, rounded: "45.067085" ms are
 * 45067085 ns with the scale 6. At most 10^18.
 */
bool orr_dag_scaled(const char *text, unsigned scale, int64_t *value);

/* A whole number, at most @max: less than 1.8e19. */
bool orr_dag_whole(const char *text, uint64_t max, uint64_t *value);

/* As orr_dag_whole(), for the first word of *@text. Moves *@text behind it. */
bool orr_dag_whole_word(const char **text, uint64_t max, uint64_t *value);

/* A whole number that may be negative. */
bool orr_dag_signed(const char *text, int32_t *value);

/* A finite number >= 0; a negative one if @negative allows it. */
bool orr_dag_real(const char *text, bool negative, double *value);

/* A hexadecimal number of 32 bits. */
bool orr_dag_hexadecimal(const char *text, uint32_t *value);

#endif
