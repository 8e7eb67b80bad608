#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Cholesky and LU compared with StarPU over SimGrid, case by case.

usage: validate.py --orrery PROGRAM --reference DIRECTORY [--update PAGE]

DIRECTORY holds the reference's makespans (makespans.csv) and the program that
compares ours with them (check). Makes docs/validation/groups.csv,
differences.csv, causes.csv, sensitivity.csv and inversion.csv. Takes about ten
minutes. What explains a difference is in `reasons` below: the first that
matches a case.
"""
import collections
import concurrent.futures
import json
import os
import re
import statistics
import subprocess
import sys

from validation import ROUNDING, Table, main

DRAWS = 8
PERTURB = "1e-4:device"  # as the reference: its models were multiplied

Case = collections.namedtuple(
    "Case", "error platform app sched tiles tile cpus gpus memory ours reference sd")

LINE = re.compile(
    r"\s+([+-][\d.]+) %\s+(\S+) (\S+) (\S+) n=(\d+) tile=(\d+) cpus=(\d+) gpus=(\d+) mem=(\d+): "
    r"([\d.]+) ms, reference ([\d.]+) ms \(sd (\S+) %\)")


GROUP = re.compile(r"(\S+) +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) +([+-][\d.]+)$")
PAIRS = re.compile(r"pairs of policies ranked alike: (\d+) of (\d+) ")
NUMBERS = re.compile(r"(\d+) cases ran, (\d+) failed")

# Hybrid runs of these go by rounds (docs/MODELS.md).
LOCKSTEP = ("eager", "prio", "lws", "ws")


def hybrid(case):
    return case.cpus != "0"


# (whether a case is of this kind, why it differs)
reasons = [
    (lambda c: c.memory != "0",
     "Short memory: the order of simultaneous requests decides which buffer is evicted, and all "
     "later evictions depend on it."),
    (lambda c: hybrid(c) and c.sched in LOCKSTEP,
     "A single run of the reference is compared with the mean of ours: under the perturbation "
     "these makespans have a few values some per cent apart, and the single run is one of them "
     "(reproducibility.csv). In cases of 2 and 4 tiles the recorded run is an exception: "
     "when the reference runs again, it gives our makespan to the ns."),
    (lambda c: hybrid(c) and c.platform == "sirocco",
     "20 CPUs push and pop at the same nanosecond: in the reference the order of single mutex "
     "operations decides which worker places or takes a task first; under these policies Orrery "
     "reproduces this only in part (docs/MODELS.md, quirks). Then other tasks run on CPUs, where "
     "each takes tens of times longer."),
    (lambda c: hybrid(c) and not c.sched.startswith("dm"),
     "Workers pop at the same nanosecond, as in cause 3, with 9 CPUs: one task more or less on a "
     "CPU is 5 to 20 % of a short makespan."),
    (lambda c: hybrid(c),
     "Tasks become ready at the same nanosecond and are placed by different workers, as in cause "
     "3, with 9 CPUs."),
    (lambda c: True,
     "The order of simultaneous copies decides which of two GPUs gets a task or its data first."),
]


def makespan(orrery, case, extra):
    command = [orrery, "run", case.app, "--tiles", case.tiles, "--tile", case.tile,
               "--platform", case.platform, "--sched", case.sched, "--cpus", case.cpus,
               "--gpus", case.gpus, "--format", "json"] + extra
    if case.memory != "0":
        command += ["--gpu-memory", case.memory + "MiB"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["makespan_s"] * 1e3


def draws(orrery, case):
    """Mean of the makespans under perturbation, ms, and deviation in % of it."""
    values = [makespan(orrery, case, ["--perturb", PERTURB, "--seed", str(seed + 1)])
              for seed in range(DRAWS)]
    mean = statistics.mean(values)
    return mean, statistics.stdev(values) / mean * 100


def check(orrery, reference):
    """The lines of the program that compares, and the cases in them."""
    program = os.path.join(reference, "check")
    if not os.access(program, os.X_OK):
        sys.exit("validate.py: no reference to compare with: there is no " + program)
    done = subprocess.run([program, "--orrery", orrery, "--draws", str(DRAWS), "--worst", "1000000"],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit("validate.py: the comparison failed:\n" + done.stdout[-1000:] + done.stderr)
    lines = done.stdout.splitlines()
    return lines, [Case(float(m.group(1)), *m.groups()[1:]) for m in map(LINE.match, lines) if m]


def groups(lines):
    """Pairs of policies are counted over all cases."""
    text = "\n".join(lines)
    alike, pairs = PAIRS.search(text).groups()
    failed = NUMBERS.search(text).group(2)
    rows = [[cell.lstrip("+") for cell in m.groups()] for m in map(GROUP.match, lines) if m]
    return Table(["group", "cases", "median_pct", "p90_pct", "largest_pct", "mean_pct", "failed", "pairs", "pairs_ranked_alike"],
                 [row + ([failed, pairs, alike] if row[0] == "all" else ["", "", ""]) for row in rows])


def differing(orrery, cases, pool):
    """The cases beyond twice the sensitivity, with it and whose it is."""
    unknown = [c for c in cases if c.sd == "?" and abs(c.error) > ROUNDING]
    ours = dict(zip(unknown, pool.map(lambda c: draws(orrery, c)[1], unknown)))
    for case in cases:
        sd = ours.get(case, 0) if case.sd == "?" else float(case.sd)
        if abs(case.error) > max(2 * sd, ROUNDING):
            yield case, sd, "ours" if case.sd == "?" else "reference"


def cause(case):
    return next(i + 1 for i, (matches, _) in enumerate(reasons) if matches(case))


def differences_table(differences):
    rows = [["%.2f" % case.error, case.platform, case.app, case.sched, case.tiles, case.tile, case.cpus, case.gpus,
             case.memory, case.ours, case.reference, "%.2f" % sd, whose, cause(case)]
            for case, sd, whose in differences]
    return Table(["error_pct", "platform", "application", "policy", "tiles", "tile", "cpus", "gpus", "gpu_memory_mib",
                  "ours_ms", "reference_ms", "sensitivity_pct", "sensitivity_of", "cause"], rows)


def causes(differences):
    numbers = collections.Counter(cause(case) for case, _, _ in differences)
    return Table(["cause", "cases", "explanation"], [[i + 1, numbers[i + 1], why] for i, (_, why) in enumerate(reasons)])


def cholesky(platform, sched, tiles, cpus, memory):
    return Case(0, platform, "cholesky", sched, tiles, "960", cpus, "3", memory, "", "", "")


def sensitivity(orrery, pool):
    cases = [cholesky("attila", sched, tiles, "9", "0")
             for sched in ("eager", "lws", "dmda", "dmdar", "dmdas") for tiles in ("10", "20", "40")]
    return Table(["policy", "tiles", "unperturbed_ms", "mean_ms", "deviation_pct"],
                 [[case.sched, case.tiles, "%.1f" % makespan(orrery, case, []), "%.1f" % mean, "%.2f" % sd]
                  for case, (mean, sd) in zip(cases, pool.map(lambda c: draws(orrery, c), cases))])


def inversion(orrery):
    rows = []
    for memory in ("128", "256", "512", "1024"):
        values = {sched: makespan(orrery, cholesky("mirage", sched, "32", "0", memory), []) for sched in ("dmda", "dmdas")}
        rows.append([memory, *("%.1f" % value for value in values.values()), min(values, key=values.get)])
    return Table(["gpu_memory_mib", "dmda_ms", "dmdas_ms", "faster"], rows)


def measure(orrery, reference):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        lines, cases = check(orrery, reference)
        differences = list(differing(orrery, cases, pool))
        return {
            "groups": groups(lines),
            "differences": differences_table(differences),
            "causes": causes(differences),
            "sensitivity": sensitivity(orrery, pool),
            "inversion": inversion(orrery),
        }


if __name__ == "__main__":
    main(__doc__, measure)
