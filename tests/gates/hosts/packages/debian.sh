# SPDX-License-Identifier: BSD-2-Clause
# Part of packages.sh: the Debian package, its contents, and the compiled copy.

mkdir "$out/debian"
cp -r "$tree" "$out/debian/rocecc-$version"
cp -r "$recipes/debian" "$out/debian/rocecc-$version/debian"
checks=nocheck
[ -z "${FULL:-}" ] || checks=
(cd "$out/debian/rocecc-$version" &&
    DEB_BUILD_OPTIONS=$checks quiet env -u MAKEFLAGS -u MAKELEVEL dpkg-buildpackage -us -uc -b)
for deb in "$out"/debian/*.deb; do
    case $deb in *-dbgsym_*) continue ;; esac
    dpkg -x "$deb" "$out/unpacked"
done
root_allowed=
[ "$(id -u)" != 0 ] || root_allowed=--allow-root
quiet lintian --fail-on error,warning $root_allowed "$out"/debian/*.changes

libraries=usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
(cd "$out/unpacked/usr/include" && find . -type f | sed 's|^./||' | LC_ALL=C sort) |
    cmp - "$out/headers" || fail 'debian: not the headers of the tree'
built_by_pkgconfig debian rocecc "$out/unpacked" usr/share/pkgconfig
reads debian "$out/debian/consumer"
built_by_pkgconfig debian-compiled rocecc-compiled "$out/unpacked" usr/share/pkgconfig \
    "$libraries/pkgconfig"
export LD_LIBRARY_PATH="$out/unpacked/$libraries"
reads debian-compiled "$out/debian-compiled/consumer"
unset LD_LIBRARY_PATH
needed=librocecc.so.${version%.*}
readelf -d "$out/debian-compiled/consumer" | grep -qF "[$needed]" || fail "debian: not of $needed"
built_by_cmake debian-cmake -DCMAKE_PREFIX_PATH="$out/unpacked/usr"

# The libraries must define only rocecc's names, and both must have every function of the headers
# with the macros' defaults.
nm -D --defined-only "$out/unpacked/$libraries/librocecc.so" | awk '{print $3}' | sort > "$out/so"
nm -g --defined-only "$out/unpacked/$libraries/librocecc.a" | awk 'NF == 3 {print $3}' | sort > "$out/a"
! grep -v '^rocecc_' "$out/so" "$out/a" || fail 'librocecc defines a name that is not its own'
cmp "$out/so" "$out/a" || fail 'librocecc.a and .so define different functions'
cc -std=c99 -E -P -DROCECC_FN=a_function -I"$out/single" "$out/one.c" | tr '\n' ' ' |
    grep -o 'a_function [^(;{]*(' | grep -o 'rocecc_[a-z0-9_]*(' | tr -d '(' |
    sort -u > "$out/public"
cmp "$out/public" "$out/so" || fail 'librocecc has not the functions of the headers'
echo "packages: librocecc: $(wc -l < "$out/so") functions, all rocecc_"
sh $parts/sizes.sh "$out/sizes" "$tree/include" "$out/unpacked/$libraries/librocecc.a"
