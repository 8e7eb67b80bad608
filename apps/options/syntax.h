/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SYNTAX_H
#define ORR_SYNTAX_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Command lines as tables. The help of a command is printed, and its
 * arguments are completed, from the table by which they are read, so these
 * cannot disagree. An option has a
 * value, as "--name value" or "--name=value", unless it is a flag. If it is
 * repeated, the last one counts, unless its help says otherwise. "--" ends the
 * options. Every command has --help. "-o" is short for --output, "-h" for
 * --help.
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
    size_t member; /* the members of the options count from here, in bytes into
                      the values */
    const char *const *const *choices; /* values of each option, to complete
                                          them: NULL-terminated, or NULL; NULL:
                                          of none */
};

/* A group of all options of the array @options, whose members count from the
 * start of the values. */
#define ORR_OPTION_GROUP(title, options)                                       \
    {                                                                          \
        title, options, G_N_ELEMENTS(options), 0, NULL                         \
    }

struct orr_syntax {
    const char *command;  /* "platform show" */
    const char *operands; /* as in the usage line: "FILE...", or NULL */
    int min_operands;
    int max_operands;
    const char *description; /* one paragraph, in lines of 80 columns */
    const struct orr_option_group *groups[16]; /* NULL-terminated */
};

/*
 * Returns the option whose name is the first @length bytes of @name, without
 * dashes, in @groups (NULL-terminated); NULL if there is none. Unless @member
 * is NULL, sets *@member to where the option is stored, in bytes into the
 * values.
 */
const struct orr_option *
orr_option_find(const struct orr_option_group *const *groups, const char *name,
                size_t length, size_t *member);

/* Returns the long form of the argument @text, "--output" of "-o"; @text itself
 * if it is no short form. */
const char *orr_option_long(const char *text);

/* Returns the short form of the argument @text, "-o" of "--output", or NULL. */
const char *orr_option_short(const char *text);

#endif
