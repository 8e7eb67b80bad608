#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs the two commands of README.md as a new user does: in a fresh clone of the
# commit that is checked out, on a Debian that has git and nothing else. So it
# finds tools that the build or a test uses although bootstrap does not install
# them. Needs root, a Debian, and its package archive; takes some 15 minutes.
#
# Usage: bare-machine.sh [COMMAND...]
#   COMMAND  what to ask of bootstrap (default: demo check)
# LIMIT=SECONDS bounds the whole (default 5400). PTS=no leaves out /dev/pts, as
# in a chroot that was made by hand. TMPDIR needs 2 GB, on a file system with
# devices.
#
# Exits with 77 if there is no such system, 1 if a command fails.
set -u
top=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) || exit 1
limit=${LIMIT:-5400}

skip() {
    echo "skipped: bare machine: $*"
    exit 77
}

fail() {
    echo "FAIL: bare machine: $*"
    exit 1
}

# All that is mounted is seen by this process and its children only, and goes
# with them; so do processes that are left when the time is over.
if [ "${1-}" != --inside ]; then
    [ "$(id -u)" -eq 0 ] || skip "not root"
    command -v apt-get >/dev/null || skip "no Debian"
    unshare --mount --pid --fork true 2>/dev/null ||
        skip "namespaces for mounts and processes are not allowed"
    git -C "$top" rev-parse --verify -q HEAD >/dev/null 2>&1 ||
        skip "$top is no clone of a repository"
    command -v mmdebstrap >/dev/null ||
        DEBIAN_FRONTEND=noninteractive timeout 600 apt-get install -y \
            --no-install-recommends mmdebstrap >/dev/null 2>&1 ||
        skip "no mmdebstrap, and it cannot be installed"
    work=$(mktemp -d) || exit 1
    trap 'rm -rf --one-file-system "$work"' EXIT
    trap 'exit 1' HUP INT TERM
    timeout -k 10 "$limit" unshare --mount --pid --fork --kill-child \
        sh "$0" --inside "$work" "$@" &
    child=$!
    trap 'kill $child 2>/dev/null; wait $child; exit 1' HUP INT TERM
    wait $child
    status=$?
    # unshare ignores SIGTERM, so SIGKILL follows: 137.
    [ $status -ne 124 ] && [ $status -ne 137 ] ||
        echo "FAIL: bare machine: not done within $limit s"
    exit $status
fi
work=$2
shift 2
[ $# -gt 0 ] || set -- demo check
root=$work/root

# Prints the files of apt's sources that are about the suite $1.
sources() { # suite
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
        /etc/apt/sources.list.d/*.sources; do
        [ ! -f "$file" ] ||
            grep -lE "^[^#]*[[:blank:]]$1([-/[:blank:]]|\$)" "$file"
    done
}

# Makes the root, with the archive, the proxy and the checks of apt here.
make_root() {
    suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    files=$(sources "$suite")
    [ -n "$files" ] || skip "apt has no source of this system"
    apt-config dump |
        grep -E '^Acquire::(http|https|Check|Retries|ForceIP)[^ ]* "[^"]' \
            >"$work/apt.conf"
    # shellcheck disable=SC2086 # a list of names
    mmdebstrap --quiet --variant=minbase --include=git,ca-certificates \
        --aptopt="$work/apt.conf" "$suite" "$root" $files ||
        fail "mmdebstrap makes no root"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
}

# Runs a command in the clone, with nothing of this environment.
inside() { # command
    chroot "$root" /usr/bin/env -i HOME=/root TERM="${TERM:-dumb}" \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        http_proxy="${http_proxy-}" https_proxy="${https_proxy-}" \
        sh -c 'cd /orrery && exec "$@"' - "$@"
}

begin=$(date +%s)
make_root
git clone --quiet --depth 1 "file://$top" "$root/orrery" ||
    fail "cannot clone $top"
mount -t proc proc "$root/proc" || fail "cannot mount /proc"
[ "${PTS-}" = no ] ||
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" ||
    fail "cannot mount /dev/pts"
echo "bare machine: made in $(($(date +%s) - begin)) s"
for command; do
    begin=$(date +%s)
    if ! inside ./bootstrap "$command" </dev/null; then
        tail -n 300 "$root/orrery/build/test-suite.log" 2>/dev/null
        fail "./bootstrap $command"
    fi
    echo "bare machine: ./bootstrap $command: $(($(date +%s) - begin)) s"
done
sed -n 's/^SKIP:* \(.*\)/left out: \1/p' \
    "$root/orrery/build/test-suite.log" 2>/dev/null
exit 0
