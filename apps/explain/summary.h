/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EXPLAIN_SUMMARY_H
#define ORR_EXPLAIN_SUMMARY_H

#include "apps/explain/explanation.h"

/* The state that took most of @ns, of enum orr_worker_state, computing left
 * out. */
enum orr_worker_state orr_main_loss(const int64_t *ns);

/* Returns a sentence, without its full stop, on what cost most of the time of
 * all workers. Free with g_free(). */
char *orr_explanation_summary(const struct orr_explanation *explanation);

#endif
