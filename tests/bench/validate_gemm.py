#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Products of matrices, compared with the reference.

usage: validate_gemm.py --orrery PROGRAM --reference DIRECTORY [--update PAGE]

DIRECTORY/more/gemm.csv holds the reference's makespans. Makes docs/validation/gemm-*.csv. Takes some seconds.
"""
import concurrent.futures
import csv
import os

from validation import compare, list_largest, main, summarize


def application(case):
    """The reference names columns first, and the tile by the three sizes of a task."""
    columns, rows, *depth = case["tiles"].split("x")
    options = ["gemm", "--tiles", "x".join([rows, columns, *depth]), "--tile", case["tile"].split("x")[0]]
    return options + (["--variant", "k"] if depth else [])


def is_ours(case):
    """One product, on a machine that has the kernels: hannibal's are in no platform of ours."""
    return "-iter 1" in case["graph"] and case["platform"] != "hannibal"


def variant(case):
    return "2d" if case["app"] == "gemm2d" else "k"


def memory(case):
    return "limited" if case["gpu_memory_mib"] != "0" else "all"


def group(differences):
    """By name: all, then by variant and memory, then by policy."""
    groups = {"all": differences}
    for d in sorted(differences, key=lambda d: (variant(d.case), memory(d.case))):
        groups.setdefault("%s, %s" % (variant(d.case), memory(d.case)), []).append(d)
    for d in sorted(differences, key=lambda d: d.case["sched"]):
        groups.setdefault(d.case["sched"], []).append(d)
    return groups


def measure(orrery, reference):
    with open(os.path.join(reference, "more", "gemm.csv")) as file:
        cases = [case for case in csv.DictReader(file) if is_ours(case)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        differences = list(pool.map(lambda case: compare(orrery, case, *application(case)), cases))
    return {
        "gemm-summary": summarize(group(differences), 5),
        "gemm-differences": list_largest(
            differences, ["platform", "variant", "precision", "policy", "tiles", "cpus", "gpu_memory_mib"],
            lambda case: [case["platform"], variant(case),
                          *(case[name] for name in ("precision", "sched", "tiles", "cpus", "gpu_memory_mib"))]),
    }


if __name__ == "__main__":
    main(__doc__, measure)
