# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the sections of docs/VALIDATION.md that compare with tables of the reference have in common."""
import argparse
import collections
import contextlib
import io
import json
import os
import statistics
import subprocess

DRAWS = 4
# Figures of the reference are rounded to this share of the makespan, in %.
ROUNDING = 0.02

Difference = collections.namedtuple("Difference", "error case ours reference")


def makespan(orrery, *options):
    done = subprocess.run([orrery, "run", *options, "--format", "json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["makespan_s"] * 1e3


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def rule(alignment):
    print("|" + "|".join("--:" if a == "r" else "---" for a in alignment) + "|")


def machine_options(case):
    options = ["--platform", case["platform"].replace("-ctest", ""), "--precision", case["precision"],
               "--sched", case["sched"], "--cpus", case["cpus"], "--gpus", case["gpus"]]
    if case["gpu_memory_mib"] != "0":
        options += ["--gpu-memory", case["gpu_memory_mib"] + "MiB"]
    return options


def compare(orrery, case, *options):
    """The means of draws are compared where the reference has them, otherwise single runs."""
    options = [*options, *machine_options(case)]
    ours = makespan(orrery, *options)
    reference = float(case["makespan_ms"])
    if case["mean_ms"] and abs(ours / reference - 1) * 100 > ROUNDING:
        ours = statistics.mean(makespan(orrery, *options, "--perturb", "1e-4:device", "--seed", str(seed + 1))
                               for seed in range(DRAWS))
        reference = float(case["mean_ms"])
    return Difference((ours / reference - 1) * 100, case, ours, reference)


def summarize(name, differences, digits=3):
    errors = sorted(abs(d.error) for d in differences)
    if not errors:
        return
    row(name, len(errors), "%.*f %%" % (digits, statistics.median(errors)), "%.2f %%" % errors[int(.9 * len(errors))],
        "%.2f %%" % errors[-1])


def largest(differences):
    return sorted(differences, key=lambda d: -abs(d.error))[:10]


def deviation(case):
    """That of the reference under the perturbation."""
    return case["sd_pct"] + " %" if case["sd_pct"] else "?"


def write_section(title, begin, end, print_section):
    """Prints the section, or puts it between its two marks in FILE; the arguments of the program say which."""
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--orrery", required=True)
    parser.add_argument("--reference", required=True)
    parser.add_argument("--update", metavar="FILE")
    arguments = parser.parse_args()
    orrery = os.path.abspath(arguments.orrery)
    if not arguments.update:
        print_section(orrery, arguments.reference)
        return
    section = io.StringIO()
    with contextlib.redirect_stdout(section):
        print_section(orrery, arguments.reference)
    with open(arguments.update) as file:
        text = file.read()
    first, behind = text.index(begin), text.index(end) + len(end) + 1
    with open(arguments.update, "w") as file:
        file.write(text[:first] + section.getvalue() + text[behind:])
