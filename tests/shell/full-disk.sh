#!/bin/sh
# A disk that is full, a limit on the size of files and a folder of that name are
# errors that name what could not be written, and leave no file behind; no HOME is
# no error at all.
set -u
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${abs_top_builddir:=$abs_top_srcdir/build}"
export abs_top_srcdir abs_top_builddir
script=$abs_top_srcdir/tests/shell/full-disk.sh
orrery=$abs_top_builddir/orrery
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" && mkdir work || exit 1
bad=0

complain() {
    echo "FAIL: $*"
    bad=1
}

# Prints its results to a full disk.
full() { # argument...
    "$orrery" "$@" >/dev/full 2>messages
    [ $? -eq 1 ] || complain "orrery $*: not status 1 on a full disk"
    grep -q 'cannot write to standard output: No space left' messages ||
        complain "orrery $*: $(cat messages)"
}

# Writes a file that may have 512 bytes, and fails with its name.
limited() { # name of the file, argument...
    file=$1
    shift
    (cd work && ulimit -f 1 && "$orrery" "$@") >out 2>messages
    [ $? -eq 1 ] || complain "orrery $*: not status 1 at the limit of files"
    grep -q "$file.*File too large" messages ||
        complain "orrery $*: $(cat messages)"
    [ -z "$(ls -A work)" ] || complain "orrery $*: leaves $(ls -A work)"
    rm -rf work && mkdir work
}

# Files that a run writes, with the options before their names; $name stands for
# the file in each format of traces, pictures and reports.
each_file() { # function to call with the name and the arguments
    for name in a.csv a.json a.trace a.pftrace a.rec a.csv.gz a.pftrace.gz; do
        "$1" $name run cholesky --tiles 12 --trace $name
    done
    for format in starpu starvz; do
        "$1" d run cholesky --tiles 12 --trace d --trace-format $format
    done
    "$1" a.html run cholesky --tiles 12 --report a.html
    "$1" a.html compare cholesky --tiles 12 --sched dmda,lws --report a.html
    command -v gnuplot >/dev/null || return 0
    for name in a.svg a.pdf a.png; do
        "$1" $name run cholesky --tiles 12 --gantt $name
        "$1" $name explain cholesky --tiles 2 --scale gpus=1:3 --plot $name
    done
}

# Writes to a disk that has 4 KiB left.
# shellcheck disable=SC2317 # each_file calls it
crowded() { # name, argument...
    file=${1%%.*}
    shift
    (cd disk && "$orrery" "$@") >out 2>messages
    [ $? -eq 1 ] || complain "orrery $*: not status 1 on a full disk"
    grep -q "^orrery [a-z]*: ${file}[./].*: No space left on device$" messages ||
        complain "orrery $*: $(cat messages)"
    [ "$(ls -A disk)" = filler ] || complain "orrery $*: leaves $(ls -A disk)"
}

# Writes to a file that is a folder with a file in it.
# shellcheck disable=SC2317 # each_file calls it
folded() { # name, argument...
    file=$1
    shift
    mkdir "work/$file" && touch "work/$file/mine" || exit 1
    (cd work && "$orrery" "$@") >out 2>messages
    [ $? -eq 1 ] || complain "orrery $*: not status 1 for a folder"
    grep -q "^orrery [a-z]*:.*$file" messages ||
        complain "orrery $*: $(cat messages)"
    [ "$(cd work && find . | sort | tr '\n' ' ')" = ". ./$file ./$file/mine " ] ||
        complain "orrery $*: leaves $(ls -AR work)"
    rm -rf work && mkdir work
}

# A full disk of our own, in name spaces that end with this script.
if [ "${1-}" = crowded ]; then
    mkdir disk && mount -t tmpfs -o size=64k none disk || exit 1
    head -c 61440 /dev/zero >disk/filler
    each_file crowded
    umount disk
    exit $bad
fi
if unshare --mount --map-root-user true 2>/dev/null; then
    unshare --mount --map-root-user sh "$script" crowded || bad=1
else
    echo "no name spaces here: a disk of our own left out"
fi
each_file folded

full run lu --tiles 3
full run lu --tiles 3 --format json
full compare lu --tiles 2 --format csv
full platform show attila
full sched list
full --version
full --help
limited t.csv run lu --tiles 9 --trace t.csv
limited m.xml platform save attila --output m.xml

for arguments in 'run lu --tiles 2' 'compare lu --tiles 2' 'platform list'; do
    # shellcheck disable=SC2086 # several words
    env -u HOME -u XDG_DATA_HOME "$orrery" $arguments >out 2>messages ||
        complain "orrery $arguments without HOME: $(cat messages)"
    [ ! -s messages ] || complain "without HOME: $(cat messages)"
done
exit $bad
