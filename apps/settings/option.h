/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_OPTION_H
#define ORR_OPTION_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apps/output/message.h"

/*
 * Command lines as tables. The help of a command is printed from the table by
 * which its arguments are read, so the two cannot disagree. An option has a
 * value, as "--name value" or "--name=value", unless it is a flag. If it is
 * repeated, the last one counts, unless its help says otherwise. "--" ends the
 * options. Every command has --help.
 */
struct orr_option {
    const char *name; /* without the dashes */
    const char
        *value; /* its name in the help: "N"; NULL: a flag, without value */
    const char *help; /* one line */

    /* Parses @text ("" for a flag) into @member, which points @member bytes
       into the values. Error messages quote @text; the caller adds the name of
       the option. */
    bool (*parse)(const struct orr_option *option, const char *text,
                  void *member, GError **error);
    size_t member;
    uint64_t min, max; /* limits of a number */
};

struct orr_option_group {
    const char *title;
    const struct orr_option *options;
    size_t count;
};

struct orr_syntax {
    const char *command;  /* "platform show" */
    const char *operands; /* as in the usage line: "FILE...", or NULL */
    int min_operands;
    int max_operands;
    const char *description; /* one paragraph, in lines of 80 columns */
    const struct orr_option_group *groups[7]; /* NULL-terminated */
};

/* Where the values of options are stored. */
struct orr_values {
    void *values; /* the struct that has the members */

    /* Called after each option that was read; or NULL. */
    void (*given)(const struct orr_option *option, const char *text,
                  void *values);
};

/*
 * Returns the option whose name is the first @length bytes of @name, without
 * dashes, in @groups (NULL-terminated); NULL if there is none.
 */
const struct orr_option *
orr_option_find(const struct orr_option_group *const *groups, const char *name,
                size_t length);

/*
 * Reads the arguments @argv, without argv[0], into @values. Moves the operands
 * to the front of @argv, from argv[0] on, and sets *@operands to their number.
 *
 * Returns false if the command should end: after it printed the help or an
 * error. *@status is then the exit status.
 */
bool orr_syntax_read(const struct orr_syntax *syntax, int argc, char **argv,
                     void *values, int *operands, enum orr_exit *status);

/* As orr_syntax_read(), and calls into->given for each option. */
bool orr_syntax_read_into(const struct orr_syntax *syntax, int argc,
                          char **argv, const struct orr_values *into,
                          int *operands, enum orr_exit *status);

#endif
