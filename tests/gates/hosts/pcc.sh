# SPDX-License-Identifier: BSD-2-Clause
# pcc.sh OUT: examples/pcc as a NIC would call it, beside the library's steps with timers:
# the same where no event is lost; where they are lost, repeated, merged and late, bounds.
set -eu
out=$1
cc=${CC:-gcc}
strict="-std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
 -Wcast-align -Wundef -Wstrict-prototypes -Werror -Iinclude"
# Without an operating system: what firmware compiles.
for file in examples/pcc/*.c; do
    $cc $strict -O2 -ffreestanding -c "$file" -o "$out/$(basename "$file" .c).o"
done
# Bytes outside of the 48 are errors of the address sanitizer.
$cc $strict -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
    examples/pcc/*.c tests/gates/hosts/pcc/*.c -o "$out/judge"
"$out/judge" "${SEEDS:-$([ -n "${FULL:-}" ] && echo 3000 || echo 200)}"
