/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EXPLAIN_SUMMARY_H
#define ORR_EXPLAIN_SUMMARY_H

#include "apps/explain/explanation.h"

/* Returns the state with the largest time in @ns, except computing. */
enum orr_worker_state orr_main_loss(const int64_t *ns);

/* Returns a sentence, without a full stop, on the largest loss of time of all
 * workers. Free with g_free(). */
char *orr_explanation_summary(const struct orr_explanation *explanation);

#endif
