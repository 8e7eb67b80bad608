#!/bin/sh
# A campaign that is killed, interrupted, or stopped by a full disk goes on where
# it was, and ends with the very results of one that was not disturbed. It is
# stopped at KILLS random moments by each of SIGNALS: once by SIGKILL and once by
# SIGINT or SIGTERM, which test_seed chooses; at full length (test_length), twice
# by each. tests/bench/kills.sh takes 200, and a longer campaign of LONG seeds.
set -u
: "${abs_top_builddir:=$PWD}"
. "$abs_top_srcdir/tests/shell/drawn.sh"
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
PATH=$abs_top_builddir:$PATH
if [ "${test_length:-short}" = full ]; then
    : "${KILLS:=2}" "${SIGNALS:=KILL INT TERM}"
elif [ $((${test_seed:-0} % 2)) -eq 0 ]; then
    : "${SIGNALS:=KILL INT}"
else
    : "${SIGNALS:=KILL TERM}"
fi
# Sanitizers make it last as long with fewer.
if [ -n "${sanitizers:-}" ]; then
    : "${LONG:=100}" "${MOMENTS:=0.5}"
elif [ "${test_length:-short}" != full ]; then
    : "${LONG:=250}" "${MOMENTS:=0.3}"
fi
SEEDS=${LONG:-1000}
export PATH SEEDS
bad=0

complain() {
    echo "FAIL: $*"
    [ ! -s messages ] || head -n 20 messages
    bad=1
}

# The campaign, into the file that is named. A job in the background ignores
# SIGINT unless told otherwise.
cat >campaign <<'TEXT'
#!/bin/sh
exec env --default-signal=INT orrery sweep cholesky --tiles 10 --perturb 0.1 \
    --vary sched=dmda,dmdas --vary "seed=1:$SEEDS" --output "$1"
TEXT
chmod +x campaign

# Finishes a campaign that was stopped, and compares its results.
finish() { # what happened, FILE.db, the results that it should have
    ./campaign "$2" >out 2>messages || complain "$1: it does not go on"
    orrery results "$2" --format csv >out.csv 2>messages ||
        complain "$1: no results"
    cmp -s out.csv "$3" || complain "$1: the results differ"
}

./campaign whole.db >out 2>messages || complain "the campaign fails"
orrery results whole.db --format csv >whole.csv || complain "no results"
[ "$(cat out)" = "whole.db: $((2 * SEEDS)) of $((2 * SEEDS)) runs, 0 failed" ] ||
    complain "$(cat out)"

# Sleeps for up to MOMENTS seconds.
wait_a_moment() {
    sleep "$(od -An -N 4 -t u4 /dev/urandom | awk -v most="${MOMENTS:-1}" \
        '{ print $1 / 2 ^ 32 * most }')"
}

# Whether what is in the file belongs there, and is what was said.
check_stopped() { # signal, exit status, FILE.db
    case $1-$2 in
    KILL-137 | INT-130 | TERM-143) ;;
    *) complain "=> $2, not that of SIG$1" ;;
    esac
    orrery results "$3" --format csv >part.csv 2>/dev/null || return
    [ "$(comm -23 part.csv whole.csv 2>/dev/null | wc -l)" -eq 0 ] ||
        complain "after SIG$1, there is what does not belong there"
    ! grep -q 'stopped with' messages ||
        grep -q "stopped with $(($(wc -l <part.csv) - 1)) of $((2 * SEEDS)) runs in $3; the same command goes on" \
            messages || complain "SIG$1: it has $(wc -l <part.csv) rows"
}

# Stops the campaign at random moments, each time it ends as well, and finishes it.
# Rows are put on the disk once a second.
disturb() { # signal
    file=$1.db
    stops=0
    while [ $stops -lt "${KILLS:-1}" ]; do
        ./campaign "$file" >out 2>messages &
        wait_a_moment
        kill -"$1" $!
        wait $!
        status=$?
        if [ $status -eq 0 ]; then
            finish "SIG$1, $stops times" "$file" whole.csv
            rm "$file"
        else
            stops=$((stops + 1))
            check_stopped "$1" $status "$file"
        fi
    done 2>/dev/null
    finish "SIG$1, $stops times" "$file" whole.csv
}

for signal in $SIGNALS; do
    disturb "$signal"
done

# A second process on the file is refused.
./campaign shared.db >out 2>messages &
first=$!
until [ -s shared.db ]; do
    kill -0 $first 2>/dev/null || break # it has ended
    sleep 0.01
done
kill -STOP $first
./campaign shared.db >out 2>second && complain "two use one file"
grep -q 'shared.db: another process uses it' second || complain "$(cat second)"
kill -CONT $first
wait $first || complain "the first does not end"

# Killed in the middle of writing: at its first write, at its second, and so on;
# where strace works.
SEEDS=20
./campaign small.db >out 2>messages || complain "the small campaign fails"
orrery results small.db --format csv >small.csv
for n in 1 2 3 4 5 6 8 10; do
    drawn $n 2 || continue
    strace -o /dev/null true 2>/dev/null || break
    strace -f -qq -o /dev/null -e trace=pwrite64 \
        -e inject=pwrite64:signal=KILL:when=$n+ ./campaign torn.db >out 2>&1 &&
        complain "it survives write $n"
    finish "killed at write $n" torn.db small.csv
    rm -f torn.db*
done

# No space: what was there stays, and it is said how much that is.
SEEDS=${LONG:-1000}
for moment in 0.1 0.5 2 8 32; do # longer on a busy machine
    timeout -s INT $moment ./campaign full.db >out 2>&1
    orrery results full.db --format csv >part.csv 2>/dev/null
    [ "$(wc -l <part.csv)" -le 1 ] || break
done
(ulimit -f $(($(wc -c <full.db) / 512 + 1)) && ./campaign full.db) >out 2>messages &&
    complain "no error at the limit of files"
orrery results full.db --format csv >part.csv
grep -q "full.db: .*limit.*; $(($(wc -l <part.csv) - 1)) of $((2 * SEEDS)) runs are kept, and the same command goes on" \
    messages || complain "it has $(wc -l <part.csv) rows"
finish "no space" full.db whole.csv
exit $bad
