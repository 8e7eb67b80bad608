#!/bin/sh
# The plan of the house. A file may include files of its own folder and of
# folders further to the right in the plan, never of folders to the left; nor may
# it call functions there, or use their variables, and its headers declare none:
#
#   rooms    tests > apps > starpu > runtime > sched > models
#   apps     cli > chart > experiment > sweep > campaign > search > token > histogram > explain > simulation > html >
#            trace > facts > settings > options > picture > output > (root)
#   starpu   (root) > session > remote > policy > component > queue > task > model > codelet >
#            data > device > base
#   runtime  programs > remote > (root) > config > explore > diagnosis > lockstep > executor > application >
#            worker > data > graph > engine > races
#   sched    (root) > guard > darts > policy > evict > queue > contract
#   models   bounds > dagtime > import > starpu > format > platform > dagfile >
#            dag > energy > cost > xml > base > (root)
#
# The room starpu is apps/starpu/, a library for programs: below it, it may include
# orrery.h and sched.h alone, and its headers in include/ include each other. Its
# folder remote/ shares the messages of runtime/remote/protocol.h, which includes
# nothing of ours.
#
# (root) is what lies in the room itself. In runtime/ that wires the rest. In
# models/ it is what policies need too, and is installed; in apps/ it is texts that
# the build makes of files. The contract of sched/ is sched.h and evict.h, which are
# installed, host.[ch] and evict_host.[ch].
#
# Two exceptions: every file of runtime/ may include orrery.h, orrery_app.h,
# orrery_trace.h, decision_history.h and digest.h, which include nothing of
# runtime/ themselves; and a .c file of worker/ and the folders to its left, but no
# header, may include run.h, the context that it works in.
#
# Nor may files of one room include each other in a circle. A module, that is x.c,
# x.h and x_private.h, counts as one file; run.h as context does not count, nor does
# store.h in data/. At most
# four files may call each other in a circle. Calls are those of the objects in the
# build folder; without objects they are not looked at.
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

# The same for symbols: "FILE FILE SYMBOL", where the object of the first file uses
# a symbol that the object of the second defines. An object whose source is gone
# does not count.
objects=
[ ! -d "$abs_top_builddir/runtime" ] ||
    objects=$(cd "$abs_top_builddir" && find models sched runtime apps -name '*.o')
: >"$folder/symbols"
for object in $objects; do
    source=${object%.o}.c
    [ ! -f "$source" ] && [ ! -f "$abs_top_builddir/$source" ] || echo "$object"
done >"$folder/objects"
[ ! -s "$folder/objects" ] || (cd "$abs_top_builddir" && xargs nm -P -A) \
    <"$folder/objects" | sed -n 's,\.o: \([^ ]*\) \([A-Z]\).*,.c \1 \2,p' >"$folder/symbols"

# Names in headers that may be declarations, without comments: "FILE SYMBOL".
# shellcheck disable=SC2086
find $rooms -name '*.h' -exec awk '
    function cut(text,    start, end) {
        for (;;) {
            if (inside) {
                end = index(text, "*/")
                if (!end)
                    return ""
                text = substr(text, end + 2)
                inside = 0
            }
            start = index(text, "/*")
            if (!start)
                return text
            inside = 1
            end = index(substr(text, start + 2), "*/")
            if (!end)
                return substr(text, 1, start - 1)
            text = substr(text, 1, start - 1) " " substr(text, start + 2 + end + 1)
            inside = 0
        }
    }
    FNR == 1 { inside = 0 }
    {
        text = cut($0)
        gsub(/(struct|enum|union) +[a-z_0-9]+/, "", text)
        while (match(text, /orr_[a-z0-9_]+/)) {
            print FILENAME, substr(text, RSTART, RLENGTH)
            text = substr(text, RSTART + RLENGTH)
        }
    }' {} + | sort -u >"$folder/names"

# What goes against the plan: "FILE FILE" for an #include, "FILE: SYMBOL of FILE" for
# a call and for a declaration; "circle: FILE..." for modules that include each other,
# and for more than four files that call each other.
awk '
    # Where a file is: as "ROOM/SUB-ROOM", as the plan calls them.
    function place(file,    parts, count) {
        if (file ~ /^sched\/(sched\.h|evict\.h|(evict_)?host\.[ch])$/)
            return "sched/contract"
        sub(/^apps\/starpu\//, "starpu/", file)
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
    # Whether what is at @from may use what is at @to.
    function is_planned(from, to,    a, b) {
        split(from, a, "/"); split(to, b, "/")
        if (!(a[1] in height) || !(b[1] in height))
            return 0
        if (a[1] != b[1])
            return height[a[1]] <= height[b[1]]
        return a[1] == "tests" || \
            (from in rank && to in rank && rank[from] <= rank[to])
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
    # Prints the circles of the graph @uses with more than @most members, and
    # returns the number of members of the largest.
    function find_circles(most,    node, other, first, circle, count, i, j, swap,
                          names, largest) {
        largest = 1
        split("", reaches)
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
            if (count > largest)
                largest = count
            if (!first || count <= most)
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
            print "circle:" circle
        }
        return largest
    }
    function add_use(from, to) {
        if (from != to)
            uses[from] = uses[from] " " to
    }
    BEGIN {
        plan("tests", "")
        plan("apps", "cli chart experiment sweep campaign search token histogram explain simulation html trace " \
             "facts settings options picture output root")
        plan("starpu", "root session remote policy memory component queue task model codelet data device base")
        plan("runtime", "programs remote root config explore diagnosis lockstep executor application worker data " \
             "graph engine races")
        plan("sched", "root guard darts policy evict queue contract")
        plan("models", "bounds dagtime import starpu format platform dagfile dag " \
             "energy cost xml fit base root")
        low = "^runtime/(data|graph|engine|races)/"
        plain["runtime/orrery.h"] = plain["runtime/orrery_trace.h"] = 1
        plain["runtime/orrery_app.h"] = plain["runtime/orrery_bounds.h"] = 1
        plain["runtime/orrery_report.h"] = plain["runtime/orrery_data.h"] = 1
        plain["runtime/orrery_decide.h"] = plain["runtime/orrery_threads.h"] = 1
        plain["runtime/decision_history.h"] = plain["runtime/digest.h"] = 1
    }
    FILENAME ~ /includes$/ {
        from = place($1); to = place($2)
        if ($1 in plain && to ~ /^runtime/) {
            print $1, $2
            next
        }
        if ($2 == "runtime/run.h" && $1 ~ /^runtime.*\.c$/ && $1 !~ low)
            next
        if ($2 == "runtime/data/store.h" && $1 ~ /^runtime\/data\/.*\.c$/)
            next
        if (!is_planned(from, to) && !(from ~ /^runtime/ && $2 in plain))
            print $1, $2
        if (from ~ /^starpu/ && to !~ /^starpu/ && $2 != "sched/sched.h" && \
            !(from == "starpu/remote" && $2 == "runtime/remote/protocol.h"))
            print $1, $2
        if (from !~ /^tests/)
            add_use(module($1), module($2))
    }
    FILENAME ~ /symbols$/ {
        if ($3 == "U")
            users[$2] = users[$2] " " $1
        # Not exit(), which the program replaces, nor weak ones, of refused.c.
        else if ($2 ~ /^(orr|sp|starpu)_/ && $3 != "W")
            definer[$2] = $1
    }
    FILENAME ~ /names$/ && $2 in definer {
        if (!($1 in plain) && !is_planned(place($1), place(definer[$2])))
            print $1 ": declares " $2 " of " definer[$2]
    }
    END {
        find_circles(1)
        split("", uses)
        for (symbol in users) {
            if (!(symbol in definer))
                continue
            count = split(users[symbol], files, " ")
            for (i = 1; i <= count; i++) {
                if (!is_planned(place(files[i]), place(definer[symbol])))
                    print files[i] ": uses " symbol " of " definer[symbol]
                add_use(files[i], definer[symbol])
            }
        }
        largest = find_circles(4)
        if (length(definer) > 0)
            print "note: the largest circle of calls has " largest " files"
    }' "$folder/includes" "$folder/symbols" "$folder/names" | sort >"$folder/found"

sed -n 's/^note: //p' "$folder/found"
complain "$(sed '/^note:/d; s/^/against the plan: /' "$folder/found")"
[ -s "$folder/includes" ] || { echo "nothing to look at"; bad=1; }
[ -s "$folder/symbols" ] || echo "no objects: calls not looked at"

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
