/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CLIENT_H
#define ORR_CLIENT_H

#include "apps/starpu/base/calls.h"

/*
 * Below a command of orrery (orrery run -- ./chol), makes all calls of sp_calls
 * in the process of the command, and returns true; alone, returns false. To be
 * called at the start of starpu_init(), which @call names. Ends the program if
 * there was a session before: the run of a command has one.
 *
 * orr_run_new() then sends the options that the program asks for, and waits
 * until the command begins the run, in which its own options count first;
 * orr_run_free() ends it. When the command has ended the run, so does the
 * program.
 *
 * Calls that need no answer are sent together. So the errors of
 * orr_data_register() come with a later orr_run_wait(), and orr_task_submit()
 * returns the number of the task among the submissions of the program, for
 * orr_run_wait_task() and orr_task_release_end(). A report has the members that
 * are numbers, the names of platform, policy and models, and the workers; other
 * lists are empty.
 */
bool sp_remote_begin(const char *call);

extern const struct sp_calls sp_remote_calls;

#endif
