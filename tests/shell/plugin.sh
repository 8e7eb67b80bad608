#!/bin/sh
# Policies in files of their own: one that is right runs wherever a policy is
# named, and each that is not is refused in one line that says why.
. "$abs_top_srcdir/tests/shell/plugin_test.sh"

compile() { # result, then options
    result=$1
    shift
    # shellcheck disable=SC2046 # a list of words
    $CC -Wall -Wextra -Werror -O1 -fPIC -shared "$@" -o "$result" \
        "$abs_top_srcdir/tests/plugins/fifo.c" \
        $(pkg-config --cflags orrery) || exit 1
}

# Fails unless `orrery run --sched FILE` ends with status 1 and the message.
refuses() { # file, message
    "$orrery" run cholesky --tiles 2 --sched "$1" >stdout 2>stderr
    status=$?
    [ $status -eq 1 ] || complain "$1: status $status"
    [ ! -s stdout ] || complain "$1: it ran"
    [ "$(cat stderr)" = "orrery run: $1: $2" ] ||
        complain "$1: expected \"$2\"; there is: $(cat stderr)"
}

# A plug-in is a policy like others, and its file is named.
compile fifo.so
for name in fifo.so ./fifo.so "$folder/fifo.so"; do
    "$orrery" run cholesky --tiles 4 --sched "$name" --format json >run.json ||
        complain "run does not take $name"
    grep -q '"sched": "fifo"' run.json || complain "$name is not called fifo"
    grep -qF "\"sched_file\": \"$name\"" run.json || complain "$name is not named"
done
"$orrery" run cholesky --tiles 4 --sched ./fifo.so | grep -q \
    '^policy *fifo (./fifo.so)$' || complain "run does not name the file"

# Policies may be called the same; each thread finds what was loaded first.
compile other.so -DNAME='"dmda"'
"$orrery" compare cholesky --tiles 4 --sched eager,./fifo.so,dmda,other.so \
    --replicas 8 --perturb 0.1 --format json >compare.json ||
    complain "compare takes no plug-ins"
grep -oE '^          "sched(_file)?": [^,]*' compare.json | sed 's/^ *//' >named
diff - named <<'NAMES' || complain "compare: other names"
"sched": "eager"
"sched_file": null
"sched": "fifo"
"sched_file": "./fifo.so"
"sched": "dmda"
"sched_file": null
"sched": "dmda (other.so)"
"sched_file": "other.so"
NAMES
"$orrery" compare cholesky --tiles 2 --sched ./fifo.so,dmda | grep -q \
    '^policy *fifo (./fifo.so)$' || complain "compare does not name the file"

# What is no plug-in.
refuses ./absent.so 'No such file or directory'
echo 'not a shared object' >text.so
refuses ./text.so 'cannot be loaded: file too short'
head -c 4096 /dev/zero >zero.so
refuses zero.so 'cannot be loaded: invalid ELF header'
mkdir folder.so
refuses ./folder.so 'not a regular file'
compile undefined.so -DPOP=nowhere
refuses ./undefined.so 'cannot be loaded: undefined symbol: nowhere'
compile nothing.so -DSYMBOL=something_else
refuses ./nothing.so \
    'is not a policy: the line ORR_SCHED_PLUGIN(...) of sched/sched.h is missing'

# What was compiled with something else, or says nonsense.
compile magic.so -DMAGIC=7
refuses ./magic.so 'its orr_sched_plugin was not made with ORR_SCHED_PLUGIN()'
compile version.so -DVERSION=ORR_SCHED_VERSION+1
this=$(sed -n 's/#define ORR_SCHED_VERSION //p' "$abs_top_srcdir/sched/sched.h")
refuses ./version.so "compiled for version $((this + 1)) of sched/sched.h, \
and this is version $this: recompile it"
for size in OPS_SIZE TASK_SIZE; do
    compile size.so -D$size=8
    refuses ./size.so 'compiled with another sched/sched.h than this program: recompile it'
done
compile policy.so -DPOLICY=NULL
refuses ./policy.so 'has no policy: ORR_SCHED_PLUGIN(NULL)'
compile name.so -DNAME='"Fifo"'
refuses ./name.so 'the name of its policy must consist of the letters a-z, digits and dashes'
compile none.so -DNAME=NULL
refuses ./none.so 'the name of its policy must consist of the letters a-z, digits and dashes'
compile push.so -DPUSH=NULL
refuses ./push.so 'policy fifo lacks the function push'
compile pop.so -DPOP=NULL
refuses ./pop.so 'policy fifo lacks the function pop'
compile negative.so -DMAX_PRIORITY=-1
refuses ./negative.so 'policy fifo: max_priority is negative'

# How policies queue is known of built-in ones only: nobody guards the steps.
for member in central steal; do
    (compile queueing.so -DMAX_PRIORITY="0, .$member = 0") 2>errors &&
        complain "a plug-in can set the member $member"
    grep -qF "has no member named '$member'" errors || cat errors
done
exit $bad
