#!/bin/sh
# Runs of graphs of others, and their known figures: without overheads the work
# on one core, the critical path on many; a native sparse QR, whose measured
# mapping and order is replayed. They are not part of this source tree:
# $ORRERY_SHARED, or shared/ beside it.
set -u
. "$abs_top_srcdir/tests/shell/drawn.sh"
orrery=$abs_top_builddir/orrery
shared=${ORRERY_SHARED:-$abs_top_srcdir/../shared}
[ -d "$shared/seed-data" ] || {
    echo "no graphs of others in $shared"
    exit 77
}
bad=0

makespan() { # cores, policy, file, options
    cores=$1 sched=$2 file=$3
    shift 3
    "$orrery" run "$shared/$file" --platform attila --gpus 0 --cpus "$cores" \
        --sched "$sched" --format json "$@" |
        sed -n 's/^  "makespan_s": \([0-9.]*\),$/\1/p'
}

expect() { # seconds with 3 digits, cores, policy, file
    wanted=$1
    shift
    found=$(printf '%.3f' "$(makespan "$@" --model overheads=off)")
    [ "$found" = "$wanted" ] || { echo "$*: $found, not $wanted"; bad=1; }
}

wf=seed-data/wfcommons
for figures in 'helloworld-chain-5-chameleon 501.240 501.240' \
    'helloworld-forkjoin-10-chameleon 1028.704 307.360' \
    'srasearch-chameleon-10a-001 6996.779 1005.858' \
    '1000genome-chameleon-2ch-100k-001 2771.295 204.686' \
    'blast-chameleon-small-001 382.913 10.413'; do
    # shellcheck disable=SC2086 # three words
    set -- $figures
    expect "$2" 1 eager $wf/"$1".json
    expect "$3" 100 eager $wf/"$1".json
done

# The sum of busy times, tasks of each kernel: graphs.sh. Native: 13.339121 s.
qr=native/starvz/qr_tf16_native/tasks.csv
expect_us() { # seconds with 6 digits, then as for expect
    wanted=$1
    shift
    found=$(printf '%.6f' "$(makespan "$@" --model overheads=off)")
    [ "$found" = "$wanted" ] || { echo "$*: $found, not $wanted"; bad=1; }
}
expect_us 13.318780 10 "fixed:$shared/$qr" $qr
expect_us 7.503892 1000 eager $qr
# What StarVZ wrote, by ranks: without the task "analysis", which ran before
# all others, while the application waited; a graph does not know that.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
raw=native/starvz/qr_tf16_native
gzip -dc "$shared/$raw/rec.tasks.csv.gz" | grep -v '^analysis,' \
    >"$folder/rec.tasks.csv"
cp "$shared/$raw/rec.data_handles.csv.gz" "$folder"
found=$(cd "$folder" && "$orrery" run rec.tasks.csv --platform attila \
    --gpus 0 --cpus 10 --sched fixed:rec.tasks.csv --model overheads=off \
    --format json | sed -n 's/^  "makespan_s": \([0-9.]*\),$/\1/p')
[ "$(printf '%.6f' "$found")" = 13.318780 ] || {
    echo "rec.tasks.csv: $found, not 13.318780"
    bad=1
}
# With it: 2.369146 s more, on worker 1, after which the others wait.
expect_us 15.687926 10 "fixed:$shared/$raw/rec.tasks.csv.gz" \
    $raw/rec.tasks.csv.gz
found=$(makespan 10 lws $qr)
awk -v found="$found" 'BEGIN {
    exit !(found > 0.97 * 13.339121 && found < 1.03 * 13.339121) }' || {
    echo "QR under lws: $found"
    bad=1
}
number=0
for sched in darts dm dmda dmdap dmdar dmdas dmdasd eager heteroprio lws \
    modular-heft modular-heft2 prio random ws; do
    number=$((number + 1))
    drawn $number 3 || continue
    found=$(makespan 10 $sched $qr --model overheads=off)
    awk -v found="$found" 'BEGIN { exit !(found >= 12.016899) }' || {
        echo "QR under $sched: $found"
        bad=1
    }
done
exit $bad
