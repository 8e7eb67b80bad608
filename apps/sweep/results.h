/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RESULTS_H
#define ORR_RESULTS_H

#include "apps/output/output.h"
#include "apps/sweep/reader.h"

/*
 * Prints the rows that @reader has: as CSV, a line each after one with the
 * names; as JSON, {"schema_version": 1, "runs": [...]} with an object each; as
 * text, only the campaign and the number of rows. @timing: include the real
 * time of each simulation, which differs each time.
 *
 * Returns false with @error if the file cannot be read to its end.
 */
bool orr_results_print(struct orr_reader *reader, enum orr_format format,
                       bool timing, GError **error);

/* The version of the JSON. */
#define ORR_RESULTS_SCHEMA 1

#endif
