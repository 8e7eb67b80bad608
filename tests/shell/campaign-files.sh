#!/bin/sh
# Files that a campaign cannot write, or go on with: of another version or
# platform, in a folder that is read-only, on a file system without locks. Each is
# refused with the reason, and stays as it is; --restart begins anew.
set -u
: "${abs_top_builddir:=$PWD}"
python3 -c 'import sqlite3' 2>/dev/null || { echo "no python3 here"; exit 77; }
strace -o /dev/null true 2>/dev/null || { echo "no strace here"; exit 77; }
orrery=$abs_top_builddir/orrery
folder=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
chmod 755 "$folder" && cd "$folder" && mkdir place || exit 1
bad=0

complain() {
    echo "FAIL: $*"
    cat messages
    bad=1
}

sweep() { # program that runs it...
    "$@" "$orrery" sweep lu --tiles 2 --platform ./mine.xml --vary gpus=1:3 \
        --output place/a.db $more
}
more=

# The campaign fails with the message, and leaves the file as it is.
refused() { # message, program that runs it...
    message=$1
    shift
    cp place/a.db before.db
    sweep "$@" >out 2>messages
    [ $? -eq 1 ] || complain "not refused"
    grep -qF "orrery sweep: place/a.db: $message" messages ||
        complain "not said: $message"
    cmp -s place/a.db before.db || complain "the file is changed: $message"
    [ ! -e place/a.db-journal ] || complain "a journal is left: $message"
}

# It begins anew, and then goes on.
restarts() { # what
    more=--restart
    sweep >out 2>messages || complain "$1: no restart"
    more=
    grep -qx 'place/a.db: 3 of 3 runs, 0 failed' out || complain "$1: $(cat out)"
    sweep >out 2>messages || complain "$1: it does not go on"
    "$orrery" results place/a.db --format csv >results.csv || complain "$1"
}

anew='; --restart begins anew, or choose another --output'
"$orrery" platform save attila --output mine.xml || exit 1
sweep >out 2>messages || complain "no campaign"
"$orrery" results place/a.db --format csv >first.csv

# A platform of the same name, with other figures; and without them again.
"$orrery" platform save attila --set 'link.*.bandwidth=2GBps' --output mine.xml
refused "was made with another content of platform './mine.xml'$anew"
restarts "another platform"
cut -d , -f 1-4 results.csv | cmp -s - first.csv && complain "the same results"
"$orrery" platform save attila --output mine.xml
refused "was made with another content of platform './mine.xml'$anew"
restarts "the first platform"
cmp results.csv first.csv || complain "other results"

# Another version of orrery, whose digest is right.
python3 - <<'PY' || complain "cannot change the version"
import hashlib, sqlite3
db = sqlite3.connect("place/a.db")
db.execute("UPDATE campaign SET version = '9.9.9'")
texts = db.execute("SELECT settings, version, platforms, files FROM campaign")
digest = hashlib.sha256(b"".join(t.encode() + b"\0" for t in texts.fetchone()))
db.execute("UPDATE campaign SET digest = ?", (digest.hexdigest(),))
db.commit()
PY
refused "was made by version '9.9.9'$anew"
"$orrery" results place/a.db | grep -q '^version *9.9.9$' || complain "no results of it"
restarts "another version"
cmp results.csv first.csv || complain "other results"

# A file system that refuses locks: NFS without a daemon for them, Lustre without
# "-o flock".
for error in ENOLCK ENOSYS EOPNOTSUPP; do
    refused "the file system refuses locks; write to a local disk, and copy the file when all is done" \
        strace -f -qq -o trace -e trace=fcntl -e inject=fcntl:error=$error
done

# A folder that is read-only, with a campaign to go on with, and without; for a
# user who is not root, who may write everywhere.
python3 -c 'import sqlite3
sqlite3.connect("place/a.db", isolation_level=None).execute(
    "DELETE FROM run WHERE point = 1")' || complain "cannot remove a row"
as=env
if [ "$(id -u)" -eq 0 ]; then
    as='setpriv --reuid=65534 --regid=65534 --clear-groups'
    cp "$orrery" . && orrery=./orrery # which this user can reach
fi
chmod 444 place/a.db
chmod 555 place
# shellcheck disable=SC2086 # several words
refused "cannot be written" $as
chmod 755 place
rm -f place/a.db
chmod 555 place
# shellcheck disable=SC2086 # several words
sweep $as >out 2>messages
[ $? -eq 1 ] || complain "it is written into a folder that is read-only"
grep -q 'place/a.db: cannot be opened: is its folder there, and may you write there?' \
    messages || complain "the folder is not named"
[ ! -e place/a.db ] || complain "a file is left"
exit $bad
