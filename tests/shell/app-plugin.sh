#!/bin/sh
# Applications in files of their own: one that is right runs wherever an APP is
# named, and each that is not is refused in one line that says why.
. "$abs_top_srcdir/tests/shell/plugin_test.sh"

compile() { # result, source, then options
    result=$1
    source=$2
    shift 2
    # shellcheck disable=SC2046 # a list of words
    $CC -Wall -Wextra -Werror -O1 -fPIC -shared "$@" -o "$result" \
        "$abs_top_srcdir/tests/plugins/$source.c" \
        $(pkg-config --cflags orrery) || exit 1
}

# The functions that an object gives to others.
gives() { # object
    nm -D "$abs_top_builddir/$1" | sed -n 's/.* T \(orr_[a-z_0-9]*\).*/\1/p' | sort
}
gives liborrery.so >library
gives orrery >program
if [ ! -s library ] || [ -n "$(comm -23 library program)" ]; then
    complain "functions of the library that the program lacks: $(comm -23 library program)"
fi

run() { # arguments of orrery
    "$orrery" "$@" >stdout 2>stderr || complain "$*: $(cat stderr)"
}

# Fails unless `orrery ARGUMENTS` ends with that status and message alone.
refuses() { # status, message, arguments
    wanted=$1
    message=$2
    shift 2
    "$orrery" "$@" >stdout 2>stderr
    status=$?
    [ $status -eq "$wanted" ] || complain "$*: status $status"
    [ ! -s stdout ] || complain "$*: it ran"
    [ "$(tail -n 1 stderr)" = "orrery $1: $message" ] ||
        complain "$*: expected \"$message\"; there is: $(cat stderr)"
}

has() { # text
    grep -qF -- "$1" stdout || complain "no \"$1\" in: $(cat stdout)"
}

# Its file is named, and its options are options of the command.
compile wall.so wall
for name in wall.so ./wall.so "$folder/wall.so"; do
    run run "$name" --format json
    has '"app": "wall"'
    has "\"app_file\": \"$name\""
    has '"gflops": null'
    has '"tasks": 26'
done
run run --app ./wall.so --width 5 --height 2 --bond stack --painted \
    --mason Bob
has 'application  wall (./wall.so), width=5, height=2, bond=stack, mortar=0.1,'
has 'speed      not known'
has 'tasks      9'
run app show ./wall.so
has 'file            ./wall.so'
has '--bond B     '
run run ./wall.so --help
has '  --bond B                running or stack'
refuses 2 "unknown option '--height'; see 'orrery run --help'; options of an \
application in a file follow the file" run --height 3 ./wall.so
refuses 2 "unknown option '--tiles'; see 'orrery run --help'" \
    run ./wall.so --tiles 3
refuses 2 'APP and --app cannot be combined' run lu --app ./wall.so
refuses 2 '--height: 9 rows do not stand on 8 bricks' run ./wall.so --height 9
refuses 2 "--height: '1001': expected a whole number from 1 to 1000" \
    run ./wall.so --height 1001

# Other commands: the axis is that of the application, or the list.
run compare ./wall.so --sched dmda,lws --width 4,8 --height 2
has 'width  policy '
has '    4  dmda '
has '    8  lws '
run compare ./wall.so --sched dmda,lws --height 2,4
has 'height  policy '
run compare ./wall.so --sched eager --sizes 4:8:4
has '    8  eager '
run compare ./wall.so --sched dmda,lws --format json
has '"critical_path_s"'
run ablate ./wall.so --width 4,8 --degrade memory
has 'width   runs/s  memory'
run explore ./wall.so --width 4 --height 3 --budget 50
has 'No hang was found.'

# Traces of a run tell fixed: what to repeat, in each format.
run run ./wall.so --width 4 --trace wall.rec --trace wall.csv
makespan=$(grep '^makespan' stdout)
for trace in wall.rec wall.csv; do
    run run ./wall.so --width 4 --sched fixed:$trace
    has "$makespan"
    run run wall.rec --sched fixed:$trace
    has "$makespan"
done

# An option with a shape: one number or several, also as a list; in plots its
# geometric mean.
compile grid.so grid
run run ./grid.so --tiles 9x4 --format json
has '"tiles": "9x4"'
has '"tasks": 36'
run run ./grid.so --tiles 3 --format json --token grid-token
has '"tiles": "3x3"'
run replay @grid-token --app ./grid.so --format json
has '"tiles": "3x3"'
has '"tasks": 9'
refuses 2 "--tiles: '3x': expected 1 to 3 whole numbers from 1 to 100, \
separated by 'x'" run ./grid.so --tiles 3x
refuses 2 '--tiles: a grid has two dimensions' run ./grid.so --tiles 3x2x1
run compare ./grid.so --sched dmda,lws --tiles 9x4,1x4,5
has '  1x4  dmda '
has '  5x5  lws '
has '  9x4  lws '
run ablate ./grid.so --tiles 9x4,2x2 --degrade memory
has 'tiles    runs/s  memory'
refuses 2 "--tiles: '3y': expected 1 to 3 whole numbers from 1 to 100, \
separated by 'x'" compare ./grid.so --sched dmda,lws --tiles 9x4,3y
run app show ./grid.so
has '--tiles MxN'
if command -v gnuplot >/dev/null; then
    run compare ./grid.so --sched dmda,lws --tiles 9x4,1x4 --plot grid.svg
    grep -q 'tiles (geometric mean)' grid.svg || complain "the plot has no title"
fi

# A token has the name of the file and its hash; it never chooses a file.
mkdir there
run run ./wall.so --width 5 --token there/token --format json
grep -v -e wall_s -e app_file stdout >first
(cd there && "$orrery" replay @token) 2>stderr && complain "which file?"
grep -qF "give them again: --app FILE (the application 'wall.so')" stderr ||
    complain "no file is asked for: $(cat stderr)"
(cd there && "$orrery" replay @token --app ../wall.so --format json) |
    grep -v -e wall_s -e app_file | diff first - ||
    complain "replay: another run"
cp wall.so other.so
echo >>other.so
refuses 1 "the application ./other.so is not the one of the token, 'wall.so': \
the content differs" replay @there/token --app ./other.so
run run lu --tiles 2 --token token
refuses 2 "--app './wall.so': the token was made without a file of an \
application" replay @token --app ./wall.so

# What is no plug-in, or was compiled with something else.
table() { # message, members that are others: NAME=VALUE
    message=$1
    shift
    (
        for member; do
            export "WALL_$member"
        done
        refuses 1 "./wall.so: $message" run ./wall.so
        exit $bad
    ) || bad=1
}
refuses 1 './absent.so: No such file or directory' run ./absent.so
echo 'not a shared object' >text.so
refuses 1 './text.so: cannot be loaded: file too short' run ./text.so
compile fifo.so fifo
refuses 1 './fifo.so: is a policy, for --sched, and not an application' \
    run ./fifo.so
compile bad.so wall -DSYMBOL=something_else
refuses 1 './bad.so: is not an application: the line ORR_APP_PLUGIN(...) of '"\
orrery_app.h is missing" run ./bad.so
table 'its orr_app_plugin was not made with ORR_APP_PLUGIN()' MAGIC=7
this=$(sed -n 's/#define ORR_APP_VERSION //p' \
    "$abs_top_srcdir/runtime/orrery_app.h")
table "compiled for version $((this + 1)) of orrery_app.h, and this is version \
$this: recompile it" VERSION=$((this + 1))
table 'compiled with another orrery_app.h than this program: recompile it' \
    OPTION_SIZE=8
table 'has no application: ORR_APP_PLUGIN(NULL)' APP=NULL
table 'the name of its application must consist of the letters a-z, digits and dashes' \
    NAME=Wall
table 'application wall has no summary, a short text' SUMMARY='a
b'
table 'application wall lacks the function submit' SUBMIT=NULL
table 'two options have the name --width' OPTION=width
table 'option --seed has the name of an option that every application has' \
    OPTION=seed
table 'option --raw has the name of an option that every application has' \
    OPTION=raw
table 'option --tasks has the name of a fact that reports have' \
    OPTION=tasks
table 'the name of option 2 must begin with a letter a-z and consist of these, digits and dashes' \
    OPTION=--height
table 'the help of option --height is not a short text' HELP=NULL
table 'option --height has no kind' KIND=7
table 'min or max of option --height is not a whole number of at most 2^53' \
    MIN=0.5
table 'min of option --height is above max' MIN=9 MAX=8
table "the default of --height: 'many': expected a whole number from 1 to 1000" \
    PRESET=many
table 'its axis is not the name of an option of kind COUNT or SHAPE' AXIS=bond

table "the default of --height: '9x0': expected 1 to 3 whole numbers from 1 to \
1000, separated by 'x'" KIND=SHAPE PRESET=9x0
table 'min or max of option --height is not a whole number of at most 2^53' \
    KIND=SHAPE MIN=0.5

# No option takes the place of a member that stands beside the options in a
# report: one of that name is refused. Names of options have no underscore.
members() { # spaces before them, arguments of orrery
    indent=$1
    shift
    run "$@" --format json
    sed -n "s/^ \{$indent\}\"\([a-z]*\)\": .*/\1/p" stdout
}
{
    members 2 run ./wall.so
    members 6 compare ./wall.so --sched dmda,ws
    members 2 ablate ./wall.so --sched dmda --width 8
} >members
[ "$(grep -cx -e tasks -e policies -e degradations members)" -eq 3 ] ||
    complain "members: $(cat members)"
for member in $(grep -vxE 'width|height|bond|mortar|painted|mason' members |
    sort -u); do
    WALL_OPTION=$member "$orrery" app show ./wall.so >stdout 2>stderr &&
        complain "an option may have the name of the fact $member"
done

# Functions that do what none may: one file, whose environment says what.
compile rogue.so rogue_app
be() { # what, where
    ROGUE_WHAT=$1
    ROGUE_WHERE=$2
    export ROGUE_WHAT ROGUE_WHERE
}

misbehaves() { # status
    # What a call has allocated when it is ended is lost: no leak of ours.
    ASAN_OPTIONS=detect_leaks=0
    export ASAN_OPTIONS
    refuses 1 "$1" run ./rogue.so --plugin-timeout 0.5
    unset ASAN_OPTIONS
}
null='crashes: segmentation fault, at a null pointer'
while IFS='|' read -r what where message; do
    # The null pointer is read by the library, where a sanitizer sees it first.
    # shellcheck disable=SC2154 # automake sets it
    [ "$what" != NULL_SPEC ] || [ -z "$sanitizers" ] || continue
    be "$what" "$where"
    case $where in
    LOAD | TABLE)
        misbehaves "application file ./rogue.so: its constructor or table $message"
        ;;
    *)
        name=$(echo "$where" | tr '[:upper:]' '[:lower:]')
        misbehaves "application rogue (./rogue.so): $name() $message"
        ;;
    esac
done <<CRIMES
CRASH|SUBMIT|$null
CRASH|COMPLETE|$null
CRASH|TASKS|$null
CRASH|FLOPS|$null
CRASH|LOAD|$null
NONE|TABLE|crashes: segmentation fault
LIBRARY|SUBMIT|$null
ABORT|SUBMIT|crashes: it aborts
DIVIDE|SUBMIT|crashes: arithmetic error, such as a division by zero
RECURSE|SUBMIT|crashes: stack overflow; endless recursion?
EXIT|SUBMIT|calls exit()
EXIT|COMPLETE|calls exit()
EXIT|LOAD|calls exit()
EXIT_AT_ONCE|SUBMIT|calls exit()
LOOP|SUBMIT|does not return within 0.5 s
LOOP|TASKS|does not return within 0.5 s
NO_ERROR|SUBMIT|fails without an error
NO_ERROR|COMPLETE|fails without an error
WILD_ERROR|COMPLETE|crashes: segmentation fault
WRONG_OPTION|SUBMIT|crashes: it aborts, by g_error() or a breakpoint
WRONG_KIND|SUBMIT|crashes: it aborts, by g_error() or a breakpoint
WILD_DATA|SUBMIT|crashes: segmentation fault
WILD_KERNEL|SUBMIT|crashes: segmentation fault
NULL_SPEC|SUBMIT|$null
FORK|SUBMIT|calls fork()
MANY_DATA|SUBMIT|does not return within 0.5 s
CRIMES

# A corrupt heap, whose lock stays taken; a jump to a function that has
# returned, after which all may happen. Sanitizers notice these on their own.
if [ -z "$sanitizers" ]; then
    be BAD_FREE SUBMIT
    timeout -k 1 60 "$orrery" run ./rogue.so >stdout 2>stderr
    status=$?
    [ $status -eq 1 ] && [ ! -s stdout ] && grep -qE \
        '^orrery run: application rogue \(./rogue.so\): submit\(\) crashes: it aborts' \
        stderr || complain "BAD_FREE: status $status: $(cat stdout stderr)"
    be BAD_HEAP SUBMIT
    timeout -k 1 60 "$orrery" run ./rogue.so >stdout 2>stderr
    status=$?
    [ $status -eq 1 ] && [ ! -s stdout ] && [ "$(cat stderr)" = "orrery run: \
application rogue (./rogue.so): submit() crashes: segmentation fault, with a \
corrupt heap" ] || complain "BAD_HEAP: status $status: $(cat stdout stderr)"
    be JUMP SUBMIT
    timeout -k 1 60 "$orrery" run ./rogue.so --plugin-timeout 0.5 >stdout 2>stderr
    status=$?
    [ $status -eq 1 ] && [ ! -s stdout ] && [ "$(wc -l <stderr)" -eq 1 ] &&
        grep -q '^orrery run: .*rogue' stderr && ! grep -q null stderr ||
        complain "JUMP: status $status: $(cat stdout stderr)"
fi

# An application that does not notice its error, and submits for ever.
be ENDLESS SUBMIT
misbehaves 'task 4 (unnamed): kernel is NULL'

# More tasks than can be simulated are refused before the first.
be NONE SUBMIT
refuses 1 'rogue has 1e+10 tasks; at most 1e+09 can be simulated' \
    run ./rogue.so --count 10000000000
refuses 1 'rogue has 1e+09 tasks; more than 5e+07 can only be simulated with a submission window' \
    run ./rogue.so --count 1000000000
run run ./rogue.so --count 100
has 'tasks      101'

# It may crash under any policy, and so in every thread.
be CRASH SUBMIT
ASAN_OPTIONS=detect_leaks=0 "$orrery" compare ./rogue.so --sched dmda,ws \
    --replicas 4 --perturb 0.1 >stdout 2>stderr
[ $? -eq 1 ] && [ ! -s stdout ] &&
    grep -qF "application rogue (./rogue.so): submit() $null" stderr ||
    complain "compare: $(cat stdout stderr)"
exit $bad
