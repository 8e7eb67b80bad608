#!/bin/sh
# What `orrery sched new` writes compiles, and passes the test that comes with
# it, in both styles; and the test fails once the policy is broken.
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

try() { # name, options
    "$ORRERY" sched new "$@" >written || complain "sched new $*: status $?"
    find "$1" -type f | sort >there
    sed -n '/\//p' written | sed '/^To /d' | sort | diff - there ||
        complain "sched new $*: other files"
    grep -rn skeleton "$1" && complain "sched new $*: a placeholder is left"
    grep -q SPDX "$1/$1.c" && complain "sched new $*: whose licence?"
    check "$1" || complain "sched new $*: $(cat log)"
    grep -qx "PASS: $1" log || complain "sched new $*: $(cat log)"
    "$ORRERY" run lu --tiles 3 --sched "$1/$1.so" --format json |
        grep -qF "\"sched\": \"$1\"" || complain "it is not called $1"
}

refuses() { # status, message, arguments
    expected=$1
    message=$2
    shift 2
    "$ORRERY" sched new "$@" >stdout 2>stderr
    status=$?
    [ $status -eq "$expected" ] || complain "sched new $*: status $status"
    [ "$(cat stderr)" = "orrery sched new: $message" ] ||
        complain "sched new $*: $(cat stderr)"
    [ ! -s stdout ] || complain "sched new $*: $(cat stdout)"
}

try mine
try my-own-2 --concurrent
grep -q '\.concurrent = true' my-own-2/my-own-2.c || complain "not concurrent"
grep -q 'orr_policy_my_own_2' my-own-2/my-own-2.c || complain "no name in C"

# Its test notices a policy that forgets to wake.
sed -i 's/^ *orr_sched_wake.*//' my-own-2/my-own-2.c
check my-own-2 && complain "a policy that wakes nobody passes"
grep -q '^FAIL: ' log || complain "no test has failed: $(cat log)"

refuses 1 'mine: File exists' mine

# Where nothing can be written, nothing is left.
(ulimit -f 0 && trap '' XFSZ && "$ORRERY" sched new lost 2>/dev/null) &&
    complain "written where nothing can be"
[ ! -e lost ] || complain "half of it was left: $(ls lost)"

refuses 2 "a policy called 'dmda' is built in" dmda
for name in Mine 2 -- a_b ../up a.b; do
    [ "$name" = -- ] && name=''
    refuses 2 "'$name' is not a valid name of a policy: expected a letter a-z, then \
letters, digits and dashes, at most 64 in all" "$name"
done
exit $bad
