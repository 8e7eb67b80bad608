#!/bin/sh
# bash, zsh and fish offer the same words, those of the program, and files where
# there may be files. Skipped at the end if a shell is missing here.
# shellcheck disable=SC2016 # other shells expand
set -u
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${abs_top_builddir:=$abs_top_srcdir/build}"
docs=$abs_top_srcdir/docs
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/work" || exit 1
ln -s "$abs_top_builddir/orrery" "$folder/bin/orrery"
PATH=$folder/bin:$PATH
HOME=$folder
export PATH HOME
unset XDG_CONFIG_HOME XDG_DATA_HOME
cd "$folder/work" && touch some-file.xml wave.so notes.txt packed.json.gz ||
    exit 1
printf 'id,kernel,deps\n1,sort,\n2,merge,1\n' >graph.csv && mkdir more &&
    touch more/other.so || exit 1
bad=0

# Each prints what its shell offers for the last word, one a line.
of_bash() { # word...
    # readline splits words at "=".
    bash -c '
        . "$1"
        shift
        COMP_WORDS=()
        for word; do
            while [[ $word == ?*=* ]]; do
                COMP_WORDS+=("${word%%=*}" "=")
                word=${word#*=}
            done
            COMP_WORDS+=("$word")
        done
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _orrery "${COMP_WORDS[0]}"
        printf "%s\n" "${COMPREPLY[@]}"' - "$docs/orrery.bash" "$@"
}

# What zsh would do with the words is written down instead.
of_zsh() { # word...
    zsh -fc '
        fpath=($1)
        shift
        autoload -Uz _orrery
        _describe() { local list=${@[-1]}; print -rl -- "${(@)${(P)list}%%:*}" }
        compset() { PREFIX=${PREFIX#${(Q)2}}; kept=${(Q)2} }
        _files() {
            local pattern=${2:-*}
            for file in $PREFIX${~pattern}(N) $PREFIX*(N/); do
                print -r -- $kept$file
            done
        }
        words=("$@") CURRENT=$# PREFIX=${@[-1]} kept=
        _orrery' - "$docs" "$@"
}

of_fish() { # word...
    for word; do
        shift
        set -- "$@" "$(printf '%s' "$word" | sed "s|[^A-Za-z0-9=.,@_/-]|\\\\&|g")"
    done
    fish --no-config -c 'source $argv[1]; complete -C "$argv[2]"' \
        "$docs/orrery.fish" "$*" | sed 's|	.*||; s|/$||'
}

# What they offer must be these words; after "=", bash offers the rest.
check() { # "words to complete", offered word...
    line=$1
    shift
    printf '%s\n' "$@" | grep . | LC_ALL=C sort >"$folder/wanted"
    for shell in $shells; do
        IFS='|'
        # shellcheck disable=SC2086 # split at "|"
        set -- $line
        unset IFS
        # The last word may be empty.
        case $line in *'|') set -- "$@" '' ;; esac
        "of_$shell" "$@" | grep . | LC_ALL=C sort >"$folder/offered"
        cp "$folder/wanted" "$folder/expected"
        [ "$shell" != bash ] || case $line in
        *=*) sed 's/.*=//' "$folder/wanted" | LC_ALL=C sort >"$folder/expected" ;;
        esac
        diff -u "$folder/expected" "$folder/offered" >"$folder/diff" || {
            echo "FAIL: $shell, $line:"
            cat "$folder/diff"
            bad=1
        }
    done
}

shells=
missing=
for shell in bash zsh fish; do
    if command -v $shell >/dev/null; then
        shells="$shells $shell"
    else
        missing="$missing $shell"
    fi
done

check 'orrery|ru' run
check 'orrery|platform|s' show save
check 'orrery|help|platform|s' show save
check 'orrery|run|' cholesky gemm lu qr graph.csv wave.so more packed.json.gz some-file.xml
check 'orrery|run|w' wave.so
check 'orrery|run|more/' more/other.so
check 'orrery|run|--gpus|2|--|./wa' ./wave.so
check 'orrery|run|--exec' --execute
check 'orrery|run|--app|gr' graph.csv
check 'orrery|run|--app=wa' --app=wave.so
check 'orrery|graph|save|not' ''
check 'orrery|run|graph.csv|--runtime-is|' seconds flops
check 'orrery|run|graph.csv|--where|m' merge=any merge=cpu merge=gpu
check 'orrery|run|absent.csv|--where|' ''
check 'orrery|run|lu|--sched|dmdas' dmdas dmdasd
check 'orrery|run|lu|--sched=dmdas' --sched=dmdas --sched=dmdasd
check 'orrery|compare|lu|--sched|eager,dmdas' eager,dmdas eager,dmdasd
check 'orrery|run|lu|--pre' --precision
check 'orrery|run|lu|--precision|' single double
check 'orrery|run|lu|--model|quirks=o' quirks=on quirks=off
check 'orrery|run|lu|--where|gemm=' gemm=any gemm=cpu gemm=gpu
check 'orrery|ablate|lu|--degrade|memory,q' memory,quirks
check 'orrery|explore|lu|--strategy|d' delay dfs
check 'orrery|platform|show|mi' mirage
check 'orrery|platform|check|some' some-file.xml
check 'orrery|run|lu|--record|so' some-file.xml
check 'orrery|replay|@so' @some-file.xml
check 'orrery|run|lu|--tiles|' ''
check 'orrery|rum|lu|' ''

[ $bad -eq 0 ] || exit 1
[ -z "$missing" ] || { echo "not tested, for they are not here:$missing"; exit 77; }
