/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_OPTION_H
#define ORR_OPTION_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apps/output/message.h"

/*
 * Command lines as tables: what a command takes is data, from which its help
 * is printed and its arguments are read, so that the two cannot disagree.
 * Options take a value, as "--name value" or "--name=value", but for those
 * that say what is, or is not; the last one of several wins, unless they add
 * up; "--" ends the options. --help is understood everywhere.
 */
struct orr_option {
    const char *name;  /* without the dashes */
    const char *value; /* what help calls its value: "N"; NULL: it has none */
    const char *help;  /* one line */

    /* Sets the member at @member bytes into the values. Fails with a message
       that quotes @text (empty if it has no value); the option's name is put
       before it. */
    bool (*parse)(const struct orr_option *option, const char *text,
                  void *member, GError **error);
    size_t member;
    uint64_t min, max; /* of a number */
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
    const struct orr_option_group *groups[6]; /* NULL-terminated */
};

/* Where the values of options go. */
struct orr_values {
    void *values; /* that members are in */

    /* Told of each option that was read, with its value; NULL: nobody is. */
    void (*given)(const struct orr_option *option, const char *text,
                  void *values);
};

/*
 * The option called by the first @length bytes of @name, without dashes, in
 * @groups, NULL-terminated; NULL if there is none.
 */
const struct orr_option *
orr_option_find(const struct orr_option_group *const *groups, const char *name,
                size_t length);

/*
 * Reads @argv (argv[0] is ignored) into @values and moves the operands to the
 * front of @argv: @operands of them, from argv[0].
 *
 * Returns false when nothing is left to do: help was printed, or a mistake
 * reported. *@status is then the exit status.
 */
bool orr_syntax_read(const struct orr_syntax *syntax, int argc, char **argv,
                     void *values, int *operands, enum orr_exit *status);

/* The same with somebody who is told. */
bool orr_syntax_read_into(const struct orr_syntax *syntax, int argc,
                          char **argv, const struct orr_values *into,
                          int *operands, enum orr_exit *status);

#endif
