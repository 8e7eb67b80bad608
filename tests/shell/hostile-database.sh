#!/bin/sh
# Databases that are cut, changed or made up are refused with a reason, by all
# that read them; nothing in them runs, and they stay as they are.
set -u
: "${abs_top_builddir:=$PWD}"
# The interpreter itself: a shim of pyenv makes each start four times as long.
python=$(python3 -c 'import sqlite3, sys; print(sys.executable)' 2>/dev/null) ||
    { echo "no python3 here"; exit 77; }
orrery=$abs_top_builddir/orrery
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bad=0

complain() {
    echo "FAIL: $*"
    head -c 2000 messages
    bad=1
}

sweep() { # FILE.db
    "$orrery" sweep cholesky --tiles 2 --vary gpus=1:3 --output "$1"
}

sweep good.db >out || exit 1
cat >change.py <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.executescript("PRAGMA writable_schema = ON;" + sys.argv[2])
db.commit()
PY

# It is refused by each command, with one line.
refuse() { # what it is, command...
    what=$1
    shift
    cp bad.db before.db
    for command; do
        # shellcheck disable=SC2086 # several words
        timeout 120 "$orrery" $command >out 2>messages
        status=$?
        [ $status -eq 1 ] || [ $status -eq 2 ] ||
            complain "$what: => $status of orrery $command"
        [ "$(wc -l <messages)" -eq 1 ] || complain "$what: orrery $command"
        [ ! -e out.db ] || complain "$what: orrery $command writes"
    done
    cmp -s bad.db before.db || complain "$what: the file is changed"
    rm -f bad.db bad.db-journal
}

going_on='sweep cholesky --tiles 2 --vary gpus=1:3 --output bad.db'
refused() { # what it is
    refuse "$1" 'results bad.db --format csv' 'merge out.db bad.db' "$going_on"
}

changed() { # SQL
    cp good.db bad.db
    "$python" change.py bad.db "$1" || complain "cannot change: $1"
    refused "$1"
}

changed "DROP TABLE run"
changed "DROP TABLE campaign"
changed "DROP TABLE run; CREATE VIEW run AS SELECT 1 AS point, 2 AS replica"
changed "DROP TABLE run; CREATE TABLE run (point INTEGER NOT NULL)"
changed "ALTER TABLE run ADD COLUMN more TEXT AS (hex(randomblob(100000000)))"
changed "UPDATE sqlite_schema SET sql = replace(sql, 'error\" TEXT', 'error\" TEXT CHECK (load_extension(1))') WHERE name = 'run'"
changed "UPDATE campaign SET version = '9.9'"
changed "UPDATE campaign SET settings = 'x'"
changed "UPDATE campaign SET shard = 3"
changed "DELETE FROM campaign"
for point in 77 -1; do
    cp good.db bad.db
    "$python" change.py bad.db "UPDATE run SET point = $point WHERE point = 1"
    refuse "point $point" 'merge out.db bad.db' "$going_on"
done
changed "PRAGMA application_id = 7"
printf 'SQLite format 3\0' >bad.db
refused "only the beginning"
head -c 6000 good.db >bad.db
refused "cut"
head -c 100000 /dev/urandom >bad.db
refused "noise"
mkfifo bad.fifo
timeout 120 "$orrery" results bad.fifo >out 2>messages
[ $? -eq 1 ] || complain "a pipe is read"

# Bytes changed anywhere: whatever comes out, it ends, and without a crash.
cat >flip.py <<'PY'
import random, sys
random.seed(int(sys.argv[1]))
data = bytearray(open("good.db", "rb").read())
for _ in range(random.choice([1, 4, 64])):
    data[random.randrange(len(data))] = random.randrange(256)
open("bad.db", "wb").write(data)
PY
for seed in $(seq 1 "${FLIPS:-5}"); do
    "$python" flip.py "$seed"
    for command in 'results bad.db --format json' 'merge out.db bad.db'; do
        # shellcheck disable=SC2086 # several words
        timeout 120 "$orrery" $command >out 2>messages
        status=$?
        [ $status -le 2 ] || complain "seed $seed: => $status of $command"
        rm -f out.db
    done
    sweep bad.db >out 2>messages
    [ $? -le 2 ] || complain "seed $seed: sweep crashes"
    rm -f bad.db bad.db-journal
done
exit $bad
