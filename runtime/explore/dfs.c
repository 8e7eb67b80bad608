/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/explore/dfs.h"

#include <glib.h>

#include "runtime/explore/race.h"

/* An event that may come next, and what its step leaves. */
struct stepper {
    const struct orr_event *event;
    struct orr_footprint touches;
};

struct choice {
    unsigned count;  /* of options */
    unsigned option; /* that is taken */
    uint32_t wanted; /* options that are to be taken, a bit each */
    uint32_t over;   /* options that need not be taken any more, likewise */
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
    bool redundant; /* what follows in this run is like what has been run */

    /* The steps of the present date: */
    struct orr_races *races;
    guint choices[ORR_MOST_STEPS]; /* their decisions, from 1 on, or 0 */
    int64_t date;

    /* The present step: */
    bool stepping; /* it is the last of those */
    bool plain;    /* who makes it is decided next, among */
    struct orr_event *due[ORR_MOST_OPTIONS]; /* these */
    bool mixed;      /* something else was decided in it */
    unsigned asleep; /* events that need not be the next: */
    struct stepper sleepers[ORR_MOST_OPTIONS];
};

static const struct orr_footprint whatever = {UINT64_MAX, UINT64_MAX};

static uint32_t all_options(const struct choice *choice)
{
    return (uint32_t)((UINT64_C(1) << choice->count) - 1);
}

/* That of the @step-th step of the present date, or NULL. */
static struct choice *choice_of(const struct orr_dfs *dfs, unsigned step)
{
    guint number = dfs->choices[step];

    return number > 0 ? &g_array_index(dfs->way, struct choice, number - 1)
                      : NULL;
}

/* After the step of the option that is taken. */
static void fall_asleep(struct orr_dfs *dfs, const struct choice *choice)
{
    const struct orr_footprint *taken =
        &choice->steppers[choice->option].touches;

    for (unsigned i = 0; i < choice->count; i++) {
        const struct stepper *stepper = &choice->steppers[i];

        if (i != choice->option && choice->over >> i & 1 &&
            orr_footprints_commute(&stepper->touches, taken))
            dfs->sleepers[dfs->asleep++] = *stepper;
    }
}

/* The options that are the events of @steps. */
static uint32_t find_options(const struct orr_dfs *dfs,
                             const struct choice *choice, uint64_t steps)
{
    uint32_t options = 0;

    for (; steps > 0; steps &= steps - 1) {
        const struct orr_event *event =
            orr_races_event(dfs->races, (unsigned)__builtin_ctzll(steps));

        for (unsigned i = 0; i < choice->count; i++) {
            if (choice->steppers[i].event == event)
                options |= UINT32_C(1) << i;
        }
    }
    return options;
}

/* The last step is to be tried before those that it is in a race with. */
static void reverse_races(struct orr_dfs *dfs)
{
    uint64_t racing = orr_races_racing(dfs->races);

    for (; racing > 0; racing &= racing - 1) {
        unsigned step = (unsigned)__builtin_ctzll(racing);
        struct choice *choice = choice_of(dfs, step);
        uint32_t firsts;

        if (!choice)
            continue;
        firsts =
            find_options(dfs, choice, orr_races_initials(dfs->races, step));
        if (firsts == 0)
            choice->wanted = all_options(choice);
        else if (!(firsts & (choice->wanted | choice->over)))
            choice->wanted |= firsts & -firsts;
    }
}

/* Of the present date, all is to be tried. */
static void want_all(struct orr_dfs *dfs)
{
    for (unsigned i = 0; i < orr_races_count(dfs->races); i++) {
        struct choice *choice = choice_of(dfs, i);

        if (choice)
            choice->wanted = all_options(choice);
    }
}

static void end_step(struct orr_dfs *dfs, const struct orr_footprint *touched)
{
    struct choice *choice = choice_of(dfs, orr_races_count(dfs->races) - 1);

    dfs->asleep = 0;
    if (choice) {
        choice->steppers[choice->option].touches = *touched;
        fall_asleep(dfs, choice);
    }
    orr_races_end_step(dfs->races, touched);
    reverse_races(dfs);
}

/* Forgets steps of dates that are over, and those that may be in races which
 * will not be seen. */
static void forget_steps(struct orr_dfs *dfs, const struct orr_due *due)
{
    bool over = due->date != dfs->date;
    bool blind =
        due->count == 0 || orr_races_count(dfs->races) == ORR_MOST_STEPS;

    if (blind && !over)
        want_all(dfs);
    if (blind || over)
        orr_races_clear(dfs->races);
    dfs->date = due->date;
}

static void begin_step(struct orr_dfs *dfs, const struct orr_due *due)
{
    unsigned step;

    forget_steps(dfs, due);
    dfs->stepping = due->count > 0;
    dfs->plain = due->count > 1;
    if (!dfs->stepping)
        return;
    step = orr_races_add(dfs->races, due);
    dfs->choices[step] = 0;
    if (due->count == 1)
        orr_races_choose(dfs->races, due->events[0]);
    for (unsigned i = 0; i < due->count; i++)
        dfs->due[i] = due->events[i];
}

/* What is known of @event, if it sleeps; or NULL. */
static const struct stepper *find_sleeper(const struct orr_dfs *dfs,
                                          const struct orr_event *event)
{
    for (unsigned i = 0; i < dfs->asleep; i++) {
        if (dfs->sleepers[i].event == event)
            return &dfs->sleepers[i];
    }
    return NULL;
}

static void step(struct orr_decider *decider,
                 const struct orr_footprint *before, const struct orr_due *due)
{
    struct orr_dfs *dfs = (struct orr_dfs *)decider;

    if (dfs->redundant)
        return;
    if (dfs->stepping)
        end_step(dfs, dfs->mixed ? &whatever : before);
    dfs->mixed = false;
    begin_step(dfs, due);
    if (due->count == 1 && find_sleeper(dfs, due->events[0]))
        dfs->redundant = true;
}

/* Those of the options of @choice that sleep need not be taken. */
static void leave_sleepers(const struct orr_dfs *dfs, struct choice *choice)
{
    for (unsigned i = 0; i < choice->count; i++) {
        const struct stepper *sleeper = find_sleeper(dfs, dfs->due[i]);

        if (!sleeper)
            continue;
        choice->over |= UINT32_C(1) << i;
        choice->steppers[i] = *sleeper;
    }
}

/* Moves on to an option that is to be taken. Returns false if none is. */
static bool move_on(struct choice *choice)
{
    uint32_t left = choice->wanted & ~choice->over;

    if (left == 0)
        return false;
    choice->option = (unsigned)__builtin_ctz(left);
    return true;
}

/* Beyond where former runs have come. Returns false if whatever is decided
 * here and later is redundant. */
static bool extend(struct orr_dfs *dfs, const struct orr_decision *decision,
                   bool plain)
{
    struct choice choice = {.count = MIN(decision->count, ORR_MOST_OPTIONS)};

    if (plain)
        leave_sleepers(dfs, &choice);
    choice.wanted = all_options(&choice);
    if (!move_on(&choice)) {
        dfs->redundant = true;
        return false;
    }
    if (plain) /* until there is a reason to try others */
        choice.wanted = UINT32_C(1) << choice.option;
    g_array_append_val(dfs->way, choice);
    return true;
}

/* @choice decides who makes the present step. */
static void choose(struct orr_dfs *dfs, struct choice *choice)
{
    dfs->choices[orr_races_count(dfs->races) - 1] = dfs->asked;
    for (unsigned i = 0; i < choice->count; i++)
        choice->steppers[i].event = dfs->due[i];
    orr_races_choose(dfs->races, dfs->due[choice->option]);
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
    if (!plain && decision->kind == ORR_DECIDE_EVENT)
        want_all(dfs); /* an event may make its step as part of this one */
    if (decision->count >= ORR_MOST_OPTIONS)
        dfs->in_doubt = true;
    if (dfs->asked == dfs->way->len && !extend(dfs, decision, plain))
        return 0;
    choice = &g_array_index(dfs->way, struct choice, dfs->asked);
    if (choice->count != MIN(decision->count, ORR_MOST_OPTIONS)) {
        dfs->in_doubt = true;
        choice->count = MIN(choice->count, decision->count);
        choice->option = MIN(choice->option, choice->count - 1);
        choice->wanted &= all_options(choice);
    }
    dfs->asked++;
    if (plain)
        choose(dfs, choice);
    return choice->option;
}

struct orr_dfs *orr_dfs_new(bool reduces)
{
    struct orr_dfs *dfs = g_new0(struct orr_dfs, 1);

    dfs->decider.decide = decide;
    if (reduces)
        dfs->decider.step = step;
    dfs->reduces = reduces;
    dfs->races = orr_races_new();
    dfs->way = g_array_new(FALSE, FALSE, sizeof(struct choice));
    return dfs;
}

void orr_dfs_free(struct orr_dfs *dfs)
{
    if (!dfs)
        return;
    orr_races_free(dfs->races);
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
    /* The run may have ended before it got to where it was to turn, */
    if (dfs->asked < dfs->way->len)
        dfs->in_doubt = true;
    /* or before all that was due could make its step. */
    if (dfs->stepping && !dfs->redundant)
        want_all(dfs);
    if (dfs->begun && !dfs->ended)
        dfs->ended = !turn(dfs);
    orr_races_clear(dfs->races);
    dfs->begun = true;
    dfs->asked = 0;
    dfs->date = -1;
    dfs->stepping = false;
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
