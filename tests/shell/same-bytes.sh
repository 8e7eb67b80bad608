#!/bin/sh
# Same inputs, same bytes. Each program given (by default the one just built,
# twice) answers the same cases: all but the time that it took must be equal.
#
# Usage: same-bytes.sh [PROGRAM...]
set -u
[ $# -gt 0 ] || set -- "$abs_top_builddir/orrery" "$abs_top_builddir/orrery"
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

answers() { # program, folder for its answers
    mkdir "$2"
    while read -r case; do
        # shellcheck disable=SC2086 # a case is several words
        "$1" run $case --format json --trace "$2/trace.csv" </dev/null \
            >>"$2/json" || { echo "=> $? from: $1 run $case"; return 1; }
        cat "$2/trace.csv" "$2/trace.copies.csv" >>"$2/traces"
    done <<CASES
cholesky --platform attila --cpus 0 --gpus 3 --tiles 20 --sched dmda
cholesky --platform attila --cpus 0 --gpus 3 --tiles 20 --sched dmdar
cholesky --platform attila --cpus 0 --gpus 3 --tiles 20 --sched dmdas
cholesky --platform attila --cpus 0 --gpus 3 --tiles 12 --sched dmda --gpu-memory 100MiB
cholesky --platform attila --cpus 0 --gpus 3 --tiles 12 --sched dmdas --perturb 0.01 --seed 7
cholesky --platform attila --cpus 2 --gpus 2 --tiles 12 --sched dm
cholesky --platform mirage --cpus 9 --gpus 3 --tiles 12 --sched eager
cholesky --platform mirage --cpus 9 --gpus 3 --tiles 12 --sched dmdas --model clean
lu --platform attila --cpus 0 --gpus 3 --tiles 12 --sched dmdar
lu --platform mirage --cpus 9 --gpus 3 --tiles 12 --sched prio
lu --platform mirage --cpus 9 --gpus 3 --tiles 12 --sched dmda --durations sampled --seed 5
cholesky --platform idcin-2 --precision double --tiles 12 --sched lws --durations sampled --seed 6
CASES
    sed -i 's/"simulation_wall_s" *: *[^,}]*//' "$2/json"
}

number=0
for program; do
    number=$((number + 1))
    answers "$program" "$folder/$number" || exit 1
    for file in json traces; do
        cmp "$folder/1/$file" "$folder/$number/$file" ||
            { echo "$program answers differently from $1"; exit 1; }
    done
done
[ "$(grep -c '"makespan_s"' "$folder/1/json")" -eq 12 ] ||
    { echo "12 cases, another number of answers"; exit 1; }
