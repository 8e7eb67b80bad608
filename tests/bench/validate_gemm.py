#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Products of matrices beside the reference: a section of docs/VALIDATION.md.

usage: validate_gemm.py --orrery PROGRAM --reference DIRECTORY [--update FILE]

DIRECTORY/more/gemm.csv holds the reference's makespans. Prints the section, or puts it between its two marks in FILE.
Takes some seconds.
"""
import concurrent.futures
import csv
import os

from validation import DRAWS, compare, deviation, largest, row, rule, summarize, write_section

BEGIN, END = "<!-- gemm: begin -->", "<!-- gemm: end -->"


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


def print_section(orrery, reference):
    with open(os.path.join(reference, "more", "gemm.csv")) as file:
        cases = [case for case in csv.DictReader(file) if is_ours(case)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        differences = list(pool.map(lambda case: compare(orrery, case, *application(case)), cases))
    print(BEGIN)
    print("""
## Products of matrices

Written by `tests/bench/validate_gemm.py` (`make update-validation-gemm REFERENCE=DIRECTORY`). `orrery run gemm` beside
StarPU's examples/mult, in both precisions, on 4 x 4 to 16 x 16 tiles of C. Where single runs differ, means of %d draws under the
perturbation are compared, if the reference has them.
""" % DRAWS)
    row("variant, memory of the GPUs", "cases", "median", "90th percentile", "largest")
    rule("lrrrr")
    summarize("all", differences, 5)
    for name in ("2d", "k"):
        for limit in ("all", "limited"):
            summarize("%s, %s" % (name, limit), [d for d in differences
                                                 if variant(d.case) == name and memory(d.case) == limit], 5)
    for sched in sorted({d.case["sched"] for d in differences}):
        summarize(sched, [d for d in differences if d.case["sched"] == sched], 5)
    agree = sum(abs(d.error) <= 0.02 for d in differences)
    print("\n%.1f %% of the cases agree within 0.02 %%. The ten largest differences:\n" % (100 * agree / len(differences)))
    row("error", "machine", "variant", "precision", "policy", "tiles", "CPUs", "memory, MiB", "ours, ms", "reference, ms",
        "deviation")
    rule("rllllrrrrrr")
    for d in largest(differences):
        row("%+.2f %%" % d.error, d.case["platform"], variant(d.case),
            *(d.case[name] for name in ("precision", "sched", "tiles", "cpus", "gpu_memory_mib")), "%.1f" % d.ours,
            "%.1f" % d.reference, deviation(d.case))
    print("""
First events that differ: mirage, dmdar, 8 x 8: at 97.555 ms three drivers end calls to free memory, each of which has waited for
all copies in flight. In the reference CUDA2 goes on 5 us later: it begins to free its B(0,0), whose lock it keeps for 2.3 ms. CUDA1
tries to reuse its own buffer of B(0,0) for B(0,1) a microsecond after that, finds the lock taken, and evicts another tile.
In Orrery CUDA1 is first, and reuses the buffer. Of the A100, all cases but one agree within 0.03 %: dmdas in single precision, 10
x 10 x 4 with 500 MiB (-0.5 %). Under eager, tasks of one date are taken in another order, as in the other tables; without limits of
memory, too. The others were not looked at. Three mechanisms were found in such runs, and are in Orrery: buffers are told apart by
the columns of their blocks in the host's memory; a driver keeps the lock of a datum while it frees its buffer (docs/MODELS.md);
and a task fetches tiles of A, B and C in this order, as these are three handles (8 x 8 x 8 on `idgraf`, eager, 4 CPUs and 8 GPUs,
differed by -11.7 %, and is equal now).
""")
    print(END)


if __name__ == "__main__":
    write_section(__doc__, BEGIN, END, print_section)
