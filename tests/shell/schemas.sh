#!/bin/sh
# What is printed as JSON is what docs/schemas/ says.
set -u
python3 -c 'import jsonschema' 2>/dev/null ||
    { echo "no python3-jsonschema here"; exit 77; }
orrery=$abs_top_builddir/orrery
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# Each line of @list is a schema, a file of that schema, whether it keeps to the
# schema (yes or no), and what the file is. Python starts once for all of them.
cat >"$folder/check.py" <<'PY'
import json, os, sys
import jsonschema

folder, *homes = sys.argv[1:]
checkers = {}
bad = count = 0


def checker(name):
    if name not in checkers:
        paths = [f"{home}/docs/schemas/{name}.json" for home in homes]
        with open(next(filter(os.path.exists, paths))) as file:
            schema = json.load(file)
        kind = jsonschema.validators.validator_for(schema)
        kind.check_schema(schema)
        checkers[name] = kind(schema)
    return checkers[name]


def errors_of(schema, file):
    try:
        with open(file) as text:
            answer = json.load(text)
    except ValueError as error:
        return [f"is not JSON: {error}"]
    return [f"{list(error.absolute_path)} {error.message[:200]}"
            for error in checker(schema).iter_errors(answer)]


for line in open(f"{folder}/list"):
    schema, file, keeps, what = line.rstrip("\n").split("\t")
    errors = errors_of(schema, f"{folder}/{file}")
    count += 1
    if keeps == "yes" and errors:
        print("\n".join(errors), what, sep="\n")
        bad = 1
    elif keeps == "no" and not errors:
        print(f"the schema allows {what}")
        bad = 1
print(f"{count} files")
sys.exit(bad)
PY
number=0

# Has $folder/$file, which the caller writes, checked at the end.
check() { # schema, keeps to it, what it is; sets file
    number=$((number + 1))
    file=$number.json
    printf '%s\t%s\t%s\t%s\n' "$1" $file "$2" "$3" >>"$folder/list"
}

holds() { # command, then the rest of it
    check "$1" yes "orrery $*"
    "$orrery" "$@" --format json >"$folder/$file" 2>/dev/null
}

hang='--tiles 16 --gpus 2 --cpus 0 --gpu-memory 32MiB'
holds run cholesky --tiles 4
holds run gemm --tiles 3x4 --bounds
holds run lu --tiles 3 --platform hannibal --bounds
holds run qr --tiles 3x2 --platform sirocco-v100 --tile 1600
holds compare gemm --tiles 3x4,2 --sched dmda,eager
holds run lu --tiles 3 --durations sampled --layout matrix --where getrf=cpu \
    --set link.CUDA0-CUDA1.latency=1ms
# shellcheck disable=SC2086 # a list of words
holds run cholesky $hang --sched dm
holds explain cholesky --tiles 4
holds explain lu --tiles 3 --gpus 0 --durations sampled
for scale in gpus=2 gpus=1:3 cpus=1,2,4; do
    check scale yes "orrery explain --scale $scale"
    "$orrery" explain cholesky --tiles 4 --scale "$scale" --extrapolate 6 \
        --format json >"$folder/$file" 2>/dev/null
done
holds compare cholesky --tiles 4 --sched dmda --by energy
holds compare lu --tiles 2,4 --sched dmda,prio --perturb 0.1 --replicas 3
holds compare lu --tiles 3 --sched dmda,prio --replicas 3 --robustness 0,0.3
# shellcheck disable=SC2086
holds compare cholesky $hang --sched dm,eager

printf 'gpus,time_s\n1,8\n2,4\n4,2\n8,1\n' >"$folder/history.csv"
"$orrery" sweep lu --tiles 2 --vary gpus=1,x --output "$folder/a.db" \
    >/dev/null 2>&1
holds results "$folder/a.db"
holds predict "$folder/history.csv" --y time_s --x gpus --at 1,3,9
holds predict "$folder/history.csv" --y gpus --x time_s --at 1,3,9

check optimize yes 'orrery sweep --optimize'
"$orrery" sweep cholesky --size 3840 --perturb 0.1 --optimize makespan \
    --over tile=960,1000 --over sched=dmda,dmdas --replicas 4 --format json \
    >"$folder/$file" 2>/dev/null

# Graphs: with times, with flops, with neither, and of every format.
for file in "$abs_top_srcdir"/tests/graphs/*; do
    case $file in *.data.rec | *data_handles.csv) continue ;; esac
    holds graph show "$file"
done
printf 'id\n1\n' >"$folder/plain.csv"
holds graph show "$folder/plain.csv"

# A schema that allows everything would check nothing.
"$orrery" graph show "$folder/plain.csv" --format json >"$folder/answer"
for change in 's/"tasks": 1/"tasks": "1"/' 's/"depth":/"deep":/' \
    's/"format": "csv"/"format": "xls"/' 's/"work_s": null/"work_s": "-"/' \
    's/"kernel":/"name":/'; do
    check graph no "$change"
    sed "$change" "$folder/answer" >"$folder/$file"
done
"$orrery" run lu --tiles 2 --perturb 0.1 --format json >"$folder/answer"
for change in 's/"cpus": \([0-9]*\)/"cpus": "\1"/' 's/"seed": 0/"seed": -1/' \
    's/"perturb_by": "worker"/"perturb_by": "task"/' \
    's/"layout": "tiles"/"layout": "rows"/' 's/"where": \[\]/"where": "any"/' \
    's/"tile": \([0-9]*\)/"tile": "\1"/'; do
    check run no "$change"
    sed "$change" "$folder/answer" >"$folder/$file"
done
"$orrery" compare lu --tiles 2 --sched dm --format json >"$folder/answer"
for change in 's/"schema_version": 1/"schema_version": 2/' \
    's/"median":/"middle":/' 's/"sched": "dm"/"sched": 7/' \
    's/"pairs": \[\]/"pairs": {}/' 's/"tasks": /"task": /'; do
    check compare no "$change"
    sed "$change" "$folder/answer" >"$folder/$file"
done
python3 "$folder/check.py" "$folder" "$abs_top_builddir" "$abs_top_srcdir"
