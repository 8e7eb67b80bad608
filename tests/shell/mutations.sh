#!/bin/sh
# The list of mutations fits the sources and the tests, so that it does not rot:
# see tests/mutations/run.sh. make mutations tries them.
set -u
: "${abs_top_srcdir:=$PWD}"
mutations=$abs_top_srcdir/tests/mutations
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
bad=0

sh "$mutations/run.sh" --check "$abs_top_srcdir" || bad=1
count=$(grep -cE '^[a-z0-9-]+: [a-z0-9_.-]+$' "$mutations/list")
[ "$count" -ge 40 ] || { echo "only $count mutations"; bad=1; }

# A list that does not fit is seen.
cp "$mutations/run.sh" "$mutations/mutation.awk" "$folder" || exit 1
refuse() { # what the message says, the list
    printf '%b' "$2" >"$folder/list"
    sh "$folder/run.sh" --check "$abs_top_srcdir" 2>"$folder/messages" &&
        { echo "no complaint: $1"; bad=1; }
    grep -qF "$1" "$folder/messages" ||
        { echo "not '$1', but:"; cat "$folder/messages"; bad=1; }
}
refuse 'gone: its old text occurs 0 times, not once' \
    'gone: test_heap\n-this is in no source\n'
refuse 'common: its old text occurs ' 'common: test_heap\n-return\n+goto\n'
refuse 'gone: there is no test test_gone, or several' 'gone: test_gone\n-x\n'
refuse ':3: same is there twice' 'same: test_heap\n-x\nsame: test_heap\n'
refuse 'idle: it changes nothing' 'idle: test_heap\n-x\n+x\n'
refuse ':1: neither NAME: TEST nor text' 'test_heap\n'
exit $bad
