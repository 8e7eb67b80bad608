/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/dfs.h"

#include <glib.h>

/* An event, and the step that comes of it where it fires. */
struct stepper {
    unsigned who;
    enum orr_step step;
};

struct choice {
    unsigned count;  /* of options */
    unsigned option; /* that is taken */
    uint32_t over;   /* options that need not be taken any more, a bit each */
    struct stepper steppers[ORR_MOST_OPTIONS]; /* of options, where known */
};

struct orr_dfs {
    struct orr_decider decider; /* first */
    bool reduces;               /* schedules that are like others are left */
    GArray *way;                /* struct choice: the decisions of a run */
    guint asked;                /* decisions in this run */
    bool begun;                 /* there was a run */
    bool ended;                 /* there is no other */
    bool in_doubt;              /* some schedules may be missing */

    bool plain;      /* what is decided next is who makes a step */
    guint stepping;  /* number, from 1, of the decision of the present step */
    bool mixed;      /* something else was decided in it */
    bool redundant;  /* what follows in this run is like what has been run */
    unsigned asleep; /* events that need not be the next: */
    struct stepper sleepers[ORR_MOST_OPTIONS];
};

static bool are_independent(enum orr_step a, enum orr_step b)
{
    return a != ORR_STEP_ANY && b != ORR_STEP_ANY &&
           (a == ORR_STEP_IDLE || b == ORR_STEP_IDLE);
}

/* After the step of the option that is taken. */
static void fall_asleep(struct orr_dfs *dfs, const struct choice *choice)
{
    enum orr_step taken = choice->steppers[choice->option].step;

    for (unsigned i = 0; i < choice->count; i++) {
        const struct stepper *stepper = &choice->steppers[i];

        if (i != choice->option && choice->over >> i & 1 &&
            stepper->who != ORR_NOBODY && are_independent(stepper->step, taken))
            dfs->sleepers[dfs->asleep++] = *stepper;
    }
}

static void step(struct orr_decider *decider, enum orr_step before,
                 unsigned due)
{
    struct orr_dfs *dfs = (struct orr_dfs *)decider;

    dfs->asleep = 0;
    if (dfs->stepping > 0 && !dfs->redundant) {
        struct choice *choice =
            &g_array_index(dfs->way, struct choice, dfs->stepping - 1);

        choice->steppers[choice->option].step =
            dfs->mixed ? ORR_STEP_ANY : before;
        fall_asleep(dfs, choice);
    }
    dfs->stepping = 0;
    dfs->mixed = false;
    dfs->plain = due > 1 && dfs->reduces;
    if (due == 1 && dfs->asleep > 0) /* it is the one that sleeps */
        dfs->redundant = true;
}

/* Finds those who sleep among the options of @choice. */
static void find_sleepers(const struct orr_dfs *dfs, struct choice *choice,
                          const unsigned *who)
{
    for (unsigned i = 0; i < choice->count; i++) {
        choice->steppers[i].who = who[i];
        for (unsigned k = 0; k < dfs->asleep; k++) {
            if (dfs->sleepers[k].who != who[i])
                continue;
            choice->over |= UINT32_C(1) << i;
            choice->steppers[i] = dfs->sleepers[k];
        }
    }
}

/* Moves on to an option that is not over. Returns false if all are. */
static bool move_on(struct choice *choice)
{
    while (choice->option < choice->count && choice->over >> choice->option & 1)
        choice->option++;
    return choice->option < choice->count;
}

/* Beyond where former runs have come. Returns false if whatever is decided
 * here and later is redundant. */
static bool extend(struct orr_dfs *dfs, const struct orr_decision *decision,
                   bool plain)
{
    struct choice choice = {.count = MIN(decision->count, ORR_MOST_OPTIONS)};

    if (plain)
        find_sleepers(dfs, &choice, decision->who);
    if (!move_on(&choice)) {
        dfs->redundant = true;
        return false;
    }
    g_array_append_val(dfs->way, choice);
    return true;
}

static unsigned decide(struct orr_decider *decider,
                       const struct orr_decision *decision)
{
    struct orr_dfs *dfs = (struct orr_dfs *)decider;
    bool plain = dfs->plain;
    struct choice *choice;

    if (decision->kind == ORR_DECIDE_DURATION || dfs->redundant)
        return 0;
    dfs->plain = false;
    dfs->mixed |= !plain;
    if (decision->count >= ORR_MOST_OPTIONS)
        dfs->in_doubt = true;
    if (dfs->asked == dfs->way->len && !extend(dfs, decision, plain))
        return 0;
    choice = &g_array_index(dfs->way, struct choice, dfs->asked);
    if (choice->count != MIN(decision->count, ORR_MOST_OPTIONS)) {
        dfs->in_doubt = true;
        choice->count = MIN(choice->count, decision->count);
        choice->option = MIN(choice->option, choice->count - 1);
    }
    dfs->asked++;
    if (plain)
        dfs->stepping = dfs->asked;
    return choice->option;
}

struct orr_dfs *orr_dfs_new(bool reduces)
{
    struct orr_dfs *dfs = g_new0(struct orr_dfs, 1);

    dfs->decider.decide = decide;
    dfs->decider.step = step;
    dfs->reduces = reduces;
    dfs->way = g_array_new(FALSE, FALSE, sizeof(struct choice));
    return dfs;
}

void orr_dfs_free(struct orr_dfs *dfs)
{
    if (!dfs)
        return;
    g_array_unref(dfs->way);
    g_free(dfs);
}

/* Turns at the last decision that has an option left; false if none has. */
static bool turn(struct orr_dfs *dfs)
{
    for (guint last = dfs->way->len; last-- > 0;) {
        struct choice *choice = &g_array_index(dfs->way, struct choice, last);

        choice->over |= UINT32_C(1) << choice->option;
        if (move_on(choice))
            return true;
        g_array_set_size(dfs->way, last);
    }
    return false;
}

struct orr_decider *orr_dfs_begin(struct orr_dfs *dfs)
{
    /* The run may have ended before it got to where it was to turn. */
    if (dfs->asked < dfs->way->len)
        dfs->in_doubt = true;
    if (dfs->begun && !dfs->ended)
        dfs->ended = !turn(dfs);
    dfs->begun = true;
    dfs->asked = 0;
    dfs->stepping = 0;
    dfs->asleep = 0;
    dfs->plain = false;
    dfs->mixed = false;
    dfs->redundant = false;
    return dfs->ended ? NULL : &dfs->decider;
}

bool orr_dfs_is_complete(const struct orr_dfs *dfs)
{
    return dfs->ended && !dfs->in_doubt;
}
