#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Predictions compared with a native run.

usage: validate_native.py --orrery PROGRAM [--update PAGE]

Makes docs/validation/native-*.csv. Takes seconds.
"""
import collections
import csv
import json
import os
import re
import statistics
import subprocess
import tempfile

from validation import Table, main

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RECORD = os.path.join(ROOT, "tests", "native", "idcin-2-dmda.csv")
PLATFORM = os.path.join(ROOT, "platforms", "idcin-2.xml")
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
        "means of the record, each kernel varied by 1 %":
            [run(orrery, *switch, "--perturb", "0.01:device", "--seed", seed) for seed in seeds[:DRAWS]],
        "drawn from histograms":
            [run(orrery, *switch, "--durations", "sampled", "--seed", seed) for seed in seeds],
        "replayed": [run(orrery, *switch, "--durations", "replayed", "--record", RECORD)],
    }


def makespans(predictions, native):
    rows = []
    for models in SETS:
        for kind, runs in predictions[models].items():
            values = [makespan for makespan, _ in runs]
            mean = statistics.mean(values)
            rows.append([kind, models, len(values), "%.1f" % mean, "%.1f" % (100 * (mean / native - 1)),
                         "%.1f" % statistics.stdev(values) if len(values) > 1 else ""])
    return Table(["durations", "models", "runs", "makespan_ms", "error_pct", "deviation_ms"], rows)


def schedules(predictions, native):
    """Tasks of each kernel on CPUs, of how many, and tiles fetched for a task."""
    drawn = [[schedule for _, schedule in predictions[models]["drawn from histograms"]] for models in SETS]
    facts = [("%s on CPUs" % kernel, sum(k[0] == kernel for k in KERNELS), lambda s, kernel=kernel: on_cpus(s, kernel))
             for kernel in ("potrf", "trsm", "syrk", "gemm")]
    facts.append(("tiles fetched for a task", "", moves))
    return Table(["count", "of", "native", *("drawn_" + models for models in SETS)],
                 [[title, of, fact(native), *("%.1f" % statistics.mean(map(fact, some)) for some in drawn)]
                  for title, of, fact in facts])


def panels(predictions, native):
    """When each panel starts."""
    of_panels = [task for task, (kernel, _, _) in enumerate(KERNELS) if kernel == "potrf"]
    starts = [{task: start for task, _, start, _ in schedule}
              for schedule in [native] + [predictions[models]["replayed"][0][1] for models in SETS]]
    return Table(["panel", "native_start_ms", *("replayed_%s_start_ms" % models for models in SETS)],
                 [[number + 1, *("%.0f" % start[task] for start in starts)] for number, task in enumerate(of_panels)])


def measure(orrery, _reference=None):
    native = tasks(RECORD)
    with tempfile.TemporaryDirectory() as folder:
        predictions = {models: predict(orrery, models, folder) for models in SETS}
    return {
        "native-makespans": makespans(predictions, max(end for _, _, _, end in native)),
        "native-schedules": schedules(predictions, native),
        "native-panels": panels(predictions, native),
    }


if __name__ == "__main__":
    main(__doc__, measure)
