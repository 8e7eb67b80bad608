#!/bin/sh
# The policy fixed replays the mapping and order of a file: of a trace, of
# tasks.rec, or rows; and says what the file lacks.
set -u
orrery=$abs_top_builddir/orrery
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bad=0

cholesky() { # tiles, policy, options
    size=$1 policy=$2
    shift 2
    "$orrery" run cholesky --tiles "$size" --platform attila --gpus 1 \
        --cpus 1 --sched "$policy" "$@"
}

# Who ran what, by worker, in order of the start.
mapping() { # trace
    sed 1d "$1" | sort -t, -k3,3n -k6,6n | cut -d, -f1-3
}

fails() { # message, arguments of cholesky
    message=$1
    shift
    cholesky "$@" >out 2>err && { echo "$*: no error"; bad=1; }
    [ "$(cat err)" = "orrery run: $message" ] && [ ! -s out ] || {
        echo "$*: not '$message' but:"
        cat out err
        bad=1
    }
}

for sched in eager dmda dmdas lws; do
    cholesky 6 $sched --trace $sched.csv >/dev/null || bad=1
    cholesky 6 "fixed:$sched.csv" --trace again.csv >/dev/null || bad=1
    mapping $sched.csv >wanted
    mapping again.csv >found
    [ "$(wc -l <found)" = 56 ] && cmp wanted found || {
        echo "$sched: not the same mapping and order"
        bad=1
    }
done
# dmda prefetches as fixed does, and orders nothing else: the same run.
cholesky 6 fixed:dmda.csv --trace again.csv >/dev/null || bad=1
cmp dmda.csv again.csv || bad=1

# The same as tasks.rec, and as a table of another tool, packed.
awk -F, 'NR > 1 {
    print "Name: " $2 "\nWorkerId: " $3 "\nSubmitOrder: " 2 * $1 + 7
    print "StartTime: " $6 "\n"
}' eager.csv >eager.rec
awk -F, 'NR == 1 { print "kernel,submit_order,device,start_us" }
    NR > 1 { print $2 "," $1 "," ($3 ? "CPU0" : "CUDA0") "," $6 * 1000 }' \
    eager.csv | gzip >eager.csv.gz
mapping eager.csv >wanted
for file in eager.rec eager.csv.gz; do
    cholesky 6 fixed:$file --trace again.csv >/dev/null || bad=1
    mapping again.csv >found
    cmp wanted found || bad=1
done

# Rows: POTRF, TRSM, SYRK, POTRF.
printf '# first the GPU\n0 CUDA0\n1 0\n\n2 CPU0\n3 1\n' >rows
cholesky 2 fixed:rows --trace rows.csv >/dev/null || bad=1
sed 1d rows.csv | cut -d, -f1,3 | tr '\n' ' ' >found
[ "$(cat found)" = '0,0 1,0 2,1 3,1 ' ] || { cat found; bad=1; }
printf 'task,worker\nTRSM,1\n0,0\n2,CUDA0\n3,CUDA0\n' >names
cholesky 2 fixed:names --trace names.csv >/dev/null || bad=1
sed 1d names.csv | cut -d, -f1,3 | tr '\n' ' ' >found
[ "$(cat found)" = '0,0 1,1 2,0 3,0 ' ] || { cat found; bad=1; }

fails 'rows: task 4 (GEMM) has no worker in the mapping' 3 fixed:rows
printf '0 0\n1 0\n2 0\n9 0\n3 0\n' >late
fails 'late:4: CUDA0 waits for this task (9), which the application does not submit' \
    2 fixed:late
printf 'TRSM 0\n0 0\n' >twice
fails 'twice:1: task 2 (TRSM) has the name of another one: a mapping by names needs a name for each task' \
    3 fixed:twice
fails "eager.csv:22: task 6 (TRSM) is SYRK in the mapping" 7 fixed:eager.csv
printf '0 0\n1 2\n' >worker
fails "worker:2: there is no worker '2'; there are 2, from 0 (CUDA0) to 1 (CPU0)" \
    2 fixed:worker
printf '0 0\n1 0\n2 0\n3 1\n' >slow
fails 'slow:4: task 3 (POTRF) cannot run on CPU0' 2 fixed:slow \
    --where potrf=gpu
printf '0 0\n0 0\n' >again
fails "again:2: task '0' is there twice" 2 fixed:again
printf '0\n' >word
fails 'word:1: expected TASK WORKER' 2 fixed:word
printf 'a,b\n' >csv
fails 'csv:1: neither rows TASK WORKER, nor a StarPU tasks.rec, nor a CSV file with the columns worker and start_ms or task' \
    2 fixed:csv
: >empty
fails 'empty:1: the file is empty' 2 fixed:empty
fails 'absent: No such file or directory' 2 fixed:absent
for name in fixed fixed:; do
    fails 'policy fixed needs a mapping and order to replay: fixed:FILE' 2 $name
done

# A token has the name of the file, and its hash.
cholesky 2 fixed:./rows --token token >wanted || bad=1
mkdir other && mv rows other/rows || exit 1
"$orrery" replay @token >out 2>err
grep -q "fixed:rows" err || { cat out err; bad=1; }
"$orrery" replay @token --sched fixed:other/rows >out 2>err || { cat err; bad=1; }
grep -q 'makespan' out || bad=1
echo '# changed' >>other/rows
"$orrery" replay @token --sched fixed:other/rows >out 2>err
grep -q 'the content differs' err || { cat out err; bad=1; }
exit $bad
