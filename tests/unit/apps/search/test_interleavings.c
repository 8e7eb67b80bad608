/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which pairs of operations were interleaved, counted by hand. */
#include "apps/search/interleavings.h"

#include "apps/output/members.h"
#include "tests/support/cmocka_all.h"

static void step(struct orr_trace *trace, unsigned kind, unsigned worker,
                 const char *verb, const char *object)
{
    const struct orr_trace_step told = {
        .kind = kind,
        .worker = worker,
        .call = worker == ORR_TRACE_APPLICATION ? "push" : "pop",
        .verb = verb,
        .object = object,
    };

    trace->step(trace, &told);
}

static void call(struct orr_trace *trace, unsigned worker)
{
    step(trace, ORR_TRACE_CALLS, worker, NULL, NULL);
}

static void acquire(struct orr_trace *trace, unsigned worker)
{
    step(trace, ORR_TRACE_ACQUIRES, worker, "acquires lock", "queue");
}

static void release(struct orr_trace *trace, unsigned worker)
{
    step(trace, ORR_TRACE_RELEASES, worker, "releases lock", "queue");
}

static void look(struct orr_trace *trace, unsigned worker)
{
    step(trace, ORR_TRACE_OPERATES, worker, "reads", "a flag");
}

static JsonObject *facts_of(const struct orr_interleavings *seen)
{
    JsonObject *facts = json_object_new();

    orr_interleavings_add_facts(seen, facts);
    return facts;
}

static gint64 count(JsonObject *facts, const char *member)
{
    return orr_int_of(json_object_get_object_member(facts, "interleavings"),
                      member);
}

/* The worker acquires, releases and reads; so do those pairs begin whose first
 * operation is not the last: after the acquisition only a read may come, as the
 * lock is held; after the release, all three. */
static void pairs_that_a_lock_excludes_do_not_count(void **state)
{
    struct orr_interleavings *seen = orr_interleavings_new();
    struct orr_trace *trace = orr_interleavings_begin(seen);
    JsonObject *facts;

    (void)state;
    call(trace, 0);
    acquire(trace, 0);
    release(trace, 0);
    look(trace, 0);
    facts = facts_of(seen);
    assert_int_equal(count(facts, "operations"), 3);
    assert_int_equal(count(facts, "pairs"), 1 + 3);
    assert_int_equal(count(facts, "seen"), 0);
    json_object_unref(facts);
    orr_interleavings_free(seen);
}

/* Another worker reads between release and read of the first, in one run; in
 * another batch it reads in the critical section. */
static void what_comes_in_between_is_seen(void **state)
{
    struct orr_interleavings *seen = orr_interleavings_new();
    struct orr_interleavings *other = orr_interleavings_new();
    struct orr_trace *trace = orr_interleavings_begin(seen);
    JsonObject *facts;

    (void)state;
    call(trace, 0);
    call(trace, 1);
    acquire(trace, 0);
    release(trace, 0);
    look(trace, 1); /* after the release */
    look(trace, 0);
    facts = facts_of(seen);
    assert_int_equal(count(facts, "seen"), 1);
    json_object_unref(facts);

    trace = orr_interleavings_begin(other);
    call(trace, 1);
    call(trace, 0);
    acquire(trace, 0);
    look(trace, 1); /* after the acquisition */
    release(trace, 0);
    look(trace, 0);
    orr_interleavings_join(seen, other);
    facts = facts_of(seen);
    assert_int_equal(count(facts, "operations"), 3);
    assert_int_equal(count(facts, "pairs"), 4);
    assert_int_equal(count(facts, "seen"), 2);
    json_object_unref(facts);
    orr_interleavings_free(other);
    orr_interleavings_free(seen);
}

static void plain_policies_have_none(void **state)
{
    struct orr_interleavings *seen = orr_interleavings_new();
    JsonObject *facts;

    (void)state;
    call(orr_interleavings_begin(seen), ORR_TRACE_APPLICATION);
    facts = facts_of(seen);
    assert_false(json_object_has_member(facts, "interleavings"));
    json_object_unref(facts);
    orr_interleavings_free(seen);
}

ORR_TESTS(interleavings)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_that_a_lock_excludes_do_not_count),
        cmocka_unit_test(what_comes_in_between_is_seen),
        cmocka_unit_test(plain_policies_have_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
