#!/bin/sh
# Whether skeleton runs on machines of several kinds, with ample memory and with
# little, and through other schedules than the usual one; and whether the number
# of its tasks is what it says.
set -u
: "${ORRERY:=orrery}"
: "${PLATFORM:=attila}"
bad=0

try() { # command, then its arguments
    command=$1
    shift
    "$ORRERY" "$command" ./skeleton.so --platform "$PLATFORM" "$@" >output 2>&1 &&
        return
    echo "FAIL: $ORRERY $command ./skeleton.so $*"
    cat output
    bad=1
}

for sched in eager dmda dmdas lws; do
    try run --sched $sched --twice
    try run --sched $sched --gpus 0
    try run --sched $sched --cpus 0
    try run --sched $sched --gpus 2 --gpu-memory 64MiB
done
try explore --sched dmda --budget 500
try compare --sched dmda,lws --format csv

try run --blocks 7 --steps 3 --format json
grep -q '"tasks": 21,' output || { echo "FAIL: not 7 x 3 tasks"; bad=1; }
rm -f output
[ $bad -ne 0 ] || echo "PASS: skeleton"
exit $bad
