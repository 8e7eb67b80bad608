#!/bin/sh
# Policies of the zoo with a correct version each (-DFIXED): `orrery explore
# --matrix` finds the mistake within 2,000 schedules, as what it is; and finds
# nothing in the correct one. Every fifth policy, with one seed of three, which
# test_seed chooses; at full length (test_length) and for the table, all policies
# with each seed.
#
# Usage: zoo-matrix.sh [--table]
#   --table   print what was found, after how many schedules with each seed
set -u
command -v pkg-config >/dev/null || { echo "no pkg-config here"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
source=$abs_top_srcdir/tests/zoo
orrery=$abs_top_builddir/orrery
table=${1-}
seeds=$((${test_seed:-0} % 3 + 1))
every=5
number=$((${test_seed:-0} / 3))
right=200 # schedules of a correct one
# shellcheck disable=SC2154 # automake sets it
[ -z "$sanitizers" ] || right=50
if [ "${test_length:-short}" = full ] || [ -n "$table" ]; then
    seeds='1 2 3'
    every=1
    right=500
fi
bad=0
policy=
PKG_CONFIG_PATH=$abs_top_builddir/runtime${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PKG_CONFIG_PATH
cflags=$(pkg-config --cflags orrery)
cd "$folder" || exit 1
cp "$abs_top_srcdir/platforms/attila.xml" . || exit 1

complain() {
    echo "FAIL: $*"
    bad=1
}

# As the Makefile of `orrery sched new` does: @races tells of accesses to memory.
compile() { # policy, file, races or -, more arguments
    from=$source/$1.c
    to=$2
    tells=
    [ "$3" != races ] || tells=-fsanitize=thread
    shift 3
    # shellcheck disable=SC2086 # a list of words
    $CC -g -Wall -Wextra -Werror -O1 -fPIC $tells "$@" -c -o "$to.o" "$from" \
        $cflags && $CC -shared -o "$to.so" "$to.o" || exit 1
}

explore() { # file, seed, schedules, more arguments
    file=$1
    seed=$2
    budget=$3
    shift 3
    "$orrery" explore cholesky --matrix --budget "$budget" --platform ./attila.xml \
        --sched "./$file.so" --seed "$seed" --ci found "$@" >out 2>err
}

found() { # what was found: the kind
    sed -n 's/.*<failure type="\([a-z-]*\)".*/\1/p' found.xml | head -n 1
}

hunt() { # policy, kinds, races or -, more arguments of explore
    number=$((number + 1))
    [ $((number % every)) -eq 0 ] || return 0
    policy=$1
    kinds=$2
    counts=
    compile "$policy" wrong "$3"
    compile "$policy" right "$3" -DFIXED
    shift 3
    for seed in $seeds; do
        explore wrong "$seed" 2000 "$@"
        status=$?
        [ $status -ne 0 ] || complain "$policy: nothing found with seed $seed"
        kind=$(found)
        case " $kinds " in
        *" $kind "*) ;;
        *) complain "$policy: found $kind, not $kinds: $(cat err)" ;;
        esac
        counts="$counts $(sed -n 's/^\([0-9]*\) schedules of .*/\1/p' out)"
    done
    explore right 0 $right "$@" || complain "$policy: the correct one: $(tail -n 5 out err)"
    grep -q '^pct d  *a given hang' out && grep -q '^ *1  *[yn][eo]' out ||
        complain "$policy: nothing is said of what was not tried: $(cat out)"
    # Few schedules do not operate in both orders.
    [ $right -lt 200 ] || ! grep -q 'concurrent = true' "$source/$policy.c" ||
        grep -q '"seen" : [1-9]' found.json || complain "$policy: no pairs of operations"
    # shellcheck disable=SC2086 # a list of words
    [ "$table" != --table ] ||
        printf '%-16s %-18s %5s %5s %5s\n' "$policy" "$kind" $counts
}

hunt wake-first lost-wakeup -
hunt sleeper-count lost-wakeup -
hunt stale-size never-offered -
hunt batch-count never-offered -
hunt stale-epoch never-offered -
if [ "$policy" = stale-epoch ]; then
    explore wrong 0 2000 # four tasks have to end between place and push
    [ $? -eq 3 ] || complain "stale-epoch: nothing found with seed 0"
fi
hunt negative-count check -
hunt peek-then-take given-twice -
hunt fast-path wrong-worker -
hunt global-turn not-deterministic -
hunt unlocked-count data-race races
hunt aba-stack 'given-twice never-offered data-race' races --gpus 0
hunt inverted priority - --check-priorities
hunt one-waker 'starvation lost-wakeup' - --max-wait 5ms

exit $bad
