# SPDX-License-Identifier: BSD-2-Clause
# Part of packages.sh: make install, found by pkg-config and CMake.

root=$out/root
quiet make -C "$tree" install DESTDIR="$root" PREFIX=/opt/rocecc
(cd "$tree/include" && find rocecc -name '*.h' | LC_ALL=C sort) > "$out/headers"
(cd "$root/opt/rocecc/include" && find . -type f | sed 's|^./||' | LC_ALL=C sort) |
    cmp - "$out/headers" || fail 'install: not the headers of the tree'

# built_by_pkgconfig WAY PACKAGE ROOT FOLDER...: with only the .pc files of these folders below
# ROOT.
built_by_pkgconfig() {
    way=$1 package=$2 sysroot=$3
    shift 3
    paths=
    for folder in "$@"; do paths="$paths:$sysroot/$folder"; done
    rm -rf "$out/$way"
    cp -r "$recipes/consumer" "$out/$way"
    quiet env PKG_CONFIG_SYSROOT_DIR="$sysroot" PKG_CONFIG_LIBDIR="${paths#:}" \
        sh -c "pkg-config --exact-version=$version $package && make -C '$out/$way' ROCECC=$package"
}
built_by_pkgconfig pkg-config rocecc "$root" opt/rocecc/share/pkgconfig
reads pkg-config "$out/pkg-config/consumer"

# built_by_cmake WAY OPTION...
built_by_cmake() {
    way=$1
    shift
    quiet cmake -S "$recipes/consumer" -B "$out/$way" "$@"
    quiet cmake --build "$out/$way"
    reads "$way" "$out/$way/consumer"
}
# refused_by_cmake VERSION OPTION...: find_package() must not find that version.
refused_by_cmake() {
    wanted=$1
    shift
    rm -rf "$out/refused"
    cp -r "$recipes/consumer" "$out/refused"
    sed -i "s/find_package(rocecc 0.2/find_package(rocecc $wanted/" "$out/refused/CMakeLists.txt"
    ! cmake -S "$out/refused" -B "$out/refused/build" "$@" > "$out/log" 2>&1 ||
        fail "CMake: $version passes for $wanted"
    grep -q 'considered but not accepted' "$out/log" || fail 'CMake: refused for another reason'
}
built_by_cmake cmake-of-make -DCMAKE_PREFIX_PATH="$root/opt/rocecc"
refused_by_cmake 0.1 -DCMAKE_PREFIX_PATH="$root/opt/rocecc"
refused_by_cmake 0.3 -DCMAKE_PREFIX_PATH="$root/opt/rocecc"
