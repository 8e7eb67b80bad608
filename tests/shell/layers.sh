#!/bin/sh
# The plan of the house. A file may include files of its own folder and of
# folders further to the right in the plan, never of folders to the left:
#
#   rooms    tests > apps > runtime > sched > models
#   apps     cli > chart > experiment > sweep > campaign > search > token > histogram > explain > simulation > html >
#            trace > facts > settings > options > picture > output > programs
#   runtime  (root) > explore > diagnosis > lockstep > executor > application >
#            worker > data > graph > engine > races
#   sched    (root) > guard > darts > policy > evict > queue > contract
#   models   bounds > dagtime > import > starpu > format > platform > dagfile >
#            dag > energy > cost > xml > base > (root)
#
# (root) is what lies in the room itself. In runtime/ that wires the rest. In
# models/ it is what policies need too, and is installed. The contract of
# sched/ is sched.h and evict.h, which are installed, and host.[ch].
#
# Two exceptions: every file of runtime/ may include orrery.h, orrery_trace.h,
# decision_history.h and digest.h, which include nothing of runtime/ themselves;
# and a .c file, but no header, may include run.h, the context that it works in.
#
# Nor may files of one room include each other in a cycle. A module, that is x.c,
# x.h and x_private.h, counts as one file; run.h as context does not count.
#
# Beside that: every header has an include guard of its own, names in #include are
# relative to the root, what users compile includes nothing of ours but the public
# header, and installed headers name no others.
set -u
cd "$abs_top_srcdir" || exit 1
rooms='models sched runtime apps tests'
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
bad=0

complain() { # what is wrong, a line each; or nothing
    [ -z "$1" ] || { echo "$1"; bad=1; }
}

for room in $rooms docs; do
    [ -d "$room" ] || { echo "$room: no such folder"; exit 1; }
done

# Each #include of a file that is not a library's, as "FILE NAME".
# shellcheck disable=SC2086 # names of rooms are words
find $rooms -name '*.[ch]' -exec grep -HE '^[[:space:]]*#[[:space:]]*include' \
    {} + | sed -nE 's,^([^:]*):[^"<]*("([^"]*)"|<(models|sched|runtime|apps|tests)/([^>]*)>).*,\1 \3\4/\5,p' |
    sed 's,/$,,' | grep -v ' config\.h$' | sort -u >"$folder/includes"

# What goes against the plan: "FILE FILE" for an #include, "cycle: MODULE..." for
# modules that include each other.
awk '
    # Where a file is: as "ROOM/SUB-ROOM", as the plan calls them.
    function place(file,    parts, count) {
        if (file ~ /^sched\/(sched\.h|evict\.h|host\.[ch])$/)
            return "sched/contract"
        count = split(file, parts, "/")
        return parts[1] "/" (count > 2 ? parts[2] : "root")
    }
    function module(file) {
        sub(/(_private)?\.[ch]$/, "", file)
        return file
    }
    function plan(room, names,    parts, count, i) {
        height[room] = ++rooms
        count = split(names, parts, " ")
        for (i = 1; i <= count; i++)
            rank[room "/" parts[i]] = i
    }
    function reach(start, node,    next_ones, count, i) {
        count = split(uses[node], next_ones, " ")
        for (i = 1; i <= count; i++) {
            if (!((start, next_ones[i]) in reaches)) {
                reaches[start, next_ones[i]] = 1
                reach(start, next_ones[i])
            }
        }
    }
    BEGIN {
        plan("tests", "")
        plan("apps", "cli chart experiment sweep campaign search token histogram explain simulation html trace " \
             "facts settings options picture output programs")
        plan("runtime", "root explore diagnosis lockstep executor application worker data " \
             "graph engine races")
        plan("sched", "root guard darts policy evict queue contract")
        plan("models", "bounds dagtime import starpu format platform dagfile dag " \
             "energy cost xml fit base root")
        plain["runtime/orrery.h"] = plain["runtime/orrery_trace.h"] = 1
        plain["runtime/orrery_report.h"] = plain["runtime/orrery_data.h"] = 1
        plain["runtime/decision_history.h"] = plain["runtime/digest.h"] = 1
    }
    {
        from = place($1); to = place($2)
        split(from, a, "/"); split(to, b, "/")
        if (!(b[1] in height)) {
            print $1, $2 # not relative to the root
            next
        }
        if (a[1] != b[1]) {
            if (height[a[1]] > height[b[1]])
                print $1, $2
            next
        }
        if (a[1] == "tests")
            next
        if ($1 in plain && b[1] == "runtime" ||
            !(from in rank) || !(to in rank)) {
            print $1, $2
            next
        }
        if ($2 == "runtime/run.h" && $1 ~ /\.c$/)
            next
        if (rank[from] > rank[to] && !($2 in plain))
            print $1, $2
        if (module($1) != module($2))
            uses[module($1)] = uses[module($1)] " " module($2)
    }
    END {
        for (node in uses)
            reach(node, node)
        for (node in uses) {
            # Told once, by the first of its names.
            first = (node, node) in reaches
            circle = ""
            count = 0
            for (other in uses) {
                if (!((node, other) in reaches && (other, node) in reaches))
                    continue
                if (other < node)
                    first = 0
                names[++count] = other
            }
            if (!first)
                continue
            for (i = 1; i <= count; i++) { # insertion sort
                for (j = i; j > 1 && names[j - 1] > names[j]; j--) {
                    swap = names[j]
                    names[j] = names[j - 1]
                    names[j - 1] = swap
                }
            }
            for (i = 1; i <= count; i++)
                circle = circle " " names[i]
            print "cycle:" circle
        }
    }' "$folder/includes" | sort >"$folder/found"

complain "$(sed 's/^/against the plan: /' "$folder/found")"
[ -s "$folder/includes" ] || { echo "nothing to look at"; bad=1; }

# shellcheck disable=SC2086
complain "$(find $rooms -name '*.h' -exec awk '
    FNR == 1 { file[++files] = FILENAME }
    /^#ifndef / && !(FILENAME in guard) { guard[FILENAME] = $2 }
    END {
        for (i = 1; i <= files; i++) {
            name = guard[file[i]]
            if (name == "")
                print file[i] ": no include guard"
            else if (name in owner)
                print file[i] ": has the include guard of " owner[name]
            owner[name] = file[i]
        }
    }' {} +)"

complain "$(find docs -name '*.[ch]' -exec grep -nHE '#include "' {} + |
    grep -v '"config\.h"')"
complain "$(grep -nH '#include "' runtime/orrery.h)"

# Headers that are installed name no file that is not.
installed=$(sed -n '/^[a-z_]*include_HEADERS = /,/[^\\]$/p' Makefile.am |
    grep -oE '[a-z]+/[a-z]+\.h')
[ "$(echo "$installed" | wc -l)" -ge 6 ] || complain "no installed headers"
# shellcheck disable=SC2086 # a list of words
complain "$(grep -noHE '[A-Za-z_]+(/[A-Za-z_]+)*\.[ch]\>' $installed |
    awk -F: -v installed="$installed" '
        BEGIN {
            count = split(installed, names, "\n")
            for (i = 1; i <= count; i++)
                is_installed[names[i]] = 1
        }
        $3 ~ /\// && !($3 in is_installed) || $3 ~ /\.c$/ {
            print $1 ":" $2 ": names " $3 ", which is not installed"
        }')"
exit $bad
