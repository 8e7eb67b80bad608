/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PREDICTION_FACTS_H
#define ORR_PREDICTION_FACTS_H

#include "apps/output/output.h"
#include "models/fit/prediction.h"

/*
 * What `orrery predict` reports of the history in the file @path, of the curves
 * and of the prediction at each of @at, doubles. The caller owns it. Returns
 * NULL as orr_predict() does.
 */
JsonObject *orr_prediction_facts_new(const char *path,
                                     const struct orr_history_request *request,
                                     const struct orr_predictor *predictor,
                                     const GArray *at, GError **error);

/* Prints them; as CSV, the predictions alone. */
void orr_prediction_facts_print(JsonObject *facts, enum orr_format format);

#endif
