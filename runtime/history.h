/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HISTORY_H
#define ORR_HISTORY_H

#include "models/base/units.h"

/* The last decisions of policy and runtime, for the diagnosis of a hang. Always
 * kept: a note is a few stores. */
struct orr_actor;

enum orr_note_kind {
    ORR_NOTE_PUSH,  /* @who pushed a task to the policy */
    ORR_NOTE_POP,   /* @who popped a task */
    ORR_NOTE_WAKE,  /* the policy woke @who */
    ORR_NOTE_EVICT, /* a datum was evicted from node @from */
    ORR_NOTE_COPY,  /* a datum is copied from node @from to node @to */
};

struct orr_note {
    orr_time date;
    const void *what;            /* the name of a task, or a datum */
    const struct orr_actor *who; /* a worker, or the application */
    uint32_t task;               /* low 32 bits of its number */
    uint8_t kind;                /* enum orr_note_kind */
    uint8_t from, to;            /* nodes */
};

/* The capacity, a power of two, and how many notes a diagnosis lists. */
#define ORR_HISTORY_NOTES 32u
#define ORR_HISTORY_TOLD 20u

/* Zero-initialised is empty. */
struct orr_history {
    struct orr_note notes[ORR_HISTORY_NOTES];
    uint32_t next; /* the oldest, or one not yet set */
};

/* Adds a note; the caller sets the members that its kind needs. */
static inline struct orr_note *orr_history_next(struct orr_history *history,
                                                enum orr_note_kind kind,
                                                orr_time date)
{
    struct orr_note *note = &history->notes[history->next];

    history->next = (history->next + 1) % ORR_HISTORY_NOTES;
    note->date = date;
    note->kind = (uint8_t)kind;
    return note;
}

#endif
