#!/bin/sh
# A graph that was saved, or recorded in any run, is the application: run again
# on any machine it gives the same trace, to the ns.
set -u
orrery=$abs_top_builddir/orrery
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bad=0
count=0

same() { # application, its options: against graph.rec, with $place
    # shellcheck disable=SC2086 # several words
    "$orrery" run "$@" $place --trace native.csv >/dev/null &&
        "$orrery" run graph.rec $place --trace graph.csv >/dev/null &&
        cmp native.csv graph.csv &&
        cmp native.copies.csv graph.copies.csv || {
        echo "$*: not the same with $place"
        bad=1
    }
    count=$((count + 1))
}

# Recorded under seven policies, run on the same machine.
for app in cholesky lu; do
    for tiles in 4 10 20; do
        for sched in eager ws lws dmda dmdas dmdar heteroprio; do
            place="--platform attila --sched $sched"
            # shellcheck disable=SC2086
            "$orrery" run $app --tiles $tiles $place --trace graph.rec \
                >/dev/null || bad=1
            same $app --tiles $tiles
        done
    done
done

# Recorded on one machine, run on others, and back.
for app in cholesky lu; do
    for from in 'attila 1 lws' 'sirocco 2 dmdas'; do
        # shellcheck disable=SC2086
        set -- $from
        "$orrery" run $app --tiles 10 --platform "$1" --gpus "$2" \
            --sched "$3" --trace graph.rec >/dev/null || bad=1
        for to in attila mirage idgraf sirocco; do
            for sched in prio dmdasd; do
                place="--platform $to --sched $sched"
                same $app --tiles 10
            done
        done
    done
done

# Products, whose data are only written at first, and whose slabs have gaps of
# different sizes between their columns: evictions count them.
while read -r tiles memory options; do
    for sched in lws dmdas; do
        place="--platform attila --cpus 0 --sched $sched --gpu-memory $memory"
        # shellcheck disable=SC2086 # several words
        "$orrery" run gemm --tiles $tiles $options $place --trace graph.rec \
            >/dev/null || bad=1
        # shellcheck disable=SC2086
        same gemm --tiles $tiles $options
    done
done <<APPS
4x3x5 40MiB --variant k
6x12 80MiB
APPS
[ $count = 78 ] || { echo "$count runs"; bad=1; }

# As blocks of a larger matrix, whose copies have a cost of their own; packed.
place='--platform hannibal --cpus 0 --sched dmdas'
"$orrery" graph save cholesky --tiles 70 --layout matrix \
    --output graph.rec || bad=1
same cholesky --tiles 70 --layout matrix
mv graph.rec whole.rec
mv graph.data.rec whole.data.rec
gzip -k whole.rec
"$orrery" run whole.rec.gz --platform hannibal --cpus 0 >/dev/null || bad=1

# Trace of a graph: the same graph, with times.
"$orrery" graph save lu --tiles 4 --output graph.rec || bad=1
"$orrery" run graph.rec --trace times.rec >/dev/null || bad=1
grep -vE '^(WorkerId|MemoryNode|SubmitTime|StartTime|EndTime): ' times.rec |
    cmp - graph.rec || bad=1
"$orrery" graph save graph.rec --output again.rec || bad=1
cmp graph.rec again.rec || bad=1

# Several commands know it: the same results and bounds, for the same machine.
results() { # application, options
    "$orrery" compare "$@" --sched dmda,dmdas --format json |
        grep -E '"(makespan_s|above_bound_percent|tasks|events)": [0-9]'
}
results lu --tiles 4 >wanted
results graph.rec >found
[ "$(wc -l <wanted)" -gt 20 ] && cmp wanted found || { cat found; bad=1; }
"$orrery" explore graph.rec --budget 20 --format csv >/dev/null || bad=1

# Recorded times: the work on one core, the critical path on many.
for file in fork.json plain.csv; do
    path=$abs_top_srcdir/tests/graphs/$file
    "$orrery" graph show "$path" --format csv >facts || bad=1
    for case in '1 work_s' '20 critical_path_s'; do
        # shellcheck disable=SC2086 # two words
        set -- $case
        "$orrery" run "$path" --gpus 0 --cpus "$1" --sched eager \
            --model overheads=off --format json >run || bad=1
        wanted=$(sed -n "s/^$2,//p" facts)
        awk -v wanted="$wanted" -F '[:,]' '/^  "makespan_s"/ {
            found = 1
            if ($2 + 0 != wanted + 0) { print $2; exit 1 } }
            END { exit !found }' run || {
            echo "$file on $1 cores: not $wanted"
            bad=1
        }
    done
done

# The kernel any of docs/PLATFORMS.md: 20 GFlop/s x 0.5, on 10 and 20 GFlop.
awk '/<kernel family="any"/ { copies = 1 } copies { print }
    copies && /<\/kernel>/ { exit }' "$abs_top_srcdir/docs/PLATFORMS.md" >any
awk '/<\/kernels>/ { while ((getline line <"any") > 0) print line } { print }' \
    "$abs_top_srcdir/platforms/attila.xml" >any.xml
printf 'digraph g { a [size="1e10"]; b [size="2e10"]; a -> b [size="8"]; }\n' \
    >any.dot
"$orrery" run any.dot --platform any.xml --gpus 0 --cpus 1 --sched eager \
    --model overheads=off --format json >run || bad=1
grep -q '^  "makespan_s": 3[.0]*,' run || { cat run; bad=1; }

# Tasks that only synchronise take no time, and no worker; a mapping by ranks
# does not count them. By hand: x and y (3 and 5 ms) on CPU1 one after the
# other, z (2 ms) on CPU0 after the synchronisation of both, then w (4 ms).
{
    echo Name,JobId,SubmitOrder,WorkerId,StartTime,EndTime,Handles,Modes,Sizes,DependsOn
    echo x,1,1,1,0,3,a,W,8,
    echo y,2,2,1,3,8,b,W,8,
    echo '_starpu_sync_task,3,3,,,,a b,RW RW,8 8,1 2'
    echo z,4,4,0,8,10,a,R,8,3
    echo '_starpu_data_acquire_post,5,5,,,,a,RW,8,4'
    echo w,6,6,1,10,14,b,R,8,5
} >sync.csv
for case in 'fixed:sync.csv 2 0.014' 'fixed:sync.csv 3 0.014' \
    'eager 9 0.011'; do
    # shellcheck disable=SC2086 # three words
    set -- $case
    "$orrery" run sync.csv --platform attila --gpus 0 --cpus "$2" \
        --sched "$1" --model overheads=off --trace sync.trace.rec \
        --format json >run || bad=1
    grep -q "^  \"makespan_s\": $3," run || {
        echo "sync.csv: $case"
        grep makespan_s run
        bad=1
    }
    # What was recorded, again.
    "$orrery" run sync.trace.rec --platform attila --gpus 0 --cpus "$2" \
        --sched fixed:sync.trace.rec --model overheads=off --format json >run ||
        bad=1
    grep -q "^  \"makespan_s\": $3," run || {
        echo "sync.trace.rec: $case"
        grep makespan_s run
        bad=1
    }
done
"$orrery" run sync.csv --platform attila --trace sync.rows.csv >/dev/null || bad=1
[ "$(wc -l <sync.rows.csv)" = 5 ] || { cat sync.rows.csv; bad=1; }

fails() { # message, arguments
    message=$1
    shift
    "$orrery" "$@" >out 2>err && { echo "$*: no error"; bad=1; }
    [ "$(cat err)" = "$message" ] && [ ! -s out ] || {
        echo "$*: not '$message' but:"
        cat out err
        bad=1
    }
}
fails 'orrery run: absent.rec: No such file or directory' run absent.rec
printf 'Name: a\nJobId: 1\nDependsOn: 2\n\nName: b\nJobId: 2\nDependsOn: 1\n' \
    >cycle.rec
"$orrery" run cycle.rec >out 2>err && bad=1
grep -q '^orrery run: cycle.rec:[0-9]*: .*cycle' err || { cat err; bad=1; }
exit $bad
