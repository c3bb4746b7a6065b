#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# build.sh OUT: builds OUT/index.html, one file with everything in it, and
# OUT/page.wasm. Needs clang 14, lld 14, and the headers and ten functions of
# wasi-libc.
set -eu
here=$(dirname "$0")
top=$here/../..
out=$1
objects=$out/objects
mkdir -p "$objects"
strings='strcmp.o strncmp.o strlen.o strchr.o strchrnul.o strcspn.o strspn.o memcmp.o
    isalnum.o isxdigit.o'

compile() {
    # Without a 128-bit type the library multiplies by halves, as in firmware.
    clang-14 --target=wasm32-wasi -std=c11 -O2 -mbulk-memory -ffunction-sections \
        -fdata-sections -ftls-model=local-exec -U__SIZEOF_INT128__ -Dfwrite=web_write $2 \
        -I"$top/include" -c "$1" -o "$objects/$(basename "$1" .c).o"
}

strict='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-align
    -Wundef -Wstrict-prototypes -Werror'
for name in packet libc curves steps settings; do compile "$here/$name.c" "$strict"; done
for name in decode fields icmp json overlay link next notify offload sampled; do
    compile "$here/../rocedump/$name.c" ''
done
for name in field vec sink network network_file prefix; do
    compile "$here/../lib/$name.c" ''
done
# Only these objects, because stdio in the whole libc.a would need a host.
(cd "$objects" && llvm-ar-14 x /usr/lib/wasm32-wasi/libc.a $strings)
wasm-ld-14 --no-entry --gc-sections --strip-all -o "$out/page.wasm" "$objects"/*.o

# A line @file NAME of page.html becomes the file, @base64 NAME its bytes.
while IFS= read -r line; do
    case $line in
    '@file '*) cat "$here/${line#@file }" ;;
    '@base64 page.wasm') base64 -w 0 "$out/page.wasm" ;;
    '@base64 '*) base64 -w 0 "$top/${line#@base64 }" ;;
    *) printf '%s\n' "$line" ;;
    esac
done < "$here/page.html" > "$out/index.html"
