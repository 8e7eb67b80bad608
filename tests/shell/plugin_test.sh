# Sourced by the tests that compile policies in files of their own: the
# program, and a folder to be in.
set -u
command -v pkg-config >/dev/null || { echo "no pkg-config here"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
orrery=$abs_top_builddir/orrery
bad=0
PKG_CONFIG_PATH=$abs_top_builddir/runtime${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PKG_CONFIG_PATH
cd "$folder" || exit 1

complain() {
    echo "FAIL: $*"
    bad=1
}
