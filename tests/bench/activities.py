#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the instructions of a run are spent on, by activity.

usage: activities.py [--files] PROGRAM...

Runs Cholesky under callgrind, with each PROGRAM, and prints a table in
Markdown: instructions a task, without the start of the process. Of several
programs, e.g. an older build and a new one, the columns are beside each other.
With --files, the files of each activity are listed. An empty name of a
program is left out. Takes minutes.
`make bench-activities` runs it; docs/PERFORMANCE.md has the table.
"""
import argparse
import collections
import json
import re
import subprocess
import tempfile

CASES = [("dmda", 80), ("dmdas", 80), ("dmdas", 120)]

# The first that fits decides: a file, and a function in it. Where code is
# compiled into its callers, the file is that of the code, the function theirs.
ACTIVITIES = [
    ("policy pop", r"sched/queue/ready|sched/.*", r"pop|ready|take|sift|refresh|missing|watch"),
    ("policy pop", r"runtime/worker/policy.c", r"missing|watch|prefetch_cache"),
    ("policy pop", r"runtime/data/data.c", r"active_missing|job_watch|job_unwatch|^touch"),
    ("policy push, prediction", r"sched/.*|runtime/worker/policy.c", r""),
    ("policy push, prediction", r"runtime/data/data.c", r"transfers|add_times"),
    ("release, task end", r"runtime/graph/.*", r"retire|successors_take|activate|finish|make_ready|job_free|end"),
    ("graph, submission", r"runtime/graph/.*|apps/.*|runtime/(run|arguments)\..", r""),
    ("graph, submission", r"runtime/worker/submit.c", r"submi"),
    ("release, task end", r"runtime/worker/(submit|worker_end)\..|runtime/data/commute\..", r""),
    ("request queues", r"runtime/data/(queues|waiting)\..", r""),
    ("allocation, eviction", r"runtime/data/(memory|eviction|suballoc|buffer)\..|runtime/worker/allocate\..", r""),
    ("copies, network", r"runtime/data/copy\..|runtime/executor/.*|models/cost/.*|runtime/worker/request_issue\..", r""),
    ("coherency, requests", r"runtime/data/.*", r""),
    ("events", r"runtime/engine/(engine|event|due).*|models/heap\..", r""),
    ("actors", r"runtime/engine/.*|runtime/interleaving_plain\..", r""),
    ("driver turns", r"runtime/worker/.*|runtime/diagnosis/.*", r""),
    ("others: libraries, digests, history", r".*", r""),
]
ORDER = ["graph, submission", "release, task end", "policy push, prediction", "policy pop",
         "coherency, requests", "allocation, eviction", "request queues", "copies, network",
         "events", "actors", "driver turns", "others: libraries, digests, history"]


def profile(program, sched, tiles):
    """Instructions by (file, function) of a run, and its facts."""
    names = {"file": {}, "function": {}}
    costs = collections.Counter()
    file = function = None
    of_call = False

    def name(kind, text):
        number, _, known = text.partition(" ")
        if known:
            names[kind][number] = known
        return names[kind][number]

    with tempfile.NamedTemporaryFile("r") as out:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=" + out.name, program,
             "run", "cholesky", "--platform", "attila", "--cpus", "0", "--gpus", "3",
             "--sched", sched, "--tiles", str(tiles), "--format", "json"],
            capture_output=True, text=True, check=True)
        for line in out:
            key, _, value = line.rstrip("\n").partition("=")
            if key in ("fl", "fi", "fe"):
                file = name("file", value)
            elif key == "fn":
                function = name("function", value)
            elif key in ("cfi", "cfl"):
                name("file", value)
            elif key == "cfn":
                name("function", value)
            elif key == "calls":
                of_call = True  # the next line is what the callee costs
            elif line[0].isdigit() or line[0] in "+-*":
                if not of_call and len(line.split()) > 1:
                    costs[file, function] += int(line.split()[1])
                of_call = False
    return costs, json.loads(done.stdout)


def ours(file):
    """The name of a file within the sources, or as it is."""
    found = re.search(r"(?:^|/)((?:models|sched|runtime|apps)/.*)", file)
    return found[1] if found else file


def activity_of(file, function):
    return next(activity for activity, files, functions in ACTIVITIES
                if re.match(files + "$", file) and re.search(functions, function))


def measure(program, sched, tiles):
    """Instructions a task by (activity, file), and copies a task."""
    start, _ = profile(program, sched, 1)
    costs, facts = profile(program, sched, tiles)
    costs.subtract(start)
    result = collections.Counter()
    for (file, function), cost in costs.items():
        result[activity_of(ours(file), function), ours(file)] += cost / facts["tasks"]
    return result, facts["copies"] / facts["tasks"]


def row(*cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", action="store_true")
    parser.add_argument("programs", nargs="+")
    arguments = parser.parse_args()
    arguments.programs = [program for program in arguments.programs if program]

    builds = {1: [""], 2: [", before", ", after"]}.get(
        len(arguments.programs), [", build %d" % (i + 1) for i in range(len(arguments.programs))])
    titles = ["%s %d%s" % (*case, build) for case in CASES for build in builds]
    results = [measure(program, sched, tiles) for sched, tiles in CASES for program in arguments.programs]
    row("instructions a task", *titles)
    row("---", *("--:" for _ in titles))
    for activity in ORDER:
        row(activity, *("%.0f" % sum(cost for (of, _), cost in costs.items() if of == activity)
                        for costs, _ in results))
    row("**all**", *("**%.0f**" % sum(costs.values()) for costs, _ in results))
    row("copies a task", *("%.2f" % copies for _, copies in results))
    if arguments.files:
        for (activity, file), cost in sorted(results[len(builds) - 1][0].items(), key=lambda item: (item[0][0], -item[1])):
            if cost >= 1:
                print("%8.1f %s: %s" % (cost, activity, file))


main()
