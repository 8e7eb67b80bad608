#!/bin/sh
# A graph that was saved, or recorded in any run, is the application: run again
# on any machine it gives the same trace, to the ns.
set -u
. "$abs_top_srcdir/tests/shell/drawn.sh"
orrery=$abs_top_builddir/orrery
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bad=0
count=0

same() { # application, its options: against graph.rec, with $place
    count=$((count + 1))
    sampled $count 2 || return 0
    # shellcheck disable=SC2086 # several words
    "$orrery" run "$@" $place --trace native.csv >/dev/null &&
        "$orrery" run graph.rec $place --trace graph.csv >/dev/null &&
        cmp native.csv graph.csv &&
        cmp native.copies.csv graph.copies.csv || {
        echo "$*: not the same with $place"
        bad=1
    }
}

# Recorded under seven policies, run on the same machine; at full length
# (test_length), larger ones as well.
tiles_of_all=10
runs=59
if [ "${test_length:-short}" = full ]; then
    tiles_of_all='4 10 20'
    runs=87
fi
for app in cholesky lu; do
    for tiles in $tiles_of_all; do
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

# QR, whose tiles are two data each; with TT kernels, which no machine has,
# those of TS stand in.
sed 's/"tpqrt"/"ttqrt"/; s/"tpmqrt"/"ttmqr"/' \
    "$abs_top_srcdir/platforms/sirocco-k40m.xml" >tt.xml || bad=1
while read -r platform options; do
    # shellcheck disable=SC2086 # several words
    "$orrery" graph save qr $options --output graph.rec || bad=1
    for sched in lws dmdas heteroprio; do
        place="--platform $platform --cpus 4 --sched $sched"
        # shellcheck disable=SC2086
        same qr $options
    done
done <<APPS
sirocco-v100 --tiles 6 --tile 1600
sirocco-k40m --tiles 8x3 --halves whole --precision double
./tt.xml --tiles 8x3 --kernels tt --tree greedy
APPS
[ $count = $runs ] || { echo "$count runs"; bad=1; }

# As blocks of a larger matrix, whose copies have a cost of their own; packed.
place='--platform hannibal --cpus 0 --sched dmdas'
tiles=70
[ -z "${sanitizers-}" ] || [ "${test_length:-short}" = full ] || tiles=20
"$orrery" graph save cholesky --tiles $tiles --layout matrix \
    --output graph.rec || bad=1
same cholesky --tiles $tiles --layout matrix
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

# A kernel of StarPU that the platform has not measured is that of its trace.
printf 'Name: x\nModel: sgeqrt\nJobId: 1\nDuration: 3\n' >unmeasured.rec
"$orrery" run unmeasured.rec --platform attila --trace unmeasured.trace.rec \
    >wanted || bad=1
"$orrery" run unmeasured.rec --platform attila \
    --sched fixed:unmeasured.trace.rec >run || bad=1
[ "$(grep '^makespan' run)" = "$(grep '^makespan' wanted)" ] || {
    cat wanted run
    bad=1
}
"$orrery" run sync.csv --platform attila --trace sync.rows.csv >/dev/null || bad=1
[ "$(wc -l <sync.rows.csv)" = 5 ] || { cat sync.rows.csv; bad=1; }

# Two names of the file that mean one kernel of the platform are restricted
# apart: task 5 by one of them, or the other three products.
"$orrery" graph save cholesky --tiles 4 --output names.rec || bad=1
awk '/^Name: GEMM/ { gemm++ }
    /^Model:/ && gemm == 1 { gemm++; $0 = "Model: cholesky/gemm" }
    { print }' names.rec >two.rec
cp names.data.rec two.data.rec
on_cpu() { # restriction, the products that CPUs run then
    "$orrery" run two.rec --platform attila --gpus 1 --cpus 1 --sched dmda \
        --where "$1" --trace two.csv >/dev/null || bad=1
    found=$(awk -F, '/GEMM/ && $11 ~ /CPU/ { print $1 }' two.csv | sort -n)
    [ "$(echo $found)" = "$2" ] || { echo "$1: $found, not $2"; bad=1; }
}
on_cpu cholesky/gemm=cpu 5
on_cpu chol_model_gemm=cpu '6 8 14'

# Recorded times are those of the kind of device, which MemoryNode tells.
for node in 0 1; do
    printf 'Name: a\nModel: m\nJobId: 1\nWorkerId: 0\nMemoryNode: %d\n' \
        $node >node.rec
    printf 'StartTime: 0\nEndTime: 1\n' >>node.rec
    "$orrery" run node.rec --platform attila --trace node.csv >/dev/null ||
        bad=1
    found=$(sed 1d node.csv | cut -d, -f11)
    case $node$found in
    0CPU* | 1CUDA*) ;;
    *) echo "MemoryNode $node runs on $found"; bad=1 ;;
    esac
done

# What a graph tells of tasks besides stays on the way through CSV: coordinates,
# and marks that matter under a policy that limits priorities.
cat >loops.rec <<'REC'
Name: a
Model: chol_model_potrf
JobId: 1
Critical: 1
Synchronous: 1
Iteration: 3 5 2
Handles: 10
Modes: RW
Sizes: 3686400

Name: b
Model: chol_model_gemm
JobId: 2
Critical: 0
Iteration: 1048575
Handles: 10 20 30
Modes: R R RW
Sizes: 3686400 3686400 3686400

Name: c
Model: chol_model_gemm
JobId: 3
Iteration: 1048576
Handles: 30 20 10
Modes: R R RW
Sizes: 3686400 3686400 3686400
REC
"$orrery" graph convert loops.rec loops.csv || bad=1
for file in loops.rec loops.csv; do
    "$orrery" run $file --platform attila --sched heteroprio \
        --trace $file.csv --trace $file.rec >/dev/null || bad=1
done
cmp loops.rec.csv loops.csv.csv && cmp loops.rec.rec loops.csv.rec || bad=1
[ "$(sed 1d loops.rec.csv | cut -d, -f2,16 | tr '\n' ' ')" = \
    'a,3 5 2 b,1048575 c, ' ] || { cat loops.rec.csv; bad=1; }
[ "$(grep -c '^Iteration: 3 5 2$' loops.csv.rec)" = 1 ] || bad=1

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
