/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SERVER_H
#define ORR_SERVER_H

#include "runtime/orrery.h"
#include "runtime/remote/process.h"

/*
 * Performs the calls of @process on @run, from its orr_run_new() to its
 * orr_run_free(), and waits until the program has ended. Its callbacks are
 * called in its process, while @run waits. @environment, "NAME=VALUE" each,
 * NULL-terminated, is set in the program before the run begins.
 *
 * Fails with ORR_ERROR_APP if the program ends before, says that it has failed,
 * breaks the protocol, or takes too long (process.h). Errors of its calls are
 * its own, or come with orr_run_wait().
 */
bool orr_remote_serve(struct orr_process *process, struct orr_run *run,
                      char *const *environment, GError **error);

/*
 * Receives the first message of @process: the options that it asks for,
 * "name=value" each, NULL-terminated. Free with g_strfreev(). Fails as well.
 */
char **orr_remote_hello(struct orr_process *process, GError **error);

#endif
