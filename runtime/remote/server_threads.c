/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The threads of the program. Each has a coroutine here, which performs its
 * calls. The first one is no coroutine: it resumes the others while it waits
 * itself.
 */
#include "runtime/engine/coroutine.h"
#include "runtime/remote/server_private.h"

/* Enough for the run, which continues on any of these stacks: 1 MiB. */
#define STACK ((size_t)1 << 20)

struct orr_server_thread {
    struct orr_server *server;
    unsigned number;
    bool ends; /* it makes no more calls */
    struct orr_coroutine *coroutine;
    struct orr_packet out; /* its answers, while another one has control */
};

static struct orr_server_thread *current(const struct orr_server *server)
{
    return server->threads->pdata[server->thread];
}

static void free_thread(gpointer data)
{
    struct orr_server_thread *thread = data;

    if (!thread)
        return;
    orr_coroutine_free(thread->coroutine);
    g_free(thread->out.words);
    g_free(thread);
}

static struct orr_server_thread *new_thread(struct orr_server *server,
                                            unsigned number)
{
    struct orr_server_thread *thread = g_new0(struct orr_server_thread, 1);

    *thread = (struct orr_server_thread){.server = server, .number = number};
    if (server->threads->len <= number)
        g_ptr_array_set_size(server->threads, (gint)number + 1);
    free_thread(server->threads->pdata[number]);
    server->threads->pdata[number] = thread;
    return thread;
}

/* The function of orr_run_set_switch(): the program switches as well. */
static void give_control(void *data, unsigned number)
{
    struct orr_server *server = data;
    struct orr_server_thread *self = current(server);

    orr_server_send_control(server, number);
    self->out = server->out;
    server->thread = number;
    server->out = current(server)->out;
    current(server)->out = (struct orr_packet){.words = NULL};
    if (self->number != 0) {
        if (!self->ends)
            orr_coroutine_yield(self->coroutine);
        return;
    }
    while (server->thread != 0)
        orr_coroutine_resume(current(server)->coroutine);
}

static void body(void *data)
{
    struct orr_server_thread *thread = data;
    struct orr_server *server = thread->server;

    orr_server_until(server, ORR_REMOTE_run_thread_end);
    thread->ends = true;
    orr_run_thread_end(server->run);
}

void orr_server_threads_begin(struct orr_server *server)
{
    server->threads = g_ptr_array_new_with_free_func(free_thread);
    new_thread(server, 0);
    orr_run_set_switch(server->run, give_control, server);
}

void orr_server_threads_end(struct orr_server *server)
{
    g_ptr_array_unref(server->threads);
}

void orr_server_run_thread_new(struct orr_server *server)
{
    unsigned number = orr_run_thread_new(server->run);
    struct orr_server_thread *thread;

    orr_server_answer(server, number);
    if (number == 0)
        return;
    thread = new_thread(server, number);
    thread->coroutine = orr_coroutine_new(body, thread, STACK);
}

/* The end of a thread is taken by body(). */
void orr_server_run_thread_end(struct orr_server *server)
{
    orr_server_fail(server, "the end of a thread that was not made");
}

void orr_server_run_park(struct orr_server *server)
{
    struct orr_park park = {ORR_PARK_INIT};
    GError *error = NULL;
    char *what;
    bool good;

    park.ns = (int64_t)orr_server_read(server);
    park.held = orr_server_read(server) != 0;
    park.holder = (unsigned)orr_server_read(server);
    what = g_strdup(orr_read_text(&server->in));
    park.what = what;
    good = orr_run_park(server->run, &park, &error);
    g_free(what);
    orr_server_answer_error(server, good, error);
}

void orr_server_run_unpark(struct orr_server *server)
{
    orr_run_unpark(server->run, (unsigned)orr_server_read(server));
}
