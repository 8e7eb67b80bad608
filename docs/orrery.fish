# SPDX-License-Identifier: LGPL-2.1-or-later
# Completion of orrery(1) for fish. The program itself knows the words.

function __orrery_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] --complete $words[2..-1] 2>/dev/null)
        if string match -q ':files*' -- $line
            set -l prefix (string replace -r '^:files ?' '' -- $line)
            set -l word (string replace -- "$prefix" '' $words[-1])
            for file in (__fish_complete_path $word)
                echo $prefix$file
            end
        else
            echo $line
        end
    end
end

complete -c orrery -f -a '(__orrery_complete)'
