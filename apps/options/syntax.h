/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SYNTAX_H
#define ORR_SYNTAX_H

#include "runtime/config/options.h"

/*
 * Command lines, whose options are tables (runtime/config/options.h).
 *
 * An option has a value, as "--name value" or "--name=value", unless it is a
 * flag. If it is repeated, the last one counts, unless its help says otherwise.
 * "--" ends the options. Every command has --help. "-o" is short for --output,
 * "-h" for --help.
 */

struct orr_syntax {
    const char *command;  /* "platform show" */
    const char *operands; /* as in the usage line: "FILE...", or NULL */
    int min_operands;
    int max_operands;
    const char *description; /* one paragraph, in lines of 80 columns */
    const struct orr_option_group *groups[20]; /* NULL-terminated */
};

/* Whether the command takes a program with arguments of its own, which follow
 * "--", in place of an APP. */
bool orr_syntax_takes_program(const struct orr_syntax *syntax);

/* Returns the long form of the argument @text, "--output" of "-o"; @text itself
 * if it is no short form. */
const char *orr_option_long(const char *text);

/* Returns the short form of the argument @text, "-o" of "--output", or NULL. */
const char *orr_option_short(const char *text);

#endif
