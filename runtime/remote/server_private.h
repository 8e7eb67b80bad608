/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SERVER_PRIVATE_H
#define ORR_SERVER_PRIVATE_H

#include "runtime/orrery.h"
#include "runtime/remote/process.h"
#include "runtime/remote/protocol.h"

/* What the files of the server share. */

struct orr_server {
    struct orr_process *process;
    struct orr_run *run;
    char *const *environment; /* of the program: "NAME=VALUE", ..., NULL */
    GPtrArray *data, *kernels, *partitions; /* by number - 1 */
    GArray *tasks;      /* uint64_t: their numbers in the run, by submission */
    GPtrArray *calls;   /* struct orr_program_call: owned */
    GPtrArray *threads; /* struct orr_server_thread, by number: owned */
    unsigned thread;    /* the one that has control */

    /* Words that were received: messages from @start to @end. */
    uint64_t *words;
    size_t start, end, room; /* in bytes */
    size_t ahead; /* how many bytes to receive at once, if there are so many */
    struct orr_reader in; /* the message that is performed */
    struct orr_packet out;
    unsigned kind;
    unsigned asked;  /* calls, one after the other, that only ask */
    gint64 asked_us; /* when the first of them was made */
    GError *error;   /* the first one; then nothing is received any more */
};

/* A function of the program, for the run. */
struct orr_program_call {
    struct orr_server *server;
    uint64_t function, data;
};

/* Performs the calls of the program, one function for each kind: it reads the
 * arguments of server->in, and writes the answer to server->out. */
extern void (*const orr_server_calls[ORR_REMOTE_COUNT])(
    struct orr_server *server);

/* Keeps the error that the program has sent no call; @fault says why. */
void orr_server_fail(struct orr_server *server, const char *fault);

/* Performs calls until the message of @kind comes, which is taken, or an
 * error. */
bool orr_server_until(struct orr_server *server, enum orr_remote_kind kind);

/* The thread @number of the program continues. */
void orr_server_send_control(struct orr_server *server, unsigned number);

/* Has the program call @function, a struct orr_program_call: a callback of
 * @run. */
void orr_server_call_back(struct orr_run *run, void *function);

static inline uint64_t orr_server_read(struct orr_server *server)
{
    return orr_read(&server->in);
}

static inline void orr_server_answer(struct orr_server *server, uint64_t word)
{
    orr_packet_put(&server->out, word);
}

/* The next word, a number of an object in @list; NULL for 0. */
void *orr_server_read_handle(struct orr_server *server, const GPtrArray *list);

/* As orr_server_read_handle(), for a number that was read. */
void *orr_server_find(struct orr_server *server, const GPtrArray *list,
                      uint64_t number);

/* Answers whether a call was @good; if not, with @error, which is freed. */
void orr_server_answer_error(struct orr_server *server, bool good,
                             GError *error);

/* Parts of calls. Costs are given for all workers, in order; NULL: there are
 * none. Free with g_free(). */
void orr_server_read_times(struct orr_server *server,
                           struct orr_task_times *times);
struct orr_cost *orr_server_read_costs(struct orr_server *server,
                                       uint64_t implementations);

/* A function of the program; {NULL, NULL}: none. */
struct orr_call orr_server_read_call(struct orr_server *server);

/* Threads, in server_threads.c. */
void orr_server_threads_begin(struct orr_server *server);
void orr_server_threads_end(struct orr_server *server);
void orr_server_run_park(struct orr_server *server);
void orr_server_run_thread_end(struct orr_server *server);
void orr_server_run_thread_new(struct orr_server *server);
void orr_server_run_unpark(struct orr_server *server);

/* The functions of tasks, in server_task.c. */
void orr_server_task_expected_ns(struct orr_server *server);
void orr_server_task_expected_transfer_ns(struct orr_server *server);
void orr_server_task_release_end(struct orr_server *server);
void orr_server_task_submit(struct orr_server *server);
void orr_server_tag_notify(struct orr_server *server);
void orr_server_run_wait_task(struct orr_server *server);

#endif
