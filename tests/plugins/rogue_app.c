/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rogue: an application that does what none may: ROGUE_WHAT in ROGUE_WHERE,
 * which the environment names. */
#include <orrery_app.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WHERE(X)                                                               \
    X(COMPLETE)                                                                \
    X(TASKS)                                                                   \
    X(FLOPS)                                                                   \
    X(SUBMIT)                                                                  \
    X(TABLE)                                                                   \
    X(LOAD)
/* BAD_FREE frees memory that was never allocated; BAD_HEAP crashes in malloc(),
 * which holds a lock then; MANY_DATA registers data without an end; JUMP jumps
 * out of a function to one that has returned; ENDLESS submits without an end;
 * NO_ERROR fails without an error. */
#define WHAT(X)                                                                \
    X(CRASH)                                                                   \
    X(LIBRARY)                                                                 \
    X(ABORT)                                                                   \
    X(DIVIDE)                                                                  \
    X(RECURSE)                                                                 \
    X(EXIT)                                                                    \
    X(EXIT_AT_ONCE)                                                            \
    X(LOOP)                                                                    \
    X(FORK)                                                                    \
    X(BAD_FREE)                                                                \
    X(BAD_HEAP)                                                                \
    X(MANY_DATA)                                                               \
    X(JUMP)                                                                    \
    X(ENDLESS)                                                                 \
    X(NO_ERROR)                                                                \
    X(WILD_ERROR)                                                              \
    X(WRONG_OPTION)                                                            \
    X(WRONG_KIND)                                                              \
    X(WILD_DATA)                                                               \
    X(WILD_KERNEL)                                                             \
    X(NULL_SPEC)                                                               \
    X(NONE)
#define NUMBER(name) name,
#define TEXT(name) #name,

enum where { WHERE(NUMBER) };
enum what { WHAT(NUMBER) };

/* Read by the constructor, and constant from then on. */
static enum where where;
static enum what what;

static volatile int nothing;
static char *volatile nowhere;

static int recurse(int depth)
{
    volatile char frame[1000];

    frame[0] = (char)depth;
    return depth < 0 ? 0 : recurse(depth + 1) + frame[0];
}

/* Looks like a block of the C library that is no part of its heap. */
static void free_wild(void)
{
    static size_t block[512] __attribute__((aligned(16)));
    volatile uintptr_t content = (uintptr_t)&block[2];

    block[1] = 2064 | 1; /* its size, and that the one before is in use */
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): that is the crime */
    free((void *)content);
}

static void *volatile kept;

/* Breaks the list of blocks that malloc() will search. */
static void break_heap(void)
{
    void *block = malloc(5000);
    volatile uintptr_t address = (uintptr_t)block;

    kept = malloc(5000); /* so that the block is not joined to what is free */
    free(block);
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): that is the crime */
    ((void *volatile *)address)[1] = (void *)(uintptr_t)0x1234568;
    kept = malloc(6000);
}

static jmp_buf returned;

static void misbehave(enum where here, const struct orr_app_values *values)
{
    if (here != where)
        return;
    switch (what) {
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
    case EXIT:
        exit(0);
    case EXIT_AT_ONCE:
        _exit(0);
    case LOOP:
        for (;;)
            ;
    case FORK:
        fork();
        break;
    case BAD_FREE:
        free_wild();
        break;
    case BAD_HEAP:
        break_heap();
        break;
    case JUMP:
        longjmp(returned, 1);
    case WRONG_OPTION:
        nothing = (int)orr_app_count(values, "absent");
        break;
    case WRONG_KIND:
        nothing = (int)orr_app_number(values, "count");
        break;
    default:
        break;
    }
}

static bool fail(GError **error)
{
    if (what == WILD_ERROR)
        *error = (GError *)(uintptr_t)0x1234568;
    return what != NO_ERROR && what != WILD_ERROR;
}

static bool complete(struct orr_app_values *values, GError **error)
{
    if (what == JUMP && setjmp(returned) != 0)
        abort();
    misbehave(COMPLETE, values);
    return where != COMPLETE || fail(error);
}

static double tasks(const struct orr_app_values *values)
{
    misbehave(TASKS, values);
    return (double)orr_app_count(values, "count");
}

static double flops(const struct orr_app_values *values)
{
    misbehave(FLOPS, values);
    return 1e9;
}

static bool submit(struct orr_run *run, const struct orr_app_values *values,
                   GError **error)
{
    struct orr_data *data = orr_data_register(run, 4);
    struct orr_kernel *kernel = orr_kernel_find(
        run, "cholesky", "gemm", ORR_SINGLE_PRECISION, 960, error);
    struct orr_access access = {data, ORR_RW};
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = kernel,
                                 .count = 1, .accesses = &access};

    for (uint64_t i = 0; i < orr_app_count(values, "count"); i++)
        orr_task_submit(run, &spec);
    misbehave(SUBMIT, values);
    if (what == WILD_DATA)
        access.data = (struct orr_data *)(uintptr_t)0x1234580;
    if (what == WILD_KERNEL)
        spec.kernel = (struct orr_kernel *)(uintptr_t)0x1234568;
    orr_task_submit(run, what == NULL_SPEC ? NULL : &spec);
    while (what == MANY_DATA)
        orr_data_register(run, 4);
    while (what == ENDLESS) {
        spec.kernel = NULL;
        orr_task_submit(run, &spec);
    }
    return where != SUBMIT || fail(error);
}

static const struct orr_app_option options[] = {
    {"count", "N", "number of tasks", ORR_APP_COUNT, 0, 9007199254740992.0, "3",
     NULL},
    {NULL, NULL, NULL, ORR_APP_COUNT, 0, 0, NULL, NULL},
};

static struct orr_app rogue = {
    .name = "rogue",
    .summary = "does what none may",
    .options = options,
    .complete = complete,
    .tasks = tasks,
    .flops = flops,
    .submit = submit,
};

ORR_APP_PLUGIN(&rogue);

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
    if (where == TABLE)
        rogue.summary = (const char *)(uintptr_t)0x1234568;
    misbehave(LOAD, NULL);
}
