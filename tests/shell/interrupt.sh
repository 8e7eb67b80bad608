#!/bin/sh
# A campaign that is stopped reports what is complete, and ends by the signal.
set -u
: "${abs_top_builddir:=$PWD}"
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# Starts orrery for a million replicas, and stops it after so many seconds.
campaign() { # seconds
    "$abs_top_builddir/orrery" compare cholesky --tiles 3 --sched dmda,dmdas \
        --perturb 0.1 --replicas 1000000 --format json \
        >"$folder/json" 2>"$folder/messages" &
    sleep "$1"
    kill -TERM $!
    wait $!
}

# On a slow or busy machine nothing may be complete at first.
for seconds in 0.3 1 3 25; do
    campaign $seconds
    status=$?
    ! grep -q '"verdict": "' "$folder/json" || break
done 2>/dev/null

bad=0
complain() {
    echo "$*"
    head -n 100 "$folder/json" "$folder/messages"
    bad=1
}

[ $status -eq 143 ] || complain "=> $status, not that of SIGTERM"
grep -q '^orrery compare: stopped at size 2880, with [1-9][0-9]* of 1000000 replicas complete$' \
    "$folder/messages" || complain "it is not said how far it got"
[ "$(tail -n 1 "$folder/json")" = '}' ] || complain "the report is not complete"
grep -q '"verdict": "' "$folder/json" || complain "no verdict"
counts=$(sed -n 's/.*"n": \([0-9]*\)$/\1/p' "$folder/json" | sort -u)
grep -q "with $counts of" "$folder/messages" ||
    complain "the report has other replicas than the message: $counts"

# So does an ablation. The last model has no complete run, or few.
for seconds in 0.3 1 3 25; do
    "$abs_top_builddir/orrery" ablate cholesky --tiles 3 --perturb 0.1 \
        --replicas 1000000 >"$folder/text" 2>"$folder/messages" &
    sleep $seconds
    kill -TERM $!
    wait $!
    status=$?
    ! [ -s "$folder/text" ] || break
done 2>/dev/null
[ $status -eq 143 ] || complain "ablate: $status, not that of SIGTERM"
grep -qE '^orrery ablate: stopped at size 2880, with [1-9][0-9]* of [0-9]+000000 runs complete$' \
    "$folder/messages" || complain "ablate: it is not said how far it got"
exit $bad
