#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Cholesky under modular-heft, modular-heft2 and darts, compared with the reference.

usage: validate_policies.py --orrery PROGRAM --reference DIRECTORY [--update PAGE]

DIRECTORY/more/policies.csv holds the reference's makespans. Makes docs/validation/policies-*.csv. Takes some seconds.
"""
import concurrent.futures
import csv
import os

from validation import compare, list_largest, main, summarize

POLICIES = ("modular-heft", "modular-heft2", "darts")


def options(case):
    return [case["app"], "--tiles", case["tiles"], "--tile", case["tile"]]


def measure(orrery, reference):
    with open(os.path.join(reference, "more", "policies.csv")) as file:
        cases = [case for case in csv.DictReader(file) if case["sched"] in POLICIES]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        differences = list(pool.map(lambda case: compare(orrery, case, *options(case)), cases))
    groups = {"all": differences}
    for name in POLICIES:
        groups[name] = [d for d in differences if d.case["sched"] == name]
        groups[name + ", without CPUs"] = [d for d in groups[name] if d.case["cpus"] == "0"]
    return {
        "policies-summary": summarize(groups),
        "policies-differences": list_largest(
            differences, ["platform", "policy", "tiles", "cpus", "gpu_memory_mib"],
            lambda case: [case[name] for name in ("platform", "sched", "tiles", "cpus", "gpu_memory_mib")]),
    }


if __name__ == "__main__":
    main(__doc__, measure)
