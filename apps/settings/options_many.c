/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options of the commands that simulate many runs. */
#include "apps/options/completion.h"
#include "apps/options/values.h"
#include "apps/settings/setting_values.h"
#include "apps/settings/settings.h"

/* More than can be simulated. */
#define MAX_REPLICAS 1000000
#define MAX_EXTRAPOLATED 1000000000
#define MAX_THREADS 1024
#define MAX_SHARDS 10000

#define MEMBER(name) offsetof(struct orr_settings, name)

static const struct orr_option compare[] = {
    {"sched", "NAME|FILE,...", "the scheduling policies (default: all)",
     .parse = orr_value_text, .member = MEMBER(scenario.config.sched),
     .offer = orr_offer_policies,
     .manual = "The policies to compare, separated by commas; all by default."},
    {"replicas", "R", "runs of each policy, with successive seeds (default 1)",
     .parse = orr_value_count, .member = MEMBER(scenario.run.replicas),
     .min = 1, .max = MAX_REPLICAS,
     .manual =
         "Simulates each policy *R* times, with the seeds `--seed`, `--seed` + "
         "1 and so on, the same for each policy; 1 by default. The seed has an "
         "effect on `--durations sampled`, on `--perturb` and on policies that "
         "draw random numbers. See COMPARISONS."},
    {"sizes", "LIST", "several sizes, in rows: A,B,C or FROM:TO:STEP",
     .parse = orr_value_text, .member = MEMBER(scenario.problem.sizes),
     .manual =
         "Compares at several sizes of the matrix, in rows: *A,B,C* or "
         "*FROM:TO:STEP*, each a multiple of the tile size; the error for any "
         "other names the nearest ones. Instead of `--tiles` and `--size`."},
    {"robustness", "LIST",
     "deviation / mean of durations: A,B,C or FROM:TO:STEP",
     .parse = orr_value_text, .member = MEMBER(scenario.run.robustness),
     .manual =
         "Compares at increasing variability of durations (`--durations "
         "sampled`): at each spread of *A,B,C* or *FROM:TO:STEP*, which is the "
         "standard deviation of the duration of a kernel divided by its mean, "
         "and replaces the measured one. Not with `--sizes`."},
    {"raw", "FILE.csv", "write the makespan of each replica, one in each line",
     .parse = orr_value_text, .member = MEMBER(outputs.raw),
     .manual = "Writes every replica that has ended into *FILE.csv*, one in "
               "each line: app, the options of the application, platform, "
               "cpus, gpus, spread, sched, replica (from 0), seed, makespan_s, "
               "gflops, and hang, the kind if the replica hangs. Replicas with "
               "the same number have the same random draws."},
    {"by", "QUANTITY", "order by makespan, energy or edp (default: as given)",
     .parse = orr_setting_by, .member = MEMBER(outputs.by),
     .choices = ORR_CHOICES("makespan", "energy", "edp"),
     .manual = "Orders the policies by the mean of `makespan`, `energy` or "
               "`edp`, energy times makespan; otherwise they are in the order "
               "given. Where power is nominal, the text has a table of time "
               "and energy only with this option, with another state of a "
               "device, or with a weight of energy."},
    {"overlay", "FILE.csv", "measured speeds to draw over those predicted",
     .parse = orr_value_text, .member = MEMBER(outputs.overlay),
     .manual = "Draws measured speeds over those that are predicted, as black "
               "points. The first line of the file names its columns: `size`, "
               "`gflops` or `makespan_s`, and optionally `policy`; others are "
               "ignored. With `--plot` or `--plot-data`."},
};

static const struct orr_option ablate[] = {
    {"sizes", "LIST", "several sizes, in rows: A,B,C or FROM:TO:STEP",
     .parse = orr_value_text, .member = MEMBER(scenario.problem.sizes),
     .manual =
         "Several sizes of the matrix, in rows: *A,B,C* or *FROM:TO:STEP*, "
         "multiples of the tile size. Instead of `--tiles` or `--size`."},
    {"replicas", "N", "runs of each case, with successive seeds (default 1)",
     .parse = orr_value_count, .member = MEMBER(scenario.run.replicas),
     .min = 1, .max = MAX_REPLICAS,
     .manual = "Number of runs of each case, with successive seeds from "
               "`--seed` on; 1 by default. Changes are then means over pairs "
               "of replicas with the same seed, in parentheses if 0 is in "
               "their 95 % interval (Student's t)."},
    {"degrade", "NAME,...", "the models to degrade (default: all)",
     .parse = orr_value_text, .member = MEMBER(scenario.run.degrade),
     .offer = orr_offer_degradations,
     .manual = "The models to degrade; by default, all that do not have their "
               "simplest value."},
    {"plot-changes", "FILE", "draw the effect of each model in per cent",
     .parse = orr_value_text, .member = MEMBER(outputs.plot_changes),
     .manual = "Draws into *FILE*, whose name ends in .svg, .pdf or .png, by "
               "how many per cent each model changes the speed."},
};

static const struct orr_option scale[] = {
    {"scale", "gpus=FROM:TO", "factors of efficiency over numbers of GPUs",
     .parse = orr_value_text, .member = MEMBER(outputs.scale),
     .manual =
         "Simulates the application with each of these numbers of GPUs "
         "(`gpus=`*FROM:TO* or `gpus=`*FROM:TO:STEP*), or of CPU workers "
         "(`cpus=`*A,B,C*), at least 1 and ascending, instead "
         "of `--gpus` or `--cpus`, and prints for each the makespan, the "
         "parallel "
         "efficiency and the factors of `explain`, and the scaling of "
         "computation: the time for which all workers of the first run "
         "compute, over that of this run. With three runs or more, it fits "
         "each factor, for P GPUs, by a constant, by Amdahl's law a0 / (f + (1 "
         "- f) P) and by that of a pipeline, a0 P / ((1 - f) + f (2 P - 1)), "
         "where f is from 0 to 1, by least squares. It shows the law that, "
         "fitted to the other runs, misses the last one least, and by how "
         "much.\n\nJSON has the settings, and `scale`, `gpus` or `cpus`; "
         "`runs`[] and `predictions`[] with `gpus`, `cpus`, `predicted`, "
         "`makespan_s`, `parallel`, `load_balance`, `serialization`, "
         "`transfer` and `computation`; `fits`[] with `factor`, `law`, `a0`, "
         "`f` and `last_out_error`. CSV has a row for each run and "
         "prediction."},
    {"extrapolate", "N", "predict the factors up to N GPUs",
     .parse = orr_value_count, .member = MEMBER(outputs.extrapolate), .min = 1,
     .max = MAX_EXTRAPOLATED,
     .manual =
         "Predicts the factors up to N GPUs, and the parallel efficiency as "
         "the product of load balance, serialization and transfer, each 1 at "
         "most. Beyond 100 times the last run, there is a warning."},
};

static const struct orr_option explore[] = {
    {"strategy", "NAME",
     "random, pct, starve, delay, dfs or portfolio (default)",
     .parse = orr_setting_strategy, .member = MEMBER(exploration.strategy),
     .offer = orr_offer_strategies,
     .manual =
         "How schedules are chosen: `random` takes a random option with a "
         "random frequency; `pct` gives workers random priorities, which "
         "change at a few random points, and so finds hangs that need few "
         "ordering constraints with a guaranteed probability; inside a "
         "concurrent policy, a worker with a lower priority waits until no "
         "other can go on; `starve` delays one worker as long as possible; "
         "`delay` deviates from the default at a few random points; `dfs` "
         "enumerates all decisions except those on durations, without "
         "schedules that are equivalent to another one (partial-order "
         "reduction: steps at one date that use different objects need not be "
         "tried in both orders). If it completes, it has proved that there is "
         "no deadlock at this size and with these durations. In a concurrent "
         "policy it tries every order of the operations on each lock, "
         "condition or atomic variable; `portfolio`, the default, uses all of "
         "them, and gives more of the budget to those that yield distinct "
         "schedules; one of which less than 2 % are distinct is dropped after "
         "100. The first schedule is always that of `run`."},
    {"budget", "N|TIME",
     "number of schedules (default 10000) or time, e.g. 60s",
     .parse = orr_setting_budget, .member = 0,
     .manual = "Number of schedules, 10000 by default, or a limit of real "
               "time, e.g. 60s."},
    {"matrix", NULL, "explore the cases that a user should try, in one budget",
     .parse = orr_value_true, .member = MEMBER(exploration.matrix),
     .manual =
         "Explores some twenty cases instead of one, in one budget: small and "
         "larger problems, with one worker, several of one class or of two, "
         "with kernels that only CPUs run, with a small window of submission, "
         "with little GPU memory, with both `cholesky` and `lu`. Options that "
         "are given keep their values in all cases; cases that the machine "
         "cannot run are left out. It stops after the first case with a "
         "finding, unless `--all` is given."},
    {"seeds", "N", "explore with N successive seeds, in one budget (default 1)",
     .parse = orr_value_count, .member = MEMBER(exploration.seeds), .min = 1,
     .max = MAX_REPLICAS,
     .manual =
         "Explores each case with *N* seeds, from that of `--seed` on, in "
         "one budget."},
    {"ci", "NAME", "also write NAME.json, and NAME.xml as JUnit does",
     .parse = orr_value_text, .member = MEMBER(exploration.ci),
     .manual =
         "For systems of continuous integration: also writes the results as "
         "JSON to *NAME*`.json` and as JUnit XML to *NAME*`.xml`: each case is "
         "a test, and each finding a failure with its diagnosis and token. The "
         "exit status is as always: 0 if nothing was found."},
    {"resume", "FILE", "save the position in FILE, and continue from it",
     .parse = orr_value_text, .member = MEMBER(exploration.resume),
     .manual =
         "Saves the position of the exploration in *FILE*, about once a second "
         "and at the end, and continues from *FILE* if it exists: after "
         "Ctrl-C, after the process was killed, or with a larger `--budget`, "
         "which counts the schedules before, too. The results are those of an "
         "exploration in one piece, to the byte but for the real time; with a "
         "budget of time, as far as it goes. These are run again: "
         "the first schedule of each case, the schedules since *FILE* was last "
         "written, and those of the last round of the strategies if the budget "
         "has grown, up to half of all. `--threads`, `--format`, `--timing` "
         "and `--ci` may change. A *FILE* of another version, application, "
         "policy, machine, strategy or option is refused, by line."},
    {"all", NULL, "do not stop at the first schedule that hangs",
     .parse = orr_value_true, .member = MEMBER(exploration.all),
     .manual = "Continues after a schedule that does not finish, and reports "
               "the first of each kind."},
    {"timing", NULL, "print how long the exploration took",
     .parse = orr_value_true, .member = MEMBER(outputs.timing),
     .manual =
         "Prints in the text how long the exploration took, in real time. "
         "Without it, the text is the same each time. JSON and CSV "
         "always have `exploration_wall_s`."},
    {"threads", "N", "number of threads (default: one per core)",
     .parse = orr_value_count, .member = MEMBER(exploration.threads), .min = 1,
     .max = MAX_THREADS,
     .manual = "Number of schedules that are simulated in parallel; by default "
               "the number of cores. It has no effect on the result, except "
               "with a budget of time."},
};

static const struct orr_option sweep[] = {
    {"vary", "KEY=LIST",
     "a setting of run and its values: A,B,C or FROM:TO[:STEP]",
     .parse = orr_setting_text, .member = MEMBER(campaign.vary),
     .manual =
         "A setting that varies, and its values. KEY is the name of an option "
         "of `run` that has influence on its result, of an option of the "
         "application, `app` for the application itself, or the path of a "
         "figure as for `--set`, such as `link.*.bandwidth`. LIST are values, "
         "separated by commas or semicolons, and ranges FROM:TO:STEP or "
         "FROM:TO, with step 1, of decimal numbers with the same unit: 1:8, "
         "0.25x:2x:0.25x. What stands in quotation marks, `'...'` or "
         "`\"...\"`, is "
         "one value, such as \"5:20\" of `window`, which would be a range "
         "otherwise, or \"CUDA0=150W,cpu=60%\" of `power-cap`. The values of a "
         "flag are yes and no. May be repeated, with other keys. At most 10^8 "
         "runs are possible."},
    {"where", "EXPRESSION", "only these points: 'gpus<=4 or pcie>=1x'",
     .parse = orr_value_text, .member = MEMBER(campaign.filter),
     .manual =
         "Only the points for which it holds: comparisons KEY = VALUE, with = "
         "!= < <= > or >=, joined by and, or, not and brackets: `'gpus<=4 or "
         "pcie>=1x'`. Numbers with the same unit are compared as numbers, "
         "sizes "
         "as bytes, and anything else only with = and !=."},
    {"replicas", "R", "runs of each point, with successive seeds (default 1)",
     .parse = orr_value_count, .member = MEMBER(scenario.run.replicas),
     .min = 1, .max = MAX_REPLICAS,
     .manual = "Runs each point *R* times, with the seeds `--seed`, `--seed` + "
               "1, ...; 1 by default."},
    {"output", "FILE.db",
     "the file for the results; an existing one is continued",
     .parse = orr_value_text, .member = MEMBER(outputs.output),
     .manual = "The database. If it exists, the campaign continues with it. "
               "One process at a time may use it."},
    {"restart", NULL, "start again, and delete the results in the file",
     .parse = orr_value_true, .member = MEMBER(campaign.restart),
     .manual =
         "Starts the campaign again, and deletes the results in the database."},
    {"dry-run", NULL, "only print how many runs there are, and how long",
     .parse = orr_value_true, .member = MEMBER(campaign.dry_run),
     .manual =
         "Runs a few points only, and prints how many runs there are, how long "
         "they will take by these, why the first of them that fails does so, "
         "and which points come first. Exits with 1 if all of them fail."},
    {"shard", "I/N|auto", "only points I modulo N, into FILE.I-of-N.db",
     .parse = orr_value_text, .member = MEMBER(campaign.shard),
     .choices = ORR_CHOICES("auto"),
     .manual =
         "Only the points whose number modulo N is I, from 0 to N - 1, into "
         "the database FILE.I-of-N.db. `auto` takes I and N from the variables "
         "SLURM_ARRAY_TASK_ID, _MIN, _COUNT and _STEP of an array of Slurm."},
    {"emit", "SYSTEM", "print a script for slurm, or a line for parallel",
     .parse = orr_setting_emission, .member = MEMBER(campaign.emit),
     .choices = ORR_CHOICES("slurm", "parallel"),
     .manual = "Runs nothing, and prints commands that run the campaign in "
               "shards and merge them: `slurm` for a script that submits "
               "itself to Slurm, `parallel` "
               "for a line with GNU parallel. See CLUSTER.md."},
    {"shards", "N", "shards of --emit (default 8)", .parse = orr_value_count,
     .member = MEMBER(campaign.shards), .min = 1, .max = MAX_SHARDS,
     .manual = "The number of shards of `--emit`; 8 by default."},
    {"threads", "N", "number of threads (default: one per core)",
     .parse = orr_value_count, .member = MEMBER(exploration.threads), .min = 1,
     .max = MAX_THREADS,
     .manual = "Number of threads; one per core by default."},
};

const struct orr_option_group orr_options_compare =
    ORR_OPTION_GROUP("Comparison", compare);
const struct orr_option_group orr_options_ablate =
    ORR_OPTION_GROUP("Ablation", ablate);
const struct orr_option_group orr_options_scale =
    ORR_OPTION_GROUP("Scaling", scale);
const struct orr_option_group orr_options_explore = {
    .title = "Exploration",
    .options = explore,
    .count = G_N_ELEMENTS(explore),
    .manual = "`--seed` is also the seed of the strategies."};
const struct orr_option_group orr_options_sweep = {
    .title = "Campaign",
    .options = sweep,
    .count = G_N_ELEMENTS(sweep),
    .manual = "The option `--where` of other commands, which restricts "
              "kernels, is set as `--vary where=KERNEL=CLASS`."};
