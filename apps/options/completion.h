/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_COMPLETION_H
#define ORR_COMPLETION_H

#include "apps/options/syntax.h"

struct orr_app_values;

/*
 * Completion of command lines in shells. The scripts docs/orrery.bash,
 * docs/_orrery and docs/orrery.fish know no command and no option: they ask
 *
 *     orrery --complete WORD...
 *
 * with the words after "orrery", up to the one at the cursor, which may be
 * empty. Each line of the answer is a word that may be there, optionally a tab
 * and what it means. A line ":files PREFIX" stands for all files; PREFIX, maybe
 * empty, is the part of the word that belongs to no file. If a tab and endings
 * (".so .rec") follow, it stands for folders and files with these endings.
 */
#define ORR_COMPLETE "--complete"

/* A word that is being completed. */
struct orr_open_word {
    const char *word; /* all of it, as far as typed */
    const char *head; /* the part before the open value: "--sched=", "dmda,", or
                         "" */
    struct orr_app_values *app; /* see orr_completion_print() */
};

/*
 * Each offers the values of a kind of option, for the member offer of struct
 * orr_option.
 */
void orr_offer_apps(const struct orr_open_word *open);
void orr_offer_degradations(const struct orr_open_word *open);
void orr_offer_evictions(const struct orr_open_word *open);
void orr_offer_kernels(const struct orr_open_word *open);
void orr_offer_models(const struct orr_open_word *open);
void orr_offer_platforms(const struct orr_open_word *open);
void orr_offer_policies(const struct orr_open_word *open);
void orr_offer_strategies(const struct orr_open_word *open);

/*
 * Prints how the last of @count words of a command with @syntax may go on.
 * @app are values of the application whose kernels may be named, or NULL; they
 * become complete.
 */
void orr_completion_print(const struct orr_syntax *syntax,
                          struct orr_app_values *app, int count,
                          char *const *words);

/* Prints @head and @name as a line of the answer, if they begin with @word.
 * @help may be NULL. */
void orr_completion_offer(const char *word, const char *head, const char *name,
                          const char *help);

#endif
