/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/remote/link.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/threads.h"

/* Messages are sent when there are so many words. */
enum { FULL_WORDS = 1 << 12 };

struct sp_link sp_link = {.socket = -1};

/* The command has ended the run, and reports why; unless the program has closed
 * the socket, or has put another file in its place. */
G_NORETURN static void end_program(void)
{
    if (errno == EBADF || errno == ENOTSOCK)
        fprintf(stderr, "%s: it has closed its socket to `orrery`: %s\n",
                program_invocation_short_name, g_strerror(errno));
    fflush(NULL);
    _exit(EXIT_FAILURE);
}

static void flush(void)
{
    const char *at = (const char *)sp_link.out.words;
    size_t left = sp_link.out.count * sizeof(uint64_t);

    if (getpid() != sp_link.pid)
        sp_fail("fork()", "calls of StarPU's interface in another process than "
                          "starpu_init()");
    while (left > 0) {
        ssize_t sent = send(sp_link.socket, at, left, MSG_NOSIGNAL);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            end_program();
        at += sent;
        left -= (size_t)sent;
    }
    sp_link.out.count = 0;
}

static void receive_bytes(void *bytes, size_t count)
{
    char *at = bytes;

    while (count > 0) {
        ssize_t received = recv(sp_link.socket, at, count, 0);

        if (received < 0 && errno == EINTR)
            continue;
        if (received == 0)
            errno = 0;
        if (received <= 0)
            end_program();
        at += received;
        count -= (size_t)received;
    }
}

/* Receives a message, and returns its kind. */
static unsigned receive(struct orr_reader *body)
{
    uint64_t head;
    size_t words;

    receive_bytes(&head, sizeof(head));
    words = orr_head_words(head);
    if (sp_link.room < words * sizeof(uint64_t)) {
        sp_link.room = words * sizeof(uint64_t);
        sp_link.words = g_realloc(sp_link.words, sp_link.room);
    }
    receive_bytes(sp_link.words, words * sizeof(uint64_t));
    *body = (struct orr_reader){sp_link.words, sp_link.words + words, false};
    return orr_head_kind(head);
}

/* Calls a function of the program. */
static void call_back(struct orr_reader *body)
{
    void (*function)(struct orr_run * run, void *data) =
        (void (*)(struct orr_run *, void *))(uintptr_t)orr_read(body);
    void *data = (void *)(uintptr_t)orr_read(body);

    if (!function)
        sp_fail("starpu_init()", "`orrery` calls back no function");
    sp_link.callbacks--;
    function(sp_link.run, data);
    sp_begin(ORR_REMOTE_done);
    orr_packet_end(&sp_link.out, false);
    flush();
}

void sp_begin(enum orr_remote_kind kind)
{
    orr_packet_begin(&sp_link.out, kind);
}

static void end_message(bool waits)
{
    if (!orr_packet_end(&sp_link.out, waits))
        sp_fail("starpu_init()", "a call is too long for `orrery`");
}

/* Receives a message: returns whether it is an answer, else does what it says.
 */
static bool is_answer(struct orr_reader *body)
{
    switch (receive(body)) {
    case ORR_REMOTE_callback:
        call_back(body);
        return false;
    case ORR_REMOTE_control:
        sp_give_control(NULL, (unsigned)orr_read(body));
        return false;
    default:
        return true;
    }
}

struct orr_reader sp_ask(void)
{
    struct orr_reader body;

    end_message(true);
    flush();
    while (!is_answer(&body))
        ;
    return body;
}

void sp_send_last(void)
{
    struct orr_reader body;

    end_message(false);
    flush();
    while (sp_thread_self()->has_control)
        is_answer(&body);
}

void sp_send_at_end(void)
{
    end_message(false);
    flush();
    end_program();
}

uint64_t sp_ask_word(void)
{
    struct orr_reader answer = sp_ask();

    return orr_read(&answer);
}

bool sp_read_error(struct orr_reader *answer, GError **error)
{
    bool good = orr_read(answer) != 0;
    int code = good ? 0 : (int)orr_read(answer);
    const char *message = good ? NULL : orr_read_text(answer);

    if (!good)
        g_set_error_literal(error, ORR_ERROR, code, message ? message : "");
    return good;
}

bool sp_ask_error(GError **error)
{
    struct orr_reader answer = sp_ask();

    return sp_read_error(&answer, error);
}

void sp_send(void)
{
    if (G_UNLIKELY(sp_link.callbacks > 0 || sp_link.threads)) {
        sp_ask();
        return;
    }
    end_message(false);
    if (sp_link.out.count >= FULL_WORDS)
        flush();
}
