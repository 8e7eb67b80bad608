/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records which pairs of operations of a concurrent policy were interleaved.
 *
 * Each distinct operation is a site, numbered in the order in which it is first
 * seen, with bit masks of locks and of other sites. When a caller executes an
 * operation, each other caller that has begun a call adds this site to the set
 * "followed" of its own last site. A pair may happen if the first site is not
 * always the last of its call and no lock was held at both, every time; it is
 * seen if its bit is set. Results of several threads are joined by translating
 * numbers of sites and locks by their texts.
 */
#include "apps/search/interleavings.h"

#include <string.h>

#include "apps/output/output.h"

/* Limits. Further callers and locks share an entry; further operations are
 * ignored. */
enum { MOST_CALLERS = 65, MOST_SITES = 64, MOST_LOCKS = 64 };

/* Pairs that facts list as not seen, at most. */
enum { MOST_TOLD = 20 };

/* Size of the hash table of texts of a run, a power of two. */
enum { PLACES = 256 };

/* An operation. */
struct site {
    char *text;   /* "pop, releases lock queue" */
    bool goes_on; /* in some call, another operation followed */
    uint64_t
        before; /* bit mask of locks that were held or acquired every time */
    uint64_t after; /* bit mask of locks that were held afterwards every time */
    uint64_t followed; /* bit mask of sites that other callers executed after
                          it, before its call continued */
};

struct caller {
    int last;      /* the site of its last operation in this call, or -1 */
    uint64_t held; /* locks */
};

/* The site and the lock of an operation, found by the addresses of its texts,
 * which are constant during a run. */
struct meaning {
    const char *call, *verb, *object;
    int site;      /* or -1 */
    uint64_t lock; /* bit of the object if it is a lock; 0: it is not */
};

struct orr_interleavings {
    struct orr_trace trace; /* first */
    struct site sites[MOST_SITES];
    unsigned count;
    char *locks[MOST_LOCKS];
    unsigned lock_count;
    struct caller callers[MOST_CALLERS]; /* the application, then workers */
    unsigned caller_count; /* callers with an operation in this run */
    struct meaning meanings[PLACES];
};

static uint64_t bit_of(struct orr_interleavings *seen, const char *lock)
{
    for (unsigned i = 0; i < seen->lock_count; i++) {
        if (strcmp(seen->locks[i], lock) == 0)
            return UINT64_C(1) << i;
    }
    if (seen->lock_count == MOST_LOCKS)
        return UINT64_C(1) << (MOST_LOCKS - 1);
    seen->locks[seen->lock_count] = g_strdup(lock);
    return UINT64_C(1) << seen->lock_count++;
}

/* The verb of the operation in the statistics: a wake-up of a worker that is
 * awake ("tries to wake") counts as a wake-up. */
static const char *verb_of(const struct orr_trace_step *step)
{
    return strcmp(step->verb, "tries to wake") == 0 ? "wakes" : step->verb;
}

/* Whether @text describes @step. */
static bool is_site(const char *text, const struct orr_trace_step *step)
{
    const char *const parts[] = {step->call, ", ", verb_of(step), " ",
                                 step->object};

    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        size_t length = strlen(parts[i]);

        if (strncmp(text, parts[i], length) != 0)
            return false;
        text += length;
    }
    return !*text;
}

/* Adds a site with @text, which it takes. Returns its index; -1: too many. */
static int add_site(struct orr_interleavings *seen, char *text)
{
    if (seen->count == MOST_SITES) {
        g_free(text);
        return -1;
    }
    seen->sites[seen->count] =
        (struct site){.text = text, .before = UINT64_MAX, .after = UINT64_MAX};
    return (int)seen->count++;
}

static int find_site(struct orr_interleavings *seen,
                     const struct orr_trace_step *step)
{
    for (unsigned i = 0; i < seen->count; i++) {
        if (is_site(seen->sites[i].text, step))
            return (int)i;
    }
    return add_site(seen, g_strconcat(step->call, ", ", verb_of(step), " ",
                                      step->object, NULL));
}

static bool is_lock(const struct orr_trace_step *step)
{
    return step->kind == ORR_TRACE_ACQUIRES || step->kind == ORR_TRACE_RELEASES;
}

/* Returns the site and lock of @step; compares texts only the first time in a
 * run. */
static const struct meaning *find_meaning(struct orr_interleavings *seen,
                                          const struct orr_trace_step *step)
{
    uintptr_t mixed = (uintptr_t)step->call * 31 + (uintptr_t)step->verb * 17 +
                      (uintptr_t)step->object;
    struct meaning *meaning =
        &seen->meanings[(mixed >> 4 ^ mixed >> 12) % PLACES];

    if (meaning->call == step->call && meaning->verb == step->verb &&
        meaning->object == step->object)
        return meaning;
    *meaning = (struct meaning){
        .call = step->call,
        .verb = step->verb,
        .object = step->object,
        .site = find_site(seen, step),
        .lock = is_lock(step) ? bit_of(seen, step->object) : 0,
    };
    return meaning;
}

/* Records @caller's operation in every pair that another caller has open. */
static void record_pairs(struct orr_interleavings *seen, struct caller *caller,
                         int number)
{
    for (unsigned i = 0; i < seen->caller_count; i++) {
        const struct caller *other = &seen->callers[i];

        if (other != caller && other->last >= 0 && number >= 0)
            seen->sites[other->last].followed |= UINT64_C(1) << number;
    }
    if (caller->last >= 0)
        seen->sites[caller->last].goes_on = true;
    caller->last = number;
}

static void operate(struct orr_interleavings *seen, struct caller *caller,
                    const struct orr_trace_step *step)
{
    uint64_t held = caller->held;
    const struct meaning *meaning = find_meaning(seen, step);
    int number = meaning->site;

    if (step->kind == ORR_TRACE_ACQUIRES)
        caller->held |= meaning->lock;
    else if (step->kind == ORR_TRACE_RELEASES)
        caller->held &= ~meaning->lock;
    if (number >= 0) {
        seen->sites[number].before &= held | caller->held;
        seen->sites[number].after &= caller->held;
    }
    record_pairs(seen, caller, number);
}

static void add_step(struct orr_trace *trace, const struct orr_trace_step *step)
{
    struct orr_interleavings *seen = (struct orr_interleavings *)trace;
    unsigned index = step->worker == ORR_TRACE_APPLICATION
                         ? 0
                         : 1 + step->worker % (MOST_CALLERS - 1);
    struct caller *caller = &seen->callers[index];

    seen->caller_count = MAX(seen->caller_count, index + 1);
    switch ((enum orr_trace_step_kind)step->kind) {
    case ORR_TRACE_CALLS:
    case ORR_TRACE_RETURNS:
        *caller = (struct caller){.last = -1};
        break;
    case ORR_TRACE_OPERATES:
    case ORR_TRACE_ACQUIRES:
    case ORR_TRACE_RELEASES:
        if (*step->call)
            operate(seen, caller, step);
        break;
    case ORR_TRACE_WAITS:
        if (strcmp(step->verb, "waits for lock") != 0)
            caller->held = 0; /* waiting on a condition releases its lock */
        break;
    case ORR_TRACE_HOLDS_BACK:
    case ORR_TRACE_GOES_ON:
        break;
    }
}

struct orr_interleavings *orr_interleavings_new(void)
{
    struct orr_interleavings *seen = g_new0(struct orr_interleavings, 1);

    seen->trace = (struct orr_trace){ORR_TRACE_INIT, .step = add_step};
    return seen;
}

void orr_interleavings_free(struct orr_interleavings *seen)
{
    if (!seen)
        return;
    for (unsigned i = 0; i < seen->count; i++)
        g_free(seen->sites[i].text);
    for (unsigned i = 0; i < seen->lock_count; i++)
        g_free(seen->locks[i]);
    g_free(seen);
}

struct orr_trace *orr_interleavings_begin(struct orr_interleavings *seen)
{
    for (unsigned i = 0; i < MOST_CALLERS; i++)
        seen->callers[i] = (struct caller){.last = -1};
    memset(seen->meanings, 0, sizeof(seen->meanings));
    return &seen->trace;
}

bool orr_interleavings_are_none(const struct orr_interleavings *seen)
{
    return seen->count == 0;
}

static int find_text(struct orr_interleavings *seen, const char *text)
{
    for (unsigned i = 0; i < seen->count; i++) {
        if (strcmp(seen->sites[i].text, text) == 0)
            return (int)i;
    }
    return add_site(seen, g_strdup(text));
}

/* Converts @mask from the bits of @other to those of @seen; the mask of all
 * locks stays as it is. */
static uint64_t translate(struct orr_interleavings *seen,
                          const struct orr_interleavings *other, uint64_t mask)
{
    uint64_t own = 0;

    if (mask == UINT64_MAX)
        return mask;
    for (unsigned i = 0; i < other->lock_count; i++) {
        if (mask >> i & 1)
            own |= bit_of(seen, other->locks[i]);
    }
    return own;
}

void orr_interleavings_join(struct orr_interleavings *seen,
                            const struct orr_interleavings *other)
{
    int numbers[MOST_SITES];

    for (unsigned i = 0; i < other->count; i++)
        numbers[i] = find_text(seen, other->sites[i].text);
    for (unsigned i = 0; i < other->count; i++) {
        const struct site *from = &other->sites[i];
        struct site *site = numbers[i] >= 0 ? &seen->sites[numbers[i]] : NULL;

        if (!site)
            continue;
        site->goes_on |= from->goes_on;
        site->before &= translate(seen, other, from->before);
        site->after &= translate(seen, other, from->after);
        for (unsigned k = 0; k < other->count; k++) {
            if (from->followed >> k & 1 && numbers[k] >= 0)
                site->followed |= UINT64_C(1) << numbers[k];
        }
    }
}

void orr_interleavings_save(const struct orr_interleavings *seen, GString *text)
{
    g_string_append_printf(text, "locks %u\n", seen->lock_count);
    for (unsigned i = 0; i < seen->lock_count; i++) {
        g_string_append(text, "lock ");
        orr_lines_append_text(text, seen->locks[i]);
        g_string_append_c(text, '\n');
    }
    g_string_append_printf(text, "sites %u\n", seen->count);
    for (unsigned i = 0; i < seen->count; i++) {
        const struct site *site = &seen->sites[i];

        g_string_append_printf(
            text,
            "site %d %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER
            "x %" G_GINT64_MODIFIER "x ",
            site->goes_on, site->before, site->after, site->followed);
        orr_lines_append_text(text, site->text);
        g_string_append_c(text, '\n');
    }
}

static void load_site(struct orr_interleavings *seen, struct orr_lines *lines)
{
    struct site site = {0};

    site.goes_on = orr_lines_number(lines, 1);
    site.before = orr_lines_hash(lines);
    site.after = orr_lines_hash(lines);
    site.followed = orr_lines_hash(lines);
    site.text = orr_lines_text(lines);
    if (site.text)
        seen->sites[seen->count++] = site;
}

bool orr_interleavings_load(struct orr_interleavings *seen,
                            struct orr_lines *lines)
{
    uint64_t count;

    orr_lines_next(lines, "locks");
    count = orr_lines_number(lines, MOST_LOCKS);
    while (!lines->failed && count-- > 0 && orr_lines_next(lines, "lock")) {
        char *lock = orr_lines_text(lines);

        if (lock)
            seen->locks[seen->lock_count++] = lock;
    }
    orr_lines_next(lines, "sites");
    count = orr_lines_number(lines, MOST_SITES);
    while (!lines->failed && count-- > 0 && orr_lines_next(lines, "site"))
        load_site(seen, lines);
    return !lines->failed;
}

static void tell_unseen(JsonArray *unseen, const struct site *site,
                        const struct site *between)
{
    JsonObject *object;

    if (json_array_get_length(unseen) == MOST_TOLD)
        return;
    object = orr_output_add_object(unseen);
    orr_output_set_text(object, "after", site->text);
    orr_output_set_text(object, "between", between->text);
}

void orr_interleavings_add_facts(const struct orr_interleavings *seen,
                                 JsonObject *facts)
{
    JsonObject *object;
    JsonArray *unseen;
    gint64 pairs = 0, count = 0;

    if (seen->count == 0)
        return;
    object = json_object_new();
    json_object_set_object_member(facts, "interleavings", object);
    unseen = orr_output_add_array(object, "unseen");
    for (unsigned i = 0; i < seen->count; i++) {
        const struct site *site = &seen->sites[i];

        for (unsigned k = 0; site->goes_on && k < seen->count; k++) {
            bool was = site->followed >> k & 1;

            if (!was && site->after & seen->sites[k].before)
                continue; /* a common lock excludes the pair */
            pairs++;
            count += was;
            if (!was)
                tell_unseen(unseen, site, &seen->sites[k]);
        }
    }
    json_object_set_int_member(object, "operations", seen->count);
    json_object_set_int_member(object, "pairs", pairs);
    json_object_set_int_member(object, "seen", count);
}
