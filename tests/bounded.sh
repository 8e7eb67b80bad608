#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs a test for at most $test_limit seconds, 600 if unset. A test that takes
# longer fails, and its log tells where its processes stand.
set -u
limit=${test_limit:-600}
test=$$ # from exec below on, timeout(1), which leads the group of processes

# Processes that $test has started, itself included.
descendants() {
    ps -e -o pid= -o ppid= | awk -v test="$test" '
        { parent[$1] = $2 }
        END {
            for (process in parent) {
                p = process
                while (p != test && p in parent)
                    p = parent[p]
                if (p == test)
                    print process
            }
        }' | sort -n
}

show() {
    echo "bounded.sh: the test has not ended within $limit s; its processes:"
    ps -o pid,ppid,etimes,stat,args -p "$(descendants | paste -sd, -)"
    command -v gdb >/dev/null || return 0
    for process in $(descendants); do
        case $(readlink "/proc/$process/exe") in
        */dash | */bash | */timeout | */tail) continue ;;
        esac
        echo "bounded.sh: process $process"
        timeout 20 gdb -p "$process" -batch -ex 'thread apply all backtrace' \
            2>/dev/null </dev/null
    done
}

(
    timeout "$limit" tail --pid=$test -f /dev/null >/dev/null
    [ $? -ne 124 ] || show
) &
exec timeout -k 10 $((limit + 60)) "$@"
