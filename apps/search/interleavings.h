/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_INTERLEAVINGS_H
#define ORR_INTERLEAVINGS_H

#include <json-glib/json-glib.h>

#include "models/base/lines.h"
#include "runtime/orrery_trace.h"

/*
 * Which operations of a concurrent policy were interleaved: the coverage of an
 * exploration.
 *
 * An operation has a call, a verb and an object: "pop, releases lock queue".
 * Two operations form a pair if the first is not always the last one of its
 * call, and if no common lock is held at both. The pair is seen if another
 * caller executes the second operation after the first, before the call of the
 * first continues.
 */
struct orr_interleavings;

struct orr_interleavings *orr_interleavings_new(void);

/* NULL is allowed. */
void orr_interleavings_free(struct orr_interleavings *seen);

/* Returns the trace for the next run; borrowed. */
struct orr_trace *orr_interleavings_begin(struct orr_interleavings *seen);

/* Whether no operation was seen: the policy is not concurrent. */
bool orr_interleavings_are_none(const struct orr_interleavings *seen);

/* Adds what @other has seen. The result does not depend on the order. */
void orr_interleavings_join(struct orr_interleavings *seen,
                            const struct orr_interleavings *other);

/* Write @seen as lines to @text, and read it into a new @seen (checkpoint.h).
 * Reading fails with the error of @lines. */
void orr_interleavings_save(const struct orr_interleavings *seen,
                            GString *text);
bool orr_interleavings_load(struct orr_interleavings *seen,
                            struct orr_lines *lines);

/* Sets the member "interleavings" of @facts, unless there were no operations;
 * see explore in orrery(1). */
void orr_interleavings_add_facts(const struct orr_interleavings *seen,
                                 JsonObject *facts);

#endif
