#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makespans and joules of StarPU's energy program, compared with the reference.

usage: validate_energy.py --orrery PROGRAM --reference DIRECTORY [--update PAGE]

DIRECTORY/more/energy.csv holds the reference's figures. The program is tests/plugins/energy.c, compiled with the headers
of the build that PROGRAM is in. Makes docs/validation/energy*.csv. Takes minutes.
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

from validation import DRAWS, Table, main

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
    """Median, 90th percentile and largest of the sizes, and the mean of the values, in %."""
    sizes = sorted(abs(value) * 100 for value in values)
    return ["%.2f" % x for x in (statistics.median(sizes), sizes[int(.9 * len(sizes))], sizes[-1], 100 * statistics.mean(values))]


def groups(differences):
    """By group of cases, then by policy."""
    for name in sorted({group(d.case) for d in differences}):
        yield name, [d for d in differences if group(d.case) == name]
    for sched in sorted({d.case["scheduler"] for d in differences}):
        yield "all, %s" % sched, [d for d in differences if d.case["scheduler"] == sched]


def spreads(quirks, differences):
    return [[quirks, name, len(some), sum(map(is_close, some)), *spread([d.ms for d in some]),
             *spread([d.joules for d in some])] for name, some in groups(differences)]


def by_gamma(quirks, differences):
    """Joules of kernels and tasks on slow cores: means over the rows that have draws and such cores."""
    rows = []
    for gamma in sorted({float(d.case["gamma"]) for d in differences}):
        some = [d for d in differences if float(d.case["gamma"]) == gamma]
        rows.append([quirks, "%g" % gamma, len(some), "%.2f" % (100 * statistics.mean(d.kernels for d in some)),
                     "%.2f" % statistics.mean(d.slow for d in some)])
    return rows


def measure(orrery, reference):
    with open(os.path.join(reference, "more", "energy.csv")) as file:
        cases = list(csv.DictReader(file))
    energy, gammas = [], []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        program = build(orrery, folder)
        for quirks in ("on", "exact"):
            differences = list(pool.map(lambda case: compare(orrery, program, case, "--model", "quirks=" + quirks), cases))
            energy += spreads(quirks, differences)
            gammas += by_gamma(quirks, [d for d in differences if d.case["mean_ms"] and d.case["scheduler"] != "lws"
                                        and not is_dynamic(d.case)])
    columns = ["%s_%s_pct" % (figure, statistic) for figure in ("makespan", "energy")
               for statistic in ("median", "p90", "largest", "mean")]
    return {
        "energy": Table(["quirks", "rows", "number", "close", *columns], energy),
        "energy-gamma": Table(["quirks", "gamma", "rows", "kernels_energy_pct", "tasks_on_slow_cores_difference"], gammas),
    }


if __name__ == "__main__":
    main(__doc__, measure)
