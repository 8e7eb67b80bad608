#!/bin/sh
# Tokens: a run that one was made of comes back to the byte, and what differs
# is refused.
. "$abs_top_srcdir/tests/shell/plugin_test.sh"

compile() { # plug-in, result, then options
    plugin=$abs_top_srcdir/tests/plugins/$1.c
    result=$2
    shift 2
    # shellcheck disable=SC2046 # a list of words
    $CC -O1 -fPIC -shared "$@" -o "$result" "$plugin" \
        $(pkg-config --cflags orrery) || exit 1
}

# What does not depend on how fast this machine is.
facts() { # file
    grep -v simulation_wall_s "$1"
}

# Runs with the options, and repeats that from its token: the same facts, notes
# and traces, to the byte, and the same token. @files are the options for the
# files that the token was made with.
files=
repeats() { # application, then options
    "$orrery" run "$@" --format json --trace run.csv --token token \
        >run.json 2>run.err || complain "run $*: status $?"
    # shellcheck disable=SC2086 # several options
    "$orrery" replay @token $files --format json --trace again.csv \
        >again.json 2>again.err || complain "replay of $*: status $?"
    facts run.json >run.facts
    facts again.json >again.facts
    sed 's/^orrery run:/orrery replay:/' run.err >notes
    cmp run.facts again.facts && cmp run.csv again.csv &&
        cmp run.copies.csv again.copies.csv && cmp notes again.err ||
        complain "replay of $* is another run"
}

repeats cholesky --tiles 6
repeats lu --size 3840 --tile 640 --sched lws --cpus 3 --gpus 1
repeats qr --tiles 5x3 --platform sirocco-k40m --sched heteroprio --cpus 3
repeats gemm --variant k --tiles 4x3x2 --sched ws --cpus 3 --gpu-memory 64MiB
repeats cholesky --tiles 4 --sched=random --seed 7 --perturb 0.2 --window 5
repeats cholesky --tiles 5 --layout matrix --gpu-memory 64MiB --cpus 0
repeats cholesky --tiles 5 --where gemm=gpu --where trsm=cpu --pcie 0.5x \
    --set link.Host.latency=9us --stale-calibration --seed 3
repeats lu --tiles 4 --platform mirage --model quirks=off --model overheads=off \
    --durations sampled --sched dmdas
"$orrery" platform save attila --gpus 5 --output machine.xml || exit 1
files='--platform ./machine.xml'
repeats cholesky --tiles 4 --platform ./machine.xml
"$orrery" run cholesky --tiles 4 --trace record.csv >/dev/null || exit 1
files='--record record.csv'
repeats cholesky --tiles 4 --durations replayed --record record.csv

# Words come from anywhere, and mail wraps them.
"$orrery" run cholesky --tiles 3 --token token --format json >run.json
facts run.json >run.facts
fold -w 20 token >wrapped
for way in "$(cat token)" @token @wrapped -; do
    "$orrery" replay "$way" --format json <wrapped >again.json
    facts again.json | cmp run.facts - || complain "replay $way: another run"
done

refuses() { # status, message, then arguments of replay
    wanted=$1
    message=$2
    shift 2
    "$orrery" replay "$@" >out 2>err
    status=$?
    [ $status -eq "$wanted" ] || complain "replay $*: status $status"
    [ ! -s out ] || complain "replay $*: it ran"
    [ "$(cat err)" = "orrery replay: $message" ] ||
        complain "expected \"$message\"; there is: $(cat err)"
}

# What the run reads is what the token was made of, or nothing happens.
"$orrery" run cholesky --tiles 4 --platform ./machine.xml --token token >/dev/null
sed 's/cores="[0-9]*"/cores="9"/' machine.xml >new.xml
mv new.xml machine.xml
refuses 1 "the platform ./machine.xml is not the one of the token, 'machine.xml': the content differs" \
    @token --platform ./machine.xml
"$orrery" run cholesky --tiles 4 --durations replayed --record record.csv \
    --token token >/dev/null
echo >>record.csv
refuses 1 "the record record.csv is not the one of the token, 'record.csv': the content differs" \
    @token --record record.csv
compile restless policy.so
"$orrery" run cholesky --tiles 4 --sched ./policy.so --token token >/dev/null ||
    complain "no token of a plug-in"
"$orrery" replay @token --sched ./policy.so >/dev/null ||
    complain "no replay of a plug-in"
compile restless policy.so -DADDRESS
refuses 1 "the policy ./policy.so is not the one of the token, 'policy.so': the content differs" \
    @token --sched ./policy.so

# A run that hangs has a token without being asked, and hangs again the same
# way, at the same date, with the same traces.
"$orrery" run cholesky --tiles 30 --cpus 0 --gpu-memory 60MiB --trace run.csv \
    >out 2>run.err
[ $? -eq 3 ] || complain "the run does not stall"
[ -s run.csv ] || complain "no trace of a run that hangs"
token=$(sed -n 's/.*to repeat this run: orrery replay //p' run.err)
for trace in one two; do
    "$orrery" replay "$token" --trace $trace.csv >out 2>$trace.err
    [ $? -eq 3 ] || complain "the replay does not stall"
    cmp run.csv $trace.csv && cmp run.copies.csv $trace.copies.csv ||
        complain "the replay is another schedule"
done
cmp one.err two.err || complain "replays do not hang alike"
grep -v 'to repeat this run' run.err | sed 's/^orrery run:/orrery replay:/' |
    cmp - one.err || complain "the replay hangs otherwise"

# --twice: what depends on where, when or what was there before is named.
twice() { # status, then options of the compiler
    wanted=$1
    shift
    compile restless twice.so "$@"
    "$orrery" run cholesky --tiles 6 --cpus 2 --gpus 1 --twice --format json \
        --sched ./twice.so --trace twice.csv >out 2>err
    status=$?
    [ $status -eq "$wanted" ] || complain "--twice with $*: status $status"
}
rm -f twice.csv
# shellcheck disable=SC2154 # automake sets it
if [ -z "$sanitizers" ]; then
    twice 1 -DADDRESS
    [ ! -s out ] || complain "--twice: results of which there are two"
    [ ! -e twice.csv ] || complain "--twice: a trace of which there are two"
    grep -qE '^orrery run: two runs with the same settings differ: (task|copy) [0-9]+ .* the first time, .* the second; does policy restless depend on' err ||
        complain "--twice does not name what differs: $(cat err)"
    twice 1 -DGARBAGE
fi
twice 1 -DCLOCK
# So does an exploration.
"$orrery" explore cholesky --tiles 6 --cpus 2 --gpus 1 --sched ./twice.so \
    --budget 5 --format json >out 2>err
[ $? -eq 1 ] && grep -q '"difference": "two runs with the same settings differ: ' out ||
    complain "explore does not name what differs: $(cat err out)"
"$orrery" explore cholesky --tiles 6 --cpus 2 --gpus 1 --sched ./twice.so --budget 5 |
    grep -q '^The policy is not deterministic: two runs' || complain "explore does not say so"
twice 0
"$orrery" explore cholesky --tiles 6 --cpus 2 --gpus 1 --sched ./twice.so --budget 5 \
    --format json | grep -q '"difference": null' || complain "explore: false alarm"
"$orrery" run cholesky --tiles 6 --cpus 2 --gpus 1 --format json \
    --sched ./twice.so >once || complain "a run without --twice fails"
facts out >out.facts
facts once | cmp - out.facts || complain "--twice changes the result"
"$orrery" run cholesky --tiles 30 --cpus 0 --gpu-memory 60MiB --twice >out 2>err
[ $? -eq 3 ] || complain "--twice of a run that hangs"
exit $bad
