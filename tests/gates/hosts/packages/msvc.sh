# SPDX-License-Identifier: BSD-2-Clause
# Part of packages.sh: checks for MSVC, as far as clang-cl can tell, with each header alone, and
# with the single one in C and C++ for the three machines of Windows. The Windows SDK is missing
# here, so stdint, stddef and stdbool are clang's.

builtin=$(clang-19 --print-resource-dir)/include
cl() {
    clang-19 --driver-mode=cl -fmsc-version=1938 /W4 /WX -X -imsvc "$builtin" \
        -clang:-ffreestanding /U__SIZEOF_INT128__ -I"$tree/include" -I"$out/single" "$@"
}
mkdir "$out/msvc"
while read -r header; do
    echo "#include \"$header\"" > "$out/msvc/$(echo "$header" | tr / _).c"
done < "$out/headers"
quiet cl --target=x86_64-pc-windows-msvc /TC /Zs -- "$out"/msvc/*.c
for machine in x86_64 i686 aarch64; do
    quiet cl --target=$machine-pc-windows-msvc /TC /std:c11 /Zs -- "$out/one.c"
    quiet cl --target=$machine-pc-windows-msvc /TP /std:c++14 /Zs -- "$out/one.c"
done

# clang knows GNU C, and MSVC does not, so no GNU C may be left. To MSVC's older preprocessor,
# __VA_ARGS__ in a list of arguments is one argument.
cl --target=x86_64-pc-windows-msvc /TC /E -- "$out/one.c" 2> /dev/null | grep -v '^#' > "$out/msvc.i"
grep -q rocecc_packet_parse "$out/msvc.i" || fail 'msvc: nothing was preprocessed'
! grep -nE '__attribute__|__builtin_|__asm__|__typeof|__extension__' "$out/msvc.i" ||
    fail 'msvc: GNU C is left'
! grep -rn __VA_ARGS__ "$tree/include" --include='*.h' | grep -v '^[^:]*:[0-9]*: [*]' ||
    fail 'msvc: __VA_ARGS__ is one argument there'
echo "packages: msvc: $(wc -l < "$out/headers") headers, the single one for 3 machines"
