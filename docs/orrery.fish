# SPDX-License-Identifier: LGPL-2.1-or-later
# Completion of orrery(1) for fish. The program itself knows the words.

function __orrery_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] --complete $words[2..-1] 2>/dev/null)
        if string match -q ':files*' -- $line
            set -l parts (string split \t -- $line)
            set -l prefix (string replace -r '^:files ?' '' -- $parts[1])
            set -l word (string replace -- "$prefix" '' $words[-1])
            set -l patterns '*'
            if set -q parts[2]
                set patterns '*/' '*'(string split ' ' -- $parts[2])
            end
            for file in (__fish_complete_path $word)
                set -l name (string split \t -- $file)[1]
                for pattern in $patterns
                    if string match -q -- $pattern $name
                        echo $prefix$file
                        break
                    end
                end
            end
        else
            echo $line
        end
    end
end

complete -c orrery -f -a '(__orrery_complete)'
