/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rogue: a queue that does what no policy may: ROGUE_WHAT in ROGUE_WHERE, which
 * the environment names. Other variables may be set to anything: with ROGUE_ALL
 * it has all functions; with ROGUE_CONCURRENT it is concurrent, and may hold a
 * lock at that; with ROGUE_SILENT it wakes no worker; with ROGUE_STATE it asks
 * for too much memory. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched/sched.h"

/* LOAD is a constructor of the file, UNLOAD a destructor. */
#define WHERE(X)                                                               \
    X(INIT)                                                                    \
    X(FINI)                                                                    \
    X(PLACE)                                                                   \
    X(PUSH)                                                                    \
    X(PUSHED)                                                                  \
    X(POP)                                                                     \
    X(STARTED)                                                                 \
    X(DONE)                                                                    \
    X(TOUCHED)                                                                 \
    X(LOAD)                                                                    \
    X(UNLOAD)
#define WHAT(X)                                                                \
    X(CRASH)                                                                   \
    X(LIBRARY)                                                                 \
    X(ABORT)                                                                   \
    X(DIVIDE)                                                                  \
    X(RECURSE)                                                                 \
    X(TRAP)                                                                    \
    X(EXIT)                                                                    \
    X(EXIT_AT_ONCE)                                                            \
    X(EXIT_QUICKLY)                                                            \
    X(LOOP)                                                                    \
    X(LOOP_ALLOCATING)                                                         \
    X(SLEEP)                                                                   \
    X(END_THREAD)                                                              \
    X(THREAD_CRASH)                                                            \
    X(THREAD_EXIT)                                                             \
    X(TWICE)                                                                   \
    X(WILD)                                                                    \
    X(OWN)                                                                     \
    X(UNABLE)                                                                  \
    X(NO_WORKER)                                                               \
    X(NO_NODE)                                                                 \
    X(NO_TASK)                                                                 \
    X(POPPED)                                                                  \
    X(KEEP)                                                                    \
    X(WAIT)                                                                    \
    X(NAP)                                                                     \
    X(NONE)
#define NUMBER(name) name,
#define TEXT(name) #name,

enum where { WHERE(NUMBER) };
enum what { WHAT(NUMBER) };

/* Read by the constructor, and constant from then on. */
static enum where where;
static enum what what;
static bool concurrent, silent;

struct state {
    struct orr_lock *lock; /* of a concurrent one */
    struct orr_task *first, *last;
    struct orr_task *popped; /* the first one */
    struct orr_task own;     /* not of the runtime */
};

/* No compiler sees through it. */
static volatile int nothing;
static unsigned naps;
static char *volatile nowhere;

static int recurse(int depth)
{
    volatile char frame[1000];

    frame[0] = (char)depth;
    return depth < 0 ? 0 : recurse(depth + 1) + frame[0];
}

static void loop(void)
{
    for (;;) {
        if (what == LOOP_ALLOCATING)
            g_free(g_malloc(7 + (gsize)nothing));
    }
}

static void *crash_or_exit(void *arg)
{
    (void)arg;
    if (what == THREAD_EXIT)
        exit(0);
    *nowhere = 1;
    return NULL;
}

static void do_in_thread(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, crash_or_exit, NULL) == 0)
        pthread_join(thread, NULL);
}

static void misbehave(enum where here)
{
    if (here != where)
        return;
    switch (what) {
    case TRAP:
        g_error("the policy has had enough");
    case EXIT:
        exit(0);
    case EXIT_AT_ONCE:
        _exit(0);
    case EXIT_QUICKLY:
        quick_exit(0);
    case LOOP:
    case LOOP_ALLOCATING:
        loop();
        break;
    case SLEEP:
        for (;;)
            pause();
    case NAP:
        g_usleep(200000 / (1 + (gulong)naps++ * 1000));
        break;
    case END_THREAD:
        pthread_exit(NULL);
    case THREAD_CRASH:
    case THREAD_EXIT:
        do_in_thread();
        break;
    case CRASH:
        *nowhere = 1;
        break;
    case LIBRARY:
        nothing = (int)strlen(nowhere);
        break;
    case ABORT:
        abort();
    case DIVIDE:
        nothing = 7 / nothing;
        break;
    case RECURSE:
        nothing = recurse(0);
        break;
    default:
        break;
    }
}

__attribute__((destructor)) static void unload(void)
{
    misbehave(UNLOAD);
}

static void init(struct orr_sched *sched)
{
    misbehave(INIT);
    if (what == WAIT) {
        struct orr_lock *lock = orr_lock_new(sched, "rogue");

        orr_lock_acquire(lock);
        orr_cond_wait(orr_cond_new(sched, "never"), lock);
    }
    if (concurrent) {
        struct state *state = orr_sched_state(sched);

        state->lock = orr_lock_new(sched, "rogue");
    }
}

static void fini(struct orr_sched *sched)
{
    (void)sched;
    misbehave(FINI);
}

static struct state *enter(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    if (concurrent)
        orr_lock_acquire(state->lock);
    return state;
}

static void leave(const struct state *state)
{
    if (concurrent && what != KEEP)
        orr_lock_release(state->lock);
}

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = enter(sched);

    misbehave(PUSH);
    *(state->first ? &state->last->next : &state->first) = task;
    task->next = NULL;
    state->last = task;
    leave(state);
    if (!concurrent)
        orr_sched_watch(sched, task, 1);
    for (unsigned w = 0; !silent && w < orr_sched_workers(sched); w++)
        orr_sched_wake(sched, w);
}

/* Asks the runtime for what there is not. */
static void ask(struct orr_sched *sched, struct orr_task *task,
                struct orr_task *popped)
{
    switch (what) {
    case NO_WORKER:
        orr_sched_wake(sched, orr_sched_workers(sched));
        break;
    case NO_NODE:
        orr_sched_transfer(sched, task, 7);
        break;
    case NO_TASK:
        orr_sched_prefetch(sched, (struct orr_task *)(uintptr_t)0x1234567, 0);
        break;
    case POPPED:
        if (popped)
            orr_sched_prefetch(sched, popped, 0);
        break;
    default:
        break;
    }
}

/* What the worker is to be given, in place of @task. */
static struct orr_task *pervert(struct state *state, struct orr_task *task)
{
    if (!state->popped)
        state->popped = task;
    switch (what) {
    case TWICE:
        return state->popped;
    case WILD:
        return (struct orr_task *)(uintptr_t)0x1234567;
    case OWN:
        return &state->own;
    default:
        return task;
    }
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = enter(sched);
    struct orr_task *task = state->first;

    misbehave(POP);
    if (task && what != UNABLE &&
        orr_sched_duration(sched, task, worker) == ORR_NEVER)
        task = NULL;
    if (task) {
        state->first = task->next;
        ask(sched, task, state->popped);
        task = pervert(state, task);
    }
    leave(state);
    return task;
}

#define OF_TASK(name, here)                                                    \
    static void name(struct orr_sched *sched, struct orr_task *task)           \
    {                                                                          \
        (void)sched;                                                           \
        (void)task;                                                            \
        misbehave(here);                                                       \
    }
OF_TASK(place, PLACE)
OF_TASK(pushed, PUSHED)
OF_TASK(touched, TOUCHED)

static void started(struct orr_sched *sched, struct orr_task *task,
                    unsigned worker)
{
    (void)sched;
    (void)task;
    (void)worker;
    misbehave(STARTED);
}

static void done(struct orr_sched *sched, struct orr_task *task,
                 unsigned worker)
{
    (void)sched;
    (void)task;
    (void)worker;
    misbehave(DONE);
}

static struct orr_sched_ops rogue = {
    .name = "rogue",
    .summary = "does what no policy may",
    .state_size = sizeof(struct state),
    .init = init,
    .fini = fini,
    .push = push,
    .pop = pop,
    .started = started,
    .done = done,
};

ORR_SCHED_PLUGIN(&rogue);

/* Returns which of the @count names the environment variable has. */
static unsigned find(const char *variable, const char *const *names,
                     unsigned count)
{
    const char *value = getenv(variable);

    for (unsigned i = 0; value && i < count; i++) {
        if (strcmp(value, names[i]) == 0)
            return i;
    }
    fprintf(stderr, "rogue: %s is not one of its words\n", variable);
    abort();
}

__attribute__((constructor)) static void load(void)
{
    static const char *const wheres[] = {WHERE(TEXT)};
    static const char *const whats[] = {WHAT(TEXT)};

    where = find("ROGUE_WHERE", wheres, G_N_ELEMENTS(wheres));
    what = find("ROGUE_WHAT", whats, G_N_ELEMENTS(whats));
    silent = getenv("ROGUE_SILENT");
    concurrent = getenv("ROGUE_CONCURRENT");
    rogue.concurrent = concurrent;
    if (getenv("ROGUE_STATE"))
        rogue.state_size = SIZE_MAX;
    if (getenv("ROGUE_ALL")) {
        rogue.place = place;
        rogue.pushed = pushed;
        rogue.touched = touched;
    }
    misbehave(LOAD);
}
