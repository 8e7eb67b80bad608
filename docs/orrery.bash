# SPDX-License-Identifier: LGPL-2.1-or-later
# Completion of orrery(1) for bash.
# shellcheck disable=SC2207 # no name or value holds a blank

# The names in the first column of a list; $1 is the program, as it was typed.
_orrery_names() { # program, command
    "$1" "$2" list --format csv 2>/dev/null | sed -e 1d -e 's/,.*//'
}

# What an option may be followed by. Returns 1 if nothing is known of it.
_orrery_value() { # program, command, option, word
    local head
    case $3 in
        --format) COMPREPLY=($(compgen -W 'text json csv' -- "$4")) ;;
        --app) COMPREPLY=($(compgen -W "$(_orrery_names "$1" app)" -- "$4")) ;;
        --precision) COMPREPLY=($(compgen -W 'single double' -- "$4")) ;;
        --durations) COMPREPLY=($(compgen -W 'mean sampled replayed' -- "$4")) ;;
        --where)
            COMPREPLY=($(compgen -W "$(echo \
                {potrf,trsm,syrk,gemm,getrf,trsm_ll,trsm_ru}={cpu,gpu,any})" \
                -- "$4"))
            [[ $4 == *=* ]] && COMPREPLY=("${COMPREPLY[@]#*=}")
            ;;
        --strategy)
            COMPREPLY=($(compgen -W 'random pct starve delay dfs
                portfolio' -- "$4"))
            ;;
        --layout) COMPREPLY=($(compgen -W 'tiles matrix' -- "$4")) ;;
        --platform)
            COMPREPLY=($(compgen -W "$(_orrery_names "$1" platform)" -- "$4")
                $(compgen -f -- "$4"))
            ;;
        --model)
            COMPREPLY=($(compgen -W 'reference clean durations=mean
                durations=sampled durations=replayed
                overheads=on overheads=off memory=on memory=off
                network=full network=crude pitch=on pitch=off sharing=weighted sharing=fair
                belief=reference belief=route quirks=on quirks=off quirks=exact' -- "$4"))
            # readline has already read what stands before the sign.
            [[ $4 == *=* ]] && COMPREPLY=("${COMPREPLY[@]#*=}")
            ;;
        --trace | --hang-graph | --token | --output | --record | --plot | --plot-changes | --hwloc) COMPREPLY=($(compgen -f -- "$4")) ;;
        --degrade)
            head=
            [[ $4 == *,* ]] && head=${4%,*},
            COMPREPLY=($(compgen -P "$head" -W 'durations overheads memory
                network pitch sharing belief quirks' -- "${4##*,}"))
            ;;
        --sched)
            # "a,b,c" for compare: only the last one is open.
            head=
            [[ $2 == compare && $4 == *,* ]] && head=${4%,*},
            COMPREPLY=($(compgen -P "$head" -W "$(_orrery_names "$1" sched)" \
                -- "${4##*,}")
                $(compgen -P "$head" -f -X '!*.so' -- "${4##*,}"))
            ;;
        --pcie)
            head=$(echo 0.5x 2x gen{1..6}x{1,2,4,8,16})
            COMPREPLY=($(compgen -W "$head" -- "$4"))
            ;;
        --nvlink | --set | --tiles | --size | --tile | --cpus | --gpus | \
            --gpu-memory | --window | --perturb | --seed | --sizes | \
            --replicas | --robustness | --description | --source | \
            --budget | --threads | --policy-timeout | --bins | --kernel | --device)
            COMPREPLY=()
            ;;
        *) return 1 ;;
    esac
    return 0 # whether or not anything matches
}

_orrery_options() { # command
    local machine='--platform --cpus --gpus --gpu-memory --pcie --nvlink --set
        --stale-calibration'
    local common="--tiles --size --tile --precision --where --layout $machine
        --window --model --durations --record --perturb --seed --sched --policy-timeout --format
        --help"
    case $1 in
        run*) echo "$common --trace --hang-graph --token --twice" ;;
        compare*) echo "$common --replicas --sizes --robustness --plot" ;;
        ablate*)
            echo "$common --sizes --replicas --degrade --plot --plot-changes"
            ;;
        explore*) echo "$common --strategy --budget --all --threads" ;;
        replay*)
            echo '--trace --hang-graph --gdb --platform --sched --record
                --policy-timeout --format --help'
            ;;
        shrink*) echo '--budget --platform --sched --record
            --policy-timeout --format --help' ;;
        'platform detect'*) echo '--hwloc --output --help' ;;
        'histogram build'*)
            echo '--platform --app --precision --tile --gpus --bins --format
                --output --help'
            ;;
        'histogram show'*)
            echo '--platform --app --precision --tile --gpus --bins --format
                --kernel --device --plot --help'
            ;;
        'platform show'*) echo "$machine --output --format --help" ;;
        'platform save'*) echo "$machine --output --help" ;;
        'sched new'*) echo '--concurrent --help' ;;
        'platform import'*) echo '--output --description --source --help' ;;
        *) echo '--format --help' ;;
    esac
}

_orrery() {
    local program=$1 word=${COMP_WORDS[COMP_CWORD]} i=1 path=()
    local previous=${COMP_WORDS[COMP_CWORD - 1]}

    # readline splits "--name=value" and "--model name=value" at the sign: put
    # together what belongs together.
    local at=$COMP_CWORD
    [[ $word == '=' ]] && word= && at=$((at + 1))
    if [[ $at -gt 2 && ${COMP_WORDS[at - 1]} == '=' ]]; then
        previous=${COMP_WORDS[at - 2]}
        if [[ $previous != -* ]]; then
            word=$previous=$word
            previous=${COMP_WORDS[at - 3]}
        fi
    fi
    while [[ $i -lt $COMP_CWORD && ${COMP_WORDS[i]} != -* ]]; do
        path+=("${COMP_WORDS[i]}")
        i=$((i + 1))
    done
    _orrery_value "$program" "${path[0]}" "$previous" "$word" && return
    case ${path[*]} in
        '')
            COMPREPLY=($(compgen -W 'run compare ablate explore replay shrink platform histogram sched app help
                --help --version' -- "$word"))
            return
            ;;
        help)
            COMPREPLY=($(compgen -W 'run compare ablate explore replay shrink platform histogram sched app' \
                -- "$word"))
            return
            ;;
        platform | 'help platform')
            COMPREPLY=($(compgen -W 'list show save check import detect help --help' \
                -- "$word"))
            return
            ;;
        histogram | 'help histogram')
            COMPREPLY=($(compgen -W 'build show help --help' -- "$word"))
            return
            ;;
        sched | 'help sched')
            COMPREPLY=($(compgen -W 'list new help --help' -- "$word"))
            return
            ;;
        app | 'help app')
            COMPREPLY=($(compgen -W 'list help --help' -- "$word"))
            return
            ;;
    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$(_orrery_options "${path[*]}")" -- "$word"))
    elif [[ ${path[*]} == run || ${path[*]} == compare ||
        ${path[*]} == ablate || ${path[*]} == explore ]]; then
        COMPREPLY=($(compgen -W "$(_orrery_names "$program" app)" -- "$word"))
    elif [[ ${path[*]} == 'platform show' ||
        ${path[*]} == 'platform save' ]]; then
        COMPREPLY=($(compgen -W "$(_orrery_names "$program" platform)" \
            -- "$word") $(compgen -f -- "$word"))
    elif [[ ${path[*]} == replay || ${path[*]} == shrink ]]; then
        COMPREPLY=($(compgen -P @ -f -- "${word#@}"))
    elif [[ ${path[*]} == 'platform check'* || ${path[*]} == histogram* ]]; then
        COMPREPLY=($(compgen -f -- "$word"))
    elif [[ ${path[*]} == 'platform import' ]]; then
        COMPREPLY=($(compgen -d -- "$word"))
    fi
}

complete -F _orrery orrery
