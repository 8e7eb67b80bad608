#!/bin/sh
# A campaign that is killed, interrupted, or stopped by a full disk goes on where
# it was, and ends with the very results of one that was not disturbed; so does
# one in threads, and one in shards that are merged. It is killed at random
# moments KILLS times, twice by default; tests/bench/kills.sh does it 200 times, in
# a longer campaign of LONG seeds.
set -u
: "${abs_top_builddir:=$PWD}"
orrery=$abs_top_builddir/orrery
folder=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bad=0

complain() {
    echo "FAIL: $*"
    [ ! -s messages ] || head -n 20 messages
    bad=1
}

# The campaign, into a file: SEEDS replicas of two policies.
campaign='sweep cholesky --tiles 10 --perturb 0.1 --vary sched=dmda,dmdas'
sweep() { # FILE.db, option...
    # shellcheck disable=SC2086 # several words
    "$orrery" $campaign --vary "seed=1:${SEEDS:-20}" --output "$@"
}

# Whether FILE.db has the results of an undisturbed campaign.
same() { # what, FILE.db, file with the results
    "$orrery" results "$2" --format csv >out.csv 2>messages ||
        complain "$1: no results"
    cmp -s out.csv "$3" || complain "$1: the results differ"
}

# Serial, in threads, and in shards.
sweep serial.db --threads 1 >out 2>messages || complain "the campaign fails"
[ "$(cat out)" = 'serial.db: 40 of 40 runs, 0 failed' ] || complain "$(cat out)"
"$orrery" results serial.db --format csv >serial.csv || complain "no results"
[ "$(wc -l <serial.csv)" -eq 41 ] || complain "not a line for each run"
sweep threads.db --threads 2 >out 2>messages || complain "no two threads"
same "two threads" threads.db serial.csv
for i in 0 1 2 3 4 5 6 7; do
    sweep parts.db --shard $i/8 >out 2>messages || complain "no shard $i"
done
"$orrery" merge merged.db parts.[0-6]-of-8.db >out 2>messages &&
    complain "nothing is missing without shard 7"
grep -q 'merge: 5 runs are missing: of points 7, 15, 23, 31, 39$' messages ||
    complain "it is not said what is missing"
"$orrery" merge merged.db parts.7-of-8.db >out 2>messages ||
    complain "a second merge fails"
same "shards" merged.db serial.csv
"$orrery" merge merged.db parts.?-of-8.db >out 2>messages || complain "no third"
same "shards, merged twice" merged.db serial.csv
SEEDS=21 sweep other.db --shard 0/8 >out 2>messages
cp merged.db before.db
"$orrery" merge merged.db other.0-of-8.db >out 2>messages &&
    complain "shards of another campaign are merged"
grep -q "another campaign, which differs in 'seed=1:" messages ||
    complain "it is not said what differs"
cmp -s merged.db before.db || complain "a merge that fails changes the file"

# Killed. Rows are put on the disk once a second.
SEEDS=${LONG:-1500}
export SEEDS
sweep whole.db >out 2>messages || complain "the large campaign fails"
"$orrery" results whole.db --format csv >whole.csv
random() { # below
    od -An -N 4 -t u4 /dev/urandom | awk -v below="$1" '{ print $1 % below }'
}
kills=0
while [ $kills -lt "${KILLS:-2}" ]; do
    # shellcheck disable=SC2086 # several words; no shell between
    "$orrery" $campaign --vary "seed=1:$SEEDS" --output killed.db \
        >out 2>messages &
    sleep "$(awk -v part="$(random 1000)" -v most="${MOMENTS:-1}" \
        'BEGIN { print part / 1000 * most }')"
    kill -KILL $! 2>/dev/null && kills=$((kills + 1))
    wait $! 2>/dev/null && {
        same "killed $kills times" killed.db whole.csv
        rm killed.db
    }
    "$orrery" results killed.db --format csv >part.csv 2>/dev/null || continue
    # What is there is of the whole.
    [ "$(comm -23 part.csv whole.csv 2>/dev/null | wc -l)" -eq 0 ] ||
        complain "after a kill, there is what does not belong there"
done 2>/dev/null
sweep killed.db >out 2>messages || complain "after kills, it does not go on"
same "killed" killed.db whole.csv

# Killed in the middle of writing: at its first write, at its second, and so on;
# where strace works.
for n in 1 2 3 4 5 6 8 10; do
    strace -o /dev/null true 2>/dev/null || break
    # shellcheck disable=SC2086 # several words
    strace -f -qq -o /dev/null -e trace=pwrite64 \
        -e inject=pwrite64:signal=KILL:when=$n+ \
        "$orrery" $campaign --vary seed=1:20 --output torn.db >out 2>&1 &&
        complain "it survives write $n"
    SEEDS=20 sweep torn.db >out 2>messages ||
        complain "killed at write $n: it does not go on"
    same "killed at write $n" torn.db serial.csv
    rm -f torn.db*
done

# Interrupted, twice; the second process on the file is refused.
for signal in INT TERM; do
    # A job in the background ignores SIGINT unless told otherwise.
    # shellcheck disable=SC2086 # several words
    env --default-signal=INT "$orrery" $campaign --vary "seed=1:$SEEDS" \
        --output interrupted.db >out 2>messages &
    sleep 0.3
    [ $signal = TERM ] || {
        sweep interrupted.db >out 2>second && complain "two use one file"
        grep -q 'interrupted.db: another process uses it' second || cat second
    }
    kill -$signal $!
    wait $!
    status=$?
    [ $status -eq 0 ] || [ $status -eq 130 ] || [ $status -eq 143 ] ||
        complain "=> $status, not that of SIG$signal"
    [ $status -eq 0 ] ||
        grep -q 'stopped with [0-9]* of [0-9]* runs in interrupted.db' messages ||
        complain "it is not said how far it got"
done 2>/dev/null
sweep interrupted.db >out 2>messages || complain "interrupted: does not go on"
same "interrupted" interrupted.db whole.csv

# No space: what was there stays.
(ulimit -f 16 && SEEDS=300 sweep full.db) >out 2>messages &&
    complain "no error at the limit of files"
grep -qE 'full.db: .*(full|limit)' messages || complain "no reason"
SEEDS=300 sweep full.db >out 2>messages || complain "after that, no way on"
[ "$(cat out)" = 'full.db: 600 of 600 runs, 0 failed' ] || complain "$(cat out)"
exit $bad
