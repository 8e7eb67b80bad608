/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The path of the search is an array of choices, one for each decision of the
 * present run. A choice has masks of options to be tried (backtrack) and tried
 * already (done). At the end of a run the last choice with an option left takes
 * it, and the path behind is dropped.
 *
 * Choices without reduction begin with all options in backtrack. A reduced
 * choice begins with one option; reverse_races() adds others when a later step
 * races. Tried events sleep until a step does not commute with theirs:
 * skip_sleep_set() marks the options of sleeping events as tried.
 */
#include "runtime/explore/dfs.h"

#include <glib.h>

#include "runtime/explore/orders.h"
#include "runtime/explore/race.h"

/* An event that may come next, and the footprint of its step. */
struct candidate {
    const struct orr_event *event;
    struct orr_footprint touches;
};

struct choice {
    unsigned count;     /* number of options */
    unsigned option;    /* the option that this run takes */
    uint32_t backtrack; /* options that have to be tried, one bit each */
    uint32_t done;      /* options that need not be tried any more */
    /* by option, as far as known */
    struct candidate candidates[ORR_MOST_OPTIONS];
};

struct orr_dfs {
    struct orr_decider decider; /* first */
    bool reduces;               /* skips equivalent schedules */
    GArray *path;               /* struct choice: the decisions of a run */
    guint position;             /* number of the next decision in this run */
    bool running;               /* a run is in progress */
    bool ended;                 /* there is no other */
    bool incomplete;            /* some schedules may be missing */
    bool redundant; /* the rest of this run is equivalent to another */

    struct orr_orders *orders; /* operations in a concurrent policy */
    bool ordered;              /* there were some */

    /* The steps of the present date. */
    struct orr_races *races;
    /* position of its decision, plus one; or 0 */
    guint choices[ORR_MOST_STEPS];
    int64_t date;

    /* The present step. */
    bool stepping;    /* the last step in @races has not ended */
    bool picks_event; /* its event is decided next */
    struct orr_event *due[ORR_MOST_OPTIONS]; /* its options */
    bool mixed;           /* another decision was made in it */
    unsigned sleep_count; /* events that need not come next */
    struct candidate sleep_set[ORR_MOST_OPTIONS];
};

static const struct orr_footprint anything = {UINT64_MAX, UINT64_MAX};

static uint32_t all_options(const struct choice *choice)
{
    return (uint32_t)((UINT64_C(1) << choice->count) - 1);
}

/* The decision about the event of @step, or NULL. */
static struct choice *choice_of(const struct orr_dfs *dfs, unsigned step)
{
    guint number = dfs->choices[step];

    return number > 0 ? &g_array_index(dfs->path, struct choice, number - 1)
                      : NULL;
}

/* Updates the sleep set after the step of the chosen option. */
static void update_sleep_set(struct orr_dfs *dfs, const struct choice *choice)
{
    const struct orr_footprint *taken =
        &choice->candidates[choice->option].touches;

    for (unsigned i = 0; i < choice->count; i++) {
        const struct candidate *candidate = &choice->candidates[i];

        if (i != choice->option && choice->done >> i & 1 &&
            orr_footprints_commute(&candidate->touches, taken))
            dfs->sleep_set[dfs->sleep_count++] = *candidate;
    }
}

/* Mask of the options with the events of @steps. */
static uint32_t find_options(const struct orr_dfs *dfs,
                             const struct choice *choice, uint64_t steps)
{
    uint32_t options = 0;

    for (; steps > 0; steps &= steps - 1) {
        const struct orr_event *event =
            orr_races_event(dfs->races, (unsigned)__builtin_ctzll(steps));

        for (unsigned i = 0; i < choice->count; i++) {
            if (choice->candidates[i].event == event)
                options |= UINT32_C(1) << i;
        }
    }
    return options;
}

/* Adds options so that the last step is tried before each step with which it
 * races. */
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
            choice->backtrack = all_options(choice);
        else if (!(firsts & (choice->backtrack | choice->done)))
            choice->backtrack |= firsts & -firsts;
    }
}

/* Adds all options of the decisions at the present date. */
static void backtrack_all(struct orr_dfs *dfs)
{
    for (unsigned i = 0; i < orr_races_count(dfs->races); i++) {
        struct choice *choice = choice_of(dfs, i);

        if (choice)
            choice->backtrack = all_options(choice);
    }
}

static void end_step(struct orr_dfs *dfs, const struct orr_footprint *touched)
{
    struct choice *choice = choice_of(dfs, orr_races_count(dfs->races) - 1);

    dfs->sleep_count = 0;
    if (choice) {
        choice->candidates[choice->option].touches = *touched;
        update_sleep_set(dfs, choice);
    }
    orr_races_end_step(dfs->races, touched);
    reverse_races(dfs);
}

/* Drops the steps of a past date, and steps if their races cannot be seen. */
static void drop_steps(struct orr_dfs *dfs, const struct orr_due *due)
{
    bool over = due->date != dfs->date;
    bool blind =
        due->count == 0 || orr_races_count(dfs->races) == ORR_MOST_STEPS;

    if (blind && !over)
        backtrack_all(dfs);
    if (blind || over)
        orr_races_clear(dfs->races);
    dfs->date = due->date;
}

static void begin_step(struct orr_dfs *dfs, const struct orr_due *due)
{
    unsigned step;

    drop_steps(dfs, due);
    dfs->stepping = due->count > 0;
    dfs->picks_event = due->count > 1;
    if (!dfs->stepping)
        return;
    step = orr_races_add(dfs->races, due);
    dfs->choices[step] = 0;
    if (due->count == 1)
        orr_races_choose(dfs->races, due->events[0]);
    for (unsigned i = 0; i < due->count; i++)
        dfs->due[i] = due->events[i];
}

/* The candidate of @event if it sleeps; or NULL. */
static const struct candidate *find_asleep(const struct orr_dfs *dfs,
                                           const struct orr_event *event)
{
    for (unsigned i = 0; i < dfs->sleep_count; i++) {
        if (dfs->sleep_set[i].event == event)
            return &dfs->sleep_set[i];
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
        end_step(dfs, dfs->mixed ? &anything : before);
    dfs->mixed = false;
    begin_step(dfs, due);
    if (due->count == 1 && find_asleep(dfs, due->events[0]))
        dfs->redundant = true;
}

/* Marks the options of @choice with sleeping events as tried. */
static void skip_sleep_set(const struct orr_dfs *dfs, struct choice *choice)
{
    for (unsigned i = 0; i < choice->count; i++) {
        const struct candidate *asleep = find_asleep(dfs, dfs->due[i]);

        if (!asleep)
            continue;
        choice->done |= UINT32_C(1) << i;
        choice->candidates[i] = *asleep;
    }
}

/* Takes the next option to try. Returns false if there is none. */
static bool move_on(struct choice *choice)
{
    uint32_t left = choice->backtrack & ~choice->done;

    if (left == 0)
        return false;
    choice->option = (unsigned)__builtin_ctz(left);
    return true;
}

/* Adds a decision to the path. Returns false if the rest of the run is
 * redundant. */
static bool extend(struct orr_dfs *dfs, const struct orr_decision *decision,
                   bool picks_event)
{
    struct choice choice = {.count = MIN(decision->count, ORR_MOST_OPTIONS)};
    bool reduced = picks_event || decision->kind == ORR_DECIDE_ORDER;

    if (picks_event)
        skip_sleep_set(dfs, &choice);
    choice.backtrack = all_options(&choice);
    if (!move_on(&choice)) {
        dfs->redundant = true;
        return false;
    }
    if (reduced) /* until a race asks for others */
        choice.backtrack = UINT32_C(1) << choice.option;
    g_array_append_val(dfs->path, choice);
    return true;
}

/* @choice decides the event of the present step. */
static void choose(struct orr_dfs *dfs, struct choice *choice)
{
    dfs->choices[orr_races_count(dfs->races) - 1] = dfs->position;
    for (unsigned i = 0; i < choice->count; i++)
        choice->candidates[i].event = dfs->due[i];
    orr_races_choose(dfs->races, dfs->due[choice->option]);
}

/* Records the operation that comes next. If it races with an earlier operation,
 * the latter has to wait in another run. */
static void record_operation(struct orr_dfs *dfs,
                             const struct orr_decision *decision)
{
    guint other;

    dfs->ordered = true;
    if (orr_orders_add(dfs->orders, decision->actors[0], decision->order,
                       dfs->position - 1, &other))
        g_array_index(dfs->path, struct choice, other).backtrack |= 1u << 1;
}

static void in_vain(struct orr_decider *decider)
{
    ((struct orr_dfs *)decider)->redundant = true;
}

static bool keeps_default(const struct orr_dfs *dfs,
                          const struct orr_decision *decision)
{
    return decision->kind == ORR_DECIDE_DURATION ||
           decision->kind == ORR_DECIDE_STEP ||
           decision->kind == ORR_DECIDE_GAP || dfs->redundant;
}

static unsigned decide(struct orr_decider *decider,
                       const struct orr_decision *decision)
{
    struct orr_dfs *dfs = (struct orr_dfs *)decider;
    bool picks_event = dfs->picks_event;
    struct choice *choice;

    if (keeps_default(dfs, decision))
        return 0;
    dfs->picks_event = false;
    dfs->mixed |= !picks_event && decision->kind != ORR_DECIDE_ORDER;
    if (!picks_event && decision->kind == ORR_DECIDE_EVENT)
        /* an event may make its step as part of this step */
        backtrack_all(dfs);
    if (decision->count >= ORR_MOST_OPTIONS)
        dfs->incomplete = true;
    if (dfs->position == dfs->path->len && !extend(dfs, decision, picks_event))
        return 0;
    choice = &g_array_index(dfs->path, struct choice, dfs->position);
    if (choice->count != MIN(decision->count, ORR_MOST_OPTIONS)) {
        dfs->incomplete = true;
        choice->count = MIN(choice->count, decision->count);
        choice->option = MIN(choice->option, choice->count - 1);
        choice->backtrack &= all_options(choice);
    }
    dfs->position++;
    if (picks_event)
        choose(dfs, choice);
    if (decision->kind != ORR_DECIDE_ORDER)
        return choice->option;
    if (choice->option == 0)
        record_operation(dfs, decision);
    else
        orr_orders_sleep(dfs->orders, decision->actors[0],
                         decision->order->object);
    return choice->option;
}

struct orr_dfs *orr_dfs_new(bool reduces)
{
    struct orr_dfs *dfs = g_new0(struct orr_dfs, 1);

    dfs->decider.decide = decide;
    dfs->decider.in_vain = in_vain;
    dfs->orders = orr_orders_new();
    if (reduces)
        dfs->decider.step = step;
    dfs->reduces = reduces;
    dfs->races = orr_races_new();
    dfs->path = g_array_new(FALSE, FALSE, sizeof(struct choice));
    return dfs;
}

void orr_dfs_free(struct orr_dfs *dfs)
{
    if (!dfs)
        return;
    orr_orders_free(dfs->orders);
    orr_races_free(dfs->races);
    g_array_unref(dfs->path);
    g_free(dfs);
}

/* Takes the next option of the last decision that has one left, if any. */
static bool backtrack_last(struct orr_dfs *dfs)
{
    for (guint last = dfs->path->len; last-- > 0;) {
        struct choice *choice = &g_array_index(dfs->path, struct choice, last);

        choice->done |= UINT32_C(1) << choice->option;
        if (move_on(choice))
            return true;
        g_array_set_size(dfs->path, last);
    }
    return false;
}

/* The run has ended: chooses the next one. */
static void end_run(struct orr_dfs *dfs)
{
    if (!dfs->running)
        return;
    dfs->running = false;
    /* The run may have ended before it took its new option, */
    if (dfs->position < dfs->path->len)
        dfs->incomplete = true;
    /* or before all events that were due fired. */
    if (dfs->stepping && !dfs->redundant)
        backtrack_all(dfs);
    dfs->ended = !backtrack_last(dfs);
}

struct orr_decider *orr_dfs_begin(struct orr_dfs *dfs)
{
    end_run(dfs);
    orr_races_clear(dfs->races);
    orr_orders_clear(dfs->orders);
    dfs->position = 0;
    dfs->date = -1;
    dfs->stepping = false;
    dfs->sleep_count = 0;
    dfs->picks_event = false;
    dfs->mixed = false;
    dfs->redundant = false;
    dfs->running = !dfs->ended;
    return dfs->ended ? NULL : &dfs->decider;
}

struct orr_dfs_flags orr_dfs_pause(struct orr_dfs *dfs)
{
    end_run(dfs);
    return (struct orr_dfs_flags){dfs->ended, dfs->incomplete, dfs->ordered};
}

unsigned orr_dfs_depth(const struct orr_dfs *dfs)
{
    return dfs->path->len;
}

struct orr_dfs_choice orr_dfs_choice(const struct orr_dfs *dfs, unsigned i)
{
    const struct choice *choice = &g_array_index(dfs->path, struct choice, i);
    struct orr_dfs_choice result = {
        .count = choice->count,
        .option = choice->option,
        .backtrack = choice->backtrack,
        .done = choice->done,
    };

    for (unsigned k = 0; k < choice->count; k++)
        result.touches[k] = choice->candidates[k].touches;
    return result;
}

void orr_dfs_set_flags(struct orr_dfs *dfs, struct orr_dfs_flags flags)
{
    dfs->ended = flags.ended;
    dfs->incomplete = flags.incomplete;
    dfs->ordered = flags.ordered;
}

void orr_dfs_add_choice(struct orr_dfs *dfs,
                        const struct orr_dfs_choice *choice)
{
    struct choice added = {
        .count = choice->count,
        .option = choice->option,
        .backtrack = choice->backtrack,
        .done = choice->done,
    };

    for (unsigned k = 0; k < choice->count; k++)
        added.candidates[k].touches = choice->touches[k];
    g_array_append_val(dfs->path, added);
}

bool orr_dfs_is_complete(const struct orr_dfs *dfs)
{
    return dfs->ended && !dfs->incomplete;
}

bool orr_dfs_orders(const struct orr_dfs *dfs)
{
    return dfs->ordered;
}
