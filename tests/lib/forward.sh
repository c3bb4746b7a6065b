#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# forward.sh FOLDER: each header of include/rocecc, in FOLDER, is a line that includes the
# single one, <rocecc.h>: whatever is compiled with -IFOLDER has no other.
set -eu
LC_ALL=C find include/rocecc -name '*.h' | while read -r header; do
    to=$1/${header#include/}
    [ ! -e "$to" ] || continue # what was made of it need not be made again
    mkdir -p "${to%/*}"
    echo '#include <rocecc.h>' > "$to"
done
