#!/bin/sh
# What is printed as JSON is what docs/schemas/ says.
set -u
python3 -c 'import jsonschema' 2>/dev/null ||
    { echo "no python3-jsonschema here"; exit 77; }
orrery=$abs_top_builddir/orrery
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
bad=0

cat >"$folder/check.py" <<'PY'
import json, sys
import jsonschema
schema, answer = (json.load(open(name)) for name in sys.argv[1:])
kind = jsonschema.validators.validator_for(schema)
kind.check_schema(schema)
errors = list(kind(schema).iter_errors(answer))
for error in errors:
    print(list(error.absolute_path), error.message[:200])
sys.exit(bool(errors))
PY

check() { # schema, file
    python3 "$folder/check.py" "$abs_top_srcdir/docs/schemas/$1.json" "$2"
}

holds() { # command, then the rest of it
    "$orrery" "$@" --format json >"$folder/answer" 2>/dev/null
    check "$1" "$folder/answer" || { echo "orrery $*"; bad=1; }
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
    "$orrery" explain cholesky --tiles 4 --scale "$scale" --extrapolate 6 \
        --format json >"$folder/answer" 2>/dev/null
    check scale "$folder/answer" ||
        { echo "orrery explain --scale $scale"; bad=1; }
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

"$orrery" sweep cholesky --size 3840 --perturb 0.1 --optimize makespan \
    --over tile=960,1000 --over sched=dmda,dmdas --replicas 4 --format json \
    >"$folder/answer" 2>/dev/null
check optimize "$folder/answer" || { echo 'orrery sweep --optimize'; bad=1; }

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
    sed "$change" "$folder/answer" >"$folder/wrong"
    ! check graph "$folder/wrong" >/dev/null ||
        { echo "the schema allows $change"; bad=1; }
done
"$orrery" compare lu --tiles 2 --sched dm --format json >"$folder/answer"
for change in 's/"schema_version": 1/"schema_version": 2/' \
    's/"median":/"middle":/' 's/"sched": "dm"/"sched": 7/' \
    's/"pairs": \[\]/"pairs": {}/' 's/"tasks": /"task": /'; do
    sed "$change" "$folder/answer" >"$folder/wrong"
    ! check compare "$folder/wrong" >/dev/null ||
        { echo "the schema allows $change"; bad=1; }
done
exit $bad
