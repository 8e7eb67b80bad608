#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Small programs compared with the reference, one feature each.

usage: validate_features.py --orrery PROGRAM [--update PAGE]

The programs and the figures of the reference are in tests/scenario/test_features.c, which is to be built where PROGRAM
is. Makes docs/validation/features.csv.
"""
import os
import subprocess

from validation import Table, main

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
# Prints the rows; relative to the build, and its arguments.
TESTS = ("tests/unit/test_scenarios", "features")
MACHINES = ("2 GPUs, eager", "3 GPUs, dmdas", "2 CPUs and 3 GPUs, dmdas")


def measure(orrery, _reference=None):
    command = [os.path.join(os.path.dirname(orrery), TESTS[0]), *TESTS[1:]]
    lines = subprocess.run(command, capture_output=True, text=True, check=True,
                           env=dict(os.environ, abs_top_srcdir=ROOT)).stdout
    # row|program|description|index of the machine|reference|ours
    rows = [line.split("|")[1:] for line in lines.splitlines() if line.startswith("row|")]
    programs = list(dict.fromkeys(name for name, *_ in rows))
    rows.sort(key=lambda row: (programs.index(row[0]), int(row[2])))
    return {"features": Table(["program", "description", "machine_and_policy", "reference_us", "ours_us"],
                              [[name, description, MACHINES[int(machine)], *makespans]
                               for name, description, machine, *makespans in rows])}


if __name__ == "__main__":
    main(__doc__, measure)
