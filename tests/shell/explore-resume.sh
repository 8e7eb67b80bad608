#!/bin/sh
# An exploration that was interrupted, however, goes on with --resume: its
# results are those of one that was not. A file of another exploration is
# refused, and a damaged one does no harm.
. "$abs_top_srcdir/tests/shell/plugin_test.sh"
. "$abs_top_srcdir/tests/shell/drawn.sh"

cp "$abs_top_srcdir/platforms/attila.xml" . || exit 1
for version in '' -DFIXED; do
    # shellcheck disable=SC2046,SC2086 # lists of words
    $CC -Wall -Wextra -Werror -O1 -fPIC -shared $version -o "wake$version.so" \
        "$abs_top_srcdir/tests/zoo/wake-first.c" \
        $(pkg-config --cflags orrery) || exit 1
done

explore() { # options
    "$orrery" explore cholesky --platform ./attila.xml "$@" 2>messages
}

# What does not depend on how long it took.
facts() { # file
    grep -v -e wall_s -e per_s "$1"
}

# A sanitizer makes every schedule slower, by 3 to 10.
# shellcheck disable=SC2154 # automake sets it
if [ -n "$sanitizers" ]; then
    long=120
    cases=40
elif [ "${test_length:-short}" = full ]; then
    long=3000
    cases=800
else
    long=300
    cases=60
fi

# Has @name.state change, then kills the exploration of the other arguments.
interrupt() { # signal, name, options
    signal=$1
    state=$2.state
    shift 2
    before=$(cksum "$state" 2>/dev/null)
    "$orrery" explore cholesky --platform ./attila.xml --resume "$state" "$@" \
        >/dev/null 2>&1 &
    while [ "$(cksum "$state" 2>/dev/null)" = "$before" ]; do
        kill -0 $! 2>/dev/null || break # it has ended
        sleep 0.1
    done
    kill -"$signal" $! 2>/dev/null
    wait $!
}

# The end of an exploration of @name is that of one in a piece.
compare() { # name, options
    name=$1
    shift
    explore --format json "$@" >"$name.json"
    facts "$name.json" >"$name.whole"
    explore --format json --resume "$name.state" "$@" >"$name.json"
    facts "$name.json" | cmp - "$name.whole" || complain "$name: other results"
    explore --format json --resume "$name.state" "$@" >"$name.json"
    facts "$name.json" | cmp - "$name.whole" ||
        complain "$name: other results when nothing is left to do"
}

case_of() { # policy: the options of a case
    echo "--tiles 3 --cpus 2 --gpus 1 --sched ./$1.so"
}

# Killed, now and then.
# shellcheck disable=SC2046 # a list of words
set -- $(case_of wake-DFIXED) --seed 2 --budget $long
for signal in KILL INT KILL; do
    interrupt $signal killed "$@"
done
compare killed "$@"
grep -q '"claim": "with probability' killed.json || complain "no claim"

# With more of a budget each time; several findings.
# shellcheck disable=SC2046 # a list of words
set -- $(case_of wake) --all
for budget in 2 60 101 300 777; do
    explore "$@" --budget $budget --threads 2 --resume grown.state >out ||
        [ $? -eq 3 ] || complain "budget $budget: $(cat messages)"
    grep -q "^$budget schedules" out || complain "budget $budget: $(cat out)"
done
compare grown "$@" --budget 1000
grep -q '"kind": "lost-wakeup"' grown.json || complain "nothing was found"

# Up to the first finding.
# shellcheck disable=SC2046 # a list of words
set -- $(case_of wake)
explore "$@" --budget 5 --resume found.state >/dev/null
compare found "$@"
grep -q 'goes on after [1-9][0-9]* schedules of found.state' messages ||
    complain "it does not say that it goes on: $(cat messages)"

# All schedules of a small case, by the depth-first search alone, which goes on
# from a path of decisions.
set -- --tiles 1 --cpus 2 --gpus 0 --sched ./wake-DFIXED.so --strategy dfs
for budget in 2 20 21; do
    explore "$@" --budget $budget --resume dfs.state >/dev/null ||
        complain "dfs: $(cat messages)"
done
grep -q '^dfs 0 0 1 [1-9]' dfs.state || complain "no path of decisions"
compare dfs "$@" --budget 300
grep -q '"exhausted": true' dfs.json || complain "dfs: not all schedules"

# Cases of a matrix.
set -- --sched ./wake-DFIXED.so --matrix
interrupt KILL matrix "$@" --budget $cases --ci matrix
compare matrix "$@" --budget $cases
compare matrix "$@" --budget $((cases * 3 / 2))

# What belongs to another exploration.
refused() { # pattern, options
    pattern=$1
    shift
    explore --resume found.state "$@" >out
    [ $? -eq 1 ] && grep -q "found.state:[0-9]*: $pattern" messages ||
        complain "$pattern: $(cat messages)"
}

refused "this is an exploration without the option 'seed=1'" --tiles 3 \
    --cpus 2 --gpus 1 --sched ./wake.so --seed 1
refused "this is an exploration with the option 'tiles=3'" --tiles 4 \
    --cpus 2 --gpus 1 --sched ./wake.so
refused "this is an exploration with another --strategy" --tiles 3 \
    --cpus 2 --gpus 1 --sched ./wake.so --strategy pct
refused "'cholesky' is none of the cases" --sched ./wake.so --matrix
cp wake-DFIXED.so other.so
cp wake.so kept.so
cp other.so wake.so
refused "this is an exploration with another content of the file of the policy" \
    --tiles 3 --cpus 2 --gpus 1 --sched ./wake.so
cp kept.so wake.so
cp grown.state found.state
refused "701 schedules have been made, more than --budget" --tiles 3 \
    --cpus 2 --gpus 1 --sched ./wake.so --all --budget 300
sed '1s/.*/orrery-exploration 1 0.0/' grown.state >found.state
refused "'orrery-exploration 1 0.0' is not what this version writes" --tiles 3 \
    --cpus 2 --gpus 1 --sched ./wake.so --all

# Damaged files: an error, or some results, but no crash and no hang.
# shellcheck disable=SC2046 # a list of words
set -- $(case_of wake) --all --budget 101
explore "$@" --resume good.state >/dev/null
lines=$(wc -l <good.state)
place=0
for number in $(seq 5 $((1 + lines / 12)) "$lines"); do
    place=$((place + 1))
    sampled $place 3 || continue
    for change in d q 's/[0-9]\{1,\}$/99999999999/' 's/ [0-9a-f]/ f/g' \
        's/\([a-z]*\).*/\1/' p; do
        sed "$number$change" good.state >bad.state
        timeout 60 "$orrery" explore cholesky --platform ./attila.xml "$@" \
            --resume bad.state >out 2>messages
        status=$?
        [ $status -le 4 ] || complain "line $number, $change: status $status"
        [ $status -ne 1 ] || grep -q 'bad.state:[0-9]*: ' messages ||
            complain "line $number, $change: $(cat messages)"
    done
done
: >bad.state
explore "$@" --resume bad.state >out && complain "an empty file is none"
explore "$@" --resume . >out && complain "a folder is no file"

exit $bad
