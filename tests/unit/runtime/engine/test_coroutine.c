/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Functions that are left in the middle. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/engine/coroutine.h"
#include "tests/support/cmocka_all.h"

#include <glib.h>

struct talk {
    struct orr_coroutine *coroutine;
    GString *log;
    const char *name;
    unsigned turns;
};

static void speak(void *arg)
{
    struct talk *talk = arg;

    for (unsigned turn = 0; turn < talk->turns; turn++) {
        g_string_append_printf(talk->log, "%s%u ", talk->name, turn);
        orr_coroutine_yield(talk->coroutine);
    }
}

static void begin(struct talk *talk, GString *log, const char *name,
                  unsigned turns)
{
    *talk = (struct talk){.log = log, .name = name, .turns = turns};
    talk->coroutine = orr_coroutine_new(speak, talk, ORR_COROUTINE_STACK);
}

static void nothing_runs_before_it_is_resumed(void **state)
{
    g_autoptr(GString) log = g_string_new(NULL);
    struct talk talk;

    (void)state;
    begin(&talk, log, "a", 1);
    assert_string_equal(log->str, "");
    assert_false(orr_coroutine_ended(talk.coroutine));
    orr_coroutine_free(talk.coroutine);
}

static void each_goes_on_where_it_yielded(void **state)
{
    g_autoptr(GString) log = g_string_new(NULL);
    struct talk a, b;

    (void)state;
    begin(&a, log, "a", 2);
    begin(&b, log, "b", 3);
    orr_coroutine_resume(a.coroutine);
    orr_coroutine_resume(b.coroutine);
    orr_coroutine_resume(b.coroutine);
    orr_coroutine_resume(a.coroutine);
    assert_string_equal(log->str, "a0 b0 b1 a1 ");
    assert_false(orr_coroutine_ended(a.coroutine));
    orr_coroutine_resume(a.coroutine);
    assert_true(orr_coroutine_ended(a.coroutine));
    orr_coroutine_free(a.coroutine);
    orr_coroutine_free(b.coroutine);
}

/* Uses much of the stack, and yields from the bottom. */
static unsigned descend(struct talk *talk, unsigned depth)
{
    volatile char room[1024];
    unsigned sum;

    memset((char *)room, (int)depth, sizeof(room));
    if (depth == 0)
        orr_coroutine_yield(talk->coroutine);
    sum = depth > 0 ? descend(talk, depth - 1) : 0;
    for (size_t i = 0; i < sizeof(room); i++)
        sum += room[i] == (char)depth;
    return sum;
}

static void dive(void *arg)
{
    struct talk *talk = arg;

    talk->turns = descend(talk, 60);
}

static void its_stack_is_kept_while_others_use_theirs(void **state)
{
    struct talk talks[4] = {0};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(talks); i++) {
        talks[i].coroutine =
            orr_coroutine_new(dive, &talks[i], ORR_COROUTINE_STACK);
        orr_coroutine_resume(talks[i].coroutine);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(talks); i++) {
        orr_coroutine_resume(talks[i].coroutine);
        assert_true(orr_coroutine_ended(talks[i].coroutine));
        assert_int_equal(talks[i].turns, 61 * 1024);
        orr_coroutine_free(talks[i].coroutine);
    }
}

/* One coroutine resumes another. */
static void relay(void *arg)
{
    struct talk *talks = arg;

    orr_coroutine_resume(talks[1].coroutine);
    orr_coroutine_yield(talks[0].coroutine);
    orr_coroutine_resume(talks[1].coroutine);
}

static void a_coroutine_may_resume_another(void **state)
{
    g_autoptr(GString) log = g_string_new(NULL);
    struct talk talks[2];

    (void)state;
    begin(&talks[1], log, "b", 2);
    talks[0].coroutine = orr_coroutine_new(relay, talks, ORR_COROUTINE_STACK);
    orr_coroutine_resume(talks[0].coroutine);
    assert_string_equal(log->str, "b0 ");
    orr_coroutine_resume(talks[0].coroutine);
    assert_string_equal(log->str, "b0 b1 ");
    assert_true(orr_coroutine_ended(talks[0].coroutine));
    orr_coroutine_free(talks[0].coroutine);
    orr_coroutine_free(talks[1].coroutine);
}

static void count(void *arg)
{
    struct talk *talk = arg;

    for (;;) {
        talk->turns++;
        orr_coroutine_yield(talk->coroutine);
    }
}

static void it_may_be_resumed_as_often_as_one_likes(void **state)
{
    struct talk talk = {0};

    (void)state;
    talk.coroutine = orr_coroutine_new(count, &talk, ORR_COROUTINE_STACK);
    for (unsigned i = 0; i < 100000; i++)
        orr_coroutine_resume(talk.coroutine);
    assert_int_equal(talk.turns, 100000);
    orr_coroutine_free(talk.coroutine);
}

static void many_may_be_forgotten_half_way(void **state)
{
    g_autoptr(GString) log = g_string_new(NULL);

    (void)state;
    for (unsigned i = 0; i < 2000; i++) {
        struct talk talk;

        begin(&talk, log, "x", 5);
        orr_coroutine_resume(talk.coroutine);
        orr_coroutine_free(talk.coroutine);
    }
    assert_int_equal(log->len, 2000 * strlen("x0 "));
}

static void overflow(void *arg)
{
    struct talk *talk = arg;

    talk->turns = descend(talk, ORR_COROUTINE_STACK / 1024 + 100);
}

/* It must end with a signal, not write into what lies below. */
static void a_stack_that_overflows_is_noticed(void **state)
{
    int status;
    pid_t child = fork();

    (void)state;
    if (child == 0) {
        struct talk talk = {0};

        signal(SIGSEGV, SIG_DFL);
        signal(SIGBUS, SIG_DFL);
        talk.coroutine =
            orr_coroutine_new(overflow, &talk, ORR_COROUTINE_STACK);
        orr_coroutine_resume(talk.coroutine);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
}

ORR_TESTS(coroutine)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_runs_before_it_is_resumed),
        cmocka_unit_test(each_goes_on_where_it_yielded),
        cmocka_unit_test(its_stack_is_kept_while_others_use_theirs),
        cmocka_unit_test(a_coroutine_may_resume_another),
        cmocka_unit_test(it_may_be_resumed_as_often_as_one_likes),
        cmocka_unit_test(many_may_be_forgotten_half_way),
        cmocka_unit_test(a_stack_that_overflows_is_noticed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
