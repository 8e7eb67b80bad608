#!/bin/sh
# The command line, byte by byte: for each topic, the commands in
# cli/TOPIC.cmd, with what they print and their status, must make
# cli/TOPIC.expected. Lines of the standard error come after those of the
# standard output, marked with "! ".
#
# Usage: cli.sh [--update] [TOPIC...]
#   --update  write what is printed to cli/TOPIC.expected; read it, then
set -u
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${abs_top_builddir:=$abs_top_srcdir/build}"
. "$abs_top_srcdir/tests/shell/drawn.sh"
cases=$abs_top_srcdir/tests/cli
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" || exit 1
ln -s "$abs_top_builddir/orrery" "$folder/bin/orrery"
PATH=$folder/bin:$PATH
LC_ALL=C
export PATH LC_ALL abs_top_srcdir
version=$(orrery --version) || exit 1
version=${version#orrery }

# What differs between machines, versions and runs; and how many steps the
# simulator took, which may change as long as what it finds does not.
neutral() {
    sed -e "/^\\$ /b" -e "s|$abs_top_srcdir|SRCDIR|g" \
        -e "s|\\b$(echo "$version" | sed 's/\./\\./g')\\b|VERSION|g" \
        -e 's|\("simulation_wall_s": \)[-+.0-9e]*|\1WALL|' \
        -e 's|\("events": \)[0-9]*|\1EVENTS|' \
        -e 's|\("exploration_wall_s": \)[-+.0-9e]*|\1WALL|' \
        -e 's|\("schedules_per_s": \)[-+.0-9e]*|\1SPEED|' \
        -e 's|^exploration_wall_s,.*|exploration_wall_s,WALL|' \
        -e 's|^schedules_per_s,.*|schedules_per_s,SPEED|' \
        -e 's| distinct, in .* s: .* per second| distinct, in WALL s: SPEED per second|' \
        -e 's|simulated this with [0-9]* events|simulated this with EVENTS events|' \
        -e 's|EVENTS events in .* s: .* tasks/s|EVENTS events in WALL s: SPEED tasks/s|' \
        -e 's|\borr1-[-_A-Za-z0-9]\{40,\}|TOKEN|g' \
        -e 's!\(\.[0-9]*\),[0-9][0-9]*,[-+.0-9e]*\(,,[0-9][0-9]*,[0-9]\)!\1,EVENTS,WALL\2!' \
        -e t \
        -e 's!,,[0-9][0-9][0-9]*,[-+.0-9e]*,!,,EVENTS,WALL,!'
}

# Prints which commands are left out: those after the line "# In lock-step:", in
# a build without lock-step, as they would print other numbers; those after the
# line "# At full length:", unless test_length is full; and those after the line
# "# Not with sanitizers:", which take seconds there, unless test_length is full.
left_out() { # topic
    awk -v lockstep="${lockstep:-yes}" -v full="${test_length:-short}" \
        -v sanitizers="${sanitizers-}" '
        skip { print "$ " $0 }
        { skip = $0 == "# In lock-step:" && lockstep == "no" ||
            $0 == "# At full length:" && full != "full" ||
            $0 == "# Not with sanitizers:" && sanitizers && full != "full" }' "$cases/$1.cmd"
}

commands() { # topic; what is left out is in the file left_out
    awk 'FILENAME == ARGV[1] { left_out[$0]; next }
        /./ && !/^#/ && !(("$ " $0) in left_out)' "$folder/left_out" "$cases/$1.cmd"
}

expected() { # topic; what is left out is in the file left_out
    awk 'FILENAME == ARGV[1] { left_out[$0]; next }
        /^\$ / { out = $0 in left_out }
        !out' "$folder/left_out" "$cases/$1.expected"
}

# A process more for each command would cost seconds: there are 848 of them. So awk
# puts the answers of a topic together at the end.
answers() { # topic
    rm -rf "$folder/work" "$folder/answers"
    mkdir "$folder/work" "$folder/answers"
    cd "$folder/work" || exit 1
    commands "$1" >"$folder/answers/lines"
    number=0
    while IFS= read -r line; do
        number=$((number + 1))
        (eval "$line") </dev/null >../answers/$number.out 2>../answers/$number.err
        echo $?
    done <"$folder/answers/lines" >"$folder/answers/statuses"
    cd "$folder" || exit 1
    awk -v folder="$folder/answers/" '
        function copy(file, mark,    line) {
            while ((getline line <file) > 0)
                print mark line
            close(file)
        }
        {
            print "$ " $0
            copy(folder NR ".out", "")
            copy(folder NR ".err", "! ")
            getline status <(folder "statuses")
            print "=> " status
        }' "$folder/answers/lines" | neutral
}

update=false
if [ "${1-}" = --update ]; then
    update=true
    test_length=full
    shift
fi
if [ $# -eq 0 ]; then
    number=0
    for topic in $(basename -s .cmd "$cases"/*.cmd); do
        number=$((number + 1))
        $update || drawn $number 2 || continue
        set -- "$@" "$topic"
    done
fi
bad=0
for topic; do
    left_out "$topic" >"$folder/left_out"
    if $update; then
        answers "$topic" >"$cases/$topic.expected"
    else
        answers "$topic" >"$folder/actual"
        expected "$topic" >"$folder/expected"
        diff -u "$folder/expected" "$folder/actual" || bad=1
    fi
done
exit $bad
