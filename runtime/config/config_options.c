/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The options that decide what a run does: of orr_config_set() and of all
 * commands that simulate. A token keeps them, a campaign may vary them, and
 * each has its members in the JSON of a report.
 */
#include "models/platform/platform.h"
#include "runtime/config/run_config.h"
#include "runtime/worker/worker.h"

/* More than can be simulated. */
#define MAX_WEIGHT 1000000000000
#define MAX_POWER_W 1000000

#define MEMBER(name) offsetof(struct orr_config, name)

const struct orr_option orr_config_kernels[] = {
    {"where", "KERNEL=CLASS",
     "CLASS: cpu, gpu or any (default any); may be repeated",
     .parse = orr_value_where, .member = MEMBER(where),
     .facts = {{"where", .kind = ORR_FACT_TEXTS}},
     .manual = "Runs the kernel only on workers of that class: `cpu`, `gpu` or "
               "`any`. May be repeated; the last one for a kernel counts."},
};

const struct orr_option orr_config_machine[] = {
    {"platform", "NAME|FILE", "the machine (default attila)",
     .parse = orr_value_text, .member = MEMBER(platform),
     .facts = {{"platform", .kind = ORR_FACT_TEXT}},
     .manual =
         "The machine: `attila` by default. A name that contains a slash or "
         "ends in .xml is a file; `starpu:`*DIR*`:`*HOST* is the calibration "
         "that `orrery platform import` *DIR HOST* would convert."},
    {"cpus", "N", "CPU workers (default: all cores that drive no GPU)",
     .parse = orr_value_int, .member = MEMBER(cpus), .max = ORR_MAX_CORES,
     .facts = {{"cpus", .kind = ORR_FACT_COUNT}},
     .manual = "Number of CPU workers. By default, every core that does not "
               "drive a GPU. If the machine has fewer cores, it gets more."},
    {"gpus", "N", "GPU workers (default: all; beyond: copies of the last)",
     .parse = orr_value_int, .member = MEMBER(gpus), .max = ORR_MAX_NODES - 1,
     .facts = {{"gpus", .kind = ORR_FACT_COUNT}},
     .manual = "Number of GPU workers. By default, all GPUs. If the machine "
               "has fewer, the last GPU is repeated with its memory, links, "
               "place behind a switch, routes and kernel durations."},
    {"gpu-memory", "SIZE",
     "usable memory of each GPU, e.g. 512MiB (default: 90 %)",
     .parse = orr_value_bytes, .member = MEMBER(gpu_memory_bytes),
     .min = ORR_MIN_USABLE_MEMORY,
     .facts = {{"gpu_memory_bytes", .kind = ORR_FACT_COUNT}},
     .manual = "Usable memory of each GPU, e.g. 512MiB, at least 1MiB. By "
               "default, 90 % of the memory of the card."},
    {"pcie", "X|RATE|GEN",
     "PCI Express: 0.5x scales, 16GBps limits, gen4x16 sets",
     .parse = orr_value_change, .member = MEMBER(changes),
     .choices =
         ORR_CHOICES("0.5x", "2x", "gen3x16", "gen4x16", "gen5x16", "gen6x16"),
     .manual =
         "A factor, such as 0.5x, multiplies every PCI Express link. A rate, "
         "such as 16GBps, limits them: no copy is faster. A generation and "
         "width, such as gen4x16, sets the slot of every GPU, in both "
         "directions: a single copy between RAM and a GPU gets the rate of "
         "data of that generation. Shared links, such as the host bridge, and "
         "PCI Express links between GPUs keep their proportion to the slots."},
    {"nvlink", "RATE|X", "direct links between all GPUs, e.g. 50GBps",
     .parse = orr_value_change, .member = MEMBER(changes),
     .manual = "Gives every two GPUs direct links, one in each direction, or "
               "changes existing ones."},
    {"set", "PATH=VALUE", "change any figure, e.g. link.Host.bandwidth=2x",
     .parse = orr_value_change, .member = MEMBER(changes),
     .facts = {{"changes", .kind = ORR_FACT_TEXTS}},
     .manual = "Changes any figure of the machine; see CHANGES."},
    {"stale-calibration", NULL,
     "policies use the figures from before these changes",
     .parse = orr_value_true, .member = MEMBER(stale_calibration),
     .manual = "Policies predict copies with the figures from before `--pcie`, "
               "`--nvlink` and `--set`. Otherwise these figures are scaled "
               "like the copies."},
    {"power-cap", "DEV=W,...",
     "limit the power of devices: CUDA0=150W,cpu=60% or all=60%",
     .parse = orr_value_states, .member = MEMBER(changes),
     .manual =
         "Runs devices in the fastest of their states that draw at most *W*, "
         "in watts (CUDA0=150W) or in per cent of the watts of the first "
         "state (all=60%). The platform must have a table of states for them; "
         "a limit outside of it is an error that names its range. *DEV* is "
         "cpu, a GPU, gpus or all; a limit alone is for all."},
    {"pstate", "DEV=N,...", "run devices in a state of their table: cpu=2",
     .parse = orr_value_states, .member = MEMBER(changes),
     .manual = "Runs devices in a state of their table: its number, from 0 for "
               "that in which kernels were measured, or its name. A GPU that "
               "is off (CUDA1=off) takes no tasks."},
};

const struct orr_option orr_config_policy[] = {
    {"sched", "NAME|FILE",
     "the scheduling policy (default " ORR_DEFAULT_SCHED ")",
     .parse = orr_value_text, .member = MEMBER(sched),
     .facts = {{"sched", .kind = ORR_FACT_TEXT},
               {"sched_file", .kind = ORR_FACT_TEXT}},
     .manual = "The scheduling policy; `dmda` by default. One of those that "
               "`orrery sched list` lists or, if the name contains a slash or "
               "ends in .so, a file with a policy: see SCHEDULERS.md. "
               "`fixed:FILE` replays the worker of each task and the order of "
               "the tasks of each worker from a trace, from a tasks.rec of "
               "StarPU, or from lines with a task and a worker."},
};

const struct orr_option orr_config_runtime[] = {
    {"buckets", "CLASS:LIST;...",
     "the buckets of heteroprio, in order: 'cpu:0,1,2*4;gpu:2,1'",
     .parse = orr_value_buckets, .member = MEMBER(buckets),
     .facts = {{"buckets", .kind = ORR_FACT_TEXT}},
     .manual =
         "The buckets of tasks that `heteroprio` has, instead of those that "
         "it learns: for each class of workers, `cpu` and `gpu`, the buckets "
         "that it visits, in order. A bucket is a number from 0 to 99 and has "
         "the tasks of that priority, or it is the name of a kernel and has "
         "its tasks; 0-9 are ten numbers, 9-0 the same in reverse. A slowdown "
         "behind a bucket of the CPUs, as in 2*4, says that they are so many "
         "times slower than the GPUs: a CPU takes a task of the bucket only "
         "while it has at least 4 for each GPU. This is StarPU's "
         "starpu_heteroprio_set_mapping() and its like."},
    {"evict", "NAME|FILE",
     "the eviction policy (default: of the scheduling policy, or lru)",
     .parse = orr_value_text, .member = MEMBER(evict),
     .facts = {{"evict", .kind = ORR_FACT_TEXT}},
     .manual = "The eviction policy, which chooses the data that leave a full "
               "GPU memory: one of `evict list`, or a file that was made with "
               "*sched/evict.h*. By default, the policy that the scheduling "
               "policy brings, as darts does, otherwise lru, the least "
               "recently used data. With "
               "belady, the tasks run once under lru, and then again."},
    {"window", "N|MIN:MAX", "limits of tasks in flight (default 0: no limit)",
     .parse = orr_value_window, .member = MEMBER(window), .max = INT64_MAX,
     .facts = {{"window", .kind = ORR_FACT_COUNT},
               {"window_min", .kind = ORR_FACT_COUNT}},
     .manual =
         "Before it submits a task, the application waits while *N* tasks are "
         "not complete. With *MIN*:*MAX*, once more than *MAX* tasks are not "
         "complete, it waits until *MIN* or fewer are, as StarPU does with "
         "STARPU_LIMIT_MIN_SUBMITTED_TASKS and "
         "STARPU_LIMIT_MAX_SUBMITTED_TASKS. This also limits the memory of the "
         "simulation. By default, 0: the application never waits."},
    {"pipeline", "N",
     "tasks that a GPU worker holds: 0 to 4 (default 2; 0: it awaits kernels)",
     .parse = orr_value_int, .member = MEMBER(pipeline),
     .max = ORR_MAX_PIPELINE, .choices = ORR_CHOICES("0", "1", "2", "3", "4"),
     .facts = {{"pipeline", .kind = ORR_FACT_COUNT}},
     .manual =
         "Depth of the pipeline of a GPU worker: as many tasks as it holds, "
         "from when it takes them until they end, so that the data of one "
         "arrive and its kernel is queued while another one executes. From 0 "
         "to 4; 2 by default. With 1, it holds one task at a time; with 0, it "
         "also does nothing else while the kernel executes. As "
         "STARPU_CUDA_PIPELINE of StarPU."},
    {"model", "NAME=VALUE,...", "switch models; may be repeated",
     .parse = orr_value_models, .member = MEMBER(models),
     .facts = {{"models", .kind = ORR_FACT_TEXT}},
     .manual = "Switches one of the models, see MODELS. May be repeated, and "
               "items may be separated by commas."},
    {"durations", "KIND",
     "kernel durations: mean (default), sampled or replayed",
     .parse = orr_value_durations, .member = MEMBER(models),
     .choices = ORR_CHOICES("mean", "sampled", "replayed"),
     .manual = "Short for `--model durations=`*KIND*, the durations of "
               "kernels: `mean` (the default); `sampled`, a random draw for "
               "each task, the same under every policy for the same `--seed`; "
               "or `replayed`, the durations of `--record`."},
    {"record", "FILE", "tasks.rec or CSV file with the durations to replay",
     .parse = orr_value_text, .member = MEMBER(record),
     .manual = "The recorded duration of each task, for `--durations "
               "replayed`: a *tasks.rec* of StarPU, or CSV as `--trace` writes "
               "it. Tasks are matched in the order of their submission."},
    {"perturb", "X[:BY]",
     "scale kernel durations by 1 +- X at random, by worker or device",
     .parse = orr_value_perturbation, .member = MEMBER(perturb),
     .facts = {{"perturb", .kind = ORR_FACT_NUMBER},
               {"perturb_by", .kind = ORR_FACT_TEXT,
                .choices = ORR_CHOICES("worker", "device")}},
     .manual =
         "Multiplies the duration of each kernel, at each size on each "
         "worker, by a random factor in 1 +- *X*, which policies know. "
         "This shows the sensitivity of a result to tiny changes. From 0 "
         "(the default) to below 1. By `:worker`, each worker has factors of "
         "its own (the default); by `:device`, all CPU workers have "
         "one factor, as with the performance models of StarPU: then "
         "those that were equal stay equal."},
    {"seed", "N", "seed of all random draws (default 0)",
     .parse = orr_value_count, .member = MEMBER(seed), .max = INT64_MAX,
     .facts = {{"seed", .kind = ORR_FACT_COUNT}},
     .manual = "Seed of the random draws for `--perturb`, `--durations "
               "sampled` and the policy `random`. 0 by default."},
    {"alpha", "X", "weight of a task's end in the dm family (default 1)",
     .parse = orr_value_weight, .member = MEMBER(alpha), .max = MAX_WEIGHT,
     .facts = {{"alpha", .kind = ORR_FACT_NUMBER}}, .manual = ""},
    {"beta", "X", "weight of its transfers (default 1)",
     .parse = orr_value_weight, .member = MEMBER(beta), .max = MAX_WEIGHT,
     .facts = {{"beta", .kind = ORR_FACT_NUMBER}}, .manual = ""},
    {"gamma", "X", "weight of its joules, in us per joule (default 1000)",
     .parse = orr_value_weight, .member = MEMBER(gamma), .max = MAX_WEIGHT,
     .facts = {{"gamma", .kind = ORR_FACT_NUMBER}}, .manual = ""},
    {"idle-power", "W",
     "power that the whole machine always draws, W (default 0)",
     .parse = orr_value_weight, .member = MEMBER(idle_power_w),
     .max = MAX_POWER_W, .facts = {{"idle_power_w", .kind = ORR_FACT_NUMBER}},
     .manual = "How dmda, dmdap, dmdar, dmdas, dmdasd, modular-heft and "
               "modular-heft2 weigh what a worker costs a task: *alpha* times "
               "its end, *beta* times its transfers, and *gamma*, in "
               "microseconds per joule, times its joules: those that the "
               "application gives, and, if `--gamma` is given, those that "
               "follow from the watts of the platform. A task that would end "
               "after all planned work also pays *gamma* times the idle power, "
               "in W, times the time beyond it. The defaults are 1, 1, 1000 "
               "and 0, as in StarPU; all are 0 or more. The idle power is that "
               "of the whole machine, all the time; it counts in `energy_j`."},
    {"polling", NULL, "waiting cores poll, and draw power for it",
     .parse = orr_value_true, .member = MEMBER(polling),
     .facts = {{"polling", .kind = ORR_FACT_FLAG}},
     .manual = "CPU workers without a task and drivers of GPUs draw the power "
               "that the platform gives for polling cores. Otherwise a waiting "
               "core draws nothing of its own."},
};

const struct orr_option orr_config_checks[] = {
    {"max-wait", "TIME",
     "fail if a task waits longer while a worker that could run it sleeps",
     .parse = orr_value_time, .member = MEMBER(max_wait),
     .manual = "No task waits longer than *TIME* while a worker that could run "
               "it sleeps. While `explore` holds a worker back, no time "
               "counts. Policies that keep tasks for faster workers break this "
               "rule on purpose."},
    {"check-priorities", NULL,
     "fail if a worker gets a task while a more urgent one waits for it",
     .parse = orr_value_true, .member = MEMBER(check_priorities),
     .manual = "No worker gets a task while a more urgent one that it could "
               "run waits in the policy; only tasks count that had been pushed "
               "when the worker asked."},
    {"ignore-races", NULL,
     "continue after a data race of a policy, to see its effect",
     .parse = orr_value_true, .member = MEMBER(ignore_races),
     .manual = "A data race of a policy that was compiled with "
               "`-fsanitize=thread` (see docs/DEBUGGING.md) does not end the "
               "run, so that its effect can be seen."},
};
