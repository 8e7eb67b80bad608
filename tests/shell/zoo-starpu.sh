#!/bin/sh
# The policies of the zoo in StarPU's interface (tests/zoo/starpu/), with a correct
# version each (-DFIXED): `orrery explore --matrix` finds the mistake within 2,000
# schedules, as what it is, and nothing in the correct one; the token repeats it, and
# shrunk it is told with lines of the policy. Every tenth policy, with one seed of four,
# which test_seed chooses; at full length (test_length) and for the table, all policies
# with each seed.
#
# Usage: zoo-starpu.sh [--table]
#   --table   print what was found, after how many schedules with each seed
set -u
. "$abs_top_srcdir/tests/shell/plugin_test.sh"
[ -e "$abs_top_builddir/liborrery-starpu.so" ] ||
    { echo "SKIP: zoo-starpu: no shared library"; exit 77; }
PKG_CONFIG_PATH=$abs_top_builddir/apps/starpu:$PKG_CONFIG_PATH
# What a call has allocated when it is ended is lost: no leak of ours.
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS
source=$abs_top_srcdir/tests/zoo/starpu
table=${1-}
seeds=$((${test_seed:-0} % 4))
every=10
number=$((${test_seed:-0} / 4))
right=200 # schedules of a correct one
if [ "${test_length:-short}" = full ] || [ -n "$table" ]; then
    seeds='0 1 2 3'
    every=1
    right=10000
fi
cflags="-I$abs_top_srcdir $(pkg-config --cflags orrery-starpu-uninstalled)" || exit 1
cp "$abs_top_srcdir/platforms/attila.xml" . || exit 1

compile() { # policy, file, races or -, more arguments
    from=$source/$1.c
    to=$2
    tells=
    [ "$3" != races ] || tells=-fsanitize=thread
    shift 3
    # shellcheck disable=SC2086 # lists of words
    $CC -g -Wall -Wextra -Werror -O1 -fPIC $tells "$@" -c -o "$to.o" "$from" \
        $cflags && $CC -shared -o "$to.so" "$to.o" || exit 1
}

explore() { # file, seed, schedules, more arguments
    file=$1
    seed=$2
    budget=$3
    shift 3
    "$orrery" explore cholesky --matrix --budget "$budget" --platform ./attila.xml \
        --sched "starpu:./$file.so" --seed "$seed" --ci found "$@" >out 2>err
}

found() { # what was found: the kind
    sed -n 's/.*<failure type="\([a-z-]*\)".*/\1/p' found.xml | head -n 1
}

replay() { # file
    "$orrery" replay @token --platform ./attila.xml --sched starpu:./wrong.so \
        >"$1.out" 2>"$1.err" && complain "$policy: the replay ends well"
}

# The first token of what was found repeats it, and is told with lines.
repeat() { # kind
    sed -n 's/^orrery replay \(orr1-[^ ]*\) .*/\1/p' found.xml | head -n 1 >token
    replay once
    replay again
    cmp once.err again.err || complain "$policy: two replays differ"
    "$orrery" shrink @token --platform ./attila.xml --sched starpu:./wrong.so \
        --format json >small.json 2>err || complain "$policy: shrink: $(cat err)"
    grep -q "\"kind\": \"$1\"" small.json ||
        complain "$policy: shrinks to another kind: $(cat small.json)"
    grep -qE "\"step\": .*\(($policy\.c|zoo\.h):[0-9]+\)" small.json || ! has_libdw ||
        complain "$policy: told without lines: $(cat small.json)"
}

has_libdw() {
    grep -q 'HAVE_LIBDW 1' "$abs_top_builddir/config.h"
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
        explore wrong "$seed" 2000 "$@" && complain "$policy: nothing found with seed $seed"
        kind=$(found)
        case " $kinds " in
        *" $kind "*) ;;
        *) complain "$policy: found $kind, not $kinds: $(cat err)" ;;
        esac
        counts="$counts $(sed -n 's/^\([0-9]*\) schedules of .*/\1/p' out)"
    done
    [ "$kind" = not-deterministic ] || repeat "$kind"
    explore right 0 $right "$@" || complain "$policy: the correct one: $(tail -n 5 out err)"
    # shellcheck disable=SC2086 # a list of words
    [ "$table" != --table ] ||
        printf '%-16s %-18s %5s %5s %5s %5s  %s\n' "$policy" "$kind" $counts \
            "$(sed -n 's/^ *"tasks": \([0-9]*\),*$/\1/p' small.json | tail -n 1)"
}

hunt lost-wakeup lost-wakeup -
hunt wake-first lost-wakeup -
hunt sleeper-count lost-wakeup -
hunt lock-order lock-cycle -
hunt nobody-polls never-offered -
hunt wake-one tasks-held -
hunt steal-drops never-offered -
hunt warm-up never-offered -
hunt no-such-class never-offered -
hunt stale-size never-offered -
hunt batch-count never-offered -
hunt stale-epoch never-offered -
hunt negative-count check -
hunt peek-then-take given-twice -
hunt fast-path wrong-worker -
hunt global-turn not-deterministic -
hunt unlocked-count data-race races
hunt unlocked-list data-race races
hunt aba-stack 'given-twice never-offered data-race' races --gpus 0
hunt inverted priority - --check-priorities
hunt one-waker 'starvation lost-wakeup' - --max-wait 5ms

exit $bad
