#!/bin/sh
# The zoo: policies and runtimes with a mistake that reports of real hangs are
# about (tests/zoo/*.c tell which). Each is found by `orrery explore` within so
# many schedules, as the kind of hang that it is, comes back from its token to
# the byte, twice, and shrinks to a run that hangs alike. test_seed chooses a third of
# them, and one of three seeds; at full length (test_length) and for the table, all.
#
# Usage: zoo.sh [--table]
#   --table   print what was found, by which strategy, in how many schedules,
#             and what was left after shrinking
set -u
. "$abs_top_srcdir/tests/shell/drawn.sh"
command -v pkg-config >/dev/null || { echo "no pkg-config here"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
zoo=$abs_top_builddir/tests/zoo
source=$abs_top_srcdir/tests/zoo
table=${1-}
bad=0
number=0
tried=0
found=0
[ "$table" != --table ] || test_length=full
seeds=$((${test_seed:-0} % 3 + 1))
[ "${test_length:-short}" != full ] || seeds='1 2 3'
PKG_CONFIG_PATH=$abs_top_builddir/runtime${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PKG_CONFIG_PATH
cd "$folder" || exit 1
cp "$source/zoo.xml" . || exit 1
cp "$abs_top_srcdir/platforms/attila.xml" \
    "$abs_top_srcdir/platforms/dgx-h100.xml" . || exit 1

complain() {
    echo "FAIL: $*"
    bad=1
}

compile() { # policy
    # shellcheck disable=SC2046 # a list of words
    $CC -Wall -Wextra -Werror -O1 -fPIC -shared -o "$1.so" "$source/$1.c" \
        $(pkg-config --cflags orrery) || exit 1
}

member() { # name, file: the last one of that name
    sed -n 's/^ *"'"$1"'": "*\([^",]*\)"*,*$/\1/p' "$2" | tail -n 1
}

kind_of() { # file: the first kind
    sed -n 's/^ *"kind": "\(.*\)",$/\1/p' "$1" | head -n 1
}

# Replays the token into FILE.csv and its kin.
replay() { # program, status, file
    # shellcheck disable=SC2086 # several options
    "$1" replay @token $files --format json --trace "$3.csv" >"$3.json" 2>"$3.err"
    [ $? -eq "$2" ] || complain "$name: replay ends otherwise"
    grep -v simulation_wall_s "$3.json" >"$3.facts"
}

# The hang is in hang.json; the status was that of explore.
check_replay() { # program, status
    member token hang.json >token
    files=$(member replay_options hang.json)
    replay "$1" "$2" once
    replay "$1" "$2" again
    cmp once.facts again.facts && cmp once.err again.err ||
        complain "$name: two replays differ"
    [ "$(kind_of once.json)" = "$(kind_of hang.json)" ] ||
        complain "$name: the replay is another hang"
}

check_shrink() { # program, kind, tasks
    # shellcheck disable=SC2086 # several options
    "$1" shrink @token $files --format json >small.json 2>small.err ||
        complain "$name: shrink: $(cat small.err)"
    [ "$(kind_of small.json)" = "$2" ] ||
        complain "$name: shrinks to another kind"
    tasks=$(member tasks small.json)
    [ "$tasks" -le "$3" ] || complain "$name: $tasks tasks are left"
    [ "$(grep -c '"what": "..*"' small.json)" = "$(member decisions small.json)" ] ||
        complain "$name: some decisions are not told"
}

# Fails unless @name is found by the program within so many schedules, with other
# seeds too, and shrinks to so many tasks.
hunt() { # name, program, kind, schedules, tasks, then arguments of explore
    name=$1
    program=$2
    kind=$3
    most=$4
    left=$5
    shift 5
    "$program" explore "$@" --strategy portfolio --budget 2000 --format json \
        >hang.json 2>explore.err
    status=$?
    case $kind in
    eviction-ping-pong | spinning) expected=4 ;;
    *) expected=3 ;;
    esac
    [ $status -eq $expected ] || {
        complain "$name: status $status: $(cat explore.err)"
        return
    }
    schedule=$(member schedule_number hang.json)
    [ "$(kind_of hang.json)" = "$kind" ] ||
        complain "$name: is $(kind_of hang.json), not $kind"
    [ "$schedule" -le "$most" ] || complain "$name: only in schedule $schedule"
    for seed in $seeds; do
        [ "$schedule" -gt 1 ] || break # of all seeds, it is the default one
        "$program" explore "$@" --seed $seed --budget "$most" >seed.out 2>&1
        [ $? -eq $expected ] || complain "$name: not found with seed $seed"
    done
    check_replay "$program" $status
    check_shrink "$program" "$kind" "$left"
    found=$((found + 1))
    [ "$table" != --table ] ||
        printf '%-16s %-18s %-8s %4s  %s tiles, %s tasks, %s+%s, %s decisions\n' \
            "$name" "$kind" "$(member strategy hang.json)" "$schedule" \
            "$(member tiles small.json)" "$tasks" \
            "$(member cpus small.json)" "$(member gpus small.json)" \
            "$(member decisions small.json)"
}

# Whether the next mistake is tried.
turn() {
    number=$((number + 1))
    sampled $number 3 && tried=$((tried + 1))
}

policy() { # name, kind, schedules, tasks, then arguments
    turn || return 0
    compile "$1"
    policy=$1
    shift
    hunt "$policy" "$abs_top_builddir/orrery" "$@" --sched "./$policy.so" \
        --platform ./attila.xml
}

runtime() { # name, kind, schedules, tasks, then arguments
    turn || return 0
    runtime=$1
    shift
    hunt "$runtime" "$zoo/orrery-$runtime" "$@"
}

application() { # name, kind, schedules, tasks, then arguments
    turn || return 0
    application=$1
    shift
    hunt "$application" "$zoo/orrery-tags" "$@" --platform ./zoo.xml
}

policy lost-wakeup lost-wakeup 100 12 cholesky --tiles 6 --cpus 1 --gpus 1 \
    --where potrf=cpu --window 1
policy lock-order lock-cycle 100 12 cholesky --tiles 6 --cpus 2 --gpus 2
policy nobody-polls never-offered 1000 12 cholesky --tiles 6 --cpus 2 --gpus 1
policy wake-one tasks-held 1000 12 cholesky --tiles 6 --cpus 2 --gpus 2 \
    --where potrf=cpu
policy steal-drops never-offered 100 12 cholesky --tiles 6 --cpus 2 --gpus 2
policy warm-up never-offered 1000 4 cholesky --tiles 3 --cpus 2 --gpus 2
policy no-such-class never-offered 1000 1 cholesky --tiles 6 --cpus 0

runtime commute-held commute-held 100 12 sum --platform ./zoo.xml --tiles 6 \
    --cpus 4 --gpus 0 --sched prio --model overheads=off
runtime ping-pong eviction-ping-pong 200 12 cholesky --tiles 12 --gpus 1 \
    --gpu-memory 32MiB --platform ./attila.xml
runtime pinned-prefetch memory 1000 12 cholesky --tiles 6 --gpus 1 \
    --gpu-memory 32MiB --platform ./attila.xml
runtime re-enqueue spinning 1000 12 cholesky --tiles 4 --window 5 --cpus 0 \
    --gpus 2 --tile 1440 --gpu-memory 32MiB --platform ./dgx-h100.xml
# Elsewhere, the prefetch at the push ends in time to wake the CPU.
runtime sticky-flag tasks-held 1 12 cholesky --tiles 6 --cpus 1 --gpus 1 \
    --where potrf=cpu --sched heteroprio --platform ./attila.xml

application absent never-submitted 1 4 absent --tiles 3
application cycle dependency-cycle 1 4 cycle --tiles 3
application window window 1 12 window --tiles 6 --window 4

[ $tried -ge 5 ] && [ $found -eq $tried ] || complain "$found of $tried are found"
exit $bad
