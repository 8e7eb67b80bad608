# functions.tsv or variables.tsv to Markdown: the names of each section, by how they are
# simulated. -v kind=Functions or Variables.
BEGIN { FS = "\t" }
{
    key = $3 SUBSEP $2 SUBSEP $4
    if (!(key in names))
        keys[++count] = key
    names[key] = names[key] (key in names && names[key] != "" ? ", " : "") $1
    if (!($3 in seen)) {
        seen[$3] = 1
        sections[++sections_count] = $3
    }
}
function wrap(text,    words, n, i, line) {
    n = split(text, words, " ")
    line = words[1]
    for (i = 2; i <= n; i++)
        if (length(line) + 1 + length(words[i]) > 120) {
            print line
            line = words[i]
        } else
            line = line " " words[i]
    print line
}
function print_group(section, how,    i, part) {
    for (i = 1; i <= count; i++) {
        split(keys[i], part, SUBSEP)
        if (part[1] == section && part[2] == how) {
            print ""
            wrap("**" part[2] "**" (part[3] == "" ? "" : " (" part[3] ")") ": " names[keys[i]])
        }
    }
}
function print_section(section) {
    print ""
    print "### " kind ": " section
    print_group(section, "direct")
    print_group(section, "warned")
    print_group(section, "ignored")
    print_group(section, "refused")
}
function sort(list, n,    i, j, kept) {
    for (i = 2; i <= n; i++) {
        kept = list[i]
        for (j = i - 1; j > 0 && list[j] > kept; j--)
            list[j + 1] = list[j]
        list[j + 1] = kept
    }
}
END {
    sort(sections, sections_count)
    for (s = 1; s <= sections_count; s++)
        print_section(sections[s])
}
