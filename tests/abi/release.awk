# Makes a header of another release out of today's: changes the structs that begin
# with their size, and the table of a policy, which has its size in its plug-in.
#
#   -v change=earlier   without their last member
#   -v change=later     with a member more, "added"
#   -v change=members   prints "STRUCT MEMBER" for each member instead

# Removes comments, which may span lines.
function without_comments(text,    start, end, left) {
    for (;;) {
        if (inside) {
            end = index(text, "*/")
            if (!end)
                return left
            text = substr(text, end + 2)
            inside = 0
        }
        start = index(text, "/*")
        if (!start)
            return left text
        left = left substr(text, 1, start - 1)
        text = substr(text, start + 2)
        inside = 1
    }
}

# Prints the names that the declaration of a member, or of several, gives them.
function put_names(member,    parts, words, count, i) {
    if (match(member, /\(\*[a-z_]+\)/)) {
        print tag, substr(member, RSTART + 2, RLENGTH - 3)
        return
    }
    count = split(member, parts, ",")
    for (i = 1; i <= count; i++) {
        sub(/\[.*/, "", parts[i])
        print tag, words[split(parts[i], words, /[ *\n]+/)]
    }
}

function put_struct(    members, count, i) {
    count = split(body, members, ";") - 1
    if (members[1] ~ /^[ \n]*size_t size$/ || \
        (tag == "orr_sched_ops" && change != "members")) {
        if (change == "earlier")
            count--
        else if (change == "later")
            members[++count] = "\n    uint64_t added"
    } else if (change == "members") {
        return
    }
    if (change != "members")
        printf "struct %s {", tag
    for (i = 1; i <= count; i++) {
        if (change == "members")
            put_names(members[i])
        else
            printf "%s;", members[i]
    }
    if (change != "members")
        print "\n};"
}

{ line = without_comments($0) }
line ~ /^struct [a-z_]+ \{/ && line !~ /\}/ {
    split(line, words, " ")
    tag = words[2]
    body = ""
    next
}
tag != "" && line ~ /^\};/ {
    put_struct()
    tag = ""
    next
}
tag != "" { body = body "\n" line; next }
change != "members" { print line }
