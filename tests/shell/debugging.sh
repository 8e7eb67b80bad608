#!/bin/sh
# The examples of docs/DEBUGGING.md work as those of README.md do.
command -v pkg-config >/dev/null || { echo "no pkg-config here"; exit 77; }

# The way to repeat them in a build tree is the one that the page says.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
ln -s "$abs_top_builddir" "$folder/build" || exit 1
way=$(sed -n 's/^\$ export PATH=/export PATH=/p' "$abs_top_srcdir/docs/DEBUGGING.md")
(cd "$folder" && unset PKG_CONFIG_PATH && eval "$way" &&
    [ "$(command -v orrery)" = "$folder/build/orrery" ] &&
    pkg-config --exists orrery) || { echo "does not work: $way"; exit 1; }
rm -rf "$folder"
exec sh "$abs_top_srcdir/tests/shell/readme.sh" --check \
    "$abs_top_srcdir/docs/DEBUGGING.md" tested
