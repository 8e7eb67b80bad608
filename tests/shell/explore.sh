#!/bin/sh
# A policy that hangs now and then: it is found, the same by any number of
# threads, and each kind of report says so.
. "$abs_top_srcdir/tests/shell/plugin_test.sh"

# shellcheck disable=SC2046 # a list of words
$CC -Wall -Wextra -Werror -O1 -fPIC -shared -o hasty.so \
    "$abs_top_srcdir/tests/plugins/hasty.c" \
    $(pkg-config --cflags orrery) || exit 1

explore() { # options; sets status
    "$orrery" explore cholesky --tiles 3 --platform attila --cpus 2 --gpus 2 \
        --sched ./hasty.so --budget 400 "$@"
    status=$?
}

# What does not depend on how fast this machine is.
facts() { # file
    grep -v -e wall_s -e per_s "$1"
}

member() { # name, file
    sed -n 's/^ *"'"$1"'": \(.*[^,]\),*$/\1/p' "$2"
}

"$orrery" run cholesky --tiles 3 --platform attila --cpus 2 --gpus 2 \
    --sched ./hasty.so >run.txt || complain "it hangs by default"

# It stops at the first, whichever thread found another one before.
for threads in 1 2 7; do
    explore --threads $threads --format json >$threads.json
    [ $status -eq 3 ] || complain "$threads threads: status $status"
    facts $threads.json >$threads.facts
    cmp 1.facts $threads.facts || complain "$threads threads find something else"
    explore --threads $threads --all --format json >$threads-all.json
    [ $status -eq 3 ] || complain "$threads threads: status $status with --all"
    facts $threads-all.json >$threads-all.facts
    cmp 1-all.facts $threads-all.facts ||
        complain "$threads threads find something else with --all"
done
number=$(member schedule_number 1.json)
[ "$number" -gt 1 ] || complain "found in schedule $number"
[ "$(member schedules 1.json | head -n 1)" -eq "$number" ] ||
    complain "it did not stop at schedule $number"
[ "$(member schedule_number 1-all.json)" -eq "$number" ] ||
    complain "another one is first with --all"
[ "$(member schedules 1-all.json | head -n 1)" -eq 400 ] ||
    complain "--all does not go on"
[ "$(member kind 1.json)" = '"never-offered"' ] || complain "another kind"
[ "$(member repeats 1.json)" = true ] || complain "it does not repeat"
[ "$(member count 1-all.json)" -gt 1 ] || complain "only one hangs"

# The token of what was found gives it back.
# shellcheck disable=SC2046 # several options
"$orrery" replay "$(member token 1.json | tr -d '"')" \
    $(member replay_options 1.json | tr -d '"') >out 2>messages
[ $? -eq 3 ] && grep -q '(never-offered)$' messages ||
    complain "replay: $(cat messages)"

# So many schedules hang, and so many strategies' schedules are unfinished.
sum=0
for unfinished in $(member unfinished 1-all.json); do
    sum=$((sum + unfinished))
done
[ "$(member count 1-all.json)" -eq $sum ] || complain "counts that disagree"

# Every strategy finds it; other seeds find it elsewhere.
for strategy in random pct starve delay; do
    explore --strategy $strategy >out
    [ $status -eq 3 ] || complain "$strategy does not find it"
    grep -q "^never-offered: schedule [0-9]* ($strategy)$" out ||
        complain "$strategy does not say so"
done
for seed in 1 2 3 4 5 6; do
    explore --strategy random --seed $seed --format json >seed.json
    member schedule_number seed.json
done | sort -u >numbers
[ "$(wc -l <numbers)" -gt 1 ] || complain "all seeds are alike"

# Text and CSV say the same.
explore >out
grep -q "^never-offered: schedule $number " out || complain "text without it"
grep -qF "orrery replay $(member token 1.json | tr -d '"') --sched ./hasty.so" out ||
    complain "text without the token"
# What it suggests to type works as it is.
shrink=$(sed -n 's/^  orrery \(shrink .*\)/\1/p' out)
[ -n "$shrink" ] || complain "text without a command that shrinks"
# shellcheck disable=SC2086
"$orrery" $shrink --budget 20 >shrunk 2>messages ||
    complain "orrery $shrink: $(cat messages)"
explore --format csv >out
grep -qx "hangs.0.schedule_number,$number" out || complain "CSV without it"

# A policy that does what it must not is a finding, too.
ROGUE_WHAT=TWICE
ROGUE_WHERE=POP
export ROGUE_WHAT ROGUE_WHERE
# shellcheck disable=SC2046
$CC -O1 -fPIC -shared -o rogue.so \
    "$abs_top_srcdir/tests/plugins/rogue.c" \
    $(pkg-config --cflags orrery) || exit 1
explore --sched ./rogue.so --all --format json >rogue.json
[ $status -eq 1 ] || complain "a rogue: status $status"
[ "$(member kind rogue.json)" = '"given-twice"' ] || complain "a rogue passes"
[ "$(member count rogue.json)" -eq 400 ] || complain "a rogue passes at times"
grep -q '"message": "policy rogue .*, which .* was given already"' rogue.json ||
    complain "nobody says what the rogue did"

# Stopped, it reports what it has found so far.
for seconds in 1 4 16 64; do # a machine with other work may not have begun
    "$orrery" explore cholesky --tiles 4 --platform attila \
        --budget 1000000000 >out 2>messages &
    sleep $seconds
    kill -TERM $!
    wait $! 2>/dev/null
    [ $? -eq 143 ] || complain "stopped, it does not end by the signal"
    done=$(sed -n 's/^orrery explore: stopped after \([1-9][0-9]*\) schedules$/\1/p' \
        messages)
    [ -z "$done" ] || break
done
grep -q "^$done schedules, " out || complain "stopped, it does not say where"
grep -qx 'No hang was found.' out || complain "stopped, it found something"
exit $bad
