/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_OPTION_H
#define ORR_OPTION_H

#include "apps/options/syntax.h"
#include "apps/output/message.h"

/* Reads the arguments of a command by the tables of syntax.h. */

struct orr_app_values;

/* Where the values of options are stored. */
struct orr_values {
    void *values; /* the struct that has the members */

    /* Called after each option that was read; or NULL. */
    void (*given)(const struct orr_option *option, const char *text,
                  void *values);

    const char *hint; /* ends the message of an unknown option; or NULL */

    /* Of the application that is named: see orr_completion_print(); or NULL. */
    struct orr_app_values *app;
};

/*
 * Reads the arguments @argv, without argv[0], into @values. Moves the operands
 * to the front of @argv, from argv[0] on, and sets *@operands to their number.
 *
 * Returns false if the command should end: after it printed the help, an error
 * or, if the first argument is ORR_COMPLETE, how the last argument may go on
 * (completion.h). *@status is then the exit status.
 */
bool orr_syntax_read(const struct orr_syntax *syntax, int argc, char **argv,
                     void *values, int *operands, enum orr_exit *status);

/* As orr_syntax_read(), and calls into->given for each option. */
bool orr_syntax_read_into(const struct orr_syntax *syntax, int argc,
                          char **argv, const struct orr_values *into,
                          int *operands, enum orr_exit *status);

#endif
