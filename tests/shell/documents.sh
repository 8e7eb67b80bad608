#!/bin/sh
# Every command of the documents works when pasted, and prints what is shown.
#
# Commands ("$ ") are in console blocks. Those of a document run in one shell,
# in a folder that looks like that of the sources after a build. Each must
# succeed, unless the next one is "echo $?". Output that is shown must be what
# is printed on stdout or, if that is empty, on stderr. In it, "..." stands
# for any text, and a line "..." for any lines.
#
# The line before a block may be a mark:
#   <!-- not tested: REASON -->   the block is left out
#   <!-- needs: PROGRAM -->       it is left out where there is no PROGRAM;
#                                 python3-MODULE is a module of Python; libdw,
#                                 lock-step: orrery was built with it
#   <!-- file: NAME -->           the block is saved as NAME
#   <!-- append: NAME -->         the block is appended to NAME
#   <!-- takes seconds -->        it is left out unless test_length is full
#
# Usage: documents.sh [--update DOCUMENT [REASON]] [DOCUMENT...]
#   --update   put into DOCUMENT what is printed now; read it, then.
#              With REASON, only the blocks that are left out for it, and the
#              pictures that they make go to the folder of DOCUMENT.
set -u
command -v pkg-config >/dev/null || { echo "no pkg-config here"; exit 77; }
unset MAKEFLAGS MAKELEVEL MFLAGS PKG_CONFIG_PATH
. "$abs_top_srcdir/tests/shell/drawn.sh"
update=
reason=
if [ "${1-}" = --update ]; then
    update=$2
    reason=${3-}
    test_length=full
    set -- "$update"
fi
if [ $# -eq 0 ]; then
    set -- "$abs_top_srcdir/README.md" "$abs_top_srcdir"/docs/*.md \
        "$abs_top_srcdir/docs/orrery.1.in"
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" || exit 1
ln -s "$abs_top_builddir/orrery" "$folder/bin/orrery"
PATH=$folder/bin:$PATH
CC=${CC:-cc}
# Libraries with which hwloc detects a machine leak. Other tests look for leaks.
ASAN_OPTIONS=detect_leaks=0
export PATH CC ASAN_OPTIONS
bad=0

# The examples of the manual page as a page with console blocks.
manual_to_page() {
    awk '
        /^\.SH/ { examples = $2 == "EXAMPLES" }
        !examples { next }
        /^\.\\" (not tested|needs): / {
            print "<!-- " substr($0, 5) " -->"
        }
        /^\.RS/ { print "```console"; start = "$ " }
        /^\.RE/ { print "```" }
        /^\./ { next }
        {
            gsub(/\\-/, "-")
            gsub(/\\e/, "\\")
            print start $0
            start = ""
        }' "$1"
}

# Deals out the commands of a page to NUMBER.sh, what they should print to
# NUMBER.expected, their lines to NUMBER.line, and what is wrong with the page
# to "wrong". Prints the page, with NUMBER.actual, where there is such a file,
# in place of the expected output.
deal_out() { # page
    awk -v to="$work/" -v reason="$reason" -v full="${test_length:-short}" '
        function complain(text) {
            print NR ": " text >(to "wrong")
        }
        function has(program) {
            if (program == "lock-step")
                return ENVIRON["lockstep"] != "no"
            if (program == "libdw")
                return !system("grep -q HAVE_LIBDW.1 \"$abs_top_builddir/config.h\"")
            if (sub(/^python3-/, "import ", program))
                return !system("python3 -c \"" program "\" 2>/dev/null")
            return !system("command -v " program " >/dev/null")
        }
        function command() {
            number++
            print NR >(to number ".line")
        }
        inside && substr($0, indent + 1) == "```" {
            inside = saved = ""
            print
            next
        }
        saved {
            print substr($0, indent + 1) >(to number ".file")
        }
        inside == "console" {
            line = substr($0, indent + 1)
            if (line ~ /^\$ /) {
                command()
                fresh = more = 1
            } else if (!number) {
                complain("a console block begins without a command")
            }
            if (more) {
                print
                more = line ~ /\\$/
                sub(/^\$ /, "", line)
                print line >(to number ".sh")
                next
            }
            print line >(to number ".expected")
            actual = to number ".actual"
            if (fresh && (getline line <actual) >= 0) {
                replaced = number
                do
                    if (line != "") print substr($0, 1, indent) line
                    else print ""
                while ((getline line <actual) > 0)
            }
            fresh = 0
            if (replaced != number) print
            next
        }
        inside == "other" && !saved && /^ *\$ [a-z.\/]/ {
            complain("a command outside a console block: " $0)
        }
        !inside && /^ *```/ {
            match($0, /^ */)
            indent = RLENGTH
            inside = $1 == "```console" ? "console" : "other"
            if (mark ~ /^<!-- not tested: .+ -->$/) {
                if (mark != "<!-- not tested: " reason " -->") inside = "left out"
            } else if (reason) {
                inside = "left out"
            } else if (mark == "<!-- takes seconds -->") {
                if (full != "full") inside = "left out"
            } else if (mark ~ /^<!-- needs: [a-z0-9.-]+ -->$/) {
                split(mark, word, " ")
                if (!has(word[3])) inside = "left out"
            } else if (mark ~ /^<!-- (file|append): [a-z.-]+ -->$/) {
                command()
                split(mark, word, " ")
                saved = word[3]
                print "cat \047" to number ".file\047 >" \
                    (word[2] == "append:" ? ">" : "") saved >(to number ".sh")
            }
        }
        !inside && /^    +(\$ |[a-z]*; )?(orrery|make|cc|gcc|gdb|export|lstopo|autoreconf|\.\/bootstrap) / &&
            !/^ +orrery [a-z]+: / {
            complain("a command outside a console block: " $0)
        }
        { mark = $0; sub(/^ +/, "", mark); print }' "$1"
}

# Is the text of file $2 that of file $1, where "..." is anything?
alike() {
    awk '
        function like(line, pattern) {
            gsub(/[][\\.^$*+?(){}|]/, "\\\\&", pattern)
            gsub(/\\\.\\\.\\\./, ".*", pattern)
            return line ~ "^" pattern "$"
        }
        NR == FNR { pattern[++patterns] = $0; next }
        { line[++lines] = $0 }
        END {
            p = l = 1
            while (l <= lines) {
                if (p <= patterns && pattern[p] == "...") {
                    star = p++
                    from = l
                } else if (p <= patterns && like(line[l], pattern[p])) {
                    p++
                    l++
                } else if (star) {
                    p = star + 1
                    l = ++from
                } else {
                    exit 1
                }
            }
            while (p <= patterns && pattern[p] == "...")
                p++
            exit p <= patterns
        }' "$1" "$2"
}

# Runs the commands, one after the other in one shell.
run_all() {
    mkdir -p "$work/here/docs" || exit 1
    ln -s "$abs_top_builddir" "$work/here/build"
    ln -s "$abs_top_srcdir/tests" "$abs_top_srcdir/platforms" "$work/here"
    cp -R "$abs_top_srcdir/docs/campaigns" "$abs_top_srcdir/docs/example" \
        "$work/here/docs"
    chmod -R u+w "$work/here/docs"
    awk -v work="$work" -v count="$count" 'BEGIN {
        print "status=0"
        for (i = 1; i <= count; i++) {
            file = work "/" i
            printf "(exit $status)\n. \"%s.sh\" >\"%s.actual\" 2>\"%s.errors\" </dev/null\n", file, file, file
            printf "status=$?\necho $status >\"%s.status\"\n", file
        }
    }' >"$work/all.sh"
    (cd "$work/here" && sh "$work/all.sh") || bad=1
}

check() { # number
    file=$work/$1
    [ -f "$file.status" ] || {
        echo "$name:$(cat "$file.line"): was not run, or ended the shell: $(cat "$file.sh")"
        bad=1
        return
    }
    [ -s "$file.actual" ] || cp "$file.errors" "$file.actual"
    next=$(cat "$work/$(($1 + 1)).sh" 2>/dev/null)
    # shellcheck disable=SC2016 # the text
    [ "$(cat "$file.status")" -eq 0 ] || [ "$next" = 'echo $?' ] || {
        echo "$name:$(cat "$file.line"): status $(cat "$file.status") of: $(cat "$file.sh")"
        head -n 20 "$file.errors"
        bad=1
        return
    }
    [ -f "$file.expected" ] || return
    if alike "$file.expected" "$file.actual"; then
        cp "$file.expected" "$file.actual"
        return
    fi
    if [ -z "$update" ] || grep -qF ... "$file.expected"; then
        echo "$name:$(cat "$file.line"): prints something else: $(cat "$file.sh")"
        diff -u "$file.expected" "$file.actual"
        bad=1
    fi
}

document() { # file
    name=${1##*/}
    work=$folder/$name
    mkdir "$work" || exit 1
    page=$1
    case $name in
    *.1.in)
        page=$work/page
        manual_to_page "$1" >"$page"
        ;;
    esac
    deal_out "$page" >/dev/null
    if [ -f "$work/wrong" ]; then
        sed "s/^/$name:/" "$work/wrong"
        bad=1
    fi
    count=$(find "$work" -name '*.line' | wc -l)
    [ "$count" -eq 0 ] || run_all
    number=0
    while [ $number -lt "$count" ]; do
        number=$((number + 1))
        check $number
    done
    echo "$name: $count commands"
}

# Tells why a document is left out with sanitizers, and succeeds, or fails.
is_left_out() { # file
    [ -n "$sanitizers" ] || return 1
    case ${1##*/} in
    LIBRARY.md | SCHEDULERS.md | STARPU.md)
        echo "$1: left out, as its programs are not linked with a sanitizer"
        return 0
        ;;
    esac
    ! drawn "$(printf %s "${1##*/}" | cksum | cut -d ' ' -f 1)" 3 &&
        echo "$1: left out, see test_seed"
}

[ $# -ne 1 ] || ! is_left_out "$1" || exit 77
for file; do
    ! is_left_out "$file" || continue
    document "$file"
done
if [ -n "$update" ] && [ $bad -eq 0 ]; then
    deal_out "$update" >"$folder/page" && cat "$folder/page" >"$update" || bad=1
    for picture in "$work"/here/*.svg; do
        [ -z "$reason" ] || [ ! -f "$picture" ] ||
            mv "$picture" "$(dirname "$update")" || bad=1
    done
fi
exit $bad
