#!/bin/sh
# What `orrery sched new` and `orrery app new` write compiles, and passes the
# test that comes with it, in every style; and the test fails once the plug-in is
# broken.
set -u
command -v pkg-config >/dev/null || { echo "no pkg-config here"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
: "${ORRERY:=$abs_top_builddir/orrery}"
bad=0
# The Makefile finds the program that wrote it, and its headers.
unset PKG_CONFIG_PATH
unset MAKEFLAGS MAKELEVEL MFLAGS
cd "$folder" || exit 1

complain() {
    echo "FAIL: $*"
    bad=1
}

check() { # folder
    make -C "$1" check CC="$CC" \
        CFLAGS='-O1 -Wall -Wextra -Wshadow -Werror' >log 2>&1
}

try() { # sched or app, name, options
    what=$1
    shift
    "$ORRERY" "$what" new "$@" >written || complain "$what new $*: status $?"
    find "$1" -type f | sort >there
    sed -n '/\//p' written | sed '/^To /d' | sort | diff - there ||
        complain "$what new $*: other files"
    grep -rnE 'skeleton|@' "$1" | grep -v '\$@' &&
        complain "$what new $*: a placeholder is left"
    grep -q SPDX "$1/$1.c" && complain "$what new $*: whose licence?"
    check "$1" || complain "$what new $*: $(cat log)"
    grep -qx "PASS: $1" log || complain "$what new $*: $(cat log)"
}

is_called() { # member, name, then the arguments of run
    member=$1
    name=$2
    shift 2
    "$ORRERY" run "$@" --format json | grep -qF "\"$member\": \"$name\"" ||
        complain "it is not called $name"
}

refuses() { # status, message, sched or app, other arguments
    expected=$1
    message=$2
    what=$3
    shift 3
    "$ORRERY" "$what" new "$@" >stdout 2>stderr
    status=$?
    [ $status -eq "$expected" ] || complain "$what new $*: status $status"
    [ "$(cat stderr)" = "orrery $what new: $message" ] ||
        complain "$what new $*: $(cat stderr)"
    [ ! -s stdout ] || complain "$what new $*: $(cat stdout)"
}

try sched mine
is_called sched mine lu --tiles 3 --sched mine/mine.so
try sched my-own-2 --concurrent
is_called sched my-own-2 lu --tiles 3 --sched my-own-2/my-own-2.so
[ ! -e "$abs_top_builddir/liborrery-starpu.so" ] || {
    try sched for-starpu --starpu
    is_called sched for-starpu lu --tiles 3 --sched starpu:for-starpu/for-starpu.so
    grep -q 'for_starpu_policy = {' for-starpu/for-starpu.c || complain "no name in C"
    make -C for-starpu -n races | grep -q -e '--sched starpu:./for-starpu-races.so' ||
        complain "no rule for races of StarPU's interface"
}
try app wave-2
is_called app wave-2 wave-2/wave-2.so --blocks 3 --steps 2
grep -q 'orr_app_wave_2' wave-2/wave-2.c || complain "no name in C"
make -C my-own-2 -n races >log 2>&1 || complain "no rule for races: $(cat log)"
for name in mine wave-2; do
    ! grep -q races $name/Makefile || complain "$name: races of one thread"
done
grep -q '\.concurrent = true' my-own-2/my-own-2.c || complain "not concurrent"
grep -q 'orr_policy_my_own_2' my-own-2/my-own-2.c || complain "no name in C"

# Its own kernel keeps its name in the trace; fixed: repeats what that tells.
"$ORRERY" run wave-2/wave-2.so --trace wave.rec >wanted ||
    complain "no trace of wave-2"
grep -qx 'Model: update' wave.rec || complain "no kernel 'update': $(cat wave.rec)"
for app in wave-2/wave-2.so 'wave.rec --where update=gpu'; do
    # shellcheck disable=SC2086 # words
    "$ORRERY" run $app --sched fixed:wave.rec >again ||
        complain "the trace is not that of $app"
    [ "$(grep '^makespan' again)" = "$(grep '^makespan' wanted)" ] ||
        complain "$app takes another time: $(cat wanted again)"
done

# Its test notices a policy that forgets to wake.
sed -i 's/^ *orr_sched_wake.*//' my-own-2/my-own-2.c
check my-own-2 && complain "a policy that wakes nobody passes"
grep -q '^FAIL: ' log || complain "no test has failed: $(cat log)"

# That of an application notices one that forgets tasks.
sed -i 's/step < steps/step + 1 < steps/' wave-2/wave-2.c
check wave-2 && complain "an application that forgets a step passes"
grep -q '^FAIL: not 7 x 3 tasks' log || complain "no test has failed: $(cat log)"

refuses 1 'mine: File exists' sched mine
refuses 1 'mine: File exists' app mine

# Where nothing can be written, nothing is left.
(ulimit -f 0 && trap '' XFSZ && "$ORRERY" sched new lost 2>/dev/null) &&
    complain "written where nothing can be"
[ ! -e lost ] || complain "half of it was left: $(ls lost)"

refuses 2 "a policy called 'dmda' is built in" sched dmda
refuses 2 "an application called 'lu' is built in" app lu
refuses 2 "'A' is not a valid name of an application: expected a letter a-z, \
then letters, digits and dashes, at most 64 in all" app A
for name in Mine 2 -- a_b ../up a.b; do
    [ "$name" = -- ] && name=''
    refuses 2 "'$name' is not a valid name of a policy: expected a letter a-z, then \
letters, digits and dashes, at most 64 in all" sched "$name"
done
exit $bad
