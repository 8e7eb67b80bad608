/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads of the application, on stacks of coroutines. */
#include <string.h>

#include "runtime/engine/coroutine.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)
#define MS ((int64_t)1000000)

enum { MOST = 4 };

/* A run with threads, each of which calls a function. */
struct team {
    struct unit_run *unit;
    struct orr_coroutine *stacks[MOST + 1];
    void (*bodies[MOST + 1])(struct team *team, unsigned thread);
    bool ends[MOST + 1];
    unsigned thread; /* that has control */
    GString *log;
};

static void give(void *data, unsigned thread)
{
    struct team *team = data;
    unsigned self = team->thread;

    team->thread = thread;
    if (self != 0) {
        if (!team->ends[self])
            orr_coroutine_yield(team->stacks[self]);
        return;
    }
    while (team->thread != 0)
        orr_coroutine_resume(team->stacks[team->thread]);
}

static void run_body(void *data)
{
    struct team *team = data;
    unsigned self = team->thread;

    team->bodies[self](team, self);
    team->ends[self] = true;
    orr_run_thread_end(team->unit->run);
}

static void begin(struct team *team, const struct orr_config *config)
{
    *team = (struct team){.unit = unit_run_new("three-gpus.xml", config),
                          .log = g_string_new(NULL)};
    orr_run_set_switch(team->unit->run, give, team);
}

static unsigned add(struct team *team,
                    void (*body)(struct team *team, unsigned thread))
{
    unsigned number = orr_run_thread_new(team->unit->run);

    assert_in_range(number, 1, MOST);
    orr_coroutine_free(team->stacks[number]);
    team->bodies[number] = body;
    team->ends[number] = false;
    team->stacks[number] =
        orr_coroutine_new(run_body, team, 4 * ORR_COROUTINE_STACK);
    return number;
}

static void finish(struct team *team)
{
    for (unsigned i = 1; i <= MOST; i++)
        orr_coroutine_free(team->stacks[i]);
    g_string_free(team->log, TRUE);
    unit_run_free(team->unit);
}

static void note(struct team *team, const char *what)
{
    g_string_append_printf(team->log, "%u %s at %d us; ", team->thread, what,
                           (int)(orr_run_now(team->unit->run) / US));
}

static void sleep_for(struct team *team, int64_t ns)
{
    assert_true(orr_run_sleep(team->unit->run, ns, NULL));
}

static void park(struct team *team, int64_t ns)
{
    const struct orr_park how = {ORR_PARK_INIT, .ns = ns};

    assert_true(orr_run_park(team->unit->run, &how, NULL));
}

static struct orr_config plain(void)
{
    struct orr_config config = unit_config("eager", 2, 0);

    config.models = "overheads=off";
    return config;
}

static void sleep_thrice(struct team *team, unsigned thread)
{
    for (unsigned i = 0; i < 3; i++) {
        sleep_for(team, (int64_t)thread * 100 * US);
        note(team, "woke");
    }
}

static void they_sleep_side_by_side(void **state)
{
    static const char *const models[] = {"overheads=off", "quirks=exact"};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(models); i++) {
        struct orr_config config = plain();
        struct team team;

        config.models = models[i];
        begin(&team, &config);
        add(&team, sleep_thrice);
        add(&team, sleep_thrice);
        note(&team, "sleeps"); /* a new thread begins when this one waits */
        sleep_for(&team, 350 * US);
        note(&team, "woke");
        sleep_for(&team, MS);
        assert_string_equal(team.log->str,
                            "0 sleeps at 0 us; 1 woke at 100 us; "
                            "2 woke at 200 us; 1 woke at 200 us; "
                            "1 woke at 300 us; 0 woke at 350 us; "
                            "2 woke at 400 us; 2 woke at 600 us; ");
        assert_int_equal(orr_run_now(team.unit->run), 1350 * US);
        finish(&team);
    }
}

static void submit_two(struct team *team, unsigned thread)
{
    (void)thread;
    unit_submit_bare(team->unit);
    unit_submit_bare(team->unit);
    assert_true(orr_run_wait(team->unit->run, NULL));
    note(team, "has waited");
}

/* A submission takes 1 us, and a push another one. Two threads submit at the
 * same time what one submits after the other. */
static void they_submit_side_by_side(void **state)
{
    struct orr_config config = unit_config("eager", 8, 0);
    struct team team;

    (void)state;
    begin(&team, &config);
    add(&team, submit_two);
    submit_two(&team, 0);
    assert_int_equal(orr_run_now(team.unit->run),
                     unit_task(team.unit, 3)->ended);
    assert_int_equal(unit_task(team.unit, 0)->submitted,
                     unit_task(team.unit, 1)->submitted);
    assert_int_equal(unit_task(team.unit, 2)->submitted,
                     unit_task(team.unit, 3)->submitted);
    finish(&team);
}

static void sleep_and_wake_main(struct team *team, unsigned thread)
{
    (void)thread;
    sleep_for(team, 70 * US);
    orr_run_unpark(team->unit->run, 0);
    note(team, "wakes");
    park(team, 0);
    note(team, "is woken");
}

static void they_wake_each_other(void **state)
{
    struct orr_config config = plain();
    struct team team;
    unsigned other;

    (void)state;
    begin(&team, &config);
    other = add(&team, sleep_and_wake_main);
    park(&team, 0);
    note(&team, "is woken");
    sleep_for(&team, 30 * US);
    orr_run_unpark(team.unit->run, other);
    note(&team, "wakes");
    park(&team, 25 * US);
    note(&team, "has waited");
    assert_string_equal(team.log->str,
                        "1 wakes at 70 us; 0 is woken at 70 us; "
                        "0 wakes at 100 us; 1 is woken at 100 us; "
                        "0 has waited at 125 us; ");
    finish(&team);
}

static void wake_main(struct orr_run *run, void *data)
{
    (void)data;
    orr_run_unpark(run, 0);
}

static void callbacks_wake_them(void **state)
{
    struct orr_config config = plain();
    struct team team;

    (void)state;
    begin(&team, &config);
    orr_task_submit(team.unit->run,
                    &(struct orr_task_spec){ORR_TASK_SPEC_INIT,
                                            .kernel = team.unit->unit,
                                            .callback = wake_main});
    park(&team, 0);
    assert_int_equal(orr_run_now(team.unit->run), 1 * MS);
    finish(&team);
}

static struct orr_data *shared;

static void use_shared(struct team *team, unsigned thread)
{
    assert_true(orr_data_acquire(team->unit->run, shared, ORR_RW, NULL));
    note(team, "has it");
    sleep_for(team, 10 * US * (thread + 1));
    orr_data_release(team->unit->run, shared);
}

static void they_acquire_in_turn(void **state)
{
    struct orr_config config = plain();
    struct team team;

    (void)state;
    begin(&team, &config);
    shared = orr_data_register(team.unit->run, 4096);
    add(&team, use_shared);
    add(&team, use_shared);
    use_shared(&team, 0);
    sleep_for(&team, MS);
    assert_string_equal(
        team.log->str,
        "0 has it at 0 us; 1 has it at 10 us; 2 has it at 30 us; ");
    finish(&team);
}

static void note_only(struct team *team, unsigned thread)
{
    (void)thread;
    note(team, "was here");
}

static void numbers_are_used_again(void **state)
{
    struct orr_config config = plain();
    struct team team;

    (void)state;
    begin(&team, &config);
    for (unsigned i = 0; i < 600; i++) {
        assert_int_equal(add(&team, note_only), 1);
        sleep_for(&team, US);
    }
    finish(&team);
}

static void wait_for_other(struct team *team, unsigned thread)
{
    const struct orr_park how = {ORR_PARK_INIT, .what = "a mutex", .held = true,
                                 .holder = 3 - thread};
    g_autoptr(GError) error = NULL;

    if (orr_run_park(team->unit->run, &how, &error))
        fail_msg("it does not hang");
    assert_non_null(strstr(error->message, "lock-cycle"));
}

static void a_cycle_is_explained(void **state)
{
    struct orr_config config = plain();
    g_autoptr(GError) error = NULL;
    struct team team;

    (void)state;
    begin(&team, &config);
    add(&team, wait_for_other);
    add(&team, wait_for_other);
    assert_false(
        orr_run_park(team.unit->run,
                     &(struct orr_park){ORR_PARK_INIT, .what = "the end",
                                        .held = true, .holder = 1},
                     &error));
    if (!strstr(error->message,
                "thread 0 of the application waits for the end of thread 1 of "
                "the application; thread 1 of the application waits for a "
                "mutex of thread 2 of the application; thread 2 of the "
                "application waits for a mutex of thread 1 of the application"))
        fail_msg("%s", error->message);
    finish(&team);
}

static void sleep_long(struct team *team, unsigned thread)
{
    (void)thread;
    sleep_for(team, MS);
}

static void wrong_calls_are_refused(void **state)
{
    struct orr_config config = plain();
    struct team team;
    g_autoptr(GError) error = NULL;

    (void)state;
    begin(&team, &config);
    orr_run_set_switch(team.unit->run, NULL, NULL);
    assert_int_equal(orr_run_thread_new(team.unit->run), 0);
    assert_false(orr_run_wait(team.unit->run, &error));
    assert_non_null(strstr(error->message, "orr_run_set_switch()"));
    g_clear_error(&error);
    finish(&team);

    begin(&team, &config);
    for (unsigned i = 1; i < 256; i++)
        assert_int_equal(orr_run_thread_new(team.unit->run), i);
    assert_int_equal(orr_run_thread_new(team.unit->run), 0);
    assert_false(orr_run_wait(team.unit->run, &error));
    assert_non_null(strstr(error->message, "there are 256 already"));
    g_clear_error(&error);
    finish(&team);

    begin(&team, &config);
    add(&team, sleep_long);
    orr_run_unpark(team.unit->run, 2);
    assert_false(orr_run_wait(team.unit->run, &error));
    assert_non_null(strstr(error->message, "there is no thread 2"));
    finish(&team);
}

ORR_TESTS(threads)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_sleep_side_by_side),
        cmocka_unit_test(they_submit_side_by_side),
        cmocka_unit_test(they_wake_each_other),
        cmocka_unit_test(callbacks_wake_them),
        cmocka_unit_test(they_acquire_in_turn),
        cmocka_unit_test(numbers_are_used_again),
        cmocka_unit_test(a_cycle_is_explained),
        cmocka_unit_test(wrong_calls_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
