# SPDX-License-Identifier: BSD-2-Clause
# pcc.sh OUT runs examples/pcc as a NIC would call it, beside the library's steps with timers.
# Without lost events both are equal. With lost, repeated, merged and late ones, bounds hold.
set -eu
out=$1
cc=${CC:-gcc}
strict="-std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
 -Wcast-align -Wundef -Wstrict-prototypes -Werror -Iinclude"
# Without an operating system, as for firmware.
for file in examples/pcc/*.c; do
    $cc $strict -O2 -ffreestanding -c "$file" -o "$out/$(basename "$file" .c).o"
done
# The address sanitizer reports accesses outside the block of a flow's 48 bytes.
$cc $strict -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
    examples/pcc/*.c tests/gates/hosts/pcc/*.c -o "$out/judge"
"$out/judge" "${SEEDS:-$([ -n "${FULL:-}" ] && echo 3000 || echo 200)}"
