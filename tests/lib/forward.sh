#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# forward.sh FOLDER: makes each header of include/rocecc in FOLDER, as a line that includes
# the single header <rocecc.h>. Code that is compiled with -IFOLDER has no other header.
set -eu
LC_ALL=C find include/rocecc -name '*.h' | while read -r header; do
    to=$1/${header#include/}
    [ ! -e "$to" ] || continue # what was made of it need not be made again
    mkdir -p "${to%/*}"
    echo '#include <rocecc.h>' > "$to"
done
