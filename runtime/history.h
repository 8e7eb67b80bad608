/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HISTORY_H
#define ORR_HISTORY_H

#include "models/base/units.h"

/*
 * The last decisions of policy and runtime, to be told should the run hang.
 * Always kept: a note is a few stores, and makes no text.
 */
struct orr_actor;

enum orr_note_kind {
    ORR_NOTE_PUSH,  /* the policy was given a task by @who */
    ORR_NOTE_POP,   /* it gave one to @who */
    ORR_NOTE_WAKE,  /* it woke @who, which was asleep */
    ORR_NOTE_EVICT, /* a datum had to leave node @from */
    ORR_NOTE_COPY,  /* a datum is copied from node @from to node @to */
};

struct orr_note {
    orr_time date;
    const void *what;            /* the name of a task, or a datum */
    const struct orr_actor *who; /* a worker, or the application */
    uint32_t task;               /* its number, of which 32 bits will do */
    uint8_t kind;                /* enum orr_note_kind */
    uint8_t from, to;            /* nodes */
};

/* How many are remembered: a power of two, at least those that are told. */
#define ORR_HISTORY_NOTES 32u
#define ORR_HISTORY_TOLD 20u

/* Zero-initialised is empty. */
struct orr_history {
    struct orr_note notes[ORR_HISTORY_NOTES];
    uint32_t next; /* the oldest of them, or one never made (no date) */
};

/* The next note: what its kind needs is to be filled. */
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
