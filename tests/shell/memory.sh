#!/bin/sh
# Memory that a task takes: while a graph is read of which each task writes a
# datum that the next one reads, and in a run that submits all tasks at once.
# Energy takes none.
set -u
[ -z "$sanitizers" ] || { echo "sanitizers need memory of their own"; exit 77; }
orrery=$abs_top_builddir/orrery
rusage=$abs_top_builddir/tests/bench/rusage
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bad=0

peak() { # arguments of orrery: KiB
    "$rusage" used "$orrery" "$@" >/dev/null || exit 1
    cut -d ' ' -f 2 used
}

check() { # title, KiB without tasks, KiB with tasks, tasks, limit in bytes
    bytes=$((($3 - $2) * 1024 / $4))
    echo "$1: $bytes bytes a task"
    [ $bytes -le "$5" ] || bad=1
}

# Hash tables are as full as with a million.
tasks=125000
[ "${test_length:-short}" != full ] || tasks=1000000
"$orrery" graph generate --tasks 2 --output base.rec || exit 1
"$orrery" graph generate --tasks $tasks --fat 0.001 --density 0.05 \
    --output large.rec &&
    "$orrery" graph convert large.rec large.json || exit 1
base=$(peak graph check base.rec) || exit 1
for file in large.rec large.json; do
    used=$(peak graph check $file) || exit 1
    check $file "$base" "$used" $tasks 300
done

# A matrix of 100 x 100 tiles that does not fit into the GPUs.
run() { # policy, tiles
    peak run cholesky --platform attila --cpus 0 --gpus 3 --sched "$1" --tiles "$2"
}
for sched in dmda dmdas; do
    base=$(run $sched 1) && used=$(run $sched 100) || exit 1
    check $sched "$base" "$used" 171700 130
done

# The same run, with and without watts; at full length.
[ "${test_length:-short}" = full ] || exit $bad
sed '/<power /,/<\/power>/d' "$abs_top_srcdir/platforms/attila.xml" >plain.xml
plain=$(peak run cholesky --platform ./plain.xml --tiles 100) &&
    used=$(peak run cholesky --platform attila --tiles 100) || exit 1
check energy "$plain" "$used" 171700 4
exit $bad
