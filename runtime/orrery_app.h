/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORRERY_APP_H
#define ORRERY_APP_H

#include <orrery.h>

G_BEGIN_DECLS

/*
 * The contract between an application and all that runs it: the commands of
 * `orrery`, and programs that use the library.
 *
 * An application is a const table: its name, its options, and a function that
 * submits its tasks. Every command that takes an APP knows it by this table:
 * run, compare, ablate, explore, replay, shrink. The applications that come
 * with Orrery use the same table. A program runs one like this:
 *
 *     app = orr_app_find("cholesky", &error);
 *     values = orr_app_values_new(app);
 *     orr_app_values_set(values, "tiles", "20", &error);
 *     orr_app_submit(run, values, &error);
 *     orr_run_wait(run, &error);
 *
 * Functions of the table may be called in several threads at once, so they must
 * not change anything but the run and the values that they are given.
 */
/* The values of the options of an application in one run. */
struct orr_app_values;

enum orr_app_kind {
    ORR_APP_COUNT,  /* a whole number */
    ORR_APP_NUMBER, /* a decimal number */
    ORR_APP_CHOICE, /* one of several names */
    ORR_APP_FLAG,   /* given or not; it has no value */
    ORR_APP_TEXT,   /* any text but the empty one */
    ORR_APP_SHAPE,  /* one to three counts: "20", "40x10", "9x8x7" */
};

#define ORR_APP_DIMENSIONS 3 /* counts of a shape, at most */

struct orr_app_option {
    const char *name;  /* "tiles": a to z, 0 to 9, -; no name of an option that
                          every application has, or of a fact of reports, as
                          "tasks" */
    const char *value; /* its name in the help: "N"; NULL for a flag */
    const char *help;  /* less than a line, without the default */
    enum orr_app_kind kind;
    /* limits of a number, or of each count of a shape; at most 2^53 */
    double min, max;
    const char *preset; /* the value if none is given, as text; NULL: 0, the
                           first choice, or NULL */
    const char *const *choices; /* the choices; NULL-terminated */
};

/*
 * An application. Members that say "or NULL" may be missing.
 */
struct orr_app {
    const char *name;           /* as in facts and titles */
    const char *summary;        /* one line for `orrery app list` */
    const char *const *kernels; /* the names that --where may restrict;
                                   NULL-terminated */
    /* kernels that only some values of the options need, so that a platform may
     * lack them; NULL-terminated; or NULL */
    const char *const *extras;
    const struct orr_app_option *options; /* the last one has no name */

    /* The count or shape that is the x axis of plots over several sizes, and
       its title there; or NULL. On the axis, a shape is the geometric mean of
       its counts. */
    const char *axis;
    const char *axis_title;

    /* The count or shape that makes the problem smaller, down to its min:
       `orrery shrink` reduces it; or NULL. */
    const char *scale;

    /*
     * Optional (or NULL). Checks values against each other, and sets values
     * that follow from others (orr_app_set_count()). Each value is within the
     * limits of its option. On failure returns false with @error, which names
     * the option: "--size: ...".
     */
    bool (*complete)(struct orr_app_values *values, GError **error);

    /* The number of tasks, exact below 2^53. Or NULL: not known. */
    double (*tasks)(const struct orr_app_values *values);

    /* Floating-point operations of the whole problem. Or NULL: no speed is
       reported. It is asked about values of the axis that are not complete,
       too: all others are. */
    double (*flops)(const struct orr_app_values *values);

    /*
     * Finds kernels, registers data and submits the tasks; does not wait for
     * them. On failure returns false with @error.
     */
    bool (*submit)(struct orr_run *run, const struct orr_app_values *values,
                   GError **error);
};

/* The name of application @i of those in the library, from 0, in alphabetical
 * order; NULL past the last one. */
ORR_API const char *orr_app_name(unsigned i);

/*
 * The application that commands know as APP by @name: one that comes with the
 * library, a plug-in (./mine.so) or the file of a task graph, which is read
 * when the values of its options are complete. If a function of a plug-in
 * crashes or calls exit(), so does your program.
 *
 * Fails with ORR_ERROR_UNKNOWN, and all names, if no application is called so;
 * with ORR_ERROR_IO if the file of a plug-in cannot be read; with
 * ORR_ERROR_VALUE if it is not a plug-in, was compiled for another version, or
 * its table is wrong. Free with orr_app_free(), after its values and all runs
 * with its tasks; that does nothing for NULL, and for applications without a
 * file.
 */
ORR_API const struct orr_app *orr_app_find(const char *name, GError **error);
ORR_API void orr_app_free(const struct orr_app *app);

/*
 * Values of the options of @app, none of which is given. @app, which may be a
 * table of your own, is borrowed. To be freed after all runs with its tasks;
 * orr_app_values_free() allows NULL.
 */
ORR_API struct orr_app_values *orr_app_values_new(const struct orr_app *app);
ORR_API void orr_app_values_free(struct orr_app_values *values);

/*
 * Gives option @name the value @value, as in --name value on the command line:
 * "tiles", "20". A flag has NULL or "" for its value. If an option is set twice
 * the last value counts. The texts are copied.
 *
 * Fails with ORR_ERROR_VALUE or ORR_ERROR_UNKNOWN, changing nothing, when there
 * is no such option, or @value is none of it; whether values fit together is
 * checked by orr_app_submit().
 */
ORR_API bool orr_app_values_set(struct orr_app_values *values, const char *name,
                                const char *value, GError **error);

/*
 * Completes @values and has their application submit its tasks to @run; does
 * not wait for them. Options that are not given get their presets, and a tile
 * the size at which the platform of @run has measured kernels, as with
 * `orrery run`. May be called again, with the same run or another, also after
 * further values were set; but in one thread at a time.
 *
 * Fails as complete() and submit() of the table, and with ORR_ERROR_VALUE if
 * there are more tasks than can be simulated; some tasks may be submitted then.
 */
ORR_API bool orr_app_submit(struct orr_run *run, struct orr_app_values *values,
                            GError **error);

/*
 * The value of option @name, which must be an option of that kind. A choice is
 * an index of option->choices. A text is borrowed from @values.
 */
ORR_API uint64_t orr_app_count(const struct orr_app_values *values,
                               const char *name);
ORR_API double orr_app_number(const struct orr_app_values *values,
                              const char *name);
ORR_API unsigned orr_app_choice(const struct orr_app_values *values,
                                const char *name);
ORR_API bool orr_app_flag(const struct orr_app_values *values,
                          const char *name);
ORR_API const char *orr_app_text(const struct orr_app_values *values,
                                 const char *name);

/*
 * Stores the counts of shape @name in all dimensions, and returns how many were
 * given; 0: it is not set. In the other dimensions the last count is repeated:
 * "20" is 20 in each dimension.
 */
ORR_API unsigned orr_app_shape(const struct orr_app_values *values,
                               const char *name,
                               uint64_t counts[ORR_APP_DIMENSIONS]);

/* Whether the user gave option @name. */
ORR_API bool orr_app_is_given(const struct orr_app_values *values,
                              const char *name);

/* Sets the count @name, which need not be within its limits. */
ORR_API void orr_app_set_count(struct orr_app_values *values, const char *name,
                               uint64_t count);

/* Sets the shape @name to @dimensions counts. */
ORR_API void orr_app_set_shape(struct orr_app_values *values, const char *name,
                               const uint64_t *counts, unsigned dimensions);

/*
 * Sets the remark on the values: one line of explanation for the user, not an
 * error. Commands print it once, on the standard error. @text is copied; NULL:
 * none. To be called by complete(), before which there is none.
 */
ORR_API void orr_app_remark(struct orr_app_values *values, const char *text);

/*
 * A plug-in is an application in a shared object, which stands for APP by its
 * file name (./mine.so). It has the line
 *
 *     ORR_APP_PLUGIN(&orr_app_mine);
 *
 * which records the version of this header. A plug-in that was compiled with
 * another version is refused.
 */
struct orr_app_plugin {
    uint64_t magic;
    uint64_t version;
    uint64_t app_size;    /* size of struct orr_app */
    uint64_t option_size; /* size of struct orr_app_option */
    const struct orr_app *app;
};

#define ORR_APP_MAGIC UINT64_C(0x707061797272726f) /* "orrryapp" */

/* To be increased by changes of this header or of orrery.h after which plug-ins
 * have to be recompiled, unless one of the sizes above changes as well. */
#define ORR_APP_VERSION 4

#define ORR_APP_PLUGIN(application)                                            \
    ORR_API extern const struct orr_app_plugin orr_app_plugin;                 \
    const struct orr_app_plugin orr_app_plugin = {                             \
        ORR_APP_MAGIC, ORR_APP_VERSION, sizeof(struct orr_app),                \
        sizeof(struct orr_app_option), application}

G_END_DECLS

#endif
