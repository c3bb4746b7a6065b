# SPDX-License-Identifier: BSD-2-Clause
# build.sh - a part of rxe.sh. It builds the library in a module of Linux, against the headers of
# the kernel that loads it, with the laws of $nouns from tests/gates/bpf.

# Fetches and unpacks the headers, and sets the one path in them to their folder.
fetch_headers() {
    fetch "linux-headers-$kernel" './usr/*'
    fetch "linux-headers-${kernel%-*}-common" './usr/*'
    fetch linux-kbuild-6.1 './usr/*'
    headers=$(cd "$dir" && pwd)/debian/usr/src
    echo "include $headers/linux-headers-${kernel%-*}-common/Makefile" \
        > "$headers/linux-headers-$kernel/Makefile"
}

# build_module TO builds main.c and a file for each noun with its law's name.
build_module() {
    fetch_headers
    here=$(pwd)
    mkdir -p "$dir/module"
    cp tests/gates/live/module/main.c "$dir/module/"
    for noun in $nouns; do
        printf '#define MODULE_LAW module_%s\n#include "gates/bpf/%s.c"\n' "$noun" "$noun" \
            > "$dir/module/$noun.c"
        echo "NOUN($noun)"
    done > "$dir/module/nouns.h"
    {
        echo 'obj-m := rocecc.o'
        echo 'rocecc-y := main.o' $(printf '%s.o ' $nouns)
        # The laws, and not the library, have large frames. The stack has 16 KiB.
        echo 'ccflags-y := -Wframe-larger-than=8192'
        echo "ccflags-y += -I$here/include -I$here/tests -I$here/tests/gates/live/module" \
            "-DROCECC_TYPES_H='\"types.h\"'"
    } > "$dir/module/Kbuild"
    make -C "$headers/linux-headers-$kernel" "M=$(cd "$dir/module" && pwd)" modules \
        > "$dir/module/log" 2>&1 || {
        tail -n 40 "$dir/module/log"
        echo 'live-rxe: the module does not build'
        exit 1
    }
    cp "$dir/module/rocecc.ko" "$1"
}
