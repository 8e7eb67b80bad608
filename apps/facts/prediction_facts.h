/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PREDICTION_FACTS_H
#define ORR_PREDICTION_FACTS_H

#include "apps/output/output.h"
#include "models/fit/prediction.h"

/*
 * Returns the facts of `orrery predict`: the history in the file @path, the
 * curves, and the prediction at each of @at (double). Owned by the caller.
 * Returns NULL as orr_predict() does.
 */
JsonObject *orr_prediction_facts_new(const char *path,
                                     const struct orr_history_request *request,
                                     const struct orr_predictor *predictor,
                                     const GArray *at, GError **error);

/* Prints these facts; as CSV, only the predictions. */
void orr_prediction_facts_print(JsonObject *facts, enum orr_format format);

#endif
