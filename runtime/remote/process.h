/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROCESS_H
#define ORR_PROCESS_H

#include <glib.h>
#include <stdbool.h>

/*
 * A program that was started with a socket to this process (protocol.h). Its
 * standard input is empty. Errors begin with the name of the program, and are
 * ORR_ERROR_APP.
 */
struct orr_process;

/* Time limit in s for a program that makes no call, unless
 * orr_process_set_limit() sets another one. */
#define ORR_PROCESS_LIMIT_S 600.0

/*
 * Starts the program @argv, looked up in PATH. Its output goes to the standard
 * error with its messages, or nowhere if it is @silent. It is killed
 * when the thread ends that starts it. NULL with ORR_ERROR_IO if it cannot be
 * started. End with orr_process_kill().
 */
struct orr_process *orr_process_start(char *const *argv, bool silent,
                                      GError **error);

/* The program as it was called, and its last call, for errors; @call is
 * borrowed. */
const char *orr_process_name(const struct orr_process *process);
void orr_process_set_call(struct orr_process *process, const char *call);

/* Sets the time limit, in s, above 0. */
void orr_process_set_limit(struct orr_process *process, double seconds);

/* Sends @bytes, all of them. */
bool orr_process_send(struct orr_process *process, const void *bytes,
                      size_t count, GError **error);

/* Waits until there are bytes, and receives up to @room. Returns how many; 0
 * with @error: the program has ended, or takes too long. */
size_t orr_process_receive(struct orr_process *process, void *bytes,
                           size_t room, GError **error);

/* Whether the program has only asked since @since_us, on the monotonic clock,
 * and this for longer than the limit; then sets @error. */
bool orr_process_idles(struct orr_process *process, gint64 since_us,
                       GError **error);

/* Whether the program has ended, or has taken too long, in the middle of a run.
 */
bool orr_process_has_failed(const struct orr_process *process);

/* Whether there is something to receive. */
bool orr_process_has_sent(const struct orr_process *process);

/* Waits until the program has ended by itself. Fails if a signal ends it, or
 * if it takes too long; its exit status does not count. */
bool orr_process_finish(struct orr_process *process, GError **error);

/* The exit status of a program that has ended by itself. */
int orr_process_status(const struct orr_process *process);

/* Ends the program if it still runs, with the processes that it has started,
 * and frees @process; NULL is allowed. */
void orr_process_kill(struct orr_process *process);

#endif
