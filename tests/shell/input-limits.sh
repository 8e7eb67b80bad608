#!/bin/sh
# Whatever a command reads, it ends: files that never end, and pipes into which
# nobody writes, are refused with the limit that they exceed.
set -u
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
orrery=$abs_top_builddir/orrery
bad=0
cd "$folder" || exit 1
mkfifo pipe silent.so || exit 1
ln -s /dev/zero zero.xml
ln -s /dev/zero zero.so
mkdir -p zeros/bus && ln -s /dev/zero zeros/bus/tiny.platform.v4.xml

# Runs a command with so much memory at most, in the background: a pipe takes
# as long as it may be silent. What it prints is compared at the end.
number=0
expect() { # message, then the command
    number=$((number + 1))
    echo "$1" >expected.$number
    shift
    echo "$*" >command.$number
    # A sanitizer needs much memory of its own.
    # shellcheck disable=SC2154,SC3045 # automake sets it; all shells have it
    ([ -n "$sanitizers" ] || ulimit -v 2000000
        "$orrery" "$@" </dev/zero 2>&1
        echo "=> $?") >actual.$number &
}

# Each kind of reader: without an end, and in silence.
line='the line is longer than 1 MiB'
silent='no data for 10 s, the limit for pipes and devices'
expect 'orrery run: zero.xml: the file is larger than 16 MiB
=> 1' run cholesky --platform zero.xml
expect "orrery run: ./pipe: $silent
=> 1" run cholesky --platform ./pipe
expect 'orrery run: zeros/bus/tiny.platform.v4.xml: the file is larger than 16 MiB
=> 1' run cholesky --platform starpu:zeros:tiny
expect "orrery run: /dev/zero:1: $line
=> 1" run cholesky --durations replayed --record /dev/zero
expect "orrery run: pipe: $silent
=> 1" run cholesky --durations replayed --record pipe
expect "orrery histogram build: /dev/zero:1: $line
=> 1" histogram build /dev/zero --platform attila --output new.xml
expect "orrery histogram build: pipe: $silent
=> 1" histogram build pipe --platform attila --output new.xml
expect 'orrery platform detect: /dev/zero: the file is larger than 16 MiB
=> 1' platform detect --hwloc /dev/zero
expect "orrery platform detect: pipe: $silent
=> 1" platform detect --hwloc pipe
expect 'orrery replay: /dev/zero: the file is larger than 32 MiB
=> 1' replay @/dev/zero
expect 'orrery replay: standard input: the file is larger than 32 MiB
=> 1' replay -
expect "orrery shrink: pipe: $silent
=> 1" shrink @pipe
expect 'orrery run: ./silent.so: not a regular file
=> 1' run cholesky --sched ./silent.so
expect 'orrery run: ./zero.so: not a regular file
=> 1' run cholesky --sched ./zero.so

# And where a token says what the file has to be.
"$orrery" run cholesky --tiles 2 --trace record.csv >/dev/null || exit 1
"$orrery" run cholesky --tiles 2 --durations replayed --record record.csv \
    --token token >/dev/null || exit 1
expect 'orrery replay: /dev/zero: the file is larger than 1 GiB
=> 1' replay @token --record /dev/zero
expect "orrery replay: pipe: $silent
=> 1" replay @token --record pipe
wait
while [ $number -gt 0 ]; do
    diff expected.$number actual.$number ||
        { echo "FAIL: $(cat command.$number)"; bad=1; }
    number=$((number - 1))
done
[ ! -e new.xml ] || { echo "FAIL: a platform of a file that never ends"; bad=1; }
exit $bad
