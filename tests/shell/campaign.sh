#!/bin/sh
# A campaign has the same results in one thread, in several, and in shards that
# are merged.
set -u
: "${abs_top_builddir:=$PWD}"
orrery=$abs_top_builddir/orrery
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bad=0

complain() {
    echo "FAIL: $*"
    [ ! -s messages ] || head -n 20 messages
    bad=1
}

# The campaign, into a file: SEEDS seeds of two policies.
sweep() { # FILE.db, option...
    "$orrery" sweep cholesky --tiles 10 --perturb 0.1 --vary sched=dmda,dmdas \
        --vary "seed=1:${SEEDS:-20}" --output "$@"
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
exit $bad
