#!/bin/sh
# The examples of README.md work when pasted. Those after a line
# "<!-- tested -->" are run in an empty folder with orrery on the PATH: each
# command ("$ ") of a console block must succeed, and print what the block
# shows, unless it shows nothing.
#
# Usage: readme.sh [--check|--update [PAGE MARK]]
#   --update   put into README.md what is printed now; read it, then
#   PAGE MARK  in, or into, that page, for the examples after "<!-- MARK -->"; the
#              pictures that they make go to the page's folder
set -u
readme=${2-$abs_top_srcdir/README.md}
mark="<!-- ${3-tested} -->"
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/here" || exit 1
ln -s "$abs_top_builddir/orrery" "$folder/bin/orrery"
ln -s "$abs_top_srcdir/tests" "$folder/here/tests"
PATH=$folder/bin:$PATH
PKG_CONFIG_PATH=$abs_top_builddir/runtime${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PATH PKG_CONFIG_PATH
cd "$folder/here" || exit 1

# Deals out the commands to NUMBER.sh and what they should print to
# NUMBER.expected; prints the page with NUMBER.actual, where there is such a
# file, in place of the latter.
page() {
    awk -v folder="$folder" -v mark="$mark" '
        $0 == mark { marked = 1 }
        /^```$/ { inside = 0 }
        inside && /^\$ / { number++; fresh = more = 1 }
        inside && more {
            print
            more = /\\$/
            sub(/^\$ /, "")
            print >(folder "/" number ".sh")
            next
        }
        inside {
            print >(folder "/" number ".expected")
            actual = folder "/" number ".actual"
            for (; fresh && (getline line <actual) > 0; )
                print line
            fresh = 0
            next
        }
        marked && /^```console$/ { inside = 1; marked = 0 }
        { print }' "$readme"
}

page >/dev/null
number=1
bad=0
while [ -f "$folder/$number.sh" ]; do
    sh -e "$folder/$number.sh" >"$folder/$number.actual" 2>"$folder/errors" \
        </dev/null || {
        echo "=> $? from: $(cat "$folder/$number.sh")"
        cat "$folder/errors"
        bad=1
    }
    [ ! -f "$folder/$number.expected" ] || [ "${1-}" = --update ] ||
        diff -u "$folder/$number.expected" "$folder/$number.actual" || bad=1
    number=$((number + 1))
done
[ $# -gt 1 ] || [ $number -gt 5 ] || { echo "README.md: fewer than five examples"; bad=1; }
if [ "${1-}" = --update ] && [ $bad -eq 0 ]; then
    page >"$folder/page" && cat "$folder/page" >"$readme" || bad=1
    for picture in *.svg; do
        [ ! -f "$picture" ] || mv "$picture" "$(dirname "$readme")" || bad=1
    done
fi
exit $bad
