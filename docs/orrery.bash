# SPDX-License-Identifier: LGPL-2.1-or-later
# Completion of orrery(1) for bash. The program itself knows the words.
# shellcheck disable=SC2207 # no offered word holds a blank

_orrery() {
    local IFS=$'\n' line word ending endings glued='' words=()

    # readline splits "--name=value" and "--model name=value" at the sign: put
    # together what belongs together.
    for line in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ ${#words[@]} -gt 0 && ($line == '=' || $glued) ]]; then
            words[${#words[@]} - 1]+=$line
        else
            words+=("$line")
        fi
        glued=${line/#[^=]*/}
    done
    word=${words[${#words[@]} - 1]}
    COMPREPLY=()
    for line in $("$1" --complete "${words[@]}" 2>/dev/null); do
        endings=${line#*$'\t'}
        [[ $line == *$'\t'* ]] || endings=''
        line=${line%%$'\t'*}
        if [[ $line != ':files '* ]]; then
            COMPREPLY+=("$line")
            continue
        fi
        line=${line#:files }
        compopt -o filenames 2>/dev/null
        if [[ ! $endings ]]; then
            COMPREPLY+=($(compgen -P "$line" -f -- "${word#"$line"}"))
            continue
        fi
        COMPREPLY+=($(compgen -P "$line" -d -- "${word#"$line"}"))
        for ending in ${endings// /$'\n'}; do
            COMPREPLY+=($(compgen -P "$line" -f -X "!*$ending" -- "${word#"$line"}"))
        done
    done
    # Only what follows the sign is to be replaced.
    [[ $word != *=* ]] || COMPREPLY=("${COMPREPLY[@]#"${word%"${word##*=}"}"}")
}

complete -F _orrery orrery
