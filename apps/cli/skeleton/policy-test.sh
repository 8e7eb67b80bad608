#!/bin/sh
# Whether skeleton runs every task: on machines of several kinds, with ample
# memory and with little, and through other schedules than the usual one; and
# whether it does the same twice.
set -u
: "${ORRERY:=orrery}"
: "${PLATFORM:=attila}"
bad=0

try() { # arguments of orrery
    set -- "$@" --platform "$PLATFORM" --sched @PREFIX@./skeleton.so
    "$ORRERY" "$@" >output 2>&1 && return
    echo "FAIL: $ORRERY $*"
    cat output
    bad=1
}

for app in cholesky lu; do
    try run $app --tiles 8 --twice
    try run $app --tiles 8 --gpus 0
    try run $app --tiles 8 --cpus 0
    try run $app --tiles 8 --gpus 2 --gpu-memory 64MiB
    try explore $app --tiles 4 --cpus 2 --gpus 2 --budget 500
done
rm -f output
[ $bad -ne 0 ] || echo "PASS: skeleton"
exit $bad
