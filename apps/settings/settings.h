/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SETTINGS_H
#define ORR_SETTINGS_H

#include "apps/output/output.h"
#include "apps/programs/app.h"
#include "apps/settings/option.h"
#include "models/base/units.h"

/*
 * Everything that options of the command line set. Strings are borrowed from
 * the arguments but where noted.
 */
struct orr_settings {
    /* The problem. Once resolved, size == tiles * tile. */
    const struct orr_app *app;
    uint64_t tiles; /* in each row; 0: not given */
    uint64_t size;  /* elements in each row; 0: not given */
    uint64_t tile;  /* elements in each row of a tile */
    enum orr_kernel_precision precision;
    enum orr_layout layout;
    GPtrArray *restrictions; /* "KERNEL=CLASS", owned; NULL: none given */
    enum orr_where where[ORR_APP_KERNELS]; /* of the app's, once resolved */
    const char *sizes; /* several: see sizes.h; NULL: not given */

    /* The machine; see struct orr_config. */
    const char *platform;
    int cpus;                  /* -1: not given */
    int gpus;                  /* -1: not given */
    uint64_t gpu_memory_bytes; /* 0: not given */
    GPtrArray *changes;        /* "PATH=VALUE", NULL-terminated, owned; NULL:
                                  none given */
    bool stale_calibration;
    struct orr_machine *machine; /* see orr_simulate_share(); owned; or NULL */

    /* The runtime. */
    const char *sched;   /* NULL: not given */
    uint64_t window;     /* 0: none */
    char *models;        /* "name=value,..."; owned; NULL: not given */
    const char *degrade; /* names of models; NULL: not given */
    const char *record;  /* NULL: not given */
    uint64_t seed;
    uint64_t replicas; /* with seeds from seed on; 1 unless given */
    double perturb;
    const char *robustness; /* spreads: see range.h; NULL: not given */
    double spread;          /* see struct orr_config; -1: not given */

    /* What no option sets. */
    const GArray *left_out;      /* of uint64_t: see struct orr_config;
                                    borrowed, or NULL */
    struct orr_decider *decider; /* likewise; one of a single run */

    GPtrArray *given; /* "name=value" or "name" of the options above that were
                         given, those of a token, too, whose texts are borrowed
                         from here; owned; NULL: none */

    /* What comes out. Nothing from here on has an influence on a run: tokens
       (token.h) hold the options of all that is above. */
    const char *trace;        /* NULL: none */
    const char *token;        /* file for the token of a run; NULL: none */
    bool twice;               /* the run, to compare */
    bool gdb;                 /* has the run */
    const char *hang_graph;   /* NULL: none */
    const char *output;       /* file of a drawing or a platform; NULL: none */
    const char *plot;         /* NULL: none */
    const char *plot_changes; /* NULL: none */

    /* Which schedules are looked at; see exploration.h. */
    const char *strategy; /* "portfolio" unless given */
    uint64_t budget;      /* schedules; 0: as many as the time allows */
    orr_time budget_time; /* real time; 0: as much as it takes */
    bool all;             /* go on after one that hangs */
    uint64_t threads;     /* 0: as many as there are cores */
    enum orr_format format;
};

#define ORR_DEFAULT_SCHED "dmda"

/* Rows of a matrix: far beyond what can be simulated. */
#define ORR_MAX_SIZE UINT64_C(1000000000000000)

/* Schedules of an exploration. */
#define ORR_MAX_SCHEDULES UINT64_C(1000000000)

void orr_settings_init(struct orr_settings *settings);
void orr_settings_clear(struct orr_settings *settings);

/*
 * Completes the settings of a run of the application called @app: tiles and
 * size follow from each other. Fails with ORR_ERROR_UNKNOWN when there is no
 * such application or kernel, and with ORR_ERROR_VALUE when both were given or
 * the size is not a multiple of the tile.
 */
bool orr_settings_resolve(struct orr_settings *settings, const char *app,
                          GError **error);

/*
 * The same with --sizes, which excludes --tiles and --size: returns the sizes,
 * uint64_t, that one of the settings if there is no other. To be freed with
 * g_array_unref(); NULL with @error.
 */
GArray *orr_settings_resolve_sizes(struct orr_settings *settings,
                                   const char *app, GError **error);

/*
 * Says on stderr, as @command, which of the given settings cannot change the
 * result of a run that used @gpus GPUs.
 */
void orr_settings_note_idle(const struct orr_settings *settings,
                            const char *command, unsigned gpus);

/*
 * The same of --layout, after runs in which @copies took what a segment of the
 * platform says.
 */
void orr_settings_note_layout(const struct orr_settings *settings,
                              const char *command, uint64_t copies);

/*
 * Says on stderr, as @command, if replicas were asked for but would all be the
 * same, and makes do with one then.
 */
void orr_settings_limit_replicas(struct orr_settings *settings,
                                 const char *command);

/*
 * Says on stderr, as @command, which changes of the machine influenced none of
 * @runs: @count facts (facts.h), of which some may be NULL.
 */
void orr_settings_note_unused(const char *command, JsonObject *const *runs,
                              unsigned count);

/*
 * Sets what @text, "name=value" or "name", says, as the option --name of run
 * would. Fails with ORR_ERROR_VALUE if there is no such option, or it has no
 * influence on what happens in a run, and as the option does.
 */
bool orr_settings_give(struct orr_settings *settings, const char *text,
                       GError **error);

/*
 * Performs a command with at most one operand: reads the command line by
 * @syntax, calls @perform with the operand (NULL: not given) and prints its
 * error. Returns the exit status.
 */
enum orr_exit orr_settings_command(
    const struct orr_syntax *syntax, int argc, char **argv,
    enum orr_exit (*perform)(const char *operand, struct orr_settings *settings,
                             GError **error));

/* The options that commands share, and those of single ones. */
extern const struct orr_option_group orr_options_application;
extern const struct orr_option_group orr_options_machine;
extern const struct orr_option_group orr_options_runtime;
extern const struct orr_option_group orr_options_run;     /* of run alone */
extern const struct orr_option_group orr_options_replay;  /* of replay */
extern const struct orr_option_group orr_options_shrink;  /* of shrink */
extern const struct orr_option_group orr_options_compare; /* of compare */
extern const struct orr_option_group orr_options_ablate;  /* of ablate */
extern const struct orr_option_group orr_options_explore; /* of explore */
extern const struct orr_option_group orr_options_drawing; /* platform show */
extern const struct orr_option_group orr_options_file;    /* platform save */
extern const struct orr_option_group orr_options_output;

#endif
