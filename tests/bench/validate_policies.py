#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Policies that the other tables lack beside the reference: a section of docs/VALIDATION.md.

usage: validate_policies.py --orrery PROGRAM --reference DIRECTORY [--update FILE]

DIRECTORY/more/policies.csv holds the reference's makespans. Prints the section, or puts it between its two marks in FILE.
Takes some seconds.
"""
import concurrent.futures
import csv
import os

from validation import DRAWS, compare, deviation, largest, row, rule, summarize, write_section

BEGIN, END = "<!-- policies: begin -->", "<!-- policies: end -->"
POLICIES = ("modular-heft", "modular-heft2", "darts")


def options(case):
    return [case["app"], "--tiles", case["tiles"], "--tile", case["tile"]]


def print_section(orrery, reference):
    with open(os.path.join(reference, "more", "policies.csv")) as file:
        cases = [case for case in csv.DictReader(file) if case["sched"] in POLICIES]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        differences = list(pool.map(lambda case: compare(orrery, case, *options(case)), cases))
    print(BEGIN)
    print("""
## More policies

Written by `tests/bench/validate_policies.py` (`make update-validation-policies REFERENCE=DIRECTORY`). Cholesky of 8 to 32 tiles
of 960 on `attila` and `sirocco`, with all memory, 500 and 250 MiB. Where single runs differ, means of %d draws under the
perturbation are compared, if the reference has them.
""" % DRAWS)
    row("policy", "cases", "median", "90th percentile", "largest")
    rule("lrrrr")
    for name in POLICIES:
        summarize(name, [d for d in differences if d.case["sched"] == name])
        summarize(name + ", without CPUs", [d for d in differences if d.case["sched"] == name and d.case["cpus"] == "0"])
    agree = sum(abs(d.error) <= 0.02 for d in differences)
    print("\n%.0f %% of the cases agree within 0.02 %%. The ten largest differences:\n" % (100 * agree / len(differences)))
    row("error", "machine", "policy", "tiles", "CPUs", "memory, MiB", "ours, ms", "reference, ms", "deviation")
    rule("rllrrrrrr")
    for d in largest(differences):
        row("%+.2f %%" % d.error, d.case["platform"],
            *(d.case[name] for name in ("sched", "tiles", "cpus", "gpu_memory_mib")), "%.1f" % d.ours,
            "%.1f" % d.reference, deviation(d.case))
    print("""
The largest differences are those of darts with CPU workers. In StarPU, these share a queue. A worker that finds it empty fills it,
and gets no task; the next worker that asks gets it. Several ask at one date, and the order in which they take locks decides which
is next. darts is not played in lock-step. Of 72 runs of Cholesky of 3 to 10 tiles of 960 on `attila` with 2 to 9 CPUs, 34 agree
within 0.05 %, and with one GPU 21 of 24; the median is 0.07 %, the 90th percentile 9.6 %, the largest 20.9 %. With 3 tiles, 2 CPUs
and 2 GPUs, the first event that differs is at 119.57 ms:
CUDA1 pulls syrk before a CPU does, both at one microsecond. Such runs are unstable in StarPU, too: 24 tiles, 9 CPUs and 500 MiB
take 4.28 to 4.70 s there, and 4.30 to 6.45 s here, under draws of 1e-4. StarPU's own advice is to run darts without CPU workers.
""")
    print(END)


if __name__ == "__main__":
    write_section(__doc__, BEGIN, END, print_section)
