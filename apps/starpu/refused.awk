# functions.tsv to a C file: functions that end the program. They are weak, so that the
# library may define any of them in earnest.
BEGIN {
    FS = "\t"
    print "#include \"apps/starpu/base/error.h\""
    print ""
    print "#define REFUSE(name, section)                              \\"
    print "    void name(void);                                       \\"
    print "    __attribute__((weak, visibility(\"default\")))           \\"
    print "    void name(void)                                        \\"
    print "    {                                                      \\"
    print "        sp_refuse(#name, section);                         \\"
    print "    }"
    print ""
}
{ printf "REFUSE(%s, \"%s\")\n", $1, $3 }
