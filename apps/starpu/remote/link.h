/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_LINK_H
#define ORR_LINK_H

#include <stdbool.h>
#include <sys/types.h>

#include <orrery.h>

#include "runtime/remote/protocol.h"

/* The socket to a command. One at a time, as there is one session. */
struct sp_link {
    int socket;
    pid_t pid;             /* the process that has the session */
    uint64_t callbacks;    /* given with tasks, and not called yet */
    bool ended;            /* the run: nothing is answered any more */
    bool threads;          /* there were several threads: any call may wait */
    struct orr_run *run;   /* the argument of callbacks */
    struct orr_packet out; /* messages that were not sent yet */
    uint64_t *words;       /* the message that was received */
    size_t room;           /* bytes of @words */
};

extern struct sp_link sp_link;

/* Begins a message; its arguments follow by sp_put(), sp_put_text() and the
 * functions of orr_packet. */
void sp_begin(enum orr_remote_kind kind);

static inline void sp_put(uint64_t word)
{
    orr_packet_put(&sp_link.out, word);
}

static inline void sp_put_text(const char *text)
{
    orr_packet_put_text(&sp_link.out, text);
}

/* A handle of the client is its number. */
static inline void sp_put_handle(const void *handle)
{
    sp_put((uintptr_t)handle);
}

static inline void sp_put_times(const struct orr_task_times *times)
{
    sp_put((uint64_t)times->cpu_ns);
    sp_put((uint64_t)times->gpu_ns);
    sp_put(times->source);
}

/* A function that is called back once; NULL: none. */
static inline void
sp_put_call(void (*function)(struct orr_run *run, void *data), void *data)
{
    sp_put((uintptr_t)function);
    sp_put((uintptr_t)data);
    sp_link.callbacks += function != NULL;
}

static inline void *sp_handle_of(uint64_t number)
{
    return (void *)(uintptr_t)number;
}

/* Ends the message of a call that returns nothing. It is sent later, but not if
 * the call may call back: then this returns when it is performed. */
void sp_send(void);

/* Ends the message, the last one of the calling thread, and sends it; returns
 * when another thread has got control. */
void sp_send_last(void);

/* Ends the message, sends it, and ends the program: the run has ended. */
G_NORETURN void sp_send_at_end(void);

/* Ends the message, sends it, calls what is called back, and returns the
 * answer, borrowed until the next call. */
struct orr_reader sp_ask(void);

/* As sp_ask(), for an answer of one word. */
uint64_t sp_ask_word(void);

/* As sp_ask(), for an answer that may be an error. */
bool sp_ask_error(GError **error);

/* Reads whether a call was good; if not, sets @error. */
bool sp_read_error(struct orr_reader *answer, GError **error);

/* Asks for the kernel of the call that was begun; NULL with @error. */
struct orr_kernel *sp_ask_kernel(GError **error);

/* Calls of the client's table. */
struct orr_kernel *sp_ask_kernel_of_size(struct orr_run *run,
                                         const char *symbol, uint32_t footprint,
                                         uint64_t bytes,
                                         enum orr_formula formula,
                                         GError **error);
struct orr_kernel *sp_ask_kernel_of_terms(struct orr_run *run,
                                          const char *symbol,
                                          uint32_t footprint,
                                          const double *terms, unsigned count,
                                          GError **error);

#endif
