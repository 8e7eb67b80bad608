#!/bin/sh
# Files that are written: whole or not at all, through symbolic links, and
# nothing is left by a run that a signal ends.
set -u
: "${abs_top_builddir:=$PWD}"
orrery=$abs_top_builddir/orrery
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bad=0

complain() {
    echo "$*"
    bad=1
}

# Each option that writes a file replaces the target of a link.
"$orrery" run cholesky --tiles 2 --trace samples.csv >/dev/null || exit 1
through_link() { # file, then the command
    file=$1
    shift
    mkdir out
    ln -s "out/$file" "$file"
    for content in new old; do
        "$@" >/dev/null 2>&1
        [ -L "$file" ] || complain "$*: the link is gone"
        [ "$(head -c 4 "out/$file" | tr -d '\0')" != old ] && [ -s "out/$file" ] ||
            complain "$*: the $content target is not written"
        echo old >"out/$file"
    done
    ! ls -A out | grep '^\.' || complain "$*: leaves a file"
    rm -r out "$file"
}
through_link a.csv "$orrery" run cholesky --tiles 2 --trace a.csv
through_link a.token "$orrery" run cholesky --tiles 2 --token a.token
through_link a.dot "$orrery" run cholesky --tiles 16 --gpus 2 --cpus 0 \
    --gpu-memory 32MiB --sched dm --hang-graph a.dot
through_link a.xml "$orrery" platform save attila --output a.xml
through_link b.xml "$orrery" histogram build samples.csv \
    --platform attila --output b.xml
if command -v gnuplot >/dev/null; then
    through_link a.svg "$orrery" compare lu --tiles 2 --plot a.svg
fi

# A path that cannot be written is an error before anything is simulated or
# drawn. gnuplot and dot are replaced by programs that leave a mark.
mkdir bin
for program in gnuplot dot; do
    printf '#!/bin/sh\ntouch "%s/drawn"\n' "$folder" >bin/$program
    chmod +x bin/$program
done
refused() { # the path, then the command
    path=$1
    shift
    PATH=$folder/bin:$PATH "$orrery" "$@" "$path" >stdout 2>stderr
    status=$?
    [ $status -eq 1 ] || complain "$* $path: status $status"
    [ ! -s stdout ] || complain "$* $path: simulated: $(head -n 1 stdout)"
    [ ! -e drawn ] || complain "$* $path: drawn"
    grep -q "$path: No[ t]" stderr || complain "$* $path: $(cat stderr)"
    rm -f drawn
}
: >file
for suffix in svg png dot; do
    refused no/such.$suffix run cholesky --tiles 2 --hang-graph
done
for suffix in svg png; do
    refused no/such.$suffix run cholesky --tiles 2 --hang-steps
    refused no/such.$suffix platform show attila --output
    refused no/such.$suffix compare lu --tiles 2 --sched dmda --plot
    refused no/such.$suffix ablate lu --tiles 2 --degrade memory --plot
    refused no/such.$suffix ablate lu --tiles 2 --degrade memory --plot-changes
    refused no/such.$suffix histogram show samples.csv --platform attila --plot
done
printf 'size,gflops\n1,2\n' >runs.csv
refused no/such.svg plot runs.csv --x size --y gflops --output
refused file/such compare lu --tiles 2 --sched dmda --plot-data
refused file ablate lu --tiles 2 --degrade memory --plot-data
refused file/such/folder histogram show samples.csv --platform attila --plot-data
refused no/such.token run cholesky --tiles 2 --token
refused no/such.csv run cholesky --tiles 2 --trace
refused no/such.csv compare lu --tiles 2 --sched dmda --raw

# What a run writes has no name before it is complete. The run takes minutes.
interrupted() { # signal, its number; then the environment of the run
    signal=$1
    number=$2
    shift 2
    mkdir out
    env --default-signal "$@" "$orrery" run cholesky --tiles 400 \
        --window 1000 --trace out/a.csv >/dev/null 2>stderr &
    pid=$!
    until find "/proc/$pid/fd" -lname '*/out/*' 2>/dev/null | grep -q .; do
        kill -0 $pid 2>/dev/null || break
        sleep 0.1
    done
    kill -s "$signal" $pid
    wait $pid 2>/dev/null
    status=$?
    [ $status -eq $((128 + number)) ] ||
        complain "SIG$signal: status $status, $(cat stderr)"
    [ -z "$(ls -A out)" ] || complain "SIG$signal leaves $(ls -A out)"
    rm -r out
}
interrupted HUP 1
interrupted INT 2
interrupted TERM 15
interrupted KILL 9

# More than `ulimit -f` allows is an error, and what was there stays.
mkdir out
echo old >out/a.csv
(ulimit -f 1 && exec env --default-signal=XFSZ "$orrery" run cholesky \
    --tiles 20 --trace out/a.csv >/dev/null 2>stderr)
status=$?
[ $status -eq 1 ] || complain "SIGXFSZ: status $status"
[ "$(cat stderr)" = 'orrery run: out/a.csv: File too large' ] ||
    complain "SIGXFSZ: $(cat stderr)"
[ "$(ls -A out) $(cat out/a.csv)" = 'a.csv old' ] ||
    complain "SIGXFSZ leaves $(ls -A out)"
rm -r out

# Network file systems have no files without a name; this is one.
cat >network.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>
int open(const char *path, int flags, ...)
{
    va_list more;
    int mode;
    va_start(more, flags);
    mode = va_arg(more, int);
    va_end(more);
    if ((flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) __attribute__((alias("open")));
C
if [ -z "$sanitizers" ] && ${CC:-cc} -shared -fPIC -o network.so network.c; then
    network=LD_PRELOAD=$folder/network.so
    mkdir out
    "$orrery" run cholesky --tiles 8 --trace out/a.csv >/dev/null
    env "$network" "$orrery" run cholesky --tiles 8 --trace out/b.csv >/dev/null
    cmp out/a.csv out/b.csv || complain "another file on a network"
    cmp out/a.copies.csv out/b.copies.csv || complain "other copies on a network"
    [ "$(ls -A out | wc -l)" -eq 4 ] || complain "left $(ls -A out)"
    rm -r out
    interrupted TERM 15 "$network"
fi
exit $bad
