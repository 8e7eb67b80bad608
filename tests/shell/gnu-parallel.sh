#!/bin/sh
# What --emit parallel prints, GNU parallel does; killed, it goes on, and the
# results are those of a serial campaign.
set -u
: "${abs_top_builddir:=$PWD}"
parallel --version 2>/dev/null | grep -q '^GNU parallel' ||
    { echo "no GNU parallel here"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
HOME=$folder
PATH=$abs_top_builddir:$PATH
export HOME PATH
bad=0

complain() {
    echo "FAIL: $*"
    cat messages
    bad=1
}

# Whether a process runs in this folder, besides this script and what it starts
# here: the job of a parallel that was killed, or the shell that is about to be it.
job_runs() {
    for cwd in $(find /proc/[0-9]*/cwd -prune -lname "$(pwd -P)" 2>/dev/null); do
        process=${cwd%/cwd}
        [ "$process" != "/proc/$$" ] || continue
        parent=$(sed -n 's/^PPid:[[:space:]]*//p' "$process/status" 2>/dev/null)
        [ -n "$parent" ] && [ "$parent" != $$ ] &&
            ! grep -q '^find$' "$process/comm" 2>/dev/null && return 0
    done
    return 1
}

seeds=400
# shellcheck disable=SC2154 # automake sets it
[ -z "$sanitizers" ] || seeds=40
campaign="cholesky --tiles 10 --perturb 0.1 --vary sched=dmda,dmdas --vary seed=1:$seeds"
# shellcheck disable=SC2086 # several words
orrery sweep $campaign --output serial.db >out 2>messages || complain "no campaign"
# shellcheck disable=SC2086
orrery sweep $campaign --output all.db --emit parallel --shards 5 >line.sh ||
    complain "no line"
# One job at a time, so that the kill finds some done and some not.
sed 's/^parallel /exec parallel --jobs 1 /' line.sh >first.sh
sh first.sh >out 2>messages &
tries=0
until grep -qs '/5$' all.db.joblog || [ $tries -ge 2000 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
kill -KILL $!
wait $! 2>/dev/null
# The job that it left ends.
tries=0
while job_runs && [ $tries -lt 2000 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
sh line.sh >out 2>messages || complain "it does not go on"
grep -q "all.db: $((2 * seeds)) of $((2 * seeds)) runs, 0 failed" out || complain "$(cat out)"
# A shard that was done is not begun again.
[ "$(grep -c '/5$' all.db.joblog)" -eq 5 ] || complain "$(cat all.db.joblog)"
orrery results serial.db --format csv >serial.csv
orrery results all.db --format csv >all.csv
cmp serial.csv all.csv || complain "other results"
exit $bad
