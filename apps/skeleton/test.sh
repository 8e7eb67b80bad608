#!/bin/sh
# Whether skeleton runs every task: on machines of several kinds, with ample
# memory and with little, and in an order of simultaneous events other than the
# usual one.
set -u
: "${ORRERY:=orrery}"
: "${PLATFORM:=attila}"
bad=0

try() { # arguments of orrery
    set -- "$@" --platform "$PLATFORM" --sched ./skeleton.so
    "$ORRERY" "$@" >output 2>&1 && return
    echo "FAIL: $ORRERY $*"
    cat output
    bad=1
}

# What a run prints, but for how long the simulation took.
results() {
    "$ORRERY" run lu --tiles 8 --platform "$PLATFORM" --format json \
        --sched ./skeleton.so |
        grep -v simulation_wall_s
}

for app in cholesky lu; do
    try run $app --tiles 8
    try run $app --tiles 8 --gpus 0
    try run $app --tiles 8 --cpus 0
    try run $app --tiles 8 --gpus 2 --gpu-memory 64MiB
    try explore $app --tiles 4 --cpus 2 --gpus 2 --budget 500
done
[ "$(results)" = "$(results)" ] || {
    echo "FAIL: two runs differ: is something drawn, or not initialised?"
    bad=1
}
rm -f output
[ $bad -ne 0 ] || echo "PASS: skeleton"
exit $bad
