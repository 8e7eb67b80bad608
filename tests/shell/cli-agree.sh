#!/bin/sh
# Help, manual page and completion, as bash has it, speak of the same commands, options,
# models and statuses. Options come from one table: this holds for what is made of it, and
# for the parts of the manual page that people write.
set -u
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${abs_top_builddir:=$abs_top_srcdir/build}"
orrery=$abs_top_builddir/orrery
man=$abs_top_builddir/docs/orrery.1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
bad=0

complain() {
    echo "$*"
    bad=1
}

# Names after the title "Commands:" of a help text.
commands_of() { # command...
    "$orrery" "$@" --help | sed -n '/^Commands:$/,/^$/s/^  \([a-z-]*\) .*/\1/p'
}

options_of() { # command...
    "$orrery" "$@" --help | grep -oE -- '^  --[a-z-]+' | sed 's/^  //' | sort
}

# What completion offers after the words given.
completions() { # word...
    bash -c '
        . "$1"
        shift
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _orrery "$1"
        printf "%s\n" "${COMPREPLY[@]}"' \
        - "$abs_top_srcdir/docs/orrery.bash" "$@" | sort
}

same() { # what it is about, file, file
    diff -u "$2" "$3" || complain "they disagree about $1"
}

# The manual page without markup, and the options that it explains.
sed -e 's/\\-/-/g' -e 's/\\f[A-Z]//g' "$man" >"$folder/man"
grep -oE '^\.BI? --[a-z-]+' "$folder/man" | sed 's/.* //' | sort -u >"$folder/man.options"
! grep -qE '@[a-z ]+@' "$folder/man" || complain "orrery.1: a mark is left"

leaves() { # every command that takes options
    for command in $(commands_of); do
        inner=$(commands_of "$command")
        [ -n "$inner" ] || echo "$command"
        for name in $inner; do
            echo "$command $name"
        done
    done
}
leaves >"$folder/commands"
[ "$(wc -l <"$folder/commands")" -ge 7 ] || complain "which commands are there?"

while read -r command; do
    grep -qE "^\.B(R)? (orrery )?$command( |\$)" "$folder/man" ||
        complain "orrery.1: nothing about orrery $command"
    # shellcheck disable=SC2086 # a command may be two words
    options_of $command >"$folder/help"
    [ -s "$folder/help" ] || complain "orrery $command: no options"
    cat "$folder/help" >>"$folder/all"
    sort -u "$folder/help" | comm -23 - "$folder/man.options" >"$folder/missing"
    [ ! -s "$folder/missing" ] ||
        complain "orrery.1: nothing about these of orrery $command:
$(cat "$folder/missing")"
    # shellcheck disable=SC2086
    completions "$orrery" $command -- >"$folder/completed"
    same "options of orrery $command" "$folder/help" "$folder/completed"
done <"$folder/commands"

# And the other way round: the page speaks of no option that is not there.
{ cat "$folder/all"; echo --version; } | sort -u >"$folder/options"
same "options" "$folder/options" "$folder/man.options"

{ commands_of; printf '%s\n' help --help --version; } | sort >"$folder/help"
completions "$orrery" '' >"$folder/completed"
same "commands" "$folder/help" "$folder/completed"
for command in platform histogram sched app; do
    { commands_of $command; printf '%s\n' help --help; } | sort >"$folder/help"
    completions "$orrery" $command '' >"$folder/completed"
    same "commands of orrery $command" "$folder/help" "$folder/completed"
done

# Names come from the program itself.
for list in app sched platform; do
    "$orrery" $list list --format csv | sed -e 1d -e 's/,.*//' >"$folder/$list"
    [ -s "$folder/$list" ] || complain "orrery $list list: nothing"
    sort -o "$folder/$list" "$folder/$list"
done
cd "$folder" && mkdir empty && cd empty || exit 1
completions "$orrery" run '' >../completed
same applications ../app ../completed
completions "$orrery" run cholesky --sched '' | sed "s,:\$,:FILE," >../completed
same policies ../sched ../completed
completions "$orrery" run cholesky --platform '' >../completed
same platforms ../platform ../completed
completions "$orrery" compare lu --sched dmda,ea | grep -qx dmda,eager ||
    complain "completion: no second policy"
completions "$orrery" run lu --format = js | grep -qx json ||
    complain "completion: nothing after --format="

# Every model that a run reports, and each of its values.
"$orrery" run lu --tiles 1 --format json |
    sed -n 's/.*"models": "\(.*\)".*/\1/p' | tr ',' '\n' >../models
[ -s ../models ] || complain "orrery run: no models"
while IFS='=' read -r name value; do
    for text in "$name=$value" $("$orrery" run lu --model "$name=?" 2>&1 |
        sed 's/.*there are: //; s/,//g' | tr ' ' '\n' | sed "s/^/$name=/"); do
        completions "$orrery" run lu --model '' | grep -qxF "$text" ||
            complain "completion: no $text"
        grep -qE "^\.BR $name = ([a-z]+ \\| )*${text#*=}( |\$)" ../man ||
            complain "orrery.1: no $text"
    done
done <../models

# Every member of a report.
"$orrery" run lu --tiles 1 --format json | grep -oE '^ *"[a-z_]+"' |
    tr -d ' "' | sort -u | while read -r member; do
    grep -qE "^(\.BR?|\.RB \() .*\b$member\b|\( $member \)" ../man ||
        echo "orrery.1: nothing about the member $member"
done >../missing
[ ! -s ../missing ] || complain "$(cat ../missing)"
exit $bad
