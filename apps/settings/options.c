/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options. */

#include "apps/options/plot_options.h"
#include "apps/options/values.h"
#include "apps/settings/setting_values.h"
#include "apps/settings/settings.h"

/* More than can be simulated. */
#define MAX_REPLICAS 1000000
#define MAX_EXTRAPOLATED 1000000000
#define MAX_THREADS 1024
#define MAX_SHARDS 10000
#define MAX_SECONDS 1000000
#define MAX_WEIGHT 1000000000000
#define MAX_POWER_W 1000000

#define MEMBER(name) offsetof(struct orr_settings, name)

static const struct orr_option application[] = {
    {"app", "APP", "the application, instead of the operand APP",
     orr_value_text, MEMBER(app_name), 0, 0},
    {"where", "KERNEL=CLASS",
     "CLASS: cpu, gpu or any (default any); may be repeated", orr_setting_where,
     MEMBER(restrictions), 0, 0},
};

static const struct orr_option machine[] = {
    {"platform", "NAME|FILE", "the machine (default attila)", orr_value_text,
     MEMBER(platform), 0, 0},
    {"cpus", "N", "CPU workers (default: all cores that drive no GPU)",
     orr_value_int, MEMBER(cpus), 0, ORR_MAX_CORES},
    {"gpus", "N", "GPU workers (default: all; beyond: copies of the last)",
     orr_value_int, MEMBER(gpus), 0, ORR_MAX_NODES - 1},
    {"gpu-memory", "SIZE",
     "usable memory of each GPU, e.g. 512MiB (default: 90 %)",
     orr_setting_bytes, MEMBER(gpu_memory_bytes), ORR_MIN_USABLE_MEMORY, 0},
    {"pcie", "X|RATE|GEN",
     "PCI Express: 0.5x scales, 16GBps limits, gen4x16 sets",
     orr_setting_change, MEMBER(changes), 0, 0},
    {"nvlink", "RATE|X", "direct links between all GPUs, e.g. 50GBps",
     orr_setting_change, MEMBER(changes), 0, 0},
    {"set", "PATH=VALUE", "change any figure, e.g. link.Host.bandwidth=2x",
     orr_setting_change, MEMBER(changes), 0, 0},
    {"stale-calibration", NULL,
     "policies use the figures from before these changes", orr_value_true,
     MEMBER(stale_calibration), 0, 0},
    {"power-cap", "DEV=W,...",
     "limit the power of devices: CUDA0=150W,cpu=60% or all=60%",
     orr_setting_states, MEMBER(changes), 0, 0},
    {"pstate", "DEV=N,...", "run devices in a state of their table: cpu=2",
     orr_setting_states, MEMBER(changes), 0, 0},
};

static const struct orr_option runtime[] = {
    {"evict", "NAME|FILE",
     "what leaves a full GPU memory (default: that of the policy, or lru)",
     orr_value_text, MEMBER(evict), 0, 0},
    {"window", "N|MIN:MAX", "limits of tasks in flight (default 0: no limit)",
     orr_value_window, MEMBER(window), 0, INT64_MAX},
    {"model", "NAME=VALUE", "switch a model; may be repeated",
     orr_setting_models, MEMBER(models), 0, 0},
    {"durations", "KIND",
     "kernel durations: mean (default), sampled or replayed",
     orr_setting_durations, MEMBER(models), 0, 0},
    {"record", "FILE", "tasks.rec or CSV file with the durations to replay",
     orr_value_text, MEMBER(record), 0, 0},
    {"perturb", "X[:BY]",
     "scale kernel durations by 1 +- X at random, by worker or device",
     orr_value_perturbation, MEMBER(perturb), 0, 0},
    {"seed", "N", "seed of all random draws (default 0)", orr_value_count,
     MEMBER(seed), 0, INT64_MAX},
    {"alpha", "X", "weight of a task's end in dmda and its kin (default 1)",
     orr_value_weight, MEMBER(alpha), 0, MAX_WEIGHT},
    {"beta", "X", "weight of its transfers (default 1)", orr_value_weight,
     MEMBER(beta), 0, MAX_WEIGHT},
    {"gamma", "X", "weight of its joules, in us per joule (default 1000)",
     orr_value_weight, MEMBER(gamma), 0, MAX_WEIGHT},
    {"idle-power", "W", "what the whole machine always draws, W (default 0)",
     orr_value_weight, MEMBER(idle_power_w), 0, MAX_POWER_W},
    {"polling", NULL, "cores that wait poll, and draw what that takes",
     orr_value_true, MEMBER(polling), 0, 0},
};

static const struct orr_option checks[] = {
    {"max-wait", "TIME",
     "fail if a task waits longer while a worker that could run it sleeps",
     orr_value_time, MEMBER(max_wait), 0, 0},
    {"check-priorities", NULL,
     "fail if a worker gets a task while a more urgent one waits for it",
     orr_value_true, MEMBER(check_priorities), 0, 0},
    {"ignore-races", NULL,
     "go on after a data race of a policy, to see what it leads to",
     orr_value_true, MEMBER(ignore_races), 0, 0},
};

static const struct orr_option plugin[] = {
    {"plugin-timeout", "S",
     "time limit of a plug-in's call in s (default 10; 0: none)",
     orr_value_seconds, MEMBER(plugin_timeout_s), 0, MAX_SECONDS},
};

static const struct orr_option traces[] = {
    {"trace", "FILE", "write what ran when; may be repeated", orr_setting_text,
     MEMBER(traces), 0, 0},
    {"trace-format", "FORMAT",
     "csv, rec, paje, json, perfetto, starpu, starvz (default: by name)",
     orr_value_text, MEMBER(trace_format), 0, 0},
    {"power", "FILE.csv", "write what each device draws over time",
     orr_value_text, MEMBER(power), 0, 0},
    {"hang-graph", "FILE.svg",
     "if the run hangs, draw its wait-for graph (.png, .dot)", orr_value_text,
     MEMBER(hang_graph), 0, 0},
    {"hang-steps", "FILE.svg",
     "if the run hangs, draw the last steps of the policy (.pdf, .png)",
     orr_value_text, MEMBER(hang_steps), 0, 0},
};

static const struct orr_option explain[] = {
    {"sched", "NAME|FILE",
     "the scheduling policy (default " ORR_DEFAULT_SCHED ")", orr_value_text,
     MEMBER(sched), 0, 0},
};

static const struct orr_option run[] = {
    {"sched", "NAME|FILE",
     "the scheduling policy (default " ORR_DEFAULT_SCHED ")", orr_value_text,
     MEMBER(sched), 0, 0},
    {"token", "FILE", "write a token, for 'orrery replay @FILE'",
     orr_value_text, MEMBER(token), 0, 0},
    {"timing", NULL, "say how long the simulation took", orr_value_true,
     MEMBER(timing), 0, 0},
    {"twice", NULL, "run twice, and fail if the runs differ", orr_value_true,
     MEMBER(twice), 0, 0},
    {"bounds", NULL, "give lower bounds on time and energy, too",
     orr_value_true, MEMBER(bounds), 0, 0},
};

static const struct orr_option replay[] = {
    {"timing", NULL, "say how long the simulation took", orr_value_true,
     MEMBER(timing), 0, 0},
    {"gdb", NULL, "run in gdb and stop before the critical decision",
     orr_value_true, MEMBER(gdb), 0, 0},
};

/* In the order of enum orr_token_input (token.h). */
static const struct orr_option token_files[] = {
    {"app", "FILE.so", "the application, if TOKEN was made with a file",
     orr_value_text, MEMBER(token_files[3]), 0, 0},
    {"platform", "NAME|FILE", "the machine, if TOKEN was made with a file",
     orr_value_text, MEMBER(token_files[0]), 0, 0},
    {"sched", "FILE", "the policy, if TOKEN was made with a file",
     orr_value_text, MEMBER(token_files[1]), 0, 0},
    {"record", "FILE", "the durations, if TOKEN was made with a record",
     orr_value_text, MEMBER(token_files[2]), 0, 0},
    {"evict", "FILE", "the eviction policy, if TOKEN was made with a file",
     orr_value_text, MEMBER(token_files[4]), 0, 0},
};

static const struct orr_option shrink[] = {
    {"budget", "N", "maximum number of runs in each of two phases (5000)",
     orr_value_count, MEMBER(budget), 1, ORR_MAX_SCHEDULES},
};

static const struct orr_option compare[] = {
    {"sched", "NAME|FILE,...", "the scheduling policies (default: all)",
     orr_value_text, MEMBER(sched), 0, 0},
    {"replicas", "R", "runs of each policy, with successive seeds (default 1)",
     orr_value_count, MEMBER(replicas), 1, MAX_REPLICAS},
    {"sizes", "LIST", "several sizes, in rows: A,B,C or FROM:TO:STEP",
     orr_value_text, MEMBER(sizes), 0, 0},
    {"robustness", "LIST",
     "deviation / mean of durations: A,B,C or FROM:TO:STEP", orr_value_text,
     MEMBER(robustness), 0, 0},
    {"raw", "FILE.csv", "write the makespan of each replica, one in each line",
     orr_value_text, MEMBER(raw), 0, 0},
    {"by", "QUANTITY", "order by makespan, energy or edp (default: as given)",
     orr_setting_by, MEMBER(by), 0, 0},
    {"overlay", "FILE.csv", "measured speeds to draw over those predicted",
     orr_value_text, MEMBER(overlay), 0, 0},
};

static const struct orr_option ablate[] = {
    {"sched", "NAME|FILE",
     "the scheduling policy (default " ORR_DEFAULT_SCHED ")", orr_value_text,
     MEMBER(sched), 0, 0},
    {"sizes", "LIST", "several sizes, in rows: A,B,C or FROM:TO:STEP",
     orr_value_text, MEMBER(sizes), 0, 0},
    {"replicas", "N", "runs of each case, with successive seeds (default 1)",
     orr_value_count, MEMBER(replicas), 1, MAX_REPLICAS},
    {"degrade", "NAME,...", "the models to degrade (default: all)",
     orr_value_text, MEMBER(degrade), 0, 0},
    {"plot-changes", "FILE", "draw the effect of each model in per cent",
     orr_value_text, MEMBER(plot_changes), 0, 0},
};

static const struct orr_option scale[] = {
    {"scale", "gpus=FROM:TO", "factors of efficiency over numbers of GPUs",
     orr_value_text, MEMBER(scale), 0, 0},
    {"extrapolate", "N", "predict the factors up to N GPUs", orr_value_count,
     MEMBER(extrapolate), 1, MAX_EXTRAPOLATED},
};

static const struct orr_option report[] = {
    {"report", "FILE.html", "write a page to explore the run in a browser",
     orr_value_text, MEMBER(report), 0, 0},
};

static const struct orr_option explore[] = {
    {"sched", "NAME|FILE",
     "the scheduling policy (default " ORR_DEFAULT_SCHED ")", orr_value_text,
     MEMBER(sched), 0, 0},
    {"strategy", "NAME",
     "random, pct, starve, delay, dfs or portfolio (default)",
     orr_setting_strategy, MEMBER(strategy), 0, 0},
    {"budget", "N|TIME",
     "number of schedules (default 10000) or time, e.g. 60s",
     orr_setting_budget, 0, 0, 0},
    {"matrix", NULL, "explore the cases that a user should try, in one budget",
     orr_value_true, MEMBER(matrix), 0, 0},
    {"seeds", "N", "explore with N successive seeds, in one budget (default 1)",
     orr_value_count, MEMBER(seeds), 1, MAX_REPLICAS},
    {"ci", "NAME", "also write NAME.json, and NAME.xml as JUnit does",
     orr_value_text, MEMBER(ci), 0, 0},
    {"resume", "FILE", "keep the position in FILE, and go on where it is",
     orr_value_text, MEMBER(resume), 0, 0},
    {"all", NULL, "do not stop at the first schedule that hangs",
     orr_value_true, MEMBER(all), 0, 0},
    {"timing", NULL, "say how long the exploration took", orr_value_true,
     MEMBER(timing), 0, 0},
    {"threads", "N", "number of threads (default: one per core)",
     orr_value_count, MEMBER(threads), 1, MAX_THREADS},
};

static const struct orr_option sweep[] = {
    {"vary", "KEY=LIST",
     "a setting of run and its values: A,B,C or FROM:TO[:STEP]",
     orr_setting_text, MEMBER(vary), 0, 0},
    {"where", "EXPRESSION", "only these points: 'gpus<=4 or pcie>=1x'",
     orr_value_text, MEMBER(filter), 0, 0},
    {"replicas", "R", "runs of each point, with successive seeds (default 1)",
     orr_value_count, MEMBER(replicas), 1, MAX_REPLICAS},
    {"output", "FILE.db", "the file for the results; it is gone on with",
     orr_value_text, MEMBER(output), 0, 0},
    {"restart", NULL, "begin anew, and lose what the file holds",
     orr_value_true, MEMBER(restart), 0, 0},
    {"dry-run", NULL, "only say how many runs there are, and how long",
     orr_value_true, MEMBER(dry_run), 0, 0},
    {"shard", "I/N|auto", "only points I modulo N, into FILE.I-of-N.db",
     orr_value_text, MEMBER(shard), 0, 0},
    {"emit", "SYSTEM", "print a script for slurm, or a line for parallel",
     orr_setting_emission, MEMBER(emit), 0, 0},
    {"shards", "N", "shards of --emit (default 8)", orr_value_count,
     MEMBER(shards), 1, MAX_SHARDS},
    {"threads", "N", "number of threads (default: one per core)",
     orr_value_count, MEMBER(threads), 1, MAX_THREADS},
};

static const struct orr_option results[] = {
    {"timing", NULL, "with the real time of each simulation", orr_value_true,
     MEMBER(timing), 0, 0},
};

static const struct orr_option drawing[] = {
    {"output", "FILE.svg", "draw the links with Graphviz (.svg or .png)",
     orr_value_text, MEMBER(output), 0, 0},
};

static const struct orr_option file[] = {
    {"output", "FILE.xml", "the file to write", orr_value_text, MEMBER(output),
     0, 0},
};

static const struct orr_option graph_file[] = {
    {"output", "FILE", "the file to write: .rec, .json, .csv or .dot",
     orr_value_text, MEMBER(output), 0, 0},
};

static const struct orr_option output[] = {
    {"format", "FORMAT", "text, json or csv (default text)", orr_value_format,
     MEMBER(format), 0, 0},
};

const struct orr_option_group orr_options_application =
    ORR_OPTION_GROUP("Application", application);
const struct orr_option_group orr_options_app = {"Application", application, 1,
                                                 0, NULL};
const struct orr_option_group orr_options_machine =
    ORR_OPTION_GROUP("Machine", machine);
const struct orr_option_group orr_options_runtime =
    ORR_OPTION_GROUP("Runtime", runtime);
const struct orr_option_group orr_options_checks =
    ORR_OPTION_GROUP("Checks of the policy", checks);
const struct orr_option_group orr_options_plugin =
    ORR_OPTION_GROUP("Plug-ins", plugin);
const struct orr_option_group orr_options_run = ORR_OPTION_GROUP("Run", run);
const struct orr_option_group orr_options_sched = {"Run", run, 1, 0, NULL};
const struct orr_option_group orr_options_explain =
    ORR_OPTION_GROUP("Run", explain);
const struct orr_option_group orr_options_traces =
    ORR_OPTION_GROUP("Traces", traces);
const struct orr_option_group orr_options_replay =
    ORR_OPTION_GROUP("Replay", replay);
const struct orr_option_group orr_options_shrink =
    ORR_OPTION_GROUP("Shrinking", shrink);
const struct orr_option_group orr_options_token_files =
    ORR_OPTION_GROUP("Files of the token", token_files);
const struct orr_option_group orr_options_compare =
    ORR_OPTION_GROUP("Comparison", compare);
const struct orr_option_group orr_options_ablate =
    ORR_OPTION_GROUP("Ablation", ablate);
const struct orr_option_group orr_options_scale =
    ORR_OPTION_GROUP("Scaling", scale);
const struct orr_option_group orr_options_sweep =
    ORR_OPTION_GROUP("Campaign", sweep);
const struct orr_option_group orr_options_results =
    ORR_OPTION_GROUP("Results", results);
const struct orr_option_group orr_options_plot = {
    "Plot", orr_plot_option_table, G_N_ELEMENTS(orr_plot_option_table),
    MEMBER(plot), NULL};
const struct orr_option_group orr_options_gantt = {
    "Gantt chart", orr_gantt_option_table, G_N_ELEMENTS(orr_gantt_option_table),
    MEMBER(gantt), NULL};
const struct orr_option_group orr_options_report =
    ORR_OPTION_GROUP("Report", report);
const struct orr_option_group orr_options_explore =
    ORR_OPTION_GROUP("Exploration", explore);
const struct orr_option_group orr_options_drawing =
    ORR_OPTION_GROUP("Drawing", drawing);
const struct orr_option_group orr_options_file = ORR_OPTION_GROUP("File", file);
const struct orr_option_group orr_options_graph_file =
    ORR_OPTION_GROUP("File", graph_file);
const struct orr_option_group orr_options_output =
    ORR_OPTION_GROUP("Output", output);

bool orr_options_have(const char *name)
{
    static const struct orr_option_group *const groups[] = {
        &orr_options_application,
        &orr_options_machine,
        &orr_options_runtime,
        &orr_options_checks,
        &orr_options_plugin,
        &orr_options_run,
        &orr_options_compare,
        &orr_options_ablate,
        &orr_options_explore,
        &orr_options_plot,
        &orr_options_gantt,
        &orr_options_output,
        &orr_options_traces,
        &orr_options_scale,
        &orr_options_report,
        &orr_options_sweep,
        NULL};

    return strcmp(name, "help") == 0 ||
           orr_option_find(groups, name, strlen(name), NULL);
}
