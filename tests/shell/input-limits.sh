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

# Task graphs: each reader, and what is packed.
for format in rec json csv dot dax stg; do
    ln -s /dev/zero zero.$format
done
expect "orrery graph check: pipe: $silent
=> 1" graph check pipe
expect "orrery graph check: zero.rec:1: $line
=> 1" graph check zero.rec
expect "orrery graph check: zero.json:1: not JSON: expected a value, found '?'
=> 1" graph check zero.json
expect "orrery graph check: zero.csv:1: $line
=> 1" graph check zero.csv
expect "orrery graph check: zero.dot:1: not DOT: a syntax error near '?'
=> 1" graph check zero.dot
expect 'orrery graph check: zero.dax: the file is larger than 16 MiB
=> 1' graph check zero.dax
expect "orrery graph check: zero.stg:1: $line
=> 1" graph check zero.stg
head -c 200000000 /dev/zero | tr '\0' ' ' | gzip -1 >blanks.json.gz
ln -s blanks.json.gz blanks.csv.gz
expect 'orrery graph check: blanks.json.gz:1: not JSON: the file ends too early
=> 1' graph check blanks.json.gz
expect "orrery graph check: blanks.csv.gz:1: $line
=> 1" graph check blanks.csv.gz
# A short text that asks for 10^8 edges.
{ echo 'digraph { {'
    seq -f 'a%.0f' 10000
    echo '} -> {'
    seq -f 'b%.0f' 10000
    echo '} }'; } >groups.dot
expect 'orrery graph check: groups.dot:20003: more than 5000000 edges between groups of nodes
=> 1' graph check groups.dot
{ printf 'Name: a\nJobId: 1\nHandles:'
    yes ' f' | head -n 300000 | tr -d '\n'
    printf '\nModes:'
    yes ' R' | head -n 300000 | tr -d '\n'
    printf '\nSizes:'
    yes ' 8' | head -n 300000 | tr -d '\n'; } >handles.rec
expect 'handles.rec: OK, rec, 1 tasks, 1 data
=> 0' graph check handles.rec

# What is kept of one record, or of one task, is limited. The end is never read.
expect_endless() { # message, what begins the file, what goes on, its name
    mkfifo "$4" || exit 1
    { printf '%s\n' "$2"; yes "$3"; } 2>/dev/null >"$4" &
    expect "orrery graph check: $1
=> 1" graph check "$4"
}
expect_endless 'field.rec:1: the record is longer than 8 MiB' \
    'Name: a' 'Priority: 1' field.rec
expect_endless 'comment.rec:1: the record is longer than 8 MiB' \
    'Name: a' '# more' comment.rec
task='{"schemaVersion": "1.5", "workflow": {"specification": {"tasks": [{"id": "a"'
much='more than 4000000 names, or than 64 MiB of texts, in one task'
expect_endless "parents.json:1: $much" "$task, \"parents\": [" \
    '"b", "b", "b", "b", "b", "b", "b", "b",' parents.json
expect_endless "names.json:1: $much" "$task" \
    ", \"name\": \"$(printf %04000d 1)\"" names.json

# And where a token says what the file has to be.
"$orrery" run cholesky --tiles 2 --trace record.csv >/dev/null || exit 1
"$orrery" run cholesky --tiles 2 --durations replayed --record record.csv \
    --token token >/dev/null || exit 1
if [ "${test_length:-short}" = full ]; then # it computes the hash of 1 GiB
    expect 'orrery replay: /dev/zero: the file is larger than 1 GiB
=> 1' replay @token --record /dev/zero
fi
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
