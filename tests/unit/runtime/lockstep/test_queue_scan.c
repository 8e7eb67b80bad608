/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Scans the lists of requests of a machine with RAM and one GPU: eight in each
 * direction. Each takes two ticks, the first of them to ask for its lock. A
 * worker that begins at tick 1 asks for the lock of list number i, from 0, at
 * tick 1 + 2i.
 *
 * Into a node: in flight with each, fetches, prefetches, idle copies from each.
 * Out of it: in flight with RAM, fetches, prefetches, idle copies to RAM, ...
 */
#include "runtime/lockstep/queue_scan.h"

#include "tests/support/lockstep.h"

enum { NODES = 2, GPU = 1, WORKERS = 2, LISTS = 8, TICKS = 20 };

struct fixture {
    struct lockstep_fixture base; /* first */
    struct orr_memory memories[NODES];
    unsigned posted_at; /* at this tick something is posted */
    struct orr_request request;
};

static void post(struct lockstep_fixture *base)
{
    struct fixture *f = (struct fixture *)base;

    if (base->tick == f->posted_at)
        orr_queue_scan_posted(&f->request);
}

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    fixture_init(&f->base, TICKS);
    f->base.at_tick = post;
    f->base.run.node_count = NODES;
    orr_run_lend(&f->base.run);
    f->base.run.store.memories = f->memories;
    fixture_add_workers(&f->base, WORKERS);
    orr_queue_scan_init(&f->base.run);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    orr_queue_scan_clear(&f->base.run);
    fixture_clear(&f->base);
    g_free(f);
    return 0;
}

/* Goes on until all lists are looked at. Notes each tick at which it stops, the
 * list behind which it does, and a "!" if something was posted there. */
struct tour {
    enum { BEGIN, LOOKED } at;
    struct fixture *f;
    struct orr_worker *worker;
    unsigned pending; /* ticks, before it begins */
    unsigned end;
    struct orr_queue_scan *scan;
};

static enum orr_next tour(struct orr_actor *actor, void *locals)
{
    struct tour *tour = locals;
    struct orr_queue_id queue = {.node = tour->scan->node};

    if (tour->at == LOOKED) {
        const char *mark = tour->scan->stopped ? "!" : "";

        fixture_note(&tour->f->base, actor);
        orr_queue_scan_resume(&tour->f->base.run, tour->scan, &queue);
        g_string_append_printf(tour->f->base.log, "%s%u%s ",
                               queue.level == ORR_FETCH      ? "fetch"
                               : queue.level == ORR_PREFETCH ? "prefetch"
                                                             : "idle",
                               queue.peer, mark);
    }
    tour->at = LOOKED;
    orr_lockstep_add_ticks(actor->engine, tour->pending);
    tour->pending = 0;
    return orr_queue_scan_until(actor, tour->worker, tour->scan, tour->end)
               ? ORR_CONTINUE
               : ORR_DONE;
}

/* The worker number @i looks at all lists that @scan has not looked at, from
 * its tick number @tick on. */
static struct tour *enter(struct fixture *f, unsigned i, unsigned tick,
                          struct orr_queue_scan *scan)
{
    struct orr_worker *worker = f->base.run.workers[i];
    struct tour *locals = orr_actor_call(&worker->actor, tour, sizeof(*locals));

    locals->f = f;
    locals->worker = worker;
    locals->end = LISTS;
    locals->scan = scan;
    orr_clock_queue(&worker->actor, tick);
    return locals;
}

/* At @tick a request comes into the list of @queue. */
static void post_at(struct fixture *f, unsigned tick, struct orr_queue_id queue)
{
    f->posted_at = tick;
    f->request = (struct orr_request){
        .store = &f->base.run.store,
        .node = (uint8_t)queue.node,
        .peer = (uint8_t)queue.peer,
        .direction = (uint8_t)queue.direction,
        .level = (uint8_t)queue.level,
    };
}

static void each_list_takes_two_ticks(void **state)
{
    struct fixture *f = *state;
    struct orr_queue_scan scan = {.node = GPU, .direction = ORR_IN};

    enter(f, 0, 1, &scan);
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a17 idle1 ");
    assert_int_equal(scan.scanned, LISTS);
}

static void a_worker_alone_does_not_call(void **state)
{
    struct fixture *f = *state;
    struct orr_queue_scan scan = {.node = GPU, .direction = ORR_IN};

    enter(f, 0, 1, &scan);
    fixture_run(&f->base);
    assert_string_equal(f->base.log->str, "");
    assert_int_equal(scan.scanned, LISTS);
}

static void a_request_posted_before_the_lock_is_asked_for_is_seen(void **state)
{
    struct fixture *f = *state;
    struct orr_queue_scan scan = {.node = GPU, .direction = ORR_IN};

    /* Prefetches from RAM are number 4: asked for at 9, given back at 10. The
     * other three lists take six ticks more. */
    enter(f, 0, 1, &scan);
    post_at(f, 9, (struct orr_queue_id){GPU, ORR_RAM, ORR_IN, ORR_PREFETCH});
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a11 prefetch0! a17 idle1 ");
}

static void even_before_the_look_begins(void **state)
{
    struct fixture *f = *state;
    struct orr_queue_scan scan = {.node = GPU, .direction = ORR_IN};

    /* Three ticks are pending: it comes to number 2 at 4 + 4. */
    enter(f, 0, 1, &scan)->pending = 3;
    post_at(f, 2, (struct orr_queue_id){GPU, ORR_RAM, ORR_IN, ORR_FETCH});
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a10 fetch0! a20 idle1 ");
}

static void a_request_posted_later_is_not_seen(void **state)
{
    struct fixture *f = *state;
    struct orr_queue_scan scan = {.node = GPU, .direction = ORR_IN};

    enter(f, 0, 1, &scan);
    post_at(f, 10, (struct orr_queue_id){GPU, ORR_RAM, ORR_IN, ORR_PREFETCH});
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a17 idle1 ");
}

static void nor_is_one_posted_elsewhere(void **state)
{
    struct fixture *f = *state;
    struct orr_queue_scan scan = {.node = GPU, .direction = ORR_IN};

    enter(f, 0, 1, &scan);
    post_at(f, 2, (struct orr_queue_id){GPU, ORR_RAM, ORR_OUT, ORR_PREFETCH});
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a17 idle1 ");
}

static void lists_behind_the_end_are_not_looked_at(void **state)
{
    struct fixture *f = *state;
    struct orr_queue_scan scan = {.node = GPU, .direction = ORR_IN};

    enter(f, 0, 1, &scan)->end = 4;
    post_at(f, 2, (struct orr_queue_id){GPU, ORR_RAM, ORR_IN, ORR_PREFETCH});
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a9 fetch1 ");
}

static void copies_in_flight_are_put_back(void **state)
{
    struct fixture *f = *state;
    struct orr_queue_scan scan = {.node = GPU, .direction = ORR_IN};

    /* Two ticks more, before list 1; and idle copies are not looked at. */
    f->memories[GPU].queues.has_pending[ORR_IN] = 1u << ORR_RAM;
    enter(f, 0, 1, &scan);
    post_at(f, 11, (struct orr_queue_id){GPU, ORR_RAM, ORR_IN, ORR_PREFETCH});
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a13 prefetch0! a15 idle1 ");
}

static void idle_copies_do_not_stop_a_worker_that_leaves_them_out(void **state)
{
    struct fixture *f = *state;
    struct orr_queue_scan scan = {.node = GPU, .direction = ORR_IN};

    f->memories[GPU].queues.has_pending[ORR_IN] = 1u << ORR_RAM;
    enter(f, 0, 1, &scan);
    post_at(f, 2, (struct orr_queue_id){GPU, ORR_RAM, ORR_IN, ORR_IDLE});
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a15 idle1 ");
}

static void out_of_a_node_lists_come_peer_by_peer(void **state)
{
    struct fixture *f = *state;
    struct orr_queue_scan scan = {.node = GPU, .direction = ORR_OUT};

    /* Prefetches to RAM are number 2. */
    enter(f, 0, 1, &scan);
    post_at(f, 5, (struct orr_queue_id){GPU, ORR_RAM, ORR_OUT, ORR_PREFETCH});
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a7 prefetch0! a17 idle1 ");
}

static void all_workers_that_come_to_a_list_of_ram_see_it(void **state)
{
    struct fixture *f = *state;
    struct orr_queue_scan scan = {.node = ORR_RAM, .direction = ORR_IN};
    struct orr_queue_scan other = scan;

    /* Prefetches from the GPU are number 5: at 11 and 13. */
    enter(f, 0, 1, &scan);
    enter(f, 1, 3, &other);
    post_at(f, 11, (struct orr_queue_id){ORR_RAM, GPU, ORR_IN, ORR_PREFETCH});
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str,
                        "a13 prefetch1! b15 prefetch1! a17 idle1 b19 idle1 ");
}

static void a_worker_that_has_passed_it_does_not(void **state)
{
    struct fixture *f = *state;
    struct orr_queue_scan scan = {.node = ORR_RAM, .direction = ORR_IN};
    struct orr_queue_scan other = scan;

    enter(f, 0, 1, &scan);
    enter(f, 1, 3, &other);
    post_at(f, 12, (struct orr_queue_id){ORR_RAM, GPU, ORR_IN, ORR_PREFETCH});
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str,
                        "b15 prefetch1! a17 idle1 b19 idle1 ");
}

ORR_TESTS(queue_scan)
{
#define T(behaviour) cmocka_unit_test_setup_teardown(behaviour, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(each_list_takes_two_ticks),
        T(a_worker_alone_does_not_call),
        T(a_request_posted_before_the_lock_is_asked_for_is_seen),
        T(even_before_the_look_begins),
        T(a_request_posted_later_is_not_seen),
        T(nor_is_one_posted_elsewhere),
        T(lists_behind_the_end_are_not_looked_at),
        T(copies_in_flight_are_put_back),
        T(idle_copies_do_not_stop_a_worker_that_leaves_them_out),
        T(out_of_a_node_lists_come_peer_by_peer),
        T(all_workers_that_come_to_a_list_of_ram_see_it),
        T(a_worker_that_has_passed_it_does_not),
#undef T
    };

    return cmocka_run_group_tests_name("scan", tests, NULL, NULL);
}
