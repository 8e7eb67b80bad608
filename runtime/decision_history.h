/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DECISION_HISTORY_H
#define ORR_DECISION_HISTORY_H

#include "models/base/units.h"

/* The last decisions of policy and runtime, for the diagnosis of a hang. Always
 * recorded, since an entry costs a few stores. */
struct orr_actor;

enum orr_past_decision_kind {
    ORR_PAST_PUSH,  /* @actor pushed a task to the policy */
    ORR_PAST_POP,   /* @actor popped a task */
    ORR_PAST_WAKE,  /* the policy woke @actor */
    ORR_PAST_EVICT, /* a datum was evicted from node @from */
    ORR_PAST_COPY,  /* a datum is copied from node @from to node @to */
};

struct orr_past_decision {
    orr_time date;
    const void *what; /* the name of the task (char *), or the datum */
    const struct orr_actor *actor; /* a worker, or the application */
    uint32_t task;                 /* low 32 bits of its number */
    uint8_t kind;                  /* enum orr_past_decision_kind */
    uint8_t from, to;              /* nodes */
};

/* The capacity, a power of two, and the number of entries that a diagnosis
 * lists. */
#define ORR_HISTORY_LENGTH 32u
#define ORR_HISTORY_LISTED 20u

/* Zero-initialised is empty. */
struct orr_decision_history {
    struct orr_past_decision notes[ORR_HISTORY_LENGTH];
    uint32_t next; /* index of the oldest entry, or of one not yet set */
};

/* Adds an entry; the caller sets the members that its kind needs. */
static inline struct orr_past_decision *
orr_decision_history_add(struct orr_decision_history *history,
                         enum orr_past_decision_kind kind, orr_time date)
{
    struct orr_past_decision *note = &history->notes[history->next];

    history->next = (history->next + 1) % ORR_HISTORY_LENGTH;
    note->date = date;
    note->kind = (uint8_t)kind;
    return note;
}

#endif
