# SPDX-License-Identifier: BSD-2-Clause
# All headers as one: awk -f single.awk LICENSE HEADER... > rocecc.h
#
# Each header is written once, where it is first included, and keeps its guard: whoever
# includes one of the tree, too, has nothing twice. The license is in it, since this file
# may be all of rocecc that somebody has.

# "a/b/../c.h" is "a/c.h".
function plain(path) {
    while (sub(/[^\/]+\/\.\.\//, "", path)) continue
    return path
}

function write_out(path,    folder, line, part, got) {
    if (path in written) return
    written[path] = 1
    folder = path
    sub(/[^\/]*$/, "", folder)
    while ((got = (getline line < path)) > 0) {
        if (line ~ /^\/\* SPDX-License-Identifier: .* \*\/$/) continue
        if (line ~ /^#include "/) {
            split(line, part, "\"")
            write_out(plain(folder part[2]))
        } else print line
    }
    if (got == 0) close(path)
    else missing(path)
}

function write_license(path,    line, got) {
    while ((got = (getline line < path)) > 0) print line == "" ? " *" : " * " line
    if (got < 0) missing(path)
}

function missing(path) {
    print "single: " path " cannot be read" > "/dev/stderr"
    bad = 1
}

BEGIN {
    print "/* SPDX-License-Identifier: BSD-2-Clause */"
    print "/*"
    print " * rocecc in one header. `make single` makes it of include/rocecc: edit those."
    print " *"
    write_license(ARGV[1])
    print " */"
    print "#ifndef ROCECC_SINGLE_H"
    print "#define ROCECC_SINGLE_H"
    for (i = 2; i < ARGC; i++) write_out(ARGV[i])
    print ""
    print "#endif /* ROCECC_SINGLE_H */"
    exit bad
}
