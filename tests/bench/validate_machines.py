#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Cholesky on the machines of 2013 to 2020: a section of docs/VALIDATION.md.

usage: validate_machines.py --orrery PROGRAM --reference DIRECTORY [--update FILE]

DIRECTORY/more/chameleon.csv holds the reference's makespans. Prints the section, or puts it between its two marks in
FILE. Takes a minute.
"""
import concurrent.futures
import csv
import os

from validation import DRAWS, compare, deviation, largest, makespan, row, rule, summarize, write_section

BEGIN, END = "<!-- machines: begin -->", "<!-- machines: end -->"
# Name, GPUs, tile, peak of one GPU in single and double precision, TFlop/s (models/platform/devices.c).
MACHINES = (
    ("sirocco-k40m", 4, 960, 5.04, 1.68),
    ("sirocco-p100", 2, 1240, 9.3, 4.7),
    ("sirocco-v100", 2, 1600, 14.0, 7.0),
    ("sirocco-rtx8000", 2, 1600, 16.3, 0.51),
    ("sirocco-a100", 2, 1600, 19.5, 19.5),
)


def print_peaks(orrery):
    row("platform", "precision", "tile", "makespan, ms", "TFlop/s", "peak of the GPUs", "share")
    rule("llrrrrr")
    for name, gpus, tile, single, double in MACHINES:
        for precision, peak in (("single", single), ("double", double)):
            ms = makespan(orrery, "cholesky", "--tiles", "20", "--tile", str(tile), "--platform", name, "--precision", precision,
                          "--sched", "dmdas")
            speed = (20 * tile) ** 3 / 3 / ms / 1e9
            row(name, precision, tile, "%.1f" % ms, "%.2f" % speed, "%.2f" % (gpus * peak),
                "%.0f %%" % (100 * speed / (gpus * peak)))


def print_differences(orrery, reference, pool):
    with open(os.path.join(reference, "more", "chameleon.csv")) as file:
        # The reference reads the matrix of a host with two NUMA nodes shifted, unless it has one row a memory.
        cases = [case for case in csv.DictReader(file)
                 if not ("a100" in case["platform"] and case["machine"] == "chameleon-single")]
    differences = list(pool.map(lambda case: compare(orrery, case, "cholesky", "--tiles", case["tiles"],
                                                     "--tile", case["tile"]), cases))
    row("policies", "cases", "median", "90th percentile", "largest")
    rule("lrrrr")
    summarize("all", differences)
    summarize("all but heteroprio", [d for d in differences if d.case["sched"] != "heteroprio"])
    for sched in sorted({d.case["sched"] for d in differences}):
        summarize(sched, [d for d in differences if d.case["sched"] == sched])
    print("\nThe ten largest differences; the deviation is that of the reference under the perturbation:\n")
    row("error", "machine", "precision", "policy", "tiles", "CPUs", "ours, ms", "reference, ms", "deviation")
    rule("rlllrrrrr")
    for d in largest(differences):
        row("%+.2f %%" % d.error, *(d.case[name] for name in ("platform", "precision", "sched", "tiles", "cpus")),
            "%.1f" % d.ours, "%.1f" % d.reference, deviation(d.case))


def print_section(orrery, reference):
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    print(BEGIN)
    print("""
## Machines of 2013 to 2020

Written by `tests/bench/validate_machines.py` (`make update-validation-machines REFERENCE=DIRECTORY`). Cholesky of 20 x 20
tiles under dmdas with all workers, beside the peak of the GPUs (with tensor cores on the A100, at the boost clock on the
K40m):
""")
    print_peaks(orrery)
    print("""
With 20 x 20 tiles, much of the time goes into panels: potrf runs on CPUs only, but on the A100. In double precision on the
RTX 8000, which has 1/32 of its speed there, 38 cores do half of the work: more than the peak of the GPUs is no error.

The same reference as above, in cases with 20 CPUs or none and 4 to 28 tiles. Means of %d draws under the perturbation are compared where
single runs differ. The A100 is compared with the reference's machine whose RAM is the first NUMA node.
""" % DRAWS)
    print_differences(orrery, reference, pool)
    print("""
Causes that are known: under heteroprio, after a CPU's potrf, another worker pops first. Under the policies dm to dmdas, copies to two GPUs
that share a link end on one date, and then allocations, one at a time, begin with the other GPU.

Chameleon's manual ("Use simulation mode") shows one result of StarPU over SimGrid: host sirocco, dpotrf of 14400 in tiles of
1440, 22 cores and 2 GPUs: 0.7867 s. With Chameleon's calibration of that host, Orrery gives 0.7318 s under dmdas, its default there,
when potrf may run on GPUs, and 0.7856 s (-0.1 %) when it runs on CPUs only: on the critical path, a potrf takes 35.2 ms
on a core and 18 to 19 ms on a GPU. So in the manual's run potrf most likely ran on CPUs only, as on all later hosts but the A100,
although the calibration has GPU times of it. The rest is within what cannot be known: the manual does not say from which state of
the calibration its result is.

<!-- not tested: needs Chameleon's calibration -->
```console
$ orrery run cholesky --tiles 10 --tile 1440 --precision double --platform starpu:DIR:sirocco --cpus 22 --gpus 2 \\
    --sched dmdas --where potrf=cpu
```
""")
    print(END)


if __name__ == "__main__":
    write_section(__doc__, BEGIN, END, print_section)
