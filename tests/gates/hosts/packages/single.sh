# SPDX-License-Identifier: BSD-2-Clause
# Part of packages.sh: the single header.

# Two makes in different places and locales must give the same bytes.
mkdir "$out/again"
tar xzf "$out/rocecc.tar.gz" -C "$out/again"
quiet make -C "$tree" single OUT="$out/single"
quiet env LC_ALL=C.UTF-8 TZ=Asia/Tokyo make -C "$out/again/rocecc" single OUT="$out/again"
cmp "$out/single/rocecc.h" "$out/again/rocecc.h" || fail 'single: two makes, two headers'
rm -rf "$out/again"
single=$out/single/rocecc.h
! grep '#include "' "$single" | grep -v '^ \*' || fail 'single: it includes another'
[ "$(grep -c '^#define ROCECC_[A-Z0-9_]*_H$' "$single")" = \
    "$(($(find "$tree/include" -name '*.h' | wc -l) + 1))" ] || fail 'single: not every header once'

# A compiler must see the tree: the same tokens, and the same macros except its own guard.
(cd "$tree/include" && echo rocecc/rocecc.h && ls rocecc/fields/*.h) |
    sed 's/.*/#include "&"/' > "$out/all.c"
echo '#include <rocecc.h>' > "$out/one.c"
same() {
    echo "$*" >> "$out/same"
    "$@" -E -P -I"$tree/include" "$out/all.c" | tr -s '[:space:]' '\n' > "$out/all.i"
    "$@" -E -P -I"$out/single" "$out/one.c" | tr -s '[:space:]' '\n' > "$out/one.i"
    "$@" -E -dM -I"$tree/include" "$out/all.c" | LC_ALL=C sort > "$out/all.m"
    "$@" -E -dM -I"$out/single" "$out/one.c" | grep -v ROCECC_SINGLE_H | LC_ALL=C sort > "$out/one.m"
    grep -q rocecc_packet_parse "$out/one.i" || fail "single: $*: empty"
    grep -q ROCECC_BTH_FIELDS "$out/one.m" || fail "single: $*: no tables of fields"
    cmp -s "$out/all.i" "$out/one.i" || fail "single: $*: other tokens than the tree"
    cmp -s "$out/all.m" "$out/one.m" || fail "single: $*: other macros than the tree"
}
same cc -std=c99
same g++ -x c++ -std=c++11
same clang-19 -target bpf -ffreestanding
same arm-none-eabi-gcc -mcpu=cortex-m4 -ffreestanding
same cc -std=c99 -DROCECC_FN=inline -DROCECC_DIV64=divide
for bytes in 0 64 8192 16384; do
    same cc -std=c99 -DROCECC_ICRC_TABLE_BYTES=$bytes
done
echo "packages: single: the tree's tokens and macros in $(wc -l < "$out/same") configurations"

# Alone in a folder, twice in a file, and beside headers of the tree.
warn='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror -fsyntax-only'
printf '#include <rocecc.h>\n%s\n%s\n' '#include <rocecc.h>' '#include <rocecc/rocecc.h>' > "$out/twice.c"
cp "$out/twice.c" "$out/twice.cc"
quiet cc -std=c99 $warn -Wstrict-prototypes -I"$out/single" -I"$tree/include" "$out/twice.c"
quiet clang-19 -std=c99 $warn -I"$out/single" -I"$tree/include" "$out/twice.c"
quiet g++ -std=c++11 $warn -I"$out/single" -I"$tree/include" "$out/twice.cc"
sed 's|<rocecc/.*>|<rocecc.h>|' "$recipes/consumer/consumer.c" > "$out/single/consumer.c"
quiet cc -std=c99 -I"$out/single" "$out/single/consumer.c" -o "$out/single/consumer"
reads single "$out/single/consumer"
