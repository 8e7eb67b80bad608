#!/bin/sh
# A token chooses no file: who replays it gives the files that it was made with,
# and no code of a plug-in runs before the hash is right.
. "$abs_top_srcdir/tests/shell/plugin_test.sh"

# A policy that leaves a mark as soon as it is loaded.
compile() { # result, mark
    { printf '#include <stdlib.h>\n__attribute__((constructor)) '
      printf 'static void load(void) { (void)!system("touch %s"); }\n' "$2"
      printf '#include "%s"\n' "$abs_top_srcdir/tests/plugins/fifo.c"
    } >marking.c
    # shellcheck disable=SC2046 # a list of words
    $CC -O1 -fPIC -shared -o "$1" marking.c \
        $(pkg-config --cflags orrery) || exit 1
}

refuses() { # status, message, then arguments of replay
    wanted=$1
    message=$2
    shift 2
    for command in replay shrink 'replay --gdb'; do
        rm -f "$folder/loaded" "$folder/evil"
        # shellcheck disable=SC2086 # one word or two
        "$orrery" $command "$@" >"$folder/out" 2>"$folder/err"
        status=$?
        [ $status -eq "$wanted" ] || complain "$command $*: status $status"
        [ ! -s "$folder/out" ] || complain "$command $*: it ran"
        [ "$(cat "$folder/err")" = "orrery ${command% *}: $message" ] ||
            complain "expected \"$message\"; there is: $(cat "$folder/err")"
        [ ! -e "$folder/loaded" ] && [ ! -e "$folder/evil" ] ||
            complain "$command $*: the plug-in was loaded"
    done
}

replays() { # arguments of replay
    "$orrery" replay "$@" --format json >again.json 2>err ||
        complain "replay $*: $(cat err)"
    grep -v simulation_wall_s run.json >run.facts
    grep -v -e simulation_wall_s -e sched_file again.json >again.facts
    grep -v sched_file run.facts | cmp - again.facts ||
        complain "replay $*: another run"
}

mkdir here there
cd here || exit 1
compile it.so "$folder/loaded"
"$orrery" platform save attila --gpus 2 --output machine.xml || exit 1
"$orrery" run cholesky --tiles 4 --trace record.csv >/dev/null || exit 1
"$orrery" run cholesky --tiles 4 --sched ./it.so --platform ./machine.xml \
    --durations replayed --record record.csv --token ../token \
    --format json >../there/run.json || exit 1

# In no folder does the token find its files alone, with any of them missing.
files="the token was made with files; give them again:"
refuses 2 "$files --platform FILE (the platform 'machine.xml'), --sched FILE (the policy 'it.so'), --record FILE (the record 'record.csv')" @../token
cd ../there || exit 1
refuses 2 "$files --sched FILE (the policy 'it.so')" @../token \
    --platform ../here/machine.xml --record ../here/record.csv
refuses 2 "$files --record FILE (the record 'record.csv')" @../token \
    --platform ../here/machine.xml --sched ../here/it.so
refuses 2 "$files --platform FILE (the platform 'machine.xml')" @../token \
    --record ../here/record.csv --sched ../here/it.so

# From another folder, and when the files have other names.
replays @../token --sched ../here/it.so --platform ../here/machine.xml \
    --record ../here/record.csv
[ -e "$folder/loaded" ] || complain "the plug-in was not loaded"
cp ../here/it.so that.so
cp ../here/machine.xml that.xml
cp ../here/record.csv that.csv
replays @../token --sched ./that.so --platform that.xml --record that.csv

# What is given is what the token was made with, or nothing is loaded.
compile evil.so "$folder/evil"
refuses 1 "the policy ./evil.so is not the one of the token, 'it.so': the content differs" \
    @../token --sched ./evil.so --platform that.xml --record that.csv
echo >>that.csv
refuses 1 "the record that.csv is not the one of the token, 'record.csv': the content differs" \
    @../token --sched ./that.so --platform that.xml --record that.csv
refuses 1 "the platform attila is not the one of the token, 'machine.xml': the content differs" \
    @../token --sched ./that.so --platform attila --record ../here/record.csv
refuses 1 './no.so: No such file or directory' \
    @../token --sched ./no.so --platform that.xml --record ../here/record.csv

# A token that needs no files; its platform may be a file here.
"$orrery" run cholesky --tiles 4 --token ../plain --format json >run.json
replays @../plain
"$orrery" platform save attila --output attila.xml || exit 1
replays @../plain --platform ./attila.xml
refuses 2 "--sched './that.so': the token was made without a file of a policy" \
    @../plain --sched ./that.so
refuses 2 "--record 'that.csv': the token was made without a file of a record" \
    @../plain --record that.csv

# A calibration is a folder, which the token does not choose either.
sampling=$abs_top_srcdir/tests/starpu-sampling
if "$orrery" run cholesky --tiles 4 --platform "starpu:$sampling:tiny" \
    --token ../starpu --format json >run.json 2>err; then
    refuses 2 "$files --platform FILE (the platform 'starpu:starpu-sampling:tiny')" \
        @../starpu
    replays @../starpu --platform "starpu:$sampling:tiny"
else
    complain "no run of a calibration: $(cat err)"
fi

# What is printed to be typed next can be typed, in the same folder.
cp "$abs_top_srcdir/tests/zoo/lost-wakeup.c" policy.c
mkdir 'a folder'
# shellcheck disable=SC2046
$CC -O1 -fPIC -shared -o 'a folder/it.so' policy.c -I"$abs_top_srcdir" \
    $(pkg-config --cflags orrery) || exit 1
hangs() { # file with the command
    sed -n 's/.*\(orrery replay .*\)/\1/p' "$1" | head -n 1 >command
    grep -qF " --sched './a folder/it.so'" command ||
        complain "no option for the policy: $(cat "$1")"
    (eval "$(sed "s,^orrery,\"\$orrery\"," command)") >out 2>err
    [ $? -eq 3 ] || complain "the command does not hang: $(cat command err)"
}
"$orrery" explore cholesky --tiles 6 --cpus 1 --gpus 1 --where potrf=cpu \
    --window 1 --sched './a folder/it.so' --budget 2000 >found 2>&1
[ $? -eq 3 ] || complain "explore finds no hang"
hangs found
sed -n 's/^ *orrery replay \([^ ]*\) .*/\1/p' found >token
"$orrery" shrink @token --sched './a folder/it.so' --budget 100 >small ||
    complain "no shrinking"
hangs small
mkdir bin
printf '#!/bin/sh\nwhile [ "$1" != --args ]; do shift; done\nshift\nexec "$@"\n' \
    >bin/gdb
chmod +x bin/gdb
PATH=$PWD/bin:$PATH "$orrery" replay --gdb @token --sched './a folder/it.so' \
    >out 2>err
[ $? -eq 3 ] || complain "--gdb does not give the policy on: $(cat err)"
"$orrery" run cholesky --tiles 30 --cpus 0 --gpu-memory 60MiB \
    --platform "$PWD/attila.xml" >out 2>err
[ $? -eq 3 ] || complain "the run does not hang"
sed -n 's/.*\(orrery replay .*\)/\1/p' err >command
(eval "$(sed "s,^orrery,\"\$orrery\"," command)") >out 2>err
[ $? -eq 3 ] || complain "the command of a run does not hang: $(cat command err)"

# --token is checked before the run, which takes long.
"$orrery" run cholesky --tiles 2000 --token /nosuch/token >out 2>err
[ $? -eq 1 ] || complain "--token in no folder"
[ "$(cat err)" = "orrery run: /nosuch/token: No such file or directory" ] ||
    complain "--token in no folder: $(cat err)"
exit $bad
