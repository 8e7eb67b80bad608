#!/bin/sh
# Programs below a command of orrery: the calls of tests/remote_program.c are made
# in the process of the command, for all commands that take an APP.
set -u
orrery=$abs_top_builddir/orrery
program=$abs_top_builddir/tests/remote_program
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bad=0
export ORRERY_PLATFORMS="$abs_top_srcdir/platforms"

complain() { # message
    echo "$1"
    bad=1
}

run() { # arguments of orrery
    "$orrery" "$@" >stdout 2>stderr || complain "$*: $(cat stderr)"
}

"$program" calls || complain "calls that the messages lack"

# Alone: 5 tasks of 1 ms, then 5, of which the last one has another three follow,
# each from the callback of the one before.
"$program" good 10 >alone || complain "it does not run alone"
grep -q 'ns, 4 callbacks$' alone || complain "alone: $(cat alone)"

# Below a command the dates are the same. What it prints is on the standard error.
run run --format json -- "$program" good 10
cp stdout first
[ "$(cat stderr)" = "$(cat alone)" ] || complain "run: $(cat stderr)"
grep -q '"tasks": 13,' first || complain "run: not 13 tasks"
grep -q '"app": "remote_program"' first || complain "run: another name"
grep -q '"arguments": "good 10"' first || complain "run: no arguments"
grep -q '"sched": "eager"' first || complain "run: not the policy of the program"
run run --format json --app "-- $program good 10"
sed '/wall_s/d' stdout >second
sed '/wall_s/d' first | cmp -s - second || complain "--app: another result"

# Paused, workers run nothing, and data are acquired when they have resumed.
"$program" data 10 >alone
grep -q '^paused for 2000000 ns, 0 acquired, resumed for 10..... ns, 1 acquired' \
    alone || complain "data alone: $(cat alone)"
run run -- "$program" data 10
[ "$(cat stderr)" = "$(cat alone)" ] || complain "data: $(cat stderr)"

# Options of the command replace those of the program; so do --arguments.
run run --sched dmda --gpus 1 --format json -- "$program" good 10
grep -q '"sched": "dmda"' stdout || complain "the program replaces --sched"
run run --app "-- $program good 10" --arguments 'good 20' --format json
grep -q '"tasks": 23,' stdout || complain "--arguments has no effect"

# Other arguments, for which the program asks for other options.
run run --app "-- $program good 10 1" --arguments 'good 10 2' --format json
grep -q '"gpus": 2,' stdout || complain "--arguments: not the GPUs asked for then"
run run --app "-- $program good 10 1" --arguments 'good 10 2' --gpus 0 --format json
grep -q '"gpus": 0,' stdout || complain "--arguments replace --gpus"
# No more GPUs than the machine has, unless they are given.
run run --format json -- "$program" good 10 6
grep -q '"gpus": 3,' stdout || complain "more GPUs than the machine has"
run run --gpus 5 --format json -- "$program" good 10 6
grep -q '"gpus": 5,' stdout || complain "not the GPUs given"
run compare --app "-- $program good 10" --arguments 'good 10 2' --sched lws,dmda \
    --format csv
grep -q '^lws,' stdout || complain "--arguments replace --sched: $(cat stdout)"
run sweep --app "-- $program good 10" --output arguments.db \
    --vary 'arguments=good 10 1,good 20 2'
run results arguments.db --format csv
[ "$(cut -d , -f 16 stdout | tr '\n' ' ')" = 'gpus 1 2 ' ] ||
    complain "sweep: $(cat stdout)"

# Several runs.
run compare --sched eager,dmda,lws --replicas 3 --perturb 0.1 -- "$program" good 10
run compare --format csv -- "$program" good 10
[ "$(grep -c '^[a-z]' stdout)" -gt 10 ] || complain "compare: not all policies"
run run --twice -- "$program" good 10
run run --bounds -- "$program" good 10
run explain -- "$program" good 10
run explore --budget 20 -- "$program" good 10
run graph save -o graph.rec -- "$program" plain 10
[ "$(grep -c '^Name' graph.rec)" -eq 10 ] ||
    complain "graph save: not 10 tasks"
run run --token token -- "$program" good 10
run replay "$(cat token)" --app "-- $program good 10"
"$orrery" replay @token --app "-- $program good 11" >stdout 2>stderr &&
    complain 'replay with other arguments: no error'
grep -q "not the one of the token, 'remote_program good 10'" stderr ||
    complain "replay with other arguments: $(cat stderr)"
"$orrery" replay @token >stdout 2>stderr && complain 'replay without the program: no error'
grep -qF "give them again: --app '-- remote_program good 10' (with its folder)" stderr ||
    complain "replay without the program: $(cat stderr)"
run sweep --vary gpus=1,2 --output results.db -- "$program" good 10
# A campaign may vary what the program asks for, and its file names a program. An
# argument of a program is no campaign file.
run sweep --vary sched=dmda,lws --output policies.db -- "$program" good 10 no.ini
run results policies.db --format csv
[ "$(cut -d , -f 4 stdout | tr '\n' ' ')" = 'sched dmda lws ' ] ||
    complain "sweep --vary sched: $(cat stdout)"
printf '[campaign]\napp=-- %s good\noutput=file.db\n[vary]\narguments=good 4;good 6\n' \
    "$program" >campaign.ini
run sweep campaign.ini
grep -q '^file.db: 2 of 2 runs, 0 failed' stdout || complain "campaign: $(cat stdout)"

refuses() { # message, arguments of orrery
    message=$1
    shift
    "$orrery" "$@" >stdout 2>stderr && complain "$*: no error"
    grep -q WARNING stderr && complain "$*: $(cat stderr)"
    grep -qF -e "$message" stderr || complain "$*: $(cat stderr)"
}
refuses 'signal 6 (Aborted) ends it; its last call is orr_run_now()' \
    run -- "$program" crash
refuses 'it exits with status 3 without starpu_shutdown()' run -- "$program" exit
refuses 'it exits with status 5 without starpu_shutdown(); it has not called' \
    run -- "$program" stranger
refuses 'starpu_task_submit(): codelet gemm has no cpu_funcs' run -- "$program" fail
refuses 'a program has one session' run -- "$program" twice
refuses 'in another process than starpu_init()' run -- "$program" fork
refuses 'it sends what is no call of this version' run -- "$program" garbage
refuses "a callback, which files of graphs" graph save -o x.rec -- "$program" good
refuses "a callback, which files of graphs" graph save -o x.rec -- "$program" data
refuses 'there is no memory node 99' run -- "$program" node
refuses 'No such file or directory' run -- ./absent
refuses '--where: remote_program does not list its kernels' \
    run --where gemm=cpu -- "$program" good
refuses "is a program, not a shared library: write '-- $program', and" \
    run "$program"

# Help is about programs, too, and the options of one are shown.
run run --help
grep -qF 'orrery run [OPTION...] -- PROGRAM [ARGUMENT...]' stdout &&
    grep -q '^  --execute ' stdout || complain "run --help: $(cat stdout)"
run app show -- "$program" good 10
grep -q '^--arguments TEXT .* good 10 ' stdout || complain "app show: $(cat stdout)"

# Messages that make no sense end the program, not the command: no signal, no wait. A
# program that happens to end its run in time is a good one.
count=20
[ "${test_length:-short}" != full ] || count=500
seed=0
while [ $seed -lt $count ]; do
    timeout 60 "$orrery" run --time-limit 20 -- "$program" random 4 $seed \
        >stdout 2>stderr
    status=$?
    [ $status -lt 124 ] ||
        complain "random messages, seed $seed: $status, $(tail -n 3 stderr)"
    seed=$((seed + 1))
done
exit $bad
