/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options for results: what is printed and written, which has no influence
 * on a run, and the options of the commands that take a token. */
#include "apps/options/completion.h"
#include "apps/options/tables.h"
#include "apps/options/values.h"
#include "apps/settings/setting_values.h"
#include "apps/settings/settings.h"

#define MEMBER(name) offsetof(struct orr_settings, name)

static const struct orr_option run[] = {
    {"token", "FILE", "write a token, for 'orrery replay @FILE'",
     .parse = orr_value_text, .member = MEMBER(outputs.token),
     .manual =
         "Writes the token of the run, one line, for `orrery replay @`*FILE*. "
         "It is checked before the run that the file can be written. A run "
         "that hangs always prints its token on standard error."},
    {"timing", NULL, "print how long the simulation took",
     .parse = orr_value_true, .member = MEMBER(outputs.timing),
     .manual = "Prints in the text how long the simulation took, in real time. "
               "Without it, the text is the same each time. JSON and CSV "
               "always have `simulation_wall_s`."},
    {"twice", NULL, "run twice, and fail if the runs differ",
     .parse = orr_value_true, .member = MEMBER(outputs.twice),
     .manual = "Runs twice, and fails if the two runs differ, with the "
               "difference of the earliest date. Runs differ if the policy "
               "depends on addresses, clocks or uninitialised memory: the "
               "second run gets other addresses, in another order, and its "
               "allocated memory is filled with other bytes."},
    {"bounds", NULL, "give lower bounds on time and energy, too",
     .parse = orr_value_true, .member = MEMBER(outputs.bounds),
     .manual = "Also gives lower bounds on the makespan and, if power is "
               "known, on the energy, which hold for any policy. They need the "
               "task graph once more: some third of the time of the run."},
};

static const struct orr_option traces[] = {
    {"trace", "FILE", "write what ran when; may be repeated",
     .parse = orr_setting_text, .member = MEMBER(outputs.traces),
     .manual =
         "Writes what ran when, in the format of the name: .csv has every "
         "task, and every copy in *FILE.copies.csv*; .rec has the task graph "
         "with the times of the tasks, as StarPU writes it, and the data in "
         "*FILE.data.rec*; .trace is Paje, for ViTE and pj_dump; .json is that "
         "of Chrome, for ui.perfetto.dev and speedscope; .pftrace is that of "
         "Perfetto, for larger runs. After all but .rec, .gz compresses. See "
         "FILES. May be given several times, for different files. A run that "
         "hangs writes them, too."},
    {"trace-format", "FORMAT",
     "csv, rec, paje, json, perfetto, starpu, starvz (default: by name)",
     .parse = orr_value_text, .member = MEMBER(outputs.trace_format),
     .choices = ORR_CHOICES("csv", "rec", "paje", "json", "perfetto", "starpu",
                            "starvz"),
     .manual = "The format of all traces, whatever their names: `csv`, `rec`, "
               "`paje`, `json`, `perfetto`, `starpu` or `starvz`. With "
               "`starpu`, FILE is a folder, which must not exist, or be empty: "
               "tasks.rec, data.rec and dag.dot, as starpu_fxt_tool writes "
               "them. With `starvz`, FILE is a folder, too: it has the tables "
               "that the first phase of StarVZ reads."},
    {"power", "FILE.csv", "write what each device draws over time",
     .parse = orr_value_text, .member = MEMBER(outputs.power),
     .manual =
         "Writes what each device draws over time: date_ms, device and "
         "power_w, a row for each change and one at the end; without copies."},
    {"hang-graph", "FILE.svg",
     "if the run hangs, draw its wait-for graph (.png, .dot)",
     .parse = orr_value_text, .member = MEMBER(outputs.hang_graph),
     .manual =
         "If the run hangs, draws its wait-for graph as SVG or PNG (FILE.png) "
         "with the program `dot`, or writes the input of dot (FILE.dot). Each "
         "box is a task, worker, request or memory and says what it waits for; "
         "the chain of waits has another colour. See HANGS."},
    {"hang-steps", "FILE.svg",
     "if the run hangs, draw the last steps of the policy (.pdf, .png)",
     .parse = orr_value_text, .member = MEMBER(outputs.hang_steps),
     .manual =
         "If the run hangs, draws the last 60 steps of the policy's callers "
         "with gnuplot, as SVG, PDF or PNG: workers and the application are "
         "rows, calls, locks held or awaited, and tasks are bars. The axis "
         "counts steps, since calls take no time unless they wait."},
};

static const struct orr_option report[] = {
    {"report", "FILE.html", "write a page to explore the run in a browser",
     .parse = orr_value_text, .member = MEMBER(outputs.report),
     .manual =
         "Writes a page that shows the run in a browser, without the network: "
         "workers, links, memories, ready tasks and bandwidth over time, with "
         "zoom; the critical path; lower bounds; all settings and figures; of "
         "each task its data, dependencies, copies and dates, and so why it "
         "waited. For `compare`, the first replica of each policy, of one "
         "size, one below the other. A run that hangs has a report, too, "
         "marked unfinished. Beyond a million tasks and copies of one run, "
         "neighbours are merged, as the page says."},
};

static const struct orr_option replay[] = {
    {"timing", NULL, "print how long the simulation took",
     .parse = orr_value_true, .member = MEMBER(outputs.timing),
     .manual = "Prints in the text how long the simulation took, in real time. "
               "Without it, the text is the same each time. JSON and CSV "
               "always have `simulation_wall_s`."},
    {"gdb", NULL, "run in gdb and stop before the critical decision",
     .parse = orr_value_true, .member = MEMBER(outputs.gdb),
     .manual = "Runs in gdb(1), which stops in the function orr_replay_stop(), "
               "just before the critical decision. If the token does not "
               "contain this decision, it is searched as by `shrink`; if there "
               "is none, the run stops before its last decision. If the policy "
               "is a file and is making the decision, gdb shows the frame of "
               "its function. Compile it with `-g`."},
};

static const struct orr_option shrink[] = {
    {"budget", "N", "maximum number of runs in each of two phases (5000)",
     .parse = orr_value_count, .member = MEMBER(exploration.budget), .min = 1,
     .max = ORR_MAX_SCHEDULES,
     .manual = "Maximum number of runs; 5000 by default. The search for the "
               "critical decision may take the same number again."},
    {"shrink-by", "NAME",
     "the argument of a program before the number that is reduced",
     .parse = orr_value_text, .member = MEMBER(exploration.shrink_by),
     .manual = "The token is one of a program with StarPU's interface, and "
               "*NAME* one of its arguments, which a number follows: "
               "`--shrink-by -nblocks`. That number is reduced."},
};

/* Each file has the name that the option has in a run. */
static const struct orr_option token_files[ORR_TOKEN_INPUTS] = {
    [ORR_TOKEN_PLATFORM] =
        {"platform", "NAME|FILE", "the machine, if TOKEN was made with a file",
         .parse = orr_value_text,
         .member = MEMBER(outputs.token_files[ORR_TOKEN_PLATFORM]),
         .offer = orr_offer_platforms,
         .manual =
             "The machine. It is needed if the token was made with a file or "
             "a calibration."},
    [ORR_TOKEN_SCHED] =
        {"sched", "FILE", "the policy, if TOKEN was made with a file",
         .parse = orr_value_text,
         .member = MEMBER(outputs.token_files[ORR_TOKEN_SCHED]),
         .manual =
             "The policy. It is needed if the token was made with a file."},
    [ORR_TOKEN_RECORD] =
        {"record", "FILE", "the durations, if TOKEN was made with a record",
         .parse = orr_value_text,
         .member = MEMBER(outputs.token_files[ORR_TOKEN_RECORD]),
         .manual = "The record. It is needed if the token was made with one."},
    [ORR_TOKEN_APP] =
        {"app", "FILE",
         "the application, if TOKEN was made with a file or a program",
         .parse = orr_value_text,
         .member = MEMBER(outputs.token_files[ORR_TOKEN_APP]),
         .manual =
             "The application. It is needed if the token was made with a file, "
             "or with a program: `--app '-- ./chol 10'`."},
    [ORR_TOKEN_EVICT] =
        {"evict", "FILE", "the eviction policy, if TOKEN was made with a file",
         .parse = orr_value_text,
         .member = MEMBER(outputs.token_files[ORR_TOKEN_EVICT]),
         .manual =
             "The eviction policy. It is needed if the token was made with a "
             "file."},
};

static const struct orr_option results[] = {
    {"timing", NULL, "with the real time of each simulation",
     .parse = orr_value_true, .member = MEMBER(outputs.timing),
     .manual = "Adds `simulation_wall_s`, the real time of each simulation, "
               "which is different each time."},
};

static const struct orr_option drawing[] = {
    {"output", "FILE.svg", "draw the links with Graphviz (.svg or .png)",
     .parse = orr_value_text, .member = MEMBER(outputs.output),
     .manual = "Draws the machine into *FILE.svg* or *FILE.png*, with `dot`(1) "
               "of Graphviz."},
};

static const struct orr_option file[] = {
    {"output", "FILE.xml", "the platform file to write",
     .parse = orr_value_text, .member = MEMBER(outputs.output)},
};

static const struct orr_option graph_file[] = {
    {"output", "FILE", "the file to write: .rec, .json, .csv or .dot",
     .parse = orr_value_text, .member = MEMBER(outputs.output)},
};

const struct orr_option_group orr_options_run = ORR_OPTION_GROUP("Run", run);
const struct orr_option_group orr_options_traces =
    ORR_OPTION_GROUP("Traces", traces);
const struct orr_option_group orr_options_report =
    ORR_OPTION_GROUP("Report", report);
const struct orr_option_group orr_options_replay =
    ORR_OPTION_GROUP("Replay", replay);
const struct orr_option_group orr_options_shrink =
    ORR_OPTION_GROUP("Shrinking", shrink);
const struct orr_option_group orr_options_token_files = {
    .title = "Files of the token",
    .options = token_files,
    .count = G_N_ELEMENTS(token_files),
    .manual = "See TOKENS."};
const struct orr_option_group orr_options_results =
    ORR_OPTION_GROUP("Results", results);
const struct orr_option_group orr_options_drawing =
    ORR_OPTION_GROUP("Drawing", drawing);
const struct orr_option_group orr_options_file = ORR_OPTION_GROUP("File", file);
const struct orr_option_group orr_options_graph_file =
    ORR_OPTION_GROUP("File", graph_file);
const struct orr_option_group orr_options_plot = {
    .title = "Plot",
    .options = orr_plot_option_table,
    .count = G_N_ELEMENTS(orr_plot_option_table),
    .member = MEMBER(outputs.plot),
    .manual = "`explain` plots with `--scale` alone: the factors, dashed where "
              "they are predicted."};
const struct orr_option_group orr_options_gantt = {
    .title = "Gantt chart",
    .options = orr_gantt_option_table,
    .count = G_N_ELEMENTS(orr_gantt_option_table),
    .member = MEMBER(outputs.gantt)};
const struct orr_option_group orr_options_output = {
    .title = "Output",
    .options = orr_format_option_table,
    .count = G_N_ELEMENTS(orr_format_option_table),
    .member = MEMBER(format)};
