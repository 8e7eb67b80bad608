/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The strategies. Each is a table of functions (struct orr_strategy_ops), and
 * state of its own that is zeroed before each schedule.
 *
 * All draws are keyed by (seed, number of the schedule, number of the draw in
 * it): a schedule is the same in whatever order and thread schedules are run.
 *
 * To add a strategy: its functions and its table below, its kind in enum
 * orr_strategy_kind, and its line in the table of all strategies.
 */
#include "runtime/explore/strategy.h"

#include <math.h>
#include <string.h>

#include "models/rng.h"

struct orr_strategy_ops {
    const char *name;
    size_t state_size; /* bytes, zeroed before each schedule; may be 0 */

    /* Optional. The schedule @strategy->number is about to begin. */
    void (*begin)(struct orr_strategy *strategy);

    /* Returns an option of @decision. */
    unsigned (*decide)(struct orr_strategy *strategy,
                       const struct orr_decision *decision);

    /* Optional: orr_strategy_claim(). */
    char *(*claim)(const struct orr_strategy_scope *scope, uint64_t schedules);

    /* Optional: orr_strategy_bounds(). */
    unsigned (*bounds)(const struct orr_strategy_scope *scope,
                       uint64_t schedules, double *bounds);
};

struct orr_strategy {
    struct orr_decider decider; /* first */
    const struct orr_strategy_ops *ops;
    struct orr_strategy_scope scope;
    uint64_t number;   /* number of the schedule */
    uint64_t drawn;    /* random numbers in this schedule */
    uint64_t position; /* number of the present decision in this schedule */
    void *state;
};

/* A random number below @limit (> 0). */
static uint64_t draw(struct orr_strategy *strategy, uint64_t limit)
{
    return orr_rng_bits(strategy->scope.seed, strategy->number,
                        strategy->drawn++) %
           limit;
}

/* The default, or in @chance of 256 cases a random option, which may be the
 * default too. */
static unsigned toss(struct orr_strategy *strategy,
                     const struct orr_decision *decision, unsigned chance)
{
    if (chance == 0 || draw(strategy, 256) >= chance)
        return 0;
    return (unsigned)draw(strategy, decision->count);
}

/*
 * Any option may be taken. How often depends on the schedule and on the kind of
 * decision: some hangs need runs in which only one kind deviates from the
 * default (Groce et al., Swarm Testing, ISSTA 2012).
 *
 * Schedules are drawn independently of each other. If a share p of all
 * schedules that may be drawn hangs, n schedules show none with a probability
 * of (1 - p)^n, which is below 5 % if p > 1 - 0.05^(1/n), about 3/n.
 */
struct random_state {
    unsigned chance[ORR_DECISION_KINDS]; /* in 256 */
};

static void random_begin(struct orr_strategy *strategy)
{
    static const unsigned chances[] = {0, 16, 64, 256};
    struct random_state *state = strategy->state;

    for (unsigned kind = 0; kind < ORR_DECISION_KINDS; kind++)
        state->chance[kind] = chances[draw(strategy, G_N_ELEMENTS(chances))];
}

static unsigned random_decide(struct orr_strategy *strategy,
                              const struct orr_decision *decision)
{
    const struct random_state *state = strategy->state;

    return toss(strategy, decision, state->chance[decision->kind]);
}

static unsigned random_bounds(const struct orr_strategy_scope *scope,
                              uint64_t schedules, double *into)
{
    (void)scope;
    into[0] = -expm1(log(0.05) / (double)schedules);
    return 1;
}

static char *random_claim(const struct orr_strategy_scope *scope,
                          uint64_t schedules)
{
    double share;

    random_bounds(scope, schedules, &share);
    return g_strdup_printf(
        "fewer than %.2g %% of the schedules that it draws hang, with 95 %% "
        "confidence",
        100 * share);
}

static const struct orr_strategy_ops random_ops = {
    .name = "random",
    .state_size = sizeof(struct random_state),
    .begin = random_begin,
    .decide = random_decide,
    .claim = random_claim,
    .bounds = random_bounds,
};

/*
 * Actors (workers, the application, and all copies as one) have random
 * priorities; the highest one is chosen. In a concurrent policy, only the
 * caller with the highest priority of all continues at an operation on a lock;
 * all others are preempted until nothing else can happen. At d - 1 random
 * points the chosen actor falls below all others. With n actors and k
 * decisions, a schedule meets d given constraints on the order of decisions
 * with a probability of 1 / (n k^(d-1)) or more (Burckhardt, Kothari,
 * Musuvathi, Nagarakatte, A Randomized Scheduler with Probabilistic Guarantees
 * of Finding Bugs, ASPLOS 2010, section 3). Decisions that do not choose
 * between actors keep their defaults.
 */
enum {
    DEEPEST = ORR_STRATEGY_BOUNDS, /* d is 1, 2, ... in turn */
    MOST_ACTORS = 64 + 2,          /* with more, workers share priorities */
    APPLICATION = MOST_ACTORS - 2, /* see actor_of() */
    COPIES = MOST_ACTORS - 1,
};

struct pct_state {
    uint64_t priorities[MOST_ACTORS];
    unsigned depth;
    uint64_t changes[DEEPEST - 1]; /* positions; depth - 1 of them */
};

static unsigned actor_of(unsigned index)
{
    if (index == ORR_NO_WORKER)
        return APPLICATION;
    return index == ORR_NO_ACTOR ? COPIES : index % APPLICATION;
}

static void pct_begin(struct orr_strategy *strategy)
{
    struct pct_state *state = strategy->state;
    uint64_t decisions = MAX(strategy->scope.decisions, 1);

    state->depth = 1 + (unsigned)(strategy->number % DEEPEST);
    for (unsigned i = 0; i < MOST_ACTORS; i++)
        state->priorities[i] = DEEPEST + draw(strategy, 1u << 31);
    for (unsigned i = 0; i + 1 < state->depth; i++)
        state->changes[i] = draw(strategy, decisions);
}

/* Which of the changes comes at this decision, from 1; 0: none. */
static unsigned change_now(const struct orr_strategy *strategy)
{
    const struct pct_state *state = strategy->state;

    for (unsigned i = 0; i + 1 < state->depth; i++) {
        if (state->changes[i] == strategy->position)
            return i + 1;
    }
    return 0;
}

static unsigned most_urgent(const struct pct_state *state,
                            const struct orr_decision *decision)
{
    unsigned best = 0;

    for (unsigned i = 1; i < decision->count; i++) {
        if (state->priorities[actor_of(decision->actors[i])] >
            state->priorities[actor_of(decision->actors[best])])
            best = i;
    }
    return best;
}

/* Whether no worker has a higher priority than @actor, nor the application. */
static bool is_first(const struct orr_strategy *strategy, unsigned actor)
{
    const struct pct_state *state = strategy->state;
    unsigned workers = MIN(strategy->scope.workers, (unsigned)APPLICATION);
    uint64_t priority = state->priorities[actor];

    for (unsigned w = 0; w < workers; w++) {
        if (state->priorities[w] > priority)
            return false;
    }
    return state->priorities[APPLICATION] <= priority;
}

static unsigned pct_decide(struct orr_strategy *strategy,
                           const struct orr_decision *decision)
{
    struct pct_state *state = strategy->state;
    bool steps =
        decision->kind == ORR_DECIDE_STEP || decision->kind == ORR_DECIDE_GAP;
    unsigned change = change_now(strategy);
    unsigned actor;

    if (!decision->actors)
        return 0;
    actor =
        actor_of(decision->actors[steps ? 0 : most_urgent(state, decision)]);
    if (change)
        state->priorities[actor] = DEEPEST - change;
    if (steps)
        return is_first(strategy, actor) ? 0 : decision->count - 1;
    return most_urgent(state, decision);
}

static unsigned pct_bounds(const struct orr_strategy_scope *scope,
                           uint64_t schedules, double *into)
{
    double actors = scope->workers + 2.0;
    double decisions = MAX((double)scope->decisions, 1);

    for (unsigned depth = 1; depth <= DEEPEST; depth++) {
        uint64_t tries = (schedules + DEEPEST - depth) / DEEPEST;
        double once = 1 / (actors * pow(decisions, depth - 1.0));

        into[depth - 1] = -expm1((double)tries * log1p(-once));
    }
    return DEEPEST;
}

static char *pct_claim(const struct orr_strategy_scope *scope,
                       uint64_t schedules)
{
    GString *text = g_string_new("with probability at least");
    double all[DEEPEST];

    pct_bounds(scope, schedules, all);
    for (unsigned depth = 1; depth <= DEEPEST; depth++)
        g_string_append_printf(text, "%s %.2g", depth > 1 ? "," : "",
                               all[depth - 1]);
    g_string_append_printf(text,
                           ", any given hang that needs 1, 2, 3, %d ordering "
                           "constraints among %" G_GUINT64_FORMAT
                           " decisions of %u actors would have been found",
                           DEEPEST, scope->decisions, scope->workers + 2);
    return g_string_free(text, FALSE);
}

static const struct orr_strategy_ops pct_ops = {
    .name = "pct",
    .state_size = sizeof(struct pct_state),
    .begin = pct_begin,
    .decide = pct_decide,
    .claim = pct_claim,
    .bounds = pct_bounds,
};

/*
 * One worker (the next one in each schedule) is chosen only when no other can
 * be, as if its core were busy with something else. Other decisions are the
 * default in the first round over the workers; in later rounds they deviate
 * more and more.
 */
static const unsigned starve_chances[] = {0, 32, 256}; /* in 256 */

static unsigned starve_decide(struct orr_strategy *strategy,
                              const struct orr_decision *decision)
{
    unsigned workers = MAX(strategy->scope.workers, 1u);
    unsigned starved = (unsigned)(strategy->number % workers);
    unsigned chance = starve_chances[strategy->number / workers %
                                     G_N_ELEMENTS(starve_chances)];
    unsigned option;

    if (decision->kind == ORR_DECIDE_GAP)
        return decision->actors[0] == starved ? decision->count - 1 : 0;
    option = toss(strategy, decision, chance);

    for (unsigned i = 0; decision->actors && i < decision->count; i++) {
        if (decision->actors[option] != starved)
            break;
        option = (option + 1) % decision->count;
    }
    return option;
}

static char *starve_claim(const struct orr_strategy_scope *scope,
                          uint64_t schedules)
{
    return g_strdup_printf("%" G_GUINT64_FORMAT " of %u workers have been held "
                           "back",
                           MIN(schedules, scope->workers), scope->workers);
}

static const struct orr_strategy_ops starve_ops = {
    .name = "starve",
    .decide = starve_decide,
    .claim = starve_claim,
};

/*
 * The default schedule except at one to four points: most hangs need no more
 * (Emmi, Qadeer, Rakamaric, Delay-Bounded Scheduling, POPL 2011), and such a
 * schedule is easy to understand.
 */
enum { MOST_DELAYS = 4 };

struct delay_state {
    unsigned count;
    uint64_t points[MOST_DELAYS];
};

static void delay_begin(struct orr_strategy *strategy)
{
    struct delay_state *state = strategy->state;
    uint64_t decisions = MAX(strategy->scope.decisions, 1);

    state->count = 1 + (unsigned)(strategy->number % MOST_DELAYS);
    for (unsigned i = 0; i < state->count; i++)
        state->points[i] = draw(strategy, decisions);
}

static unsigned delay_decide(struct orr_strategy *strategy,
                             const struct orr_decision *decision)
{
    const struct delay_state *state = strategy->state;

    for (unsigned i = 0; i < state->count; i++) {
        if (state->points[i] == strategy->position)
            return 1 + (unsigned)draw(strategy, decision->count - 1);
    }
    return 0;
}

static const struct orr_strategy_ops delay_ops = {
    .name = "delay",
    .state_size = sizeof(struct delay_state),
    .begin = delay_begin,
    .decide = delay_decide,
};

static const struct orr_strategy_ops *const table[ORR_STRATEGIES] = {
    [ORR_STRATEGY_RANDOM] = &random_ops,
    [ORR_STRATEGY_PCT] = &pct_ops,
    [ORR_STRATEGY_STARVE] = &starve_ops,
    [ORR_STRATEGY_DELAY] = &delay_ops,
};

static unsigned decide(struct orr_decider *decider,
                       const struct orr_decision *decision)
{
    struct orr_strategy *strategy = (struct orr_strategy *)decider;
    unsigned option;

    if (decision->kind == ORR_DECIDE_ORDER)
        return 0;
    option = strategy->ops->decide(strategy, decision);
    strategy->position++;
    return option;
}

struct orr_strategy *orr_strategy_new(enum orr_strategy_kind kind,
                                      const struct orr_strategy_scope *scope)
{
    struct orr_strategy *strategy = g_new0(struct orr_strategy, 1);

    strategy->decider.decide = decide;
    strategy->ops = table[kind];
    strategy->scope = *scope;
    strategy->state = g_malloc0(strategy->ops->state_size);
    return strategy;
}

void orr_strategy_free(struct orr_strategy *strategy)
{
    if (!strategy)
        return;
    g_free(strategy->state);
    g_free(strategy);
}

struct orr_decider *orr_strategy_begin(struct orr_strategy *strategy,
                                       uint64_t number)
{
    strategy->number = number;
    strategy->drawn = 0;
    strategy->position = 0;
    if (strategy->state)
        memset(strategy->state, 0, strategy->ops->state_size);
    if (strategy->ops->begin)
        strategy->ops->begin(strategy);
    return &strategy->decider;
}

char *orr_strategy_claim(enum orr_strategy_kind kind,
                         const struct orr_strategy_scope *scope,
                         uint64_t schedules)
{
    return table[kind]->claim ? table[kind]->claim(scope, schedules) : NULL;
}

unsigned orr_strategy_bounds(enum orr_strategy_kind kind,
                             const struct orr_strategy_scope *scope,
                             uint64_t schedules,
                             double bounds[ORR_STRATEGY_BOUNDS])
{
    return table[kind]->bounds ? table[kind]->bounds(scope, schedules, bounds)
                               : 0;
}

const char *orr_strategy_name(enum orr_strategy_kind kind)
{
    return table[kind]->name;
}
