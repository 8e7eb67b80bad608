/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TOKEN_H
#define ORR_TOKEN_H

#include "apps/settings/settings.h"
#include "runtime/explore/decision_log.h"

/*
 * A token is a printable word from which a run can be repeated exactly, on
 * other machines and later. It holds the request (the application and every
 * option that has an influence, as written), hashes of the input files, and the
 * decisions (decision.h) that are not the default.
 *
 * Tokens are not trusted, so a token never chooses a file to load or to read:
 * it has the names of files without their folders. The user who replays the
 * token gives the paths, and hashes are checked before a plug-in is loaded.
 */

struct orr_token {
    char *version;      /* version of the program */
    char *app;          /* the name of the application */
    GPtrArray *options; /* "name=value" or "name", in the order given */
    uint64_t inputs[ORR_TOKEN_INPUTS]; /* hashes; 0: not used */
    char *files[ORR_TOKEN_INPUTS]; /* paths of the files on this machine, which
                                      the word does not contain; NULL: no file,
                                      or not given */

    char *strategy;    /* strategy that made the schedule: "pct"; "": none */
    uint64_t schedule; /* number of the schedule in its exploration */
    char *hang;        /* kind of hang; "": the run finishes */
    uint64_t
        digest; /* digest of the run, see struct orr_report; 0: not known */

    GArray *decisions; /* struct orr_deviation (decision_log.h), by position */
    GArray *left_out;  /* uint64_t, ascending: tasks to leave out, see struct
                          orr_config */
    uint64_t critical; /* 1 + the position of the critical decision
                          (critical_decision.h); 0: not known */
};

/*
 * Sets @token for a run with the resolved @scenario under the policy @sched.
 * The caller sets decisions, strategy, hang and digest. Clear @token with
 * orr_token_clear() in any case.
 *
 * Fails if an input cannot be read.
 */
bool orr_token_init(struct orr_token *token,
                    const struct orr_scenario *scenario, const char *sched,
                    GError **error);
void orr_token_clear(struct orr_token *token);

/* Copies @other, deeply, into @token, which must be cleared. */
void orr_token_copy(struct orr_token *token, const struct orr_token *other);

/* Adds the option @text, "name=value" or "name". If it names a file, the token
 * gets the name and token->files the path. */
void orr_token_add_option(struct orr_token *token, const char *text);

/* Removes option --@name, which has a value, from @token. */
void orr_token_drop_option(struct orr_token *token, const char *name);

/* Sets option --@name of @token to @value, instead of its old value. */
void orr_token_set_option_text(struct orr_token *token, const char *name,
                               const char *value);
void orr_token_set_option(struct orr_token *token, const char *name,
                          uint64_t value);

/* Returns @token as a word: "orr1-" and letters, digits, "-" and "_". Free with
 * g_free(). */
char *orr_token_format(const struct orr_token *token);

/*
 * Parses @word, which may be any text, into @token, which need not be
 * initialised and must be cleared in any case. Fails with ORR_ERROR_SYNTAX. At
 * most a few times ORR_TOKEN_CODEC_MAX of memory are allocated.
 */
bool orr_token_parse(struct orr_token *token, const char *word, GError **error);

/*
 * Parses the operand of a command as a token: the word itself, "@FILE" for a
 * word in a file, or "-" for one on the standard input. Blanks and newlines in
 * a file are ignored. FILE may be a report of explore --ci, with or without
 * .json: then it is its first token, and token->files are set, too. Returns
 * ORR_EXIT_OK or, with @error, another exit status.
 * @token must be cleared in any case.
 */
enum orr_exit orr_token_load(struct orr_token *token, const char *operand,
                             GError **error);

/*
 * Sets token->files to outputs->token_files, the files that the user gives;
 * files of a report stay otherwise. Fails with ORR_ERROR_UNKNOWN unless each
 * file that @token needs is given, and no other.
 */
bool orr_token_take_files(struct orr_token *token,
                          const struct orr_output_settings *outputs,
                          GError **error);

/* Returns the options for token->files, quoted for a shell: " --sched ./it.so";
 * "" for none. Free with g_free(). */
char *orr_token_files_text(const struct orr_token *token);

/* Adds the options for token->files, not quoted, to @arguments, which own their
 * strings. */
void orr_token_list_files(const struct orr_token *token, GPtrArray *arguments);

/* Returns the name of the file @value without its folder: "machine.xml",
 * "fixed:a.csv", "starpu:sampling:attila", or "chol -nblocks 10" of a program.
 * Free with g_free(). */
char *orr_token_file_name(const char *value);

/* Whether @option, "name=value", of a token names a file. */
bool orr_token_names_file(const char *option);

/* Returns the name by which to open the application of @token: its file, if it
 * has one. Borrowed. */
const char *orr_token_app(const struct orr_token *token);

/* Sets the options for token->files in @settings. */
bool orr_token_give_files(const struct orr_token *token,
                          struct orr_settings *settings, GError **error);

/* Fails with ORR_ERROR_VALUE: the input @here (NULL: none) differs from the one
 * that @token was made with. */
bool orr_token_refuse(const struct orr_token *token, enum orr_token_input input,
                      const char *here, GError **error);

/*
 * Sets the options of @token, and token->files, in @settings, which are
 * initialised but not resolved. They override options that were given before.
 * @settings borrow the list of tasks left out.
 *
 * Fails with ORR_ERROR_VALUE if another version made the token or an option is
 * not valid.
 */
bool orr_token_apply(const struct orr_token *token,
                     struct orr_settings *settings, GError **error);

/*
 * Returns whether the inputs of the resolved @scenario have the hashes of
 * @token. Otherwise fails with ORR_ERROR_VALUE; the message names the input.
 */
bool orr_token_check(const struct orr_token *token,
                     const struct orr_scenario *scenario, GError **error);

/*
 * Prepares a run of @token: takes the files that the user gives in @settings,
 * applies the token, resolves and checks them. Only then loads a plug-in.
 * Returns ORR_EXIT_OK or, with @error, another exit status.
 */
enum orr_exit orr_token_prepare(struct orr_token *token,
                                struct orr_settings *settings, GError **error);

#endif
