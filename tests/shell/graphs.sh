#!/bin/sh
# Task graphs of others, with their known figures: tasks, work and critical path.
# They are not part of this source tree: $ORRERY_SHARED, or shared/ beside it.
set -u
orrery=$abs_top_builddir/orrery
shared=${ORRERY_SHARED:-$abs_top_srcdir/../shared}
[ -d "$shared/seed-data" ] || {
    echo "no graphs of others in $shared"
    exit 77
}
bad=0

# The value of a member of the facts of a graph.
value() { # member
    printf '%s\n' "$facts" | sed -n "s/^  \"$1\": \(.*[^,]\),*\$/\1/p"
}

expect() { # file, tasks, work and critical path in s, options
    file=$1 tasks=$2 work=$3 path=$4
    shift 4
    facts=$("$orrery" graph show "$shared/$file" --format json "$@") || bad=1
    found=$(printf '%s %.3f %.3f' "$(value tasks)" "$(value work_s)" \
        "$(value critical_path_s)")
    [ "$found" = "$tasks $work $path" ] || {
        echo "$file: $found, not $tasks $work $path"
        bad=1
    }
}

wf=seed-data/wfcommons
expect $wf/helloworld-chain-5-chameleon.json 5 501.240 501.240
expect $wf/helloworld-forkjoin-10-chameleon.json 10 1028.704 307.360
expect $wf/srasearch-chameleon-10a-001.json 22 6996.779 1005.858
expect $wf/1000genome-chameleon-2ch-100k-001.json 52 2771.295 204.686
expect $wf/blast-chameleon-small-001.json 43 382.913 10.413

# A sparse QR that StarPU ran natively: the busy times of its 10 workers, and
# the longest path. The first file has the task "analysis" (2369.146 ms) beside.
qr=native/starvz/qr_tf16_native
expect $qr/rec.tasks.csv.gz 4839 122.538 7.504
expect $qr/tasks.csv 4838 120.169 7.504
found=$(printf '%.6f %.6f' "$(value work_s)" "$(value critical_path_s)")
[ "$found" = "120.168993 7.503892" ] || { echo "sparse QR: $found"; bad=1; }
"$orrery" graph show "$shared/$qr/tasks.csv" --format csv | awk -F , '
    $1 ~ /kernel$/ { name = $2 }
    $1 ~ /^kernels.*tasks$/ { print name, $2 }' | sort >"${TMPDIR:-/tmp}/kernels.$$"
diff - "${TMPDIR:-/tmp}/kernels.$$" <<'TEXT' || bad=1
block_copy 903
clean_block 1196
clean_front 102
do_subtree 58
init_block 766
init_front 44
lapack_gemqrt 492
lapack_geqrt 105
lapack_tpmqrt 1003
lapack_tpqrt 169
TEXT
rm -f "${TMPDIR:-/tmp}/kernels.$$"
expect native/starvz/lu_2nodes_simulated/rec.tasks.csv.gz 268 10.624 0.759

# A trace that begins after the 144 tiles of a matrix were made.
found=$("$orrery" graph check "$shared/native/idcin-2/dmda-1.tasks.rec")
case $found in
*"; 144 tasks on which others depend were not recorded") ;;
*) echo "dmda-1.tasks.rec: $found"; bad=1 ;;
esac

# What must be refused, and what must not.
refused() { # file, what the message ends with
    message=$("$orrery" graph check "$shared/$1" 2>&1 >/dev/null) && {
        echo "$1: accepted"
        bad=1
    }
    case $message in *"$2") return ;; esac
    echo "$message"
    bad=1
}
dag=seed-data/simgrid/dag
refused $dag/dag-from-dot/dag_with_cycle.dot \
    "a cycle of tasks: '1' -> '2' -> '3' -> '4' -> '5' -> '6' -> '1'"
refused $dag/dag-from-dax/simple_dax_with_cycle.xml \
    "a cycle of tasks: '3' -> '1' -> '3'"
for file in $dag/dag-from-dot/dag.dot $dag/dag-from-dot-simple/dag.dot \
    $dag/dag-from-dax/smalldax.xml $dag/dag-from-dax-simple/dag.xml \
    $dag/dag-scheduling/Montage_25.xml seed-data/estee/graph.dax \
    $dag/dag-from-json-simple/dag.json \
    seed-data/dslab/daggen-100-0.25-0.9-0.3-2.dot \
    seed-data/dslab/inspiral-100.xml; do
    "$orrery" graph check "$shared/$file" --runtime-is flops >/dev/null || bad=1
done
exit $bad
