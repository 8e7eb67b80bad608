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
exit $bad
