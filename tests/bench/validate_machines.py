#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Cholesky on the machines of 2013 to 2020, compared with the peak of their GPUs and with the reference.

usage: validate_machines.py --orrery PROGRAM --reference DIRECTORY [--update PAGE]

DIRECTORY/more/chameleon.csv holds the reference's makespans. Makes docs/validation/machines-*.csv. Takes a minute.
"""
import concurrent.futures
import csv
import os

from validation import Table, compare, list_largest, main, makespan, summarize

# Name, GPUs, tile, peak of one GPU in single and double precision, TFlop/s (models/platform/devices.c).
MACHINES = (
    ("sirocco-k40m", 4, 960, 5.04, 1.68),
    ("sirocco-p100", 2, 1240, 9.3, 4.7),
    ("sirocco-v100", 2, 1600, 14.0, 7.0),
    ("sirocco-rtx8000", 2, 1600, 16.3, 0.51),
    ("sirocco-a100", 2, 1600, 19.5, 19.5),
)


def peaks(orrery):
    """20 x 20 tiles under dmdas with all workers, and the share of the peak of the GPUs that this is."""
    rows = []
    for name, gpus, tile, single, double in MACHINES:
        for precision, peak in (("single", single), ("double", double)):
            ms = makespan(orrery, "cholesky", "--tiles", "20", "--tile", str(tile), "--platform", name, "--precision", precision,
                          "--sched", "dmdas")
            speed = (20 * tile) ** 3 / 3 / ms / 1e9
            rows.append([name, precision, tile, "%.1f" % ms, "%.2f" % speed, "%.2f" % (gpus * peak),
                         "%.0f" % (100 * speed / (gpus * peak))])
    return Table(["platform", "precision", "tile", "makespan_ms", "tflops", "peak_of_gpus_tflops", "share_pct"], rows)


def measure(orrery, reference):
    with open(os.path.join(reference, "more", "chameleon.csv")) as file:
        # The reference reads the matrix of a host with two NUMA nodes shifted, unless it has one row a memory.
        cases = [case for case in csv.DictReader(file)
                 if not ("a100" in case["platform"] and case["machine"] == "chameleon-single")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        differences = list(pool.map(lambda case: compare(orrery, case, "cholesky", "--tiles", case["tiles"],
                                                         "--tile", case["tile"]), cases))
    groups = {"all": differences, "all but heteroprio": [d for d in differences if d.case["sched"] != "heteroprio"]}
    for d in sorted(differences, key=lambda d: d.case["sched"]):
        groups.setdefault(d.case["sched"], []).append(d)
    return {
        "machines-peaks": peaks(orrery),
        "machines-summary": summarize(groups),
        "machines-differences": list_largest(
            differences, ["platform", "precision", "policy", "tiles", "cpus"],
            lambda case: [case[name] for name in ("platform", "precision", "sched", "tiles", "cpus")]),
    }


if __name__ == "__main__":
    main(__doc__, measure)
