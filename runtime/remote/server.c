/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/remote/server.h"

#include "models/base/error.h"
#include "runtime/remote/server_private.h"

/* Questions between two looks at the clock. */
enum { AHEAD_BYTES = 1 << 16, QUESTIONS = 1 << 10 };

/* ---- receiving and sending ---- */

static const char *const names[] = {
#define NAME(name) [ORR_REMOTE_##name] = #name,
    ORR_REMOTE_KINDS(NAME)
#undef NAME
};

void orr_server_fail(struct orr_server *server, const char *fault)
{
    if (!server->error)
        server->error =
            g_error_new(ORR_ERROR, ORR_ERROR_APP,
                        "%s: it sends what is no call of this version: %s",
                        orr_process_name(server->process), fault);
}

/* Makes room for a message of @bytes behind what was received. */
static void make_room(struct orr_server *server, size_t bytes)
{
    size_t left = server->end - server->start;

    if (left > 0)
        memmove(server->words, (char *)server->words + server->start, left);
    server->start = 0;
    server->end = left;
    if (server->room >= bytes)
        return;
    server->room = MAX(bytes, server->ahead);
    server->words = g_realloc(server->words, server->room);
}

/* Receives until there are @bytes. */
static bool await_bytes(struct orr_server *server, size_t bytes)
{
    if (server->room - server->start < bytes)
        make_room(server, bytes);
    while (server->end - server->start < bytes) {
        size_t count = orr_process_receive(
            server->process, (char *)server->words + server->end,
            server->room - server->end, &server->error);

        if (count == 0)
            return false;
        server->end += count;
    }
    return true;
}

/* Takes the next message. Returns false with server->error: there is none. */
static bool receive(struct orr_server *server)
{
    const uint64_t *head;
    size_t words;

    if (server->error || !await_bytes(server, sizeof(uint64_t)))
        return false;
    head = server->words + server->start / sizeof(uint64_t);
    words = orr_head_words(*head);
    if (words > ORR_REMOTE_MAX_WORDS ||
        orr_head_kind(*head) >= ORR_REMOTE_COUNT) {
        orr_server_fail(server, "a wrong head");
        return false;
    }
    if (!await_bytes(server, (words + 1) * sizeof(uint64_t)))
        return false;
    head = server->words + server->start / sizeof(uint64_t);
    server->kind = orr_head_kind(*head);
    server->in = (struct orr_reader){head + 1, head + 1 + words, false};
    server->start += (words + 1) * sizeof(uint64_t);
    return true;
}

/* Ends the message that begins at @start, and sends it. */
static void send_packet(struct orr_server *server, size_t start)
{
    struct orr_packet *out = &server->out;

    out->head = start;
    if (!server->error && orr_packet_end(out, false))
        orr_process_send(server->process, out->words + start,
                         (out->count - start) * sizeof(uint64_t),
                         &server->error);
    out->count = start;
}

void orr_server_answer_error(struct orr_server *server, bool good,
                             GError *error)
{
    orr_server_answer(server, good);
    if (good)
        return;
    orr_server_answer(server, error ? (uint64_t)error->code : ORR_ERROR_VALUE);
    orr_packet_put_text(&server->out, error ? error->message : "");
    g_clear_error(&error);
}

void *orr_server_find(struct orr_server *server, const GPtrArray *list,
                      uint64_t number)
{
    if (number == 0)
        return NULL;
    if (number <= list->len)
        return list->pdata[number - 1];
    orr_server_fail(server, "a number of no datum or kernel");
    return NULL;
}

void *orr_server_read_handle(struct orr_server *server, const GPtrArray *list)
{
    return orr_server_find(server, list, orr_server_read(server));
}

/* Calls in which no simulated time can pass. */
static bool only_asks(unsigned kind)
{
    switch (kind) {
    case ORR_REMOTE_data_expected_transfer_ns:
    case ORR_REMOTE_data_state:
    case ORR_REMOTE_run_acting_worker:
    case ORR_REMOTE_run_execution:
    case ORR_REMOTE_run_now:
    case ORR_REMOTE_run_report:
    case ORR_REMOTE_run_tasks_in_flight:
    case ORR_REMOTE_run_tasks_ready:
    case ORR_REMOTE_task_expected_ns:
    case ORR_REMOTE_task_expected_transfer_ns:
        return true;
    default:
        return false;
    }
}

/* A program that waits in a loop, by calls that only ask, waits for ever. */
static void limit_questions(struct orr_server *server)
{
    if (!only_asks(server->kind)) {
        server->asked = 0;
        return;
    }
    if (server->asked++ == 0)
        server->asked_us = g_get_monotonic_time();
    else if (server->asked % QUESTIONS == 0 && !server->error)
        orr_process_idles(server->process, server->asked_us, &server->error);
}

/* Performs the message that was received, and answers it if it waits. */
static void perform(struct orr_server *server)
{
    unsigned kind = server->kind;
    bool waits = orr_head_waits(server->in.at[-1]);
    size_t start = server->out.count; /* calls in callbacks are behind it */

    orr_process_set_call(server->process, names[kind]);
    limit_questions(server);
    orr_packet_begin(&server->out, ORR_REMOTE_answer);
    orr_server_calls[kind](server);
    if (server->in.bad)
        orr_server_fail(server, names[kind]);
    if (waits)
        send_packet(server, start);
    server->out.count = start;
}

bool orr_server_until(struct orr_server *server, enum orr_remote_kind kind)
{
    while (receive(server)) {
        if (server->kind == kind)
            return true;
        perform(server);
    }
    return false;
}

void orr_server_call_back(struct orr_run *run, void *function)
{
    const struct orr_program_call *call = function;
    struct orr_server *server = call->server;
    size_t start = server->out.count;

    (void)run;
    orr_packet_begin(&server->out, ORR_REMOTE_callback);
    orr_server_answer(server, call->function);
    orr_server_answer(server, call->data);
    send_packet(server, start);
    orr_server_until(server, ORR_REMOTE_done);
}

void orr_server_send_control(struct orr_server *server, unsigned number)
{
    size_t start = server->out.count;

    orr_packet_begin(&server->out, ORR_REMOTE_control);
    orr_server_answer(server, number);
    send_packet(server, start);
}

static void clear(struct orr_server *server)
{
    orr_server_threads_end(server);
    g_ptr_array_unref(server->data);
    g_ptr_array_unref(server->kernels);
    g_ptr_array_unref(server->partitions);
    g_array_unref(server->tasks);
    g_ptr_array_unref(server->calls);
    g_free(server->words);
    g_free(server->out.words);
}

/* Takes messages until the run of the program ends, and answers the last; then
 * the program may still report an error. */
static bool serve_run(struct orr_server *server)
{
    if (orr_server_until(server, ORR_REMOTE_run_free))
        perform(server);
    if (server->error || !orr_process_finish(server->process, &server->error))
        return false;
    if (orr_process_has_sent(server->process) && receive(server))
        perform(server);
    return !server->error;
}

bool orr_remote_serve(struct orr_process *process, struct orr_run *run,
                      char *const *environment, GError **error)
{
    struct orr_server server = {
        .process = process,
        .run = run,
        .environment = environment,
        .ahead = AHEAD_BYTES,
        .data = g_ptr_array_new(),
        .kernels = g_ptr_array_new(),
        .partitions = g_ptr_array_new(),
        .tasks = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
        .calls = g_ptr_array_new_with_free_func(g_free),
    };
    bool good;

    orr_server_threads_begin(&server);
    orr_run_wake(run);
    good = serve_run(&server);
    clear(&server);
    if (!good)
        g_propagate_error(error, server.error);
    return good;
}

char **orr_remote_hello(struct orr_process *process, GError **error)
{
    struct orr_server server = {.process = process};
    GPtrArray *options = g_ptr_array_new_with_free_func(g_free);

    if (receive(&server) && server.kind == ORR_REMOTE_fail)
        orr_server_calls[ORR_REMOTE_fail](&server);
    else if (!server.error && (server.kind != ORR_REMOTE_hello ||
                               orr_server_read(&server) != ORR_REMOTE_VERSION))
        orr_server_fail(&server, "another version of liborrery-starpu");
    while (!server.error && server.in.at < server.in.end) {
        const char *text = orr_read_text(&server.in);

        if (text)
            g_ptr_array_add(options, g_strdup(text));
        else
            orr_server_fail(&server, "hello");
    }
    g_ptr_array_add(options, NULL);
    g_free(server.words);
    if (!server.error)
        return (char **)g_ptr_array_free(options, FALSE);
    g_ptr_array_unref(options);
    g_propagate_error(error, server.error);
    return NULL;
}
