#!/bin/sh
# A disk that is full and a limit on the size of files are errors that name what
# could not be written, and leave no file behind; no HOME is no error at all.
set -u
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${abs_top_builddir:=$abs_top_srcdir/build}"
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
