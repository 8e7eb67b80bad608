/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ACCOUNT_H
#define ORR_ACCOUNT_H

#include "models/base/units.h"

/*
 * What an actor in a run by rounds owes: turns that it has yet to take, things
 * that it does at some of them, and what it had in mind when it was found to
 * owe them. See turns.h, to which all this is private.
 */
struct orr_mutex;

/* Something that an actor does at one of its turns. */
struct orr_operation {
    unsigned turns; /* to take before it */
    enum { ORR_TAKES, ORR_GIVES, ORR_ACTS } kind;
    void (*act)(void *arg); /* of one who acts */
    void *arg;              /* else a mutex */
};

/* What an actor does once nothing is owed. */
enum orr_intention {
    ORR_GO_ON,   /* with its procedure */
    ORR_SLEEP,   /* for @delay */
    ORR_WAIT,    /* for a signal */
    ORR_SUSPEND, /* until it is resumed */
    ORR_ADVANCE, /* until the clock does */
    ORR_TAKE     /* @mutex */
};

struct orr_account {
    unsigned turns;                   /* to take after the last operation */
    unsigned done, count;             /* operations */
    struct orr_operation *operations; /* owned */
    unsigned room;                    /* for so many */
    enum orr_intention then;
    orr_time delay;
    struct orr_mutex *mutex;
};

#endif
