#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Speed of the simulator. A benchmark: prints figures, judges nothing.

usage: bench.py --orrery PROGRAM --rusage PROGRAM [--reference PROGRAM] [TILES...]

Times depend on the machine and what else it does. Instructions do not: they
are counted by valgrind, where it is there. An action is a task or a copy.
With --reference, an older build, it prints the ratios new / old as well; times
are then taken in turn, old and new. Takes one or two minutes, with --reference
about ten. `make bench` runs it; docs/PERFORMANCE.md shows what it prints.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import tempfile

SIZES = [20, 40, 80, 200]
WINDOW = 10000
INSTRUCTIONS = [("dmda", 80), ("dmdas", 80), ("dmdas", 120)]
# Policies, tiles, options, repetitions for user time and memory, old and new.
IN_TURN = [("dmda", 80, [], 10), ("dmdas", 80, [], 10),
           ("dmda", 200, [], 3), ("dmdas", 200, [], 3),
           ("dmda", 200, ["--window", str(WINDOW)], 3),
           ("dmdas", 200, ["--window", str(WINDOW)], 3)]
# Other kinds of runs: title, arguments, how many of what they simulate.
EXPLORE = ["explore", "cholesky", "--tiles", "6", "--precision", "double", "--platform", "idcin-2",
           "--cpus", "2", "--gpus", "2", "--gpu-memory", "57MiB", "--all", "--threads", "1"]
REPLICAS = ["compare", "cholesky", "--tiles", "12", "--precision", "double", "--platform", "idcin-2",
            "--durations", "sampled"]
LOCKSTEP = ["run", "cholesky", "--tiles", "40", "--platform", "attila", "--cpus", "9", "--gpus", "3"]
OTHERS = ([("explore, " + sched, EXPLORE + ["--budget", "3000", "--sched", sched], 3000, "schedules")
           for sched in ("dmda", "eager")] +
          [("replicas, " + sched, REPLICAS + ["--replicas", "200", "--sched", sched], 200, "replicas")
           for sched in ("dmda", "eager")] +
          [("lock-step, " + sched, LOCKSTEP + ["--sched", sched], 1, "runs") for sched in ("eager", "lws")])


class Bench:
    def __init__(self, arguments, folder):
        self.rusage = arguments.rusage
        self.usage = os.path.join(folder, "usage")
        self.valgrind = shutil.which("valgrind")

    def run(self, orrery, arguments):
        """What a run printed, its user time in s and its memory in MB."""
        done = subprocess.run([self.rusage, self.usage, orrery, *arguments],
                              capture_output=True, text=True, check=True)
        with open(self.usage, encoding="ascii") as file:
            user, kib = file.read().split()
        return done.stdout, float(user), int(kib) * 1024 / 1e6

    def count(self, orrery, arguments):
        """Instructions of a run."""
        done = subprocess.run(
            [self.valgrind, "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
             orrery, *arguments], capture_output=True, text=True, check=True)
        return int(re.search(r"I +refs: +([\d,]+)", done.stderr)[1].replace(",", ""))

    def count_run(self, orrery, sched, tiles):
        """Instructions of a Cholesky, without the start of the process."""
        return self.count(orrery, cholesky(sched, tiles)) - self.count(orrery, cholesky(sched, 1))


def cholesky(sched, tiles, *options):
    return ["run", "cholesky", "--platform", "attila", "--cpus", "0", "--gpus", "3", "--sched", sched,
            "--tiles", str(tiles), "--format", "json", *options]


def actions(facts):
    return facts["tasks"] + facts["copies"]


def ratio(a, b):
    """Of two measures; short times may be 0, as the system counts them."""
    return "%.3f" % (a / b) if b > 0 else "-"


def per_second(count, times):
    return "%.0f" % (count / min(times)) if min(times) > 0 else "-"


def table(widths, *cells):
    """Prints a line: the first column to the left, others to the right."""
    print("".join((cell.ljust if i == 0 else cell.rjust)(width)
                  for i, (width, cell) in enumerate(zip(widths, cells))), flush=True)


def timed(bench, orrery, sched, tiles, *options):
    """Facts, seconds and MB of the fastest of runs that take 2 s in all,
    since whatever else the machine does can only slow a run down."""
    seconds, memory, total = float("inf"), 0, 0
    while total < 2:
        output, _, peak = bench.run(orrery, cholesky(sched, tiles, *options))
        facts = json.loads(output)
        seconds = min(seconds, facts["simulation_wall_s"])
        memory = max(memory, peak)
        total += facts["simulation_wall_s"]
    return facts, seconds, memory


def print_speed(bench, orrery, sizes):
    widths = [7, 6, 7, 9, 9, 9, 9, 10, 10, 9]
    table(widths, "sched", "tiles", "window", "tasks", "copies", "seconds", "tasks/s", "ns/task",
          "ns/action", "peak_MB")
    for sched in ("dmda", "dmdas"):
        costs = {}
        for tiles, window in [(tiles, 0) for tiles in sizes] + [(sizes[-1], WINDOW)]:
            options = ["--window", str(window)] if window else []
            facts, seconds, memory = timed(bench, orrery, sched, tiles, *options)
            if not window:
                costs[tiles] = seconds / actions(facts)
            table(widths, sched, str(tiles), str(window or "-"), str(facts["tasks"]), str(facts["copies"]),
                  "%.4f" % seconds, "%.0f" % (facts["tasks"] / seconds), "%.0f" % (seconds / facts["tasks"] * 1e9),
                  "%.0f" % (seconds / actions(facts) * 1e9), "%.1f" % memory)
        low = 80 if 80 in costs else sizes[0]
        print("%s: cost of an action at %d tiles / at %d tiles: %.2f\n" %
              (sched, sizes[-1], low, costs[sizes[-1]] / costs[low]))


def print_instructions(bench, orrery, reference):
    widths = [7, 6, 9, 9, 12, 14, 10, 9]
    print("Instructions, without the start of the process:\n")
    table(widths, "sched", "tiles", "tasks", "actions", "each task", "each action",
          *(["old task", "new/old"] if reference else []))
    for sched, tiles in INSTRUCTIONS:
        facts = json.loads(bench.run(orrery, cholesky(sched, tiles))[0])
        tasks = facts["tasks"]
        new = bench.count_run(orrery, sched, tiles)
        cells = [sched, str(tiles), str(tasks), str(actions(facts)), "%.0f" % (new / tasks),
                 "%.0f" % (new / actions(facts))]
        if reference:
            old = bench.count_run(reference, sched, tiles)
            cells += ["%.0f" % (old / tasks), ratio(new, old)]
        table(widths, *cells)
    print()


def print_policies(bench, orrery, reference):
    widths = [12, 12, 12, 9]
    policies = json.loads(subprocess.run([orrery, "sched", "list", "--format", "json"],
                                         capture_output=True, text=True, check=True).stdout)
    print("Instructions a task of every policy, 80 tiles:\n")
    table(widths, "sched", "old", "new", "new/old")
    for name in [policy["name"] for policy in policies]:
        tasks = json.loads(bench.run(orrery, cholesky(name, 80))[0])["tasks"]
        old, new = (bench.count_run(program, name, 80) for program in (reference, orrery))
        table(widths, name, "%.0f" % (old / tasks), "%.0f" % (new / tasks), ratio(new, old))
    print()


def print_in_turn(bench, orrery, reference):
    widths = [7, 6, 7, 6, 9, 9, 9, 11, 9, 9]
    print("User time, old and new in turn, the least of all runs:\n")
    table(widths, "sched", "tiles", "window", "runs", "old_s", "new_s", "new/old", "old_MB", "new_MB", "new/old")
    for sched, tiles, options, runs in IN_TURN:
        old, new = ([], [])
        for _ in range(runs):
            for program, results in ((reference, old), (orrery, new)):
                results.append(bench.run(program, cholesky(sched, tiles, *options))[1:])
        times = [min(user for user, _ in results) for results in (old, new)]
        memory = [max(peak for _, peak in results) for results in (old, new)]
        table(widths, sched, str(tiles), options[1] if options else "-", str(runs),
              *("%.3f" % value for value in times), ratio(times[1], times[0]),
              *("%.1f" % value for value in memory), ratio(memory[1], memory[0]))
    print()


def print_others(bench, orrery, reference):
    """Explorations, replicas and lock-step."""
    widths = [18, 11, 10, 10, 9, 14]
    print("Other kinds of runs, each second of user time (the least of five runs, old and new in turn):\n")
    table(widths, "", "", "per_s", *(["old_per_s", "new/old"] if reference else []),
          *(["instr. n/o"] if reference and bench.valgrind else []))
    for title, arguments, count, what in OTHERS:
        new, old = ([], [])
        for _ in range(5):
            if reference:
                old.append(bench.run(reference, arguments)[1])
            new.append(bench.run(orrery, arguments)[1])
        cells = [title, what, per_second(count, new)]
        if reference:
            cells += [per_second(count, old), ratio(min(old), min(new))]
        if reference and bench.valgrind:
            cells.append(ratio(bench.count(orrery, arguments), bench.count(reference, arguments)))
        table(widths, *cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orrery", required=True)
    parser.add_argument("--rusage", required=True)
    parser.add_argument("--reference")
    parser.add_argument("tiles", nargs="*", type=int)
    arguments = parser.parse_args()
    orrery, reference = arguments.orrery, arguments.reference

    print("Cholesky, tile 960, attila with 3 GPUs and no CPU worker, one core\n")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments, folder)
        print_speed(bench, orrery, arguments.tiles or SIZES)
        if bench.valgrind:
            print_instructions(bench, orrery, reference)
        else:
            print("Instructions are not counted: there is no valgrind here.\n")
        if reference:
            print_in_turn(bench, orrery, reference)
        if reference and bench.valgrind:
            print_policies(bench, orrery, reference)
        print_others(bench, orrery, reference)


main()
