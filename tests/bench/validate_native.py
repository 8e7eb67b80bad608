#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Predictions compared with a native run: a section of docs/VALIDATION.md.

usage: validate_native.py --orrery PROGRAM [--update FILE]

Prints the section, or puts it between its two marks in FILE. Takes seconds.
"""
import argparse
import collections
import csv
import json
import os
import re
import statistics
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RECORD = os.path.join(ROOT, "tests", "native", "idcin-2-dmda.csv")
PLATFORM = os.path.join(ROOT, "platforms", "idcin-2.xml")
BEGIN, END = "<!-- native: begin -->", "<!-- native: end -->"
TILES = 12
GPUS = 3
REPLICAS = 100
DRAWS = 20
SETS = ("clean", "reference")


def run(orrery, *options, platform="idcin-2"):
    """Makespan in ms, and (task, worker, start) of each task."""
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "t.csv")
        done = subprocess.run(
            [orrery, "run", "cholesky", "--tiles", str(TILES), "--precision", "double", "--platform", platform,
             "--sched", "dmda", "--format", "json", "--trace", trace, *options],
            capture_output=True, text=True, check=True)
        return json.loads(done.stdout)["makespan_s"] * 1e3, tasks(trace)


def tasks(path):
    with open(path) as file:
        return [(int(row["submit_order"]), int(row["worker"]), float(row["start_ms"]), float(row["end_ms"]))
                for row in csv.DictReader(file)]


def accesses():
    """What each task, in order of submission, accesses: (kernel, tiles read, tile updated)."""
    for k in range(TILES):
        yield "potrf", [], (k, k)
        for m in range(k + 1, TILES):
            yield "trsm", [(k, k)], (m, k)
        for n in range(k + 1, TILES):
            yield "syrk", [(n, k)], (n, n)
            for m in range(n + 1, TILES):
                yield "gemm", [(m, k), (n, k)], (m, n)


KERNELS = list(accesses())


def moves(schedule):
    """Tiles that had to come to where a task ran."""
    valid = collections.defaultdict(lambda: {0})
    count = 0
    for task, worker, _, _ in sorted(schedule, key=lambda t: t[2]):
        node = worker + 1 if worker < GPUS else 0
        _, reads, updates = KERNELS[task]
        for tile in reads + [updates]:
            count += node not in valid[tile]
            valid[tile].add(node)
        valid[updates] = {node}
    return count


def on_cpus(schedule, kernel):
    return sum(worker >= GPUS and KERNELS[task][0] == kernel for task, worker, _, _ in schedule)


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def shown(value, native):
    return "%.1f (%+.1f %%)" % (value, 100 * (value / native - 1))


def without_histograms(folder):
    with open(PLATFORM) as file:
        text = re.sub(r"(<duration[^>]*)>\s*<histogram.*?</histogram>\s*</duration>", r"\1/>", file.read(),
                      flags=re.DOTALL)
    path = os.path.join(folder, "calibration.xml")
    with open(path, "w") as file:
        file.write(text)
    return path


def predict(orrery, models, folder):
    """Makespans and schedules by kind of prediction."""
    switch = ["--model", models]
    calibration = without_histograms(folder)
    seeds = [str(seed + 1) for seed in range(REPLICAS)]
    return {
        "calibrated means alone": [run(orrery, *switch, platform=calibration)],
        "means of the record": [run(orrery, *switch)],
        "the same, each kernel varied by 1 %%, mean of %d" % DRAWS:
            [run(orrery, *switch, "--perturb", "0.01:device", "--seed", seed) for seed in seeds[:DRAWS]],
        "drawn from histograms, mean of %d" % REPLICAS:
            [run(orrery, *switch, "--durations", "sampled", "--seed", seed) for seed in seeds],
        "replayed": [run(orrery, *switch, "--durations", "replayed", "--record", RECORD)],
    }


def print_makespans(predictions, native):
    row("durations", *("`--model %s`, ms" % models for models in SETS))
    row("---", *("--:" for _ in SETS))
    for kind in predictions[SETS[0]]:
        cells = []
        for models in SETS:
            values = [makespan for makespan, _ in predictions[models][kind]]
            cell = shown(statistics.mean(values), native)
            if len(values) > 1:
                cell += ", deviation %.1f" % statistics.stdev(values)
            cells.append(cell)
        row(kind, *cells)


def print_schedules(predictions, native):
    row("", "native", *("drawn, %s" % models for models in SETS))
    row("---", "--:", *("--:" for _ in SETS))
    drawn = {models: next(v for k, v in predictions[models].items() if k.startswith("drawn")) for models in SETS}
    facts = [("%s on CPUs, of %d" % (kernel, sum(k[0] == kernel for k in KERNELS)),
              lambda s, kernel=kernel: on_cpus(s, kernel)) for kernel in ("potrf", "trsm", "syrk", "gemm")]
    facts.append(("tiles fetched for a task", moves))
    for title, fact in facts:
        row(title, fact(native), *("%.1f" % statistics.mean(fact(s) for _, s in drawn[models]) for models in SETS))


def print_panels(predictions, native):
    replayed = {models: predictions[models]["replayed"][0][1] for models in SETS}
    panels = [task for task, (kernel, _, _) in enumerate(KERNELS) if kernel == "potrf"]
    row("start of panel, ms", *range(1, TILES + 1))
    row("---", *("--:" for _ in panels))
    for title, schedule in [("native", native)] + [("replayed, " + models, replayed[models]) for models in SETS]:
        starts = {task: start for task, _, start, _ in schedule}
        row(title, *("%.0f" % starts[panel] for panel in panels))


def print_section(orrery):
    native = tasks(RECORD)
    makespan = max(end for _, _, _, end in native)
    with tempfile.TemporaryDirectory() as folder:
        predictions = {models: predict(orrery, models, folder) for models in SETS}
    print(BEGIN)
    print("""
## Against a real machine

Written by `tests/bench/validate_native.py` (`make update-validation-native`). idcin-2 is a node with 25 CPU workers and 3 GTX
Titan X. StarPU factored a matrix of 12 x 12 tiles of 960 there, in double precision, under dmda, and recorded its tasks
(`tests/native/idcin-2-dmda.csv`): %.1f ms from the first submission to the end of the last task. The predictions:

<!-- not tested: a pattern, not a command -->
```console
$ orrery run cholesky --tiles 12 --precision double --platform idcin-2 --sched dmda [--durations ...]
```
""" % makespan)
    print_makespans(predictions, makespan)
    print("""
The platform file asks for `clean`, because the machine has no reference results of StarPU over SimGrid.
`tests/shell/native.sh` checks that its predictions are within 4 % with means, 3 % with draws and 2 % with replayed durations.

Differences between the schedules:
""")
    print_schedules(predictions, native)
    print()
    print_panels(predictions, native)
    print("""
Causes of the differences:

* The calibration was measured on another day. In the run potrf took 17.1 ms, not 20.2, trsm on CPUs 36.5 ms, not 45.8, kernels on
  GPUs 2 to 3 % less. That alone makes the prediction from the calibration too long: panels are
  sequential, so each potrf counts in full. Therefore the platform file contains both: policies plan with the calibration,
  and kernels take their recorded durations.
* One run is one sample. A change of 1 % in the durations changes the makespan by the deviation above; a prediction from
  means may fall anywhere in this range. Means over several draws are more reliable than a single run.
* CPU kernels are not independent draws on the machine: they are slow together while all cores compute (gemm 67 ms, later
  53) and fast when few do (turbo clocks, memory bandwidth), which is not modelled (docs/MODELS.md). Only replayed
  durations contain it.
* Copies: the native dmda fetched as many tiles as with `belief=reference`, and fewer than with `belief=route`: native StarPU
  does overestimate copies. But it placed more trsm on CPUs than either: it must have planned with shorter durations than
  those of the calibration.
* In the record three copies out of RAM flow at the same time at 16.6 GB/s, more than the shared host link of the
  calibration grants (13.1 GB/s). Without that link the predictions move by less than the deviation.
""")
    print(END)


def update(path, orrery):
    import contextlib
    import io
    section = io.StringIO()
    with contextlib.redirect_stdout(section):
        print_section(orrery)
    with open(path) as file:
        text = file.read()
    begin, end = text.index(BEGIN), text.index(END) + len(END) + 1
    with open(path, "w") as file:
        file.write(text[:begin] + section.getvalue() + text[end:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--orrery", required=True)
    parser.add_argument("--update")
    arguments = parser.parse_args()
    orrery = os.path.abspath(arguments.orrery)
    if arguments.update:
        update(arguments.update, orrery)
    else:
        print_section(orrery)


if __name__ == "__main__":
    main()
