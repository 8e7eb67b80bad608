# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the programs validate*.py have in common: runs, statistics, CSV files, and the page's table.

Each of them measures tables and writes one CSV file a table to docs/validation/. The table of docs/VALIDATION.md
is then made again from all of these files.
"""
import argparse
import collections
import csv
import datetime
import json
import os
import statistics
import subprocess
import sys

DRAWS = 4
# Figures of the reference are rounded to this share of the makespan, in %.
ROUNDING = 0.02
BEGIN, END = "<!-- summary: begin -->\n", "<!-- summary: end -->\n"
SUMMARY_COLUMNS = ["cases", "number", "number_within_%g_pct" % ROUNDING, "median_pct", "p90_pct", "largest_pct"]

Difference = collections.namedtuple("Difference", "error case ours reference")
Table = collections.namedtuple("Table", "columns rows")

# The rows of the page's table: what is compared, the CSV file, its rows by a column and its values, what the row is.
SUMMARY = (
    ("Cholesky and LU", "groups", "group", ("all", "dm-family-gpu-only", "dm-family-hybrid", "other-policies-gpu-only",
                                            "other-policies-hybrid", "heteroprio", "memory-limited", "hannibal")),
    ("drawn at random", "samples", "cases", ("all", "graphs of no application", "altered machines")),
    ("machines of 2013 to 2020", "machines-summary", "cases", ("all",)),
    ("gemm", "gemm-summary", "cases", ("all",)),
    ("Cholesky", "policies-summary", "cases", ("modular-heft", "modular-heft2", "darts")),
    ("energy program", "energy", "rows", ("all, dmda", "all, dmdar", "all, dmdas")),
)


def makespan(orrery, *options):
    done = subprocess.run([orrery, "run", *options, "--format", "json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["makespan_s"] * 1e3


def machine_options(case):
    options = ["--platform", case["platform"].replace("-ctest", ""), "--precision", case["precision"],
               "--sched", case["sched"], "--cpus", case["cpus"], "--gpus", case["gpus"]]
    if case["gpu_memory_mib"] != "0":
        options += ["--gpu-memory", case["gpu_memory_mib"] + "MiB"]
    return options


def compare(orrery, case, *options):
    """The means of draws are compared where the reference has them, otherwise single runs."""
    options = [*options, *machine_options(case)]
    ours = makespan(orrery, *options)
    reference = float(case["makespan_ms"])
    if case["mean_ms"] and abs(ours / reference - 1) * 100 > ROUNDING:
        ours = statistics.mean(makespan(orrery, *options, "--perturb", "1e-4:device", "--seed", str(seed + 1))
                               for seed in range(DRAWS))
        reference = float(case["mean_ms"])
    return Difference((ours / reference - 1) * 100, case, ours, reference)


def summarize(groups, digits=3):
    """A table of SUMMARY_COLUMNS: a row for each group of differences that is not empty, by its name."""
    rows = []
    for name, differences in groups.items():
        errors = sorted(abs(d.error) for d in differences)
        if errors:
            rows.append([name, len(errors), sum(error <= ROUNDING for error in errors),
                         "%.*f" % (digits, statistics.median(errors)), "%.2f" % errors[int(.9 * len(errors))],
                         "%.2f" % errors[-1]])
    return Table(SUMMARY_COLUMNS, rows)


def list_largest(differences, names, cells):
    """A table of the ten largest differences; `cells` gives the columns `names` of a case."""
    rows = []
    for d in sorted(differences, key=lambda d: -abs(d.error))[:10]:
        rows.append(["%.2f" % d.error, *cells(d.case), "%.1f" % d.ours, "%.1f" % d.reference, d.case["sd_pct"]])
    return Table(["error_pct", *names, "ours_ms", "reference_ms", "reference_deviation_pct"], rows)


def write_tables(tables, folder):
    """One CSV file a table, by its name, or all on stdout."""
    for name, table in tables.items():
        if not folder:
            print("%s.csv:" % name)
            csv.writer(sys.stdout, lineterminator="\n").writerows([table.columns, *table.rows])
            continue
        with open(os.path.join(folder, name + ".csv"), "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([table.columns, *table.rows])


def read_table(folder, name):
    with open(os.path.join(folder, name + ".csv"), newline="") as file:
        return list(csv.DictReader(file))


def cells_of_summary(kind, name, of, row):
    """The cells of one row of the page's table."""
    quirks = row.get("model") or row.get("quirks") or "on"
    if name == "energy":
        median, largest, p90 = ("%s %%, %s %%" % (row["makespan_" + s], row["energy_" + s])
                                for s in ("median_pct", "largest_pct", "p90_pct"))
    else:
        median, largest, p90 = (row[s] + " %" for s in ("median_pct", "largest_pct", "p90_pct"))
    number = row["cases" if of == "group" else "number"]
    return ["%s: %s" % (kind, row[of].replace("all, ", "")), quirks.replace("quirks=", ""), number, median, p90, largest,
            "[%s](validation/%s.csv)" % (name, name)]


def note_version(folder, tables, orrery):
    """Writes down in versions.csv with which program the tables were made, and when."""
    printed = subprocess.run([orrery, "--version"], capture_output=True, text=True, check=True).stdout
    version = printed.split("\n")[0].split()[-1]
    rows = {row["table"]: row for row in read_table(folder, "versions")}
    for name in tables:
        rows[name] = {"table": name, "orrery": version, "date": datetime.date.today().isoformat()}
    columns = ["table", "orrery", "date"]
    write_tables({"versions": Table(columns, [[rows[name][c] for c in columns] for name in sorted(rows)])}, folder)


def summary(folder):
    """The page's table, from the CSV files."""
    lines = ["| cases | quirks | number | median | 90th percentile | largest | table |",
             "|---|---|--:|--:|--:|--:|---|"]
    for kind, name, of, wanted in SUMMARY:
        for row in read_table(folder, name):
            if row[of] in wanted:
                lines.append("| %s |" % " | ".join(cells_of_summary(kind, name, of, row)))
    return "\n".join(lines) + "\n"


def update_page(page):
    with open(page) as file:
        text = file.read()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    with open(page, "w") as file:
        file.write(text[:begin] + summary(os.path.join(os.path.dirname(page), "validation")) + text[end:])


def main(title, measure):
    """Prints the tables that `measure` returns by name; with --update, writes them and the table of PAGE."""
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--orrery", required=True)
    parser.add_argument("--reference", default="")
    parser.add_argument("--update", metavar="PAGE", help="docs/VALIDATION.md; the CSV files are in validation/ beside it")
    arguments = parser.parse_args()
    orrery = os.path.abspath(arguments.orrery)
    tables = measure(orrery, arguments.reference)
    if not arguments.update:
        write_tables(tables, None)
        return
    folder = os.path.join(os.path.dirname(arguments.update), "validation")
    write_tables(tables, folder)
    note_version(folder, tables, orrery)
    update_page(arguments.update)
