#!/bin/sh
# Words that make a comment or a document hard to read: pronouns that stand for
# a thing which has a name ("of what", "those that", "who" for a worker), and
# words with a plain equivalent ("kin", "goes on").
#
# Each room may have as many of each as words.limits says, and these limits only
# fall: the test fails when there are more, and when there are fewer. Read are
# the comments of C files and the documents without their code blocks; line
# breaks inside a comment or a paragraph count as blanks.
#
# Usage: words.sh [--limits]
#   --limits   print the present counts, the new contents of words.limits
set -u
cd "$abs_top_srcdir" || exit 1
rooms='models sched runtime apps tests/unit docs'
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# Name; how it looks, between characters that are no letters; a better way.
cat >"$folder/patterns" <<'EOF'
of-what|(of|to|for|from|by|with|on|in|at|as|than) what|name the thing: "the bytes of the tile", not "of what it has"
that-of|(that|those) of|repeat the noun: "the bandwidth of the link"
those-that|those (that|which|who)|name them: "tasks that wait", not "those that wait"
that-which|that which|name the thing
who|who|name it: worker, actor, caller, reader
whom|whom|name it: worker, actor, caller, reader
whose|whose|"with", or a sentence of its own
kin|kin|list the names, or say "family"
go-on|go(es)? on|continue, resume
nobody|nobody|"no worker", "no actor"
likewise|likewise|"the same for", or repeat the verb
tell|tells?|say, notify, report, return
told|told|notified, reported, given
EOF

# Prints FILE:LINE: name: the words around it.
find_words() { # files
    awk -v patterns="$folder/patterns" '
        BEGIN {
            while ((getline line < patterns) > 0) {
                split(line, field, "|")
                first = index(line, "|")
                rest = substr(line, first + 1)
                # The pattern may hold bars, the better way has none.
                last = match(rest, /\|[^|]*$/)
                name[++count] = field[1]
                regex[count] = "[^a-z_](" substr(rest, 1, last - 1) ")[^a-z_]"
            }
        }
        # Adds a line of the file to the text that is searched as one.
        function add(line) {
            gsub(/[ \t]+/, " ", line)
            sub(/^ ?\* ?/, "", line)
            text = text " " tolower(line)
            lines++
            end[lines] = length(text)
            at[lines] = FNR
        }
        function search(  i, rest, offset, n, from) {
            text = text " "
            for (i = 1; i <= count; i++) {
                offset = 0
                rest = text
                while (match(rest, regex[i])) {
                    for (n = 1; n < lines && end[n] < offset + RSTART + 1; n++)
                        ;
                    from = offset + RSTART - 30
                    if (from < 1)
                        from = 1
                    print file ":" at[n] ": " name[i] ": " \
                        substr(text, from, RLENGTH + 60)
                    offset += RSTART + RLENGTH - 2
                    rest = substr(rest, RSTART + RLENGTH - 1)
                }
            }
            text = ""
            lines = 0
        }
        FNR == 1 {
            if (lines)
                search()
            comment = block = 0
            file = FILENAME
            page = file ~ /\.md$/
        }
        page {
            if (/^```/)
                block = !block
            if (block || /^ *$/ || /^```/ || /^(\||#|\*|[0-9]+\.) ?/)
                search()
            if (!block && !/^```/ && !/^ *$/)
                add($0)
            next
        }
        {
            line = $0
            while (line != "") {
                if (comment) {
                    stop = index(line, "*/")
                    if (!stop) {
                        add(line)
                        break
                    }
                    add(substr(line, 1, stop - 1))
                    search()
                    comment = 0
                    line = substr(line, stop + 2)
                } else {
                    if (!index(line, "/*"))
                        break
                    gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
                    start = index(line, "/*")
                    if (!start)
                        break
                    comment = 1
                    line = substr(line, start + 2)
                    if (line == "")
                        line = " "
                }
            }
        }
        END { if (lines) search() }' "$@"
}

# The search itself: a match over two lines, at the first one; not in strings.
printf '%s\n' 'const char *s = "/* of what";' '/* The size of' ' * what is left. */' \
    >"$folder/sample.c"
[ "$(find_words "$folder/sample.c" | cut -d : -f 2,3)" = "2: of-what" ] ||
    { echo "words.sh does not find \"of what\" in a comment"; exit 1; }

for room in $rooms; do
    case $room in
    docs) find_words README.md docs/*.md docs/validation/*.md ;;
    *) find_words $(find "$room" -name '*.[ch]' | sort) ;;
    esac | sed "s,^,$room ,"
done >"$folder/found"

# ROOM NAME COUNT, for each room and pattern.
for room in $rooms; do
    cut -d '|' -f 1 "$folder/patterns" | sed "s,^,$room ,"
done | awk '
    NR == FNR { order[++n] = $0; next }
    { count[$1 " " substr($3, 1, length($3) - 1)]++ }
    END { for (i = 1; i <= n; i++) print order[i], count[order[i]] + 0 }
' - "$folder/found" >"$folder/counts"
if [ "${1-}" = --limits ]; then
    cat "$folder/counts"
    exit
fi

awk 'NR == FNR { limit[$1 " " $2] = $3; next }
    $3 != limit[$1 " " $2] { print $0, limit[$1 " " $2] + 0 }' \
    tests/shell/words.limits "$folder/counts" >"$folder/changed" || exit 1
while read -r room name count limit; do
    if [ "$count" -lt "$limit" ]; then
        echo "$room: \"$name\" only $count times: lower its limit in" \
            "tests/shell/words.limits from $limit to $count"
        continue
    fi
    echo "$room: \"$name\" $count times, at most $limit are allowed. Better:" \
        "$(grep "^$name|" "$folder/patterns" | sed 's/.*|//')"
    grep "^$room [^ ]* $name: " "$folder/found" | sed 's/^[^ ]* /  /'
done <"$folder/changed"
[ ! -s "$folder/changed" ]
