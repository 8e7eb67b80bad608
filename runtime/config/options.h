/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CONFIG_OPTIONS_H
#define ORR_CONFIG_OPTIONS_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Options as tables: of a run (run_config.h), and of each command. A table is
 * the only place that knows its options: orr_config_set() and the arguments of
 * a command are read by it, and --help, completion, the option lists of the
 * manual page (apps/cli/fill.h), the keys of campaigns, the options in a token
 * and the JSON schemas are made from it. So they cannot disagree, and a new
 * option is a row here, its effect and its test.
 */

/* What a report has in JSON about an option of a run. */
enum orr_fact_kind {
    ORR_FACT_TEXT,   /* a string */
    ORR_FACT_COUNT,  /* a whole number, at least 0 */
    ORR_FACT_NUMBER, /* a number, at least 0 */
    ORR_FACT_FLAG,   /* a boolean */
    ORR_FACT_TEXTS,  /* an array of strings */
};

struct orr_fact {
    const char *name; /* of the member: "gpu_memory_bytes" */
    enum orr_fact_kind kind;
    const char *const *choices; /* the only values; NULL-terminated; NULL: any
                                   of that kind */
};

struct orr_open_word; /* completion.h */

/* A row has the first three members in their order, and names the others. */
struct orr_option {
    const char *name;  /* without the dashes */
    const char *value; /* its name in the help: "N"; NULL: a flag, without
                          value */
    const char *help; /* one line, which is no sentence: small letter, no dot */

    /* Parses @text ("" for a flag) into @member, which points @member bytes
       into the values. Error messages quote @text; the caller adds the name of
       the option. */
    bool (*parse)(const struct orr_option *option, const char *text,
                  void *member, GError **error);
    size_t member;
    uint64_t min, max; /* limits of a number */

    /* Values for completion: names, and a function that offers more of them. */
    const char *const *choices; /* NULL-terminated; NULL: none */
    void (*offer)(const struct orr_open_word *open); /* or NULL; of a run: see
                                                        completion.c */

    /* Of an option that decides what a run does: the members of its report for
       it; the first one without a name ends the list. */
    struct orr_fact facts[3];

    /*
     * The text of the manual page, marked up as in manual.h, if it says more
     * than @help. NULL: @help. "": the text of the next row is for this option,
     * too.
     */
    const char *manual;
};

/* The names in a list of choices. */
#define ORR_CHOICES(...) ((const char *const[]){__VA_ARGS__, NULL})

struct orr_option_group {
    const char *title;
    const struct orr_option *options;
    size_t count;
    size_t member; /* the members of the options count from here, in bytes into
                      the values */
    const char *manual; /* text before the options in the manual page, as that
                           of an option; or NULL */
};

/* A group of all options of the array @table; members count from the start
 * of the values. */
#define ORR_OPTION_GROUP(name, table)                                          \
    {                                                                          \
        .title = (name), .options = (table), .count = G_N_ELEMENTS(table)      \
    }

/*
 * Returns the option called by the first @length bytes of @name, without
 * dashes, in @groups (NULL-terminated); NULL if there is none. Unless @member
 * is NULL, sets *@member to where the option is stored, in bytes into the
 * values.
 */
const struct orr_option *
orr_option_find(const struct orr_option_group *const *groups, const char *name,
                size_t length, size_t *member);

#endif
