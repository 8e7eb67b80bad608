#!/bin/sh
# On a terminal, long commands show how far they are. Each is stopped as soon as
# the line is there; it would take minutes.
set -u
: "${abs_top_builddir:=$PWD}"
command -v script >/dev/null || { echo "SKIP: progress: no script(1)"; exit 77; }
script -qc true /dev/null >/dev/null 2>&1 </dev/null || {
    echo "SKIP: progress: no pseudo-terminal can be had (is /dev/pts mounted?)"
    exit 77
}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bad=0

shows() { # pattern, arguments of orrery
    pattern=$1
    shift
    : >typescript
    echo "exec '$abs_top_builddir/orrery' $*" >command
    script -qfec "sh ./command" typescript >/dev/null 2>&1 </dev/null &
    tries=0
    until grep -qE "$pattern" typescript; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || break
        kill -0 $! 2>/dev/null || break
        sleep 0.1
    done
    grep -qE "$pattern" typescript || {
        echo "FAIL: orrery $* does not show '$pattern':"
        tail -c 300 typescript
        bad=1
    }
    kill $! 2>/dev/null
    wait $! 2>/dev/null
}

left='([0-9]+ h )?([0-9]+ min)?( ?[0-9]+ s)? left'
shows "[0-9]+ of [0-9]+ tasks, [0-9]+ tasks/s, $left" \
    run cholesky --tiles 600 --window 1000 --cpus 0 --sched dmda
shows "[0-9]+ of 2000000 runs and bounds, $left|runs and bounds, $left" \
    compare cholesky --tiles 4 --sched dmda,eager --perturb 0.1 --replicas 900000
shows "[0-9]+ of [0-9]+ runs simulated, $left" \
    ablate cholesky --tiles 3 --perturb 0.1 --replicas 900000
shows "[0-9]+ of 90000000 schedules, 0 did not finish, $left" \
    explore cholesky --tiles 4 --cpus 1 --gpus 1 --sched eager \
    --strategy random --budget 90000000

# Not in a log.
"$abs_top_builddir/orrery" run cholesky --tiles 110 --cpus 0 >/dev/null 2>log
[ ! -s log ] || { echo "FAIL: a log has a progress line: $(cat log)"; bad=1; }
exit $bad
