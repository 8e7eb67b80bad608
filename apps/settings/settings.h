/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SETTINGS_H
#define ORR_SETTINGS_H

#include "apps/options/option.h"
#include "apps/options/values.h"
#include "apps/output/output.h"
#include "apps/picture/plot.h"
#include "models/base/units.h"
#include "models/platform/platform.h"
#include "runtime/config/run_config.h"
#include "runtime/programs/app_find.h"

/* The inputs of a run that may differ on another machine: see token.h. Tokens
 * hold their hashes in this order. */
enum orr_token_input {
    ORR_TOKEN_PLATFORM, /* the machine, as the options change it */
    ORR_TOKEN_SCHED,    /* the file of a policy: a plug-in, or of fixed */
    ORR_TOKEN_RECORD,   /* the recorded durations of tasks */
    ORR_TOKEN_APP,      /* the file of an application */
    ORR_TOKEN_EVICT,    /* the file of an eviction policy */
    ORR_TOKEN_INPUTS
};

/* What `orrery sweep` writes instead of running: for a batch system, or for GNU
 * parallel. */
enum orr_emission { ORR_EMIT_NONE, ORR_EMIT_SLURM, ORR_EMIT_PARALLEL };

/* The values of the options of the command line, in parts. Strings are borrowed
 * from the arguments unless noted. */

/* The problem: an application, and the values of its options. */
struct orr_problem_settings {
    char *name; /* of the application, as given; owned; NULL: none is known */
    const struct orr_app *app;     /* the application; owned */
    struct orr_app_values *values; /* of its options; complete once resolved;
                                      owned */

    /* Several problems: a list (sizes.h) as the value of an option of the
       application, or of --sizes. */
    const struct orr_app_option *list_option; /* NULL: no list */
    const char *list;
    const char *sizes;  /* NULL: not given */
    GPtrArray *several; /* struct orr_app_values, complete, ascending by
                           @axis, once resolved; owned */
    const char *axis;   /* the option that differs: the axis of the application
                           if it does, else the option with the list; NULL:
                           none */
};

/* Runs of one problem beside each other. */
struct orr_run_settings {
    const char *degrade;         /* names of models; NULL: not given */
    uint64_t replicas;           /* runs with seeds from seed on; default 1 */
    const char *robustness;      /* spreads: see range.h; NULL: not given */
    struct orr_machine *machine; /* see orr_simulate_share(); owned; or NULL */
};

/* Outputs, which have no influence on a run. */
struct orr_output_settings {
    GPtrArray *traces;        /* files, NULL-terminated, owned; NULL: none */
    const char *power;        /* file for the power over time; NULL: none */
    const char *trace_format; /* format of every trace; NULL: by suffix */
    const char *app_name;     /* the application instead of the operand, which
                                 a token keeps apart; NULL: not given */
    const char *token;        /* file for the token of a run; NULL: none */
    bool twice;               /* run twice and compare */
    bool bounds;              /* report lower bounds on time and energy */
    bool timing;              /* print the real time that it took, as text */
    bool gdb;                 /* replay in the debugger */
    const char *token_files[ORR_TOKEN_INPUTS]; /* files for a token; NULL: not
                                                  given */
    double plugin_timeout_s; /* limit of a call of a plug-in; 0: none */
    const char *hang_graph;  /* NULL: none */
    const char *hang_steps;  /* NULL: none */
    const char *output;      /* file of a drawing or a platform; NULL: none */
    struct orr_plot_options plot;
    struct orr_plot_options gantt; /* path and width alone */
    const char *report;            /* file of the report; NULL: none */
    const char *plot_changes;      /* NULL: none */
    const char *scale;             /* "gpus=1:8": see scale_run.h; NULL: none */
    uint64_t extrapolate; /* of scale: predict up to so many GPUs; 0: not
                             given */
    const char *raw;      /* file for the replicas; NULL: none */
    const char *by;       /* quantity that orders a comparison; NULL: the
                             order of the policies */
    const char *overlay;  /* NULL: none */
};

/* Exploration; see exploration.h. */
struct orr_exploration_settings {
    const char *strategy;  /* default: "portfolio" */
    uint64_t budget;       /* schedules; 0: no limit but time */
    orr_time budget_time;  /* real time; 0: no limit */
    bool all;              /* continue after a schedule that hangs */
    bool matrix;           /* explore several cases: see cases.h */
    uint64_t threads;      /* 0: one for each core */
    uint64_t seeds;        /* explore with so many seeds; 1: only @seed */
    const char *ci;        /* FILE of FILE.json and FILE.xml; NULL: none */
    const char *resume;    /* file of resume.h; NULL: none */
    const char *shrink_by; /* argument of a program that is reduced; NULL: as
                              the token says */
};

/* Campaigns; see campaign.h. */
struct orr_campaign_settings {
    GPtrArray *vary;      /* "KEY=LIST", NULL-terminated, owned; NULL: none */
    GPtrArray *over;      /* as vary, of an optimisation; texts are borrowed */
    const char *optimize; /* "makespan"; NULL: not */
    const char *filter;   /* condition on points (where_filter.h); NULL: all */
    const char *shard;    /* "I/N" or "auto"; NULL: all points */
    uint64_t shards;      /* number of shards in an emitted script */
    enum orr_emission emit;
    bool restart; /* replace the results in the output */
    bool dry_run; /* only print how many runs there are */
};

/*
 * What decides a run: an application, a machine, a policy. The options are in
 * options_run.c, and a token (token.h) holds them.
 */
struct orr_scenario {
    struct orr_problem_settings problem;
    struct orr_config config; /* without machine, trace and policy, which each
                                 run gets; left_out, decider and progress are
                                 not set by options */
    struct orr_run_settings run;
    GPtrArray *given;    /* "name=value" or "name" of each option above that was
                            given, also by a token, whose strings are borrowed
                            from here; owned; NULL: none */
    guint asked;         /* so many of the first ones are the application's own
                            requests */
    GPtrArray *replaced; /* the application's requests with the arguments that
                            it had before; owned; NULL: none */
};

struct orr_settings {
    struct orr_scenario scenario;
    const char *time_limit; /* option --time-limit of the program that is opened
                               next; borrowed; NULL: not given */

    /* These do not change a run. */
    struct orr_output_settings outputs;
    struct orr_exploration_settings exploration;
    struct orr_campaign_settings campaign;
    enum orr_format format;
};

/* Schedules of an exploration. */
#define ORR_MAX_SCHEDULES UINT64_C(1000000000)

/* Default limit of a call of a plug-in. */
#define ORR_PLUGIN_TIMEOUT_S 10.0

void orr_settings_init(struct orr_settings *settings);
void orr_settings_clear(struct orr_settings *settings);

/*
 * Opens the application, called @name, and sets its values, none of which is
 * given. Fails as orr_app_find(), or with ORR_ERROR_VALUE if an option has
 * the name of one that every application has. May be repeated with the same
 * name.
 */
bool orr_settings_open(struct orr_settings *settings, const char *name,
                       GError **error);

/*
 * Gives the options that the application asks for (orr_app_config()), as
 * orr_settings_open() does: options that are given later replace them. Fails as
 * orr_settings_give().
 */
bool orr_settings_take_config(struct orr_settings *settings, GError **error);

/*
 * Gives option tile of the application @app a value, if none is given: a size
 * at which the platform has measured kernels (orr_measured_tile()). To be
 * called before the settings are resolved. Applications in files, those without
 * the options tile and precision, and platforms that cannot be read, which the
 * run will find, are left alone. Fails as orr_settings_open().
 */
bool orr_settings_choose_tile(struct orr_settings *settings, const char *app,
                              GError **error);

/* The same for @platform, which is settings->scenario.config.platform, read
 * already. */
bool orr_settings_choose_tile_on(struct orr_settings *settings,
                                 const struct orr_platform *platform,
                                 GError **error);

/*
 * Completes the settings for a run of the application called @app. Fails as
 * orr_settings_open(), with ORR_ERROR_UNKNOWN if there is no kernel to
 * restrict, and with ORR_ERROR_VALUE if the values do not fit together or are a
 * list.
 */
bool orr_settings_resolve(struct orr_settings *settings, const char *app,
                          GError **error);

/*
 * As orr_settings_resolve(), for several problems: sets
 * settings->scenario.problem.several to those of a list, or to the single one.
 */
bool orr_settings_resolve_several(struct orr_settings *settings,
                                  const char *app, GError **error);

/* The policies that were given, separated by commas; NULL: none, although the
 * application may ask for one. */
const char *orr_settings_policies(const struct orr_settings *settings);

/* Returns whether sizes were given as a list, even of one. */
static inline bool orr_settings_list_sizes(const struct orr_settings *settings)
{
    return settings->scenario.problem.sizes || settings->scenario.problem.list;
}

/* Returns the class of workers to which kernel @name is restricted. */
enum orr_where orr_settings_where(const struct orr_scenario *scenario,
                                  const char *name);

/* Prints the remark of the application on the resolved values as a message of
 * @command; of several problems, each remark once. */
void orr_settings_remark(const struct orr_scenario *scenario,
                         const char *command);

/*
 * Prints a message of @command for each given setting that cannot change the
 * result of a run with @gpus GPUs.
 */
void orr_settings_warn_no_effect(const struct orr_settings *settings,
                                 const char *command, unsigned gpus);

/*
 * Prints a message of @command if --layout matrix was given, and changed the
 * time of no copy. @copies is the number of copies, in all runs, with a pitch
 * segment of the platform.
 */
void orr_settings_warn_layout(const struct orr_settings *settings,
                              const char *command, uint64_t copies);

/*
 * If all replicas would be equal, prints a message of @command and sets their
 * number to 1.
 */
void orr_settings_limit_replicas(struct orr_settings *settings,
                                 const char *command);

/*
 * Prints a message of @command for each change of the machine that influenced
 * none of @runs: @count facts (facts.h), some of which may be NULL.
 */
void orr_settings_warn_unused(const char *command, JsonObject *const *runs,
                              unsigned count);

/*
 * Sets an option of `orrery run` from @text, "name=value" or "name". Fails with
 * ORR_ERROR_VALUE if there is no such option or it has no influence on a run,
 * and as the parser of the option does.
 */
bool orr_settings_give(struct orr_settings *settings, const char *text,
                       GError **error);

/* Calls @each for the name of every option that orr_settings_give() takes;
 * @is_flag: without a value. */
void orr_settings_list(const struct orr_settings *settings,
                       void (*each)(const char *name, bool is_flag, void *data),
                       void *data);

/* Adds @option with the value @text to settings->scenario.given, if it decides
 * what a run does. */
void orr_settings_keep(struct orr_settings *settings,
                       const struct orr_option *option, const char *text);

/* Returns option @i, in the order of the tables; NULL past the last one. The
 * options are --app and all that decide the result of a run. */
const struct orr_option *orr_settings_option(size_t i);

/* Groups of options: of several commands, or of the one noted. */
extern const struct orr_option_group orr_options_application;
extern const struct orr_option_group orr_options_kernels;
extern const struct orr_option_group orr_options_machine;
extern const struct orr_option_group orr_options_runtime;
extern const struct orr_option_group orr_options_checks;
extern const struct orr_option_group orr_options_plugin;
extern const struct orr_option_group orr_options_policy;
extern const struct orr_option_group orr_options_run; /* run */
extern const struct orr_option_group orr_options_traces;
extern const struct orr_option_group orr_options_replay;      /* replay */
extern const struct orr_option_group orr_options_shrink;      /* shrink */
extern const struct orr_option_group orr_options_token_files; /* of both */
extern const struct orr_option_group orr_options_compare;     /* compare */
extern const struct orr_option_group orr_options_ablate;      /* ablate */
extern const struct orr_option_group orr_options_explore;     /* explore */
extern const struct orr_option_group orr_options_scale;       /* explain */
extern const struct orr_option_group orr_options_sweep;       /* sweep */
extern const struct orr_option_group orr_options_results;     /* results */
extern const struct orr_option_group orr_options_plot;    /* compare, ablate,
                                                             explain */
extern const struct orr_option_group orr_options_gantt;   /* run, compare */
extern const struct orr_option_group orr_options_drawing; /* platform show */
extern const struct orr_option_group orr_options_file;    /* platform save */
extern const struct orr_option_group
    orr_options_report; /* run, explain, compare */
extern const struct orr_option_group orr_options_graph_file; /* graph save */
extern const struct orr_option_group orr_options_output;

#endif
