/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TOKEN_H
#define ORR_TOKEN_H

#include "apps/settings/settings.h"
#include "runtime/explore/decision_log.h"

/*
 * A run in one printable word: all that is needed to have it again, to the
 * byte, elsewhere and later. It holds what was asked for (the application and
 * every option that has an influence, as they were written), what files it was
 * read from (their hashes), and what was decided where the simulator could
 * choose (decision.h), as far as that is not the default.
 */

/* What a run reads that may differ elsewhere. */
enum orr_token_input {
    ORR_TOKEN_PLATFORM, /* the machine, as the options change it */
    ORR_TOKEN_SCHED,    /* the file of a policy */
    ORR_TOKEN_RECORD,   /* what tasks took */
    ORR_TOKEN_INPUTS
};

struct orr_token {
    char *version;      /* of the program */
    char *app;          /* the application */
    GPtrArray *options; /* "name=value" or "name", in the order given */
    uint64_t inputs[ORR_TOKEN_INPUTS]; /* hashes; 0: not used */

    char *strategy;    /* that found the schedule: "pct"; "" if none did */
    uint64_t schedule; /* its number there */
    char *hang;        /* kind of hang that it ends in; "": it finishes */
    uint64_t digest;   /* of what happens; 0: not known */

    GArray *decisions; /* struct orr_deviation (script.h), by position */
    GArray *left_out;  /* uint64_t, ascending: see struct orr_config */
    uint64_t critical; /* 1 + the position of the critical decision
                          (critical.h); 0: not known */
};

/*
 * The token of a run of @settings, resolved, under the policy @sched: without
 * decisions, strategy, hang and digest, which are for the caller to set.
 * To be cleared with orr_token_clear(), whatever is returned.
 *
 * Fails when an input cannot be read.
 */
bool orr_token_init(struct orr_token *token,
                    const struct orr_settings *settings, const char *sched,
                    GError **error);
void orr_token_clear(struct orr_token *token);

/* Another one that says the same; to be cleared. */
void orr_token_copy(struct orr_token *token, const struct orr_token *other);

/* Has @token say nothing of --@name, which takes a value. */
void orr_token_drop_option(struct orr_token *token, const char *name);

/* Has @token say --@name @value, instead of what it said of @name before. */
void orr_token_set_option(struct orr_token *token, const char *name,
                          uint64_t value);

/* The word: "orr1-" and letters, digits, "-" and "_". g_free() it. */
char *orr_token_format(const struct orr_token *token);

/*
 * Reads such a word, into a token that need not be initialised, and is to be
 * cleared whatever is returned. Fails with ORR_ERROR_SYNTAX, whatever @word
 * is, without asking for more memory than a few times ORR_TOKEN_CODEC_MAX.
 */
bool orr_token_parse(struct orr_token *token, const char *word, GError **error);

/*
 * The same of what commands are given: the word itself, "@FILE" for one in a
 * file, or "-" for one on the standard input, where blanks and ends of lines
 * within it do not count. Returns ORR_EXIT_OK or, with @error, the exit status
 * that suits.
 */
enum orr_exit orr_token_load(struct orr_token *token, const char *operand,
                             GError **error);

/*
 * Sets @settings, initialised but not resolved, to what @token says, as if its
 * options had been given; options given before are overridden, others stay.
 * Borrows the list of what is left out.
 *
 * Fails with ORR_ERROR_VALUE when another version made the token or an option
 * is not understood.
 */
bool orr_token_apply(const struct orr_token *token,
                     struct orr_settings *settings, GError **error);

/*
 * Whether what @settings, resolved, read is what @token was made of; else
 * ORR_ERROR_VALUE, which names what differs.
 */
bool orr_token_check(const struct orr_token *token,
                     const struct orr_settings *settings, GError **error);

/*
 * All that comes before a run of @token: applies it, resolves and checks.
 * Returns ORR_EXIT_OK or, with @error, the exit status that suits.
 */
enum orr_exit orr_token_prepare(const struct orr_token *token,
                                struct orr_settings *settings, GError **error);

#endif
