#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makespans and joules beside the reference's own energy program: a section of docs/VALIDATION.md.

usage: validate_energy.py --orrery PROGRAM --reference DIRECTORY [--update FILE]

DIRECTORY/more/energy.csv holds the reference's figures. The program is tests/plugins/energy.c, compiled with the headers
of the build that PROGRAM is in. Prints the section, or puts it between its two marks in FILE. Takes minutes.
"""
import collections
import concurrent.futures
import csv
import json
import os
import shlex
import statistics
import subprocess
import tempfile

from validation import DRAWS, row, rule, write_section

BEGIN, END = "<!-- energy: begin -->", "<!-- energy: end -->"
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "plugins", "energy.c")
# How close a row has to be, as a share: of the makespan, and of the energy.
CLOSE_MS, CLOSE_J = 1e-3, 5e-4

# Shares by which the makespan, the energy and the joules of the kernels differ; in tasks, those on slow cores.
Difference = collections.namedtuple("Difference", "case ms joules kernels slow")


def build(orrery, folder):
    """Returns the path of the compiled program."""
    path = os.path.join(folder, "energy.so")
    environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(os.path.dirname(orrery), "runtime"))
    flags = subprocess.run(["pkg-config", "--cflags", "orrery"], env=environment, capture_output=True, text=True, check=True)
    subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-o", path,
                    SOURCE, *flags.stdout.split(), "-lm"], check=True)
    return path


def is_dynamic(case):
    """Each core has a slow and a fast implementation."""
    return case["slow_cores"] == "-1"


def is_slow(case, worker):
    return int(worker["name"][len("CPU"):]) < int(case["slow_cores"])


def simulate(orrery, program, case, *options):
    cores = ["--dynamic"] if is_dynamic(case) else ["--slow", case["slow_cores"]]
    done = subprocess.run([orrery, "run", program, "--platform", "sirocco", "--gpus", "0", "--cpus", case["cpus"],
                           "--tiles", case["tiles"], *cores, "--mhz", case["freq_slow_mhz"],
                           "--sched", case["scheduler"], "--gamma", case["gamma"], "--idle-power", case["idle_power_w"],
                           "--format", "json", *options], capture_output=True, text=True, check=True)
    facts = json.loads(done.stdout)
    return (facts["makespan_s"] * 1e3, facts["energy_j"], facts["energy"]["dynamic"],
            sum(worker["tasks"] for worker in facts["workers"] if is_slow(case, worker)))


def figures(case, *names):
    return [float(case[name]) for name in names]


def compare(orrery, program, case, *options):
    """A stable row is compared as it is, and others by the means of draws, where the reference has them."""
    if case["stable"] == "1" or not case["mean_ms"]:
        ours = simulate(orrery, program, case, *options)
        theirs = figures(case, "makespan_ms", "energy_total_j", "energy_kernels_j", "tasks_slow")
    else:
        draws = [simulate(orrery, program, case, "--perturb", "1e-4:device", "--seed", str(seed + 1), *options)
                 for seed in range(DRAWS)]
        ours = [statistics.mean(draw[i] for draw in draws) for i in range(4)]
        ms, joules, slow = figures(case, "mean_ms", "mean_energy_j", "mean_tasks_slow")
        theirs = ms, joules, joules - float(case["idle_power_w"]) * ms / 1e3, slow
    return Difference(case, *(ours[i] / theirs[i] - 1 for i in range(3)), ours[3] - theirs[3])


def is_close(difference):
    return abs(difference.ms) <= CLOSE_MS and abs(difference.joules) <= CLOSE_J


def group(case):
    if case["stable"]:
        name = "stable" if case["stable"] == "1" else "means of draws"
        return "dynamic, %s" % name if is_dynamic(case) else name
    return "%s, single runs" % case["group"]


def spread(values):
    sizes = sorted(abs(value) * 100 for value in values)
    return ["%.2f %%" % statistics.median(sizes), "%.2f %%" % sizes[int(.9 * len(sizes))], "%.2f %%" % sizes[-1]]


def print_group(name, differences):
    if differences:
        row(name, len(differences), sum(map(is_close, differences)), *spread([d.ms for d in differences]),
            "%+.2f %%" % (100 * statistics.mean(d.ms for d in differences)),
            *spread([d.joules for d in differences]), "%+.2f %%" % (100 * statistics.mean(d.joules for d in differences)))


def print_directions(differences):
    """What gamma does: kernels' joules and tasks on slow cores, in the mean over the rows that have draws and such cores."""
    row("gamma", "rows", "kernels against the reference", "tasks on slow cores, ours less the reference's")
    rule("rrrr")
    for gamma in sorted({float(d.case["gamma"]) for d in differences}):
        rows = [d for d in differences if float(d.case["gamma"]) == gamma]
        row("%g" % gamma, len(rows), "%+.2f %%" % (100 * statistics.mean(d.kernels for d in rows)),
            "%+.2f" % statistics.mean(d.slow for d in rows))


def print_table(differences):
    row("rows", "number", "close", "makespan: median", "90th percentile", "largest", "mean",
        "energy: median", "90th percentile", "largest", "mean")
    rule("lrrrrrrrrrr")
    for name in sorted({group(d.case) for d in differences}):
        print_group(name, [d for d in differences if group(d.case) == name])
    for sched in sorted({d.case["scheduler"] for d in differences}):
        print_group("all, %s" % sched, [d for d in differences if d.case["scheduler"] == sched])
    print()
    print_directions([d for d in differences
                      if d.case["mean_ms"] and d.case["scheduler"] != "lws" and not is_dynamic(d.case)])


def print_section(orrery, reference):
    with open(os.path.join(reference, "more", "energy.csv")) as file:
        cases = list(csv.DictReader(file))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        program = build(orrery, folder)
        plain, exact = (list(pool.map(lambda case: compare(orrery, program, case, "--model", "quirks=" + quirks), cases))
                        for quirks in ("on", "exact"))
    print(BEGIN)
    print("""
## Joules

Written by `tests/bench/validate_energy.py` (`make update-validation-energy REFERENCE=DIRECTORY`). StarPU's
tests/energy/energy_efficiency.c, which is `tests/plugins/energy.c` here: Cholesky on 12 to 24 CPU cores of which some are
slow, or where each kernel has a slow and a fast implementation (group dynamic). Where the reference has draws (each of the four kernels times its own factor in 1 +- 1e-4), means of %d are compared,
but rows that these leave as they are ("stable") as they are. A row is close if the makespan differs by at most %g %% and the energy by at most %g %%.
""" % (DRAWS, 100 * CLOSE_MS, 100 * CLOSE_J))
    print_table(plain)
    print("""
Where workers end tasks at one date, the order of their next operations decides which of them places or takes a task first. In the
runs above, dmda and its relatives are not played in lock-step: each push of such a task comes right after its decision. The first
event that differs in dmdar, 5 x 5 tiles, 8 cores of 1200 MHz, gamma 1e6 is at 10.211 ms, where three cores end trsm; the reference's
own sequence of operations shows why:

* A cost function is asked without a lock, so at 10.2125 ms three cores choose core 0 before any of them has planned. Between
  decision and plan a core opens its own state, and waits for the lock of the other. A calibrated model takes two locks that all
  share, once for each core, so more decisions overlap.
* The policy takes the lock of its own state when a task starts and when it has ended.
* Each successor of an ended task is told under a lock of its own, a turn after the one before, not all at once: so another core may
  be the last to tell, and places it.

With `--model quirks=exact`, all three are played:
""")
    print_table(exact)
    print("""
The rows that are left hang on ties: cores of a class are equal, and the reference adds dates up in binary fractions, so that one of
two equal cores may be an ulp earlier, and is chosen. Orrery has whole ns in plans and takes the first core. In group dynamic, all
cores are equal: there each has a slow and a fast implementation of each kernel, and the policy chooses one together with the core
(lws takes the first).
""")
    print(END)


if __name__ == "__main__":
    write_section(__doc__, BEGIN, END, print_section)
