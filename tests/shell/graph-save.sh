#!/bin/sh
# The graph that an application submits, without a machine, and as a trace with
# times: the same but for times, whatever the policy and the machine.
set -u
orrery=$abs_top_builddir/orrery
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bad=0

timeless() { # tasks.rec
    grep -vE '^(WorkerId|MemoryNode|SubmitTime|StartTime|EndTime): ' "$1"
}

# Applications, and runs: platform, policy, GPUs.
check_runs() { # application, tiles, runs
    app=$1
    tiles=$2
    shift 2
    "$orrery" graph save $app --tiles $tiles --output $app.rec || bad=1
    for run; do
        # shellcheck disable=SC2086 # three words
        set -- $run
        "$orrery" run $app --tiles $tiles --platform "$1" --sched "$2" \
            --gpus "$3" --trace trace.rec >/dev/null || bad=1
        timeless trace.rec | cmp - $app.rec || bad=1
        cmp trace.data.rec $app.data.rec || bad=1
        [ "$(grep -c '^EndTime: ' trace.rec)" = \
            "$(grep -c '^GFlop: ' trace.rec)" ] || bad=1
    done
}
for app in cholesky lu; do
    check_runs $app 5 'attila eager 0' 'attila dmdas 3' \
        'mirage heteroprio 1' 'idgraf lws 2'
done
check_runs qr 5x3 'sirocco-k40m eager 0' 'sirocco-k40m dmdas 3'
check_runs gemm 5x3 'attila eager 0' 'mirage dmdas 2' 'idgraf lws 2'
"$orrery" graph show cholesky.rec --format csv >facts || bad=1
grep -qx 'tasks,35' facts && grep -qx 'data,15' facts || { cat facts; bad=1; }

# Its times are those of the CSV trace, and its mapping can be replayed.
"$orrery" run cholesky --tiles 5 --sched dmda --trace a.csv >/dev/null || bad=1
"$orrery" run cholesky --tiles 5 --sched dmda --trace a.rec >/dev/null || bad=1
"$orrery" run cholesky --tiles 5 --sched fixed:a.rec --trace b.csv \
    >/dev/null || bad=1
for file in a b; do
    sed 1d $file.csv | sort -t, -k3,3n -k6,6n | cut -d, -f1-3 >$file
done
cmp a b || bad=1
sed 1d a.csv | sort -t, -k1,1n | cut -d, -f9,10 | tr , '\n' >wanted
sed -nE 's/^(StartTime|EndTime): //p' a.rec >found
cmp wanted found || bad=1

# What is read is what was written: data in their order, kernels that block.
"$orrery" graph convert cholesky.rec again.rec || bad=1
cmp cholesky.rec again.rec || bad=1
cmp again.data.rec cholesky.data.rec || bad=1
[ "$(grep -c '^Synchronous: 1' again.rec)" = 5 ] || bad=1

# CSV keeps what matters to a run, hints included.
"$orrery" graph save cholesky --tiles 8 --output hints.rec || bad=1
"$orrery" graph convert hints.rec hints.csv || bad=1
for policy in dmdas heteroprio; do
    for file in hints.rec hints.csv; do
        "$orrery" run $file --sched $policy --format json |
            grep -E '"(makespan_s|copies|evictions)":' >$file.out || bad=1
    done
    [ -s hints.rec.out ] || bad=1
    cmp hints.rec.out hints.csv.out || bad=1
done
sed '2s/$/B/' hints.csv >unknown.csv
"$orrery" graph check unknown.csv 2>err && bad=1
[ "$(cat err)" = "orrery graph check: unknown.csv: wont_use: handle 'B', which no task accesses before" ] || { cat err; bad=1; }

# A failure leaves what was there.
echo kept >old.rec
mkdir old.data.rec
"$orrery" graph save cholesky --tiles 2 --output old.rec 2>err && bad=1
"$orrery" run cholesky --tiles 2 --trace old.rec >/dev/null 2>>err && bad=1
[ "$(cat old.rec)" = kept ] || bad=1
"$orrery" graph save cholesky --tiles 2 2>>err && bad=1
"$orrery" graph save cholesky --tiles 2 --output x.txt 2>>err && bad=1
cat >wanted <<'END'
orrery graph save: old.data.rec: not a regular file
orrery run: old.data.rec: not a regular file
orrery graph save: --output FILE is missing
orrery graph save: x.txt: the name does not end in .rec, .json, .csv, .dot or .gv
END
cmp wanted err || { cat err; bad=1; }
exit $bad
