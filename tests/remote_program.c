/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program as liborrery-starpu makes them, for the tests of programs below a
 * command: a chain of tasks on one datum, with waits and callbacks. Its first
 * argument says how it ends, the second one how many tasks there are.
 */
#include <orrery.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/starpu/base/error.h"
#include "apps/starpu/remote/client.h"
#include "runtime/remote/protocol.h"

struct chain {
    struct orr_run *run;
    struct orr_kernel *kernel;
    struct orr_data *data;
    unsigned called, acquired;
};

static void submit(struct chain *chain, bool calls_back);

static void cost(const void *data, unsigned worker, unsigned implementation,
                 struct orr_cost *cost)
{
    (void)data;
    (void)worker;
    (void)implementation;
    cost->ns = 1000000;
}

/* Adds a task to the chain, the first three times. */
static void called_back(struct orr_run *run, void *data)
{
    struct chain *chain = data;

    (void)run;
    chain->called++;
    if (chain->called <= 3)
        submit(chain, true);
}

static void submit(struct chain *chain, bool calls_back)
{
    const struct orr_access access = {chain->data, ORR_RW};
    const struct orr_task_spec task = {
        ORR_TASK_SPEC_INIT,
        .kernel = chain->kernel,
        .accesses = &access,
        .count = 1,
        .callback = calls_back ? called_back : NULL,
        .callback_data = calls_back ? chain : NULL,
    };

    sp_calls->task_submit(chain->run, &task);
}

/* The application has the data of the chain. */
static void acquired(struct orr_run *run, void *data)
{
    struct chain *chain = data;

    chain->acquired++;
    sp_calls->data_release_on(run, chain->data, 0);
}

static void check(bool good, GError **error)
{
    if (!good)
        sp_fail_error("starpu_task_wait_for_all()", *error);
}

/* starpu_init(). @gpus: NULL: does not say how many. */
static struct orr_run *begin(const char *gpus)
{
    struct orr_config *config = orr_config_new();
    GError *error = NULL;
    struct orr_run *run;

    sp_remote_begin("starpu_init()");
    orr_config_set(config, "platform", "mirage", NULL);
    orr_config_set(config, "sched", "eager", NULL);
    if (gpus)
        orr_config_set(config, "gpus", gpus, NULL);
    run = sp_calls->run_new(config, &error);
    check(run, &error);
    sp_calls->run_wake(run);
    orr_config_free(config);
    return run;
}

/* Paused, workers do not run the task that is submitted, and the application
 * sleeps 2 ms. Then it acquires data on @node, and drops their content. */
static void use_data(struct chain *chain, int node)
{
    const struct orr_acquire how = {ORR_ACQUIRE_INIT, .mode = ORR_R,
                                    .callback = {acquired, chain}};
    const struct orr_acquire read = {ORR_ACQUIRE_INIT, .mode = ORR_R,
                                     .node = node};
    struct orr_run *run = chain->run;
    struct orr_data *data = chain->data;
    GError *error = NULL;
    int64_t ns;

    sp_calls->run_pause(run);
    submit(chain, false);
    sp_calls->data_acquire_later(run, data, &how);
    ns = sp_calls->run_now(run);
    check(sp_calls->run_sleep(run, 2000000, &error), &error);
    printf("paused for %lld ns, %u acquired, ",
           (long long)(sp_calls->run_now(run) - ns), chain->acquired);
    ns = sp_calls->run_now(run);
    sp_calls->run_resume(run);
    check(sp_calls->data_acquire_as(run, data, &read, &error), &error);
    printf("resumed for %lld ns, %u acquired\n",
           (long long)(sp_calls->run_now(run) - ns), chain->acquired);
    sp_calls->data_release_on(run, data, node);
    check(sp_calls->data_deinitialize(run, data, &error), &error);
    sp_calls->data_deinitialize_submit(run, data);
    sp_calls->data_invalidate_submit(run, data);
    check(sp_calls->data_invalidate(run, data, &error), &error);
    check(sp_calls->data_unregister_no_coherency(run, data, &error), &error);
    sp_calls->data_unregister_submit(run, sp_calls->data_register(run, 1024));
}

/* Words as calls have them, and others. */
static uint64_t draw_word(GRand *rand)
{
    static const uint64_t words[] = {0,   1,          2,         3,
                                     100, UINT32_MAX, INT64_MAX, UINT64_MAX};
    guint32 choice = g_rand_int(rand) % 12;

    return choice < G_N_ELEMENTS(words)
               ? words[choice]
               : (uint64_t)g_rand_int(rand) << (g_rand_int(rand) % 33);
}

/* Sends messages that are calls in their heads alone, and ends. */
G_NORETURN static void send_random(unsigned seed)
{
    GRand *rand = g_rand_new_with_seed(seed);
    struct orr_packet packet = {.words = NULL};
    char answer[4096];

    for (unsigned i = 0; i < 200; i++) {
        guint32 words = g_rand_int(rand) % 40;

        orr_packet_begin(&packet, (enum orr_remote_kind)(g_rand_int(rand) %
                                                         ORR_REMOTE_COUNT));
        for (guint32 w = 0; w < words; w++)
            orr_packet_put(&packet, draw_word(rand));
        orr_packet_end(&packet, g_rand_boolean(rand));
        if (send(ORR_REMOTE_FD, packet.words, packet.count * sizeof(uint64_t),
                 MSG_NOSIGNAL) < 0)
            break;
        packet.count = 0;
        while (recv(ORR_REMOTE_FD, answer, sizeof(answer), MSG_DONTWAIT) > 0)
            ;
    }
    _exit(0);
}

/* What goes wrong behind the first half of the tasks. */
static void misbehave(const char *how)
{
    if (strcmp(how, "crash") == 0)
        abort();
    if (strcmp(how, "exit") == 0)
        exit(3);
    if (strcmp(how, "fail") == 0)
        sp_fail("starpu_task_submit()", "codelet gemm has no cpu_funcs");
    if (strcmp(how, "twice") == 0)
        begin(NULL);
    if (strcmp(how, "garbage") == 0 &&
        write(3, "garbage garbage garbage", 24) != 24)
        exit(4);
    if (strcmp(how, "fork") == 0) {
        if (fork() == 0)
            return;
        wait(NULL);
        exit(0);
    }
}

/* Whether a program below a command has all calls, and sends all of a task and
 * of an acquisition. */
static bool is_complete(void)
{
    bool good = sizeof(struct orr_task_spec) ==
                offsetof(struct orr_task_spec, regenerated) + sizeof(void *);

    if (!good)
        printf("apps/starpu/remote/client.c: a new member of a task\n");
    if (sizeof(struct orr_acquire) !=
        offsetof(struct orr_acquire, callback) + sizeof(struct orr_call)) {
        good = false;
        printf("apps/starpu/remote/client_data.c: a new member of "
               "orr_acquire\n");
    }
#define CHECK(name)                                                            \
    if (!sp_remote_calls.name) {                                               \
        good = false;                                                          \
        printf("apps/starpu/remote/client.c: orr_%s() is missing\n", #name);   \
    }
    SP_CALLS(CHECK)
#undef CHECK
    return good;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "good";
    unsigned count = argc > 2 ? (unsigned)atoi(argv[2]) : 10;
    struct chain chain = {.called = 0};
    GError *error = NULL;
    int64_t half_ns;

    if (strcmp(how, "calls") == 0)
        return is_complete() ? 0 : 1;
    if (strcmp(how, "stranger") == 0)
        return 5;
    chain.run = begin(strcmp(how, "good") == 0 && argc > 3 ? argv[3] : NULL);
    chain.kernel = sp_calls->kernel_new(chain.run, "work", &error);
    check(chain.kernel && sp_calls->kernel_set_implementations(
                              chain.run, chain.kernel, 1, cost, NULL, &error),
          &error);
    chain.data = sp_calls->data_register(chain.run, 1024);
    for (unsigned i = 0; i < count / 2; i++)
        submit(&chain, false);
    check(sp_calls->run_wait(chain.run, &error), &error);
    half_ns = sp_calls->run_now(chain.run);
    if (strcmp(how, "random") == 0)
        send_random(argc > 3 ? (unsigned)atoi(argv[3]) : 0);
    misbehave(how);
    for (unsigned i = count / 2; i < count; i++)
        submit(&chain, i + 1 == count && strcmp(how, "plain") != 0);
    check(sp_calls->run_wait(chain.run, &error), &error);
    printf("half %lld ns, all %lld ns, %u callbacks\n", (long long)half_ns,
           (long long)sp_calls->run_now(chain.run), chain.called);
    if (strcmp(how, "data") == 0)
        use_data(&chain, 0);
    if (strcmp(how, "node") == 0)
        use_data(&chain, 99);
    sp_calls->run_free(chain.run);
    return 0;
}
