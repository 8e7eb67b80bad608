# SPDX-License-Identifier: LGPL-2.1-or-later
# Reads the list of mutations, then looks for their old texts in files.
#
#   awk -v list=LIST -f mutation.awk FILE...
#       prints a line for each mutation: its name, the file that has its old
#       text, and its test; complains of old texts that do not occur exactly
#       once, and of tests whose file is not in the environment's variable
#       $tests, a path a line
#   awk -v list=LIST -v name=NAME -f mutation.awk FILE
#       prints the file with the new text of the mutation
#
# The head of the list describes its syntax.

# A fault of the list ends the program.
function fail(what) {
    print list ":" (number ? number ":" : "") " " what >"/dev/stderr"
    exit 1
}

function read_list(    line, parts) {
    while ((getline line <list) > 0) {
        number++
        if (line ~ /^[a-z0-9-]+: [a-z0-9_.-]+$/) {
            split(line, parts, ": ")
            if (parts[1] in tests)
                fail(parts[1] " is there twice")
            names[++count] = parts[1]
            tests[parts[1]] = parts[2]
        } else if (count > 0 && line ~ /^-/ && !(names[count] in new_texts)) {
            add(old_texts, names[count], substr(line, 2))
        } else if (count > 0 && line ~ /^[+]/) {
            add(new_texts, names[count], substr(line, 2))
        } else if (line !~ /^#|^ |^$/) {
            fail("neither NAME: TEST nor text")
        }
    }
    if (count == 0)
        fail("no mutation")
}

function add(texts, at, line) {
    if (at in texts)
        texts[at] = texts[at] "\n" line
    else
        texts[at] = line
}

# How often @text has @part, which does not overlap itself.
function occurrences(text, part,    times, at) {
    while ((at = index(text, part)) > 0) {
        times++
        text = substr(text, at + length(part))
    }
    return times + 0
}

function read_file(file,    text) {
    getline text <file
    close(file)
    return text
}

function complain(what) {
    print what >"/dev/stderr"
    failed = 1
}

function print_table(    i, n, text, times, path, paths) {
    for (i = 1; i < ARGC; i++) {
        text = read_file(ARGV[i])
        for (n = 1; n <= count; n++) {
            times = occurrences(text, old_texts[names[n]])
            if (times > 0) {
                found[n] += times
                files[n] = ARGV[i]
            }
        }
    }
    paths = ENVIRON["tests"] "\n"
    for (n = 1; n <= count; n++) {
        if (found[n] != 1)
            complain(names[n] ": its old text occurs " found[n] + 0 \
                " times, not once")
        path = "/" tests[names[n]] (tests[names[n]] ~ /\.sh$/ ? "" : ".c")
        if (occurrences(paths, path "\n") != 1)
            complain(names[n] ": there is no test " tests[names[n]] \
                ", or several")
        print names[n], files[n], tests[names[n]]
    }
    exit failed
}

function print_mutant(    text, at) {
    text = read_file(ARGV[1])
    at = index(text, old_texts[name])
    printf "%s%s%s", substr(text, 1, at - 1), new_texts[name],
        substr(text, at + length(old_texts[name]))
}

BEGIN {
    read_list()
    number = 0
    for (n = 1; n <= count; n++) {
        if (old_texts[names[n]] == "")
            fail(names[n] ": it has no old text")
        if (old_texts[names[n]] == new_texts[names[n]])
            fail(names[n] ": it changes nothing")
    }
    RS = "\001" # a file is one record
    if (name != "")
        print_mutant()
    else
        print_table()
}
