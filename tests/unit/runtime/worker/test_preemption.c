/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How long a decider holds callers of a policy back. */
#include "runtime/config/run_config.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"
#include "tests/zoo/fifo.h"

enum { BEFORE = 6 }; /* tasks before the one that is held back */

struct state {
    struct fifo queue;
    struct orr_lock *lock; /* of a concurrent policy */
    unsigned pushed, ended;
    unsigned ended_before; /* before the last push */
};

static void count(struct state *state)
{
    if (state->pushed++ == BEFORE)
        state->ended_before = state->ended;
}

static void place(struct orr_sched *sched, struct orr_task *task)
{
    (void)sched;
    (void)task;
}

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);

    count(state);
    fifo_put(&state->queue, task);
    fifo_wake_all(sched, task);
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    return fifo_take(sched, &((struct state *)orr_sched_state(sched))->queue,
                     worker);
}

static void done(struct orr_sched *sched, struct orr_task *task,
                 unsigned worker)
{
    (void)task;
    (void)worker;
    ((struct state *)orr_sched_state(sched))->ended++;
}

static void init_lock(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    state->lock = orr_lock_new(sched, "queue");
}

static void free_lock(struct orr_sched *sched)
{
    orr_lock_free(((struct state *)orr_sched_state(sched))->lock);
}

static void push_locked(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);

    orr_lock_acquire(state->lock);
    count(state);
    fifo_put(&state->queue, task);
    orr_lock_release(state->lock);
    fifo_wake_all(sched, task);
}

static struct orr_task *pop_locked(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct orr_task *task;

    orr_lock_acquire(state->lock);
    task = pop(sched, worker);
    orr_lock_release(state->lock);
    return task;
}

static const struct orr_sched_ops plain = {
    .name = "plain",
    .state_size = sizeof(struct state),
    .place = place,
    .push = push,
    .pop = pop,
    .done = done,
};

static const struct orr_sched_ops concurrent = {
    .name = "concurrent",
    .state_size = sizeof(struct state),
    .concurrent = true,
    .init = init_lock,
    .fini = free_lock,
    .push = push_locked,
    .pop = pop_locked,
    .done = done,
};

/* Takes an option once, when the application has pushed all tasks but one. */
struct holder {
    struct orr_decider decider; /* first */
    enum orr_decision_kind kind;
    unsigned option;
    const struct state *state;
    bool held;
};

static unsigned hold(struct orr_decider *decider,
                     const struct orr_decision *decision)
{
    struct holder *holder = (struct holder *)decider;

    if (holder->held || decision->kind != holder->kind ||
        decision->actors[0] != ORR_NO_WORKER || holder->state->pushed < BEFORE)
        return 0;
    holder->held = true;
    return holder->option;
}

/* How many tasks have ended before the last one is pushed. */
static unsigned count_ended(const struct orr_sched_ops *policy, unsigned option)
{
    struct holder holder = {
        .decider = {.decide = hold},
        .kind = policy->concurrent ? ORR_DECIDE_STEP : ORR_DECIDE_GAP,
        .option = option,
    };
    struct orr_config config = unit_with_window(0);
    struct unit_run *unit;
    unsigned ended;

    config.models = "overheads=off";
    config.policy = policy;
    config.decider = &holder.decider;
    unit = unit_run_new("three-gpus.xml", &config);
    holder.state = orr_sched_state(unit->run->policy.sched);
    for (unsigned i = 0; i < BEFORE + 1; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    assert_int_equal(holder.state->pushed, BEFORE + 1);
    assert_true(holder.held);
    ended = holder.state->ended_before;
    unit_run_free(unit);
    return ended;
}

/* The options are ascending: not at all, for some time, until one task has
 * ended, until four have, until nothing else can happen. */
static void others_end_so_many_tasks_meanwhile(void **state)
{
    static const struct {
        unsigned option, ended;
    } cases[] = {{0, 0}, {5, 0}, {6, 1}, {7, 4}, {8, BEFORE}};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_int_equal(count_ended(&plain, cases[i].option), cases[i].ended);
        assert_int_equal(count_ended(&concurrent, cases[i].option),
                         cases[i].ended);
    }
}

ORR_TESTS(hold_back)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_end_so_many_tasks_meanwhile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
