#!/bin/sh
# Policies from files that let a run hang: status 3, or 4 for a livelock, of a
# run and of a comparison, and the same in JSON.
. "$abs_top_srcdir/tests/shell/plugin_test.sh"

complain() {
    echo "FAIL: $*"
    cat stderr
    bad=1
}

compile() { # options
    rm -f idle.so
    # shellcheck disable=SC2046 # a list of words
    $CC -Wall -Wextra -Werror -O1 -fPIC -shared "$@" -o idle.so \
        "$abs_top_srcdir/tests/plugins/idle.c" \
        $(pkg-config --cflags orrery) || exit 1
}

hangs() { # status, livelock, kind, chain (an extended regular expression)
    "$orrery" run cholesky --tiles 4 --cpus 1 --gpus 1 --sched ./idle.so \
        --format json >stdout 2>stderr
    status=$?
    [ $status -eq "$1" ] || complain "run: status $status instead of $1"
    grep -q "\"livelock\": $2," stdout || complain "livelock is not $2"
    grep -q "\"kind\": \"$3\"," stdout || complain "the kind is not $3"
    grep -q '"makespan_s": null,' stdout || complain "there is a makespan"
    grep -qE "^  $4\$" stderr || complain "nobody says: $4"
    "$orrery" compare cholesky --tiles 4 --cpus 1 --gpus 1 \
        --sched ./idle.so,eager >stdout 2>stderr
    status=$?
    [ $status -eq "$1" ] || complain "compare: status $status instead of $1"
    grep -qE '^idle +hangs' stdout || complain "idle is no row that hangs"
    grep -qE '^eager +[0-9.]+ s' stdout || complain "eager has no result"
}

compile
hangs 3 false tasks-held \
    'policy idle would now give task 0 \(POTRF\) to C[A-Z]+0, but C[A-Z]+0 sleeps and nobody wakes it'
compile -DENDLESS
hangs 4 true spinning \
    'policy idle holds task 0 \(POTRF\): its pop returns no task, and workers keep calling it'
exit $bad
